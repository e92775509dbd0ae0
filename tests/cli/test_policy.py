"""What a spec's policy asks of the machine: its Python, packages, and the modules that candidates may import."""

from __future__ import annotations

import platform
from pathlib import Path

import pytest

from tests.cli.shared import Neurosym

MEAN_GAP = """
spec = 1
name = "mean_gap"
[inputs]
xs = { type = "list", of = { type = "float", min = 0, max = 1000 }, min_len = 1, max_len = 6 }
[output]
type = "float"
[policy]
imports = ["numpy", "pandas"]
packages = { numpy = ">=1.26", pandas = ">=2.1" }
[reference]
value = "max(xs) - sum(xs) / len(xs)"
abs_tol = "0.000001"
"""
WITH_NUMPY = """
import numpy as np

def mean_gap(xs: list[float]) -> float:
    values = np.array(xs)
    return float(values.max() - values.mean())
"""
WITH_PANDAS = """
import pandas as pd

def mean_gap(xs: list[float]) -> float:
    values = pd.Series(xs, dtype=float)
    return float(values.max() - values.mean())
"""


def with_policy(spec: Path, policy: str) -> None:
    spec.write_text(spec.read_text().replace("[[reject]]", f"[policy]\n{policy}\n\n[[reject]]", 1))


@pytest.mark.parametrize("command", [["verify"], ["verify", "--json"], ["verify", "--stop-after", "gate"]])
def test_code_for_another_python_is_4(neurosym: Neurosym, spec: Path, right: Path, command: list[str]) -> None:
    with_policy(spec, 'python = ">=3.99"')
    ran = neurosym(*command, spec, right)
    assert (ran.code, ran.out) == (4, "")
    this = f"the code is for Python >=3.99, and this is Python {platform.python_version()}"
    assert f"[policy], python: {this}; run it with another (NS801)" in ran.err


def test_a_spec_alone_is_held_against_this_python_too(neurosym: Neurosym, spec: Path) -> None:
    with_policy(spec, 'python = "2.7"')
    assert neurosym("spec", "check", spec).code == 4
    assert neurosym("spec", "show", spec).code == 0


def test_code_for_this_python_is_judged(neurosym: Neurosym, spec: Path, right: Path) -> None:
    major, minor, _ = platform.python_version_tuple()
    with_policy(spec, f'python = "{major}.{minor}"\npackages = {{ hypothesis = ">=1", Click = "" }}')
    assert neurosym("verify", "--no-proof", spec, right).code == 0


@pytest.mark.parametrize(
    ("packages", "said"),
    [
        ('{ no-such-package = ">=2" }', "it needs no-such-package, which is not installed here; pip install 'no-such"),
        ('{ hypothesis = "<1" }', "the code is for hypothesis <1, and "),
        ('["no-such-package"]', "it needs no-such-package, which is not installed here"),
    ],
)
def test_packages_that_are_missing_are_4(neurosym: Neurosym, spec: Path, right: Path, packages: str, said: str) -> None:
    with_policy(spec, f"packages = {packages}")
    ran = neurosym("verify", spec, right)
    assert (ran.code, ran.out) == (4, "")
    assert said in ran.err


def test_a_module_that_no_candidate_could_import_is_4(neurosym: Neurosym, spec: Path, right: Path) -> None:
    with_policy(spec, 'imports = ["decimal", "socket", "textwrap"]')
    ran = neurosym("verify", spec, right)
    assert ran.code == 4
    assert "[policy], imports: it allows socket, which the sandbox does not have" in ran.err


@pytest.mark.parametrize("probe", ["raise ValueError", "def missing(names): raise ValueError"])
def test_a_sandbox_that_does_not_say_what_it_has_is_the_environments_fault(
    neurosym: Neurosym, spec: Path, right: Path, monkeypatch: pytest.MonkeyPatch, probe: str
) -> None:
    monkeypatch.setattr("neurosym_verifiers.environment._PROBE", probe)
    with_policy(spec, 'imports = ["decimal", "textwrap"]')
    ran = neurosym("verify", spec, right)
    assert (ran.code, "cannot say which of the modules" in ran.err) == (4, True)


def test_modules_beyond_the_usual_ones_are_fine(neurosym: Neurosym, spec: Path, right: Path) -> None:
    with_policy(spec, 'imports = ["decimal", "textwrap", "collections.abc", "copy"]')
    assert neurosym("verify", "--no-proof", spec, right).code == 0


def test_numpy_that_is_not_installed_is_4(
    neurosym: Neurosym, spec: Path, right: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("neurosym_sandbox._profiles.importlib.util.find_spec", lambda name: None)
    with_policy(spec, 'imports = ["decimal", "numpy"]')
    ran = neurosym("verify", spec, right)
    assert ran.code == 4
    assert "remedy: pip install numpy pandas" in ran.err


def test_candidates_with_numpy_and_pandas(neurosym: Neurosym, tmp_path: Path) -> None:
    spec = tmp_path / "mean_gap.spec.toml"
    spec.write_text(MEAN_GAP)
    texts = {
        "numpy": WITH_NUMPY,
        "pandas": WITH_PANDAS,
        "wrong": WITH_NUMPY.replace("values.mean()", "np.median(values)"),
        "raw": WITH_NUMPY.replace("float(", "("),
    }
    for name, text in texts.items():
        (tmp_path / f"{name}.py").write_text(text)
    assert neurosym("verify", spec, tmp_path / "numpy.py", tmp_path / "pandas.py").code == 0
    assert "[NS510 wrong value]" in neurosym("verify", spec, tmp_path / "wrong.py").out
    assert "numpy's float64 instead of a float" in neurosym("verify", spec, tmp_path / "raw.py").out
    assert '"profile": "data"' in neurosym("verify", "--json", spec, tmp_path / "numpy.py").out
