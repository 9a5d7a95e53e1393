"""Why a program made from a demonstration does not say what the question says, though it uses all of its names."""

from __future__ import annotations

import re
from collections.abc import Mapping

from cgstore.llm.demonstrations.masking import Reading, Slot
from cgstore.mapping.mentions import Mention
from cgstore.text.names import normal_form, relation_forms

_ARTICLES = frozenset({"the", "a", "an"})
_ACTIVE = frozenset({"has", "have", "had", "did", "does", "do"})
PREPOSITIONS = frozenset(["by", "in", "of", "for", "at", "on", "to", "from", "with"])
_NEXT_TO = re.compile(r"\b(?:before|after) (?:the |a |an )?$")


def fault_of(
    reading: Reading, filling: Mapping[Slot, Mention], chosen: Mapping[str, str], in_same_words: bool = False
) -> str:
    """The reason why slots filled like this are not what is asked, or an empty text.

    A name that stands twice in the question has two places in the program too: an office may be asked about, and be
    the other fact's as well. A relation that ends in `by` has a direction (see `side_of`). In "who was mayor of Halden
    after Ann" the answer takes Ann's place, and not Halden's: her fact alone has her name.

    Args:
        reading: the question.
        filling: the mention in each slot of the template.
        chosen: the graph's relation for each of the template.
        in_same_words: whether the demonstration has the words of the question, so that it shows the direction.
    """
    for relation in () if in_same_words else chosen.values():
        if other := _other_preposition(relation, reading.question):
            return f"'{other}' is not '{relation}'"
    others = [len(slot.places) for slot in filling if slot.kind == "entity"]
    for slot, mention in filling.items():
        places = reading.places_of(mention)
        is_next = any(_NEXT_TO.search(reading.question[: place.start].lower()) for place in places)
        if is_next and slot.kind == "entity" and len(slot.places) > min(others):
            return f"it is not understood what was before or after '{mention.text}'"
        if len(places) > len(slot.places):
            return (
                f"'{mention.text}' stands {len(places)} times in it, and one of them is not understood without an LLM"
            )
        for use in () if in_same_words else slot.uses:
            relation = chosen.get(use.relation or "", "")
            sides = {side_of(relation, reading.question, place) for place in places} - {""}
            if sides and use.side not in sides:
                return f"the graph has no fact '{relation}' in the direction that the question asks"
    return ""


def _other_preposition(relation: str, question: str) -> str:
    """The verb of a relation in `by` with another preposition, which asks for something else: `insured for`."""
    for form in sorted(relation_forms(relation)):
        *verb, last = form.split() or [""]
        match = re.search(rf"\b{re.escape(' '.join(verb))} (?:for|with|from|to|against|about)\b", question.lower())
        if verb and last == "by" and match:
            return match[0]
    return ""


def side_of(relation: str, question: str, place: Mention) -> str:
    """The side of a name at a relation that ends in a preposition, whose words stand next to it; empty if they do not.

    At one in `by` it is the tail in "who was taught by Ann" and "whom has Ann taught", and the head in "who taught Ann"
    and "who was Ann taught by"; at any other it is the tail behind all of its words, as in "which firms located in
    York".
    """
    before, after = normal_form(question[: place.start]).split(), normal_form(question[place.end :]).split()
    while before and before[-1] in _ARTICLES:
        before.pop()
    for form in sorted(relation_forms(relation)):
        *verb, last = form.split() or [""]
        if verb and last != "by" and last in PREPOSITIONS and before[-len(verb) - 1 :] == [*verb, last]:
            return "tail"
        if not verb or last != "by":
            continue
        if before[-len(verb) - 1 :] == [*verb, last]:
            return "tail"
        if before[-len(verb) :] == verb or after[: len(verb) + 1] == [*verb, last]:
            return "head"
        if after[: len(verb)] == verb and before and before[-1] in _ACTIVE:
            return "tail"
    return ""
