"""Comparisons that are too close to call: answered once one way and once the other."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

from neurosym_specs.expr.rational import is_exact
from neurosym_specs.expr.undefined import BudgetExceeded, Undefined

MAX_PATHS = 4_096


class Oracle:
    """Walks through all answers to an expression's close comparisons, depth first.

    ``answers`` is the path under way: a comparison met for the first time gets its exact answer and is appended;
    ``another`` turns the last answer that was not turned yet. An expression with n close comparisons is
    evaluated at most 2**n times, and stopped after ``MAX_PATHS``.

    Example: ``x < 10 and y < 5``, both close, both false: the paths are [no], [yes, no], [yes, yes].
    """

    __slots__ = ("answers", "asked", "exact", "paths", "slack")

    def __init__(self) -> None:
        self.slack = Fraction(0)
        self.answers: list[bool] = []
        self.exact: list[bool] = []
        self.asked = 0
        self.paths = 0

    def start(self, slack: Fraction) -> None:
        self.slack = slack
        self.answers, self.exact = [], []
        self.asked = 0
        self.paths = 1

    def another(self) -> bool:
        """Prepare the next path; False when all were walked."""
        self.asked = 0
        while self.answers and self.answers[-1] is not self.exact[-1]:
            self.answers.pop()
            self.exact.pop()
        if not self.answers:
            return False
        self.answers[-1] = not self.exact[-1]
        self.paths += 1
        if self.paths > MAX_PATHS:
            raise BudgetExceeded(f"more than {MAX_PATHS:,} ways to answer the comparisons within the slack")
        return True

    def compare(self, operator: str, left: Any, right: Any, exactly: Callable[[Any, Any], bool]) -> bool:
        try:
            exact = exactly(left, right)
            undecided = False
        except Undefined as error:
            if not getattr(error, "undecided", False):
                raise
            exact, undecided = True, True
        if not undecided and not near(left, right, self.slack):
            return exact
        if self.asked == len(self.answers):
            self.answers.append(exact)
            self.exact.append(exact)
        answer = self.answers[self.asked]
        self.asked += 1
        return answer


def near(left: Any, right: Any, slack: Fraction) -> bool:
    """Whether two numbers (or lists of the same shape, number by number) lie within the slack, relatively."""
    if is_exact(left) and is_exact(right):
        return bool(abs(left - right) <= slack * max(abs(left), abs(right)))
    if getattr(left, "is_real", False) or getattr(right, "is_real", False):
        try:
            difference, larger = abs(left - right), max(abs(left), abs(right))
            return bool(difference <= larger * slack)
        except (Undefined, TypeError):
            return False
    if isinstance(left, list | tuple) and type(left) is type(right) and len(left) == len(right):
        return all(x == y or near(x, y, slack) for x, y in zip(left, right, strict=True))
    return False
