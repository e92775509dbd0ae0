"""What a child was refused: the host's end of the seccomp listener, which records, and answers EPERM or lets kill.

A call that the filter does not allow stops in the kernel until this end answers, and never runs: no answer given here
lets one through (the flag for that is not used), and where nobody listens any more the kernel answers ENOSYS by
itself. Only numbers and registers are looked at, never what they point to, which the child could change meanwhile.
Structures and requests: Linux, `include/uapi/linux/seccomp.h`, seccomp_unotify(2).
"""

from __future__ import annotations

import errno
import fcntl
import os
import signal
import struct
from collections.abc import Callable

from neurosym_sandbox._call_lists import KILLED
from neurosym_sandbox._call_table import NUMBERS
from neurosym_sandbox.outcomes import RefusedCall

MAX_DISTINCT = 16
"""Calls that are told apart, by name and class of arguments; further ones are only known to have been cut."""

MAX_ANSWERED = 1000
"""Refusals in one exchange after which nobody listens any more: a flood is not worth the host's time."""

_RECEIVE, _SEND = 0xC0502100, 0xC0182101
_NOTICE = struct.Struct("=QIIiIQ6Q")  # id, process, flags; number, architecture, instruction pointer, arguments
_ANSWER = struct.Struct("=QqiI")

_NAMES = {number: name for name, number in NUMBERS.get(os.uname().machine, {}).items()}
_FAMILIES = {
    1: "AF_UNIX",
    2: "AF_INET",
    10: "AF_INET6",
    16: "AF_NETLINK",
    17: "AF_PACKET",
    38: "AF_ALG",
    40: "AF_VSOCK",
}
_NEW_NAMESPACES = 0x7E020080
_THREAD, _WRITE, _CREATE = 0x10000, 0b11, 0o100


def _signed(word: int) -> int:
    word &= 0xFFFFFFFF
    return word - 2**32 if word >= 2**31 else word


def _open(flags: int) -> str:
    return "to create" if flags & _CREATE else "to write" if flags & _WRITE else "to read"


def _clone(flags: int) -> str:
    if flags & _NEW_NAMESPACES:
        return "in new namespaces"
    return "a thread" if flags & _THREAD else "a process"


def _signal(target: int, number: int) -> str:
    target = _signed(target)
    whom = "a process" if target > 0 else "its group" if target == 0 else "everything" if target == -1 else "a group"
    try:
        name = signal.Signals(number).name if number else "a probe"
    except ValueError:
        name = f"signal {_signed(number)}"
    return f"{name} to {whom}"


_Describe = Callable[..., str]
_CLASSES: dict[str, _Describe] = {
    "open": lambda a: _open(a[1]),
    "openat": lambda a: _open(a[2]),
    "socket": lambda a: _FAMILIES.get(_signed(a[0]), f"family {_signed(a[0])}"),
    "socketpair": lambda a: _FAMILIES.get(_signed(a[0]), f"family {_signed(a[0])}"),
    "clone": lambda a: _clone(a[0]),
    "unshare": lambda a: f"flags {a[0] & 0xFFFFFFFF:#x}",
    "kill": lambda a: _signal(a[0], a[1]),
    "tkill": lambda a: _signal(a[0], a[1]),
    "tgkill": lambda a: _signal(a[0], a[2]),
    "mmap": lambda a: "executable",
    "mprotect": lambda a: "executable",
    "prctl": lambda a: f"option {_signed(a[0])}",
    "ioctl": lambda a: f"request {a[1] & 0xFFFFFFFF:#x}",
    "fcntl": lambda a: f"command {_signed(a[1])}",
    "ptrace": lambda a: f"request {_signed(a[0]):#x}",
    "bpf": lambda a: f"command {_signed(a[0])}",
    "setuid": lambda a: f"user {_signed(a[0])}",
    "setgid": lambda a: f"group {_signed(a[0])}",
}
"""The class of the arguments, where the bare registers tell something."""


class Refusals:
    """The refused calls of one exchange."""

    __slots__ = ("_answered", "_counts", "cut")

    def __init__(self) -> None:
        self._counts: dict[tuple[int, str], int] = {}
        self._answered = 0
        self.cut = False

    def take(self, listener: int) -> str:
        """Answers one call that waits. Returns its name if the caller must now kill the child, else nothing.

        Raises OSError when no call waits any more, or when there were too many: then the listener is to be closed.
        """
        notice = bytearray(_NOTICE.size)
        fcntl.ioctl(listener, _RECEIVE, notice, True)
        identity, _process, _flags, number, _arch, _pointer, *arguments = _NOTICE.unpack(notice)
        name = _NAMES.get(number, f"call {number}")
        describe = _CLASSES.get(name)
        key = (number, describe(arguments) if describe is not None else "")
        if key in self._counts or len(self._counts) < MAX_DISTINCT:
            self._counts[key] = self._counts.get(key, 0) + 1
        else:
            self.cut = True
        if name in KILLED:
            return name
        self._answered += 1
        if self._answered > MAX_ANSWERED:
            self.cut = True
            raise OSError(errno.E2BIG, "too many refused calls")
        fcntl.ioctl(listener, _SEND, bytearray(_ANSWER.pack(identity, 0, -errno.EPERM, 0)), True)
        return ""

    def calls(self) -> tuple[RefusedCall, ...]:
        """Returns what was refused, in the order of the first of each."""
        return tuple(
            RefusedCall(number, _NAMES.get(number, f"call {number}"), arguments, count)
            for (number, arguments), count in self._counts.items()
        )
