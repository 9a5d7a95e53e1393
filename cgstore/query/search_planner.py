"""Planning get_information: its arguments become operands and comparisons, and Table 1 makes searches of them."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import product

from cgstore.errors import as_called
from cgstore.model import TimeKey
from cgstore.query.ast import Argument, Call, Each, Literal, OutputRef, Place, Program
from cgstore.query.comparisons import ValueReading, comparison_with
from cgstore.query.functions import FUNCTIONS, FURTHER, NODES, SEARCH, VALUES
from cgstore.query.name_uses import is_time_name
from cgstore.query.operands import (
    AnyRelation,
    Comparison,
    Named,
    Names,
    NodeEquality,
    Operand,
    Output,
    OutputKind,
    Range,
    Superlative,
)
from cgstore.query.operators import SearchCondition, SearchHead, SearchNode, SearchRelation, SetOperation
from cgstore.query.parse import ProgramError
from cgstore.query.plan import PlanSteps
from cgstore.query.rules import SearchArguments, translate
from cgstore.query.sources import SourceScope, list_sources, source_named_after
from cgstore.text.dates import known_problem_of, no_such_day, with_four_digits
from cgstore.text.kinds import ValueKind

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


class SearchPlanner(PlanSteps):
    """Plans the calls of get_information, and the arguments of all calls."""

    def __init__(self, program: Program, names: Mapping[Place, Names], scope: SourceScope) -> None:
        super().__init__(program, names, scope)
        self.outputs: list[Output] = []  # of the queries so far
        self.nested: dict[Place, Output] = {}  # of the calls within calls
        self.heads_searched: dict[int, Operand] = {}  # the heads that a search was asked of, by its step
        self.groups: dict[int, tuple[Output, ...]] = {}  # the searches of a call, by its last step
        self.at_hand: Output | None = None  # the element at hand, in a call that is run for each

    @abstractmethod
    def step(self, call: Call) -> Output:
        """The output of a call of any function."""

    def search(self, call: Call) -> Output:
        """The output of get_information: one search for each way to read the literals, and the union of these."""
        for argument in call.given("relation"):
            if (
                isinstance(argument.value, Literal)
                and argument.value.optional
                and argument.value.place not in self.names
            ):
                missing = argument.value.text
                self.note(f"No fact has the relation '{missing}', so the time constraint holds for all by it.")
                return self.union(Names(()))
        key, relation = (self.of_source(self.only(call, name)) for name in ("key", "relation"))
        key, relation = self.of_columns_named(call, key, relation)
        self.note_of_two_tables(key, relation)
        head = self.head(call)
        found: list[Output] = []
        further = self.further(call)
        for some_key in self.keys(call, key) if further == [()] else self.keys_of_statements(call, key):
            self.note_of_periods(some_key, further)
            for some_relation, others in product(list(self.relations(call, relation, some_key)), further):
                given = replace(self.given(call, head, some_relation, some_key), further=others)
                if relation is None and some_relation is not None:
                    given = replace(given, relation=None, any_relation=some_relation)
                self.check_superlatives(call, given)
                translated = translate(given, self.add)
                if translated is None:
                    raise self.error("a value beside a tail_entity needs its key", call.place, "Add key=...")
                if isinstance(translated, SearchNode) and not self.program.covalues:
                    translated = replace(translated, covalues=False)
                found.append(self.add(translated))
        self.record_sources(self.query, *found)
        output = found[0] if len(found) == 1 else self.union(*found)
        self.groups[output.step] = tuple(found)
        if head is not None and isinstance(translated, SearchNode | SearchHead | SearchRelation):
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

    def note_of_periods(self, key: Operand | None, further: Sequence[tuple[SearchCondition, ...]]) -> None:
        """Notes what is not known: which time, or of an old source which end, belongs to which start of a fact."""
        keys = [key, *(said.node1 for others in further for said in others)]
        times = [each for each in keys if isinstance(each, Names) and each.time_key]
        named = {name for each in times for name in each.names}
        if len(named) < 2:
            return
        if TimeKey.TIME in named:
            self.note(
                f"Query {self.query}: of a fact that holds in several periods, `time` means the times of all of them, "
                "and a start_time or end_time may be that of another period. Ask for start_time and end_time instead."
            )
        unpaired = frozenset[str]().union(*(each.sources for each in times)) & self.every.unpaired
        if unpaired and named >= {TimeKey.START, TimeKey.END}:
            self.note(
                f"Query {self.query}: {list_sources(unpaired)}, loaded by an earlier version of cgstore, does not say "
                "which end belongs to which start of a fact that holds in several periods: all of its ends are given "
                f"for each of its starts. Load it again with {as_called('--replace')} to tell them apart."
            )

    def check_superlatives(self, call: Call, given: SearchArguments) -> None:
        """Refuses the most frequent time or qualifier of some facts: it is taken over all facts."""
        superlative = any(isinstance(c, Superlative) for c in given.value)
        if superlative and given.of_facts and (given.tail or (given.head and given.relation)):
            hint = "Leave out the tail_entity, and one of head_entity and relation."
            place = call.given("value")[0].place
            raise self.error("'most' and the like are taken over all facts that have the key", place, hint)

    def given(self, call: Call, head: Operand | None, relation: Operand | None, key: Operand | None) -> SearchArguments:
        """The arguments of the call for one key and one relation."""
        of_facts = isinstance(key, Names) and key.of_facts
        of_relation = self.reading(relation)
        of_value = self.reading(key) if key is not None else of_relation
        is_value_of_key = relation is None and key is not None and not of_facts and not call.given("value")
        return SearchArguments(
            head=head,
            relation=relation,
            tail=self.comparisons(call, "tail_entity", of_value if is_value_of_key else of_relation),
            key=key,
            value=self.comparisons(call, "value", of_value),
            of_facts=of_facts,
            time_key=isinstance(key, Names) and key.time_key,
            any_relation=AnyRelation(sources=self.one_source),
        )

    # Keys, relations and heads ----------------------------------------------------------------------------------------

    def head(self, call: Call) -> Operand | None:
        """The head. A cell of a table stands for the rows that hold it (language page, section 5)."""
        head = self.only(call, "head_entity")
        if not isinstance(head, Names) or not self.scope.columns.nodes or all(node.column for node in head.nodes):
            return head
        rows = self.add(SearchCondition(AnyRelation(columns=True, sources=self.one_source), (NodeEquality(head),)))
        return rows if self.scope.only_tables else self.union(head, rows)

    def relations(self, call: Call, relation: Operand | None, key: Operand | None) -> Iterator[Operand | None]:
        """The relations, in groups for which the literals mean the same; None stands for all relations."""
        arguments = [*call.given("tail_entity"), *(call.given("value") if key is None else ())]
        literals = [a for a in arguments if isinstance(a.value, Literal)]
        of_key = relation is None and isinstance(key, Names) and not key.of_facts and not call.given("value")
        if not literals or of_key or not isinstance(relation, Names | None):
            yield from self.by_equality(relation, arguments) if isinstance(relation, Names) else [relation]
            return
        every = relation or self.scope.relations
        groups = self.by_reading(every, literals)
        meanings = (self.meanings(each, literals) for each in (self.reading(every), ValueReading()))
        is_plain = groups == [every] and (relation is not None or len(set(meanings)) == 1)
        yield from [relation] if is_plain else groups

    def keys(self, call: Call, key: Operand | None) -> Iterator[Operand | None]:
        """Built-in keys; or properties of heads and qualifiers; in groups for which the literals mean the same."""
        if not isinstance(key, Names):
            yield key
            return
        values = call.given("value")
        is_time = any(isinstance(a.value, Literal) and is_time_name(a.value) for a in call.given("key"))
        if is_time and all(node.built_in for node in key.nodes):
            yield from self.by_reading(replace(key, of_facts=True, time_key=True), values)
            return
        if heads := tuple(node for node in key.nodes if node.of_heads):
            arguments = (*call.given("tail_entity"), *values)
            for some_key in self.by_reading(replace(key, nodes=heads), arguments):
                yield from self.by_equality(some_key, arguments)
        plain = tuple(node._replace(kind=ValueKind.TEXT) for node in key.nodes if node.of_facts)
        qualifiers = replace(key, nodes=plain, of_facts=True)
        if plain and (not heads or None not in self.meanings(self.reading(qualifiers), values)):
            yield qualifiers

    def keys_of_statements(self, call: Call, key: Operand | None) -> list[Operand | None]:
        """As `keys`, those that speak of facts; beside further keys there must be some."""
        found = [each for each in self.keys(call, key) if isinstance(each, Names) and each.of_facts]
        if not found:
            raise self.no_qualifier(call, "key")
        return [*found]

    def further(self, call: Call) -> list[tuple[SearchCondition, ...]]:
        """What further keys say of the same statement, once for each way to read their literals."""
        return list(product(*(self.said(call, *names) for names in FURTHER if call.given(names[0]))))

    def said(self, call: Call, name: str, compared: str) -> list[SearchCondition]:
        """The statements with a value under one further key."""
        key = self.only(call, name)
        named = key.nodes if isinstance(key, Names) else ()
        nodes = tuple(node for node in named if (node.of_facts or node.built_in) and not node.periods)
        if not isinstance(key, Names) or not nodes:
            raise self.no_qualifier(call, name)
        is_time = all(node.built_in for node in nodes)
        nodes = nodes if is_time else tuple(node._replace(kind=ValueKind.TEXT) for node in nodes if node.of_facts)
        keys = self.by_reading(replace(key, nodes=nodes, of_facts=True, time_key=is_time), call.given(compared))
        every = [SearchCondition(some, self.comparisons(call, compared, self.reading(some))) for some in keys]
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

    def meanings(self, reading: ValueReading, arguments: Sequence[Argument]) -> tuple[Comparison | None, ...]:
        """The comparisons of values with the literals among the arguments; None where there can be none."""
        literals = [(a.op, a.value) for a in arguments if isinstance(a.value, Literal)]
        return tuple(
            comparison_with(op, literal.text, reading, self.names.get(literal.place)) for op, literal in literals
        )

    def by_reading(self, names: Names, arguments: Sequence[Argument]) -> list[Names]:
        """The nodes, in groups by what the literals among the arguments mean as their values.

        Nodes whose values cannot be compared with the literals are left out where there are others.
        """
        if not any(isinstance(a.value, Literal) for a in arguments):
            return [names]
        alike: dict[tuple[ValueKind, str | None], list[Named]] = {}
        for node in names.nodes:
            alike.setdefault((node.kind, node.step), []).append(node)
        groups: dict[tuple[Comparison | None, ...], list[Named]] = {}
        for nodes in alike.values():
            meant = self.meanings(self.reading(replace(names, nodes=tuple(nodes))), arguments)
            groups.setdefault(meant, []).extend(nodes)
        readable = {meant: nodes for meant, nodes in groups.items() if None not in meant} or groups
        if len(readable) < 2 and len(readable) == len(groups):
            return [names]
        return [replace(names, nodes=tuple(nodes)) for nodes in readable.values()]

    def by_equality(self, names: Names, arguments: Sequence[Argument]) -> list[Names]:
        """The nodes, in groups by whether their values equal those of an output by their numbers or by their names."""
        if all(a.op != "=" or isinstance(a.value, Literal) for a in arguments):
            return [names]
        groups: dict[bool, list[Named]] = {}
        for node in names.nodes:
            groups.setdefault(ValueReading((node.kind,)).by_number, []).append(node)
        return [names] if len(groups) < 2 else [replace(names, nodes=tuple(nodes)) for nodes in groups.values()]

    # Sources ----------------------------------------------------------------------------------------------------------

    def of_source(self, relation: Operand | None) -> Operand | None:
        """The relations of an output, limited to the source that the call says."""
        if not isinstance(relation, Output) or not self.one_source:
            return relation
        return self.add(SetOperation("set_intersection", (relation, self.scope.relations)))

    def of_columns_named(
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
                column = self.of_column_named(column, operand, relation if is_key else key)
            key, relation = (column, relation) if is_key else (key, column)
        return key, relation

    def of_column_named(self, column: Names, operand: Operand, beside: Operand | None) -> Names:
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

    # Arguments --------------------------------------------------------------------------------------------------------

    def only(self, call: Call, name: str) -> Operand | None:
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
            named = self.named(value)
            return self.rows_there(named) if call.function != SEARCH and argument.name != "relation" else named
        if isinstance(value, Each):
            assert self.at_hand is not None, "the parser makes it in the body of a call alone"
            output = self.at_hand
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
        return self.elements(output)

    def elements(self, operand: Operand) -> Operand:
        """An operand without the numbers of its own that its elements may have."""
        return self.union(operand) if self.types.of(operand).has_numbers else operand

    def rows_there(self, named: Operand) -> Operand:
        """The rows that a name such as `[line_3]` stands for, in the tables that have them; other names as they are."""
        if not isinstance(named, Names) or not named.is_of_tables:
            return named
        number = float(named.nodes[0].name.removeprefix("[line_").removesuffix("]"))
        places = self.scope.row_numbers.of(named.sources)
        rows = self.add(SearchCondition(places, (Range(number, high=number, shown=f"= {number:g}"),)))
        self.heads_searched[rows.step] = rows
        return rows

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
            operand = self.elements(operand) if argument.op == "=" else operand
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
