"""The programs of questions that compare or order by a number or a year, over graphs without times (see `quantities`).

One relation of numbers must fit. If several do, or if an adjective may mean several, the question is refused with their
names. What is said beside the number (`made of maple`) is read by the other readers.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import suppress

from cgstore.llm.backends import CannotPropose, Proposal
from cgstore.llm.backends.rewrite.asked_kinds import KindFact, has_kind, is_kind, kind_of, shown
from cgstore.llm.backends.rewrite.clause_programs import facts_of, fits_values, timeless_program
from cgstore.llm.backends.rewrite.clauses import Text, marked, opened, read_opened
from cgstore.llm.backends.rewrite.dimensions import Measure, is_comparing, joined, measures_of
from cgstore.llm.backends.rewrite.fact_asked import Program, asked_by
from cgstore.llm.backends.rewrite.quantities import Quantity, Within, phrases, read_quantity
from cgstore.llm.backends.rewrite.relation_words import RelationWords
from cgstore.llm.graph_view import GraphView, Neighbourhood
from cgstore.mapping.mentions import Mention
from cgstore.query.build import quote
from cgstore.text.names import in_words, some_of

Find = Callable[[str], Sequence[Proposal]]
"""The proposals for an easier question, by the words of the graph alone."""

_NUMBER = re.compile(r"(?<![\w.,$€£])\d[\d,]*(?:\.\d+)?(?P<decade>s)?(?![\w%€£]|[.,]\d)")
_MAY_ASK = re.compile(r"\b(?:first|last|latest|before|after|how|cost|costs)\b")
_IS = re.compile(r"\b(what|who|which|where|how|when)'s\b")
_SIDE = re.compile(r"(?P<preposition>by|in|at|from|on) (?:the )?(?P<name>e\d+)")
_BY_WHICH = re.compile(r" (?:by|in terms of|measured by) (?:the |its |their )?([a-z]+(?: [a-z]+)?)$")
_OF_ALL = re.compile(r"(?: of (?:them )?all| overall)$")
_PLACE = "e99"


class Quantities:
    """A question on its way to programs about a number.

    Args:
        question: in plain words.
        names: its names and times.
        graph: what is asked.
        words: how people speak of its relations.
        find: the proposals for an easier question.
    """

    def __init__(
        self, question: str, names: Sequence[Mention], graph: GraphView, words: RelationWords, find: Find
    ) -> None:
        self._graph, self._words, self._find = graph, words, find
        names = [each for each in names if not is_kind(each, question, graph)]
        self._text = marked(
            question, sorted([*entities_in(names), *numbers_in(question, names)], key=lambda m: m.start)
        )
        self._listing = opened(self._text)
        self._text.text = _IS.sub(r"\1 is", self._text.text)
        self._said = _OF_ALL.sub("", joined(self._text.text))

    def proposals(self) -> list[Proposal]:
        """The programs; none if nothing is compared, or if it is not understood.

        Raises:
            CannotPropose: a number is asked about, and it is not sure by which relation, or of what.
        """
        if not any(map(is_comparing, self._said.split())) and not self._text.times and not _MAY_ASK.search(self._said):
            return []
        measures = self._by_which(self._measures())
        if found := self._only([each for each in map(self._read, measures) if each]):
            return [self._proposal(found)]
        within = [each for measure in measures for each in phrases(self._said, measure)]
        for outer in dict.fromkeys(each.outer for each in within):
            inner = self._only([each.inner for each in within if each.outer == outer])
            if inner and (proposals := self._around(Within(inner, outer), measures)):
                return proposals
        return []

    def _measures(self) -> list[Measure]:
        """The relations of numbers, unless a word that orders is part of another relation (`largest city`)."""
        numeric = self._graph.relations_of_numbers
        others = {word for each in self._graph.relations if each not in numeric for word in in_words(each).split()}
        if any(is_comparing(word) and word in others for word in self._said.split()):
            return []
        return measures_in(self._graph)

    def _by_which(self, measures: Sequence[Measure]) -> Sequence[Measure]:
        """The one relation that the end of the question names (`the biggest town by population`), which is cut off."""
        match = _BY_WHICH.search(self._said)
        words = match[1].split() if match else []
        found = [each for each in measures if words and all(each.code_of(word) == "R" for word in words)]
        if match is None or len(found) != 1:
            return measures
        self._said = self._said[: match.start()]
        return [found[0]]

    def _read(self, measure: Measure) -> Quantity | None:
        return read_quantity(self._said, measure, bool(self._listing))

    def _only(self, found: Sequence[Quantity]) -> Quantity | None:
        """The reading of the one relation that fits best; None if there is none.

        Raises:
            CannotPropose: several fit.
        """
        said = set(self._said.split())
        own = [each for each in found if each.is_own]
        if own:
            least = min(_unsaid(each.measure, said) for each in own)
            found = [each for each in own if _unsaid(each.measure, said) == least]
        found = self._possible(found) if len(found) > 1 else found
        if len(found) > 1:
            relations = shown([each.measure.relation for each in found])
            what = f"'{found[0].word}'" if found[0].word else "what it compares"
            raise CannotPropose(f"{what} may be said of {relations}: ask with the words of one of them")
        return found[0] if found else None

    def _possible(self, found: Sequence[Quantity]) -> Sequence[Quantity]:
        """The readings whose names have the relation, and whose noun fits what has it; all if none is left."""
        return [each for each in found if self._is_possible(each)] or found

    def _is_possible(self, asked: Quantity) -> bool:
        slots = [slot for slot in (asked.value, asked.than[1], *asked.either) if slot and slot != _PLACE]
        heads = (self._graph.relations_of(self._text.names[slot].key).head for slot in slots)
        if not all(asked.measure.relation in each for each in heads):
            return False
        with suppress(CannotPropose):
            kind = kind_of(asked.noun, asked.who and not slots, asked.measure, self._graph, asked.is_own)
            return not kind.relation or has_kind(asked.measure.relation, kind, self._graph)
        return False

    # One question

    def _proposal(self, asked: Quantity) -> Proposal:
        program, notes = Program(), self._notes(asked)
        if asked.either[0]:
            self._compared(asked, program)
        elif asked.value:
            self._of_name(asked, program)
        elif asked.extreme:
            notes += self._extreme(asked, program)
        else:
            notes += self._found(asked, program)
        if asked.counted:
            program.add(f"count(set={program.last})")
        return self._made(program.text, asked, notes)

    def _made(self, program: str, asked: Quantity, notes: Sequence[str]) -> Proposal:
        because = f"by the numbers of the relation '{asked.measure.relation}'"
        return Proposal(program, 1.0, because, tuple(notes), way="numbers", explains=None)

    def _notes(self, asked: Quantity) -> list[str]:
        if asked.is_own:
            return []
        said = f"'{asked.word}'" if asked.word else "The number that is asked about"
        return [f"{said} is taken by the relation '{asked.measure.relation}'."]

    def _found(self, asked: Quantity, program: Program) -> list[str]:
        """The calls that find what has the extreme, or what is within bounds; and notes."""
        relation = quote(asked.measure.relation)
        base, notes = self._base(asked, program)
        if asked.order:
            if base:
                program.add(f"arg{asked.order}(set={base}, relation={relation})")
            else:
                program.add(f"get_information(relation={relation}, tail_entity>='{asked.order}')")
            return notes
        if asked.than[0]:
            sign, name = asked.than
            other = program.add(f"get_information({self._with_number(name, asked.measure)})")
            bounds = [f"tail_entity{sign}{other}"]
        else:
            bounds = [f"tail_entity{sign}{quote(value)}" for sign, value in self._values(asked)]
        found = program.add(f"get_information(relation={relation}, {', '.join(bounds)})")
        if base:
            program.add(f"set_intersection(set1={base}, set2={found})")
        return notes

    def _base(self, asked: Quantity, program: Program) -> tuple[str, list[str]]:
        """The output that has all things asked for, empty where all that have the relation are; and notes."""
        kind = kind_of(asked.noun, asked.who, asked.measure, self._graph, asked.is_own)
        base, notes = self._of_kind(kind, program)
        if asked.scope:
            scope, note = self._beside(asked, program)
            notes += [note] if note else []
            scope = scope or self._scope(asked, bool(kind.relation), program)
            base = program.add(f"set_intersection(set1={base}, set2={scope})") if base else scope
        return base, notes

    def _of_kind(self, kind: KindFact, program: Program) -> tuple[str, list[str]]:
        notes = [kind.note] if kind.note else []
        if not kind.relation:
            return "", notes
        given = f"relation={quote(kind.relation)}, tail_entity={quote(kind.tail)}"
        return program.add(f"get_information({given})"), notes

    def _beside(self, asked: Quantity, program: Program) -> tuple[str, str]:
        """The output of a preposition with a name, which the graph links by one relation: `by Ann`; and a note."""
        match = _SIDE.fullmatch(asked.scope)
        if match is None:
            return "", ""
        mention, near = self._text.names[match["name"]], self._middle(asked.measure.relation).head
        around = self._graph.relations_of(mention.key).tail
        found = [each for each in around if each in near and in_words(each).split()[-1] == match["preposition"]]
        if len(found) != 1:
            return "", ""
        output = program.add(f"get_information(relation={quote(found[0])}, tail_entity={quote(mention.name)})")
        return output, f"'{self._restored(asked.scope)}' is taken by the relation '{found[0]}'."

    def _scope(self, asked: Quantity, is_typed: bool, program: Program) -> str:
        """The output of what is said beside the number, as another reader understands it."""
        said = self._restored(asked.scope)
        noun = "thing" if is_typed else asked.noun or "thing"
        for question in (f"Which {noun} is {said}?", f"Which {noun} {said}?", f"Which {noun} is the {noun} {said}?"):
            with suppress(CannotPropose):
                for found in self._find(question):
                    if self._gives_heads(found.program, asked.measure.relation):
                        return program.go_on(found.program)
        raise CannotPropose(f"'{said}' is not understood without an LLM")

    def _gives_heads(self, program: str, measured: str) -> bool:
        """Whether a program finds what may have a number: this stands on the same sides, as far as examples tell."""
        *first, last = program.splitlines()
        both = "set_intersection(set1='output_of_query1', set2='output_of_query2')" in last
        if first and not both:
            return False
        searches, middle = [asked_by(line) for line in (first if both else [last])], self._middle(measured)
        return all(each and each.is_set and each.relation in getattr(middle, each.free_side) for each in searches)

    def _middle(self, measured: str) -> Neighbourhood:
        """The relations of what has a number, as far as examples tell."""
        heads = self._graph.heads_of(measured)
        self._graph.read_around(heads)
        near = [self._graph.relations_of(head) for head in heads]
        return Neighbourhood(*(tuple({r for each in near for r in getattr(each, side)}) for side in ("head", "tail")))

    def _values(self, asked: Quantity) -> Iterator[tuple[str, str]]:
        for sign, slot in asked.bounds:
            value = self._text.times[slot].name
            if not value.endswith("s"):
                yield sign, value
            elif not asked.measure.is_time:
                raise CannotPropose(f"'{value}' is a time, and '{asked.measure.relation}' has numbers")
            else:
                first = value.removesuffix("s")
                if sign != "<=" and sign != ">":
                    yield sign if sign == "<" else ">=", first
                if sign != ">=" and sign != "<":
                    yield sign if sign == ">" else "<=", str(int(first) + 9)

    def _with_number(self, slot: str, measure: Measure) -> str:
        """The arguments that say a name and the relation of its number."""
        mention = self._text.names[slot]
        if measure.relation not in self._graph.relations_of(mention.key).head:
            raise CannotPropose(f"'{mention.name}' has no '{measure.relation}' in the graph")
        return f"head_entity={quote(mention.name)}, relation={quote(measure.relation)}"

    def _of_name(self, asked: Quantity, program: Program) -> None:
        """The number of a name, or whether it is within bounds."""
        given = self._with_number(asked.value, asked.measure)
        bounds = [f"tail_entity{sign}{quote(value)}" for sign, value in self._values(asked)]
        found = program.add(f"get_information({', '.join([given, *bounds])})")
        if asked.whether:
            program.add(f"exists(set={found})")

    def _compared(self, asked: Quantity, program: Program) -> None:
        """Which of two names has more, or whether the first one has."""
        one, other = (f"get_information({self._with_number(slot, asked.measure)})" for slot in asked.either)
        if asked.whether:
            program.add(f"{'greater_than' if asked.order == 'max' else 'less_than'}({one}, {other})")
        else:
            program.add(f"compare({one}, {other}, operator='{'>' if asked.order == 'max' else '<'}')")

    def _extreme(self, asked: Quantity, program: Program) -> list[str]:
        """The greatest or the least number itself."""
        base, notes = self._base(asked, program) if asked.noun else ("", [])
        head = f"head_entity={base}, " if base else ""
        values = program.add(f"get_information({head}relation={quote(asked.measure.relation)})")
        program.add(f"{asked.order}(set={values})")
        return notes

    def _restored(self, text: str) -> str:
        return re.sub(r"\be\d+\b", lambda match: self._text.names[match[0]].text, text)

    # A question around a phrase

    def _around(self, within: Within, measures: Sequence[Measure]) -> list[Proposal]:
        """The programs of a question about what a phrase names: `Who founded the oldest company`."""
        if set(re.findall(r"\b[et]\d+\b", within.outer)) != {_PLACE}:
            return []
        program = Program()
        notes = [*self._notes(within.inner), *self._found(within.inner, program)]
        output = program.last.strip("'")
        place = Mention(0, 0, "", output, output, "entity", "exact")
        if value := self._only(list(self._values_of(within.outer, measures))):
            program.add(f"get_information(head_entity={program.last}, relation={quote(value.measure.relation)})")
            return [self._made(program.text, within.inner, notes)]
        asked = read_opened(Text(within.outer, {_PLACE: place}, {}), self._listing)
        if asked is None:
            return []
        middle = self._middle(within.inner.measure.relation)
        numeric = self._graph.relations_of_numbers
        return [
            self._made(made, within.inner, notes)
            for fact in facts_of(asked.core, asked, self._words, lambda _: middle, has_times=False)
            if fits_values(asked, fact.relation in numeric)
            if (made := timeless_program(asked, fact, program.text))
        ]

    def _values_of(self, outer: str, measures: Sequence[Measure]) -> Iterator[Quantity]:
        """What asks for a number of the phrase: `how much does e99 cost`."""
        for measure in measures:
            asked = read_quantity(outer, measure, is_listing=False)
            if asked and asked.value == _PLACE and not asked.whether:
                yield asked


def instead(refusal: CannotPropose, question: str, names: Sequence[Mention], numbers: Collection[str]) -> CannotPropose:
    """The refusal of a question; if a word orders or compares by no number of the graph, this is why."""
    said = joined(marked(question, entities_in(names)).text).split()
    word = next((each.replace("_", " ") for each in said if is_comparing(each)), "")
    if not word:
        return refusal
    those = f"these are {some_of(sorted(numbers))}" if numbers else "it has none"
    reason = f"it is not understood by which numbers of the graph '{word}' is meant ({those})"
    return CannotPropose(reason, (), refusal.then)


def measures_in(graph: GraphView) -> list[Measure]:
    """The relations of a graph whose values are numbers or times."""
    numeric = graph.relations_of_numbers
    kinds = {
        relation.name: (outline.name, relation.kind)
        for outline in graph.outlines
        for relation in outline.relations
        if relation.name in numeric
    }
    spans = graph.spans([(source, name) for name, (source, _) in kinds.items()])
    by_name = {name: span for (_, name), span in spans.items()}
    return measures_of([(name, kind) for name, (_, kind) in kinds.items()], by_name)


def entities_in(names: Sequence[Mention]) -> list[Mention]:
    """The names that are no numbers."""
    return [each for each in names if each.kind == "entity" and not _NUMBER.fullmatch(each.text)]


def numbers_in(question: str, names: Sequence[Mention]) -> Iterator[Mention]:
    """The numbers of a question outside its names, as mentions of times."""
    for match in _NUMBER.finditer(question):
        if not any(each.start < match.end() and match.start() < each.end for each in entities_in(names)):
            value = match[0].replace(",", "")
            yield Mention(match.start(), match.end(), match[0], value, value, "time", "exact")


def _unsaid(measure: Measure, said: set[str]) -> int:
    """Words of a relation's name that a question lacks."""
    return sum(not any(measure.code_of(word) == "R" for word in said if word[:3] == own[:3]) for own in measure.own)
