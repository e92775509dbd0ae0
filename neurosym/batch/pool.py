"""An executor of long-lived processes, each of which can be lost without the others.

``concurrent.futures.ProcessPoolExecutor`` is broken as a whole when one of its processes dies; here only the call that
it was at fails, with ``WorkerLost``, and the next one gets a new process.
"""

from __future__ import annotations

import contextlib
import os
import pickle
import queue
import signal
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable
from concurrent.futures import Executor, Future
from dataclasses import dataclass
from typing import IO, Any, ParamSpec, TypeVar

from neurosym.batch.messages import LATE, Failed, Returned, receive, send

P = ParamSpec("P")
T = TypeVar("T")

_GRACE_S = 5.0


class WorkerLost(Exception):
    """The process that was at a call ended before it answered; ``str`` says how."""


@dataclass(frozen=True, slots=True)
class Recycling:
    """When a process is replaced by a new one: after so many calls, or when it and its children have grown so large."""

    calls: int = 1_000
    memory_bytes: int = 2 * 2**30


class WorkerPool(Executor):
    """Runs calls in up to ``workers`` processes, each equipped once by ``initializer(*initargs)``.

    Functions and values must be such as ``pickle`` takes. What a call raises, its future raises.
    """

    def __init__(
        self,
        workers: int,
        initializer: Callable[..., object],
        initargs: tuple[Any, ...] = (),
        recycling: Recycling | None = None,
    ) -> None:
        self._calls: queue.SimpleQueue[tuple[Future[Any], bytes] | None] = queue.SimpleQueue()
        first = pickle.dumps((initializer, initargs))
        self._processes = [_Process(first, recycling or Recycling()) for _ in range(workers)]
        self._threads = [threading.Thread(target=self._serve, args=(each,), daemon=True) for each in self._processes]
        self._is_shut = False
        for thread in self._threads:
            thread.start()

    @property
    def pids(self) -> list[int]:
        """The processes that live now."""
        return [each.pid for each in self._processes if each.pid is not None]

    def submit(self, fn: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        """A future of the call. Raises ``RuntimeError`` after ``shutdown``."""
        if self._is_shut:
            raise RuntimeError("the pool was shut down")
        future: Future[T] = Future()
        self._calls.put((future, pickle.dumps((fn, args, kwargs))))
        return future

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """No more calls. Those that were submitted are finished, unless ``cancel_futures`` leaves out what waits."""
        if not self._is_shut:
            self._is_shut = True
            if cancel_futures:
                with contextlib.suppress(queue.Empty):
                    while waiting := self._calls.get_nowait():
                        waiting[0].cancel()
            for _ in self._threads:
                self._calls.put(None)
        if wait:
            for thread in self._threads:
                thread.join()

    def kill(self) -> None:
        """Ends all processes at once, whatever they are at."""
        self.shutdown(wait=False, cancel_futures=True)
        for process in self._processes:
            process.kill()

    def _serve(self, process: _Process) -> None:
        """The life of one thread, which alone talks to its process."""
        while (call := self._calls.get()) is not None:
            future, body = call
            if not future.set_running_or_notify_cancel():
                continue
            try:
                reply = process.ask(body)
            except BaseException as lost:
                future.set_exception(lost)
                continue
            match reply:
                case Returned(value=value):
                    future.set_result(value)
                case Failed(error=error):
                    future.set_exception(error)
        process.end()


class _Process:
    """One process at a time, started when it is first asked and replaced when it is lost or has done enough."""

    def __init__(self, first: bytes, recycling: Recycling) -> None:
        self._first, self._recycling = first, recycling
        self._process: subprocess.Popen[bytes] | None = None
        self._words: IO[bytes] | None = None
        self._calls = 0
        self._killed = False

    @property
    def pid(self) -> int | None:
        return self._process.pid if self._process is not None else None

    def ask(self, body: bytes) -> Returned | Failed:
        """The reply to a call. Raises ``WorkerLost``."""
        try:
            process = self._running()
            assert process.stdin is not None  # both are pipes
            assert process.stdout is not None
            send(process.stdin, body)
            reply = receive(process.stdout)
        except (OSError, EOFError, pickle.UnpicklingError) as error:
            raise WorkerLost(self._how_it_ended(error)) from error
        self._calls += 1
        if self._calls >= self._recycling.calls or reply.memory_bytes > self._recycling.memory_bytes:
            self.end()
        return reply

    def end(self) -> None:
        """Lets the process close what it opened, and end."""
        process = self._process
        if process is None:
            return
        assert process.stdin is not None
        with contextlib.suppress(OSError, subprocess.TimeoutExpired):
            send(process.stdin, b"")
            process.wait(_GRACE_S)
        self._discard()

    def kill(self) -> None:
        """Ends the process at once; called from another thread."""
        self._killed = True
        process = self._process
        if process is not None:
            _kill_group(process)

    def _running(self) -> subprocess.Popen[bytes]:
        if self._process is None:
            if self._killed:
                raise OSError("the pool was ended")
            self._words = tempfile.TemporaryFile()  # noqa: SIM115  # until the process is discarded
            self._calls = 0
            self._process = subprocess.Popen(
                [sys.executable, "-P", "-m", "neurosym.batch.pool_worker"],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=self._words,
                start_new_session=True,  # a Ctrl-C at the terminal is for the run, which lets its workers finish
            )
            assert self._process.stdin is not None
            send(self._process.stdin, self._first)
        return self._process

    def _how_it_ended(self, error: BaseException) -> str:
        """Discards the process, and says how it ended and what it said last."""
        process, words = self._process, b""
        if process is None:
            return f"the worker cannot be started: {error}"
        if self._words is not None:
            _kill_group(process)
            process.wait()
            self._words.seek(max(0, self._words.seek(0, os.SEEK_END) - 2_000))
            words = self._words.read()
        code = process.returncode
        self._discard()
        if code == LATE:
            return "it took longer than a job may"
        how = f"was ended by {_signal_name(-code)}" if code < 0 else f"ended with exit code {code}"
        said = words.decode("utf-8", "replace").strip().splitlines()
        return f"the worker {how}" + (f": {said[-1]}" if said and code > 0 else "")

    def _discard(self) -> None:
        process, self._process = self._process, None
        if process is not None:
            _kill_group(process)
            process.wait()
            for stream in (process.stdin, process.stdout, self._words):
                with contextlib.suppress(OSError):
                    if stream is not None:
                        stream.close()
        self._words = None


def _kill_group(process: subprocess.Popen[bytes]) -> None:
    """Ends a worker and the solvers it started, unless it was waited for: its number may be another's then."""
    if process.returncode is None:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)


def _signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"
