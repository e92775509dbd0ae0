"""Python's sets: making them, what they have in common, changing them.

Members that are texts, or members of enums, are known by name, each there under its condition (``KeySet``). Others are
only compared (``ItemSet``); some may be there twice, and one is counted where no equal one stands before it.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping
from collections.abc import Sequence as Many
from typing import Any

from neurosym_verifiers.reading.data.comparing import check_hashable, compare, keys_of, subset
from neurosym_verifiers.reading.data.exceptions import KEY_ERROR
from neurosym_verifiers.reading.data.items import Items, items_of
from neurosym_verifiers.reading.data.values import (
    Bool,
    Day,
    Days,
    Int,
    ItemSet,
    KeySet,
    Member,
    NoneValue,
    NotRead,
    Ref,
    Text,
    Value,
)
from neurosym_verifiers.reading.execution.state import State
from neurosym_verifiers.reading.formulas.normal_forms import both, either, negated
from neurosym_verifiers.reading.formulas.terms import FALSE, TRUE, Condition

SETS = (KeySet, ItemSet)

_ONE_OF_A_KIND = (Int, Day, Days, Text, Member)
"""Equal values of these types cannot be told apart, so that it does not matter which of two a set keeps."""


def new_set(items: Items, state: State, line: int) -> Ref:
    return state.new(set_of(items, line))


def set_of(items: Items, line: int) -> KeySet | ItemSet:
    """Of texts and members of enums, each is known by name; other items are only compared."""
    for _, item in items:
        check_hashable(item, line)
    present: dict[Any, Condition] = {}
    for there, item in items:
        if not isinstance(item, (Text, Member)):
            return ItemSet(items)
        for key, here in keys_of(item):
            present[key] = either(present.get(key, FALSE), both(there, here))
    return KeySet(present)


def set_from(content: Value, line: int) -> KeySet | ItemSet:
    """``set(content)``."""
    if isinstance(content, (KeySet, ItemSet)):
        return content
    return set_of(items_of(content, line, any_order=True), line)


def set_operation(op: ast.operator, a: KeySet | ItemSet, b: KeySet | ItemSet, line: int) -> KeySet | ItemSet:
    """``a | b``, ``a & b``, ``a - b`` or ``a ^ b``."""
    a, b = _of_one_form(a, b, line)
    if isinstance(a, KeySet) and isinstance(b, KeySet):
        keys = dict.fromkeys((*a.present, *b.present))
        pairs = {key: (a.present.get(key, FALSE), b.present.get(key, FALSE)) for key in keys}
        return KeySet({key: _operated(op, p, q, line) for key, (p, q) in pairs.items()})
    assert isinstance(a, ItemSet)
    assert isinstance(b, ItemSet)
    match op:
        case ast.BitOr():
            return ItemSet((*a.items, *b.items))
        case ast.BitAnd():
            _check_alike((*a.items, *b.items), line)
            return ItemSet(tuple((both(there, _within(item, b, line)), item) for there, item in a.items))
        case ast.Sub():
            return ItemSet(tuple((both(there, negated(_within(item, b, line))), item) for there, item in a.items))
        case ast.BitXor():
            one, other = (set_operation(ast.Sub(), *pair, line) for pair in ((a, b), (b, a)))
            return set_operation(ast.BitOr(), one, other, line)
        case _:
            raise NotRead(f"{type(op).__name__} of sets", line)


def _of_one_form(a: KeySet | ItemSet, b: KeySet | ItemSet, line: int) -> tuple[KeySet | ItemSet, KeySet | ItemSet]:
    """Both known by name, or neither."""
    if type(a) is type(b):
        return a, b
    if not (a.present if isinstance(a, KeySet) else a.items):
        return (KeySet({}) if isinstance(b, KeySet) else ItemSet(())), b
    if not (b.present if isinstance(b, KeySet) else b.items):
        return a, (KeySet({}) if isinstance(a, KeySet) else ItemSet(()))
    one, other = (
        ItemSet(items_of(each, line, any_order=True)) if isinstance(each, KeySet) else each for each in (a, b)
    )
    return one, other


def _operated(op: ast.operator, p: Condition, q: Condition, line: int) -> Condition:
    match op:
        case ast.BitOr():
            return either(p, q)
        case ast.BitAnd():
            return both(p, q)
        case ast.Sub():
            return both(p, negated(q))
        case ast.BitXor():
            return either(both(p, negated(q)), both(negated(p), q))
        case _:
            raise NotRead(f"{type(op).__name__} of sets", line)


def _within(item: Value, content: KeySet | ItemSet, line: int) -> Condition:
    return compare(ast.In(), item, content, line)


def _check_alike(items: Items, line: int) -> None:
    """Raises ``NotRead`` where it may matter which of two equal members is kept."""
    kinds = {type(item) for _, item in items}
    if len(kinds) > 1 or not all(isinstance(item, _ONE_OF_A_KIND) for _, item in items):
        raise NotRead("what sets of such values have in common", line)


_OPERATORS: Mapping[str, ast.operator] = {
    "union": ast.BitOr(),
    "update": ast.BitOr(),
    "intersection": ast.BitAnd(),
    "intersection_update": ast.BitAnd(),
    "difference": ast.Sub(),
    "difference_update": ast.Sub(),
    "symmetric_difference": ast.BitXor(),
}
_CHANGES = frozenset({"update", "intersection_update", "difference_update", "add", "discard", "remove", "clear"})


def set_method(
    of: Value, name: str, arguments: Many[Value], keywords: Mapping[str, Value], state: State, line: int
) -> Value:
    """A method of a set, which lies in the heap, or of a frozenset, which does not."""
    content = state.top(of)
    assert isinstance(content, (KeySet, ItemSet))
    if keywords or (name in _CHANGES and not isinstance(of, Ref)):
        raise NotRead(f"the method {name} of a set with these arguments", line)
    match name, arguments:
        case _, _ if name in _OPERATORS:
            for argument in arguments:
                content = set_operation(_OPERATORS[name], content, set_from(state.top(argument), line), line)
            return _result(of, name, content, state, line)
        case "issubset" | "issuperset" | "isdisjoint", [argument]:
            other = set_from(state.top(argument), line)
            if name == "isdisjoint":
                return Bool(disjoint(content, other, line))
            return Bool(subset(content, other, line) if name == "issubset" else subset(other, content, line))
        case "copy", []:
            return _result(of, name, content, state, line)
        case "clear", []:
            return _result(of, name, KeySet({}), state, line)
        case "add", [item]:
            return _result(
                of, name, set_operation(ast.BitOr(), content, set_of(((TRUE, item),), line), line), state, line
            )
        case "discard" | "remove", [item]:
            there = _within(item, content, line)
            if name == "remove":
                state.raise_if(negated(there), KEY_ERROR, line)
            less = set_operation(ast.Sub(), content, set_of(((TRUE, item),), line), line)
            return _result(of, name, less, state, line)
        case _:
            raise NotRead(f"the method {name} of a set", line)


def disjoint(a: KeySet | ItemSet, b: KeySet | ItemSet, line: int) -> Condition:
    """Whether two sets have nothing in common."""
    a, b = _of_one_form(a, b, line)
    if isinstance(a, KeySet) and isinstance(b, KeySet):
        return negated(either(*(both(here, b.present.get(key, FALSE)) for key, here in a.present.items())))
    assert isinstance(a, ItemSet)
    return negated(either(*(both(there, _within(item, b, line)) for there, item in a.items)))


def _result(of: Value, name: str, content: KeySet | ItemSet, state: State, line: int) -> Value:
    """What the method gives: a new set of the kind that it is of, or None, and then that set is another."""
    if name in _CHANGES and isinstance(of, Ref):
        state.change(of, content, line)
        return NoneValue()
    return state.new(content) if isinstance(of, Ref) else content
