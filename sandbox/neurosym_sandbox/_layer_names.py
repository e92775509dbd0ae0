"""The layers of the jail by name, what host and launcher both speak of, and what to do where one is missing."""

from __future__ import annotations

SECCOMP, RLIMITS, NO_NEW_PRIVS = "seccomp", "rlimits", "no_new_privs"
NOBODY, CAPABILITIES, LANDLOCK, NOT_DUMPABLE = "unprivileged_user", "no_capabilities", "landlock", "not_dumpable"
NAMESPACES = "namespaces"
EMPTY_ROOT = "empty_root"
MEMORY_CGROUP, RECORDING = "memory_cgroup", "refusals_recorded"
NAMESPACE_BY_KIND = {"user": "user_namespace", "mnt": "mount_namespace", "net": "network_namespace",
                     "ipc": "ipc_namespace", "uts": "uts_namespace", "pid": "pid_namespace",
                     "cgroup": "cgroup_namespace"}  # fmt: skip
NAMESPACE_LAYERS = frozenset(NAMESPACE_BY_KIND.values()) | {EMPTY_ROOT}
MANDATORY = frozenset({SECCOMP, RLIMITS, NO_NEW_PRIVS})
OPTIONAL = frozenset({MEMORY_CGROUP, RECORDING})
"""Shown, and required on request, but no part of a level: they hold nothing in."""

SWITCHES = OPTIONAL | {NAMESPACES, NOBODY, CAPABILITIES, NO_NEW_PRIVS, LANDLOCK, NOT_DUMPABLE, RLIMITS, SECCOMP}
"""What can be left out on request."""

NAMES = (SWITCHES - {NAMESPACES}) | NAMESPACE_LAYERS
"""What can be required."""

_NAMESPACES_REMEDY = (
    "allow user namespaces: `sysctl -w user.max_user_namespaces=15000`; on Debian also "
    "`kernel.unprivileged_userns_clone=1`, on Ubuntu 24.04 `kernel.apparmor_restrict_unprivileged_userns=0`; in a "
    "container, a seccomp and AppArmor profile that lets unshare, mount and pivot_root through"
)
REMEDIES = {
    **dict.fromkeys(NAMESPACE_LAYERS, _NAMESPACES_REMEDY),
    SECCOMP: "a kernel with CONFIG_SECCOMP_FILTER on x86-64 or aarch64; in a container, a profile that lets seccomp(2) "
    "through",
    RLIMITS: "let setrlimit(2) through, and lift hard limits on processes, descriptors or address space",
    NO_NEW_PRIVS: "let prctl(2) through",
    NOBODY: "start as an ordinary user, or as root with CAP_SETUID and CAP_SETGID and user 65534 mapped",
    CAPABILITIES: "start as an ordinary user, or let capset(2) and prctl(2) through",
    LANDLOCK: "Linux 5.13 or newer with CONFIG_SECURITY_LANDLOCK, and `landlock` among the `lsm=` boot parameters",
    NOT_DUMPABLE: "let prctl(2) through",
    MEMORY_CGROUP: "run below a cgroup that is yours, such as `systemd-run --user --scope -p Delegate=yes`, with the "
    "memory controller enabled for its children",
    RECORDING: "Linux 5.0 or newer, and no other seccomp listener above this process",
}
"""What would help where the layer is missing."""
