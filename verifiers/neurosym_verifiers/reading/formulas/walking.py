"""Going through what terms and conditions are made of."""

from __future__ import annotations

from collections.abc import Iterator

from neurosym_verifiers.reading.formulas.ranks import Rank, Switch
from neurosym_verifiers.reading.formulas.terms import (
    And,
    Atom,
    Condition,
    DatePart,
    Div,
    Ite,
    Iterated,
    Nearest,
    Not,
    NotPositive,
    Or,
    Term,
    Within,
    Zero,
)


def parts_of(of: Condition | Term, *, into_loops: bool = True) -> Iterator[Condition | Term | Atom]:
    """All that it is made of, itself included, each once and before its own parts.

    ``into_loops``: also what loops are made of, which speaks of variables of their own.
    """
    seen: set[str] = set()
    todo: list[Condition | Term | Atom] = [of]
    while todo:
        each = todo.pop()
        if each.key in seen:
            continue
        seen.add(each.key)
        yield each
        match each:
            case Term():
                todo += [factor for monomial, _ in each.parts for factor in monomial]
            case Div(num=num, den=den) | Nearest(num=num, den=den):
                todo += [num, den]
            case Switch(cases=cases):
                todo += [part for case in cases for part in case]
                todo += [each.condition, each.then, each.other]
            case Ite(condition=test, then=then, other=other):
                todo += [test, then, other]
            case Rank(of=of_items):
                todo.append(of_items)
            case Iterated(start=start, rounds=rounds) if into_loops:
                todo += [*each.inside, *start, rounds]
            case DatePart(ordinal=term) | NotPositive(term=term) | Zero(term=term) | Within(term=term):
                todo.append(term)
            case Not(of=inner):
                todo.append(inner)
            case And(parts=parts) | Or(parts=parts):
                todo += parts
            case _:
                pass
