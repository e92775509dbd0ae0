"""Spec values and calls as Python source that can be pasted after a spec's declarations."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, assert_never

from neurosym_specs._faults import written
from neurosym_specs._numbers import nearest_float
from neurosym_specs._plain import plain_order, to_plain
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
from neurosym_specs.values import Record


def to_source(type: Type, value: Any) -> str:
    """Python source of the value that the function receives: an expression over the spec's declarations."""
    match type:
        case IntType() | BoolType():
            return repr(value)
        case StrType():
            return _quoted(value)
        case DecimalType():
            text = repr(value).capitalize() if isinstance(value, float) else written(value)
            return f'Decimal("{_decimal_words(text)}")'
        case FloatType():
            return f'float("{value!r}")' if isinstance(value, float) else repr(nearest_float(value))
        case FractionType():
            bottom = value.denominator
            return f"Fraction({value.numerator}, {bottom})" if bottom != 1 else f"Fraction({value.numerator})"
        case EnumType():
            return f"{type.class_name}.{value}" if type.class_name else _quoted(value)
        case DateType():
            return f"date({value.year}, {value.month}, {value.day})"
        case RecordType():
            return _record_source(type, value)
        case ListType():
            inside = ", ".join(to_source(type.item, item) for item in value)
            return f"[{inside}]" if type.form == "list" else _tuple_source(inside, len(value))
        case TupleType():
            items = [to_source(item_type, item) for item_type, item in zip(type.items, value, strict=True)]
            return _tuple_source(", ".join(items), len(items))
        case SetType():
            ordered = sorted(value, key=lambda item: plain_order(to_plain(type.item, item)))
            return "{" + ", ".join(to_source(type.item, item) for item in ordered) + "}" if ordered else "set()"
        case DictType():
            pairs = (f"{to_source(type.key, key)}: {to_source(type.value, item)}" for key, item in value.items())
            return "{" + ", ".join(pairs) + "}"
        case OptionalType():
            return "None" if value is None else to_source(type.of, value)
        case _:
            assert_never(type)


def _quoted(text: str) -> str:
    """A string literal, in double quotes where that needs no escape."""
    return f'"{repr(text)[1:-1]}"' if '"' not in text else repr(text)


def _decimal_words(text: str) -> str:
    return {"Nan": "NaN", "Inf": "Infinity", "-inf": "-Infinity"}.get(text, text)


def _tuple_source(inside: str, size: int) -> str:
    return f"({inside},)" if size == 1 else f"({inside})"


def _record_source(type: RecordType, value: Record) -> str:
    items = [(name, to_source(field_type, value.fields[name])) for name, field_type in type.fields]
    match type.form:
        case "tuple":
            return _tuple_source(", ".join(source for _, source in items), len(items))
        case "dict":
            return "{" + ", ".join(f"{_quoted(name)}: {source}" for name, source in items) + "}"
        case "dataclass" | "namedtuple":
            return f"{type.name}({', '.join(f'{name}={source}' for name, source in items)})"
        case _:
            assert_never(type.form)


def call_source(spec: Spec, inputs: Mapping[str, Any]) -> str:
    """A call of the function with these inputs that can be pasted after the spec's declarations."""
    return f"{spec.name}({', '.join(to_source(type, inputs[name]) for name, type in spec.inputs.items())})"
