"""What comes of one question to a generator: the answer, what is known of the candidate in it, what to say of that."""

from __future__ import annotations

from dataclasses import dataclass

from neurosym.feedback import Feedback
from neurosym.generators.asking import Asked
from neurosym.generators.request import Answer
from neurosym.result import CandidateResult


@dataclass(frozen=True, slots=True)
class Attempt:
    """One question, its answer, and what is known of the candidate in it.

    ``result`` is None where no reply came, where another sample of the round was accepted first, and where another had
    the same text. ``feedback`` is None where there is nothing to say: it is accepted, or the tool failed.
    """

    asked: Asked
    answer: Answer
    result: CandidateResult | None = None
    feedback: Feedback | None = None
