"""What the algebra's process is asked, and what it answers."""

from __future__ import annotations

from dataclasses import dataclass

from neurosym_verifiers.algebra.expressions import Domain, Test


@dataclass(frozen=True, slots=True)
class Decide:
    """Has the test this answer on the whole domain?"""

    test: Test
    answer: bool
    domain: Domain


@dataclass(frozen=True, slots=True)
class Decided:
    """``fault``: how a check of what was shown failed; then nothing is shown."""

    shown: bool
    fault: str = ""
