"""The inputs of a spec as symbolic values of one shape. How they stand for real inputs says ``assignments``."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from fractions import Fraction
from itertools import combinations, pairwise
from typing import Any

from neurosym_specs.model import Spec
from neurosym_specs.types import (
    BoolType,
    DateType,
    DecimalType,
    DictType,
    EnumType,
    FloatType,
    Interval,
    IntType,
    ListType,
    OptionalType,
    RecordType,
    StrType,
    TupleType,
    Type,
)

from neurosym_verifiers.reading.data import numbers
from neurosym_verifiers.reading.data.comparing import check_hashable, equality
from neurosym_verifiers.reading.data.dates import input_day, input_day_of_month
from neurosym_verifiers.reading.data.values import (
    Bool,
    Day,
    Dec,
    Float,
    Int,
    Lookup,
    Maybe,
    Member,
    Members,
    NotRead,
    Record,
    Sequence,
    Value,
)
from neurosym_verifiers.reading.formulas.normal_forms import at_most, both, either, equal, negated
from neurosym_verifiers.reading.formulas.terms import TRUE, Condition, Flag, number, variable
from neurosym_verifiers.reading.inputs.floats import symbolic_float
from neurosym_verifiers.reading.inputs.in_months import InMonth
from neurosym_verifiers.reading.inputs.looked_into import LookedInto
from neurosym_verifiers.reading.inputs.seen_texts import SeenText, hidden_text
from neurosym_verifiers.reading.inputs.shapes import Shape, parts_of_entry
from neurosym_verifiers.reading.inputs.texts import input_text


@dataclass(frozen=True, slots=True)
class SymbolicInputs:
    """``values`` by input name; ``universe``: which assignments of their variables are inputs of the spec."""

    values: Mapping[str, Value]
    universe: Condition


def symbolic_inputs(spec: Spec, shape: Shape, prefix: str = "") -> SymbolicInputs:
    """The inputs of a shape as variables, named with a prefix where several runs are read.

    Raises ``NotRead`` for types that are not read.
    """
    values: dict[str, Value] = {}
    conditions: list[Condition] = []
    maker = _Maker(shape, prefix)
    for name, type_ in spec.inputs.items():
        value, condition = maker.make(name, type_)
        values[name] = value
        conditions.append(condition)
    return SymbolicInputs(values, both(*conditions))


class _Maker:
    def __init__(self, shape: Shape, prefix: str) -> None:
        self._shape = shape
        self._prefix = prefix

    def make(self, place: str, type_: Type) -> tuple[Value, Condition]:
        """A value of the type at a place, and the condition under which it is one."""
        name = self._prefix + place
        match type_:
            case BoolType(choices=None):
                return Bool(Flag(name)), TRUE
            case EnumType(class_name=kind, members=members):
                names = tuple(member for member, _ in members) or tuple(map(str, type_.choices or ()))
                return Member(kind, names, variable(name, 0, len(names) - 1)), TRUE
            case StrType(choices=choices) if choices is not None and not type_.also:
                return Member("", tuple(map(str, choices)), variable(name, 0, len(choices) - 1)), TRUE
            case SeenText():
                return hidden_text(name, type_, self._shape[place])
            case StrType(choices=None) if not type_.also:
                return input_text(name, type_, self._shape[place])
            case InMonth():
                return input_day_of_month(name, type_.min, type_.max)
            case DateType(choices=None) if not type_.also:
                return input_day(name, type_.min, type_.max)
            case IntType():
                term, condition = _number(name, type_, Fraction(1))
                return Int(term), condition
            case DecimalType(places=places) if places is not None and not type_.nan and not type_.infinity:
                if type_.negative_zero:
                    raise NotRead(f"the input {place}, which may be a negative zero")
                term, condition = _number(name, type_, Fraction(1, 10 ** places[1]))
                return Dec(term, places[1]), condition
            case FloatType():
                return symbolic_float(name, type_)
            case _ if type_.choices is not None or type_.also:
                raise NotRead(f"the input {place}, whose choices the prover does not know yet")
            case OptionalType(of=of):
                value, condition = self.make(place, of)
                missing = Flag(missing_flag(name))
                return Maybe(missing, value), either(missing, condition)
            case LookedInto(item=item, max_len=most):
                return Members(name, most or 0, "date" if isinstance(item, DateType) else "int"), TRUE
            case ListType():
                return self._list(place, type_)
            case DictType():
                return self._dict(place, type_)
            case RecordType(fields=fields):
                parts = [(field, *self.make(f"{place}.{field}", of)) for field, of in fields]
                value = Record(type_.name, tuple((field, part) for field, part, _ in parts))
                return value, both(*(condition for _, _, condition in parts))
            case TupleType(items=items):
                made = [self.make(f"{place}.{i}", of) for i, of in enumerate(items)]
                return Sequence(tuple(item for item, _ in made), False), both(*(condition for _, condition in made))
            case _:
                raise NotRead(f"the input {place}, whose type the prover does not know yet")

    def _list(self, place: str, type_: ListType) -> tuple[Value, Condition]:
        made = [self.make(f"{place}.{i}", type_.item) for i in range(self._shape[place])]
        items = tuple(item for item, _ in made)
        conditions = [condition for _, condition in made]
        if type_.unique:
            conditions += [negated(equality(a, b, 0)) for a, b in combinations(items, 2)]
        if type_.sorted:
            conditions += [_in_order(a, b, place) for a, b in pairwise(items)]
        return Sequence(items, type_.form == "list"), both(*conditions)

    def _dict(self, place: str, type_: DictType) -> tuple[Value, Condition]:
        """So many keys, of which no two are equal, in the order in which they were put in, which may be any."""
        entries: list[tuple[Condition, Value, Value]] = []
        conditions: list[Condition] = []
        for i in range(self._shape[place]):
            at_key, at_value = parts_of_entry(place, i)
            (key, of_key), (value, of_value) = self.make(at_key, type_.key), self.make(at_value, type_.value)
            check_hashable(key, 0)
            conditions += [of_key, of_value, *(negated(equality(other, key, 0)) for _, other, _ in entries)]
            entries.append((TRUE, key, value))
        return Lookup(tuple(entries)), both(*conditions)


def missing_flag(name: str) -> str:
    """The flag that says that an optional value is None."""
    return f"{name}?"


def _in_order(a: Value, b: Value, place: str) -> Condition:
    match a, b:
        case ((Int() | Dec() | Float()), (Int() | Dec() | Float())):
            return numbers.compare("<=", a, b)
        case Day(), Day():
            return at_most(a.ordinal, b.ordinal)
        case _:
            raise NotRead(f"the order of the input {place}")


def _number(name: str, type_: IntType | DecimalType, step: Fraction) -> tuple[Any, Condition]:
    """A variable counted in steps. ``choices`` and ``also`` widen its bounds and are spelled out as a condition."""
    pieces: list[tuple[int | None, int | None]] = []
    if type_.choices is not None:
        pieces += [(_steps(choice, step), _steps(choice, step)) for choice in type_.choices]
    else:
        low = None if type_.min is None else -(-type_.min // step)
        high = None if type_.max is None else type_.max // step
        pieces.append((None if low is None else int(low), None if high is None else int(high)))
    for extra in type_.also:
        if not isinstance(extra, Interval):
            pieces.append((_steps(extra, step), _steps(extra, step)))
        elif isinstance(extra.low, date) or isinstance(extra.high, date):
            raise NotRead(f"the input {name}")
        else:
            pieces.append(
                (
                    None if extra.low is None else int(-(-extra.low // step)),
                    None if extra.high is None else int(extra.high // step),
                )
            )
    lows, highs = [low for low, _ in pieces], [high for _, high in pieces]
    term = variable(
        name,
        None if None in lows else min(low for low in lows if low is not None),
        None if None in highs else max(high for high in highs if high is not None),
    )
    inside: list[Condition] = []
    for low, high in pieces:
        above = TRUE if low is None else at_most(number(low), term)
        inside.append(
            equal(term, number(low))
            if low is not None and low == high
            else both(above, TRUE if high is None else at_most(term, number(high)))
        )
    return term, either(*inside)


def _steps(value: Any, step: Fraction) -> int:
    count = Fraction(value) / step
    if count.denominator != 1:
        raise NotRead("a choice that is not a multiple of its type's step")
    return int(count)
