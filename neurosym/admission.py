"""Truth and admission are two answers: the verdict says what is known, this says what may be used."""

from __future__ import annotations

from collections.abc import Iterable
from enum import Enum, StrEnum

from neurosym_specs.verdicts import Standing


class Required(StrEnum):
    """What a candidate must reach to be used."""

    TESTED = "tested"
    PROVED = "proved"


class Admission(Enum):
    """Whether a candidate may be used, worst first."""

    REFUSED = "refused"
    FAILED = "failed"
    UNDECIDED = "undecided"
    NOTHING_TO_CHECK = "nothing to check"
    ADMITTED = "admitted"


EXIT_CODES = {
    Admission.ADMITTED: 0,
    Admission.REFUSED: 1,
    Admission.UNDECIDED: 3,
    Admission.NOTHING_TO_CHECK: 5,
    Admission.FAILED: 70,
}
SPEC_FAULT_EXIT_CODE = 2

_REACHED = {
    Required.TESTED: frozenset({Standing.TESTED, Standing.PROVED}),
    Required.PROVED: frozenset({Standing.PROVED}),
}


def admit(standing: Standing, require: Required, *, objections: bool, checked: bool) -> Admission:
    """Whether a candidate of this ``standing`` may be used where ``require`` is asked for.

    ``objections``: it offends a policy that is not about security. ``checked``: the spec had anything to check.
    """
    if objections or standing in (Standing.REJECTED, Standing.REFUTED):
        return Admission.REFUSED
    if standing is Standing.ERROR:
        return Admission.FAILED
    if not checked:
        return Admission.NOTHING_TO_CHECK
    return Admission.ADMITTED if standing in _REACHED[require] else Admission.UNDECIDED


def worst(admissions: Iterable[Admission]) -> Admission:
    """The admission that counts for several candidates; none at all is nothing to check."""
    return min(admissions, key=list(Admission).index, default=Admission.NOTHING_TO_CHECK)
