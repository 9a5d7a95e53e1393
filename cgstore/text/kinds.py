"""What kind of values a column has, and the number that a value of a kind is, to compare and to compute with.

A column is read as one kind, the one that most of its distinct values fit, if four in five do; else it is text. A plain
number fits every kind of amounts but percent, and is itself in each, so that `59.8` beside `1:02.5` is a duration in
seconds, and `2004` beside `June 2005` is a year; a column of nothing but plain numbers is of numbers.

What a kind's numbers are:

- number: itself; `1.2 million` too; `(45)` is -45; `93 (36)` and `12 (40%)` are the first number.
- scaled number: `12k` is 12,000 and `3.4M` 3,400,000; only if a k or a B shows that the letters are no units.
- percent: `50%` is 50.
- currency: the amount, in the column's own currency: `$1.2 million`, `5 €`, `US$5`, `($45)`.
- ordinal: `5th` is 5, and so are `T-5th`, `T5`, `=5` and `#5`.
- measure: the amount, of a quantity with a unit: `16 km`, `200 mi (320 km)`; only if all values with a unit have one.
- date: years, as `cgstore.text.dates` has them: `2004-07-02`, `July 2, 2004`, `2 July 2004`, `2-Jul-04`, `Jul 2004`,
  `2004/07/02`, `7/2/2004`. A year of two digits is of 1969 to 2068. `2/7/2004` is month first in a date column, and day
  first in a day-first one, which a column is only if more of its values fit. `August 7, 1986 (age 27)` is the day.
- day: the day of a leap year, from 1, for dates without a year: `July 2`, `2 Jul`; only if the column has no day of
  January to March or none of October to December, and no date with a year; else it may go over New Year.
- time: hours since midnight: `10:30`, `9:05 pm`.
- duration: seconds: `1:02:03.5`, `3:45` (minutes and seconds), `2h 5min`, `5h 29' 10"`. A gap, `+0:12`, is text: it
  stands beside the winner's whole time.
- score: the first number minus the second, so that it orders a column of results from the highest loss to the highest
  win, and its sign says who won. Ranges (`18-24`, `25-34`) are text.

Amounts (numbers, scaled or not, percent, currencies, ordinals, measures, durations) have one format in the whole
column: a point before the decimals, or a comma (`number, decimal comma`). The other mark groups thousands, three
digits each (or as in `12,34,567`), and so do spaces of any width and apostrophes in both formats: `1 234,5`,
`1'234.50`. An amount of the other format does not fit. `1,234.50-` is negative, `5.-` is 5. The mark is the one with
which more values can be read; `cgstore.text.columns` decides where all can be read both ways.

A mark of a footnote after a value (`[1]`, `*`, `†`) is no part of it. Months may be named in English, German, French,
Spanish, Italian, Portuguese, Dutch, Danish, Norwegian and Swedish; days without a year in English only.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sized
from enum import StrEnum
from itertools import pairwise

from cgstore.text.dates import Span, days_in_month, number_of, read_span
from cgstore.text.numbers import read_number

POINT, COMMA = ".", ","
"""What stands before the decimals of an amount."""

_WITH_COMMA = ", decimal comma"

SHARE = 0.8
"""Of a column's distinct values, how many must fit its kind."""

MAX_LENGTH = 60
"""A longer text, in characters, is of no kind but text."""


class ValueKind(StrEnum):
    """What the values of a column are; of amounts, with the mark before the decimals."""

    NUMBER = "number"
    SCALED = "scaled number"
    PERCENT = "percent"
    CURRENCY = "currency"
    ORDINAL = "ordinal"
    MEASURE = "measure"
    DATE = "date"
    DAY_FIRST_DATE = "day-first date"
    DAY = "day"
    TIME = "time"
    DURATION = "duration"
    SCORE = "score"
    TEXT = "text"
    COMMA_NUMBER = f"number{_WITH_COMMA}"
    COMMA_SCALED = f"scaled number{_WITH_COMMA}"
    COMMA_PERCENT = f"percent{_WITH_COMMA}"
    COMMA_CURRENCY = f"currency{_WITH_COMMA}"
    COMMA_ORDINAL = f"ordinal{_WITH_COMMA}"
    COMMA_MEASURE = f"measure{_WITH_COMMA}"
    COMMA_DURATION = f"duration{_WITH_COMMA}"

    @property
    def plain(self) -> ValueKind:
        """The kind, whatever stands before the decimals."""
        return _PLAIN[self]

    @property
    def decimal(self) -> str:
        """What stands before the decimals: a point or a comma."""
        return POINT if self is _PLAIN[self] else COMMA

    def written_with(self, decimal: str) -> ValueKind:
        """The same kind with that mark before the decimals; itself, if its values are no amounts."""
        plain = self.plain
        return ValueKind(f"{plain}{_WITH_COMMA}") if decimal == COMMA and plain in AMOUNTS else plain


_PLAIN = {kind: ValueKind(kind.value.removesuffix(_WITH_COMMA)) for kind in ValueKind}

AMOUNTS = frozenset(plain for kind, plain in _PLAIN.items() if plain is not kind)
"""The kinds whose values have a format of numbers."""


_FILLERS = """- -- --- – — ― − ? ?? ??? . .. ... … / * n/a na n.a. n/d nd n.d. #n/a nan none null nil tba tbd tbc tbr
unknown unk. unk dnf dns dnq dnp dnpq dnc dsq dq dnsq dnt dna nc nq wd w/d ret ret. rtd np nh nm npo ex exc inj x ø
n/r nr n/k abs bye"""

FILLERS = frozenset(_FILLERS.split())
"""What stands for a missing value, in lower case."""

_FILLER_LENGTH = 7
_MIN_RANGES = 3

_NOTE = re.compile(r"(?:\s*(?:\[[^\[\]]{1,12}\]|[*†‡§^]))+$")
_SPACES = re.compile(r"\s\s")
_NOTE_ENDS = tuple("]*†‡§^")
_LETTER = re.compile("[A-Za-z]")
_HAS_DIGIT = re.compile(r"\d")
_SCALES = {"thousand": 1e3, "million": 1e6, "billion": 1e9, "trillion": 1e12}
_SHORT_SCALES = {"k": 1e3, "m": 1e6, "mn": 1e6, "mil": 1e6, "mill": 1e6, "b": 1e9, "bn": 1e9, "tn": 1e12}

_AMOUNT = r"(?P<amount>(?:[-+−–]\s?)?\d[\d.,]*|[-+−–]?\.\d+)"
_NUMBER = re.compile(rf"{_AMOUNT}(?:\s+(?P<scale>thousand|million|billion|trillion))?", re.IGNORECASE)
_SCALED = re.compile(rf"{_AMOUNT}(?P<scale>[kKMB]|bn)")
_CONVERTED = re.compile(r"(?<=\d) \([-+−–]?[\d.,]{1,20}\s?%?\)$")
_ASIDE = re.compile(r"(?<=[\w%€]) \([^()]{1,30}\)$")
_PERCENT = re.compile(rf"{_AMOUNT}\s?(?:%|percent|per cent)", re.IGNORECASE)
_ORDINAL = re.compile(
    r"(?:T-?|=)?(\d[\d,]{0,9})(?:st|nd|rd|th)(?:\s?\((?:tie|tied)\))?|(?:T-?|=|#\s?|No\.?\s?)(\d{1,9})|(\d{1,9})=",
    re.IGNORECASE,
)

_UNIT = (
    "km²|km2|sq km|sq mi|square (?:miles|kilomet(?:er|re)s)|km/h|kph|km|metres?|meters?|m²|m2|m³|m/s|cm|mm|miles?|mi²"
    "|mi|feet|ft|inches|inch|in|yards?|yds?|yd|kg|g|mg|tonnes?|tons?|t|lbs?|pounds|ha|hectares?|acres?|mph|knots?|kn|kW"
    "|MW|GW|kWh|MWh|GWh|hp|bhp|PS|GHz|MHz|kHz|Hz|[KMGT]i?B|[kMG]?bit/s|[KMG]bps|cc|cm³|L|litres?|liters?|ml|bbl|°C|°F|°"
    "|V|nm|m|W"
)
_MEASURE = re.compile(rf"{_AMOUNT}[\s-]?(?P<unit>{_UNIT})\.?(?:\s*\([^()]{{1,30}}\))?", re.IGNORECASE)

_SIGN = "[$¢-¥֏؋৲৳฿₠-⃀﷼]"
_CODE = (
    "USD|EUR|GBP|JPY|CHF|AUD|CAD|NZD|CNY|RMB|INR|BRL|MXN|RUB|SEK|NOK|DKK|ISK|PLN|CZK|HUF|TRY|ZAR|KRW|SGD|HKD|THB|IDR"
    "|MYR|PHP|ILS|DEM|FRF|ITL|ESP|ATS|Rs\\.?|kr\\.?|DM|Fr\\.?"
)
_MONEY = rf"(?:(?:US|U\.S\.|AU?|CA?|NZ|HK|NT|R|S|Mex|CAN|AUS)?{_SIGN}|(?:{_CODE})(?![A-Za-z])|{_SIGN}(?:US|CA|AU)D?)"
_SCALE = r"(?P<scale>thousand|million|billion|trillion|mill?|mn|bn|tn|[kmb])\b\.?"
_UNIT_AFTER = re.compile(rf"\d[\s-]?({_UNIT})(?![A-Za-z])", re.IGNORECASE)
_SCALE_AFTER = re.compile(r"\d(k|M|B|bn)\b", re.IGNORECASE)
_CURRENCY = re.compile(
    rf"(?P<open>\()?(?P<sign>[-+−])?\s?(?:(?P<before>{_MONEY})\s?)?(?P<open2>\()?{_AMOUNT}(?:\s?{_SCALE})?"
    rf"(?:\s?(?P<after>{_MONEY}|euros?\b|dollars?\b|pounds?\b))?\)?",
    re.IGNORECASE,
)
_ACCOUNTING = re.compile(r"\((\d[\d.,]*)\)")

_ENGLISH_MONTHS = """
jan january; feb february; mar march; apr april; may; jun june; jul july; aug august; sep sept september; oct october;
nov november; dec december
"""
_OTHER_MONTHS = """
januar jänner janvier janv enero ene gennaio janeiro januari; februar feber février févr febrero febbraio fevereiro fev
februari; märz mär mrz mars marzo março maart mrt marts; avril avr abril abr aprile; mai mayo maggio maio mei maj; juni
juin junio giugno giu junho; juli juillet juil julio luglio lug julho; août agosto ago augustus augusti; septembre
septiembre settembre setembro; oktober okt octobre octubre ottobre ott outubro; novembre noviembre novembro; dezember
dez décembre déc diciembre dic dicembre dezembro desember
"""
"""Those that are no other word before a number, such as Italian `set` and Portuguese `out`."""


def _numbered(*lists: str) -> dict[str, int]:
    return {name: number for names in lists for number, each in enumerate(names.split(";"), 1) for name in each.split()}


def _any_of(names: dict[str, int]) -> str:
    return rf"(?P<month>{'|'.join(sorted(names, key=len, reverse=True))})\.?"


_MONTHS = _numbered(_OTHER_MONTHS, _ENGLISH_MONTHS)
_MONTH = _any_of(_MONTHS)
_ENGLISH_MONTH = _any_of(_numbered(_ENGLISH_MONTHS))
_WEEKDAY = r"(?:(?:mon|tues?|wed(?:nes)?|thu(?:rs?)?|fri|sat(?:ur)?|sun)(?:day)?\.?,?\s+)?"
_DAY = r"(?P<day>\d{1,2})(?:st|nd|rd|th|er|º)?"
_OF = r"\s+(?:of|de|del|di)\s+"
_YEAR = r"(?P<year>[12]\d{3})"
_MONTH_DAY = re.compile(rf"{_WEEKDAY}{_MONTH}\s*{_DAY}\s*,?\s*{_YEAR}", re.IGNORECASE)
_DAY_MONTH = re.compile(
    rf"{_WEEKDAY}{_DAY}(?:{_OF}|\s*[-.\s]\s*){_MONTH}(?:{_OF}|\s*[-,\s]\s*)(?P<year>[12]\d{{3}}|'?\d\d)",
    re.IGNORECASE,
)
_MONTH_YEAR = re.compile(rf"{_MONTH}(?:{_OF}|\s*[-,\s]\s*){_YEAR}", re.IGNORECASE)
_YEAR_MONTH = re.compile(r"(\d{4})([-/.])(\d{1,2})\2(\d{1,2})|([12]\d{3})-(\d{2})")
_MOMENT = re.compile(r"(\d{4}-\d\d-\d\d)[T ](\d\d):(\d\d)(?::(\d\d(?:[.,]\d+)?))?(?:Z|\s?UTC|([-+])(\d\d):?(\d\d))?")
_FIGURES = re.compile(r"(\d{1,2})([-/.])(\d{1,2})\2([12]\d{3}|\d\d)")
_YEARLESS = re.compile(
    rf"{_WEEKDAY}(?:{_ENGLISH_MONTH}\s?{_DAY}"
    rf"|(?P<day2>\d{{1,2}})(?:st|nd|rd|th)?[\s-]{_ENGLISH_MONTH.replace('month', 'month2')})",
    re.IGNORECASE,
)
_PLAIN_YEAR = re.compile(r"[12]\d{3}")

_CLOCK = re.compile(r"(\d{1,2})[:.](\d\d)(?::(\d\d))?\s?([ap])\.?\s?m\.?", re.IGNORECASE)
_HOURS = re.compile(r"(\d{1,2})\s?([ap])\.?m\.?", re.IGNORECASE)
_COLONS = re.compile(r"(?:(\d{1,4}):)?(\d{1,4}):(\d\d(?:[.,]\d{1,6})?)")
_UNITS = re.compile(
    r"(?=\d)(?:(?P<years>\d+)\s?(?:years?|yrs?)\b,?(?:\s?and)?\s*)?"
    r"(?:(?P<months>\d+)\s?months?\b,?(?:\s?and)?\s*)?"
    r"(?:(?P<weeks>\d+)\s?weeks?\b,?(?:\s?and)?\s*)?"
    r"(?:(?P<days>\d+)\s?(?:days?|d)\b,?(?:\s?and)?\s*)?"
    r"(?:(?P<hours>\d+(?:\.\d+)?)\s?(?:hours?|hrs?|h)\.?(?![a-z]),?(?:\s?and)?\s*)?"
    r"(?:(?P<minutes>\d+(?:\.\d+)?)\s?(?:minutes?|mins?\b|m\b|m(?=\s?\d)|min(?=\s?\d)|['’′](?!['’′]))\.?,?(?:\s?and)?\s*)?"
    r"(?:(?P<seconds>\d{1,3}(?:\.\d+)?)\s?(?:seconds?|secs?|s|\"|''|’’|″|”)(?![a-z]))?\.?",
    re.IGNORECASE,
)
_SECONDS = {
    "years": 365.2425 * 86400,
    "months": 365.2425 / 12 * 86400,
    "weeks": 7 * 86400,
    "days": 86400,
    "hours": 3600,
    "minutes": 60,
    "seconds": 1,
}
_SCORE = re.compile(
    r"(\d{1,3})\s?[-–—−]\s?(\d{1,3})(?:\s?\([^()]{1,14}\)|\s?(?:a\.?e\.?t\.?|o\.?t\.?|so|pen\.?))?", re.IGNORECASE
)


def read_as(kind: ValueKind, text: str) -> float | None:
    """The number that a cell is, read as a value of a kind; None where it does not fit, and for TEXT.

    See the module for what the numbers are.
    """
    if len(text) > MAX_LENGTH or kind is ValueKind.TEXT:
        return None
    of, text = _PLAIN[kind], text.strip()
    decimal = POINT if of is kind else COMMA
    if of in _BARE and _DIGITS_AND_MARKS.fullmatch(text):  # most cells are
        return float(text.translate(_TO_PLAIN[decimal])) if _WELL_FORMED[decimal].fullmatch(text) else None
    plain = _plain(text)
    amount = _as_plain_amounts(plain, decimal) if of in AMOUNTS else plain
    return None if amount is None else _READERS[of](amount)


def number_in_text(text: str, decimal: str) -> float | None:
    """The number that a cell is in a column of texts, whose numbers have that mark before their decimals."""
    amount = text if len(text) > MAX_LENGTH else _as_plain_amounts(text.strip(), decimal)
    return None if amount is None else number_of(amount)


def literal_as(kind: ValueKind, text: str) -> float | None:
    """The number that a program means when it compares a text with values of a kind.

    Programs write numbers in one format, whatever the column has: a point before the decimals, commas between
    thousands; `12,75` and `0,125`, which are no thousands, have decimals. What is no number so is read as a cell is.
    """
    if len(text) > MAX_LENGTH or kind is ValueKind.TEXT:
        return None
    of, plain = _PLAIN[kind], _plain(text.strip())
    number = _READERS[of](_ungrouped(plain) if of in AMOUNTS else plain)
    return read_as(kind, text) if number is None else number


def is_padded(text: str) -> bool:
    """Whether a text is a whole number that begins with a 0: a code, rather than an amount."""
    return text.isdecimal() and len(text) > 1 and text.startswith("0")


def reads_otherwise(kind: ValueKind, text: str) -> bool:
    """Whether a text in a program is another number than a cell of that text is."""
    number = literal_as(kind, text)
    return number is not None and read_as(kind, text) not in (None, number)


def span_as(kind: ValueKind, text: str) -> Span | None:
    """The stretch of numbers that a program means, as `literal_as`: of a month in a column of dates, all its days."""
    number = literal_as(kind, text)
    if number is None:
        return None
    month = _MONTH_YEAR.fullmatch(_plain(text.strip())) if kind in (ValueKind.DATE, ValueKind.DAY_FIRST_DATE) else None
    if month is None:
        return Span(number, number)
    year, name = int(month["year"]), month["month"].lower()
    last = _day(year, _MONTHS[name], days_in_month(year, _MONTHS[name]))
    return Span(number, number if last is None else last)


# The format of amounts

_MARKED = re.compile(r"\d[.,'’ \u00a0\u2007\u2009\u202f]\d|[.,]\d|\d[.,][-–—]|\d[-−]")
"""What any amount has that is more than digits, a sign, and what stands around it."""

_GROUPED = re.compile(r"(?<![\d.,'’])([1-9]\d{0,2})((?:[ \u00a0\u2007\u2009\u202f]\d{3})+|(?:['’]\d{3})+)(?![\d'’])")
_RUN = re.compile(r"(?<![\w.,])[.,]\d+(?![.,]?\d)|\d(?:[\d.,]*\d)?")
_WELL_FORMED = {
    POINT: re.compile(r"(?:\d+|[1-9]\d{0,2}(?:,\d{3})+|[1-9]\d?(?:,\d\d)+,\d{3})(?:\.\d+)?|\.\d+"),
    COMMA: re.compile(r"(?:\d+|[1-9]\d{0,2}(?:\.\d{3})+)(?:,\d+)?|,\d+"),
}
_TO_PLAIN = {POINT: str.maketrans("", "", ","), COMMA: str.maketrans(",", ".", ".")}
_DIGITS_AND_MARKS = re.compile(r"\d[\d.,]*\d|\d")
_BARE = AMOUNTS - {ValueKind.PERCENT, ValueKind.ORDINAL}
"""The kinds of which a plain number is a value."""

_NO_CENTS = re.compile(r"(?<=\d)[.,][-–—]{1,2}(?!\d)")
_MINUS_AFTER = re.compile(r"([^\d\s+()−–-]{0,4}\s?\d[\d.,]*[.,]\d+)[-−](\s?[^\d\s()]{0,4})")
_NO_DIGIT = re.compile(r"\D")


def _ungrouped(text: str) -> str:
    """The text with spaces and apostrophes between thousands taken out, and a minus after an amount before it."""
    if not _MARKED.search(text):
        return text
    text = _NO_CENTS.sub("", _GROUPED.sub(lambda found: _NO_DIGIT.sub("", found[0]), text))
    found = _MINUS_AFTER.fullmatch(text)
    return f"-{found[1]}{found[2]}" if found else text


def _as_plain_amounts(text: str, decimal: str) -> str | None:
    """The text with its amounts as `1234.5`; None where one has another format. What follows in brackets stays."""
    if not _MARKED.search(text):
        return text
    main = _without(_ASIDE, text)
    aside, main = text[len(main) :], _ungrouped(main)
    well_formed, to_plain = _WELL_FORMED[decimal], _TO_PLAIN[decimal]
    if all(map(well_formed.fullmatch, _RUN.findall(main))):
        return _RUN.sub(lambda run: run[0].translate(to_plain), main) + aside
    return None


def _plain(text: str) -> str:
    """The text without a footnote's mark, with one space for white space, which patterns would try in every way."""
    if _SPACES.search(text):
        text = " ".join(text.split())
    if text[-1:] in _NOTE_ENDS and (note := _NOTE.search(text)):
        return text[: note.start()]
    return text


def _without(bracket: re.Pattern[str], text: str) -> str:
    """The text before a bracket at its end that says the same otherwise, or more of it."""
    return text[: match.start()] if text.endswith(")") and (match := bracket.search(text)) else text


def _amount(digits: str) -> float | None:
    """A number, with an en dash as its sign too."""
    sign, figures = (digits[0], digits[1:].lstrip()) if digits[0] in "-+−–" else ("", digits)
    value = read_number(figures)
    return value if value is None or sign in ("", "+") else -value


def _number(text: str) -> float | None:
    text = _without(_CONVERTED, text)
    match = _NUMBER.fullmatch(text)
    if match is None:
        accounting = _ACCOUNTING.fullmatch(text)
        value = read_number(accounting[1] if accounting else text) if accounting or _EXPONENT.fullmatch(text) else None
        return -value if accounting and value is not None else value
    value = _amount(match["amount"])
    return value if value is None or not match["scale"] else value * _SCALES[match["scale"].lower()]


_EXPONENT = re.compile(r"[-+−]?\d+(?:\.\d+)?e[-+−]?\d{1,3}", re.IGNORECASE)


def _plain_number(text: str) -> float | None:
    return _amount(text) if _NUMBER.fullmatch(text) else None


def _scaled(text: str) -> float | None:
    match = _SCALED.fullmatch(text)
    value = _amount(match["amount"]) if match else None
    return _plain_number(text) if value is None or not match else value * _SHORT_SCALES[match["scale"].lower()]


def _percent(text: str) -> float | None:
    accounting = text.startswith("(") and text.endswith(")")
    match = _PERCENT.fullmatch(text[1:-1] if accounting else text)
    value = _amount(match["amount"]) if match else None
    return -value if accounting and value is not None else value


def _currency(text: str) -> float | None:
    match = _CURRENCY.fullmatch(text)
    if match is None:
        return None
    opened = match["open"] or match["open2"]
    if bool(opened) != text.endswith(")") or (match["scale"] and not (match["before"] or match["after"])):
        return _number(text)
    value = _amount(match["amount"])
    if value is None:
        return None
    scale = (match["scale"] or "").lower()
    value *= _SCALES.get(scale) or _SHORT_SCALES.get(scale, 1.0)
    return -value if opened or match["sign"] in ("-", "−") else value


def _ordinal(text: str) -> float | None:
    match = _ORDINAL.fullmatch(text)
    if match is None:
        return float(text) if text.isdecimal() else None
    return read_number(match[1] or match[2] or match[3])


def _measure(text: str) -> float | None:
    match = _MEASURE.fullmatch(text)
    return _amount(match["amount"]) if match else _plain_number(text)


def _yearless(text: str) -> float | None:
    match = _YEARLESS.fullmatch(text)
    if match is None:
        return None
    month, day = _MONTHS[(match["month"] or match["month2"]).lower()], int(match["day"] or match["day2"])
    leap = 2000
    if not 1 <= day <= days_in_month(leap, month):
        return None
    return float(sum(days_in_month(leap, before) for before in range(1, month)) + day)


def _date(text: str, day_first: bool = False) -> float | None:
    text = _without(_ASIDE, text)
    if _PLAIN_YEAR.fullmatch(text):
        return float(text)
    if match := _FIGURES.fullmatch(text):
        first, second = int(match[1]), int(match[3])
        # Dots are day first wherever they are used.
        day, month = (first, second) if day_first or match[2] == "." else (second, first)
        return _day(_whole_year(match[4]), month, day)
    if match := _YEAR_MONTH.fullmatch(text):
        return (
            _day(int(match[5]), int(match[6]), None) if match[5] else _day(int(match[1]), int(match[3]), int(match[4]))
        )
    if match := _MONTH_DAY.fullmatch(text) or _DAY_MONTH.fullmatch(text):
        return _day(_whole_year(match["year"].lstrip("'")), _MONTHS[match["month"].lower()], int(match["day"]))
    if match := _MONTH_YEAR.fullmatch(text):
        return _day(int(match["year"]), _MONTHS[match["month"].lower()], None)
    return _moment(text)


def _day_first(text: str) -> float | None:
    return _date(text, day_first=True)


def _whole_year(digits: str) -> int:
    year = int(digits)
    return year if len(digits) == 4 else year + (1900 if year >= 69 else 2000)


def _day(year: int, month: int, day: int | None) -> float | None:
    """A day, or the first one of a month, on the line of `cgstore.text.dates`; None where there is no such day."""
    span = read_span(f"{year:04}-{month:02}" if day is None else f"{year:04}-{month:02}-{day:02}")
    return None if span is None else span.lo


def _moment(text: str) -> float | None:
    """A day with a time of day: so many hours later, in UTC where an offset is given."""
    match = _MOMENT.fullmatch(text)
    span = read_span(match[1]) if match else None
    if match is None or span is None:
        return None
    seconds = int(match[2]) * 3600 + int(match[3]) * 60 + float((match[4] or "0").replace(",", "."))
    if int(match[2]) > 24 or int(match[3]) > 59:
        return None
    if match[5]:
        offset = int(match[6]) * 3600 + int(match[7]) * 60
        seconds += offset if match[5] == "-" else -offset
    year = int(match[1][:4])
    return span.lo + seconds / 86400 / (337 + days_in_month(year, 2))


def _time(text: str) -> float | None:
    if match := _CLOCK.fullmatch(text):
        hour, minute, second, half = int(match[1]), int(match[2]), int(match[3] or 0), match[4].lower()
    elif match := _HOURS.fullmatch(text):
        hour, minute, second, half = int(match[1]), 0, 0, match[2].lower()
    elif match := _COLONS.fullmatch(text):
        first, last = match[1], match[3].replace(",", ".")
        if len(first or match[2]) > 2:
            return None
        hour, minute, seconds = (
            (int(first), int(match[2]), float(last)) if first else (int(match[2]), int(float(last)), 0)
        )
        return hour + minute / 60 + seconds / 3600 if hour < 24 and minute < 60 and seconds < 60 else None
    else:
        return None
    if not (1 <= hour <= 12 and minute < 60 and second < 60):
        return None
    return hour % 12 + (12 if half == "p" else 0) + minute / 60 + second / 3600


def _duration(text: str) -> float | None:
    if match := _COLONS.fullmatch(text):
        seconds = float(match[3].replace(",", "."))
        if seconds >= 60 or (match[1] and int(match[2]) >= 60):
            return None
        return int(match[1] or 0) * 3600 + int(match[2]) * 60 + seconds
    if (match := _UNITS.fullmatch(text)) and (parts := {k: v for k, v in match.groupdict().items() if v}):
        return sum(float(value) * _SECONDS[unit] for unit, value in parts.items())
    return None if text.startswith("+") else _plain_number(text)


def _score(text: str) -> float | None:
    match = _SCORE.fullmatch(text)
    return float(int(match[1]) - int(match[2])) if match else None


_READERS = {
    ValueKind.NUMBER: _number,
    ValueKind.PERCENT: _percent,
    ValueKind.CURRENCY: _currency,
    ValueKind.ORDINAL: _ordinal,
    ValueKind.MEASURE: _measure,
    ValueKind.SCALED: _scaled,
    ValueKind.DATE: _date,
    ValueKind.DAY_FIRST_DATE: _day_first,
    ValueKind.DAY: _yearless,
    ValueKind.TIME: _time,
    ValueKind.DURATION: _duration,
    ValueKind.SCORE: _score,
}
"""By likelihood: of kinds that as many values fit, the first is taken."""

_BITS = {kind: 1 << place for place, kind in enumerate(_READERS)}
_FIVE, _SEASON, _ASCENDING, _BRACKETED, _EARLY, _LATE, _GAP = (
    1 << place for place in range(len(_BITS), len(_BITS) + 7)
)
"""What else is known of a text that fits: a time of whole five minutes, a month that may be a season (`2004-05`),
a score that may be a range (`18-24`), a whole number in brackets, a day of January to March, or of October to December,
a gap (`+0:12`, `+5.3`)."""

_IN_BRACKETS = re.compile(r"\(\d+\)")
_END_OF_MARCH, _END_OF_SEPTEMBER = 91, 274
"""Days of a leap year."""

_OF_NUMBERS = sum(
    _BITS[k] for k in (ValueKind.NUMBER, ValueKind.SCALED, ValueKind.CURRENCY, ValueKind.DURATION, ValueKind.MEASURE)
)
_OF_WHOLE = _OF_NUMBERS | _BITS[ValueKind.ORDINAL]
_OF_DATES = _BITS[ValueKind.DATE] | _BITS[ValueKind.DAY_FIRST_DATE]
_OF_YEARS = _OF_WHOLE | _OF_DATES
_OF_AMOUNTS = sum(_BITS[kind] for kind in AMOUNTS)

_LETTERS_BEFORE = re.compile(
    rf"[^A-Za-z]|T-?\d|No\.?\s?\d|{_MONEY}|(?:{_CODE})\s?\d|(?:mon|tue|wed|thu|fri|sat|sun)[a-z]*\.?,?\s|{_MONTH}[\s\d,-]",
    re.IGNORECASE,
)
"""How a text of any kind begins: most texts are known by their first letters not to."""


def kind_of(texts: Iterable[str]) -> ValueKind:
    """The kind of a column: the one that most of its values fit, if `SHARE` of them do, else TEXT.

    Takes about a microsecond a value, and never raises. If `texts` has a length, it is not read to its end once too
    few can fit; blanks and `FILLERS` do not count.

    Args:
        texts: its distinct values.
    """
    seen = Seen()
    spare = len(texts) - SHARE * len(texts) if isinstance(texts, Sized) else None
    for text in texts:
        seen.take(text)
        if spare is not None and seen.none > spare:
            return ValueKind.TEXT
    grouping = seen.groups_thousands()
    return seen.kind(seen.decimal() or (COMMA if grouping == POINT else POINT))


def is_missing(text: str) -> bool:
    """Whether a cell is empty, or stands for a missing value."""
    plain = text.strip()
    return not plain or (len(plain) <= _FILLER_LENGTH and plain.casefold() in FILLERS)


class Seen:
    """What is known of a column by those of its values that were seen.

    `only` counts the amounts that can be read with one mark before the decimals alone, `either` those that can be read
    with both, as different numbers, by the mark that they have; `small` and `large` the whole numbers below 1,000 and
    the others, written without a mark. `month_first`, `day_first` and `either_first` count dates in figures likewise.
    `currencies` has their signs and codes, `padded` is a whole number that begins with a 0, `007`.
    `typed` is set by whoever knows that the input has numbers as such, which are written with a point.
    """

    def __init__(self) -> None:
        self._fits = {POINT: _Fits(), COMMA: _Fits()}
        self.only = {POINT: 0, COMMA: 0}
        self.either = {POINT: 0, COMMA: 0}
        self.small = self.large = 0
        self.month_first = self.day_first = self.either_first = 0
        self.example = self.example_date = ""
        self.currencies: set[str] = set()
        self.padded = ""
        self.typed = False

    @property
    def none(self) -> int:
        """How many are of no kind, with whatever mark."""
        return min(fits.none for fits in self._fits.values())

    def take(self, text: str) -> None:
        """Sees a value; blanks and `FILLERS` do not count."""
        if is_missing(text):
            return
        text = text.strip()
        self.currencies.update(_OF_CURRENCY.findall(text))
        if is_padded(text):
            self.padded = self.padded or text
        point, comma, marked = _shapes(text)
        self._fits[POINT].take(text, point)
        self._fits[COMMA].take(text, comma)
        if marked:
            self._take_marked(text, bool(point & _OF_AMOUNTS), bool(comma & _OF_AMOUNTS))
        elif point & _OF_AMOUNTS and (digits := _WHOLE.fullmatch(text)):
            self.small += len(digits[1]) <= 3
            self.large += len(digits[1]) > 3
        if point & _OF_DATES and (figures := _FIGURES.match(text)) and figures[2] != ".":
            self._take_date(text, point)

    def _take_marked(self, text: str, point: bool, comma: bool) -> None:
        if point and comma:
            self.either[POINT if POINT in text else COMMA] += 1
            self.example = self.example or text
        elif point or comma:
            self.only[POINT if point else COMMA] += 1

    def _take_date(self, text: str, shape: int) -> None:
        if shape & _OF_DATES == _OF_DATES:
            if read_as(ValueKind.DATE, text) != read_as(ValueKind.DAY_FIRST_DATE, text):
                self.either_first += 1
                self.example_date = self.example_date or text
        else:
            self.month_first += bool(shape & _BITS[ValueKind.DATE])
            self.day_first += bool(shape & _BITS[ValueKind.DAY_FIRST_DATE])

    def decimal(self) -> str | None:
        """The mark before the decimals, by what most amounts show; None where they do not."""
        if self.only[POINT] == self.only[COMMA]:
            return None
        return max(self.only, key=lambda mark: self.only[mark])

    def groups_thousands(self) -> str | None:
        """The mark that all whole numbers of 1,000 and more have, and none below: `1.250` beside `980`."""
        marks = [mark for mark, count in self.either.items() if count]
        return marks[0] if len(marks) == 1 and self.small and not self.large else None

    def nearly(self, decimal: str) -> tuple[ValueKind, int, int] | None:
        """Of a column too mixed for a kind, the one that half of its values fit, how many do, and of how many."""
        return self._fits[decimal].nearly()

    def bracketed(self) -> bool:
        """Whether most of its values are whole numbers in brackets, which may be anything."""
        return self._fits[POINT].bracketed()

    def kind(self, decimal: str) -> ValueKind:
        """The kind of the column, with that mark before its decimals."""
        return self._fits[decimal].kind().written_with(decimal)

    def marked(self) -> bool:
        """Whether any amount has a mark or thousands in groups."""
        return bool(sum(self.only.values()) + sum(self.either.values()))

    def units(self) -> set[str]:
        """The units of its measures."""
        return self._fits[POINT].units | self._fits[COMMA].units


_OF_CURRENCY = re.compile(r"[$€£¥]|\b[A-Z]{3}\b")

_WHOLE = re.compile(r"[^\d.,]{0,6}(\d+)[^\d.,]{0,6}")


class _Fits:
    """The kinds that the values of a column fit, with one mark before the decimals."""

    def __init__(self) -> None:
        self.none = 0
        self.units: set[str] = set()
        self._scales: set[str] = set()
        self._shapes: Counter[int] = Counter()
        self._ranges: list[tuple[int, int]] = []

    def take(self, text: str, shape: int) -> None:
        if not shape:
            self.none += 1
            return
        self._shapes[shape] += 1
        if shape & _ASCENDING and (match := _SCORE.match(text)):
            self._ranges.append((int(match[1]), int(match[2])))
        if shape & _OF_NUMBERS and not shape & _BITS[ValueKind.NUMBER]:
            if shape & _BITS[ValueKind.MEASURE] and (match := _UNIT_AFTER.search(text)):
                self.units.add(match[1].casefold())
            if shape & _BITS[ValueKind.SCALED] and (match := _SCALE_AFTER.search(text)):
                self._scales.add(match[1].casefold())

    def kind(self) -> ValueKind:
        values = self._shapes.total() + self.none
        fits = {kind: self._count(bit) for kind, bit in _BITS.items()}
        kind = max(fits, key=lambda each: fits[each])
        if not values or fits[kind] < SHARE * values or fits[kind] < 2 * self._count(_BRACKETED):
            return ValueKind.TEXT
        if (
            kind is ValueKind.TIME
            and fits[ValueKind.DURATION] == fits[kind]
            and self._count(_FIVE) < SHARE * fits[kind]
        ):
            return ValueKind.DURATION
        return ValueKind.TEXT if self._misleads(kind, fits[kind]) else kind

    def bracketed(self) -> bool:
        return 2 * self._count(_BRACKETED) > self._shapes.total() >= SHARE * (self._shapes.total() + self.none)

    def nearly(self) -> tuple[ValueKind, int, int] | None:
        values = self._shapes.total() + self.none
        fits = {kind: self._count(bit) for kind, bit in _BITS.items()}
        kind = max(fits, key=lambda each: fits[each])
        return (kind, fits[kind], values) if values / 2 <= fits[kind] < SHARE * values else None

    def _misleads(self, kind: ValueKind, fits: int) -> bool:
        """Whether the values are rather something else that looks like the kind, or cannot be compared."""
        if kind in (ValueKind.NUMBER, ValueKind.DURATION) and self._count(_GAP):
            return any(
                shape & (_GAP | _BITS[ValueKind.DURATION]) and not shape & _BITS[ValueKind.NUMBER]
                for shape in self._shapes
            )
        if kind is ValueKind.MEASURE:
            return len(self.units) > 1
        if kind is ValueKind.SCALED:
            return "k" not in self._scales and len(self._scales) < 2
        if kind is ValueKind.DATE:
            return 2 * self._count(_SEASON) > self._count(_SEASON | _BITS[ValueKind.DATE])
        if kind is ValueKind.DAY:
            return bool(self._count(_EARLY) and self._count(_LATE)) or self._count(_BITS[ValueKind.DATE]) > 0
        if kind is ValueKind.SCORE and fits == len(self._ranges) >= _MIN_RANGES:
            ordered = sorted(self._ranges)
            return all(high <= low for (_, high), (low, _) in pairwise(ordered))
        return False

    def _count(self, bits: int) -> int:
        return sum(count for shape, count in self._shapes.items() if shape & bits)


_WITH_COLON = (ValueKind.DATE, ValueKind.TIME, ValueKind.DURATION)
_WITHOUT_LETTER = (
    ValueKind.NUMBER,
    ValueKind.PERCENT,
    ValueKind.CURRENCY,
    ValueKind.ORDINAL,
    ValueKind.MEASURE,
    ValueKind.SCALED,
    ValueKind.DATE,
    ValueKind.DAY_FIRST_DATE,
    ValueKind.DURATION,
    ValueKind.SCORE,
)
_WITH_LETTER = tuple(kind for kind in _READERS if kind is not ValueKind.DAY_FIRST_DATE)


def _candidates(text: str) -> tuple[ValueKind, ...]:
    """The kinds that may fit a text by its characters, which saves trying the others."""
    if ":" in text:
        return _WITH_COLON
    return _WITH_LETTER if _LETTER.search(text) else _WITHOUT_LETTER


def _shapes(text: str) -> tuple[int, int, bool]:
    """The kinds that a text fits, as bits: with a point and with a comma before decimals; whether an amount has such a
    mark, so that it may be another one with each."""
    if len(text) > MAX_LENGTH or not _HAS_DIGIT.search(text) or not _LETTERS_BEFORE.match(text):
        return 0, 0, False
    if text.isdecimal():
        shape = _OF_YEARS if _PLAIN_YEAR.fullmatch(text) else _OF_WHOLE
        return shape, shape, False
    if _DIGITS_AND_MARKS.fullmatch(text):
        point, comma = (_OF_NUMBERS * bool(_WELL_FORMED[mark].fullmatch(text)) for mark in (POINT, COMMA))
        if point or comma:
            return point, comma, True
    plain = _plain(text)
    if not _MARKED.search(plain):
        shape = _shape(text, plain, plain)
        return shape, shape, False
    point_amounts, comma_amounts = _as_plain_amounts(plain, POINT), _as_plain_amounts(plain, COMMA)
    point = _shape(text, plain, point_amounts)
    if point_amounts == comma_amounts:
        return point, point, False
    return point, _shape(text, plain, comma_amounts), True


def _shape(text: str, plain: str, amounts: str | None) -> int:
    """The kinds that a text fits, as bits; `amounts` is it with plain amounts, None where they have another format."""
    values: dict[ValueKind, float] = {}
    for kind in _candidates(plain):
        form = amounts if kind in AMOUNTS else plain
        if form is not None and (value := _READERS[kind](form)) is not None:
            values[kind] = value
    if ValueKind.DATE in values and not _FIGURES.match(plain):
        values[ValueKind.DAY_FIRST_DATE] = values[ValueKind.DATE]
    bits = sum(_BITS[kind] for kind in values)
    if text.startswith("+"):
        bits |= _GAP * bool(ValueKind.NUMBER in values or _duration(text[1:].lstrip()) is not None)
    elif ValueKind.TIME in values and (match := _COLONS.match(text)):
        minutes, seconds = (match[2], match[3]) if match[1] else (match[3], "0")
        bits |= _FIVE * (float(minutes.replace(",", ".")) % 5 == 0 and float(seconds.replace(",", ".")) == 0)
    elif (score := values.get(ValueKind.SCORE)) is not None:
        bits |= _ASCENDING * (score < 0)
    elif (day := values.get(ValueKind.DAY)) is not None:
        bits |= _EARLY * (day <= _END_OF_MARCH) | _LATE * (day > _END_OF_SEPTEMBER)
    elif ValueKind.DATE in values and (match := _YEAR_MONTH.match(text)) and match[5]:
        bits |= _SEASON * ((int(match[5]) + 1) % 100 == int(match[6]))
    return bits | _BRACKETED * bool(bits and _IN_BRACKETS.fullmatch(text))
