#!/usr/bin/env python3
"""Compares what a demo came to with the answer that is kept.

Usage: demo.py RUN ANSWER [--update]
       demo.py --self-test
RUN is the output of `cdcseed demo --json`; its last line is compared with ANSWER, a JSON file. What is
another on every run (ids, digests, paths, sizes, times of this machine's clock) is a placeholder in both;
times and positions of the demo's world are not. --update writes ANSWER.
"""

from __future__ import annotations

import difflib
import json
import re
import sys
from pathlib import Path
from typing import Any

# Values of these keys, by kind. Only a value of the right form is replaced: an empty digest shows.
KEYS = {
    "digest": r"[0-9a-f]{64}", "hash": r"[0-9a-f]{64}", "files_hash": r"[0-9a-f]{64}", "tool": r"cdcseed/\S+",
    "content_hash": r"[0-9a-f]{64}", "made_at": r"\d{4}-\d\d-\d\dT\S+Z", "kept_until": r"\d{4}-\d\d-\d\dT\S+Z", "key": r"[0-9a-f]{16}", "expected": r"[0-9a-f]{64}",
}
SIZES = {"bytes"}
TEXTS = [
    (re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}(?=$|[ '\"])"), "<uuid>"),
    (re.compile(r"127\.0\.0\.1:\d+"), "<server>"),
    (re.compile(r"(?<=readable for about ).*"), "<time>"),
    (re.compile(r"(?<=at about )\S+Z"), "<time>"),
]


def normal(value: Any, folder: str, key: str = "") -> Any:
    """The value with placeholders for what is another on every run."""
    if isinstance(value, dict):
        return {k: normal(v, folder, k) for k, v in value.items()}
    if key == "timeline":  # of the world, for the judges: its length and ends stand for it
        return {"commits": len(value), "first": value[0]["lsn"], "last": value[-1]["lsn"], "changes": sum(len(c.get("changes", [])) for c in value)}
    if isinstance(value, list):
        return [normal(v, folder) for v in value]
    if key in SIZES and isinstance(value, int) and value > 0:
        return "<size>"
    if not isinstance(value, str):
        return value
    if key in KEYS and re.fullmatch(KEYS[key], value):
        return f"<{key}>"
    # The samples in the plan hold GUIDs of the world, which are the same on every run.
    if key in ("before", "after"):
        return value
    value = value.replace(folder, "<dir>").replace("\\", "/") if folder in value else value
    for pattern, word in TEXTS:
        value = pattern.sub(word, value)
    return value


def answer(run: str) -> str:
    """The last line of a run in normal form, indented."""
    last = json.loads(run.splitlines()[-1])
    if last.get("type") != "result":
        raise SystemExit(f"the demo ended with: {json.dumps(last)}")
    # "plan" is a digest only in a seed's result; in a demo's it is the plan.
    return json.dumps(normal(last, last["dir"]), indent=1, ensure_ascii=False) + "\n"


def self_test() -> int:
    """What must be a placeholder is one, and nothing else."""
    def line(**more: Any) -> str:
        return json.dumps({"type": "result", "dir": "/tmp/x", "lsn": "0x0000002A0005320B0001", "plan": {"digest": "a" * 64}, "bytes": 5, **more})

    same = [
        (line(), line(plan={"digest": "b" * 64})), (line(), line(bytes=6)),
        (line(target="/tmp/x/t"), line(target="/tmp/x/t").replace("/tmp/x", "/home/y")),
    ]
    other = [
        (line(), line(plan={"digest": ""})), (line(), line(bytes=0)), (line(), line(lsn="0x0000002A0005320B0002")), (line(), line(more=1)),
        (line(commit_ts="2026-10-24T23:36:20.153Z"), line(commit_ts="2026-10-24T23:36:20.154Z")),
        (line(target="/tmp/x/t"), line(target="/tmp/x/u")), (line(version=1), line(version=2)),
        (line(timeline=[{"lsn": "a", "changes": [1]}]), line(timeline=[{"lsn": "a", "changes": []}])),
    ]
    bad = [p for p in same if answer(p[0]) != answer(p[1])] + [p for p in other if answer(p[0]) == answer(p[1])]
    for a, b in bad:
        print(f"wrong verdict on\n  {a}\n  {b}")
    print(f"{len(same) + len(other) - len(bad)} passed, {len(bad)} failed")
    return 1 if bad else 0


def main(args: list[str]) -> int:
    if args == ["--self-test"]:
        return self_test()
    update = "--update" in args
    paths = [Path(a) for a in args if a != "--update"]
    if len(paths) != 2:
        raise SystemExit(__doc__)
    got = answer(paths[0].read_text(encoding="utf-8"))
    if update:
        paths[1].write_text(got, encoding="utf-8")
        return 0
    want = paths[1].read_text(encoding="utf-8")
    if got == want:
        print("the demo's answer is the kept one")
        return 0
    sys.stdout.writelines(difflib.unified_diff(want.splitlines(True), got.splitlines(True), str(paths[1]), "this run"))
    print(f"The demo's answer changed. If it should: {sys.argv[0]} {paths[0]} {paths[1]} --update")
    return 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
