"""One table's life: its source, its copy, the seed, the stream, silver; and the questions that stream_goes_on.py asks of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import copies
import logs
import program
import pyarrow as pa
import reader_checks
import served
from deltalake import DeltaTable
from mssql_cdc import apply_changes, is_data_loss, make_client, reconcile, stream
from tally import Tally, same

IDENTITY = ("_start_lsn", "_seqval", "_operation")


class Life:
    """A served world and the tables below a folder, which is new."""

    def __init__(self, spark: Any, work: Path, tally: Tally, world: str, login: dict[str, str], table: str, instance: str, key: str) -> None:
        work.mkdir(parents=True)
        self.spark, self.work, self.tally, self.login, self.table, self.key = spark, work, tally, login, table, key
        self.server = served.start(world)
        self.options = self.server.options(captureInstance=instance, **login)
        self.instance = instance
        self.jobs = stream(spark, self.options)
        self.bronze, self.facts, self.silver, self.control = (str(work / name) for name in ("bronze", "facts", "silver", "control"))

    def __enter__(self) -> Life:
        return self

    def __exit__(self, *_: object) -> None:
        self.server.close()

    # What happens.

    def copy_now(self, name: str) -> Path:
        """A copy of the source table as it is now."""
        return copies.read_as_the_stream_does(self.spark, self.options, self.work / name / "part.parquet")

    def seed(self, copy: Path, as_of: str, app_id: str, *more: str) -> program.Said:
        """The program's seed of the target, recorded in the facts table."""
        arguments = ["--table", self.instance, "--copy", str(copy), "--target", self.bronze, "--target-name", self.bronze,
                     "--facts", self.facts, "--app-id", app_id, "--as-of", as_of, *more]  # fmt: skip
        said = program.seed(self.server, self.login, self.work / "state", self.table, arguments)
        if said.status != 0:
            raise AssertionError(f"the seed failed: {said.summary()}")
        return said

    def stream(self, app_id: str) -> None:
        """The package's stream of an app id, with a checkpoint of its own, until it has read everything."""
        query = self.jobs.to_delta(self.bronze, app_id, str(self.work / f"checkpoint-{app_id}"), self.facts, trigger={"availableNow": True}, bootstrap=True)
        if not query.awaitTermination(300):
            raise AssertionError("the stream did not end within 300 seconds")

    def commit(self, *changes: dict[str, Any]) -> None:
        self.server.control("commit", database=self.login["database"], changes=[{"table": self.table, **c} for c in changes])

    def cleanup(self, to: str) -> None:
        self.server.control("cleanup", database=self.login["database"], to=to)

    def newest_lsn(self) -> str:
        with closing(make_client(self.options)) as client:
            return client.max_lsn()

    def touch(self) -> None:
        (Path(self.bronze) / "touched").write_text("", encoding="ascii")

    def spoil_silver(self) -> None:
        ident = self.read(self.silver).agg({self.key: "min"}).first()[0]
        self.spark.sql(f"UPDATE delta.`{self.silver}` SET Quantity = Quantity + 1 WHERE {self.key} = {ident}")

    # What must be.

    def read(self, path: str) -> Any:
        return self.spark.read.format("delta").load(path)

    def stream_reads_the_rest(self, position: str, seeded: int, app_id: str) -> None:
        self.stream(app_id)
        self.each_change_once(position, seeded)

    def each_change_once(self, position: str, seeded: int) -> None:
        """The target has the seed's rows, no other snapshot at or after it, and each later change of the source once."""
        rows = self.read(self.bronze).where(f"_start_lsn >= '{position}'")
        snapshots = rows.where("_operation = 0").groupBy("_snapshot").count().collect()
        same("snapshots", [(r["_snapshot"], r["count"]) for r in snapshots], [(position, seeded)])
        got = Counter(tuple(r) for r in rows.where(f"_operation <> 0 AND _start_lsn > '{position}'").select(*IDENTITY, self.key).collect())
        same("changes that are not there once", [c for c, n in got.items() if n != 1], [])
        want = self.changes_after(position)
        same("changes of the source", len(want) > 0, True)
        same("changes", sorted(got), sorted(want))

    def changes_after(self, position: str) -> list[tuple[Any, ...]]:
        """What the source's change table holds after a position, by the package's client alone."""
        with closing(make_client(self.options)) as client:
            batches = client.iter_changes(self.instance, position, client.max_lsn(), [self.key], True, 1000)
            found = [row for batch in batches for row in batch.to_pylist()]
        return [(r["_start_lsn"], r["_seqval"], r["_operation"], r[self.key]) for r in found if r["_start_lsn"] > position]

    def events(self) -> list[tuple[Any, ...]]:
        """Rows of the facts table that are events, oldest first."""
        rows = self.read(self.facts).where("event IS NOT NULL").orderBy("written_at").collect()
        return [(r["app_id"], r["event"], r["max_lsn"], r["rows"]) for r in rows]

    def unchanged(self, call: Callable[[], Any], want: dict[str, str]) -> None:
        """The call answers with want, and no file of bronze or facts differs after it."""
        before = [logs.listing(Path(p)) for p in (self.bronze, self.facts)]
        same("answer", dict(call()), want)
        same("files", [logs.listing(Path(p)) for p in (self.bronze, self.facts)], before)

    def stream_loses_data(self, app_id: str) -> None:
        try:
            self.stream(app_id)
        except Exception as e:  # Spark wraps what its worker raised
            same(f"data loss is what stopped it: {type(e).__name__}", is_data_loss(e), True)
        else:
            raise AssertionError("the stream went on")

    def newest_images(self) -> dict[int, str]:
        """Names of the items by key, from the newest snapshot's rows and the later changes, by hand."""
        rows = self.read(self.bronze).select("_start_lsn", "_command_id", "_seqval", "_operation", self.key, "Name").collect()
        images: dict[int, tuple[Any, ...]] = {}
        for r in rows:
            order = (r[0], r[1] is not None, r[1], r[2] or "", r[3])
            if r[3] != 3 and order >= images.get(r[4], (("",),))[0]:
                images[r[4]] = (order, r[3], r[5])
        return {k: name for k, (_, operation, name) in sorted(images.items()) if operation != 1}

    def silver_is_the_source(self, rebuilt: bool) -> None:
        """apply_changes() brings silver up to bronze; every captured value then is the source table's."""
        result = apply_changes(self.spark, self.bronze, self.silver, keys=[self.key], capture_instance=self.instance,
                               control_table=self.control, facts_table=self.facts, options=self.options)
        same("rebuilt", result["rebuilt"], rebuilt)
        self.silver_values()

    def silver_values(self) -> None:
        source = self.spark.read.format("mssql_cdc_snapshot").options(**self.options).load()
        names = [c for c in source.columns if not c.startswith("_")]
        theirs, ours = (frame.select(names).orderBy(self.key).toArrow() for frame in (source, self.read(self.silver)))
        same("rows", ours.num_rows, theirs.num_rows)
        for name in names:
            wrong = [(a, b) for a, b in zip(ours[name].to_pylist(), theirs[name].to_pylist(), strict=True) if a != b]
            same(f"values of {name} in silver and in the source that differ", wrong[:5], [])

    def reconciles(self) -> None:
        result = reconcile(self.spark, self.options, self.silver, keys=[self.key], bronze=self.bronze, control_table=self.control,
                           facts_table=self.facts, bucket_rows=1000, sample=1.0, seed=1)
        same("differences", (result["mismatch"], result["failures"]), (0, {}))
        same("buckets compared row by row", result["hashed"], result["buckets"])
        same("buckets", result["buckets"] > 0, True)

    def history_after_an_append(self, tag: str) -> None:
        """Spark appends a copy of the newest change as a batch of its own would be; the seed's commit stays what it is."""
        before = DeltaTable(self.bronze).version()
        self.read(self.bronze).where("_operation <> 0").orderBy("_start_lsn").limit(1).write.format("delta").mode("append").save(self.bronze)
        same("version", DeltaTable(self.bronze).version(), before + 1)
        told = [r for r in self.spark.sql(f"DESCRIBE HISTORY delta.`{self.bronze}`").collect() if r["userMetadata"] == tag]
        same("commits with our userMetadata", [(r["operation"], r["isBlindAppend"]) for r in told], [("WRITE", True)])

    def readers_agree(self) -> None:
        tables: dict[str, pa.Table] = {
            "delta-rs": DeltaTable(self.bronze).to_pyarrow_table(),
            "DuckDB": reader_checks.duck(self.bronze),
            "Spark": self.read(self.bronze).toArrow(),
        }
        reader_checks.agree(tables, 3)
