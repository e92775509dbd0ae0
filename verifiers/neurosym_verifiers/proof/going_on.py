"""Whether a loop over days of months may go on: by a count where that decides it, and else by the solver."""

from __future__ import annotations

import time

from neurosym_verifiers.proof.runs import Asks
from neurosym_verifiers.reading.data.values import NotRead
from neurosym_verifiers.reading.formulas.bounds import Spans
from neurosym_verifiers.reading.formulas.budget import Apart
from neurosym_verifiers.reading.formulas.terms import Condition
from neurosym_verifiers.reading.simplification.counting import Counting

_MOST_OF_QUESTIONS = 2_000_000
"""Parts of terms for what a reading asks on its way."""

_COUNTED_ALONE = 40
"""Of so many questions in a row that a count will decide, the solver is asked one."""


class GoingOn:
    """The questions of one reading, in their order. ``never``: what was shown by a count that nothing fulfils."""

    def __init__(self, asks: Asks, deadline: float) -> None:
        self._asks = asks
        self._deadline = deadline
        self._counting = Counting()
        self._counted = 0
        self._questions = Apart(_MOST_OF_QUESTIONS)
        self.never: list[Condition] = []

    def may_be(self, condition: Condition, bounds: Spans) -> bool:
        """Whether anything may fulfil a condition. Raises ``NotRead`` where there is no time left to ask."""
        if time.monotonic() > self._deadline:
            raise NotRead("a program that takes longer to read")
        with self._questions.counted():
            if self._counting.refutes(condition, bounds):
                self.never.append(condition)
                self._counted = 0
                return False
            self._counted += 1
            if self._counting.needs(condition) >= self._counted and self._counted % _COUNTED_ALONE:
                return True  # each round needs one more, so that a count will end the loop
            self._counted = 0
            return self._asks(condition, bounds)
