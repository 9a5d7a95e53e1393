"""The options of queries and loads: one frozen dataclass each, which checks them, and the keywords of Python callers.

A method of `Store` takes the keywords (`store.query(program, limit=5)`), makes the object once, and hands it down. A
test holds both lists of fields equal.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypedDict

from cgstore import arguments
from cgstore.errors import BadInput
from cgstore.text.dates import read_past

ANSWER_LIMIT = 10_000
"""Most answers of a program."""

TIMES_LIMIT = 1_000_000
"""The same of an answer that is times: a period is shown as one, and its last day must be among them."""

EVIDENCE_LIMIT = 1_000
"""Most triples of evidence from each step of a program."""

MAX_COMBINATIONS = 100
"""Most combinations of nodes that are tried for the unknown names of a program."""


RETRIEVALS = ("likeness", "bm25", "encoder", "merged")
"""The ways to rank the nodes that an unknown name may mean: by spelling and meaning together, by BM25 over its words,
by the cosine of vectors alone, or by the mean of these two."""

LANGUAGES = ("llm", "sexpr")
"""The languages of programs."""


_PAST_HINT = (
    "Give a date such as 2026-11-01, with a time such as 2026-11-01T10:00+01:00, or '#12': after change 12 of a source."
)


@dataclass(frozen=True)
class QueryOptions:
    """How a program is run.

    Args:
        exact: whether a name without a node is an error. Otherwise it is mapped to the nearest name, with a warning;
            of several near names, to the one with which the program has an answer.
        threshold: the least score, from 0 to 1, at which an unknown name is mapped. None: the default of its role.
        linked: whether an unknown name is mapped only to nodes with which the program has an answer.
        combinations: most combinations of nodes to try where several names are unknown. 1: the nearest node of each.
        by_column: where only tables are asked, the least likeness at which a name is mapped to the nearest cell of the
            column that it is compared with. None: names are sought in all columns, exact ones first.
        evidence: whether the triples that support the answer are fetched.
        limit: most answers.
        evidence_limit: most triples of evidence from each step.
        lang: the language of the program: `llm`, the LLM query language, or `sexpr`, S-expressions.
        retrieve: how names are retrieved: one of `RETRIEVALS`. Entities come first; relations are those around the
            entities, also in place of one that exists but gives no answer there. None: unknown names alone are mapped,
            by likeness.
        entity_k: most nodes retrieved for a name of an entity.
        relation_k: most relations retrieved for a name.
        entity_threshold: the least score of an entity retrieved. None: the default of the way, or `threshold`.
        relation_threshold: the least score of a relation retrieved, likewise.
        oracle_entities: whether names of entities must exist as they are, so that only relations are retrieved.
        oracle_relations: whether names of relations must exist as they are, so that only entities are retrieved.
        as_of: answers from the graph as it was known then: a date (the end of that day), a date with a time, both in
            UTC unless the time has an offset, or `#12`, after change 12 of the one source asked. None: as it is now.

    Raises:
        BadInput: an option is of the wrong type or out of range.
    """

    exact: bool = False
    threshold: float | None = None
    linked: bool = False
    combinations: int = MAX_COMBINATIONS
    by_column: float | None = None
    evidence: bool = True
    limit: int = ANSWER_LIMIT
    evidence_limit: int = EVIDENCE_LIMIT
    lang: str = "llm"
    retrieve: str | None = None
    entity_k: int = 10
    relation_k: int = 15
    entity_threshold: float | None = None
    relation_threshold: float | None = None
    oracle_entities: bool = False
    oracle_relations: bool = False
    as_of: str | None = None

    def __post_init__(self) -> None:
        if self.lang not in LANGUAGES:
            raise BadInput(f"'{self.lang}' is not a language of programs.", f"Give one of {', '.join(LANGUAGES)}.")
        if self.retrieve not in (None, *RETRIEVALS):
            raise BadInput(f"'{self.retrieve}' is not a way to retrieve.", f"Give one of {', '.join(RETRIEVALS)}.")
        if self.exact and self.retrieve is not None:
            raise BadInput("`exact` and `retrieve` exclude each other.", "Give one of them.")
        if self.as_of is not None and read_past(arguments.text("as_of", self.as_of)) is None:
            raise BadInput(f"'{self.as_of}' is not a time, nor the number of a change.", _PAST_HINT)
        checked: dict[str, Any] = {
            "exact": arguments.flag("exact", self.exact),
            "linked": arguments.flag("linked", self.linked),
            "evidence": arguments.flag("evidence", self.evidence),
            "oracle_entities": arguments.flag("oracle_entities", self.oracle_entities),
            "oracle_relations": arguments.flag("oracle_relations", self.oracle_relations),
            "entity_k": arguments.count("entity_k", self.entity_k, 1),
            "relation_k": arguments.count("relation_k", self.relation_k, 1),
            "entity_threshold": arguments.share("entity_threshold", self.entity_threshold),
            "relation_threshold": arguments.share("relation_threshold", self.relation_threshold),
            "limit": arguments.count("limit", self.limit, 1),
            "evidence_limit": arguments.count("evidence_limit", self.evidence_limit),
            "threshold": arguments.share("threshold", self.threshold),
            "by_column": arguments.share("by_column", self.by_column),
            "combinations": arguments.count("combinations", self.combinations, 1),
        }
        for name, value in checked.items():  # numbers of numpy become Python's own
            object.__setattr__(self, name, value)


class QueryKeywords(TypedDict, total=False):
    """The fields of `QueryOptions`, as keywords."""

    exact: bool
    threshold: float | None
    linked: bool
    combinations: int
    by_column: float | None
    evidence: bool
    limit: int
    evidence_limit: int
    lang: str
    retrieve: str | None
    entity_k: int
    relation_k: int
    entity_threshold: float | None
    relation_threshold: float | None
    oracle_entities: bool
    oracle_relations: bool
    as_of: str | None


@dataclass(frozen=True)
class LoadOptions:
    """The options of every load.

    Args:
        name: the name of the source. None: the name of the input.
        on_error: `stop` refuses an input with a bad line. `skip` loads the rest, and writes the bad lines to a file.
        rejected: the file for bad lines: tab-separated with quotes; columns line, column, problem, text. It replaces
            only a file that a load wrote. None: the input's name with `.rejected.tsv`, beside the input.
        progress: whether to show bars on standard error.
        decimal: the mark before decimals, a point or a comma, for columns that leave it open.
        day_first: whether dates in figures begin with the day, for columns that leave it open.
        replace: whether a source of that name is replaced, in one step as readers see it.
        dry_run: whether to count and show some triples, and write nothing. No database is needed.

    Raises:
        BadInput: an option has no meaning.
    """

    name: str | None = None
    on_error: str = "stop"
    rejected: Path | str | None = None
    progress: bool = False
    decimal: str | None = None
    day_first: bool | None = None
    replace: bool = False
    dry_run: bool = False

    def __post_init__(self) -> None:
        if self.name is not None:
            arguments.text("name", self.name)
        for name in ("progress", "replace", "dry_run"):
            arguments.flag(name, getattr(self, name))
        if self.decimal not in (None, ".", ","):
            raise BadInput(f"'{self.decimal}' is not a mark before decimals.", "Give --decimal , or --decimal .")
        if self.on_error not in ("stop", "skip"):
            raise BadInput(f"'{self.on_error}' is not a way to treat errors.", "Give --on-error stop or skip.")


class _InputKeywords(TypedDict, total=False):
    """The fields of `LoadOptions` except the name."""

    on_error: str
    rejected: Path | str | None
    progress: bool
    decimal: str | None
    day_first: bool | None
    replace: bool
    dry_run: bool


class FrameKeywords(_InputKeywords, total=False):
    """The keywords of `Store.load_frame`; see `cgstore.loaders.table.TableOptions`."""

    columns: Mapping[str, str] | None


class LoadKeywords(_InputKeywords, total=False):
    """The fields of `LoadOptions`, as keywords."""

    name: str | None


class DelimitedKeywords(LoadKeywords, total=False):
    """The keywords of text files with columns: aliases, statements, triples, temporal facts, tables."""

    header: bool | None
    delimiter: str | None
    encoding: str | None


class TableKeywords(DelimitedKeywords, total=False):
    """The keywords of `Store.load_table`; see `cgstore.loaders.table.TableOptions`."""

    sheet: str | None
    query: str | None
    escapes: bool | None
    footnotes: bool
    columns: Mapping[str, str] | None


class TripleKeywords(DelimitedKeywords, total=False):
    """The keywords of `Store.load_kg`; see `cgstore.loaders.kg.KgOptions`."""

    columns: Sequence[int] | None
    clean: bool


class TemporalKeywords(DelimitedKeywords, total=False):
    """The keywords of `Store.load_tkg`; see `cgstore.loaders.tkg.TkgOptions`."""

    step: str | None
    max_triples: int
    now: str | None


class RdfKeywords(LoadKeywords, total=False):
    """The keywords of `Store.load_rdf`; see `cgstore.loaders.rdf`."""

    format: str | None
    language: str
    labels: bool


class GraphKeywords(LoadKeywords, total=False):
    """The keywords of `Store.load_graph`; see `cgstore.loaders.graph`."""

    labels: Sequence[str]
    types: Sequence[str]
    name_property: str | None
