"""What expressions may name beside the inputs: ``[data]``, ``[let]`` and ``[define]``."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import date, datetime, time
from fractions import Fraction
from typing import Any

from neurosym_specs._faults import show, wrong_kind
from neurosym_specs._numbers import exact
from neurosym_specs._tables import Table, expression, named_entries
from neurosym_specs._words import check_identifier
from neurosym_specs.errors import Place, SpecError
from neurosym_specs.expr.language import FUNCTIONS, RAISED, RESULT
from neurosym_specs.expr.syntax import Expression
from neurosym_specs.model import Definition
from neurosym_specs.types import RecordType, Type

_SIGNATURE = re.compile(r"\s*([^\s(),]+)\s*\(([^()]*)\)\s*", re.DOTALL)


class Names:
    """The names that expressions see; two things do not share one."""

    def __init__(self, inputs: Mapping[str, Type]) -> None:
        self._owner = dict.fromkeys(inputs, "an input")

    def take(self, name: str, owner: str, place: Place) -> None:
        if name in self._owner:
            raise SpecError(f'"{name}" is already the name of {self._owner[name]}', place, hint="names differ")
        if name in (RESULT, RAISED):
            raise SpecError(f'"{name}" is a word of the expression language', place, hint="choose another name")
        self._owner[name] = owner


def read_data(top: Table, file: str, names: Names) -> dict[str, Any]:
    """The constants of ``[data]``, exact."""
    place = Place(file, "[data]")
    raw = top.single("data")
    if not isinstance(raw, dict):
        raise wrong_kind("a table", raw, place)
    data = {}
    for name, value in raw.items():
        check_identifier(name, "data", place.at(show(name)))
        names.take(name, "data", place.at(name))
        data[name] = _data_value(value, place.at(name))
    return data


def _data_value(raw: Any, place: Place) -> Any:
    """Data as expressions see it: exact numbers, strings, dates, truth values, lists and dicts of them."""
    number = exact(raw)
    if number is not None:
        return number if isinstance(number, int | float) else Fraction(number)
    match raw:
        case None | bool() | str():
            return raw
        case datetime() | time():
            raise wrong_kind("a date without a time", raw, place)
        case date():
            return raw
        case list() | tuple():
            return [_data_value(item, place.at(f"{place.key}[{index}]")) for index, item in enumerate(raw)]
        case dict():
            if not all(isinstance(key, str) for key in raw):
                raise wrong_kind("a table", raw, place)
            return {key: _data_value(item, place.at(f"{place.key}.{key[:60]}")) for key, item in raw.items()}
        case _:
            raise wrong_kind("a number, a string, a date, a truth value, an array or a table", raw, place)


def read_lets(top: Table, file: str, names: Names) -> dict[str, Expression]:
    """The expressions of ``[let]``."""
    place = Place(file, "[let]")
    lets = {}
    for name, text in named_entries(top.raw.get("let") or {}, place, "value").items():
        at = place.at(name if name.isidentifier() else show(name))
        check_identifier(name, "a let", at)
        names.take(name, "a let", at)
        lets[name] = expression(text, at)
    return lets


def read_definitions(top: Table, file: str, names: Names, types: Mapping[str, Type]) -> dict[str, Definition]:
    """The functions of ``[define]``."""
    place = Place(file, "[define]")
    definitions: dict[str, Definition] = {}
    for head, text in named_entries(top.raw.get("define") or {}, place, "value").items():
        at = place.at(show(head))
        parts = _SIGNATURE.fullmatch(head)
        if parts is None:
            raise SpecError(
                f"{show(head)} is no function's head",
                at,
                hint='write "days_in(y)" = "366 if leap(y) else 365"',
            )
        name = check_identifier(parts[1], "a function", at)
        if name in FUNCTIONS:
            raise SpecError(f'"{name}" is a function of the expression language', at, hint="choose another name")
        if isinstance(types.get(name), RecordType):
            raise SpecError(f'"{name}" is the constructor of a record type', at, hint="choose another name")
        names.take(name, "a definition", at)
        parameters = tuple(part.strip() for part in parts[2].split(",")) if parts[2].strip() else ()
        for parameter in parameters:
            check_identifier(parameter, "a parameter", at)
        if len(set(parameters)) < len(parameters):
            raise SpecError(f"{show(head)} repeats a parameter", at)
        definitions[name] = Definition(name, parameters, expression(text, at))
    return definitions
