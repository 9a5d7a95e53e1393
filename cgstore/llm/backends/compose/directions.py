"""In which column a name is meant that stands in several: `reports to Ann`, `the boss of Ann`, `who manages Ann`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from cgstore.llm.backends.compose.conditions import Condition, Stretch
from cgstore.llm.backends.compose.naming import Context
from cgstore.llm.backends.compose.runs import Run
from cgstore.llm.backends.compose.words import is_content, mask_of, word_set
from cgstore.text.thesaurus import PREPOSITIONS, lemma

_BETWEEN = word_set("the a an our my")
_STATING = word_set("of is was are were being as to by")
_BE = word_set("is are was were be been")
_EQUAL = ("=", "!=", "contains")


def directed(stretches: Sequence[Stretch], context: Context) -> list[Stretch]:
    """The stretches without conditions on columns that the words beside them speak against."""
    verbs = {run.mask for each in stretches for _, run in doing(each, context)}
    stretches = [each for each in stretches if not _is_verb(each, verbs)]
    kept = [Stretch(each.first, each.last, _kept(each, context)) for each in stretches]
    return [Stretch(each.first, each.last, _negated(each, kept, context)) for each in kept]


def _negated(stretch: Stretch, every: Sequence[Stretch], context: Context) -> tuple[Condition, ...]:
    """The conditions of a value that is excluded with another one: `not in Rome or Oslo`."""
    forms = context.text.forms
    for before in every:
        joint = forms[before.last : stretch.first]
        if joint in (("or",), ("nor",), ("and",), ("or", "in"), ("or", "from"), ("nor", "in"), ("and", "in")):
            columns = {each.column for each in before.options if each.op == "!="}
            mask = mask_of(before.last, before.last + 1)
            return tuple(
                replace(each, op="!=", rows=context.table.every & ~each.rows, mask=each.mask | mask)
                if each.column in columns and each.op == "="
                else each
                for each in stretch.options
            )
    return stretch.options


def doing(said: Stretch | Condition, context: Context) -> Iterator[tuple[int, Run]]:
    """The columns of who does something, with the verb that has a name as its subject: `who does Ann manage`."""
    forms = context.text.forms
    is_passive = not _BE.isdisjoint(forms[: said.first])
    for column, run in context.every_run:
        verb = forms[run.last - 1]
        if is_passive and not verb.endswith(("s", "ing")) and lemma(verb) != verb.removesuffix("e"):
            continue  # "by whom is Ann managed"
        gap = run.first - said.last
        if gap not in (0, 1) or (gap and is_content(forms[said.last])) or forms[run.last : run.last + 1] == ("by",):
            continue
        if not context.table.columns[column].is_ordered and (run.inverse or _is_deed(run, column, context)):
            yield column, run


def _is_deed(run: Run, column: int, context: Context) -> bool:
    """Whether a word is the verb of what a column says of somebody: `teach` of `Teacher`, `own` of `Owner`."""
    doer = context.table.columns[column].words[-1]
    base = doer[:-2] if doer.endswith(("er", "or")) else ""
    base = base[:-1] if base[-1:] == base[-2:-1] else base
    return run.inflected and not run.meant and len(base) > 1 and lemma(context.text.forms[run.last - 1]) == base


def _is_verb(stretch: Stretch, verbs: set[int]) -> bool:
    """Whether a stretch is such a verb and only like a cell: `manage` is not the `Management`."""
    is_like = all(each.how in ("stems", "part") for each in stretch.options)
    return is_like and mask_of(stretch.first, stretch.last) in verbs


def _kept(stretch: Stretch, context: Context) -> tuple[Condition, ...]:
    options = tuple(each for each in stretch.options if each.rows or context.runs[each.column])
    options = options or stretch.options
    columns = {each.column for each in options}
    if len(columns) < 2:
        return options
    if done := {column for column, _ in doing(stretch, context)} & columns:
        return tuple(each for each in options if each.column in done)
    runs = [(column, run) for column in columns for run in context.runs[column] if run.share == 1 or run.meant]
    behind = {column for column, run in runs if _is_object(run, stretch, context, column)} or _ages(stretch, context)
    if not behind and all(each.op in _EQUAL for each in options):
        away = {column for column, run in runs if _is_of_other(run, stretch, context)}
        behind = columns - away if away else _subject_alone(columns, context)
    return tuple(each for each in options if each.column in behind) if behind else options


def _is_object(run: Run, stretch: Stretch, context: Context, column: int) -> bool:
    """Whether a value is what the column has, by the words beside it: `reports to Ann`, `over 9 goals`."""
    first = min((each.mask & -each.mask).bit_length() - 1 for each in stretch.options)
    if run.inverse or not run.last <= first:
        return not run.inverse and run.first == stretch.last and any(each.op not in _EQUAL for each in stretch.options)
    forms = context.text.forms
    between = [form for form in forms[run.last : first] if form not in _BETWEEN]
    if run.share == 1 and not (run.meant or run.inflected) and not _is_asked(run, context):
        return len(between) <= 1 and set(between) <= _STATING
    if any(each.op not in _EQUAL for each in stretch.options):
        return not between
    joins = run.joins | (PREPOSITIONS & set(context.table.columns[column].words))
    if run.inflected or forms[run.last - 1].endswith("ed"):
        joins |= {"by"}
    return len(between) == 1 and between[0] in joins


def _ages(stretch: Stretch, context: Context) -> set[int]:
    """The column of ages, if a bare number is compared as an age is: `patients under 18`."""
    text = context.text
    ages = {each.column for each in stretch.options if "age" in context.table.columns[each.column].words}
    before = text.forms[: stretch.first][-2:]
    is_age = before[-1:] in (("over",), ("under",)) or before in (("older", "than"), ("younger", "than"))
    is_bare = stretch.last == len(text) or not is_content(text.forms[stretch.last])
    return ages if is_age and is_bare else set()


def _is_asked(run: Run, context: Context) -> bool:
    """Whether a name of a column stands first in the question, where it is what is asked for."""
    return not any(map(is_content, context.text.forms[: run.first]))


def _is_doing(run: Run, stretch: Stretch, context: Context) -> bool:
    """Whether a name is the subject of a verb: `who does Ann report to`."""
    is_asked = context.text.forms[: stretch.first][-1:] in (("does",), ("did",), ("do",))
    return is_asked and 0 <= run.first - stretch.last <= 1


def _is_of_other(run: Run, stretch: Stretch, context: Context) -> bool:
    """Whether a name is what the row is about: `the boss of Ann`, `Ann's boss`, `who manages Ann`."""
    forms = context.text.forms
    between = [form for form in forms[run.last : stretch.first] if form not in _BETWEEN]
    if 0 <= stretch.first - run.last <= 2:
        is_given = run.inflected and between == ["to"]  # whoever something is lent to is not the lender
        return is_given or (between == ["of"] and _is_asked(run, context)) or (run.inverse and not between)
    if not run.inverse and _is_doing(run, stretch, context):
        return True
    return 0 <= run.first - stretch.last <= 2 and forms[stretch.last : stretch.last + 1] == ("s",)


def _subject_alone(columns: set[int], context: Context) -> set[int]:
    """The column of what the rows are about, if the question names no other one in which the name stands."""
    subject = context.table.subject
    others = columns - {subject}
    is_named = any(context.runs[column] for column in others)
    return {subject} if subject in columns and not is_named and context.table.is_named_by(subject) else set()
