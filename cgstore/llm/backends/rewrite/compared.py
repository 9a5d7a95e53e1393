"""Questions that compare: which mayors of York never won the cup, who no longer is one, and who was it for longer.

They are parted into questions for sets, of which `reduction` makes a program.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from cgstore.llm.backends.rewrite.limits_of_time import Marked
from cgstore.text.word_forms import in_the_past

_LONGER = re.compile(
    r"^(?P<main>(?:who|which)\b.*?)(?: for)?(?: the)? (?:longer|longest)\b(?P<rest>(?: [^,]*<e\d+>)?)\W+"
    r"(?:the )?<e(?P<one>\d+)> or (?:the )?<e(?P<other>\d+)>\W*$",
    re.IGNORECASE,
)
_WITHOUT = re.compile(
    r"^(?:which|what)(?: of the)? (?P<what>(?:(?:[a-z-]+ )+(?:of|at|in|for) )?(?P<name>(?:the )?<e\d+>))"
    r"(?: (?P<verb>was|were|did|has|have|had)(?: not| never|n't)| never)(?: ever)? (?P<rest>.*)$",
    re.IGNORECASE,
)
"""Those that have one thing and not another: `which mayors of York never won the Amber Cup`."""
_WHOSE = re.compile(r"\b(?:its|his|her|their) (?P<noun>[a-z -]+?)(?=\W*$)", re.IGNORECASE)
_THERE = re.compile(r"\bthere\b", re.IGNORECASE)
_NO_LONGER = re.compile(
    r"\b(?P<verb>is|are|does|do|has|have)?(?P<subject>(?: the)? <e\d+>)? ?\b(?:no longer\b|not\b(?=.* any ?more\b))",
    re.IGNORECASE,
)
_ANY_MORE = re.compile(r" any ?more\b", re.IGNORECASE)
_PAST = {"is": "was", "are": "were", "does": "did", "do": "did", "has": "did", "have": "did"}


@dataclass(frozen=True)
class Compared:
    """A question for a set, and what is asked of it: to be without a second set, no longer, or longest of two names."""

    word: str
    first: str
    second: str = ""
    among: tuple[str, ...] = ()


def compared(found: Marked) -> Compared | None:
    """The parts of a question that compares; None if it does not."""
    if match := _WITHOUT.search(found.text):
        verb, rest = (match["verb"] or "").lower(), _of_name(match["rest"], match["name"])
        rest = in_the_past(rest) if verb == "did" else f"{verb} {rest}".strip()
        if "<e" in rest:
            return Compared("never", found.restored(f"Who was {match['what']}?"), found.restored(f"Who {rest}"))
    if match := _NO_LONGER.search(found.text):
        return Compared("no longer", found.restored(_ANY_MORE.sub("", _NO_LONGER.sub(_once, found.text, count=1))))
    if match := _LONGER.search(found.text):
        names = tuple(found.names[int(match[side])].name for side in ("one", "other"))
        main = f"{match['main']}{match['rest']}"
        return Compared("longer", f"{found.restored(main)}?", among=names) if "<e" in main else None
    return None


def _of_name(text: str, name: str) -> str:
    """The text with a name for what refers to it: `mayor of York` for `its mayor`."""
    return _THERE.sub(f"at {name}", _WHOSE.sub(lambda match: f"{match['noun']} of {name}", text))


def _once(match: re.Match[str]) -> str:
    verb = match["verb"]
    return f"{_PAST[verb.lower()] if verb else ''}{match['subject'] or ''} ".lstrip()
