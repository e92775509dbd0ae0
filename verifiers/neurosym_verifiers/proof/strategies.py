"""How a claim was decided: how products of inputs were read."""

from __future__ import annotations

STRATEGIES = ("reading", "linear", "days", "ordered", "factored", "composed", "termwise", "nonlinear", "induction")
"""The easiest first."""

ROUNDING = "rounding"
"""Where every solution that was found is none of floats, and it is not shown that there is none."""

WORDS = {
    "linear": "linear integer arithmetic",
    "days": "linear integer arithmetic, for each day of a month",
    "ordered": "linear integer arithmetic and the order of products",
    "factored": "linear integer arithmetic and the order of products of sums",
    "composed": "linear integer arithmetic and the order of products of sums and of their parts",
    "termwise": "linear integer arithmetic, and a lemma for each addend of the two runs' sums",
    "nonlinear": "nonlinear integer arithmetic",
    "induction": "induction over the rounds of a loop",
}

LOCKSTEP = "reading: from the same start its loop and the reference's take the same rounds (induction over the rounds)"
"""How a result is seen to be the right one that a long loop computes, without any question."""

EQUAL = "algebra: in normal form it is the reference, and its roundings stay within the tolerance"
ENCLOSED = "algebra: real functions enclosed with what their roundings add"
WHERE_NEAREST = f"{ENCLOSED}; tight comparisons where both sides are nearest, to which monotonicity leads"
"""How questions about real functions are decided, of the reference and of other clauses."""
