"""What the jail does about single hostile acts; `tests/attacks` has the programs that try everything."""

import platform
import threading
from pathlib import Path

import pytest
from neurosym_sandbox import (
    Crashed,
    Exited,
    Jail,
    Limits,
    LoadFailed,
    Outcome,
    OutputExceeded,
    Program,
    ResultExceeded,
    Returned,
    Tampered,
    TimedOut,
)
from neurosym_sandbox._call_table import NUMBERS
from neurosym_sandbox._seccomp import KILLED

from tests.attacks.stage import PRELUDE
from tests.attacks.verdicts import HARNESS


def attack(jail: Jail, source: str, limits: Limits = Limits()) -> Outcome:  # noqa: B008
    with jail.open(Program(source, "f", PRELUDE), limits) as session:
        if isinstance(session.loaded, LoadFailed):
            assert session.loaded.outcome is not None, session.loaded.reason
            return session.loaded.outcome
        return session.call((21,))


@pytest.mark.parametrize("name", [name for name in KILLED if name in NUMBERS[platform.machine()]])
def test_calls_that_are_never_innocent_kill(jail, name):
    outcome = attack(jail, f"def f(x): return syscall({name!r}, 0, 0, 0, 0, 0, 0)")
    assert isinstance(outcome, Crashed)
    assert outcome.signal_name == "SIGSYS"


@pytest.mark.skipif(platform.machine() != "x86_64", reason="an entry of x86")
def test_foreign_entries_kill(jail):
    for number in (0x40000000 + 39, 0x40000000 + 520):
        outcome = attack(jail, f"def f(x): return _syscall({number})")
        assert isinstance(outcome, Crashed)
        assert outcome.signal_name == "SIGSYS"


def test_calls_that_kill_are_named(jail):
    outcome = attack(jail, "def f(x): return syscall('ptrace', 16, 1, 0, 0)")
    assert isinstance(outcome, Crashed)
    assert [(call.name, call.arguments, call.count) for call in outcome.refused] == [("ptrace", "request 0x10", 1)]


def test_noise_on_the_result_channel_is_an_outcome(jail):
    """Whatever bytes a program sends, before its answer, instead of it, or with the right id, the host names it."""
    source = HARNESS + (
        "import random\ndef f(seed):\n    chance = random.Random(seed)\n"
        "    noise = chance.randbytes(chance.choice([1, 11, 12, 13, 40, 5000]))\n"
        "    if chance.random() < 0.5: noise = noise[:4] + harness().f_locals['call_id'] + noise\n"
        "    if chance.random() < 0.5: noise = len(noise).to_bytes(4, 'little') + noise[4:]\n"
        "    os.write(3, noise)\n    if chance.random() < 0.3: os._exit(chance.randrange(3))\n    return 42"
    )
    program = Program(source, "f", prelude=PRELUDE + "import random", imports=frozenset({"random"}))
    kinds = set()
    for seed in range(60):
        with jail.open(program, Limits(time_s=0.05)) as session:
            outcome = session.call((seed,))
            assert isinstance(outcome, Tampered | ResultExceeded | TimedOut | Exited), outcome
            kinds.add(type(outcome))
    assert Tampered in kinds


def test_a_flood_does_not_grow_the_host(jail):
    before = int(Path("/proc/self/statm").read_text().split()[1])
    source = "def f(x):\n    while True: os.write(1, b'x' * 65536)"
    assert isinstance(attack(jail, source), OutputExceeded)
    source = HARNESS + "def f(x):\n    forge(b'[\"returned\",\"' + b'y' * 100_000_000)"
    assert isinstance(attack(jail, source), ResultExceeded)
    assert int(Path("/proc/self/statm").read_text().split()[1]) - before < 16 * 2**20 // 4096


def test_nothing_of_the_hosts_environment_is_inside(monkeypatch):
    monkeypatch.setenv("SECRET_TOKEN", "canary-7d2e")
    source = """
def f(x):
    environ = ctypes.c_void_p.in_dll(libc, "environ").value
    pointers = ctypes.cast(environ, ctypes.POINTER(ctypes.c_char_p)) if environ else []
    found = []
    for number in range(100):
        if not pointers or not pointers[number]: break
        found.append(pointers[number].decode())
    return found + sorted(os.environ)
"""
    with Jail() as jail:
        outcome = attack(jail, source)
    assert isinstance(outcome, Returned)
    assert "canary-7d2e" not in repr(outcome.value)


def test_the_jail_works_from_a_thread_that_ends():
    """The kernel's parent-death signal means the thread, not the process: the launcher must not use it on the host."""
    jails: list[Jail] = []
    thread = threading.Thread(target=lambda: jails.append(Jail()))
    thread.start()
    thread.join()
    with jails[0] as jail:
        assert isinstance(attack(jail, "def f(x): return 1"), Returned)
