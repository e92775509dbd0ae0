"""What kind of value each part of an expression surely has; refuses what surely fits nothing.

Definitions are inferred anew for each combination of argument shapes, so that one may serve numbers here and dates
there. Where anything is unsure the shape is ``Unknown`` and nothing is said.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping
from types import MappingProxyType

from neurosym_specs.errors import SpecError
from neurosym_specs.expr import shapes, signatures
from neurosym_specs.expr.comparable import comparable, equality_hint
from neurosym_specs.expr.infer_calls import FUNCTION_SHAPES, METHOD_SHAPES
from neurosym_specs.expr.language import DATE_ATTRIBUTES, FUNCTIONS_WITH_KEY, RAISED, RESULT
from neurosym_specs.expr.names import Reach
from neurosym_specs.expr.operators import SYMBOLS
from neurosym_specs.expr.shapes import BOOLEAN, DAY, NOTHING, NUMBER, SPAN, TEXT, UNKNOWN, WHOLE, Shape
from neurosym_specs.expr.syntax import Expression, fault
from neurosym_specs.expr.walk import record_types
from neurosym_specs.model import Spec

Names = Mapping[str, Shape]

_MAX_CALLS = 2_000
"""Inferences of definitions after which the rest of a spec is taken as unknown."""


class Inference:
    """Shapes for the expressions of one spec."""

    def __init__(self, spec: Spec) -> None:
        self.spec = spec
        self.records = record_types(spec)
        self.result = shapes.shape_of_type(spec.output)
        self.inputs: Names = {name: shapes.shape_of_type(type_) for name, type_ in spec.inputs.items()}
        self.data: Names = {name: shapes.shape_of_data(value) for name, value in spec.data.items()}
        self._lets: dict[str, Shape] = {}
        self._calls: dict[tuple[str, tuple[Shape, ...]], Shape] = {}

    def check(self, expression: Expression, reach: Reach, must_be_boolean: bool) -> Shape:
        """The shape of an expression; a ``SpecError`` where a part surely cannot work, or it is surely no condition."""
        names: dict[str, Shape] = dict.fromkeys(reach.parameters, UNKNOWN)
        if reach.result:
            names |= {RESULT: self.result, RAISED: shapes.Maybe(TEXT)}
        view = _View(self, expression, reach.runs, reach.in_definition)
        shape = view.infer(expression.tree, names)
        if must_be_boolean:
            view.condition(expression.tree, shape)
        return shape

    def let(self, name: str) -> Shape:
        if name not in self._lets:
            self._lets[name] = UNKNOWN  # while it is under way; there are no cycles
            expression = self.spec.lets[name]
            self._lets[name] = shapes.bounded(_View(self, expression, ()).infer(expression.tree, {}))
        return self._lets[name]

    def call(self, name: str, arguments: tuple[Shape, ...]) -> Shape:
        """The shape of a definition's value for arguments of these shapes."""
        key = (name, arguments)
        if key not in self._calls:
            if len(self._calls) >= _MAX_CALLS:
                return UNKNOWN
            self._calls[key] = UNKNOWN
            definition = self.spec.definitions[name]
            if len(definition.parameters) != len(arguments):
                return UNKNOWN
            names = dict(zip(definition.parameters, arguments, strict=True))
            self._calls[key] = shapes.bounded(_View(self, definition.body, (), True).infer(definition.body.tree, names))
        return self._calls[key]

    def fold(self, name: str, item: Shape, start: Shape) -> Shape:
        """The shape of the states of a fold: from the start, until one more step adds nothing."""
        state = start
        for _ in range(4):
            following = shapes.bounded(shapes.join(state, self.call(name, (state, item))))
            if following == state:
                return state
            state = following
        return UNKNOWN


_NO_NAMES: Names = MappingProxyType({})


class _View:
    """The inference inside one expression."""

    def __init__(
        self, inference: Inference, expression: Expression, runs: tuple[str, ...], in_definition: bool = False
    ) -> None:
        self.inference = inference
        self.expression = expression
        self.runs = runs
        self.in_definition = in_definition

    def fault(self, node: ast.AST, message: str, hint: str = "") -> SpecError:
        return fault(self.expression, node, message, hint)

    def infer(self, node: ast.expr, names: Names) -> Shape:
        match node:
            case ast.Constant(value=value):
                return _shape_of_literal(value)
            case ast.Name(id=name):
                return self._name(name, names)
            case ast.Attribute(value=ast.Name(id=run)) if run in self.runs and run not in names:
                return self._value_of_run(node.attr)
            case ast.Attribute():
                return self._attribute(node, self.infer(node.value, names))
            case ast.BinOp():
                return self._binary(node, self.infer(node.left, names), self.infer(node.right, names))
            case ast.UnaryOp(op=ast.Not(), operand=operand):
                self.condition(operand, self.infer(operand, names))
                return BOOLEAN
            case ast.UnaryOp():
                return self._number(node, self.infer(node.operand, names), SYMBOLS.get(type(node.op), "-"))
            case ast.BoolOp():
                for part in node.values:
                    self.condition(part, self.infer(part, names))
                return BOOLEAN
            case ast.Compare():
                self._comparison(node, names)
                return BOOLEAN
            case ast.IfExp():
                return self._if(node, names)
            case ast.Call():
                return self._call(node, names)
            case ast.Subscript():
                return self._subscript(node, names)
            case _:
                return self._collection(node, names)

    def _name(self, name: str, names: Names) -> Shape:
        inference = self.inference
        if name in names:
            return names[name]
        if name in inference.inputs:
            return inference.inputs[name]
        if name in inference.spec.lets:
            return inference.let(name)
        return inference.data.get(name, UNKNOWN)

    def _value_of_run(self, name: str) -> Shape:
        if name == RESULT:
            return self.inference.result
        return shapes.Maybe(TEXT) if name == RAISED else self._name(name, _NO_NAMES)

    def _attribute(self, node: ast.Attribute, shape: Shape) -> Shape:
        name = node.attr
        match shapes.surely(shape):
            case shapes.RecordShape(type=type_):
                fields = dict(type_.fields)
                if name not in fields:
                    hint = signatures.hint_for(name, fields, "fields")
                    raise self.fault(node, f"a record {type_.name} has no field `{name}`", hint)
                return shapes.shape_of_type(fields[name])
            case shapes.Day():
                if name not in DATE_ATTRIBUTES:
                    raise self.fault(
                        node, f"a date has no `{name}`", signatures.hint_for(name, DATE_ATTRIBUTES, "it has")
                    )
                return WHOLE
            case shapes.TableShape(fields=entries):
                if name not in entries:
                    raise self.fault(node, f"this table has no `{name}`", signatures.hint_for(name, entries, "keys"))
                return entries[name]
            case shapes.Unknown() | shapes.DictShape():
                return UNKNOWN
            case other:
                hint = "write days(b - a)" if isinstance(other, shapes.Span) else ""
                raise self.fault(node, f"{shapes.kind(other)} has no `{name}`", hint)

    def condition(self, node: ast.expr, shape: Shape) -> None:
        """Refuse what surely is no boolean."""
        if not isinstance(shapes.surely(shape), shapes.Boolean | shapes.Unknown):
            raise self.fault(
                node,
                f"a condition is a boolean, not {shapes.kind(shape)}",
                "there is no truthiness: write a comparison",
            )

    def _if(self, node: ast.IfExp, names: Names) -> Shape:
        self.condition(node.test, self.infer(node.test, names))
        return shapes.join(self.infer(node.body, names), self.infer(node.orelse, names))

    def _number(self, node: ast.AST, shape: Shape, symbol: str) -> Shape:
        match shapes.surely(shape):
            case shapes.Number() as number:
                return number
            case shapes.Boolean():
                return WHOLE
            case shapes.Unknown():
                return NUMBER
            case other:
                hint = "write days(b - a)" if isinstance(other, shapes.Span) else ""
                raise self.fault(node, f"`{symbol}` needs a number, not {shapes.kind(other)}", hint)

    def _binary(self, node: ast.BinOp, left: Shape, right: Shape) -> Shape:
        a, b, symbol = shapes.surely(left), shapes.surely(right), SYMBOLS[type(node.op)]
        if isinstance(a, shapes.Unknown) or isinstance(b, shapes.Unknown):
            return UNKNOWN
        match symbol, a, b:
            case "+", shapes.Text(), shapes.Text():
                return TEXT
            case "+", shapes.ListShape(), shapes.ListShape():
                return shapes.join(a, b)
            case "+", shapes.TupleShape(items=x), shapes.TupleShape(items=y):
                return shapes.TupleShape(x + y)
            case "*", (shapes.Text() | shapes.ListShape()) as repeated, shapes.Number():
                return repeated
            case "*", shapes.Number(), (shapes.Text() | shapes.ListShape()) as repeated:
                return repeated
            case "*", shapes.TupleShape(), shapes.Number():
                return UNKNOWN
            case "-", shapes.Day(), shapes.Day():
                return SPAN
            case "+" | "-", shapes.Day(), shapes.Number():
                return DAY
            case "+", shapes.Number(), shapes.Day():
                return DAY
            case _:
                pass
        if symbol == "+" and (isinstance(a, shapes.Text) or isinstance(b, shapes.Text)):
            raise self.fault(node, f"`+` of {shapes.kind(a)} and {shapes.kind(b)}", "str(n) is a number as text")
        numbers = (self._number(node, a, symbol), self._number(node, b, symbol))
        whole = all(isinstance(number, shapes.Number) and number.whole for number in numbers)
        if symbol == "//":
            return WHOLE
        return WHOLE if whole and symbol in ("+", "-", "*", "%") else NUMBER

    def _comparison(self, node: ast.Compare, names: Names) -> None:
        left, previous = self.infer(node.left, names), node.left
        for operator, comparator in zip(node.ops, node.comparators, strict=True):
            right = self.infer(comparator, names)
            symbol = SYMBOLS[type(operator)]
            if symbol in ("in", "not in"):
                self._membership(node, left, right)
            elif symbol in ("==", "!="):
                self._equality(node, left, right)
            elif symbol not in ("is", "is not"):
                self._order(node, symbol, left, right)
            if symbol not in ("in", "not in"):
                self._choice(left, comparator)
                self._choice(right, previous)
            left, previous = right, comparator

    def _membership(self, node: ast.AST, item: Shape, container: Shape) -> None:
        inside = shapes.item_of(container)
        if inside is None:
            raise self.fault(node, f"`in` needs a list, a set, a dict or a text, not {shapes.kind(container)}")
        # of an optional item, None may be what is looked for
        if not isinstance(inside, shapes.Maybe) and not isinstance(item, shapes.Maybe | shapes.Nothing):
            self._equality(node, item, inside)

    def _equality(self, node: ast.AST, left: Shape, right: Shape) -> None:
        if isinstance(left, shapes.Nothing) or isinstance(right, shapes.Nothing):
            return
        a, b = shapes.kind(left), shapes.kind(right)
        if not a or not b:
            return
        if not comparable(shapes.surely(left), shapes.surely(right)):
            raise self.fault(node, f"{a} is never equal to {b}", equality_hint(left, right))

    def _choice(self, enum: Shape, literal: ast.expr) -> None:
        """A literal that is none of an enum's choices is a slip; but a definition may serve several enums."""
        match shapes.surely(enum), literal:
            case shapes.Text(choices=choices), ast.Constant(value=str(word)):
                if choices and word not in choices and not self.in_definition:
                    hint = signatures.hint_for(word, choices, "choices")
                    raise self.fault(literal, f"{word!r} is none of the choices", hint)
            case _:
                return

    def _order(self, node: ast.AST, symbol: str, left: Shape, right: Shape) -> None:
        for shape in (left, right):
            if isinstance(shape, shapes.RecordShape | shapes.DictShape | shapes.TableShape):
                raise self.fault(node, f"`{symbol}`: {shapes.kind(shape)} has no order")
        a, b = shapes.kind(left), shapes.kind(right)
        if a and b and not comparable(shapes.surely(left), shapes.surely(right)):
            raise self.fault(node, f"{a} and {b} have no order", equality_hint(left, right))

    def _call(self, node: ast.Call, names: Names) -> Shape:
        inference = self.inference
        if isinstance(node.func, ast.Attribute):
            return self._method(node, node.func, names)
        name = node.func.id if isinstance(node.func, ast.Name) else ""
        if name in inference.spec.definitions:
            return inference.call(name, tuple(shapes.bounded(self.infer(argument, names)) for argument in node.args))
        if name in inference.records:
            for value in (*node.args, *(each.value for each in node.keywords)):
                self.infer(value, names)
            return shapes.RecordShape(inference.records[name])
        if name in ("fold", "scan"):
            return self._fold(node, name, names)
        if name in ("any", "all"):
            item = shapes.item_of(self.infer(node.args[0], names))
            if item is not None:
                argument = node.args[0]
                self.condition(argument.elt if isinstance(argument, ast.GeneratorExp) else argument, item)
            return BOOLEAN
        values = node.args[:-1] if name in ("round", "round_to") else node.args
        arguments = [self.infer(argument, names) for argument in values]
        keywords = {
            str(each.arg): self.infer(each.value, names)
            for each in node.keywords
            if not (name in FUNCTIONS_WITH_KEY and each.arg == "key")
        }
        given = FUNCTION_SHAPES.get(name)
        return given(self.fault, node, arguments, keywords) if given else UNKNOWN

    def _fold(self, node: ast.Call, name: str, names: Names) -> Shape:
        items, start = self.infer(node.args[1], names), self.infer(node.args[2], names)
        item = shapes.item_of(items)
        if item is None:
            raise self.fault(node.args[1], f"`{name}` needs a list, not {shapes.kind(items)}")
        function = node.args[0]
        called = function.id if isinstance(function, ast.Name) else getattr(function, "attr", "")
        state = self.inference.fold(called, item, start)
        return shapes.ListShape(state) if name == "scan" else state

    def _method(self, node: ast.Call, function: ast.Attribute, names: Names) -> Shape:
        name = function.attr
        arguments = [self.infer(argument, names) for argument in node.args]
        for each in node.keywords:
            self.infer(each.value, names)
        if isinstance(function.value, ast.Name) and function.value.id in self.runs and function.value.id not in names:
            return self.inference.call(name, tuple(map(shapes.bounded, arguments)))
        shape = shapes.surely(self.infer(function.value, names))
        given = METHOD_SHAPES.get(name)
        return given(self.fault, node, shape, arguments) if given else UNKNOWN

    def _subscript(self, node: ast.Subscript, names: Names) -> Shape:
        shape = shapes.surely(self.infer(node.value, names))
        if isinstance(node.slice, ast.Slice):
            for part in (node.slice.lower, node.slice.upper, node.slice.step):
                if part is not None:
                    self._number(part, self.infer(part, names), "[:]")
            if isinstance(shape, shapes.TupleShape):
                return UNKNOWN
            if isinstance(shape, shapes.Text):
                return TEXT
            if isinstance(shape, shapes.ListShape | shapes.Unknown):
                return shape
            raise self.fault(node, f"{shapes.kind(shape)} has no slices")
        index = self.infer(node.slice, names)
        match shape:
            case shapes.ListShape(item=item):
                self._number(node.slice, index, "[]")
                return item
            case shapes.Text():
                self._number(node.slice, index, "[]")
                return TEXT
            case shapes.TupleShape(items=items):
                self._number(node.slice, index, "[]")
                return (
                    shapes.join_all(list(items))
                    if not isinstance(node.slice, ast.Constant)
                    else _part(items, node.slice)
                )
            case shapes.DictShape(key=key, value=value):
                self._equality(node, index, key)
                return value
            case shapes.TableShape(fields=entries):
                return shapes.join_all(list(entries.values()))
            case shapes.Unknown():
                return UNKNOWN
            case shapes.RecordShape(type=type_):
                fields = [name for name, _ in type_.fields]
                raise self.fault(node, f"a record {type_.name} is read by its fields", f"fields: {', '.join(fields)}")
            case _:
                raise self.fault(node, f"{shapes.kind(shape)} has no items")

    def _collection(self, node: ast.expr, names: Names) -> Shape:
        match node:
            case ast.Tuple(elts=parts):
                return shapes.TupleShape(tuple(self.infer(part, names) for part in parts))
            case ast.List(elts=parts):
                return shapes.ListShape(shapes.join_all([self.infer(part, names) for part in parts]))
            case ast.Set(elts=parts):
                return shapes.SetShape(shapes.join_all([self.infer(part, names) for part in parts]))
            case ast.Dict(keys=keys, values=values):
                return shapes.DictShape(
                    shapes.join_all([self.infer(key, names) for key in keys if key is not None]),
                    shapes.join_all([self.infer(value, names) for value in values]),
                )
            case ast.ListComp(elt=elt) | ast.GeneratorExp(elt=elt):
                return shapes.ListShape(self.infer(elt, self._generators(node.generators, names)))
            case ast.SetComp(elt=elt):
                return shapes.SetShape(self.infer(elt, self._generators(node.generators, names)))
            case ast.DictComp():
                inside = self._generators(node.generators, names)
                return shapes.DictShape(self.infer(node.key, inside), self.infer(node.value, inside))
            case _:
                return UNKNOWN

    def _generators(self, generators: list[ast.comprehension], names: Names) -> Names:
        inside = dict(names)
        for generator in generators:
            items = self.infer(generator.iter, inside)
            item = shapes.item_of(items)
            if item is None:
                raise self.fault(
                    generator.iter, f"a `for` needs a list, a set, a dict or a text, not {shapes.kind(items)}"
                )
            self._bind(generator.target, item, inside)
            for test in generator.ifs:
                self.condition(test, self.infer(test, inside))
        return inside

    def _bind(self, target: ast.expr, item: Shape, names: dict[str, Shape]) -> None:
        match target:
            case ast.Name(id=name):
                names[name] = item
            case ast.Tuple(elts=parts) | ast.List(elts=parts):
                for part, shape in zip(parts, self._taken_apart(target, item, len(parts)), strict=True):
                    self._bind(part, shape, names)
            case _:
                return

    def _taken_apart(self, target: ast.AST, item: Shape, count: int) -> list[Shape]:
        match shapes.surely(item):
            case shapes.TupleShape(items=items):
                if len(items) != count:
                    raise self.fault(target, f"{len(items)} values for {count} names")
                return list(items)
            case shapes.ListShape(item=inner):
                return [inner] * count
            case shapes.Unknown():
                return [UNKNOWN] * count
            case shapes.RecordShape(type=type_):
                fields = ", ".join(name for name, _ in type_.fields)
                raise self.fault(
                    target, f"a record {type_.name} is read by its fields, not taken apart", f"fields: {fields}"
                )
            case other:
                raise self.fault(target, f"{shapes.kind(other)} cannot be taken apart into {count} names")


def _part(items: tuple[Shape, ...], index: ast.Constant) -> Shape:
    at = index.value
    return items[at] if isinstance(at, int) and -len(items) <= at < len(items) else shapes.join_all(list(items))


def _shape_of_literal(value: object) -> Shape:
    if value is None:
        return NOTHING
    if isinstance(value, str):
        return TEXT
    if isinstance(value, bool):
        return BOOLEAN
    return WHOLE if isinstance(value, int) else NUMBER
