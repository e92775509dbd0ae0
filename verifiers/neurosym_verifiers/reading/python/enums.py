"""The enums of a program: their classes, their members, and what a member says of itself.

A member of an ``IntEnum``, or of a class that is a ``str`` and an ``Enum``, is a number or a text as well. What is
computed or compared with it is computed with that (``as_data``); as a result, or as a key that is put into a dict, it
stays what it is, and is not read.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping
from collections.abc import Sequence as Many
from dataclasses import dataclass, field
from typing import Any

from neurosym_verifiers.reading.data.comparing import compare
from neurosym_verifiers.reading.data.exceptions import KEY_ERROR, VALUE_ERROR
from neurosym_verifiers.reading.data.operations import constant
from neurosym_verifiers.reading.data.values import DataMember, Int, Member, NotRead, Text, Value, as_data
from neurosym_verifiers.reading.execution.state import State
from neurosym_verifiers.reading.formulas.normal_forms import choose, either, negated
from neurosym_verifiers.reading.formulas.terms import Condition, Term, number
from neurosym_verifiers.reading.python.class_methods import Methods


@dataclass(frozen=True, slots=True)
class EnumClass:
    """An ``Enum`` with known members. ``defined``: their names in the order in which going through the class has them.

    ``data``: whether its members are of that type as well (``int`` or ``str``), or empty.
    """

    name: str
    members: tuple[str, ...]
    values: tuple[Any, ...]
    defined: tuple[str, ...]
    data: str = ""
    methods: Methods = field(default_factory=Methods)

    def in_order(self, names: tuple[str, ...]) -> EnumClass:
        """The class with its members counted in another order. Raises ``NotRead`` where they are others."""
        if set(names) != set(self.members):
            raise NotRead(f"the class {self.name}, whose members are not the spec's")
        values = tuple(self.values[self.members.index(name)] for name in names)
        return EnumClass(self.name, names, values, self.defined, self.data, self.methods)


FORMS: Mapping[tuple[str, ...], str] = {
    ("enum.Enum",): "",
    ("enum.IntEnum",): "int",
    ("enum.StrEnum",): "str",
    ("int", "enum.Enum"): "int",
    ("str", "enum.Enum"): "str",
}
"""What the members of a class with these bases are as well, empty for nothing."""

_TYPES: Mapping[str, tuple[type, ...]] = {"": (int, str), "int": (int,), "str": (str,)}
_TAKEN = frozenset({"name", "value", "mro"})


def members_in(
    statement: ast.ClassDef, data: str, is_auto: Callable[[ast.expr], bool]
) -> tuple[dict[str, Any], list[ast.FunctionDef]]:
    """The members of a class with their values, and its functions. ``is_auto``: whether an expression is ``auto()``.

    Raises ``NotRead``.
    """
    members: dict[str, Any] = {}
    functions: list[ast.FunctionDef] = []
    for part in statement.body:
        match part:
            case ast.Assign(targets=[ast.Name(id=name)], value=value):
                if name.startswith("_") or name in members or name in _TAKEN:
                    raise NotRead(f"the member {name} of {statement.name}", part.lineno)
                found = _value_of(value, members, is_auto(value))
                if type(found) not in _TYPES[data] or found in members.values():
                    raise NotRead(f"the member {name} of {statement.name}", part.lineno)
                members[name] = found
            case ast.FunctionDef():
                functions.append(part)
            case ast.Expr(value=ast.Constant(value=str())) | ast.Pass():
                pass
            case _:
                raise NotRead(f"the class {statement.name}", part.lineno)
    return members, functions


def _value_of(node: ast.expr, before: Mapping[str, Any], is_auto: bool) -> Any:
    """The value that a member is given: a literal, or one more than the last of numbers that go up. None: another."""
    match node:
        case ast.Constant(value=value):
            return value
        case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int() as value)):
            return -value
        case ast.Call() if is_auto:
            numbers = list(before.values())
            if all(type(each) is int for each in numbers) and numbers == sorted(numbers):
                return numbers[-1] + 1 if numbers else 1
    return None


def member(enum: EnumClass, index: Term) -> Member | DataMember:
    """The member at a place."""
    found = Member(enum.name, enum.members, index)
    return DataMember(found, _data_at(enum, index)) if enum.data else found


def member_at(enum: EnumClass, name: str, line: int) -> Value:
    """``Band.LOW``."""
    if name not in enum.members:
        raise NotRead(f"{enum.name}.{name}", line)
    return member(enum, number(enum.members.index(name)))


def all_members(enum: EnumClass) -> list[Value]:
    """What going through the class gives."""
    return [member(enum, number(enum.members.index(name))) for name in enum.defined]


def member_of(enum: EnumClass, wanted: Value, state: State, line: int) -> Value:
    """``Band(value)``: the member with a value; none raises ``ValueError``."""
    if isinstance(wanted, (Member, DataMember)) and _plain(wanted).kind == enum.name:
        return wanted
    wanted = as_data(wanted)
    is_number = isinstance(wanted, Int) and all(type(value) is int for value in enum.values)
    is_text = _is_text(wanted) and all(type(value) is str for value in enum.values)
    if not is_number and not is_text:
        raise NotRead(f"{enum.name}() of this", line)
    return _found(enum, wanted, enum.values, VALUE_ERROR, state, line)


def member_named(enum: EnumClass, name: Value, state: State, line: int) -> Value:
    """``Band[name]``; a name that no member has raises ``KeyError``."""
    if not _is_text(name):
        raise NotRead(f"{enum.name}[] of this", line)
    return _found(enum, name, enum.members, KEY_ERROR, state, line)


def _is_text(value: Value) -> bool:
    return isinstance(value, Text) or (isinstance(value, Member) and not value.kind)


def _found(enum: EnumClass, wanted: Value, among: Many[Any], names: tuple[str, ...], state: State, line: int) -> Value:
    """The member at whose place the wanted number or text stands among others."""
    index = number(0)
    hits: list[Condition] = []
    for i, value in enumerate(among):
        hits.append(compare(ast.Eq(), wanted, constant(value, line), line))
        index = choose(hits[-1], number(i), index)
    state.raise_if(negated(either(*hits)), names, line)
    return member(enum, index)


def said_of(value: Member | DataMember, name: str, enum: EnumClass) -> Value | None:
    """The ``value`` or the ``name`` of a member; None for any other attribute."""
    index = _plain(value).index
    if name == "name":
        return _text_at(enum.members, index)
    return _data_at(enum, index) if name == "value" else None


def kind_of(value: Value) -> str:
    """The class of a member of an enum; empty for anything else."""
    return _plain(value).kind if isinstance(value, (Member, DataMember)) else ""


def _plain(value: Member | DataMember) -> Member:
    return value.member if isinstance(value, DataMember) else value


def _data_at(enum: EnumClass, index: Term) -> Value:
    """The value of the member at a place, where they are all numbers, or all texts."""
    if all(type(value) is str for value in enum.values):
        return _text_at(enum.values, index)
    if not all(type(value) is int for value in enum.values):
        raise NotRead(f"the values of {enum.name}, which are of several types")
    if index.constant is not None:
        return Int(number(enum.values[index.constant]))
    first = enum.values[0]
    if all(value == first + i for i, value in enumerate(enum.values)):
        return Int(index + number(first))
    found = number(enum.values[-1])
    for i, value in reversed(list(enumerate(enum.values[:-1]))):
        found = choose(compare(ast.Eq(), Int(index), Int(number(i)), 0), number(value), found)
    return Int(found)


def _text_at(texts: tuple[str, ...], index: Term) -> Value:
    return Text(texts[index.constant]) if index.constant is not None else Member("", texts, index)
