"""The grammar by which an endpoint constrains an LLM: what it lets through can be read, and prompts keep to it."""

from __future__ import annotations

import ast
import random
import re
from collections import Counter
from functools import cache
from typing import Any

import pytest
from lark import Lark, Token

from cgstore.errors import BadInput
from cgstore.llm.backends.languages import declined_in
from cgstore.llm.demonstrations import load_demonstrations
from cgstore.query.gbnf import OPENINGS, gbnf
from cgstore.query.parse import parse

OF_GBNF = r"""
start: (NAME "::=" either)+
either: row ("|" row)*
row: many+
many: one (MANY | BOUNDS)?
?one: USED | TEXT | CLASS | "(" either ")"
NAME: /[a-z][a-z0-9-]*(?=\s*::=)/
USED: /[a-z][a-z0-9-]*+(?!\s*::=)/
TEXT: /"(?:\\.|[^"\\])*"/
CLASS: /\[(?:\\.|[^\]\\])*\]/
MANY: /[?*+]/
BOUNDS: /\{\d+,\d+\}/
%ignore /\s+/
"""
"""The part of GBNF that is used, as one that reads it has it."""

LEFT_TO_PARSE = (
    "is given twice",
    "needs arguments",
    "keep needs",
    "where_",
    "can only use outputs of queries before it",
    "source takes the name of a source",
    "cannot be run for each element",
)
"""Errors of programs in the grammar: what no grammar can say, or not in few words."""

SIGNS = "Zé '\\\",()=<>.;-"


@pytest.fixture(scope="module")
def rules() -> dict[str, Any]:
    """The trees of the rules by their names."""
    given = Lark(OF_GBNF, parser="lalr").parse(gbnf()).children
    return {str(name): either for name, either in zip(given[::2], given[1::2], strict=True)}


def times(many: Any) -> tuple[int, int]:
    """How often the first child of a tree `many` may stand, at least and at most."""
    if len(many.children) == 1:
        return 1, 1
    sign = str(many.children[1])
    least, most = {"?": (0, 1), "*": (0, 999)}.get(sign) or map(int, sign.strip("{}").split(","))
    return least, most


def any_text(tree: Any, rules: dict[str, Any], chosen: random.Random, depth: int = 0) -> str:
    """A text in the grammar, at random."""
    if not isinstance(tree, Token):
        if tree.data == "either":
            return any_text(chosen.choice(tree.children), rules, chosen, depth)
        if tree.data == "row":
            return "".join(any_text(child, rules, chosen, depth) for child in tree.children)
        least, most = times(tree)
        number = chosen.randint(least, min(most, 2 if least == 0 else 9))
        return "".join(any_text(tree.children[0], rules, chosen, depth) for _ in range(number))
    if tree.type == "USED":
        return "'deep'" if tree == "value" and depth > 12 else any_text(rules[tree], rules, chosen, depth + 1)
    if tree.type == "TEXT":
        return str(ast.literal_eval(tree))
    return chosen.choice([sign for sign in f"{SIGNS}0123456789" if re.fullmatch(tree, sign)])


@cache
def pattern(kind: str, written: str) -> re.Pattern[str]:
    """What a text in quotes or a class of signs stands for."""
    return re.compile(re.escape(ast.literal_eval(written)) if kind == "TEXT" else written)


def ends(tree: Any, rules: dict[str, Any], text: str, at: int) -> set[int]:
    """Where a part of a text that is in the grammar may end, if it begins there."""
    if isinstance(tree, Token):
        if tree.type == "USED":
            return ends(rules[tree], rules, text, at)
        found = pattern(tree.type, str(tree)).match(text, at)
        return {found.end()} if found else set()
    if tree.data == "either":
        return set().union(*(ends(child, rules, text, at) for child in tree.children))
    here = {at}
    if tree.data == "row":
        for child in tree.children:
            here = set().union(*(ends(child, rules, text, each) for each in here))
        return here
    least, most = times(tree)
    reached = set() if least else {at}
    for number in range(1, most + 1):
        here = set().union(*(ends(tree.children[0], rules, text, each) for each in here))
        if not here:
            break
        reached |= here if number >= least else set()
    return reached


def test_whatever_is_in_the_grammar_is_read(rules: dict[str, Any]) -> None:
    seen: Counter[str] = Counter()
    for seed in range(1_000):
        text = any_text(rules["root"], rules, random.Random(seed))
        assert text.startswith(OPENINGS)
        if text.startswith("None"):
            assert declined_in(text)
            continue
        try:
            parse(text)
            seen["read"] += 1
        except BadInput as error:
            assert any(known in error.message for known in LEFT_TO_PARSE), f"{text}\n{error}"
    assert seen["read"] > 300


def test_shipped_demonstrations_are_in_the_grammar(rules: dict[str, Any]) -> None:
    shipped = [demonstration.program for demonstration in load_demonstrations()]
    assert len(shipped) > 400
    for program in shipped[::4]:
        text = re.sub(r"(?m)^Step\d*:.*\n", "", program).strip()
        assert len(text) in ends(rules["root"], rules, text, 0), text


@pytest.mark.parametrize(
    "text",
    [
        "Query1: \"if(count(set='a') > '3', 'x', 'y')\"",
        "Query1: \"if('output_of_query1' <= each, then='x', else='y')\"",
        "Query1: \"keep(set=heads(relation='city'), value>='5', contains='n')\"",
        "Query1: \"select(set='output_of_query1', column='city', column='mayor')\"",
        "Query1: \"group(by=extract_month('date'), of='goals', function='sum')\"",
        "Query1: \"get_information(head_entity='Donny O\\'Hare', relation='born')\"",
        'None: "the table has no prices"',
    ],
)
def test_what_prompts_show_is_in_the_grammar(text: str, rules: dict[str, Any]) -> None:
    assert len(text) in ends(rules["root"], rules, text, 0)


@pytest.mark.parametrize("text", ["The Swan.", "Query1: \"beds('The Swan')\"", "Query1: \"count(relation='beds')\""])
def test_anything_else_is_not(text: str, rules: dict[str, Any]) -> None:
    assert len(text) not in ends(rules["root"], rules, text, 0)
