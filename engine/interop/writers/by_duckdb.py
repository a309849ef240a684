"""DuckDB: its own types, in the words of its own SQL, in both versions of pages."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import columns
import duckdb
import pyarrow as pa

# What DuckDB calls a column's type, where Arrow's is another.
TYPES = {
    "d20_0": "HUGEINT", "uuid": "UUID", "time_us": "TIME", "time_ns": "TIME_NS", "wall_s": "TIMESTAMP_S", "wall_ms": "TIMESTAMP_MS", "wall_ns": "TIMESTAMP_NS",
    "moment_us": "TIMESTAMP WITH TIME ZONE", "text_enum": "ENUM ('red', 'green', 'blue', 'true', '1')", "text_json": "JSON",
}  # fmt: skip
NAMES = [n for n in columns.names("") if n not in ("f16", "time_s", "time_ms", "moment_s", "moment_ms", "moment_ns") and not n.startswith("fixed")]


def write(folder: Path, take: Callable[..., pa.Table]) -> None:
    held = take(NAMES)
    connection = duckdb.connect()
    connection.execute("SET TimeZone = 'UTC'")
    connection.register("held", held)
    kinds = {name: TYPES.get(name.split("__")[0]) for name in held.column_names}
    listed = ", ".join(f'"{n}"' if kind is None else f'"{n}"::{kind} AS "{n}"' for n, kind in kinds.items())
    more = ", ".join([
        "CASE WHEN id = 1 THEN '0110'::BIT END AS bits", "CASE WHEN id = 1 THEN INTERVAL 90 MINUTES END AS span",
        "CASE WHEN id = 1 THEN '12:34:56.123456+02'::TIMETZ END AS time_zoned",
    ])  # fmt: skip
    connection.execute(f"CREATE TABLE held_as AS SELECT {listed}, {more} FROM held")
    floats = [f'"{n}"' for n in held.column_names if n.startswith(("f32", "f64"))]
    for name, what, options in (
        ("v1", "*", "PARQUET_VERSION V1, COMPRESSION snappy"),
        ("v2", f"* EXCLUDE ({', '.join(floats)})", "PARQUET_VERSION V2, COMPRESSION zstd"),
        ("v2-floats", f"id, {', '.join(floats)}", "PARQUET_VERSION V2, COMPRESSION zstd"),  # it splits their bytes into streams
    ):
        connection.execute(f"COPY (SELECT {what} FROM held_as) TO '{folder / f'duckdb-{name}.parquet'}' (FORMAT parquet, {options})")
    connection.close()
