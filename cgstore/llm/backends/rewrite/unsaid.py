"""Questions that name no relation: `What did Lusatia do in 1866?` asks for whatever the data say of it."""

from __future__ import annotations

import re
from collections.abc import Sequence

from cgstore.llm.backends import CannotPropose
from cgstore.llm.graph_view import GraphView
from cgstore.mapping.mentions import Mention
from cgstore.text.names import some_of

MAX_SHOWN = 6
"""Relations of a name that a refusal lists."""

_DID = re.compile(
    r"^\W*(?:(?:and|so|but|then|well)\W+)*(?:what|which (?:things?|events?))(?: else)? "
    r"(?:(?:did|does|do|has|had|was|were)\b.*\b(?:do|done|doing|happen(?:ed)?|go(?:ing)? on|take place|occur(?:red)?)"
    r"|(?:happen(?:s|ed)?|took place|occur(?:s|red)?|went on))\b(?P<rest>.*)$",
    re.IGNORECASE,
)


def refuse_unsaid(question: str, mentions: Sequence[Mention], graph: GraphView) -> None:
    """Refuses a question in which only `do` or `happen` stands for the relation.

    Raises:
        CannotPropose: it is such a question.
    """
    if not _DID.match(question):
        return
    name = next((each for each in mentions if each.kind == "entity" and not each.weak), None)
    around = graph.relations_of(name.key) if name else None
    known = list(dict.fromkeys((*around.head, *around.tail))) if around else []
    shown = f": '{name.name}' has {some_of(known, MAX_SHOWN)}" if name and known else ""
    raise CannotPropose(f"no word of it says which relation is meant{shown}")
