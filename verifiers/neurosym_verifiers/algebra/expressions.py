"""Expressions over real numbers: what the algebra speaks of, made from a reading and from nothing else.

An ``Op`` may round its result, as floats and Decimals do; without its roundings an expression is an exact real number.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from typing import TypeAlias


@dataclass(frozen=True)
class Num:
    """A rational number."""

    value: Fraction


@dataclass(frozen=True)
class Sym:
    """An input, or a part of one, as the number that the spec sees."""

    name: str


@dataclass(frozen=True)
class Op:
    """``name`` is one of ``+ - * / ** neg abs sqrt exp expm1 log log1p log2 log10``, or ``=``, which only rounds, or a
    rounding to decimals that is part of the exact value (``steps``).

    ``rounding``: how the result is rounded, a key of ``ROUNDINGS``, or a rounding to decimals that is taken for an
    error; empty for not at all.
    """

    name: str
    args: tuple[Expr, ...]
    rounding: str = ""

    @cached_property
    def _hash(self) -> int:
        return hash((self.name, self.args, self.rounding))

    def __hash__(self) -> int:
        return self._hash


Expr: TypeAlias = Num | Sym | Op


@dataclass(frozen=True, slots=True)
class Rounding:
    """What is computed is the exact result times ``1 + e`` plus ``f``: ``|e| <= relative`` and ``|f| <= absolute``.

    ``largest``: up to which size that is so.
    """

    relative: Fraction
    absolute: Fraction
    largest: Fraction


LIBRARY_UNITS = 4
"""How many units in the last place the C library's functions may be off. The manual of glibc lists at most 2 for those
that are read ("Known Maximum Errors in Math Functions")."""

_DOUBLE_MAX = Fraction(2) ** 1000
_DECIMAL_MAX = Fraction(10) ** 100_000
ROUNDINGS: Mapping[str, Rounding] = {
    "float": Rounding(Fraction(1, 2**53), Fraction(1, 2**1075), _DOUBLE_MAX),
    "float sum": Rounding(Fraction(1, 2**53), Fraction(0), _DOUBLE_MAX),
    "library": Rounding(Fraction(LIBRARY_UNITS, 2**52), Fraction(LIBRARY_UNITS, 2**1074), _DOUBLE_MAX),
    "Decimal": Rounding(Fraction(1, 2 * 10**27), Fraction(1, 10**1000), _DECIMAL_MAX),
    "Decimal power": Rounding(Fraction(2, 10**27), Fraction(1, 10**1000), _DECIMAL_MAX),
}
"""Of IEEE 754 and of decimal's default context: half a unit in the last place, the power of a Decimal two."""


@dataclass(frozen=True, slots=True)
class Range:
    """The values of a symbol; None is unbounded. ``step``: it has multiples of this only; zero where it has others."""

    low: Fraction | None
    high: Fraction | None
    step: Fraction = Fraction(0)

    @property
    def whole(self) -> bool:
        """Whether it has whole numbers only."""
        return self.step == 1


@dataclass(frozen=True, slots=True)
class Fact:
    """``expression`` (with its roundings) is ``<=``, ``==`` or ``!=`` zero."""

    expression: Expr
    relation: str


@dataclass(frozen=True, slots=True)
class Domain:
    """The points of which something is asked: symbols in their ranges on which all facts hold."""

    ranges: Mapping[str, Range]
    facts: tuple[Fact, ...] = field(default=())


@dataclass(frozen=True, slots=True)
class Test:
    """``question`` as in ``reading.reals.RealTest``, of expressions with their roundings."""

    __test__ = False  # the name is a question's; pytest is not to collect it

    question: str
    parts: tuple[Expr, ...]
    abs_tol: Fraction = Fraction(0)
    rel_tol: Fraction = Fraction(0)


def num(value: Fraction | int) -> Num:
    return Num(Fraction(value))


def exact(expr: Expr) -> Expr:
    """Without its roundings."""
    if not isinstance(expr, Op):
        return expr
    args = tuple(exact(arg) for arg in expr.args)
    return args[0] if expr.name == "=" else Op(expr.name, args)


def symbols(expr: Expr) -> frozenset[str]:
    return frozenset(each.name for each in parts(expr) if isinstance(each, Sym))


def parts(expr: Expr) -> Iterator[Expr]:
    """The expression and all that it is made of, each once, its parts before it."""
    seen: set[int] = set()
    todo: list[tuple[Expr, bool]] = [(expr, False)]
    while todo:
        each, ready = todo.pop()
        if ready:
            yield each
        elif id(each) not in seen:
            seen.add(id(each))
            todo.append((each, True))
            if isinstance(each, Op):
                todo += [(arg, False) for arg in each.args]


def replaced(expr: Expr, by: Mapping[Expr, Expr]) -> Expr:
    """With some parts replaced by others."""
    if expr in by:
        return by[expr]
    if isinstance(expr, Op):
        return Op(expr.name, tuple(replaced(arg, by) for arg in expr.args), expr.rounding)
    return expr


def collected(expr: Expr) -> Expr:
    """An expression without roundings as a sum in which each addend, but for the number before it, stands once."""
    found: dict[Expr, Fraction] = {}
    _addends(expr, Fraction(1), found)
    total: Expr = num(found.pop(num(1), Fraction(0)))
    for part, factor in found.items():
        if factor:
            total = Op("+", (total, part if factor == 1 else Op("*", (num(factor), part))))
    return total


def _addends(expr: Expr, factor: Fraction, found: dict[Expr, Fraction]) -> None:
    match expr:
        case Num(value=value):
            found[num(1)] = found.get(num(1), Fraction(0)) + factor * value
        case Op(name="+", args=(a, b)):
            _addends(a, factor, found)
            _addends(b, factor, found)
        case Op(name="-", args=(a, b)):
            _addends(a, factor, found)
            _addends(b, -factor, found)
        case Op(name="neg", args=(a,)):
            _addends(a, -factor, found)
        case Op(name="*", args=(Num(value=value), a)) | Op(name="*", args=(a, Num(value=value))):
            _addends(a, factor * value, found)
        case Op(name="/", args=(a, Num(value=value))) if value:
            _addends(a, factor / value, found)
        case _:
            found[expr] = found.get(expr, Fraction(0)) + factor
