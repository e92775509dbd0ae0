"""Inputs drawn by Hypothesis: shapes and coincidences that the directed search does not think of."""

from __future__ import annotations

import warnings
from contextlib import suppress
from typing import Any

from neurosym_specs.model import Spec


def hypothesis_inputs(spec: Spec, count: int, seed: int) -> list[dict[str, Any]]:
    """At most so many inputs, the same for the same spec, seed and version of Hypothesis.

    Nothing is read from or written to an example database. A universe from which Hypothesis cannot draw gives none.
    """
    if count <= 0:
        return []
    # Heavy, and not needed to refute by directed inputs.
    import hypothesis
    from hypothesis import HealthCheck, Phase, errors, settings
    from neurosym_specs.strategies import inputs_strategy

    drawn: list[dict[str, Any]] = []

    @hypothesis.seed(seed)
    @settings(
        max_examples=count,
        database=None,
        deadline=None,
        phases=[Phase.generate],
        suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much, HealthCheck.data_too_large],
    )
    @hypothesis.given(inputs_strategy(spec))
    def collect(inputs: dict[str, Any]) -> None:
        drawn.append(inputs)

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        with suppress(errors.HypothesisException, OSError):
            collect()
    return drawn
