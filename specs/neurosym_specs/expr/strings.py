"""The functions and methods of texts, dicts and lists: with Python's arguments, and inside the budget."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

from neurosym_specs.expr.budget import Meter
from neurosym_specs.expr.comparing import Comparing
from neurosym_specs.expr.datavalues import kind_of
from neurosym_specs.expr.dates import needs_whole
from neurosym_specs.expr.undefined import BudgetExceeded, Undefined
from neurosym_specs.values import WrittenDecimal

_LONGEST_NUMBER = 4_000
"""Digits that Python converts between text and int without asking."""


def needs_text(value: Any, what: str) -> str:
    if isinstance(value, str):
        return value
    raise Undefined(f"{what} needs a text, not {kind_of(value)}")


def to_int(value: Any) -> int:
    """``int(s)`` of a text as in Python; of a number, its whole part."""
    if isinstance(value, str):
        if len(value) > _LONGEST_NUMBER:
            raise BudgetExceeded(f"`int` of a text of {len(value):,} characters")
        try:
            return int(value)
        except ValueError:
            raise Undefined(f"`int`: {value[:40]!r} is no whole number") from None
    if isinstance(value, int):
        return int(value)
    if isinstance(value, Fraction):
        return -(-value.numerator // value.denominator) if value < 0 else value.numerator // value.denominator
    raise Undefined(f"`int` needs a text or a number, not {kind_of(value)}")


def to_str(value: Any) -> str:
    """``str(n)``: a whole number in digits, a decimal with its decimals, a text as it is."""
    if isinstance(value, str):
        return str(value)
    if isinstance(value, bool):
        return str(value)
    if isinstance(value, WrittenDecimal) and value.places > 0:
        scaled = abs(value.numerator) * 10**value.places // value.denominator
        digits = _digits(scaled).rjust(value.places + 1, "0")
        return f"{'-' if value < 0 else ''}{digits[: -value.places]}.{digits[-value.places :]}"
    if isinstance(value, int | Fraction) and value.denominator == 1:
        return _digits(value.numerator)
    if isinstance(value, Fraction):
        raise Undefined("`str` of a number that is not whole; write its digits with str(round(x * 100, half_up))")
    raise Undefined(f"`str` needs a number or a text, not {kind_of(value)}")


def _digits(value: int) -> str:
    if abs(value).bit_length() > _LONGEST_NUMBER * 10 // 3:
        raise BudgetExceeded("`str` of a very large number")
    return str(value)


def to_chr(value: Any) -> str:
    code = needs_whole(value, "`chr`")
    if not 0 <= code < 0x110000 or 0xD800 <= code < 0xE000:
        raise Undefined(f"`chr`: there is no character {code}")
    return chr(code)


def to_ord(value: Any) -> int:
    text = needs_text(value, "`ord`")
    if len(text) != 1:
        raise Undefined(f"`ord` needs one character, not {len(text)}")
    return ord(text)


class Methods:
    """The methods of the language, by name: called with the value and the positional arguments."""

    def __init__(self, meter: Meter, comparing: Comparing) -> None:
        self.meter = meter
        self.comparing = comparing
        self.by_name: dict[str, Callable[..., Any]] = {
            "upper": lambda s: self._plain(s, ".upper").upper(),
            "lower": lambda s: self._plain(s, ".lower").lower(),
            "isdigit": lambda s: self._plain(s, ".isdigit").isdigit(),
            "strip": self._strip,
            "split": self._split,
            "join": self._join,
            "count": self._count,
            "find": self._find,
            "startswith": self._startswith,
            "endswith": self._endswith,
            "replace": self._replace,
            "items": lambda d: list(self._dict(d, ".items").items()),
            "keys": lambda d: list(self._dict(d, ".keys")),
            "values": lambda d: list(self._dict(d, ".values").values()),
            "get": self._get,
        }

    def _plain(self, value: Any, what: str) -> str:
        """The text itself, without what a text of [data] knows more, and charged for."""
        text = needs_text(value, what)
        self.meter.left -= len(text) >> 3
        if self.meter.left < 0:
            raise self.meter.out_of_steps()
        return text if type(text) is str else str(text)

    def _dict(self, value: Any, what: str) -> dict[Any, Any]:
        if isinstance(value, dict):
            self.meter.size(len(value))
            return value
        raise Undefined(f"{what} needs a dict, not {kind_of(value)}")

    def _get(self, value: Any, key: Any, default: Any = None) -> Any:
        table = self._dict(value, ".get")
        return table[key] if self.comparing.contains(table, key) else default

    def _strip(self, value: Any, characters: Any = None) -> str:
        return self._plain(value, ".strip").strip(None if characters is None else needs_text(characters, ".strip"))

    def _split(self, value: Any, sep: Any = None, maxsplit: Any = -1) -> list[str]:
        separator = None if sep is None else str(needs_text(sep, ".split"))
        if separator == "":
            raise Undefined(".split: the separator is empty")
        parts = self._plain(value, ".split").split(separator, needs_whole(maxsplit, ".split"))
        self.meter.size(len(parts))
        return parts

    def _join(self, value: Any, items: Any) -> str:
        separator = self._plain(value, ".join")
        parts = [needs_text(item, ".join") for item in (items.keys() if isinstance(items, dict) else items)]
        self.meter.size(sum(map(len, parts)) + len(separator) * len(parts))
        return separator.join(parts)

    def _count(self, value: Any, part: Any, start: Any = None, end: Any = None) -> int:
        if isinstance(value, list | tuple):
            if start is not None or end is not None:
                raise Undefined(".count of a list takes one argument")
            self.meter.spend(len(value) >> 1)
            equal = self.comparing.equal
            return sum(1 for item in value if equal(item, part))
        text = self._plain(value, ".count")
        return text.count(needs_text(part, ".count"), *self._bounds(start, end, ".count"))

    def _find(self, value: Any, part: Any, start: Any = None, end: Any = None) -> int:
        text = self._plain(value, ".find")
        return text.find(needs_text(part, ".find"), *self._bounds(start, end, ".find"))

    def _bounds(self, start: Any, end: Any, what: str) -> tuple[int | None, int | None]:
        return (
            None if start is None else needs_whole(start, what),
            None if end is None else needs_whole(end, what),
        )

    def _affix(self, part: Any, what: str) -> str | tuple[str, ...]:
        if isinstance(part, tuple):
            return tuple(str(needs_text(one, what)) for one in part)
        return str(needs_text(part, what))

    def _startswith(self, value: Any, part: Any, start: Any = None, end: Any = None) -> bool:
        text = self._plain(value, ".startswith")
        return text.startswith(self._affix(part, ".startswith"), *self._bounds(start, end, ".startswith"))

    def _endswith(self, value: Any, part: Any, start: Any = None, end: Any = None) -> bool:
        text = self._plain(value, ".endswith")
        return text.endswith(self._affix(part, ".endswith"), *self._bounds(start, end, ".endswith"))

    def _replace(self, value: Any, old: Any, new: Any, count: Any = -1) -> str:
        text = self._plain(value, ".replace")
        old, new = str(needs_text(old, ".replace")), str(needs_text(new, ".replace"))
        most = needs_whole(count, ".replace")
        found = text.count(old) if most < 0 else min(text.count(old), most)
        self.meter.size(len(text) + max(0, found * (len(new) - len(old))))
        return text.replace(old, new, most)
