"""A second solver, cvc5, on what Z3 called unsatisfiable: one that says otherwise drops every proof of the program."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import replace
from importlib.metadata import PackageNotFoundError, version

from neurosym_verifiers.proof.messages import Script
from neurosym_verifiers.proof.process import NoReply, WorkerProcess
from neurosym_verifiers.proof.queries import Opinion, Query

_QUERY_S = 5.0
_ALL_S = 60.0


def installed() -> str:
    """The second solver and its version; empty where it is not installed."""
    try:
        return f"cvc5 {version('cvc5')}"
    except PackageNotFoundError:
        return ""


class SecondOpinion:
    """Owns cvc5's process. What it does not decide in time is not confirmed, and not contradicted either."""

    def __init__(self) -> None:
        self._solver = installed()
        self._process = WorkerProcess("neurosym_verifiers.proof.cvc5_worker")

    def on(self, queries: Sequence[Query]) -> list[Query]:
        """The queries, each that Z3 decided and called unsatisfiable with an opinion."""
        deadline = time.monotonic() + _ALL_S
        return [
            replace(query, opinion=self._opinion(query, deadline))
            if query.verdict == "unsat" and query.strategy != "reading"
            else query
            for query in queries
        ]

    def _opinion(self, query: Query, deadline: float) -> Opinion:
        seconds = min(_QUERY_S, deadline - time.monotonic())
        if seconds <= 0:
            return Opinion(self._solver, "not asked: no time was left")
        try:
            # Its own limit first; a process that does not keep to it is killed.
            said = self._process.ask(Script(query.text, int(seconds * 1000)), seconds=seconds + 2)
        except NoReply as none:
            said = none.why
        return Opinion(self._solver, str(said))

    def close(self) -> None:
        """Ends the process."""
        self._process.close()
