"""Answers in a sentence: every function, and programs of any shape."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from cgstore.query.ast import Call, Literal, OutputRef, Program
from cgstore.query.comparisons import is_superlative
from cgstore.query.functions import FUNCTIONS
from cgstore.query.parse import ProgramError, parse
from cgstore.query.sentences import SHOWN, Vocabulary, quoted, sentence_of
from tests.query.graphs import sources_of
from tests.query.interpreter_programs import programs
from tests.query.sentence_cases import OF_GRAPHS, OF_TABLES, WITH_NUMBERS, sentences

SENTENCES = Path(__file__).parent / "__snapshots__" / "sentences.txt"
"""A line for each program, and its sentence under it. To write it anew: `python -m tests.query.test_sentences`."""

OPTIONS = ("order", "ascending", "reverse", "n", "which", "unit", "operator", "function", "at_most")
"""Arguments that a sentence says in other words."""

GRAPHS = [sources_of(number).whole for number in range(3)]


def as_text() -> str:
    """All programs with their sentences."""
    return "".join(f"{'; '.join(program.splitlines())}\n    {said}\n" for program, said in sentences())


def test_the_sentences_read_so() -> None:
    assert as_text() == SENTENCES.read_text(encoding="utf-8")


def test_every_function_has_a_sentence() -> None:
    texts = [program for program, _ in (*OF_TABLES, *WITH_NUMBERS, *OF_GRAPHS)]
    called = {c.function for text in texts for q in parse(text, undefined=True).queries for c in q.all_calls()}
    assert len(texts) >= 80
    assert called >= set(FUNCTIONS)


def literals_of(program: Program, call: Call) -> list[str]:
    """The literals that the answer of a call depends on."""
    found: list[str] = []
    for argument in call.arguments:
        match argument.value:
            case Literal(text=text) if argument.name not in OPTIONS and not is_superlative(text):
                found.append(text)
            case Call() as inner:
                found += literals_of(program, inner)
            case OutputRef(number=number):
                found += literals_of(program, program.queries[number - 1])
    return found


@given(st.sampled_from(GRAPHS).flatmap(programs), st.booleans(), st.lists(st.text() | st.floats() | st.integers()))
@settings(max_examples=300)
def test_a_sentence_names_every_literal_and_never_fails(
    program: str, only_tables: bool, answer: list[str | float]
) -> None:
    try:
        parsed = parse(program)
    except ProgramError:
        assume(False)
    said = sentence_of(parsed, Vocabulary({}, only_tables), answer)
    assert said.endswith("." if not said.endswith("...") else "...")
    assert "\n" not in said
    for text in literals_of(parsed, parsed.queries[-1]):
        assert quoted(text).strip('"') in said, (text, said)


@pytest.mark.parametrize("count", [1, SHOWN, SHOWN + 1])
def test_a_sentence_says_whether_all_values_are_listed(count: int) -> None:
    values = [f"film {number}" for number in range(count)]
    said = sentence_of(parse("get_information(relation='directed by')"), Vocabulary({}), values)
    assert (f"{SHOWN} of {count}" in said) == (count > SHOWN)
    assert (f"(all {count} shown)" in said) == (1 < count <= SHOWN)
    assert all(value in said for value in values[:SHOWN])


def test_an_answer_that_was_cut_is_counted_whole() -> None:
    said = sentence_of(parse("get_information(relation='directed by')"), Vocabulary({}), ["A", "B"], total=500)
    assert "A, B (2 of 500 shown)" in said


if __name__ == "__main__":
    SENTENCES.write_text(as_text(), encoding="utf-8")
