"""Questions without what only asks for an answer: `could you tell me when ...`, `I'd like to know whether ...`."""

from __future__ import annotations

import re

_LEARN = r"(?:know|find out|learn|see|hear|be told|understand|work out|figure out|look up|tell (?:me|us)|check)"
_ONE = r"(?:you|anyone|someone|anybody|somebody)(?: guys)?(?: please| kindly| possibly| perhaps)?"
_OPENING = re.compile(
    r"\W*(?:"
    r"(?:and|so|but|well|ok|okay|now|please|hello|hi|hey|then)\b[\s,]*"
    rf"|(?:i|we)(?: would|['’]?d)?(?: really| just)? (?:like|want|wish|love|need|have)(?: you)? to {_LEARN}\b"
    r"|(?:i|we)(?:['’]?m| am|['’]?re| are|['’]?ve been| was)(?: just)? (?:wondering|curious|asking|trying to "
    rf"{_LEARN})\b|(?:i|we) wonder(?:ed)?\b"
    rf"|(?:can|could|would|will) {_ONE} {_LEARN}\b|let (?:me|us) know\b"
    r"|(?:check|say|find out|look up|tell me|tell us|remind me|do you(?: guys)?(?: happen to)? (?:know|remember)"
    r"|any (?:idea|clue))(?=(?: for (?:me|us))? (?:whether|if|who|what|which|when|where|whose|whom|how|by|in|on|at)\b)"
    r")(?: for (?:me|us)\b)?\s*",
    re.IGNORECASE,
)
_REQUEST = re.compile(
    rf"\W*(?:(?:can|could|would|will) {_ONE} (?=(?:give|show|list|name|get|find|send)\b)"
    r"|(?:i|we)(?:['’]?m| am|['’]?re| are)(?: just)? "
    r"(?:look\w{2,4} for|after|interested in|trying to find|searching for)"
    r"|(?:i|we)(?: would|['’]?d)?(?: really| just)? (?:need|want|like)(?: to (?:find|see|have|get))?(?! to\b))\s*",
    re.IGNORECASE,
)
_FRONTED = re.compile(r"\W*(by|to|from|for|with) whom\b\s*([^?.!]*[^?.!\s])(\W*)$", re.IGNORECASE)
_EXISTENCE = re.compile(r"(\W*(?:is|are|was|were) there (?:any|some)[^?]*? )(?:who|that|which) ", re.IGNORECASE)
_WHETHER = re.compile(r"\W*(?:whether|if)(?: or not)? ", re.IGNORECASE)
_AUXILIARY = re.compile(r"\b(?:is|are|was|were|has|have|had|does|do|did|can|could|will|would)\b", re.IGNORECASE)
_CONTRACTED = re.compile(r"\b(is|was|are|were|do|does|did|has|have|had|could|would|should)n['’]?t\b", re.IGNORECASE)
_THEN = re.compile(
    r"\b(more|less|fewer|other|(?:long|short|high|low|bigg|larg|small|old|young|late|earli|heavi|great)er) then\b"
)
_OF_TWO = re.compile(
    r"\b(which|who|what)(?: one)? of (?:the|these|those) two\b(?: [a-z]+(?= (?:is|was|has|had|did|does)\b))?", re.I
)
_EMPTY = re.compile(
    r"\b(?:(?:marked|listed|recorded|noted|registered|entered|logged|flagged|put|shown|given)(?: down)?|down) as ",
    re.IGNORECASE,
)
_HAPPENING = re.compile(r"\b(?:took|takes|taking|taken|take) place\b", re.IGNORECASE)
_SINGLE = re.compile(r"\b(?:single|one) (?=most |least |[a-z]+est\b)", re.IGNORECASE)
_BOUND = re.compile(
    r"\b(?:(since|from|before) the (?:start|beginning)|(after|until|till|up to) the end) of (?=[12]\d{3}\b)",
    re.IGNORECASE,
)
_DONE = re.compile(r"\bcarried out\b", re.IGNORECASE)
_OURS = re.compile(r"\b(?:on|in) (?:our|the|my|your) books\b(?! (?:by|of|about|from|with|that|which)\b)", re.IGNORECASE)
_LIST = "give me "
_PEOPLE = re.compile(r"(?:all |the )*(?:everyone|everybody|people|persons)\b", re.IGNORECASE)


def direct(question: str) -> str:
    """A question without its opening, with the preposition of `by whom` at its end.

    After `whether` it begins with its verb, as questions for yes or no do.
    """
    text = asked = _plainly(question)
    while (match := _OPENING.match(text)) and text[match.end() :].strip(" ?.!"):
        text = text[match.end() :]
    if text != asked and (match := _WHETHER.match(text)):
        return _inverted(text[match.end() :])
    if match := _EXISTENCE.match(text):
        text = match[1] + text[match.end() :]
    if match := _FRONTED.match(text):
        return f"who {match[2]} {match[1].lower()}{match[3]}"
    if match := _REQUEST.match(text):
        rest = text[match.end() :]
        return _LIST + rest if _PEOPLE.match(rest) else rest
    return text


def _plainly(question: str) -> str:
    """A question without what it only says in more words: `takes place`, `is marked as`, `which of the two`."""
    question = _BOUND.sub(lambda match: f"{match[1] or match[2]} ", question)  # "since the start of 2024"
    text = _THEN.sub(r"\1 than", _CONTRACTED.sub(_in_full, question))
    if re.search(r"\bor\b", text):
        text = _OF_TWO.sub(r"\1", text)
    text = _OURS.sub("", text)
    return _DONE.sub("done", _HAPPENING.sub("happen", _SINGLE.sub("", _EMPTY.sub("", text))))


def _in_full(match: re.Match[str]) -> str:
    """`has not` for `hasn't`, unless it is written as names are."""
    return match[0] if match[0][0].isupper() and match.start() else f"{match[1]} not"


def _inverted(clause: str) -> str:
    """A statement as a question for yes or no; as it is if it has no auxiliary verb."""
    verb = _AUXILIARY.search(clause)
    if verb is None:
        return clause
    return f"{verb[0].lower()} {clause[: verb.start()].rstrip()} {clause[verb.end() :].lstrip()}".strip()
