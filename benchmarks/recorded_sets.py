"""Programs that real models wrote and others recorded, each with the way to tell whether it is right.

One reader for each kind of recording; the fields and their sources stand in the README of the data. Rows are read as
they are needed, so that the length of a recording costs no memory.
"""

from __future__ import annotations

import gzip
import json
import math
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import neurosym_sandbox as sandbox
from neurosym_specs.verdicts import FailureClass
from neurosym_verifiers.clauses import failure_class

RIGHT = "right"
"""What a program comes to that is right; every other word is a failure class."""

Rows = Iterator[dict[str, Any]]


@dataclass(frozen=True, slots=True)
class Trial:
    """``attempts`` of one model at one task, in their order; figures are about the first and the last one.

    ``prelude`` defines what is called, ``function``; ``judge`` says in one word what its outcome means. ``weight``: how
    often exactly this was recorded. ``recorded``: whether the recording says that the last attempt is right.
    """

    arm: str
    attempts: tuple[str, ...]
    prelude: str
    function: str
    judge: Callable[[sandbox.Outcome], str]
    weight: int = 1
    recorded: bool | None = None


# Answers: a program that computes a number


def answers(folder: Path) -> Iterator[Trial]:
    """Programs of thoughts (arXiv:2211.12588): whatever is in ``ans`` at the end is the answer."""
    for path in sorted(folder.glob("*.jsonl.gz")):
        name = path.name.partition(".")[0]
        for row in rows(path):
            made = row["generated"]
            text = made if isinstance(made, str) else "\n".join(made)
            if name.startswith("tatqa"):
                yield Trial(name, (text,), _TWO_ANSWERS, "_answers", _spans(row))
            elif name.startswith("aqua"):
                recorded = row["prediction"] == row["answer"]
                yield Trial(name, (text,), _ANSWER, "_answer", _option(row), recorded=recorded)
            else:
                said = plain_number(row["executed"])
                recorded = said is not None and near(said, row["answer"])
                yield Trial(name, (text,), _ANSWER, "_answer", _number(row["answer"]), recorded=recorded)


_ANSWER = "def _answer():\n    return ans\n"
_TWO_ANSWERS = "def _answers():\n    return ans, globals().get('units', '')\n"


def near(one: float, other: float) -> bool:
    """Equal to a thousandth, as the authors compare answers."""
    return math.isclose(one, other, rel_tol=1e-3)


def plain_number(value: object) -> float | None:
    """A number, however it is held; None for what is no usable answer."""
    value = value.value if isinstance(value, sandbox.NumpyScalar) else value
    if isinstance(value, list | tuple) and len(value) == 1:
        return plain_number(value[0])
    try:
        found = float(value) if isinstance(value, int | float | str) else float(str(value))
    except (ValueError, OverflowError):
        return None
    return found if math.isfinite(found) else None


def _number(answer: float) -> Callable[[sandbox.Outcome], str]:
    def judge(outcome: sandbox.Outcome) -> str:
        if not isinstance(outcome, sandbox.Returned):
            return failed(outcome)
        found = plain_number(outcome.value)
        if found is None:
            return FailureClass.FORMAT.value
        return RIGHT if near(found, answer) else FailureClass.WRONG_VALUE.value

    return judge


def _option(row: Mapping[str, Any]) -> Callable[[sandbox.Outcome], str]:
    """The option whose number is nearest to the program's."""
    numbers = [_first_number(each.partition(")")[2]) for each in row["options"]]

    def judge(outcome: sandbox.Outcome) -> str:
        if not isinstance(outcome, sandbox.Returned):
            return failed(outcome)
        found = plain_number(outcome.value)
        if found is None:
            return FailureClass.FORMAT.value
        distances = [math.inf if each is None else abs(each - found) for each in numbers]
        chosen = "ABCDE"[distances.index(min(distances))]
        return RIGHT if chosen == row["answer"] else FailureClass.WRONG_VALUE.value

    return judge


def _first_number(text: str) -> float | None:
    found = re.search(r"(-?[\d,]*\.?\d+)(?:\s*/\s*(\d+))?", text)
    if found is None:
        return None
    over = float(found[2] or 1)
    return float(found[1].replace(",", "")) / over if over else None


def _spans(row: Mapping[str, Any]) -> Callable[[sandbox.Outcome], str]:
    """Numbers to a thousandth with their scale; texts as a set of words, as they are written but for case."""

    def judge(outcome: sandbox.Outcome) -> str:
        if not isinstance(outcome, sandbox.Returned) or not isinstance(outcome.value, tuple):
            return failed(outcome)
        value, units = outcome.value
        answer, scale = row["answer"], row["scale"]
        if isinstance(answer, list):
            given = value if isinstance(value, list | tuple) else [value]
            same = sorted(map(_said, given)) == sorted(map(_said, answer))
        else:
            found = plain_number(value)
            if found is None:
                return FailureClass.FORMAT.value
            same = (near(found, float(answer)) or round(found, 2) == float(answer)) and _scale(units) == _scale(scale)
        return RIGHT if same else FailureClass.WRONG_VALUE.value

    return judge


def _said(value: object) -> str:
    value = value.value if isinstance(value, sandbox.NumpyScalar) else value
    number = plain_number(str(value).replace(",", "").strip("$% "))
    return f"{number:.4g}" if number is not None else re.sub(r"\W+", " ", str(value)).strip().casefold()


def _scale(units: object) -> str:
    said = str(units).strip().casefold().rstrip("s")
    return said if said in ("thousand", "million", "billion", "percent") else ""


# Functions: a program that passes the tests which came with its task


@dataclass(frozen=True, slots=True)
class Tests:
    """What calls a function and asserts; ``prompt`` goes before a text that is only the function's body."""

    entry: str
    prompt: str
    code: str

    def trial(self, arm: str, attempts: tuple[str, ...], weight: int = 1, recorded: bool | None = None) -> Trial:
        whole = tuple(text if re.search(rf"def {self.entry}\b", text) else self.prompt + text for text in attempts)
        return Trial(arm, whole, self.code, "_checked", _tested, weight, recorded)


def _tested(outcome: sandbox.Outcome) -> str:
    return RIGHT if isinstance(outcome, sandbox.Returned) and outcome.value is True else failed(outcome)


def functions(folder: Path, wanted: Callable[[str], bool]) -> Iterator[tuple[str, Iterator[Trial]]]:
    """The recordings of functions below a folder, each by its name and read when it is gone through."""
    tests = _tests(folder / "mapcoder" / "tasks.jsonl.gz")
    readers: dict[str, Callable[[], Iterator[Trial]]] = {
        "mapcoder": lambda: _single(folder, tests),
        "reflexion": lambda: _loops(folder, tests),
        "greedy": lambda: _greedy(folder, tests),
        "chatgpt": lambda: _chatgpt(folder, tests),
        "mint": lambda: _mint(folder),
        "nl2postcond": lambda: _codes(folder, tests),
    }
    yield from ((name, read()) for name, read in readers.items() if wanted(name))


def _tests(path: Path) -> dict[str, Tests]:
    found = {}
    for row in rows(path):
        code = re.sub(r"^test_check\(\)\s*$", "", row["test"], flags=re.MULTILINE).replace("def check(", "def _check(")
        code = _imports_first(code)
        code += f"\ndef _checked():\n    _check({row['entry_point']})\n    return True\n"
        prompt = row["prompt"] if row["dataset"] == "HumanEval" else ""
        found[row["task_id"]] = Tests(row["entry_point"], prompt, code)
    return found


def _imports_first(code: str) -> str:
    """Tests may import what a program may not: what a prelude imports when it is loaded is its own affair."""
    at = r"^( +)((?:from \w+ )?import [\w, ]+)$"
    found = [each for _, each in re.findall(at, code, flags=re.MULTILINE)]
    return "\n".join([*found, re.sub(at, r"\1pass", code, flags=re.MULTILINE)])


def _single(folder: Path, tests: Mapping[str, Tests]) -> Iterator[Trial]:
    for row in rows(folder / "mapcoder" / "single_solutions.jsonl.gz"):
        made = (row["solution"] or "",)
        yield tests[row["task_id"]].trial(row["run"].partition("/")[2], made, recorded=row["is_solved"])


def _loops(folder: Path, tests: Mapping[str, Tests]) -> Iterator[Trial]:
    for row in rows(folder / "mapcoder" / "reflexion_loops_chatgpt.jsonl.gz"):
        made = (*row["implementations"][:1], row["solution"] or "")
        yield tests[row["task_id"]].trial(f"Reflexion {row['dataset']}", made, recorded=row["is_solved"])


def _greedy(folder: Path, tests: Mapping[str, Tests]) -> Iterator[Trial]:
    for row in rows(folder / "pact" / "evalplus_greedy_samples.jsonl.gz"):
        if row["dataset"] == "humaneval":  # the tests of the others are not there
            yield tests[row["task_id"]].trial(f"HumanEval {row['model']}", (row["solution"],))


def _chatgpt(folder: Path, tests: Mapping[str, Tests]) -> Iterator[Trial]:
    for row in rows(folder / "pact" / "evalplus_chatgpt_t0.8_dedup.jsonl.gz"):
        yield tests[row["task_id"]].trial("HumanEval ChatGPT T=0.8", (row["solution"],), row["n"])


def _codes(folder: Path, tests: Mapping[str, Tests]) -> Iterator[Trial]:
    where = folder / "nl2postcond"
    both = zip(
        rows(where / "humaneval_codes_dedup.jsonl.gz"), rows(where / "humaneval_codes_verdicts.jsonl.gz"), strict=True
    )
    for row, verdict in both:
        arm = "natural" if row["n_natural"] else "a bug was asked for"
        weight = row["n_natural"] or row["n_bug_requested"]
        yield tests[row["task_id"]].trial(arm, (row["solution"],), weight, verdict["pass"])


_SOLUTION = re.compile(r"<solution>(.*?)</solution>", re.DOTALL)


def _mint(folder: Path) -> Iterator[Trial]:
    """Dialogues of several turns about functions; what is proposed as the solution counts."""
    asked = {(row["task"], row["task_id"]): row["reference"] for row in rows(folder / "mint" / "tasks.jsonl.gz")}
    for row in rows(folder / "mint" / "transcripts_max5.jsonl.gz"):
        if row["task"] not in ("humaneval", "mbpp"):
            continue
        said = "\n".join(turn["content"] for turn in row["turns"] if turn["role"] == "assistant")
        made = _SOLUTION.findall(said) or [""]
        body = "\n".join(f"    {line}" for line in asked[row["task"], row["task_id"]].strip().split("\n"))
        arm = row["model"] if row["feedback"] == "none" else f"{row['model']}, told by GPT-4"
        code = _imports_first(f"def _checked():\n{body}\n    return True\n")
        yield Trial(arm, (made[0], made[-1]), code, "_checked", _tested, recorded=row["success"])


def failed(outcome: sandbox.Outcome) -> str:
    """The failure class of an outcome that is no answer."""
    match outcome:
        case sandbox.Raised(exception=sandbox.ExceptionInfo(name="AssertionError")):
            return FailureClass.WRONG_VALUE.value
        case sandbox.Raised(exception=sandbox.ExceptionInfo(name="NameError" | "UnboundLocalError")):
            return FailureClass.NAME.value
        case sandbox.Returned():
            return FailureClass.FORMAT.value
        case _:
            return failure_class(outcome).value


def rows(path: Path) -> Rows:
    """The rows of JSON lines that are packed with gzip, one at a time."""
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        for line in lines:
            yield json.loads(line)
