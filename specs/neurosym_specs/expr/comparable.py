"""Which shapes can be compared, and what to write where two cannot."""

from __future__ import annotations

from neurosym_specs.expr import shapes
from neurosym_specs.expr.shapes import Shape


def comparable(a: Shape, b: Shape) -> bool:
    """Whether two values of these shapes can be equal (or have an order)."""
    match a, b:
        case (shapes.Unknown(), _) | (_, shapes.Unknown()):
            return True
        case (shapes.Nothing() | shapes.Maybe(), _) | (_, shapes.Nothing() | shapes.Maybe()):
            return True
        case shapes.RecordShape(type=x), shapes.RecordShape(type=y):
            return x.name == y.name
        case ((shapes.TableShape() | shapes.DictShape()), (shapes.TableShape() | shapes.DictShape())):
            return True
        case _:
            return type(a) is type(b)


def equality_hint(left: Shape, right: Shape) -> str:
    kinds = {type(shapes.surely(left)), type(shapes.surely(right))}
    if shapes.Span in kinds:
        return "write days(b - a)"
    if kinds == {shapes.Boolean, shapes.Number}:
        return "a boolean stands for itself"
    if kinds == {shapes.RecordShape, shapes.TupleShape}:
        names = [s.type.name for s in (shapes.surely(left), shapes.surely(right)) if isinstance(s, shapes.RecordShape)]
        return f"write {names[0]}(...)"
    if kinds == {shapes.ListShape, shapes.TupleShape}:
        return "lists in [ ] and tuples in ( ) are different"
    if kinds == {shapes.Text, shapes.Number}:
        return "int(s) is a text as number, str(n) a number as text"
    return ""
