"""What a question compares, orders, counts or denies, and the kinds of things that it names."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass

from cgstore.llm.backends.rewrite.asked_kinds import forms_of_noun, kind_relations
from cgstore.llm.backends.rewrite.assemble.tokens import ARTICLES, DROPPED, NEGATIONS, Question
from cgstore.llm.backends.rewrite.dimensions import Measure
from cgstore.llm.fact_view import MAX_LINKED
from cgstore.llm.graph_view import GraphView
from cgstore.text.names import name_of_key, normal_form
from cgstore.text.thesaurus import PREPOSITIONS, lemma, narrower_kinds, phrases_of, same_kind

_MORE = "more greater higher larger bigger later newer"
_LESS = "less fewer lower smaller earlier"
_BOUNDS = tuple(
    (re.compile(rf"\b{pattern}(?= |$)"), signs, is_time)
    for pattern, signs, is_time in (
        (r"between (t\d+) and (t\d+)", (">=", "<="), None),
        (r"from (t\d+) (?:to|until|till) (t\d+)", (">=", "<="), None),
        (rf"(?:no|not) (?:{_MORE.replace(' ', '|')}) than (t\d+)", ("<=",), None),
        (rf"(?:no|not) (?:{_LESS.replace(' ', '|')}) than (t\d+)", (">=",), None),
        (r"(?:at most|up to|a maximum of) (t\d+)", ("<=",), None),
        (r"(?:at least|a minimum of) (t\d+)", (">=",), None),
        (rf"(t\d+) or (?:{_MORE.replace(' ', '|')}|above|over|after)", (">=",), None),
        (rf"(t\d+) or (?:{_LESS.replace(' ', '|')}|below|under|before)", ("<=",), None),
        (rf"(?:{_MORE.replace(' ', '|')}) than (t\d+)", (">",), None),
        (rf"(?:{_LESS.replace(' ', '|')}) than (t\d+)", ("<",), None),
        (r"(?:over|above|exceeding|beyond) (t\d+)", (">",), False),
        (r"(?:under|below) (t\d+)", ("<",), False),
        (r"(?:since|from) (t\d+)(?: onwards| on)?", (">=",), True),
        (r"(?:until|till|by) (t\d+)", ("<=",), True),
        (r"(?:before|prior to) (?:the )?(?:year )?(t\d+)", ("<",), True),
        (r"after (?:the )?(?:year )?(t\d+)", (">",), True),
        (r"(?:in|during) (?:the )?(?:year )?(t\d+)", ("=",), True),
        (r"(?:of |exactly |at |only |just )?(t\d+)", ("=",), None),
    )
)
_COUNTING = (
    r"(?:^|(?:the|a|me|what|total|overall|exact|whole|full|current|different) )number of"  # no `phone number of`
)
_COUNT = re.compile(rf"\b(?:how many|{_COUNTING}|(?:^|(?:the|a) )count)\b")


@dataclass(frozen=True)
class Bound:
    """A bound by a number, with the words that say it; `is_time`: they are said of times, or not; None: of both."""

    signs: tuple[tuple[str, str], ...]
    mask: int
    place: int
    is_time: bool | None


@dataclass(frozen=True)
class Order:
    """A superlative or comparative: `max` or `min`, its place, and the relations of numbers that it is said of.

    `than`: the place of a name behind it. `generic`: it is said of any number (`most`, `highest`).
    """

    way: str
    place: int
    mask: int
    measures: tuple[str, ...]
    is_generic: bool
    is_comparative: bool = False


VALUE = 0.98
"""How well a noun says what has it as a value: a doctor is one whose role is `doctor`."""

Slot = tuple[str, str]
"""A relation and a side of it, `head` or `tail`."""


@dataclass(frozen=True)
class KindChunk:
    """A noun for a kind of things: the relations and nodes that say it, or else the slots in which such things stand.

    All things of the slots `every` are those of the kind; `is_role`: being there makes them so (`captains`), so that
    nothing else is of the kind.
    """

    first: int
    last: int
    mask: int
    nodes: tuple[tuple[str, str], ...]
    quality: float
    slots: tuple[Slot, ...] = ()
    every: tuple[Slot, ...] = ()
    is_role: bool = False


def bounds_in(question: Question) -> list[Bound]:
    """The bounds by numbers, the longest wordings first; each number is in one."""
    words = question.words
    text = " ".join(words)
    found: list[Bound] = []
    taken: set[str] = set()
    for pattern, signs, is_time in _BOUNDS:
        for match in pattern.finditer(text):
            slots = match.groups()
            if taken & {*slots}:
                continue
            taken.update(slots)
            first = text[: match.start()].count(" ")
            last = first + match[0].count(" ")
            values = _values(signs, [question.slots[slot].name for slot in slots])
            found.append(Bound(values, _mask(first, last), first, is_time))
    return found


def _values(signs: Sequence[str], values: Sequence[str]) -> tuple[tuple[str, str], ...]:
    """Signs with numbers; a decade is its years."""
    found: list[tuple[str, str]] = []
    for sign, value in zip(signs, values, strict=True):
        if not value.endswith("s"):
            found.append((sign, value))
            continue
        first = int(value[:-1])
        if sign not in ("<=", ">"):
            found.append((sign if sign == "<" else ">=", str(first)))
        if sign not in (">=", "<"):
            found.append((sign if sign == ">" else "<=", str(first + 9)))
    return tuple(found)


def orders_in(question: Question, measures: Sequence[Measure]) -> list[Order]:
    """The words that order or compare, with the relations that each may be said of."""
    found = []
    words = question.words
    for place, word in enumerate(words):
        width = 1
        if word == "last" and "how" in words[:place]:
            continue  # `how long does it last`
        if word in ("before", "after") and _is_before_name(question, place):
            times = tuple(each.relation for each in measures if each.is_time)
            found.append(Order("min" if word == "before" else "max", place, 1 << place, times, False, True))
            continue
        if word in ("most", "least", "more", "less") and place + 1 < len(words):
            joined = f"{word}_{words[place + 1]}"
            if any(joined in each.adjectives for each in measures):
                word, width = joined, 2
        codes = {each.relation: each.code_of(word) for each in measures}
        is_of_named = word in SIZES and words[place + 1 : place + 2] in (("number",), ("amount",), ("total",))
        special = {relation: code for relation, code in codes.items() if code in ("DX", "DN", "DM", "DL", "F", "L")}
        special = {} if is_of_named else special  # `the largest number of cows`
        code = next(iter(special.values()), "") or next(
            (c for c in codes.values() if c in ("GX", "GN", "GM", "GL")), ""
        )
        code = code or _GENERIC.get(word, "") or _ENDS.get(word, "")
        if is_of_named:
            code = "GN" if word.startswith("small") else "GX"
        if not code or (code in ("GM", "GL") and _is_of_number(words, place)):
            continue
        way = "max" if code in ("DX", "GX", "L", "DM", "GM") else "min"
        mask = _mask(place, place + width - 1)
        if code in ("DM", "DL", "GM", "GL") and "than" in words[place:]:
            mask |= 1 << words.index("than", place)
        amounts = tuple(each.relation for each in measures if not each.is_time)
        if code in ("F", "L") or word in ("first", "last"):
            special = {each.relation: code for each in measures if each.is_time}
        said_of = tuple(special) or (amounts if word in SIZES and len(amounts) == 1 else ())
        found.append(Order(way, place, mask, said_of, not special, code in ("DM", "DL", "GM", "GL")))
    return found


def _is_before_name(question: Question, place: int) -> bool:
    """Whether a name stands behind a place, but for articles."""
    behind = [token for token in question.tokens[place + 1 :] if token.text not in ARTICLES]
    return bool(behind) and behind[0].is_name


_ENDS = {"first": "F", "earliest": "F", "last": "L", "latest": "L"}

SIZES = frozenset(
    [
        "large",
        "larger",
        "largest",
        "big",
        "bigger",
        "biggest",
        "great",
        "greater",
        "greatest",
        "small",
        "smaller",
        "smallest",
    ]
)
"""Words that are said of the only amount that a graph has."""

_GENERIC = {"most": "GX", "fewest": "GN", "least": "GN", "more": "GM", "fewer": "GL", "less": "GL"}


def _is_of_number(words: Sequence[str], place: int) -> bool:
    """Whether a comparative belongs to a number behind it: `more than 500`, `500 or more`."""
    return bool(re.match(r"(?:than )?t\d", " ".join(words[place + 1 : place + 3]))) or (
        place > 1 and words[place - 1] == "or" and words[place - 2][:1] == "t" and words[place - 2][1:].isdigit()
    )


def is_counted(question: Question) -> bool:
    """Whether the question asks how many."""
    return bool(_COUNT.search(" ".join(question.words)))


OF_WHICH = 0.99
"""Quality of a noun for things of which the graph has kinds alone."""


NARROWER = 0.7
"""Quality of a noun for things of which the graph has narrower kinds."""

BROADER = 0.65
"""Quality of a noun for a broader kind of things, of which a value says more."""


def kinds_in(question: Question, graph: GraphView) -> list[KindChunk]:
    """The nouns of a question that name kinds of things in the graph, as far as it says what things are.

    Where no relation such as `type` has a noun, a value that some things have may be it: `doctors` have the role
    `doctor`.
    """
    typed = kind_relations(graph)
    spans = list(_noun_spans(question))
    wanted = {form for _, _, noun in spans for form in _nouns(noun)}
    by_form: dict[str, list[tuple[str, str]]] = {}
    values: dict[str, list[tuple[str, str]]] = {}
    for mention in graph.possible_mentions(", ".join(sorted(wanted))):
        if mention.kind == "entity":
            around = graph.relations_of(mention.key)
            nodes = [(relation, mention.name) for relation in typed if relation in around.tail]
            by_form.setdefault(_form(mention.name), []).extend(
                each for each in nodes if each not in by_form.get(_form(mention.name), ())
            )
            is_noun = not around.head or mention.name.islower()  # what lions eat says nothing of a lion
            if len(around.tail) == 1 and is_noun and not graph.relations_of_numbers.issuperset(around.tail):
                values[_form(mention.name)] = [(around.tail[0], mention.name)]
    chunks = []
    members = _members(typed, graph)
    parts = _of_which(wanted, members, typed, graph) | _values_of_which(wanted, graph)
    broader = {_form(noun): nodes for first, _, noun in spans if (nodes := _broader(question, first, noun, members))}
    for first, last, noun in spans:
        found = ((0.8, same_kind(noun)), (NARROWER, narrower_kinds(noun)))
        is_adjective = any(each[0] == last + 1 for each in spans)  # `how many crime books`
        is_free = not question.name_places or not _is_checked(question, first)
        is_value = may_be_noun(question, first, last) and (is_adjective or is_free)
        of_value = ((VALUE, {noun}), (VALUE - 0.2, same_kind(noun))) if is_value else ()
        itself = ((by_form, ((1.0, {noun}),)), (parts, ((OF_WHICH, {noun}),)))
        modified = (broader, ((BROADER, {noun}),))
        for names, ways in (*itself, (by_form, found), (values, of_value), modified):
            known = _first_known(names, ways)
            if known and not (known[1] == NARROWER and _is_like_others(known[0], members, typed, graph)):
                chunks.append(KindChunk(first, last, _mask(first, last), *known))
                break
    return chunks


def _broader(question: Question, first: int, noun: str, members: _Members) -> list[tuple[str, str]]:
    """The kind in the graph that a noun is a kind of, where a value before it says which: `crime novels` are books."""
    before = question.tokens[first - 1] if first else None
    if not members or before is None or " " in noun:
        return []
    said = question.slots[before.text].text.lower() if before.is_name else before.text
    if _form(f"{said} {noun}") not in map(_form, narrower_kinds(noun)):
        return []
    nouns = {_form(noun), *(_form(each) for each in same_kind(noun))}
    return [each for each in sorted(members) if not nouns.isdisjoint(map(_form, narrower_kinds(each[1])))]


_Members = Mapping[tuple[str, str], Sequence[str]]
"""The keys of the things of each kind, by the relation that says it and its name."""


def _members(typed: Sequence[str], graph: GraphView) -> _Members:
    linked = graph.linked_by(typed) if typed else {}
    members: dict[tuple[str, str], list[str]] = {}
    for relation in typed:
        for head, tail in linked[relation][:MAX_LINKED]:
            members.setdefault((relation, name_of_key(tail)), []).append(head)
    return members


def _of_which(
    nouns: Iterable[str], members: _Members, typed: Sequence[str], graph: GraphView
) -> dict[str, list[tuple[str, str]]]:
    """The kinds that nouns have kinds of, by their forms: `hard cheese` and `blue cheese` are cheeses.

    So are those that are known to be of the noun's kind. None are if others have the same relations, of which nothing
    says whether they are: a `roller coaster` may be a ride as a `dark ride` is.
    """
    every = sorted(members)
    by_last: dict[str, list[tuple[str, str]]] = {}
    for kind in every:
        words = normal_form(kind[1]).split()
        if len(words) > 1:
            by_last.setdefault(lemma(words[-1]), []).append(kind)
    found: dict[str, list[tuple[str, str]]] = {}
    for noun in sorted(set(nouns)):
        if own := by_last.get(_form(noun), []):
            narrower = {_form(each) for each in narrower_kinds(noun)}
            own = [*own, *(each for each in every if each not in own and _form(each[1]) in narrower)]
            if not _is_like_others(own, members, typed, graph):
                found[_form(noun)] = own
    return found


def _values_of_which(nouns: Set[str], graph: GraphView) -> dict[str, list[tuple[str, str]]]:
    """The values, of relations that say of what kind things are, that nouns have kinds of: `elephants`.

    None are of nouns that are known to have kinds by other names: a `stout` is a beer as a `pale ale` is.
    """
    numbers = graph.relations_of_numbers
    telling = [each for each in graph.relations if each not in numbers and tells_kind(each)]
    forms = {_form(noun) for noun in nouns if not narrower_kinds(noun)}
    found: dict[str, list[tuple[str, str]]] = {}
    for relation, facts in (graph.linked_by(telling) if telling else {}).items():
        for value in sorted({name_of_key(tail) for _, tail in facts}) if len(facts) < MAX_LINKED else ():
            *before, last = value.split()
            if before and last.islower() and (form := _form(last)) in forms:
                found.setdefault(form, []).append((relation, value))
    return {form: each for form, each in found.items() if len({relation for relation, _ in each}) == 1}


def tells_kind(relation: str) -> bool:
    """Whether a relation says of what kind things are: `species`, `genre`."""
    return any(not {"kind", "sort"}.isdisjoint(phrase.text.split()) for phrase in phrases_of(relation))


_EXAMPLES = 5
"""Things of a kind whose relations are looked at."""

_ALIKE = 0.75
"""Share of the relations of two kinds of things that both have, from which they may be kinds of one thing."""


def _is_like_others(own: Sequence[tuple[str, str]], members: _Members, typed: Sequence[str], graph: GraphView) -> bool:
    """Whether things of another kind have about the same relations as those of some kinds."""
    graph.read_around([key for each in members.values() for key in each[:_EXAMPLES]])

    def relations(kinds: Iterable[tuple[str, str]]) -> set[str]:
        heads = (graph.relations_of(key).head for kind in kinds for key in members.get(kind, ())[:_EXAMPLES])
        return {relation for each in heads for relation in each}.difference(typed)

    wanted = relations(own)
    others = [relations([each]) for each in members if each not in own]
    return any(len(wanted & each) >= _ALIKE * len(wanted | each) for each in others if wanted)


def _is_checked(question: Question, first: int) -> bool:
    """Whether a noun behind `which` is compared with what is found (`asked_nouns`): nothing is denied or counted."""
    is_counted_out = any(token.is_number or token.text in NEGATIONS for token in question.tokens)
    return question.words[first - 1 : first] in (("which",), ("what",), ("many",)) and not is_counted_out


def _first_known(
    names: Mapping[str, Sequence[tuple[str, str]]], ways: Iterable[tuple[float, Set[str]]]
) -> tuple[tuple[tuple[str, str], ...], float] | None:
    """The nodes that the best of several ways to say a noun has, and how good it is."""
    for quality, nouns in ways:
        if known := dict.fromkeys(node for each in sorted(nouns) for node in names.get(_form(each), ())):
            return tuple(known), quality
    return None


def _nouns(noun: str) -> Iterator[str]:
    for form in forms_of_noun(noun):
        yield from (form, form.replace(" ", ""))  # `phd student`, `PhDStudent`
    yield from same_kind(noun)
    yield from narrower_kinds(noun)


def _noun_spans(question: Question) -> Iterator[tuple[int, int, str]]:
    """The words, and pairs of words, that may be a noun."""
    words = question.words
    is_word = [
        not (token.is_name or token.is_number) and token.text not in DROPPED - _PEOPLE for token in question.tokens
    ]
    for place in range(len(words)):
        if is_word[place]:
            yield place, place, words[place]
            if place + 1 < len(words) and is_word[place + 1]:
                yield place, place + 1, f"{words[place]} {words[place + 1]}"


_PEOPLE = frozenset(["person", "persons", "people", "individual", "individuals", "human", "humans"])


def _form(name: str) -> str:
    return "".join(map(lemma, normal_form(name).split()))


def _mask(first: int, last: int) -> int:
    return (1 << (last + 1)) - (1 << first)


_BEFORE_NOUN = ARTICLES | {"which", "what", "many", "whose", "of", "all", "any", "no", "each", "every", "other", "most"}


def may_be_noun(question: Question, first: int, last: int) -> bool:
    """Whether words may be a noun with what stands before it: an article, a question word, an adjective."""
    tokens = question.tokens[first : last + 1]
    if any(token.is_name or token.is_number or token.text in DROPPED - _PEOPLE for token in tokens):
        return False
    before, behind = ("", *question.words)[first], (*question.words, "")[last + 1]
    return behind != "of" and (
        (not first and question.is_listing)
        or before in _BEFORE_NOUN
        or before in PREPOSITIONS
        or before.endswith("est")
        or tokens[-1].text.endswith("s")
        or (first > 1 and question.words[first - 2] in ("most", "least", "fewest"))
        or question.tokens[first - 1].is_name
        or question.tokens[first - 1].is_number
    )


_BEFORE_ASKED = frozenset(["all", "every", "each", "of", "different", "other", "total"])


def is_head_noun(question: Question, first: int) -> bool:
    """Whether a noun at a place says what is asked for: behind `which`, `how many`, or at the start of a list."""
    place = first - 1
    while place >= 0 and (question.words[place] in ARTICLES or question.words[place] in _BEFORE_ASKED):
        place -= 1
    said = question.words[place] if place >= 0 else ""
    if said == "number" and place and question.words[place - 1].endswith(("est", "most")):
        return False  # `which ward has the largest number of beds`
    return said in ("which", "what", "many", "whose", "number", "count") or (place < 0 and question.is_listing)
