"""The judge's own test: a seed by the package itself passes every check, and copies of it that are spoiled,
each in one way, make the checks named beside it fail."""

from __future__ import annotations

import contextlib
import io
import json
import shutil
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import package_checks
import reader_checks
import source
from tally import Tally

COLUMNS = "order_id INT, status STRING, amount DECIMAL(10,2), at TIMESTAMP_NTZ"
L = "0x0000002A000001000041"


def own_seed(spark: Any, folder: Path) -> dict[str, Any]:
    """A case that the package seeded: five rows, and two changes after L."""
    from mssql_cdc import stream

    def row(n: int, status: str) -> dict[str, Any]:
        return {"order_id": n, "status": status, "amount": None, "at": None}

    timeline = [
        {"lsn": f"0x0000002A0000010000{n}1", "at": f"2026-09-28T13:5{n}:00", "changes": [[2, row(n, "new")]]} for n in range(5)
    ]
    timeline.append({"lsn": "0x0000002A000001000042", "at": "2026-09-28T13:55:00",
                     "changes": [[3, row(4, "new")], [4, row(4, "paid")]]})
    case = {
        "lsn": L, "commit_ts": "2026-09-28T13:54:00.000", "rows": 5, "app_id": "orders", "capture_instance": "dbo_orders",
        "columns": COLUMNS, "as_of_times": ["2026-09-28T13:54:30"], "include_command_id": True,
        "source": {"keys": ["order_id"], "timeline": timeline, "min_lsn": timeline[3]["lsn"]},
        "target": str(folder / "bronze"), "facts": str(folder / "facts"), "target_text": str(folder / "bronze"),
    }
    told = {"capture_instance": "dbo_orders", "columns": COLUMNS, **case["source"]}
    source.build(folder / "source", told)
    copy = spark.range(5).selectExpr(
        "CAST(id AS INT) AS order_id", "'new' AS status", "CAST(id AS DECIMAL(10,2)) / 4 AS amount",
        "TIMESTAMP_NTZ '2026-09-28 13:54:00.123456' AS at")
    stream(spark, source.options(folder / "source", told)).seed(
        case["target"], copy.coalesce(1), L, app_id="orders", facts_table=case["facts"])
    return case


def line(table: str, commit: int, kind: str, change: Callable[[dict[str, Any]], None]) -> None:
    """Changes the actions of one kind in a commit; one that is left empty is dropped."""
    actions = _commit(table, commit)
    for action in actions:
        if kind in action:
            change(action[kind])
    _rewrite(table, commit, [a for a in actions if a.get(kind, True)])


def _path(table: str, commit: int) -> Path:
    return Path(table) / "_delta_log" / f"{commit:020d}.json"


def _commit(table: str, commit: int) -> list[dict[str, Any]]:
    return [json.loads(text) for text in _path(table, commit).read_text(encoding="utf-8").splitlines()]


def _rewrite(table: str, commit: int, actions: list[dict[str, Any]]) -> None:
    """Writes a commit anew; the checksums of the log, which would tell, are dropped."""
    _path(table, commit).write_text("".join(json.dumps(a) + "\n" for a in actions), encoding="utf-8")
    for crc in [*Path(table).glob("_delta_log/*.crc"), *Path(table).glob("_delta_log/.*.crc")]:
        crc.unlink(missing_ok=True)


def _stats(add: dict[str, Any], part: str, name: str, value: Any) -> None:
    stats = json.loads(add["stats"])
    stats[part][name] = value
    add["stats"] = json.dumps(stats)


def _field(meta: dict[str, Any], name: str, key: str, value: Any) -> None:
    schema = json.loads(meta["schemaString"])
    for field in schema["fields"]:
        if field["name"] == name:
            field[key] = value
    meta["schemaString"] = json.dumps(schema)


def _twice(case: dict[str, Any]) -> None:
    target, actions = Path(case["target"]), _commit(case["target"], 1)
    add = next(a["add"] for a in actions if "add" in a)
    shutil.copy(target / add["path"], target / "again.parquet")
    _rewrite(case["target"], 1, [*actions, {"add": {**add, "path": "again.parquet"}}])


@dataclass(frozen=True)
class Spoil:
    """A way to spoil a case, and words that one failing check's name must contain for each."""

    name: str
    do: Callable[[dict[str, Any]], Any]
    fails: tuple[str, ...]


SPOILS = [
    Spoil("another LSN is expected", lambda c: c.update(lsn="0x0000002A000001000031"), ("delta-rs", "DuckDB: rows", "Spark: rows", "history", "snapshot()")),
    Spoil("another commit time is expected", lambda c: c.update(commit_ts="2026-09-28T13:54:00.003"), ("delta-rs", "history", "by LSN")),
    Spoil("one row more is expected", lambda c: c.update(rows=6), ("delta-rs", "DuckDB: rows", "Spark: rows", "skipping", "facts: the seed's row")),
    Spoil("another instance is expected", lambda c: c.update(capture_instance="dbo_Orders"), ("delta-rs", "history")),
    Spoil("another app id is expected", lambda c: c.update(app_id="other"), ("facts: the seed's row", "facts: the transaction", "by LSN")),
    Spoil("another target name is expected", lambda c: c.update(target_text="lake.orders"), ("facts: the seed's row",)),
    Spoil("another column type is expected", lambda c: c.update(columns=COLUMNS.replace("INT", "BIGINT")), ("schema",)),
    Spoil("a time before the first commit is given", lambda c: c.update(as_of_times=["2026-09-28T13:53:30"]), ("by time",)),
    Spoil("userMetadata without the space after a colon", lambda c: line(c["target"], 1, "commitInfo", lambda a: a.update(userMetadata=a["userMetadata"].replace(": ", ":"))), ("history",)),
    Spoil("no userMetadata", lambda c: line(c["target"], 1, "commitInfo", lambda a: a.pop("userMetadata")), ("history",)),
    Spoil("numOutputRows of another count", lambda c: line(c["target"], 1, "commitInfo", lambda a: a["operationMetrics"].update(numOutputRows="4")), ("history",)),
    Spoil("a largest _start_lsn that is too small", lambda c: line(c["target"], 1, "add", lambda a: _stats(a, "maxValues", "_start_lsn", "0x0000002A000001000040")), ("Spark: skipping", "DuckDB: skipping")),
    Spoil("a largest value that is too small", lambda c: line(c["target"], 1, "add", lambda a: _stats(a, "maxValues", "order_id", -1)), ("Spark: skipping",)),
    Spoil("an older schema version", lambda c: line(c["target"], 0, "metaData", lambda a: a["configuration"].update({"mssql_cdc.schema_version": "1"})), ("table properties",)),
    Spoil("no schema version", lambda c: line(c["target"], 0, "metaData", lambda a: a["configuration"].clear()), ("table properties",)),
    Spoil("no timestampNtz feature", lambda c: line(c["target"], 0, "protocol", lambda a: (a["readerFeatures"].clear(), a["writerFeatures"].remove("timestampNtz"))), ("table properties",)),
    Spoil("a column that is not nullable", lambda c: line(c["target"], 0, "metaData", lambda a: _field(a, "_seqval", "nullable", False)), ("schema",)),
    Spoil("a captured column under another name", lambda c: line(c["target"], 0, "metaData", lambda a: _field(a, "status", "name", "state")), ("schema",)),
    Spoil("no comment on a metadata column", lambda c: line(c["target"], 0, "metaData", lambda a: _field(a, "_chunk", "metadata", {})), ("schema",)),
    Spoil("the rows stand twice", _twice, ("delta-rs", "DuckDB: rows", "Spark: rows", "skipping")),
    Spoil("the data file is gone", lambda c: [p.unlink() for p in Path(c["target"]).glob("*.parquet")], ("delta-rs", "DuckDB: rows", "Spark: rows")),
    Spoil("no seed", lambda c: (Path(c["target"]) / "_delta_log" / f"{1:020d}.json").unlink(), ("delta-rs", "history", "by LSN")),
    Spoil("the facts row has no transaction", lambda c: line(c["facts"], 1, "txn", lambda a: a.clear()), ("facts: the transaction", "by LSN")),
    Spoil("an older facts version", lambda c: line(c["facts"], 0, "metaData", lambda a: a["configuration"].update({"mssql_cdc.schema_version": "12"})), ("facts: columns", "seed() again by LSN")),
    Spoil("no facts row", lambda c: line(c["facts"], 1, "add", lambda a: a.clear()), ("facts: the seed's row",)),
]


def run(spark: Any, work: Path, tally: Tally) -> None:
    """Judges the package's own seed, then every spoiled copy of it."""
    case = own_seed(spark, work / "own")
    reader_checks.run(spark, case, tally)
    package_checks.run(spark, case, work / "whole", tally)
    for number, spoil in enumerate(SPOILS):
        folder = work / f"spoiled{number}"
        for table in ("bronze", "facts"):
            shutil.copytree(work / "own" / table, folder / table)
        copy = {**case, "target": str(folder / "bronze"), "facts": str(folder / "facts")}
        spoil.do(copy)
        found = Tally(spoil.fails)
        with contextlib.redirect_stdout(io.StringIO()):
            reader_checks.run(spark, copy, found)
            if any("(" in words or "by time" in words or "by LSN" in words for words in spoil.fails):
                package_checks.run(spark, copy, folder, found)
        missed = [words for words in spoil.fails if not any(words in name for name in found.failed)]
        if missed:
            tally.fail(f"spoiled: {spoil.name}", f"no check failed for {missed}; failed were {found.failed}")
        else:
            tally.ok(f"spoiled: {spoil.name}")
    tally.check("spoiled: readers that differ in one value", lambda: _told_apart(spark, case))
    package_checks.go_on(spark, case, work / "whole", tally)


def _told_apart(spark: Any, case: dict[str, Any]) -> None:
    rows = spark.read.format("delta").load(case["target"])
    tables = {"one": rows.toArrow(), "other": rows.withColumn("amount", rows["amount"] + (rows["order_id"] == 2).cast("int")).selectExpr(
        "* EXCEPT (amount)", "CAST(amount AS DECIMAL(10,2)) AS amount").toArrow()}
    reader_checks.agree({"one": tables["one"], "other": tables["one"]}, 2)
    try:
        reader_checks.agree(tables, 2)
    except AssertionError:
        return
    raise AssertionError("two tables that differ in one value were taken for the same")
