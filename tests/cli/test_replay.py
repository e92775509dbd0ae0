"""A refutation is run again by one command, which every report carries, and by one test."""

from __future__ import annotations

import html
import io
import json
import runpy
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from neurosym_specs import spec_from_toml

from neurosym import Source, replay
from neurosym.reproducing import Recipe
from tests.cli.shared import RIGHT, WRONG, Neurosym

FEW = ("--no-proof", "--examples", "20", "--types", "off", "--no-explain")

COUNTS = """
spec = 1
name = "f"
[inputs]
n = { type = "int", min = 0, max = 400 }
[output]
type = "int"
[[ensure]]
id = "grows"
that = "result >= 0"
[[relation]]
id = "more is more"
monotone = { n = "up" }
[policy]
time_limit = "100ms"
"""

BROKEN = {
    "relation": ("relation: more is more", "def f(n: int) -> int:\n    return 400 - n\n"),
    "ensure": ("ensure: grows", "def f(n: int) -> int:\n    return n - 1\n"),
    "crash": ("no crash", "def f(n: int) -> int:\n    return n // (n - 7) * 0 + n\n"),
    "type": ("returns", "def f(n: int) -> int:\n    return n + 0.0\n"),
    "endless": ("terminates", "def f(n: int) -> int:\n    while n == 3:\n        pass\n    return n\n"),
    "state": (
        "pure",
        "SEEN = []\n\ndef f(n: int) -> int:\n    SEEN.append(n)\n    return n if SEEN == [n] else -1\n",
    ),
    "hash": ("deterministic", "def f(n: int) -> int:\n    return abs(hash('a')) % 7 * 1000 + n\n"),
}


def _words(ran: str) -> list[str]:
    """The first command that a report shows, as a shell reads it."""
    line = next(line for line in ran.splitlines() if line.strip().startswith("neurosym replay "))
    return shlex.split(line)[1:]


def _refuted(out: str) -> list[dict[str, Any]]:
    return [each for each in json.loads(out)["candidates"][0]["obligations"] if each["verdict"] == "REFUTED"]


@pytest.fixture
def shown(neurosym: Neurosym, spec: Path, wrong: Path, tmp_path: Path) -> dict[str, str]:
    """What one run said of a refuted candidate, in every form."""
    forms = {form: tmp_path / f"report.{form}" for form in ("html", "junit", "sarif", "markdown")}
    options = [word for form, path in forms.items() for word in (f"--{form}", path)]
    ran = neurosym("verify", *FEW, *options, "--write-test", tmp_path / "test_late_fee.py", spec, wrong)
    assert (ran.code, "a test of what is broken is written to" in ran.err) == (1, True)
    return {form: path.read_text() for form, path in forms.items()} | {"console": ran.out}


def test_command_and_test_fail_as_the_run_did_until_the_candidate_is_mended(
    neurosym: Neurosym, shown: dict[str, str], spec: Path, wrong: Path, tmp_path: Path
) -> None:
    words = _words(shown["console"])
    command = f"neurosym {shlex.join(words)}"
    assert command.startswith(f"neurosym replay {spec} {wrong} --clause reference --inputs ")
    escaped = html.escape(command).replace("&#x27;", "&#39;"), html.escape(command, quote=False), command
    for form, text in shown.items():
        assert any(each.replace("&quot;", quote) in text for each in escaped for quote in ("&quot;", "&#34;", '"')) or (
            json.dumps(command) in text
        ), form
    module = runpy.run_path(str(tmp_path / "test_late_fee.py"))
    again = neurosym(*words)
    assert again.code == 1
    assert again.out.startswith(f"REFUTED  {wrong}\n")
    assert "It still fails." in again.out
    with pytest.raises(AssertionError):
        module["test_late_fee"](*module["CASES"][0])
    wrong.write_text(RIGHT)
    mended = neurosym(*words)
    assert mended.code == 6
    assert mended.out.startswith(f"NO LONGER BROKEN  {wrong}  [NS530]\n")
    document = json.loads(neurosym(*words, "--json").out)
    assert (document["kind"], document["outcome"], document["exit_code"]) == ("replay", "kept", 6)
    for case in module["CASES"]:
        module["test_late_fee"](*case)
    kept = (tmp_path / "test_late_fee.py").read_text()
    ran = neurosym("verify", *FEW, "--write-test", tmp_path / "test_late_fee.py", spec, wrong)
    assert (ran.code, "nothing is broken" in ran.err) == (0, True)
    assert (tmp_path / "test_late_fee.py").read_text() == kept


@pytest.mark.parametrize(
    "name",
    [pytest.param(name, marks=pytest.mark.slow if name in ("ensure", "crash", "type") else ()) for name in BROKEN],
)
def test_each_kind_of_refutation_comes_back(neurosym: Neurosym, tmp_path: Path, name: str) -> None:
    clause, program = BROKEN[name]
    spec, candidate = tmp_path / "f.spec.toml", tmp_path / "candidate.py"
    spec.write_text(COUNTS)
    candidate.write_text(program)
    found = _refuted(neurosym("verify", "--json", *FEW, spec, candidate).out)
    assert clause in [each["id"] for each in found]
    for each in found:
        again = neurosym(*shlex.split(each["replay"])[1:], "--json")
        document = json.loads(again.out)
        assert again.code == 1, document
        assert document["broken"][0]["clause"] == each["id"]
        assert document["broken"][0]["counterexample"]["calls"] == each["counterexample"]["calls"]


def test_what_was_rewritten_is_rewritten_again(neurosym: Neurosym, spec: Path, tmp_path: Path) -> None:
    candidate = tmp_path / "reply.py"
    candidate.write_text(f"Here it is:\n\n```python\n{WRONG}\nprint(late_fee)\n```\n")
    words = _words(neurosym("verify", "--mend", *FEW, spec, candidate).out)
    assert words.count("--rewrite") >= 2
    assert neurosym(*words).code == 1
    script = tmp_path / "script.py"
    script.write_text("fee = balance * 0\n")
    words = _words(neurosym("verify", "--script", "fee", *FEW, spec, script).out)
    assert words[-4:] == ["--rewrite", "script", "--script", "fee"]
    assert neurosym(*words).code == 1


def test_what_comes_through_a_pipe_comes_through_a_pipe_again(
    neurosym: Neurosym, spec: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(WRONG.encode())))
    words = _words(neurosym("verify", *FEW, spec, "-").out)
    assert words[2] == "-"
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(WRONG.encode())))
    assert neurosym(*words).code == 1


HOSTILE = ["a b", "it's", "$(true)`", "\x1b[2J", "::error::x", "new\nline", "ü €", "\u202ex", "\\", "-x", "a'\x07\"$"]


@pytest.mark.parametrize("text", HOSTILE)
def test_a_shell_reads_the_words_as_they_are_meant(text: str) -> None:
    spec = spec_from_toml(COUNTS, path=f"{text}/f.spec.toml")
    recipe = Recipe(spec=spec.path, function=spec.name, candidate=text)
    command = recipe.command(text, [{"n": text}])
    assert command.isprintable()
    assert "::error" not in command
    show = command.replace("neurosym", "printf '%s\\0'", 1)
    read = subprocess.run(["bash", "-c", show], capture_output=True, check=True).stdout.decode().split("\0")
    dashed = text if not text.startswith("-") else f"./{text}"
    assert read[:5] == ["replay", f"{dashed}/f.spec.toml", dashed, "--clause", text]
    assert json.loads(read[6]) == {"n": text}


def test_what_came_from_no_file_has_no_command(spec: Path) -> None:
    loaded = spec_from_toml(COUNTS)
    assert Recipe(spec=loaded.path, function=loaded.name, candidate="x.py").command("a", []) == ""
    found = replay(loaded, Source("def f(n: int) -> int:\n    return -1\n"), "ensure: grows", {"n": 1})
    assert found.problem == "ensure: grows: f(1): expected result >= 0, actual -1"


@pytest.mark.parametrize(
    ("options", "code", "said"),
    [
        (["--clause", "ensure: grace periods", "--inputs", "{}"], 2, 'did you mean "ensure: grace period"?'),
        (["--clause", "reference", "--inputs", "{"], 2, "not valid JSON"),
        (["--clause", "reference", "--inputs", '{"balance": "1.00"}'], 2, 'the input "days_overdue" is missing'),
        (["--clause", "reference", "--inputs", '{"balance": "1.001", "days_overdue": 1}'], 2, "outside the universe"),
        (["--clause", "reference", "--inputs", "[]"], 2, "the inputs of a call"),
        (["--clause", "reference", "--inputs", '{"balance": 1, "days_overdue": 1, "x": 1}'], 2, 'unknown input "x"'),
        (["--clause", "example 1", "--inputs", '{"balance": 1, "days_overdue": 1}'], 2, "is about other inputs"),
        (["--clause", "reference"], 2, "--inputs"),
        (["--clause", "reference", "--inputs", "{}", "--rewrite", "script"], 2, "go together"),
        (["--clause", "reference", "--inputs", "{}", "--write-test", "test_it.txt"], 2, "a test is a Python file"),
        (["--clause", "reference", "--inputs", "{}", "--config", "no.toml"], 2, "'no.toml' does not exist"),
        (["--clause", "reference", "--inputs", "{}", "--store", "no.sqlite"], 2, "there is no run store no.sqlite"),
    ],
)
def test_what_cannot_be_replayed(
    neurosym: Neurosym, spec: Path, wrong: Path, options: list[str], code: int, said: str
) -> None:
    ran = neurosym("replay", spec, wrong, *options)
    assert ran.code == code
    assert said in " ".join((ran.out + ran.err).split())


def test_a_candidate_that_is_gone_or_unsafe_is_turned_away(neurosym: Neurosym, spec: Path, tmp_path: Path) -> None:
    call = ["--clause", "reference", "--inputs", '{"balance": 1, "days_overdue": 1}']
    gone = neurosym("replay", spec, tmp_path / "gone.py", *call)
    assert (gone.code, "NS101" in gone.out) == (1, True)


@pytest.mark.slow
def test_pytest_runs_the_written_test(neurosym: Neurosym, spec: Path, wrong: Path, tmp_path: Path) -> None:
    test = tmp_path / "test_late_fee.py"
    neurosym("verify", *FEW, "--write-test", test, spec, wrong)
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", str(test)]
    failed = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert (failed.returncode, "expected 0" in failed.stdout) == (1, True), failed.stdout
    wrong.write_text(RIGHT)
    passed = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert passed.returncode == 0, passed.stdout


def test_a_written_test_replaces_nothing_else(neurosym: Neurosym, spec: Path, wrong: Path, tmp_path: Path) -> None:
    own = tmp_path / "test_own.py"
    own.write_text("def test_own():\n    pass\n")
    ran = neurosym("verify", *FEW, "--write-test", own, spec, wrong)
    assert (ran.code, "neurosym did not write it" in ran.err) == (2, True)
    ran = neurosym("verify", *FEW, "--write-test", wrong, spec, wrong)
    assert (ran.code, "that file is read" in ran.err) == (2, True)
