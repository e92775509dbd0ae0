"""Raw system calls through libc, and the two architectures whose numbers we know."""

from __future__ import annotations

import ctypes
import os
import platform
from dataclasses import dataclass

from neurosym_sandbox._call_table import NUMBERS


@dataclass(frozen=True, slots=True)
class Architecture:
    """One machine type: its AUDIT_ARCH constant for seccomp and its numbers by name."""

    name: str
    audit: int
    numbers: dict[str, int]


ARCHITECTURES = {
    "x86_64": Architecture("x86_64", 0xC000003E, NUMBERS["x86_64"]),
    "aarch64": Architecture("aarch64", 0xC00000B7, NUMBERS["aarch64"]),
}


def architecture() -> Architecture | None:
    """Returns the running machine's architecture, or None when its numbers are not known."""
    return ARCHITECTURES.get(platform.machine())


_libc = ctypes.CDLL(None, use_errno=True)
_libc.syscall.restype = ctypes.c_long
_libc.prctl.restype = ctypes.c_int


def syscall(number: int, *arguments: object) -> int:
    """Makes a raw system call with arguments that ctypes understands (long where they are int); raises OSError."""
    longs = [ctypes.c_long(a) if isinstance(a, int) else a for a in arguments]
    result: int = _libc.syscall(ctypes.c_long(number), *longs)
    if result == -1:
        error = ctypes.get_errno()
        raise OSError(error, os.strerror(error))
    return result


def prctl(option: int, second: int = 0, third: int = 0, fourth: int = 0, fifth: int = 0) -> int:
    """Calls prctl(2); raises OSError."""
    result: int = _libc.prctl(
        ctypes.c_int(option),
        ctypes.c_ulong(second),
        ctypes.c_ulong(third),
        ctypes.c_ulong(fourth),
        ctypes.c_ulong(fifth),
    )
    if result == -1:
        error = ctypes.get_errno()
        raise OSError(error, os.strerror(error))
    return result


def libc(function: str, *arguments: object) -> int:
    """Calls a function of libc that returns -1 and sets errno on failure; raises OSError."""
    result: int = getattr(_libc, function)(*arguments)
    if result == -1:
        error = ctypes.get_errno()
        raise OSError(error, f"{function}: {os.strerror(error)}")
    return result
