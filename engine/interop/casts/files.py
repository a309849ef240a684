"""One writer's file at work: what the program writes of it, and what Spark's casts make of it, value by value."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import columns
import differing
import ours
import pyarrow as pa
import pyarrow.parquet as pq
import theirs
from differing import Cast
from kinds import kind
from pyspark.sql.types import StructType
from tally import same
from targets import TARGETS, spelled

Pairs = dict[str, list[str]]

# Bytes of another length than 16 are no GUID, and the order of bytes is the only answer that the program takes there.
STUCK = {("bytes", "uniqueidentifier")}


def possible(work: Path) -> Pairs:
    """The SQL types that the program has a cast to, by column."""
    bases = columns.names("")
    file = work / "all.parquet"
    pq.write_table(columns.repeated(columns.table(), dict.fromkeys(bases, len(TARGETS))), file)
    every = {spelled(base, number): target for base in bases for number, target in enumerate(TARGETS)}
    none = ours.impossible(file, every, work / "all")
    return {base: [target for number, target in enumerate(TARGETS) if spelled(base, number) not in none] for base in bases}


class File:
    """One file at work: what the program and Spark make of it."""

    def __init__(self, spark: Any, path: Path, pairs: Pairs, work: Path) -> None:
        self.spark, self.path, self.work = spark, path, work
        names = set(pq.ParquetFile(path).schema_arrow.names)
        self.pairs = {base: targets for base, targets in pairs.items() if base in names}
        self.wanted = {spelled(base, number): target for base, targets in self.pairs.items() for number, target in enumerate(targets)}
        self.seeded: ours.Seeded | None = None

    def seed(self) -> None:
        """Every column must be written, but for STUCK."""
        self.seeded = ours.seed(self.path, self.wanted, self.work / f"seed-{self.path.stem}")
        same("columns without a cast", self.seeded.impossible, set())
        same("columns with values that no answer writes", {(name.split("__")[0], self.wanted[name]) for name in self.seeded.stuck} - STUCK, set())

    def casts(self) -> Iterator[Cast]:
        """Every value of every column and target, with all that became of it."""
        schema, other = theirs.readable(self.spark, self.path)
        wanted = list(dict.fromkeys((base, TARGETS[target]) for base, targets in self.pairs.items() for target in targets))
        kept = StructType([field for field in schema.fields if field.name == "id" or field.name in self.pairs])
        yield from self._casts(theirs.casts(self.spark, self.path, kept, [w for w in wanted if w[0] not in other]), [w for w in wanted if w[0] not in other], kept)
        rest = [w for w in wanted if w[0] in other]
        for base in dict.fromkeys(name for name, _ in rest):
            yield Cast(theirs.group(base, "", True), "any", theirs.unreadable(base), None, None, other[base], None, where=f"{self.path.name} {base}")
        if rest:
            twin = theirs.twin(self.path, list(dict.fromkeys(name for name, _ in rest)), self.work)
            read = self.spark.read.parquet(str(twin)).schema
            yield from self._casts(theirs.casts(self.spark, twin, read, rest), rest, read, twin=True)

    def _casts(self, made: pa.Table, wanted: list[tuple[str, str]], schema: StructType, twin: bool = False) -> Iterator[Cast]:
        types = {field.name: field.dataType.simpleString() for field in schema.fields}
        place = {pair: n for n, pair in enumerate(wanted)}
        for base in dict.fromkeys(name for name, _ in wanted):
            source = theirs.group(base, types[base], twin)
            values = theirs.sources(columns.table([base])[base] if twin and not base.startswith("f16") else made[f"raw:{base}"])
            for number, target in enumerate(self.pairs[base]):
                name = spelled(base, number)
                if name in self.seeded.stuck:
                    continue
                n = place[(base, TARGETS[target])]
                tried, plain = (theirs.plain(made[f"{how}:{n}"]) if f"{how}:{n}" in made.column_names else [differing.NONE] * len(values) for how in ("try", "cast"))
                written_rows = theirs.plain(self.seeded.rows[name])
                if name in self.seeded.refused:
                    made_null = sum(1 for value, written in zip(values, written_rows, strict=True) if value is not None and written is None)
                    same(f"{name} to {target}: values made NULL by an answer, and refused without one", made_null, self.seeded.refused[name])
                for row, written in enumerate(written_rows):
                    value = values[row]
                    what = "" if value is None else kind(source, value, target)
                    yield Cast(source, target, what, value, written, tried[row], plain[row], where=f"{self.path.name} {base} row {row} to {target}")


# Values that no answer turns into another one, though Spark's text or bytes hold them as they are.
NEVER = {"no GUID", "no time of day", "other text", "a time of day on some date"}


class Answered:
    """The refused values of a file that Spark writes, each once and a column of its own in one row, so that each can be answered by itself."""

    def __init__(self, refused: list[Cast], work: Path) -> None:
        once = {(c.source, c.target, repr(c.value)): c for c in refused if c.kind not in NEVER and {c.tried, c.plain} - {None, differing.NONE}}
        self.cases = {f"v{n}": cast for n, cast in enumerate(once.values())}
        self.file, self.work = work / "answered.parquet", work
        table = columns.table()
        row: dict[str, pa.Array] = {"id": pa.array([1], pa.int32())}
        for name, cast in self.cases.items():
            _, base, _, number, _, _ = cast.where.split(" ", 5)
            row[name] = table[base].slice(int(number), 1).combine_chunks()
        pq.write_table(pa.table(row), self.file)

    def casts(self, answer: str) -> Iterator[Cast]:
        """What the program writes with the answer, of each value that takes it."""
        seeded = ours.seed(self.file, {name: cast.target for name, cast in self.cases.items()}, self.work / answer, answer)
        for name, cast in self.cases.items():
            if seeded.answers.get(name) == answer:
                (written,) = theirs.plain(seeded.rows[name])
                yield Cast(cast.source, cast.target, cast.kind, cast.value, written, cast.tried, cast.plain, answer, cast.where)
