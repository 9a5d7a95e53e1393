"""The evidence of an answer, found backwards in the same statement.

The last step's triples that lead to the answer, then those of the steps that it used, down to the first. What an
aggregate compared or counted is needed whole.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from cgstore.cypher.compile.context import Block, CompileContext, call_lines
from cgstore.cypher.compile.iteration import (
    Relations,
    body_of,
    facts_of_groups,
    imported_from_outside,
    lines_of,
    relations_of,
    run_for_each,
    scanned_heads,
)
from cgstore.cypher.compile.pattern import FURTHER, clauses, counted, found, relationships
from cgstore.cypher.compile.periods import Times
from cgstore.cypher.compile.rows import rows_beside, rows_between
from cgstore.cypher.compile.seeks import seek
from cgstore.cypher.compile.steps import covalue_lines
from cgstore.cypher.compile.stretch_steps import among, common, overlap
from cgstore.query import operators as ops
from cgstore.query.operands import (
    AnyRelation,
    Comparison,
    NodeEquality,
    NumberEquality,
    Operand,
    OrderComparison,
    Output,
    OutputKind,
)
from cgstore.query.plan import Plan


class Evidence:
    """Walks a plan backwards.

    Attributes:
        needed: for each step the lists of its elements that must be supported.
        stretches: those of these lists that have stretches of times.
    """

    def __init__(self, plan: Plan, context: CompileContext, needed: dict[int, list[str]]) -> None:
        self.plan, self.context, self.needed = plan, context, needed
        self.stretches = {each for step, lists in needed.items() if step in context.stretched for each in lists}
        self.lists: list[str] = []
        self.out: list[Block] = []
        self.joins: set[str] = set()

    def blocks(self) -> tuple[list[Block], str]:
        """The blocks, and the expression for the evidence."""
        for number in reversed(range(len(self.plan.steps))):
            if number in self.needed and number not in self.plan.repeated:
                self.step(number, self.plan.steps[number])
        return self.out, self.parts() if self.lists else "[]"

    def step(self, number: int, step: ops.Step) -> None:
        """Adds the triples of a step, and what it needs of the steps before."""
        wanted = self.needed[number]
        match step:
            case ops.SetOperation(function="set_difference", operands=(first, second)):
                self.need(first, *wanted)
                self.need_whole(second)
            case ops.Negation(operand=operand):
                self.need_whole(operand)
                self.negated(number)
            case ops.RowsBeside(operand=operand):
                returned = [f"collect(DISTINCT f) AS e{number + 1}", f"collect(DISTINCT x) AS n{number + 1}"]
                self.support(number, rows_beside(step, self.context), "f.head", ["f", "x"], returned)
                self.need(operand, f"n{number + 1}")
            case ops.Selection(operand=operand, value=value):
                self.need(operand, *wanted)
                self.need_comparisons(value)
            case ops.Aggregate(operand=operand):
                self.need_whole(operand)
                if step.function == "longest_run":
                    self.run_ends(number, step)
            case ops.Iteration():
                self.iterated(number, step)
            case ops.TargetValues(operand=operand, relation=relation):
                self.need(operand, *wanted)
                self.search(number, ops.Search(ops.Part.TAIL, operand, relation))
            case ops.Search():
                self.search(number, step)
                if self.context.takes_covalues(step):
                    self.covalues(number, step)
            case _:
                for operand in step.measured:
                    self.need_whole(operand)
                for operand in step.passed_on:
                    self.need(operand, *wanted)

    def need(self, operand: object, *elements: str) -> None:
        """Asks for the support of some elements of an earlier output."""
        if isinstance(operand, Output):
            wanted = self.needed.setdefault(operand.step, [])
            wanted += [e for e in elements if e not in wanted]

    def need_whole(self, operand: Operand) -> None:
        """Asks for the support of all elements of an earlier output."""
        if isinstance(operand, Output) and operand.step in self.context.stretched:
            self.stretches.add(f"t{operand.step + 1}")
            self.need(operand, f"t{operand.step + 1}")
        elif isinstance(operand, Output):
            self.need(operand, f"q{operand.step + 1}")

    def compares_each(self, pattern: ops.Search) -> bool:
        """Whether a pattern compares its times with an output that has each of its times."""
        operands = (c.operand for c in pattern.value if isinstance(c, NodeEquality))
        return any(isinstance(operand, Output) and operand.step not in self.context.stretched for operand in operands)

    def need_comparisons(self, comparisons: Sequence[Comparison]) -> None:
        """Requests evidence for the outputs that values are compared with."""
        for comparison in comparisons:
            if isinstance(comparison, OrderComparison | NumberEquality):
                self.need_whole(comparison.operand)

    def support(
        self, number: int, lines: list[str], find: str, columns: Sequence[str], returned: Sequence[str], *imported: str
    ) -> None:
        """Adds the block with the triples of a step that give what is needed of it.

        Args:
            number: the step.
            lines: bind the rows.
            find: the expression for the element, or for the stretch of times, that a row gives.
            columns: what makes rows different.
            returned: what is returned, the triples first.
            imported: more variables that the lines use.
        """
        if number in self.context.stretched and f"t{number + 1}" in self.needed[number]:
            among, is_given = "", []  # all of them
        elif number not in self.context.stretched:
            among = self.joined(number)
            is_given = [f"WITH * WHERE {find} IN {among}"]
        else:
            among = self.joined(number)
            is_given = [f"UNWIND {among} AS among", f"WITH * WHERE {overlap(find, 'among')}"]
            columns = [f"{common(find, 'among')} AS {find}" if column == find else column for column in columns]
        body = [*lines, *is_given, f"WITH DISTINCT {', '.join(columns)} LIMIT $evidence_limit"]
        self.out.append(self.context.block([*body, f"RETURN {', '.join(returned)}"], *filter(None, [among, *imported])))
        self.lists.append(returned[0].rpartition(" AS ")[2])

    def joined(self, number: int) -> str:
        """The lists needed of a step as one, bound before it is used: an expression would be evaluated for each row.

        What is needed of stretches is stretches.
        """
        lists, name = self.needed[number], f"w{number + 1}"
        of = self.context.stretched.get(number)
        if len(lists) == 1 and not of:
            return lists[0]
        if name in self.joins:
            return name
        self.joins.add(name)
        if of:
            stretches = [each for each in lists if each in self.stretches]
            self.out.append(among([each for each in lists if each not in self.stretches], stretches, of, name))
        else:
            self.out.append(Block(lists, [f"RETURN {' + '.join(lists)} AS {name}"]))
        return name

    def search(self, number: int, pattern: ops.Search) -> None:
        """The triples of a search that give what is needed of it, and what they need of earlier outputs."""
        if all_triples := counted(pattern):
            self.superlative(number, all_triples)
        is_stretched = number in self.context.stretched
        each = (pattern.asked is ops.Part.VALUE and not is_stretched) or self.compares_each(pattern)
        stretched = frozenset() if each else frozenset(self.context.stretched)
        used = {f"n{number + 1}_{i + 1}": use for i, use in enumerate(used_outputs(pattern, stretched))}
        columns = [*relationships(pattern), *(f"{expression} AS {name}" for name, (_, expression) in used.items())]
        triples = " + ".join(f"collect(DISTINCT {r})" for r in relationships(pattern))
        returned = [f"{triples} AS e{number + 1}", *(f"collect(DISTINCT {name}) AS {name}" for name in used)]
        lines = clauses(pattern, self.context, Times.EACH if each else Times.STRETCH)
        self.support(number, lines, "s" if is_stretched else found(pattern), columns, returned)
        for name, (operand, _) in used.items():
            self.stretches |= {name} if operand.step in stretched else set()
            self.need(operand, name)
        self.need_comparisons(pattern.compared)

    def iterated(self, number: int, step: ops.Iteration) -> None:
        """The triples of what is run for each element that counts, and these elements."""
        if isinstance(step, ops.Grouping) and (relations := relations_of(step, self.context)):
            self.grouped(number, step, relations)
            return
        among = f"k{number + 1}" if isinstance(step, ops.Records) else self.joined(number)
        body = body_of(number, step, self.context)
        inner = Evidence(self.plan, self.context, {each.step: [f"q{each.step + 1}"] for each in step.results})
        for place in reversed(range(step.each.step + 1, number)):
            if place in inner.needed:
                inner.step(place, self.plan.steps[place])
        for place in inner.needed:
            if place < step.each.step:
                self.need_whole(Output(place))
        is_group, counts = isinstance(step, ops.Grouping), list[str]()
        if isinstance(step, ops.Grouping):
            counts = [f"WITH * WHERE any(key IN q{step.by.step + 1} WHERE key IN {among})"]
        triples = f"RETURN {' + '.join(inner.lists) or '[]'} AS triples"
        flat = ["UNWIND all AS triples", "UNWIND triples AS f", "WITH DISTINCT f LIMIT $evidence_limit"]
        e, n = f"e{number + 1}", f"n{number + 1}"
        inner_imports = imported_from_outside(inner.out, step.each.step, number)
        body = body._replace(
            imports=list(dict.fromkeys([*body.imports, *inner_imports, *([among] if is_group else [])]))
        )
        lines = [
            *body.start,
            *([] if is_group else [f"WITH * WHERE x IN {among}"]),
            *run_for_each(body, [*counts, *lines_of(inner.out), triples]),
            "WITH * LIMIT $evidence_limit",
            f"WITH collect(triples) AS all, collect(x) AS {n}",
            *call_lines(["all"], [*flat, f"RETURN collect(f) AS {e}"]),
            f"RETURN {e}, {n}",
        ]
        self.out.append(Block(list(dict.fromkeys([*body.imports, among])), lines))
        self.lists.append(e)
        self.need(step.operand, n)

    def grouped(self, number: int, step: ops.Grouping, relations: Relations) -> None:
        """The same of a grouping that needs no subquery for each element."""
        among, e, n = self.joined(number), f"e{number + 1}", f"n{number + 1}"
        facts = facts_of_groups(step, relations, among, self.context)
        self.out.append(self.context.block([*facts, f"RETURN all AS {e}, xs AS {n}"], among))
        self.lists.append(e)
        if step.operand.step not in scanned_heads(self.context):  # else these facts show that it has the elements
            self.need(step.operand, n)

    def covalues(self, number: int, step: ops.Search) -> None:
        """Both triples of a co-value: the one that has it, and the one that the element was found in."""
        lines = covalue_lines(step, f"covalues{number + 1}", self.context)
        triples = f"collect(DISTINCT f) + collect(DISTINCT g) AS c{number + 1}"
        returned = [triples, f"collect(DISTINCT g.node2) AS n{number + 1}"]
        self.support(number, lines, "f.node2", ["f", "g"], returned, f"covalues{number + 1}")
        self.need(step.head, f"n{number + 1}")

    def superlative(self, number: int, pattern: ops.Search) -> None:
        """All triples of a relation or key, of which some were the most frequent or the greatest."""
        (relationship,) = relationships(pattern)
        lines = [*clauses(pattern, self.context), f"WITH DISTINCT {relationship} LIMIT $evidence_limit"]
        self.out.append(self.context.block([*lines, f"RETURN collect({relationship}) AS a{number + 1}"]))
        self.lists.append(f"a{number + 1}")

    def negated(self, number: int) -> None:
        """A fact of each element of a negation, which shows that it is there."""
        facts, lists = self.plan.types[number].kind is OutputKind.FACTS, self.needed[number]
        pattern = f"(r)-[f:CG_VALUE {{node1: relation, head: {'x[0]' if facts else 'x'}}}]->(t)"
        tests = "size(f.condition) = 1", *(("r.name = x[1]", "t.name = x[2]") if facts else ())
        found = seek(pattern, "node1, head", self.context, *tests)
        one = [self.context.unwind(AnyRelation(), "relation"), *found, "RETURN f LIMIT 1"]
        body = [f"UNWIND {' + '.join(lists)} AS x", "WITH DISTINCT x LIMIT $evidence_limit", *call_lines(["x"], one)]
        self.out.append(self.context.block([*body, f"RETURN collect(f) AS e{number + 1}"], *lists))
        self.lists.append(f"e{number + 1}")

    def run_ends(self, number: int, step: ops.Aggregate) -> None:
        """A row between any two rows that do not follow each other."""
        lines = [*rows_between(step, self.context), "WITH DISTINCT f LIMIT $evidence_limit"]
        self.out.append(self.context.block([*lines, f"RETURN collect(f) AS e{number + 1}"]))
        self.lists.append(f"e{number + 1}")

    def parts(self) -> str:
        """An expression for the relationships found: a list for each list of them, those of the last step first.

        Of each relationship it has the condition, node1, node2, the source and the element id as a list, which is less
        to send than a map is. One may stand in several lists.
        """
        parts = "startNode(e).name, endNode(e).name, e.source, elementId(e)"
        if self.context.has_periods:
            # `$any`, which is null, keeps Cypher from taking a list of both for one of relationships.
            self.context.values["any"] = None
            pairs = (("startNode({}).name", "name1"), ("endNode({}).name", "node2"), ("elementId({})", "period"))
            one, other, element_id = (
                f"CASE WHEN e.period IS NULL THEN {stored.format('coalesce($any, e)')} ELSE e.{made} END"
                for stored, made in pairs
            )
            # Who reads the row makes each time of a stretch.
            other = f"CASE WHEN e.first IS NULL THEN {other} ELSE [e.first, e.last, e.step] END"
            parts = f"{one}, {other}, e.source, {element_id}"
        return f"[found IN [{', '.join(self.lists)}] | [e IN found | [coalesce(e.condition, []), {parts}]]]"


def used_outputs(pattern: ops.Search, stretched: Collection[int]) -> list[tuple[Output, str]]:
    """The earlier outputs that a pattern takes elements of, each with the expression for the element taken.

    Of the steps in `stretched`, that is a stretch of times.
    """
    head = "head" if pattern.asked is ops.Part.RELATIONS else "f.head" if pattern.relation else "s.head"
    uses: list[tuple[Operand | None, str]] = [(pattern.head, head), (pattern.relation, "f.node1")]
    uses += [(c.operand, "f.node2") for c in pattern.tail if isinstance(c, NodeEquality)]
    uses.append((pattern.key, "s.node1"))
    for operand in (c.operand for c in pattern.value if isinstance(c, NodeEquality)):
        is_stretched = isinstance(operand, Output) and operand.step in stretched
        uses.append((operand, "s {.first, .last}" if is_stretched else "s.node2"))
    for variable, said in zip(FURTHER, pattern.further, strict=False):
        uses += [(c.operand, f"{variable}.node2") for c in said.value if isinstance(c, NodeEquality)]
    return [(operand, expression) for operand, expression in uses if isinstance(operand, Output)]
