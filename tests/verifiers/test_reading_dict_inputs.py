"""Dicts as inputs: random programs and expressions over them, held against CPython and the spec's evaluator; what is
proved of them, and false claims that must not be."""

from __future__ import annotations

import random
from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from typing import Any

import pytest
from neurosym_specs.errors import SpecError
from neurosym_specs.expr.evaluate import Evaluator
from neurosym_specs.expr.undefined import Undefined
from neurosym_specs.loader import spec_from_toml
from neurosym_specs.values import Record, WrittenDecimal
from neurosym_verifiers.proof.claims import Reader
from neurosym_verifiers.proof.holding import known
from neurosym_verifiers.proof.solver import Solver
from neurosym_verifiers.reading.data.values import NotRead
from neurosym_verifiers.reading.execution.state import Raised
from neurosym_verifiers.reading.expressions.scope import Meaning
from neurosym_verifiers.reading.formulas.evaluating import Evaluation
from neurosym_verifiers.reading.inputs.assignments import assigned, concrete
from neurosym_verifiers.reading.inputs.crossing import in_spec
from neurosym_verifiers.reading.inputs.inputs import symbolic_inputs
from neurosym_verifiers.reading.inputs.shapes import key_of, shape_of, shapes_of

WORDS = ("a", "b", "c")
SPEC = """
spec = 1
name = "f"
[types.Word]
type = "str"
choices = ["a", "b", "c"]
[types.Few]
type = "list[Small]"
max_len = 2
[types.Small]
type = "int"
min = -4
max = 4
[types.Price]
type = "decimal"
places = 1
min = "-2.0"
max = "2.0"
[inputs]
t = {{ type = "dict[Word, Small]", max_len = 3 }}
u = {{ type = "dict[Small, Price]", max_len = 2 }}
v = {{ type = "dict[Word, Few]", max_len = 1 }}
w = {{ type = "Word" }}
x = {{ type = "Small" }}
[output]
{output}
[[ensure]]
that = "x == x"
"""
OUTPUTS = {
    "i": 'type = "int"',
    "d": 'type = "decimal"',
    "b": 'type = "bool"',
    "L": 'type = "list[Word]"',
    "D": 'type = "dict[Word, int]"',
}
FORMS = {
    "i": (
        "{t}[{w}]", "{t}.get({w}, {i})", "len({t})", "sum({t}.values())", "max({t}.values())", "len(u)",
        "sum(k for k in u)", "sum(k * n for k, n in enumerate({t}.values()))", "sum(v.get({w}, []))",
        "sum(q for p, q in {t}.items() if p != {w})", "({i} - {i})", "({i} if {b} else {i})", "x", "3",
        "sum(len(p) * x for p in v.values())", "min(u)", "v[{w}][0]",
    ),
    "d": ("u[{i}]", "u.get({i}, {d})", "sum(u.values())", "({d} + {d})", "Decimal(1)", "u[min(u)]", "max(u.values())"),
    "b": (
        "({w} in {t})", "({i} in u)", "({i} < {i})", "({t} == {t})", "(not {b})", "all(p > x for p in {t}.values())",
        "any(p in v for p in {t})", "(u == {{{i}: {d}}})", "({w} not in v)", "(v == {{{w}: [x]}})",
    ),
    "L": ("sorted({t})", "list({t})", "[p for p, q in {t}.items() if q > {i}]", "[{w}]", "[{w}, *{t}]", "list(v)"),
    "D": ("{t}", "{{p: q + {i} for p, q in {t}.items()}}", "{{{w}: {i}, 'b': {i}}}", "{{**{t}, {w}: {i}}}"),
    "t": ("t", "t", "t", "{D}"),
    "w": ("w", "w", "'a'", "'b'"),
}  # fmt: skip
PROGRAMS = (
    "a = dict({t})\na.pop({w}, None)\na[{w}] = {i}\nreturn ({L}, list(a))[1]",
    "a = {t}.copy()\nif {b}:\n    del a[{w}]\nelse:\n    a[{w}] = {i}\nreturn list(a)",
    "a = []\nfor p in t:\n    if t[p] > {i}:\n        continue\n    a.append(p)\nreturn a",
    "a = {{}}\nfor p, q in t.items():\n    a.setdefault(p if q > {i} else {w}, []).append(q)\nreturn list(a)",
)


class Writer:
    """Random expressions of a kind, no deeper than asked for."""

    def __init__(self, rng: random.Random, *, python: bool) -> None:
        self._rng = rng
        self._python = python

    def write(self, kind: str, depth: int) -> str:
        """An expression; in the spec's language without what only Python has."""
        forms = [form for form in FORMS[kind] if self._python or not {"*", "Decimal", "list("} & _marks(form)]
        form = self._rng.choice(forms if depth else [each for each in forms if "{" not in each] or forms)
        return form.format_map(_Parts(self, depth - 1))

    def program(self) -> tuple[str, str]:
        """A function, and the kind of its result."""
        kind = self._rng.choice("idbLD")
        body = f"return {self.write(kind, 2)}"
        if kind == "L" and self._rng.random() < 0.5:
            body = self._rng.choice(PROGRAMS).format_map(_Parts(self, 1))
        lines = "\n".join("    " + line for line in body.splitlines())
        return f"from decimal import Decimal\ndef f(t, u, v, w, x):\n{lines}\n", kind


class _Parts(dict[str, str]):
    def __init__(self, writer: Writer, depth: int) -> None:
        self._writer = writer
        self._depth = max(depth, 0)

    def __missing__(self, kind: str) -> str:
        return self._writer.write(kind, self._depth)


def _marks(form: str) -> set[str]:
    return {mark for mark in ("Decimal", "list(") if mark in form} | ({"*"} if "*{" in form else set())


def draw(rng: random.Random) -> dict[str, Any]:
    """Inputs as Python has them, the keys in any order."""

    def some(keys: Any, most: int, value: Any) -> dict[Any, Any]:
        return {key: value() for key in rng.sample(keys, rng.randint(0, most))}

    def small() -> int:
        return rng.randint(-4, 4)

    return {
        "t": some(WORDS, 3, small),
        "u": some(range(-4, 5), 2, lambda: Decimal(rng.randint(-20, 20)) / 10),
        "v": some(WORDS, 1, lambda: [small() for _ in range(rng.randint(0, 2))]),
        "w": rng.choice(WORDS),
        "x": small(),
    }


def as_spec(inputs: dict[str, Any]) -> dict[str, Any]:
    return inputs | {"u": {key: WrittenDecimal(Fraction(value), 1) for key, value in inputs["u"].items()}}


def exactly(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: exactly(each) for key, each in value.items()}
    return Fraction(value) if isinstance(value, (Decimal, int)) and not isinstance(value, bool) else value


def by_python(function: Callable[..., Any], inputs: dict[str, Any]) -> Any:
    """What CPython makes of the call: a value, or the exception's name."""
    try:
        return exactly(function(**inputs))
    except Exception as error:
        return type(error).__name__


def test_random_programs_are_read_as_cpython_runs_them() -> None:
    rng = random.Random(7)
    specs = {kind: spec_from_toml(SPEC.format(output=output)) for kind, output in OUTPUTS.items()}
    writer, compared, read = Writer(rng, python=True), 0, 0
    for _ in range(130):
        source, kind = writer.program()
        candidate = Reader(specs[kind]).candidate(source)
        namespace: dict[str, Any] = {}
        exec(compile(source, "program", "exec"), namespace)
        try:
            for inputs in (draw(rng) for _ in range(5)):
                run = candidate.run(shape_of(specs[kind], as_spec(inputs)))
                evaluation = Evaluation(assigned(specs[kind], as_spec(inputs)))
                assert evaluation.condition(run.inputs.universe)
                (taken,) = [end for end in run.exits if evaluation.condition(end.condition)]
                expected, outcome = by_python(namespace["f"], inputs), taken.outcome
                if isinstance(outcome, Raised):
                    found: Any = outcome.names[0]
                else:
                    found = exactly(known(in_spec(outcome.value), evaluation))
                assert found == expected, (source, inputs)
                assert isinstance(found, bool) == isinstance(expected, bool), (source, inputs)
                compared += 1
        except NotRead:
            continue
        read += 1
    assert read > 100
    assert compared > 250


def test_random_expressions_are_read_as_the_evaluator_evaluates_them() -> None:
    rng = random.Random(8)
    writer, compared, read = Writer(rng, python=False), 0, 0
    for _ in range(120):
        text = writer.write(rng.choice("idbL"), 2)
        try:
            spec = spec_from_toml(SPEC.format(output=OUTPUTS["b"]) + f'\n[let]\nasked = "{text}"\n')
        except SpecError:
            continue
        reader, asked = Reader(spec), spec.lets["asked"]
        for inputs in (as_spec(draw(rng)) for _ in range(4)):
            symbolic = symbolic_inputs(spec, shape_of(spec, inputs))
            meaning = Meaning({name: in_spec(value) for name, value in symbolic.values.items()})
            try:
                value, defined = reader.expressions.value(asked, meaning)
            except NotRead:
                break
            evaluation = Evaluation(assigned(spec, inputs))
            found = exactly(known(value, evaluation)) if evaluation.condition(defined) else "undefined"
            try:
                expected = exactly(Evaluator(spec).bind(inputs).evaluate(asked))
            except Undefined:
                expected = "undefined"
            assert found == expected, (text, inputs)
            compared += 1
        else:
            read += 1
    assert read > 60
    assert compared > 200


GRAPH = """
spec = 1
name = "f"
[types.Word]
type = "str"
choices = ["a", "b", "c"]
[types.Step]
type = "record"
as = "tuple"
fields = { to = "Word", part = { type = "int", min = 0, max = 3 } }
[types.Steps]
type = "list[Step]"
max_len = 1
[inputs]
g = { type = "dict[Word, Steps]", max_len = 2 }
w = { type = "Word" }
[output]
type = "int"
[[ensure]]
that = "1 == 1"
"""
VISIT = """
def f(g, w):
    found = {}

    def visit(at, times, seen):
        if at in seen:
            raise ValueError(at)
        for to, part in g.get(at, []):
            if to in g:
                visit(to, times * part, seen | {at})
            else:
                found[to] = found.get(to, 0) + times * part

    visit(w, 1, frozenset())
    return sum(found.values()) * 10 + len(found)
"""


def test_recursion_through_a_dict_ends_where_no_key_is_left() -> None:
    spec, rng = spec_from_toml(GRAPH), random.Random(4)
    namespace: dict[str, Any] = {}
    exec(compile(VISIT, "program", "exec"), namespace)
    with Solver() as solver:
        candidate = Reader(spec).candidate(
            VISIT, lambda where, bounds: solver.ask(where, bounds, seconds=9).verdict != "unsat"
        )
        with pytest.raises(NotRead, match="too deep"):
            Reader(spec).candidate(VISIT).run({"g": 2, "g.0.value": 1, "g.1.value": 1})
        for _ in range(60):
            keys = rng.sample(WORDS, rng.randint(0, 2))
            steps = {key: [(rng.choice(WORDS), rng.randint(0, 3))][: rng.randint(0, 1)] for key in keys}
            given = {"g": steps, "w": rng.choice(WORDS)}
            records = {key: [Record("Step", {"to": to, "part": part}) for to, part in of] for key, of in steps.items()}
            inputs = given | {"g": records}
            run = candidate.run(shape_of(spec, inputs))
            evaluation = Evaluation(assigned(spec, inputs))
            (taken,) = [end for end in run.exits if evaluation.condition(end.condition)]
            outcome = taken.outcome
            found = outcome.names[0] if isinstance(outcome, Raised) else known(in_spec(outcome.value), evaluation)
            assert found == by_python(namespace["f"], given), given


def test_an_assignment_of_any_shape_is_an_input_and_back() -> None:
    spec = spec_from_toml(SPEC.format(output=OUTPUTS["b"]))
    assert len(shapes_of(spec)) == 4 * 3 * 4
    rng = random.Random(9)
    for _ in range(50):
        inputs = as_spec(draw(rng))
        shape, assignment = shape_of(spec, inputs), assigned(spec, inputs)
        again = concrete(spec, shape, assignment)
        assert again == inputs
        assert [list(again[name]) for name in "tuv"] == [list(inputs[name]) for name in "tuv"]
        assert key_of(shape_of(spec, again)) == key_of(shape)


def test_there_are_no_more_keys_than_different_ones() -> None:
    spec = spec_from_toml(
        SPEC.format(output=OUTPUTS["b"]).replace('"dict[Word, Small]", max_len = 3', '"dict[Word, Small]"')
    )
    assert {shape["t"] for shape in shapes_of(spec)} == {0, 1, 2, 3}
    endless = SPEC.format(output=OUTPUTS["b"]).replace('dict[Small, Price]", max_len = 2', 'dict[str, Price]"')
    with pytest.raises(NotRead, match="any number of keys"):
        shapes_of(spec_from_toml(endless))
