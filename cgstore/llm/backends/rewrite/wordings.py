"""The words by which a question says what it asks: yes or no, how long, how many, which ones not.

These are rules of English. Names and times stand as `<e0>` and `<t0>` where a pattern has them (see `limits_of_time`).
"""

from __future__ import annotations

import re

from cgstore.llm.backends.rewrite import clause_patterns as P

VERB = re.compile(r"(?:is|are|was|were|did|does|do|has|have|had)\b", re.IGNORECASE)
INDIRECT = re.compile(
    r"^\W*(?:(?:and|so|but|then|well|please)\b\W*)*(?:(?:(?:can|could|would|will) you |please )*(?:tell|say)(?: to)? me"
    r"(?: please)?|do you (?:happen to )?know|(?:i|we)(?: want| would like|'d like| need) to (?:know|find out|learn)"
    r"|it would (?:help|be (?:good|nice|useful|helpful|interesting))(?: me| us)? to (?:know|find out|learn)|i wonder"
    r"|is it (?:true|right|correct|the case)) (?:if|whether|that) ",
    re.IGNORECASE,
)
OPENING = re.compile(r"^\W*(?:(?:and|so|but|then|well|please)\b\W*)+", re.IGNORECASE)
ASKING = re.compile(
    rf"^\W*(?:{P.OPENING.pattern.lstrip('^')})(?=(?:[a-z]+ )?(?:who|whom|whose|which|what|when|where|how)\b)",
    re.IGNORECASE,
)
CONTRACTED = re.compile(r"^(is|are|was|were|did|does|do|has|have|had)n['’]?t\b", re.IGNORECASE)
NEGATED = re.compile(r"\b(?:not|never)\b|n['’]t\b", re.IGNORECASE)
AUXILIARY = re.compile(r"\b(is|are|was|were|did|does|do|has|have|had)n['’]t\b", re.IGNORECASE)
NOW = re.compile(r"^(?:is|are|do|does)\b", re.IGNORECASE)
SUBJECT = re.compile(
    r"^(?P<verb>is|are|was|were|did|does|do|has|have|had) (?:the )?<e(?P<name>\d+)> (?P<rest>.*)$", re.IGNORECASE
)
ANYONE = re.compile(
    r"^(?P<verb>is|are|was|were|did|has|have|had) (?:there )?(?:anyone|anybody|someone|somebody) (?P<rest>.*)$",
    re.IGNORECASE,
)
ANY = re.compile(r"^(?P<start>(?:did|has|have|was|were)\b.*) any (?P<noun>[^\W\d_]+)(?P<rest>.*)$", re.IGNORECASE)
_MARRIED = r"(?:married\b(?! to)|(?:husband|man) and wife\b)"
TWO = re.compile(
    r"\b(?P<verb>were|are|have|had) (?P<one><e\d+>) and (?P<other><e\d+>)(?P<been> been)? "
    rf"{_MARRIED}"
)
HOW_LONG = re.compile(
    r"^(?:for )?(?:how long|how many (?P<unit>years|months|weeks|days))(?: in total| altogether)?\b"
    r"(?! ago| before| after)",
    re.IGNORECASE,
)
LASTED = re.compile(r"^did (.*?) (?:last|take|go on)(?: for)?\W*$", re.IGNORECASE)
TWO_STATED = re.compile(
    r"(?P<one><e\d+>) and (?P<other><e\d+>) (?P<verb>were|are|have|had)(?P<been> been)? "
    rf"{_MARRIED}"
)
SPENT = re.compile(
    r"\b(?:(?:spent|served|had) the (?P<word>longest|shortest) (?:time|terms?|period|spell)"
    r"(?: (?:in (?:office|charge|post)(?! of)|as))*(?= |\W*$)"
    r"|lasted (?:for )?(?:the )?(?P<lasted>longest|shortest)(?: time)?\b)",
    re.IGNORECASE,
)
LONGEST = re.compile(
    r"(?:\bfor )?(?:\bthe )?\b(?P<word>longest|shortest)"
    r"(?:[- ](?:serving|reigning|lasting|time|period|tenure|term)\b|(?=\W*$|\W+(?:as|for|at|in|with)\b))",
    re.IGNORECASE,
)
TIMES = re.compile(r"^how (?:many times|often)\b", re.IGNORECASE)
COUNT = re.compile(
    r"^(?:how many|what (?:is|was) the number of|(?:give me )?the number of) (?:different )?(?P<noun>[^\W\d_]+)",
    re.IGNORECASE,
)
PEOPLE = re.compile(r"people|persons|individuals|humans", re.IGNORECASE)
HAVE = re.compile(
    r"^(?:which|what|how many) (?P<noun>[^\W\d_]+) (?:did|does|do|has|have|had) (?P<of>.+?) (?:have|had|get|got)\b",
    re.IGNORECASE,
)
SET = re.compile(r"^(?:(?:in|on|for|of|by|with|to|at|from|against) )?(?:which|what|who|whom)\b", re.IGNORECASE)
OF_NAME = re.compile(r"^(?:which|what)(?: [a-z-]+)+ (?:of|at|in|for) (?:the )?<e\d+>", re.IGNORECASE)
"""A set that is one of a name's: `which mayors of York`."""
RELATIVE = re.compile(r"\b(?:before|after|since|until)\b", re.IGNORECASE)
ONE = re.compile(r"^(?:who|what) (?:was|is|has been)\b", re.IGNORECASE)
"""A question for the one who holds an office."""
PERFECT = re.compile(r"\b(?:has|have)\b.* been\b.* since\b", re.IGNORECASE)
BEING = re.compile(r"\b(?:was|were|been|be|is|are)\b", re.IGNORECASE)


def married(match: re.Match[str]) -> str:
    """`were Ann and Bob married` as `was Ann married to Bob`."""
    verb = {"were": "was", "are": "is", "have": "has"}.get(match["verb"].lower(), "had")
    return f"{verb} {match['one']}{match['been'] or ''} married to {match['other']}"


def opened(question: str) -> str:
    """The question without words that only introduce it: `can you tell me whether`."""
    return ASKING.sub("", OPENING.sub("", INDIRECT.sub("", question))).strip()


def without_not(text: str) -> str:
    """The text without `not` and `never`."""
    text = AUXILIARY.sub(r"\1", text)
    return " ".join(NEGATED.sub(" ", text).split())


def lower_first(text: str) -> str:
    """The text with its opening verb in lower case; a name that opens it stays."""
    return text[0].lower() + text[1:] if VERB.match(text) else text
