"""A Store on an empty database."""

from __future__ import annotations

import pytest

from cgstore.cypher.connection import Database
from cgstore.store import Store


@pytest.fixture
def store(db: Database) -> Store:
    return Store(db)
