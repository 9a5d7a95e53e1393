"""Where a question names the columns of a table, by the words of their names or by others of the same meaning."""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property

from cgstore.llm.backends.compose.conditions import Condition
from cgstore.llm.backends.compose.row_nouns import row_nouns
from cgstore.llm.backends.compose.runs import DO, Run, asks_kind, holds, namings
from cgstore.llm.backends.compose.signals import Extreme, Signal, Signals
from cgstore.llm.backends.compose.table import Table
from cgstore.llm.backends.compose.words import QuestionText, is_content, stem, word_set

_OTHERWISE = 0.2
"""By how much of a name its own words go before other words."""

_THINGS = word_set("thing item one piece")
_VERBS = word_set("is are was were s has have had")
"""Verbs that end the noun behind `which`."""

_BEHIND = 5
"""Words behind `number of` in which the noun may stand."""


class Context:
    """A question with a table, and what their comparison needs again and again."""

    def __init__(self, text: QuestionText, table: Table, signals: Signals) -> None:
        self.text, self.table, self.signals = text, table, signals
        self.of_rows = row_nouns(text, table)
        self.runs = namings(text, table, self.of_rows)
        signals.without_extremes(self._names_of_several_words())
        self._add_numbers()
        signals.found = [each for each in signals.found if not (self._is_of_each_row(each) or self._is_name(each))]
        self.of_joins = self._joins()
        signals.without(self._other_words() | self.of_joins, self._amounts())
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
    def every_run(self) -> list[tuple[int, Run]]:
        """All namings, each with the place of its column."""
        return [(place, run) for place, runs in enumerate(self.runs) for run in runs]

    @cached_property
    def named_mask(self) -> int:
        """The words by which columns are named, as bits."""
        mask = 0
        for _, run in self.every_run:
            mask |= run.mask
        return mask

    @property
    def counted_at(self) -> frozenset[int]:
        """The places behind `how many`, where what is counted may stand; one may be the end of the question."""
        return frozenset(signal.last for signal in self.signals.of("count"))

    @cached_property
    def of_subject(self) -> int:
        """The words that name the column of what the rows are about."""
        return sum({run.mask for run in self.runs[self.table.subject] if not run.meant and not run.inflected})

    def _is_name(self, signal: Signal) -> bool:
        """Whether the word of a signal is the whole name of a column: `half time` of `Half`."""
        whole = [run for _, run in self.every_run if run.share == 1 and not (run.meant or run.inflected)]
        return signal.kind in ("half", "now", "time") and any(not signal.mask & ~run.mask for run in whole)

    def _is_of_each_row(self, signal: Signal) -> bool:
        """Whether a mean `per` what the rows are is asked for, which is the mean of the rows."""
        if signal.kind != "each" or not self.signals.has("mean"):
            return False
        named = [self.table.columns[n] for n, run in self.every_run if run.mask >> signal.last & 1 and not run.meant]
        if any(not column.is_distinct for column in named):
            return False
        return bool(self.of_rows >> signal.last & 1) or bool(named)

    def _joins(self) -> int:
        """The prepositions of other words for columns, right behind these: the `after` of `looks after`."""
        mask = 0
        for _, run in self.every_run:
            if run.meant and self.text.forms[run.last : run.last + 1] and self.text.forms[run.last] in run.joins:
                mask |= 1 << run.last
        return mask

    def _other_words(self) -> int:
        """The words of all phrases by which columns are named: the `per` of `paid per year` does not group."""
        mask = 0
        for runs in self.runs:
            for run in runs:
                is_phrase = run.mask.bit_count() > 2 if run.meant and run.share == 1 else run.mask.bit_count() > 1
                mask |= run.mask if is_phrase and (run.meant or "per" in self.text.forms[run.first : run.last]) else 0
        return mask

    def _amounts(self) -> bool:
        """Whether a column has an amount by its name, so that `the amount of` does not count."""
        return any(column.is_amount and stem("amount") in column.stems for column in self.table.columns)

    def _add_numbers(self) -> None:
        """Reads `the number of our newest order` as the name of the column that numbers orders, and not as a count."""
        for signal in self.signals.of("count"):
            phrase = self.text.forms[signal.first : signal.last + 1]
            behind = self.text.tokens[signal.last : signal.last + _BEHIND]
            if "number" not in phrase or "of" not in phrase or phrase[0] == "total":
                continue
            for place, token in enumerate(behind, signal.last):
                for column in self.table.columns:
                    if column.numbered == token.stem and not token.form.endswith("s"):
                        self.signals.found.remove(signal)
                        mask = signal.mask | 1 << place
                        self.runs[column.place].append(Run(signal.first, signal.last, mask, 1.0))
                        return

    @cached_property
    def head(self) -> int | None:
        """The noun behind the question word: the first word of meaning there, which is not a superlative."""
        return self.head_without(0)

    def head_without(self, values: int) -> int | None:
        """The same, which is also not among some words, such as `open` in `the open orders`."""
        passed = values
        for extreme in self.signals.extremes:
            passed |= extreme.mask
            if extreme.word in ("most", "least") and any(
                run.first == extreme.last and run.meant for _, run in self.every_run
            ):
                passed |= 1 << extreme.last  # "most expensive"
        start = self.signals.wh_at + bool(self.signals.wh)
        if self.signals.wh in ("which", "what") and not DO.isdisjoint(self.text.forms[start : start + 1]):
            return None  # "what did the saw cost"
        for place in range(start, min(start + 4 + passed.bit_count(), len(self.text))):
            if any(run.meant and run.mask == 1 << place and asks_kind(self.text, place) for _, run in self.every_run):
                return place
            if is_content(self.text.forms[place]) and not passed >> place & 1:
                return place
        return None

    @cached_property
    def asked_noun(self) -> int | None:
        """The noun behind `which` or `what` and before its verb: `what equipment has`, not `what is the cost`."""
        start, forms = self.signals.wh_at + 1, self.text.forms
        if self.signals.wh not in ("which", "what") or start >= len(forms):
            return None
        is_name = any(run.first == start and not run.meant for _, run in self.every_run)  # a `type` names a column
        if not (is_name or is_content(forms[start]) or forms[start] in _THINGS):
            return None
        if self.signal_mask >> start & 1:
            return None  # "which oldest"
        end = start + 1
        while end < len(forms) and is_content(forms[end]):
            end += 1
        return end - 1 if end < len(forms) and forms[end] in _VERBS else start

    def asks_what_has(self, extreme: Extreme, column: int) -> bool:
        """Whether a superlative stands behind the noun that is asked for, which is not that of its column."""
        noun = self.asked_noun
        if noun is None or noun >= extreme.first:
            return False
        return not any(run.mask >> noun & 1 and run.last <= noun + 1 for run in self.runs[column])

    @cached_property
    def heads(self) -> frozenset[int]:
        """The columns whose whole name stands behind `which` or `what`, and is asked for; none if there are several."""
        start = self.signals.wh_at + 1
        if self.signals.wh not in ("which", "what"):
            return frozenset()
        found = {
            column: run.last
            for column, runs in enumerate(self.runs)
            for run in runs
            if run.first == start and run.share == 1 and not run.meant and not run.inflected
        }
        last = max(found.values(), default=0)
        if last < len(self.text) and is_content(self.text.forms[last]):
            return frozenset()  # the name of another thing may go on
        return frozenset(column for column, end in found.items() if end == last)

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
            words = [run for run in free if not all(map(str.isdigit, self.text.forms[run.first : run.last]))]
            best = max(words or free, key=goodness, default=None)
            wider = [run for run in free if best is not None and not best.meant and holds(run.mask, best.mask)]
            # "games lost" is `losses` and more words
            self._best[key] = replace(best, mask=wider[0].mask) if best is not None and wider else best
        return self._best[key]


def is_right_before(run: Run, extreme: Extreme, context: Context) -> bool:
    """Whether a naming stands before a superlative that belongs to it: `weighs the least`."""
    return not any(map(is_content, context.text.forms[run.last : extreme.first])) and 0 <= extreme.first - run.last <= 1


def goodness(run: Run) -> tuple[float, int, int]:
    """How well a naming stands for its column, to compare it with others."""
    return run.share - _OTHERWISE * run.meant, run.mask.bit_count(), -run.first
