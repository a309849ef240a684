"""Copies of six writers are spliced by the program; others read every value of the tables, ask what statistics may answer, and write on in them.

Usage: spliced.py CDCSEED [WORD...]
With WORDs only the cases whose names hold one of them. A served world has the tables; README.md says what each case is about.
"""

from __future__ import annotations

import json
import os
import shutil
import sys
from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import program
import pyarrow as pa
import pyarrow.compute as pc
import reader_checks
import served
import session
import spliced_copies as copies
import spliced_readers as readers
from spliced_copies import COLUMNS, PARTITIONS
from tally import Tally, same

LOGIN = {"database": "Spliced", "user": "reader", "password": "Spliced-only!1"}
L = "0x" + "50".zfill(20)
CAST = {"big", "kind", "noted"}
Way = tuple[set[str], set[str]]  # columns whose dictionaries alone are cast, and columns that are encoded anew; the others are copied

# How the file of each writer is made.
WAYS: dict[str, Way] = {
    "pyarrow-v1-snappy": ({"kind"}, {"big", "noted"}),
    "pyarrow-v2-zstd": ({"kind"}, {"big", "noted"}),
    "pyarrow-gzip": (set(), CAST),
    # Without statistics nothing proves that values are in range: they are looked at, where dictionaries hold them all in those.
    "pyarrow-unknown": (CAST | {"small", "price", "amount", "wide", "born", "changed", "seen"}, set()),
    "spark-v1-snappy": ({"kind"}, {"big", "noted"}),
    "spark-v2-zstd": ({"kind"}, {"big", "noted"}),
    "duckdb-v1-snappy": ({"kind"}, {"big", "noted"}),
    # It splits floating-point numbers into streams of bytes, and its differences of 32-bit numbers have 64 bits: not every reader has those.
    "duckdb-v2-zstd": (set(), CAST | {"weight", "n"}),
    "deltalake-zstd": ({"kind"}, {"big", "noted"}),
    "polars-snappy": (set(), CAST),
    # Its bounds of decimals in bytes are in the wrong order.
    "parquetgo-v1-snappy": (set(), CAST | {"wide"}),
}


@dataclass
class Case:
    """One copy and its target."""

    name: str
    table: str
    copy: Callable[[Any, Path], pa.Table]  # writes it; the rows that the table must hold
    ways: Callable[[str], Way]  # by a file's key
    target: Callable[[Any, str, pa.Schema], None] | None = None  # what stands there before
    rename: Callable[[str], str] = str  # a column's name in the copy and in the table
    asked: tuple[str, ...] = tuple(name for name, _, _ in COLUMNS)  # columns that questions are about


def spaced(name: str) -> str:
    """A name that Delta takes with column mapping alone."""
    return f"{name}, {{of}} Größe"


PARTED = ("id", "wide", "changed", "name", "kind", "day", "region")
FEW = ["pyarrow-v2-zstd", "spark-v1-snappy", "polars-snappy"]


def of_writer(key: str) -> Way:
    return WAYS[key.split("-", 1)[1].removesuffix(".parquet")]


def cases() -> list[Case]:
    return [
        Case("files of six writers", "Plain", lambda spark, copy: copies.folder(spark, copy, list(WAYS), str), of_writer),
        Case(
            "names that need column mapping", "Named", lambda spark, copy: copies.folder(spark, copy, FEW, spaced), of_writer,
            rename=spaced, asked=("id", "n", "seen", "city", "big", "noted"),
        ),
        Case("hive folders, into a mapped table of Spark", "Parted", lambda _, copy: copies.hive(copy), lambda _: (CAST, set()), mapped, asked=PARTED),
        Case("a partitioned Delta copy", "Parted", lambda _, copy: copies.delta(copy), lambda _: ({"big", "kind"}, {"noted"}), asked=PARTED),
    ]


def mapped(spark: Any, target: str, schema: pa.Schema) -> None:
    """An empty bronze table with column mapping, as Spark makes it."""
    listed = ", ".join(f"{readers.quoted(f.name, '`')} {spark_type(f.type)}" for f in schema)
    spark.sql(
        f"CREATE TABLE delta.`{target}` (_capture_instance STRING, _start_lsn STRING, _seqval STRING, _operation INT, _command_id INT, _commit_ts TIMESTAMP_NTZ, "
        f"{listed}, _batch_id INT, _snapshot STRING, _chunk INT) USING delta "
        "TBLPROPERTIES ('mssql_cdc.schema_version' = '2', 'delta.columnMapping.mode' = 'name')"
    )


def spark_type(kind: pa.DataType) -> str:
    if pa.types.is_timestamp(kind):
        return "TIMESTAMP" if kind.tz else "TIMESTAMP_NTZ"
    if pa.types.is_decimal(kind):
        return f"DECIMAL({kind.precision},{kind.scale})"
    return {"bool": "BOOLEAN", "int16": "SMALLINT", "int32": "INT", "int64": "BIGINT", "float": "FLOAT", "double": "DOUBLE", "date32[day]": "DATE",
            "string": "STRING", "binary": "BINARY"}[str(kind)]  # fmt: skip


def world() -> dict[str, Any]:
    """A server with the tables of the cases, whose rows nobody reads."""
    plain = [(name, kind) for name, kind, _ in COLUMNS]
    tables = {"Plain": plain, "Named": [(spaced(n), k) for n, k in plain], "Parted": plain + [(name, kind) for name, kind, _ in PARTITIONS]}
    return {
        "format": 1,
        "server": {"product_version": "17.0.1000.7", "time_zone": "UTC", "now": "2026-06-02T12:00:00Z"},
        "logins": [{"name": LOGIN["user"], "password": LOGIN["password"], "users": [{"database": LOGIN["database"], "select": [{"on": "dbo"}, {"on": "cdc"}]}]}],
        "databases": [{
            "name": LOGIN["database"], "cdc": True,
            "tables": [
                {"name": name, "primary_key": [held[0][0]], "columns": [{"name": n, "type": k, "nullable": n != held[0][0]} for n, k in held], "rows": []}
                for name, held in tables.items()
            ],
            "capture_instances": [{"name": f"dbo_{name}", "table": f"dbo.{name}", "start_lsn": "0x10", "created": "2026-06-01T08:00:00"} for name in tables],
            "lsn_time_mapping": [{"lsn": "0x10", "local_time": "2026-06-01T08:05:00", "idle": True}, {"lsn": "0x50", "local_time": "2026-06-01T10:00:00", "idle": True}],
        }],
    }  # fmt: skip


class Bench:
    """One case at work below a folder of its own, which is new."""

    def __init__(self, spark: Any, case: Case, server: Any, work: Path, tally: Tally) -> None:
        work.mkdir(parents=True)
        self.spark, self.case, self.server, self.work, self.tally = spark, case, server, work, tally
        self.target = str(work / "bronze")
        self.key = case.rename("id")
        self.want = case.copy(spark, work / "copy")
        if case.target is not None:
            case.target(spark, self.target, self.want.schema)

    def play(self) -> None:
        name = self.case.name
        self.tally.check(f"{name}: the plan splices every file, each column as is due", self.plan)
        self.tally.check(f"{name}: the program seeds it", self.seed)
        if not Path(self.target, "_delta_log", "00000000000000000001.json").exists():
            return
        self.tally.check(f"{name}: every file is a spliced one", self.spliced)
        self.read("")
        asked = self.want.select([self.case.rename(column) for column in self.case.asked])
        for engine, question in readers.questions(self.spark, self.target, asked).items():
            self.tally.check(f"{name}: {engine} counts NULLs and rows at the bounds right", question)
        self.told()
        self.tally.check(f"{name}: Spark appends rows", self.append)
        self.tally.check(f"{name}: Spark merges: updates, deletes and inserts", self.merge)
        self.read(" after the MERGE")
        self.tally.check(f"{name}: Spark optimizes it", self.optimize)
        self.read(" after OPTIMIZE")

    # The seed.

    def run(self, *more: str) -> program.Said:
        arguments = ["--table", f"dbo.{self.case.table}", "--copy", str(self.work / "copy"), "--target", self.target, "--as-of", L,
                     "--copy-time-zone", "UTC", "--check", "all", "--accept", "capture_stopped", *more]  # fmt: skip
        said = program.seed(self.server, LOGIN, self.work / "state", f"dbo.{self.case.table}", arguments)
        same("exit status", (said.status, said.summary() if said.status else ""), (0, ""))
        return said

    def plan(self) -> None:
        out = self.work / "plan.json"
        self.run("--dry-run", "--plan-out", str(out))
        manners = json.loads(out.read_text(encoding="utf-8"))["stage"]["ways"]
        files = [json.loads(line) for line in out.with_suffix(".files.jsonl").read_text(encoding="utf-8").splitlines()]
        same("files", len(files) > 0, True)
        for file in files:
            manner = manners[file.get("ways", 0)]
            same(f"{file['key']} is written anew, because", manner.get("rewrite"), None)
            found: dict[str, list[str]] = defaultdict(list)
            for column in manner["columns"]:
                found["copied" if column["way"] == "annotated" else column["way"]].append(column["name"])
            dictionary, recoded = ({self.case.rename(n) for n in names} for names in self.case.ways(file["key"]))
            beside = {self.case.rename(n) for n, _, _ in PARTITIONS if self.case.table == "Parted"}
            copied = set(self.want.column_names) - dictionary - recoded - beside
            expected = {"copied": copied, "dictionary": dictionary, "recoded": recoded, "constant": beside}
            same(f"the ways of {file['key']}", {w: sorted(n) for w, n in sorted(found.items())}, {w: sorted(n) for w, n in sorted(expected.items()) if n})

    def seed(self) -> None:
        same("rows", self.run().last["rows"], self.want.num_rows)

    def spliced(self) -> None:
        same("files that are not", reader_checks.not_spliced(self.target), [])
        same("files", len(reader_checks.files(self.target)), len(list((self.work / "copy").rglob("*.parquet"))))

    # What others read.

    def read(self, when: str) -> None:
        for reader, read in readers.full(self.spark, self.target, self.want).items():
            self.tally.check(f"{self.case.name}: {reader} reads every value{when}", lambda read=read: readers.equal(read(), self.want, self.key))

    def told(self) -> None:
        """Rows that are not the table's must be told, column by column: a value changed, a value lost."""

        def body() -> None:
            held = readers.full(self.spark, self.target, self.want)["the files, by pyarrow"]()
            for name in self.want.column_names[1:]:
                column = self.want[name].combine_chunks()
                spoiled = pa.concat_arrays([pa.nulls(1, column.type) if column[0].is_valid else _any(column), column.slice(1)])
                other = self.want.set_column(self.want.column_names.index(name), name, spoiled)
                if not _differs(held, other, self.key, name):
                    raise AssertionError(f"nothing tells that a value of {name} is another")
            same("a lost row is told", _differs(held, self.want.slice(1), self.key, "rows"), True)

        self.tally.check(f"{self.case.name}: told: a wrong value of each column, a lost row", body)
        if self.case.table == "Plain":
            self.tally.check(f"{self.case.name}: told: statistics that hide NULLs, and a greatest value", self.statistics_told)

    def statistics_told(self) -> None:
        """Copies of the table whose log has no NULL, or a too small bound, of one column: what Spark then skips must be told."""
        spoil = {"nullCount": lambda stats: 0, "maxValues": lambda stats: stats["minValues"]["n"]}
        for part, value in spoil.items():
            spoiled = self.work / f"spoiled-{part}"
            shutil.copytree(self.target, spoiled)
            log = spoiled / "_delta_log" / "00000000000000000001.json"
            actions = [json.loads(line) for line in log.read_text(encoding="utf-8").splitlines()]
            for action in actions:
                stats = json.loads(action["add"]["stats"]) if "add" in action else {}
                if "n" in stats.get("minValues", {}):
                    stats[part]["n"] = value(stats)
                    action["add"]["stats"] = json.dumps(stats)
            log.write_text("".join(json.dumps(a) + "\n" for a in actions), encoding="utf-8")
            try:
                readers.questions(self.spark, str(spoiled), self.want.select(["id", "n"]))["Spark"]()
            except AssertionError as e:
                same(f"what is told of {part} is about counts of n", "counts" in str(e) and "`n`" in str(e), True)
            else:
                raise AssertionError(f"nothing tells a wrong {part}")

    # What Spark writes on.

    def append(self) -> None:
        key = readers.quoted(self.key, "`")
        frame = self.spark.read.format("delta").load(self.target)
        frame.where(f"{key} % 97 = 0").withColumn(self.key, frame[key] + 10_000_000).write.format("delta").mode("append").save(self.target)
        more = self._rows(lambda i: i % 97 == 0)
        self.want = pa.concat_tables([self.want, more.set_column(0, more.schema.field(0), pc.add(more[0], 10_000_000))])

    def merge(self) -> None:
        """Of the rows of two files: every 31st gets another n and name, every 37th goes; a few come."""
        ids = [i for i in self.want[0].to_pylist() if i < 2 * copies.ROWS]
        gone = {i for i in ids if i % 37 == 0}
        changed = {i: (i * 3, f"merged {i}") for i in ids if i % 31 == 0 and i not in gone}
        come = {20_000_000 + i: (i, f"new {i}") for i in range(5)}
        given = [(i, None, None, True) for i in gone] + [(i, *v, False) for i, v in (changed | come).items()]
        self.spark.createDataFrame(given, "id BIGINT, n INT, name STRING, gone BOOLEAN").createOrReplaceTempView("given")
        key, n, name = (readers.quoted(self.case.rename(c), "`") for c in ("id", "n", "name"))
        self.spark.sql(
            f"MERGE INTO delta.`{self.target}` t USING given ON t.{key} = given.id WHEN MATCHED AND given.gone THEN DELETE "
            f"WHEN MATCHED THEN UPDATE SET t.{n} = given.n, t.{name} = given.name WHEN NOT MATCHED THEN INSERT ({key}, {n}, {name}) VALUES (given.id, given.n, given.name)"
        )
        rows = [row for row in self.want.to_pylist() if row[self.key] not in gone]
        for row in rows:
            if row[self.key] in changed:
                row[self.case.rename("n")], row[self.case.rename("name")] = changed[row[self.key]]
        rows += [{self.key: i, self.case.rename("n"): v[0], self.case.rename("name"): v[1]} for i, v in come.items()]
        self.want = pa.Table.from_pylist(rows, self.want.schema)

    def optimize(self) -> None:
        self.spark.sql(f"OPTIMIZE delta.`{self.target}`")
        same("every file is another", len(reader_checks.not_spliced(self.target)), len(reader_checks.files(self.target)))

    def _rows(self, wanted: Callable[[int], bool]) -> pa.Table:
        return self.want.filter(pa.array([wanted(i) for i in self.want[0].to_pylist()]))


def _any(column: pa.Array) -> pa.Array:
    """Some value of a column; of one that has none, an empty text."""
    there = column.drop_null()
    return there.slice(0, 1) if len(there) else pa.array([""], column.type)


def _differs(held: pa.Table, want: pa.Table, key: str, says: str) -> bool:
    try:
        readers.equal(held, want, key)
    except AssertionError as e:
        return str(e).startswith(says)
    return False


def run(spark: Any, work: Path, words: list[str], tally: Tally) -> None:
    """The cases whose names hold one of the words, or all, below work."""
    work.mkdir(parents=True)
    (work / "world.json").write_text(json.dumps(world()), encoding="utf-8")
    server = served.start(str(work / "world.json"))
    try:
        for number, case in enumerate(cases()):
            if not words or any(word in case.name for word in words):
                tally.check(f"{case.name}: played to its end", lambda case=case, number=number: Bench(spark, case, server, work / str(number), tally).play())
    finally:
        server.close()


def main(argv: list[str]) -> int:
    if not argv:
        raise SystemExit(__doc__)
    os.environ["CDCSEED_PROGRAM"] = str(Path(argv[0]).resolve())
    tally = Tally()
    with session.below("spliced") as (spark, work):
        run(spark, work / "cases", argv[1:], tally)
    return tally.close()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
