"""Where a question names a column: by words of its name, by other words, by what it measures or what it is for."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from cgstore.llm.backends.compose.column import Column
from cgstore.llm.backends.compose.compared import is_of_getting
from cgstore.llm.backends.compose.meanings import MEANT, Wording, wordings
from cgstore.llm.backends.compose.measures import OF_ONE, asks_measure, measures_asked
from cgstore.llm.backends.compose.row_nouns import (
    LEADERS,
    row_nouns,
    row_words,
    these_rows,
)
from cgstore.llm.backends.compose.signals import EXTREMES
from cgstore.llm.backends.compose.stays import words_of_stay
from cgstore.llm.backends.compose.table import Table
from cgstore.llm.backends.compose.words import (
    ABBREVIATIONS,
    LIGHT_VERBS,
    QuestionText,
    is_content,
    mask_of,
    stem,
    word_list,
    word_set,
)

_MONEY = set(map(stem, word_list("price cost fare fee salary amount wage prize paid charge rent")))
"""Words of columns that `how much is` asks for, by their stems."""


_HEADS = word_set("date year time id code number no type status phone email address price cost rate count")
"""Last words of names which say what a column has, so that the words before them alone do not name it."""

PLACES = frozenset(
    stem(word)
    for word in word_list(
        """
        country city town place location address region state county village district area venue room hall
        destination
        """
    )
)
"""Words of columns that `where` asks for, by their stems."""


_REASONS = frozenset(map(stem, word_list("reason purpose cause motive")))
"""Words of columns that `why` asks for, by their stems."""


@dataclass(frozen=True)
class Run:
    """Where a question names a column: its words, and the share of the name's words that they are.

    `meant`: by other words of its meaning; `inflected`: by other forms of its words alone; `inverse`: by what its cell
    does to the row, as `manages` for `manager`; `joins`: the prepositions of other words; `headless`: by words of a
    name without its last one.
    """

    first: int
    last: int
    mask: int
    share: float
    meant: bool = False
    inflected: bool = False
    inverse: bool = False
    joins: frozenset[str] = frozenset()
    headless: bool = False


def namings(text: QuestionText, table: Table, of_rows: int) -> list[list[Run]]:
    """Where a question names each column of a table; `of_rows`: the words that say what the rows are."""
    these = these_rows(text)
    found = [
        [run for run in _runs(text, column, table) if (not run.inflected or run.mask & ~of_rows) and run.mask & ~these]
        for column in table.columns
    ]  # "shipments" are not what was `shipped`
    runs = _of_stays(_with_wordings(_prefer_exact(found, text), text, table), text, table)
    return [
        [
            *(_with_rate(_with_measure(run, column, text), column, text) for run in each),
            *_apart(each, column, runs, text),
        ]
        for column, each in zip(table.columns, runs, strict=True)
    ]


def _prefer_exact(runs: list[list[Run]], text: QuestionText) -> list[list[Run]]:
    """Namings by other forms of a name's words go where another column has a word itself: `orders`, not `Ordered`.

    So do those by a part of a name within the whole name of another column: the `date` of `issue date`.
    """
    own = 0
    whole = [
        run
        for each in runs
        for run in each
        if not (run.inflected or run.meant) and (run.share == 1 or "per" in text.forms[run.first : run.last])
        if _IN_NAMES.issuperset(
            form for n, form in enumerate(text.forms) if run.first < n < run.last - 1 and not run.mask >> n & 1
        )
    ]
    for each in runs:
        for run in each:
            own |= 0 if run.inflected or run.meant else run.mask
    return [
        [
            run
            for run in each
            if not (run.inflected and run.mask & own) and not any(holds(other.mask, run.mask) for other in whole)
        ]
        for each in runs
    ]


_IN_NAMES = word_set("of the a an per in for by on and")
"""Words that may stand within a column's name: `the away team that scored 3` is not the `Away team score`."""


def is_place(column: Column) -> bool:
    """Whether a column has places by its name, which `where` asks for."""
    return column.form in ("text", "names") and not PLACES.isdisjoint(column.stems)


def _with_wordings(runs: list[list[Run]], text: QuestionText, table: Table) -> list[list[Run]]:
    """Adds namings by the thesaurus: not by words that name columns or rows, and of several the one of more words."""
    own = [(place, run) for place, each in enumerate(runs) for run in each if not run.meant]
    nouns, rows = row_nouns(text, table), row_words(text, table)
    found = [(n, each) for n, column in enumerate(table.columns) for each in wordings(text, column.meaning)]
    kept = [
        (n, each)
        for n, each in found
        if each.mask & ~(nouns if each.inverse or _has_agent(each, text) else rows)
        and not (_asks_how_many(each, text) and not table.columns[n].is_ordered)
        and not (table.columns[n].rate and whole_sums(table) and _is_of_whole_sums(each.mask, text))
        and all(
            not each.mask & run.mask
            or run.inflected
            or ((run.share < 1 or place == n) and holds(each.mask, run.mask))
            or (_has_agent(each, text) and table.columns[place].form not in ("text", "names"))
            for place, run in own
        )
        and not any(holds(other.mask, each.mask) for _, other in found)
    ]
    every = [list(each) for each in runs]
    for n, each in kept:
        first, last = (each.mask & -each.mask).bit_length() - 1, each.mask.bit_length()
        run = Run(first, last, each.mask, each.share, True, inverse=each.inverse, joins=each.joins)
        if all(other.mask != run.mask or (other.inverse and not run.inverse) for other in every[n]) and _may_be_inverse(
            run, text
        ):
            every[n].append(run)
    return every


def _asks_how_many(wording: Wording, text: QuestionText) -> bool:
    """Whether other words for a column ask for its number: `how many pupils` are no names of pupils."""
    first = (wording.mask & -wording.mask).bit_length() - 1
    return text.forms[first : first + 2] in (("how", "many"), ("how", "much"))


def _has_agent(wording: Wording, text: QuestionText) -> bool:
    """Whether other words for a column say by whom something is done, behind the verb or at the end."""
    last = wording.mask.bit_length()
    return "by" in wording.joins and "by" in text.forms[last : last + 1] + text.forms[-1:]


def holds(one: int, other: int) -> bool:
    """Whether a set of words has all of another one, and more."""
    return one != other and one & other == other


def _may_be_inverse(run: Run, text: QuestionText) -> bool:
    """Whether words for the other direction are a verb: behind the question word, or behind `does` and a name.

    So are those of `who manages Ann` and `who does Ann manage`.
    """
    before = text.forms[: run.first]
    is_of_name = any(form in DO for form in before[:-1])
    return not run.inverse or (bool(before) and (before[-1] in _ASKING_VERBS or is_of_name))


DO = word_set("do does did")
"""The auxiliary verb of questions, which names no column."""

_ASKING_VERBS = word_set("who whom s is was has whos")


def _runs(text: QuestionText, column: Column, table: Table) -> list[Run]:
    """Where the question names a column, by stretches of its name's words with at most one small word between."""
    wanted = set(column.stems)
    plain = {ABBREVIATIONS.get(form, form).rstrip("s") for form in column.words}
    total = len(wanted.difference(column.units)) or 1
    places = [n for n, token in enumerate(text.tokens) if token.stem in wanted and token.form not in DO]
    runs: list[list[int]] = []
    for place in places:
        gap = place - runs[-1][-1] if runs else 0
        is_next = gap == 1 or (gap == 2 and not is_content(text.forms[place - 1]))
        if is_next and text.tokens[place].stem not in {text.tokens[each].stem for each in runs[-1]}:
            runs[-1].append(place)
        else:
            runs.append([place])
    others = [each for each in table.columns if each.form == "date" and not each.to_come]
    is_still_to_come = bool(column.to_come and others)
    found = []
    for run in runs:
        mask = sum(1 << place for place in run) | _bounds(text, column, run)
        share = min(1.0, len({text.tokens[place].stem for place in run}) / total)
        forms_here = [text.forms[place] for place in run]
        inflected = not any(ABBREVIATIONS.get(form, form).rstrip("s") in plain for form in forms_here)
        head = [each for each in column.stems if each not in column.units][-1:]
        headless = total > 1 and not set(head) <= {text.tokens[place].stem for place in run}
        of_rate = {text.tokens[place].stem for place in run} <= column.rate
        if is_still_to_come and column.to_come not in text.forms:
            continue  # the `next visit` is not the visit
        is_noun = column.is_flag or _is_what_is_done(text, column, run) or _is_noun(text, column, run)
        if (inflected and is_noun) or of_rate:
            continue  # a `booking` is not who it was `booked by`
        if total > len(run) and _PARTICLES.issuperset(forms_here):
            continue  # `runs out` is no `last lift-out`
        is_whole = set(head) <= {token.stem for token in text.tokens}
        if headless and column.numbered and not table.has_names and not is_whole:
            headless, share = False, 1.0  # an `order` is called by its `order no`
        elif headless and column.words[-1] in LEADERS:
            continue  # the `site` of `site manager` is another thing
        elif headless and column.words[-1] in _HEADS:
            share /= 2
        found.append(Run(run[0], run[-1] + 1, mask, share, inflected=inflected, headless=headless))
    for place, token in enumerate(text.tokens):
        if token.stem not in wanted:
            means = MEANT.get(token.stem, set())
            if _asks_for_money(text, place) and column in of_money(table):
                means = wanted
            if token.form == "where" and is_place(column):
                means = wanted
            if _asks_when_got(text, place) and is_of_getting(column):
                means = wanted
            if asks_kind(text, place) and _of_kinds(table) == [column]:
                means = wanted
            if asks_time(text, place) and [each for each in table.columns if each.form == "clock"] == [column]:
                means = wanted
            if token.form == "why" and not _REASONS.isdisjoint(wanted):
                means = wanted
            if asks_measure(token.form, column.measure, column.words) and _is_only_measure(column, table):
                means = wanted
            if _is_in_total(place, text) and (totals := whole_sums(table)):
                means = wanted if totals == [column] else means if column in totals else set()
            if (wanted - column.rate) & means:
                found.append(Run(place, place + 1, 1 << place, 1 / total, True))
    return found


_PARTICLES = word_set("out up off over down away back in on")
_BOUNDS = word_set("until till since from")


def _bounds(text: QuestionText, column: Column, run: Sequence[int]) -> int:
    """The words beside a naming, or before `when`, that the name has to say which end of a time it is."""
    places = [run[0] - 1, run[-1] + 1, *(n - 1 for n, form in enumerate(text.forms) if form == "when")]
    own = _BOUNDS.intersection(column.words)
    return sum({1 << n for n in places if 0 <= n < len(text) and text.forms[n] in own})


def _is_what_is_done(text: QuestionText, column: Column, run: Sequence[int]) -> bool:
    """Whether a noun for what somebody does stands for the column of who does it: `booking` for `Booked by`."""
    form, before = text.forms[run[0]], text.forms[run[0] - 1] if run[0] else ""
    is_noun = form.endswith(("ing", "ings", "ion", "ions", "ment", "ments")) or (
        form.endswith("s") and before not in ("who", "that")
    )
    is_of_doer = not {"who", "whose", "whom"}.isdisjoint(text.forms)  # "who has not paid for the booking"
    return column.words[-1] == "by" and len(run) == 1 and is_noun and not is_of_doer


def _is_noun(text: QuestionText, column: Column, run: Sequence[int]) -> bool:
    """Whether a noun behind the question word stands for a participle: `which order` of `Ordered`, `Ordered by`."""
    is_asked = run[0] > 0 and text.forms[run[0] - 1] in ("which", "what")
    is_participle = column.words[0].endswith("ed") and not text.forms[run[0]].endswith("ed")
    return is_asked and len(run) == 1 and is_participle


_KINDS = frozenset(map(stem, word_list("type kind category class sort style genre")))
"""Words of columns that `what kind of` asks for, by their stems."""


def asks_kind(text: QuestionText, place: int) -> bool:
    """Whether a word is the `kind` of `what kind of`, and not of a question for how many there are."""
    behind = text.forms[place + 1 : place + 2] == ("of",)
    return behind and text.forms[place] in ("kind", "type", "sort") and not _MANY.intersection(text.forms[:place])


_MANY = word_set("many different number")


def _of_kinds(table: Table) -> list[Column]:
    """The columns that say of what kind a row is."""
    return [each for each in table.columns if each.form in ("text", "names") and not _KINDS.isdisjoint(each.stems)]


def _asks_when_got(text: QuestionText, place: int) -> bool:
    """Whether a word is the `get` of `when did we get`."""
    is_time = "when" in text.forms or "year" in text.forms
    return is_time and text.forms[place - 2 : place + 1] == ("did", "we", "get")


def asks_time(text: QuestionText, place: int) -> bool:
    """Whether a word is the `time` of `what time`, or of `at which time`: that of a day."""
    return text.forms[place] == "time" and text.forms[place - 1 : place] in (("what",), ("which",))


def _of_stays(runs: list[list[Run]], text: QuestionText, table: Table) -> list[list[Run]]:
    """The namings, those of the two ends of what lasts as namings of how long it does: `was out longer`."""
    stays = [column for column in table.columns if column.ends is not None]
    for stay in stays:
        mask = words_of_stay(text)
        for place in stay.ends or ():
            mask |= sum({run.mask for run in runs[place]})
            runs[place] = []
        places = [n for n in range(len(text)) if mask >> n & 1]
        runs[stay.place] = [Run(n, n + 1, 1 << n, 1.0, True) for n in places]
    return runs


def _apart(own: list[Run], column: Column, runs: list[list[Run]], text: QuestionText) -> Iterator[Run]:
    """The naming of a column whose words stand apart, none of which names another: `what did the parts for it cost`."""
    parts = [run for run in own if not run.meant]
    mask = sum({run.mask for run in parts})
    whole = [run for each in runs for run in each if each is not own and run.share == 1 and run.mask & mask]
    stems = tuple(text.tokens[place].stem for place in range(len(text)) if mask >> place & 1)
    if len(parts) == 2 and not whole and stems == column.stems:
        yield Run(parts[0].first, parts[0].last, mask, 1.0)


def _with_rate(run: Run, column: Column, text: QuestionText) -> Run:
    """A naming with what its values are, or are for: `price per kilo` of `Price/kg`, `start time` of `Start`."""
    if not run.meant and run.share == 1 and "per" in text.forms[run.first : run.last]:
        return replace(run, mask=mask_of(run.first, run.last))
    behind = text.tokens[run.last : run.last + 2]
    is_time = column.form in ("date", "clock") and run.share == 1 and not (run.meant or run.inflected)
    if is_time and behind and behind[0].form in ("time", "date"):
        return replace(run, last=run.last + 1, mask=run.mask | 1 << run.last)  # "half time" of `Half`
    if run.meant or len(behind) < 2 or behind[0].form not in ("per", "a", "an") or behind[1].stem not in column.rate:
        return run
    return replace(run, last=run.last + 2, mask=run.mask | 3 << run.last, share=1.0, headless=False)


def _with_measure(run: Run, column: Column, text: QuestionText) -> Run:
    """A naming with the word before it for what its numbers measure: `expensive parts`, `money in fees`."""
    place = run.first - 1
    while place > 0 and (not is_content(text.forms[place]) or text.forms[place] in LIGHT_VERBS):
        place -= 1
    is_beside = 0 <= place >= run.first - _REACH and text.forms[place] not in EXTREMES
    if run.meant or not is_beside or not column.measure or column.measure not in measures_asked(text.forms[place]):
        return run
    first = place if place == run.first - 1 else run.first
    return replace(run, first=first, mask=run.mask | 1 << place, share=1.0, headless=False)


_REACH = 4
"""Words back from the name of a column in which stands what it measures."""


_IN_TOTAL = word_set("money spend spent spends spending paid pay pays earn earned took")
"""Words for what is paid in total, which no price per unit is."""


def _is_of_whole_sums(mask: int, text: QuestionText) -> bool:
    return all(_is_in_total(n, text) for n, form in enumerate(text.forms) if mask >> n & 1 and is_content(form))


def _is_in_total(place: int, text: QuestionText) -> bool:
    """Whether a word says what is paid in total: what something does cost is a price."""
    form = text.forms[place]
    if text.forms[-1] in OF_ONE:
        return False  # "what did they cost each"
    return form in _IN_TOTAL or (form in COSTING and PRESENT.isdisjoint(text.forms))


COSTING = word_set("cost costs costing")
PRESENT = word_set("do does")


def whole_sums(table: Table) -> list[Column]:
    """The columns of money that are not per unit, in a table that has both; the one that is called the total, if any.

    Beside a price, the total has money too where no currency says so.
    """
    money = [each for each in table.columns if each.measure == "money"]
    if not any(each.rate for each in money):
        return []
    whole = [each for each in table.columns if each.is_amount and not each.rate and _may_be_sum(each)]
    called = [each for each in whole if not _SUMS.isdisjoint(each.stems)]
    return called if len(called) == 1 else whole


def _may_be_sum(column: Column) -> bool:
    is_called = not _SUMS.isdisjoint(column.stems) and _OF_SUMS.issuperset(column.stems)
    return column.measure == "money" or (not column.measure and is_called)


_SUMS = frozenset(map(stem, word_list("total amount")))
_OF_SUMS = _SUMS | frozenset(map(stem, word_list("line net gross order invoice cost price value sale")))
"""Words of columns of what is paid for all, and those that may stand beside them, as stems."""


def _is_only_measure(column: Column, table: Table) -> bool:
    """Whether no other column measures the same, or is what is paid."""
    if column.measure == "money" and of_money(table) == [column]:
        return True
    return sum(each.measure == column.measure for each in table.columns) == 1


def of_money(table: Table) -> list[Column]:
    """The columns that say what is paid: the one that is called so goes before a deposit, or a declared value."""
    money = [each for each in table.columns if each.form == "money" or not _MONEY.isdisjoint(each.stems)]
    paid = [each for each in money if each.is_amount and not _MONEY.isdisjoint(each.stems)]
    return paid if len(paid) == 1 else money


def _asks_for_money(text: QuestionText, place: int) -> bool:
    """Whether a word is the `much` of `how much is`, `how much does it cost`, or the `go` of `what does it go for`."""
    forms = text.forms
    if forms[place] in ("go", "goes", "went") and forms[place + 1 : place + 2] == ("for",):
        return "what" in forms[:place]
    return (
        forms[place] == "much"
        and place + 1 < len(text)
        and forms[place + 1] in ("is", "was", "are", "does", "did", "do")
    )
