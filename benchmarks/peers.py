"""neurosym and CrossHair on the same labelled candidates, in the same run.

    python -m venv .venv/peers && .venv/peers/bin/pip install crosshair-tool
    python benchmarks/peers.py FOLDER [--crosshair .venv/peers/bin/crosshair] [--tasks a,b] [--seconds S] [--json]

FOLDER is one that ``benchmarks/exam.py`` reads. neurosym judges each candidate against the task's spec. CrossHair knows
no spec and is given what stands nearest to one: a right candidate. Its ``diffbehavior`` compares each candidate with
the task's first right one (and that one with the second, if there is one), inside of the ranges of the spec
(``crosshair_pair.py``), with so many seconds for each (10, of the processor as CrossHair counts them), exceptions
compared by type. What it finds counts where the spec allows the input.

It runs candidates in its own process: give it only folders that you trust.

    found            a wrong candidate: refuted or rejected, a difference shown
    missed           a wrong candidate, and nothing said against it
    falsely accused  a right candidate refuted or rejected, or a difference from another right one
    quiet            a right candidate, and nothing said against it
    outside          CrossHair: only a difference on an input that the spec excludes
    failed           no answer: the tool ended with an error, or not at all
"""

from __future__ import annotations

import argparse
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1]))  # it is run as a script

from neurosym_specs import load_spec
from neurosym_specs.errors import NeurosymError

from benchmarks import crosshair_pair, exam
from neurosym import Effort
from neurosym.batch.outline import SPEC_FAULT
from neurosym.benching.exams import CORRECT, Task, chosen_of, tasks_in
from neurosym.reports.json import dump
from neurosym.safe_text import safe_text

SCHEMA_VERSION = 1
ENVIRONMENT = 4
FOUND, MISSED, FALSELY, QUIET = "found", "missed", "falsely accused", "quiet"
OUTSIDE, FAILED, NOT_ASKED = "outside", "failed", "not asked"
_GIVEN = re.compile(r"^Given: \((.*?)\),?$\n^ +pair\.left", re.MULTILINE | re.DOTALL)


@dataclass(frozen=True, slots=True)
class Finding:
    """What a tool said of a candidate, in one of the words above, and the wall time that it took."""

    said: str
    seconds: float
    remark: str = ""


@dataclass(frozen=True, slots=True)
class Row:
    """One candidate, and what both say."""

    task: str
    file: str
    label: str
    neurosym: Finding
    crosshair: Finding


def main(arguments: Sequence[str] | None = None) -> int:
    options = _parser().parse_args(arguments)
    crosshair = shutil.which(options.crosshair)
    if crosshair is None:
        remedy = "pip install crosshair-tool, or --crosshair PATH"
        print(f"peers: there is no {safe_text(options.crosshair)}: {remedy}", file=sys.stderr)
        return ENVIRONMENT
    rows: list[Row] = []
    try:
        tasks = chosen_of(list(tasks_in(options.folder)), options.tasks)
        for task in tasks:
            for row in _compare(task, crosshair, options.seconds):
                rows.append(row)
                if not options.json:
                    _show(row)
    except ValueError as error:
        print(f"peers: {safe_text(str(error))}", file=sys.stderr)
        return 2
    except NeurosymError as error:
        print(f"peers: {safe_text(str(error))}", file=sys.stderr)
        return error.exit_code
    summary = {tool: _summary([getattr(row, tool) for row in rows]) for tool in ("neurosym", "crosshair")}
    if options.json:
        document = {
            "schema_version": SCHEMA_VERSION,
            "seconds": options.seconds,
            "crosshair": _version(crosshair),
            "candidates": [_document(row) for row in rows],
            "summary": summary,
        }
        print(dump(document))
    else:
        _show_summary(summary, _version(crosshair))
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description="neurosym beside CrossHair.", allow_abbrev=False)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--crosshair", default="crosshair", metavar="PATH")
    parser.add_argument("--json", action="store_true", help="one JSON object on stdout")
    parser.add_argument("--tasks", default="", help="names of tasks, or beginnings of them, separated by commas")
    parser.add_argument("--seconds", type=float, default=10.0, help="for each candidate and tool")
    return parser


def _compare(task: Task, crosshair: str, seconds: float) -> list[Row]:
    """Both tools on the candidates of a task. What neurosym prepares once is charged to its first candidate."""
    marks = exam.sit(task, Effort(time_limit_s=seconds))
    right = [path for path in task.candidates if task.labels[path.name] == CORRECT]
    rows: list[Row] = []
    for path, mark in zip(task.candidates, marks, strict=True):
        label = task.labels[path.name]
        accused = mark.verdict in ("REFUTED", "REJECTED")
        ours = Finding(_word(label, accused), mark.seconds, mark.verdict)
        if mark.verdict in ("ERROR", SPEC_FAULT):
            ours = Finding(FAILED, mark.seconds, mark.verdict)
        against = next((each for each in right if each != path), None)
        theirs = Finding(NOT_ASKED, 0.0) if against is None else _diffbehavior(task, against, path, crosshair, seconds)
        rows.append(Row(task.name, path.name, label, ours, theirs))
    return rows


def _diffbehavior(task: Task, right: Path, candidate: Path, crosshair: str, seconds: float) -> Finding:
    spec, label = load_spec(task.spec), task.labels[candidate.name]
    begun = time.perf_counter()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        crosshair_pair.write_pair(folder, spec, right, candidate)
        command = [crosshair, "diffbehavior", "--exception_equivalence", "SAME_TYPE"]
        command += ["--per_condition_timeout", str(seconds), "pair.left", "pair.other"]
        try:
            done = subprocess.run(
                command, cwd=folder, env={"PYTHONPATH": name, "PATH": ""}, capture_output=True, text=True,
                timeout=3 * seconds + 20, check=False,
            )  # fmt: skip
        except subprocess.TimeoutExpired:
            return Finding(FAILED, time.perf_counter() - begun, "did not end")
        took = time.perf_counter() - begun
        given = _GIVEN.findall(done.stdout)
        excluded = [crosshair_pair.outside(folder, spec, each) for each in given]
        if given and all(each is True for each in excluded):
            return Finding(OUTSIDE, took, given[0])
        if given:
            return Finding(_word(label, True), took, given[excluded.index(next(e for e in excluded if not e))])
        if done.returncode not in (0, 1) or "Error" in done.stderr:
            return Finding(FAILED, took, (done.stderr.strip().splitlines() or ["no answer"])[-1])
        return Finding(_word(label, False), took)


def _word(label: str, accused: bool) -> str:
    if label == CORRECT:
        return FALSELY if accused else QUIET
    return FOUND if accused else MISSED


def _version(crosshair: str) -> str:
    """Of the package beside the command; empty where that is not known."""
    python = Path(crosshair).parent / "python"
    if not python.exists():
        return ""
    code = "from importlib.metadata import version; print(version('crosshair-tool'))"
    done = subprocess.run([str(python), "-c", code], capture_output=True, text=True, check=False)
    return done.stdout.strip()


def _document(row: Row) -> dict[str, Any]:
    def finding(of: Finding) -> dict[str, Any]:
        return {"said": of.said, "seconds": round(of.seconds, 3), "remark": of.remark}

    return {
        "task": row.task,
        "file": row.file,
        "label": row.label,
        "neurosym": finding(row.neurosym),
        "crosshair": finding(row.crosshair),
    }


def _summary(findings: Sequence[Finding]) -> dict[str, float]:
    words = (FOUND, MISSED, FALSELY, QUIET, OUTSIDE, FAILED, NOT_ASKED)
    counts: dict[str, float] = {word: sum(each.said == word for each in findings) for word in words}
    seconds = sorted(each.seconds for each in findings if each.said != NOT_ASKED)
    counts["p50_seconds"] = round(seconds[len(seconds) // 2], 3) if seconds else 0.0
    counts["total_seconds"] = round(sum(seconds), 1)
    return counts


def _show(row: Row) -> None:
    ours, theirs = row.neurosym, row.crosshair
    name = safe_text(f"{row.task}/{row.file}", limit=38)
    print(f"{name:<38} {ours.said:<16}{ours.seconds:6.2f}  {theirs.said:<16}{theirs.seconds:6.2f}", flush=True)


def _show_summary(summary: dict[str, dict[str, float]], version: str) -> None:
    print(f"\n{'':<18}{'neurosym':>12}{'CrossHair':>12}   {safe_text(version)}".rstrip())
    for word in summary["neurosym"]:
        print(f"{word:<18}{summary['neurosym'][word]:>12g}{summary['crosshair'][word]:>12g}")


if __name__ == "__main__":
    sys.exit(main())
