"""An MCP server over a Store, with read-only tools.

The Model Context Protocol (https://modelcontextprotocol.io) by its official SDK. Tools take questions, programs and
names; none takes Cypher. A model without a key of its own reads the language's pages, which are resources, and writes
programs itself.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import wraps
from importlib import metadata
from typing import TYPE_CHECKING, Annotated, Any, Literal, ParamSpec, TypeVar

from mcp.server import MCPServer
from mcp.server.mcpserver.exceptions import ToolError
from mcp.server.mcpserver.tools import Tool
from mcp.types import ToolAnnotations
from pydantic import Field, ValidationError

from cgstore.errors import CgstoreError
from cgstore.llm.prompts import PAGES, PromptTexts
from cgstore.show.description import SourceDescription, describe_sources
from cgstore.text.likeness import did_you_mean
from cgstore.web.guard import Bounds, Guard, check_host
from cgstore.web.service import served_sources

if TYPE_CHECKING:
    from starlette.types import ASGIApp

    from cgstore.llm.backends import Backend
    from cgstore.model import Answer, Evidence
    from cgstore.store import Store

P = ParamSpec("P")
R = TypeVar("R")

MOST_PROVED = 50
"""Condition triples that come with an answer; the tool `evidence` gives up to `MOST_TRIPLES`."""

MOST_TRIPLES = 1_000
MOST_VALUES = 500
MOST_SOURCES = 100
MOST_RELATIONS = 300
"""Relations or columns described, of all sources together, but `LEAST_RELATIONS` of each."""

LEAST_RELATIONS = 10
MOST_BYTES = 4_000_000
"""Bytes of one request over HTTP."""

INSTRUCTIONS = """\
cgstore answers questions over tables, knowledge graphs and temporal knowledge graphs, each answer with the facts that
prove it. Begin with describe_sources. If you write programs well, read the resource cgstore://language and use `query`,
with find_names for the spelling of names; or give the question to `ask`. Read the notes of an answer: they say what was
left out or taken for something else. No answer means that the data do not give one: do not fill it in from memory."""

Question = Annotated[str, Field(min_length=1, max_length=4_000, description="The question, in plain words.")]
Program = Annotated[
    str,
    Field(
        min_length=1,
        max_length=200_000,
        description="A program of the query language, a call a line; see the resource cgstore://language.",
    ),
]
Name = Annotated[str, Field(min_length=1, max_length=500)]
Sources = Annotated[
    list[str] | None, Field(max_length=MOST_SOURCES, description="Names of the sources to ask; null: all of them.")
]


@dataclass(frozen=True)
class Triple:
    """A condition triple: `relation` of the head entity has `value`; `condition` holds the head, or a whole fact."""

    relation: str
    value: str
    condition: list[str]
    source: str


@dataclass(frozen=True)
class NameMapping:
    """A name of the program, and the node that it was taken for."""

    name: str
    role: str
    node: str
    score: float


@dataclass(frozen=True)
class AnswerResult:
    """An answer; `values` is empty where there is none, and `notes` say why.

    `columns` and `rows` are those of an answer with several columns. `total` counts the values, of which at most
    `MOST_VALUES` are given and a note says so; `triples` counts the evidence, of which at most `MOST_PROVED` are given.
    """

    values: list[str | int | float]
    total: int
    sentence: str
    notes: list[str]
    program: str
    mappings: list[NameMapping]
    columns: list[str]
    rows: list[list[Any]]
    evidence: list[Triple]
    triples: int


@dataclass(frozen=True)
class EvidenceResult:
    """The condition triples that prove an answer; `is_cut` says that there are more."""

    values: list[str | int | float]
    evidence: list[Triple]
    is_cut: bool


@dataclass(frozen=True)
class NodeCandidate:
    """A node that a name may mean; `score` is from 0 to 1."""

    node: str
    score: float
    how: str


@dataclass(frozen=True)
class NameResult:
    """A name and the nodes that it may mean, the best first."""

    name: str
    candidates: list[NodeCandidate]


@dataclass(frozen=True)
class Tools:
    """The tools over one Store. A CgstoreError of any of them is an error that the model can read.

    `sources` restricts all of them; None: no restriction.
    """

    store: Store
    backend: Backend
    sources: tuple[str, ...] | None = None

    def ask(self, question: Question, sources: Sources = None) -> AnswerResult:
        """Answers a question in plain words: programs are written and run, and the answer comes with its proof."""
        return _result(self.store.ask(question, self.backend, self.asked(sources)))

    def query(self, program: Program, sources: Sources = None, exact: bool = False) -> AnswerResult:
        """Runs a program that you wrote in the query language of cgstore://language. `exact`: no name is guessed."""
        return _result(self.store.query(program, self.asked(sources), exact=exact))

    def evidence(
        self,
        program: Program,
        sources: Sources = None,
        most: Annotated[int, Field(ge=1, le=MOST_TRIPLES, description="Most triples to return.")] = 200,
    ) -> EvidenceResult:
        """Runs a program again and gives the condition triples that prove its answer."""
        answer = self.store.query(program, self.asked(sources))
        found = answer.evidence_shown
        is_cut = len(found) > most or (answer.evidence_cut and not answer.evidence_periods)
        return EvidenceResult(list(answer.answer[:MOST_VALUES]), _triples(found[:most]), is_cut)

    def find_names(
        self,
        names: Annotated[list[Name], Field(min_length=1, max_length=20, description="Names, spelt as you think.")],
        role: Annotated[Literal["entity", "relation", "key"], Field(description="What they stand for.")] = "entity",
        sources: Sources = None,
        most: Annotated[int, Field(ge=1, le=20, description="Most candidates for each.")] = 5,
    ) -> list[NameResult]:
        """Gives the names in the graph that are like the given ones, the best first."""
        found = self.store.map(names, role, self.asked(sources), top=most, encoder=self.store.graph_encoder())
        return [
            NameResult(name, list(dict.fromkeys(NodeCandidate(c.name, round(c.score, 3), c.how) for c in candidates)))
            for name, candidates in found
        ]

    def describe_sources(self, sources: Sources = None) -> list[SourceDescription]:
        """Gives what is in the sources: relations or columns with examples, joins, qualifiers, times, example programs.

        Of many sources, each is described in short (`is_cut`): name one to see all of it.
        """
        ready = self.store.ready(self.asked(sources))[:MOST_SOURCES]
        most = max(LEAST_RELATIONS, MOST_RELATIONS // len(ready))
        return describe_sources(self.store.db, ready, self.store.sources(), most)

    def asked(self, sources: list[str] | None) -> list[str] | None:
        """The sources to ask, of those that the server may show.

        Raises:
            BadInput: one of them is not shown.
        """
        return served_sources(self.sources, sources)


ARGUMENTS = ("question", "program", "sources", "exact", "names", "role", "most")
"""The arguments of the tools."""


class PlainTool(Tool):
    """A tool that refuses unknown and wrong arguments in plain words."""

    async def run(self, arguments: dict[str, Any], context: Any, convert_result: bool = False) -> Any:
        """See `Tool.run`."""
        known = list(self.parameters.get("properties", {}))
        if unknown := [name for name in arguments if name not in known]:
            hint = did_you_mean(unknown[0], known, f"It takes: {', '.join(known)}.")
            raise ToolError(f"The tool {self.name} has no argument '{unknown[0][:100]}'. {hint}")
        try:
            self.fn_metadata.validate_arguments(arguments)
        except ValidationError as error:
            first = error.errors()[0]
            place = ".".join(map(str, first["loc"])) or "The arguments"
            raise ToolError(f"{place}: {first['msg']}. See the schema of the tool {self.name}.") from error
        return await super().run(arguments, context, convert_result)


READ_ONLY = ToolAnnotations(read_only_hint=True, destructive_hint=False, idempotent_hint=True, open_world_hint=False)


def server_of(tools: Tools) -> MCPServer[Any]:
    """The MCP server with these tools and the pages of the query language."""
    methods = (tools.ask, tools.query, tools.evidence, tools.find_names, tools.describe_sources)
    server: MCPServer[Any] = MCPServer(
        "cgstore",
        instructions=INSTRUCTIONS,
        version=metadata.version("cgstore"),
        log_level="WARNING",
        tools=[
            PlainTool.from_function(_readable(method, tools.store), annotations=READ_ONLY, structured_output=True)
            for method in methods
        ],
    )

    @server.resource("cgstore://language", mime_type="text/plain")
    def language() -> str:
        """The query language: every function, with examples over a table and a graph."""
        texts = PromptTexts()
        return "\n\n".join(texts.render(page) for page in ("language", *PAGES))

    return server


def http_app(server: MCPServer[Any], host: str, token: str | None) -> ASGIApp:
    """The server over streamable HTTP, at `/mcp`. With a token, each request must carry it as `Authorization: Bearer`.

    The hosts and origins of requests are checked; see `cgstore.web.guard`.

    Raises:
        BadInput: the host can be reached from other machines, and there is no token.
    """
    check_host(host, token)
    bounds = Bounds(host, [token] if token else [], most_bytes=MOST_BYTES, command="cgstore mcp")
    return Guard(server.streamable_http_app(host=host), bounds)


def _readable(tool: Callable[P, R], store: Store) -> Callable[P, R]:
    """Wraps a tool so that errors reach the model with their hints, and a lost database at once."""

    @wraps(tool)
    def called(*args: P.args, **kwargs: P.kwargs) -> R:
        try:
            store.db.check()
            return tool(*args, **kwargs)
        except CgstoreError as error:
            raise ToolError(" ".join(filter(None, (error.message, error.hint)))) from error

    return called


def _result(answer: Answer) -> AnswerResult:
    notes = [*answer.warnings, *answer.choices]
    if len(answer.answer) > MOST_VALUES:
        notes.append(f"Only {MOST_VALUES} of {len(answer.answer):,} values are in this result.")
    return AnswerResult(
        values=list(answer.answer[:MOST_VALUES]),
        total=len(answer.answer),
        sentence=answer.sentence,
        notes=notes,
        program=answer.program,
        mappings=[NameMapping(m.name, m.role, m.node, round(m.score, 3)) for m in answer.mappings],
        columns=list(answer.columns),
        rows=[list(row) for row in answer.rows[:MOST_VALUES]],
        evidence=_triples(answer.evidence_shown[:MOST_PROVED]),
        triples=len(answer.evidence_shown),
    )


def _triples(evidence: tuple[Evidence, ...]) -> list[Triple]:
    return [Triple(each.node1, each.node2, list(each.condition), each.source) for each in evidence]
