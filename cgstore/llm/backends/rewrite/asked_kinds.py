"""Whether what has a number is of the kind that a question asks for: companies, people.

A graph may say what things are, under a relation such as `type`: then only these count. Where it says nothing, the noun
must at least not contradict the relation, and a note says what was taken for the kind.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from cgstore.llm.backends import CannotPropose
from cgstore.llm.backends.compose.words import stem
from cgstore.llm.backends.rewrite.dimensions import Measure
from cgstore.llm.graph_view import GraphView, Neighbourhood
from cgstore.mapping.mentions import Mention
from cgstore.source_kinds import GRAPH
from cgstore.text.names import in_words
from cgstore.text.thesaurus import is_kept, lemma, narrower_kinds
from cgstore.text.word_forms import word_forms

MAX_SHOWN = 6
"""Relations that a refusal lists."""

_TYPES = "type kind category class is isa is_a a instance_of type_of kind_of entity_type rdf_type"
_KINDS = frozenset(_TYPES.split())
_BEFORE_KIND = re.compile(r"^(?:rdf|is|has|is of|is an?) (?=\w{4})")
"""What may stand before these: `is a kind of`, `has type`."""

_LABEL = "label"
"""The relation by which a property graph has the labels of its nodes; elsewhere a label is a name."""

ANYTHING = frozenset(["one", "ones", "thing", "things", "item", "items", "entity", "entities", "entry", "entries"])
_ANYBODY = "person people persons human humans individual individuals"
ANYBODY = frozenset(_ANYBODY.split())
PEOPLE = ANYBODY | {"man", "men", "woman", "women"}
_PERSON = ("person", "human", "people")
_BEFORE_NOUN = re.compile(r"\b(?:which|what|how many|all|first|last|\w+est|(?:most|least) \w+)\s+(?:of )?(?:the )?$")
_BEHIND_NOUN = re.compile(r"\s+(?:who|that)\b")
_MAY_BE_PEOPLE = ("er", "or", "ist", "ian", "man", "men", "woman", "women", "ers", "ors", "ists", "ians", "ess")


@dataclass(frozen=True)
class KindFact:
    """A relation that says what things are, with a kind of thing; empty if the graph says nothing of kinds."""

    relation: str = ""
    tail: str = ""
    note: str = ""


def kind_relations(graph: GraphView) -> list[str]:
    """The relations of a graph that say what things are."""
    kinds = [each for each in graph.relations if _says_kind(each)]
    has_labels = any(outline.kind == GRAPH.name for outline in graph.outlines) and _LABEL in graph.relations
    return [*kinds, *([_LABEL] if has_labels else [])]


def _says_kind(relation: str) -> bool:
    name = in_words(relation).replace(":", " ")
    return any(each.replace(" ", "_") in _KINDS for each in (name, _BEFORE_KIND.sub("", name)))


def is_kind(name: Mention, question: str, graph: GraphView) -> bool:
    """Whether a name in lower case is a kind of things in the graph, so that it is a noun of the question.

    It is one if the graph says of something that it is of this kind, or where a noun is expected (`which stout`).
    """
    if name.kind != "entity" or not name.text.islower():
        return False
    tails = graph.relations_of(name.key).tail
    typed = any(each in tails for each in kind_relations(graph))
    if name.name.islower() and " " not in name.name and _BEHIND_NOUN.match(question[name.end :].lower()):
        return True  # `the doctor who ...`
    return typed or bool(tails and _BEFORE_NOUN.search(question[: name.start].lower()))


def may_be_people(noun: str) -> bool:
    """Whether a noun in lower case may be one for people: `engineers`, `child`."""
    return (
        noun.endswith(_MAY_BE_PEOPLE)
        or noun in narrower_kinds("person")
        or noun.removesuffix("s") in narrower_kinds("person")
    )


def forms_of_noun(noun: str) -> list[str]:
    """A noun in lower case, singular and plural; all words for people where it means anybody."""
    forms = [*word_forms(noun)]
    if noun in ANYBODY:
        return [*forms, *(form for each in _PERSON for form in word_forms(each))]
    return [*forms, noun.replace("men", "man")] if noun in PEOPLE else forms


def _kinds_of(relation: str, graph: GraphView) -> tuple[list[str], set[str]]:
    """The relations that say what those are that have a relation, and all their relations, as far as examples tell."""
    heads = graph.heads_of(relation)
    graph.read_around(heads)
    near = {each for head in heads for each in graph.relations_of(head).head}
    return [each for each in kind_relations(graph) if each in near], near


def kind_of(noun: str, who: bool, measure: Measure, graph: GraphView, is_own: bool = False) -> KindFact:
    """What the graph says of the kind that is asked for.

    Args:
        noun: in any number; empty where none is said.
        who: whether people are asked for.
        measure: the relation of numbers.
        graph: what is asked.
        is_own: whether the question names the relation by its own words.

    Raises:
        CannotPropose: the noun is not accounted for.
    """
    if noun in ANYTHING or not (noun or who):
        return KindFact()
    kinds, near = _kinds_of(measure.relation, graph)
    nouns = [noun] if noun and not (who and noun in PEOPLE) else [*_PERSON]
    for form in (form for each in nouns for form in word_forms(each)):
        for mention in graph.possible_mentions(form):
            around = graph.relations_of(mention.key) if mention.kind == "entity" else Neighbourhood((), ())
            if found := next((each for each in kinds if each in around.tail), ""):
                return KindFact(found, mention.name)
            others = [each for each in around.tail if each in near and each != measure.relation]
            if noun and len(others) == 1:
                note = f"'{noun}' is taken for what has '{others[0]}' '{mention.name}'."
                return KindFact(others[0], mention.name, note)
    if kinds:
        raise CannotPropose(f"'{kinds[0]}' in the graph says of nothing that it is '{noun or 'a person'}'")
    _refuse_others(noun, who, measure, graph, is_own)
    what = f"'{noun}'" if noun else "people"
    return KindFact(
        note=f"The graph does not say what things are: all that have '{measure.relation}' are taken for {what}."
    )


def has_kind(relation: str, kind: KindFact, graph: GraphView) -> bool:
    """Whether something that has a relation is of a kind, as far as examples tell."""
    links = graph.links(graph.heads_of(relation)).values()
    own = (link for every in links for link in every if link.as_head and link.relation == kind.relation)
    return any(kind.tail in link.ends for link in own)


def _refuse_others(noun: str, who: bool, measure: Measure, graph: GraphView, is_own: bool) -> None:
    """Refuses a noun that speaks of something else than what has the relation, as far as words and facts tell."""
    relation, people = measure.relation, who or noun in PEOPLE
    if people and not measure.is_of_people and not (who and is_own and not relation.endswith(("ed in", "ed"))):
        raise CannotPropose(f"nothing in the graph says that what has '{relation}' are people")
    if not people and measure.is_of_the_living and not noun.endswith(_MAY_BE_PEOPLE):
        raise CannotPropose(f"nothing in the graph says that what has '{relation}' is '{noun}'")
    for other in graph.relations:
        if other != relation and any(_is_same_word(noun, word) for word in in_words(other).split()):
            raise CannotPropose(
                f"'{noun}' is also a word of the relation '{other}': it is not understood what it asks for"
            )
    if len(groups_of(graph.heads_of(relation), relation, graph)) > 1:
        reason = f"what has '{relation}' is of several kinds, and nothing in the graph says which of it is"
        raise CannotPropose(f"{reason} '{noun or 'a person'}'")


def _is_same_word(noun: str, word: str) -> bool:
    """Whether a noun is a word of a relation in another form; engines are no engineer, who does something with them."""
    is_other = is_kept(noun) or word.endswith(("er", "or"))  # nor is a wine what was won
    return stem(noun) == stem(word) and (lemma(noun) == lemma(word) or not is_other)


def groups_of(heads: Sequence[str], relation: str, graph: GraphView) -> list[set[str]]:
    """The other relations of some heads, in groups that have none in common: several kinds of things."""
    graph.read_around(heads)
    groups: list[set[str]] = []
    for head in heads:
        own = set(graph.relations_of(head).head) - {relation}
        if not own:
            continue
        joined = [each for each in groups if each & own]
        groups = [each for each in groups if not each & own] + [own.union(*joined)]
    return groups


def shown(relations: Sequence[str]) -> str:
    """Relations as a choice: `'area' or 'population'`."""
    return " or ".join(f"'{each}'" for each in relations[:MAX_SHOWN])
