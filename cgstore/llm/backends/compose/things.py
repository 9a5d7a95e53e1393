"""Nouns that say what the rows of a table are though nothing in it is called so: `which parcels` are jobs."""

from __future__ import annotations

from cgstore.llm.backends.compose.measures import MEASURES_NAMED, measures_asked
from cgstore.llm.backends.compose.parties import is_party, names_party
from cgstore.llm.backends.compose.runs import PLACES, is_place
from cgstore.llm.backends.compose.table import Table, rows_in
from cgstore.llm.backends.compose.targets import TIME_WORDS
from cgstore.llm.backends.compose.words import Token, name_words, stem, word_list
from cgstore.text.names import normal_form
from cgstore.text.thesaurus import lemma, narrower_kinds, wider_kinds
from cgstore.text.word_vectors import likeness, vector_of


def may_mean_rows(noun: Token, table: Table, rows: int) -> bool:
    """Whether a noun may mean some rows: like in meaning to a table of things, or to what these are called by."""
    column, meant = table.columns[table.subject], vector_of([noun.form])
    is_place_of_rows = noun.stem in PLACES and is_place(column)
    if meant is None or column.form not in ("text", "names") or is_party(column) or not table.is_named_by(column.place):
        return False
    names = [vector_of([word]) for word in (*name_words(table.name), *column.words)]
    if not any(each is not None and likeness(meant, each) >= _ALIKE for each in names):
        return False  # before cells are read
    return (is_place_of_rows or may_be_thing(noun)) and not _is_one_kind(noun.form, table, rows)


def _is_one_kind(noun: str, table: Table, rows: int) -> bool:
    """Whether a noun is one kind of others: it is not if cells have kinds of it, and none of some rows another."""
    column = table.columns[table.subject]
    texts = [
        each for each in table.columns if each.form in ("text", "names") and not (each is column and is_place(each))
    ]
    if any(lemma(word) == lemma(noun) for each in texts for cell in each.rows_of for word in normal_form(cell).split()):
        return True  # a `Coffee machine` is one, and a printer may be none
    wider = wider_kinds(noun) - {lemma("title")}
    kinds = [each for each in table.columns if each.form == "text" and not each.is_distinct]
    own = {lemma(noun), *map(lemma, narrower_kinds(noun))}
    others = {lemma(each) for kind in wider for each in narrower_kinds(kind)} - own
    has_kinds = any(lemma(normal_form(cell)) in own for each in kinds for cell in each.rows_of)
    is_other = any(lemma(normal_form(each.cells[row])) in others for each in kinds for row in rows_in(rows))
    return bool(wider) and (is_other or not has_kinds)


_ALIKE = 0.33


def may_be_thing(noun: Token) -> bool:
    """Whether a noun is neither one for people, firms or places, nor for what a column says of a thing."""
    is_amount = noun.form in MEASURES_NAMED or bool(measures_asked(noun.form))
    is_other = is_amount or names_party(noun.stem) or noun.stem in PLACES or noun.stem in _ATTRIBUTES
    return noun.text.islower() and not is_other


_ATTRIBUTES = TIME_WORDS | frozenset(
    map(
        stem,
        word_list(
            """
            kind type category sort genre brand make model version series breed colour color size shape style material
            format status state stage phase level grade class group rank position rate price cost fee value amount
            number code id name reason note comment remark phone email website method way language currency unit part
            side role title post job subject topic result score age gender nationality religion party
            street road
            """
        ),
    )
)
"""Nouns of what a column says of the rows, as stems."""
