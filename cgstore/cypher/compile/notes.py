"""What an answer tells of its steps: values left out or counted once, and numbers that are not there.

The statement returns numbers and a few examples; the sentences are made of them afterwards.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from cgstore.cypher.compile.coarse import SENTENCES
from cgstore.cypher.compile.context import ELEMENT, EXAMPLES, Block, CompileContext, call_lines
from cgstore.cypher.compile.origins import NAMED
from cgstore.cypher.compile.pattern import pattern_of
from cgstore.cypher.compile.seeks import seek
from cgstore.cypher.compile.stretches import operands_read
from cgstore.cypher.compile.texts import OF_TEXTS, lacking
from cgstore.query import operators as ops
from cgstore.query.functions import FUNCTIONS
from cgstore.query.operands import (
    Comparison,
    Names,
    Operand,
    OrderComparison,
    Output,
    OutputKind,
    Range,
    Superlative,
    TextTest,
)
from cgstore.query.settings import MOST_STEPS
from cgstore.text.dates import read_any_moment
from cgstore.text.names import name_of_key

LOOKED_AT = 1_000
"""How many values of a relation are looked at for values that are not numbers, beside a comparison by order."""


def note_of(number: int, step: ops.Step, context: CompileContext) -> str | None:
    """The note of a step: a list of its place, a word, a number or truth, and more; None where there is nothing to say.

    Where the number is 0, or the truth false, the note does not count.
    """
    place = number + 1
    match step:
        case _ if operands_read(step, context.stretched):  # all times have numbers
            return None
        case ops.SearchNode() if context.takes_covalues(step):
            return f"[{number}, 'covalues', covalues{place}]"
        case ops.EachNumber(function="fold"):
            return None
        case ops.EachNumber(function=function) if function in OF_TEXTS:
            return f"[{number}, 'lacking', unread{place}[0], unread{place}[1], unread{place}[2], '{lacking(function)}']"
        case ops.Aggregate(function="longest_run"):
            return f"[{number}, 'runs', tied{place}]"
        case ops.Aggregate(function="first" | "last" | "nth", operand=Output() as given) if context.is_ordered(given):
            return _tied_note(number, step, given, context)
        case ops.Reached(operand=Output(step=inner), beyond=Output(step=beyond)):
            return f"[{number}, 'beyond', size([x IN q{beyond + 1} WHERE NOT x IN q{inner + 1}])]"
        case ops.Sorting(by_name=True):
            return None
        case ops.Sorting(operand=operand) | ops.Selection(operand=operand) if _has_words(operand, context):
            return None
        case ops.Selection(value=value) if all(isinstance(comparison, TextTest) for comparison in value):
            return None
        case ops.Sorting(operand=Output(step=inner) as operand) if not context.holds_numbers(operand):
            return _skipped_note(number, f"size(q{inner + 1}) - size(q{place})", operand, context)
        case ops.Selection(operand=Output() as operand) | ops.EachNumber(operand=Output() as operand):
            return None if context.holds_numbers(operand) else _skipped_note(number, "size(unread)", operand, context)
        case ops.Aggregate(function="min" | "max", operand=Output() as operand) if context.has_numbers(operand):
            of, own = context.carriers_of_step(operand.step), context.carriers_of_step(number)
            return f"[{number}, 'ties', size([e IN {of} WHERE e.num = {own}[0].num]) - size({own})]"
        case ops.Aggregate(function=function, operand=Output() as operand) if FUNCTIONS[function].numeric:
            return None if context.holds_numbers(operand) else _skipped_note(number, "size(unread)", operand, context)
        case ops.Aggregate(function="count", operand=Output(step=inner)) if inner in context.counted:
            elements, facts = f"q{inner + 1}", f"facts{inner + 1}"
            more = f"{facts} - size({elements}) + CASE WHEN '' IN {elements} THEN 1 ELSE 0 END"
            return f"[{number}, 'counted', {more}, size({elements}), {facts}, '' IN {elements}]"
        case ops.ForEach(operand=Output(step=inner)):
            return f"[{number}, 'without', size(q{inner + 1}) - size(q{place}), size(q{inner + 1})]"
        case ops.Records(titles=titles, columns=columns):
            of_columns = f"range(0, {len(columns) - 1})"
            empty = f"[i IN {of_columns} WHERE q{place} <> [] AND all(record IN q{place} WHERE record[i] = []) | i]"
            shown = context.parameter(step, "titles", list(titles))
            return f"[empty IN [{empty}] | [{number}, 'empty', size(empty), [i IN empty | {shown}[i]]]][0]"
        case ops.Grouping():
            lost = [f"lost{place}[{part}]" for part in range(5)]
            return f"[{number}, 'ungrouped', {' + '.join([*lost[:3], lost[4]])}, {', '.join(lost)}]"
        case ops.Arithmetic() | ops.Choice():
            first, second = (_size_of_numbers(operand, context) for operand in step.measured)
            is_empty = f"size(q{place}) = 0" if isinstance(step, ops.Arithmetic) else f"{first} = 0 OR {second} = 0"
            return f"[{number}, 'operands', {is_empty}, {first}, {second}]"
    return None


def _has_words(operand: Operand, context: CompileContext) -> bool:
    return context.kind_of(operand) is OutputKind.WORDS


def _tied_note(number: int, step: ops.Aggregate, operand: Output, context: CompileContext) -> str | None:
    """The note of an element that is left out with the same number as the one beside it, which is taken."""
    if operand.step not in context.carried:
        return None
    n, elements, carriers = step.n or 1, f"q{operand.step + 1}", context.carriers_of_step(operand.step)
    at, *beside = (
        f"[e IN {carriers} WHERE {ELEMENT} = {elements}[{context.parameter(step, f'place{part}', place)}] | e.num]"
        for part, place in enumerate(_taken_and_left(step.function, n))
    )
    left = " + ".join(beside)
    return f"[{number}, 'tied', any(a IN {at} WHERE a IN {left})]"


def _taken_and_left(function: str, n: int) -> list[int]:
    """The index of an element that is taken, and those of the elements beside it that are left out."""
    match function:
        case "first":
            return [n - 1, n]
        case "last":
            return [-n, -n - 1]
    if n > 0:
        return [n - 1, n, *([n - 2] if n > 1 else [])]
    return [n, n - 1, *([n + 1] if n < -1 else [])]


def _skipped_note(number: int, count: str, operand: Output, context: CompileContext) -> str:
    """The note of what was left out of an operand; values that are not numbers are gathered once."""
    carriers = context.carriers_of_step(operand.step)
    unread = f"[e IN {carriers} WHERE e.num IS NULL | [{ELEMENT}, e.node1]]"
    note = f"[{number}, 'skipped', {count}, size({carriers}), unread[..{EXAMPLES}]]"
    return f"[unread IN [{unread}] | {note}][0]"


def _size_of_numbers(operand: Operand, context: CompileContext) -> str:
    """How many different numbers an operand has: 0, 1 or 2 for more."""
    if not isinstance(operand, Output):
        return "1" if context.holds_numbers(operand) else "0"
    if context.holds_numbers(operand):
        return f"size(q{operand.step + 1})"
    numbers = f"[e IN {context.carriers_of_step(operand.step)} WHERE e.num IS NOT NULL | e.num]"
    return (
        f"size(reduce(some = [], n IN {numbers} | CASE WHEN n IN some OR size(some) > 1 THEN some ELSE some + n END))"
    )


def _ordered(step: ops.SearchNode | ops.SearchCondition) -> Names | None:
    """The relation or key whose values a search compares by order; built-in keys are left out, since all have times."""
    pattern = pattern_of(step)
    further = ((each.node1, each.value) for each in pattern.further)
    for node1, comparisons in ((pattern.relation, pattern.tail), (pattern.key, pattern.value), *further):
        if isinstance(node1, Names) and not node1.time_key and any(map(_is_by_order, comparisons)):
            return node1
    return None


def _is_by_order(comparison: Comparison) -> bool:
    if isinstance(comparison, Range):
        return comparison.low is None or comparison.high is None
    return isinstance(comparison, OrderComparison) or (isinstance(comparison, Superlative) and comparison.of_numbers)


def looked_up_values(number: int, step: ops.Step, context: CompileContext) -> tuple[Block, str] | None:
    """The block that looks up the values beside a comparison that are not numbers, and the note of them.

    How many there are, of how many, and a few of them. A relation with many values is looked at from the end of the
    index only: words come after figures.
    """
    node1 = _ordered(step) if isinstance(step, ops.SearchNode | ops.SearchCondition) else None
    if node1 is None:
        return None
    condition = "v.relation IS NOT NULL" if node1.of_facts else "size(v.condition) = 1"
    unread = f"[v IN looked WHERE v.num IS NULL AND {condition} | [v.node2, v.node1]]"
    end = f"ORDER BY v.node1 DESC, v.node2 DESC LIMIT {LOOKED_AT}"
    pattern = "()-[v:CG_VALUE {node1: relation}]->()"
    last = [*seek(pattern, "node1, node2", context, "v.node2 IS NOT NULL", end=end), f"RETURN v {end}"]
    found = f"unread{number + 1}"
    lines = [
        context.unwind(node1, "relation"),
        *call_lines(["relation"], last),
        "WITH collect(v) AS looked",
        f"WITH looked, {unread} AS unread",
        f"RETURN [size(unread), size(looked), unread[..{EXAMPLES}]] AS {found}",
    ]
    return context.block(lines), f"[{number}, 'compared', {found}[0], {found}[1], {found}[2]]"


# Sentences ------------------------------------------------------------------------------------------------------------

LONGEST = 40
"""Most characters of an example."""

Unread = Sequence[Sequence[str | None]]
"""A few values that are not numbers: the key of each, and of the relation that it stands under, if any."""


def note_text(what: str, details: Sequence[Any]) -> str:
    """The sentence for a note of a step, without its place.

    Args:
        what: the word that says what the details are; see `note_of`.
        details: what the statement gave.
    """
    return _SENTENCES[what](*details)


def _skipped(count: int, total: int, unread: Unread) -> str:
    return _left_out(count, total, unread, ("is not a number", "are not numbers"))


def _lacking(count: int, total: int, unread: Unread, what: str) -> str:
    return _left_out(count, total, unread, (f"has no {what}", f"have no {what}"))


def _left_out(count: int, total: int, unread: Unread, says: tuple[str, str]) -> str:
    """The sentence for what was left out, and what is said of one and of several."""
    columns = dict.fromkeys(f"'{name_of_key(relation)}'" for _, relation in unread if relation)
    under = f" of {', '.join(list(columns)[:NAMED])}" if columns else ""
    examples = _examples(unread)
    such_as = f" (such as {examples})" if examples else ""
    if count == total:
        return f"the values{under} {says[1]}{such_as}: all of them were left out."
    if count == 1:
        return f"a value{under} that {says[0]}{such_as.replace('such as ', '', 1)} was left out."
    return f"{count:,} values{under} that {says[1]}{such_as} were left out."


def _examples(unread: Unread) -> str:
    """A few of the values, each once."""
    return ", ".join(list(dict.fromkeys(_example(name_of_key(key or "")) for key, _ in unread))[:NAMED])


def _example(name: str) -> str:
    if not name.strip():
        return "an empty cell"
    return f"'{name}'" if len(name) <= LONGEST else f"'{name[:LONGEST]}...'"


def _compared(count: int, total: int, unread: Unread) -> str:
    return _skipped(count, total, unread) if total < LOOKED_AT else f"at least {_skipped(count, -1, unread)}"


def _coarse(count: int, dates: Unread) -> str:
    has_days = any((moment := read_any_moment(name or "")) and moment.day for name, _ in dates)
    several = count > 1
    if has_days:
        says, start = f"{'are' if several else 'is'} less exact than the time asked for", "beginning"
    else:
        says, start = f"{'say' if several else 'says'} only a year or a month", "first day"
    subject, each = (f"{count:,} dates", "each") if several else ("a date", "it")
    return f"{subject} {says} ({_examples(dates)}); {each} was compared as its {start}."


def _counted(_: int, different: int, times: int, has_empty: bool) -> str:
    sentences = [f"{different:,} different values were counted; together they stand {times:,} times."]
    sentences = sentences if times > different else []
    return " ".join([*sentences, *(["An empty cell was counted as a value."] if has_empty else [])])


def _operands(_: bool, left: int, right: int) -> str:
    sides = [("first", left), ("second", right)]
    if none := [f"the {name} value has no number" for name, numbers in sides if numbers == 0]:
        return f"{' and '.join(none)}, so that there is nothing to compute with."
    if several := [f"the {name} value has several numbers" for name, numbers in sides if numbers > 1]:
        return f"{' and '.join(several)}, where one is needed."
    return "the two numbers have no result, as in a division by 0."


def _runs(others: int) -> str:
    runs = "1 other run is" if others == 1 else f"{others:,} other runs are"
    return f"{runs} as long; the first was taken."


def _ungrouped(_: int, heads: int, groups: int, values: int, unread: Unread, missing: int) -> str:
    parts = [f"{_many(heads, 'element')} nothing to group {'it' if heads == 1 else 'them'} by"] if heads else []
    parts += [f"{_many(groups, 'group')} no number"] if groups else []
    sentences = [f"{' and '.join(parts)}: left out."] if parts else []
    sentences += [_skipped(values, -1, unread)] if values else []
    sentences += [f"in groups that have a number, {_many(missing, 'element')} none: left out."] if missing else []
    return " ".join([sentences[0], *map(_capital, sentences[1:])])


def _alike(sets: int, some: Sequence[Sequence[str]], what: str, relation: str) -> str:
    names = [[_example(name) for name in each[:NAMED]] for each in some[:NAMED]]
    listed = "; ".join(f"{', '.join(each[:-1])} and {each[-1]}" for each in names)
    more = f", and {sets - len(names):,} more such" if sets > len(names) else ""
    differ = f"{listed}{more} are different {what}: they differ only in case, accents or blanks at their ends."
    by = f"by=fold('{relation}')" if relation else "by=fold(...)"
    return f"{differ} {f'{by} makes them one' if what == 'groups' else 'fold(set=...) makes them one'}."


def _capital(sentence: str) -> str:
    return sentence[0].upper() + sentence[1:]


def _elements(count: int) -> str:
    return "1 element" if count == 1 else f"{count:,} elements"


def _many(count: int, what: str) -> str:
    return f"1 {what} has" if count == 1 else f"{count:,} {what}s have"


_SENTENCES: dict[str, Callable[..., str]] = {
    "covalues": lambda _: "nothing has this head; what stands beside it under the relation was taken.",
    "skipped": _skipped,
    "compared": _compared,
    "coarse": _coarse,
    **SENTENCES,
    "counted": _counted,
    "operands": _operands,
    "lacking": _lacking,
    "runs": _runs,
    "tied": lambda _: "an element with the same number was left out.",
    "beyond": lambda count: f"one more step would reach {count:,} more; at_most, up to {MOST_STEPS}, bounds the steps.",
    "without": lambda count, total: f"of {total:,} elements, {count:,} with no single number were left out.",
    "unmet": lambda _: "what stands on the right side of a comparison has no number, so that nothing satisfies it.",
    "unmet of": lambda count: (
        f"for {_elements(count)}, the right side of a comparison has no number, so that nothing "
        "satisfies it, and a count is 0."
    ),
    "empty": lambda _, columns: f"no element has a value under {' or '.join(map(repr, columns))}.",
    "ties": lambda count: f"{_many(count, 'other element')} the same number; argmax and argmin give all of them.",
    "ungrouped": _ungrouped,
    "alike": _alike,
}
