"""Which verdicts may be kept: those that another run of the same would reach again, and could not better."""

from __future__ import annotations

from neurosym_specs.verdicts import FailureClass, Undecided

from neurosym.reports.document import Failed, Judged, Refuted, Result, Unknown

_STAYS = frozenset({Undecided.TOO_FEW, Undecided.STOPPED, Undecided.UNDEFINED, Undecided.NOT_READ})
"""Reasons for not deciding in which no clock had a part."""

_OF_THE_MACHINE = frozenset({FailureClass.TIMEOUT, FailureClass.MEMORY, FailureClass.TOOL})
"""Failures that a machine with less to do may not show."""

_WHILE_LOADING = "NS501"


def may_be_kept(result: Result) -> bool:
    """Whether a result may stand for a later run of the same.

    Never a fault of the tool, of the spec or of the machine, nor what was left open or tried less because time ran out.
    """
    if result.spec_fault is not None or len(result.candidates) != 1:
        return False
    (candidate,) = result.candidates
    if candidate.error is not None or candidate.stopped_after is not None or candidate.verdict == "ERROR":
        return False
    if candidate.cut_short and candidate.verdict not in ("PROVED", "REFUTED"):
        return False
    if any(each.code == _WHILE_LOADING or each.failure in _OF_THE_MACHINE for each in candidate.diagnostics):
        return False
    return all(_stays(each) for each in candidate.obligations)


def _stays(obligation: Judged) -> bool:
    match obligation:
        case Failed():
            return False
        case Refuted(counterexample=found):
            return found.failure not in _OF_THE_MACHINE
        case Unknown(reason=reason):
            return reason in _STAYS
        case _:
            return True
