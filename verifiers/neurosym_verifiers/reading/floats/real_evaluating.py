"""What computations with real functions come to on concrete inputs: with the very operations of this Python for floats
and Decimals, and by the spec's evaluator for exact numbers."""

from __future__ import annotations

import decimal
import math
import operator
from collections.abc import Callable, Mapping
from decimal import Decimal
from fractions import Fraction
from typing import Any, Protocol

from neurosym_verifiers.reading.data.values import Dec, Float, Int, Quotient, Ratio, Real, Value
from neurosym_verifiers.reading.floats.reals import RealTest
from neurosym_verifiers.reading.floats.rounded_reals import Rounding, rounding_of
from neurosym_verifiers.reading.formulas.terms import Condition, Term

_ARITHMETIC: Mapping[str, Callable[..., Any]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "/": operator.truediv,
    "**": operator.pow,
    "neg": operator.neg,
    "abs": abs,
    "=": operator.pos,
}
_OF_FLOATS: Mapping[str, Callable[..., Any]] = {
    **_ARITHMETIC,
    "=": float,
    **{name: getattr(math, name) for name in ("log", "log2", "log10", "log1p", "exp", "expm1", "sqrt")},
}
_OF_DECIMALS: Mapping[str, Callable[..., Any]] = {
    **_ARITHMETIC,
    "=": Decimal,
    "log": lambda x: Decimal(x).ln(),
    "exp": lambda x: Decimal(x).exp(),
    "sqrt": lambda x: Decimal(x).sqrt(),
}
_WIDE = decimal.Context(prec=10_000)
_DEFAULT = decimal.Context(prec=28, rounding=decimal.ROUND_HALF_EVEN, Emin=-999999, Emax=999999, traps=[
    decimal.InvalidOperation, decimal.DivisionByZero, decimal.Overflow])  # fmt: skip


class Evaluates(Protocol):
    """An assignment of the variables; ``reals`` remembers what was computed."""

    reals: dict[str, Any]

    def term(self, term: Term) -> int:
        """What a term comes to."""
        ...

    def condition(self, condition: Condition) -> bool:
        """Whether a condition holds."""
        ...


def computed(value: Value, evaluation: Evaluates) -> Any:
    """A number as Python, or for one of the spec's language the evaluator, has it."""
    match value:
        case Int(term=term):
            return evaluation.term(term)
        case Float():
            return _float(value, evaluation)
        case Ratio(num=num, den=den):
            return Fraction(evaluation.term(num), evaluation.term(den))
        case Dec(num=num, places=places):
            return _WIDE.scaleb(Decimal(evaluation.term(num)), -places)
        case Quotient(num=num, den=den, roundings=1):
            return _DEFAULT.divide(Decimal(evaluation.term(num)), Decimal(evaluation.term(den)))
        case Real():
            if value.key not in evaluation.reals:
                evaluation.reals[value.key] = _real(value, evaluation)
            return evaluation.reals[value.key]
        case _:
            raise ValueError(f"no number: {type(value).__name__}")


def _float(value: Float, evaluation: Evaluates) -> float:
    num = evaluation.term(value.num)
    if evaluation.condition(value.nan):
        return math.nan
    if value.low is not None and num < value.low:
        return -math.inf
    return math.inf if value.high is not None and num > value.high else float(Fraction(num, 2**value.scale))


def _real(value: Real, evaluation: Evaluates) -> Any:
    if value.operation == "if":
        return computed(value.parts[0 if evaluation.condition(value.condition) else 1], evaluation)
    parts = [computed(part, evaluation) for part in value.parts]
    rounding = rounding_of(value.operation)
    if rounding is not None:
        return _rounded(value.kind, rounding, parts[0])
    match value.kind:
        case "float":
            return _OF_FLOATS[value.operation](*parts)
        case "Decimal":
            with decimal.localcontext(_DEFAULT):
                return _OF_DECIMALS[value.operation](*parts)
        case "int":
            return _ARITHMETIC[value.operation](*parts)
        case _:
            return _exactly(value.operation, [exactly(part) for part in parts])


def _rounded(kind: str, rounding: Rounding, number: Any) -> Any:
    """To decimals: a float by ``round``, a Decimal with as many digits as it takes, an exact number exactly."""
    from neurosym_specs.expr import reals  # python-flint is loaded only for real functions
    from neurosym_specs.expr.rounding import ROUNDINGS

    if kind == "float":
        return round(number, rounding.places)
    if kind == "Decimal":  # never infinite or NaN
        mode = f"ROUND_{rounding.mode.upper()}"
        return Decimal(number).quantize(Decimal(1).scaleb(-rounding.places), rounding=mode, context=_WIDE)
    scale = 10**rounding.places
    scaled = exactly(number) * scale
    whole = reals.rounded(scaled, Fraction(1), ROUNDINGS[rounding.mode])
    return whole if kind == "int" else Fraction(whole, scale)


def exactly(number: Any) -> Any:
    """A finite float or Decimal as the number that it is."""
    if isinstance(number, (float, Decimal)):
        return Fraction(number) if _is_finite(number) else float(number)
    return number


def _is_finite(number: float | Decimal) -> bool:
    return number.is_finite() if isinstance(number, Decimal) else math.isfinite(number)


def _exactly(operation: str, parts: list[Any]) -> Any:
    from neurosym_specs.expr import reals  # python-flint is loaded only for real functions
    from neurosym_specs.expr.budget import Budget

    bits = Budget().bits
    match operation:
        case "sqrt" | "exp" | "log":
            return reals.function(operation, parts[0], bits)
        case "neg" | "abs":
            return _ARITHMETIC[operation](parts[0])
        case _ if any(isinstance(part, reals.Real) for part in parts):
            return reals.combine(operation, parts[0], parts[1], bits)
        case _:
            return Fraction(_ARITHMETIC[operation](Fraction(parts[0]), parts[1]))


def tested(question: RealTest, evaluation: Evaluates) -> bool:
    """The answer to a question on concrete inputs."""
    from neurosym_specs.expr.tolerance import within

    match question.question:
        case "overflow":
            try:
                computed(question.parts[0], evaluation)
            except (OverflowError, decimal.Overflow):
                return True
            return False
        case "finite":
            return _is_finite(computed(question.parts[0], evaluation))
    a, b = (exactly(computed(part, evaluation)) for part in question.parts)
    match question.question:
        case "within":
            return not isinstance(a, float) and within(b, a, question.abs_tol, question.rel_tol)
        case "<":
            return bool(a < b)
        case "<=":
            return bool(a <= b)
        case _:
            return bool(a == b)


_ALIKE_BITS = 320


def alike(found: Any, expected: Any) -> bool:
    """Whether two spec values are the same; of two computed reals, whether so many bits tell them apart."""
    from neurosym_specs.semantics import same_value

    if getattr(found, "is_real", False) and getattr(expected, "is_real", False):
        return bool(found.ball(_ALIKE_BITS).overlaps(expected.ball(_ALIKE_BITS)))
    return same_value(found, expected)
