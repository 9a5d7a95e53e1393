"""Aliases: the names that a text stands for, by the sources of aliases that are ready, whatever sources are asked."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from cgstore.cypher.connection import Database
from cgstore.cypher.freshness import ALIASES_SAID
from cgstore.text.names import normal_form

ALIASES = f"""\
CALL () {{
{ALIASES_SAID}\
  RETURN collect(a {{.key, .alias, .normal, .name, .target}}) AS aliases
}}
"""
"""Binds `aliases`, a list of those that count (see `cypher.freshness`): maps of its `key`, the `alias`, its `normal`
form, a `name` that it stands for, and `target`, the key of the node of that name; a pair that several sources have
comes several times."""


def aliases(db: Database, texts: Iterable[str]) -> dict[str, tuple[str, ...]]:
    """The names that each text stands for, in one round trip; see `names_meant`."""
    wanted = tuple(dict.fromkeys(texts))
    forms = sorted(set(map(normal_form, wanted)))
    return names_meant(wanted, db.read(f"{ALIASES}RETURN aliases", {"said": forms})[0]["aliases"])


def names_meant(texts: Iterable[str], found: Iterable[dict[str, Any]]) -> dict[str, tuple[str, ...]]:
    """The names that each text stands for, sorted, given the maps of `ALIASES` for their normal forms.

    They are those whose alias is exactly the text; where there are none, those whose alias has the same normal form;
    none for a text that is no alias.
    """
    exact: dict[str, set[str]] = {}
    alike: dict[str, set[str]] = {}
    for pair in found:
        exact.setdefault(pair["alias"], set()).add(pair["name"])
        alike.setdefault(pair["normal"], set()).add(pair["name"])
    return {text: tuple(sorted(exact.get(text) or alike.get(normal_form(text)) or ())) for text in texts}
