"""The small spec and its candidates, as replies of a model."""

from __future__ import annotations

from pathlib import Path

import pytest

from neurosym import Spec, load_spec
from neurosym.cli import run
from tests.cli.shared import SPEC, Neurosym, Ran


@pytest.fixture
def spec_path(tmp_path: Path) -> Path:
    path = tmp_path / "late_fee.spec.toml"
    path.write_text(SPEC)
    return path


@pytest.fixture
def spec(spec_path: Path) -> Spec:
    return load_spec(spec_path)


@pytest.fixture
def neurosym(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Neurosym:
    """Runs a command line in this process, without a key in the environment."""
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    monkeypatch.delenv("OPENAI_BASE_URL", raising=False)

    def neurosym(*arguments: str | Path) -> Ran:
        capsys.readouterr()
        code = run([str(each) for each in arguments])
        out, err = capsys.readouterr()
        return Ran(code, out, err)

    return neurosym
