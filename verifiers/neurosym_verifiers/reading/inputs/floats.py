"""Float inputs as symbolic values, and between real floats and the variables that stand for them.

A float input is counted in steps of ``2**-1074``, of which every float is a multiple; one with ``places`` is the float
nearest to a number of its last decimals. An infinity is the step beyond the last finite one; NaN is a flag.
"""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

from neurosym_specs.types import FloatType

from neurosym_verifiers.reading.data.values import Float, NotRead
from neurosym_verifiers.reading.floats.arithmetic import is_above, is_below, rounding
from neurosym_verifiers.reading.formulas import binary64
from neurosym_verifiers.reading.formulas.normal_forms import either, equal, nearest
from neurosym_verifiers.reading.formulas.terms import FALSE, TRUE, Condition, Flag, number, variable


def nan_flag(name: str) -> str:
    """The flag that says that a float is NaN."""
    return f"{name}?nan"


def symbolic_float(name: str, type_: FloatType) -> tuple[Float, Condition]:
    """An input, and the condition under which it is one. Raises ``NotRead``."""
    if type_.choices is not None or type_.also:
        raise NotRead(f"the input {name}, whose choices the prover does not know yet")
    first, last = _range(type_)
    beyond = int(type_.infinity)
    nan = Flag(nan_flag(name)) if type_.nan else FALSE
    count = variable(name, first - beyond, last + beyond)
    if type_.places is None:
        low, high = (first, last) if type_.infinity else (None, None)
        value = Float(count, binary64.FINEST, nan, low, high)
        rounds = nearest(count, number(2**binary64.FINEST), binary64.FINEST)
        return value, either(nan, is_above(value), is_below(value), equal(count, rounds))
    made = rounding(count, number(10**type_.places), nan)
    if not type_.infinity:
        return Float(made.num, made.scale, nan), TRUE
    ends = [binary64.nearest(end, 10**type_.places) * 2**made.scale for end in (first, last)]
    if any(binary64.nearest(end, 10**type_.places) * 2**made.scale in ends for end in (first - 1, last + 1)):
        raise NotRead(f"the input {name}, whose decimals are finer than its floats")
    return Float(made.num, made.scale, nan, int(ends[0]), int(ends[1])), TRUE


def assign_float(name: str, type_: FloatType, value: Any) -> dict[str, int | bool]:
    """The variables of an input that is a spec value."""
    first, last = _range(type_)
    found: dict[str, int | bool] = {nan_flag(name): False} if type_.nan else {}
    if isinstance(value, float) and math.isnan(value):
        return {name: min(max(0, first), last), nan_flag(name): True}
    if isinstance(value, float):
        return {**found, name: last + 1 if value > 0 else first - 1}
    steps = 2**binary64.FINEST if type_.places is None else 10**type_.places
    return {**found, name: round(Fraction(value) * steps)}


def assigned_float(name: str, type_: FloatType, known: Any) -> Fraction | float:
    """The spec value that an assignment of variables stands for; a number of steps that is no float is the nearest."""
    if known.get(nan_flag(name), False):
        return math.nan
    first, last = _range(type_)
    count = int(known.get(name, min(max(0, first), last)))
    if type_.infinity and not first <= count <= last:
        return math.inf if count > last else -math.inf
    count = min(max(count, first), last)
    return binary64.nearest(count, 2**binary64.FINEST if type_.places is None else 10**type_.places)


def _range(type_: FloatType) -> tuple[int, int]:
    """The first and the last count of steps of a finite value."""
    low = -Fraction(binary64.LARGEST) if type_.min is None else type_.min
    high = Fraction(binary64.LARGEST) if type_.max is None else type_.max
    if type_.places is None:
        return math.ceil(low * 2**binary64.FINEST), math.floor(high * 2**binary64.FINEST)
    steps = 10**type_.places
    first, last = math.ceil(low * steps), math.floor(high * steps)
    while binary64.nearest(first - 1, steps) >= low:
        first -= 1
    while binary64.nearest(last + 1, steps) <= high:
        last += 1
    return first, last
