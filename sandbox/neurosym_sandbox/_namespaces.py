"""A world of its own: user, mount, network, IPC, host name, process and cgroup namespaces, and an empty root.

The sequence for an ordinary user is that of user_namespaces(7), the swap of roots that of pivot_root(2).
"""

from __future__ import annotations

import ctypes
import os
from collections.abc import Mapping

from neurosym_sandbox._syscalls import libc, syscall

KINDS = {"user": 0x10000000, "mnt": 0x00020000, "net": 0x40000000, "ipc": 0x08000000, "uts": 0x04000000,
         "pid": 0x20000000, "cgroup": 0x02000000}  # fmt: skip
"""Names as in /proc/self/ns, flags as for unshare(2)."""

_MS_RDONLY, _MS_NOSUID, _MS_NODEV, _MS_NOEXEC, _MS_REMOUNT = 1, 2, 4, 8, 32
_MS_REC, _MS_PRIVATE = 16384, 1 << 18
_MNT_DETACH = 2
_LOCKED = _MS_NOSUID | _MS_NODEV | _MS_NOEXEC


class NamespacesFailed(Exception):
    """A step of the sequence was refused; the process is half moved and must end. The message names step and reason."""


def identities() -> dict[str, str]:
    """Returns the kernel's names of the namespaces that this process is in; pid is that of its next child."""
    return {kind: os.readlink(f"/proc/self/ns/{'pid_for_children' if kind == 'pid' else kind}") for kind in KINDS}


def enter() -> None:
    """Moves this process (for pid: its next child) into fresh namespaces, as the same user. Needs one thread."""
    uid, gid = os.geteuid(), os.getegid()
    flags = 0
    for flag in KINDS.values():
        flags |= flag
    try:
        libc("unshare", ctypes.c_int(flags))
        for file, text in (("setgroups", "deny"), ("uid_map", f"{uid} {uid} 1"), ("gid_map", f"{gid} {gid} 1")):
            descriptor = os.open(f"/proc/self/{file}", os.O_WRONLY)
            try:
                os.write(descriptor, text.encode())
            finally:
                os.close(descriptor)
    except OSError as error:
        raise NamespacesFailed(str(error)) from None


def enter_empty_root(numbers: Mapping[str, int]) -> None:
    """Makes an empty read-only file system the root, in the mount namespace entered before."""
    try:
        _mount(b"none", b"/", None, _MS_REC | _MS_PRIVATE, None)
        place = next(path for path in (b"/tmp", b"/var", b"/usr", b"/etc", b"/proc") if os.path.isdir(path))
        _mount(b"none", place, b"tmpfs", _LOCKED, b"size=4k,nr_inodes=2,mode=555")
        os.chdir(place)
        syscall(numbers["pivot_root"], b".", b".")
        libc("umount2", b".", ctypes.c_int(_MNT_DETACH))
        os.chdir("/")
        _mount(b"none", b"/", None, _MS_REMOUNT | _MS_RDONLY | _LOCKED, None)
    except (OSError, StopIteration) as error:
        raise NamespacesFailed(f"empty root: {error}") from None


def _mount(source: bytes, target: bytes, kind: bytes | None, flags: int, data: bytes | None) -> None:
    libc("mount", source, target, kind, ctypes.c_ulong(flags), data)
