"""What the verifiers found out about one candidate."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from neurosym_sandbox import JailRecord, Limits, Outcome, RefusedCall
from neurosym_specs.obligations import Obligation
from neurosym_specs.verdicts import FailureClass, Verdict

from neurosym_verifiers.proof.queries import Query

if TYPE_CHECKING:
    from neurosym_verifiers.algebra.differing import FormulaDifference
    from neurosym_verifiers.frequency import Frequency


@dataclass(frozen=True, slots=True)
class RunRecord:
    """In what a candidate was run, and what was noticed in all its runs.

    ``printed``: the start of what it wrote to stdout or stderr, as data, empty if nothing. ``refused``: the system
    calls that were refused to it, the first kinds of them; ``refused_cut``: there were more.
    """

    jail: JailRecord
    limits: Limits
    calls: int = 0
    printed: str = ""
    refused: tuple[RefusedCall, ...] = ()
    refused_cut: bool = False
    peak_memory_bytes: int = 0


@dataclass(frozen=True, slots=True)
class NotLoaded:
    """The source did not become a callable function in the jail: nothing could be judged.

    ``ended``: how loading it ended, where it ended otherwise than by coming to no function.
    """

    failure: FailureClass
    message: str
    line: int | None = None
    run: RunRecord | None = None
    ended: Outcome | None = None


@dataclass(frozen=True, slots=True)
class Judgement:
    """A verdict for every obligation, and in what and with what remarks the candidate was run.

    ``ended``: by the id of a refuted obligation, how the last call of its counterexample ended in the fresh jail.
    ``queries``: what solvers were asked. ``formula``: how that of a refuted candidate differs from the right one.
    ``frequency``: how often one that computes with floats is wrong. ``cut_short``: the clock left something open, or
    less tried, that another run may come to. ``solver_units``: what Z3 spent on its answers, in its own units.
    """

    verdicts: Mapping[Obligation, Verdict]
    run: RunRecord
    ended: Mapping[str, Outcome] = field(default_factory=dict)
    queries: tuple[Query, ...] = ()
    formula: FormulaDifference | None = None
    frequency: Frequency | None = None
    cut_short: bool = False
    solver_units: int = 0
