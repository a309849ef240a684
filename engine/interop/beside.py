"""Everything that Spark judges of seeds over TDS, in one session: the differential run with its own test, the stream that goes on, and spliced tables.

Usage: beside.py CDCSEED
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

import differential
import session
import spliced
import stream_goes_on
import twisted
from tally import Tally


def main(argv: list[str]) -> int:
    if len(argv) != 1:
        raise SystemExit(__doc__)
    os.environ["CDCSEED_PROGRAM"] = str(Path(argv[0]).resolve())
    tally = Tally()
    with session.below("beside") as (spark, work):
        twisted.run(spark, work / "twisted", tally)
        differential.run(spark, work / "differential", [], tally)
        stream_goes_on.run(spark, work / "stream", [], tally)
        spliced.run(spark, work / "spliced", [], tally)
    return tally.close()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
