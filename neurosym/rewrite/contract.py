"""Checks at run time what the caller promises: that each plain input is of its type and inside its range."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import libcst as cst
from neurosym_specs.notation import to_source
from neurosym_specs.signature import python_annotation
from neurosym_specs.types import BoolType, DateType, DecimalType, FloatType, FractionType, IntType, StrType, Type

from neurosym.rewrite.draft import Draft
from neurosym.rewrite.edits import Edit
from neurosym.rewrite.mend.annotations import is_meant

_PLAIN = IntType | DecimalType | FractionType | FloatType | BoolType | StrType | DateType
_RANGED = IntType | DecimalType | FractionType | DateType


def find(draft: Draft) -> Sequence[Edit]:
    """Puts the checks at the start of the function that the spec names, behind its docstring.

    All of them, or none: where an input has no name of its own, or its type is called otherwise, nothing is done.
    """
    if not draft.is_code:
        return ()
    functions = [
        each for each in draft.concrete.body if isinstance(each, cst.FunctionDef) and each.name.value == draft.spec.name
    ]
    if len(functions) != 1 or not isinstance(functions[0].body, cst.IndentedBlock):
        return ()
    (function,) = functions
    names = [each.name.value for each in (*function.params.posonly_params, *function.params.params)]
    types = draft.spec.inputs.values()
    if len(names) < len(types) or not all(
        is_meant(draft, python_annotation(each)) for each in types if isinstance(each, _PLAIN)
    ):
        return ()
    lines = [line for name, type_ in zip(names, types, strict=False) for line in _checks(name, type_)]
    body = function.body.body
    first = body[1] if function.get_docstring() is not None and len(body) > 1 else body[0]
    start = draft.span(first)[0]
    if isinstance(first, cst.FunctionDef | cst.ClassDef) and first.decorators:
        start = draft.span(first.decorators[0])[0]
    indent = draft.indent_at(start)
    if not lines or indent.strip():
        return ()
    inner = indent + (draft.concrete.default_indent.rpartition("\f")[2] or "    ")
    text = "".join(
        f"{condition}:{draft.newline}{inner}{consequence}{draft.newline}{indent}" for condition, consequence in lines
    )
    return [Edit(start, start, text)]


def _checks(name: str, type_: Type) -> Iterator[tuple[str, str]]:
    """Conditions, each with what is raised where it holds."""
    if not isinstance(type_, _PLAIN):
        return
    kind = python_annotation(type_)
    yield f"if not isinstance({name}, {kind})", f'raise TypeError("{name} must be of the type {kind}")'
    if not isinstance(type_, _RANGED) or type_.also or type_.choices is not None:
        return
    if isinstance(type_, DecimalType) and (type_.nan or type_.infinity):
        return
    if isinstance(type_, DateType):
        low: str | None = to_source(type_, type_.min)
        high: str | None = to_source(type_, type_.max)
    else:
        low = None if type_.min is None else _number(type_, type_.min)
        high = None if type_.max is None else _number(type_, type_.max)
    if low and high:
        yield f"if not {low} <= {name} <= {high}", f'raise ValueError("{name} is outside of its range")'
    elif low or high:
        condition = f"{name} < {low}" if low else f"{name} > {high}"
        yield f"if {condition}", f'raise ValueError("{name} is outside of its range")'


def _number(type_: Type, value: object) -> str:
    return str(value) if isinstance(type_, IntType) else to_source(type_, value)
