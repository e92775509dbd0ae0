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
import ast
import json
import os
import sys
import time
import traceback
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any, TextIO

sys.path.insert(0, str(Path(__file__).parents[1]))

from neurosym_sandbox import DATA_IMPORTS, Jail, Limits, LoadFailed, Program
from neurosym_specs.model import Policy, Spec
from neurosym_specs.types import IntType
from neurosym_specs.verdicts import FailureClass

from benchmarks.recorded_figures import Arm, document, table
from benchmarks.recorded_sets import Trial, answers, failed, functions
from neurosym.diagnostics import Diagnostic
from neurosym.gate._caps import measure_text, measure_tree
from neurosym.gate._certain import Certain
from neurosym.gate._constants import measure_constants
from neurosym.gate._decoding import decode
from neurosym.gate._hallucinations import find_hallucinations
from neurosym.gate._imports import check_imports
from neurosym.gate._names import Names
from neurosym.gate._parsing import ParserFault, parse
from neurosym.gate._reading import read
from neurosym.gate._security import check_security
from neurosym.gate._types import TypeFault, Types, check_types, shared_worker
from neurosym.rewrite import Rewriting, rewrite
from neurosym.safe_text import safe_text
from neurosym.source import Delivered, Source

SETS = ("pot", "mapcoder", "reflexion", "greedy", "mint", "chatgpt", "nl2postcond")
MEND = ("fences", "prose", "main-block", "prints", "imports")
_NO_SPEC = Spec(name="solution", output=IntType(), inputs={}, policy=Policy(imports=DATA_IMPORTS))
_SAID_EVERY_S = 5.0


@dataclass(frozen=True, slots=True)
class Found:
    """What became of one text: what the gate says (empty where it passes), and what running it came to."""

    gate: str
    run: str


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
    found = {
        "schema_version": 1,
        "load_average": os.getloadavg()[0],
        "arms": {k: document(v) for k, v in arms.items()},
    }
    print(json.dumps(found, indent=2) if options.json else table(arms))
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
        source = _delivered(text)
        found = None if source is None else rewrite(source, _NO_SPEC, MEND)
        return found.source.text if isinstance(found, Rewriting) else text

    def _one(self, text: str, trial: Trial) -> Found:
        source = _delivered(text)
        unread = FailureClass.ENCODING.value if source is None else _unread(source)
        if source is None or unread:
            return Found(unread, unread)
        gate = _gate(source, self._types)
        program = Program(text, trial.function, trial.prelude, DATA_IMPORTS)
        with self._jail.open(program, self._limits) as session:
            if isinstance(session.loaded, LoadFailed):
                outcome = session.loaded.outcome
                return Found(gate, FailureClass.SIGNATURE.value if outcome is None else failed(outcome))
            return Found(gate, trial.judge(session.call(())))


def _unread(source: Delivered) -> str:
    """The class of what keeps a text from being a tree, so that it is not run; empty where nothing does."""
    tree = measure_text(source) or parse(source)
    if isinstance(tree, ParserFault):
        return FailureClass.TOOL.value
    return tree.failure.value if isinstance(tree, Diagnostic) else ""


def _gate(source: Delivered, types: Types) -> str:
    """The class of what the steps behind that find first, of those that need no spec; empty where there is nothing."""
    tree = ast.parse(source.text)
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


def _delivered(text: str) -> Delivered | None:
    """The text as the gate takes it; None where it is none that can be written in UTF-8, or too long."""
    raw = read(Source(text, "program"))
    decoded = raw if isinstance(raw, Diagnostic) else decode(raw, "program")
    return None if isinstance(decoded, Diagnostic) else decoded.source


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


if __name__ == "__main__":
    sys.exit(main())
