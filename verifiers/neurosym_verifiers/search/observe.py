"""Looking at what a spec does on an input: its comparisons, its roundings, its searches in lists, its booleans."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import date
from fractions import Fraction
from math import gcd, lcm
from typing import Any, TypeAlias

from neurosym_specs.expr.evaluate import Evaluator, Scope, Undefined
from neurosym_specs.expr.syntax import Expression
from neurosym_specs.model import Spec

from neurosym_verifiers.search.leaves import Inputs

_OCCURRENCES = 4
"""How often one place in the spec is followed on one input (it may run once per list element)."""

_MEMBERS = 40
"""How many searches in lists are followed on one input."""

_WORK_OF_A_LOOK = 25
_COUNTABLE = 32

ENOUGH = 3
"""How many inputs are wanted for each tipping point, at each size of amounts."""

_LARGEST_MODULUS = 10**9

_WIDEST_DIVISOR = 64
_LARGEST_DIVISOR = 1000
"""All that are larger are one kind."""

_SHARES = 3
_OF_SEVERAL_SHARES = 10_000
"""Where fractions are added up, boundaries are those of a size class of their own."""

_SHARES_TRIED = 8
"""And so many times as often wanted: the fractions come to another whole number only now and then."""

_HALF = Fraction(1, 2)
_WHOLE = frozenset(("floor", "ceiling", "down", "up"))
"""Modes that tip at whole steps; their positions are told half a step on, so that what tips is a tie too."""

_NEAR_A_TIE = Fraction(1, 10)
"""What counts as just beside a tie, in halves of a step: there a rounding before the rounding goes wrong."""

SiteKey: TypeAlias = tuple[int, int]
"""A place in the spec (by its node) and how often it had run before."""

Mark: TypeAlias = tuple[str, int, int]
"""Kind, place, and size class or count."""


@dataclass(slots=True)
class Sighting:
    """What the spec did on one input.

    ``distances``: left minus right of each comparison (dates in days). ``positions``: each amount before its
    rounding, in steps. ``scales``: about how large the amounts of a comparison are. ``members``: what was looked for
    in which list. ``remainders``: both sides of each ``%`` of whole numbers. ``operands``: how the operands of each
    ``and`` and ``or`` stand. ``divisor``: what of all divisors together makes quotients without an end, 1 if nothing
    does. ``shares``: of each sum of fractions, how fine the finest are, and how many of them there
    are; ``adds_shares``: whether several. What they come to together is lost by who rounds each. ``refused``: whether a
    require does not hold, or a reject applies.
    """

    distances: dict[SiteKey, int | Fraction] = field(default_factory=dict)
    positions: dict[SiteKey, int | Fraction] = field(default_factory=dict)
    scales: dict[SiteKey, int] = field(default_factory=dict)
    remainders: dict[SiteKey, tuple[int, int]] = field(default_factory=dict)
    comparisons: int = 0
    members: list[tuple[Any, Sequence[Any]]] = field(default_factory=list)
    operands: dict[int, tuple[bool | None, ...]] = field(default_factory=dict)
    divisor: int = 1
    shares: dict[int, tuple[int, int]] = field(default_factory=dict)
    adds_shares: bool = False
    refused: bool = False
    _seen: Counter[int] = field(default_factory=Counter)

    def comparison(self, node: ast.AST, op: str, left: Any, right: Any) -> None:
        self.comparisons += 1
        if isinstance(right, (list, tuple)):
            if op in ("in", "not in") and len(self.members) < _MEMBERS:
                self.members.append((left, right))
            return
        key = self._key(node)
        if key is None:
            return
        days = None
        if isinstance(left, date) and isinstance(right, date):
            days = 3 * _day_class(left) + _day_class(right)
            left, right = left.toordinal(), right.toordinal()
        if not isinstance(left, (int, Fraction)) or not isinstance(right, (int, Fraction)):
            return
        if isinstance(left, bool) or isinstance(right, bool):
            return
        self.distances[key] = left - right
        self.scales[key] = (scale(left) if days is None else days) + _OF_SEVERAL_SHARES * self.adds_shares

    def rounding(self, node: ast.AST, exact: Fraction, step: Fraction, mode: str) -> None:
        key = self._key(node)
        if key is not None and step:
            position = Fraction(exact) / step
            self.positions[key] = position + _HALF if mode in _WHOLE else position

    def remainder(self, node: ast.AST, left: Any, right: Any) -> None:
        key = self._key(node)
        if key is not None and type(left) is int and type(right) is int and 1 < right < _LARGEST_MODULUS:
            self.remainders[key] = (left, right)

    def division(self, node: ast.AST, divisor: Fraction) -> None:
        self.divisor = min(lcm(self.divisor, endless(divisor.numerator)), _LARGEST_DIVISOR)

    def summands(self, node: ast.AST, items: Sequence[Any]) -> None:
        finest, several = 0, 0
        for item in items:
            size = _fineness(item)
            if size >= finest:
                finest, several = size, several + 1 if size == finest else 1
        if finest:
            self.shares[id(node)] = max(self.shares.get(id(node), (0, 0)), (finest, min(several, _SHARES)))
            self.adds_shares = self.adds_shares or several > 1

    def boolean(self, node: ast.AST, values: list[bool | None]) -> None:
        self.operands.setdefault(id(node), tuple(values))

    def marks(self) -> Iterator[tuple[Mark, int]]:
        """What is remarkable about the input, each with how often that is wanted.

        A comparison on or one unit beside its tipping point; a rounding on a tie; how near a comparison of small
        whole numbers is to tipping; how often a place in the spec ran; how the operands of a boolean stand together.
        """
        for (site, number), distance in self.distances.items():
            if -1 <= distance <= 1:
                kind = "tip" if distance == 0 else "above" if distance > 0 else "below"
                yield (kind, site, self.scales[site, number]), ENOUGH * (_SHARES_TRIED if self.adds_shares else 1)
            elif -_COUNTABLE < distance < _COUNTABLE and isinstance(distance, int):
                yield ("near", site, distance), 1
        for (site, _), position in self.positions.items():
            half = Fraction(position) * 2
            away = abs(half) % 2 - 1
            sign = "negative " if half < 0 else ""
            if half.denominator == 1 and half.numerator % 2:
                kind = self.tie if half.numerator % 4 == 1 else f"odd {self.tie}"
                yield (sign + kind, site, scale(position)), ENOUGH
            elif half.denominator > 1 and abs(away) <= _NEAR_A_TIE:
                kind = "below a tie" if away < 0 else "above a tie"
                yield (sign + kind, site, scale(int(position))), ENOUGH
        for (site, _), (left, modulus) in self.remainders.items():
            if left % modulus in residues(modulus):
                yield ("residue", site, left % modulus), ENOUGH
        for site, times in self._seen.items():
            yield ("times", site, times.bit_length()), 1
        for site, (finest, several) in self.shares.items():
            yield ("shares", site, 10 * finest + several), ENOUGH
        for site, operands in self.operands.items():
            yield ("operands", site, int("".join("012"[(o is not None) + bool(o)] for o in operands), 3)), 1

    @property
    def tie(self) -> str:
        """Of which kind a tie is: a quotient without an end, taken before its time, goes wrong on it or not."""
        return "tie" if self.divisor == 1 else "endless tie"

    def is_tie(self, key: SiteKey) -> bool:
        """Whether an accepted input has a tie there."""
        twice = Fraction(self.positions.get(key, 0)) * 2
        return not self.refused and twice.denominator == 1 and twice.numerator % 2 == 1

    @property
    def standing(self) -> int:
        """How all conditions of the spec stand together, as one number."""
        return hash(tuple((site, tuple(o or 0 for o in operands)) for site, operands in self.operands.items()))

    def _key(self, node: ast.AST) -> SiteKey | None:
        count = self._seen[id(node)]
        self._seen[id(node)] = count + 1
        return (id(node), count) if count < _OCCURRENCES else None


class _Forwarder:
    """The evaluator's one observer, which hands on to the sighting of the input at hand."""

    def __init__(self) -> None:
        self.sighting = Sighting()

    def comparison(self, node: ast.AST, op: str, left: Any, right: Any) -> None:
        self.sighting.comparison(node, op, left, right)

    def rounding(self, node: ast.AST, exact: Fraction, step: Fraction, mode: str) -> None:
        self.sighting.rounding(node, exact, step, mode)

    def remainder(self, node: ast.AST, left: Any, right: Any) -> None:
        self.sighting.remainder(node, left, right)

    def division(self, node: ast.AST, divisor: Fraction) -> None:
        self.sighting.division(node, divisor)

    def summands(self, node: ast.AST, items: Sequence[Any]) -> None:
        self.sighting.summands(node, items)

    def boolean(self, node: ast.AST, values: list[bool | None]) -> None:
        self.sighting.boolean(node, values)


class Lookout:
    """Looks at what a whole spec does on an input: requires, rejects, reference, and the ensures of its value."""

    def __init__(self, spec: Spec) -> None:
        self._spec = spec
        self._forwarder = _Forwarder()
        self._evaluator = Evaluator(spec, observer=self._forwarder)
        self.work = 0

    def look(self, inputs: Inputs, expected: Any = None) -> Sighting:
        """``expected``: the right result where it is known, for what the ensures say of it.

        ``work`` grows by about the microseconds that a look takes, as counted in steps and comparisons: the unit of all
        budgets, the same on every machine.
        """
        sighting = self._forwarder.sighting = Sighting()
        spec, scope = self._spec, self._evaluator.bind(inputs)
        for require in spec.requires:
            sighting.refused |= self._evaluate(scope, require.that) is not True
        for reject in spec.rejects:
            sighting.refused |= self._evaluate(scope, reject.when) is not False
        if spec.reference is not None and spec.reference.value is not None:
            expected = self._evaluate(scope, spec.reference.value)
        for ensure in spec.ensures:
            if ensure.when is not None:
                self._evaluate(scope, ensure.when)
        if expected is not None:
            scope = scope.with_result(expected)
            for ensure in spec.ensures:
                self._evaluate(scope, ensure.that)
        self.work += _WORK_OF_A_LOOK + sighting.comparisons
        return sighting

    def _evaluate(self, scope: Scope, expression: Expression) -> Any:
        """The value, or None where there is none."""
        try:
            return scope.evaluate(expression)
        except Undefined:
            return None
        finally:
            self.work += self._evaluator.last_steps // 4


def _fineness(amount: Any) -> int:
    """The size class of a fraction's denominator; 0 for whole numbers, and for what is no number."""
    return amount.denominator.bit_length() // 7 if isinstance(amount, Fraction) else 0


def endless(divisor: int) -> int:
    """What is left of a divisor without its factors 2 and 5: what a decimal has no end for, at most the largest kind.

    30 leaves 3, 28 leaves 7, and 40 leaves 1.
    """
    divisor = abs(divisor)
    if divisor.bit_length() > _WIDEST_DIVISOR:
        return _LARGEST_DIVISOR
    while (common := gcd(divisor, 10)) > 1:
        divisor //= common
    return min(divisor, _LARGEST_DIVISOR)


def scale(amount: int | Fraction) -> int:
    """The size class of an amount: every two decimal digits count one, and so do two of its denominator's."""
    whole, parts = abs(amount.numerator) // amount.denominator, amount.denominator
    return whole.bit_length() // 7 + 100 * (parts.bit_length() // 7)


def _day_class(day: date) -> int:
    """Ends of months are days of their own: 2 at the end of February, 1 at that of another month, else 0."""
    if (day.day < 28) or day.toordinal() == date.max.toordinal():
        return 0
    last = date.fromordinal(day.toordinal() + 1).day == 1
    return 2 if day.month == 2 else int(last)


def residues(modulus: int) -> tuple[int, ...]:
    """The remainders that matter: none, one, and one less than the modulus."""
    return (0, 1, modulus - 1)
