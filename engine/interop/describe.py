"""Describes a seed to the judges, from the last JSON line that `cdcseed demo --json` or `cdcseed seed --json` printed.

Usage: describe.py RESULT.jsonl > DESCRIPTION.json
The plan in the result tells everything but what happened in the source after L: one insert is made up
there, so that the stream has something to go on with.
"""

from __future__ import annotations

import json
import sys
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

DDL = {"short": "SMALLINT", "integer": "INT", "long": "BIGINT"}


def later(lsn: str, by: int) -> str:
    return f"0x{int(lsn, 16) + by:020X}"


def commit_text(rfc3339: str | None) -> str:
    """A commit time as the package spells it: UTC, no zone, three fraction digits; empty where unknown."""
    if not rfc3339:
        return ""
    return datetime.fromisoformat(rfc3339.replace("Z", "+00:00")).replace(tzinfo=None).isoformat(timespec="milliseconds")


def describe(result: dict[str, Any]) -> dict[str, Any]:
    plan = result["plan"]
    targets = [c["target"] for c in plan["columns"]["columns"]]
    keys = [t["name"] for t in targets if t.get("key")]
    lsn, at = plan["as_of"]["lsn"], commit_text(plan["as_of"]["commit_ts"])
    moment = datetime.fromisoformat(at)
    new = {t["name"]: None for t in targets}
    for t in targets:
        if t["name"] in keys:
            new[t["name"]] = 30_000 if t["type"] in ("short", "integer", "long") else "made up"
    return {
        "lsn": lsn,
        "commit_ts": at,
        "rows": result["rows"],
        "app_id": plan["facts"]["app_id"],
        "capture_instance": plan["table"]["instance"],
        "columns": ", ".join(f"`{t['name']}` {DDL.get(t['type'], t['type'].upper())}" for t in targets),
        "target_text": plan["facts"]["target"],
        "as_of_times": [plan["as_of"]["time"]] if plan["as_of"].get("time") else [],
        "source": {
            "keys": keys,
            "min_lsn": later(lsn, -16),
            "timeline": [
                {"lsn": later(lsn, -16), "at": (moment - timedelta(minutes=5)).isoformat()},
                {"lsn": lsn, "at": moment.isoformat()},
                {"lsn": later(lsn, 16), "at": (moment + timedelta(days=2)).isoformat(), "changes": [[2, new]]},
            ],
        },
    }


if __name__ == "__main__":
    last = Path(sys.argv[1]).read_text(encoding="utf-8").strip().splitlines()[-1]
    json.dump(describe(json.loads(last)), sys.stdout, indent=1)
