"""parquet-go, a writer in Go: the program in parquetgo is built and gets the columns as JSON."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable
from decimal import Context
from pathlib import Path
from typing import Any

import columns
import pyarrow as pa

DIGITS = Context(prec=76)
HERE = Path(__file__).resolve().parent / "parquetgo"
NAMES = [n for n in columns.names("") if n not in ("f16", "time_s", "wall_s", "moment_s")]


def write(folder: Path, take: Callable[..., pa.Table]) -> None:
    program = folder / ".parquetgo"
    subprocess.run(["go", "build", "-o", str(program), "."], cwd=HERE, check=True)
    table = take(NAMES)
    given = json.dumps([column(name, table[name]) for name in table.column_names])
    subprocess.run([str(program), str(folder)], input=given, text=True, check=True)
    program.unlink()


def column(name: str, held: pa.ChunkedArray) -> dict[str, Any]:
    """A column's name, Arrow type and values: numbers as what is stored, bytes as hex, all as text."""
    kind = held.type
    if isinstance(kind, pa.UuidType):
        held = pa.chunked_array([chunk.storage for chunk in held.chunks])
    if pa.types.is_temporal(kind):
        held = held.cast(pa.int64() if kind.bit_width == 64 else pa.int32())
    if pa.types.is_decimal(kind):
        texts = [None if v is None else str(int(v.scaleb(kind.scale, DIGITS))) for v in held.to_pylist()]
    else:
        texts = [None if v is None else v.hex() if isinstance(v, bytes) else repr(v) if isinstance(v, float) else str(v) for v in held.to_pylist()]
    out = {"name": name, "type": str(kind), "values": texts}
    if pa.types.is_decimal(kind):
        out |= {"precision": kind.precision, "scale": kind.scale}
    return out
