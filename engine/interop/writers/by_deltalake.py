"""delta-rs, whose Parquet writer is arrow-rs: a Delta table of the types that Delta has, and its data file alone."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import columns
import pyarrow as pa
from deltalake import write_deltalake

NAMES = [
    n for n in columns.names("")
    if not n.startswith(("u", "f16", "time_", "fixed")) and not n.endswith(("_s", "_ms", "_ns"))
]  # fmt: skip


def write(folder: Path, take: Callable[..., pa.Table]) -> None:
    table = folder / "deltalake"
    write_deltalake(str(table), take(NAMES), mode="error")
    (file,) = table.glob("*.parquet")
    shutil.copyfile(file, folder / "deltalake.parquet")
