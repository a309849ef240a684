"""Copies of the worlds' tables, as loading tools leave them: one Parquet file each, so that both seeds write one file."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date, datetime, timezone
from decimal import Decimal
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
from mssql_cdc import stream

LOCAL, INSTANT = pa.timestamp("us"), pa.timestamp("us", "UTC")
Columns = dict[str, tuple[pa.DataType, list[Any]]]

# Rows as dbo.Item of worlds/shop.json held them about its commit 0x50.
ITEM: Columns = {
    "ItemId": (pa.int32(), [1, 2, 3, 4]),
    "Name": (pa.string(), ["ONE", "two", "drei ß", "four"]),
    "Price": (pa.decimal128(10, 2), [Decimal("1.10"), Decimal("2.20"), Decimal("-3.30"), Decimal("4.40")]),
    "Changed": (LOCAL, [datetime(2026, 5, 31, 10, 0, 0, 123456), None, None, None]),
}


def table(columns: Columns) -> pa.Table:
    return pa.table({name: pa.array(values, type=kind) for name, (kind, values) in columns.items()})


def item_as_told(names: dict[str, str], more: Columns | None = None, without: tuple[str, ...] = ()) -> pa.Table:
    """The item rows under other names, with more columns, without some."""
    kept = {names.get(name, name): column for name, column in ITEM.items() if name not in without}
    return table({**(more or {}), **kept})


def named() -> pa.Table:
    return table({
        "Named Id": (pa.int32(), [1, 2]),
        "Unit Price": (pa.decimal128(10, 2), [Decimal("2.50"), None]),
        "a,b;{c}(d)=": (pa.string(), ["text", None]),
        "Größe": (pa.string(), ["XL", None]),
        "with`tick": (pa.bool_(), [True, None]),
        "dotted.name": (pa.int64(), [9, None]),
    })


def pair() -> pa.Table:
    return table({
        "PairId": (pa.int32(), [1, 2, 3]),
        "A": (pa.string(), ["a", None, "c"]),
        "B": (pa.int32(), [11, None, 33]),
        "C": (pa.date32(), [date(2026, 5, 31), None, None]),
    })


def sums() -> pa.Table:
    return table({
        "SumId": (pa.int32(), [1, 2]),
        "Quantity": (pa.int32(), [2, 3]),
        "Price": (pa.decimal128(9, 2), [Decimal("1.50"), Decimal("10.00")]),
        "Total": (pa.decimal128(20, 2), [Decimal("3.00"), Decimal("30.00")]),
        "Note": (pa.string(), [None, "x"]),
    })


def other_types() -> pa.Table:
    """Every type of the type table as some loading tool spells it: values that no cast changes, and NULLs."""
    d, f = Decimal, pa.decimal128
    guid = "6F9619FF-8B86-D011-B42D-00C04FC964FF"
    rows: Columns = {
        "Id": (pa.int64(), [1, 2, 3]),
        "Bit": (pa.bool_(), [True, False, None]),
        "Tinyint": (pa.uint8(), [0, 255, None]),
        "Smallint": (pa.int32(), [-32768, 32767, None]),
        "Int": (pa.int64(), [-(2**31), 2**31 - 1, None]),
        "Bigint": (pa.int64(), [-(2**63), 2**63 - 1, None]),
        "Real": (pa.float32(), [1.5, -3.4028234663852886e38, None]),
        "Float": (pa.float32(), [1.5, -0.25, None]),
        "Decimal38": (f(38, 10), [d("-9999999999999999999999999999.9999999999"), d("0.0000000001"), None]),
        "Numeric5": (f(9, 2), [d("-999.99"), d("999.99"), None]),
        "Money": (f(38, 4), [d("-922337203685477.5808"), d("922337203685477.5807"), None]),
        "Smallmoney": (f(10, 4), [d("-214748.3648"), d("0.0001"), None]),
        "Date": (pa.date32(), [date(1, 1, 1), date(9999, 12, 31), None]),
        "Datetime": (LOCAL, [datetime(1753, 1, 1), datetime(9999, 12, 31, 23, 59, 59, 997000), None]),
        "Datetime2of0": (pa.timestamp("ms"), [datetime(1969, 12, 31, 23, 59, 59), datetime(2026, 6, 1), None]),
        "Datetime2of3": (pa.timestamp("ms"), [datetime(2026, 6, 1, 12, 34, 56, 7000), datetime(1, 1, 1), None]),
        "Datetime2of7": (LOCAL, [datetime(1969, 12, 31, 23, 59, 59, 999999), datetime(9999, 12, 31, 23, 59, 59, 999999), None]),
        "Smalldatetime": (LOCAL, [datetime(1900, 1, 1), datetime(2079, 6, 6, 23, 59), None]),
        "Datetimeoffset": (INSTANT, [datetime(2026, 6, 1, 7, 4, 56, 123456, timezone.utc), datetime(1969, 12, 31, 23, 59, 59, 999999, timezone.utc), None]),
        "Datetimeoffset0": (INSTANT, [datetime(1, 1, 1, tzinfo=timezone.utc), datetime(9999, 12, 31, 23, 59, 59, tzinfo=timezone.utc), None]),
        "Time0": (pa.string(), ["00:00:00", "23:59:59", None]),
        "Time3": (pa.string(), ["12:34:56.007", "23:59:59.999", None]),
        "Time7": (pa.string(), ["12:34:56.1234567", "00:00:00.0000000", None]),
        "Char": (pa.string(), ["x", "ab€de", None]),
        "Varchar": (pa.string(), ["Zürich €1", "end ", None]),
        "VarcharMax": (pa.string(), ["", "tail  ", None]),
        "Nchar": (pa.string(), ["y", "a😀b", None]),
        "Nvarchar": (pa.string(), ["Łódź 李", "", None]),
        "NvarcharMax": (pa.large_string(), ["line one\r\nline two\t\0end", "x" * 40, None]),
        "Text": (pa.string(), ["Zürich", "", None]),
        "Ntext": (pa.string(), ["李伟 😀", "", None]),
        "Xml": (pa.string(), ["<a/>", ' <a b="1"><![CDATA[x]]></a>', None]),
        "Guid": (pa.string(), [guid.lower(), "{" + guid + "}", None]),
        "Binary": (pa.binary(), [b"\x01", b"\xff\xff\xff\xff", None]),
        "Varbinary": (pa.binary(), [b"", b"\0\x01\xfe\xff\0\0\0\0", None]),
        "VarbinaryMax": (pa.large_binary(), [b"\0", b"", None]),
        "Image": (pa.binary(), [b"\xde\xad\xbe\xef", b"", None]),
        "Sysname": (pa.string(), ["a", "dbo", "dbo"]),
        "Version": (pa.binary(), [b"\0" * 7 + b"\x01", b"\0" * 7 + b"\x02", b"\0" * 7 + b"\x03"]),
    }
    return table(rows)


MADE: dict[str, Callable[[], pa.Table]] = {
    "item": lambda: table(ITEM),
    "no items": lambda: table(ITEM).slice(0, 0),
    "item, newer": lambda: table({**ITEM, "Name": (pa.string(), ["ONE", "two", "drei ß", "vier"])}),
    "item, wider types": lambda: table({**ITEM, "ItemId": (pa.int64(), [1, 2, 3, 4]), "Price": (pa.decimal128(18, 2), ITEM["Price"][1])}),
    "item, other case, extra columns": lambda: item_as_told(
        {"ItemId": "ITEMID", "Name": "name", "Price": "pRICE"},
        {"extra": (pa.string(), list("abcd")), "_commit_ts": (LOCAL, [datetime(2020, 1, 1)] * 4)},
    ),
    "item without Price": lambda: item_as_told({}, without=("Price",)),
    "named": named,
    "pair": pair,
    "sums": sums,
    "types of another tool": other_types,
}


def write(name: str, folder: Path) -> Path:
    """Writes a copy made here below folder, unless it is there; its file."""
    file = folder / f"{name}.parquet"
    if not file.exists():
        folder.mkdir(parents=True, exist_ok=True)
        pq.write_table(MADE[name](), file)
    return file


def read_as_the_stream_does(spark: Any, options: dict[str, str], file: Path) -> Path:
    """Writes the source table's rows now, with the values that the stream's own snapshot would have."""
    stream(spark, options)  # registers the package's sources
    frame = spark.read.format("mssql_cdc_snapshot").options(**options).load()
    rows = frame.select([f"`{c}`" for c in frame.columns if not c.startswith("_")]).toArrow()
    file.parent.mkdir(parents=True, exist_ok=True)
    pq.write_table(rows, file)
    return file


def rows(file: Path) -> int:
    """How many rows a copy holds."""
    return pq.read_metadata(file).num_rows
