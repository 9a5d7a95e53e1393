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
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from cgstore.catalog.kinds import WITH_ROWS
from cgstore.catalog.snapshot import ALIASES_SAID
from cgstore.cypher.connection import Database
from cgstore.errors import BadInput
from cgstore.mapping.candidates import IS_USED, nodes_with_label
from cgstore.text.asked_times import find_times
from cgstore.text.likeness import NAME_WORDS
from cgstore.text.names import normal_form
from cgstore.text.words import common_words, is_common_name, is_english, place_of, word_forms

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
"""Between the parts of a name that may stand in the other order."""
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
    return [*named, row] if not row["value"] else named


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
    if lower and not is_common_name(content[0]) and any(content[0] in words for words in common_words()):
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
