"""A relation as a question in plain English, by rules on its words: `directed by`, `has genre`, `position held`.

A relation whose words fit no rule stands in quotes, as it is written.
"""

from __future__ import annotations

import re
from typing import NamedTuple

HEAD, TAIL, TIME = "\x00", "\x01", "\x02"
"""Placeholders for the names of a fact and for a time that are not known yet."""

_DOTTED = re.compile(r"\w+(?:\.\w+)+")
_CAMEL = re.compile(r"(?<=[a-z])([A-Z])(?![A-Z])")


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_PASSIVE = _words(
    "affiliated awarded based born built buried composed connected created dedicated derived directed "
    "educated employed filmed found founded headquartered inspired known led licensed located made "
    "married named nominated owned painted performed produced published recorded related released "
    "represented signed situated spoken sung taught used written"
)
"""Participles that a preposition may follow: `born in` says of a head what was done to it, `starred in` what it did."""

_LASTING = _words("affiliated based connected headquartered known licensed located named owned related situated used")
"""Participles of states, not of events."""

_OF_PEOPLE = _words("born buried educated employed married nominated taught")
"""Participles that only people have."""

_PEOPLE = _words(
    "actor author brother child citizen daughter director editor employee employer father founder governor husband "
    "king leader mayor member minister mother parent president queen sister son spouse student teacher wife"
)
"""Nouns that stand for people, or that only people have. Of anything else one asks `what`."""

_HELD = {
    "attended": "attend",
    "held": "hold",
    "owned": "own",
    "played": "play",
    "produced": "produce",
    "received": "receive",
    "spoken": "speak",
    "used": "use",
    "visited": "visit",
    "won": "win",
    "written": "write",
}
"""Participles behind a noun, as in `position held`, with their verbs."""

_PAST = {"spoken": "spoke", "written": "wrote"}
"""The past of those verbs that differs from the participle."""

_ONE_OF_SEVERAL = "citizen employee instance kind member student subclass type"
_OF = re.compile(rf"(?:(?P<one>{'|'.join(_ONE_OF_SEVERAL.split())})|(?P<part>part)|(?P<the>\w[\w ]*)) of(?P<what> .+)?")
_PREPOSITIONS = _words("after against as at by during for from in into near of on over through to under with")
_BEHIND_VERBS = _PREPOSITIONS - {"by", "of"}
_NOT_PLURAL = ("ss", "us", "is")
_BEFORE_NOUNS = _words("a an are can did do does had has have is may the was were")


class Questions(NamedTuple):
    """The questions of a relation: for the tails of a head, for the heads of a tail, and for these at a time."""

    of_head: str
    of_tail: str
    at_time: str


def tails_question(relation: str, head: str) -> str:
    """The question for the tails of a head."""
    return _questions(relation).of_head.replace(HEAD, head)


def heads_question(relation: str, tail: str, time: str = "") -> str:
    """The question for the heads of a tail, at a time if one is given."""
    questions = _questions(relation)
    return (questions.at_time.replace(TIME, time) if time else questions.of_tail).replace(TAIL, tail)


def qualified_question(relation: str, key: str, value: str) -> str:
    """The question for the heads of the facts that have a qualifier."""
    return f'What has "{_in_words(relation)}" with the {key} {value}?'


def _in_words(relation: str) -> str:
    """The words of a relation: the last part of `film.film.directed_by`, and the parts of `bornIn`."""
    last = relation.rpartition(".")[2] if _DOTTED.fullmatch(relation) else relation
    return " ".join(_CAMEL.sub(lambda capital: f" {capital[1].lower()}", last.replace("_", " ")).split())


def _questions(relation: str) -> Questions:
    words = _in_words(relation)
    lower = words.lower().split()
    return next(filter(None, (rule(lower) for rule in (_passive, _has, _held, _of, _verb))), None) or _noun(
        words, lower
    )


def _passive(words: list[str]) -> Questions | None:
    """`directed by`, `born in`."""
    is_participle = words[:1] and (words[0] in _PASSIVE or (words[0].endswith("ed") and words[1:] == ["by"]))
    if len(words) != 2 or not is_participle or words[1] not in _PREPOSITIONS:
        return None
    said = " ".join(words)
    asked = "Who" if words[1] == "by" else "What"
    what = "Who" if words[0] in _OF_PEOPLE else "What"
    now = "is" if words[0] in _LASTING else "was"
    return Questions(
        f"{asked} {now} {HEAD} {said}?", f"{what} {now} {said} {TAIL}?", f"{what} was {said} {TAIL} in {TIME}?"
    )


def _has(words: list[str]) -> Questions | None:
    """`has genre`."""
    if len(words) < 2 or words[0] not in ("has", "have") or not _is_noun(words[1:]):
        return None
    noun = " ".join(words[1:])
    return Questions(f"What {noun} does {HEAD} have?", *_heads_of(noun))


def _held(words: list[str]) -> Questions | None:
    """`position held`."""
    if len(words) < 2 or words[-1] not in _HELD or not _is_noun(words[:-1]):
        return None
    noun, verb = " ".join(words[:-1]), words[-1]
    heads = f"Who {_PAST.get(verb, verb)} the {noun} {TAIL}"
    return Questions(f"Which {noun} did {HEAD} {_HELD[verb]}?", f"{heads}?", f"{heads} in {TIME}?")


def _of(words: list[str]) -> Questions | None:
    """`mayor of`, `member of sports team`; but `date of birth` is a noun."""
    found = _OF.fullmatch(" ".join(words))
    if not found or (found["the"] and (found["what"] or not _is_noun(found["the"].split()))):
        return None
    said = "part of"
    if one := found["one"]:
        said = f"{'an' if one[0] in 'aeiou' else 'a'} {one} of"
    elif found["the"]:
        said = f"the {found['the']} of"
    asked = f"Which{found['what']}" if found["what"] else "What"
    what = "Who" if one in _PEOPLE or found["the"] in _PEOPLE else "What"
    return Questions(f"{asked} is {HEAD} {said}?", f"{what} is {said} {TAIL}?", f"{what} was {said} {TAIL} in {TIME}?")


def _verb(words: list[str]) -> Questions | None:
    """`flows into`."""
    if len(words) != 2 or words[1] not in _BEHIND_VERBS or not words[0].endswith("s") or words[0].endswith(_NOT_PLURAL):
        return None
    if words[0] in _BEFORE_NOUNS:
        return None
    said = " ".join(words)
    return Questions(
        f"What does {HEAD} {_infinitive(words[0])} {words[1]}?",
        f"What {said} {TAIL}?",
        f'What has "{said}" {TAIL} in {TIME}?',
    )


def _noun(words: str, lower: list[str]) -> Questions:
    """`release year`, `place of birth`; words that are no noun stand in quotes."""
    noun = words if _is_noun(lower) else f'"{words}"'
    return Questions(f"What is the {noun} of {HEAD}?", *_heads_of(noun))


def _heads_of(noun: str) -> tuple[str, str]:
    what = "Who" if noun in _PEOPLE or noun.endswith((" of birth", " of death")) else "What"
    return f"{what} has the {noun} {TAIL}?", f"{what} had the {noun} {TAIL} in {TIME}?"


def _is_noun(words: list[str]) -> bool:
    """Whether words may be a noun in the singular: anything else is not said of one thing."""
    if not words or words[0] in _PREPOSITIONS | _BEFORE_NOUNS or words[-1] in _PREPOSITIONS:
        return False
    is_plural = words[-1].endswith("s") and not words[-1].endswith(_NOT_PLURAL)
    is_verb = any(word.endswith(("ed", "ing")) or word in _PASSIVE for word in (words[0], words[-1]))
    return not is_plural and not is_verb and all(re.fullmatch(r"[\w'-]+", word) for word in words)


def _infinitive(verb: str) -> str:
    if verb.endswith("ies"):
        return f"{verb[:-3]}y"
    return verb[:-2] if re.search(r"(?:s|sh|ch|x|z|o)es$", verb) else verb[:-1]
