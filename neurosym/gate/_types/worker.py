"""The host's end of the warm mypy: started when it is first wanted, replaced when it dies or hangs."""

from __future__ import annotations

import atexit
import contextlib
import json
import os
import select
import signal
import subprocess
import sys
import tempfile
import threading
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any  # what json.loads gives

from neurosym.gate._types.zygote import HEADER_BYTES, NAME

CONFIG = Path(__file__).with_name("mypy.ini")
_ZYGOTE = Path(__file__).with_name("zygote.py")


@dataclass(frozen=True, slots=True)
class Limits:
    """What the check of one candidate may use. ``start_s``: until the stubs are read, on a busy machine."""

    wall_s: float = 30.0
    cpu_s: float = 15.0
    memory_bytes: int = 2 * 2**30
    start_s: float = 60.0


@dataclass(frozen=True, slots=True)
class Said:
    """mypy's own lines about the module, complete, and the processor time that they took."""

    messages: tuple[str, ...]
    anything: tuple[tuple[int, int, int, int], ...] | None = ()
    """Where a value may be anything (line, column from 1, last line, column behind it); None if that is not known."""
    cpu_s: float = 0.0
    is_short: bool = False
    """Whether columns behind a character of n bytes are n - 1 too small: a fault of mypy 2.4."""


@dataclass(frozen=True, slots=True)
class Broken:
    """There is no answer, and ``why``: nothing is known of the module's types."""

    why: str


class TypeWorker:
    """One warm mypy. Answers one request at a time; a worker that failed is thrown away, and the next request gets
    a new one."""

    def __init__(self, limits: Limits | None = None) -> None:
        self.limits = limits or Limits()
        self._lock = threading.Lock()
        self._process: subprocess.Popen[bytes] | None = None
        self._folder: tempfile.TemporaryDirectory[str] | None = None
        self._is_new = True
        self._is_short = False
        self._owner = os.getpid()

    @property
    def pid(self) -> int | None:
        """The process that holds mypy, if it has been started."""
        return self._process.pid if self._process else None

    def start(self) -> None:
        """Starts mypy and does not wait for it; later calls do nothing."""
        with self._lock:
            self._running()

    def wait(self) -> None:
        """Waits until mypy is warm. A failure shows when it is asked."""
        with self._lock, contextlib.suppress(OSError, ValueError):
            self._ready(self._running())

    def check(self, text: str, name: str = NAME) -> Said | Broken:
        """What mypy says of a module ``name`` that consists of ``text``."""
        with self._lock:
            try:
                return self._ask(text, name)
            except (OSError, ValueError, KeyError, TypeError) as error:
                self._discard()
                return Broken(f"the type checker's process failed: {error}")

    def close(self) -> None:
        """Ends the process."""
        with self._lock:
            self._discard()

    def _ask(self, text: str, name: str) -> Said | Broken:
        process = self._running()
        self._ready(process)
        assert process.stdin is not None  # both are pipes
        assert process.stdout is not None
        request = {
            "name": name,
            "text": text,
            "wall_s": self.limits.wall_s,
            "cpu_s": self.limits.cpu_s,
            "memory_bytes": self.limits.memory_bytes,
        }
        body = json.dumps(request).encode()
        # The zygote keeps the candidate's deadline; this one is for a zygote that hangs itself.
        deadline = time.monotonic() + self.limits.wall_s + 5.0
        self._send(process.stdin.fileno(), len(body).to_bytes(HEADER_BYTES, "big") + body, deadline)
        answer = self._answer(process.stdout.fileno(), deadline)
        if "messages" in answer:
            return self._said(answer)
        return Broken(str(answer.get("fault", "no answer")))

    def _said(self, answer: dict[str, Any]) -> Said:
        places = answer["anything"]
        return Said(
            messages=tuple(map(str, answer["messages"])),
            anything=None if places is None else tuple((a, b, c, d) for a, b, c, d in places),
            cpu_s=float(answer["cpu_s"]),
            is_short=self._is_short,
        )

    def _ready(self, process: subprocess.Popen[bytes]) -> None:
        if self._is_new:
            assert process.stdout is not None  # it is a pipe
            ready = self._answer(process.stdout.fileno(), time.monotonic() + self.limits.start_s)
            self._is_short = ready.get("is_short") is True
            self._is_new = False

    def _answer(self, handle: int, deadline: float) -> dict[str, Any]:
        size = int.from_bytes(self._read(handle, HEADER_BYTES, deadline), "big")
        answer = json.loads(self._read(handle, size, deadline))
        if not isinstance(answer, dict):
            raise ValueError("no answer")
        return answer

    def _send(self, handle: int, data: bytes, deadline: float) -> None:
        rest = memoryview(data)
        while rest:
            left = deadline - time.monotonic()
            if left <= 0 or not select.select([], [handle], [], left)[1]:
                raise OSError("it takes no request, and is replaced")
            rest = rest[os.write(handle, rest[: select.PIPE_BUF]) :]  # so much never blocks on a writable pipe

    def _read(self, handle: int, count: int, deadline: float) -> bytes:
        data = b""
        while len(data) < count:
            left = deadline - time.monotonic()
            if left <= 0 or not select.select([handle], [], [], left)[0]:
                raise OSError("it gives no answer, and is replaced")
            more = os.read(handle, count - len(data))
            if not more:
                raise OSError("it ended")
            data += more
        return data

    def _running(self) -> subprocess.Popen[bytes]:
        if self._owner != os.getpid():  # this process was forked: the worker is its parent's
            self._owner, self._process, self._folder = os.getpid(), None, None
        if self._process is not None and self._process.poll() is None:
            return self._process
        self._discard()
        self._folder = tempfile.TemporaryDirectory(prefix="neurosym-types-")
        self._is_new = True
        self._process = subprocess.Popen(
            [sys.executable, "-P", "-B", str(_ZYGOTE), str(CONFIG)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            cwd=self._folder.name,  # empty: nothing beside a candidate is ever read
            env={"PATH": os.environ.get("PATH", ""), "LC_ALL": "C.UTF-8", "HOME": self._folder.name},
            start_new_session=True,
        )
        return self._process

    def _discard(self) -> None:
        if self._owner != os.getpid():
            return
        process, self._process = self._process, None
        if process is not None:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()
            for pipe in (process.stdin, process.stdout):
                with contextlib.suppress(OSError):
                    if pipe is not None:
                        pipe.close()
        if self._folder is not None:
            self._folder.cleanup()
            self._folder = None


_shared: TypeWorker | None = None


def shared_worker() -> TypeWorker:
    """The one worker of this process: reading the stubs takes most of a second, and is done once."""
    global _shared
    if _shared is None:
        _shared = TypeWorker()
        atexit.register(_shared.close)
    return _shared
