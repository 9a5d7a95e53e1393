"""The shipped demonstrations and the examples in the templates give the right answers on data of which they speak."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from cgstore.cypher.connection import Database
from cgstore.llm.demonstrations import Demonstration, load_demonstrations
from cgstore.llm.prompts import PromptTexts
from cgstore.store import Store
from tests.conftest import wipe
from tests.share import share

DATA = Path(__file__).parent / "shipped"

TEMPLATES = {
    "of_tables": "ferries",
    "of_kgs": "films",
    "of_statements": "awards",
    "of_parallel": "ratings",
    "of_tkgs": "offices",
}
"""The source of which the examples of each template speak."""

SHIPPED = [d for d in load_demonstrations() if d.source in ("table", "kg", "statements")]

RIGHT = {line["question"]: line for line in map(json.loads, (DATA / "answers.jsonl").open(encoding="utf-8"))}
"""The answer to each demonstration's question, and the source of which it is asked."""

EXAMPLE = re.compile(r"^(?P<question>.*)\n(?P<program>(?:Query\d+: .*\n)+)-> (?P<answer>.*)$", re.MULTILINE)
"""A worked example of a template."""


def examples() -> list[tuple[str, str, str, str]]:
    """The worked examples of all templates: source, question, program, answer."""
    texts = {source: PromptTexts().render(name) for name, source in TEMPLATES.items()}
    return [(source, m[1], m[2], m[3]) for source, text in texts.items() for m in EXAMPLE.finditer(text)]


@pytest.fixture(scope="module")
def store(shared_db: Database) -> Store:
    wipe(shared_db)
    store = Store(shared_db)
    store.load_table([DATA / f"{name}.csv" for name in ("ferries", "towers", "races")])
    store.load_kg(DATA / "films.tsv")
    store.load_kg(DATA / "kg.tsv")
    for name in ("awards", "ratings", "prizes"):
        store.load_statements(DATA / f"{name}.jsonl")
    store.load_tkg(DATA / "offices.tsv")
    return store


@pytest.mark.parametrize("demonstration", share(SHIPPED, 2))
def test_a_demonstration_gives_the_right_answer(store: Store, demonstration: Demonstration) -> None:
    right = RIGHT[demonstration.question]
    answer = store.query(demonstration.program, [right["source"]], exact=True)
    assert list(answer.answer) == right["answer"]


@pytest.mark.parametrize(("source", "question", "program", "right"), share(examples(), 2))
def test_an_example_of_a_template_gives_the_answer_written_there(
    store: Store, source: str, question: str, program: str, right: str
) -> None:
    assert "; ".join(map(str, store.query(program, [source], exact=True).lines)) == right


def test_no_example_of_a_template_is_left_out() -> None:
    assert len(examples()) == sum(PromptTexts().render(name).count("\n-> ") for name in TEMPLATES) >= 20
    assert RIGHT.keys() == {demonstration.question for demonstration in SHIPPED}
