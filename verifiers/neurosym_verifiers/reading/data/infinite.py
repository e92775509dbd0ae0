"""Decimals that may be infinite: the bound of a bracket that has none. They are compared, and nothing else is done."""

from __future__ import annotations

from decimal import Decimal

from neurosym_verifiers.reading.data import numbers
from neurosym_verifiers.reading.data.values import Bool, Dec, Extended, Int, NotRead, Value
from neurosym_verifiers.reading.formulas.narrowing import narrowing_by
from neurosym_verifiers.reading.formulas.normal_forms import both, either, negated
from neurosym_verifiers.reading.formulas.terms import FALSE, TRUE, Condition, number


def known_infinity(value: Decimal) -> Extended:
    """``Decimal('Infinity')``, or the negative one."""
    return Extended(Dec(number(0), 0), TRUE if value < 0 else FALSE, TRUE if value > 0 else FALSE)


def compare_extended(op: str, a: Value, b: Value, line: int) -> Condition:
    """``a op b`` where at least one may be infinite."""
    x, y = _extended(a, line), _extended(b, line)
    numeric = both(*(negated(each) for each in (x.low, x.high, y.low, y.high)))
    match op:
        case "==":
            return either(
                both(x.low, y.low), both(x.high, y.high), both(numeric, numbers.compare("==", x.value, y.value))
            )
        case "<":
            return either(
                both(x.low, negated(y.low)),
                both(y.high, negated(x.high)),
                both(numeric, numbers.compare("<", x.value, y.value)),
            )
        case "<=":
            return negated(compare_extended("<", b, a, line))
        case ">" | ">=":
            return compare_extended("<" if op == ">" else "<=", b, a, line)
        case _:
            raise NotRead(f"the comparison {op}", line)


def _extended(value: Value, line: int) -> Extended:
    match value:
        case Extended():
            return value
        case Dec():
            return Extended(value, FALSE, FALSE)
        case Int() | Bool():
            return Extended(numbers.to_decimal(value), FALSE, FALSE)
        case _:
            raise NotRead(f"a comparison of a Decimal that may be infinite and a {type(value).__name__}", line)


def finite(value: Value, live: Condition, line: int) -> Value:
    """A value that is computed with where a condition holds. Raises ``NotRead`` where it may be infinite."""
    if not isinstance(value, Extended):
        return value
    narrowing = narrowing_by(live)
    known = narrowing.value(value) if narrowing else value
    if isinstance(known, Extended):
        raise NotRead("arithmetic on a Decimal that may be infinite", line)
    return known
