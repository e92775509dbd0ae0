"""Sets. Each program is read as CPython runs it on many inputs, or not read."""

# ruff: noqa: E501
from __future__ import annotations

import pytest
from neurosym_verifiers.reading.data.values import NotRead

from tests.verifiers.test_reading_constructs import function, held_against_cpython

STEPS = "STEPS = frozenset({5, 10, 50})\n"
WORD = "word = 'a' if x > 0 else 'b' if x > -9 else 'c'\n"

READ = [
    (STEPS + function("return x if n in STEPS else -1"), "int"),
    (STEPS + function("return len(STEPS | {n, 5}) * 100 + len(STEPS & {n, x}) * 10 + len(STEPS - {n})"), "int"),
    (function("a = {x, n, 3}\nreturn len(a) * 1000 + sum(a) + max(a) - min(a)"), "int"),
    (function("return sorted({x % 3, n % 3, 1})[-1] * 10 + len({x % 3, n % 3, 1} ^ {0, 1})"), "int"),
    (function("return {x, n} == {n, x, x} and {x} < {x, n + 99} and not {x} < {x} and {x} <= {x}"), "bool"),
    (function("return {x, 1} >= {n} or {1, n}.isdisjoint({x, 7}) or {n}.issubset([1, 2, x])"), "bool"),
    (function("return frozenset([n, 2]).issuperset({2}) and {x} != frozenset({n})"), "bool"),
    (function("a = set()\nfor y in (x, n, 3, 3):\n    if y not in a:\n        a.add(y)\nreturn len(a)"), "int"),
    (function("a = {1, 2, n}\na.discard(x)\na.update([x, 5], (7,))\nreturn len(a) + sum(a)"), "int"),
    (function("a = {1, 2, n}\na.remove(x)\nreturn sum(a)"), "int"),
    (function("a = {1, n}\nb = a\na |= {x}\na -= {1}\nreturn len(b) + sum(a)"), "int"),
    (function("a = {1, n}\nb = a | {x}\na &= {x, 1}\nreturn len(b) * 10 + len(a)"), "int"),
    (function("a = {1, n}\nif on:\n    a.clear()\nreturn len(a) if a else -1"), "int"),
    (function("a = {n, x}\nb = a.copy()\nb.add(99)\nreturn len(a.union(b, [5])) * 10 + len(a.intersection(b))"), "int"),
    (function("return len(frozenset([n]).difference({x}).symmetric_difference([3]))"), "int"),
    (function("return any(y > 5 for y in {n, x}) and all(y < 7 for y in {n, 3})"), "bool"),
    (function("return sum(y * y for y in {n, x}) + len({y % 2 for y in {n, x}}) + sum(y for z in {1} for y in (z, z))"), "int"),
    (function("d = {str_: len(str_) for str_ in {'a', 'bb'}}\nreturn d['bb'] + n"), "int"),
    (function(WORD + "return len({word, 'a'} | {'c'}) * 10 + len({word} - {'b'}) + ('b' in {word} ^ {'b'})"), "int"),
    (function(WORD + "return {word} <= {'a', 'b'} and {word, 'a'} > {'a'} and {'a', word}.isdisjoint(['c'])"), "bool"),
    (function(WORD + "return len({word, n}) + len({word} | {n}) * 10 + len(set() | {x}) * 100"), "int"),
    (function("return len({d, r, Decimal('1.0'), Decimal(1)})"), "int"),
    (function("return len({grade, Grade.LOW} | {Grade.TOP}) * 10 + (grade in {Grade.MID})"), "int"),
    (function("return len({day, date(2024, 2, 29), date(2024, 1, 1) + timedelta(days=n)})"), "int"),
    (function("return len({(x, n), (n, x)}) + len({1, True, n > 5})"), "int"),
    (function("return (max({n, x}) if {n, x} - {n} else 0) + min(frozenset({n, x}))"), "int"),
]  # fmt: skip


@pytest.mark.parametrize(("source", "output"), READ)
def test_is_read_as_cpython_runs_it(source: str, output: str) -> None:
    held_against_cpython(source, output)


REFUSED = [
    function("return [y for y in {n, x}][0]"),
    function("return list({n, x})[0]"),
    function("t = 0\nfor y in {n, x}:\n    t = 2 * t + y\nreturn t"),
    function("return next(iter({n, x}))"),
    function("return {n, x}.pop()"),
    function("return max({n, x}, key=abs)"),
    function("return sum({d, r}, Decimal(0)) and 1"),
    function("return 1 if ({Decimal('1.0')} & {Decimal(1), r}) else 0"),
    function("return len({[x]})"),
    STEPS + function("STEPS.add(n)\nreturn 1"),
    function("return {n} | [x]"),
    function("return sum([y * 2 for y in {n, x}])"),
    function("return sum(1 // y for y in {n, x})"),
    function("return max(y % 3 for y in {n, x})"),
]  # fmt: skip


@pytest.mark.parametrize("source", REFUSED)
def test_what_is_not_surely_the_same_is_not_read(source: str) -> None:
    with pytest.raises(NotRead):
        held_against_cpython(source, "int")
