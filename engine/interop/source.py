"""A source for the package's own file-backed fake, from a JSON description.

A description has `capture_instance`, `keys` (names of the key columns), `columns` (Spark DDL, or [name, type] pairs, of the
captured columns, or absent) and `timeline`: commits in order, each with `at` (UTC, ISO) and optionally
`lsn` and `changes` ([operation, row] pairs; none is an idle entry). `min_lsn` is the low watermark, by
default the first LSN. With LSNs the fake's files are written as given, so that it answers with a real
server's LSNs; without them the fake numbers the commits itself.
"""

from __future__ import annotations

import json
from datetime import datetime
from pathlib import Path
from typing import Any

from mssql_cdc.fake import FakeCdcDatabase


def options(folder: Path, source: dict[str, Any], extra: dict[str, str] | None = None) -> dict[str, str]:
    """The package's options for a source that was built in folder."""
    return {
        "backend": "fake",
        "fakePath": str(folder),
        "captureInstance": source.get("capture_instance_option", source["capture_instance"]),
        **(extra or {}),
    }


def build(folder: Path, source: dict[str, Any]) -> list[str]:
    """Writes the source below folder, which is new, and returns the timeline's LSNs in order."""
    ci = source["capture_instance"]
    db = FakeCdcDatabase(
        str(folder),
        [ci],
        keys={ci: source["keys"]} if source.get("keys") else None,
        columns={ci: source["columns"]} if source.get("columns") else None,
    )
    if any("lsn" in event for event in source["timeline"]):
        lsns = _as_given(folder, ci, source)
    else:
        lsns = [_numbered(db, ci, event) for event in source["timeline"]]
    if "cleanup_to" in source:
        db.cleanup(ci, lsns[source["cleanup_to"]])
    return lsns


def go_on(folder: Path, source: dict[str, Any], timeline: list[dict[str, Any]]) -> list[str]:
    """Lets more happen to a source whose commits the fake numbers itself; returns the new LSNs."""
    ci = source["capture_instance"]
    db = FakeCdcDatabase(str(folder), [ci])
    return [_numbered(db, ci, event) for event in timeline]


def _numbered(db: FakeCdcDatabase, ci: str, event: dict[str, Any]) -> str:
    at = datetime.fromisoformat(event["at"])
    if "new_instance" in event:
        db.add_capture_instance(ci, event["new_instance"]["columns"], at=at, name=event["new_instance"]["name"])
    if not event.get("changes"):
        return db.idle(at=at)
    return db.commit(ci, [(op, row) for op, row in event["changes"]], at=at)


def _as_given(folder: Path, ci: str, source: dict[str, Any]) -> list[str]:
    mapping, changes, rows = [], [], {}
    for event in source["timeline"]:
        at = datetime.fromisoformat(event["at"]).isoformat(timespec="milliseconds")
        mapping.append({"start_lsn": event["lsn"], "tran_end_time": at})
        for number, (operation, row) in enumerate(event.get("changes", []), start=1):
            changes.append({
                "start_lsn": event["lsn"], "seqval": event["lsn"], "command_id": number,
                "operation": operation, "row": row,
            })
            ident = json.dumps([row[k] for k in source.get("keys", [])])
            if operation in (2, 4):
                rows[ident] = row
            elif operation == 1:
                rows.pop(ident, None)
    _lines(folder / "lsn_time_mapping.jsonl", mapping)
    _lines(folder / "changes" / f"{ci}.jsonl", changes)
    if source.get("keys"):
        (folder / "tables" / f"{ci}.json").write_text(json.dumps(rows), encoding="utf-8")
    low = source.get("min_lsn", source["timeline"][0]["lsn"])
    (folder / "min_lsn.json").write_text(json.dumps({ci: low}), encoding="utf-8")
    return [event["lsn"] for event in source["timeline"]]


def _lines(path: Path, objects: list[dict[str, Any]]) -> None:
    path.write_text("".join(json.dumps(o) + "\n" for o in objects), encoding="utf-8")
