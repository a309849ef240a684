"""Delta logs as lists of actions, and their normal form: what differs from run to run, and texts that
are documentation only, are replaced by words in angle brackets."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

# Columns of the facts table that hold the time of the run.
RUN_COLUMNS = ("started_at", "duration_ms", "written_at")


def commits(table: Path) -> list[list[dict[str, Any]]]:
    """The commits of a Delta table whose log starts at version 0, oldest first."""
    found = sorted((table / "_delta_log").glob("[0-9]" * 20 + ".json"))
    return [[json.loads(line) for line in p.read_text(encoding="utf-8").splitlines() if line] for p in found]


def listing(table: Path) -> dict[str, int]:
    """Every file below the table with its size, but for the checksum files that Spark adds beside others'."""
    return {
        str(p.relative_to(table)): p.stat().st_size
        for p in sorted(table.rglob("*"))
        if p.is_file() and not p.name.endswith(".crc")
    }


def normal(log: list[list[dict[str, Any]]]) -> list[list[dict[str, Any]]]:
    """The log's normal form: commits of actions, each action as {kind: fields}."""
    return [[_action(kind, dict(fields)) for action in commit for kind, fields in action.items()] for commit in log]


def _action(kind: str, f: dict[str, Any]) -> dict[str, Any]:
    if kind == "commitInfo":
        _commit_info(f)
    elif kind == "metaData":
        f["id"], f["createdTime"] = "<id>", "<time>"
        f["schemaString"] = schema(f["schemaString"])
        if f.get("description") is not None:
            f["description"] = "<comment>"
    elif kind == "add":
        f["path"], f["size"], f["modificationTime"] = "<path>", "<size>", "<time>"
        if "stats" in f:
            f["stats"] = stats(f["stats"])
    elif kind == "txn":
        f["lastUpdated"] = "<time>"
    return {kind: f}


def _commit_info(f: dict[str, Any]) -> None:
    f["timestamp"], f["engineInfo"], f["txnId"] = "<time>", "<engine>", "<id>"
    if "inCommitTimestamp" in f:
        f["inCommitTimestamp"] = "<time>"
    parameters = f.get("operationParameters", {})
    if parameters.get("description") is not None:
        parameters["description"] = "<comment>"
    metrics = f.get("operationMetrics", {})
    for name in ("numOutputBytes", "numFiles"):
        if name in metrics:
            metrics[name] = f"<{name}>"


def schema(text: str) -> dict[str, Any]:
    """A table's schema with every comment's wording taken out, its presence kept."""
    parsed = json.loads(text)
    for field in parsed["fields"]:
        if "comment" in field["metadata"]:
            field["metadata"]["comment"] = "<comment>"
    return parsed


def stats(text: str) -> dict[str, Any]:
    """A file's statistics without the values that hold the time of the run."""
    parsed = json.loads(text)
    for part in ("minValues", "maxValues"):
        for name in RUN_COLUMNS:
            if name in parsed.get(part, {}):
                parsed[part][name] = "<run>"
    return parsed
