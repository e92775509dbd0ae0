"""The symbolic reading against CPython: random programs on random inputs, and the traps that everybody falls into."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from datetime import date
from decimal import Decimal
from fractions import Fraction
from itertools import takewhile
from typing import Any

import pytest
from neurosym_specs.loader import spec_from_toml
from neurosym_specs.values import WrittenDecimal
from neurosym_verifiers.proof.claims import Reader
from neurosym_verifiers.proof.holding import known
from neurosym_verifiers.proof.runs import Run
from neurosym_verifiers.reading.data.values import NotRead
from neurosym_verifiers.reading.execution.state import Raised
from neurosym_verifiers.reading.formulas.evaluating import Evaluation
from neurosym_verifiers.reading.inputs.assignments import assigned
from neurosym_verifiers.reading.inputs.crossing import in_spec

from tests.verifiers.comparing import compared
from tests.verifiers.programs import SPEC, Writer, random_inputs


def spec_inputs(inputs: Mapping[str, Any]) -> dict[str, Any]:
    """The spec's values for Python's."""
    return {
        name: WrittenDecimal(Fraction(value), -int(value.as_tuple().exponent)) if isinstance(value, Decimal) else value
        for name, value in inputs.items()
    }


def by_python(namespace: dict[str, Any], inputs: Mapping[str, Any]) -> Any:
    """What CPython makes of the call: a value, or the exception's name."""
    arguments = {**inputs, "grade": namespace["Grade"][inputs["grade"]]}
    try:
        value = namespace["f"](*arguments.values())
    except Exception as error:
        return "raises", type(error).__name__
    return "returns", Fraction(value) if isinstance(value, Decimal) else value


def by_reading(run: Run, spec: Any, inputs: Mapping[str, Any]) -> Any:
    """What the reading says of the call."""
    evaluation = Evaluation(assigned(spec, spec_inputs(inputs)))
    taken = [e for e in run.exits if evaluation.condition(e.condition)]
    assert len(taken) == 1, f"{len(taken)} exits"
    if isinstance(taken[0].outcome, Raised):
        return "raises", taken[0].outcome.names[0]
    return "returns", known(in_spec(taken[0].outcome.value), evaluation)


def compare_programs(
    seed: int,
    programs: int,
    inputs_each: int,
    *,
    writes: Callable[[random.Random], Any] = Writer,
    kinds: tuple[str, ...] = ("int", "decimal", "bool", "date"),
    by_python: Callable[[dict[str, Any], Mapping[str, Any]], Any] = by_python,
) -> tuple[int, int]:
    """How many pairs were compared, and how many programs were read; fails on the first disagreement."""
    rng = random.Random(seed)
    return compared(
        writes(rng).program,
        {kind: spec_from_toml(SPEC.format(output=kind)) for kind in kinds},
        lambda: random_inputs(rng),
        by_python,
        by_reading,
        programs=programs,
        inputs_each=inputs_each,
    )


def test_random_programs_are_read_as_cpython_runs_them() -> None:
    pairs, read = compare_programs(seed=1, programs=400, inputs_each=25)
    assert read >= 200
    assert pairs >= 5000


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(2, 12))
def test_many_random_programs_are_read_as_cpython_runs_them(seed: int) -> None:
    pairs, _ = compare_programs(seed=seed, programs=2000, inputs_each=25)
    assert pairs >= 20_000


def outcome(body: str, **given: Any) -> Any:
    """What the reading says of a body, on given inputs; checked against CPython. Its first lines may import."""
    lines = body.splitlines(keepends=True)
    imports = list(takewhile(lambda line: line.startswith("from "), lines))
    source = Writer(random.Random(0)).program()[0].split("def helper")[0] + "".join(imports)
    source += "def f(x, n, d, r, day, on, grade):\n" + "".join("    " + line for line in lines[len(imports) :]) + "\n"
    spec = spec_from_toml(SPEC.format(output="int"))
    inputs = random_inputs(random.Random(0)) | given
    namespace: dict[str, Any] = {}
    exec(compile(source, "program", "exec"), namespace)
    found = by_reading(Reader(spec).run(source), spec, inputs)
    assert found == by_python(namespace, inputs)
    return found[1]


@pytest.mark.parametrize(
    ("body", "given", "value"),
    [
        ("return x // 2", {"x": -7}, -4),
        ("return x % 3", {"x": -7}, 2),
        ("return x % -3", {"x": 7}, -2),
        ("return x // -2", {"x": 7}, -4),
        ("return int(d)", {"d": Decimal("-2.50")}, -2),
        ("return round(d)", {"d": Decimal("2.50")}, 2),
        ("return round(d)", {"d": Decimal("3.50")}, 4),
        ("return round(d)", {"d": Decimal("-2.50")}, -2),
        ("return round(d, 1)", {"d": Decimal("0.25")}, Fraction(2, 10)),
        ("return d.quantize(Decimal('0.1'), rounding=ROUND_HALF_UP)", {"d": Decimal("-0.25")}, Fraction(-3, 10)),
        ("return True + True", {}, 2),
        ("return on + on", {"on": True}, 2),
        ("return 1 < x < 3 < n", {"x": 2, "n": 4}, True),
        ("return x and n > 2 if False else x", {"x": 5}, 5),
        ("return not x", {"x": 0}, True),
        ("return date(2024, 2, 29).replace(year=2023)", {}, "ValueError"),
        ("return day.replace(day=30)", {"day": date(2023, 2, 1)}, "ValueError"),
        ("return Decimal(x) / Decimal(x - x)", {"x": 3}, "DivisionByZero"),
        ("return Decimal(0) / Decimal(x * x)", {"x": 0}, "InvalidOperation"),
        ("return n // (x * x)", {"x": 0}, "ZeroDivisionError"),
        ("if on:\n    y = 1\nreturn x", {}, None),
        ("return x if x > 0 or n // x > 0 else 0", {"x": 5}, 5),
        ("return Grade(x)", {"x": 9}, "ValueError"),
        ("return min(x, n) if on else max(x, n)", {"x": 3, "n": 4, "on": True}, 3),
        ("xs = [1]\nxs.append(x)\nreturn xs[-1]", {"x": 7}, 7),
        ("xs = [1]\nys = xs\nys += [x]\nreturn len(xs)", {}, 2),
        ("xs = [1]\nys = xs[:]\nys += [x]\nreturn len(xs)", {}, 1),
        ("xs = [1, 2]\nif on:\n    xs.append(x)\nreturn len(xs)", {"on": True}, 3),
        ("xs = [1, 2]\nif on:\n    xs.append(x)\nreturn xs[-1]", {"on": False}, 2),
        ("xs = [1, 2, 3]\nreturn xs[x]", {"x": 3}, "IndexError"),
        ("xs = [1, 2, 3]\nreturn xs[x]", {"x": -3}, 1),
        ("xs = [1, 2, 3]\nxs[x] = 9\nreturn sum(xs)", {"x": -1}, 12),
        ("return [i for i in range(n)][0]", {"n": 3}, 0),
        ("return sum(i for i in range(n) if i % 2)", {"n": 6}, 9),
        ("try:\n    return n // x\nexcept ZeroDivisionError:\n    return -1", {"x": 0}, -1),
        ("y = 1\ntry:\n    y = 2\n    z = n // x\n    y = 3\nexcept ArithmeticError:\n    pass\nreturn y", {"x": 0}, 2),
        (
            "y = 9\ntry:\n    z = [n // y for y in (1, x)]\nexcept ZeroDivisionError:\n    return y\nreturn 0",
            {"x": 0},
            9,
        ),
        ("try:\n    raise ValueError\nexcept TypeError:\n    return 1", {}, "ValueError"),
        ("return {1: 2, 3: 4}[x]", {"x": 3}, 4),
        ("return {1: 2}[x]", {"x": 2}, "KeyError"),
        ("def g(): return x\nreturn g()", {"x": 5}, 5),
        ("def g(): return y\ny = 1\ny = 2\nreturn g()", {}, 2),
        ("fs = [lambda: i for i in (1, 2)]\nreturn x", {"x": 5}, 5),
        ("return (lambda: x)()", {"x": 5}, 5),
        ("k = 0\nwhile k < n:\n    k += 7\nreturn k", {"n": 15}, 21),
        ("k = 0\nwhile True:\n    k += 1\n    if k > n:\n        break\nelse:\n    k = 0\nreturn k", {"n": 5}, 6),
        ("for k in range(n):\n    if k == 3:\n        break\nelse:\n    return -1\nreturn k", {"n": 3}, -1),
        ("return sorted([x, n, 3])[1]", {"x": 9, "n": 4}, 4),
        ("return sorted([(1, x), (0, n), (1, 2)], key=lambda p: p[0])[2][1]", {"x": 9}, 2),
        ("return sorted([(1, x), (0, n), (1, 2)], key=lambda p: p[0], reverse=True)[0][1]", {"x": 9}, 9),
        ("return max([(x, 1), (n, 2), (3, 3)], key=lambda p: p[0])[1]", {"x": 3, "n": 3}, 1),
        ("best = None\nfor k in (n, x):\n    if best is None or k > best:\n        best = k\nreturn best", {"x": 9}, 9),
        ("best = None\nif on:\n    best = x\nreturn best + 1", {"on": False}, "TypeError"),
        ("return (x or n) + (x and n)", {"x": 0, "n": 4}, 4),
        (
            "match x:\n    case 1 | 2:\n        return 10\n    case 3 if on:\n        return 20\nreturn 30",
            {"x": 3, "on": True},
            20,
        ),
        (
            "match x:\n    case 1 | 2:\n        return 10\n    case 3 if on:\n        return 20\nreturn 30",
            {"x": 3, "on": False},
            30,
        ),
        ("d2 = {}\nd2['a'] = x\nd2['b'] = n\nreturn sum(d2.values()) + len(d2)", {"x": 1, "n": 2}, 5),
        ("a, *b = [x, n, 3]\nreturn len(b) + a", {"x": 1}, 3),
        ("(a, b), c = (x, n), 3\na, b = b, a\nreturn a - b", {"x": 1, "n": 5}, 4),
        ("xs = [x, n]\nys = [xs, xs]\nys[0].append(1)\nreturn len(ys[1])", {}, 3),
        ("def add(xs, y):\n    xs.append(y)\n    return len(xs)\nzs = [1]\nreturn add(zs, x) * 10 + len(zs)", {}, 22),
        ("return sum(p * q for p, q in zip([1, 2], [x, n]))", {"x": 3, "n": 4}, 11),
        ("return [i for i, k in enumerate([5, x, 7]) if k == 7][0]", {"x": 7}, 1),
        ("from_ = min(range(n), key=lambda k: abs(k - x))\nreturn from_", {"n": 9, "x": 5}, 5),
    ],
)
def test_pythons_own_rules_are_read(body: str, given: dict[str, Any], value: Any) -> None:
    found = outcome(body, **given)
    assert value is None or found == value


@pytest.mark.parametrize(
    "body",
    [
        "return Decimal(1) / r * r",
        "return (d / r) + 1",
        "return d.quantize(Decimal('1E2'))",
        "return d.quantize(Decimal('0.10') / 10)",
        "return str(d)",
        "return f(x, n, d, r, day, on, grade)",
        "return y if x else 0\ny = 1",
        "global z\nz = x\nreturn z",
        "if on:\n    y = 1\nreturn y",
        "sum = x\nreturn sum([n])",
        "return max(x, d)",
        "return x is n",
        "return hash(x)",
        "xs = [x]\nfor k in xs:\n    xs.append(k)\nreturn x",
        "g = (k for k in (x, n))\nreturn sum(g) + sum(g)",
        "fs = [lambda: i for i in (1, 2)]\nreturn fs[0]()",
        "xs = [x, n]\nreturn xs is xs",
        "xs = [1]\nreturn (xs.append(2) if on else None) or len(xs)",
        "with open('x') as y:\n    return x",
        "return any(n // (x - k) for k in range(3))",
        "while x:\n    x -= 1\nreturn x",
        "import random\nreturn x",
        "return x ** n",
        "x.y = 3\nreturn 1",
        "return -d if str(d).startswith('-') else d",
        "return d.as_tuple().exponent",
        "return (d * r * d * r * d * r * d * r * d * r * d * r * d * r)",
        "return len",
    ],
)
def test_what_could_be_misread_is_not_read(body: str) -> None:
    with pytest.raises(NotRead):
        outcome(body)


@pytest.mark.parametrize(
    "module",
    [
        "x = [1]\ndef f(x, n, d, r, day, on, grade): return 1 if x else 2\nx = 3\nx = 4\n",
        "import decimal\ndecimal.getcontext().prec = 3\ndef f(x, n, d, r, day, on, grade): return d\n",
        "class Grade(int): pass\ndef f(x, n, d, r, day, on, grade): return x\n",
        "def deco(g): return g\n@deco\ndef f(x, n, d, r, day, on, grade): return x\n",
        "if True:\n    def f(x, n, d, r, day, on, grade): return x\n",
        "CACHE = {}\ndef f(x, n, d, r, day, on, grade):\n    CACHE[x] = 1\n    return x\n",
        "def f(x, n, d, r, day, on, grade, seen=[]):\n    return x\n",
        # A constant that comes back from a function, or that a branch has looked at
        "XS = [1]\ndef g(): return XS\ndef f(x, n, d, r, day, on, grade):\n    g().append(x)\n    return len(XS)\n",
        "XS = [1]\ndef f(x, n, d, r, day, on, grade):\n    ys = [2]\n    if on:\n        ys = XS\n    else:\n"
        "        ys = XS\n    ys.append(x)\n    return len(XS)\n",
        "D = {'a': [1]}\ndef f(x, n, d, r, day, on, grade):\n    (lambda: D['a'])().append(x)\n"
        "    return len(D['a'])\n",
        # What a name means may change after a constant was made with it
        "A = max(1, 2)\ndef max(p, q): return 7\ndef f(x, n, d, r, day, on, grade): return A\n",
        "def g(): return 1\nA = g()\ndef g(): return 2\ndef f(x, n, d, r, day, on, grade): return A\n",
        "def h(): return 1\ndef g(): return h()\nA = g()\ndef h(): return 2\n"
        "def f(x, n, d, r, day, on, grade): return A\n",
        "A = B + 1\nB = 1\ndef f(x, n, d, r, day, on, grade): return A\n",
        # Exceptions of the program's own that are named like those of Python
        "class ValueError(Exception): pass\ndef f(x, n, d, r, day, on, grade):\n    try:\n"
        "        return day.replace(day=31).day\n    except ValueError:\n        return 0\n",
        "class InvalidOperation(Exception): pass\nfrom decimal import Decimal\n"
        "def f(x, n, d, r, day, on, grade):\n    try:\n        return int(Decimal(0) / Decimal(x - x))\n"
        "    except InvalidOperation:\n        return 0\n",
        # Fields that are none
        "from dataclasses import InitVar, dataclass\n@dataclass\nclass P:\n    a: InitVar[int] = 3\n"
        "def f(x, n, d, r, day, on, grade): return P(x).a\n",
        "from dataclasses import InitVar as I, dataclass\n@dataclass\nclass P:\n    a: I = 3\n"
        "def f(x, n, d, r, day, on, grade): return P(x).a\n",
    ],
)
def test_modules_with_state_or_effects_are_not_read(module: str) -> None:
    spec = spec_from_toml(SPEC.format(output="int"))
    with pytest.raises(NotRead):
        Reader(spec).run(module)
