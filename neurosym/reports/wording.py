"""The words that every report uses for the same thing: what an obligation asks, and which code a finding has."""

from __future__ import annotations

from collections.abc import Mapping

from neurosym_specs.describe import ClauseDescription, describe
from neurosym_specs.model import Spec
from neurosym_specs.verdicts import FailureClass, Undecided, Unknown, Verdict, word

REFUTATION_CODES = {
    FailureClass.WRONG_VALUE: "NS510",
    FailureClass.RUNTIME: "NS511",
    FailureClass.TIMEOUT: "NS512",
    FailureClass.MEMORY: "NS513",
    FailureClass.OUTPUT: "NS514",
    FailureClass.FORMAT: "NS515",
    FailureClass.TYPE: "NS516",
    FailureClass.STATE: "NS517",
    FailureClass.NONDETERMINISTIC: "NS518",
    FailureClass.TAMPERING: "NS519",
}
OTHER_REFUTATION = "NS510"
SPEC_FAULT = "NS701"


def refutation_code(failure: FailureClass) -> str:
    """The code of a refutation of this class."""
    return REFUTATION_CODES.get(failure, OTHER_REFUTATION)


def clauses(spec: Spec) -> Mapping[str, ClauseDescription]:
    """Every obligation of the spec in words, by its id."""
    return {clause.id: clause for clause in describe(spec).obligations}


def method_of(verdict: Verdict) -> str:
    """The method by which a verdict was reached; empty where there is none."""
    return str(getattr(verdict, "method", ""))


def was_stopped(verdict: Verdict) -> bool:
    """Whether the obligation was left open because the work ended with another: refuted, doubtful, or a fault."""
    return isinstance(verdict, Unknown) and verdict.reason is Undecided.STOPPED


def verdict_word(verdict: Verdict) -> str:
    """The verdict in one word, for reports."""
    return "not run" if was_stopped(verdict) else word(verdict)
