"""Noun phrases: what a call gives, in words, with what is needed to put it into other phrases and sentences."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

LONGEST_NAME = 200
"""Characters of a name in a sentence."""

_BARE = re.compile(r"[+-]?\d[\d.,]*%?|\d{4}-\d\d(?:-\d\d)?")

IT = "it"
"""The phrase for the element at hand, in a call that is run for each."""


@dataclass(frozen=True)
class Phrase:
    """A noun phrase.

    Attributes:
        text: the phrase with its article, such as `the Ship of the rows with Route = "South Line"`.
        plural: whether its verb stands in the plural.
        noun: `rows` or `entities` where the phrase is these `conditions` on heads, so that more can be added.
        conditions: what the heads satisfy, such as `Route = "South Line"`.
        are_heads: whether it is of rows or entities rather than of values.
        are_facts: whether it is of whole facts.
        has_numbers: whether each element has a number of its own.
        is_one: whether it is of one thing: a name, or what an aggregate gives.
        holds: of a yes or no, what `yes` says.
        fails: of a yes or no, what `no` says.
        nothing: what is said where there is nothing, if not that none is known.
    """

    text: str
    plural: bool = False
    noun: str = ""
    conditions: tuple[str, ...] = ()
    are_heads: bool = False
    are_facts: bool = False
    has_numbers: bool = False
    is_one: bool = False
    holds: str = ""
    fails: str = ""
    nothing: str = ""

    @property
    def are(self) -> str:
        """The verb."""
        return "are" if self.plural else "is"

    @property
    def some(self) -> str:
        """The phrase where it stands for several things, such as the heads of facts."""
        return self.text if self.is_one or self.text == IT else f"among {self.text}"

    def within(self, text: str, *, plural: bool | None = None) -> Phrase:
        """A phrase of the same things, to which no more conditions can be added."""
        is_plural = self.plural if plural is None else plural
        return replace(self, text=text, plural=is_plural, noun="", conditions=(), is_one=False, nothing="")

    @property
    def bare(self) -> str:
        """The phrase without its article."""
        return self.text.removeprefix("the ")


def heads(noun: str, conditions: Sequence[str]) -> Phrase:
    """Rows or entities that satisfy all conditions."""
    return Phrase(f"the {noun} with {listed(conditions)}", True, noun, tuple(conditions), are_heads=True)


def plural(text: str, *, are_heads: bool = False) -> Phrase:
    """A phrase in the plural."""
    return Phrase(text, True, are_heads=are_heads)


def of(what: str, whose: Phrase) -> Phrase:
    """What something has: `the Ship of ...`, or `its Ship` of the element at hand."""
    return Phrase(f"its {what}" if whose.text == IT else f"the {what} of {whose.text}")


def having(what: str, noun: str) -> str:
    """That something is there: `a value under out` of a column of rows, `an employer` of entities."""
    article = "an" if what[:1].lower() in "aeio" else "a"
    return f"a value under {what}" if noun == "rows" else f"{article} {what}"


def listed(texts: Sequence[str], word: str = "and") -> str:
    """Texts with commas and a word between them: `a, b and c`."""
    return f" {word} ".join(filter(None, (", ".join(texts[:-1]), *texts[-1:])))


def quoted(text: str) -> str:
    """A name in double quotes; a number or date as it is."""
    if _BARE.fullmatch(text):
        return text
    shown = " ".join(text.split()) if text.strip() else text
    return f'"{shown if len(shown) <= LONGEST_NAME else shown[:LONGEST_NAME] + "..."}"'


def capital(text: str) -> str:
    """A text that begins a sentence."""
    return text[:1].upper() + text[1:]
