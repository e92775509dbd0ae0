"""One candidate in one child: load it, call it, and tell what happened."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable
from types import TracebackType
from typing import Protocol, Self, TypedDict, TypeVar

from neurosym_sandbox import _frames, _reply, _wire
from neurosym_sandbox._host import ZygoteLost
from neurosym_sandbox._link import Exchange, Link, Stop
from neurosym_sandbox.errors import JailLost
from neurosym_sandbox.limits import CPU_BACKSTOP_S, MAX_SOURCE_BYTES, Limits, Package, Program
from neurosym_sandbox.outcomes import (
    BadValue,
    Crashed,
    Exited,
    Loaded,
    LoadFailed,
    MemoryExceeded,
    Outcome,
    OutputExceeded,
    Raised,
    RefusedCall,
    ResultExceeded,
    Returned,
    Tampered,
    TimedOut,
    Usage,
)

_T = TypeVar("_T")


class _Seen(TypedDict):
    usage: Usage
    stdout: str
    stderr: str
    output_cut: bool
    refused: tuple[RefusedCall, ...]
    refused_cut: bool


class Links(Protocol):
    """Where a session gets its children from."""

    def new_link(self, limits: Limits) -> Link:
        """Returns a fresh child; raises `ZygoteLost`, having seen to it that the next attempt has a fresh zygote."""
        ...

    def prepare(self, limits: Limits) -> None:
        """Has a child made ready for the next session, which will probably have the same limits."""
        ...


class Session:
    """A loaded program that can be called; a context manager. `alive` tells whether another call is possible.

    If the jail's own processes are lost during a call, the program is loaded again into a fresh child and that call
    is made once more; state that the program kept from earlier calls is then gone.
    """

    loaded: Loaded | LoadFailed

    def __init__(self, links: Links, program: Program, limits: Limits) -> None:
        """Loads `program`; `Jail.open` is the public way here. Raises `JailLost` or `SandboxUnavailable`."""
        self._links = links
        self._program = program
        self._limits = limits
        self._link: Link | None = None
        size = sum(len(text.encode("utf-8", "surrogatepass")) for text in program.texts)
        if size > MAX_SOURCE_BYTES:
            self.loaded = LoadFailed(f"the source has {size:,} bytes; at most {MAX_SOURCE_BYTES:,} are read")
        else:
            self.loaded = self._twice(self._load)
            links.prepare(limits)

    @property
    def alive(self) -> bool:
        return self._link is not None

    def call(self, args: tuple[object, ...]) -> Outcome:
        """Calls the function with `args` and returns what happened.

        Raises ValueError when the session is dead or an argument is outside the closed set of types (`_wire`), and
        `JailLost` when the jail itself failed twice.
        """
        if self._link is None:
            raise ValueError("the session has ended; open a new one")
        if type(args) is not tuple:
            raise ValueError(f"args must be a tuple, not {type(args).__name__}")
        try:
            request = _reply.encode_arguments(args)
        except (_wire.Unfit, _wire.TooLarge) as error:
            raise ValueError(f"arguments: {error}") from None
        return self._twice(lambda: self._call(request))

    def close(self) -> None:
        """Kills the child; may be called again."""
        if self._link is not None:
            self._link.close()
            self._link = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.close()

    def _twice(self, work: Callable[[], _T]) -> _T:
        lost: ZygoteLost | None = None
        for _ in range(2):
            try:
                return work()
            except ZygoteLost as error:
                lost = error
                self.close()
            except BaseException:  # an interrupted call leaves an answer on its way that nobody waits for
                self.close()
                raise
        raise JailLost(f"the jail was lost twice in a row: {lost}; the candidate was not judged") from lost

    def _load(self) -> Loaded | LoadFailed:
        program = self._program
        self._link = self._links.new_link(self._limits)
        body = _wire.to_bytes(
            [
                program.source,
                program.function,
                program.prelude,
                sorted(program.imports),
                self._limits.result_bytes,
                _plain_package(program.package),
            ]
        )
        exchange = self._link.exchange(body, self._limits.load_time_s, _frames.OVERHEAD_BYTES)
        seen = _seen(exchange)
        loaded = _read(exchange.answer, seen, loading=True)
        if isinstance(loaded, Loaded):
            return loaded
        self.close()
        if isinstance(loaded, LoadFailed):
            return loaded
        return LoadFailed(_how_loading_ended(loaded), loaded, **seen)

    def _call(self, request: bytes) -> Outcome:
        if self._link is None:
            loaded = self._load()
            if isinstance(loaded, LoadFailed):
                raise ZygoteLost("a program that had been loaded before could not be loaded again")
        assert self._link is not None
        exchange = self._link.exchange(request, self._limits.time_s, self._limits.result_bytes + _frames.OVERHEAD_BYTES)
        outcome = _read(exchange.answer, _seen(exchange), loading=False)
        assert not isinstance(outcome, Loaded | LoadFailed)  # never read from the reply to a call
        if not isinstance(outcome, Returned | Raised | BadValue):
            self.close()
        return outcome


def _plain_package(package: Package | None) -> _wire.Tree:
    if package is None:
        return None
    return [package.name, package.is_package, [[each.name, each.source, each.is_package] for each in package.modules]]


def _how_loading_ended(outcome: Outcome) -> str:
    match outcome:
        case Raised(exception=exception):
            return f"loading it raised {exception.name}: {exception.message}"
        case TimedOut():
            return "loading it takes too long"
        case MemoryExceeded():
            return "loading it needs more memory than its limit"
        case Exited():
            return "loading it ends the process"
        case Crashed():
            return f"loading it crashes ({outcome.signal_name})"
        case OutputExceeded():
            return "loading it floods the output"
        case Tampered(reason=reason):
            return f"it tampers with the channel to the judge: {reason}"
        case ResultExceeded():
            return "what it defines is too large to be told"
        case Returned() | BadValue():
            return "loading it came to no end that is known"


def _seen(exchange: Exchange) -> _Seen:
    return {
        "usage": exchange.usage,
        "stdout": exchange.stdout.decode("utf-8", "replace"),
        "stderr": exchange.stderr.decode("utf-8", "replace"),
        "output_cut": exchange.output_cut,
        "refused": exchange.refused,
        "refused_cut": exchange.refused_cut,
    }


def _read(answer: bytes | Stop, seen: _Seen, *, loading: bool) -> Loaded | LoadFailed | Outcome:
    """Returns what an answer, or the lack of one, means."""
    if isinstance(answer, Stop):
        return _read_stop(answer, seen)
    try:
        match _reply.parse(answer):
            case ["returned", value, after] if not loading:
                return Returned(_reply.value(value), _reply.arguments_after(after), **seen)
            case ["raised", name, bases, message, line, after]:
                exception = _reply.exception(name, bases, message, line)
                return Raised(exception, _reply.arguments_after(after), **seen)
            case ["bad", reason]:
                return BadValue(_reply.text(reason), **seen)
            case ["memory"]:
                return MemoryExceeded(**seen)
            case ["large"]:
                return ResultExceeded(**seen)
            case ["exit", code]:
                return Exited(_reply.exit_code(code), **seen)
            case ["loaded", names, required, maximum] if loading:
                return Loaded(*_reply.signature(names, required, maximum), **seen)
            case ["no function", reason] if loading:
                return LoadFailed(_reply.text(reason), **seen)
            case ["prelude", name, bases, message, line, None] if loading:
                raised = Raised(_reply.exception(name, bases, message, line), **seen)
                return LoadFailed(f"the prelude raised {raised.exception.name}", raised, **seen)
            case _:
                return Tampered("an answer of a form that trusted code never sends", **seen)
    except _wire.Malformed as error:
        return Tampered(f"a malformed answer: {error}", **seen)


def _read_stop(stop: Stop, seen: _Seen) -> Outcome:
    match stop.kind:
        case "cpu" | "wall":
            return TimedOut(stop.kind, **seen)
        case "output":
            return OutputExceeded(**seen)
        case "result":
            return ResultExceeded(**seen)
        case "tampered":
            return Tampered(stop.reason, **seen)
        case "forbidden":
            return Crashed(int(signal.SIGSYS), **seen)
        case "ended":
            code = os.waitstatus_to_exitcode(stop.ending.status)
            if code >= 0:
                return Tampered(stop.reason, **seen) if stop.reason else Exited(code, **seen)
            if -code in (signal.SIGXCPU, signal.SIGKILL) and stop.ending.cpu_s >= CPU_BACKSTOP_S:
                return TimedOut("cpu", **seen)
            return Crashed(-code, **seen)
