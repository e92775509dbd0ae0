"""Random loops that make lists, and clauses that hold on some inputs: what is shown of them holds on dense ones."""

from __future__ import annotations

from collections import Counter
from functools import partial
from typing import Any

import pytest
from neurosym_specs.expr.evaluate import Evaluator
from neurosym_specs.loader import spec_from_toml
from neurosym_specs.model import Spec
from neurosym_verifiers.cases import CaseMaker
from neurosym_verifiers.clauses import Clauses, SpecUndefined
from neurosym_verifiers.proof.answering import answered
from neurosym_verifiers.proof.claims import Claims, Reader
from neurosym_verifiers.proof.early_ends import of_runs
from neurosym_verifiers.proof.messages import Answer
from neurosym_verifiers.proof.solver import Solver
from neurosym_verifiers.reading.data.values import NotRead
from neurosym_verifiers.reading.depth import deep_recursion
from neurosym_verifiers.reading.formulas.bounds import Spans
from neurosym_verifiers.reading.formulas.terms import Condition
from neurosym_verifiers.reading.inputs.assignments import assigned

from tests.verifiers.loop_list_programs import SPECS, ListWriter
from tests.verifiers.reading_map.promises import Promises
from tests.verifiers.test_early_ends import called

EXTRA = "ensure: extra"


def check(seeds: range, clauses_each: int, units: int) -> Counter[str]:
    """How many clauses of how many programs were shown; fails where a reading or a claim is not what is so."""
    found: Counter[str] = Counter()
    with Solver() as solver, deep_recursion():
        for seed in seeds:
            writer = ListWriter(seed)
            kind = writer.rng.choice(list(SPECS))
            source = writer.program_of(kind)
            drawn = [writer.drawn() for _ in range(30)]
            for clause in [writer.clause_of(kind) for _ in range(clauses_each)]:
                spec = spec_from_toml(SPECS[kind] + f'[[ensure]]\nid = "extra"\nthat = "{clause}"\n')
                try:
                    claims = Reader(spec).claims(source)
                except NotRead:
                    break
                if "*" in claims.unread:
                    break
                if EXTRA in claims.unread:
                    continue
                promises = Promises(spec, claims, CaseMaker(spec, None), called(source))
                difference, broken = promises.first_difference(drawn)
                assert not difference, f"{seed} {difference}\n{clause}\n{source}"
                found["read"] += 1
                samples = [assigned(spec, inputs) for inputs in drawn]
                if not broken and is_shown(claims, solver, samples, units):
                    found["shown"] += 1
                    for inputs in writer.dense():
                        assert not is_broken(spec, source, inputs), f"{seed} {inputs}\n{clause}\n{source}"
    return found


def is_broken(spec: Spec, source: str, inputs: dict[str, Any]) -> bool:
    """Whether the judge says so of a run of CPython."""
    case, clauses = CaseMaker(spec, None).case(inputs), Clauses(spec, Evaluator(spec))
    assert case is not None
    try:
        return any(each.obligation == EXTRA for each in clauses.breaches(case, called(source)(case), settled=False))
    except SpecUndefined:
        return True


def is_shown(claims: Claims, solver: Solver, samples: list[dict[str, int | bool]], units: int) -> bool:
    def ask(condition: Condition, bounds: Spans, most: int | None) -> Answer:
        return solver.ask(condition, bounds, seconds=10, units=min(most or units, units))

    for claim in claims.claims:
        if claim.obligation == EXTRA:
            some = partial(of_runs, samples, claim.prefixes)
            if answered(claim.against, claim.bounds, claim.prefixes, ask, some)[0].verdict != "unsat":
                return False
    return True


def test_what_is_shown_of_random_lists_holds() -> None:
    found = check(range(7, 24), clauses_each=2, units=200_000)
    assert found["read"] >= 15
    assert found["shown"] >= 4


@pytest.mark.slow
@pytest.mark.parametrize("first", range(1000, 2000, 100))
def test_what_is_shown_of_many_random_lists_holds(first: int) -> None:
    assert check(range(first, first + 100), clauses_each=8, units=1_500_000)["shown"] >= 30
