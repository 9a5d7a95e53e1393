"""The names of the graph that are spelt most like a text: what to offer where a name is unknown.

The index of normalised names finds beginnings only. So names are fetched by several beginnings of the text, of the
text without its first word, and of each of its content words; where the beginning itself is mistyped, by the first
letter and the end. What was fetched is ranked by `difflib`.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Iterator, Sequence

from cgstore.cypher.connection import Database
from cgstore.mapping.mentions import GRAMMAR_WORDS
from cgstore.names import normal_form

MAX_WORDS = 8
"""Content words of a text that names are sought for."""

MAX_LENGTH = 200
"""Characters of a text that are compared."""

CUTOFF = 0.6
"""Least likeness of a name that is offered."""

BY_A_PART = 0.9
"""Of the likeness, what is kept where only a part of the name or of the text was compared."""

_ALIKE = """\
UNWIND $patterns AS pattern
CALL (pattern) {
  MATCH (n:Node)
  WHERE n.normal STARTS WITH pattern[0] AND n.normal ENDS WITH pattern[1] AND n.source IS NULL
    AND ($sources IS NULL
      OR EXISTS { (n)-[h:HAS]->() WHERE h.source IN $sources }
      OR EXISTS { (n)<-[v:VALUE]-() WHERE v.source IN $sources })
  RETURN n.name AS name LIMIT 500
}
RETURN DISTINCT name"""


def closest_names(db: Database, text: str, sources: Sequence[str] | None = None, count: int = 3) -> tuple[str, ...]:
    """The names of entities and values that are spelt most like a text, the most alike first; () if none is near.

    Args:
        db: the database.
        text: the unknown name.
        sources: only names that these sources use; of all when None.
        count: most names given.
    """
    form = normal_form(text)[:MAX_LENGTH]
    patterns = sorted(set(_patterns(form)))
    if not patterns:
        return ()
    rows = db.read(
        _ALIKE, {"patterns": [list(p) for p in patterns], "sources": None if sources is None else [*sources]}
    )
    names = {normal_form(row["name"]): row["name"] for row in sorted(rows, key=lambda row: str(row["name"]))}
    near = _ranked(names, (form,)) or _ranked(names, _parts(form))
    return tuple(names[other] for other in near[:count])


def _parts(form: str) -> list[str]:
    """The content words of a text, and what follows its first word."""
    words = form.split(" ")
    content = [word for word in words if len(word) > 2 and word not in GRAMMAR_WORDS][:MAX_WORDS]
    rest = " ".join(words[1:])
    return [*([rest] if len(rest) > 2 else []), *content]


def _patterns(form: str) -> Iterator[tuple[str, str]]:
    """The beginnings and ends by which names are fetched."""
    first, _, rest = form.partition(" ")
    for text in (form, rest):
        if len(text) > 1:
            yield text[: max(2, len(text) // 2)], ""
    for word in (first, *_parts(form)):
        if len(word) > 1 and word not in GRAMMAR_WORDS:
            yield word, ""
            yield word[:4], ""
            yield word[:3], ""
    if len(form) > 3:
        yield form[0], f" {rest}" if rest else form[-3:]
        yield form[0], form[-3:]
        yield form[:2], ""


def _ranked(names: Iterable[str], texts: Sequence[str]) -> list[str]:
    """The names that are like one of the texts, as a whole or in their first words, the most alike first."""
    likeness: dict[str, float] = {}
    for text in texts:
        matcher = difflib.SequenceMatcher(b=text, autojunk=False)
        words = text.count(" ") + 1
        for name in names:
            start = " ".join(name.split(" ")[:words])
            found = max(_ratio(matcher, name), BY_A_PART * _ratio(matcher, start))
            if found >= CUTOFF:
                likeness[name] = max(found, likeness.get(name, 0.0))
    return sorted(likeness, key=lambda name: (-likeness[name], len(name), name))


def _ratio(matcher: difflib.SequenceMatcher[str], name: str) -> float:
    """How alike two texts are; 0 where a bound says that it is less than the cutoff."""
    matcher.set_seq1(name[:MAX_LENGTH])
    if matcher.real_quick_ratio() < CUTOFF or matcher.quick_ratio() < CUTOFF:
        return 0.0
    return matcher.ratio()
