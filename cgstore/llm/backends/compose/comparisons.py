"""How the words around a value compare it: `more than`, `at least`, `or later`, `other than`."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from cgstore.llm.backends.compose.words import QuestionText, is_content, mask_of, word_set

MORE = word_set(
    """
    more greater larger higher bigger longer later taller heavier wider deeper above over exceeding better older
    newer after beyond exceeds faster farther further dearer pricier costlier stronger brighter warmer
    hotter richer quicker
    """
)
LESS = word_set(
    """
    less fewer smaller lower shorter earlier lighter younger cheaper below under before worse slower colder cooler
    weaker poorer
    """
)
OLDER = {"older": "<", "younger": ">", "newer": ">"}
"""Among dates, the older one is the lesser."""

_BEFORE = [
    (tuple(phrase.split()), op)
    for op, phrases in {
        ">": "more than|greater than|larger than|higher than|bigger than|longer than|later than|over|above|exceeding|"
        "after|beyond|taller than|heavier than|older than|newer than|in excess of|exceeds|better than|upwards of|"
        "follows|following",
        "<": "less than|fewer than|smaller than|lower than|shorter than|earlier than|under|below|before|prior to|"
        "cheaper than|lighter than|younger than|worse than|preceding",
        ">=": "at least|no less than|no fewer than|not less than|not fewer than|not under|not below|minimum of|since|"
        "starting in|starting from|not before",
        "<=": "at most|no more than|not more than|not over|up to|not above|maximum of|until|till|not after|as late as",
        "!=": "not|other than|except|except for|excluding|apart from|besides|but not|not in|not from|not at|not by|"
        "outside|outside of|without|not the|aside from|rather than|never",
    }.items()
    for phrase in phrases.split("|")
]
_BEFORE.sort(key=lambda each: -len(each[0]))
_AFTER = {
    ("or", "more"): ">=",
    ("or", "less"): "<=",
    ("or", "fewer"): "<=",
    ("or", "higher"): ">=",
    ("or", "lower"): "<=",
    ("or", "later"): ">=",
    ("or", "earlier"): "<=",
    ("or", "above"): ">=",
    ("or", "below"): "<=",
    ("or", "over"): ">=",
    ("or", "under"): "<=",
    ("or", "greater"): ">=",
    ("or", "larger"): ">=",
    ("or", "smaller"): "<=",
    ("or", "longer"): ">=",
    ("or", "older"): ">=",
    ("or", "better"): ">=",
    ("and", "above"): ">=",
    ("and", "below"): "<=",
    ("and", "over"): ">=",
    ("and", "under"): "<=",
    ("and", "up"): ">=",
    ("and", "later"): ">=",
    ("and", "earlier"): "<=",
    ("onwards",): ">=",
    ("onward",): ">=",
}
_PASSED = word_set(
    """
    the a an year years of than is was were are be been being in from by at to for equal number
    """
)
"""Words that may stand between what is compared and the value."""

_NEGATION = word_set("not t except excluding besides never without non isn wasn weren aren don didn doesn")

REACH = 6
"""Words back from `than` in which the comparison may stand: `more gold medals than 12`."""

OF_STRETCHES = word_set("longer shorter")
"""Comparatives of how long something takes, which a day does not say."""


def comparison_at(text: QuestionText, first: int, last: int) -> tuple[str, int]:
    """How the words around a number compare it, and these words; `=` and none if they do not."""
    forms = text.forms
    for phrase, op in _AFTER.items():
        if forms[last : last + len(phrase)] == phrase:
            return op, mask_of(last, last + len(phrase))
    if text.text[text.tokens[last - 1].end :].startswith("+"):
        return ">=", 0
    end = first
    for _ in range(4):
        for phrase, op in _BEFORE:
            begin = end - len(phrase)
            if begin >= 0 and forms[begin:end] == phrase:
                if op in "><" and begin and forms[begin - 1] in ("no", "not"):
                    return ("<=" if op == ">" else ">="), mask_of(begin - 1, end)
                return op, mask_of(begin, end)
        if end == 0 or forms[end - 1] not in _PASSED:
            break
        if forms[end - 1] == "than":
            for place in range(end - 2, max(-1, end - 2 - REACH), -1):
                if forms[place] in MORE or forms[place] in LESS:
                    return (">" if forms[place] in MORE else "<"), mask_of(place, place + 1) | mask_of(end - 1, end)
        end -= 1
    return "=", 0


LACKING = word_set("no lack lacks lacking lacked without")
"""Words that deny that there is what follows."""


def negation_at(text: QuestionText, first: int, names: Collection[str] = (), also: Collection[str] = ()) -> int:
    """The words before a value that exclude it; none if nothing does.

    Args:
        text: the question.
        first: the first word of the value.
        names: stems of words that may stand between, those of the column.
        also: further words that exclude it.
    """
    op, mask = comparison_at(text, first, first + 1) if first < len(text) else ("=", 0)
    if op == "!=":
        return mask
    passed = 0
    for place in range(first - 1, max(-1, first - 7), -1):
        token = text.tokens[place]
        if token.form in _NEGATION or token.form in also:
            return mask_of(place, place + 1)
        passed += token.stem not in names
        if is_content(token.form) and token.stem not in names and _is_denied(text.forms, place):
            return mask_of(place - 1, place + 1)  # "did not end in"
        if passed > 3 or (is_content(token.form) and token.stem not in names):
            break
    return 0


def _is_denied(forms: Sequence[str], place: int) -> bool:
    """Whether `not` and an auxiliary stand right before a verb."""
    return place > 1 and forms[place - 1] == "not" and forms[place - 2] in _AUXILIARIES


_AUXILIARIES = word_set("did does do has have had was were is are")
