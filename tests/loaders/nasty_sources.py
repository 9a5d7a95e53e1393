"""Staged sources with every kind of text that a file format may stumble over."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager

from cgstore.catalog.registry import LoadRecord
from cgstore.loaders.fact_stage import FactStage
from cgstore.loaders.readers.records import Statement
from cgstore.loaders.tkg_stage import Fact, TkgStage
from cgstore.loaders.writer.write import Staged
from cgstore.model import Role
from cgstore.text.dates import Moment, Step

NASTY = [
    "", " ", " a ", "\t", '"', '""', 'a"b', '"a"', '\\"', "\\", "a\\", "a\nb", "a\r\nb", "\n", "\r", "a,b", ",",
    ";", "a;b",
    "'", "`", "$x", "\x00", "a\x00b", "\x01\x1b", "\x1f", "a\x1fb", "\x1e", "\x1c\x1d", "\x7f\x85\xa0", "\u2028\u2029",
    "\ufeff",
    "\ufeffx", "\ufffe\uffff", "\ufdd0", "\ufdd1x", "null", "NaN", "-0", "1e400", "1e-320", "12.5", "1999",
    "2004-07-02",
    "Ünïcödé", "e\u0301", "日本語", "العربية", "עברית", "हिन्दी", "ไทย", "한국어", "😀🏳️‍🌈👨‍👩‍👧", "\U0010ffff", "𝔘𝔫𝔦",
    ":START_ID", "a:string", "#", "=1+1", "x" * 3000, "é" * 50_000, ("a\n\"b\\" * 3_000),
]  # fmt: skip

Sources = list[tuple[LoadRecord, Staged]]


def nasty_facts() -> list[Fact]:
    """Every nasty text in every place of a fact; 1, 2 or 7 years long."""
    turned = [NASTY[place:] + NASTY[:place] for place in (0, 7, 17)]
    return [
        Fact(head, relation, tail, Moment(1990 + number), Moment(1990 + number + number % 3 * number % 7))
        for number, (head, relation, tail) in enumerate(zip(*turned, strict=True))
    ]


def statements() -> list[Statement]:
    """Statements with what only some kinds of sources have: lines, qualifiers, IRIs, literals, kinds of columns."""
    cells = [
        Statement(f"[line_{n}]", name, cell, (), Role.LINE, Role.VALUE)
        for n in range(1, 8)
        for name, cell in (("share %", f"{n}0%"), ("", NASTY[n]), ("1999", "1999"))
    ]
    iris = ("http://x/h,\"'", "http://x/r", "")
    graph = [
        Statement("h", "r", "1999", (), Role.ENTITY, Role.VALUE, "http://x#gYear", "", iris),
        Statement("h", "r", "1999", (), Role.ENTITY, Role.VALUE, "", "", iris),
        Statement("h", "r", "text", (), Role.ENTITY, Role.VALUE, "", "en", iris),
        Statement("h", "r", "", (), Role.ENTITY, Role.VALUE, "", "", iris),
        Statement("h", "r", "t", (("q", "v"), ("", ""), ("time", "5")), iris=("", "", "http://x/t\n2")),
        Statement("", "", "", (("", ""),)),
    ]
    return cells + graph


@contextmanager
def temporal_source(name: str, facts: Iterable[Fact]) -> Iterator[Sources]:
    """A temporal source."""
    with TkgStage(name) as stage:
        for fact in facts:
            stage.add(fact)
        stage.settle(Step.YEAR)
        yield [(stage.record("tkg"), stage)]


@contextmanager
def nasty_source() -> Iterator[Sources]:
    """A source with every nasty text in every place of a fact and of a qualifier."""
    facts = [Statement(fact.head, fact.relation, fact.tail, ((fact.tail, fact.head),)) for fact in nasty_facts()]
    with FactStage("a, \"quoted\" 'source' 日本") as stage:
        for statement in (*statements(), *facts):
            stage.add(statement)
        stage.settle()
        yield [(stage.record("table", ("share %", "", "a\x1fb")), stage)]
