"""Neo4j Browser on the managed server: its style of the condition graph, and no requests to other hosts."""

from __future__ import annotations

import json

STYLE = {
    "node": {"diameter": "60px", "caption": "{name}", "text-color-internal": "#FFFFFF"},
    "node.CgNode": {"color": "#6B747D", "border-color": "#4D545B"},  # else Browser takes a colour of its own for it
    "node.CgEntity": {"color": "#3B78C2", "border-color": "#2A5A96"},
    "node.CgValue": {"color": "#3F8F5F", "border-color": "#2C6B45"},
    "node.CgRelation": {"color": "#C8772B", "border-color": "#99591D"},
    "node.CgKey": {"color": "#8A5BB5", "border-color": "#68418C"},
    "node.CgLine": {"color": "#6B747D", "border-color": "#4D545B"},
    "relationship": {"color": "#8A939C", "shaft-width": "2px", "font-size": "10px"},
    "relationship.CG_HAS": {"caption": "has"},
    "relationship.CG_VALUE": {"caption": "{condition}", "color": "#C8772B"},
    "relationship.CG_PERIOD": {"caption": "{condition}", "color": "#C8772B"},
    "relationship.CG_WAS_HAS": {"caption": "had", "color": "#A5ABB6"},
    "relationship.CG_WAS_VALUE": {"caption": "{condition}", "color": "#A5ABB6"},
    "relationship.CG_WAS_PERIOD": {"caption": "{condition}", "color": "#A5ABB6"},
}
"""GraSS: the roles of nodes told apart; the caption of a triple is its condition, a head or a whole fact."""


def post_connect_commands() -> str:
    """What Browser runs once it is connected."""
    style = {name: {**STYLE[name.partition(".")[0]], **fields} for name, fields in STYLE.items()}
    # `clear` takes away what the others show. Without autoComplete: false, Browser draws every relationship between the
    # nodes of a result: two triples of evidence become 30.
    return f"config autoComplete: false; style {json.dumps(style, separators=(',', ':'))}; clear"


def content_security_policy(bolt: str) -> str:
    """The header by which a web browser refuses every request of the page to another host: no setting of Neo4j does.

    Args:
        bolt: the address of the database, `127.0.0.1:7687`.
    """
    port = bolt.rpartition(":")[2]
    sources = {
        "default-src": "'self'",
        "script-src": "'self' 'unsafe-eval'",
        "style-src": "'self' 'unsafe-inline'",
        "img-src": "'self' data: blob:",
        "font-src": "'self' data:",
        "worker-src": "'self' blob:",
        "connect-src": f"'self' ws://{bolt} ws://localhost:{port} http://{bolt}",
        "frame-ancestors": "'none'",
    }
    return "; ".join(f"{name} {allowed}" for name, allowed in sources.items())
