"""A process of its own for work that may hang or grow: asked within a time, killed and replaced where it fails."""

from __future__ import annotations

import contextlib
import os
import select
import signal
import subprocess
import sys
import time
from types import TracebackType
from typing import Any

from neurosym_verifiers.proof.messages import receive, send


class NoReply(Exception):
    """The process did not answer, and was ended; ``why`` in a few words."""

    def __init__(self, why: str) -> None:
        self.why = why
        super().__init__(why)


class WorkerProcess:
    """Runs a module that answers one message at a time. A context manager; the process starts when first asked.

    ``unanswered`` counts what the clock, or an end of the process, left without a reply: another run may have one.
    ``starts_others``: it has processes of its own, which end with it.
    """

    def __init__(self, module: str, *, starts_others: bool = False) -> None:
        self._module = module
        self._starts_others = starts_others
        self.unanswered = 0
        self._process: subprocess.Popen[bytes] | None = None

    def __enter__(self) -> WorkerProcess:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def ask(self, message: object, *, seconds: float) -> Any:
        """The reply to a message. Raises ``NoReply``."""
        process = self._started()
        assert process.stdin is not None
        assert process.stdout is not None
        try:
            send(process.stdin, message)
        except RecursionError:
            self.close()
            raise NoReply("too deep") from None
        except OSError:
            raise self._lost("the solver ended") from None
        deadline = time.monotonic() + seconds
        while True:
            left = deadline - time.monotonic()
            if left > 0 and select.select([process.stdout], [], [], min(left, 0.5))[0]:
                try:
                    return receive(process.stdout)
                except EOFError:
                    raise self._lost("the solver ended") from None
            if left <= 0 or process.poll() is not None:
                raise self._lost("timeout")

    def _lost(self, why: str) -> NoReply:
        self.close()
        self.unanswered += 1
        return NoReply(why)

    def _started(self) -> subprocess.Popen[bytes]:
        if self._process is None or self._process.poll() is not None:
            self.close()
            self._process = subprocess.Popen(
                [sys.executable, "-P", "-m", self._module],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                start_new_session=self._starts_others,
            )
        return self._process

    def close(self) -> None:
        """Ends the process."""
        if self._process is not None:
            if self._starts_others:
                with contextlib.suppress(ProcessLookupError, PermissionError):
                    os.killpg(self._process.pid, signal.SIGKILL)
            self._process.kill()
            self._process.wait()
            for stream in (self._process.stdin, self._process.stdout):
                if stream is not None:
                    stream.close()
            self._process = None
