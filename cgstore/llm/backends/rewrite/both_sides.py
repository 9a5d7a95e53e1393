"""Relations that hold both ways, of which a program asks only one: `Who was Ann married to?`."""

from __future__ import annotations

import re
from collections import defaultdict
from dataclasses import replace

from cgstore.llm.backends import Decision, Run
from cgstore.llm.backends.rewrite.fact_asked import RELATION, Program
from cgstore.llm.backends.rewrite.relation_words import is_mutual
from cgstore.llm.graph_view import GraphView

_SEARCH = re.compile(r"(head|tail)_entity='((?:[^'\\]|\\.)*)'")
_SIDE = re.compile(r"\b(head|tail)_entity=")
_ALONE = re.compile(r'Query1: "(get_information\(.*)"')
_OTHER = {"head": "tail", "tail": "head"}


def of_both_sides(decision: Decision, graph: GraphView, run: Run) -> Decision:
    """The decision about both sides of a relation that holds both ways, where a name was looked for on one only.

    Whoever is `married to` somebody in one fact may be the one who was married in another. A program of several steps
    is refused.
    """
    one_sided = _one_sided(decision.chosen.program, graph) if decision.chosen else None
    if decision.chosen is None or one_sided is None:
        return decision
    if alone := _ALONE.fullmatch(decision.chosen.program):
        program = Program(decision.chosen.program)
        one, other = program.last, program.add(_SIDE.sub(lambda side: f"{_OTHER[side[1]]}_entity=", alone[1]))
        program.add(f"set_union(set1={one}, set2={other})")
        attempt = run(program.text)
        if attempt.answered:
            return replace(decision, chosen=attempt, attempts=(*decision.attempts, attempt))
    relation, name = one_sided
    reason = f"'{relation}' holds both ways, and '{name}' stands on both sides, of which only one was asked about"
    return Decision(None, attempts=(), warnings=(reason,), usage=decision.usage)


def _one_sided(program: str, graph: GraphView) -> tuple[str, str] | None:
    """A relation that holds both ways with a name that is looked for on one side only, and stands on both."""
    sides: dict[tuple[str, str], set[str]] = defaultdict(set)
    for line in program.splitlines():
        relation, names = RELATION.search(line), _SEARCH.findall(line)
        if relation and is_mutual(relation[1]) and len(names) == 1 and not names[0][1].startswith("output_of"):
            sides[relation[1], names[0][1].replace("\\'", "'")].add(names[0][0])
    for (asked, name), said in sides.items():
        keys = {each.key for each in graph.mentions(name) if each.name == name}
        around = [graph.relations_of(key) for key in keys]
        if len(said) == 1 and any(asked in each.head and asked in each.tail for each in around):
            return asked, name
    return None
