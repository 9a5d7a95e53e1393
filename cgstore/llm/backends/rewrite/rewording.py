"""A question over times in plainer words, where it is not understood as written: direct order, idioms, and now.

`By whom she was succeeded` is `by whom was she succeeded`, what `came to an end` ended, and who is mayor is who was it
at the time until which the facts without an end hold in the data.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from cgstore.llm.backends.rewrite.limits_of_time import Marked
from cgstore.llm.backends.rewrite.wordings import opened
from cgstore.llm.graph_view import GraphView
from cgstore.text.dates import Step

_NOUN = r"(?: (?!(?:was|were|is|are|did|do|does|has|have|had)\b)[a-z-]+){1,3}"
_INDIRECT = re.compile(
    r"^(?P<asked>(?:(?:by|in|on|at|to|for|from|with|of|against|until|since) )?"
    rf"(?:whom?|when|where|how (?:long|often)|how many{_NOUN}|(?:which|what|whose){_NOUN}))"
    r"(?<! of)(?<! at)(?<! in)(?<! for) (?P<subject>(?:the )?<e\d+>)"
    r" (?P<verb>was|were|is|are|has|have|had)\b(?P<rest>.*)$",
    re.IGNORECASE,
)
_PERFECT = re.compile(r"^ (?:\w+ly )?(?:been|\w+ed|\w+en)\b")
_NOW = re.compile(
    r"\b(?:still|currently|nowadays|presently|(?:right )?now|today|these days|at present|at the moment"
    r"|(?<=the )(?:current|present|incumbent))\b ?",
    re.IGNORECASE,
)
_IS = re.compile(r"\b(?:is|are|does|do|has|have)\b", re.IGNORECASE)
_NOT_NOW = re.compile(
    r"<t\d|\b(?:was|were|did|had|ago|recent(?:ly)?|yesterday|tomorrow|before|after|when|while|since|until|till|during"
    r"|ever|never|not|longer|first|last|how (?:long|often)|how many (?:years|months|days|times))\b|n['’]t\b",
    re.IGNORECASE,
)
_YEARS = re.compile(r"\b(?:which|what) years\b", re.IGNORECASE)
_E = r"(<e\d+>)"
_SIDE = r"(before|after|following)"
_DEED = r"(?:(?:the|its|his|her|their) (?:[a-z]+ ){1,3}?(?:of|in|with|for|to|from|by|at|on|against) )?(?:the )?"
_MAIN = r"((?:who|which|what|where)\b.*?)(?: next)?(?= ?$)"
_THE = r"((?:the )?<e\d+>)"
_TERM = r"(?:time|term|tenure|reign|stint|spell|years|days|period)"
_IDIOMS = tuple(
    (re.compile(rf"(?<!\w){idiom}", re.IGNORECASE), plain)
    for idiom, plain in (
        (r"c[ao]me to an end\b", "ended"),
        (
            rf"(?<!.)had {_THE} (?:already )?(?:happened|occurred|taken place) (?:when|by the time) ",
            r"did \1 happen before ",
        ),
        (rf"when {_THE} (?:took place|occurred|was raging|raged)(?= ?$)", r"when \1 happened"),
        (
            rf"(?<!.){_THE}( (?:in|on|during) <t\d+>)?,? ?[-–—]? ?(?:whose was|who (?:had|owned|held)) it(?= ?$)",
            r"who owned \1\2",
        ),
        (rf"(?<!.)whose (?:was|were) {_THE}(?= ?$| (?:in|on|during|before|after|when|while) )", r"who owned \1"),
        (rf"(?:was|were) {_THE} in {_THE}'s (?:hands|possession)", r"did \2 own \1"),
        (r"(?<!.)(who|what|which [a-z]+) else (?=.*\b(?:at the same time as|alongside|together with)\b)", r"\1 "),
        (
            r"(?:worked|served|acted|(?:was|were) (?:working|serving|acting|employed)) as (?:an? |the )?(?=[a-z])",
            "was ",
        ),
        (rf"(?:once|as soon as) (?={_THE} )", "after "),
        (r"(<e\d+>) no longer (?:had|held|owned|ran|used|led) (?=it\b|the\b|<e)", r"\1 gave up "),
        (r"let (it|them|(?:the )?<e\d+>) go", r"gave up \1"),
        (r"(?<!.)adding (?:both|all|the) [a-z ]*(?:together|up),? ", ""),
        (r"(earlier|later) in (?:life|(?:his|her|their) (?:life|career))(?= ?$)", r"\1"),
        (r"(?:pulled out of|withdrew from|dropped out of)\b", "left"),
        (r"(?:pull out of|withdraw from|drop out of)\b", "leave"),
        (
            rf"(?<!.)in (?:what|which) (?!year|month|day|date)([a-z]+) did {_THE} (?:start|begin) (?:out|off)(?= ?$)",
            r"in which \1 was \2 first",
        ),
        (
            rf"(?<!.)who (?:took|has taken) (?:over )?(?:the )?(?:helm|reins|wheel) (?:of|at) {_THE} from {_THE}",
            r"who succeeded \2 as leader of \1",
        ),
        (rf"did {_THE}'s {_TERM} as (?:the )?(.+?) (?:end|finish|stop)(?= ?$)", r"did \1 stop being \2"),
        (rf"did {_THE}'s {_TERM} as (?:the )?(.+?) (?:begin|start)(?= ?$)", r"did \1 start being \2"),
        (r"(first|last) (?:person|one) to (?:be|become|serve as)\b", r"\1"),
        (
            r"are there (?:on record|(?:on|in) (?:the|our|this|your) (?:list|data|records?|graph))\b",
            "were there",
        ),
        (r"(?<=^how many )([a-z-]+) (?:have|had) there been\b", r"\1 were there"),
        (r"(?<!.)(who|what|where)'s\b", r"\1 is"),
        (r"(?<!.)in whose (possession|hands) (was|were) ((?:the )?<e\d+>)", r"who owned \3"),
        (r"\bat the time of (?=(?:the )?<e\d+>$)", "during "),
        (r"(?<!.)which of the (?:(?:two|three|four|five|six|seven|eight|nine|ten) )?", "which "),
        (r"(?:in|during|over|throughout) the (?:years|time|period|days) (?:that|when|in which) ", "while "),
        (r"(?<!.)([a-z]+ (?:[a-z]+[a-rt-z])) (in|during) (<t\d+>)(?= ?$)", r"who was \1 \2 \3"),
        (
            rf"(?<!.)(?:out )?of all (?:of )?the ([a-z]+) (?:that )?{_THE} (?:has )?had,? which(?: one| of them)? ",
            r"which of the \1 \2 had ",
        ),
        (
            r"(?<!.)(who|which one) came (first|last) as (?:the |an? )?([a-z ]+),? (?=<e\d+> or <e\d+>)",
            r"\1 was \3 \2, ",
        ),
        (rf"(?<!.)(?:in |at )?whose (?:house|home) (was|did) {_THE} ([a-z]+)(?: in| at)?\b", r"with whom \1 \2 \3"),
        (rf"(?<!.)where did {_THE} go(?: next)? (?=after )", r"where was \1 "),
        (r"(?:over|down|through) the (?:years|decades|ages)(?= ?$)", ""),
        (r"(?:are|is|were|was) not (?:down|recorded|listed|noted|known) as having ", "never "),
        (r"(?<!.)add (?:it|them|that) (?:all )?up(?: for me)?[:,;-]? ", ""),
        (
            rf"(?<!.){_E} (before|after) (?:the )?{_E},? (?:who|was|was who|who was|who was it|was whom)(?= ?$)",
            r"who was \1 \2 \3",
        ),
        (rf"(?<!.){_SIDE} {_DEED}{_E} (?:in|on|of) (<t\d+>),? {_MAIN}", r"\4 \1 \3"),
        (rf"(?<!.){_SIDE} {_DEED}{_E},? {_MAIN}", r"\3 \1 \2"),
        (rf"(?:held|had|took) (?:the )?{_E}'s (?:position|post|office|job|role)\b", r"was \1"),
        (r"(?<!.)(who|which [a-z]+) next (?=held|had|was|became|led|ran)", r"\1 "),
        (
            rf"(?<!.)(?:which|what) {_E} (?:lasted|served|stayed|reigned|held office|was there|was in office)\b"
            r"(?: for)?(?: the)? (longest|shortest)(?: time)?(?= ?$)",
            r"who was \1 for the \2 time",
        ),
        (
            rf"(?<!.)how many {_E} (?:were there|have there been|did \S+ have|served|held office|in all)\b",
            r"how many people were \1",
        ),
        (r"(?:went|was sent|was posted|was transferred) to (?=(?:the )?<e)", "moved to "),
        (r"(?:took|taken|take) (?:over )?(?:the )?(?:helm|reins|wheel) (?:of|at)\b", "became leader of"),
        (r"(its|his|her|their) (longest|shortest) ([a-z]+\b.*)$", r"\1 \3 for the \2 time"),
        (r"(?:has |have |had )?(?:been )?(?:at|on) the books of\b", "was with"),
        (r"(?:c[ao]me|took office) (?:right |directly |immediately |next |straight )?(?=(?:before|after) )", "was "),
    )
)


UNTIL_NOW = "until which facts without an end hold in the data"


class Reworded(NamedTuple):
    """A question in other words, with notes on what they were taken for."""

    question: str
    notes: tuple[str, ...] = ()


def reworded(found: Marked, graph: GraphView) -> Reworded | None:
    """A question in plainer words; None if it is plain already.

    Args:
        found: the question with its names and times marked.
        graph: what is asked.
    """
    text = opened(found.text).rstrip(" ?.!")
    plain = _INDIRECT.sub(_in_direct_order, text)
    for idiom, instead in _IDIOMS:
        plain = idiom.sub(instead, plain)
    plain, notes = _at_the_end(plain, graph)
    if " ".join(plain.split()) == found.text.rstrip(" ?.!"):
        return None
    return Reworded(f"{found.restored(plain)}?", notes)


def _in_direct_order(match: re.Match[str]) -> str:
    asked, subject, verb, rest = match.group("asked", "subject", "verb", "rest")
    if verb.lower() in ("has", "have", "had") and not _PERFECT.match(rest):
        verb, rest = "did", f" have{rest}"
    return f"{asked} {verb} {subject}{rest}"


def _at_the_end(text: str, graph: GraphView) -> tuple[str, tuple[str, ...]]:
    """A question for now as one for the time until which facts hold that have no end."""
    said = _NOW.search(text) or _IS.search(text)
    now, step = now_of(graph)
    if not now or said is None or _NOT_NOW.search(text):
        return text, ()
    at = "in" if step in (Step.YEAR, Step.MONTH) else "on"
    note = f"'{said[0].strip()}' is taken for {now}, {UNTIL_NOW}."
    return f"{_NOW.sub('', text).strip()} {at} {now}", (note,)


def asks_years_of_days(question: str, graph: GraphView) -> bool:
    """Whether years are asked for where times are days, so that no demonstration's program gives them."""
    steps = {outline.step for outline in graph.outlines if outline.step}
    return bool(_YEARS.search(question)) and bool(steps - {Step.YEAR})


def now_of(graph: GraphView) -> tuple[str, str]:
    """The time until which the facts of the sources hold that have no end, and its step; empty if they have none."""
    nows = {(outline.now, outline.step) for outline in graph.outlines if outline.step}
    return nows.pop() if len(nows) == 1 else ("", "")
