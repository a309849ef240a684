"""Plays a case: the package's own seed() and the program, on one served world, into a target each."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import Any

import copies
import golden
import logs
import program
import served
from cases import Case, Control, Prepare, Refused, Seed, Stricter, lsn
from meant import MISSING, explains
from mssql_cdc import stream
from tally import Tally, same

TABLES = ("bronze", "facts")


class Bench:
    """One case at work below a folder of its own, which is new."""

    def __init__(self, spark: Any, case: Case, folder: Path, tally: Tally) -> None:
        self.spark, self.case, self.folder, self.tally = spark, case, folder, tally
        self.theirs, self.ours = folder / "package", folder / "program"
        self.used: set[str] = set()
        self.server: Any = None
        self.jobs: Any = None
        self.options: dict[str, str] = {}

    def play(self) -> None:
        """All steps; each seed is a check, and so is every commit that it made."""
        self.server = served.start(self.case.world)
        try:
            instance = {"captureInstance": self.case.instance} if self.case.instance else {}
            self.options = self.server.options(**instance, **self.case.login, **self.case.options)
            self.jobs = stream(self.spark, self.options)
            for number, step in enumerate(self.case.steps, start=1):
                if isinstance(step, Control):
                    self.server.control(step.request, database=self.case.login["database"], **step.content)
                elif isinstance(step, Prepare):
                    self.prepare(step)
                else:
                    self.tally.check(f"{self.case.name}: {number}. {_title(step)}", lambda step=step: self.seed(step))
        finally:
            self.server.close()

    def prepare(self, step: Prepare) -> None:
        step.make(self.spark, self.jobs, str(self.theirs / "bronze"), str(self.theirs / "facts"))
        shutil.rmtree(self.ours, ignore_errors=True)
        shutil.copytree(self.theirs, self.ours)

    def seed(self, step: Seed) -> None:
        before = {root: self.state(root) for root in (self.theirs, self.ours)}
        copy = self.copy(step)
        answer, error = self.package(step, copy)
        said = self.program(step, copy)
        outcome = f"the package: {answer or error}; the program: {said.summary()}"
        after = {root: self.state(root) for root in (self.theirs, self.ours)}
        if isinstance(step.want, Refused):
            if error is None or not all(word in error for word in step.want.says):
                raise AssertionError(f"the package does not refuse with {step.want.says}: {outcome}")
            same("the program's code", said.last.get("code"), step.want.code)
            same("what a refusal wrote", after, before)
            return
        if isinstance(step.want, Stricter):
            same("the package's answer", answer is not None, True)
            same("the program's code", said.last.get("code"), step.want.code)
            same("what its refusal wrote", after[self.ours], before[self.ours])
            return
        if error is not None or said.status != 0:
            raise AssertionError(outcome)
        same("what came of it", said.last["state"], {"wrote": "ready", "found": "already_seeded"}[step.want])
        same("the returned offset", said.offset(), answer)
        if step.want == "found":
            for root in before:
                same("what a rerun wrote into the table", {k: v for k, v in after[root].items() if k.startswith("bronze")},
                     {k: v for k, v in before[root].items() if k.startswith("bronze")})
        elif not any(name not in before[self.theirs] for name in after[self.theirs]):
            raise AssertionError("the package wrote nothing")
        told = list(self.differences(before))
        if told:
            raise AssertionError(f"{len(told)} differences:\n  " + "\n  ".join(told[:40]))

    def copy(self, step: Seed) -> Path:
        if step.copy == "as the stream reads":
            return copies.read_as_the_stream_does(self.spark, self.options, self.folder / "copy.parquet")
        return copies.write(step.copy, self.folder.parent / "copies")

    def package(self, step: Seed, copy: Path) -> tuple[dict[str, str] | None, str | None]:
        """What the package's seed() returns, or what it raises, as text."""
        facts = {"app_id": step.app_id, "facts_table": str(self.theirs / "facts")} if step.app_id else {}
        as_of = datetime.fromisoformat(step.as_of) if step.as_of[:2] == "20" else position(step.as_of)
        asked = {**facts, "allow_missing_columns": bool(step.missing), "reseed": step.reseed, **step.package}
        try:
            frame = self.spark.read.parquet(str(copy))
            return dict(self.jobs.seed(str(self.theirs / "bronze"), frame, as_of, **asked)), None
        except Exception as e:  # whatever it raises is its answer
            return None, f"{type(e).__name__}: {e}"

    def program(self, step: Seed, copy: Path) -> program.Said:
        return program.seed(self.server, self.case.login, self.folder / "state", self.case.confirm, self.arguments(step, copy))

    def arguments(self, step: Seed, copy: Path) -> list[str]:
        """The program is told the package's path as the target's name, so that both facts rows name the same target."""
        table = ["--table", self.case.instance] if self.case.instance else []
        arguments = [*table, "--copy", str(copy), "--target", str(self.ours / "bronze"), "--as-of", position(step.as_of)]
        if step.app_id:
            arguments += ["--facts", str(self.ours / "facts"), "--app-id", step.app_id, "--target-name", str(self.theirs / "bronze")]
        for name in step.missing:
            arguments += ["--missing", f"{name}=null"]
        return [*arguments, *(["--reseed"] if step.reseed else []), *step.program]

    def state(self, root: Path) -> dict[str, int]:
        return logs.listing(root) if root.exists() else {}

    def differences(self, before: dict[Path, dict[str, int]]) -> Iterator[str]:
        """Every field that differs in what this step wrote, and in all rows that the two tables hold."""
        for name in TABLES:
            theirs, ours = (self.commits(root, name, before[root]) for root in (self.theirs, self.ours))
            yield from self.told(compare(name, theirs, ours))
        yield from self.told(compare("rows", self.rows(self.theirs), self.rows(self.ours)))

    def commits(self, root: Path, name: str, before: dict[str, int]) -> list[dict[str, list[Any]]]:
        """The commits of a table that were not there before, in normal form, with a commit's actions by kind. Names made by chance are numbered."""
        table = root / name
        if not table.exists():
            return []
        everything = json.loads(golden.renamed(json.dumps(logs.commits(table))))
        old = sum(1 for file in before if file.startswith(f"{name}/_delta_log/") and file.endswith(".json") and file.rsplit("/", 1)[1][:-5].isdigit())
        out = []
        for commit in everything[old:]:
            kinds: dict[str, list[Any]] = {}
            files = next((a["commitInfo"].get("operationMetrics", {}).get("numFiles") for a in commit if "commitInfo" in a), None)
            for action in logs.normal([commit])[0]:
                ((kind, fields),) = action.items()
                if kind == "commitInfo" and files is not None:
                    fields["operationMetrics"]["numFiles"] = files
                kinds.setdefault(kind, []).append(fields)
            out.append(kinds)
        return folded(out) if old else out

    def told(self, found: Iterator[tuple[str, Any, Any]]) -> Iterator[str]:
        for path, theirs, ours in found:
            line = explains(path, theirs, ours)
            if line is None:
                yield f"{path}: the package has {theirs!r}, the program {ours!r}"
            else:
                self.used.add(line)

    def rows(self, root: Path) -> dict[str, list[Any]]:
        """The table's columns as Spark reads them, ordered by position, operation and key; floats as their exact text."""
        frame = self.spark.read.format("delta").load(str(root / "bronze"))
        order = [c for c in ("_start_lsn", "_operation", self.case.key) if c in frame.columns]
        table = frame.orderBy([f"`{c}`" for c in order]).toArrow()
        return {name: [repr(v) if isinstance(v, float) else v for v in table[name].to_pylist()] for name in table.column_names}


def position(text: str) -> str:
    """An LSN's last digits as its normal form; any other text as it is."""
    return lsn(text) if re.fullmatch("0x[0-9A-F]{1,4}", text) else text


def _title(step: Seed) -> str:
    want = {"wrote": "both write the same", "found": "both find it"}.get(str(step.want), "both refuse")
    if isinstance(step.want, Stricter):
        want = f"the program alone refuses: {step.want.why}"
    reseed = " reseed," if step.reseed else ""
    return f"{step.copy},{reseed} as of {step.as_of}: {want}"


def folded(commits: list[dict[str, list[Any]]]) -> list[dict[str, list[Any]]]:
    """The commits with those before a data commit that only change the table itself as one: its metadata and protocol after them.

    A migration is a commit for each step and each comment in the package, with an empty file among them, and one
    commit in the program: what the table is afterwards must be the same.
    """
    out: list[dict[str, list[Any]]] = []
    changed: dict[str, list[Any]] = {}
    for commit in commits:
        if not any(add["stats"]["numRecords"] for add in commit.get("add", [])):
            changed |= {kind: commit[kind] for kind in ("metaData", "protocol") if kind in commit}
            continue
        out += [changed] if changed else []
        changed = {}
        out.append(commit)
    return [*out, changed] if changed else out


def compare(path: str, theirs: Any, ours: Any) -> Iterator[tuple[str, Any, Any]]:
    """Every leaf that differs: its path and both values. Of numbers, those of another type differ."""
    if isinstance(theirs, dict) and isinstance(ours, dict):
        if list(theirs) != list(ours) and set(theirs) == set(ours) and path == "rows":
            yield f"{path}: order of columns", list(theirs), list(ours)
        for key in {**theirs, **ours}:
            yield from compare(f"{path}/{key}", theirs.get(key, MISSING), ours.get(key, MISSING))
    elif isinstance(theirs, list) and isinstance(ours, list):
        for i in range(max(len(theirs), len(ours))):
            yield from compare(f"{path}/{i}", theirs[i] if i < len(theirs) else MISSING, ours[i] if i < len(ours) else MISSING)
    elif type(theirs) is not type(ours) or theirs != ours:
        yield path, theirs, ours
