"""`cgstore eval mapping`: what it prints."""

from __future__ import annotations

import json

from cgstore.store import Store
from tests.cli.conftest import Run


def test_the_command_prints_the_shares(run: Run, world: Store) -> None:
    result = run("eval", "mapping", "--source", "world", "--count", "5", "--json")
    headline = json.loads(result.stdout.splitlines()[-1])
    assert (headline["benchmark"], headline["set"]) == ("mapping", "world")
    assert headline["metrics"]["underscores"]["merged"] == 1.0
