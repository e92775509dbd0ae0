"""Random programs in the subset that the prover reads, and inputs for them: the reading is held against CPython."""

from __future__ import annotations

import random
from collections.abc import Callable
from datetime import date
from decimal import Decimal
from typing import Any

SPEC = """
spec = 1
name = "f"
[types.Grade]
type = "enum"
class = "Grade"
choices = ["LOW", "MID", "TOP"]
values = {{ LOW = 0, MID = 1, TOP = 2 }}
[inputs]
x = {{ type = "int", min = -200, max = 200 }}
n = {{ type = "int", min = 1, max = 30 }}
d = {{ type = "decimal", places = 2, min = "-500.00", max = "5000.00" }}
r = {{ type = "decimal", places = 3, min = "0.001", max = "20.000" }}
day = {{ type = "date", min = 1995-01-01, max = 2035-12-31 }}
on = {{ type = "bool" }}
grade = {{ type = "Grade" }}
[output]
type = "{output}"
[[ensure]]
that = "x == x"
"""

MODES = (
    "ROUND_HALF_UP",
    "ROUND_HALF_DOWN",
    "ROUND_HALF_EVEN",
    "ROUND_UP",
    "ROUND_DOWN",
    "ROUND_CEILING",
    "ROUND_FLOOR",
)
DIVISORS = ("100", "Decimal(8)", "Decimal('2.5')")
UNITS = ("CENT", "Decimal(1)", "Decimal('0.001')")
BARS = ("1", "2", "Decimal('0.5')")
PRELUDE = f"""\
import calendar
import math
from datetime import date, timedelta
from decimal import Decimal, {", ".join(MODES)}
from enum import Enum


class Grade(Enum):
    LOW = 0
    MID = 1
    TOP = 2


CENT = Decimal("0.01")
LIMIT = 7


"""


class Writer:
    """Writes one random program. Types: i int, d Decimal, b bool, t date."""

    def __init__(self, rng: random.Random) -> None:
        self._rng = rng
        self._names: dict[str, list[str]] = {}

    def program(self) -> tuple[str, str]:
        """The source, and the spec's type of its result."""
        rng = self._rng
        self._names = {"i": ["x", "n"], "d": ["d", "r"], "b": ["on"], "t": ["day"]}
        helper_kind = rng.choice("id")
        helper = self._function("helper", helper_kind, 1)
        self._names = {"i": ["x", "n"], "d": ["d", "r"], "b": ["on"], "t": ["day"]}
        self._helper = helper_kind
        kind = rng.choice("iiddbt")
        main = self._function("f", kind, 3)
        return PRELUDE + helper + "\n\n" + main, {"i": "int", "d": "decimal", "b": "bool", "t": "date"}[kind]

    _helper = ""

    def _function(self, name: str, kind: str, size: int) -> str:
        lines = [f"def {name}(x, n, d, r, day, on, grade):"]
        lines += self._statements(kind, size, 1)
        lines.append(f"    return {self.expression(kind, 2)}")
        return "\n".join(lines) + "\n"

    def _statements(self, kind: str, count: int, indent: int) -> list[str]:
        rng, pad, lines = self._rng, "    " * indent, []
        for _ in range(rng.randint(1, count)):
            what = rng.random()
            if what < 0.35:
                of = rng.choice("iidb")
                value = self.expression(of, 2)
                name = f"{of}{rng.randint(1, 3)}"
                lines.append(f"{pad}{name} = {value}")
                if indent == 1 and name not in self._names[of]:
                    self._names[of].append(name)
            elif what < 0.5:
                lines.append(f"{pad}if {self.expression('b', 2)}:")
                lines.append(f"{pad}    return {self.expression(kind, 1)}")
            elif what < 0.6:
                lines.append(f"{pad}if {self.expression('b', 2)}:")
                lines.append(f"{pad}    raise {rng.choice(('ValueError', 'KeyError'))}('no')")
            elif what < 0.75 and indent < 3:
                name, of = self._known(rng.choice("id"))
                lines.append(f"{pad}if {self.expression('b', 2)}:")
                lines.append(f"{pad}    {name} = {self.expression(of, 1)}")
                if rng.random() < 0.6:
                    lines.append(f"{pad}else:")
                    lines += self._statements(kind, 1, indent + 1)
            elif what < 0.85 and indent < 3:
                name, of = self._known("i")
                lines.append(f"{pad}for k in range({rng.randint(0, 4)}):")
                lines.append(f"{pad}    {name} {rng.choice(('+=', '-=', '='))} {self.expression('i', 1, loop=True)}")
                if rng.random() < 0.4:
                    lines.append(f"{pad}    if {self.expression('b', 1)}:")
                    lines.append(f"{pad}        {rng.choice(('break', 'continue'))}")
            else:
                name, of = self._known(rng.choice("id"))
                lines.append(f"{pad}{name} {rng.choice(('+=', '-=', '*='))} {self.expression(of, 1)}")
        return lines

    def _known(self, kind: str) -> tuple[str, str]:
        return self._rng.choice(self._names[kind]), kind

    def expression(self, kind: str, depth: int, *, loop: bool = False) -> str:
        rng = self._rng
        e: Callable[[str], str] = lambda k: self.expression(k, depth - 1, loop=loop)  # noqa: E731
        if depth == 0:
            return self._leaf(kind, loop)
        if kind == "i":
            return rng.choice(
                (
                    lambda: f"({e('i')} {rng.choice('+-*')} {e('i')})",
                    lambda: f"({e('i')} // {rng.choice(('n', '7', '-3', str(rng.randint(1, 40))))})",
                    lambda: f"({e('i')} % {rng.choice(('n', '7', '-4', str(rng.randint(1, 40))))})",
                    lambda: f"{rng.choice(('min', 'max'))}({e('i')}, {e('i')})",
                    lambda: f"abs({e('i')})",
                    lambda: f"({e('i')} if {e('b')} else {e('i')})",
                    lambda: f"-{e('i')}",
                    lambda: f"int({e('d')})",
                    lambda: f"round({e('d')})",
                    lambda: f"{rng.choice(('math.floor', 'math.ceil'))}({e('d')})",
                    lambda: f"({e('t')} - {e('t')}).days",
                    lambda: f"{e('t')}.{rng.choice(('year', 'month', 'day', 'weekday()', 'toordinal()'))}",
                    lambda: f"calendar.monthrange({e('t')}.year, {e('t')}.month)[1]",
                    lambda: f"sum([{e('i')}, {e('i')}, {e('i')}])",
                    lambda: f"divmod({e('i')}, n)[{rng.randint(0, 1)}]",
                    lambda: f"({e('b')} + {e('i')})",
                    lambda: "helper(x, n, d, r, day, on, grade)" if self._helper == "i" else e("i"),
                )
            )()
        if kind == "d":
            return rng.choice(
                (
                    lambda: f"({e('d')} {rng.choice('+-*')} {e('d')})",
                    lambda: f"({e('d')} * {e('i')})",
                    lambda: f"({e('d')} / {rng.choice(DIVISORS)})",
                    lambda: f"({e('d')} / r).quantize(CENT, rounding={rng.choice(MODES)})",
                    lambda: f"({e('d')} / {rng.randint(1, 400)}).quantize(Decimal('0.1'), {rng.choice(MODES)})",
                    lambda: f"{e('d')}.quantize({rng.choice(UNITS)}, rounding={rng.choice(MODES)})",
                    lambda: f"round({e('d')}, {rng.randint(0, 3)})",
                    lambda: f"{rng.choice(('min', 'max'))}({e('d')}, {e('d')})",
                    lambda: f"abs({e('d')})",
                    lambda: f"({e('d')} if {e('b')} else {e('d')})",
                    lambda: f"Decimal({e('i')})",
                    lambda: f"-{e('d')}",
                    lambda: f"sum([{e('d')}, {e('d')}], Decimal(0))",
                    lambda: "helper(x, n, d, r, day, on, grade)" if self._helper == "d" else e("d"),
                )
            )()
        if kind == "b":
            op = rng.choice(("<", "<=", ">", ">=", "==", "!="))
            return rng.choice(
                (
                    lambda: f"({e('i')} {op} {e('i')})",
                    lambda: f"({e('d')} {op} {e('d')})",
                    lambda: f"({e('d')} {op} {e('i')})",
                    lambda: f"({e('t')} {op} {e('t')})",
                    lambda: f"({e('i')} < {e('i')} <= {e('i')})",
                    lambda: f"(not {e('b')})",
                    lambda: f"({e('b')} {rng.choice(('and', 'or'))} {e('b')})",
                    lambda: f"({e('i')} in (1, 5, {e('i')}))",
                    lambda: (
                        f"(grade {rng.choice(('==', '!=', 'is', 'is not'))} Grade.{rng.choice(('LOW', 'MID', 'TOP'))})"
                    ),
                    lambda: f"(Grade({e('i')} % 3) is grade)",
                    lambda: f"calendar.isleap({e('t')}.year)",
                    lambda: f"({e('d')} / r {op} {rng.choice(BARS)})",
                    lambda: f"any([{e('b')}, {e('b')}])",
                )
            )()
        return rng.choice(
            (
                lambda: f"({e('t')} + timedelta(days={rng.randint(-400, 400)}))",
                lambda: f"date({e('t')}.year, {rng.randint(1, 12)}, {rng.randint(1, 28)})",
                lambda: f"({e('t')} if {e('b')} else {e('t')})",
                lambda: f"{e('t')}.replace(day={rng.randint(1, 31)})",
                lambda: f"max({e('t')}, {e('t')})",
                lambda: f"({e('t')} - timedelta(days=n))",
            )
        )()

    def _leaf(self, kind: str, loop: bool) -> str:
        rng = self._rng
        if kind == "i":
            return rng.choice([*self._names["i"], *(["k"] if loop else []), "LIMIT", str(rng.randint(-20, 60))])
        if kind == "d":
            return rng.choice([*self._names["d"], "CENT", f"Decimal('{rng.randint(-900, 900) / 100:.2f}')"])
        if kind == "b":
            return rng.choice([*self._names["b"], "on", f"({rng.choice(('x', 'n'))} > {rng.randint(-50, 50)})"])
        return rng.choice(
            ["day", "day", f"date({rng.randint(1996, 2030)}, {rng.randint(1, 12)}, {rng.randint(1, 28)})"]
        )


def random_inputs(rng: random.Random) -> dict[str, Any]:
    """Python values for the inputs of ``SPEC``; boundaries often."""
    return {
        "x": rng.choice((-200, -1, 0, 1, 7, 200, rng.randint(-200, 200), rng.randint(-20, 20))),
        "n": rng.choice((1, 2, 30, rng.randint(1, 30))),
        "d": Decimal(rng.choice((-50000, -1, 0, 1, 50, 500000, rng.randint(-50000, 500000)))).scaleb(-2),
        "r": Decimal(rng.choice((1, 1000, 2000, 20000, rng.randint(1, 20000)))).scaleb(-3),
        "day": date.fromordinal(
            rng.choice((date(1996, 2, 29).toordinal(), date(2000, 12, 31).toordinal(), rng.randint(728300, 743300)))
        ),
        "on": rng.random() < 0.5,
        "grade": rng.choice(("LOW", "MID", "TOP")),
    }
