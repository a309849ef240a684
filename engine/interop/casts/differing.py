"""The differences between Spark's casts and the program's: the lines of differences.tsv, and which of them a value falls under.

A line names groups of source types, SQL types, kinds of values (kinds.py), the answer that was given and an outcome: `refuses` where
Spark writes a value and the program refuses it, `accepts` the other way round, `differs` where both write, but not the same, and
`reads` where Spark cannot read the column.
"""

from __future__ import annotations

import csv
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
NONE = "no cast"  # in the place of Spark's value where it has no cast from one type to the other


@dataclass(frozen=True)
class Cast:
    """One value and what became of it. None is NULL."""

    source: str
    target: str
    kind: str
    value: Any
    ours: Any
    tried: Any  # Spark's try_cast
    plain: Any  # Spark's cast with ANSI off
    answer: str = ""
    where: str = ""

    def outcome(self) -> str:
        """Empty where both write the same, or both refuse."""
        if self.target == "any":
            return "reads"
        if self.value is None:
            return "a value from NULL" if self.ours is not None else ""
        if self.ours is None:
            kept = exact(self.value) is not None and exact(self.plain) == exact(self.value)
            return "refuses" if self.tried not in (None, NONE) or kept else ""
        if self.tried in (None, NONE):
            return "accepts"
        return "" if same(self.ours, self.tried) else "differs"

    def key(self) -> tuple[str, str, str, str, str]:
        return (self.source, self.target.partition("(")[0], self.kind, self.answer, self.outcome())

    def told(self) -> str:
        return f"{self.where}: {self.value!r} is {self.ours!r} here, {self.tried!r} by Spark's try_cast, {self.plain!r} by its cast"


def exact(value: Any) -> Fraction | None:
    """A finite number; None of anything else."""
    try:
        return None if isinstance(value, (bool, str, bytes)) or value is None else Fraction(value)
    except (OverflowError, ValueError):
        return None


def same(ours: Any, theirs: Any) -> bool:
    """Equal in type and value; of floats the bits, of NaN any."""
    return type(ours) is type(theirs) and repr(ours) == repr(theirs)


def lines() -> list[dict[str, str]]:
    """The lines by the names in the first of them."""
    with open(HERE / "differences.tsv", encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))


def explained() -> dict[tuple[str, str, str, str, str], int]:
    """The number of the line that each key falls under; two lines never claim the same key."""
    out: dict[tuple[str, str, str, str, str], int] = {}
    for number, line in enumerate(lines()):
        answer = "" if line["answer"] == "none" else line["answer"]
        for source in line["from"].split(", "):
            for target in line["to"].split(", "):
                for kind in line["values"].split("; "):
                    key = (source, target, kind, answer, line["here"])
                    if key in out:
                        raise AssertionError(f"lines {out[key] + 2} and {number + 2} of differences.tsv both claim {key}")
                    out[key] = number
    return out
