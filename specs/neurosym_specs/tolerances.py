"""What results may be where the right value has a tolerance: the output's range is wider by it."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from neurosym_specs.model import Spec
from neurosym_specs.types import (
    DecimalType,
    DictType,
    FloatType,
    FractionType,
    IntType,
    ListType,
    OptionalType,
    RecordType,
    TupleType,
    Type,
)


def result_type(spec: Spec) -> Type:
    """The output's type with every range as wide as what is near enough to a right value within it.

    That is so of a right value that is stated. A condition (``where``) holds as it is written, and so does the range.
    """
    reference = spec.reference
    if reference is None or reference.where is not None or not (reference.abs_tol or reference.rel_tol):
        return spec.output
    return _widened(spec.output, reference.abs_tol, reference.rel_tol)


def _widened(type: Type, abs_tol: Fraction, rel_tol: Fraction) -> Type:
    """Numbers are near, whatever they lie in; what else there is must be equal, as the keys of a dict must."""
    match type:
        case IntType(min=low, max=high) | DecimalType(min=low, max=high):
            least, most = _wider(low, high, abs_tol, rel_tol)
            return replace(type, min=least, max=most)
        case FloatType(min=low, max=high) | FractionType(min=low, max=high):
            least, most = _wider(low, high, abs_tol, rel_tol)
            return replace(type, min=least, max=most)
        case OptionalType(of=of):
            return replace(type, of=_widened(of, abs_tol, rel_tol))
        case ListType(item=item):
            return replace(type, item=_widened(item, abs_tol, rel_tol))
        case TupleType(items=items):
            return replace(type, items=tuple(_widened(item, abs_tol, rel_tol) for item in items))
        case RecordType(fields=fields):
            return replace(type, fields=tuple((name, _widened(of, abs_tol, rel_tol)) for name, of in fields))
        case DictType(value=value):
            return replace(type, value=_widened(value, abs_tol, rel_tol))
        case _:
            return type


def _wider(
    low: Fraction | None, high: Fraction | None, abs_tol: Fraction, rel_tol: Fraction
) -> tuple[Fraction | None, Fraction | None]:
    """The ends of all that lies within ``abs_tol + rel_tol * abs(value)`` of some value between two ends.

    The lower end of that is concave in the value and the upper one convex, so that they are furthest out at the ends;
    without an end they go beyond every bound if ``rel_tol`` is above 1.
    """
    ends = [end for end in (low, high) if end is not None]
    if rel_tol > 1 and len(ends) < 2:
        return None, None
    least = min((end - abs_tol - rel_tol * abs(end) for end in ends), default=None)
    most = max((end + abs_tol + rel_tol * abs(end) for end in ends), default=None)
    return None if low is None else least, None if high is None else most
