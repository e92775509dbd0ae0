"""What a stored result says, in sentences for a reader who answers for the numbers and need not know the tool."""

from __future__ import annotations

from collections.abc import Iterator
from typing import assert_never

from neurosym_specs.verdicts import Undecided

from neurosym.reports.document import (
    Candidate,
    Failed,
    Judged,
    Proved,
    Refuted,
    Result,
    Tested,
    Unknown,
    Vacuous,
    Waiver,
)

REACH = {"tested": ("TESTED", "PROVED"), "proved": ("PROVED",)}
"""The verdicts that reach a level without a waiver."""


def in_plain_words(candidate: Candidate) -> str:
    """The verdict on a candidate in a sentence or two."""
    total = len(candidate.obligations)
    match candidate.verdict:
        case "PROVED":
            return "It is right: every promise was shown to hold for every input in the ranges of the spec."
        case "TESTED":
            proved = sum(isinstance(each, Proved) for each in candidate.obligations)
            some = f"{proved} of {total} promises are proved; the" if proved else "The"
            return f"No wrong result was found. {some} others were tried on many inputs, which is no proof."
        case "REFUTED":
            broken = sum(isinstance(each, Refuted) for each in candidate.obligations)
            rest_known = not any(was_stopped(each) for each in candidate.obligations)
            least = "" if rest_known or broken == total else "at least "
            return f"It is wrong: there are inputs for which it breaks {least}{_of(broken, total)}."
        case "REJECTED":
            return "It was turned away before it could be judged. Nothing is known of its results."
        case "ERROR":
            return "This tool failed. Nothing is known of the candidate, and it is not to blame."
        case "UNKNOWN" if candidate.stopped_after:
            return "Only its text was checked, as was asked for. Nothing was run, and nothing is known of its results."
        case "UNKNOWN":
            open_ones = sum(isinstance(each, (Unknown, Vacuous)) for each in candidate.obligations)
            return f"Not decided: {_of(open_ones, total)} could be neither shown nor broken."
        case _:
            assert_never(candidate.verdict)


def may_it_be_used(candidate: Candidate, result: Result) -> str:
    """What follows from the verdict for whoever wants to use the candidate."""
    match candidate.admission:
        case "admitted" if candidate.verdict not in REACH[result.require]:
            return f"It may be used, by waiver: beside what is waived, {result.require} is reached."
        case "admitted":
            return f"It may be used: what was required, {result.require}, is reached."
        case "refused" if candidate.objections and candidate.verdict not in ("REFUTED", "REJECTED"):
            return "It may not be used, whatever the verdict: it offends the policy of the spec."
        case "refused":
            return "It may not be used."
        case "undecided":
            return f"It may not be used yet: what was required, {result.require}, is not reached."
        case "nothing to check":
            return "It may not be used yet: the spec had nothing to check."
        case "failed":
            return "It may not be used: nothing is known of it."
        case _:
            assert_never(candidate.admission)


def waivers_in_words(candidate: Candidate) -> Iterator[str]:
    """A sentence for each waiver, in force or not."""
    yield from map(waiver_in_words, candidate.waivers)


def waiver_in_words(waiver: Waiver) -> str:
    """What a waiver does, and who answers for what."""
    said = f"{waiver.clause}: {waiver.owner}, until {waiver.expires}: {waiver.reason}"
    return f"Waived, {said}" if waiver.effect == "waived" else f"A waiver without effect ({waiver.why}), {said}"


def waiver_of(obligation: Judged, candidate: Candidate) -> str:
    """Who answers for the clause, until when and why; empty where nobody does."""
    found = (each for each in candidate.waivers if each.clause == obligation.id and each.effect == "waived")
    return next((f"waived by {each.owner} until {each.expires}: {each.reason}" for each in found), "")


def verdict_of(obligation: Judged) -> str:
    """The verdict in a word; a clause that was left open because the work ended with another was not run."""
    return "NOT RUN" if was_stopped(obligation) else obligation.verdict


def was_stopped(obligation: Judged) -> bool:
    """Whether the work ended before it came to this clause."""
    return isinstance(obligation, Unknown) and obligation.reason == Undecided.STOPPED.value


def why(obligation: Judged) -> str:
    """What the verdict on a clause rests on, or what it lacks."""
    unit = "sets of runs" if obligation.kind == "relation" else "inputs"
    match obligation:
        case Proved(method="run"):
            return "it was run, and came out as promised"
        case Proved(method="reading"):
            return "for every input, by reading the code"
        case Proved(method=method):
            return f"for every input, by {method}"
        case Refuted(method=method):
            return f"broken; found by {method}, and again in a fresh sandbox"
        case Tested(cases=cases, exhaustive=True):
            return f"all {cases:,} {unit} there are"
        case Tested(cases=cases, lacks=lacks):
            return f"tried on {cases:,} {unit}" + (f"; not proved, it lacks {lacks}" if lacks else "")
        case Unknown() if was_stopped(obligation):
            return "the work ended before, with another clause"
        case Unknown(reason=reason, detail=detail, cases=cases):
            tried = f" after {cases:,} {unit}" if cases else ""
            return f"{reason}{tried}" + (f": {detail}" if detail else "")
        case Vacuous(detail=detail):
            return f"nothing to check: {detail}"
        case Failed(error=error):
            return f"this tool failed: {error}"
        case _:
            assert_never(obligation)


def what_happened(refuted: Refuted) -> str:
    """A refutation in one line: the call, what was expected, what came out."""
    case = refuted.counterexample
    said = "; then ".join(case.calls)
    expected = f"; expected {case.expected}" if case.expected else ""
    actual = f"; actual {case.actual}" if case.actual else ""
    return f"{said}{expected}{actual}" + (f" ({case.difference})" if case.difference else "")


def counts(candidate: Candidate) -> Iterator[tuple[str, int]]:
    """How many clauses have which verdict, worst first; only those that any clause has."""
    words = [verdict_of(each) for each in candidate.obligations]
    for word in ("REFUTED", "ERROR", "UNKNOWN", "VACUOUS", "NOT RUN", "TESTED", "PROVED"):
        if word in words:
            yield word, words.count(word)


def reached(obligation: Judged, result: Result) -> bool:
    """Whether the clause has what ``--require`` asks for."""
    match obligation:
        case Proved():
            return True
        case Tested():
            return result.require == "tested"
        case Vacuous():
            return result.spec.waive_vacuous
        case Refuted() | Unknown() | Failed():
            return False
        case _:
            assert_never(obligation)


def _of(count: int, total: int) -> str:
    return f"{count} of {total} promises" if total != 1 else "the one promise"
