"""The layers of the jail by name: what host and launcher both speak of."""

from __future__ import annotations

SECCOMP, RLIMITS, NO_NEW_PRIVS = "seccomp", "rlimits", "no_new_privs"
NOBODY, CAPABILITIES, LANDLOCK, NOT_DUMPABLE = "unprivileged_user", "no_capabilities", "landlock", "not_dumpable"
NAMESPACES = "namespaces"
EMPTY_ROOT = "empty_root"
NAMESPACE_BY_KIND = {"user": "user_namespace", "mnt": "mount_namespace", "net": "network_namespace",
                     "ipc": "ipc_namespace", "uts": "uts_namespace", "pid": "pid_namespace",
                     "cgroup": "cgroup_namespace"}  # fmt: skip
NAMESPACE_LAYERS = frozenset(NAMESPACE_BY_KIND.values()) | {EMPTY_ROOT}
MANDATORY = frozenset({SECCOMP, RLIMITS, NO_NEW_PRIVS})
SWITCHES = frozenset({NAMESPACES, NOBODY, CAPABILITIES, NO_NEW_PRIVS, LANDLOCK, NOT_DUMPABLE, RLIMITS, SECCOMP})
"""What can be left out on request."""
