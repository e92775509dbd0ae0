"""Types from their tables: built-in ones, the spec's own by name, inline ones."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from neurosym_specs._faults import show, unknown, wrong_kind
from neurosym_specs._numbers import Number, decimal_from_text, exact, nearest_float, ratio_from_text
from neurosym_specs._tables import Table, named_entries
from neurosym_specs._type_notation import Applied, Named, Notation, Optional, parse_type
from neurosym_specs._words import TYPE_WORDS, check_class_name, check_identifier
from neurosym_specs.errors import Place, SpecError
from neurosym_specs.expr.language import FUNCTIONS
from neurosym_specs.expr.patterns import PatternError, compile_pattern
from neurosym_specs.membership import member_fault, same
from neurosym_specs.notation import date_from_plain, from_plain
from neurosym_specs.types import (
    BoolType,
    DateType,
    DecimalType,
    DictType,
    EnumType,
    FloatType,
    FractionType,
    Interval,
    IntType,
    ListType,
    OptionalType,
    RecordForm,
    RecordType,
    SetType,
    StrType,
    TupleType,
    Type,
)
from neurosym_specs.values import Record

MAX_NESTING = 30
MAX_PARTS = 20_000
MAX_READS = 5_000
MAX_PLACES = 100

_COMMON = ("type", "text", "unit")
_SIZES = ("min_len", "max_len", "check_len")
_KEYS: Mapping[str, tuple[str, ...]] = {
    "int": ("min", "max", "choices", "also"),
    "decimal": ("places", "min", "max", "nan", "infinity", "negative_zero", "exponent", "choices", "also"),
    "float": ("min", "max", "places", "nan", "infinity", "negative_zero", "choices", "also"),
    "fraction": ("min", "max", "max_denominator", "choices", "also"),
    "bool": ("choices",),
    "str": (*_SIZES, "alphabet", "pattern", "choices", "also"),
    "enum": ("choices", "class", "values", "ordered"),
    "date": ("min", "max", "choices", "also"),
    "record": ("fields", "as"),
    "list": (*_SIZES, "unique", "sorted", "of"),
    "tuple": (*_SIZES, "of"),
    "set": (*_SIZES, "of"),
    "dict": (*_SIZES, "of", "key", "value"),
}
_ALL_KEYS = tuple(dict.fromkeys(key for keys in _KEYS.values() for key in keys))
_FORMS: Mapping[str, RecordForm] = {
    "dataclass": "dataclass",
    "tuple": "tuple",
    "namedtuple": "namedtuple",
    "dict": "dict",
}


class TypeReader:
    """Reads every type of one spec; the spec's own types are read once, when first named."""

    def __init__(self, own: Mapping[str, Any], file: str) -> None:
        self._own = own
        self._file = file
        self._read: dict[str, Type] = {}
        self._sizes: dict[int, tuple[Type, int, int]] = {}  # by id; the type is held so that its id stays its own
        self._reading: list[str] = []
        self._level = 0
        self._reads = 0
        self._inline_names: set[str] = set()
        self.classes: dict[str, Type] = {}
        for name in own:
            place = Place(file, f"[types.{show_name(name)}]")
            check_identifier(name, "a type", place)
            if name in TYPE_WORDS or name == "none":
                raise SpecError(f'"{name}" is a type of the format', place, hint="choose another name")
            if isinstance(own[name], dict) and own[name].get("type") == "record" and name in FUNCTIONS:
                raise SpecError(f'"{name}" is a function of the expression language', place, hint="choose another name")

    def all(self) -> dict[str, Type]:
        """All of the spec's own types, in the order of the file."""
        return {name: self._named(name, Place(self._file, "[types]")) for name in self._own}

    def read(self, raw: Any, place: Place, name: str) -> Type:
        """A type from a type's name or an inline table; ``name`` is what an inline record is called after."""
        if isinstance(raw, str):
            raw = {"type": raw}
        if not isinstance(raw, dict):
            raise wrong_kind("a type's name or a table with a type", raw, place)
        if not isinstance(raw.get("type"), str):
            if "type" in raw:
                raise wrong_kind("a type's name", raw["type"], place.at(_join(place.key, "type")))
            for key in raw:
                if key not in _ALL_KEYS and key not in _COMMON:
                    raise unknown("key", key, (*_COMMON, *_ALL_KEYS), place)
            raise SpecError('the key "type" is missing', place, hint="types: " + ", ".join((*TYPE_WORDS, *self._own)))
        at = place.at(_join(place.key, "type"))
        self._reads += 1
        if self._reads > MAX_READS:
            raise SpecError(f"more than {MAX_READS:,} types are written out", place)
        return self._counted(self._build(parse_type(raw["type"], at), raw, place, name), place)

    def _counted(self, type: Type, place: Place) -> Type:
        """Refuse a type that names share into one of more parts, or deeper, than anything should walk."""
        _, parts, depth = self._size(type)
        if parts > MAX_PARTS:
            raise SpecError(f"the type has more than {MAX_PARTS:,} parts", place)
        if depth > MAX_NESTING:
            raise SpecError(f"types nested more than {MAX_NESTING} deep", place)
        return type

    def _size(self, type: Type) -> tuple[Type, int, int]:
        """The type, how many parts it has, and how deep it is, counted once for every type."""
        if id(type) not in self._sizes:
            inner = [self._size(each) for each in inner_types(type)]
            parts = 1 + sum(size[1] for size in inner)
            self._sizes[id(type)] = type, parts, 1 + max((size[2] for size in inner), default=0)
        return self._sizes[id(type)]

    def _named(self, name: str, place: Place) -> Type:
        if name in self._read:
            return self._read[name]
        if name in self._reading:
            chain = " -> ".join([*self._reading[self._reading.index(name) :], name])
            raise SpecError(f"the type {name} contains itself: {chain}", place, hint="types have no cycles")
        self._reading.append(name)
        try:
            type = self.read(self._own[name], Place(self._file, f"[types.{name}]"), name)
        finally:
            self._reading.pop()
        self._read[name] = type
        return type

    def _build(self, notation: Notation, raw: dict[str, Any], place: Place, name: str) -> Type:
        if self._level >= MAX_NESTING:
            raise SpecError(f"types nested more than {MAX_NESTING} deep", place)
        self._level += 1
        try:
            return self._of_notation(notation, raw, place, name)
        finally:
            self._level -= 1

    def _of_notation(self, notation: Notation, raw: dict[str, Any], place: Place, name: str) -> Type:
        match notation:
            case Optional(of):
                inner = self._build(of, raw, place, name)
                return inner if isinstance(inner, OptionalType) else OptionalType(of=inner)
            case Named(word) if word in self._own:
                return self._reference(word, raw, place)
            case Named(word) if word in _KEYS:
                return self._builtin(word, raw, place, name)
            case Applied(word) if word in ("list", "tuple", "set", "dict"):
                if "of" in raw or "key" in raw or "value" in raw:
                    raise SpecError(f"the type says {show(raw['type'])}, and of, key or value say it again", place)
                return self._generic(notation, Table(raw, place, (*_COMMON, *_KEYS[word])))
            case Named(word) | Applied(word):
                raise unknown("type", word, (*TYPE_WORDS, *self._own), place.at(_join(place.key, "type")))

    def _reference(self, word: str, raw: dict[str, Any], place: Place) -> Type:
        """One of the spec's own types; keys beside it change it for this place only."""
        type = self._named(word, place)
        extra = {key: value for key, value in raw.items() if key != "type"}
        if not extra:
            return type
        if extra.keys() <= {"text", "unit"}:
            table = Table(raw, place, _COMMON)
            described: dict[str, Any] = {key: table.text(key) for key in extra}
            if isinstance(type, OptionalType):
                return dataclasses.replace(type, of=dataclasses.replace(type.of, **described))
            return dataclasses.replace(type, **described)
        base = self._own[word]
        base = {"type": base} if isinstance(base, str) else base
        return self.read({**base, **extra}, place, word)

    def _builtin(self, word: str, raw: dict[str, Any], place: Place, name: str) -> Type:
        table = Table(raw, place, (*_COMMON, *_KEYS[word]))
        if word in ("list", "tuple", "set", "dict"):
            return self._generic_of(word, table)
        described: dict[str, Any] = {"text": table.text("text"), "unit": table.text("unit")}
        match word:
            case "int":
                low, high = _bounds(table, _whole_bound)
                type: Type = IntType(min=low, max=high, **described)
            case "decimal":
                low, high = _bounds(table, _decimal_bound)
                type = DecimalType(
                    min=low,
                    max=high,
                    places=_places_range(table),
                    nan=table.flag("nan"),
                    infinity=table.flag("infinity"),
                    negative_zero=table.flag("negative_zero"),
                    exact_exponent=table.word("exponent", ("exact", "number"), "number") == "exact",
                    **described,
                )
                _check_grid(type, table)
            case "float":
                low, high = _bounds(table, _float_bound)
                places = table.size("places")
                if places is not None and places > MAX_PLACES:
                    raise SpecError(f"{places} places are more than {MAX_PLACES}", table.at("places"))
                type = FloatType(
                    min=low,
                    max=high,
                    places=places,
                    nan=table.flag("nan"),
                    infinity=table.flag("infinity"),
                    negative_zero=table.flag("negative_zero"),
                    **described,
                )
            case "fraction":
                low, high = _bounds(table, _ratio_bound)
                largest = table.size("max_denominator")
                if largest == 0:
                    raise wrong_kind("a whole number from 1", 0, table.at("max_denominator"))
                type = FractionType(min=low, max=high, max_denominator=largest, **described)
            case "bool":
                type = BoolType(**described)
            case "str":
                type = _str_type(table, described)
            case "enum":
                return self._enum(table, described)
            case "date":
                type = _date_type(table, described)
            case _:
                return self._record(table, described, name)
        return _with_choices(type, table)

    def _enum(self, table: Table, described: dict[str, Any]) -> EnumType:
        choices = table.required("choices")
        if not isinstance(choices, list) or not choices or not all(isinstance(choice, str) for choice in choices):
            raise wrong_kind("an array of strings", choices, table.at("choices"))
        if len(set(choices)) < len(choices):
            raise SpecError(f"{show(choices)} repeats a choice", table.at("choices"))
        class_name = table.text("class")
        if not class_name:
            if "values" in table:
                raise SpecError("values without class", table.at("values"), hint='a class is named like class = "Kind"')
            return EnumType(choices=tuple(choices), ordered=table.flag("ordered"), **described)
        check_class_name(class_name, "an enum class", table.at("class"))
        for choice in choices:
            check_identifier(choice, "a member of an enum class", table.at("choices"))
            if choice.startswith("_") or choice == "mro":
                raise SpecError(f"{show(choice)} is no name for a member of an enum class", table.at("choices"))
        type = EnumType(
            choices=tuple(choices),
            class_name=class_name,
            members=_members(choices, table),
            ordered=table.flag("ordered"),
            **described,
        )
        self._declare(class_name, type, table.at("class"))
        return type

    def _record(self, table: Table, described: dict[str, Any], name: str) -> RecordType:
        form = _FORMS[table.word("as", _FORMS, "dataclass")]
        fields_place = table.at("fields")
        if table.place.table.startswith("[types.") and not table.place.key:
            fields_place = Place(self._file, f"{table.place.table[:-1]}.fields]")
        raw_fields = named_entries(table.required("fields"), fields_place)
        if not raw_fields:
            raise SpecError("a record without fields", fields_place)
        if name not in self._own:
            name = self._inline_name(name)
        fields = []
        for field, raw in raw_fields.items():
            at = fields_place.at(_join(fields_place.key, field))
            check_identifier(field, "a field", at)
            if form == "namedtuple" and (field.startswith("_") or field in ("count", "index")):
                raise SpecError(f'"{field}" is no name for a field of a namedtuple', at)
            fields.append((field, self.read(raw, at, field)))
        if form != "tuple":
            check_class_name(name, "a record type", table.place)
        type = RecordType(name=name, fields=tuple(fields), form=form, **described)
        if form != "tuple":
            self._declare(name, type, table.place)
        return type

    def _inline_name(self, field: str) -> str:
        """A name for a record that is written where it is used: ``LineItem`` for the input ``line_item``."""
        base = "".join(part[:1].upper() + part[1:] for part in re.split(r"_+", field)) or "Record"
        name, number = base, 2
        while name in self._own or name in self._inline_names:
            name, number = f"{base}{number}", number + 1
        self._inline_names.add(name)
        return name

    def _declare(self, class_name: str, type: EnumType | RecordType, place: Place) -> None:
        """Two different types may not want one class name."""
        bare = dataclasses.replace(type, text="", unit="")
        if self.classes.setdefault(class_name, bare) != bare:
            raise SpecError(f'another type is declared as class "{class_name}" with other members', place)

    def _generic(self, notation: Applied, table: Table) -> Type:
        arguments = [self._argument(argument, table.place) for argument in notation.arguments]
        return _generic_type(notation.name, arguments, notation.any_length, table)

    def _argument(self, notation: Notation, place: Place) -> Type:
        return self._build(notation, {"type": "in brackets"}, place, "item")

    def _generic_of(self, word: str, table: Table) -> Type:
        """``{ type = "list", of = { ... } }``."""
        if word == "dict" and ("key" in table or "value" in table):
            raws = [table.required("key"), table.required("value")]
        else:
            if "of" not in table:
                example = {
                    "list": "list[int]",
                    "tuple": "tuple[int, str]",
                    "set": "set[int]",
                    "dict": "dict[str, int]",
                }[word]
                raise SpecError(
                    f"a {word} of what?",
                    table.at("type"),
                    hint=f'write "{example}", or give of = {{ type = ... }}',
                )
            of = table.raw["of"]
            raws = of if isinstance(of, list) and word in ("dict", "tuple") else [of]
        types = [self.read(raw, table.at("of"), "item") for raw in raws]
        any_length = word == "tuple" and not isinstance(table.raw.get("of"), list)
        return _generic_type(word, types, any_length, table)


def inner_types(type: Type) -> tuple[Type, ...]:
    """The types that a type is directly made of."""
    match type:
        case RecordType():
            return tuple(inner for _, inner in type.fields)
        case ListType() | SetType():
            return (type.item,)
        case TupleType():
            return type.items
        case DictType():
            return (type.key, type.value)
        case OptionalType():
            return (type.of,)
        case _:
            return ()


def show_name(name: str) -> str:
    return name if re.fullmatch(r"[\w-]{1,60}", name) else show(name)


def _join(first: str, second: str) -> str:
    return f"{first}.{show_name(second)}" if first else show_name(second)


def _generic_type(word: str, arguments: list[Type], any_length: bool, table: Table) -> Type:
    wanted = {"list": 1, "set": 1, "dict": 2}.get(word, len(arguments))
    if len(arguments) != wanted:
        raise SpecError(f"{word} takes {wanted} type{'s' * (wanted > 1)}, found {len(arguments)}", table.at("type"))
    described: dict[str, Any] = {"text": table.text("text"), "unit": table.text("unit")}
    if word == "tuple" and not any_length:
        for key in _SIZES:
            if key in table:
                raise SpecError(
                    "a tuple of these types has a fixed length",
                    table.at(key),
                    hint='any length: "tuple[T, ...]"',
                )
        return TupleType(items=tuple(arguments), **described)
    described |= _sizes(table)
    match word:
        case "list":
            if table.flag("sorted"):
                _check_sortable(arguments[0], table)
            return ListType(item=arguments[0], unique=table.flag("unique"), sorted=table.flag("sorted"), **described)
        case "tuple":
            return ListType(item=arguments[0], form="tuple", **described)
        case "set":
            _check_hashable(arguments[0], "an element of a set", table)
            return SetType(item=arguments[0], **described)
        case _:
            _check_hashable(arguments[0], "a key of a dict", table)
            return DictType(key=arguments[0], value=arguments[1], **described)


def _check_hashable(type: Type, what: str, table: Table) -> None:
    bad = isinstance(type, ListType | SetType | DictType) and not (isinstance(type, ListType) and type.form == "tuple")
    bad = bad or (isinstance(type, RecordType) and type.form == "dict")
    if bad:
        raise SpecError(f"{what} cannot be a list, set or dict", table.at("type"))
    for inner in inner_types(type):
        _check_hashable(inner, what, table)


def _check_sortable(type: Type, table: Table) -> None:
    if isinstance(type, OptionalType | SetType | DictType | BoolType) or (
        isinstance(type, EnumType) and type.class_name and not type.ordered
    ):
        raise SpecError(
            "sorted, but its elements have no order",
            table.at("sorted"),
            hint="an enum has one with ordered = true",
        )

    if isinstance(type, RecordType | TupleType | ListType):  # compared element by element
        for inner in inner_types(type):
            _check_sortable(inner, table)


def _sizes(table: Table) -> dict[str, Any]:
    low, high, check = table.size("min_len", 0), table.size("max_len"), table.size("check_len")
    if low is not None and high is not None and low > high:
        raise SpecError(f"min_len {low} is above max_len {high}", table.at("min_len"))
    if check is not None and ((high is not None and check > high) or (low is not None and check < low)):
        raise SpecError(f"check_len {check} is not between min_len and max_len", table.at("check_len"))
    return {"min_len": low, "max_len": high, "check_len": check}


def _str_type(table: Table, described: dict[str, Any]) -> StrType:
    alphabet = table.text("alphabet") if "alphabet" in table else None
    pattern = table.text("pattern") if "pattern" in table else None
    if alphabet is not None and pattern is not None:
        raise SpecError("both alphabet and pattern", table.at("pattern"), hint="a pattern says the alphabet too")
    if alphabet == "":
        raise SpecError("the alphabet is empty", table.at("alphabet"))
    if pattern is not None:
        try:
            compile_pattern(pattern)
        except PatternError as error:
            raise SpecError(f"{show(pattern)} is no pattern: {error}", table.at("pattern")) from None
    return StrType(alphabet=alphabet, pattern=pattern, **_sizes(table), **described)


def _date_type(table: Table, described: dict[str, Any]) -> DateType:
    bounds: dict[str, Any] = {
        key: date_from_plain(table.raw[key], table.at(key)) for key in ("min", "max") if key in table
    }
    if "min" in bounds and "max" in bounds and bounds["min"] > bounds["max"]:
        raise SpecError(f"min {bounds['min']} is after max {bounds['max']}", table.at("min"))
    return DateType(**bounds, **described)


def _whole_bound(value: Any, place: Place) -> Fraction:
    number = exact(value) if not isinstance(value, str) else decimal_from_text(value)
    if number is None or isinstance(number, float) or number.denominator != 1:
        raise wrong_kind("a whole number", value, place)
    return Fraction(number)


def _decimal_bound(value: Any, place: Place) -> Fraction:
    number = exact(value) if not isinstance(value, str) else decimal_from_text(value)
    if number is None or isinstance(number, float):
        raise wrong_kind('a number as a string, like "1000.00"', value, place)
    return Fraction(number)


def _float_bound(value: Any, place: Place) -> Fraction:
    nearest = nearest_float(_decimal_bound(value, place))
    if nearest in (float("inf"), float("-inf")):
        raise SpecError(f"{show(value)} is too large for a float", place)
    return Fraction(nearest)


def _ratio_bound(value: Any, place: Place) -> Fraction:
    number: Number | None = exact(value) if not isinstance(value, str) else ratio_from_text(value)
    if number is None or isinstance(number, float):
        raise wrong_kind('a number or a fraction like "1/3"', value, place)
    return Fraction(number)


def _bounds(table: Table, read: Any) -> tuple[Fraction | None, Fraction | None]:
    low = read(table.raw["min"], table.at("min")) if "min" in table else None
    high = read(table.raw["max"], table.at("max")) if "max" in table else None
    if low is not None and high is not None and low > high:
        raise SpecError(f"min {show(low)} is above max {show(high)}", table.at("min"))
    return low, high


def _places_range(table: Table) -> tuple[int, int] | None:
    """``2``, or ``"0..4"``."""
    if "places" not in table:
        return None
    value = table.raw["places"]
    low = high = value
    if isinstance(value, str):
        parts = re.fullmatch(r"\s*([0-9]{1,4})\s*(?:\.\.\s*([0-9]{1,4})\s*)?", value, re.ASCII)
        if parts is not None:
            low, high = int(parts[1]), int(parts[2] or parts[1])
    if (
        not isinstance(low, int)
        or not isinstance(high, int)
        or isinstance(value, bool)
        or not 0 <= low <= high <= MAX_PLACES
    ):
        raise wrong_kind(f'a whole number from 0 to {MAX_PLACES}, or a range like "0..4"', value, table.at("places"))
    return low, high


def _check_grid(type: DecimalType, table: Table) -> None:
    """Refuse a range in which no number with so many decimals lies."""
    if type.places is None or type.min is None or type.max is None:
        return
    step = 10 ** type.places[1]
    if -(-type.min * step // 1) > type.max * step // 1:
        raise SpecError(
            f"no number with {type.places[1]} decimals lies from {show(type.min)} to {show(type.max)}",
            table.at("min"),
        )


def _members(choices: list[str], table: Table) -> tuple[tuple[str, int | str], ...]:
    values = table.raw.get("values", {choice: choice for choice in choices})
    at = table.at("values")
    if isinstance(values, list) and len(values) == len(choices):
        values = dict(zip(choices, values, strict=True))
    if not isinstance(values, dict):
        raise wrong_kind("a table of the choices' values", values, at)
    for name in values:
        if name not in choices:
            raise unknown("choice", name, choices, at)
    members: list[tuple[str, int | str]] = []
    for choice in choices:
        if choice not in values:
            raise SpecError(f'the value of "{choice}" is missing', at)
        value = values[choice]
        if isinstance(value, bool) or not isinstance(value, int | str):
            raise wrong_kind("a whole number or a string", value, at)
        if any(value == other for _, other in members):
            raise SpecError(f"{show(value)} is the value of two choices", at)
        members.append((choice, value))
    return tuple(members)


def _with_choices(type: Type, table: Table) -> Type:
    """The type with its ``choices`` and ``also``, each a value of the type."""
    if "choices" in table:
        raw = table.raw["choices"]
        if not isinstance(raw, list) or not raw:
            raise wrong_kind("an array of values", raw, table.at("choices"))
        choices: list[object] = []
        for item in raw:
            value = from_plain(type, item, table.at("choices"))
            fault = member_fault(type, value)
            if fault is not None:
                raise SpecError(f"a choice outside the type: {fault}", table.at("choices"))
            if any(
                same(value, other) and getattr(value, "places", 0) == getattr(other, "places", 0) for other in choices
            ):
                raise SpecError(f"the choice {show(item)} is repeated", table.at("choices"))
            choices.append(value)
        type = dataclasses.replace(type, choices=tuple(choices))
    if "also" in table:
        raw = table.raw["also"]
        if not isinstance(raw, list):
            raise wrong_kind("an array of values and ranges", raw, table.at("also"))
        extras = tuple(_also(type, item, table.at("also")) for item in raw)
        type = dataclasses.replace(type, also=extras)
    return type


def _also(type: Type, raw: Any, place: Place) -> object | Interval:
    """A value, or a range: ``{ min, max }``, ``[min, max]`` or ``"min..max"`` (but a string of a ``str``)."""
    low, high = None, None
    if isinstance(raw, dict):
        bounds = Table(raw, place, ("min", "max")).raw
        low, high = bounds.get("min"), bounds.get("max")
    elif isinstance(raw, list) and len(raw) == 2:
        low, high = raw
    elif isinstance(raw, str) and ".." in raw and not isinstance(type, StrType):
        low, high = (part.strip() for part in raw.split("..", 1))
    else:
        return _added_value(type, raw, place)
    if isinstance(type, StrType | BoolType):
        raise wrong_kind("a string", raw, place)
    if low is None and high is None:
        raise wrong_kind("a value or a range like { min = ..., max = ... }", raw, place)
    lower, upper = (None if end is None else _bound(type, end, place) for end in (low, high))
    if lower is not None and upper is not None and lower > upper:
        raise SpecError(f"min {show(lower)} is above max {show(upper)}", place)
    return Interval(lower, upper)


def _bound(type: Type, raw: Any, place: Place) -> Any:
    value = from_plain(type, raw, place)
    if isinstance(value, float):
        raise wrong_kind("a bound", raw, place)
    return Fraction(value) if isinstance(value, int | Fraction) else value


def _added_value(type: Type, raw: Any, place: Place) -> object:
    value = from_plain(type, raw, place)
    if isinstance(value, Record):
        raise wrong_kind("a value or a range", raw, place)
    if isinstance(type, StrType) and any("\ud800" <= character <= "\udfff" for character in str(value)):
        raise SpecError("a surrogate, which no text contains", place)
    return value
