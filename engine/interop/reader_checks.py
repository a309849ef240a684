"""Checks that need no source: what delta-rs, DuckDB and Spark read in the target and the facts table."""

from __future__ import annotations

import hashlib
import json
from datetime import datetime
from pathlib import Path
from typing import Any

import duckdb
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
from deltalake import DeltaTable
from duckdb_extension_delta import __file__ as extension_module
from pyspark.sql.types import StructType

from tally import Tally, same

BRONZE_VERSION, FACTS_VERSION = "2", "14"
LEADING = ["_capture_instance", "_start_lsn", "_seqval", "_operation", "_command_id", "_commit_ts"]
TRAILING = ["_batch_id", "_snapshot", "_chunk"]
TYPES = {
    "_capture_instance": "string", "_start_lsn": "string", "_seqval": "string", "_operation": "integer",
    "_command_id": "integer", "_commit_ts": "timestamp_ntz", "_batch_id": "integer", "_snapshot": "string",
    "_chunk": "integer",
}
SMALL = 20_000  # rows up to which readers are compared value by value


def run(spark: Any, case: dict[str, Any], tally: Tally) -> None:
    """All checks of this page."""
    readers = {
        "delta-rs": lambda: seed_rows(DeltaTable(case["target"]).to_pyarrow_table(), case),
        "DuckDB": lambda: seed_rows(duck(case["target"]), case),
        "Spark": lambda: seed_rows(spark.read.format("delta").load(case["target"]).toArrow(), case),
    }
    tables: dict[str, pa.Table] = {}
    for name, read in readers.items():
        tally.check(f"{name}: rows and stamps", lambda name=name, read=read: stamps(tables.setdefault(name, read()), case))
    tally.check("all three read the same values", lambda: agree(tables, len(readers)))
    tally.check("Spark: skipping by statistics loses nothing", lambda: skipping(spark, case))
    tally.check("DuckDB: skipping by statistics loses nothing", lambda: duck_skipping(case))
    tally.check("schema", lambda: schema(case))
    tally.check("table properties and protocol", lambda: properties(case["target"], BRONZE_VERSION))
    tally.check("history", lambda: history(spark, case))
    if case["facts"]:
        tally.check("facts: columns, properties and protocol", lambda: facts_table(case))
        tally.check("facts: the seed's row", lambda: facts_row(spark, case))
        tally.check("facts: the transaction", lambda: same(
            "version", DeltaTable(case["facts"]).transaction_version(case["app_id"] + "#events"), 0))


def duck(target: str, where: str = "true") -> pa.Table:
    """What DuckDB reads of the table."""
    return duck_query(target, f"SELECT * FROM held WHERE {where}")


def duck_query(target: str, query: str) -> pa.Table:
    """What DuckDB's delta extension, the one from the Python wheel, answers to a query about the table, which it calls held."""
    con = duckdb.connect(config={"allow_unsigned_extensions": "false"})
    found = sorted(Path(extension_module).parent.rglob("delta.duckdb_extension*"))
    if not found:
        raise AssertionError("the wheel duckdb-extension-delta holds no extension")
    con.execute(f"LOAD '{found[0]}'")
    con.execute("SET TimeZone = 'UTC'")
    quoted = target.replace("'", "''")
    con.execute(f"CREATE VIEW held AS SELECT * FROM delta_scan('{quoted}')")
    return con.execute(query).to_arrow_table()


def files(target: str) -> list[Path]:
    """The table's data files."""
    return [Path(uri.removeprefix("file://")) for uri in DeltaTable(target).file_uris()]


def not_spliced(target: str) -> list[str]:
    """Names of the table's files without the key that splicing leaves in a footer, and writing anew does not."""
    return [f.name for f in files(target) if b"cdcseed.stats" not in (pq.read_metadata(f).metadata or {})]


def seed_rows(table: pa.Table, case: dict[str, Any]) -> pa.Table:
    keep = pc.and_(pc.equal(table["_operation"], 0), pc.equal(table["_start_lsn"], case["lsn"]))
    return table.filter(keep)


def stamps(rows: pa.Table, case: dict[str, Any]) -> None:
    same("rows", rows.num_rows, case["rows"])
    commit = datetime.fromisoformat(case["commit_ts"]) if case["commit_ts"] else None
    want = {
        "_capture_instance": case["capture_instance"], "_start_lsn": case["lsn"], "_operation": 0, "_commit_ts": commit,
        "_snapshot": case["lsn"], "_seqval": None, "_batch_id": None, "_chunk": None,
    }
    if case["include_command_id"]:
        want["_command_id"] = None
    for name, value in want.items():
        same(f"values of {name}", set(pc.unique(rows[name]).to_pylist()), {value})


def agree(tables: dict[str, pa.Table], wanted: int) -> None:
    same("readers that read the rows", len(tables), wanted)
    digests = {name: digest(table) for name, table in tables.items()}
    if len(set(digests.values())) != 1:
        raise AssertionError(f"digests differ: {digests}")


def digest(table: pa.Table) -> str:
    """One text for what a reader read, whatever the order of rows, and how it spells types in Arrow."""
    columns = [plain(table[name]) for name in sorted(table.column_names)]
    if table.num_rows <= SMALL:
        parts = sorted(map(repr, zip(*(c.to_pylist() for c in columns), strict=True)))
    else:
        parts = [repr((c.null_count, pc.count_distinct(c).as_py(), pc.min_max(c).as_py())) for c in columns]
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()[:16]


def plain(column: pa.ChunkedArray) -> pa.ChunkedArray:
    if pa.types.is_timestamp(column.type):
        return column.cast(pa.timestamp("us", "UTC" if column.type.tz else None))
    if pa.types.is_large_string(column.type) or pa.types.is_string_view(column.type):
        return column.cast(pa.string())
    if pa.types.is_large_binary(column.type) or pa.types.is_binary_view(column.type):
        return column.cast(pa.binary())
    return column


def skipping(spark: Any, case: dict[str, Any]) -> None:
    df = spark.read.format("delta").load(case["target"])
    found = df.where(f"_operation = 0 AND _start_lsn = '{case['lsn']}' AND _snapshot = '{case['lsn']}'").count()
    same("rows at L", found, case["rows"])
    for field in StructType.fromDDL(case["columns"]):
        for row in df.where("_operation = 0").select(field.name).dropna().limit(3).collect():
            if df.where(df[field.name] == row[0]).limit(1).count() == 0 and row[0] == row[0]:
                raise AssertionError(f"a value of {field.name} that is there is not found again: {row[0]!r}")


def duck_skipping(case: dict[str, Any]) -> None:
    found = duck(case["target"], f"_operation = 0 AND _start_lsn = '{case['lsn']}'").num_rows
    same("rows at L", found, case["rows"])


def fields(target: str) -> list[dict[str, Any]]:
    return json.loads(DeltaTable(target).schema().to_json())["fields"]


def schema(case: dict[str, Any]) -> None:
    """Metadata around the captured columns; captured ones that an older table got later follow _chunk."""
    found = fields(case["target"])
    leading = [n for n in LEADING if n != "_command_id" or case["include_command_id"]]
    names = [f["name"] for f in found]
    same("first columns", names[: len(leading)], leading)
    at = names.index("_batch_id")
    same("metadata after the captured columns", names[at : at + 3], TRAILING)
    want = {f.name: json.loads(f.dataType.json()) for f in StructType.fromDDL(case["columns"])}
    captured = {f["name"]: f["type"] for f in found if f["name"] not in TYPES}
    same("captured columns", captured, want)
    same("types of metadata columns", {f["name"]: f["type"] for f in found if f["name"] in TYPES},
         {n: TYPES[n] for n in names if n in TYPES})
    same("columns that are not nullable", [f["name"] for f in found if not f["nullable"]], [])
    same("metadata columns without a comment", [f["name"] for f in found if f["name"] in TYPES and not f["metadata"].get("comment")], [])


def properties(table: str, version: str) -> None:
    meta, protocol = DeltaTable(table).metadata(), DeltaTable(table).protocol()
    same("schema version", meta.configuration.get("mssql_cdc.schema_version"), version)
    same("partition columns", meta.partition_columns, [])
    if "timestampNtz" not in (protocol.reader_features or []) or "timestampNtz" not in (protocol.writer_features or []):
        raise AssertionError(f"timestampNtz is missing in {protocol}")


def history(spark: Any, case: dict[str, Any]) -> None:
    tag = json.dumps({"seed": case["capture_instance"], "lsn": case["lsn"], "commit_ts": case["commit_ts"]})
    rows = [r for r in spark.sql(f"DESCRIBE HISTORY delta.`{case['target']}`").collect() if r["userMetadata"] == tag]
    same("commits with the seed's userMetadata", len(rows), 1)
    same("operation", rows[0]["operation"], "WRITE")
    same("mode", rows[0]["operationParameters"].get("mode"), "Append")
    same("blind append", rows[0]["isBlindAppend"], True)
    same("numOutputRows", rows[0]["operationMetrics"].get("numOutputRows"), str(case["rows"]))


def facts_table(case: dict[str, Any]) -> None:
    from mssql_cdc.sink import FACTS_COLUMNS

    want = [n for n, _, _ in FACTS_COLUMNS]
    same("columns", [f["name"] for f in fields(case["facts"])], want)
    same("columns without a comment", [f["name"] for f in fields(case["facts"]) if not f["metadata"].get("comment")], [])
    properties(case["facts"], FACTS_VERSION)


def facts_row(spark: Any, case: dict[str, Any]) -> None:
    df = spark.read.format("delta").load(case["facts"])
    found = df.where((df["app_id"] == case["app_id"]) & df["event"].isNotNull()).collect()
    same("event rows", len(found), 1)
    row = found[0].asDict()
    commit = datetime.fromisoformat(case["commit_ts"]) if case["commit_ts"] else None
    want = {
        "app_id": case["app_id"], "batch_id": None, "event": "bootstrap", "target": case["target_text"],
        "min_lsn": case["lsn"], "max_lsn": case["lsn"], "end_lsn": case["lsn"],
        "min_commit_ts": commit, "max_commit_ts": commit, "end_commit_ts": commit,
        "deletes": 0, "inserts": 0, "updates": 0, "detail": None,
    }
    same("values", {k: row[k] for k in want}, want)
    wrote = row["rows"] is not None  # a row that a rerun offered knows neither rows nor times
    same("rows", row["rows"], case["rows"] if wrote else None)
    same("started_at and duration_ms are known", (row["started_at"] is not None, row["duration_ms"] is not None), (wrote, wrote))
    same("written_at is known", row["written_at"] is not None, True)
    rest = set(row) - set(want) - {"rows", "started_at", "duration_ms", "written_at"}
    same("other columns", {k: row[k] for k in sorted(rest) if row[k] is not None}, {})
