"""Numbers that are known as computations only, rounded: to so many decimals, or to whole numbers.

A rounding is an operation like others (``Real``), named by its mode and its decimals: ``round half_up 2``. What is
rounded in Python is what was computed, with its own roundings before; in the spec's language it is the exact number.
"""

from __future__ import annotations

from dataclasses import dataclass

from neurosym_verifiers.reading.data.exceptions import INVALID_OPERATION, OVERFLOW, VALUE_ERROR
from neurosym_verifiers.reading.data.values import Dec, Float, Int, NotRead, Real, Value, real_kind
from neurosym_verifiers.reading.execution.state import State
from neurosym_verifiers.reading.floats import reals
from neurosym_verifiers.reading.formulas.normal_forms import both, negated
from neurosym_verifiers.reading.formulas.rounding import MODES
from neurosym_verifiers.reading.formulas.terms import number

_NAME = "round"
_MOST_PLACES = 20
_DIGITS = 28
"""Of decimal's default context, the only one in which such numbers are read."""


@dataclass(frozen=True, slots=True)
class Rounding:
    """To a multiple of ``10 ** -places``."""

    mode: str
    places: int

    @property
    def operation(self) -> str:
        """Its name as an operation."""
        return f"{_NAME} {self.mode} {self.places}"


def rounding_of(operation: str) -> Rounding | None:
    """What rounding an operation is; None if it is none."""
    name, _, rest = operation.partition(" ")
    if name != _NAME:
        return None
    mode, places = rest.split(" ")
    return Rounding(mode, int(places))


def _rounding(mode: str, places: int, line: int) -> Rounding:
    if mode not in MODES:
        raise NotRead(f"the rounding mode {mode}", line)
    if not 0 <= places <= _MOST_PLACES:
        raise NotRead("what a real function gives, rounded to so many decimals", line)
    return Rounding(mode, places)


def exactly(value: Value, mode: str, places: int = 0) -> Real:
    """``round(value, places, mode)`` of the spec's language."""
    return reals.made("", _rounding(mode, places, 0).operation, value)


def to_places(value: Real, places: int, line: int) -> Real:
    """``round(value, places)`` of a float: the decimal nearest to its exact value, and the float nearest to that.

    NaN and the infinities stay what they are.
    """
    if value.kind != "float":
        raise NotRead("round() of this to decimals", line)
    return reals.made("float", _rounding("half_even", places, line).operation, value)


def quantized(value: Real, places: int, mode: str, state: State, line: int) -> Real:
    """``value.quantize(...)`` of a Decimal, which raises where the result has more digits than the context."""
    operand = reals.decimal_operand(value, line)
    if real_kind(operand) != "Decimal":
        raise NotRead("quantize of something that is no Decimal", line)
    made = reals.made("Decimal", _rounding(mode, places, line).operation, operand)
    limit, size = Int(number(10 ** (_DIGITS - places))), reals.made("Decimal", "abs", made)
    state.raise_if(reals.compared("<=", limit, size), INVALID_OPERATION, line)
    return made


def without_decimals(value: Real, mode: str, line: int) -> Real:
    """``value.to_integral_value(...)`` of a Decimal, which may have any number of digits."""
    return reals.made("Decimal", _rounding(mode, 0, line).operation, reals.decimal_operand(value, line))


def whole(value: Real, mode: str, state: State, line: int) -> Real:
    """``math.floor``, ``math.ceil``, ``int`` or ``round`` of a number: an int."""
    if value.kind == "int":
        return value
    if not value.kind:
        raise NotRead("a whole number of this", line)
    if value.kind == "float":
        not_finite, is_nan = negated(reals.finite(value)), negated(reals.compared("==", value, value))
        state.raise_if(both(not_finite, is_nan), VALUE_ERROR, line)
        state.raise_if(not_finite, OVERFLOW, line)
    return reals.made("int", _rounding(mode, 0, line).operation, value)


def as_float(value: Real, state: State, line: int) -> Real:
    """``float(value)``."""
    if value.kind == "float":
        return value
    if not value.kind:
        raise NotRead("a float of this", line)
    made = reals.made("float", "=", value)
    return reals.if_not_too_large(made, state, line) if value.kind == "int" else made


def as_decimal(value: Real, line: int) -> Real:
    """``Decimal(value)``; of a float that may be infinite or NaN it is not read."""
    if value.kind == "Decimal":
        return value
    if value.kind != "int":
        raise NotRead("a Decimal of a float that a real function gives", line)
    return reals.made("Decimal", "=", value)


def decimals_of(value: Value) -> int | None:
    """How many decimals a number may have; None where that is not known.

    A Decimal's context takes digits away where there are too many, and adds none.
    """
    match value:
        case Int():
            return 0
        case Dec(places=places):
            return places
        case Real(kind="int"):
            return 0
        case Real(operation=operation, parts=parts):
            rounding = rounding_of(operation)
            if rounding is not None:
                return rounding.places
            of = [decimals_of(part) for part in parts]
            known = [each for each in of if each is not None]
            if len(known) < len(of) or operation not in ("neg", "abs", "if", "+", "-", "*"):
                return None
            return sum(known) if operation == "*" else max(known)
        case _:
            return None


def rounded_floats(value: Value) -> int | None:
    """To how many decimals every float that a number may be was rounded; None where one was not."""
    match value:
        case Real(kind="float", operation="if", parts=parts):
            found = [rounded_floats(part) for part in parts]
            known = [each for each in found if each is not None]
            return max(known) if len(known) == len(found) else None
        case Real(kind="float", operation="=", parts=(Real() as of,)):
            return decimals_of(of)
        case Real(kind="float", operation=operation):
            rounding = rounding_of(operation)
            return None if rounding is None else rounding.places
        case Float(num=num, scale=scale) if num.constant is not None and num.constant % 2**scale == 0:
            return 0
        case _:
            return None
