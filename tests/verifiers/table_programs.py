"""Random loops of many rounds that end early and make lists, and clauses about such lists."""

from __future__ import annotations

import random
from typing import Any

INPUTS = """
spec = 1
name = "made"
[types.Row]
type = "record"
as = "tuple"
[types.Row.fields]
a = { type = "int" }
b = { type = "int" }
[inputs]
start = { type = "int", min = -50, max = 1000 }
rate = { type = "int", min = -3, max = 40 }
rounds = { type = "int", min = -3, max = 700 }
[output]
type = "list[Row]"
"""

_CLAUSES = (
    "len(result) {o} {n}",
    "len(result) {o} rounds",
    "sum(r.{f} for r in result) {o} {n}",
    "sum(r.a - r.b for r in result if r.{f} {o} {n}) {o} start",
    "sum(r.{f} / 3 for r in result) {o} {n}",
    "all(r.{f} {o} {n} for r in result)",
    "any(r.{f} {o} {n} for r in result)",
    "all(r.{f} {o} {n} for r in result[{k}:{m}])",
    "all(result[i].{f} {o} result[i + 1].{f} for i in range(len(result) - 1))",
    "all(result[i - 1].{f} {o} result[i].b for i in range(1, len(result)))",
    "all(result[i + 2].a {o} result[i].b for i in range(len(result) - 2))",
    "all(p.{f} {o} q.{f} for p, q in zip(result, result[1:]))",
    "all(p.{f} {o} q.{f} for p, q in zip(result[:-1], result[2:]))",
    "all(r.{f} {o} i for i, r in enumerate(result))",
    "sum(i * r.a for i, r in enumerate(result, 1)) {o} {n}",
    "len([r for r in result if r.{f} {o} {n}]) {o} {n}",
    "sum([r.{f} + r.b for r in result]) {o} {n}",
    "all(z {o} {n} for z in [r.a * 2 for r in result if r.b {o} start])",
    "result[-1].{f} {o} {n}",
    "result[0].{f} {o} result[-1].b",
    "result[-2].{f} {o} result[1].a",
    "len(result) == 0 or result[-1].{f} {o} start",
    "len(result[1:-1]) {o} {n}",
    "any(r.a {o} start and r.b {o} rate for r in result[1:])",
)


class Writer:
    """Draws one program after the other; the same seed draws the same."""

    def __init__(self, seed: int) -> None:
        self.rng = random.Random(seed)

    def clause(self) -> str:
        """A clause about ``result``, a list of rows."""
        found = self.rng.choice(_CLAUSES).replace("{k}", self.rng.choice(["", "1"]))
        found = found.replace("{m}", self.rng.choice(["", "-1", "-2"]))
        for hole, texts in (("{o}", ["<", "<=", "==", "!=", ">="]), ("{f}", "ab"), ("{n}", ["0", "1", "3", "40"])):
            while hole in found:
                found = found.replace(hole, self.rng.choice(texts), 1)
        return found

    def program(self) -> str:
        """A function of three numbers that makes a list of pairs."""
        rng = self.rng
        over = rng.choice(["rounds", "1, rounds + 1", "rounds, 0, -1", "0, rounds, 2", "rounds + 2", "2, rounds"])
        lines = [line for _ in range(rng.randint(1, 3)) for line in self._statement(0)]
        append = self._append()
        where = rng.choice(["first", "last", "middle", "each"])
        if where == "each":
            lines += [f"if {self._test()}:", f"    {append}", "else:", f"    {self._append()}"]
        else:
            at = {"first": 0, "last": len(lines)}.get(where)
            tops = [i for i, line in enumerate(lines) if not line.startswith((" ", "else"))]
            lines.insert(rng.choice(tops) if at is None else at, append)
        if rng.random() < 0.5:
            lines += [f"if {self._test()}:", f"    {self._way_out()}"]
        end = ["    else:", "        x = x + 1"] if rng.random() < 0.2 else []
        first = ["    if rounds < 0:", "        raise ValueError"] if rng.random() < 0.5 else []
        after = rng.choice(["rows", "rows", "rows", "rows if x > 3 else rows", "rows if x != 5 else []"])
        loop = [f"    for k in range({over}):", *(f"        {line}" for line in lines), *end]
        head = ["def made(start, rate, rounds):", *first, "    x, y, z, rows = start, 1, rate > 2, []"]
        return "\n".join([*head, *loop, f"    return {after}", ""])

    def drawn(self) -> dict[str, Any]:
        rng = self.rng
        return {
            "start": rng.choice([-50, -1, 0, 1, rng.randint(-50, 1000)]),
            "rate": rng.choice([0, 1, 40, rng.randint(-3, 40)]),
            "rounds": rng.choice([-3, 0, 1, 2, 3, 4, rng.randint(0, 30)]),
        }

    def _append(self) -> str:
        form = self.rng.choice(["rows.append(({}, {}))", "rows += [({}, {})]", "rows.append(({}, {}))"])
        return form.format(self._value(), self._value())

    def _way_out(self) -> str:
        return self.rng.choice(["break", "break", "return rows", "raise ValueError", "continue"])

    def _statement(self, depth: int) -> list[str]:
        choice = self.rng.random()
        if choice < 0.25 and depth < 2:
            inner = [f"    {line}" for _ in range(self.rng.randint(1, 2)) for line in self._statement(depth + 1)]
            other = [f"    {line}" for line in self._statement(depth + 1)] if self.rng.random() < 0.5 else ["    pass"]
            return [f"if {self._test()}:", *inner, "else:", *other]
        if choice < 0.45:
            return [f"if {self._test()}:", f"    {self._way_out()}"]
        if choice < 0.5:
            return [f"z = {self._test()}"]
        if choice < 0.6:
            return [f"t = {self._value()}", f"x = {self._small('t')}"]
        return [f"{self.rng.choice('xy')} = {self._small(self._value())}"]

    def _test(self) -> str:
        if self.rng.random() < 0.15:
            return self.rng.choice(["z", "not z"])
        left, op = self.rng.choice("xyk"), self.rng.choice(["<", "<=", "==", ">", "!="])
        return f"{left} {op} {self.rng.choice(['x', 'y', 'k', '0', '7', 'rate', 'start'])}"

    def _value(self) -> str:
        a, b = (self.rng.choice(["x", "y", "k", "rate", "3", "-2"]) for _ in range(2))
        forms = [f"{a} + {b}", f"{a} - {b}", f"({a} * rate + {b}) // 7", f"min({a}, {b})", f"({a} if z else {b})"]
        return self.rng.choice(forms)

    def _small(self, value: str) -> str:
        """Kept from growing without end."""
        return f"({value}) % 1009" if self.rng.random() < 0.8 else f"({value}) // 2"
