"""The differential run's own test: a seed that is not the package's must be told, whatever of it differs."""

from __future__ import annotations

import contextlib
import copy
import io
import shutil
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bench import Bench, compare
from cases import Case, Refused, Seed
from compare import leaves
from program import Said
from tally import Tally, same

HONEST = Case("honest", (Seed("0x50", app_id="app"),))


@dataclass(frozen=True)
class Twist:
    """What is wrong with the program's seed, and words of what must be told."""

    name: str
    change: Callable[[list[str]], list[str]]
    told: str
    after: Callable[[Path], None] = lambda _: None  # spoils the program's folder after its run
    want: Any = "wrote"


def instead(flag: str, value: str | None) -> Callable[[list[str]], list[str]]:
    """The arguments with another value of a flag, or without it."""

    def change(arguments: list[str]) -> list[str]:
        at = arguments.index(flag)
        return arguments[:at] + ([flag, value] if value else []) + arguments[at + 2 :]

    return change


def _file(root: Path) -> None:
    (root / "bronze").mkdir(parents=True, exist_ok=True)
    (root / "bronze" / "left-behind.parquet").write_bytes(b"x")


TWISTS = [
    Twist("another position", instead("--as-of", "0x" + "30".zfill(20)), "the returned offset"),
    Twist("another app id", instead("--app-id", "other"), "txn/0/appId"),
    Twist("another target name", instead("--target-name", "lake.item"), "facts/1/add/0/stats/minValues/target"),
    Twist("another value", instead("--copy", "item, newer"), "rows/Name/3"),
    Twist("a value fewer", instead("--copy", "item without Price"), "rows/Price/0"),
    Twist("a refusal that writes", lambda a: a, "what a refusal wrote", _file, Refused(("lacks captured columns",), "column_missing")),
    Twist("a refusal of another kind", lambda a: a, "the program's code", want=Refused(("lacks captured columns",), "copy_empty")),
    Twist("no refusal by the package", lambda a: a, "the package does not refuse", want=Refused(("Penguin",), "column_missing")),
]


class Twisted(Bench):
    """A bench whose package has seeded already, and whose program is given something else."""

    def __init__(self, honest: Bench, twist: Twist, folder: Path, tally: Tally) -> None:
        refused = isinstance(twist.want, Refused)
        step = Seed("0x50", twist.want, copy="item without Price" if refused else "item", app_id="app")
        super().__init__(honest.spark, Case(twist.name, (step,)), folder, tally)
        self.honest, self.twist = honest, twist

    def package(self, step: Seed, copy: Path) -> tuple[dict[str, str] | None, str | None]:
        if isinstance(step.want, Refused):
            return None, "ValueError: The copy lacks captured columns ['Price'] of dbo_Item"
        shutil.copytree(self.honest.theirs, self.theirs)
        return {"lsn": "0x" + "50".zfill(20), "commit_ts": "2026-06-01T08:30:00.123"}, None

    def arguments(self, step: Seed, copy: Path) -> list[str]:
        arguments = self.twist.change(super().arguments(step, copy))
        at = arguments.index("--copy") + 1
        if not arguments[at].startswith("/"):  # a copy by its name
            arguments[at] = str(self.copy(Seed("0x50", copy=arguments[at])))
            arguments += ["--missing", "Price=null"] if "without" in arguments[at] else []
        target = arguments.index("--target-name") + 1
        arguments[target] = arguments[target].replace(str(self.theirs), str(self.honest.theirs))
        return arguments

    def program(self, step: Seed, copy: Path) -> Said:
        said = super().program(step, copy)
        self.twist.after(self.ours)
        return said


def run(spark: Any, work: Path, tally: Tally) -> None:
    """An honest seed passes; each twist of it is told, and so is each value of its commits that is another."""
    honest = Bench(spark, HONEST, work / "honest", tally)
    honest.play()
    for number, twist in enumerate(TWISTS):
        seen = Tally()
        with contextlib.redirect_stdout(io.StringIO()):
            Twisted(honest, twist, work / f"twist-{number}", seen).play()
        tally.check(f"told: {twist.name}", lambda seen=seen, twist=twist: same("told", (len(seen.failed), twist.told in seen.why), (1, True)))
    for name in ("bronze", "facts"):
        tally.check(f"told: any other value in a commit of {name}", lambda name=name: each_value(honest, name))


def each_value(honest: Bench, name: str) -> None:
    """Spoils one value of the package's commits at a time; what is not meant must be told."""
    log = honest.commits(honest.theirs, name, {})
    paths = list(leaves(log))
    same("values", len(paths) > 50, True)
    for path in paths:
        other = copy.deepcopy(log)
        parent = other
        for step in path[:-1]:
            parent = parent[step]
        parent[path[-1]] = "<spoiled>"
        if not list(honest.told(compare(name, log, other))):
            raise AssertionError(f"{'/'.join(map(str, path))} is another and nothing told")
