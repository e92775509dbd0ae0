"""How fast the jail is, against what else runs untrusted Python, measured in turns in the same run.

    python benchmarks/sandbox.py [rounds]

The peers get no more done than a bare interpreter can: start, compute, print, end. A peer that is not installed is left
out. Times are of the wall clock; read the ratios, the milliseconds are this machine's.
"""

from __future__ import annotations

import shutil
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
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
NUMPY = "import numpy as np\ndef f(x): return np.asarray([x, x]).sum().item()\n"


def timed(work: Callable[[], object]) -> float:
    """Returns the milliseconds that `work` takes."""
    started = time.perf_counter()
    work()
    return (time.perf_counter() - started) * 1000


def in_fresh_jail(jail: Jail) -> None:
    with jail.open(Program(SOURCE, "f")) as session:
        outcome = session.call((Decimal(21),))
        if not isinstance(outcome, Returned) or outcome.value != 42:
            raise SystemExit(f"the jail answered {outcome}")


def in_fresh_data(jail: Jail) -> None:
    with jail.open(Program(NUMPY, "f", imports=DATA_IMPORTS)) as session:
        outcome = session.call((21,))
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


def main(rounds: int) -> None:
    start_ms = timed(lambda: Jail().close())
    with Jail() as jail:
        print(f"Python {sys.version.split()[0]}, jail level {jail.level.value}, {rounds} rounds")
        peers: dict[str, Callable[[], object]] = {
            "fresh jail: fork, load, call, close": lambda: in_fresh_jail(jail),
            "python -I -S -c (no jail at all)": lambda: in_process([]),
        }
        if works(BUBBLEWRAP):
            peers["bubblewrap + python -I -S -c"] = lambda: in_process(BUBBLEWRAP)
        if works(NSJAIL):
            peers["nsjail + python -I -S -c"] = lambda: in_process(NSJAIL)
        times: dict[str, list[float]] = {name: [] for name in peers}
        for _ in range(rounds):
            for name, work in peers.items():
                times[name].append(timed(work))
        bare_ms = statistics.median(times["python -I -S -c (no jail at all)"])
        for name in peers:
            show(name, times[name], bare_ms)
        with jail.open(Program(SOURCE, "f")) as session:
            argument = (Decimal(21),)
            calls = [timed(lambda: session.call(argument)) for _ in range(rounds * 20)]
            show("call in a living jail", calls, bare_ms)
            numbers = ([Decimal(n).scaleb(-2) for n in range(1000)],)
            with jail.open(Program("def f(x): return x", "f")) as echo:
                show(
                    "call, 1,000 decimals there and back",
                    [timed(lambda: echo.call(numbers)) for _ in range(100)],
                    bare_ms,
                )
        for said, without in (("recorded", ()), ("not recorded", ["refusals_recorded"])):
            with Jail(without=without) as other, other.open(Program(REFUSED, "f")) as refused:
                call_ms = statistics.median(timed(lambda: refused.call((1,))) for _ in range(20))
                print(f"a refused system call, {said}: {call_ms * 10:.1f} µs")
        print(f"start of a jail, once {start_ms:.0f} ms")
    try:
        data_ms = timed(lambda: Jail(profile="data").close())
    except SandboxUnavailable as reason:
        print(f"profile data: {reason}")
        return
    with Jail(profile="data") as data:
        print(f"start of a jail with numpy and pandas, once {data_ms:.0f} ms")
        show("fresh jail with numpy and pandas", [timed(lambda: in_fresh_data(data)) for _ in range(rounds)], bare_ms)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 200)
