"""How a run goes about it: whom it asks, with which template, how many at once, and what it may spend."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from neurosym_specs.sketch import Sketch

from neurosym.prompts import Template
from neurosym.prompts.shots import Shot
from neurosym.solving.budget import Budget, Price

TEMPERATURES = (0.2, 0.8)
"""The first one, and the one after a model has failed alike in spite of a fresh start."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """``models`` and ``temperatures`` are tried in their order. ``samples`` are asked for at once where a sample is
    fresh; a repair is asked for once. ``shots`` are worked examples before the question, those of ``own`` before the
    library's. ``timeout_s`` is for one answer, with all its attempts. ``constrain``: endpoints are asked to hold
    replies to their form. ``sketch``: what is completed when the last model has failed."""

    generator: str
    models: tuple[str, ...]
    template: Template
    temperatures: tuple[float, ...] = TEMPERATURES
    samples: int = 1
    shots: int = 1
    own: tuple[Shot, ...] = ()
    max_tokens: int = 8_000
    timeout_s: float = 180.0
    constrain: bool = False
    budget: Budget = field(default_factory=Budget)
    prices: Mapping[str, Price] = field(default_factory=dict)
    sketch: Sketch | None = None
