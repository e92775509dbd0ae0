"""Boxes and ends of regions as plain data for a reader: ranges as values of the spec, formulas as text."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from neurosym_specs.types import DecimalType, OptionalType, Type

from neurosym_verifiers.proof.holding import known
from neurosym_verifiers.reading.data.values import Bool, Member, NoneValue, Text, Value
from neurosym_verifiers.reading.execution.state import Raised, Returned
from neurosym_verifiers.reading.formulas.evaluating import Evaluation
from neurosym_verifiers.reading.formulas.terms import Condition, Term, Truth
from neurosym_verifiers.reading.inputs.crossing import in_spec
from neurosym_verifiers.regions.formulas import Writer
from neurosym_verifiers.regions.ranges import Box
from neurosym_verifiers.regions.ranges import End as Limit
from neurosym_verifiers.regions.spelling import TooLong
from neurosym_verifiers.regions.splitting import terms_of
from neurosym_verifiers.wording import say_value

UNSHOWN = "(a condition too long to be shown)"


@dataclass(frozen=True, slots=True)
class Span:
    """The values of a place in a region, where they are not all that there are.

    ``low`` and ``high`` are spec values, None where the end is that of all inputs; ``options``: the values of a yes or
    no, or of a name.
    """

    label: str
    type: Type
    low: Any = None
    high: Any = None
    options: tuple[Any, ...] = ()


@dataclass(frozen=True, slots=True)
class End:
    """How a region ends: it ``raises``, or returns ``formula`` (in the spec's language; empty: too long to be shown).

    ``constant``: the formula is one value, in words.
    """

    raises: str = ""
    formula: str = ""
    constant: bool = False


def decimals_of(type_: Type) -> int:
    """With how many decimals amounts of a type are written."""
    inner = type_.of if isinstance(type_, OptionalType) else type_
    return inner.places[1] if isinstance(inner, DecimalType) and inner.places is not None else 0


def tie_text(writer: Writer, tie: Condition) -> str:
    """A condition between places; a text that says so where it is too long."""
    try:
        return writer.condition(tie)
    except TooLong:
        return UNSHOWN


def spans_of(box: Box, whole: Box) -> tuple[Span, ...]:
    """The ranges of a box that are narrower than those of all inputs."""
    spans: list[Span] = []
    for each, all_ in zip(box.ranges, whole.ranges, strict=True):
        place = each.place
        if place.term is None:
            if each.options != all_.options:
                spans.append(Span(place.label, place.type, options=each.options))
            continue
        low, high = each.low, each.high
        inner_low = low if low and low.sure and not _same(low, all_.low) else None
        inner_high = high if high and high.sure and not _same(high, all_.high) else None
        if inner_low or inner_high:
            single = low is not None and high is not None and low.steps == high.steps
            spans.append(
                Span(
                    place.label,
                    place.type,
                    place.spec_value(low.steps) if low and (inner_low or single) else None,
                    place.spec_value(high.steps) if high and (inner_high or single) else None,
                )
            )
    return tuple(spans)


def _same(end: Limit, outer: Limit | None) -> bool:
    """Whether an end is known to be that of all inputs."""
    return outer is not None and outer.sure and outer.steps == end.steps


def end_of(output: Type, writer: Writer, outcome: Returned | Raised) -> End:
    """The end of a region in words."""
    if isinstance(outcome, Raised):
        return End(raises=outcome.names[0])
    if is_constant(outcome.value):
        return End(formula=say_value(output, known(in_spec(outcome.value), Evaluation({}))), constant=True)
    try:
        return End(formula=writer.value(outcome.value))
    except TooLong:
        return End()


def is_constant(value: Value) -> bool:
    """Whether a value does not depend on the inputs."""
    match value:
        case Bool(condition=condition):
            return isinstance(condition, Truth)
        case Member(index=index):
            return index.constant is not None
        case Text() | NoneValue():
            return True
        case _:
            terms: Sequence[Term] = terms_of(value)
            return bool(terms) and all(term.constant is not None for term in terms)
