"""Program and mapped names -> Plan: nested calls become steps, arguments become operands and comparisons."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import reduce

from cgstore.query import operators as ops
from cgstore.query.ast import Call, Literal, Place, Program
from cgstore.query.functions import ANYTHING, DATES, FUNCTIONS, NODES, OF_ALL_FACTS, ROWS, VALUES
from cgstore.query.iteration_planner import IterationPlanner, titles_of
from cgstore.query.operands import (
    AnyRelation,
    Constant,
    FactPattern,
    Names,
    NodeEquality,
    Operand,
    Output,
    OutputKind,
    Range,
    Word,
)
from cgstore.query.plan import Plan
from cgstore.query.settings import unit_of
from cgstore.query.sources import SourceScope, find_source
from cgstore.text.dates import Moment, Step, first, no_such_day, read_any_moment, read_as_time, read_time
from cgstore.text.kinds import ValueKind
from cgstore.text.numbers import read_number
from cgstore.text.roles import Role

_BETWEEN_DATES = (
    "Between dates, write year_difference, month_difference or day_difference(value1=..., value2=...); a date of the "
    "data is compared with this one by value<'...' or value>'...'."
)
_A_NUMBER = "Write a number, or an output with one: 'output_of_query1'."


def make_plan(program: Program, names: Mapping[Place, Names], scope: SourceScope) -> Plan:
    """The execution query of a program.

    Args:
        program: what was parsed.
        names: the nodes that each literal was mapped to, by its place.
        scope: the sources.

    Raises:
        ProgramError: a comparison with something that is not a number or time, arguments that no rule fits, or an
            output used where what it holds has no meaning (a sum of facts, a count as a head).
    """
    return Planner(program, names, scope).plan()


_DATES_WITH = {"year": "1999, 44 BC or 2004-07-02", "month": "2004-07 or 2004-07-02", "day": "2004-07-02"}
"""How a date is written that has a year, a month or a day."""


class Planner(IterationPlanner):
    """Plans the calls of all functions, each by the form of its row in `FUNCTIONS`."""

    def plan(self) -> Plan:
        for call in self.program.queries:
            self.query += 1
            self.outputs.append(self.step(call))
        queries = tuple(output.step for output in self.outputs)
        if self.program.target:
            self.query, self.call_place = 0, self.program.target.place
            self.replace_by_target(self.program.target)
        answer = self.outputs[-1]
        if self.types.of(answer).is_unordered:
            self.note("The answer is not in the order of sort, or of items: only keep, first and last keep it.")
        self.note_identifiers()
        steps, types = tuple(self.steps), tuple(self.types.steps)
        columns = titles_of(self.types.of(answer))
        notes, mixing = tuple(self.notes), tuple(self.mixing_searches(answer))
        return Plan(steps, types, answer.step, notes, mixing, columns, queries, tuple(self.origins))

    def note_identifiers(self) -> None:
        """A note for each column of identifiers whose numbers are added up, or averaged."""
        for step in self.steps:
            if not isinstance(step, ops.Aggregate | ops.Grouping) or step.function not in OF_ALL_FACTS:
                continue
            for of in map(self.types.of, step.measured):
                nodes = (node for node in self.every.relations.nodes if node.source in of.sources)
                numbering = {node.name for node in nodes if node.role == Role.IDENTIFIER}
                for name in sorted(numbering.intersection(of.columns)):
                    function = step.function.replace("_", " ")
                    self.note(f"'{name}' has identifiers, which only tell things apart: their {function} says nothing.")

    def replace_by_target(self, target: Literal) -> None:
        """The type in braces. Rows are not an answer to a question; anything else may stay as it is."""
        answer: Operand = self.outputs[-1]
        relation = self.names.get(target.place)
        kind = self.kind_of(answer)
        if kind is OutputKind.RECORDS:
            self.note(f"The type {{{target.text}}} is not used: select says what each record has.")
            return
        answer = self.elements(answer)
        if relation is not None and kind in NODES:
            self.outputs.append(self.add(ops.TargetValues(answer, relation)))
            if kind is not OutputKind.ROWS:
                self.record_sources(0, self.outputs[-1])
        elif kind is OutputKind.ROWS:
            raise self.error(f"no column is named '{target.text}'", target.place)

    def step(self, call: Call) -> Output:
        outer, self.types.scope = self.scope, self.every
        outer_place, self.call_place = self.call_place, call.place
        for argument in call.given("source"):
            assert isinstance(argument.value, Literal), "the parser takes nothing else"
            source = find_source(argument.value, self.every, self.program.text)
            self.types.scope = self.every if self.every.sources == (source,) else self.every.only(source)
        output = FORMS[FUNCTIONS[call.function].form](self, call)
        self.types.scope, self.call_place = outer, outer_place
        return output

    # Aggregates and rows ----------------------------------------------------------------------------------------------

    def aggregate(self, call: Call) -> Output:
        if len(call.given("set")) > 1:
            return self.aggregate_of_several(call)
        operand = self.operand_of(call)
        if call.function == "longest_run" and self.kind_of(operand) not in ROWS:
            raise self.error("longest_run takes rows", call.given("set")[0].place)
        if call.function in IN_ORDER and self.types.of(operand).is_unordered:
            hint = f"Write {call.function}(set=sort(set=...)), or leave sort out."
            raise self.error(f"the order of sort is lost before {call.function}", call.place, hint)
        for argument in call.given("n"):
            n = self.whole_number(argument)
            if n < 1 and call.function != "nth":
                raise self.error(f"{call.function} takes at least one element", argument.place)
            self.take_together(call.function, operand)
            return self.add(ops.Aggregate(call.function, operand, n=n))
        return self.add_aggregate(call.function, operand)

    def aggregate_of_several(self, call: Call) -> Output:
        """An aggregate of several sets: the extreme of all, the sum of their sums, the mean of all facts."""
        operands = [self.operand(argument, VALUES, call) for argument in call.given("set")]
        if call.function != "sum" and any(self.types.of(operand).has_numbers for operand in operands):
            raise self.error(
                f"{call.function} takes one set with numbers of its own", call.place, "Ask for each, and compare."
            )
        if call.function == "sum":
            return self.total("sum", operands)
        if len({self.kind_of(operand) is OutputKind.NUMBERS for operand in operands}) > 1:
            raise self.error(f"{call.function} of numbers and names is not defined", call.place)
        if call.function == "mean" and self.kind_of(operands[0]) is OutputKind.NUMBERS:
            return self.add(ops.Arithmetic("divide", self.total("sum", operands), self.total("count", operands)))
        return self.add_aggregate(call.function, self.union(*operands))

    def total(self, function: str, operands: Sequence[Operand]) -> Output:
        """The sum of an aggregate of each set."""
        each = [self.add_aggregate(function, operand) for operand in operands]
        return reduce(lambda a, b: self.add(ops.Arithmetic("add", a, b)), each)

    def add_aggregate(self, function: str, operand: Operand) -> Output:
        """Adds an aggregate. It takes each time once: times are points of one line, whatever facts they come from."""
        self.take_together(function, operand)
        if function in OF_ALL_FACTS and self.is_of_each_number(operand):
            self.note(
                f"Query {self.query}: the numbers that {function} takes are a set, so that equal ones count once. To "
                "take one for each row or head, write for_each(set=..., value=...), and take it of that."
            )
        once = tuple(node.key for node in self.types.of(operand).time_keys)
        return self.add(ops.Aggregate(function, operand, once))

    def is_of_each_number(self, operand: Operand) -> bool:
        """Whether an operand is of numbers that were worked out from the elements of a set."""
        return isinstance(operand, Output) and isinstance(self.steps[operand.step], ops.EachNumber)

    def heads_of_extreme(self, call: Call) -> Output:
        """argmax(values), or argmax(rows, relation): the heads of the facts with the greatest value."""
        operand = self.operand_of(call)
        if call.given("relation"):
            relation = self.operand(call.given("relation")[0], NODES, call)
            if self.kind_of(operand) not in NODES:
                raise self.error(
                    f"{self.kind_of(operand).in_words} have no relation", call.place, "Leave out relation=...."
                )
            operand = self.add(ops.SearchNode(relation, condition=operand))
            self.record_sources(self.query, operand, takes_source=False)
        self.take_together(call.function, operand)
        return self.add(ops.Aggregate(call.function, operand))

    def rows_beside(self, call: Call) -> Output:
        """The rows before or after, each in its own table; of anything else each number less or plus 1."""
        operand = self.operand_of(call)
        if self.kind_of(operand) is not OutputKind.ROWS:
            if self.may_be_dates(operand):
                self.note(
                    f"Query {self.query}: {call.function} counts on the scale of years, so that this is not the day "
                    "beside a date. Write that day into the program, as in key='time', value='2004-07-02'."
                )
            return self.add(ops.EachNumber(call.function, operand))
        return self.add(ops.RowsBeside(operand, 1 if call.function == "next_row" else -1))

    def each(self, call: Call) -> Output:
        place = next((self.whole_number(argument) for argument in call.given("which")), 1)
        return self.add(ops.EachNumber(call.function, self.operand_of(call), place - 1 if place > 0 else place))

    # Two values -------------------------------------------------------------------------------------------------------

    def arithmetic(self, call: Call, function: str | None = None) -> Output:
        """Two numbers; a difference in years, months or days is one of whole ones."""
        function = function or call.function
        unit = _UNITS.get(function) or self.unit(call)
        if unit:
            sides = [self.counted_in(unit, call, name) for name in ("value1", "value2")]
            return self.add(ops.Arithmetic("difference", *sides))
        left, right = self.number(call, "value1"), self.number(call, "value2")
        if any(self.may_be_dates(side) for side in (left, right)):
            days = " Write difference(a, b, unit='days') for days." if function in ("difference", "subtract") else ""
            self.note(
                "Dates are numbers on the scale of years: the result is in years and their parts, not in days." + days
            )
        return self.add(ops.Arithmetic(function, left, right))

    def counted_in(self, unit: str, call: Call, name: str) -> Operand:
        """The year, month or day of a date, as a number counted from a fixed one."""
        value = call.given(name)[0].value
        if isinstance(value, Literal):
            if unit == "year" and (number := read_number(value.text)) is not None:
                return self.add(ops.EachNumber("extract_year", Constant(number)))
            return Constant(self.count_of(unit, value))
        if unit == "year":
            operand = self.operand_of(call, name)
            if self.may_be_dates(operand):
                self.note("Years are those of the calendar: from December 1999 to January 2000 is 1.")
            return self.add(ops.EachNumber("extract_year", operand))
        if unit == "month":
            self.note("Months are those of the calendar: from 31 January to 1 February is 1.")
        operand = self.operand(call.given(name)[0], DATES, call)
        if self.types.of(operand).has_numbers:
            hint = "Write for_each(..., value=difference(..., unit='days')) for one difference of each element."
            raise self.error(f"{call.function} in {unit}s takes dates, not a set with numbers", call.place, hint)
        return self.add(ops.EachNumber(f"{unit}s_of", operand))

    def count_of(self, unit: str, literal: Literal) -> float:
        """The number of a date that is written out, in years, months from year 0, or days from 1970."""
        time = read_time(literal.text)
        moment = read_any_moment(literal.text) or (time.start if time and time.start == time.end else None)
        if moment is None or (unit == "month" and not moment.month) or (unit == "day" and not moment.day):
            problem = no_such_day(literal.text) or f"is not a date with a {unit}"
            raise self.error(f"'{literal.text}' {problem}", literal.place, f"Write it as {_DATES_WITH[unit]}.")
        if (shown := read_as_time(literal.text)) is not None:
            self.note(f"'{literal.text}' was read as {shown}.")
        epoch = first(Moment(1970, 1, 1), Step.DAY) if unit == "day" else 0
        return float(first(moment, Step(unit)) - epoch)

    def may_be_dates(self, operand: Operand) -> bool:
        """Whether elements may be dates: those of columns of dates, and times of sources that have months or days."""
        of = self.types.of(operand)
        is_dated = not {ValueKind.DATE, ValueKind.DAY_FIRST_DATE}.isdisjoint(of.value_kinds)
        return is_dated or any(key.step not in ("year", None) for key in of.time_keys)

    def unit(self, call: Call) -> str | None:
        """The unit of a difference of dates, if one is asked for."""
        for argument in call.given("unit"):
            text = argument.value.text if isinstance(argument.value, Literal) else ""
            if (unit := unit_of(text)) is None:
                hint = "Write unit='years', unit='months' or unit='days'."
                raise self.error(f"'{text}' is not a unit of a difference", argument.place, hint)
            return unit
        return None

    def calculate(self, call: Call) -> Output:
        """calculate(a, b, operator='-'): the function that the operator names."""
        value = call.given("operator")[0].value
        text = value.text.strip().lower() if isinstance(value, Literal) else ""
        return self.arithmetic(call, _ARITHMETIC[text]) if text in _ARITHMETIC else self.compare(call)

    def number(self, call: Call, name: str) -> Operand:
        """An output with numbers, or a number as written."""
        value = call.given(name)[0].value
        if not isinstance(value, Literal):
            return self.operand_of(call, name)
        if (number := read_number(value.text)) is None:
            is_date = read_any_moment(value.text) is not None
            raise self.error(f"'{value.text}' is not a number", value.place, _BETWEEN_DATES if is_date else _A_NUMBER)
        return Constant(number)

    def equals(self, call: Call) -> Output:
        """Each side is an output, a number as written, or a name."""
        sides = []
        for name in ("value1", "value2"):
            value = call.given(name)[0].value
            is_number = isinstance(value, Literal) and read_number(value.text) is not None
            sides.append(self.number(call, name) if is_number else self.operand_of(call, name))
        return self.add(ops.Equality(*sides))

    def compare(self, call: Call) -> Output:
        """compare(a, b) gives what the greater number belongs to: the rows or heads that the two numbers come from."""
        one, other = self.number(call, "value1"), self.number(call, "value2")
        if call.function in _YES_OR_NO:
            return self.add(ops.Choice(_YES_OR_NO[call.function], one, other, Word("yes"), Word("no")))
        op = self.operator(call)
        if call.function != "compare" and call.given("then"):
            return self.add(ops.Choice(op, one, other, *self.branches(call)))
        left, right = self.subject(one), self.subject(other)
        kinds = {self.kind_of(left), self.kind_of(right)}
        if len(kinds) > 1 and not kinds <= NODES:
            nobody = "the row or name that a number belongs to, and one of the two belongs to none"
            problem = nobody if OutputKind.NUMBERS in kinds else "one of the two, and these are facts and names"
            hint = "Write if(a > b, 'yes', 'no') for a word."
            raise self.error(f"compare gives {problem}", call.place, hint)
        return self.add(ops.Choice(op, one, other, left, right, both=True))

    def branches(self, call: Call) -> tuple[Operand, Operand]:
        """The two sides of an `if`. Literals are words; beside an output they are names."""
        given = (*call.given("then"), *call.given("else"))
        operands: list[Operand] = [Word(a.value.text) for a in given if isinstance(a.value, Literal)]
        if len(operands) < len(given):
            operands = [self.operand(argument, ANYTHING, call) for argument in given]
            kinds = {self.kind_of(operand) for operand in operands}
            if len(kinds) > 1 and not kinds <= NODES:
                problem = f"if cannot choose between {' and '.join(sorted(kind.in_words for kind in kinds))}"
                raise self.error(problem, call.place, "Both must hold the same kind of thing.")
        return operands[0], operands[1] if len(operands) > 1 else Names(())

    def operator(self, call: Call) -> str:
        """The sign that the operator stands for: a sign, or a word for one."""
        for argument in call.given("operator"):
            if isinstance(argument.value, Literal):
                words = argument.value.text.lower().replace("_", " ").removesuffix(" than").split()
                text = " ".join(words)
                if text in _OPERATORS:
                    return _OPERATORS[text]
                hint = f"One of {', '.join(sorted(_OPERATORS))}."
                raise self.error(f"'{argument.value.text}' is not a comparison", argument.value.place, hint)
        return ">"

    # What a number belongs to -----------------------------------------------------------------------------------------

    def subject(self, operand: Operand) -> Operand:
        """What a number belongs to: the heads of a value, what was counted, or the elements themselves."""
        if not isinstance(operand, Output):
            return operand
        if self.types.of(operand).has_numbers:
            return self.elements(operand)
        if operand.step in self.heads_searched:
            return self.chosen_by(self.heads_searched[operand.step])
        match self.steps[operand.step]:
            case ops.SearchNode(condition=Output() as heads):
                return self.chosen_by(heads)
            case ops.Aggregate(function="argmin" | "argmax"):
                return operand
            case ops.Aggregate() | ops.EachNumber() | ops.Selection() | ops.Sorting() as step:
                return self.subject(step.operand)
        return self.chosen_by(operand)

    def chosen_by(self, heads: Operand) -> Operand:
        """What heads were found by: the name, or the values that read as the number; else the heads."""
        if not isinstance(heads, Output):
            return self.rows_there(heads)
        if self.heads_searched.get(heads.step) == heads:
            return heads  # they are rows by their own name
        match self.steps[heads.step]:
            case ops.SetOperation(operands=(Names() as names, Output(step=rows))):
                match self.steps[rows]:
                    case ops.SearchCondition(node1=AnyRelation(columns=True)):
                        return names  # the rows hold a cell of that name
        searches = self.groups.get(heads.step, (heads,))
        sought = [self.sought(each) for each in searches]
        if all(isinstance(comparison, NodeEquality) for comparison in sought):
            return next(c.operand for c in sought if isinstance(c, NodeEquality))
        values = [self.values_of(each, c) for each, c in zip(searches, sought, strict=True) if c]
        if len(values) < len(searches):
            return heads
        return values[0] if len(values) == 1 else self.union(*values)

    def sought(self, heads: Output) -> NodeEquality | Range | None:
        """The name or the number that heads were found by, where one literal alone found them."""
        if self.kind_of(heads) not in NODES:
            return None
        match self.steps[heads.step]:
            case ops.SearchCondition(value=(NodeEquality(operand=Names()) as name,), condition=None, scope=None):
                return name
            case ops.SearchCondition(value=(Range(low=float(), high=float()) as number,), condition=None, scope=None):
                return number
        return None

    def values_of(self, heads: Output, comparison: NodeEquality | Range) -> Output:
        """The values by which heads were found."""
        step = self.steps[heads.step]
        assert isinstance(step, ops.SearchCondition), "heads are found by a search"
        whole_facts = isinstance(step.node1, Names) and step.node1.of_facts
        values = self.add(ops.SearchNode(step.node1, FactPattern(heads) if whole_facts else heads))
        return self.add(ops.Selection(values, (comparison,)))


FORMS: dict[str, Callable[[Planner, Call], Output]] = {
    "search": Planner.search,
    "for_each": Planner.for_each,
    "group": Planner.group,
    "select": Planner.select,
    "sets": Planner.set_operation,
    "negation": Planner.negation,
    "keep": Planner.keep,
    "heads": Planner.heads,
    "reach": Planner.reach,
    "items": Planner.items,
    "aggregate": Planner.aggregate,
    "heads_of_extreme": Planner.heads_of_extreme,
    "rows_beside": Planner.rows_beside,
    "each": Planner.each,
    "distinct": Planner.distinct,
    "sort": Planner.sort,
    "arithmetic": Planner.arithmetic,
    "calculate": Planner.calculate,
    "compare": Planner.compare,
    "equals": Planner.equals,
    "literals": Planner.literals,
}
"""The methods that plan calls, by the form of the function."""

IN_ORDER = ("first", "last", "nth")
"""Functions that take elements by their place."""

_UNITS = {"year_difference": "year", "month_difference": "month", "day_difference": "day"}
"""The functions that are a difference in a unit."""

_YES_OR_NO = {"greater_than": ">", "less_than": "<"}

_ARITHMETIC = {
    **dict.fromkeys(("-", "−", "subtract", "subtraction", "minus"), "subtract"),
    **dict.fromkeys(("difference", "abs_difference"), "difference"),
    **dict.fromkeys(("+", "add", "addition", "sum", "plus"), "add"),
    **dict.fromkeys(("*", "multiply", "product", "times"), "multiply"),
    **dict.fromkeys(("/", "divide", "division", "ratio"), "divide"),
}
"""What the operator of `calculate` may say, beside comparisons."""

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
