"""Why a question cannot be answered, in words for those who know nothing of demonstrations and programs."""

from __future__ import annotations

from collections.abc import Sequence, Set

from cgstore.llm.backends.rewrite.reading import Reading
from cgstore.llm.backends.rewrite.signals import words_behind
from cgstore.llm.backends.rewrite.template import Template


def why_unknown_form(reading: Reading, templates: Sequence[Template]) -> str:
    """What of a question's form no template shares."""
    if reading.answer == "truth":
        return "this asks yes or no, which is not understood without an LLM: ask who, what or when it was"
    if "duration" in reading.signals:
        return (
            "this asks how long something took, which is not understood without an LLM: ask when it started and ended"
        )
    alike = [t for t in templates if t.answer == reading.answer]
    strange = reading.signals.difference(*(t.signals for t in alike))
    if words := words_behind(reading.masked, strange):
        return f"what {_quoted(words)} asks for is not understood without an LLM"
    same_size = [t for t in alike if size(t) == (len(reading.entities), len(reading.times))]
    if same_size and (words := words_behind(reading.masked, reading.signals)):
        return f"what {_quoted(words)} asks for is not understood in this question without an LLM"
    parts = [_number(len(reading.entities), "name"), *([_number(n, "time")] if (n := len(reading.times)) else [])]
    if same_size or len(reading.entities) + len(reading.times) == 1:
        return f"it is not understood what is asked about the {' and the '.join(parts)} in it"
    return f"it is not understood how the {' and the '.join(parts)} in it belong together"


def why_no_program(not_understood: Sequence[Set[str]]) -> str:
    """The fewest words that stood in the way of a program, or that nothing in the graph fits."""
    if not not_understood:
        return "the graph has no relation of these names that fits the question"
    words = sorted(sorted(not_understood, key=len)[0])
    return (
        f"the word{'s' if len(words) > 1 else ''} {_quoted(words)} {'are' if len(words) > 1 else 'is'} not understood "
        "without an LLM"
    )


def why_present(reading: Reading) -> str:
    """For a question about now."""
    word = words_behind(reading.masked, {"present"})[0]
    return f"'{word}' asks for now, and the data may end before that: ask for a time ('in 2020'), or for the last one"


def _quoted(words: Sequence[str]) -> str:
    return ", ".join(f"'{word}'" for word in words)


def size(template: Template) -> tuple[int, int]:
    """How many names of entities, and how many times, its question has."""
    return len(template.of_kind("entity")), len(template.of_kind("time"))


def _number(count: int, noun: str) -> str:
    return noun if count == 1 else f"{count} {noun}s"
