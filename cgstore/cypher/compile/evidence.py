"""The evidence of an answer, found backwards in the same statement.

The last step's triples that lead to the answer, then those of the steps that it used, down to the first. What an
aggregate compared or counted is needed whole.
"""

from __future__ import annotations

from cgstore.cypher.compile.context import CompileContext
from cgstore.cypher.compile.pattern import Pattern, clauses, pattern_of
from cgstore.cypher.compile.steps import covalue_lines, may_have_covalues, rows_beside
from cgstore.query.operands import Against, Among, AnyRelation, Comparison, Operand, Output, OutputKind, Same
from cgstore.query.operators import (
    Aggregate,
    Arithmetic,
    Beside,
    Choice,
    Each,
    Equality,
    Keep,
    Negation,
    Plan,
    Retyped,
    SearchNode,
    SetFunction,
    SetOperation,
    Sorted,
    Step,
    Written,
)


class Evidence:
    """Walks a plan backwards; `needed` has for each step the lists of its elements that must be supported."""

    def __init__(self, plan: Plan, scope: CompileContext) -> None:
        self.plan, self.scope = plan, scope
        self.needed: dict[int, list[str]] = {plan.answer: ["found"]}
        self.lists: list[str] = []
        self.out: list[str] = []
        self.joins: set[str] = set()

    def lines(self) -> tuple[list[str], str]:
        """The lines, and the expression for the evidence."""
        for number in reversed(range(len(self.plan.steps))):
            if number in self.needed:
                self.step(number, self.plan.steps[number])
        if not self.lists:
            return [], "[]"
        return [*self.out, *self.collected()], "evidence"

    def step(self, number: int, step: Step) -> None:
        wanted = self.needed[number]
        match step:
            case SetOperation(function=SetFunction.DIFFERENCE, operands=(first, second)):
                self.need(first, *wanted)
                self.need_whole(second)
            case SetOperation(operands=operands):
                for operand in operands:
                    self.need(operand, *wanted)
            case Negation(operand=operand):
                self.need_whole(operand)
                self.negated(number, step)
            case Beside(operand=operand):
                self.beside(number, step)
                self.need(operand, f"n{number + 1}")
            case Keep(operand=operand, value=value):
                self.need(operand, *wanted)
                self.need_comparisons(value)
            case Aggregate(operand=operand) | Each(operand=operand) | Sorted(operand=operand):
                self.need_whole(operand)
            case Arithmetic(left=left, right=right) | Equality(left=left, right=right):
                self.need_whole(left)
                self.need_whole(right)
            case Choice(one=one, other=other, left=left, right=right):
                for operand in (one, other):
                    self.need_whole(operand)
                for operand in (left, right):
                    self.need(operand, *wanted)
            case Written():
                pass  # it stands in the program
            case Retyped(operand=operand, relation=relation):
                self.need(operand, *wanted)
                self.search(number, pattern_of(SearchNode(relation, condition=operand)))
            case _:
                self.search(number, pattern_of(step))
                if isinstance(step, SearchNode) and may_have_covalues(step, self.scope):
                    self.covalues(number, step)

    def need(self, operand: Operand | None, *elements: str) -> None:
        if isinstance(operand, Output):
            wanted = self.needed.setdefault(operand.step, [])
            wanted += [e for e in elements if e not in wanted]

    def need_whole(self, operand: Operand) -> None:
        self.need(operand, f"q{operand.step + 1}" if isinstance(operand, Output) else "")

    def need_comparisons(self, comparisons: tuple[Comparison, ...]) -> None:
        for comparison in comparisons:
            if isinstance(comparison, Against | Same):
                self.need_whole(comparison.operand)

    def search(self, number: int, pattern: Pattern) -> None:
        """The triples of a search that give what is needed of it, and what they need of earlier outputs."""
        wanted, found = self.needed[number], f"e{number + 1}"
        if counted := pattern.counted():
            self.counted(number, counted)
        used = {f"n{number + 1}_{i + 1}": use for i, use in enumerate(self.used_outputs(pattern))}
        columns = [*pattern.relationships, *(f"{expression} AS {name}" for name, (_, expression) in used.items())]
        triples = " + ".join(f"collect(DISTINCT {r})" for r in pattern.relationships)
        among = self.joined(number, wanted)
        body = [
            *clauses(pattern, self.scope),
            f"WITH * WHERE {pattern.find} IN {among}",
            f"WITH DISTINCT {', '.join(columns)} LIMIT $evidence_limit",
            f"RETURN {', '.join([f'{triples} AS {found}', *(f'collect(DISTINCT {n}) AS {n}' for n in used)])}",
        ]
        self.out += self.scope.subquery(body, among)
        self.lists.append(found)
        for name, (operand, _) in used.items():
            self.need(operand, name)
        self.need_comparisons((*pattern.tail, *pattern.value))

    def joined(self, number: int, lists: list[str]) -> str:
        """Several lists as one, bound before they are used: an expression would be evaluated for each row."""
        if len(lists) == 1:
            return lists[0]
        name = f"w{number + 1}"
        if name not in self.joins:
            self.joins.add(name)
            self.out.append(f"CALL ({', '.join(lists)}) {{ RETURN {' + '.join(lists)} AS {name} }}")
        return name

    def counted(self, number: int, pattern: Pattern) -> None:
        """All triples of a relation or key, of which some were the most frequent or the greatest."""
        (relationship,) = pattern.relationships
        lines = [*clauses(pattern, self.scope), f"WITH DISTINCT {relationship} LIMIT $evidence_limit"]
        self.out += self.scope.subquery([*lines, f"RETURN collect({relationship}) AS a{number + 1}"])
        self.lists.append(f"a{number + 1}")

    def covalues(self, number: int, step: SearchNode) -> None:
        """Both triples of a co-value: the one that has it, and the one that the element was found in."""
        wanted, found = self.needed[number], f"c{number + 1}"
        among = self.joined(number, wanted)
        body = [
            *covalue_lines(step, f"covalues{number + 1}", self.scope),
            f"WITH * WHERE f.node2 IN {among}",
            "WITH DISTINCT f, g LIMIT $evidence_limit",
            f"RETURN collect(DISTINCT f) + collect(DISTINCT g) AS {found}, collect(DISTINCT g.node2) AS n{number + 1}",
        ]
        self.out += self.scope.subquery(body, among, f"covalues{number + 1}")
        self.lists.append(found)
        if isinstance(step.condition, Output):
            self.need(step.condition, f"n{number + 1}")

    def beside(self, number: int, step: Beside) -> None:
        """The numbers of the rows beside, and the rows that they are beside."""
        among = self.joined(number, self.needed[number])
        body = [
            *rows_beside(step, self.scope),
            f"WITH * WHERE f.head IN {among}",
            "WITH DISTINCT f, x LIMIT $evidence_limit",
            f"RETURN collect(DISTINCT f) AS e{number + 1}, collect(DISTINCT x) AS n{number + 1}",
        ]
        self.out += self.scope.subquery(body, among)
        self.lists.append(f"e{number + 1}")

    def negated(self, number: int, step: Negation) -> None:
        """A fact of each element of a negation, which shows that it is there."""
        found = f"e{number + 1}"
        facts = self.plan.kinds[number] is OutputKind.FACTS
        body = [
            f"UNWIND {' + '.join(self.needed[number])} AS x",
            "WITH DISTINCT x LIMIT $evidence_limit",
            "CALL (x) {",
            f"  {self.scope.unwind(AnyRelation(), 'relation')}",
            f"  MATCH (r)-[f:CG_VALUE {{node1: relation, head: {'x[0]' if facts else 'x'}}}]->(t)",
            "  USING INDEX SEEK f:CG_VALUE(node1, head)",
            f"  WHERE size(f.condition) = 1{' AND r.name = x[1] AND t.name = x[2]' if facts else ''}",
            "  RETURN f LIMIT 1",
            "}",
            f"RETURN collect(f) AS {found}",
        ]
        self.out += self.scope.subquery(body, *self.needed[number])
        self.lists.append(found)

    @staticmethod
    def used_outputs(pattern: Pattern) -> list[tuple[Output, str]]:
        """The earlier outputs that a pattern takes elements of, each with the expression for the element taken."""
        head = "head" if pattern.find == "r.key" else "f.head" if pattern.relation else "s.head"
        uses: list[tuple[Operand | None, str]] = [(pattern.head, head), (pattern.relation, "f.node1")]
        uses += [(c.operand, "f.node2") for c in pattern.tail if isinstance(c, Among)]
        uses += [(pattern.key, "s.node1"), *((c.operand, "s.node2") for c in pattern.value if isinstance(c, Among))]
        return [(operand, expression) for operand, expression in uses if isinstance(operand, Output)]

    def collected(self) -> list[str]:
        """All relationships found, once each, as lists: less to send than maps are.

        Of each its rank, 0 for those of the last step and so on backwards, its condition, node1, node2 and source, and
        of the last step's its element id.
        """
        lists = ", ".join(self.lists)
        return [
            f"CALL ({lists}) {{",
            f"  UNWIND range(0, {len(self.lists) - 1}) AS i",
            f"  UNWIND [{lists}][i] AS e",
            "  WITH e, min(i) AS rank",
            "  RETURN collect([rank, coalesce(e.condition, []), startNode(e).name, endNode(e).name, e.source,",
            "    CASE rank WHEN 0 THEN elementId(e) END]) AS evidence",
            "}",
        ]
