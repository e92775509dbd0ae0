"""What can be said of one obligation, and how it combines into the verdict on a candidate.

A verdict is one of six frozen values; nothing else counts. ``combine`` is the only place where verdicts meet.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import Enum, StrEnum
from typing import Any, ClassVar, TypeAlias


class FailureClass(StrEnum):
    """The closed list of what can be wrong, spoken by metrics, feedback, reports and rewards alike."""

    EXTRACTION = "extraction"
    ENCODING = "encoding"
    SYNTAX = "syntax"
    SIGNATURE = "signature"
    IMPORT = "import"
    NAME = "name"
    TYPE = "type"
    POLICY = "policy"
    RUNTIME = "runtime"
    TIMEOUT = "timeout"
    MEMORY = "memory"
    OUTPUT = "output"
    FORMAT = "format"
    WRONG_VALUE = "wrong value"
    STATE = "state"
    NONDETERMINISTIC = "nondeterministic"
    TAMPERING = "tampering"
    SPEC = "spec"
    TOOL = "tool"


class Undecided(StrEnum):
    """Why an obligation could not be decided."""

    TOO_FEW = "too few inputs"
    TIMEOUT = "timeout"
    BUDGET = "budget"
    NOT_READ = "not read"
    SOLVER = "solver unknown"
    STOPPED = "stopped early"
    NOT_RUN = "not run"
    UNDEFINED = "clause undefined"
    NOT_REPRODUCED = "not reproduced"


@dataclass(frozen=True, slots=True)
class Counterexample:
    """An input, or a sequence of calls where the fault needs one, on which the real code broke a promise.

    ``inputs``: per call the inputs by name, in the plain notation of the spec format. ``calls``: the same as Python
    that can be pasted. ``expected``, ``actual``, ``difference`` are for reading; ``difference`` is empty where the
    two cannot be subtracted.
    """

    inputs: tuple[Mapping[str, Any], ...]
    calls: tuple[str, ...]
    expected: str
    actual: str
    difference: str
    failure: FailureClass
    line: int | None = None


@dataclass(frozen=True, slots=True)
class Proved:
    """Holds for every input of the universe, by a complete argument under the listed assumptions."""

    method: str
    assumptions: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Refuted:
    """Broken by a counterexample that was replayed on the real code in a fresh jail."""

    counterexample: Counterexample
    method: str


@dataclass(frozen=True, slots=True)
class Tested:
    """Not broken by ``cases`` distinct valid inputs (for a relation: of tuples of runs).

    ``exhaustive``: these are all there are. ``lacks``: what a proof would need.
    """

    __test__: ClassVar[bool] = False  # the name is a verdict's; pytest is not to collect it

    cases: int
    method: str
    exhaustive: bool = False
    lacks: str = ""


@dataclass(frozen=True, slots=True)
class Unknown:
    """Neither proved nor sufficiently tested inside the budget."""

    reason: Undecided
    detail: str = ""
    cases: int = 0


@dataclass(frozen=True, slots=True)
class Vacuous:
    """There is nothing to check, and ``why`` that is known."""

    why: str


@dataclass(frozen=True, slots=True)
class Failed:
    """The tool failed, not the code."""

    message: str


Verdict: TypeAlias = Proved | Refuted | Tested | Unknown | Vacuous | Failed


class Standing(Enum):
    """The verdict on a whole candidate, worst first: the first that fits is the candidate's."""

    REJECTED = "REJECTED"
    REFUTED = "REFUTED"
    ERROR = "ERROR"
    UNKNOWN = "UNKNOWN"
    TESTED = "TESTED"
    PROVED = "PROVED"

    def worse(self, other: Standing) -> Standing:
        """The worse of the two, which counts where several candidates are judged."""
        order = list(Standing)
        return min(self, other, key=order.index)


def word(verdict: Verdict) -> str:
    """The verdict's word, as reports print it."""
    match verdict:
        case Proved():
            return "PROVED"
        case Refuted():
            return "REFUTED"
        case Tested():
            return "TESTED"
        case Unknown():
            return "UNKNOWN"
        case Vacuous():
            return "VACUOUS"
        case Failed():
            return "ERROR"


def combine(verdicts: Iterable[Verdict], *, waive_vacuous: bool = False) -> Standing:
    """The standing of a candidate whose obligations have these verdicts.

    No verdicts at all is UNKNOWN: a check that did not run is not a check that passed. ``waive_vacuous``: the spec
    says that an obligation with nothing to check is fine; if all are such, the candidate is still UNKNOWN.
    """
    worst: Standing | None = None
    for verdict in verdicts:
        match verdict:
            case Proved():
                standing = Standing.PROVED
            case Refuted():
                standing = Standing.REFUTED
            case Tested():
                standing = Standing.TESTED
            case Unknown():
                standing = Standing.UNKNOWN
            case Vacuous():
                if waive_vacuous:
                    continue
                standing = Standing.UNKNOWN
            case Failed():
                standing = Standing.ERROR
        worst = standing if worst is None else worst.worse(standing)
    return worst if worst is not None else Standing.UNKNOWN
