"""Names in other words, numbers and languages: what they are taken for, and what is said where they are not."""

from __future__ import annotations

from pathlib import Path

import pytest

from cgstore.cypher.connection import Database
from cgstore.llm.graph_view import GraphView
from cgstore.mapping.fuzzy import UnmappedName
from cgstore.store import Store

FACTS = """2004 AFL Grand Final\twinner\tPort Adelaide
2002 AFL Grand Final\twinner\tBrisbane
Elizabeth II\tspouse\tPhilip
Marie Curie\tcause_of_death\tanaemia
Marie Curie\tplace_of_birth\tWarsaw
Head_of_Government_(Burkina_Faso)\tconsulted\tFrance
Head_of_Government_(Benin)\tconsulted\tTogo
Burkina Faso\tcapital\tOuagadougou
Obama, Barack\tspouse\tMichelle
"""

RHINE = """@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix skos: <http://www.w3.org/2004/02/skos/core#> .
@prefix ex: <http://example.org/> .
ex:R1 rdfs:label "Rhine"@en , "Rhein"@de ; skos:altLabel "Father Rhine" ; ex:flowsInto ex:N1 .
ex:N1 rdfs:label "North Sea"@en , "Nordsee"@de .
ex:p1 rdfs:label "John Smith" ; ex:bornIn ex:London .
ex:p2 rdfs:label "John Smith" ; ex:bornIn ex:Leeds .
ex:flowsInto rdfs:label "flows into"@en , "mündet in"@de .
ex:Danube ex:flowsInto ex:BlackSea ; ex:near [ ex:flowsInto ex:BlackSea ] .
"""


@pytest.fixture
def facts(db: Database, tmp_path: Path) -> Store:
    (tmp_path / "facts.tsv").write_text(FACTS, encoding="utf-8")
    store = Store(db)
    store.load_kg(tmp_path / "facts.tsv", header=False)
    return store


@pytest.fixture
def rhine(db: Database, tmp_path: Path) -> Store:
    (tmp_path / "rhine.ttl").write_text(RHINE, encoding="utf-8")
    store = Store(db)
    store.load_rdf(tmp_path / "rhine.ttl")
    return store


def of_head(head: str, relation: str) -> str:
    return f"get_information(head_entity='{head}', relation='{relation}')"


@pytest.mark.parametrize(
    "head", ["2003 AFL Grand Final", "AFL Grand Final", "Elizabeth", "Elizabeth I", "Elizabeth 3rd"]
)
@pytest.mark.parametrize("threshold", [None, 0.0])
def test_a_name_with_another_number_is_never_taken(facts: Store, head: str, threshold: float | None) -> None:
    relation = "spouse" if head.startswith("E") else "winner"
    with pytest.raises(UnmappedName, match=f"no entity is named '{head}'") as error:
        facts.query(of_head(head, relation), threshold=threshold)
    assert error.value.closest


@pytest.mark.parametrize("head", ["Elizabeth 2nd", "elizabet II", "Elizabeth the Second"])
def test_a_name_with_the_same_number_in_another_writing_is_taken_with_a_note(facts: Store, head: str) -> None:
    answer = facts.query(of_head(head, "spouse"))
    assert answer.answer == ("Philip",)
    assert any("the nearest was taken: 'Elizabeth II'" in warning for warning in answer.warnings)


def test_no_cell_with_another_number_is_taken(db: Database, tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text("Final,Winner\nGrand Final 2004,Port\nGrand Finale 2003,Lions\n", encoding="utf-8")
    store = Store(db)
    store.load_table(tmp_path / "t.csv")
    program = "get_information(relation='Winner', key='Final', value='{}')"
    assert store.query(program.format("Grand Final 2003"), by_column=0.5).answer == ("Lions",)
    with pytest.raises(UnmappedName):
        store.query(program.format("Grand Final 2005"), by_column=0.0)


@pytest.mark.parametrize("relation", ["date_of_death", "date_of_birth", "place_of_residence"])
def test_a_relation_that_shares_a_word_and_lacks_another_is_not_taken(facts: Store, relation: str) -> None:
    with pytest.raises(UnmappedName, match=f"no relation is named '{relation}'"):
        facts.query(of_head("Marie Curie", relation))


@pytest.mark.parametrize("relation", ["birth place", "birthPlace", "palce_of_brith", "place of birth (city)"])
def test_a_relation_with_the_same_words_is_taken_with_a_note(facts: Store, relation: str) -> None:
    answer = facts.query(of_head("Marie Curie", relation))
    assert answer.answer == ("Warsaw",)
    assert any("place_of_birth" in warning for warning in answer.warnings)


def test_a_name_is_found_by_its_words_without_those_of_grammar(facts: Store) -> None:
    answer = facts.query(of_head("the Head of the Government of Burkina Faso", "consulted"))
    assert answer.answer == ("France",)
    assert any("Head_of_Government_(Burkina_Faso)" in warning for warning in answer.warnings)


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
def test_a_question_names_a_node_by_its_words(facts: Store, question: str, text: str, name: str) -> None:
    found = [(m.text, m.name, m.how) for m in GraphView(facts.db, ["facts"]).mentions(question) if m.kind == "entity"]
    assert found == [(text, name, "words")]


@pytest.mark.parametrize(
    "head", ["Rhine", "Rhein", "rhein", "Father Rhine", "http://example.org/R1", "<http://example.org/R1>", "ex:R1"]
)
def test_every_label_and_the_iri_of_a_node_are_names_of_it(rhine: Store, head: str) -> None:
    assert rhine.query(of_head(head, "flowsInto")).answer == ("North Sea",)


@pytest.mark.parametrize("relation", ["flows into", "mündet in", "http://example.org/flowsInto"])
def test_every_label_and_the_iri_of_a_relation_are_names_of_it(rhine: Store, relation: str) -> None:
    answer = rhine.query(of_head("Rhine", relation))
    assert (answer.answer, answer.warnings) == (("North Sea",), ())


def test_a_prefixed_name_is_taken_with_a_note_as_prefixes_are_not_kept(rhine: Store) -> None:
    assert rhine.query(of_head("ex:R1", "flowsInto")).warnings == (
        "'ex:R1' was taken for the IRI that ends so: 'Rhine'.",
    )


def test_a_label_of_one_node_is_taken_without_a_note(rhine: Store) -> None:
    answer = rhine.query("get_information(relation='flowsInto', tail_entity='Nordsee')")
    assert (answer.answer, answer.warnings) == (("Rhine",), ())
    assert [(m.node, m.how) for m in answer.mappings if m.name == "Nordsee"] == [("North Sea", "label")]


def test_a_label_is_still_found_as_a_label(rhine: Store) -> None:
    assert rhine.query("get_information(relation='label', tail_entity='Rhein')").answer == ("Rhine",)


def test_a_label_of_several_nodes_means_all_of_them_with_a_note(rhine: Store) -> None:
    answer = rhine.query(of_head("John Smith", "bornIn"))
    assert answer.answer == ("Leeds", "London")
    (warning,) = answer.warnings
    assert warning == (
        "'John Smith' may be 'John Smith (p1)' or 'John Smith (p2)'; both are asked. To choose one, write its name."
    )


def test_a_label_counts_for_the_sources_asked_alone(rhine: Store, tmp_path: Path) -> None:
    (tmp_path / "kg.tsv").write_text("Rhein\tflows into\tElbe\n", encoding="utf-8")
    rhine.load_kg(tmp_path / "kg.tsv", header=False)
    assert rhine.query(of_head("Rhein", "flows into"), ["kg"]).answer == ("Elbe",)
    both = rhine.query(of_head("Rhein", "flows into"))
    assert both.answer == ("Elbe", "North Sea")
    ambiguous, origins = both.warnings
    assert ambiguous.startswith("'Rhein' may be 'Rhein' or 'Rhine'; both are asked.")
    assert origins.startswith("Query 1 found 1 in 'kg' (Elbe) and 1 in 'rhine' (North Sea).")


def test_a_question_may_have_another_label(rhine: Store) -> None:
    (mention,) = (
        m for m in GraphView(rhine.db, ["rhine"]).mentions("Where does the Rhein flow?") if m.kind == "entity"
    )
    assert (mention.name, mention.key) == ("Rhein", "Rhine")


@pytest.mark.parametrize("head", ["http://example.org/nothing", "ex:nothing", "_:b0", "R1"])
def test_an_unknown_iri_is_said(rhine: Store, head: str) -> None:
    with pytest.raises(UnmappedName, match="no entity is named"):
        rhine.query(of_head(head, "flowsInto"))


def test_a_name_that_only_other_sources_have_is_said(rhine: Store, tmp_path: Path) -> None:
    (tmp_path / "kg.tsv").write_text("Elbe\tflowsInto\tNorth Sea\n", encoding="utf-8")
    rhine.load_kg(tmp_path / "kg.tsv", header=False)
    answer = rhine.query(of_head("Elbe", "flowsInto"), ["rhine"])
    assert (answer.answer, answer.warnings[0]) == ((), "The sources asked have no 'Elbe'; another source has.")


@pytest.mark.parametrize(
    ("head", "instead"),
    [
        (
            "_:rhine/b1",
            "The other way round there are facts: '_:rhine/b1' is tail of 'near'. "
            "Write get_information(relation='near', tail_entity='_:rhine/b1').",
        ),
        ("London", "'London' is tail of 'bornIn'."),
    ],
)
def test_why_there_is_no_answer_is_always_said(rhine: Store, head: str, instead: str) -> None:
    answer = rhine.query(of_head(head, "near"))
    assert answer.abstained
    assert answer.warnings == (f"Query 1 gives nothing: {of_head(head, 'near')}.", instead)


def test_the_query_that_is_named_is_the_first_that_gives_nothing(rhine: Store) -> None:
    program = f"{of_head('London', 'near')}\nget_information(head_entity='output_of_query1', relation='flowsInto')"
    assert rhine.query(program).warnings[0].startswith("Query 1 gives nothing")
