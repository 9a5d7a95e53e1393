"""Answers in a sentence: every function, and programs of any shape.

`sentences.jsonl` has programs over a table of ships, films, mayors with their times, and awards with qualifiers, with
their answers and sentences. To write the sentences anew: `python -m tests.query.test_sentences`.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from cgstore.query.ast import Call, Literal, OutputRef, Place, Program
from cgstore.query.comparisons import is_superlative
from cgstore.query.functions import FUNCTIONS
from cgstore.query.name_uses import NameRole, name_uses
from cgstore.query.operands import Named, Names
from cgstore.query.parse import ProgramError, parse
from cgstore.query.sentences import SHOWN, Vocabulary, quoted, sentence_of
from tests.query.corpus import json_lines
from tests.query.graphs import sources_of
from tests.query.interpreter_programs import programs

FILE = Path(__file__).with_name("sentences.jsonl")
CASES = json_lines(FILE)

TIMES = ("time", "start time", "end time")
KEYS = (*TIMES, "for work", "year")

OPTIONS = ("order", "ascending", "reverse", "n", "which", "unit", "operator", "function", "at_most")
"""Arguments that a sentence says in other words."""

GRAPHS = [sources_of(number).whole for number in range(3)]


def said_of(case: dict[str, Any]) -> str:
    rows = tuple(map(tuple, case.get("rows", ())))
    parsed = parse(case["program"], undefined=True)
    return sentence_of(parsed, vocabulary(parsed, table=case["table"]), case.get("answer", []), rows)


def vocabulary(program: Program, *, table: bool) -> Vocabulary:
    """What the names of a program mean, where those written in another way are taken for `South Line`."""
    names: dict[Place, Names] = {}
    for use in name_uses(program):
        text = use.literal.text
        if text.lower() in ("south line", "sowth line"):
            names[use.literal.place] = Names((Named("South Line", "South Line"),))
        elif use.role is NameRole.ENTITY:
            names[use.literal.place] = Names((Named(text, text),))
        else:
            names[use.literal.place] = Names((relation(text if table else text.replace("_", " "), column=table),))
    return Vocabulary(names, table)


def relation(name: str, *, column: bool) -> Named:
    is_key = name in KEYS
    key = f"x\x1f{name}"
    return Named(key, name, column=column, of_heads=not is_key, of_facts=is_key, built_in=name in TIMES)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["program"])
def test_an_answer_is_said_in_a_sentence(case: dict[str, Any]) -> None:
    assert said_of(case) == case["sentence"]


def test_every_function_has_a_sentence() -> None:
    parsed = [parse(case["program"], undefined=True) for case in CASES]
    assert {call.function for each in parsed for query in each.queries for call in query.all_calls()} >= set(FUNCTIONS)


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
    lines = (json.dumps(case | {"sentence": said_of(case)}, ensure_ascii=False) + "\n" for case in CASES)
    FILE.write_text("".join(lines), encoding="utf-8")
