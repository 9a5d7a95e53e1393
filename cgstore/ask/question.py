"""A question in plain words: a backend writes programs, the query engine runs them, and one answer is chosen."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial

from cgstore import arguments
from cgstore.ask.choosing import TOGETHER, decide_among, source_note
from cgstore.ask.run import Clock, QueryEngine
from cgstore.catalog.snapshot import read_snapshot
from cgstore.catalog.sources import ready_sources
from cgstore.errors import BadInput, QueryFailed, setting
from cgstore.llm.backends import Attempt, Backend, Decision, Run
from cgstore.llm.graph_view import GraphView
from cgstore.mapping.source_choice import ReadySources, choose_sources
from cgstore.model import Answer, ChosenSource
from cgstore.notes import Detail, ranked
from cgstore.observe.tracing import span
from cgstore.options import QueryOptions
from cgstore.query.external_functions import Evaluator, check_grounded, has_undefined
from cgstore.query.parse import parse
from cgstore.text.dates import read_past
from cgstore.text.names import is_unicode, many


def answer_question(
    engine: QueryEngine,
    question: str,
    backend: Backend,
    sources: Sequence[str] | None,
    options: QueryOptions,
    earlier: Sequence[Answer] = (),
) -> Answer:
    """The answer of a question, which may follow others; see `Store.ask`."""
    if not arguments.text("question", question).strip():
        raise BadInput("The question is empty.", "Ask in plain words.")
    if not is_unicode(question):
        raise BadInput("The question is not valid Unicode text.", "Is the terminal or the file in UTF-8?")
    arguments.having("backend", backend, "decide_after", "`cgstore.llm.get_backend()` makes one.")
    decide = _deciding(backend, earlier)
    lang = backend.lang
    if options.lang not in ("llm", lang):
        problem = f"The backend {backend.name} does not write {options.lang}."
        raise BadInput(problem, "Make it by get_backend(..., lang=...).")
    options = replace(options, lang=lang, retrieve=options.retrieve or (lang == "sexpr" and not options.exact))
    clock = Clock()

    def decide_over(stored: Sequence[str], names: Sequence[str] | None) -> Decision:
        view = GraphView(engine.db, stored)
        return decide(question, view, _runner(engine, names, options, clock))

    every = engine.sources.read(engine.db) if sources is None else None
    ready = _sources_asked(engine, arguments.source_names(sources), options, every)
    with span("ask", {"cgstore.backend": backend.name}) as note:
        each = backend.asks_each_source
        is_many = every is not None and len(ready) > TOGETHER
        decision = Decision(None) if is_many else decide_over(ready, sources)
        used: tuple[ChosenSource, ...] = ()
        if is_many or (each and len(ready) > 1 and not decision.answered):
            likely = choose_sources(engine.db, question, ready, TOGETHER, engine.sources.read(engine.db).index)
            clock.lap("sources")
            among, chosen = decide_among(likely, decide_over, each=each)
            if is_many or among.answered:
                note_of_choice = source_note(chosen, likely, len(ready))
                decision, used = replace(among, warnings=(*among.warnings, note_of_choice)), chosen
        clock.lap("propose")
        answer = replace(_chosen_answer(decision, question, clock), chosen_sources=used)
        note({"cgstore.programs": len(decision.attempts), "cgstore.answers": len(answer.answer)})
    return answer


def _runner(engine: QueryEngine, sources: Sequence[str] | None, options: QueryOptions, clock: Clock) -> Run:
    """What runs a backend's programs over some sources."""

    def run(program: str, evaluate: Evaluator | None = None) -> Attempt:
        clock.lap("propose")
        try:
            if options.lang != "llm":
                evaluate = None  # S-expressions have no functions of an LLM
            if evaluate is not None:
                parsed = parse(program, undefined=True)
                check_grounded(parsed)
                evaluate = evaluate if has_undefined(parsed) else None
            return Attempt(program, engine.run(program, sources, evaluate, options))
        except (BadInput, QueryFailed) as error:
            return Attempt(program, error=str(error))
        finally:
            clock.lap("programs")

    return run


def _sources_asked(
    engine: QueryEngine, sources: Sequence[str] | None, options: QueryOptions, every: ReadySources | None
) -> tuple[str, ...]:
    """The stored names of the sources to answer from: those that had been loaded by the time asked about."""
    if options.as_of is not None:
        return read_snapshot(engine.db, (), sources, past=read_past(options.as_of)).schema.asked.sources
    return every.names if every else ready_sources(engine.db, sources)


def _deciding(backend: Backend, earlier: Sequence[Answer]) -> Callable[[str, GraphView, Run], Decision]:
    """The backend's way to decide, which knows of earlier answers if there are any."""
    if not earlier:
        return backend.decide
    if not all(isinstance(answer, Answer) and answer.question for answer in earlier):
        raise BadInput("`after` is not an answer to a question.", "Give an answer of `ask`, or several in their order.")
    if not backend.follows_up:
        hint = f"Ask the whole question, or have an LLM write the program ({setting('llm')} openai or batch)."
        raise BadInput(f"The backend {backend.name} cannot follow up: it reads each question by itself.", hint)
    return partial(backend.decide_after, earlier)


def _chosen_answer(decision: Decision, question: str, clock: Clock) -> Answer:
    """The chosen answer, with the statements of all programs before it; or why there is none."""
    others = [attempt for attempt in decision.attempts if attempt is not decision.chosen]
    answers = [attempt.answer for attempt in others if attempt.answer is not None]
    chosen = decision.chosen.answer if decision.chosen else None
    shown = [*answers, *([] if chosen is None else [chosen])]
    if decision.declined:
        chosen = Answer((), program="", declined=decision.declined)
    if chosen is None:
        chosen = answers[0] if answers else Answer((), program=others[0].program if others else "")
    notes = ranked(_notes(decision, others))
    return replace(
        chosen,
        question=question,
        cypher=tuple(text for each in shown for text in each.cypher),
        parameters=tuple(given for each in shown for given in each.parameters),
        warnings=tuple(dict.fromkeys((*chosen.warnings, *notes.warnings))),
        details=tuple(dict.fromkeys((*chosen.details, *notes.details))),
        seconds={**clock.seconds, **chosen.seconds, "total": clock.total},
        because=decision.because or None,
        readings=decision.readings,
        usage=decision.usage.to_json(),
    )


def _notes(decision: Decision, others: Sequence[Attempt]) -> list[str]:
    """The backend's own notes, the errors of programs, and how many programs gave nothing."""
    if decision.declined:
        return list(decision.warnings)
    if decision.chosen:
        empty = sum(not attempt.answered for attempt in others)
        notes = [Detail("others", f"{many(empty, 'other program')} gave nothing.")] if empty else []
        return [*decision.warnings, *notes]
    if others:
        errors = [f"A program could not be run: {_in_short(attempt.error)}" for attempt in others if attempt.error]
        return [*errors, *decision.warnings, f"{many(len(others), 'program')} tried; none gave an answer."]
    return list(decision.warnings) or ["No program could be written for this question."]


def _in_short(error: str) -> str:
    """An error's message and hint, without the program between them."""
    first, *others = error.splitlines()
    hint = others[-1].strip() if others else ""
    return f"{first.rstrip('.')}. {hint}" if hint.strip("^") else first
