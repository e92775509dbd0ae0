"""Asking Z3, in a process of its own and within a budget."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import replace
from types import TracebackType

from neurosym_verifiers.proof.messages import Answer, Extreme, Question, Reached
from neurosym_verifiers.proof.process import NoReply, WorkerProcess
from neurosym_verifiers.proof.smtlib import NEVER
from neurosym_verifiers.reading.formulas.bounds import Spans
from neurosym_verifiers.reading.formulas.narrowing import tightened
from neurosym_verifiers.reading.formulas.terms import FALSE, Condition, Term
from neurosym_verifiers.reading.formulas.walking import parts_of
from neurosym_verifiers.reading.simplification.orders import has_ranks, with_ranks_defined, with_ranks_unknown
from neurosym_verifiers.reading.simplification.simplifying import Simplifying
from neurosym_verifiers.reading.simplification.substituting import solved
from neurosym_verifiers.reading.simplification.tabulating import tabulated

UNITS = 40_000_000
"""Z3's resource units for one question. A second is something between two and twenty million of them."""

_LEAST_UNITS = 3_000_000

_FEW_VARIABLES = 12
"""A question about so few variables is small to the solver: making it smaller would take longer than asking it."""

_AT_ONCE = 300_000
"""Units for a question about products of more of them as it is, before it is made smaller."""


class Solver:
    """A context manager. One question at a time. ``spent``: the units of all answers so far."""

    def __init__(self) -> None:
        self._process = WorkerProcess("neurosym_verifiers.proof.worker")
        self._simplifying = Simplifying()
        self.spent = 0

    def __enter__(self) -> Solver:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def ask(
        self,
        condition: Condition,
        bounds: Spans,
        *,
        seconds: float,
        units: int = UNITS,
        text: bool = False,
        like: Answer | None = None,
        at_once: bool = False,
    ) -> Answer:
        """Whether anything fulfils the condition; ``unknown`` where the budget does not suffice.

        ``seconds`` is the clock's backstop behind the ``units``, which do not depend on how busy the machine is.
        ``text``: whether the answer carries its query as SMT-LIB. ``like``: the answer to a smaller question of the
        same kind; what decided that one is tried early, and what did not is left out. ``at_once``: only what is quick.
        """
        began, spent, as_it_was = time.monotonic(), 0, True
        if condition != FALSE:
            if seconds <= 0 or units <= 0:
                return Answer("unknown", "budget", {})
            condition = solved(condition, bounds)
            bounds = tightened(bounds, condition)
            if tabulated(condition, bounds) == FALSE:
                condition = FALSE
        if has_ranks(condition):
            reply = self._with_ranks_unknown(Question(condition, bounds, units, text), seconds)
            if reply.verdict == "unsat":
                return reply
            spent, condition = reply.spent, with_ranks_defined(condition)
        if len(condition.names) > _FEW_VARIABLES:
            if _multiplies(condition) and (like is None or like.as_it_was):
                reply = self._asked(Question(condition, bounds, min(units, _AT_ONCE), text, at_once=True), seconds)
                if reply.verdict != "unknown":
                    return reply
                spent += reply.spent
            condition = self._simplifying.simplified(condition, bounds)
            as_it_was = False
        left = seconds - (time.monotonic() - began)
        lead = like.strategy if like is not None else ""
        reply = self._asked(Question(condition, bounds, units - spent, text, at_once=at_once, lead=lead), left)
        return replace(reply, spent=reply.spent + spent, as_it_was=as_it_was)

    def ask_for_each(
        self, name: str, condition: Condition, bounds: Spans, *, seconds: float, units: int, text: bool = False
    ) -> Answer:
        """Whether anything fulfils the condition, asked for each value of a variable, with what was learned of others.

        It is asked as it is: what is small for each value alone need not be made so for all of them at once.
        """
        if condition != FALSE:
            condition = solved(condition, bounds)
            bounds = tightened(bounds, condition)
        return self._asked(Question(condition, bounds, units, text, each=name), seconds)

    def _with_ranks_unknown(self, question: Question, seconds: float) -> Answer:
        """An answer that counts if it is ``unsat``: that even with any numbers as ranks nothing fulfils it."""
        condition, bounds = with_ranks_unknown(question.condition, question.bounds)
        condition = self._simplifying.simplified(condition, bounds)
        units = min(question.units, _AT_ONCE)
        return self._asked(replace(question, condition=condition, bounds=bounds, units=units, at_once=True), seconds)

    def _asked(self, question: Question, seconds: float) -> Answer:
        if question.condition == FALSE:
            return Answer("unsat", "reading", {}, NEVER if question.text else "")
        if seconds <= 0 or question.units <= 0:
            return Answer("unknown", "budget", {})
        try:
            reply = self._process.ask(question, seconds=seconds)
        except NoReply as none:
            return Answer("unknown", none.why, {})
        assert isinstance(reply, Answer)
        self.spent += reply.spent
        return replace(reply, model=_filled(reply.model, question.bounds)) if reply.verdict == "sat" else reply

    def least(self, term: Term, condition: Condition, bounds: Spans, *, seconds: float) -> Reached | None:
        """The least value of a term where the condition holds, with the variables' values there.

        None where there is none, or where the budget does not suffice to know it. With a value that is not ``proved``
        there may be smaller ones.
        """
        if condition == FALSE or seconds <= 0:
            return None
        try:
            reply = self._process.ask(Extreme(term, condition, bounds, _LEAST_UNITS), seconds=seconds)
        except NoReply:
            return None
        assert reply is None or isinstance(reply, Reached)
        return reply

    @property
    def unanswered(self) -> int:
        """How many questions the clock, or an end of the process, left without an answer."""
        return self._process.unanswered

    def close(self) -> None:
        """Ends the process."""
        self._process.close()


def _multiplies(condition: Condition) -> bool:
    """Whether anything is multiplied that varies."""
    terms = (part for part in parts_of(condition) if isinstance(part, Term))
    return any(len(monomial) > 1 for term in terms for monomial, _ in term.parts)


def _filled(model: Mapping[str, int | bool], bounds: Spans) -> dict[str, int | bool]:
    """A model with the variables whose value does not matter, each as near to zero as its bounds let it be."""
    rest = {name: max(low or 0, 0) for name, (low, _) in bounds.items()}
    for name, (_, high) in bounds.items():
        rest[name] = rest[name] if high is None else min(rest[name], high)
    return {**rest, **model}
