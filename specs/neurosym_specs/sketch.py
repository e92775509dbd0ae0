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

from neurosym_specs._faults import closest
from neurosym_specs._python_source import to_source
from neurosym_specs._type_tables import TypeReader
from neurosym_specs._words import check_identifier
from neurosym_specs.errors import Place, SpecError
from neurosym_specs.model import Spec
from neurosym_specs.signature import declarations
from neurosym_specs.types import BoolType, DateType, DecimalType, EnumType, IntType, StrType, Type

HOLE = "hole"
COMPARISONS = ("<", "<=", ">", ">=", "==", "!=")

_WORDS = {"int": "int", "bool": "bool", "str": "str", "Decimal": "decimal", "date": "date"}
"""Python's names of types, which may stand for the format's words."""

_NEEDS = {DecimalType: "Decimal", DateType: "date"}
_PLAIN = (ast.Name, ast.Constant, ast.Attribute, ast.Call, ast.Subscript)
"""Operands that need no parentheses."""


class SketchError(SpecError):
    """A sketch that cannot be filled, whatever the spec says. ``str`` names its file and line."""

    code = "NS705"


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


def read_sketch(text: str, spec: Spec, name: str) -> Sketch:
    """The sketch in a program's text; ``name`` is for messages. Raises ``SketchError``."""
    return _Reader(text, spec, name).read()


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


class _Reader:
    def __init__(self, text: str, spec: Spec, name: str) -> None:
        self._text, self._spec, self._name = text, spec, name
        self._declared = {hole.name: hole.type for hole in spec.holes}

    def read(self) -> Sketch:
        try:
            tree = ast.parse(self._text)
        except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
            raise self._wrong(f"no Python: {error}", getattr(error, "lineno", None)) from None
        self._check_uses(tree)
        openings = openings_in(self._text, tree)
        if not openings:
            raise self._wrong("it leaves nothing open", hint='write hole("name") in place of a value')
        holes: dict[str, Type] = {}
        first: dict[str, Opening] = {}
        for each in openings:
            try:
                check_identifier(each.name, "a hole", self._at(each.line))
            except SpecError as error:
                raise self._wrong(error.message, each.line, error.hint) from None
            type_ = self._type(each, holes.get(each.name))
            if each.name in holes and (holes[each.name] != type_ or bool(each.sides) != bool(first[each.name].sides)):
                other = first[each.name].line
                raise self._wrong(f'the hole "{each.name}" is of another type than at line {other}', each.line)
            holes.setdefault(each.name, type_)
            first.setdefault(each.name, each)
        self._check_imports(tree, holes, first)
        return Sketch(self._name, self._text, openings, holes)

    def _check_uses(self, tree: ast.Module) -> None:
        """Holes stand where a value is computed each time, and nothing else is called so."""
        for node in ast.walk(tree):
            match node:
                case ast.FunctionDef(name="hole") | ast.ClassDef(name="hole") | ast.arg(arg="hole"):
                    raise self._wrong(f"{HOLE} has another meaning here; call it otherwise", node.lineno)
                case ast.Name(id="hole", ctx=ast.Store()):
                    raise self._wrong(f"{HOLE} has another meaning here; call it otherwise", node.lineno)
                case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.Lambda():
                    for default in (*node.args.defaults, *node.args.kw_defaults):
                        self._no_hole(default, "in a default argument", "leave it open in the function's body")
                    for each in getattr(node, "decorator_list", ()):
                        self._no_hole(each, "in a decorator", "leave it open in the function's body")
                case ast.JoinedStr():
                    self._no_hole(node, "in an f-string", "give it a name first")
                case ast.AnnAssign(annotation=annotation) | ast.arg(annotation=annotation):
                    self._no_hole(annotation, "in an annotation", "it stands in place of a value")
        called = {id(node.func) for node in ast.walk(tree) if isinstance(node, ast.Call)}
        for node in ast.walk(tree):
            if isinstance(node, ast.Name) and node.id == HOLE and id(node) not in called:
                raise self._wrong(f"{HOLE} is called where it stands", node.lineno, 'write hole("name")')
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == HOLE:
                if not (node.args and isinstance(node.args[0], ast.Constant) and isinstance(node.args[0].value, str)):
                    raise self._wrong("a hole without a name", node.lineno, 'write hole("name")')

    def _no_hole(self, node: ast.AST | None, where: str, hint: str) -> None:
        for part in ast.walk(node) if node is not None else ():
            if isinstance(part, ast.Name) and part.id == HOLE:
                raise self._wrong(f"a hole {where}", part.lineno, hint)

    def _type(self, opening: Opening, known: Type | None) -> Type:
        written = self._written(opening)
        declared = self._declared.get(opening.name)
        if written:
            type_ = self._read(written, opening)
            if declared is not None and declared != type_:
                raise self._wrong(f'the hole "{opening.name}" is of another type than in the spec', opening.line)
        elif opening.sides:
            type_ = declared or known or StrType(choices=COMPARISONS)
        elif declared is not None or known is not None:
            type_ = declared or known  # type: ignore[assignment]  # one of them is there
        else:
            near = closest(opening.name, [*self._declared])
            meant = f'did you mean "{near}"? else ' if near else ""
            hint = f'{meant}declare it in the spec ([[hole]]), or here: hole("{opening.name}", "int", (0, 100))'
            raise self._wrong(f'the hole "{opening.name}" has no type', opening.line, hint)
        self._check(type_, opening)
        return type_

    def _written(self, opening: Opening) -> dict[str, Any]:
        """The type with its keys as they stand in the call; empty where there is none."""
        call, raw = opening.call, {}
        if len(call.args) > 3:
            raise self._wrong("a hole takes a name, a type and a range", opening.line)
        if len(call.args) > 1:
            given = call.args[1]
            raw["type"] = _WORDS.get(given.id, given.id) if isinstance(given, ast.Name) else self._literal(given)
        if len(call.args) > 2:
            ends = self._literal(call.args[2])
            if not isinstance(ends, tuple | list) or len(ends) != 2:
                raise self._wrong("a range has two ends", opening.line, 'as in hole("n", "int", (0, 100))')
            raw["min"], raw["max"] = ends
        for word in call.keywords:
            if word.arg is None:
                raise self._wrong("a hole takes no ** of keys", opening.line)
            if word.arg != "between":
                raw[word.arg] = self._literal(word.value)
            elif not opening.sides:
                raise self._wrong("between takes the two sides of a comparison", opening.line, "between=(days, 10)")
        return raw

    def _literal(self, node: ast.expr) -> Any:
        try:
            found = ast.literal_eval(node)
        except (ValueError, TypeError, SyntaxError, MemoryError, RecursionError):
            raise self._wrong("the type of a hole is written out", node.lineno, "numbers, texts, lists") from None
        return list(found) if isinstance(found, tuple) else found

    def _read(self, raw: dict[str, Any], opening: Opening) -> Type:
        if (own := self._spec.types.get(str(raw.get("type")))) is not None and len(raw) == 1:
            return own
        place = self._at(opening.line)
        try:
            if opening.sides:
                raw.setdefault("type", "str")
                raw.setdefault("choices", list(COMPARISONS))
            return TypeReader({}, self._name).read(raw, place, opening.name)
        except SketchError:
            raise
        except SpecError as error:
            raise self._wrong(f'the hole "{opening.name}": {error.message}', opening.line, error.hint) from None

    def _check(self, type_: Type, opening: Opening) -> None:
        name = opening.name
        if opening.sides:
            if not isinstance(type_, StrType | EnumType) or not set(type_.choices or ("",)) <= {*COMPARISONS}:
                raise self._wrong(
                    f'the hole "{name}" compares two sides', opening.line, f"choices: {', '.join(COMPARISONS)}"
                )
            return
        match type_:
            case IntType() | BoolType() | EnumType() | DateType():
                pass
            case DecimalType(places=places, nan=False, infinity=False, negative_zero=False):
                if places is None:
                    raise self._wrong(f'the hole "{name}" is a decimal without places', opening.line, "places=2")
            case StrType(choices=choices) if choices is not None:
                pass
            case _:
                raise self._wrong(
                    f'the hole "{name}" is of a type that no hole has',
                    opening.line,
                    "int, decimal with places, bool, date, enum, str with choices",
                )
        if isinstance(type_, IntType | DecimalType | DateType):
            low, high = type_.min, type_.max
            if low is not None and high is not None and low > high and not type_.choices:  # type: ignore[operator]
                raise self._wrong(f'the range of the hole "{name}" is empty', opening.line)

    def _check_imports(self, tree: ast.Module, holes: Mapping[str, Type], first: Mapping[str, Opening]) -> None:
        """What the values are called must be known to the program."""
        bound = {alias.asname or alias.name for alias in _aliases(ast.parse(declarations(self._spec)))}
        bound |= {alias.asname or alias.name for alias in _aliases(tree)}
        for name, type_ in holes.items():
            needed = _NEEDS.get(type(type_), "")
            if needed and needed not in bound:
                module = {"Decimal": "decimal", "date": "datetime"}[needed]
                hint = f"from {module} import {needed}"
                raise self._wrong(f'the hole "{name}" is a {needed}, which is not imported', first[name].line, hint)

    def _wrong(self, message: str, line: int | None = None, hint: str = "") -> SketchError:
        return SketchError(message, self._at(line), hint=hint)

    def _at(self, line: int | None) -> Place:
        return Place(self._name, f"line {line}" if line else "")


def _aliases(tree: ast.Module) -> Iterator[ast.alias]:
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom):
            yield from node.names
