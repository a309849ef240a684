"""Spark 4: each of its three timestamp types, its legacy format, and the calendar of Spark 2."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import columns
import pyarrow as pa
import pyarrow.parquet as pq

NAMES = [
    n for n in columns.names("")
    if n not in ("f16", "uuid", "time_s", "time_ns") and not n.startswith(("u", "fixed")) and not n.endswith(("_s", "_ms", "_ns"))
]  # fmt: skip
STAMPS = ["date", "date_beyond", "wall_us", "moment_us", "moment_us_beyond", "moment_ms", "wall_ms"]
OLD = ["date", "moment_us", "moment_ms", "wall_us"]
PARQUET = "spark.sql.parquet."
PLAIN = {"outputTimestampType": "TIMESTAMP_MICROS", "writeLegacyFormat": "false", "datetimeRebaseModeInWrite": "CORRECTED", "int96RebaseModeInWrite": "CORRECTED"}

# File, columns, and the options that differ from PLAIN.
FILES: list[tuple[str, list[str], dict[str, str]]] = [
    ("spark-micros", NAMES, {}),
    ("spark-int96", STAMPS, {"outputTimestampType": "INT96"}),
    ("spark-millis", STAMPS, {"outputTimestampType": "TIMESTAMP_MILLIS"}),
    ("spark-legacy-format", NAMES, {"writeLegacyFormat": "true"}),
    ("spark-old-calendar", OLD, {"datetimeRebaseModeInWrite": "LEGACY"}),
    ("spark-old-int96", OLD, {"outputTimestampType": "INT96", "datetimeRebaseModeInWrite": "LEGACY", "int96RebaseModeInWrite": "LEGACY"}),
]


def write(folder: Path, take: Callable[..., pa.Table], spark: Any) -> None:
    """One file each, of all types that Spark has: it reads them from a file of pyarrow, as it would any table."""
    spark.conf.set("spark.sql.timeType.enabled", "true")
    with tempfile.TemporaryDirectory(prefix="cdcseed-writers-") as work:
        given, written = Path(work, "given.parquet"), Path(work, "written")
        for name, wanted, options in FILES:
            pq.write_table(take(wanted), given, coerce_timestamps="us")
            for key, value in {**PLAIN, **options}.items():
                spark.conf.set(PARQUET + key, value)
            spark.read.parquet(str(given)).coalesce(1).write.mode("overwrite").parquet(str(written))
            (made,) = written.glob("part-*.parquet")
            shutil.copyfile(made, folder / f"{name}.parquet")
    for key in PLAIN:
        spark.conf.unset(PARQUET + key)
