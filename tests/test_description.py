"""What is in a source: `Store.describe` over each kind of source, and `cgstore describe`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from cgstore.cli import main
from cgstore.cypher.connection import Database
from cgstore.show.description import describe_sources
from cgstore.store import Store
from tests.conftest import ROOT, wipe

EXAMPLES = ROOT / "examples"
KINDS = ("cities", "films", "world", "prizes", "places")


@pytest.fixture(scope="module")
def store(shared_db: Database) -> Store:
    wipe(shared_db)
    store = Store(shared_db)
    store.load_table(EXAMPLES / "cities.csv")
    store.load_kg(EXAMPLES / "films.txt")
    store.load_tkg(EXAMPLES / "world.tsv")
    store.load_statements(EXAMPLES / "prizes.jsonl")
    store.load_rdf(EXAMPLES / "places.ttl")
    store.load_aliases(EXAMPLES / "aliases.tsv")
    return store


def test_columns_have_kinds_values_and_ends(store: Store) -> None:
    described = store.describe("cities")
    city, country, population, *_ = described.relations
    assert (described.kind, described.rows, described.read) == ("table", 5, 5)
    assert (city.kind, city.different, city.example) == ("text", 5, ())
    assert (country.values[0], country.different) == ("Austria", 4)
    assert (population.kind, population.least, population.greatest) == ("number", "126,329", "522,250")


def test_relations_have_counts_and_a_fact_from_head_to_tail(store: Store) -> None:
    relations = {each.name: each for each in store.describe("films").relations}
    assert relations["directed by"].facts == 4
    assert relations["directed by"].example == ("M", "directed by", "Fritz Lang")
    assert (relations["release year"].least, relations["release year"].greatest) == ("1922", "1931")


def test_a_temporal_source_has_its_span(store: Store) -> None:
    described = store.describe("world")
    assert (described.step, described.first, described.last) == ("year", "1895", "2025")
    assert described.qualifiers == ()  # the built-in times are none of its own


def test_qualifiers_are_described(store: Store) -> None:
    together = store.describe("prizes").qualifiers[-1]
    assert (together.name, together.facts) == ("together with", 2)
    assert together.example == ("Marie Curie", "together with", "Pierre Curie")


@pytest.mark.parametrize("source", KINDS)
def test_the_examples_of_a_source_have_answers(store: Store, source: str) -> None:
    examples = store.describe(source).examples
    assert len(examples) >= 2
    for example in examples:
        assert store.query(example.program, [source]).answer


def test_aliases_are_counted(store: Store) -> None:
    described = store.describe("aliases")
    assert (described.size, described.relations, described.examples) == ("13 aliases", (), ())


def test_a_large_table_says_how_many_rows_were_read(store: Store, tmp_path: Path) -> None:
    lines = ["Item,Group"] + [f"item {number},{number % 7}" for number in range(6_000)]
    (tmp_path / "large.csv").write_text("\n".join(lines), encoding="utf-8")
    store.load_table(tmp_path / "large.csv")
    described = store.describe("large")
    store.drop("large")
    assert (described.rows, described.read) == (6_000, 4_001)
    assert described.relations[1].facts == 6_000


def test_names_that_are_quotes_and_lines_make_examples_that_run(store: Store, tmp_path: Path) -> None:
    (tmp_path / "odd.csv").write_text('"It\'s ""x""\\",Y\n"O\'Hara\\",1\n"a\'b",2\n', encoding="utf-8")
    store.load_table(tmp_path / "odd.csv")
    examples = store.describe("odd").examples
    answers = [store.query(example.program, ["odd"]).answer for example in examples]
    store.drop("odd")
    assert examples and all(answers)


def test_of_many_sources_each_is_cut(store: Store) -> None:
    (described,) = describe_sources(store.db, store.ready(["world"]), store.sources(), most=2)
    assert len(described.relations) == 2 and described.is_cut
    assert "2 or more relations" in described.size


def test_the_command_prints_lines_or_json(store: Store, neo4j_settings: dict[str, str]) -> None:
    runner = CliRunner(env=neo4j_settings)
    shown = runner.invoke(main, ["describe", "films"]).stdout
    assert "M -[directed by]-> Fritz Lang" in shown and "To begin with" in shown
    described = json.loads(runner.invoke(main, ["describe", "films", "--json"]).stdout)
    assert described["relations"][0]["example"] == ["M", "directed by", "Fritz Lang"]
