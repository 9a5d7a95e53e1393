"""Near mentions: names of the graph that a question means without spelling them, and names that the graph lacks.

`find_mentions` takes what is spelt like a name. This module looks at the words that are left:

- a single word in lower case that is a name in normal form: `nc` for `NC†`;
- a word that few names contain: `lincoln` for `Abraham Lincoln`;
- another form of a name: `Austrian` for `Austria`, `rivers` for `River`;
- a capitalised or quoted name that is spelt nearly like one of the graph.

These are guesses, for a reader of the question who can judge them. A capitalised or quoted name without any is unknown.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple, Protocol

from cgstore.cypher.connection import Database
from cgstore.mapping.candidates import entity_candidates
from cgstore.mapping.mentions import GRAMMAR_WORDS, Mention, words_of
from cgstore.mapping.unknown_mentions import same_stem, unknown_names
from cgstore.text.likeness import likeness, other_number
from cgstore.text.names import normal_form
from cgstore.text.word_forms import word_forms

FEW = 3
"""Most names that one word of a question may mean; a word of more names says nothing."""

MAX_SOUGHT = 15
"""Words of a question that are looked up."""

MAX_PHRASES = 5
"""Capitalised or quoted names that are looked up by likeness."""

SHARE = 0.4
"""Least share of a name's letters that a word has which stands for the name."""

LOOKED_AT = 200
"""Nodes of one word that full text may find; a word of more nodes is not looked at."""

NEAR = 0.7
"""Least likeness of a name to a capitalised or quoted one."""

MARGIN = 0.1
"""How far below the best likeness another name may be."""

_ASKING = "many much number numbers total amount count difference average times time year years name names kind type"
_SAYS_NOTHING = GRAMMAR_WORDS | frozenset(_ASKING.split())

_NEAR = """
UNWIND $words AS word
CALL (word) {
  CALL (word) {
    UNWIND word.forms AS form
    MATCH (n:CgNode {normal: form}) USING INDEX SEEK n:CgNode(normal)
    RETURN collect(n) AS nodes
  }
  UNWIND nodes AS n
  RETURN n, true AS whole
  UNION ALL
  CALL (word) {
    CALL db.index.fulltext.queryNodes('cg_node_text', word.query, {limit: $looked_at}) YIELD node
    RETURN collect(node) AS nodes
  }
  WITH nodes WHERE size(nodes) < $looked_at
  UNWIND nodes AS n
  RETURN n, false AS whole
}
WITH word, n, whole
WHERE n.source IS NULL AND (EXISTS { (n)-[h:CG_HAS]->() WHERE h.source IN $sources }
                         OR EXISTS { (n)<-[v:CG_VALUE]-() WHERE v.source IN $sources })
RETURN DISTINCT word.form AS word, n.key AS key, n.name AS name, whole ORDER BY word, name, key
"""


class Node(NamedTuple):
    """A node by its key and its name."""

    key: str
    name: str


class NearMention(NamedTuple):
    """A stretch of the question that no name is spelt like, and the nodes that it may mean."""

    text: str
    nodes: tuple[Node, ...]


class NearMentions(NamedTuple):
    """The near mentions of a question, and the capitalised or quoted names that the graph lacks."""

    likely: tuple[NearMention, ...]
    unknown: tuple[str, ...]


class Names(Protocol):
    """Where names are looked up: a database, or the cells of tables that were read whole."""

    def with_word(self, words: Mapping[str, Sequence[str]]) -> dict[str, tuple[list[Node], list[Node]]]:
        """The nodes of each word: those of one of its forms, and those that have it among their words."""

    def like(self, texts: Sequence[str]) -> list[list[tuple[Node, float]]]:
        """The nodes like each text with their likeness, the best first."""


def find_near_mentions(
    question: str, mentions: Sequence[Mention], relations: Iterable[str], names: Names
) -> NearMentions:
    """What a question may mean beside its mentions.

    Args:
        question: in plain words.
        mentions: those of `find_mentions`, whose places are left out.
        relations: the names of relations, whose words are not sought.
        names: where the rest is looked up.
    """
    relations = list(relations)
    phrases = [
        text
        for text in unknown_names(question, mentions)
        if any(map(str.isalpha, text)) and not _is_in_relation(text, relations)
    ]
    words = _words_left(question, mentions, relations, phrases)
    found = names.with_word({form: word_forms(form) for form in words}) if words else {}
    likely = {}
    for form, text in words.items():
        whole, within = found.get(form, ([], []))
        own = [node for node in whole if normal_form(node.name) == form]
        within = [node for node in within if len(form) >= SHARE * len(normal_form(node.name))] * (len(within) <= FEW)
        nodes = (own or whole)[:FEW] or within
        if nodes:
            likely[text] = NearMention(text, tuple(nodes))
    left = [phrase for phrase in phrases if phrase not in likely]
    for text, near in zip(left, names.like(left[:MAX_PHRASES]) if left else [], strict=False):
        best = near[0][1] if near else 0.0
        if nodes := [node for node, score in near if score >= max(NEAR, best - MARGIN)][:FEW]:
            likely[text] = NearMention(text, tuple(nodes))
    unknown = tuple(phrase for phrase in left if phrase not in likely)
    return NearMentions(tuple(sorted(likely.values(), key=lambda each: question.find(each.text))), unknown)


def _is_in_relation(text: str, relations: Iterable[str]) -> bool:
    """Whether a relation or column has all words of a text, which then need not be a name."""
    words = set(normal_form(text).split())
    return any(words <= set(normal_form(name).split()) for name in relations)


def _words_left(
    question: str, mentions: Sequence[Mention], relations: Iterable[str], phrases: Sequence[str]
) -> dict[str, str]:
    """The words outside mentions and phrases of several words, by their normal forms, as the question has them."""
    several = [(at, at + len(text)) for text in phrases if len(words_of(text)) > 1 if (at := question.find(text)) >= 0]
    covered = [*((m.start, m.end) for m in mentions), *several]
    of_relations = {normal_form(word.text) for name in relations for word in words_of(name.replace("_", " "))}
    left: dict[str, str] = {}
    for word in words_of(question):
        form = normal_form(word.text)
        if len(form) < 2 or not form.isalpha() or form in _SAYS_NOTHING:
            continue
        if any(word.start < end and start < word.end for start, end in covered):
            continue
        if word.text not in phrases and any(same_stem(form, other) for other in of_relations):
            continue
        left.setdefault(form, word.text)
    return dict(list(left.items())[:MAX_SOUGHT])


class StoredNames:
    """The names of a graph that some sources use."""

    def __init__(self, db: Database, sources: Sequence[str]) -> None:
        self._db, self._sources = db, list(sources)

    def with_word(self, words: Mapping[str, Sequence[str]]) -> dict[str, tuple[list[Node], list[Node]]]:
        """See `Names.with_word`."""
        wanted = [{"form": word, "forms": list(forms), "query": word} for word, forms in words.items()]
        given = {"words": wanted, "sources": self._sources, "looked_at": LOOKED_AT}
        return _by_word(self._db.read(_NEAR, given), words)

    def like(self, texts: Sequence[str]) -> list[list[tuple[Node, float]]]:
        """See `Names.like`."""
        found = entity_candidates(self._db, texts, self._sources, top=FEW)
        return [[(Node(c.key, c.name), c.parts.near) for c in each if not c.another] for each in found]


class CellNames:
    """The cells of tables that were read whole."""

    def __init__(self, nodes: Iterable[Node]) -> None:
        self._nodes = [(node, normal_form(node.name)) for node in dict.fromkeys(nodes)]

    def with_word(self, words: Mapping[str, Sequence[str]]) -> dict[str, tuple[list[Node], list[Node]]]:
        """See `Names.with_word`."""
        of_form: dict[str, list[Node]] = {}
        of_word: dict[str, list[Node]] = {}
        for node, form in self._nodes:
            of_form.setdefault(form, []).append(node)
            for word in dict.fromkeys(form.split()):
                of_word.setdefault(word, []).append(node)
        return {
            word: ([node for form in forms for node in of_form.get(form, ())], of_word.get(word, []))
            for word, forms in words.items()
        }

    def like(self, texts: Sequence[str]) -> list[list[tuple[Node, float]]]:
        """See `Names.like`."""
        return [self._like(text, normal_form(text)) for text in texts]

    def _like(self, text: str, form: str) -> list[tuple[Node, float]]:
        near = [
            (node, max(likeness(form, other).score, NEAR * (f" {form} " in f" {other} ")))
            for node, other in self._nodes
            if not other_number(text, node.name)
        ]
        return sorted(near, key=lambda each: -each[1])[:FEW]


def _by_word(rows: Iterable[Mapping[str, Any]], words: Iterable[str]) -> dict[str, tuple[list[Node], list[Node]]]:
    found: dict[str, tuple[list[Node], list[Node]]] = {word: ([], []) for word in words}
    for row in rows:
        found[row["word"]][not row["whole"]].append(Node(row["key"], row["name"]))
    return found
