"""What the algebra's process is asked, and what it answers."""

from __future__ import annotations

from dataclasses import dataclass

from neurosym_verifiers.algebra.expressions import Domain, Expr, Test


@dataclass(frozen=True, slots=True)
class Decide:
    """Has the test this answer on the whole domain?"""

    test: Test
    answer: bool
    domain: Domain


@dataclass(frozen=True, slots=True)
class Decided:
    """``fault``: how a check of what was shown failed; then nothing is shown.

    ``where_nearest``: a comparison is shown by where its two sides are nearest to each other.
    """

    shown: bool
    fault: str = ""
    where_nearest: bool = False


@dataclass(frozen=True, slots=True)
class Name:
    """Which known slip makes the right expression the one that was found? The answer is its words, or none."""

    found: Expr
    right: Expr
    domain: Domain


@dataclass(frozen=True, slots=True)
class Simplify:
    """What are the ratio and the difference of the two? The answer is two texts, each perhaps empty."""

    found: Expr
    right: Expr
