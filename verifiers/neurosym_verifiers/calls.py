"""Between spec values and what crosses into the jail: arguments out, results in.

Reading a result is strict: an ``int`` is not a ``Decimal``, a ``bool`` is not an ``int``, a tuple is not a list.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import date
from decimal import Decimal, localcontext
from fractions import Fraction
from typing import Any

from neurosym_sandbox import EnumMember, Instance, NumpyScalar
from neurosym_specs.membership import member_fault
from neurosym_specs.model import Spec
from neurosym_specs.types import (
    BoolType,
    DateType,
    DecimalType,
    DictType,
    EnumType,
    FloatType,
    FractionType,
    IntType,
    ListType,
    OptionalType,
    RecordType,
    SetType,
    StrType,
    TupleType,
    Type,
)
from neurosym_specs.values import NegativeZero, Record, WrittenDecimal

_MOST_DIGITS = 4_000
_SHOWN_BITS = 10_000


@dataclass(frozen=True, slots=True)
class WrongType:
    """A returned value that the spec's output type has no reading for, in words: ``int 0 instead of a Decimal``."""

    reason: str


@dataclass(frozen=True, slots=True)
class OutsideType:
    """A returned value of the right Python type that the output type does not allow (places, range, length)."""

    value: Any
    reason: str


def arguments(spec: Spec, inputs: Mapping[str, Any]) -> tuple[object, ...]:
    """The arguments of the call, in the order of the parameters."""
    return tuple(argument(type_, inputs[name]) for name, type_ in spec.inputs.items())


def argument(type_: Type, value: Any) -> object:
    """What the function receives for a spec value of the type."""
    match type_:
        case OptionalType(of=of):
            return None if value is None else argument(of, value)
        case IntType() | BoolType() | StrType() | DateType():
            return value
        case DecimalType():
            return decimal_of(value)
        case FloatType():
            return -0.0 if isinstance(value, NegativeZero) else float(value)
        case FractionType():
            return Fraction(value)
        case EnumType(class_name=""):
            return value
        case EnumType(class_name=class_name):
            return EnumMember(class_name, value)
        case RecordType(name=name, fields=fields, form=form):
            parts = [(field, argument(of, value.fields[field])) for field, of in fields]
            if form == "tuple":
                return tuple(part for _, part in parts)
            if form == "dict":
                return dict(parts)
            return Instance(name, form, tuple(parts))
        case ListType(item=item):
            elements = [argument(item, element) for element in value]
            return elements if type_.form == "list" else tuple(elements)
        case TupleType(items=items):
            return tuple(argument(item, element) for item, element in zip(items, value, strict=True))
        case SetType(item=item):
            return {argument(item, element) for element in value}
        case DictType(key=key, value=of):
            return {argument(key, k): argument(of, v) for k, v in value.items()}


def decimal_of(value: Any) -> Decimal:
    """The decimal that is written as the spec value says: its places, its negative zero, NaN and infinities."""
    if isinstance(value, float):
        return Decimal(value)
    places = value.places if isinstance(value, WrittenDecimal) else 0
    digits = Fraction(value) * 10**places
    if digits.denominator != 1:
        raise ValueError(f"{value} has more than {places} decimals")
    sign = 1 if digits < 0 or isinstance(value, NegativeZero) else 0
    with localcontext() as context:
        context.prec = 1
        return Decimal((sign, tuple(map(int, str(abs(digits.numerator)))), -places))


def read_result(type_: Type, returned: object) -> Any | WrongType | OutsideType:
    """The spec value of a returned object, if it is exactly of the type."""
    try:
        value = _read(type_, returned)
    except _Misfit as misfit:
        return WrongType(str(misfit))
    fault = member_fault(type_, value, result=True)
    return value if fault is None else OutsideType(value, fault)


class _Misfit(Exception):
    """The Python type is another than promised."""


def _read(type_: Type, returned: object) -> Any:
    match type_:
        case OptionalType(of=of):
            return None if returned is None else _read(of, returned)
        case IntType():
            return _exactly(int, returned)
        case BoolType():
            return _exactly(bool, returned)
        case StrType():
            return _exactly(str, returned)
        case DateType():
            return _exactly(date, returned)
        case FractionType():
            return _exactly(Fraction, returned)
        case DecimalType():
            return _read_decimal(_exactly(Decimal, returned))
        case FloatType():
            return _read_float(_exactly(float, returned))
        case EnumType(class_name=""):
            return _exactly(str, returned)
        case EnumType(class_name=class_name):
            if isinstance(returned, EnumMember) and returned.class_name == class_name:
                return returned.name
            raise _Misfit(f"{kind_of(returned)} instead of a {class_name}")
        case RecordType():
            return _read_record(type_, returned)
        case ListType(item=item, form="list"):
            return [_read(item, element) for element in _exactly(list, returned)]
        case ListType(item=item):
            return tuple(_read(item, element) for element in _exactly(tuple, returned))
        case SetType(item=item):
            if type(returned) is frozenset:
                return frozenset(_read(item, element) for element in returned)
            return frozenset(_read(item, element) for element in _exactly(set, returned))
        case TupleType(items=items):
            elements = _exactly(tuple, returned)
            if len(elements) != len(items):
                raise _Misfit(f"a tuple of {len(elements)} instead of {len(items)}")
            return tuple(_read(item, element) for item, element in zip(items, elements, strict=True))
        case DictType(key=key, value=of):
            return {_read(key, k): _read(of, v) for k, v in _exactly(dict, returned).items()}


def _exactly(kind: Callable[..., Any], returned: object) -> Any:
    if type(returned) is kind:
        return returned
    assert isinstance(kind, type)
    raise _Misfit(f"{kind_of(returned)} instead of {'an' if kind is int else 'a'} {kind.__name__}")


def kind_of(returned: object) -> str:
    """The type of a returned object in words, with its value where that is short."""
    if returned is None:
        return "None"
    if isinstance(returned, NumpyScalar):
        return f"numpy's {returned.dtype}"
    name = returned.class_name if isinstance(returned, (EnumMember, Instance)) else type(returned).__name__
    if isinstance(returned, int) and returned.bit_length() > _SHOWN_BITS:
        return f"{name} of more than {_SHOWN_BITS * 3 // 10} digits"
    text = repr(returned) if isinstance(returned, (int, float, str, Decimal)) else ""
    return f"{name} {text}" if text and len(text) <= 40 and not isinstance(returned, Decimal) else name


def _read_decimal(returned: Decimal) -> Any:
    if not returned.is_finite():
        return float("nan") if returned.is_nan() else float(returned)
    sign, digits, exponent = returned.as_tuple()
    assert isinstance(exponent, int)
    if len(digits) > _MOST_DIGITS or abs(exponent) > _MOST_DIGITS:
        raise _Misfit("a Decimal with more than 4,000 digits")
    number = int("".join(map(str, digits)))
    places = max(0, -exponent)
    if number == 0 and sign:
        return NegativeZero(places)
    value = Fraction(-number if sign else number) * Fraction(10) ** exponent
    return WrittenDecimal(value, places)


def _read_float(returned: float) -> Any:
    if not math.isfinite(returned):
        return returned
    return NegativeZero() if returned == 0 and math.copysign(1, returned) < 0 else Fraction(returned)


def _read_record(type_: RecordType, returned: object) -> Record:
    names = [name for name, _ in type_.fields]
    if type_.form == "tuple":
        elements = _exactly(tuple, returned)
        if len(elements) != len(names):
            raise _Misfit(f"a tuple of {len(elements)} instead of {len(names)}")
        parts = dict(zip(names, elements, strict=True))
    elif type_.form == "dict":
        parts = _exactly(dict, returned)
    elif isinstance(returned, Instance) and returned.class_name == type_.name and returned.kind == type_.form:
        parts = dict(returned.fields)
    else:
        raise _Misfit(f"{kind_of(returned)} instead of a {type_.name}")
    if set(parts) != set(names):
        raise _Misfit(f"a {type_.name} with the fields {', '.join(map(str, parts))} instead of {', '.join(names)}")
    return Record(type_.name, {name: _read(of, parts[name]) for name, of in type_.fields})
