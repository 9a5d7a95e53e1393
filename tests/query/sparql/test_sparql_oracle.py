"""SPARQL is the judge: cgstore's answer to a drawn S-expression is that of rdflib over the same facts.

Some facts are written here. The others are samples of MetaQA's `kb.txt` and of WebQSP's `freebase_union.tsv`, where the
data is there. `CGSTORE_SEXPR=10000` compares so many forms, over new facts for every 250 of them, and
`CGSTORE_SEXPR_FIRST=50` begins with sample 50. A number always means the same facts and forms.
"""

from __future__ import annotations

import os
import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from hypothesis import HealthCheck, Phase, given, seed, settings
from rdflib import Graph

from cgstore.cypher.connection import Database
from cgstore.model import Answer
from cgstore.query.sexpr.forms import Form
from cgstore.query.sexpr.write import sexpr_text
from cgstore.store import Store
from tests.conftest import DATA, wipe
from tests.query.sparql.drawn_forms import forms, sample
from tests.query.sparql.rdf_facts import Fact, answers, graph_of

WANTED = int(os.environ.get("CGSTORE_SEXPR", "0"))
FIRST = int(os.environ.get("CGSTORE_SEXPR_FIRST", "1"))
OF_A_SAMPLE = 250
SIZE = 400
"""Facts of a sample."""

KINDS = ("written", "metaqa", "freebase")
SAMPLES = range(FIRST, FIRST + max(1, WANTED // (OF_A_SAMPLE * len(KINDS))))
FEW = 15
"""Forms of a sample where not many are wanted."""

FILES = {"metaqa": ("metaqa/kb.txt", "|"), "freebase": ("webqsp/freebase_union.tsv", "\t")}

COMPARED: Counter[str] = Counter()
"""How many forms were compared, and how many of them had an answer. With many wanted, `pytest -s` shows them."""


def written(number: int) -> list[Fact]:
    """People, films and jobs, with numbers, days and times from and to; drawn anew for each number."""
    draw = random.Random(number)
    people = ["Ada", "Bob O'Hare", 'Cy "Z"', "Dée", "Eve (actor)", "m.0f", "g.1_x"]
    films = ["Storm", "Calm sea", "A, B", "Ω", "Q&A"]
    facts: list[Fact] = []
    for film in films:
        facts += [(film, "film.starring", person) for person in draw.sample(people, 3)]
        facts += [(film, "film.rating", str(draw.randint(-3, 12)))] * (draw.random() < 0.8)
        facts += [(film, "film.length", f"{draw.randint(60, 200)}.{draw.randint(1, 9)}")]
        facts += [(film, "film.shown", day(draw)) for _ in range(draw.randint(0, 2))]
        facts += [(film, "film.sequel", draw.choice(films))] * (draw.random() < 0.5)
    for number_of_job in range(12):
        job = f"m.job{number_of_job}"
        facts += [(draw.choice(people), "person.job", job), (job, "job.title", draw.choice(["editor", "actor"]))]
        facts += [(job, "job.from", day(draw))] * (draw.random() < 0.7)
        facts += [(job, "job.to", day(draw))] * (draw.random() < 0.6)
    facts += [(person, "person.born", str(draw.randint(1960, 1966))) for person in people]
    facts += [(person, "person.spouse", draw.choice(people)) for person in people]
    return list(dict.fromkeys(facts))


def day(draw: random.Random) -> str:
    return f"{draw.randint(1998, 2001)}-{draw.choice(['01', '02', '07', '12'])}-{draw.choice(['01', '15', '28'])}"


@dataclass(frozen=True)
class Loaded:
    """Facts in the store, and as RDF."""

    name: str
    facts: list[Fact]
    store: Store
    graph: Graph


def facts_of(kind: str, number: int) -> list[Fact]:
    if kind == "written":
        return written(number)
    name, delimiter = FILES[kind]
    path = DATA / name
    if not path.is_file():
        pytest.skip(f"needs .data/{name}")
    lines = path.read_text(encoding="utf-8").splitlines()
    rows = (line.split(delimiter)[:3] for line in lines)
    facts = [(row[0].strip(), row[1].strip(), row[2].strip()) for row in rows if len(row) == 3 and all(row)]
    return sample(facts, random.Random(f"{kind} {number}"), SIZE)


@pytest.fixture(
    scope="module", params=[(kind, number) for number in SAMPLES for kind in KINDS], ids="{0[0]} {0[1]}".format
)
def loaded(
    request: pytest.FixtureRequest, shared_db: Database, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Loaded]:
    kind, number = request.param
    facts = facts_of(kind, number)
    wipe(shared_db)
    store, path = Store(shared_db), tmp_path_factory.mktemp("facts") / "facts.tsv"
    save(path, facts)
    store.load_kg(path, name="facts", header=False)
    yield Loaded(f"{kind} {number}", facts, store, graph_of(facts))
    if WANTED:
        print(f" {kind} {number}: {COMPARED['forms']} compared, {COMPARED['answered']} with an answer")


def save(path: Path, facts: list[Fact]) -> None:
    import csv

    with path.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file, delimiter="\t").writerows(facts)


def drawn(loaded: Loaded) -> list[Form]:
    """The forms of a sample."""
    found: list[Form] = []
    chosen = settings(
        max_examples=-(-WANTED // (len(SAMPLES) * len(KINDS))) or FEW,
        database=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )(given(form=forms(loaded.facts))(lambda form: found.append(form)))
    seed(loaded.name)(chosen)()
    return found


def test_the_answers_are_those_of_sparql(loaded: Loaded) -> None:
    """cgstore and rdflib work at the same time: several forms are in flight while rdflib answers the one before."""
    differences: list[str] = []
    drawn_forms = drawn(loaded)
    found = loaded.store.execute_many(map(sexpr_text, drawn_forms), lang="sexpr", exact=True, evidence=False)
    for form, outcome in zip(drawn_forms, found, strict=True):
        if isinstance(outcome, Answer):
            answer = {value if isinstance(value, str) else f"{value:.15g}" for value in outcome.answer}
        else:
            answer = {f"{type(outcome).__name__}: {outcome}"}
        expected = answers(loaded.graph, form)
        COMPARED.update(["forms", *(["answered"] if expected else [])])
        if answer != expected:
            differences.append(f"{sexpr_text(form)}\n  cgstore: {sorted(answer)}\n  rdflib:  {sorted(expected)}")
            print(differences[-1])
    assert not differences, f"{len(differences)} of {loaded.name}\n" + "\n".join(differences[:20])
