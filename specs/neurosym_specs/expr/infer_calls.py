"""What the functions and methods of the language give, by the shapes of what they are given."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import TypeAlias

from neurosym_specs.errors import SpecError
from neurosym_specs.expr import shapes
from neurosym_specs.expr.language import DICT_METHODS
from neurosym_specs.expr.shapes import BOOLEAN, DAY, NUMBER, TEXT, UNKNOWN, WHOLE, Shape

Fault: TypeAlias = Callable[..., SpecError]
Of: TypeAlias = Callable[[Fault, ast.Call, list[Shape], dict[str, Shape]], Shape]
OfMethod: TypeAlias = Callable[[Fault, ast.Call, Shape, list[Shape]], Shape]


def _needs(fault: Fault, node: ast.Call, at: int, shape: Shape, *kinds: type) -> None:
    """Refuse an argument that surely is of another kind."""
    if not isinstance(shapes.surely(shape), (shapes.Unknown, *kinds)):
        assert isinstance(node.func, ast.Name)
        wanted = " or ".join(_KINDS[kind] for kind in kinds)
        where = node.args[at] if at < len(node.args) else node
        hint = "write days(b - a)" if isinstance(shapes.surely(shape), shapes.Span) else ""
        raise fault(where, f"`{node.func.id}` needs {wanted} here, not {shapes.kind(shape)}", hint)


_KINDS: dict[type, str] = {
    shapes.Number: "a number",
    shapes.Boolean: "a boolean",
    shapes.Text: "a text",
    shapes.Day: "a date",
    shapes.Span: "the difference of two dates",
}


def _function(result: Shape, *kinds: tuple[type, ...]) -> Of:
    """A function with fixed kinds of arguments (the last of them for all further ones) and one kind of result."""

    def given(fault: Fault, node: ast.Call, arguments: list[Shape], keywords: dict[str, Shape]) -> Shape:
        for at, argument in enumerate(arguments):
            _needs(fault, node, at, argument, *kinds[min(at, len(kinds) - 1)])
        return result

    return given


_NUM = (shapes.Number, shapes.Boolean)
_TEXT = (shapes.Text,)


def _same(fault: Fault, node: ast.Call, arguments: list[Shape], keywords: dict[str, Shape]) -> Shape:
    """abs, clamp: a number like the arguments."""
    for at, argument in enumerate(arguments):
        if not (isinstance(node.func, ast.Name) and node.func.id == "clamp"):
            _needs(fault, node, at, argument, *_NUM)
    return shapes.join_all(arguments)


def _round(fault: Fault, node: ast.Call, arguments: list[Shape], keywords: dict[str, Shape]) -> Shape:
    for at, argument in enumerate(arguments):
        _needs(fault, node, at, argument, *_NUM)
    places = node.args[1] if len(node.args) == 3 else None
    zero = isinstance(places, ast.Constant) and places.value == 0
    return WHOLE if places is None or zero or arguments[0] == WHOLE else NUMBER


def _items(fault: Fault, node: ast.Call, at: int, shape: Shape) -> Shape:
    item = shapes.item_of(shape)
    if item is None:
        assert isinstance(node.func, ast.Name)
        where = node.args[at]
        raise fault(where, f"`{node.func.id}` needs a list, a set, a dict or a text, not {shapes.kind(shape)}")
    return item


def _least(fault: Fault, node: ast.Call, arguments: list[Shape], keywords: dict[str, Shape]) -> Shape:
    if len(arguments) == 1:
        arguments = [_items(fault, node, 0, arguments[0])]
    joined = shapes.join_all(arguments)
    if "default" in keywords:
        return shapes.join(joined, keywords["default"])
    return joined


def _sum(fault: Fault, node: ast.Call, arguments: list[Shape], keywords: dict[str, Shape]) -> Shape:
    item = _items(fault, node, 0, arguments[0])
    start = keywords.get("start", arguments[1] if len(arguments) == 2 else WHOLE)
    if not isinstance(shapes.surely(start), shapes.Number):
        return UNKNOWN
    if not isinstance(shapes.surely(item), shapes.Unknown | shapes.Number | shapes.Boolean):
        hint = "join texts with ''.join(xs)" if isinstance(shapes.surely(item), shapes.Text) else ""
        raise fault(node.args[0], f"`sum` adds numbers, not {shapes.kind(item)}", hint)
    return WHOLE if shapes.surely(item) in (WHOLE, BOOLEAN) and start == WHOLE else NUMBER


def _len(fault: Fault, node: ast.Call, arguments: list[Shape], keywords: dict[str, Shape]) -> Shape:
    _items(fault, node, 0, arguments[0])
    return WHOLE


def _listed(fault: Fault, node: ast.Call, arguments: list[Shape], keywords: dict[str, Shape]) -> Shape:
    return shapes.ListShape(_items(fault, node, 0, arguments[0]))


def _sorted(fault: Fault, node: ast.Call, arguments: list[Shape], keywords: dict[str, Shape]) -> Shape:
    item = _items(fault, node, 0, arguments[0])
    keyed = any(keyword.arg == "key" for keyword in node.keywords)
    if not keyed and isinstance(item, shapes.RecordShape | shapes.DictShape | shapes.TableShape):
        raise fault(node, f"{shapes.kind(item)} has no order", "sort by a key: sorted(xs, key=f) with a defined f")
    return shapes.ListShape(item)


def _enumerate(fault: Fault, node: ast.Call, arguments: list[Shape], keywords: dict[str, Shape]) -> Shape:
    return shapes.ListShape(shapes.TupleShape((WHOLE, _items(fault, node, 0, arguments[0]))))


def _zip(fault: Fault, node: ast.Call, arguments: list[Shape], keywords: dict[str, Shape]) -> Shape:
    items = tuple(_items(fault, node, at, argument) for at, argument in enumerate(arguments))
    return shapes.ListShape(shapes.TupleShape(items))


def _same_items(fault: Fault, node: ast.Call, arguments: list[Shape], keywords: dict[str, Shape]) -> Shape:
    for at, argument in enumerate(arguments):
        _items(fault, node, at, argument)
    return BOOLEAN


def _unchecked(result: Shape) -> Of:
    return lambda fault, node, arguments, keywords: result


FUNCTION_SHAPES: dict[str, Of] = {
    "round": _round,
    "round_to": _function(NUMBER, _NUM),
    "floor": _function(WHOLE, _NUM),
    "ceil": _function(WHOLE, _NUM),
    "trunc": _function(WHOLE, _NUM),
    "sign": _function(WHOLE, _NUM),
    "abs": _same,
    "clamp": _same,
    "min": _least,
    "max": _least,
    "sum": _sum,
    "len": _len,
    "sorted": _sorted,
    "reversed": _listed,
    "range": _function(shapes.ListShape(WHOLE), _NUM),
    "enumerate": _enumerate,
    "zip": _zip,
    "gcd": _unchecked(WHOLE),
    "places": _function(WHOLE, _NUM),
    "approx": _unchecked(BOOLEAN),
    "is_nan": _function(BOOLEAN, _NUM),
    "is_finite": _function(BOOLEAN, _NUM),
    "sqrt": _function(NUMBER, _NUM),
    "exp": _function(NUMBER, _NUM),
    "log": _function(NUMBER, _NUM),
    "same_items": _same_items,
    "date": _function(DAY, _NUM),
    "days": _function(WHOLE, (shapes.Span,)),
    "add_months": _function(DAY, (shapes.Day,), _NUM),
    "month_end": _function(DAY, (shapes.Day,)),
    "leap": _function(BOOLEAN, _NUM),
    "matches": _function(BOOLEAN, _TEXT),
    "int": _function(WHOLE, (shapes.Text, shapes.Number, shapes.Boolean)),
    "str": _function(TEXT, (shapes.Text, shapes.Number, shapes.Boolean)),
    "ord": _function(WHOLE, _TEXT),
    "chr": _function(TEXT, _NUM),
}


def _method(name: str, result: Shape) -> OfMethod:
    """A method whose value surely is a text (a dict for those of dicts)."""

    def given(fault: Fault, node: ast.Call, value: Shape, arguments: list[Shape]) -> Shape:
        of_dict = name in DICT_METHODS
        kinds: tuple[type, ...] = (shapes.DictShape, shapes.TableShape) if of_dict else (shapes.Text,)
        if name == "count":
            kinds = (*kinds, shapes.ListShape, shapes.TupleShape)
        if not isinstance(value, (shapes.Unknown, *kinds)):
            wanted = "a dict" if of_dict else "a text"
            raise fault(node, f".{name}() is a method of {wanted}, not of {shapes.kind(value)}")
        if of_dict:
            return _of_dict(name, value, arguments)
        return result

    return given


def _of_dict(name: str, value: Shape, arguments: list[Shape]) -> Shape:
    match value:
        case shapes.DictShape(key=key, value=item):
            pass
        case shapes.TableShape(fields=fields):
            key, item = TEXT, shapes.join_all(list(fields.values()))
        case _:
            key, item = UNKNOWN, UNKNOWN
    match name:
        case "keys":
            return shapes.ListShape(key)
        case "values":
            return shapes.ListShape(item)
        case "items":
            return shapes.ListShape(shapes.TupleShape((key, item)))
        case _:
            return shapes.join(item, arguments[1] if len(arguments) == 2 else shapes.NOTHING)


_METHOD_RESULTS: dict[str, Shape] = {
    "upper": TEXT,
    "lower": TEXT,
    "strip": TEXT,
    "split": shapes.ListShape(TEXT),
    "join": TEXT,
    "count": WHOLE,
    "find": WHOLE,
    "isdigit": BOOLEAN,
    "startswith": BOOLEAN,
    "endswith": BOOLEAN,
    "replace": TEXT,
    "items": UNKNOWN,
    "keys": UNKNOWN,
    "values": UNKNOWN,
    "get": UNKNOWN,
}

METHOD_SHAPES: dict[str, OfMethod] = {name: _method(name, result) for name, result in _METHOD_RESULTS.items()}
