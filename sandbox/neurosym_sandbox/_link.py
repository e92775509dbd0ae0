"""The host's end of one child: one exchange at a time, under deadlines, reading whatever the child may send."""

from __future__ import annotations

import contextlib
import errno
import os
import select
import signal
import socket
import struct
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from neurosym_sandbox import _frames
from neurosym_sandbox._host import Ending, ProcessClock, ZygoteLost, ZygoteProcess
from neurosym_sandbox._refusals import Refusals
from neurosym_sandbox.errors import SandboxUnavailable
from neurosym_sandbox.limits import CPU_BACKSTOP_S, Limits, wall_limit_s
from neurosym_sandbox.outcomes import RefusedCall, Usage

_READY_S = 10.0
_EXIT_S = 0.1
_CHUNK = 64 * 1024
_PATIENCE = 4
"""Times the backstop on elapsed time that a child may go on which neither sleeps nor is given the processor."""
_GLANCE_S = 0.02
_SPIN_S = 60e-6
_SPINS_SKIPPED = 31
_QUIET_CPU_S = 200e-6
_READABLE = select.POLLIN | select.POLLHUP | select.POLLERR
_CREDENTIALS = struct.Struct("iII")
_DESCRIPTOR = struct.Struct("i")
_ANCILLARY_BYTES = socket.CMSG_SPACE(_CREDENTIALS.size) + socket.CMSG_SPACE(_DESCRIPTOR.size)

_FROM_OUTSIDE = (signal.SIGKILL, signal.SIGTERM)
"""What an administrator, or a system short of memory, sends: no fault of a program raises it. Without the layer seccomp
it could send it to itself, and nothing is known of it then either."""

StopKind = Literal["cpu", "wall", "output", "result", "tampered", "forbidden", "ended"]
"""Limits on processor time, elapsed time, output, result; a broken protocol; a call that is never innocent; a process
that ended by itself."""


@dataclass(frozen=True, slots=True)
class Stop:
    """Why an exchange brought no answer; the child is dead, and `ending` is what wait4 said of it."""

    kind: StopKind
    reason: str
    ending: Ending


@dataclass(frozen=True, slots=True)
class Exchange:
    """What came of one request: the body of the answer, or why there is none, and what was seen meanwhile."""

    answer: bytes | Stop
    usage: Usage
    stdout: bytes
    stderr: bytes
    output_cut: bool
    refused: tuple[RefusedCall, ...]
    refused_cut: bool


class _Stopped(Exception):
    def __init__(self, kind: StopKind, reason: str = "") -> None:
        super().__init__(kind)
        self.kind: StopKind = kind
        self.reason = reason


class _Output:
    """The captured output of one exchange: the beginning is kept, a flood ends it."""

    __slots__ = ("cut", "keep_bytes", "kept", "left_bytes")

    def __init__(self, limits: Limits) -> None:
        self.kept = (bytearray(), bytearray())
        self.keep_bytes = limits.output_bytes
        self.left_bytes = limits.flood_bytes
        self.cut = False

    def add(self, stream: int, data: bytes) -> None:
        kept = self.kept[stream]
        room = self.keep_bytes - len(kept)
        if len(data) > room:
            self.cut = True
        kept += data[:room]
        self.left_bytes -= len(data)
        if self.left_bytes < 0:
            raise _Stopped("output")


class Link:
    """A child and the host's descriptors of it. Any method but `close` may raise `ZygoteLost`: the child is gone then.

    It is asked for when the link is made; `settle` waits until it is ready, so a link can be made ahead of its use.
    """

    def __init__(self, zygote: ZygoteProcess, session: int, limits: Limits) -> None:
        self.limits = limits
        self.on_close: Callable[[], None] | None = None
        self._zygote = zygote
        self._session = session
        self._pidfd = -1
        self._listener = -1
        self._refusals = Refusals()
        self._asked = False
        self._claimed = False
        self._waited = False
        self._clock: ProcessClock | None = None
        self._poll = select.poll()
        self._spins_to_skip = 0
        self._peak_bytes = 0
        self._streams: list[int] = []
        writers: list[int] = []
        try:
            self._channel, theirs = socket.socketpair()
        except OSError as error:
            raise SandboxUnavailable(f"no descriptors for another session: {error}") from error
        try:
            for _ in range(2):
                reader, writer = os.pipe2(os.O_CLOEXEC)
                self._streams.append(reader)
                writers.append(writer)
                os.set_blocking(reader, False)
            self._channel.setblocking(False)
            self._channel.setsockopt(socket.SOL_SOCKET, socket.SO_PASSCRED, 1)
            zygote.request_child(session, limits.memory_bytes, [*writers, theirs.fileno()])
            self._asked = True
        except BaseException as error:
            self.close()
            if isinstance(error, OSError):
                raise SandboxUnavailable(f"no descriptors for another session: {error}") from error
            raise
        finally:
            theirs.close()
            for descriptor in writers:
                os.close(descriptor)
        # The channel comes first: poll looks at descriptors in this order, and a child writes its output before its
        # answer, so when the answer is seen the output is seen in the same round.
        for descriptor in (self._channel.fileno(), *self._streams):
            self._poll.register(descriptor, select.POLLIN)

    def settle(self) -> None:
        """Waits until the child is locked in."""
        try:
            self._claim()
            self._clock = ProcessClock(self._await_ready())
        except BaseException:
            self.close()
            raise

    def _claim(self) -> None:
        self._claimed = True
        self._pidfd = self._zygote.pidfd(self._session)

    def _await_ready(self) -> int:
        """Returns the child's process number, as the kernel attests it, once it is locked in."""
        poll = select.poll()
        poll.register(self._channel, select.POLLIN)
        while True:
            if not poll.poll(_READY_S * 1000):
                raise ZygoteLost("a child was not ready in time")
            try:
                data, ancillary, _flags, _address = self._channel.recvmsg(1, _ANCILLARY_BYTES, socket.MSG_CMSG_CLOEXEC)
            except OSError as error:
                raise ZygoteLost(f"a child could not be locked in: {error}") from error
            pid = 0
            for level, kind, content in ancillary:
                if (level, kind) == (socket.SOL_SOCKET, socket.SCM_CREDENTIALS):
                    pid = _CREDENTIALS.unpack(content)[0]
                elif (level, kind) == (socket.SOL_SOCKET, socket.SCM_RIGHTS) and self._listener < 0:
                    (self._listener,) = _DESCRIPTOR.unpack(content)
                    self._poll.register(self._listener, select.POLLIN)
            if data == _frames.READY and pid > 0:
                return pid
            if data != _frames.LISTENER or self._listener < 0:
                raise ZygoteLost(f"a child could not be locked in: {self._last_words()}")

    def _last_words(self) -> str:
        """Returns what trusted code wrote to stderr before it gave up."""
        try:
            return os.read(self._streams[1], 1000).decode("utf-8", "replace") or "it ended without a word"
        except OSError as error:
            return str(error)

    def exchange(self, body: bytes, cpu_limit_s: float, max_answer_bytes: int) -> Exchange:
        """Sends `body` and waits for the answer; after anything but an answer the child is dead."""
        assert self._clock is not None
        output = _Output(self.limits)
        refusals = self._refusals = Refusals()
        started = time.monotonic()
        cpu_before = self._clock.cpu_s() or 0.0
        try:
            answer: bytes | Stop = self._converse(body, output, started, cpu_before, cpu_limit_s, max_answer_bytes)
            cpu_s = (self._clock.cpu_s() or cpu_before) - cpu_before
            if cpu_s > cpu_limit_s:  # a host that looks late on a busy machine gives no extra time
                raise _Stopped("cpu")
            if cpu_s > _QUIET_CPU_S or not self._peak_bytes:  # less time than it takes to touch a megabyte
                self._peak_bytes = self._clock.peak_memory_bytes()
            peak_bytes = self._peak_bytes
        except _Stopped as stopped:
            ending, by_itself = self._end(stopped)
            kind: StopKind = stopped.kind
            reason = stopped.reason
            if kind == "ended" and not by_itself:
                kind, reason = "tampered", "the result channel was closed by code that kept running"
            elif kind == "ended" and ending.status in _FROM_OUTSIDE and ending.cpu_s < CPU_BACKSTOP_S:
                raise ZygoteLost(self._who_killed(ending.status)) from None
            answer = Stop(kind, reason, ending)
            cpu_s, peak_bytes = max(0.0, ending.cpu_s - cpu_before), ending.peak_memory_bytes
            with contextlib.suppress(_Stopped):
                self._drain(output)
            self.close()
        usage = Usage(cpu_s, time.monotonic() - started, peak_bytes)
        return Exchange(
            answer,
            usage,
            bytes(output.kept[0]),
            bytes(output.kept[1]),
            output.cut,
            refusals.calls(),
            refusals.cut,
        )

    def _converse(
        self,
        body: bytes,
        output: _Output,
        started: float,
        cpu_before: float,
        cpu_limit_s: float,
        max_answer_bytes: int,
    ) -> bytes:
        channel, poll, clock = self._channel, self._poll, self._clock
        assert clock is not None
        call_id = os.urandom(8)
        unsent = self._send(memoryview(_frames.pack(call_id, body)))
        if unsent:
            poll.modify(channel, select.POLLIN | select.POLLOUT)
        received = bytearray()
        expected = 0
        wall_deadline = started + wall_limit_s(cpu_limit_s)
        next_look = min(started + cpu_limit_s, wall_deadline)
        while True:
            now = time.monotonic()
            if now >= next_look:
                used = (clock.cpu_s() or cpu_before) - cpu_before
                if used >= cpu_limit_s:
                    raise _Stopped("cpu")
                if now >= wall_deadline:
                    if not clock.is_kept_waiting():
                        raise _Stopped("wall")
                    if now - started >= _PATIENCE * wall_limit_s(cpu_limit_s):
                        raise ZygoteLost(f"a child had {used:.2g} s of the processor in {now - started:.2g} s")
                next_look = min(now + max(cpu_limit_s - used, 0.001), max(wall_deadline, now + _GLANCE_S))
            ended = False
            for descriptor, event in self._spin() or poll.poll((next_look - now) * 1000 + 0.5):
                if descriptor != channel.fileno():
                    if descriptor == self._listener:
                        self._refuse(event)
                    else:
                        self._read_stream(descriptor, output)
                    continue
                if event & select.POLLOUT and unsent:
                    unsent = self._send(unsent)
                    if not unsent:
                        poll.modify(channel, select.POLLIN)
                if event & _READABLE:
                    data = self._receive(expected - len(received))
                    received += data
                    ended = not data
                    expected = expected or _frame_length(received, call_id, max_answer_bytes)
            if expected and len(received) >= expected:
                if len(received) > expected or unsent:
                    raise _Stopped("tampered", "bytes beyond the answer")
                return bytes(received[_frames.HEADER.size :])
            if ended:
                raise _Stopped("ended", "the answer stops in the middle" if received else "")

    def _spin(self) -> list[tuple[int, int]]:
        """Looks for events for a moment before going to sleep, while that has been paying off.

        Waking a sleeping processor costs more than most calls take (70 of 75 µs of a bare round trip on a small
        virtual machine). On a busy machine the child runs in the host's stead, so a vain spin is not soon repeated.
        """
        if self._spins_to_skip:
            self._spins_to_skip -= 1
            return []
        until = time.perf_counter() + _SPIN_S
        while True:
            events = self._poll.poll(0)
            if events:
                return events
            if time.perf_counter() > until:
                self._spins_to_skip = _SPINS_SKIPPED
                return []

    def _send(self, data: memoryview) -> memoryview:
        """Returns what the socket did not take."""
        try:
            return data[self._channel.send(data, socket.MSG_NOSIGNAL) :]
        except BlockingIOError:
            return data
        except OSError:
            return data[:0]  # the other end is closed; reading will tell

    def _receive(self, missing: int) -> bytes:
        try:
            return self._channel.recv(min(max(missing + 1, _CHUNK), 16 * _CHUNK))
        except OSError:  # ECONNRESET: closed with a request unread
            return b""

    def _read_stream(self, descriptor: int, output: _Output) -> None:
        try:
            data = os.read(descriptor, _CHUNK)
        except OSError:
            return
        if data:
            output.add(self._streams.index(descriptor), data)
        else:
            self._poll.unregister(descriptor)

    def _refuse(self, event: int) -> None:
        """Answers a refused call, or stops listening when there is nobody left to answer or there were too many."""
        try:
            if event & select.POLLIN:
                name = self._refusals.take(self._listener)
                if name:
                    raise _Stopped("forbidden", name)
                return
        except OSError as error:
            if error.errno == errno.ENOENT:  # the caller died before it was heard
                return
        self._stop_listening()

    def _stop_listening(self) -> None:
        if self._listener >= 0:
            self._poll.unregister(self._listener)
            os.close(self._listener)
            self._listener = -1

    def _drain(self, output: _Output) -> None:
        """Reads what a dead child left in its pipes."""
        for stream, descriptor in enumerate(self._streams):
            while True:
                try:
                    data = os.read(descriptor, _CHUNK)
                except OSError:
                    break
                if not data:
                    break
                output.add(stream, data)

    def _end(self, stopped: _Stopped) -> tuple[Ending, bool]:
        """Makes sure that the child is dead; returns how it ended and whether it did so before it was killed."""
        by_itself = False
        if stopped.kind == "ended":
            poll = select.poll()
            poll.register(self._pidfd, select.POLLIN)
            by_itself = bool(poll.poll(_EXIT_S * 1000))
        self._kill()
        ending = self._zygote.wait(self._session)
        self._waited = True
        return ending, by_itself

    def _who_killed(self, sent: int) -> str:
        if sent == signal.SIGKILL and self._zygote.out_of_memory():
            return "the memory of all sessions together ran out"
        return f"something outside of the jail killed a child ({signal.Signals(sent).name}), as a full memory does"

    def _kill(self) -> None:
        with contextlib.suppress(ProcessLookupError):
            signal.pidfd_send_signal(self._pidfd, signal.SIGKILL)

    def close(self) -> None:
        """Kills the child if it lives and gives everything back; may be called again."""
        with contextlib.suppress(ZygoteLost, SandboxUnavailable):
            if self._asked and not self._claimed:
                self._claim()
        if self._pidfd >= 0:
            self._kill()
            os.close(self._pidfd)
            self._pidfd = -1
        if self._asked and not self._waited:
            self._waited = True
            with contextlib.suppress(ZygoteLost):  # without a pidfd the child ends when it finds its socket closed
                self._zygote.forget(self._session)
        if self._clock is not None:
            self._clock.close()
        self._stop_listening()
        self._channel.close()
        for descriptor in self._streams:
            os.close(descriptor)
        self._streams.clear()
        on_close, self.on_close = self.on_close, None
        if on_close is not None:
            on_close()


def _frame_length(received: bytearray, call_id: bytes, max_answer_bytes: int) -> int:
    """Returns the length of the frame that begins in `received`, 0 while that is not known yet."""
    if len(received) < _frames.HEADER.size:
        return 0
    length, answered = _frames.HEADER.unpack_from(received)
    if answered != call_id:
        raise _Stopped("tampered", "a frame that answers no call")
    if length > max_answer_bytes:
        raise _Stopped("result")
    return _frames.HEADER.size + int(length)
