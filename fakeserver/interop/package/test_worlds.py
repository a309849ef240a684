"""The built-in worlds but that of the clock change: cleanup that has passed, two capture instances, an old server, a capture job that stands still."""

from datetime import datetime

import serving


def at(day, hour, minute, second=0):
    return datetime(2026, 10, day, hour, minute, second)


class RetentionPassed(serving.Case):
    world = "orders-retention-passed"

    def test_what_cleanup_took_is_gone(self):
        low = "0x0000002A000880000001"
        self.assertEqual(self.client.min_lsn("dbo_Orders"), low)
        self.assertEqual(self.client.source_table("dbo_Orders").start_lsn, low)
        for lsn in ("0x0000002A0002C2060001", "0x0000002A000754150001"):  # commits of 5 and 8 October
            self.assertIsNone(self.client.lsn_to_time(lsn))
            self.assertLess(self.client.increment_lsn(lsn), low)
        self.assertIsNone(self.client.time_to_lsn(at(9, 7, 59, 59)))
        self.assertEqual(self.client.time_to_lsn(at(9, 8, 0, 1)), low)
        self.assertEqual(self.client.lsn_to_time(low), "2026-10-09T08:00:00.030")

    def test_what_is_left_can_be_read(self):
        changes = serving.rows(self.client.iter_changes("dbo_Orders", serving.ZERO, self.client.max_lsn(), ["OrderId"], False, 100))
        self.assertEqual(
            [(c["_start_lsn"], c["_operation"], c["OrderId"]) for c in changes],
            [
                ("0x0000002A0008AEC50001", 3, 1000035),
                ("0x0000002A0008AEC50001", 4, 1000035),
                ("0x0000002A0008AEC50001", 3, 1000212),
                ("0x0000002A0008AEC50001", 4, 1000212),
                ("0x0000002A0009FE900001", 3, 1000468),
                ("0x0000002A0009FE900001", 4, 1000468),
                ("0x0000002A0009FE900001", 2, 1000503),
                ("0x0000002A0009FE900001", 1, 1000326),
                ("0x0000002A000CAE820001", 2, 1000504),
            ],
        )
        self.assertEqual(self.client.row_estimate("dbo", "Orders"), 501)  # 500, and 4 inserts, and 3 deletes


class TwoInstances(serving.Case):
    world = "orders-two-instances"

    def test_both_are_listed_oldest_first(self):
        for asked in ("dbo_Orders", "dbo_Orders_v2", "DBO_ORDERS_V2"):
            old, new = self.client.capture_instances(asked)
            self.assertEqual((old.name, old.start_lsn), ("dbo_Orders", "0x0000002A0002E0000001"))
            self.assertEqual((new.name, new.start_lsn), ("dbo_Orders_v2", "0x0000002A0005CEA00001"))
            self.assertEqual(new.columns, [*old.columns, "Note", "RowVer"])
            self.assertEqual((old.computed, new.computed), (("LineTotal",), ("LineTotal",)))

    def test_each_has_its_own_start(self):
        self.assertEqual(self.client.min_lsn("dbo_Orders"), "0x0000002A0002E0000001")
        self.assertEqual(self.client.min_lsn("dbo_Orders_v2"), "0x0000002A0005CEA00001")
        self.assertEqual(self.client.source_table("dbo_Orders").start_lsn, "0x0000002A0002E0000001")
        self.assertEqual(self.client.source_table("dbo_Orders_v2").start_lsn, "0x0000002A0005CEA00001")

    def test_each_has_its_own_changes(self):
        old, new = (
            [
                (c["_start_lsn"], c["_operation"], c["OrderId"])
                for c in serving.rows(self.client.iter_changes(name, serving.ZERO, self.client.max_lsn(), ["OrderId"], True, 100))
            ]
            for name in ("dbo_Orders", "dbo_Orders_v2")
        )
        self.assertEqual(
            new,
            [
                ("0x0000002A0005DEC50001", 1, 1000165),
                ("0x0000002A00065C900001", 3, 1000325),
                ("0x0000002A00065C900001", 4, 1000325),
                ("0x0000002A00065C900001", 3, 1000286),
                ("0x0000002A00065C900001", 4, 1000286),
                ("0x0000002A00070E820001", 3, 1000102),
                ("0x0000002A00070E820001", 4, 1000102),
                ("0x0000002A00070E820001", 2, 1000503),
                ("0x0000002A00070E820001", 1, 1000052),
            ],
        )
        self.assertEqual(old[9:], new)
        self.assertEqual([c[2] for c in old[:9]], [1000142, 1000142, 1000095, 1000095, 1000501, 1000502, 1000383, 1000302, 1000302])

    def test_a_column_of_the_newer_only(self):
        last = self.client.max_lsn()
        self.assertTrue(serving.rows(self.client.iter_changes("dbo_Orders_v2", serving.ZERO, last, ["Note"], True, 100)))
        self.raises(Exception, "Invalid column name 'Note'", lambda: list(self.client.iter_changes("dbo_Orders", serving.ZERO, last, ["Note"], True, 100)))


class OldServer(serving.Case):
    """SQL Server 2017 names no zone: the package takes its offset of today, here one hour, and says so."""

    world = "old-server-2017"

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        with cls().assertLogs("mssql_cdc.client", "WARNING") as log:
            cls.clock = cls.client.clock()
        cls.warning = log.output[0]

    def test_the_offset_stands_for_the_zone(self):
        self.assertEqual(self.clock, (None, 60))
        self.assertEqual(self.client.timezone, "UTC+01:00")
        self.assertIn("+60 minutes", self.warning)
        self.client.refresh_clock()
        self.assertEqual(self.client.clock(), (None, 60))

    def test_times_are_shifted_by_it(self):
        self.assertEqual(self.client.lsn_to_time("0x0000002A000439020001"), "2026-10-06T07:00:02.153")
        self.assertEqual(self.client.time_to_lsn(at(6, 7, 0, 3)), "0x0000002A000439020001")
        self.assertEqual(self.client.time_to_lsn(at(6, 7, 0, 2)), "0x0000002A000439000001")  # the idle entry of 08:00:00.030
        (change,) = serving.rows(
            self.client.iter_changes("dbo_Orders", "0x0000002A0005DEC50001", "0x0000002A0005DEC50001", ["OrderId"], True, 10)
        )
        self.assertEqual((change["OrderId"], change["_commit_ts"]), (1000316, datetime(2026, 10, 7, 11, 7, 8, 153000)))

    def test_a_named_zone_wins(self):
        client = self.server.client(sourceTimeZone="Pacific Standard Time")
        self.addCleanup(client.close)
        self.assertEqual(client.lsn_to_time("0x0000002A000439020001"), "2026-10-06T15:00:02.153")  # 7 hours in October


class CaptureStopped(serving.Case):
    world = "capture-stopped"

    def test_the_newest_commit_is_old(self):
        self.assertEqual(self.client.timezone, "UTC")
        self.assertEqual(self.client.max_lsn(), "0x0000002A00030D010001")
        self.assertEqual(self.client.lsn_to_time("0x0000002A00030D010001"), "2026-10-02T11:00:00.153")
        self.assertEqual(self.client.time_to_lsn(at(5, 10, 0)), "0x0000002A00030D010001")
