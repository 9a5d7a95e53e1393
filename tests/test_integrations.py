"""The integrations, with the real libraries."""

from __future__ import annotations

import asyncio
import json

import pytest

from cgstore.cypher.connection import Database
from cgstore.llm.backends import Attempt, Backend, Decision, Run
from cgstore.llm.graph_view import GraphView
from cgstore.show.evidence import Evidence
from cgstore.store import Store
from tests.conftest import wipe

EVIDENCE = (
    Evidence("position held", "pope", ("Paul VI",), "world"),
    Evidence("time", "1970", ("Paul VI", "position held", "pope"), "world"),
    Evidence("time", "1971", ("Paul VI", "position held", "pope"), "world"),
    Evidence("City", "Ulm", ("[line_1]",), "cities"),
    Evidence("City", "Bern", ("[line_1]",), "more cities"),
    Evidence("born in", "x", ("a/b <c>",), "world"),
    Evidence("spouse", "", (), "world"),
)
PROGRAM = "get_information(relation='position held', tail_entity='pope', key='time', value='1970')"
QUESTION = "Who was pope in 1970?"


class OneProgram(Backend):
    """A backend that writes the same program for each question."""

    name = "one"

    def __init__(self, program: str = PROGRAM) -> None:
        self.program = program

    def decide(self, question: str, graph: GraphView, run: Run) -> Decision:
        attempt: Attempt = run(self.program)
        return Decision(attempt if attempt.answered else None, [attempt])


@pytest.fixture(scope="module")
def store(shared_db: Database) -> Store:
    wipe(shared_db)
    store = Store(shared_db)
    store.load_tkg("examples/world.tsv", name="world")
    return store


def test_evidence_is_a_graph_of_networkx() -> None:
    pytest.importorskip("networkx")
    from cgstore.integrations.networkx import evidence_graph

    graph = evidence_graph(EVIDENCE)
    edge = graph.edges["Paul VI", "pope", "position held"]
    assert edge == {"relation": "position held", "source": "world", "qualifiers": {"time": ["1970", "1971"]}}
    assert set(graph) == {
        "Paul VI",
        "pope",
        "cities [line_1]",
        "Ulm",
        "more cities [line_1]",
        "Bern",
        "a/b <c>",
        "x",
        "spouse",
    }
    assert graph.number_of_edges() == 4
    twice = evidence_graph([Evidence("r", "t", ("h",), source) for source in ("one", "two")])
    assert [key for _, _, key in twice.edges(keys=True)] == ["r", "r in two"]


def test_evidence_is_a_graph_of_rdflib_that_is_written_and_asked() -> None:
    pytest.importorskip("rdflib")
    from cgstore.integrations.rdflib import evidence_graph

    graph = evidence_graph(EVIDENCE)
    found = graph.query("""
        PREFIX rdf: <http://www.w3.org/1999/02/22-rdf-syntax-ns#>
        SELECT ?name ?time {
          ?fact rdf:subject/rdfs:label ?name; rdf:predicate <urn:cgstore:world/position%20held>; ?key ?time.
          ?key rdfs:label "time" }""")
    assert sorted(tuple(map(str, row)) for row in found) == [("Paul VI", "1970"), ("Paul VI", "1971")]
    assert "urn:cgstore:world/a%2Fb%20%3Cc%3E" in graph.serialize(format="nt")


def test_evidence_is_a_subgraph_of_py2neo() -> None:
    pytest.importorskip("py2neo")
    from cgstore.integrations.py2neo import evidence_subgraph

    graph = evidence_subgraph(EVIDENCE)
    (pope,) = [each for each in graph.relationships if each.end_node["name"] == "pope"]
    assert type(pope).__name__ == "position held" and dict(pope) == {"source": "world", "time": ["1970", "1971"]}
    rows = [dict(node) for node in graph.nodes if node.has_label("Row")]
    assert sorted(row["source"] for row in rows) == ["cities", "more cities"]


def test_the_retriever_gives_the_answer_and_the_facts_that_prove_it(store: Store) -> None:
    pytest.importorskip("neo4j_graphrag")
    from cgstore.integrations.graphrag import ProgramRetriever

    retriever = ProgramRetriever(store, OneProgram(), "world")
    result = retriever.search(query_text=QUESTION)
    assert [item.content for item in result.items] == [
        'The entities with position held = "pope" where time = 1970: Paul VI (the only one).',
        "Paul VI, position held: pope (time 1970), in world",
    ]
    assert result.items[0].metadata == {"answer": ["Paul VI"]}
    assert result.metadata is not None and result.metadata["program"] == PROGRAM
    assert len(retriever.search(query_text=QUESTION, top_k=0).items) == 1
    nothing = ProgramRetriever(store, OneProgram(PROGRAM.replace("1970", "1500"))).search(query_text=QUESTION)
    assert nothing.items == [] and nothing.metadata is not None and nothing.metadata["notes"]


def test_the_retriever_serves_a_rag_and_is_a_tool(store: Store) -> None:
    pytest.importorskip("neo4j_graphrag")
    from neo4j_graphrag.generation import GraphRAG
    from neo4j_graphrag.llm import LLMInterface, LLMResponse

    from cgstore.integrations.graphrag import ProgramRetriever

    class Echo(LLMInterface):
        def invoke(self, input: object, *args: object, **kwargs: object) -> LLMResponse:
            return LLMResponse(content=str(input))

        async def ainvoke(self, input: object, *args: object, **kwargs: object) -> LLMResponse:
            return LLMResponse(content=str(input))

    retriever = ProgramRetriever(store, OneProgram())
    said = GraphRAG(retriever, Echo("echo")).search(QUESTION, return_context=False).answer
    assert "Paul VI, position held: pope (time 1970), in world" in said
    tool = retriever.convert_to_tool("ask_graph", "Answers questions.")
    assert tool.execute(query_text=QUESTION, top_k=1).items[0].metadata == {"answer": ["Paul VI"]}


def test_the_tool_of_langchain_gives_json_and_the_answer_as_artifact(store: Store) -> None:
    pytest.importorskip("langchain_core")
    from cgstore.integrations.langchain import question_tool

    tool = question_tool(store, OneProgram(), ["world"])
    call = {"name": "ask_graph", "args": {"question": QUESTION}, "id": "1", "type": "tool_call"}
    for message in (tool.invoke(call), asyncio.run(tool.ainvoke(call))):
        said = json.loads(message.content)
        assert said["values"] == ["Paul VI"] and said["notes"] == [] and message.status == "success"
        assert said["facts"] == ["Paul VI, position held: pope (time 1970), in world"]
        assert list(message.artifact) == ["Paul VI"] and message.artifact.evidence
    assert tool.args == {
        "question": {
            "description": "A question in plain words, complete in itself.",
            "title": "Question",
            "type": "string",
        }
    }
    message = question_tool(store, OneProgram()).invoke({**call, "args": {"question": " "}})
    assert message.status == "error" and "The question is empty" in message.content
