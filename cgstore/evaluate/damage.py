"""Names as an LLM or a person may misspell them, made from real ones by chance: a kind of damage is a function."""

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
    """One letter left out, doubled, replaced, or swapped with its neighbour."""
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
    """Two of them; of names of eight letters and more."""
    return one_typo(one_typo(name, chance), chance) if sum(map(str.isalpha, name)) >= 8 else name


def dropped_word(name: str, chance: Random) -> str:
    """One word left out, of three or more."""
    words = name.split()
    if len(words) < 3:
        return name
    words.pop(chance.randrange(len(words)))
    return " ".join(words)


def swapped_words(name: str, chance: Random) -> str:
    """Two words that follow each other swapped."""
    words = name.split()
    if len(words) < 2:
        return name
    at = chance.randrange(len(words) - 1)
    words[at], words[at + 1] = words[at + 1], words[at]
    return " ".join(words)


def case_and_accents(name: str, chance: Random) -> str:
    """Without accents, in upper or lower case."""
    plain = "".join(c for c in unicodedata.normalize("NFKD", name) if not unicodedata.combining(c))
    return plain.upper() if chance.random() < 0.5 else plain.lower()


def underscores(name: str, chance: Random) -> str:
    """Underscores for blanks."""
    return name.replace(" ", "_")


def no_brackets(name: str, chance: Random) -> str:
    """Without the disambiguation in brackets at its end."""
    return _BRACKETS.sub("", name) or name


def damaged_program(text: str, kind: str, seed: int) -> str:
    """A program with every name in it damaged, the same name in the same way; times, numbers and outputs stay.

    A program that cannot be parsed comes back as it is.
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


DAMAGES: dict[str, Callable[[str, Random], str]] = {
    "one typo": one_typo,
    "two typos": two_typos,
    "a word dropped": dropped_word,
    "words swapped": swapped_words,
    "case and accents": case_and_accents,
    "underscores": underscores,
    "no brackets": no_brackets,
}
"""The kinds of damage; a name that one cannot damage comes back as it is."""
