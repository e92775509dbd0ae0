"""What may take longer than a call may, on some input that no run has had, is not read, and not read quickly."""

from __future__ import annotations

import time

import pytest
from neurosym_specs.loader import spec_from_toml
from neurosym_verifiers.proof.claims import Reader
from neurosym_verifiers.reading.data.values import NotRead
from neurosym_verifiers.reading.depth import deep_recursion

SPEC = """
spec = 1
name = "f"
[inputs]
n = { type = "int", min = 0, max = 1000000 }
rate = { type = "int", min = 0, max = 400 }
rounds = { type = "int", min = 0, max = ROUNDS }
[output]
type = "int"
"""


def read(body: str, most_rounds: int) -> None:
    lines = "".join(f"    {line}\n" for line in body.splitlines())
    source = f"from fractions import Fraction\ndef f(n, rate, rounds):\n{lines}"
    reader = Reader(spec_from_toml(SPEC.replace("ROUNDS", str(most_rounds))))
    with deep_recursion():
        reader.candidate(source, many_rounds=48).run(reader.shapes()[0])


@pytest.mark.parametrize(
    ("body", "most_rounds"),
    [
        # Numbers whose digits double in every round, where a condition that is seldom so holds.
        ("x = 2 if n * 7 % 1000003 == 12 else 1\nfor k in range(rounds):\n    x = x * x\nreturn 0", 700),
        ("x, y = n, 1\nfor k in range(rounds):\n    x, y = y, x * y + 1\nreturn 0", 700),
        ("x = n\nfor k in range(rounds):\n    if k == 77:\n        x = 0\n    x = x * (x + rate) // 9\nreturn 0", 700),
        ("x = n\nfor k in range(rounds):\n    if x ** 2 > 5:\n        x = x * abs(x)\nreturn 0", 700),
        ("x = n\nfor k in range(40):\n    x = x * x\nreturn 0", 700),
        ("x = n\nfor k in range(40):\n    x = x * x // 3\nreturn 0", 700),
        ("x = 2\nfor k in range(40):\n    x = x * x\nreturn 0", 700),
        ("x = Fraction(2, 3)\nfor k in range(40):\n    x = x * x\nreturn 0", 700),
        ("x = Fraction(n, 3)\nfor k in range(40):\n    x = x * x\nreturn 0", 700),
        # Numbers that grow slowly, for too many rounds.
        ("x = n\nfor k in range(rounds):\n    x = 2 * x + 1\nreturn 0", 100_000),
        ("x = y = n\nfor k in range(rounds):\n    x, y = y, x + y\nreturn 0", 100_000),
        ("x, y = 1, 1\nfor k in range(rounds):\n    y = 2 * y\n    x = x * y\nreturn 0", 700),
        # Many steps: loops in each other that change nothing, a round of many steps.
        ("for k in range(rounds):\n    for j in range(rounds):\n        pass\nreturn 0", 100_000),
        ("for k in range(rounds):\n    for j in range(390):\n        pass\nreturn 0", 100_000),
        ("for k in range(300):\n    for j in range(rounds):\n        pass\nreturn 0", 100_000),
        ("for i in range(399):\n  for j in range(399):\n    for k in range(399):\n      pass\nreturn 0", 700),
        # What is put behind itself over and over.
        ('x = "ab"\nfor k in range(40):\n    x = x + x\nreturn 0', 700),
        ('x = "ab" if n > 3 else "cde"\nfor k in range(40):\n    x = x + x\nreturn 0', 700),
    ],
)  # fmt: skip
def test_what_may_take_too_long_is_not_read(body: str, most_rounds: int) -> None:
    with pytest.raises(NotRead, match=r"grow too large|parts of terms|steps|a text of more than"):
        read(body, most_rounds)


@pytest.mark.slow
def test_a_list_that_is_put_behind_itself_over_and_over_is_not_read() -> None:
    with pytest.raises(NotRead, match="parts of terms"):
        read("x = [n]\nfor k in range(40):\n    x = x + x\nreturn 0", 700)


@pytest.mark.parametrize(
    ("body", "most_rounds"),
    [
        ("x = n\nfor k in range(rounds):\n    x = x + (x * rate + 50) // 10000\nreturn x", 1200),
        ("x = n\nfor k in range(rounds):\n    x = x * (10000 + rate) // 10000 - k\nreturn x", 1200),
        ("x = n\nfor k in range(rounds):\n    x = x * x % 1009\nreturn x", 100_000),
        ("x = n\nfor k in range(rounds):\n    x = (x * 1103515245 + 12345) % 2147483648\nreturn x", 100_000),
        ("x, y = 0, n\nfor k in range(rounds):\n    y = y + k\n    x = x + y * y * k\nreturn x", 100_000),
        ("x, y = 0, n\nfor k in range(rounds):\n    x, y = y, 1 - x\nreturn x", 100_000),
        ("x = y = 1\nfor k in range(rounds):\n    x, y = y, x + y\nreturn x", 1000),
        ("x = n\nfor k in range(rounds):\n    x = max(x - rate, 0)\nreturn x", 100_000),
        ("x = 1\nfor k in range(rounds):\n    x = x * rate\nreturn x", 700),
        ("for k in range(rounds):\n    for j in range(rounds):\n        pass\nreturn 0", 700),
    ],
)  # fmt: skip
def test_what_surely_does_not_is_read_whatever_its_form(body: str, most_rounds: int) -> None:
    started = time.process_time()
    read(body, most_rounds)
    assert time.process_time() - started < 5


def test_a_list_that_may_be_more_than_a_call_may_return_is_not_read() -> None:
    spec = SPEC.replace("ROUNDS", "100000").replace('[output]\ntype = "int"', '[output]\ntype = "list[int]"')
    body = "rows = []\n    for k in range(rounds):\n        rows.append({})\n    return rows"
    loop = f"def f(n, rate, rounds):\n    {body}\n"
    for item, most in ((f"k * {10**90}", "100000"), ("(k, n, k + n, 2 * k, 3 * k, 4 * k)", "100000")):
        reader = Reader(spec_from_toml(spec.replace("100000", most)))
        with pytest.raises(NotRead, match="more data than a call may return"):
            reader.candidate(loop.format(item), many_rounds=48).run(reader.shapes()[0])
    for item, most in (("k % 100", "100000"), (f"k * {10**90}", "3000")):
        reader = Reader(spec_from_toml(spec.replace("100000", most)))
        reader.candidate(loop.format(item), many_rounds=48).run(reader.shapes()[0])
