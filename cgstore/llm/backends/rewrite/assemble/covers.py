"""Ways to account for all words of a question: a relation says each, a kind of things, or what is read before."""

from __future__ import annotations

from collections.abc import Iterator, Sequence, Set
from dataclasses import dataclass, replace

from cgstore.llm.backends.rewrite.assemble.relations import OTHER, OWN, Chunk
from cgstore.llm.backends.rewrite.assemble.signals import KindChunk, is_head_noun
from cgstore.llm.backends.rewrite.assemble.tokens import ARTICLES, DO, DROPPED, HAVE, NEGATIONS, Question
from cgstore.llm.backends.rewrite.assemble.units import UNITS
from cgstore.llm.backends.rewrite.dimensions import GRADED
from cgstore.text.thesaurus import PREPOSITIONS, lemma, narrower_kinds, same_kind

UNCHECKED = 0.4
"""Penalty for a noun of what is asked for that the graph does not know."""

INNER = 0.2
"""Penalty for a noun on the way to what is asked for: `the company that makes it`."""

OR_KIND = 0.15
"""Penalty for a relation in other words that are a noun of what is asked for: `which airlines` for `flies to`."""

MAX_COVERS = 40
"""Ways that are looked at."""

_UNIT_NOUNS = frozenset(["year", "years", "date", "dates", "time", "day", "month", "job", "many", "much", "number"])


@dataclass(frozen=True)
class Cover:
    """The chunks that account for the words of a question, in its order, and what they cost.

    `unchecked` is a noun of what is asked for that nothing accounts for, `inner` are others.
    """

    relations: tuple[Chunk, ...] = ()
    kinds: tuple[KindChunk, ...] = ()
    penalty: float = 0.0
    unchecked: str = ""
    inner: tuple[str, ...] = ()


def to_explain(question: Question, read: int) -> int:
    """The words that carry meaning and were not read yet, as bits."""
    mask = 0
    for place in range(len(question.tokens)):
        if _is_main_verb(question, place) or not _is_small(question, place):
            mask |= 1 << place
    return mask & ~read


_TOTALS = frozenset(["total", "average", "mean", "sum", "together", "combined"])
"""Words that ask for a function of numbers, which `readings` needs."""

_LASTING = frozenset(["run", "runs", "ran", "last", "lasts", "lasted", "take", "takes", "took"])
_BY_DURATION = frozenset(["how", "longer", "shorter", "longest", "shortest"])
"""Verbs that say nothing beside `how long` or `longer`."""

_SOFT_VERBS = "made make makes making called named own gave give gives given got went found come comes came"
_SOFT = frozenset(_SOFT_VERBS.split())
"""Words of grammar that say a relation where it has their name."""

_STANDING_VERBS = "lie lies lay stand stands stood sit sits sat sitting standing lying situated located based found"
_STANDING = frozenset(_STANDING_VERBS.split())
"""Verbs that say where something is by the preposition behind them."""


_NOUNS_TOO = frozenset(["show", "shows", "list", "lists", "find", "finds", "name", "names"])
"""Verbs that ask for an answer, and nouns for what is asked for."""


def _is_light(question: Question, place: int) -> bool:
    """Whether a verb says nothing beside a noun for who is asked for: `which editor has worked on the most books`."""
    is_work = question.tokens[place].lemma == "work" and question.words[place + 1 : place + 2] == ("on",)
    return is_work or question.words[place] in _BELONGING


_RECORDED = frozenset(["listed", "recorded", "given", "mentioned", "documented", "registered"])
"""Participles that say nothing behind what there is none of: `which book has no author listed`."""

_MEASURING = frozenset(["measure", "measures", "measured", "measuring"])
_BELONGING = frozenset(["belong", "belongs", "belonged", "belonging"])
"""Verbs that say nothing beside a number, or beside the noun that is asked for: `what period does it belong to`."""


def _is_small(question: Question, place: int) -> bool:
    """Whether a word needs no explanation of its own where it stands."""
    words, token = question.words, question.tokens[place]
    if token.text in _NOUNS_TOO and is_head_noun(question, place):
        return False
    if token.is_name or token.is_number or token.text in DROPPED or token.text in NEGATIONS or token.text in _TOTALS:
        return True
    if token.text in _STANDING:
        is_asked = place + 1 == len(words) and not {"where", "which", "what"}.isdisjoint(words)
        return is_asked or words[place + 1 : place + 2] in [(each,) for each in PREPOSITIONS]
    if token.text in _MEASURING:
        return any(each.is_number for each in question.tokens) or "how" in words
    if token.text == "count":
        return place == 0
    if token.text in _RECORDED:
        return place + 1 == len(words) and "no" in words[: place - 1]
    if token.lemma == "pay":
        return "money" in words  # `pays out the most money`
    if token.lemma == "run" and words[place + 1 : place + 2] == ("to",):
        return any(each.is_number for each in question.tokens[place:])  # `runs to more than 400 pages`
    if token.text in _LASTING:
        return not _BY_DURATION.isdisjoint(words)
    if token.text == "same":
        return len(question.name_places) == (2 if question.is_truth else 1)
    if token.text == "other":
        return place > 0 and words[place - 1] in ("any", "no")
    is_behind = place > 0 and (question.tokens[place - 1].is_number or words[place - 1] == "in")
    return token.lemma in UNITS and is_behind


def _is_main_verb(question: Question, place: int) -> bool:
    """Whether a form of `do` says what is asked: `what did she do`, `did for a living`."""
    words = question.words
    behind = words[place + 1 : place + 2]
    if words[place] in ("made", "make") and not behind and not DO.union(HAVE).isdisjoint(words[:place]):
        return True  # `what has she made`
    return words[place] in DO | {"done", "doing"} and place > 1 and (not behind or behind[0] in PREPOSITIONS)


def covers(
    question: Question,
    chunks: Sequence[Chunk],
    kinds: Sequence[KindChunk],
    read: int,
    own_words: Set[str] = frozenset(),
) -> list[Cover]:
    """The ways to account for all words, the best first; none if a word belongs to nothing.

    Args:
        question: its words.
        chunks: where it speaks of relations.
        kinds: where it names kinds of things.
        read: the words that are read otherwise, as bits.
        own_words: words of relations, by their lemmas: a noun that is one of them is not left unchecked.
    """
    needed = to_explain(question, read)
    if any(is_head_noun(question, chunk.first) for chunk in chunks):
        by_chunks = 0
        for chunk in chunks:
            by_chunks |= chunk.mask
        needed &= by_chunks | ~sum(1 << place for place in range(len(question.tokens)) if _is_light(question, place))
    soft = [chunk for chunk in chunks if _is_soft(question, chunk)]
    own = [chunk for chunk in soft if chunk.quality >= OWN - INNER]
    for chunk in own:
        needed |= chunk.mask & ~read
    starts = {needed: Cover()}
    if len(soft) == len(chunks) and not own:
        places = {place for chunk in soft for place in (chunk.first, chunk.last)}
        said = {each for each in places if question.words[each] in _SOFT | _STANDING}
        where = {each for each in said if question.words[each] in _STANDING}  # `based in` may say no more than `in`
        masks = [needed | (sum(1 << place for place in taken) & ~read) for taken in (said, said - where)]
        starts = {masks[1]: Cover(penalty=UNCHECKED), masks[0]: Cover()}
    found = (
        each
        for still_needed, start in starts.items()
        for each in _covers(question, chunks, kinds, still_needed, start)
        if not each.unchecked or lemma(each.unchecked) not in own_words
    )
    return sorted(found, key=lambda each: each.penalty)[:MAX_COVERS]


def _is_soft(question: Question, chunk: Chunk) -> bool:
    return any(question.words[place] in _SOFT | _STANDING for place in (chunk.first, chunk.last))


def _covers(
    question: Question, chunks: Sequence[Chunk], kinds: Sequence[KindChunk], needed: int, so_far: Cover
) -> Iterator[Cover]:
    if not needed:
        yield so_far
        return
    place = (needed & -needed).bit_length() - 1
    for chunk in chunks:
        if chunk.mask >> place & 1 and not any(chunk.mask & each.mask for each in so_far.relations):
            penalty = so_far.penalty + 1 - chunk.quality + (OR_KIND if _may_be_kind(question, chunk, kinds) else 0.0)
            taken = replace(so_far, relations=(*so_far.relations, chunk), penalty=penalty)
            yield from _covers(question, chunks, kinds, needed & ~chunk.mask, taken)
    for kind in kinds:
        if kind.mask >> place & 1:
            taken = replace(so_far, kinds=(*so_far.kinds, kind), penalty=so_far.penalty + 1 - kind.quality)
            yield from _covers(question, chunks, kinds, needed & ~kind.mask, taken)
    is_known = any(kind.mask >> place & 1 for kind in kinds)
    is_said = is_known or any(chunk.mask >> place & 1 for chunk in chunks)
    for rest in _left_out(question, place, so_far, is_said):
        is_unchecked = rest.unchecked and not so_far.unchecked
        if is_unchecked and (is_known or _is_adjective(place, chunks, kinds)):
            continue  # what is found must be of the kind that the graph knows: not any of the `electric mills`
        yield from _covers(question, chunks, kinds, needed & ~(1 << place), rest)


def _is_adjective(place: int, chunks: Sequence[Chunk], kinds: Sequence[KindChunk]) -> bool:
    """Whether a word stands before a noun that says nothing else."""
    verbs = {chunk.mask for chunk in chunks}
    return any(kind.first == place + 1 and kind.mask not in verbs for kind in kinds)


def _may_be_kind(question: Question, chunk: Chunk, kinds: Sequence[KindChunk]) -> bool:
    nouns = [kind for kind in kinds if kind.mask & chunk.mask == kind.mask]
    return chunk.quality <= OTHER and any(is_head_noun(question, kind.first) for kind in nouns)


def _left_out(question: Question, place: int, so_far: Cover, is_said: bool) -> Iterator[Cover]:
    """The cover without a word, where it may be a noun that says little, or one left unchecked.

    `is_said`: a relation or a kind of things may be meant by it.
    """
    word = question.words[place]
    if word in _UNIT_NOUNS:
        yield so_far
        return
    if _says_whole(question, place, is_said):
        yield replace(so_far, penalty=so_far.penalty + INNER)
    elif (
        _is_apposed(question, place)
        or _is_inner_noun(question, place)
        or (not is_said and _is_noun_beside(question, place))
    ):
        yield replace(so_far, penalty=so_far.penalty + INNER, inner=(*so_far.inner, word))
    is_unit = question.tokens[place].lemma in UNITS
    if not (so_far.unchecked or is_unit) and is_head_noun(question, place) and question.words[0] != "whose":
        yield replace(so_far, penalty=so_far.penalty + UNCHECKED, unchecked=word)


def _is_inner_noun(question: Question, place: int) -> bool:
    """Whether a word is a noun of what is not asked for: `the company that makes ...`, `the firm Ann founded`."""
    words = question.words
    behind = question.tokens[place + 1] if place + 1 < len(words) else None
    is_followed = behind is not None and (behind.is_name or behind.is_participle or behind.text in _RELATIVE)
    if place > 1 and words[place - 2] in ARTICLES and words[place - 1].endswith(("est", "first", "last")):
        return not question.tokens[place].is_participle  # `the oldest harbour`
    if place > 1 and words[place - 2] in ("most", "least") and words[place - 1] in GRADED:
        return not question.tokens[place].is_participle  # `the most expensive machine`
    return place > 0 and words[place - 1] in ARTICLES and is_followed


def _is_noun_beside(question: Question, place: int) -> bool:
    """Whether a word is a noun behind a number or `same`, or of what a name is behind: `the books by Ann`."""
    words, before = question.words, question.words[place - 1] if place else ""
    if question.tokens[place].lemma in UNITS:
        return False
    if before == "same" or (place and question.tokens[place - 1].is_number):
        return True
    if before in _POSSESSIVES and words[place + 1 : place + 2] in _BESIDE:
        return True  # `learn her craft from`
    after = next((each for each in question.tokens[place + 2 :] if each.text not in ARTICLES), None)
    is_before_name = words[place + 1 : place + 2] in _BESIDE and after is not None and after.is_name
    if before == "of" and words[place - 2 : place - 1] in (("kinds",), ("types",), ("sorts",)):
        return True  # `the most kinds of cloth`
    is_one_of = before in ("a", "an") and words[place + 1 : place + 2] == ("of",) and place > 2  # `a bottle of it`
    return (before in ARTICLES and is_before_name) or (is_one_of and after is not None and after.is_name)


_POSSESSIVES = frozenset(["his", "her", "their", "its"])
_BESIDE = [(each,) for each in PREPOSITIONS - {"of"}]


def _is_apposed(question: Question, place: int) -> bool:
    """Whether a noun for things behind a name may only say what that is: `the Fresh Pasta Day course`.

    Without an article it may as well be a part of another name: `who directed Midnight Orchard`.
    """
    before = question.tokens[place - 1]
    if place < 2 or question.words[place - 2] not in ARTICLES:
        return False
    is_noun = len(same_kind(question.words[place])) > 1 and lemma(question.words[place]) not in _NOT_APPOSED
    return before.is_name and not before.is_owner and is_noun and not question.tokens[place].is_participle


_NOT_APPOSED = frozenset(lemma(word) for kind in ("person",) for noun in narrower_kinds(kind) for word in noun.split())
"""Nouns for people: `the Otter Bay cook` is not the Otter Bay."""

_WHOLES = """
    list data dataset database graph collection records file fleet group organisation organization company firm museum
    hospital station club team library archive village town city county region country area world campus
"""
_WHOLE = frozenset(_WHOLES.split())
_UNSAID_WHOLES = "zoo park garden farm theatre hotel school university shop gallery"
_UNSAID_WHOLE = frozenset(_UNSAID_WHOLES.split())
"""Nouns that say so only where nothing in the graph is called so."""


def _says_whole(question: Question, place: int, is_said: bool) -> bool:
    """Whether a word only says where all things are: `the oldest mill in the village`, `given to the zoo by`."""
    words = question.words
    is_last = place == len(words) - 1 > 2 or words[place + 1 : place + 2] == ("by",)
    is_whole = words[place] in _WHOLE or (words[place] in _UNSAID_WHOLE and not is_said)
    return is_last and is_whole and words[place - 1] in ARTICLES | PREPOSITIONS | {"this"}


_RELATIVE = frozenset(["that", "which", "who", "whom", "where", "whose"])


def unexplained(question: Question, chunks: Sequence[Chunk], kinds: Sequence[KindChunk], read: int) -> list[str]:
    """The words that belong to nothing."""
    known = read
    for mask in (*(chunk.mask for chunk in chunks), *(kind.mask for kind in kinds)):
        known |= mask
    left = to_explain(question, read) & ~known
    places = [place for place in range(len(question.tokens)) if left >> place & 1]
    places = [place for place in places if not is_head_noun(question, place)] or places
    return [question.words[place] for place in places if question.words[place] not in _UNIT_NOUNS]
