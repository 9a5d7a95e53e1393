"""The check of a program that stands apart from the model: which words of the question it answers to, and which not.

A word is accounted for if the name of an entity in the program is said with it, if it is akin to a relation or a source
of the program, or if it goes with something that the program does: *average* with a mean, *before* with a bound,
*when* with a date. What goes with which word is learnt from questions with programs (`finetune.lexicon`); words that
go with nothing, as *please* and *the* do, need no account. Nothing here knows what the model thought.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from cgstore.llm.small.notation import TIME_KEYS
from cgstore.llm.small.prompt import Prompt, alike
from cgstore.llm.small.weights import LEXICON, beside
from cgstore.mapping.mentions import GRAMMAR_WORDS, words_of
from cgstore.query.ast import Argument, Call, Literal
from cgstore.query.functions import SEARCH
from cgstore.text.names import normal_form
from cgstore.text.numbers import read_number

_DECISIVE = """
    after before between both during each either every except fewer first last least less more most neither never no nor
    not only or same since than until without
"""
DECISIVE = frozenset(_DECISIVE.split())
"""Function words that change what is asked: a program that does not answer to one of them answers another question."""

_FAMILIES = {
    "an extreme": "does min, does max, does argmin, does argmax, does mode, does first, does last, does nth, "
    "does sort, value min, value max, value most, value least, does next_row, does previous_row",
    "a comparison": "is less, is more, does compare, does if, does greater_than, does less_than, does equals, "
    "does difference, does subtract, does year_difference, does month_difference, does day_difference",
    "an exclusion": "does set_difference, does set_negation, value no, value n, value ",
    "a time": "key time, key start_time, key end_time, gives date",
    "several": "does group, does for_each, does select, does set_union",
}
_FAMILY = {trait: family for family, traits in _FAMILIES.items() for trait in traits.split(", ")}
"""What different parts of the language have in common: a word that goes with one of them may be answered by another."""

_NUMBER = re.compile(r"\d[\d.,]*\d|\d")
_LITERALS = ("tail_entity", "value", "head_entity", "where_value", "where_value2")


@dataclass(frozen=True)
class Lexicon:
    """What words go with: for each word, traits of programs. `plain` are frequent words that go with nothing."""

    goes_with: Mapping[str, frozenset[str]]
    plain: frozenset[str]


@dataclass(frozen=True)
class Account:
    """How a question and a program answer to each other.

    Attributes:
        parts: the parts of the program, in words, each with the words of the question that it answers to.
        unused: words of the question that carry meaning and that no part answers to.
        ignored: those of them that change what is asked: decisive function words and numbers.
        unsaid: names of relations in the program that no word answers to.
    """

    parts: tuple[tuple[str, tuple[str, ...]], ...]
    unused: tuple[str, ...]
    ignored: tuple[str, ...]
    unsaid: tuple[str, ...]

    def text(self) -> str:
        """The account in one line: `score: score; quarry top: Site = Quarry Top; nothing: stand`."""
        said = [f"{' '.join(words) or 'nothing'}: {part}" for part, words in self.parts]
        return "; ".join([*said, *([f"no part: {', '.join(self.unused)}"] if self.unused else [])])


@cache
def lexicon_of(adapter: Path | None) -> Lexicon:
    """The lexicon that was learnt with an adapter, or with the shipped one."""
    record = beside(adapter, LEXICON)
    goes_with = {word: frozenset(traits) for word, traits in record["goes_with"].items()}
    return Lexicon(goes_with, frozenset(record["plain"]))


def account_for(question: str, prompt: Prompt, call: Call, lexicon: Lexicon) -> Account:
    """The account of a program in the names of its prompt."""
    places = words_of(question)
    words = [word.text.lower() for word in places]
    traits = traits_of(call, prompt)
    names = list(dict.fromkeys(_names(call)))
    values = list(dict.fromkeys(_values(call)))
    by_part: dict[str, list[str]] = {part: [] for part in (*names, *values)}
    used: set[int] = set()
    for part in by_part:
        said = normal_form(prompt.said.get(part, part)).split() if part in values else []
        for place, word in enumerate(words):
            form = normal_form(word)
            if form in said or (part in names and any(alike(form, other) for other in normal_form(part).split())):
                by_part[part].append(word)
                used.add(place)
    numbers = {number for value in values if (number := read_number(value)) is not None}
    written = [match.span() for match in _NUMBER.finditer(question) if read_number(match[0]) in numbers]
    used |= {place for place, word in enumerate(places) if any(a <= word.start and word.end <= b for a, b in written)}
    titles = [word for source in prompt.sources for word in normal_form(source).split()]
    left = [
        (place, word)
        for place, word in enumerate(words)
        if place not in used
        and not (lexicon.goes_with.get(word, frozenset()) & traits)
        and not any(alike(normal_form(word), title) for title in titles)
    ]
    unused = [word for _, word in left if _carries_meaning(word, lexicon)]
    ignored = [word for _, word in left if (word in DECISIVE and word in lexicon.goes_with) or word.isdecimal()]
    unsaid = [name for name in names if not by_part[name] and not _is_implied(name, call, prompt)]
    parts = tuple((part, tuple(said)) for part, said in by_part.items())
    return Account(parts, tuple(dict.fromkeys(unused)), tuple(dict.fromkeys(ignored)), tuple(unsaid))


def traits_of(call: Call, prompt: Prompt) -> frozenset[str]:
    """What a program does, in the terms of the lexicon: its functions, comparisons, qualifiers, the words of its
    relations, and the role of what it gives."""
    calls = list(call.all_calls())
    traits = {f"does {each.function}" for each in calls if each.function not in (SEARCH, "heads")}
    for each in calls:
        for argument in each.arguments:
            traits.update(_of_argument(argument))
    for name in _names(call):
        traits.update(f"names {word}" for word in normal_form(name).split())
    given = _given(call)
    if given and (role := prompt.roles.get(given)):
        traits.add(f"gives {role}")
    if len([each for each in calls if each.function == SEARCH]) > 1:
        traits.add("has hops")
    return frozenset(traits | {_FAMILY[trait] for trait in traits if trait in _FAMILY})


def _of_argument(argument: Argument) -> Iterator[str]:
    if argument.op in ("<", "<="):
        yield "is less"
    elif argument.op in (">", ">="):
        yield "is more"
    if isinstance(argument.value, Literal):
        text = argument.value.text
        if argument.name in ("key", "where_key"):
            yield f"key {text}" if text in TIME_KEYS else "key"
        if argument.name in _LITERALS and text in ("max", "min", "most", "least", "yes", "no", "y", "n", ""):
            yield f"value {text}"
        if argument.name in ("function", "order", "unit"):
            yield f"{argument.name} {text}"


def _given(call: Call) -> str:
    """The relation whose values a program gives, or empty."""
    while call.function in ("first", "last", "max", "min", "sort", "distinct") and isinstance(
        call.arguments[0].value, Call
    ):
        call = call.arguments[0].value
    named = {a.name: a.value for a in call.arguments}
    relation = named.get("relation")
    gives_heads = "tail_entity" in named or call.function != SEARCH
    return "" if gives_heads or not isinstance(relation, Literal) else relation.text


def _names(call: Call) -> Iterator[str]:
    for each in call.all_calls():
        for argument in each.arguments:
            is_name = argument.name in ("relation", "key", "by", "of", "column")
            if is_name and isinstance(argument.value, Literal) and argument.value.text not in TIME_KEYS:
                yield argument.value.text


def _values(call: Call) -> Iterator[str]:
    for each in call.all_calls():
        for argument in each.arguments:
            is_set = argument.name.rstrip("0123456789") in ("set", "value")
            if (argument.name in _LITERALS or is_set) and isinstance(argument.value, Literal):
                yield argument.value.text


def _is_implied(name: str, call: Call, prompt: Prompt) -> bool:
    """Whether a relation needs no word: a value said in the question is compared with it, or it names what is given."""
    for each in call.all_calls():
        for key, value in (("relation", "tail_entity"), ("key", "value")):
            named = [a.value.text for a in each.given(key) if isinstance(a.value, Literal)]
            if name in named and any(
                isinstance(a.value, Literal) and a.value.text in prompt.said for a in each.given(value)
            ):
                return True
    return prompt.roles.get(name) == "label" and _given(call) == name


def _carries_meaning(word: str, lexicon: Lexicon) -> bool:
    if word in GRAMMAR_WORDS:
        return word in DECISIVE
    return word not in lexicon.plain and len(word) > 1
