"""Kinds of questions over temporal facts, each with its program, hand-written Cypher, and the answer by definition.

A kind is named by the arguments of get_information that are given: h, r, t, k, v. The hand-written statement is what
one would write who knows the graph and its indexes: one statement, parameters, index hints; it returns the names in
order. The answer is taken from the facts in memory, with nothing of cgstore's.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from random import Random
from typing import Any, NamedTuple

from cgstore import q
from cgstore.model import TimeKey
from cgstore.query.ast import Call
from cgstore.query.build import ArgumentValue, Comparable, text_of
from cgstore.text.names import owned_key

SOURCE = "cron_like"

FEW, SOME, MANY = range(1, 21), range(1, 201), range(21, 5001)


class Fact(NamedTuple):
    """A temporal fact; it holds in each year from start to end."""

    head: str
    relation: str
    tail: str
    start: int
    end: int

    @property
    def years(self) -> range:
        return range(self.start, self.end + 1)


class Facts:
    """Facts in memory, found by their parts."""

    def __init__(self, facts: Sequence[Fact]) -> None:
        self.all = facts
        self._by: dict[tuple[str, ...], dict[tuple[Any, ...], list[Fact]]] = {
            names: defaultdict(list)
            for names in (("head",), ("relation",), ("tail",), ("relation", "tail"), ("year",), ("relation", "year"))
        }
        for names, found in self._by.items():
            for fact in facts:
                for year in fact.years if "year" in names else (None,):
                    found[tuple(year if name == "year" else getattr(fact, name) for name in names)].append(fact)
        self.years = sorted(year for (year,) in self._by["year",])

    def where(self, **given: Any) -> list[Fact]:
        """The facts of the head, relation and tail given, that hold in the year given."""
        indexes = [names for names in self._by if given.keys() >= set(names)]
        lists = [self._by[names].get(tuple(given[name] for name in names), []) for names in indexes]
        year = given.pop("year", None)
        parts = given.items()
        return [
            fact
            for fact in min(lists, key=len)
            if all(getattr(fact, name) == value for name, value in parts) and (year is None or year in fact.years)
        ]


class Question(NamedTuple):
    """A program, the parameters of the hand-written statement, the answer as a set of texts, and its size.

    The size is the number of elements of its largest step: of the answer, or of what was counted or compared for it.
    """

    program: str
    parameters: dict[str, Any]
    gold: frozenset[str]
    size: int


@dataclass(frozen=True)
class Kind:
    """A kind of question: its hand-written Cypher, how one is drawn, and the sizes that are wanted."""

    name: str
    cypher: str
    draw: Callable[[Facts, Random], Question]
    sizes: range = FEW

    def drawn(self, facts: Facts, chance: Random, count: int, like: Iterable[int] | None = None) -> list[Question]:
        """So many different questions, fewer where chance finds no more; of the sizes in `like`, where they are given.

        The parameters are those that the hand-written statement has.
        """
        found: dict[str, Question] = {}
        wanted = None if like is None else list(like)
        used = set(re.findall(r"\$(\w+)", self.cypher))
        for _ in range(100 * count):
            if len(found) == count or wanted == []:
                break
            question = self.draw(facts, chance)
            fits = question.size in (self.sizes if wanted is None else wanted)
            if not fits or not question.gold or question.program in found:
                continue
            if wanted is not None:
                wanted.remove(question.size)
            parameters = {name: value for name, value in question.parameters.items() if name in used}
            found[question.program] = question._replace(parameters=parameters)
        return list(found.values())


# One call, by the arguments given ------------------------------------------------------------------------------------

_PARTS = {"h": "head", "r": "relation", "t": "tail"}
_ASKED = {"": "fact", "h": "fact", "r": "head", "t": "head", "rt": "head", "hr": "tail", "ht": "relation"}
"""By the parts of the fact that are given, the part asked for, where there is no key or the key has its value."""


def _call(letters: str, cypher: str, sizes: range = FEW) -> Kind:
    given = [_PARTS[letter] for letter in letters if letter in _PARTS]
    dated = "v" in letters
    asked = "year" if "k" in letters and not dated else _ASKED["".join(_letter(part) for part in given)]
    asked = "relation" if letters == "h" else asked

    def draw(facts: Facts, chance: Random) -> Question:
        fact = chance.choice(facts.all)
        year = chance.choice(facts.years if letters == "kv" else fact.years)
        parts = {part: getattr(fact, part) for part in given}
        when: dict[str, Comparable] = {"key": "time"} if "k" in letters else {}
        found = facts.where(**parts, **({"year": year} if dated else {}))
        program = _search(parts, **when, **({"value": str(year)} if dated else {}))
        gold = _years_of(found) if asked == "year" else _parts_of(found, asked)
        return _question(program, _parameters(fact) | {"at": year}, gold)

    return Kind(" ".join(letters), cypher, draw, sizes)


def _letter(part: str) -> str:
    return part[0]


def _search(parts: dict[str, str], **more: Comparable) -> Call:
    arguments = {{"head": "head_entity", "tail": "tail_entity"}.get(part, part): name for part, name in parts.items()}
    return q.get_information(**arguments, **more)  # type: ignore[arg-type]


def _parameters(fact: Fact) -> dict[str, Any]:
    return {
        "head": fact.head,
        "relation": owned_key(SOURCE, fact.relation),
        "name": fact.relation,
        "tail": fact.tail,
        "time": owned_key(SOURCE, TimeKey.TIME.value),
        "start": owned_key(SOURCE, TimeKey.START.value),
    }


def _years_of(facts: Iterable[Fact]) -> set[str]:
    return {str(year) for fact in facts for year in fact.years}


def _parts_of(facts: Iterable[Fact], part: str) -> set[str]:
    if part == "fact":
        return {" | ".join((fact.head, fact.relation, fact.tail)) for fact in facts}
    return {getattr(fact, part) for fact in facts}


def _question(program: ArgumentValue, parameters: dict[str, Any], gold: set[str], *steps: int) -> Question:
    assert isinstance(program, Call)
    return Question(text_of(program), parameters, frozenset(gold), max(len(gold), *steps, 0))


_OF_HEAD = """\
MATCH ()-[s:CG_PERIOD {node1: $time, head: $head}]->() USING INDEX SEEK s:CG_PERIOD(node1, head)
"""

_OF_TAIL = """\
MATCH ()-[f:CG_VALUE {node1: $relation, node2: $tail}]->() USING INDEX SEEK f:CG_VALUE(node1, node2)
"""

_THEIR_TIMES = """\
MATCH ()-[s:CG_PERIOD {node1: $time, head: f.head}]->() USING INDEX SEEK s:CG_PERIOD(node1, head)
"""

_AT_THE_YEAR = "s.first <= $at AND s.last >= $at"

_OF_YEAR = f"""\
UNWIND range(0, 21) AS level
MATCH ()-[s:CG_PERIOD {{node1: $time, level: level}}]->() USING INDEX SEEK s:CG_PERIOD(node1, level, first)
WHERE s.first > $at - toInteger(4 ^ level) AND {_AT_THE_YEAR}
"""

_OF_RELATION = """\
MATCH ()-[s:CG_PERIOD {node1: $time, relation: $name}]->() USING INDEX SEEK s:CG_PERIOD(node1, relation, level, first)
WHERE s.level IS NOT NULL AND s.first IS NOT NULL
"""

_OF_RELATION_AND_YEAR = f"""\
UNWIND range(0, 21) AS level
MATCH ()-[s:CG_PERIOD {{node1: $time, relation: $name, level: level}}]->()
USING INDEX SEEK s:CG_PERIOD(node1, relation, level, first)
WHERE s.first > $at - toInteger(4 ^ level) AND {_AT_THE_YEAR}
"""

_YEARS = """
UNWIND range(s.first, s.last) AS year
WITH DISTINCT year ORDER BY year
RETURN toString(year) AS name"""

CALLS = (
    _call("h", "MATCH (:CgNode {key: $head})-[:CG_HAS]->(r) RETURN r.name AS name ORDER BY name"),
    _call("t", "MATCH (:CgNode {key: $tail})<-[f:CG_VALUE]-() RETURN DISTINCT f.condition[0] AS name ORDER BY name"),
    _call(
        "hr",
        "MATCH ()-[f:CG_VALUE {node1: $relation, head: $head}]->(t) USING INDEX SEEK f:CG_VALUE(node1, head)\n"
        "RETURN t.name AS name ORDER BY name",
    ),
    _call("rt", _OF_TAIL + "RETURN f.condition[0] AS name ORDER BY name"),
    _call(
        "ht",
        "MATCH (:CgNode {key: $head})-[:CG_HAS]->(r)\n"
        "MATCH ()-[f:CG_VALUE {node1: r.key, head: $head}]->() USING INDEX SEEK f:CG_VALUE(node1, head)\n"
        "WHERE f.node2 = $tail\n"
        "RETURN r.name AS name ORDER BY name",
    ),
    _call("hk", _OF_HEAD + _YEARS, SOME),
    _call("rk", _OF_RELATION + _YEARS, SOME),
    _call(
        "tk",
        "MATCH (:CgNode {key: $tail})<-[f:CG_VALUE]-()\nWITH DISTINCT f.head AS head\n"
        "MATCH ()-[s:CG_PERIOD {node1: $time, head: head}]->() USING INDEX SEEK s:CG_PERIOD(node1, head)\n"
        "WHERE s.condition[2] = $tail" + _YEARS,
        SOME,
    ),
    _call("hrk", _OF_HEAD + "WHERE s.condition[1] = $name" + _YEARS),
    _call("htk", _OF_HEAD + "WHERE s.condition[2] = $tail" + _YEARS),
    _call("rtk", _OF_TAIL + _THEIR_TIMES + "WHERE s.condition[1] = $name AND s.condition[2] = $tail" + _YEARS, SOME),
    _call("hrtk", _OF_HEAD + "WHERE s.condition[1] = $name AND s.condition[2] = $tail" + _YEARS),
    _call("kv", _OF_YEAR + "RETURN s.condition AS name ORDER BY name"),
    _call("hkv", _OF_HEAD + f"WHERE {_AT_THE_YEAR}\nRETURN s.condition AS name ORDER BY name"),
    _call("rkv", _OF_RELATION_AND_YEAR + "RETURN DISTINCT s.condition[0] AS name ORDER BY name"),
    _call(
        "tkv",
        "MATCH (:CgNode {key: $tail})<-[f:CG_VALUE]-()\nWITH DISTINCT f.head AS head\n"
        "MATCH ()-[s:CG_PERIOD {node1: $time, head: head}]->() USING INDEX SEEK s:CG_PERIOD(node1, head)\n"
        f"WHERE {_AT_THE_YEAR} AND s.condition[2] = $tail\n"
        "RETURN DISTINCT s.condition[0] AS name ORDER BY name",
    ),
    _call(
        "hrkv",
        _OF_HEAD + f"WHERE {_AT_THE_YEAR} AND s.condition[1] = $name\n"
        "RETURN DISTINCT s.condition[2] AS name ORDER BY name",
    ),
    _call(
        "rtkv",
        _OF_TAIL + _THEIR_TIMES + f"WHERE {_AT_THE_YEAR} AND s.condition[1] = $name AND s.condition[2] = $tail\n"
        "RETURN DISTINCT s.condition[0] AS name ORDER BY name",
    ),
    _call(
        "htkv",
        _OF_HEAD + f"WHERE {_AT_THE_YEAR} AND s.condition[2] = $tail\n"
        "RETURN DISTINCT s.condition[1] AS name ORDER BY name",
    ),
)

# Programs of several steps, and bounds --------------------------------------------------------------------------------


def _extreme(
    function: Callable[[ArgumentValue], Call], of_years: Callable[[Iterable[int]], int], extreme: str, name: str
) -> Kind:
    cypher = _OF_HEAD + f"WHERE s.condition[1] = $name\nRETURN toString({extreme}) AS name"

    def draw(facts: Facts, chance: Random) -> Question:
        fact = chance.choice(facts.all)
        parts = {"head": fact.head, "relation": fact.relation}
        years = _years_of(facts.where(**parts))
        program = function(_search(parts, key="time"))
        return _question(program, _parameters(fact), {str(of_years(map(int, years)))}, len(years))

    return Kind(name, cypher, draw)


_AT_THE_EXTREME = """\
WITH {} AS number, collect(DISTINCT s.condition[0]) AS names ORDER BY number{} LIMIT 1
UNWIND names AS name
RETURN name ORDER BY name"""


def _first_head(facts: Facts, chance: Random) -> Question:
    """The heads in the first year of any: r t k, its least, and r t k v."""
    fact = chance.choice(facts.all)
    parts = {"relation": fact.relation, "tail": fact.tail}
    found = facts.where(**parts)
    year = min(fact.start for fact in found)
    program = _search(parts, key="time", value=q.least(_search(parts, key="time")))
    gold = _parts_of(facts.where(**parts, year=year), "head")
    return _question(program, _parameters(fact), gold, len(_years_of(found)))


def _heads_before(facts: Facts, chance: Random) -> Question:
    """The heads in the last year of any before the fact's own start: r t k, kept, their greatest, and r t k v."""
    fact = chance.choice(facts.all)
    parts = {"relation": fact.relation, "tail": fact.tail}
    found = facts.where(**parts)
    earlier = [year for other in found for year in other.years if year < fact.start]
    gold = _parts_of(facts.where(**parts, year=max(earlier)), "head") if earlier else set()
    kept = q.keep(_search(parts, key="time"), q.below(str(fact.start)))
    program = _search(parts, key="time", value=q.greatest(kept))
    return _question(program, _parameters(fact) | {"before": fact.start}, gold, len(_years_of(found)))


def _two(facts: Facts, chance: Random) -> tuple[Fact, Fact, dict[str, Any]]:
    """A fact, another of the same head where there is one, and the parameters of both."""
    fact = chance.choice(facts.all)
    other = chance.choice(facts.where(head=fact.head))
    more = {"other": owned_key(SOURCE, other.relation), "other_tail": other.tail}
    return fact, other, _parameters(fact) | more


def _two_hops(facts: Facts, chance: Random) -> Question:
    """The tails, under another relation, of the heads that have the tail."""
    fact, other, parameters = _two(facts, chance)
    heads = _parts_of(facts.where(relation=fact.relation, tail=fact.tail), "head")
    gold = {found.tail for head in heads for found in facts.where(head=head, relation=other.relation)}
    program = q.get_information(
        head_entity=q.get_information(relation=fact.relation, tail_entity=fact.tail), relation=other.relation
    )
    return _question(program, parameters, gold, len(heads))


def _sets(name: str, function: Callable[..., Call], of: Callable[[set[str], set[str]], set[str]], cypher: str) -> Kind:
    def draw(facts: Facts, chance: Random) -> Question:
        fact, other, parameters = _two(facts, chance)
        calls, heads = [], []
        for each in (fact, other):
            parts = {"relation": each.relation, "tail": each.tail}
            calls.append(_search(parts))
            heads.append(_parts_of(facts.where(**parts), "head"))
        gold = of(*heads) if fact != other else set()
        return _question(function(*calls), parameters, gold, *map(len, heads))

    return Kind(name, cypher, draw)


def _count(facts: Facts, chance: Random) -> Question:
    fact = chance.choice(facts.all)
    parts = {"relation": fact.relation, "tail": fact.tail}
    heads = _parts_of(facts.where(**parts), "head")
    return _question(q.count(_search(parts)), _parameters(fact), {str(len(heads))}, len(heads))


def _within(low: int, high: int) -> Comparable:
    return [q.at_least(str(low)), q.below(str(high))]


def _tails_between(facts: Facts, chance: Random) -> Question:
    fact = chance.choice(facts.all)
    low, high = fact.start - chance.randint(0, 5), fact.end + chance.randint(1, 6)
    parts = {"head": fact.head, "relation": fact.relation}
    gold = {found.tail for found in facts.where(**parts) if found.start < high and found.end >= low}
    parameters = _parameters(fact) | {"low": float(low), "high": float(high)}
    return _question(_search(parts, key="time", value=_within(low, high)), parameters, gold)


def _heads_starting(facts: Facts, chance: Random) -> Question:
    fact = chance.choice(facts.all)
    low = fact.start - chance.randint(0, 2)
    high = fact.start + chance.randint(1, 3)
    gold = {
        found.head
        for year in range(low, high)
        for found in facts.where(relation=fact.relation, year=year)
        if found.start == year
    }
    parameters = _parameters(fact) | {"low": float(low), "high": float(high)}
    program = _search({"relation": fact.relation}, key="start_time", value=_within(low, high))
    return _question(program, parameters, gold)


_OF_OTHER = """\
MATCH ()-[g:CG_VALUE {node1: $other, node2: $other_tail}]->() USING INDEX SEEK g:CG_VALUE(node1, node2)
"""

PROGRAMS = (
    _extreme(q.least, min, "min(s.first)", "first year of h r"),
    _extreme(q.greatest, max, "max(s.last)", "last year of h r"),
    Kind(
        "heads of r t in its first year",
        _OF_TAIL
        + _THEIR_TIMES
        + "WHERE s.condition[1] = $name AND s.condition[2] = $tail\n"
        + _AT_THE_EXTREME.format("s.first", ""),
        _first_head,
        SOME,
    ),
    Kind(
        "heads of r t last before y",
        _OF_TAIL
        + _THEIR_TIMES
        + "WHERE s.condition[1] = $name AND s.condition[2] = $tail AND s.first < $before\n"
        + _AT_THE_EXTREME.format("CASE WHEN s.last < $before THEN s.last ELSE $before - 1 END", " DESC"),
        _heads_before,
        SOME,
    ),
    Kind(
        "two hops: tails of heads of r t",
        _OF_TAIL
        + "MATCH ()-[g:CG_VALUE {node1: $other, head: f.head}]->(t) USING INDEX SEEK g:CG_VALUE(node1, head)\n"
        + "RETURN DISTINCT t.name AS name ORDER BY name",
        _two_hops,
    ),
    _sets(
        "union",
        q.set_union,
        set.union,
        "UNWIND [[$relation, $tail], [$other, $other_tail]] AS pair\n"
        "MATCH ()-[f:CG_VALUE {node1: pair[0], node2: pair[1]}]->() USING INDEX SEEK f:CG_VALUE(node1, node2)\n"
        "RETURN DISTINCT f.condition[0] AS name ORDER BY name",
    ),
    _sets(
        "intersection",
        q.set_intersection,
        set.intersection,
        _OF_OTHER
        + "WITH collect(g.head) AS others\n"
        + _OF_TAIL
        + "WHERE f.head IN others\nRETURN f.condition[0] AS name ORDER BY name",
    ),
    _sets(
        "difference",
        q.set_difference,
        set.difference,
        _OF_OTHER
        + "WITH collect(g.head) AS others\n"
        + _OF_TAIL
        + "WHERE NOT f.head IN others\nRETURN f.condition[0] AS name ORDER BY name",
    ),
    Kind("count of r t", _OF_TAIL + "RETURN count(DISTINCT f.head) AS name", _count),
    Kind(
        "h r k, two bounds",
        _OF_HEAD + "WHERE s.first < $high AND s.last >= $low AND s.condition[1] = $name\n"
        "RETURN DISTINCT s.condition[2] AS name ORDER BY name",
        _tails_between,
    ),
    Kind(
        "r k, two bounds on the start",
        "MATCH ()-[s:CG_VALUE {node1: $start, relation: $name}]->() USING INDEX SEEK s:CG_VALUE(node1, relation, num)\n"
        "WHERE s.num >= $low AND s.num < $high\n"
        "RETURN DISTINCT s.condition[0] AS name ORDER BY name",
        _heads_starting,
    ),
)


def _many(kind: Kind) -> Kind:
    """The same with large answers; by hand they come as one list, which is faster than a row each."""
    cypher = f"CALL () {{\n{kind.cypher}\n}}\nRETURN collect(name) AS names"
    return replace(kind, name=f"{kind.name}, many", cypher=cypher, sizes=MANY)


KINDS = (*CALLS, *PROGRAMS, *(_many(kind) for kind in CALLS if kind.name in ("r t", "k v", "r k v", "r t k v")))
