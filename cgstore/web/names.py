"""Candidates for the names of an answer, and programs with names replaced."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from cgstore.errors import NoModel
from cgstore.mapping.fuzzy import AMBIGUOUS
from cgstore.mapping.mentions import Mention
from cgstore.model import Answer
from cgstore.model import Mapping as NameMapping
from cgstore.query.build import quote
from cgstore.query.name_uses import name_uses
from cgstore.query.parse import parse

if TYPE_CHECKING:
    from cgstore.store import Store

MOST_CANDIDATES = 6
"""Candidates shown for one name."""

LEAST = 0.4
"""Score from which a candidate is shown."""

MOST_NAMES = 30
"""Names of one answer that are shown."""


def names_of(store: Store, answer: Answer, sources: Sequence[str] | None) -> list[dict[str, Any]]:
    """Returns the names that an answer maps, each with its nodes and other candidates, best first.

    `is_doubtful` says that another candidate fits as well as the node that was taken.
    """
    by_name: dict[tuple[str, str], list[NameMapping]] = {}
    for mapping in answer.mappings:
        by_name.setdefault((mapping.role, mapping.name), []).append(mapping)
    grouped = dict(list(by_name.items())[:MOST_NAMES])
    candidates: dict[tuple[str, str], list[dict[str, Any]]] = {}
    for role in dict.fromkeys(role for role, _ in grouped):
        candidates.update(_candidates(store, [name for each, name in grouped if each == role], role, sources))
    return [_shown(mappings, candidates[role, name]) for (role, name), mappings in grouped.items()]


def _candidates(
    store: Store, names: list[str], role: str, sources: Sequence[str] | None
) -> dict[tuple[str, str], list[dict[str, Any]]]:
    try:
        encoder = store.graph_encoder()
    except NoModel:  # by spelling alone
        encoder = None
    found = store.map(names, role, sources, top=MOST_CANDIDATES, encoder=encoder)
    return {(role, name): candidates_of(some) for name, some in found}


def candidates_of(candidates: Iterable[Any]) -> list[dict[str, Any]]:
    """Returns candidates as JSON, each node once."""
    best: dict[str, dict[str, Any]] = {}
    for c in candidates:
        if c.score < LEAST:
            continue
        best.setdefault(c.name, {"node": c.name, "score": round(c.score, 3), "how": c.how, "another": c.another})
    return list(best.values())


def _shown(mappings: Sequence[NameMapping], candidates: list[dict[str, Any]]) -> dict[str, Any]:
    first, nodes = mappings[0], [mapping.node for mapping in mappings]
    others = [each for each in candidates if each["node"] not in nodes]
    is_guess = first.how not in ("exact", "alias", "number", "normalised")
    equal = [each for each in others if is_guess and not each["another"] and each["score"] >= first.score - AMBIGUOUS]
    return {
        "name": first.name,
        "role": first.role,
        "nodes": nodes,
        "how": first.how,
        "score": first.score,
        "others": others,
        "is_doubtful": bool(equal) or (len(nodes) > 1 and first.how != "alias"),
    }


def questions_back(question: str, found: Sequence[Mention], answer: Answer) -> list[dict[str, Any]]:
    """Returns ambiguous places of a question, each with the questions that name one node.

    Args:
        question: as it was asked.
        found: the names that were found in it; those of one place are several meanings.
        answer: its answer; a node that its program names is marked as the one that was taken.
    """
    places: dict[tuple[int, int], list[str]] = {}
    for mention in found:
        if mention.kind == "entity":
            places.setdefault((mention.start, mention.end), []).append(mention.name)
    several = {place: names for place, names in places.items() if len(set(names)) > 1}
    taken = {mapping.node for mapping in answer.mappings}
    return [
        {
            "name": question[start:end],
            "choices": [
                {"node": name, "question": f"{question[:start]}{name}{question[end:]}", "taken": name in taken}
                for name in dict.fromkeys(names)
            ],
        }
        for (start, end), names in several.items()
        if names and question[start:end] not in names
    ]


def replace_names(program: str, replacements: Sequence[tuple[str, str, str]]) -> str:
    """Replaces names in a program.

    Args:
        program: in the LLM query language.
        replacements: a name of the program, its role, and the name that stands in its place.

    Raises:
        ProgramError: the program is malformed.
    """
    wanted = {(name, role): node for name, role, node in replacements}
    uses = name_uses(parse(program, undefined=True)) if wanted else []
    nodes = {use.literal.place: wanted.get((use.literal.text, str(use.role))) for use in uses}
    text = program
    for (start, end), node in sorted(nodes.items(), reverse=True):
        if node is not None:
            text = text[:start] + quote(node) + text[end:]
    return text
