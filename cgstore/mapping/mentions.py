"""Mentions: the names of the graph's nodes, and the times, that a question contains.

One statement looks up the normal form of every run of up to `MAX_WORDS` words. These rules choose the mentions:

1. The longest wins; among equally long ones a time, then an entity, then a relation. Mentions that overlap it are
   dropped.
2. A *weak* mention is a single word (beside `the` and its like) that may be just a word: in lower case, or capitalised
   only because it begins the sentence. It counts only if no other mention overlaps it, and if its node's name is spelt
   exactly so, it begins the sentence, or it is no common English word, or a place or first name as well. It is marked,
   so that a reader of the question may leave it out; a word that is not English, such as `finland`, is not marked.
3. Words that serve grammar (`was`, `the`, `which`) are never mentions by themselves, unless capitalised within the
   sentence or quoted.
4. A run with all words of a name but for `of`, `the` and the like is a mention too: `Head of Government of Benin` is a
   mention of `Head_of_Government_(Benin)`, `Barack Obama` of `Obama, Barack`. Full text finds such names.
5. A loaded alias of an entity or value is a mention of its node, as if it were the node's name in other letters.
6. Several nodes with one normal form share a place: first the one spelt exactly so, then the others by degree.

*Near mentions* are guesses from the words that are left, for a reader of the question who can judge them:

- a single word in lower case that is a name in normal form: `nc` for `NC†`;
- a word that few names contain: `lincoln` for `Abraham Lincoln`;
- another form of a name: `Austrian` for `Austria`, `rivers` for `River`;
- a capitalised or quoted name that is spelt nearly like one of the graph; without any, it is unknown.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple, Protocol

from cgstore.catalog.kinds import WITH_ROWS
from cgstore.catalog.snapshot import ALIASES_SAID
from cgstore.cypher.connection import Database
from cgstore.errors import BadInput
from cgstore.mapping.candidates import IS_USED, entity_candidates, nodes_with_label
from cgstore.text.asked_times import find_times
from cgstore.text.likeness import NAME_WORDS, is_numeral, likeness, other_number
from cgstore.text.names import normal_form
from cgstore.text.words import is_common, is_common_name, is_english, place_of, same_stem, word_forms

MAX_WORDS = 20
"""Longest name, in words, that is looked up; `A.C. Milan` has three."""

MAX_QUESTION = 5000
"""Longest question, in characters."""

MAX_BY_WORDS = 50
"""Most nodes that full text returns for the words of a question."""

MAX_ALTERNATIVES = 10
"""Most nodes for one place in the question."""

_CLOSED_CLASS = """
    a about after all also am an and any are as at be because been before being between both but by can could d did
    do does during each ever find first for from give had has have having he her hers him his how i if in into is it
    its just last list ll m me might more most must my name next no nor not of on once one only or other our out
    over own per please previous re s shall she should show so some still such t tell than that the their them then
    there these they this those through till to too under until up upon us ve was we were what whatever when where
    whether which while who whom whose why will with within would you your
"""
GRAMMAR_WORDS = frozenset(_CLOSED_CLASS.split())
"""English closed-class words, and words that ask or order. They name nothing by themselves."""

_WORD = re.compile(r"[^\W_]+")
_PART = re.compile(r"[,(]")
"""The separator of the parts of a name that may come in the other order."""
_SHORT_YEAR = re.compile(r"\d{1,3}")
_QUOTES = {'"': '"', "[": "]", "“": "”", "‘": "’", "'": "'", "«": "»"}
_SENTENCE_END = re.compile(r"[.?!:]\s+$")

# Another source may have made an entity of what is a value in those asked, such as a number in a cell.
_LOOK_UP = f"""
CALL () {{
  MATCH (s:CgSource) WHERE s.name IN $sources AND NOT s.kind IN $of_rows
  RETURN collect(s.name) AS of_entities
}}
CALL () {{
  UNWIND $forms AS form
  MATCH (n:CgNode {{normal: form}})
  USING INDEX SEEK n:CgNode(normal)
  RETURN form, n, false AS alias
  UNION
  WITH $words AS words WHERE words <> ''
  CALL db.index.fulltext.queryNodes('cg_node_text', words, {{limit: 2 * $most}}) YIELD node AS n, score
  WITH n, score ORDER BY score DESC, n.key LIMIT $most
  WHERE NOT n.normal IN $forms
  RETURN null AS form, n, false AS alias
  UNION
{ALIASES_SAID}\
  MATCH (n:CgNode {{key: a.target}})
  USING INDEX SEEK n:CgNode(key)
  WHERE NOT n:CgRelation AND n.normal <> a.normal
  RETURN a.normal AS form, n, true AS alias
}}
WITH form, n, alias, of_entities
WHERE (n:CgRelation AND n.source IN $sources)
   OR (n.source IS NULL AND {IS_USED})
RETURN form, n.key AS key, n.name AS name, n:CgRelation AS relation, n:CgValue AND NOT (n:CgEntity AND (
         EXISTS {{ (n)-[h:CG_HAS]->() WHERE h.source IN $sources }} OR (size(of_entities) > 0 AND
         EXISTS {{ (n)<-[v:CG_VALUE]-() WHERE v.source IN of_entities AND size(v.condition) = 1 }}))) AS value,
       COUNT {{ (n)--() }} AS degree, alias
"""


@dataclass(frozen=True)
class Mention:
    """A node's name, or a time, in a question.

    `start` and `end` are offsets in the question, and `text` stands between them. `name` and `key` are the node's; both
    are the ISO form of a time. `kind` is `entity`, `relation` or `time`; `how` is `exact`, `normalised`, `words`,
    `alias` or `time`; `degree` counts the node's relationships; `weak` marks what may not be a name.
    """

    start: int
    end: int
    text: str
    name: str
    key: str
    kind: str
    how: str
    degree: int = 0
    weak: bool = False


class Word(NamedTuple):
    """A run of letters and digits of the question, with its offsets."""

    text: str
    start: int
    end: int


LookedUp = tuple[dict[str, list[tuple[int, int]]], list[dict[str, Any]]]
"""The places of the normal forms of a question's runs of words, and the nodes with such a name."""


def look_up_words(db: Database, question: str, sources: Sequence[str]) -> LookedUp:
    """What `choose_mentions` and `possible_mentions` choose from, in one trip.

    Raises:
        BadInput: the question is longer than `MAX_QUESTION`.
    """
    spans = word_spans(question)
    if not spans:
        return spans, []
    content = [form for form, _, _ in _content_words(question) if form.isalnum()]
    others = [other for form in content if form not in GRAMMAR_WORDS for other in _other_forms(form)]
    words = " ".join(dict.fromkeys([*content, *others]))
    given = {
        "forms": sorted(spans),
        "said": sorted(spans),
        "words": words,
        "most": MAX_BY_WORDS,
        "sources": list(sources),
        "of_rows": list(WITH_ROWS),
    }
    rows = db.read(_LOOK_UP, given)
    of_label = nodes_with_label(db, (row["key"] for row in rows if not row["relation"]), sources)
    return spans, [each for row in rows for each in _meant(row, of_label)]


def _meant(row: dict[str, Any], of_label: dict[str, list[dict[str, Any]]]) -> list[dict[str, Any]]:
    """The row of a node, or the rows of the nodes that have it for a label, which go by the label here."""
    others = [node for node in of_label.get(row["key"], ()) if node["key"] != row["key"]]
    if row["relation"] or not others:
        return [row]
    named = [row | {"key": node["key"], "degree": node["degree"], "value": False} for node in others]
    return [*named, row] if others[0]["entity"] and not row["value"] else named


def words_of(question: str) -> list[Word]:
    """The question's words; punctuation separates them, so that `Bucci's` is `Bucci` and `s`."""
    return [Word(m[0], m.start(), m.end()) for m in _WORD.finditer(question)]


def word_spans(question: str) -> dict[str, list[tuple[int, int]]]:
    """The normal forms of all runs of words, each with its places."""
    if len(question) > MAX_QUESTION:
        raise BadInput(f"The question has {len(question):,} characters; at most {MAX_QUESTION:,} are read.")
    words = words_of(question)
    spans: dict[str, list[tuple[int, int]]] = {}
    for first, word in enumerate(words):
        for last in words[first : first + MAX_WORDS]:
            spans.setdefault(normal_form(question[word.start : last.end]), []).append((word.start, last.end))
    return spans


def _content_words(question: str) -> list[tuple[str, int, int]]:
    """The normal forms of the question's words but for `of`, `the` and the like, with their offsets."""
    words = ((normal_form(word.text), word.start, word.end) for word in words_of(question))
    return [word for word in words if word[0] not in NAME_WORDS]


def _other_forms(word: str) -> list[str]:
    """Other forms of a word that names may have; full text is asked for few, since it returns few names."""
    if place := place_of(word):
        return place.split()
    return [form for form in word_forms(word)[1:] if len(form) != len(word) + 1]


def _by_words(question: str, name: str) -> list[tuple[int, int]]:
    """The places where the question has the words of a name with nothing but `of`, `the` and the like between them.

    The words stand in the name's order; `Obama, Barack` and `Police (Austria)` are also tried the other way round. The
    question may have other forms of the words of such a name: `Austrian police`, `citizens of Thailand`.
    """
    parts = [[w for w in normal_form(part).split() if w not in NAME_WORDS] for part in _PART.split(name, maxsplit=1)]
    orders = [[word for part in order for word in part] for order in (parts, parts[::-1])]
    words = _content_words(question)
    if len(parts) == 1:
        return [
            (words[first][1], words[first + len(orders[0]) - 1][2])
            for first in range(len(words) - len(orders[0]) + 1)
            if len(orders[0]) > 1 and [form for form, _, _ in words[first : first + len(orders[0])]] == orders[0]
        ]
    found = (_from(words, first, order) for order in orders if len(order) > 1 for first in range(len(words)))
    return [place for place in dict.fromkeys(found) if place]


def _from(words: Sequence[tuple[str, int, int]], first: int, name: Sequence[str]) -> tuple[int, int] | None:
    """The place of a name whose words begin at a word of the question, each in any form."""
    at, left = first, list(name)
    while left and at < len(words):
        form = words[at][0]
        place = place_of(form).split()
        if left[0] == form or left[0] in word_forms(form):
            left = left[1:]
        elif place and left[: len(place)] == place:
            left = left[len(place) :]
        else:
            return None
        at += 1
    return None if left else (words[first][1], words[at - 1][2])


def choose_mentions(
    question: str,
    spans: dict[str, list[tuple[int, int]]],
    rows: Iterable[dict[str, Any]],
    has_short_years: bool = False,
) -> list[Mention]:
    """The mentions among the nodes of some rows: form, key, name, degree, and whether it is a relation or a value.

    A row without a form is a node that full text found by its words. With `has_short_years`, a number of up to three
    digits is a time where a year may stand.
    """
    found = (_if_name(question, each) for each in _found(question, spans, rows, has_short_years))
    taken: list[Mention] = []
    for mention in sorted(filter(None, found), key=_preference):
        clash = [t for t in taken if t.start < mention.end and mention.start < t.end]
        same = [t for t in clash if (t.kind, _core(t)) == (mention.kind, _core(mention))]
        if not clash or (len(same) == len(clash) < MAX_ALTERNATIVES and mention.kind != "time"):
            taken.append(mention)
    return sorted(taken, key=lambda m: m.start)  # stable: alternatives stay in order of preference


def possible_mentions(
    question: str,
    spans: dict[str, list[tuple[int, int]]],
    rows: Iterable[dict[str, Any]],
    has_short_years: bool = False,
) -> list[Mention]:
    """All that may be a mention, though it overlaps others or consists of words of grammar, as a film's title may.

    These are in the order of `choose_mentions` where they begin alike; relations are left out.
    """
    found = _found(question, spans, (row for row in rows if not row["relation"]), has_short_years)
    return sorted(found, key=lambda mention: (mention.start, *_preference(mention)))


def _found(
    question: str, spans: dict[str, list[tuple[int, int]]], rows: Iterable[dict[str, Any]], has_short_years: bool
) -> Iterator[Mention]:
    """The times, and every node of a row at each of its places."""
    for start, end, name in find_times(question, has_short_years=has_short_years):
        yield Mention(start, end, question[start:end], name, name, "time", "time")
    for row in rows:
        places = spans[row["form"]] if row["form"] else _by_words(question, row["name"])
        yield from (m for place in places if not _lacks_minus(m := _named(question, place, row)))


def _lacks_minus(mention: Mention) -> bool:
    """Whether a negative number is taken for a text without its minus, which normal forms lack: `40` is not `-40`."""
    return mention.name[:1] in ("-", "−") and mention.name[1:2].isdigit() and mention.text[0] not in "-−"


def _named(question: str, place: tuple[int, int], row: dict[str, Any]) -> Mention:
    """The node as a mention at that place."""
    name: str = row["name"]
    start, end, exact = _spelt_out(question, place, name)
    text = question[start:end]
    kind = "relation" if row["relation"] else "entity"
    if row["value"] and _SHORT_YEAR.fullmatch(text):
        return Mention(start, end, text, name, row["key"], "time", "time", row["degree"])
    how = "alias" if row.get("alias") else "exact" if exact else "normalised" if row["form"] else "words"
    return Mention(start, end, text, name, row["key"], kind, how, row["degree"])


def _if_name(question: str, mention: Mention) -> Mention | None:
    """The mention, which is marked if it is weak; None if the words are not a name."""
    start, end, text, kind, exact = mention.start, mention.end, mention.text, mention.kind, mention.how == "exact"
    if kind == "time" or is_quoted(question, start, end):
        return mention
    words = [w.text.lower() for w in words_of(text)]
    content = [w for w in words if w not in GRAMMAR_WORDS]
    lower = text == text.lower() and not any(c.isdigit() for c in text)
    opening = begins_sentence(question, start) and text[1:] == text[1:].lower()
    if not content and (lower or opening):
        return None
    if len(content) > 1 or kind == "relation" or not (lower or opening):
        return mention
    if exact or (opening and len(words) == 1):
        return replace(mention, weak=True)
    if lower and not is_common_name(content[0]) and is_common(content[0]):
        return None
    return replace(mention, weak=lower and is_english(content[0]))


def _spelt_out(question: str, place: tuple[int, int], name: str) -> tuple[int, int, bool]:
    """The place, widened to the name's own punctuation if the name is spelt exactly so there, and whether it is."""
    start, end = place
    at = question.find(name, max(0, start - len(name)))
    while 0 <= at <= start:
        if at + len(name) >= end and not _WORD.search(question[at:start] + question[end : at + len(name)]):
            return at, at + len(name), True
        at = question.find(name, at + 1)
    return start, end, False


def _preference(mention: Mention) -> tuple[Any, ...]:
    kinds = {"time": 0, "entity": 1, "relation": 2}
    length = sum(len(word.text) for word in words_of(mention.text))
    return (
        mention.weak,
        -length,
        kinds[mention.kind],
        mention.how != "exact",
        -mention.degree,
        mention.key,
        mention.start,
    )


def _core(mention: Mention) -> tuple[int, int]:
    """The place without the punctuation around it, which two spellings of one name share."""
    words = words_of(mention.text)
    return mention.start + words[0].start, mention.start + words[-1].end


def is_quoted(question: str, start: int, end: int) -> bool:
    """Whether the stretch stands in quotation marks; an apostrophe within a word is not one."""
    before, after = question[:start], question[end:]
    if not before or _QUOTES.get(before[-1]) != after[:1] or not after:
        return False
    return before[-1] not in "'‘" or not before[:-1] or not before[-2].isalnum()


def begins_sentence(question: str, start: int) -> bool:
    """Whether a word at that offset begins a sentence, so that its capital says nothing."""
    before = question[:start].rstrip("\"“‘'«(¿¡ ")
    return not before or bool(_SENTENCE_END.search(question[: len(before)] + " ") and before[-1] in ".?!:")


# Near mentions

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
    """What a question may mean beside its mentions; words of relations are not sought."""
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
