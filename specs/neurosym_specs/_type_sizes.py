"""Lists, tuples, sets and dicts from their tables: lengths, and what may be inside."""

from __future__ import annotations

from typing import Any

from neurosym_specs._tables import Table
from neurosym_specs.errors import SpecError
from neurosym_specs.types import (
    BoolType,
    DictType,
    EnumType,
    ListType,
    OptionalType,
    RecordType,
    SetType,
    TupleType,
    Type,
    inner_types,
)

SIZE_KEYS = ("min_len", "max_len", "check_len")


def generic_type(word: str, arguments: list[Type], any_length: bool, table: Table) -> Type:
    wanted = {"list": 1, "set": 1, "dict": 2}.get(word, len(arguments))
    if len(arguments) != wanted:
        raise SpecError(f"{word} takes {wanted} type{'s' * (wanted > 1)}, found {len(arguments)}", table.at("type"))
    described: dict[str, Any] = {"text": table.text("text"), "unit": table.text("unit")}
    if word == "tuple" and not any_length:
        for key in SIZE_KEYS:
            if key in table:
                raise SpecError(
                    "a tuple of these types has a fixed length",
                    table.at(key),
                    hint='any length: "tuple[T, ...]"',
                )
        return TupleType(items=tuple(arguments), **described)
    described |= sizes(table)
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


def sizes(table: Table) -> dict[str, Any]:
    low, high, check = table.size("min_len", 0), table.size("max_len"), table.size("check_len")
    if low is not None and high is not None and low > high:
        raise SpecError(f"min_len {low} is above max_len {high}", table.at("min_len"))
    if check is not None and ((high is not None and check > high) or (low is not None and check < low)):
        raise SpecError(f"check_len {check} is not between min_len and max_len", table.at("check_len"))
    return {"min_len": low, "max_len": high, "check_len": check}
