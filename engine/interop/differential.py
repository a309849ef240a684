"""Seeds by the package and by the program, side by side: what they write, answer and refuse must be the same, but for what meant.py lists.

Usage: differential.py CDCSEED [WORD...]
       differential.py CDCSEED --self-test
Both read the source over TDS from the program's own fake server, the package with its default backend. With WORDs
only the cases run whose name holds one of them. --self-test spoils the program's seed, and each value of it, and wants it told.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Any

import served
import session
import twisted
from bench import Bench
from cases import LOGINS
from differential_cases import ALL
from meant import MEANT
from tally import Tally


def default_backend() -> None:
    """A client of the same options, which name no backend: it raises where that is not the one over TDS."""
    server = served.start("shop")
    try:
        server.client(captureInstance="dbo_Item", **LOGINS["shop"]).close()
    finally:
        server.close()


def run(spark: Any, work: Path, words: list[str], tally: Tally) -> None:
    """The cases whose names hold one of the words, all without words; then every line of meant.py must have been needed."""
    used: set[str] = set()
    tally.check("the package reads with its default backend", default_backend)
    for number, case in enumerate(ALL):
        if not words or any(word in case.name for word in words):
            bench = Bench(spark, case, work / f"case-{number}", tally)
            tally.check(f"{case.name} is played to its end", bench.play)
            used |= bench.used
    for line in MEANT:
        if not words and line.name not in used:
            tally.fail(f"meant: {line.name}", "no case shows this difference: the line is not needed")


def main(argv: list[str]) -> int:
    if not argv:
        raise SystemExit(__doc__)
    os.environ["CDCSEED_PROGRAM"] = str(Path(argv[0]).resolve())
    self_test = argv[1:] == ["--self-test"]
    tally = Tally()
    with session.below("differential") as (spark, work):
        if self_test:
            twisted.run(spark, work, tally)
        else:
            run(spark, work, argv[1:], tally)
    return tally.close()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
