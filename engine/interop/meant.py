"""The differences between a seed of cdcseed and one of the package that are meant: one line each, with its reason.

A difference has a path: the table (`bronze`, `facts`) or `rows`, then commit, action and field, or column and row.
A line that no run of all cases uses fails, so the list holds nothing that is not seen.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

MISSING = "<missing>"
Holds = Callable[[Any, Any], bool]


@dataclass(frozen=True)
class Meant:
    """A meant difference: its name, where it may be, for which pair of values (theirs, ours), and why."""

    name: str
    where: str
    holds: Holds
    why: str


def padded(theirs: Any, ours: Any) -> bool:
    blank = b"\0" if isinstance(theirs, bytes) else " "
    return isinstance(ours, type(theirs)) and len(ours) > len(theirs) and ours.rstrip(blank) == theirs.rstrip(blank)


def later(theirs: Any, ours: Any) -> bool:
    """The same time, one millisecond later."""
    if not all(re.match(r"\d{4}-\d\d-\d\dT", str(v)) for v in (theirs, ours)):
        return False
    return datetime.fromisoformat(ours) - datetime.fromisoformat(theirs) == timedelta(milliseconds=1)


STATS = r"bronze/\d+/add/\d+/stats/"
STAMPS = r"/_(snapshot|batch_id|chunk)"

MEANT = [
    Meant("tags", r"bronze/\d+/commitInfo/\d+/tags", lambda t, o: t == MISSING and all(k.startswith("cdcseed.") for k in o),
          "a rerun and an auditor can tell what was done; readers ignore them"),
    Meant("files counted", r"(bronze|facts)/\d+/commitInfo/0/operationMetrics/numFiles", lambda t, o: int(t) > int(o) == 1,
          "Spark counts a file of an empty partition too, which it does not add"),
    Meant("one commit for a migration", r"(bronze|facts)/\d+/commitInfo/0/readVersion", lambda t, o: t > o,
          "the package makes a commit for each step and each comment, so it has read a later version"),
    Meant("largest time", STATS + r"maxValues/\w+", later,
          "a bound that is cut to milliseconds would lie below the value; readers that do not know of the cut would skip the row"),
    Meant("largest time of the calendar", STATS + r"maxValues/\w+", lambda t, o: o == MISSING and str(t).startswith("9999-12-31T23:59:59.999"),
          "a millisecond later is beyond year 9999, so there is no bound"),
    Meant("floats that are copied", STATS + r"(minValues|maxValues)/(Real|Float)", lambda t, o: o == MISSING,
          "their bytes are copied, and the copy's footer cannot tell whether one is no number"),
    Meant("texts that are cast by their dictionary", STATS + r"(minValues|maxValues)/(Time\d|Char)", lambda t, o: o == MISSING,
          "the copy's bounds may be cut, and the order of texts need not be that of the times that they tell"),
    Meant("bounds of a bit", STATS + r"(minValues|maxValues)/[^/]+", lambda t, o: t == MISSING and isinstance(o, bool),
          "Spark keeps none; readers may use them"),
    Meant("statistics of the stamps", STATS + r"(minValues|maxValues|nullCount)" + STAMPS, lambda t, o: t == MISSING,
          "Spark has them of the first 32 columns only; silver skips files by them, however wide the table is"),
    Meant("char padded", rf"(rows|{STATS}(minValues|maxValues))/(Char|Nchar|Binary)(/\d+)?", padded,
          "the stream's rows are padded, and keys must join with them"),
    Meant("guid in upper case", rf"(rows|{STATS}(minValues|maxValues))/Guid(/\d+)?", lambda t, o: o != t and o == t.strip("{}").upper(),
          "the stream's rows are in upper case without braces"),
    Meant("time with nine digits", rf"(rows|{STATS}(minValues|maxValues))/Time\d(/\d+)?", lambda t, o: o == (t if "." in t else t + ".").ljust(18, "0"),
          "the stream's rows have nine fraction digits"),
]


def explains(path: str, theirs: Any, ours: Any) -> str | None:
    """The name of the line that a difference falls under, if one does."""
    for line in MEANT:
        try:
            if re.fullmatch(line.where, path) and line.holds(theirs, ours):
                return line.name
        except (AttributeError, TypeError, ValueError):
            continue  # values that the line is not about
    return None
