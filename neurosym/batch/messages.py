"""What passes between a pool and its processes: a length, and a pickle of a call or of what became of it.

Both ends are this tool's own; no byte of a candidate's process comes here other than as a value in a result.
"""

from __future__ import annotations

import pickle
from dataclasses import dataclass
from typing import IO, Any, TypeAlias

LATE = 75
"""The exit code of a worker that gave up on a call which took longer than it may."""
_HEAD = 8


@dataclass(frozen=True, slots=True)
class Returned:
    """A call's value, and the memory of the process with all its children."""

    value: Any
    memory_bytes: int


@dataclass(frozen=True, slots=True)
class Failed:
    """What a call raised."""

    error: BaseException
    memory_bytes: int


Reply: TypeAlias = "Returned | Failed"


def send(stream: IO[bytes], body: bytes) -> None:
    """One message."""
    stream.write(len(body).to_bytes(_HEAD, "big") + body)
    stream.flush()


def receive_bytes(stream: IO[bytes]) -> bytes:
    """One message. Raises ``EOFError`` where there is none, or less than one."""
    head = stream.read(_HEAD)
    body = stream.read(int.from_bytes(head, "big")) if len(head) == _HEAD else b""
    if len(head) < _HEAD or len(body) < int.from_bytes(head, "big"):
        raise EOFError
    return body


def receive(stream: IO[bytes]) -> Reply:
    """What became of a call. Raises ``EOFError``."""
    reply = pickle.loads(receive_bytes(stream))
    assert isinstance(reply, Returned | Failed)
    return reply
