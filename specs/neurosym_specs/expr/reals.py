"""Real numbers that are not known to be rational: what sqrt, exp and log give, and what is computed from them.

A ``Real`` keeps how it was computed and encloses its value in a ball (``flint.arb``) as small as a question needs:
a comparison doubles the precision until the ball of the difference leaves zero, or gives up at a limit and is
*undecided*. Nothing is ever rounded to an answer.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from math import isqrt
from typing import Any

import flint

from neurosym_specs.expr.rational import plain, ratio
from neurosym_specs.expr.undefined import BudgetExceeded, Undefined

_FIRST_BITS = 64
_LARGEST_EXPONENT = 40_000


class Undecided(Undefined):
    """A comparison that no precision up to the limit decides; the two sides may be equal."""

    undecided = True


class Real:
    """An exact real number as a computation: ``operation`` on ``parts`` (``Real`` or rational).

    Example: ``function("log", 2, 4096) * 3`` is ``Real("*", (Real("log", (2,)), 3))``; asked ``> 2`` it is enclosed
    with 64 bits as 2.0794415416798359 ± 1e-18, which decides.
    """

    __slots__ = ("_ball", "_bits", "limit", "operation", "parts")
    is_real = True

    def __init__(self, operation: str, parts: tuple[Any, ...], limit: int) -> None:
        self.operation = operation
        self.parts = parts
        self.limit = limit
        self._bits = 0
        self._ball: Any = None

    def ball(self, bits: int) -> Any:
        """An enclosure, computed with at least so many bits."""
        if self._bits < bits:
            balls = [_ball(part, bits) for part in self.parts]
            with flint.ctx.workprec(bits):
                self._ball = _BALLS[self.operation](*balls)
            self._bits = bits
        return self._ball

    def sign(self) -> int:
        """-1, 0 or 1; raises ``Undecided`` where no precision tells."""
        bits = _FIRST_BITS
        while bits <= self.limit:
            ball = self.ball(bits)
            if ball > 0:
                return 1
            if ball < 0:
                return -1
            bits *= 2
        if self.operation == "-" and _same(self.parts[0], self.parts[1]):
            return 0
        raise Undecided(f"a comparison of reals that {self.limit} bits do not decide; it needs a tolerance or slack")

    def bounds(self, bits: int) -> tuple[Fraction, Fraction] | None:
        """The ends of the enclosure, if it is finite."""
        ball = self.ball(bits)
        if not ball.is_finite():
            return None
        middle, radius = _exactly(ball.mid()), _exactly(ball.rad())
        return middle - radius, middle + radius

    def approximate(self, digits: int = 17) -> str:
        """The value in decimal digits, for display."""
        self.sign_or_nothing()
        return str(self.ball(max(self._bits, 4 * digits)).str(digits, radius=False))

    def sign_or_nothing(self) -> int | None:
        try:
            return self.sign()
        except Undecided:
            return None

    def __repr__(self) -> str:
        return f"about {self.approximate()}"

    def __add__(self, other: Any) -> Any:
        return combine("+", self, other, self.limit) if _is_number(other) else NotImplemented

    def __radd__(self, other: Any) -> Any:
        return combine("+", other, self, self.limit) if _is_number(other) else NotImplemented

    def __sub__(self, other: Any) -> Any:
        return combine("-", self, other, self.limit) if _is_number(other) else NotImplemented

    def __rsub__(self, other: Any) -> Any:
        return combine("-", other, self, self.limit) if _is_number(other) else NotImplemented

    def __mul__(self, other: Any) -> Any:
        return combine("*", self, other, self.limit) if _is_number(other) else NotImplemented

    def __rmul__(self, other: Any) -> Any:
        return combine("*", other, self, self.limit) if _is_number(other) else NotImplemented

    def __abs__(self) -> Real:
        return Real("abs", (self,), self.limit)

    def __neg__(self) -> Any:
        return combine("-", 0, self, self.limit)

    def _compared(self, other: Any) -> int | None:
        """The sign of ``self - other``; None against NaN."""
        if isinstance(other, float):
            return None if other != other else (-1 if other > 0 else 1)
        difference = combine("-", self, other, self.limit)
        return difference.sign() if isinstance(difference, Real) else (difference > 0) - (difference < 0)

    def __eq__(self, other: object) -> bool:
        if not _is_number(other) and not isinstance(other, float):
            return NotImplemented
        return self is other or self._compared(other) == 0

    __hash__ = None  # type: ignore[assignment]  # equality is not decidable, so a real is in no set

    def __lt__(self, other: Any) -> bool:
        if not _is_number(other) and not isinstance(other, float):
            return NotImplemented
        return self._compared(other) == -1

    def __gt__(self, other: Any) -> bool:
        if not _is_number(other) and not isinstance(other, float):
            return NotImplemented
        return self._compared(other) == 1

    def __le__(self, other: Any) -> bool:
        if not _is_number(other) and not isinstance(other, float):
            return NotImplemented
        return self._compared(other) in (-1, 0)

    def __ge__(self, other: Any) -> bool:
        if not _is_number(other) and not isinstance(other, float):
            return NotImplemented
        return self._compared(other) in (0, 1)


_BALLS: dict[str, Callable[..., Any]] = {
    "+": lambda a, b: a + b,
    "-": lambda a, b: a - b,
    "*": lambda a, b: a * b,
    "/": lambda a, b: a / b,
    "**": lambda a, b: a**b,
    "abs": abs,
    "sqrt": lambda a: a.sqrt(),
    "exp": lambda a: a.exp(),
    "log": lambda a: a.log(),
}


def _is_number(value: object) -> bool:
    return isinstance(value, Real | Fraction) or (isinstance(value, int) and not isinstance(value, bool))


def _ball(part: Any, bits: int) -> Any:
    if isinstance(part, Real):
        return part.ball(bits)
    with flint.ctx.workprec(bits):
        return flint.arb(flint.fmpq(part.numerator, part.denominator))


def _exactly(point: Any) -> Fraction:
    """The exact value of a ball of radius zero."""
    mantissa, exponent = (int(part) for part in point.man_exp())
    if abs(exponent) > _LARGEST_EXPONENT:
        raise BudgetExceeded("a real number too large or too close to zero to round")
    return Fraction(mantissa) * Fraction(2) ** exponent


def _same(left: Any, right: Any) -> bool:
    """Whether two numbers were computed in the same way."""
    if isinstance(left, Real) and isinstance(right, Real):
        return left is right or (
            left.operation == right.operation
            and len(left.parts) == len(right.parts)
            and all(_same(a, b) for a, b in zip(left.parts, right.parts, strict=True))
        )
    return not isinstance(left, Real) and not isinstance(right, Real) and bool(left == right)


def function(name: str, x: Any, limit: int) -> Any:
    """``sqrt``, ``exp`` or ``log``; rational where the answer surely is."""
    match name:
        case "sqrt":
            sign = x.sign() if isinstance(x, Real) else x
            if sign < 0:
                raise Undefined("`sqrt` of a negative number")
            if not isinstance(x, Real):
                n, d = isqrt(x.numerator), isqrt(x.denominator)
                if n * n == x.numerator and d * d == x.denominator:
                    return ratio(n, d)
        case "exp":
            if not isinstance(x, Real) and x == 0:
                return 1
        case _:
            sign = x.sign() if isinstance(x, Real) else x
            if sign <= 0:
                raise Undefined("`log` of a number that is not positive")
            if not isinstance(x, Real) and x == 1:
                return 0
    return Real(name, (x,), limit)


def combine(operator: str, left: Any, right: Any, limit: int) -> Any:
    """An operator on two numbers, at least one of them real."""
    a, b = plain(left), plain(right)
    if not isinstance(a, Real) and not isinstance(b, Real):
        return plain({"+": a + b, "-": a - b, "*": a * b}[operator])
    match operator:
        case "+" | "-":
            if not isinstance(b, Real) and b == 0:
                return a
            if operator == "+" and not isinstance(a, Real) and a == 0:
                return b
        case "*":
            for one, other in ((a, b), (b, a)):
                if not isinstance(one, Real) and one in (0, 1):
                    return 0 if one == 0 else other
        case "/" | "//" | "%":
            _not_zero(b)
            if operator == "/":
                return 0 if not isinstance(a, Real) and a == 0 else Real("/", (a, b), limit)
            quotient = whole(combine("/", a, b, limit), "floor") if a != 0 else 0
            return quotient if operator == "//" else combine("-", a, combine("*", b, quotient, limit), limit)
        case _:
            if type(b) is not int:
                raise Undefined("`**` needs a whole exponent; a real power is exp(log(x) * y)")
            if abs(b) > 1_000_000:
                raise BudgetExceeded("a power of a real number with a very large exponent")
            if b == 0:
                return 1
            if b < 0:
                _not_zero(a)
    return Real(operator, (a, b), limit)


def _not_zero(divisor: Any) -> None:
    try:
        zero = divisor.sign() == 0 if isinstance(divisor, Real) else divisor == 0
    except Undecided:
        raise Undefined("division by a real number that may be zero") from None
    if zero:
        raise Undefined("division by zero")


def whole(value: Any, name: str) -> int:
    """``floor``, ``ceil`` or ``trunc``."""
    rounding: Callable[[int, int], int] = {
        "floor": lambda n, d: n // d,
        "ceil": lambda n, d: -(-n // d),
        "trunc": lambda n, d: n // d if n >= 0 else -(-n // d),
    }[name]
    result: int = rounded(value, Fraction(1), rounding)
    return result


def rounded(value: Any, step: Fraction, rounding: Callable[[int, int], Any]) -> Any:
    """A real rounded by a monotone ``rounding``, as soon as both ends of its enclosure agree."""
    if not isinstance(value, Real):
        return rounding(value.numerator, value.denominator)
    bits = _FIRST_BITS
    while bits <= value.limit:
        ends = value.bounds(bits)
        if ends is not None and ends[1] - ends[0] < step:
            low, high = (rounding(end.numerator, end.denominator) for end in ends)
            if low == high:
                return low
        bits *= 2
    raise Undefined(f"a real number too close to where the rounding changes for {value.limit} bits")
