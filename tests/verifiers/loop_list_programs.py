"""Random loops that make one list or two, several results of them, and clauses that some of these results keep.

Other than those of ``table_programs`` they are calm: rounds that count, halve, turn and end, so that much holds of what
they make; and what is appended only in some rounds, to one of two names of a list, or returned in part is among them.
"""

# ruff: noqa: E501

from __future__ import annotations

from typing import Any

from tests.verifiers.table_programs import INPUTS, Writer

_NUMBERS = INPUTS.partition("[types.Row]")[0] + "[inputs]" + INPUTS.partition("[inputs]")[2].partition("[output]")[0]
SPECS = {
    "rows": INPUTS,
    "ints": _NUMBERS + '[output]\ntype = "list[int]"\n',
    "int": _NUMBERS + '[output]\ntype = "int"\n',
}

_STATEMENTS = (
    "x = x + 1", "x = x - 1", "y = y + rate", "y = y + 1", "x = x + y", "y = 1 - y", "z = not z", "x = x + (1 if z else 0)",
    "x = max(x - 3, 0)", "y = min(y + 2, 50)", "if x > 10:\n    x = x - 7", "if k == 5:\n    y = y + 1", "y = -y", "x = x // 2",
    "if k % 2 == 0:\n    x = x + 1\nelse:\n    y = y + 1", "x = x // -3", "y = k - x % 5", "y = x % -4", "x = k", "y = k * 2",
    "x = abs(x - 2)", "if z:\n    continue", "if x < 0:\n    break", "if y > 30:\n    break", "if k == start:\n    break",
    "if k > rate:\n    return {out}", "if x > 500:\n    raise ValueError", "if k != 333:\n    y = y + 1", "if k == 43:\n    x = 777",
    "try:\n    x = 100 // (x - 3)\nexcept ZeroDivisionError:\n    x = 1", "try:\n    if x == 7: break\nfinally:\n    x = x + 1",
    "try:\n    if k == rate:\n        raise ValueError\n    y = y + 1\nexcept ValueError:\n    y = 0\nelse:\n    x = x + 1",
)  # fmt: skip
_VALUES = (
    "x", "y", "k", "x + y", "k + 1", "x - k", "rate", "start", "x * 2", "-y", "(1 if z else 0)", "k % 3", "x % 10", "abs(x)",
    "min(x, y)", "x // 3", "0", "1", "rounds - k", "max(x, k)",
)  # fmt: skip
_RANGES = (
    "rounds", "rounds", "rounds", "1, rounds + 1", "rounds, 0, -1", "0, rounds, 2", "rounds + 2", "2, rounds", "rounds, -1, -3",
    "-rounds, rounds, 5", "rate, rounds", "rounds - 1, -1, -1", "rate, -rounds, -2",
)  # fmt: skip
_RESULTS = {
    "rows": ("rows", "rows", "rows[:]", "rows if x > 3 else rows", "rows if x != 5 else []", "alias"),
    "ints": ("rows", "rows", "rows[:]", "alias", "rows if z else []", "rows[1:]", "more"),
    "int": ("x", "y", "x + y", "len(rows)", "len(rows[1:])", "len(rows[1:-1])", "len(more) + x", "x if z else y"),
}
_ENDS = (
    "",
    "",
    "",
    "    else:\n        x = x + 1\n",
    "    else:\n        return {out}\n",
    "    else:\n        y = 0\n",
)
_BEHIND = (
    "",
    "",
    "    x = x + 1\n",
    "    if x > y:\n        x = y\n",
    "    for k in range(rounds):\n        y = y + 1\n",
)
_CLAUSES = {
    "rows": (
        "all(p.{f} {o} q.{f} for p, q in zip(result, result[1:]))", "all(p.{f} {o} q.{f} for p, q in zip(result[1:], result[2:]))",
        "len(result[1:][1:]) {o} rounds - 2", "sum(r.{f} for r in result[1:-1]) {o} start", "len(result) == max(rounds, 0)",
        "len(result) < 2 or sum(q.{f} - p.{f} for p, q in zip(result, result[1:])) == result[-1].{f} - result[0].{f}",
        "len(result) < 2 or result[-2].{f} {o} result[-1].{f}", "all(r.{f} != {n} for r in result)", "len(result) != {n}",
        "all(r.{f} {o} {n} for r in result)", "all(r.{f} {o} i for i, r in enumerate(result))", "len(result) <= max(rounds, 0) + 2",
        "all(result[i].{f} {o} result[i + 1].{f} for i in range(len(result) - 1))", "len(result) == 0 or result[0].{f} {o} start",
    ),
    "ints": (
        "len(result) == max(rounds, 0)", "len(result) <= max(rounds, 0)", "len(result) != {n}", "all(r != {n} for r in result)",
        "all(p {o} q for p, q in zip(result, result[1:]))", "all(p - q {o} {n} for p, q in zip(result, result[1:]))",
        "len(result) < 2 or sum(q - p for p, q in zip(result, result[1:])) == result[-1] - result[0]", "sum(result) != {n}",
        "len(result) < 3 or result[-3] {o} result[-2]", "all(result[i] {o} i for i in range(1, len(result)))",
        "all(r {o} {n} for r in result)", "len([r for r in result if r {o} {n}]) {o} {n}",
    ),
    "int": (
        "result {o} {n}", "result {o} rounds", "result {o} start", "result != {n}", "result {o} max(rounds, 0)",
        "result - start {o} rounds", "result == start or result {o} {n}", "result % 2 == 0", "rounds > 1 or result {o} {n}",
        "result {o} max(rounds, 0) * rate + start", "result * 2 == max(rounds, 0) * (max(rounds, 0) - 1)",
    ),
}  # fmt: skip
_ROUNDS = (-3, -1, 0, 1, 2, 3, 4, 5, 6, 9, 17, 42, 43, 44, 45, 99, 137, 138, 299, 332, 333, 334, 335, 500, 650, 700)
_STARTS = (-50, -1, 0, 1, 2, 3, 4, 5, 7, 10, 42, 43, 333, 777, 1000)


class ListWriter(Writer):
    """Draws one program after the other; the same seed draws the same."""

    def clause_of(self, kind: str) -> str:
        """A clause about a result of a kind."""
        found = self.rng.choice(_CLAUSES[kind])
        numbers = ["0", "1", "3", "40", "-1", "2", "137", "333", "777"]
        for hole, texts in (("{o}", ["<", "<=", "==", "!=", ">=", ">"]), ("{f}", ["a", "b"]), ("{n}", numbers)):
            while hole in found:
                found = found.replace(hole, self.rng.choice(texts), 1)
        return found

    def program_of(self, kind: str) -> str:
        """A function of three numbers with a result of a kind."""
        rng, out = self.rng, self.rng.choice(_RESULTS[kind])
        lines = [line for _ in range(rng.randint(1, 4)) for line in self._calm()]
        self._insert(lines, self._appends("rows", kind))
        if rng.random() < 0.3:
            self._insert(lines, ["more.append(k)"])
        early = rng.choice([out, rng.choice(_RESULTS[kind])])
        first = rng.choice(
            ["", "", "    if rounds < 0:\n        raise ValueError\n", "    rounds = min(rounds, 300)\n"]
        )
        start = rng.choice(
            ["start, 1, rate > 2", "0, 0, True", "0, 1, False", "start, rate, True", "rate, 0, start > 3"]
        )
        loop = f"    for k in range({rng.choice(_RANGES)}):\n" + "".join(f"        {line}\n" for line in lines)
        head = f"    x, y, z, rows, more = {start}, [], []\n    alias = rows\n"
        whole = first + head + loop + rng.choice(_ENDS) + rng.choice(_BEHIND)
        return "def made(start, rate, rounds):\n" + whole.replace("{out}", early) + f"    return {out}\n"

    def dense(self) -> list[dict[str, Any]]:
        """Inputs at and around what the programs and clauses name, few of each number of rounds."""
        rng = self.rng
        starts = (*_STARTS, *(rng.randint(-50, 1000) for _ in range(5)), *(rng.randint(-5, 12) for _ in range(5)))
        rates = (0, 1, 2, 3, 40, -3, -2, -1, rng.randint(-3, 40))
        return [
            {"start": rng.choice(starts), "rate": rng.choice(rates), "rounds": n} for n in _ROUNDS for _ in range(6)
        ]

    def _calm(self) -> list[str]:
        return self.rng.choice(_STATEMENTS).splitlines() if self.rng.random() < 0.8 else self._statement(0)

    def _insert(self, lines: list[str], block: list[str]) -> None:
        tops = [i for i, line in enumerate(lines) if not line.startswith((" ", "else", "except", "finally"))]
        at = self.rng.choice([0, len(lines), *tops])
        lines[at:at] = block

    def _appends(self, name: str, kind: str) -> list[str]:
        """One item; or one in some rounds, or two, which must not be read as one in each."""

        def append() -> str:
            value = self.rng.choice(_VALUES)
            item = f"({value}, {self.rng.choice(_VALUES)})" if kind == "rows" else value
            return self.rng.choice((f"{name}.append({item})", f"{name} += [{item}]", f"t = {item}; {name}.append(t)"))

        way = self.rng.random()
        if way < 0.65:
            return [append()]
        if way < 0.85:
            return [f"if {self._test()}:", f"    {append()}", "else:", f"    {append()}"]
        if way < 0.92:
            return [f"if {self._test()}:", f"    {append()}"]
        leaves = self.rng.choice(["break", "return {out}", "continue"])
        return [f"if {self._test()}:", f"    {append()}", f"    {leaves}", append()]
