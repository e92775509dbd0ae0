"""A spec's expressions as plain Python that computes exactly the same, where that can be said in one line.

Numbers become ints and ``Fraction``s, so that nothing is rounded: Python's Decimals would round at 28 digits, floats
everywhere. What is not in the table below is ``Untold``; it is left out by whoever asks, and named.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import Enum
from fractions import Fraction

from neurosym_specs.model import Spec
from neurosym_specs.types import (
    BoolType,
    DateType,
    DecimalType,
    EnumType,
    FractionType,
    IntType,
    ListType,
    SetType,
    StrType,
    Type,
)

ROUND = "_checked_round"
HELPER = f"""
def {ROUND}(x: Fraction, places: int, mode: str) -> Fraction:
    scaled = abs(x) * Fraction(10) ** places
    whole = scaled // 1
    twice = (scaled - whole) * 2
    away = {{
        "half_up": twice >= 1,
        "half_down": twice > 1,
        "half_even": twice > 1 or (twice == 1 and whole % 2 == 1),
        "up": twice > 0,
        "down": False,
        "ceiling": twice > 0 and x > 0,
        "floor": twice > 0 and x < 0,
    }}[mode]
    rounded = Fraction(whole + 1 if away else whole) / Fraction(10) ** places
    return -rounded if x < 0 else rounded
"""
"""Rounds as the spec's ``round`` does; behind the module's imports where an expression needs it."""

_MODES = frozenset({"half_up", "half_down", "half_even", "up", "down", "ceiling", "floor"})
_MOST_CHARACTERS = 1_000
_MOST_POWER = 30
_OPERATORS: Mapping[type[ast.AST], str] = {
    ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.FloorDiv: "//", ast.Mod: "%",
    ast.Eq: "==", ast.NotEq: "!=", ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=",
    ast.And: "and", ast.Or: "or",
}  # fmt: skip


class Untold(Exception):
    """It cannot be said in plain Python, or not so that it is sure to compute the same."""


class Kind(Enum):
    """What Python's value of an expression is."""

    INT = "int"
    FRACTION = "Fraction"
    BOOL = "bool"
    STR = "str"
    CHOICE = "a member's name"
    DATE = "date"
    DURATION = "timedelta"
    SIZED = "list or set"


_NUMBERS = (Kind.INT, Kind.FRACTION)


@dataclass(frozen=True, slots=True)
class Told:
    """Python for an expression, in brackets where it needs them, and what its value is."""

    text: str
    kind: Kind


class Teller:
    """Says expressions of a spec, with these names for its inputs and its result."""

    def __init__(self, spec: Spec, names: Mapping[str, str], result: str = "") -> None:
        self._spec, self._result = spec, result
        self._names = names

    def condition(self, tree: ast.expr) -> str:
        """A condition. Raises ``Untold``."""
        told = self._told(tree, {})
        if told.kind is not Kind.BOOL:
            raise Untold
        return told.text

    def _told(self, node: ast.expr, bound: Mapping[str, Told]) -> Told:
        told = self._any(node, bound)
        if len(told.text) > _MOST_CHARACTERS:
            raise Untold
        return told

    def _any(self, node: ast.expr, bound: Mapping[str, Told]) -> Told:
        match node:
            case ast.Constant(value=value):
                return _constant(value)
            case ast.Name(id=name):
                return bound[name] if name in bound else self._name(name)
            case ast.UnaryOp(op=ast.USub(), operand=operand):
                told = self._number(operand, bound)
                return Told(f"(-{told.text})", told.kind)
            case ast.UnaryOp(op=ast.Not(), operand=operand):
                return Told(f"(not {self._of(operand, bound, Kind.BOOL).text})", Kind.BOOL)
            case ast.BinOp():
                return self._arithmetic(node, bound)
            case ast.BoolOp(op=op, values=values):
                told_all = [self._of(each, bound, Kind.BOOL).text for each in values]
                return Told(f"({f' {_OPERATORS[type(op)]} '.join(told_all)})", Kind.BOOL)
            case ast.Compare():
                return self._comparison(node, bound)
            case ast.IfExp(test=test, body=body, orelse=orelse):
                return self._choice(test, body, orelse, bound)
            case ast.Attribute(value=value, attr="year" | "month" | "day" as part):
                return Told(f"{self._of(value, bound, Kind.DATE).text}.{part}", Kind.INT)
            case ast.Attribute(value=value, attr="weekday"):
                return Told(f"{self._of(value, bound, Kind.DATE).text}.weekday()", Kind.INT)
            case ast.Call(func=ast.Name(id=name), args=args, keywords=[]):
                return self._call(name, args, bound)
            case _:
                raise Untold

    def _name(self, name: str) -> Told:
        if name == "result" and self._result:
            return _value(self._result, self._spec.output)
        if name in self._names:
            return _value(self._names[name], self._spec.inputs[name])
        if name in self._spec.lets:
            return self._told(self._spec.lets[name].tree, {})
        if name in self._spec.data:
            return _constant(self._spec.data[name], is_data=True)
        raise Untold

    def _of(self, node: ast.expr, bound: Mapping[str, Told], *kinds: Kind) -> Told:
        told = self._told(node, bound)
        if told.kind not in kinds:
            raise Untold
        return told

    def _number(self, node: ast.expr, bound: Mapping[str, Told]) -> Told:
        return self._of(node, bound, *_NUMBERS)

    def _arithmetic(self, node: ast.BinOp, bound: Mapping[str, Told]) -> Told:
        left = self._of(node.left, bound, *_NUMBERS, Kind.DATE)
        right = self._of(node.right, bound, *_NUMBERS, Kind.DATE)
        if left.kind is right.kind is Kind.DATE and isinstance(node.op, ast.Sub):
            return Told(f"({left.text} - {right.text})", Kind.DURATION)
        if Kind.DATE in (left.kind, right.kind):
            raise Untold
        is_int = left.kind is right.kind is Kind.INT
        match node.op:
            case ast.Div():
                return Told(f"(Fraction({left.text}) / {right.text})", Kind.FRACTION)
            case ast.Pow():
                power = node.right.value if isinstance(node.right, ast.Constant) else None
                if type(power) is not int or not 0 <= power <= _MOST_POWER:
                    raise Untold
                return Told(f"({left.text} ** {power})", left.kind)
            case ast.FloorDiv():
                return Told(f"({left.text} // {right.text})", Kind.INT)
            case ast.Add() | ast.Sub() | ast.Mult() | ast.Mod():
                kind = Kind.INT if is_int else Kind.FRACTION
                return Told(f"({left.text} {_OPERATORS[type(node.op)]} {right.text})", kind)
            case _:
                raise Untold

    def _comparison(self, node: ast.Compare, bound: Mapping[str, Told]) -> Told:
        parts = [self._told(node.left, bound)]
        text = parts[0].text
        for op, operand in zip(node.ops, node.comparators, strict=True):
            if isinstance(op, ast.In | ast.NotIn) and len(node.ops) == 1:
                return self._membership(parts[0], op, operand, bound)
            if type(op) not in _OPERATORS:
                raise Untold
            parts.append(self._told(operand, bound))
            if not _comparable(parts[-2].kind, parts[-1].kind, op):
                raise Untold
            text += f" {_OPERATORS[type(op)]} {parts[-1].text}"
        return Told(f"({text})", Kind.BOOL)

    def _membership(self, told: Told, op: ast.cmpop, operand: ast.expr, bound: Mapping[str, Told]) -> Told:
        if not isinstance(operand, ast.Tuple | ast.List | ast.Set) or not operand.elts:
            raise Untold
        members = [self._told(each, bound) for each in operand.elts]
        if not all(_comparable(told.kind, each.kind, ast.Eq()) for each in members):
            raise Untold
        word = "in" if isinstance(op, ast.In) else "not in"
        return Told(f"({told.text} {word} ({''.join(f'{each.text}, ' for each in members)}))", Kind.BOOL)

    def _choice(self, test: ast.expr, body: ast.expr, orelse: ast.expr, bound: Mapping[str, Told]) -> Told:
        one, other = self._told(body, bound), self._told(orelse, bound)
        kinds = {one.kind, other.kind}
        if len(kinds) > 1 and not kinds <= set(_NUMBERS):
            raise Untold
        kind = one.kind if len(kinds) == 1 else Kind.FRACTION
        return Told(f"({one.text} if {self._of(test, bound, Kind.BOOL).text} else {other.text})", kind)

    def _call(self, name: str, args: list[ast.expr], bound: Mapping[str, Told]) -> Told:
        definition = self._spec.definitions.get(name)
        if definition is not None and len(definition.parameters) == len(args):
            given = [self._told(each, bound) for each in args]
            return self._told(definition.body.tree, dict(zip(definition.parameters, given, strict=True)))
        if name == "round":
            return self._round(args, bound)
        if name == "days" and len(args) == 1:
            return Told(f"{self._of(args[0], bound, Kind.DURATION).text}.days", Kind.INT)
        if name == "len" and len(args) == 1:
            return Told(f"len({self._of(args[0], bound, Kind.STR, Kind.SIZED).text})", Kind.INT)
        call = _CALLS.get((name, len(args))) or (_EXTREMES.get(name) if len(args) > 1 else None)
        if call is None:
            raise Untold
        return call([self._number(each, bound) for each in args])

    def _round(self, args: list[ast.expr], bound: Mapping[str, Told]) -> Told:
        mode = args[-1]
        if not isinstance(mode, ast.Name) or mode.id not in _MODES or len(args) not in (2, 3):
            raise Untold
        value = self._number(args[0], bound)
        places = self._of(args[1], bound, Kind.INT).text if len(args) == 3 else "0"
        return Told(f'{ROUND}(Fraction({value.text}), {places}, "{mode.id}")', Kind.FRACTION)


def _exact(told: list[Told]) -> Kind:
    return Kind.INT if all(each.kind is Kind.INT for each in told) else Kind.FRACTION


def _all_of(function: str) -> Callable[[list[Told]], Told]:
    return lambda told: Told(f"{function}({', '.join(each.text for each in told)})", _exact(told))


_EXTREMES = {"min": _all_of("min"), "max": _all_of("max")}
_CALLS: Mapping[tuple[str, int], Callable[[list[Told]], Told]] = {
    ("abs", 1): _all_of("abs"),
    ("floor", 1): lambda told: Told(f"({told[0].text} // 1)", Kind.INT),
    ("ceil", 1): lambda told: Told(f"(-(-{told[0].text} // 1))", Kind.INT),
    ("trunc", 1): lambda told: Told(f"int({told[0].text})", Kind.INT),
    ("clamp", 3): lambda told: Told(f"min(max({told[0].text}, {told[1].text}), {told[2].text})", _exact(told)),
}


def _comparable(one: Kind, other: Kind, op: ast.cmpop) -> bool:
    if one in _NUMBERS and other in _NUMBERS:
        return True
    if {one, other} == {Kind.STR, Kind.CHOICE} or one is other is Kind.CHOICE or one is other is Kind.BOOL:
        return isinstance(op, ast.Eq | ast.NotEq)
    return one is other and one in (Kind.STR, Kind.DATE)


def _constant(value: object, *, is_data: bool = False) -> Told:
    match value:
        case bool():
            return Told(repr(value), Kind.BOOL)
        case int():
            return Told(f"({value})" if value < 0 else str(value), Kind.INT)
        case Fraction():
            return Told(f"Fraction({value.numerator}, {value.denominator})", Kind.FRACTION)
        case str() if not is_data:  # a text of the data may stand for a number
            return Told(repr(value), Kind.STR)
        case _:
            raise Untold


def _value(name: str, type_: Type) -> Told:
    match type_:
        case IntType():
            return Told(name, Kind.INT)
        case DecimalType(nan=False, infinity=False):
            return Told(f"Fraction({name})", Kind.FRACTION)
        case FractionType():
            return Told(name, Kind.FRACTION)
        case BoolType():
            return Told(name, Kind.BOOL)
        case StrType():
            return Told(name, Kind.STR)
        case EnumType(class_name=""):
            return Told(name, Kind.CHOICE)
        case EnumType():
            return Told(f"{name}.name", Kind.CHOICE)
        case DateType():
            return Told(name, Kind.DATE)
        case ListType() | SetType():
            return Told(name, Kind.SIZED)
        case _:
            raise Untold
