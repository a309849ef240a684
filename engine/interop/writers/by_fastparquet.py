"""fastparquet: pandas without Arrow. It writes converted types alone, and INT96 when asked."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import columns
import fastparquet
import pandas as pd
import pyarrow as pa

NAMES = [n for n in columns.names("bool", "i", "u", "f32", "f64", "text_", "bytes", "wall_us", "wall_ms", "wall_ns", "moment_us", "moment_ns", "d9_2") if n != "uuid"]
NANOS = [n for n in NAMES if n.endswith("_ns")]


def write(folder: Path, take: Callable[..., pa.Table]) -> None:
    for times in ("int64", "int96"):
        frame = _frame(take(NAMES if times == "int64" else NANOS))
        encoding = {n: "bytes" if n.startswith("bytes") else "utf8" if n.startswith("text_") else "decimal" for n, kind in frame.dtypes.items() if kind == object}
        fastparquet.write(str(folder / f"fastparquet-{times}.parquet"), frame, times=times, object_encoding=encoding, compression="SNAPPY", write_index=False)


def _frame(table: pa.Table) -> pd.DataFrame:
    """Integers keep their width beside NULL; texts, bytes and decimals are Python's own objects."""
    widths = {getattr(pa, n.lower())(): getattr(pd, f"{n}Dtype")() for n in ("Int8", "Int16", "Int32", "Int64", "UInt8", "UInt16", "UInt32", "UInt64")}
    widths[pa.bool_()] = pd.BooleanDtype()
    made = {}
    for name in table.column_names:
        kind = table[name].type
        if kind in widths:
            made[name] = table[name].to_pandas(types_mapper=widths.get)
        elif pa.types.is_timestamp(kind) or pa.types.is_floating(kind):
            made[name] = table[name].to_pandas()
        else:
            made[name] = pd.Series(table[name].to_pylist(), dtype=object)
    return pd.DataFrame(made)
