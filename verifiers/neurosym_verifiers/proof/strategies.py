"""How a claim was decided: how products of inputs were read."""

from __future__ import annotations

STRATEGIES = ("reading", "linear", "factored", "composed", "nonlinear")
"""The easiest first."""

WORDS = {
    "linear": "linear integer arithmetic",
    "factored": "linear integer arithmetic and the order of products",
    "composed": "linear integer arithmetic and the order of products and of their parts",
    "nonlinear": "nonlinear integer arithmetic",
}
