"""Random programs over few inputs, in which branches know more of these than the program does behind them.

Each branch of an ``if`` does nearly the same as the other, often to the very variable that its condition speaks of.
What one branch knows of it (``x <= 1``) must not be believed where the branches meet.
"""

# ruff: noqa: E501
from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from datetime import date, timedelta
from decimal import Decimal
from typing import Any

SPEC = """
spec = 1
name = "f"
[inputs]
x = { type = "int", min = 0, max = 40 }
y = { type = "int", min = -9, max = 9 }
k = { type = "int", min = 1, max = 6 }
d = { type = "decimal", places = 1, min = "-3.0", max = "20.0" }
day = { type = "date", min = 2023-01-01, max = 2024-12-31 }
on = { type = "bool" }
[output]
type = "int"
[[ensure]]
that = "x == x"
"""

PRELUDE = """\
from datetime import date, timedelta
from decimal import Decimal, ROUND_CEILING, ROUND_HALF_EVEN, ROUND_HALF_UP
from fractions import Fraction
from functools import partial
import math


def add(p, q):
    return p + q


def f(x, y, k, d, day, on):
"""

# {i} a number, {c} a constant, {m} a small positive constant, {b} a condition that narrows, {v} a variable; {A} alike in a form,
# {B} a condition on what that speaks of, {M} the same constant
_NUMBERS: tuple[str, ...] = (
    "({i} + {i})", "({i} - {i})", "({i} * {m})", "({i} * {i})", "({i} + {c})", "({i} - {c})", "({i} // {m})", "({i} % {m})",
    "(({i} + {c}) % {m})", "(({i} + {c}) // {m})", "({i} // k)", "({i} % k)", "({i} // -{m})", "({i} % -{m})", "min({i}, {i})",
    "max({i}, {c})", "abs({i})", "({i} if {b} else {i})", "({A} if {B} else {A})", "({A} % {M} if {B} else {A} % {M})", "({A} // {M} if {B} else {A} // {M})", "(day + timedelta(days={i})).year", "(day + timedelta(days={i} * {m})).month",
    "(day - timedelta(days={i})).day", "(day + timedelta(days={i})).weekday()", "(day.year - 2023)", "day.month", "(day - date(2024, {h}, {h})).days",
    "int(d)", "int(d * {i})", "int(d / {m})", "int((d / k).quantize(Decimal('0.1'), {r}) * 10)", "int((d * {i}).quantize(Decimal(1), {r}))", "math.ceil(d / {m})",
    "int({i} / k)", "round({i} / {m})", "int({i} * 0.1)", "int(round({i} * 0.35, 1) * 10)", "int(Fraction({i}, k) * {m})", "Fraction({i}, {m}).numerator",
    "Fraction({i}, {m}).denominator", "10 ** (1 if {b} else 2)", "2 ** (({i}) % 3)", "len(str({i}))", "int({b})", "sum(z for z in ({i}, {i}, {i}) if z {o} {c})",
    "divmod({i}, {m})[{z}]", "int(d // {m})", "int(d % {m} * 10)", "int(-d // k)", "len({{{i}, {i}, {i}}})", "sorted(({i}, {i}, {i}))[{z}]", "({i}, {i}, {i}).index({i})",
)  # fmt: skip
_CONDITIONS: tuple[str, ...] = (
    "{v} {o} {c}", "{v} {o} {c}", "{v} {o} {c}", "{i} {o} {c}", "{i} {o} {i}", "{b} and {b}", "{b} or {b}", "not ({b})", "on", "d {o} {m}", "{c} <= {v} <= {c}",
    "{v} in ({c}, {c}, {c})", "day {o} date(2024, {h}, {h})", "d / {m} {o} {c}", "day.year {o} 2024", "{v} * {v} {o} {c}", "{v} % {m} == {z}", "(day + timedelta(days={v})).year {o} {v} + {y}",
)  # fmt: skip
_STATEMENTS: tuple[str, ...] = (
    "{w} = {i}", "{w} += {i}", "if {b}:\n    {w} = {i}", "if {b}:\n    return {i}", "if {b}:\n    raise ValueError",
    "if {B}:\n    {w} = {A}\nelse:\n    {w} = {A}", "if {B}:\n    {w} = {A} % {M}\nelse:\n    {w} = {A} % {M}", "{w} = {A} if {B} else {A}",
    "if {B}:\n    {w} = {A}\nelif {b}:\n    {w} = {A}\nelse:\n    {w} = {A}", "for q in range({m}):\n    {w} = ({w} * 10 + {A}) % 97 if {B} else ({w} * 100 + {A}) % 97",
    "for q in range({z}, {m}):\n    if {w} {o} {c}:\n        break\n    {w} += {i}\nelse:\n    {w} -= 1", "for q in range(k, 0, -1):\n    {w} = {w} % {m} + q\n{w} += q",
    "t = {{}}\nif {B}:\n    t[{A}] = {i}\nelse:\n    t[{A}] = {i}\n{w} = t.get({i}, {c})", "t = {{{A}: {i}, {c}: {i}}} if {B} else {{{A}: {i}}}\n{w} += t.get({c}, 7)",
    "if {B}:\n    p = partial(add, {A})\nelse:\n    p = partial(add, {A})\n{w} = p({i}) % {m}", "t = []\nif {B}:\n    t.append({A})\nelse:\n    t.append({A})\n{w} = t[0] % {m}",
    "t = [{i}, {i}]\nif {B}:\n    t[0] = {A}\nelse:\n    t[0] = {A}\n{w} = t[{z}] // {m}", "t = {{{A}}} if {B} else {{{A}}}\n{w} += 5 if {i} in t else 1",
    "t = d / {m} if {b} else d / {m}\n{w} = int(t.quantize(Decimal('0.1'), {r}) * 10)", "if {b}:\n    t = d * {m}\nelse:\n    t = d * {m} + {c}\n{w} = int(t)",
    "if {B}:\n    t = Fraction({A}, {m})\nelse:\n    t = Fraction({A}, {m})\n{w} = math.floor(t * {m})", "if {B}:\n    t = {A} / k\nelse:\n    t = {A} / k\n{w} = int(t * 10)",
    "if {B}:\n    t = day + timedelta(days={A})\nelse:\n    t = day + timedelta(days={A})\n{w} = t.{g}", "t = ({A}, {A}) if {B} else ({A}, {A})\n{w} = t[0] * 2 - t[1]",
    "while {w} < {c}:\n    {w} += k", "try:\n    {w} = {i} // {v}\nexcept ZeroDivisionError:\n    {w} = {A}", "if {B}:\n    t = range({A})\nelse:\n    t = range({A})\n{w} = len(t) if len(t) < 9 else 9",
    "t = None if {B} else {A}\n{w} = {c} if t is None else t % {m}", "if {B}:\n    x = {A}\nif {b}:\n    y = {A}\n{w} = (x + y) % {m}", "match {v}:\n    case {z} | {m}:\n        {w} = {A}\n    case q if q {o} {c}:\n        {w} = q + {c}\n    case _:\n        {w} = {A}",
)  # fmt: skip
_ALIKE = tuple(form for form in _STATEMENTS if "{A}" in form)


class NarrowWriter:
    """Writes such programs."""

    def __init__(self, rng: random.Random) -> None:
        self._rng = rng

    def program(self) -> str:
        """The source of one."""
        body = ["v = x", "w = y"]
        for _ in range(self._rng.randint(1, 3)):
            forms = _ALIKE if self._rng.random() < 0.6 else _STATEMENTS
            body += self._filled(self._rng.choice(forms), 1).splitlines()
        body.append(f"return {self.number(1)}")
        return PRELUDE + "".join(f"    {line}\n" for line in body)

    def number(self, depth: int) -> str:
        """An expression for a whole number."""
        if depth <= 0 or self._rng.random() < 0.25:
            return self._rng.choice(("x", "y", "k", "v", "w", "v", str(self._rng.randint(-3, 40))))
        return self._filled(self._rng.choice(_NUMBERS), depth - 1)

    def _condition(self, depth: int) -> str:
        return self._filled(self._rng.choice(_CONDITIONS if depth > 0 else _CONDITIONS[:3]), depth - 1)

    def _filled(self, form: str, depth: int) -> str:
        rng, found, at = self._rng, "", 0
        one = rng.choice(("x", "x", "y", "v", "k"))
        alike = self._of(one) if rng.random() < 0.7 else self.number(depth)
        threshold = str(rng.choice((0, 1, 2, 38, rng.randint(-9, 40))))
        drawn = {
            "A": alike,
            "B": f"({one} {rng.choice(('<', '<=', '>', '>=', '=='))} {threshold})",
            "M": rng.choice(("2", "7", "10", "97")),
        }
        while at < len(form):
            pair = form[at : at + 2]
            if pair in ("{{", "}}"):
                found, at = found + pair[0], at + 2
            elif form[at] == "{":
                found, at = found + self._hole(form[at + 1], depth, drawn), at + 3
            else:
                found, at = found + form[at], at + 1
        return found

    def _of(self, name: str) -> str:
        """An expression in one variable."""
        rng = self._rng
        form = rng.choice(
            (
                "{0}",
                "{0}",
                "({0} + {1})",
                "{0} * {2}",
                "({0} + {1}) // {2}",
                "({0} + {1}) % {2}",
                "(day + timedelta(days={0} * {2})).year",
            )
        )
        return form.format(name, rng.randint(-5, 60), rng.choice((2, 7, 10, 97)))

    def _hole(self, hole: str, depth: int, drawn: Mapping[str, str]) -> str:
        rng = self._rng
        match hole:
            case "i":
                return self.number(depth)
            case "A":  # what the branches have in common, and often a number that they have not
                return drawn["A"] if rng.random() < 0.4 else f"({drawn['A']} + {rng.randint(-3, 9)})"
            case "B" | "M":  # the same wherever it stands
                return drawn[hole]
            case "b":
                return f"({self._condition(depth)})"
            case "v":
                return rng.choice("xxykvw")
            case "w":
                return rng.choice("vw")
            case "c":
                return str(rng.choice((0, 1, 1, 2, 3, 5, 8, 20, 39, 40, rng.randint(-10, 45))))
            case "y":
                return str(rng.choice((1983, 2000, 2023, 2020, 2024, rng.randint(1980, 2026))))
            case "m":
                return str(rng.choice((1, 2, 3, 5, 7, 10, 12, 97)))
            case "z":
                return rng.choice("01")
            case "h":
                return str(rng.choice((1, 2, 12)))
            case "o":
                return rng.choice(("<", "<=", ">", ">=", "==", "!="))
            case "r":
                return rng.choice(("ROUND_HALF_UP", "ROUND_HALF_EVEN", "ROUND_CEILING"))
            case "g":
                return rng.choice(("year", "month", "day", "weekday()", "toordinal() % 7"))
            case _:
                raise AssertionError(hole)


def dense_inputs(rng: random.Random, count: int) -> Iterator[dict[str, Any]]:
    """So many inputs: all that ``x`` may be, the others drawn, their ends often."""
    for at in range(count):
        yield {
            "x": at % 41,
            "y": rng.choice((-9, 0, 9, rng.randint(-9, 9))),
            "k": rng.randint(1, 6),
            "d": Decimal(rng.choice((-30, 0, 200, rng.randint(-30, 200)))).scaleb(-1),
            "day": rng.choice((date(2023, 1, 1), date(2023, 12, 31), date(2024, 2, 29), date(2023, 1, 1) + timedelta(days=rng.randint(0, 730)))),
            "on": rng.random() < 0.5,
        }  # fmt: skip
