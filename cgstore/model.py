"""The plain data of a condition graph and of an answer: no database, no LLM.

A condition graph (TrustUQA, section 3.1, definition 1) is a set of condition triples (node1, node2, condition): node1
is linked to node2 under a list of nodes, which may be empty.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING, Any, NamedTuple, Self

from cgstore.show.evidence import Evidence as Evidence  # stands here for those who import it from the model
from cgstore.text.names import many, owned_key, shared_key, some_of

if TYPE_CHECKING:
    import pandas


class Role(StrEnum):
    """What a node does in the graph; the value is its second Neo4j label, beside `CgNode`."""

    ENTITY = "CgEntity"
    VALUE = "CgValue"
    RELATION = "CgRelation"
    KEY = "CgKey"
    LINE = "CgLine"

    @property
    def owned(self) -> bool:
        """Whether nodes of this role belong to one source, rather than being shared by all."""
        return self in (Role.RELATION, Role.KEY, Role.LINE)


class Node(NamedTuple):
    """A node of the condition graph: its string, its role, and for owned roles the source it belongs to."""

    name: str
    role: Role
    source: str | None = None

    @property
    def key(self) -> str:
        """The node's unique key in the graph (see `cgstore.text.names`)."""
        return owned_key(self.source, self.name) if self.source is not None else shared_key(self.name)


class ConditionTriple(NamedTuple):
    """(node1, node2, condition); an empty condition is stored as CG_HAS, any other as CG_VALUE."""

    node1: Node
    node2: Node
    condition: tuple[Node, ...] = ()


class TimeKey(StrEnum):
    """The built-in keys of temporal facts (TrustUQA, section 3.1); the value is the node's name."""

    TIME = "time"
    START = "start time"
    END = "end time"


ROW_NUMBER = "row_number"
"""The built-in relation between a row of a table and its number."""

FORMAT = 2
"""Version of the properties that a source's triples have. 2: triples about whole facts have their relation."""

FORMAT_WITH_STATEMENTS = 4
"""The same where facts have several statements, which an older version mixes up."""

FORMAT_WITH_CHANGES = 5
"""The same of a source that was changed after its load: what was removed is still in the graph."""

FORMAT_OF_TIMES = 7
"""The format of temporal sources, whose times are stretches with levels (`text.dates.level_of`)."""

FORMATS_OF_OLD_TIMES = (FORMAT, 3, FORMAT_WITH_CHANGES, 6)
"""Older formats of temporal sources, which an upgrade brings to `FORMAT_OF_TIMES`."""


def format_of(stored: int | None, parallel: int | None) -> int:
    """The format of a source by whether it has stretches of times, and facts with several statements."""
    if stored is not None:
        return FORMAT_OF_TIMES
    return FORMAT if parallel is None else FORMAT_WITH_STATEMENTS


def is_readable(format: int | None, *, has_times: bool) -> bool:
    """Whether this version reads a source of a format."""
    if has_times:
        return format == FORMAT_OF_TIMES
    return format in (FORMAT, FORMAT_WITH_STATEMENTS, FORMAT_WITH_CHANGES)


ALIASES_KIND = "aliases"
"""The kind of source that has other names of nodes, and no facts."""

MOST_COLUMNS = 1000
"""Columns of a load report."""


class SourceState(StrEnum):
    """A source is answered from only when ready."""

    LOADING = "loading"
    READY = "ready"
    DROPPING = "dropping"


@dataclass(frozen=True)
class Source:
    """A loaded source.

    `facts` counts the input's distinct facts, `nodes` its distinct nodes, `triples` the condition triples
    (`has` + `value`), `step` the time step of a temporal source (`text.dates.Step`), `columns` those of a table.
    `stored` counts the relationships of a temporal source, in which each stretch of times stands for many triples.
    `parallel` counts the facts that have several statements, if there are any. `change` is the number of the last
    change since it was loaded, 0 before the first. `now` is the date until which open facts hold, and `ends` says
    whether facts without an end are open; both are None where this is not known. `coarse` says whether a start or an
    end may be less exact than the step; None too where this is not known.
    """

    name: str
    kind: str
    state: SourceState
    facts: int = 0
    nodes: int = 0
    triples: int = 0
    has: int = 0
    value: int = 0
    step: str | None = None
    fingerprint: str | None = None
    columns: tuple[str, ...] = ()
    stored: int | None = None
    change: int = 0
    now: str | None = None
    ends: bool | None = None
    parallel: int | None = None
    coarse: bool | None = None

    @property
    def relationships(self) -> int:
        """The relationships that hold the triples."""
        return self.triples if self.stored is None else self.stored

    def __repr__(self) -> str:
        return f"<Source: {self}>"

    def __str__(self) -> str:
        if self.kind == ALIASES_KIND:
            size = many(self.facts, "alias", "aliases")
        else:
            size = f"{many(self.facts, 'fact')} as {self.triples:,} condition triples"
        return f"'{self.name}' ({self.kind}, {self.state}): {size}"


@dataclass(frozen=True)
class ColumnReport:
    """How a load read the values of one relation, which is a column in a table.

    `kind` is a kind of `text.kinds`, without the mark before decimals, which `format` states in words. `cells` counts
    the values, `empty` the blank cells, `nothing` the cells whose text stands for nothing (`n/a`), of which `nothings`
    has the commonest. `unread` counts the cells that hold no number of that kind; `examples` are some of them, each a
    value and its head. `doubt` says which values could be read otherwise, how they are read, and why. `source` is the
    source of the table.
    """

    source: str
    name: str
    kind: str
    format: str = ""
    cells: int = 0
    empty: int = 0
    unread: int = 0
    examples: tuple[tuple[str, str], ...] = ()
    doubt: str = ""
    nothing: int = 0
    nothings: tuple[str, ...] = ()


@dataclass(frozen=True)
class LoadReport:
    """The result of one load: the last line of `cgstore load ... --json`.

    `facts` counts the input's distinct facts. Where one command makes several sources (a folder of tables), `sources`
    counts them and the counts are sums. `unchanged` says that everything was loaded before. `warnings` are sentences
    about input that was loaded but looks odd. A dry run writes nothing; `sample` shows some of its triples, which for
    aliases are an alias (`node1`) and a name that it stands for (`node2`). `columns` says how the values of each column
    were read; outside tables, those of each relation whose values are not texts; of many tables only the columns that
    need a look, at most `MOST_COLUMNS`. `header` is the row that was detected as the header of a table. `open` counts
    temporal facts without an end, which hold until `now`. `stored` counts the relationships
    of a temporal source, in which each stretch of times stands for many triples.
    """

    source: str
    kind: str
    facts: int
    nodes: int
    triples: int
    has: int
    value: int
    rejected: int
    seconds: float
    unchanged: bool = False
    rejected_file: str | None = None
    step: str | None = None
    warnings: tuple[str, ...] = ()
    sources: int = 1
    dry_run: bool = False
    sample: tuple[Evidence, ...] = ()
    columns: tuple[ColumnReport, ...] = ()
    header: str = ""
    stored: int | None = None
    open: int = 0
    now: str | None = None

    def __repr__(self) -> str:
        return f"<LoadReport: {self.summary}>"

    def __str__(self) -> str:
        rejected = f"{many(self.rejected, 'line')} rejected: {self.rejected_file}"
        notes = [f"Note: {warning}" for warning in self.warnings]
        return "\n".join([self.summary, *notes, *([rejected] if self.rejected else [])])

    @property
    def summary(self) -> str:
        """What was loaded, in a sentence."""
        what = f"'{self.source}'" if self.sources == 1 else f"{self.sources:,} tables"
        has_facts = self.kind != ALIASES_KIND
        if self.unchanged:
            are = "is" if self.sources == 1 else "are"
            size = f"{self.triples:,} condition triples" if has_facts else f"{self.facts:,} aliases"
            return f"{what} {are} loaded already: nothing changed ({size})."
        done = "Would load" if self.dry_run else "Loaded"
        if not has_facts:
            return f"{done} {what}: {many(self.facts, 'alias', 'aliases')} in {self.seconds:.1f} s."
        return (
            f"{done} {what}: {many(self.facts, 'fact')} as {self.triples:,} condition triples "
            f"({self.has:,} HAS, {self.value:,} VALUE) over {self.nodes:,} nodes in {self.seconds:.1f} s."
        )

    def to_json(self) -> dict[str, Any]:
        """The fields by name."""
        return asdict(self)


@dataclass(frozen=True)
class Mapping:
    """A name in a program and the node that it is mapped to; `how` is `exact`, `normalised`, `number`, ..."""

    name: str
    role: str
    node: str
    score: float
    how: str


Value = str | int | float
Field = Value | None | tuple[Value, ...]
"""A field of an answer with several columns: one value, none, or several."""


def field_text(values: Field) -> str:
    """A field as text: empty where it has no value, several with semicolons between them."""
    return "; ".join(map(str, values)) if isinstance(values, tuple) else "" if values is None else str(values)


def row_text(fields: Iterable[Field]) -> str:
    """The fields of a row as one text."""
    return " | ".join(map(field_text, fields))


MOST_LINES = 10
"""Lines of an answer that `print` shows, and rows in a notebook; `answer` and `rows` have all."""


@dataclass(frozen=True)
class Reading:
    """What a question may mean, in plain English, and the program that answers it so."""

    meaning: str
    program: str


@dataclass(frozen=True)
class ChosenSource:
    """A source that was chosen among many, and the probability, from 0 to 1, that the question is about it."""

    name: str
    probability: float


@dataclass(frozen=True, repr=False)
class Answer:
    """The answer to a program or question, with everything needed to check it.

    `answer` holds strings as in the source, and numbers only where computed. It is empty where nothing was found; then
    `abstained` is true. An answer with several columns has their names in `columns` and its fields in `rows`; then
    `answer` holds the elements of a set with numbers, or the text of each fact or record, its fields parted by ` | `.
    `evidence` supports the values through every step. `cypher` and `parameters` are the statements that were run; the
    last one gave the answer. `queries` says what each query of the program gave, `steps` shows the execution query and
    the output of each step. `because` says why a backend wrote this program, `declined` why an LLM wrote none: its
    words for what the data lack. `seconds` is wall time by stage. `usage` is what an LLM used: requests, prompt_tokens,
    completion_tokens, and cached replies; empty where no LLM was asked. `sentence` says in plain English what
    the program asked and what it gave, and whether it lists all values; rules make it from the program and its answer.
    It is empty where no program was run. `chosen_sources` are those that a question was asked of where they were
    chosen among many, with the probability of each that the question is about it; empty where nothing was chosen.
    `periods` has an answer that is times as periods, `1989-11-10 to 1992-04-02` for all days in between; `answer`
    has each time. Likewise `evidence_periods` has the evidence with one triple for the times of a period, where
    there are periods; `evidence` has each time, up to a limit, and `evidence_cut` says whether triples are left out
    of it. `warnings` are the notes that make the answer doubtful, `details` the others. `readings` are what a question
    may mean where none was sure enough to be answered; `choices` says them.

    An answer is iterable over the values of `answer`, and false when it is empty. It prints as a few lines, and a
    notebook shows it with its evidence as a graph.
    """

    answer: tuple[str | int | float, ...]
    program: str
    cypher: tuple[str, ...] = ()
    parameters: tuple[dict[str, Any], ...] = field(default=(), hash=False)
    mappings: tuple[Mapping, ...] = ()
    evidence: tuple[Evidence, ...] = ()
    evidence_cut: bool = False
    evidence_periods: tuple[Evidence, ...] = ()
    warnings: tuple[str, ...] = ()
    details: tuple[str, ...] = ()
    seconds: dict[str, float] = field(default_factory=dict, hash=False)
    browser: str | None = None
    steps: tuple[str, ...] = ()
    queries: tuple[str, ...] = ()
    question: str | None = None
    because: str | None = None
    declined: str | None = None
    usage: dict[str, int] = field(default_factory=dict, hash=False)
    columns: tuple[str, ...] = ()
    rows: tuple[tuple[Field, ...], ...] = ()
    sentence: str = ""
    periods: tuple[str, ...] = ()
    chosen_sources: tuple[ChosenSource, ...] = ()
    readings: tuple[Reading, ...] = ()

    @property
    def choices(self) -> tuple[str, ...]:
        """The readings as lines to choose from, and how; empty if there are none."""
        lines = tuple(f"Reading {number}: {each.meaning}" for number, each in enumerate(self.readings, 1))
        return (*lines, "Choose one (`cgstore ask --reading 1`), or ask in other words.") if lines else ()

    @property
    def shown(self) -> tuple[str | int | float, ...]:
        """What is shown first of the answer: times as periods, else its `lines`."""
        return self.periods or self.lines

    @property
    def evidence_shown(self) -> tuple[Evidence, ...]:
        """The evidence as it is shown: with one triple for the times of a period."""
        return self.evidence_periods or self.evidence

    @property
    def lines(self) -> tuple[str | int | float, ...]:
        """What is shown of the answer: its values, or with several columns the text of each row."""
        return tuple(map(row_text, self.rows)) if self.columns else self.answer

    @property
    def abstained(self) -> bool:
        """Whether there is no answer."""
        return not self.answer

    def __len__(self) -> int:
        return len(self.answer)

    def __iter__(self) -> Iterator[Value]:
        return iter(self.answer)

    def __repr__(self) -> str:
        shown = some_of([str(value)[:60] for value in self.answer])
        return f"<Answer: {shown}>"

    def __str__(self) -> str:
        lines = [*map(str, self.shown[:MOST_LINES])] or ["No answer."]
        if len(self.shown) > MOST_LINES:
            lines.append(f"... and {len(self.shown) - MOST_LINES:,} more")
        lines += [self.sentence] if self.sentence else []
        if self.evidence:
            names = list(dict.fromkeys(triple.source for triple in self.evidence))
            count = len(self.evidence_shown)
            triples = many(count, "condition triple")
            lines.append(f"Evidence: {triples} of {some_of(names)}")
        return "\n".join([*lines, *(f"Note: {warning}" for warning in self.warnings), *self.choices])

    def _repr_html_(self) -> str:
        from cgstore.show.notebook import answer_html

        columns, rows = self.columns, self.rows[:MOST_LINES]
        if not columns:
            columns, rows = (), tuple((value,) for value in self.shown[:MOST_LINES])
        cells = [list(map(field_text, row)) for row in rows]
        more = len(self.shown) - len(rows)
        return answer_html(columns, cells, more, self.sentence, self.warnings, self.evidence_svg())

    def evidence_svg(self, most: int | None = None) -> str:
        """The evidence drawn as one SVG text, with the answer marked; see `cgstore.show.drawing.evidence_svg`.

        Args:
            most: most facts drawn; a line below says how many are not. None: as many as are read by eye.

        Raises:
            BadInput: `most` is not a whole number from 1 on.
        """
        from cgstore.show.drawing import MOST_FACTS, evidence_svg

        fields = [
            value for row in self.rows for each in row for value in (each if isinstance(each, tuple) else (each,))
        ]
        return evidence_svg(
            self.evidence_shown, [*self.answer, *self.periods, *fields], MOST_FACTS if most is None else most
        )

    def to_frame(self) -> pandas.DataFrame:
        """The answer as a pandas DataFrame: with its columns, or with the column `answer`; needs pandas."""
        import pandas

        if self.columns:
            return pandas.DataFrame(list(self.rows), columns=list(self.columns))
        return pandas.DataFrame({"answer": list(self.answer)})

    def evidence_frame(self) -> pandas.DataFrame:
        """The evidence as a pandas DataFrame: node1, node2, condition (a tuple of names), source; needs pandas."""
        import pandas

        return pandas.DataFrame([asdict(triple) for triple in self.evidence], columns=[*Evidence.__annotations__])

    def to_json(self) -> dict[str, Any]:
        """What `--json` prints: the interface that other programs rely on. `warnings` has all notes, doubts first."""
        fields = asdict(self)
        fields["warnings"] += self.details
        fields["abstained"] = self.abstained
        return fields

    @classmethod
    def from_json(cls, fields: dict[str, Any]) -> Self:
        """The answer that `to_json` wrote, after it was JSON."""
        known = {name: _tuples(value) for name, value in fields.items() if name in cls.__dataclass_fields__}
        known["mappings"] = tuple(Mapping(**each) for each in fields.get("mappings", ()))
        for name in ("evidence", "evidence_periods"):
            known[name] = tuple(
                Evidence(each["node1"], each["node2"], tuple(each["condition"]), each["source"])
                for each in fields.get(name, ())
            )
        known["chosen_sources"] = tuple(ChosenSource(**each) for each in fields.get("chosen_sources", ()))
        known["readings"] = tuple(Reading(**each) for each in fields.get("readings", ()))
        details = known.get("details", ())
        known["warnings"] = tuple(note for note in known.get("warnings", ()) if note not in details)
        return cls(**known)


def _tuples(value: Any) -> Any:
    """Lists as tuples, all the way down; other values as they are."""
    return tuple(map(_tuples, value)) if isinstance(value, list) else value
