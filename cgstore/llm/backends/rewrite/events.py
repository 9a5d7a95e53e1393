"""Questions about events, read by their parts: who did what to whom, and when.

No demonstration of the whole question is needed. What is asked (an entity, or a day, month or year), the order (first,
last), the times (`in May 2010`, `before 2009`, `after Ann`, `on the same day as Ann`) and the sides of the relation are
found by rules of English. The words that are left must be those of a relation: of its name, of a demonstration of it,
or of `wording.tsv`, which says how people speak of the kinds of events in the CAMEO ontology. If a word is left over,
there is no reading.

Only relations in `wording.tsv` are events. What holds for a time, such as an office, begins and ends: of that "after
1990" and "joined" ask something else.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from importlib import resources

from cgstore.llm.backends.rewrite.clauses import marked, sure_names
from cgstore.llm.backends.rewrite.fact_asked import Asked, Program
from cgstore.llm.backends.rewrite.unknown import LIGHT_WORDS, content_words
from cgstore.mapping.mentions import GRAMMAR_WORDS, Mention, words_of
from cgstore.mapping.unknown_mentions import same_stem
from cgstore.query.build import quote
from cgstore.text.names import normal_form, relation_forms, spaced

_NAME, _TIME = r"(?:the )?e(\d+)(?:'s)?", r"(?:the )?(?:year |month of |day of )?t(\d+)"
_OPENING = re.compile(r"^(?:and |so |please |(?:could|can|would) you (?:please )?(?:tell|say|give)(?: me)? )+")
_ORDER = re.compile(
    r"\b(?:for the (?P<once>first|last|final) time|(?:the )?(?P<to>first|last|earliest|latest|final)"
    r"(?: (?:person|country|nation|one|party|organi[sz]ation|group|people|time))?(?: to| that| who| which| when)?"
    r"|(?P<recent>most recent(?:ly)?))\b"
)
_ASKED_TIME = re.compile(
    r"\b(?:(?:in|on|at|during) )?(?:(?:what|which) |the )(?:exact )?(?P<unit>year|month|day|date|time)"
    r"(?: (?:when|in which|that|was it (?:that|when)))?\b(?! as\b| of\b)|\b(?P<when>when)\b"
)
_ASKED_NAME = re.compile(
    r"\b(?:(?:to|with|by|from|about|for|of|against|on) )?(?:who|whom|(?:which|what) (?:countr(?:y|ies)|nations?"
    r"|persons?|people|part(?:y|ies)|states?|groups?|organi[sz]ations?|entit(?:y|ies)|ones?)"
    r"|(?:which|what)(?= (?:was|is)\b))\b"
)
_SAME = re.compile(
    r"\b(?:in|on|at|during|within) the same (?P<unit>day|month|year|time) "
    rf"(?:as|of|that|when|with) {_NAME}(?: did| was)?"
)
_RELATIVE = re.compile(
    rf"\b(?P<side>before|after|prior to|following|ahead of|preceding) (?:{_NAME}|{_TIME})(?: did| was| had)?(?: so)?"
)
_AT = re.compile(rf"\b(?P<side>in|on|during|at|since|until|from) {_TIME}")
_BETWEEN = re.compile(rf"\b(?:between|from) {_TIME} (?:and|to|until) {_TIME}")
_SUFFERED = re.compile(r"\bmade (?:the )?(e\d+) suffer from(?: the)? (.*)$")
_AGENT = re.compile(r"\b(?:suffer(?:ed)? from\b.*\bof|by) (?:the )?e(\d+)")
_TOKEN = re.compile(r"[et]\d+|[^\W\d_]+")
_FRAME = re.compile(r"\b(?:did|does|do|had|has|have|was|were|is|would|will|be|been|being)\b")
_UNIT_FUNCTION = {"year": "extract_year", "month": "extract_year_month"}
_BEFORE = frozenset({"before", "prior to", "ahead of", "preceding"})
_SAY_NOTHING = frozenset(["exact", "against", "towards", "toward", "formally", "formal", "officially", "behalf"]) | {
    word for word in GRAMMAR_WORDS if word != "like"
}
"""Words beside those of the relation that do not change what is asked."""
_AUXILIARIES = "make made makes give gave gives given pay paid use used uses using take took put"
_AUXILIARY_VERBS = frozenset(_AUXILIARIES.split())

_OF_PEOPLE = "human individual individuals people person persons life lifetime title titles names somebody someone"
_LIGHT = _AUXILIARY_VERBS | LIGHT_WORDS - frozenset(_OF_PEOPLE.split())
"""Verbs that say little. Who people are does matter here: the people of a country are not the country."""

Sides = tuple[Mention | None, Mention | None]


@dataclass
class Question:
    """The parts of a question; `unit` is `entity`, `day`, `month` or `year`."""

    unit: str
    order: str = ""
    at: list[tuple[str, Mention]] = field(default_factory=list)
    relative: tuple[str, Mention] | None = None
    same: tuple[str, Mention] | None = None
    rest: str = ""
    entities: list[Mention] = field(default_factory=list)
    passive: bool = False


@dataclass(frozen=True)
class Event:
    """A program for a question about events, with the words that are taken for the relation, and how well they fit."""

    program: str
    relation: str
    words: str
    fit: float


def events_in(
    question: str, mentions: Sequence[Mention], relations: Sequence[str], taught: Sequence[tuple[str, str]]
) -> list[Event]:
    """The programs for a question about an event, the best first; none if any word of it is not understood.

    Args:
        question: in plain words.
        mentions: those that are names; of several at one place the first counts.
        relations: those of the graph.
        taught: masked questions of demonstrations with one relation, and the relation.
    """
    read = _read(question, mentions)
    if read is None:
        return []
    sides = _sides(read)
    if sides is None:
        return []
    words = _phrase(read.rest)
    found = []
    for relation, fit in _relations_of(words, relations, taught):
        program = _program(read, sides, relation)
        if program:
            found.append(Event(program, relation, " ".join(sorted(words)), fit))
    return found


def _read(question: str, mentions: Sequence[Mention]) -> Question | None:
    """The parts of a question; None if its frame is not understood."""
    found = marked(question, sure_names(mentions))
    text, entities, times = found.text, list(found.names.values()), list(found.times.values())
    text = _OPENING.sub("", text)
    text = _SUFFERED.sub(r"used \2 against \1", text)
    read = Question("entity")
    if match := _SAME.search(text):
        read.same = (match["unit"], entities[int(match[2])])
        text = _without(text, match)
    if match := _RELATIVE.search(text):
        side = "before" if match["side"] in _BEFORE else "after"
        read.relative = (side, entities[int(match[2])] if match[2] else times[int(match[3])])
        text = _without(text, match)
    if match := _BETWEEN.search(text):
        read.at += [(">=", times[int(match[1])]), ("<=", times[int(match[2])])]
        text = _without(text, match)
    for match in list(_AT.finditer(text)):
        sign = {"since": ">=", "from": ">=", "until": "<="}.get(match["side"], "=")
        read.at.append((sign, times[int(match[2])]))
    text = _AT.sub(" ", text)
    asks_name = _ASKED_NAME.search(text)
    asks_time = None if asks_name else _ASKED_TIME.search(text)
    if asks_time:
        read.unit = {"year": "year", "month": "month"}.get(asks_time["unit"] or "", "day")
        text = _without(text, asks_time)
    elif asks_name:
        text = text[: asks_name.start()] + " qq " + text[asks_name.end() :]
    else:
        return None
    if match := _ORDER.search(text):
        said = match["once"] or match["to"] or "last"
        read.order = "min" if said in ("first", "earliest") else "max"
        text = _without(text, match)
    read.rest = " ".join(text.split())
    read.entities = [entities[int(token[1:])] for token in _TOKEN.findall(read.rest) if re.fullmatch(r"e\d+", token)]
    if re.search(r"\bt\d+\b|\b(?:before|after|not|never|no|how|why|and|or|both|between|same)\b", read.rest):
        return None
    return read


def _without(text: str, match: re.Match[str]) -> str:
    return " ".join((text[: match.start()] + " " + text[match.end() :]).split())


def _sides(read: Question) -> Sides | None:
    """The head and the tail that the question gives; None if its sides are not understood."""
    tokens = re.findall(r"[^\W_]+(?:'s)?", read.rest)
    places = [place for place, token in enumerate(tokens) if re.fullmatch(r"e\d+(?:'s)?", token)]
    by = _AGENT.search(read.rest)
    if read.unit != "entity":
        if len(places) != 2:
            return None
        one, other = read.entities
        return (other, one) if by else (one, other)
    if len(places) != 1 or "qq" not in tokens:
        return None
    (entity,), place, asked = read.entities, places[0], tokens.index("qq")
    verbs = [i for i, token in enumerate(tokens) if not _FRAME.fullmatch(token) and token not in GRAMMAR_WORDS]
    verbs = [i for i in verbs if i not in (place, asked) and tokens[i] not in _SAY_NOTHING]
    if by:
        return entity, None
    if not verbs:
        return None
    return (entity, None) if asked < place < verbs[0] or place < asked < verbs[0] else (None, entity)


def _phrase(rest: str) -> frozenset[str]:
    """The words that must say the relation."""
    return frozenset(_plain_words(re.sub(r"\b(?:e\d+|qq)\b", " ", rest)))


def _plain_words(text: str) -> Iterator[str]:
    for word in words_of(text):
        form = normal_form(word.text)
        if form not in _SAY_NOTHING and not form.isdigit():
            yield form


def _relations_of(
    words: frozenset[str], relations: Sequence[str], taught: Sequence[tuple[str, str]]
) -> list[tuple[str, float]]:
    """The relations that the words say, each with how well they fit, the best first.

    Every word must be one of a relation's own words or of one of its phrases; a phrase fits by the share of words that
    both have.
    """
    if not words:
        return []
    phrases = _phrases()
    found = []
    for relation in (each for each in relations if relation_forms(each) & phrases.keys()):
        own = frozenset(_plain_words(spaced(relation).replace("_", " ")))
        said = [own, *(phrase for form in relation_forms(relation) for phrase in phrases.get(form, ()))]
        said += [content_words(masked) - _AUXILIARY_VERBS for masked, of in taught if of == relation]
        fit = max(_overlap(words, phrase, own) for phrase in said)
        if fit > 0:
            found.append((relation, fit))
    found.sort(key=lambda each: (-each[1], each[0]))
    return [each for each in found if each[1] >= found[0][1] - 0.01] if found else []


def _overlap(words: frozenset[str], phrase: frozenset[str], own: frozenset[str]) -> float:
    """The share of words in common, by stems; 0 if a word is neither in the phrase nor an own one of the relation."""
    wanted = words - _LIGHT or words
    given = phrase - _LIGHT or phrase
    if not given:
        return 0.0
    shared = sum(any(same_stem(word, other) for other in given) for word in wanted)
    if not shared or any(not any(same_stem(word, other) for other in (*given, *own)) for word in wanted):
        return 0.0
    covered = sum(any(same_stem(word, other) for other in wanted) for word in given)
    return (shared + covered) / (len(wanted) + len(given))


@lru_cache(1)
def _phrases() -> dict[str, list[frozenset[str]]]:
    """How people speak of events: the phrases of each relation, by its normal form."""
    text = resources.files("cgstore.llm.backends.rewrite").joinpath("wording.tsv").read_text(encoding="utf-8")
    found: dict[str, list[frozenset[str]]] = {}
    for line in text.splitlines():
        name, _, said = line.partition("\t")
        found[normal_form(name)] = [frozenset(_plain_words(phrase)) for phrase in said.split(";")]
    return found


def _program(read: Question, sides: Sides, relation: str) -> str:
    """The program; empty if the parts do not make one."""
    head, tail = (side.name if side else "" for side in sides)
    program, asked = Program(), Asked(head, relation, tail)
    at = [f"value{sign}{quote(time.name)}" for sign, time in read.at]
    asks_entity = read.unit == "entity"
    if read.same:
        unit, other = read.same
        if not asks_entity or unit not in ("day", "time"):
            return ""
        times = program.search(asked.with_name(other.name), key="time")
        program.search(asked, f"value={times}", key="time")
        return program.text
    if read.relative:
        side, other = read.relative
        sign, edge = ("<", "max") if side == "before" else (">", "min")
        if other.kind == "time":
            at.append(f"value{sign}{quote(other.name)}")
        elif asks_entity:
            times = program.search(asked.with_name(other.name), key="time")
            at.append(f"value{sign}{program.add(f'{edge}(set={times})')}")
        else:
            return ""
    if asks_entity and not read.order:
        if not at:
            return ""
        program.search(asked, *at, key="time")
        return program.text
    times = program.search(asked, *([] if asks_entity else at), key="time")
    if asks_entity:
        for each in at:
            times = program.add(f"keep(set={times}, {each})")
    if read.order:
        times = program.add(f"{read.order}(set={times})")
    if asks_entity:
        program.search(asked, f"value={times}", key="time")
    elif function := _UNIT_FUNCTION.get(read.unit):
        program.add(f"{function}(set={times})")
    return program.text
