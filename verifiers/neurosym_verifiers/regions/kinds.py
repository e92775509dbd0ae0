"""Which inputs and results regions are known for, and whether two results are of one kind.

What is not among them is said to be not read: a table or a comparison with less than all in it would mislead.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from neurosym_specs.types import (
    DictType,
    ListType,
    SetType,
    StrType,
    Type,
    inner_types,
)

from neurosym_verifiers.reading.data.values import (
    Bool,
    Day,
    Dec,
    Guarded,
    Int,
    Maybe,
    Member,
    NoneValue,
    NotRead,
    Ratio,
    Record,
    Table,
    Text,
    Value,
)
from neurosym_verifiers.reading.data.values import Sequence as Items
from neurosym_verifiers.reading.execution.state import Exit, Returned
from neurosym_verifiers.reading.floats.reals import RealTest
from neurosym_verifiers.reading.formulas.walking import parts_of

_SINGLE = (Int, Dec, Ratio, Bool, Day, Member, Text, NoneValue)
_MANY: Mapping[type[Type], str] = {ListType: "a list", DictType: "a dict", SetType: "a set"}
_RESULTS: Mapping[type, str] = {
    Guarded: "a list whose length varies",
    Record: "a record",
    Table: "a dict",
    Maybe: "a tuple or list with an optional value in it",
}


def check_inputs(types: Mapping[str, Type]) -> None:
    """Raises ``NotRead`` unless each input is a single value, or is made of a fixed number of them."""
    for name, type_ in types.items():
        inside = [type_]
        for each in inside:  # grows while it is gone through
            inside += inner_types(each)
            kind = next((words for many, words in _MANY.items() if isinstance(each, many)), None)
            if isinstance(each, StrType) and each.choices is None:
                kind = "a text without choices"
            if kind is not None:
                which = "which is" if each is type_ else "in which is"
                raise NotRead(f"the input {name}, {which} {kind} (regions are known for a fixed number of values)")


def check_results(exits: Sequence[Exit]) -> None:
    """Raises ``NotRead`` unless every result, and the condition on which it comes, can be taken apart and shown."""
    for end in exits:
        if any(isinstance(part, RealTest) for part in parts_of(end.condition)):
            raise NotRead("a condition on a power or a real function of floats or Decimals", end.line)
        if isinstance(end.outcome, Returned):
            value = end.outcome.value
            _check(value.value if isinstance(value, Maybe) else value, end.line)


def _check(value: Value, line: int) -> None:
    if isinstance(value, Items):
        for item in value.items:
            _check(item, line)
    elif not isinstance(value, _SINGLE):
        kind = _RESULTS.get(type(value), "of a kind that has no regions")
        raise NotRead(f"a result that is {kind} (regions are known for single values and tuples)", line)


def same_kind(one: Value, other: Value) -> bool:
    """Whether two results are of one type in Python; if not, they differ whatever their values."""
    match one, other:
        case Items(), Items():
            alike = one.is_list == other.is_list and len(one.items) == len(other.items)
            return alike and all(map(same_kind, one.items, other.items))
        case ((Text() | Member()), (Text() | Member())):
            return _class_of(one) == _class_of(other)
        case _:
            return type(one) is type(other)


def _class_of(value: Text | Member) -> str:
    """The enum's class; empty for a text."""
    return value.kind if isinstance(value, Member) else ""
