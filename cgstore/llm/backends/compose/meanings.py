"""Words that ask for what columns call otherwise: `oldest` for an age or a date, `cheap` for a price."""

from __future__ import annotations

from cgstore.llm.backends.compose.words import stem

_MEANS = {
    "high tall low lowest highest": "elevation altitude high",
    "long short shortest": "duration pages time distance runtime length",
    "old oldest": "age birth year date founded established built opened",
    "young youngest": "age birth date",
    "new newest late latest early earliest": "year date opened built",
    "cheap cheapest expensive cost price": "price cost fare fee",
    "earn paid income": "salary income wage pay prize earnings money",
    "heavy heaviest weigh": "weight mass",
    "kilo kilos kilogram kg gram tonne ton pound": "weight mass kg kilo",
    "litre liter gallon pint": "volume litre liter capacity",
    "euro dollar money": "price cost amount",
    "large largest big biggest small smallest": "area size population capacity",
    "fast fastest slow slowest": "time speed",
    "far farthest": "distance",
    "people": "player name coach driver population",
    "live inhabitants": "city residence address population",
    "position rank place": "position rank place location venue",
    "team club": "team club",
    "country nation": "country nation nationality",
    "attend crowd": "attendance crowd",
    "stadium": "venue arena ground",
    "author write": "author writer",
    "play": "date",
}
MEANT = {stem(word): set(map(stem, names.split())) for words, names in _MEANS.items() for word in words.split()}
"""Words that ask for what columns call otherwise: the stems of the columns' words, by the stem of the question's."""


def means(form: str, stems: tuple[str, ...]) -> bool:
    """Whether a word names a column by a word of its name, or by its meaning."""
    own = stem(form)
    return own in stems or not MEANT.get(own, set()).isdisjoint(stems)
