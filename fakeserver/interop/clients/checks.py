"""What the Python clients share: the kept cases, and a count of what held and what did not."""

import datetime
import decimal
import pathlib
import re
import sys
import uuid


class Checks:
    """The cases of a folder, and what a client made of them. A failure is told at once and does not stop the rest."""

    def __init__(self, client, folder, scale=True):
        self.client, self.folder = client, pathlib.Path(folder)
        self.scale = scale  # whether the client keeps the last zeros of a decimal
        self.held = self.failed = 0

    def cases(self, name):
        for line in (self.folder / name).read_text("utf-8").splitlines():
            if not line.startswith("#"):
                yield [field.replace("\\e", "").replace("\\n", "\n") for field in line.split("\t")]

    def true(self, what, holds, told=""):
        if holds:
            self.held += 1
            print(f"ok {self.client}: {what}")
        else:
            self.failed += 1
            print(f"not ok {self.client}: {what}: {told[:400]}")

    def equal(self, what, got, want):
        self.true(what, got == want, f"{got!r}, and not {want!r}")

    def fails(self, what, run, want, told):
        """run() must raise; told(error) is compared with want, place by place: None is what the client cannot tell."""
        try:
            got = run()
        except Exception as e:  # whatever a client raises
            pairs = [(g, w) for g, w in zip(told(e), want) if g is not None]
            self.true(what, pairs and all(g == w for g, w in pairs), f"{told(e)}, and not {want}: {type(e).__name__}: {e}")
        else:
            self.true(what, False, f"no error but {got!r}")

    def values(self, query, own=None, without=()):
        """Every column type, with values and NULL. own has the values that this client reads in a way of its own."""
        cases = [case for case in self.cases("values.tsv") if case[0] not in without]
        rows = query(f"SELECT {', '.join(c[0] for c in cases)} FROM dbo.Types ORDER BY n")
        for i, (column, kind, *wanted) in enumerate(cases):
            got = [text(row[i]) for row in rows]
            wanted = (own or {}).get(column, wanted)
            self.true(f"values {column}", all(map(self.same, [kind] * 2, got, wanted)) and got[2:] == ["NULL"], f"{got}, and not {wanted} and NULL")

    def changes(self, query):
        for what, sql, want in self.cases("cdc.tsv"):
            got = ";".join("|".join(map(text, row)) for row in query(sql))
            self.equal(f"cdc {what}", got, want)

    def errors(self, run, told):
        """told gives number, class, state and line of what the client raised."""
        for *want, sql in self.cases("errors.tsv"):
            self.fails(f"error {want[0]}", lambda: run(sql), tuple(int(n) for n in want), told)

    def parameters(self, ask, own=None, without=(), longest=100_000):
        """ask(kind, value, asked) sends a parameter, and gets what the server read and the parameter itself."""
        for kind, want, asked in self.cases("parameters.tsv"):
            if kind in without:
                continue
            value = native(kind, want)
            try:
                got = [text(v) for v in ask(kind, value, asked)]
            except Exception as e:
                got = [f"{type(e).__name__}: {e}"] * 2
            wanted = (own or {}).get(kind, want)
            self.true(f"parameter {kind}", all(self.same(kind, g, wanted) for g in got), f"{got}, and not {wanted}")
        for size in sorted({4_000, min(4_001, longest), longest}):
            long = ("éàü" * size)[:size]
            got = ask("text", long, "DATALENGTH({p})")
            self.equal(f"parameter text of {size}", (int(got[0]), got[1]), (2 * size, long))

    def same(self, kind, got, want):
        """Whether two texts of a kind are one value, in the microseconds that Python has."""
        if kind == "float" and "NULL" not in (got, want):
            return float(got) == float(want)
        if kind == "decimal" and not self.scale:
            return decimal.Decimal(got) == decimal.Decimal(want)
        if kind in ("time", "datetime", "datetimeoffset"):
            return micros(got) == micros(want)
        return got == want

    def end(self):
        print(f"{self.client}: {self.held} held, {self.failed} failed")
        sys.exit(1 if self.failed else 0)


def native(kind, value):
    """A parameter's value as Python has it."""
    if kind in ("tinyint", "smallint", "int", "bigint"):
        return int(value)
    if kind == "bit":
        return value == "1"
    if kind == "decimal":
        return decimal.Decimal(value)
    if kind == "float":
        return float(value)
    if kind == "date":
        return datetime.date.fromisoformat(value)
    if kind == "time":
        return datetime.time.fromisoformat(value)
    if kind == "datetime":
        return datetime.datetime.fromisoformat(value)
    if kind == "datetimeoffset":
        return datetime.datetime.strptime(value, "%Y-%m-%d %H:%M:%S.%f %z")
    if kind == "binary":
        return bytes.fromhex(value[2:])
    if kind == "guid":
        return uuid.UUID(value)
    return value


def text(v):
    """A value as the kept cases write it."""
    if v is None:
        return "NULL"
    if isinstance(v, bool):
        return str(int(v))
    if isinstance(v, decimal.Decimal):
        return format(v, "f")
    if isinstance(v, (bytes, bytearray, memoryview)):
        return "0x" + bytes(v).hex().upper()
    if isinstance(v, uuid.UUID):
        return str(v).upper()
    if isinstance(v, datetime.datetime) and v.tzinfo:
        zone = v.isoformat()[-6:]
        return f"{v.replace(tzinfo=None).isoformat(sep=' ')} {zone}"
    if isinstance(v, datetime.datetime):
        return v.isoformat(sep=" ")
    if isinstance(v, (datetime.date, datetime.time)):
        return v.isoformat()
    return str(v)


def micros(t):
    """A time's text with its fraction cut to six digits and its last zeros gone."""
    whole, fraction, zone = re.fullmatch(r"([^.+]*?)(?:\.(\d+))?( ?[+-]\d\d:\d\d)?", t).groups()
    fraction = (fraction or "")[:6].rstrip("0")
    return whole + (f".{fraction}" if fraction else "") + (zone or "")
