"""Planning heads and reach: all heads of sources, and what can be reached along a relation."""

from __future__ import annotations

from cgstore.query.ast import Argument, Call, Literal
from cgstore.query.functions import NODES
from cgstore.query.operands import AnyRelation, Names, NodeEquality, Operand, Output
from cgstore.query.operators import Reached, SearchCondition, SearchNode
from cgstore.query.search_planner import SearchPlanner
from cgstore.query.settings import place_of

MOST_STEPS = 10
"""Most steps of `reach` along its relation."""


class PathPlanner(SearchPlanner):
    """Plans the functions that search as get_information does not."""

    def heads(self, call: Call) -> Output:
        """The heads that have a value under a relation; all heads, which in tables are the rows with a number."""
        relation: Operand | None = self.of_source(self.only(call, "relation"))
        if relation is None:
            rows = self.scope.row_numbers
            relation = rows if self.scope.only_tables and rows.nodes else AnyRelation(sources=self.one_source)
        found = self.add(SearchCondition(relation))
        self.record_sources(self.query, found)
        return found

    def reach(self, call: Call) -> Output:
        """The union of as many searches along the relation as steps are taken, and a look at one step more."""
        name = self.end_of_path(call)
        relation = self.relation_of_path(call)
        steps = self.steps_of_path(call)
        level = self.operand(call.given(name)[0], NODES, call)
        levels: list[Output] = []
        for _ in range(steps + 1):
            if name == "head_entity":
                level = self.add(SearchNode(relation, condition=level))
            else:
                level = self.add(SearchCondition(relation, (NodeEquality(level),)))
            levels.append(level)
        self.record_sources(self.query, *levels[:-1])
        return self.add(Reached(self.union(*levels[:-1]), levels[-1]))

    def end_of_path(self, call: Call) -> str:
        """The name of the argument with the end of the path that is known."""
        given = [argument for argument in call.arguments if argument.name in ("head_entity", "tail_entity")]
        if len(given) != 1:
            problem = "reach takes head_entity or tail_entity, and one of the two"
            hint = "reach(head_entity='X', relation='parent') gives all that X leads to."
            raise self.error(problem, given[1].place if given else call.place, hint)
        if given[0].op != "=":
            raise self.error(f"'{given[0].op}' cannot be used with '{given[0].name}' of reach", given[0].place)
        return given[0].name

    def relation_of_path(self, call: Call) -> Operand:
        """The relation, which tables cannot have: a row leads to a cell, and a cell is not a row."""
        if not call.given("relation"):
            raise self.error("reach needs relation=...", call.place)
        argument = call.given("relation")[0]
        relation = self.operand(argument, NODES, call)
        if not isinstance(relation, Names):
            return relation
        of_graphs = tuple(node for node in relation.nodes if not node.column)
        if not of_graphs:
            hint = "Write a get_information for each step."
            problem = "reach follows relations of graphs, and this is a column of a table"
            raise self.error(problem, argument.place, hint)
        return relation.of({node.source for node in of_graphs})

    def steps_of_path(self, call: Call) -> int:
        """How many steps are taken."""
        for argument in call.given("at_most"):
            steps = self.whole_number(argument)
            if not 1 <= steps <= MOST_STEPS:
                raise self.error(f"reach takes 1 to {MOST_STEPS} steps", argument.place)
            return steps
        return MOST_STEPS

    def whole_number(self, argument: Argument) -> int:
        """The whole number, or the place, that an argument says."""
        number = place_of(argument.value.text) if isinstance(argument.value, Literal) else None
        if number is None:
            problem = f"{argument.name} takes a whole number that is not 0"
            raise self.error(problem, argument.place, f"Write {argument.name}='3'.")
        return number
