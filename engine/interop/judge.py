"""Has others read a seeded target: delta-rs, DuckDB, Spark, and mssql-cdc-pyspark itself.

Usage: judge.py DESCRIPTION TARGET [FACTS] [--stream]
       judge.py --self-test
DESCRIPTION is a JSON file; README.md lists its keys. --stream lets the package's stream go on from the
seed at the end, which writes to TARGET and FACTS. --self-test seeds with the package itself, wants every
check to pass, then spoils copies in ways that each must make a check fail.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import package_checks
import reader_checks
import session
from tally import Tally


def judge(spark: Any, case: dict[str, Any], work: Path, tally: Tally, stream: bool = False) -> None:
    """Every check of one case: its description with `target` and `facts` (a path or None) filled in."""
    reader_checks.run(spark, case, tally)
    package_checks.run(spark, case, work, tally)
    if stream:
        package_checks.go_on(spark, case, work, tally)


def load(argv: list[str]) -> dict[str, Any]:
    """The case that the arguments name."""
    case = json.loads(Path(argv[0]).read_text(encoding="utf-8"))
    case["target"] = str(Path(argv[1]).resolve())
    case["facts"] = str(Path(argv[2]).resolve()) if len(argv) == 3 else None
    case.setdefault("target_text", case["target"])
    case.setdefault("include_command_id", True)
    return case


def main(argv: list[str]) -> int:
    stream = "--stream" in argv
    self_test = "--self-test" in argv
    paths = [a for a in argv if not a.startswith("--")]
    if set(argv) - set(paths) - {"--stream", "--self-test"} or (not self_test and len(paths) not in (2, 3)):
        raise SystemExit(__doc__)
    tally = Tally()
    with session.below("judge") as (spark, work):
        if self_test:
            import spoiled

            spoiled.run(spark, work, tally)
        else:
            judge(spark, load(paths), work, tally, stream)
    return tally.close()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
