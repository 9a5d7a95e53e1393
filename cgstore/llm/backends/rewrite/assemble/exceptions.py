"""What a question leaves out: `which shows other than Night Ferry`, `what does it weave besides tweed`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from cgstore.llm.backends.rewrite.assemble.asked import Reading
from cgstore.llm.backends.rewrite.assemble.kinds import slot_of
from cgstore.llm.backends.rewrite.assemble.sets import Applied, Combined, Extreme, Found, Having, Named, Things
from cgstore.llm.backends.rewrite.assemble.slots import Slots
from cgstore.llm.backends.rewrite.assemble.tokens import ARTICLES, Question
from cgstore.mapping.mentions import Mention

_WORDINGS = (
    "other than",
    "besides",
    "except for",
    "except",
    "apart from",
    "aside from",
    "excluding",
    "but not",
    "not counting",
)
_EXCEPT = tuple(tuple(each.split()) for each in _WORDINGS)


def without_exception(question: Question) -> tuple[Question, Mention | None]:
    """A question without the words that leave out a name, and that name; None if there is none."""
    words = question.words
    for first in range(len(words)):
        for said in _EXCEPT:
            last = first + len(said)
            if words[first:last] != said:
                continue
            last += words[last : last + 1] in [(each,) for each in ARTICLES]
            if last < len(words) and question.tokens[last].is_name and not question.tokens[last].is_owner:
                left = (*question.tokens[:first], *question.tokens[last + 1 :])
                left = tuple(token for token in left if token.text != "else")
                return replace(question, tokens=left), question.slots[words[last]]
    return question, None


def excepting(found: Iterable[Reading], name: Mention | None, slots: Slots) -> Iterator[Reading]:
    """Readings without the name that is left out, which must stand where what they find does."""
    for reading in found:
        if name is None:
            yield reading
        elif things := _without(reading.things, name, slots):
            yield replace(reading, things=things)


def apart_from_itself(found: Iterable[Reading], question: Question) -> Iterator[Reading]:
    """Readings that come back to the name on the way that they went, without it: `X's director also directed what`."""
    is_also = "also" in question.words
    for reading in found:
        match reading.things:
            case Found(back, side, Found(gone, went, Named() as name)) if is_also and back == gone and side != went:
                yield replace(reading, things=Combined("difference", (reading.things, name)))
            case _:
                yield reading


def _without(things: Things, name: Mention, slots: Slots) -> Things | None:
    match things:
        case Applied("count" | "exists" | "sum" | "mean", of):
            left = _without(of, name, slots)
            return replace(things, of=left) if left else None
        case Found(relation, "head", of) if relation in slots.graph.relations_of_numbers:
            left = _without(of, name, slots)
            return replace(things, of=left) if left else None
        case Extreme(of, relation, _):
            left = _without(of or Having(relation, "head"), name, slots)
            return replace(things, of=left) if left else None
        case Applied() | Named():
            return None
    slot = slot_of(things)
    if slot is None or name.key not in slots.things.get(slot, ()):
        return None
    return Combined("difference", (things, Named(name.name)))
