"""The functions of the language: what each does with the values of its arguments."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from math import gcd
from typing import Any

from neurosym_specs.expr import dates, strings
from neurosym_specs.expr.budget import Meter
from neurosym_specs.expr.comparing import Comparing, items_in_order, same_key
from neurosym_specs.expr.datavalues import kind_of
from neurosym_specs.expr.dates import needs_whole
from neurosym_specs.expr.literals import UNSET
from neurosym_specs.expr.rational import Arithmetic, needs_number, plain, ratio
from neurosym_specs.expr.undefined import BudgetExceeded, Undefined
from neurosym_specs.values import WrittenDecimal


def is_real(value: Any) -> bool:
    return getattr(value, "is_real", False) is True


class Library:
    """The functions by name, inside a meter's budget; ``approx`` is within the tolerance of the reference."""

    def __init__(
        self, meter: Meter, arithmetic: Arithmetic, comparing: Comparing, abs_tol: Fraction, rel_tol: Fraction
    ) -> None:
        self.meter = meter
        self.arithmetic = arithmetic
        self.comparing = comparing
        self.abs_tol = abs_tol
        self.rel_tol = rel_tol
        self.by_name: dict[str, Callable[..., Any]] = {
            "floor": self.floor,
            "ceil": self.ceil,
            "trunc": self.trunc,
            "abs": self.abs,
            "sign": self.sign,
            "clamp": self.clamp,
            "len": self.len,
            "range": self.range_list,
            "enumerate": self.enumerate,
            "zip": self.zip,
            "reversed": self.reversed,
            "gcd": self.gcd,
            "places": self.places,
            "approx": self.approx,
            "is_nan": self.is_nan,
            "is_finite": self.is_finite,
            "sqrt": lambda x: self.real("sqrt", x),
            "exp": lambda x: self.real("exp", x),
            "log": lambda x: self.real("log", x),
            "same_items": self.same_items,
            "date": dates.make_date,
            "days": dates.days,
            "add_months": dates.add_months,
            "month_end": dates.month_end,
            "leap": dates.leap,
            "int": strings.to_int,
            "str": strings.to_str,
            "ord": strings.to_ord,
            "chr": strings.to_chr,
            "sum": self.sum,
        }

    def items(self, value: Any, what: str) -> Any:
        """What a loop runs over, as a list, tuple, text or range; charged item by item."""
        if isinstance(value, list | tuple | range):
            items: Any = value
        elif isinstance(value, str):
            items = str(value)
        elif isinstance(value, dict):
            items = list(value)
        elif isinstance(value, frozenset):
            self.comparing.weigh(value)
            items = items_in_order(value)
        else:
            raise Undefined(f"{what} needs a list, a set, a dict or a text, not {kind_of(value)}")
        self.meter.left -= len(items)
        if self.meter.left < 0:
            raise self.meter.out_of_steps()
        return items

    def floor(self, x: Any) -> int:
        return self._to_whole(x, "floor", lambda n, d: n // d)

    def ceil(self, x: Any) -> int:
        return self._to_whole(x, "ceil", lambda n, d: -(-n // d))

    def trunc(self, x: Any) -> int:
        return self._to_whole(x, "trunc", lambda n, d: n // d if n >= 0 else -(-n // d))

    def _to_whole(self, x: Any, name: str, whole: Callable[[int, int], int]) -> int:
        number = needs_number(x, f"`{name}`")
        if is_real(number):
            from neurosym_specs.expr import reals  # python-flint is loaded only for real functions

            return reals.whole(number, name)
        return whole(number.numerator, number.denominator)

    def abs(self, x: Any) -> Any:
        number = needs_number(x, "`abs`")
        return abs(number) if is_real(number) else ratio(abs(number.numerator), number.denominator)

    def sign(self, x: Any) -> int:
        number = needs_number(x, "`sign`")
        return int(number > 0) - int(number < 0)

    def clamp(self, x: Any, low: Any, high: Any) -> Any:
        ordered = self.comparing.ordered
        if ordered("<", high, low):
            raise Undefined(f"`clamp` between {low} and {high}: the lower bound is above the upper one")
        if ordered("<", x, low):
            return low
        return high if ordered("<", high, x) else x

    def len(self, value: Any) -> int:
        if isinstance(value, str | list | tuple | dict | frozenset | range):
            return len(value)
        raise Undefined(f"`len` needs a list, a set, a dict or a text, not {kind_of(value)}")

    def sum(self, items: Any, start: Any = 0) -> Any:
        items = self.items(items, "`sum`")
        return self.arithmetic.total(start, items if isinstance(items, list) else list(items))

    def range(self, *bounds: Any) -> range:
        """Python's range, with no more items than there are steps."""
        whole = [needs_whole(bound, "`range`") for bound in bounds]
        if len(whole) == 3 and whole[2] == 0:
            raise Undefined("`range` with a step of zero")
        start, stop, step = (0, whole[0], 1) if len(whole) == 1 else (*whole, 1)[:3]
        count = max(0, -((start - stop) // step) if step > 0 else -((stop - start) // -step))
        if count > self.meter.budget.steps:
            raise BudgetExceeded(f"a range of {count:,} numbers needs more than {self.meter.budget.steps:,} steps"
                                 if count < 10**30 else "a range of more numbers than there are steps")  # fmt: skip
        return range(start, stop, step)

    def range_list(self, *bounds: Any) -> list[int]:
        numbers = self.range(*bounds)
        self.meter.size(len(numbers))
        return list(numbers)

    def enumerate(self, value: Any, start: Any = 0) -> list[tuple[int, Any]]:
        items = self.items(value, "`enumerate`")
        self.meter.size(len(items))
        return list(enumerate(items, needs_whole(start, "`enumerate`")))

    def zip(self, *values: Any) -> list[tuple[Any, ...]]:
        return list(zip(*[self.items(value, "`zip`") for value in values], strict=False))

    def reversed(self, value: Any) -> list[Any]:
        return list(reversed(self.items(value, "`reversed`")))

    def gcd(self, *numbers: Any) -> int:
        if len(numbers) == 1 and isinstance(numbers[0], list | tuple | frozenset):
            numbers = tuple(self.items(numbers[0], "`gcd`"))
        return gcd(*(needs_whole(number, "`gcd`") for number in numbers))

    def places(self, x: Any) -> int:
        """The decimals that a decimal is written with; of any other number, those that it needs."""
        if isinstance(x, WrittenDecimal):
            return x.places
        number = needs_number(x, "`places`")
        if is_real(number):
            raise Undefined("`places` of a real number that may not end")
        denominator, twos, fives = number.denominator, 0, 0
        while denominator % 2 == 0:
            denominator //= 2
            twos += 1
        while denominator % 5 == 0:
            denominator //= 5
            fives += 1
        if denominator != 1:
            raise Undefined(f"`places`: {number} has no end as a decimal")
        return max(twos, fives)

    def approx(self, x: Any, y: Any) -> bool:
        """Equal within ``abs_tol + rel_tol * abs(...)``, either of the two taken as the right value."""
        from neurosym_specs.expr.tolerance import approximately  # it needs this module's arithmetic

        return approximately(x, y, self.abs_tol, self.rel_tol)

    def is_nan(self, x: Any) -> bool:
        return x != x if isinstance(x, float) else needs_number(x, "`is_nan`") is None

    def is_finite(self, x: Any) -> bool:
        return False if isinstance(x, float) else needs_number(x, "`is_finite`") is not None

    def real(self, name: str, x: Any) -> Any:
        from neurosym_specs.expr import reals  # python-flint is loaded only for real functions

        self.meter.spend(20)
        return reals.function(name, plain(needs_number(x, f"`{name}`")), self.meter.budget.bits)

    def same_items(self, xs: Any, ys: Any) -> bool:
        """Whether two lists hold equal items equally often, in any order."""
        left, right = self.items(xs, "`same_items`"), self.items(ys, "`same_items`")
        if len(left) != len(right):
            return False
        for item in (left, right):
            self.comparing.weigh(item if isinstance(item, list | tuple) else list(item))
        return Counter(map(same_key, left)) == Counter(map(same_key, right))

    def least(
        self,
        operator: str,
        values: tuple[Any, ...],
        default: Any = UNSET,
        key: Callable[[Any], Any] | None = None,
    ) -> Any:
        """``min`` (``<``) and ``max`` (``>``): of several arguments, or of the items of one."""
        name = "min" if operator == "<" else "max"
        if len(values) == 1:
            items = self.items(values[0], f"`{name}`")
            if len(items) == 0:
                if default is not UNSET:
                    return default
                raise Undefined(f"`{name}` of an empty list")
        else:
            items = values
        if key is None:
            return self.comparing.least(items, operator)
        keys = [key(item) for item in items]
        least = self.comparing.least(keys, operator)
        return items[next(at for at, one in enumerate(keys) if one is least)]
