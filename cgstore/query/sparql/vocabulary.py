"""How the names and values of logical forms are written in SPARQL, and read from it. Everything is escaped here."""

from __future__ import annotations

import re
from dataclasses import dataclass
from urllib.parse import quote, unquote

from cgstore.errors import BadInput
from cgstore.text.dates import Moment, read_moment

FREEBASE = "http://rdf.freebase.com/ns/"
XSD = "http://www.w3.org/2001/XMLSchema#"

PREFIX = "ns"
"""The prefix of the vocabulary's own names."""

TIMES = ("date", "dateTime", "gYear", "gYearMonth")
"""The datatypes of times. Their texts sort as the times do, from year 1 to year 9999."""

NUMBERS = (
    *("integer", "decimal", "float", "double", "int", "long", "short", "byte", "nonNegativeInteger", "positiveInteger"),
    *("nonPositiveInteger", "negativeInteger", "unsignedInt", "unsignedLong", "unsignedShort", "unsignedByte"),
)
"""The datatypes of numbers."""

_LOCAL = re.compile(r"[A-Za-z_][A-Za-z0-9_]*(?:\.[A-Za-z0-9_]+)*")
_IRI = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:[^\x00-\x20<>\"{}|^`\\]*")
_WEB = re.compile(r"https?://[^\x00-\x20<>\"{}|^`\\]+")
_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*)(\.[0-9]+)?")
_DAY = re.compile(r"(?!0000)[0-9]{4}-[0-9]{2}(-[0-9]{2})?")
_YEAR = re.compile(r"[0-9]{4}")
_DATATYPE = re.compile(r"[A-Za-z][A-Za-z0-9_]*")
_ESCAPES = {"\\": "\\\\", '"': '\\"', "\n": "\\n", "\r": "\\r", "\t": "\\t", "\b": "\\b", "\f": "\\f"}
_CONTROL = re.compile(r"[\x00-\x1f\x7f]")


@dataclass(frozen=True)
class Vocabulary:
    """The IRIs of names, and the datatypes of values.

    The IRI of a name is the base and the name, percent-encoded. It is written with the prefix `ns:` if the name is an
    identifier such as `m.02mjmr`. A name that is an IRI of the web stays as it is.

    Args:
        base: what every IRI begins with; Freebase's namespace by default.

    Raises:
        BadInput: `base` is not an absolute IRI.
    """

    base: str = FREEBASE

    def __post_init__(self) -> None:
        if not _IRI.fullmatch(self.base):
            raise BadInput(f"'{self.base}' is not an absolute IRI.", "Give --base http://example.org/ for example.")

    @property
    def prologue(self) -> str:
        """The declarations of prefixes that every query begins with."""
        return f"PREFIX {PREFIX}: <{self.base}>\nPREFIX xsd: <{XSD}>\n"

    def iri(self, name: str) -> str:
        """The full IRI of a name."""
        return name if _WEB.fullmatch(name) else self.base + quote(name, safe="")

    def iri_term(self, name: str) -> str:
        """The IRI of a name as it is written in a query."""
        return f"{PREFIX}:{name}" if _LOCAL.fullmatch(name) else f"<{self.iri(name)}>"

    def name(self, iri: str) -> str:
        """The name that an IRI stands for."""
        return unquote(iri.removeprefix(self.base)) if iri.startswith(self.base) else iri

    def datatype(self, text: str) -> str | None:
        """The datatype of a text that is a number or a time; None for a name.

        A whole number is an `integer`, also if it may be a year. A number written in another way, such as `007` or
        `1,000`, is a name.
        """
        if number := _NUMBER.fullmatch(text):
            return "decimal" if number[1] else "integer"
        day = _DAY.fullmatch(text)
        if day is None or read_moment(text) is None:
            return None
        return "date" if day[1] else "gYearMonth"

    def value_term(self, text: str) -> str:
        """A name or a value in the place of a tail: a literal if it is a number or a time, else an IRI."""
        datatype = self.datatype(text)
        return self.iri_term(text) if datatype is None else self.typed_term(text, datatype)

    def typed_term(self, text: str, datatype: str) -> str:
        """A literal with a datatype."""
        if datatype == "integer" and _NUMBER.fullmatch(text):
            return text
        if not _DATATYPE.fullmatch(datatype):
            raise BadInput(f"'{datatype}' is not a datatype of XML Schema.", "Write for example xsd:integer.")
        return string_term(text) if datatype == "string" else f"{string_term(text)}^^xsd:{datatype}"


def string_term(text: str) -> str:
    """A string literal, escaped."""
    escaped = "".join(_ESCAPES.get(c, c) for c in text)
    return '"' + _CONTROL.sub(lambda match: f"\\u{ord(match[0]):04X}", escaped) + '"'


def time_bounds(text: str) -> tuple[str, str] | None:
    """The least and the greatest text of a time within a year, a month or a day; None if it is none of them.

    A year means all its days: the texts of times within 1999 are from `1999` to `1999-12-31~`. A year has four digits,
    and is not 0.
    """
    moment = read_moment(text)
    if moment is None or not _YEAR.match(text) or not 1 <= moment.year <= 9999:
        return None
    first = iso_day(moment.first_day).removesuffix("-01")
    return first.removesuffix("-01") if len(first) == 7 else first, f"{iso_day(moment.last_day)}~"


def iso_day(day: Moment) -> str:
    """A day in ISO form."""
    return f"{day.year:04d}-{day.month:02d}-{day.day:02d}"
