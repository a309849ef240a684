"""Microsoft's mssql-python, which carries Microsoft's ODBC driver. Usage: mssql_python_client.py HOST PORT SECURE_PORT CERTIFICATE CASES"""

import os
import re
import sys
import threading

import mssql_python

from checks import Checks

host, port, secure, certificate, folder = sys.argv[1:]
c = Checks("mssql-python", folder)
mssql_python.pooling(enabled=False)


def connect(more="Encrypt=no", user="judge", password="{p@ss;1 é}}}", database="Shop", server=host, at=port):
    return mssql_python.connect(f"Server=tcp:{server},{at};Database={database};UID={user};PWD={password};{more}", autocommit=True)


def refused(e):
    """This client tells one text and no number; of a refused database (4060, then 18456) it is the last one's."""
    return ("Login failed for user 'judge'" in str(e),)


c.fails("encryption yes, certificate not known", lambda: connect("Encrypt=yes", at=secure), (True,), lambda e: ("self-signed" in str(e),))
c.fails("encryption strict, trusting", lambda: connect("Encrypt=strict;TrustServerCertificate=yes", at=secure), (True,), lambda e: ("self-signed" in str(e),))
os.environ["SSL_CERT_FILE"] = certificate  # where the driver's OpenSSL looks for authorities
for more in ("Encrypt=no", "Encrypt=yes;TrustServerCertificate=yes", "Encrypt=yes", "Encrypt=strict", f"Encrypt=strict;ServerCertificate={certificate}"):
    db = connect(more, server="localhost", at=secure)
    c.equal(f"encryption {more.split('=/')[0]}", db.cursor().execute("SELECT SUSER_SNAME()").fetchval(), "judge")
    db.close()
c.fails("login failure", lambda: connect(password="wrong"), (True,), refused)
c.fails("wrong database", lambda: connect(database="Nope"), (True,), refused)

db = connect()
cursor = db.cursor()


def query(sql, *args):
    return cursor.execute(sql, *args).fetchall()


def said(e):
    """The number cannot be asked for; a phrase of the server's message is looked for."""
    phrases = {
        102: "Incorrect syntax near", 105: "Unclosed quotation mark", 137: "Must declare the scalar variable", 195: "is not a recognized built-in function",
        207: "Invalid column name", 208: "Invalid object name", 229: "SELECT permission was denied", 241: "converting date and/or time from character string",
        245: "Conversion failed when converting the varchar value", 2812: "Could not find stored procedure", 8120: "is invalid in the select list",
        8134: "Divide by zero", 50000: "mine", 50001: "thrown",
    }
    return [next((n for n, phrase in phrases.items() if phrase in str(e)), 0), None, None, None]


c.values(query)
c.parameters(lambda kind, value, asked: cursor.execute("SELECT " + asked.replace("{p}", "?") + ", ?", [value] * (asked.count("{p}") + 1)).fetchone())
c.equal("parameter NULL", query("SELECT COUNT(*) FROM dbo.Orders WHERE Name = ?", (None,))[0][0], 0)
c.errors(query, said)
c.changes(query)

cursor.execute("SELECT Name FROM dbo.Orders WHERE Id = ?", (1,))
names = [cursor.fetchval()]
for key in (3, 1):  # the same text: prepared once
    names.append(cursor.execute("SELECT Name FROM dbo.Orders WHERE Id = ?", (key,)).fetchval())
c.equal("prepare, execute", names, ["ONE", "three", "ONE"])
rows = query("{CALL sys.sp_cdc_help_change_data_capture (?, ?)}", ("dbo", "Orders"))
c.equal("call sp_cdc_help_change_data_capture", [(r[0], r[1], r[2]) for r in rows], [("dbo", "Orders", "dbo_Orders")])
c.equal("tables of the catalogue", sorted(r[2] for r in query("SELECT * FROM INFORMATION_SCHEMA.TABLES WHERE TABLE_SCHEMA = 'dbo'")), ["Orders", "Types"])

cursor.execute("SELECT 1 AS one; SELECT 2 AS two")
first = cursor.fetchval()
c.equal("two results", (first, cursor.nextset(), cursor.fetchval()), (1, True, 2))
timer = threading.Timer(0.3, cursor.cancel) if hasattr(cursor, "cancel") else None
if timer:
    timer.start()
    c.fails("cancel", lambda: query("WAITFOR DELAY '00:05:00'"), (True,), lambda e: (bool(re.search("cancel", str(e), re.I)),))
other = connect()
other.timeout = 1
slow = other.cursor()
c.fails("timeout", lambda: slow.execute("WAITFOR DELAY '00:05:00'"), (True,), lambda e: ("imeout" in str(e),))
c.equal("usable after it", other.cursor().execute("SELECT 7").fetchval(), 7)

for end in ("commit", "rollback"):
    other.autocommit = False
    before = other.cursor().execute("SELECT @@TRANCOUNT").fetchval()
    getattr(other, end)()
    other.autocommit = True
    c.equal(f"transaction, {end}", (before, other.cursor().execute("SELECT @@TRANCOUNT").fetchval()), (1, 0))
c.end()
