"""Questions with their names and times masked: a demonstration as a `Template`, a user's question as a `Reading`.

Masked questions are near each other if they have the same form, whatever they ask about.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations

from cgstore.errors import BadInput
from cgstore.llm.demonstrations import Demonstration
from cgstore.llm.demonstrations.signals import answer_type, question_word, signals_of
from cgstore.mapping.mentions import Mention
from cgstore.query.ast import Argument, Call, Literal, Place
from cgstore.query.build import quote
from cgstore.query.functions import FURTHER
from cgstore.query.parse import parse
from cgstore.text.numbers import read_number

PLACEHOLDERS = {"entity": "{entity}", "time": "{time}"}
"""What stands for a name or a time in a masked question."""

SIDES = {"head_entity": "head", "tail_entity": "tail"}

NO_NAMES = ("relation", "key", "source", *(key for key, _ in FURTHER))
"""Arguments whose literals are neither names of entities nor times."""

MAX_WEAK = 3
"""Weak mentions considered in one question: each doubles the readings."""

_TIME = re.compile(r"\d{4}(?:-\d{2}(?:-\d{2}(?:[T ]\d{2}:\d{2}.*)?)?)?")

Alternatives = tuple[Mention, ...]
"""The mentions at one place: nodes with the same normal form, the best first."""


@dataclass(frozen=True)
class Use:
    """One use of a slot: as `head` or `tail` of a relation (None: of any relation), or as a `value`."""

    side: str
    relation: str | None = None


@dataclass(frozen=True)
class Slot:
    """A name or time of the program that the question contains, with every place that it has in the program."""

    text: str
    kind: str
    places: tuple[Place, ...]
    uses: tuple[Use, ...]


@dataclass(frozen=True)
class Template:
    """A demonstration with its question masked and its program as text with slots.

    `answer` is the type of the answer, `word` the question word; `slots` are in the order of the question; `relations`
    maps each relation to its places in the program.
    """

    demonstration: Demonstration
    masked: str
    signals: frozenset[str]
    answer: str
    word: str
    slots: tuple[Slot, ...]
    relations: Mapping[str, tuple[Place, ...]]

    @property
    def temporal(self) -> bool:
        """Whether the program has a key, so that it is about facts with times."""
        return "key=" in self.demonstration.program

    @property
    def size(self) -> tuple[int, int]:
        """The number of entities and of times in the question."""
        return len(self.of_kind("entity")), len(self.of_kind("time"))

    def of_kind(self, kind: str) -> tuple[Slot, ...]:
        """The slots of a kind, in the order of the question."""
        return tuple(slot for slot in self.slots if slot.kind == kind)


@dataclass(frozen=True)
class Reading:
    """One way to read a question: the distinct entities and times in it, in its order, and the rest of it masked.

    `answer` and `word` are as in `Template`; `weak` counts the weak mentions that are read as names; `places` are all
    places of names and times in `question`, in its order.
    """

    entities: tuple[Alternatives, ...]
    times: tuple[Mention, ...]
    masked: str
    signals: frozenset[str]
    answer: str
    word: str
    weak: int
    question: str
    places: tuple[Alternatives, ...]

    def places_of(self, mention: Mention) -> list[Mention]:
        """All mentions of the mention's node or time in the question, one a place."""
        alike = ([each for each in place if each.key == mention.key] for place in self.places)
        return [found[0] for found in alike if found]

    @property
    def size(self) -> tuple[int, int]:
        """The number of entities and of times in the question."""
        return len(self.entities), len(self.times)


@lru_cache(maxsize=1_000)  # parsing the hundreds of shipped ones takes a tenth of a second
def template_of(demonstration: Demonstration) -> Template:
    """The template of a demonstration.

    Raises:
        BadInput: its program cannot be parsed, or has a name that its question lacks.
    """
    literals = list(_literals_of(parse(demonstration.program).queries))
    question = demonstration.question
    slots = tuple(sorted(_slots(literals, question), key=lambda slot: span_of(question, slot.text)))
    masked = mask(question, [(*span_of(question, slot.text), slot.kind) for slot in slots])
    relations: dict[str, tuple[Place, ...]] = {}
    for argument, literal, _ in literals:
        if argument.name == "relation":
            relations[literal.text] = (*relations.get(literal.text, ()), literal.place)
    form = signals_of(masked), answer_type(masked), question_word(masked)
    return Template(demonstration, masked, *form, slots, relations)


def readings_of(question: str, mentions: Sequence[Mention], vocabulary: frozenset[str]) -> list[Reading]:
    """The readings of a question: each takes all strong mentions and some weak ones; those that take more come first.

    A weak mention that is a word of `vocabulary`, the words that questions consist of, is never taken as a name.
    """
    places = [p for p in _places(mentions) if not (p[0].weak and p[0].text.lower() in vocabulary)]
    strong = [p for p in places if not p[0].weak]
    weak = [p for p in places if p[0].weak][:MAX_WEAK]
    return [
        reading_of(question, [*strong, *chosen], len(chosen))
        for count in range(len(weak), -1, -1)
        for chosen in combinations(weak, count)
    ]


def mask(question: str, spans: Iterable[tuple[int, int, str]]) -> str:
    """The question with a placeholder in every span (start, end, kind); spans do not overlap."""
    for start, end, kind in sorted(spans, reverse=True):
        question = question[:start] + PLACEHOLDERS[kind] + question[end:]
    return question


def unmasked(masked: str) -> str:
    """A masked question without its placeholders."""
    for placeholder in PLACEHOLDERS.values():
        masked = masked.replace(placeholder, " ")
    return " ".join(masked.split())


def readable(masked: str) -> str:
    """A masked question for people: `Who was <name> in <time>`, without its question mark."""
    for kind, word in (("entity", "<name>"), ("time", "<time>")):
        masked = masked.replace(PLACEHOLDERS[kind], word)
    return masked.rstrip("?. ")


def masked_by_mentions(question: str, mentions: Sequence[Mention]) -> str:
    """The question with its mentions masked, except weak ones, which may not be names."""
    return readings_of(question, mentions, frozenset())[-1].masked


@lru_cache(2_000)
def masked_by_program(question: str, program: str) -> str:
    """The question with the names and times of the program masked, in any case; unchanged if that cannot be parsed.

    Unlike in `Template.masked`, names that the question lacks are allowed.
    """
    try:
        calls = parse(program, undefined=True).queries
    except BadInput:
        return question
    spans: list[tuple[int, int, str]] = []
    names = {literal.text for argument, literal, _ in _literals_of(calls) if argument.name not in NO_NAMES}
    for text in sorted(names, key=lambda text: (-len(text), text)):
        found = re.search(rf"(?<!\w){re.escape(text)}(?!\w)", question, re.IGNORECASE)
        if found and not any(found.start() < end and start < found.end() for start, end, _ in spans):
            spans.append((*found.span(), kind_of_name(text)))
    return mask(question, spans)


def fill(template: Template, names: Mapping[Slot, str], relations: Mapping[str, str]) -> str:
    """The template's program with these names in its slots and these relations for its own."""
    changes = [(place, name) for slot, name in names.items() for place in slot.places]
    changes += [(place, relations[r]) for r, places in template.relations.items() for place in places]
    program = template.demonstration.program
    for (start, end), name in sorted(changes, reverse=True):
        program = program[:start] + quote(name) + program[end:]
    return program


def reading_of(question: str, places: Sequence[Alternatives], weak: int) -> Reading:
    """The question with the mentions at these places masked; `weak` of them are weak."""
    places = sorted(places, key=lambda p: p[0].start)
    masked = mask(question, [(p[0].start, max(m.end for m in p), p[0].kind) for p in places])
    entities = {p[0].key: p for p in reversed(places) if p[0].kind == "entity"}
    times = {p[0].key: p[0] for p in reversed(places) if p[0].kind == "time"}
    in_order = tuple(sorted(entities.values(), key=lambda p: p[0].start))
    form = signals_of(masked), answer_type(masked), question_word(masked)
    return Reading(
        in_order, tuple(sorted(times.values(), key=lambda m: m.start)), masked, *form, weak, question, tuple(places)
    )


def _places(mentions: Sequence[Mention]) -> Iterator[Alternatives]:
    """The mentions of entities and times, grouped if they overlap."""
    group: list[Mention] = []
    for mention in mentions:
        if mention.kind == "relation":
            continue
        if group and mention.start >= max(m.end for m in group):
            yield tuple(group)
            group = []
        group.append(mention)
    if group:
        yield tuple(group)


def _slots(literals: list[tuple[Argument, Literal, Call]], question: str) -> list[Slot]:
    """The literals that are names or times, each text once; a number that the question lacks is a constant."""
    found: dict[str, list[tuple[Place, Use]]] = {}
    for argument, literal, call in literals:
        if argument.name not in NO_NAMES:
            found.setdefault(literal.text, []).append((literal.place, _use(argument, call)))
    slots = []
    for text, uses in found.items():
        if span_of(question, text)[0] >= 0:
            places, distinct = tuple(place for place, _ in uses), tuple(dict.fromkeys(use for _, use in uses))
            slots.append(Slot(text, kind_of_name(text), places, distinct))
        elif read_number(text) is None:
            raise BadInput(f"The demonstration '{question}' lacks the name '{text}' of its program.")
    return slots


def _use(argument: Argument, call: Call) -> Use:
    relation = next((a.value.text for a in call.given("relation") if isinstance(a.value, Literal)), None)
    return Use(SIDES.get(argument.name, "value"), relation)


def _literals_of(calls: Iterable[Call]) -> Iterator[tuple[Argument, Literal, Call]]:
    """Every literal with its argument and call, nested calls included."""
    for call in calls:
        for argument in call.arguments:
            if isinstance(argument.value, Literal):
                yield argument, argument.value, call
            elif isinstance(argument.value, Call):
                yield from _literals_of([argument.value])


def kind_of_name(text: str) -> str:
    """`time` for a year of four digits, an ISO month or day, or a day with a time of day, else `entity`."""
    return "time" if _TIME.fullmatch(text) else "entity"


def span_of(question: str, text: str) -> tuple[int, int]:
    """Where the text stands as whole words, in its own case if it does; (-1, -1) if it does not."""
    found = _whole_words(question, text)
    return found if found[0] >= 0 else _whole_words(question.lower(), text.lower())


def _whole_words(question: str, text: str) -> tuple[int, int]:
    start = question.find(text) if text else -1
    while start >= 0:
        end = start + len(text)
        if not _is_word(question[start - 1 : start]) and not _is_word(question[end : end + 1]):
            return start, end
        start = question.find(text, start + 1)
    return -1, -1


def _is_word(character: str) -> bool:
    return character.isalnum() or character == "_"
