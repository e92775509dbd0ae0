"""Questions about numbers that were rounded to steps, as questions about what was rounded.

A rounding is monotone, so ``round(a) <= round(b)`` follows from ``a <= b``. Sums of multiples of a step are no further
apart than a tolerance if they are not a whole step further apart. And two numbers are rounded to one, if nothing at
which the rounding turns lies between the smallest and the largest that either may be.
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from neurosym_verifiers.algebra.enclosures import Enclosing, rounded_ends
from neurosym_verifiers.algebra.expressions import Domain, Expr, Op, Test, num
from neurosym_verifiers.algebra.steps import as_errors, at_the_end, lattice, step_of

_LESS_THAN_ONE = 1 - Fraction(1, 2**40)


def unrounded(test: Test, answer: bool) -> Test | None:
    """A question from whose answer that of an order follows; None for no order of numbers that are rounded alike."""
    if test.question not in ("<", "<=") or not _may_be_equal(test, answer):
        return None
    a, b = test.parts
    while isinstance(a, Op) and isinstance(b, Op) and (a.name, a.rounding) == (b.name, b.rounding) and _is_rounding(a):
        (a,), (b,) = a.args, b.args
    return None if (a, b) == test.parts else replace(test, parts=(a, b))


def _is_rounding(expr: Op) -> bool:
    return expr.name == "=" or (step_of(expr.name) is not None and not expr.rounding)


def near_with_errors(test: Test, domain: Domain) -> Test | None:
    """Whether a number is near another, with roundings to steps taken for errors, and with what multiples of a step
    allow for; None where nothing is rounded to a step."""
    parts = tuple(map(as_errors, test.parts))
    if parts == test.parts:
        return None
    step = lattice(Op("-", test.parts), domain.ranges)
    wider = test.abs_tol // step * step + step * _LESS_THAN_ONE if step and not test.rel_tol else test.abs_tol
    return replace(test, parts=parts, abs_tol=wider)


def order_with_errors(test: Test, answer: bool, domain: Domain) -> Test | None:
    """An order from which the one that is asked follows: of the largest and the smallest numbers that roundings to
    steps may give, less than one step apart where both sides are multiples; None where nothing is rounded so."""
    if (test.question, answer) not in _ORDERS:
        return None
    lower, upper = test.parts if answer else reversed(test.parts)
    most, least = at_the_end(lower, True), at_the_end(upper, False)
    if (most, least) == (lower, upper):
        return None
    step = lattice(Op("-", test.parts), domain.ranges)
    if step is not None and _may_be_equal(test, answer):
        least = Op("+", (least, num(step * _LESS_THAN_ONE)))
    return replace(test, parts=(most, least) if answer else (least, most))


_ORDERS = (("<=", True), ("<", False), ("<", True), ("<=", False))


def _may_be_equal(test: Test, answer: bool) -> bool:
    return (test.question == "<=") == answer


def rounds_to_one(parts: tuple[Expr, ...], box: Enclosing) -> bool:
    """Whether both are roundings, and give the same number wherever on a box, whatever is computed before."""
    ends: set[Fraction] = set()
    for part in parts:
        step = step_of(part.name) if isinstance(part, Op) and not part.rounding else None
        if step is None or not isinstance(part, Op):
            return False
        ends |= {*rounded_ends(box.of(part.args[0]), step)}
    return len(ends) == 1
