"""What a Store does with demonstrations, and with what users say of answers."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Unpack

from cgstore import arguments
from cgstore.model import Answer
from cgstore.options import QueryKeywords, QueryOptions
from cgstore.query_run import QueryEngine

if TYPE_CHECKING:
    from cgstore.embedding.encoder import Encoder
    from cgstore.llm.backends import Backend
    from cgstore.llm.demonstrations.build import BuildReport, TrainingQuestion
    from cgstore.llm.demonstrations.stored import StoredDemonstration

Paths = Path | str | Sequence[Path | str]
"""Files, folders or globs."""


class DemonstrationMethods:
    """The methods of a Store about demonstrations."""

    _engine: QueryEngine

    # What users say of answers.

    def right(
        self, answer: Answer, sources: Sequence[str] | None = None, **options: Unpack[QueryKeywords]
    ) -> StoredDemonstration:
        """Keeps the program of a right answer as a demonstration, if it gives the same answer when it is run again.

        Args:
            answer: an answer of `ask`.
            sources: names of the sources that were asked; all that are ready when None.
            options: as they were given to `ask`.

        Raises:
            BadInput: the answer has no program, or the program now gives another answer.
        """
        from cgstore.feedback import Feedback

        chosen = arguments.options(QueryOptions, "right", options, "sources")
        return Feedback(self._engine, arguments.source_names(sources), chosen).right(answer)

    def wrong(
        self,
        answer: Answer,
        answers: Sequence[str] = (),
        program: str | None = None,
        sources: Sequence[str] | None = None,
        **options: Unpack[QueryKeywords],
    ) -> StoredDemonstration:
        """Keeps a wrong answer with its correction, which an LLM sees with near questions.

        Args:
            answer: an answer of `ask`.
            answers: the right values.
            program: the right program, which becomes a demonstration; it must give the right values.
            sources: names of the sources that were asked; all that are ready when None.
            options: as they were given to `ask`.

        Raises:
            BadInput: neither is given, or the program does not give the values.
        """
        from cgstore.feedback import Feedback

        chosen = arguments.options(QueryOptions, "wrong", options, "answers", "program", "sources")
        return Feedback(self._engine, arguments.source_names(sources), chosen).wrong(answer, answers, program)

    # Demonstrations in the graph.

    def add_demonstrations(
        self,
        paths: Paths,
        *,
        encoder: str | Encoder | None = None,
        vectors: bool = True,
        progress: bool = False,
    ) -> int:
        """Adds the demonstrations of files to the graph, and returns their number.

        A file is JSON Lines `{"question", "program", "kind", "source"}`, or `{"question", "reply"}` for recorded
        replies of an LLM. The encoder, or the one of that name, makes their vectors; without `vectors` these are made
        when an LLM is first asked a question.
        """
        from cgstore.llm.demonstrations import read_demonstrations
        from cgstore.llm.demonstrations.stored import add

        given = arguments.paths("paths", paths)
        files = [Path(given)] if isinstance(given, str | Path) else [Path(path) for path in given]
        chosen = chosen_encoder(encoder) if vectors else None
        return len(add(self._engine.db, read_demonstrations(files), chosen, progress=progress))

    def demonstrations(self) -> list[StoredDemonstration]:
        """The demonstrations of the graph, by kind of source, state and question."""
        from cgstore.llm.demonstrations.stored import all_stored

        return all_stored(self._engine.db)

    def remove_demonstrations(self, question: str | None = None) -> int:
        """Removes the demonstrations of a question, or all, and returns their number."""
        from cgstore.llm.demonstrations.stored import remove

        return remove(self._engine.db, question)

    def build_demonstrations(
        self,
        train: Path | Sequence[TrainingQuestion],
        backend: Backend,
        *,
        asked: Path | None = None,
        sources: Sequence[str] | None = None,
        encoder: Encoder | None = None,
        m: int = 15,
        k: int = 8,
        masked: bool = False,
        again: bool = False,
        in_flight: int = 8,
        progress: bool = False,
        **options: Unpack[QueryKeywords],
    ) -> BuildReport:
        """Makes demonstrations from training questions; see `cgstore.llm.demonstrations.build.build`.

        `encoder`, `m`, `k`, `masked`, `again`, `in_flight` and `progress` are those of `build`.

        Args:
            train: JSON Lines `{"question", "answer", "source", "program"}`, or questions that were read.
            backend: writes the programs of the questions that have none.
            asked: JSON Lines `{"question", "source"}`: only the demonstrations that these need; None: all.
            sources: names of the sources of a question that names none; all that are ready when None.
            options: see `cgstore.options.QueryOptions`.
        """
        from cgstore.asking import answer_question
        from cgstore.llm.demonstrations.build import build, read_questions

        chosen = arguments.options(QueryOptions, "build_demonstrations", options, "sources", "asked")
        return build(
            self._engine.db,
            read_questions(train) if isinstance(train, Path) else train,
            lambda question, names: answer_question(self._engine, question, backend, names, chosen),
            encoder,
            run=lambda program, names: self._engine.run(program, names, None, chosen),
            asked=None if asked is None else read_questions(asked),
            sources=sources,
            m=m,
            k=k,
            masked=masked,
            again=again,
            in_flight=in_flight,
            progress=progress,
        )


def chosen_encoder(chosen: str | Encoder | None) -> Encoder:
    """The encoder, or the one of that name; the default one if None."""
    from cgstore.embedding.encoder import load_encoder

    if chosen is None or isinstance(chosen, str):
        return load_encoder(chosen)
    encoder: Encoder = arguments.having("encoder", chosen, "encode", "Give the name of one, or an `Encoder`.")
    return encoder
