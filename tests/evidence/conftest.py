"""A pack of a real run, made once: two candidates, a Python reference in a file of its own, proofs."""

from __future__ import annotations

import contextlib
import io
import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from neurosym.cli import run
from neurosym.evidence.container import packed, unpacked
from neurosym.evidence.manifest import MANIFEST, manifest_of
from tests.cli.conftest import neurosym, not_on_github, right, spec, wrong
from tests.cli.shared import RIGHT, SPEC, WRONG

__all__ = ["neurosym", "not_on_github", "right", "spec", "wrong"]

_VALUE = 'value = "0 if days_overdue <= 10 else clamp(round(balance * 0.015, 2, half_up), 15, 75)"'
BY_FILE = SPEC.replace(_VALUE, 'file = "rules/fee.py"\nraises = "ValueError"')


@pytest.fixture(scope="session")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The pack, and nothing else that it was made of."""
    folder = tmp_path_factory.mktemp("made")
    (folder / "rules").mkdir()
    (folder / "rules" / "fee.py").write_text(RIGHT)
    (folder / "late_fee.spec.toml").write_text(BY_FILE)
    (folder / "reply.py").write_text(f"```python\n{WRONG}```\n")
    (folder / "right.py").write_text(RIGHT)
    words = ["verify", "--mend", "--owner", "A. Maker", "--time-limit", "60", "--examples", "50", "--types", "off"]
    with contextlib.chdir(folder), contextlib.redirect_stdout(io.StringIO()):
        assert run([*words, "--evidence", "pack.zip", "late_fee.spec.toml", "reply.py", "right.py"]) == 1
    kept = tmp_path_factory.mktemp("kept") / "pack.zip"
    shutil.move(folder / "pack.zip", kept)
    shutil.rmtree(folder)
    return kept


@pytest.fixture(scope="session")
def members(made: Path) -> dict[str, bytes]:
    """What is in it; not to be changed."""
    return unpacked(made.read_bytes())


Remade = Callable[..., Path]


@pytest.fixture
def remade(members: dict[str, bytes], tmp_path: Path) -> Remade:
    """A pack with some members changed, all hashes of the container and of the manifest made anew."""

    def remade(changes: dict[str, bytes | None]) -> Path:
        changed = {name: data for name, data in {**members, **changes}.items() if data is not None and name != MANIFEST}
        path = tmp_path / "remade.zip"
        path.write_bytes(packed({**changed, MANIFEST: manifest_of(changed)}))
        return path

    return remade


def loaded(members: dict[str, bytes], name: str) -> Any:
    """A member that is JSON."""
    return json.loads(members[name])
