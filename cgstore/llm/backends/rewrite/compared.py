"""Questions that compare: which mayors of York never won the cup, who no longer is one, and who was it for longer.

They are parted into questions for sets, of which `reduction` makes a program.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from cgstore.llm.backends import CannotPropose
from cgstore.llm.backends.rewrite.fact_asked import Around, Asked
from cgstore.llm.backends.rewrite.limits_of_time import Marked
from cgstore.mapping.mentions import Mention
from cgstore.text.word_forms import in_the_past

_LONGER = re.compile(
    r"^(?P<main>(?:who|which)\b.*?)(?: for)?(?: the)? (?:longer|longest)\b(?P<rest>(?: [^,<]*(?:<e\d+>)?)?)\W+"
    r"(?:the )?<e(?P<one>\d+)> or (?:the )?<e(?P<other>\d+)>\W*$",
    re.IGNORECASE,
)
_FIRST = re.compile(
    r"^(?:which|who|what)(?: one| of (?:the|these) two| of them)? (?P<verb>(?:was|were|did) )?(?P<rest>.*?) ?\b"
    r"(?P<word>earlier|first|sooner|later|last)\W+(?:the )?(?P<one><e\d+>) or (?:the )?(?P<other><e\d+>)\W*$",
    re.IGNORECASE,
)
_WITHOUT = re.compile(
    r"^(?:which|what)(?: of the)? (?P<what>(?:(?:[a-z-]+ )+(?:of|at|in|for) )?(?P<name>(?:the )?<e\d+>))"
    r"(?: (?P<verb>was|were|did|has|have|had)(?: not| never|n't)| never)(?: ever)? (?P<rest>.*)$",
    re.IGNORECASE,
)
"""Those that have one thing and not another: `which mayors of York never won the Amber Cup`."""
_ORDER = r"later|then|subsequently|afterwards|eventually|previously|earlier|before|also"
_LATER = re.compile(
    r"^(?:which|what)(?: of the)? (?P<what>[a-z-]+(?: [a-z-]+){0,2}?(?: (?:of|at|in|for) (?P<name>(?:the )?<e\d+>))?)"
    rf"(?: (?:who|that))? (?P<how>(?:was |were |had )?(?:{_ORDER})|went on to|had|came to)(?: (?:{_ORDER}))?"
    r" (?:became|become|been|be|was|were|served as|worked as) (?:an? |the )?(?P<rest>.*?)"
    rf"(?P<end> (?:{_ORDER}|too|as well))?\W*$",
    re.IGNORECASE,
)
"""Those that were one thing and, before or after that, another one: `which captains later became manager`."""
_WHOSE = re.compile(r"\b(?:its|his|her|their) (?P<noun>[a-z -]+?)(?=\W*$)", re.IGNORECASE)
_OF_IT = re.compile(r"^(?:its|their) ", re.IGNORECASE)
_ALSO = re.compile(r"\b(?:also|had|too|well)$", re.IGNORECASE)
_EARLIER = re.compile(r"\b(?:previously|earlier|before)$", re.IGNORECASE)
_THERE = re.compile(r"\bthere\b", re.IGNORECASE)
_NO_LONGER = re.compile(
    r"\b(?P<verb>is|are|does|do|has|have)?(?P<subject>(?: the)? <e\d+>)? ?\b(?:no longer\b|not\b(?=.* any ?more\b))",
    re.IGNORECASE,
)
_ANY_MORE = re.compile(r" any ?more\b", re.IGNORECASE)
_PAST = {"is": "was", "are": "were", "does": "did", "do": "did", "has": "did", "have": "did"}


@dataclass(frozen=True)
class Compared:
    """A question for a set, and what is asked of it.

    `word`: `never` (without a second set), `also`, `later` or `earlier` (in that set too), `no longer`, `longer`, or
    `first` or `last` (which of two was, by the question for when the first of them was).
    """

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
    if match := _LATER.search(found.text):
        name, how = match["name"] or "", match["how"].lower()
        rest = _of_name(match["rest"], name) if name else _OF_IT.sub("", match["rest"])
        how = match["end"] or how
        word = "also" if _ALSO.search(how) else "earlier" if _EARLIER.search(how) else "later"
        first, second = (found.restored(f"Who was {said.rstrip(' ?.')}?") for said in (match["what"], rest))
        return Compared(word, first, second)
    if match := _NO_LONGER.search(found.text):
        return Compared("no longer", found.restored(_ANY_MORE.sub("", _NO_LONGER.sub(_once, found.text, count=1))))
    if match := _FIRST.search(found.text):
        names = tuple(found.names[int(match[side][2:-1])].name for side in ("one", "other"))
        word = "last" if match["word"].lower() in ("later", "last") else "first"
        asked = found.restored(f"When {match['verb'] or 'was'} {match['one']} {match['rest']}?")
        return Compared(word, asked, among=names)
    if match := _LONGER.search(found.text):
        names = tuple(found.names[int(match[side])].name for side in ("one", "other"))
        main = f"{match['main']}{match['rest']}"
        return Compared("longer", f"{found.restored(main)}?", among=names)
    return None


def _of_name(text: str, name: str) -> str:
    """The text with a name for what refers to it: `mayor of York` for `its mayor`."""
    return _THERE.sub(f"at {name}", _WHOSE.sub(lambda match: f"{match['noun']} of {name}", text))


def _once(match: re.Match[str]) -> str:
    verb = match["verb"]
    return f"{_PAST[verb.lower()] if verb else ''}{match['subject'] or ''} ".lstrip()


def refuse_other_sides(asked: Asked, among: Sequence[str], names: Sequence[Mention], around: Around) -> None:
    """Refuses a relation that one of two names never has on the side that is asked for.

    Raises:
        CannotPropose: it is such a relation.
    """
    for name in names:
        if name.name in among and asked.relation not in getattr(around(name.key), asked.free_side):
            raise CannotPropose(f"'{name.name}' is never the {asked.free_side} of a fact '{asked.relation}'")
