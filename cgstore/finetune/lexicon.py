"""What the words of questions go with in programs, learnt from both (`llm.small.account`)."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

from cgstore.finetune.corpora import Task
from cgstore.llm.small.account import Lexicon, traits_of
from cgstore.mapping.mentions import words_of

LEAST = 6
"""Questions that have a word, at least, for what it goes with to be known."""

LIFT, SHARE = 1.8, 0.04
"""How many times likelier a trait is beside a word than in any program, at least, and how often it is there."""

PLAIN, STRONG = 20, 0.4
"""Questions that have a word, at least, for it to need no account, unless this share of them or more has one trait."""


def learn_lexicon(tasks: Iterable[Task]) -> Lexicon:
    """The lexicon of the questions that have a program."""
    every: Counter[str] = Counter()
    count: Counter[str] = Counter()
    beside: dict[str, Counter[str]] = {}
    total = 0
    for task in tasks:
        if task.program is None:
            continue
        with suppress(KeyError):
            prompt = task.memory.prompt(task.question)
            traits = traits_of(prompt.shown(task.program), prompt)
            total += 1
            every.update(traits)
            for word in {word.text.lower() for word in words_of(task.question)}:
                count[word] += 1
                beside.setdefault(word, Counter()).update(traits)
    goes_with, plain = {}, set()
    for word, n in count.items():
        if n >= LEAST and word.isalpha():
            found = {
                t for t, k in beside[word].items() if k >= SHARE * n and k * total >= LIFT * every[t] * n and k >= 3
            }
            if found:
                goes_with[word] = frozenset(found)
            if n >= PLAIN and all(beside[word][trait] < STRONG * n for trait in found):
                plain.add(word)
    return Lexicon(goes_with, frozenset(plain))


def write_lexicon(lexicon: Lexicon, path: Path) -> None:
    """Writes it as JSON, sorted."""
    record = {
        "goes_with": {word: sorted(traits) for word, traits in sorted(lexicon.goes_with.items())},
        "plain": sorted(lexicon.plain),
    }
    path.write_text(json.dumps(record, ensure_ascii=False, separators=(",", ":")) + "\n", encoding="utf-8")
