"""What a question may have meant that is not understood as written: mistakes put right, and names in another form."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from cgstore.llm.backends.rewrite.repertoire import Knowledge
from cgstore.llm.backends.rewrite.spelling import ASKING_WORDS, Repaired, repaired
from cgstore.llm.graph_view import GraphView
from cgstore.mapping.other_forms import OtherForm


def meanings(question: str, graph: GraphView, knowledge: Knowledge, forms: Sequence[OtherForm]) -> Iterator[Repaired]:
    """Questions that may have been meant, the nearest first.

    Args:
        question: as it is written.
        graph: what is asked.
        knowledge: what demonstrations teach.
        forms: the names that the question has in another form; see `names_in_other_forms`.
    """
    if meant := _put_right(question, graph, knowledge):
        yield meant
    if named := _with_whole_names(question, forms):
        yield named
        if meant := _put_right(named.question, graph, knowledge):
            yield Repaired(meant.question, (*named.notes, *meant.notes))


def names_in_other_forms(question: str, graph: GraphView, knowledge: Knowledge) -> list[OtherForm]:
    """The names that the question has in another form than the graph; see `cgstore.mapping.other_forms`."""
    return graph.other_forms(question, graph.mentions(question), knowledge.vocabulary)


def _put_right(question: str, graph: GraphView, knowledge: Knowledge) -> Repaired | None:
    """The question with its misspelt words and names put right, if there are any."""
    words = knowledge.repertoire(graph).relation_words.written | ASKING_WORDS
    verbs = {word.removesuffix("ed") for word in words if word.endswith("ed")}
    return repaired(question, graph.mentions(question), words | verbs, knowledge.vocabulary, graph.closest)


def _with_whole_names(question: str, forms: Sequence[OtherForm]) -> Repaired | None:
    """The question with the names that the graph has, where one alone is meant."""
    read = [each for each in forms if len(each.names) == 1]
    for each in reversed(read):
        question = question[: each.start] + each.names[0] + question[each.end :]
    return Repaired(question, tuple(each.note for each in read)) if read else None
