"""Exact arithmetic on spec numbers: whole numbers stay ``int``, the rest are ``Fraction``s in lowest terms.

``Fraction``'s own operators spend most of their time on dispatch; these read the two integers and build the result
directly. Whatever is no plain number (a text of [data] that reads as one, a real, NaN) takes the slow way.
"""

from __future__ import annotations

from datetime import date, timedelta
from fractions import Fraction
from math import gcd
from typing import Any

from neurosym_specs.expr.budget import SMALL, Meter
from neurosym_specs.expr.datavalues import DataText, kind_of
from neurosym_specs.expr.undefined import BudgetExceeded, Undefined
from neurosym_specs.values import WrittenDecimal

# Any: the two slots of Fraction are not in its published interface; they are the same since Python 2.6
_new: Any = object.__new__


def ratio(numerator: int, denominator: int) -> Any:
    """``numerator / denominator`` in lowest terms, an ``int`` where whole; the denominator is not zero."""
    common = gcd(numerator, denominator)
    if common != 1:
        numerator //= common
        denominator //= common
    if denominator == 1:
        return numerator
    if denominator < 0:
        if denominator == -1:
            return -numerator
        numerator, denominator = -numerator, -denominator
    made = _new(Fraction)
    made._numerator = numerator
    made._denominator = denominator
    return made


def plain(value: Any) -> Any:
    """A number as ``int`` where whole, else as a plain ``Fraction``."""
    if type(value) is int:
        return value
    if isinstance(value, Fraction):
        return ratio(value.numerator, value.denominator)
    return value


def is_exact(value: object) -> bool:
    """Whether it is an exact rational (a bool is not)."""
    return isinstance(value, Fraction) or (isinstance(value, int) and not isinstance(value, bool))


def needs_number(value: Any, what: str) -> Any:
    """The exact number that ``value`` is or reads as; a ``Real`` passes. Anything else has no answer."""
    kind = type(value)
    if kind is int or kind is Fraction or kind is WrittenDecimal:
        return value
    if isinstance(value, bool):
        return int(value)
    if isinstance(value, DataText) and value.number is not None:
        return value.number
    if isinstance(value, Fraction | int):
        return value
    if isinstance(value, float):
        raise Undefined(f"{what} is undefined for {value!r}")
    if getattr(value, "is_real", False):
        return value
    raise Undefined(f"{what} needs a number, not {kind_of(value)}")


_QUICK = frozenset({int, Fraction, WrittenDecimal})


class Arithmetic:
    """The operators, inside a meter's budget."""

    def __init__(self, meter: Meter) -> None:
        self.meter = meter

    def bounded(self, value: Any) -> Any:
        """The value, if its digits are inside the budget."""
        if type(value) is int:
            if not -SMALL < value < SMALL:
                self.meter.bits(value.bit_length())
        elif not -SMALL < value._numerator < SMALL or value._denominator > SMALL:
            self.meter.bits(value._numerator.bit_length() + value._denominator.bit_length())
        return value

    def _odd(self, operator: str, left: Any, right: Any) -> Any:
        """Operands that are not both plain numbers: dates, texts, lists, texts that read as numbers, reals."""
        if operator == "+":
            joined = self._joined(left, right)
            if joined is not None:
                return joined
        if operator == "*":
            repeated = self._repeated(left, right)
            if repeated is not None:
                return repeated
        moved = _moved_date(operator, left, right)
        if moved is not None:
            return moved
        what = f"`{operator}`"
        a, b = needs_number(left, what), needs_number(right, what)
        if getattr(a, "is_real", False) or getattr(b, "is_real", False):
            from neurosym_specs.expr import reals  # python-flint is loaded only for real functions

            self.meter.spend(20)
            return reals.combine(operator, a, b, self.meter.budget.bits)
        return _OPERATORS[operator](self, plain(a), plain(b))

    def _joined(self, left: Any, right: Any) -> Any:
        if isinstance(left, str) and isinstance(right, str):
            if isinstance(left, DataText) and isinstance(right, DataText) and left.is_number and right.is_number:
                raise Undefined("two texts of [data] that read as numbers: write them without quotes, or int(...)")
            self.meter.size(len(left) + len(right))
            return str(left) + str(right)
        if isinstance(left, list) and isinstance(right, list):
            self.meter.size(len(left) + len(right))
            return [*left, *right]
        if isinstance(left, tuple) and isinstance(right, tuple):
            self.meter.size(len(left) + len(right))
            return (*left, *right)
        return None

    def _repeated(self, left: Any, right: Any) -> Any:
        if isinstance(left, int) and isinstance(right, str | list | tuple) and not getattr(right, "is_number", False):
            left, right = right, left
        if isinstance(left, str | list | tuple) and not getattr(left, "is_number", False) and type(right) is int:
            self.meter.size(len(left) * max(right, 0))
            return left * right
        return None

    def add(self, a: Any, b: Any) -> Any:
        if type(a) is int:
            if type(b) is int:
                return self.bounded(a + b)
            na, da = a, 1
        elif type(a) in _QUICK:
            na, da = a._numerator, a._denominator
        else:
            return self._odd("+", a, b)
        if type(b) is int:
            nb, db = b, 1
        elif type(b) in _QUICK:
            nb, db = b._numerator, b._denominator
        else:
            return self._odd("+", a, b)
        if da == db:
            return self.bounded(ratio(na + nb, da))
        return self.bounded(ratio(na * db + nb * da, da * db))

    def sub(self, a: Any, b: Any) -> Any:
        if type(a) is int:
            if type(b) is int:
                return self.bounded(a - b)
            na, da = a, 1
        elif type(a) in _QUICK:
            na, da = a._numerator, a._denominator
        else:
            return self._odd("-", a, b)
        if type(b) is int:
            nb, db = b, 1
        elif type(b) in _QUICK:
            nb, db = b._numerator, b._denominator
        else:
            return self._odd("-", a, b)
        if da == db:
            return self.bounded(ratio(na - nb, da))
        return self.bounded(ratio(na * db - nb * da, da * db))

    def mul(self, a: Any, b: Any) -> Any:
        if type(a) is int:
            if type(b) is int:
                return self.bounded(a * b)
            na, da = a, 1
        elif type(a) in _QUICK:
            na, da = a._numerator, a._denominator
        else:
            return self._odd("*", a, b)
        if type(b) is int:
            nb, db = b, 1
        elif type(b) in _QUICK:
            nb, db = b._numerator, b._denominator
        else:
            return self._odd("*", a, b)
        return self.bounded(ratio(na * nb, da * db))

    def div(self, a: Any, b: Any) -> Any:
        if type(a) is int:
            na, da = a, 1
        elif type(a) in _QUICK:
            na, da = a._numerator, a._denominator
        else:
            return self._odd("/", a, b)
        if type(b) is int:
            nb, db = b, 1
        elif type(b) in _QUICK:
            nb, db = b._numerator, b._denominator
        else:
            return self._odd("/", a, b)
        if nb == 0:
            raise Undefined("division by zero")
        return self.bounded(ratio(na * db, da * nb))

    def floordiv(self, a: Any, b: Any) -> Any:
        if type(a) not in _QUICK or type(b) not in _QUICK:
            return self._odd("//", a, b)
        if b == 0:
            raise Undefined("division by zero")
        if type(a) is int and type(b) is int:
            return a // b
        return self.bounded((a.numerator * b.denominator) // (a.denominator * b.numerator))

    def mod(self, a: Any, b: Any) -> Any:
        if type(a) not in _QUICK or type(b) not in _QUICK:
            return self._odd("%", a, b)
        if b == 0:
            raise Undefined("division by zero")
        if type(a) is int and type(b) is int:
            return a % b
        da, db = a.denominator, b.denominator
        return self.bounded(ratio((a.numerator * db) % (b.numerator * da), da * db))

    def pow(self, a: Any, b: Any) -> Any:
        if type(a) not in _QUICK or type(b) not in _QUICK:
            return self._odd("**", a, b)
        base, exponent = plain(a), plain(b)
        if type(exponent) is not int:
            raise Undefined("`**` needs a whole exponent; a real power is exp(log(x) * y)")
        if base == 0 and exponent < 0:
            raise Undefined("division by zero")
        if base in (0, 1):
            return 1 if exponent == 0 else base
        if base == -1:
            return -1 if exponent % 2 else 1
        bits = max(base.numerator.bit_length(), base.denominator.bit_length())
        least = (bits - 1) * abs(exponent)  # of the larger part of the result
        if least > self.meter.most_bits:
            raise BudgetExceeded(f"a number of more than {self.meter.budget.digits:,} digits")
        if abs(exponent) > 64 or bits > 256:
            self.meter.bits(min(bits * abs(exponent), self.meter.most_bits))
        if exponent >= 0:
            raised = base**exponent
            return self.bounded(raised)
        return self.bounded(ratio(base.denominator**-exponent, base.numerator**-exponent))

    def neg(self, a: Any) -> Any:
        if type(a) is int:
            return -a
        a = needs_number(a, "`-`")
        if getattr(a, "is_real", False):
            return self._odd("-", 0, a)
        return ratio(-a.numerator, a.denominator)

    def total(self, start: Any, items: list[Any]) -> Any:
        """The sum, over one common denominator as long as the numbers are rational."""
        if type(start) is not int:
            return self._total_slowly(start, items)
        n, d = start, 1
        for at, item in enumerate(items):
            kind = type(item)
            if kind is int:
                n += item * d if d != 1 else item
            elif kind in _QUICK:
                other = item._denominator
                if other == d:
                    n += item._numerator
                else:
                    common = gcd(d, other)
                    n = n * (other // common) + item._numerator * (d // common)
                    d *= other // common
                if d > SMALL:
                    return self._total_slowly(ratio(n, d), items[at + 1 :])
            else:
                return self._total_slowly(ratio(n, d) if d != 1 else n, items[at:])
        return self.bounded(ratio(n, d) if d != 1 else n)

    def _total_slowly(self, total: Any, items: list[Any]) -> Any:
        if items and isinstance(items[0], str) and not getattr(items[0], "is_number", False):
            raise Undefined("`sum` adds numbers; join texts with ''.join(xs)")
        for item in items:
            total = self.add(total, item)
        return total


_OPERATORS: dict[str, Any] = {  # Any: unbound methods, called with an Arithmetic
    "+": Arithmetic.add,
    "-": Arithmetic.sub,
    "*": Arithmetic.mul,
    "/": Arithmetic.div,
    "//": Arithmetic.floordiv,
    "%": Arithmetic.mod,
    "**": Arithmetic.pow,
}


def _moved_date(operator: str, left: Any, right: Any) -> Any:
    """A date moved by days, or the distance of two dates; None where no date takes part."""
    if isinstance(left, date):
        if operator == "-" and isinstance(right, date):
            return left - right
        if operator in ("+", "-") and not isinstance(right, timedelta):
            n = plain(needs_number(right, f"a date `{operator}`"))
            if type(n) is not int:
                raise Undefined("a date moves by whole days only")
            return _shifted(left, n if operator == "+" else -n)
    elif operator == "+" and isinstance(right, date) and not isinstance(left, timedelta):
        n = plain(needs_number(left, "a date `+`"))
        if type(n) is int:
            return _shifted(right, n)
    if isinstance(left, timedelta) or isinstance(right, timedelta):
        raise Undefined("the difference of two dates is no number: write days(b - a)")
    return None


def _shifted(day: date, n: int) -> date:
    try:
        return day + timedelta(n)
    except OverflowError:
        raise Undefined("a date outside the years 1 to 9999") from None
