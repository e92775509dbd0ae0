"""How fast the jail is, against what else runs untrusted Python, measured in turns in the same run.

    python benchmarks/sandbox.py [--rounds N]

The peers get no more done than a bare interpreter can: start, compute, print, end. A peer that is not installed is left
out. Times are of the wall clock; read the ratios, the milliseconds are this machine's.
"""

from __future__ import annotations

import argparse
import shutil
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from decimal import Decimal
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "sandbox"))

from neurosym_sandbox import DATA_IMPORTS, Jail, Program, Returned, SandboxUnavailable

SOURCE = "from decimal import Decimal\ndef f(x):\n    return x * 2\n"
SCRIPT = SOURCE + "print(f(Decimal('21')))"
BUBBLEWRAP = ["bwrap", "--unshare-all", "--die-with-parent", "--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc"]
NSJAIL = ["nsjail", "-Mo", "-q", "--disable_proc", "-R", "/", "--"]
REFUSED = """
import dataclasses
os = dataclasses.dataclass.__globals__['sys'].modules["os"]
def f(x):
    for _ in range(100):
        try: os.stat("/")
        except OSError: pass
"""
BARE = "python -I -S -c (no jail at all)"
NUMPY = "import numpy as np\ndef f(x): return np.asarray([x, x]).sum().item()\n"


def timed(work: Callable[[], object]) -> float:
    """Returns the milliseconds that `work` takes."""
    started = time.perf_counter()
    work()
    return (time.perf_counter() - started) * 1000


def in_fresh_jail(jail: Jail, source: str = SOURCE, argument: object = Decimal(21)) -> None:  # frozen
    with jail.open(Program(source, "f", imports=DATA_IMPORTS)) as session:
        check(session.call((argument,)))


def check(outcome: object) -> None:
    if not isinstance(outcome, Returned) or outcome.value != 42:
        raise SystemExit(f"the jail answered {outcome}")


def in_process(command: list[str]) -> None:
    answer = subprocess.run([*command, sys.executable, "-I", "-S", "-c", SCRIPT], capture_output=True, check=True)
    if answer.stdout != b"42\n":
        raise SystemExit(f"{command} answered {answer.stdout!r}")


def works(command: list[str]) -> bool:
    if shutil.which(command[0]) is None:
        return False
    return subprocess.run([*command, "true"], capture_output=True, check=False).returncode == 0


def show(name: str, times_ms: list[float], against_ms: float) -> None:
    p50 = statistics.median(times_ms)
    p95 = statistics.quantiles(times_ms, n=20)[-1]
    print(f"{name:<44} p50 {p50:8.3f} ms   p95 {p95:8.3f} ms   {p50 / against_ms:7.3f} of the bare interpreter")


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description="Time the jail beside others, in turns.", allow_abbrev=False)
    parser.add_argument("--rounds", type=int, default=200, help="how often each is timed, at least 2")
    options = parser.parse_args(arguments)
    if options.rounds < 2:
        parser.error("--rounds: at least 2")
    start_ms = timed(lambda: Jail().close())
    with Jail() as jail:
        print(f"Python {sys.version.split()[0]}, jail level {jail.level.value}, {options.rounds} rounds")
        bare_ms = beside_peers(jail, options.rounds)
        calls(jail, options.rounds, bare_ms)
    refused_calls()
    print(f"start of a jail, once {start_ms:.0f} ms")
    with_data(options.rounds, bare_ms)
    return 0


def beside_peers(jail: Jail, rounds: int) -> float:
    """A program from nothing to its answer, in a jail and elsewhere. Returns the bare interpreter's median, in ms."""
    peers: dict[str, Callable[[], object]] = {
        "fresh jail: fork, load, call, close": lambda: in_fresh_jail(jail),
        BARE: lambda: in_process([]),
    }
    if works(BUBBLEWRAP):
        peers["bubblewrap + python -I -S -c"] = lambda: in_process(BUBBLEWRAP)
    if works(NSJAIL):
        peers["nsjail + python -I -S -c"] = lambda: in_process(NSJAIL)
    times: dict[str, list[float]] = {name: [] for name in peers}
    for _ in range(rounds):
        for name, work in peers.items():
            times[name].append(timed(work))
    bare_ms = statistics.median(times[BARE])
    for name in peers:
        show(name, times[name], bare_ms)
    return bare_ms


def calls(jail: Jail, rounds: int, bare_ms: float) -> None:
    with jail.open(Program(SOURCE, "f")) as session:
        argument = (Decimal(21),)
        show("call in a living jail", [timed(lambda: session.call(argument)) for _ in range(rounds * 20)], bare_ms)
    numbers = ([Decimal(n).scaleb(-2) for n in range(1000)],)
    with jail.open(Program("def f(x): return x", "f")) as echo:
        times = [timed(lambda: echo.call(numbers)) for _ in range(max(2, rounds // 2))]
        show("call, 1,000 decimals there and back", times, bare_ms)


def refused_calls() -> None:
    for said, without in (("recorded", ()), ("not recorded", ["refusals_recorded"])):
        with Jail(without=without) as other, other.open(Program(REFUSED, "f")) as refused:
            call_ms = statistics.median(timed(lambda: refused.call((1,))) for _ in range(20))
            print(f"a refused system call, {said}: {call_ms * 10:.1f} µs")


def with_data(rounds: int, bare_ms: float) -> None:
    """The same with numpy and pandas, which are imported once, when the jail starts."""
    try:
        start_ms = timed(lambda: Jail(profile="data").close())
    except SandboxUnavailable as reason:
        print(f"profile data: {reason}")
        return
    print(f"start of a jail with numpy and pandas, once {start_ms:.0f} ms")
    with Jail(profile="data") as data:
        fresh = [timed(lambda: in_fresh_jail(data, NUMPY, 21)) for _ in range(rounds)]
        show("fresh jail with numpy and pandas", fresh, bare_ms)
        with data.open(Program(NUMPY, "f", imports=DATA_IMPORTS)) as session:
            check(session.call((21,)))
            show("call in it", [timed(lambda: session.call((21,))) for _ in range(rounds * 20)], bare_ms)


if __name__ == "__main__":
    sys.exit(main())
