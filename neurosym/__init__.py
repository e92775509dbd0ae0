"""neurosym says whether a calculation that a language model wrote is right: for every input, or where not.

    from neurosym import verify

    result = verify("late_fee.spec.toml", "candidate.py")
    for candidate in result.candidates:
        print(candidate.name, candidate.standing.value)

Everything is loaded when it is first used: importing this package loads no solver, no type checker and no model client.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from neurosym_specs import load_spec
    from neurosym_specs.errors import NeurosymError, SpecError
    from neurosym_specs.model import Spec
    from neurosym_specs.verdicts import FailureClass, Standing
    from neurosym_verifiers.bench import Effort, SpecFault
    from neurosym_verifiers.environment import EnvironmentFault

    from neurosym.admission import Admission, Required
    from neurosym.answering.asking import ask
    from neurosym.answering.result import AskResult
    from neurosym.diagnostics import Diagnostic, Note
    from neurosym.pipeline import verify
    from neurosym.replaying import ReplayResult, replay
    from neurosym.result import CandidateResult, Judged, Rejected, ToolFault, VerifyResult
    from neurosym.rewarding.function import reward
    from neurosym.solving.loop import solve
    from neurosym.solving.result import SolveResult
    from neurosym.source import Source

__all__ = [
    "Admission",
    "AskResult",
    "CandidateResult",
    "Diagnostic",
    "Effort",
    "EnvironmentFault",
    "FailureClass",
    "Judged",
    "NeurosymError",
    "Note",
    "Rejected",
    "ReplayResult",
    "Required",
    "SolveResult",
    "Source",
    "Spec",
    "SpecError",
    "SpecFault",
    "Standing",
    "ToolFault",
    "VerifyResult",
    "ask",
    "load_spec",
    "replay",
    "reward",
    "solve",
    "verify",
]

_HOME = {
    "neurosym.admission": ("Admission", "Required"),
    "neurosym.answering.asking": ("ask",),
    "neurosym.answering.result": ("AskResult",),
    "neurosym.diagnostics": ("Diagnostic", "Note"),
    "neurosym.pipeline": ("verify",),
    "neurosym.replaying": ("ReplayResult", "replay"),
    "neurosym.result": ("CandidateResult", "Judged", "Rejected", "ToolFault", "VerifyResult"),
    "neurosym.rewarding.function": ("reward",),
    "neurosym.solving.loop": ("solve",),
    "neurosym.solving.result": ("SolveResult",),
    "neurosym.source": ("Source",),
    "neurosym_specs": ("load_spec",),
    "neurosym_specs.errors": ("NeurosymError", "SpecError"),
    "neurosym_specs.model": ("Spec",),
    "neurosym_specs.verdicts": ("FailureClass", "Standing"),
    "neurosym_verifiers.bench": ("Effort", "SpecFault"),
    "neurosym_verifiers.environment": ("EnvironmentFault",),
}
_HOME_OF = {name: module for module, names in _HOME.items() for name in names}


def __getattr__(name: str) -> object:
    if name not in _HOME_OF:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value: object = getattr(import_module(_HOME_OF[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
