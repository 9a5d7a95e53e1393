"""Planning set functions, keep, sort, items and literals."""

from __future__ import annotations

from cgstore.query import operators as ops
from cgstore.query.ast import Argument, Call, Literal
from cgstore.query.comparisons import ValueReading
from cgstore.query.functions import ANYTHING
from cgstore.query.operands import Names, Operand, Output, OutputKind, Superlative, TextTest
from cgstore.query.parse import TEXT_TESTS
from cgstore.query.path_planner import PathPlanner
from cgstore.query.settings import BY_NAME, ORDERS, SEPARATORS, separator_of
from cgstore.query.sources import list_sources
from cgstore.text.numbers import read_number


class SetPlanner(PathPlanner):
    """Plans the functions that take elements of sets as they are."""

    def set_operation(self, call: Call) -> Output:
        operands = tuple(self.operand(argument, ANYTHING, call) for argument in call.arguments)
        found = {self.kind_of(operand) for operand in operands}
        kinds = sorted({OutputKind.NODES if kind is OutputKind.ROWS else kind for kind in found})
        if len(kinds) > 1:
            problem = f"{call.function} of {' and '.join(kinds)} is not defined"
            raise self.error(problem, call.place, "All its sets must hold the same kind of thing.")
        return self.add(ops.SetOperation(call.function, operands))

    def negation(self, call: Call) -> Output:
        """All other heads, of all sources, with a note where there are several."""
        if len(self.every.sources) > 1:
            sources = list_sources(self.every.sources)
            self.note(
                f"Query {self.query}: set_negation takes the heads of all sources asked: {sources}. "
                "To take those of one, write set_difference, and source='...' into the call that gives its heads."
            )
        return self.add(ops.Negation(self.operand_of(call)))

    def keep(self, call: Call) -> Output:
        operand = self.operand_of(call)
        of, tests = self.types.of(operand), self.text_tests(call, operand)
        if call.given("value") and of.kind is OutputKind.WORDS and not of.has_numbers:
            hint = "A date is compared before it is a word: extract_year_month(set=keep(set=..., value>'2004-06'))."
            problem = "keep compares words by contains, starts_with and ends_with"
            raise self.error(problem, call.given("value")[0].place, hint)
        comparisons = self.comparisons(call, "value", ValueReading(of.value_kinds, time=of.is_times))
        if any(isinstance(c, Superlative) for c in comparisons):
            hint = "Write mode(set=...), max(set=...) or min(set=...)."
            raise self.error(
                "keep cannot compare with the most frequent or extreme values", call.given("value")[0].place, hint
            )
        return self.add(ops.Selection(operand, (*comparisons, *tests)))

    def text_tests(self, call: Call, operand: Operand) -> tuple[TextTest, ...]:
        """What `keep` asks of the texts of its elements, all of which must hold."""
        given = [argument for name in TEXT_TESTS for argument in call.given(name)]
        tests = []
        for argument in given:
            text = self.written_text(argument)
            if self.kind_of(operand) not in (OutputKind.NODES, OutputKind.WORDS):
                problem = f"{self.kind_of(operand).in_words} have no text that keep could look at"
                raise self.error(problem, argument.place, "Ask for the values of a relation or column first.")
            tests.append(TextTest(argument.name, text))
        return tuple(tests)

    def written_text(self, argument: Argument) -> str:
        """The text of an argument that takes no output."""
        if not isinstance(argument.value, Literal) or not argument.value.text:
            is_output = not isinstance(argument.value, Literal)
            problem = f"{argument.name} takes a text, written out{', not an output' if is_output else ''}"
            equal = " For the elements that are also in an output, write set_intersection." if is_output else ""
            raise self.error(problem, argument.place, f"Write {argument.name}='...'.{equal}")
        return argument.value.text

    def items(self, call: Call) -> Output:
        given = [separator_of(self.written_text(argument)) for argument in call.given("separator")]
        return self.add(ops.Items(self.operand_of(call), tuple(given) or SEPARATORS))

    def distinct(self, call: Call) -> Output:
        operand = self.operand_of(call)
        return operand if isinstance(operand, Output) else self.union(operand)

    def sort(self, call: Call) -> Output:
        operand, descending, by_name = self.operand_of(call), False, False
        for argument in (*call.given("reverse"), *call.given("ascending"), *call.given("order")):
            text = argument.value.text.strip().lower() if isinstance(argument.value, Literal) else ""
            text = " ".join(text.replace("_", " ").split())
            if text not in ORDERS[argument.name]:
                hint = "Write order='ascending', order='descending' or order='alphabetical'."
                raise self.error(f"'{text}' is not an order", argument.place, hint)
            is_name, is_descending = text in BY_NAME, ORDERS[argument.name][text]
            descending = (is_name and descending) or is_descending
            by_name = by_name or is_name
        if by_name and (kind := self.kind_of(operand)) in (OutputKind.NUMBERS, OutputKind.ROWS):
            hint = "Leave order='alphabetical' out, or sort the values of a relation or column."
            raise self.error(f"{kind} have no names to sort by", call.given("order")[0].place, hint)
        return self.add(ops.Sorting(operand, descending, by_name))

    def literals(self, call: Call) -> Output:
        """The nodes of the names written, if all have one; else numbers, or else words."""
        literals = [argument.value for argument in call.given("set") if isinstance(argument.value, Literal)]
        if len(literals) < len(call.given("set")):
            raise self.error("literals are texts", call.place, "Write set_union(...) for outputs.")
        texts = [literal.text for literal in literals]
        names = [found for literal in literals if (found := self.names.get(literal.place))]
        if len(names) == len(literals):
            nodes = Names(tuple(node for each in names for node in each.nodes if not node.column))
            rows = [self.rows_there(each) for each in names if each.is_of_tables]
            return self.union(*([] if rows and not nodes.nodes else [nodes]), *rows)
        numbers = tuple(number for number in map(read_number, texts) if number is not None)
        if len(numbers) == len(texts):
            return self.add(ops.WrittenValues(tuple(dict.fromkeys(numbers))))
        return self.add(ops.WrittenValues(tuple(dict.fromkeys(texts))))
