"""A query as SMT-LIB 2, as it was put to Z3: for any other solver to decide again.

The products of the first strategy are unknown numbers in it, named ``product!0`` and so on: what is unsatisfiable with
them is so with the true products.
"""

from __future__ import annotations

from typing import Any

NEVER = "(set-logic QF_LIA)\n(assert false)\n(check-sat)\n"
"""What the normal form of terms decides before any solver is asked: no input is left to look for."""


def script(solver: Any) -> str:
    """What a Z3 solver is about to check. (What it holds afterwards is no longer what it was asked.)"""
    logic = "QF_NIA" if _nonlinear(solver.assertions()) else "QF_LIA"
    return f"(set-logic {logic})\n{solver.sexpr()}(check-sat)\n"


def expecting(text: str, verdict: str) -> str:
    """The script with the answer that Z3 gave as its expected status, for a reader.

    A solver that is asked for its own answer must not have it: cvc5 calls any other answer than that an error.
    """
    return text.replace("\n", f"\n(set-info :status {verdict})\n", 1)


def _nonlinear(assertions: Any) -> bool:
    """Whether anything is multiplied or divided by what is no number."""
    import z3  # type: ignore[import-untyped]  # heavy, and only the solver's process needs it

    queue, seen = list(assertions), set()
    while queue:
        node = queue.pop()
        if node.get_id() in seen:
            continue
        seen.add(node.get_id())
        parts = node.children()
        if z3.is_mul(node) and sum(not z3.is_int_value(part) for part in parts) > 1:
            return True
        if z3.is_idiv(node) and not z3.is_int_value(parts[1]):
            return True
        queue += parts
    return False
