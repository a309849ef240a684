"""What stands in a target before a seed: older tables, snapshots of others, locks. Each function takes Spark, the package's jobs, and the paths of the two tables."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import datetime
from typing import Any

from cases import lsn
from mssql_cdc import events, sink

BRONZE = (
    "_capture_instance STRING, _start_lsn STRING, _seqval STRING, _operation INT, _command_id INT, _commit_ts TIMESTAMP_NTZ, "
    "ItemId INT, Name STRING, Price DECIMAL(10,2), Changed TIMESTAMP_NTZ, _batch_id INT"
)
SNAPSHOTS = ", _snapshot STRING, _chunk INT"
# The facts columns that came with each migration, up to the sixth; later ones change comments only.
FACTS_CAME = {"source_rtt_ms": 1, "read_seconds": 1, "read_mb": 1, "network_wait_ms": 1, "retention_watermark_ts": 2, "retention_headroom_hours": 2,
              "event": 3, "lost_from_ts": 3, "lost_to_ts": 3, "source_max_commit_ts": 4, "capture_lag_seconds": 4, "ingestion_lag_seconds": 4,
              "end_lsn": 5, "end_commit_ts": 5, "detail": 6}  # fmt: skip


def create(spark: Any, path: str, columns: str, version: int) -> None:
    stamp = f" TBLPROPERTIES ('mssql_cdc.schema_version' = '{version}')" if version else ""
    spark.sql(f"CREATE TABLE delta.`{path}` ({columns}) USING delta{stamp}")


def rows(spark: Any, path: str, columns: str, values: list[tuple[Any, ...]]) -> None:
    spark.createDataFrame(values, columns).coalesce(1).write.format("delta").mode("append").save(path)


def change(position: str, ident: int, more: tuple[Any, ...] = ()) -> tuple[Any, ...]:
    """An inserted item as the stream wrote it."""
    return ("dbo_Item", lsn(position), lsn(position), 2, 1, None, ident, "old", None, None, 0, *more)


def older_bronze(version: int) -> Callable[..., None]:
    """A table that the stream of an older release made, with two of its rows."""

    def make(spark: Any, _jobs: Any, bronze: str, _facts: str) -> None:
        create(spark, bronze, BRONZE, version)
        rows(spark, bronze, BRONZE, [change("0x20", 4), change("0x30", 1)])

    return make


def older_facts(version: int) -> Callable[..., None]:
    """A facts table of an older release, with a batch of another stream."""

    def make(spark: Any, _jobs: Any, _bronze: str, facts: str) -> None:
        kept = [(n, t) for n, t, _ in sink.FACTS_COLUMNS if FACTS_CAME.get(n, 0) <= version]
        columns = ", ".join(f"{n} {t}" for n, t in kept)
        create(spark, facts, columns, version)
        told = {"app_id": "other", "batch_id": 0, "rows": 3}
        rows(spark, facts, columns, [tuple(told.get(n) for n, _ in kept)])

    return make


def both(*makes: Callable[..., None]) -> Callable[..., None]:
    def make(*about: Any) -> None:
        for one in makes:
            one(*about)

    return make


def stream_rows(spark: Any, _jobs: Any, bronze: str, _facts: str) -> None:
    """A table of today with changes alone."""
    create(spark, bronze, BRONZE + SNAPSHOTS, 2)
    rows(spark, bronze, BRONZE + SNAPSHOTS, [change("0x20", 4, (None, None))])


def a_chunk(spark: Any, _jobs: Any, bronze: str, _facts: str) -> None:
    """A chunk of a chunked snapshot opened at 0x20, read at 0x30."""
    create(spark, bronze, BRONZE + SNAPSHOTS, 2)
    chunk = ("dbo_Item", lsn("0x30"), None, 0, None, None, 1, "old", None, None, None, lsn("0x20"), 0)
    rows(spark, bronze, BRONZE + SNAPSHOTS, [chunk])


def opened(position: str, mode: str, app_id: str = "app") -> Callable[..., None]:
    """The row of a snapshot that a stream has opened and not finished, as the package writes it."""

    def make(spark: Any, _jobs: Any, bronze: str, facts: str) -> None:
        detail = {"mode": mode, "kind": "bootstrap", "generation": 0, "lost_from_ts": None, "lost_to_ts": None}
        events.write_event(spark, facts, events.SNAPSHOT_OPEN, app_id=app_id, txn_app_id=None, version=0, target=bronze,
                           lsn=lsn(position), commit_ts="", detail=json.dumps(detail))

    return make


def older_snapshot(spark: Any, _jobs: Any, bronze: str, _facts: str) -> None:
    """A snapshot at 0x30 in a table of an older release."""
    create(spark, bronze, BRONZE, 1)
    row = ("dbo_Item", lsn("0x30"), None, 0, None, datetime(2026, 6, 1, 8, 10, 0, 7000), 1, "old", None, None, None)
    rows(spark, bronze, BRONZE, [row])


def unmapped(spark: Any, _jobs: Any, bronze: str, _facts: str) -> None:
    """A table of today whose captured columns need no mapping; the source has got others since."""
    columns = BRONZE.replace("ItemId INT, Name STRING, Price DECIMAL(10,2), Changed TIMESTAMP_NTZ", "`Größe` STRING") + SNAPSHOTS
    create(spark, bronze, columns, 2)
