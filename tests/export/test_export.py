"""Whatever is loaded can be taken out again: the loader finds the same condition triples in what the export wrote."""

from __future__ import annotations

import csv
import gzip
import io
import json
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from cgstore.catalog.kinds import GRAPH
from cgstore.catalog.sources import drop_source
from cgstore.cypher.connection import Database
from cgstore.errors import BadInput
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
    max_examples=8,
    phases=[Phase.explicit, Phase.reuse, Phase.generate],
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)

PLAIN, ANY = names(), names(breaking=True)


@pytest.fixture
def again(db: Database, tmp_path: Path) -> Again:
    return Again(db, tmp_path)


def jsonl(path: Path, objects: list[dict[str, object]]) -> Path:
    path.write_text("".join(json.dumps(one) + "\n" for one in objects), encoding="utf-8")
    return path


PREFIXES = "@prefix : <http://x/> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .\n"

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


def exported(db: Database, source: str, format: str | None = None) -> str:
    stream = io.BytesIO()
    export_source(db, source, stream, format=format)
    return stream.getvalue().decode()


# Triples and statements


@FEW
@given(st.lists(st.tuples(PLAIN, PLAIN, PLAIN), min_size=1, max_size=12), st.sampled_from(["tsv", "tsv.gz"]))
def test_triples_come_back_from_tsv(again: Again, facts: list[tuple[str, ...]], ending: str) -> None:
    path = write_csv(again.folder / "in.csv", [("head", "relation", "tail"), *facts])
    file = again(load_kg, path, ending)
    text = gzip.decompress(file.read_bytes()) if ending.endswith("gz") else file.read_bytes()
    lines = text.decode().removesuffix("\n").split("\n")
    assert lines == ["\t".join(fact) for fact in [("head", "relation", "tail"), *sorted(set(facts))]]


@FEW
@given(st.lists(st.tuples(ANY, ANY, ANY), min_size=1, max_size=12))
def test_triples_with_any_name_come_back_from_json_lines(again: Again, facts: list[tuple[str, ...]]) -> None:
    path = write_csv(again.folder / "in.csv", [("head", "relation", "tail"), *facts])
    file = again(load_kg, path, "jsonl", again=load_statements)
    found = [tuple(json.loads(line).values()) for line in file.read_text("utf-8").split("\n")[:-1]]
    assert found == sorted(set(facts))


@FEW
@given(st.lists(st.tuples(PLAIN, PLAIN, PLAIN), min_size=1, max_size=12))
def test_triples_come_back_from_n_triples(again: Again, facts: list[tuple[str, ...]]) -> None:
    facts = [fact for fact in facts if not any(c in text for text in fact for c in "\x85\x1e\x1f\ufffd")]
    facts = [fact for fact in facts if all(text.isprintable() or len(text) > 4 for text in fact)]
    path = write_csv(again.folder / "in.csv", [("head", "relation", "tail"), *facts, ("a", "b", "c")])
    again(load_kg, path, "nt", again=load_rdf)


OBJECTS = st.fixed_dictionaries(
    {"subject": ANY, "relation": ANY, "object": ANY},
    optional={"qualifiers": st.lists(st.tuples(ANY, ANY), min_size=1, max_size=4)},
)


@FEW
@given(st.lists(OBJECTS, min_size=1, max_size=8))
def test_statements_come_back_from_json_lines(again: Again, objects: list[dict[str, object]]) -> None:
    again(load_statements, jsonl(again.folder / "in.jsonl", objects), "jsonl")


@FEW
@given(st.lists(st.tuples(PLAIN, PLAIN, PLAIN, st.lists(st.tuples(PLAIN, PLAIN), max_size=3)), min_size=1, max_size=8))
def test_statements_come_back_from_tsv(again: Again, some: list[tuple[str, str, str, list[tuple[str, str]]]]) -> None:
    rows = [(s, r, o, *(text for pair in pairs for text in pair)) for s, r, o, pairs in some]
    path = write_csv(again.folder / "in.csv", [("subject", "relation", "object"), *rows])
    again(load_statements, path, "tsv")


def test_qualifiers_come_back_from_n_triples(again: Again) -> None:
    objects = [
        {"subject": "s", "relation": "r", "object": "o", "qualifiers": {"q": ["1", "2"], "r": "s", "key/%": "a\nb"}},
        {"subject": "o", "relation": "q", "object": 5, "qualifiers": {"q": "1"}},
    ]
    again(load_statements, jsonl(again.folder / "in.jsonl", objects), "nt", again=load_rdf)


def test_hostile_names_of_100_kb_come_back(again: Again) -> None:
    long = "日\"'\\$|`" * 13_000
    path = jsonl(again.folder / "in.jsonl", [{"subject": long, "relation": long, "object": long}])
    for ending in ("tsv", "jsonl"):
        again(load_statements, path, ending)
    again(load_statements, path, "nt", again=load_rdf)


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


# Tables


CELLS = st.one_of(ANY, st.sampled_from(["", "1", "2", "a, b"]))
TABLES = st.integers(1, 4).flatmap(
    lambda width: st.lists(st.lists(CELLS, min_size=width, max_size=width), min_size=2, max_size=6)
)


@FEW
@given(TABLES)
def test_a_table_comes_back_from_tsv_row_by_row(again: Again, rows: list[list[str]]) -> None:
    path = again.folder / "in.csv"
    with path.open("w", newline="", encoding="utf-8") as file:
        csv.writer(file, quoting=csv.QUOTE_ALL).writerows(rows)
    again(load_table, path, "tsv", reading={"delimiter": ","})


@FEW
@given(
    st.lists(st.dictionaries(st.sampled_from(["a", "b b", 'c"', "日", "Row Number"]), CELLS), min_size=1, max_size=6)
)
def test_a_table_comes_back_from_json_lines(again: Again, rows: list[dict[str, object]]) -> None:
    rows[0]["a"] = "first"
    again(load_table, jsonl(again.folder / "in.jsonl", rows), "jsonl")
    again(load_table, jsonl(again.folder / "in.jsonl", rows), "tsv")


def test_a_plain_table_has_no_quotes_and_no_row_numbers(again: Again) -> None:
    path = write_csv(again.folder / "in.csv", [("film", "year"), ("Metropolis", "1927"), ("M", ""), ("", "")])
    file = again(load_table, path, "tsv")
    assert file.read_text() == "film\tyear\nMetropolis\t1927\nM\t\n\t\n"
    assert (again.report.facts, again.report.lines) == (9, 4)


def test_a_table_of_more_than_ten_rows_keeps_their_order(again: Again) -> None:
    path = write_csv(again.folder / "in.csv", [("n", "m"), *((str(n), "x") for n in range(120, 0, -1))])
    assert again(load_table, path, "tsv").read_text().replace("\t", ",") == path.read_text().replace("\r", "")


def test_columns_of_one_name_are_told_apart(again: Again) -> None:
    path = write_csv(again.folder / "in.csv", [("a", "b", "a", "a"), ("2", "x", "1", "2"), ("3", "y", "3", "3")])
    file = again(load_table, path, "tsv")
    assert file.read_text() == "a\tb\ta (2)\ta (3)\n2\tx\t1\t2\n3\ty\t3\t3\n"
    export_source(again.db, again.name, again.folder / "out.jsonl")
    assert json.loads((again.folder / "out.jsonl").read_text().splitlines()[0])["a (3)"] == "2"


# Temporal facts


# Years near 0: few days lie between, and negative ones are among them.
MOMENTS = st.one_of(
    st.integers(-2, 2).map(str),
    st.builds("000{}-{:02}".format, st.integers(0, 2), st.integers(1, 12)),
    st.builds("000{}-{:02}-{:02}".format, st.integers(0, 2), st.integers(1, 12), st.integers(1, 28)),
)
FEW_NAMES = st.one_of(st.sampled_from(["a", "b", "time", "start time"]), ANY)
TEMPORAL = st.tuples(FEW_NAMES, FEW_NAMES, st.sampled_from(["t", "a", "1999"]), MOMENTS, MOMENTS)


@FEW
@given(st.lists(TEMPORAL, min_size=1, max_size=8), st.sampled_from(["year", "month", "day"]))
def test_temporal_facts_come_back(again: Again, facts: list[tuple[str, ...]], step: str) -> None:
    path = write_csv(again.folder / "in.csv", [("head", "relation", "tail", "start", "end"), *facts])
    again(load_tkg, path, "jsonl", options={"step": step})
    assert again.report.step == step
    if not any(text in BREAKING for fact in facts for text in fact):
        again(load_tkg, path, "tsv", options={"step": step})


def test_periods_that_do_not_overlap_are_the_facts_of_the_file(again: Again) -> None:
    facts = [("a", "r", "b", "-5", "-5"), ("a", "r", "b", "1990", "1995"), ("a", "r", "b", "1996", "1999")]
    path = write_csv(again.folder / "in.csv", [("head", "relation", "tail", "start", "end"), *facts])
    file = again(load_tkg, path, "tsv")
    assert file.read_text().splitlines()[1:] == ["\t".join(fact) for fact in facts]
    assert again.report.facts == 3


def test_decades_and_centuries_come_back(again: Again) -> None:
    facts = [
        ("a", "r", "b", "-43", "1st century"),
        ("a", "r", "c", "1820s", "1840s"),
        ("a", "r", "c", "1990", "199X"),
        ("a", "r", "d", "440s BC", "5th century BC"),
        ("a", "r", "e", "18XX", "19th century"),
    ]
    path = write_csv(again.folder / "in.csv", [("head", "relation", "tail", "start", "end"), *facts])
    file = again(load_tkg, path, "tsv")
    assert file.read_text().splitlines()[1:] == ["\t".join(fact).replace("199X", "1990s") for fact in facts]


def test_open_facts_come_back_as_present(again: Again) -> None:
    facts = [
        ("a", "r", "b", "1990", "1995"),
        ("a", "r", "b", "1997", "present"),
        ("a", "r", "c", "1990", "present"),
        ("a", "r", "d", "1990", "present"),
        ("a", "r", "d", "2000", "present"),
        ("a", "r", "e", "2003", "present"),
    ]
    path = write_csv(again.folder / "in.csv", [("head", "relation", "tail", "start", "end"), *facts])
    file = again(load_tkg, path, "tsv", options={"now": "2001"})
    assert file.read_text().splitlines()[1:] == ["\t".join(fact) for fact in facts]


def test_days_come_back_with_their_step(again: Again) -> None:
    path = write_csv(again.folder / "in.csv", [("a", "r", "b", "2004-01-01", "2004-12-31")])
    file = again(load_tkg, path, "tsv", options={"step": "day"})
    assert file.read_text().splitlines()[1] == "a\tr\tb\t2004-01-01\t2004-12-31"


# RDF


def rdf(again: Again, text: str, ending: str = "nt", name: str = "in.ttl") -> list[str]:
    """The sorted lines of a Turtle or TriG text, loaded and exported, whose triples the loader finds again."""
    path = again.folder / name
    path.write_text(PREFIXES + text, encoding="utf-8")
    lines = again(load_rdf, path, ending).read_text("utf-8").splitlines()
    assert again.report.lines == len(lines)
    return sorted(lines)


def test_iris_literals_and_their_languages_and_datatypes_come_back(again: Again) -> None:
    text = ':Köln :in :NRW ; :name "Köln"@de, "Köln", "a\\"b\\\\\\n\\r\\t"@en-gb ; :since "50"^^:year, 50, " ", "" .'
    assert rdf(again, text) == sorted(
        [
            "<http://x/Köln> <http://x/in> <http://x/NRW> .",
            '<http://x/Köln> <http://x/name> "Köln" .',
            '<http://x/Köln> <http://x/name> "Köln"@de .',
            '<http://x/Köln> <http://x/name> "a\\"b\\\\\\n\\r\t"@en-gb .',
            '<http://x/Köln> <http://x/since> "50"^^<http://x/year> .',
            '<http://x/Köln> <http://x/since> "50"^^<http://www.w3.org/2001/XMLSchema#integer> .',
            '<http://x/Köln> <http://x/since> " " .',
            '<http://x/Köln> <http://x/since> "" .',
        ]
    )


def test_a_literal_and_an_iri_of_one_name_both_come_back(again: Again) -> None:
    assert rdf(again, ':a :p "b", :b .') == [
        '<http://x/a> <http://x/p> "b" .',
        "<http://x/a> <http://x/p> <http://x/b> .",
    ]


def test_labels_name_the_nodes_and_their_iris_come_back(again: Again) -> None:
    text = ':Q1 rdfs:label "Ada" ; :P1 :Q2 . :Q2 rdfs:label "Ada" . :P1 rdfs:label "knows" .'
    assert "<http://x/Q1> <http://x/P1> <http://x/Q2> ." in rdf(again, text)


def test_qualifiers_come_back_as_reifications_with_iris_and_datatypes(again: Again) -> None:
    lines = rdf(again, ':a :p :b {| :from "1885"^^:year, :Y ; :by :c |} .')
    assert '_:q1 <http://x/from> "1885"^^<http://x/year> .' in lines
    assert "_:q1 <http://x/from> <http://x/Y> ." in lines
    assert "_:q1 <http://x/by> <http://x/c> ." in lines
    assert len(lines) == 8


def test_named_graphs_come_back_from_n_quads(again: Again) -> None:
    text = ":g { :a :p :b, :c } :h { :a :p :b {| :q 1 |} } :a :p :d ."
    lines = rdf(again, text, "nq", "in.trig")
    assert {line for line in lines if line.startswith("<")} == {
        "<http://x/a> <http://x/p> <http://x/b> <http://x/g> .",
        "<http://x/a> <http://x/p> <http://x/b> <http://x/h> .",
        "<http://x/a> <http://x/p> <http://x/c> <http://x/g> .",
        "<http://x/a> <http://x/p> <http://x/d> .",
    }
    assert "<urn:cgstore:" in "".join(rdf(again, text, "nt", "in.trig"))


def test_blank_nodes_come_back_as_blank_nodes(again: Again) -> None:
    import pyoxigraph

    path = again.folder / "in.ttl"
    path.write_text('@prefix : <http://x/> . :a :p [ :q [ :r 1 ] ] . [] :p [ <http://schema.org/name> "B" ] .')
    first = again.load(load_rdf, path)
    file = again.folder / "out.nt"
    export_source(again.db, first, file)
    graphs = [pyoxigraph.Dataset(pyoxigraph.parse(path=one)) for one in (path, file)]
    for graph in graphs:
        graph.canonicalize(pyoxigraph.CanonicalizationAlgorithm.UNSTABLE)
    assert graphs[0] == graphs[1]


RDF_NODES = st.sampled_from([":a", ":b", ":c%20d", "<http://y/a>", "<http://y/ü#>"])
RDF_TERMS = st.one_of(RDF_NODES, st.sampled_from(['"a"', '"b"@en', '"b"@de', "1", '"1"', '"x\\ny"', '"c d"^^:t']))
RDF_FACTS = st.tuples(RDF_NODES, RDF_NODES, RDF_TERMS, st.lists(st.tuples(RDF_NODES, RDF_TERMS), max_size=2))


@FEW
@given(st.lists(RDF_FACTS, min_size=1, max_size=8))
def test_rdf_comes_back(again: Again, facts: list[tuple[str, str, str, list[tuple[str, str]]]]) -> None:
    def written(s: str, p: str, o: str, pairs: list[tuple[str, str]]) -> str:
        about = " ; ".join(f"{q} {v}" for q, v in pairs)
        return f"{s} {p} {o} {f'{{| {about} |}}' if about else ''} .\n"

    rdf(again, "".join(written(*fact) for fact in facts))


def test_cleaned_triples_come_back_with_their_iris(again: Again) -> None:
    path = again.folder / "in.tsv"
    path.write_text('<http://x/Ada>\t<http://x/knows>\t<Bob_B>\n<http://x/Ada>\t<http://x/age>\t"36"^^<http://x/int>\n')
    first = again.load(load_kg, path, {"clean": True})
    assert exported(again.db, first, "nt").splitlines() == [
        '<http://x/Ada> <http://x/age> "36"^^<http://x/int> .',
        f"<http://x/Ada> <http://x/knows> <urn:cgstore:{first}/Bob%20B> .",
    ]
    (again.folder / "out.nt").write_text(exported(again.db, first, "nt"))
    assert triples(again.db, again.load(load_rdf, again.folder / "out.nt")) == triples(again.db, first)


# What cannot be, and what goes wrong


@pytest.mark.parametrize("name", BREAKING[:3])
def test_a_name_that_tsv_cannot_hold_is_refused_with_what_can(again: Again, name: str) -> None:
    source = again.load(load_kg, write_csv(again.folder / "in.csv", [("x", "y", name), ("a", "b", "c")]))
    with pytest.raises(BadInput, match=r"cannot hold the name 'a.*\nGive `format=` jsonl"):
        export_source(again.db, source, again.folder / "out.tsv")
    assert not list(again.folder.glob("*out*"))


def test_an_empty_literal_is_refused_by_lines_and_held_by_n_triples(again: Again) -> None:
    path = again.folder / "in.ttl"
    path.write_text('<http://x/a> <http://x/p> "" .')
    source = again.load(load_rdf, path)
    for format in ("tsv", "jsonl"):
        with pytest.raises(BadInput, match=r"empty name.*\n?.*Give `format=` nt"):
            exported(again.db, source, format)
    assert exported(again.db, source) == '<http://x/a> <http://x/p> "" .\n'


def test_a_name_that_no_iri_holds_is_refused(again: Again) -> None:
    source = again.load(load_kg, write_csv(again.folder / "in.csv", [("x", "y", "z"), ("a\nb", "r", "c")]))
    with pytest.raises(BadInput, match=r"An IRI cannot hold the name 'a.nb'"):
        exported(again.db, source, "nt")


@pytest.mark.parametrize(("load", "row"), [(load_tkg, ("a", "r", "b", "1")), (load_table, ("a", "b"))])
def test_tables_and_temporal_facts_are_not_written_as_rdf(
    again: Again, load: Callable[..., object], row: tuple[str, ...]
) -> None:
    source = again.load(load, write_csv(again.folder / "in.csv", [row, row]))  # type: ignore[arg-type]
    with pytest.raises(BadInput, match=r"not written as nt\.\nGive `format=` tsv, csv or jsonl"):
        exported(again.db, source, "nt")


def test_a_source_that_is_not_there_or_not_ready_is_refused(again: Again) -> None:
    source = again.load(load_kg, write_csv(again.folder / "in.csv", [("a", "r", "b")]))
    with pytest.raises(BadInput, match="There is no source 'nosuch'"):
        exported(again.db, "nosuch")
    again.db.write("MATCH (s:CgSource {name: $name}) SET s.state = 'loading'", {"name": source})
    with pytest.raises(BadInput, match=f"Source '{source}' is loading"):
        exported(again.db, source)


def test_of_a_replaced_source_the_new_version_is_exported(again: Again) -> None:
    for tail in ("old", "new"):
        path = write_csv(again.folder / "in.csv", [("a", "r", tail)])
        load_kg(Online(again.db, replace=True), path, KgOptions(name="same"))
    assert exported(again.db, "same") == "head\trelation\ttail\na\tr\tnew\n"


def test_a_drop_or_a_replacement_meanwhile_leaves_no_file(again: Again, monkeypatch: pytest.MonkeyPatch) -> None:
    from cgstore.export import read as export_read

    path = write_csv(again.folder / "in.csv", [("a", "r", "b")])
    check = export_read.check_unchanged

    def drop(db: Database, chosen: export_read.Chosen) -> None:
        drop_source(db, source)
        check(db, chosen)

    def reload(db: Database, chosen: export_read.Chosen) -> None:
        drop_source(db, source)
        load_kg(db, path, KgOptions(name=source))
        check(db, chosen)

    for meanwhile in (drop, reload):
        source = again.load(load_kg, path)
        monkeypatch.setattr(export_read, "check_unchanged", meanwhile)
        with pytest.raises(BadInput, match="dropped, replaced or changed while it was read"):
            export_source(again.db, source, again.folder / "out.tsv")
    assert not list(again.folder.glob("*out*"))


def test_shared_nodes_do_not_bring_facts_of_other_sources(again: Again) -> None:
    path = write_csv(again.folder / "in.csv", [("a", "r", "b")])
    sources = [again.load(load_kg, path), again.load(load_kg, write_csv(path, [("a", "r", "b"), ("b", "r", "c")]))]
    assert [exported(again.db, source).count("\n") for source in sources] == [2, 3]


def test_the_same_source_makes_the_same_bytes(again: Again) -> None:
    path = write_csv(again.folder / "in.csv", [(name, "r", "b") for name in HOSTILE])
    source = again.load(load_kg, path)
    files = [again.folder / name for name in ("one.tsv.gz", "two.tsv.gz")]
    for file in files:
        export_source(again.db, source, file)
    assert files[0].read_bytes() == files[1].read_bytes()


def test_an_interrupted_export_leaves_the_old_file_and_no_other(again: Again, monkeypatch: pytest.MonkeyPatch) -> None:
    from cgstore.export import export

    source = again.load(load_kg, write_csv(again.folder / "in.csv", [("a", "r", "b")]))
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


def test_a_folder_that_is_not_there_is_bad_input(again: Again) -> None:
    source = again.load(load_kg, write_csv(again.folder / "in.csv", [("a", "r", "b")]))
    with pytest.raises(BadInput, match=r"out\.tsv cannot be written: No such file or directory"):
        export_source(again.db, source, again.folder / "nosuch" / "out.tsv")


def test_export_seeks_and_never_scans(again: Again) -> None:
    from cgstore.export import read as export_read

    again.load(load_tkg, write_csv(again.folder / "in.csv", [("a", "r", "b", "1", "2")]))
    about = {"source": "x"}
    statements = [getattr(export_read, name) for name in ("_OWNED", "_HEADS", "_FACTS", "_QUALIFIERS")]
    for statement in statements:
        with again.db.session() as session:
            plan = str(session.run(f"EXPLAIN {statement}", about).consume().plan)
        assert "Seek" in plan and "Scan" not in plan, statement
