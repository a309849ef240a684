"""What kind a value is for a type that it is cast to: the words by which differences.json names values.

A kind hangs on the value and the two types alone, never on what became of it.
"""

from __future__ import annotations

import datetime
import math
import re
import struct
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy

WHOLE = {"tinyint": (0, 255), "smallint": (-(1 << 15), (1 << 15) - 1), "int": (-(1 << 31), (1 << 31) - 1), "bigint": (-(1 << 63), (1 << 63) - 1)}
MONEY = {"money": (1 << 63, 19), "smallmoney": (1 << 31, 10)}
PLAIN = "any other"

DAY = 86_400_000_000_000  # of nanoseconds, which is what times are counted in here
FIRST = -719162 * DAY  # 0001-01-01
AFTER = 2932897 * DAY  # 10000-01-01
RANGE = {"datetime": (-79256 * DAY, AFTER), "smalldatetime": (-25567 * DAY, 39968 * DAY + DAY)}


def kind(source: str, value: Any, target: str) -> str:
    """The kind of a value of a source's group of types for an SQL type."""
    name, _, rest = target.partition("(")
    arguments = [int(a) for a in re.findall(r"\d+", rest)]
    if source == "text":
        return _of_text(value.decode("utf-8", "surrogateescape"), name, arguments)
    if source in ("bytes", "uuid"):
        return _of_bytes(value, name, arguments)
    if source in ("date", "time", "timestamp", "timestamp UTC"):
        return _of_time(value, source, name, arguments)
    return _of_number(value, name, arguments) if source != "boolean" else PLAIN


def _of_number(value: Any, name: str, arguments: list[int]) -> str:
    if isinstance(value, float) and not math.isfinite(value):
        return "NaN or infinity"
    exact = Fraction(value)
    if name in WHOLE:
        low, high = WHOLE[name]
        if not low <= int(exact) <= high:
            return "beyond the type"
        return PLAIN if exact.denominator == 1 else "a fraction"
    if name in ("real", "float"):
        return _of_float(exact, name)
    if name == "bit":
        return PLAIN if exact in (0, 1) else "another number than 0 and 1"
    if name == "rowversion":
        return "a number of 64 bits"
    if name in MONEY:
        half, digits = MONEY[name]
        scale = 4
        if not -half <= int(exact * 10**scale) <= half - 1:
            return "beyond the type"
    else:
        digits, scale = arguments or (38, 0)
        if abs(exact) * 10**scale >= 10**digits:
            return "beyond the type"
    if isinstance(value, float) and abs(value) >= 1 << 53:
        return "a whole number above 2^53"
    return PLAIN if (exact * 10**scale).denominator == 1 else "digits below the scale"


def _of_float(exact: Fraction, name: str) -> str:
    try:
        near = float(exact) if name == "float" else struct.unpack("f", struct.pack("f", float(exact)))[0]
    except OverflowError:
        return "beyond the type"
    if math.isinf(near):
        return "beyond the type"
    if exact and not near:
        return "nearer to zero than the type reaches"
    return PLAIN if Fraction(near) == exact else "not held exactly"


def shortest(near: float, name: str) -> Fraction:
    """What the shortest text says that only this number of its type has."""
    return Fraction(repr(near) if name == "float" else numpy.format_float_scientific(numpy.float32(near)))


NUMBER = re.compile(r"[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?", re.ASCII)


def _of_text(text: str, name: str, arguments: list[int]) -> str:
    if name in WHOLE or name in MONEY or name in ("decimal", "real", "float"):
        return _of_number_text(text, name, arguments)
    if name == "bit":
        return _of_bool_text(text)
    if name == "date" or name.startswith("datetime") or name == "smalldatetime":
        return _of_time_text(text, name, arguments)
    if name == "time":
        return _of_clock_text(text, arguments)
    if name == "uniqueidentifier":
        return _of_guid_text(text)
    if name == "rowversion":
        spelled = re.fullmatch(r"(0[xX])?[0-9a-fA-F]{16}|[A-Za-z0-9+/]{11}=", text)
        return "eight bytes as text" if spelled else "other text"
    return _of_length(text, name, arguments)


GUID = re.compile(r"[0-9A-F]{8}(-[0-9A-F]{4}){3}-[0-9A-F]{12}")


def _of_guid_text(text: str) -> str:
    inner = text.strip(" ").strip("{}").upper()
    if GUID.fullmatch(text):
        return PLAIN
    return "a GUID in another spelling" if GUID.fullmatch(inner) or re.fullmatch(r"[0-9A-F]{32}", inner) else "no GUID"


def _of_length(text: str, name: str, arguments: list[int]) -> str:
    """Units of 1252's one byte, or of UTF-16, against the declared length."""
    if not arguments:
        return PLAIN
    units = len(text.encode("utf-16-le", "surrogatepass")) // 2 if name.startswith("n") else len(text.encode("cp1252", "replace"))
    if units > arguments[0]:
        return "longer than declared"
    return "shorter than declared" if name in ("char", "nchar") and units < arguments[0] else PLAIN


def _of_number_text(text: str, name: str, arguments: list[int]) -> str:
    trimmed = text.strip(" \t\r\n")
    if not NUMBER.fullmatch(trimmed):
        if re.fullmatch(r"[+-]?\d+", trimmed):
            return "digits of another script"
        if re.fullmatch(r"[+-]?(nan|inf(inity)?)", trimmed, re.IGNORECASE):
            return "NaN or infinity"
        return "a number with a type's letter" if NUMBER.fullmatch(trimmed[:-1]) and trimmed[-1] in "dDfF" else "no number"
    value = Fraction(trimmed)
    if name in WHOLE and ("." in trimmed or "e" in trimmed.lower()) and value.denominator == 1 and WHOLE[name][0] <= value <= WHOLE[name][1]:
        return "a whole number with a point or an exponent"
    if name in ("real", "float"):
        found = _of_float(value, name)
        return PLAIN if found == "not held exactly" and shortest(float(value), name) == value else found
    return _of_number(Decimal(trimmed) if abs(len(str(value))) < 400 else value, name, arguments)


def _of_bool_text(text: str) -> str:
    word = text.strip(" \t\r\n").lower()
    if word in ("true", "false", "1", "0"):
        return PLAIN if word == text.lower() else "blanks around it"
    return "another word for yes or no" if word in ("t", "f", "y", "n", "yes", "no", "on", "off") else "one NUL byte" if text == "\0" else "no truth value"


ZONE = r"(?P<zone>\s*(Z|UTC|[+-]\d\d(:?\d\d)?|[A-Z][a-z]+/[A-Z][a-z]+))?"
STAMP = re.compile(r"(?P<date>[+-]?\d{4,}-\d\d-\d\d)([T ](?P<clock>\d\d:\d\d(:\d\d(?P<fraction>\.\d*)?)?)" + ZONE + r")?", re.ASCII)


def _of_time_text(text: str, name: str, arguments: list[int]) -> str:
    trimmed = text.strip(" ")
    found = STAMP.fullmatch(trimmed)
    if re.fullmatch(r"\d{8}( \d\d:\d\d:\d\d)?", trimmed, re.ASCII):
        return "a date without dashes"
    if not found:
        if re.match(r"T?\d{1,2}:", trimmed):
            return "a time of day alone"
        return "not year, month and day in full" if re.match(r"[+-]?\d{4,}(-|$)", trimmed) else "no date"
    if not re.fullmatch(r"\d{4}-.*", found["date"]) or found["date"] < "0001":
        return "beyond the type"
    if name == "date":
        return PLAIN if found["clock"] is None else "midnight" if re.fullmatch(r"00:00(:00(\.0*)?)?", found["clock"]) and not found["zone"] else "a time of day"
    if found["fraction"] == ".":
        return "a point without digits"
    zone = (found["zone"] or "").strip()
    if "/" in zone:
        return "a zone by its name"
    try:
        at = _nanos(found["date"], found["clock"] or "00:00") - _offset(zone)
    except ValueError:
        return "no date"
    held = _of_time(at, "timestamp", name, arguments)
    return "a time with a zone" if zone and name != "datetimeoffset" and held in (PLAIN, "finer than a microsecond") else held


def _offset(zone: str) -> int:
    """Nanoseconds that a zone's clock is ahead of UTC."""
    digits = re.sub(r"\D", "", zone).ljust(4, "0")
    return (-1 if zone.startswith("-") else 1) * (int(digits[:2]) * 60 + int(digits[2:])) * 60 * 10**9


def _nanos(date: str, clock: str) -> int:
    """Nanoseconds of a date and a clock's hours, minutes, seconds and fraction."""
    hours, minutes, seconds = [*clock.split(":"), "0"][:3]
    whole, _, fraction = seconds.partition(".")
    day = datetime.date.fromisoformat(date).toordinal() - datetime.date(1970, 1, 1).toordinal()
    return day * DAY + ((int(hours) * 60 + int(minutes)) * 60 + int(whole)) * 10**9 + int(fraction.ljust(9, "0")[:9])


def _of_clock_text(text: str, arguments: list[int]) -> str:
    found = re.fullmatch(r"([01]\d|2[0-3]):[0-5]\d(:[0-5]\d(\.(?P<fraction>\d{1,9}))?)?", text.strip(" "), re.ASCII)
    if not found:
        return "no time of day"
    return "finer than the type" if len((found["fraction"] or "").rstrip("0")) > arguments[0] else "a time of day"


def _of_bytes(value: bytes, name: str, arguments: list[int]) -> str:
    if name == "uniqueidentifier":
        return "16 bytes" if len(value) == 16 else "another length than 16"
    if name == "rowversion":
        return PLAIN if len(value) == 8 else "another length than 8"
    if name == "bit":
        return "one byte, 0 or 1" if value in (b"\0", b"\x01") else "other bytes"
    if name in ("binary", "varbinary"):
        if arguments and len(value) > arguments[0]:
            return "longer than declared"
        return "shorter than declared" if name == "binary" and len(value) < arguments[0] else PLAIN
    try:
        return _of_length(value.decode(), name, arguments)
    except UnicodeDecodeError:
        return "no UTF-8"


def _of_time(value: int, source: str, name: str, arguments: list[int]) -> str:
    """Times are counts of nanoseconds, of a date's midnight or of a day."""
    if name == "time":
        if source != "time":
            return "a time of day on some date"
        return "finer than the type" if value % 10 ** (9 - arguments[0]) else "a time of day"
    low, after = RANGE.get(name, (FIRST, AFTER))
    if not low <= value < after:
        return "beyond the type"
    if name == "date":
        return PLAIN if value % DAY == 0 else "a time of day"
    if name == "datetime":
        return _of_tick(value)
    step = 60 * 10**9 if name == "smalldatetime" else 10 ** (9 - arguments[0])
    return PLAIN if value % step == 0 else "finer than the type" if step > 1000 else "finer than a microsecond" if value % 1000 else PLAIN


def _of_tick(value: int) -> str:
    """SQL Server keeps datetime in ticks of 1/300 s, which the stream spells with three digits."""
    if value >= AFTER - 1_000:
        return "beyond the type"
    micros = value // 1000
    tick = round(Fraction(micros * 300, 1_000_000))
    exact = Fraction(tick * 1_000_000, 300)
    if abs(micros - exact) > 1 and micros != round(exact / 1000) * 1000:
        return "finer than the type"
    return PLAIN if micros % 1000 == 0 else "on a tick of 1/300 s"
