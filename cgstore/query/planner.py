"""Program and mapped names -> Plan: nested calls become steps, arguments become operands and comparisons."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, is_dataclass, replace
from functools import reduce

from cgstore.query.ast import Argument, Call, Literal, OutputRef, Place, Program
from cgstore.query.comparisons import ValueReading, compared
from cgstore.query.name_uses import is_time_name
from cgstore.query.operands import (
    Among,
    AnyRelation,
    Comparison,
    Constant,
    Extreme,
    FactPattern,
    Frequent,
    Named,
    Names,
    Operand,
    Output,
    OutputKind,
    Range,
    Word,
)
from cgstore.query.operators import (
    Aggregate,
    AggregateFunction,
    Arithmetic,
    Beside,
    CallOutput,
    Choice,
    Each,
    EachFunction,
    Equality,
    Keep,
    Negation,
    NumberFunction,
    Plan,
    Retyped,
    SearchCondition,
    SearchHead,
    SearchNode,
    SearchRelation,
    SetFunction,
    SetOperation,
    Sorted,
    Step,
    Written,
)
from cgstore.query.parse import ProgramError
from cgstore.query.rules import Given, translate
from cgstore.query.sources import SourceScope, listed, named_after, source_said
from cgstore.text.kinds import Kind as ValueKind
from cgstore.text.names import SEPARATOR, source_name
from cgstore.text.values import read_number

NODES = frozenset({OutputKind.NODES, OutputKind.ROWS})
VALUES = NODES | {OutputKind.NUMBERS}
CONDITIONS = NODES | {OutputKind.FACTS}
ANYTHING = frozenset(OutputKind)

TAKES = {
    "set_union": ANYTHING,
    "set_intersection": ANYTHING,
    "set_difference": ANYTHING,
    "count": ANYTHING,
    "distinct": ANYTHING,
    "first": ANYTHING,
    "last": ANYTHING,
    "mode": NODES,
    "argmin": NODES,
    "argmax": NODES,
    "set_negation": CONDITIONS,
}
"""What the sets of a function may hold; a function that is not here takes nodes, rows and numbers."""


@dataclass(frozen=True)
class _Type:
    """What a step's output holds, worked out once when the step is added, from the types of its operands.

    `value_kinds`: how its values are read. `time_keys`: the keys of the built-in keys that elements may be times of.
    `times`: all elements are. `cells`: the facts of all elements are those of rows. `ordered`: they are in the order
    of a `sort`. `unordered`: it has elements, or values of elements, that were, and their order is lost. `columns`: the
    names of the relations whose values they are, None for what may be anything else. `sources`: those that they may
    come from.
    """

    kind: OutputKind
    value_kinds: tuple[ValueKind, ...]
    time_keys: tuple[str, ...]
    times: bool
    cells: bool
    ordered: bool
    unordered: bool
    columns: tuple[str | None, ...]
    sources: frozenset[str]


def make_plan(program: Program, names: Mapping[Place, Names], asked: SourceScope) -> Plan:
    """The execution query of a program.

    Args:
        program: what was parsed.
        names: for every literal that names a node, by its place, the nodes that it was mapped to.
        asked: the sources.

    Raises:
        ProgramError: a comparison with something that is no number or time, arguments that no rule fits, or an
            output used where what it holds has no meaning (a sum of facts, a count as a head).
    """
    return _Planner(program, names, asked).plan()


class _Planner:
    def __init__(self, program: Program, names: Mapping[Place, Names], asked: SourceScope) -> None:
        self.program, self.names = program, names
        self.every = self.asked = asked  # all sources, and those that the call at hand is asked of
        self.query = 0  # the number of the query at hand
        self.notes: dict[str, None] = {}
        self.mixing: dict[int, CallOutput] = {}
        self.nested: dict[Place, Output] = {}
        self.steps: list[Step] = []
        self.types: list[_Type] = []
        self.outputs: list[Output] = []
        self.asked_of: dict[int, Operand] = {}  # of a search, by its step, the heads that it was asked of
        self.groups: dict[int, tuple[Output, ...]] = {}  # of a search, the searches that it is, by what literals mean

    def plan(self) -> Plan:
        for call in self.program.queries:
            self.query += 1
            self.outputs.append(self.step(call))
        if self.program.target:
            self.retype(self.program.target)
        answer = self.outputs[-1]
        if self.types[answer.step].unordered:
            self.note("The answer is not in the order of sort: that holds for sort itself, first and last.")
        return Plan(
            tuple(self.steps),
            tuple(each.kind for each in self.types),
            answer.step,
            frozenset(step for step, each in enumerate(self.types) if each.ordered),
            tuple(self.notes),
            tuple(each for each in self.mixing.values() if not self.is_told_later(each.step, answer)),
        )

    def note(self, sentence: str) -> None:
        """Takes down what is to be said of the program, once."""
        self.notes[sentence] = None

    def retype(self, target: Literal) -> None:
        """The type in braces. Rows are no answer to a question, anything else is one as it is."""
        answer = self.outputs[-1]
        kind, relation = self.kind_of_operand(answer), self.names.get(target.place)
        if relation is not None and kind in NODES:
            self.outputs.append(self.add(Retyped(answer, relation)))
            if kind is not OutputKind.ROWS:
                self.tell_sources(0, self.outputs[-1])
        elif kind is OutputKind.ROWS:
            raise self.error(f"no column is named '{target.text}'", target.place)

    def add(self, step: Step) -> Output:
        if isinstance(step, SearchNode | SearchHead) and self.one_source:
            step = replace(step, sources=self.one_source)
        self.steps.append(step)
        self.types.append(self.type_of(step))
        return Output(len(self.steps) - 1)

    def error(self, problem: str, place: Place, hint: str | None = None) -> ProgramError:
        return ProgramError(problem, self.program.text, place, hint)

    # Functions ------------------------------------------------------------------------------------------------------

    def step(self, call: Call) -> Output:
        outer, self.asked = self.asked, self.every
        for argument in call.given("source"):
            assert isinstance(argument.value, Literal), "the parser takes nothing else"
            source = source_said(argument.value, self.every, self.program.text)
            self.asked = self.every if self.every.sources == (source,) else self.every.only(source)
        output = self.called(call)
        self.asked = outer
        return output

    @property
    def one_source(self) -> tuple[str, ...]:
        """The source that the call at hand is asked of, where it says one of several."""
        return () if self.asked is self.every else self.asked.sources

    def called(self, call: Call) -> Output:
        match call.function:
            case "get_information":
                return self.search(call)
            case "keep":
                operand = self.taken(call, "set")
                return self.keep(call, operand)
            case "set_negation":
                return self.negation(call)
            case "set_union" | "set_intersection" | "set_difference":
                return self.set_operation(call)
            case "subtract" | "difference" | "year_difference" | "add" | "multiply" | "divide":
                return self.arithmetic(call, call.function)
            case "calculate":
                return self.calculated(call)
            case "min" | "max" | "sum" | "mean" if len(call.given("set")) > 1:
                return self.of_several(call)
            case "compare" | "if":
                return self.choice(call)
            case "equals":
                return self.add(Equality(self.number_or_name(call, "value1"), self.number_or_name(call, "value2")))
            case "greater_than" | "less_than":
                sign = ">" if call.function == "greater_than" else "<"
                one, other = self.number(call, "value1"), self.number(call, "value2")
                return self.add(Choice(sign, one, other, Word("yes"), Word("no")))
            case "sort":
                return self.add(Sorted(self.taken(call, "set"), self.is_descending(call)))
            case "abs" | "to_number" | "to_integer" | "extract_year" | "previous_row" | "next_row":
                return self.each(EachFunction(call.function), self.taken(call, "set"))
            case "argmin" | "argmax":
                return self.extreme_rows(call)
            case "literals":
                return self.literals(call)
        operand = self.taken(call, "set")
        if call.function == "distinct":
            return operand if isinstance(operand, Output) else self.add(SetOperation(SetFunction.UNION, (operand,)))
        if call.function in ("first", "last") and isinstance(operand, Output) and self.types[operand.step].unordered:
            hint = f"Write {call.function}(set=sort(set=...)), or leave sort out."
            raise self.error(f"the order of sort is lost before {call.function}", call.place, hint)
        return self.add(self.aggregate(call.function, operand))

    def aggregate(self, function: str, operand: Operand) -> Aggregate:
        """Times are points of one line, whatever facts they come from: their mean takes each once."""
        self.take_together(AggregateFunction(function), operand)
        return Aggregate(AggregateFunction(function), operand, once=self.time_keys(operand))

    def is_descending(self, call: Call) -> bool:
        """Whether `sort` is to begin with the greatest."""
        for argument in (*call.given("order"), *call.given("ascending"), *call.given("reverse")):
            text = argument.value.text.strip().lower() if isinstance(argument.value, Literal) else ""
            if text not in _ORDERS[argument.name]:
                hint = "Write order='ascending' or order='descending'."
                raise self.error(f"'{text}' is not an order", argument.place, hint)
            return _ORDERS[argument.name][text]
        return False

    def keep(self, call: Call, operand: Operand) -> Output:
        comparisons = self.comparisons(call, "value", self.reading_of(operand))
        if any(isinstance(c, Frequent | Extreme) for c in comparisons):
            hint = "Write mode(set=...), max(set=...) or min(set=...)."
            raise self.error("keep compares with what is written", call.given("value")[0].place, hint)
        return self.add(Keep(operand, comparisons))

    def literals(self, call: Call) -> Output:
        """What is written: the nodes of these names, if all have one; else numbers, or else words."""
        values = [argument.value for argument in call.given("set")]
        for value in values:
            if not isinstance(value, Literal):
                raise self.error("literals are texts", call.place, "Write set_union(...) for outputs.")
        texts = [value.text for value in values if isinstance(value, Literal)]
        names = [self.names.get(value.place) for value in values if isinstance(value, Literal)]
        if all(names):
            found = Names(tuple(node for each in names if each for node in each.nodes if not node.column))
            rows = [self.rows_there(each) for each in names if each and are_rows(each)]
            return self.add(SetOperation(SetFunction.UNION, (*([] if rows and not found.nodes else [found]), *rows)))
        numbers = tuple(number for number in map(read_number, texts) if number is not None)
        if len(numbers) == len(texts):
            return self.add(Written(tuple(dict.fromkeys(numbers))))
        return self.add(Written(tuple(dict.fromkeys(texts))))

    def taken(self, call: Call, name: str) -> Operand:
        return self.operand(call.given(name)[0], TAKES.get(call.function, VALUES), call)

    def arithmetic(self, call: Call, function: str) -> Output:
        """Two numbers; a difference in years is one of whole years."""
        left, right = self.number(call, "value1"), self.number(call, "value2")
        if function == "year_difference" or self.unit(call) in ("year", "years"):
            left, right = (self.add(Each(EachFunction.YEAR, side)) for side in (left, right))
        elif any(self.are_dated(side) for side in (left, right)):
            self.note("Dates are numbers on the scale of years: the result is in years and their parts, not in days.")
        return self.add(Arithmetic(NumberFunction(function.removeprefix("year_")), left, right))

    def are_dated(self, operand: Operand) -> bool:
        """Whether elements may be dates: those of columns of dates, and times of sources that have months or days."""
        if not isinstance(operand, Output):
            return False
        of = self.types[operand.step]
        searched = (step.node1 for step in self.steps if isinstance(step, SearchNode))
        steps = {
            node.step
            for names in searched
            if isinstance(names, Names)
            for node in names.nodes
            if node.key in of.time_keys
        }
        return not {ValueKind.DATE, ValueKind.DAY_FIRST_DATE}.isdisjoint(of.value_kinds) or bool(steps - {"year", None})

    def unit(self, call: Call) -> str | None:
        """The unit asked for; only whole years are one that is no matter of the data."""
        for argument in call.given("unit"):
            text = argument.value.text.lower() if isinstance(argument.value, Literal) else ""
            if text not in ("year", "years"):
                raise self.error(
                    "only unit='years' is known", argument.place, "Dates are numbers on the scale of years."
                )
            return text
        return None

    def calculated(self, call: Call) -> Output:
        """calculate(a, b, operator='-'): the function that the operator names."""
        value = call.given("operator")[0].value
        text = value.text.strip().lower() if isinstance(value, Literal) else ""
        return self.arithmetic(call, _SUMS[text]) if text in _SUMS else self.choice(call)

    def of_several(self, call: Call) -> Output:
        """An aggregate of several sets: the extreme of all, the sum of their sums, the mean of all facts."""
        operands = [self.operand(argument, VALUES, call) for argument in call.given("set")]
        if call.function == "sum":
            return self.total("sum", operands)
        if len({self.kind_of_operand(o) is OutputKind.NUMBERS for o in operands}) > 1:
            raise self.error(f"{call.function} of numbers and names is not defined", call.place)
        if call.function == "mean" and self.kind_of_operand(operands[0]) is OutputKind.NUMBERS:
            return self.add(
                Arithmetic(NumberFunction.DIVIDE, self.total("sum", operands), self.total("count", operands))
            )
        joined = self.add(SetOperation(SetFunction.UNION, tuple(operands)))
        return self.add(self.aggregate(call.function, joined))

    def total(self, function: str, operands: Sequence[Operand]) -> Output:
        """The sum of an aggregate of each set."""
        each = [self.add(self.aggregate(function, operand)) for operand in operands]
        return reduce(lambda a, b: self.add(Arithmetic(NumberFunction.ADD, a, b)), each)

    def number(self, call: Call, name: str) -> Operand:
        """An output whose numbers count, or a number as written."""
        value = call.given(name)[0].value
        if not isinstance(value, Literal):
            return self.taken(call, name)
        if (number := read_number(value.text)) is None:
            raise self.error(f"'{value.text}' is no number", value.place)
        return Constant(number)

    def number_or_name(self, call: Call, name: str) -> Operand:
        """An output, a number as written, or a name."""
        value = call.given(name)[0].value
        if isinstance(value, Literal) and (number := read_number(value.text)) is not None:
            return Constant(number)
        return self.taken(call, name)

    def set_operation(self, call: Call) -> Output:
        operands = tuple(self.operand(argument, ANYTHING, call) for argument in call.arguments)
        found = {self.kind_of_operand(o) for o in operands}
        kinds = sorted(found - {OutputKind.ROWS} | ({OutputKind.NODES} if OutputKind.ROWS in found else set()))
        if len(kinds) > 1:
            problem = f"{call.function} of {' and '.join(kinds)} is not defined"
            raise self.error(problem, call.place, "All its sets must hold the same kind of thing.")
        return self.add(SetOperation(SetFunction(call.function), operands))

    def each(self, function: EachFunction, operand: Operand) -> Output:
        """Rows before and after are rows again: by their numbers, and back; of several tables, each in its own."""
        by_row = (
            function in (EachFunction.PREVIOUS, EachFunction.NEXT) and self.kind_of_operand(operand) is OutputKind.ROWS
        )
        if not by_row:
            return self.add(Each(function, operand))
        numbers = self.asked.row_numbers.of(self.sources_of(operand))
        if len(numbers.nodes) > 1:
            return self.add(Beside(operand, 1 if function is EachFunction.NEXT else -1))
        moved = self.add(Each(function, self.add(SearchNode(numbers, condition=operand))))
        return self.add(SearchCondition(numbers, (self.reading(numbers).output("=", moved, OutputKind.NUMBERS),)))

    def extreme_rows(self, call: Call) -> Output:
        """argmax(values), or argmax(rows, relation): the heads of the facts with the greatest value."""
        operand = self.taken(call, "set")
        if call.given("relation"):
            relation = self.operand(call.given("relation")[0], NODES, call)
            operand = self.add(SearchNode(relation, condition=operand))
            self.tell_sources(self.query, operand)
        self.take_together(AggregateFunction(call.function), operand)
        return self.add(Aggregate(AggregateFunction(call.function), operand))

    def choice(self, call: Call) -> Output:
        """compare(a, b) gives whose number is the greater: the rows or heads that the two come from."""
        one, other = self.number(call, "value1"), self.number(call, "value2")
        op = self.operator(call)
        if call.function == "compare" or not call.given("then"):
            left, right = self.subject(one), self.subject(other)
            kinds = {self.kind_of_operand(left), self.kind_of_operand(right)}
            if len(kinds) > 1 and not kinds <= NODES:
                nobody = "whose number it is, and one of the two is nobody's"
                problem = nobody if OutputKind.NUMBERS in kinds else "one of the two, and these are facts and names"
                hint = "Say what is to come of it: if(a > b, 'yes', 'no')."
                raise self.error(f"compare gives {problem}", call.place, hint)
            return self.add(Choice(op, one, other, left, right, both=True))
        return self.add(Choice(op, one, other, *self.branches(call)))

    def branches(self, call: Call) -> tuple[Operand, Operand]:
        """The two sides of an `if`. Literals are words; beside an output they are names."""
        given = (*call.given("then"), *call.given("else"))
        if all(isinstance(argument.value, Literal) for argument in given):
            words = [Word(argument.value.text) for argument in given if isinstance(argument.value, Literal)]
            return words[0], words[1] if len(words) > 1 else Names(())
        operands = [self.operand(argument, ANYTHING, call) for argument in given]
        kinds = {self.kind_of_operand(o) for o in operands}
        if len(kinds) > 1 and not kinds <= NODES:
            problem = f"if cannot choose between {' and '.join(sorted(kinds))}"
            raise self.error(problem, call.place, "Both must hold the same kind of thing.")
        return operands[0], operands[1] if len(operands) > 1 else Names(())

    def operator(self, call: Call) -> str:
        """What is written as the operator: a sign, or a word for one."""
        for argument in call.given("operator"):
            if isinstance(argument.value, Literal):
                words = argument.value.text.lower().replace("_", " ").removesuffix(" than").split()
                text = " ".join(words)
                if text in _OPERATORS:
                    return _OPERATORS[text]
                hint = f"One of {', '.join(sorted(_OPERATORS))}."
                raise self.error(f"'{argument.value.text}' is no comparison", argument.value.place, hint)
        return ">"

    def subject(self, operand: Operand) -> Operand:
        """Whose number it is: the heads that a value was asked of, what was counted, or the elements themselves."""
        if not isinstance(operand, Output):
            return operand
        if operand.step in self.asked_of:
            return self.chosen_by(self.asked_of[operand.step])
        match self.steps[operand.step]:
            case SearchNode(condition=Output() as heads):
                return self.chosen_by(heads)
            case Aggregate(function=AggregateFunction.ARGMIN | AggregateFunction.ARGMAX):
                return operand
            case Aggregate(operand=inner) | Each(operand=inner) | Keep(operand=inner) | Sorted(operand=inner):
                return self.subject(inner)
        return self.chosen_by(operand)

    def chosen_by(self, heads: Operand) -> Operand:
        """What heads were found by: the name asked for, or the values that read as the number; else the heads."""
        if not isinstance(heads, Output):
            return self.rows_there(heads)
        if self.asked_of.get(heads.step) == heads:
            return heads  # they are rows by their own name
        match self.steps[heads.step]:
            case SetOperation(operands=(Names() as names, Output(step=rows))) if self.are_of_any_cell(rows):
                return names
        searches = self.groups.get(heads.step, (heads,))
        sought = [self.sought(each) for each in searches]
        if all(isinstance(comparison, Among) for comparison in sought):
            return next(c.operand for c in sought if isinstance(c, Among))
        values = [self.values_of(each, c) for each, c in zip(searches, sought, strict=True) if c]
        if len(values) < len(searches):
            return heads
        return values[0] if len(values) == 1 else self.add(SetOperation(SetFunction.UNION, tuple(values)))

    def sought(self, heads: Output) -> Among | Range | None:
        """The name or the number that heads were found by, where they were found by one literal alone."""
        match self.steps[heads.step]:
            case SearchCondition(value=(Among(operand=Names()) as name,), condition=None, scope=None):
                return name if self.types[heads.step].kind in NODES else None
            case SearchCondition(value=(Range(low=float(), high=float()) as number,), condition=None, scope=None):
                return number if self.types[heads.step].kind in NODES else None
        return None

    def values_of(self, heads: Output, comparison: Comparison) -> Output:
        """The values of heads that they were found by."""
        step = self.steps[heads.step]
        assert isinstance(step, SearchCondition), "heads are found by a search"
        whole_facts = isinstance(step.node1, Names) and step.node1.of_facts
        values = self.add(SearchNode(step.node1, FactPattern(heads) if whole_facts else heads))
        return self.add(Keep(values, (comparison,)))

    def are_of_any_cell(self, step: int) -> bool:
        """Whether these are the rows that a literal head stands for beside the node of its name."""
        found = self.steps[step]
        return isinstance(found, SearchCondition) and isinstance(found.node1, AnyRelation) and found.node1.columns

    # get_information ------------------------------------------------------------------------------------------------

    def search(self, call: Call) -> Output:
        key, relation = (self.of_source(self.only(call, name)) for name in ("key", "relation"))
        key, relation = self.of_columns_named(call, key, relation)
        head = self.head(call)
        found: list[Output] = []
        for some_key in self.keys(call, key):
            for some_relation in self.relations(call, relation, some_key):
                given = self.given(call, head, some_relation, some_key)
                if relation is None and some_relation is not None:
                    given = replace(given, relation=None, any_relation=some_relation)
                self.check_superlatives(call, given)
                translated = translate(given, self.add)
                if translated is None:
                    raise self.error("a value beside a tail_entity needs its key", call.place, "Add key=...")
                found.append(self.add(translated))
        output = found[0] if len(found) == 1 else self.add(SetOperation(SetFunction.UNION, tuple(found)))
        self.groups[output.step] = tuple(found)
        self.tell_sources(self.query, *found)
        if head is not None and isinstance(translated, SearchNode | SearchHead | SearchRelation):
            self.asked_of[output.step] = head
        return output

    def check_superlatives(self, call: Call, given: Given) -> None:
        """The most frequent time or qualifier is one of all facts, and cannot be sought among those of a fact."""
        superlative = any(isinstance(c, Frequent | Extreme) for c in given.value)
        if superlative and given.of_facts and (given.tail or (given.head and given.relation)):
            hint = "Leave out the tail_entity, and one of head_entity and relation."
            raise self.error(
                "'most' and the like are of all facts that have the key", call.given("value")[0].place, hint
            )

    def given(self, call: Call, head: Operand | None, relation: Operand | None, key: Operand | None) -> Given:
        of_facts = isinstance(key, Names) and key.of_facts
        of_relation = self.reading(relation)
        of_value = self.reading(key) if key is not None else of_relation
        is_value_of_key = relation is None and key is not None and not of_facts and not call.given("value")
        of_tail = of_value if is_value_of_key else of_relation
        return Given(
            head=head,
            relation=relation,
            tail=self.comparisons(call, "tail_entity", of_tail),
            key=key,
            value=self.comparisons(call, "value", of_value),
            of_facts=of_facts,
            time_key=isinstance(key, Names) and key.time_key,
            any_relation=AnyRelation(sources=self.one_source),
        )

    def head(self, call: Call) -> Operand | None:
        """The head. A cell of a table stands for the rows that hold it (language page, section 5)."""
        head = self.only(call, "head_entity")
        if not isinstance(head, Names) or not self.asked.columns.nodes or all(node.column for node in head.nodes):
            return head
        rows = self.add(SearchCondition(AnyRelation(columns=True, sources=self.one_source), (Among(head),)))
        return rows if self.asked.only_tables else self.add(SetOperation(SetFunction.UNION, (head, rows)))

    def relations(self, call: Call, relation: Operand | None, key: Operand | None) -> Iterator[Operand | None]:
        """The relations in groups that read alike what is written as their value; None where that makes no matter."""
        compared = [*call.given("tail_entity"), *(call.given("value") if key is None else ())]
        literals = [a for a in compared if isinstance(a.value, Literal)]
        of_key = relation is None and isinstance(key, Names) and not key.of_facts and not call.given("value")
        if not literals or of_key or not isinstance(relation, Names | None):
            yield relation
            return
        everything = relation or self.asked.relations
        groups = self.by_reading(everything, literals)
        plain = groups == [everything] and (relation is not None or self.reads_plainly(everything, literals))
        yield from [relation] if plain else groups

    def reads_plainly(self, relations: Names, arguments: Sequence[Argument]) -> bool:
        """Whether literals mean the same as values of these relations as where no kind of values is known."""
        literals = [(a.op, a.value, self.names.get(a.value.place)) for a in arguments if isinstance(a.value, Literal)]
        readings = (self.reading(relations), ValueReading())
        return all(
            len({compared(op, value.text, each, names) for each in readings}) == 1 for op, value, names in literals
        )

    def keys(self, call: Call, key: Operand | None) -> Iterator[Operand | None]:
        """Built-in keys; or properties of heads and qualifiers, in groups that read alike what is written."""
        if not isinstance(key, Names):
            yield key
            return
        written = [a for name in ("tail_entity", "value") for a in call.given(name) if isinstance(a.value, Literal)]
        if self.is_built_in(call, key):
            yield from self.by_reading(replace(key, of_facts=True, time_key=True), call.given("value"))
            return
        if heads := tuple(node for node in key.nodes if node.of_heads):
            yield from self.by_reading(replace(key, nodes=heads), written)
        plain = tuple(node._replace(kind=ValueKind.TEXT) for node in key.nodes if node.of_facts)
        qualifiers = replace(key, nodes=plain, of_facts=True)
        if plain and (not heads or self.is_readable(qualifiers, call.given("value"))):
            yield qualifiers

    def is_readable(self, names: Names, arguments: Sequence[Argument]) -> bool:
        """Whether the literals among the arguments can be compared with the values of these nodes."""
        reading = self.reading(names)
        literals = [(a.op, a.value) for a in arguments if isinstance(a.value, Literal)]
        return all(compared(op, value.text, reading, self.names.get(value.place)) for op, value in literals)

    def is_built_in(self, call: Call, key: Names) -> bool:
        """Whether a key is one of those of temporal facts, and no column or qualifier of that name."""
        written = any(isinstance(a.value, Literal) and is_time_name(a.value) for a in call.given("key"))
        return written and all(node.built_in for node in key.nodes)

    def by_reading(self, names: Names, arguments: Sequence[Argument]) -> list[Names]:
        """The nodes in groups by what the literals among the arguments mean as their values.

        Nodes whose values cannot be compared with them are left out where there are others.
        """
        literals = [(a.op, a.value) for a in arguments if isinstance(a.value, Literal)]
        alike: dict[tuple[ValueKind, str | None], list[Named]] = {}
        for node in names.nodes if literals else ():
            alike.setdefault((node.kind, node.step), []).append(node)
        groups: dict[tuple[Comparison | None, ...], list[Named]] = {}
        for nodes in alike.values():
            reading = self.reading(replace(names, nodes=tuple(nodes)))
            meant = tuple(compared(op, value.text, reading, self.names.get(value.place)) for op, value in literals)
            groups.setdefault(meant, []).extend(nodes)
        readable = {meant: nodes for meant, nodes in groups.items() if None not in meant} or groups
        if len(readable) < 2 and len(readable) == len(groups):
            return [names]
        return [replace(names, nodes=tuple(nodes)) for nodes in readable.values()]

    def only(self, call: Call, name: str) -> Operand | None:
        arguments = call.given(name)
        return self.operand(arguments[0], NODES, call) if arguments else None

    # Arguments ------------------------------------------------------------------------------------------------------

    def operand(self, argument: Argument, taken: frozenset[OutputKind], call: Call) -> Operand:
        value = argument.value
        if isinstance(value, Literal):
            named = self.literal(value)
            is_set = call.function != "get_information" and argument.name != "relation"
            return self.rows_there(named) if is_set else named
        if isinstance(value, OutputRef):
            output = self.outputs[value.number - 1]
        else:  # once, also where the call around it becomes several searches
            output = self.nested[value.place] = self.nested.get(value.place) or self.step(value)
        what = argument.name if call.function == "get_information" else f"{call.function}'s {argument.name}"
        kind = self.types[output.step].kind
        if kind not in taken:
            hint = f"This output holds {kind}; {what} takes {' or '.join(sorted(taken))}."
            raise self.error(f"{what} cannot be {kind}", argument.place, hint)
        return output

    def rows_there(self, named: Operand) -> Operand:
        """The rows of a number, `[line_3]`, of the tables that have so many; anything else as it is."""
        if not are_rows(named):
            return named
        assert isinstance(named, Names)
        number = float(named.nodes[0].name.removeprefix("[line_").removesuffix("]"))
        places = self.asked.row_numbers.of(named.sources)
        rows = self.add(SearchCondition(places, (Range(number, high=number, shown=f"= {number:g}"),)))
        self.asked_of[rows.step] = rows
        return rows

    def literal(self, literal: Literal) -> Names:
        if literal.place not in self.names:
            raise self.error(f"nothing is named '{literal.text}'", literal.place)
        return self.names[literal.place]

    def comparisons(self, call: Call, name: str, reading: ValueReading) -> tuple[Comparison, ...]:
        """The comparisons that one argument makes, all of which hold; one superlative at most is among them."""
        given = call.given(name)
        comparisons = tuple(self.comparison(argument, call, reading) for argument in given)
        superlatives = [a for a, c in zip(given, comparisons, strict=True) if isinstance(c, Frequent | Extreme)]
        if len(superlatives) > 1:
            hint = "Ask for each in a query of its own, then set_intersection."
            raise self.error(f"a second superlative of one {name}", superlatives[1].place, hint)
        return comparisons

    def comparison(self, argument: Argument, call: Call, reading: ValueReading) -> Comparison:
        value = argument.value
        if not isinstance(value, Literal):
            operand = self.operand(argument, VALUES, call)
            assert isinstance(operand, Output)
            return reading.output(argument.op, operand, self.types[operand.step].kind)
        comparison = compared(argument.op, value.text, reading, self.names.get(value.place))
        if comparison is None:
            problem = f"'{value.text}' is no number, year or date to compare with"
            hint = "Write a number, a year (2004) or a date (2004-07-01), or the output of an earlier query."
            if set(reading.kinds) == {ValueKind.TEXT}:
                hint = "The values compared are texts: only plain numbers and years among them have an order."
            raise self.error(problem, value.place, hint)
        if isinstance(comparison, Range) and reading.otherwise(value.text) and (span := reading.span(value.text)):
            self.note(
                f"'{value.text}' was read as {span.lo:.10g}, as programs write numbers; its column has decimal commas."
            )
        if isinstance(comparison, Range):
            for said in (reading.coarsened(value.text), reading.left_aside(value.text)):
                if said:
                    self.note(said)
        return comparison

    def reading(self, relation: Operand | None) -> ValueReading:
        """How the values of a relation or key are compared."""
        if not isinstance(relation, Names):
            return ValueReading()
        steps = {node.step for node in relation.nodes}
        return ValueReading(
            kinds=tuple(dict.fromkeys(node.kind for node in relation.nodes)),
            time=relation.time_key,
            step=steps.pop() if len(steps) == 1 else None,
            sources=tuple(dict.fromkeys(source_name(node.key.partition(SEPARATOR)[0]) for node in relation.nodes)),
        )

    def reading_of(self, operand: Operand) -> ValueReading:
        """How the elements of an output are compared: as the values of the relations that they were found under."""
        return ValueReading(self.value_kinds(operand), time=self.are_times(operand))

    # Sources --------------------------------------------------------------------------------------------------------

    def of_source(self, relation: Operand | None) -> Operand | None:
        """Of relations that an output holds, those of the source that the call says."""
        if not isinstance(relation, Output) or not self.one_source:
            return relation
        return self.add(SetOperation(SetFunction.INTERSECTION, (relation, self.asked.relations)))

    def of_columns_named(
        self, call: Call, key: Operand | None, relation: Operand | None
    ) -> tuple[Operand | None, Operand | None]:
        """The key and the relation, of one source where a value is sought that comes from a column named after it."""
        for name in ("tail_entity", "value"):
            is_key = key is not None and (name == "value" or relation is None)
            column = key if is_key else relation
            if not isinstance(column, Names) or len(column.sources) < 2:
                continue
            given = [a for a in call.given(name) if a.op == "=" and not isinstance(a.value, Literal)]
            for operand in [self.operand(argument, VALUES, call) for argument in given]:
                column = self.led(column, operand)
            key, relation = (column, relation) if is_key else (key, column)
        return key, relation

    def led(self, column: Names, operand: Operand) -> Names:
        """The columns of a name, or that of the source which the column of the values sought is named after."""
        found_in = list(self.columns_of(operand))
        leads = {named_after(name, column.names, column.sources) if name else None for name in found_in}
        source = leads.pop() if len(leads) == 1 else None
        if source is None:
            return column
        others = listed(column.sources - {source})
        self.notes[
            f"Query {self.query}: '{column.names[0]}' is taken for that of {listed([source])} alone, which "
            f"'{found_in[0]}' is named after; {others} {'has' if len(column.sources) == 2 else 'have'} it too. "
            "To ask another source, write source='...' into the call."
        ] = None
        return column.of({source})

    def columns_of(self, operand: Operand) -> tuple[str | None, ...]:
        """The names of the relations whose values an output holds, None for elements that may be anything else."""
        return self.types[operand.step].columns if isinstance(operand, Output) else (None,)

    def columns_of_step(self, step: Step) -> Iterator[str | None]:
        match step:
            case SearchNode(node1=Names(nodes=nodes)):
                yield from (node.name for node in nodes)
            case SetOperation(operands=operands):
                for each in operands:
                    yield from self.columns_of(each)
            case Keep(operand=inner) | Sorted(operand=inner):
                yield from self.columns_of(inner)
            case Aggregate(function=function, operand=inner) if function not in _OTHERS:
                yield from self.columns_of(inner)
            case _:
                yield None

    def sources_of(self, operand: Operand) -> frozenset[str]:
        """The sources that the elements of an output may come from; rows are of the tables that they are sought in."""
        if isinstance(operand, Output):
            return self.types[operand.step].sources
        rows = isinstance(operand, Names) and are_rows(operand)
        return operand.sources if rows and isinstance(operand, Names) else frozenset(self.every.sources)

    def sources_of_step(self, step: Step) -> frozenset[str]:
        every = frozenset(self.every.sources)
        match step:
            case SearchNode(node1=relation, condition=Output() as heads) if (
                self.kind_of_operand(heads) is OutputKind.ROWS
            ):
                return self.owners(relation) & self.sources_of(heads)
            case SearchNode(node1=relation) | SearchCondition(node1=relation) | SearchRelation(relations=relation):
                return self.owners(relation)
            case Retyped(relation=relation):
                return self.owners(relation)
            case SearchHead(sources=sources):
                return frozenset(sources) or every
            case SetOperation(operands=operands):
                return frozenset().union(*map(self.sources_of, operands))
            case Keep(operand=inner) | Sorted(operand=inner) | Aggregate(operand=inner) | Beside(operand=inner):
                return self.sources_of(inner)
        return every

    def owners(self, relation: Operand) -> frozenset[str]:
        """The sources that have a relation or key."""
        if isinstance(relation, AnyRelation) and relation.sources:
            return frozenset(relation.sources)
        return relation.sources if isinstance(relation, Names) else frozenset(self.every.sources)

    def tell_sources(self, query: int, *found: Output) -> None:
        """Takes down that the elements of searches may come from several sources, which is to be told."""
        several = len(self.every.sources) > 1
        if several and len(frozenset().union(*map(self.sources_of, found))) > 1:
            self.mixing |= {each.step: CallOutput(each.step, query, found[-1].step) for each in found}

    def is_told_later(self, step: int, answer: Output) -> bool:
        """Whether rows are only asked for values, whose sources are told: not all of them need have any."""
        rows = Output(step)
        uses = [(number, other) for number, other in enumerate(self.steps) if rows in operands(other)]
        return (
            self.types[step].kind is OutputKind.ROWS
            and rows != answer
            and all(
                isinstance(other, SearchNode)
                and other.condition == rows
                and (number in self.mixing or len(self.sources_of(Output(number))) < 2)
                for number, other in uses
            )
        )

    def take_together(self, function: AggregateFunction, operand: Operand) -> None:
        """Takes down that an aggregate is of elements of several sources."""
        for step in self.searches_in(operand):
            self.mixing[step] = self.mixing[step]._replace(summed=function)

    def searches_in(self, operand: Operand) -> set[int]:
        """The searches of several sources whose elements an operand has."""
        found: set[int] = set()
        seen: set[int] = set()
        waiting = [operand]
        while waiting:
            each = waiting.pop()
            if not isinstance(each, Output) or each.step in seen:
                continue
            seen.add(each.step)
            match self.steps[each.step]:
                case _ if each.step in self.mixing:
                    found.add(each.step)
                case SetOperation(operands=operands):
                    waiting += operands
                case Keep(operand=inner) | Sorted(operand=inner) | Each(operand=inner):
                    waiting.append(inner)
        return found

    def negation(self, call: Call) -> Output:
        """All other heads, of all sources: which is told where there are several."""
        if len(self.every.sources) > 1:
            self.notes[
                f"Query {self.query}: set_negation takes the heads of all sources asked: {listed(self.every.sources)}. "
                "To take those of one, write set_difference, and source='...' into the call that gives its heads."
            ] = None
        return self.add(Negation(self.taken(call, "set")))

    # What an output holds -------------------------------------------------------------------------------------------

    def type_of(self, step: Step) -> _Type:
        kind = self.kind_of(step)
        return _Type(
            kind,
            tuple(dict.fromkeys(self.value_kinds_of(step))),
            () if kind is OutputKind.NUMBERS else tuple(dict.fromkeys(self.time_keys_of(step))),
            self.are_times_of(step),
            self.are_cells_of(step),
            self.is_ordered(step),
            self.is_unordered(step),
            tuple(dict.fromkeys(self.columns_of_step(step))),
            self.sources_of_step(step),
        )

    def is_ordered(self, step: Step) -> bool:
        match step:
            case Sorted():
                return True
            case Keep(operand=Output(step=inner)) | Retyped(operand=Output(step=inner)):
                return self.types[inner].ordered
            case Choice(left=left, right=right, both=False):
                sides = [side for side in (left, right) if side != Names(())]
                return all(isinstance(side, Output) and self.types[side.step].ordered for side in sides)
        return False

    def is_unordered(self, step: Step) -> bool:
        """Whether a set, or the values of one, is asked of elements in order; computed numbers have no other order."""
        used: Sequence[Operand | None]
        match step:
            case SetOperation(operands=operands):
                used = operands
            case Negation(operand=operand) | Each(operand=operand):
                used = (operand,)
            case Keep(operand=Output(step=inner)) | Retyped(operand=Output(step=inner)):
                return self.types[inner].unordered
            case Choice(left=left, right=right, both=False):
                used = (left, right)
            case SearchCondition(condition=FactPattern(head=head)):
                used = (head,)
            case SearchNode(condition=head) | SearchHead(head=head) | SearchRelation(head=head):
                used = (head.head if isinstance(head, FactPattern) else head,)
            case _:
                return False
        types = [self.types[operand.step] for operand in used if isinstance(operand, Output)]
        return any(each.ordered or each.unordered for each in types) and not self.is_ordered(step)

    def value_kinds(self, operand: Operand) -> tuple[ValueKind, ...]:
        return self.types[operand.step].value_kinds if isinstance(operand, Output) else ()

    def value_kinds_of(self, step: Step) -> Iterator[ValueKind]:
        match step:
            case SearchNode(node1=Names() as relation) | Retyped(relation=Names() as relation):
                yield from (node.kind for node in relation.nodes)
            case SetOperation(operands=operands):
                for each in operands:
                    yield from self.value_kinds(each)
            case Keep(operand=inner) | Sorted(operand=inner) | Aggregate(operand=inner):
                yield from self.value_kinds(inner)
            case Choice(left=left, right=right):
                yield from self.value_kinds(left)
                yield from self.value_kinds(right)

    def time_keys(self, operand: Operand) -> tuple[str, ...]:
        """The nodes' keys of the built-in keys that elements may be times of."""
        return self.types[operand.step].time_keys if isinstance(operand, Output) else ()

    def time_keys_of(self, step: Step) -> Iterator[str]:
        match step:
            case SearchNode(node1=Names(time_key=True) as names):
                yield from names.keys
            case SetOperation(operands=operands):
                for each in operands:
                    yield from self.time_keys(each)
            case Keep(operand=inner) | Sorted(operand=inner) | Aggregate(operand=inner):
                yield from self.time_keys(inner)
            case Choice(left=left, right=right):
                yield from self.time_keys(left)
                yield from self.time_keys(right)

    def are_times(self, operand: Operand) -> bool:
        return isinstance(operand, Output) and self.types[operand.step].times

    def are_times_of(self, step: Step) -> bool:
        match step:
            case SearchNode(node1=Names(time_key=time_key)):
                return time_key
            case SetOperation(operands=operands):
                return all(self.are_times(each) for each in operands)
            case Keep(operand=inner) | Sorted(operand=inner) | Aggregate(operand=inner):
                return self.are_times(inner)
        return False

    def kind_of(self, step: Step) -> OutputKind:
        match step:
            case SearchCondition(node1=Names(time_key=True), heads=False):
                return OutputKind.FACTS
            case SearchCondition(node1=Names(nodes=nodes)) if nodes and all(node.column for node in nodes):
                return OutputKind.ROWS
            case SearchCondition(node1=AnyRelation(columns=columns)) if columns or self.asked.only_tables:
                return OutputKind.ROWS
            case SetOperation(operands=operands):
                return self.common_kind(*operands)
            case Choice(left=left, right=right):
                return self.common_kind(left, right)
            case Negation(operand=operand) | Keep(operand=operand) | Sorted(operand=operand):
                return self.kind_of_operand(operand)
            case Beside():
                return OutputKind.ROWS
            case Aggregate(function=function, operand=operand):
                return self.kind_of_aggregate(function, operand)
            case Arithmetic() | Each():
                return OutputKind.NUMBERS
            case Equality():
                return OutputKind.WORDS
            case Written(values=values):
                return OutputKind.NUMBERS if all(isinstance(value, float) for value in values) else OutputKind.WORDS
        return OutputKind.NODES

    def kind_of_aggregate(self, function: AggregateFunction, operand: Operand) -> OutputKind:
        if function in (AggregateFunction.COUNT, AggregateFunction.SUM, AggregateFunction.MEAN):
            return OutputKind.NUMBERS
        if function in (AggregateFunction.ARGMIN, AggregateFunction.ARGMAX):
            are_rows = self.are_cells(operand) or self.kind_of_operand(operand) is OutputKind.ROWS
            return OutputKind.ROWS if are_rows else OutputKind.NODES
        return self.kind_of_operand(operand)

    def are_cells(self, operand: Operand) -> bool:
        """Whether the facts of all elements are those of rows."""
        return isinstance(operand, Output) and self.types[operand.step].cells

    def are_cells_of(self, step: Step) -> bool:
        match step:
            case SearchNode(node1=Names(nodes=nodes)):
                return bool(nodes) and all(node.column for node in nodes)
            case SetOperation(operands=operands):
                return all(self.are_cells(each) for each in operands)
            case Keep(operand=inner) | Sorted(operand=inner) | Aggregate(operand=inner):
                return self.are_cells(inner)
            case Choice(left=left, right=right, both=False):
                return all(self.are_cells(each) for each in (left, right) if each != Names(()))
        return False

    def common_kind(self, *operands: Operand) -> OutputKind:
        """Rows and other nodes together are nodes."""
        kinds = {self.kind_of_operand(o) for o in operands if o != Names(())}
        return kinds.pop() if len(kinds) == 1 else OutputKind.NODES

    def kind_of_operand(self, operand: Operand) -> OutputKind:
        if isinstance(operand, Output):
            return self.types[operand.step].kind
        if isinstance(operand, Word):
            return OutputKind.WORDS
        if are_rows(operand):
            return OutputKind.ROWS
        return OutputKind.NUMBERS if isinstance(operand, Constant) else OutputKind.NODES


def operands(part: object) -> Iterator[Output]:
    """The outputs that a step uses."""
    if isinstance(part, Output):
        yield part
    elif isinstance(part, tuple):
        for each in part:
            yield from operands(each)
    elif is_dataclass(part) and not isinstance(part, Names):
        for each in fields(part):
            yield from operands(getattr(part, each.name))


def are_rows(operand: Operand) -> bool:
    """Whether a name is that of rows, `[line_3]`."""
    return isinstance(operand, Names) and bool(operand.nodes) and all(node.column for node in operand.nodes)


_ORDERS = {
    "order": {
        **dict.fromkeys(("ascending", "asc", "increasing"), False),
        **dict.fromkeys(("descending", "desc", "decreasing"), True),
    },
    "ascending": {"true": False, "false": True},
    "reverse": {"true": True, "false": False},
}
"""What the arguments of `sort` may say, and whether that is to begin with the greatest."""
_OTHERS = (
    AggregateFunction.COUNT,
    AggregateFunction.SUM,
    AggregateFunction.MEAN,
    AggregateFunction.ARGMIN,
    AggregateFunction.ARGMAX,
)
"""The aggregates that do not give elements of their set."""

_SUMS = {
    **dict.fromkeys(("-", "−", "subtract", "subtraction", "minus"), "subtract"),
    **dict.fromkeys(("difference", "abs_difference"), "difference"),
    **dict.fromkeys(("+", "add", "addition", "sum", "plus"), "add"),
    **dict.fromkeys(("*", "multiply", "product", "times"), "multiply"),
    **dict.fromkeys(("/", "divide", "division", "ratio"), "divide"),
}
"""What `calculate` may be told to do, beside comparing."""

_OPERATORS = {
    **dict.fromkeys((">", "greater", "larger", "more", "higher", "bigger", "longer", "after", "later"), ">"),
    **dict.fromkeys(("max", "maximum", "greatest", "largest", "highest", "most", "latest"), ">"),
    **dict.fromkeys(("<", "less", "smaller", "fewer", "lower", "shorter", "before", "earlier"), "<"),
    **dict.fromkeys(("min", "minimum", "least", "smallest", "lowest", "fewest", "earliest"), "<"),
    **dict.fromkeys((">=", "greater or equal", "greater than or equal to"), ">="),
    **dict.fromkeys(("<=", "less or equal", "less than or equal to"), "<="),
    **dict.fromkeys(("=", "==", "equal", "equals", "same"), "="),
}
"""What `operator` may say."""
