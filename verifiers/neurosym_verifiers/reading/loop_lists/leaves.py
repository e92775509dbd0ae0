"""The numbers in a value, which tell it from others of its form, and the value again from these."""

from __future__ import annotations

from collections.abc import Sequence as Many
from dataclasses import replace

from neurosym_verifiers.reading.data.values import (
    Bool,
    Dec,
    Int,
    NoneValue,
    NotRead,
    Ratio,
    Record,
    Sequence,
    Table,
    Text,
    Value,
)
from neurosym_verifiers.reading.formulas.normal_forms import choose, equal
from neurosym_verifiers.reading.formulas.terms import Term, number


def leaves_of(value: Value) -> list[Term]:
    """The numbers that tell a value from others of its form. Raises ``NotRead``."""
    match value:
        case Int(term=term):
            return [term]
        case Bool(condition=condition):
            return [choose(condition, number(1), number(0))]
        case Dec(num=num):
            return [num]
        case Ratio(num=num, den=den) if den.constant is not None:
            return [num]
        case Text() | NoneValue():
            return []
        case Sequence(items=items):
            return [leaf for item in items for leaf in leaves_of(item)]
        case Record(fields=fields):
            return [leaf for _, part in fields for leaf in leaves_of(part)]
        case Table(entries=entries, present=present) if not present:
            return [leaf for entry in entries.values() for leaf in leaves_of(entry)]
        case _:
            raise NotRead(f"a {type(value).__name__} in a list that a loop of many rounds makes")


def with_leaves(form: Value, leaves: Many[Term]) -> Value:
    """The value of this form with these numbers in it."""
    left = list(leaves)
    made = _with_leaves(form, left)
    assert not left
    return made


def _with_leaves(form: Value, left: list[Term]) -> Value:
    match form:
        case Int():
            return Int(left.pop(0))
        case Bool():
            return Bool(equal(left.pop(0), number(1)))
        case Dec():
            return replace(form, num=left.pop(0))
        case Ratio():
            return replace(form, num=left.pop(0))
        case Sequence(items=items):
            return replace(form, items=tuple(_with_leaves(item, left) for item in items))
        case Record(fields=fields):
            return replace(form, fields=tuple((name, _with_leaves(part, left)) for name, part in fields))
        case Table(entries=entries):
            return replace(form, entries={key: _with_leaves(entry, left) for key, entry in entries.items()})
        case _:
            return form


def form_of(value: Value) -> Value:
    """What a value has in common with all others of its form."""
    return with_leaves(value, [number(0)] * len(leaves_of(value)))


def exact_like(value: Value, other: Value) -> Value:
    """The value with a whole number of the spec's language as a quotient wherever the other has one."""
    match value, other:
        case Int(term=term), Ratio():
            return Ratio(term, number(1))
        case Sequence(items=items), Sequence(items=its) if len(items) == len(its):
            return replace(value, items=tuple(map(exact_like, items, its)))
        case Record(fields=fields), Record(fields=its) if value.names == other.names:
            parts = zip(fields, its, strict=True)
            return replace(value, fields=tuple((name, exact_like(part, like)) for (name, part), (_, like) in parts))
        case _:
            return value


def as_number(value: Value) -> tuple[Term, int]:
    """A number of the spec's language as a numerator over a known denominator. Raises ``NotRead``."""
    match value:
        case Int(term=term):
            return term, 1
        case Ratio(num=num, den=den) if den.constant is not None:
            return num, den.constant
        case _:
            raise NotRead(f"a sum over many rounds of a {type(value).__name__}")
