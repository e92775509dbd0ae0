"""The reference in the candidate's place: what is promised of a result that is shown to be the right one.

Where a program always returns, and what it returns is the reference's value, each promise on its result is one on that
value, which may be a shorter term; the program's own steps to it no longer matter.
"""

from __future__ import annotations

from collections.abc import Container
from dataclasses import replace

from neurosym_specs.model import Spec
from neurosym_specs.types import BoolType, DateType, EnumType, IntType

from neurosym_verifiers.proof.runs import CandidateReading, Run
from neurosym_verifiers.reading.data.values import NotRead
from neurosym_verifiers.reading.execution.state import Exit, Returned
from neurosym_verifiers.reading.inputs.inputs import SymbolicInputs
from neurosym_verifiers.reading.inputs.renaming import renamed
from neurosym_verifiers.reading.inputs.shapes import Shape

RIGHT = ("no crash", "returns", "reference")
"""What says, together, that a program gives the reference's value wherever one is due."""

_TYPES = (DateType, IntType, BoolType, EnumType)
"""Types of which equal values are one value."""


def may_stand_for(spec: Spec, shown: Container[str]) -> bool:
    """Whether the reference's value is the candidate's, by what is shown of it."""
    reference = spec.reference
    if reference is None or reference.abs_tol or reference.rel_tol or not isinstance(spec.output, _TYPES):
        return False
    return all(obligation in shown for obligation in RIGHT)


class ReferenceReading(CandidateReading):
    """Reads runs that end with the reference's value, wherever one is due."""

    def _run_on(self, inputs: SymbolicInputs, shape: Shape, plain: Run | None, prefix: str) -> Run:
        read = self.without_exits(inputs, shape)
        if plain is not None:
            exits = renamed(plain.exits, prefix)
            if exits is None:
                raise NotRead("a reference that is not read again")
            return replace(read, exits=exits)
        values, _ = self.rights(read)
        return replace(read, exits=tuple(Exit(where, Returned(value), 0) for where, value in values))
