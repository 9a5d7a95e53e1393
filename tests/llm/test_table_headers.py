"""Short names of columns, as spreadsheets have them: what they stand for, and questions that use whole words."""

from __future__ import annotations

import pytest

from cgstore.llm.backends.compose.headers import is_short_for, meaning_in, meaning_of
from cgstore.llm.backends.compose.meanings import wordings
from cgstore.llm.backends.compose.table import table_of
from cgstore.llm.backends.compose.words import QuestionText
from tests.llm.table_answers import answer

CABINS = table_of(
    "cabins",
    [
        ("Cabin", ""),
        ("Ctry", ""),
        ("GM", ""),
        ("No. Rms", "number"),
        ("Occ %", "number"),
        ("Bldg yr", "number"),
        ("Sauna (Y/N)", ""),
    ],
    [
        ("Otter Lodge", "Norway", "Ada Brook", "12", "71", "1998", "Y"),
        ("Pine House", "Finland", "Ben Cole", "31", "64", "2004", "N"),
        ("Birch Hut", "Norway", "Cleo Dunn", "7", "88", "2011", "Y"),
        ("Elm Barn", "Sweden", "Dan East", "19", "59", "1987", "N"),
    ],
)


@pytest.mark.parametrize(
    ("name", "form", "meaning"),
    [
        ("No. Rms", "number", "No. rooms"),
        ("Nts", "number", "nights"),
        ("Nts", "text", "notes"),
        ("Chk-in", "date", "check-in"),
        ("Bdgt (k€)", "number", "budget (k€)"),
        ("Pool (Y/N)", "flag", "Pool"),
        ("Apprvd?", "flag", "approved"),
        ("Long Name", "text", "Long Name"),
    ],
)
def test_short_words_of_a_name_are_written_out(name: str, form: str, meaning: str) -> None:
    assert meaning_of(name, form) == meaning


@pytest.mark.parametrize(
    ("name", "question", "meaning"),
    [
        ("Wdws", "How many windows has it?", "windows"),
        ("HK", "Who is the head keeper there?", "head keeper"),
        ("Wdws", "How many winds and windows?", "windows"),
        ("Crop", "How many croplands?", "Crop"),
    ],
)
def test_other_short_words_mean_words_of_the_question(name: str, question: str, meaning: str) -> None:
    assert meaning_in(name, "number", QuestionText(question)) == meaning


@pytest.mark.parametrize(
    ("short", "word", "is_so"),
    [("rms", "rooms", True), ("irrig", "irrigated", True), ("rms", "rums", True), ("ca", "cabin", False)],
)
def test_letters_stand_for_a_word(short: str, word: str, is_so: bool) -> None:
    assert is_short_for(short, word) is is_so


@pytest.mark.parametrize(
    ("question", "given"),
    [
        ("Who runs Pine House?", {"ben cole"}),
        ("Which cabin has the most rooms?", {"pine house"}),
        ("In which country is Elm Barn?", {"sweden"}),
        ("Who is the general manager of Birch Hut?", {"cleo dunn"}),
        ("How many rooms does Otter Lodge have?", {12.0}),
    ],
)
def test_whole_words_name_columns_with_short_names(question: str, given: set[str | float]) -> None:
    assert answer(question, CABINS) == given


@pytest.mark.parametrize(
    ("question", "header", "is_said"),
    [
        ("When did the Alba come in?", "Arrived", True),
        ("When did the Alba go out?", "Arrived", False),
        ("When did the Alba go out?", "Departed", True),
        ("How many people came?", "Headcount", True),
        ("How many talks were given by people from Ulm?", "Headcount", False),
        ("How many tickets did Ann handle?", "Ticket", False),
    ],
)
def test_a_small_verb_with_in_or_out_and_a_counted_noun_are_other_words(
    question: str, header: str, is_said: bool
) -> None:
    assert any(wordings(QuestionText(question), header)) is is_said


def test_a_header_of_consonants_is_the_word_that_has_no_others() -> None:
    assert (meaning_of("Prjct", "text"), meaning_of("Trgt", "number")) == ("project", "target")
