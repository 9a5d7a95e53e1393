"""Questions, programs, names, sources and judgements over one Store, without HTTP."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from dataclasses import asdict, replace
from importlib import metadata
from typing import TYPE_CHECKING, Any

from cgstore.errors import BadInput, CgstoreError, NoModel, NoSource
from cgstore.llm.remembered import AnswerMemory, Remembered
from cgstore.model import Answer
from cgstore.options import QueryOptions
from cgstore.web.names import candidates_of, names_of, questions_back, replace_names
from cgstore.web.watching import Tell, WatchedBackend

if TYPE_CHECKING:
    from cgstore.embedding.encoder import Encoder
    from cgstore.llm.backends import Backend
    from cgstore.store import Store
    from cgstore.web.bodies import AskBody, NamesBody, QueryBody

MOST_HISTORY = 100


class Service:
    """A Store as a server shows it. Any number of threads may use it.

    Args:
        store: the graph.
        make_backend: makes the backend; its argument says whether an LLM may explore.
        sources: the sources that it shows; None: all.
        writes: whether clients may judge answers, which writes demonstrations.
        uploads: whether clients may upload sources.
        options: the options of queries, for those that a request does not give.
    """

    def __init__(
        self,
        store: Store,
        make_backend: Callable[[bool], Backend],
        *,
        sources: Sequence[str] | None = None,
        writes: bool = True,
        uploads: bool = True,
        options: dict[str, Any] | None = None,
    ) -> None:
        self.store, self.writes, self.uploads = store, writes, writes and uploads
        self._make_backend, self._sources, self._options = make_backend, sources, options or {}
        self._backends: dict[bool, Backend] = {}
        self._lock = threading.Lock()
        self._state, self._note = "starting", ""

    # Starting.

    def warm(self) -> None:
        """Connects, and loads the model and the encoder, so that no question waits for them."""
        try:
            self._set("connecting to the database")
            ready = self.store.ready(self.asked(None))
            self._set("loading the model")
            self.backend(False).warm()
            if ready and (encoder := self._encoder()):
                encoder.encode(["a name"])
            self._set("ready")
        except CgstoreError as error:  # each request says so again
            self._set(error.message)

    def _encoder(self) -> Encoder | None:
        """The encoder of the graph's vectors; None where there is none, and if it is not available here."""
        try:
            encoder, self._note = self.store.graph_encoder(), ""
        except NoModel as error:
            self._note = f"Names are compared by spelling, and questions by words. {error.message}"
            return None
        return encoder

    def warm_in_background(self) -> None:
        """Warms in a thread, unless it is ready."""
        if self._state != "ready":
            self._set("connecting to the database")
            threading.Thread(target=self.warm, name="warm", daemon=True).start()

    def _set(self, state: str) -> None:
        self._state = state

    def check(self) -> None:
        """Raises NoDatabase if a ready server has lost its database."""
        if self._state == "ready":
            self.store.db.check()

    def health(self) -> dict[str, Any]:
        """Returns whether the server is ready and what it can do, without asking the database."""
        backend = self._backends.get(False)
        name = backend.name if backend else ""
        return {
            "state": self._state,
            "ready": self._state == "ready",
            "note": self._note,
            "version": metadata.version("cgstore"),
            "backend": name,
            "llm": name not in ("", "small"),
            "writes": self.writes,
            "uploads": self.uploads,
        }

    def backend(self, explore: bool) -> Backend:
        """The backend, which is made once."""
        with self._lock:
            if explore not in self._backends:
                self._backends[explore] = self._make_backend(explore)
            return self._backends[explore]

    def asked(self, sources: Sequence[str] | None) -> list[str] | None:
        """The sources to ask, of those that are shown."""
        return served_sources(self._sources, sources)

    # Questions and programs.

    def ask(self, body: AskBody, tell: Tell) -> None:
        """Answers a question; tells its progress, the answer, then the candidates of its names.

        Raises:
            CgstoreError: as `Store.ask`.
        """
        sources = self.asked(body.sources)
        backend = WatchedBackend(self.backend(body.explore), tell)
        earlier = [self._remembered(number) for number in body.after]
        keywords = self._keywords(body.options)
        before = [one.answer for one in earlier]
        answer = self.store.ask(body.question, backend, sources, after=before, **keywords)
        self._set("ready")
        number = self._memory.add(answer, sources=sources, lang=backend.lang, options=keywords, earlier=earlier)
        back = []
        if body.extras:
            back = questions_back(body.question, backend.found, answer)
        tell({"event": "answer", "number": number, "answer": answer.to_json(), "questions": back})
        if body.extras:
            tell({"event": "extras", **self._extras(answer, sources)})

    def query(self, body: QueryBody) -> dict[str, Any]:
        """Runs a program, in which names may be replaced first.

        Raises:
            CgstoreError: as `Store.query`.
        """
        sources, keywords = self.asked(body.sources), self._keywords(body.options)
        replacements = [(each.name, each.role, each.node) for each in body.replace]
        program = replace_names(body.program, replacements)
        answer = self.store.query(program, sources, **keywords)
        number = 0
        if body.question.strip():
            answer = replace(answer, question=body.question)
            number = body.number or self._memory.add(
                answer, sources=sources, lang=keywords.get("lang", "llm"), options=keywords
            )
        return {"number": number, "answer": answer.to_json(), "questions": [], **self._extras(answer, sources)}

    def names(self, body: NamesBody) -> list[dict[str, Any]]:
        """The nodes that names may mean, the best first."""
        sources = self.asked(body.sources)
        found = self.store.map(body.names, body.role, sources, top=body.most, encoder=self._encoder())
        return [{"name": name, "candidates": candidates_of(some)} for name, some in found]

    def _extras(self, answer: Answer, sources: list[str] | None) -> dict[str, Any]:
        return {"names": names_of(self.store, answer, sources), "drawing": answer.evidence_svg()}

    def _keywords(self, options: dict[str, Any]) -> Any:
        keywords = {**self._options, **options}
        if unknown := set(keywords) - set(QueryOptions.__dataclass_fields__):
            raise BadInput(f"'{min(unknown)}' is not an option of queries.", "See `cgstore.options.QueryOptions`.")
        return keywords

    # Sources.

    def sources(self) -> list[dict[str, Any]]:
        """The sources that are shown, with their sizes."""
        shown = None if self._sources is None else set(self._sources)
        return [asdict(source) for source in self.store.sources() if shown is None or source.name in shown]

    def describe(self, name: str) -> dict[str, Any]:
        """What is in a source."""
        [shown] = self.asked([name]) or [name]
        described = self.store.describe(shown, self._sources)
        return {**asdict(described), "size": described.size}

    # What users say of answers.

    def history(self) -> list[dict[str, Any]]:
        """The last answers, the newest first."""
        return [asdict(one) for one in self._memory.last(MOST_HISTORY)]

    def right(self, number: int) -> dict[str, Any]:
        """Keeps the program of a right answer as a demonstration; see `Store.right`."""
        one = self._remembered(number)
        kept = self.store.right(one.whole_answer, list(one.sources) or None, **one.keywords)
        self._memory.judge(number, "right")
        return {"kept": kept.question}

    def wrong(self, number: int, answers: Sequence[str], program: str | None) -> dict[str, Any]:
        """Keeps a wrong answer with its correction, see `Store.wrong`; without one, the answer is only marked."""
        one, kept = self._remembered(number), ""
        if answers or program is not None:
            sources = list(one.sources) or None
            kept = self.store.wrong(one.whole_answer, answers, program, sources, **one.keywords).question
        self._memory.judge(number, "wrong")
        return {"kept": kept}

    @property
    def _memory(self) -> AnswerMemory:
        return AnswerMemory.of(self.store.db)

    def _remembered(self, number: int) -> Remembered:
        found = [one for one in self._memory.last() if one.number == number]
        if not found:
            raise BadInput(f"Answer {number:,} is not remembered any more.", "Ask again.")
        return found[0]


def served_sources(served: Sequence[str] | None, asked: Sequence[str] | None) -> list[str] | None:
    """The sources to ask, of those that a server may show.

    Args:
        served: those that it may show; None: all.
        asked: those that a client asks for; None or empty: all that are shown.

    Raises:
        NoSource: one of them is not shown.
    """
    if served is None:
        return list(asked) if asked else None
    if hidden := set(asked or ()) - set(served):
        raise NoSource(f"No source '{min(hidden)}' is served here.", f"Served are: {', '.join(served)}.")
    return list(asked) if asked else list(served)
