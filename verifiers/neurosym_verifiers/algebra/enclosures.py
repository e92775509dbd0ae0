"""Enclosures of values and of their rounding errors, by ball arithmetic (python-flint's ``arb``).

An ``Enclosure`` holds for a box of inputs: the exact value lies between ``low`` and ``high``, and what is computed is
no further from it than ``rel`` times its size plus ``abs``. The rules are those of forward error analysis, as in N. J.
Higham, Accuracy and Stability of Numerical Algorithms, chapters 2 and 3; relative errors are kept as long as they can
be, since products of inputs of any size have small ones. Every bound is rounded outward.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cache
from typing import Any, TypeAlias

import flint

from neurosym_verifiers.algebra.expressions import ROUNDINGS, Expr, Num, Op, Rounding, Sym, exact
from neurosym_verifiers.algebra.steps import Step, step_named, step_of

BITS = 128
_LARGEST_ROUNDED = Fraction(2) ** 1000
Bound: TypeAlias = Any
"""An exact ``arb``; the package has no types of its own."""


class NoEnclosure(Exception):
    """The rules give no finite enclosure on this box: a divisor that may be zero, a logarithm of what may be negative,
    a result that may be too large. A smaller box may have one."""


@contextmanager
def precision(bits: int = BITS) -> Iterator[None]:
    """Within it, endpoints have so many bits."""
    with flint.ctx.workprec(bits):
        yield


def ball(value: Fraction) -> Any:
    return flint.arb(flint.fmpq(value.numerator, value.denominator))


def down(value: Any) -> Bound:
    return _finite(value.lower())


def up(value: Any) -> Bound:
    return _finite(value.upper())


def _finite(value: Any) -> Bound:
    if not value.is_finite():
        raise NoEnclosure
    return value


@dataclass(frozen=True, slots=True)
class Enclosure:
    low: Bound
    high: Bound
    rel: Bound
    abs: Bound

    @property
    def size(self) -> Bound:
        """The largest size of the exact value."""
        return _largest(abs(self.low), abs(self.high))

    @property
    def least(self) -> Bound:
        """The smallest size of the exact value."""
        if self.low > 0:
            return self.low
        return -self.high if self.high < 0 else _ZERO()

    def error(self) -> Bound:
        """The largest distance of what is computed from the exact value."""
        return up(self.rel * self.size + self.abs)

    def computed(self) -> tuple[Bound, Bound]:
        """The ends of what may be computed."""
        if not self.rel < 1:
            raise NoEnclosure
        less, more = 1 - self.rel, 1 + self.rel
        low = self.low * (less if self.low >= 0 else more) - self.abs
        return down(low), up(self.high * (more if self.high >= 0 else less) + self.abs)


def _ZERO() -> Bound:  # noqa: N802  # a constant that needs the package
    return flint.arb(0)


def _largest(*values: Bound) -> Bound:
    found = values[0]
    for value in values[1:]:
        found = value if value > found else found
    return found


def _smallest(*values: Bound) -> Bound:
    found = values[0]
    for value in values[1:]:
        found = value if value < found else found
    return found


Box: TypeAlias = Mapping[str, tuple[Fraction, Fraction]]


@dataclass(frozen=True, slots=True)
class Known:
    """Of some expressions without roundings: bounds between which their values surely lie, and shorter forms.

    What is the same on all boxes, it remembers by the expression as an object: for one precision.
    """

    bounds: Mapping[Expr, tuple[Fraction | None, Fraction | None]] = field(default_factory=dict)
    shorter: Mapping[Expr, Expr] = field(default_factory=dict)
    _said: dict[int, tuple[Expr, _Said | None]] = field(default_factory=dict, compare=False, repr=False)
    _constants: dict[int, tuple[Expr, Enclosure]] = field(default_factory=dict, compare=False, repr=False)

    def of(self, expr: Expr) -> _Said | None:
        """What is known of an expression's exact value."""
        if not (self.bounds or self.shorter):
            return None
        found = self._said.get(id(expr))
        if found is None:
            found = self._said[id(expr)] = (expr, self._find(exact(expr)))
        return found[1]

    def _find(self, plain: Expr) -> _Said | None:
        low, high = self.bounds.get(plain, (None, None))
        short = self.shorter.get(plain)
        if low is None and high is None and short is None:
            return None
        return _Said(None if low is None else down(ball(low)), None if high is None else up(ball(high)), short)

    def constant(self, expr: Num) -> Enclosure:
        """The enclosure of a number."""
        found = self._constants.get(id(expr))
        if found is None:
            point = ball(expr.value)
            found = self._constants[id(expr)] = (expr, Enclosure(down(point), up(point), _ZERO(), _ZERO()))
        return found[1]


@dataclass(frozen=True, slots=True)
class _Said:
    low: Bound | None
    high: Bound | None
    short: Expr | None


class Enclosing:
    """Encloses expressions on one box; what occurs twice is enclosed once.

    A power is enclosed only where its base is surely positive, or its exponent a whole number of at most 40; and a
    logarithm only where its argument is. ``known``: what is said of expressions beside what their parts say.
    """

    def __init__(self, box: Box, known: Known | None = None) -> None:
        self._box = box
        self._said = Known() if known is None else known
        self._known: dict[int, tuple[Expr, Enclosure]] = {}

    def of(self, expr: Expr) -> Enclosure:
        """Raises ``NoEnclosure``."""
        known = self._known.get(id(expr))
        if known is None:
            known = self._known[id(expr)] = (expr, self._narrowed(expr, self._enclose(expr)))
        return known[1]

    def _narrowed(self, expr: Expr, value: Enclosure) -> Enclosure:
        """The same with what else is known of the exact value."""
        said = self._said.of(expr) if isinstance(expr, Op) else None
        if said is None:
            return value
        value = _cut(value, said.low, said.high)
        if said.short is not None:
            try:
                other = self.of(said.short)
            except NoEnclosure:
                return value
            value = _cut(value, other.low, other.high)
        return value

    def _enclose(self, expr: Expr) -> Enclosure:
        match expr:
            case Num():
                return self._said.constant(expr)
            case Sym(name=name):
                low, high = self._box[name]
                return Enclosure(down(ball(low)), up(ball(high)), _ZERO(), _ZERO())
            case Op(name=name, args=args, rounding=rounding):
                return _rounded(_apply(name, args, [self.of(arg) for arg in args]), rounding)


def _cut(value: Enclosure, low: Bound | None, high: Bound | None) -> Enclosure:
    """What of an enclosure lies between two ends; the whole of it, if nothing does."""
    least = value.low if low is None else _largest(value.low, low)
    most = value.high if high is None else _smallest(value.high, high)
    return value if least > most else Enclosure(least, most, value.rel, value.abs)


@cache
def _rounding(name: str) -> tuple[Bound, Bound, Bound]:
    rule = ROUNDINGS.get(name) or Rounding(Fraction(0), step_named(name).error, _LARGEST_ROUNDED)
    return up(ball(rule.relative)), up(ball(rule.absolute)), down(ball(rule.largest))


def _rounded(value: Enclosure, rounding: str) -> Enclosure:
    if not rounding:
        return value
    unit, absolute, largest = _rounding(rounding)
    if not value.size * 2 + value.abs < largest or not value.rel < 1:
        raise NoEnclosure
    rel = up(value.rel + unit * (1 + value.rel))
    return Enclosure(value.low, value.high, rel, up(value.abs * (1 + unit) + absolute))


def _relative(x: Enclosure) -> Bound:
    """The whole error as a relative one; raises where the exact value may be zero and the error is not relative."""
    if x.abs == 0:
        return x.rel
    least = x.least
    if not least > 0:
        raise NoEnclosure
    return up(x.rel + x.abs / least)


def _below_one(rel: Bound) -> Bound:
    if not rel < 1:
        raise NoEnclosure
    return rel


def _apply(name: str, args: tuple[Expr, ...], of: list[Enclosure]) -> Enclosure:
    match name:
        case "=":
            return of[0]
        case "neg":
            return _negative(of[0])
        case "abs":
            x = of[0]
            return Enclosure(x.least, x.size, x.rel, x.abs)
        case "+":
            return _sum(*of)
        case "-":
            return _sum(of[0], _negative(of[1]))
        case "*":
            return _product(*of)
        case "/":
            return _quotient(*of)
        case "**":
            return _power(of[0], of[1], args[1])
        case "sqrt":
            return _root(of[0])
        case "exp":
            return _exponential(of[0])
        case "expm1":
            return _exponential_less_one(of[0])
        case "log" | "log2" | "log10":
            return _logarithm(name, of[0])
        case "log1p":
            return _logarithm_of_one_more(of[0])
        case _ if (step := step_of(name)) is not None:
            return _to_step(of[0], step)
        case _:
            raise NoEnclosure


def rounded_ends(x: Enclosure, step: Step) -> tuple[Fraction, Fraction]:
    """Between which multiples the exact and the computed value are rounded."""
    low, high = x.computed()
    return step.rounded(fraction(_smallest(low, x.low))), step.rounded(fraction(_largest(high, x.high)))


def _to_step(x: Enclosure, step: Step) -> Enclosure:
    low, high = (step.rounded(fraction(end)) for end in (x.low, x.high))
    least, most = rounded_ends(x, step)
    error = min(most - least, step.moved(fraction(x.error())))
    return Enclosure(down(ball(low)), up(ball(high)), _ZERO(), up(ball(error)))


def fraction(value: Bound) -> Fraction:
    """The number that an end of an enclosure is."""
    mantissa, exponent = (int(part) for part in value.man_exp())
    if abs(exponent) > _LARGEST_EXPONENT:
        raise NoEnclosure
    return Fraction(mantissa) * Fraction(2) ** exponent


_LARGEST_EXPONENT = 4_000


def _negative(x: Enclosure) -> Enclosure:
    return Enclosure(-x.high, -x.low, x.rel, x.abs)


def _sum(x: Enclosure, y: Enclosure) -> Enclosure:
    low, high = down(x.low + y.low), up(x.high + y.high)
    if x.rel == 0 and y.rel == 0:
        return Enclosure(low, high, _ZERO(), up(x.abs + y.abs))
    if (x.low >= 0 and y.low >= 0) or (x.high <= 0 and y.high <= 0):
        return Enclosure(low, high, _largest(x.rel, y.rel), up(x.abs + y.abs))
    one, other = (_share(a, b, low, high) if a.rel > 0 else _ZERO() for a, b in ((x, y), (y, x)))
    if one is not None and other is not None:
        return Enclosure(low, high, up(x.rel * one + y.rel * other), up(x.abs + y.abs))
    return Enclosure(low, high, _ZERO(), up(x.error() + y.error()))


def _share(x: Enclosure, y: Enclosure, low: Bound, high: Bound) -> Bound | None:
    """The largest ``|x / (x + y)|``, that is ``1 / |1 + y/x|``; None where the sum may be zero."""
    if not x.least > 0 or not (low > 0 or high < 0):
        return None
    ends = [b / a for a in (x.low, x.high) for b in (y.low, y.high)]
    least, most = _smallest(*(down(1 + end) for end in ends)), _largest(*(up(1 + end) for end in ends))
    if least > 0:
        return up(1 / least)
    return up(-1 / most) if most < 0 else None


def _product(x: Enclosure, y: Enclosure) -> Enclosure:
    ends = [a * b for a in (x.low, x.high) for b in (y.low, y.high)]
    low, high = _smallest(*map(down, ends)), _largest(*map(up, ends))
    rel = up(x.rel + y.rel + x.rel * y.rel)
    absolute = up(x.size * (1 + x.rel) * y.abs + y.size * (1 + y.rel) * x.abs + x.abs * y.abs)
    return Enclosure(low, high, rel, absolute)


def _quotient(x: Enclosure, y: Enclosure) -> Enclosure:
    least = y.least
    if not least > 0:
        raise NoEnclosure
    ends = [a / b for a in (x.low, x.high) for b in (y.low, y.high)]
    low, high = _smallest(*map(down, ends)), _largest(*map(up, ends))
    other = _below_one(_relative(y))
    return Enclosure(low, high, up((x.rel + other) / (1 - other)), up(x.abs / (least * (1 - other))))


_MOST_EXPONENT = 40


def _power(x: Enclosure, y: Enclosure, exponent: Expr) -> Enclosure:
    if isinstance(exponent, Num) and exponent.value.denominator == 1 and abs(exponent.value) <= _MOST_EXPONENT:
        return _whole_power(x, int(exponent.value))
    if not x.low > 0:
        raise NoEnclosure
    logs = [x.low.log(), x.high.log()]
    ends = [b * log for b in (y.low, y.high) for log in logs]
    low, high = _smallest(*(down(end.exp()) for end in map(down, ends))), _largest(
        *(up(end.exp()) for end in map(up, ends)))  # fmt: skip
    largest_log = _largest(*(up(abs(log)) for log in logs))
    off = up(-(-_below_one(_relative(x))).log1p())  # how far the logarithm of the base may be off
    moved = up((y.size + y.error()) * off + largest_log * y.error())
    return Enclosure(low, high, up(moved.expm1()), _ZERO())


def _whole_power(x: Enclosure, n: int) -> Enclosure:
    if n == 0:
        return Enclosure(flint.arb(1), flint.arb(1), _ZERO(), _ZERO())
    result = x
    for _ in range(abs(n) - 1):
        result = _product(result, x)
    if n % 2 == 0 and result.low < 0:
        result = Enclosure(_ZERO(), result.high, result.rel, result.abs)
    one = Enclosure(flint.arb(1), flint.arb(1), _ZERO(), _ZERO())
    return result if n > 0 else _quotient(one, result)


def _root(x: Enclosure) -> Enclosure:
    if x.low < 0:
        raise NoEnclosure
    return Enclosure(down(x.low.sqrt()), up(x.high.sqrt()), _below_one(_relative(x)), _ZERO())


def _exponential(x: Enclosure) -> Enclosure:
    return Enclosure(down(x.low.exp()), up(x.high.exp()), up(x.error().expm1()), _ZERO())


def _exponential_less_one(x: Enclosure) -> Enclosure:
    """``x * exp(x) / expm1(x)`` grows with x, and says how much more a relative error of x is one of the result."""
    low, high = down(x.low.expm1()), up(x.high.expm1())
    more = flint.arb(1) if x.high == 0 else up(x.high / (1 - (-x.high).exp()))
    rel = up(x.rel * more * (x.rel * x.size + x.abs).exp())
    return Enclosure(low, high, rel, up(x.abs * (x.high + x.error()).exp()))


def _logarithm(name: str, x: Enclosure) -> Enclosure:
    if not x.low > 0:
        raise NoEnclosure
    base = {"log": flint.arb(1), "log2": flint.arb(2).log(), "log10": flint.arb(10).log()}[name]
    low, high = down(x.low.log() / base), up(x.high.log() / base)
    off = up(-(-_below_one(_relative(x))).log1p() / base)
    value = Enclosure(low, high, _ZERO(), off)
    return Enclosure(low, high, _relative(value), _ZERO()) if value.least > 0 else value


def _logarithm_of_one_more(x: Enclosure) -> Enclosure:
    """``x / ((1 + x) * log1p(x))`` falls with x, and says how much more a relative error of x is one of the result."""
    error = x.error()
    if not x.low - error > -1:
        raise NoEnclosure
    low, high = down(x.low.log1p()), up(x.high.log1p())
    more = flint.arb(1) if x.low == 0 else up(x.low / ((1 + x.low) * x.low.log1p()))
    nearer = up((1 + x.low) / (1 + x.low - error)) if x.low < 0 else up(1 / (1 - _below_one(x.rel)))
    rel = up(x.rel * more * nearer)
    return Enclosure(low, high, rel, up(x.abs / (1 + x.low - error)))
