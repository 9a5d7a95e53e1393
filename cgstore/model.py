"""The plain data of a condition graph and of an answer: no database, no LLM.

A condition graph (TrustUQA, section 3.1, definition 1) is a set of condition triples (node1, node2, condition): node1
is linked to node2 under a list of nodes, which may be empty.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING, Any, NamedTuple

from cgstore.text.names import owned_key, shared_key

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
        """What is unique in the graph (see `cgstore.text.names`)."""
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
"""Version of what is stored with a source's triples. 2: those of whole facts carry their relation."""


MOST_COLUMNS = 1000
"""Columns of a load report."""


class SourceState(StrEnum):
    """A source is answered from only when ready."""

    LOADING = "loading"
    READY = "ready"
    DROPPING = "dropping"


@dataclass(frozen=True)
class Source:
    """Something that was loaded.

    `facts` counts the input's distinct facts, `nodes` its distinct nodes, `triples` the condition triples
    (`has` + `value`), `step` the time step of a temporal source (year, month or day), `columns` those of a table.
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


@dataclass(frozen=True)
class ColumnReport:
    """How a load read the values of one relation: of a table, a column.

    `kind` is that of `text.kinds`, without the mark before decimals, which `format` says in words. `cells` counts
    the values that are there, `empty` those that are blank or stand for nothing (`n/a`); `unread` of the cells have no
    number of that kind, such as `examples`, each a value and the head that it is of. `doubt` says how what may be read
    otherwise is read, and why. `source` is the table's.
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


@dataclass(frozen=True)
class LoadReport:
    """What one load did: the last line of `cgstore load ... --json`. `unchanged` when all was there before.

    `facts` counts the input's distinct facts; `warnings` are sentences about input that was loaded but looks odd. Of a
    command that makes `sources` sources (a folder of tables), the counts are their sums. Of a dry run, which writes
    nothing, `sample` shows some of the triples; of aliases, `node1` is an alias and `node2` a name that it stands for.
    `columns` says how the values of each column were read, of other sources how those of each relation that are no
    texts; of many tables only the columns that need a look, `MOST_COLUMNS` at most. `header` says which row of a table
    was taken for the header without being told.
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

    def to_json(self) -> dict[str, Any]:
        """The fields by name."""
        return asdict(self)


@dataclass(frozen=True)
class Mapping:
    """A name in a program and the node that it was taken for; `how` is `exact`, `normalised` or `number`."""

    name: str
    role: str
    node: str
    score: float
    how: str


@dataclass(frozen=True)
class Evidence:
    """A condition triple that supports an answer, by names, with the source that holds it."""

    node1: str
    node2: str
    condition: tuple[str, ...]
    source: str


@dataclass(frozen=True)
class Answer:
    """The answer to a program or question, with everything needed to check it.

    `answer` holds strings as in the source, and numbers only where computed; it is empty where nothing was found, and
    `abstained` is then true. `evidence` supports the values through every step; `cypher` and `parameters` are the
    statements that were run, the last one being the one that answered. `steps` shows the execution query with what each
    step held, `because` why a backend wrote this program. `seconds` is wall time by stage. `usage` is what an LLM took:
    requests, prompt_tokens, completion_tokens, and kept replies; empty where none was asked.
    """

    answer: tuple[str | int | float, ...]
    program: str
    cypher: tuple[str, ...] = ()
    parameters: tuple[dict[str, Any], ...] = ()
    mappings: tuple[Mapping, ...] = ()
    evidence: tuple[Evidence, ...] = ()
    evidence_cut: bool = False
    warnings: tuple[str, ...] = ()
    seconds: dict[str, float] = field(default_factory=dict)
    browser: str | None = None
    steps: tuple[str, ...] = ()
    question: str | None = None
    because: str | None = None
    usage: dict[str, int] = field(default_factory=dict)

    @property
    def abstained(self) -> bool:
        """Whether there is no answer."""
        return not self.answer

    def to_frame(self) -> pandas.DataFrame:
        """The answer's values as a pandas DataFrame with the column `answer`; needs pandas."""
        import pandas

        return pandas.DataFrame({"answer": list(self.answer)})

    def evidence_frame(self) -> pandas.DataFrame:
        """The evidence as a pandas DataFrame: node1, node2, condition (a tuple of names), source; needs pandas."""
        import pandas

        return pandas.DataFrame([asdict(triple) for triple in self.evidence], columns=[*Evidence.__annotations__])

    def to_json(self) -> dict[str, Any]:
        """What `--json` prints: the interface that other programs rely on."""
        fields = asdict(self)
        fields["abstained"] = self.abstained
        return fields
