"""The small spec and its candidates as files, and the command line as a function."""

from __future__ import annotations

from pathlib import Path

import pytest

from neurosym.cli import run
from tests.cli.shared import RIGHT, SPEC, WRONG, Neurosym, Ran
from tests.reports.schemas import check_documents


@pytest.fixture(autouse=True)
def not_on_github(monkeypatch: pytest.MonkeyPatch) -> None:
    """What a job on GitHub adds to the output is asked for by the tests that are about it."""
    monkeypatch.delenv("GITHUB_ACTIONS", raising=False)


@pytest.fixture
def neurosym(capsys: pytest.CaptureFixture[str]) -> Neurosym:
    """Runs a command line in this process. Every document of a run that comes out is held to the published schema."""

    def neurosym(*arguments: str | Path) -> Ran:
        capsys.readouterr()
        code = run([str(each) for each in arguments])
        out, err = capsys.readouterr()
        if "--json" in arguments and "verify" in arguments:
            check_documents(out)
        return Ran(code, out, err)

    return neurosym


@pytest.fixture
def spec(tmp_path: Path) -> Path:
    path = tmp_path / "late_fee.spec.toml"
    path.write_text(SPEC)
    return path


@pytest.fixture
def right(tmp_path: Path) -> Path:
    path = tmp_path / "right.py"
    path.write_text(RIGHT)
    return path


@pytest.fixture
def wrong(tmp_path: Path) -> Path:
    path = tmp_path / "wrong.py"
    path.write_text(WRONG)
    return path
