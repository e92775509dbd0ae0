"""The solver's process: reads conditions from its standard input, answers whether anything fulfils them.

A process of its own, so that it can be killed. What it reads comes from this tool's own reading, never from outside.
"""

from __future__ import annotations

import sys
from typing import Any

from neurosym_verifiers.proof.messages import Answer, Question, receive, send

_STRATEGIES = (
    ("linear", 1),
    ("factored", 2),
    ("nonlinear", 1),
    ("composed", 4),
    ("linear", 20),
    ("factored", 20),
    ("nonlinear", 10),
)
"""How products are read, and how many of the question's units may be spent."""


_MOST_TWINS = 60


def answer(question: Question) -> Answer:
    """Products as unknown numbers first; where that leaves a solution, as numbers whose order is known, and as true
    products; then all of that longer."""
    # Heavy, and only this process needs it.
    import z3  # type: ignore[import-untyped]

    from neurosym_verifiers.proof.factored import FactoredTranslation
    from neurosym_verifiers.proof.z3_terms import Translation

    last = Answer("unknown", "", {})
    useless: set[str] = set()
    for strategy, times in _STRATEGIES:
        if strategy in useless:
            continue
        translation = (
            FactoredTranslation(question.bounds, composed=strategy == "composed")
            if strategy in ("factored", "composed")
            else Translation(question.bounds, products=strategy == "nonlinear")
        )
        asked = translation.condition(question.condition)
        solver = z3.Solver()
        solver.set("rlimit", question.units * times)
        solver.set("random_seed", 0)
        solver.add(*translation.facts)
        solver.add(asked)
        if strategy == "factored":
            _merge_twins(solver, translation, question.units)
            solver.set("rlimit", question.units * times)
        verdict = str(solver.check())
        if verdict == "unsat":
            return Answer("unsat", strategy, {})
        if verdict == "sat" and not translation.abstracted:
            return Answer("sat", strategy, _values(solver.model(), translation.variables))
        if verdict == "sat":
            useless.add(strategy)  # a solution of the abstraction; more time does not take it away
        last = Answer("unknown", strategy, {})
        if strategy == "linear" and not translation.abstracted:
            useless |= {"factored", "composed", "nonlinear"}  # nothing was abstracted: they are the same question
    return last


def _merge_twins(solver: Any, translation: Any, units: int) -> None:
    """Asserts of products that they are equal where their factors surely are: one small question for each pair.

    What follows from what is asked may be added to it. (Hardware people call it sweeping.)
    """
    import z3

    for equal, therefore in translation.twins()[:_MOST_TWINS]:
        solver.push()
        solver.set("rlimit", units // 4)
        solver.add(z3.Not(equal))
        surely = str(solver.check()) == "unsat"
        solver.pop()
        if surely:
            solver.add(equal, therefore)


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
            reply = answer(question)
        except (RecursionError, MemoryError) as error:
            reply = Answer("unknown", type(error).__name__, {})
        send(sink, reply)


if __name__ == "__main__":
    main()
