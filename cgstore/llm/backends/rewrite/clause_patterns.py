"""Rules of English by which `clauses` reads a question: patterns over its text in lower case.

Names and times stand there as `e0`, `t0`. A pattern is cut out of the text once it is read, so that what is left over
was not understood.
"""

from __future__ import annotations

import re

from cgstore.llm.backends.rewrite.faults import PREPOSITIONS
from cgstore.text.thesaurus import lemma

NAME = r"(?:the )?(e\d+)(?:'s)?"
TIME = r"(?:the )?(?:years? |month of |day of )?(t\d+)"
QUESTION_WORD = r"(?:(?:by|of|in|to|at|for|on|from|with|against) )?(?:who|whom|whose|which|what|where|how many|when)\b"
_AS = r"(?: (?:as|for|in|at|on))?\b"

# What only asks for an answer -----------------------------------------------------------------------------------------

OPENING = re.compile(
    r"^(?:(?:and|so|well|ok|now|please|hello|hi)\b ?"
    r"|i(?: would|'d)? (?:like|want|wish|love|need)(?: to)? (?:know|find out|learn|see|ask)\b ?"
    r"|i(?: wonder(?:ed)?|(?: am|'m| was|'ve been| have been)(?: just)?"
    r" (?:looking for|wondering|curious|trying to find out))\b ?"
    r"|it would (?:help|be (?:good|nice|useful|helpful|interesting))(?: me| us)? to (?:know|find out|learn|see)\b ?"
    r"|do you (?:happen to )?know\b ?"
    r"|(?:can|could|would|will) (?:you|anyone|somebody) (?:please )?"
    r"(?:(?:tell|say|give|show|name|list|find)(?: me| us)?\b ?)?"
    r"|(?:tell|show)(?: me| us)?\b ?|let me know\b ?|say\b ?)+"
)
LISTING = re.compile(
    r"^(?:(?:name|list|give|find|get|who are|(?:i|we) need)(?: me| us)?\b|(?=all\b))"
    r"(?P<all> ?all(?: of)?)?(?: the| a| any)?(?: names? of)?(?: all)?(?: the)? "
)
NAME_OF = re.compile(r"^(?:what (?:is|was|are|were) )?(?:the )?names? of (?:all )?(?:the )?")
ANYBODY = re.compile(r"^(?:people|persons|those|everyone|everybody|everything|all) (?=who|that|which|with)")
FILLING = re.compile(
    r"\b(?:on record|t(?:ook|ake) place|back(?= (?:in|on) t\d)"
    r"|in total|in all(?= ?$)|altogether|so far|all told|already|at some (?:point|time|stage)"
    r"|(?:over|through(?:out)?|down) the (?:years|decades|ages)"
    r"|still\b(?=.* (?:in|on|during|at) (?:the )?(?:year )?t\d))\b"
)
"""What may be left out of a question about what held."""
COUNTING = re.compile(r"^(?:(?:what (?:is|was) )?(?:the )?(?:number|amount|count) of |count )(?:the )?")

# Before and after somebody or something -------------------------------------------------------------------------------

_RIGHT = r"(?:(?:immediately|directly|right|just|straight|shortly|next) )?"
_ANY = r"(?P<all>(?:at )?(?:any|some) ?time |ever |anytime )?"
_BEING = (
    r"(?:(?:he|she|it|they)(?: (?:was|were|had been|became|(?:moved|came|went) to|joined|played for|won))?|being"
    r"|becoming|moving to|joining)? ?(?:(?:in|at|for|of|with|to) )?"
)
_DID = (
    r"(?: (?:(?:did|was|were|had|won|took|got|held|received)(?: (?:it|so|that|one|the same))?"
    r"|(?:had )?(?:left|stepped down|resigned|retired|departed|quit)(?= |$)(?! (?:the )?e\d)))?\b"
)
NO_VERB = r"(?<!look )(?<!looks )(?<!looked )(?<!looking )(?<!named )"
"""No verb that has `after` as its preposition stands before: `looked after`."""
NEXT = re.compile(r"\b(?:was|were) the next(?: (?:one|person))? to (?=.*\bafter (?:the )?e\d)")
NEIGHBOUR = re.compile(
    rf"{NO_VERB}\b{_ANY}{_RIGHT}(?P<side>before|after|prior to|following|preceding) {_BEING}{NAME}{_DID}"
    r"(?! (?:was|were|had|held)\b)"
)
CAME = re.compile(rf"\b(?:came|comes|was next|was) {_RIGHT}(?P<side>before|after) {NAME}{_AS}")
SUCCEEDED = re.compile(rf"\b(?:\w+ly )?(?P<side>succeeded|replaced|took over from|followed|preceded) {NAME}{_AS}")
TAKEN_OVER = re.compile(rf"\b(?P<side>took over) (?P<core>(?:the )?e\d+) from {NAME}(?= |$)")
TOOK_OVER = re.compile(rf"\b(?P<side>took over) (?:as|at|for) (?P<core>.*?) from {NAME}(?= |$)")
SUCCEED = re.compile(
    rf"\b(?:who|whom|what|which \w+) did {NAME} (?P<side>succeed|replace|take over from|follow|precede){_AS}"
)
TAKEN_FROM = re.compile(
    rf"\bfrom whom(?: did| has| had)? {NAME} (?P<side>(?:take|took|taken) over|inherit(?:ed)?)(?: as| the| her| his)?\b"
)
WAS_SUCCEEDED = re.compile(
    rf"\b(?:by whom? (?:was|were) {NAME}(?: \w+ly)? (?P<side>succeeded|replaced|followed|preceded)"
    rf"|who (?:was|were) {NAME} (?P<by>succeeded|replaced|followed|preceded) by){_AS}"
)
SUCCESSOR = re.compile(
    rf"\b(?:{NAME} (?P<side>successor|predecessor)|(?:the )?(?P<of>successor|predecessor) (?:of|to) {NAME}){_AS}"
)
BEFORE = frozenset(["before", "prior to", "preceding", "preceded", "predecessor"])
"""Words of these patterns that ask for what was before; others ask for what came after."""

GOT = re.compile(r"\bgot (?=married|engaged|divorced)")
PAIR = re.compile(r"(?<= )(?:between|of) (?P<one>(?:the )?e\d+) and (?P<other>(?:the )?e\d+)(?= |$)")
"""Two names of one fact: the war between one and the other."""

# Other facts, and times -----------------------------------------------------------------------------------------------

SAME = re.compile(
    r"\b(?:at the same time (?:as|with)|in the same (?:years?|period) as|together with|alongside(?: of)?)"
    rf" {NAME}{_DID}"
)
_CLAUSE = (
    r"(?:while|when|as long as|at the same time as(?= (?:the )?e\d+ [a-z].*e\d)"
    r"|at the time (?:when|that)|at the time(?= e\d)"
    r"|(?:(?:in|on|during) )?the (?:same )?(?:year|month|day)(?: (?:when|that|in which|on which))?"
    r"(?= (?:he|she|it|they|(?:the )?e\d+) [a-z])"
    r"|during the (?:time|years?|period|term|days)(?: (?:when|that|in which))?|during(?= (?:the )?e\d+'s [a-z]))"
)
_SUBJECT = r"(?:the )?(?:[a-z]+ (?:[a-z]+ )?(?:with|of|in|at|against|between) (?:the )?)?e\d+\b"
WHILE = re.compile(rf"(?<!^)\b(?:{_CLAUSE}|during(?= the)) (?P<clause>{_SUBJECT}.*)$")
WHILE_PRONOUN = re.compile(
    rf"^(?P<main>.*\b(?:did|does|was|is|has|had) (?:the )?(?P<name>e\d+)\b.*\b{_CLAUSE}) (?:he|she|it)\b(?= .*e\d)"
)
"""A pronoun for the subject of the question: `where did Ann live while she was mayor of York`."""
WHILE_IT = re.compile(rf"^(?P<main>.*\b(?P<name>e\d+)\b.*\b{_CLAUSE}) it\b(?= .*e\d)")
"""A pronoun for the only name before it, which is no person: `who ran the club when it moved to York`."""
RELATIVE = re.compile(
    rf"\b(?P<side>before|after) (?P<clause>(?:he|she|it|they|{_SUBJECT}) (?!.* (?:did|was|had)$)[a-z]+ .*[a-z].*)$"
)
"""Another fact before or after which something held: `before he became abbot of York`."""
FRONTED = re.compile(rf"^{_CLAUSE} (?P<clause>{_SUBJECT}.*?) (?P<main>{QUESTION_WORD}.*)$")
_TERM = r"(?:terms?|tenure|time|years|days|stint|spell|period)(?: (?:in office|of office))?"
TERM_AS = re.compile(
    rf"(?:the )?(?:{_TERM} of (?:the )?(?P<of>e\d+)|(?P<name>e\d+)'s {_TERM}) (?:as|in|for|(?P<at>at|with))\b"
)
"""The term of somebody as something, which is when he or she was that."""
STAYED = re.compile(
    r"\b(?:(?P<did>did|does|has|had) (?P<subject>(?:the )?(?:e\d+|qq) )?)?(?:stay|remain|stand|sit|stood|sat)(?:s|ed)?"
    r"(?= (?:at|in|with|on)\b)"
)
"""Verbs before a preposition that say no more than `was`: `stayed at`, `stood at the head of`."""
WHAT_WAS = re.compile(r"qq (?:was|were) (?:the )?e\d+|(?:was|were) (?:the )?e\d+ qq")
WHO_WAS = re.compile(r"qq (?:was|were|is|are|has been|have been|had been) (?:the |an? )?e\d+(?: and)?")
HELD = re.compile(r"was (?:the )?e\d+ (?:the |an? )?e\d+|(?:the )?e\d+ was (?:the |an? )?e\d+")
"""Two names of which one is the office that the other one had, as a whole: `Ann was mayor of York`."""
TOGETHER = re.compile(r"\be\d+ (?:was )?(?:at|with) (?:the )?e\d+\b|\bwas (?:the )?e\d+ (?:at|with) (?:the )?e\d+\b")
PARTICLE = re.compile(
    r"\b(?P<verb>(?![et]\d|qq\b)[a-z]{2,}) (?P<particle>up|off|down|over|out|away|(?<=look )after|(?<=looks )after"
    r"|(?<=looked )after|(?<=looking )after)\b"
)
"""What belongs to a verb, and changes nothing else: only the words of a relation can say both."""
PRONOUN = re.compile(r"\b(?:(?P<whose>her|his|their|its)(?= [a-z])|(?P<there>there)|them|it|him|her)\b")
SUBJECT_PRONOUN = re.compile(r"^(?:he|she|it|they)\b")
ASKS_BEFORE_CLAUSE = re.compile(rf"{QUESTION_WORD}|.*\b(?:who|which|what|where|how many)\b")
BETWEEN = re.compile(rf"\b(?:between|from) {TIME} (?:and|to|until|till) {TIME}")
AT = re.compile(
    r"\b(?:as early as )?(?P<side>in|on|during|at|since|until|till|from|by|before|after)"
    rf" {TIME}(?: on(?:wards)?)?\b"
)
BARE_TIME = re.compile(r"(?:^| )(t\d+)(?= |$)")
SIGNS = {"since": ">=", "from": ">=", "until": "until", "till": "until", "by": "<=", "before": "<", "after": ">"}
"""The comparison that a preposition asks for; others ask for the time itself."""

STARTS = re.compile(
    r"\b(?:start(?:ed|s|ing)?|beg[aiu]n(?:s|ning)?|bec[ao]mes?|becoming"
    r"|(?:took|take) (?:up )?office(?: as)?|(?:took|takes?|taken) over(?: as)?(?! (?:from|by)\b)"
    r"|(?:broke|break) out|join(?:ed|s)?|moved?|(?:taken|put|brought|went|c[ao]me) into (?=use|service)"
    r"|(?:was|were|been|got) (?:elected|appointed)(?: as)?(?! by\b))"
    r"(?: (?:to be|being|as))?\b"
)
TAKES_UP = re.compile(r"\b(?:took|takes?|taken) up(?= (?:the|his|her|their|a) [a-z])")
"""The beginning of what somebody then holds: a post, a baton."""
MADE = re.compile(
    r"(?<!qq )\b(?:made|named|crowned|proclaimed|declared|ordained|installed(?: as)?|sworn in(?: as)?|promoted to)"
    r"(?= (?:the |an? )?(?!(?:of|by|in|from|at|for|with|to|after|as|on)\b)[a-z]+(?: [a-z]+)?"
    r"(?: (?:of|at|in|for|to)\b|$))"
)
"""The beginning of an office that somebody gets: `was made captain of`."""
HAPPENED = re.compile(
    r"^(?!.*\b(?:was|were|is|are|been|had|has|have) (?:(?:the )?(?:e\d+|qq) )?(?:\w+ly )?"
    r"(?:married|wed|bought|acquired|inherited|purchased|obtained)\b)"
    r".*\b(?:g[eo]ts? (?:married|engaged|hitched)|(?:tied?|ties) the knot"
    r"|(?:did|does) (?:the )?e\d+ (?:marry|wed)|(?:go|went) to war"
    r"|wedding|coronation|inauguration|accession"
    r"|(?:married|weds?|marry|bought|buy|acquired?|inherit(?:ed)?|purchased?|obtain(?:ed)?)(?= .*\be\d)(?! by\b)"
    r"|did (?:the )?e\d+ (?:get|receive)(?= (?:the )?e\d))\b"
)
"""Verbs of what happens at once: that of which they are said begins then."""
ENDS = re.compile(
    r"\b(?:end(?:ed|s|ing)?|stop(?:ped|s)?|finish(?:ed)?|cease[ds]?|le(?:ft|ave)|quit|resign(?:ed)?|retire[ds]?"
    r"|step(?:ped)? down|part(?:ed)? (?:with|from)|g[ai]ve up|(?:taken|put|go|went|c[ao]me) out of(?= use| service)"
    r")(?: (?:to be|being|as|from))?\b"
)
OPENS = re.compile(r"\b(?P<verb>open|close|shut)(?:s|d|ed)?(?: down)?(?= ?$| (?:in|on) t\d)")
"""What begins or ends all that something was, if no relation says it."""
OPENED = frozenset(["open", "close", "shut"])
OPENING_LEMMAS = frozenset(map(lemma, OPENED))

ASKED_WITH = PREPOSITIONS | {"against"}
REFUSED = re.compile(
    r"\b(?:start|beginning|end|middle|half|rest) of (?:the )?(?:year )?t\d|\bre ?(?:elected|appointed|married|joined)\b"
    r"|^(?!.*\b(?:did|does|do) (?:the )?(?:e\d+|qq|[a-z]+) own\b).*\bown\b"
    r"|\b(?:did|does|do|has|had) (?:the )?[a-z]+ of (?:the )?e\d+ (?:have|had)\b"
)
"""Wordings that would be read as something else: a part of a year, again, possession, what somebody's mayor has."""
HAD_BEFORE = re.compile(
    r"^had\b.*\b(?:already|happened|occurred|taken place)\b.*\b(?:when|by the time)\b", re.IGNORECASE
)
"""Whether something had happened before something else did, and not while it did."""
THERE = re.compile(r"(?<!is )(?<!are )(?<!was )(?<!were )(?<!been )\bthere\b")
"""A place that is said elsewhere."""
OWNING = re.compile(r"\b(?:did|does|do)\b.*\bown\b", re.IGNORECASE)
EVER = re.compile(r"\bever\b")
PLURAL = re.compile(r"\b(?:which|what|all|name|list) (?:[a-z]+ )([a-z]{3,}s) (?!of (?:the )?e\d+ was\b)")
SEVERAL = re.compile(r"\bqq (?:were|are|have been|had been)\b")

# What is asked for ----------------------------------------------------------------------------------------------------

_ORDER = r"first|earliest|original|last|latest|(?<=the )final|most recent"
_AUXILIARY = r"(?:was|is|were|are|did|does|do|has|have|had|will|would)"
AFTER_KIND = rf"(?= (?:e\d|t\d|qq|{_AUXILIARY}\b|(?:of|to|who|that|which|in|at|for|on|by|with|from|as)\b)|$)"
"""What may follow a noun: of two words before it, the first may be one that changes what is asked (`English clubs`)."""
ORDER_OF_KIND = re.compile(
    rf"\bthe (?:very )?(?P<order>{_ORDER})(?: ever)? (?!(?:person|one|people|time|to|who|that|which)\b)"
    rf"(?P<kind>[a-z]{{3,}})\b{AFTER_KIND}(?: (?:to|who|that|which)\b)?"
)
ORDER = re.compile(
    rf"\bfor the (?P<once>first|last|final) time\b|\b(?:the )?(?:very )?(?P<order>{_ORDER}(?:ly)?)\b"
    r"(?: (?:person|one|people)\b)?(?: (?:to|who|that|which)\b)?"
)
_NTH = "second third fourth fifth sixth seventh eighth ninth tenth"
PLACES = {word: str(place) for place, word in enumerate(_NTH.split(), 2)}
PLACES |= {f"{place}{'nd' if place == 2 else 'rd' if place == 3 else 'th'}": str(place) for place in range(2, 21)}
NTH = re.compile(rf"\b(?:the )?(?P<nth>{'|'.join(PLACES)})(?= [a-z])")
FIRST = frozenset(["first", "earliest", "original"])
_UNIT = r"(?:year|date|day|month|time)"
ENDS_OF_SPAN = re.compile(
    rf"\b(?:from (?:what|which) {_UNIT} (?:to|until|till) (?:what|which) {_UNIT}"
    rf"|between (?:which|what) (?:two )?{_UNIT}s)\b"
)
"""What asks for the first and the last year alone."""
SPAN = re.compile(
    r"\b(?:from when (?:to|until|till) when|over (?:what|which) (?:period|time|years)"
    r"|(?:in|during|for) (?:what|which) (?:period|time span))\b"
)
"""What asks for all the time that something held: all years, or the first and the last day."""
YEARS = re.compile(r"\b(?:in|during|for) (?:what|which) years\b")
START = re.compile(r"\b(?:since|from) (?:when|(?:what|which) (?:year|date|day|month))\b")
END = re.compile(r"\b(?:until|till|up to) (?:when|(?:what|which) (?:year|date|day|month))\b")
WHEN = re.compile(r"\b(?:(?:in|on|at) )?(?:what|which) (?:year|date|day|month|time)s?\b|\bwhen\b")
_NO_ADJECTIVE = rf"(?! [a-z]+ {_AUXILIARY}\b)"
HOW_MANY = re.compile(rf"\bhow many (?:different |distinct |various )?(?P<kind>[a-z]+)\b{_NO_ADJECTIVE}")
WHICH = re.compile(
    r"\b(?:(?:by|of|in|to|at|for|on|from|with|against) )?(?:which|what)"
    rf"(?: (?!{_AUXILIARY}\b)(?P<kind>[a-z]+)\b{_NO_ADJECTIVE})?\b"
)
WHO = re.compile(r"\b(?:(?:by|of|to|with|for|from|against) )?whom?\b")
WHOSE = re.compile(r"\bwhose\b(?= (?:[a-z]+ ){1,3}?(?:was|is|were|are) (?:the )?e\d)")
WHERE = re.compile(r"\bwhere\b")
HOW_MUCH = re.compile(r"\bhow much\b(?! (?:longer|more|less|later|earlier|older|younger))(?: (?:money|does it cost))?")
"""An amount is asked for: see `QuestionParts.amount`."""

SLOT = re.compile(r"(?:e\d+|t\d+|qq)(?:'s)?")
TOKEN = re.compile(r"[a-z0-9']+")
