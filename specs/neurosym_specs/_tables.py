"""One table of a spec: its keys by kind, each fault with its place."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import Any, TypedDict

from neurosym_specs._faults import closest, show, unknown, wrong_kind
from neurosym_specs._numbers import decimal_from_text, exact
from neurosym_specs.errors import Place, SpecError
from neurosym_specs.expr.syntax import Expression, parse_expression


class Table:
    """A table and its place. Making one checks that it has no key beside the ``legal`` ones.

    A JSON ``null`` counts as a key that is not there, but for the keys named in ``nullable``.
    """

    def __init__(self, raw: Any, place: Place, legal: Iterable[str], *, nullable: Iterable[str] = ()) -> None:
        if not isinstance(raw, dict):
            raise wrong_kind("a table", raw, place)
        self.place = place
        words = list(legal)
        for key in raw:
            if key not in words:
                raise unknown("key", key, words, place)
        kept = set(nullable)
        self.raw: dict[str, Any] = {key: value for key, value in raw.items() if value is not None or key in kept}

    def __contains__(self, key: str) -> bool:
        return key in self.raw

    def at(self, key: str) -> Place:
        return self.place.at(f"{self.place.key}.{key}" if self.place.key else key)

    def single(self, key: str) -> Any:
        """What stands in ``[key]``, which is one table and no array of them; an empty table if it is not there."""
        raw = self.raw.get(key, {})
        if isinstance(raw, list):
            place = Place(self.place.file, f"[{key}]")
            raise SpecError("expected one table", place, hint=f"write [{key}] with one bracket")
        return raw

    def required(self, key: str) -> Any:
        if key not in self.raw:
            raise SpecError(f'the key "{key}" is missing', self.place, hint="it is required here")
        return self.raw[key]

    def text(self, key: str, default: str = "") -> str:
        value = self.raw.get(key, default)
        if not isinstance(value, str):
            raise wrong_kind("a string", value, self.at(key))
        return value

    def required_text(self, key: str) -> str:
        self.required(key)
        return self.text(key)

    def texts(self, key: str) -> tuple[str, ...]:
        """A string, or an array of them."""
        value = self.raw.get(key, [])
        if isinstance(value, str):
            return (value,)
        if isinstance(value, list) and all(isinstance(item, str) for item in value):
            return tuple(value)
        raise wrong_kind("a string or an array of strings", value, self.at(key))

    def names(self, key: str, legal: Iterable[str], what: str) -> tuple[str, ...]:
        """A non-empty array of different words out of the legal ones."""
        words = list(legal)
        value = self.required(key)
        if isinstance(value, str):
            value = [value]
        if not isinstance(value, list) or not value:
            raise wrong_kind(f"an array of names ({what})", value, self.at(key))
        for word in value:
            if word not in words:
                raise unknown(what, word, words, self.at(key))
        if len(set(value)) < len(value):
            raise SpecError(f"{show(value)} repeats a name", self.at(key))
        return tuple(value)

    def flag(self, key: str) -> bool:
        value = self.raw.get(key, False)
        if not isinstance(value, bool):
            raise wrong_kind("true or false", value, self.at(key))
        return value

    def size(self, key: str, default: int | None = None) -> int | None:
        """A whole number that is not negative."""
        if key not in self.raw:
            return default
        value = self.raw[key]
        if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value < 10**9:
            raise wrong_kind("a whole number from 0", value, self.at(key))
        return value

    def word(self, key: str, legal: Iterable[str], default: str) -> str:
        words = list(legal)
        value = self.raw.get(key, default)
        if value != default and value not in words:
            raise unknown(f"value for {key}", value, words, self.at(key))
        return str(value)

    def tolerance(self, key: str) -> Fraction:
        """A number from 0, written as a string (a TOML number is read as written, too)."""
        if key not in self.raw:
            return Fraction(0)
        value = self.raw[key]
        number = decimal_from_text(value) if isinstance(value, str) else exact(value)
        if number is None or isinstance(number, float) or number < 0:
            raise wrong_kind('a number from 0 as a string, like "0.000001"', value, self.at(key))
        return Fraction(number)

    def expression(self, key: str) -> Expression:
        return expression(self.required(key), self.at(key))

    def optional_expression(self, key: str) -> Expression | None:
        return self.expression(key) if key in self.raw else None


class Head(TypedDict):
    """What every clause may carry."""

    id: str
    text: str
    source: tuple[str, ...]


def expression(text: Any, place: Place) -> Expression:
    """An expression as TOML holds it: a string; a bare number or truth value is read as its text."""
    if isinstance(text, bool):
        text = str(text)
    elif isinstance(text, int):
        text = show(text)
    if not isinstance(text, str):
        raise wrong_kind("an expression, in quotes", text, place)
    if not text.strip():
        raise SpecError("the expression is empty", place)
    return parse_expression(text, place)


def named_entries(raw: Any, place: Place, value_key: str = "") -> Mapping[str, Any]:
    """A table of names; in JSON also an array of ``{name, ...}`` objects, since order counts.

    ``value_key``: the key that holds an entry's value in such an object; without one the rest of the object is it.
    """
    if isinstance(raw, dict):
        return raw
    if not isinstance(raw, list):
        raise wrong_kind("a table", raw, place)
    entries: dict[str, Any] = {}
    for number, item in enumerate(raw, start=1):
        at = place.at(f"{place.key} {number}".strip())
        if not isinstance(item, dict) or not isinstance(item.get("name"), str):
            raise wrong_kind("an object with a name", item, at)
        name = item["name"]
        if name in entries:
            raise SpecError(f'the name "{name[:60]}" stands twice', at)
        rest = {key: value for key, value in item.items() if key != "name"}
        if value_key:
            if list(rest) != [value_key]:
                wrong = next((key for key in rest if key != value_key), "")
                near = closest(wrong, [value_key])
                hint = f'did you mean "{near}"? ' if near else ""
                raise SpecError(
                    f'expected an object with "name" and "{value_key}"', at, hint=f"{hint}found {show(item)}"
                )
            rest = rest[value_key]
        entries[name] = rest
    return entries
