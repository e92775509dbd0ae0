"""Which operations of Python on numbers are exact, and what can be compared with what.

A Decimal operation of the default context is exact if its result has at most 28 digits: with bounds and places known,
that is decided here. Nothing that rounds is let through.
"""

from __future__ import annotations

import ast
from dataclasses import replace
from fractions import Fraction

from neurosym.contracts.conditions import NotRead
from neurosym.contracts.kinds import ORDERED, Kind, exactly

DIGITS = 28
"""The precision of Decimal's default context."""

_MOST_POWER = 64
_LARGEST_CONSTANT = 10**60


def constant_number(value: int | float) -> tuple[ast.expr, Kind]:
    """A number that is written in the program, exactly; a float is the binary number that it stands for."""
    if isinstance(value, int):
        if abs(value) > _LARGEST_CONSTANT:
            raise NotRead("a number this large is not read")
        return number_text(Fraction(value)), exactly(value)
    try:
        exact = Fraction(value)
    except (ValueError, OverflowError):
        raise NotRead(f"{value} is not read") from None
    if exact.denominator > _LARGEST_CONSTANT or abs(exact) > _LARGEST_CONSTANT:
        raise NotRead("a number this large or small is not read")
    return number_text(exact), exactly(exact, "float")


def number_text(value: Fraction) -> ast.expr:
    """An exact number as an expression: whole, or a fraction of whole numbers."""
    whole: ast.expr = ast.Constant(value=abs(value.numerator))
    if value.denominator != 1:
        whole = ast.BinOp(left=whole, op=ast.Div(), right=ast.Constant(value=value.denominator))
    return ast.UnaryOp(op=ast.USub(), operand=whole) if value < 0 else whole


def added(left: Kind, right: Kind, sign: int) -> Kind:
    """The kind of a sum, or with ``sign`` -1 of a difference. Raises ``NotRead`` where it may round."""
    word = _word(left, right)
    low = high = None
    if left.low is not None and left.high is not None and right.low is not None and right.high is not None:
        low = left.low + (right.low if sign > 0 else -right.high)
        high = left.high + (right.high if sign > 0 else -right.low)
    return _exact(Kind(word=word, low=low, high=high, places=_most(left, right)))


def multiplied(left: Kind, right: Kind) -> Kind:
    """The kind of a product. Raises ``NotRead`` where it may round."""
    word = _word(left, right)
    low = high = None
    if left.low is not None and left.high is not None and right.low is not None and right.high is not None:
        corners = [a * b for a in (left.low, left.high) for b in (right.low, right.high)]
        low, high = min(corners), max(corners)
    first, second = _places(left), _places(right)
    return _exact(Kind(word=word, low=low, high=high, places=None if None in (first, second) else first + second))  # type: ignore[operator]  # neither is None


def power(base: Kind, by: Kind) -> Kind:
    """The kind of a whole number to a power that is written out."""
    if base.word != "int" or base.optional or by.word != "int" or by.low is None or by.low != by.high:
        raise NotRead("a power is read of whole numbers, with an exponent that is written out")
    if not 0 <= by.low <= _MOST_POWER:
        raise NotRead(f"a power is read with exponents from 0 to {_MOST_POWER}")
    return Kind(word="int")


def negated(kind: Kind) -> Kind:
    """The kind of ``-x``, which rounds a Decimal too."""
    if not kind.is_number or kind.optional or kind.nan:
        raise NotRead("a sign is read before what is certainly a number")
    low, high = kind.high, kind.low
    made = replace(
        kind, low=None if low is None else -low, high=None if high is None else -high, choices=(), optional=False
    )
    return _exact(made)


def magnitude(kind: Kind) -> Kind:
    """The kind of ``abs(x)``, which rounds a Decimal too."""
    if not kind.is_number or kind.optional or kind.nan:
        raise NotRead("abs is read of what is certainly a number")
    return _exact(replace(kind, low=None if kind.largest is None else Fraction(0), high=kind.largest, choices=()))


def rounded(kind: Kind, places: int) -> Kind:
    """The kind of a Decimal that is rounded to so many places, which fails where that has more than 28 digits."""
    if kind.largest is None or kind.optional:
        raise NotRead("rounding a Decimal of any size may fail: a contract that bounds it makes this readable")
    made = Kind(word="decimal", low=kind.low, high=kind.high, places=places)
    if kind.low is not None and kind.high is not None:
        made = replace(made, low=kind.low - 1, high=kind.high + 1)
    return _exact(made)


def united(left: Kind, right: Kind) -> Kind:
    """A kind that has the values of both. Raises ``NotRead`` where none does."""
    optional = left.optional or right.optional
    if left.word == right.word and not left.is_number:
        if left.word == "enum" and left.name != right.name:
            raise NotRead("two enums are not of one kind")
        if left.item is not None and right.item is not None:
            return replace(left, item=united(left.item, right.item), max_len=None, optional=optional)
        return replace(left, low=None, high=None, max_len=None, choices=(), optional=optional)
    if left.is_number and right.is_number:
        low = None if left.low is None or right.low is None else min(left.low, right.low)
        high = None if left.high is None or right.high is None else max(left.high, right.high)
        words = {left.word, right.word} - {"int"} or {"int"}
        if len(words) == 1:
            (word,) = words
            nan = left.nan or right.nan
            return Kind(word=word, low=low, high=high, places=_most(left, right), nan=nan, optional=optional)
    raise NotRead("values of different kinds stand for one another")


def compared(op: ast.cmpop, left: Kind, right: Kind) -> None:
    """Raises ``NotRead`` where a comparison is another one in the language than in Python."""
    match op:
        case ast.Is() | ast.IsNot():
            if right.word != "none" and not (left.word == right.word == "enum" and left.name == right.name):
                raise NotRead("`is` is read with None and members of enums only")
        case ast.In() | ast.NotIn():
            if right.optional or left.optional:
                raise NotRead("`in` is not read of what may be None")
            if right.word == "str":
                if left.word != "str":
                    raise NotRead("`in` a text is read of a text")
            elif right.item is None or not _alike(left, right.item):
                raise NotRead("`in` is read with values of one kind")
            elif right.word == "range":
                raise NotRead("`in` a range is read of whole numbers, and alone")
        case ast.Eq() | ast.NotEq():
            if not _alike(left, right):
                raise NotRead("`==` is read between values of one kind")
        case _:
            if left.word not in ORDERED or not _alike(left, right):
                raise NotRead("an order is read between numbers, dates and texts")
            if {left.word, right.word} == {"decimal", "float"} and (left.nan or right.nan):
                raise NotRead("a Decimal and a float that may be no number are not ordered")


def _alike(left: Kind, right: Kind) -> bool:
    """Whether values of two kinds are compared by one and the same rule on both sides."""
    if left.is_number or right.is_number:
        # Python does not order a Fraction and a Decimal, and does not find equal ones equal.
        return left.is_number and right.is_number and {left.word, right.word} != {"fraction", "decimal"}
    if left.word != right.word or left.word in ("none", "days", "range", "set"):
        return False
    if left.word == "enum":
        return left.name == right.name
    if left.word in ("list", "tuple"):
        if left.item is not None and right.item is not None:
            return _alike(left.item, right.item) and not left.item.nan and not right.item.nan
        return False
    return True


def _word(left: Kind, right: Kind) -> str:
    words = {left.word, right.word}
    if left.optional or right.optional or not words <= {"int", "decimal", "fraction"} or len(words - {"int"}) > 1:
        raise NotRead("this arithmetic may round, and the spec format computes exactly")
    return next(iter(words - {"int"}), "int")


def _places(kind: Kind) -> int | None:
    return 0 if kind.word == "int" else kind.places


def _most(left: Kind, right: Kind) -> int | None:
    first, second = _places(left), _places(right)
    return None if first is None or second is None else max(first, second)


def _exact(kind: Kind) -> Kind:
    """The kind itself, unless it is of Decimals that may have more digits than the context keeps."""
    if kind.word == "decimal":
        if kind.largest is None or kind.places is None:
            raise NotRead(
                "arithmetic with a Decimal of any size may round: a contract that bounds it and its decimals helps"
            )
        if kind.largest * 10**kind.places >= 10**DIGITS:
            raise NotRead(f"arithmetic with so many digits may round: a Decimal keeps {DIGITS}")
    return kind
