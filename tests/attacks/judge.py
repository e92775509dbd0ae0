"""Runs an attack and says what came of it, from what the host saw alone."""

from __future__ import annotations

import os
import time
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import assert_never

from neurosym_sandbox import (
    DEFAULT_IMPORTS,
    BadValue,
    Crashed,
    Exited,
    Jail,
    Level,
    Limits,
    LoadFailed,
    MemoryExceeded,
    Outcome,
    OutputExceeded,
    Program,
    Raised,
    ResultExceeded,
    Returned,
    Tampered,
    TimedOut,
)
from neurosym_sandbox._layer_names import SWITCHES

from tests.attacks.catalogue import ATTACKS, Attack
from tests.attacks.stage import Stage

LIMITS = Limits(time_s=0.1, load_time_s=0.2, memory_bytes=96 * 2**20, result_bytes=2**20)
_HONEST = Program(
    "import decimal, statistics\n"
    "random = statistics.mean.__globals__['random']\n"
    "def f(x): return x * 2, decimal.getcontext().prec, sum([1, 2]), hash('a'), random.random()\n",
    "f",
)
_DENIED = {"PermissionError", "ImportError", "ModuleNotFoundError", "OSError", "RuntimeError", "FileNotFoundError"}


@dataclass(frozen=True, slots=True)
class Judged:
    """What came of an attack. `reached` says what it got that it must not have, `why` names the mechanism."""

    name: str
    word: str
    why: str
    reached: str
    elapsed_s: float


def word(outcome: Outcome | LoadFailed) -> tuple[str, str]:
    """Returns the kind of ending in a word, and the mechanism in the host's terms."""
    match outcome:
        case LoadFailed(outcome=None, reason=reason):
            return "refused", reason
        case LoadFailed(outcome=inner):
            assert inner is not None
            return word(inner)
        case Returned(value=value):
            refused = isinstance(value, str) and value.startswith("refused")
            return ("denied", str(value)[9:60]) if refused else ("value", type(value).__name__)
        case Raised(exception=exception):
            denied = not _DENIED.isdisjoint(exception.bases) and "RecursionError" not in exception.bases
            return "denied" if denied else "raised", ascii(exception.name)[1:-1]
        case TimedOut(kind=kind):
            return "timeout", kind
        case MemoryExceeded():
            return "memory", "limit"
        case Crashed():
            return "killed" if outcome.signal_name == "SIGSYS" else "crash", outcome.signal_name
        case Exited(code=code):
            return "exit", str(code)
        case BadValue(reason=reason):
            return "bad", ascii(reason)
        case OutputExceeded():
            return "output", "limit"
        case ResultExceeded():
            return "result", "limit"
        case Tampered(reason=reason):
            return "tampered", reason
        case _:
            assert_never(outcome)


def run_all(jail: Jail, attacks: Iterable[Attack], threads: int = 4) -> list[Judged]:
    """Runs attacks side by side, each on a stage of its own, so that those which wait for a limit wait together."""

    def alone(attack: Attack) -> Judged:
        with Stage() as stage:
            return run(jail, attack, stage)

    with ThreadPoolExecutor(threads) as pool:
        return list(pool.map(alone, attacks))


def run(jail: Jail, attack: Attack, stage: Stage) -> Judged:
    """Runs one attack, then an honest program in the same jail."""
    expected = stage.oracle  # held where a search of memory would find it, if it could look here
    program = Program(attack.source, "f", stage.prelude(), DEFAULT_IMPORTS | attack.imports)
    started = time.monotonic()
    with jail.open(program, LIMITS) as session:
        outcome: Outcome | LoadFailed = (
            session.loaded if isinstance(session.loaded, LoadFailed) else session.call((21,))
        )
    elapsed_s = time.monotonic() - started
    ending, why = word(outcome)
    reached = stage.reached()
    if isinstance(outcome, Returned):
        if outcome.value == "ESCAPED":
            reached = reached or "did what it wanted"
        elif type(outcome.value) is int and outcome.value == 42:
            reached = "was seen to return 42"
    if any(secret in repr(outcome) for secret in (stage.token, expected)):
        reached = "read a secret of the host"
    return Judged(attack.name, ending, why, reached or _aftermath(jail), elapsed_s)


def _aftermath(jail: Jail) -> str:
    """Says what the next candidate does not find as it should, or nothing."""
    with jail.open(_HONEST) as session:
        outcome = session.call((21,)) if session.alive else session.loaded
    if not isinstance(outcome, Returned):
        return f"the next candidate: {type(outcome).__name__}"
    value = outcome.value
    if not hasattr(jail, "_pristine"):
        jail._pristine = value  # type: ignore[attr-defined]  # what this jail's first honest program saw
    if not isinstance(value, tuple) or value[:3] != (42, 28, 3) or value != jail._pristine:  # type: ignore[attr-defined]
        return f"the next candidate sees {value}"
    return ""


WITHOUT: dict[str, frozenset[str]] = {
    "all": frozenset(),
    "mandatory": SWITCHES - {"seccomp", "rlimits", "no_new_privs"},
    **{f"-{name}": frozenset({name}) for name in sorted(SWITCHES)},
}
"""Jails by what is left out. Without new privileges forbidden, an ordinary user cannot install a filter either."""

WITHOUT_SECCOMP = ("-no_new_privs", "-seccomp")
"""Weak jails. Only those attacks run there that are harmless everywhere."""

ONLY_SECCOMP = frozenset({"A14", "A15", "B05", "B07", "B09", "C05", "C11", "C15", "D12", "D18", "D20", "D21", "E09"})
"""Kinds of which some get out where there is no seccomp: nothing else of the jail forbids them."""


def attacks_for(column: str, attacks: Iterable[Attack] = ATTACKS) -> list[Attack]:
    """Returns those that may run in the jail of that name."""
    if column == "nothing":
        return [attack for attack in attacks if attack.open]
    return [attack for attack in attacks if column not in WITHOUT_SECCOMP or not attack.seccomp]


def jail_without(name: str) -> Jail:
    """Starts the jail of that name; "nothing" is one that holds nothing, to show that the attacks are real."""
    return Jail(without=WITHOUT.get(name, SWITCHES), level=Level.WEAK)


def resident_bytes() -> int:
    return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
