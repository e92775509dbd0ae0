"""Mutants of random programs, with the program as their reference: what is proved of one holds on dense inputs."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from decimal import Context, localcontext
from typing import Any

import pytest
from neurosym_specs.loader import spec_from_toml
from neurosym_verifiers.proof.answering import answered
from neurosym_verifiers.proof.claims import Claims, Reader
from neurosym_verifiers.proof.messages import Answer
from neurosym_verifiers.proof.solver import Solver
from neurosym_verifiers.reading.data.values import NotRead
from neurosym_verifiers.reading.depth import deep_recursion
from neurosym_verifiers.reading.formulas.bounds import Spans
from neurosym_verifiers.reading.formulas.terms import Condition

from tests.verifiers import narrow_programs, programs
from tests.verifiers.class_programs import ClassWriter
from tests.verifiers.context_programs import ContextWriter
from tests.verifiers.narrow_programs import NarrowWriter
from tests.verifiers.test_proof import mutants
from tests.verifiers.test_reading import by_python

Inputs = dict[str, Any]
_UNITS = 1_000_000


@dataclass(frozen=True, slots=True)
class Kind:
    """``write`` gives a program, and the kind of its result; ``spec`` the text of a spec for that; ``draw`` inputs."""

    write: Callable[[random.Random], tuple[str, str]]
    spec: Callable[[str], str]
    draw: Callable[[random.Random, int], Iterator[Inputs]]


def _drawn(rng: random.Random, count: int) -> Iterator[Inputs]:
    return (programs.random_inputs(rng) for _ in range(count))


def _with_result(output: str) -> str:
    return programs.SPEC.format(output=output)


KINDS = {
    "narrow": Kind(
        lambda rng: (NarrowWriter(rng).program(), "int"), lambda _: narrow_programs.SPEC, narrow_programs.dense_inputs
    ),
    "plain": Kind(lambda rng: programs.Writer(rng).program(), _with_result, _drawn),
    "contexts": Kind(lambda rng: ContextWriter(rng).program(), _with_result, _drawn),
    "classes": Kind(lambda rng: ClassWriter(rng).program(), _with_result, _drawn),
}


def is_proved(reader: Reader, source: str, solver: Solver) -> bool:
    """Whether what it returns is shown to be right. Raises ``NotRead``."""

    def ask(condition: Condition, bounds: Spans, units: int | None) -> Answer:
        return solver.ask(condition, bounds, units=min(units or _UNITS, _UNITS), seconds=10)

    found, candidate = Claims(), reader.candidate(source)
    reader.claims_of(candidate, candidate.run(reader.shapes()[0]), found)
    asked = [claim for claim in found.claims if claim.obligation == "reference"]
    return bool(asked) and answered(asked[0].against, asked[0].bounds, ("",), ask)[0].verdict == "unsat"


def outcome(namespace: dict[str, Any], inputs: Inputs) -> Any:
    """What CPython makes of a call in a new context."""
    with localcontext(Context()):
        if "grade" in inputs:
            return by_python(namespace, inputs)
        try:
            return "returns", namespace["f"](**inputs)
        except Exception as error:
            return "raises", type(error).__name__


def loaded(source: str) -> dict[str, Any] | None:
    """The program's names; None if it does not load."""
    namespace: dict[str, Any] = {"__name__": __name__}
    try:
        exec(compile(source, "program", "exec"), namespace)
    except Exception:
        return None
    return namespace


def check_mutants(kind: Kind, seeds: range, each: int, most: int) -> int:
    """How many mutants were proved, and returned the same as the original wherever they return on so many inputs."""
    proved = 0
    with Solver() as solver, deep_recursion():
        for seed in seeds:
            rng = random.Random(seed)
            source, output = kind.write(rng)
            reference = f"[reference]\npython = '''\n{source}'''\n"
            spec = spec_from_toml(kind.spec(output).partition("[[ensure]]")[0] + reference)
            everything, reader, original = list(mutants(source)), Reader(spec), loaded(source)
            for changed in rng.sample(everything, min(each, len(everything))):
                other = loaded(changed)
                try:
                    if original is None or other is None or not is_proved(reader, changed, solver):
                        continue
                except NotRead:
                    continue
                proved += 1
                for inputs in kind.draw(rng, most):
                    expected, found = outcome(original, inputs), outcome(other, inputs)
                    assert found[0] == "raises" or found == expected, f"{seed} {inputs}\n{source}\n{changed}"
    return proved


@pytest.mark.parametrize("kind", ["narrow", "plain"])
def test_a_proved_mutant_of_a_random_program_is_the_same(kind: str) -> None:
    assert check_mutants(KINDS[kind], range(1, 6), each=2, most=82) >= 3


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("first", range(1000, 2000, 250))
def test_proved_mutants_of_many_random_programs_are_the_same(kind: str, first: int) -> None:
    assert check_mutants(KINDS[kind], range(first, first + 250), each=4, most=1500) >= 5
