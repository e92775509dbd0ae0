"""How fast the gate is, beside a cold mypy in the same run, and how often it turns away what is right.

    python benchmarks/gate.py [--exam FOLDER] [--rounds N] [--cold N] [--recorded FOLDER] [--count N] [--json]

FOLDER of ``--exam`` holds a folder for each task, with a spec and candidates, as in ``tests/exam``. Each candidate goes
through the whole gate, warm, ``--rounds`` times in random order; ``--cold`` of them are checked by a new process of
``mypy --strict`` each. Where others use the machine, wall time says little: compare with the ratio, and with the load
average that is printed.

``--recorded`` takes a folder with programs that models wrote and that were run against their own tests (fields and
sources in its README): ``nl2postcond`` and ``quixbugs`` are read. No spec comes with them, so only the steps that need
none are taken: security, existence, types. What these turn away although it passed its tests is counted by step and
shown. ``--count`` of the programs that passed are drawn at random.
"""

from __future__ import annotations

import argparse
import ast
import gzip
import json
import os
import random
import resource
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from neurosym_specs import load_spec

from neurosym import gate
from neurosym.diagnostics import Diagnostic
from neurosym.gate._certain import Certain
from neurosym.gate._hallucinations import find_hallucinations
from neurosym.gate._names import Names
from neurosym.gate._security import check_security
from neurosym.gate._types import TypeFault, Types, check_types, shared_worker
from neurosym.gate._types.worker import Said
from neurosym.safe_text import safe_text
from neurosym.source import Delivered

EXAM = Path(__file__).parents[1] / "tests" / "exam"
TARGET_SHARE = 0.003
GATE_TARGET_MS = 25
MYPY_TARGET_MS = 15


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description="Time the gate, and count what it turns away.", allow_abbrev=False)
    parser.add_argument("--exam", type=Path, default=EXAM)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--cold", type=int, default=5)
    parser.add_argument("--recorded", type=Path)
    parser.add_argument("--count", type=int, default=2_000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args(arguments)
    gate.wait_until_warm()
    document: dict[str, Any] = {"schema_version": 1, "load_average": os.getloadavg()[0]}
    document["speed"] = _speed(options.exam, options.rounds, options.cold, random.Random(options.seed))
    if options.recorded:
        document["recorded"] = _recorded(options.recorded, options.count, random.Random(options.seed))
    if options.json:
        print(json.dumps(document, indent=2))
    else:
        _show(document)
    share = document.get("recorded", {}).get("share_turned_away_but_for_policy", 0)
    return 1 if share > TARGET_SHARE else 0


def _speed(folder: Path, rounds: int, cold: int, chance: random.Random) -> dict[str, Any]:
    jobs = [
        (load_spec(spec), path)
        for place in sorted(folder.iterdir())
        if place.is_dir()
        for spec in place.glob("*.spec.toml")
        for path in sorted(place.glob("*.py"))
    ]
    whole: list[float] = []
    steps: dict[str, list[float]] = {}
    for _ in range(rounds):
        chance.shuffle(jobs)
        for spec, path in jobs:
            begun = time.perf_counter()
            entry = gate.enter(path, spec)
            whole.append(time.perf_counter() - begun)
            for step in entry.steps:
                steps.setdefault(step.name, []).append(step.seconds)
    warm_cpu = [
        said.cpu_s
        for _, path in jobs
        if isinstance(said := shared_worker().check(path.read_text(encoding="utf-8")), Said)
    ]
    before = _children_cpu()
    cold_wall = [_cold(path) for _, path in jobs[:cold]]
    return {
        "candidates": len(jobs),
        "gate_ms": _quantiles(whole),
        "steps_ms": {name: _quantiles(seconds) for name, seconds in steps.items()},
        "cold_mypy_ms": _quantiles(cold_wall),
        "types_processor_ms": _quantiles(warm_cpu),
        "cold_mypy_processor_ms": round(1000 * (_children_cpu() - before) / max(1, cold), 1),
    }


def _children_cpu() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def _cold(path: Path) -> float:
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "candidate.py").write_bytes(path.read_bytes())
        begun = time.perf_counter()
        command = [sys.executable, "-m", "mypy", "--config-file=", "--strict", "--cache-dir=/dev/null", "candidate.py"]
        subprocess.run(command, cwd=folder, capture_output=True, check=False)
        return time.perf_counter() - begun


def _quantiles(seconds: list[float]) -> dict[str, float]:
    ordered = sorted(seconds) or [0.0]
    return {
        "p50": round(1000 * ordered[len(ordered) // 2], 3),
        "p95": round(1000 * ordered[min(len(ordered) - 1, int(len(ordered) * 0.95))], 3),
        "min": round(1000 * ordered[0], 3),
    }


def _recorded(folder: Path, count: int, chance: random.Random) -> dict[str, Any]:
    passed = list(_passed(folder))
    programs = chance.sample(passed, min(count, len(passed)))
    turned_away: Counter[str] = Counter()
    shown: list[str] = []
    faults = 0
    for text in programs:
        found = _look(text)
        if found is None:
            faults += 1
        elif found:
            turned_away[found[0].code] += 1
            shown.append(f"{found[0].code} {found[0].message} | {found[0].source_line.strip()}")
    caught = {
        kind: {"looked_at": len(found), "turned_away": sum(bool(_look(text)) for text in found)}
        for kind, found in _failed(folder, count // 4, chance).items()
    }
    policy = sum(number for code, number in turned_away.items() if code in ("NS410", "NS411", "NS412"))
    everything = sum(turned_away.values())
    return {
        "passed_their_tests": len(passed),
        "looked_at": len(programs),
        "turned_away": dict(sorted(turned_away.items())),
        "share_turned_away": everything / max(1, len(programs)),
        "share_turned_away_but_for_policy": (everything - policy) / max(1, len(programs)),
        "faults": faults,
        "caught_by_what_they_failed_with": caught,
        "examples": shown[:100],
    }


def _passed(folder: Path) -> Iterator[str]:
    """The programs that passed the tests that came with them."""
    verdicts = [row["pass"] for row in _rows(folder / "nl2postcond" / "humaneval_codes_verdicts.jsonl.gz")]
    codes = _rows(folder / "nl2postcond" / "humaneval_codes_dedup.jsonl.gz")
    yield from (row["solution"] for row, good in zip(codes, verdicts, strict=True) if good)
    yield from (row["correct"] for row in _rows(folder / "quixbugs" / "programs.jsonl.gz"))


def _failed(folder: Path, count: int, chance: random.Random) -> dict[str, list[str]]:
    """A sample of the programs that failed in a way that reading them might have shown."""
    kinds = [row["etype"] for row in _rows(folder / "nl2postcond" / "humaneval_codes_verdicts.jsonl.gz")]
    by_kind: dict[str, list[str]] = {"NameError": [], "AttributeError": [], "TypeError": []}
    for row, kind in zip(_rows(folder / "nl2postcond" / "humaneval_codes_dedup.jsonl.gz"), kinds, strict=True):
        if kind in by_kind:
            by_kind[kind].append(row["solution"])
    return {kind: chance.sample(found, min(count, len(found))) for kind, found in by_kind.items()}


def _rows(path: Path) -> Iterator[dict[str, Any]]:
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        for line in lines:
            yield json.loads(line)


def _look(text: str) -> tuple[Diagnostic, ...] | None:
    """What the steps that need no spec say, None where the tool failed."""
    try:
        tree = ast.parse(text)
    except SyntaxError:
        return ()
    source, names = Delivered("program", text, ""), Names(tree)
    security = check_security(tree, names, source).diagnostics
    if security:
        return security
    certain = Certain(tree, names)
    missing = find_hallucinations(tree, names, certain, source)
    if missing:
        return missing
    found = check_types(tree, certain, None, source, Types.SURE, shared_worker())
    return None if isinstance(found, TypeFault) else found.diagnostics


def _show(document: dict[str, Any]) -> None:
    speed = document["speed"]
    print(f"load average                 {document['load_average']:.1f}")
    rows = {"the whole gate": speed["gate_ms"], **speed["steps_ms"], "cold mypy --strict": speed["cold_mypy_ms"]}
    for name, found in rows.items():
        print(f"{name:<28} p50 {found['p50']:8.2f} ms   p95 {found['p95']:8.2f} ms   min {found['min']:8.2f} ms")
    ratio = speed["cold_mypy_ms"]["p50"] / max(speed["steps_ms"].get("types", {}).get("p50", 0.0), 0.001)
    print(f"cold mypy takes {ratio:.0f} times as long as the warm step")
    used, cold = speed["types_processor_ms"], speed["cold_mypy_processor_ms"]
    print(f"processor time of mypy       p50 {used['p50']:8.2f} ms   p95 {used['p95']:8.2f} ms   cold {cold:.0f} ms")
    print(f"targets, p50 on a machine at rest: gate {GATE_TARGET_MS} ms, types {MYPY_TARGET_MS} ms")
    if "recorded" in document:
        found = document["recorded"]
        print(f"\nrecorded programs that passed: {found['passed_their_tests']}, looked at {found['looked_at']}")
        print(f"turned away: {100 * found['share_turned_away']:.2f} %, {found['turned_away']}")
        print(
            f"turned away but for the policy: {100 * found['share_turned_away_but_for_policy']:.2f} % (at most 0.3 %)"
        )
        for kind, caught in found["caught_by_what_they_failed_with"].items():
            print(f"failed with {kind:<17} {caught['turned_away']} of {caught['looked_at']} turned away unrun")
        for line in found["examples"]:
            print("   ", safe_text(line, limit=160))


if __name__ == "__main__":
    sys.exit(main())
