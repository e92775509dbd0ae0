"""What happened on the way to a refutation: copies of the program that record its values, or count its rounds.

A copy only explains. The verdict is about the program itself, and stands before any copy runs.
"""

from __future__ import annotations

import datetime
import decimal
import fractions
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from neurosym_sandbox import LoadFailed, Program, Returned
from neurosym_sandbox.limits import Limits
from neurosym_specs.errors import Place
from neurosym_specs.expr.evaluate import Evaluator, Undefined
from neurosym_specs.model import Spec
from neurosym_specs.notation import from_plain
from neurosym_specs.signature import declarations
from neurosym_specs.verdicts import Counterexample, FailureClass
from neurosym_verifiers.bench import Bench
from neurosym_verifiers.calls import arguments

from neurosym.rewrite import Group, Rewriting, copies, names_of, rewrite
from neurosym.source import Delivered

ROUNDS = 20_000
_ENDLESS = frozenset({FailureClass.TIMEOUT})
_NUMBERS = (int, decimal.Decimal, fractions.Fraction, float)


@dataclass(frozen=True, slots=True)
class TraceStep:
    """An assignment that was made: the line, the name, and the value in Python's notation; ``return`` is a name too."""

    line: int
    name: str
    value: str


@dataclass(frozen=True, slots=True)
class Departure:
    """The first value that is not what it should be: ``where`` it should come from says ``expected``."""

    line: int
    name: str
    actual: str
    expected: str
    where: str


@dataclass(frozen=True, slots=True)
class Explanation:
    """What a refuted call did. ``endless_line``: the loop or function that went on for more than ``ROUNDS`` rounds."""

    steps: tuple[TraceStep, ...] = ()
    departure: Departure | None = None
    endless_line: int | None = None


@dataclass(frozen=True, slots=True)
class _Recorded:
    """A step with its value; ``exact``: it is the value itself, else its text."""

    line: int
    name: str
    exact: bool
    value: Any  # of the closed set that crosses from the jail


def explain(
    spec: Spec,
    bench: Bench,
    source: Delivered,
    found: Counterexample,
    rewriting: Rewriting | None,
    right: Delivered | None = None,
) -> Explanation | None:
    """What happened on one call that broke a promise, in the lines of the original; None where it cannot be told.

    ``source`` is what was judged. ``right``: a version of it that was found right, line by line, to compare with.
    """
    if len(found.inputs) != 1:
        return None
    inputs = {name: from_plain(type_, found.inputs[0][name], Place()) for name, type_ in spec.inputs.items()}
    if found.failure in _ENDLESS:
        line = _spent(_run(spec, bench, source, Group.FUEL, inputs))
        return Explanation(endless_line=_back(line, rewriting)) if line else None
    recorded = _recorded(_run(spec, bench, source, Group.TRACE, inputs))
    departure = _from_lets(spec, inputs, recorded)
    if departure is None and right is not None:
        departure = _from_run(recorded, _recorded(_run(spec, bench, right, Group.TRACE, inputs)))
    if not recorded:
        return None
    steps = tuple(TraceStep(_back(each.line, rewriting), each.name, _text(each)) for each in recorded)
    if departure is not None:
        line = _back(departure.line, rewriting)
        departure = Departure(line, departure.name, departure.actual, departure.expected, departure.where)
    return Explanation(steps, departure)


def _back(line: int, rewriting: Rewriting | None) -> int:
    return rewriting.back.place(line)[0] if rewriting else line


def _run(spec: Spec, bench: Bench, source: Delivered, group: Group, inputs: dict[str, Any]) -> Any:
    """What a copy tells, None where it does not come to that."""
    copy = rewrite(source, spec, names_of(group))
    if not isinstance(copy, Rewriting) or not copy.rewrites:
        return None
    prelude = f"{declarations(spec)}\n{copies.prelude(group, spec.name, ROUNDS)}"
    program = Program(copy.source.text, copies.ENTRY[group], prelude, spec.policy.imports)
    limits = Limits(time_s=2 * spec.policy.time_limit_s, memory_bytes=2 * spec.policy.memory_limit_bytes)
    with bench.jail(0).open(program, limits) as session:
        if isinstance(session.loaded, LoadFailed):
            return None
        outcome = session.call(arguments(spec, inputs))
    return outcome.value if isinstance(outcome, Returned) else None


def _spent(told: Any) -> int:
    match told:
        case (int(line), int(rounds)) if rounds > ROUNDS:
            return line
        case _:
            return 0


def _recorded(told: Any) -> list[_Recorded]:
    """The steps, as far as what came from the jail looks like some."""
    found: list[_Recorded] = []
    for step in told if isinstance(told, list) else ():
        match step:
            case (int(line), str(name), bool(exact), value):
                found.append(_Recorded(line, name, exact, value))
            case _:
                return []
    return found


def _text(step: _Recorded) -> str:
    return repr(step.value) if step.exact else str(step.value)


def _from_lets(spec: Spec, inputs: dict[str, Any], recorded: Sequence[_Recorded]) -> Departure | None:
    """The first variable that is called like a let of the spec and ends with another value than it."""
    scope = Evaluator(spec).bind(inputs)
    last = {each.name: each for each in recorded}
    for step in recorded:
        if step is not last[step.name] or step.name not in spec.lets or not step.exact:
            continue
        try:
            expected = scope.let(step.name)
        except Undefined:
            continue
        if _differ(step.value, expected):
            return Departure(step.line, step.name, _shown(step.value), _shown(expected), f"the spec's {step.name}")
    return None


def _from_run(recorded: Sequence[_Recorded], right: Sequence[_Recorded]) -> Departure | None:
    """The first step whose value differs from that of the same step of a right run."""
    for ours, theirs in zip(recorded, right, strict=False):
        if (ours.line, ours.name) != (theirs.line, theirs.name):
            return None
        if ours.exact and theirs.exact and _differ(ours.value, theirs.value):
            return Departure(ours.line, ours.name, _shown(ours.value), _shown(theirs.value), "the exact version")
    return None


def _differ(actual: Any, expected: Any) -> bool:
    """Whether two values that can be compared are different ones."""
    for kind in (bool, str, datetime.date):
        if isinstance(actual, kind) or isinstance(expected, kind):
            return type(actual) is type(expected) and bool(actual != expected)
    if isinstance(actual, _NUMBERS) and isinstance(expected, _NUMBERS):
        try:
            return fractions.Fraction(actual) != fractions.Fraction(expected)
        except (ValueError, OverflowError):  # an infinity or no number at all
            return False
    return False


def _shown(value: Any) -> str:
    if isinstance(value, fractions.Fraction):
        scaled = value * 10**10
        if scaled.denominator == 1:
            return str(decimal.Decimal(scaled.numerator).scaleb(-10).normalize().__format__("f"))
    return repr(value) if isinstance(value, str | float) else str(value)
