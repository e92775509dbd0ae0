"""Going through what terms and conditions are made of."""

from __future__ import annotations

from collections.abc import Iterator

from neurosym_verifiers.reading.formulas.iterated import Iterated
from neurosym_verifiers.reading.formulas.terms import Atom, Condition, Term


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
            case Iterated() if not into_loops:
                pass
            case _:
                todo += each.children
