"""What passes between the tool and its solver's process, and how."""

from __future__ import annotations

import pickle
import struct
from dataclasses import dataclass
from typing import IO, Any

from neurosym_verifiers.reading.bounds import Spans
from neurosym_verifiers.reading.terms import Condition


@dataclass(frozen=True, slots=True)
class Question:
    """Does any assignment fulfil the condition? ``units``: Z3's resource limit for each strategy."""

    condition: Condition
    bounds: Spans
    units: int


@dataclass(frozen=True, slots=True)
class Answer:
    """``verdict`` is ``unsat``, ``sat`` or ``unknown``; ``model`` the variables' values where there is one.

    ``strategy`` says how it was found.
    """

    verdict: str
    strategy: str
    model: dict[str, int | bool]


def send(stream: IO[bytes], message: object) -> None:
    """One message, with its length before it."""
    body = pickle.dumps(message, protocol=pickle.HIGHEST_PROTOCOL)
    stream.write(struct.pack(">I", len(body)) + body)
    stream.flush()


def receive(stream: IO[bytes]) -> Any:
    """One message; raises ``EOFError`` where there is none."""
    head = stream.read(4)
    if len(head) < 4:
        raise EOFError
    body = stream.read(struct.unpack(">I", head)[0])
    return pickle.loads(body)
