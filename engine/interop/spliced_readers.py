"""Readers of a spliced table: each reads it in full, value by value, and answers questions that statistics may answer for it.

`by_arrow` and `by_duckdb` read the files themselves, so that their footers alone decide; the others read the table, so that its log does too.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import duckdb
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.dataset as ds
import pyarrow.parquet as pq
import reader_checks
from deltalake import DeltaTable, QueryBuilder
from tally import same

READER = "spark.sql.parquet.enableVectorizedReader"
WHOLE = "spark.sql.codegen.wholeStage"
PARTS = "spark.sql.files.maxPartitionBytes"


def spark_sql(spark: Any, target: str, query: str) -> pa.Table:
    """What a query says of the table, which it calls held."""
    spark.read.format("delta").load(target).createOrReplaceTempView("held")
    return spark.sql(query).toArrow()


def delta_rs_sql(target: str, query: str) -> pa.Table:
    return pa.table(QueryBuilder().register("held", DeltaTable(target)).execute(query).read_all())


def duck_sql(target: str, query: str) -> pa.Table:
    return reader_checks.duck_query(target, query)


def names_in_files(target: str) -> dict[str, str]:
    """A column's name in the files, by its name in the table."""
    fields = json.loads(DeltaTable(target).schema().to_json())["fields"]
    return {f["name"]: f["metadata"].get("delta.columnMapping.physicalName", f["name"]) for f in fields}


def by_duckdb(target: str, query: str) -> pa.Table:
    """A query over the files alone: where the columns have other names there, the query is about those."""
    with duckdb.connect() as db:
        db.execute("SET TimeZone = 'UTC'")
        named = ", ".join(f'"{inner}" AS "{outer}"' for outer, inner in names_in_files(target).items())
        listed = [str(f) for f in reader_checks.files(target)]
        db.execute(f"CREATE VIEW held AS SELECT {named} FROM read_parquet({listed!r}, union_by_name = true)")
        return db.execute(query).to_arrow_table()


def by_arrow(target: str, want: pa.Table) -> pa.Table:
    names = names_in_files(target)
    read = []
    for file in reader_checks.files(target):
        held = pq.ParquetFile(file).read([names[n] for n in want.column_names])
        read.append(typed(held.select([names[n] for n in want.column_names]).rename_columns(want.column_names), want.schema))
    return pa.concat_tables(read)


def full(spark: Any, target: str, want: pa.Table) -> dict[str, Callable[[], pa.Table]]:
    """Each way to read every row of the columns that are wanted. delta-rs has two, and one of them refuses tables with column mapping."""
    names = want.column_names
    every = ", ".join(quoted(n, '"') for n in names)
    mapped = "delta.columnMapping.mode" in DeltaTable(target).metadata().configuration
    return {
        "Spark, vectorized": lambda: _spark(spark, target, names, {READER: "true", WHOLE: "true"}),
        "Spark, row by row": lambda: _spark(spark, target, names, {READER: "false"}),
        "Spark, each file in parts": lambda: _spark(spark, target, names, {READER: "true", PARTS: half_a_group(target)}),
        **({} if mapped else {"delta-rs": lambda: DeltaTable(target).to_pyarrow_table(columns=names)}),
        "delta-rs, DataFusion": lambda: delta_rs_sql(target, f"SELECT {every} FROM held"),
        "DuckDB": lambda: duck_sql(target, f"SELECT {every} FROM held"),
        "the files, by DuckDB": lambda: by_duckdb(target, f"SELECT {every} FROM held"),
        "the files, by pyarrow": lambda: by_arrow(target, want),
    }


def _spark(spark: Any, target: str, names: list[str], settings: dict[str, str]) -> pa.Table:
    before = {key: spark.conf.get(key) for key in settings}
    for key, value in settings.items():
        spark.conf.set(key, value)
    try:
        frame = spark.read.format("delta").load(target).select([quoted(n, "`") for n in names])
        if PARTS in settings:
            same("more parts than row groups", frame.rdd.getNumPartitions() > groups(target), True)
        return frame.toArrow()
    finally:
        for key, value in before.items():
            spark.conf.set(key, value)


def groups(target: str) -> int:
    return sum(pq.read_metadata(f).num_row_groups for f in reader_checks.files(target))


def half_a_group(target: str) -> str:
    """Half the bytes that a row group takes: of parts that long, most begin inside of one, and some hold none."""
    return str(sum(f.stat().st_size for f in reader_checks.files(target)) // groups(target) // 2)


def quoted(name: str, mark: str) -> str:
    return mark + name.replace(mark, mark * 2) + mark


def typed(held: pa.Table, schema: pa.Schema) -> pa.Table:
    """The columns of the schema, in its types: a reader has its own for texts, bytes and dictionaries, but no other values."""
    return pa.table([_plain(held[f.name]).cast(f.type) for f in schema], schema=schema)


def _plain(column: pa.ChunkedArray) -> pa.ChunkedArray:
    return column.cast(column.type.value_type) if pa.types.is_dictionary(column.type) else column


def equal(held: pa.Table, want: pa.Table, key: str) -> None:
    """Every value, by its bits; the first that differ are told with their keys."""
    same("rows", held.num_rows, want.num_rows)
    held = typed(held, want.schema).sort_by(key).combine_chunks()
    want = want.sort_by(key).combine_chunks()
    for name in [key, *[n for n in want.column_names if n != key]]:
        got, wanted = bits(held[name]), bits(want[name])
        if got.equals(wanted):
            continue
        ids, pairs = want[key].to_pylist(), zip(got.to_pylist(), wanted.to_pylist(), strict=True)
        wrong = [(i, a, b) for i, (a, b) in zip(ids, pairs, strict=True) if a != b]
        raise AssertionError(f"{name}: {len(wrong)} values differ, (key, got, want): {wrong[:3]!r}")


def bits(column: pa.ChunkedArray) -> pa.Array:
    """The column, floating-point numbers as the integers that have their bits, so that -0.0 is not 0.0."""
    held = column.combine_chunks() if isinstance(column, pa.ChunkedArray) else column
    held = held if isinstance(held, pa.Array) else pa.concat_arrays(held.chunks)
    return held.view({32: pa.int32(), 64: pa.int64()}[held.type.bit_width]) if pa.types.is_floating(held.type) else held


# Questions, in each engine's words.

Say = Callable[[pa.DataType, Any], str]


def spark_says(kind: pa.DataType, value: Any) -> str:
    if pa.types.is_binary(kind):
        return f"X'{value.hex()}'"
    if pa.types.is_timestamp(kind):
        return f"CAST('{value:%Y-%m-%d %H:%M:%S.%f}' AS {'TIMESTAMP' if kind.tz else 'TIMESTAMP_NTZ'})"
    return _plainly(kind, value, {"string": "STRING"})


def duck_says(kind: pa.DataType, value: Any) -> str:
    if pa.types.is_binary(kind):
        return f"from_hex('{value.hex()}')"
    if pa.types.is_timestamp(kind):
        return f"CAST('{value:%Y-%m-%d %H:%M:%S.%f}' AS {'TIMESTAMPTZ' if kind.tz else 'TIMESTAMP'})"
    return _plainly(kind, value, {"string": "VARCHAR"})


def data_fusion_says(kind: pa.DataType, value: Any) -> str:
    if pa.types.is_binary(kind):
        return f"X'{value.hex()}'"
    if pa.types.is_timestamp(kind):
        zone = 'Some("UTC")' if kind.tz else "None"
        return f"arrow_cast('{value:%Y-%m-%dT%H:%M:%S.%f}{'Z' if kind.tz else ''}', 'Timestamp(Microsecond, {zone})')"
    return _plainly(kind, value, {"string": "VARCHAR"})


def _plainly(kind: pa.DataType, value: Any, words: dict[str, str]) -> str:
    if pa.types.is_boolean(kind):
        return str(value).lower()
    if pa.types.is_decimal(kind):
        return f"CAST('{value:f}' AS DECIMAL({kind.precision},{kind.scale}))"
    spelled = {"int16": "SMALLINT", "int32": "INT", "int64": "BIGINT", "float": "FLOAT", "double": "DOUBLE", "date32[day]": "DATE", **words}
    return f"CAST('{value}' AS {spelled[str(kind)]})"


def answers(want: pa.Table, ask: Callable[[str], pa.Table], mark: str, say: Say) -> None:
    """Of every column: how many rows are NULL, how many have the least or the greatest value, which a bound that is too narrow would hide; and which those are."""
    counts, expected, bounds = [], {}, []
    for name in want.column_names:
        column, quoted_name = want[name], quoted(name, mark)
        asked = {f"{quoted_name} IS NULL": column.null_count}
        if column.null_count < len(column):
            ends = pc.min_max(column)
            least, greatest = (say(column.type, ends[end].as_py()) for end in ("min", "max"))
            there = pc.or_(pc.equal(column, ends["min"]), pc.equal(column, ends["max"]))
            asked[f"({quoted_name} = {least} OR {quoted_name} = {greatest})"] = pc.sum(there.cast(pa.int64())).as_py()
            bounds += [name] if not pa.types.is_boolean(column.type) else []
        counts += [f"SELECT {quote(condition)} AS what, count(*) AS n FROM held WHERE {condition}" for condition in asked]
        expected |= asked
    found = {row["what"]: row["n"] for row in ask(" UNION ALL ".join(counts)).to_pylist()}
    same("counts (got, want) that differ", {what: (found.get(what), n) for what, n in expected.items() if found.get(what) != n}, {})
    # Whole numbers and dates by themselves: there an engine may answer from statistics alone.
    sure = [n for n in bounds if pa.types.is_integer(want[n].type) or pa.types.is_date(want[n].type)]
    for some in filter(None, (sure, [n for n in bounds if n not in sure])):
        listed = ", ".join(f"min({quoted(n, mark)}) AS a{i}, max({quoted(n, mark)}) AS b{i}" for i, n in enumerate(some))
        got = ask(f"SELECT {listed} FROM held")
        for i, n in enumerate(some):
            ends = pc.min_max(want[n])
            same(f"least and greatest {n}", [_plain(got[f"{x}{i}"]).cast(want[n].type)[0].as_py() for x in "ab"], [ends["min"].as_py(), ends["max"].as_py()])


def quote(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"


def questions(spark: Any, target: str, want: pa.Table) -> dict[str, Callable[[], None]]:
    """The same questions to each engine."""
    return {
        "Spark": lambda: answers(want, lambda q: spark_sql(spark, target, q), "`", spark_says),
        "delta-rs, DataFusion": lambda: answers(want, lambda q: delta_rs_sql(target, q), '"', data_fusion_says),
        "DuckDB": lambda: answers(want, lambda q: duck_sql(target, q), '"', duck_says),
        "the files, by DuckDB": lambda: answers(want, lambda q: by_duckdb(target, q), '"', duck_says),
        "the files, by pyarrow": lambda: arrow_answers(target, want),
    }


def arrow_answers(target: str, want: pa.Table) -> None:
    """pyarrow filters by the footers of the files."""
    names = names_in_files(target)
    held = [ds.dataset(f, format="parquet") for f in reader_checks.files(target)]
    for name in want.column_names:
        column, inner = want[name], ds.field(names[name])
        same(f"NULLs of {name}", sum(d.count_rows(filter=inner.is_null()) for d in held), column.null_count)
        if column.null_count == len(column):
            continue
        for value in pc.min_max(column).values():
            wanted = pc.sum(pc.equal(column, value).cast(pa.int64())).as_py()
            same(f"{name} = {value!r}", sum(d.count_rows(filter=inner == value) for d in held), wanted)
