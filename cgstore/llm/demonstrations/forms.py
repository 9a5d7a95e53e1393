"""The forms of demonstrations: those that differ in their names alone are one form, with a vote for each.

A benchmark's train split has thousands of demonstrations of a few hundred forms, so a form is made from the texts of
question and program; the program is parsed only when it is rewritten.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property

from cgstore.errors import BadInput
from cgstore.llm.demonstrations import Demonstration
from cgstore.llm.demonstrations.masking import NO_NAMES, Template, kind_of_name, mask, span_of, template_of
from cgstore.llm.demonstrations.signals import answer_type, question_word, signals_of
from cgstore.query.build import quote
from cgstore.text.names import without_accents

_ARGUMENT = re.compile(r"""(\w+)\s*(?:[<>!]=?|=)\s*'((?:[^'\\\n]|\\.|'(?!\s*[,)]))*)'(?=\s*[,)])""")
"""An argument with a literal. Where an LLM did not escape an apostrophe, the literal ends before a comma or bracket."""
_ESCAPED = re.compile(r"\\(.)")
_OUTPUT = re.compile(r"output_of_query_?\s*\d+")
_TOKEN = re.compile(r"\{entity\}|\{time\}|[^\W_]+")


@dataclass(eq=False)
class Form:
    """A masked question with a program, and what a question must share with it.

    `votes` counts the demonstrations of this form; `stored`: they are in the graph, and not shipped or in a file.
    `entities` and `times` count the different names and times; `relations` are those of the program.
    """

    demonstration: Demonstration
    masked: str
    entities: int
    times: int
    relations: tuple[str, ...]
    stored: bool = False
    votes: int = 1

    @property
    def size(self) -> tuple[int, int]:
        """The number of entities and of times in the question."""
        return self.entities, self.times

    @property
    def temporal(self) -> bool:
        """Whether the program has a key, so that it is about facts with times."""
        return "key=" in self.demonstration.program

    @cached_property
    def words(self) -> str:
        """The masked question without case and punctuation: equal for questions that differ in their names alone."""
        return words_of_form(self.masked)

    @cached_property
    def signals(self) -> frozenset[str]:
        return signals_of(self.masked)

    @cached_property
    def answer(self) -> str:
        """The type of the answer."""
        return answer_type(self.masked)

    @cached_property
    def word(self) -> str:
        """The question word."""
        return question_word(self.masked)

    @cached_property
    def template(self) -> Template | None:
        """The parsed demonstration; None if its program cannot be parsed or has a name that the question lacks."""
        try:
            template = template_of(self.demonstration)
        except BadInput:
            return None
        return template if template.masked == self.masked else None


def forms_of(demonstrations: Iterable[tuple[Demonstration, bool]]) -> list[Form]:
    """The forms of demonstrations, in their order; each is given with whether it is stored in the graph."""
    forms: dict[tuple[str, str, str], Form] = {}
    for demonstration, stored in demonstrations:
        masked, program, form = _masked(demonstration)
        key = (words_of_form(masked), program, demonstration.source)
        known = forms.get(key)
        if known is None:
            form.stored = stored
            forms[key] = form
        else:
            known.votes += 1
            known.stored = known.stored and stored
    return list(forms.values())


def words_of_form(masked: str) -> str:
    """A masked question without case, accents and punctuation."""
    return " ".join(_TOKEN.findall(without_accents(masked.lower())))


def _masked(demonstration: Demonstration) -> tuple[str, str, Form]:
    """The masked question, the masked program, and the form of one demonstration."""
    question, program = demonstration.question, demonstration.program
    names = {text: kind_of_name(text) for text in dict.fromkeys(_names_in(program)) if span_of(question, text)[0] >= 0}
    spans = sorted((*span_of(question, text), kind) for text, kind in names.items())
    masked = mask(question, spans)
    order = sorted(names, key=lambda text: span_of(question, text))
    for number, text in enumerate(order):
        for written in dict.fromkeys((quote(text), f"'{text}'")):
            program = program.replace(written, f"'\x00{number}'")
    kinds = [names[text] for text in order]
    relations = dict.fromkeys(_unescaped(m[2]) for m in _ARGUMENT.finditer(program) if m[1] == "relation")
    form = Form(demonstration, masked, kinds.count("entity"), kinds.count("time"), tuple(relations))
    return masked, program, form


def _names_in(program: str) -> Iterator[str]:
    for match in _ARGUMENT.finditer(program):
        text = _unescaped(match[2])
        if match[1] not in NO_NAMES and not _OUTPUT.fullmatch(text):
            yield text


def _unescaped(text: str) -> str:
    return _ESCAPED.sub(r"\1", text) if "\\" in text else text
