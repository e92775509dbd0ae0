"""The solver's process: reads conditions from its standard input, answers whether anything fulfils them.

A process of its own, so that it can be killed. What it reads comes from this tool's own reading, never from outside.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass, replace
from typing import Any

from neurosym_verifiers.proof.messages import Answer, Extreme, Question, Reached, receive, send
from neurosym_verifiers.proof.smtlib import script
from neurosym_verifiers.proof.strategies import STRATEGIES
from neurosym_verifiers.reading.bounds import Spans


@dataclass(frozen=True, slots=True)
class _Try:
    """How products are read, and how many units may be spent on it, as long as the question's last.

    ``plain``: without Z3's preprocessing, which costs more than what most questions need after it. ``seed``: nonlinear
    search is a matter of luck, so it is begun anew rather than gone on with. Each but the first has one of Z3's
    contexts for itself, so that what it finds does not depend on what was asked before.
    """

    strategy: str
    units: int
    plain: bool = False
    seed: int = 0


_TRIES = (
    _Try("linear", 3_000_000, plain=True),
    _Try("ordered", 2_000_000, plain=True),
    _Try("factored", 10_000_000),
    _Try("nonlinear", 6_000_000, plain=True),
    _Try("nonlinear", 4_000_000, seed=1),
    _Try("composed", 8_000_000),
    _Try("nonlinear", 4_000_000, seed=2),
    _Try("ordered", 8_000_000),
    _Try("linear", 30_000_000),
    _Try("factored", 30_000_000),
)
_MOST_TWINS = 60
_TWIN_UNITS = 200_000

_LARGEST_BITS = 256
"""Below the negative of a number with so many bits a term without a lower bound is not followed."""


def answer(question: Question) -> Answer:
    """Products as unknown numbers first; where that leaves a solution, as numbers whose order is known, and as true
    products; then all of that longer."""
    # Heavy, and only this process needs it.
    import z3  # type: ignore[import-untyped]

    meter = _Meter(question.units)
    last = Answer("unknown", "budget", {})
    useless: set[str] = set()
    for each in _TRIES:
        if each.strategy in useless:
            continue
        if meter.left <= 0:
            break
        context = None if each is _TRIES[0] else z3.Context()
        translation = _translation(each.strategy, question.bounds, context)
        asked = translation.condition(question.condition)
        solver = z3.SimpleSolver(context) if each.plain else z3.Solver(ctx=context)
        solver.set("random_seed", each.seed)
        solver.add(*translation.facts)
        solver.add(asked)
        lemmas: tuple[str, ...] = ()
        if each.strategy == "factored":
            lemmas = _merge_twins(solver, translation, question, meter)
        text = script(solver) if question.text else ""
        verdict = meter.check(solver, each.units)
        if verdict == "unsat":
            return Answer("unsat", each.strategy, {}, text, lemmas, meter.spent)
        if verdict == "sat" and not translation.abstracted:
            model = _values(solver.model(), translation.variables)
            return Answer("sat", each.strategy, model, text, spent=meter.spent)
        if verdict == "sat":
            useless.add(each.strategy)  # a solution of the abstraction; more time does not take it away
        last = Answer("unknown", each.strategy, {}, text)
        if each.strategy == "linear" and not translation.abstracted:
            useless |= {*STRATEGIES} - {"linear"}  # nothing was abstracted: they are the same question
    return replace(last, spent=meter.spent)


def _translation(strategy: str, bounds: Spans, context: Any) -> Any:
    from neurosym_verifiers.proof.factored import FactoredTranslation
    from neurosym_verifiers.proof.ordered import OrderedTranslation
    from neurosym_verifiers.proof.z3_terms import Translation

    match strategy:
        case "factored" | "composed":
            return FactoredTranslation(bounds, context, composed=strategy == "composed")
        case "ordered":
            return OrderedTranslation(bounds, context)
        case _:
            return Translation(bounds, context, products=strategy == "nonlinear")


class _Meter:
    """Counts the units that are spent on one question. Z3 counts on from check to check in each context."""

    def __init__(self, units: int) -> None:
        self._units = units
        self.spent = 0

    @property
    def left(self) -> int:
        return self._units - self.spent

    def check(self, solver: Any, units: int) -> str:
        """Z3's answer within so many units, and within those that are left."""
        if self.left <= 0:
            return "unknown"
        before = _count(solver.ctx)
        solver.set("rlimit", min(units, self.left))
        verdict = str(solver.check())
        self.spent += max(_count(solver.ctx) - before, 1)
        return verdict


def _count(context: Any) -> int:
    """Z3's count of the units that were spent so far; only a solver that has checked something tells it."""
    import z3

    solver = z3.Solver(ctx=context)
    solver.check()
    return int(solver.statistics().get_key_value("rlimit count"))


def _merge_twins(solver: Any, translation: Any, question: Question, meter: _Meter) -> tuple[str, ...]:
    """Asserts of products that they are equal where their factors surely are: one small question for each pair.

    What follows from what is asked may be added to it. (Hardware people call it sweeping.) The questions that led to
    it are given back as SMT-LIB, if texts are asked for.
    """
    import z3

    lemmas: list[str] = []
    for equal, therefore in translation.twins()[:_MOST_TWINS]:
        solver.push()
        solver.add(z3.Not(equal))
        text = script(solver) if question.text else ""
        surely = meter.check(solver, _TWIN_UNITS) == "unsat"
        solver.pop()
        if surely:
            solver.add(equal, therefore)
            if text:
                lemmas.append(text)
    return tuple(lemmas)


def least(question: Extreme) -> Reached | None:
    """By bisection between a value that is reached and one below which there is none, as far as the units last.

    The lowest that is thinkable is tried first: it is often reached.
    """
    # Heavy, and only this process needs it.
    import z3

    from neurosym_verifiers.proof.z3_terms import Translation

    translation = Translation(question.bounds, products=True)
    goal, asked = translation.term(question.term), translation.condition(question.condition)
    solver = z3.Solver()
    solver.set("rlimit", question.units)
    solver.set("random_seed", 0)
    solver.add(*translation.facts)
    solver.add(asked)
    if solver.check() != z3.sat:
        return None

    def reached() -> Reached:
        model: Any = solver.model()  # typed by z3 as any of its sorts
        value = model.eval(goal, model_completion=True).as_long()
        return Reached(value, _values(model, translation.variables), False)

    best, low, step = reached(), question.term.low, 1
    while low is None or low < best.value:
        aim = best.value - step if low is None else low if step == 1 else (low + best.value - 1) // 2
        step *= 2
        solver.push()
        solver.add(goal <= aim)
        verdict = solver.check()
        if verdict == z3.sat:
            best = reached()
        elif verdict == z3.unsat:
            low = aim + 1
        solver.pop()
        if verdict == z3.unknown or (low is None and step.bit_length() > _LARGEST_BITS):
            return best
    return Reached(best.value, best.model, True)


def _values(model: Any, variables: dict[str, Any]) -> dict[str, int | bool]:
    import z3

    found: dict[str, int | bool] = {}
    for name, variable in variables.items():
        value = model.eval(variable, model_completion=True)
        found[name] = z3.is_true(value) if z3.is_bool(value) else value.as_long()
    return found


def main() -> None:
    """Answers until the standard input ends."""
    import resource

    sys.setrecursionlimit(20_000)
    resource.setrlimit(resource.RLIMIT_AS, (4 * 2**30, 4 * 2**30))
    source, sink = sys.stdin.buffer, sys.stdout.buffer
    while True:
        try:
            question = receive(source)
        except EOFError:
            return
        try:
            reply = least(question) if isinstance(question, Extreme) else answer(question)
        except (RecursionError, MemoryError) as error:
            reply = None if isinstance(question, Extreme) else Answer("unknown", type(error).__name__, {})
        send(sink, reply)


if __name__ == "__main__":
    main()
