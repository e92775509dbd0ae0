"""Many sessions, lost processes, and what is left behind: nothing."""

import contextlib
import gc
import os
import resource
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import neurosym_sandbox
import pytest
from neurosym_sandbox import (
    Jail,
    JailLost,
    Limits,
    Loaded,
    MemoryExceeded,
    Program,
    Returned,
    SandboxError,
    SandboxUnavailable,
    TimedOut,
)

DOUBLE = Program("def f(x): return x * 2", "f")
SANDBOX = str(Path(__file__).resolve().parents[2] / "sandbox")


def children_of(pid: int) -> set[int]:
    try:
        text = Path(f"/proc/{pid}/task/{pid}/children").read_text()
    except OSError:  # it ended while we looked
        return set()
    direct = {int(child) for child in text.split()}
    return direct.union(*(children_of(child) for child in direct)) if direct else set()


@pytest.fixture(autouse=True)
def earlier_children() -> None:
    """Children that other tests of this process have left running on purpose, such as a warm type checker."""
    global EARLIER
    EARLIER = children_of(os.getpid())


EARLIER: set[int] = set()


def own_children() -> set[int]:
    return children_of(os.getpid()) - EARLIER


def only_launcher_zygote_and_spare_are_left() -> bool:
    deadline = time.monotonic() + 2
    while time.monotonic() < deadline:
        if len(own_children()) == 3:
            return True
        time.sleep(0.005)
    return False


def alive(pid: int) -> bool:
    """Whether a process still runs; one that its new parent has yet to collect does not."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def kill(pids: set[int]) -> None:
    for pid in pids:
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)


def descriptors() -> int:
    return len(os.listdir("/proc/self/fd"))


def resident_bytes() -> int:
    return int(Path("/proc/self/statm").read_text().split()[1]) * 4096


def call(jail: Jail) -> object:
    with jail.open(DOUBLE) as session:
        outcome = session.call((21,))
        assert isinstance(outcome, Returned)
        return outcome.value


def test_two_hundred_sessions_leave_nothing_behind():
    with Jail() as jail:
        for _ in range(20):
            call(jail)
        gc.collect()
        open_before, resident_before = descriptors(), resident_bytes()
        for _ in range(200):
            call(jail)
        gc.collect()
        assert descriptors() == open_before
        assert resident_bytes() - resident_before < 2 * 2**20
        assert only_launcher_zygote_and_spare_are_left()
    assert not own_children()


def test_sessions_that_end_badly_leave_nothing_behind():
    with Jail() as jail:
        sources = ["def f(x):\n    while True: pass", "def f(x): raise SystemExit", "1 / 0", "raise SystemExit"]

        def all_of_them() -> None:
            for source in sources:
                with jail.open(Program(source, "f"), Limits(time_s=0.01)) as session:
                    if isinstance(session.loaded, Loaded):
                        session.call((1,))

        all_of_them()
        before = descriptors()
        for _ in range(10):
            all_of_them()
        assert descriptors() == before
        assert only_launcher_zygote_and_spare_are_left()


def test_sessions_live_side_by_side(jail):
    with contextlib.ExitStack() as stack:
        source = "seen = []\ndef f(x):\n    seen.append(x)\n    return list(seen)"
        sessions = [stack.enter_context(jail.open(Program(source, "f"))) for _ in range(8)]
        for round_number in range(3):
            for number, session in enumerate(sessions):
                outcome = session.call((number,))
                assert isinstance(outcome, Returned)
                assert outcome.value == [number] * (round_number + 1)
        sessions[0].close()
        outcome = sessions[1].call((1,))
        assert isinstance(outcome, Returned)


def test_a_lost_zygote_is_replaced_between_sessions():
    with Jail() as jail:
        assert call(jail) == 42
        kill(children_of(os.getpid()))
        assert call(jail) == 42


def test_a_zygote_lost_during_a_call_costs_one_repetition():
    with (
        Jail() as jail,
        jail.open(Program("import time\ndef f(): time.sleep(0.3)\n", "f", imports=frozenset({"time"}))) as session,
    ):
        killer = threading.Timer(0.1, lambda: kill(children_of(os.getpid())))
        killer.start()
        assert isinstance(session.call(()), Returned)
        killer.join()
        assert isinstance(session.call(()), Returned)


def signal_each_call(monkeypatch: pytest.MonkeyPatch, sent: signal.Signals) -> None:
    """Has something outside of the jail send each child a signal, as soon as it is called."""
    from neurosym_sandbox import _link

    pids: dict[_link.Link, int] = {}
    ready, converse = _link.Link._await_ready, _link.Link._converse

    def await_ready(link: _link.Link) -> int:
        pids[link] = ready(link)
        return pids[link]

    def conversed(link: _link.Link, body: bytes, *rest: object) -> bytes:
        if link in loaded:
            os.kill(pids[link], sent)
        loaded.add(link)
        return converse(link, body, *rest)  # type: ignore[arg-type]  # handed through

    loaded: set[_link.Link] = set()
    monkeypatch.setattr(_link.Link, "_await_ready", await_ready)
    monkeypatch.setattr(_link.Link, "_converse", conversed)


@pytest.mark.parametrize("sent", [signal.SIGKILL, signal.SIGTERM, signal.SIGSTOP])
def test_a_child_that_something_else_ends_or_stops_is_not_blamed(monkeypatch, sent):
    signal_each_call(monkeypatch, sent)
    with Jail() as jail:
        with jail.open(DOUBLE, Limits(time_s=0.05)) as session, pytest.raises(JailLost, match="not judged"):
            session.call((21,))
        monkeypatch.undo()
        assert call(jail) == 42


def test_a_program_that_waits_is_timed_out_all_the_same(jail):
    sleeper = Program("import time\ndef f(): time.sleep(100)\n", "f", imports=frozenset({"time"}))
    with jail.open(sleeper, Limits(time_s=0.05)) as session:
        outcome = session.call(())
    assert isinstance(outcome, TimedOut)
    assert outcome.kind == "wall"


def test_a_zygote_lost_twice_is_said(monkeypatch):
    from neurosym_sandbox import _link
    from neurosym_sandbox._host import ZygoteLost

    def lose(*_: object) -> None:
        raise ZygoteLost("for the test")

    with Jail() as jail:
        monkeypatch.setattr(_link.Link, "_await_ready", lose)
        with pytest.raises(JailLost, match="twice"):
            jail.open(DOUBLE)
        monkeypatch.undo()
        assert call(jail) == 42


def test_a_closed_jail_opens_nothing():
    jail = Jail()
    jail.close()
    jail.close()
    with pytest.raises(SandboxError, match="closed"):
        jail.open(DOUBLE)


def test_an_open_session_of_a_closed_jail_is_lost_not_blamed():
    jail = Jail()
    session = jail.open(DOUBLE)
    jail.close()
    with pytest.raises(SandboxError):
        session.call((1,))
    session.close()


def test_a_host_that_is_killed_takes_the_jail_with_it():
    script = f"""
import sys, time
sys.path.insert(0, {SANDBOX!r})
from neurosym_sandbox import *
jail = Jail()
session = jail.open(Program("def f():\\n    while True: pass", "f"), Limits(time_s=60))
print("ready", flush=True)
session.call(())
"""
    host = subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE)
    assert host.stdout is not None
    host.stdout.readline()
    family = children_of(host.pid)
    assert len(family) >= 3  # launcher, zygote, child, and perhaps already a spare for the next session
    host.kill()
    host.wait()
    host.stdout.close()
    deadline = time.monotonic() + 5
    while any(map(alive, family)):
        assert time.monotonic() < deadline, "a process of the jail outlived its host"
        time.sleep(0.01)


def test_the_limit_counts_processor_time_not_elapsed_time(jail):
    """A sleeper uses none; the wall limit is a backstop far behind."""
    program = Program("import time\ndef f():\n    time.sleep(0.3)\n    return 1", "f", imports=frozenset({"time"}))
    with jail.open(program, Limits(time_s=0.1)) as session:
        outcome = session.call(())
        assert isinstance(outcome, Returned)
        assert outcome.usage.cpu_s < 0.1 < outcome.usage.wall_s


def test_time_of_earlier_calls_does_not_count(jail):
    source = "def f(n):\n    for _ in range(n): pass"
    with jail.open(Program(source, "f"), Limits(time_s=0.3)) as session:
        for _ in range(10):
            assert isinstance(session.call((2_000_000,)), Returned)
        assert isinstance(session.call((10**10,)), TimedOut)


def test_a_spare_child_serves_other_limits_too(jail):
    """The next session's child is forked ahead with the limits of the last one; memory is not among what may differ."""
    small, large = Limits(memory_bytes=64 * 2**20), Limits(memory_bytes=512 * 2**20)
    program = Program("def f(n): return len(bytearray(n))", "f")
    for limits, expected in [(small, MemoryExceeded), (large, Returned), (small, MemoryExceeded), (large, Returned)]:
        with jail.open(program, limits) as session:
            assert isinstance(session.call((128 * 2**20,)), expected)


def test_threads_can_share_a_jail(jail):
    def work(number: int) -> None:
        source = f"def f(x): return x + {number}"
        for _ in range(5):
            with jail.open(Program(source, "f")) as session:
                for x in range(20):
                    outcome = session.call((x,))
                    assert isinstance(outcome, Returned)
                    results.append(outcome.value == x + number)

    results: list[bool] = []
    threads = [threading.Thread(target=work, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(results) == 4 * 5 * 20
    assert all(results)


def test_a_hundred_sessions_at_once_are_bounded_and_none_is_lost():
    with Jail(max_sessions=8) as jail:
        call(jail)
        before, others = resident_bytes(), len(children_of(os.getpid()))
        most = [0]

        def work(number: int) -> None:
            with jail.open(Program(f"def f(x): return x + {number}", "f")) as session:
                most.append(len(children_of(os.getpid())))
                outcome = session.call((1,))
                assert isinstance(outcome, Returned)
                results.append(outcome.value)

        results: list[object] = []
        threads = [threading.Thread(target=work, args=(number,)) for number in range(100)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert sorted(map(int, results)) == list(range(1, 101))  # type: ignore[call-overload]
        assert max(most) <= others + 8 + 8  # and those that are on their way out
        assert resident_bytes() - before < 32 * 2**20
        deadline = time.monotonic() + 5
        while len(children_of(os.getpid())) > others:
            assert time.monotonic() < deadline, "children are left"
            time.sleep(0.005)


@pytest.mark.slow
def test_a_hundred_jails_at_once():
    results: list[object] = []

    def work() -> None:
        with Jail() as jail:
            results.append(call(jail))

    threads = [threading.Thread(target=work) for _ in range(100)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert results == [42] * 100
    assert not own_children()


def test_no_room_for_another_session_is_said_after_a_while():
    with Jail(max_sessions=2, wait_s=0.05) as jail, jail.open(DOUBLE), jail.open(DOUBLE) as second:
        with pytest.raises(SandboxUnavailable, match=r"2 sessions of this jail are open.*max_sessions"):
            jail.open(DOUBLE)
        second.close()
        second.close()
        assert call(jail) == 42


def test_sessions_that_end_by_themselves_make_room():
    with Jail(max_sessions=1, wait_s=0.05) as jail:
        for source in ("raise SystemExit", "def f(x): raise SystemExit", "x = 1", "def f(x)", "def f(x): return x * 2"):
            session = jail.open(Program(source, "f"))
            if session.alive:
                session.call((21,))
        session.close()
        with pytest.raises(ValueError, match="max_sessions"):
            Jail(max_sessions=0)


def cgroups() -> set[Path]:
    mine = Path("/proc/self/cgroup").read_text().split()
    kinds = [Path("/sys/fs/cgroup") / kind for kind in ("", "memory")]
    places = [kind / line.rpartition(":")[2][1:] for line in mine for kind in kinds]
    return {folder for place in places for folder in place.glob(f"neurosym-{os.getpid()}-*")}


def test_memory_of_all_sessions_together_is_bounded():
    before = cgroups()
    with Jail(total_memory_bytes=160 * 2**20) as jail:
        if not next(layer for layer in jail.layers if layer.name == "memory_cgroup").active:
            pytest.skip("no cgroup is ours here")
        program = Program("def f(n): return len(bytearray(n))", "f")
        with jail.open(program, Limits(memory_bytes=2**30, time_s=5)) as session:
            assert isinstance(session.call((50 * 2**20,)), Returned)
            with pytest.raises(JailLost, match="memory of all sessions together"):  # it is within its own limit
                session.call((400 * 2**20,))
        assert call(jail) == 42
    assert cgroups() == before


def test_too_few_descriptors_on_the_host_are_said(jail):
    call(jail)
    before = resource.getrlimit(resource.RLIMIT_NOFILE)
    with jail.open(DOUBLE) as session:
        resource.setrlimit(resource.RLIMIT_NOFILE, (3, before[1]))
        try:
            with pytest.raises(SandboxUnavailable, match="descriptors"):
                jail.open(DOUBLE)
            with pytest.raises(SandboxUnavailable, match="descriptors"):
                jail.open(DOUBLE)
        finally:
            resource.setrlimit(resource.RLIMIT_NOFILE, before)
        assert isinstance(session.call((1,)), Returned)


def test_the_zygote_dies_with_the_launcher():
    with Jail() as jail:
        call(jail)
        family = children_of(os.getpid())
        launcher = {int(pid) for pid in Path(f"/proc/{os.getpid()}/task/{os.getpid()}/children").read_text().split()}
        kill(launcher)
        deadline = time.monotonic() + 5
        while any(map(alive, family - launcher)):
            assert time.monotonic() < deadline, "the zygote outlived the launcher"
            time.sleep(0.005)
        assert call(jail) == 42


def test_large_requests_and_answers_pass(jail):
    with jail.open(Program("def f(x): return x[::-1]", "f")) as session:
        outcome = session.call(("ab" * 1_000_000,))
        assert isinstance(outcome, Returned)
        assert outcome.value == "ba" * 1_000_000


def test_the_public_names():
    assert sorted(neurosym_sandbox.__all__) == [
        "BadValue", "Crashed", "DATA_IMPORTS", "DEFAULT_IMPORTS", "EnumMember", "ExceptionInfo", "Exited", "Instance",
        "Jail", "JailLost", "JailRecord", "LAYER_NAMES", "Layer", "Level", "Limits", "LoadFailed", "Loaded",
        "MemoryExceeded", "Module", "NumpyScalar",
        "Outcome", "OutputExceeded", "Package", "Program", "Raised", "RefusedCall", "ResultExceeded", "Returned",
        "SandboxError", "SandboxUnavailable", "Session", "Tampered", "TimedOut", "Usage",
    ]  # fmt: skip


def test_the_example_of_the_readme(capsys):
    text = (Path(SANDBOX) / "README.md").read_text()
    example = text.partition("```python\n")[2].partition("```")[0]
    expected = example.rpartition("# ")[2]
    exec(compile(example, "README.md", "exec"), {})
    assert capsys.readouterr().out == expected


def test_only_the_standard_library_is_loaded():
    code = f"import sys; sys.path.insert(0, {SANDBOX!r}); import neurosym_sandbox; print(*sys.modules)"
    result = subprocess.run([sys.executable, "-S", "-c", code], capture_output=True, text=True, check=True)
    foreign = {name.partition(".")[0] for name in result.stdout.split()} - sys.stdlib_module_names
    assert foreign <= {"neurosym_sandbox", "__main__"}
    assert "ctypes" not in result.stdout.split()  # the host makes no raw system call
