"""The host's end of one zygote: start it, have it fork, collect what became of its children."""

from __future__ import annotations

import errno
import json
import os
import select
import socket
import subprocess
import sys
import threading
import time
from dataclasses import dataclass
from typing import Any

from neurosym_sandbox import _layer_names
from neurosym_sandbox import _zygote_protocol as protocol
from neurosym_sandbox._cgroup import MemoryCgroup
from neurosym_sandbox._external import PACKAGE, External
from neurosym_sandbox.errors import SandboxUnavailable

_START_S = 20.0
_ANSWER_S = 10.0
_STARTS = threading.BoundedSemaphore(max(2, os.cpu_count() or 2))
"""Zygotes that start at the same time: each uses a processor for the 0.1 s that it takes."""

_BOOT = (
    "import sys; p = type(sys)('neurosym_sandbox'); p.__path__ = [sys.argv[1]]; sys.modules['neurosym_sandbox'] = p; "
    "from neurosym_sandbox._launcher import main; main(sys.argv[2])"
)
"""Makes the package importable without running its public `__init__`, so that no host code is in what is forked."""


class ZygoteLost(Exception):
    """The zygote ended, or does not answer."""


class NamespacesRefused(Exception):
    """This machine refuses a step on the way into fresh namespaces; the message names it."""


@dataclass(frozen=True, slots=True)
class Ending:
    """How a child ended, from wait4."""

    status: int
    cpu_s: float
    peak_memory_bytes: int


@dataclass(frozen=True, slots=True)
class Order:
    """What a zygote is to be: its seed, the layers to leave out, folders of further packages, memory for all of it."""

    hash_seed: int
    without: frozenset[str]
    folders: tuple[str, ...]
    total_memory_bytes: int
    external: tuple[str, ...] = ()
    python: str = sys.executable


class ZygoteProcess:
    """A running zygote. Every method but `close` may raise `ZygoteLost`: it is gone then."""

    def __init__(self, order: Order) -> None:
        """Starts one; raises `NamespacesRefused`, or `SandboxUnavailable` with what it wrote to stderr."""
        with _STARTS:
            self._start(order)

    def _start(self, order: Order) -> None:
        self._lock = threading.Lock()
        self._stderr = ""
        self._pidfds: dict[int, int] = {}
        self._endings: dict[int, Ending] = {}
        self._cgroup: MemoryCgroup | None = None
        external = External(order.external, order.python) if order.external else None
        try:
            self._control, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        except OSError as error:
            raise SandboxUnavailable(f"no descriptors for a jail: {error}") from error
        settings = json.dumps(
            {
                "control": (external.address if external else "") or theirs.fileno(),
                "host": external.seen() if external else None,
                "hash_seed": order.hash_seed,
                "without": sorted(order.without),
                "folders": order.folders,
            }
        )
        python = external.command if external else [order.python]
        try:
            self._launcher = subprocess.Popen(
                [*python, "-s", "-S", "-P", "-B", "-c", _BOOT, PACKAGE, settings],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.PIPE,
                pass_fds=[theirs.fileno()],
                env=_environment(order.hash_seed) | ({"PATH": os.environ.get("PATH", "")} if external else {}),
                cwd="/",
                start_new_session=True,
            )
        except OSError as error:
            self._control.close()
            raise SandboxUnavailable(f"cannot start {python[0]}: {error}") from error
        finally:
            theirs.close()
        limited, seen = self._limit_memory(order.without, order.total_memory_bytes)
        try:
            if external is not None and external.address:
                self._meet(external)
            self.layers = self._greeting()
        finally:
            if external is not None:
                external.close()
        if self._cgroup is not None and self._cgroup.members() < 2:
            limited, seen = False, "the zygote did not stay in its cgroup"
        self.layers.append((_layer_names.MEMORY_CGROUP, limited, seen))

    def _meet(self, external: External) -> None:
        self._control.close()
        try:
            self._control = external.accept(_START_S)
        except OSError as error:
            self._launcher.kill()
            self.close()
            raise SandboxUnavailable(f"the external jail's zygote did not come: {error}; {self._stderr}") from error

    def _limit_memory(self, without: frozenset[str], total_memory_bytes: int) -> tuple[bool, str]:
        """Puts the launcher into a cgroup of its own while it has yet to fork; returns whether, and what was seen."""
        if _layer_names.MEMORY_CGROUP in without:
            return False, "left out on request"
        try:
            self._cgroup = MemoryCgroup(total_memory_bytes)
            self._cgroup.add(self._launcher.pid)
        except OSError as error:
            return False, str(error)
        return True, f"{total_memory_bytes // 2**20:,} MiB for all sessions together"

    def out_of_memory(self) -> bool:
        """Whether the kernel has killed one of the jail's processes for want of memory since this was last asked."""
        return self._cgroup is not None and self._cgroup.killed()

    def _greeting(self) -> list[tuple[str, bool, str]]:
        self._control.settimeout(_START_S)
        try:
            greeting: dict[str, Any] = json.loads(self._control.recv(64 * 1024) or "{}")
        except OSError as error:
            greeting = {"failed": str(error)}
        self._control.settimeout(_ANSWER_S)
        if "layers" in greeting:
            self.landlock_abi = int(greeting["landlock_abi"])
            return [(str(name), bool(active), str(detail)) for name, active, detail in greeting["layers"]]
        self.close()
        if "namespaces_failed" in greeting:
            raise NamespacesRefused(greeting["namespaces_failed"])
        assert self._launcher.stderr is not None
        reason = greeting.get("failed") or self._stderr or f"it ended with status {self._launcher.returncode}"
        raise SandboxUnavailable(f"the jail's zygote did not start: {reason}")

    def request_child(self, session: int, memory_bytes: int, descriptors: list[int]) -> None:
        """Asks for a child on the three descriptors."""
        try:
            with self._lock:
                socket.send_fds(self._control, [protocol.OPEN.pack(b"O", session, memory_bytes)], descriptors)
        except OSError as error:
            raise ZygoteLost(str(error)) from error

    def pidfd(self, session: int) -> int:
        """Returns the pidfd of a child that was asked for; to be called once for each.

        Raises `SandboxUnavailable` when there is no room for another process or descriptor.
        """
        with self._lock:
            while session not in self._pidfds:
                self._receive()
            pidfd = self._pidfds.pop(session)
        if pidfd < 0:
            raise SandboxUnavailable(f"no process or descriptors for another session: {os.strerror(-pidfd)}")
        return pidfd

    def wait(self, session: int) -> Ending:
        """Returns how a child ended that is dead or has been sent SIGKILL."""
        with self._lock:
            try:
                self._control.send(protocol.SESSION.pack(b"W", session))
            except OSError as error:
                raise ZygoteLost(str(error)) from error
            while session not in self._endings:
                self._receive()
            return self._endings.pop(session)

    def _receive(self) -> None:
        """Takes one message, which may answer an earlier request than the one that waits."""
        try:
            message, pidfds, _flags, _address = socket.recv_fds(self._control, protocol.MAX_MESSAGE, 1)
        except OSError as error:
            raise ZygoteLost(str(error)) from error
        kind = message[:1]
        if kind == b"o":  # without a pidfd if this process may have no more descriptors
            self._pidfds[protocol.SESSION.unpack(message)[1]] = pidfds[0] if pidfds else -errno.EMFILE
        elif kind == b"x":
            _, session, code = protocol.REFUSED.unpack(message)
            self._pidfds[session] = -code
        elif kind == b"w":
            _, session, status, user_s, system_s, peak_memory_bytes = protocol.WAITED.unpack(message)
            self._endings[session] = Ending(status, user_s + system_s, peak_memory_bytes)
        else:
            raise ZygoteLost("the zygote has ended" if not message else "a message of no known form")

    def forget(self, session: int) -> None:
        """Has a child that was sent SIGKILL reaped without waiting for it."""
        try:
            self._control.send(protocol.SESSION.pack(b"R", session))
        except OSError as error:
            raise ZygoteLost(str(error)) from error

    @property
    def alive(self) -> bool:
        """Whether the zygote still holds its end of the control socket."""
        poll = select.poll()
        poll.register(self._control, 0)
        return not poll.poll(0)

    def close(self) -> None:
        """Ends the zygote and every child of it; never raises."""
        self._control.close()
        for pidfd in self._pidfds.values():
            if pidfd >= 0:
                os.close(pidfd)
        self._pidfds.clear()
        try:
            self._launcher.wait(timeout=2)
        except subprocess.TimeoutExpired:
            self._launcher.kill()
            self._launcher.wait()
        stderr = self._launcher.stderr
        if stderr is not None and not stderr.closed:
            os.set_blocking(stderr.fileno(), False)
            text = stderr.read() or b""
            self._stderr = text[-2000:].decode("utf-8", "backslashreplace").strip()
            stderr.close()
        if self._cgroup is not None:
            self._cgroup.close()
            self._cgroup = None


def _environment(hash_seed: int) -> dict[str, str]:
    """The whole environment: nothing of the host's, and one thread for libraries that would start several."""
    return {
        "PYTHONHASHSEED": str(hash_seed),
        "PYTHONIOENCODING": "utf-8:backslashreplace",
        "PYTHONUTF8": "1",
        "LC_ALL": "C.UTF-8",
        "TZ": "UTC",
        "OMP_NUM_THREADS": "1",
        "OPENBLAS_NUM_THREADS": "1",
        "MKL_NUM_THREADS": "1",
        "NUMEXPR_NUM_THREADS": "1",
        "ARROW_DEFAULT_MEMORY_POOL": "system",
    }


_KEPT_WAITING = (b"R", b"D", b"T")
"""States in proc_pid_status(5): runnable, in an uninterruptible wait, stopped by a signal."""


class ProcessClock:
    """The processor time of another process, read without asking it.

    The clock's id is made from the process's number as in the kernel's `include/linux/posix-timers.h`
    (`make_process_cpuclock(pid, CPUCLOCK_SCHED)`); pthread_getcpuclockid(3) does the same for threads.
    """

    __slots__ = ("_id", "_status")

    def __init__(self, pid: int) -> None:
        self._id = (~pid << 3) | 2
        try:
            self._status = os.open(f"/proc/{pid}/status", os.O_RDONLY | os.O_CLOEXEC)
        except OSError:  # no /proc: peak memory stays 0 until the child has ended
            self._status = -1

    def cpu_s(self) -> float | None:
        """Returns seconds used so far, or None once the process is gone."""
        try:
            return time.clock_gettime(self._id)
        except OSError:
            return None

    def peak_memory_bytes(self) -> int:
        """Returns the largest resident size so far, or 0 where it cannot be read."""
        text = self._read_status()
        start = text.find(b"VmHWM:")
        return int(text[start + 6 : text.index(b"kB", start)]) * 1024 if start >= 0 else 0

    def is_kept_waiting(self) -> bool:
        """Whether it would go on if it were let: runnable without a processor, waiting for a page, or stopped.

        A process that sleeps of its own accord is none of these; neither is one that cannot be looked at.
        """
        text = self._read_status()
        start = text.find(b"State:")
        return start >= 0 and text[start + 6 :].lstrip()[:1] in _KEPT_WAITING

    def _read_status(self) -> bytes:
        try:
            return os.pread(self._status, 4096, 0) if self._status >= 0 else b""
        except OSError:
            return b""

    def close(self) -> None:
        if self._status >= 0:
            os.close(self._status)
            self._status = -1
