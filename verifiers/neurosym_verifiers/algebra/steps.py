"""Roundings to multiples of a step as operations of expressions: ``round half_up 2``, as a candidate or a spec asks.

They are monotone, so an enclosure of what is rounded gives one of the result. What is computed and what is exact may
lie on two sides of a point where the rounding turns; these points are a step apart. Other than a float's rounding, such
a rounding is part of the exact value; ``as_errors`` takes it for an error of at most half a step (a whole one where it
is directed).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from math import gcd, lcm

from neurosym_specs.expr.rounding import ROUNDINGS

from neurosym_verifiers.algebra.expressions import Expr, Num, Op, Range, Sym

_NAME = "round"


@dataclass(frozen=True, slots=True)
class Step:
    """``mode`` as the spec's language names it."""

    mode: str
    size: Fraction

    def rounded(self, value: Fraction) -> Fraction:
        """The multiple that the value is rounded to."""
        steps = value / self.size
        return ROUNDINGS[self.mode](steps.numerator, steps.denominator) * self.size

    @property
    def error(self) -> Fraction:
        """How far what is rounded is moved at most."""
        return self.size / 2 if self.mode.startswith("half") else self.size

    def beyond(self, upward: bool) -> Fraction:
        """How far above (below) what is rounded the result may lie."""
        none_this_way = {"floor": True, "ceiling": False}.get(self.mode)
        return Fraction(0) if none_this_way is upward else self.error

    def moved(self, error: Fraction) -> Fraction:
        """How far apart the results of two numbers are at most that lie no further apart than ``error``.

        A closed interval of that length has so many points in it at which the rounding turns, by a step each; away from
        zero (``up``) it turns by two at zero.
        """
        if not error:
            return Fraction(0)
        return self.size * (error // self.size + (2 if self.mode == "up" else 1))


@cache
def step_of(name: str) -> Step | None:
    """What an operation rounds to; None if it does not."""
    first, _, rest = name.partition(" ")
    if first != _NAME:
        return None
    mode, places = rest.split(" ")
    return Step(mode, Fraction(1, 10 ** int(places)))


def step_named(name: str) -> Step:
    """What an operation that rounds rounds to."""
    step = step_of(name)
    assert step is not None
    return step


def as_errors(expr: Expr) -> Expr:
    """With roundings to steps taken for errors, which are no part of the exact value."""
    if not isinstance(expr, Op):
        return expr
    args = tuple(map(as_errors, expr.args))
    if step_of(expr.name) is None:
        return expr if args == expr.args else Op(expr.name, args, expr.rounding)
    return Op("=", args, expr.name)


def at_the_end(expr: Expr, upward: bool) -> Expr:
    """What is never below the expression (``upward``), or never above it, without roundings to steps where it is
    linear in them: rounding to nearest keeps the order, so those of floats and Decimals stay."""
    match expr:
        case Op(name=name, args=(a,), rounding="") if (step := step_of(name)) is not None:
            by = step.beyond(upward)
            return Op("+" if upward else "-", (a, Num(by))) if by else a
        case Op(name="+", args=(a, b)):
            return Op("+", (at_the_end(a, upward), at_the_end(b, upward)), expr.rounding)
        case Op(name="-", args=(a, b)):
            return Op("-", (at_the_end(a, upward), at_the_end(b, not upward)), expr.rounding)
        case Op(name="neg" | "=", args=(a,)):
            return Op(expr.name, (at_the_end(a, upward != (expr.name == "neg")),), expr.rounding)
        case Op(name="*", args=(Num(value=factor) as a, b)):
            return Op("*", (a, at_the_end(b, upward == (factor > 0))), expr.rounding)
        case Op(name="*" | "/", args=(a, Num(value=factor) as b)) if factor:
            return Op(expr.name, (at_the_end(a, upward == (factor > 0)), b), expr.rounding)
        case _:
            return expr


def lattice(expr: Expr, ranges: Mapping[str, Range]) -> Fraction | None:
    """A step of which what is computed is a multiple wherever it is defined; None where none is known."""
    match expr:
        case Num(value=value):
            return abs(value) or Fraction(1)
        case Sym(name=name):
            return ranges[name].step or None
        case Op(name=name, rounding="") if (step := step_of(name)) is not None:
            return step.size
        case Op(name="neg" | "abs" | "=", args=(a,), rounding=""):
            return lattice(a, ranges)
        case Op(name="+" | "-", args=(a, b), rounding=""):
            one, other = lattice(a, ranges), lattice(b, ranges)
            return None if one is None or other is None else _common(one, other)
        case _:
            return None


def _common(a: Fraction, b: Fraction) -> Fraction:
    """The largest step of which both are multiples."""
    return Fraction(gcd(a.numerator, b.numerator), lcm(a.denominator, b.denominator))
