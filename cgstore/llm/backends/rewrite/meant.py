"""What a question may have meant that is not understood as written: mistakes put right, and names in another form."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from cgstore.llm.backends.rewrite.repertoire import Knowledge
from cgstore.llm.demonstrations.signals import SIGNAL_OF
from cgstore.llm.graph_view import GraphView
from cgstore.mapping.mentions import GRAMMAR_WORDS
from cgstore.mapping.other_forms import OtherForm
from cgstore.mapping.unknown_mentions import unknown_names
from cgstore.text.misspelt import Known, Repaired, put_right
from cgstore.text.thesaurus import known_words

_ORDERING = "succeeded succeed replaced followed preceded successor predecessor earliest latest recent"
ASKING_WORDS = frozenset(SIGNAL_OF) | frozenset(_ORDERING.split())
"""Words that say what is asked of a relation."""


def spelt_right(question: str, graph: GraphView, knowledge: Knowledge) -> Repaired | None:
    """The question with the words put right that nothing knows, if there are any."""
    return None if graph.exact else put_right(question, _known(question, graph, knowledge))


def meanings(question: str, graph: GraphView, knowledge: Knowledge, forms: Sequence[OtherForm]) -> Iterator[Repaired]:
    """Questions that may have been meant, the nearest first.

    Args:
        question: as it is written.
        graph: what is asked.
        knowledge: what demonstrations teach.
        forms: the names that the question has in another form; see `names_in_other_forms`.
    """
    if meant := _not_as_written(question, graph, knowledge):
        yield meant
    if named := _with_whole_names(question, forms):
        yield named
        if meant := _not_as_written(named.question, graph, knowledge):
            yield Repaired(meant.question, (*named.notes, *meant.notes))


def names_in_other_forms(question: str, graph: GraphView, knowledge: Knowledge) -> list[OtherForm]:
    """The names that the question has in another form than the graph; see `cgstore.mapping.other_forms`."""
    return graph.other_forms(question, graph.mentions(question), knowledge.vocabulary)


def _not_as_written(question: str, graph: GraphView, knowledge: Knowledge) -> Repaired | None:
    """The question with names put right that the graph lacks, and with less frequent words taken for others.

    Both may be right as they are: `Thomas` for `Tomas`, `manger` for `manager`.
    """
    names = unknown_names(question, graph.mentions(question), knowledge.vocabulary)
    return put_right(question, _known(question, graph, knowledge), names, has_rare=True)


def _known(question: str, graph: GraphView, knowledge: Knowledge) -> Known:
    written = knowledge.repertoire(graph).relation_words.written
    verbs = {word.removesuffix("ed") for word in written if word.endswith("ed")}
    covered = [(each.start, each.end) for each in graph.mentions(question)]
    words = frozenset(written | verbs | ASKING_WORDS | GRAMMAR_WORDS)
    return Known(words, knowledge.vocabulary | known_words(), covered, graph.closest)


def _with_whole_names(question: str, forms: Sequence[OtherForm]) -> Repaired | None:
    """The question with the names that the graph has, where one alone is meant."""
    read = [each for each in forms if len(each.names) == 1]
    for each in reversed(read):
        question = question[: each.start] + each.names[0] + question[each.end :]
    return Repaired(question, tuple(each.note for each in read)) if read else None
