"""The part of a stored result that says in what a candidate ran, how runs ended, and what solvers were asked."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class RefusedCall:
    """A system call that the kernel refused."""

    number: int
    name: str
    arguments: str
    count: int


@dataclass(frozen=True, slots=True, kw_only=True)
class MissingLayer:
    """A layer of the sandbox that did not hold, and why."""

    name: str
    detail: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """What a call was allowed."""

    time_seconds: float
    load_time_seconds: float
    memory_bytes: int
    result_bytes: int
    output_bytes: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Sandbox:
    """In what a candidate ran, and what was seen in all its runs."""

    level: str
    profile: str
    layers: tuple[str, ...]
    missing: tuple[MissingLayer, ...]
    kernel: str
    machine: str
    landlock_abi: int
    limits: Limits
    peak_memory_bytes: int
    refused_calls: tuple[RefusedCall, ...]
    refused_calls_cut: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Raised:
    """An exception of the candidate; ``line`` in its source."""

    name: str
    message: str
    line: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """How one run ended, and what was seen of it."""

    ended: str
    exception: Raised | None
    stdout: str
    stderr: str
    output_cut: bool
    cpu_seconds: float
    wall_seconds: float
    peak_memory_bytes: int
    refused_calls: tuple[RefusedCall, ...]
    refused_calls_cut: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class SecondOpinion:
    """What another solver said of a query."""

    solver: str
    answer: str
    confirmed: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Query:
    """What a solver was asked about an obligation."""

    shape: str
    case: int | None
    lemma: int | None
    answer: str
    strategy: str
    algebra: bool
    second_opinion: SecondOpinion | None
