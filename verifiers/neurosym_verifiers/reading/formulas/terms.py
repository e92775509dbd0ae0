"""Terms over whole numbers and conditions on them: the one language in which programs and specs are compared.

A ``Term`` is a polynomial with whole coefficients over *atoms*: variables, floor quotients, choices (``Ite``) and parts
of dates. Polynomials are kept in normal form, so two terms that are equal as polynomials are equal as values, and much
that a solver would have to prove is seen at once: ``(2*p + 10000) // 20000`` and ``(p + 5000) // 10000`` are one term.

Every term knows bounds, by interval arithmetic from the bounds of its variables; None is unbounded. Bounds are facts:
they are used to decide comparisons, so a variable's bounds must hold wherever the term is used.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, lru_cache, reduce
from hashlib import blake2b
from itertools import groupby
from math import ceil, floor, lcm
from typing import TypeAlias

from neurosym_verifiers.reading.formulas import binary64
from neurosym_verifiers.reading.formulas.bounds import (
    ONE,
    Bound,
    Bounds,
    Spans,
    all_meet,
    divided,
    hull,
    meet,
    power,
    ratios,
    times,
)
from neurosym_verifiers.reading.formulas.budget import check_size, spend


def digest(*parts: str) -> str:
    """A short key for what is made of parts with these keys."""
    return blake2b("\0".join(parts).encode(), digest_size=12).hexdigest()


_SHORT = 3
"""Sums of so many parts at most are looked at for remainders when their bounds are found; longer ones cost too much."""


_LONG = 256
"""A product of more factors costs the more: what is squared over and over has twice as many each time."""

_MANY = 40
"""Sums of so many parts at most are looked at for quotients that share something out."""


class Part:
    """An atom or a condition. ``key`` is equal exactly for equal ones, and orders them."""

    key: str

    @property
    def children(self) -> tuple[Term | Condition, ...]:
        """What it is made of."""
        return ()

    @cached_property
    def names(self) -> frozenset[str]:
        """The variables and flags that occur in it."""
        return frozenset().union(*(each.names for each in self.children))

    @cached_property
    def spans(self) -> Spans:
        """The bounds that it knows of its variables."""
        return all_meet(each.spans for each in self.children)

    def __hash__(self) -> int:
        return hash(self.key)


class Atom(Part):
    """What polynomials are made of."""

    low: Bound
    high: Bound

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Atom) and self.key == other.key

    __hash__ = Part.__hash__


@dataclass(eq=False)
class Var(Atom):
    """An input, or a part of one."""

    name: str
    low: Bound
    high: Bound

    def __post_init__(self) -> None:
        self.key = f"v:{self.name}"

    @cached_property
    def names(self) -> frozenset[str]:
        return frozenset({self.name})

    @cached_property
    def spans(self) -> Spans:
        return {self.name: (self.low, self.high)}


@dataclass(eq=False)
class Div(Atom):
    """``num // den``, rounded down; ``den`` is at least 1 wherever the term is used."""

    num: Term
    den: Term

    def __post_init__(self) -> None:
        self.key = "d:" + digest(self.num.key, self.den.key)
        self.low, self.high = divided((self.num.low, self.num.high), (self.den.low, self.den.high))

    @property
    def children(self) -> tuple[Term | Condition, ...]:
        return self.num, self.den


@dataclass(eq=False)
class Reduced(Div):
    """A numerator or denominator in lowest terms: ``num // den``, where ``den`` is the greatest common divisor of both,
    and so divides without a rest. Those with an equal ``den`` belong to one fraction."""


@dataclass(eq=False)
class Ite(Atom):
    """``then`` where the condition holds, ``other`` elsewhere."""

    condition: Condition
    then: Term
    other: Term

    def __post_init__(self) -> None:
        self.key = "i:" + digest(self.condition.key, self.then.key, self.other.key)
        self.low, self.high = hull((self.then.low, self.then.high), (self.other.low, self.other.high))

    @property
    def children(self) -> tuple[Term | Condition, ...]:
        return self.condition, self.then, self.other

    @cached_property
    def rounds(self) -> bool:
        """Whether it chooses between rounded quotients, alone or beside others."""
        return any(isinstance(f, Nearest) or (isinstance(f, Ite) and f.rounds) for f in self._factors)

    @cached_property
    def reduces(self) -> bool:
        """Whether it chooses between what is in lowest terms, alone or beside others."""
        return any(isinstance(f, Reduced) or (isinstance(f, Ite) and f.reduces) for f in self._factors)

    @property
    def _factors(self) -> list[Atom]:
        return [f for side in (self.then, self.other) for monomial, _ in side.parts for f in monomial]


@dataclass(eq=False)
class DatePart(Atom):
    """The year, month or day of the date with an ordinal (1 is the first of January of year 1)."""

    part: str
    ordinal: Term
    low: Bound
    high: Bound

    def __post_init__(self) -> None:
        self.key = f"p:{self.part}:" + digest(self.ordinal.key)

    @property
    def children(self) -> tuple[Term | Condition, ...]:
        return (self.ordinal,)


@dataclass(eq=False)
class Nearest(Atom):
    """The float nearest to ``num / den``, times ``2**scale``, which makes it whole; ties go to the even one.

    ``den`` is at least 1 wherever the term is used. What is too large for a float counts as ``binary64.INFINITE``."""

    num: Term
    den: Term
    scale: int

    def __post_init__(self) -> None:
        self.key = "n:" + digest(self.num.key, self.den.key, str(self.scale))
        low, high = ratios((self.num.low, self.num.high), (self.den.low, self.den.high))
        infinite = binary64.INFINITE << self.scale
        self.least = -infinite if low is None else self.of(low.numerator, low.denominator, up=False)
        self.greatest = infinite if high is None else self.of(high.numerator, high.denominator, up=True)
        self.low, self.high = self.least, self.greatest

    @property
    def children(self) -> tuple[Term | Condition, ...]:
        return self.num, self.den

    def of(self, num: int, den: int, *, up: bool = False) -> int:
        """What it comes to for a quotient of numbers; a bound that is no multiple of the scale's step is moved out."""
        value = binary64.nearest(num, den) * (1 << self.scale)
        return -(-value.numerator // value.denominator) if up else value.numerator // value.denominator


Monomial: TypeAlias = tuple[Atom, ...]


class Term:
    """A polynomial: ``parts`` are its monomials (atoms in order of their keys) with their coefficients, none zero."""

    __slots__ = ("__dict__", "parts")

    def __init__(self, parts: Iterable[tuple[Monomial, int]]) -> None:
        self.parts: tuple[tuple[Monomial, int], ...] = tuple(parts)

    @cached_property
    def key(self) -> str:
        return digest(*(f"{'*'.join(a.key for a in monomial)}={coefficient}" for monomial, coefficient in self.parts))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Term) and (self.parts == other.parts)

    def __hash__(self) -> int:
        return hash(self.parts)

    def __repr__(self) -> str:
        return " + ".join(f"{c}*{'*'.join(a.key for a in m)}" if m else str(c) for m, c in self.parts) or "0"

    @cached_property
    def names(self) -> frozenset[str]:
        """The variables and flags that occur in it."""
        return frozenset().union(*(factor.names for monomial, _ in self.parts for factor in monomial))

    @cached_property
    def spans(self) -> Spans:
        """The bounds that it knows of its variables."""
        return all_meet(factor.spans for monomial, _ in self.parts for factor in monomial)

    @cached_property
    def constant(self) -> int | None:
        """The value, if the term is a number."""
        if not self.parts:
            return 0
        return self.parts[0][1] if len(self.parts) == 1 and not self.parts[0][0] else None

    @cached_property
    def _bounds(self) -> Bounds:
        low: Bound = 0
        high: Bound = 0
        for monomial, coefficient in self.parts:
            a, b = reduce(times, (power((each.low, each.high), n) for each, n in _powers(monomial)), ONE)
            if coefficient < 0:
                a, b = b, a
            low = None if low is None or a is None else low + coefficient * a
            high = None if high is None or b is None else high + coefficient * b
        for residue, times_, rest in remainders_in(self) if len(self.parts) <= _SHORT else ():
            a, b = power((0, residue - 1), 1)
            a, b = (times_ * b, times_ * a) if times_ < 0 else (times_ * a, times_ * b)  # type: ignore[operator]
            one, other = rest.low, rest.high
            low, high = meet((low, high), (None if one is None else one + a, None if other is None else other + b))
        return meet((low, high), _left_over(self)) if 1 < len(self.parts) <= _MANY else (low, high)

    @property
    def low(self) -> Bound:
        return self._bounds[0]

    @property
    def high(self) -> Bound:
        return self._bounds[1]

    def __add__(self, other: Term) -> Term:
        sums: dict[Monomial, int] = dict(self.parts)
        for monomial, coefficient in other.parts:
            sums[monomial] = sums.get(monomial, 0) + coefficient
        return _normal(sums)

    def __neg__(self) -> Term:
        return Term((m, -c) for m, c in self.parts)

    def __sub__(self, other: Term) -> Term:
        return self + -other

    def __mul__(self, other: Term) -> Term:
        products: dict[Monomial, int] = {}
        for m, c in self.parts:
            for n, d in other.parts:
                if len(m) + len(n) > _LONG:
                    spend((len(m) + len(n)) ** 2 // _LONG)
                joined = tuple(sorted((*m, *n), key=lambda atom: atom.key))
                products[joined] = products.get(joined, 0) + c * d
            check_size(c)  # before the next product is made of it
        return _normal(products)


def _powers(monomial: Monomial) -> Iterator[tuple[Atom, int]]:
    """The atoms of a product, each with how often it is a factor; equal ones stand side by side."""
    for _, equal_ones in groupby(monomial, key=lambda each: each.key):
        same = list(equal_ones)
        yield same[0], len(same)


def _normal(parts: dict[Monomial, int]) -> Term:
    spend(len(parts) + 1)
    kept = [(m, c) for m, c in parts.items() if c]
    kept.sort(key=lambda part: tuple(atom.key for atom in part[0]))
    return Term(kept)


def number(value: int) -> Term:
    """A constant."""
    return Term([((), value)]) if value else Term([])


def atom(of: Atom) -> Term:
    """A term that is one atom."""
    return Term([((of,), 1)])


def with_atoms(term: Term, instead: Callable[[Atom], Term]) -> Term:
    """A term with what stands instead of each of its atoms."""
    total = number(0)
    for monomial, coefficient in term.parts:
        product = number(coefficient)
        for factor in monomial:
            product = product * instead(factor)
        total = total + product
    return total


def variable(name: str, low: Bound, high: Bound) -> Term:
    """A variable; a number if its bounds leave one value."""
    return number(low) if low is not None and low == high else atom(Var(name, low, high))


def remainders_in(term: Term) -> Iterator[tuple[int, int, Term]]:
    """Remainders in a sum: ``(m, k, rest)`` where it is ``k * (x % m) + rest``, the rest being shorter."""
    for monomial, coefficient in term.parts:
        if len(monomial) == 1 and isinstance(monomial[0], Div):
            modulus = monomial[0].den.constant
            if modulus is not None and modulus > 1 and coefficient % modulus == 0:
                count = -coefficient // modulus
                rest = term - number(count) * (monomial[0].num - number(modulus) * atom(monomial[0]))
                if len(rest.parts) < len(term.parts):
                    yield modulus, count, rest


@lru_cache(maxsize=4096)
def _left_over(term: Term) -> Bounds:
    """Bounds of what quotients leave of something that they share out, as in ``t - a*t//(a + b) - b*t//(a + b)``.

    If ``sum(c * num / den) + rest`` is a number, the sum of ``c * (num // den)`` and the rest differs from it by ``c``
    times what each division leaves, which is less than one. The quotients are by one number, or by known ones.
    """
    quotients = [(m[0], c) for m, c in term.parts if len(m) == 1 and isinstance(m[0], Div)]
    divisors = {each.den.key: each.den for each, _ in quotients}
    known = [den.constant for den in divisors.values() if den.constant is not None]
    if not 1 < len(quotients) < len(term.parts) or (len(divisors) > 1 and len(known) < len(divisors)):
        return None, None
    common = next(iter(divisors.values())) if len(divisors) == 1 else number(lcm(*known))
    whole = common * Term(part for part in term.parts if not (len(part[0]) == 1 and isinstance(part[0][0], Div)))
    for each, c in quotients:
        whole = whole + each.num * number(c if len(divisors) == 1 else c * (lcm(*known) // (each.den.constant or 1)))
    exactly, by = whole.constant, common.constant
    if exactly is None or (by is None and exactly != 0):
        return None, None
    most = [(c, Fraction(1) if (den := each.den.constant) is None else Fraction(den - 1, den)) for each, c in quotients]
    down, up = (sum((abs(c) * part for c, part in most if (c > 0) == sign), Fraction(0)) for sign in (True, False))
    if by is None:  # what a division leaves is less than all of it
        return -max(int(down) - 1, 0), max(int(up) - 1, 0)
    return ceil(Fraction(exactly, by) - down), floor(Fraction(exactly, by) + up)


# Conditions


class Condition(Part):
    """A condition; equal ones are so in whatever order their parts stand."""

    opposite: Condition | None = None
    """What holds exactly where it does not, once it was asked for."""

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Condition) and self.key == other.key

    __hash__ = Part.__hash__


@dataclass(eq=False)
class Truth(Condition):
    value: bool

    def __post_init__(self) -> None:
        self.key = str(self.value)


TRUE, FALSE = Truth(True), Truth(False)


@dataclass(eq=False)
class Flag(Condition):
    """A boolean input."""

    name: str

    def __post_init__(self) -> None:
        self.key = f"b:{self.name}"

    @cached_property
    def names(self) -> frozenset[str]:
        return frozenset({self.name})


@dataclass(eq=False)
class NotPositive(Condition):
    """``term <= 0``."""

    term: Term

    def __post_init__(self) -> None:
        self.key = "<=:" + self.term.key

    @property
    def children(self) -> tuple[Term | Condition, ...]:
        return (self.term,)


@dataclass(eq=False)
class Zero(Condition):
    """``term == 0``."""

    term: Term

    def __post_init__(self) -> None:
        self.key = "==:" + self.term.key

    @property
    def children(self) -> tuple[Term | Condition, ...]:
        return (self.term,)


@dataclass(eq=False)
class Within(Condition):
    """The term lies in one of some ranges, which stand in order, with gaps between them."""

    term: Term
    ranges: tuple[tuple[int, int], ...]

    def __post_init__(self) -> None:
        self.key = "in:" + digest(self.term.key, repr(self.ranges))

    @property
    def children(self) -> tuple[Term | Condition, ...]:
        return (self.term,)


@dataclass(eq=False)
class Not(Condition):
    of: Condition

    def __post_init__(self) -> None:
        self.key = "not:" + self.of.key

    @property
    def children(self) -> tuple[Term | Condition, ...]:
        return (self.of,)


@dataclass(eq=False)
class And(Condition):
    parts: tuple[Condition, ...]

    def __post_init__(self) -> None:
        self.key = "and:" + digest(*sorted(part.key for part in self.parts))

    @property
    def children(self) -> tuple[Term | Condition, ...]:
        return self.parts


@dataclass(eq=False)
class Or(Condition):
    parts: tuple[Condition, ...]

    def __post_init__(self) -> None:
        self.key = "or:" + digest(*sorted(part.key for part in self.parts))

    @property
    def children(self) -> tuple[Term | Condition, ...]:
        return self.parts
