"""Which system calls a child may make, and which end it: names only, the host reads them too."""

from __future__ import annotations

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
