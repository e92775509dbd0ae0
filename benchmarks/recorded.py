"""Replays programs that real models wrote through gate and sandbox, and sets the figures beside the recorded ones.

    python benchmarks/recorded.py FOLDER [--only SET]... [--count N] [--state FILE] [--no-types] [--seconds S] [--json]

FOLDER holds the recordings (its README says which, and where they come from). They are data and no part of this
repository. Sets: ``pot`` (answers by program), ``mapcoder``, ``reflexion``, ``greedy``, ``chatgpt``, ``nl2postcond``
(functions with the tests of HumanEval and MBPP), ``mint`` (dialogues of several turns). ``--count`` takes the first N
of each set.

No spec comes with these programs, so of the gate those steps are taken that need none. Whatever is Python runs in the
jail, so that accuracy can be compared; what the gate turns away although it is right is counted. Of each task there is
the first attempt and the last one as they came, and the last one mended (fences, prose, prints, imports). The tests run
beside the program in its jail, as their authors ran them: that measures programs which nobody wrote to deceive, and is
not how ``verify`` judges. ``--state`` keeps what is known of each program in JSON lines: an interrupted run goes
on behind the last of them.

Exits with 1 if the tool failed on any program, and with 2 where FOLDER is none.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import time
import traceback
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import Any, TextIO

sys.path.insert(0, str(Path(__file__).parents[1]))

from neurosym_sandbox import DATA_IMPORTS, Jail, Limits, LoadFailed, Program
from neurosym_specs.model import Policy, Spec
from neurosym_specs.types import IntType
from neurosym_specs.verdicts import FailureClass

from benchmarks.recorded_sets import RIGHT, Trial, answers, failed, functions
from neurosym.diagnostics import Diagnostic
from neurosym.figures.wilson import Share
from neurosym.gate._caps import measure_text, measure_tree
from neurosym.gate._certain import Certain
from neurosym.gate._constants import measure_constants
from neurosym.gate._hallucinations import find_hallucinations
from neurosym.gate._imports import check_imports
from neurosym.gate._names import Names
from neurosym.gate._parsing import ParserFault, parse
from neurosym.gate._security import check_security
from neurosym.gate._types import TypeFault, Types, check_types, shared_worker
from neurosym.rewrite import RewriteFault, rewrite
from neurosym.safe_text import safe_text
from neurosym.source import Delivered, sha256_of

SETS = ("pot", "mapcoder", "reflexion", "greedy", "mint", "chatgpt", "nl2postcond")
MEND = ("fences", "prose", "main-block", "prints", "imports")
_NO_SPEC = Spec(name="solution", output=IntType(), inputs={}, policy=Policy(imports=DATA_IMPORTS))
_SAID_EVERY_S = 5.0


@dataclass(frozen=True, slots=True)
class Found:
    """What became of one text: what the gate says (empty where it passes), and what running it came to."""

    gate: str
    run: str


@dataclass(slots=True)
class Arm:
    """Counts of one arm, by how often each program was recorded."""

    total: int = 0
    first_ran: int = 0
    first_right: int = 0
    last_right: int = 0
    ran: int = 0
    right: int = 0
    broken: int = 0
    recorded: int = 0
    agrees: int = 0
    mended_agrees: int = 0
    compared: int = 0
    turned_away_right: int = 0
    seconds: float = 0.0
    programs: int = 0
    first: Counter[str] = field(default_factory=Counter)
    mended: Counter[str] = field(default_factory=Counter)

    def add(self, row: dict[str, Any]) -> None:
        """Counts one line of the state."""
        weight, first, last, mended = row["weight"], row["first"], row["last"], row["mended"]
        self.programs += 1
        self.total += weight
        self.first_ran += weight * _ran(first["run"])
        self.first_right += weight * (first["run"] == RIGHT)
        self.last_right += weight * (last["run"] == RIGHT)
        self.ran += weight * _ran(mended["run"])
        self.right += weight * (mended["run"] == RIGHT)
        self.broken += weight * (last["run"] == RIGHT and mended["run"] != RIGHT)
        self.first[first["gate"] or first["run"]] += weight
        self.mended[mended["gate"] or mended["run"]] += weight
        self.turned_away_right += weight * (mended["run"] == RIGHT and bool(mended["gate"]))
        self.seconds += row["seconds"]
        if row["recorded"] is not None:
            self.compared += weight
            self.recorded += weight * row["recorded"]
            self.agrees += weight * (row["recorded"] == (last["run"] == RIGHT))
            self.mended_agrees += weight * (row["recorded"] == (mended["run"] == RIGHT))


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description="Replay recorded programs of real models.", allow_abbrev=False)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--only", action="append", choices=SETS, metavar="SET", help=", ".join(SETS))
    parser.add_argument("--count", type=int, help="the first so many of each set")
    parser.add_argument("--state", type=Path, help="JSON lines of what is known, appended to and gone on from")
    parser.add_argument("--no-types", action="store_true", help="leave the type checker out")
    parser.add_argument("--seconds", type=float, default=3.0, help="processor time of one program")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args(arguments)
    wanted = options.only or SETS
    there = [name for name in wanted if _is_there(options.folder, name)]
    if not there:
        parser.error(f"{options.folder} holds none of the recordings {', '.join(wanted)}")
    arms: dict[str, Arm] = {}
    known = _known(options.state, arms)
    kept = options.state.open("a", encoding="utf-8") if options.state else nullcontext()
    with kept as state, Jail(profile="data") as jail:
        replay = _Replay(jail, options.seconds, Types.OFF if options.no_types else Types.SURE)
        for name in there:
            for row in replay.rows(name, options.folder, known.get(name, 0), options.count):
                _arm(arms, row).add(row)
                _keep(state, row)
    document = {
        "schema_version": 1,
        "load_average": os.getloadavg()[0],
        "arms": {k: _document(v) for k, v in arms.items()},
    }
    print(json.dumps(document, indent=2) if options.json else _table(arms))
    return 1 if any(arm.first["tool"] or arm.mended["tool"] for arm in arms.values()) else 0


class _Replay:
    """Goes through the programs of a set, one after the other."""

    def __init__(self, jail: Jail, seconds: float, types: Types) -> None:
        self._jail = jail
        self._limits = Limits(time_s=seconds, load_time_s=seconds, memory_bytes=512 * 2**20)
        self._types = types

    def rows(self, name: str, folder: Path, done: int, count: int | None) -> Iterator[dict[str, Any]]:
        """What becomes of each program of a set behind the first ``done``, as a line of the state."""
        trials = _trials(folder, name)
        said = begun = time.monotonic()
        for number, trial in enumerate(islice(trials, done, count), done):
            started = time.perf_counter()
            first, last, mended = self._trial(trial)
            yield {
                "set": name,
                "i": number,
                "arm": trial.arm,
                "weight": trial.weight,
                "first": {"gate": first.gate, "run": first.run},
                "last": {"gate": last.gate, "run": last.run},
                "mended": {"gate": mended.gate, "run": mended.run},
                "recorded": trial.recorded,
                "seconds": round(time.perf_counter() - started, 4),
            }
            if time.monotonic() - said > _SAID_EVERY_S:
                said = time.monotonic()
                rate = (number + 1 - done) / (said - begun)
                print(f"{name}: {number + 1:,} programs, {rate:.1f} a second", file=sys.stderr, flush=True)

    def _trial(self, trial: Trial) -> tuple[Found, Found, Found]:
        """The first attempt and the last one as they came, and the last one mended. An equal text is run once."""
        found: dict[str, Found] = {}
        try:
            texts = (trial.attempts[0], trial.attempts[-1], self._mended(trial.attempts[-1]))
            for text in texts:
                if text not in found:
                    found[text] = self._one(text, trial)
            return found[texts[0]], found[texts[1]], found[texts[2]]
        except Exception:
            print(safe_text(traceback.format_exc(limit=-3), limit=2_000, multiline=True), file=sys.stderr)
            fault = Found("", FailureClass.TOOL.value)
            return fault, fault, fault

    def _mended(self, text: str) -> str:
        found = rewrite(_source(text), _NO_SPEC, MEND)
        return text if isinstance(found, RewriteFault) else found.source.text

    def _one(self, text: str, trial: Trial) -> Found:
        gate = _gate(_source(text), self._types)
        if gate in _NO_PYTHON:
            return Found(gate, gate)
        program = Program(text, trial.function, trial.prelude, DATA_IMPORTS)
        with self._jail.open(program, self._limits) as session:
            if isinstance(session.loaded, LoadFailed):
                outcome = session.loaded.outcome
                return Found(gate, FailureClass.SIGNATURE.value if outcome is None else failed(outcome))
            return Found(gate, trial.judge(session.call(())))


_NO_PYTHON = (FailureClass.EXTRACTION.value, FailureClass.ENCODING.value, FailureClass.SYNTAX.value, "size")


def _gate(source: Delivered, types: Types) -> str:
    """The class of what the steps that need no spec find first; empty where there is nothing."""
    if measure_text(source):
        return "size"
    tree = parse(source)
    if isinstance(tree, ParserFault):
        return FailureClass.TOOL.value
    if isinstance(tree, Diagnostic):
        return tree.failure.value
    if (large := measure_tree(tree, source) or measure_constants(tree, source)) is not None:
        return large.failure.value
    names, certain = Names(tree), Certain(tree, Names(tree))
    for found in (
        check_imports(tree, _NO_SPEC, source),
        check_security(tree, names, source).diagnostics,
        find_hallucinations(tree, names, certain, source),
    ):
        if found:
            return found[0].failure.value
    if types is Types.OFF:
        return ""
    checked = check_types(tree, certain, None, source, types, shared_worker())
    if isinstance(checked, TypeFault):
        return FailureClass.TOOL.value
    return checked.diagnostics[0].failure.value if checked.diagnostics else ""


def _source(text: str) -> Delivered:
    return Delivered("program", text, sha256_of(text.encode("utf-8", "surrogatepass")))


def _ran(run: str) -> bool:
    """Whether running it came to a value, right or wrong."""
    return run in (RIGHT, FailureClass.WRONG_VALUE.value)


def _is_there(folder: Path, name: str) -> bool:
    where = {"pot": "pot", "greedy": "pact", "chatgpt": "pact", "reflexion": "mapcoder"}.get(name, name)
    return (folder / where).is_dir()


def _trials(folder: Path, name: str) -> Iterator[Trial]:
    if name == "pot":
        return answers(folder / "pot")
    return next(trials for _, trials in functions(folder, lambda each: each == name))


def _known(state: Path | None, arms: dict[str, Arm]) -> Counter[str]:
    """How many programs of each set a state knows, whose counts go into ``arms``. A torn last line is cut off."""
    known: Counter[str] = Counter()
    if state is None or not state.exists():
        return known
    whole = 0
    with state.open("rb") as lines:
        for line in lines:
            if not line.endswith(b"\n"):
                break
            row = json.loads(line)
            known[row["set"]] += 1
            _arm(arms, row).add(row)
            whole += len(line)
    os.truncate(state, whole)
    return known


def _keep(state: TextIO | None, row: dict[str, Any]) -> None:
    if state is not None:
        state.write(json.dumps(row, separators=(",", ":")) + "\n")
        state.flush()


def _arm(arms: dict[str, Arm], row: dict[str, Any]) -> Arm:
    return arms.setdefault(f"{row['set']}: {row['arm']}", Arm())


def _document(arm: Arm) -> dict[str, Any]:
    def share(hits: int, total: int) -> dict[str, Any]:
        found = Share(hits, total)
        return {"hits": hits, "total": total, "rate": found.rate, "interval": found.interval()}

    return {
        "programs": arm.programs,
        "recorded": arm.total,
        "first_ran": share(arm.first_ran, arm.total),
        "first_right": share(arm.first_right, arm.total),
        "last_right": share(arm.last_right, arm.total),
        "mended_ran": share(arm.ran, arm.total),
        "mended_right": share(arm.right, arm.total),
        "broken_by_mending": share(arm.broken, arm.last_right),
        "recorded_right": share(arm.recorded, arm.compared) if arm.compared else None,
        "last_as_recorded": share(arm.agrees, arm.compared) if arm.compared else None,
        "mended_as_recorded": share(arm.mended_agrees, arm.compared) if arm.compared else None,
        "turned_away_though_right": share(arm.turned_away_right, arm.right),
        "first_classes": dict(arm.first.most_common()),
        "mended_classes": dict(arm.mended.most_common()),
        "seconds": round(arm.seconds, 1),
    }


def _table(arms: dict[str, Arm]) -> str:
    """A line for each arm: the first attempt, the last one, and that mended, beside what the recording says."""
    columns = f"{'n':>7} {'ran':>6} {'right':>6} {'right (95 %)':>20} {'ran':>6} {'right':>6} {'recorded':>8}"
    lines = [f"{'':<40}{'':>7} {'first':>13} {'last':>20} {'last, mended':>13}", f"{'':<40}{columns}"]
    for name, arm in arms.items():
        low, high = Share(arm.last_right, arm.total).interval() or (0.0, 0.0)
        last = f"{_percent(arm.last_right, arm.total)} ({100 * low:.1f}-{100 * high:.1f})"
        lines.append(
            f"{safe_text(name, limit=39):<40}{arm.total:>7} {_percent(arm.first_ran, arm.total):>6} "
            f"{_percent(arm.first_right, arm.total):>6} {last:>20} {_percent(arm.ran, arm.total):>6} "
            f"{_percent(arm.right, arm.total):>6} {_percent(arm.recorded, arm.compared):>8}"
        )
    each = [*arms.values()]
    count, right = sum(arm.programs for arm in each), sum(arm.right for arm in each)
    away, broken = sum(arm.turned_away_right for arm in each), sum(arm.broken for arm in each)
    compared = sum(arm.compared for arm in each)
    agrees, mended = sum(arm.agrees for arm in each), sum(arm.mended_agrees for arm in each)
    lines.append(f"\n{count:,} different programs, {sum(arm.total for arm in each):,} times recorded")
    for title, classes in (("first attempt", "first"), ("last, mended", "mended")):
        whole = sum((getattr(arm, classes) for arm in each), Counter[str]())
        lines.append(f"{title}: " + ", ".join(f"{name} {number:,}" for name, number in whole.most_common()))
    shares = f"{_percent(agrees, compared)} % as it came, {_percent(mended, compared)} % mended"
    lines.append(f"right or wrong as the recording has it: {shares}, of {compared:,}")
    lines.append(f"right, and turned away by the gate: {away:,} of {right:,} ({_percent(away, right)} %)")
    lines.append(f"right, and wrong when it was mended: {broken:,}")
    return "\n".join(lines)


def _percent(hits: int, total: int) -> str:
    return f"{100 * hits / total:.1f}" if total else ""


if __name__ == "__main__":
    sys.exit(main())
