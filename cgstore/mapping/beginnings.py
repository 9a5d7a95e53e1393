"""The names that begin with what a user has typed so far (read-only)."""

from __future__ import annotations

import re

from cgstore.cypher.connection import Database
from cgstore.text.names import normal_form

MOST_WORDS = 5
"""Words before the cursor that may be the beginning of one name."""

LEAST_CHARACTERS = 2
"""Characters of the shortest beginning."""

MOST_NAMES = 12
"""Names offered for one beginning."""

_NAMES = """
UNWIND $forms AS form
CALL (form) {
  MATCH (n:CgNode) USING INDEX n:CgNode(normal)
  WHERE n.normal STARTS WITH form AND NOT n:CgLine
  WITH DISTINCT n.name AS name LIMIT $looked_at
  RETURN name ORDER BY size(name), name LIMIT $most
}
RETURN form, collect(name) AS names
"""

_LOOKED_AT = 500
"""Names of one beginning from which the shortest are taken."""


def names_beginning(db: Database, typed: str) -> tuple[str, list[str]]:
    """The end of a text (before the cursor) with which names begin, in any case, and these names, the shortest first.

    The text is of a question, or of a program, where a name begins after a quote.
    """
    ends = {normal_form(end): end for end in _ends(typed)}
    forms = [form for form in ends if len(form) >= LEAST_CHARACTERS]
    if not forms:
        return "", []
    rows = db.read(_NAMES, {"forms": forms, "looked_at": _LOOKED_AT, "most": MOST_NAMES})
    found = {row["form"]: row["names"] for row in rows if row["names"]}
    longest = next((form for form in forms if form in found), None)
    return (ends[longest], found[longest]) if longest is not None else ("", [])


def _ends(typed: str) -> list[str]:
    """The ends of a text that may begin a name, the longest first."""
    quoted = [part for quote in ("'", '"') if typed.count(quote) % 2 for part in [typed.rpartition(quote)[2]]]
    starts = [match.start() for match in re.finditer(r"(?<!\S)\S", typed)][-MOST_WORDS:]
    ends = [typed[start:].lstrip("\"'(") for start in starts]
    return [end for end in dict.fromkeys([*quoted, *ends]) if end.strip()]
