"""Names and times of questions replaced by placeholders, so that questions of one form are alike.

Demonstrations are compared with `{entity}` and `{time}` in the place of names. A trained model reads and writes `<e0>`
for the first name and `<y0>` for the first time, which are put back into what it writes. The names are those of a
program where there is one, else those of the graph. Relations and keys are not replaced: a model has to write them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, is_dataclass, replace
from functools import lru_cache
from itertools import chain
from typing import Any

from cgstore.errors import BadInput
from cgstore.mapping.mentions import GRAMMAR_WORDS, Mention, is_quoted, word_spans, words_of
from cgstore.query.ast import Argument, Call, Literal, Program
from cgstore.query.build import quote
from cgstore.query.functions import FURTHER
from cgstore.query.parse import parse
from cgstore.query.sexpr.forms import Form, Name
from cgstore.query.sexpr.write import skeleton_text
from cgstore.text.asked_times import find_times
from cgstore.text.names import normal_form

PLACEHOLDER = re.compile(r"<[ey]\d+>")
"""`<e0>`, `<e1>` ... for names and `<y0>` ... for times, in the order of the question."""

KINDS = {"entity": "{entity}", "time": "{time}"}
"""The placeholders by which demonstrations are compared."""

KEPT = ("relation", "key", "source", *(key for key, _ in FURTHER))
"""Arguments whose literals are not names of entities or times."""

_TIME = re.compile(r"\d{4}(?:-\d{2}(?:-\d{2})?)?")
_TIME_OF_DAY = re.compile(rf"{_TIME.pattern}|\d{{4}}-\d{{2}}-\d{{2}}[T ]\d{{2}}:\d{{2}}.*")
_IN_QUOTES = re.compile(rf"'({PLACEHOLDER.pattern})'")
_IN_BRACKETS = re.compile(rf"\[ ({PLACEHOLDER.pattern}) \]")


@dataclass(frozen=True)
class Span:
    """A name or a time in a question: its offsets, and the name that a program uses for it."""

    start: int
    end: int
    name: str

    def overlaps(self, other: Span) -> bool:
        return self.start < other.end and other.start < self.end


@dataclass(frozen=True)
class Masked:
    """A question with placeholders, and the name that each stands for."""

    question: str
    names: Mapping[str, str]


def mask(question: str, spans: Iterable[Span]) -> Masked:
    """Replaces each span by a placeholder, with the quotes or square brackets around it.

    The spans do not overlap; several of one name share a placeholder.
    """
    ordered = sorted(spans, key=lambda span: span.start)
    placeholders: dict[str, str] = {}
    for name in dict.fromkeys(span.name for span in ordered):
        letter = "y" if _TIME.fullmatch(name) else "e"
        placeholders[name] = f"<{letter}{sum(each[1] == letter for each in placeholders.values())}>"
    text = question
    for span in reversed(ordered):
        start, end = _with_quotes(question, span)
        text = f"{text[:start]}{placeholders[span.name]}{text[end:]}"
    return Masked(text, {placeholder: name for name, placeholder in placeholders.items()})


def _with_quotes(question: str, span: Span) -> tuple[int, int]:
    brackets = question[max(0, span.start - 1) : span.start] + question[span.end : span.end + 1]
    around = brackets == "[]" or is_quoted(question, span.start, span.end)
    return span.start - around, span.end + around


# A question with its program ------------------------------------------------------------------------------------------


def spans_of(question: str, names: Iterable[str]) -> list[Span]:
    """The places of the names in a question; longer names are sought first, and no two places overlap.

    A name is found as it is spelt, in another case or punctuation, as a date in words, or by some of its own words,
    such as "van gogh" for `Vincent van Gogh`.
    """
    distinct = sorted(dict.fromkeys(names), key=lambda name: (-len(name), name))
    taken: list[Span] = []
    for find in (_spelt_out, _normalised, _as_times, _by_some_words):
        for name in distinct:
            if any(span.name == name for span in taken):
                continue
            for start, end in find(question, name):
                span = Span(start, end, name)
                if not any(span.overlaps(other) for other in taken):
                    taken.append(span)
    return taken


def names_in(program: Program) -> list[str]:
    """The literals of a program that are names or times, in its order."""
    return [
        argument.value.text
        for call in chain.from_iterable(query.all_calls() for query in program.queries)
        for argument in call.arguments
        if isinstance(argument.value, Literal) and argument.name not in KEPT and argument.value.text
    ]


def mask_program(program: Program, names: Mapping[str, str]) -> Program:
    """The program with the placeholders of these names; a name that the question lacks stays."""
    placeholder_of = {name: placeholder for placeholder, name in names.items()}

    def masked(call: Call, argument: Argument, text: str) -> str:
        return text if argument.name in KEPT else placeholder_of.get(text, text)

    return replace(program, queries=tuple(with_literals(query, masked) for query in program.queries))


def with_literals(call: Call, change: Callable[[Call, Argument, str], str]) -> Call:
    """A call with other literals, also those of the calls within it; `change` gets the call and the argument too."""

    def changed(argument: Argument) -> Argument:
        match argument.value:
            case Call() as inner:
                return replace(argument, value=with_literals(inner, change))
            case Literal(text=text) as literal:
                return replace(argument, value=replace(literal, text=change(call, argument, text)))
        return argument

    return replace(call, arguments=tuple(map(changed, call.arguments)))


def names_in_form(form: Form) -> list[str]:
    """The names of entities and values in a logical form, in its order."""
    found: list[str] = []

    def note(name: Name) -> Name:
        found.append(name.text)
        return name

    _each_name(form, note)
    return found


def mask_form(form: Form, names: Mapping[str, str]) -> Form:
    """The logical form with placeholders in the place of names; see `mask_program`."""
    placeholder_of = {name: placeholder for placeholder, name in names.items()}
    masked: Form = _each_name(form, lambda name: Name(placeholder_of.get(name.text, name.text)))
    return masked


def _each_name(part: Any, change: Callable[[Name], Name]) -> Any:
    """A part of a form with each of its names changed."""
    if isinstance(part, Name):
        return change(part)
    if isinstance(part, tuple):
        return tuple(_each_name(each, change) for each in part)
    if is_dataclass(part) and not isinstance(part, type):
        changed = {each.name: _each_name(getattr(part, each.name), change) for each in fields(part)}
        return replace(part, **changed)
    return part


def put_back(text: str, names: Mapping[str, str]) -> str | None:
    """A program or a skeleton with its names again; None if it has a placeholder without a name."""
    if any(placeholder not in names for placeholder in PLACEHOLDER.findall(text)):
        return None
    named = _IN_QUOTES.sub(lambda match: quote(names[match[1]]), text)
    return _IN_BRACKETS.sub(lambda match: skeleton_text(Name(names[match[1]])), named)


def _spelt_out(question: str, name: str) -> Iterator[tuple[int, int]]:
    for match in re.finditer(rf"(?<!\w){re.escape(name)}(?!\w)", question, re.IGNORECASE):
        yield match.span()


def _normalised(question: str, name: str) -> Iterator[tuple[int, int]]:
    form = normal_form(name)
    if any(character.isalnum() for character in form):
        yield from word_spans(question).get(form, ())


def _as_times(question: str, name: str) -> Iterator[tuple[int, int]]:
    yield from ((time.start, time.end) for time in find_times(question) if time.name == name)


def _by_some_words(question: str, name: str) -> Iterator[tuple[int, int]]:
    """The longest run of words of the name; at least one of them does not only serve grammar."""
    own = normal_form(name).split()
    words = words_of(question)
    runs = [
        (words[first].start, words[last].end)
        for first in range(len(words))
        for last in range(first, len(words))
        if (forms := [normal_form(word.text) for word in words[first : last + 1]])
        and set(forms) <= set(own)
        and any(len(form) > 2 and form not in GRAMMAR_WORDS for form in forms)
    ]
    if runs:
        yield max(runs, key=lambda run: run[1] - run[0])


# A question that is asked ---------------------------------------------------------------------------------------------


def mask_mentions(question: str, mentions: Sequence[Mention]) -> Masked:
    """The question with placeholders for the graph's names and the times in it; relations stay."""
    return mask(question, (Span(each.start, each.end, each.name) for each in _names_among(mentions)))


def _names_among(mentions: Sequence[Mention]) -> list[Mention]:
    """The mentions of names and times; of those that overlap, the first counts."""
    kept: list[Mention] = []
    for each in mentions:
        if each.kind != "relation" and not any(each.start < other.end and other.start < each.end for other in kept):
            kept.append(each)
    return kept


# A demonstration ------------------------------------------------------------------------------------------------------


def masked_by_mentions(question: str, mentions: Sequence[Mention]) -> str:
    """The question with its mentions as `KINDS`, except weak ones, which may not be names."""
    named = (each for each in _names_among(mentions) if not each.weak)
    return _with_kinds(question, ((each.start, each.end, each.kind) for each in named))


@lru_cache(2_000)
def masked_by_program(question: str, program: str) -> str:
    """The question with the names and times of a program as `KINDS`; unchanged if that cannot be parsed."""
    try:
        spans = spans_of(question, names_in(parse(program, undefined=True)))
    except BadInput:
        return question
    kinds = ("time" if _TIME_OF_DAY.fullmatch(span.name) else "entity" for span in spans)
    return _with_kinds(question, ((span.start, span.end, kind) for span, kind in zip(spans, kinds, strict=True)))


def _with_kinds(question: str, spans: Iterable[tuple[int, int, str]]) -> str:
    for start, end, kind in sorted(spans, reverse=True):
        question = question[:start] + KINDS[kind] + question[end:]
    return question
