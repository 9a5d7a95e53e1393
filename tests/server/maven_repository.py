"""What a Maven repository answers in the tests; conftest.py serves it."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field

from cgstore.server.jars import Artifact


@dataclass
class Repository:
    """A Maven repository on 127.0.0.1: for each path the answers still to give, the last one again and again.

    An answer is a status with a body and the length that the header claims.
    """

    address: str = ""
    answers: dict[str, list[tuple[int, bytes, int]]] = field(default_factory=dict)
    asked: list[str] = field(default_factory=list)

    def serve(self, path: str, *bodies: bytes | int | tuple[bytes, int]) -> Artifact:
        """Answer in turn with bytes, a status, or bytes with a false length; the last bytes alone are right."""
        right = next(body for body in reversed(bodies) if isinstance(body, bytes))
        self.answers[path] = [_answer(body) for body in bodies]
        return Artifact(path, hashlib.sha256(right).hexdigest())

    def next_answer(self, path: str) -> tuple[int, bytes, int]:
        self.asked.append(path)
        left = self.answers.get(path, [(404, b"", 0)])
        return left.pop(0) if len(left) > 1 else left[0]


def _answer(body: bytes | int | tuple[bytes, int]) -> tuple[int, bytes, int]:
    if isinstance(body, int):
        return body, b"", 0
    if isinstance(body, bytes):
        return 200, body, len(body)
    return 200, *body
