"""Texts as the symbolic reading has them, against CPython: random programs, and the traps of its character tables."""

from __future__ import annotations

import random
import sys
from collections.abc import Mapping
from decimal import Decimal
from fractions import Fraction
from typing import Any

import pytest
from neurosym_specs.loader import spec_from_toml
from neurosym_specs.model import Spec
from neurosym_verifiers.proof.claims import Reader
from neurosym_verifiers.proof.holding import known
from neurosym_verifiers.proof.runs import Run
from neurosym_verifiers.reading.data.values import NotRead
from neurosym_verifiers.reading.depth import deep_recursion
from neurosym_verifiers.reading.execution.state import Raised
from neurosym_verifiers.reading.formulas.evaluating import Evaluation
from neurosym_verifiers.reading.inputs.assignments import assigned
from neurosym_verifiers.reading.inputs.crossing import in_spec

from tests.verifiers.text_programs import SPEC, Writer, random_inputs


def by_python(function: Any, inputs: Mapping[str, Any]) -> Any:
    """What CPython makes of the call: a value, or the exception's name."""
    try:
        value = function(*inputs.values())
    except Exception as error:
        return "raises", type(error).__name__
    return "returns", value


def same(found: Any, expected: Any) -> bool:
    """Whether a reading's outcome is that of CPython; a Decimal is its number."""
    value = expected[1]
    if isinstance(value, Decimal):
        return value.is_finite() and found == ("returns", Fraction(value))
    return bool(found == expected) and type(found[1]) is type(value)


def by_reading(run: Run, spec: Spec, inputs: Mapping[str, Any]) -> Any:
    """What the reading says of the call."""
    evaluation = Evaluation(assigned(spec, inputs))
    taken = [e for e in run.exits if evaluation.condition(e.condition)]
    if not taken:
        return "not read", ""  # it was told that nothing gets there
    assert len(taken) == 1, f"{len(taken)} exits"
    if isinstance(taken[0].outcome, Raised):
        return "raises", taken[0].outcome.names[0]
    return "returns", known(in_spec(taken[0].outcome.value), evaluation)


def run_of(spec: Spec, source: str, shape: Mapping[str, int]) -> Run:
    """A reading that is told that nothing gets to what is not read; what does is said to be not read."""
    with deep_recursion():
        return Reader(spec).candidate(source, lambda condition, bounds: False).run(shape)


def compare_programs(seed: int, programs: int, inputs_each: int) -> tuple[int, int]:
    """How many pairs were compared, and how many programs were read; fails on the first disagreement."""
    rng = random.Random(seed)
    specs = {kind: spec_from_toml(SPEC.format(output=kind)) for kind in ("int", "decimal", "bool", "str")}
    pairs = read = 0
    for _ in range(programs):
        source, kind = Writer(rng).program()
        spec = specs[kind]
        shape = {"s": rng.randint(0, 5), "t": rng.randint(0, 4)}
        try:
            run = run_of(spec, source, shape)
        except NotRead:
            continue
        read += 1
        namespace: dict[str, Any] = {}
        exec(compile(source, "program", "exec"), namespace)
        for _ in range(inputs_each):
            inputs = random_inputs(rng, shape)
            expected, found = by_python(namespace["f"], inputs), by_reading(run, spec, inputs)
            if found[0] == "not read":
                continue
            assert same(found, expected), f"{inputs}\n{source}\nCPython: {expected}\nread: {found}"
            pairs += 1
    return pairs, read


def test_random_programs_on_texts_are_read_as_cpython_runs_them() -> None:
    pairs, read = compare_programs(seed=1, programs=100, inputs_each=25)
    assert read >= 45
    assert pairs >= 1100


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(2, 12))
def test_many_random_programs_on_texts_are_read_as_cpython_runs_them(seed: int) -> None:
    pairs, _ = compare_programs(seed=seed, programs=2000, inputs_each=25)
    assert pairs >= 20_000


@pytest.mark.parametrize("function", ["int", "Decimal"])
@pytest.mark.parametrize("digit", ["7", "\u0667"])
def test_what_is_a_space_around_a_number(function: str, digit: str) -> None:
    source = f"from decimal import Decimal\n\n\ndef f(s, t, m, n):\n    return {function}(s)\n"
    spec = spec_from_toml(SPEC.format(output="int" if function == "int" else "decimal"))
    run = run_of(spec, source, {"s": 2, "t": 0})
    namespace: dict[str, Any] = {}
    exec(source, namespace)
    for space in filter(str.isspace, map(chr, range(sys.maxunicode + 1))):
        for text in (space + digit, digit + space):
            inputs = {"s": text, "t": "", "m": "", "n": 0}
            expected, found = by_python(namespace["f"], inputs), by_reading(run, spec, inputs)
            assert same(found, expected) or found == expected, ascii(text)
