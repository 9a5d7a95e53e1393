"""What an answer tells of its steps: values left out or counted once, and numbers that are not there.

The statement returns numbers and a few examples; the sentences are made of them afterwards.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any, NamedTuple

from cgstore.cypher.compile.context import ELEMENT, EXAMPLES, LOOKED_AT, NAMED, Block, CompileContext, call_lines
from cgstore.cypher.compile.inexact import (
    Told,
    example,
    examples,
    looked_up_times,
    other_times,
    times_kept,
    times_taken,
)
from cgstore.cypher.compile.iteration import body_of, run_for_each
from cgstore.cypher.compile.seeks import seek
from cgstore.cypher.compile.stretches import operands_read
from cgstore.cypher.compile.texts import OF_TEXTS, lacking
from cgstore.notes import Detail
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
    parts_of,
)
from cgstore.query.settings import BLANKS, MOST_STEPS, without_accents
from cgstore.text.kinds import ValueKind
from cgstore.text.names import many, name_of_key


class Note(NamedTuple):
    """What an answer tells of a step, if there is something to tell.

    Attributes:
        step: the place of the step.
        found: an expression for a list; where its first element is 0, false or empty, there is nothing to tell.
        sentence: makes a sentence of the list's elements; empty where there is nothing to tell.
    """

    step: int
    found: str
    sentence: Callable[..., str]


def notes_of(number: int, step: ops.Step, context: CompileContext) -> Iterator[Note]:
    """The notes of a step, of what the statement itself finds."""
    of_step = _of_step(number, step, context), times_kept(step, context), times_taken(step, context)
    others = _unmet(number, step, context), _alike(number, step, context), other_times(step, context)
    yield from (Note(number, *told) for told in (*of_step, *others) if told)


def notes_looked_up(number: int, step: ops.Step, context: CompileContext) -> Iterator[tuple[Block, Note]]:
    """The notes of what stands beside the values that a search compares, each with the block that looks it up."""
    if isinstance(step, ops.Search) and step.asked is not ops.Part.RELATION:
        for look_up in (_values_beside, looked_up_times):
            if found := look_up(number, step, context):
                block, told = found
                yield block, Note(number, *told)


def _of_step(number: int, step: ops.Step, context: CompileContext) -> Told | None:
    place = number + 1
    match step:
        case _ if operands_read(step, context.stretched):  # all times have numbers
            return None
        case ops.Search() if context.takes_covalues(step):
            said = "nothing has this head; what stands beside it under the relation was taken."
            return f"[covalues{place}]", lambda _: said
        case ops.EachNumber(function=function) if function in OF_TEXTS:
            what = lacking(function)
            return f"unread{place}", partial(_left_out, says=(f"has no {what}", f"have no {what}"))
        case ops.Aggregate(function="longest_run"):
            return f"[tied{place}]", _runs
        case ops.Aggregate(function="first" | "last" | "nth", operand=Output() as given) if context.is_ordered(given):
            return _tied(step, given, context)
        case ops.Reached(operand=Output(step=inner), beyond=Output(step=beyond)):
            return f"[size([x IN q{beyond + 1} WHERE NOT x IN q{inner + 1}])]", _beyond
        case ops.Sorting(by_name=True) | ops.EachNumber(function="fold"):
            return None
        case ops.Sorting(operand=operand) | ops.Selection(operand=operand) if _has_words(operand, context):
            return None
        case ops.Selection(value=value) if all(isinstance(comparison, TextTest) for comparison in value):
            return None
        case ops.Sorting(operand=Output(step=inner) as operand) if not context.holds_numbers(operand):
            return _skipped(operand, context, f"size(q{inner + 1}) - size(q{place})")
        case ops.Selection(operand=Output() as operand) | ops.EachNumber(operand=Output() as operand):
            return None if context.holds_numbers(operand) else _skipped(operand, context)
        case ops.Aggregate(function="min" | "max", operand=Output() as operand) if context.has_numbers(operand):
            of, own = context.carriers_of_step(operand.step), context.carriers_of_step(number)
            return f"[size([e IN {of} WHERE e.num = {own}[0].num]) - size({own})]", _ties
        case ops.Aggregate(function=function, operand=Output() as operand) if FUNCTIONS[function].numeric:
            return None if context.holds_numbers(operand) else _skipped(operand, context)
        case ops.Aggregate(function="count", operand=Output(step=inner)) if inner in context.counted:
            elements, facts = f"q{inner + 1}", f"facts{inner + 1}"
            more = f"{facts} - size({elements}) + CASE WHEN '' IN {elements} THEN 1 ELSE 0 END"
            return f"[{more}, size({elements}), {facts}, '' IN {elements}]", _counted
        case ops.ForEach(operand=Output(step=inner)):
            return f"[size(q{inner + 1}) - size(q{place}), size(q{inner + 1})]", _without
        case ops.Records(titles=titles, columns=columns):
            of_columns = f"range(0, {len(columns) - 1})"
            empty = f"[i IN {of_columns} WHERE q{place} <> [] AND all(record IN q{place} WHERE record[i] = [])]"
            return f"[{empty}]", partial(_empty, titles)
        case ops.Grouping():
            return f"[lost{place}]", _ungrouped
        case ops.Arithmetic() | ops.Choice():
            first, second = (_size_of_numbers(operand, context) for operand in step.measured)
            is_empty = f"size(q{place}) = 0" if isinstance(step, ops.Arithmetic) else f"{first} = 0 OR {second} = 0"
            return f"[{is_empty}, {first}, {second}]", _operands
    return None


def _has_words(operand: Operand, context: CompileContext) -> bool:
    return context.kind_of(operand) is OutputKind.WORDS


def _tied(step: ops.Aggregate, operand: Output, context: CompileContext) -> Told | None:
    """The note of an element that is left out with the same number as the one beside it, which is taken."""
    if operand.step not in context.carried:
        return None
    elements, carriers = f"q{operand.step + 1}", context.carriers_of_step(operand.step)
    at, *beside = (
        f"[e IN {carriers} WHERE {ELEMENT} = {elements}[{context.parameter(step, f'place{part}', place)}] | e.num]"
        for part, place in enumerate(_taken_and_left(step.function, step.n or 1))
    )
    said = "an element with the same number was left out."
    return f"[any(a IN {at} WHERE a IN {' + '.join(beside)})]", lambda _: said


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


NOT_NUMBERS = "is not a number", "are not numbers"


def _skipped(operand: Output, context: CompileContext, count: str = "size(unread)") -> Told:
    """The note of what was left out of an operand; values that are not numbers are gathered once."""
    carriers = context.carriers_of_step(operand.step)
    unread = f"[e IN {carriers} WHERE e.num IS NULL | [{ELEMENT}, e.node1]]"
    found = f"[unread IN [{unread}] | [{count}, size({carriers}), unread[..{EXAMPLES}]]][0]"
    return found, partial(_left_out, says=NOT_NUMBERS)


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


def _alike(number: int, step: ops.Step, context: CompileContext) -> Told | None:
    """The note of groups and values that differ only in case, accents or blanks at their ends."""
    match step:
        case ops.Grouping(each=each, by=Output() as by) if by != each:
            elements, of, what = number, context.plan.types[by.step], "groups"
        case ops.Aggregate(function="count" | "mode", operand=Output(step=elements)):
            of, what = context.plan.types[elements], "values"
        case _:
            return None
    is_text = ValueKind.TEXT in of.value_kinds or not of.value_kinds
    is_value = of.kind is OutputKind.WORDS or (of.kind is OutputKind.NODES and is_text and not of.is_times)
    return (f"[q{elements + 1}[..{LOOKED_AT}]]", partial(_differ, what, of.columns[0])) if is_value else None


# Comparisons ----------------------------------------------------------------------------------------------------------


def _values_beside(number: int, step: ops.Search, context: CompileContext) -> tuple[Block, Told] | None:
    """The block that looks up the values beside a comparison by order that are not numbers, and the note of them.

    How many there are, of how many, and a few of them. A relation with many values is looked at from the end of the
    index only: words come after figures. Built-in keys are left out, since all have times.
    """
    for node1, comparisons in ((step.relation, step.tail), (step.key, step.value), *step.further):
        if isinstance(node1, Names) and not node1.time_key and any(map(_is_by_order, comparisons)):
            break
    else:
        return None
    condition = "v.relation IS NOT NULL" if node1.of_facts else "size(v.condition) = 1"
    unread = f"[v IN looked WHERE v.num IS NULL AND {condition} | [v.node2, v.node1]]"
    end = f"ORDER BY v.node1 DESC, v.node2 DESC LIMIT {LOOKED_AT}"
    pattern = "()-[v:CG_VALUE {node1: relation}]->()"
    last = [*seek(pattern, "node1, node2", context, "v.node2 IS NOT NULL", end=end), f"RETURN v {end}"]
    lines = [
        context.unwind(node1, "relation"),
        *call_lines(["relation"], last),
        "WITH collect(v) AS looked",
        f"WITH looked, {unread} AS unread",
        f"RETURN [size(unread), size(looked), unread[..{EXAMPLES}]] AS beside{number + 1}",
    ]
    return context.block(lines), (f"beside{number + 1}", _beside)


def _is_by_order(comparison: Comparison) -> bool:
    if isinstance(comparison, Range):
        return comparison.low is None or comparison.high is None
    return isinstance(comparison, OrderComparison) or (isinstance(comparison, Superlative) and comparison.of_numbers)


def unmet_blocks(number: int, step: ops.Step, context: CompileContext) -> list[Block]:
    """The block that counts the elements of an iteration for which the right side of a comparison has no number.

    Nothing satisfies such a comparison, and a count of what does is 0. So a rank that is written by hand, the count of
    those that have more, plus 1, would make what has no number the first.
    """
    sides = _sides_in_body(number, step, context)
    if not (sides and isinstance(step, ops.Iteration)):
        return []
    body = body_of(number, step, context, last=max(side.step for side in sides))
    tests = " OR ".join(_is_without_number(side, context) for side in sides)
    lines = [*body.start, *run_for_each(body, [f"RETURN CASE WHEN {tests} THEN 1 ELSE 0 END AS one"])]
    return [Block(body.imports, [*lines, f"RETURN sum(one) AS unmet{number + 1}"])]


def _unmet(number: int, step: ops.Step, context: CompileContext) -> Told | None:
    """The note of such comparisons. An empty answer has a note of its own."""
    answered = f"size({context.elements_of_step(context.plan.answer)}) > 0"
    if isinstance(step, ops.Iteration):
        is_compared = bool(_sides_in_body(number, step, context))
        found = f"[CASE WHEN {answered} THEN unmet{number + 1} ELSE 0 END]"
        return (found, _unmet_of) if is_compared else None
    if sides := [comparison.operand for comparison in parts_of(step, OrderComparison)]:
        said = "what stands on the right side of a comparison has no number, so that nothing satisfies it."
        without = " OR ".join(_is_without_number(side, context) for side in sides)
        return f"[{answered} AND ({without})]", lambda _: said
    return None


def _sides_in_body(number: int, step: ops.Step, context: CompileContext) -> list[Output]:
    """What the comparisons by order in the body of an iteration compare with, where it depends on the element."""
    if not isinstance(step, ops.Iteration):
        return []
    inner, each = context.plan.steps[step.each.step + 1 : number], step.each.step
    sides = (comparison.operand for comparison in parts_of(inner, OrderComparison))
    return list(dict.fromkeys(side for side in sides if side.step >= each))


def _is_without_number(side: Output, context: CompileContext) -> str:
    """An expression for whether an output has no number."""
    if side.step in context.stretched or context.holds_numbers(side):
        return f"size({context.elements_of_step(side.step)}) = 0"
    return f"NOT any(e IN {context.carriers_of_step(side.step)} WHERE e.num IS NOT NULL)"


# Sentences ------------------------------------------------------------------------------------------------------------

Unread = Sequence[Sequence[str | None]]
"""A few values that are not numbers: the key of each, and of the relation that it stands under, if any."""


def _left_out(count: int, total: int, unread: Unread, says: tuple[str, str]) -> str:
    """The sentence for what was left out, and what is said of one and of several."""
    columns = dict.fromkeys(f"'{name_of_key(relation)}'" for _, relation in unread if relation)
    under = f" of {', '.join(list(columns)[:NAMED])}" if columns else ""
    some = examples(key or "" for key, _ in unread)
    such_as = f" (such as {some})" if some else ""
    if count == len(unread) < total and not any(name_of_key(key or "").strip() for key, _ in unread):
        return Detail("empty cells", f"{many(count, f'empty cell{under} was', f'empty cells{under} were')} left out.")
    if count == total:
        return f"the values{under} {says[1]}{such_as}: all of them were left out."
    if count == 1:
        return f"a value{under} that {says[0]}{such_as.replace('such as ', '', 1)} was left out."
    return f"{count:,} values{under} that {says[1]}{such_as} were left out."


def _beside(count: int, total: int, unread: Unread) -> str:
    if total < LOOKED_AT:
        return _left_out(count, total, unread, NOT_NUMBERS)
    return f"at least {_left_out(count, -1, unread, NOT_NUMBERS)}"


def _counted(_: int, different: int, times: int, has_empty: bool) -> str:
    """A `count` counts different values; who asked may have meant the cells, or the facts."""
    occur = "it occurs" if different == 1 else "they occur"
    sentences = [f"Counted {many(different, 'different value')}; {occur} {times:,} times."]
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
    return f"{many(others, 'other run is', 'other runs are')} as long; the first was taken."


def _beyond(count: int) -> str:
    text = f"one more step would reach {count:,} more; at_most, up to {MOST_STEPS}, bounds the steps."
    return Detail("beyond", text)


def _ties(count: int) -> str:
    return f"{_have(count, 'other element')} the same number; argmax and argmin give all of them."


def _without(count: int, total: int) -> str:
    return f"of {total:,} elements, {count:,} with no single number were left out."


def _empty(titles: Sequence[str], empty: Sequence[int]) -> str:
    columns = " or ".join(repr(titles[column]) for column in empty)
    return Detail("empty", f"no element has a value under {columns}.")


def _unmet_of(count: int) -> str:
    says = "the right side of a comparison has no number, so that nothing satisfies it, and a count is 0."
    return f"for {many(count, 'element')}, {says}"


def _ungrouped(lost: Sequence[Any]) -> str:
    heads, groups, values, unread, missing = lost
    parts = [f"{_have(heads, 'element')} nothing to group {'it' if heads == 1 else 'them'} by"] if heads else []
    parts += [f"{_have(groups, 'group')} no number"] if groups else []
    sentences = [f"{' and '.join(parts)}: left out."] if parts else []
    sentences += [_left_out(values, -1, unread, NOT_NUMBERS)] if values else []
    sentences += [f"in groups that have a number, {_have(missing, 'element')} none: left out."] if missing else []
    return " ".join([*sentences[:1], *(sentence[0].upper() + sentence[1:] for sentence in sentences[1:])])


def _differ(what: str, relation: str | None, elements: Sequence[Any]) -> str:
    forms: dict[str, list[str]] = {}
    for name in elements:
        if isinstance(name, str):
            forms.setdefault(without_accents(name).strip(BLANKS), []).append(name)
    alike = [list(map(example, names[:NAMED])) for _, names in sorted(forms.items()) if len(names) > 1]
    if not alike:
        return ""
    listed = "; ".join(f"{', '.join(each[:-1])} and {each[-1]}" for each in alike[:NAMED])
    more = f", and {len(alike) - NAMED:,} more such" if len(alike) > NAMED else ""
    differ = f"{listed}{more} are different {what}: they differ only in case, accents or blanks at their ends."
    by = f"by=fold('{relation}')" if relation else "by=fold(...)"
    return f"{differ} {f'{by} makes them one' if what == 'groups' else 'fold(set=...) makes them one'}."


def _have(count: int, what: str) -> str:
    return many(count, f"{what} has", f"{what}s have")
