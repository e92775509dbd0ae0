"""Asking the solver's process, within a budget; a process that hangs is killed and replaced."""

from __future__ import annotations

import select
import subprocess
import sys
import time
from types import TracebackType

from neurosym_verifiers.proof.messages import Answer, Question, receive, send
from neurosym_verifiers.reading.bounds import Spans
from neurosym_verifiers.reading.narrowing import tightened
from neurosym_verifiers.reading.substituting import solved
from neurosym_verifiers.reading.terms import FALSE, Condition

UNITS = 3_000_000


class Solver:
    """A context manager. One question at a time."""

    def __init__(self) -> None:
        self._process: subprocess.Popen[bytes] | None = None

    def __enter__(self) -> Solver:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def ask(self, condition: Condition, bounds: Spans, *, seconds: float) -> Answer:
        """Whether anything fulfils the condition; ``unknown`` where the budget does not suffice."""
        if condition != FALSE:
            condition = solved(condition, bounds)
            bounds = tightened(bounds, condition)
        if condition == FALSE:
            return Answer("unsat", "reading", {})
        if seconds <= 0:
            return Answer("unknown", "no time", {})
        process = self._started()
        assert process.stdin is not None
        assert process.stdout is not None
        try:
            send(process.stdin, Question(condition, bounds, UNITS))
        except (RecursionError, BrokenPipeError, OSError):
            self.close()
            return Answer("unknown", "too deep", {})
        deadline = time.monotonic() + seconds
        while True:
            left = deadline - time.monotonic()
            if left <= 0 or process.poll() is not None:
                self.close()
                return Answer("unknown", "timeout", {})
            if select.select([process.stdout], [], [], min(left, 0.5))[0]:
                try:
                    reply = receive(process.stdout)
                except EOFError:
                    self.close()
                    return Answer("unknown", "the solver ended", {})
                assert isinstance(reply, Answer)
                return reply

    def _started(self) -> subprocess.Popen[bytes]:
        if self._process is None or self._process.poll() is not None:
            self.close()
            self._process = subprocess.Popen(
                [sys.executable, "-P", "-m", "neurosym_verifiers.proof.worker"],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
            )
        return self._process

    def close(self) -> None:
        """Ends the process."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            for stream in (self._process.stdin, self._process.stdout):
                if stream is not None:
                    stream.close()
            self._process = None
