"""The night of 25 October 2026, when the clock of W. Europe goes back at 01:00 UTC, with commits in both passes of the hour."""

import os
import unittest
from datetime import datetime, timedelta, timezone

import serving

FIRST_IDLE = 0x26800  # of the LSN's middle digits: every five minutes from 23 October 02:00:00.030 local time
SECOND_PASS = 0x54700  # the idle entry of 25 October 02:00:00.030, the second time
STEP = 0x140


def idle(start, n):
    return f"0x0000002A{start + n * STEP:08X}0001"


def at(hour, minute, second=0, microsecond=0, day=25):
    return datetime(2026, 10, day, hour, minute, second, microsecond)


class ClockChange(serving.Case):
    world = "orders-clock-change"

    def test_zone(self):
        self.assertEqual(self.client.timezone, "W. Europe Standard Time")
        self.assertEqual(self.client.clock(), ("W. Europe Standard Time", None))

    def test_limits(self):
        self.assertEqual(self.client.max_lsn(), "0x0000002A000725C00001")
        self.assertEqual(self.client.min_lsn("dbo_Orders"), "0x0000002A000268000001")
        self.assertEqual(self.client.min_lsn("DBO_orders"), "0x0000002A000268000001")
        self.assertEqual(self.client.increment_lsn("0x0000002A000725C00001"), "0x0000002A000725C00002")
        self.assertEqual(self.client.increment_lsn("0x0000002AFFFFFFFFFFFF"), "0x0000002B000000000000")
        self.assertEqual(self.client.decrement_lsn("0x0000002B000000000000"), "0x0000002AFFFFFFFFFFFF")

    def test_lsn_to_time(self):
        for lsn, utc in {
            "0x0000002A0005320B0001": "2026-10-24T23:36:20.153",  # 01:36:20, before the hour
            idle(FIRST_IDLE, 576): "2026-10-25T00:00:00.030",  # 02:00:00.030, first pass
            "0x0000002A000538C70001": "2026-10-25T00:03:12.153",
            "0x0000002A000540050001": "2026-10-25T00:32:08.153",
            "0x0000002A0005455A0001": "2026-10-25T00:53:50.153",
            idle(SECOND_PASS, 0): "2026-10-25T01:00:00.030",  # 02:00:00.030, second pass
            "0x0000002A000547430001": "2026-10-25T01:01:04.153",
            "0x0000002A00054E810001": "2026-10-25T01:30:00.153",
            "0x0000002A0005559D0001": "2026-10-25T01:58:56.153",
            "0x0000002A000557860001": "2026-10-25T02:06:10.153",  # 03:06:10, after the hour
            "0x0000002A00071FDB0001": "2026-10-26T08:31:52.153",
            "0x0000002A00071FDB0002": None,  # no commit's
            serving.ZERO: None,
        }.items():
            with self.subTest(lsn):
                self.assertEqual(self.client.lsn_to_time(lsn), utc)

    def test_time_to_lsn(self):
        for utc, lsn in {
            at(23, 59, 59, day=24): idle(FIRST_IDLE, 575),  # looks up 01:59:59
            at(0, 0): "0x0000002A000528890001",  # the first 02:00 looks up 01:00, an hour early
            at(0, 32, 8, 999999): idle(FIRST_IDLE, 570),  # 01:32:08: fractions of a second do not count
            at(1, 0): idle(FIRST_IDLE, 575),  # the second 02:00 looks up itself
            at(1, 10): "0x0000002A0005490A0001",  # 02:10: the commit of 02:08:18, second pass
            at(1, 30): idle(SECOND_PASS, 5),  # both passes have 02:25:00.030: the larger LSN
            at(2, 6, 11): "0x0000002A000557860001",
            at(23, 0, day=22): None,  # 01:00 on the first day, before every entry
        }.items():
            with self.subTest(utc):
                self.assertEqual(self.client.time_to_lsn(utc), lsn)

    def test_a_named_zone_is_the_detected_one(self):
        client = self.server.client(sourceTimeZone="W. Europe Standard Time")
        self.addCleanup(client.close)
        self.assertEqual(client.time_to_lsn(at(1, 10)), "0x0000002A0005490A0001")
        self.assertEqual(client.lsn_to_time("0x0000002A00054E810001"), "2026-10-25T01:30:00.153")

    def test_commits_after(self):
        self.assertEqual(self.client.nth_commit_after("0x0000002A0002C5450001", 3), idle(FIRST_IDLE, 77))
        self.assertEqual(self.client.nth_commit_after("0x0000002A000725C00000", 5), "0x0000002A000725C00001")
        self.assertIsNone(self.client.nth_commit_after("0x0000002A000725C00001", 1))

    def test_changes_of_both_passes(self):
        changes = serving.rows(
            self.client.iter_changes(
                "dbo_Orders", "0x0000002A000540050001", "0x0000002A000547430001", ["OrderId", "StatusCode"], True, 100
            )
        )
        update = [("0x0000002A000540050001", 3, 1, 1001067, at(0, 32, 8, 153000)), ("0x0000002A000540050001", 4, 1, 1001067, at(0, 32, 8, 153000))]
        self.assertEqual(
            [(c["_start_lsn"], c["_operation"], c["_command_id"], c["OrderId"], c["_commit_ts"]) for c in changes],
            [
                *update,
                ("0x0000002A000541CC0001", 3, 1, 1001114, at(0, 39, 22, 153000)),
                ("0x0000002A000541CC0001", 4, 1, 1001114, at(0, 39, 22, 153000)),
                ("0x0000002A000541CC0001", 2, 2, 1003007, at(0, 39, 22, 153000)),
                ("0x0000002A000543930001", 2, 1, 1003008, at(0, 46, 36, 153000)),
                ("0x0000002A000543930001", 1, 2, 1001270, at(0, 46, 36, 153000)),
                ("0x0000002A000543930001", 3, 3, 1001187, at(0, 46, 36, 153000)),
                ("0x0000002A000543930001", 4, 3, 1001187, at(0, 46, 36, 153000)),
                ("0x0000002A0005455A0001", 1, 1, 1002569, at(0, 53, 50, 153000)),
                ("0x0000002A000547430001", 3, 1, 1002998, at(1, 1, 4, 153000)),
                ("0x0000002A000547430001", 4, 1, 1002998, at(1, 1, 4, 153000)),
                ("0x0000002A000547430001", 3, 2, 1001526, at(1, 1, 4, 153000)),
                ("0x0000002A000547430001", 4, 2, 1001526, at(1, 1, 4, 153000)),
            ],
        )
        after = {c["OrderId"]: c["StatusCode"] for c in changes if c["_operation"] in (2, 4)}
        self.assertEqual(after, {1001067: 1, 1001114: 2, 1003007: 0, 1003008: 0, 1001187: 3, 1002998: 1, 1001526: 1})

    def test_changes_follow_each_other_in_utc(self):
        changes = serving.rows(
            self.client.iter_changes("dbo_Orders", "0x0000002A000268000001", "0x0000002A000725C00001", ["OrderId"], False, 7)
        )
        self.assertEqual(len(changes), 103)  # 18 inserts, 17 deletes, 34 updates of two rows each
        times = [c["_commit_ts"] for c in changes]
        self.assertEqual(times, sorted(times))
        self.assertEqual((times[0], times[-1]), (at(6, 13, 8, 153000, day=23), at(8, 31, 52, 153000, day=26)))
        self.assertNotIn("_command_id", changes[0])

    def test_split_points(self):
        points = self.client.split_points("dbo_Orders", "0x0000002A000268000001", "0x0000002A000725C00001", 4)
        self.assertEqual(
            points,
            [
                ("0x0000002A000538C70001", "0x0000002A000538C70002", 26),
                ("0x0000002A0005490A0001", "0x0000002A0005490A0002", 26),
                ("0x0000002A0005594D0001", "0x0000002A0005594D0002", 26),
                ("0x0000002A00071FDB0001", "0x0000002A00071FDB0002", 25),
            ],
        )

    def test_a_whole_row(self):
        (row,) = serving.rows(
            self.client.iter_table("dbo", "Orders", COLUMNS, ["OrderId"], None, (1003001,), (1003002,), 10)
        )
        self.assertEqual(row.pop("Discount"), 0.05000000074505806)  # a real
        self.assertEqual({k: str(v) if v is not None else None for k, v in row.items()}, ROW)

    def test_metadata(self):
        (instance,) = self.client.capture_instances("dbo_orders")
        self.assertEqual((instance.name, instance.start_lsn), ("dbo_Orders", "0x0000002A000268000001"))
        self.assertEqual(instance.columns, COLUMNS + ["RowVer"])
        self.assertEqual(instance.computed, ("LineTotal",))
        self.assertEqual(self.client.captured_columns("dbo_Orders"), DDL)
        self.assertEqual(tuple(self.client.source_table("dbo_Orders")), ("dbo", "Orders", ["OrderId"], "0x0000002A000268000001"))
        self.assertEqual(self.client.present_columns("dbo_Orders", ["orderid", "LineTotal", "Nothing"]), ["orderid"])
        self.assertEqual(self.client.ddl_history("dbo_Orders", serving.ZERO, "0xFFFFFFFFFFFFFFFFFFFF"), [])
        self.assertEqual(len(self.client.ping(3)), 3)
        self.assertEqual(self.client.network_wait_ms(), 0)


class ByLSN(serving.Case):
    """The other reading of fn_cdc_map_time_to_lsn in the repeated hour: the largest LSN wins over the later local time."""

    @classmethod
    def setUpClass(cls):
        cls.world = serving.changed("orders-clock-change", lambda w: w["server"].update(map_time="by_lsn"))
        cls.addClassCleanup(os.unlink, cls.world)
        super().setUpClass()

    def test_time_to_lsn(self):
        by_time = serving.World("orders-clock-change")
        self.addCleanup(by_time.close)
        other = by_time.client()
        self.addCleanup(other.close)
        # 02:04 of the second pass: the newest local time at or before it is the first pass's 02:03:12.
        self.assertEqual(other.time_to_lsn(at(1, 4)), "0x0000002A000538C70001")
        self.assertEqual(self.client.time_to_lsn(at(1, 4)), "0x0000002A000547430001")
        for day in (23, 26):  # far from the change the two are one
            for hour in range(0, 9, 2):
                self.assertEqual(self.client.time_to_lsn(at(hour, 7, day=day)), other.time_to_lsn(at(hour, 7, day=day)))

    def test_no_commit_after_the_time_is_taken(self):
        # Whatever the reading, what is mapped was committed by then.
        for minutes in range(0, 4 * 60, 3):
            moment = at(23, 0, day=24) + timedelta(minutes=minutes)
            with self.subTest(moment):
                lsn = self.client.time_to_lsn(moment)
                self.assertLessEqual(datetime.fromisoformat(self.client.lsn_to_time(lsn)), moment)


COLUMNS = [
    "OrderId", "CustomerId", "StatusCode", "IsPriority", "Quantity", "UnitPrice", "Amount", "Shipping", "Weight", "Discount", "CreatedAt",
    "UpdatedAt", "OrderDate", "PickupTime", "SubmittedAt", "WarehouseCode", "CustomerName", "Reference", "RowGuid", "Signature", "Note",
]  # fmt: skip

DDL = (
    "`OrderId` BIGINT, `CustomerId` INT, `StatusCode` SMALLINT, `IsPriority` BOOLEAN, `Quantity` INT, `UnitPrice` DECIMAL(18,2), "
    "`Amount` DECIMAL(18,2), `Shipping` DECIMAL(19,4), `Weight` DOUBLE, `Discount` FLOAT, `CreatedAt` TIMESTAMP_NTZ, "
    "`UpdatedAt` TIMESTAMP_NTZ, `OrderDate` DATE, `PickupTime` STRING, `SubmittedAt` TIMESTAMP, `WarehouseCode` STRING, "
    "`CustomerName` STRING, `Reference` STRING, `RowGuid` STRING, `Signature` BINARY, `Note` STRING, `LineTotal` DECIMAL(29,2), `RowVer` BINARY"
)

ROW = {
    "OrderId": "1003001", "CustomerId": "5002", "StatusCode": "0", "IsPriority": "False", "Quantity": "6", "UnitPrice": "44.01",
    "Amount": "621.01", "Shipping": "4.9500", "Weight": "1.25", "CreatedAt": "2026-10-23 16:41:30", "UpdatedAt": "2026-10-23 16:41:30.123456",
    "OrderDate": "2026-10-23", "PickupTime": "08:30:00.500000",
    "SubmittedAt": str(datetime(2026, 10, 23, 14, 41, 30, 100000, tzinfo=timezone.utc)), "WarehouseCode": "BER2  ", "CustomerName": "Anna Müller",
    "Reference": "ORD-1003001", "RowGuid": "000F4DF9-8B86-D011-B42D-0001D96CF977", "Signature": str(b"\x00\x0fM\xf9"), "Note": None,
}  # fmt: skip

if __name__ == "__main__":
    unittest.main()
