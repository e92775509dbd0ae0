"""What tables and comparisons of random programs say: each input in one region, with what CPython makes of it."""

from __future__ import annotations

import random
from typing import Any

import pytest
from neurosym_specs.errors import Place
from neurosym_specs.expr.evaluate import Evaluator
from neurosym_specs.expr.syntax import parse_expression
from neurosym_specs.loader import spec_from_toml
from neurosym_specs.model import Spec
from neurosym_verifiers.bench import Effort
from neurosym_verifiers.cases import CaseMaker
from neurosym_verifiers.regions.difference import compare
from neurosym_verifiers.regions.showing import UNSHOWN, Span
from neurosym_verifiers.regions.table import NoTable, Region, table_of
from neurosym_verifiers.regions.workbench import Workbench
from neurosym_verifiers.wording import say_value

from tests.verifiers.programs import SPEC, random_inputs
from tests.verifiers.programs import Writer as Programs
from tests.verifiers.test_reading import by_python, spec_inputs

DRAWN = 60


def has(spans: tuple[Span, ...], ties: tuple[str, ...], inputs: dict[str, Any], scope: Any) -> bool:
    """Whether inputs lie where a region is shown to be."""
    for span in spans:
        value = inputs[span.label]
        if span.options and value not in span.options:
            return False
        if (span.low is not None and value < span.low) or (span.high is not None and value > span.high):
            return False
    return all(scope.evaluate(parse_expression(tie, Place())) is True for tie in ties)


def given_of(spec: Spec, rng: random.Random) -> list[dict[str, Any]]:
    """Inputs of the spec."""
    maker, found = CaseMaker(spec, None), [random_inputs(rng) for _ in range(DRAWN)]
    return [each for each in found if maker.belongs(spec_inputs(each))]


def loaded(source: str) -> dict[str, Any]:
    namespace: dict[str, Any] = {}
    exec(compile(source, "program", "exec"), namespace)
    return namespace


def check_table(spec: Spec, source: str, rng: random.Random) -> int:
    """How many results were compared."""
    with Workbench(spec, Effort(examples=10)) as bench:
        try:
            table = table_of(bench, source)
        except NoTable:
            return 0
    if table.unsettled or any(UNSHOWN in region.ties for region in table.regions):
        return 0
    evaluator, namespace, count = Evaluator(spec), loaded(source), 0
    for given in given_of(spec, rng):
        inputs = spec_inputs(given)
        scope = evaluator.bind(inputs)
        inside = [region for region in table.regions if has(region.spans, region.ties, inputs, scope)]
        assert len(inside) == 1, f"{len(inside)} regions have {given}\n{source}"
        count += agrees(spec, inside[0], scope, by_python(namespace, given), source)
    return count


def agrees(spec: Spec, region: Region, scope: Any, expected: tuple[str, Any], source: str) -> int:
    end = region.end
    if end.raises:
        assert expected == ("raises", end.raises), source
    elif end.constant:
        assert (expected[0], say_value(spec.output, expected[1])) == ("returns", end.formula), source
    elif end.formula:
        assert expected == ("returns", scope.evaluate(parse_expression(end.formula, Place()))), source
    else:
        return 0
    return 1


def drawn(rng: random.Random) -> tuple[Spec, str]:
    source, kind = Programs(rng).program()
    return spec_from_toml(SPEC.format(output=kind)), source


def tables(seed: int, programs: int) -> int:
    rng = random.Random(seed)
    return sum(check_table(*drawn(rng), rng) for _ in range(programs))


def test_tables_of_random_programs_are_what_cpython_computes() -> None:
    assert tables(seed=1, programs=2) >= 15


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(2, 8))
def test_many_tables(seed: int) -> None:
    assert tables(seed, programs=40) >= 400


CHANGES = (
    (" <= ", " < "), (" < ", " <= "), (" >= ", " > "), (" + ", " - "), (" - ", " + "), ("max(", "min("),
    ("HALF_UP", "HALF_DOWN"), ("ROUND_FLOOR", "ROUND_DOWN"), ("CENT", "Decimal('0.1')"), ("7", "8"),
)  # fmt: skip


def changed(source: str, rng: random.Random) -> str:
    """The program with one small change behind its prelude."""
    start = source.index("def helper")
    found = [(at, old, new) for old, new in CHANGES for at in range(start, len(source)) if source.startswith(old, at)]
    if not found:
        return source
    at, old, new = rng.choice(found)
    return source[:at] + new + source[at + len(old) :]


def comparisons(seed: int, programs: int) -> tuple[int, int]:
    """How many comparisons were complete, and how many of these said that the versions are equal."""
    rng, complete, equal = random.Random(seed), 0, 0
    for _ in range(programs):
        spec, old = drawn(rng)
        new = changed(old, rng)
        with Workbench(spec, Effort(examples=10)) as bench:
            found = compare(bench, old, new)
        if found.unread or any(UNSHOWN in each.ties for each in found.differences):
            continue
        complete, equal = complete + 1, equal + found.equal
        evaluator, before, after = Evaluator(spec), loaded(old), loaded(new)
        for given in given_of(spec, rng):
            inputs = spec_inputs(given)
            scope = evaluator.bind(inputs)
            inside = sum(has(each.spans, each.ties, inputs, scope) for each in found.differences)
            assert inside == (by_python(before, given) != by_python(after, given)), f"{given}\n{old}\n{new}"
    return complete, equal


def test_random_programs_differ_exactly_where_it_is_said() -> None:
    complete, equal = comparisons(seed=1, programs=3)
    assert complete >= 1
    assert equal < complete


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(2, 8))
def test_many_comparisons(seed: int) -> None:
    complete, _ = comparisons(seed, programs=40)
    assert complete >= 15
