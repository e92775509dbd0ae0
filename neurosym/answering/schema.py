"""Structured answers: a JSON Schema as a type of a spec, and values of that type as a JSON document that is valid.

The part of JSON Schema (2020-12) that says which plain values there are is read, and any other keyword is refused by
its name: what cannot be promised to the program and checked exactly on its result is not taken silently. A number is an
exact decimal, in the program and in the document.
"""

from __future__ import annotations

import json
import keyword
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import date
from decimal import Decimal, InvalidOperation
from fractions import Fraction
from pathlib import Path
from typing import Any

from neurosym_specs.errors import NeurosymError
from neurosym_specs.values import Record, WrittenDecimal
from neurosym_verifiers.wording import say_number

_MOST_BYTES = 1_000_000
_DEEPEST = 40
_SAID_ONLY = frozenset({"$schema", "$id", "$comment", "$defs", "definitions", "title", "description", "default",
                        "examples", "deprecated", "readOnly", "writeOnly"})  # fmt: skip
_COMMON = frozenset({"type", "enum", "const", "anyOf", "oneOf", "$ref"})
_BY_TYPE: Mapping[str, frozenset[str]] = {
    "object": frozenset({"properties", "required", "additionalProperties"}),
    "array": frozenset({"items", "minItems", "maxItems", "uniqueItems"}),
    "integer": frozenset({"minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "x-unit"}),
    "number": frozenset({"minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf", "x-unit"}),
    "string": frozenset({"minLength", "maxLength", "pattern", "format"}),
    "boolean": frozenset(),
}

Node = Mapping[str, Any]


class SchemaFault(NeurosymError):
    """A JSON Schema that no type of a spec can be made of: where in it, and why."""

    exit_code = 2
    code = "NS707"


@dataclass(frozen=True, slots=True)
class Schema:
    """A schema as a type of a spec (``type``, plain, as a spec file writes it), and how its values are written."""

    path: str
    type: dict[str, Any]
    write: Callable[[Any], str]


def read_schema(path: str) -> Schema:
    """Reads a file with a JSON Schema. Raises ``SchemaFault``."""
    try:
        raw = Path(path).read_bytes()
    except OSError as error:
        raise SchemaFault(f"the schema {path} cannot be read: {error.strerror}") from error
    if len(raw) > _MOST_BYTES:
        raise SchemaFault(f"the schema {path} is larger than {_MOST_BYTES // 10**6} MB")
    try:
        root = json.loads(raw, parse_float=Decimal)
    except (ValueError, RecursionError) as error:
        raise SchemaFault(f"the schema {path} is no JSON: {error}") from error
    reader = _Reader(path, root)
    type_, write = reader.read(root, "#", 0)
    return Schema(path, type_, write)


@dataclass(frozen=True, slots=True)
class _Reader:
    path: str
    root: Any

    def read(self, node: Any, at: str, depth: int) -> tuple[dict[str, Any], Callable[[Any], str]]:
        """The type that a part of the schema says, and the function that writes a value of it."""
        if depth > _DEEPEST:
            raise self._fault(at, "it is nested too deep, or refers to itself")
        if not isinstance(node, dict):
            raise self._fault(at, "it is no object with a type")
        if "$ref" in node:
            return self.read(self._referred(node["$ref"], at), str(node["$ref"]), depth + 1)
        for word in ("anyOf", "oneOf"):
            if word in node:
                return self._either(node, word, at, depth)
        kind, is_optional = self._kind(node, at)
        unknown = sorted(set(node) - _SAID_ONLY - _COMMON - _BY_TYPE[kind])
        if unknown:
            raise self._fault(at, f"{unknown[0]} is not read for the type {kind}; leave it out, or say it another way")
        type_, write = getattr(self, f"_{kind}")(node, at, depth)
        if "enum" in node or "const" in node:
            type_ = self._choices(type_, node, kind, at)
        said = node.get("description") or node.get("title")
        if isinstance(said, str):
            type_["text"] = " ".join(said.split())[:300]
        return _optional(type_, write) if is_optional else (type_, write)

    def _kind(self, node: Node, at: str) -> tuple[str, bool]:
        said = node.get("type")
        kinds = [said] if isinstance(said, str) else said
        if kinds is None and ("enum" in node or "const" in node):
            kinds = [_kind_of(each) for each in node.get("enum", [node.get("const")])]
        if not isinstance(kinds, list) or not kinds:
            raise self._fault(at, "it has no type")
        others = sorted({str(each) for each in kinds} - {"null"})
        if len(others) != 1 or others[0] not in _BY_TYPE:
            legal = ", ".join(_BY_TYPE)
            raise self._fault(
                at, f"its type is {json.dumps(said)[:60]}; one of {legal} is read, also with null beside it"
            )
        return others[0], "null" in kinds

    def _either(self, node: Node, word: str, at: str, depth: int) -> tuple[dict[str, Any], Callable[[Any], str]]:
        parts = node[word] if isinstance(node[word], list) else []
        others = [part for part in parts if part != {"type": "null"}]
        beside = set(node) - _SAID_ONLY - {word}
        if len(others) != 1 or len(parts) != 2 or beside:
            raise self._fault(at, f"{word} is read for one type or null, and for nothing else")
        return _optional(*self.read(others[0], f"{at}/{word}", depth + 1))

    def _referred(self, reference: Any, at: str) -> Any:
        if not isinstance(reference, str) or not reference.startswith("#"):
            raise self._fault(at, f"$ref {json.dumps(reference)[:60]} leads out of the file")
        node = self.root
        for part in reference[1:].split("/")[1:]:
            name = part.replace("~1", "/").replace("~0", "~")
            node = node.get(name) if isinstance(node, dict) else None
        if node is None:
            raise self._fault(at, f"$ref {reference[:60]} leads nowhere")
        return node

    def _object(self, node: Node, at: str, depth: int) -> tuple[dict[str, Any], Callable[[Any], str]]:
        properties, required = node.get("properties"), node.get("required", [])
        if not isinstance(properties, dict) or not properties:
            raise self._fault(at, "an object needs properties: which ones the answer has cannot be left open")
        if node.get("additionalProperties", False) not in (True, False):
            raise self._fault(at, "additionalProperties is read as true or false")
        if missing := [each for each in required if each not in properties]:
            raise self._fault(at, f"{missing[0]} is required and has no entry in properties")
        fields: dict[str, Any] = {}
        writers: dict[str, tuple[Callable[[Any], str], bool]] = {}
        for name, part in properties.items():
            if not name.isidentifier() or keyword.iskeyword(name) or name.startswith("_"):
                raise self._fault(at, f"the property {json.dumps(name)[:60]} is no name that a Python class can have")
            type_, write = self.read(part, f"{at}/properties/{name}", depth + 1)
            may_be_null = str(type_["type"]).endswith("| none")
            leaves_out = name not in required and not may_be_null
            fields[name] = _optional(type_, write)[0] if leaves_out else type_
            writers[name] = (write, leaves_out)

        def written(value: Record) -> str:
            parts = [
                f"{json.dumps(name)}: {write(value.fields[name])}"
                for name, (write, leaves_out) in writers.items()
                if not (leaves_out and value.fields[name] is None)
            ]
            return "{" + ", ".join(parts) + "}"

        return {"type": "record", "fields": fields, "as": "dict"}, written

    def _array(self, node: Node, at: str, depth: int) -> tuple[dict[str, Any], Callable[[Any], str]]:
        if "items" not in node:
            raise self._fault(at, "an array needs items")
        of, write = self.read(node["items"], f"{at}/items", depth + 1)
        type_: dict[str, Any] = {"type": "list", "of": of}
        self._copy(node, type_, {"minItems": "min_len", "maxItems": "max_len", "uniqueItems": "unique"})
        type_.setdefault("max_len", 10_000)
        return type_, lambda value: "[" + ", ".join(map(write, value)) + "]"

    def _integer(self, node: Node, at: str, depth: int) -> tuple[dict[str, Any], Callable[[Any], str]]:
        type_: dict[str, Any] = {"type": "int"}
        self._range(node, type_, Fraction(1), at)
        return type_, str

    def _number(self, node: Node, at: str, depth: int) -> tuple[dict[str, Any], Callable[[Any], str]]:
        type_: dict[str, Any] = {"type": "decimal"}
        step: Fraction | None = None
        if "multipleOf" in node:
            step = self._exact(node["multipleOf"], "multipleOf", at)
            places = next((each for each in range(20) if step == Fraction(1, 10**each)), None)
            if places is None:
                raise self._fault(at, "multipleOf of a number is read as 1, 0.1, 0.01 and so on")
            type_["places"] = places
        self._range(node, type_, step, at)
        return type_, _decimal

    def _string(self, node: Node, at: str, depth: int) -> tuple[dict[str, Any], Callable[[Any], str]]:
        if "format" in node:
            if node["format"] != "date" or {"minLength", "maxLength", "pattern"} & set(node):
                raise self._fault(at, 'of the formats "date" is read, with nothing beside it')
            return {"type": "date"}, _date
        type_: dict[str, Any] = {"type": "str"}
        if "pattern" in node:
            pattern = node["pattern"]
            if not isinstance(pattern, str) or not _is_whole(pattern):
                raise self._fault(at, "a pattern is read if it is ^...$ for the whole text, with | in parentheses only")
            type_["pattern"] = pattern[1:-1]
        self._copy(node, type_, {"minLength": "min_len", "maxLength": "max_len"})
        type_.setdefault("max_len", 10_000)
        return type_, json.dumps

    def _boolean(self, node: Node, at: str, depth: int) -> tuple[dict[str, Any], Callable[[Any], str]]:
        return {"type": "bool"}, lambda value: "true" if value else "false"

    def _choices(self, type_: dict[str, Any], node: Node, kind: str, at: str) -> dict[str, Any]:
        choices = [each for each in node.get("enum", [node.get("const")]) if each is not None]
        if kind not in ("string", "integer", "number") or any(_kind_of(each) != kind for each in choices):
            if kind != "number" or any(_kind_of(each) not in ("number", "integer") for each in choices):
                raise self._fault(at, "enum and const are read for texts and numbers of one type")
        if kind == "string":
            return {"type": "enum", "choices": choices}
        return {**type_, "choices": [str(each) if kind == "number" else each for each in choices]}

    def _range(self, node: Node, type_: dict[str, Any], step: Fraction | None, at: str) -> None:
        for word, key, sign in (("minimum", "min", 0), ("maximum", "max", 0), ("exclusiveMinimum", "min", 1),
                                ("exclusiveMaximum", "max", -1)):  # fmt: skip
            if word not in node:
                continue
            bound = self._exact(node[word], word, at)
            if sign and step is None:
                raise self._fault(at, f"{word} of a number is read with a multipleOf beside it")
            if sign == 1 and step is not None:
                bound = (bound // step) * step + step
            elif sign == -1 and step is not None:
                bound = -((-bound) // step) * step - step
            tighter = max if key == "min" else min
            if key in type_:
                bound = tighter(bound, Fraction(type_[key]))
            type_[key] = int(bound) if type_["type"] == "int" and bound.denominator == 1 else _text(bound)
        if isinstance(node.get("x-unit"), str):
            type_["unit"] = node["x-unit"][:40]

    def _exact(self, value: Any, word: str, at: str) -> Fraction:
        if isinstance(value, bool) or not isinstance(value, int | Decimal):
            raise self._fault(at, f"{word} is no number")
        try:
            if abs(Decimal(value).adjusted()) < 400:
                return Fraction(value)
        except (InvalidOperation, ValueError, OverflowError):
            pass
        raise self._fault(at, f"{word} is too large")

    def _copy(self, node: Node, type_: dict[str, Any], words: Mapping[str, str]) -> None:
        for word, key in words.items():
            if word in node:
                type_[key] = node[word]

    def _fault(self, at: str, why: str) -> SchemaFault:
        return SchemaFault(f"the schema {self.path}, {at}: {why}")


def _optional(type_: dict[str, Any], write: Callable[[Any], str]) -> tuple[dict[str, Any], Callable[[Any], str]]:
    """The same or none, which is written as null."""
    name = str(type_["type"])
    named = name if name.endswith("| none") else f"{name} | none"
    return {**type_, "type": named}, lambda value: "null" if value is None else write(value)


def _decimal(value: Any) -> str:
    """A decimal as a number of JSON, with all its digits."""
    places = value.places if isinstance(value, WrittenDecimal) else 0
    return say_number(value, places).replace(",", "")


def _date(value: date) -> str:
    return json.dumps(value.isoformat())


def _text(number: Fraction) -> str:
    return say_number(number).replace(",", "")


def _is_whole(pattern: str) -> bool:
    """Whether a pattern says of the whole text what it says: ``^a|b$`` does not."""
    if len(pattern) < 2 or pattern[0] != "^" or pattern[-1] != "$" or pattern[-2] == "\\":
        return False
    depth, at = 0, 0
    while at < len(pattern):
        match pattern[at]:
            case "\\":
                at += 1
            case "(" | "[":
                depth += 1
            case ")" | "]":
                depth -= 1
            case "|" if depth <= 0:
                return False
            case _:
                pass
        at += 1
    return True


def _kind_of(value: Any) -> str:
    match value:
        case None:
            return "null"
        case bool():
            return "boolean"
        case int():
            return "integer"
        case Decimal():
            return "number"
        case str():
            return "string"
        case _:
            return "object"
