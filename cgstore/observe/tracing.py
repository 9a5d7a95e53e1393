"""Spans of OpenTelemetry around a question, a program, and a request to an LLM.

Only the API package is used (the extra `otel`): the application that calls cgstore sets up the SDK and where spans go.
Without the package, and without an SDK, nothing happens. Neither names nor texts of the data are put into spans.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from opentelemetry.trace import Tracer

Attributes = Mapping[str, str | int | float | bool]

Note = Callable[[Attributes], None]
"""Adds attributes to a span."""


@contextmanager
def span(name: str, attributes: Attributes | None = None) -> Iterator[Note]:
    """A span around what is done within; gives a function that adds attributes.

    An exception is recorded in the span by its type alone, since its message may quote the data.

    Args:
        name: the name of the span, after `cgstore.`.
        attributes: attributes of the span.
    """
    found = tracer()
    if found is None:
        yield lambda _: None
        return
    from opentelemetry.trace import Status, StatusCode

    with found.start_as_current_span(
        f"cgstore.{name}", attributes=attributes, record_exception=False, set_status_on_exception=False
    ) as started:
        try:
            yield started.set_attributes
        except Exception as error:
            started.set_status(Status(StatusCode.ERROR, type(error).__name__))
            raise


@cache
def tracer() -> Tracer | None:
    """The tracer of cgstore; None without the package."""
    try:
        from opentelemetry.trace import get_tracer
    except ImportError:
        return None
    return get_tracer("cgstore")
