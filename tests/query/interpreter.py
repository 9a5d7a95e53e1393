"""A second interpreter of the query language: written from the language page, over plain lists, with no database.

What the engine answers must equal what this one does. It looks at every fact for every search.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace

from cgstore.query.ast import Argument, Call, Literal, OutputRef, Program, Value
from cgstore.query.functions import FURTHER
from cgstore.query.parse import parse
from cgstore.text.dates import read_span
from cgstore.text.numbers import read_number
from tests.query import interpreter_dates as dates
from tests.query import interpreter_functions as functions
from tests.query import interpreter_groups as groups
from tests.query import interpreter_paths as paths
from tests.query import interpreter_texts as texts
from tests.query.interpreter_arguments import literal, whole_number, written
from tests.query.interpreter_graph import TIMES, Graph, Node
from tests.query.interpreter_order import Rows, Shown, in_order, rows_of, shown
from tests.query.interpreter_search import (
    OF_HEADS,
    SUPERLATIVES,
    Arguments,
    Comparison,
    Found,
    NoMeaning,
    Output,
    Search,
    Sort,
    get_information,
)
from tests.query.interpreter_sources import led

OF_TWO = (
    "compare",
    "if",
    "calculate",
    "year_difference",
    "month_difference",
    "day_difference",
    "greater_than",
    "less_than",
    *functions.ARITHMETIC,
)
"""Functions of two numbers."""

SIGNS = {"-": "subtract", "+": "add", "*": "multiply", "/": "divide"}
"""What `calculate` does by its operator."""


OF_NUMBERS = ("keep", "min", "max", "argmin", "argmax", "sort", "first", "last", "nth", "sum", "mean", "median",
              "standard_deviation", "to_number", "to_integer", "abs", "extract_year",
              "distinct")  # fmt: skip
"""What compares, orders or sums a set with numbers by these; any other function of one set has the elements alone."""


@dataclass(frozen=True)
class Result:
    """An answer in its order, each value once; one of several columns has its rows, each field with its values."""

    output: Output
    answer: tuple[Shown, ...]
    rows: Rows | None = None


def interpret(graph: Graph, program: str | Program) -> Result:
    """The answer of a program.

    Args:
        graph: the sources asked (`Graph.asked`).
        program: in the query language.

    Raises:
        ProgramError: it is malformed.
        NoMeaning: it is not legal.
    """
    parsed = parse(program) if isinstance(program, str) else program
    interpreter = Interpreter(graph)
    if any(
        call.function == "select"
        for query in parsed.queries
        for call in query.all_calls()
        if call != parsed.queries[-1]
    ):
        raise NoMeaning("select is the last query")
    for call in parsed.queries:
        interpreter.outputs.append(interpreter.call(call))
    output = interpreter.outputs[-1]
    if parsed.target is not None and output.records is None:
        replaced = interpreter.replaced(output.alone, parsed.target.text)
        output = (
            replaced if output.sort is Sort.NAMES else output
        )  # what is worked out has no values: it stays as it is
    every = dict.fromkeys(shown(element) for element in in_order(graph, output))
    return Result(output, tuple(every), rows_of(graph, output))


@dataclass
class Interpreter:
    """The outputs so far, over one graph; in a call of one source alone, `every` is over all that are asked."""

    graph: Graph
    outputs: list[Output] = field(default_factory=list)
    every: Interpreter | None = None

    def call(self, call: Call) -> Output:
        """The output of a call."""
        if call.function == "get_information":
            return self.search(call)
        if call.function == "literals":
            return self.literals([str(getattr(argument.value, "text", "")) for argument in call.arguments])
        if call.function in ("set_union", "set_intersection"):
            return getattr(functions, call.function)(*(self.operand(a.value) for a in call.arguments))  # type: ignore[no-any-return]
        if call.function == "set_difference":
            return functions.set_difference(self.argument(call, "set1"), self.argument(call, "set2"))
        if call.function == "equals":
            return functions.equals(self.number_or_name(call, "value1"), self.number_or_name(call, "value2"))
        if call.function in OF_TWO:
            return self.of_two(call)
        if call.function in groups.OF_EACH:
            return groups.OF_EACH[call.function](self, call)
        if call.function in ("heads", "reach"):
            return paths.heads(self, call) if call.function == "heads" else paths.reach(self, call)
        if len(call.given("set")) > 1:
            return self.of_several(call, [self.with_numbers(argument.value) for argument in call.given("set")])
        given = call.given("set")[0].value
        return self.of_set(call, self.with_numbers(given) if call.function in OF_NUMBERS else self.operand(given))

    def of_several(self, call: Call, sets: list[Output]) -> Output:
        """The extreme of all, the sum of the sums, the mean of all facts."""
        if call.function == "sum":
            return functions.total_of_several(sets)
        if any(given.numbered for given in sets):
            raise NoMeaning("one set with numbers is taken")
        if call.function == "mean":
            return functions.mean_of_several(sets)
        return self.of_set(call, functions.set_union(*sets))

    def literals(self, texts: list[str]) -> Output:
        """The nodes of these names, if each is the name of one; else the numbers, or else the words, themselves."""
        named = [self.named(text) for text in texts]
        if all(nodes or self.is_row(text) for nodes, text in zip(named, texts, strict=True)):
            rows = all(self.is_row(text) for text in texts)
            return functions.nodes((node for nodes in named for node in sorted(nodes)), rows=rows)
        numbers = [read_number(text) for text in texts]
        if None in numbers:
            return Output(Sort.WORDS, tuple(Found(text) for text in dict.fromkeys(texts)))
        return functions.numbers(number for number in numbers if number is not None)

    def of_set(self, call: Call, given: Output) -> Output:
        """A function of one set."""
        match call.function:
            case "set_negation":
                return functions.set_negation(self.graph, given)
            case "keep":
                return self.keep(call, given)
            case "min" | "max":
                return functions.extreme(given, min if call.function == "min" else max)
            case "argmin" | "argmax":
                relation = call.given("relation")
                asked = self.relations(relation[0].value) if relation else None
                return functions.arg_extreme(self.graph, given, asked, min if call.function == "argmin" else max)
            case "previous_row" | "next_row":
                step = 1 if call.function == "next_row" else -1
                return functions.next_row(self.graph, given, step)
            case "abs":
                return functions.each_number(given, abs)
            case "to_number":
                return functions.each_number(given, float)
            case "to_integer":
                return functions.each_number(given, math.trunc)
            case "sort":
                return functions.sort(given, self.is_descending(call), written(call, "order").startswith("alpha"))
            case "extract_year":
                return functions.each_number(given, math.floor)
            case "first" | "last" | "nth":
                return self.in_its_place(call, given)
            case "distinct":
                return given
            case "longest_run":
                return functions.longest_run(self.graph, given)
            case "exists":
                return functions.exists(given)
            case "median" | "standard_deviation":
                return functions.spread(call.function, given)
            case "items":
                return texts.items(self.graph, given, written(call, "separator") if call.given("separator") else None)
            case "fold":
                return texts.fold(given)
            case "extract_number":
                return texts.extract_number(given, written(call, "which") or "first")
            case _ if call.function in dates.PARTS:
                return texts.part_of_date(call.function, given)
        plain = {"sum": functions.total, "mean": functions.mean, "count": functions.count, "mode": functions.mode}
        return plain[call.function](given)

    def is_descending(self, call: Call) -> bool:
        """Whether a sort begins with the greatest."""
        said = {name: written(call, name).lower() for name in ("order", "ascending", "reverse")}
        return said["order"].startswith("desc") or said["ascending"] == "false" or said["reverse"] == "true"

    def in_its_place(self, call: Call, given: Output) -> Output:
        """The first, the last or the nth element, or the n elements, in the order of an answer or of a sort."""
        if given.disordered:
            raise NoMeaning("the order of sort is lost")
        order = in_order(self.graph, given)
        if call.function == "nth":
            place = whole_number(call, "n", least=None)
            at = place - 1 if place > 0 else len(order) + place
            chosen = order[at : at + 1] if at >= 0 else []
        else:
            count = whole_number(call, "n") if call.given("n") else 1
            chosen = order[:count] if call.function == "first" else order[-count:]
        kept = functions.chosen(given, (found for found in given.found if found.element in chosen))
        return kept if call.given("n") and call.function != "nth" else functions.as_set(kept)

    def keep(self, call: Call, given: Output) -> Output:
        """The elements that satisfy the comparisons and whose texts hold what is written."""
        if call.given("value"):
            given = functions.keep(given, [self.comparison(a, kept=True) for a in call.given("value")])
        for name in texts.TESTS:
            for argument in call.given(name):
                given = texts.keep(given, name, literal(argument))
        return given

    def of_two(self, call: Call) -> Output:
        """A function of two numbers, or of two dates."""
        unit = call.function.removesuffix("_difference") if call.function != "difference" else written(call, "unit")
        unit = unit and f"{unit.removesuffix('s')}s"
        if call.function == "difference" and unit not in ("", "years", *dates.LEAST):
            raise NoMeaning(f"no difference is in {unit}")
        if unit in dates.LEAST and call.function.endswith("difference"):
            return functions.between(*(self.dates(call, name, unit) for name in ("value1", "value2")))
        left, right = (self.number(call, name, of_years=unit == "years") for name in ("value1", "value2"))
        given = call.given("operator")
        op = given[0].value.text if given and isinstance(given[0].value, Literal) else ">"
        match call.function:
            case "compare":
                return functions.compare(left, right, op)
            case "if":
                return functions.choose(left, right, op, *self.branches(call))
            case "greater_than" | "less_than":
                words = [Output(Sort.WORDS, (Found(word),)) for word in ("yes", "no")]
                return functions.choose(left, right, ">" if call.function == "greater_than" else "<", *words)
            case "calculate":
                return functions.arithmetic(SIGNS[op], left, right)
            case "year_difference":
                return functions.arithmetic("difference", left, right, of_years=True)
        return functions.arithmetic(call.function, left, right, of_years=unit == "years")

    def dates(self, call: Call, name: str, unit: str) -> set[float]:
        """The months or days of one side, counted from year 0."""
        value = call.given(name)[0].value
        if isinstance(value, Literal):
            number = dates.counted(dates.date_in(value.text), unit)
            if number is None:
                raise NoMeaning(f"'{value.text}' does not say its {unit}")
            return {number}
        output = self.with_numbers(value)
        if output.sort is not Sort.NAMES or output.rows or output.numbered:
            raise NoMeaning("only values are dates")
        counted = (dates.counted(dates.parts_of(found), unit) for found in output.found)
        return {number for number in counted if number is not None}

    def argument(self, call: Call, name: str) -> Output:
        return self.operand(call.given(name)[0].value)

    def operand(self, value: Value) -> Output:
        """A set that a function is given, as its elements alone."""
        return self.with_numbers(value).alone

    def with_numbers(self, value: Value) -> Output:
        """A set that a function is given: an output, or the entities or rows of a name; of a number also that."""
        if isinstance(value, OutputRef):
            return self.outputs[value.number - 1]
        if isinstance(value, Call):
            return (self.every or self).call(value)
        assert isinstance(value, Literal)
        return functions.nodes(sorted(self.entities(value.text)), rows=self.is_row(value.text))

    def branches(self, call: Call) -> tuple[Output, Output]:
        """The two sides of an `if`: literals are words of the program's own."""
        given = [argument.value for name in ("then", "else") for argument in call.given(name)]
        words = [value.text for value in given if isinstance(value, Literal)]
        if len(words) == len(given):
            sides = [Output(Sort.WORDS, (Found(word),)) for word in words]
        else:
            sides = [self.operand(value) for value in given]
        return sides[0], sides[1] if len(sides) > 1 else replace(sides[0], found=())

    def number(self, call: Call, name: str, *, of_years: bool = False) -> Output:
        """As `argument`; a literal is a number, or a date whose year is meant."""
        value = call.given(name)[0].value
        if not isinstance(value, Literal):
            return functions.values_only(self.with_numbers(value))
        number = read_number(value.text)
        if number is None and of_years and (date := dates.date_in(value.text)) is not None:
            number = float(date[0])
        if number is None:
            raise NoMeaning(f"{value.text} is no number")
        return functions.numbers([number])

    def number_or_name(self, call: Call, name: str) -> Output:
        """As `number`, or what has a name."""
        value = call.given(name)[0].value
        is_name = isinstance(value, Literal) and read_number(value.text) is None
        return self.operand(value) if is_name else self.number(call, name)

    def entities(self, name: str) -> frozenset[Node]:
        if not (found := self.named(name)) and not self.is_row(name):
            raise NoMeaning(f"no node is named {name}")
        return frozenset(found)

    def named(self, name: str) -> set[Node]:
        """The nodes of a name; of one such as `[line_3]` the rows of the tables that have so many."""
        if self.is_row(name):
            return {head for head in self.graph.heads if head == (name, head.owner)}
        return self.graph.entity(name)

    def is_row(self, name: str) -> bool:
        """Whether a name is that of rows."""
        return bool(self.graph.tables) and name.startswith("[line_")

    def of_source(self, call: Call) -> Graph:
        """The graph of the source that a call names."""
        source = written(call, "source")
        if source not in self.graph.sources:
            raise NoMeaning(f"no source is named {source}")
        return self.graph.asked([source])

    # get_information

    def search(self, call: Call) -> Output:
        """The output of get_information, with the heads that it was asked of."""
        if call.given("source") and self.every is None:
            return Interpreter(self.of_source(call), self.outputs, self).search(call)
        given = {name: call.given(name) for name in ("head_entity", "relation", "key")}
        heads = self.heads(given["head_entity"][0].value) if given["head_entity"] else None
        relations = self.relations(given["relation"][0].value) if given["relation"] else None
        fact_keys, properties = self.keys(given["key"][0].value) if given["key"] else (None, None)
        tail, value = self.comparisons(call, "tail_entity"), self.comparisons(call, "value")
        further = tuple(self.further(call, *names) for names in FURTHER if call.given(names[0]))
        if further:
            if fact_keys is None:
                raise NoMeaning("several keys are qualifiers")
            properties = None
        arguments = led(Arguments(heads, relations, tail, fact_keys, properties, value, further), given)
        output = get_information(self.graph, arguments)
        if given["head_entity"] and not isinstance(of := given["head_entity"][0].value, Literal):
            output = replace(output, disordered=self.operand(of).was_sorted)
        under = "relation" if arguments.letters in ("r", "hr", "rkv", "hrkv") else "key"
        if not (given[under] and isinstance(given[under][0].value, Literal)):
            output = replace(output, columns=None)
        gives_values_of_facts = arguments.fact_keys is not None and "v" not in arguments.letters
        is_of_heads = arguments.letters in OF_HEADS and not gives_values_of_facts
        if is_of_heads:
            return output
        if heads is None:
            return replace(output, whose=functions.asked_through(self.graph, arguments))
        return replace(output, whose=self.asked_of(given["head_entity"][0].value))

    def further(self, call: Call, key: str, value: str) -> tuple[frozenset[Node], tuple[Comparison, ...]]:
        """A further key of the same statement, and the bounds on its value."""
        keys, _ = self.keys(call.given(key)[0].value)
        bounds = tuple(self.comparison(argument) for argument in call.given(value))
        if keys is None or any(bound.superlative for bound in bounds):
            raise NoMeaning("a further key is a qualifier, and compared with a value")
        return keys, bounds

    def asked_of(self, value: Value) -> Output:
        """The name or value that heads were found by, else the heads."""
        return functions.subject(replace(self.operand(value), whose=None))

    def heads(self, value: Value) -> frozenset[Node]:
        """What is asked as a head: in tables a literal means the rows that hold it."""
        if isinstance(value, Literal):
            named = self.entities(value.text)
            rows = frozenset[Node]().union(*(self.graph.rows_with(node.name) for node in named))
            is_row = any(node.is_row for node in named)
            return rows if self.graph.only_tables and not is_row else named | rows
        output = self.operand(value)
        if output.sort is not Sort.NAMES:
            raise NoMeaning("facts and numbers are no heads")
        return frozenset(output.nodes)

    def relations(self, value: Value) -> frozenset[Node]:
        if isinstance(value, Literal):
            return self._known(self.graph.owned(value.text, self.graph.relations), value.text)
        output = self.operand(value)
        if output.sort is not Sort.NAMES:
            raise NoMeaning("facts and numbers are no relations")
        return frozenset(output.nodes & self.graph.relations)

    def keys(self, value: Value) -> tuple[frozenset[Node] | None, frozenset[Node] | None]:
        """The keys of facts of a name, and its relations, each None where there is none."""
        if not isinstance(value, Literal):
            return None, self.relations(value)
        time = TIMES.get(value.text.replace(" ", "_"))
        of_times = {key for key in self.graph.keys if key.owner in self.graph.steps and key.name == time}
        if of_times:
            return frozenset(of_times), None
        found = self._known(self.graph.owned(value.text, self.graph.keys | self.graph.relations), value.text)
        return found & self.graph.keys or None, found & self.graph.relations or None

    def _known(self, nodes: set[Node], name: str) -> frozenset[Node]:
        if not nodes:
            raise NoMeaning(f"no relation is named {name}")
        return frozenset(nodes)

    def comparisons(self, call: Call, name: str) -> tuple[Comparison, ...]:
        """The bounds on one argument: at most one superlative."""
        columns = ("relation", "key") if name == "tail_entity" else ("key", "relation")
        column = next((argument.value for each in columns for argument in call.given(each)), None)
        bounds = tuple(self.comparison(argument) for argument in call.given(name))
        if column is not None and not isinstance(column, Literal):
            bounds = tuple(bound._replace(plain=True) for bound in bounds)
        if sum(bound.superlative is not None for bound in bounds) > 1:
            raise NoMeaning("a second superlative of one argument")
        return bounds

    def comparison(self, argument: Argument, kept: bool = False) -> Comparison:
        """A bound; a literal that no node has must be a number, or ask for a frequency."""
        if not isinstance(argument.value, Literal):
            output = self.with_numbers(argument.value)
            if not (kept and argument.op != "="):
                output = output.alone
            return Comparison(argument.op, functions.values_only(output))
        text = argument.value.text
        nodes = self.named(text)
        if not nodes and read_span(text) is None and text not in SUPERLATIVES and argument.op == "=":
            raise NoMeaning(f"no node is named {text}")
        return Comparison(argument.op, text, frozenset(nodes))

    # The answer

    def replaced(self, output: Output, relation: str) -> Output:
        """Each element that has values under a relation is replaced by them."""
        relations = self._known(self.graph.owned(relation, self.graph.relations), relation)
        search, found = Search(self.graph), []
        for each in output.found:
            node = each.element
            under = search.tails(search.match({node}, relations)) if isinstance(node, Node) else []
            found += under or [each]
        if output.order is None:
            return replace(output, found=tuple(dict.fromkeys(found)), rows=False)
        under_each = {
            node: [f.element for f in sorted(search.tails(search.match({node}, relations)), key=_by_number_and_name)]
            if isinstance(node, Node)
            else []
            for node in output.order
        }
        order = dict.fromkeys(value for node in output.order for value in (under_each[node] or [node]))
        return replace(output, found=tuple(dict.fromkeys(found)), rows=False, order=tuple(order))


def _by_number_and_name(found: Found) -> tuple[bool, float, str]:
    """By the number that a value reads as; what reads as none comes last."""
    return found.number is None, found.number or 0.0, str(shown(found.element))
