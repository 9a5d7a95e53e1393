"""The shipped demonstrations and the examples in the templates give the right answers on data of which they speak."""

from __future__ import annotations

import csv
import json
import re
from pathlib import Path
from typing import Any

import pytest

from cgstore.cypher.connection import Database
from cgstore.llm.demonstrations import Demonstration, load_demonstrations
from cgstore.llm.prompts import PromptTexts
from cgstore.store import Store
from tests.conftest import wipe

TABLES = {
    "ferries": """\
Ship,Built,Route,Passengers,Length
Alma,1998,North Line,320,62 m
Bela,2004,South Line,180,48 m
Cora,2011,North Line,410,70 m
Dena,1987,South Line,180,55 m
Edda,2015,North Line,,66 m
""",
    "towers": """\
Rank,Name,City,Height,Floors,Completed
1,Lantern Tower,Velm,212 m,52,2004
2,Kestrel House,Velm,187 m,44,1996
3,Corn Exchange,Orsk,160 m,41,1996
4,Old Mint,Velm,143 m,36,1978
5,Gate One,Tarn,121 m,30,1989
""",
    "races": """\
Date,Winner,Club,Venue,Time,Spectators
"June 3, 2000",Tomas Reed,Harlow,River Aske,6:42.1,"1,200"
"June 9, 2001",Ina Vogt,Stroud,Lake Sorrel,6:39.8,"1,450"
"June 1, 2002",Sam Oduya,Harlow,River Aske,6:40.5,900
"June 7, 2003",Lea Marsh,Harlow,Lake Brant,6:51.0,"1,450"
"June 5, 2004",Jo Fenn,Stroud,River Aske,6:44.7,"1,050"
"June 4, 2005",Mika Stone,Harlow,Lake Brant,6:38.2,"2,000"
""",
}

FILMS = (
    ("The Salt Road", "directed by", "Mira Holt"),
    ("The Salt Road", "starred", "Ivo Lenz"),
    ("The Salt Road", "release year", "1984"),
    ("Night Ferry", "directed by", "Mira Holt"),
    ("Night Ferry", "starred", "Dora Weil"),
    ("Night Ferry", "release year", "1991"),
    ("Glass Hill", "directed by", "Otto Sand"),
    ("Glass Hill", "starred", "Ivo Lenz"),
)
"""The facts of the template for knowledge graphs."""

KG = (
    ("Glass Hill", "directed by", "Vera Lund"),
    ("Glass Hill", "written by", "Piet Holm"),
    ("Glass Hill", "starred", "Nils Arden"),
    ("Glass Hill", "starred", "Eva Kron"),
    ("Glass Hill", "genre", "drama"),
    ("Glass Hill", "release year", "1988"),
    ("Blue Harbour", "directed by", "Vera Lund"),
    ("Blue Harbour", "written by", "Sara Quist"),
    ("Blue Harbour", "starred", "Tove Lind"),
    ("Blue Harbour", "genre", "comedy"),
    ("Blue Harbour", "release year", "1995"),
    ("The Long Winter", "directed by", "Otto Sand"),
    ("The Long Winter", "written by", "Piet Holm"),
    ("The Long Winter", "starred", "Nils Arden"),
    ("The Long Winter", "genre", "drama"),
    ("The Long Winter", "release year", "1993"),
    ("Velonia", "location.country.capital", "Port Vell"),
    ("Velonia", "location.country.borders", "Ostmark"),
    ("Velonia", "location.country.borders", "Suria"),
    ("Ostmark", "location.country.population", "4100000"),
    ("Suria", "location.country.population", "9600000"),
    ("Veria", "location.country.population", "12000000"),
    ("Ada Brandt", "people.person.place_of_birth", "Suria"),
    ("Suria", "location.location.languages_spoken", "Surian"),
    ("Suria", "location.location.languages_spoken", "Velonian"),
    ("Night Ferry", "film.film.starring", "m.01"),
    ("m.01", "film.performance.actor", "Dora Weil"),
    ("m.01", "film.performance.character", "Inspector Holt"),
    ("Night Ferry", "film.film.starring", "m.02"),
    ("m.02", "film.performance.actor", "Ivo Lenz"),
    ("m.02", "film.performance.character", "The Stranger"),
    ("Return to the Ferry", "film.film.starring", "m.03"),
    ("m.03", "film.performance.actor", "Lea Marsh"),
    ("m.03", "film.performance.character", "Inspector Holt"),
)

AWARDS: tuple[tuple[Any, ...], ...] = (
    ("Mira Holt", "award received", "Silver Lantern", {"for work": "Night Ferry", "year": "1992"}),
    ("Mira Holt", "award received", "Harbour Prize", {"for work": "The Salt Road", "year": "1985"}),
    ("Ivo Lenz", "award received", "Harbour Prize", {"for work": "Glass Hill", "year": "1990"}),
)
"""The facts of the template for qualifiers."""

RATINGS: tuple[tuple[Any, ...], ...] = (
    ("Dora Weil", "rated", "Glass Hill", {"stars": "5", "year": "2020"}),
    ("Dora Weil", "rated", "Glass Hill", {"stars": "1", "year": "2021"}),
    ("Ivo Lenz", "rated", "Glass Hill", {"stars": "4", "year": "2021"}),
)
"""The facts of the template for facts with several statements."""

PRIZES: tuple[tuple[Any, ...], ...] = (
    ("Mira Holt", "award received", "Silver Lantern", {"for work": "Night Ferry", "point in time": "1992"}),
    ("Mira Holt", "award received", "Harbour Prize", {"for work": "The Salt Road", "point in time": "1985"}),
    (
        "Ivo Lenz",
        "award received",
        "Harbour Prize",
        {"for work": "Glass Hill", "point in time": "1990", "together with": "Dora Weil"},
    ),
    ("Dora Weil", "award received", "Golden Oar", {"for work": "Night Ferry", "point in time": "1993"}),
    ("Mira Holt", "place of birth", "Velm", {}),
)

OFFICES = (
    ("Lena Voss", "mayor of", "Ostel", "1980", "1987"),
    ("Karl Imm", "mayor of", "Ostel", "1988", "1991"),
    ("Rita Brand", "mayor of", "Ostel", "1992", "1999"),
    ("Karl Imm", "member of", "Green Dawn", "1975", "1990"),
)
"""The facts of the template for temporal facts."""

TEMPLATES = {
    "of_tables": "ferries",
    "of_kgs": "films",
    "of_statements": "awards",
    "of_parallel": "ratings",
    "of_tkgs": "offices",
}

RIGHT: dict[str, tuple[str, list[str | float]]] = {
    "What is the height of the Lantern Tower?": ("towers", ["212 m"]),
    "Which tower stands in Orsk?": ("towers", ["Corn Exchange"]),
    "Which towers are taller than 150 metres?": ("towers", ["Lantern Tower", "Kestrel House", "Corn Exchange"]),
    "How many towers were completed before 1995?": ("towers", [2]),
    "In how many different cities do the towers stand?": ("towers", [3]),
    "Which tower has the most floors?": ("towers", ["Lantern Tower"]),
    "What is the lowest height of any tower?": ("towers", ["121 m"]),
    "Which is the oldest tower in Velm?": ("towers", ["Old Mint"]),
    "Which tower in Velm has more than 40 floors?": ("towers", ["Lantern Tower", "Kestrel House"]),
    "How many more floors does the Lantern Tower have than the Old Mint?": ("towers", [16]),
    "Which other tower was completed in the same year as Kestrel House?": ("towers", ["Corn Exchange"]),
    "Who won the race right after Tomas Reed's?": ("races", ["Ina Vogt"]),
    "Which venue is listed above Lake Sorrel?": ("races", ["River Aske"]),
    "Who is the last winner in the table?": ("races", ["Mika Stone"]),
    "Which club won the most races?": ("races", ["Harlow"]),
    "How many races did Harlow win between 2001 and 2004?": ("races", [2]),
    "What was the total number of spectators at the races that Harlow won?": ("races", [5550]),
    "What is the average attendance of the races on the River Aske?": ("races", [1050]),
    "Whose time was faster, Ina Vogt's or Tomas Reed's?": ("races", ["Ina Vogt"]),
    "When was the race with fewer than 1,000 spectators held?": ("races", ["June 1, 2002"]),
    "How many years lie between the first and the last race?": ("races", [5]),
    "Did Harlow win more races than Stroud?": ("races", ["yes"]),
    "Who directed Glass Hill?": ("kg", ["Vera Lund"]),
    "Which films did Nils Arden star in?": ("kg", ["Glass Hill", "The Long Winter"]),
    "Who acted together with Nils Arden?": ("kg", ["Eva Kron"]),
    "What genres are the films directed by Vera Lund?": ("kg", ["comedy", "drama"]),
    "In which years were the films released that share their writer with Glass Hill?": ("kg", ["1993"]),
    "Who starred in the movies whose directors also directed Glass Hill?": ("kg", ["Tove Lind"]),
    "Which drama did Vera Lund direct?": ("kg", ["Glass Hill"]),
    "Which films released after 1990 star Nils Arden?": ("kg", ["The Long Winter"]),
    "What is the latest film by Vera Lund?": ("kg", ["Blue Harbour"]),
    "How many films did Piet Holm write?": ("kg", [2]),
    "what is the capital of velonia": ("kg", ["Port Vell"]),
    "what language do people speak where ada brandt was born": ("kg", ["Surian", "Velonian"]),
    "who plays inspector holt in night ferry": ("kg", ["Dora Weil"]),
    "which country that borders velonia has the largest population": ("kg", ["Suria"]),
    "For which work did Mira Holt receive the Silver Lantern?": ("prizes", ["Night Ferry"]),
    "Who received the Silver Lantern in 1992?": ("prizes", ["Mira Holt"]),
    "Which awards did Mira Holt receive after 1990?": ("prizes", ["Silver Lantern"]),
    "When did Ivo Lenz receive the Harbour Prize?": ("prizes", ["1990"]),
    "With whom did Ivo Lenz share the Harbour Prize?": ("prizes", ["Dora Weil"]),
    "How many awards were given for Night Ferry?": ("prizes", [2]),
    "Who was the first to receive the Harbour Prize?": ("prizes", ["Mira Holt"]),
    "Where was the person born who received the Silver Lantern for Night Ferry?": ("prizes", ["Velm"]),
}
"""The answer to each demonstration's question, and the source of which it is asked."""

SHIPPED = [d for d in load_demonstrations() if d.source in ("table", "kg", "statements")]

EXAMPLE = re.compile(r"^(?P<question>.*)\n(?P<program>(?:Query\d+: .*\n)+)-> (?P<answer>.*)$", re.MULTILINE)
"""A worked example of a template."""


def examples() -> list[tuple[str, str, str, str]]:
    """The worked examples of all templates: source, question, program, answer."""
    texts = {source: PromptTexts().render(name) for name, source in TEMPLATES.items()}
    return [(source, m[1], m[2], m[3]) for source, text in texts.items() for m in EXAMPLE.finditer(text)]


@pytest.fixture(scope="module")
def store(shared_db: Database, tmp_path_factory: pytest.TempPathFactory) -> Store:
    wipe(shared_db)
    folder, store = tmp_path_factory.mktemp("shipped"), Store(shared_db)
    for name, text in TABLES.items():
        (folder / f"{name}.csv").write_text(text, encoding="utf-8")
        store.load_table(folder / f"{name}.csv")
    for name, facts in {"films": FILMS, "kg": KG}.items():
        store.load_kg(written(folder / f"{name}.tsv", facts))
    for name, qualified in {"awards": AWARDS, "ratings": RATINGS, "prizes": PRIZES}.items():
        path = folder / f"{name}.jsonl"
        lines = (dict(zip(("subject", "relation", "object", "qualifiers"), fact, strict=True)) for fact in qualified)
        path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
        store.load_statements(path)
    store.load_tkg(written(folder / "offices.tsv", OFFICES))
    return store


def written(path: Path, facts: tuple[tuple[str, ...], ...]) -> Path:
    with path.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file, delimiter="\t").writerows(facts)
    return path


@pytest.mark.parametrize("demonstration", SHIPPED, ids=[d.question for d in SHIPPED])
def test_a_demonstration_gives_the_right_answer(store: Store, demonstration: Demonstration) -> None:
    source, right = RIGHT[demonstration.question]
    answer = store.query(demonstration.program, [source], exact=True)
    assert list(answer.answer) == right


@pytest.mark.parametrize(("source", "question", "program", "right"), examples())
def test_an_example_of_a_template_gives_the_answer_written_there(
    store: Store, source: str, question: str, program: str, right: str
) -> None:
    assert "; ".join(map(str, store.query(program, [source], exact=True).lines)) == right


def test_no_example_of_a_template_is_left_out() -> None:
    assert len(examples()) == sum(PromptTexts().render(name).count("\n-> ") for name in TEMPLATES) >= 20
