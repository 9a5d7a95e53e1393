"""Whatever is loaded can be taken out again: the loader finds the same condition triples in what the export wrote."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pyoxigraph
import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from cgstore.catalog.kinds import GRAPH
from cgstore.catalog.sources import drop_source
from cgstore.cypher.connection import Database
from cgstore.errors import BadInput
from cgstore.export import export
from cgstore.export import read as export_read
from cgstore.export.export import export_source
from cgstore.loaders.kg import KgOptions, load_kg
from cgstore.loaders.load import LoadOptions, load_facts
from cgstore.loaders.rdf import load_rdf
from cgstore.loaders.readers.records import Statement
from cgstore.loaders.statements import load_statements
from cgstore.loaders.table import load_table
from cgstore.loaders.tkg import load_tkg
from cgstore.loaders.writer.target import Online
from cgstore.model import LoadReport, Role
from tests.loaders.export_samples import BREAKING, HOSTILE, Again, Load, names, triples
from tests.loaders.samples import write_csv

# Shrinking would load into the database a thousand times.
FEW = settings(
    deadline=None,
    max_examples=6,
    phases=[Phase.explicit, Phase.reuse, Phase.generate],
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)


@pytest.fixture
def again(db: Database, tmp_path: Path) -> Again:
    return Again(db, tmp_path)


def exported(again: Again, source: str, format: str | None = None) -> str:
    stream = io.BytesIO()
    export_source(again.db, source, stream, format=format)
    return stream.getvalue().decode()


# What is drawn --------------------------------------------------------------------------------------------------------

PREFIXES = "@prefix : <http://x/> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .\n"
Rows = Sequence[tuple[str, ...]]


def as_csv(folder: Path, rows: Rows) -> Path:
    return write_csv(folder / "in.csv", rows)


def as_cells(folder: Path, rows: list[list[str]]) -> Path:
    with (folder / "in.csv").open("w", newline="", encoding="utf-8") as file:
        csv.writer(file, quoting=csv.QUOTE_ALL).writerows(rows)
    return folder / "in.csv"


def as_jsonl(folder: Path, objects: list[dict[str, object]]) -> Path:
    (folder / "in.jsonl").write_text("".join(json.dumps(one) + "\n" for one in objects), encoding="utf-8")
    return folder / "in.jsonl"


def as_turtle(folder: Path, facts: list[tuple[str, str, str, list[tuple[str, str]]]]) -> Path:
    def written(s: str, p: str, o: str, pairs: list[tuple[str, str]]) -> str:
        about = " ; ".join(f"{q} {v}" for q, v in pairs)
        return f"{s} {p} {o} {f'{{| {about} |}}' if about else ''} .\n"

    (folder / "in.ttl").write_text(PREFIXES + "".join(written(*fact) for fact in facts), encoding="utf-8")
    return folder / "in.ttl"


def fits_rdf(fact: tuple[str, ...]) -> bool:
    signs = "\x85\x1e\x1f\ufffd"
    return all(not set(signs) & set(text) and (text.isprintable() or len(text) > 4) for text in fact)


def many(one: st.SearchStrategy[Any], most: int = 8) -> st.SearchStrategy[list[Any]]:
    return st.lists(one, min_size=1, max_size=most)


PLAIN, ANY = names(), names(breaking=True)
FACT = st.tuples(PLAIN, PLAIN, PLAIN)
STATEMENT = st.builds(lambda fact, pairs: (*fact, *sum(pairs, ())), FACT, st.lists(st.tuples(PLAIN, PLAIN), max_size=3))
OBJECT = st.fixed_dictionaries(
    {"subject": ANY, "relation": ANY, "object": ANY}, optional={"qualifiers": many(st.tuples(ANY, ANY), 4)}
)
CELL = st.one_of(ANY, st.sampled_from(["", "1", "2", "a, b"]))
TABLE = st.integers(1, 4).flatmap(
    lambda width: st.lists(st.lists(CELL, min_size=width, max_size=width), min_size=2, max_size=6)
)
OBJECT_ROWS = many(st.dictionaries(st.sampled_from(["a", "b b", 'c"', "日", "Row Number"]), CELL), 6).map(
    lambda rows: [rows[0] | {"a": "first"}, *rows[1:]]
)
# Years near 0: few days lie between, and negative ones are among them.
MOMENT = st.one_of(
    st.integers(-2, 2).map(str),
    st.builds("000{}-{:02}".format, st.integers(0, 2), st.integers(1, 12)),
    st.builds("000{}-{:02}-{:02}".format, st.integers(0, 2), st.integers(1, 12), st.integers(1, 28)),
)
FEW_NAMES = st.one_of(st.sampled_from(["a", "b", "time", "start time"]), ANY)
TEMPORAL = st.tuples(FEW_NAMES, FEW_NAMES, st.sampled_from(["t", "a", "1999"]), MOMENT, MOMENT)
RDF_NODE = st.sampled_from([":a", ":b", ":c%20d", "<http://y/a>", "<http://y/ü#>"])
RDF_TERM = st.one_of(RDF_NODE, st.sampled_from(['"a"', '"b"@en', '"b"@de', "1", '"1"', '"x\\ny"', '"c d"^^:t']))
RDF_FACT = st.tuples(RDF_NODE, RDF_NODE, RDF_TERM, st.lists(st.tuples(RDF_NODE, RDF_TERM), max_size=2))

PLAINLY, COMMAS = {"header": False, "delimiter": ","}, {"delimiter": ","}

DRAWN: dict[str, tuple[st.SearchStrategy[Any], Callable[[Path, Any], Path], Load, dict[str, Any], str, Load]] = {
    "triples": (many(FACT, 12), as_csv, load_kg, PLAINLY, "tsv", load_kg),
    "triples, compressed": (many(FACT, 12), as_csv, load_kg, PLAINLY, "tsv.gz", load_kg),
    "triples with any name": (many(st.tuples(ANY, ANY, ANY), 12), as_csv, load_kg, PLAINLY, "jsonl", load_statements),
    "triples as RDF": (many(FACT.filter(fits_rdf), 12), as_csv, load_kg, PLAINLY, "nt", load_rdf),
    "statements": (many(STATEMENT), as_csv, load_statements, PLAINLY, "tsv", load_statements),
    "statements with any name": (many(OBJECT), as_jsonl, load_statements, {}, "jsonl", load_statements),
    "rows": (TABLE, as_cells, load_table, COMMAS, "tsv", load_table),
    "rows of objects": (OBJECT_ROWS, as_jsonl, load_table, {}, "jsonl", load_table),
    "rows of objects as lines": (OBJECT_ROWS, as_jsonl, load_table, {}, "tsv", load_table),
    "RDF": (many(RDF_FACT), as_turtle, load_rdf, {}, "nt", load_rdf),
}
"""What is drawn, the file that has it, how this is loaded, and the ending of the export with what reads it."""


@pytest.mark.parametrize("name", DRAWN)
@FEW
@given(st.data())
def test_what_is_drawn_comes_back(again: Again, name: str, data: st.DataObject) -> None:
    drawn, write, load, reading, ending, reader = DRAWN[name]
    again(load, write(again.folder, data.draw(drawn)), ending, again=reader, reading=reading)


@FEW
@given(many(TEMPORAL), st.sampled_from(["year", "month", "day"]))
def test_temporal_facts_come_back(again: Again, facts: Rows, step: str) -> None:
    for ending in ("jsonl", "tsv"):
        if ending == "jsonl" or not any(text in BREAKING for fact in facts for text in fact):
            again(load_tkg, as_csv(again.folder, facts), ending, options={"step": step}, reading=PLAINLY)
            assert again.report.step == step


# Examples -------------------------------------------------------------------------------------------------------------

GRAPHS = """
:g { :a :p :b {| :from "1885"^^:year, :Y ; :by :c |} } :h { :a :p :b, "Köln"@de, "b\\n" } :a :p "" .
"""

FULL: dict[str, tuple[Load, str, str]] = {
    "tsv": (load_statements, "in.csv", f"subject,relation,object\n{'é' * 5_000},a b,x,q,1\n"),
    "csv": (load_table, "in.csv", 'film,year,year\n"a, b",1,2\n日,,3\n'),
    "jsonl": (load_tkg, "in.csv", "head,relation,tail,start,end\na,r,b,-5,-5\na,r,b,1990-02,1995\n"),
    "nt": (load_rdf, "in.trig", PREFIXES + GRAPHS),
    "nq": (load_rdf, "in.trig", PREFIXES + GRAPHS),
}
"""Of each format a source that is loaded, exported, loaded from that, and exported again."""


@pytest.mark.parametrize("ending", FULL)
def test_each_format_comes_back_through_the_database(again: Again, ending: str) -> None:
    load, name, text = FULL[ending]
    (again.folder / name).write_text(text, encoding="utf-8")
    file = again(load, again.folder / name, ending)
    first, second = again.name, again.load(load, file)
    assert triples(again.db, second) == triples(again.db, first)
    export_source(again.db, second, again.folder / f"second.{ending}")
    assert (again.folder / f"second.{ending}").read_bytes() == file.read_bytes()


def test_hostile_names_of_100_kb_come_back(again: Again) -> None:
    long = "日\"'\\$|`" * 13_000
    path = as_jsonl(again.folder, [{"subject": long, "relation": long, "object": long}])
    for ending, reader in (("tsv", load_statements), ("jsonl", load_statements), ("nt", load_rdf)):
        again(load_statements, path, ending, again=reader)


def test_a_graph_comes_back_with_its_qualifiers(again: Again) -> None:
    def load_graph_facts(db: Database, path: Path, options: LoadOptions) -> LoadReport:
        facts = [
            Statement("Ada", "KNOWS", "Bob", (("since", "1833"), ("note", "a b"))),
            Statement("Ada", "born", "1815", tail_role=Role.VALUE),
        ]
        return load_facts(Online(db), GRAPH, str(options.name), path, facts, options)

    for ending, load in (("tsv", load_statements), ("jsonl", load_statements), ("nt", load_rdf)):
        file = again(load_graph_facts, again.folder / "none", ending, again=load)
    assert '/born> "1815" .' in file.read_text("utf-8")


TABLES = {
    "no quotes and no row numbers": ("film,year\nMetropolis,1927\nM,\n,\n", None),
    "more than ten rows": ("n,m\n" + "".join(f"{n},x\n" for n in range(120, 0, -1)), None),
    "columns of one name": ("a,b,a,a\n2,x,1,2\n3,y,3,3\n", "a\tb\ta (2)\ta (3)\n2\tx\t1\t2\n3\ty\t3\t3\n"),
}


@pytest.mark.parametrize(("text", "expected"), TABLES.values(), ids=TABLES)
def test_a_table_comes_back_as_it_was(again: Again, text: str, expected: str | None) -> None:
    (again.folder / "in.csv").write_text(text)
    assert again(load_table, again.folder / "in.csv", "tsv").read_text() == (expected or text.replace(",", "\t"))
    assert again.report.lines == text.count("\n")


PERIODS: dict[str, tuple[dict[str, str], list[str]]] = {
    "periods that do not overlap": ({}, ["a r b -5 -5", "a r b 1990 1995", "a r b 1996 1999"]),
    "decades and centuries": (
        {},
        ["a r b -43 1st_century", "a r c 1820s 1840s", "a r c 1990 1990s", "a r d 440s_BC 5th_century_BC",
         "a r e 18XX 19th_century"],
    ),
    "open facts": (
        {"now": "2001"},
        ["a r b 1990 1995", "a r b 1997 present", "a r c 1990 present", "a r d 1990 present", "a r d 2000 present",
         "a r e 2003 present"],
    ),
    "days": ({"step": "day"}, ["a r b 2004-01-01 2004-12-31"]),
}  # fmt: skip


@pytest.mark.parametrize(("options", "facts"), PERIODS.values(), ids=PERIODS)
def test_temporal_facts_come_back_as_the_facts_of_the_file(
    again: Again, options: dict[str, str], facts: list[str]
) -> None:
    rows = [tuple(text.replace("_", " ") for text in fact.split()) for fact in facts]
    file = again(load_tkg, as_csv(again.folder, rows), "tsv", options=options, reading=PLAINLY)
    assert file.read_text().splitlines()[1:] == ["\t".join(row) for row in rows]
    assert again.report.facts == len(rows)


# RDF ------------------------------------------------------------------------------------------------------------------

X = "http://x/"
AB = f"<{X}a> <{X}p> <{X}b> "
RDF: dict[str, tuple[str, str, set[str]]] = {
    "literals with their languages and datatypes": (
        ':a :p "Köln"@de, "Köln", "a\\"b\\\\\\n\\r\\t"@en-gb, "50"^^:year, 50, " ", "" .',
        "nt",
        {
            f"<{X}a> <{X}p> {value} ."
            for value in (
                '"Köln"', '"Köln"@de', '"a\\"b\\\\\\n\\r\t"@en-gb', f'"50"^^<{X}year>',
                '"50"^^<http://www.w3.org/2001/XMLSchema#integer>', '" "', '""',
            )
        },
    ),
    "a literal and an IRI of one name": (':a :p "b", :b .', "nt", {f'<{X}a> <{X}p> "b" .', f"{AB}."}),
    "IRIs that labels name": (
        ':a rdfs:label "Ada" ; :p :b . :b rdfs:label "Ada" . :p rdfs:label "knows" .',
        "nt",
        {f"{AB}."},
    ),
    "qualifiers as reifications": (
        ':a :p :b {| :from "1885"^^:year, :Y ; :by :c |} .',
        "nt",
        {f'_:q1 <{X}from> "1885"^^<{X}year> .', f"_:q1 <{X}from> <{X}Y> .", f"_:q1 <{X}by> <{X}c> ."},
    ),
    "named graphs as N-Quads": (
        ":g { :a :p :b, :c } :h { :a :p :b {| :q 1 |} } :a :p :d .",
        "nq",
        {f"{AB}<{X}g> .", f"{AB}<{X}h> .", f"<{X}a> <{X}p> <{X}c> <{X}g> .", f"<{X}a> <{X}p> <{X}d> ."},
    ),
}  # fmt: skip


@pytest.mark.parametrize(("text", "ending", "expected"), RDF.values(), ids=RDF)
def test_rdf_comes_back_as_it_was(again: Again, text: str, ending: str, expected: set[str]) -> None:
    path = again.folder / "in.trig"
    path.write_text(PREFIXES + text, encoding="utf-8")
    lines = again(load_rdf, path, ending).read_text("utf-8").splitlines()
    assert again.report.lines == len(lines)
    assert expected <= set(lines)


def test_blank_nodes_come_back_as_blank_nodes(again: Again) -> None:
    path, file = again.folder / "in.ttl", again.folder / "out.nt"
    path.write_text('@prefix : <http://x/> . :a :p [ :q [ :r 1 ] ] . [] :p [ <http://schema.org/name> "B" ] .')
    export_source(again.db, again.load(load_rdf, path), file)
    graphs = [pyoxigraph.Dataset(pyoxigraph.parse(path=one)) for one in (path, file)]
    for graph in graphs:
        graph.canonicalize(pyoxigraph.CanonicalizationAlgorithm.UNSTABLE)
    assert graphs[0] == graphs[1]


def test_cleaned_triples_come_back_with_their_iris(again: Again) -> None:
    path, out = again.folder / "in.tsv", again.folder / "out.nt"
    path.write_text('<http://x/Ada>\t<http://x/knows>\t<Bob_B>\n<http://x/Ada>\t<http://x/age>\t"36"^^<http://x/int>\n')
    first = again.load(load_kg, path, {"clean": True})
    out.write_text(exported(again, first, "nt"))
    assert out.read_text().splitlines() == [
        '<http://x/Ada> <http://x/age> "36"^^<http://x/int> .',
        f"<http://x/Ada> <http://x/knows> <urn:cgstore:{first}/Bob%20B> .",
    ]
    assert triples(again.db, again.load(load_rdf, out)) == triples(again.db, first)


# What cannot be, and what goes wrong ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("load", "rows", "format", "problem"),
    [
        *(
            (load_kg, [("x", "y", name), ("a", "b", "c")], "tsv", r"cannot hold the name 'a.*\nGive `format=` jsonl")
            for name in BREAKING[:3]
        ),
        (load_kg, [("x", "y", "z"), ("a\nb", "r", "c")], "nt", r"An IRI cannot hold the name 'a.nb'"),
        (load_tkg, [("a", "r", "b", "1")] * 2, "nt", r"not written as nt\.\nGive `format=` tsv, csv or jsonl"),
        (load_table, [("a", "b")] * 2, "nt", r"not written as nt\.\nGive `format=` tsv, csv or jsonl"),
    ],
)
def test_what_a_format_cannot_hold_is_refused_with_what_can(
    again: Again, load: Load, rows: Rows, format: str, problem: str
) -> None:
    source = again.load(load, write_csv(again.folder / "in.csv", rows))
    with pytest.raises(BadInput, match=problem):
        export_source(again.db, source, again.folder / f"out.{format}")
    assert not list(again.folder.glob("*out*"))


def test_an_empty_literal_is_refused_by_lines_and_held_by_n_triples(again: Again) -> None:
    path = again.folder / "in.ttl"
    path.write_text('<http://x/a> <http://x/p> "" .')
    source = again.load(load_rdf, path)
    for format in ("tsv", "jsonl"):
        with pytest.raises(BadInput, match=r"empty name.*\n?.*Give `format=` nt"):
            exported(again, source, format)
    assert exported(again, source) == '<http://x/a> <http://x/p> "" .\n'


@pytest.fixture
def source(again: Again) -> str:
    """A source with one fact."""
    return again.load(load_kg, write_csv(again.folder / "in.csv", [("a", "r", "b")]))


def test_a_source_that_is_not_there_or_not_ready_is_refused(again: Again, source: str) -> None:
    with pytest.raises(BadInput, match="There is no source 'nosuch'"):
        exported(again, "nosuch")
    again.db.write("MATCH (s:CgSource {name: $name}) SET s.state = 'loading'", {"name": source})
    with pytest.raises(BadInput, match=f"Source '{source}' is loading"):
        exported(again, source)


def test_of_a_replaced_source_the_new_version_is_exported(again: Again) -> None:
    for tail in ("old", "new"):
        path = write_csv(again.folder / "in.csv", [("a", "r", tail)])
        load_kg(Online(again.db, replace=True), path, KgOptions(name="same"))
    assert exported(again, "same") == "head\trelation\ttail\na\tr\tnew\n"


@pytest.mark.parametrize("is_loaded_again", [False, True])
def test_a_drop_or_a_replacement_meanwhile_leaves_no_file(
    again: Again, source: str, monkeypatch: pytest.MonkeyPatch, is_loaded_again: bool
) -> None:
    check = export_read.check_unchanged

    def drop_first(db: Database, chosen: export_read.Chosen) -> None:
        drop_source(db, source)
        if is_loaded_again:
            load_kg(db, again.folder / "in.csv", KgOptions(name=source))
        check(db, chosen)

    monkeypatch.setattr(export_read, "check_unchanged", drop_first)
    with pytest.raises(BadInput, match="dropped, replaced or changed while it was read"):
        export_source(again.db, source, again.folder / "out.tsv")
    assert not list(again.folder.glob("*out*"))


def test_shared_nodes_do_not_bring_facts_of_other_sources(again: Again, source: str) -> None:
    other = again.load(load_kg, write_csv(again.folder / "in.csv", [("a", "r", "b"), ("b", "r", "c")]))
    assert [exported(again, each).count("\n") for each in (source, other)] == [2, 3]


def test_the_same_source_makes_the_same_bytes(again: Again) -> None:
    source = again.load(load_kg, write_csv(again.folder / "in.csv", [(name, "r", "b") for name in HOSTILE]))
    files = [again.folder / name for name in ("one.tsv.gz", "two.tsv.gz")]
    for file in files:
        export_source(again.db, source, file)
    assert files[0].read_bytes() == files[1].read_bytes()


def test_an_interrupted_export_leaves_the_old_file_and_no_other(
    again: Again, source: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    out = again.folder / "out.tsv"
    out.write_text("old")

    def interrupted(lines: Iterable[str], *_: object, **__: object) -> Iterator[str]:
        yield next(iter(lines))
        raise KeyboardInterrupt

    monkeypatch.setattr(export, "counted", interrupted)
    with pytest.raises(KeyboardInterrupt):
        export_source(again.db, source, out)
    assert out.read_text() == "old"
    assert sorted(path.name for path in again.folder.iterdir()) == ["in.csv", "out.tsv"]


def test_a_folder_that_is_not_there_is_bad_input(again: Again, source: str) -> None:
    with pytest.raises(BadInput, match=r"out\.tsv cannot be written: No such file or directory"):
        export_source(again.db, source, again.folder / "nosuch" / "out.tsv")


def test_export_seeks_and_never_scans(again: Again) -> None:
    again.load(load_tkg, write_csv(again.folder / "in.csv", [("a", "r", "b", "1", "2")]))
    for name in ("_OWNED", "_HEADS", "_FACTS", "_QUALIFIERS"):
        with again.db.session() as session:
            plan = str(session.run(f"EXPLAIN {getattr(export_read, name)}", {"source": "x"}).consume().plan)
        assert "Seek" in plan and "Scan" not in plan, name
