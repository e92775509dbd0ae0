"""What was sorted, by ranks: random programs that sort held against CPython, what is shown with unknown ranks, and of
what is left over, held against all small assignments, and shares dealt out wrongly, which must not be proved."""

# ruff: noqa: E501
from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import combinations, product
from typing import Any

import pytest
from neurosym_specs.loader import spec_from_toml
from neurosym_verifiers.proof.claims import Reader
from neurosym_verifiers.proof.holding import known
from neurosym_verifiers.proof.solver import Solver
from neurosym_verifiers.reading.data.values import NotRead
from neurosym_verifiers.reading.execution.state import Raised
from neurosym_verifiers.reading.formulas.evaluating import Evaluation
from neurosym_verifiers.reading.formulas.normal_forms import below, both, choose, either, equal, floor_div, negated
from neurosym_verifiers.reading.formulas.ranks import ranks, switch
from neurosym_verifiers.reading.formulas.terms import FALSE, Condition, Term, number, variable
from neurosym_verifiers.reading.inputs.assignments import assigned
from neurosym_verifiers.reading.inputs.crossing import in_spec
from neurosym_verifiers.reading.inputs.shapes import shape_of
from neurosym_verifiers.reading.simplification.orders import has_ranks, with_ranks_unknown

SPEC = """
spec = 1
name = "f"
[inputs]
xs = {{ type = "list", of = {{ type = "int", min = -3, max = 3 }}, max_len = 5 }}
n = {{ type = "int", min = -1, max = 6 }}
[output]
type = "{output}"
[[ensure]]
that = "n == n"
"""
ORDERS = (
    "sorted(range(len(xs)), key=lambda i: {key})", "sorted(range(len(xs)), key=lambda i: ({key}, -i))",
    "sorted(range(len(xs)), key=lambda i: ({key}, i), reverse=True)", "[i for _, i in sorted((x, i) for i, x in enumerate(xs))]",
    "sorted(range(len(xs)), key=lambda i: {key}, reverse=True)", "sorted(list(range(len(xs)))[::-1], key=lambda i: {key})",
    "sorted(range(len(xs)), key=lambda i: (i % 2 == 0, {key}))",
)  # fmt: skip
KEYS = ("xs[i]", "-xs[i]", "xs[i] % 2", "abs(xs[i])", "xs[i] // 2", "xs[i] > 0", "i", "0", "(xs[i] - n) ** 2")
USES = (
    ("a = list(xs)\nfor i in order[:n]:\n    a[i] += 10\nreturn a", "list[int]"),
    ("a = [0] * len(xs)\nfor p, i in enumerate(order):\n    a[i] = p\nreturn a", "list[int]"),
    ("return [xs[i] for i in order]", "list[int]"),
    ("return [x + (10 if i in order[:n] else 0) for i, x in enumerate(xs)]", "list[int]"),
    ("return sum(p * i for p, i in enumerate(order))", "int"),
    ("return order.index(1) if len(xs) > 1 else order", "int"),
    ("a = dict(zip(order, range(9)))\nreturn a.get(2, -1) * 10 + sum(a)", "int"),
    ("order.reverse()\nt = 0\nfor i in order:\n    if xs[i] > n:\n        break\n    t = 3 * t + i\nreturn t", "int"),
    ("return order[0] * 7 + order[-1] if order and order[0] < 2 else xs[n]", "int"),
    ("a = sorted(order)\nreturn a == list(range(len(xs)))", "bool"),
    ("rows = sorted([(x * x, -i, x) for i, x in enumerate(xs)])\nreturn [c for _, _, c in rows][:n]", "list[int]"),
    ("xs = list(xs)\nxs.sort(reverse=n > 2)\nreturn xs", "list[int]"),
    ("return sum(sorted(xs)[1:-1])", "int"),
)


def test_random_sorts_are_read_as_cpython_runs_them() -> None:
    rng = random.Random(3)
    compared = 0
    for _ in range(90):
        body, output = rng.choice(USES)
        lines = f"order = {rng.choice(ORDERS).format(key=rng.choice(KEYS))}\n{body}".splitlines()
        source = "def f(xs, n):\n" + "".join(f"    {line}\n" for line in lines)
        spec = spec_from_toml(SPEC.format(output=output))
        candidate = Reader(spec).candidate(source)
        namespace: dict[str, Any] = {}
        exec(compile(source, "program", "exec"), namespace)
        for _ in range(4):
            length = rng.randint(0, 5)
            inputs = {"xs": [rng.randint(-3, 3) for _ in range(length)], "n": rng.randint(-1, 6)}
            try:
                run = candidate.run(shape_of(spec, inputs))
            except NotRead:
                continue
            evaluation = Evaluation(assigned(spec, inputs))
            (taken,) = [end for end in run.exits if evaluation.condition(end.condition)]
            outcome = taken.outcome
            raised = isinstance(outcome, Raised)
            found: Any = outcome.names[0] if isinstance(outcome, Raised) else known(in_spec(outcome.value), evaluation)
            expected = by_python(namespace, inputs)
            assert found == expected, (source, inputs, raised)
            compared += 1
    assert compared > 250


def by_python(namespace: dict[str, Any], inputs: dict[str, Any]) -> Any:
    try:
        return namespace["f"](list(inputs["xs"]), inputs["n"])
    except Exception as error:
        return type(error).__name__


def ranks_of(keys: list[Term]) -> list[Term]:
    sums = [number(0)] * len(keys)
    for j, i in combinations(range(len(keys)), 2):
        behind = below(keys[i], keys[j])
        sums[j] = sums[j] + choose(behind, number(1), number(0))
        sums[i] = sums[i] + choose(negated(behind), number(1), number(0))
    return ranks(tuple(sums))


def random_condition(rng: random.Random, places: list[Term], others: list[Term]) -> Condition:
    """A comparison of sums of what the ranks are under."""
    before, half = rng.choice(others), rng.randint(0, 2)
    functions = (
        lambda rank: choose(below(rank, before), number(1), number(0)),
        lambda rank: choose(equal(rank, number(half)), number(2), number(0)),
        lambda rank: rank,
        lambda rank: choose(either(equal(rank, number(0)), below(rank, before)), rank, number(half)),
    )
    function, other = rng.choice(functions), rng.choice(functions)
    some = places if rng.random() < 0.7 else places[:2]
    total = number(0)
    for place in some:
        total = total + function(place)
    if rng.random() < 0.3:
        total = total + other(rng.choice(places))
    picked = switch(tuple((equal(rank, number(1)), number(at)) for at, rank in enumerate(places)))
    right = rng.choice((number(rng.randint(0, 6)), before, picked, other(places[0])))
    return rng.choice((equal, below))(total, right)


def test_what_has_no_solution_with_unknown_ranks_has_none_at_all() -> None:
    rng = random.Random(11)
    names = ("a", "b", "c", "t")
    items = [variable(name, -1, 1) for name in names[:3]]
    whole, places = variable("t", 0, 4), ranks_of(items)
    parts = [floor_div(whole * (item + number(1)), items[0] + items[1] + items[2] + number(4)) for item in items]
    rest = whole - parts[0] - parts[1] - parts[2]
    bounds = {**dict.fromkeys(names[:3], (-1, 1)), "t": (0, 4)}
    rows = [dict(zip(names, row, strict=True)) for row in product((-1, 0, 1), (-1, 0, 1), (-1, 0, 1), range(5))]
    settled = 0
    for _ in range(120):
        drawn = [random_condition(rng, places, [rest, whole, number(2)]) for _ in range(rng.randint(1, 2))]
        asked = both(*(negated(each) if rng.random() < 0.5 else each for each in drawn))
        unknown, spans = with_ranks_unknown(asked, bounds)
        assert not has_ranks(unknown)
        assert unknown.names <= spans.keys()
        if unknown == FALSE:
            settled += asked != FALSE
            assert not any(Evaluation(row).condition(asked) for row in rows)
    assert settled > 5


def test_bounds_of_what_is_left_over_hold() -> None:
    rng = random.Random(2)
    tight = 0
    for _ in range(150):
        t, weights = variable("t", -5, 9), [variable(name, 1, 4) for name in "abc"[: rng.randint(2, 3)]]
        if rng.random() < 0.5:
            weights = [number(rng.randint(1, 9)) for _ in weights]
        whole = sum(weights, number(0))
        sign = rng.choice((1, -1))
        total = number(sign) * t + number(rng.choice((0, 0, 0, 7)))
        for weight in weights:
            part = floor_div(t * weight, whole)
            total = total - number(sign) * part if rng.random() < 0.95 else total + part
        values = [
            Evaluation({"t": at, **dict(zip("abc", row, strict=False))}).term(total)
            for at in range(-5, 10)
            for row in product(range(1, 5), repeat=len(weights))
        ]
        assert total.low is None or total.low <= min(values)
        assert total.high is None or total.high >= max(values)
        tight += total.high is not None and total.low is not None and total.high - total.low < len(weights) + 1
    assert tight > 50


DEAL = """
spec = 1
name = "f"
[inputs]
t = { type = "int", min = 0, max = 1000000 }
ws = { type = "list", of = { type = "int", min = 1, max = 1000 }, min_len = 1, max_len = 3 }
[output]
type = "list[int]"
[define]
"rest(i)" = "t * ws[i] / sum(ws) - floor(t * ws[i] / sum(ws))"
[let]
all_i = "range(len(ws))"
left = "t - sum(floor(t * ws[i] / sum(ws)) for i in all_i)"
queue = "[i for (r, i) in sorted((-rest(i), i) for i in all_i)]"
[reference]
value = "[floor(t * ws[i] / sum(ws)) + (1 if i in queue[:left] else 0) for i in all_i]"
[[ensure]]
id = "all of it"
that = "sum(result) == t"
"""
BODY = """\
s = sum(ws)
a = [t * w // s for w in ws]
order = sorted(range(len(ws)), key=lambda i: -(t * ws[i] % s))
for i in order[:t - sum(a)]:
    a[i] += 1
return a"""


@pytest.fixture(scope="module")
def solver() -> Iterator[Solver]:
    with Solver() as asked:
        yield asked


@pytest.mark.parametrize(
    ("old", "new", "right", "whole"),
    [
        ("", "", True, True),
        ("key=lambda i: -(t * ws[i] % s))", "key=lambda i: t * ws[i] % s, reverse=True)", True, True),
        ("order[:t - sum(a)]", "order[:t - sum(a) - 1]", False, False),
        ("-(t * ws[i] % s))", "(-(t * ws[i] % s), -i))", False, True),
        ("-(t * ws[i] % s))", "t * ws[i] % s)", False, True),
        ("-(t * ws[i] % s))", "-ws[i])", False, True),
        ("for i in order[", "for i in list(range(len(ws)))[", False, True),
        ("order[:t - sum(a)]", "order[:min(t - sum(a), 1)]", False, False),
        ("a[i] += 1", "a[order[0]] += 1", False, True),
    ],
)
def test_only_what_is_dealt_out_rightly_is_proved(solver: Solver, old: str, new: str, right: bool, whole: bool) -> None:
    assert old in BODY
    source = "def f(t, ws):\n" + "".join(f"    {line}\n" for line in BODY.replace(old, new).splitlines())
    claims = Reader(spec_from_toml(DEAL)).claims(source)
    proved = {"reference": True, "ensure: all of it": True}
    assert not claims.unread
    for claim in claims.claims:
        if proved.get(claim.obligation):
            answer = solver.ask(claim.against, claim.bounds, seconds=10, units=1_000_000)
            proved[claim.obligation] = answer.verdict == "unsat"
    assert proved == {"reference": right, "ensure: all of it": whole}
