"""Equations in a relation's ``given``, read as assignments.

``b.net == -a.net and b.rate == a.rate`` says how to make run b from run a. Every top-level conjunct that equates a
run's input with something else of which that input is no part becomes an assignment to the later run, in an order in
which each right side is known. What is no such equation is left to the search.
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from neurosym_specs.expr.evaluate import Evaluator, Undefined
from neurosym_specs.expr.syntax import Expression
from neurosym_specs.membership import member_fault
from neurosym_specs.model import Spec
from neurosym_specs.types import (
    DecimalType,
    DictType,
    FloatType,
    ListType,
    OptionalType,
    RecordType,
    TupleType,
    Type,
)
from neurosym_specs.values import Record, WrittenDecimal

from neurosym_verifiers.search.draw import in_form
from neurosym_verifiers.search.grid import fewest_places


@dataclass(frozen=True, slots=True)
class Assignment:
    """``run.name`` is to be the value of ``value``."""

    run: str
    name: str
    value: Expression


def assignments(given: Expression, runs: Sequence[str], inputs: Collection[str]) -> list[Assignment]:
    """The assignments that a ``given`` implies, each input at most once, to a later run where either will do."""
    found: dict[tuple[str, str], Assignment] = {}
    for conjunct in conjuncts(given.tree):
        match conjunct:
            case ast.Compare(left=left, ops=[ast.Eq()], comparators=[right]):
                sides = [(left, right), (right, left)]
            case _:
                continue
        options = [
            (target, value)
            for side, value in sides
            if (target := _input_of(side, runs, inputs)) is not None and target not in _inputs_in(value, runs)
        ]
        options.sort(key=lambda option: runs.index(option[0][0]), reverse=True)
        for target, value in options[:1]:
            if target not in found:
                expression = Expression(ast.unparse(value), value, given.place)
                found[target] = Assignment(*target, expression)
    return _ordered(list(found.values()), runs)


@dataclass(frozen=True, slots=True)
class Equation:
    """A conjunct of a condition that gives an input a value, once the inputs that it ``needs`` are known."""

    name: str
    type: Type
    value: Expression
    needs: frozenset[str]

    def solved(self, evaluator: Evaluator, inputs: Mapping[str, Any]) -> tuple[Any, ...]:
        """The value, or nothing if there is none of the input's type."""
        try:
            value = as_input(self.type, evaluator.bind(inputs).evaluate(self.value))
        except (Undefined, TypeError, ValueError, AttributeError, OverflowError, KeyError):
            return ()
        return (value,) if member_fault(self.type, value) is None else ()


def equations_in(spec: Spec, condition: Expression) -> list[Equation]:
    """The equations among the conjuncts of a condition, both ways round where both sides are inputs."""
    found: list[Equation] = []
    for tree in conjuncts(condition.tree):
        match tree:
            case ast.Compare(left=left, ops=[ast.Eq()], comparators=[right]):
                sides = ((left, right), (right, left))
            case _:
                continue
        for side, other in sides:
            needed = needs(spec, other)
            if isinstance(side, ast.Name) and side.id in spec.inputs and side.id not in needed:
                value = Expression(ast.unparse(other), other, condition.place)
                found.append(Equation(side.id, spec.inputs[side.id], value, needed))
    return found


def needs(spec: Spec, tree: ast.AST) -> frozenset[str]:
    """The inputs that an expression may read, through lets and definitions too."""
    found: set[str] = set()
    seen: set[str] = set()
    queue: list[ast.AST] = [tree]
    while queue:
        for node in ast.walk(queue.pop()):
            if not isinstance(node, ast.Name) or node.id in seen:
                continue
            seen.add(node.id)
            if node.id in spec.inputs:
                found.add(node.id)
            elif node.id in spec.lets:
                queue.append(spec.lets[node.id].tree)
            elif node.id in spec.definitions:
                queue.append(spec.definitions[node.id].body.tree)
    return frozenset(found)


def conjuncts(tree: ast.expr) -> list[ast.expr]:
    """The operands of a top-level ``and``, or the expression itself."""
    if isinstance(tree, ast.BoolOp) and isinstance(tree.op, ast.And):
        return [part for operand in tree.values for part in conjuncts(operand)]
    return [tree]


def _input_of(tree: ast.AST, runs: Sequence[str], inputs: Collection[str]) -> tuple[str, str] | None:
    match tree:
        case ast.Attribute(value=ast.Name(id=run), attr=name) if run in runs and name in inputs:
            return run, name
        case _:
            return None


def _inputs_in(tree: ast.AST, runs: Sequence[str]) -> set[tuple[str, str]]:
    """What a side needs to be known; a let or definition of a run may need any of its inputs."""
    return {
        (node.value.id, node.attr)
        for node in ast.walk(tree)
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id in runs
    }


def _ordered(found: list[Assignment], runs: Sequence[str]) -> list[Assignment]:
    """Those first whose right sides need no other target; a circle is cut where it is met."""
    ordered: list[Assignment] = []
    while found:
        targets = {(a.run, a.name) for a in found}
        ready = [a for a in found if not _inputs_in(a.value.tree, runs) & targets] or found[:1]
        ordered += ready
        found = [a for a in found if a not in ready]
    return ordered


def as_input(type_: Type, value: Any) -> Any:
    """An expression's value in the form in which an input of the type is held (decimals with their places)."""
    match type_:
        case OptionalType(of=of):
            return None if value is None else as_input(of, value)
        case DecimalType(places=places) if isinstance(value, (int, Fraction)):
            return WrittenDecimal(Fraction(value), fewest_places(Fraction(value), places))
        case FloatType() if isinstance(value, (int, Fraction)):
            return Fraction(float(value))
        case ListType(item=item):
            return in_form(type_, [as_input(item, element) for element in value])
        case TupleType(items=items):
            return tuple(as_input(item, element) for item, element in zip(items, value, strict=False))
        case RecordType(name=name, fields=fields) if isinstance(value, Record):
            return Record(name, {field: as_input(of, value.fields[field]) for field, of in fields})
        case DictType(key=key, value=of):
            return {as_input(key, k): as_input(of, v) for k, v in value.items()}
        case _:
            return value
