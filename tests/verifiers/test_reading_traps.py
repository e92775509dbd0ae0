"""What is easily misread in Python: each body is read as CPython runs it, or not read at all."""

from __future__ import annotations

from typing import Any

import pytest
from neurosym_verifiers.reading.data.values import NotRead

from tests.verifiers.test_reading import outcome

READ = [
    # The order of evaluation
    ("def g(xs):\n    xs.append(77)\n    return -1\nxs = [x, n]\nreturn xs[g(xs)]", {}, 77),
    ("xs = [1, 2]\nxs[0] = xs.pop()\nreturn xs[0] * 10 + len(xs)", {}, 21),
    ("xs = [1, 2]\nreturn len(xs) * 100 + (lambda: xs.append(5) or 1)() * 10 + len(xs)", {}, 213),
    ("return n if x < n < (n // (x - x)) else -1", {"x": 7, "n": 2}, -1),
    ("return 1 if x < n < (n // (x - x)) else -1", {"x": 1, "n": 2}, "ZeroDivisionError"),
    # What is no C int
    ("return date(2**31, 1, 1).year", {}, "OverflowError"),
    ("return date(2**31 - 1, 1, 1).year", {}, "ValueError"),
    ("return date(-n * 2**31 - 1, 13, 1).year", {"n": 1}, "OverflowError"),
    ("return date(-n * 2**31, 13, 1).year", {"n": 1}, "ValueError"),
    ("return date(2024, 1, 1).replace(day=n * 2**31).year", {"n": 1}, "OverflowError"),
    ("return (timedelta(days=999_999_999) + timedelta(days=x)).days", {"x": 0}, 999_999_999),
    ("return (timedelta(days=999_999_999) + timedelta(days=x)).days", {"x": 1}, "OverflowError"),
    ("return (timedelta(days=-999_999_999) - timedelta(days=x)).days", {"x": 1}, "OverflowError"),
    ("return (n * timedelta(days=500_000_000)).days", {"n": 2}, "OverflowError"),
    ("return (timedelta(days=500_000_000) * n).days", {"n": 1}, 500_000_000),
    # Names
    ("y = 7\nz = [y for y in (1, 2)]\nreturn y", {}, 7),
    ("def len(z):\n    return 7\nreturn len([1])", {}, 7),
    ("list = tuple\nreturn len(list([1]))", {}, 1),
    ("fs = []\nfor i in (1, 2):\n    fs.append(lambda: i)\nreturn fs[0]()", {}, 2),
    ("k = 1\ndef h(k):\n    return g()\ng = lambda: k\nreturn h(7)", {}, 1),
    ("k = 1\ng = lambda: k\nreturn sum(map(lambda k: g(), (5, 6)))", {}, 2),
    ("return sum(sorted([3, 1, 2], key=lambda z: z * i)[0] for i in (1, -1))", {}, 4),
    ("return sum(sum(g(i) for g in [lambda z: z + i]) for i in (1, 2))", {}, 6),
    ("def g(k):\n    return 0 if k == 0 else 1 + g(k - 1)\nreturn g(3)", {}, 3),
    ("k = 9\nfor k in []:\n    pass\nreturn k", {}, 9),
    # Aliases
    ("xs = [1, 2]\nmatch xs:\n    case ys:\n        ys += [1]\nreturn len(xs)", {}, 3),
    ("xs = [1, 2]\nmatch xs:\n    case ys:\n        xs.append(1)\nreturn len(ys)", {}, 3),
    ("xs = [[x], [n]]\nys = xs[:]\nys[0].append(1)\nreturn len(xs[0])", {}, 2),
    ("xs = [[]] * 3\nxs[0].append(1)\nreturn len(xs[2])", {}, 1),
    ("xs = [x, n]\nys = xs\nxs = xs + [1]\nys.append(4)\nreturn len(xs) * 10 + len(ys)", {}, 33),
    ("xs = (1, 2)\nys = xs\nxs += (3,)\nreturn len(ys)", {}, 2),
    ("def g(ys):\n    ys = ys + [1]\n    ys.append(2)\n    return 0\nxs = [1]\ng(xs)\nreturn len(xs)", {}, 1),
    # Exceptions
    (
        "def g(y):\n    if y == 2: raise KeyError\n    return y\n"
        "def h(y):\n    if y == 1: raise ValueError\n    return y\nreturn len([h(z) for z in map(g, (1, 2))])",
        {},
        "ValueError",
    ),
    ("return sum(n // y for y in (1, x))", {"x": 0}, "ZeroDivisionError"),
    ("return len(list(map(lambda y: n // y, (1, x))))", {"x": 0}, "ZeroDivisionError"),
    (
        "def g(y):\n    try:\n        return 10 // y\n    except KeyError:\n        return 5\ny = 1\n"
        "try:\n    y = 2\n    y = g(x)\n    y = 3\nexcept ZeroDivisionError:\n    return y\nreturn 9",
        {"x": 0},
        2,
    ),
    (
        "xs = [1]\ndef g():\n    xs.append(2)\n    return n // x\ntry:\n    xs.append(g())\n"
        "except ZeroDivisionError:\n    return len(xs)\nreturn 0",
        {"x": 0},
        2,
    ),
    (
        "xs = [2, 1]\ntry:\n    xs.sort(key=lambda y: n // (y - x))\nexcept ZeroDivisionError:\n    return xs[0]\n"
        "return 9",
        {"x": 1},
        2,
    ),
    ("y = None\nif on:\n    y = d\nreturn y.quantize(CENT)", {"on": False}, "AttributeError"),
    # Booleans are numbers
    ("return sum([True, on, x > 0])", {"x": 5, "on": True}, 3),
    ("return -True", {}, -1),
    ("e = {'a': 1}\nreturn e.get('b', x) + e.get('a')", {"x": 4}, 5),
    # What is changed in place stays what it is, also where it is one of several
    ("a, b = [], []\none = a if on else b\none += [n]\nreturn len(a) * 10 + len(b)", {"on": True}, 10),
    ("a, b = [], []\none = a if on else b\none += [n]\nreturn len(a) * 10 + len(b)", {"on": False}, 1),
    ("k = {'a': [0]}\none = k.get('a' if on else 'b')\none += [n]\nreturn len(k['a'])", {"on": True}, 2),
    ("k = {'a': [0]}\none = k.get('a' if on else 'b')\none += [n]\nreturn len(k['a'])", {"on": False}, "TypeError"),
    ("a, b = {1}, {2}\none = a if on else b\none |= {3}\nreturn len(a) * 10 + len(b)", {"on": False}, 12),
    ("a, b = {1}, {2}\none = (a if on else b) | {3}\ntwo = one\none |= {4}\nreturn len(two) * 10 + len(a)", {}, 31),
    ("a, b = {}, {}\none = a if on else b\none |= {'k': 1}\nreturn len(a) * 10 + len(b)", {"on": True}, 10),
    ("def same(z):\n    return z\na = [n]\none = same(a)\none += [n]\nreturn len(a)", {}, 2),
    # What is under way when something else raises
    (
        "try:\n    y = n // x\nexcept ZeroDivisionError:\n"
        "    try:\n        y = [1, 2][n]\n    finally:\n        raise\nreturn y",
        {"x": 0, "n": 5},
        "IndexError",
    ),
    (
        "try:\n    y = n // x\nexcept ZeroDivisionError:\n"
        "    try:\n        y = [1, 2][n]\n    finally:\n        raise\nreturn y",
        {"x": 0, "n": 1},
        "ZeroDivisionError",
    ),
    ("assert on, n // x\nreturn 1", {"on": False, "x": 0}, "ZeroDivisionError"),
    ("assert on, n // x\nreturn 1", {"on": False, "x": 1}, "AssertionError"),
    ("assert on, n // x\nreturn 1", {"on": True, "x": 0}, 1),
    ("return sum([n // y for y in (1, x)], [5][x])", {"x": 0}, "ZeroDivisionError"),
    # What is done where a function is made
    ("def g(a=10 // x):\n    return a\nreturn g(5)", {"x": 0}, "ZeroDivisionError"),
    ("def g(a=10 // x):\n    return a\nreturn g(5)", {"x": 1}, 5),
    ("def g(*, a=10 // x):\n    return a\nreturn g(a=5)", {"x": 0}, "ZeroDivisionError"),
    ("g = lambda a=10 // x: a\nreturn g(5)", {"x": 0}, "ZeroDivisionError"),
    ("xs = [1, 2]\ndef g(a=xs.pop()):\n    return a\nreturn g(5) + len(xs)", {}, 6),
    ("def g(a: int | None, *b: 'Some', **c: list[int]) -> Decimal | None:\n    return a\nreturn 1", {}, 1),
    # What is put into a dict for a missing key, and when
    (
        "from collections import defaultdict\nz = defaultdict(int)\n"
        "try:\n    z[1] += n // x\nexcept ZeroDivisionError:\n    pass\nreturn len(z)",
        {"x": 0},
        1,
    ),
    (
        "from collections import defaultdict\ne = defaultdict(list)\n"
        "e['a' if on else 'b'].append(1)\nk = e.copy()\nk['a'].append(2)\n"
        "e['a'].append(3)\nreturn len(k['a'])",
        {"on": False},
        1,
    ),
]  # fmt: skip

REFUSED = [
    "i = 5\nfs = [lambda: i for i in (1, 2)]\nreturn fs[0]()",
    "k = 1\ng = lambda: k\nreturn [g() for k in (5, 6)][0]",
    "k = 3\ndef h(z):\n    return z * k\ndef g(z):\n    return h(z) + 1\nreturn sum(g(k) for k in (1, 2))",
    "e = {'a': 1, 'b': 2}\ns = 0\nfor k, v in e.items():\n    e['b'] = 10\n    s += v\nreturn s",
    "e = {'a': 1, 'b': 2}\ns = 0\nfor k in e.keys():\n    e['c'] = 10\n    s += 1\nreturn s",
    "xs = [1, 0]\nreturn sum(a for a, b in zip([1], (n // y for y in xs)))",
    "xs = [1, 2]\ntry:\n    xs.extend(n // y for y in (1, 0))\nexcept ZeroDivisionError:\n    pass\nreturn len(xs)",
    "xs = [1, 2]\ntry:\n    xs += (n // y for y in (1, 0))\nexcept ZeroDivisionError:\n    pass\nreturn len(xs)",
    "def g(y):\n    if y == 2: raise KeyError\n    return y\ndef h(y):\n    if y == 1: raise ValueError\n    return y\n"
    "return max((g(y) for y in (1, 2)), key=h)",
    "g = (n // y for y in (0,))\nreturn 1",
    "y = (n // k for k in (0,)) if on else 0\nreturn 1",
    "return 1 if any(n // y for y in (1, 0)) else 0",
    "return 1 if any(map(lambda y: n // y, (1, 0))) else 0",
    "return 1 if n in (n // y for y in (n, 0)) else 0",
    "return sum((n // y for y in (0,)), {}['a'])",
    "def g():\n    if x == 1: raise KeyError\n    return 0\nreturn sum((n // y for y in (0,)), g())",
    "y = d if on else None\nreturn sum((n // z for z in (0,)), y.exponent)",
    "return max((n // y for y in (0,)), default=[5][x])",
    "return sum((w for z in (1, 2)), (w := n))",
    "try:\n    try:\n        y = n // x\n    except ZeroDivisionError as e:\n        raise KeyError\n"
    "except KeyError:\n    raise ValueError(e)\nreturn y",
    "from collections import Counter\nz = Counter([1])\nz |= Counter([1])\nreturn z[1]",
    "xs = [1, 2]\nreturn sum((a for a in xs), xs.pop())",
    "return 1 if [1] in {'a': 1} else 0",
    "s = {[1]}\nreturn 1 if x in s else 0",
    "s = {1, x}\nreturn 1 if [1] in s else 0",
    "s = {(1, [x])}\nreturn 1 if x in s else 0",
    "s = {n, [x]}\nreturn 1 if x in s else 0",
    "s = {n: 1, (1, [x]): 2}\nreturn 1 if x in s else 0",
    "s = frozenset()\ns.add('a')\nreturn 1",
    "return min(x, n, default=3)",
    "return xs\nxs = 1",
    "xs = [0, n]\nreturn xs[True]",
    "y = -x\nreturn 1 if y is y else 0",
    "xs = [3, 1, 2]\nxs.sort(key=lambda y: xs.pop())\nreturn 1",
    "xs = [1, 2, 3]\nreturn [xs.pop() for y in xs][0]",
    "xs = [1, 2]\nfor y in xs:\n    xs.pop()\nreturn 1",
    "xs = [2, 1]\nxs.sort(key=lambda y: xs[0])\nreturn 1",
    "xs = [2, 1]\nxs.sort(key=lambda y: len(xs))\nreturn 1",
    "xs = [1, 2]\nys = xs\nfor y in enumerate(xs):\n    ys.append(1)\n    break\nreturn 1",
    "from decimal import localcontext\nwith localcontext() as c:\n    c.prec = 40\n    y = Decimal(n) / 7\n"
    "z = Decimal(n) / 7\nreturn 1 if y.sqrt() == z.sqrt() else 0",
    "def g(y, seen=[]):\n    seen.append(y)\n    return len(seen)\nreturn g(1) + g(2)",
    "def g():\n    return z\nreturn g()\nz = 1",
    # Names that are not bound yet, or no more
    "y = 5\ndef g(y):\n    del y\n    return y\nreturn g(1)",
    "y = 5\ndef g():\n    if x != x:\n        del y\n    return y\nreturn g()",
    "y = [7]\nreturn sum(y for a in (1, 2) for y in y)",
    "y = 7\nreturn sum(1 for a in (1, 2) if y for y in (3, 4))",
    # What is done where a function is made
    "def g(a: x // 0):\n    return a\nreturn 1",
    "def g(a: Unknown):\n    return a\nreturn 1",
    "def g() -> 'int' | None:\n    return 1\nreturn 1",
    "def g(a: None | None):\n    return a\nreturn 1",
    "int = 5\ndef g(a: int | None):\n    return a\nreturn 1",
    "def g(a: n[x]):\n    return a\nreturn 1",
    "xs = [1]\nxs[n // (x - 1)]: int\nreturn 1",
    "from operator import *\nreturn abs(x)",
    # What None can be asked, and be a part of
    "return 1 if isinstance(x, int | None) else 2",
    "return len('%s' % None)",
    "y = list[None]\nreturn 1",
    "return 1 if None.__class__ is None else 2",
    "return len(int | str)",
    "return len(sorted([{'b'}, {'a'}]))",
    "return sorted([1, x], key=lambda y: (0, frozenset({y})))[0]",
    # Arguments that are given twice, or that Python refuses
    "return sum([x, n], 5, start=3)",
    "return len(list(enumerate([x], 1, start=2)))",
    "return date(2024, 1, 1, year=2024).year",
    "return timedelta(x, days=5).days",
    "return 1 if Decimal(1).quantize(Decimal(1), 'ROUND_UP', rounding='ROUND_UP') else 0",
    "from decimal import Context, localcontext\n"
    "with localcontext(Context(28, prec=30)):\n    return int(Decimal(1) / 2)",
    "return len(sum(['a', 'b'], ''))",
    "return len(list(reversed({x})))",
    # Exceptions that are others than they say
    "raise UnicodeDecodeError('no')",
    "raise ExceptionGroup('no', x)",
    "try:\n    raise OSError(2, 'no')\nexcept FileNotFoundError:\n    return 1\nexcept OSError:\n    return 2",
    "raise SyntaxError('no', 'yes')",
]


@pytest.mark.parametrize(("body", "given", "value"), READ)
def test_what_is_easily_misread_is_read_right(body: str, given: dict[str, Any], value: Any) -> None:
    assert outcome(body, **({"on": True} | given)) == value


@pytest.mark.parametrize("body", REFUSED)
def test_what_would_be_misread_is_not_read(body: str) -> None:
    with pytest.raises(NotRead):
        outcome(body, x=1)
