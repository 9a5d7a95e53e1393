"""What a question says about cells in words: whole cells, their parts and other forms of them."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence

from cgstore.llm.backends.compose.column import Column
from cgstore.llm.backends.compose.comparisons import LESS, MORE, negation_at
from cgstore.llm.backends.compose.conditions import Condition
from cgstore.llm.backends.compose.headers import is_short_for
from cgstore.llm.backends.compose.table import Place, Table
from cgstore.llm.backends.compose.words import (
    QuestionText,
    is_content,
    mask_of,
    stem,
)
from cgstore.mapping.mentions import is_quoted
from cgstore.text.names import normal_form
from cgstore.text.word_forms import places_of

MAX_PLACES = 24
"""Cells that one stretch of words may mean."""


def conditions_by_words(text: QuestionText, table: Table) -> list[Condition]:
    """The conditions that are stated by the words of cells."""
    found = [*_exact(text, table), *_flexed(text, table), *_in_other_words(text, table)]
    found += _short(text, table)
    covered = 0
    for condition in found:
        covered |= mask_of(condition.first, condition.last)
    found += _parts(text, table, covered)
    return found


def _conditions(
    text: QuestionText,
    table: Table,
    first: int,
    last: int,
    places: Sequence[Place],
    how: str,
    forms: Sequence[str] = (),
) -> Iterator[Condition]:
    """The conditions for one stretch of words that may mean these cells, one a column; `forms` as cells have them."""
    said = text.between(first, last)
    if forms and tuple(forms[first:last]) != text.forms[first:last]:
        said = " ".join(forms[first:last])
    by_column: dict[int, list[str]] = {}
    for place, cell in places[:MAX_PLACES]:
        by_column.setdefault(place, []).append(cell)
    for place, cells in by_column.items():
        words = negation_at(text, first, table.columns[place].stems)
        mask = mask_of(first, last) | words
        if how == "part" and first and text.forms[first - 1] in _TITLES:
            mask |= mask_of(first - 1, first)
        if how == "exact":
            cells = _with_remarks(_spelt_so(text, cells), table.columns[place])
        rows = 0
        for cell in cells:
            rows |= table.columns[place].rows_of[cell]
        values = tuple(cells) if how != "part" or len(cells) == 1 else (said,)
        op = "=" if how != "part" or len(cells) == 1 else "contains"
        if words:
            op, rows = "!=", table.every & ~rows
            values = tuple(cells)
        yield Condition(place, op, values, rows, first, last, mask, how)


_TITLES = ("dr", "mr", "mrs", "ms", "miss", "prof", "professor", "sir", "lady")


def _spelt_so(text: QuestionText, cells: list[str]) -> list[str]:
    """Of cells with the same words, those that the question has with their punctuation; all, if it has none so."""
    asked = text.text.casefold()
    literal = [cell for cell in cells if cell.casefold() in asked]
    longest = max(map(len, literal), default=0)
    return [cell for cell in literal if len(cell) == longest] or cells


def _with_remarks(cells: list[str], column: Column) -> list[str]:
    """Some cells, with those that only add a remark to one of them: `vacant - needs clearing`, `paid (in cash)`."""
    longer = (cell for cell in column.rows_of if cell.startswith(tuple(cells)))
    starts = {cell: match.start() for cell in longer if (match := _REMARK.search(cell))}
    return [*cells, *(cell for cell, end in starts.items() if cell[:end] in cells)]


_REMARK = re.compile(r"(?:\s+[-–—]\s+|\s*[,;:]\s+|\s*\()(?=[a-z])")
"""Where a remark begins, in small letters: `Georgia (US)` is another Georgia."""


def _exact(text: QuestionText, table: Table) -> Iterator[Condition]:
    longest = max(map(len, table.cells_by_words), default=0)
    for first in range(len(text)):
        for last in range(first + 1, min(len(text), first + longest) + 1):
            places = table.cells_by_words.get(text.forms[first:last])
            if places and not _may_name(text, first, last):
                places = [(n, cell) for n, cell in places if _is_beside_name(text, first, last, table.columns[n])]
            if places:
                yield from _conditions(text, table, first, last, places, "exact")


def _may_name(text: QuestionText, first: int, last: int) -> bool:
    """Whether some words may be a name: they are not all words of grammar in small letters.

    An article with nothing after it is a name: `the port of a`.
    """
    if any(is_content(form) for form in text.forms[first:last]):
        return True
    if last == len(text) and text.forms[first:] in (("a",), ("an",), ("the",)):
        return True
    if last == first + 1 and len(text.forms[first]) == 1 and text.forms[first - 1 : first] in (("a",), ("an",)):
        return True  # "given a d"
    if last == len(text) and first and text.forms[first - 1] in _BE:
        return True
    tokens = text.tokens[first:last]
    if is_quoted(text.text, tokens[0].start, tokens[-1].end):
        return True
    return first > 0 and all(token.text[0].isupper() or token.text[0].isdigit() for token in tokens)


_BE = ("not", "is", "are", "was", "were", "been")
"""Words behind which a state stands at the end: `which trips are not done`."""


def _is_beside_name(text: QuestionText, first: int, last: int, column: Column) -> bool:
    """Whether a word of the column's name stands beside some words: `the it department`."""
    beside = text.tokens[max(0, first - 1) : first] + text.tokens[last : last + 1]
    return any(token.stem in column.stems and is_content(token.form) for token in beside)


def _flexed(text: QuestionText, table: Table) -> Iterator[Condition]:
    """Cells in another number or form of their words: `desk lamps` for `desk lamp`."""
    wanted = {stem(form) for form in text.forms if is_content(form) and not form[0].isdigit()}
    by_stems: dict[tuple[str, ...], list[Place]] = {}
    for words, places in table.cells_by_words.items():
        if len(words) <= 6 and (stems := tuple(map(stem, words)))[-1] in wanted:
            by_stems.setdefault(stems, []).extend(places)
    stems = tuple(token.stem for token in text.tokens)
    for first in range(len(text)):
        for last in range(first + 1, min(len(text), first + 6) + 1):
            places = [
                each for each in by_stems.get(stems[first:last], []) if _says_state(each[1], text.forms[last - 1])
            ]
            if places and text.forms[first:last] not in table.cells_by_words and is_content(text.forms[last - 1]):
                yield from _conditions(text, table, first, last, places, "stems")


def _in_other_words(text: QuestionText, table: Table) -> Iterator[Condition]:
    """Cells that a question has otherwise: a place by its people (`Polish`), `worked out` for `Success`."""
    for place, form in enumerate(text.forms):
        if (form,) not in table.cells_by_words and is_content(form):
            named = [cell for name in places_of(form) for cell in table.cells_by_words.get(tuple(name.split()), ())]
            yield from _conditions(text, table, place, place + 1, named, "stems")
    for phrase, places in table.cells_in_other_words.items():
        for first in range(len(text) - len(phrase) + 1):
            last = first + len(phrase)
            is_said = text.lemmas[first:last] == phrase and any(map(is_content, text.forms[first:last]))
            if is_said and text.forms[first:last] not in table.cells_by_words:
                yield from _conditions(text, table, first, last, places, "stems")


def _short(text: QuestionText, table: Table) -> Iterator[Condition]:
    """Cells with words that are written short: `winter wheat` for `W. wheat`, `express` for `Exp`."""
    for first, form in enumerate(text.forms):
        if not is_content(form) or (form,) in table.cells_by_words or form[0].isdigit():
            continue
        by_last: dict[int, list[Place]] = {}
        for place, cell, words in table.short_cells:
            if last := end_of_short(text, first, words):
                by_last.setdefault(last, []).append((place, cell))
        for last, places in by_last.items():
            columns = [place for place, _ in places]
            alone = [each for each in places if columns.count(each[0]) == 1]
            if text.forms[first:last] not in table.cells_by_words:
                yield from _conditions(text, table, first, last, alone, "short")


def end_of_short(text: QuestionText, first: int, words: Sequence[tuple[str, bool]]) -> int:
    """The end of the words from `first` on that a cell has, some of them written short; 0 if it has others."""
    place = first
    for word, is_short in words:
        if place > first and text.forms[place : place + 1] in (("the",), ("a",), ("an",)):
            place += 1
        form = text.forms[place] if place < len(text) else ""
        is_initial = is_short and len(word) == 1 and len(form) > 2 and form[0] == word
        is_said = form == word or (not is_short and stem(form) == stem(word))
        if not form or not (is_said or is_initial or (is_short and is_short_for(word, form))):
            return 0
        place += 1
    return place if text.forms[first:place] != tuple(word for word, _ in words) else 0


def _says_state(cell: str, form: str) -> bool:
    """Whether a word may stand for a cell: who has to `pay` has not `Paid`."""
    last = normal_form(cell).split()[-1]
    if last.endswith("ing") and not form.endswith(("ing", "s")):
        return False  # what is "run by" somebody need not be "running"
    if last.endswith("ment") and form.removesuffix("s").endswith(("er", "or")):
        return False  # the "managers" are not the "Management"
    return not (last == "paid" or last.endswith("ed")) or form.endswith("d")


def _parts(text: QuestionText, table: Table, covered: int) -> Iterator[Condition]:
    """Cells that have a stretch of the question's words among others: `Schumacher` for `Michael Schumacher`."""
    taken = 0
    named = {stem(word) for word in normal_form(table.name).split()}
    named |= {each for column in table.columns for each in column.stems}
    forms = tuple(_in_number(form, table.cells_with_word) for form in text.forms)
    for first in range(len(text)):
        if (covered | taken) >> first & 1 or not _may_be_part(text, first):
            continue
        if text.tokens[first].stem in named and text.tokens[first].text.islower():
            continue  # "runners" are not the club "City Runners"
        holding = table.cells_with_word.get(forms[first], ())
        last, best = first, []
        end = first + 1
        while end <= len(text) and not covered >> (end - 1) & 1:
            words = forms[first:end]
            inside = [(w, place) for w, place in holding if _contains(w, words)]
            if not inside:
                break
            if is_content(words[-1]) or words[-1][0].isdigit():
                last, best = end, inside
            end += 1
        is_compared = last == first + 1 and (forms[first] in MORE or forms[first] in LESS)
        if best and len(best) <= MAX_PLACES and not is_compared:
            taken |= mask_of(first, last)
            yield from _conditions(text, table, first, last, [place for _, place in best], "part", forms)


def _in_number(form: str, words: Collection[str]) -> str:
    """A word in the number in which some words have it: `retriever` for `retrievers`; as it is if they do not."""
    if form in words or len(form) < _LEAST_PLURAL:
        return form
    others = (form.removesuffix("s"), form.removesuffix("es"), f"{form}s", f"{form.removesuffix('ies')}y")
    return next((other for other in others if other != form and other in words), form)


_LEAST_PLURAL = 5
"""Letters of a word that is looked for in another number."""


def _may_be_part(text: QuestionText, first: int) -> bool:
    form = text.forms[first]
    return is_content(form) and (len(form) >= 3 if not form[0].isdigit() else len(form) == 4)


def _contains(words: tuple[str, ...], part: tuple[str, ...]) -> bool:
    return any(words[n : n + len(part)] == part for n in range(len(words) - len(part) + 1))
