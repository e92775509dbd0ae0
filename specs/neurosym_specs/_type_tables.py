"""Types from their tables: built-in ones, the spec's own by name, inline ones."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Mapping
from typing import Any

from neurosym_specs._faults import show, unknown, wrong_kind
from neurosym_specs._tables import Table, named_entries
from neurosym_specs._type_choices import with_choices
from neurosym_specs._type_notation import Applied, Named, Notation, Optional, parse_type
from neurosym_specs._type_scalars import enum_type, scalar_type
from neurosym_specs._type_sizes import SIZE_KEYS, generic_type
from neurosym_specs._words import TYPE_WORDS, check_class_name, check_identifier
from neurosym_specs.errors import Place, SpecError
from neurosym_specs.expr.language import FUNCTIONS
from neurosym_specs.types import EnumType, OptionalType, RecordForm, RecordType, Type, inner_types

MAX_NESTING = 30
MAX_PARTS = 20_000
MAX_READS = 5_000

_COMMON = ("type", "text", "unit")
_KEYS: Mapping[str, tuple[str, ...]] = {
    "int": ("min", "max", "choices", "also"),
    "decimal": ("places", "min", "max", "nan", "infinity", "negative_zero", "exponent", "choices", "also"),
    "float": ("min", "max", "places", "nan", "infinity", "negative_zero", "choices", "also"),
    "fraction": ("min", "max", "max_denominator", "choices", "also"),
    "bool": ("choices",),
    "str": (*SIZE_KEYS, "alphabet", "pattern", "choices", "also"),
    "enum": ("choices", "class", "values", "ordered"),
    "date": ("min", "max", "choices", "also"),
    "record": ("fields", "as"),
    "list": (*SIZE_KEYS, "unique", "sorted", "of"),
    "tuple": (*SIZE_KEYS, "of"),
    "set": (*SIZE_KEYS, "of"),
    "dict": (*SIZE_KEYS, "of", "key", "value"),
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
        described = {"text": table.text("text"), "unit": table.text("unit")}
        if word == "enum":
            return self._enum(table, described)
        if word == "record":
            return self._record(table, described, name)
        return with_choices(scalar_type(word, table, described), table)

    def _enum(self, table: Table, described: dict[str, Any]) -> EnumType:
        type = enum_type(table, described)
        if type.class_name:
            self._declare(type.class_name, type, table.at("class"))
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
        return generic_type(notation.name, arguments, notation.any_length, table)

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
        return generic_type(word, types, any_length, table)


def show_name(name: str) -> str:
    return name if re.fullmatch(r"[\w-]{1,60}", name) else show(name)


def _join(first: str, second: str) -> str:
    return f"{first}.{show_name(second)}" if first else show_name(second)
