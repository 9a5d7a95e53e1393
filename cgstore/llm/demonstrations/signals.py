"""Signals: the words of a question that change what it asks, while its names stay the same.

Most are temporal (TempQuestions, Jia et al., 2018). Sentence encoders place "the first team" next to "the last team",
and "before" next to "after", but a program for one is wrong for the other. So a demonstration serves a question only if
both have the same signals and the same type of answer (Li and Roth, 2002): a time, a number or an entity. Every word
counts: content words belong to the lexicon of the backend `demos`, and every other word is a signal, by its class or by
itself, unless it is `HARMLESS`.
"""

from __future__ import annotations

import re
from collections.abc import Set

from cgstore.mapping.mentions import GRAMMAR_WORDS

_WORDS = {
    "before": "before previous previously prior preceding preceded precede precedes predecessor predecessors",
    "after": "after following followed follow follows next subsequent subsequently succeeding succeeded succeed "
    "succeeds successor successors later",
    "since": "since",
    "until": "until till",
    "first": "first 1st firstly earliest initial initially original originally debut",
    "last": "last lastly latest final finally ultimate",
    "start": "start started starting starts begin began begun beginning begins commence commenced",
    "end": "end ended ending ends stop stopped stops finish finished finishes cease ceased quit leave left resign "
    "resigned",
    "between": "between",
    "count": "many number count",
    "duration": "long duration length",
    "both": "both",
    "ordinal": "second third fourth fifth sixth seventh eighth ninth tenth 2nd 3rd 4th 5th 6th 7th 8th 9th 10th",
    "superlative": "most least more less fewer longest shortest oldest youngest",
    "negation": "not never no none neither nor except without isn wasn didn doesn don weren aren hasn hadn",
    "average": "average median total sum",
    "now": "current currently now today nowadays present presently still incumbent yesterday tomorrow ago recent "
    "recently lately",
}

SIGNAL_OF = {word: signal for signal, words in _WORDS.items() for word in words.split()}

_HARMLESS = """
    a also am an are as at be been being by d did do does during ever find for from give had has have having he her hers
    him his i in into is it its list ll m me my name of on our own please re s she show t tell that the their them there
    these they this those to upon us ve was we were what when where which while who whom with you your
"""
HARMLESS = frozenset(_HARMLESS.split())
"""Words of grammar that add nothing to the names and the other words."""

_ENTITY = re.compile(r"\b(?:who|whom|whose|where)\b")
_NUMBER = re.compile(r"\bhow (?:many|long|much)\b|\bnumber of\b")
_TIME = re.compile(
    r"(?<!same )\b(?:years?|dates?)\b(?! \{time\})"  # "the year 1994" and "the same year" ask for no time
    r"|\b(?:what|which) time\b"
    r"|\b(?:what|which)(?:\Ws| is| was)? the \w+ time\b"
)
_WHEN = re.compile(r"\bwhen\b|(?<!\bfor )\bthe (?:first|last|final) time\b")
_WHAT = re.compile(r"\b(?:what|which|name)\b")

_BECOMING = re.compile(
    r"\b(?:becom(?:e|es|ing)|became|elected|appointed|hired|marry|wed|get married|got married|join(?:ed|s)?"
    r"|enter(?:ed|s)?|(?:take|took|assumed?) (?:up )?(?:office|power)|(?:c[oa]me|go|went) (?:in)?to|move(?:d|s)?"
    r"|(?:was|were) (?:named|made))\b"
    r"|^(?!.*\b(?:was|were|been|be|being|is|are)\b).*\b(married)\b(?! to\b)"  # "was married (to)" is a state
)
_LEAVING = re.compile(
    r"\b(?:depart(?:ed)?|retired?|divorced?|step(?:ped)? down|los[et] (?:office|power)|mov(?:e|ed) out)\b"
)
_DURATION = re.compile(
    r"\b(?:how (?:many|much)|number of|amount of) (?:\w+ )?(?:time|seconds?|minutes?|hours?|days?|weeks?|months?|years?"
    r"|decades?|centuries)\b"
)

_VERB = (
    r"(?:am|is|are|was|were|did|does|do|has|have|had|can|could|will|would|shall|should|may|might|must"
    r"|isn't|aren't|wasn't|weren't|didn't|doesn't|don't|hasn't|haven't|hadn't)"
)
_YES_NO = re.compile(rf"^\W*(?:(?:and|so|but|then|well)\b\W*)*{_VERB}\b(?!['’-]\w)")
_FRONTED = re.compile(rf"^\W*(?:in|on|at|during|before|after|by|between)\b[^,]*,\s*{_VERB}\b")
_REQUEST = re.compile(rf"^\W*{_VERB} (?:you|i|we|anyone|anybody|someone|somebody)\b")
_ASKING = re.compile(r"\b(?:who|whom|whose|where|when|what|which|how|name|list)\b")
_PERSON = re.compile(r"\bwho(?:m|se)?\b")

_TOKEN = re.compile(r"[^\W_]+")


_OPENING = re.compile(r"^\W*(?:(?:and|so|but|then|well|i mean)\b\W*)+")
_MODAL_REQUEST = re.compile(
    r"\b(?:can|could|would|will|may|might|shall|should) (?=(?:you|i|we|anyone|anybody|someone|somebody)\b)"
)
_ASKED_TIME = r"(?:when|(?:what|which) (?:year|date|day|time))\b"
_REWORDED = (
    (_MODAL_REQUEST, ""),
    (re.compile(r"\bmost recent(?:ly)?\b"), "last"),
    (re.compile(r"\bno longer\b"), "stopped"),
    (re.compile(r"\bjust (?=before\b|after\b)"), ""),
    (re.compile(r"\bhow (?=many\b|much\b|long\b)"), ""),
    (re.compile(rf"\b(?:since|from) {_ASKED_TIME}"), "when start"),
    (re.compile(rf"\b(?:until|till|up to) {_ASKED_TIME}"), "when end"),
    (re.compile(r"\bfrom \{time\} (?:to|until|till) \{time\}"), "between {time} and {time}"),
)
"""Phrases that mean the same as others: a pattern and its replacement."""

_BY_TIME = re.compile(r"\b(as|by|from|to|with)\W+(?:(?:the|year) )*\{time\}")
_EDGE = re.compile(r"\b(?:start|begin|beginning|end|middle|half|rest) of\b")
_WHEN_CLAUSE = re.compile(r"^\W*(?:when|while)\b[^,]*,|(?<!^)\b(?:when|while)\b.*$")
_BEFORE_CLAUSE = re.compile(r"\bbefore\b[^,]*")
_PASSIVE = re.compile(r"\b(?:succeed|precede|follow)\b|\b(?:succeeded|preceded|followed) by\b")
_INVERTED = re.compile(r"\b(?:before|after) (?:whom?|which|what)\b|\bof whom?\b")
_SEVERAL = re.compile(r"\b(?:which|what) (?!was\b|is\b|does\b|has\b|this\b)[a-z]+s\b")
_TIMES = re.compile(r"\bmany times\b")
_PRESENT = re.compile(r"\b(?:am|is|are|do|does)\b|\b(?:who|what|which|where)'s\b")
_PAST = re.compile(r"\b(?:was|were|did|had|been|[a-z]+ed|held|won|got|took|wrote|made|left|led|ran)\b")

_PHRASES = {
    "before": _PASSIVE,
    "after": _PASSIVE,
    "start": _BECOMING,
    "end": _LEAVING,
    "edge": _EDGE,
    "inverted": _INVERTED,
    "several": _SEVERAL,
    "times": _TIMES,
    "duration": _DURATION,
    "present": _PRESENT,
}
"""The patterns of signals that are not single words."""


def signals_of(masked: str) -> frozenset[str]:
    """The signals of a masked question.

    `most recent` is `last`, `no longer` is `end`, `since when` is `start`; so is becoming something, or marrying,
    unless the first such time is asked. Signals of a clause with `when`, which is about another fact, are marked
    (`start there`). `How many years` is `duration`; `is` without any time is `present`.
    """
    text = _plain(masked)
    answer = answer_type(masked)
    clause = match[0] if answer == "entity" and (match := _WHEN_CLAUSE.search(text)) else ""
    signals = _signals_in(text.replace(clause, " ") if clause else text, answer)
    signals |= {f"{signal} there" for signal in _signals_in(clause, answer)}
    if _DURATION.search(masked.lower()):
        signals.add("duration")
    is_present = _PRESENT.search(text) and not _PAST.search(text)
    if is_present and signals <= {"count"} and answer != "time" and "{time}" not in text and not clause:
        signals.add("present")
    return frozenset(signals)


def words_behind(masked: str, signals: Set[str]) -> list[str]:
    """The words or phrases of a masked question behind these signals."""
    text = _plain(masked)
    wanted = {signal.split()[0] for signal in signals}
    words = [word for word in _TOKEN.findall(text) if SIGNAL_OF.get(word, word) in wanted]
    phrases = [
        match[match.lastindex or 0]
        for signal, pattern in _PHRASES.items()
        if signal in wanted and (match := pattern.search(text))
    ]
    return list(dict.fromkeys(words or phrases))


def _plain(masked: str) -> str:
    text = _OPENING.sub("", masked.lower().replace("’", "'"))
    for pattern, instead in _REWORDED:
        text = pattern.sub(instead, text)
    return text


def _signals_in(text: str, answer: str) -> set[str]:
    """The signals of one clause."""
    words = _TOKEN.findall(text)
    signals = {SIGNAL_OF[word] for word in words if word in SIGNAL_OF}
    signals |= {word for word in words if word in GRAMMAR_WORDS - HARMLESS - SIGNAL_OF.keys()}
    signals |= {f"{word} then" for word in _BY_TIME.findall(text)}
    if answer != "time" and _EDGE.search(text):
        signals = signals - {"start", "end"} | {"edge"}
    if _LEAVING.search(text):
        signals.add("end")
    if _BECOMING.search(text) and not signals & {"end", "first"}:
        signals.add("start")
    if _TIMES.search(text):
        signals.add("times")
    return _ordered(text, signals) if signals & {"before", "after"} else signals


def _ordered(text: str, signals: set[str]) -> set[str]:
    """The signals of a clause with `before` or `after`, corrected for the order of its parts.

    Somebody who was succeeded came before; "before she became mayor" is before she was mayor.
    """
    if _PASSIVE.search(text):
        signals = {{"before": "after", "after": "before"}.get(signal, signal) for signal in signals}
    if _INVERTED.search(text):
        signals = signals | {"inverted"}
    if _SEVERAL.search(text):
        signals = signals | {"several"}
    main = _BEFORE_CLAUSE.sub(" ", text)
    starts = _BECOMING.search(main) or any(SIGNAL_OF.get(word) == "start" for word in _TOKEN.findall(main))
    return signals if starts else signals - {"start"}


def answer_type(masked: str) -> str:
    """The type of answer that a masked question asks for: `truth` (yes or no), `number`, `time` or `entity`.

    `when` asks for a time only without another question word: in "who was mayor when ..." it joins two facts.
    """
    text = masked.lower().replace("’", "'")
    if _asks_yes_or_no(text):
        return "truth"
    if _NUMBER.search(text):
        return "number"
    if _ENTITY.search(text):
        return "entity"
    asks_time = _TIME.search(text) or (_WHEN.search(text) and not _WHAT.search(text))
    return "time" if asks_time else "entity"


def _asks_yes_or_no(text: str) -> bool:
    """Whether it opens with a verb and asks nothing more, unlike "can you tell me who ..."."""
    if _REQUEST.search(text) or not _YES_NO.search(text):
        return not _ASKING.search(text) and bool(_REQUEST.search(text) or _FRONTED.search(text))
    return True


def question_word(masked: str) -> str:
    """`who` or `where` if the masked question has it, else `what`."""
    text = masked.lower()
    return "who" if _PERSON.search(text) else "where" if re.search(r"\bwhere\b", text) else "what"
