"""Inputs that may be None, alone, in records and in lists: each body is read as CPython runs it on many inputs."""

from __future__ import annotations

import random
from typing import Any

import pytest
from neurosym_specs.loader import spec_from_toml
from neurosym_specs.signature import declarations
from neurosym_specs.values import Record
from neurosym_verifiers.proof.claims import Reader
from neurosym_verifiers.proof.holding import known
from neurosym_verifiers.proof.runs import Run
from neurosym_verifiers.reading.data.values import NotRead
from neurosym_verifiers.reading.execution.state import Raised
from neurosym_verifiers.reading.formulas.evaluating import Evaluation
from neurosym_verifiers.reading.inputs.assignments import assigned
from neurosym_verifiers.reading.inputs.crossing import in_spec
from neurosym_verifiers.reading.inputs.shapes import key_of, shape_of

SPEC = spec_from_toml(
    """
spec = 1
name = "f"
[types.Small]
type = "int"
min = -2
max = 3
[types.Ints]
type = "list"
of = "Small"
max_len = 2
[types.Lot]
type = "record"
fields = { cost = "Small", note = "Small | none", tags = "Ints" }
[types.Pair]
type = "record"
as = "namedtuple"
fields = { a = "Small", b = "bool" }
[types.Order]
type = "record"
as = "dict"
fields = { a = "Small", b = "Small | none" }
[inputs]
xs = "Ints | none"
lot = "Lot | none"
pair = "Pair"
order = "Order"
t = { type = "str | none", max_len = 1, alphabet = "ab" }
n = "Small"
[output]
type = "int"
[[ensure]]
that = "n == n"
"""
)
HEAD = "from collections import Counter, defaultdict\n\n\ndef f(xs, lot, pair, order, t, n):\n"

READ = [
    # Keys that may be None
    "return {'a': 1, 'b': 2}.get(t, 9)",
    "return {'a': 1, 'b': 2}[t]",
    "return {'a': 1, 'b': 2, None: 3}[t]",
    "return {'a': 1, 1: 2}.get(order['b'], 9)",
    "return {'a': 1, 'b': 2}.get((n, 1), 9)",
    "return {'a': 1, 'b': 2, 1: 7}.get(pair.b, 9)",
    "d = {'a': 1, 'b': 2}\nd.pop(t, None)\nreturn len(d)",
    "d = {'a': 1}\nd.setdefault(t, n)\nreturn d['a'] + len(d)",
    "d = {lot.note: 1, n: 2}\nreturn d[order['b']]",
    "d = defaultdict(int)\nd['a'] += 5\nd[t] += 1\nreturn d['a'] * 10 + d[None] + len(d)",
    "d = defaultdict(list)\nd['a'].append(1)\nd[t].append(n)\nreturn len(d['a']) * 10 + len(d)",
    "c = Counter()\nc['a'] += 5\nreturn c[t]",
    "c = Counter([lot.note, order['b'], n])\nreturn c[None] * 10 + c[n]",
    "return len({lot.note, order['b'], n})",
    "return {**{'a': 1}, t: n}.get('a', 4)",
    # What may be None, alone
    "ys = list(xs) if xs is not None else []\nys.append(n)\nreturn len(ys)",
    "return len(t or '') + (t == 'a') + (t is None) * 10",
    "return 1 if t in ('a', None) else 2 if t in ('', 'b') else 3",
    "return 1 if xs == lot.tags else 0",
    "return 1 if xs == [n] or xs == None else 0",
    "return max(xs, default=n) if xs is not None else min(lot.tags, default=-n)",
    "match xs:\n    case None:\n        return 0\n    case [q]:\n        return q\n"
    "    case [q, w] if q < w:\n        return w\n    case _:\n        return 50",
    # In records
    "return lot.cost + (lot.note or 0)",
    "return lot.note * len(lot.tags) + lot.cost // lot.note",
    "return 1 if lot.note < n < (order['b'] or 0) else 0",
    "return 1 if (lot.note, n) == (order['b'], 1) else 0",
    "return 1 if lot is None else 2 if lot != Lot(1, 2, []) else 3",
    "return 1 if [lot] == [None] else 0",
    "return max(q for q in (lot.note, order['b']) if q is not None)",
    "order2 = {**order, 'a': n}\nreturn order2['a'] + order['a']",
    "a, b = pair\nreturn a + b + pair[0] * 10 + pair[-1]",
    "v = lot.note if lot is not None else None\nreturn 0 if v is None else v",
    "try:\n    return lot.note + n\nexcept TypeError:\n    return -1\nexcept AttributeError:\n    return -2",
    "match lot:\n    case None:\n        return 0\n    case Lot(cost=c, note=None):\n        return c\n"
    "    case Lot(c, k, [q, *_]) if q > c:\n        return k\n    case Lot(tags=[]):\n        return 77\n"
    "    case _:\n        return 5",
    "match order:\n    case {'a': 1, 'b': None}:\n        return 1\n    case {'a': q, 'b': int(w)}:\n"
    "        return q * w\n    case _:\n        return 99",
]

REFUSED = ["return {'a': 1}.get(lot, 9)", "return 1 if t in {'a': 1} else 0"]


def random_inputs(rng: random.Random) -> dict[str, Any]:
    def small() -> int:
        return rng.randint(-2, 3)

    def perhaps(value: Any) -> Any:
        return None if rng.random() < 0.4 else value

    def numbers() -> list[int]:
        return [small() for _ in range(rng.randint(0, 2))]

    return {
        "xs": perhaps(numbers()),
        "lot": perhaps(Record("Lot", {"cost": small(), "note": perhaps(small()), "tags": numbers()})),
        "pair": Record("Pair", {"a": small(), "b": rng.random() < 0.5}),
        "order": Record("Order", {"a": small(), "b": perhaps(small())}),
        "t": perhaps(rng.choice(("", "a", "b"))),
        "n": small(),
    }


def of_python(namespace: dict[str, Any], value: Any) -> Any:
    if not isinstance(value, Record):
        return list(value) if isinstance(value, list) else value
    fields = {name: of_python(namespace, part) for name, part in value.fields.items()}
    return fields if value.type_name == "Order" else namespace[value.type_name](**fields)


def by_python(namespace: dict[str, Any], inputs: dict[str, Any]) -> Any:
    try:
        return "returns", namespace["f"](*(of_python(namespace, value) for value in inputs.values()))
    except Exception as error:
        return "raises", type(error).__name__


def by_reading(run: Run, inputs: dict[str, Any]) -> Any:
    evaluation = Evaluation(assigned(SPEC, inputs))
    (end,) = [each for each in run.exits if evaluation.condition(each.condition)]
    if isinstance(end.outcome, Raised):
        return "raises", end.outcome.names[0]
    return "returns", known(in_spec(end.outcome.value), evaluation)


@pytest.mark.parametrize("body", READ)
def test_what_may_be_none_is_read_as_cpython_runs_it(body: str) -> None:
    source = HEAD + "".join(f"    {line}\n" for line in body.splitlines())
    namespace: dict[str, Any] = {}
    exec(declarations(SPEC), namespace)
    exec(source, namespace)
    rng, reader, runs = random.Random(1), Reader(SPEC), dict[Any, Run]()
    for _ in range(40):
        inputs = random_inputs(rng)
        shape = shape_of(SPEC, inputs)
        if key_of(shape) not in runs:
            runs[key_of(shape)] = reader.run(source, shape)
        assert by_reading(runs[key_of(shape)], inputs) == by_python(namespace, inputs), inputs


@pytest.mark.parametrize("body", REFUSED)
def test_what_is_not_sure_of_what_may_be_none_is_not_read(body: str) -> None:
    with pytest.raises(NotRead):
        Reader(SPEC).run(HEAD + f"    {body}\n")
