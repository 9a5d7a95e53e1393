"""The keywords of Python callers are the fields of the options, and AsyncStore is Store."""

from __future__ import annotations

import dataclasses
import inspect
import typing
from typing import Any

import numpy
import pytest

import cgstore
from cgstore.async_store import AsyncStore
from cgstore.embedding.encoder import Encoder
from cgstore.errors import BadInput
from cgstore.llm import BackendKeywords, BackendOptions
from cgstore.loaders.graph import GraphOptions
from cgstore.loaders.kg import KgOptions
from cgstore.loaders.rdf import RdfOptions
from cgstore.loaders.readers.text import TextLoadOptions
from cgstore.loaders.table import TableOptions
from cgstore.loaders.tkg import TkgOptions
from cgstore.options import (
    DelimitedKeywords,
    GraphKeywords,
    LoadKeywords,
    LoadOptions,
    QueryKeywords,
    QueryOptions,
    RdfKeywords,
    TableKeywords,
    TemporalKeywords,
    TripleKeywords,
)
from cgstore.store import Store


def test_keywords_are_the_fields_of_their_options() -> None:
    pairs: list[tuple[type, type]] = [
        (QueryKeywords, QueryOptions),
        (LoadKeywords, LoadOptions),
        (DelimitedKeywords, TextLoadOptions),
        (TableKeywords, TableOptions),
        (TripleKeywords, KgOptions),
        (TemporalKeywords, TkgOptions),
        (RdfKeywords, RdfOptions),
        (GraphKeywords, GraphOptions),
        (BackendKeywords, BackendOptions),
    ]
    for keywords, options in pairs:
        names = {"Encoder": Encoder}
        assert typing.get_type_hints(keywords, localns=names) == typing.get_type_hints(options, localns=names)
        assert {field.name for field in dataclasses.fields(options)} == keywords.__optional_keys__


def test_the_async_store_has_every_method_of_the_store() -> None:
    methods = {name for name, _ in inspect.getmembers(Store, inspect.isfunction) if not name.startswith("_")}
    assert methods == {n for n, _ in inspect.getmembers(AsyncStore, inspect.isfunction) if not n.startswith("_")}
    for name in methods:
        method = getattr(AsyncStore, name)
        assert inspect.iscoroutinefunction(method) or inspect.isasyncgenfunction(method), name
        assert list(inspect.signature(method).parameters) == list(inspect.signature(getattr(Store, name)).parameters)


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda store: store.query("x", limt=3), r"query\(\) has no keyword argument 'limt'. Did you mean 'limit'?"),
        (lambda store: store.ask("x", source="a"), r"ask\(\) has no .* 'source'. Did you mean 'sources'?"),
        (lambda store: store.load_table("x.csv", delimeter=";"), r"load_table\(\) .* Did you mean 'delimiter'?"),
    ],
)
def test_a_wrong_keyword_names_the_method_and_the_nearest_keyword(call: Any, said: str) -> None:
    with pytest.raises(TypeError, match=said):
        call(Store(lambda: pytest.fail("nothing is connected")))


@pytest.mark.parametrize("name", ["exact", "linked", "evidence", "retrieve"])
def test_a_text_is_not_taken_for_true(name: str) -> None:
    with pytest.raises(BadInput, match=f"`{name}` is 'no'; it must be True or False"):
        QueryOptions(**{name: "no"})  # type: ignore[arg-type]


def test_the_flags_of_numpy_are_flags() -> None:
    assert QueryOptions(exact=numpy.bool_(True)).exact is True  # type: ignore[arg-type]


def test_dir_lists_what_is_imported_when_it_is_first_used() -> None:
    assert set(cgstore.__all__) <= set(dir(cgstore))
