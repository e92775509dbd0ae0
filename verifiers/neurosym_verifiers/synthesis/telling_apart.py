"""Whether a sketch has another filling that does all that is asked of it and computes something else, and where.

An input on which two fillings differ is the question that a person has to answer (S. Jha et al., *Oracle-guided
component-based program synthesis*, 2010).
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from neurosym_verifiers.cases import Case
from neurosym_verifiers.proof.claims import Claims
from neurosym_verifiers.proof.membership import same
from neurosym_verifiers.proof.runs import Run
from neurosym_verifiers.reading.data.values import NotRead, Value
from neurosym_verifiers.reading.depth import deep_recursion
from neurosym_verifiers.reading.formulas.normal_forms import both, either, negated
from neurosym_verifiers.reading.formulas.terms import Condition
from neurosym_verifiers.reading.inputs.assignments import concrete
from neurosym_verifiers.reading.inputs.shapes import shape_of
from neurosym_verifiers.synthesis.fixed import fixed_inputs
from neurosym_verifiers.synthesis.sketch_reading import Filling, SketchReading

_MOST_SHAPES = 12
_MOST_SAMPLES = 30
_ONE_S = 5.0


@dataclass(frozen=True, slots=True)
class Apart:
    """``filling`` fulfils every demand, and comes to another result than the first one on ``inputs``."""

    filling: dict[str, Any]
    inputs: dict[str, Any]


@dataclass(frozen=True, slots=True)
class NoOther:
    """As the sketch is read, every filling that fulfils the demands computes the same, for every accepted input."""


@dataclass(frozen=True, slots=True)
class NotKnown:
    """No other was found, and it is not known that there is none."""

    why: str


Second: TypeAlias = Apart | NoOther | NotKnown


def second(
    reading: SketchReading,
    program: str,
    demands: Sequence[Condition],
    blocked: Sequence[Filling],
    cases: Sequence[Case],
    *,
    seconds: float,
) -> Second:
    """Another filling than that of the ``program``, which fulfils the demands and is none of the ``blocked``.

    Inputs of every shape are looked at as variables; where that fails, the ``cases``.
    """
    deadline = time.monotonic() + seconds
    asked = both(reading.universe, *demands, *(negated(reading.is_filling(each)) for each in blocked))
    with deep_recursion():
        try:
            found = _for_every_input(reading, program, asked, deadline)
        except NotRead as not_read:
            found = NotKnown(str(not_read))
        if isinstance(found, NotKnown):
            sampled = _on_cases(reading, program, asked, cases, deadline)
            return found if sampled is None else sampled
        return found


def _for_every_input(reading: SketchReading, program: str, asked: Condition, deadline: float) -> Second:
    shapes = reading.reader.shapes()
    sketch, filled = reading.candidate(), reading.candidate(program)
    for shape in shapes[:_MOST_SHAPES]:
        open_, first = sketch.run(shape), filled.run(shape)
        claims = Claims()
        reading.reader.claims_of(sketch, open_, claims)
        with sketch.within_budget():
            keeps = (negated(claim.against) for claim in claims.claims)
            condition = both(asked, open_.admitted.accepted, _differ(open_, first.results), *keeps)
        left = min(deadline - time.monotonic(), _ONE_S)
        reply = reading.solver.ask(condition, {**open_.bounds, **reading.bounds}, seconds=left)
        if reply.verdict == "sat":
            return Apart(reading.filling(reply.model), concrete(reading.spec, shape, reply.model))
        if reply.verdict != "unsat":
            return NotKnown("the solver gave up")
    if len(shapes) > _MOST_SHAPES:
        return NotKnown(f"inputs have more than {_MOST_SHAPES} shapes")
    return NoOther()


def _on_cases(
    reading: SketchReading, program: str, asked: Condition, cases: Sequence[Case], deadline: float
) -> Apart | None:
    accepted = [case for case in cases if case.accepted]
    for case in accepted[:: max(1, len(accepted) // _MOST_SAMPLES)]:
        if time.monotonic() > deadline:
            return None
        try:
            found = _on(reading, program, asked, case.inputs, deadline)
        except NotRead:
            continue
        if found is not None:
            return found
    return None


def _on(
    reading: SketchReading, program: str, asked: Condition, inputs: Mapping[str, Any], deadline: float
) -> Apart | None:
    known, shape = fixed_inputs(reading.spec, inputs), shape_of(reading.spec, inputs)
    sketch = reading.candidate()
    open_, first = sketch.run_on(known, shape), reading.candidate(program).run_on(known, shape)
    claims = Claims()
    reading.reader.claims_of(sketch, open_, claims)
    with sketch.within_budget():
        condition = both(asked, _differ(open_, first.results), *(negated(claim.against) for claim in claims.claims))
    left = min(deadline - time.monotonic(), _ONE_S)
    reply = reading.solver.ask(condition, reading.bounds, seconds=left)
    return Apart(reading.filling(reply.model), dict(inputs)) if reply.verdict == "sat" else None


def _differ(run: Run, others: Sequence[tuple[Condition, Value]]) -> Condition:
    """Where a run and another one on the same inputs both return, and not the same."""
    pairs = (both(here, there, negated(same(value, other))) for here, value in run.results for there, other in others)
    return either(*pairs)
