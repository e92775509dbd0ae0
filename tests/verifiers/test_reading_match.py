"""Random programs with classes of their own and with ``match``: the reading against CPython."""

from __future__ import annotations

import random

import pytest
from neurosym_specs.loader import spec_from_toml

from tests.verifiers.class_programs import ClassWriter
from tests.verifiers.comparing import compared
from tests.verifiers.programs import SPEC, random_inputs
from tests.verifiers.test_reading import by_python, by_reading


def compare_programs(seed: int, programs: int, inputs_each: int) -> tuple[int, int]:
    """How many pairs were compared, and how many programs were read; fails on the first disagreement."""
    rng = random.Random(seed)
    specs = {kind: spec_from_toml(SPEC.format(output=kind)) for kind in ("int", "bool")}
    return compared(
        lambda: ClassWriter(rng).program(),
        specs,
        lambda: random_inputs(rng),
        by_python,
        by_reading,
        programs=programs,
        inputs_each=inputs_each,
    )


def test_random_programs_that_match_are_read_as_cpython_runs_them() -> None:
    pairs, read = compare_programs(seed=1, programs=200, inputs_each=12)
    assert read >= 15
    assert pairs >= 180


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(2, 12))
def test_many_random_programs_that_match_are_read_as_cpython_runs_them(seed: int) -> None:
    pairs, _ = compare_programs(seed=seed, programs=3000, inputs_each=20)
    assert pairs >= 5_000
