"""``finally``, types, patterns, parameters and names of the library. Read as CPython runs it, or not read."""

# ruff: noqa: E501
from __future__ import annotations

import pytest
from neurosym_verifiers.reading.data.values import NotRead

from tests.verifiers.test_reading_constructs import function, held_against_cpython

POINT = "@dataclass\nclass Point:\n    a: int\n    b: int = 2\n"
MAYBE = "y = None if on else n\n"

READ = [
    # finally
    (function("y = 1\ntry:\n    y = n // x\nfinally:\n    y = y + 3\nreturn y"), "int"),
    (function("y = [1]\ntry:\n    return n // x\nexcept ZeroDivisionError:\n    y.append(2)\nfinally:\n    y.append(3)\nreturn sum(y)"), "int"),
    (function("y = [1]\ntry:\n    z = n // x\nexcept ZeroDivisionError:\n    return sum(y)\nelse:\n    y.append(z)\nfinally:\n    y.append(3)\nreturn sum(y)"), "int"),
    (function("try:\n    y = n // x\nfinally:\n    return 7"), "int"),
    (function("def g(z):\n    try:\n        return z\n    finally:\n        z.append(x)\nreturn len(g([1])) * 100 + sum(g([n]))"), "int"),
    (function("t = 0\nfor y in (x, n, 3):\n    try:\n        if y < 0:\n            continue\n        if y > 20:\n            break\n        t += 12 // y\n    except ZeroDivisionError:\n        t += 100\n    finally:\n        t = t * 2 + 1\nreturn t"), "int"),
    (function("for y in (x, n):\n    try:\n        n // y\n    finally:\n        break\nreturn y"), "int"),
    (function("try:\n    try:\n        y = n // x\n    finally:\n        y = 5\nexcept ZeroDivisionError:\n    return y\nreturn y + 1"), "int"),
    (function("try:\n    y = n // x\nfinally:\n    z = 3 // (x - 1)\nreturn y + z"), "int"),
    (function("path = []\ndef g(z):\n    path.append(z)\n    try:\n        return n // z\n    finally:\n        path.pop()\ny = g(x + 300)\nreturn len(path) + y"), "int"),
    # Types
    (function("return isinstance(x, int) and not isinstance(x, bool) and isinstance(on, int) and isinstance(d, Decimal)"), "bool"),
    (function("return isinstance(x, (float, str)) or isinstance(day, date) and isinstance(grade, Grade) and not isinstance(grade, int)"), "bool"),
    (function("return isinstance([x], list) and isinstance((x,), tuple) and isinstance({}, dict) and isinstance({x}, set) and not isinstance(frozenset(), set)"), "bool"),
    (function(MAYBE + "return isinstance(y, int | str) or isinstance(y, Decimal)"), "bool"),
    (function(MAYBE + "if not isinstance(y, int):\n    raise TypeError('no number')\nreturn y + 1"), "int"),
    (POINT + function("return isinstance(Point(x), Point) and not isinstance(x, Point)"), "bool"),
    # Patterns
    (function(MAYBE + "match y:\n    case None:\n        return -1\n    case int():\n        return 5"), "int"),
    (function(MAYBE + "match y:\n    case int(z) if z > 9:\n        return z\n    case str() | bool():\n        return 5\n    case _:\n        return 6"), "int"),
    (function("match [x, n, 3]:\n    case [0, *_]:\n        return 0\n    case [a, *more]:\n        more.append(a)\n        return len(more) * 100 + sum(more)"), "int"),
    (function("match (x, n):\n    case (a, b, *_, c):\n        return a\n    case (*a, b):\n        return len(a) + b"), "int"),
    (POINT + function("match Point(x, n):\n    case Point(a=0):\n        return 1\n    case Point(a, b) if a > b:\n        return a\n    case Point(b=c):\n        return -c"), "int"),
    (function("match {'u': x, 'v': n}:\n    case {'u': 0}:\n        return 1\n    case {'u': a, 'v': b}:\n        return a - b"), "int"),
    # Parameters
    (function("def g(a, *more):\n    return a * 100 + sum(more) + len(more)\nreturn g(x) + g(x, n) + g(*(n, x, 3))"), "int"),
    ("STEP = Decimal('0.05')\ndef g(a, step=STEP, *, by=(1, 2), sign=-1):\n    return a * by[1] + step * sign\n" + function("return g(d) + g(r, by=(0, 3)) + g(d, Decimal(2))"), "decimal"),
    # Names of the library
    (function("return math.inf > x and not math.isnan(math.inf) and math.pi > 3 and date.min < day < date.max"), "bool"),
    ("from math import inf\n" + function("best = inf\nfor y in (x, n):\n    if y < best:\n        best = y\nreturn int(best)"), "int"),
]  # fmt: skip


@pytest.mark.parametrize(("source", "output"), READ)
def test_is_read_as_cpython_runs_it(source: str, output: str) -> None:
    held_against_cpython(source, output)


REFUSED = [
    function("try:\n    y = n // x\n    z = 1\nfinally:\n    y = z\nreturn y"),
    function("return 1 if isinstance(x, object) else 2"),
    function("return 1 if isinstance(x, type(n)) else 2"),
    function("match day:\n    case date(year=2024):\n        return 1\nreturn 2"),
    function("match [y for y in (x, n) if y > 2]:\n    case [a, *_]:\n        return a\nreturn 2"),
    "def g(a, b=[]):\n    b.append(a)\n    return len(b)\n" + function("return g(x) + g(n)"),
    "STEP = 1\ndef g(a, b=STEP):\n    return a + b\nSTEP = 5\n" + function("return g(x)"),
    function("z = 1\ndef g(a, b=z):\n    return a + b\nz = 5\nreturn g(x)"),
    function("def g(**more):\n    return len(more)\nreturn g(a=x)"),
]  # fmt: skip


@pytest.mark.parametrize("source", REFUSED)
def test_what_is_not_surely_the_same_is_not_read(source: str) -> None:
    with pytest.raises(NotRead):
        held_against_cpython(source, "int")
