"""Two results of the same question, verdict by verdict: the same, cut short, or different."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields
from enum import StrEnum

from neurosym_specs.verdicts import FailureClass

from neurosym.reports.document import Candidate, Judged, Proved, Refuted, Result, Spec
from neurosym.reports.saying import was_stopped
from neurosym.source import sha256_of


class Agreement(StrEnum):
    """How a verdict came out again, worst first. ``CUT_THERE``, ``CUT_HERE``: the work was cut short on that side only,
    by the clock or a failure of the prover, so that less is known there.

    ``FOLLOWS``: the work ended before it came to this clause on one side, with another one that is a record of its own.
    """

    DIFFERS = "differs"
    CUT_THERE = "cut short there"
    CUT_HERE = "cut short here"
    FOLLOWS = "not reached on one side"
    OTHER_CASE = "the same, by another case"
    OTHER_GROUNDS = "the same, on other grounds"
    SAME = "the same"


@dataclass(frozen=True, slots=True, kw_only=True)
class Compared:
    """A record: which candidate, which clause of it (empty: the whole), and what was said ``there`` and ``here``."""

    candidate: str
    clause: str
    there: str
    here: str
    agreement: Agreement


_UNDECIDED = ("UNKNOWN", "TESTED")
"""What a verdict can be for want of time; the first is less than the second."""

_OPEN = (Agreement.DIFFERS, Agreement.CUT_THERE, Agreement.CUT_HERE)
_TIMEOUT = FailureClass.TIMEOUT.value


def compared(there: Result, here: Result, *, same_code: bool = False) -> tuple[Compared, ...]:
    """Every record of a stored result, beside that of the new run. Both are of the same question.

    ``same_code``: the same neurosym made both, so that it words the spec in the same way.
    """
    return tuple(_each(there, here, same_code))


def _each(there: Result, here: Result, same_code: bool) -> Iterator[Compared]:
    yield from _spec(there.spec, here.spec, same_code)
    if there.spec_fault or here.spec_fault:
        yield _record("", "the spec", _fault(there), _fault(here))
        return
    for one, other in zip(there.candidates, here.candidates, strict=True):
        if (one.sha256, one.text) != (other.sha256, other.text):
            shown = (f"sha256 {sha256_of(each.text.encode('utf-8', 'surrogatepass'))}" for each in (one, other))
            yield _record(one.name, "the text that is judged", *shown)
        again = {each.id: each for each in other.obligations}
        clauses = [_clause(one, other, each, again.get(each.id)) for each in one.obligations] if again else []
        yield from clauses
        known = {each.id for each in one.obligations}
        if known or one.verdict == other.verdict:
            lost = (each for each in other.obligations if each.id not in known)
            yield from (_record(one.name, each.id, "not mentioned", _said(each)) for each in lost)
        yield (whole := _whole(one, other, clauses))
        if whole.agreement is Agreement.SAME:
            yield from _use(one, other)


def _spec(there: Spec, here: Spec, same_code: bool) -> Iterator[Compared]:
    """What the result says of the spec, and does not so stand in the spec: a record where that is anything.

    How ranges and clauses are worded depends on the version that words them.
    """
    names = [each.name for each in fields(Spec)] if same_code else ["name", "title", "version", "owner", "source"]
    for name in names:
        one, other = getattr(there, name), getattr(here, name)
        if one != other:
            yield _record("", f"the spec's {name}", str(one) or "nothing", str(other) or "nothing")


def _use(one: Candidate, other: Candidate) -> Iterator[Compared]:
    """Whether the candidate may be used, where that is another answer for the same verdict: a record.

    Who judges again has no waivers, so that they cannot be the reason for one.
    """
    there, here = (sorted({each.code for each in side.objections}) for side in (one, other))
    if there != here:
        yield _record(one.name, "the policy", ", ".join(there) or "kept", ", ".join(here) or "kept")
    elif one.admission != other.admission and not any(each.effect == "waived" for each in one.waivers):
        yield _record(one.name, "whether it may be used", one.admission, other.admission)


def _record(candidate: str, clause: str, there: str, here: str) -> Compared:
    agreement = Agreement.SAME if there == here else Agreement.DIFFERS
    return Compared(candidate=candidate, clause=clause, there=there, here=here, agreement=agreement)


def _whole(one: Candidate, other: Candidate, clauses: Sequence[Compared]) -> Compared:
    """The verdict on the candidate, which follows from those on its clauses where it has any."""
    there, here = _turned_away(one), _turned_away(other)
    if there == here:
        agreement = Agreement.SAME
    elif clauses:
        agreement = min((each.agreement for each in clauses), key=list(Agreement).index)
        agreement = agreement if agreement in _OPEN else Agreement.DIFFERS
    elif _cut_short(one) != _cut_short(other):
        agreement = Agreement.CUT_THERE if _cut_short(one) else Agreement.CUT_HERE
    else:
        agreement = Agreement.DIFFERS
    return Compared(candidate=one.name, clause="", there=there, here=here, agreement=agreement)


def _clause(one: Candidate, other: Candidate, there: Judged, here: Judged | None) -> Compared:
    if here is None:
        return _record(one.name, there.id, _said(there), "no clause of the spec, for this version")
    agreement = _agreement(one, other, there, here)
    return Compared(candidate=one.name, clause=there.id, there=_said(there), here=_said(here), agreement=agreement)


def _agreement(one: Candidate, other: Candidate, there: Judged, here: Judged) -> Agreement:
    if there.verdict == here.verdict:
        if isinstance(there, Refuted) and isinstance(here, Refuted):
            same = there.counterexample.inputs == here.counterexample.inputs
            return Agreement.SAME if same else Agreement.OTHER_CASE
        if isinstance(there, Proved) and isinstance(here, Proved) and _grounds(there) != _grounds(here):
            return Agreement.OTHER_GROUNDS
        return Agreement.SAME
    if "ERROR" in (there.verdict, here.verdict):
        return Agreement.DIFFERS
    if _by_the_clock(there) != _by_the_clock(here):
        return Agreement.CUT_THERE if _by_the_clock(there) else Agreement.CUT_HERE
    if "REFUTED" not in (there.verdict, here.verdict) and (was_stopped(there) or was_stopped(here)):
        return Agreement.FOLLOWS
    if _less(here, there) and _cut_short(other):
        return Agreement.CUT_HERE
    if _less(there, here) and _cut_short(one):
        return Agreement.CUT_THERE
    return Agreement.DIFFERS


def _cut_short(candidate: Candidate) -> bool:
    """Whether any of the work on it was cut short, or a call of its own ended by the clock."""
    return bool(
        candidate.cut_short or candidate.failure == _TIMEOUT or any(_by_the_clock(e) for e in candidate.obligations)
    )


def _by_the_clock(obligation: Judged) -> bool:
    """Whether it is refuted by a call that took too long, which a faster machine may not show."""
    return isinstance(obligation, Refuted) and obligation.counterexample.failure == _TIMEOUT


def _less(one: Judged, other: Judged) -> bool:
    """Whether less is known by the one."""
    ranks = {word: rank for rank, word in enumerate(_UNDECIDED)}
    return ranks.get(one.verdict, len(ranks)) < ranks.get(other.verdict, len(ranks))


def _said(obligation: Judged) -> str:
    if isinstance(obligation, Refuted):
        return f"REFUTED by {'; then '.join(obligation.counterexample.calls)}"
    if isinstance(obligation, Proved):
        return f"PROVED by {_grounds(obligation)}"
    reason = getattr(obligation, "reason", "")
    return f"{obligation.verdict} ({reason})" if reason else obligation.verdict


def _grounds(proved: Proved) -> str:
    """What the proof rests on."""
    return f"{proved.method}, assuming {'; '.join(proved.assumptions) or 'nothing'}"


def _turned_away(candidate: Candidate) -> str:
    codes = ", ".join(sorted({each.code for each in candidate.diagnostics}))
    return f"{candidate.verdict} ({codes})" if codes else candidate.verdict


def _fault(result: Result) -> str:
    return f"SPEC FAULT in {result.spec_fault.clause}" if result.spec_fault else "no fault of the spec"
