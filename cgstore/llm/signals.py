"""Temporal signals: the words of a question that say how times are to be compared (TempQuestions, Jia et al., 2018).

Sentence encoders place "the first team" and "the last team", "before" and "after", next to each other; a program for
one is wrong for the other. So a demonstration serves a question only if both have the same signals, and ask for the
same type of answer (Li and Roth, 2002): a time, a number, or an entity.
"""

from __future__ import annotations

import re

_WORDS = {
    "before": "before previous previously prior preceding preceded precedes predecessor predecessors until till",
    "after": "after following followed follows next since subsequent subsequently succeeding succeeded succeeds "
    "successor successors later",
    "first": "first 1st firstly earliest initial initially original originally debut",
    "last": "last lastly latest final finally ultimate recent",
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
    "now": "current currently now today nowadays still incumbent yesterday tomorrow ago",
}

SIGNAL_OF = {word: signal for signal, words in _WORDS.items() for word in words.split()}

_ENTITY = re.compile(r"\b(?:who|whom|whose|where)\b")
_NUMBER = re.compile(r"\bhow (?:many|long|much)\b|\bnumber of\b")
_TIME = re.compile(
    r"(?<!same )\b(?:years?|dates?)\b(?! \{time\})"  # "the year 1994" and "the same year" ask for no time
    r"|\b(?:what|which) time\b"
    r"|\b(?:what|which)(?:\Ws| is| was)? the \w+ time\b"
)
_WHEN = re.compile(r"\bwhen\b|\bthe (?:first|last|final) time\b")
_WHAT = re.compile(r"\b(?:what|which|name)\b")

_BECOMING = re.compile(
    r"\b(?:become|became|elected|appointed|hired|marry|wed|get married|got married|join(?:ed|s)?|enter(?:ed|s)?"
    r"|(?:take|took|assumed?|enter(?:ed)?|c[oa]me (?:in)?to) (?:up )?(?:office|power)|move(?:d|s)?)\b"
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


def signals_of(masked: str) -> frozenset[str]:
    """The signals among a question's words; its names must be masked, since `After Hours` is none.

    `most recent` is `last`, `no longer` is `end`; the year in which somebody became something, or married, is a
    `start`, unless it is the first or the last such year that is asked for. `How many years` asks for a `duration`.
    """
    text = masked.lower().replace("most recent", "recent").replace("no longer", "stopped")
    signals = {SIGNAL_OF[word] for word in _TOKEN.findall(text) if word in SIGNAL_OF}
    if answer_type(masked) == "time" and not signals & {"first", "last"}:
        if _LEAVING.search(text):
            signals.add("end")
        if _BECOMING.search(text) and not signals & {"end"}:
            signals.add("start")
    if _DURATION.search(text):
        signals.add("duration")
    return frozenset(signals)


def answer_type(masked: str) -> str:
    """What a masked question asks for: `truth` (yes or no), `number`, `time` or `entity`.

    `when` asks for a time only where no other question word does: in "who was mayor when ..." it joins two facts.
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
    """Whether it opens with a verb; "can you tell me who ..." and "do you know when ..." do, and ask more."""
    if _REQUEST.search(text) or not _YES_NO.search(text):
        return not _ASKING.search(text) and bool(_REQUEST.search(text) or _FRONTED.search(text))
    return True


def question_word(masked: str) -> str:
    """`who` or `where` if the masked question has it, else `what`."""
    text = masked.lower()
    return "who" if _PERSON.search(text) else "where" if re.search(r"\bwhere\b", text) else "what"
