"""Checks by mssql-cdc-pyspark, on a source of its own that is built from the case's description."""

from __future__ import annotations

from datetime import datetime, timezone
from pathlib import Path
from typing import Any

from mssql_cdc import stream

import logs
import source
from tally import Tally, same


def run(spark: Any, case: dict[str, Any], work: Path, tally: Tally) -> None:
    """The package finds the seed, and its own seed() takes it for the one it would have written."""
    told = {"capture_instance": case["capture_instance"], "columns": case["columns"], **case["source"]}
    folder = work / "source"
    if folder.exists():
        raise AssertionError(f"{folder} is not new")
    source.build(folder, told)
    extra = {} if case["include_command_id"] else {"includeCommandId": "false"}
    jobs = stream(spark, source.options(folder, told, extra))
    want = {"lsn": case["lsn"], "commit_ts": case["commit_ts"]}
    keep = {"app_id": case["app_id"], "facts_table": case["facts"]} if case["facts"] else {}
    # A row of nothing: a seed() that wrongly writes it changes the table.
    copy = spark.createDataFrame([tuple(None for _ in spark_names(spark, case))], case["columns"])

    def unchanged(name: str, call: Any) -> None:
        def body() -> None:
            before = {t: logs.listing(Path(case[t])) for t in ("target", "facts") if case[t]}
            same("answer", dict(call()), want)
            after = {t: logs.listing(Path(case[t])) for t in ("target", "facts") if case[t]}
            same("files", {t: sorted(set(after[t].items()) ^ set(before[t].items())) for t in after}, {t: [] for t in after})

        tally.check(name, body)

    unchanged("package: snapshot() returns the seed", lambda: jobs.snapshot(case["target"], **keep))
    unchanged("package: seed() again by LSN writes nothing", lambda: jobs.seed(case["target"], copy, case["lsn"], **keep))
    for text in case.get("as_of_times", []):
        at = datetime.fromisoformat(text)
        at = at.astimezone(timezone.utc).replace(tzinfo=None) if at.tzinfo else at
        unchanged(f"package: seed() again by time {text} writes nothing", lambda at=at: jobs.seed(case["target"], copy, at, **keep))
    if case["facts"]:
        unchanged("package: reseed=True at the same LSN writes nothing",
                  lambda: jobs.seed(case["target"], copy, case["lsn"], reseed=True, **keep))


def spark_names(spark: Any, case: dict[str, Any]) -> list[str]:
    return spark.createDataFrame([], case["columns"]).columns


def go_on(spark: Any, case: dict[str, Any], work: Path, tally: Tally) -> None:
    """The package's stream starts from the seed and reads each later change once."""
    told = {"capture_instance": case["capture_instance"], "columns": case["columns"], **case["source"]}
    jobs = stream(spark, source.options(work / "source", told))
    changes = [e for e in told["timeline"] if e["lsn"] > case["lsn"] for _ in e.get("changes", [])]
    df = spark.read.format("delta")

    def body() -> None:
        same("changes after L in the description", bool(changes), True)
        query = jobs.to_delta(
            case["target"], case["app_id"], str(work / "checkpoint"), case["facts"],
            trigger={"availableNow": True}, bootstrap=True,
        )
        query.awaitTermination()
        rows = df.load(case["target"])
        same("snapshot rows", rows.where("_operation = 0").count(), case["rows"])
        same("changes after L", rows.where("_operation <> 0").count(), len(changes))
        same("changes at or before L", rows.where(f"_operation <> 0 AND _start_lsn <= '{case['lsn']}'").count(), 0)
        events = df.load(case["facts"]).where("event IS NOT NULL").collect()
        same("events", [(e["event"], e["max_lsn"]) for e in events], [("bootstrap", case["lsn"])])

    tally.check("package: the stream goes on from the seed", body)
    tally.check("package: nothing is left to back fill", lambda: same(
        "state", jobs.backfill(case["target"], app_id=case["app_id"], facts_table=case["facts"])["state"], "no_snapshot"))
