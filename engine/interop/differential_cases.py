"""The cases of the differential run. Times of worlds/shop.json are two hours ahead of UTC."""

from __future__ import annotations

import prepared
from cases import Case, Control, Prepare, Refused, Seed, Stricter

LATER = Control("commit", {"changes": [{"table": "dbo.Item", "op": "insert", "row": [6, "six", None, None]}]})
OCCUPIED = ("--accept", "stream_must_be_stopped")
STANDS_STILL = ("--accept", "capture_stopped")
TYPES = {"world": "types", "instance": "dbo_Everything", "confirm": "dbo.Everything", "key": "Id"}

WRITTEN = [
    Case("every type, as the stream reads it", (Seed("0x20", copy="as the stream reads", app_id="app", program=STANDS_STILL),), **TYPES),
    Case("every type, as another tool wrote it", (Seed("2026-06-01T09:45:00Z", copy="types of another tool", program=("--copy-time-zone", "UTC")),), **TYPES),
    Case("names in other case, extra columns", (
        Seed("0x30", copy="item, other case, extra columns", app_id="app", program=("--ignore-mark", "_commit_ts")),
        Seed("0x30", "found", copy="item", app_id="app"),
    ), instance="DBO_item"),
    Case("names that need column mapping", (Seed("2026-06-01T08:35:00Z", copy="named", app_id="app"),), instance="dbo_Named_Größe", confirm="dbo.Named", key="Named Id"),
    Case("a column that the copy lacks", (
        Seed("0x50", Refused(("ValueError", "lacks captured columns ['Price']"), "column_missing"), copy="item without Price"),
        Seed("0x50", copy="item without Price", missing=("Price",)),
    )),
    Case("two capture instances, the older configured", (Seed("2026-06-01T08:35:00Z", copy="pair", app_id="app"),), instance="dbo_Pair", confirm="dbo.Pair", key="PairId"),
    Case("two capture instances, the newer configured", (Seed("0x20", copy="pair"),), instance="dbo_Pair_v2", confirm="dbo.Pair", key="PairId"),
    Case("a computed column", (Seed("0x50", copy="sums"),), instance="dbo_Sums", confirm="dbo.Sums", key="SumId"),
    Case("wider types, a time with a fraction", (Seed("2026-06-01T08:30:00.999Z", copy="item, wider types"),)),
    Case("reruns, also after cleanup", (
        Seed("2026-06-01T08:31:00Z"),
        Seed("2026-06-01T08:31:00Z", "found", app_id="app"),
        Seed("0x50", "found", app_id="app"),
        Control("cleanup", {"to": "0x70"}),
        Seed("2026-06-01T08:31:00Z", "found", app_id="app"),
        Seed("0x50", "found"),
        Seed("0x60", Refused(("ValueError", "already holds a snapshot"), "target_holds_snapshot")),
    )),
]

LOCKED = [
    Case("a chunked snapshot in the target", (
        Prepare(prepared.a_chunk),
        Seed("0x50", Refused(("ValueError", "already holds a snapshot"), "target_holds_snapshot")),
        Seed("0x30", Refused(("ValueError", "already holds a snapshot"), "target_holds_snapshot")),
        # Where two refusals apply, the program looks at positions before it looks at tables.
        Seed("0x99", Refused(("ValueError", "already holds a snapshot"), "lsn_above_max")),
    )),
    Case("an open chunked snapshot of the stream", (
        Prepare(prepared.opened("0x20", "chunked")),
        Seed("0x50", Refused(("ValueError", "chunked snapshot open"), "snapshot_open"), app_id="app"),
        Seed("0x50", Refused(("ValueError", "chunked snapshot open"), "snapshot_open"), app_id="app", copy="item without Price"),
    )),
    Case("an open full snapshot of the stream", (
        Prepare(prepared.opened("0x20", "full")),
        Seed("0x50", Refused(("ValueError", "full snapshot open"), "snapshot_open"), app_id="app"),
        Control("cleanup", {"to": "0x50"}),
        Seed("0x50", app_id="app"),
    )),
    Case("an open snapshot of another stream", (
        Prepare(prepared.opened("0x20", "chunked", app_id="other")),
        Seed("0x50", app_id="app"),
    )),
    Case("changes in the target", (
        Prepare(prepared.stream_rows),
        Seed("0x50", app_id="app", program=OCCUPIED),
    )),
]

OLDER = [
    Case("tables from before any migration", (
        Prepare(prepared.both(prepared.older_bronze(0), prepared.older_facts(6))),
        Seed("0x50", app_id="app", program=OCCUPIED),
        Seed("0x50", "found", app_id="app"),
    )),
    Case("tables of the last release but one", (
        Prepare(prepared.both(prepared.older_bronze(1), prepared.older_facts(13))),
        Seed("0x50", app_id="app", program=OCCUPIED),
    )),
    Case("a snapshot in a table without _chunk", (
        Prepare(prepared.older_snapshot),
        Seed("0x30", "found"),
        Seed("0x50", Refused(("ValueError", "already holds a snapshot"), "target_holds_snapshot")),
    )),
]

AGAIN = ("--accept", "reseed,stream_must_be_stopped")
RESEEDED = [
    Case("a reseed", (
        Seed("0x20", app_id="one"),
        LATER,
        Seed("0x60", Refused(("ValueError", "already holds a snapshot"), "target_holds_snapshot"), copy="item, newer"),
        Seed("0x60", copy="item, newer", app_id="two", reseed=True, program=AGAIN),
        Seed("0x60", "found", copy="item, newer", app_id="two", reseed=True),
        Seed("0x20", "found", app_id="one"),
        Seed("0x20", "found", app_id="one", reseed=True),
        Seed("0x50", Refused(("ValueError", "newer than it"), "reseed_not_newer"), app_id="three", reseed=True),
        Seed("0x50", Refused(("ValueError", "newer than it"), "target_holds_snapshot"), app_id="three"),
    )),
    Case("a reseed over a chunked snapshot", (
        Prepare(prepared.a_chunk),
        Seed("0x20", Refused(("ValueError", "newer than it"), "reseed_not_newer"), app_id="new", reseed=True),
        Seed("0x50", Stricter("snapshot_open", "nothing tells that the chunked snapshot is finished"), reseed=True, program=AGAIN, app_id="new"),
    )),
    Case("a reseed of an empty target", (Seed("0x50", Stricter("nothing_to_reseed", "a first seed is none"), app_id="new", reseed=True),)),
]

MAPPED = [
    Case("names that need column mapping, again and in a table without it", (
        Prepare(prepared.unmapped),
        Seed("0x50", Refused(("SchemaChangedError",), "column_name"), copy="named", program=OCCUPIED),
    ), instance="dbo_Named_Größe", confirm="dbo.Named", key="Named Id"),
]

# Contract's decision table, in its order.
REFUSED = [
    Case("a facts table without an app id", (
        Seed("0x50", Refused(("ValueError", "needs the stream's app_id"), "facts_incomplete"), package={"facts_table": "/nowhere"}, program=("--facts", "/nowhere")),
    )),
    Case("no capture instance named", (Seed("0x50", Refused(("captureInstance",), "usage")),), instance=""),
    Case("an instance that is not there", (Seed("0x50", Refused(("ValueError", "dbo_Nothing"), "no_instance")),), instance="dbo_Nothing"),
    Case("a type without a mapping", (Seed("0x50", Refused(("ValueError", "no default Spark type"), "column_unmapped")),), instance="dbo_Anything", confirm="dbo.Anything"),
    Case("a reserved name", (Seed("0x50", Refused(("ValueError", "_Operation"), "column_reserved")),), instance="dbo_Reserved", confirm="dbo.Reserved"),
    Case("no commit that early", (
        Seed("2026-05-30T06:30:00Z", Refused(("DataLossError", "no commit at or before"), "no_commit")),
        Seed("2026-05-30T06:30:00Z", Refused(("ValueError", "lacks captured columns"), "no_commit"), copy="item without Price"),
    )),
    Case("what is no LSN", (
        Seed("0xZZ", Refused(("ValueError", "LSN"), "as_of_invalid")),
        Seed("0000002a:00000001:0001:0", Refused(("ValueError", "LSN"), "as_of_invalid")),
    )),
    Case("an LSN above the newest", (Seed("0x99", Refused(("ValueError", "fn_cdc_get_max_lsn"), "lsn_above_max")),)),
    Case("changes after L that are gone", (
        Control("cleanup", {"to": "0x50", "instance": "dbo_Item"}),
        Seed("0x30", Refused(("DataLossError", "older than the CDC retention"), "retention_passed")),
        Seed("2026-06-01T08:15:00Z", Refused(("DataLossError", "older than the CDC retention"), "retention_passed")),
    )),
    Case("an instance that starts after L", (
        Seed("0x20", Refused(("DataLossError", "older than the CDC retention"), "cdc_not_on_yet")),
    ), instance="dbo_Late", confirm="dbo.Late"),
]

STRICTER = [
    Case("an empty copy", (Seed("0x50", Stricter("copy_empty", "the stream's own snapshot would find its event taken"), copy="no items"),)),
    Case("an LSN with few digits", (Seed("0X50", Stricter("as_of_invalid", "one that was cut off looks like this")),)),
    Case("an LSN of no commit", (Seed("0x51", Stricter("warning_unaccepted", "a typing error looks like this")),)),
]

ALL = [*WRITTEN, *LOCKED, *OLDER, *RESEEDED, *MAPPED, *REFUSED, *STRICTER]
