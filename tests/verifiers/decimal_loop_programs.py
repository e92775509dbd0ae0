"""Random programs with loops of many rounds over Decimals and counters, ``for`` and ``while``, which may end early."""

# ruff: noqa: E501
from __future__ import annotations

import random
from decimal import Decimal
from typing import Any

SPEC = """
spec = 1
name = "grown"
[inputs]
start = {{ type = "decimal", places = 2, min = "-50.00", max = "100000.00" }}
rate = {{ type = "decimal", places = 3, min = "-0.050", max = "0.400" }}
pay = {{ type = "decimal", places = 2, min = "0.00", max = "3000.00" }}
rounds = {{ type = "int", min = -3, max = {most} }}
[output]
type = "{output}"
[[reject]]
id = "negative"
when = "rounds < 0"
raises = "ValueError"
"""

_HEAD = """
from decimal import ROUND_DOWN, ROUND_FLOOR, ROUND_HALF_EVEN, ROUND_HALF_UP, ROUND_UP, Decimal

CENT = Decimal("0.01")

def grown(start, rate, pay, rounds):
    if rounds < 0:
        raise ValueError("negative")
    x, y, n, z = start, {second}, {third}, 0
"""

# {a}, {b} are Decimals of the loop, {c} an int, {mode} a way to round; what leaves stands apart
_STEPS: tuple[str, ...] = (
    "{a} += ({a} * rate / 12).quantize(CENT, {mode})", "{a} = {a} + ({b} * rate).quantize(CENT, rounding={mode})", "{a} -= pay", "{a} = min({a}, {b})", "{a} = max({a} - pay, Decimal(0))", "{a} = {b} + CENT", "t = ({a} * rate / 12).quantize(CENT, {mode})\n{a} = {a} + t - min(pay, {a} + t)",
    "if {a} > {b}:\n    {a} -= pay\nelse:\n    {b} += CENT", "if {a} < 0:\n    {a} = -{a}", "{c} += 1", "{c} += 2", "z += 3", "{c} = {c} - 1", "z = (z + {c}) % 7", "if {a} == {b}:\n    z += 1", "{a} = abs({a})", "{a} = ({a} / 3).quantize(CENT, {mode})", "{b} = Decimal({c}) / 100", "{a} += Decimal({c})", "if {c} == 5:\n    {a} = pay", "{a}, {b} = {b}, {a}", "{a} = round({a} * Decimal(\"1.005\"), 2)", "pass", "z = z + 1 if {a} > pay else z",
)  # fmt: skip
_LEAVING: tuple[str, ...] = (
    "if {a} <= 0:\n    break", "if {a} > 9000:\n    return {a}", "if {c} > 30:\n    break", "if {c} == rounds:\n    break", "if {a} < {b} and {c} > 2:\n    return {b} + CENT", "if {a} == {b}:\n    raise ValueError(\"equal\")", "if pay >= {a}:\n    {a} = pay\n    break",
)  # fmt: skip
_MODES = ("ROUND_HALF_UP", "ROUND_HALF_EVEN", "ROUND_DOWN", "ROUND_UP", "ROUND_FLOOR")

# a head, and what the first and the last statement of a round are
_LOOPS: tuple[tuple[str, str, str], ...] = (
    ("for k in range(rounds):", "", ""), ("for k in range(1, rounds + 1):", "", ""), ("for k in range(rounds, 0, -1):", "", ""), ("for k in range(0, rounds, 2):", "", ""),
    ("k = 0\nwhile k < rounds:", "", "k += 1"), ("k = 0\nwhile k < rounds:", "k += 1", ""), ("k = 1\nwhile k <= rounds:", "", "k += 1"), ("k = 0\nwhile k < rounds:", "", "k += 3"), ("k = rounds\nwhile k > 0:", "", "k -= 1"), ("k = rounds\nwhile k:", "", "k -= 1"),
    ("k = 0\nwhile k != rounds:", "", "k += 1"), ("k = 0\nwhile x > 0 and k < rounds:", "", "k += 1"), ("k = 0\nwhile k < rounds and x > pay:", "k += 1", ""), ("k = 0\nwhile not (k >= rounds or y < 0):", "", "k += 1"), ("k = 0\nwhile k < rounds or k < 60:", "", "k += 1"),
    ("k = 0\nwhile True:", "if k >= rounds:\n    break", "k += 1"), ("k = 0\nwhile True:", "k += 1", "if k > rounds:\n    return x"), ("k = 0\nwhile x >= 0:", "k += 1", "if k >= rounds:\n    break"), ("k = -2\nwhile k < min(rounds, 70):", "", "k += 1"), ("k = 0\nwhile k * 2 < rounds:", "", "k += 1"),
)  # fmt: skip


class DecimalLoopWriter:
    """Writes programs, each with the kind of its result."""

    def __init__(self, rng: random.Random) -> None:
        self._rng = rng

    def program(self, kind: str) -> str:
        rng = self._rng
        head, first, last = rng.choice(_LOOPS)
        steps = [self._filled(rng.choice(_STEPS)) for _ in range(rng.randint(1, 3))]
        for _ in range(rng.choice((0, 0, 1, 1, 2))):
            steps.insert(rng.randint(0, len(steps)), self._filled(rng.choice(_LEAVING)))
        steps = [each for each in (first, *steps, last) if each]
        lines = [*head.splitlines(), *(f"    {line}" for step in steps for line in step.splitlines())]
        if head.startswith("for") and rng.random() < 0.15:
            lines += ["else:", "    z += 100"]
        after = "n * 1000 + z" if kind == "int" else rng.choice(("x", "y", "x + y", "x - y * 2", "max(x, y)"))
        if kind == "int":
            lines = [line.replace("return x", "return k").replace("return y + CENT", "return n") for line in lines]
        second = rng.choice(("Decimal('0.00')", "pay", "Decimal(5)", "start * 2"))
        third = rng.choice(("0", "1", "rounds", "7"))
        body = "".join(f"    {line}\n" for line in [*lines, f"return {after}"])
        return _HEAD.format(second=second, third=third) + body

    def _filled(self, form: str) -> str:
        rng = self._rng
        a, b = rng.sample("xy", 2)
        return (
            form.replace("{a}", a)
            .replace("{b}", b)
            .replace("{c}", rng.choice("nnk"))
            .replace("{mode}", rng.choice(_MODES))
        )


def drawn(rng: random.Random, most: int) -> dict[str, Any]:
    """Inputs; small numbers of rounds are frequent."""
    cents = [0, 1, 5, 100, rng.randint(-5000, 20_000), rng.randint(-5000, 10_000_000)]
    return {
        "start": Decimal(rng.choice(cents)) / 100,
        "rate": Decimal(rng.choice([0, 1, 5, 60, rng.randint(-50, 400)])) / 1000,
        "pay": Decimal(rng.choice([0, 1, 100, rng.randint(0, 300_000)])) / 100,
        "rounds": rng.choice([-1, 0, 1, 2, 3, rng.randint(0, 60), most - 1, most]),
    }


_CLAUSES = {
    "decimal": ("result >= start", "result <= start", "result >= 0", "result >= -50", "result <= start + pay", "result >= pay", "result >= -start", "result <= 100000", "result <= 200000", "result * 2 >= start", "result != 7", "result >= start - rounds * pay", "result <= start + rounds", "rounds > 3 or result <= start + 20", "rate > 0 or result <= start"),
    "int": ("result >= 0", "result >= rounds", "result >= 1000", "result <= 1000 * rounds + 8000", "result <= 452000", "result % 1000 < 7", "result != 5", "result <= 3000 * rounds", "rounds < 2 or result > 0", "result >= 1000 * rounds", "result >= 7", "rounds > 5 or result < 9000", "result <= 900000", "start < 1 or result > 0", "result <= 1353 * 1000"),
}  # fmt: skip


def clauses(rng: random.Random, kind: str, many: int) -> list[str]:
    """What may hold of a result; each is Python's as well."""
    return rng.sample(_CLAUSES[kind], many)
