"""Seeds by the package and by the program, side by side: what they write, answer and refuse must be the same, but for what meant.py lists.

Usage: differential.py CDCSEED [WORD...]
Both read the source over TDS from the program's own fake server, the package with its default backend. With WORDs
only the cases run whose name holds one of them.
"""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
from pathlib import Path

import session
from bench import Bench
from differential_cases import ALL
from meant import MEANT
from tally import Tally


def main(argv: list[str]) -> int:
    if not argv:
        raise SystemExit(__doc__)
    os.environ["CDCSEED_PROGRAM"] = str(Path(argv[0]).resolve())
    words = argv[1:]
    work = Path(tempfile.mkdtemp(prefix="cdcseed-differential-"))
    tally, used = Tally(), set()
    try:
        spark = session.start(work)
        for number, case in enumerate(ALL):
            if not words or any(word in case.name for word in words):
                bench = Bench(spark, case, work / f"case-{number}", tally)
                bench.play()
                used |= bench.used
        spark.stop()
    finally:
        shutil.rmtree(work, ignore_errors=True)
    for line in MEANT:
        if not words and line.name not in used:
            tally.fail(f"meant: {line.name}", "no case shows this difference: the line is not needed")
    return tally.close()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
