"""Imposes the layers of the jail one by one, and believes in none that a canary has not run into.

A canary is an action that works before the layer and must be refused after it: a socket to connect to, a folder to
open, memory to make executable. A layer counts as active only when its canary died (a system call that returns 0 is
no proof: on some systems `unshare` succeeds and gives nothing).
"""

from __future__ import annotations

import contextlib
import errno
import json
import mmap
import os
import select
import signal
import socket
from collections.abc import Callable
from typing import Any

from neurosym_sandbox import _landlock, _namespaces, _rights
from neurosym_sandbox._layer_names import (
    CAPABILITIES,
    EMPTY_ROOT,
    LANDLOCK,
    NAMESPACE_BY_KIND,
    NAMESPACES,
    NO_NEW_PRIVS,
    NOBODY,
    NOT_DUMPABLE,
    RECORDING,
    RLIMITS,
    SECCOMP,
)
from neurosym_sandbox._refusals import Refusals
from neurosym_sandbox._seccomp import Filter
from neurosym_sandbox._syscalls import architecture, syscall

_ESCAPED = "its canary got through"
_LEFT_OUT = "left out on request"
_CANARY_BYTES = 64 * 2**20


class Builder:
    """Builds one zygote's layers: `before_fork` in the launcher, `in_zygote` in the process that stays."""

    def __init__(self, without: frozenset[str], base_bytes: int, host: dict[str, Any] | None) -> None:
        """`host` is what the host sees of itself, given when an external command is to keep us away from it."""
        self._without = without
        self._host = host
        self._base_bytes = base_bytes
        self._arch = architecture()
        self._numbers = self._arch.numbers if self._arch else {}
        self._layers: dict[str, tuple[bool, str]] = {}
        self._before: dict[str, str] = {}
        self._listener: socket.socket | None = None
        self._launcher = os.getpid()
        self.filter: Filter | None = None
        self.rlimits = RLIMITS not in without
        self.recording = False
        self.landlock_abi = 0

    def report(self) -> list[tuple[str, bool, str]]:
        """Returns name, whether it holds, and what was seen, for each layer."""
        return [(name, active, detail) for name, (active, detail) in self._layers.items()]

    def before_fork(self) -> None:
        """Gives up root and enters the namespaces; raises `_namespaces.NamespacesFailed`."""
        self._listener = socket.socket(socket.AF_UNIX)
        self._listener.bind(b"")  # the kernel picks an abstract name
        self._listener.listen(8)
        self._before = _namespaces.identities()
        self._impose(NOBODY, self._leave_root)
        if NAMESPACES not in self._without:
            _namespaces.enter()

    def in_zygote(self) -> None:
        """Imposes the rest, innermost last, and tries all canaries; raises `_namespaces.NamespacesFailed`."""
        self._check_namespaces()
        self._impose(CAPABILITIES, self._drop_capabilities)
        self._impose(NO_NEW_PRIVS, self._forbid_new_privileges)
        self._impose(LANDLOCK, self._deny_files)
        self._impose(NOT_DUMPABLE, self._forbid_dumps)
        self._impose(RLIMITS, self._limit)
        self._impose(SECCOMP, self._filter_calls)
        self._impose(RECORDING, self._record_refusals)

    def _impose(self, name: str, layer: Callable[[], str]) -> None:
        if name in self._without:
            self._layers[name] = (False, _LEFT_OUT)
            return
        try:
            self._layers[name] = (True, layer())
        except OSError as error:
            self._layers[name] = (False, str(error))

    def _leave_root(self) -> str:
        if os.geteuid() != 0:
            return f"user {os.geteuid()} from the start"
        _rights.become_nobody()
        with contextlib.suppress(PermissionError):
            os.setuid(0)
            raise OSError(_ESCAPED)
        return f"user {os.geteuid()} instead of root"

    def _check_namespaces(self) -> None:
        if self._host is not None:
            self._check_external(self._host)
            return
        if NAMESPACES in self._without:
            for name in (*NAMESPACE_BY_KIND.values(), EMPTY_ROOT):
                self._layers[name] = (False, _LEFT_OUT)
            return
        after = {kind: os.readlink(f"/proc/self/ns/{kind}") for kind in _namespaces.KINDS}
        for kind, layer in NAMESPACE_BY_KIND.items():
            fresh = after[kind] != self._before[kind]
            self._layers[layer] = (fresh, f"{after[kind]}" if fresh else "still the namespace of the host")
        self._impose(NAMESPACE_BY_KIND["net"], self._reach_no_socket)
        self._impose(NAMESPACE_BY_KIND["pid"], self._see_no_process)
        _namespaces.enter_empty_root(self._numbers)
        self._impose(EMPTY_ROOT, self._find_no_file)

    def _check_external(self, host: dict[str, Any]) -> None:
        """Finds out what the external command keeps us from."""
        for kind, layer in NAMESPACE_BY_KIND.items():
            try:
                mine = os.readlink(f"/proc/self/ns/{kind}")
            except OSError as error:
                self._layers[layer] = (False, f"cannot be seen: {error}")
            else:
                fresh = mine != host["namespaces"][kind]
                self._layers[layer] = (fresh, mine if fresh else "still the namespace of the host")
        self._impose(NAMESPACE_BY_KIND["net"], lambda: self._reach_no_socket(host["abstract"].encode("latin-1")))
        self._impose(NAMESPACE_BY_KIND["pid"], lambda: self._see_no_host(host["pid"]))
        self._layers[EMPTY_ROOT] = (False, "the root is the external command's")

    def _see_no_host(self, pid: int) -> str:
        try:
            os.kill(pid, 0)
        except ProcessLookupError:
            return "the host's process is not there"
        except PermissionError:
            pass
        raise OSError(_ESCAPED)

    def _reach_no_socket(self, address: bytes = b"") -> str:
        assert self._listener is not None
        with socket.socket(socket.AF_UNIX) as canary:
            try:
                canary.connect(address or self._listener.getsockname())
            except ConnectionRefusedError:
                return "an abstract socket of the host refused its canary"
        raise OSError(_ESCAPED)

    def _see_no_process(self) -> str:
        try:
            os.kill(self._launcher, 0)
        except ProcessLookupError:
            if os.getpid() == 1:
                return "process 1 of its own"
        raise OSError(_ESCAPED)

    def _find_no_file(self) -> str:
        if os.listdir("/") or os.path.exists("/etc"):
            raise OSError("the root is not empty")
        with contextlib.suppress(OSError):
            os.mkdir("/canary")
        if os.path.exists("/canary"):
            raise OSError(_ESCAPED)
        return "an empty read-only root"

    def _drop_capabilities(self) -> str:
        _rights.drop_capabilities(self._numbers["capset"])
        if any(_rights.capabilities(self._numbers["capget"])):
            raise OSError("capabilities are left")
        with contextlib.suppress(PermissionError):
            os.chroot("/")
            raise OSError(_ESCAPED)
        return "none left"

    def _forbid_new_privileges(self) -> str:
        _rights.forbid_new_privileges()
        if not _rights.new_privileges_forbidden():
            raise OSError("the kernel does not confirm it")
        return "confirmed by the kernel"

    def _deny_files(self) -> str:
        os.close(os.open("/", os.O_RDONLY | os.O_DIRECTORY))  # the canary must live before it may die
        version = _landlock.deny_all(self._numbers)
        try:
            os.close(os.open("/", os.O_RDONLY | os.O_DIRECTORY))
        except PermissionError:
            self.landlock_abi = version
            return f"everything denied, ABI {version}"
        raise OSError(_ESCAPED)

    def _forbid_dumps(self) -> str:
        _rights.forbid_dumps()
        if not _rights.dumps_forbidden():
            raise OSError("the kernel does not confirm it")
        return "confirmed by the kernel"

    def _limit(self) -> str:
        _rights.limit_zygote()
        _in_child(self._run_into_limits)
        return "address space, descriptors, files, processes, core dumps"

    def _run_into_limits(self, _beside: object) -> None:
        _rights.limit_child(self._base_bytes + _CANARY_BYTES)
        _rights.limit_descriptors()
        _must_fail(errno.EMFILE, lambda: [os.dup(0) for _ in range(_rights.DESCRIPTORS + 1)])
        _must_fail(errno.ENOMEM, lambda: mmap.mmap(-1, 2 * _CANARY_BYTES))

    def _filter_calls(self) -> str:
        if self._arch is None:
            raise OSError(f"system call numbers of {os.uname().machine} are not known")
        self.filter = Filter(self._arch)
        try:
            _in_child(self._run_into_filter)
            _in_child(self._call_what_kills, expected_signal=signal.SIGSYS)
        except OSError:
            self.filter = None
            raise
        return f"{self._arch.name}: files, sockets and executable memory refused, tampering killed"

    def _record_refusals(self) -> str:
        """Tries the filters that record in place of the plain one; where they fail, the plain one is used."""
        if self.filter is None:
            raise OSError("needs seccomp")
        _in_child(self._run_into_filter, beside=_Listener())
        _in_child(self._call_what_kills, beside=_Listener(), expected_signal=signal.SIGKILL)
        self.recording = True
        return "a seccomp listener saw its canaries refused, and killed one"

    def _install(self, beside: _Listener | None) -> None:
        assert self.filter is not None
        if beside is None:
            self.filter.install()
        else:
            self.filter.install_recording(beside.child_end, lambda: None)

    def _run_into_filter(self, beside: _Listener | None) -> None:
        numbers = self._numbers
        self._install(beside)
        for name in ("openat", "socket", "prctl", "ioctl", "setuid", "connect", "capget"):
            if name in numbers:
                _must_fail(errno.EPERM, lambda name=name: syscall(numbers[name], 0, 0, 0, 0))  # type: ignore[misc]
        executable = mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC
        private = mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS
        _must_fail(errno.EPERM, lambda: syscall(numbers["mmap"], 0, 4096, executable, private, -1, 0))

    def _call_what_kills(self, beside: _Listener | None) -> None:
        self._install(beside)
        syscall(self._numbers["ptrace"], 0, 0, 0, 0)


class _Listener:
    """The other side of a canary that runs into the filters that record: it answers as the host does."""

    def __init__(self) -> None:
        self._end, self.child_end = socket.socketpair()

    def answer(self, pid: int) -> None:
        """Answers the child's refused calls until it ends; raises OSError if it sends no listener."""
        self.child_end.close()
        _, listeners, _, _ = socket.recv_fds(self._end, 1, 1)
        self._end.close()
        if not listeners:
            raise OSError("the kernel gives no seccomp listener")
        poll = select.poll()
        poll.register(listeners[0], select.POLLIN)
        refusals = Refusals()
        while poll.poll()[0][1] & select.POLLIN:
            if refusals.take(listeners[0]):
                os.kill(pid, signal.SIGKILL)
        os.close(listeners[0])


def _must_fail(code: int, canary: Callable[[], object]) -> None:
    try:
        canary()
    except OSError as error:
        if error.errno == code:
            return
        raise
    raise OSError(_ESCAPED)


def _in_child(
    canary: Callable[[_Listener | None], None], *, beside: _Listener | None = None, expected_signal: int = 0
) -> None:
    """Runs a canary in a child of its own, since what it imposes is for good; raises OSError if it got through."""
    reader, writer = os.pipe()
    pid = os.fork()
    if pid == 0:
        code = 1
        try:
            os.dup2(writer, 0)  # within the descriptor limit
            try:
                canary(beside)
                code = 0
            except OSError as error:
                os.write(0, json.dumps([error.errno, error.strerror or str(error)]).encode())
        finally:
            os._exit(code)
    os.close(writer)
    trouble = ""
    if beside is not None:
        try:
            beside.answer(pid)
        except OSError as error:
            trouble = str(error)
    message = os.read(reader, 4096)
    os.close(reader)
    _, status = os.waitpid(pid, 0)
    if trouble or os.waitstatus_to_exitcode(status) != -expected_signal:
        code, text = json.loads(message) if message else (0, trouble or f"its canary ended with status {status:#x}")
        raise OSError(text if not code else f"[Errno {code}] {text}")
