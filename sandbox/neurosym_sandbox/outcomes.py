"""What happened to one load or one call: a closed union of frozen values, all of them the host's own words."""

from __future__ import annotations

import signal as _signal
from dataclasses import dataclass
from typing import Literal

__all__ = [
    "BadValue",
    "Crashed",
    "ExceptionInfo",
    "Exited",
    "LoadFailed",
    "Loaded",
    "MemoryExceeded",
    "Outcome",
    "OutputExceeded",
    "Raised",
    "RefusedCall",
    "ResultExceeded",
    "Returned",
    "Tampered",
    "TimedOut",
    "Usage",
]


@dataclass(frozen=True, slots=True)
class Usage:
    """What was used, measured from outside; `peak_memory_bytes` is the largest resident size of the child so far."""

    cpu_s: float = 0.0
    wall_s: float = 0.0
    peak_memory_bytes: int = 0


@dataclass(frozen=True, slots=True)
class ExceptionInfo:
    """An exception of the candidate, described by bounded text that the candidate may have chosen.

    `bases` are the names of its class and of all classes it derives from, nearest first. A class of the candidate's
    that takes the name of a builtin exception is written `candidate.ValueError`, in `name` too. `line` is in the
    candidate's own source, of the innermost frame there.
    """

    name: str
    bases: tuple[str, ...]
    message: str
    line: int | None


@dataclass(frozen=True, slots=True)
class RefusedCall:
    """A system call that was refused, `count` times; `arguments` names their class where the registers tell one."""

    number: int
    name: str
    arguments: str
    count: int


@dataclass(frozen=True, slots=True, kw_only=True)
class _Observed:
    """What every outcome tells: usage, output, and refused system calls, with flags for what was dropped of them."""

    usage: Usage = Usage()
    stdout: str = ""
    stderr: str = ""
    output_cut: bool = False
    refused: tuple[RefusedCall, ...] = ()
    refused_cut: bool = False


@dataclass(frozen=True, slots=True)
class Returned(_Observed):
    """The function returned `value`; `arguments_after` is None unless the call changed its arguments."""

    value: object
    arguments_after: tuple[object, ...] | None = None


@dataclass(frozen=True, slots=True)
class Raised(_Observed):
    """The candidate raised, anything but SystemExit and MemoryError."""

    exception: ExceptionInfo
    arguments_after: tuple[object, ...] | None = None


@dataclass(frozen=True, slots=True)
class TimedOut(_Observed):
    """The limit on processor time was reached ("cpu"), or the backstop on elapsed time ("wall")."""

    kind: Literal["cpu", "wall"]


@dataclass(frozen=True, slots=True)
class MemoryExceeded(_Observed):
    """A MemoryError reached the top."""


@dataclass(frozen=True, slots=True)
class Crashed(_Observed):
    """A signal killed the child: a stack overflow, corrupted memory, or a system call that is never innocent."""

    signal: int

    @property
    def signal_name(self) -> str:
        try:
            return _signal.Signals(self.signal).name
        except ValueError:
            return f"signal {self.signal}"


@dataclass(frozen=True, slots=True)
class Exited(_Observed):
    """The candidate ended its process instead of answering; the code is what it chose and means nothing."""

    code: int | None


@dataclass(frozen=True, slots=True)
class BadValue(_Observed):
    """The result (or an argument as the call left it) is not of the closed set of exact types."""

    reason: str


@dataclass(frozen=True, slots=True)
class OutputExceeded(_Observed):
    """The candidate flooded stdout or stderr."""


@dataclass(frozen=True, slots=True)
class ResultExceeded(_Observed):
    """The encoded result is larger than `Limits.result_bytes` or has too many items."""


@dataclass(frozen=True, slots=True)
class Tampered(_Observed):
    """What came over the result channel is not what trusted code in the child sends."""

    reason: str


Outcome = (
    Returned
    | Raised
    | TimedOut
    | MemoryExceeded
    | Crashed
    | Exited
    | BadValue
    | OutputExceeded
    | ResultExceeded
    | Tampered
)


@dataclass(frozen=True, slots=True)
class Loaded(_Observed):
    """The program was executed and its function can be called.

    `parameters` names the positional parameters in order; `required` is how many have no default, `maximum` how many
    positional arguments are taken at most (None with `*args`). All three are the candidate's own claim.
    """

    parameters: tuple[str, ...]
    required: int
    maximum: int | None


@dataclass(frozen=True, slots=True)
class LoadFailed(_Observed):
    """The program could not be loaded: `outcome` tells what happened, or is None when `reason` says it all."""

    reason: str
    outcome: Outcome | None = None
