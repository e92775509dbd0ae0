"""What is handed back to whoever wrote a candidate: the one thing that is wrong, as facts, and what not to change."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass

from neurosym_specs.verdicts import FailureClass

from neurosym.safe_text import safe_text

MOST_CHARS = 300
"""Of one text that a candidate or its run brought."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Feedback:
    """What is wrong, for its class: a ``headline``, a few ``facts``, and what to ``keep``.

    ``failure`` is None where nothing is wrong and yet not enough is known. ``about``: what makes this failure the same
    as another one: its code, the clause, the case; never what came out, which a change that mends nothing changes too.
    """

    failure: FailureClass | None
    code: str
    headline: str
    facts: tuple[str, ...]
    keep: str
    about: tuple[str, ...] = ()

    @property
    def signature(self) -> str:
        """The same for two candidates that fail alike."""
        key = json.dumps([self.failure and self.failure.value, self.code, *self.about])
        return hashlib.sha256(key.encode()).hexdigest()[:16]


def quoted(text: str) -> str:
    """A stranger's text as one line of data between double quotes, out of which it cannot break."""
    return json.dumps(safe_text(text.strip("\r\n"), limit=MOST_CHARS), ensure_ascii=False)
