"""What is told of a step beside its answer: what was left out, counted once, or could not be computed.

The statement returns numbers and a few examples; the sentences are made of them afterwards.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from cgstore.cypher.compile.context import CompileContext
from cgstore.cypher.compile.pattern import pattern_of
from cgstore.cypher.compile.steps import ELEMENT, may_have_covalues
from cgstore.query.operands import Against, Comparison, Extreme, FactPattern, Names, Operand, Output, OutputKind, Range
from cgstore.query.operators import (
    Aggregate,
    AggregateFunction,
    Arithmetic,
    Choice,
    Each,
    Keep,
    Plan,
    SearchCondition,
    SearchNode,
    Sorted,
    Step,
)
from cgstore.text.names import name_of_key

_NUMERIC = frozenset(AggregateFunction) - {
    AggregateFunction.COUNT,
    AggregateFunction.FIRST,
    AggregateFunction.LAST,
    AggregateFunction.MODE,
}

EXAMPLES = 20
"""Of what reads as no number, how many are returned."""

LOOKED_AT = 1_000
"""Values of a relation that are looked at for what reads as no number, beside a comparison by order."""


def note_of(number: int, step: Step, scope: CompileContext) -> str | None:
    """What is to be told of a step, as a list of its place, a word, a number or truth, and more; None where nothing is.

    Nothing is told where the number is 0, or the truth false.
    """
    match step:
        case SearchNode() if may_have_covalues(step, scope):
            return f"[{number}, 'covalues', covalues{number + 1}]"
        case SearchNode() | SearchCondition() if _ordered(step):
            return f"[{number}, 'compared', unread{number + 1}[0], unread{number + 1}[1], unread{number + 1}[2]]"
        case Keep(operand=Output() as operand) | Each(operand=Output() as operand):
            return _left_out(number, operand, scope)
        case Sorted(operand=Output(step=inner) as operand) if not scope.holds_numbers(operand):
            return _told(number, f"size(q{inner + 1}) - size(q{number + 1})", operand)
        case Aggregate(function=function, operand=Output() as operand) if function in _NUMERIC:
            return _left_out(number, operand, scope)
        case Aggregate(function=AggregateFunction.COUNT, operand=Output(step=inner)) if inner in scope.counted:
            more = f"facts{inner + 1} - size(q{inner + 1}) + CASE WHEN '' IN q{inner + 1} THEN 1 ELSE 0 END"
            return f"[{number}, 'counted', {more}, size(q{inner + 1}), facts{inner + 1}, '' IN q{inner + 1}]"
        case Arithmetic(left=left, right=right):
            sizes = f"{_size_of_numbers(left, scope)}, {_size_of_numbers(right, scope)}"
            return f"[{number}, 'operands', size(q{number + 1}) = 0, {sizes}]"
        case Choice(one=one, other=other):
            first, second = _size_of_numbers(one, scope), _size_of_numbers(other, scope)
            return f"[{number}, 'operands', {first} = 0 OR {second} = 0, {first}, {second}]"
    return None


def _left_out(number: int, operand: Output, scope: CompileContext) -> str | None:
    if scope.holds_numbers(operand):
        return None
    return _told(number, "size(unread)", operand)


def _told(number: int, count: str, operand: Output) -> str:
    """The note of what was left out of an operand; what reads as no number is gathered once, also from a long list."""
    carriers = f"m{operand.step + 1}"
    unread = f"[e IN {carriers} WHERE e.num IS NULL | [{ELEMENT}, e.node1]]"
    note = f"[{number}, 'skipped', {count}, size({carriers}), unread[..{EXAMPLES}]]"
    return f"[unread IN [{unread}] | {note}][0]"


def _size_of_numbers(operand: Operand, scope: CompileContext) -> str:
    """How many different numbers an operand has: 0, 1 or 2 for more."""
    if not isinstance(operand, Output):
        return "1" if scope.holds_numbers(operand) else "0"
    if scope.holds_numbers(operand):
        return f"size(q{operand.step + 1})"
    numbers = f"[e IN m{operand.step + 1} WHERE e.num IS NOT NULL | e.num]"
    return (
        f"size(reduce(some = [], n IN {numbers} | CASE WHEN n IN some OR size(some) > 1 THEN some ELSE some + n END))"
    )


def counted_steps(plan: Plan) -> frozenset[int]:
    """The searches whose elements are counted, and stand in a fact each time that they are found: not times."""
    counted = (step.operand for step in plan.steps if isinstance(step, Aggregate) and step.function is _COUNT)
    return frozenset(o.step for o in counted if isinstance(o, Output) and _has_fact_each(o.step, plan))


_COUNT = AggregateFunction.COUNT


def _has_fact_each(number: int, plan: Plan) -> bool:
    match plan.steps[number]:
        case SearchNode(
            node1=Names(time_key=False, of_facts=False), condition=condition, scope=None, covalues=covalues
        ):
            rows = isinstance(condition, Output) and plan.kinds[condition.step] is OutputKind.ROWS
            return condition is None or rows or (not covalues and not isinstance(condition, FactPattern))
    return False


def _ordered(step: SearchNode | SearchCondition) -> Names | None:
    """The relation or key whose values a search compares by order; built-in keys have nothing but times."""
    pattern = pattern_of(step)
    for node1, comparisons in ((pattern.relation, pattern.tail), (pattern.key, pattern.value)):
        if isinstance(node1, Names) and not node1.time_key and any(map(_is_by_order, comparisons)):
            return node1
    return None


def _is_by_order(comparison: Comparison) -> bool:
    if isinstance(comparison, Range):
        return comparison.low is None or comparison.high is None
    return isinstance(comparison, Against | Extreme)


def looked_at_lines(number: int, step: Step, scope: CompileContext) -> list[str]:
    """What `note_of` tells of a comparison: how many values read as no number, of how many, and a few of them.

    Of a relation with many values only some are looked at, those from the end of the index: words come after figures.
    """
    node1 = _ordered(step) if isinstance(step, SearchNode | SearchCondition) else None
    if node1 is None:
        return []
    condition = "v.relation IS NOT NULL" if node1.of_facts else "size(v.condition) = 1"
    unread = f"[v IN looked WHERE v.num IS NULL AND {condition} | [v.node2, v.node1]]"
    return scope.subquery(
        [
            scope.unwind(node1, "relation"),
            "CALL (relation) {",
            "  MATCH ()-[v:CG_VALUE {node1: relation}]->()",
            "  USING INDEX SEEK v:CG_VALUE(node1, node2)",
            "  WHERE v.node2 IS NOT NULL",
            f"  RETURN v ORDER BY v.node1 DESC, v.node2 DESC LIMIT {LOOKED_AT}",
            "}",
            "WITH collect(v) AS looked",
            f"WITH looked, {unread} AS unread",
            f"RETURN [size(unread), size(looked), unread[..{EXAMPLES}]] AS unread{number + 1}",
        ]
    )


# In words ---------------------------------------------------------------------------------------------------------

SHOWN = 3
"""Most examples in a note."""

LONGEST = 40
"""Most characters of an example."""

Unread = Sequence[Sequence[str | None]]
"""A few of what reads as no number: the key of each, and of the relation that it stands under, if any."""


def in_words(step: int, what: str, details: Sequence[Any]) -> str:
    """The sentence for a note of a step.

    Args:
        step: its place, from 0.
        what: the word that says what the details are; see `note_of`.
        details: what the statement gave.
    """
    return f"Step {step + 1}: {_SENTENCES[what](*details)}"


def _covalues(_: bool) -> str:
    return "nothing has this head; what stands beside it under the relation was taken."


def _skipped(count: int, total: int, unread: Unread) -> str:
    if count == total:
        return f"the values{_under(unread)} are not numbers{_such_as(unread)}: all of them were left out."
    if count == 1:
        return f"a value{_under(unread)} that is not a number{_such_as(unread, alone=True)} was left out."
    return f"{count:,} values{_under(unread)} that are not numbers{_such_as(unread)} were left out."


def _compared(count: int, total: int, unread: Unread) -> str:
    if total < LOOKED_AT:
        return _skipped(count, total, unread)
    return f"at least {_skipped(count, -1, unread)}"


def _counted(_: int, different: int, times: int, has_empty: bool) -> str:
    told = [f"{different:,} different values were counted; together they stand {times:,} times."]
    told = told if times > different else []
    return " ".join([*told, *(["An empty cell was counted as a value."] if has_empty else [])])


def _operands(_: bool, left: int, right: int) -> str:
    sides = [("first", left), ("second", right)]
    if none := [f"the {name} value has no number" for name, numbers in sides if numbers == 0]:
        return f"{' and '.join(none)}, so that there is nothing to compute with."
    if several := [f"the {name} value has several numbers" for name, numbers in sides if numbers > 1]:
        return f"{' and '.join(several)}, where one is needed."
    return "the two numbers have no result, as in a division by 0."


_SENTENCES: dict[str, Callable[..., str]] = {
    "covalues": _covalues,
    "skipped": _skipped,
    "compared": _compared,
    "counted": _counted,
    "operands": _operands,
}


def _under(unread: Unread) -> str:
    """The columns or relations that the values stand under."""
    names = dict.fromkeys(f"'{name_of_key(relation)}'" for _, relation in unread if relation)
    return f" of {', '.join(list(names)[:SHOWN])}" if names else ""


def _such_as(unread: Unread, *, alone: bool = False) -> str:
    names = dict.fromkeys(_example(name_of_key(key or "")) for key, _ in unread)
    shown = ", ".join(list(names)[:SHOWN])
    return f" ({'' if alone else 'such as '}{shown})" if shown else ""


def _example(name: str) -> str:
    if not name.strip():
        return "an empty cell"
    return f"'{name}'" if len(name) <= LONGEST else f"'{name[:LONGEST]}...'"
