"""Errors as the API has them: {"error", "hint", "status", "exit_code"}."""

from __future__ import annotations

from typing import Any

from cgstore.errors import BadInput, CgstoreError, NoDatabase, NoModel, NoRoom, QueryFailed

_STATUSES = {BadInput: 400, QueryFailed: 422, NoRoom: 507, NoDatabase: 503, NoModel: 503}


def failure_of(error: Exception) -> dict[str, Any]:
    """What a client is told of an error; nothing of the inside where it is not an expected one."""
    if not isinstance(error, CgstoreError):
        return {
            "error": "The server failed at this request.",
            "hint": "Its log says why.",
            "status": 500,
            "exit_code": 2,
        }
    status = next((status for kind, status in _STATUSES.items() if isinstance(error, kind)), 400)
    return {"error": error.message, "hint": error.hint, "status": status, "exit_code": error.exit_code}
