"""Landlock without a single rule: everything that this kernel's version of it can handle is denied.

Access bits by ABI version: Linux, `Documentation/userspace-api/landlock.rst` and `include/uapi/linux/landlock.h`.
"""

from __future__ import annotations

import ctypes
import os
from collections.abc import Mapping

from neurosym_sandbox._syscalls import syscall

_CREATE_RULESET_VERSION = 1
_FILE_RIGHTS_BY_ABI = {1: 13, 2: 14, 3: 15, 4: 15}  # from ABI 5 on: 16, with ioctl on devices
_NET_RIGHTS = 0b11  # bind and connect of TCP, from ABI 4 on
_SCOPES = 0b11  # abstract unix sockets and signals, from ABI 6 on


class _Ruleset(ctypes.Structure):
    _fields_ = (
        ("handled_access_fs", ctypes.c_uint64),
        ("handled_access_net", ctypes.c_uint64),
        ("scoped", ctypes.c_uint64),
    )


def abi(numbers: Mapping[str, int]) -> int:
    """Returns the kernel's version of Landlock; raises OSError where there is none or it is switched off."""
    return syscall(numbers["landlock_create_ruleset"], None, 0, _CREATE_RULESET_VERSION)


def deny_all(numbers: Mapping[str, int]) -> int:
    """Restricts the calling thread, for good; needs no_new_privs. Returns the ABI version; raises OSError."""
    version = abi(numbers)
    ruleset = _Ruleset((1 << _FILE_RIGHTS_BY_ABI.get(version, 16)) - 1)
    size = 8
    if version >= 4:
        ruleset.handled_access_net, size = _NET_RIGHTS, 16
    if version >= 6:
        ruleset.scoped, size = _SCOPES, 24
    descriptor = syscall(numbers["landlock_create_ruleset"], ctypes.byref(ruleset), size, 0)
    try:
        syscall(numbers["landlock_restrict_self"], descriptor, 0)
    finally:
        os.close(descriptor)
    return version
