"""What a question may ask, put together from its names, relations, kinds of things, bounds and superlatives.

The order of the words hardly counts ("floating", as in Pasupat and Liang 2015): names go to the relations next to them,
relations that are left lead on from there, and the graph must have the names on these sides. What the words say of a
side counts where they say it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from itertools import pairwise

from cgstore.llm.backends import CannotPropose
from cgstore.llm.backends.rewrite.asked_kinds import ANYBODY, kind_of
from cgstore.llm.backends.rewrite.assemble.asked import HAVING, OPEN_SIDE, OTHER_JOIN, TAKEN, Asked, Reading
from cgstore.llm.backends.rewrite.assemble.chains import Chains
from cgstore.llm.backends.rewrite.assemble.counts import counted_place, linking, most_of, side_of_kind, with_number_of
from cgstore.llm.backends.rewrite.assemble.flags import flagged, is_flag
from cgstore.llm.backends.rewrite.assemble.kinds import confined, is_of_kinds, kind_set, slot_of, stands
from cgstore.llm.backends.rewrite.assemble.making import is_made
from cgstore.llm.backends.rewrite.assemble.nearness import NEAR
from cgstore.llm.backends.rewrite.assemble.numbers import Numbers, than_name
from cgstore.llm.backends.rewrite.assemble.relations import PART, RELATED, Chunk, is_of_place, lies_in
from cgstore.llm.backends.rewrite.assemble.same import with_same
from cgstore.llm.backends.rewrite.assemble.sets import SIDES, Applied, Combined, Extreme, Found, Having, Named, Things
from cgstore.llm.backends.rewrite.assemble.sides import has_other_join, side_of_place
from cgstore.llm.backends.rewrite.assemble.signals import KindChunk, is_counted, is_head_noun, tells_kind
from cgstore.llm.backends.rewrite.assemble.tokens import DO, HAVE, KIND_NOUNS, NEGATIONS
from cgstore.llm.backends.rewrite.assemble.truths import Truths, compared
from cgstore.llm.backends.rewrite.assemble.units import is_added
from cgstore.text.names import in_words, name_of_key
from cgstore.text.thesaurus import PLACE_WORDS, PREPOSITIONS, lemma, narrower_kinds

_AT = frozenset(["in", "at", "on", "from"])
_OF_TIME = frozenset(["when", "year", "date"])
_NO_NUMBERS = frozenset(["who", "whom", "whose", "where"])
"""Words that ask for people and places."""
_OTHER_ASKING = frozenset(["which", "what", "when", "how"])
_WHO = frozenset(["who", "whom"])
_NUMBERS = frozenset(["number", "count", "total", "quantity"])
_EACH = frozenset(["each", "every", "respectively"])
_WHOLE = frozenset(["all", "every", "each", "both"])
_TOGETHER = frozenset(["together", "combined"])
_FUNCTIONS = {"total": "sum", "sum": "sum", "average": "mean", "mean": "mean"} | dict.fromkeys(_TOGETHER, "sum")


def readings(asked: Asked) -> Iterator[Reading]:
    """What a question may ask, with what each reading costs."""
    other = OTHER_JOIN * sum(has_other_join(asked.question, chunk) for chunk in asked.cover.relations)
    for reading in _readings(asked):
        yield replace(reading, penalty=reading.penalty + asked.cover.penalty + other)


def _readings(asked: Asked) -> Iterator[Reading]:
    if len(asked.names) > 2 or len(asked.linking) > 3 or len(asked.orders) > 1:
        return
    is_comparison = len(asked.names) == 2 and len(asked.orders) == 1 and not asked.linking
    if (asked.question.is_truth or is_comparison) and not _FUNCTIONS.keys().isdisjoint(asked.words):
        return
    is_by = asked.words[:2] == ("by", "how") or _is_left_over(asked) or _is_done_by_none(asked)
    if is_by or (asked.value is None and not _TOGETHER.isdisjoint(asked.words)):
        return  # a difference; something else: `insured for` is not `insured by`; who worked together
    if len(asked.linking) == 1 and is_flag(asked.slots, asked.linking[0].relation):
        yield from _as_asked(asked, flagged(asked))
    elif asked.question.is_truth:
        yield from Truths(asked).all() if not asked.is_denied else ()
    elif is_comparison:
        yield from compared(asked)
    elif "same" in asked.words:
        yield from _as_asked(asked, with_same(asked)) if len(asked.names) == 1 else ()
    elif len(asked.names) == 1 and any(order.is_comparative for order in asked.orders) and not asked.bounds:
        yield from _as_asked(asked, than_name(asked))
    else:
        yield from _as_asked(asked, with_number_of(asked)) if counted_place(asked) >= 0 else _Sets(asked).all()
        yield from most_of(asked)


def _as_asked(asked: Asked, found: Iterable[Reading]) -> Iterator[Reading]:
    """Sets, or how many they have, as the question asks."""
    for each in found:
        yield replace(each, things=Applied("count", each.things)) if is_counted(asked.question) else each


def _is_left_over(asked: Asked) -> bool:
    """Whether the question ends with a preposition that none of its relations has."""
    last = asked.words[-1]
    said = {
        word for chunk in asked.cover.relations for word in (*chunk.spoken.joins, *in_words(chunk.relation).split())
    }
    if any(map(asked.has_clause, asked.other_kinds)):
        return False  # `the boss of the park that it is in`
    if (last in _AT and not PLACE_WORDS.isdisjoint(said)) or asked.words[-2].startswith("belong"):
        return False  # `which town is it in`
    return last in PREPOSITIONS - {"by"} and bool(asked.linking) and not asked.numeric and last not in said


def _is_done_by_none(asked: Asked) -> bool:
    """Whether who did something is asked for, and a relation says where or to what: `by whom was it climbed`."""
    if asked.words[0] != "by" or not asked.linking:
        return False
    chunk = min(asked.linking, key=lambda each: each.first)
    last = in_words(chunk.relation).split()[-1]
    is_near = chunk.quality <= NEAR and chunk.spoken.inverse is None
    return last in _AT | {"to", "into"} or (is_near and last != "by")


def _asks_people(asked: Asked) -> bool:
    """Whether people are counted, by no other noun."""
    many = asked.words.index("many") + 1 if "many" in asked.words else len(asked.words)
    return asked.words[many : many + 1] in [(each,) for each in ANYBODY]


def _asks_time(asked: Asked) -> bool:
    """Whether a time is asked for; `dates from` asks for none."""
    words = asked.words
    is_verb = any(word in ("date", "dates") and behind in ("from", "back") for word, behind in pairwise(words))
    return not _OF_TIME.isdisjoint(words) and not is_verb


def _is_owner(asked: Asked, chunk: Chunk) -> bool:
    """Whether what is asked for is only the noun of a relation of years: `which publication`, not `which year`."""
    words = in_words(chunk.relation).split()
    if len(words) < 2 or words[-1] not in ("year", "date") or asked.words[chunk.last] in ("year", "date"):
        return False
    return is_head_noun(asked.question, chunk.first) and not asked.question.tokens[chunk.first].is_participle


def _asks_object(asked: Asked, chunk: Chunk) -> bool:
    """Whether it is asked what somebody did it to, and not when: `what did she found`."""
    return asked.is_time(chunk.relation) and asked.words[:1] == ("what",) and asked.words[1] in DO | HAVE


def _asking_word(asked: Asked) -> str:
    """The first question word; what stands behind it may be relative: `the town where it is`."""
    return next((word for word in asked.words if word in _NO_NUMBERS | _OTHER_ASKING), "")


def _is_paid_at_once(asked: Asked) -> bool:
    """Whether it is asked what all things take together: `what would it cost to buy all the books`."""
    return asked.value is not None and "it" in asked.words[: asked.value.first] and not _WHOLE.isdisjoint(asked.words)


class _Sets:
    """The readings of a question that asks what or who something is, or for a number."""

    def __init__(self, asked: Asked) -> None:
        self._asked = asked

    def all(self) -> Iterator[Reading]:
        """The readings with what is asked of each set: itself, a number that it has, or how many there are."""
        asked, numbers = self._asked, Numbers(self._asked)
        function = next((_FUNCTIONS[word] for word in asked.words if word in _FUNCTIONS), "")
        if function and is_counted(asked.question) and asked.value is None:
            function = ""  # `the total number of ships`
        if function and (asked.value is None or asked.orders):
            return
        for base in self._bases():
            for bounded in numbers.confined(base):
                for found in self._led_on(bounded):
                    if things := self._asked_of(found.things, function):
                        yield replace(found, things=things)

    def _led_on(self, found: Reading) -> Iterator[Reading]:
        """What the relation leads to from the first or last of its kind: `who captains the newest ferry`."""
        asked = self._asked
        if not self._leads_on or _is_of_values(found):
            yield found
        elif isinstance(found.things, Extreme | Combined) or self._group:
            place = asked.cover.kinds[0].last if asked.cover.kinds else asked.words.index(asked.cover.inner[0])
            for each in Chains(asked).onward(found, place, asked.linking):
                if not self._group or each.penalty < found.penalty + 2 * OPEN_SIDE:
                    yield each

    @property
    def _leads_on(self) -> bool:
        """Whether a relation leads on from a kind of things of which one, or some, are chosen by a number."""
        asked = self._asked
        is_chosen = bool(asked.orders or asked.bounds or self._group)
        is_chosen = is_chosen and not (asked.names or asked.head_kinds or asked.is_denied)
        return is_chosen and len(asked.linking) == 1 and len(asked.cover.kinds) + len(asked.cover.inner) == 1

    @property
    def _group(self) -> Sequence[tuple[str, str]]:
        """What the only noun, for things that a value tells, has them by: `where do the lions live`."""
        nodes = self._asked.cover.kinds[0].nodes if self._asked.cover.kinds else ()
        linking = {chunk.relation for chunk in self._asked.linking}
        return nodes if all(tells_kind(each) and each not in linking for each, _ in nodes) else ()

    def _asked_of(self, things: Things, function: str) -> Things | None:
        """What is asked of a set; None if the question word does not fit."""
        asked, counted = self._asked, is_counted(self._asked.question)
        if isinstance(things, Applied):
            return things
        if asked.value is None:
            if not self._may_be_answer(things) or not (found := self._kinds_if_asked(things)):
                return None
            return Applied("count", found) if counted else found
        if _asking_word(asked) in _NO_NUMBERS or (asked.head_kinds and not counted):
            return None
        if asked.cover.unchecked or _is_owner(asked, asked.value) or _asks_object(asked, asked.value):
            return None
        if counted and not (is_head_noun(asked.question, asked.value.first) or self._says_number(asked.value.relation)):
            return None
        slot = slot_of(things)
        if slot is not None and not asked.slots.may_meet(slot, (asked.value.relation, "head")):
            return None  # no such thing has the number
        values = Found(asked.value.relation, "head", things)
        is_sum = counted and not _EACH.intersection(asked.words)
        is_sum = (is_sum or _is_paid_at_once(asked)) and not (isinstance(things, Named) or function)
        if is_sum and self._is_added(asked.value.relation):
            function = "sum"  # `how many beds are there in the north wing`
        return Applied(function, values) if function else values

    def _kinds_if_asked(self, things: Things) -> Things | None:
        """The kinds of things where these are asked for (`kinds of cheese`); None if it has no narrower ones."""
        kinds, words = self._asked.cover.kinds, self._asked.words
        first = kinds[0].first if kinds and kinds[0].nodes else 0
        if first < 2 or words[first - 1] != "of" or not is_head_noun(self._asked.question, first - 2):
            return things
        if words[first - 2] not in KIND_NOUNS:
            return things
        relations = {relation for relation, _ in kinds[0].nodes}
        if isinstance(things, Found) and things.relation in relations and things.side == "head":
            return things
        return Found(min(relations), "head", things) if len(kinds[0].nodes) > 1 == len(relations) else None

    def _says_number(self, relation: str) -> bool:
        """Whether a relation says how many there are: `how many were built`; `how many people` are no year."""
        is_named = not _NUMBERS.isdisjoint(in_words(relation).split())
        return is_named or (
            _asks_people(self._asked)
            and any(each.relation == relation and not each.is_time for each in self._asked.measures)
        )

    def _is_added(self, relation: str) -> bool:
        return is_added(relation) and not self._asked.is_time(relation)

    def _may_be_answer(self, things: Things) -> bool:
        """Whether the question word fits: a place for `where`, a number for `when`, else none of these."""
        asked = self._asked
        if isinstance(things, Named) or (_asks_time(asked) and not asked.bounds):
            return False
        if "how" in asked.words and not is_counted(asked.question):
            return False
        if _asks_people(asked) and isinstance(things, Found) and things.side == "head" and lies_in(things.relation):
            return False  # `how many people can sit in it` are not where it is
        if "where" in asked.words[:2] and not asked.head_kinds:
            return isinstance(things, Found) and things.side == "head" and self._is_of_place(things.relation)
        return True

    def _is_of_place(self, relation: str) -> bool:
        said = [chunk for chunk in self._asked.linking if chunk.relation == relation]
        return is_of_place(self._asked.question, relation, said)

    def _bases(self) -> Iterator[Reading]:
        """The sets, without bounds and superlatives."""
        if self._asked.is_denied:
            yield from _denied(self._asked)
        elif self._asked.names:
            yield from Chains(self._asked).all()
        else:
            yield from self._without_names()

    def _without_names(self) -> Iterator[Reading]:
        """All things of a kind, or all that have a number or stand on one side of a relation."""
        asked = self._asked
        kinds, linking = asked.cover.kinds, asked.linking
        if not linking and len(kinds) == 2 and kinds[0].last + 1 == kinds[1].first and kinds[0].nodes:
            if both := confined(asked.slots, kind_set(kinds[0]), kinds[1]):
                yield Reading(both, 0.0)  # `goat cheeses`
        elif (not linking or self._leads_on) and len(kinds) == 1:
            yield from self._of_values()
            if self._leads_on or self._fits_who(kinds[0]):
                yield Reading(kind_set(kinds[0]), 0.0)
        elif not kinds and (not linking or self._leads_on) and (asked.bounds or asked.orders):
            yield from self._having_number()
        elif len(linking) == 1 and not kinds and not asked.numeric and self._is_noun(linking[0]):
            spoken = linking[0].spoken
            side = "head" if spoken.inverse and not spoken.is_verb else "tail"
            note = f"All that stand as {side} of '{spoken.relation}' are taken for '{asked.words[linking[0].last]}'."
            yield Reading(Having(spoken.relation, side), OPEN_SIDE, (note,))

    def _of_values(self) -> Iterator[Reading]:
        """The values alone by which a noun tells things, where only these have the relation: `what do lions eat`."""
        if not self._leads_on:
            return
        slot = (self._asked.linking[0].relation, "head")
        having = {name_of_key(key) for key in self._asked.slots.things.get(slot, ())}
        values = [Named(value) for _, value in self._group if value in having]
        if values and len(values) == len(self._group):
            found = [Found(*slot, value) for value in values]
            yield Reading(found[0] if len(found) == 1 else Combined("union", tuple(found)), 0.0)

    def _having_number(self) -> Iterator[Reading]:
        """All that have the number by which the question bounds or orders, as far as its noun may be said of them."""
        asked, numbers = self._asked, Numbers(self._asked)
        if asked.numeric and not self._leads_on:
            said = asked.numeric[0]
            is_near = said.quality <= NEAR and said.first < said.last and is_head_noun(asked.question, said.first)
            if (asked.cover.unchecked or is_near) and is_of_kinds(asked.slots, said.relation):
                return  # what opened before 1990 need not be `rides`
            order = asked.orders[0] if asked.orders else None
            relation = asked.numeric[0].relation
            if (
                order
                and not asked.bounds
                and asked.numeric[0].quality > RELATED
                and order.place == asked.numeric[0].first - 1
                and not asked.cover.unchecked
            ):
                yield Reading(Applied(order.way, Having(relation, "tail")), 0.0)  # `what is the greatest depth`
            else:
                yield Reading(Having(relation, "head"), OPEN_SIDE)
            return
        found = [*numbers.measure_of(asked.bounds[0])] if asked.bounds else [*numbers.ordering(asked.orders[0])]
        noun = asked.cover.unchecked or next(iter(asked.cover.inner), "")
        for by in found:
            measure = next(each for each in asked.measures if each.relation == by.relation)
            with suppress(CannotPropose):
                who = not (asked.linking or _WHO.isdisjoint(asked.words))
                fact = kind_of(noun, who, measure, asked.graph)
                if not fact.relation:
                    yield Reading(Having(by.relation, "head"), OPEN_SIDE, (fact.note,) if fact.note else ())

    def _fits_who(self, kind: KindChunk) -> bool:
        """Whether things of a kind may be asked for by `who`: these are people."""
        nouns = {lemma(word) for _, node in kind.nodes for word in in_words(node).split()}
        return _WHO.isdisjoint(self._asked.words) or not nouns.isdisjoint(map(lemma, narrower_kinds("person")))

    def _is_noun(self, chunk: Chunk) -> bool:
        return is_head_noun(self._asked.question, chunk.first) and chunk.spoken.inverse is not None


def _is_of_values(reading: Reading) -> bool:
    """Whether a reading already has what the relation gives, of values that stand for a kind."""
    sets = reading.things.sets if isinstance(reading.things, Combined) else (reading.things,)
    return all(isinstance(each, Found) and each.side == "head" and isinstance(each.of, Named) for each in sets)


def _denied(asked: Asked) -> Iterator[Reading]:
    """Things of a kind without what is denied of them."""
    if asked.modified:
        yield from _of_modified_kind_denied(asked)
        return
    kinds, others = asked.head_kinds, [kind for kind in asked.cover.kinds if kind not in asked.head_kinds]
    kinds = kinds or [*_kind_of_subject(asked)]
    yield from _partly_denied(asked, kinds, others)
    if len(kinds) != 1 or len(others) > 1:
        return
    if len(asked.names) == 1 and not (asked.linking or others or asked.numeric) and is_made(asked):
        for each in Chains(asked).made_by(asked.names[0][1], kinds[0]):
            without = Combined("difference", (kind_set(kinds[0]), each.things))
            yield replace(each, things=without, notes=(*each.notes, "The data may not be complete."))
    if not asked.linking and not asked.names and others and not HAVING.isdisjoint(asked.words):
        yield from _without_any(asked, kinds[0], others[0])
    if len(asked.linking) != 1 or len(asked.names) > 1 or (asked.names and others):
        return
    chunk, every = asked.linking[0], kind_set(kinds[0])
    others = [kind for kind in others if kind.nodes != kinds[0].nodes or kind.slots != kinds[0].slots]
    note = f"The data have no '{chunk.relation}' of these that says otherwise; they may not be complete."
    if asked.names:
        place, mention = asked.names[0]
        for side, penalty in Chains(asked).sides(chunk, place, mention):
            having: Things = Found(chunk.relation, side, Named(mention.name))
            if confined(asked.slots, having, kinds[0]):  # no book is taught by anybody, and each is none of these
                yield Reading(Combined("difference", (every, having)), penalty, (note,))
    elif side := side_of_kind(asked, chunk, kinds[0]):
        far = SIDES[side == "head"]
        if others and not stands(asked.slots, chunk.relation, far, others[0]):
            return  # what is denied is no such relation
        having = Found(chunk.relation, far, kind_set(others[0])) if others else Having(chunk.relation, side)
        yield Reading(Combined("difference", (every, having)), 0.0, (note,))


def _of_modified_kind_denied(asked: Asked) -> Iterator[Reading]:
    """Things of a kind that a name tells, without what is denied: `Parallax Radio shows that never won a prize`."""
    for base, kind in Chains(asked).of_modified_kind():
        if len(asked.linking) != 1 or len(asked.cover.kinds) != 1:
            return
        chunk = asked.linking[0]
        if side := side_of_kind(asked, chunk, kind):
            note = f"The data have no '{chunk.relation}' of these that says otherwise; they may not be complete."
            things = Combined("difference", (base.things, Having(chunk.relation, side)))
            yield replace(base, things=things, notes=(*base.notes, note))


def _kind_of_subject(asked: Asked) -> Iterator[KindChunk]:
    """What stands where the relation that is denied has its subject: `wines` in `which wines have not won a prize`."""
    if not asked.cover.unchecked or len(asked.linking) != 1:
        return
    place, chunk = asked.words.index(asked.cover.unchecked), asked.linking[0]
    if any(name < place for name, _ in asked.names):
        return
    side = side_of_place(asked.question, chunk, place) or "head"
    slots = asked.slots.alike([(chunk.relation, side)])
    if len(slots) > 1:
        yield KindChunk(place, place, 0, (), PART, slots, asked.slots.covering(slots))


def _partly_denied(asked: Asked, kinds: Sequence[KindChunk], others: Sequence[KindChunk]) -> Iterator[Reading]:
    """Things that have one relation and not another: `which firms supplied by Ann are not based in York`."""
    place = next(place for place, word in enumerate(asked.words) if word in NEGATIONS)
    said = [each for each in asked.linking if each.first < place]
    names = [each for each in asked.names if each[0] < place]
    if len(names) != 1 or not (said or kinds):
        return
    chains = Chains(asked)
    for base in chains.chain(*names[0], said) if said else chains.linked_with(names[0][1], kinds[0]):
        things = confined(asked.slots, base.things, kinds[0]) if kinds else base.things
        if things is None:
            continue
        for having, penalty, what in _what_is_denied(asked, place, others):
            note = f"The data have no '{what}' of these that says otherwise; they may not be complete."
            if asked.slots.may_meet(slot_of(things), slot_of(having)):
                yield Reading(Combined("difference", (things, having)), base.penalty + penalty, (*base.notes, note))


def _what_is_denied(asked: Asked, place: int, kinds: Sequence[KindChunk]) -> Iterator[tuple[Things, float, str]]:
    """What has that which stands behind a negation, what it costs, and the relation: `not by Ann`, `not a carousel`."""
    denied = [each for each in asked.linking if each.first > place]
    names = [each for each in asked.names if each[0] > place]
    if len(denied) == 1 and len(names) == 1 and not kinds:
        for side, penalty in Chains(asked).sides(denied[0], *names[0]):
            yield Found(denied[0].relation, side, Named(names[0][1].name)), penalty, denied[0].relation
    elif not denied and len(names) + len(kinds) == 1:
        first = names[0][0] if names else kinds[0].first
        if asked.question.before(first) != place or asked.words[place + 1] not in ("a", "an"):
            return
        if names:
            around = asked.graph.relations_of(names[0][1].key).tail
            nodes = tuple((each, names[0][1].name) for each in around) if len(around) == 1 else ()
        else:
            nodes = kinds[0].nodes
        if nodes:
            sets = tuple(Found(relation, "tail", Named(node)) for relation, node in nodes)
            yield sets[0] if len(sets) == 1 else Combined("union", sets), 0.0, nodes[0][0]


def _without_any(asked: Asked, kind: KindChunk, other: KindChunk) -> Iterator[Reading]:
    """Things of a kind that none of another kind is linked with, by the one relation that links such things."""
    found = linking(asked, kind, other)
    if len(found) == 1:
        relation, side = found[0]
        note = f"What these have is taken by the relation '{relation}'; the data may not be complete."
        without = Combined("difference", (kind_set(kind), Found(relation, SIDES[side == "head"], kind_set(other))))
        yield Reading(without, TAKEN, (note,))
