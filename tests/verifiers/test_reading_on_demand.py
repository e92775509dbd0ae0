"""Iterators that loops go through: what raises before which item, and what may not change meanwhile.

Each program is read as CPython runs it on many inputs, or not read.
"""

# ruff: noqa: E501
from __future__ import annotations

import pytest
from neurosym_verifiers.reading.data.values import NotRead

from tests.verifiers.test_reading_constructs import function, held_against_cpython

CHECKED = """\
def checked(ys, least):
    for y in ys:
        if y < least:
            raise ValueError(f"{y}")
        yield y


"""
HEAD = "from collections import defaultdict\n"
WORD = "word = 'a' if x > 0 else 'b' if x > -9 else 'c'\nother = 'a' if n > 9 else 'c'\n"

READ = [
    (CHECKED + function("t = 0\nfor y in checked((x, n, 3), 3):\n    t = 2 * t + y\nreturn t"), "int"),
    (CHECKED + function("for y in checked([n, x], 0):\n    if y > 9:\n        return y\nreturn -1"), "int"),
    (CHECKED + function("t = 0\ntry:\n    for y in checked((n, x, 5), 2):\n        t += y\n        if t > 30:\n            break\n    else:\n        t = -t\nexcept ValueError:\n    return t * 100\nreturn t"), "int"),
    (CHECKED + function("t = 0\nfor y in checked([1, n, x], -5):\n    t += y\nreturn t"), "int"),
    (CHECKED + function("t = []\nfor y in checked((x, n), 1):\n    if y % 2:\n        continue\n    t.append(y)\nreturn len(t)"), "int"),
    (CHECKED + function("t = 0\nfor y in checked((), 1):\n    t += y\nfor y in checked((x,), 1):\n    t += y\nreturn t"), "int"),
    (function("def g():\n    yield n // x\n    yield 1\nfor y in g():\n    return y"), "int"),
    (function("def g():\n    yield 7\n    yield n // x\nt = 0\nfor y in g():\n    t += y\n    if on:\n        break\nreturn t"), "int"),
    (function("def g(y):\n    if y < 0:\n        raise ValueError\n    return y * n\nt = 0\nfor y in map(g, (n, x, 3)):\n    t += y\n    if t > 50:\n        return t\nreturn -t"), "int"),
    (function("t = 0\nfor y in (12 // (z - 3) for z in (n, x)):\n    t += y\n    if t > 3:\n        break\nreturn t"), "int"),
    (function("t = 0\nfor y in filter(lambda z: 12 // z > 1, [n, x, 2]):\n    t = 3 * t + y\n    if t > 9:\n        break\nreturn t"), "int"),
    (function("t = 0\nfor y in map(lambda z: 2 * z + n, (1, x)):\n    t += y\nreturn t"), "int"),
    (CHECKED + function("return sum([y * 2 for y in checked((x, n, 3), 2)])"), "int"),
    (CHECKED + function("try:\n    t = [12 // y for y in checked((x, n, 3), -1)]\nexcept ZeroDivisionError:\n    return -1\nreturn sum(t)"), "int"),
    (CHECKED + function("return sum(y * z for y in checked((x, 3), 2) for z in checked((n, y), 3) if z != 5)"), "int"),
    (function("return sum([a - b for a, b in zip((x, n), [z for z in (1, x) if z > 0], strict=True)])"), "int"),
    (function("t = [1]\nfor y in filter(lambda z: 12 // z > 1, [z for z in (x % 3, n % 2) if z != 1]):\n    del t[0]\nreturn len(t)"), "int"),
    (function("left = n\ndef g():\n    for z in (3, 5, 7):\n        if left < z:\n            return\n        yield left - z\nt = 0\nfor y in g():\n    t += y\nreturn t"), "int"),
    (function("zs = [x, n]\ndef g():\n    for z in zs:\n        yield z\nt = []\nfor y in g():\n    t.append(y)\nreturn t[0] - t[1]"), "int"),
    (HEAD + function(WORD + "def g(row):\n    if row[1] < -50:\n        raise ValueError\n    return row\nt = defaultdict(int)\nfor w, y in map(g, [(word, x), (other, n)]):\n    t[w] += y\nreturn dict(t).get('a', 0) * 10 + len(t)"), "int"),
    (HEAD + function(WORD + "t = defaultdict(list)\nfor w, y in ((word, x), (other, n), ('a', 1)):\n    t[w].append(y)\nreturn sum(t['a']) * 100 + len(t['c']) * 10 + len(t)"), "int"),
    (HEAD + function(WORD + "t = defaultdict(list)\nfor w, y in ((word, x), (other, n), ('a', 1)):\n    if y > 0:\n        t[w].append(y)\nreturn sum(t['a']) * 100 + len(t['c']) * 10 + len(t)"), "int"),
    (HEAD + function(WORD + "t = defaultdict(list)\nif on:\n    t[word].append(x)\nt[other].append(n)\nt[word].append(7)\nreturn sum(t[word]) * 100 + len(t['c']) * 10 + len(t)"), "int"),
    (HEAD + function(WORD + "t = defaultdict(list)\nown = [x]\nt[word] = own\nt[other].append(n)\nreturn sum(own) * 100 + len(t)"), "int"),
]  # fmt: skip


@pytest.mark.parametrize(("source", "output"), READ)
def test_is_read_as_cpython_runs_it(source: str, output: str) -> None:
    held_against_cpython(source, output)


REFUSED = [
    function("left = n\ndef g():\n    for z in (3, 5):\n        yield left - z\nt = 0\nfor y in g():\n    left -= 1\n    t += y\nreturn t"),
    function("zs = [x, n]\ndef g():\n    for z in (0, 1):\n        yield zs[z]\nt = 0\nfor y in g():\n    zs[1] = 5\n    t += y\nreturn t"),
    function("zs = [x, n]\nt = 0\nfor y in map(lambda i: zs[i], (0, 1)):\n    zs[1] = 5\n    t += y\nreturn t"),
    function("zs = [[x], [n]]\nt = 0\nfor y in map(sum, zs):\n    zs[1].append(5)\n    t += y\nreturn t"),
    function("k = 1\nt = 0\nfor y in (z * k for z in (x, n)):\n    k = 2\n    t += y\nreturn t"),
    function("k = [1]\ndef h(z):\n    return z * k[0]\ndef g(z):\n    return h(z)\nt = 0\nfor y in map(g, (x, n)):\n    k[0] = 2\n    t += y\nreturn t"),
    "from functools import partial\n" + function("k = [1]\ng = partial(lambda a, z: z * k[0], 3)\nt = 0\nfor y in map(g, (x, n)):\n    k[0] = 2\n    t += y\nreturn t"),
    # What would be raised elsewhere
    function("def g():\n    try:\n        yield n // x\n        yield 5 // n\n    finally:\n        pass\nfor y in g():\n    return y"),
    function("def g():\n    yield n // x\nfor i, y in enumerate(g()):\n    return y"),
    function("def g():\n    yield from (n // z for z in (1, x))\nfor y in g():\n    return y"),
    function("def g(z):\n    if z > 2:\n        raise StopIteration\n    return z\nt = 0\nfor y in map(g, (1, 3, 2)):\n    t += y\nreturn t"),
    # Lists of keys that are taken out
    HEAD + function(WORD + "t = defaultdict(list)\nt[word].append(x)\na = t.pop('a', [])\nt['a'].append(1)\nreturn len(a)"),
]  # fmt: skip


@pytest.mark.parametrize("source", REFUSED)
def test_what_is_not_surely_the_same_is_not_read(source: str) -> None:
    with pytest.raises(NotRead):
        held_against_cpython(source, "int")
