"""Feedback on a candidate in which nothing wrong was found, and of which too little is known for what is required."""

from __future__ import annotations

from collections.abc import Mapping

from neurosym_specs.obligations import Obligation
from neurosym_specs.verdicts import Tested, Unknown, Verdict

from neurosym.feedback.packet import Feedback, quoted

_MOST = 3


def undecided(verdicts: Mapping[Obligation, Verdict]) -> Feedback:
    """What a proof would need: it may name parts of the program, which could be written more plainly."""
    lacks = dict.fromkeys(
        text
        for verdict in verdicts.values()
        if isinstance(verdict, Tested | Unknown)
        and (text := verdict.lacks if isinstance(verdict, Tested) else f"{verdict.reason.value}: {verdict.detail}")
    )
    return Feedback(
        failure=None,
        code="",
        headline="Nothing wrong was found, but it could not be shown for all inputs.",
        facts=tuple(f"what stands in the way: {quoted(each)}" for each in [*lacks][:_MOST]),
        keep="Keep what it computes. Write the same with plainer means: loops with a fixed bound, whole numbers or "
        "Decimal with quantize, if and elif, no texts where numbers do.",
        about=tuple(lacks),
    )
