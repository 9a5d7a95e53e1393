"""Which words of a question say what the rows of a table are: its name, a like noun, or what a column numbers."""

from __future__ import annotations

from cgstore.llm.backends.compose.column import NUMBERS, Column
from cgstore.llm.backends.compose.headers import is_short_for
from cgstore.llm.backends.compose.table import Table
from cgstore.llm.backends.compose.words import (
    QuestionText,
    name_words,
    stem,
    word_list,
    word_set,
)
from cgstore.text.names import normal_form
from cgstore.text.thesaurus import same_kind

LEADERS = word_set(
    "manager owner lead leader chief boss head director president captain coach editor author contact representative"
)


def row_nouns(text: QuestionText, table: Table) -> int:
    """Those of `row_words` that are the noun itself in any number: not `delivered` in a table of deliveries."""
    words = row_words(text, table)
    own = {form for word in name_words(table.name) for form in (word, word.removesuffix("s"))}
    own |= {form for column in table.columns for form in _nouns_of_doing(column)}
    return sum(
        1 << place
        for place, token in enumerate(text.tokens)
        if words >> place & 1 and (token.form in own or not token.form.endswith(("ed", "ing")))
    )


def row_words(text: QuestionText, table: Table) -> int:
    """The words that say what the rows are: of the table's name or a like noun, and of columns that number the rows."""
    own = {stem(word) for word in normal_form(table.name).split()}
    own |= {column.numbered for column in table.columns if column.numbered}
    done = {form for column in table.columns for form in _nouns_of_doing(column)}
    own |= _led(table) | {each for column in table.columns if _calls_rows(column) for each in column.stems}
    named = {form for name in normal_form(table.name).split() for form in (name, name.removesuffix("s"))}
    named |= {column.words[0] for column in table.columns if column.numbered}
    like = {stem(word) for name in named for noun in same_kind(name) for word in noun.split()}
    own |= _visits(table)
    short = [word.removesuffix("s") for word in name_words(table.name)]
    return these_rows(text) | sum(
        1 << place
        for place, token in enumerate(text.tokens)
        if token.stem in own | like
        or token.form in done
        or (token.form not in table.all_words and any(is_short_for(word, token.form) for word in short))
    )


def _visits(table: Table) -> frozenset[str]:
    """What each row is, as stems, where somebody is looked after by somebody on a day: a visit, a session."""
    days = [each for each in table.columns if each.form == "date" and _DAY.issuperset(each.stems)]
    of_two = all(any(each.stems[-1] in people for each in table.columns) for people in (_CARED_FOR, _CARERS))
    others = {each for column in table.columns if not column.to_come for each in column.stems}
    return _VISITS - others if days and of_two else frozenset()


_DAY = frozenset(map(stem, word_list("date day visit appointment session consultation")))
_VISITS = frozenset(map(stem, word_list("visit appointment session consultation")))
_CARED_FOR = frozenset(map(stem, word_list("patient client customer guest pupil student pet animal")))
_CARERS = frozenset(
    map(
        stem,
        word_list(
            """
            therapist physiotherapist physio doctor physician nurse dentist vet stylist hairdresser trainer tutor coach
            instructor teacher consultant counsellor practitioner masseur osteopath
            """
        ),
    )
)
"""Last words of columns of whom somebody visits."""


def _nouns_of_doing(column: Column) -> set[str]:
    """The nouns for what somebody does who stands under a column: `booking`, `bookings` of `Booked by`."""
    if len(column.words) != 2 or column.words[1] != "by":
        return set()
    verb = column.words[0].removesuffix("ed").removesuffix("e")
    return {f"{verb}{ending}" for ending in ("ing", "ings", "ion", "ions", "ment", "ments")}


def these_rows(text: QuestionText) -> int:
    """The plural nouns behind `these` and `those`, which mean the rows whatever they are: `on these bikes`."""
    places = [n for n, form in enumerate(text.forms) if n and form.endswith("s") and text.forms[n - 1] in _THESE]
    return sum(1 << place for place in places)


_THESE = ("these", "those")


def _calls_rows(column: Column) -> bool:
    """Whether each row is what a column is called by its code: a `Hive` with `H01`, `H02` and so on."""
    is_code = column.form == "text" and column.is_distinct and column.is_code
    return is_code and len(column.words) == 1 and NUMBERS.isdisjoint(column.words)


def _led(table: Table) -> set[str]:
    """What each row is by who leads it, as stems: a `site` by `site_manager`, unless another column has this name."""
    led = {column.stems[0] for column in table.columns if len(column.words) == 2 and column.words[1] in LEADERS}
    return led.difference(_OFFICES, *(column.stems for column in table.columns if column.words[-1] not in LEADERS))


_OFFICES = frozenset(map(stem, word_list("general sales line account area assistant deputy vice finance managing")))
"""Words before people's posts that say what these are, and not what they lead."""
