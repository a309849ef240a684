"""Compares a seed's Delta logs, field by field, with those that the package wrote.

Usage: compare.py GOLDEN DESCRIPTION TARGET [FACTS]
       compare.py --self-test
GOLDEN names a file of golden/ without its ending; DESCRIPTION is the JSON that judge.py takes. What a run
and a table decide is replaced on both sides by a word: position, commit time, instance, app id, target
name, number of rows, and the captured columns as a whole. Everything else must be equal, but for what
`allowed` lists. --self-test spoils a golden log, one value at a time, and wants each to be told.
"""

from __future__ import annotations

import contextlib
import copy
import io
import json
import sys
from pathlib import Path
from typing import Any

import logs
from tally import Tally, same

METADATA = {
    "_capture_instance", "_start_lsn", "_seqval", "_operation", "_command_id", "_commit_ts",
    "_batch_id", "_snapshot", "_chunk",
}
MISSING = "<missing>"
GOLDEN = Path(__file__).resolve().parent / "golden"


def allowed(path: str, ours: Any) -> bool:
    """A difference that is none: fields that readers ignore and that the package does not write."""
    if path.endswith("/commitInfo/tags"):
        return isinstance(ours, dict) and all(isinstance(v, str) for v in ours.values())
    return path.endswith("/add/stats/tightBounds") and ours is True


def words(document: dict[str, Any]) -> dict[str, str]:
    """Texts of a description to the words that stand for them, longest text first."""
    pairs = {
        document["lsn"]: "<lsn>",
        document.get("commit_ts") or None: "<commit>",
        document["capture_instance"]: "<instance>",
        document.get("app_id"): "<app>",
        document.get("target_text"): "<target>",
    }
    found = {k: v for k, v in pairs.items() if k}
    return dict(sorted(found.items(), key=lambda pair: -len(pair[0])))


def golden_words(document: dict[str, Any]) -> dict[str, str]:
    step = document["world"]["steps"][-1]
    source = document["world"]["source"]
    answer = document["answers"][-1]
    return words({
        **answer,
        "capture_instance": source.get("capture_instance_option", source["capture_instance"]),
        "app_id": step.get("app_id"),
        "target_text": "<target>",
    })


def settle(log: list[Any], said: dict[str, str], captured: set[str]) -> list[dict[str, Any]]:
    """The log with what the table and the run decide replaced by words, and the actions of a commit, which
    are a set, by kind: a commit of a seed has one of each."""
    return [{k: v for action in commit for k, v in _settled(action, said, captured).items()} for commit in log]


def _settled(action: dict[str, Any], said: dict[str, str], captured: set[str]) -> dict[str, Any]:
    ((kind, fields),) = action.items()
    if kind == "metaData":
        fields["schemaString"]["fields"] = _collapse(fields["schemaString"]["fields"], captured)
    if kind == "add" and "stats" in fields:
        fields["stats"] = _stats(fields["stats"], captured)
    if kind == "commitInfo" and "numOutputRows" in fields.get("operationMetrics", {}):
        fields["operationMetrics"]["numOutputRows"] = "<rows>"
    return {kind: _replace(fields, said)}


def _collapse(fields: list[dict[str, Any]], captured: set[str]) -> list[dict[str, Any]]:
    out: list[dict[str, Any]] = []
    for field in fields:
        if field["name"].lower() in captured:
            field = {**field, "name": "<captured>", "type": "<type>"}
            if out and out[-1] == field:
                continue
        out.append(field)
    return out


def _stats(stats: dict[str, Any], captured: set[str]) -> dict[str, Any]:
    for part in ("minValues", "maxValues", "nullCount"):
        stats[part] = {k: v for k, v in stats.get(part, {}).items() if k.lower() not in captured}
    records = stats["numRecords"]
    stats["numRecords"] = "<rows>"
    stats["nullCount"] = {k: "<all>" if v == records and v else v for k, v in stats["nullCount"].items()}
    for part in ("minValues", "maxValues"):
        if "rows" in stats[part]:
            stats[part]["rows"] = "<rows>"
    return stats


def _replace(value: Any, said: dict[str, str]) -> Any:
    if isinstance(value, dict):
        return {k: _replace(v, said) for k, v in value.items()}
    if isinstance(value, list):
        return [_replace(v, said) for v in value]
    if isinstance(value, str):
        for text, word in said.items():
            value = value.replace(text, word).replace(json.dumps(text)[1:-1], word)
            # statistics keep a beginning of a long text
            if len(text) > 32 and len(value) >= 32 and value[:32] == text[:32]:
                value = word
    return value


def differences(path: str, golden: Any, ours: Any, tally: Tally) -> None:
    """Counts every leaf as passed or failed, with both values."""
    if isinstance(golden, dict) and isinstance(ours, dict):
        for key in {**golden, **ours}:
            differences(f"{path}/{key}", golden.get(key, MISSING), ours.get(key, MISSING), tally)
    elif isinstance(golden, list) and isinstance(ours, list):
        for i in range(max(len(golden), len(ours))):
            one = golden[i] if i < len(golden) else MISSING
            other = ours[i] if i < len(ours) else MISSING
            differences(f"{path}/{i}", one, other, tally)
    elif golden != ours and not (golden == MISSING and allowed(path, ours)):
        tally.fail(path, f"the package has {golden!r}, ours is {ours!r}")
    else:
        tally.ok(path, quiet=True)


def seed_of(log: list[Any]) -> list[Any]:
    """The commit that creates the table and the newest one that adds a file, of which there may be several:
    the files are told apart by nothing that the table's contents do not decide, so one stands for all."""
    data = [c for c in log if any("add" in a for a in c)][-1]
    firsts = [a for i, a in enumerate(data) if "add" not in a or not any("add" in b for b in data[:i])]
    return [log[0], firsts]


def self_test() -> int:
    """A golden log equals itself, and does not once any value in it differs or is missing."""
    tally = Tally()
    for file in sorted(GOLDEN.glob("*.json")):
        document = json.loads(file.read_text(encoding="utf-8"))
        if "package" not in document or not document["answers"]:
            continue
        for table in ("bronze", "facts"):
            if document[table]:
                log = settle(seed_of(document[table]), golden_words(document), _captured(document[table]))
                _spoil_each(f"{file.stem}/{table}", log, tally)
    return tally.close()


def _spoil_each(name: str, log: Any, tally: Tally) -> None:
    def failures(other: Any) -> int:
        found = Tally()
        with contextlib.redirect_stdout(io.StringIO()):
            differences(name, log, other, found)
        return len(found.failed)

    tally.check(f"{name} equals itself", lambda: same("differences", failures(copy.deepcopy(log)), 0))
    for path in list(leaves(log)):
        for how in ("changed", "missing"):
            other = copy.deepcopy(log)
            parent = other
            for step in path[:-1]:
                parent = parent[step]
            if how == "changed":
                parent[path[-1]] = "<spoiled>"
            elif isinstance(parent, dict):
                del parent[path[-1]]
            else:
                parent.pop(path[-1])
            where = "/".join(map(str, path))
            if failures(other) == 0:
                tally.fail(f"{name}/{where}", f"it is {how} and nothing told")
            else:
                tally.ok(f"{name}/{where} {how}", quiet=True)


def leaves(value: Any, path: tuple[Any, ...] = ()) -> Any:
    pairs = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    leaf = True
    for key, inner in pairs:
        leaf = False
        yield from leaves(inner, (*path, key))
    if leaf and path:
        yield path


def main(argv: list[str]) -> int:
    if argv == ["--self-test"]:
        return self_test()
    if len(argv) not in (3, 4):
        raise SystemExit(__doc__)
    name, description, target = argv[0], json.loads(Path(argv[1]).read_text(encoding="utf-8")), Path(argv[2])
    golden = json.loads((GOLDEN / f"{name}.json").read_text(encoding="utf-8"))
    tally = Tally()
    description.setdefault("target_text", str(target))
    for table, path in (("bronze", target), ("facts", Path(argv[3]) if len(argv) == 4 else None)):
        if path is None:
            continue
        theirs, ours = golden[table], logs.normal(logs.commits(path))
        if not theirs or len(ours) < 2:
            tally.fail(table, f"{len(theirs)} commits in the golden log, {len(ours)} in ours")
            continue
        left = settle(seed_of(theirs), golden_words(golden), _captured(theirs))
        right = settle(seed_of(ours), words(description), _captured(ours))
        differences(table, left, right, tally)
    return tally.close()


def _captured(log: list[Any]) -> set[str]:
    """Lower-cased names of the columns that only one table has; none of a facts table's."""
    names: set[str] = set()
    for commit in log:
        for action in commit:
            if "metaData" in action:
                names = {f["name"].lower() for f in action["metaData"]["schemaString"]["fields"]}
    return names - METADATA if "_capture_instance" in names else set()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
