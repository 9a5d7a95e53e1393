"""Other forms of an English word: singular and plural, and the place that a people or a language is named after."""

from __future__ import annotations

from functools import lru_cache

_ENDINGS = (
    ("ies", ("y",)),
    ("es", ("",)),
    ("s", ("",)),
    ("y", ("ies",)),
    ("ian", ("y", "", "ia")),
    ("an", ("", "a", "y", "any")),
    ("ese", ("", "a")),
    ("ish", ("", "land")),
)
"""Endings of plurals, peoples and languages, with what stands in their place in the other form."""

_PEOPLES = """
    afghan afghanistan, american united states, argentine argentina, argentinian argentina, bangladeshi bangladesh,
    british united kingdom, burmese myanmar, cypriot cyprus, czech czech republic, danish denmark, dutch netherlands,
    emirati united arab emirates, english england, filipino philippines, finnish finland, french france,
    german germany, greek greece,
    icelandic iceland, iraqi iraq, irish ireland, israeli israel, kazakh kazakhstan, kuwaiti kuwait,
    kyrgyz kyrgyzstan, lao laos, malagasy madagascar, nepali nepal, norwegian norway, omani oman, pakistani pakistan,
    peruvian peru, polish poland, portuguese portugal, qatari qatar, saudi saudi arabia, slovak slovakia,
    scottish scotland, somali somalia, spanish spain, swedish sweden, swiss switzerland, tajik tajikistan,
    thai thailand,
    turkish turkey, turkmen turkmenistan, uk united kingdom, us united states, uzbek uzbekistan, welsh wales,
    yemeni yemen
"""
_PLACE_OF = dict(entry.split(maxsplit=1) for entry in _PEOPLES.replace("\n", " ").split(","))
"""Peoples whose places no ending tells."""


@lru_cache(10_000)
def word_forms(word: str) -> tuple[str, ...]:
    """A word in lower case and what may be another form of it: `rivers` and `river`, `austrian` and `austria`."""
    forms = [word]
    if len(word) >= 4:
        forms += [f"{word}s", f"{word}n"]
        for ending, others in _ENDINGS:
            if word.endswith(ending) and len(word) - len(ending) >= 3:
                forms += [word[: -len(ending)] + other for other in others]
    return tuple(dict.fromkeys(forms))


def place_of(people: str) -> str:
    """The place of a people in lower case, such as `thailand` for `thai`; empty if an ending tells it, or nothing."""
    return _PLACE_OF.get(people, "")
