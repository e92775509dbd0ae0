"""What to try next: repair, a fresh sample, a higher temperature, the next model, a sketch with holes, and no more.

Most of what repairing gains it gains in the first rounds, and a model that fails alike twice is rarely argued out of it
(a fresh start helps more: the decay of debugging in arXiv:2506.18403). So a failure is repaired
when it is new to the model, and the next rung is taken when it comes again.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum


class Move(StrEnum):
    """What a round does."""

    FIRST = "first"
    REPAIR = "repair"
    FRESH = "fresh"
    HOTTER = "hotter"
    NEXT_MODEL = "next model"
    SKETCH = "sketch"


@dataclass(frozen=True, slots=True)
class Step:
    """A move, and whom it asks at which temperature."""

    move: Move
    model: str
    temperature: float


class Ladder:
    """The rungs for a list of models and of temperatures, both in the order in which they are tried.

    ``sketch``: who completes a sketch when the last model has failed; empty where there is none.
    """

    def __init__(self, models: Sequence[str], temperatures: Sequence[float], sketch: str = "") -> None:
        if not models or not temperatures:
            raise ValueError("at least one model and one temperature are needed")
        self._models = tuple(models)
        self._temperatures = tuple(temperatures)
        self._model = 0
        self._temperature = 0
        self._was_fresh = False
        self._seen: set[str] = set()
        self._sketch = sketch
        self._is_over = False

    def first(self) -> Step:
        """How a run begins."""
        return self._step(Move.FIRST)

    def after(self, signature: str, *, can_repair: bool) -> Step | None:
        """The step behind a failure with this signature; None where every rung was tried.

        ``can_repair``: there is something to tell about it. Without that, the next try is a fresh one.
        """
        if self._is_over:
            return None
        if signature not in self._seen:
            self._seen.add(signature)
            return self._step(Move.REPAIR if can_repair else Move.FRESH)
        if not self._was_fresh:
            self._was_fresh = True
            return self._step(Move.FRESH)
        if self._temperature + 1 < len(self._temperatures):
            self._temperature += 1
            return self._step(Move.HOTTER)
        return self.next_model()

    def next_model(self) -> Step | None:
        """The next model in the list, for which nothing counts that others did; behind the last the sketch, once."""
        if self._model + 1 >= len(self._models):
            was_over, self._is_over = self._is_over, True
            return Step(Move.SKETCH, self._sketch, 0.0) if self._sketch and not was_over else None
        self._model += 1
        self._temperature, self._was_fresh, self._seen = 0, False, set()
        return self._step(Move.NEXT_MODEL)

    def _step(self, move: Move) -> Step:
        return Step(move, self._models[self._model], self._temperatures[self._temperature])
