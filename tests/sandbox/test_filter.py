"""The assembled seccomp program, run by an interpreter of classic BPF, for both architectures."""

import errno
import struct

import pytest
from neurosym_sandbox import _seccomp
from neurosym_sandbox._syscalls import ARCHITECTURES

NOTIFY = _seccomp.RET_USER_NOTIF
KILL, ALLOW = _seccomp.RET_KILL_PROCESS, _seccomp.RET_ALLOW
EPERM, ENOSYS = _seccomp.RET_ERRNO | errno.EPERM, _seccomp.RET_ERRNO | errno.ENOSYS


def verdict(code: bytes, audit: int, number: int, arguments: tuple[int, ...] = ()) -> int:
    """Runs a filter on one `struct seccomp_data`, as the kernel would."""
    data = struct.pack("<IIQ6Q", number, audit, 0x7FFF_0000_1234, *(*arguments, *([0] * (6 - len(arguments)))))
    accumulator, position = 0, 0
    while True:
        operation, then, otherwise, operand = struct.unpack_from("<HBBI", code, position * 8)
        position += 1
        match operation:
            case 0x20:
                accumulator = struct.unpack_from("<I", data, operand)[0]
            case 0x15:
                position += then if accumulator == operand else otherwise
            case 0x35:
                position += then if accumulator >= operand else otherwise
            case 0x45:
                position += then if accumulator & operand else otherwise
            case 0x06:
                return int(operand)
            case _:
                raise AssertionError(f"instruction {operation:#x}")


@pytest.fixture(params=["x86_64", "aarch64"])
def arch(request):
    return ARCHITECTURES[request.param]


@pytest.fixture
def judge(arch):
    code = _seccomp.assemble(arch)
    return lambda name, *arguments: verdict(code, arch.audit, arch.numbers[name], arguments)


def test_every_number_has_the_verdict_of_its_list(arch):
    code = _seccomp.assemble(arch)
    names = {number: name for name, number in arch.numbers.items()}
    for number in range(700):
        name = names.get(number)
        lists = {ALLOW: _seccomp.ALLOWED, KILL: _seccomp.KILLED, ENOSYS: _seccomp.ABSENT}
        expected = next((answer for answer, listed in lists.items() if name in listed), EPERM)
        assert verdict(code, arch.audit, number) == expected, (number, name)


def test_what_no_list_names_is_refused(judge):
    for name in ("openat", "openat2", "socket", "connect", "clone", "execve", "prctl", "kill", "ioctl", "memfd_create"):
        assert judge(name) == EPERM
    assert judge("clone3") == ENOSYS


def test_the_recording_filter_lets_nothing_more_through_once_sealed(arch):
    """Two filters are in force together; the kernel takes the stricter answer, in this order."""
    order = [KILL, EPERM, ENOSYS, NOTIFY, ALLOW]
    plain, recording = _seccomp.assemble(arch), _seccomp.assemble(arch, recording=True)
    seal = _seccomp.assemble_seal(arch)
    handing_over = {arch.numbers[name] for name in ("sendmsg", "prlimit64", "seccomp")}
    for number in [*range(700), 0x40000000, 0x40000001, 0xFFFFFFFF]:
        for arguments in ((0, 0, 0), (0, 0, 3), (0, 0, 7)):
            before = verdict(plain, arch.audit, number, arguments)
            both = min((verdict(code, arch.audit, number, arguments) for code in (recording, seal)), key=order.index)
            if number in handing_over:
                assert both == (KILL if number == arch.numbers["seccomp"] else EPERM)
            elif before in (ALLOW, ENOSYS):
                assert both == before
            else:
                assert both in ((NOTIFY, KILL) if before == KILL else (NOTIFY,))
    for code in (recording, seal):
        assert verdict(code, 0x40000003, arch.numbers["read"]) == KILL


@pytest.mark.parametrize("name", ["mmap", "mprotect"])
def test_memory_never_becomes_executable(judge, name):
    for protection in range(16):
        assert judge(name, 0, 4096, protection) == (EPERM if protection & 4 else ALLOW)
    assert judge(name, 0, 4096, 0x1_0000_0007) == EPERM  # the high half does not hide it


def test_foreign_architectures_are_killed(arch):
    code = _seccomp.assemble(arch)
    others = {0xC000003E, 0xC00000B7, 0x40000003, 0x40000028, 0, 0xFFFFFFFF} - {arch.audit}
    for audit in others:  # i386, 32-bit ARM, each other
        assert verdict(code, audit, arch.numbers["read"]) == KILL


def test_x32_is_killed():
    arch = ARCHITECTURES["x86_64"]
    code = _seccomp.assemble(arch)
    for number in (0, 1, 59, 512, 547):
        assert verdict(code, arch.audit, number | 0x40000000) == KILL
    assert verdict(code, arch.audit, 0xFFFFFFFF) == KILL


def test_the_lists_are_disjoint_and_known(arch):
    lists = [set(_seccomp.ALLOWED), set(_seccomp.KILLED), set(_seccomp.ABSENT)]
    assert sum(map(len, lists)) == len(set.union(*lists))
    for name in set.union(*lists) - {"modify_ldt", "iopl", "ioperm", "uselib"}:
        assert name in arch.numbers
    assert len(_seccomp.ALLOWED) <= 30


def test_the_filter_fits_the_kernels_limit(arch):
    assert len(_seccomp.assemble(arch)) // 8 <= 4096
