"""The library's specs and the worked examples, each on the bench with the candidates that lie beside them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from neurosym_specs import load_spec
from neurosym_specs.verdicts import Standing, combine
from neurosym_verifiers.bench import Bench, Effort
from neurosym_verifiers.judgement import Judgement

ROOT = Path(__file__).parents[2]
LIBRARY = sorted((ROOT / "specs/neurosym_specs/library").glob("*/*.spec.toml"))
EXAMPLES = sorted((ROOT / "examples").glob("*/*.spec.toml"))


def third(paths: list[Path]) -> list[Any]:
    """Every third each time, the others behind the slow marker."""
    return [path if i % 3 == 0 else pytest.param(path, marks=pytest.mark.slow) for i, path in enumerate(paths)]


def standing(bench: Bench, candidate: Path) -> Standing:
    found = bench.judge(candidate.read_text(encoding="utf-8"))
    assert isinstance(found, Judgement), found
    return combine(found.verdicts.values())


@pytest.mark.parametrize("path", third(LIBRARY), ids=lambda path: path.parent.name)
def test_the_librarys_candidate_is_tested_in_every_clause(path: Path) -> None:
    with Bench(load_spec(path), Effort(examples=30, proof=False)) as bench:
        assert bench.spec_fault() is None
        assert standing(bench, path.parent / f"{path.parent.name}.py") is Standing.TESTED


@pytest.mark.parametrize("path", third(EXAMPLES), ids=lambda path: path.parent.name)
def test_of_an_example_the_right_one_is_tested_and_the_wrong_one_refuted(path: Path) -> None:
    with Bench(load_spec(path), Effort(examples=30, proof=False)) as bench:
        assert bench.spec_fault() is None
        assert standing(bench, path.parent / "right.py") is Standing.TESTED
        assert standing(bench, path.parent / "wrong.py") is Standing.REFUTED


def test_there_are_enough_of_both() -> None:
    assert len(LIBRARY) >= 12
    assert len(EXAMPLES) >= 6
