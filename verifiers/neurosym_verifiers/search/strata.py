"""Choosing among cases so that rare results are met as often as common ones."""

from __future__ import annotations

import random
from collections.abc import Sequence

from neurosym_verifiers.cases import Case

_MOST = 12


class Strata:
    """Cases grouped by their right result where it is one of a few (a bool, a class, a status); else one group.

    Of a thousand random texts hardly one is a valid account number: chosen group first, it comes up half the time.
    """

    def __init__(self, cases: Sequence[Case], rng: random.Random) -> None:
        groups: dict[bool | str | None, list[Case]] = {}
        for case in cases:
            named = isinstance(case.expected, (bool, str))
            groups.setdefault(case.expected if named else None, []).append(case)
        self._groups = list(groups.values()) if len(groups) <= _MOST else [list(cases)]
        self._rng = rng

    def choice(self) -> Case:
        """A random case of a random group."""
        return self._rng.choice(self._rng.choice(self._groups))
