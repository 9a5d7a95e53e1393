"""Misspelt words and names of a question: what is put right, and what is left as it is."""

from __future__ import annotations

import pytest

from cgstore.text.english import is_common_name, is_english
from cgstore.text.misspelt import Known, Repaired, put_right

NAMES = """
    Dario Penhollow, Port Estrin, Port Easton, 1st Fleet, Henry II, Henry III, Roderick, John Alden Dix, Salt Ledger,
    Maria Lindqvist, Ada Varn, Ida Varn, The Drowned Chapel, Model 3 Blue, Joan Hasterly, Product A, Finland,
    Lotte Abendroth
"""
WORDS = "mayor captain sponsor sponsored written play first succeeded which where oldest makes"
OTHERS = frozenset({"who", "was", "for", "concertmaster"})


def meant(question: str, names: tuple[str, ...] = (), covered: tuple[tuple[int, int], ...] = ()) -> Repaired | None:
    names_there = " ".join(NAMES.split()).split(", ")
    return put_right(question, Known(frozenset(WORDS.split()), OTHERS, covered, lambda text: names_there), names)


@pytest.mark.parametrize(
    ("question", "right", "note"),
    [
        ("Who was the captian?", "Who was the captain?", "'captian' is read as 'captain'"),
        ("who was the frist mayor?", "who was the first mayor?", "'frist' is read as 'first'"),
        ("Wich one has writen it?", "Which one has written it?", "'writen' is read as 'written'"),
        ("Which sponser was there?", "Which sponsor was there?", "'sponser' is read as 'sponsor'"),
        ("the cheepest one", "the cheapest one", "'cheepest' is read as 'cheapest'"),
        ("an aggresive one", "an aggressive one", "'aggresive' is read as 'aggressive'"),
        ("the odest one", "the oldest one", "'odest' is read as 'oldest'"),
        ("who mkes it", "who makes it", "'mkes' is read as 'makes'"),
        ("who was born in Sepptember", "who was born in September", "'Sepptember' is read as 'September'"),
        ("who succeded him?", "who succeeded him?", "'succeded' is read as 'succeeded'"),
    ],
)
def test_a_word_that_nothing_knows_is_read_as_the_nearest_one(question: str, right: str, note: str) -> None:
    found = meant(question)
    assert found is not None
    assert (found.question.lower(), found.notes[-1]) == (right.lower(), note)


@pytest.mark.parametrize(
    ("question", "right"),
    [
        ("When did Dario Penholow play?", "When did Dario Penhollow play?"),
        ("who was mayor of prot estrin", "who was mayor of Port Estrin"),
        ("Was Maria Lindqist the first?", "Was Maria Lindqvist the first?"),
        ("What happens in the drowned chapl?", "What happens in The Drowned Chapel?"),
        ("When did Abendrot play?", "When did Abendroth play?"),
    ],
)
def test_a_misspelt_name_is_read_as_the_nearest_one(question: str, right: str) -> None:
    found = meant(question)
    assert found is not None
    assert found.question in (right, right.replace("The Drowned", "the The Drowned"))


@pytest.mark.parametrize(
    "question",
    [
        "Who was the mayor?",
        "Who was Carter?",
        "who was the mare",
        "who was recaptain",
        "Who was captains",
        "which concertmasters were there",
        "How long did the captain reign, and whom did he coach?",
        "Who didn't play?",
        "When was Uda Varn born?",
        "Who has Model 4 Bleu?",
        "who owns TRK5O4 and HBX12",
        "who played in finland",
        "who are the vines of Abendroth",
    ],
)
def test_what_is_right_or_has_digits_or_may_be_several_is_left(question: str) -> None:
    assert meant(question) is None


@pytest.mark.parametrize(
    "name", ["Henry I", "Henry IV", "Henry", "Salt Ladder", "John Alden Die", "John Hasterly", "Product B"]
)
def test_a_name_whose_words_are_right_or_numbers_is_not_another_name(name: str) -> None:
    assert meant(f"When was {name} born?", (name,)) is None


def test_a_name_whose_first_name_is_spelt_otherwise_is_put_right() -> None:
    found = meant("When was Rodrick born?", ("Rodrick",))
    assert found is not None
    assert found.question == "When was Roderick born?"


def test_a_less_frequent_word_is_read_as_one_of_the_source_where_the_question_is_not_understood() -> None:
    known = Known(frozenset({"manager", "mayor"}), frozenset(), (), lambda text: [])
    assert put_right("was he the manger?", known) is None
    assert put_right("was he the major?", known, (), has_rare=True) is None
    found = put_right("was he the manger?", known, (), has_rare=True)
    assert found is not None
    assert found.question == "was he the manager?"


def test_what_is_covered_is_left() -> None:
    assert meant("was captian there", covered=((4, 11),)) is None


@pytest.mark.parametrize("word", ["reigned", "cheapest", "vines", "organise", "organize", "colour", "mice", "an"])
def test_a_correct_word_is_english(word: str) -> None:
    assert is_english(word)


@pytest.mark.parametrize("word", ["captian", "frist", "headquartes", "playd", "suplied", "founed", "cheeper"])
def test_a_misspelt_word_is_not_english(word: str) -> None:
    assert not is_english(word)


def test_first_names_and_places_are_known() -> None:
    assert is_common_name("anna")
    assert is_common_name("finland")
