"""The short forms of a relation, spelled out as expressions over two runs."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction

from neurosym_specs.types import (
    DateType,
    DecimalType,
    EnumType,
    FloatType,
    FractionType,
    IntType,
    StrType,
    Type,
)


def equal_but(varied: Iterable[str], inputs: Iterable[str], runs: tuple[str, ...]) -> str:
    """All inputs but the varied ones are equal in all runs; empty if that says nothing."""
    free = set(varied)
    parts = [" == ".join(f"{run}.{name}" for run in runs) for name in inputs if name not in free]
    return " and ".join(parts)


def monotone_given(directions: Mapping[str, str], inputs: Iterable[str], runs: tuple[str, ...]) -> str:
    """One of the inputs grows (or falls, for ``down``) from the first run to the second, all others equal.

    So that ``first.result <= second.result`` is what every direction then asks.
    """
    first, second = runs
    steps = []
    for name, direction in directions.items():
        low, high = (first, second) if direction == "up" else (second, first)
        others = [f"{first}.{other} == {second}.{other}" for other in directions if other != name]
        steps.append(" and ".join([f"{low}.{name} <= {high}.{name}", *others]))
    step = steps[0] if len(steps) == 1 else "(" + " or ".join(f"({each})" for each in steps) + ")"
    return both(step, equal_but(directions, inputs, runs))


def order_free_given(lists: Iterable[str], inputs: Iterable[str], runs: tuple[str, ...]) -> str:
    """The lists hold the same items in any order, all other inputs are equal."""
    first, second = runs
    same = " and ".join(f"same_items({first}.{name}, {second}.{name})" for name in lists)
    return both(same, equal_but(lists, inputs, runs))


def both(first: str, second: str) -> str:
    return " and ".join(part for part in (first, second) if part)


def results_equal(output: Type, runs: tuple[str, ...], abs_tol: Fraction, rel_tol: Fraction) -> str:
    """The two results are equal; with a tolerance of the reference: as near as two right results must be.

    Inside records and lists only ``approx`` knows the tolerance, and only once.
    """
    first, second = (f"{run}.result" for run in runs)
    slack = _slack(output, first, second, abs_tol, rel_tol)
    if slack:
        return f"abs({first} - {second}) <= {slack}"
    return f"approx({first}, {second})" if abs_tol or rel_tol else f"{first} == {second}"


def result_not_lower(output: Type, runs: tuple[str, ...], abs_tol: Fraction, rel_tol: Fraction) -> str:
    """The second result is not below the first, but for what two right results may differ in."""
    first, second = (f"{run}.result" for run in runs)
    slack = _slack(output, first, second, abs_tol, rel_tol)
    return f"{first} <= {second} + {slack}" if slack else f"{first} <= {second}"


def _slack(output: Type, first: str, second: str, abs_tol: Fraction, rel_tol: Fraction) -> str:
    """How far apart two results may be that are right within ``abs_tol + rel_tol * abs(expected)`` each.

    Both lie within t = abs_tol + rel_tol * e of expected values whose order (or equality) is being claimed. With
    m the larger of the results in size, e <= (m + abs_tol) / (1 - rel_tol), hence 2 t <= c + d * m as below.
    """
    if not (abs_tol or rel_tol) or not isinstance(output, IntType | DecimalType | FloatType | FractionType):
        return ""
    if rel_tol >= 1:
        rel_tol = Fraction(1, 2)
    constant = 2 * (abs_tol + rel_tol * abs_tol / (1 - rel_tol))
    factor = 2 * rel_tol / (1 - rel_tol)
    parts = []
    if constant:
        parts.append(_literal(constant))
    if factor:
        parts.append(f"{_literal(factor)} * max(abs({first}), abs({second}))")
    return "(" + " + ".join(parts) + ")"


def _literal(number: Fraction) -> str:
    return str(number.numerator) if number.denominator == 1 else f"{number.numerator} / {number.denominator}"


def has_order(type: Type) -> bool:
    """Whether ``<=`` compares two values of the type in expressions."""
    if isinstance(type, EnumType):
        return type.ordered
    return isinstance(type, IntType | DecimalType | FloatType | FractionType | DateType | StrType)
