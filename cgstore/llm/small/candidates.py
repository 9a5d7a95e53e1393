"""Candidate programs of the small model: the most probable text, and what it becomes where another token was likely."""

from __future__ import annotations

import heapq
import json
import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Protocol

from cgstore.llm.small.model import Written
from cgstore.llm.small.notation import NO_ANSWER, TIME_KEYS, NotationError, name_text, read
from cgstore.llm.small.prompt import Prompt
from cgstore.model import ROW_NUMBER
from cgstore.query.ast import Call
from cgstore.query.functions import FUNCTIONS, GROUP_FUNCTIONS, SEARCH

# The notation as a grammar of llama.cpp (GBNF), with the names of one prompt as its only names.
_RULES = r"""
root ::= " " (call | search)
expression ::= call | search | value
search ::= ("@" name | "*" | name) (" | " operand)? bound* (" : " condition (" & " condition)*)? (" ; " source)?
condition ::= name (" " sign " " operand)? bound*
bound ::= " @ " name " " sign " " operand
operand ::= value | call | "(" search ")"
value ::= text | number | "each"
text ::= "\"" [^"\\\n]+ "\""
number ::= "-"? [0-9]+ ("." [0-9]+)? | [0-9] [0-9] [0-9] [0-9] "-" [0-9] [0-9] ("-" [0-9] [0-9])?
sign ::= "=" | "<" | ">" | "<=" | ">="
call ::= function "(" argument (", " argument)* ")"
argument ::= (keyword "=")? expression | sign " " value | sign | keyword "=" word | word
"""


def grammar_of(prompt: Prompt) -> str:
    """The grammar of the programs that a prompt allows; that the data do not say it is none."""
    names = [*map(name_text, prompt.relations), ROW_NUMBER, *TIME_KEYS]
    functions = [name for name in FUNCTIONS if name != SEARCH]
    keywords = dict.fromkeys(name for row in FUNCTIONS.values() for name in row.arguments if not name[-1].isdigit())
    words = ("years", "months", "days", "descending", "ascending", "alphabetical", *GROUP_FUNCTIONS, "first", "last")
    rules = {
        "name": names,
        "source": list(map(name_text, prompt.sources)) or ["table"],
        "function": functions,
        "keyword": keywords,
        "word": words,
    }
    return _RULES + "".join(f"{rule} ::= {_either(texts)}\n" for rule, texts in rules.items())


def _either(texts: Iterable[str]) -> str:
    return " | ".join(json.dumps(text, ensure_ascii=False) for text in texts)


MOST_WRITTEN = 6
"""Texts that are written for one question."""

LIKELY = 0.03
"""Probability of a text up to its first other token, as a share of that of the best text, from which it is written."""

ALTERNATIVES = 4
"""Tokens looked at in one place."""

LONGEST = 120
"""Tokens of a program."""


class Writer(Protocol):
    """What writes: `model.LocalModel`."""

    def write(self, prompt: str, *, grammar: str | None = None, most: int = 128, alternatives: int = 5) -> Written: ...


@dataclass(frozen=True)
class Candidate:
    """A program as it is written, with its natural log-probability; `call` is None for `nothing`.

    `call` has the names of the prompt. `least` is the probability of the token that the model was least sure of.
    """

    text: str
    logprob: float
    call: Call | None
    least: float = 1.0


def candidates(writer: Writer, prompt: Prompt) -> list[Candidate]:
    """The candidates for a prompt that are programs over its names, the most probable first.

    Texts branch off the best one where it was not the only likely one (best-first search over the alternatives of each
    token); each is written to its end from there. Where none of them is a program, the best one within the grammar is
    added, so that there is always a reading to choose.
    """
    found: dict[str, Candidate] = {}
    best = writer.write(prompt.text, most=LONGEST, alternatives=ALTERNATIVES)
    total = sum(token.logprob for token in best.tokens)
    waiting: list[tuple[float, str]] = []
    seen: set[str] = set()

    def add(prefix: str, before: float, written: Written) -> None:
        candidate = _candidate(prefix, before, written, prompt)
        if candidate is not None:
            kept = found.get(candidate.text)
            if kept is None or kept.logprob < candidate.logprob:
                found[candidate.text] = candidate
        for text, logprob in _branches(prefix, before, written):
            if text not in seen and logprob >= total + math.log(LIKELY):
                seen.add(text)
                heapq.heappush(waiting, (-logprob, text))

    add("", 0.0, best)
    for _ in range(MOST_WRITTEN - 1):
        if not waiting:
            break
        logprob, prefix = heapq.heappop(waiting)
        add(prefix, -logprob, writer.write(prompt.text + prefix, most=LONGEST, alternatives=ALTERNATIVES))
    if all(each.call is None for each in found.values()):
        add("", 0.0, writer.write(prompt.text, grammar=grammar_of(prompt), most=LONGEST, alternatives=ALTERNATIVES))
    return sorted(found.values(), key=lambda each: -each.logprob)


def _branches(prefix: str, before: float, written: Written) -> Iterator[tuple[str, float]]:
    """The texts up to another token than the one written, with their log-probabilities."""
    for token in written.tokens:
        for text, logprob in token.alternatives:
            if text != token.text and text.strip("\n\ufffd"):
                yield prefix + text, before + logprob
        prefix, before = prefix + token.text, before + token.logprob


def _candidate(prefix: str, before: float, written: Written, prompt: Prompt) -> Candidate | None:
    """What was written as a candidate; None if it is no program over the names of the prompt."""
    text = (prefix + written.text).strip()
    if not written.ended:
        return None
    logprob = before + sum(token.logprob for token in written.tokens)
    least = math.exp(min((token.logprob for token in written.tokens), default=0.0))
    if text == NO_ANSWER:
        return Candidate(text, logprob, None, least)
    try:
        call = read(text)
        prompt.check_names(call)
    except (NotationError, KeyError):
        return None
    return Candidate(text, logprob, call, least)
