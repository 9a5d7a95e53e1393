"""Questions in the words of a graph's relations, read without any demonstration.

`Which films starring Bo were directed by Ann?` has the words of one relation for each name. Every word must be one of a
relation, but the noun that says what kind of thing is asked for (`which films`), unless it is a word of another
relation. A name is on the side that the words say, and that the graph has.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import product

from cgstore.llm.backends.rewrite.clause_patterns import OPENING
from cgstore.llm.backends.rewrite.clauses import Clause, asked_text, sure_names
from cgstore.llm.backends.rewrite.fact_asked import Around, Asked, Program, counted, facts_with, found_within
from cgstore.llm.backends.rewrite.faults import side_of
from cgstore.llm.backends.rewrite.sides import said_side, says_otherwise
from cgstore.llm.backends.rewrite.unknown import LIGHT_WORDS
from cgstore.llm.demonstrations.signals import HARMLESS, SIGNAL_OF
from cgstore.mapping.mentions import GRAMMAR_WORDS, Mention, words_of
from cgstore.mapping.unknown_mentions import same_stem
from cgstore.text.names import spaced

_ASKING = re.compile(
    r"^\W*(?:(?:in|on|for|of|by|with|to|at) )?(?:who|whom|whose|which|what|how many|name|list|give)\b", re.IGNORECASE
)
_KIND = re.compile(r"\b(?:which|what|how many|name|list|all)\s+(?:the |all )?([^\W\d_]+)\b(?!\s+of\b)", re.IGNORECASE)
_DOUBLED = re.compile(r"([^aeiouls])\1(ed|ing|er)$")
_REFUSING = """
    not never no neither nor except without than before after since until first last most least more less fewer when
    between other only or if why both same each average total
"""
REFUSED = frozenset(_REFUSING.split())
_ENTITIES = 2


@dataclass(frozen=True)
class FactProgram:
    """A program for a question about facts, with its relations in the order of the program."""

    program: str
    relations: tuple[str, ...]

    @property
    def asks_heads(self) -> bool:
        """Whether its last call is a search for heads."""
        return "tail_entity=" in self.program.splitlines()[-1]


@dataclass(frozen=True)
class _Part:
    """A name with the words before and behind it that say what is asked of it; `kind` says what is asked for."""

    mention: Mention
    words: tuple[str, ...]
    kind: str
    question: str
    text: str


def facts_in(
    question: str,
    mentions: Sequence[Mention],
    relations: Sequence[str],
    around: Around,
) -> list[FactProgram]:
    """The programs for a question about one or two names, one or two relations; none if a word is not understood.

    Args:
        question: in plain words.
        mentions: those that are names; of several at one place the first counts.
        relations: those of the graph.
        around: the relations that have a node as head, and as tail.
    """
    names = sure_names(mentions)
    opening = OPENING.match(question.lower())
    start = opening.end() if opening else 0
    said = {word.text.lower() for word in words_of(without(question, names)[start:])}
    refused = (REFUSED | (GRAMMAR_WORDS | SIGNAL_OF.keys()) - HARMLESS) - {"how", "many"}
    if len(names) == _ENTITIES:
        refused -= {"both", "and"}
    if not _ASKING.search(question[start:]) or said & refused or not 1 <= len(names) <= _ENTITIES:
        return []
    own = own_words(relations)
    parts = _parts(question, names, own, start)
    found = _one_hop(parts[0], own, around) if len(parts) == 1 else _intersections(parts, own, around)
    is_counted = "how many" in question.lower()
    return [replace(each, program=counted(each.program)) if is_counted else each for each in found]


def without(question: str, names: Sequence[Mention]) -> str:
    """The question with a space for each of its names, which are in order."""
    for name in reversed(names):
        question = question[: name.start] + " " + question[name.end :]
    return question


def _parts(question: str, names: Sequence[Mention], own: dict[str, tuple[str, ...]], start: int) -> list[_Part]:
    """Each name with the words up to it, from the start on; what follows the last name belongs to it too.

    A name without words of its own shares those of the one before: "made of maple and spruce".
    """
    kind = match[1].lower() if (match := _KIND.search(question)) else ""
    parts: list[_Part] = []
    for number, name in enumerate(names):
        text = question[start : name.start] + (" " + question[name.end :] if number == len(names) - 1 else "")
        words = [word.text.lower() for word in words_of(text)]
        light = {word for word in LIGHT_WORDS if not any(word in has for has in own.values())}
        kept = [word for word in words if word not in GRAMMAR_WORDS | light | {"many"}]
        said = tuple(word for word in kept if not _is_kind(word, kind, own))
        if not said and parts and "and" in words:
            said = parts[-1].words
        parts.append(_Part(name, said, kind, question, asked_text(question, name)))
        start = name.end
    return parts


def _is_kind(word: str, kind: str, own: dict[str, tuple[str, ...]]) -> bool:
    """Whether a word is the noun that says what is asked for, in any number, and not a word of a relation."""
    return same_stem(word, kind) and not any(_says(word, words) for words in own.values())


def _says(word: str, words: Sequence[str]) -> bool:
    """Whether a word is a form of one of the words; `star` is one of `starred`."""
    return any(same_stem(word, other) or same_stem(_undoubled(word), _undoubled(other)) for other in words)


def _undoubled(word: str) -> str:
    """A verb without the consonant that an ending doubles."""
    return _DOUBLED.sub(r"\1\2", word)


def own_words(relations: Sequence[str]) -> dict[str, tuple[str, ...]]:
    """The words of each relation's name."""
    return {relation: tuple(word.text.lower() for word in words_of(spaced(relation))) for relation in relations}


def said_by(words: Sequence[str], own: dict[str, tuple[str, ...]]) -> list[str]:
    """The relations that have all of the words; those with the fewest other words."""
    if not words:
        return []
    fits = {r: len(set(has) - GRAMMAR_WORDS) for r, has in own.items() if all(_says(word, has) for word in words)}
    return [relation for relation, size in fits.items() if size == min(fits.values())]


def _facts(part: _Part, own: dict[str, tuple[str, ...]], around: Around) -> Iterator[Asked]:
    """The facts of a name on the side that the question says, or else on the only side that it has."""
    mention, clause = part.mention, Clause(part.text, (part.mention,), ("e0",), part.words)
    for relation in said_by(part.words, own):
        if says_otherwise(clause, relation):
            continue
        said = side_of(relation, part.question, mention) or said_side(clause, "e0", relation)
        found = facts_with(relation, [mention], [said], around)
        yield from found if len(found) == 1 else ()


def _one_hop(part: _Part, own: dict[str, tuple[str, ...]], around: Around) -> list[FactProgram]:
    return [FactProgram(found_within(asked, ()), (asked.relation,)) for asked in _facts(part, own, around)]


def _intersections(parts: Sequence[_Part], own: dict[str, tuple[str, ...]], around: Around) -> list[FactProgram]:
    """What both names have: both are tails, or both are heads."""
    found = []
    for one, other in product(*(list(_facts(part, own, around)) for part in parts)):
        if one.free_side == other.free_side:
            program = Program()
            program.add(f"set_intersection(set1={program.search(one)}, set2={program.search(other)})")
            found.append(FactProgram(program.text, (one.relation, other.relation)))
    return found
