"""Copies whose columns can mostly be kept as bytes, in the spelling of six writers, and the values that a seed of them must hold.

A file's rows have ids of their own, so that a value that differs tells its file.
"""

from __future__ import annotations

import datetime
import random
import shutil
import sys
from collections.abc import Callable
from decimal import Decimal
from pathlib import Path
from typing import Any

import duckdb
import polars as pl
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.dataset as ds
import pyarrow.parquet as pq
from deltalake import WriterProperties, write_deltalake

sys.path.append(str(Path(__file__).resolve().parent / "writers"))
import by_parquetgo  # noqa: E402 - its folder was just added

ROWS = 2500  # of a file: more than a row group of any writer holds
GROUP = 500  # of a row group, where the writer lets one say

# Column, SQL Server's type, and Arrow's of the values that the table must hold.
COLUMNS: list[tuple[str, str, pa.DataType]] = [
    ("id", "bigint", pa.int64()), ("n", "int", pa.int32()), ("small", "smallint", pa.int16()), ("flag", "bit", pa.bool_()),
    ("price", "decimal(9,2)", pa.decimal128(9, 2)), ("amount", "decimal(18,4)", pa.decimal128(18, 4)), ("wide", "decimal(38,10)", pa.decimal128(38, 10)),
    ("ratio", "real", pa.float32()), ("weight", "float", pa.float64()), ("born", "date", pa.date32()),
    ("changed", "datetime2(6)", pa.timestamp("us")), ("seen", "datetimeoffset(6)", pa.timestamp("us", "UTC")),
    ("name", "nvarchar(100)", pa.string()), ("city", "nvarchar(40)", pa.string()), ("code", "varchar(20)", pa.string()), ("blob", "varbinary(16)", pa.binary()),
    ("never", "nvarchar(10)", pa.string()), ("big", "bigint", pa.int64()), ("kind", "bigint", pa.int64()), ("noted", "datetime2(3)", pa.timestamp("us")),
]  # fmt: skip
PARTITIONS = [("day", "date", pa.date32()), ("region", "nvarchar(20)", pa.string())]
# What a copy has for a column of another type, so that it is cast: numbers of many values and of few, and texts.
STORED = {"big": pa.int32(), "kind": pa.int32(), "noted": pa.string()}


def values(first: int, rows: int = ROWS) -> pa.Table:
    """The rows that the table must hold of a file whose ids start at first."""
    rnd = random.Random(first)
    epoch = datetime.datetime(1970, 1, 1)
    utc = epoch.replace(tzinfo=datetime.timezone.utc)
    made: dict[str, Callable[[int], Any]] = {
        "id": lambda i: i, "n": lambda i: rnd.randrange(-(2**31), 2**31), "small": lambda i: rnd.randrange(-(2**15), 2**15), "flag": lambda i: rnd.random() < 0.3,
        "price": lambda i: Decimal(rnd.randrange(-(10**9) + 1, 10**9)).scaleb(-2), "amount": lambda i: Decimal(rnd.randrange(-(10**18) + 1, 10**18)).scaleb(-4),
        "wide": lambda i: Decimal(rnd.choice((1, -1)) * rnd.randrange(10**28)) + Decimal(rnd.randrange(10**10)).scaleb(-10),
        "ratio": lambda i: rnd.choice((-0.0, 1.5, 1e-45, -3.4028234663852886e38, rnd.uniform(-9, 9))), "weight": lambda i: rnd.choice((-0.0, 5e-324, rnd.uniform(-1e9, 1e9))),
        "born": lambda i: (epoch + datetime.timedelta(days=rnd.randrange(-719162, 2932896))).date(),
        "changed": lambda i: epoch + datetime.timedelta(microseconds=rnd.randrange(-(2**45), 2**50)),
        "seen": lambda i: utc + datetime.timedelta(microseconds=rnd.randrange(-(2**45), 2**50)),
        "name": lambda i: f"row {i} Größe 😀 {rnd.randbytes(rnd.randrange(20)).hex()}", "city": lambda i: rnd.choice(("Zürich", "Łódź", "李", "", "a city")),
        "code": lambda i: f"C{i % 97:05d}", "blob": lambda i: rnd.randbytes(rnd.randrange(17)), "never": lambda i: None,
        "big": lambda i: rnd.randrange(-(2**31), 2**31), "kind": lambda i: rnd.choice((7, -1, 2**31 - 1)),
        "noted": lambda i: epoch + datetime.timedelta(milliseconds=rnd.randrange(0, 2**41)),
    }  # fmt: skip
    gaps = [name for name, _, _ in COLUMNS[1::2]]  # every other column has NULLs
    held = {name: [None if name in gaps and rnd.random() < 0.2 else made[name](i) for i in range(first, first + rows)] for name, _, _ in COLUMNS}
    return pa.table([pa.array(held[name], kind) for name, _, kind in COLUMNS], pa.schema([(name, kind) for name, _, kind in COLUMNS]))


def as_stored(rows: pa.Table) -> pa.Table:
    """The rows as the copy holds them: with STORED's types, and a column that nobody captures."""
    for name, kind in STORED.items():
        held = pc.strftime(rows[name].cast(pa.timestamp("ms")), "%Y-%m-%d %H:%M:%S") if pa.types.is_string(kind) else rows[name].cast(kind)
        rows = rows.set_column(rows.column_names.index(name), name, held)
    return rows.append_column("dropped", pa.array(["x" * 30] * rows.num_rows))


def _pyarrow(**options: Any) -> Callable[[Any, Path, pa.Table], None]:
    def write(_spark: Any, file: Path, rows: pa.Table) -> None:
        fields = [field.with_nullable(field.name != "id") for field in rows.schema]
        pq.write_table(rows.cast(pa.schema(fields)), file, row_group_size=GROUP, data_page_size=2000, write_batch_size=64, **options)

    return write


def _spark(version: str, codec: str) -> Callable[[Any, Path, pa.Table], None]:
    def write(spark: Any, file: Path, rows: pa.Table) -> None:
        out = file.parent / ".written"
        frame = spark.createDataFrame(rows).coalesce(1).write.option("parquet.block.size", 100_000).option("parquet.page.size", 4_000)
        frame = frame.option("parquet.page.row.count.limit", 200).option("parquet.block.size.row.check.min", 100).option("parquet.dictionary.page.size", 3_000)
        frame = frame.option("parquet.page.size.row.check.min", 50).option("parquet.writer.version", version).option("compression", codec)
        spark.conf.set("spark.sql.parquet.outputTimestampType", "TIMESTAMP_MICROS")
        frame.mode("overwrite").parquet(str(out))
        (made,) = out.glob("part-*.parquet")
        shutil.copyfile(made, file)
        shutil.rmtree(out)

    return write


def _duckdb(version: str, codec: str) -> Callable[[Any, Path, pa.Table], None]:
    def write(_spark: Any, file: Path, rows: pa.Table) -> None:
        with duckdb.connect() as db:
            db.execute("SET TimeZone = 'UTC'")
            db.register("held", rows)
            db.execute(f"COPY (SELECT * FROM held) TO '{file}' (FORMAT parquet, PARQUET_VERSION {version}, COMPRESSION {codec}, ROW_GROUP_SIZE 2048)")

    return write


def _deltalake(_spark: Any, file: Path, rows: pa.Table) -> None:
    table = file.parent / ".table"
    write_deltalake(str(table), rows, writer_properties=_properties("ZSTD", 1_000))
    (made,) = table.glob("*.parquet")
    shutil.move(made, file)
    shutil.rmtree(table)


def _properties(codec: str, dictionary: int) -> WriterProperties:
    return WriterProperties(compression=codec, max_row_group_size=GROUP, data_page_size_limit=4_000, dictionary_page_size_limit=dictionary, write_batch_size=100)


def _polars(_spark: Any, file: Path, rows: pa.Table) -> None:
    pl.from_arrow(rows).write_parquet(file, compression="snappy", row_group_size=GROUP, data_page_size=4_000)


def _parquetgo(which: str) -> Callable[[Any, Path, pa.Table], None]:
    def write(_spark: Any, file: Path, rows: pa.Table) -> None:
        out = file.parent / ".parquetgo-files"
        out.mkdir()
        by_parquetgo.write(out, lambda _names: rows)
        shutil.move(out / f"parquetgo-{which}.parquet", file)
        shutil.rmtree(out)

    return write


WRITERS: dict[str, Callable[[Any, Path, pa.Table], None]] = {
    "pyarrow-v1-snappy": _pyarrow(data_page_version="1.0", compression="snappy", dictionary_pagesize_limit=1000),
    "pyarrow-v2-zstd": _pyarrow(data_page_version="2.0", compression="zstd", write_page_index=True, write_page_checksum=True, dictionary_pagesize_limit=1000),
    "pyarrow-gzip": _pyarrow(data_page_version="1.0", compression="gzip", use_dictionary=False, write_page_index=True),
    "pyarrow-unknown": _pyarrow(data_page_version="2.0", compression="none", write_statistics=False),
    "spark-v1-snappy": _spark("v1", "snappy"),
    "spark-v2-zstd": _spark("v2", "zstd"),
    "duckdb-v1-snappy": _duckdb("V1", "snappy"),
    "duckdb-v2-zstd": _duckdb("V2", "zstd"),
    "deltalake-zstd": _deltalake,
    "polars-snappy": _polars,
    "parquetgo-v1-snappy": _parquetgo("v1"),
}


def folder(spark: Any, where: Path, names: list[str], rename: Callable[[str], str]) -> pa.Table:
    """A folder with a file of each named writer; the rows that its seed must hold, under the names that rename gives."""
    where.mkdir(parents=True)
    held = []
    for number, name in enumerate(names):
        rows = values(number * ROWS)
        stored = as_stored(rows)
        WRITERS[name](spark, where / f"{number:02d}-{name}.parquet", stored.rename_columns([rename(n) for n in stored.column_names]))
        held.append(rows)
    out = pa.concat_tables(held)
    return out.rename_columns([rename(n) for n in out.column_names])


def parted(rows: int = ROWS) -> pa.Table:
    """Rows with a day and a region: NULL, a text that paths have to escape, and plain ones."""
    out = values(0, rows)
    days = [None, datetime.date(2024, 2, 29), datetime.date(2026, 5, 31)]
    regions = ["a/b c%=ß", "north", None]
    out = out.append_column("day", pa.array([days[i // 7 % 3] for i in range(rows)], pa.date32()))
    return out.append_column("region", pa.array([regions[i % 3] for i in range(rows)], pa.string()))


def hive(where: Path) -> pa.Table:
    """Folders that name the values of two columns, as pyarrow writes them."""
    rows = parted()
    names = ds.partitioning(pa.schema([(name, kind) for name, _, kind in PARTITIONS]), flavor="hive")
    ds.write_dataset(as_stored(rows), where, format="parquet", partitioning=names, min_rows_per_group=50, max_rows_per_group=100)
    return rows


def delta(where: Path) -> pa.Table:
    """A Delta table of delta-rs with two partition columns."""
    rows = parted()
    write_deltalake(str(where), as_stored(rows), partition_by=[name for name, _, _ in PARTITIONS], writer_properties=_properties("SNAPPY", 4_000))
    return rows
