"""Values of ``[data]`` and of ordered enums: plain texts and tables that know a little more.

A text of ``[data]`` that reads as a number may be used where a number is needed; a table's keys, which TOML
writes as texts, may be looked up by number or read as attributes; the choices of an ordered enum compare in their
order. All of them are still ``str`` and ``dict``.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from datetime import date, timedelta
from decimal import Decimal
from fractions import Fraction
from typing import Any

from neurosym_specs.expr.undefined import Undefined
from neurosym_specs.types import (
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
    TupleType,
    Type,
)
from neurosym_specs.values import Record

_NUMBER = re.compile(r"[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]{1,3})?", re.ASCII)


def _number_in(text: str) -> int | Fraction | None:
    if len(text) > 1_000 or not _NUMBER.fullmatch(text):
        return None
    value = Fraction(text)
    return value.numerator if value.denominator == 1 else value


class DataText(str):
    """A text of ``[data]``; ``number`` is what it reads as, or None.

    Equal to a text with the same characters, and to the number that it reads as. Two such texts are ordered as numbers
    where both read as numbers, else as texts.
    """

    __slots__ = ("number",)
    number: int | Fraction | None

    def __new__(cls, text: str) -> DataText:
        self = super().__new__(cls, text)
        self.number = _number_in(text)
        return self

    @property
    def is_number(self) -> bool:
        return self.number is not None

    def __eq__(self, other: object) -> bool:
        if isinstance(other, str):
            return str.__eq__(self, other)
        if self.number is not None and isinstance(other, int | Fraction | float) and not isinstance(other, bool):
            return self.number == other
        return False

    def __ne__(self, other: object) -> bool:
        return not self == other

    def __hash__(self) -> int:
        return str.__hash__(self)

    def _sides(self, other: object) -> tuple[Any, Any]:
        if isinstance(other, DataText):
            if self.number is not None and other.number is not None:
                return self.number, other.number
        elif isinstance(other, int | Fraction | float) and self.number is not None:
            return self.number, other
        if isinstance(other, str):
            return str(self), str(other)
        raise TypeError(f"a text and {kind_of(other)} have no order")

    def __lt__(self, other: object) -> bool:
        left, right = self._sides(other)
        return bool(left < right)

    def __le__(self, other: object) -> bool:
        left, right = self._sides(other)
        return bool(left <= right)

    def __gt__(self, other: object) -> bool:
        left, right = self._sides(other)
        return bool(left > right)

    def __ge__(self, other: object) -> bool:
        left, right = self._sides(other)
        return bool(left >= right)


class DataTable(dict[Any, Any]):
    """A table of ``[data]``: its keys are texts, and a whole number finds the key that is written like it."""

    __slots__ = ()

    def __missing__(self, key: object) -> Any:
        if type(key) is int and dict.__contains__(self, str(key)):
            return dict.__getitem__(self, str(key))
        raise KeyError(key)

    def __contains__(self, key: object) -> bool:
        return dict.__contains__(self, key) or (type(key) is int and dict.__contains__(self, str(key)))

    def get(self, key: Any, default: Any = None) -> Any:
        try:
            return self[key]
        except KeyError:
            return default


def data_value(value: Any) -> Any:
    """A value of ``[data]`` as the evaluation holds it."""
    if isinstance(value, bool) or value is None or isinstance(value, date):
        return value
    if isinstance(value, str):
        return DataText(value)
    if isinstance(value, Fraction | int):
        return value.numerator if value.denominator == 1 else Fraction(value)
    if isinstance(value, Decimal):
        if not value.is_finite():
            return float(value)
        exact = Fraction(value)
        return exact.numerator if exact.denominator == 1 else exact
    if isinstance(value, Mapping):
        return DataTable({key: data_value(item) for key, item in value.items()})
    if isinstance(value, list | tuple):
        return [data_value(item) for item in value]
    return value


def settled(value: Any, type_: Type) -> Any:
    """A value as one of ``type_``: a text of [data] that reads as a number is that number where one is asked for."""
    if isinstance(value, DataText) and not isinstance(type_, OptionalType):
        numeric = isinstance(type_, IntType | DecimalType | FloatType | FractionType)
        return value.number if numeric and value.number is not None else str(value)
    match type_:
        case OptionalType(of=of):
            return settled(value, of)
        case ListType(item=item) if isinstance(value, list):
            return [settled(each, item) for each in value]
        case TupleType(items=items) if isinstance(value, tuple) and len(value) == len(items):
            return tuple(settled(each, item) for each, item in zip(value, items, strict=True))
        case DictType(key=key, value=item) if isinstance(value, dict):
            return {settled(name, key): settled(each, item) for name, each in value.items()}
        case RecordType(fields=fields) if isinstance(value, Record):
            types = dict(fields)
            return Record(value.type_name, {name: settled(each, types[name]) for name, each in value.fields.items()})
        case _:
            return value


class Choice(str):
    """A choice of an ordered enum: a text that compares by its place among the choices."""

    __slots__ = ("choices",)
    choices: dict[str, int]

    def __new__(cls, text: str, choices: dict[str, int]) -> Choice:
        self = super().__new__(cls, text)
        self.choices = choices
        return self

    def _ranks(self, other: object) -> tuple[int, int]:
        if not isinstance(other, str):
            raise TypeError(f"a choice and {kind_of(other)} have no order")
        for text in (self, other):
            if text not in self.choices:
                raise Undefined(f"{str(text)!r} is none of the choices {', '.join(self.choices)}")
        return self.choices[self], self.choices[other]

    def __lt__(self, other: object) -> bool:
        left, right = self._ranks(other)
        return left < right

    def __le__(self, other: object) -> bool:
        left, right = self._ranks(other)
        return left <= right

    def __gt__(self, other: object) -> bool:
        left, right = self._ranks(other)
        return left > right

    def __ge__(self, other: object) -> bool:
        left, right = self._ranks(other)
        return left >= right

    __hash__ = str.__hash__


Converter = Callable[[Any], Any]


def converter(type_: Type) -> Converter | None:
    """How to turn a value of a type into one whose ordered enums compare in order; None if there are none in it."""
    match type_:
        case EnumType(ordered=True, choices=choices):
            ranks = {str(choice): at for at, choice in enumerate(choices or ())}
            return lambda value: Choice(value, ranks) if isinstance(value, str) else value
        case OptionalType(of=of):
            return _optional_converter(converter(of))
        case ListType(item=item) | SetType(item=item):
            return _items_converter(converter(item))
        case TupleType(items=items):
            return _tuple_converter([converter(item) for item in items])
        case DictType(key=key, value=item):
            return _dict_converter(converter(key), converter(item))
        case RecordType(fields=fields):
            return _record_converter({name: inner for name, of in fields if (inner := converter(of))})
        case _:
            return None


def _optional_converter(inner: Converter | None) -> Converter | None:
    if inner is None:
        return None
    return lambda value: None if value is None else inner(value)


def _items_converter(inner: Converter | None) -> Converter | None:
    if inner is None:
        return None
    return lambda value: type(value)(map(inner, value))


def _tuple_converter(inner: list[Converter | None]) -> Converter | None:
    if not any(inner):
        return None
    return lambda value: tuple(convert(item) if convert else item for convert, item in zip(inner, value, strict=True))


def _dict_converter(of_key: Converter | None, of_value: Converter | None) -> Converter | None:
    if of_key is None and of_value is None:
        return None
    return lambda value: {
        (of_key(key) if of_key else key): (of_value(item) if of_value else item) for key, item in value.items()
    }


def _record_converter(inner: dict[str, Converter]) -> Converter | None:
    if not inner:
        return None

    def convert(value: Any) -> Any:
        if not isinstance(value, Record):
            return value
        fields = {name: inner[name](item) if name in inner else item for name, item in value.fields.items()}
        return Record(value.type_name, fields)

    return convert


def kind_of(value: object) -> str:
    """What a value is, in the words of the format."""
    if value is None:
        return "None"
    for kind, name in _KINDS:
        if isinstance(value, kind):
            return name
    if isinstance(value, Record):
        return f"a record {value.type_name}"
    return f"a {type(value).__name__}"


_KINDS: tuple[tuple[type, str], ...] = (
    (bool, "a boolean"),
    (int, "a number"),
    (Fraction, "a number"),
    (float, "NaN or infinity"),
    (str, "a text"),
    (date, "a date"),
    (timedelta, "a difference of dates"),
    (list, "a list"),
    (tuple, "a tuple"),
    (frozenset, "a set"),
    (dict, "a dict"),
)
