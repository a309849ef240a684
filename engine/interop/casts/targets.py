"""The SQL Server types that columns are cast to, and what Spark's cast takes for each: the stream's type."""

from __future__ import annotations

TARGETS = {
    "bit": "BOOLEAN", "tinyint": "SMALLINT", "smallint": "SMALLINT", "int": "INT", "bigint": "BIGINT", "real": "FLOAT", "float": "DOUBLE",
    "decimal(5,2)": "DECIMAL(5,2)", "decimal(18,4)": "DECIMAL(18,4)", "decimal(38,10)": "DECIMAL(38,10)", "decimal(38,0)": "DECIMAL(38,0)",
    "money": "DECIMAL(19,4)", "smallmoney": "DECIMAL(10,4)", "date": "DATE", "datetime": "TIMESTAMP_NTZ", "datetime2(7)": "TIMESTAMP_NTZ", "datetime2(3)": "TIMESTAMP_NTZ",
    "datetime2(0)": "TIMESTAMP_NTZ", "smalldatetime": "TIMESTAMP_NTZ", "datetimeoffset(7)": "TIMESTAMP", "datetimeoffset(0)": "TIMESTAMP", "time(7)": "STRING", "time(0)": "STRING",
    "char(5)": "STRING", "nchar(4)": "STRING", "varchar(10)": "STRING", "nvarchar(max)": "STRING", "xml": "STRING", "uniqueidentifier": "STRING",
    "binary(4)": "BINARY", "varbinary(8)": "BINARY", "varbinary(max)": "BINARY", "rowversion": "BINARY",
}  # fmt: skip


def spelled(base: str, number: int) -> str:
    """The name of a column's copy by its number from 0, as the writers repeat them."""
    return base if number == 0 else f"{base}__{number + 1}"
