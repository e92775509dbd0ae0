"""What Python's operators say of texts that vary: equality, order, ``in``, ``+``, ``*`` and ``%``."""

from __future__ import annotations

import ast
from collections.abc import Callable
from collections.abc import Sequence as Many
from itertools import product
from typing import TYPE_CHECKING, Any

from neurosym_verifiers.reading.data.values import (
    Bool,
    Int,
    Member,
    NoneValue,
    NotRead,
    Sequence,
    Text,
    Value,
)
from neurosym_verifiers.reading.execution.merging import merged
from neurosym_verifiers.reading.formulas.narrowing import may_hold
from neurosym_verifiers.reading.formulas.normal_forms import below, both, either, equal, negated, within
from neurosym_verifiers.reading.formulas.terms import FALSE, TRUE, Condition, number
from neurosym_verifiers.reading.texts.characters import (
    Cells,
    all_there,
    cells_of,
    choices_of,
    equal_cells,
    is_text,
    text_of,
)
from neurosym_verifiers.reading.texts.codepoints import characters

if TYPE_CHECKING:
    from neurosym_verifiers.reading.execution.state import State

_MOST_CHOICES = 200
_LONGEST = 2_000


def equal_texts(a: Value, b: Value) -> Condition:
    """``a == b``."""
    for one, other in ((a, b), (b, a)):
        if isinstance(one, Member):
            return either(*(both(here, equal_texts(Text(name), other)) for name, here in choices_of(one)))
    return equal_cells(cells_of(a), cells_of(b))


def text_before(a: Cells, b: Cells) -> Condition:
    """``a < b``, by code points."""
    if not all_there(a) or not all_there(b):
        raise NotRead("the order of texts whose length varies")
    answer: Condition = TRUE if len(a) < len(b) else FALSE
    for (_, x), (_, y) in reversed(list(zip(a, b, strict=False))):
        answer = either(below(x, y), both(equal(x, y), answer))
    return answer


def contains_text(whole: Value, part: Value) -> Condition:
    """``part in whole``."""
    for value in (whole, part):
        if isinstance(value, Member):
            others = [
                (contains_text(Text(n), part) if value is whole else contains_text(whole, Text(n)), here)
                for n, here in choices_of(value)
            ]
            return either(*(both(here, holds) for holds, here in others))
    cells, wanted = cells_of(whole), cells_of(part)
    if isinstance(whole, Text) and len(wanted) == 1:
        there, code = wanted[0]
        return either(negated(there), within(code, characters(whole.value)))
    return either(*(starting_at(cells, wanted, at) for at in range(len(cells) + 1)))


def starting_at(cells: Cells, wanted: Cells, at: int) -> Condition:
    """Whether a text of known length stands in another at a place.

    Where the other's characters may be missing, only single ones are looked for. Raises ``NotRead``.
    """
    if not all_there(wanted):
        raise NotRead("a search for a text whose length varies")
    if not wanted:
        return TRUE
    found = cells[at : at + len(wanted)]
    if len(found) < len(wanted):
        return FALSE
    if not all_there(cells) and len(wanted) > 1:
        raise NotRead("a search for several characters in a text whose length varies")
    return both(*(both(there, equal(x, y)) for (there, x), (_, y) in zip(found, wanted, strict=True)))


def text_operation(op: ast.operator, a: Value, b: Value, state: State, line: int) -> Value:
    """``a + b``, ``a * n`` or ``a % b`` of a text."""
    match op:
        case ast.Add() if is_text(b):
            joined = over_choices([a, b], lambda x, y: x + y) or text_of((*cells_of(a), *cells_of(b)))
            if len(joined.value if isinstance(joined, Text) else cells_of(joined)) > _LONGEST:
                raise NotRead(f"a text of more than {_LONGEST} characters", line)
            return joined
        case ast.Mult() if isinstance(b, Int) and b.term.constant is not None:
            cells = cells_of(a)
            if len(cells) * b.term.constant > _LONGEST:
                raise NotRead(f"a text of more than {_LONGEST} characters", line)
            return text_of(cells * b.term.constant)
        case ast.Mod():
            parts = b.items if isinstance(b, Sequence) and not b.is_list else (b,)
            found = over_choices([a, *parts], lambda form, *of: form % of) if all(map(is_text, parts)) else None
            if found is not None:
                return found
    raise NotRead(f"{type(op).__name__} of a text and a {type(b).__name__}", line)


def over_choices(values: Many[Value], function: Callable[..., Any]) -> Value | None:
    """What a function of Python makes of texts that are one of a few, each case computed by Python itself.

    None where a text varies otherwise, or where there are too many cases. Raises ``NotRead`` where the function raises.
    """
    known: list[list[tuple[str, Condition]]] = []
    cases = 1
    for value in values:
        if not isinstance(value, (Text, Member)) or not is_text(value):
            return None
        known.append(choices_of(value))
        cases *= len(known[-1])
    if cases > _MOST_CHOICES:
        return None
    found: Value | None = None
    for combination in product(*known):
        here = both(*(condition for _, condition in combination))
        if not may_hold(here):
            continue
        try:
            made = lifted(function(*(name for name, _ in combination)))
        except (ValueError, TypeError, LookupError) as error:
            raise NotRead(f"an operation on texts that may raise {type(error).__name__}") from None
        found = made if found is None else merged(here, made, found)
    return found


def lifted(value: Any) -> Value:
    """A value of Python's as a symbolic one."""
    match value:
        case bool():
            return Bool(TRUE if value else FALSE)
        case int():
            return Int(number(value))
        case str():
            return Text(value)
        case None:
            return NoneValue()
        case tuple():
            return Sequence(tuple(map(lifted, value)), False)
        case _:
            raise NotRead(f"a {type(value).__name__}")
