"""Seeds a million rows with the program and has DuckDB compare every value with the copy, through delta-rs' list of files.

Usage: million.py CDCSEED [ROWS]
CDCSEED is the program. Its own fake server plays the source. pyarrow writes the copy, DuckDB casts it by
itself and looks for rows that differ, and the program's memory is watched while it works.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from datetime import datetime, timedelta
from decimal import Decimal
from pathlib import Path

import deltalake
import duckdb
import pyarrow as pa
import pyarrow.parquet as pq
from tally import Tally, same

FILES = 4
MEMORY = 512 << 20
COLUMNS = [
    ("id", "bigint", pa.int64()), ("customer", "int", pa.int64()), ("qty", "smallint", pa.int32()), ("active", "bit", pa.int8()),
    ("amount", "decimal(12,2)", pa.decimal128(18, 4)), ("price", "money", pa.decimal128(19, 4)), ("weight", "float", pa.float64()),
    ("name", "nvarchar(60)", pa.string()), ("code", "char(8)", pa.string()), ("guid", "uniqueidentifier", pa.string()),
    ("born", "date", pa.date32()), ("changed", "datetime2(7)", pa.timestamp("us")), ("seen", "datetimeoffset(6)", pa.timestamp("us", "UTC")),
]
# What DuckDB must find in the table, from the copy's columns.
EXPECTED = {
    "customer": "customer::INTEGER", "qty": "qty::SMALLINT", "active": "active = 1", "amount": "round(amount, 2)::DECIMAL(12,2)",
    "code": "rpad(code, 8, ' ')", "guid": "upper(guid)",
}


def world(now: str) -> dict:
    """A server on UTC with one captured table, whose rows nobody reads."""
    columns = [{"name": n, "type": t, "nullable": n != "id"} for n, t, _ in COLUMNS]
    return {
        "format": 1,
        "server": {"product_version": "16.0.4125.3", "time_zone": "UTC", "now": now},
        "logins": [{"name": "reader", "password": "judge", "users": [{"database": "Sales", "select": [{"on": "dbo"}]}]}],
        "databases": [{
            "name": "Sales", "cdc": True, "cleanup": {"retention_minutes": 4320},
            "tables": [{"name": "orders", "primary_key": ["id"], "columns": columns}],
            "capture_instances": [{"name": "dbo_orders", "table": "dbo.orders", "start_lsn": "0x10", "created": "2026-10-24T11:00:00"}],
            "lsn_time_mapping": [{"lsn": "0x10", "local_time": "2026-10-24T12:00:00", "idle": True,
                                  "repeat": {"count": 60, "every_seconds": 60, "lsn_step": 16}}],
        }],
    }


def write_copy(folder: Path, rows: int) -> None:
    folder.mkdir(parents=True)
    schema = pa.schema([(n, t) for n, _, t in COLUMNS])
    start = datetime(2020, 1, 1)
    for file in range(FILES):
        ids = range(file * rows // FILES, (file + 1) * rows // FILES)
        values = [
            list(ids), [i * 7 % 2_000_000_011 for i in ids], [None if i % 11 == 0 else i % 30_000 for i in ids], [i % 2 for i in ids],
            [Decimal(i * 37 - 5_000_000).scaleb(-4) for i in ids], [Decimal(i * 13).scaleb(-4) for i in ids], [i / 7 for i in ids],
            [None if i % 17 == 0 else f"row {i} Größe {'x' * (i % 40)}" for i in ids], [f"C{i % 9999}" for i in ids],
            [f"{i:08x}-0000-4000-8000-{i:012x}" for i in ids], [(start + timedelta(days=i % 3000)).date() for i in ids],
            [start + timedelta(microseconds=i * 1_234_567) for i in ids], [start + timedelta(microseconds=i * 7_654_321) for i in ids],
        ]
        table = pa.table([pa.array(v, type=t) for v, (_, _, t) in zip(values, COLUMNS)], schema=schema)
        pq.write_table(table, folder / f"part-{file}.parquet", row_group_size=100_000)
        os.utime(folder / f"part-{file}.parquet", (1792845060, 1792845060))  # 2026-10-24T12:31:00Z


def seed(program: str, work: Path) -> tuple[dict, int, float]:
    """Runs the seed; its result, the most memory it held resident in bytes, and the seconds it took."""
    (work / "world.json").write_text(json.dumps(world("2026-10-24T13:00:00Z")), encoding="utf-8")
    fake = subprocess.Popen([program, "fake", "--world", str(work / "world.json"), "--json"], stdout=subprocess.PIPE, text=True)
    try:
        url = json.loads(fake.stdout.readline())["url"]
        command = [program, "seed", "--server", url, "--table", "dbo.orders", "--copy", str(work / "copy"), "--target", str(work / "bronze"),
                   "--as-of", "2026-10-24T12:30:30Z", "--cast", "amount=round", "--accept", "values_unseen",
                   "--confirm", "dbo.orders", "--json"]
        began = time.monotonic()
        peak = 0
        with open(work / "out", "w", encoding="utf-8") as out:
            run = subprocess.Popen(command, stdout=out, env={**os.environ, "CDCSEED_STATE": str(work / "state")})
            while run.poll() is None:
                peak = max(peak, resident(run.pid))
                time.sleep(0.01)
        last = (work / "out").read_text(encoding="utf-8").strip().splitlines()[-1]
        return json.loads(last), peak, time.monotonic() - began
    finally:
        fake.terminate()
        fake.wait()


def resident(pid: int) -> int:
    """The most memory that the process has held so far, in bytes; 0 once it is gone."""
    try:
        for line in Path(f"/proc/{pid}/status").read_text(encoding="ascii").splitlines():
            if line.startswith("VmHWM:"):
                return int(line.split()[1]) << 10
    except (FileNotFoundError, ProcessLookupError):
        pass
    return 0


def compare(work: Path, rows: int, lsn: str, tally: Tally) -> None:
    """DuckDB's own casts of the copy against the files that delta-rs finds in the table."""
    files = [str(work / "bronze" / uri.split("/")[-1]) for uri in deltalake.DeltaTable(str(work / "bronze")).file_uris()]
    db = duckdb.connect()
    db.execute("SET TimeZone = 'UTC'")
    expected = ", ".join(f"{EXPECTED.get(n, n)} AS {n}" for n, _, _ in COLUMNS)
    copy = f"SELECT {expected} FROM read_parquet('{work}/copy/*.parquet')"
    bronze = f"SELECT {', '.join(n for n, _, _ in COLUMNS)} FROM read_parquet({files!r})"

    def none_missing(one: str, other: str) -> None:
        same("rows missing", db.execute(f"SELECT count(*) FROM ({one} EXCEPT ALL {other})").fetchone(), (0,))

    tally.check("every row of the copy is in the table", lambda: none_missing(copy, bronze))
    tally.check("every row of the table is in the copy", lambda: none_missing(bronze, copy))
    stamped = f"SELECT count(*) FROM read_parquet({files!r}) WHERE _operation = 0 AND _start_lsn = ? AND _snapshot = ?"
    tally.check("every row is stamped", lambda: same("rows", db.execute(stamped, [lsn, lsn]).fetchone(), (rows,)))
    spoiled = copy.replace("customer::INTEGER", "customer::INTEGER + 1")
    tally.check("a wrong value would be found", lambda: same("found", db.execute(f"SELECT count(*) > 0 FROM ({spoiled} EXCEPT ALL {bronze})").fetchone(), (True,)))


def main(argv: list[str]) -> int:
    if len(argv) not in (1, 2):
        raise SystemExit(__doc__)
    rows = int(argv[1]) if len(argv) == 2 else 1_000_000
    work = Path(tempfile.mkdtemp(prefix="cdcseed-million-"))
    tally = Tally()
    try:
        write_copy(work / "copy", rows)
        result, peak, took = seed(str(Path(argv[0]).resolve()), work)
        print(f"{result.get('rows')} rows in {took:.1f} s, {rows / took:.0f} rows/s, at most {peak >> 20} MB resident")
        tally.check("the seed ends well", lambda: same("rows", (result.get("type"), result.get("rows")), ("result", rows)))
        tally.check(f"memory stays below {MEMORY >> 20} MB", lambda: same("within", 0 < peak <= MEMORY, True))
        compare(work, rows, result["lsn"], tally)
    finally:
        shutil.rmtree(work, ignore_errors=True)
    return tally.close()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
