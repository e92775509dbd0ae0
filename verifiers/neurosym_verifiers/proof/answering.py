"""How a claim is put to the solver: as it is, by the addends of two runs' sums, or by induction over rounds."""

from __future__ import annotations

from collections.abc import Callable
from collections.abc import Sequence as Many

from neurosym_verifiers.proof.early_ends import Sample
from neurosym_verifiers.proof.induction import ask_by_induction, long_loops
from neurosym_verifiers.proof.messages import Answer, Ask
from neurosym_verifiers.proof.termwise import ask_by_addends
from neurosym_verifiers.reading.formulas.bounds import Spans
from neurosym_verifiers.reading.formulas.terms import Condition

_FIRST_UNITS = 4_000_000
"""For a claim that speaks of two runs, before its sums are taken apart."""


def answered(
    against: Condition,
    bounds: Spans,
    prefixes: tuple[str, ...],
    ask: Ask,
    samples: Callable[[], Many[Sample]] = list,
    *,
    may_wait: bool = False,
) -> tuple[Answer, tuple[str, ...]]:
    """What the solver says of what would break a claim, and the invariants of loops that it rests on, in words.

    ``samples``: inputs to guess invariants from. ``may_wait``: whether it is asked again where this says nothing; then
    sums are not taken apart yet.
    """
    if long_loops(against):
        induction = ask_by_induction(against, bounds, ask, prefixes, samples)
        if induction is not None:
            return induction.answer, induction.invariants
    elif len(prefixes) == 2:
        reply = ask(against, bounds, _FIRST_UNITS)
        if reply.verdict != "unknown" or may_wait:
            return reply, ()
        by_addends = ask_by_addends(against, bounds, prefixes, ask)
        if by_addends is not None:
            return by_addends, ()
    return ask(against, bounds, None), ()
