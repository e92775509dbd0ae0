"""Random programs as models write them, the reading against CPython."""

from __future__ import annotations

import pytest

from tests.verifiers.test_reading_lists import compare_programs
from tests.verifiers.wide_programs import WideWriter


def test_random_programs_as_models_write_them_are_read_as_cpython_runs_them() -> None:
    pairs, read, _ = compare_programs(seed=1, programs=150, inputs_each=25, writer=WideWriter)
    assert read >= 30
    assert pairs >= 750


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(2, 12))
def test_many_random_programs_as_models_write_them_are_read_as_cpython_runs_them(seed: int) -> None:
    pairs, _, _ = compare_programs(seed=seed, programs=1700, inputs_each=40, writer=WideWriter)
    assert pairs >= 10_000
