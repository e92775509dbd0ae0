"""Manifests for the small spec, and the command line as a function."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import neurosym, not_on_github
from tests.cli.shared import RIGHT, SPEC, WRONG

__all__ = ["neurosym", "not_on_github"]

QUICK = ("--no-proof", "--examples", "5", "--types", "off", "--time-limit", "60", "--no-explain")
"""Options for runs whose verdicts are not what is tested."""

Manifest = Callable[..., Path]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with the spec and two candidates."""
    (tmp_path / "late_fee.spec.toml").write_text(SPEC)
    (tmp_path / "right.py").write_text(RIGHT)
    (tmp_path / "wrong.py").write_text(WRONG)
    return tmp_path


@pytest.fixture
def manifest(folder: Path) -> Manifest:
    """Writes a manifest: each job is an object, or a text that stands there as it is."""

    def write(*jobs: dict[str, Any] | str, name: str = "jobs.jsonl") -> Path:
        lines = [each if isinstance(each, str) else json.dumps(each) for each in jobs]
        (folder / name).write_text("".join(f"{line}\n" for line in lines))
        return folder / name

    return write


def job(job_id: str, text: str = RIGHT, **more: Any) -> dict[str, Any]:
    """A job with a program as its candidate; each id another one, also in its code."""
    return {"id": job_id, "spec": "late_fee.spec.toml", "text": f"{text}\nJOB = {job_id!r}\n", **more}
