"""A question over tables: its readings, how likely each answer is, and what speaks against giving it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice

from cgstore.llm.backends.compose.anchors import stretches
from cgstore.llm.backends.compose.choices import choices
from cgstore.llm.backends.compose.complete import paid_for, rank_of
from cgstore.llm.backends.compose.condition_features import Features
from cgstore.llm.backends.compose.conditions import Stretch
from cgstore.llm.backends.compose.confidence import doubts
from cgstore.llm.backends.compose.denotations import Denotation, by_numbers, denotation, empty_cells
from cgstore.llm.backends.compose.differences import asks_difference, differences, names_two_rows
from cgstore.llm.backends.compose.directions import directed
from cgstore.llm.backends.compose.dropped import (
    counted_noun,
    dropped_names,
    dropped_words,
    forms_left,
    miscounted,
    misdirected,
    unasked,
    unjoined,
)
from cgstore.llm.backends.compose.durations import asks_duration, durations
from cgstore.llm.backends.compose.extremes import misordered, unnamed_extreme, unsummed
from cgstore.llm.backends.compose.features import explained_words, features_of, unused_extremes
from cgstore.llm.backends.compose.lateness import COMPARED
from cgstore.llm.backends.compose.mistimed import mistimed, undated
from cgstore.llm.backends.compose.naming import Context
from cgstore.llm.backends.compose.openings import direct
from cgstore.llm.backends.compose.parties import another_party
from cgstore.llm.backends.compose.prices import price_of_one
from cgstore.llm.backends.compose.ranking import Model
from cgstore.llm.backends.compose.readings import Reading, readings
from cgstore.llm.backends.compose.relative import with_relative
from cgstore.llm.backends.compose.row_nouns import row_words
from cgstore.llm.backends.compose.signals import BY_TIME, Signals
from cgstore.llm.backends.compose.states import unstated, with_states
from cgstore.llm.backends.compose.stays import with_stay
from cgstore.llm.backends.compose.table import Table
from cgstore.llm.backends.compose.targets import asked_for, half_asked
from cgstore.llm.backends.compose.total_rows import notes_of_totals, untotalled, without_totals
from cgstore.llm.backends.compose.unnamed import another_amount, another_bound, another_column, part_of_a_value
from cgstore.llm.backends.compose.verdicts import judged, words_of_claims
from cgstore.llm.backends.compose.words import QuestionText, is_content, mask_of, word_set
from cgstore.text.names import some_of

MAX_READINGS = 1500
"""Readings of a question over one table."""

CERTAIN = 0.6
"""Least confidence in an answer that is given: of held-out questions with it, nine in ten (WikiSQL) are right."""

JUDGED = 0.9
"""Confidence in an answer by `verdicts`: of questions of WikiTableQuestions' training split, so many are right."""

AGREED = 0.76
"""Confidence in an answer on which all readings that account for every word agree."""

LEAST_LIKELY = 0.1
"""Least probability, by the model, of such an answer."""

SURE = 0.75
"""Confidence below which an answer has a note."""


@dataclass(frozen=True)
class Candidate:
    """A reading with its score and the answer that it gives in the rows that were read."""

    reading: Reading
    context: Context
    score: float
    gives: Denotation

    @property
    def table(self) -> Table:
        """The table that is asked."""
        return self.context.table


@dataclass(frozen=True)
class Understanding:
    """The likeliest reading, and the likeliest with another answer.

    `probability` is that of the answer among those of all readings, `confidence` that the answer is right. `notes` say
    what cells hold.
    """

    best: Candidate
    probability: float
    confidence: float
    other: Candidate | None = None
    doubts: Features = field(default_factory=dict)
    notes: tuple[str, ...] = ()


def read(question: str, table: Table, is_relative: bool = True) -> tuple[Context, list[Stretch]]:
    """A question with a table, and the stretches of it that state conditions.

    `is_relative`: the name of a row may state that others are compared with it.
    """
    asked = direct(question)
    text = QuestionText(asked)
    table = with_stay(table.asked_in(text), text)
    context = Context(text, table, Signals(text))
    found = directed(with_states(stretches(text, table), context), context)
    return context, with_relative(found, context) if is_relative else found


def candidates(question: str, table: Table, model: Model) -> list[Candidate]:
    """All readings of a question over one table."""
    context, given = read(question, table)
    found = readings_of(context, given)
    scores = [model.score(features_of(each, context)) for each in found]
    kept = [without_totals(each, context.table) for each in found]
    return [
        Candidate(each, context, score, denotation(each, context.table))
        for each, score in zip(kept, scores, strict=True)
    ]


def readings_of(context: Context, given: Sequence[Stretch]) -> list[Reading]:
    """The readings that are compared."""
    every = readings(context.text, context.table, context.signals, given)
    return list(islice(asked_for(every, context), MAX_READINGS))


def understand(found: Sequence[Candidate], model: Model) -> Understanding | None:
    """The likeliest answer; the probabilities of readings with equal answers add up."""
    if not found:
        return None
    by_answer: dict[tuple[str, object], list[tuple[float, Candidate]]] = {}
    for p, each in zip(model.probabilities([c.score for c in found]), found, strict=True):
        key: object = by_numbers(each.reading, each.table, each.gives) if each.table.whole else each.reading
        by_answer.setdefault((each.table.name, key), []).append((p, each))
    ranked = sorted(by_answer.values(), key=lambda group: -sum(p for p, _ in group))
    bests = [max(group, key=lambda each: each[0])[1] for group in ranked]
    p, second = [*(sum(p for p, _ in group) for group in ranked[:2]), 0.0][:2]
    found_doubts = doubts(bests[0].reading, bests[0].context, p, second, len(ranked))
    other = bests[1] if len(bests) > 1 else None
    likeliest = Understanding(bests[0], p, model.confidence(found_doubts), other, found_doubts)
    if likeliest.confidence < CERTAIN or any(faults(likeliest)):
        return _complete(ranked) or likeliest
    return likeliest


def _complete(ranked: Sequence[Sequence[tuple[float, Candidate]]]) -> Understanding | None:
    """The one answer of the best justified readings that account for all words; none if there are several."""
    best = 1
    found: list[tuple[object, Understanding]] = []
    for group in ranked:
        p = sum(p for p, _ in group)
        for _, each in group if p >= LEAST_LIKELY else ():
            rank = rank_of(each.reading, each.context) if each.gives and each.table.whole else 0
            understood = Understanding(each, p, AGREED)
            if rank >= best and not any(faults(understood)):
                found = [known for known in found if rank == best and known[0] is not group]
                best = rank
                found.append((group, understood))
    return found[0][1] if len(found) == 1 else None


def yes_or_no(question: str, tables: Sequence[Table]) -> Understanding | str | None:
    """The answer to a question for yes or no, or why there is none; None for questions that ask otherwise."""
    text = QuestionText(direct(question))
    asked = Signals(text)
    if not asked.is_truth and asked.wh in ("which", "who", "what") and "or" in text.forms:
        return _chosen(question, tables)
    if not asked.is_truth and asks_difference(text):
        return _differing(question, tables)
    if not asked.is_truth and asks_duration(text):
        return _lasting(question, tables)
    if not asked.is_truth or asked.wh:
        return None
    if (compared := _differing(question, tables, is_truth=True)) is not None:
        return compared
    found, reasons = [], []
    for table in tables:
        context, given = read(question, table)
        if any(each.operation != "exists" for each in readings(context.text, context.table, context.signals, given)):
            return None
        verdict = judged(context, given)
        if isinstance(verdict, str):
            reasons.append((_unknown(context, given), verdict))
            continue
        reading = replace(verdict.reading, mask=verdict.reading.mask | words_of_claims(context))
        best = Candidate(reading, context, 0, denotation(reading, context.table))
        understood = Understanding(best, 1, JUDGED, notes=verdict.notes)
        if reason := next(faults(understood), ""):
            reasons.append((_unknown(context, given), reason))
        else:
            found.append(understood)
    if len(found) > 1:
        names = [each.best.table.name for each in found]
        return f"several tables may be meant: {some_of(names)}"
    return found[0] if found else min(reasons, key=lambda each: each[0])[1] if reasons else None


def _unknown(context: Context, given: Sequence[Stretch]) -> int:
    """How many words that carry meaning neither a cell of a table nor one of its names has."""
    known = row_words(context.text, context.table) | context.named_mask
    for stretch in given:
        known |= mask_of(stretch.first, stretch.last)
    return (context.text.content & ~known).bit_count()


def _differing(question: str, tables: Sequence[Table], is_truth: bool = False) -> Understanding | str | None:
    """The answer to `how much heavier is A than B`, or to `is A heavier than B`; None for another question."""
    found: list[Understanding] = []
    names_two = False
    for table in tables:
        context, given = read(question, table, is_relative=False)
        names_two |= names_two_rows(context, given)
        ways = list(differences(context, given, is_truth))
        if len({denotation(each, context.table) for each in ways}) == 1 and table.whole:
            best = Candidate(ways[0], context, 0, denotation(ways[0], context.table))
            found.append(Understanding(best, 1, JUDGED))
    if len(found) == 1:
        return found[0]
    if is_truth or not names_two:
        return None
    return "between which two values, and of what, the difference is asked is not understood"


def _lasting(question: str, tables: Sequence[Table]) -> Understanding | None:
    """The answer to `how many days did A take`, if one table alone has its dates; None for another question."""
    found = []
    for table in tables:
        context, given = read(question, table)
        ways = list(durations(context, given))
        if len({denotation(each, context.table) for each in ways}) == 1 and table.whole:
            best = Candidate(ways[0], context, 0, denotation(ways[0], context.table))
            found.append(Understanding(best, 1, JUDGED, notes=(_dates_of(best),)))
    found = [each for each in found if not any(faults(each))]
    return found[0] if len(found) == 1 else None


def _dates_of(candidate: Candidate) -> str:
    start, end = candidate.reading.by, candidate.reading.target
    assert start is not None and end is not None
    columns = candidate.table.columns
    return f"From '{columns[start].name}' to '{columns[end].name}'."


def _chosen(question: str, tables: Sequence[Table]) -> Understanding | None:
    """The answer to `which is bigger, A or B`, if one table alone has both; None for questions that ask otherwise."""
    found = []
    for table in tables:
        context, given = read(question, table)
        readings_here = [each for each in choices(context, given) if each.superlative is not None]
        if len({denotation(each, context.table) for each in readings_here}) == 1 and table.whole:
            best = Candidate(readings_here[0], context, 0, denotation(readings_here[0], context.table))
            found.append(Understanding(best, 1, JUDGED))
    found = [each for each in found if not any(faults(each))]
    return found[0] if len(found) == 1 else None


# What speaks against an answer ----------------------------------------------------------------------------------------

_MATTER = word_set(
    """
    not time now rank half same each sum mean difference or both only more extreme next previous distinct
    """
)
"""Signals that change what is asked, so that no reading may drop them."""


_AMOUNTS = word_set("most least fewest")
"""Superlatives of the noun behind them."""


def _goes_by_date(reading: Reading, table: Table) -> bool:
    column = reading.superlative.column if reading.superlative else None
    return column is not None and table.columns[column].form == "date"


def faults(understanding: Understanding) -> Iterator[str]:
    """What a reading leaves out of the question although it carries meaning, as reasons for no answer."""
    best = understanding.best
    context, reading = best.context, best.reading
    text = context.text
    explained = explained_words(reading, context) | paid_for(reading, context)
    unused = text.content & ~explained
    dropped = dropped_words(reading, context, unused) | dropped_names(reading, context, unused)
    for signal in context.signals.found:
        if signal.kind in _MATTER and not signal.mask & explained:
            dropped |= signal.mask
    for extreme in unused_extremes(reading, context, explained):
        dropped |= extreme.mask
    for extreme in context.signals.extremes:
        if extreme.word in _AMOUNTS and (unused & ~row_words(text, best.table)) >> extreme.last & 1:
            dropped |= 1 << extreme.last  # "the most money" is not the most of anything else
        verb = extreme.first - 1 - (text.forms[max(0, extreme.first - 1)] in ("in", "out", "off", "up"))
        if extreme.word in BY_TIME and not _goes_by_date(reading, best.table) and verb >= 0 and unused >> verb & 1:
            dropped |= 1 << verb  # "closed last", "came in last" are not the last of all rows
    for place, token in enumerate(text.tokens):
        is_name = token.text[0].isdigit() or (token.text[0].isupper() and place > 0)
        if is_name and unused >> place & 1:
            dropped |= 1 << place
    if dropped:
        yield from forms_left(context, dropped)
        words = text.words(dropped)
        yield f"{some_of(words)} {'is' if len(words) == 1 else 'are'} not understood without an LLM"
    yield from untotalled(reading, best.table)
    yield from miscounted(reading, context)
    yield from misdirected(reading, context)
    yield from unasked(reading, context)
    yield from another_party(reading, context)
    yield from another_column(reading, context, unused)
    yield from another_amount(reading, context, unused)
    yield from another_bound(reading, context, unused)
    yield from part_of_a_value(reading, context)
    yield from price_of_one(reading, context)
    yield from unstated(reading, context, unused)
    yield from half_asked(reading, context, unused)
    yield from unnamed_extreme(reading, context)
    yield from unsummed(reading, context)
    yield from misordered(reading, context, unused)
    yield from unjoined(reading, context)
    yield from mistimed(reading, context, unused)
    yield from undated(reading, context, unused)


def doubt(understanding: Understanding) -> str:
    """Why an answer is not likely enough."""
    best, other = understanding.best, understanding.other
    if other is not None and other.table.name != best.table.name:
        return f"two tables may be meant: '{best.table.name}', '{other.table.name}'"
    one, two = best.reading, other.reading if other else None
    columns = best.table.columns
    if two and one.target != two.target and None not in (one.target, two.target):
        assert one.target is not None and two.target is not None
        return f"two columns may be meant: '{columns[one.target].name}', '{columns[two.target].name}'"
    if two and one.conditions != two.conditions:
        differing = [c for c in (*one.conditions, *two.conditions) if (c in one.conditions) != (c in two.conditions)]
        said = differing[0]
        words = best.context.text.between(said.first, said.last)
        names = dict.fromkeys(columns[c.column].name for c in differing if c.first < said.last and said.first < c.last)
        if len(names) > 1:
            return f"'{words}' may belong to several columns: {some_of(list(names))}"
        return f"it is not clear what '{words}' says about the rows"
    if two and one.operation != two.operation:
        kinds = [_KINDS.get(each.operation, "something else") for each in (one, two)]
        return f"it is not clear what is to be worked out: {kinds[0]} or {kinds[1]}"
    return "the question is not understood well enough"


_KINDS = {
    "list": "the cells themselves",
    "count": "how many rows",
    "distinct": "how many different cells",
    "sum": "their sum",
    "mean": "their mean",
    "max": "the greatest",
    "min": "the least",
    "exists": "whether there are any",
}


def why_unsure(understanding: Understanding, certain: float) -> str:
    """Why what is understood is no answer, by what it leaves out or by its confidence; empty if it is one."""
    if reason := next(faults(understanding), ""):
        return reason
    sure = understanding.confidence
    return f"{doubt(understanding)} (confidence {sure:.2f})" if sure < certain else ""


def unused_words(understanding: Understanding) -> list[str]:
    """The words of the question that carry meaning and do not count for the answer."""
    best = understanding.best
    left = best.context.text.content & ~explained_words(best.reading, best.context)
    return best.context.text.words(left) if left and best.reading.target is not None else []


def assumptions(understanding: Understanding) -> Iterator[str]:
    """What was taken for granted, as notes of the answer."""
    best = understanding.best
    if understanding.confidence < SURE:
        yield f"Doubtful (confidence {understanding.confidence:.2f}): {doubt(understanding)}."
    text, columns = best.context.text, best.table.columns
    for condition in best.reading.conditions:
        words, name = text.between(condition.first, condition.last), columns[condition.column].name
        if (
            condition.op == "empty"
            and condition.how == "flag"
            and not any(run.mask & condition.mask for run in best.context.runs[condition.column])
        ):
            yield f"'{words}' was taken for rows whose '{name}' is empty."
        elif condition.how == "short":
            yield f"'{words}' was taken for '{condition.values[0]}'."
        elif condition.how == "exact" and len(condition.values) > 1:
            yield f"'{words}' was taken for {some_of(condition.values)} ({name})."
        elif condition.how == "part" and condition.op == "contains":
            yield f"'{words}' was taken for all cells of '{name}' with these words."
        elif condition.how == "part":
            yield f"'{words}' was taken for '{condition.values[0]}' ({name})."
        elif condition.op in COMPARED:
            yield f"'{condition.op}' goes by '{name}' and '{condition.values[0]}', in the rows that have both."
    yield from understanding.notes
    yield from notes_of_totals(best.reading, best.table)
    target = best.reading.target
    if target is not None and (empty := empty_cells(best.reading, best.table).bit_count()):
        yield f"Left out: {empty} {'row' if empty == 1 else 'rows'} whose '{columns[target].name}' is empty."
    if noun := counted_noun(best.reading, best.context):
        yield f"Rows were counted: '{noun}' was taken for them."
    if unused := unused_words(understanding):
        yield f"Not used for the answer: {some_of(unused)}."
    run = best.context.best_run(target, 0) if target is not None else None
    if target is not None and run is not None and run.meant:
        said = [text.tokens[place] for place in range(len(text)) if run.mask >> place & 1]
        if not {each.stem for each in said if is_content(each.form)} <= {*columns[target].stems}:
            yield f"'{' '.join(each.text for each in said)}' was taken for '{columns[target].name}'."
    if target is not None and run is None:
        yield f"The question was taken to ask for '{columns[target].name}'."
    if best.reading.operation in ("next", "previous"):
        which = "after" if best.reading.operation == "next" else "before"
        yield f"The row {which} it was taken, in the order of the table."
    superlative = best.reading.superlative
    if superlative is not None:
        if superlative.column is None:
            yield f"'{superlative.extreme.word}' was taken by the order of the rows."
        elif columns[superlative.column].ends or best.context.best_run(superlative.column, 0) is None:
            yield f"'{superlative.extreme.word}' was taken by '{columns[superlative.column].name}'."
        if target is not None and superlative.column is not None and not columns[target].is_distinct:
            name = columns[target].name
            yield f"Single rows were compared: '{name}' has values of several rows, whose numbers were not added up."
