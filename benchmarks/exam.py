"""Judges a folder of labelled candidates, and says how often the verdicts are right and how long they take.

    python benchmarks/exam.py FOLDER [--json] [--tasks a,b] [--seed N] [--seeds N] [--time-limit S] [--examples N]

FOLDER holds a folder for each task: ``<function>.spec.toml``, ``correct_*.py``, ``wrong_*.py`` and ``labels.json``
(``{"candidates": {"wrong_1.py": {"label": "wrong", ...}}}``). A candidate without a label there is labelled by its file
name. Candidates go through the public ``verify``, all of a task in one call and so on one bench.

Wrong verdicts, which make the exit code 1, are: a correct candidate REFUTED or REJECTED, a wrong one PROVED, an ERROR,
and a SPEC FAULT. A wrong candidate that is only TESTED or UNKNOWN is *missed*: the verdict is true as far as it goes,
and the summary names it.

``seconds`` is wall time. What is done once for a task (reading the spec, checking it, starting the sandbox, drawing
inputs) is charged to the task's first candidate: its seconds are those that somebody with one candidate would wait,
without the start of Python itself.

``--json`` prints one object on stdout::

    {"schema_version": 1,
     "candidates": [{"task", "file", "seed", "label", "verdict", "obligations": [{"id", "verdict", "method"}],
                     "seconds", "counterexample"}],
     "summary": {...}}
"""

from __future__ import annotations

import argparse
import math
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from neurosym_specs.verdicts import Proved, Refuted, word

from neurosym import Effort, Judged, NeurosymError, Rejected, SpecError, Standing, ToolFault, verify
from neurosym.batch.outline import SPEC_FAULT
from neurosym.benching.exams import CORRECT, WRONG, Task, chosen_of, tasks_in
from neurosym.reports.json import counterexample_of, dump
from neurosym.result import CandidateResult
from neurosym.safe_text import safe_text

SCHEMA_VERSION = 1


@dataclass(frozen=True, slots=True)
class Mark:
    """What was found of one candidate under one seed."""

    task: str
    file: str
    seed: int
    label: str
    verdict: str
    obligations: tuple[Mapping[str, str], ...]
    methods: tuple[str, ...]
    seconds: float
    counterexample: Mapping[str, Any] | None
    remark: str

    @property
    def is_wrong_verdict(self) -> bool:
        """Whether the verdict says something that is not so, or the tool failed."""
        if self.verdict in (SPEC_FAULT, Standing.ERROR.value):
            return True
        turned_away = self.verdict in (Standing.REFUTED.value, Standing.REJECTED.value)
        return turned_away if self.label == CORRECT else self.verdict == Standing.PROVED.value

    @property
    def is_missed(self) -> bool:
        """Whether a wrong candidate was neither refuted nor rejected, nor called right."""
        return self.label == WRONG and self.verdict in (Standing.TESTED.value, Standing.UNKNOWN.value)


def main(arguments: Sequence[str] | None = None) -> int:
    options = _parser().parse_args(arguments)
    try:
        tasks = chosen_of(list(tasks_in(options.folder)), options.tasks)
    except ValueError as error:
        print(f"exam: {safe_text(str(error))}", file=sys.stderr)
        return 2
    marks: list[Mark] = []
    for seed in range(options.seed, options.seed + options.seeds):
        effort = Effort(seed=seed, examples=options.examples, time_limit_s=options.time_limit)
        for task in tasks:
            try:
                found = sit(task, effort)
            except SpecError as error:
                found = [_unjudged(task, path, effort.seed, str(error)) for path in task.candidates]
            except NeurosymError as error:
                print(f"exam: {safe_text(str(error))}", file=sys.stderr)
                return error.exit_code
            except Exception as error:  # the tool failed on this task: that is counted, and the others go on
                message = f"{type(error).__name__}: {error}"
                found = [_unjudged(task, path, seed, message, Standing.ERROR.value) for path in task.candidates]
            marks += found
            if not options.json:
                for mark in found:
                    _show(mark, several_seeds=options.seeds > 1)
    summary = _summary(marks)
    if options.json:
        document = {
            "schema_version": SCHEMA_VERSION,
            "candidates": [_document(mark) for mark in marks],
            "summary": summary,
        }
        print(dump(document))
    else:
        _show_summary(summary)
    return 1 if any(mark.is_wrong_verdict for mark in marks) else 0


def _parser() -> argparse.ArgumentParser:
    default = Effort()
    parser = argparse.ArgumentParser(description="Judge a folder of labelled candidates.", allow_abbrev=False)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--json", action="store_true", help="one JSON object on stdout")
    parser.add_argument("--tasks", default="", help="names of tasks, or beginnings of them, separated by commas")
    parser.add_argument("--seed", type=int, default=default.seed)
    parser.add_argument("--seeds", type=_positive(int), default=1, help="how many seeds, from --seed on")
    parser.add_argument("--time-limit", type=_positive(float), default=default.time_limit_s, help="seconds a candidate")
    parser.add_argument("--examples", type=_positive(int), default=default.examples)
    return parser


def _positive(kind: type[int] | type[float]) -> Callable[[str], int | float]:
    def positive(text: str) -> int | float:
        number = kind(text)
        if not 0 < number < math.inf:
            raise argparse.ArgumentTypeError(f"{text} is not above 0")
        return number

    return positive


def sit(task: Task, effort: Effort) -> list[Mark]:
    begun = time.perf_counter()
    result = verify(task.spec, *task.candidates, effort=effort)
    elapsed = time.perf_counter() - begun
    if result.spec_fault is not None:
        return [_unjudged(task, path, effort.seed, result.spec_fault.message) for path in task.candidates]
    once = elapsed - sum(candidate.seconds for candidate in result.candidates)
    return [
        _mark(task, path, effort.seed, candidate, once if place == 0 else 0.0)
        for place, (path, candidate) in enumerate(zip(task.candidates, result.candidates, strict=True))
    ]


def _mark(task: Task, path: Path, seed: int, result: CandidateResult, once: float) -> Mark:
    obligations: list[Mapping[str, str]] = []
    methods: list[str] = []
    counterexample: Mapping[str, Any] | None = None
    remark = ""
    match result.outcome:
        case Rejected(diagnostics):
            remark = f"{diagnostics[0].code} {diagnostics[0].message}"
        case ToolFault(message):
            remark = message
        case Judged(judgement):
            for obligation, verdict in judgement.verdicts.items():
                method = str(getattr(verdict, "method", ""))
                obligations.append({"id": obligation.id, "verdict": word(verdict), "method": method})
                if method and word(verdict) == result.standing.value and method not in methods:
                    methods.append(method)
            refuted = next((v for v in judgement.verdicts.values() if isinstance(v, Refuted)), None)
            if refuted is not None:
                counterexample = counterexample_of(refuted.counterexample)
                remark = "; ".join(refuted.counterexample.calls)
    return Mark(
        task=task.name,
        file=path.name,
        seed=seed,
        label=task.labels[path.name],
        verdict=result.standing.value,
        obligations=tuple(obligations),
        methods=tuple(methods),
        seconds=result.seconds + once,
        counterexample=counterexample,
        remark=remark,
    )


def _unjudged(task: Task, path: Path, seed: int, message: str, verdict: str = SPEC_FAULT) -> Mark:
    return Mark(task.name, path.name, seed, task.labels[path.name], verdict, (), (), 0.0, None, message)


def _document(mark: Mark) -> dict[str, Any]:
    return {
        "task": mark.task,
        "file": mark.file,
        "seed": mark.seed,
        "label": mark.label,
        "verdict": mark.verdict,
        "obligations": [dict(each) for each in mark.obligations],
        "seconds": round(mark.seconds, 4),
        "counterexample": mark.counterexample,
        "remark": mark.remark,
    }


def _summary(marks: Sequence[Mark]) -> dict[str, Any]:
    def count(label: str, *verdicts: str) -> int:
        return sum(mark.label == label and mark.verdict in verdicts for mark in marks)

    seconds = sorted(mark.seconds for mark in marks if mark.obligations or mark.verdict == Standing.REJECTED.value)
    return {
        "candidates": len(marks),
        "seeds": len({mark.seed for mark in marks}),
        "wrong": sum(mark.label == WRONG for mark in marks),
        "wrong_refuted": count(WRONG, "REFUTED"),
        "wrong_rejected": count(WRONG, "REJECTED"),
        "wrong_proved": count(WRONG, "PROVED"),
        "wrong_missed": [_name(mark) for mark in marks if mark.is_missed],
        "correct": sum(mark.label == CORRECT for mark in marks),
        "correct_refuted": count(CORRECT, "REFUTED", "REJECTED"),
        "correct_proved": count(CORRECT, "PROVED"),
        "correct_tested": count(CORRECT, "TESTED"),
        "correct_unknown": count(CORRECT, "UNKNOWN"),
        "errors": sum(mark.verdict == "ERROR" for mark in marks),
        "spec_faults": sum(mark.verdict == SPEC_FAULT for mark in marks),
        "wrong_verdicts": [_name(mark) for mark in marks if mark.is_wrong_verdict],
        "obligations": sum(len(mark.obligations) for mark in marks),
        "obligations_proved": sum(each["verdict"] == word(Proved("")) for mark in marks for each in mark.obligations),
        "p50_seconds": round(_quantile(seconds, 0.50), 4),
        "p95_seconds": round(_quantile(seconds, 0.95), 4),
        "total_seconds": round(sum(seconds), 2),
    }


def _name(mark: Mark) -> str:
    return f"{mark.task}/{mark.file} (seed {mark.seed})"


def _quantile(ordered: Sequence[float], share: float) -> float:
    """The nearest-rank quantile; 0 of nothing."""
    return ordered[max(0, math.ceil(share * len(ordered)) - 1)] if ordered else 0.0


def _show(mark: Mark, *, several_seeds: bool) -> None:
    sign = "!" if mark.is_wrong_verdict else "?" if mark.is_missed else " "
    name = f"{mark.task}/{mark.file}" + (f" seed {mark.seed}" if several_seeds else "")
    method = ", ".join(mark.methods) or "-"
    print(f"{sign} {safe_text(name):<44} {mark.verdict:<10} {safe_text(method, limit=24):<24} {mark.seconds:7.3f} s")
    if mark.is_wrong_verdict:
        print(f"    {safe_text(mark.remark, limit=300)}")
    sys.stdout.flush()


def _show_summary(summary: Mapping[str, Any]) -> None:
    print()
    print(f"wrong candidates refuted        {summary['wrong_refuted']} of {summary['wrong']}", end="")
    print(f" ({summary['wrong_rejected']} more rejected)" if summary["wrong_rejected"] else "")
    print(f"wrong candidates proved         {summary['wrong_proved']}")
    print(f"right candidates refuted        {summary['correct_refuted']} of {summary['correct']}")
    print(f"right candidates proved         {summary['correct_proved']}", end="")
    print(f" (tested {summary['correct_tested']}, unknown {summary['correct_unknown']})")
    print(f"errors, spec faults             {summary['errors']}, {summary['spec_faults']}")
    print(f"obligations proved              {summary['obligations_proved']} of {summary['obligations']}")
    print(f"seconds a candidate             p50 {summary['p50_seconds']:.3f}, p95 {summary['p95_seconds']:.3f}")
    for title, names in (("missed", summary["wrong_missed"]), ("WRONG VERDICTS", summary["wrong_verdicts"])):
        for name in names:
            print(f"{title}: {name}")


if __name__ == "__main__":
    sys.exit(main())
