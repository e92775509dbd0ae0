"""Random programs whose names share what they stand for, and that raise in odd places: the reading against CPython."""

from __future__ import annotations

import pytest

from tests.verifiers.sharing_programs import SharingWriter
from tests.verifiers.test_reading_lists import compare_programs


def test_random_programs_that_share_and_raise_are_read_as_cpython_runs_them() -> None:
    pairs, read, _ = compare_programs(seed=1, programs=120, inputs_each=20, writer=SharingWriter)
    assert read >= 45
    assert pairs >= 900


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(2, 12))
def test_many_random_programs_that_share_and_raise_are_read_as_cpython_runs_them(seed: int) -> None:
    pairs, _, _ = compare_programs(seed=seed, programs=1700, inputs_each=40, writer=SharingWriter)
    assert pairs >= 10_000
