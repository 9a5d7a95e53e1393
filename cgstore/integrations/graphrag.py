"""A retriever of neo4j-graphrag that answers with proof; needs `cgstore[graphrag]`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from neo4j_graphrag.retrievers.base import Retriever
from neo4j_graphrag.types import RawSearchResult, RetrieverResultItem

from cgstore import arguments
from cgstore.show.evidence import facts_of

if TYPE_CHECKING:
    import neo4j

    from cgstore.llm.backends import Backend
    from cgstore.store import Store


class ProgramRetriever(Retriever):
    """Answers a question by a program over the condition graph, and retrieves the answer with the facts that prove it.

    The first item is the answer in a sentence, the others are facts of its evidence. A question without an answer gives
    no item; `metadata["notes"]` says why.

    Args:
        store: the Store that is asked; its driver is that of the retriever. It stays yours to close.
        backend: as for `Store.ask`.
        sources: names of the sources asked; all that are ready when None.

    Raises:
        NoDatabase: nothing answers.
    """

    VERIFY_NEO4J_VERSION = False  # a version for vector indexes, which this retriever does not use

    def __init__(
        self, store: Store, backend: Backend | str | None = None, sources: Sequence[str] | None = None
    ) -> None:
        super().__init__(store.db.driver, store.db.name)
        self.store, self.backend, self.sources = store, backend, arguments.source_names(sources)

    def get_search_results(self, query_text: str, top_k: int = 20) -> RawSearchResult:
        """Answers a question.

        Args:
            query_text: the question, in plain words.
            top_k: most facts of the evidence that are retrieved.

        Raises:
            CgstoreError: see `Store.ask`.
        """
        from neo4j import Record

        answer = self.store.ask(query_text, self.backend, self.sources)
        facts = facts_of(answer.evidence_shown)[: arguments.count("top_k", top_k)] if answer else []
        found: list[dict[str, Any]] = []
        if answer:
            values = ", ".join(map(str, answer.lines))
            found.append({"text": answer.sentence or values, "metadata": {"answer": list(answer)}})
        for fact in facts:
            about = {"source": fact.source, "qualifiers": [list(pair) for pair in fact.qualifiers]}
            parts = {"head": fact.head, "relation": fact.relation, "tail": fact.tail}
            found.append({"text": fact.words, "metadata": {**parts, **about}})
        metadata = {
            "answer": list(answer),
            "program": answer.program,
            "cypher": answer.cypher[-1] if answer.cypher else "",
            "notes": list(answer.warnings),
        }
        records = [Record(record) for record in found]  # type: ignore[no-untyped-call]
        return RawSearchResult(records=records, metadata=metadata)

    def default_record_formatter(self, record: neo4j.Record) -> RetrieverResultItem:
        """The text of an answer or of a fact, with its parts as metadata."""
        return RetrieverResultItem(content=record["text"], metadata=record["metadata"])
