"""A share of many cases alike: `make test` must end in minutes, and `make test-long` runs the others."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest


def share(cases: Iterable[Any], of: int) -> list[Any]:
    """The cases as parameters of a test, each a value or a tuple of values; all but each `of`-th are marked as long."""
    return [
        pytest.param(*(case if isinstance(case, tuple) else (case,)), marks=[pytest.mark.long] if place % of else [])
        for place, case in enumerate(cases)
    ]
