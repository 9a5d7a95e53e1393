"""Near mentions: names of the graph that a question means without spelling them, and names that the graph lacks.

`choose_mentions` takes what is spelt like a name. This module looks at the words that are left:

- a single word in lower case that is a name in normal form: `nc` for `NC†`;
- a word that few names contain: `lincoln` for `Abraham Lincoln`;
- another form of a name: `Austrian` for `Austria`, `rivers` for `River`;
- a capitalised or quoted name that is spelt nearly like one of the graph.

These are guesses, for a reader of the question who can judge them. A capitalised or quoted name without any is unknown.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple, Protocol

from cgstore.cypher.connection import Database
from cgstore.mapping.candidates import IS_USED, entity_candidates
from cgstore.mapping.mentions import GRAMMAR_WORDS, Mention, Word, begins_sentence, words_of
from cgstore.text.likeness import is_numeral, likeness, other_number
from cgstore.text.names import normal_form
from cgstore.text.words import same_stem, word_forms

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

_NEAR = f"""
UNWIND $words AS word
CALL (word) {{
  UNWIND word.forms AS form
  MATCH (n:CgNode {{normal: form}}) USING INDEX SEEK n:CgNode(normal)
  RETURN n, true AS whole
  UNION ALL
  CALL (word) {{
    CALL db.index.fulltext.queryNodes('cg_node_text', word.form, {{limit: $looked_at}}) YIELD node
    RETURN collect(node) AS nodes
  }}
  WITH nodes WHERE size(nodes) < $looked_at
  UNWIND nodes AS n
  RETURN n, false AS whole
}}
WITH word, n, whole WHERE n.source IS NULL AND {IS_USED}
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
        mentions: those of `choose_mentions`, whose places are left out.
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
        wanted = [{"form": word, "forms": list(forms)} for word, forms in words.items()]
        found: dict[str, tuple[list[Node], list[Node]]] = {word: ([], []) for word in words}
        for row in self._db.read(_NEAR, {"words": wanted, "sources": self._sources, "looked_at": LOOKED_AT}):
            found[row["word"]][not row["whole"]].append(Node(row["key"], row["name"]))
        return found

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


# Names that the graph lacks

_JOINT = re.compile(r"[\s.,'’&/-]*")
"""Characters between two words of one name."""

_NOBILIARY = "of the de del della der den di da do dos du la le van von zu and for in on al el ibn bin y"
_PARTICLES = frozenset(_NOBILIARY.split())
"""Lower-case words that may be part of a name."""

_QUOTED = re.compile(r"[\"“«]([^\"“”«»]+)[\"”»]")


def unknown_names(question: str, mentions: Sequence[Mention]) -> list[str]:
    """The capitalised or quoted names, and the numbers, that are not part of a mention, in order.

    Numbers are words with digits, and number words or Roman numerals right after a mention: `Elizabeth II` is not
    Elizabeth. A single capitalised word at the beginning of a sentence is not a name, nor is any word of a question in
    capitals.
    """
    covered = [(m.start, m.end) for m in mentions]
    words = [w for w in words_of(question) if not _overlaps((w.start, w.end), covered)]
    quoted = [m.span(1) for m in _QUOTED.finditer(question) if not _overlaps(m.span(1), covered)]
    runs = [] if question.upper() == question else list(_runs(question, words, covered))
    names = [span for run in runs if (span := _name(question, run))]
    numbers = [
        (w.start, w.end)
        for w in words
        if any(c.isdigit() for c in w.text) or (_follows(question, w, covered) and is_numeral(w.text))
    ]
    spans = sorted(quoted)
    for span in [*sorted(names), *numbers]:
        if not _overlaps(span, spans):
            spans.append(span)
    return [question[start:end] for start, end in sorted(spans)]


def _follows(question: str, word: Word, covered: Sequence[tuple[int, int]]) -> bool:
    """Whether a word comes right after a mention, so that it may belong to its name: `world war two`."""
    return any(end < word.start and not question[end : word.start].strip(" -") for _, end in covered)


def _runs(question: str, words: Sequence[Word], covered: Sequence[tuple[int, int]]) -> Iterator[list[Word]]:
    """The longest runs of capitalised words, with the particles between them."""
    run: list[Word] = []
    for word in words:
        joined = run and _JOINT.fullmatch(question[run[-1].end : word.start])
        if not joined or _overlaps((run[-1].end, word.start), covered):
            yield from _trimmed(run)
            run = []
        if word.text[0].isupper() or (run and (word.text in _PARTICLES or word.text.isdigit())):
            run.append(word)
        else:
            yield from _trimmed(run)
            run = []
    yield from _trimmed(run)


def _trimmed(run: list[Word]) -> Iterable[list[Word]]:
    while run and not run[-1].text[0].isupper() and not run[-1].text.isdigit():
        run = run[:-1]
    return [run] if run else []


def _name(question: str, run: list[Word]) -> tuple[int, int] | None:
    """The span of the run without words that only begin the sentence, or None if no name is left."""
    opening = begins_sentence(question, run[0].start)
    if opening:
        while run and run[0].text.lower() in GRAMMAR_WORDS:
            run, opening = run[1:], False
    if not run or (opening and len(run) == 1):
        return None
    if all(w.text.lower() in GRAMMAR_WORDS for w in run):
        return None
    last = run[-1]
    abbreviated = len(last.text) == 1 and question[last.end : last.end + 1] == "."
    return run[0].start, last.end + abbreviated


def _overlaps(span: tuple[int, int], others: Iterable[tuple[int, int]]) -> bool:
    return any(start < span[1] and span[0] < end for start, end in others)
