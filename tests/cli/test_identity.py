"""The hash of what a verdict depends on: the same for the same question, another one as soon as anything differs."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from neurosym_sandbox import Level
from neurosym_specs import load_spec
from neurosym_specs.model import Spec
from neurosym_verifiers.bench import Effort
from neurosym_verifiers.environment import Confinement

from neurosym import identity as module
from neurosym.identity import identity, spec_sha256, tools
from neurosym.options import Options

SPEC = """
spec = 1
name = "twice"

[inputs]
n = { type = "int", min = 0, max = 9 }

[output]
type = "int"

[reference]
file = "twice.py"
"""
CODE = "def twice(n: int) -> int:\n    return 2 * n\n"


def loaded(folder: Path, code: str = CODE) -> Spec:
    folder.mkdir(exist_ok=True)
    (folder / "twice.spec.toml").write_text(SPEC)
    (folder / "twice.py").write_text(code)
    return load_spec(folder / "twice.spec.toml")


def test_the_same_question_has_the_same_hash_wherever_its_files_lie(tmp_path: Path) -> None:
    asked = [
        identity(loaded(tmp_path / name), "ab", Options(), Effort(), Confinement()) for name in ("here", "elsewhere")
    ]
    assert asked[0] == asked[1]


def test_whatever_can_change_a_verdict_changes_the_hash(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    spec = loaded(tmp_path / "a")
    hashes = [
        identity(spec, "ab", Options(), Effort(), Confinement()),
        identity(spec, "cd", Options(), Effort(), Confinement()),
        identity(spec, "ab", Options(rewrites=("fences",)), Effort(), Confinement()),
        identity(spec, "ab", Options(), Effort(seed=1), Confinement()),
        identity(spec, "ab", Options(), Effort(time_limit_s=11), Confinement()),
        identity(spec, "ab", Options(), Effort(), Confinement(Level.STRONG)),
        identity(loaded(tmp_path / "b", CODE + "\n"), "ab", Options(), Effort(), Confinement()),
    ]
    others = {**tools(), "z3-solver": "0"}
    monkeypatch.setattr(module, "tools", lambda: others)
    hashes.append(identity(spec, "ab", Options(), Effort(), Confinement()))
    assert len(set(hashes)) == len(hashes)


def test_a_spec_made_of_no_text_has_no_hash(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="made of no text"):
        spec_sha256(replace(loaded(tmp_path / "a"), sha256=""))
