"""The symbolic reading of the spec's language against its evaluator: random expressions, their values, and where they
have none."""

# ruff: noqa: E501
from __future__ import annotations

import random
from fractions import Fraction
from typing import Any

import pytest
from neurosym_specs.errors import SpecError
from neurosym_specs.expr.evaluate import Evaluator
from neurosym_specs.expr.undefined import Undefined
from neurosym_specs.loader import spec_from_toml
from neurosym_verifiers.proof.claims import Reader
from neurosym_verifiers.proof.holding import known
from neurosym_verifiers.reading.data.values import NotRead
from neurosym_verifiers.reading.expressions.scope import Meaning
from neurosym_verifiers.reading.formulas.evaluating import Evaluation
from neurosym_verifiers.reading.inputs.assignments import assigned
from neurosym_verifiers.reading.inputs.crossing import in_spec
from neurosym_verifiers.reading.inputs.inputs import symbolic_inputs

from tests.verifiers.list_programs import OUTPUTS, SPEC, Filler, random_inputs

FORMS = {
    "i": (
        "({i} + {i})", "({i} - {i})", "({i} * {i})", "({i} // {i})", "({i} % {i})", "len({L})", "sum({L})", "{L}[{i}]",
        "{L}[-1]", "max({L})", "min({i}, {i})", "({i} if {b} else {i})", "abs({i})", "sign({d})", "floor({d})",
        "ceil({d})", "trunc({d})", "round({d}, 0, half_up)", "round({d}, 0, half_even)", "sum({v=i} for {v} in {L} if {v=b})",
        "max({v=i} for {v} in {L} if {v=b})", "sum(r.qty for r in rows if r.tag == {s})", "rows[{k}].qty", "items[{k}].n",
        "sum(o.w for o in items if o.w is not None)", "clamp({i}, {i}, {i})", "sorted({L})[{k}]", "fold(step, {L}, {i})",
        "sum({v} * {w} for {v}, {w} in zip({L}, xs))", "sum({v} * {w} for {v}, {w} in enumerate({L}))",
        "{{'a': {i}, 'b': {i}}}[{s}]", "{{r.tag: r.qty for r in rows}}.get({s}, {i})", "len([{v} for {v} in {L} if {v=b}])",
        "sorted(rows, key=size)[{k}].qty", "sum(range({k}, 4))", "len({{{s}, {s}}})", "twice({i})", "len({{{v} for {v} in xs}})",
        "2 ** (1 if {b} else {k})", "sum({v} * 10 ** len(range({v})) for {v} in {L})", "10 ** clamp({i}, {k}, 3)",
        "len({{{v} // 2: {v} for {v} in {L}}})", "{{{v} // 2: {w} for {v}, {w} in enumerate({L})}}.get({i}, 9)", "{{{i}: 5, {i}: {i}}}[{i}]",
    ),
    "d": (
        "({d} + {d})", "({d} - {d})", "({d} * {d})", "({d} / {i})", "({d} if {b} else {d})", "({i} / {k})", "cap", "rows[{k}].price",
        "sum(r.price * r.qty for r in rows)", "max({d}, {d})", "min(r.price for r in rows)", "round({d}, 1, half_even)",
        "round_to({d}, 0.25, half_up)", "abs({d})", "(cap if cap is not None else {d})", "({d} // {i})", "({d} % {i})", "-{d}",
    ),
    "b": (
        "({i} < {i})", "({i} == {d})", "({d} >= {d})", "({i} < {i} <= {i})", "({i} in {L})", "any({v=b} for {v} in {L})",
        "all({v=b} for {v} in {L} if {v=b})", "(not {b})", "({b} and {b})", "({b} or {b})", "cap is None", "({L} == {L})",
        "({s} == {s})", "({s} in ['a', 'c'])", "same_items({L}, {L})", "(items[{k}].w is None)", "all(o.w is None for o in items)",
        "any({i} // {v} > {w} for {v} in {L} for {w} in {L} if {v=b})", "all({v=b} for {v} in {L} if {v=b} for {w} in {L} if {w} != {i})",
        "all(x // {v} < {i} for {v} in {L} if {v=b})", "any(xs[{v}] > {i} for {v} in {L})", "all({b} or {i} // {v} > 0 for {v} in {L})",
        "({i} != {i})", "({s} in {{r.tag for r in rows}})", "(cap is not None and cap > {d})", "({L} < {L})", "(rows[0] == rows[-1])",
    ),
    "L": (
        "xs", "[{i}, {i}]", "[{v=i} for {v} in {L} if {v=b}]", "{L}[{k}:]", "{L}[:{k}]", "{L}[{i}:{i}]", "({L} + {L})",
        "sorted({L})", "reversed({L})", "[r.qty for r in rows]", "[{v=i} for {v} in {L}]", "({L} if {b} else {L})", "[{v=i} for {v} in range({k})]",
        "sorted({L}, key=twice)", "[{v} - {w} for {v} in xs[:2] for {w} in {L}[:2]]", "{L}[::-1]", "sorted({L}, reverse=true)",
        "[o.w for o in items if o.w is not None]",
    ),
    "s": ("word", "'a'", "rows[{k}].tag", "({s} if {b} else {s})"),
}  # fmt: skip

LEAVES = {
    "i": ("x", "y", "0", "1", "2", "-3"),
    "d": ("0.5", "2", "-1.2", "x"),
    "b": ("on", "(x > 0)", "(y < x)"),
    "L": ("xs", "xs", "[1, 2]"),
    "s": ("word", "'a'", "'b'"),
}

DEFINITIONS = """
[define]
"step(a, b)" = "a * 2 - b if a < b else a + b"
"twice(a)" = "2 * a - 1"
"size(r)" = "r.qty"
"""


def exactly(value: Any) -> Any:
    """A value with every number, and no boolean, as a fraction."""
    if isinstance(value, (int, Fraction)) and not isinstance(value, bool):
        return Fraction(value)
    return type(value)(map(exactly, value)) if isinstance(value, (list, tuple)) else value


def compare_expressions(seed: int, expressions: int, inputs_each: int) -> tuple[int, int]:
    """How many pairs were compared, and how many expressions were read; fails on the first disagreement."""
    rng = random.Random(seed)
    plain = SPEC.format(output=OUTPUTS["i"]) + DEFINITIONS
    shapes = Reader(spec_from_toml(plain)).shapes()
    pairs = read = 0
    for _ in range(expressions):
        kind = rng.choice("iiddbL")
        text = Filler(rng, FORMS, LEAVES).expression(kind, 3)
        try:
            spec = spec_from_toml(plain + f'\n[let]\nasked = "{text}"\n')
        except SpecError:
            continue
        shape = rng.choice(shapes)
        inputs = symbolic_inputs(spec, shape)
        meaning = Meaning({name: in_spec(value) for name, value in inputs.values.items()})
        try:
            value, defined = Reader(spec).expressions.value(spec.lets["asked"], meaning)
        except NotRead:
            continue
        read += 1
        evaluator = Evaluator(spec)
        for _ in range(inputs_each):
            given = random_inputs(rng, shape)
            try:
                expected = ("is", exactly(evaluator.bind(given).evaluate(spec.lets["asked"])))
            except Undefined:
                expected = ("undefined", None)
            evaluation = Evaluation(assigned(spec, given))
            found = ("undefined", None)
            if evaluation.condition(defined):
                found = ("is", exactly(known(value, evaluation)))
            assert repr(found) == repr(expected), f"{text}\n{given}\nevaluator: {expected}\nread: {found}"
            pairs += 1
    return pairs, read


def test_random_expressions_are_read_as_the_evaluator_has_them() -> None:
    pairs, read = compare_expressions(seed=1, expressions=300, inputs_each=25)
    assert read >= 200
    assert pairs >= 5000


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(2, 12))
def test_many_random_expressions_are_read_as_the_evaluator_has_them(seed: int) -> None:
    pairs, _ = compare_expressions(seed=seed, expressions=2000, inputs_each=25)
    assert pairs >= 20_000


@pytest.mark.parametrize(
    "text",
    [
        "same_items([on], [1])",
        "same_items([(x, on)], [(on, x)])",
        "len({v > 2: v for v in xs})",
        "{'a': v for v in {x, y}}['a']",
        "{w: v for v in {x, y} for w in ['a', 'b']}['b']",
        "1 if any(9 / v > 1 for v in {x, y}) else 0",
        "1 if all(6 // v > 0 for v in {r.tag: r.qty for r in rows}.values()) else 0",
    ],
)
def test_what_the_evaluator_has_otherwise_is_not_read(text: str) -> None:
    spec = spec_from_toml(SPEC.format(output=OUTPUTS["i"]) + f'\n[let]\nasked = "{text}"\n')
    reader = Reader(spec)
    inputs = symbolic_inputs(spec, reader.shapes()[-1])
    meaning = Meaning({name: in_spec(value) for name, value in inputs.values.items()})
    with pytest.raises(NotRead):
        reader.expressions.value(spec.lets["asked"], meaning)
