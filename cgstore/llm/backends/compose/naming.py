"""Where a question names the columns of a table, by the words of their names or by others of the same meaning."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from cgstore.llm.backends.compose.anchors import Condition
from cgstore.llm.backends.compose.meanings import MEANT
from cgstore.llm.backends.compose.signals import Signals
from cgstore.llm.backends.compose.table import Column, Table
from cgstore.llm.backends.compose.words import QuestionText, is_content, spelling_distance, stem, word_list
from cgstore.text.names import normal_form

_MONEY = set(map(stem, word_list("price cost fare fee salary amount wage prize paid")))
"""Words of columns that `how much is` asks for, by their stems."""


@dataclass(frozen=True)
class Run:
    """Where a question names a column: its words, and the share of the name's words that they are.

    `meant`: by other words of its meaning; `inflected`: by other forms of its words alone.
    """

    first: int
    last: int
    mask: int
    share: float
    meant: bool = False
    inflected: bool = False


class Context:
    """A question with a table, and what their comparison needs again and again."""

    def __init__(self, text: QuestionText, table: Table, signals: Signals) -> None:
        self.text, self.table, self.signals = text, table, signals
        self.runs = _prefer_exact([_runs(text, column) for column in table.columns])
        signals.without_extremes(self._names_of_several_words())
        self.of_condition: dict[Condition, tuple[dict[str, float], int]] = {}
        self.of_sets: dict[int, tuple[tuple[Condition, ...], dict[str, float], int, int]] = {}
        self._best: dict[tuple[int, int], Run | None] = {}

    def _names_of_several_words(self) -> int:
        """The words of all names of columns of which several words stand together: `first ascent`."""
        mask = 0
        for runs in self.runs:
            for run in runs:
                if run.mask & (run.mask - 1) and not run.meant:
                    mask |= run.mask
        return mask

    @cached_property
    def head(self) -> int | None:
        """The noun behind the question word: the first word of meaning there, which is not a superlative."""
        extremes = 0
        for extreme in self.signals.extremes:
            extremes |= extreme.mask
        start = self.signals.wh_at + 1
        for place in range(start, min(start + 4, len(self.text))):
            if is_content(self.text.forms[place]) and not extremes >> place & 1:
                return place
        return None

    @cached_property
    def head_is_named(self) -> bool:
        """Whether that noun belongs to the name of a column."""
        return self.head is not None and any(run.mask >> self.head & 1 for runs in self.runs for run in runs)

    @cached_property
    def signal_mask(self) -> int:
        """The words of all signals that must be used."""
        mask = 0
        for signal in self.signals.found:
            mask |= signal.mask
        for extreme in self.signals.extremes:
            mask |= extreme.mask
        return mask

    def best_run(self, column: int, without: int) -> Run | None:
        """The best naming of a column outside of some words."""
        key = (column, without)
        if key not in self._best:
            free = [run for run in self.runs[column] if not run.mask & without]
            self._best[key] = max(
                free, key=lambda run: (not run.meant, run.share, run.mask.bit_count(), -run.first), default=None
            )
        return self._best[key]


def _prefer_exact(runs: list[list[Run]]) -> list[list[Run]]:
    """Namings by other forms of a name's words go where another column has a word itself: `orders`, not `Ordered`."""
    own = 0
    for each in runs:
        for run in each:
            own |= 0 if run.inflected or run.meant else run.mask
    return [[run for run in each if not (run.inflected and run.mask & own)] for each in runs]


def _runs(text: QuestionText, column: Column) -> list[Run]:
    """Where the question names a column, by stretches of its name's words with at most one small word between."""
    wanted = set(column.stems)
    plain = {form.rstrip("s") for form in normal_form(column.name).split()}
    total = len(wanted) or 1
    places = [n for n, token in enumerate(text.tokens) if token.stem in wanted]
    runs: list[list[int]] = []
    for place in places:
        if runs and place - runs[-1][-1] <= 2 and (place - runs[-1][-1] == 1 or not is_content(text.forms[place - 1])):
            runs[-1].append(place)
        else:
            runs.append([place])
    found = []
    for run in runs:
        mask = sum(1 << place for place in run)
        share = len({text.tokens[place].stem for place in run}) / total
        inflected = not any(text.forms[place].rstrip("s") in plain for place in run)
        found.append(Run(run[0], run[-1] + 1, mask, share, inflected=inflected))
    forms = [form for form in normal_form(column.name).split() if len(form) > SHORTEST_MISSPELT]
    for place, token in enumerate(text.tokens):
        if token.stem not in wanted and _is_misspelt(token.form, forms):
            found.append(Run(place, place + 1, 1 << place, 1 / total))
        elif token.stem not in wanted:
            means = MEANT.get(token.stem, set())
            if _asks_for_money(text, place) and (column.form == "money" or wanted & _MONEY):
                means = wanted
            if wanted & means:
                found.append(Run(place, place + 1, 1 << place, 1 / total, True))
    return found


def _asks_for_money(text: QuestionText, place: int) -> bool:
    """Whether a word is the `much` of `how much is`, `how much does it cost`."""
    forms = text.forms
    return (
        forms[place] == "much"
        and place + 1 < len(text)
        and forms[place + 1] in ("is", "was", "are", "does", "did", "do")
    )


SHORTEST_MISSPELT = 5
"""Letters of a word that may be one letter off."""

LONG = 8
"""Letters of a word that may be two letters off."""


def _is_misspelt(form: str, names: Sequence[str]) -> bool:
    """Whether a word is one of some names but for a letter, or two in a long word."""
    if len(form) <= SHORTEST_MISSPELT or form[0].isdigit():
        return False
    most = 2 if len(form) > LONG else 1
    return any(name[0] == form[0] and spelling_distance(form, name, most) <= most for name in names)
