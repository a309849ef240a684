"""Runs the program beside a served world, and reads what it says."""

from __future__ import annotations

import json
import os
import subprocess
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any


@dataclass(frozen=True)
class Said:
    """How a run ended: its exit status and its last line."""

    status: int
    last: dict[str, Any]

    def offset(self) -> dict[str, str]:
        """The result's position as the package's seed() returns it: commit time in UTC with three fraction digits, or empty."""
        at = self.last["commit_ts"]
        text = datetime.fromisoformat(at).replace(tzinfo=None).isoformat(timespec="milliseconds") if at else ""
        return {"lsn": self.last["lsn"], "commit_ts": text}

    def summary(self) -> str:
        """Its state or its code, and what it says of a failure."""
        facts = self.last.get("facts") if self.last["type"] == "error" else None
        told = "; ".join(f"{fact['name']}: {fact['value']}" for fact in facts or [])
        words = (self.last.get("state"), self.last.get("code"), self.last.get("what"), told)
        return f"exit status {self.status}: " + ", ".join(w for w in words if w)


def seed(server: Any, login: dict[str, str], state: Path, table: str, arguments: list[str]) -> Said:
    """Seeds `schema.table`, which confirms it, with the given flags beside those that name the server."""
    return _run("seed", server, login, state, ["--confirm", table, *arguments])


def lsn(server: Any, login: dict[str, str], state: Path, table: str, as_of: str) -> Said:
    """The position that as_of maps to."""
    return _run("lsn", server, login, state, ["--table", table, "--as-of", as_of])


def _run(command: str, server: Any, login: dict[str, str], state: Path, arguments: list[str]) -> Said:
    line = [
        os.environ["CDCSEED_PROGRAM"], command, "--server", server.address, "--encrypt", "none", "--database", login["database"],
        "--user", login["user"], "--json", *arguments,
    ]  # fmt: skip
    env = {**os.environ, "CDCSEED_PASSWORD": login["password"], "CDCSEED_STATE": str(state)}
    run = subprocess.run(line, env=env, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=300, check=False)
    lines = run.stdout.splitlines()
    if not lines:
        raise AssertionError(f"the program said nothing: {run.stderr}")
    return Said(run.returncode, json.loads(lines[-1]))
