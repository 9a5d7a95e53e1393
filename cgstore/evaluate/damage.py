"""Damages names as an LLM or a person may misspell them. Each kind of damage is a function of a name and chance."""

from __future__ import annotations

import re
import string
import unicodedata
from collections.abc import Callable
from random import Random

from cgstore.query.name_uses import is_time_name, name_uses
from cgstore.query.parse import ProgramError, parse
from cgstore.text.dates import read_span

_BRACKETS = re.compile(r"\s*\([^()]*\)\s*$")


def one_typo(name: str, chance: Random) -> str:
    """Drops, inserts or replaces one letter, or swaps it with the next one."""
    places = [place for place, character in enumerate(name) if character.isalpha()]
    if len(places) < 4:
        return name
    at = chance.choice(places)
    letter = chance.choice(string.ascii_lowercase)
    match chance.randrange(4):
        case 0:
            return name[:at] + name[at + 1 :]
        case 1:
            return name[:at] + letter + name[at:]
        case 2:
            return name[:at] + letter + name[at + 1 :]
    return name[:at] + name[at + 1 : at + 2] + name[at] + name[at + 2 :]


def two_typos(name: str, chance: Random) -> str:
    """Makes two typos, in a name of eight letters or more."""
    return one_typo(one_typo(name, chance), chance) if sum(map(str.isalpha, name)) >= 8 else name


def dropped_word(name: str, chance: Random) -> str:
    """Drops one word of three or more."""
    words = name.split()
    if len(words) < 3:
        return name
    words.pop(chance.randrange(len(words)))
    return " ".join(words)


def swapped_words(name: str, chance: Random) -> str:
    """Swaps two neighbouring words."""
    words = name.split()
    if len(words) < 2:
        return name
    at = chance.randrange(len(words) - 1)
    words[at], words[at + 1] = words[at + 1], words[at]
    return " ".join(words)


def case_and_accents(name: str, chance: Random) -> str:
    """Removes accents, and writes the name in upper or in lower case."""
    plain = "".join(c for c in unicodedata.normalize("NFKD", name) if not unicodedata.combining(c))
    return plain.upper() if chance.random() < 0.5 else plain.lower()


DAMAGES: dict[str, Callable[[str, Random], str]] = {
    "one typo": one_typo,
    "two typos": two_typos,
    "a word dropped": dropped_word,
    "words swapped": swapped_words,
    "case and accents": case_and_accents,
    "underscores": lambda name, chance: name.replace(" ", "_"),
    "no brackets": lambda name, chance: _BRACKETS.sub("", name) or name,
}
"""The kinds of damage. A name that cannot be damaged in a way stays as it is."""


def damaged_program(text: str, kind: str, seed: int) -> str:
    """Damages every name of a program, equal names in the same way; times, numbers and outputs stay.

    A program that cannot be parsed is returned as it is.
    """
    try:
        program = parse(text)
    except ProgramError:
        return text
    uses = {use.literal.place: use.literal.text for use in name_uses(program) if not is_time_name(use.literal)}
    for (start, end), name in sorted(uses.items(), reverse=True):
        if read_span(name) is None:
            damaged = DAMAGES[kind](name, Random(f"{seed} {name}")).replace("\\", "\\\\").replace("'", "\\'")
            text = f"{text[:start]}'{damaged}'{text[end:]}"
    return text
