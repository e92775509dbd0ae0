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
    import z3  # type: ignore[import-untyped]  # heavy, and only the solver's process needs it

    nodes = _nodes(solver.assertions())
    linear = "N" if any(map(_nonlinear, nodes)) else "L"
    reals = "R" if any(z3.is_real(node) for node in nodes) else ""
    return f"(set-logic QF_{linear}I{reals}A)\n{solver.sexpr()}(check-sat)\n"


def expecting(text: str, verdict: str) -> str:
    """The script with the answer that Z3 gave as its expected status, for a reader.

    A solver that is asked for its own answer must not have it: cvc5 calls any other answer than that an error.
    """
    return text.replace("\n", f"\n(set-info :status {verdict})\n", 1)


def _nodes(assertions: Any) -> list[Any]:
    """All expressions in some, each once."""
    queue, seen, found = list(assertions), set(), []
    while queue:
        node = queue.pop()
        if node.get_id() not in seen:
            seen.add(node.get_id())
            found.append(node)
            queue += node.children()
    return found


def _nonlinear(node: Any) -> bool:
    """Whether it multiplies or divides by what is no number."""
    import z3

    def varies(part: Any) -> bool:
        return not (z3.is_int_value(part) or z3.is_rational_value(part))

    parts = node.children()
    if z3.is_mul(node):
        return sum(map(varies, parts)) > 1
    return z3.is_idiv(node) and varies(parts[1])
