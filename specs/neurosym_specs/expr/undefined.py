"""What an expression raises where it has no value."""

from __future__ import annotations

from neurosym_specs.errors import NeurosymError
from neurosym_specs.expr.syntax import Expression


class Undefined(NeurosymError):
    """An operation that has no answer for this input: a division by zero, a missing key, a wrong kind of value.

    A fault of the spec, never of the candidate. ``fragment`` is the part of ``expression`` that failed; both are
    filled in by the compiled expression where the failing operation does not know them.
    """

    exit_code = 2
    undecided = False  # of a comparison of reals that no precision decides: within a slack, either answer is right

    def __init__(self, reason: str, expression: Expression | None = None, fragment: str = "") -> None:
        self.reason = reason if len(reason) <= 300 else reason[:299] + "…"
        self.expression = expression
        self.fragment = fragment
        super().__init__(reason)

    def locate(self, expression: Expression, fragment: str) -> None:
        """Say where it happened, unless a part further inside has said so already."""
        if self.expression is None:
            self.expression = expression
            self.fragment = fragment

    def __str__(self) -> str:
        where = str(self.expression.place) if self.expression is not None else ""
        what = f"`{self.fragment}`" if self.fragment else ""
        return ": ".join(part for part in (where, what, self.reason) if part)


class BudgetExceeded(Undefined):
    """An expression that needs more steps, digits or elements than its budget allows."""
