"""Random pairs of loops of many rounds: what is proved of a candidate against its reference holds on a dense grid."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from neurosym_specs.loader import spec_from_toml
from neurosym_specs.model import Spec
from neurosym_verifiers.proof.claims import Claims, Reader
from neurosym_verifiers.proof.holding import known
from neurosym_verifiers.proof.induction import ask_by_induction
from neurosym_verifiers.proof.messages import Answer
from neurosym_verifiers.proof.solver import Solver
from neurosym_verifiers.reading.data.values import NotRead
from neurosym_verifiers.reading.depth import deep_recursion
from neurosym_verifiers.reading.formulas.bounds import Spans
from neurosym_verifiers.reading.formulas.evaluating import Evaluation
from neurosym_verifiers.reading.formulas.terms import Condition
from neurosym_verifiers.reading.inputs.assignments import assigned

from tests.verifiers.loop_programs import SPEC, Clause, LoopWriter

Inputs = tuple[int, int, int]


def grid(rng: random.Random, least: int) -> Iterator[Inputs]:
    """Inputs of ``SPEC``: the ends of ranges, constants of the programs with their neighbours, and others."""
    for s in (-20, -7, -1, 0, 1, 2, 3, 39, 49, 50, 99, 350, 399, 400, 500, rng.randint(-20, 500)):
        for r in (-3, -1, 0, 1, 4, 12, rng.randint(-3, 12)):
            for n in (-5, -1, 0, 1, 2, 3, 47, 48, 49, 89, 90, 100, 101, 117, 118, 119, 120):
                if n >= least:
                    yield s, r, n


def function(source: str) -> Callable[[Inputs], int]:
    """The program as CPython runs it, each input once."""
    names: dict[str, Any] = {}
    exec(compile(source, "program", "exec"), names)
    found: dict[Inputs, int] = {}

    def of(inputs: Inputs) -> int:
        if inputs not in found:
            found[inputs] = names["f"](*inputs)
        return found[inputs]

    return of


def proved(claims: Claims, solver: Solver, most: int) -> set[str]:
    """The obligations that are shown, by the solver alone or by induction, within so many units for each question."""

    def ask(condition: Condition, bounds: Spans, units: int | None) -> Answer:
        return solver.ask(condition, bounds, seconds=10, units=min(units or most, most))

    shown: set[str] = set()
    for claim in claims.claims:
        if claim.obligation == "reference" or claim.obligation.endswith("extra"):
            induction = ask_by_induction(claim.against, claim.bounds, ask, claim.prefixes)
            if induction is not None or ask(claim.against, claim.bounds, None).verdict == "unsat":
                shown.add(claim.obligation)
    return shown


def check_reading(claims: Claims, spec: Spec, of: Callable[[Inputs], int], inputs: list[Inputs]) -> None:
    """Fails where the reading of the candidate is not what it does."""
    for each in inputs:
        evaluation = Evaluation(assigned(spec, dict(zip("srn", each, strict=True))))
        taken = [end for end in claims.runs[0].results if evaluation.condition(end[0])]
        assert [known(value, evaluation) for _, value in taken] == [of(each)], each


def check_pairs(seeds: range, most: int, units: int) -> Counter[str]:
    """How many obligations of each kind were proved; fails for one that does not hold of so many inputs."""
    found: Counter[str] = Counter()
    with Solver() as solver, deep_recursion():
        for seed in seeds:
            rng = random.Random(seed)
            writer, least = LoopWriter(rng), rng.choice((-5, 0, 0))
            (reference, candidate), clause = writer.pair(), writer.clause()
            spec = spec_from_toml(SPEC.format(reference=reference, least=least) + clause.toml)
            try:
                claims = Reader(spec).claims(candidate)
            except NotRead:
                continue
            if not claims.runs:
                continue
            right, of, inputs = function(reference), function(candidate), list(grid(rng, least))
            inputs = rng.sample(inputs, min(most, len(inputs)))
            pair = f"{seed}\n{reference}\n{candidate}\n{clause}"
            check_reading(claims, spec, of, rng.sample(inputs, 10))
            shown = proved(claims, solver, units)
            found.update(shown)
            if "reference" in shown:
                wrong = [each for each in inputs if right(each) != of(each)]
                assert not wrong, f"{wrong[0]}\n{pair}"
            if any(each.endswith("extra") for each in shown):
                broken = _broken(clause, of, inputs)
                assert broken is None, f"{broken}\n{pair}"
    return found


def _broken(clause: Clause, of: Callable[[Inputs], int], inputs: list[Inputs]) -> object:
    """Inputs, or pairs of them, on which a clause does not hold."""
    if not clause.is_relation:
        return next((each for each in inputs if not clause.holds(each, of(each))), None)
    ends = set(inputs)
    for s, r, n in inputs:
        for other in ((s + 1, r, n), (s, r + 1, n), (s, r, n + 1), (s + 1, r + 1, n + 1), (500, r, n), (s, 12, n)):
            first = (s, r, n)
            fits = other in ends or (other[0] <= 500 and other[1] <= 12 and other[2] <= 120)
            if fits and not clause.holds_of(first, of(first), other, of(other)):
                return first, other
    return None


def test_what_is_proved_of_random_loops_holds() -> None:
    found = check_pairs(range(28, 46), most=200, units=100_000)
    assert found["reference"] >= 6
    assert sum(found.values()) > found["reference"]


@pytest.mark.slow
@pytest.mark.parametrize("first", range(1000, 4000, 500))
def test_what_is_proved_of_many_random_loops_holds(first: int) -> None:
    found = check_pairs(range(first, first + 500), most=2000, units=5_000_000)
    assert found["reference"] >= 60
    assert found["ensure: extra"] + found["relation: extra"] >= 50
