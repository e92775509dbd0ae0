"""The algebra's process as the tool asks it: ended where an answer takes too long, and no answer says nothing."""

from __future__ import annotations

from typing import Any

from neurosym_verifiers.algebra.expressions import Domain, Expr
from neurosym_verifiers.algebra.messages import Decide, Decided, Name, Simplify
from neurosym_verifiers.proof.process import NoReply, WorkerProcess

_ONE_S = 60.0
_SHAPE_S = 20.0


class Algebra:
    """Asks about real numbers. The process starts when it is first needed."""

    def __init__(self) -> None:
        self._process = WorkerProcess("neurosym_verifiers.algebra.worker")

    @property
    def unanswered(self) -> int:
        """How many questions the clock, or an end of the process, left without an answer."""
        return self._process.unanswered

    def close(self) -> None:
        """Ends the process."""
        self._process.close()

    def decided(self, question: Decide, seconds: float) -> Decided:
        """The answer; that nothing is shown, if there is none in time."""
        reply = self._reply(question, min(seconds, _ONE_S))
        return reply if isinstance(reply, Decided) else Decided(False)

    def slip(self, found: Expr, right: Expr, domain: Domain) -> str:
        """The words of a known slip; empty if it is none, or none is found in time."""
        reply = self._reply(Name(found, right, domain), _SHAPE_S)
        return reply if isinstance(reply, str) else ""

    def simplified(self, found: Expr, right: Expr) -> tuple[str, str]:
        """The ratio and the difference in a short form, each perhaps empty."""
        reply = self._reply(Simplify(found, right), _SHAPE_S)
        return reply if isinstance(reply, tuple) else ("", "")

    def _reply(self, question: object, seconds: float) -> Any:
        try:
            return self._process.ask(question, seconds=seconds)
        except NoReply:
            return None
