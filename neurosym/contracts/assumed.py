"""The ranges that inputs get where no contract bounds them: a proof needs some, and they are said with the verdict.

What contracts say of a range, they say as preconditions (``0 <= x``, ``len(xs) <= 12``, ``x == round(x, 2)``). Each
stays a precondition of the spec whatever is made of it here; here it only keeps a range from being assumed.
"""

from __future__ import annotations

import ast
import math
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import TypeAlias

from neurosym.contracts.conditions import Condition, Input
from neurosym.contracts.kinds import Kind
from neurosym.contracts.program import Program

LARGEST = Fraction(1_000_000)
PLACES = 4
MOST_ITEMS = 5
MOST_CHARACTERS = 12
LARGEST_DENOMINATOR = 1_000

Constant: TypeAlias = Callable[[ast.expr], Kind | None]
"""The kind of an expression that is one number or date whatever the inputs are; None for any other."""

_TURNED: Mapping[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.Gt, ast.LtE: ast.GtE, ast.Gt: ast.Lt, ast.GtE: ast.LtE, ast.Eq: ast.Eq,
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Ranged:
    """An input's kind with all its bounds, and what of them is ``assumed``, in words."""

    kind: Kind
    assumed: tuple[str, ...]


def ranged(name: str, kind: Kind, conditions: Iterable[Condition], constant: Constant, program: Program) -> Ranged:
    """The kind of an input with bounds: those that preconditions say, and where they say none, those assumed here."""
    hidden = {each for each in ("len", "round") if program.names.is_bound(each) or program.names.is_imported(each)}
    for condition in conditions:
        if not (kind.optional or kind.choices or hidden):
            for part in _conjuncts(condition.expression):
                kind = _narrowed(name, kind, part, condition, constant)
    return _filled(kind, "")


def _conjuncts(node: ast.expr) -> Iterator[ast.expr]:
    """The parts that all hold where a condition does: of ``and``, and of a chained comparison."""
    match node:
        case ast.BoolOp(op=ast.And(), values=values):
            for each in values:
                yield from _conjuncts(each)
        case ast.Compare(left=left, ops=ops, comparators=right):
            for before, op, after in zip([left, *right], ops, right, strict=False):
                yield ast.Compare(left=before, ops=[op], comparators=[after])
        case _:
            yield node


def _narrowed(name: str, kind: Kind, part: ast.expr, condition: Condition, constant: Constant) -> Kind:
    match part:
        case ast.Compare(left=left, ops=[op], comparators=[right]):
            pass
        case _:
            return kind
    turned = _TURNED.get(type(op))
    if turned is None:
        return kind
    if (
        _is(left, name, condition)
        and isinstance(op, ast.Eq)
        and (places := _rounded(right, name, condition)) is not None
    ):
        return replace(kind, places=places) if kind.word == "decimal" and kind.places is None else kind
    sides = ((left, type(op), right), (right, turned, left))
    for here, how, there in sides:
        size = _is_len(here, name, condition)
        if not (size or _is(here, name, condition)):
            continue
        found = None if _has_arguments(there, condition) else constant(there)
        if found is None or found.low is None or found.low != found.high:
            continue
        if size and found.word == "int" and kind.word in ("list", "tuple", "str"):
            most = int(found.low) - (how is ast.Lt)
            if how in (ast.Lt, ast.LtE, ast.Eq) and most >= 0 and (kind.max_len is None or most < kind.max_len):
                return replace(kind, max_len=most)
        elif not size and ((kind.is_number and found.is_number) or kind.word == found.word == "date"):
            return _bounded(kind, how, found.low)
    return kind


def _bounded(kind: Kind, how: type[ast.cmpop], value: Fraction) -> Kind:
    """The kind below or above a value; that itself stays in the range where the comparison leaves it out."""
    low, high = kind.low, kind.high
    if how in (ast.GtE, ast.Gt, ast.Eq):
        low = value if low is None else max(low, value)
    if how in (ast.LtE, ast.Lt, ast.Eq):
        high = value if high is None else min(high, value)
    if low is not None and high is not None and low > high:
        return kind  # nothing is valid: the preconditions say so, and the spec is vacuous
    return replace(kind, low=low, high=high)


def _is(node: ast.expr, name: str, condition: Condition) -> bool:
    match node:
        case ast.Name(id=written):
            meant = condition.scope.get(written)
        case ast.Attribute(value=ast.Name(id=written), attr=attribute):
            whole = condition.scope.get(written)
            meant = getattr(whole, "of", {}).get(attribute)
        case _:
            return False
    return meant == Input(name)


def _has_arguments(node: ast.expr, condition: Condition) -> bool:
    """Whether an expression speaks of an argument; that may be called like a constant of the module."""
    return any(isinstance(each, ast.Name) and each.id in condition.scope for each in ast.walk(node))


def _is_len(node: ast.expr, name: str, condition: Condition) -> bool:
    match node:
        case ast.Call(func=ast.Name(id="len"), args=[inner], keywords=[]):
            return _is(inner, name, condition)
        case _:
            return False


def _rounded(node: ast.expr, name: str, condition: Condition) -> int | None:
    """The places of ``round(x, 2)``."""
    match node:
        case ast.Call(func=ast.Name(id="round"), args=[inner, ast.Constant(value=int(places))], keywords=[]):
            return places if 0 <= places <= 20 and _is(inner, name, condition) else None
        case _:
            return None


def _filled(kind: Kind, of: str) -> Ranged:
    """The kind with what is missing assumed; ``of`` says whose, where it is a part of the input."""
    assumed: list[str] = []
    if kind.is_number and not kind.choices:
        low, high = kind.low, kind.high
        if low is None:
            low = -LARGEST if high is None or high > -LARGEST else high - LARGEST
            assumed.append(f"{of}at least {_number(low)}")
        if high is None:
            high = LARGEST if low < LARGEST else low + LARGEST
            assumed.append(f"{of}at most {_number(high)}")
        kind = replace(kind, low=low, high=high)
        if kind.word == "decimal":
            kind = _on_grid(replace(kind, places=PLACES if kind.places is None else kind.places))
            assumed.append(f"{of}written with 0 to {kind.places} decimals")
        if kind.word in ("decimal", "float"):
            assumed.append(f"{of}finite and no negative zero")
        if kind.word == "fraction":
            assumed.append(f"{of}a denominator of at most {_number(Fraction(LARGEST_DENOMINATOR))}")
    elif kind.word == "str" and not kind.choices and kind.max_len is None:
        kind = replace(kind, max_len=MOST_CHARACTERS)
        assumed.append(f"{of}at most {MOST_CHARACTERS} characters")
    elif kind.word in ("list", "tuple"):
        item = kind.item
        if item is not None:
            if kind.max_len is None:
                kind = replace(kind, max_len=MOST_ITEMS)
                assumed.append(f"{of}at most {MOST_ITEMS} items")
            inner = _filled(item, f"{of}each item ")
            kind, assumed = replace(kind, item=inner.kind), [*assumed, *inner.assumed]
        else:
            filled = [_filled(part, f"{of}item {place} ") for place, part in enumerate(kind.items)]
            kind = replace(kind, items=tuple(part.kind for part in filled))
            assumed += [word for part in filled for word in part.assumed]
    return Ranged(kind, tuple(assumed))


def _on_grid(kind: Kind) -> Kind:
    """The Decimals with bounds that have no more places than they have."""
    assert kind.low is not None
    assert kind.high is not None
    assert kind.places is not None
    unit = 10**kind.places
    return replace(
        kind, low=Fraction(math.floor(kind.low * unit), unit), high=Fraction(math.ceil(kind.high * unit), unit)
    )


def _number(value: Fraction) -> str:
    return f"{value.numerator:,}" if value.denominator == 1 else f"{float(value):,}"
