"""The relationships of the condition graph: those of now, or those that a source had after an earlier change.

A change marks what it adds with its number (`added`). What it removes gets another type, such as CG_WAS_VALUE for
CG_VALUE, and the number of the change (`removed`), so that a search of the present never meets it. After change n, a
source has what was added up to n, without what was removed up to n. A hint for an index takes one type alone, so that
a search of the past has a part for each of the two types.
"""

from __future__ import annotations

import re

from cgstore.cypher.compile.context import CompileContext

_PATTERN = re.compile(r"\((?P<start>\w*)\)-\[(?P<own>\w+):(?P<type>CG_VALUE|CG_PERIOD) .*\]->\((?P<end>\w*)\)")


def seek(
    pattern: str, index: str, context: CompileContext, *tests: str, is_optional: bool = False, end: str = ""
) -> list[str]:
    """Lines that bind the relationship of a pattern, and its ends, by an index.

    The index is given as a hint: the planner would else scan while the graph is small, or take the wrong one.

    Args:
        pattern: from node to node, such as `(r)-[f:CG_VALUE {node1: relation}]->(t)`; the variables are new.
        index: the properties of the index.
        context: the names in force.
        tests: conditions on what is bound.
        is_optional: whether null is bound where nothing is found.
        end: the ORDER BY and LIMIT of the caller, so that no more is read of each type than of one.
    """
    found = _PATTERN.fullmatch(pattern)
    assert found, "a pattern goes from node to node, over one relationship"
    own, live = found["own"], found["type"]

    def lines(match: str, type_: str, *conditions: str) -> list[str]:
        where = [f"WHERE {' AND '.join(conditions)}"] if conditions else []
        return [f"{match} {pattern.replace(live, type_)}", f"USING INDEX SEEK {own}:{type_}({index})", *where]

    if not context.is_past:
        return lines("OPTIONAL MATCH" if is_optional else "MATCH", live, *tests)
    returned = f"RETURN {', '.join(name for name in found.group('start', 'own', 'end') if name)} {end}".rstrip()
    added, removed = f"coalesce({own}.added, 0) <= {_change(own, context)}", f"{own}.removed > {_change(own, context)}"
    present = [*lines("MATCH", live, *tests, added), returned]
    past = [*lines("MATCH", _was(live), *tests, added, removed), returned]
    call = "OPTIONAL CALL" if is_optional else "CALL"
    return [f"{call} (*) {{", *(f"  {line}" for line in (*present, "UNION ALL", *past)), "}"]


def types(live: str, context: CompileContext) -> str:
    """The types of a relationship that is found by its node, given that of the present; `known` tests it."""
    return f"{live}|{_was(live)}" if context.is_past else live


def known(variable: str, context: CompileContext) -> list[str]:
    """The conditions on a relationship of `types`: none in the present."""
    if not context.is_past:
        return []
    change = _change(variable, context)
    return [f"coalesce({variable}.added, 0) <= {change}", f"coalesce({variable}.removed > {change}, true)"]


def _change(variable: str, context: CompileContext) -> str:
    """An expression for the change after which the source of a relationship is asked."""
    return f"{context.changes()}[{variable}.source]"


def _was(live: str) -> str:
    return live.replace("CG_", "CG_WAS_")
