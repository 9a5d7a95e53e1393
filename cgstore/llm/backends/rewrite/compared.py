"""Questions that compare: which mayors of York never won the cup, and who of two was mayor for longer.

They are parted into questions for sets, of which `reduction` makes a program.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from cgstore.llm.backends.rewrite.limits_of_time import Marked
from cgstore.text.word_forms import in_the_past

_LONGER = re.compile(
    r"^(?P<main>(?:who|which)\b.*<e\d+>.*?)(?: for)?(?: the)? (?:longer|longest)\W+"
    r"(?:the )?<e(?P<one>\d+)> or (?:the )?<e(?P<other>\d+)>\W*$",
    re.IGNORECASE,
)
_WITHOUT = re.compile(
    r"^(?:which|what)(?: of the)? (?P<what>(?:[a-z]+ )+(?:of|at|in|for) (?:the )?<e\d+>)"
    r"(?: (?P<verb>was|were|did|has|have|had)(?: not| never|n't)| never)(?: ever)? (?P<rest>.*<e\d+>.*)$",
    re.IGNORECASE,
)
"""Those that have one thing and not another: `which mayors of York never won the Amber Cup`."""


@dataclass(frozen=True)
class Compared:
    """A question for a set, and what is asked of it: to be without a second set, or the longest of two names."""

    word: str
    first: str
    second: str = ""
    among: tuple[str, ...] = ()


def compared(found: Marked) -> Compared | None:
    """The parts of a question that compares; None if it does not."""
    if match := _WITHOUT.search(found.text):
        verb, rest = (match["verb"] or "").lower(), match["rest"]
        rest = in_the_past(rest) if verb == "did" else f"{verb} {rest}".strip()
        return Compared("never", found.restored(f"Who was {match['what']}?"), found.restored(f"Who {rest}"))
    if match := _LONGER.search(found.text):
        names = tuple(found.names[int(match[side])].name for side in ("one", "other"))
        return Compared("longer", f"{found.restored(match['main'])}?", among=names)
    return None
