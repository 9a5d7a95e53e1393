"""What a name means: aliases, labels, IRIs, words of a name, and spellings that several sources have."""

from __future__ import annotations

from pathlib import Path

import pytest

from cgstore.cypher.connection import Database
from cgstore.llm.graph_view import GraphView
from cgstore.mapping.fuzzy import UnmappedName
from cgstore.model import Answer
from cgstore.store import Store
from tests.conftest import wipe

FACTS = {
    "places": "Ulm\tlies in\tBaden\nBaden\tlies in\tGermany\nUlm Minster\tlies in\tUlm\nMinster\tlies in\tBaden\n",
    "valley": "Ulm\tlies on\tDanube\n",
    "villages": "".join(f"V{number}\tlies in\tBaden\n" for number in range(7)),
    "leaders": "Head_of_Government_(Burkina_Faso)\tconsulted\tFrance\nHead_of_Government_(Benin)\tconsulted\tTogo\n"
    "Burkina Faso\tcapital\tOuagadougou\nObama, Barack\tspouse\tMichelle\n",
}
ALIASES = "Minster\tUlm Minster\nsituated in\tlies in\nthe city\tUlm\nthe city\tBaden\nnobody\tNobody at all\n"
ALIASES += "".join(f"village\tV{number}\n" for number in range(7))
TABLES = {
    "posts": "Name,Post\nAnn,Zqguard\nBo,McLaren\nCy,@ Washington\nDi,Washington\n",
    "words": "Word\nzqguard\nmclaren\nbo\n",
    "three": "N\n3\n",
    "minus": "M\n-3\n",
}
RHINE = """@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix skos: <http://www.w3.org/2004/02/skos/core#> .
@prefix ex: <http://example.org/> .
ex:R1 rdfs:label "Rhine"@en , "Rhein"@de ; skos:altLabel "Father Rhine" ; ex:flowsInto ex:N1 .
ex:N1 rdfs:label "North Sea"@en , "Nordsee"@de .
ex:p1 rdfs:label "John Smith" ; ex:bornIn ex:London .
ex:p2 rdfs:label "John Smith" ; ex:bornIn ex:Leeds .
ex:flowsInto rdfs:label "flows into"@en , "mündet in"@de .
"""


@pytest.fixture(scope="module")
def store(shared_db: Database, tmp_path_factory: pytest.TempPathFactory) -> Store:
    wipe(shared_db)
    folder, store = tmp_path_factory.mktemp("meant"), Store(shared_db)

    def written(file: str, text: str) -> Path:
        (folder / file).write_text(text, encoding="utf-8")
        return folder / file

    for name, text in FACTS.items():
        store.load_kg(written(f"{name}.tsv", text), header=False)
    for name, text in TABLES.items():
        store.load_table(written(f"{name}.csv", text), header=True)
    store.load_rdf(written("rhine.ttl", RHINE))
    store.load_aliases(written("other.tsv", ALIASES), header=False)
    return store


def asked(store: Store, source: str, head: str, relation: str) -> Answer:
    return store.query(f"get_information(head_entity='{head}', relation='{relation}')", [source])


# Aliases.


def test_an_alias_is_matched_before_a_node_of_that_name(store: Store) -> None:
    answer = asked(store, "places", "Minster", "lies in")
    assert answer.answer == ("Ulm",)
    assert ("Minster", "Ulm Minster", "alias") in [(m.name, m.node, m.how) for m in answer.mappings]


def test_an_alias_in_a_question_is_a_mention_of_its_node(store: Store) -> None:
    view = GraphView(store.db, ["places"])
    assert ("Minster", "Ulm Minster", "alias") in [(m.text, m.name, m.how) for m in view.mentions("Where is Minster?")]
    assert {m.name for m in view.mentions("Where is The City?")} == {"Ulm", "Baden"}


@pytest.mark.parametrize("relation", ["situated in", "Situated_In"])
def test_a_relation_may_have_an_alias_in_any_letters(store: Store, relation: str) -> None:
    assert asked(store, "places", "Baden", relation).answer == ("Germany",)


def test_an_alias_of_several_names_means_all_of_them_with_a_note(store: Store) -> None:
    answer = asked(store, "places", "the city", "lies in")
    assert answer.answer == ("Baden", "Germany")
    assert answer.warnings == ("'the city' may be 'Baden' or 'Ulm'; both are asked. To choose one, write its name.",)
    (note,) = asked(store, "villages", "village", "lies in").warnings
    assert note.startswith("'village' may be 'V0', 'V1', 'V2', 'V3' or 3 more; all 7 are asked.")


def test_an_alias_means_the_names_alone_that_the_sources_asked_have(store: Store) -> None:
    answer = asked(store, "valley", "the city", "lies on")
    assert (answer.answer, answer.warnings) == (("Danube",), ())


@pytest.mark.parametrize("head", ["nobody", "situated in"])
def test_an_alias_of_nothing_that_is_there_or_of_a_relation_is_no_entity(store: Store, head: str) -> None:
    with pytest.raises(UnmappedName, match=f"no entity is named '{head}'"):
        asked(store, "places", head, "lies in")


def test_aliases_loaded_between_two_questions_count_in_the_second(store: Store, tmp_path: Path) -> None:
    answers = [asked(store, "places", "Ulm", "lies in").answer]
    (tmp_path / "more.tsv").write_text("Ulm\tBaden\n", encoding="utf-8")
    store.load_aliases(tmp_path / "more.tsv", header=False)
    answers.append(asked(store, "places", "Ulm", "lies in").answer)
    store.drop("more")
    answers.append(asked(store, "places", "Ulm", "lies in").answer)
    assert answers == [("Baden",), ("Germany",), ("Baden",)]


# Labels and IRIs.


@pytest.mark.parametrize(
    "head", ["Rhine", "Rhein", "rhein", "Father Rhine", "http://example.org/R1", "<http://example.org/R1>", "ex:R1"]
)
def test_every_label_and_the_iri_of_a_node_are_names_of_it(store: Store, head: str) -> None:
    answer = asked(store, "rhine", head, "flowsInto")
    assert answer.answer == ("North Sea",)
    note = "'ex:R1' was taken for the IRI that ends so: 'Rhine'."  # prefixes are not kept
    assert (answer.warnings, answer.details) == ((), (note,) if head == "ex:R1" else ())


@pytest.mark.parametrize("relation", ["flows into", "mündet in", "http://example.org/flowsInto"])
def test_every_label_and_the_iri_of_a_relation_are_names_of_it(store: Store, relation: str) -> None:
    answer = asked(store, "rhine", "Rhine", relation)
    assert (answer.answer, answer.warnings) == (("North Sea",), ())


def test_a_label_is_a_name_and_still_a_fact(store: Store) -> None:
    answer = store.query("get_information(relation='flowsInto', tail_entity='Nordsee')", ["rhine"])
    assert [(m.node, m.how) for m in answer.mappings if m.name == "Nordsee"] == [("North Sea", "label")]
    assert store.query("get_information(relation='label', tail_entity='Rhein')", ["rhine"]).answer == ("Rhine",)


def test_a_label_of_several_nodes_means_all_of_them_with_a_note(store: Store) -> None:
    answer = asked(store, "rhine", "John Smith", "bornIn")
    assert answer.answer == ("Leeds", "London")
    assert answer.warnings == (
        "'John Smith' may be 'John Smith (p1)' or 'John Smith (p2)'; both are asked. To choose one, write its name.",
    )


def test_a_label_counts_for_the_sources_asked_alone(store: Store, tmp_path: Path) -> None:
    (tmp_path / "streams.tsv").write_text("Rhein\tflows into\tElbe\n", encoding="utf-8")
    store.load_kg(tmp_path / "streams.tsv", header=False)
    assert asked(store, "streams", "Rhein", "flows into").answer == ("Elbe",)
    both = store.query("get_information(head_entity='Rhein', relation='flows into')", ["streams", "rhine"])
    assert both.answer == ("Elbe", "North Sea")
    ambiguous, origins = both.warnings
    assert ambiguous.startswith("'Rhein' may be 'Rhein' or 'Rhine'; both are asked.")
    assert origins.startswith("Query 1 found 1 in 'rhine' (North Sea) and 1 in 'streams' (Elbe).")
    store.drop("streams")


def test_a_question_may_have_another_label(store: Store) -> None:
    found = GraphView(store.db, ["rhine"]).mentions("Where does the Rhein flow?")
    assert [(m.name, m.key) for m in found if m.kind == "entity"] == [("Rhein", "Rhine")]


@pytest.mark.parametrize("head", ["http://example.org/nothing", "ex:nothing", "_:b0", "R1"])
def test_an_unknown_iri_is_said(store: Store, head: str) -> None:
    with pytest.raises(UnmappedName, match="no entity is named"):
        asked(store, "rhine", head, "flowsInto")


def test_a_name_that_only_other_sources_have_is_said(store: Store) -> None:
    answer = asked(store, "rhine", "Danube", "flowsInto")
    assert (answer.answer, answer.warnings[0]) == ((), "The sources asked have no 'Danube'; another source has.")


# Words.


@pytest.mark.parametrize(
    ("question", "text", "name"),
    [
        (
            "Who did the Head of Government of Burkina Faso consult?",
            "Head of Government of Burkina Faso",
            "Head_of_Government_(Burkina_Faso)",
        ),
        ("Who is the wife of Barack Obama?", "Barack Obama", "Obama, Barack"),
    ],
)
def test_a_question_names_a_node_by_its_words(store: Store, question: str, text: str, name: str) -> None:
    found = GraphView(store.db, ["leaders"]).mentions(question)
    assert [(m.text, m.name, m.how) for m in found if m.kind == "entity"] == [(text, name, "words")]


def test_a_name_is_found_by_its_words_without_those_of_grammar(store: Store) -> None:
    answer = asked(store, "leaders", "the Head of the Government of Burkina Faso", "consulted")
    assert answer.answer == ("France",)
    assert any("Head_of_Government_(Burkina_Faso)" in warning for warning in answer.warnings)


# Spellings that another source has too.


@pytest.mark.parametrize(
    ("text", "line"),
    [("Zqguard", 1), ("zqguard", 1), ("mclaren", 2), ("MCLAREN", 2), ("washington", 4), ("@ Washington", 3)],
)
def test_a_spelling_that_the_column_has_is_taken_before_one_of_another_source(
    store: Store, text: str, line: int
) -> None:
    program = f"get_information(relation='Post', tail_entity='{text}')"
    assert store.query(program, ["posts"]).answer == (f"[line_{line}]",)


def test_what_no_column_has_means_the_exact_name(store: Store) -> None:
    answer = store.query("get_information(relation='Name', tail_entity='zqguard')", ["posts"])
    assert answer.abstained
    assert [m.node for m in answer.mappings if m.role == "entity"] == ["zqguard"]


def test_a_head_is_sought_among_what_the_sources_asked_have(store: Store) -> None:
    assert asked(store, "posts", "bo", "Post").answer == ("McLaren",)


def test_a_number_is_never_taken_for_another(store: Store) -> None:
    assert store.query("literals(set='-3')", ["three"]).answer != ("3",)
