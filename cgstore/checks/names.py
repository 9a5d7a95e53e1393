"""Names that are likely spellings of one: they differ in case, accents, punctuation, spaces, or as `Merkel, Angela`."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from functools import partial
from itertools import chain, groupby
from operator import itemgetter
from typing import NamedTuple

from cgstore.checks.report import SHOWN, Finding, FindingKind, Findings
from cgstore.checks.stage import CheckStage
from cgstore.errors import setting
from cgstore.text.columns import is_missing
from cgstore.text.contrasts import contrary
from cgstore.text.likeness import other_number
from cgstore.text.names import is_nameless, normal_form
from cgstore.text.numbers import read_number

LONGEST = 200
"""Characters of the longest text that counts as a name."""

_TABLES = "CREATE TABLE alike (place TEXT, form TEXT, name TEXT, facts INTEGER, sides TEXT)"

_NAMES = """
SELECT '', name, count(*), group_concat(DISTINCT side) FROM (
  SELECT f.head AS name, -c.id AS side FROM fact f JOIN checked c ON c.name = f.relation
  UNION ALL SELECT f.tail, c.id FROM fact f JOIN checked c ON c.name = f.relation WHERE c.is_text
) GROUP BY name
"""

_CELLS = """
SELECT f.relation, f.tail, count(*), c.id FROM fact f JOIN checked c ON c.name = f.relation WHERE c.is_text
GROUP BY f.relation, f.tail
"""

_ALIKE = """
SELECT place, form, name, facts, sides FROM alike
WHERE (place, form) IN (SELECT place, form FROM alike GROUP BY place, form HAVING count(*) > 1)
ORDER BY place, form, facts DESC, name
"""

OF_RELATIONS = "\0relations"
"""The place of the names of relations."""


class _Spelling(NamedTuple):
    """A name with the number of its facts, and the sides of relations on which it stands."""

    name: str
    facts: int
    sides: str

    def may_be(self, other: _Spelling) -> bool:
        """Whether both are likely one.

        Case alone is not enough where they stand in different places: a tag `war` and a genre `War` are two things.
        """
        if contrary(self.name, other.name) or other_number(self.name, other.name):
            return False
        if other_number(other.name, self.name):
            return False
        is_case_alone = self.name.casefold() == other.name.casefold()
        return not (is_case_alone and set(self.sides.split(",")).isdisjoint(other.sides.split(",")))


def alike_names(stage: CheckStage, relations: Collection[str], limit: int, *, has_rows: bool) -> Findings:
    """The names of entities, or the cells of a column, that are likely one name in several spellings; of relations too.

    Names that differ in a number, a sign or a word of contrast are never taken for one.
    """
    stage.sql.execute(_TABLES)
    named = chain(
        stage.sql.execute(_CELLS if has_rows else _NAMES), ((OF_RELATIONS, name, 0, "") for name in relations)
    )
    rows = ((place, form, name, *more) for place, name, *more in named for form in _forms(name))
    stage.sql.executemany("INSERT INTO alike VALUES (?, ?, ?, ?, ?)", rows)
    found = Findings(limit)
    for (place, form), alike in groupby(stage.sql.execute(_ALIKE), itemgetter(0, 1)):
        spellings = _of_one([_Spelling(*row[2:]) for row in alike], form)
        if len(spellings) > 1:
            found.add(sum(one.facts for one in spellings[1:]), partial(_finding, place, spellings))
    return found


def _forms(name: str) -> Iterator[str]:
    """The forms by which spellings find each other: the name without spaces, and `Merkel, Angela` turned round too."""
    if len(name) > LONGEST or is_nameless(name) or is_missing(name) or read_number(name) is not None:
        return
    form = _squeezed(name)
    if any(character.isalpha() for character in form):
        yield form
        turned = _turned(name)
        if turned and turned != form:
            yield turned


def _squeezed(name: str) -> str:
    return normal_form(name).replace(" ", "")


def _turned(name: str) -> str:
    """The form of `Angela Merkel`, if the name is `Merkel, Angela`; else empty."""
    family, comma, given = name.partition(",")
    is_turned = comma and "," not in given and given.strip() and family.strip()
    return _squeezed(f"{given} {family}") if is_turned else ""


def _of_one(spellings: Sequence[_Spelling], form: str) -> list[_Spelling]:
    """The most used name of those of a form, with those that are likely the same.

    Names that all have a comma are alike by their own form already.
    """
    if all(_squeezed(one.name) != form for one in spellings):
        return []
    first, *others = spellings
    return [first, *(other for other in others if first.may_be(other))]


def _finding(place: str, spellings: Sequence[_Spelling]) -> Finding:
    is_column = place not in ("", OF_RELATIONS)
    what = "relations" if place == OF_RELATIONS else f"values of '{place}'" if is_column else "names"
    counted = (f" ({_times(one.facts)})" if one.facts else "" for one in spellings)
    return Finding(
        FindingKind.NAMES,
        place if is_column else "",
        f"These {what} are likely one, '{spellings[0].name}', in {len(spellings)} spellings.",
        tuple(one.name + times for one, times in zip(spellings[:SHOWN], counted, strict=False)),
        max(0, len(spellings) - SHOWN),
        next=(f"Write it in one way in the input, and load that again with {setting('replace', True)}.",),
    )


def _times(facts: int) -> str:
    return "once" if facts == 1 else f"{facts:,} times"
