"""Constants that a spec or a candidate names. A threshold that a program compares with stands in its text."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from datetime import date
from decimal import Decimal, InvalidOperation
from fractions import Fraction
from typing import Any

from neurosym_specs.expr.check import expressions_of
from neurosym_specs.model import Spec

from neurosym_verifiers.search.draw import Constants

_MOST = 200
_LARGEST = 10**40


def spec_constants(spec: Spec) -> Constants:
    """The constants of every clause, definition and let, of ``[data]``, and of a Python reference."""
    found = [value for expression, _, _ in expressions_of(spec) for value in _literals(expression.tree)]
    if spec.reference is not None and spec.reference.python is not None:
        found += _source_literals(spec.reference.python)
    return _constants([*found, *_data_values(spec.data)])


def source_constants(*sources: str) -> Constants:
    """The constants of a candidate's texts: literals, texts that read as numbers, dates written with three numbers.

    None of a source that Python cannot parse.
    """
    return _constants([value for source in sources for value in _source_literals(source)])


def _source_literals(source: str) -> list[Any]:
    try:
        return list(_literals(ast.parse(source)))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return []


def _literals(tree: ast.AST) -> Iterator[Any]:
    for node in ast.walk(tree):
        match node:
            case ast.Constant(value=bool() | None):
                pass
            case ast.Constant(value=int() | float() | Fraction() | str() as value):
                yield value
            case ast.Call(func=ast.Name(id="date") | ast.Attribute(attr="date"), args=arguments) if len(arguments) == 3:
                numbers = [a.value for a in arguments if isinstance(a, ast.Constant) and isinstance(a.value, int)]
                if len(numbers) == 3:
                    try:
                        yield date(*numbers)
                    except (ValueError, OverflowError):
                        continue
            case _:
                pass


def _data_values(data: Any) -> Iterator[Any]:
    if isinstance(data, dict):
        for key, value in data.items():
            yield key
            yield from _data_values(value)
    elif isinstance(data, (list, tuple)):
        for value in data:
            yield from _data_values(value)
    elif data is not None and not isinstance(data, bool):
        yield data


def _constants(found: Iterable[Any]) -> Constants:
    numbers: dict[Fraction, None] = {}
    texts: dict[str, None] = {}
    dates: dict[date, None] = {}
    for value in found:
        if isinstance(value, date):
            dates[value] = None
        elif isinstance(value, str):
            if len(value) <= 40:
                texts[value] = None
            number = _read_number(value)
            if number is not None:
                numbers[number] = None
        else:
            number = _read_number(repr(value)) if isinstance(value, float) else Fraction(value)
            if number is not None and abs(number) < _LARGEST:
                numbers[number] = None
    return Constants(tuple(numbers)[:_MOST], tuple(texts)[:_MOST], tuple(dates)[:_MOST])


def _read_number(text: str) -> Fraction | None:
    try:
        number = Decimal(text)
    except InvalidOperation:
        return None
    if not number.is_finite() or not -40 < number.adjusted() < 40:
        return None
    return Fraction(number)
