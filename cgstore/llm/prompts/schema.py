"""The description of the sources in a prompt: which sources and relations are shown, in which order.

`cgstore.llm.prompts.tables` and `graphs` describe one source each. All names and cells are data, in double quotes.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import TYPE_CHECKING

from cgstore.catalog.kinds import kind_named
from cgstore.embedding.encoder import MAX_CACHED, Encoder, SharedEncoder, cosines, encode_cached
from cgstore.embedding.vectors import as_words
from cgstore.errors import NoModel
from cgstore.llm.graph_view import Outline, Relation
from cgstore.llm.joins import Join
from cgstore.llm.prompts.content import Content, Shown, Size
from cgstore.llm.prompts.graphs import graph_text
from cgstore.llm.prompts.quoting import quoted
from cgstore.llm.prompts.tables import table_text
from cgstore.mapping.mentions import GRAMMAR_WORDS, words_of

if TYPE_CHECKING:
    from cgstore.embedding.encoder import Vectors


MAX_RELATIONS = 150
"""Relations and columns shown of all sources together."""

MAX_JOINS = 12
"""Joins shown of all sources together."""

ALIKE = 3
"""Columns of a table, the most similar to the question, that decide how relevant the table is."""

SEVERAL = """\
Several sources are asked at once. The same name means the same thing in all of them, so a query may look up in one
source what another query found in another; a relation that several sources have means all of them,
unless source='...' in a call of get_information or heads names one. Groups by what another table says of a column:
group(by=get_information(relation='city', key='id', value=get_information(head_entity=each, relation='customer_id')))"""


Ranked = list[tuple[int, list[Relation]]]
"""Groups of relations that are shown or dropped together, with the place of their source; the most relevant first."""


def rank(outlines: Sequence[Outline], near: Collection[str], scores: Mapping[str, float]) -> Ranked:
    """All relations, those around the names in the question (`near`) first, then by `scores`; a table is one group."""

    def value(relation: Relation) -> tuple[bool, float]:
        return relation.name in near, scores.get(relation.name, 0.0)

    units: list[tuple[float, float, int, list[Relation]]] = []
    for place, outline in enumerate(outlines):
        if kind_named(outline.kind).has_rows:
            columns = sorted(outline.relations, key=value, reverse=True)
            alike = sorted((value(column)[1] for column in columns), reverse=True)[:ALIKE]
            units.append((sum(value(column)[0] for column in columns), sum(alike) / ALIKE, place, columns))
        else:
            units += [(*value(relation), place, [relation]) for relation in outline.relations]
    units.sort(key=lambda unit: (-unit[0], -unit[1]))  # stable: ties stay in the order of the sources
    return [(place, relations) for _, _, place, relations in units]


def whole(outlines: Sequence[Outline]) -> list[Shown]:
    """The sources with all their relations, each in its order."""
    return [Shown(outline, outline.relations) for outline in outlines]


def choose(outlines: Sequence[Outline], ranked: Ranked, most: int) -> list[Shown]:
    """The sources of the first `most` relations, with these; a table's columns stay in their order."""
    taken: dict[int, list[Relation]] = {}
    for place, relations in ranked:
        if most <= 0:
            break
        taken.setdefault(place, []).extend(relations[:most])
        most -= len(relations)
    return [_shown(outlines[place], relations) for place, relations in taken.items()]


def _shown(outline: Outline, relations: Sequence[Relation]) -> Shown:
    """A source with these relations: the columns of a table in its order, others by relevance."""
    if kind_named(outline.kind).has_rows:
        taken = set(relations)
        relations = [relation for relation in outline.relations if relation in taken]
    return Shown(outline, tuple(relations))


def schema_text(shown: Sequence[Shown], of: int, content: Content, size: Size) -> str:
    """The sources in words.

    Args:
        shown: from `whole` or `choose`.
        of: number of sources asked; the text mentions those that are not shown.
        content: what was read of the sources.
        size: how much of it is shown.
    """
    parts = [SEVERAL] if of > 1 else []
    examples = size.examples
    for one in shown:
        if kind_named(one.outline.kind).has_rows:
            parts.append(table_text(one, content, size))
        else:
            parts.append(graph_text(one, content, examples))
            examples = max(0, examples - len(one.relations))
    there = {(one.outline.name, relation.name) for one in shown for relation in one.relations}
    joins = [join for join in content.joins if (join.source, join.relation) in there][:MAX_JOINS]
    if joins:
        parts.append(
            "\n".join(
                ["Columns with the same values, by which one source is looked up from another:", *map(_join, joins)]
            )
        )
    if of > len(shown):
        parts.append(f"{of - len(shown):,} more sources, which seem less relevant to the question.")
    return "\n".join(parts)


def _join(join: Join) -> str:
    other = f"the column {quoted(join.other_relation)}" if join.other_relation else "the heads"
    return f"- {quoted(join.relation)} of {quoted(join.source)}, and {other} of {quoted(join.other_source)}"


class Relevance:
    """Scores the relevance of relations to a question by vectors, else by words in common; remembers the vectors.

    Args:
        encoder: makes the vectors; None: the default one, loaded when first needed.
    """

    def __init__(self, encoder: Encoder | None = None) -> None:
        self._encoder = SharedEncoder(encoder)
        self._vectors: dict[str, Vectors] = {}

    def scores(self, question: str, relations: Sequence[str]) -> dict[str, float]:
        """The similarity of each relation to the question, higher is more similar."""
        names = list(dict.fromkeys(relations))
        try:
            return self._by_vectors(question, names)
        except NoModel:
            return scores_by_words(question, names)

    def _by_vectors(self, question: str, names: Sequence[str]) -> dict[str, float]:
        vectors = self._with(names)
        asked = self._encoder.encode([question])[0]
        return {name: cosines(vectors[name].reshape(1, -1), asked)[0] for name in names}

    def _with(self, names: Sequence[str]) -> dict[str, Vectors]:
        """The vectors of at least these names; never changed in place, since threads share them."""
        known = self._vectors
        missing = [name for name in names if name not in known]
        if missing:
            if len(known) + len(missing) > MAX_CACHED:
                known, missing = {}, list(names)
            new = encode_cached(self._encoder, [as_words(name) for name in missing])
            self._vectors = known = {**known, **dict(zip(missing, new, strict=True))}
        return known


def scores_by_words(question: str, names: Sequence[str]) -> dict[str, float]:
    """The share of a name's words that the question has."""
    asked = _words(question)
    words = {name: _words(as_words(name)) for name in names}
    return {name: len(asked & words[name]) / max(1, len(words[name])) for name in names}


def _words(text: str) -> set[str]:
    return {word.text.casefold() for word in words_of(text)} - GRAMMAR_WORDS
