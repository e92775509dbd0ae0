"""What passes between the tool and its solver's process, and how."""

from __future__ import annotations

import pickle
import struct
from collections.abc import Callable
from dataclasses import dataclass
from typing import IO, Any, TypeAlias

from neurosym_verifiers.reading.formulas.bounds import Spans
from neurosym_verifiers.reading.formulas.terms import Condition, Term


@dataclass(frozen=True, slots=True)
class Question:
    """Does any assignment fulfil the condition? ``units``: how many of Z3's resource units all strategies may spend.

    ``text``: whether the answer carries the query as it was asked. ``at_once``: only by the two quickest strategies.
    ``lead``: the strategy that is tried right after the first. ``each``: a variable; the question is asked for each of
    its values in linear arithmetic, and in no other way.
    """

    condition: Condition
    bounds: Spans
    units: int
    text: bool = False
    at_once: bool = False
    lead: str = ""
    each: str = ""


@dataclass(frozen=True, slots=True)
class Answer:
    """``verdict`` is ``unsat``, ``sat`` or ``unknown``; ``model`` the variables' values where there is one.

    ``strategy`` says how it was found; ``text`` is the query of that strategy as SMT-LIB 2, where it was asked for, and
    ``lemmas`` are those, all unsatisfiable, whose conclusions it asserts beside what was asked. ``spent``: units.
    ``as_it_was``: whether it was found without making the question smaller first.
    """

    verdict: str
    strategy: str
    model: dict[str, int | bool]
    text: str = ""
    lemmas: tuple[str, ...] = ()
    spent: int = 0
    as_it_was: bool = True


Ask: TypeAlias = Callable[[Condition, Spans, int | None], Answer]
"""Asks a solver whether anything fulfils a condition; the last is the most units that it may spend, if fewer than
usual."""


@dataclass(frozen=True, slots=True)
class Extreme:
    """What is the least value of the term where the condition holds? ``units``: as above, for each step."""

    term: Term
    condition: Condition
    bounds: Spans
    units: int


@dataclass(frozen=True, slots=True)
class Reached:
    """A value, and an assignment of the variables that has it. ``proved``: nothing is smaller."""

    value: int
    model: dict[str, int | bool]
    proved: bool


@dataclass(frozen=True, slots=True)
class Script:
    """A query as SMT-LIB 2, and the time that the second solver may take for it. The answer is a text."""

    text: str
    milliseconds: int


def send(stream: IO[bytes], message: object) -> None:
    """One message, with its length before it."""
    body = pickle.dumps(message, protocol=pickle.HIGHEST_PROTOCOL)
    stream.write(struct.pack(">I", len(body)) + body)
    stream.flush()


def receive(stream: IO[bytes]) -> Any:
    """One message; raises ``EOFError`` where there is none, or less than one."""
    head = stream.read(4)
    if len(head) < 4:
        raise EOFError
    length = struct.unpack(">I", head)[0]
    body = stream.read(length)
    if len(body) < length:
        raise EOFError
    return pickle.loads(body)
