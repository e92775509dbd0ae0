"""The exit codes are a promise to scripts: each one, reached through the command line."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from neurosym_sandbox import Limits
from neurosym_specs.obligations import obligations
from neurosym_specs.verdicts import Vacuous
from neurosym_verifiers.bench import Bench
from neurosym_verifiers.judgement import Judgement, RunRecord

from neurosym import EnvironmentFault, preparing
from tests.cli.shared import Neurosym


def test_0_for_a_right_candidate(neurosym: Neurosym, spec: Path, right: Path) -> None:
    ran = neurosym("verify", spec, right)
    assert ran.code == 0, ran.out
    assert "TESTED" in ran.out or "PROVED" in ran.out
    assert ran.err == ""


def test_1_for_a_wrong_candidate(neurosym: Neurosym, spec: Path, wrong: Path) -> None:
    assert neurosym("verify", spec, wrong).code == 1


def test_the_worst_candidate_counts(neurosym: Neurosym, spec: Path, right: Path, wrong: Path) -> None:
    assert neurosym("verify", spec, right, wrong, right).code == 1


def test_3_where_tested_is_not_enough(neurosym: Neurosym, spec: Path, right: Path) -> None:
    ran = neurosym("verify", "--require", "proved", spec, right)
    assert ran.code == (0 if ran.out.splitlines()[-1].startswith("1 proved") else 3)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["verifi", "a", "b"], "did you mean verify?"),
        (["spec", "shw"], "did you mean show?"),
        (["verify", "--requir", "tested", "a", "b"], "--require"),
        (["verify", "--require", "prooved", "a", "b"], "did you mean proved?"),
        (["verify", "a.toml"], "CANDIDATE"),
        (["verify", "--seed", "x", "a", "b"], "--seed"),
        (["verify", "--examples", "0", "a", "b"], "--examples"),
        (["verify", "--time-limit", "nan", "a", "b"], "--time-limit"),
        (["verify", "a.toml", "-", "-"], "only once"),
        (["explain", "NS10"], "did you mean NS"),
        (["nonsense\x1b[2J::error::"], "there are: verify"),
    ],
)
def test_2_for_usage_with_the_word_that_was_meant(neurosym: Neurosym, arguments: list[str], said: str) -> None:
    ran = neurosym(*arguments)
    assert ran.code == 2
    assert said in ran.err
    assert ran.out == ""
    assert "\x1b" not in ran.err
    assert "Traceback" not in ran.err


def test_2_for_a_spec_that_is_not_there(neurosym: Neurosym, tmp_path: Path, right: Path) -> None:
    ran = neurosym("verify", tmp_path / "no.spec.toml", right)
    assert (ran.code, ran.out) == (2, "")
    assert "no.spec.toml" in ran.err
    assert "(NS702)" in ran.err


def test_2_for_a_spec_fault_that_shows_the_input(neurosym: Neurosym, spec: Path, right: Path) -> None:
    spec.write_text(spec.read_text().replace('out = "15.00"', 'out = "15.01"'))
    ran = neurosym("verify", spec, right)
    assert ran.code == 2
    assert "SPEC FAULT" in ran.out
    assert 'late_fee(Decimal("1000.00"), 11)' in ran.out
    assert "No candidate was judged" in ran.out
    assert neurosym("spec", "check", spec).code == 2


def test_0_for_a_spec_that_fits(neurosym: Neurosym, spec: Path) -> None:
    ran = neurosym("spec", "check", spec)
    assert ran.code == 0, ran.out
    assert "no contradiction found" in ran.out


class Breaking:
    """A bench that breaks as it is told."""

    error: BaseException

    def __init__(self, *details: object) -> None:
        pass

    def __enter__(self) -> Breaking:
        raise self.error

    def __exit__(self, *details: object) -> None:
        pass


@pytest.mark.parametrize(
    ("error", "code", "said"),
    [
        (EnvironmentFault("no sandbox: seccomp is missing"), 4, "no sandbox: seccomp is missing"),
        (KeyboardInterrupt(), 130, "interrupted"),
        (ZeroDivisionError("oops \x1b[2J"), 70, "a fault of this tool (NS901): ZeroDivisionError: oops \\x1b[2J"),
        (RecursionError("deep"), 70, "a fault of this tool"),
        (MemoryError(), 70, "a fault of this tool"),
    ],
)
def test_faults_that_are_not_the_candidates(
    neurosym: Neurosym,
    spec: Path,
    right: Path,
    monkeypatch: pytest.MonkeyPatch,
    error: BaseException,
    code: int,
    said: str,
) -> None:
    monkeypatch.setattr(Breaking, "error", error, raising=False)
    monkeypatch.setattr(preparing, "Bench", Breaking)
    ran = neurosym("verify", spec, right)
    assert ran.code == code
    assert said in ran.err
    assert "Traceback" not in ran.err
    if code == 70:
        assert "Traceback" in neurosym("--debug", "verify", spec, right).err
        assert "Traceback" in neurosym("verify", "--debug", spec, right).err
        monkeypatch.setenv("NEUROSYM_DEBUG", "1")
        assert "Traceback" in neurosym("verify", spec, right).err


def test_5_where_there_is_nothing_to_check(
    neurosym: Neurosym, spec: Path, right: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def finds_nothing(self: Bench, source: str, **options: object) -> Judgement:
        verdicts = {each: Vacuous("no valid input exists") for each in obligations(self.spec)}
        return Judgement(verdicts, RunRecord(self.jail().record, Limits()))

    monkeypatch.setattr(Bench, "judge", finds_nothing)
    ran = neurosym("verify", spec, right)
    assert ran.code == 5
    assert "VACUOUS" in ran.out
    assert "no valid input exists" in ran.out


def test_70_leaves_the_other_candidates_their_verdicts(
    neurosym: Neurosym, spec: Path, right: Path, wrong: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    judge = Bench.judge

    def breaks_on_wrong(self: Bench, source: str, **options: object) -> object:
        if "< 10" in source:
            raise LookupError("a bug of ours")
        return judge(self, source)

    monkeypatch.setattr(Bench, "judge", breaks_on_wrong)
    ran = neurosym("verify", spec, wrong, right)
    assert ran.code == 70
    assert "LookupError: a bug of ours" in " ".join(ran.out.split())
    assert "TESTED" in ran.out or "PROVED" in ran.out


def test_a_closed_pipe_is_quiet(spec: Path, right: Path) -> None:
    reader, writer = os.pipe()
    os.close(reader)
    command = [sys.executable, "-m", "neurosym", "verify", str(spec), str(right)]
    done = subprocess.run(command, stdout=writer, stderr=subprocess.PIPE, text=True, check=False)
    os.close(writer)
    assert (done.returncode, done.stderr) == (141, "")


def test_the_command_itself_exits_with_the_code(spec: Path, wrong: Path) -> None:
    command = [sys.executable, "-m", "neurosym", "verify", str(spec), str(wrong)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert done.stderr == ""
    assert "REFUTED" in done.stdout


def test_an_interrupt_ends_everything(spec: Path, tmp_path: Path) -> None:
    candidate = tmp_path / "candidate.py"
    candidate.write_text(
        "def late_fee(balance, days_overdue):\n    while days_overdue >= 0:\n        pass\n    return balance\n"
    )
    spec.write_text(spec.read_text() + '\n[policy]\ntime_limit = "60s"\n')
    command = [sys.executable, "-m", "neurosym", "verify", "--time-limit", "90", str(spec), str(candidate)]
    with subprocess.Popen(
        command,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        preexec_fn=_with_interrupts,
    ) as running:
        assert running.stdout is not None
        assert "late_fee" in running.stdout.readline()  # the report has begun, and so has the work
        os.kill(running.pid, signal.SIGINT)
        out, err = running.communicate(timeout=30)
    assert running.returncode == 130
    assert "interrupted" in err
    assert "Traceback" not in out + err
    assert _ends(running.pid, within_s=10), "something of it is still running"


def _with_interrupts() -> None:
    """A shell starts its background jobs with interrupts ignored, and what they start inherits that."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def _ends(group: int, within_s: float) -> bool:
    deadline = time.monotonic() + within_s
    while time.monotonic() < deadline:
        try:
            os.killpg(group, 0)
        except ProcessLookupError:
            return True
    return False
