"""The public surface is pinned, and importing it loads nothing that is heavy."""

from __future__ import annotations

import subprocess
import sys

import neurosym

HEAVY = (
    "hypothesis",
    "z3",
    "sympy",
    "mypy",
    "libcst",
    "openai",
    "rich",
    "pydantic",
    "jinja2",
    "opentelemetry",
    "flint",
    "neurosym_sandbox",
)


def test_all_is_pinned() -> None:
    assert neurosym.__all__ == [
        "Admission",
        "AskResult",
        "CandidateResult",
        "Diagnostic",
        "Effort",
        "EnvironmentFault",
        "FailureClass",
        "Judged",
        "NeurosymError",
        "Note",
        "Rejected",
        "ReplayResult",
        "Required",
        "SolveResult",
        "Source",
        "Spec",
        "SpecError",
        "SpecFault",
        "Standing",
        "ToolFault",
        "VerifyResult",
        "ask",
        "load_spec",
        "replay",
        "reward",
        "solve",
        "verify",
    ]


def test_every_name_is_there() -> None:
    for name in neurosym.__all__:
        assert getattr(neurosym, name) is getattr(neurosym, name)
        assert name in dir(neurosym)
    assert not hasattr(neurosym, "nonsense")


def _loaded_by(code: str) -> set[str]:
    shown = f"{code}\nimport sys\nprint(*{{name.split('.')[0] for name in sys.modules}})"
    done = subprocess.run([sys.executable, "-c", shown], capture_output=True, text=True, check=True)
    return set(done.stdout.split())


def test_importing_neurosym_loads_nothing_heavy() -> None:
    assert not _loaded_by("import neurosym") & {*HEAVY, "click"}


def test_help_loads_click_only() -> None:
    code = (
        "import contextlib, io\nfrom neurosym.cli import run\n"
        "with contextlib.redirect_stdout(io.StringIO()):\n    run(['--help'])"
    )
    loaded = _loaded_by(code)
    assert "click" in loaded
    assert not loaded & set(HEAVY)


def test_a_spec_can_be_loaded_without_solver_or_search() -> None:
    assert not _loaded_by("import neurosym; neurosym.load_spec") & set(HEAVY)
