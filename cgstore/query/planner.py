"""Program and mapped names -> Plan: nested calls become steps, arguments become operands and comparisons."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import reduce
from itertools import product

from cgstore.errors import setting
from cgstore.model import TimeKey
from cgstore.notes import Detail
from cgstore.query import operators as ops
from cgstore.query.ast import Argument, Call, Each, Literal, OutputRef, Place, Program, Value
from cgstore.query.comparisons import ValueReading, comparison_with
from cgstore.query.functions import (
    ANYTHING,
    DATES,
    FUNCTIONS,
    FURTHER,
    GROUP_FUNCTIONS,
    NODES,
    OF_ALL_FACTS,
    ROWS,
    SEARCH,
    SYNONYMS,
    VALUES,
)
from cgstore.query.name_uses import is_time_name
from cgstore.query.operands import (
    AnyRelation,
    Comparison,
    Constant,
    Named,
    Names,
    NodeEquality,
    Operand,
    Output,
    OutputKind,
    Range,
    Superlative,
    TextTest,
    Word,
    parts_of,
)
from cgstore.query.operators import Part
from cgstore.query.parse import EACH, TEXT_TESTS, ProgramError
from cgstore.query.plan import CallOutput, Plan, StepOrigin
from cgstore.query.rules import heads, translate
from cgstore.query.settings import BY_NAME, MOST_STEPS, ORDERS, SEPARATORS, place_of, separator_of, unit_of
from cgstore.query.sources import SourceScope, find_source, list_sources, source_named_after
from cgstore.query.types import OutputType, Types
from cgstore.text.dates import (
    Moment,
    Step,
    first,
    known_problem_of,
    no_such_day,
    read_any_moment,
    read_as_time,
    read_time,
    with_four_digits,
)
from cgstore.text.kinds import ValueKind
from cgstore.text.names import source_name
from cgstore.text.numbers import read_number
from cgstore.text.roles import Role

MOST_COLUMNS = 12
"""Most fields of a record."""

IN_ORDER = ("first", "last", "nth")
"""Functions that take elements by their place."""

_UNITS = {"year_difference": "year", "month_difference": "month", "day_difference": "day"}
"""The functions that are a difference in a unit."""

_OF_HEADS = (Part.HEAD, Part.SUBJECT, Part.FACT)
"""Searches that find heads, and are not asked of them."""

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

_DATES_WITH = {"year": "1999, 44 BC or 2004-07-02", "month": "2004-07 or 2004-07-02", "day": "2004-07-02"}
"""How a date is written that has a year, a month or a day."""

_BETWEEN_DATES = (
    "Between dates, write year_difference, month_difference or day_difference(value1=..., value2=...); a date of the "
    "data is compared with this one by value<'...' or value>'...'."
)
_A_NUMBER = "Write a number, or an output with one: 'output_of_query1'."

_HOW_OFTEN = (
    "For how often each occurs, write group(by=...) with the function of a relation, as in group(by=items('...')) or "
    "group(by=extract_month('...')), and argmax of its output for the most frequent."
)
_FIRST_WORD = "For the first or the last of words by name, write first(set=sort(set=...)) or last(set=sort(set=...))."
_OF_EACH = "For a number that is worked out for each element, write {0}(set=for_each(set=..., value=...))."

INSTEAD = {
    ("mode", OutputKind.WORDS): _HOW_OFTEN,
    ("mode", OutputKind.NUMBERS): _HOW_OFTEN,
    ("max", OutputKind.WORDS): f"{_HOW_OFTEN} {_FIRST_WORD}",
    ("min", OutputKind.WORDS): _FIRST_WORD,
    (SEARCH, OutputKind.WORDS): "Words are not searched: give the output that they were made from, or write one, as "
    "in value='2007-06' for a month.",
    ("argmax", OutputKind.WORDS): _HOW_OFTEN,
    ("argmax", OutputKind.NUMBERS): "Write max(set=...) for the greatest number, or argmax(set=heads, relation='...'). "
    + _OF_EACH.format("argmax"),
    ("argmin", OutputKind.NUMBERS): "Write min(set=...) for the least number, or argmin(set=heads, relation='...'). "
    + _OF_EACH.format("argmin"),
    ("for_each", OutputKind.WORDS): "for_each gives each element a number; if(..., x, y) and yes or no are words. For "
    "the elements that satisfy a comparison, write keep(set=for_each(set=..., value=...), value>'5'), and count for "
    "how many.",
}
"""What to write instead of a function of such elements."""


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


class Planner:
    """Plans the calls of a program: a method for each form of functions (`Function.form`) adds the steps of a call."""

    def __init__(self, program: Program, names: Mapping[Place, Names], scope: SourceScope) -> None:
        self.program, self.names = program, names
        self.asked = scope
        self.types = Types(scope)
        self.steps: list[ops.Step] = []
        self.origins: list[StepOrigin] = []
        self.notes: dict[str, None] = dict.fromkeys(program.notes)
        self.mixing: dict[int, CallOutput] = {}
        self.query = 0  # the number of the query at hand
        self.call_place: Place = (0, 0)  # the place of the call at hand
        self.outputs: list[Output] = []  # of the queries so far
        self.nested: dict[Place, Output] = {}  # of the calls within calls
        self.heads_searched: dict[int, Operand] = {}  # the heads that a search was asked of, by its step
        self.groups: dict[int, tuple[Output, ...]] = {}  # the searches of a call, by its last step
        self.current_element: Output | None = None  # the element at hand, in a call that is run for each

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
            self.note("The order of sort, or of items, is lost: only keep, first and last keep it.", "order")
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
                nodes = (node for node in self.asked.relations.nodes if node.source in of.sources)
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
            self.note(f"The type {{{target.text}}} is not used: select says what each record has.", "type")
            return
        answer = self.without_numbers(answer)
        if relation is not None and kind in NODES:
            self.outputs.append(self.add(ops.TargetValues(answer, relation)))
            if kind is not OutputKind.ROWS:
                self.record_sources(self.outputs[-1])
        elif kind is OutputKind.ROWS:
            raise self.error(f"no column is named '{target.text}'", target.place)

    def step(self, call: Call) -> Output:
        outer, self.types.scope = self.scope, self.asked
        outer_place, self.call_place = self.call_place, call.place
        for argument in call.given("source"):
            assert isinstance(argument.value, Literal), "the parser takes nothing else"
            source = find_source(argument.value, self.asked, self.program.text)
            self.types.scope = self.asked if self.asked.sources == (source,) else self.asked.only(source)
        output: Output = getattr(self, FUNCTIONS[call.function].form)(call)
        self.types.scope, self.call_place = outer, outer_place
        return output

    # The steps so far -------------------------------------------------------------------------------------------------

    @property
    def scope(self) -> SourceScope:
        """The sources that the call at hand is asked of."""
        return self.types.scope

    @property
    def one_source(self) -> tuple[str, ...]:
        """The source that the call at hand is asked of, where it says one of several."""
        return () if self.scope is self.asked else self.scope.sources

    def error(self, problem: str, place: Place, hint: str | None = None) -> ProgramError:
        """The error of a place in the program."""
        return ProgramError(problem, self.program.text, place, hint)

    def note(self, sentence: str, kind: str = "") -> None:
        """Adds a note of how the program was understood, once."""
        self.notes[Detail(kind, sentence) if kind else sentence] = None

    def add(self, step: ops.Step) -> Output:
        """Adds a step, and records the type of its output."""
        if isinstance(step, ops.Search) and self.one_source:
            step = replace(step, sources=self.one_source)
        output_type = step.output_type(self.types)
        if output_type.kind is OutputKind.NUMBERS:
            output_type = replace(output_type, time_keys=())
        self.steps.append(step)
        self.origins.append(StepOrigin(self.query, self.call_place))
        self.types.steps.append(output_type)
        return Output(len(self.steps) - 1)

    def union(self, *operands: Operand) -> Output:
        """Adds the union of operands."""
        return self.add(ops.SetOperation("set_union", operands))

    def output_of(self, operand: Operand) -> Output:
        """An operand as the output of a step."""
        return operand if isinstance(operand, Output) else self.union(operand)

    def kind_of(self, operand: Operand) -> OutputKind:
        """What an operand holds."""
        return self.types.of(operand).kind

    # Several sources --------------------------------------------------------------------------------------------------

    def record_sources(self, *found: Output, takes_source: bool = True) -> None:
        """Records the searches of a call, if their elements may come from several sources."""
        sources: frozenset[str] = frozenset().union(*(self.types.of(each).sources for each in found))
        if len(self.asked.sources) > 1 and len(sources) > 1:
            for step in (output.step for output in found):
                self.mixing[step] = CallOutput(step, self.query, found[-1].step, takes_source=takes_source)
                self.types.steps[step] = replace(self.types.steps[step], mixed=frozenset({step}))

    def mark_combined(self, function: str, operand: Operand) -> None:
        """Records that an aggregate takes elements of several sources together."""
        for step in self.types.of(operand).mixed:
            self.mixing[step] = self.mixing[step]._replace(summed=function)

    def mixing_searches(self, answer: Output) -> Iterator[CallOutput]:
        """The searches whose sources the answer names.

        Rows that are only asked for values are left out: the answer names the sources of the values, and some rows may
        have none.
        """
        uses: dict[int, list[int]] = {}
        bodies = [(step.each.step, n) for n, step in enumerate(self.steps) if isinstance(step, ops.Iteration)]
        for number, step in enumerate(self.steps):
            for used in parts_of(step, Output):
                uses.setdefault(used.step, []).append(number)
        for each in self.mixing.values():
            if any(first <= each.step < last for first, last in bodies):
                continue
            rows = Output(each.step)
            users = [(number, self.steps[number]) for number in uses.get(each.step, ())]
            is_asked_for_values = self.kind_of(rows) is OutputKind.ROWS and rows != answer
            if not is_asked_for_values or not all(
                isinstance(user, ops.Search)
                and (user.asked, user.head) == (Part.TAIL, rows)
                and (number in self.mixing or len(self.types.steps[number].sources) < 2)
                for number, user in users
            ):
                yield each

    # Arguments --------------------------------------------------------------------------------------------------------

    def optional_operand(self, call: Call, name: str) -> Operand | None:
        """The operand of an argument that is given once or not at all."""
        arguments = call.given(name)
        return self.operand(arguments[0], NODES, call) if arguments else None

    def operand_of(self, call: Call, name: str = "set") -> Operand:
        """The operand of an argument, of a kind that the function takes."""
        return self.operand(call.given(name)[0], FUNCTIONS[call.function].takes, call)

    def operand(self, argument: Argument, taken: frozenset[OutputKind], call: Call) -> Operand:
        """The operand of an argument that takes outputs of some kinds."""
        value = argument.value
        if isinstance(value, Literal):
            named = self.nodes_of(value)
            return self.as_rows(named) if call.function != SEARCH and argument.name != "relation" else named
        if isinstance(value, Each):
            assert self.current_element is not None, "the parser makes it in the body of a call alone"
            output = self.current_element
        elif isinstance(value, OutputRef):
            output = self.outputs[value.number - 1]
        else:  # once, also where the call around it becomes several searches
            output = self.nested[value.place] = self.nested.get(value.place) or self.step(value)
        what = argument.name if call.function == SEARCH else f"{call.function}'s {argument.name}"
        kind = self.kind_of(output)
        row = FUNCTIONS[call.function]
        is_number = row.of_numbers or argument.name in ("value1", "value2")
        if is_number and self.types.of(output).has_numbers:
            return output
        if kind not in taken:
            takes = " or ".join(each.in_words for each in sorted(taken))
            hint = INSTEAD.get((call.function, kind), f"This output holds {kind.in_words}; {what} takes {takes}.")
            raise self.error(f"{what} cannot be {kind.in_words}", argument.place, hint)
        return self.without_numbers(output)

    def without_numbers(self, operand: Operand) -> Operand:
        """An operand without the numbers of its own that its elements may have."""
        return self.union(operand) if self.types.of(operand).has_numbers else operand

    def as_rows(self, named: Operand) -> Operand:
        """The rows that a name such as `[line_3]` stands for, in the tables that have them; other names as they are."""
        if not isinstance(named, Names) or not named.is_of_tables:
            return named
        number = float(named.nodes[0].name.removeprefix("[line_").removesuffix("]"))
        places = self.scope.row_numbers.of(named.sources)
        rows = self.add(heads(places, (Range(number, high=number, shown=f"= {number:g}"),)))
        self.heads_searched[rows.step] = rows
        return rows

    def nodes_of(self, literal: Literal) -> Names:
        """The nodes of a literal."""
        if literal.place not in self.names:
            raise self.error(f"nothing is named '{literal.text}'", literal.place)
        return self.names[literal.place]

    def require_whole_number(self, argument: Argument) -> int:
        """The whole number, or the place, that an argument says."""
        if (number := place_of(argument.text)) is None:
            problem = f"{argument.name} takes a whole number that is not 0"
            raise self.error(problem, argument.place, f"Write {argument.name}='3'.")
        return number

    def require_text(self, argument: Argument) -> str:
        """The text of an argument that takes no output."""
        if not isinstance(argument.value, Literal) or not argument.value.text:
            is_output = not isinstance(argument.value, Literal)
            problem = f"{argument.name} takes a text, written out{', not an output' if is_output else ''}"
            equal = " For the elements that are also in an output, write set_intersection." if is_output else ""
            raise self.error(problem, argument.place, f"Write {argument.name}='...'.{equal}")
        return argument.value.text

    def comparisons(self, call: Call, name: str, reading: ValueReading) -> tuple[Comparison, ...]:
        """The comparisons that one argument makes, with one superlative at most; all of them must hold."""
        given = call.given(name)
        comparisons = tuple(self.comparison(argument, call, reading) for argument in given)
        superlatives = [a for a, c in zip(given, comparisons, strict=True) if isinstance(c, Superlative)]
        if len(superlatives) > 1:
            hint = "Ask for each in a query of its own, then set_intersection."
            raise self.error(f"a second superlative of one {name}", superlatives[1].place, hint)
        return comparisons

    def comparison(self, argument: Argument, call: Call, reading: ValueReading) -> Comparison:
        """The comparison with a literal or an output."""
        value = argument.value
        if not isinstance(value, Literal):
            operand = self.operand(argument, VALUES, call)
            operand = self.without_numbers(operand) if argument.op == "=" else operand
            assert isinstance(operand, Output)
            return reading.output(argument.op, operand, self.kind_of(operand))
        comparison = comparison_with(argument.op, value.text, reading, self.names.get(value.place))
        if comparison is None:
            hint = "Write a number, a year (2004) or a date (2004-07-01), or the output of an earlier query."
            if problem := known_problem_of(value.text) if reading.time else no_such_day(value.text):
                raise self.error(f"'{value.text}' {problem}", value.place, hint)
            if set(reading.kinds) == {ValueKind.TEXT} and not reading.time:
                hint = "The values compared are texts: only plain numbers and years among them have an order."
            if longer := with_four_digits(value.text):
                hint = f"A year has four digits: write {longer}."
            raise self.error(f"'{value.text}' is not a number, year or date to compare with", value.place, hint)
        if isinstance(comparison, Range):
            for sentence in (*reading.notes(value.text), *reading.later_times(argument.op, value.text)):
                self.note(sentence)
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
            sources=tuple(dict.fromkeys(source_name(node.source) for node in relation.nodes)),
            nows=self.nows(relation) if relation.time_key else (),
        )

    def nows(self, key: Names) -> tuple[tuple[str, str], ...]:
        """The sources whose times a key asks for, each with the time until which its open facts hold, if it has any.

        That of an earlier time is not kept.
        """
        every = self.asked.nows if self.asked.changes is None else {}
        times = [node.source for node in key.nodes if node.name == TimeKey.TIME and node.source in every]
        return tuple((source_name(source), every[source]) for source in times)

    def meanings(self, reading: ValueReading, arguments: Sequence[Argument]) -> tuple[Comparison | bool | None, ...]:
        """What arguments mean as values: comparisons with literals, and whether outputs are equalled by their numbers.

        Of a literal with which nothing can be compared, None.
        """
        return tuple(
            comparison_with(a.op, a.value.text, reading, self.names.get(a.value.place))
            if isinstance(a.value, Literal)
            else reading.by_number
            for a in arguments
            if a.op == "=" or isinstance(a.value, Literal)
        )

    # get_information --------------------------------------------------------------------------------------------------

    def search(self, call: Call) -> Output:
        """The output of get_information: one search for each way to read the literals, and the union of these."""
        for value in (argument.value for argument in call.given("relation")):
            if isinstance(value, Literal) and value.optional and value.place not in self.names:
                self.note(f"No fact has the relation '{value.text}', so the time constraint holds for all by it.")
                return self.union(Names(()))
        key, relation = (self.limit_to_source(self.optional_operand(call, name)) for name in ("key", "relation"))
        key, relation = self.choose_sources_by_columns(call, key, relation)
        self.note_of_two_tables(key, relation)
        head = self.head(call)
        found: list[Output] = []
        further = self.further(call)
        for some_key in self.keys(call, key) if further == [()] else self.keys_of_statements(call, key):
            self.note_of_periods(some_key, further)
            for some_relation, others in product(list(self.relations(call, relation, some_key)), further):
                given = self.read_arguments(call, head, some_relation, some_key, others)
                self.check_superlatives(call, given)
                translated = translate(call.letters, given, self.add)
                if translated is None:
                    raise self.error("a value beside a tail_entity needs its key", call.place, "Add key=...")
                if isinstance(translated, ops.Search) and not self.program.covalues:
                    translated = replace(translated, covalues=False)
                found.append(self.add(translated))
        self.record_sources(*found)
        output = found[0] if len(found) == 1 else self.union(*found)
        self.groups[output.step] = tuple(found)
        if head is not None and isinstance(translated, ops.Search) and translated.asked not in _OF_HEADS:
            self.heads_searched[output.step] = head
        return output

    def note_of_two_tables(self, key: Operand | None, relation: Operand | None) -> None:
        """Notes that no row has both of two columns, since they are of different tables."""
        if not (isinstance(key, Names) and isinstance(relation, Names) and key.is_of_tables and relation.is_of_tables):
            return
        if key.sources.isdisjoint(relation.sources):
            places = [f"'{names.names[0]}' is a column of {list_sources(names.sources)}" for names in (relation, key)]
            self.note(
                f"Query {self.query}: {' and '.join(places)}: no row has both. Ask one table, and take its values to "
                "the other: value='output_of_query1', where both have a column of them."
            )

    def note_of_periods(self, key: Operand | None, further: Sequence[tuple[ops.Said, ...]]) -> None:
        """Notes what is not known: which time, or of an old source which end, belongs to which start of a fact."""
        keys = [key, *(said.key for others in further for said in others)]
        times = [each for each in keys if isinstance(each, Names) and each.time_key]
        named = {name for each in times for name in each.names}
        if len(named) < 2:
            return
        if TimeKey.TIME in named:
            self.note(
                f"Query {self.query}: of a fact that holds in several periods, `time` means the times of all of them, "
                "and a start_time or end_time may be that of another period. Ask for start_time and end_time instead."
            )
        unpaired = frozenset[str]().union(*(each.sources for each in times)) & self.asked.unpaired
        if unpaired and named >= {TimeKey.START, TimeKey.END}:
            self.note(
                f"Query {self.query}: {list_sources(unpaired)}, loaded by an earlier version of cgstore, does not say "
                "which end belongs to which start of a fact that holds in several periods: all of its ends are given "
                f"for each of its starts. Load it again with {setting('replace', True)} to tell them apart."
            )

    def check_superlatives(self, call: Call, given: ops.Search) -> None:
        """Refuses the most frequent time or qualifier of some facts: it is taken over all facts."""
        superlative = any(isinstance(c, Superlative) for c in given.value)
        of_facts = isinstance(given.key, Names) and given.key.of_facts
        if superlative and of_facts and ("t" in call.letters or "hr" in call.letters):
            hint = "Leave out the tail_entity, and one of head_entity and relation."
            place = call.given("value")[0].place
            raise self.error("'most' and the like are taken over all facts that have the key", place, hint)

    def read_arguments(
        self,
        call: Call,
        head: Operand | None,
        relation: Operand | None,
        key: Operand | None,
        further: tuple[ops.Said, ...],
    ) -> ops.Search:
        """What the call gives, for one key and one relation, which stands for any where none is given."""
        of_relation = self.reading(relation)
        of_value = self.reading(key) if key is not None else of_relation
        is_of_facts = isinstance(key, Names) and key.of_facts
        is_value_of_key = relation is None and key is not None and not is_of_facts and not call.given("value")
        tail = self.comparisons(call, "tail_entity", of_value if is_value_of_key else of_relation)
        value = self.comparisons(call, "value", of_value)
        any_relation = AnyRelation(sources=self.one_source)
        return ops.Search(Part.HEAD, head, relation or any_relation, tail, key, value, further)

    def head(self, call: Call) -> Operand | None:
        """Returns the head of a search; a cell of a table becomes the rows that hold it (language page, section 5)."""
        head = self.optional_operand(call, "head_entity")
        if not isinstance(head, Names) or not self.scope.columns.nodes or all(node.column for node in head.nodes):
            return head
        rows = self.add(heads(AnyRelation(columns=True, sources=self.one_source), (NodeEquality(head),)))
        return rows if self.scope.only_tables else self.union(head, rows)

    def relations(self, call: Call, relation: Operand | None, key: Operand | None) -> Iterator[Operand | None]:
        """The relations, in groups for which the literals mean the same; None stands for all relations."""
        arguments = [*call.given("tail_entity"), *(call.given("value") if key is None else ())]
        literals = [a for a in arguments if isinstance(a.value, Literal)]
        of_key = relation is None and isinstance(key, Names) and not key.of_facts and not call.given("value")
        if isinstance(relation, Names):
            yield from self.group_by_reading(relation, arguments)
            return
        if not literals or of_key or relation is not None:
            yield relation
            return
        every = self.scope.relations
        groups = self.group_by_reading(every, literals)
        meanings = (self.meanings(each, literals) for each in (self.reading(every), ValueReading()))
        if groups == [every] and len(set(meanings)) == 1:
            yield None
        else:
            yield from groups

    def keys(self, call: Call, key: Operand | None) -> Iterator[Operand | None]:
        """Built-in keys; or properties of heads and qualifiers; in groups for which the literals mean the same."""
        if not isinstance(key, Names):
            yield key
            return
        values = call.given("value")
        is_time = is_time_name(call.argument_text("key"))
        if is_time and all(node.built_in for node in key.nodes):
            yield from self.group_by_reading(replace(key, of_facts=True, time_key=True), values)
            return
        if heads := tuple(node for node in key.nodes if node.of_heads):
            arguments = (*call.given("tail_entity"), *values)
            yield from self.group_by_reading(replace(key, nodes=heads), arguments)
        plain = tuple(node._replace(kind=ValueKind.TEXT) for node in key.nodes if node.of_facts)
        qualifiers = replace(key, nodes=plain, of_facts=True)
        if plain and (not heads or None not in self.meanings(self.reading(qualifiers), values)):
            yield qualifiers

    def keys_of_statements(self, call: Call, key: Operand | None) -> list[Operand | None]:
        """Returns the keys that belong to facts; with further keys, there must be some."""
        found = [each for each in self.keys(call, key) if isinstance(each, Names) and each.of_facts]
        if not found:
            raise self.no_qualifier(call, "key")
        return [*found]

    def further(self, call: Call) -> list[tuple[ops.Said, ...]]:
        """What further keys say of the same statement, once for each way to read their literals."""
        return list(product(*(self.further_values(call, *names) for names in FURTHER if call.given(names[0]))))

    def further_values(self, call: Call, name: str, compared: str) -> list[ops.Said]:
        """The values under one further key."""
        key = self.optional_operand(call, name)
        named = key.nodes if isinstance(key, Names) else ()
        nodes = tuple(node for node in named if (node.of_facts or node.built_in) and not node.periods)
        if not isinstance(key, Names) or not nodes:
            raise self.no_qualifier(call, name)
        is_time = all(node.built_in for node in nodes)
        nodes = nodes if is_time else tuple(node._replace(kind=ValueKind.TEXT) for node in nodes if node.of_facts)
        keys = self.group_by_reading(replace(key, nodes=nodes, of_facts=True, time_key=is_time), call.given(compared))
        every = [ops.Said(some, self.comparisons(call, compared, self.reading(some))) for some in keys]
        if any(isinstance(c, Superlative) for each in every for c in each.value):
            place = call.given(compared)[0].place
            hint = "Write the value itself, or the output of an earlier query."
            raise self.error(f"{compared} cannot be 'most' and the like", place, hint)
        return every

    def no_qualifier(self, call: Call, name: str) -> ProgramError:
        """The error of a key that does not speak of statements, in a call with several keys."""
        value = call.given(name)[0].value
        what = f"'{value.text}' is not a qualifier" if isinstance(value, Literal) else f"{name} takes a name"
        hint = (
            "key and where_key are qualifiers of one statement. For what else a head has, and for times, ask in a "
            "query of its own, then set_intersection."
        )
        return self.error(what, value.place, hint)

    def group_by_reading(self, names: Names, arguments: Sequence[Argument]) -> list[Names]:
        """The nodes, in groups by what the arguments mean as their values.

        Nodes whose values cannot be compared with the literals are left out where there are others.
        """
        if not any(a.op == "=" or isinstance(a.value, Literal) for a in arguments):
            return [names]
        alike: dict[tuple[ValueKind, str | None], list[Named]] = {}
        for node in names.nodes:
            alike.setdefault((node.kind, node.step), []).append(node)
        groups: dict[tuple[Comparison | bool | None, ...], list[Named]] = {}
        for nodes in alike.values():
            meant = self.meanings(self.reading(replace(names, nodes=tuple(nodes))), arguments)
            groups.setdefault(meant, []).extend(nodes)
        readable = {meant: nodes for meant, nodes in groups.items() if None not in meant} or groups
        if len(readable) < 2 and len(readable) == len(groups):
            return [names]
        return [replace(names, nodes=tuple(nodes)) for nodes in readable.values()]

    # The source that is meant -----------------------------------------------------------------------------------------

    def limit_to_source(self, relation: Operand | None) -> Operand | None:
        """The relations of an output, limited to the source that the call says."""
        if not isinstance(relation, Output) or not self.one_source:
            return relation
        return self.add(ops.SetOperation("set_intersection", (relation, self.scope.relations)))

    def choose_sources_by_columns(
        self, call: Call, key: Operand | None, relation: Operand | None
    ) -> tuple[Operand | None, Operand | None]:
        """The key and the relation, limited to the source after which the column of the given values is named.

        A source that lacks the other one of the two could give nothing, so that neither is limited to it.
        """
        for name in ("tail_entity", "value"):
            is_key = key is not None and (name == "value" or relation is None)
            column = key if is_key else relation
            if not isinstance(column, Names) or len(column.sources) < 2:
                continue
            given = [a for a in call.given(name) if a.op == "=" and not isinstance(a.value, Literal)]
            for operand in [self.operand(argument, VALUES, call) for argument in given]:
                column = self.choose_source_by_column(column, operand, relation if is_key else key)
            key, relation = (column, relation) if is_key else (key, column)
        return key, relation

    def choose_source_by_column(self, column: Names, operand: Operand, beside: Operand | None) -> Names:
        """The columns of a name, limited to the source after which the column of the given values is named.

        `beside` is the relation or key that the same call gives; the source must have it.
        """
        found_in = self.types.of(operand).columns
        leads = {source_named_after(name, column.names, column.sources) if name else None for name in found_in}
        source = leads.pop() if len(leads) == 1 else None
        if source is None or (isinstance(beside, Names) and source not in beside.sources):
            return column
        others = list_sources(column.sources - {source})
        self.note(
            f"Query {self.query}: '{column.names[0]}' is taken for that of {list_sources([source])} alone, which "
            f"'{found_in[0]}' is named after; {others} {'has' if len(column.sources) == 2 else 'have'} it too. "
            "To ask another source, write source='...' into the call."
        )
        return column.of({source})

    # Heads and paths --------------------------------------------------------------------------------------------------

    def heads(self, call: Call) -> Output:
        """The heads that have a value under a relation; all heads, which in tables are the rows with a number."""
        relation: Operand | None = self.limit_to_source(self.optional_operand(call, "relation"))
        if relation is None:
            rows = self.scope.row_numbers
            relation = rows if self.scope.only_tables and rows.nodes else AnyRelation(sources=self.one_source)
        found = self.add(heads(relation))
        self.record_sources(found)
        return found

    def reach(self, call: Call) -> Output:
        """The union of as many searches along the relation as steps are taken, and a look at one step more."""
        name = self.path_end(call)
        relation = self.path_relation(call)
        steps = self.path_steps(call)
        start = level = self.operand(call.given(name)[0], NODES, call)
        levels: list[Output] = []
        for _ in range(steps + 1):
            if name == "head_entity":
                level = self.add(ops.Search(Part.TAIL, level, relation))
            else:
                level = self.add(heads(relation, (NodeEquality(level),)))
            levels.append(level)
        self.record_sources(*levels[:-1])
        reached = self.add(ops.Reached(self.union(*levels[:-1]), levels[-1]))
        if name == "head_entity":
            self.heads_searched[reached.step] = start
        else:
            self.groups[reached.step] = (levels[0],)
        return reached

    def path_end(self, call: Call) -> str:
        """The name of the argument with the end of the path that is known."""
        given = [argument for argument in call.arguments if argument.name in ("head_entity", "tail_entity")]
        if len(given) != 1:
            problem = "reach takes head_entity or tail_entity, and one of the two"
            hint = "reach(head_entity='X', relation='parent') gives all that X leads to."
            raise self.error(problem, given[1].place if given else call.place, hint)
        if given[0].op != "=":
            raise self.error(f"'{given[0].op}' cannot be used with '{given[0].name}' of reach", given[0].place)
        return given[0].name

    def path_relation(self, call: Call) -> Operand:
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

    def path_steps(self, call: Call) -> int:
        """How many steps are taken."""
        for argument in call.given("at_most"):
            steps = self.require_whole_number(argument)
            if not 1 <= steps <= MOST_STEPS:
                raise self.error(f"reach takes 1 to {MOST_STEPS} steps", argument.place)
            return steps
        return MOST_STEPS

    # Sets -------------------------------------------------------------------------------------------------------------

    def sets(self, call: Call) -> Output:
        operands = tuple(self.operand(argument, ANYTHING, call) for argument in call.arguments)
        found = {self.kind_of(operand) for operand in operands}
        kinds = sorted({OutputKind.NODES if kind is OutputKind.ROWS else kind for kind in found})
        if len(kinds) > 1:
            problem = f"{call.function} of {' and '.join(kinds)} is not defined"
            raise self.error(problem, call.place, "All its sets must hold the same kind of thing.")
        return self.add(ops.SetOperation(call.function, operands))

    def negation(self, call: Call) -> Output:
        """All other heads, of all sources, with a note where there are several."""
        if len(self.asked.sources) > 1:
            sources = list_sources(self.asked.sources)
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
            text = self.require_text(argument)
            if self.kind_of(operand) not in (OutputKind.NODES, OutputKind.WORDS):
                problem = f"{self.kind_of(operand).in_words} have no text that keep could look at"
                raise self.error(problem, argument.place, "Ask for the values of a relation or column first.")
            tests.append(TextTest(argument.name, text))
        return tuple(tests)

    def items(self, call: Call) -> Output:
        given = [separator_of(self.require_text(argument)) for argument in call.given("separator")]
        return self.add(ops.Items(self.operand_of(call), tuple(given) or SEPARATORS))

    def distinct(self, call: Call) -> Output:
        return self.output_of(self.operand_of(call))

    def sort(self, call: Call) -> Output:
        operand, descending, by_name = self.operand_of(call), False, False
        for argument in (*call.given("reverse"), *call.given("ascending"), *call.given("order")):
            text = " ".join(argument.text.lower().replace("_", " ").split())
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
            rows = [self.as_rows(each) for each in names if each.is_of_tables]
            return self.union(*([] if rows and not nodes.nodes else [nodes]), *rows)
        numbers = tuple(number for number in map(read_number, texts) if number is not None)
        if len(numbers) == len(texts):
            return self.add(ops.WrittenValues(tuple(dict.fromkeys(numbers))))
        return self.add(ops.WrittenValues(tuple(dict.fromkeys(texts))))

    # For each element -------------------------------------------------------------------------------------------------

    def for_each(self, call: Call) -> Output:
        """The elements with the number that the body gives for each."""
        given = call.given("value")[0]
        with self.body(call, self.operand_of(call)) as (elements, each):
            value = self.body_output(given, call, VALUES)
        return self.add(ops.ForEach(elements, each, value, self.column_title(given)))

    def group(self, call: Call) -> Output:
        """The values under which heads stand together, each with the number of its heads."""
        function = self.group_function(call)
        by, of = call.given("by")[0], (call.given("of") or (None,))[0]
        heads = self.operand_of(call) if call.given("set") else self.heads_with(call, by, of)
        if of is None and function != "count" and not self.types.of(heads).has_numbers:
            hint = "Write of='...', whose values are taken, or function='count' for how many."
            raise self.error(f"group needs of=... for its {function}", call.place, hint)
        with self.body(call, heads) as (elements, each):
            keys = self.body_output(by, call, VALUES | {OutputKind.WORDS})
            taken = VALUES if function != "count" else ANYTHING
            values = self.body_output(of, call, taken) if of else each if function != "count" else None
        title = f"{function} of {self.column_title(of)}" if of else function
        element = "" if isinstance(by.value, Each) else self.column_title(by)
        return self.add(ops.Grouping(elements, each, keys, values, function, title, element))

    def group_function(self, call: Call) -> str:
        """The name of the function that a group is given a number by."""
        for argument in call.given("function"):
            text = argument.text.strip().lower()
            if (name := SYNONYMS.get(text, text)) in GROUP_FUNCTIONS:
                return name
            hint = f"One of {', '.join(GROUP_FUNCTIONS)}."
            raise self.error(f"'{text}' is not a function of a group", argument.place, hint)
        return "count"

    def heads_with(self, call: Call, *arguments: Argument | None) -> Operand:
        """The heads that have a value under the relation of the first argument that has one."""
        for argument in arguments:
            if argument is not None and (relation := _relation_within(argument.value)) is not None:
                found = self.add(heads(self.nodes_of(relation)))
                self.record_sources(found, takes_source=False)
                return found
        hint = "Write set=..., or a relation by its name in by=... or of=...."
        raise self.error("group needs the set of heads that it groups", call.place, hint)

    def select(self, call: Call) -> Output:
        """A record for each element."""
        if call is not self.program.queries[-1]:
            raise self.error("select stands last: nothing can be asked of its records", call.place)
        columns, operand = call.given("column"), self.operand_of(call)
        of = self.types.of(operand)
        if not columns and not of.has_numbers:
            raise self.error("select needs a column", call.place, "Write column='...', the name of a relation.")
        with self.body(call, operand) as (elements, each):
            fields = [self.body_output(column, call, ANYTHING - {OutputKind.FACTS}) for column in columns]
        titles = [self.column_title(column) for column in columns]
        if each not in fields and of.kind is not OutputKind.ROWS:
            fields, titles = [each, *fields], [element_title(of), *titles]
        if of.has_numbers:
            titles.append(of.number)
        if len(titles) > MOST_COLUMNS:
            raise self.error(f"a record has {len(titles)} fields; at most {MOST_COLUMNS} can be", call.place)
        return self.add(ops.Records(elements, each, tuple(fields), tuple(titles)))

    @contextmanager
    def body(self, call: Call, operand: Operand) -> Iterator[tuple[Output, Output]]:
        """Plans within it are of the body of a call; what does not depend on the element is planned before it."""
        for argument in call.arguments:
            if argument.name in FUNCTIONS[call.function].body and isinstance(argument.value, Call):
                self.plan_outside(argument.value)
        elements = self.output_of(operand)
        self.current_element = each = self.add(ops.EachElement(elements))
        yield elements, each
        self.current_element = None

    def plan_outside(self, call: Call) -> None:
        """Plans the calls that are the same for each element."""
        if not call.is_of_each:
            self.nested[call.place] = self.step(call)
            return
        for argument in call.arguments:
            if isinstance(argument.value, Call):
                self.plan_outside(argument.value)

    def body_output(self, argument: Argument, call: Call, takes: frozenset[OutputKind]) -> Output:
        """Plans an argument that is evaluated for each element, and returns its output."""
        operand = self.operand(argument, takes, call)
        assert isinstance(operand, Output), "the parser makes calls of literals"
        return operand

    def column_title(self, argument: Argument) -> str:
        """An argument as the program has it, as the name of a column."""
        relation = _relation_of_each(argument.value)
        if relation is not None:
            return relation.text
        if isinstance(argument.value, Each):
            return EACH
        start, end = argument.value.place
        return " ".join(self.program.text[start:end].split())

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
            n = self.require_whole_number(argument)
            if n < 1 and call.function != "nth":
                raise self.error(f"{call.function} takes at least one element", argument.place)
            self.mark_combined(call.function, operand)
            return self.add(ops.Aggregate(call.function, operand, n=n))
        return self.add_aggregate(call.function, operand)

    def aggregate_of_several(self, call: Call) -> Output:
        """An aggregate of several sets: the extreme of all, the sum of their sums, the mean of all facts."""
        operands = [self.operand(argument, VALUES, call) for argument in call.given("set")]
        if call.function != "sum" and any(self.types.of(operand).has_numbers for operand in operands):
            hint = "Ask for each, and compare."
            raise self.error(f"{call.function} takes one set with numbers of its own", call.place, hint)
        if call.function == "sum":
            return self.sum_each("sum", operands)
        if len({self.kind_of(operand) is OutputKind.NUMBERS for operand in operands}) > 1:
            raise self.error(f"{call.function} of numbers and names is not defined", call.place)
        if call.function == "mean" and self.kind_of(operands[0]) is OutputKind.NUMBERS:
            return self.add(ops.Arithmetic("divide", self.sum_each("sum", operands), self.sum_each("count", operands)))
        return self.add_aggregate(call.function, self.union(*operands))

    def sum_each(self, function: str, operands: Sequence[Operand]) -> Output:
        """The sum of an aggregate of each set."""
        each = [self.add_aggregate(function, operand) for operand in operands]
        return reduce(lambda a, b: self.add(ops.Arithmetic("add", a, b)), each)

    def add_aggregate(self, function: str, operand: Operand) -> Output:
        """Adds an aggregate. It takes each time once: times are points of one line, whatever facts they come from."""
        self.mark_combined(function, operand)
        is_computed = isinstance(operand, Output) and isinstance(self.steps[operand.step], ops.EachNumber)
        if function in OF_ALL_FACTS and is_computed:
            self.note(
                f"Query {self.query}: the numbers that {function} takes are a set, so that equal ones count once. To "
                "take one for each row or head, write for_each(set=..., value=...), and take it of that."
            )
        once = tuple(node.key for node in self.types.of(operand).time_keys)
        return self.add(ops.Aggregate(function, operand, once))

    def heads_of_extreme(self, call: Call) -> Output:
        """argmax(values), or argmax(rows, relation): the heads of the facts with the greatest value."""
        operand = self.operand_of(call)
        if call.given("relation"):
            relation = self.operand(call.given("relation")[0], NODES, call)
            if self.kind_of(operand) not in NODES:
                hint = "Leave out relation=...."
                raise self.error(f"{self.kind_of(operand).in_words} have no relation", call.place, hint)
            operand = self.add(ops.Search(Part.TAIL, operand, relation))
            self.record_sources(operand, takes_source=False)
        self.mark_combined(call.function, operand)
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
        place = next((self.require_whole_number(argument) for argument in call.given("which")), 1)
        return self.add(ops.EachNumber(call.function, self.operand_of(call), place - 1 if place > 0 else place))

    # Two values -------------------------------------------------------------------------------------------------------

    def arithmetic(self, call: Call, function: str | None = None) -> Output:
        """Two numbers; a difference in years, months or days is one of whole ones."""
        function = function or call.function
        unit = _UNITS.get(function) or self.unit(call)
        if unit:
            sides = [self.count_units(unit, call, name) for name in ("value1", "value2")]
            return self.add(ops.Arithmetic("difference", *sides))
        left, right = self.number(call, "value1"), self.number(call, "value2")
        if any(self.may_be_dates(side) for side in (left, right)):
            days = " Write difference(a, b, unit='days') for days." if function in ("difference", "subtract") else ""
            self.note(
                "Dates are numbers on the scale of years: the result is in years and their parts, not in days." + days
            )
        return self.add(ops.Arithmetic(function, left, right))

    def count_units(self, unit: str, call: Call, name: str) -> Operand:
        """The year, month or day of a date, as a number counted from a fixed one."""
        value = call.given(name)[0].value
        if isinstance(value, Literal):
            if unit == "year" and (number := read_number(value.text)) is not None:
                return self.add(ops.EachNumber("extract_year", Constant(number)))
            return Constant(self.count_written_date(unit, value))
        if unit == "year":
            operand = self.operand_of(call, name)
            if self.may_be_dates(operand):
                self.note("Years are those of the calendar: from December 1999 to January 2000 is 1.", "units")
            return self.add(ops.EachNumber("extract_year", operand))
        if unit == "month":
            self.note("Months are those of the calendar: from 31 January to 1 February is 1.", "units")
        operand = self.operand(call.given(name)[0], DATES, call)
        if self.types.of(operand).has_numbers:
            hint = "Write for_each(..., value=difference(..., unit='days')) for one difference of each element."
            raise self.error(f"{call.function} in {unit}s takes dates, not a set with numbers", call.place, hint)
        return self.add(ops.EachNumber(f"{unit}s_of", operand))

    def count_written_date(self, unit: str, literal: Literal) -> float:
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
            if (unit := unit_of(argument.text)) is None:
                hint = "Write unit='years', unit='months' or unit='days'."
                raise self.error(f"'{argument.text}' is not a unit of a difference", argument.place, hint)
            return unit
        return None

    def calculate(self, call: Call) -> Output:
        """calculate(a, b, operator='-'): the function that the operator names."""
        text = call.argument_text("operator").strip().lower()
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
            return self.without_numbers(operand)
        if operand.step in self.heads_searched:
            return self.find_by(self.heads_searched[operand.step])
        match self.steps[operand.step]:
            case ops.Search(asked=Part.TAIL, head=Output() as head):
                return self.find_by(head)
            case ops.Aggregate(function="argmin" | "argmax"):
                return operand
            case ops.Aggregate() | ops.EachNumber() | ops.Selection() | ops.Sorting() as step:
                return self.subject(step.operand)
        return self.find_by(operand)

    def find_by(self, heads: Operand) -> Operand:
        """What heads were found by: the name, or the values that read as the number; else the heads."""
        if not isinstance(heads, Output):
            return self.as_rows(heads)
        if self.heads_searched.get(heads.step) == heads:
            return heads  # they are rows by their own name
        match self.steps[heads.step]:
            case ops.SetOperation(operands=(Names() as names, Output(step=rows))):
                match self.steps[rows]:
                    case ops.Search(asked=Part.HEAD, relation=AnyRelation(columns=True)):
                        return names  # the rows hold a cell of that name
        searches = self.groups.get(heads.step, (heads,))
        sought = [self.search_key(each) for each in searches]
        if all(isinstance(comparison, NodeEquality) for comparison in sought):
            return next(c.operand for c in sought if isinstance(c, NodeEquality))
        values = [self.found_values(each, c) for each, c in zip(searches, sought, strict=True) if c]
        if len(values) < len(searches):
            return heads
        return values[0] if len(values) == 1 else self.union(*values)

    def search_key(self, heads: Output) -> NodeEquality | Range | None:
        """The name or the number that heads were found by, where one literal alone found them."""
        match self.steps[heads.step]:
            case (
                ops.Search(asked=Part.HEAD, tail=(sought,), key=None)
                | ops.Search(asked=Part.SUBJECT, value=(sought,), head=None)
            ):
                match sought:
                    case NodeEquality(operand=Names()) | Range(low=float(), high=float()):
                        return sought
        return None

    def found_values(self, heads: Output, comparison: NodeEquality | Range) -> Output:
        """The values by which heads were found."""
        step = self.steps[heads.step]
        assert isinstance(step, ops.Search), "heads are found by a search"
        of = ops.Search(Part.VALUE, heads, key=step.key)
        if step.asked is Part.HEAD:
            of = ops.Search(Part.TAIL, heads, step.relation)
        return self.add(ops.Selection(self.add(of), (comparison,)))


def titles_of(of: OutputType) -> tuple[str, ...]:
    """The names of the columns of an answer; empty where it has one."""
    if of.titles:
        return of.titles
    if of.kind is OutputKind.FACTS:
        return ("head", "relation", "tail")
    return (element_title(of), of.number) if of.has_numbers else ()


def element_title(of: OutputType) -> str:
    """The name of a column of elements: the relation whose values they are, or what they were worked out by."""
    relation = of.columns[0] if len(of.columns) == 1 else None
    return relation or of.element or "element"


def _relation_of_each(value: Value) -> Literal | None:
    """The relation, where a value stands for the element's values under a relation by its name."""
    match value:
        case Call(function="get_information", arguments=(Argument(value=Each()), Argument(value=Literal() as literal))):
            return literal if literal.place == value.place else None
    return None


def _relation_within(value: Value) -> Literal | None:
    """That relation, also where a function takes the values: `extract_month('date')`."""
    if isinstance(value, Call) and (taken := value.given("set")):
        return _relation_within(taken[0].value)
    return _relation_of_each(value)
