"""What each login may see, as the package tells it; large and computed columns; reads of a table by its key."""

import unittest
from datetime import date, datetime
from decimal import Decimal

import serving

LAST = "0xFFFFFFFFFFFFFFFFFFFF"


def login(user):
    return {"user": user, "password": "Access-1", "database": "Docs"}


def changes(client, columns, instance="dbo_Page"):
    return serving.rows(client.iter_changes(instance, serving.ZERO, LAST, columns, True, 100))


class Access(serving.Case):
    world = "access"
    login = login("all")

    def connect(self, user):
        client = self.server.client(**login(user))
        self.addCleanup(client.close)
        return client

    def test_a_grant_on_the_change_table_is_asked_for(self):
        client = self.connect("table_only")
        self.assertEqual(client.min_lsn("dbo_Page"), "0x00000000000000000010")
        self.assertEqual(client.max_lsn(), "0x00000000000000000050")
        self.raises(PermissionError, "GRANT SELECT ON cdc.[dbo_Page_CT]", lambda: changes(client, ["Id"]))
        self.raises(PermissionError, "cdc.[dbo_Page_CT]", client.split_points, "dbo_Page", serving.ZERO, LAST, 2)

    def test_without_the_gating_role(self):
        client = self.connect("no_gate")
        self.raises(ValueError, "lacks permission", client.min_lsn, "dbo_Secret")
        self.raises(ValueError, "not found, or the login lacks SELECT", client.capture_instances, "dbo_Secret")
        self.raises(ValueError, "Object does not exist or access is denied", client.captured_columns, "dbo_Secret")
        self.assertEqual(self.client.min_lsn("dbo_Secret"), "0x00000000000000000010")

    def test_without_a_captured_column(self):
        client = self.connect("no_body")
        self.raises(ValueError, "lacks permission", client.min_lsn, "dbo_Page")
        self.raises(ValueError, "not found, or the login lacks SELECT", client.source_table, "dbo_Page")
        read = lambda column: serving.rows(client.iter_table("dbo", "Page", [column], ["Id"], None, None, None, 10))  # noqa: E731
        self.assertEqual(len(read("Title")), 5)
        self.raises(Exception, "SELECT permission was denied on the column 'Body'", read, "Body")

    def test_what_is_not_there(self):
        self.raises(ValueError, "not found", self.client.min_lsn, "dbo_Nothing")
        self.raises(ValueError, "not found", self.client.capture_instances, "dbo_Nothing")
        self.raises(ValueError, "Capture instances of what may be its table: 'dbo_Page'", self.client.source_table, "dbo_Page_v2")
        self.raises(Exception, "Invalid object name 'cdc.dbo_Nothing_CT'", lambda: changes(self.client, ["Id"], "dbo_Nothing"))
        self.raises(Exception, "Invalid object name 'dbo.Nothing'", self.client.key_range, "dbo", "Nothing", "Id")
        self.raises(Exception, "Invalid column name 'Nothing'", self.client.key_range, "dbo", "Page", "Nothing")

    def test_who_gets_in(self):
        self.raises(ConnectionError, "Login failed for user '***'", self.server.client, **{**login("all"), "password": "wrong"})
        self.raises(Exception, "Login failed", self.server.client, **{**login("all"), "user": "nobody"})
        self.raises(Exception, "Login failed", self.server.client, **login("outsider"))
        self.raises(Exception, "Login failed", self.server.client, **{**login("owner"), "database": "Nothing"})
        self.assertEqual(len(changes(self.connect("owner"), ["Id"])), 6)


class Columns(serving.Case):
    world = "access"
    login = login("all")

    def test_large_values_are_null_in_the_before_image_where_they_did_not_change(self):
        got = [
            (c["_operation"], c["Shelf"], c["Id"], c["Title"], c["Body"], c["Scan"], c["Layout"])
            for c in changes(self.client, ["Shelf", "Id", "Title", "Body", "Scan", "Layout"])
        ]
        self.assertEqual(
            got,
            [
                (3, "a", 1, "one", None, None, None),
                (4, "a", 1, "ONE", "first body", b"\x01", "<p/>"),
                (3, "a", 2, "two", "second body", None, None),
                (4, "a", 2, "two", "second body, longer", b"\x02", None),
                (2, "c", 9, None, "ninth", b"\x09", None),
                (1, "b", 7, None, "fourth body", b"", "<q/>"),
            ],
        )

    def test_computed_columns_are_null_in_changes_and_computed_in_the_table(self):
        self.assertEqual([c["Value"] for c in changes(self.client, ["Value"])], [None] * 6)
        values = serving.rows(self.client.iter_table("dbo", "Page", ["Shelf", "Id", "Value"], ["Shelf", "Id"], None, None, None, 10))
        self.assertEqual(
            [(v["Shelf"], v["Id"], v["Value"]) for v in values],
            [
                ("a", 1, Decimal("17.50")),
                ("a", 2, Decimal("50.00")),
                ("b", 1, None),
                ("c", 1, Decimal("250.00")),
                ("c", 9, Decimal("81.00")),
            ],
        )
        (instance,) = self.client.capture_instances("dbo_Page")
        self.assertEqual(instance.computed, ("Value",))
        self.assertEqual(self.client.present_columns("dbo_Page", ["Id", "Value"]), ["Id"])

    def test_ddl_history(self):
        (ddl,) = self.client.ddl_history("dbo_Page", serving.ZERO, LAST)
        self.assertEqual(tuple(ddl), ("0x00000000000000000028", "2026-06-01T09:00:00.000", "ALTER TABLE dbo.Page ADD Extra int NULL"))
        self.assertEqual(self.client.ddl_history("dbo_Page", "0x00000000000000000028", LAST), [])
        self.raises(Exception, "Object does not exist or access is denied", self.client.ddl_history, "dbo_Nothing", serving.ZERO, LAST)


class Reads(serving.Case):
    world = "access"
    login = login("all")

    def keys(self, low, high, client=None, **more):
        types = ["varchar(3)", "int"]
        read = (client or self.client).iter_table("dbo", "Page", ["Shelf", "Id"], ["Shelf", "Id"], types, low, high, 100, **more)
        return sorted((r["Shelf"], r["Id"]) for r in serving.rows(read))

    def test_ranges_of_a_key_of_two_columns(self):
        every = [("a", 1), ("a", 2), ("b", 1), ("c", 1), ("c", 9)]
        self.assertEqual(self.keys(None, None), every)
        for low in [None, *every, ("a", 3), ("", 0)]:
            for high in [None, *every, ("z", 0)]:
                with self.subTest(low=low, high=high):
                    want = [k for k in every if (low is None or k >= low) and (high is None or k < high)]
                    self.assertEqual(self.keys(low, high), want)

    def test_key_types(self):
        self.assertEqual(self.client.key_types("dbo_Page", ["Shelf", "id"]), ["varchar(3) COLLATE SQL_Latin1_General_CP1_CI_AS", "int"])
        self.assertEqual(self.client.source_table("dbo_Page").keys, ["Shelf", "Id"])
        collated = self.client.key_types("dbo_Page", ["Shelf", "Id"])
        got = serving.rows(self.client.iter_table("dbo", "Page", ["Id"], ["Shelf", "Id"], collated, ("A", 2), ("C", 9), 100))
        self.assertEqual([r["Id"] for r in got], [2, 1, 1])  # text compares without case

    def test_smallest_largest_and_bounds(self):
        self.assertEqual(self.client.key_range("dbo", "Secret", "Id"), (-7, 12))
        self.assertEqual(self.client.key_range("dbo", "Secret", "Id", 0, 12), (0, 3))
        self.assertEqual(self.client.key_range("dbo", "Secret", "Id", 4, 12), (None, None))
        self.assertEqual(self.client.key_max("dbo", "Page", ["Shelf", "Id"]), ("c", 9))
        types = ["varchar(3)", "int"]
        for n, bound in {0: ("a", 2), 1: ("b", 1), 2: ("c", 1), 3: ("c", 9), 4: None}.items():
            self.assertEqual(self.client.key_bound("dbo", "Page", ["Shelf", "Id"], types, ("a", 2), None, n), bound)
        self.assertEqual(self.client.key_bound("dbo", "Page", ["Shelf", "Id"], types, ("a", 2), ("c", 1), 2), None)

    def test_tiles(self):
        self.assertEqual(self.client.key_tiles("dbo", "Page", ["Shelf", "Id"], 2), [("c", 1)])  # three and two
        self.assertEqual(self.client.key_tiles("dbo", "Page", ["Shelf", "Id"], 3), [("b", 1), ("c", 9)])  # two, two and one
        self.assertEqual(self.client.key_tiles("dbo", "Page", ["Shelf", "Id"], 9), [("a", 2), ("b", 1), ("c", 1), ("c", 9)])
        self.assertEqual(self.client.split_points("dbo_Page", serving.ZERO, LAST, 9)[-1], ("0x00000000000000000030", "0x00000000000000000031", 1))

    def test_buckets(self):
        buckets = lambda *a: sorted(self.client.key_buckets("dbo", *a))  # noqa: E731
        self.assertEqual(buckets("Secret", "Id", "int", 5), [(-2, 1, Decimal(-7)), (-1, 1, Decimal(-1)), (0, 2, Decimal(3)), (2, 1, Decimal(12))])
        self.assertEqual(buckets("Secret", "Id", "int", 5, -1, 12), [(-1, 1, Decimal(-1)), (0, 2, Decimal(3))])
        self.assertEqual(buckets("Secret", "Day", "date", 10), [(-1, 1, Decimal(-2)), (0, 2, Decimal(1)), (1, 1, Decimal(10))])
        self.assertEqual(buckets("Secret", None, None, 1), [(0, 5, None)])
        self.assertEqual(self.client.row_estimate("dbo", "Secret"), 5)
        (day,) = serving.rows(self.client.iter_table("dbo", "Secret", ["Day"], ["Id"], None, (-7,), (-6,), 9))
        self.assertEqual(day, {"Day": date(1969, 12, 30)})

    def test_isolation_and_lock_timeout(self):
        client = self.server.client(lockTimeoutMs="500", **login("all"))
        self.addCleanup(client.close)
        self.assertEqual(client.key_range("dbo", "Secret", "Id", isolation="snapshot"), (-7, 12))
        self.assertEqual(self.keys(("b", 1), None, client, isolation="snapshot"), [("b", 1), ("c", 1), ("c", 9)])
        orders = serving.World("old-server-2017")  # its database has no row versions
        self.addCleanup(orders.close)
        refused = orders.client(lockTimeoutMs="500")
        self.addCleanup(refused.close)
        self.raises(Exception, "snapshot isolation is not allowed in this database", refused.key_range, "dbo", "Orders", "OrderId", isolation="snapshot")
        read = refused.iter_table("dbo", "Orders", ["OrderId"], ["OrderId"], ["bigint"], (1000001,), (1000002,), 9, isolation="snapshot")
        self.raises(Exception, "snapshot isolation is not allowed in this database", list, read)

    def test_times(self):
        self.assertEqual(self.client.lsn_to_time("0x20"), None)  # binary(10) is filled up on the right: another LSN
        self.assertEqual(self.client.lsn_to_time("0x00000000000000000020"), "2026-06-01T09:00:00.000")
        self.assertEqual(self.client.time_to_lsn(datetime(2026, 6, 1, 9, 0)), "0x00000000000000000020")
        self.assertEqual(self.client.time_to_lsn(datetime(2026, 6, 1, 8, 59, 59)), "0x00000000000000000010")


if __name__ == "__main__":
    unittest.main()
