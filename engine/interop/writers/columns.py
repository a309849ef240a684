"""The columns of values.py as Arrow arrays, each with the name of what it holds; every writer takes those that it can write."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pyarrow as pa
import values as v

# Names say the type, then what is special. Those with `beyond` hold values that SQL Server has none for.
_KINDS: dict[str, tuple[pa.DataType, list[Any]]] = {
    "bool": (pa.bool_(), [True, False]),
    **{f"i{bits}": (getattr(pa, f"int{bits}")(), v.whole(bits)) for bits in (8, 16, 32, 64)},
    **{f"u{bits}": (getattr(pa, f"uint{bits}")(), v.whole(bits, signed=False)) for bits in (8, 16, 32, 64)},
    "f16": (pa.float16(), v.HALVES),
    "f32": (pa.float32(), v.SINGLES),
    "f64": (pa.float64(), v.DOUBLES),
    **{f"d{p}_{s}": (pa.decimal128(p, s), held) for (p, s), held in v.DECIMALS.items()},
    "date": (pa.date32(), v.DATES),
    "date_beyond": (pa.date32(), v.DATES_BEYOND),
    "time_s": (pa.time32("s"), v.CLOCKS_S),
    "time_ms": (pa.time32("ms"), v.CLOCKS_MS),
    "time_us": (pa.time64("us"), v.CLOCKS_US),
    "time_ns": (pa.time64("ns"), v.CLOCKS_NS),
    **{f"wall_{unit}": (pa.timestamp(unit), held) for unit, held in (("s", v.STAMPS_S), ("ms", v.STAMPS_MS), ("us", v.STAMPS_US), ("ns", v.STAMPS_NS))},
    **{f"moment_{unit}": (pa.timestamp(unit, "UTC"), held) for unit, held in (("s", v.STAMPS_S), ("ms", v.STAMPS_MS), ("us", v.STAMPS_US), ("ns", v.STAMPS_NS))},
    "wall_us_beyond": (pa.timestamp("us"), v.STAMPS_BEYOND_US),
    "moment_us_beyond": (pa.timestamp("us", "UTC"), v.STAMPS_BEYOND_US),
    "bytes": (pa.binary(), v.BYTES),
    **{f"fixed{n}": (pa.binary(n), held) for n, held in v.FIXED.items()},
    "uuid": (pa.uuid(), v.UUIDS),
    **{f"text_{kind}": (pa.string(), held) for kind, held in v.TEXTS.items()},
}

ROWS = 2 + max(len(held) for _, held in _KINDS.values())


def names(*starts: str) -> list[str]:
    """The columns whose names begin with one of the words, in order."""
    return [name for name in _KINDS if name.startswith(starts)]


def table(wanted: Iterable[str] | None = None) -> pa.Table:
    """The wanted columns, or all, beside `id`, which numbers the rows: a NULL first, the values, then NULL to the end."""
    built: dict[str, pa.Array] = {"id": pa.array(range(ROWS), pa.int32())}
    for name in _KINDS if wanted is None else wanted:
        kind, held = _KINDS[name]
        built[name] = _array(kind, [None, *held, *[None] * (ROWS - 1 - len(held))])
    return pa.table(built)


def _array(kind: pa.DataType, held: list[Any]) -> pa.Array:
    """Counts of days or of a unit become what they count."""
    if isinstance(kind, pa.UuidType):
        return pa.ExtensionArray.from_storage(kind, pa.array(held, kind.storage_type))
    if pa.types.is_timestamp(kind) or pa.types.is_time64(kind):
        return pa.array(held, pa.int64()).cast(kind)
    if pa.types.is_date32(kind) or pa.types.is_time32(kind):
        return pa.array(held, pa.int32()).cast(kind)
    return pa.array(held, kind)


def recast(table: pa.Table, kinds: dict[str, pa.DataType]) -> pa.Table:
    """The table with some columns in other Arrow types that hold the same values."""
    for name, kind in kinds.items():
        place = table.column_names.index(name)
        table = table.set_column(place, name, table[name].cast(kind))
    return table


def repeated(table: pa.Table, times: dict[str, int]) -> pa.Table:
    """The table with more copies of columns, named NAME__2, NAME__3 and so on, so that one file tries many targets."""
    for name in table.column_names[1:]:
        for number in range(2, times.get(name, 1) + 1):
            table = table.append_column(f"{name}__{number}", table[name])
    return table
