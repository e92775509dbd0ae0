"""How a claim was decided: how products of inputs were read."""

from __future__ import annotations

STRATEGIES = ("reading", "linear", "ordered", "factored", "composed", "nonlinear")
"""The easiest first."""

ROUNDING = "rounding"
"""Where every solution that was found is none of floats, and it is not shown that there is none."""

WORDS = {
    "linear": "linear integer arithmetic",
    "ordered": "linear integer arithmetic and the order of products",
    "factored": "linear integer arithmetic and the order of products of sums",
    "composed": "linear integer arithmetic and the order of products of sums and of their parts",
    "nonlinear": "nonlinear integer arithmetic",
}
