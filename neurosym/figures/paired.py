"""Whether what was seen on the same tasks twice differs by more than chance.

Candidates of one task are alike, so that tasks are what is drawn, not candidates. The interval is the percentile
interval of a bootstrap that draws whole tasks (C. A. Field, A. H. Welsh, "Bootstrapping clustered data", 2007; for
evaluations of models E. Miller, "Adding error bars to evals", 2024). It is too short for few tasks; so a difference
counts only where the sign-flip test says so as well (R. A. Fisher, 1935): under no effect each task's difference might
as well have the other sign, and with fewer than six tasks that differ nothing can be told at 5 %.
"""

from __future__ import annotations

import itertools
import random
from collections.abc import Sequence
from dataclasses import dataclass

_RESAMPLES = 4_000
_EXACT_UP_TO = 12
_LEVEL = 0.05


@dataclass(frozen=True, slots=True)
class Pair:
    """One task: the difference between the second and the first time, and how much the task counts."""

    difference: float
    weight: float


@dataclass(frozen=True, slots=True)
class Difference:
    """The weighted mean of the differences, where it lies with a confidence of 95 %, and how likely one as large is
    where nothing differs (``p``, two-sided)."""

    mean: float
    low: float
    high: float
    p: float

    @property
    def is_below(self) -> bool:
        """Whether it is less than 0 by more than chance."""
        return self.high < 0 and self.p < _LEVEL

    @property
    def is_above(self) -> bool:
        """Whether it is more than 0 by more than chance."""
        return self.low > 0 and self.p < _LEVEL


def difference_of(pairs: Sequence[Pair], seed: int = 0) -> Difference:
    """The difference over all tasks. The same pairs give the same figures. Raises ``ValueError`` for no pairs."""
    if not pairs:
        raise ValueError("there is nothing to compare")
    if not any(each.difference for each in pairs):
        return Difference(0.0, 0.0, 0.0, 1.0)
    draw = random.Random(seed)
    means = sorted(_mean(draw.choices(pairs, k=len(pairs))) for _ in range(_RESAMPLES))
    cut = round(_RESAMPLES * _LEVEL / 2)
    return Difference(_mean(pairs), means[cut], means[-cut - 1], _sign_flip(pairs, draw))


def _mean(pairs: Sequence[Pair]) -> float:
    return sum(each.difference * each.weight for each in pairs) / sum(each.weight for each in pairs)


def _sign_flip(pairs: Sequence[Pair], draw: random.Random) -> float:
    """How many of the ways to give each task's difference a sign make the sum as far from 0 as it is; of few tasks all
    ways are gone through, of many some are drawn, and the one that was seen counts as drawn."""
    parts = [each.difference * each.weight for each in pairs if each.difference]
    seen = abs(sum(parts)) * (1 - 1e-12)
    if len(parts) <= _EXACT_UP_TO:
        sums = [sum(signed) for signed in itertools.product(*((part, -part) for part in parts))]
        return sum(abs(each) >= seen for each in sums) / len(sums)
    as_far = sum(abs(sum(part if draw.random() < 0.5 else -part for part in parts)) >= seen for _ in range(_RESAMPLES))
    return (1 + as_far) / (1 + _RESAMPLES)
