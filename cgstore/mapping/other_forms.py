"""Names of the graph that a question has in another form: initials, other order, parts left out or added.

`near_mentions` offers guesses to a reader. What is found here is read instead of what the question has, with a note, so
that one node alone must fit best (`cgstore.text.name_forms`). Where several fit equally well, those that share a fact
with another name of the question count; if that leaves several, none is taken, and a note says which ones there are.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence, Set
from typing import NamedTuple

from cgstore.cypher.connection import Database
from cgstore.mapping.candidates import entity_candidates
from cgstore.mapping.mentions import GRAMMAR_WORDS, Mention, Word, begins_sentence, words_of
from cgstore.mapping.unknown_mentions import unknown_names
from cgstore.text.name_forms import Fit, first_letters, fit, is_initials
from cgstore.text.names import normal_form, some_of

MAX_WORDS = 14
"""Words of the longest text that is read as a name."""

MAX_NAMES = 5
"""Unknown names of a question that are looked up."""

FOUND = 50
"""Nodes that are looked at for each unknown name."""

WITH_LETTERS = 5_000
"""Nodes with words of these letters that full text may find; initials of more nodes are not read."""

_BY_INITIALS = """
CALL db.index.fulltext.queryNodes('cg_node_text', $words, {limit: $most}) YIELD node
WITH collect(node) AS nodes
WHERE size(nodes) < $most
UNWIND nodes AS n
WITH n, split(n.normal, ' ') AS words
WHERE size(words) > 1 AND left(words[0], 1) = $first AND n.source IS NULL
  AND (EXISTS { (n)-[h:CG_HAS]->() WHERE h.source IN $sources }
    OR EXISTS { (n)<-[v:CG_VALUE]-() WHERE v.source IN $sources })
RETURN n.key AS key, n.name AS name
"""

_LINKED = """
MATCH (r:CgRelation) WHERE r.source IN $sources
UNWIND $keys AS key
UNWIND $others AS other
CALL (r, key, other) {
  UNWIND [{head: key, tail: other}, {head: other, tail: key}] AS fact
  MATCH ()-[v:CG_VALUE {node1: r.key, head: fact.head}]->()
  USING INDEX SEEK v:CG_VALUE(node1, head)
  WHERE v.node2 = fact.tail
  RETURN true AS linked LIMIT 1
}
RETURN DISTINCT key
"""


class OtherForm(NamedTuple):
    """A stretch of the question, and the names of the nodes that fit it equally well."""

    start: int
    end: int
    text: str
    names: tuple[str, ...]

    @property
    def note(self) -> str:
        """What is read, or what the text may stand for."""
        if len(self.names) == 1:
            return f"'{self.text}' is read as '{self.names[0]}'"
        return f"'{self.text}' may be {some_of(list(self.names))}: give the whole name"


class _Fitting(NamedTuple):
    """A stretch of the question that fits a node; the greatest one is taken."""

    length: int
    fit: Fit
    start: int
    end: int
    key: str
    name: str


def find_other_forms(
    db: Database, question: str, mentions: Sequence[Mention], vocabulary: Set[str], sources: Sequence[str]
) -> list[OtherForm]:
    """The unknown names of a question that are other forms of names which the sources have, in order.

    Args:
        db: the database.
        question: in plain words.
        mentions: those of `find_mentions`.
        vocabulary: words that are no names; see `unknown_names`.
        sources: stored names of the sources asked.
    """
    unknown = list(dict.fromkeys(unknown_names(question, mentions, vocabulary)))[:MAX_NAMES]
    if not unknown:
        return []
    nodes = {m.key: m.name for m in mentions if m.kind == "entity"} | _nodes(db, question, mentions, unknown, sources)
    found: list[OtherForm] = []
    for text in unknown:
        start = question.find(text)
        if not any(each.start < start + len(text) and start < each.end for each in found):
            best = _best(question, (start, start + len(text)), nodes)
            if best:
                found.append(_chosen(db, question, best, mentions, sources))
    return sorted(found)


def _nodes(
    db: Database, question: str, mentions: Sequence[Mention], unknown: Sequence[str], sources: Sequence[str]
) -> dict[str, str]:
    """The keys and names of nodes with words of the unknown names, or with their initials."""
    left = [w.text for w in words_of(question) if w.text.lower() not in GRAMMAR_WORDS and _is_free(w, mentions)]
    texts = [*unknown, *unknown_names(question, (), frozenset()), " ".join(left)]
    candidates = entity_candidates(db, list(dict.fromkeys(filter(None, texts))), sources, top=FOUND)
    nodes = {each.key: each.name for some in candidates for each in some}
    for text in filter(is_initials, unknown):
        letters = first_letters(text)
        words = " ".join(f"+{letter}*" for letter in dict.fromkeys(letters))
        given = {"words": words, "first": letters[0], "most": WITH_LETTERS, "sources": list(sources)}
        nodes |= {row["key"]: row["name"] for row in db.read(_BY_INITIALS, given)}
    return nodes


def _is_free(word: Word, mentions: Iterable[Mention]) -> bool:
    return not any(m.start < word.end and word.start < m.end for m in mentions if m.kind == "entity" and not m.weak)


def _best(question: str, unknown: tuple[int, int], nodes: dict[str, str]) -> list[_Fitting]:
    """The nodes that fit the longest stretch around an unknown name best."""
    found = [
        _Fitting(end - start, how, start, end, key, name)
        for start, end in _stretches(question, unknown)
        for key, name in nodes.items()
        if (how := fit(question[start:end], name)) and normal_form(question[start:end]) != normal_form(name)
    ]
    if not found:
        return []
    best = max(found)
    return [each for each in found if each[:4] == best[:4]]


def _stretches(question: str, unknown: tuple[int, int]) -> Iterator[tuple[int, int]]:
    """The runs of words around a stretch which neither begin nor end with a word of grammar."""
    words = words_of(question)
    for first, one in enumerate(words):
        for last in words[first : first + MAX_WORDS]:
            ends = last.end + (len(last.text) == 1 and question[last.end : last.end + 1] == ".")
            if one.start > unknown[0] or last.end < unknown[1] - 1:
                continue
            if last.text not in GRAMMAR_WORDS and not _is_grammar(question, one):
                yield one.start, ends


def _is_grammar(question: str, word: Word) -> bool:
    """Whether a word names nothing: one of grammar, capitalised only because it begins the sentence."""
    return word.text in GRAMMAR_WORDS or (word.text.lower() in GRAMMAR_WORDS and begins_sentence(question, word.start))


def _chosen(
    db: Database, question: str, best: Sequence[_Fitting], mentions: Sequence[Mention], sources: Sequence[str]
) -> OtherForm:
    """The node that fits; of several, the one that shares a fact with another name of the question."""
    _, _, start, end, _, _ = best[0]
    names = {each.key: each.name for each in best}
    others = [m.key for m in mentions if m.kind == "entity" and (m.end <= start or end <= m.start)]
    if len(names) > 1 and others:
        given = {"keys": list(names), "others": others, "sources": list(sources)}
        linked = {row["key"] for row in db.read(_LINKED, given)}
        names = {key: name for key, name in names.items() if key in linked} or names
    return OtherForm(start, end, question[start:end], tuple(sorted(names.values())))
