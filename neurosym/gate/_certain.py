"""The exact class of a value, where every way in which the value can come about gives the same one.

A name has a class if each binding of it in its scope gives that class, assuming that the name has it: an induction over
the run, so loops and augmented assignments are covered. Anything else that can bind it (a call's star, ``global``,
``nonlocal``, an import, a pattern) takes the certainty away. When in doubt the answer is None.
"""

from __future__ import annotations

import ast
import datetime
import decimal
import fractions
from collections.abc import Iterator, Mapping
from typing import TypeAlias

from neurosym_specs.model import Spec
from neurosym_specs.types import (
    BoolType,
    DateType,
    DecimalType,
    DictType,
    EnumType,
    FloatType,
    FractionType,
    IntType,
    ListType,
    SetType,
    StrType,
    TupleType,
    Type,
)

from neurosym.gate._names import Names
from neurosym.gate._place import words

_Function: TypeAlias = ast.FunctionDef | ast.AsyncFunctionDef
_Scope: TypeAlias = ast.Module | ast.FunctionDef | ast.AsyncFunctionDef
_Binding: TypeAlias = "ast.expr | type | None"  # its value, its class, or something that is not followed

_BUDGET = 100_000
_DEEPEST = 60

_CALLS: Mapping[str, type] = {
    "builtins.int": int,
    "builtins.float": float,
    "builtins.str": str,
    "builtins.bool": bool,
    "builtins.list": list,
    "builtins.dict": dict,
    "builtins.set": set,
    "builtins.frozenset": frozenset,
    "builtins.tuple": tuple,
    "builtins.sorted": list,
    "builtins.len": int,
    "builtins.ord": int,
    "builtins.repr": str,
    "builtins.chr": str,
    "builtins.format": str,
    "builtins.isinstance": bool,
    "builtins.all": bool,
    "builtins.any": bool,
    "decimal.Decimal": decimal.Decimal,
    "decimal.Decimal.from_float": decimal.Decimal,
    "fractions.Fraction": fractions.Fraction,
    "datetime.date": datetime.date,
    "datetime.timedelta": datetime.timedelta,
    "datetime.datetime": datetime.datetime,
}
MATH_INTS = words("floor ceil trunc gcd lcm comb perm factorial isqrt")
MATH_FLOATS = words("""
    sqrt cbrt pow exp exp2 expm1 log log2 log10 log1p fsum hypot dist fabs fmod remainder ldexp copysign nextafter ulp
    sin cos tan asin acos atan atan2 sinh cosh tanh asinh acosh atanh degrees radians gamma lgamma erf erfc
    """)
MATH_CONSTANTS = words("pi e tau inf nan")

_SAME = {
    decimal.Decimal: words("""
        quantize to_integral_value to_integral to_integral_exact normalize copy_abs copy_negate copy_sign fma max min
        remainder_near sqrt exp ln log10 scaleb next_plus next_minus canonical
        """),
    str: words("""
        strip lstrip rstrip upper lower title capitalize casefold replace zfill ljust rjust center removeprefix
        removesuffix swapcase translate format join expandtabs
        """),
    fractions.Fraction: frozenset({"limit_denominator"}),
}
_METHODS: Mapping[tuple[type, str], type] = {
    (str, "split"): list,
    (str, "rsplit"): list,
    (str, "splitlines"): list,
    (str, "partition"): tuple,
    (str, "find"): int,
    (str, "index"): int,
    (str, "count"): int,
    (list, "index"): int,
    (list, "count"): int,
    (list, "copy"): list,
    (dict, "copy"): dict,
    (datetime.date, "weekday"): int,
    (datetime.date, "isoweekday"): int,
    (datetime.date, "toordinal"): int,
    (datetime.date, "isoformat"): str,
    (datetime.date, "replace"): datetime.date,
    (datetime.timedelta, "total_seconds"): float,
    (decimal.Decimal, "adjusted"): int,
}
_ATTRIBUTES: Mapping[tuple[type, str], type] = {
    (datetime.date, "year"): int,
    (datetime.date, "month"): int,
    (datetime.date, "day"): int,
    (datetime.timedelta, "days"): int,
    (datetime.timedelta, "seconds"): int,
    (datetime.timedelta, "microseconds"): int,
    (fractions.Fraction, "numerator"): int,
    (fractions.Fraction, "denominator"): int,
}


class Certain:
    """Answers which class an expression of one module surely has."""

    def __init__(self, tree: ast.Module, names: Names, spec: Spec | None = None) -> None:
        self.names = names
        self._entry = spec.name if spec else ""
        calls_itself = any(isinstance(node, ast.Name) and node.id == self._entry for node in ast.walk(tree))
        self._inputs = dict(_inputs(spec)) if spec and not calls_itself else {}  # else others call it as well
        self._tree = tree
        self._scope_of: dict[int, _Scope | None] = {}
        self._outer: dict[int, _Scope] = {}
        self._bindings: dict[tuple[int, str], list[_Binding]] = {}
        self._elsewhere: set[str] = set()
        self._assumed: dict[tuple[int, str], type] = {}
        self._known: dict[tuple[int, str], type | None] = {}
        self._made: list[ast.Name] = []
        self._guessed: set[tuple[int, str]] = set()
        self._left = _BUDGET
        self._depth = 0
        self._survey(tree)

    def class_of(self, node: ast.expr) -> type | None:
        """The exact class of the value of ``node``, or None."""
        self._left -= 1
        if self._left < 0 or self._depth > _DEEPEST:
            return None
        self._depth += 1
        try:
            return self._class_of(node)
        finally:
            self._depth -= 1

    def _class_of(self, node: ast.expr) -> type | None:
        match node:
            case ast.Constant(value=value):
                return type(value) if value is not None and value is not Ellipsis else None
            case ast.JoinedStr():
                return str
            case ast.List() | ast.ListComp():
                return list
            case ast.Dict() | ast.DictComp():
                return dict
            case ast.Set() | ast.SetComp():
                return set
            case ast.Tuple():
                return tuple
            case ast.UnaryOp(op=ast.Not()):
                return bool
            case ast.UnaryOp(op=ast.USub() | ast.UAdd(), operand=operand):
                return _as_number(self.class_of(operand))
            case ast.BinOp(left=left, op=op, right=right):
                return _combined(self.class_of(left), op, self.class_of(right), right)
            case ast.BoolOp(values=values):
                return self._alike(values)
            case ast.IfExp(body=body, orelse=orelse):
                return self._alike([body, orelse])
            case ast.NamedExpr(value=value):
                return self.class_of(value)
            case ast.Name(id=name):
                return self._name(name, node)
            case ast.Attribute(value=value, attr=attr):
                owner = self.class_of(value)
                return _ATTRIBUTES.get((owner, attr)) if owner else None
            case ast.Call():
                return self._call(node)
            case _:
                return None

    def _alike(self, values: list[ast.expr]) -> type | None:
        classes = {self.class_of(value) for value in values}
        return classes.pop() if len(classes) == 1 else None

    def _call(self, node: ast.Call) -> type | None:
        name = self.names.dotted(node.func)
        if name is not None:
            return self._named_call(name, node)
        match node.func:
            case ast.Attribute(value=value, attr=attr):
                owner = self.class_of(value)
                if owner is None:
                    return None
                return owner if attr in _SAME.get(owner, ()) else _METHODS.get((owner, attr))
            case _:
                return None

    def _named_call(self, name: str, node: ast.Call) -> type | None:
        if name in _CALLS:
            return _CALLS[name]
        arguments = [each for each in node.args if not isinstance(each, ast.Starred)]
        if len(arguments) != len(node.args) or node.keywords:
            return None
        match name.rpartition("."):
            case ("math", _, function):
                return int if function in MATH_INTS else float if function in MATH_FLOATS else None
            case ("builtins", _, "abs") if len(arguments) == 1:
                return _as_number(self.class_of(arguments[0]))
            case ("builtins", _, "round") if len(arguments) == 1:
                return int if _as_number(self.class_of(arguments[0])) else None
            case ("builtins", _, "round") if len(arguments) == 2 and self.class_of(arguments[1]) is int:
                return _as_number(self.class_of(arguments[0]))
            case ("builtins", _, "min" | "max") if len(arguments) >= 2:
                return self._alike(arguments)
            case _:
                return None

    def _name(self, name: str, node: ast.expr) -> type | None:
        scope = self._scope_of.get(id(node))
        if name in self._elsewhere or scope is None:
            return None
        while (id(scope), name) not in self._bindings:
            if isinstance(scope, ast.Module):
                return None
            scope = self._outer[id(scope)]
        return self._bound(scope, name)

    def _bound(self, scope: _Scope, name: str) -> type | None:
        key = (id(scope), name)
        if key in self._assumed:
            return self._assumed[key]
        if key in self._known:
            return self._known[key]
        if key in self._guessed:
            return None
        bindings = self._bindings[key]
        if any(binding is None for binding in bindings):
            self._known[key] = None
            return None
        alone = not self._assumed and not self._guessed
        self._guessed.add(key)
        guess = next((found for each in bindings if (found := self._of_binding(each)) is not None), None)
        self._guessed.discard(key)
        if guess is not None:
            self._assumed[key] = guess
            try:
                guess = guess if all(self._of_binding(each) is guess for each in bindings) else None
            finally:
                del self._assumed[key]
        if alone and self._left > 0:
            self._known[key] = guess
        return guess

    def _of_binding(self, binding: _Binding) -> type | None:
        if isinstance(binding, ast.expr):
            return self.class_of(binding)
        return binding

    def _survey(self, tree: ast.Module) -> None:
        """Finds the scope of each name and all bindings, without recursion."""
        todo: list[tuple[ast.AST, _Scope | None]] = [(child, tree) for child in tree.body]
        while todo:
            node, scope = todo.pop()
            if isinstance(node, ast.Name):
                self._scope_of[id(node)] = scope
            if scope is not None:
                for name, binding in self._bound_by(node, scope):
                    self._bindings.setdefault((id(scope), name), []).append(binding)
            if isinstance(node, ast.Global | ast.Nonlocal):
                self._elsewhere.update(node.names)
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                if scope is None:  # a method: its names are its own, and those around it are not followed
                    self._outer[id(node)] = tree
                else:
                    self._outer[id(node)] = scope
                self._parameters(node, top=scope is tree)
                outside = [*node.decorator_list, *node.args.defaults]
                outside += [each for each in node.args.kw_defaults if each is not None]
                todo += [(child, scope) for child in outside]
                todo += [(child, node) for child in node.body]
            elif isinstance(node, ast.ClassDef | ast.Lambda):
                todo += [(child, None) for child in ast.iter_child_nodes(node)]
            else:
                todo += [(child, scope) for child in ast.iter_child_nodes(node)]

    def _parameters(self, function: _Function, *, top: bool) -> None:
        arguments = function.args
        inputs = list(self._inputs.values()) if top and function.name == self._entry else []
        for place, arg in enumerate([*arguments.posonlyargs, *arguments.args]):
            given = inputs[place] if place < len(inputs) else None
            self._bindings.setdefault((id(function), arg.arg), []).append(given)
        more = [*arguments.kwonlyargs, *(each for each in (arguments.vararg, arguments.kwarg) if each)]
        for arg in more:
            self._bindings.setdefault((id(function), arg.arg), []).append(None)

    def _bound_by(self, node: ast.AST, scope: _Scope) -> Iterator[tuple[str, _Binding]]:
        match node:
            case ast.Assign(targets=targets, value=value):
                for target in targets:
                    if isinstance(target, ast.Name):
                        yield target.id, value
                    else:
                        yield from _unknown(target)
            case ast.AnnAssign(target=ast.Name(id=name), value=value):
                if value is not None:
                    yield name, value
            case ast.AugAssign(target=ast.Name(id=name) as target, op=op, value=value):
                left = ast.copy_location(ast.Name(name, ast.Load()), target)
                self._scope_of[id(left)] = scope
                self._made.append(left)  # alive, so that no other node gets its id
                yield name, ast.copy_location(ast.BinOp(left, op, value), node)
            case ast.NamedExpr(target=ast.Name(id=name), value=value):
                yield name, value
            case ast.For(target=target, iter=each) | ast.comprehension(target=target, iter=each):
                ranged = isinstance(each, ast.Call) and self.names.dotted(each.func) == "builtins.range"
                if isinstance(target, ast.Name) and ranged:
                    yield target.id, int
                else:
                    yield from _unknown(target)
            case ast.AsyncFor(target=target):
                yield from _unknown(target)
            case ast.With(items=items) | ast.AsyncWith(items=items):
                for item in items:
                    if item.optional_vars is not None:
                        yield from _unknown(item.optional_vars)
            case ast.Import(names=names) | ast.ImportFrom(names=names):
                for alias in names:
                    yield (alias.asname or alias.name).split(".")[0], None
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
                yield name, None
            case ast.ExceptHandler(name=str(name)) | ast.MatchAs(name=str(name)) | ast.MatchStar(name=str(name)):
                yield name, None
            case ast.MatchMapping(rest=str(name)):
                yield name, None
            case ast.Delete(targets=targets):
                for target in targets:
                    yield from _unknown(target)
            case _:
                pass


def _unknown(target: ast.expr) -> Iterator[tuple[str, None]]:
    for node in ast.walk(target):
        if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
            yield node.id, None


def _as_number(found: type | None) -> type | None:
    if found is bool:
        return int
    return found if found in (int, float, decimal.Decimal, fractions.Fraction) else None


def _combined(left: type | None, op: ast.operator, right: type | None, exponent: ast.expr) -> type | None:
    """The class of ``left op right``."""
    if left is str and isinstance(op, ast.Mod):
        return str
    if left is str and right is str and isinstance(op, ast.Add):
        return str
    if left is datetime.date and isinstance(op, ast.Add | ast.Sub):
        if right is datetime.timedelta:
            return datetime.date
        return datetime.timedelta if right is datetime.date and isinstance(op, ast.Sub) else None
    if left is right is datetime.timedelta:
        if isinstance(op, ast.Add | ast.Sub):
            return left
        return {ast.Div: float, ast.FloorDiv: int}.get(type(op))
    first, second = _as_number(left), _as_number(right)
    if first is None or second is None:
        return None
    if isinstance(op, ast.Pow):
        return _power(first, second, exponent)
    if not isinstance(op, ast.Add | ast.Sub | ast.Mult | ast.Div | ast.FloorDiv | ast.Mod):
        return int if first is second is int else None
    both = {first, second}
    if both == {int}:
        return float if isinstance(op, ast.Div) else int
    if both <= {int, float}:
        return float
    if both <= {int, decimal.Decimal}:
        return decimal.Decimal
    if both <= {int, fractions.Fraction}:
        return int if isinstance(op, ast.FloorDiv) else fractions.Fraction
    return None


def _power(base: type, by: type, exponent: ast.expr) -> type | None:
    if {base, by} <= {int, decimal.Decimal} and decimal.Decimal in (base, by):
        return decimal.Decimal
    if base is by is int:
        match exponent:
            case ast.Constant():
                return int
            case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int(value))) if value > 0:
                return float
            case _:
                return None
    return None


def _inputs(spec: Spec) -> Iterator[tuple[str, type | None]]:
    for name, type_ in spec.inputs.items():
        yield name, class_of_type(type_)


def class_of_type(type_: Type) -> type | None:
    """The exact class of the values of a spec's type, as a candidate sees them; None for the spec's own classes."""
    match type_:
        case IntType():
            return int
        case DecimalType():
            return decimal.Decimal
        case FloatType():
            return float
        case FractionType():
            return fractions.Fraction
        case BoolType():
            return bool
        case StrType() | EnumType(class_name=""):
            return str
        case DateType():
            return datetime.date
        case ListType(form="list"):
            return list
        case ListType() | TupleType():
            return tuple
        case SetType():
            return set
        case DictType():
            return dict
        case _:
            return None
