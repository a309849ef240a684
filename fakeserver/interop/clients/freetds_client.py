"""FreeTDS's own tools, tsql and bsqldb. Usage: freetds_client.py HOST PORT SECURE_PORT CERTIFICATE CASES"""

import os
import pathlib
import re
import subprocess
import sys
import tempfile

from checks import Checks

host, port, secure, certificate, folder = sys.argv[1:]
work = pathlib.Path(tempfile.mkdtemp())
servers = {"judge": (port, "7.4", "off"), "old": (port, "7.3", "off"), "request": (secure, "7.4", "request"), "require": (secure, "7.4", "require")}
config = "[global]\nclient charset = UTF-8\ntext size = 1000000\n" + "".join(
    f"[{name}]\nhost = {host}\nport = {at}\ntds version = {version}\nencryption = {encryption}\n" for name, (at, version, encryption) in servers.items()
)
(work / "freetds.conf").write_text(config)
os.environ["FREETDSCONF"] = str(work / "freetds.conf")


def tool(*command, sql):
    done = subprocess.run(command, input=sql, capture_output=True, text=True, timeout=60)
    return done.stdout, done.stderr


def tsql(sql, server="judge", password="Judge-1", database="Shop"):
    """What tsql prints: rows of fields without the heading, and its messages."""
    out, said = tool("tsql", "-S", server, "-U", "plain", "-P", password, "-D", database, "-o", "q", sql=sql + "\nGO\nexit\n")
    return [line.split("\t") for line in out.splitlines()[1:]], said


def bsqldb(sql):
    out, said = tool("bsqldb", "-S", "judge", "-U", "plain", "-P", "Judge-1", "-D", "Shop", "-q", "-h", "-t", "|", sql=sql + "\ngo\n")
    return [[field.strip() for field in line.split("|")] for line in out.splitlines() if line.strip()], said


def told(said):
    """number, class, state and line out of tsql's or bsqldb's text, as far as it has them."""
    m = re.search(r"Msg (\d+) \(severity (\d+), state (\d+)\).*? Line (\d+)", said) or re.search(r"Msg (\d+), Level (\d+), State (\d+)(?:.*?Line (\d+))?", said, re.S)
    return tuple(int(n) for n in m.groups() if n) if m else said


def written(kind, value):
    """A kept value as FreeTDS writes it: bytes without 0x, floats with 17 digits, times to the minute."""
    if kind == "binary":
        return value[2:].lower()
    return f"{float(value):.17g}" if kind == "float" else value


# Times have a form of FreeTDS's own.
times = {
    "c_date": ["Jan  1 1 12:00AM", "Dec 31 9999 12:00AM"],
    "c_time": ["Jan  1 1900 11:59PM", "Jan  1 1900 12:00AM"],
    "c_time0": ["Jan  1 1900 12:34PM", "Jan  1 1900 12:00AM"],
    "c_datetime": ["Oct 25 2026 02:30AM", "Jan  1 1753 12:00AM"],
    "c_smalldatetime": ["Oct 25 2026 02:31AM", "Jun  6 2079 11:59PM"],
    "c_datetime2": ["Dec 31 9999 11:59PM", "Jan  1 1 12:00AM"],
    "c_datetime23": ["Oct 15 1582 12:00AM", "Feb 29 2024 12:00PM"],
    "c_datetimeoffset": ["Oct 25 2026 02:30AM", "Dec 31 1999 11:59PM"],
}

c = Checks("tsql", folder)
for server in servers:
    c.equal(f"server {server}", tsql("SELECT SUSER_SNAME()", server)[0], [["plain"]])
c.equal("login failure", told(tsql("SELECT 1", password="wrong")[1])[:3], (18456, 14, 1))
c.true("wrong database", "Cannot open database" in tsql("SELECT 1", database="Nope")[1], tsql("SELECT 1", database="Nope")[1])
for column, kind, *kept in c.cases("values.tsv"):
    if kind == "variant":
        continue  # its bytes are taken for text, a number's too
    rows, said = tsql(f"SELECT {column} FROM dbo.Types ORDER BY n")
    want = times.get(column, [written(kind, v) for v in kept])
    c.equal(f"values {column}", [r[0] for r in rows], want + ["NULL"])
for what, sql, want in c.cases("cdc.tsv"):
    c.equal(f"cdc {what}", ";".join("|".join(row) for row in tsql(sql)[0]), want)
for *want, sql in c.cases("errors.tsv"):
    c.equal(f"error {want[0]}", told(tsql(sql)[1]), tuple(map(int, want)))

b = Checks("bsqldb", folder)
for column, kind, *kept in b.cases("values.tsv"):
    if kind in ("int", "tinyint", "smallint", "bit", "money") or column == "c_numeric":  # it has no other types, and 38 digits crash it
        rows, said = bsqldb(f"SELECT {column} FROM dbo.Types ORDER BY n")
        b.true(f"values {column}", [r[0] for r in rows] == kept + ["NULL"], f"{rows}, and not {kept} and NULL: {said}")
for what, sql, want in b.cases("cdc.tsv"):
    b.equal(f"cdc {what}", ";".join("|".join(row) for row in bsqldb(sql)[0]), want)
for *want, sql in b.cases("errors.tsv"):
    b.equal(f"error {want[0]}", told(bsqldb(sql)[1])[:2], tuple(map(int, want))[:2])
c.held, c.failed, c.client = c.held + b.held, c.failed + b.failed, "tsql and bsqldb"
c.end()
