"""The kinds of attack, and how each may end."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Kind:
    title: str
    may: str


_TABLE = """
A01 denied: open a file
A02 denied: open a file by a raw system call, found by walking objects
A03 denied: write to the temporary, shared and current folder
A04 denied: list folders
A06 denied: plant a link for the host to follow
A07 denied: rename, remove, or change the mode, owner, times of host files
A08 denied: read its own /proc
A09 denied: write its own memory through /proc, to patch code
A10 denied: read /proc of others
A11 denied: use inherited descriptors
A13 denied: device nodes
A14 denied killed: open a file by its handle
A15 denied: hoard in a memory file
A16 denied: fill the disk
A17 denied: calls on paths that old filters forget
B01 denied raised: connect through the socket module
B02 denied: connect by raw system calls
B03 denied: an abstract unix socket of the host
B04 denied: a unix socket of the host in its file system
B05 denied: netlink
B07 denied tampered: pass descriptors
B09 denied killed: the kernel's keyrings as a store between runs
B10 denied: resolve names
C01 denied: fork
C02 denied: raw clone, vfork, clone3
C03 denied exit: execute a program
C04 denied killed: execute from memory
C05 denied: signal the host, the zygote, everything
C06 denied: signal by thread, queue or pidfd
C07 denied killed: trace
C08 denied killed: read or write another process's memory
C09 denied killed: take another process's descriptors
C11 denied: priorities, scheduling, affinity
C12 denied: threads
C13 denied: a thread that answers later calls
C14 timeout: replace signal handlers, cancel timers
C15 denied timeout: stop itself
D01 denied killed: io_uring
D02 denied killed: bpf
D03 denied killed: perf events
D04 denied killed: userfaultfd
D05 denied killed: a new user namespace
D06 denied killed: join a namespace
D07 denied killed: mount
D08 denied killed: unmount
D09 denied killed: chroot
D10 denied killed: pivot_root
D11 denied killed: kernel modules, kexec, reboot
D12 denied killed: an own filter
D14 denied killed: descriptor tables and ports of x86
D15 denied killed: look into or move other processes' pages
D16 denied killed: secret memory
D17 killed: a foreign entry into the kernel (x32)
D18 denied: undo what prctl did
D19 denied: become somebody else
D20 denied crash: executable memory
D21 denied: push input into a terminal
D22 denied killed: clock, host name, swap, accounting, quota
E01 memory crash timeout: allocate without end
E02 timeout memory crash: allocate without end and swallow MemoryError
E03 timeout: spin in Python
E04 timeout memory: spin in C
E05 timeout: backtrack in a regular expression
E06 timeout: digits of a huge int, without the limit
E07 output: flood stdout
E08 output: flood stderr
E09 denied: use up descriptors
E10 raised: recurse without end
E11 raised crash memory timeout: overflow the C stack
E12 raised crash memory timeout: nested source, compile bombs
E13 timeout: sleep
E15 timeout: colliding hashes
E16 timeout: deadlock
E17 value timeout raised: finalizers
E19 refused memory value timeout: an enormous source
F01 bad: a result that equals everything
F02 bad: a subclass of int
F03 bad: subclasses of other types
F04 value: a value equal to the right one, of another type
F05 value bad: NaN, infinity, minus zero
F07 value tampered: forge an answer
F08 value: search for the expected value or the oracle
F09 exit: end before the report
F10 exit: SystemExit
F11 raised exit: odd exceptions
F12 raised value denied: rewrite results at exit
F13 value tampered bad raised crash exit timeout memory result: patch the trusted code
F15 tampered: duplicate keys
F16 tampered: malformed frames
F18 result timeout tampered memory: lie about the length
F19 result bad memory timeout: a huge result
F20 bad tampered timeout: huge numbers
F21 bad: lazy results
F22 bad: deep or self-referential results
F24 value raised: odd characters
F25 value: output that imitates the harness
F26 value: change the arguments
F27 value: other answers on later calls
F28 value: answers that depend on time, chance or hash order
F29 value: poison state for the next candidate
F31 timeout tampered bad: read ahead
F32 tampered exit timeout raised denied value: close or replace descriptors
F34 crash value raised bad timeout memory exit tampered: crafted bytecode
F35 crash: crash on purpose
F36 denied raised: import what is blocked
F37 denied: walk to a raw function pointer
F38 value: stay just under the limit
F39 raised: exceptions that imitate the harness
"""


def _kinds() -> dict[str, Kind]:
    kinds = {}
    for line in _TABLE.strip().splitlines():
        head, _, title = line.partition(": ")
        name, _, may = head.partition(" ")
        kinds[name] = Kind(title, may)
    return kinds


KINDS = _kinds()
