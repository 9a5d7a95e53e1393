"""Functions of texts and dates over outputs, as the language page defines them."""

from __future__ import annotations

import math
import unicodedata
from collections.abc import Callable
from dataclasses import replace

from tests.query import interpreter_dates as dates
from tests.query import interpreter_functions as functions
from tests.query.interpreter_graph import Graph, Node
from tests.query.interpreter_order import in_order
from tests.query.interpreter_search import Found, NoMeaning, Output, Sort

TESTS: dict[str, Callable[[str, str], bool]] = {
    "contains": lambda text, part: part in text,
    "starts_with": str.startswith,
    "ends_with": str.endswith,
}


def texts_only(output: Output) -> Output:
    """Rows, facts and computed numbers have no text."""
    if output.rows or output.sort in (Sort.FACTS, Sort.NUMBERS):
        raise NoMeaning("only names and words have a text")
    return output


def text_of(found: Found) -> str | None:
    """The text of an element; None for a row."""
    if isinstance(found.element, Node):
        return None if found.element.is_row else found.element.name
    return found.element if isinstance(found.element, str) else None


def keep(output: Output, test: str, part: str) -> Output:
    """The elements whose text has a part, without regard to case and accents."""
    kept = [f for f in texts_only(output).found if TESTS[test](folded(text_of(f) or ""), folded(part))]
    return functions.chosen(output, (f for f in kept if text_of(f) is not None))


def folded(text: str) -> str:
    """A text without case and accents."""
    letters = (c for c in unicodedata.normalize("NFD", text.lower()) if not "\u0300" <= c <= "\u036f")
    return unicodedata.normalize("NFC", "".join(letters))


def fold(output: Output) -> Output:
    """Each text without case, accents and blanks at its ends, as a word."""
    each = (text_of(found) for found in texts_only(output).found)
    return words(output, [folded(text).strip() for text in each if text is not None])


def items(graph: Graph, output: Output, separator: str | None) -> Output:
    """The parts of each text, as words, in the order of the texts."""
    if separator == "":
        raise NoMeaning("an empty text parts nothing")
    texts = (text_of(Found(element)) or "" for element in in_order(graph, texts_only(output)))
    found = words(output, [part for text in texts for part in dates.items_of(text, separator)])
    return replace(found, order=tuple(each.element for each in found.found), disordered=False)


def words(output: Output, every: list[str]) -> Output:
    """Words made of the elements of a set."""
    found = tuple(map(Found, dict.fromkeys(every)))
    return Output(Sort.WORDS, found, functions.subject(output), disordered=output.was_sorted)


def extract_number(output: Output, which: str) -> Output:
    """The number at a place inside each text; what has none is left out."""
    place = dates.PLACES.get(which, int(which) - 1 if which.isdecimal() and int(which) else None)
    if place is None:
        raise NoMeaning(f"no number is '{which}'")
    each = [dates.numbers_in(text_of(f) or "", f.reading.kind.decimal) for f in texts_only(output).found]
    read = [numbers[place] for numbers in each if -len(numbers) <= place < len(numbers)]
    found = functions.numbers((n for n in read if math.isfinite(n)), functions.subject(output))
    return replace(found, disordered=output.was_sorted)


def part_of_date(function: str, output: Output) -> Output:
    """The month, the month with its year, the quarter, the day or the weekday of each date."""
    if output.sort is not Sort.NAMES or output.rows:
        raise NoMeaning("only values are dates")
    read = (dates.parts_of(found) for found in output.found)
    parts = [part for each in read if each is not None and (part := dates.PARTS[function](each)) is not None]
    if function in ("extract_weekday", "extract_year_month"):
        return words(output, [str(part) for part in parts])
    found = functions.numbers((float(part) for part in parts), functions.subject(output))
    return replace(found, disordered=output.was_sorted)
