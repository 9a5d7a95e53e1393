"""The check of a program, which words of the question it answers to."""

from __future__ import annotations

import pytest

from cgstore.finetune.memory import Memory, table_source
from cgstore.llm.small.account import Lexicon, account_for
from cgstore.llm.small.notation import read

HIVES = table_source(
    "hives",
    ("Hive", "Site", "Queen marked", "Honey (kg)"),
    [("H1", "Quarry Top", "yes", "12"), ("H2", "Old Orchard", "no", "7"), ("H3", "Quarry Top", "no", "9")],
)
LEXICON = Lexicon(
    {
        "many": frozenset(["does count"]),
        "not": frozenset(["does set_difference", "value no"]),
        "most": frozenset(["value max", "does argmax"]),
        "before": frozenset(["is less"]),
    },
    frozenset(["how", "are", "at", "the", "which", "has", "in"]),
)

CASES = [
    ("how many hives are at quarry top", 'count(* : site = "quarry top")', (), ()),
    ("how many hives stand at quarry top", 'count(* : site = "quarry top")', ("stand",), ()),
    ("which hive has the most honey", 'hive : `honey (kg)` >= "max"', (), ()),
    ("which hive has the most honey", "hive : `honey (kg)` > 5", ("most",), ("most",)),
    ("hives not at quarry top", 'hive : site = "quarry top"', ("not",), ("not",)),
    ("hives at quarry top with 12 kg honey", 'hive : site = "quarry top"', ("12", "kg", "honey"), ("12",)),
    ("hives with 12 kg honey", "hive : `honey (kg)` = 12", (), ()),
]


@pytest.mark.parametrize(("question", "program", "unused", "ignored"), CASES)
def test_words_without_a_part(question: str, program: str, unused: tuple[str, ...], ignored: tuple[str, ...]) -> None:
    found = account_for(question, Memory([HIVES]).prompt(question), read(program), LEXICON)
    assert (found.unused, found.ignored) == (unused, ignored)


def test_parts_without_a_word() -> None:
    question = "who lives at quarry top"
    found = account_for(question, Memory([HIVES]).prompt(question), read('queen marked : site = "quarry top"'), LEXICON)
    assert found.unsaid == ("queen marked",)
    assert "quarry top: quarry top" in found.text() and "no part: lives" in found.text()
