"""How many steps a run of a program may take: those that are read are counted, those of a round of a long loop for all
of its rounds. A program of more is not read: that it fits the time of a call is no longer sure."""

from __future__ import annotations

from neurosym_verifiers.reading.data.values import NotRead

MOST_STEPS = 4_000_000
"""Statements and expressions; CPython takes some tens of nanoseconds for one of them."""


class Steps:
    """A count of the steps of one run."""

    __slots__ = ("taken",)

    def __init__(self) -> None:
        self.taken = 0

    def take(self, line: int) -> None:
        """One more. Raises ``NotRead`` where they are too many."""
        self.taken += 1
        if self.taken > MOST_STEPS:
            raise NotRead(f"a program of more than {MOST_STEPS:,} steps", line)

    def repeat(self, since: int, rounds: int, line: int) -> None:
        """Those that were taken since there were so many, in every round. Raises ``NotRead``."""
        self.taken = since + (self.taken - since + 1) * rounds - 1
        self.take(line)
