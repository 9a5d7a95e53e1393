"""A tool of LangChain that answers questions with proof; needs `cgstore[langchain]`."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated

from langchain_core.tools import BaseTool, StructuredTool, ToolException

from cgstore import arguments
from cgstore.errors import CgstoreError
from cgstore.model import Answer
from cgstore.show.evidence import facts_of

if TYPE_CHECKING:
    from cgstore.llm.backends import Backend
    from cgstore.store import Store

MOST_FACTS = 20
"""Facts of the evidence that the model reads; the artifact has all of it."""

MOST_VALUES = 100
"""Values that the model reads; the artifact has all of them."""

DESCRIPTION = """Answers a question in plain words from the tables and knowledge graphs of this store, with the facts
that prove the answer. Gives JSON: `values` (empty where there is no answer, then `notes` say why), `total`, `sentence`,
`facts` and `notes`."""


def question_tool(
    store: Store,
    backend: Backend | str | None = None,
    sources: Sequence[str] | None = None,
    *,
    name: str = "ask_graph",
    description: str = DESCRIPTION,
) -> BaseTool:
    """A tool that takes a question; the model reads JSON, and the artifact of the message is the `Answer`.

    A question that cannot be answered, such as one for which no LLM can be reached, is an error that the model reads.

    Args:
        store: the Store that is asked. It stays yours to close.
        backend: as for `Store.ask`.
        sources: names of the sources asked; all that are ready when None.
        name: the name of the tool.
        description: what the model is told of the tool; say here what your sources are about.
    """
    asked = arguments.source_names(sources)

    def ask(question: Annotated[str, "A question in plain words, complete in itself."]) -> tuple[str, Answer]:
        try:
            answer = store.ask(question, backend, asked)
        except CgstoreError as error:
            raise ToolException(str(error)) from error
        return _content(answer), answer

    return StructuredTool.from_function(
        ask, name=name, description=description, response_format="content_and_artifact", handle_tool_error=True
    )


def _content(answer: Answer) -> str:
    """What the model reads of an answer."""
    facts = facts_of(answer.evidence_shown)
    shown = {
        "values": list(answer.lines[:MOST_VALUES]),
        "total": len(answer.lines),
        "sentence": answer.sentence,
        "facts": [fact.words for fact in facts[:MOST_FACTS]],
        "notes": list(answer.warnings),
    }
    return json.dumps(shown, ensure_ascii=False)
