"""A spec that goes to another process says the same there, down to the places of its decimals."""

from __future__ import annotations

import ast
import copy
import pickle
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from neurosym_specs import NegativeZero, WrittenDecimal, load_spec

LIBRARY = sorted((Path(__file__).parents[2] / "specs" / "neurosym_specs" / "library").glob("*/*.spec.toml"))


def _plain(value: Any) -> Any:
    """All that a value holds: equality alone passes over places, and asks of trees whether they are the same object."""
    if isinstance(value, ast.AST):
        return ast.dump(value, include_attributes=True)
    if is_dataclass(value) and not isinstance(value, type):
        return type(value), [_plain(getattr(value, each.name)) for each in fields(value)]
    if isinstance(value, Mapping):
        return [(_plain(key), _plain(each)) for key, each in value.items()]
    if isinstance(value, list | tuple):
        return type(value), [_plain(each) for each in value]
    if isinstance(value, set | frozenset):
        return type(value), sorted(map(repr, value))
    return type(value), repr(value), getattr(value, "places", None), getattr(value, "number", None)


@pytest.mark.parametrize("value", [WrittenDecimal(Fraction(-643, 2), 1), WrittenDecimal(0, 2), NegativeZero(2)])
def test_a_written_decimal_stays_what_it_is(value: WrittenDecimal) -> None:
    for other in (pickle.loads(pickle.dumps(value)), copy.copy(value), copy.deepcopy(value)):
        assert _plain(other) == _plain(value)
        assert other == value


def test_every_spec_of_the_library_stays_what_it_is(everything: Path) -> None:
    for path in (everything, *LIBRARY):
        spec = load_spec(path)
        assert _plain(pickle.loads(pickle.dumps(spec))) == _plain(spec), path
