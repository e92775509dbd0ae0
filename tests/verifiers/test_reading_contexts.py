"""Random programs with contexts of decimal arithmetic: the reading against CPython."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Context, localcontext
from functools import partial
from typing import Any

import pytest

from tests.verifiers.context_programs import ContextWriter
from tests.verifiers.test_reading import by_python, compare_programs


def _in_a_new_context(namespace: dict[str, Any], inputs: Mapping[str, Any]) -> Any:
    with localcontext(Context()):
        return by_python(namespace, inputs)


compare = partial(compare_programs, writes=ContextWriter, kinds=("int", "decimal", "bool"), by_python=_in_a_new_context)
"""As many programs and inputs as are asked for, from a seed."""


def test_random_programs_with_contexts_are_read_as_cpython_runs_them() -> None:
    pairs, read = compare(seed=1, programs=200, inputs_each=12)
    assert read >= 25
    assert pairs >= 300


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(2, 12))
def test_many_random_programs_with_contexts_are_read_as_cpython_runs_them(seed: int) -> None:
    pairs, _ = compare(seed=seed, programs=3000, inputs_each=20)
    assert pairs >= 5_000
