"""Makes files of seven writers, all types and all edge values, in a folder.

Usage: make.py DIR [WORD...]
With WORDs only the writers whose name holds one of them. A writer that is missing or fails is an error.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import by_deltalake
import by_duckdb
import by_fastparquet
import by_parquetgo
import by_polars
import by_pyarrow
import by_spark
import columns
import pyarrow as pa

sys.path.append(str(Path(__file__).resolve().parent.parent))

PLAIN = {"pyarrow": by_pyarrow, "polars": by_polars, "deltalake": by_deltalake, "duckdb": by_duckdb, "fastparquet": by_fastparquet, "parquetgo": by_parquetgo}


def make(folder: Path, spark: Any = None, words: Iterable[str] = (), times: dict[str, int] | None = None) -> list[Path]:
    """Writes the files below folder, which must not exist, and returns them; those of Spark with the session given. `times` repeats columns."""
    folder.mkdir(parents=True)
    words = list(words) or [""]
    for name, writer in PLAIN.items():
        if any(word in name for word in words):
            writer.write(folder, taker(times or {}))
    if any(word in "spark" for word in words):
        by_spark.write(folder, taker(times or {}), spark)
    return sorted(folder.glob("*.parquet"))


def taker(times: dict[str, int]) -> Callable[[list[str]], pa.Table]:
    return lambda names: columns.repeated(columns.table(names), times)


def main(argv: list[str]) -> int:
    if not argv:
        raise SystemExit(__doc__)
    folder, words = Path(argv[0]), argv[1:]
    spark = None
    if not words or any(word in "spark" for word in words):
        import session

        spark = session.start(folder.parent)
    for file in make(folder, spark, words):
        print(file)
    if spark is not None:
        spark.stop()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
