"""Watching an evaluation: where its comparisons, roundings and conditions stand."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from fractions import Fraction
from typing import Any, Protocol


class Observer(Protocol):
    """Told of every comparison, rounding, division and condition that an evaluation meets, in order.

    A let is computed once for each scope, and watched then.
    """

    def comparison(self, node: ast.AST, op: str, left: Any, right: Any) -> None:
        """``op`` is one of ``== != < <= > >= in`` and ``not in``; a chain is told pair by pair."""

    def rounding(self, node: ast.AST, exact: Fraction, step: Fraction, mode: str) -> None:
        """``exact`` is about to be rounded to a multiple of ``step``, by round, round_to, floor, ceil, trunc or ``//``
        (whose modes are ``floor``, ``ceiling``, ``down`` and ``floor``). Reals that are not rational are not told."""

    def remainder(self, node: ast.AST, left: Any, right: Any) -> None:
        """``left % right`` is about to be computed, of two numbers with ``right`` not zero."""

    def division(self, node: ast.AST, divisor: Fraction) -> None:
        """Something rational is about to be divided by ``divisor`` with ``/``; it is not zero."""

    def summands(self, node: ast.AST, items: Sequence[Any]) -> None:
        """What a ``sum`` is about to add up."""

    def boolean(self, node: ast.AST, values: list[bool | None]) -> None:
        """How every operand of an ``and`` or ``or`` stands; None where it is undefined."""
