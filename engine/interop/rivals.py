"""Times how others append the same copy to a Delta table, beside the program in the same sitting. It only prints: nothing fails by a time.

Usage: rivals.py DIR [--rows N] [--rounds N] [--markdown]
DIR, made if missing, gets the copy (the files of engine/splice's benchmark, kept for another run) and every table that is written, each removed
after its round. Go has to be there: it builds the program and makes the copy. 20000000 rows are the shape of the measurements; the default is a
tenth of it. Each round runs all cases in another order, with every new file synced within the time, and what others left to write back written
before it. It prints JSON lines, a case or a ratio each, and what it is at to standard error; with --markdown the table of the page instead.

splice   the program, from the first byte staged until its commit stands
seed     the whole command: its start, the conversation with the server, the plan with its look at the values, and splice
others   only what follows the opening of the copy: engines are started and warm. DuckDB writes files alone, without a log.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import random
import shutil
import statistics
import subprocess
import sys
import time
from collections import defaultdict
from collections.abc import Callable
from datetime import datetime
from importlib.metadata import version
from pathlib import Path
from typing import Any

import duckdb
import pyarrow as pa
import pyarrow.dataset as ds
import pyarrow.parquet as pq
import reader_checks
import served
import session
from deltalake import DeltaTable, write_deltalake

ROOT = Path(__file__).resolve().parent.parent.parent
LOGIN = {"database": "Sales", "user": "reader", "password": "Rivals-only!1"}
L, AT = "0x" + "50".zfill(20), datetime(2026, 6, 1, 10)
GOAL = 20

# The table that the files are a copy of: column and type.
COLUMNS = [
    ("id", "bigint"), ("qty", "int"), ("kind", "smallint"), ("amount", "decimal(18,2)"), ("price", "decimal(9,2)"), ("made", "datetime2(7)"),
    ("sent", "datetime2(7)"), ("due", "date"), ("name", "nvarchar(200)"), ("note", "nvarchar(400)"), ("city", "nvarchar(100)"), ("state", "nvarchar(40)"),
    ("open", "bit"), ("ref", "nvarchar(80)"), ("changed", "nvarchar(60)"),
]  # fmt: skip
# What a bronze table has beside it, and the seed's values: a name, Spark's type, a value.
BEFORE = [("_capture_instance", "STRING", "dbo_Copied"), ("_start_lsn", "STRING", L), ("_seqval", "STRING", None), ("_operation", "INT", 0),
          ("_command_id", "INT", None), ("_commit_ts", "TIMESTAMP_NTZ", AT)]  # fmt: skip
AFTER = [("_batch_id", "INT", None), ("_snapshot", "STRING", L), ("_chunk", "INT", None)]
ARROW = {"STRING": pa.string(), "INT": pa.int32(), "TIMESTAMP_NTZ": pa.timestamp("us")}

Case = Callable[[Path], "dict[str, float]"]  # writes a table or files, and answers seconds by what they are of


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("dir", type=Path)
    arguments.add_argument("--rows", type=int, default=2_000_000)
    arguments.add_argument("--rounds", type=int, default=5)
    arguments.add_argument("--markdown", action="store_true")
    given = arguments.parse_args()
    work = given.dir.resolve()
    work.mkdir(parents=True, exist_ok=True)
    copy = work / f"copy-{given.rows}"
    program = build(work, copy, given.rows)
    os.environ["CDCSEED_PROGRAM"] = str(program)
    spark = session.start(work / "spark", for_times=True)
    server = served.start(str(world(work)))
    try:
        cases: dict[str, Case] = {
            "cdcseed": lambda target: seed(program, server, copy, target),
            "DuckDB COPY": lambda target: timed(lambda: by_duckdb(copy, target), target),
            "delta-rs append": lambda target: timed(lambda: by_delta_rs(copy, target), target, lambda: empty(spark, target)),
            "Spark append": lambda target: timed(lambda: by_spark(spark, copy, target), target, lambda: empty(spark, target)),
        }
        taken = rounds(cases, work, given.rounds, given.rows)
    finally:
        server.close()
        spark.stop()
    size = sum(f.stat().st_size for f in copy.glob("*.parquet"))
    lines = [machine(given.rows, size, given.rounds, len(list(copy.glob("*.parquet"))), work), *results(taken, given.rows, size)]
    print(markdown(lines) if given.markdown else "\n".join(json.dumps(line) for line in lines), flush=True)


def build(work: Path, copy: Path, rows: int) -> Path:
    """The program, and the copy where it is not there."""
    program = work / "cdcseed"
    subprocess.run(["go", "build", "-trimpath", "-o", str(program), "./cmd/cdcseed"], cwd=ROOT, check=True)
    if not copy.exists():
        made = copy.with_suffix(".making")
        shutil.rmtree(made, ignore_errors=True)
        made.mkdir()
        bench = ["go", "test", "./engine/splice", "-run", "^$", "-bench", "^BenchmarkFiles$", "-benchtime", "1x", "-timeout", "2h"]
        subprocess.run([*bench, "-args", f"-splice.rows={rows}", f"-splice.dir={made}"], cwd=ROOT, check=True, stdout=subprocess.DEVNULL)
        made.rename(copy)
    return program


def world(work: Path) -> Path:
    """A server with the table, whose rows nobody reads."""
    columns = [{"name": name, "type": kind, "nullable": name != "id"} for name, kind in COLUMNS]
    file = work / "world.json"
    file.write_text(json.dumps({
        "format": 1,
        "server": {"product_version": "17.0.1000.7", "time_zone": "UTC", "now": "2026-06-02T12:00:00Z"},
        "logins": [{"name": LOGIN["user"], "password": LOGIN["password"], "users": [{"database": LOGIN["database"], "select": [{"on": "dbo"}, {"on": "cdc"}]}]}],
        "databases": [{
            "name": LOGIN["database"], "cdc": True, "tables": [{"name": "Copied", "primary_key": ["id"], "columns": columns, "rows": []}],
            "capture_instances": [{"name": "dbo_Copied", "table": "dbo.Copied", "start_lsn": "0x10", "created": "2026-06-01T08:00:00"}],
            "lsn_time_mapping": [{"lsn": "0x10", "local_time": "2026-06-01T08:05:00", "idle": True}, {"lsn": "0x50", "local_time": "2026-06-01T10:00:00", "idle": True}],
        }],
    }), encoding="utf-8")  # fmt: skip
    return file


# The cases.


def seed(program: Path, server: Any, copy: Path, target: Path) -> dict[str, float]:
    """The program's seed, which syncs what it writes; its times are those at which its lines arrive."""
    line = [
        str(program), "seed", "--server", server.address, "--encrypt", "none", "--database", LOGIN["database"], "--user", LOGIN["user"], "--json",
        "--table", "dbo.Copied", "--copy", str(copy), "--target", str(target), "--as-of", L, "--accept", "capture_stopped,values_unseen", "--confirm", "dbo.Copied",
    ]  # fmt: skip
    env = {**os.environ, "CDCSEED_PASSWORD": LOGIN["password"], "CDCSEED_STATE": str(target.parent / "state")}
    began, at, said = time.monotonic(), {}, {}
    run = subprocess.Popen(line, env=env, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    for text in run.stdout:
        now, said = time.monotonic(), json.loads(text)
        at[(said["type"], said.get("phase"))] = now
    if run.wait() != 0 or said["type"] != "result":
        raise SystemExit(f"the program failed: {said}")
    whole = time.monotonic() - began
    if plain := reader_checks.not_spliced(str(target)):
        raise SystemExit(f"files that were not spliced: {plain}")
    return {"splice": at["phase_done", "commit"] - at["phase_started", "stage"], "seed": whole}


def timed(write: Callable[[], str], target: Path, before: Callable[[], None] = lambda: None) -> dict[str, float]:
    """The seconds of a rival, with every file that it wrote synced."""
    before()
    began = time.monotonic()
    name = write()
    for file in target.rglob("*"):
        if file.is_file():
            with open(file, "rb") as held:
                os.fsync(held.fileno())
    return {name: time.monotonic() - began}


def by_duckdb(copy: Path, target: Path) -> str:
    with duckdb.connect(config={"threads": workers()}) as db:
        db.execute("SET preserve_insertion_order = false")
        listed = ", ".join([*map(_duck, BEFORE), *(f"{n}::SMALLINT AS {n}" if kind == "smallint" else n for n, kind in COLUMNS), *map(_duck, AFTER)])
        db.execute(f"COPY (SELECT {listed} FROM read_parquet('{copy}/*.parquet')) TO '{target}' (FORMAT parquet, COMPRESSION snappy, PER_THREAD_OUTPUT true)")
    return "DuckDB COPY"


def _duck(constant: tuple[str, str, Any]) -> str:
    name, kind, value = constant
    kind = {"STRING": "VARCHAR", "TIMESTAMP_NTZ": "TIMESTAMP"}.get(kind, kind)
    return f"CAST({'NULL' if value is None else repr(str(value))} AS {kind}) AS {name}"


def by_delta_rs(copy: Path, target: Path) -> str:
    table = DeltaTable(str(target))
    wanted = {name: ds.scalar(pa.scalar(value, ARROW[kind])) for name, kind, value in BEFORE}
    wanted |= {name: ds.field(name).cast(pa.int16()) if kind == "smallint" else ds.field(name) for name, kind in COLUMNS}
    wanted |= {name: ds.scalar(pa.scalar(value, ARROW[kind])) for name, kind, value in AFTER}
    write_deltalake(table, ds.dataset(copy, format="parquet").scanner(columns=wanted).to_reader(), mode="append")
    return "delta-rs append"


def by_spark(spark: Any, copy: Path, target: Path) -> str:
    listed = [*map(_spark, BEFORE), *(f"CAST({n} AS SMALLINT) AS {n}" if kind == "smallint" else n for n, kind in COLUMNS), *map(_spark, AFTER)]
    spark.read.parquet(str(copy)).selectExpr(*listed).write.format("delta").mode("append").save(str(target))
    return "Spark append"


def _spark(constant: tuple[str, str, Any]) -> str:
    name, kind, value = constant
    return f"CAST({'NULL' if value is None else repr(str(value))} AS {kind}) AS {name}"


def empty(spark: Any, target: Path) -> None:
    """The table that a rival appends to."""
    kinds = {"bigint": "BIGINT", "int": "INT", "smallint": "SMALLINT", "date": "DATE", "bit": "BOOLEAN"}
    held = [(n, kinds.get(k) or (k.upper() if k.startswith("decimal") else "TIMESTAMP_NTZ" if k.startswith("datetime2") else "STRING")) for n, k in COLUMNS]
    listed = ", ".join(f"{name} {kind}" for name, kind in [*((n, k) for n, k, _ in BEFORE), *held, *((n, k) for n, k, _ in AFTER)])
    spark.sql(f"CREATE TABLE delta.`{target}` ({listed}) USING delta")


def workers() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


# The rounds and what they come to.


def rounds(cases: dict[str, Case], work: Path, number: int, rows: int) -> dict[str, list[float]]:
    """Seconds by what they are of, one a round; a round before them warms the engines and the copy's pages, and its tables must hold every row."""
    taken: dict[str, list[float]] = defaultdict(list)
    rnd = random.Random(1)
    for at in range(number + 1):
        for name in rnd.sample(list(cases), len(cases)):
            target = work / "target"
            shutil.rmtree(target, ignore_errors=True)
            os.sync()
            found = cases[name](target)
            print(f"round {at} of {number}: {', '.join(f'{what} {seconds:.2f} s' for what, seconds in found.items())}", file=sys.stderr, flush=True)
            if at == 0:
                got = sum(pq.read_metadata(f).num_rows for f in target.rglob("*.parquet"))
                if got != rows:
                    raise SystemExit(f"{name} wrote {got} of {rows} rows")
                continue
            for what, seconds in found.items():
                taken[what].append(seconds)
    shutil.rmtree(work / "target", ignore_errors=True)
    return taken


def results(taken: dict[str, list[float]], rows: int, size: int) -> list[dict[str, Any]]:
    """A line for each case, then one for each ratio: that of the medians, and the least and the greatest of a round."""
    out: list[dict[str, Any]] = []
    for name, seconds in taken.items():
        middle = statistics.median(seconds)
        out.append({"type": "case", "case": name, "median_s": round(middle, 3), "least_s": round(min(seconds), 3), "most_s": round(max(seconds), 3),
                    "rows_per_s": round(rows / middle), "mb_per_s": round(size / middle / 1e6, 1)})  # fmt: skip
    for name in ("DuckDB COPY", "delta-rs append", "Spark append"):
        for ours in ("splice", "seed"):
            each = [a / b for a, b in zip(taken[name], taken[ours], strict=True)]
            ratio = statistics.median(taken[name]) / statistics.median(taken[ours])
            out.append({"type": "ratio", "of": name, "to": ours, "ratio": round(ratio, 1), "least": round(min(each), 1), "most": round(max(each), 1),
                        **({"goal": GOAL, "reached": ratio >= GOAL} if ours == "splice" else {})})  # fmt: skip
    return out


def machine(rows: int, size: int, number: int, files: int, work: Path) -> dict[str, Any]:
    model = next((line.split(":", 1)[1].strip() for line in _lines("/proc/cpuinfo") if line.startswith("model name")), platform.processor())
    memory = next((int(line.split()[1]) >> 20 for line in _lines("/proc/meminfo") if line.startswith("MemTotal")), None)
    kind = subprocess.run(["stat", "-f", "-c", "%T", str(work)], capture_output=True, text=True, check=False).stdout.strip()
    return {"type": "machine", "cores": workers(), "cpu": model, "memory_gib": memory, "file_system": kind, "kernel": platform.release(), "rows": rows, "bytes": size,
            "files": files, "rounds": number, "sync": True,
            "versions": {name: version(name) for name in ("duckdb", "deltalake", "pyspark", "delta-spark", "pyarrow")}}  # fmt: skip


def _lines(path: str) -> list[str]:
    return Path(path).read_text(encoding="utf-8").splitlines() if Path(path).exists() else []


def markdown(lines: list[dict[str, Any]]) -> str:
    """The page's table."""
    about, cases = lines[0], [line for line in lines if line["type"] == "case"]
    ratios = {(line["of"], line["to"]): line for line in lines if line["type"] == "ratio"}
    named = {"DuckDB COPY": "duckdb", "delta-rs append": "deltalake", "Spark append": "pyspark"}
    out = [
        f"{about['rows']:,} rows, {about['bytes'] / 1e9:.2f} GB in {about['files']} files; {about['cores']} cores ({about['cpu']}), {about['memory_gib']} GiB, "
        f"{about['file_system']}, kernel {about['kernel']}; {about['rounds']} rounds, interleaved, every file synced.",
        "",
        "| case | median | from, to | rows/s | to splice | least, most of a round | to the whole seed |",
        "|---|---|---|---|---|---|---|",
    ]
    for c in cases:
        name = c["case"] + (f" {about['versions'][named[c['case']]]}" if c["case"] in named else "")
        one, whole = ratios.get((c["case"], "splice")), ratios.get((c["case"], "seed"))
        beside = [f"**{one['ratio']}**", f"{one['least']}, {one['most']}", str(whole["ratio"])] if one and whole else ["", "", ""]
        out.append(f"| {name} | {c['median_s']:.2f} s | {c['least_s']:.2f}, {c['most_s']:.2f} s | {c['rows_per_s']:,} | {' | '.join(beside)} |")
    return "\n".join(out)


if __name__ == "__main__":
    main()
