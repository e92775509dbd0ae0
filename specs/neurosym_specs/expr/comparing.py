"""Equality, order and membership of spec values, inside the budget."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from datetime import date
from fractions import Fraction
from typing import Any

from neurosym_specs.expr.budget import Meter
from neurosym_specs.expr.datavalues import Choice, kind_of
from neurosym_specs.expr.undefined import Undefined
from neurosym_specs.values import Record, WrittenDecimal

_SCALARS = frozenset({int, str, date, bool, type(None)})
_RATIONALS = frozenset({int, Fraction, WrittenDecimal})
_CONTAINERS = (list, tuple, dict, frozenset, Record)


class Comparing:
    """Comparisons as in Python, with three differences: numbers are exact, NaN equals nothing even inside a list,
    and what takes long is counted.

    ``nan_occurs``: whether a value of this spec can be NaN; if not, an object is equal to itself without a look.
    ``orders_occur``: whether an enum of it is ordered; then texts among its choices are sorted as such.
    """

    def __init__(self, meter: Meter, nan_occurs: bool, orders_occur: bool) -> None:
        self.meter = meter
        self.nan_occurs = nan_occurs
        self.orders_occur = orders_occur

    def equal(self, a: Any, b: Any) -> bool:
        kind, other = type(a), type(b)
        if kind in _RATIONALS and other in _RATIONALS:
            if kind is int:
                if other is int:
                    return bool(a == b)
                return bool(b._denominator == 1 and b._numerator == a)
            if other is int:
                return bool(a._denominator == 1 and a._numerator == b)
            return bool(a._numerator == b._numerator and a._denominator == b._denominator)
        if kind in _SCALARS and other in _SCALARS:
            return bool(a == b)
        if a is b and not self.nan_occurs:
            return True
        if isinstance(a, _CONTAINERS) and isinstance(b, _CONTAINERS):
            return self._deeply_equal(a, b)
        return bool(a == b)

    def _deeply_equal(self, a: Any, b: Any) -> bool:
        if isinstance(a, Record):
            if not isinstance(b, Record) or a.type_name != b.type_name or a.fields.keys() != b.fields.keys():
                return False
            self.meter.spend(1)
            fields = b.fields
            return all(self.equal(item, fields[name]) for name, item in a.fields.items())
        if isinstance(a, list | tuple):
            if not isinstance(b, list if isinstance(a, list) else tuple) or len(a) != len(b):
                return False
            self.meter.spend(1 + (len(a) >> 2))
            equal = self.equal
            for x, y in zip(a, b, strict=True):  # noqa: SIM110  # a generator costs more than the comparisons
                if not equal(x, y):
                    return False
            return True
        if isinstance(a, dict):
            if not isinstance(b, dict) or len(a) != len(b):
                return False
            self.meter.spend(1 + len(a))
            return all(key in b and self.equal(item, b[key]) for key, item in a.items())
        self.weigh(a)
        return bool(a == b)

    def less(self, a: Any, b: Any) -> bool:
        return self.ordered("<", a, b)

    def ordered(self, operator: str, a: Any, b: Any) -> bool:
        """One of ``< <= > >=``."""
        kind, other = type(a), type(b)
        if kind in _RATIONALS and other in _RATIONALS:
            na, da = (a, 1) if kind is int else (a._numerator, a._denominator)
            nb, db = (b, 1) if other is int else (b._numerator, b._denominator)
            if da == db:
                return _ORDERS[operator](na, nb)
            return _ORDERS[operator](na * db, nb * da)
        if kind is other and (kind is str or kind is date):
            return _ORDERS[operator](a, b)
        for value in (a, b):
            if value is None or isinstance(value, Record | dict):
                raise Undefined(f"`{operator}`: {kind_of(value)} has no order")
        if isinstance(a, _CONTAINERS) or isinstance(b, _CONTAINERS):
            self.weigh(a)
            self.weigh(b)
        try:
            return bool(_ORDERS[operator](a, b))
        except TypeError:
            raise Undefined(f"`{operator}`: {kind_of(a)} and {kind_of(b)} have no order") from None

    def contains(self, container: Any, item: Any) -> bool:
        if isinstance(container, str):
            if not isinstance(item, str):
                raise Undefined(f"`in` a text asks for a text, not {kind_of(item)}")
            self.meter.spend(len(container) >> 3)
            return str(item) in str(container)
        if isinstance(container, list | tuple):
            self.meter.spend(len(container) >> 2)
            if type(item) in _SCALARS and not self.nan_occurs:
                return item in container
            equal = self.equal
            return any(equal(item, member) for member in container)
        if isinstance(container, frozenset | dict):
            self.weigh(item)
            try:
                return item in container
            except TypeError:
                raise Undefined(f"{kind_of(item)} cannot be in a set or a key of a dict") from None
        if isinstance(container, range):
            return item in container
        raise Undefined(f"`in` needs a list, a set, a dict or a text, not {kind_of(container)}")

    def weigh(self, value: Any) -> None:
        """Charge for everything inside a value, before Python walks through it in one go.

        A value built by ``fold`` may share its parts and be exponentially larger to walk than to build.
        """
        if type(value) in _SCALARS:
            return
        if isinstance(value, Record):
            self.meter.spend(1)
            for item in value.fields.values():
                self.weigh(item)
        elif isinstance(value, list | tuple | frozenset):
            self.meter.spend(1 + (len(value) >> 2))
            for item in value:
                self.weigh(item)
        elif isinstance(value, dict):
            self.meter.spend(1 + (len(value) >> 2))
            for key, item in value.items():
                self.weigh(key)
                self.weigh(item)
        elif isinstance(value, float) and value != value:
            raise Undefined("NaN has no order")

    def least(self, items: Iterable[Any], operator: str) -> Any:
        """The first least (``<``) or greatest (``>``) of some items, at least one."""
        found: Any = None
        first = True
        ordered = self.ordered
        if self.orders_occur:
            items = in_choices(list(items))
        for item in items:
            if first:
                found, first = item, False
                if isinstance(item, float) and item != item:
                    raise Undefined("NaN has no order")
            else:
                if isinstance(item, float) and item != item:
                    raise Undefined("NaN has no order")
                if ordered(operator, item, found):
                    found = item
        return found

    def in_order(self, items: list[Any], key: Callable[[Any], Any] | None, reverse: bool) -> list[Any]:
        keys = [key(item) for item in items] if key else items
        if self.orders_occur:
            keys = in_choices(keys)
        self.meter.spend(len(items) >> 1)
        for one in keys:
            if type(one) not in _SCALARS or one is None:
                if one is None or isinstance(one, Record | dict):
                    raise Undefined(f"`sorted`: {kind_of(one)} has no order; sort by a key, sorted(xs, key=f)")
                self.weigh(one)
        try:
            if keys is items:
                return sorted(items, reverse=reverse)
            places = sorted(range(len(items)), key=keys.__getitem__, reverse=reverse)
        except TypeError:
            raise Undefined("`sorted`: the items have no common order") from None
        return [items[at] for at in places]


_ORDERS: dict[str, Callable[[Any, Any], bool]] = {
    "<": lambda a, b: a < b,
    "<=": lambda a, b: a <= b,
    ">": lambda a, b: a > b,
    ">=": lambda a, b: a >= b,
}


def in_choices(items: list[Any]) -> list[Any]:
    """The items; if one is a choice of an ordered enum, plain texts among them as its choices too."""
    choice = next((item for item in items if isinstance(item, Choice)), None)
    if choice is None:
        return items
    return [Choice(item, choice.choices) if type(item) is str else item for item in items]


def items_in_order(items: frozenset[Any]) -> list[Any]:
    """The members of a set in an order that does not depend on hashes: sorted, or by kind and text."""
    try:
        return sorted(items)
    except (TypeError, Undefined):
        return sorted(items, key=lambda item: (type(item).__name__, repr(item)))


def same_key(value: Any) -> Any:
    """A hashable stand-in: two values have equal keys exactly if they are equal; a boolean is no number here."""
    if isinstance(value, bool):
        return (bool, value)
    if isinstance(value, list | tuple):
        return (list if isinstance(value, list) else tuple, *map(same_key, value))
    if isinstance(value, Record):
        return (value.type_name, *((name, same_key(value.fields[name])) for name in sorted(value.fields)))
    if isinstance(value, dict):
        return (dict, frozenset((same_key(key), same_key(item)) for key, item in value.items()))
    if isinstance(value, frozenset):
        return (frozenset, frozenset(map(same_key, value)))
    if isinstance(value, float) and value != value:
        return (float, "nan")
    return value
