"""Closed forms in two shapes: what is said of each pair, and how long it takes.

    .venv/bin/python benchmarks/algebra.py            # all pairs of benchmarks/closed_forms.py
    .venv/bin/python benchmarks/algebra.py NAME...    # some of them

An equal pair is right where its reference is proved; one with a slip where it is refuted and its slip is named. Each is
judged by a bench that was prepared before, as a batch does it. Exit code 1 where anything is not as it should be.
"""

from __future__ import annotations

import argparse
import sys
import time
from dataclasses import dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from neurosym_specs.loader import spec_from_toml
from neurosym_specs.verdicts import Proved, Refuted
from neurosym_verifiers.bench import Bench, Effort
from neurosym_verifiers.judgement import Judgement

from benchmarks.closed_forms import PAIRS, Pair


@dataclass(frozen=True, slots=True)
class Line:
    """What came of one pair."""

    pair: Pair
    said: str
    right: bool
    seconds: float


def judged(pair: Pair, effort: Effort) -> Line:
    """The verdict on one pair."""
    with Bench(spec_from_toml(pair.spec), effort) as bench:
        fault = bench.spec_fault()
        if fault is not None:
            return Line(pair, f"SPEC FAULT: {fault.message}", False, 0.0)
        began = time.perf_counter()
        judgement = bench.judge(pair.code)
        seconds = time.perf_counter() - began
    if not isinstance(judgement, Judgement):
        return Line(pair, judgement.message, False, seconds)
    verdict = next(v for obligation, v in judgement.verdicts.items() if obligation.id == "reference")
    slip = judgement.formula.slip if judgement.formula else ""
    match verdict:
        case Proved():
            return Line(pair, "PROVED", not pair.slip, seconds)
        case Refuted():
            return Line(pair, f"REFUTED: {slip or 'no slip named'}", bool(pair.slip) and pair.slip in slip, seconds)
        case _:
            return Line(pair, type(verdict).__name__.upper(), False, seconds)


def main() -> int:
    """Prints the table."""
    parser = argparse.ArgumentParser(description="Judge closed forms in two shapes.")
    parser.add_argument("names", nargs="*")
    parser.add_argument("--time-limit", type=float, default=60.0, help="seconds a pair")
    options = parser.parse_args()
    effort = Effort(time_limit_s=options.time_limit)
    lines: list[Line] = []
    for pair in PAIRS:
        if not options.names or pair.name in options.names:
            lines.append(judged(pair, effort))
            line = lines[-1]
            print(f"{'' if line.right else 'WRONG ':<6}{pair.name:<28}{line.seconds:6.2f} s  {line.said}", flush=True)
    times = sorted(line.seconds for line in lines)
    right = sum(line.right for line in lines)
    if times:
        print(f"{right} of {len(lines)} right; median {times[len(times) // 2]:.2f} s, slowest {times[-1]:.2f} s")
    return 0 if right == len(lines) else 1


if __name__ == "__main__":
    sys.exit(main())
