"""pytds, which speaks TDS in Python alone. Usage: pytds_client.py HOST PORT SECURE_PORT CERTIFICATE CASES"""

import sys

import pytds

from checks import Checks

host, port, secure, certificate, folder = sys.argv[1:]
c = Checks("pytds", folder, scale=False)


def connect(user="judge", password="p@ss;1 é}", database="Shop", server=host, at=port, **more):
    return pytds.connect(server, port=int(at), user=user, password=password, database=database, autocommit=True, **{"timeout": 60, "validate_host": False} | more)


def told(e):
    return [getattr(e, name, None) for name in ("number", "severity", "state", "line")]


for name, more in (("none", {}), ("this authority", {"cafile": certificate}), ("login only", {"cafile": certificate, "enc_login_only": True})):
    with connect(server="localhost", at=secure, **more) as db, db.cursor() as cursor:
        cursor.execute("SELECT SUSER_SNAME()")
        c.equal(f"encryption {name}", cursor.fetchone(), ("judge",))
c.fails("login failure", lambda: connect(password="wrong"), (18456, 14, 1), told)
c.fails("wrong database", lambda: connect(database="Nope"), (True,), lambda e: ("Cannot open database" in str(e) or "Login failed" in str(e),))

db = connect()


def query(sql, *args):
    with db.cursor() as cursor:
        cursor.execute(sql, *args)
        return cursor.fetchall()


def run(sql):
    """An error after the description of a result waits for the next result here."""
    with db.cursor() as cursor:
        cursor.execute(sql)
        rows = cursor.fetchall()
        while cursor.nextset():
            pass
        return rows


def execute(asked, value):
    return query("SELECT " + asked.replace("{p}", "%(p)s") + ", %(p)s", {"p": value})[0]


c.values(query)
c.changes(query)
c.parameters(lambda kind, value, asked: execute(asked, pytds.Binary(value) if kind == "binary" else value))
c.errors(run, told)
with db.cursor() as cursor:
    rows = cursor.callproc("sys.sp_cdc_help_change_data_capture", ("dbo", "Orders"))
    c.equal("procedure by name", [r[:3] for r in cursor.fetchall()], [("dbo", "Orders", "dbo_Orders")])
with db.cursor() as cursor:
    cursor.execute("SELECT 1 AS one; SELECT 2 AS two")
    first = cursor.fetchone()
    c.equal("two results", (first, cursor.nextset(), cursor.fetchone()), ((1,), True, (2,)))
    cursor.execute("SELECT a.c_nvarchar FROM dbo.Types a CROSS JOIN sys.columns b CROSS JOIN sys.columns d")
    first = cursor.fetchone()
    cursor.cancel()
    cursor.execute("SELECT 7")
    c.equal("cancel between rows", (first, cursor.fetchone()), (("Łódź 𝄞",), (7,)))
slow = connect(timeout=1)
c.fails("cancel after a timeout", lambda: slow.cursor().execute("WAITFOR DELAY '00:05:00'"), (True,), lambda e: ("imed out" in str(e) or "imeout" in str(e),))
slow.close()

with connect() as other:
    other.autocommit = False
    for end in ("commit", "rollback"):
        with other.cursor() as cursor:
            cursor.execute("SELECT @@TRANCOUNT")
            open_ones = cursor.fetchone()
        getattr(other, end)()
        c.equal(f"transaction, {end}", open_ones, (1,))
c.end()
