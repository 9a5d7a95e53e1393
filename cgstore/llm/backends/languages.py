"""The languages in which a backend writes programs: the LLM query language, and S-expressions.

A language says what an LLM reads about it, how the programs in a reply are found, and how a demonstration is spelt.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, replace

from cgstore.errors import BadInput
from cgstore.llm.backends import Attempt, Run
from cgstore.query.external_functions import Evaluator
from cgstore.query.parse import parse
from cgstore.query.sexpr.from_program import from_program
from cgstore.query.sexpr.repair import forms_in
from cgstore.query.sexpr.write import sexpr_text

_NONE = re.compile(r"""(?:^|\n)[\s"'`*]*none[\s"'`*]*(?:[:.,]\s*(?P<reason>.*))?""", re.DOTALL | re.IGNORECASE)
_FENCE = re.compile(r"^\s*```\w*\s*$", re.MULTILINE)
_QUERY = re.compile(r"^\W*Query ?\d*\W*:", re.MULTILINE)
_STEP_LINE = re.compile(r"^[ \t]*Step ?\d*[ \t]*[:.][^\n]*\n?", re.MULTILINE)
_AROUND_REASON = " \t\r\n\"'`*"

NO_REASON = "no reason given"

Written = tuple[str, tuple[str, ...]]
"""A program as it is run, and notes on what was mended in it."""


@dataclass(frozen=True)
class Language:
    """A language of programs.

    Args:
        name: one of `cgstore.options.LANGUAGES`.
        system: the prompt text that tells an LLM to write it.
        read: the programs in a reply, in order; raises BadInput if there is none.
        spell: a program of the LLM query language in this language; raises BadInput if it has no counterpart.
    """

    name: str
    system: str
    read: Callable[[str], list[Written]]
    spell: Callable[[str], str]

    def run_reply(self, reply: str, run: Run, evaluate: Evaluator | None = None) -> Attempt:
        """Runs the programs in a reply until one answers, and gives that attempt, else the first one.

        A reply that says that the data do not have the answer is an attempt with `declined`.
        """
        if reason := declined_in(reply):
            return Attempt(reply, declined=reason)
        try:
            written = self.read(reply)
        except BadInput as error:
            return Attempt(reply, error=str(error))
        first: Attempt | None = None
        for program, notes in written:
            attempt = run(program, evaluate) if evaluate else run(program)
            if notes and attempt.answer:
                attempt = replace(attempt, answer=replace(attempt.answer, warnings=(*attempt.answer.warnings, *notes)))
            if attempt.answered:
                return attempt
            first = first or attempt
        assert first is not None, "`read` gives a program or raises"
        return first


def declined_in(reply: str) -> str:
    """The reason in a reply such as `None: "the table has no prices"`; empty if the reply is anything else.

    It may follow other text, but no query.
    """
    lines = _FENCE.sub("", reply).strip()
    if _QUERY.search(lines):
        return ""
    found = _NONE.fullmatch(lines) or _NONE.fullmatch(lines[lines.rfind("\n") + 1 :])
    return ((found["reason"] or "").strip(_AROUND_REASON) or NO_REASON) if found else ""


def _form_of(program: str) -> str:
    return sexpr_text(from_program(parse(program)))


def _without_steps(program: str) -> str:
    """A program without the `Step1: ...` lines of recorded ones, which a prompt does not ask for."""
    return _STEP_LINE.sub("", program).strip()


LLM = Language("llm", "system", lambda reply: [(reply, ())], _without_steps)
SEXPR = Language("sexpr", "sexpr", lambda reply: [(each.text, each.notes) for each in forms_in(reply)], _form_of)

BY_NAME = {language.name: language for language in (LLM, SEXPR)}


def language_named(name: str) -> Language:
    """The language of that name.

    Raises:
        BadInput: there is none.
    """
    if name not in BY_NAME:
        raise BadInput(f"'{name}' is not a language of programs.", f"Give one of {', '.join(BY_NAME)}.")
    return BY_NAME[name]
