"""Iterators over lists of varying length, and Decimals that may be infinite. Read as CPython runs it, or not read."""

# ruff: noqa: E501
from __future__ import annotations

import pytest
from neurosym_verifiers.reading.data.values import NotRead

from tests.verifiers.test_reading_constructs import function, held_against_cpython

HEAD = """\
from itertools import combinations, dropwhile, islice, product, repeat, takewhile, zip_longest
INF = Decimal("Infinity")
"""
SOME = "some = [y for y in (x, n, 3) if y > 2]\nfew = [y for y in (n, x) if y < 9]\n"


def program(body: str) -> str:
    return HEAD + function(body)


READ = [
    # Lists of varying length
    (program(SOME + "return sum(a * b for a, b in zip(some, few))"), "int"),
    (program(SOME + "return sum(a * b - c for a, b, c in zip(range(5), some, (7, 8, 9)))"), "int"),
    (program(SOME + "t = 0\nfor a, b in zip(some, few, strict=True):\n    t = 3 * t + a - b\nreturn t"), "int"),
    (program(SOME + "t = 0\nfor a, b in zip(some, few, strict=True):\n    t = 3 * t + a - b\n    if t > 9:\n        return t\nreturn -t"), "int"),
    (program(SOME + "return len(list(zip(some, few, strict=on)))"), "int"),
    (program(SOME + "return sum(zip_[0] for zip_ in zip(some, few, strict=False))"), "int"),
    (program(SOME + "return sum(b - a for a, b in pairwise(some))"), "int"),
    (program(SOME + "return sum(accumulate(some)) + sum(accumulate(few, lambda a, b: 2 * a - b, initial=1))"), "int"),
    (program(SOME + "return reduce(lambda a, b: 2 * a - b, some)"), "int"),
    (program("return reduce(max, [x, n])"), "int"),
    (program(SOME + "return sum(islice(some, 1)) * 100 + sum(islice(some, 1, None)) + sum(islice(few, n % 3))"), "int"),
    (program(SOME + "return sum(islice(some, x))"), "int"),
    (program("return sum(repeat(x, 3)) + len(list(repeat(1, n)))"), "int"),
    (program(SOME + "return sum(takewhile(lambda y: y != n, some)) * 100 + sum(dropwhile(lambda y: y > 5, some))"), "int"),
    (program("return sum(takewhile(lambda y: 12 // y > 1, (n, x, 3)))"), "int"),
    (program(SOME + "return sum(chain.from_iterable([some, few, (1, 2)]))"), "int"),
    (program(SOME + "return sum(a - b for a, b in zip_longest(some, few, fillvalue=1))"), "int"),
    (program(SOME + "return sum(a * b for a, b in product(some, few)) + sum(a - b for a, b in product((x, n), repeat=2))"), "int"),
    (program(SOME + "return sum(a - b for a, b in combinations(some, 2)) + len(list(combinations(few, 1)))"), "int"),
    # Bounds that are not there
    (program("bound = INF if on else d\nreturn min(d + 1, bound) - max(Decimal('-inf') if x > 0 else r, r)"), "decimal"),
    (program("bound = INF if on else r\nif d > bound:\n    return 1\nreturn 2 if x < bound else 3"), "int"),
    (program("bound = INF if on else r\nif bound.is_finite():\n    return bound * 2\nreturn d"), "decimal"),
    (program("lo, hi = (Decimal('-Infinity') if x < 0 else d), (INF if on else r)\nreturn (lo < hi) * 8 + (lo <= hi) * 4 + (lo == hi) * 2 + (lo != INF) + (16 if hi else 0)"), "int"),
    (program("t = Decimal(0)\nlow = Decimal(0)\nfor high, rate in ((Decimal(10), 1), (Decimal(100), 2), (INF, 3)):\n    if d <= low:\n        break\n    t += (min(d, high) - low) * rate\n    low = high\nreturn t"), "decimal"),
    (program("bounds = [Decimal(0), *(INF if y < 0 else Decimal(y) for y in (n, x))]\ndef parts():\n    for low, high in pairwise(bounds):\n        if d <= low:\n            return\n        yield min(d, high) - low\nreturn sum(parts(), Decimal(0))"), "decimal"),
]  # fmt: skip


@pytest.mark.parametrize(("source", "output"), READ)
def test_is_read_as_cpython_runs_it(source: str, output: str) -> None:
    held_against_cpython(source, output)


REFUSED = [
    program("return INF if on else d"),
    program("bound = INF if on else r\nreturn bound - d"),
    program("return 1 if 1.5 < (INF if on else r) else 2"),
    program("return (INF if on else r).quantize(CENT)"),
    program("return list(islice((x, n, 3), 0, 3, 2))[1]"),
    program("from_ = repeat(x)\nreturn next(from_)"),
    program("return len(list(combinations((x, n), n)))"),
    program("return sum(map(len, product(range(30), range(30))))"),
    program(SOME + "return bisect.bisect(some, n)"),
    program(SOME + "it = islice(some, 2)\nreturn sum(it) + sum(it)"),
]  # fmt: skip


@pytest.mark.parametrize("source", REFUSED)
def test_what_is_not_surely_the_same_is_not_read(source: str) -> None:
    with pytest.raises(NotRead):
        held_against_cpython(source, "decimal")
