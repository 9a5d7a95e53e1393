"""What stands before both servers, that of the API and that of the tools for agents: hosts, origins, the token."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NoReturn

import pytest

pytest.importorskip("fastapi", reason="needs cgstore[serve]")
pytest.importorskip("mcp", reason="needs cgstore[mcp]")

from starlette.testclient import TestClient

from cgstore.errors import BadInput, NoDatabase
from cgstore.store import Store
from cgstore.web.app import create_app
from cgstore.web.mcp import Tools, http_app, server_of
from cgstore.web.service import Service
from tests.known import Known

BASE = "http://127.0.0.1:8764"
PROGRAM = "count(set='1')"
Make = Callable[..., Any]


def api(store: Store, host: str = "127.0.0.1", token: str | None = None) -> Any:
    return create_app(Service(store, lambda explore: Known()), host, (token,) if token else ())


def tools(store: Store, host: str = "127.0.0.1", token: str | None = None) -> Any:
    return http_app(server_of(Tools(store, Known())), host, token)


REQUESTS: dict[Make, tuple[str, Any]] = {
    api: ("/api/v1/query", {"program": PROGRAM}),
    tools: ("/mcp", {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}),
}
EACH = pytest.mark.parametrize("make", REQUESTS, ids=lambda make: make.__name__)


def post(client: TestClient, make: Make, **headers: str) -> Any:
    path, body = REQUESTS[make]
    return client.post(path, json=body, headers={"accept": "application/json, text/event-stream", **headers})


@pytest.fixture
def store() -> Store:
    """One whose database does not answer, which no request here comes to."""

    def nowhere() -> NoReturn:
        raise NoDatabase("Nothing answers.")

    return Store(nowhere)


@EACH
@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"host": "evil.example:8764"}, 421),
        ({"host": "127.0.0.1.evil.example"}, 421),
        ({"host": ""}, 421),
        ({"origin": "http://evil.example"}, 403),
        ({"origin": "null"}, 403),
        ({"origin": "http://127.0.0.1:9999"}, 403),
        ({"sec-fetch-site": "cross-site"}, 403),
        ({"authorization": ""}, 401),
        ({"authorization": "Bearer wrong"}, 401),
        ({"origin": BASE}, 0),
    ],
)
def test_other_hosts_and_origins_and_a_wrong_token_are_refused(
    store: Store, make: Make, headers: dict[str, str], status: int
) -> None:
    with TestClient(make(store, token="right"), base_url=BASE) as client:
        response = post(client, make, **{"authorization": "Bearer right", **headers})
    if status:
        assert response.status_code == status
        assert response.json()["error"] and response.json()["hint"]
    else:
        assert response.status_code not in (401, 403, 421)


@EACH
def test_another_host_is_told_the_command_that_printed_the_address(store: Store, make: Make) -> None:
    with TestClient(make(store), base_url="http://evil.example") as client:
        command = "serve" if make is api else "mcp"
        assert post(client, make).json()["hint"] == f"Use the address that `cgstore {command}` printed."


@EACH
def test_an_open_address_needs_a_token(store: Store, make: Make) -> None:
    with pytest.raises(BadInput, match="can be reached from other machines"):
        make(store, host="0.0.0.0")
