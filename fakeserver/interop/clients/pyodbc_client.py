"""pyodbc over FreeTDS's ODBC driver. Usage: pyodbc_client.py HOST PORT SECURE_PORT CERTIFICATE CASES"""

import glob
import re
import sys

import pyodbc

from checks import Checks

host, port, secure, certificate, folder = sys.argv[1:]
c = Checks("pyodbc+tdsodbc", folder)
driver = glob.glob("/usr/lib/*/odbc/libtdsodbc.so")[0]
pyodbc.pooling = False


def connect(password="Judge-1", database="Shop", encryption="off", version="7.4", autocommit=True, at=port):
    return pyodbc.connect(
        f"DRIVER={driver};SERVER={host};PORT={at};UID=plain;PWD={password};DATABASE={database};ENCRYPTION={encryption};TDS_VERSION={version};ClientCharset=UTF-8",
        autocommit=autocommit,
    )


def told(e):
    """The number, which stands in brackets at the end of the driver's text."""
    return [int(n) for n in re.findall(r"\((\d+)\) \(SQL", str(e))][:1] or [0]


for encryption, version in (("off", "7.3"), ("off", "7.4"), ("request", "7.4"), ("require", "7.4")):
    with connect(encryption=encryption, version=version, at=secure) as db:
        c.equal(f"encryption {encryption}, TDS {version}", db.execute("SELECT SUSER_SNAME()").fetchval(), "plain")
c.fails("login failure", lambda: connect(password="wrong"), (18456,), told)
c.fails("wrong database", lambda: connect(database="Nope"), (True,), lambda e: (told(e)[0] in (4060, 18456),))

db = connect()


def query(sql, *args):
    return db.execute(sql, *args).fetchall()


def ask(kind, value, asked):
    return db.execute("SELECT " + asked.replace("{p}", "?") + ", ?", [value] * (asked.count("{p}") + 1)).fetchone()


c.values(query, without=("c_variant", "c_datetimeoffset"))  # FreeTDS has no ODBC type for the first, pyodbc none for FreeTDS's second
c.changes(query)
c.errors(query, told)
c.parameters(ask, {"time": "23:59:58", "datetime": "2026-10-25 02:30:00"}, without=("datetimeoffset",), longest=4000)  # pyodbc gives FreeTDS whole seconds, FreeTDS cuts at 4000 characters
c.equal("procedure by name", [tuple(r[:3]) for r in query("{CALL sys.sp_cdc_help_change_data_capture (?, ?)}", "dbo", "Orders")], [("dbo", "Orders", "dbo_Orders")])
other = connect(autocommit=False)
for end in (other.commit, other.rollback):
    c.equal(f"transaction, {end.__name__}", other.execute("SELECT @@TRANCOUNT").fetchval(), 1)
    end()
other.close()
db.close()
c.end()
