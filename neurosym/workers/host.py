"""The host's end of a worker: its process is started when it is first wanted, and replaced when it dies or hangs."""

from __future__ import annotations

import atexit
import contextlib
import importlib.util
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

from neurosym.workers.zygote import HEADER_BYTES, Document

_ZYGOTE = Path(__file__).with_name("zygote.py")
_PACKAGES = ("neurosym", "neurosym_verifiers", "neurosym_specs", "neurosym_sandbox")


@dataclass(frozen=True, slots=True)
class Limits:
    """What one request may use. ``start_s``: until the process is ready for the first, on a busy machine."""

    wall_s: float = 30.0
    cpu_s: float = 15.0
    memory_bytes: int = 2 * 2**30
    start_s: float = 60.0


@dataclass(frozen=True, slots=True)
class Broken:
    """There is no answer, and ``why``: nothing is known of what was asked."""

    why: str


class Worker:
    """One process with the service that a file defines. Answers one request at a time; a process that failed is
    thrown away, and the next request gets a new one."""

    def __init__(self, service: Path, argument: str = "", *, called: str, limits: Limits | None = None) -> None:
        """``called`` is what messages about its failures call it: ``the type checker``."""
        self.limits = limits or Limits()
        self._service, self._argument, self._called = service, argument, called
        self._lock = threading.Lock()
        self._process: subprocess.Popen[bytes] | None = None
        self._folder: tempfile.TemporaryDirectory[str] | None = None
        self._is_new = True
        self._greeting: Document = {}
        self._owner = os.getpid()

    @property
    def pid(self) -> int | None:
        """The process, if it has been started."""
        return self._process.pid if self._process else None

    def start(self) -> None:
        """Starts the process and does not wait for it; later calls do nothing."""
        with self._lock:
            self._running()

    def wait(self) -> None:
        """Waits until it is ready. A failure shows when it is asked."""
        with self._lock, contextlib.suppress(OSError, ValueError):
            self._ready(self._running())

    def ask(self, request: Document) -> Document | Broken:
        """The service's answer to a request, both of plain JSON values."""
        with self._lock:
            try:
                answer = self._ask(request)
            except (OSError, ValueError) as error:
                self._discard()
                return Broken(f"{self._called}'s process failed: {error}")
        return Broken(str(answer["fault"])) if "fault" in answer else answer

    def close(self) -> None:
        """Ends the process."""
        with self._lock:
            self._discard()

    def _ask(self, request: Document) -> Document:
        process = self._running()
        self._ready(process)
        assert process.stdin is not None  # both are pipes
        assert process.stdout is not None
        limits = self.limits
        bounds = {"wall_s": limits.wall_s, "cpu_s": limits.cpu_s, "memory_bytes": limits.memory_bytes}
        body = json.dumps({**request, **bounds}).encode()
        # The zygote keeps the request's deadline; this one is for a zygote that hangs itself.
        deadline = time.monotonic() + limits.wall_s + 5.0
        self._send(process.stdin.fileno(), len(body).to_bytes(HEADER_BYTES, "big") + body, deadline)
        return self._answer(process.stdout.fileno(), deadline)

    def _ready(self, process: subprocess.Popen[bytes]) -> None:
        if self._is_new:
            assert process.stdout is not None  # it is a pipe
            greeting = self._answer(process.stdout.fileno(), time.monotonic() + self.limits.start_s)
            if "fault" in greeting:
                raise OSError(f"it cannot start: {greeting['fault']}")
            self._greeting, self._is_new = greeting, False

    def _answer(self, handle: int, deadline: float) -> Document:
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
        self._folder = tempfile.TemporaryDirectory(prefix="neurosym-worker-")
        self._is_new = True
        atexit.register(self.close)
        self._process = subprocess.Popen(
            [sys.executable, "-P", "-B", str(_ZYGOTE), str(self._service), self._argument, *_roots()],
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
        atexit.unregister(self.close)
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


def _roots() -> list[str]:
    """The folders that this project's packages are imported from, also where they are not installed."""
    found = (importlib.util.find_spec(name) for name in _PACKAGES)
    return list(dict.fromkeys(str(Path(each.origin).parents[1]) for each in found if each and each.origin))
