"""From a verdict to a number for training: what it is made of, and what earns nothing whatever it looks like.

Only a program that was found right earns the large part. The small parts for form are there so that a model that writes
no programs yet has somewhere to go; they are lost by any program that tries its judge: a module or a construct that is
not allowed, a foreign object as its result, an exit, a channel that was meddled with, memory between calls, a result
that changes. None is for what the tool could not judge: it says nothing about the program.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import neurosym_sandbox as sandbox
from neurosym_specs.verdicts import FailureClass, Proved, Refuted, Standing, Tested
from neurosym_verifiers.judgement import Judgement

from neurosym.fences import code_blocks
from neurosym.result import CandidateResult, Judged, NotRun, Rejected, ToolFault

_TRIES_THE_JUDGE = frozenset(
    {
        FailureClass.IMPORT,
        FailureClass.POLICY,
        FailureClass.TAMPERING,
        FailureClass.STATE,
        FailureClass.NONDETERMINISTIC,
        FailureClass.OUTPUT,
        FailureClass.MEMORY,
    }
)
_BEFORE_THE_TREE = frozenset({FailureClass.EXTRACTION, FailureClass.ENCODING, FailureClass.SYNTAX})
_RAN = frozenset({FailureClass.WRONG_VALUE, FailureClass.FORMAT, FailureClass.TYPE})


@dataclass(frozen=True, slots=True)
class Weights:
    """What each part is worth. A right program has all of them but ``proof``, which a proved one has as well.

    ``time`` is worth nothing unless it is asked for: it depends on the machine, however coarsely it is looked at.
    """

    format: float = 0.02
    parses: float = 0.02
    types: float = 0.03
    runs: float = 0.03
    right: float = 0.8
    proof: float = 0.1
    time: float = 0.0


@dataclass(frozen=True, slots=True)
class Parts:
    """What is known, each between 0 and 1. ``obligations``: the share of them that was found to hold; it earns nothing
    by itself, since a program that is wrong everywhere can keep most of them.

    ``format``: just one block of code, ``parses``: it is Python, ``types``: it passed the gate, ``runs``: every call
    came to a result, ``right``: nothing wrong was found, and all was tested, ``proof``: it is proved, ``time``: of a
    right one, how it does beside the spec's Python reference (``timing``), None where there is none.
    """

    format: float = 0.0
    parses: float = 0.0
    types: float = 0.0
    runs: float = 0.0
    obligations: float = 0.0
    right: float = 0.0
    proof: float = 0.0
    time: float | None = None


@dataclass(frozen=True, slots=True)
class Reward:
    """``value`` is between 0 and the sum of the weights, or None where the tool failed, and ``why`` then."""

    value: float | None
    parts: Parts
    verdict: Standing
    why: str = ""


def score(
    result: CandidateResult,
    reply: str,
    weights: Weights = Weights(),  # frozen
    time_of: Callable[[str], float | None] | None = None,
) -> Reward:
    """The reward for a reply that was judged. ``time_of``: the part ``time`` of the text of a right program."""
    match result.outcome:
        case ToolFault(message):
            return Reward(None, Parts(), result.standing, f"this tool failed: {message}")
        case NotRun():
            return Reward(None, Parts(), result.standing, "it was not run")
        case Rejected(diagnostics):
            failure = diagnostics[0].failure
            parses = failure not in _BEFORE_THE_TREE
            parts = Parts(format=_format(reply), parses=float(parses))
            hostile = any(each.failure in _TRIES_THE_JUDGE for each in diagnostics) or result.outcome.ended is not None
        case Judged(judgement):
            parts, hostile = _judged(judgement, result, reply)
    if result.standing is Standing.ERROR:
        return Reward(None, parts, result.standing, "this tool failed on a part of it")
    if parts.right and time_of is not None and result.source is not None:
        parts = replace(parts, time=time_of(result.source.text))
    if hostile:
        return Reward(0.0, parts, result.standing)
    value = (
        weights.format * parts.format
        + weights.parses * parts.parses
        + weights.types * parts.types
        + weights.runs * parts.runs
        + weights.right * parts.right
        + weights.proof * parts.proof
        + weights.time * (parts.time or 0.0)
    )
    return Reward(round(value, 6), parts, result.standing)


def _judged(judgement: Judgement, result: CandidateResult, reply: str) -> tuple[Parts, bool]:
    verdicts = [*judgement.verdicts.values()]
    broken = [each.counterexample.failure for each in verdicts if isinstance(each, Refuted)]
    held = sum(isinstance(each, Proved | Tested) for each in verdicts)
    right = result.standing in (Standing.TESTED, Standing.PROVED) and not result.objections
    parts = Parts(
        format=_format(reply),
        parses=1.0,
        types=float(not result.objections),
        runs=float(all(failure in _RAN for failure in broken)),
        obligations=round(held / len(verdicts), 6) if verdicts else 0.0,
        right=float(right),
        proof=float(right and result.standing is Standing.PROVED),
    )
    hostile = any(failure in _TRIES_THE_JUDGE for failure in broken) or any(
        _is_a_trick(ending) for ending in judgement.ended.values()
    )
    return parts, hostile or bool(judgement.run.refused)


def _is_a_trick(ending: sandbox.Outcome) -> bool:
    """Whether a run ended as no calculation does by mistake."""
    match ending:
        case sandbox.Exited() | sandbox.Crashed() | sandbox.Tampered() | sandbox.BadValue():
            return True
        case sandbox.Raised(exception=exception):
            return "Exception" not in (exception.name, *exception.bases)
        case _:
            return False


def _format(reply: str) -> float:
    return float(len(code_blocks(reply)) == 1)
