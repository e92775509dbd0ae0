"""Reading a spec's bytes: size, encoding, nesting, then TOML or JSON into plain values."""

from __future__ import annotations

import json
import re
import tomllib
from collections import Counter
from collections.abc import Iterator
from typing import Any

from neurosym_specs._numbers import MAX_DIGITS, float_from_toml
from neurosym_specs.errors import Place, SpecError

MAX_BYTES = 1_000_000
MAX_DEPTH = 100
MAX_DOTS = 50
_TOO_LARGE = 10**MAX_DIGITS


def text_from_bytes(data: bytes, place: Place) -> str:
    """The text of a spec file, or the fault that makes it none."""
    if len(data) > MAX_BYTES:
        raise SpecError(f"the file is larger than {MAX_BYTES:,} bytes", place, hint="a spec is a page or two of text")
    if b"\0" in data:
        raise SpecError("the file is binary (it contains a NUL byte)", place, hint="a spec is UTF-8 text")
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        raise SpecError(
            f"the file is not UTF-8 (line {line}, byte {error.start})", place, hint="save it as UTF-8"
        ) from None
    return text.removeprefix("\ufeff")


def _check_text(text: str, place: Place) -> None:
    if len(text) > MAX_BYTES:
        raise SpecError(
            f"the text is longer than {MAX_BYTES:,} characters", place, hint="a spec is a page or two of text"
        )


def toml_from_text(text: str, place: Place) -> dict[str, Any]:
    """The tables of a TOML text; numbers that are not whole as ``WrittenDecimal``s."""
    _check_text(text, place)
    _check_nesting(_toml_marks(text), place)
    try:
        return tomllib.loads(text, parse_float=float_from_toml)
    except tomllib.TOMLDecodeError as error:
        raise SpecError(f"not valid TOML: {error}", place) from None
    except RecursionError:
        raise _too_deep(place) from None
    except ValueError as error:
        raise SpecError(f"not valid TOML: {error}", place) from None


def json_from_text(text: str, place: Place) -> Any:
    """The value of a JSON text; numbers that are not whole as ``WrittenDecimal``s."""
    _check_text(text, place)
    _check_nesting(_json_marks(text), place)
    try:
        return json.loads(
            text,
            parse_float=float_from_toml,
            parse_constant=float_from_toml,
            object_pairs_hook=_without_duplicates,
        )
    except json.JSONDecodeError as error:
        raise SpecError(f"not valid JSON: {error.msg} (at line {error.lineno}, column {error.colno})", place) from None
    except RecursionError:
        raise _too_deep(place) from None
    except ValueError as error:
        raise SpecError(f"not valid JSON: {error}", place) from None


def check_depth(value: Any, place: Place) -> None:
    """Refuse a value nested too deep, or with too long a number; without recursion, so that no depth can hurt."""
    level: list[Any] = [value]
    for _ in range(MAX_DEPTH + 1):
        if any(isinstance(item, int) and abs(item) >= _TOO_LARGE for item in level):
            raise SpecError(f"a number of more than {MAX_DIGITS:,} digits", place)
        level = [inner for item in level for inner in _inside(item)]
        if not level:
            return
    raise _too_deep(place)


def _inside(value: Any) -> Iterator[Any]:
    if isinstance(value, dict):
        yield from value.values()
    elif isinstance(value, list | tuple):
        yield from value


def _without_duplicates(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    table = dict(pairs)
    if len(table) < len(pairs):
        twice = next(name for name, count in Counter(name for name, _ in pairs).items() if count > 1)
        raise ValueError(f'the key "{twice[:60]}" stands twice in one object')
    return table


def _too_deep(place: Place) -> SpecError:
    return SpecError(f"nested more than {MAX_DEPTH} deep", place, hint="a spec nests a few levels")


_TOML_TOKEN = re.compile(
    r'"""(?:[^\\"]|\\.|"(?!""))*+(?:"""(?:""?)?|\Z)'
    r"|'''(?:[^']|'(?!''))*+(?:'''(?:''?)?|\Z)"
    r'|"(?:[^\\"\n]|\\.)*+"?'
    r"|'[^'\n]*'?"
    r"|\#[^\n]*"
    r"|[\[\]{}.,=\n]",
    re.DOTALL,
)
_JSON_TOKEN = re.compile(r'"(?:[^\\"]|\\.)*+"?|[\[\]{},:]', re.DOTALL)


def _toml_marks(text: str) -> Iterator[str]:
    return (token[0] for token in _TOML_TOKEN.finditer(text))


def _json_marks(text: str) -> Iterator[str]:
    return (token[0] for token in _JSON_TOKEN.finditer(text))


def _check_nesting(marks: Iterator[str], place: Place) -> None:
    """Count open brackets and the dots of one key before a parser sees them.

    ``tomllib`` recurses on brackets, and takes quadratic time on a key of many dotted parts.
    """
    depth = dots = 0
    for mark in marks:
        if mark in "[{":
            depth += 1
        elif mark in "]}":
            depth = max(depth - 1, 0)
        dots = dots + 1 if mark == "." else dots if mark[0] in "\"'" else 0
        if depth > MAX_DEPTH or dots > MAX_DOTS:
            raise _too_deep(place)
