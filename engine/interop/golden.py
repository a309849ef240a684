"""Runs the package itself over the worlds of golden/worlds.json and keeps the Delta logs that it writes,
in normal form, as golden/<world>.json. Usage: golden.py [WORLD...]"""

from __future__ import annotations

import json
import re
import shutil
import sys
import tempfile
from datetime import datetime
from importlib.metadata import version
from pathlib import Path
from typing import Any

from mssql_cdc import stream

import logs
import session
import source

HERE = Path(__file__).resolve().parent


def run(spark: Any, world: dict[str, Any], work: Path) -> dict[str, Any]:
    """Plays one world's steps and returns its golden document."""
    lsns = source.build(work / "source", world["source"])
    target, facts = str(work / "bronze"), str(work / "facts")
    answers = []
    for step in world["steps"]:
        opts = source.options(work / "source", world["source"], step.get("options"))
        keep = {"app_id": step["app_id"], "facts_table": facts} if step.get("facts") else {}
        if step["do"] == "timeline":
            lsns += source.go_on(work / "source", world["source"], step["timeline"])
            continue
        if step["do"] == "bootstrap":
            query = stream(spark, opts).to_delta(
                target, step["app_id"], str(work / "checkpoint"), facts,
                trigger={"availableNow": True}, bootstrap=True,
            )
            query.awaitTermination()
            continue
        copy = spark.createDataFrame([tuple(r) for r in step["copy"]["rows"]], step["copy"]["columns"])
        answers.append(
            stream(spark, opts).seed(
                target, copy.coalesce(1), as_of(step["as_of"], lsns),
                allow_missing_columns=step.get("allow_missing", False), reseed=step.get("reseed", False), **keep,
            )
        )
    return {
        "package": "mssql-cdc-pyspark " + version("mssql-cdc-pyspark"),
        "world": world,
        "lsns": lsns,
        "answers": answers,
        "bronze": hide(logs.normal(logs.commits(Path(target))), target),
        "facts": hide(logs.normal(logs.commits(Path(facts))), target) if Path(facts).exists() else [],
    }


def as_of(text: str, lsns: list[str]) -> str | datetime:
    """An as_of of a step: an ISO time, `#N` for the timeline's Nth LSN, `#N+1` for the one right after it."""
    if not text.startswith("#"):
        return datetime.fromisoformat(text)
    number, _, more = text[1:].partition("+")
    value = int(lsns[int(number)], 16) + int(more or 0)
    return "0x" + format(value, "020X")


def hide(log: Any, target: str) -> Any:
    """The log with the target's folder, which is a temporary one, named <target>. Statistics cut long
    strings, so every beginning of the folder's name that is long enough counts."""
    if isinstance(log, dict):
        return {k: hide(v, target) for k, v in log.items()}
    if isinstance(log, list):
        return [hide(v, target) for v in log]
    if isinstance(log, str):
        text = log.rstrip("\x7f\U0010ffff")
        if len(text) >= 8 and target.startswith(text):
            return "<target>"
    return log


def renamed(text: str) -> str:
    """The text with the physical names of column mapping, which are made by chance, numbered."""
    for number, name in enumerate(dict.fromkeys(re.findall(r"col-[0-9a-f]{8}-[0-9a-f-]{27}", text)), start=1):
        text = text.replace(name, f"col-{number}")
    return text


def main(wanted: list[str]) -> None:
    worlds = json.loads((HERE / "golden" / "worlds.json").read_text(encoding="utf-8"))
    folder = Path(tempfile.mkdtemp(prefix="cdcseed-golden-"))
    try:
        spark = session.start(folder)
        for name, world in worlds.items():
            if wanted and name not in wanted:
                continue
            document = run(spark, world, folder / name)
            text = renamed(json.dumps(document, indent=1, ensure_ascii=False)) + "\n"
            (HERE / "golden" / f"{name}.json").write_text(text, encoding="utf-8")
            print(f"{name}: {len(document['bronze'])} bronze and {len(document['facts'])} facts commits")
        spark.stop()
    finally:
        shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    main(sys.argv[1:])
