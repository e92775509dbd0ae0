"""Random pairs of loops of many rounds: a reference, and a candidate that does the same in other words, or nearly so.

What differs may be far out: in one late round, behind a bound that only many rounds reach, or in the order of two
statements, which only some inputs show.
"""

# ruff: noqa: E501
from __future__ import annotations

import random
from dataclasses import dataclass
from types import SimpleNamespace

SPEC = """
spec = 1
name = "f"
[inputs]
s = {{ type = "int", min = -20, max = 500 }}
r = {{ type = "int", min = -3, max = 12 }}
n = {{ type = "int", min = {least}, max = 120 }}
[output]
type = "int"
[reference]
python = '''
{reference}'''
"""

HEAD = "def f(s, r, n):\n"

# {a}, {b}, {c} are variables of the loop, {k} the number of the round, {m} a number
_STEPS: tuple[str, ...] = (
    "{a} += (a * r + 50) // 100", "{a} += (2 * {b} * r + 100) // 200", "{a} = {a} + {b}", "{a} = {a} - {m}", "{a} += r", "{a} += {m}", "{a} = max({a}, {b})", "{a} = min({a} + {m}, 400)", "{a} = max({a} - {m}, 0)", "{a} += {a} % 7", "{a} = {a} * 3 // 4 + {b} % 5", "{a} -= {a} // 12", "{a} += 1 if {b} > {m} else 0", "{a} += i", "{a} += i % 3",
    "if {b} > {m}:\n    {a} += 1", "if {b} <= 0:\n    {a} += r\nelse:\n    {a} -= 1", "if i == {far}:\n    {a} += 1", "if i > {far}:\n    {a} -= 1", "if {b} >= {far}:\n    {a} += 1", "if {a} % 2 == 0:\n    {a} //= 2\nelse:\n    {a} = 3 * {a} + 1 if {a} < 90 else 1", "{a}, {b} = {b}, {a}", "t = {a}\n{a} = {b}\n{b} = t % 50", "{a} = abs({a} - {m})", "if {b} < {a}:\n    continue", "pass",
)  # fmt: skip
_SAME: tuple[tuple[str, str], ...] = (
    ("(2 * ", "(4 * "), (" + 100) // 200", " + 200) // 400"), ("range(n)", "range(1, n + 1)"), ("range(n)", "range(n - 1)"), ("range(n)", "range(n + 1)"), ("range(n)", "range(1, n)"), ("range(n)", "range(0, n, 1)"), ("range(n)", "range(max(n, 0))"), ("range(n)", "range(min(n, 119))"), ("range(n)", "range(2, n + 2)"),
    (" > ", " >= "), (" <= ", " < "), (" += 1", " += 2"), (" += 1", " -= -1"), ("+ 50) // 100", "+ 49) // 100"), ("+ 50) // 100", "+ 50) // 101"), (" // 12", " // 13"), ("b = 1", "b = 2"), ("c = 0", "c = 1"), ("a = s", "a = s + 0"), ("a = s", "a = max(s, 0)"), ("return a", "return max(a, 0)"), ("return a", "return a + b * 0"), (", 0)", ", 1)"), ("400", "401"), ("continue", "pass"), ("i == ", "i + 1 == "), ("i > ", "i >= "),
)  # fmt: skip


_WHEN = ("True", "True", "n >= 0", "r >= 0 and s >= 0", "n <= 119")
_CLAIMS = ("result >= s", "result <= s", "result >= 0", "result >= -{}", "result <= {}", "result >= n", "result <= s + 119", "result != {}", "result >= r", "result * 2 >= s")  # fmt: skip
_RELATIONS = (
    ("a.r == b.r and a.n == b.n and a.s <= b.s", "True", "a.result <= b.result"),
    ("a.r == b.r and a.s == b.s and a.n <= b.n", "True", "a.result <= b.result"),
    ("a.n == b.n and a.s == b.s and a.r <= b.r", "True", "a.result <= b.result"),
    ("a.s <= b.s and a.r <= b.r and a.n <= b.n", "True", "a.result <= b.result"),
    ("a.r == b.r and a.s == b.s and b.n == a.n + 1", "True", "a.result <= b.result"),
    ("a.r == b.r and a.s == b.s and b.n == a.n + 1", "True", "b.result <= a.result + 1"),
    ("a.r == b.r and a.n == b.n and b.s == a.s + 1", "True", "b.result >= a.result"),
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Clause:
    """What may hold of a result, or of two runs where ``given`` holds of these. Its text is Python's as well."""

    given: str
    when: str
    that: str

    @property
    def is_relation(self) -> bool:
        return bool(self.given)

    @property
    def toml(self) -> str:
        """It, as a spec has it."""
        table, key, said = ("relation", "given", self.given) if self.given else ("ensure", "when", self.when)
        condition = "" if said == "True" else f'{key} = "{said}"\n'
        return f'[[{table}]]\nid = "extra"\n{condition}that = "{self.that}"\n'

    def holds(self, inputs: tuple[int, int, int], result: int) -> bool:
        names = dict(zip("srn", inputs, strict=True)) | {"result": result}
        return not eval(self.when, names) or bool(eval(self.that, names))

    def holds_of(self, first: tuple[int, int, int], one: int, second: tuple[int, int, int], other: int) -> bool:
        a = SimpleNamespace(**dict(zip("srn", first, strict=True)), result=one)
        b = SimpleNamespace(**dict(zip("srn", second, strict=True)), result=other)
        return not eval(self.given, {"a": a, "b": b}) or bool(eval(self.that, {"a": a, "b": b}))


class LoopWriter:
    """Writes pairs of programs."""

    def __init__(self, rng: random.Random) -> None:
        self._rng = rng
        self._form = rng.choice(("once", "once", "once", "twice", "branch", "function", "changed"))
        self._range = rng.choice(
            (
                "range(n)",
                "range(n)",
                "range(n)",
                "range(r, n)",
                "range(-3, n)",
                "range(n, 2 * n)",
                "range(s, s + n)",
                "range(n % 90)",
            )
        )
        self._often = rng.choice(("n", "n", "60", "n + 1", "r + 60"))
        self._test = rng.choice(("r > 3", "s > n", "s % 2 == 0", "n > 60"))
        self._changed = rng.choice(("r += 1", "s -= 1", "n += 1", "r = a % 7", "n = 3", "r = c"))
        self._ends = rng.random() < 0.1
        self._more = [self._step() for _ in range(2)]

    def pair(self) -> tuple[str, str]:
        """A reference, and a candidate."""
        steps = [self._step() for _ in range(self._rng.randint(1, 4))]
        result = self._rng.choice(("a", "b", "a + c", "a - b", "max(a, b)", "a if c > 3 else b"))
        reference = self._program(steps, result)
        return reference, self._other(reference, steps, result)

    def clause(self) -> Clause:
        """An ensure or a relation that may hold."""
        rng, most = self._rng, self._rng.choice((0, 1, 5, 119, 120, 400, 500))
        if rng.random() < 0.6:
            return Clause("", rng.choice(_WHEN), rng.choice(_CLAIMS).format(most))
        return Clause(*rng.choice(_RELATIONS))

    def _step(self) -> str:
        rng, form = self._rng, self._rng.choice(_STEPS)
        for hole in ("{a}", "{b}"):
            form = form.replace(hole, rng.choice("abc"))
        return form.replace("{m}", str(rng.choice((0, 1, 2, 7, 40)))).replace(
            "{far}", str(rng.choice((1, 48, 100, 118, 119, 120, 350)))
        )

    def _program(self, steps: list[str], result: str) -> str:
        """A loop; sometimes with another behind it, or in a branch. What else is drawn is drawn once for a writer."""
        end = "    else:\n        c += 1\n" if self._ends else ""
        loop = f"    for i in {self._range}:\n{_indented(steps, 8)}{end}"
        more = f"    for i in range({self._often}):\n{_indented(self._more, 8)}"
        match self._form:
            case "twice":
                loop += more
            case "branch":
                loop = f"    if {self._test}:\n{_indented([loop], 0, 4)}    else:\n{_indented([more], 0, 4)}"
            case "function":
                body = _indented([each.replace("continue", "pass") for each in steps], 8)
                loop = f"    def g(a, b, c, i):\n{body}        return a, b, c\n    for i in {self._range}:\n        a, b, c = g(a, b, c, i)\n"
            case "changed":
                loop = loop.replace("        ", f"        {self._changed}\n        ", 1)
            case _:
                pass
        return f"{HEAD}    a = s\n    b = 1\n    c = 0\n{loop}    return {result}\n"

    def _other(self, reference: str, steps: list[str], result: str) -> str:
        rng, kind = self._rng, self._rng.random()
        if kind < 0.2 and len(steps) > 1:
            at = rng.randrange(len(steps) - 1)
            steps = [*steps[:at], steps[at + 1], steps[at], *steps[at + 2 :]]
            return self._program(steps, result)
        if kind < 0.3:
            return self._program([*steps, self._step()], result)
        found = reference
        for old, new in rng.sample(_SAME, len(_SAME)):
            if old in found:
                found = found.replace(old, new, 1)
                if rng.random() < 0.6:
                    break
        return found


def _indented(blocks: list[str], *by: int) -> str:
    return "".join(f"{' ' * sum(by)}{line}\n" for block in blocks for line in block.splitlines())
