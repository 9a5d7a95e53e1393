"""A demonstration as a template: its question with the names masked, its program with slots for other names."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache

from cgstore.errors import BadInput
from cgstore.llm.backends.rewrite.signals import answer_type, question_word, signals_of
from cgstore.llm.demonstrations import Demonstration
from cgstore.llm.prompts.quoting import quote
from cgstore.query.ast import Argument, Call, Literal, Place
from cgstore.query.parse import parse
from cgstore.text.numbers import read_number

PLACEHOLDERS = {"entity": "{entity}", "time": "{time}"}
"""What stands for a name or a time in a masked question."""

SIDES = {"head_entity": "head", "tail_entity": "tail"}

NO_NAMES = ("relation", "key", "source")
"""Arguments whose literals are no names of entities and no times."""

_TIME = re.compile(r"\d{4}(?:-\d{2}(?:-\d{2})?)?")


@dataclass(frozen=True)
class Use:
    """One use of a slot: as `head` or `tail` of a relation (None: of whatever it has), or as a `value`."""

    side: str
    relation: str | None = None


@dataclass(frozen=True)
class Slot:
    """A name or time of the program that stands in the question, and every place where the program has it."""

    text: str
    kind: str
    places: tuple[Place, ...]
    uses: tuple[Use, ...]


@dataclass(frozen=True)
class Template:
    """A demonstration taken apart.

    `answer` is the type of its answer, `word` its question word; `slots` are in the order of the question, and
    `relations` maps names to places in the program.
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
        """Whether its program has a key: of facts that have times."""
        return "key=" in self.demonstration.program

    def of_kind(self, kind: str) -> tuple[Slot, ...]:
        """The slots of that kind, in the order of the question."""
        return tuple(slot for slot in self.slots if slot.kind == kind)


@lru_cache(maxsize=1_000)  # hundreds are parsed for each backend that is made: a tenth of a second
def template_of(demonstration: Demonstration) -> Template:
    """Takes a demonstration apart.

    Raises:
        BadInput: its program cannot be parsed, or has a name that its question has not.
    """
    literals = list(literals_of(parse(demonstration.program).queries))
    slots = sorted(_slots(literals, demonstration), key=lambda slot: _find(demonstration.question, slot.text))
    spans = [(*_span(demonstration.question, slot.text), slot.kind) for slot in slots]
    masked = mask(demonstration.question, spans)
    relations: dict[str, tuple[Place, ...]] = {}
    for argument, literal, _ in literals:
        if argument.name == "relation":
            relations[literal.text] = (*relations.get(literal.text, ()), literal.place)
    return Template(
        demonstration, masked, signals_of(masked), answer_type(masked), question_word(masked), tuple(slots), relations
    )


def mask(question: str, spans: Iterable[tuple[int, int, str]]) -> str:
    """The question with a placeholder in every span (start, end, kind); spans do not overlap."""
    for start, end, kind in sorted(spans, reverse=True):
        question = question[:start] + PLACEHOLDERS[kind] + question[end:]
    return question


def unmasked(masked: str) -> str:
    """A masked question without its placeholders: the words that are no names."""
    for placeholder in PLACEHOLDERS.values():
        masked = masked.replace(placeholder, " ")
    return " ".join(masked.split())


def readable(masked: str) -> str:
    """A masked question for people: `Who was <name> in <time>`, without its question mark."""
    for kind, word in (("entity", "<name>"), ("time", "<time>")):
        masked = masked.replace(PLACEHOLDERS[kind], word)
    return masked.rstrip("?. ")


def masked_by_program(question: str, program: str) -> str:
    """The question with a placeholder for each name and time of the program that stands in it, whatever its case.

    A program that cannot be parsed masks nothing. As `Template.masked`, but names that the question lacks are let be.
    """
    try:
        calls = parse(program, undefined=True).queries
    except BadInput:
        return question
    spans: list[tuple[int, int, str]] = []
    names = {literal.text for argument, literal, _ in literals_of(calls) if argument.name not in NO_NAMES}
    for text in sorted(names, key=lambda text: (-len(text), text)):
        found = re.search(rf"(?<!\w){re.escape(text)}(?!\w)", question, re.IGNORECASE)
        if found and not any(found.start() < end and start < found.end() for start, end, _ in spans):
            spans.append((*found.span(), "time" if is_time(text) else "entity"))
    return mask(question, spans)


def fill(template: Template, names: Mapping[Slot, str], relations: Mapping[str, str]) -> str:
    """The program with other names in its slots and other relations for its own."""
    changes = [(place, name) for slot, name in names.items() for place in slot.places]
    changes += [(place, relations[r]) for r, places in template.relations.items() for place in places]
    program = template.demonstration.program
    for (start, end), name in sorted(changes, reverse=True):
        program = program[:start] + quote(name) + program[end:]
    return program


def is_time(text: str) -> bool:
    """Whether a literal is a year of four digits, or an ISO month or day."""
    return bool(_TIME.fullmatch(text))


def _slots(literals: list[tuple[Argument, Literal, Call]], demonstration: Demonstration) -> list[Slot]:
    """The literals that are names or times, each text once; a bare number that the question lacks is a constant."""
    found: dict[str, list[tuple[Place, Use]]] = {}
    for argument, literal, call in literals:
        if argument.name not in NO_NAMES:
            found.setdefault(literal.text, []).append((literal.place, _use(argument, call)))
    slots = []
    for text, uses in found.items():
        if _find(demonstration.question, text) >= 0:
            kind = "time" if is_time(text) else "entity"
            slots.append(Slot(text, kind, tuple(p for p, _ in uses), tuple(dict.fromkeys(u for _, u in uses))))
        elif read_number(text) is None:
            raise BadInput(f"The demonstration '{demonstration.question}' lacks the name '{text}' of its program.")
    return slots


def _use(argument: Argument, call: Call) -> Use:
    relation = next((a.value.text for a in call.given("relation") if isinstance(a.value, Literal)), None)
    return Use(SIDES.get(argument.name, "value"), relation)


def literals_of(calls: Iterable[Call]) -> Iterator[tuple[Argument, Literal, Call]]:
    """Every literal with its argument and call, nested calls included."""
    for call in calls:
        for argument in call.arguments:
            if isinstance(argument.value, Literal):
                yield argument, argument.value, call
            elif isinstance(argument.value, Call):
                yield from literals_of([argument.value])


def _find(question: str, text: str) -> int:
    """Where the text stands as whole words, or -1."""
    match = re.search(rf"(?<!\w){re.escape(text)}(?!\w)", question)
    return match.start() if match else -1


def _span(question: str, text: str) -> tuple[int, int]:
    start = _find(question, text)
    return start, start + len(text)
