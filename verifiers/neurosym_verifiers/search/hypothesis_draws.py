"""Inputs drawn by Hypothesis: shapes and coincidences that the directed search does not think of."""

from __future__ import annotations

import os
import threading
import warnings
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from neurosym_specs.model import Spec

_one_at_a_time = threading.Lock()


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

    with warnings.catch_warnings(), _of_itself():
        warnings.simplefilter("ignore")
        with suppress(errors.HypothesisException, OSError):
            collect()
    return drawn


@contextmanager
def _of_itself() -> Iterator[None]:
    """Hypothesis draws from nothing but the strategy, and writes no files.

    Left to itself it also draws constants that stand in the modules which this process happens to have loaded from
    outside of ``site-packages``, for which it parses them all, and keeps what it finds in a folder ``.hypothesis``
    where the process was started.
    """
    from hypothesis import configuration
    from hypothesis.internal.conjecture.providers import HypothesisProvider

    with (
        _one_at_a_time,
        _replaced(HypothesisProvider, "_maybe_draw_constant", lambda *_, **__: None),
        _replaced(configuration, "__hypothesis_home_directory", Path(os.devnull)),
    ):
        yield


@contextmanager
def _replaced(owner: object, name: str, value: object) -> Iterator[None]:
    """Another value for an attribute, where the owner has it: these are Hypothesis's own, and not promised."""
    if not hasattr(owner, name):
        yield
        return
    before = getattr(owner, name)
    setattr(owner, name, value)
    try:
        yield
    finally:
        setattr(owner, name, before)
