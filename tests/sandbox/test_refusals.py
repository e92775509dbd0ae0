"""A refused system call is evidence: number, name, class of arguments, how often; capped."""

import pytest
from neurosym_sandbox import Crashed, Jail, Limits, Loaded, Program, Raised, Returned
from neurosym_sandbox._call_table import NUMBERS

from tests.attacks.stage import PRELUDE

DEFAULT = Limits()


@pytest.fixture(scope="module")
def jail():
    with Jail() as jail:
        if not next(layer for layer in jail.layers if layer.name == "refusals_recorded").active:
            pytest.skip("the kernel gives no seccomp listener here")
        yield jail


def refused(jail, expression, limits=DEFAULT):
    with jail.open(Program(f"def f(): return {expression}", "f", PRELUDE), limits) as session:
        outcome = session.call(())
        return outcome, [(call.name, call.arguments, call.count) for call in outcome.refused]


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ("open('/etc/passwd')", ("openat", "to read", 1)),
        ("open('/tmp/x', 'w')", ("openat", "to create", 1)),
        ("syscall('socket', 2, 1, 0)", ("socket", "AF_INET", 1)),
        ("[attempt(lambda: os.kill(-1, 9)) for _ in range(5)]", ("kill", "SIGKILL to everything", 5)),
        ("os.kill(1, 0)", ("kill", "a probe to a process", 1)),
        ("syscall('clone', 17, 0, 0, 0, 0)", ("clone", "a process", 1)),
        ("syscall('mmap', 0, 4096, 7, 0x22, -1, 0)", ("mmap", "executable", 1)),
        ("syscall('prctl', 4, 1, 0, 0, 0)", ("prctl", "option 4", 1)),
        ("syscall('ioctl', 1, 0x5412, 0)", ("ioctl", "request 0x5412", 1)),
        ("_syscall(9999)", ("call 9999", "", 1)),
        ("syscall('bpf', 0, 0, 0)", ("bpf", "command 0", 1)),
    ],
)
def test_what_was_refused_is_told(jail, expression, expected):
    outcome, seen = refused(jail, expression)
    assert seen == [expected]
    if expected[0] in NUMBERS["x86_64"]:
        assert outcome.refused[0].number > 0
    assert isinstance(outcome, Crashed if expected[0] == "bpf" else Raised | Returned)


def test_an_honest_program_is_refused_nothing(jail):
    outcome, seen = refused(jail, "sorted(print(n) or -n for n in range(1000))[0]")
    assert isinstance(outcome, Returned)
    assert seen == []


def test_what_is_refused_while_loading_is_told(jail):
    source = "try: open('/etc/passwd')\nexcept OSError: pass\ndef f(): ...\n"
    with jail.open(Program(source, "f")) as session:
        assert isinstance(session.loaded, Loaded)
        assert [call.name for call in session.loaded.refused] == ["openat"]
        assert session.call(()).refused == ()


def test_kinds_are_capped(jail):
    outcome, seen = refused(jail, "[attempt(lambda n=n: _syscall(n)) for n in range(9000, 9100)][0]")
    assert len(seen) == 16
    assert outcome.refused_cut


def test_a_flood_is_no_longer_listened_to(jail):
    """It still gets nothing: the kernel refuses by itself, and what kills does not run either."""
    source = (
        "[attempt(lambda: os.listdir('/')) for _ in range(20000)] and attempt(lambda: syscall('ptrace', 0, 0, 0, 0))"
    )
    outcome, seen = refused(jail, source, Limits(time_s=5))
    assert isinstance(outcome, Returned)
    assert outcome.value == "refused: ENOSYS"
    assert seen == [("openat", "to read", 1001)]
    assert outcome.refused_cut
    assert outcome.usage.wall_s < 5


def test_without_a_listener_calls_are_refused_all_the_same():
    with Jail(without=["refusals_recorded"]) as jail:
        outcome, seen = refused(jail, "attempt(lambda: open('/etc/passwd'))")
        assert isinstance(outcome, Returned)
        assert (outcome.value, seen) == ("refused: EPERM", [])
        outcome, seen = refused(jail, "syscall('ptrace', 0, 0, 0, 0)")
        assert isinstance(outcome, Crashed)
        assert outcome.signal_name == "SIGSYS"
