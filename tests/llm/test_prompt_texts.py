"""The templates: what they show is legal, a user's own take their place, and data in them is never looked at again."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from cgstore.errors import BadInput
from cgstore.llm.prompts import NAMES, PAGES, PromptTexts
from cgstore.query.functions import FUNCTIONS, legal_argument
from cgstore.query.parse import parse

QUERY = re.compile(r"^Query\d+: .*$", re.MULTILINE)
SIGNATURE = re.compile(r"(?<![\w.])([a-z_]+)\(((?:[a-z_0-9]+=(?:, )?)+)\)")
WRITTEN_OUT = re.compile(r"(?<![\w.])(?:tail_entity|value|operator)(?:[<>]=?|=)'[^'\n]*'")

EARLIER = "get_information(relation='r')\n" * 9
"""Queries whose outputs a comparison may use."""


@pytest.mark.parametrize("name", NAMES)
def test_every_program_in_a_template_parses(name: str) -> None:
    text = PromptTexts().render(name)
    programs = re.findall(r"(?:^Query\d+: .*\n)+", text + "\n", re.MULTILINE)
    assert sum(program.count("\n") for program in programs) == len(QUERY.findall(text))
    for program in programs:
        assert len(parse(program).queries) == program.count("\n")


def test_most_templates_show_programs() -> None:
    assert all(QUERY.search(PromptTexts().render(name)) for name in ("system", *PAGES, "explore"))


def test_functions_and_arguments_that_the_language_lists_are_legal() -> None:
    found = SIGNATURE.findall(PromptTexts().render("language"))
    assert {name for name, _ in found} >= {"keep", "count", "argmax", "mode", "difference", "compare"}
    for name, arguments in found:
        names = re.findall(r"\w+", arguments)
        assert [legal_argument(name, n, place, place) for place, n in enumerate(names)] == names
        assert set(FUNCTIONS[name].required_arguments) <= set(names)


def test_comparisons_that_a_template_quotes_parse() -> None:
    quoted = {match for name in NAMES for match in WRITTEN_OUT.findall(PromptTexts().render(name))}
    assert len(quoted) > 10
    for comparison in quoted - {"operator='<'"}:
        parse(f"{EARLIER}get_information(relation='r', key='k', {comparison})")


def test_fields_are_filled_in_once_and_braces_around_anything_else_stay(tmp_path: Path) -> None:
    text = PromptTexts().render("question", question="What is {names}?", names="Names in it: {question}")
    assert text == "Question: What is {names}?\nNames in it: {question}"
    (tmp_path / "retry.txt").write_text('{tried} {x} {} {"a": 1}', encoding="utf-8")
    assert PromptTexts(tmp_path).render("retry", tried="t") == 't {x} {} {"a": 1}'


def test_a_user_s_file_takes_the_place_of_one_template(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "language.txt").write_text("Write SQL.\n", encoding="utf-8")
    shipped = PromptTexts().render("of_kgs")
    monkeypatch.setenv("CGSTORE_PROMPTS", str(tmp_path))
    for mine in (PromptTexts(tmp_path), PromptTexts()):
        assert (mine.render("language"), mine.render("of_kgs")) == ("Write SQL.", shipped)


@pytest.mark.parametrize(
    ("file", "text", "message"),
    [
        ("sytem.txt", "x", "system.txt"),
        ("notes.txt", "x", "does not have the name of a prompt"),
        ("question.txt", "Answer this.", r"lacks \{question\}"),
        ("function.txt", "{function}", r"lacks \{arguments\}"),
    ],
)
def test_what_is_wrong_with_a_user_s_file_is_told(file: str, text: str, message: str, tmp_path: Path) -> None:
    (tmp_path / file).write_text(text, encoding="utf-8")
    with pytest.raises(BadInput, match=message):
        PromptTexts(tmp_path)


def test_what_cannot_be_read_is_bad_input(tmp_path: Path) -> None:
    (tmp_path / "language.txt").write_bytes(b"\xff\xfe\xfa")
    with pytest.raises(BadInput, match="cannot be read"):
        PromptTexts(tmp_path)
    with pytest.raises(BadInput, match="no folder"):
        PromptTexts(tmp_path / "none")
