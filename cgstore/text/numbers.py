"""Numbers: the one that a text is, and the amounts of a column in its own format.

`read_number` follows section 2 of the query language page and knows no column; the functions below it read amounts with
what stands around them, such as a currency or a unit (see `cgstore.text.kinds`). These take texts whose amounts are
plain, as `1234.5`: `plain_amounts` and `ungrouped` make them so.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable

POINT, COMMA = ".", ","
"""The marks that may stand before the decimals of an amount."""

_THOUSANDS = re.compile(r"[1-9]\d{0,2},\d{3}")
_NUMBER_LIKE = re.compile(r"[\d.,\s-]+")


class NumberText(str):
    """The text of a value that is a number in the input, and not a text: a point stands before its decimals."""

    __slots__ = ()


def read_number(text: str) -> float | None:
    """The number that a text means, or None: `5`, `1e3`, `1,000`, `-1,234`, `1.234,5`, `0,125`, U+2212 as minus.

    `5th`, `50%`, `$5`, `1-2`, `nan` and `inf` are not numbers here.
    """
    plain = text.replace("−", "-")
    try:
        number = float(plain)
    except ValueError:
        number = _read_grouped(plain)
    return number if math.isfinite(number) else None


def _read_grouped(text: str) -> float:
    """A number with thousands separators, by either convention, or nan."""
    stripped = text.strip()
    if not _NUMBER_LIKE.fullmatch(stripped):
        return math.nan
    sign, digits = (-1.0, stripped[1:]) if stripped.startswith("-") else (1.0, stripped)
    comma, point = digits.find(","), digits.find(".")
    if 0 <= point < comma:
        digits = digits.translate(str.maketrans(".,", ",."))
    elif point < 0 <= comma and digits.count(",") == 1 and not _THOUSANDS.fullmatch(digits):
        digits = digits.replace(",", ".")
    whole, _, decimals = digits.partition(".")
    first, *groups = whole.split(",")
    if not (
        first.isdigit() and all(g.isdigit() and len(g) == 3 for g in groups) and (not decimals or decimals.isdigit())
    ):
        return math.nan
    return sign * float(f"{first}{''.join(groups)}.{decimals or 0}")


def comparable(value: str | float) -> str | float:
    """The value as it is compared with others: as a number if it is one, else as its text without case and blanks."""
    text = str(value).strip()
    number = read_number(text)
    return text.casefold() if number is None else number


def denotation(values: Iterable[str | float]) -> frozenset[str | float]:
    """The set of the values of an answer, each as `comparable`."""
    return frozenset(map(comparable, values))


def is_padded(text: str) -> bool:
    """Whether a text is a whole number that begins with a 0: a code, rather than an amount."""
    return text.isdecimal() and len(text) > 1 and text.startswith("0")


# The format of amounts

DIGITS_AND_MARKS = re.compile(r"\d[\d.,]*\d|\d")
MARKED = re.compile(r"\d[.,'’ \u00a0\u2007\u2009\u202f]\d|[.,]\d|\d[.,][-–—]|\d[-−]")
"""Found in any amount with a mark or with groups, and not in digits with a sign and what stands around them."""

_ASIDE = re.compile(r"(?<=[\w%€]) \([^()]{1,30}\)$")
_GROUPED = re.compile(r"(?<![\d.,'’])([1-9]\d{0,2})((?:[ \u00a0\u2007\u2009\u202f]\d{3})+|(?:['’]\d{3})+)(?![\d'’])")
_RUN = re.compile(r"(?<![\w.,])[.,]\d+(?![.,]?\d)|\d(?:[\d.,]*\d)?")
_WELL_FORMED = {
    POINT: re.compile(r"(?:\d+|[1-9]\d{0,2}(?:,\d{3})+|[1-9]\d?(?:,\d\d)+,\d{3})(?:\.\d+)?|\.\d+"),
    COMMA: re.compile(r"(?:\d+|[1-9]\d{0,2}(?:\.\d{3})+)(?:,\d+)?|,\d+"),
}
_TO_PLAIN = {POINT: str.maketrans("", "", ","), COMMA: str.maketrans(",", ".", ".")}
_NO_CENTS = re.compile(r"(?<=\d)[.,][-–—]{1,2}(?!\d)")
_MINUS_AFTER = re.compile(r"([^\d\s+()−–-]{0,4}\s?\d[\d.,]*[.,]\d+)[-−](\s?[^\d\s()]{0,4})")
_NO_DIGIT = re.compile(r"\D")


def is_well_formed(digits: str, decimal: str) -> bool:
    """Whether digits with points and commas are a number with that mark before its decimals."""
    return bool(_WELL_FORMED[decimal].fullmatch(digits))


def number_in_format(digits: str, decimal: str) -> float | None:
    """The number that digits with points and commas are with that mark before the decimals; None if not well-formed."""
    return float(digits.translate(_TO_PLAIN[decimal])) if is_well_formed(digits, decimal) else None


def ungrouped(text: str) -> str:
    """The text without spaces and apostrophes between thousands, and with a minus before its amount, not after it."""
    if not MARKED.search(text):
        return text
    text = _NO_CENTS.sub("", _GROUPED.sub(lambda found: _NO_DIGIT.sub("", found[0]), text))
    found = _MINUS_AFTER.fullmatch(text)
    return f"-{found[1]}{found[2]}" if found else text


def plain_amounts(text: str, decimal: str) -> str | None:
    """The text with its amounts as `1234.5`; None if one has another format. A bracket at the end stays as it is."""
    if not MARKED.search(text):
        return text
    main = without_aside(text)
    aside, main = text[len(main) :], ungrouped(main)
    if all(map(_WELL_FORMED[decimal].fullmatch, _RUN.findall(main))):
        return _RUN.sub(lambda run: run[0].translate(_TO_PLAIN[decimal]), main) + aside
    return None


def without_aside(text: str, aside: re.Pattern[str] = _ASIDE) -> str:
    """The text before a bracket at its end that says the same in another way, or adds to it."""
    return text[: match.start()] if text.endswith(")") and (match := aside.search(text)) else text


# Amounts, and what stands around them

_SCALES = {"thousand": 1e3, "million": 1e6, "billion": 1e9, "trillion": 1e12}
_SCALES |= {"k": 1e3, "m": 1e6, "mn": 1e6, "mil": 1e6, "mill": 1e6, "b": 1e9, "bn": 1e9, "tn": 1e12}
_UNIT = (
    "km²|km2|sq km|sq mi|square (?:miles|kilomet(?:er|re)s)|km/h|kph|km|metres?|meters?|m²|m2|m³|m/s|cm|mm|miles?|mi²"
    "|mi|feet|ft|inches|inch|in|yards?|yds?|yd|kg|g|mg|tonnes?|tons?|t|lbs?|pounds|ha|hectares?|acres?|mph|knots?|kn|kW"
    "|MW|GW|kWh|MWh|GWh|hp|bhp|PS|GHz|MHz|kHz|Hz|[KMGT]i?B|[kMG]?bit/s|[KMG]bps|cc|cm³|L|litres?|liters?|ml|bbl|°C|°F|°"
    "|V|nm|m|W"
)
_SIGN = "[$¢-¥֏؋৲৳฿₠-⃀﷼]"
CURRENCY_CODE = (
    "USD|EUR|GBP|JPY|CHF|AUD|CAD|NZD|CNY|RMB|INR|BRL|MXN|RUB|SEK|NOK|DKK|ISK|PLN|CZK|HUF|TRY|ZAR|KRW|SGD|HKD|THB|IDR"
    "|MYR|PHP|ILS|DEM|FRF|ITL|ESP|ATS|Rs\\.?|kr\\.?|DM|Fr\\.?"
)
MONEY = (
    rf"(?:(?:US|U\.S\.|AU?|CA?|NZ|HK|NT|R|S|Mex|CAN|AUS)?{_SIGN}|(?:{CURRENCY_CODE})(?![A-Za-z])|{_SIGN}(?:US|CA|AU)D?)"
)
_AMOUNT = r"(?P<amount>(?:[-+−–]\s?)?\d[\d.,]*|[-+−–]?\.\d+)"
_PLAIN = re.compile(_AMOUNT)
_NUMBER = re.compile(rf"{_AMOUNT}(?:\s+(?P<scale>thousand|million|billion|trillion))?", re.IGNORECASE)
_EXPONENT = re.compile(r"[-+−]?\d+(?:\.\d+)?e[-+−]?\d{1,3}", re.IGNORECASE)
_ACCOUNTING = re.compile(r"\((\d[\d.,]*)\)")
_CONVERTED = re.compile(r"(?<=\d) \([-+−–]?[\d.,]{1,20}\s?%?\)$")
_SCALED = re.compile(rf"{_AMOUNT}(?P<scale>[kKMB]|bn)")
_PERCENT = re.compile(rf"{_AMOUNT}\s?(?:%|percent|per cent)", re.IGNORECASE)
_MEASURE = re.compile(rf"{_AMOUNT}[\s-]?(?P<unit>{_UNIT})\.?(?:\s*\([^()]{{1,30}}\))?", re.IGNORECASE)
_ORDINAL = re.compile(
    r"(?:T-?|=)?(\d[\d,]{0,9})(?:st|nd|rd|th)(?:\s?\((?:tie|tied)\))?|(?:T-?|=|#\s?|No\.?\s?)(\d{1,9})|(\d{1,9})=",
    re.IGNORECASE,
)
_CURRENCY = re.compile(
    rf"(?P<open>\()?(?P<sign>[-+−])?\s?(?:(?P<before>{MONEY})\s?)?(?P<open2>\()?{_AMOUNT}"
    r"(?:\s?(?P<scale>thousand|million|billion|trillion|mill?|mn|bn|tn|[kmb])\b\.?)?"
    rf"(?:\s?(?P<after>{MONEY}|euros?\b|dollars?\b|pounds?\b))?\)?",
    re.IGNORECASE,
)
UNIT_AFTER = re.compile(rf"\d[\s-]?({_UNIT})(?![A-Za-z])", re.IGNORECASE)
SCALE_AFTER = re.compile(r"\d(k|M|B|bn)\b", re.IGNORECASE)
CURRENCIES = re.compile(r"[$€£¥]|\b[A-Z]{3}\b")


def _read(text: str, *patterns: re.Pattern[str]) -> float | None:
    """The amount of a text by the first of some patterns that finds one."""
    for pattern in patterns:
        if (match := pattern.fullmatch(text)) and (value := _amount(match)) is not None:
            return value
    return None


def _amount(match: re.Match[str]) -> float | None:
    """The amount of a match with its sign, which may be an en dash, and its scale."""
    digits, scale = match["amount"], match.groupdict().get("scale")
    sign, figures = (digits[0], digits[1:].lstrip()) if digits[0] in "-+−–" else ("", digits)
    value = read_number(figures)
    if value is None:
        return None
    return (value if sign in ("", "+") else -value) * (_SCALES[scale.lower()] if scale else 1.0)


def _negative(value: float | None) -> float | None:
    return None if value is None else -value


def read_plain(text: str) -> float | None:
    """`45`, `1.2 million`, `1e3`, `(45)` for -45, `93 (36)` and `12 (40%)` for their first number."""
    text = without_aside(text, _CONVERTED)
    if accounting := _ACCOUNTING.fullmatch(text):
        return _negative(read_number(accounting[1]))
    return read_number(text) if _EXPONENT.fullmatch(text) else _read(text, _NUMBER)


def read_bare(text: str) -> float | None:
    """Digits with a sign and marks, and nothing around them."""
    return _read(text, _PLAIN)


def read_scaled(text: str) -> float | None:
    """`12k`, `3.4M`, and plain numbers."""
    return _read(text, _SCALED, _PLAIN)


def read_percent(text: str) -> float | None:
    """`50%`, `(5.5%)` for -5.5."""
    if text.startswith("(") and text.endswith(")"):
        return _negative(_read(text[1:-1], _PERCENT))
    return _read(text, _PERCENT)


def read_currency(text: str) -> float | None:
    """`$5`, `US$1.2 million`, `5 €`, `($45)` for -45, and plain numbers."""
    match = _CURRENCY.fullmatch(text)
    if match is None:
        return None
    opened = match["open"] or match["open2"]
    if bool(opened) != text.endswith(")") or (match["scale"] and not (match["before"] or match["after"])):
        return read_plain(text)
    value = _amount(match)
    return _negative(value) if opened or match["sign"] in ("-", "−") else value


def read_ordinal(text: str) -> float | None:
    """`5th`, `T-5th`, `T5`, `=5`, `#5`, and plain whole numbers."""
    match = _ORDINAL.fullmatch(text)
    if match is None:
        return float(text) if text.isdecimal() else None
    return read_number(match[1] or match[2] or match[3])


def read_measure(text: str) -> float | None:
    """`16 km`, `200 mi (320 km)`, and plain numbers."""
    return _read(text, _MEASURE, _PLAIN)
