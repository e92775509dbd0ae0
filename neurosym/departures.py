"""The first recorded value of a refuted call that is not what it should be: by the spec, its reference, or a right run.

Names are matched only where they mean the same as far as can be seen; where nothing matches, nothing is said.
"""

from __future__ import annotations

import datetime
import decimal
import fractions
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from neurosym_specs.expr.evaluate import Scope, Undefined
from neurosym_specs.model import Spec

from neurosym.rewrite.copies import MOST_STEPS

_NUMBERS = (int, decimal.Decimal, fractions.Fraction, float)
RETURNED = "return"
_ALIKE = 2
"""So many first values must agree for two variables of other names to be taken for the same."""


@dataclass(frozen=True, slots=True)
class Recorded:
    """An assignment with its value; ``exact``: it is the value itself, else its text. ``return`` is a name too."""

    line: int
    name: str
    exact: bool
    value: Any  # of the closed set that crosses from the jail


@dataclass(frozen=True, slots=True)
class Departure:
    """The first value that is not what it should be: ``where`` it should come from says ``expected``.

    ``nth``: which of the variable's values it is, from 1, where it has several and they go side by side.
    """

    line: int
    name: str
    actual: str
    expected: str
    where: str
    nth: int | None = None


def from_lets(spec: Spec, scope: Scope, recorded: Sequence[Recorded]) -> Departure | None:
    """The first variable that is called like a let of the spec and ends with another value than it."""
    last = {each.name: each for each in recorded}
    for step in recorded:
        if step is not last[step.name] or step.name not in spec.lets or not step.exact:
            continue
        try:
            expected = scope.let(step.name)
        except Undefined:
            continue
        if _is_equal(step.value, expected) is False:
            return Departure(step.line, step.name, _shown(step.value), _shown(expected), f"the spec's {step.name}")
    return None


def from_run(recorded: Sequence[Recorded], right: Sequence[Recorded]) -> Departure | None:
    """The first step whose value differs from that of the same step of a run that is right, line by line the same."""
    for ours, theirs in zip(recorded, right, strict=False):
        if (ours.line, ours.name) != (theirs.line, theirs.name):
            return None
        if _differ(ours, theirs):
            return Departure(ours.line, ours.name, _shown(ours.value), _shown(theirs.value), "the exact version")
    return None


def from_reference(recorded: Sequence[Recorded], reference: Sequence[Recorded]) -> Departure | None:
    """The first value that differs from that of the same variable of the spec's Python reference.

    The same is a variable of the same name, else one whose values begin alike, if there is just one. Those that were
    assigned equally often are compared value by value, others as they end. Variables that were assigned several times
    and differ from the first value on may well mean something else, and are not compared.
    """
    is_cut = max(len(recorded), len(reference)) >= MOST_STEPS
    ours, theirs = _by_name(recorded), _by_name(reference)
    order = {id(step): at for at, step in enumerate(recorded)}
    found: list[tuple[int, Departure]] = []
    for name, other in _pairs(ours, theirs):
        departed = _departed(ours[name], theirs[other], is_cut)
        if departed is not None:
            step, expected, nth = departed
            departure = Departure(
                step.line, name, _shown(step.value), _shown(expected.value), f"the reference's {other}", nth
            )
            found.append((order[id(step)], departure))
    return min(found, key=lambda each: each[0])[1] if found else None


def _by_name(recorded: Sequence[Recorded]) -> dict[str, list[Recorded]]:
    found: dict[str, list[Recorded]] = {}
    for step in recorded:
        if step.name != RETURNED:
            found.setdefault(step.name, []).append(step)
    return found


def _pairs(ours: Mapping[str, list[Recorded]], theirs: Mapping[str, list[Recorded]]) -> Iterator[tuple[str, str]]:
    """Names of variables that are the same, as far as can be seen."""
    yield from ((name, name) for name in ours if name in theirs)
    lonely = [name for name in theirs if name not in ours]
    alike = [(a, b) for a in ours if a not in theirs for b in lonely if _begin_alike(ours[a], theirs[b])]
    for name, other in alike:
        if sum(name == a or other == b for a, b in alike) == 1:
            yield name, other


def _begin_alike(ours: Sequence[Recorded], theirs: Sequence[Recorded]) -> bool:
    """Whether two variables were assigned equally often, and first the same values, of which two are different ones."""
    if len(ours) != len(theirs) or len(ours) <= _ALIKE:
        return False
    agreed = list(zip(ours, theirs, strict=True))[:_ALIKE]
    return all(_agree(one, other) for one, other in agreed) and all(
        _differ(one, after) for one, after in pairwise(ours[:_ALIKE])
    )


def _departed(
    ours: Sequence[Recorded], theirs: Sequence[Recorded], is_cut: bool
) -> tuple[Recorded, Recorded, int | None] | None:
    """The first of our values that departs, the one it should be, and which of several it is."""
    if len(ours) == len(theirs) == 1:
        return (ours[0], theirs[0], None) if _differ(ours[0], theirs[0]) else None
    if not _agree(ours[0], theirs[0]):
        return None
    if len(ours) == len(theirs) or is_cut:
        sides = enumerate(zip(ours, theirs, strict=False), start=1)
        return next(((one, other, nth) for nth, (one, other) in sides if _differ(one, other)), None)
    return (ours[-1], theirs[-1], None) if _differ(ours[-1], theirs[-1]) else None


def _agree(ours: Recorded, theirs: Recorded) -> bool:
    return _is_same(ours, theirs) is True


def _differ(ours: Recorded, theirs: Recorded) -> bool:
    return _is_same(ours, theirs) is False


def _is_same(ours: Recorded, theirs: Recorded) -> bool | None:
    return _is_equal(ours.value, theirs.value) if ours.exact and theirs.exact else None


def _is_equal(actual: Any, expected: Any) -> bool | None:
    """Whether two values are equal ones; None if they cannot be compared."""
    for kind in (bool, str, datetime.date):
        if isinstance(actual, kind) or isinstance(expected, kind):
            return bool(actual == expected) if type(actual) is type(expected) else None
    if isinstance(actual, _NUMBERS) and isinstance(expected, _NUMBERS):
        try:
            return fractions.Fraction(actual) == fractions.Fraction(expected)
        except (ValueError, OverflowError):  # an infinity or no number at all
            return None
    return None


def _shown(value: Any) -> str:
    if isinstance(value, fractions.Fraction):
        scaled = value * 10**10
        if scaled.denominator == 1:
            return str(decimal.Decimal(scaled.numerator).scaleb(-10).normalize().__format__("f"))
    return repr(value) if isinstance(value, str | float) else str(value)
