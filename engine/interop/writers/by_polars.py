"""polars, by its own writer, not pyarrow's: what a data frame holds, with categories."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import columns
import polars as pl
import pyarrow as pa

NAMES = [n for n in columns.names("") if n not in ("f16", "uuid") and not n.startswith(("fixed", "time_s", "time_ms", "wall_s", "moment_s"))]


def write(folder: Path, take: Callable[..., pa.Table]) -> None:
    frame = pl.from_arrow(take(NAMES))
    frame = frame.with_columns([pl.col(name).cast(pl.Categorical) for name in frame.columns if name.startswith("text_enum")])
    frame.write_parquet(folder / "polars.parquet", compression="zstd", row_group_size=24, data_page_size=256)
