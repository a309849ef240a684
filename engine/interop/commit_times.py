"""Random histories of a server's clock: the program's commit times and positions beside those of the package's own client.

Usage: commit_times.py CDCSEED
Each history has a fall-back hour, steps back of every size, ties and gaps, on a server that names its zone and on one
that cannot. For LSNs, the commit time must be the package's to the millisecond; for times, the position that the plain
rule finds must be. The seeds are fixed: every run asks the same.
"""

from __future__ import annotations

import json
import os
import random
import sys
import tempfile
from contextlib import closing
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import program
from mssql_cdc import make_client
from served import World
from tally import Tally, same

LOGIN = {"database": "Sales", "user": "reader", "password": "Clock-only!1"}
# A zone, the local time at which its history begins, and where the hour that comes twice begins.
ZONES = [
    ("Eastern Standard Time", datetime(2026, 10, 31, 22, 30), datetime(2026, 11, 1, 1)),
    ("W. Europe Standard Time", datetime(2026, 10, 25, 0, 30), datetime(2026, 10, 25, 2)),
    ("Lord Howe Standard Time", datetime(2026, 4, 5, 0, 0), datetime(2026, 4, 5, 1, 30)),
    ("Morocco Standard Time", datetime(2026, 2, 15, 0, 0), datetime(2026, 2, 15, 2)),
]
VERSIONS = ("16.0.4125.3", "15.0.4345.5")
# Commits by number that fall at these minutes of the hour that comes twice: two passes, then again.
PASSES = {15: 16, 16: 28, 17: 44, 18: 17, 19: 29, 20: 43}


def history(rng: random.Random, start: datetime, twice: datetime) -> list[dict[str, str]]:
    """Forty mapping rows in LSN order, with the server's clock at each."""
    at, rows = start, []
    for number in range(40):
        rows.append({"lsn": f"0x{16 * (number + 1):020X}", "local_time": at.strftime("%Y-%m-%dT%H:%M:%S.") + f"{at.microsecond // 10000 * 10:03d}"})
        step = rng.randrange(12)
        if number in PASSES:
            at = twice + timedelta(minutes=PASSES[number])
        elif step == 0:
            at -= timedelta(seconds=rng.randrange(70 * 60))
        elif step == 1:
            at -= timedelta(seconds=rng.randrange(120))
        elif step != 2:  # 2 is a tie
            at += timedelta(milliseconds=rng.randrange(14 * 60000))
    return rows


def world(version: str, zone: str, rows: list[dict[str, str]]) -> dict[str, Any]:
    return {
        "format": 1,
        "server": {"product_version": version, "time_zone": zone, "now": "2026-12-01T00:00:00Z"},
        "logins": [{"name": LOGIN["user"], "password": LOGIN["password"], "users": [{"database": LOGIN["database"], "select": [{"on": "dbo"}]}]}],
        "databases": [{
            "name": LOGIN["database"], "cdc": True,
            "tables": [{"name": "Orders", "primary_key": ["Id"], "columns": [{"name": "Id", "type": "int"}], "rows": []}],
            "capture_instances": [{"name": "dbo_Orders", "table": "dbo.Orders", "start_lsn": "0x01", "created": "2026-01-01T00:00:00"}],
            "lsn_time_mapping": rows,
        }],
    }


def differences(server: Any, rng: random.Random, rows: list[dict[str, str]], state: Path) -> tuple[int, list[str]]:
    """How many answers of one server were compared, and those that differ."""
    asked, early, wrong = 0, 0, []
    with closing(make_client(server.options(captureInstance="dbo_Orders", **LOGIN))) as client:
        for row in rows[rng.randrange(2) :: 2]:
            theirs, said = client.lsn_to_time(row["lsn"]), program.lsn(server, LOGIN, state, "dbo_Orders", row["lsn"])
            asked += 1
            if said.status != 0 or said.offset()["commit_ts"] != theirs:
                wrong.append(f"{row}: the package has {theirs}, the program {said.last}")
        for row in rows[::5]:
            at = datetime.fromisoformat(client.lsn_to_time(row["lsn"]))
            at += timedelta(seconds=rng.randrange(-1800, 5400), microseconds=rng.randrange(10**6))
            theirs, said = client.time_to_lsn(at), program.lsn(server, LOGIN, state, "dbo_Orders", at.isoformat() + "Z")
            asked += 1
            if said.last.get("code") == "no_commit":  # where a step of the clock lies before every commit there is no safe position
                early += 1
            elif (said.last.get("record") or said.last.get("lsn")) != theirs:
                wrong.append(f"{at}: the package has {theirs}, the program {said.last}")
    same("times of which most are answered", early <= 3, True)
    return asked, wrong


def run(work: Path, tally: Tally) -> None:
    """A check for each zone, version and seed."""
    work.mkdir(parents=True, exist_ok=True)
    for zone, start, twice in ZONES:
        for number, version in enumerate(VERSIONS):
            rng = random.Random(f"{number} {zone}")
            rows = history(rng, start, twice)
            file = work / f"{zone}-{number}.json"
            file.write_text(json.dumps(world(version, zone, rows)), encoding="utf-8")
            tally.check(f"commit times: {zone}, server {version}", lambda file=file, rng=rng, rows=rows: compared(file, rng, rows, work / "state"))


def compared(file: Path, rng: random.Random, rows: list[dict[str, str]], state: Path) -> None:
    server = World(str(file))
    try:
        asked, wrong = differences(server, rng, rows, state)
    finally:
        server.close()
    same("answers compared", asked, len(rows[::2]) + len(rows[::5]))
    same("answers that differ", wrong, [])


def main(argv: list[str]) -> int:
    if len(argv) != 1:
        raise SystemExit(__doc__)
    os.environ["CDCSEED_PROGRAM"] = str(Path(argv[0]).resolve())
    tally = Tally()
    with tempfile.TemporaryDirectory(prefix="cdcseed-times-") as work:
        run(Path(work), tally)
    return tally.close()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
