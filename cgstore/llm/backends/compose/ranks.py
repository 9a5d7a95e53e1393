"""Places of a ranking, as a question says them: `who won`, `came second`, `finished in third place`, `runner-up`.

They are cells of the one column with the places. A table without it may have the times in which a race was finished:
the shortest is that of the winner.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from cgstore.llm.backends.compose.column import RANKS, Column
from cgstore.llm.backends.compose.comparisons import negation_at
from cgstore.llm.backends.compose.conditions import Condition
from cgstore.llm.backends.compose.table import Table
from cgstore.llm.backends.compose.words import QuestionText, mask_of, word_list, word_set

_WON = word_set("won win wins winner winners winning")
_ORDINALS = {
    form: place
    for place, forms in enumerate(word_list("first|1st second|2nd third|3rd fourth|4th fifth|5th"), 1)
    for form in forms.split("|")
}
_ORDINALS |= {form: place for place, form in enumerate(word_list("sixth seventh eighth ninth tenth"), 6)}
_CAME = word_set("came come comes coming finished finish finishes finishing placed ended ranked")
_BETWEEN = word_set("in at as up the overall")
_PLACE = word_set("place position")
_RANK = re.compile(r"\W?(\d{1,3})(?:st|nd|rd|th)?\W?", re.IGNORECASE)


def ranks(text: QuestionText, table: Table) -> Iterator[Condition]:
    """The conditions that places of a ranking state, in the one column that has them."""
    columns = [column for column in table.columns if _has_places(column)]
    if len(columns) != 1:
        return
    for first, last, place in _said(text, table):
        cells = [cell for cell in columns[0].rows_of if place_in(cell) == place]
        if cells:
            rows = 0
            for cell in cells:
                rows |= columns[0].rows_of[cell]
            words = _denial(text, first)
            op, rows = ("!=", table.every & ~rows) if words else ("=", rows)
            yield Condition(columns[0].place, op, tuple(cells), rows, first, last, mask_of(first, last) | words, "rank")


def _denial(text: QuestionText, first: int) -> int:
    """The words before a place that deny it, all of `did not` and `didn't`."""
    words = negation_at(text, first)
    before = text.forms[: words.bit_length() - 1][-1:] if words else ()
    return words | (words & -words) >> 1 if before and before[0].endswith("n") and words else words


def place_in(cell: str) -> int | None:
    """The place that a cell has: of `2`, `2nd` and `=2`."""
    match = _RANK.fullmatch(cell.strip())
    return int(match[1]) if match else None


def _has_places(column: Column) -> bool:
    """Whether a column has places by its name and by its cells, of which a few may say that somebody gave up."""
    cells = [place_in(cell) for cell in column.cells if cell.strip()]
    given = [place for place in cells if place is not None]
    return not RANKS.isdisjoint(column.stems) and 1 in given and len(given) * 2 > len(cells)


def _is_named_amount(column: Column, text: QuestionText) -> bool:
    """Whether a question has a word of a column of amounts: who `won` five medals need not be the first."""
    stems = {token.stem for token in text.tokens}
    return column.is_amount and RANKS.isdisjoint(column.stems) and not stems.isdisjoint(column.stems)


def _said(text: QuestionText, table: Table) -> Iterator[tuple[int, int, int]]:
    """The words that say a place, from the first to before the last, and the place."""
    forms = text.forms
    is_winner = not any("win" in column.stems or _is_named_amount(column, text) for column in table.columns)
    for first, form in enumerate(forms):
        if form in _WON and is_winner and form not in table.cell_words:
            yield first, first + 1, 1
        elif form == "runner" and forms[first + 1 : first + 2] == ("up",):
            yield first, first + 2, 2
        elif form in _CAME:
            last = first + 1
            while last < len(forms) and forms[last] in _BETWEEN:
                last += 1
            if last < len(forms) and (place := _ORDINALS.get(forms[last])):
                yield first, last + 1 + (forms[last + 1 : last + 2] != () and forms[last + 1] in _PLACE), place
        elif form in _ORDINALS and forms[first + 1 : first + 2] and forms[first + 1] in _PLACE:
            yield first, first + 2, _ORDINALS[form]
