"""Packages of extras: one that is not installed says which extra has it."""

from __future__ import annotations

import pytest

from cgstore.errors import BadInput, CgstoreError, NoDatabase, NoModel, optional


@pytest.mark.parametrize(
    ("extra", "kind"), [("local", NoDatabase), ("embed", NoModel), ("finetune", NoModel), ("mcp", BadInput)]
)
def test_a_missing_package_says_what_to_install(extra: str, kind: type[CgstoreError]) -> None:
    with pytest.raises(kind, match="needs the package no_such_package, ") as error:
        optional("no_such_package.part", extra)
    assert f"cgstore[{extra}]" in (error.value.hint or "")
