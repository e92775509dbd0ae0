"""The pytest plugin in a pytest of its own: specs are collected beside ordinary tests, where settings name them."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest

from tests.checking.conftest import FEES, SETTINGS
from tests.project.documents import ROOT


def _pytest(project: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "pytest", "-p", "neurosym.pytest_plugin", "-p", "no:cacheprovider", *arguments]
    return subprocess.run(command, cwd=project, capture_output=True, text=True, check=False)


@pytest.fixture
def tested(project: Path) -> Path:
    """The project, with an ordinary test, a spec that no settings name, and three functions."""
    specs = project / "specs"
    (project / "test_ordinary.py").write_text("def test_it(): assert True\n")
    (project / "other").mkdir()
    (project / "other/square.spec.toml").write_text("not even TOML")
    (specs / "thrice.spec.toml").write_text((specs / "twice.spec.toml").read_text().replace("2 * n", "3 * n"))
    (specs / "thrice.spec.toml").write_text((specs / "thrice.spec.toml").read_text().replace("twice", "thrice"))
    thrice = "def thrice(n):  # neurosym: ignore[NS510] for now\n    return 4 * n\n"
    (project / "src/shop/fees.py").write_text(f"{FEES}\n\n{thrice}")
    (project / "pyproject.toml").write_text(SETTINGS + "\n[tool.pytest.ini_options]\naddopts = '-q -rA'\n")
    return project


def test_specs_are_tests(tested: Path) -> None:
    first = _pytest(tested, "--junitxml", "junit.xml")
    assert first.returncode == 1
    assert "1 failed, 2 passed, 1 xfailed" in first.stdout
    assert "PASSED specs/twice.spec.toml::shop.fees:twice" in first.stdout
    assert "PASSED test_ordinary.py::test_it" in first.stdout
    assert "FAILED specs/square.spec.toml::shop.fees:square" in first.stdout
    assert "XFAIL specs/thrice.spec.toml::shop.fees:thrice - accepted: for now" in first.stdout
    assert "src/shop/fees.py:5: reference is broken (NS510)\n      square(7)\n" in first.stdout
    assert "Traceback" not in first.stdout
    assert _properties(tested)["shop.fees:twice"].keys() == {"verdict"}

    again = _pytest(tested, "--junitxml", "junit.xml", "specs/twice.spec.toml")
    assert again.returncode == 0
    assert _properties(tested)["shop.fees:twice"].keys() == {"verdict", "cached"}


@pytest.mark.slow
def test_specs_are_tests_in_several_processes(tested: Path) -> None:
    ran = _pytest(tested, "-n", "2")
    assert "1 failed, 2 passed, 1 xfailed" in ran.stdout
    marked = _pytest(tested, "-n", "2", "-m", "neurosym", "--neurosym-no-cache")
    assert "1 failed, 1 passed, 1 xfailed" in marked.stdout


def test_settings_that_cannot_be_used_are_an_error_of_the_collection(tested: Path) -> None:
    settings = tested / "pyproject.toml"
    settings.write_text(settings.read_text().replace('"shop.fees"', '"shop.fee"'))
    ran = _pytest(tested)
    assert ran.returncode == 2
    assert "there is no module shop.fee in" in ran.stdout
    assert "Traceback" not in ran.stdout


def test_the_plugin_loads_next_to_nothing() -> None:
    """A project that has it installed pays for it only where a spec of its settings is met."""
    code = "import pytest, sys; known = {*sys.modules}; import neurosym.pytest_plugin; print(*{*sys.modules} - known)"
    ran = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    ours = {name for name in ran.stdout.split() if name.startswith(("neurosym", "z3", "sympy", "hypothesis", "mypy"))}
    assert ours == {"neurosym", "neurosym.pytest_plugin"}


def _properties(project: Path) -> dict[str | None, dict[str | None, str | None]]:
    top = ElementTree.parse(project / "junit.xml").getroot()
    return {
        case.get("name"): {each.get("name"): each.get("value") for each in case.iter("property")}
        for case in top.iter("testcase")
    }
