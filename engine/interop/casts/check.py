"""Spark's cast as the judge: every value of every writer's file, to every type of the stream that the program has a cast for.

Usage: check.py CDCSEED [WORD...]
The files of writers/ are seeded by the program, and read and cast by Spark. With WORDs only the files whose names hold one of
them; then lines of differences.tsv that nothing needs are no failure. The run tests itself: spoiled results must be told.
"""

from __future__ import annotations

import dataclasses
import os
import shutil
import sys
import tempfile
from collections import defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent), str(HERE.parent / "writers"), str(HERE.parent.parent.parent / "fakeserver" / "interop" / "package")]

import columns  # noqa: E402 - its folder was just added
import differing  # noqa: E402
import make  # noqa: E402
import ours  # noqa: E402
import pyarrow as pa  # noqa: E402
import pyarrow.parquet as pq  # noqa: E402
import session  # noqa: E402
import theirs  # noqa: E402
from differing import Cast  # noqa: E402
from kinds import PLAIN, kind  # noqa: E402
from pyspark.sql.types import StructType  # noqa: E402
from tally import Tally, same  # noqa: E402
from targets import TARGETS, spelled  # noqa: E402

Pairs = dict[str, list[str]]
ANSWERED = "pyarrow-v2"  # the file whose values are tried with the answers round and cut too


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
        self.seeded = ours.seed(self.path, self.wanted, self.work / f"seed-{self.path.stem}")

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
                if name in self.seeded.impossible | self.seeded.stuck:
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


class Judge:
    """Counts what is the same, finds the line of each difference, and tells those without one."""

    def __init__(self, tally: Tally) -> None:
        self.tally, self.known, self.used = tally, differing.explained(), set()
        self.values = 0

    def judge(self, name: str, casts: Iterable[Cast]) -> list[Cast]:
        """Tells every difference without a line; answers the values that the program refuses."""
        strange: dict[Any, list[Cast]] = defaultdict(list)
        refused = []
        for cast in casts:
            self.values += 1
            if cast.value is not None and cast.ours is None:
                refused.append(cast)
            if not cast.outcome():
                continue
            if cast.key() in self.known:
                self.used.add(self.known[cast.key()])
            else:
                strange[cast.key()].append(cast)
        for key, found in strange.items():
            self.tally.fail(f"{name}: {key}", f"{len(found)} values, no line of differences.tsv: {found[0].told()}")
        if not strange:
            self.tally.ok(name)
        return refused

    def spoiled(self, name: str, casts: list[Cast]) -> None:
        """Each result that no line is about, once lost and once changed: a difference without a line, or the judge is blind."""
        told = 0
        for cast in casts:
            if cast.kind != PLAIN or cast.outcome() or cast.ours is None:
                continue
            for written in (None, another(cast.ours)):
                other = dataclasses.replace(cast, ours=written)
                if not other.outcome() or other.key() in self.known:
                    self.tally.fail(f"{name}: spoiled", f"nothing tells {other.told()}")
                told += 1
        self.tally.check(f"{name}: a spoiled result is told", lambda: same("some were spoiled", told > 0, True))

    def each(self, name: str, casts: Iterator[Cast]) -> Iterator[Cast]:
        """The casts until one cannot be made: that fails, and the rest of the run goes on."""
        try:
            yield from casts
        except Exception as e:  # whatever a reader raises is its answer
            self.tally.fail(name, f"{type(e).__name__}: {str(e).splitlines()[0] if str(e) else ''}")

    def close(self) -> None:
        for number, line in enumerate(differing.lines()):
            if number not in self.used:
                self.tally.fail(f"differences.tsv: line {number + 2}", f"no value shows this difference: {', '.join(line.values())}")


def another(value: Any) -> Any:
    """Another value of the same type."""
    if isinstance(value, bytes):
        return value + b" "
    return not value if isinstance(value, bool) else -value if value else value + 1


def run(spark: Any, work: Path, words: list[str], tally: Tally) -> None:
    pairs = possible(work)
    files = make.make(work / "files", spark, (), {base: len(targets) for base, targets in pairs.items()})
    spark.conf.set("spark.sql.ansi.enabled", "false")
    spark.conf.set("spark.sql.timeType.enabled", "true")
    judge, unread = Judge(tally), differing.unread()
    for path in files:
        if path.stem == "pyarrow-nested" or words and not any(word in path.stem for word in words):
            continue
        file = File(spark, path, pairs, work)
        if path.stem in unread:
            tally.check(f"{path.stem} is refused: {unread[path.stem]}", lambda file=file: refuses(file))
            continue
        tally.check(f"{path.stem}: the program seeds it", file.seed)
        if file.seeded is None:
            continue
        casts = list(judge.each(path.stem, file.casts()))
        refused = judge.judge(f"{path.stem}: each value as Spark casts it, or a difference that is listed", casts)
        if path.stem == ANSWERED:
            judge.spoiled(path.stem, casts)
        if path.stem == ANSWERED:
            once = Answered(refused, work)
            for answer in ("round", "cut"):
                judge.judge(f"{path.stem}: the same with the answer {answer}", judge.each(f"{path.stem}, {answer}", once.casts(answer)))
    if not words:
        judge.close()
    print(f"{judge.values} values compared", flush=True)


def refuses(file: File) -> None:
    try:
        file.seed()
    except AssertionError as e:
        if "copy_unreadable" in str(e):
            return
        raise
    raise AssertionError("it is read: the line of differences.tsv is not needed")


def main(argv: list[str]) -> int:
    if not argv:
        raise SystemExit(__doc__)
    os.environ["CDCSEED_PROGRAM"] = str(Path(argv[0]).resolve())
    work = Path(tempfile.mkdtemp(prefix="cdcseed-casts-"))
    tally = Tally()
    try:
        spark = session.start(work)
        spark.conf.set("spark.sql.codegen.factoryMode", "NO_CODEGEN")  # hundreds of casts a row, few rows
        run(spark, work, argv[1:], tally)
        spark.stop()
    finally:
        shutil.rmtree(work, ignore_errors=True)
    return tally.close()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
