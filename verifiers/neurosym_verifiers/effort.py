"""How hard to try: apart from the bench, for those who only speak of it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Effort:
    """How hard to try. ``examples``: inputs drawn by Hypothesis beside the directed ones; ``time_limit_s``: the wall
    clock's backstop for one candidate; ``proof``: whether what was tested is also put to the prover; ``queries``:
    whether what the solver was asked is kept as text; ``second_opinion``: whether a second solver is asked again about
    what the first one proved, in a time of its own."""

    seed: int = 0
    examples: int = 200
    time_limit_s: float = 10.0
    proof: bool = True
    queries: bool = False
    second_opinion: bool = False
