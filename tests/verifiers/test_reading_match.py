"""Random programs with classes of their own and with ``match``: the reading against CPython."""

from __future__ import annotations

from functools import partial

import pytest

from tests.verifiers.class_programs import ClassWriter
from tests.verifiers.test_reading import compare_programs

compare = partial(compare_programs, writes=ClassWriter, kinds=("int", "bool"))
"""As many programs and inputs as are asked for, from a seed."""


def test_random_programs_that_match_are_read_as_cpython_runs_them() -> None:
    pairs, read = compare(seed=1, programs=200, inputs_each=12)
    assert read >= 15
    assert pairs >= 180


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(2, 12))
def test_many_random_programs_that_match_are_read_as_cpython_runs_them(seed: int) -> None:
    pairs, _ = compare(seed=seed, programs=3000, inputs_each=20)
    assert pairs >= 5_000
