"""Random programs over lists, records, optional values and dicts, and inputs for them."""

# ruff: noqa: E501
from __future__ import annotations

import random
from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from neurosym_specs.values import Record, WrittenDecimal

SPEC = """
spec = 1
name = "f"
[types.week]
type = "int"
min = 0
max = 9
[types.limit]
type = "decimal"
places = 1
min = "-5.0"
max = "5.0"
[types.Row]
type = "record"
as = "tuple"
fields = {{ tag = {{ type = "str", choices = ["a", "b", "c"] }}, qty = {{ type = "int", min = -5, max = 5 }}, price = {{ type = "decimal", places = 1, min = "-3.0", max = "3.0" }} }}
[types.Third]
type = "record"
as = "dict"
fields = {{ tag = "str", qty = "int", price = {{ type = "decimal", places = 1 }} }}
[types.Item]
type = "record"
fields = {{ n = {{ type = "int", min = -5, max = 5 }}, w = {{ type = "week | None" }} }}
[inputs]
xs = {{ type = "list", of = {{ type = "int", min = -9, max = 9 }}, max_len = 4 }}
rows = {{ type = "list[Row]", max_len = 3 }}
items = {{ type = "list[Item]", max_len = 2 }}
x = {{ type = "int", min = -9, max = 9 }}
y = {{ type = "int", min = -9, max = 9 }}
cap = {{ type = "limit | None" }}
word = {{ type = "str", choices = ["a", "b", "c"] }}
on = {{ type = "bool" }}
[output]
{output}
[[ensure]]
that = "x == x"
"""

OUTPUTS = {
    "i": 'type = "int"',
    "d": 'type = "decimal"\nplaces = 12',
    "b": 'type = "bool"',
    "L": 'type = "list[int]"',
    "s": 'type = "str"',
    "D": 'type = "dict[str, int]"',
    "T": 'type = "Third"',
    "O": 'type = "int | None"',
}

SIGNATURE = "def f(xs, rows, items, x, y, cap, word, on):"

# What each kind of expression may be: {i} stands for a whole number, {d} a Decimal, {b} a boolean, {L} a list of whole
# numbers, {s} a text, {D} a dict from texts to numbers, {P} a pair; {v=i} for an expression of that kind in which the
# new name v may occur; {k} is a small constant.
FORMS: Mapping[str, tuple[str, ...]] = {
    "i": (
        "({i} + {i})", "({i} - {i})", "({i} * {k})", "({i} // {k})", "({i} % 3)", "({i} // {i})", "len({L})",
        "sum({L})", "{L}[{i}]", "{L}[{k}]", "{L}[-1]", "max({L})", "min({L}, default={i})", "max({i}, {i})",
        "max({L}, key=lambda {v}: {v=i}, default=0)", "min({L}, key=lambda {v}: ({v=i}, {v=i}), default=1)",
        "sum({v=i} for {v} in {L} if {v=b})", "sum([{v=i} for {v} in {L}])", "({i} if {b} else {i})",
        "({i} or {i})", "({i} and {i})", "sorted({L})[{k}]", "sorted({L}, key=lambda {v}: {v=i}, reverse=True)[0]",
        "sum({v} * {w} for {v}, {w} in zip(xs, {L}))", "sum({v} * {w} for {v}, {w} in enumerate({L}))",
        "sum({v} for {v} in reversed({L}) if {v=b})", "abs({i})", "int({d})", "round({d})", "{D}.get({s}, {i})",
        "{D}[{s}]", "len({D})", "sum({D}.values())", "{L}.count({i})", "{L}.index({i})", "(lambda {v}: {v=i})({i})",
        "sum({v} for _, {v}, _ in rows if {v=b})", "rows[{k}][1]", "items[{k}].n", "(items[0].w or {i})", "items[-1].w",
        "sum(map(lambda {v}: {v=i}, {L}))", "sum(filter(lambda {v}: {v=b}, {L}))", "({b} + {i})", "int({b})",
        "divmod({i}, 3)[1]", "max({P}, {P})[1]", "min([{P}, {P}], key=lambda {v}: {v}[0])[1]", "{P}[{k}]",
        "sorted(rows, key=lambda {v}: ({v}[0], {v}[1]))[0][1]", "sum({v}.n for {v} in items if {v}.w is not None)",
        "max(({v}.n for {v} in items), default={i})", "sum({v} for {v}, {w} in zip({L}, rows) if {w}[0] == {s})",
        "sum(len([{w} for {w} in {L} if {w} < {v}]) for {v} in xs)", "len({{{s}, {s}}} & set())", "helper({i}, {L})",
        "sum(g({v}) for {v} in {L})", "g({i})", "list(range({i}, 4))[{k}]", "sum(range({k}, {i}))", "tuple({L})[{i}]",
        "next(iter({L}))", "sum({v} for {v} in [{i}, {i}, {i}] if {v=b} and {v=b})", "len({L}[{i}:{i}])",
        "(lambda: {i})()", "{L}.pop()", "sum({v} for {w} in [{L}, {L}] for {v} in {w} if {v=b})",
    ),
    "d": (
        "({d} + {d})", "({d} - {d})", "({d} * {i})", "max({d}, {d})", "({d} if {b} else {d})", "Decimal({i})",
        "(cap or {d})", "cap", "(cap if cap is not None else {d})", "rows[{k}][2]", "(-{d})",
        "sum((p * q for _, q, p in rows), Decimal(0))", "sum((p for _, _, p in rows if p > {d}), Decimal(0))",
        "max((p for _, _, p in rows), default={d})", "min(rows, key=lambda r: r[2])[2]", "sum([p for *_, p in rows])",
        "sorted([{d}, {d}, {d}])[{k}]", "{d}.quantize(Decimal('1'), rounding=ROUND_HALF_UP)", "abs({d})",
    ),
    "b": (
        "({i} < {i})", "({i} == {i})", "({i} >= {i})", "({i} < {i} <= {i})", "({i} in {L})", "({d} <= {d})",
        "any({v=b} for {v} in {L})", "all({v=b} for {v} in {L} if {v=b})", "(not {b})", "({b} and {b})", "({b} or {b})",
        "cap is None", "({L} == {L})", "({P} < {P})", "({P} == {P})", "({s} == {s})", "({s} in {D})", "bool({L})",
        "any({v}[0] == {s} for {v} in rows)", "all({v}.w is None for {v} in items)", "({s} in ('a', 'c'))",
        "({s} in {{{s}, {s}}})", "({s} < {s})", "({i} != {i} != {i})", "(not {L})", "(cap is not None and cap > {d})",
        "({L} < {L})", "({s} not in {D})", "({i} in ({i}, {i}))", "(items[0] == items[-1])", "({D} == {D})",
        "({i} in range({i}, {i}))", "any([{b}, {b}])", "(items[{k}].w is None)", "(None in [{v}.w for {v} in items])",
    ),
    "L": (
        "xs", "[{i}, {i}]", "[{v=i} for {v} in {L} if {v=b}]", "[{v=i} for {v} in {L}]", "{L}[{i}:]", "{L}[:{k}]",
        "{L}[{i}:{i}]", "{L}[-2:]", "{L}[::-1]", "({L} + {L})", "sorted({L})", "list(reversed({L}))",
        "[q for _, q, _ in rows]", "[r[1] for r in rows if r[0] == {s}]", "[o.n for o in items]", "list(range({i}))",
        "({L} if {b} else {L})", "list({D}.values())", "[{v} - {w} for {v}, {w} in enumerate({L})]", "[*{L}, {i}]",
        "sorted({L}, key=lambda {v}: {v=i})", "sorted({L}, reverse=True)", "[{v} * {w} for {v} in xs[:2] for {w} in {L}[:2]]",
        "list(map(lambda {v}: {v=i}, {L}))", "([{i}] * {k})", "{L}[{k}:-1]", "({L} or [{i}])", "list({L})", "{L}.copy()",
        "[max({v}, {w}) for {v}, {w} in zip({L}, xs)]", "[{v=i} for {v} in [{w=i} for {w} in {L}]]",
        "[0 if {v}.w is None else {v}.w for {v} in items]", "sorted([{v}.n for {v} in items])",
    ),
    "s": ("word", "word", "'a'", "'b'", "rows[{k}][0]", "({s} if {b} else {s})", "max({s}, {s})",
          "min(rows, key=lambda r: r[1])[0]", "sorted({D})[0]", "max([{s}, {s}])"),
    "D": ("{{'a': {i}, 'b': {i}}}", "{{'c': {i}}}", "{{{s}: {i}}}", "{{r[0]: r[1] for r in rows}}",
          "{{t: q for t, q, _ in rows if {b}}}", "{{t: len([r for r in rows if r[0] == t]) for t in ('a', 'b')}}"),
    "P": ("({i}, {i})", "({b}, {i})", "(x, {i})", "(({i}, {i}) if {b} else ({i}, {i}))"),
}  # fmt: skip

LEAVES: Mapping[str, tuple[str, ...]] = {
    "i": ("x", "y", "0", "1", "2", "-3"),
    "d": ("Decimal('0.5')", "Decimal(2)", "Decimal('-1.2')"),
    "b": ("on", "(x > 0)", "(y < x)"),
    "L": ("xs", "xs", "[1, 2]", "[]"),
    "s": ("word", "'a'", "'b'"),
    "D": ("{'a': x, 'b': 1}", "{}"),
    "P": ("(x, y)", "(y, 1)"),
}

# Statements; {B} is a block, {N:L} the name of a known local of a kind, {new:i} a name that is bound here.
STATEMENTS: tuple[str, ...] = (
    "{new:i} = {i}", "{new:i} = {i}", "{new:L} = list({L})", "{new:L} = {L}", "{new:L} = {N:L}", "{new:D} = {D}",
    "{new:d} = {d}", "{new:b} = {b}", "{new:L} = []", "{new:D} = {{}}", "{new:s} = {s}",
    "{N:i} += {i}", "{N:i} -= {i}", "{N:i} = {i}", "{N:L}.append({i})", "{N:L}.append({i})", "{N:L}.extend({L})",
    "{N:L} += {L}", "{N:L}[{i}] = {i}", "{N:L}[{k}] += {i}", "{N:L}.insert({k}, {i})", "{N:L}.pop()", "{N:L}.pop(0)",
    "{N:L}.sort()", "{N:L}.sort(key=lambda {v}: {v=i}, reverse=True)", "{N:L}.reverse()", "{N:D}[{s}] = {i}",
    "{N:D}[{s}] = {N:D}.get({s}, 0) + {i}", "{N:D}.setdefault({s}, {i})", "{N:D}[{s}] += {i}",
    "{new:i}, {new:i} = {P}", "{new:i}, *{new:L} = {L}", "{N:i}, {N:i} = {N:i}, {N:i}", "({new:i}, {new:i}), {new:i} = {P}, {i}",
    "if {b}:{B}", "if {b}:{B}", "if {b}:{B}else:{B}", "if {b}:{B}elif {b}:{B}else:{B}",
    "if {b}:\n    return {R}", "if {b}:\n    return {R}", "if {b}:\n    raise {E}", "if {b}:\n    {N:L}.append({i})",
    "for {new:i} in {L}:{B}", "for {new:i} in {L}:{C}", "for {new:i} in {L}:{C}else:{B}", "for {new:i}, {new:i} in enumerate({L}):{C}",
    "for {new:s}, {new:i}, {new:d} in rows:{C}", "for o in items:\n    {N:i} += o.n\n    if o.w is None:\n        continue\n    {N:i} += o.w",
    "for {new:i} in range({k}):{C}", "for {new:i}, {new:i} in zip({L}, xs):{C}", "for {new:i} in reversed({L}):{C}",
    "for {new:s}, {new:i} in {N:D}.items():{C}", "for {new:i} in sorted({L}):{C}",
    "k = 0\nwhile k < {k}:\n    k += 1{C}", "k = {k}\nwhile k > 0 and {b}:\n    k -= 1{C}else:{B}",
    "k = 0\nwhile True:\n    k += 1\n    if k > {k}:\n        break{C}",
    "try:{B}except {X}:{B}", "try:{B}except ({X}, {X}) as problem:{B}else:{B}", "try:\n    return {R}\nexcept {X}:{B}",
    "try:\n    {new:i} = {i}\n    {N:L}.append({i})\n    {N:i} = {i}\nexcept {X}:\n    {N:i} += 1",
    "match {i}:\n    case 0 | 1:{BB}    case 2 if {b}:{BB}    case _:{BB}", "match {s}:\n    case 'a':{BB}    case 'b':{BB}",
    "match {P}:\n    case (0, {new:i}):{BB}    case (i1, i2):{BB}", "match {L}:\n    case [i1, i2]:{BB}    case L1:{BB}",
    "best = None\nfor {new:i} in {L}:\n    if best is None or {new:i} {op} best:\n        best = {new:i}\n{N:i} = {new:i} if best is None else best",
    "def g(p):{G}    return {i}", "g = lambda p: {i}", "{N:i} = g({i})",
    "def h():\n    {N:L}.append({i})\n    return len({N:L})\n{N:i} = h() + len({N:L})", "assert {b}",
    "out = []\nfor {new:i} in {L}:\n    if {b}:\n        out.append({i})\n{new:L} = out",
    "{new:L} = {N:L}\n{new:L} = {N:L}[:]", "pairs = [{P}, {P}]\npairs.sort()\n{N:i} = pairs[0][0] + 0",
    "nested = [[{i}], [{i}]]\nnested[{k}].append({i})\n{N:i} = len(nested[0]) + sum(nested[1])",
    "lo = hi = None", "seen = set()\nfor t, _, _ in rows:\n    if t in seen:\n        {N:i} += 1\n    seen.add(t)",
)  # fmt: skip

PRELUDE = """\
from decimal import Decimal, ROUND_HALF_UP


def helper(a, zs):
    if a > 3:
        return a
    for z in zs:
        if z == a:
            return -z
    return len(zs)


"""


class Filler:
    """Fills the holes of forms at random."""

    def __init__(
        self, rng: random.Random, forms: Mapping[str, tuple[str, ...]], leaves: Mapping[str, tuple[str, ...]]
    ) -> None:
        self._rng = rng
        self._forms = forms
        self._leaves = leaves
        self._names: dict[str, list[str]] = {kind: [] for kind in forms}
        self._count = 0
        self._kind = "i"

    def expression(self, kind: str, depth: int) -> str:
        """An expression of a kind."""
        if depth <= 0 or self._rng.random() < 0.15:
            return self._rng.choice((*self._leaves[kind], *self._names[kind], *self._names[kind]))
        return self._filled(self._rng.choice(self._forms[kind]), 0, depth)

    def _filled(self, form: str, blocks: int, depth: int) -> str:
        """A form with its holes filled, from the left."""
        rng, result, at = self._rng, "", 0
        local: dict[str, str] = {}
        while at < len(form):
            if form.startswith(("{{", "}}"), at):
                result, at = result + form[at], at + 2
                continue
            if form[at] != "{":
                result, at = result + form[at], at + 1
                continue
            end = form.index("}", at)
            hole, at = form[at + 1 : end], end + 1
            if hole in ("v", "w"):
                local.setdefault(hole, self._fresh())
                result += local[hole]
            elif hole[:2] in ("v=", "w="):
                self._names["i"].append(local.setdefault(hole[0], self._fresh()))
                result += self.expression(hole[2:], depth - 1)
                self._names["i"].pop()
            elif hole == "k":
                result += str(rng.choice((0, 0, 1, 1, 2, 3)))
            elif hole == "op":
                result += rng.choice(("<", ">", ">="))
            elif hole == "E":
                result += rng.choice(("ValueError", "KeyError('no')"))
            elif hole == "X":
                result += rng.choice(("IndexError", "ZeroDivisionError", "LookupError", "Exception", "KeyError", "ValueError", "TypeError"))  # fmt: skip
            elif hole == "R":
                result += self._result()
            elif hole == "G":
                result += rng.choice(("\n", "\n    if p > 2:\n        return p\n"))
            elif hole in ("B", "C"):
                result += self._block(blocks, loop=hole == "C")
            elif hole == "BB":
                result += self._block(blocks, indent=8 * " ")
            elif hole.startswith("N:"):
                result += rng.choice(self._names[hole[2:]])
            elif hole.startswith("new:"):
                name = local.get(hole) if "best" in form or "out = []" in form else None
                name = name or self._bound(hole[4:])
                local[hole] = name
                result += name
            else:
                result += self.expression(hole, depth - 1)
        return result

    def _fresh(self) -> str:
        self._count += 1
        # Few names, so that one often stands for another thing around.
        return self._rng.choice((f"v{self._count}", f"v{self._count}", "p", "q2"))

    def _bound(self, kind: str) -> str:
        name = f"{kind}{self._rng.randint(1, 3)}"
        if name not in self._names[kind]:
            self._names[kind].append(name)
        return name

    def _result(self) -> str:
        return self.expression(self._kind, 2)

    def _block(self, depth: int, indent: str = "    ", *, loop: bool = False) -> str:
        raise NotImplementedError


class ListWriter(Filler):
    """Writes one random program over the inputs of ``SPEC``."""

    def __init__(self, rng: random.Random) -> None:
        super().__init__(rng, FORMS, LEAVES)

    def program(self) -> tuple[str, str]:
        """The source, and the kind of its result (a key of ``OUTPUTS``)."""
        self._names = {kind: [] for kind in FORMS}
        self._kind = self._rng.choice("iiiiidbLLsDO")
        lines = ["ys = list(xs)", "t = 0", "g = lambda p: p + 1", "e = {}"]
        self._names["L"], self._names["i"], self._names["D"] = ["ys"], ["t"], ["e"]
        for _ in range(self._rng.randint(1, 5)):
            lines += self._statement(2).splitlines()
        lines.append(f"return {self._result()}")
        return PRELUDE + SIGNATURE + "\n" + "\n".join("    " + line for line in lines) + "\n", self._kind

    def _result(self) -> str:
        if self._kind == "O":
            return self._rng.choice(("None", self.expression("i", 2), "(items[0].w if items else None)"))
        return self.expression(self._kind, 2)

    def _block(self, depth: int, indent: str = "    ", *, loop: bool = False) -> str:
        """A block in a scope of its own: the names that it binds are not used behind it."""
        before = {kind: list(names) for kind, names in self._names.items()}
        lines = [line for _ in range(self._rng.randint(1, 2)) for line in self._statement(depth - 1).splitlines()]
        if loop and self._rng.random() < 0.5:
            lines += [f"if {self.expression('b', 1)}:", f"    {self._rng.choice(('break', 'continue'))}"]
            if self._rng.random() < 0.5:
                lines += self._statement(0).splitlines()
        self._names = before
        return "\n" + "".join(f"{indent}{line}\n" for line in lines)

    def _statement(self, depth: int) -> str:
        form = self._rng.choice(STATEMENTS)
        while depth <= 0 and ("{B" in form or "{C}" in form):
            form = self._rng.choice(STATEMENTS)
        return self._filled(form, depth, 2)


def random_inputs(rng: random.Random, shape: Mapping[str, int]) -> dict[str, Any]:
    """Values of the spec for the inputs of ``SPEC``, of a shape; ties often."""

    def whole(low: int, high: int) -> int:
        return rng.choice((0, 1, 2, rng.randint(low, high)))

    def decimal(tenths: int) -> WrittenDecimal:
        return WrittenDecimal(Fraction(whole(-tenths, tenths), 10), 1)

    def some(value: Any) -> Any:
        return None if rng.random() < 0.3 else value

    def word() -> str:
        return rng.choice("abc")

    return {
        "xs": [whole(-9, 9) for _ in range(shape["xs"])],
        "rows": [
            Record("Row", {"tag": word(), "qty": whole(-5, 5), "price": decimal(30)}) for _ in range(shape["rows"])
        ],
        "items": [Record("Item", {"n": whole(-5, 5), "w": some(whole(0, 9))}) for _ in range(shape["items"])],
        "x": whole(-9, 9),
        "y": whole(-9, 9),
        "cap": some(decimal(50)),
        "word": word(),
        "on": rng.random() < 0.5,
    }
