"""Fillings that fulfil all demands, by Z3: of those that do, one that a person would have written.

The loop around it is counterexample-guided inductive synthesis (A. Solar-Lezama, *Program Synthesis by Sketching*,
2008): whatever breaks a filling becomes a demand on the next one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, TypeAlias

from neurosym_specs.types import DecimalType, IntType

from neurosym_verifiers.proof.messages import Answer
from neurosym_verifiers.reading.data.values import Dec, Int
from neurosym_verifiers.reading.depth import deep_recursion
from neurosym_verifiers.reading.formulas.normal_forms import both, either, equal, modulo, negated, zero
from neurosym_verifiers.reading.formulas.terms import FALSE, TRUE, Condition, Term, number
from neurosym_verifiers.synthesis.likely import likely_values
from neurosym_verifiers.synthesis.sketch_reading import Filling, SketchReading

_WISH_UNITS = 2_000_000
_WISH_S = 2.0
_MOST_LIKELY = 32


@dataclass(frozen=True, slots=True)
class Proposed:
    """These values fulfil every demand, as the sketch is read."""

    filling: dict[str, Any]


@dataclass(frozen=True, slots=True)
class NoneFits:
    """No values in the ranges fulfil every demand, as the sketch is read."""


@dataclass(frozen=True, slots=True)
class GaveUp:
    """The budget did not suffice to find any, or to know that there are none."""

    why: str


Proposal: TypeAlias = Proposed | NoneFits | GaveUp


def propose(
    reading: SketchReading,
    demands: Sequence[Condition],
    blocked: Sequence[Filling],
    *,
    seconds: float,
    nice: bool = True,
) -> Proposal:
    """A filling that fulfils the demands and is none of the ``blocked``; with ``nice`` its numbers are likely, or have
    few decimals, where that can be."""
    with deep_recursion():
        condition = both(reading.universe, *demands, *(negated(reading.is_filling(each)) for each in blocked))
        reply = reading.solver.ask(condition, reading.bounds, seconds=seconds)
        if reply.verdict == "unsat":
            return NoneFits()
        if reply.verdict != "sat":
            return GaveUp(f"the solver gave up ({reply.strategy or 'budget'})")
        for name in reading.sketch.holes if nice else ():
            condition, reply = _nicer(reading, name, condition, reply)
        return Proposed(reading.filling(reply.model))


def _nicer(reading: SketchReading, name: str, condition: Condition, reply: Answer) -> tuple[Condition, Answer]:
    """The condition with the first wish about a hole that can be fulfilled, and the answer to it."""
    for wish in _wishes(reading, name):
        wished = both(condition, wish)
        if wished != FALSE:
            found = reading.solver.ask(wished, reading.bounds, units=_WISH_UNITS, seconds=_WISH_S)
            if found.verdict == "sat":
                return wished, found
    return condition, reply


def _wishes(reading: SketchReading, name: str) -> list[Condition]:
    type_, value = reading.sketch.holes[name], reading.values[name]
    if reading.sketch.compares(name) or not isinstance(type_, IntType | DecimalType):
        return []
    places = type_.places[1] if isinstance(type_, DecimalType) and type_.places else 0
    term = _term(value)
    likely, whole = likely_values(reading.spec, type_)
    wishes = [] if whole else [_one_of(term, likely[:_MOST_LIKELY], places)]
    if whole:
        wishes.append(_one_of(term, likely[: _MOST_LIKELY // 4], places))
    wishes += [zero(modulo(term, number(10 ** (places - few)))) for few in range(places)]
    return [wish for wish in wishes if wish != TRUE]


def _one_of(term: Term, values: Sequence[Any], places: int) -> Condition:
    return either(*(equal(term, number(int(Fraction(each) * 10**places))) for each in values))


def _term(value: object) -> Term:
    match value:
        case Int(term=term):
            return term
        case Dec(num=num):
            return num
        case _:
            raise AssertionError(f"no number: {value!r}")
