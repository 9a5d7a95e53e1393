"""What a backend declares, and backends that stand around another one."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, cast

import pytest

from cgstore.evaluate.run import _Traced
from cgstore.llm.backends import Backend
from cgstore.llm.backends.judged import JudgedBackend
from cgstore.web.watching import WatchedBackend


class Other(Backend):
    name, lang, asks_each_source = "other", "sexpr", True


@pytest.mark.parametrize(
    "around",
    [
        lambda backend: JudgedBackend(backend, cast(Any, None)),
        lambda backend: WatchedBackend(backend, lambda event: None),
        _Traced,
    ],
    ids=["judged", "watched by the page", "traced by eval"],
)
def test_a_backend_around_another_one_is_asked_as_that_one_is(around: Callable[[Backend], Backend]) -> None:
    made = around(Other())
    assert (made.name, made.lang, made.asks_each_source) == ("other", "sexpr", True)
