"""pymssql: FreeTDS's DB-Library. Usage: pymssql_client.py HOST PORT SECURE_PORT CERTIFICATE CASES"""

import sys

import pymssql

from checks import Checks

host, port, secure, certificate, folder = sys.argv[1:]
c = Checks("pymssql", folder)


def connect(user="judge", password="p@ss;1 é}", database="Shop", at=port, **more):
    return pymssql.connect(server=host, port=at, user=user, password=password, database=database, autocommit=True, login_timeout=30, **{"encryption": "off"} | more)


def told(e):
    """The number, and the class where the client's text has it."""
    return [e.args[0] if isinstance(e.args[0], int) else e.args[0][0]]


for encryption in ("off", "request", "require"):
    with connect(encryption=encryption, at=secure) as db, db.cursor() as cursor:
        cursor.execute("SELECT SUSER_SNAME()")
        c.equal(f"encryption {encryption}", cursor.fetchone(), ("judge",))
for version in ("7.3", "7.4"):
    with connect(tds_version=version) as db, db.cursor() as cursor:
        cursor.execute("SELECT SUSER_SNAME()")
        c.equal(f"TDS {version}", cursor.fetchone(), ("judge",))
c.fails("login failure", lambda: connect(password="wrong"), (18456,), told)
c.fails("wrong database", lambda: connect(database="Nope"), (True,), lambda e: (told(e)[0] in (4060, 18456),))

db = connect(tds_version="7.4")


def query(sql, *args):
    with db.cursor() as cursor:
        cursor.execute(sql, *args)
        return cursor.fetchall()


c.values(query, without=("c_variant",))  # it hands out the bytes of a sql_variant
c.changes(query)
c.errors(query, told)
c.parameters(lambda kind, value, asked: query("SELECT " + asked.replace("{p}", "%(p)s") + ", %(p)s", {"p": str(value).upper() if kind == "guid" else value})[0], {"datetimeoffset": "2026-10-25 02:30:00.25-03:30"})  # sent as text
with db.cursor() as cursor:
    cursor.callproc("sys.sp_cdc_help_change_data_capture", ("dbo", "Orders"))
    c.equal("procedure by name", [r[:3] for r in cursor.fetchall()], [("dbo", "Orders", "dbo_Orders")])
with connect(timeout=1) as slow, slow.cursor() as cursor:
    c.fails("cancel after a timeout", lambda: cursor.execute("WAITFOR DELAY '00:05:00'"), (True,), lambda e: ("timed out" in str(e),))
with connect() as other, other.cursor() as cursor:
    other.autocommit(False)
    for end in (other.commit, other.rollback):
        cursor.execute("SELECT @@TRANCOUNT")
        c.equal(f"transaction, {end.__name__}", cursor.fetchone(), (1,))
        end()
c.end()
