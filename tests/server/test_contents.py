"""What a database holds, in words."""

from __future__ import annotations

import pytest

from cgstore.server.contents import Contents, not_empty


@pytest.mark.parametrize(
    ("there", "said"),
    [
        (Contents(sources=1, other=True), "1 source"),
        (Contents(demonstrations=1_200), "1,200 demonstrations"),
        (Contents(2, 1, True), "2 sources and 1 demonstration"),
        (Contents(other=True), "nodes of no source"),
        (Contents(demonstrations=3, other=True), "3 demonstrations and nodes of no source"),
    ],
)
def test_contents_are_told(there: Contents, said: str) -> None:
    assert str(there) == said
    assert not there.empty


def test_only_demonstrations_alone_may_be_removed_instead() -> None:
    assert "demos remove" in str(not_empty(Contents(demonstrations=1), "5.26").hint)
    assert "demos remove" not in str(not_empty(Contents(1, 1, True), "5.26").hint)


def test_nothing_is_empty() -> None:
    assert Contents().empty
