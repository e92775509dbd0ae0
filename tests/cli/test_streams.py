"""The command line under bad conditions: closed streams, full disks, narrow encodings, the wrong order of files."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from neurosym_verifiers.bench import Bench

from tests.cli.shared import Neurosym

COMMAND = [sys.executable, "-m", "neurosym"]
QUICK = ("--no-proof", "--examples", "10")


def _ran(redirection: str, *arguments: str | Path, **variables: str) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        ["sh", "-c", f'"$@" {redirection}', "sh", *COMMAND, *arguments],
        capture_output=True,
        env=os.environ | variables,
        timeout=120,
    )


@pytest.mark.parametrize("redirection", [">&-", "2>&-", "<&-", "<&- >&- 2>&-"])
def test_a_closed_stream_changes_no_exit_code(redirection: str, spec: Path, right: Path, wrong: Path) -> None:
    assert _ran(redirection, "verify", *QUICK, spec, right, wrong).returncode == 1
    assert _ran(redirection, "spec", "show", spec).returncode == 0


def test_standard_input_that_is_closed_is_empty(spec: Path) -> None:
    ran = _ran("<&-", "verify", *QUICK, spec, "-")
    assert ran.returncode == 1
    assert b"NS103" in ran.stdout


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="a device of Linux")
@pytest.mark.parametrize("form", [(), ("--json",)])
def test_a_full_disk_is_the_environment(form: tuple[str, ...], spec: Path, right: Path) -> None:
    ran = _ran(">/dev/full", "verify", *QUICK, *form, spec, right)
    assert ran.returncode == 4
    assert ran.stderr.decode() == "neurosym: the report cannot be written: No space left on device (NS803)\n"


def test_what_an_encoding_lacks_is_escaped(spec: Path, tmp_path: Path) -> None:
    candidate = tmp_path / "candidate.py"
    candidate.write_text("def late_fee(balance, days_overdue):\n    raise TypeError('é' * 3000)\n", encoding="utf-8")
    ran = _ran("", "verify", *QUICK, spec, candidate, PYTHONIOENCODING="ascii")
    assert ran.returncode == 1
    assert b"\\xe9" in ran.stdout
    assert ran.stdout.isascii()


@pytest.mark.parametrize("columns", ["1", "x"])
def test_the_width_of_the_terminal_hides_nothing(columns: str, spec: Path) -> None:
    assert b"NS101" in _ran("", "verify", *QUICK, spec, "missing.py", COLUMNS=columns).stdout


def test_the_traceback_of_a_fault_on_a_candidate_is_shown_when_asked_for(
    neurosym: Neurosym, spec: Path, right: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(*_: object, **__: object) -> None:
        raise RuntimeError("a fault of ours")

    monkeypatch.setattr(Bench, "judge", fails)
    assert "Traceback" not in neurosym("verify", spec, right).err
    ran = neurosym("verify", "--debug", spec, right)
    assert ran.code == 70
    assert "Traceback" in ran.err
    assert "RuntimeError: a fault of ours" in ran.err


def test_the_wrong_order_is_told(neurosym: Neurosym, spec: Path, right: Path) -> None:
    ran = neurosym("verify", right, spec)
    assert ran.code == 2
    assert "the spec comes first, then the candidates" in ran.err
    ran = neurosym("verify", spec, spec)
    assert ran.code == 1
    assert "one spec comes first, then the candidates" in ran.out


@pytest.mark.parametrize("group", [(), ("spec",)])
def test_a_group_without_a_command_shows_its_help_once(group: tuple[str, ...]) -> None:
    ran = _ran("", *group)
    assert ran.returncode == 2
    assert ran.stderr.startswith(b"Usage: ")
    assert ran.stderr.count(b"Usage: ") == 1
