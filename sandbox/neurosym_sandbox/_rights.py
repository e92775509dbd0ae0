"""Giving up, for good, what a process may do beyond its own memory."""

from __future__ import annotations

import contextlib
import ctypes
import os
import resource
import signal

from neurosym_sandbox._syscalls import prctl, syscall
from neurosym_sandbox.limits import CPU_BACKSTOP_S

NOBODY = 65534

_PR_SET_PDEATHSIG = 1
_PR_GET_DUMPABLE, _PR_SET_DUMPABLE = 3, 4
_PR_CAPBSET_DROP = 24
_PR_SET_SECUREBITS = 28
_PR_SET_NO_NEW_PRIVS, _PR_GET_NO_NEW_PRIVS = 38, 39
_PR_CAP_AMBIENT, _PR_CAP_AMBIENT_CLEAR_ALL = 47, 4
_SECURE_ALL_LOCKED = 0x2F  # NOROOT, NO_SETUID_FIXUP and their locks, KEEP_CAPS_LOCKED
_LAST_CAPABILITY = 63
_CAPABILITY_VERSION_3 = 0x20080522


def die_with_parent() -> None:
    """Has the kernel kill this process when the thread that forked it ends."""
    prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)


def become_nobody() -> None:
    """Leaves root for the user and group `nobody`, and stays able to set up a user namespace. Raises OSError."""
    os.setgroups([])
    os.setresgid(NOBODY, NOBODY, NOBODY)
    os.setresuid(NOBODY, NOBODY, NOBODY)
    prctl(_PR_SET_DUMPABLE, 1)  # else /proc/self/uid_map belongs to root


def drop_capabilities(number_capset: int) -> None:
    """Empties every capability set, the bounding set where that is allowed. Raises OSError."""
    for capability in range(_LAST_CAPABILITY + 1):
        try:
            prctl(_PR_CAPBSET_DROP, capability)
        except OSError:  # EPERM without CAP_SETPCAP: then there is nothing to drop; EINVAL past the last one
            break
    with contextlib.suppress(OSError):  # needs CAP_SETPCAP too
        prctl(_PR_SET_SECUREBITS, _SECURE_ALL_LOCKED)
    prctl(_PR_CAP_AMBIENT, _PR_CAP_AMBIENT_CLEAR_ALL)
    header = (ctypes.c_uint32 * 2)(_CAPABILITY_VERSION_3, 0)
    syscall(number_capset, ctypes.byref(header), ctypes.byref((ctypes.c_uint32 * 6)()))


def capabilities(number_capget: int) -> tuple[int, ...]:
    """Returns effective, permitted and inheritable capabilities as six words."""
    header = (ctypes.c_uint32 * 2)(_CAPABILITY_VERSION_3, 0)
    data = (ctypes.c_uint32 * 6)()
    syscall(number_capget, ctypes.byref(header), ctypes.byref(data))
    return tuple(data)


def forbid_new_privileges() -> None:
    prctl(_PR_SET_NO_NEW_PRIVS, 1)


def new_privileges_forbidden() -> bool:
    return prctl(_PR_GET_NO_NEW_PRIVS) == 1


def forbid_dumps() -> None:
    """Makes the process unreadable for others of the same user (ptrace, /proc/pid/mem) and without core dumps."""
    prctl(_PR_SET_DUMPABLE, 0)


def dumps_forbidden() -> bool:
    return prctl(_PR_GET_DUMPABLE) == 0


def close_from(first: int) -> None:
    """Closes every descriptor from `first` on, one call where the kernel has it."""
    os.closerange(first, 2**31 - 1)


DESCRIPTORS = 4
"""stdin, stdout, stderr, and the socket for requests and results."""


def limit_zygote() -> None:
    """Sets the limits that no child needs to differ in."""
    for kind in (resource.RLIMIT_CORE, resource.RLIMIT_FSIZE, resource.RLIMIT_MEMLOCK, resource.RLIMIT_MSGQUEUE):
        resource.setrlimit(kind, (0, 0))
    soft, hard = resource.getrlimit(resource.RLIMIT_STACK)
    stack = 8 * 2**20
    if hard == resource.RLIM_INFINITY or hard > stack:
        resource.setrlimit(resource.RLIMIT_STACK, (min(soft, stack) if soft > 0 else stack, stack))


def limit_child(address_space_bytes: int) -> None:
    """Sets a child's limits but for descriptors; soft and hard are the same, so they can only be lowered."""
    setrlimit = resource.setrlimit
    setrlimit(resource.RLIMIT_AS, (address_space_bytes, address_space_bytes))
    setrlimit(resource.RLIMIT_NPROC, (0, 0))
    setrlimit(resource.RLIMIT_CPU, (CPU_BACKSTOP_S, CPU_BACKSTOP_S))


def limit_descriptors() -> None:
    """Sets the limit that comes last: a child with it can send no descriptor while its user has more in flight."""
    resource.setrlimit(resource.RLIMIT_NOFILE, (DESCRIPTORS, DESCRIPTORS))


def address_space_bytes() -> int:
    """Returns how much address space this process maps now; needs /proc."""
    with open("/proc/self/statm", encoding="ascii") as file:
        return int(file.read().split()[0]) * resource.getpagesize()


def thread_count() -> int:
    """Returns the number of threads of this process; needs /proc."""
    return len(os.listdir("/proc/self/task"))
