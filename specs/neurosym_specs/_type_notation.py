"""The notation of types: ``list[line]``, ``dict[Name, decimal | none]``, as a tree of names."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TypeAlias

from neurosym_specs._faults import show
from neurosym_specs.errors import Place, SpecError

MAX_DEPTH = 30


@dataclass(frozen=True, slots=True)
class Named:
    """A built-in type or one of the spec's own, without arguments."""

    name: str


@dataclass(frozen=True, slots=True)
class Applied:
    """``list[T]`` and the like; ``any_length``: ``tuple[T, ...]``."""

    name: str
    arguments: tuple[Notation, ...]
    any_length: bool = False


@dataclass(frozen=True, slots=True)
class Optional:
    """``T | none``."""

    of: Notation


Notation: TypeAlias = Named | Applied | Optional

_TOKEN = re.compile(r"\s*(?:([A-Za-z_][A-Za-z0-9_]*)|(\.\.\.|…|[\[\],|]))")


def parse_type(text: str, place: Place) -> Notation:
    """The tree of a type's notation, or the fault in it."""
    tokens: list[str] = []
    at = 0
    stripped = text.rstrip()
    while at < len(stripped):
        token = _TOKEN.match(stripped, at)
        if token is None or len(tokens) > 200:
            raise _no_type(text, place)
        tokens.append(token[1] or token[2])
        at = token.end()
    parser = _Parser(tokens, text, place)
    tree = parser.union(0)
    if parser.tokens:
        raise _no_type(text, place)
    return tree


def _no_type(text: str, place: Place) -> SpecError:
    return SpecError(
        f"{show(text)} is no type",
        place,
        hint='a type is written like "decimal", "list[line]", "dict[str, int]", "date | none"',
    )


class _Parser:
    def __init__(self, tokens: list[str], text: str, place: Place) -> None:
        self.tokens = tokens[::-1]
        self.text = text
        self.place = place

    def next(self) -> str:
        if not self.tokens:
            raise _no_type(self.text, self.place)
        return self.tokens.pop()

    def peek(self) -> str:
        return self.tokens[-1] if self.tokens else ""

    def union(self, depth: int) -> Notation:
        if depth > MAX_DEPTH:
            raise _no_type(self.text, self.place)
        parts = [self.atom(depth)]
        while self.peek() == "|":
            self.next()
            parts.append(self.atom(depth))
        proper = [part for part in parts if part not in (Named("none"), Named("None"))]
        if len(proper) != 1 or len(parts) > 2:
            raise SpecError(f"{show(self.text)} is no type", self.place, hint='the only union is "T | none"')
        return proper[0] if len(parts) == 1 else Optional(proper[0])

    def atom(self, depth: int) -> Notation:
        name = self.next()
        if not name.isidentifier():
            raise _no_type(self.text, self.place)
        if self.peek() != "[":
            return Named(name)
        self.next()
        arguments = [self.union(depth + 1)]
        while self.peek() == ",":
            self.next()
            if self.peek() in ("...", "…"):
                self.next()
                if self.next() != "]" or len(arguments) != 1 or name != "tuple":
                    raise _no_type(self.text, self.place)
                return Applied(name, tuple(arguments), any_length=True)
            arguments.append(self.union(depth + 1))
        if self.next() != "]":
            raise _no_type(self.text, self.place)
        return Applied(name, tuple(arguments))
