"""Which columns have people or firms, and which of them a question means by `who`: `to whom` is nobody who sells.

A column has people by its name. Some take what a row says (`Buyer`), some give it (`Supplier`), others only do it.
A preposition (`to whom`, `from whom`, `who ... to`) or the verb (`who paid`, `who sold`) says which part is asked for.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from cgstore.llm.backends.compose.column import OF_NAMES, PARTIES, Column
from cgstore.llm.backends.compose.naming import Context
from cgstore.llm.backends.compose.readings import Reading
from cgstore.llm.backends.compose.row_nouns import row_words
from cgstore.llm.backends.compose.words import LIGHT_VERBS, stem, word_list, word_set
from cgstore.text.columns import is_missing
from cgstore.text.names import some_of
from cgstore.text.thesaurus import IRREGULAR

_TAKERS = frozenset(
    map(
        stem,
        word_list(
            """
            buyer purchaser customer client shopper consignee recipient receiver borrower renter hirer tenant lessee
            guest subscriber payee beneficiary owner debtor visitor passenger patient
            """
        ),
    )
)
_GIVERS = frozenset(
    map(
        stem,
        word_list(
            """
            seller vendor supplier sender shipper donor lender lessor landlord giver provider distributor wholesaler
            retailer dealer consignor creditor
            """
        ),
    )
)
_DOERS = frozenset(
    map(
        stem,
        word_list(
            """
            manager supervisor director responsible coordinator foreman operator
            mechanic technician trainer instructor tutor assistant clerk agent reviewer examiner marker inspector keeper
            curator organiser organizer host volunteer member participant contestant entrant candidate applicant nominee
            staff crew colleague contractor vet therapist surgeon stylist cook picker grower breeder caretaker sponsor
            band team club squad orchestra choir ensemble artist act performer organisation opponent
            speaker presenter moderator captain leader head boss chair minister officer deputy spouse parent
            """
        ),
    )
)
_NOUNS = PARTIES | _TAKERS | _GIVERS | _DOERS

_TAKING = word_set(
    """
    buy buys bought buying purchase purchased order ordered orders take takes took taken rent rents rented borrow
    borrows borrowed hire hired hires pay pays paid paying owe owes owed spend spends spent receive receives received
    get gets got collect collects collected use uses used
    """
)
"""Verbs whose subject takes what a row says; `by whom` asks for it with these alone."""

_GIVING = word_set(
    "sell sells sold selling supply supplies supplied lend lends lent provide provides provided send sends sent"
)
"""Verbs whose subject gives it."""

_DO = word_set("do does did done")
_TO = _TAKING | _GIVING | word_set("go goes went gone come came belong belongs belonged made give gives gave given")
"""Verbs that `to whom` and `from whom` make clear."""

_BE = word_set("is are was were be been being has have had s")
_STILL = word_set("still already ever also just")


def parties(context: Context) -> tuple[Column, ...]:
    """The columns that have people or firms, by their names."""
    return tuple(column for column in context.table.columns if is_party(column))


def is_party(column: Column) -> bool:
    """Whether a column has people or firms by its name: a noun for them, or what is done `by` them."""
    if column.form not in ("text", "names") or column.is_numbering:
        return False
    last = column.words[-1].removesuffix("s")
    if last.endswith("name") or last in OF_NAMES:
        return column.form == "names" or not (_NOUNS.isdisjoint(column.stems))
    is_agent = last.endswith(("er", "or", "ist", "ant")) and last not in _THINGS and has_people(column)
    return last == "by" or is_agent or column.stems[-1] in _NOUNS


def names_party(noun: str) -> bool:
    """Whether a noun, by its stem, is one for people or firms."""
    return noun in _NOUNS


def has_people(column: Column) -> bool:
    """Whether cells may be names of people or firms: with a capital, and no digits unless each cell has several."""
    cells = [cell for cell in column.rows_of if not is_missing(cell)]
    return column.form == "names" or all(
        cell[0].isupper() and (column.words[-1].endswith("s") or not any(map(str.isdigit, cell))) for cell in cells
    )


_THINGS = word_set(
    """
    number order letter quarter chapter colour color floor sector motor river center water paper plant weather layer
    tier filter container trailer timber tower border flavor factor sensor monitor computer printer power cover gender
    answer offer transfer server folder summer winter corner counter timer meter register disorder danger door list
    restaurant
    """
)
"""Nouns of things that end as those of people do."""


def asked_parties(context: Context) -> tuple[Column, ...] | None:
    """The columns of which `who` may ask by its preposition or its verb; None if these say nothing."""
    every = parties(context)
    part = _part(context) if context.signals.wh == "who" and every else None
    if part is None:
        return None
    named = [each for each in every if _is_named_by_verb(each, context)]
    if named and part not in ("to", "from"):
        return tuple(named)
    takers = [each for each in every if each.stems[-1] in _TAKERS]
    givers = [each for each in every if each.stems[-1] in _GIVERS]
    match part:
        case "to" | "takes":
            subject = [each for each in every if each.place == context.table.subject]
            others = (named or subject) if part == "to" else every
            found = takers or [each for each in others if each not in givers]
        case "has" if not takers:
            return None
        case "has":
            found = takers
        case "from":
            found = givers or [each for each in named if each not in takers]
        case "gives":
            found = givers or [each for each in every if each not in takers]
        case _:
            doers = [each for each in every if each.words[-1] == "by"]
            found = doers or [each for each in every if each not in takers and each not in givers]
    return tuple(found)


def _part(context: Context) -> str | None:
    """The part that is asked for: `to`, `from`, `takes`, `gives`, `has`, or `does` of what was done by somebody."""
    forms, place = context.text.forms, context.signals.wh_at
    if forms[place] == "whose":
        return "has"
    preposition = forms[place - 1] if place else ""
    if not preposition and forms[-1] in ("to", "from", "by") and not _ends_a_verb(context):
        preposition = forms[-1]
    if preposition in ("to", "from"):
        return preposition
    verbs = [
        form for form, behind in pairwise((*forms, "")) if behind != "back" and (form in _TAKING or form in _GIVING)
    ]
    verb = next((form for form in verbs if form in forms[place + 1 :]), "")
    is_passive = preposition == "by"
    behind = next((form for form in forms[place + 1 :] if form not in _BE | _STILL), "")
    if verb and (is_passive or behind == verb or forms[place + 1 : place + 2] in (("has",), ("had",), ("have",))):
        return "takes" if verb in _TAKING else "gives"
    known = context.table.all_words
    is_deed = behind in _DO and all(
        form in known or form.removesuffix("s") in known or not context.text.content >> n & 1
        for n, form in enumerate(forms)
        if n > place
    )
    return "does" if is_passive or is_deed else None


def _ends_a_verb(context: Context) -> bool:
    """Whether the preposition at the end belongs to the naming of a column: `who does Ann report to`."""
    return bool(context.of_joins >> len(context.text) - 1 & 1)


def _is_named_by_verb(column: Column, context: Context) -> bool:
    """Whether a verb of the question is one of the column, by its name or by other words."""
    return any(not run.inverse or run.first > context.signals.wh_at for run in context.runs[column.place])


def may_be_who(column: Column, context: Context) -> bool:
    """Whether `who` may ask for a column: for one of people, where there is one, unless another is named itself."""
    asked, every = asked_parties(context), parties(context)
    if asked is not None:
        return column in asked
    if not every or column in every:
        return True
    owned = context.signals.wh_at + 1 if context.text.forms[context.signals.wh_at] == "whose" else None
    runs = [
        run for run in context.runs[column.place] if not (run.meant or run.inflected) and run.mask & ~context.of_rows
    ]
    return any(run.first != owned for run in runs)


def words_of_part(target: int, context: Context) -> int:
    """The words that say no more than the part that people of a column take: `to whom did it go`, `who borrowed it`."""
    asked, part = asked_parties(context), _part(context) if context.signals.wh == "who" else None
    if asked is None or part is None or [each.place for each in asked] != [target]:
        return 0
    stems = asked[0].stems[-1:]
    own = _TAKING if part in ("takes", "does", "has") and not _TAKERS.isdisjoint(stems) else frozenset()
    own |= _GIVING if part in ("gives", "does") and not _GIVERS.isdisjoint(stems) else frozenset()
    own |= _TO if part in ("to", "from") else frozenset()
    forms = context.text.forms
    return sum(1 << n for n, form in enumerate(forms) if form in own and forms[n + 1 : n + 2] != ("back",))


def another_party(reading: Reading, context: Context) -> Iterator[str]:
    """Why somebody is not the one that is asked for, as reasons for no answer: a buyer is not `from whom` we bought."""
    yield from _in_another_part(reading, context)
    target = reading.target
    if target is None or reading.operation not in (
        "list",
        "next",
        "previous",
        "group max",
        "group min",
        "having",
    ):
        return
    asked = asked_parties(context)
    column = context.table.columns[target]
    is_choice = any(each.column == target for each in reading.conditions)  # "who weighs more, Simba or Ziggy"
    if asked is None and context.signals.wh == "who" and not is_choice and not may_be_who(column, context):
        yield f"which column says who it is is not understood: '{column.name}' has nobody"
    if asked is not None and column not in asked:
        said = context.text.between(max(0, context.signals.wh_at - 1), len(context.text))
        yield f"no column is known to say '{said}': '{column.name}' is somebody else"
    if asked is not None and _part(context) == "does":
        yield from _of_other_deed(column, asked, context)


def _in_another_part(reading: Reading, context: Context) -> Iterator[str]:
    """Why somebody may not be meant in the part that nothing says, who stands in another one too, as reasons."""
    people = parties(context)
    for condition in reading.conditions:
        column = context.table.columns[condition.column]
        if column.form != "names" or context.runs[column.place]:
            continue
        before = context.text.forms[condition.first - 1] if condition.first else ""
        if (before == "to" and column.stems[-1] in _TAKERS) or (before == "from" and column.stems[-1] in _GIVERS):
            continue
        others = [each for each in people if each.place < column.place and condition.values[0] in each.rows_of]
        if others and condition.op == "=":
            said = context.text.between(condition.first, condition.last)
            yield f"'{said}' may belong to several columns: {some_of([each.name for each in (*others, column)])}"


def _of_other_deed(column: Column, asked: tuple[Column, ...], context: Context) -> Iterator[str]:
    """Why somebody did not do it: what was damaged by somebody was not lent by him or her."""
    text, own = context.text, words_of_part(column.place, context)
    for run in context.runs[column.place]:
        own |= run.mask
    rows = row_words(text, context.table)
    for place in range(context.signals.wh_at + 1, len(text)):
        form = text.forms[place]
        is_verb = text.content >> place & 1 and text.tokens[place].text.islower()
        is_verb = is_verb and (form.endswith("ed") or form in IRREGULAR)
        if is_verb and not (own >> place & 1 or form in LIGHT_VERBS or (len(asked) == 1 and rows >> place & 1)):
            yield f"who did what '{form}' says is not understood: no column is named by it"


def is_doer_unasked(column: Column, reading: Reading, context: Context) -> bool:
    """Whether a thing is asked for, and not by whom something was done to it: `what was ordered first`."""
    head, wh = context.head, context.signals.wh
    if column.words[-1:] != ["by"] or "by" in context.text.forms or wh not in ("what", "which"):
        return False
    if wh == "what" or head is None:
        return reading.ordered_by is not None
    noun = context.text.tokens[head].stem
    return bool(context.of_rows >> head & 1 or noun in column.stems) and not names_party(noun)
