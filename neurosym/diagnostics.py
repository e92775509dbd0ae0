"""What is said about a candidate beside the verdicts: why it was turned away, and what was noticed."""

from __future__ import annotations

from dataclasses import dataclass

from neurosym_specs.verdicts import FailureClass


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """Something wrong with a candidate, under a stable code that ``neurosym explain`` knows.

    ``line`` and ``column`` count from 1, the column in characters. ``source_line`` is data of the candidate: show it
    through ``safe_text`` only. ``hint`` is what to do next.
    """

    code: str
    failure: FailureClass
    message: str
    line: int | None = None
    column: int | None = None
    source_line: str = ""
    hint: str = ""


@dataclass(frozen=True, slots=True)
class Step:
    """A step of the gate that the candidate took, and how long it took in wall time."""

    name: str
    seconds: float


@dataclass(frozen=True, slots=True)
class Note:
    """Something worth knowing that is not wrong."""

    code: str
    message: str
    line: int | None = None
