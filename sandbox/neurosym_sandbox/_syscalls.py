"""System call numbers of the two architectures we know, and raw calls through libc.

Numbers from the kernel's `arch/x86/entry/syscalls/syscall_64.tbl` and `include/uapi/asm-generic/unistd.h` (aarch64).
"""

from __future__ import annotations

import ctypes
import os
import platform
from dataclasses import dataclass

_TABLE = """
acct 163 89, add_key 248 217, adjtimex 159 171, bpf 321 280, brk 12 214, capget 125 90, capset 126 91
chroot 161 51, clock_adjtime 305 266, clock_gettime 228 113, clock_nanosleep 230 115
clock_settime 227 112, clone 56 220, clone3 435 435, close 3 57, close_range 436 436, connect 42 203
delete_module 176 106, dup 32 23, execve 59 221, execveat 322 281, exit 60 93, exit_group 231 94
finit_module 313 273, fork 57 -, fsconfig 431 431, fsmount 432 432, fsopen 430 430, fspick 433 433
fstat 5 80, futex 202 98, getpid 39 172, getrandom 318 278, gettid 186 178, init_module 175 105
io_uring_enter 426 426, io_uring_register 427 427, io_uring_setup 425 425, ioctl 16 29, ioperm 173 -
iopl 172 -, kcmp 312 272, kexec_file_load 320 294, kexec_load 246 104, keyctl 250 219, kill 62 129
landlock_add_rule 445 445, landlock_create_ruleset 444 444, landlock_restrict_self 446 446
lookup_dcookie 212 18, lseek 8 62, madvise 28 233, memfd_create 319 279, memfd_secret 447 447
migrate_pages 256 238, mmap 9 222, modify_ldt 154 -, mount 165 40, mount_setattr 442 442
move_mount 429 429, move_pages 279 239, mprotect 10 226, mremap 25 216, munmap 11 215
name_to_handle_at 303 264, nanosleep 35 101, newfstatat 262 79, open_by_handle_at 304 265
open_tree 428 428, openat 257 56, openat2 437 437, perf_event_open 298 241, pidfd_getfd 438 438
pidfd_open 434 434, pidfd_send_signal 424 424, pivot_root 155 41, prctl 157 167, prlimit64 302 261
process_madvise 440 440, process_vm_readv 310 270, process_vm_writev 311 271, ptrace 101 117
quotactl 179 60, quotactl_fd 443 443, read 0 63, reboot 169 142, request_key 249 218
restart_syscall 219 128, rseq 334 293, rt_sigreturn 15 139, sched_yield 24 124, seccomp 317 277
set_robust_list 273 99, setdomainname 171 162, sethostname 170 161, setns 308 268, setrlimit 160 164
settimeofday 164 170, setuid 105 146, socket 41 198, swapoff 168 225, swapon 167 224, syslog 103 116
tgkill 234 131, umount2 166 39, unshare 272 97, uselib 134 -, userfaultfd 323 282, vfork 58 -
vhangup 153 58, write 1 64
"""
"""Name, number on x86-64, number on aarch64; "-" where the architecture has no such call."""


@dataclass(frozen=True, slots=True)
class Architecture:
    """One machine type: its AUDIT_ARCH constant for seccomp and its numbers by name."""

    name: str
    audit: int
    numbers: dict[str, int]


def _numbers(column: int) -> dict[str, int]:
    rows = [row.split() for row in _TABLE.replace("\n", ",").split(",") if row.strip()]
    return {row[0]: int(row[column]) for row in rows if row[column] != "-"}


ARCHITECTURES = {
    "x86_64": Architecture("x86_64", 0xC000003E, _numbers(1)),
    "aarch64": Architecture("aarch64", 0xC00000B7, _numbers(2)),
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
