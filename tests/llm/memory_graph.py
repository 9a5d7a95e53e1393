"""A graph of temporal facts in memory: what backends need of one, without a database."""

from __future__ import annotations

from collections.abc import Iterable

from cgstore.mapping.mentions import Mention, choose_mentions, word_spans
from cgstore.mapping.view import Neighbourhood
from cgstore.names import normal_form

FACTS = (
    ("Nadia Orlov", "member of sports team", "A.C. Terrano", "1990", "1993"),
    ("Nadia Orlov", "member of sports team", "Port Vell", "1994", "1997"),
    ("Pia Sand", "member of sports team", "A.C. Terrano", "1991", "1992"),
    ("Pia Sand", "award received", "Golden Boot", "1992", "1992"),
    ("Kim O'Dell", "position held", "Governor of Veria", "1980", "1984"),
    ("Rosa Winkler", "position held", "Governor of Veria", "1985", "1990"),
    ("Rosa Winkler", "position held", "Minister of Mines, Veria", "1975", "1979"),
    ("Rosa Winkler", "member of political party", "Green Dawn", "1970", "1990"),
    ("Verian Flood", "significant event", "occurrence", "1986", "1987"),
)


class MemoryGraph:
    """A `Graph` over (head, relation, tail, from, to) facts."""

    sources = ("memory",)
    kinds = ("tkg",)

    def __init__(self, facts: Iterable[tuple[str, str, str, str, str]] = FACTS) -> None:
        self.facts = list(facts)

    def mentions(self, question: str) -> list[Mention]:
        spans = word_spans(question)
        entities = {name for head, _, tail, *_ in self.facts for name in (head, tail)}
        names = [(n, False) for n in sorted(entities)] + [(r, True) for r in self.relations()]
        rows = [row(name, relation) for name, relation in names if normal_form(name) in spans]
        return choose_mentions(question, spans, rows)

    def relations(self) -> list[str]:
        return sorted({relation for _, relation, *_ in self.facts})

    def relations_of(self, entity_key: str) -> Neighbourhood:
        head = sorted({r for h, r, *_ in self.facts if h == entity_key})
        tail = sorted({r for _, r, t, *_ in self.facts if t == entity_key})
        return Neighbourhood(tuple(head), tuple(tail))

    def closest(self, text: str) -> list[str]:
        first = normal_form(text).split(" ")[0]
        return sorted({h for h, *_ in self.facts if normal_form(h).startswith(first)})


def row(name: str, relation: bool = False, degree: int = 1, value: bool = False) -> dict[str, object]:
    """What the look-up statement returns for one node."""
    form = normal_form(name)
    return {"form": form, "key": name, "name": name, "relation": relation, "degree": degree, "value": value}
