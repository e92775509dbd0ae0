"""The results around a counterexample, along one input: what a plot of a refutation is drawn from.

The candidate runs in the sandbox, the spec says what is right. This only shows: the verdict stands before it.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from fractions import Fraction
from typing import Any

from neurosym_sandbox import Limits, LoadFailed, Outcome, Program, Returned, Session
from neurosym_specs.errors import Place
from neurosym_specs.model import Spec
from neurosym_specs.notation import from_plain, to_plain
from neurosym_specs.signature import declarations
from neurosym_specs.types import DateType, DecimalType, FloatType, FractionType, IntType, OptionalType, Type
from neurosym_specs.verdicts import Counterexample
from neurosym_verifiers.bench import Bench
from neurosym_verifiers.cases import UNSTATED, Case
from neurosym_verifiers.clauses import SpecUndefined

from neurosym.source import Delivered

_EACH_SIDE = 20
_WIDER = 10
_MOST_WINDOWS = 8
_MOST_CPU_S = 1.0


@dataclass(frozen=True, slots=True)
class Point:
    """A value of the input in the spec's notation, and the right number and the candidate's there.

    None where there is none: something is raised, or comes that is no number. ``right``: no promise about one call is
    broken there; a number may be another than the expected one and right, within a tolerance.
    """

    x: str
    expected: str | None
    actual: str | None
    right: bool


@dataclass(frozen=True, slots=True)
class Slice:
    """Points along ``input`` in rising order, all other inputs as in the counterexample, where it is ``at``."""

    input: str
    at: str
    points: tuple[Point, ...]


@dataclass(frozen=True, slots=True)
class _Axis:
    """An input whose values are counted in steps from 0; ``low`` and ``high`` are its range, if it has one."""

    name: str
    at: int
    low: int | None
    high: int | None
    text: Callable[[int], str]


def slice_through(spec: Spec, bench: Bench, source: Delivered, found: Counterexample) -> Slice | None:
    """The narrowest slice through a counterexample that shows where the candidate is right and where it is not.

    Where none shows both, the widest. None where the result is no number, the spec does not say which one is right, no
    input can be varied, or the calls take too long: more than a second of the candidate's own time, or, as a backstop,
    the wall time that the whole candidate may take.
    """
    inner = spec.output.of if isinstance(spec.output, OptionalType) else spec.output
    if len(found.inputs) != 1 or not isinstance(inner, (IntType, DecimalType, FloatType, FractionType)):
        return None
    plain = found.inputs[0]
    axes = [axis for name, type_ in spec.inputs.items() if (axis := _axis(name, type_, plain[name])) is not None]
    end, cpu_s = time.monotonic() + bench.effort.time_limit_s, 0.0
    widest: Slice | None = None
    with loaded(spec, bench, source) as session:
        if isinstance(session.loaded, LoadFailed):
            return None
        for axis, steps in _windows(axes):
            points: list[Point] = []
            for step in steps:
                case = case_at(spec, bench, {**plain, axis.name: axis.text(step)})
                if case is None:
                    continue
                outcome = session.call(case.arguments)
                cpu_s += outcome.usage.cpu_s
                if not session.alive or cpu_s > _MOST_CPU_S or time.monotonic() > end:
                    return widest
                point = _point(spec, bench, case, outcome, axis.text(step))
                if point is not None:
                    points.append(point)
            here = Slice(axis.name, axis.text(axis.at), tuple(points))
            if _shows_both(points):
                return here
            if any(map(_has_number, points)) and not all(each.right for each in points):
                widest = here
    return widest


def loaded(spec: Spec, bench: Bench, source: Delivered) -> AbstractContextManager[Session]:
    """The candidate in a process of the sandbox, to be called as it was when it was judged."""
    program = Program(source.text, spec.name, declarations(spec), spec.policy.imports)
    limits = Limits(time_s=spec.policy.time_limit_s, memory_bytes=spec.policy.memory_limit_bytes)
    return bench.jail(0).open(program, limits)


def case_at(spec: Spec, bench: Bench, plain: Mapping[str, Any]) -> Case | None:
    """What the spec says of inputs in its notation; None where that is nothing, or not which value is right."""
    case = bench.case({name: from_plain(type_, plain[name], Place()) for name, type_ in spec.inputs.items()})
    return None if case is None or (case.accepted and case.expected is UNSTATED) else case


def _windows(axes: Sequence[_Axis]) -> Iterator[tuple[_Axis, list[int]]]:
    """Steps to try: of every input those nearby, then wider ones, each ten times as wide as the last."""
    for power in range(_MOST_WINDOWS):
        for axis in axes:
            wide = _WIDER**power
            reaches = [axis.high - axis.at if axis.high is not None else None,
                       axis.at - axis.low if axis.low is not None else None]  # fmt: skip
            covered = power > 0 and all(each is not None and each <= _EACH_SIDE * wide // _WIDER for each in reaches)
            if not covered:
                steps = [axis.at + wide * each for each in range(-_EACH_SIDE, _EACH_SIDE + 1)]
                ends = [each for each in (axis.low, axis.high) if each is not None and steps[0] < each < steps[-1]]
                inside = {*steps, *ends}
                yield axis, sorted(each for each in inside if _within(axis, each))


def _within(axis: _Axis, step: int) -> bool:
    return (axis.low is None or step >= axis.low) and (axis.high is None or step <= axis.high)


def _point(spec: Spec, bench: Bench, case: Case, outcome: Outcome, x: str) -> Point | None:
    """None where a clause has no value."""
    try:
        right = bench.is_right(case, outcome)
    except SpecUndefined:
        return None
    expected = number_text(to_plain(spec.output, case.expected)) if case.accepted else None
    returned = outcome.value if isinstance(outcome, Returned) and not isinstance(outcome.value, str) else None
    return Point(x, expected, number_text(returned), right)


def number_text(value: Any) -> str | None:
    """A number, or the spec's notation of one, as a text that reads as one."""
    match value:
        case bool():
            return None
        case int() | float() | Decimal() | Fraction() | str():
            text = str(value)
        case _:
            return None
    try:
        return text if len(text) <= 100 and Fraction(text) is not None else None
    except (ValueError, ZeroDivisionError):  # NaN, an infinity, a text
        return None


def _has_number(point: Point) -> bool:
    return point.expected is not None or point.actual is not None


def _shows_both(points: Sequence[Point]) -> bool:
    return any(each.right and _has_number(each) for each in points) and not all(each.right for each in points)


def _axis(name: str, type_: Type, value: Any) -> _Axis | None:
    """The input as an axis, where it has values that are counted."""
    match type_:
        case IntType(min=low, max=high):
            return _Axis(name, int(value), _whole(low, 1), _whole(high, 1), str)
        case DecimalType(min=low, max=high, places=(_, places)):
            unit = 10**places
            at = Fraction(str(value)) * unit
            if at.denominator != 1:
                return None
            return _Axis(name, int(at), _whole(low, unit), _whole(high, unit), lambda step: _decimal(step, places))
        case DateType(min=low, max=high):
            at_day = date.fromisoformat(str(value)).toordinal()
            ends = low.toordinal(), high.toordinal()
            return _Axis(name, at_day, *ends, lambda step: date.fromordinal(step).isoformat())
        case _:
            return None


def _whole(bound: Fraction | None, unit: int) -> int | None:
    return None if bound is None else int(bound * unit)


def _decimal(step: int, places: int) -> str:
    return str(Decimal(step).scaleb(-places)) if abs(step) < 10**25 else str(Fraction(step, 10**places))
