"""Gold SPARQL queries as logical forms: how many convert, and do they give the gold answers? And programs as forms.

    python -m benchmarks.logical_forms webqsp --data .data
    python -m benchmarks.logical_forms cwq --data .data --limit 500
    python -m benchmarks.logical_forms programs --data .data --limit 500

`webqsp`, `cwq`: each gold query of WebQSP dev or ComplexWebQuestions dev is converted. rdflib runs it as published, and
also the query of the converted form; cgstore runs the form. All run over the facts that are published for any question
of the benchmark, which have names where the queries have ids: those of topics, constraints and answers. If the
published query gives the gold answers with rdflib, the facts of the query are there.

`programs`: the recorded programs become S-expressions. Both run over the facts, and their answers are compared.
"""

from __future__ import annotations

import argparse
import random
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from rdflib import XSD, Graph, Literal, URIRef
from rdflib.plugins.sparql.algebra import translateQuery
from rdflib.plugins.sparql.operators import custom_function
from rdflib.plugins.sparql.parser import parseQuery
from tqdm import tqdm

from benchmarks.sparql.algebra import NotConverted, in_standard_words
from benchmarks.sparql.from_sparql import Converted, from_sparql
from cgstore.errors import BadInput, QueryFailed
from cgstore.evaluate.benchmarks.files import json_lines, json_list
from cgstore.evaluate.benchmarks.freebase import (
    CWQ_QUESTIONS,
    CWQ_TOPICS,
    PARTS,
    SUBGRAPHS,
    WEBQSP_QUESTIONS,
    names_of_ids,
    union_facts,
)
from cgstore.evaluate.benchmarks.sources import clean, load_graphs
from cgstore.model import Answer
from cgstore.query.parse import ProgramError, parse
from cgstore.query.sexpr.from_program import from_program
from cgstore.query.sexpr.write import sexpr_text
from cgstore.query.sparql.to_sparql import to_sparql
from cgstore.query.sparql.vocabulary import Vocabulary
from cgstore.store import Store, connect

VOCABULARY = Vocabulary()
Fact = tuple[str, ...]


class Gold(NamedTuple):
    """A gold query, and the names of its answers."""

    id: str
    sparql: str
    answers: frozenset[str]


@custom_function(URIRef(XSD + "datetime"))
def _datetime(value: Literal) -> Literal:
    """`xsd:datetime`, which the published queries write: the time as it stands."""
    return Literal(str(value), datatype=XSD.dateTime)


def read_facts(folder: Path, parts: Sequence[str]) -> list[Fact]:
    """The facts published for any question."""
    records = json_lines(folder / SUBGRAPHS)
    facts = (fact for _, record in records for part in parts for fact in clean(record[part], 3))
    return list(dict.fromkeys(facts))


def webqsp(data: Path, names: Mapping[str, str]) -> Iterator[Gold]:
    for _, question in json_list(data / "webqsp" / WEBQSP_QUESTIONS, "Questions"):
        for parse_ in question["Parses"]:
            answers = (a["EntityName"] or a["AnswerArgument"] for a in parse_["Answers"])
            yield Gold(parse_["ParseId"], parse_["Sparql"], frozenset(answers))


def cwq(data: Path, names: Mapping[str, str]) -> Iterator[Gold]:
    for _, question in json_list(data / "cwq" / CWQ_QUESTIONS):
        answers = frozenset(names.get(str(answer), str(answer)) for answer in question["answer"])
        yield Gold(question["ID"], question["sparql"], answers)


class RdfFacts:
    """Facts as triples of RDF, by their relation: rdflib is slow over many, and a query needs few relations."""

    def __init__(self, facts: Iterable[Fact]) -> None:
        self.under: dict[str, list[Fact]] = defaultdict(list)
        for fact in facts:
            self.under[fact[1]].append(fact)
        self.triples: dict[str, list[tuple[URIRef, URIRef, URIRef | Literal]]] = {}

    def graph(self, sparql: str) -> Graph:
        """The facts under the relations of a query."""
        graph = Graph()
        for relation in set(_RELATION.findall(sparql)):
            if relation not in self.triples:
                self.triples[relation] = [as_triple(fact) for fact in self.under[relation]]
            for triple in self.triples[relation]:
                graph.add(triple)
        return graph


def as_triple(fact: Fact) -> tuple[URIRef, URIRef, URIRef | Literal]:
    head, relation, tail = fact
    datatype = VOCABULARY.datatype(tail)
    value = URIRef(VOCABULARY.iri(tail)) if datatype is None else Literal(tail, datatype=XSD[datatype])
    return URIRef(VOCABULARY.iri(head)), URIRef(VOCABULARY.iri(relation)), value


def by_rdflib(graph: Graph, sparql: str) -> frozenset[str]:
    algebra = translateQuery(parseQuery(in_standard_words(sparql)), initNs={"xsd": XSD})
    return frozenset(VOCABULARY.name(str(row[0])) for row in graph.query(algebra) if row[0] is not None)


def by_cgstore(outcome: Answer | BadInput | QueryFailed) -> tuple[frozenset[str], str]:
    """The answers, and why there are none."""
    if not isinstance(outcome, Answer):
        return frozenset(), type(outcome).__name__
    return frozenset(map(str, outcome.answer)), ""


def named(sparql: str, names: Mapping[str, str]) -> str:
    """A query with the IRIs of names in the place of those of ids."""
    return re.sub(r"\bns:([mg]\.\w+)", lambda match: VOCABULARY.iri_term(names.get(match[1], match[1])), sparql)


_RELATION = re.compile(r"\bns:([A-Za-z_0-9]+(?:\.[A-Za-z_0-9]+)+)")


def compare(store: Store, source: str, facts: Sequence[Fact], gold: Iterable[Gold], names: Mapping[str, str]) -> None:
    """Prints what becomes of the gold queries of one benchmark."""
    load_graphs(store, {source: facts})
    rdf = RdfFacts(facts)
    kinds: Counter[str] = Counter()
    outcomes: Counter[str] = Counter()
    examples: dict[str, list[str]] = {}
    convertible: list[tuple[Gold, str, Converted]] = []
    for each in gold:
        sparql = named(each.sparql, names)
        try:
            converted = from_sparql(sparql)
        except BadInput as error:
            kinds[error.kind if isinstance(error, NotConverted) else "not SPARQL that rdflib reads"] += 1
            continue
        kinds["converted, with a note" if converted.notes else "converted"] += 1
        convertible.append((each, sparql, converted))
    sexprs = [sexpr_text(converted.form) for _, _, converted in convertible]
    answers = store.execute_many(sexprs, [source], lang="sexpr", exact=True, evidence=False)
    compared = tqdm(zip(convertible, sexprs, answers, strict=True), total=len(sexprs), mininterval=10)
    for (each, sparql, converted), sexpr, outcome in compared:
        graph = rdf.graph(each.sparql)
        published, again = by_rdflib(graph, sparql), by_rdflib(graph, to_sparql(converted.form))
        found, problem = by_cgstore(outcome)
        there = "facts there" if each.answers and published == each.answers else "facts missing"
        outcomes[there] += 1
        outcomes[f"{there}: rdflib, form as published"] += again == published
        outcomes[f"{there}: cgstore as rdflib, form"] += found == again
        outcomes[f"{there}: cgstore as published"] += found == published
        if found != published:
            reason = problem or ("converted otherwise" if again != published else "engine")
            key = f"{there}, otherwise: {reason}{' (note)' if converted.notes else ''}"
            outcomes[key] += 1
            shown = f"{each.id} {sexpr} cgstore {sorted(found)[:4]} published {sorted(published)[:4]}"
            examples.setdefault(key, []).append(shown)
    print(f"{source}: {sum(kinds.values())} queries")
    for counted in (kinds, outcomes):
        print("".join(f"  {number:>6}  {kind}\n" for kind, number in counted.most_common()))
    for key, lines in examples.items():
        print(f"  {key}\n" + "".join(f"    {line[:300]}\n" for line in lines[:5]))


def gold(data: Path, benchmark: str, limit: int) -> None:
    names = names_of_ids(data / "cwq")
    for record in (record for _, record in json_lines(data / "cwq" / CWQ_TOPICS)):
        names |= record["topic_entity"]
    read, parts = (webqsp, PARTS) if benchmark == "webqsp" else (cwq, ("triples",))
    queries = list(read(data, names))
    drawn = random.Random(0).sample(queries, min(limit, len(queries)))
    with connect(timeout=60) as store:
        compare(store, f"forms/{benchmark}", read_facts(data / benchmark, parts), drawn, names)


RECORDED = ("metaqa_1hop", "metaqa_2hop", "metaqa_3hop", "webqsp_named", "webqsp_unnamed")


def programs(data: Path, limit: int) -> None:
    with connect(timeout=60) as store:
        store.load_kg(data / "metaqa" / "kb.txt", name="forms/metaqa", delimiter="|", header=False, progress=True)
        load_graphs(store, {"forms/freebase": union_facts(data / "webqsp")})
        for name in RECORDED:
            replies = [record["reply"] for _, record in json_lines(data / "recorded" / f"{name}.jsonl")]
            drawn = random.Random(0).sample(replies, min(limit, len(replies)))
            source = "forms/metaqa" if name.startswith("metaqa") else "forms/freebase"
            outcomes = Counter(compared(store, drawn, source))
            print(f"{name}: {len(drawn)} programs")
            print("".join(f"  {number:>6}  {kind}\n" for kind, number in outcomes.most_common()), flush=True)


def compared(store: Store, replies: Iterable[str], source: str) -> Iterator[str]:
    """What becomes of recorded programs as S-expressions."""
    pairs: list[tuple[str, str]] = []
    for reply in replies:
        try:
            pairs.append((reply, sexpr_text(from_program(parse(reply)))))
        except ProgramError as error:
            what = re.sub(r"^.*?: ", "", error.message.splitlines()[0])
            yield f"no counterpart: {what}" if "no counterpart" in error.message else "not a program"
        except BadInput:
            yield "not a program"
    as_programs = store.execute_many([program for program, _ in pairs], [source], exact=True, evidence=False)
    as_forms = store.execute_many([form for _, form in pairs], [source], lang="sexpr", exact=True, evidence=False)
    outcomes = tqdm(zip(pairs, as_programs, as_forms, strict=True), total=len(pairs), mininterval=10)
    for (_, sexpr), program, form in outcomes:
        yield outcome_of(sexpr, program, form)


def outcome_of(sexpr: str, program: Answer | BadInput | QueryFailed, form: Answer | BadInput | QueryFailed) -> str:
    """How the answer of an S-expression compares with that of the program that it was made of."""
    if not isinstance(program, Answer):
        return f"refused as a program: {type(program).__name__}"
    found, problem = by_cgstore(form)
    if found == frozenset(map(str, program.answer)):
        return "the same answers" if found else "no answer with either"
    if any("stands beside it under the relation" in warning for warning in program.warnings):
        return "otherwise: the program takes a tail in the place of a head"
    print(f"    {sexpr[:300]} {problem} {sorted(found)[:3]} {program.answer[:3]} {program.warnings}")
    return f"otherwise {problem}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=["webqsp", "cwq", "programs"])
    parser.add_argument("--data", type=Path, default=Path(".data"))
    parser.add_argument("--limit", type=int, default=100_000, help="Queries, or programs of each recording.")
    options = parser.parse_args()
    if options.what == "programs":
        programs(options.data, options.limit)
    else:
        gold(options.data, options.what, options.limit)


if __name__ == "__main__":
    main()
