"""The description of the sources in a prompt: which relations are shown, tables with their rows, graphs with examples.

All names and cells are data, in double quotes.
"""

from __future__ import annotations

import json
import unicodedata
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from cgstore.catalog.kinds import kind_named
from cgstore.embedding.encoder import Encoder, SharedEncoder, cosines, encode_cached
from cgstore.embedding.vectors import as_words
from cgstore.errors import NoModel
from cgstore.llm.fact_view import RelationFacts
from cgstore.llm.graph_view import Outline, Relation
from cgstore.llm.joins import Join
from cgstore.llm.table_view import TableRows, column_values
from cgstore.mapping.mentions import GRAMMAR_WORDS, words_of
from cgstore.text.names import many
from cgstore.text.roles import Role

if TYPE_CHECKING:
    from cgstore.embedding.encoder import Vectors

EVALUATED = "eval/"
"""The names of the sources of `cgstore eval` begin so. They are not shown, since they tell where a question is from."""

MAX_RELATIONS = 150
"""Relations and columns shown of all sources together."""

MAX_JOINS = 12
"""Joins shown of all sources together."""

MAX_KEYS = 50
"""Qualifiers shown of a source."""

ALIKE = 3
"""Columns of a table, the most similar to the question, that decide how relevant the table is."""

MAX_REPEATED = 3
"""Values shown of a column of which some repeat, if there are too many to list all."""

MIXED = 0.2
"""Share of the values of a column of texts that have figures in them, from which it counts as mixed."""

LONGEST_NAME, LONGEST_CELL, LONGEST_VALUE, LONGEST_EXAMPLE = 120, 100, 40, 60
"""Characters shown of a name, of a cell in its row, of a value beside its column, and of a name in an example."""

TIMES = {
    "year": "1994",
    "month": "1994-05",
    "day": "1994-05-17",
    "minute": "1994-05-17T10:30",
    "second": "1994-05-17T10:30:15",
}
"""An example of a time of each step."""

SEVERAL = """\
Several sources are asked at once. The same name means the same thing in all of them, so a query may look up in one
source what another query found in another; a relation that several sources have means all of them,
unless source='...' in a call of get_information or heads names one. Groups by what another table says of a column:
group(by=get_information(relation='city', key='id', value=get_information(head_entity=each, relation='customer_id')))"""

_DATES = ("date", "day-first date", "day")
_TELLING = (Role.IDENTIFIER, Role.YES_NO)  # roles that tell more than the kind of values
_JOINERS = "\u200c\u200d"  # invisible characters that are part of words in some scripts


def quoted(text: str, longest: int = LONGEST_NAME) -> str:
    """The text as a JSON string on one line; invisible characters are escaped, other spaces are plain ones."""
    shown = text if len(text) <= longest else f"{text[: longest - 1]}…"
    written = json.dumps(shown, ensure_ascii=False)
    return written if written.isprintable() else "".join(map(_visible, written))


def _visible(character: str) -> str:
    if character.isprintable() or character in _JOINERS:
        return character
    return " " if unicodedata.category(character) == "Zs" else json.dumps(character)[1:-1]


def shortened(program: str, longest: int) -> str:
    """A program, of which the end is left out if it is too long."""
    text = program.strip()
    return text if len(text) <= longest else f"{text[:longest]} ..."


def listed(values: Sequence[str | int | float], most: int, longest: int) -> str:
    """Values as a JSON list, so that the content of one stays a text in quotes; the rest is counted."""
    shown = [value[:longest] if isinstance(value, str) else value for value in values[:most]]
    more = f" and {len(values) - most:,} more" if len(values) > most else ""
    return f"{json.dumps(shown, ensure_ascii=False)}{more}"


@dataclass(frozen=True)
class Size:
    """How much of the sources is shown.

    Args:
        rows: most rows of each table.
        relations: most relations and columns of all sources together.
        examples: most relations of graphs with an example; 0 also leaves out the values and formats of columns.
    """

    rows: int
    relations: int
    examples: int


@dataclass(frozen=True)
class Shown:
    """A source with those of its relations that are shown."""

    outline: Outline
    relations: tuple[Relation, ...]

    @property
    def title(self) -> str:
        """The kind and the name of the source."""
        title, name = kind_named(self.outline.kind).title, self.outline.name
        return title if name.startswith(EVALUATED) else f"{title} {quoted(name)}"

    def cut(self, noun: str) -> str:
        """The beginning of its list of relations, which says whether some are left out."""
        shown, every = len(self.relations), len(self.outline.relations)
        return noun if shown == every else f"{noun}, the {shown:,} of {every:,} that are most relevant to the question"


@dataclass(frozen=True)
class Content:
    """What was read of the sources; data of a source stand under its name.

    Args:
        tables: the rows of tables.
        facts: the number of facts of relations with an example, by source and relation.
        times: the first and the last time of temporal sources.
        names: the names in the question, as cells have them.
        private: whether no cell and no fact may be shown.
        joins: the columns that have values of other sources.
    """

    tables: Mapping[str, TableRows] = field(default_factory=dict)
    facts: Mapping[tuple[str, str], RelationFacts] = field(default_factory=dict)
    times: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    names: tuple[str, ...] = ()
    private: bool = False
    joins: Sequence[Join] = ()


# Which relations are shown

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
    """The sources of the first `most` relations, with these by relevance; a table's columns stay in their order."""
    taken: dict[int, list[Relation]] = {}
    for place, relations in ranked:
        if most <= 0:
            break
        taken.setdefault(place, []).extend(relations[:most])
        most -= len(relations)
    shown = []
    for place, relations in taken.items():
        outline = outlines[place]
        if kind_named(outline.kind).has_rows:
            relations = [relation for relation in outline.relations if relation in relations]
        shown.append(Shown(outline, tuple(relations)))
    return shown


# The sources in words


def schema_text(shown: Sequence[Shown], of: int, content: Content, size: Size) -> str:
    """The sources in words, of which `of` are asked; the text counts those that are not shown."""
    parts = [SEVERAL] if of > 1 else []
    examples = size.examples
    for one in shown:
        if kind_named(one.outline.kind).has_rows:
            parts.append(_table(one, content, size))
        else:
            parts.append(_graph(one, content, examples))
            examples = max(0, examples - len(one.relations))
    there = {(one.outline.name, relation.name) for one in shown for relation in one.relations}
    joins = [join for join in content.joins if (join.source, join.relation) in there][:MAX_JOINS]
    parts += ["Columns with the same values, by which one source is looked up from another:"] if joins else []
    parts += map(_join, joins)
    if of > len(shown):
        parts.append(f"{of - len(shown):,} more sources, which seem less relevant to the question.")
    return "\n".join(parts)


def _join(join: Join) -> str:
    other = f"the column {quoted(join.other_relation)}" if join.other_relation else "the heads"
    return f"- {quoted(join.relation)} of {quoted(join.source)}, and {other} of {quoted(join.other_source)}"


def _table(one: Shown, content: Content, size: Size) -> str:
    """A table: a line for each column, then the rows that are shown."""
    outline = one.outline
    read = None if content.private else content.tables.get(outline.name)
    numbers = read.chosen(size.rows, content.names) if read else []
    examples = size.examples > 0 and len(numbers) != outline.rows
    title = f"{one.title}, {many(outline.rows, 'row')}."
    lines = [f"{title} {one.cut('Columns')}:"]
    places = [outline.relations.index(relation) for relation in one.relations]
    for relation, place in zip(one.relations, places, strict=True):
        about = _about(read, place, relation, examples) if read and read.rows else [_what(relation)]
        lines.append(f"- {quoted(relation.name)}: {'; '.join(about)}")
    if numbers and read:
        lines.append(_rows_title(numbers, outline.rows))
        for number in numbers:
            cells = ", ".join(quoted(read.rows[number][place], LONGEST_CELL) for place in places)
            lines.append(f"[line_{number}] [{cells}]")
    return "\n".join(lines)


def _what(relation: Relation, text: str = "text") -> str:
    """The kind of a column, with its role where this tells more."""
    kind = relation.kind or text
    return f"{kind}, {relation.role}" if relation.role in _TELLING else kind


def _about(read: TableRows, place: int, relation: Relation, examples: bool) -> list[str]:
    """What is said of a column: kind and role, how many different values, missing ones, the few values, formats."""
    cells = read.column(place)
    values, distinct = column_values(cells), set(cells)
    with_figures = sum(any(map(str.isdigit, cell)) for cell in distinct)
    is_mixed = with_figures >= MIXED * max(1, len(distinct))
    where = "" if read.whole else f" in the {len(read.rows):,} rows read"
    parts = [f"{_what(relation, 'mixed' if is_mixed else 'text')}, {values.different:,} different{where}"]
    if values.missing:
        placeholders = f" or {_listed(values.placeholders[:MAX_REPEATED])}" if values.placeholders else ""
        parts.append(f"{values.missing:,} empty{placeholders}")
    if examples and values.few:
        parts.append(f"all of them: {_listed(values.few)}")
    elif examples and values.repeated:
        top = (f"{quoted(value, LONGEST_VALUE)} ({count:,})" for value, count in values.repeated[:MAX_REPEATED])
        parts.append(f"often {', '.join(top)}")
    if examples and values.formats and not values.few:
        parts.append(f"such as {_listed(values.formats)}")
    return parts


def _listed(texts: Iterable[str]) -> str:
    return ", ".join(quoted(text, LONGEST_VALUE) for text in texts)


def _rows_title(numbers: Sequence[int], count: int) -> str:
    """Which rows are shown: `Rows 1 to 5, 17 and 212 of 212:`."""
    if len(numbers) == count:
        return "All rows:"
    runs: list[list[int]] = []
    for number in numbers:
        if runs and runs[-1][-1] == number - 1:
            runs[-1].append(number)
        else:
            runs.append([number])
    parts = [str(n) for run in runs for n in (run if len(run) < 3 else [f"{run[0]:,} to {run[-1]:,}"])]
    listed = f"{', '.join(parts[:-1])} and {parts[-1]}" if len(parts) > 1 else parts[0]
    return f"Row{'s' * (len(numbers) > 1)} {listed} of {count:,}:"


def _graph(one: Shown, content: Content, examples: int) -> str:
    """A graph: its relations, of which the first `examples` have one; with 0 none has its number of facts."""
    outline = one.outline
    form = ", with the number of facts and one of them as head | tail" if examples else ""
    lines = [f"{one.title}{_step(outline, content)}. {one.cut('Relations')}{form}:"]
    lines += [_with_example(outline, relation, content) for relation in one.relations[:examples]]
    counted = content if examples else Content()
    rest = "; ".join(_counted(outline, relation, counted) for relation in one.relations[examples:])
    if rest and examples:
        lines.append(f"Further relations: {rest}")
    elif rest:
        lines[0] += f" {rest}"
    if outline.step:
        lines.append("Keys of times: time, start_time, end_time")
    if outline.keys:
        more = f"; and {len(outline.keys) - MAX_KEYS:,} more" if len(outline.keys) > MAX_KEYS else ""
        lines.append(f"Qualifiers: {'; '.join(map(quoted, outline.keys[:MAX_KEYS]))}{more}")
    kinds = {relation.kind for relation in outline.relations}
    if not outline.step and not outline.keys and kinds.isdisjoint(_DATES):
        numbers = "dates, except years where a number is one" if any(kinds) else "dates and no numbers"
        lines.append(f"It has no {numbers}.")
    return "\n".join(lines)


def _step(outline: Outline, content: Content) -> str:
    """The step of the times, and the first and the last one."""
    if outline.step not in TIMES:
        return ""
    first, last = ("", "") if content.private else content.times.get(outline.name, ("", ""))
    span = f" from '{first}' to '{last}'" if first else f", such as '{TIMES[outline.step]}'"
    return f", times by {outline.step}{span}"


def _with_example(outline: Outline, relation: Relation, content: Content) -> str:
    facts = content.facts.get((outline.name, relation.name))
    line = f"- {_counted(outline, relation, content)}"
    if facts is None or content.private:
        return line
    return f"{line}: {quoted(facts.head, LONGEST_EXAMPLE)} | {quoted(facts.tail, LONGEST_EXAMPLE)}"


def _counted(outline: Outline, relation: Relation, content: Content) -> str:
    """The name of a relation with the kind of its values and its number of facts."""
    facts = content.facts.get((outline.name, relation.name))
    about = ", ".join(filter(None, (relation.kind, f"{facts.count:,}" if facts else "")))
    return f"{quoted(relation.name)} ({about})" if about else quoted(relation.name)


# How relevant relations are


class Relevance:
    """Scores relations by their likeness to a question: by vectors, else by words in common."""

    def __init__(self, encoder: Encoder | None = None) -> None:
        self._encoder = SharedEncoder(encoder)
        self._last: tuple[list[str], Vectors] | None = None

    def scores(self, question: str, relations: Sequence[str]) -> dict[str, float]:
        """The similarity of each relation to the question, higher is more similar."""
        names, last = list(dict.fromkeys(relations)), self._last
        try:
            if last is None or last[0] != names:  # those of the last question are mostly those of this one
                last = self._last = names, encode_cached(self._encoder, list(map(as_words, names)))
            asked = self._encoder.encode([question])[0]
        except NoModel:
            return scores_by_words(question, names)
        return dict(zip(names, cosines(last[1], asked), strict=True))


def scores_by_words(question: str, names: Sequence[str]) -> dict[str, float]:
    """The share of a name's words that the question has."""
    asked = _words(question)
    words = {name: _words(as_words(name)) for name in names}
    return {name: len(asked & words[name]) / max(1, len(words[name])) for name in names}


def _words(text: str) -> set[str]:
    return {word.text.casefold() for word in words_of(text)} - GRAMMAR_WORDS
