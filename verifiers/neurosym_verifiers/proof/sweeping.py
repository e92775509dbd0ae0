"""Parts of a question that are surely equal, found before the whole is asked. (Hardware people call it sweeping.)

Two sums that are compared often come of the same inputs, summand by summand: each payment in cents as the program
rounds it, and as the spec does. To a solver the sums are a knot of roundings; that two summands are equal is a small
question, which only what is known of their own inputs decides. Once they are known to be equal, the knot is gone.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from neurosym_verifiers.reading.formulas.normal_forms import both, equal
from neurosym_verifiers.reading.formulas.terms import (
    FALSE,
    TRUE,
    And,
    Atom,
    Condition,
    Div,
    Ite,
    Nearest,
    NotPositive,
    Or,
    Term,
    Zero,
)
from neurosym_verifiers.reading.formulas.walking import parts_of

_MOST_TWINS = 60
_MOST_PER_INPUTS = 6


@dataclass(frozen=True, slots=True)
class Twins:
    """Two terms of the same inputs that may be ``equal``, and what the question says of these inputs alone.

    An input's flags, whose names are its own with a question mark and more, belong to it."""

    given: Condition
    equal: Condition


def twins(condition: Condition) -> list[Twins]:
    """The pairs of a question's summands that are worth asking about: those that round, of the same inputs."""
    summands: dict[frozenset[str], dict[str, Term]] = {}
    for term in _compared(condition):
        parts = _apart(term)
        if len(parts) > 1:
            for part in parts:
                if _rounds(part):
                    positive = part if part.parts[-1][1] > 0 else -part
                    summands.setdefault(part.names, {}).setdefault(positive.key, positive)
    conjuncts = _surely(condition)
    found: list[Twins] = []
    for names, terms in summands.items():
        given = both(*(part for part in conjuncts if {name.partition("?")[0] for name in part.names} <= names))
        several = list(terms.values())[:_MOST_PER_INPUTS]
        pairs = [equal(one, other) for i, one in enumerate(several) for other in several[i + 1 :]]
        found += [Twins(given, pair) for pair in pairs if pair not in (TRUE, FALSE)]
    return found[:_MOST_TWINS]


def _surely(condition: Condition) -> dict[Condition, None]:
    """What holds wherever the condition does: the parts of a conjunction, and what all alternatives have in common."""
    match condition:
        case And(parts=parts):
            return {each: None for part in parts for each in (part, *_surely(part))}
        case Or(parts=parts):
            first, *others = (_surely(part) for part in parts)
            return {each: None for each in first if all(each in other for other in others)}
        case _:
            return {condition: None}


def _apart(term: Term) -> list[Term]:
    """The parts of a sum that share no inputs with each other; numbers belong to none."""
    groups: list[tuple[frozenset[str], list[tuple[tuple[Atom, ...], int]]]] = []
    for monomial, coefficient in term.parts:
        if not monomial:
            continue
        names = frozenset[str]().union(*(factor.names for factor in monomial))
        joined, apart = [(monomial, coefficient)], []
        for others, parts in groups:
            if others & names:
                names, joined = names | others, [*parts, *joined]
            else:
                apart.append((others, parts))
        groups = [*apart, (names, joined)]
    return [Term(sorted(parts, key=lambda part: tuple(f.key for f in part[0]))) for _, parts in groups]


def _rounds(term: Term) -> bool:
    return any(isinstance(factor, (Div, Ite, Nearest)) for monomial, _ in term.parts for factor in monomial)


def _compared(condition: Condition) -> Iterator[Term]:
    """The terms that are compared with zero anywhere inside, each once; not those inside of loops."""
    parts = parts_of(condition, into_loops=False)
    return (part.term for part in parts if isinstance(part, (NotPositive, Zero)))


def has_floats(condition: Condition) -> bool:
    """Whether a rounded quotient occurs anywhere inside."""
    return any(isinstance(part, Nearest) for part in parts_of(condition, into_loops=False))
