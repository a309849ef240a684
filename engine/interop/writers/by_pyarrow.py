"""pyarrow: every logical type that Parquet has, in both versions of pages, all encodings and what older options write."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import columns
import pyarrow as pa
import pyarrow.parquet as pq

Take = Callable[..., pa.Table]

# Version 1.0 of the format has no nanoseconds and no timestamps in seconds: they would not be what their names say.
V1 = [n for n in columns.names("") if not n.endswith(("_ns", "_s"))]
ENCODED = {
    "DELTA_BINARY_PACKED": ["i8", "i16", "i32", "i64", "u8", "u16", "u32", "u64", "date", "wall_us", "moment_us", "time_us"],
    "DELTA_LENGTH_BYTE_ARRAY": ["bytes", "text_plain", "text_int", "text_stamp"],
    "DELTA_BYTE_ARRAY": ["text_number", "text_date", "text_guid"],
    "RLE": ["bool"],
}
FIXED = ["uuid", "fixed16", "d38_10"]
SPLIT = ["f16", "f32", "f64", "i32", "i64", "d9_2", "d38_10"]


def write(folder: Path, take: Take) -> None:
    everything = take(columns.names(""))
    pq.write_table(take(V1), folder / "pyarrow-v1.parquet", version="1.0", data_page_version="1.0", store_schema=False)
    pq.write_table(
        everything, folder / "pyarrow-v2.parquet", version="2.6", data_page_version="2.0", compression="zstd", row_group_size=24,
        write_page_index=True, write_page_checksum=True, data_page_size=128,
    )  # fmt: skip
    for name, encodings in (("encodings", ENCODED), ("fixed-deltas", {"DELTA_BYTE_ARRAY": FIXED}), ("byte-stream-split", {"BYTE_STREAM_SPLIT": SPLIT})):
        encoded = take([n for names in encodings.values() for n in names])
        chosen = {n: encoding for n in encoded.column_names for encoding, names in encodings.items() if n.split("__")[0] in names}
        pq.write_table(encoded, folder / f"pyarrow-{name}.parquet", use_dictionary=False, column_encoding=chosen, compression="gzip")
    pq.write_table(
        take(["wall_us", "moment_us", "wall_ns", "moment_ns", "date"]), folder / "pyarrow-int96.parquet", use_deprecated_int96_timestamps=True,
    )  # fmt: skip
    pq.write_table(_nested(), folder / "pyarrow-nested.parquet", row_group_size=2)
    pq.write_table(_wide(take), folder / "pyarrow-wide.parquet", store_decimal_as_integer=True, compression="none", write_statistics=False)


def _wide(take: Take) -> pa.Table:
    """Arrow's other shapes of the same types: large, view and dictionary texts, decimals of other widths, JSON, fields that are REQUIRED."""
    texts = take(["bytes", "text_plain", "text_int", "text_enum", "text_json", "d4_1", "d9_2", "d18_4", "date", "u8"])
    shapes = {
        "bytes": pa.large_binary(), "text_plain": pa.large_string(), "text_int": pa.string_view(), "text_enum": pa.dictionary(pa.int8(), pa.string()),
        "d4_1": pa.decimal32(4, 1), "d9_2": pa.decimal64(9, 2), "d18_4": pa.decimal256(18, 4), "date": pa.date64(),
    }  # fmt: skip
    kinds = {name: shapes[name.split("__")[0]] for name in texts.column_names if name.split("__")[0] in shapes}
    wide = columns.recast(texts, kinds)
    for place, name in enumerate(wide.column_names):
        if name.startswith("text_json"):
            stored = pa.chunked_array([pa.ExtensionArray.from_storage(pa.json_(), c) for c in wide[name].chunks])
            wide = wide.set_column(place, name, stored)
    fields = [field.with_nullable(False) if field.name == "id" else field for field in wide.schema]
    return wide.cast(pa.schema(fields))


def _nested() -> pa.Table:
    """What no table of SQL Server has: lists, maps and structs beside the id."""
    return pa.table({
        "id": pa.array([0, 1, 2, 3], pa.int32()),
        "list": pa.array([None, [], [1, None], [2, 3]], pa.list_(pa.int64())),
        "map": pa.array([None, [], [("a", 1)], [("b", None), ("c", 2)]], pa.map_(pa.string(), pa.int32())),
        "struct": pa.array([None, {"x": None, "y": "a"}, {"x": 1.5, "y": None}, {"x": -0.0, "y": ""}], pa.struct([("x", pa.float64()), ("y", pa.string())])),
    })
