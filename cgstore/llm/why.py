"""Why a question cannot be answered, in words for those who know nothing of demonstrations and programs."""

from __future__ import annotations

from collections.abc import Sequence, Set

from cgstore.llm.reading import Reading
from cgstore.llm.signals import SIGNAL_OF
from cgstore.llm.template import Template, unmasked
from cgstore.mapping.mentions import words_of


def why_unknown_form(reading: Reading, templates: Sequence[Template]) -> str:
    """What of a question's form no template shares."""
    if reading.answer == "truth":
        return "this asks yes or no, which no program here answers"
    if "duration" in reading.signals:
        return "this asks how long something took, which no program here answers"
    alike = [t for t in templates if t.answer == reading.answer]
    strange = reading.signals.difference(*(t.signals for t in alike))
    if words := _words(reading, strange):
        return f"what {_quoted(words)} asks for is not understood"
    same_size = [t for t in alike if _size(t) == (len(reading.entities), len(reading.times))]
    if same_size and (words := _words(reading, reading.signals)):
        return f"what {_quoted(words)} asks for is not understood in this question"
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
        f"the word{'s' if len(words) > 1 else ''} {_quoted(words)} {'are' if len(words) > 1 else 'is'} not understood"
    )


def _words(reading: Reading, signals: Set[str]) -> list[str]:
    words = (word.text.lower() for word in words_of(unmasked(reading.masked)))
    return list(dict.fromkeys(word for word in words if SIGNAL_OF.get(word) in signals))


def _quoted(words: Sequence[str]) -> str:
    return ", ".join(f"'{word}'" for word in words)


def _size(template: Template) -> tuple[int, int]:
    return len(template.of_kind("entity")), len(template.of_kind("time"))


def _number(count: int, noun: str) -> str:
    return noun if count == 1 else f"{count} {noun}s"
