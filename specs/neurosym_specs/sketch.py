"""Sketches: programs that leave values open, ``hole("rate")``, each hole of a type.

A hole has its type from the spec's ``[[hole]]`` of that name, or where it stands, with the same words and keys:
``hole("rate", "decimal", ("0.00", "1.00"), places=2)``. A comparison is left open with its two sides, ``hole("late",
between=(days, 10))``: its type is that of texts, whose choices are comparisons.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from neurosym_specs._python_source import to_source
from neurosym_specs.types import Type

HOLE = "hole"
COMPARISONS = ("<", "<=", ">", ">=", "==", "!=")

_PLAIN = (ast.Name, ast.Constant, ast.Attribute, ast.Call, ast.Subscript)
"""Operands that need no parentheses."""


@dataclass(frozen=True, slots=True)
class Opening:
    """A call of ``hole`` at ``start`` to ``stop`` (in characters). ``sides``: of a comparison, where its two are."""

    name: str
    line: int
    start: int
    stop: int
    call: ast.Call = field(compare=False)
    sides: tuple[tuple[int, int, bool], ...] = ()


@dataclass(frozen=True, slots=True)
class Sketch:
    """A program with holes. ``holes`` are their types by name, in the order in which they come."""

    name: str
    text: str
    openings: tuple[Opening, ...]
    holes: Mapping[str, Type]

    def filled(self, values: Mapping[str, Any]) -> str:
        """The program with values, as spec values, in place of all holes."""
        return filled(self.text, self.openings, {name: self.source(name, value) for name, value in values.items()})

    def source(self, name: str, value: Any) -> str:
        """What stands in the program for a value of a hole."""
        return str(value) if self.compares(name) else to_source(self.holes[name], value)

    def compares(self, name: str) -> bool:
        """Whether the hole is a comparison's."""
        return any(each.sides for each in self.openings if each.name == name)


def openings_in(text: str, tree: ast.Module) -> tuple[Opening, ...]:
    """The calls of ``hole`` with a name written out, in the order of the text; an outer one before those inside."""
    places = _Places(text)
    found = []
    for node in ast.walk(tree):
        match node:
            case ast.Call(func=ast.Name(id="hole"), args=[ast.Constant(value=str() as name), *_]):
                between = next((word.value for word in node.keywords if word.arg == "between"), None)
                sides: tuple[tuple[int, int, bool], ...] = ()
                if isinstance(between, ast.Tuple) and len(between.elts) == 2:
                    sides = tuple((*places.span(each), isinstance(each, _PLAIN)) for each in between.elts)
                found.append(Opening(name, node.lineno, *places.span(node), node, sides))
    return tuple(sorted(found, key=lambda each: (each.start, -each.stop)))


def outermost(openings: Sequence[Opening]) -> Iterator[Opening]:
    """Those that stand in no other one."""
    end = -1
    for each in openings:
        if each.start >= end:
            end = each.stop
            yield each


def replacement(text: str, openings: Sequence[Opening], values: Mapping[str, str], of: Opening) -> str:
    """What an opening becomes with the Python of some values; as it is, where its hole has none."""
    value = values.get(of.name)
    inside = [each for each in openings if of.start < each.start and each.stop <= of.stop]
    if value is None:
        return text[of.start : of.stop]
    if not of.sides:
        return f"({value})" if value.startswith("-") else value
    sides = []
    for start, stop, plain in of.sides:
        within = [each for each in inside if start <= each.start and each.stop <= stop]
        side = _between(text, start, stop, within, values)
        sides.append(side if plain else f"({side})")
    return f"({sides[0]} {value} {sides[1]})"


def filled(text: str, openings: Sequence[Opening], values: Mapping[str, str]) -> str:
    """The text with the Python of values in place of their holes."""
    return _between(text, 0, len(text), openings, values)


def _between(text: str, start: int, stop: int, openings: Sequence[Opening], values: Mapping[str, str]) -> str:
    parts, at = [], start
    for each in outermost(openings):
        parts += [text[at : each.start], replacement(text, openings, values, each)]
        at = each.stop
    return "".join((*parts, text[at:stop]))


class _Places:
    """From Python's lines and bytes to places in the text."""

    def __init__(self, text: str) -> None:
        self._lines = re.findall(r"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+\Z", text)
        self._starts = [0]
        for line in self._lines:
            self._starts.append(self._starts[-1] + len(line))

    def span(self, node: ast.expr) -> tuple[int, int]:
        assert node.end_lineno is not None
        assert node.end_col_offset is not None
        return self._place(node.lineno, node.col_offset), self._place(node.end_lineno, node.end_col_offset)

    def _place(self, line: int, byte: int) -> int:
        before = self._lines[line - 1].encode()[:byte] if line <= len(self._lines) else b""
        return self._starts[line - 1] + len(before.decode())
