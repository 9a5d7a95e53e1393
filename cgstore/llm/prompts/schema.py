"""The description of the sources in a prompt: columns with rows of tables, relations and keys of graphs.

All names and cells are data, in double quotes.
"""

from __future__ import annotations

import json
import unicodedata
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from cgstore.embedding.encoder import MAX_CACHED, Encoder, SharedEncoder, cosines, encode_cached
from cgstore.embedding.vectors import as_words
from cgstore.errors import NoModel
from cgstore.llm.graph_view import SAMPLE, Cells, Outline, Relation
from cgstore.mapping.mentions import GRAMMAR_WORDS, words_of
from cgstore.source_kinds import kind_named

if TYPE_CHECKING:
    from cgstore.embedding.encoder import Vectors


MAX_RELATIONS = 300
"""Relations and columns shown of all sources together."""

MAX_SAMPLED = 10
"""Tables with sample rows."""

MAX_KEYS = 50
"""Qualifiers shown of a source."""

ALIKE = 3
"""Columns of a table, the most similar to the question, that decide how relevant the table is."""

TIMES = {"year": "1994", "month": "1994-05", "day": "1994-05-17"}
"""An example of a time of each step."""

SEVERAL = """\
Several sources are asked at once. The same name means the same thing in all of them, so a query may look up in one
source what another query found in another; a relation that several sources have means all of them."""


@dataclass(frozen=True)
class Size:
    """How much of the sources is shown: rows of each table, and relations of all sources together."""

    rows: int = SAMPLE
    relations: int = MAX_RELATIONS


@dataclass(frozen=True)
class Shown:
    """A source with those of its relations that are shown."""

    outline: Outline
    relations: tuple[Relation, ...]


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


def schema_text(shown: Sequence[Shown], of: int, samples: Mapping[str, Sequence[Cells]], rows: int = SAMPLE) -> str:
    """The sources in words.

    Args:
        shown: from `whole` or `choose`.
        of: number of sources asked; the text mentions those that are not shown.
        samples: rows of tables, by name.
        rows: how many of these to show.
    """
    parts = [SEVERAL] if of > 1 else []
    parts += [_source(one, samples.get(one.outline.name, ())[:rows]) for one in shown]
    if of > len(shown):
        parts.append(f"{of - len(shown):,} more sources, which seem less relevant to the question.")
    return "\n".join(parts)


def _source(one: Shown, rows: Sequence[Cells]) -> str:
    outline = one.outline
    title = f"{kind_named(outline.kind).title} {quoted(outline.name)}"
    if kind_named(outline.kind).has_rows:
        lines = [f"{title}, {outline.rows:,} row{'' if outline.rows == 1 else 's'}. {_relations(one, 'Columns')}"]
        return "\n".join([*lines, *_rows(one, rows)])
    step = f", by {outline.step}, such as '{TIMES[outline.step]}'" if outline.step in TIMES else ""
    lines = [f"{title}{step}. {_relations(one, 'Relations')}"]
    if outline.step:
        lines.append("Keys of times: time, start_time, end_time")
    if outline.keys:
        more = f"; and {len(outline.keys) - MAX_KEYS:,} more" if len(outline.keys) > MAX_KEYS else ""
        lines.append(f"Qualifiers: {'; '.join(map(quoted, outline.keys[:MAX_KEYS]))}{more}")
    return "\n".join(lines)


def _relations(one: Shown, word: str) -> str:
    every = len(one.outline.relations)
    cut = f", the {len(one.relations):,} of {every:,} that are most relevant to the question" * (
        len(one.relations) < every
    )
    names = (f"{quoted(r.name)} ({r.kind})" if r.kind else quoted(r.name) for r in one.relations)
    return f"{word}{cut}: {'; '.join(names)}"


def _rows(one: Shown, rows: Sequence[Cells]) -> list[str]:
    """The first rows, with the shown columns only."""
    if not rows:
        return []
    places = [one.outline.relations.index(relation) for relation in one.relations]
    title = "All rows:" if len(rows) == one.outline.rows else "The first rows:" if len(rows) > 1 else "The first row:"
    lines = (f"[line_{number}] {quoted_row([row[n] for n in places])}" for number, row in enumerate(rows, 1))
    return [title, *lines]


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
            return _by_words(question, names)

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


def _by_words(question: str, names: Sequence[str]) -> dict[str, float]:
    """The share of a name's words that the question has."""
    asked = _words(question)
    words = {name: _words(as_words(name)) for name in names}
    return {name: len(asked & words[name]) / max(1, len(words[name])) for name in names}


def _words(text: str) -> set[str]:
    return {word.text.casefold() for word in words_of(text)} - GRAMMAR_WORDS


# Names and cells as quoted data, so that they stay visibly data


LONGEST_NAME, LONGEST_CELL = 120, 60
"""Characters shown of a name, and of a cell."""

_JOINERS = "\u200c\u200d"
"""Invisible characters that are part of words in some scripts."""


def quoted(text: str, longest: int = LONGEST_NAME) -> str:
    """The text as a JSON string on one line; invisible characters are escaped, other spaces are plain ones."""
    shown = text if len(text) <= longest else f"{text[: longest - 1]}…"
    written = json.dumps(shown, ensure_ascii=False)
    return written if written.isprintable() else "".join(map(_visible, written))


def quoted_row(cells: Sequence[str]) -> str:
    """Cells as a JSON list."""
    return f"[{', '.join(quoted(cell, LONGEST_CELL) for cell in cells)}]"


def _visible(character: str) -> str:
    if character.isprintable() or character in _JOINERS:
        return character
    if unicodedata.category(character) == "Zs":
        return " "
    return json.dumps(character)[1:-1]
