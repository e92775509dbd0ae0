"""Where execution is after a statement."""

from __future__ import annotations

from neurosym_verifiers.reading.execution.state import State


class Flow:
    """Where execution is after a statement: going on, or on its way out of a loop."""

    __slots__ = ("broken", "continued", "going")

    def __init__(self, going: list[State]) -> None:
        self.going = going
        self.broken: list[State] = []
        self.continued: list[State] = []

    def leaves_with(self, other: Flow) -> None:
        """Takes over the ways out of a loop."""
        self.broken += other.broken
        self.continued += other.continued
