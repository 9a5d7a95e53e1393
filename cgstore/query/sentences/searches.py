"""get_information in words: the rules of `cgstore.query.rules`, as noun phrases."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from cgstore.query.ast import Argument, Call, Each, Literal, Place
from cgstore.query.comparisons import SUPERLATIVES
from cgstore.query.functions import FURTHER
from cgstore.query.name_uses import is_time_name
from cgstore.query.operands import Names
from cgstore.query.sentences.phrases import IT, Phrase, having, heads, listed, of, plural, quoted
from cgstore.text.names import normal_form

RELATIONS = ("relation", "key", *(key for key, _ in FURTHER))
"""The arguments that are relations or keys."""

MOST_NAMES = 3
"""Nodes that are shown of a name that means several."""

WordOf = Callable[[Argument], Phrase]
"""The phrase of an argument that is an output or a call."""


@dataclass(frozen=True)
class Vocabulary:
    """What the names of a program mean.

    Attributes:
        names: the nodes of each literal, by its place.
        only_tables: whether all sources are tables, so that all heads are rows.
    """

    names: Mapping[Place, Names]
    only_tables: bool = False

    def name(self, literal: Literal) -> str:
        """A name as it was mapped, and as the program writes it where that is another name."""
        named = self.names.get(literal.place)
        nodes = list(dict.fromkeys(named.names)) if named else []
        if not nodes or literal.text in nodes:
            return quoted(literal.text)
        shown = listed([quoted(node) for node in nodes[:MOST_NAMES]], "or")
        more = f" or {len(nodes) - MOST_NAMES:,} more" if len(nodes) > MOST_NAMES else ""
        is_another = normal_form(literal.text) not in {normal_form(node) for node in nodes}
        return f"{shown}{more}{f' (written {quoted(literal.text)})' if is_another else ''}"

    def relation(self, literal: Literal) -> str:
        """A relation, key or column; without quotes if it is made of plain words."""
        shown = self.name(literal)
        inner = shown[1:-1]
        is_plain = shown == f'"{inner}"' and inner.replace("_", "").replace(" ", "").replace("-", "").isalnum()
        return inner if is_plain else shown

    def noun(self, *arguments: Argument) -> str:
        """`rows` where the relations are columns, else `entities`."""
        found = [self.names.get(a.value.place) for a in arguments if isinstance(a.value, Literal)]
        known = [names for names in found if names]
        are_rows = all(names.is_of_tables for names in known) if known else self.only_tables
        return "rows" if are_rows else "entities"


@dataclass(frozen=True)
class Search:
    """The arguments of one get_information, in words.

    Attributes:
        call: the call.
        words: what its names mean.
        phrase: the phrase of an argument that is an output or a call.
    """

    call: Call
    words: Vocabulary
    phrase: WordOf

    def read(self) -> Phrase:
        """The phrase of the call; of a key that is both a qualifier and a property, the two."""
        key = self.call.given("key")
        named = self.words.names.get(key[0].value.place) if key and isinstance(key[0].value, Literal) else None
        is_time = any(isinstance(a.value, Literal) and is_time_name(a.value) for a in key)
        if is_time and (named is None or all(node.built_in for node in named.nodes)):
            found = self.of_facts(is_time=True)
        else:
            nodes = named.nodes if named and not self.further else ()
            are_heads = not self.further and (not nodes or any(node.of_heads for node in nodes))
            readings = [self.of_heads()] if are_heads else []
            if self.further or any(node.of_facts for node in nodes):
                readings.append(self.of_facts(is_time=False))
            found = readings[0]
            if len(readings) > 1:
                found = plural(" or ".join(reading.text for reading in readings))
        if not self.source or found.text.count(self.source):
            return found
        nothing = found.nothing and f"{found.nothing}{self.source}"
        return replace(found, text=f"{found.text}{self.source}", noun="", conditions=(), nothing=nothing)

    @property
    def source(self) -> str:
        """The one source that the call is asked of, to stand behind what is sought there."""
        source = self.call.text("source")
        return f" in {quoted(source)}" if source else ""

    # A key that is a property of heads, or none -----------------------------------------------------------------------

    def of_heads(self) -> Phrase:
        """The phrase where all arguments are about heads."""
        letters = self.call.letters
        conditions = self.conditions(letters)
        if "h" not in letters:
            return self.without_head(letters, conditions)
        head = self.part("head_entity")
        held = self.those(head, conditions)
        if letters == "h":
            return plural("its relations" if head.text == IT else f"the relations of {head.text}")
        if letters in ("ht", "hv", "htkv"):
            name = "value" if letters == "hv" else "tail_entity"
            return plural(f"the relations from {held.text} to a tail {self.compared('', name).strip()}")
        match letters:
            case "hr" | "hk":
                return of(self.relation("relation" if "r" in letters else "key"), head)
            case "hrk":
                return of(self.relation("key"), of(self.relation("relation"), head))
            case "hrkv":
                return of(self.relation("relation"), held)
            case "hrtk":
                return of(self.relation("key"), held)
        return held

    def without_head(self, letters: str, conditions: Sequence[str]) -> Phrase:
        """The phrase of a call without a head_entity."""
        noun = self.words.noun(*self.call.given("relation"), *self.call.given("key")) + self.source
        match letters:
            case "r" | "k":
                return of(self.relation("relation" if letters == "r" else "key"), Phrase(f"all {noun}"))
            case "rk":
                relation = having(self.relation("relation"), noun.partition(" ")[0])
                return of(self.relation("key"), Phrase(f"the {noun} with {relation}"))
            case "rtk":
                return of(self.relation("key"), heads(noun, conditions))
            case "rkv":
                return of(self.relation("relation"), heads(noun, conditions))
            case "":
                return Phrase("nothing")
        return heads(noun, conditions)

    def conditions(self, letters: str) -> list[str]:
        """What the heads satisfy."""
        found = []
        if "r" in letters and "t" in letters:
            found.append(self.compared(self.relation("relation"), "tail_entity"))
        elif "t" in letters and "k" in letters and "v" not in letters:
            found.append(self.compared(self.relation("key"), "tail_entity"))
        elif "t" in letters and "h" not in letters:
            found.append(self.compared(self.any_relation, "tail_entity"))
        if "v" in letters:
            under = "key" if "k" in letters else "relation" if "r" in letters else ""
            name = self.relation(under) if under else self.any_relation
            found.append(self.compared(name, "value"))
        return found

    @property
    def any_relation(self) -> str:
        return "any column" if self.words.only_tables else "any relation"

    def those(self, head: Phrase, conditions: Sequence[str]) -> Phrase:
        """A head, if it satisfies the conditions."""
        if not conditions:
            return head
        if head.text == IT:
            return Phrase(f"it, if it has {listed(conditions)}", are_heads=True)
        if head.is_one:
            lacking = f"{head.text} does not have {listed(conditions)}"
            text = f"{head.text} with {listed(conditions)}"
            return Phrase(text, True, are_heads=True, is_one=True, nothing=lacking)
        lacking = f"none of {head.text} has {listed(conditions)}"
        return Phrase(f"those of {head.text} with {listed(conditions)}", True, are_heads=True, nothing=lacking)

    # A key of whole facts ---------------------------------------------------------------------------------------------

    def of_facts(self, *, is_time: bool) -> Phrase:
        """The phrase where the key is one of facts."""
        letters = self.call.letters
        parts = [f"{word} {self.part(name).some}" for word, name in _PARTS if self.call.given(name)]
        if "t" in letters:
            parts.append(self.compared("tail", "tail_entity"))
        if "v" in letters:
            parts.append(self.compared(self.relation("key"), "value"))
        parts += self.further
        facts = plural(f"the facts with {listed(parts)}" if parts else "all facts")
        if "v" not in letters:
            return of(self.relation("key"), facts)
        if letters in ("kv", "hkv") and is_time:
            return replace(facts, are_facts=True)
        if letters in ("hrkv", "rtkv", "hrtkv"):
            return self.where(letters)
        asked = "relations" if letters == "htkv" else "heads"
        return plural(f"the {asked} of {facts.text}", are_heads=asked == "heads")

    @property
    def further(self) -> list[str]:
        """What else the same statement says."""
        return [self.compared(self.relation(key), value) for key, value in FURTHER if self.call.given(key)]

    def where(self, letters: str) -> Phrase:
        """The heads or tails of one relation where a key of the facts has a value."""
        relation, value = self.relation("relation"), self.compared(self.relation("key"), "value")
        value = " and ".join([value, *self.further])
        if letters == "hrkv":
            return Phrase(f"{of(relation, self.part('head_entity')).text} where {value}")
        condition = [f"{self.compared(relation, 'tail_entity')} where {value}"]
        if "h" in letters:
            return self.those(self.part("head_entity"), condition)
        found = heads(self.words.noun(*self.call.given("relation")), condition)
        return replace(found, noun="", conditions=())

    # Arguments --------------------------------------------------------------------------------------------------------

    def part(self, name: str) -> Phrase:
        """The phrase of an argument that is given once."""
        argument = self.call.given(name)[0]
        if isinstance(argument.value, Literal):
            shown = self.words.relation if name in RELATIONS else self.words.name
            return Phrase(shown(argument.value), is_one=True)
        return Phrase(IT) if isinstance(argument.value, Each) else self.phrase(argument)

    def relation(self, name: str) -> str:
        """A relation or key, as a noun without an article; that of an output is one of its elements."""
        argument = self.call.given(name)[0]
        if isinstance(argument.value, Literal):
            return self.words.relation(argument.value)
        return f"value under {self.part(name).text}"

    def compared(self, what: str, name: str) -> str:
        """What a value satisfies: `Route = "South Line"`, `time >= 1990 and time < 2000`, `the greatest Points`."""
        return " and ".join(comparison(what, argument, self.words, self.phrase) for argument in self.call.given(name))


def comparison(what: str, argument: Argument, words: Vocabulary, phrase: WordOf) -> str:
    """One comparison in words."""
    value = argument.value
    if isinstance(value, Literal):
        superlative = SUPERLATIVES.get(value.text.strip().lower())
        if superlative and not (argument.op == "=" and value.place in words.names):
            least = "least" if superlative.least else "greatest" if superlative.of_numbers else "most"
            of_what = f"{least}{'' if superlative.of_numbers else ' frequent'}"
            return f"are the {of_what} value" if what == "are" else f"the {of_what} {what or 'value'}"
        return f"{what} {argument.op} {words.name(value)}"
    given = Phrase(IT) if isinstance(value, Each) else phrase(argument)
    if argument.op == "=":
        return f"{what} {given.some}" if given.some != given.text else f"{what} = {given.text}"
    return f"{what} {argument.op} {given.text if given.is_one else f'any of {given.text}'}"


_PARTS = (("head", "head_entity"), ("relation", "relation"))
