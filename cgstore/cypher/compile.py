"""Plan -> one parameterised Cypher statement: a subquery for each step, then the answer, then the evidence.

The evidence is found backwards, in the same trip: the last step's triples that lead to the answer, then those of the
steps that it used, down to the first. What an aggregate compared or counted is needed whole.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from cgstore.cypher.parameters import Scope
from cgstore.cypher.pattern import Pattern, bound_lines, clauses, pattern_of, tests
from cgstore.query.execution import (
    Against,
    Aggregate,
    AggregateFunction,
    Among,
    AnyRelation,
    Comparison,
    Keep,
    Kind,
    Names,
    Negation,
    Operand,
    Output,
    Plan,
    SetFunction,
    SetOperation,
    Step,
)

ANSWER_LIMIT = 10_000
"""Most answers that a statement returns, unless asked otherwise."""

EVIDENCE_LIMIT = 1_000
"""Most triples of evidence that it returns from each step."""


@dataclass(frozen=True)
class Statement:
    """A statement and its parameters. Its one row has `answer` (names, in order), `total` (their number before the
    limit), `steps` (a list of each step's first elements), `sizes`, `evidence` (maps of a triple's parts), and
    `still_ready`, false where a source was dropped or replaced meanwhile, so that the answer may lack triples."""

    text: str
    parameters: dict[str, Any]


def compile_plan(
    plan: Plan,
    sources: Sequence[str],
    relations: Names,
    *,
    evidence: bool = True,
    limit: int = ANSWER_LIMIT,
    evidence_limit: int = EVIDENCE_LIMIT,
) -> Statement:
    """The statement of a whole program.

    Args:
        plan: the steps.
        sources: names of the sources asked.
        relations: all relations of those sources, for steps that name none.
        evidence: whether the triples that support the answer are returned too.
        limit: most answers returned.
        evidence_limit: most triples of evidence returned from each step.
    """
    scope = Scope(plan.kinds, sources, relations)
    lines = [line for number, step in enumerate(plan.steps) for line in _step(number, step, scope)]
    lines += _answer(plan, scope)
    outputs = [f"q{n + 1}" for n in range(len(plan.steps))]
    returned = [
        "answer",
        f"size({outputs[-1]}) AS total",
        f"[{', '.join(f'size({q})' for q in outputs)}] AS sizes",
        f"[{', '.join(f'{q}[..$shown]' for q in outputs)}] AS steps",
    ]
    if evidence:
        evidence_lines, found = _Evidence(plan, scope).lines()
        lines += evidence_lines
        returned.append(f"{found} AS evidence")
        scope.values["evidence_limit"] = evidence_limit
    lines += _still_ready(scope)
    returned.append("still_ready")
    scope.values |= {"limit": limit, "shown": 20}
    return Statement("\n".join([*lines, "RETURN " + ", ".join(returned)]), scope.values)


def _still_ready(scope: Scope) -> list[str]:
    """Whether every source asked was ready to the end: a drop marks a source before it removes its first triple."""
    return [
        "CALL () {",
        f"  UNWIND {scope.sources()} AS source",
        "  MATCH (s:Source {name: source, state: 'ready'})",
        f"  RETURN count(s) = size({scope.sources()}) AS still_ready",
        "}",
    ]


def _subquery(scope: Scope, body: list[str], *extra: str) -> list[str]:
    """The body as a subquery that imports the outputs that it uses, in order."""
    imported = ", ".join(dict.fromkeys([*scope.used_outputs, *extra]))
    scope.start_subquery()
    return [f"CALL ({imported}) {{", *(f"  {line}" for line in body), "}"]


def _step(number: int, step: Step, scope: Scope) -> list[str]:
    output = f"q{number + 1}"
    return _subquery(scope, _body(step, output, scope))


def _body(step: Step, output: str, scope: Scope) -> list[str]:
    match step:
        case SetOperation():
            return _set_operation(step, output, scope)
        case Negation(operand=operand):
            return _negation(operand, output, scope)
        case Keep(operand=operand, value=value):
            return [*_kept(operand, value, scope), f"RETURN collect(x) AS {output}"]
        case Aggregate():
            return _aggregate(step, output, scope)
    pattern = pattern_of(step)
    return [*clauses(pattern, scope), f"RETURN collect(DISTINCT {pattern.find}) AS {output}"]


def _set_operation(step: SetOperation, output: str, scope: Scope) -> list[str]:
    first, *others = (scope.list_of(operand) for operand in step.operands)
    if step.function is SetFunction.UNION:
        return [f"UNWIND {' + '.join([first, *others])} AS x", f"RETURN collect(DISTINCT x) AS {output}"]
    negated = "NOT " if step.function is SetFunction.DIFFERENCE else ""
    where = " AND ".join(f"{negated}x IN {other}" for other in others)
    return [f"UNWIND {first} AS x", f"WITH x WHERE {where}", f"RETURN collect(DISTINCT x) AS {output}"]


def _negation(operand: Operand, output: str, scope: Scope) -> list[str]:
    facts = isinstance(operand, Output) and scope.kinds[operand.step] is Kind.FACTS
    condition = "f.condition + [r.name, t.name]" if facts else "f.head"
    return [
        scope.unwind(AnyRelation(), "relation"),
        "MATCH (r)-[f:VALUE {node1: relation}]->(t)",
        "USING INDEX SEEK f:VALUE(node1, node2)",
        "WHERE size(f.condition) = 1 AND f.node2 IS NOT NULL",
        f"WITH DISTINCT {condition} AS x",
        f"WHERE NOT x IN {scope.list_of(operand)}",
        f"RETURN collect(x) AS {output}",
    ]


def _kept(operand: Operand, value: tuple[Comparison, ...], scope: Scope) -> list[str]:
    lines = bound_lines(value, scope)
    where = " AND ".join(test for c in value for test in tests("x", "number", c, scope))
    return [*lines, *_numbers(operand, scope), f"WITH x WHERE {where}"]


def _numbers(operand: Operand, scope: Scope) -> list[str]:
    """A row (x, number) for each element, number being null where it reads as none."""
    unwind = f"UNWIND {scope.list_of(operand)} AS x"
    if isinstance(operand, Output) and scope.holds_numbers(operand):
        return [unwind, "WITH *, x AS number"]
    return [unwind, "MATCH (n:Node {key: x})", "WITH *, n.num AS number"]


def _aggregate(step: Aggregate, output: str, scope: Scope) -> list[str]:
    match step.function:
        case AggregateFunction.COUNT:
            return [f"RETURN [size({scope.list_of(step.operand)})] AS {output}"]
        case AggregateFunction.MIN | AggregateFunction.MAX:
            order = "ASC" if step.function is AggregateFunction.MIN else "DESC"
            best = ["WITH x, number WHERE number IS NOT NULL", f"WITH x ORDER BY number {order}, x LIMIT 1"]
            return [*_numbers(step.operand, scope), *best, f"RETURN collect(x) AS {output}"]
        case AggregateFunction.SUM:
            return [*_numbers(step.operand, scope), f"RETURN [sum(number)] AS {output}"]
        case AggregateFunction.MEAN:
            mean = ["WITH avg(number) AS mean", f"RETURN [m IN [mean] WHERE m IS NOT NULL] AS {output}"]
            return [*_numbers(step.operand, scope), *mean]


def _answer(plan: Plan, scope: Scope) -> list[str]:
    """The names of the last output's elements, by number where they are such, else by name."""
    last = Output(len(plan.steps) - 1)
    unwind = f"UNWIND {scope.output(last)} AS x"
    if plan.kinds[-1] is not Kind.NODES:
        body = [unwind, "WITH x ORDER BY x LIMIT $limit", "RETURN collect(x) AS answer, collect(x) AS found"]
    else:
        body = [
            unwind,
            "MATCH (n:Node {key: x})",
            "WITH x, n.name AS name, n.num AS number ORDER BY number, name LIMIT $limit",
            "RETURN collect(name) AS answer, collect(x) AS found",
        ]
    return _subquery(scope, body)


class _Evidence:
    """Walks a plan backwards; `needed` has for each step the lists of its elements that must be supported."""

    def __init__(self, plan: Plan, scope: Scope) -> None:
        self.plan, self.scope = plan, scope
        self.needed: dict[int, list[str]] = {len(plan.steps) - 1: ["found"]}
        self.lists: list[str] = []
        self.out: list[str] = []

    def lines(self) -> tuple[list[str], str]:
        """The lines, and the expression for the evidence as a list of maps."""
        for number in reversed(range(len(self.plan.steps))):
            if number in self.needed:
                self.step(number, self.plan.steps[number])
        if not self.lists:
            return [], "[]"
        return [*self.out, *self.collected()], "evidence"

    def step(self, number: int, step: Step) -> None:
        match step:
            case SetOperation(function=SetFunction.DIFFERENCE, operands=(first, second)):
                self.need(first, *self.needed[number])
                self.need_whole(second)
            case SetOperation(operands=operands):
                for operand in operands:
                    self.need(operand, *self.needed[number])
            case Negation(operand=operand):
                self.need_whole(operand)
            case Keep(operand=operand, value=value):
                self.need(operand, *self.needed[number])
                self.need_comparisons(value)
            case Aggregate(operand=operand):
                self.need_whole(operand)
            case _:
                self.search(number, pattern_of(step))

    def need(self, operand: Operand | None, *elements: str) -> None:
        if isinstance(operand, Output):
            wanted = self.needed.setdefault(operand.step, [])
            wanted += [e for e in elements if e not in wanted]

    def need_whole(self, operand: Operand) -> None:
        if isinstance(operand, Output):
            self.needed[operand.step] = [f"q{operand.step + 1}"]

    def need_comparisons(self, comparisons: tuple[Comparison, ...]) -> None:
        for comparison in comparisons:
            if isinstance(comparison, Against):
                self.need_whole(comparison.operand)

    def search(self, number: int, pattern: Pattern) -> None:
        """The triples of a search that give what is needed of it, and what they need of earlier outputs."""
        wanted, found = self.needed[number], f"e{number + 1}"
        used = {f"n{number + 1}_{i + 1}": use for i, use in enumerate(self.used_outputs(pattern))}
        columns = [*pattern.relationships, *(f"{expression} AS {name}" for name, (_, expression) in used.items())]
        triples = " + ".join(f"collect(DISTINCT {r})" for r in pattern.relationships)
        body = [
            *clauses(pattern, self.scope),
            f"WITH * WHERE {pattern.find} IN {' + '.join(wanted)}",
            f"WITH DISTINCT {', '.join(columns)} LIMIT $evidence_limit",
            f"RETURN {', '.join([f'{triples} AS {found}', *(f'collect(DISTINCT {n}) AS {n}' for n in used)])}",
        ]
        self.out += _subquery(self.scope, body, *wanted)
        self.lists.append(found)
        for name, (operand, _) in used.items():
            self.need(operand, name)
        self.need_comparisons((*pattern.tail, *pattern.value))

    @staticmethod
    def used_outputs(pattern: Pattern) -> list[tuple[Output, str]]:
        """The earlier outputs that a pattern takes elements of, each with the expression for the element taken."""
        uses: list[tuple[Operand | None, str]] = [(pattern.head, "head"), (pattern.relation, "f.node1")]
        uses += [(c.operand, "f.node2") for c in pattern.tail if isinstance(c, Among)]
        uses += [(pattern.key, "s.node1"), *((c.operand, "s.node2") for c in pattern.value if isinstance(c, Among))]
        return [(operand, expression) for operand, expression in uses if isinstance(operand, Output)]

    def collected(self) -> list[str]:
        """All relationships found, once each, as maps; `rank` is 0 for those of the last step, and so on backwards."""
        lists = ", ".join(self.lists)
        return [
            f"CALL ({lists}) {{",
            f"  UNWIND range(0, {len(self.lists) - 1}) AS i",
            f"  UNWIND [{lists}][i] AS e",
            "  WITH e, min(i) AS rank",
            "  RETURN collect({rank: rank, node1: startNode(e).name, node2: endNode(e).name,",
            "    condition: coalesce(e.condition, []), source: e.source, id: elementId(e)}) AS evidence",
            "}",
        ]
