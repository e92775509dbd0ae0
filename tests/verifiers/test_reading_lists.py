"""The symbolic reading of lists, records, optional values and dicts against CPython, on random programs and inputs."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from decimal import Decimal
from fractions import Fraction
from typing import Any

import pytest
from neurosym_specs._python_source import to_source
from neurosym_specs.loader import spec_from_toml
from neurosym_specs.model import Spec
from neurosym_specs.signature import declarations
from neurosym_verifiers.proof.claims import Reader
from neurosym_verifiers.proof.holding import known
from neurosym_verifiers.proof.runs import Run
from neurosym_verifiers.reading.data.values import NotRead
from neurosym_verifiers.reading.execution.state import Raised
from neurosym_verifiers.reading.formulas.evaluating import Evaluation
from neurosym_verifiers.reading.inputs.assignments import assigned
from neurosym_verifiers.reading.inputs.renaming import renamed

from tests.verifiers.list_programs import OUTPUTS, PRELUDE, SIGNATURE, SPEC, ListWriter, random_inputs


def spec_of(kind: str) -> Spec:
    return spec_from_toml(SPEC.format(output=OUTPUTS[kind]))


def namespace_of(spec: Spec, source: str) -> dict[str, Any]:
    namespace: dict[str, Any] = {}
    exec(compile(declarations(spec) + "\nfrom decimal import Decimal\n" + source, "program", "exec"), namespace)
    return namespace


def plain(value: Any) -> Any:
    """A result with Decimals as their numbers, and dicts, which do not differ by their order, in one order."""
    if isinstance(value, Decimal):
        return Fraction(value)
    if isinstance(value, (list, tuple)):
        return type(value)(map(plain, value))
    return {key: plain(value[key]) for key in sorted(value)} if isinstance(value, dict) else value


def by_python(spec: Spec, namespace: dict[str, Any], inputs: Mapping[str, Any]) -> Any:
    arguments = [eval(to_source(type_, inputs[name]), namespace) for name, type_ in spec.inputs.items()]
    try:
        return "returns", plain(namespace["f"](*arguments))
    except Exception as error:
        return "raises", type(error).__name__


def by_reading(spec: Spec, run: Run, inputs: Mapping[str, Any], prefix: str = "") -> Any:
    evaluation = Evaluation({prefix + name: value for name, value in assigned(spec, inputs).items()})
    taken = [e for e in run.exits if evaluation.condition(e.condition)]
    assert len(taken) == 1, f"{len(taken)} exits"
    if isinstance(taken[0].outcome, Raised):
        return "raises", taken[0].outcome.names[0]
    return "returns", plain(known(taken[0].outcome.value, evaluation))


def of_others(run: Run) -> Run:
    """The run with the names of a relation's first run, as a relation has it."""
    exits = renamed(run.exits, "a.")
    assert exits is not None
    return replace(run, exits=exits)


def compare_programs(
    seed: int, programs: int, inputs_each: int, writer: type[ListWriter] = ListWriter
) -> tuple[int, int, Counter[str]]:
    """How many pairs were compared, how many programs were read, and what was not; fails on the first disagreement."""
    rng = random.Random(seed)
    readers = {kind: Reader(spec_of(kind)) for kind in OUTPUTS}
    specs = {kind: spec_of(kind) for kind in OUTPUTS}
    unread: Counter[str] = Counter()
    pairs = read = 0
    for _ in range(programs):
        source, kind = writer(rng).program()
        spec, shape = specs[kind], rng.choice(readers[kind].shapes())
        try:
            run = readers[kind].run(source, shape)
        except NotRead as not_read:
            unread[not_read.what] += 1
            continue
        read += 1
        namespace, other = namespace_of(spec, source), of_others(run)
        for _ in range(inputs_each):
            inputs = random_inputs(rng, shape)
            try:
                expected, found = by_python(spec, namespace, inputs), by_reading(spec, run, inputs)
                assert repr(by_reading(spec, other, inputs, "a.")) == repr(found), "with other names"
            except AssertionError as problem:
                raise AssertionError(f"{problem}\n{inputs}\n{source}") from None
            assert repr(found) == repr(expected), f"{inputs}\n{source}\nCPython: {expected}\nread: {found}"
            pairs += 1
    return pairs, read, unread


def test_random_programs_over_lists_are_read_as_cpython_runs_them() -> None:
    pairs, read, _ = compare_programs(seed=1, programs=300, inputs_each=30)
    assert read >= 80
    assert pairs >= 2500


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(2, 12))
def test_many_random_programs_over_lists_are_read_as_cpython_runs_them(seed: int) -> None:
    pairs, _, _ = compare_programs(seed=seed, programs=1700, inputs_each=40)
    assert pairs >= 20_000


@pytest.mark.parametrize(
    ("body", "kind"),
    [
        # What a branch knows of an input must not be believed behind it.
        ("if x >= 0:\n    p = x * y\nelse:\n    p = x * y\nif y <= 0:\n    return 1 if p > 0 else 0\nreturn 2", "i"),
        (
            "if x >= 0:\n    p = x * y > 3\nelse:\n    p = x * y > 3\nif y <= 0:\n    return 1 if p else 0\nreturn 2",
            "i",
        ),
        # A key that may be missing is missed in the result.
        ("r = {'tag': word, 'qty': x}\nif on:\n    r['price'] = Decimal(1)\nreturn r", "T"),
    ],
)
def test_bodies_that_were_misread_are_read_right(body: str, kind: str) -> None:
    source = f"{PRELUDE}{SIGNATURE}\n" + "".join(f"    {line}\n" for line in body.splitlines())
    spec, rng = spec_of(kind), random.Random(0)
    reader = Reader(spec)
    run, namespace = reader.run(source), namespace_of(spec, source)
    for _ in range(300):
        inputs = random_inputs(rng, reader.shapes()[0])
        assert by_reading(spec, run, inputs) == by_python(spec, namespace, inputs)
