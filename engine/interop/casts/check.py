"""Spark's cast as the judge: every value of every writer's file, to every type of the stream that the program has a cast for.

Usage: check.py CDCSEED [WORD...]
The files of writers/ are seeded by the program, and read and cast by Spark. With WORDs only the files whose names hold one of
them; then lines of differences.tsv that nothing needs are no failure. The run tests itself: spoiled results must be told.
"""

from __future__ import annotations

import dataclasses
import os
import sys
from collections import defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent), str(HERE.parent / "writers"), str(HERE.parent.parent.parent / "fakeserver" / "interop" / "package")]

import differing  # noqa: E402 - its folder was just added
import make  # noqa: E402
import session  # noqa: E402
from differing import Cast  # noqa: E402
from files import Answered, File, possible  # noqa: E402
from kinds import PLAIN  # noqa: E402
from tally import Tally, same  # noqa: E402

ANSWERED = "pyarrow-v2"  # the file whose values are tried with the answers round and cut too


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

    def close(self, java: int) -> None:
        """Every line must have been needed, but for what only an older Java shows."""
        for number, line in enumerate(differing.lines()):
            if number not in self.used and not (java >= 19 and "before Java 19" in line["Spark"]):
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
    judge = Judge(tally)
    for path in files:
        if path.stem == "pyarrow-nested" or words and not any(word in path.stem for word in words):
            continue
        file = File(spark, path, pairs, work)
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
        judge.close(int(spark._jvm.System.getProperty("java.specification.version")))
    print(f"{judge.values} values compared", flush=True)


def main(argv: list[str]) -> int:
    if not argv:
        raise SystemExit(__doc__)
    os.environ["CDCSEED_PROGRAM"] = str(Path(argv[0]).resolve())
    tally = Tally()
    with session.below("casts") as (spark, work):
        spark.conf.set("spark.sql.codegen.factoryMode", "NO_CODEGEN")  # hundreds of casts a row, few rows
        run(spark, work, argv[1:], tally)
    return tally.close()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
