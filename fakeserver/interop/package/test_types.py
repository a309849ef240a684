"""Every type of the package's type table, with its edge values, through reads of the table and of its changes, as text that the stream writes."""

import unittest
from datetime import datetime

import pyarrow
import serving
from mssql_cdc.source import _to_schema

LOGIN = {"user": "reader", "password": "Types-1", "database": "Types"}

INSTANT = pyarrow.timestamp("us", "UTC")
LOCAL = pyarrow.timestamp("us")
TEXT, BYTES = pyarrow.string(), pyarrow.binary()

# Column: what the package maps it to, as Spark and as Arrow know it, and its values in the rows 1 to 6.
TYPES = {
    "Bit": ("BOOLEAN", pyarrow.bool_(), ["false", "true", None, None, None, None]),
    "Tinyint": ("SMALLINT", pyarrow.int16(), ["0", "255", None, None, None, None]),
    "Smallint": ("SMALLINT", pyarrow.int16(), ["-32768", "32767", None, None, None, None]),
    "Int": ("INT", pyarrow.int32(), ["-2147483648", "7", None, None, None, None]),
    "Bigint": ("BIGINT", pyarrow.int64(), ["-9223372036854775808", "9223372036854775807", None, None, None, None]),
    "Real": ("FLOAT", pyarrow.float32(), ["-3.4028235e+38", "3.4028235e+38", None, "0.1", None, None]),
    "Float": ("DOUBLE", pyarrow.float64(), ["-1.7976931348623157e+308", "1.7976931348623157e+308", None, "0.1", None, None]),
    "Decimal38": (
        "DECIMAL(38,10)",
        pyarrow.decimal128(38, 10),
        ["-9999999999999999999999999999.9999999999", "9999999999999999999999999999.9999999999", None, "1E-10", None, None],
    ),
    "Numeric5": ("DECIMAL(5,2)", pyarrow.decimal128(5, 2), ["-999.99", "999.99", None, "-0.05", None, None]),
    "Money": ("DECIMAL(19,4)", pyarrow.decimal128(19, 4), ["-922337203685477.5808", "922337203685477.5807", None, "0.0001", None, None]),
    "Smallmoney": ("DECIMAL(10,4)", pyarrow.decimal128(10, 4), ["-214748.3648", "214748.3647", None, "-0.0001", None, None]),
    "Date": ("DATE", pyarrow.date32(), ["0001-01-01", "9999-12-31", None, None, None, None]),
    # Ticks of 1/300 s come as whole milliseconds.
    "Datetime": (
        "TIMESTAMP_NTZ",
        LOCAL,
        [
            "1753-01-01 00:00:00.000000",
            "9999-12-31 23:59:59.997000",
            None,
            "2026-06-01 12:34:56.003000",
            "2026-06-01 12:34:56.007000",
            "2026-06-01 12:34:56.010000",
        ],
    ),
    "Datetime2of0": ("TIMESTAMP_NTZ", LOCAL, ["0001-01-01 00:00:00.000000", "9999-12-31 23:59:59.000000", None, None, None, None]),
    "Datetime2of3": (
        "TIMESTAMP_NTZ",
        LOCAL,
        ["0001-01-01 00:00:00.000000", "9999-12-31 23:59:59.999000", None, "2026-06-01 12:34:56.007000", None, None],
    ),
    # The seventh digit is cut, before 1970 too.
    "Datetime2of7": (
        "TIMESTAMP_NTZ",
        LOCAL,
        ["0001-01-01 00:00:00.000000", "9999-12-31 23:59:59.999999", None, "1969-12-31 23:59:59.999999", "2026-06-01 12:34:56.123456", None],
    ),
    "Smalldatetime": ("TIMESTAMP_NTZ", LOCAL, ["1900-01-01 00:00:00.000000", "2079-06-06 23:59:00.000000", None, None, None, None]),
    "Datetimeoffset": (
        "TIMESTAMP",
        INSTANT,
        [
            "0001-01-01 00:00:00.000000Z",
            "9999-12-31 23:59:59.999999Z",
            None,
            "2026-06-01 07:04:56.123456Z",
            "1969-12-31 23:59:59.999999Z",
            None,
        ],
    ),
    "Datetimeoffset0": (
        "TIMESTAMP",
        INSTANT,
        ["0001-01-01 00:00:00.000000Z", "9999-12-31 23:59:59.000000Z", None, None, None, "2026-06-01 20:34:56.000000Z"],
    ),
    # Nine digits, whatever the precision.
    "Time0": ("STRING", TEXT, ["00:00:00.000000000", "23:59:59.000000000", None, None, None, None]),
    "Time3": ("STRING", TEXT, ["00:00:00.000000000", "23:59:59.999000000", None, "12:34:56.007000000", None, None]),
    "Time7": ("STRING", TEXT, ["00:00:00.000000000", "23:59:59.999999900", None, "12:34:56.123456700", None, None]),
    # Padded: char to 5 bytes of its code page, nchar to 4 units of UTF-16, of which the emoji takes two.
    "Char": ("STRING", TEXT, ["     ", "ab€de", None, "x    ", None, None]),
    "Varchar": ("STRING", TEXT, ["", "Zürich €1", None, "end ", None, None]),
    "VarcharMax": ("STRING", TEXT, ["", "tail  ", None, None, None, None]),
    "Nchar": ("STRING", TEXT, ["    ", "a😀b", None, "y   ", None, None]),
    "Nvarchar": ("STRING", TEXT, ["", "Łódź 李", None, "end ", None, None]),
    "NvarcharMax": ("STRING", TEXT, ["", "line one\r\nline two\t\0end", None, None, None, None]),
    "Text": ("STRING", TEXT, ["", "Zürich", None, None, None, None]),
    "Ntext": ("STRING", TEXT, ["", "李伟 😀", None, None, None, None]),
    "Xml": ("STRING", TEXT, ["<a/>", '<a b="1">x &amp; y<c /></a>', None, None, None, None]),
    # Upper case, also where the source's text was not.
    "Guid": (
        "STRING",
        TEXT,
        ["00000000-0000-0000-0000-000000000000", "6F9619FF-8B86-D011-B42D-00C04FC964FF", None, "ABCDEF01-2345-6789-ABCD-EF0123456789", None, None],
    ),
    "Binary": ("BINARY", BYTES, [b"\0\0\0\0", b"\xff\xff\xff\xff", None, b"\x01\0\0\0", None, None]),
    "Varbinary": ("BINARY", BYTES, [b"", b"\0\x01\xfe\xff\0\0\0\0", None, None, None, None]),
    "VarbinaryMax": ("BINARY", BYTES, [b"", b"\0", None, None, None, None]),
    "Image": ("BINARY", BYTES, [b"", b"\xde\xad\xbe\xef", None, None, None, None]),
    "Sysname": ("STRING", TEXT, ["a", "dbo", None, None, None, None]),
}

LARGE = ["VarcharMax", "NvarcharMax", "Text", "Ntext", "Xml", "VarbinaryMax", "Image"]


def as_written(batches):
    """The columns as the package's reader hands them to Spark, each value as text."""
    table = pyarrow.Table.from_batches(list(batches))
    target = pyarrow.schema([(name, TYPES[name][1]) for name in table.column_names if name in TYPES])
    table = _to_schema(table.select(target.names), target)
    return {name: [text(v) for v in table[name]] for name in table.column_names}


def text(value):
    if not value.is_valid:
        return None
    return value.as_py() if value.type == BYTES else value.cast(TEXT).as_py()


class Types(serving.Case):
    world = "types"
    login = LOGIN

    def test_schema(self):
        want = ["`Id` INT", *(f"`{name}` {spark}" for name, (spark, _, _) in TYPES.items()), "`Version` BINARY"]
        self.assertEqual(self.client.captured_columns("dbo_Everything"), ", ".join(want))
        (instance,) = self.client.capture_instances("dbo_Everything")
        self.assertEqual(instance.column_types, ["INT", *(spark for spark, _, _ in TYPES.values()), "BINARY"])

    def test_reads_of_the_table(self):
        got = as_written(self.client.iter_table("dbo", "Everything", list(TYPES), ["Id"], None, None, None, 2))
        for name, (_, _, want) in TYPES.items():
            with self.subTest(name):
                self.assertEqual(got[name], want)

    def test_reads_of_the_changes(self):
        got = as_written(self.client.iter_changes("dbo_Everything", serving.ZERO, self.client.max_lsn(), list(TYPES), True, 3))
        for name, (_, _, rows) in TYPES.items():
            # Rows 1 to 6 as they were inserted; then row 2 before and after an update of the column Int.
            inserted = ["2147483647" if name == "Int" and v == "7" else v for v in rows]
            want = [*inserted, None if name in LARGE else inserted[1], rows[1]]
            with self.subTest(name):
                self.assertEqual(got[name], want)

    def test_row_versions_grow(self):
        last = self.client.max_lsn()
        versions = [c["Version"] for c in serving.rows(self.client.iter_changes("dbo_Everything", serving.ZERO, last, ["Version"], True, 9))]
        self.assertEqual({len(v) for v in versions}, {8})
        self.assertEqual(versions[:6], sorted(set(versions[:6])))
        self.assertEqual(versions[6], versions[1])
        self.assertGreater(versions[7], versions[5])
        now = serving.rows(self.client.iter_table("dbo", "Everything", ["Id", "Version"], ["Id"], None, (2,), (3,), 9))
        self.assertEqual(now, [{"Id": 2, "Version": versions[7]}])

    def test_keys_of_every_type(self):
        """The text of a value, bound and cast by the server to the column's type, finds its own row."""
        skipped = set(LARGE) | {"Time0", "Time3", "Time7", "Bit"}  # no keys, but for Bit, which no row has alone
        names = [name for name in TYPES if name not in skipped]
        types = dict(zip(names, self.client.key_types("dbo_Everything", names)))
        self.assertEqual((types["Decimal38"], types["Datetime2of3"], types["Binary"]), ("decimal(38,10)", "datetime2(3)", "binary(4)"))
        rows = serving.rows(self.client.iter_table("dbo", "Everything", ["Id", *names], ["Id"], None, (4,), None, 9))
        found = 0
        for row in rows:
            for name in names:
                if row[name] is None or types[name] is None:  # the package binds no seven digits ahead of another key
                    continue
                with self.subTest(name=name, row=row["Id"]):
                    got = self.client.iter_table("dbo", "Everything", ["Id"], [name], [types[name]], (row[name],), None, 9)
                    ids = [r["Id"] for r in serving.rows(got)]
                    self.assertIn(row["Id"], ids)
                    found += 1
        self.assertGreater(found, 15)

    def test_a_type_without_a_mapping(self):
        self.raises(ValueError, "no default Spark type for SQL Server type 'sql_variant'", self.client.captured_columns, "dbo_Odd")
        (instance,) = self.client.capture_instances("dbo_Odd")
        self.assertEqual((instance.columns, instance.column_types), (["Id", "Any"], ["INT", None]))

    def test_a_server_in_utc(self):
        self.assertEqual(self.client.timezone, "UTC")
        self.assertEqual(self.client.lsn_to_time("0x00000000000000000030"), "2026-06-01T09:30:00.123")
        self.assertEqual(self.client.time_to_lsn(datetime(2026, 6, 1, 9, 30)), "0x00000000000000000020")
        self.assertEqual(self.client.time_to_lsn(datetime(2026, 6, 1, 9, 30, 1)), "0x00000000000000000030")


class WrongExpectation(unittest.TestCase):
    """The comparison itself: other values, and other text for the same value, are told apart."""

    def test_what_the_stream_would_not_write(self):
        table = pyarrow.table({"Time0": pyarrow.array([1], pyarrow.time64("ns")), "Guid": ["ab"], "Binary": [b"1"]})
        self.assertEqual(as_written(table.to_batches()), {"Time0": ["00:00:00.000000001"], "Guid": ["ab"], "Binary": [b"1"]})


if __name__ == "__main__":
    unittest.main()
