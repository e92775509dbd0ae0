"""The pytest plugin in a pytest of its own: specs are collected beside ordinary tests, where settings name them."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from xml.etree import ElementTree

import pytest

from tests.checking.conftest import FEES, SETTINGS, never_met
from tests.cli.shared import Ran
from tests.project.documents import ROOT

_ARGUMENTS = ("-p", "neurosym.pytest_plugin", "-p", "no:cacheprovider", "--capture=no")
Pytest = Callable[..., Ran]


@pytest.fixture
def run_pytest(capsys: pytest.CaptureFixture[str]) -> Pytest:
    """Runs another pytest in this process, which has loaded already what that needs."""

    def run_pytest(*arguments: str) -> Ran:
        capsys.readouterr()
        code = pytest.main([*_ARGUMENTS, *arguments])
        return Ran(int(code), *capsys.readouterr())

    return run_pytest


@pytest.fixture
def tested(project: Path) -> Path:
    """The project, with an ordinary test, a spec that no settings name, and three functions."""
    specs = project / "specs"
    (project / "test_ordinary.py").write_text("def test_it(): assert True\n")
    (project / "other").mkdir()
    (project / "other/square.spec.toml").write_text("not even TOML")
    (specs / "thrice.spec.toml").write_text((specs / "twice.spec.toml").read_text().replace("2 * n", "3 * n"))
    (specs / "thrice.spec.toml").write_text((specs / "thrice.spec.toml").read_text().replace("twice", "thrice"))
    thrice = "def thrice(n):  # neurosym: ignore[NS510, NS520] for now\n    return 4 * n\n"
    (project / "src/shop/fees.py").write_text(f"{FEES}\n\n{thrice}")
    (project / "pyproject.toml").write_text(SETTINGS + "\n[tool.pytest.ini_options]\naddopts = '-q -rA'\n")
    return project


def test_specs_are_tests(run_pytest: Pytest, tested: Path) -> None:
    first = run_pytest("--junitxml", "junit.xml")
    assert first.code == 1
    assert "1 failed, 2 passed, 1 xfailed" in first.out
    assert "PASSED specs/twice.spec.toml::shop.fees:twice" in first.out
    assert "PASSED test_ordinary.py::test_it" in first.out
    assert "FAILED specs/square.spec.toml::shop.fees:square" in first.out
    assert "XFAIL specs/thrice.spec.toml::shop.fees:thrice - accepted: for now" in first.out
    assert "src/shop/fees.py:5: reference is broken (NS510)\n      square(7)\n" in first.out
    assert "Traceback" not in first.out
    assert _properties(tested)["shop.fees:twice"].keys() == {"verdict"}

    settings = tested / "pyproject.toml"
    settings.write_text(settings.read_text().replace("[tool.neurosym]", "[tool . neurosym] # its own way"))
    again = run_pytest("--junitxml", "junit.xml", "specs/twice.spec.toml")
    assert again.code == 0
    assert _properties(tested)["shop.fees:twice"].keys() == {"verdict", "cached"}


def test_one_that_rests_on_a_waiver_is_an_expected_failure(run_pytest: Pytest, project: Path) -> None:
    never_met(project, "twice")
    ran = run_pytest("-q", "-rA", "specs/twice.spec.toml")
    assert ran.code == 0
    assert "XFAIL specs/twice.spec.toml::shop.fees:twice - waived by R. Risk until 2999-12-31" in ran.out


@pytest.mark.slow
def test_specs_are_tests_in_several_processes(tested: Path) -> None:
    command = [sys.executable, "-m", "pytest", *_ARGUMENTS, "-n", "2"]
    ran = subprocess.run(command, cwd=tested, capture_output=True, text=True, check=False)
    assert "1 failed, 2 passed, 1 xfailed" in ran.stdout
    command += ["-m", "neurosym", "--neurosym-no-cache"]
    marked = subprocess.run(command, cwd=tested, capture_output=True, text=True, check=False)
    assert "1 failed, 1 passed, 1 xfailed" in marked.stdout


@pytest.mark.slow
def test_settings_that_cannot_be_used_are_an_error_of_the_collection(run_pytest: Pytest, tested: Path) -> None:
    settings = tested / "pyproject.toml"
    settings.write_text(settings.read_text().replace('"shop.fees"', '"shop.fee"'))
    ran = run_pytest()
    assert ran.code == 2
    assert "there is no module shop.fee in" in ran.out
    assert "Traceback" not in ran.out


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
