"""What the program makes of a file: one table that captures the file's columns, seeded until nothing refuses any more.

A column is answered where the program asks or refuses: with the answer that is tried, where it takes that, else with `null`.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import program
import pyarrow as pa
import pyarrow.parquet as pq
from serving import World

LOGIN = {"database": "Casts", "user": "reader", "password": "Casts-only!1"}


@dataclass
class Seeded:
    """What a seed wrote, and what the program said on the way to it."""

    rows: pa.Table | None = None  # None where nothing was asked to be written
    impossible: set[str] = field(default_factory=set)  # columns that no cast leads to
    stuck: set[str] = field(default_factory=set)  # columns with a value that no answer writes
    answers: dict[str, str] = field(default_factory=dict)
    refused: dict[str, int] = field(default_factory=dict)  # how many values of a column, before any answer made them NULL


def world(columns: dict[str, str]) -> dict[str, object]:
    """One table with an int key, id, and the columns."""
    described = [{"name": "id", "type": "int"}, *({"name": name, "type": kind, "nullable": True} for name, kind in columns.items())]
    table = {"name": "Copied", "primary_key": ["id"], "columns": described, "rows": []}
    return {
        "format": 1,
        "server": {"product_version": "17.0.1000.7", "time_zone": "UTC", "now": "2026-06-02T12:00:00Z"},
        "logins": [{"name": LOGIN["user"], "password": LOGIN["password"], "users": [{"database": LOGIN["database"], "select": [{"on": "dbo"}, {"on": "cdc"}]}]}],
        "databases": [{
            "name": LOGIN["database"], "cdc": True, "tables": [table],
            "capture_instances": [{"name": "dbo_Copied", "table": "dbo.Copied", "start_lsn": "0x10", "created": "2026-06-01T08:00:00"}],
            "lsn_time_mapping": [{"lsn": "0x10", "local_time": "2026-06-01T08:05:00", "idle": True}, {"lsn": "0x50", "local_time": "2026-06-01T10:00:00", "idle": True}],
        }],
    }  # fmt: skip


def impossible(file: Path, columns: dict[str, str], work: Path) -> set[str]:
    """The columns of these that no cast leads to."""
    work.mkdir(parents=True, exist_ok=True)
    said = _Attempt(file, columns, work).run({}, ["capture_stopped"], dry=True)
    return {fact["name"] for fact in said.last["facts"]} if said.last.get("code") == "cast_impossible" else set()


def seed(file: Path, columns: dict[str, str], work: Path, answer: str = "null") -> Seeded:
    """Seeds the file's columns, SQL types by name, with the answer where one is asked for."""
    work.mkdir(parents=True, exist_ok=True)
    out = Seeded()
    columns = dict(columns)
    accepted = ["capture_stopped"]
    for _ in range(10):
        attempt = _Attempt(file, columns, work)
        said = attempt.run(out.answers, accepted)
        code = said.last.get("code")
        if said.status == 0:
            out.rows = attempt.rows()
            return out
        if code == "cast_impossible":
            out.impossible |= {fact["name"] for fact in said.last["facts"]}
        elif code == "cast_needs_answer":
            out.answers |= {name: answer if answer in choices else "null" if "null" in choices else choices[0] for name, choices in asked(said.last["hint"]).items()}
        elif code == "value_refused":
            _refused(said.last, out, answer)
        elif code == "warning_unaccepted":  # of numbers that the writers' files are full of
            accepted += sorted({fact["name"] for fact in said.last["facts"]} - set(accepted))
        else:
            raise AssertionError(f"{file.name}: {said.summary()}")
        columns = {n: k for n, k in columns.items() if n not in out.impossible | out.stuck}
    raise AssertionError(f"{file.name}: refused again and again: {said.summary()}")


def asked(hints: list[str]) -> dict[str, list[str]]:
    """The answers that columns take, from what the program says to type."""
    found = (re.fullmatch(r"--cast (\S+)=(\S+)", hint) for hint in hints)
    return {m[1]: m[2].split("|") for m in found if m}


def _refused(said: dict[str, Any], out: Seeded, answer: str) -> None:
    """The next answer of each column that was refused: the one that is tried, where it takes that, then null; after that it is stuck."""
    choices = asked(said["hint"])
    for name in {fact["name"] for fact in said["facts"]}:
        before = out.answers.get(name)
        out.refused.setdefault(name, sum(int(fact["value"].split(" ", 1)[0].replace(",", "")) for fact in said["facts"] if fact["name"] == name))
        if before is None and answer in choices.get(name, []):
            out.answers[name] = answer
        elif before in (None, answer) and before != "null":
            out.answers[name] = "null"
        else:
            out.stuck.add(name)
            del out.answers[name]


class _Attempt:
    """One run of the program against a server with one table."""

    def __init__(self, file: Path, columns: dict[str, str], work: Path) -> None:
        self.file, self.work = file, work
        self.target = work / f"target-{len(list(work.glob('target-*')))}"
        self.world = work / "world.json"
        self.world.write_text(json.dumps(world(columns)), encoding="utf-8")

    def run(self, answers: dict[str, str], accepted: list[str], dry: bool = False) -> program.Said:
        arguments = [
            "--table", "dbo.Copied", "--copy", str(self.file), "--target", str(self.target), "--as-of", "0x" + "50".zfill(20),
            "--copy-time-zone", "UTC", "--accept", ",".join(accepted), *(["--dry-run"] if dry else []),
        ]  # fmt: skip
        for name, answer in answers.items():
            arguments += ["--cast", f"{name}={answer}"]
        server = World(str(self.world))
        try:
            return program.seed(server, LOGIN, self.work / "state", "dbo.Copied", arguments)
        finally:
            server.close()

    def rows(self) -> pa.Table:
        """The captured columns of the table's one data file, ordered by id."""
        (file,) = self.target.glob("*.parquet")
        return pq.ParquetFile(file).read().sort_by("id")
