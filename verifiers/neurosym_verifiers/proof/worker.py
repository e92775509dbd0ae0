"""The solver's process: reads conditions from its standard input, answers whether anything fulfils them.

A process of its own, so that it can be killed. What it reads comes from this tool's own reading, never from outside.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from neurosym_verifiers.proof.messages import Answer, Extreme, Question, Reached, receive, send
from neurosym_verifiers.proof.smtlib import script
from neurosym_verifiers.proof.strategies import ROUNDING, STRATEGIES
from neurosym_verifiers.proof.sweeping import has_floats, twins
from neurosym_verifiers.reading.formulas.bounds import Spans
from neurosym_verifiers.reading.formulas.evaluating import Evaluation
from neurosym_verifiers.reading.formulas.normal_forms import both, negated
from neurosym_verifiers.reading.formulas.terms import Condition


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
_MOST_VALUES = 60
_TWIN_UNITS = 200_000

_AT_FIRST = _Try("linear", _TWIN_UNITS, plain=True)
"""Where floats are rounded; before what sweeping costs."""

_MOST_CORRECTIONS = 16
"""So often a solution that is none of floats is corrected."""

_LARGEST_BITS = 256
"""Below the negative of a number with so many bits a term without a lower bound is not followed."""


def answer(question: Question) -> Answer:
    """Products as unknown numbers first; where that leaves a solution, as numbers whose order is known, and as true
    products; then all of that longer."""
    # Heavy, and only this process needs it.
    import z3  # type: ignore[import-untyped]

    if question.each:
        return _for_each(question)
    meter = _Meter(question.units)
    last = Answer("unknown", "budget", {})
    useless: set[str] = set()
    floats = has_floats(question.condition)
    swept = _Swept()
    tries = _TRIES[:2] if question.at_once else _led(question.lead)
    for each in (_AT_FIRST, *tries) if floats else tries:
        if floats and each is _TRIES[0]:
            swept = _swept(question, meter)
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
        known = len(translation.facts)
        equalities = [translation.condition(equality) for equality in swept.equalities]
        solver.add(*translation.facts[known:], *equalities)
        lemmas = swept.lemmas
        if each.strategy == "factored":
            lemmas += _merge_twins(solver, translation, question, meter)
        text = script(solver) if question.text else ""
        verdict = meter.check(solver, each.units)
        if verdict == "sat" and translation.units:
            verdict = _corrected(solver, translation, question, meter, each.units)
            text = script(solver) if question.text else ""
        if verdict == "unsat":
            return Answer("unsat", each.strategy, {}, text, lemmas, meter.spent)
        if verdict == "sat" and not translation.abstracted:
            model = _values(solver.model(), translation)
            return Answer("sat", each.strategy, model, text, spent=meter.spent)
        if verdict in ("sat", "rounded") and each is not _AT_FIRST:
            useless.add(each.strategy)  # a solution of the abstraction; more time does not take it away
        last = Answer("unknown", ROUNDING if verdict == "rounded" else each.strategy, {}, text)
        if each.strategy == "linear" and not translation.abstracted:
            useless |= {*STRATEGIES} - {"linear"}  # nothing was abstracted: they are the same question
    return replace(last, spent=meter.spent)


def _for_each(question: Question) -> Answer:
    """By the values of one variable; each builds on what the solver has learned of those before."""
    import z3

    meter = _Meter(question.units)
    context = z3.Context()
    translation = _translation("linear", question.bounds, context)
    asked = translation.condition(question.condition)
    solver = z3.SimpleSolver(context)
    solver.set("random_seed", 0)
    solver.set("arith.solver", 2)  # the older one, which is quicker where nearly all is propositional
    solver.add(*translation.facts, asked)
    text = script(solver) if question.text else ""
    variable, (low, high) = translation.variables.get(question.each), question.bounds.get(question.each, (None, None))
    if variable is None or low is None or high is None or high - low >= _MOST_VALUES:
        values: list[Any] = [z3.BoolVal(True, context)]
    else:
        values = [variable == value for value in range(low, high + 1)]
    for value in values:
        solver.push()
        solver.add(value)
        verdict = meter.check(solver, question.units)
        solver.pop()
        if verdict != "unsat":
            return Answer("unknown", "days", {}, text, spent=meter.spent)
    return Answer("unsat", "days", {}, text, spent=meter.spent)


def _led(lead: str) -> tuple[_Try, ...]:
    """The tries, the first one with the lead right after the quickest."""
    leading = [each for each in _TRIES[1:] if each.strategy == lead][:1]
    return (_TRIES[0], *leading, *(each for each in _TRIES[1:] if each not in leading))


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


@dataclass(frozen=True, slots=True)
class _Swept:
    """Equalities of parts of a question that follow from it, and the questions that showed them as SMT-LIB."""

    equalities: tuple[Condition, ...] = ()
    lemmas: tuple[str, ...] = ()


def _swept(question: Question, meter: _Meter) -> _Swept:
    import z3

    from neurosym_verifiers.proof.z3_terms import Translation

    found: list[Condition] = []
    lemmas: list[str] = []
    for pair in twins(question.condition):
        context = z3.Context()
        translation = Translation(question.bounds, context, products=False)
        solver = z3.SimpleSolver(context)
        solver.set("random_seed", 0)
        asked = translation.condition(both(pair.given, negated(pair.equal)))
        solver.add(*translation.facts, asked)
        text = script(solver) if question.text else ""
        if meter.check(solver, _TWIN_UNITS) == "unsat":
            found.append(pair.equal)
            lemmas += [text] if text else []
    return _Swept(tuple(found), tuple(lemmas))


def _corrected(solver: Any, translation: Any, question: Question, meter: _Meter, units: int) -> str:
    """A solution may be none of floats. Then the solver is told what the true floats are there, and is asked again.

    ``sat`` if a solution is one of the true floats, ``rounded`` if none was found that is.
    """
    for _ in range(_MOST_CORRECTIONS):
        exactly = solver.model()
        evaluation = Evaluation(_values(exactly, translation))
        try:
            if not translation.abstracted and evaluation.condition(question.condition):
                return "sat"
            told = [
                each.correction(evaluation, _number(exactly, translation, each.name)) for each in translation.rounded
            ]
        except (ArithmeticError, ValueError, KeyError):  # a part that has no value there
            return "rounded"
        facts = [fact for fact in told if fact is not None]
        if not facts:
            return "sat" if translation.abstracted else "rounded"
        known = len(translation.facts)
        asserted = [translation.condition(fact) for fact in facts]
        solver.add(*translation.facts[known:], *asserted)
        verdict = meter.check(solver, units)
        if verdict != "sat":
            return verdict
    return "rounded"


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
    if translation.units or solver.check() != z3.sat:
        return None  # of floats a solution may be none

    def reached() -> Reached:
        model: Any = solver.model()  # typed by z3 as any of its sorts
        value = model.eval(goal, model_completion=True).as_long()
        return Reached(value, _values(model, translation), False)

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


def _values(model: Any, translation: Any) -> dict[str, int | bool]:
    """The variables' values; of those that are real numbers the nearest whole numbers of steps."""
    import z3

    found: dict[str, int | bool] = {}
    for name, variable in translation.variables.items():
        if z3.is_bool(variable):
            found[name] = z3.is_true(model.eval(variable, model_completion=True))
        else:
            found[name] = round(_number(model, translation, name))
    return found


def _number(model: Any, translation: Any, name: str) -> Fraction:
    """The value of a variable, in steps."""
    value = model.eval(translation.variables[name], model_completion=True)
    unit: int = translation.units.get(name, 0)
    return Fraction(value.as_fraction()) * 2**unit if unit else Fraction(value.as_long())


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
