"""Spans: of OpenTelemetry where its API is installed, nothing where it is not."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import pytest

from cgstore.llm.chat import Chat, Message, Reply, Request, Usage, UsageMeter
from cgstore.observe import tracing


class Recorder:
    """A tracer that keeps the names and attributes of its spans; an SDK would send them somewhere."""

    def __init__(self) -> None:
        self.spans: list[dict[str, Any]] = []

    @contextmanager
    def start_as_current_span(self, name: str, attributes: Mapping[str, Any] | None, **_: object) -> Iterator[Any]:
        self.spans.append({"name": name, **(attributes or {})})
        yield Span(self.spans[-1])


class Span:
    """A span of `Recorder`."""

    def __init__(self, kept: dict[str, Any]) -> None:
        self._kept = kept

    def set_attributes(self, attributes: Mapping[str, Any]) -> None:
        self._kept.update(attributes)

    def set_status(self, status: Any) -> None:
        self._kept["error"] = status.description


class Echo(Chat):
    """An LLM that says what it was told."""

    model = "some-model"

    def complete(self, request: Request) -> Reply:
        return Reply((request.messages[-1],), Usage(1, 10, 2))


@pytest.fixture
def spans(monkeypatch: pytest.MonkeyPatch) -> list[dict[str, Any]]:
    pytest.importorskip("opentelemetry.trace")
    recorder = Recorder()
    monkeypatch.setattr("opentelemetry.trace.get_tracer", lambda name: recorder)
    tracing.tracer.cache_clear()
    return recorder.spans


@pytest.fixture(autouse=True)
def forgotten() -> Iterator[None]:
    """The tracer is remembered by the process; other tests have none."""
    yield
    tracing.tracer.cache_clear()


def test_a_request_to_an_llm_is_a_span_with_its_tokens_and_no_text(spans: list[dict[str, Any]]) -> None:
    UsageMeter(Echo()).complete(Request((Message("user", "Who?"),)))
    assert spans == [
        {
            "name": "cgstore.chat",
            "gen_ai.operation.name": "chat",
            "gen_ai.request.model": "some-model",
            "gen_ai.usage.input_tokens": 10,
            "gen_ai.usage.output_tokens": 2,
            "cgstore.kept": 0,
        }
    ]


def test_an_error_is_in_the_span_by_its_type_alone(spans: list[dict[str, Any]]) -> None:
    with pytest.raises(ValueError, match="secret"), tracing.span("program"):
        raise ValueError("secret")
    assert spans == [{"name": "cgstore.program", "error": "ValueError"}]


def test_without_an_sdk_nothing_happens() -> None:
    pytest.importorskip("opentelemetry.trace")
    with tracing.span("program", {"cgstore.answers": 1}) as note:
        note({"cgstore.answers": 2})


def test_without_the_package_nothing_happens(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "opentelemetry.trace", None)
    tracing.tracer.cache_clear()
    with tracing.span("program") as note:
        note({"cgstore.answers": 1})
    assert tracing.tracer() is None
