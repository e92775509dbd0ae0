"""The system calls a child may still make, as a classic BPF program.

An allow-list: memory, its own descriptors, locks, the clock, and exit. Everything else answers EPERM, so that Python
raises an exception that a model can read; calls that no honest program makes kill the process; a few that libc tries
and can do without answer ENOSYS. Memory can never become executable. A call of a foreign architecture (32-bit entry,
x32) kills. Layout of `struct seccomp_data` and return values: Linux, `include/uapi/linux/seccomp.h`; instructions:
`Documentation/networking/filter.rst`.
"""

from __future__ import annotations

import ctypes
import errno
import struct
from dataclasses import dataclass

from neurosym_sandbox._syscalls import Architecture, syscall

_ALLOWED_NAMES = """
    read write futex mmap munmap mprotect brk mremap madvise close clock_gettime clock_nanosleep nanosleep
    getpid gettid sched_yield rt_sigreturn restart_syscall exit exit_group
"""
ALLOWED = tuple(_ALLOWED_NAMES.split())
"""mmap and mprotect only without PROT_EXEC."""

ABSENT = ("clone3", "rseq", "set_robust_list")
"""Answered with ENOSYS: libc has an older way for each, which is then refused or not needed."""

_KILLED_NAMES = """
    ptrace process_vm_readv process_vm_writev pidfd_getfd kcmp process_madvise move_pages migrate_pages
    io_uring_setup io_uring_enter io_uring_register bpf perf_event_open userfaultfd seccomp memfd_secret
    unshare setns mount umount2 fsopen fsconfig fsmount fspick move_mount open_tree mount_setattr chroot pivot_root
    init_module finit_module delete_module kexec_load kexec_file_load reboot name_to_handle_at open_by_handle_at
    execveat add_key request_key keyctl modify_ldt iopl ioperm clock_settime settimeofday adjtimex clock_adjtime
    sethostname setdomainname swapon swapoff acct quotactl quotactl_fd syslog vhangup lookup_dcookie uselib
"""
KILLED = tuple(_KILLED_NAMES.split())
"""No honest program makes these."""

RET_KILL_PROCESS = 0x80000000
RET_ERRNO = 0x00050000
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


@dataclass(frozen=True, slots=True)
class _Jump:
    code: int
    operand: int
    then: str = ""
    otherwise: str = ""


def assemble(arch: Architecture) -> bytes:
    """Returns the filter for one architecture as an array of `struct sock_filter`."""
    program: list[_Jump | str] = [
        _Jump(_LOAD, _ARCH),
        _Jump(_JUMP_EQUAL, arch.audit, otherwise="kill"),
        _Jump(_LOAD, _NUMBER),
    ]
    if arch.name == "x86_64":
        program.append(_Jump(_JUMP_AT_LEAST, _X32_BIT, then="kill"))

    def each(names: tuple[str, ...], target: str) -> None:
        program.extend(_Jump(_JUMP_EQUAL, arch.numbers[n], then=target) for n in names if n in arch.numbers)

    each(tuple(name for name in ALLOWED if name not in ("mmap", "mprotect")), "allow")
    each(("mmap", "mprotect"), "memory")
    each(KILLED, "kill")
    each(ABSENT, "absent")
    program += [
        _Jump(_RETURN, RET_ERRNO | errno.EPERM),
        "memory",
        _Jump(_LOAD, _THIRD_ARGUMENT),
        _Jump(_JUMP_BITS, _PROT_EXEC, then="refuse", otherwise="allow"),
        "refuse",
        _Jump(_RETURN, RET_ERRNO | errno.EPERM),
        "absent",
        _Jump(_RETURN, RET_ERRNO | errno.ENOSYS),
        "kill",
        _Jump(_RETURN, RET_KILL_PROCESS),
        "allow",
        _Jump(_RETURN, RET_ALLOW),
    ]
    return _resolve(program)


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


class Filter:
    """An assembled filter, ready to be installed by one call in each child."""

    __slots__ = ("_argument", "_code", "_number", "_program")

    def __init__(self, arch: Architecture) -> None:
        self._code = assemble(arch)
        self._program = _FilterProgram(len(self._code) // 8, self._code)
        self._argument = ctypes.byref(self._program)
        self._number = arch.numbers["seccomp"]

    def install(self) -> None:
        """Locks the calling thread in, for good; needs no_new_privs. Raises OSError."""
        syscall(self._number, _SET_MODE_FILTER, 0, self._argument)
