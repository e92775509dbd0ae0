"""The system calls a child may still make, as a classic BPF program.

An allow-list: memory, its own descriptors, locks, the clock, and exit. Everything else answers EPERM, so that Python
raises an exception that a model can read; calls that no honest program makes kill the process; a few that libc tries
and can do without answer ENOSYS. Memory can never become executable. A call of a foreign architecture (32-bit entry,
x32) kills.

Where the kernel can, what is refused is also recorded: a first filter has such a call wait for the host, which listens
(`_refusals`), and still allows the two calls that bring the listener to the host; a second one takes these away.

Layout of `struct seccomp_data` and return values: Linux, `include/uapi/linux/seccomp.h`; instructions:
`Documentation/networking/filter.rst`.
"""

from __future__ import annotations

import ctypes
import errno
import os
import socket
import struct
from collections.abc import Callable
from dataclasses import dataclass

from neurosym_sandbox import _frames
from neurosym_sandbox._call_lists import ABSENT, ALLOWED, KILLED
from neurosym_sandbox._syscalls import Architecture, syscall

RET_KILL_PROCESS = 0x80000000
RET_ERRNO = 0x00050000
RET_USER_NOTIF = 0x7FC00000
RET_ALLOW = 0x7FFF0000

_LOAD = 0x20  # BPF_LD | BPF_W | BPF_ABS
_JUMP_EQUAL = 0x15  # BPF_JMP | BPF_JEQ | BPF_K
_JUMP_AT_LEAST = 0x35  # BPF_JMP | BPF_JGE | BPF_K
_JUMP_BITS = 0x45  # BPF_JMP | BPF_JSET | BPF_K
_RETURN = 0x06  # BPF_RET | BPF_K
_NUMBER, _ARCH, _THIRD_ARGUMENT = 0, 4, 16 + 2 * 8  # offsets; the low half of an argument comes first on both machines
_X32_BIT = 0x40000000
_PROT_EXEC = 4
_SET_MODE_FILTER = 1
_NEW_LISTENER = 1 << 3
_HANDING_OVER = ("sendmsg", "prlimit64", "seccomp")
"""What the recording filter leaves open for the sealing one to close."""


@dataclass(frozen=True, slots=True)
class _Jump:
    code: int
    operand: int
    then: str = ""
    otherwise: str = ""


def assemble(arch: Architecture, *, recording: bool = False) -> bytes:
    """Returns the filter for one architecture as an array of `struct sock_filter`; `recording`: the first of two."""
    program = _opening(arch)

    def each(names: tuple[str, ...], target: str) -> None:
        program.extend(_Jump(_JUMP_EQUAL, arch.numbers[n], then=target) for n in names if n in arch.numbers)

    each(tuple(name for name in ALLOWED if name not in ("mmap", "mprotect")), "allow")
    if recording:
        each(_HANDING_OVER, "allow")
    each(("mmap", "mprotect"), "memory")
    if not recording:
        each(KILLED, "kill")
    each(ABSENT, "absent")
    refusal = RET_USER_NOTIF if recording else RET_ERRNO | errno.EPERM
    program += [
        _Jump(_RETURN, refusal),
        "memory",
        _Jump(_LOAD, _THIRD_ARGUMENT),
        _Jump(_JUMP_BITS, _PROT_EXEC, then="refuse", otherwise="allow"),
        "refuse",
        _Jump(_RETURN, refusal),
        "absent",
        _Jump(_RETURN, RET_ERRNO | errno.ENOSYS),
        *_CLOSING,
    ]
    return _resolve(program)


def assemble_seal(arch: Architecture) -> bytes:
    """Returns the second filter: it takes back what the recording one left open, and adds nothing else."""
    program = _opening(arch)
    program += [
        _Jump(_JUMP_EQUAL, arch.numbers["seccomp"], then="kill"),
        _Jump(_JUMP_EQUAL, arch.numbers["sendmsg"], then="refuse"),
        _Jump(_JUMP_EQUAL, arch.numbers["prlimit64"], otherwise="allow"),
        "refuse",
        _Jump(_RETURN, RET_ERRNO | errno.EPERM),
        *_CLOSING,
    ]
    return _resolve(program)


_CLOSING = ("kill", _Jump(_RETURN, RET_KILL_PROCESS), "allow", _Jump(_RETURN, RET_ALLOW))


def _opening(arch: Architecture) -> list[_Jump | str]:
    """Returns the instructions that kill calls of a foreign architecture and load the number of the others."""
    program: list[_Jump | str] = [
        _Jump(_LOAD, _ARCH),
        _Jump(_JUMP_EQUAL, arch.audit, otherwise="kill"),
        _Jump(_LOAD, _NUMBER),
    ]
    if arch.name == "x86_64":
        program.append(_Jump(_JUMP_AT_LEAST, _X32_BIT, then="kill"))
    return program


def _resolve(program: list[_Jump | str]) -> bytes:
    """Turns labels into the forward distances that BPF wants (counted from the next instruction, at most 255)."""
    labels: dict[str, int] = {}
    instructions: list[_Jump] = []
    for item in program:
        if isinstance(item, str):
            labels[item] = len(instructions)
        else:
            instructions.append(item)
    code = b""
    for position, item in enumerate(instructions):
        then, otherwise = (labels[label] - position - 1 if label else 0 for label in (item.then, item.otherwise))
        code += struct.pack("=HBBI", item.code, then, otherwise, item.operand)
    return code


class _FilterProgram(ctypes.Structure):
    _fields_ = (("length", ctypes.c_ushort), ("filter", ctypes.c_char_p))


class _Assembled:
    """A filter in memory, ready to be installed by one call."""

    __slots__ = ("_argument", "_code", "_program")

    def __init__(self, code: bytes) -> None:
        self._code = code
        self._program = _FilterProgram(len(code) // 8, code)
        self._argument = ctypes.byref(self._program)

    def install(self, number: int, flags: int = 0) -> int:
        return syscall(number, _SET_MODE_FILTER, flags, self._argument)


class Filter:
    """The filters of one architecture, assembled once and installed by each child."""

    __slots__ = ("_number", "_plain", "_recording", "_seal")

    def __init__(self, arch: Architecture) -> None:
        self._plain = _Assembled(assemble(arch))
        self._recording = _Assembled(assemble(arch, recording=True))
        self._seal = _Assembled(assemble_seal(arch))
        self._number = arch.numbers["seccomp"]

    def install(self) -> None:
        """Locks the calling thread in, for good; needs no_new_privs. Raises OSError."""
        self._plain.install(self._number)

    def install_recording(self, channel: socket.socket, then: Callable[[], None]) -> None:
        """Locks the calling thread in too, and sends whoever is behind `channel` the listener. Raises OSError.

        `then` runs before the second filter closes what the first left open, and may set a limit. Nothing else may run
        here in between: it would wait for the other side.
        """
        listener = self._recording.install(self._number, _NEW_LISTENER)
        socket.send_fds(channel, [_frames.LISTENER], [listener])
        os.close(listener)
        then()
        self._seal.install(self._number)
