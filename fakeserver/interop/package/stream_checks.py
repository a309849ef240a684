"""The package's jobs on Spark over TDS: a bootstrap, the stream that goes on from it, a seed, a chunked snapshot, and a comparison with the source."""

import pathlib
import shutil
import tempfile
import unittest
from datetime import datetime

import serving
import session
from mssql_cdc import apply_changes, reconcile, stream
from test_types import LARGE, LOGIN, TYPES, text

NOW = {"availableNow": True}


class Stream(unittest.TestCase):
    maxDiff = None

    @classmethod
    def setUpClass(cls):
        cls.work = pathlib.Path(tempfile.mkdtemp())
        cls.addClassCleanup(shutil.rmtree, cls.work, ignore_errors=True)
        cls.spark = session.start(cls.work)
        cls.addClassCleanup(cls.spark.stop)

    def path(self, name):
        return str(self.work / self.id().rsplit(".", 1)[-1] / name)

    def read(self, name):
        return self.spark.read.format("delta").load(self.path(name))

    def serve(self, world, **options):
        server = serving.World(world)
        self.addCleanup(server.close)
        return server, server.options(**options)

    def run_stream(self, options, **how):
        query = stream(self.spark, options).to_delta(
            self.path("bronze"), "app", self.path("checkpoint"), self.path("facts"), trigger=NOW, bootstrap=True, **how
        )
        self.assertTrue(query.awaitTermination(300))

    def values(self, frame):
        """Each column of the types as text, in the order of the rows' keys."""
        table = frame.orderBy("_start_lsn", "_command_id", "_operation", "Id").select(*TYPES).toArrow()
        return {name: [text(v.cast(TYPES[name][1])) for v in table[name]] for name in TYPES}

    def test_every_type_in_the_table_that_the_stream_writes(self):
        server, options = self.serve("types", captureInstance="dbo_Everything", **LOGIN)
        self.run_stream(options)
        got = self.values(self.read("bronze"))
        for name, (_, _, want) in TYPES.items():
            with self.subTest(name):
                self.assertEqual(got[name], want)
        server.control(
            "commit",
            database="Types",
            changes=[
                {"table": "dbo.Everything", "op": "update", "row": {"Id": 2, "Bigint": 5, "Guid": "0f0e0d0c-0000-0000-0000-00000000000a"}},
                {"table": "dbo.Everything", "op": "insert", "row": {"Id": 7, "Time3": "01:02:03.004", "Char": "é", "Datetime": "2026-06-02T00:00:00.009"}},
            ],
        )
        self.run_stream(options)
        changes = self.read("bronze").where("_operation <> 0")
        got = self.values(changes)
        new = {"Bigint": "5", "Guid": "0F0E0D0C-0000-0000-0000-00000000000A"}
        inserted = {"Time3": "01:02:03.004000000", "Char": "é    ", "Datetime": "2026-06-02 00:00:00.010000"}
        for name, (_, _, rows) in TYPES.items():
            with self.subTest(name):
                before = None if name in LARGE else rows[1]
                self.assertEqual(got[name], [before, new.get(name, rows[1]), inserted.get(name)])
        facts = self.read("facts").where("event = 'bootstrap' OR (event IS NULL AND rows > 0)").collect()
        (event, batch) = sorted(facts, key=lambda r: r["event"] is None)
        self.assertEqual((event["event"], event["max_lsn"], event["rows"]), ("bootstrap", "0x00000000000000000050", 6))
        self.assertEqual((batch["rows"], batch["inserts"], batch["updates"], batch["network_wait_ms"]), (3, 1, 1, 0))
        self.assertEqual(batch["retention_watermark_ts"], datetime(2026, 6, 1, 8, 5))

    def test_a_seed_in_the_repeated_hour_and_what_follows(self):
        _, options = self.serve("orders-clock-change", captureInstance="dbo_Orders")
        jobs = stream(self.spark, options)
        copy = self.spark.read.format("mssql_cdc_snapshot").options(**options).load()
        copy = copy.select([c for c in copy.columns if not c.startswith("_")]).localCheckpoint()
        offset = jobs.seed(self.path("bronze"), copy, datetime(2026, 10, 25, 1, 10), app_id="app", facts_table=self.path("facts"))
        self.assertEqual(dict(offset), {"lsn": "0x0000002A0005490A0001", "commit_ts": "2026-10-25T01:08:18.153"})
        self.run_stream(options)
        counts = {r["_operation"]: r["count"] for r in self.read("bronze").groupBy("_operation").count().collect()}
        self.assertEqual(counts, {0: 3001, 1: 8, 2: 9, 3: 16, 4: 16})
        first = self.read("bronze").where("_operation <> 0").orderBy("_start_lsn").first()
        self.assertEqual((first["_start_lsn"], first["_commit_ts"]), ("0x0000002A00054AD10001", datetime(2026, 10, 25, 1, 15, 32, 153000)))
        apply_changes(
            self.spark, self.path("bronze"), self.path("silver"), keys=["OrderId"], capture_instance="dbo_Orders", control_table=self.path("control")
        )
        result = reconcile(
            self.spark, options, self.path("silver"), bronze=self.path("bronze"), control_table=self.path("control"),
            facts_table=self.path("facts"), bucket_rows=500, sample=1.0, seed=1,
        )  # fmt: skip
        # Seven buckets of 500 values of the key, each compared row by row: nothing differs.
        self.assertEqual((result["buckets"], result["match"], result["hashed"], result["failures"]), (7, 7, 7, {}))

    def test_a_snapshot_in_chunks(self):
        _, options = self.serve("access", captureInstance="dbo_Page", user="all", password="Access-1", database="Docs")
        self.run_stream(options, snapshot="chunked")
        done = stream(self.spark, options).backfill(
            self.path("bronze"), app_id="app", facts_table=self.path("facts"), chunk_rows=2, isolation="snapshot"
        )
        self.assertEqual((done["state"], done["chunks_done"], done["chunks_total"]), ("done", 2, 2))
        rows = self.read("bronze").where("_operation = 0").orderBy("Shelf", "Id").collect()
        self.assertEqual(
            [(r["Shelf"], r["Id"], r["_chunk"], r["_snapshot"]) for r in rows],
            [(s, i, c, "0x00000000000000000050") for s, i, c in (("a", 1, 0), ("a", 2, 0), ("b", 1, 1), ("c", 1, 1), ("c", 9, 1))],
        )


if __name__ == "__main__":
    unittest.main()
