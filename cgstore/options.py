"""The options of queries and loads, each declared once: as a field of a frozen dataclass.

The check of a keyword, the option of a command and this page are made from the field. A method of `Store` takes the
keywords (`store.query(program, limit=5)`), makes the object, and hands it down. Type checkers need the keywords once
more, as a TypedDict; a test holds both equal.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import Field, dataclass, field, fields
from pathlib import Path
from typing import Any, Literal, TypedDict

from cgstore import arguments
from cgstore.errors import BadOption, setting
from cgstore.text.dates import read_past

ANSWER_LIMIT = 10_000
"""Most answers of a program."""

TIMES_LIMIT = 1_000_000
"""The same of an answer that is times: a period is shown as one, and its last day must be among them."""

EVIDENCE_LIMIT = 1_000
"""Most triples of evidence from each step of a program."""

MAX_COMBINATIONS = 100
"""Most combinations of nodes that are tried for the unknown names of a program."""

LANGUAGES = ("llm", "sexpr")
"""The languages of programs."""

_PAST_HINT = (
    "Give a date such as 2026-11-01, with a time such as 2026-11-01T10:00+01:00, or '#12': after change 12 of a source."
)


def option(
    default: Any,
    help: str,
    *,
    unset: object = "",
    choices: Sequence[str] = (),
    within: tuple[int, int | None] = (0, None),
    several: bool = False,
    flag: str = "",
    metavar: str | None = None,
    envvar: str | None = None,
    path: Literal["", "file", "folder", "any", "new file", "new folder"] = "",
    read: Callable[[Any], Any] | None = None,
) -> Any:
    """A field of a class of options.

    Args:
        default: the value of an option that is not given; MISSING: it must be given.
        help: what it is for, as `--help` says it.
        unset: what stands for None, in words.
        choices: the texts that it may be.
        within: the least and the most of a number; one that is no whole number and has no most is above 0.
        several: whether a command takes it more than once.
        flag: what a command calls it; by default its own name.
        metavar: what `--help` shows for its value.
        envvar: the variable of the environment that a command takes it from.
        path: whether a command takes a file or a folder, that is there or new.
        read: makes the value of what a command was given.
    """
    rule = {"unset": unset, "choices": choices, "within": within, "several": several, "flag": flag}
    shown = {"help": help, "metavar": metavar, "envvar": envvar, "path": path, "read": read}
    return field(default=default, metadata={**rule, **shown})


@dataclass(frozen=True)
class Options:
    """Options that check themselves.

    Raises:
        BadOption: an option is of the wrong type, out of range, or none of the choices.
    """

    def __post_init__(self) -> None:
        for each in fields(self):
            value = getattr(self, each.name)
            if value is not None or each.default is not None:
                object.__setattr__(self, each.name, _checked(each, value))  # numbers of numpy become Python's own


def type_name(each: Field[Any]) -> str:
    """The type of an option, without `| None`."""
    return str(each.type).partition(" ")[0]


def _checked(each: Field[Any], value: Any) -> Any:
    name, rule, (least, most) = each.name, each.metadata, each.metadata["within"]
    if rule["choices"]:
        return arguments.choice(name, value, rule["choices"])
    if rule["path"] and rule["several"]:
        given = arguments.paths(name, value)
        return tuple(Path(path) for path in ([given] if isinstance(given, str | Path) else given))
    match type_name(each):
        case "bool":
            return arguments.flag(name, value)
        case "int":
            return arguments.count(name, value, least, most)
        case "float":
            return arguments.between(name, value, least, most) if most else arguments.positive(name, value)
        case "str":
            return arguments.text(name, value)
    return value


@dataclass(frozen=True)
class QueryOptions(Options):
    """How a program is run."""

    lang: str = option("llm", "The program's language: the LLM query language, or S-expressions.", choices=LANGUAGES)
    exact: bool = option(False, "A name without a node is an error, not mapped to the nearest name.")
    threshold: float | None = option(
        None,
        "Least score, from 0 to 1, at which an unknown name is mapped to the nearest.",
        unset="0.8 for entities, 0.7 for relations",
        within=(0, 1),
        metavar="SCORE",
    )
    linked: bool = option(False, "Map an unknown name only to nodes with which the program has an answer.")
    combinations: int = option(
        MAX_COMBINATIONS,
        "Combinations of meanings tried for several unknown names; 1: the nearest of each.",
        within=(1, None),
    )
    by_column: float | None = option(
        None,
        "Where only tables are asked, the least likeness at which a name is mapped to the nearest cell of the column "
        "that it is compared with.",
        unset="names are sought in all columns, exact ones first",
        within=(0, 1),
    )
    retrieve: bool = option(
        False,
        "Retrieve names: entities first, then relations around them, also in place of one that exists but gives no "
        "answer there. `ask --lang sexpr` does it always.",
    )
    entity_k: int = option(10, "Most nodes for a name of an entity.", within=(1, None))
    relation_k: int = option(15, "Most relations for a name.", within=(1, None))
    entity_threshold: float | None = option(None, "Least score of an entity.", within=(0, 1))
    relation_threshold: float | None = option(None, "Least score of a relation.", within=(0, 1))
    evidence: bool = option(True, "Fetch the triples that support the answer.")
    limit: int = option(ANSWER_LIMIT, "Most answers.", within=(1, None))
    evidence_limit: int = option(EVIDENCE_LIMIT, "Most triples of evidence from each step.")
    as_of: str | None = option(
        None,
        "Answer from what was known then: a date (to its end, UTC), a date with a time, or '#12', after change 12 of "
        "the source asked.",
        metavar="TIME",
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.exact and self.retrieve:
            raise BadOption(f"{setting('exact')} and {setting('retrieve')} exclude each other.", "Give one of them.")
        if self.exact and self.threshold is not None:
            raise BadOption(f"{setting('exact')} and {setting('threshold')} exclude each other.", "Give one of them.")
        if self.as_of is not None and read_past(self.as_of) is None:
            raise BadOption(f"'{self.as_of}' is not a time, nor the number of a change.", _PAST_HINT)


class QueryKeywords(TypedDict, total=False):
    """The fields of `QueryOptions`, as keywords."""

    lang: str
    exact: bool
    threshold: float | None
    linked: bool
    combinations: int
    by_column: float | None
    retrieve: bool
    entity_k: int
    relation_k: int
    entity_threshold: float | None
    relation_threshold: float | None
    evidence: bool
    limit: int
    evidence_limit: int
    as_of: str | None


@dataclass(frozen=True)
class LoadOptions(Options):
    """The options of every load. With several tables, `name` and a slash go before the name of each."""

    name: str | None = option(None, "The source's name.", unset="the input's", metavar="SOURCE")
    on_error: str = option(
        "stop",
        "A bad line: load nothing, or leave it out and write it to the rejected file.",
        choices=("stop", "skip"),
    )
    rejected: Path | str | None = option(
        None,
        "The file for rejected lines; a new file, or one that a load wrote.",
        unset="NAME.rejected.tsv",
        path="new file",
    )
    progress: bool = option(False, "Show bars on standard error.")
    decimal: str | None = option(
        None,
        "The mark before decimals, where a column leaves it open, as 1.250 does.",
        unset="by other columns",
        choices=(",", "."),
    )
    day_first: bool | None = option(
        None,
        "Dates such as 3/4/2004, where a column leaves it open.",
        unset="by the other columns",
        flag="day-first/month-first",
    )
    replace: bool = option(False, "Replace a source of that name, in one step.")
    dry_run: bool = option(False, "Count, show some triples, and write nothing.")


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
