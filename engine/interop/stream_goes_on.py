"""A table is seeded by the program, and the package's stream goes on from it: the whole life of a seed, step by step.

Usage: stream_goes_on.py CDCSEED [PART...]
PART is the name of one of the parts below, such as seam; without one, all of them run.
Each part has a source of its own: a world that the program's fake server serves over TDS. The package reads it with
its default backend, on Spark. README.md says in words what each part shows.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from typing import Any

import copies
import reader_checks
import session
from life import Life
from tally import Tally, same

ORDERS = {"database": "Sales", "user": "svc_cdc_ro", "password": "Demo-only!1"}
SHOP = {"database": "Shop", "user": "reader", "password": "Shop-only!1"}
# The copy started in the first pass of the hour that the server's clock showed twice, at 02:40 summer time.
AS_OF, L, L_TIME = "2026-10-25T02:40:00+02:00", "0x0000002A0005320B0001", "2026-10-24T23:36:20.153"


def main(argv: list[str]) -> int:
    if not argv:
        raise SystemExit(__doc__)
    os.environ["CDCSEED_PROGRAM"] = str(Path(argv[0]).resolve())
    tally = Tally()
    with session.below("stream") as (spark, work):
        run(spark, work, argv[1:], tally)
    return tally.close()


def run(spark: Any, work: Path, names: list[str], tally: Tally) -> None:
    """The parts of those names, or all, below work."""
    for part in PARTS:
        if not names or part.__name__ in names:
            print(f"-- {part.__doc__}", flush=True)
            tally.check(f"{part.__name__} is played to its end", lambda part=part: part(spark, work / part.__name__, tally))


def first_seed(spark: Any, work: Path, tally: Tally) -> None:
    """The stream goes on from a seed, and everything the package offers takes it for its own."""
    with Life(spark, work, tally, "orders-clock-change", ORDERS, "dbo.Orders", "dbo_Orders", "OrderId") as life:
        copy = life.copy_now("copy")
        said = life.seed(copy, AS_OF, "app", "--accept", "fell_back")
        tally.check("1. the program seeds from a time in the repeated hour", lambda: same("offset", said.offset(), {"lsn": L, "commit_ts": L_TIME}))
        tally.check("1. it splices the copy's file", lambda: same("files that are not spliced", reader_checks.not_spliced(life.bronze), []))
        tally.check("2. the stream reads each change after L once, and takes no snapshot", lambda: life.stream_reads_the_rest(L, 3001, "app"))
        tally.check("3. one bootstrap row, and it is ours", lambda: same("events", life.events(), [("app", "bootstrap", L, 3001)]))
        frame = spark.read.parquet(str(copy))
        offset = {"lsn": L, "commit_ts": L_TIME}
        for as_of in (datetime.fromisoformat(AS_OF), L):
            tally.check(f"4. the package's seed() again, as of {as_of}, returns our offset and writes nothing", lambda as_of=as_of: life.unchanged(
                lambda: life.jobs.seed(life.bronze, frame, as_of, app_id="app", facts_table=life.facts), offset))
        tally.check("5. snapshot() returns L and reads nothing", lambda: life.unchanged(
            lambda: life.jobs.snapshot(life.bronze, app_id="app", facts_table=life.facts), offset))
        tally.check("6. silver equals the source table", lambda: life.silver_is_the_source(rebuilt=True))
        tally.check("7. reconcile() finds no difference", life.reconciles)
        tally.check("8. backfill() has nothing to do", lambda: same(
            "state", life.jobs.backfill(life.bronze, app_id="app", facts_table=life.facts)["state"], "no_snapshot"))
        tally.check("9. Spark appends to the table, and its history has our userMetadata", lambda: life.history_after_an_append(
            f'{{"seed": "dbo_Orders", "lsn": "{L}", "commit_ts": "{L_TIME}"}}'))
        tally.check("10. delta-rs and DuckDB read the rows that Spark reads", life.readers_agree)
        # Step 9 has left a change that is there twice; these would not be questions if it went unseen.
        must_fail(tally, "a change that is there twice", "changes that are not there once", lambda: life.each_change_once(L, 3001))
        must_fail(tally, "rows of another snapshot", "snapshots", lambda: life.each_change_once(L, 3000))
        must_fail(tally, "a call that writes", "files", lambda: life.unchanged(lambda: (life.touch(), offset)[1], offset))
        life.spoil_silver()
        must_fail(tally, "a value of silver that is not the source's", "Quantity", life.silver_values)
        must_fail(tally, "the same by reconcile()", "differences", life.reconciles)


def seam(spark: Any, work: Path, tally: Tally) -> None:
    """Where the copy is newer than L: a row with its newest image, and a row that a later commit deletes."""
    with Life(spark, work, tally, "shop", SHOP, "dbo.Item", "dbo_Item", "ItemId") as life:
        # The copy has item 1 as the commit at 0x30 leaves it, and item 3, which the one at 0x60 deletes.
        start = "0x" + "20".zfill(20)
        life.seed(copies.write("item", work), start, "app")
        tally.check("1. each change after L once", lambda: life.stream_reads_the_rest(start, 4, "app"))
        tally.check("2. the newest image per key: item 1 once, no item 3", lambda: same(
            "rows", life.newest_images(), {1: "ONE", 2: "two", 4: "four", 5: "five"}))
        tally.check("3. silver equals the source table", lambda: life.silver_is_the_source(rebuilt=True))
        tally.check("4. reconcile() finds no difference", life.reconciles)


def recovery(spark: Any, work: Path, tally: Tally) -> None:
    """The stream lost data: the target is seeded again from a newer copy, and a new stream goes on."""
    with Life(spark, work, tally, "shop", SHOP, "dbo.Item", "dbo_Item", "ItemId") as life:
        first = "0x" + "20".zfill(20)
        life.seed(copies.write("item", work), first, "old")
        life.stream("old")
        tally.check("1. silver equals the source table", lambda: life.silver_is_the_source(rebuilt=True))
        for come, gone in ((7, 2), (8, 4), (9, 5)):
            life.commit({"op": "insert", "row": [come, f"new {come}", None, None]}, {"op": "delete", "key": {"ItemId": gone}})
        newest = life.newest_lsn()
        life.cleanup(newest)
        tally.check("2. the stream stops with DataLossError", lambda: life.stream_loses_data("old"))
        copy = life.copy_now("newer")
        life.commit({"op": "update", "row": {"ItemId": 7, "Name": "seven"}})
        said = life.seed(copy, newest, "new", "--reseed", "--accept", "reseed,stream_must_be_stopped")
        tally.check("3. the program seeds the target again", lambda: same("position", (said.last.get("state"), said.last.get("lsn")), ("ready", newest)))
        tally.check("4. the new stream reads each change after it once", lambda: life.stream_reads_the_rest(newest, copies.rows(copy), "new"))
        tally.check("5. a bootstrap row for each seed", lambda: same("events", life.events(), [
            ("old", "bootstrap", first, 4), ("new", "bootstrap", newest, copies.rows(copy))]))
        tally.check("6. silver is rebuilt, and equals the source table", lambda: life.silver_is_the_source(rebuilt=True))
        tally.check("7. reconcile() finds no difference", life.reconciles)
        tally.check("8. snapshot() returns the newer position", lambda: same("lsn", life.jobs.snapshot(life.bronze)["lsn"], newest))


def must_fail(tally: Tally, name: str, says: str, question: Callable[[], None]) -> None:
    """A question about what was spoiled: it must raise, with the words that it has for it."""

    def body() -> None:
        try:
            question()
        except AssertionError as e:
            same("the failure is of what was spoiled", says in str(e), True)
        else:
            raise AssertionError("nothing told")

    tally.check(f"told: {name}", body)


PARTS = (first_seed, seam, recovery)

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
