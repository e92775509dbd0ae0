"""Reads a sketch against a spec: which holes there are, of which types, and what is wrong with one, with its line."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from typing import Any

from neurosym_specs._faults import closest
from neurosym_specs._type_tables import TypeReader
from neurosym_specs._words import check_identifier
from neurosym_specs.errors import Place, SpecError
from neurosym_specs.model import Spec
from neurosym_specs.signature import declarations
from neurosym_specs.sketch import COMPARISONS, HOLE, Opening, Sketch, openings_in
from neurosym_specs.types import BoolType, DateType, DecimalType, EnumType, IntType, StrType, Type

_WORDS = {"int": "int", "bool": "bool", "str": "str", "Decimal": "decimal", "date": "date"}
"""Python's names of types, which may stand for the format's words."""

_NEEDS = {DecimalType: "Decimal", DateType: "date"}


class SketchError(SpecError):
    """A sketch that cannot be filled, whatever the spec says. ``str`` names its file and line."""

    code = "NS705"


def read_sketch(text: str, spec: Spec, name: str) -> Sketch:
    """The sketch in a program's text; ``name`` is for messages. Raises ``SketchError``."""
    return _Reader(text, spec, name).read()


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
                case (
                    ast.FunctionDef(name="hole")
                    | ast.ClassDef(name="hole")
                    | ast.arg(arg="hole")
                    | ast.alias(name="hole", asname=None)
                    | ast.alias(asname="hole")
                ):
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
        elif (given := declared or known) is not None:
            type_ = given
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
