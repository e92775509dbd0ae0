"""The small spec and its candidates as files, and the command line as a function."""

from __future__ import annotations

from pathlib import Path

import pytest

from neurosym.cli import run
from tests.cli.shared import RIGHT, SPEC, WRONG, Neurosym, Ran


@pytest.fixture
def neurosym(capsys: pytest.CaptureFixture[str]) -> Neurosym:
    """Runs a command line in this process."""

    def neurosym(*arguments: str | Path) -> Ran:
        capsys.readouterr()
        code = run([str(each) for each in arguments])
        out, err = capsys.readouterr()
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
