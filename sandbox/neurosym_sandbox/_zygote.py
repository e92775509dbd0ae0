"""The zygote: an interpreter that has everything imported, is locked away, and forks one child per session.

It speaks `_zygote_protocol` with the host over descriptor 3 and never reads a byte that a child wrote.
"""

from __future__ import annotations

import array
import gc
import os
import random
import socket
from typing import NoReturn

from neurosym_sandbox import _child, _frames, _rights
from neurosym_sandbox import _zygote_protocol as protocol
from neurosym_sandbox._seccomp import Filter

CONTROL = 3
_REAP_S = 0.005


class Zygote:
    """The loop that forks, waits and reports; `filter` is None only in a jail that was asked to do without."""

    def __init__(
        self,
        control: socket.socket,
        filter: Filter | None,
        base_bytes: int,
        hash_seed: int,
        *,
        rlimits: bool,
        recording: bool,
    ) -> None:
        self._control = control
        self._filter = filter
        self._base_bytes = base_bytes
        self._hash_seed = hash_seed
        self._rlimits = rlimits
        self._recording = recording
        self._stage = _child.Stage()
        self._children: dict[int, int] = {}
        self._dying: set[int] = set()

    def run(self) -> NoReturn:
        """Serves the host until it closes the socket, then exits (and in a pid namespace everything with it)."""
        ancillary_bytes = socket.CMSG_SPACE(3 * 4)
        while True:
            self._control.settimeout(_REAP_S if self._dying else None)
            try:
                message, ancillary, _flags, _address = self._control.recvmsg(protocol.MAX_MESSAGE, ancillary_bytes)
            except TimeoutError:
                self._reap()
                continue
            if not message:
                os._exit(0)
            kind = message[:1]
            if kind == b"O":
                _, session, memory_bytes = protocol.OPEN.unpack(message)
                self._open(session, memory_bytes, _descriptors(ancillary))
            else:
                _, session = protocol.SESSION.unpack(message)
                if kind == b"W":
                    self._wait(session)
                else:
                    pid = self._children.pop(session, None)
                    if pid is not None:
                        self._dying.add(pid)
            self._reap()

    def _open(self, session: int, memory_bytes: int, descriptors: list[int]) -> None:
        try:
            pid = os.fork()
        except OSError as error:
            self._control.send(protocol.REFUSED.pack(b"x", session, error.errno or 0))
            pid = -1
        if pid == 0:
            self._become_child(memory_bytes, descriptors)
        if pid > 0:
            self._children[session] = pid
            pidfd = os.pidfd_open(pid)
            socket.send_fds(self._control, [protocol.SESSION.pack(b"o", session)], [pidfd])
            os.close(pidfd)
        for descriptor in descriptors:
            os.close(descriptor)

    def _become_child(self, memory_bytes: int, descriptors: list[int]) -> NoReturn:
        try:
            for target, descriptor in enumerate(descriptors, start=1):
                os.dup2(descriptor, target)
            _rights.close_from(_rights.DESCRIPTORS)
            _rights.die_with_parent()
            random.seed(self._hash_seed)  # fork reseeded it
            gc.enable()
            if self._rlimits:
                _rights.limit_child(self._base_bytes + memory_bytes)
            if self._filter is not None and self._recording:
                channel = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM, 0, _child.CHANNEL)
                self._filter.install_recording(channel, self._limit_descriptors)
                channel.detach()
            else:
                self._limit_descriptors()
                if self._filter is not None:
                    self._filter.install()
            os.write(_child.CHANNEL, _frames.READY)
        except BaseException as error:
            os.write(2, f"{type(error).__name__}: {error}".encode())
            os._exit(1)  # no ready byte was sent: the host blames us, not the candidate
        try:
            _child.serve(self._stage)
        finally:
            os._exit(1)

    def _limit_descriptors(self) -> None:
        if self._rlimits:
            _rights.limit_descriptors()

    def _wait(self, session: int) -> None:
        _, status, usage = os.wait4(self._children.pop(session), 0)
        self._control.send(
            protocol.WAITED.pack(b"w", session, status, usage.ru_utime, usage.ru_stime, usage.ru_maxrss * 1024)
        )

    def _reap(self) -> None:
        for pid in list(self._dying):
            if os.waitpid(pid, os.WNOHANG)[0]:
                self._dying.discard(pid)


def _descriptors(ancillary: list[tuple[int, int, bytes]]) -> list[int]:
    received = array.array("i")
    for level, kind, data in ancillary:
        if level == socket.SOL_SOCKET and kind == socket.SCM_RIGHTS:
            received.frombytes(data[: len(data) - len(data) % received.itemsize])
    return list(received)
