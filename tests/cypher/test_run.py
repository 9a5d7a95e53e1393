"""The link to Neo4j Browser."""

from __future__ import annotations

from urllib.parse import parse_qs, urlsplit

import pytest

from cgstore.cypher.run import MAX_LINKED, browser_link


def statement_for(count: int) -> str:
    ids = [f"5:f3a1:{number}" for number in range(count)]
    link = browser_link("http://127.0.0.1:7474", "bolt://127.0.0.1:7687", "neo4j", ids)
    return parse_qs(urlsplit(link).query)["arg"][0]


@pytest.mark.parametrize(("count", "opening"), [(MAX_LINKED, "MATCH"), (1_200, "// The first 60 of 1,200 triples")])
def test_a_link_that_is_cut_says_so(count: int, opening: str) -> None:
    statement = statement_for(count)
    assert statement.startswith(opening)
    assert statement.count("'5:f3a1:") == MAX_LINKED
