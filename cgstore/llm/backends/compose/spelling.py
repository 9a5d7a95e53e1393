"""A question over tables with its misspelt words and cells put right; see `cgstore.text.misspelt`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence, Set
from itertools import pairwise

from cgstore.llm.backends.compose.table import Table
from cgstore.llm.backends.compose.words import ABBREVIATIONS, FILLER, LIGHT_VERBS, full_words, name_words
from cgstore.mapping.mentions import GRAMMAR_WORDS, words_of
from cgstore.mapping.unknown_mentions import unknown_names
from cgstore.text.english import is_english
from cgstore.text.misspelt import Known, Repaired, put_right
from cgstore.text.names import normal_form
from cgstore.text.thesaurus import known_words


def spelt_right(question: str, tables: Sequence[Table]) -> Repaired | None:
    """The question with the words put right that neither the tables nor English have, if there are any."""
    columns = [column for table in tables for column in table.columns]
    named = {word for column in columns for word in (*column.words, *full_words(column.name))}
    named |= {word for table in tables for word in name_words(table.name)}
    cells = {word for table in tables for word in table.cell_words}
    names = dict.fromkeys(cell for column in columns for cell in column.cells if any(map(str.isalpha, cell)))
    known = Known(
        frozenset(named | GRAMMAR_WORDS | FILLER | LIGHT_VERBS),
        known_words() | cells | ABBREVIATIONS.keys(),
        (),
        lambda text: list(names),
    )
    return put_right(question, known, [*_beside_names(question, cells), *unknown_names(question, (), frozenset())])


def _beside_names(question: str, cells: Set[str]) -> Iterator[str]:
    """Pairs of neighbours of which one is a word of cells that is not English: `lena fisher`."""
    words = words_of(question)
    for one, other in pairwise(words):
        forms = normal_form(one.text), normal_form(other.text)
        if sum(form in cells for form in forms) == 1 and any(form in cells and not is_english(form) for form in forms):
            yield question[one.start : other.end]
