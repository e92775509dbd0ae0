"""Any program as a generator: it reads the conversation on its standard input and writes the reply to its output.

The program is the user's own and runs as such, outside of the sandbox; what it answers is a reply like any other.
"""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import tempfile
import time

from neurosym.generators.request import (
    MOST_CHARS,
    Answer,
    NoReply,
    NoReplyKind,
    OnProgress,
    Reply,
    Request,
    estimated,
)
from neurosym.generators.seam import ModelFault, Settings

_POLL_S = 0.02
_MOST_BYTES = 4 * MOST_CHARS


class Command:
    """The generator ``command``. Raises ``ModelFault`` where no command is given or its program cannot be started."""

    name = "command"

    def __init__(self, settings: Settings) -> None:
        if not settings.command:
            raise ModelFault('the generator command needs a program: --command "program argument ..."')
        self._command = settings.command
        self._running: set[int] = set()
        self._is_closed = False

    def generate(self, request: Request, *, timeout_s: float, on_progress: OnProgress) -> Answer:
        begun = time.monotonic()
        environment = os.environ | {
            "NEUROSYM_MODEL": request.model,
            "NEUROSYM_TEMPERATURE": f"{request.temperature:g}",
            "NEUROSYM_MAX_TOKENS": str(request.max_tokens),
            "NEUROSYM_SAMPLE": str(request.sample),
        }
        with tempfile.TemporaryFile() as prompt, tempfile.TemporaryFile() as output, tempfile.TemporaryFile() as errors:
            prompt.write(conversation(request).encode("utf-8", "backslashreplace"))
            prompt.seek(0)
            try:
                process = subprocess.Popen(
                    self._command, stdin=prompt, stdout=output, stderr=errors, env=environment, start_new_session=True
                )
            except (OSError, ValueError) as error:
                raise ModelFault(f"the command {self._command[0]} cannot be started: {error}") from error
            self._running.add(process.pid)
            if self._is_closed:
                _end(process.pid)
            try:
                kind = _wait(process, output.fileno(), begun + timeout_s, on_progress)
            finally:
                self._running.discard(process.pid)
            seconds = time.monotonic() - begun
            text = _read(output.fileno())
            said = _read(errors.fileno())[-300:].strip()
        if kind is NoReplyKind.TIMEOUT:
            return NoReply(kind=kind, message=f"the command did not end within {timeout_s:.0f} s", seconds=seconds)
        if kind is not None or len(text) > MOST_CHARS:
            message = f"the command wrote more than {MOST_CHARS:,} characters"
            return NoReply(kind=NoReplyKind.MALFORMED, message=message, seconds=seconds)
        if process.returncode:
            message = f"the command ended with {process.returncode}" + (f": {said}" if said else "")
            return NoReply(kind=NoReplyKind.UNAVAILABLE, message=message, seconds=seconds)
        if not text.strip():
            return NoReply(kind=NoReplyKind.EMPTY, message="the command wrote nothing", seconds=seconds)
        return Reply(text=text, model=request.model, usage=estimated(request, text), seconds=seconds)

    def close(self) -> None:
        self._is_closed = True
        for pid in [*self._running]:
            _end(pid)


def conversation(request: Request) -> str:
    """The messages as one text: each below a line with its role."""
    return "\n\n".join(f"[{message.role}]\n{message.text.rstrip()}" for message in request.messages) + "\n"


def _wait(
    process: subprocess.Popen[bytes], output: int, deadline: float, on_progress: OnProgress
) -> NoReplyKind | None:
    """Waits for the end, and ends what is late or floods; everything that the command started ends with it."""
    kind: NoReplyKind | None = None
    seen = 0
    try:
        while True:
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(_POLL_S)
                break
            written = os.fstat(output).st_size
            if written != seen:
                seen = written
                on_progress("bytes of the reply", seen)
            if written > _MOST_BYTES:
                kind = NoReplyKind.MALFORMED
                break
            if time.monotonic() > deadline:
                kind = NoReplyKind.TIMEOUT
                break
    finally:
        _end(process.pid)
        process.wait()
    return kind


def _end(pid: int) -> None:
    """Ends a command and everything that it started."""
    with contextlib.suppress(ProcessLookupError):
        os.killpg(pid, signal.SIGKILL)


def _read(file: int) -> str:
    """What a command wrote, which need be no proper text."""
    return os.pread(file, _MOST_BYTES + 1, 0).decode("utf-8", "replace")
