"""A link that opens Neo4j Browser with the decisive evidence, that of the program's last step, as a graph.

Browser fills its editor with the statement and waits for the user to run it. The link holds element ids, which are the
server's own, and never a name from the data. Where it shows only some of the evidence, the statement begins with a
comment that says so.
"""

from __future__ import annotations

from collections.abc import Sequence
from urllib.parse import quote, urlsplit

MAX_LINKED = 20
"""Most relationships in a link: a graph of more is not read by eye, as Browser adds all that links the nodes shown."""


def browser_link(http: str, uri: str, user: str, ids: Sequence[str]) -> str:
    """The address to open.

    Args:
        http: where the server's HTTP port answers, such as `http://127.0.0.1:7474`.
        uri: the Bolt address that Browser should connect to.
        user: the user name to fill in.
        ids: element ids of the CG_VALUE relationships to show.
    """
    shown = ", ".join(f"'{i}'" for i in ids[:MAX_LINKED] if i.replace(":", "").replace("-", "").isalnum())
    cut = f"// The first {MAX_LINKED} of the last step's {len(ids):,} triples\n" if len(ids) > MAX_LINKED else ""
    statement = (
        f"{cut}MATCH p = (node1)-[r:CG_VALUE]->(node2) WHERE elementId(r) IN [{shown}] "
        "OPTIONAL MATCH q = (:CgNode {key: r.head})-[:CG_HAS]->(node1) RETURN p, q"
    )
    address = f"{urlsplit(uri).scheme}://{user}@{urlsplit(uri).netloc}"
    return f"{http}/browser/?connectURL={quote(address, safe='')}&cmd=edit&arg={quote(statement, safe='')}"
