"""What Spark makes of a file: its own cast of each column that it can read, with ANSI off and as try_cast, in a session whose zone is UTC."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
from pyspark.sql.types import StructType


# Files that Spark's vectorized reader fails on, so that its other one reads them: it has no BYTE_STREAM_SPLIT, and no
# decimals of few digits that are stored as variable bytes.
BY_ROWS = ("-byte-stream-split", "-floats", "-old")


def readable(spark: Any, file: Path) -> tuple[StructType, dict[str, str]]:
    """The columns that Spark has a type for, by its own inference, and the others with what it says of them."""
    jvm = spark._jvm
    path = jvm.org.apache.hadoop.fs.Path(str(file))
    opened = jvm.org.apache.parquet.hadoop.ParquetFileReader.open(jvm.org.apache.parquet.hadoop.util.HadoopInputFile.fromPath(path, spark._jsc.hadoopConfiguration()))
    fields = list(opened.getFileMetaData().getSchema().getFields())
    opened.close()
    converter = jvm.org.apache.spark.sql.execution.datasources.parquet.ParquetToSparkSchemaConverter(spark._jsparkSession.sessionState().conf())
    schema, other = StructType(), {}
    for found in fields:
        one = spark.sparkContext._gateway.new_array(jvm.org.apache.parquet.schema.Type, 1)
        one[0] = found
        try:
            schema = StructType([*schema.fields, *StructType.fromJson(json.loads(converter.convert(jvm.org.apache.parquet.schema.MessageType("one", one)).json())).fields])
        except Exception as e:  # what it has no type for is its answer
            other[found.getName()] = str(e).splitlines()[0]
    return schema, other


def casts(spark: Any, file: Path, schema: StructType, wanted: list[tuple[str, str]]) -> pa.Table:
    """For each wanted column and Spark type the columns `try:N` and `cast:N`, of those Spark has; beside them `raw:COLUMN`, the value itself."""
    spark.conf.set("spark.sql.parquet.enableVectorizedReader", str(not file.stem.endswith(BY_ROWS)).lower())
    frame = spark.read.schema(schema).parquet(str(file))
    jvm = spark._jvm.org.apache.spark.sql
    rule = jvm.catalyst.expressions.Cast
    kinds = {field.name: jvm.types.DataType.fromDDL(field.dataType.simpleString()) for field in schema.fields}
    sides = {kind: jvm.types.DataType.fromDDL(kind) for _, kind in wanted}
    listed = ["id"] + [f"`{name}` AS `raw:{name}`" for name in dict.fromkeys(name for name, _ in wanted)]
    listed += [f"try_cast(`{name}` AS {kind}) AS `try:{n}`" for n, (name, kind) in enumerate(wanted) if rule.canTryCast(kinds[name], sides[kind])]
    listed += [f"CAST(`{name}` AS {kind}) AS `cast:{n}`" for n, (name, kind) in enumerate(wanted) if rule.canCast(kinds[name], sides[kind])]
    return frame.selectExpr(listed).toArrow().sort_by("id")


def twin(file: Path, names: list[str], work: Path) -> Path:
    """A file with the columns that Spark cannot read, in the nearest type that it can: halves in four bytes, finer times cut to microseconds."""
    held = pq.ParquetFile(file).read(["id", *names])
    for place, name in enumerate(held.column_names):
        kind = held[name].type
        if isinstance(kind, pa.UuidType):
            held = held.set_column(place, name, pa.chunked_array([c.storage.cast(pa.binary()) for c in held[name].chunks]))
        elif kind == pa.float16():
            held = held.set_column(place, name, held[name].cast(pa.float32()))
        elif pa.types.is_time(kind):
            held = held.set_column(place, name, held[name].cast(pa.time64("us"), safe=False))
        elif pa.types.is_timestamp(kind):
            held = held.set_column(place, name, _cut(held[name]))
    out = work / file.name
    pq.write_table(held, out)
    return out


def _cut(column: pa.ChunkedArray) -> pa.ChunkedArray:
    """Microseconds of nanoseconds, toward the past."""
    counts = [None if v is None else v // 1_000 for v in column.cast(pa.int64()).to_pylist()]
    return pa.chunked_array([pa.array(counts, pa.int64()).cast(pa.timestamp("us", column.type.tz))])


def plain(column: pa.ChunkedArray) -> list[Any]:
    """Values that compare: times as counts of microseconds, dates of days, texts as their bytes."""
    kind = column.type
    if pa.types.is_timestamp(kind):
        return column.cast(pa.timestamp("us", kind.tz)).cast(pa.int64()).to_pylist()
    if pa.types.is_date32(kind):
        return column.cast(pa.int32()).to_pylist()
    if pa.types.is_string(kind) or pa.types.is_large_string(kind):
        return column.cast(pa.large_binary()).to_pylist()
    if pa.types.is_time64(kind):
        return column.cast(pa.int64()).to_pylist()
    return column.to_pylist()


GROUPS = {"boolean": "boolean", "date": "date", "binary": "bytes", "string": "text", "float": "float", "double": "double", "timestamp": "timestamp UTC", "timestamp_ntz": "timestamp"}


def group(base: str, kind: str, twin: bool) -> str:
    """The group of types that differences.json names: what Spark reads, and of what it cannot read, what the file holds."""
    if twin:
        for start, name in (("f16", "float16"), ("uuid", "uuid"), ("time", "time"), ("wall", "timestamp"), ("moment", "timestamp UTC")):
            if base.startswith(start):
                return name
    if base.startswith("u") and base != "uuid" or kind in ("tinyint", "smallint", "int", "bigint"):
        return "integer"
    return "decimal" if kind.startswith("decimal") else "time" if kind.startswith("time(") else GROUPS[kind]


def unreadable(base: str) -> str:
    """What kind of column it is that Spark has no type for."""
    return "any column" if base in ("f16", "uuid") else "counts of seconds or milliseconds, of nanoseconds, or of UTC" if base.startswith("time") else "counts of nanoseconds"


def sources(column: pa.ChunkedArray) -> list[Any]:
    """A column's values as kinds.py takes them: times in nanoseconds."""
    kind = column.type
    if isinstance(kind, pa.UuidType):
        return pa.chunked_array([c.storage for c in column.chunks]).to_pylist()
    if pa.types.is_timestamp(kind) or pa.types.is_time(kind):
        unit = {"s": 10**9, "ms": 10**6, "us": 10**3, "ns": 1}[kind.unit]
        return [None if v is None else v * unit for v in column.cast(pa.int64() if kind.bit_width == 64 else pa.int32()).to_pylist()]
    if pa.types.is_date32(kind):
        return [None if v is None else v * 86_400 * 10**9 for v in column.cast(pa.int32()).to_pylist()]
    return plain(column)
