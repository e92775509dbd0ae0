"""What a spec says about one input: whether it promises anything, refuses it, or has a right value for it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from neurosym_specs.expr import tolerance
from neurosym_specs.expr.datavalues import settled
from neurosym_specs.expr.evaluate import Scope
from neurosym_specs.model import Reference, Reject, Require, Spec

__all__ = [
    "Accepted",
    "Admission",
    "Outside",
    "Rejected",
    "admission",
    "expected_value",
    "same_value",
    "within_tolerance",
]

same_value = tolerance.same_value


@dataclass(frozen=True, slots=True)
class Outside:
    """A require does not hold: nothing is promised here, and nothing is checked."""

    require: Require


@dataclass(frozen=True, slots=True)
class Rejected:
    """The first reject that holds: the function must raise."""

    reject: Reject


@dataclass(frozen=True, slots=True)
class Accepted:
    """A valid input: the function must return."""


Admission = Outside | Rejected | Accepted


def admission(spec: Spec, scope: Scope) -> Admission:
    """Ask the requires, then the rejects, then the requires of accepted inputs, each in order; the first that
    speaks decides, so that a later one may rely on the earlier ones."""
    for require in spec.requires:
        if not require.accepted_only and not scope.holds(require.that):
            return Outside(require)
    for reject in spec.rejects:
        if scope.holds(reject.when):
            return Rejected(reject)
    for require in spec.requires:
        if require.accepted_only and not scope.holds(require.that):
            return Outside(require)
    return Accepted()


def expected_value(spec: Spec, scope: Scope) -> Any:
    """The value of ``reference.value`` for an accepted input. A real that is not rational is an enclosure."""
    reference = spec.reference
    if reference is None or reference.value is None:
        raise ValueError(f"the spec {spec.name!r} has no reference value to evaluate")
    value = scope.evaluate(reference.value)
    return settled(value, spec.output) if spec.data else value


def within_tolerance(reference: Reference, expected: Any, actual: Any) -> bool:
    """Whether a result is right: equal to the expected value, or within the reference's tolerance of it.

    Numbers inside lists, tuples, records and dicts are compared one by one; NaN is right where NaN is expected.
    """
    return tolerance.within(expected, actual, reference.abs_tol, reference.rel_tol)
