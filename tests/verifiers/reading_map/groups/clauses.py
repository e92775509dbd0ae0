"""The clauses of a spec, as claims about a program."""

# ruff: noqa: E501
# fmt: off
from __future__ import annotations

from tests.verifiers.reading_map.rows import Group, Row

INT, DECIMAL, LIST = 'type = "int"', 'type = "decimal"', 'type = "list[int]"'
CENTS = 'type = "decimal"\nplaces = 2\nmin = "-100.00"\nmax = "2000.00"'


def _value(expression: str, more: str = "") -> str:
    return f'[reference]\nvalue = "{expression}"{more}'


def _ensure(that: str, more: str = "") -> str:
    return f'[[ensure]]\n{more}that = "{that}"'


def _relation(lines: str) -> str:
    return f"[[relation]]\n{lines}"


GROUPS = (
    Group(
        "Clauses of a spec",
        (
            Row(_ensure("result >= y"), INT, module="x"),
            Row(_ensure("result >= 0", 'when = "on"\n'), INT, module="x"),
            Row(_ensure("k / result > 1"), INT, "undefined where the result is 0", module="n"),
            Row(_ensure("result == round(d * 0.015, 2, half_up)"), DECIMAL, module="round(d * Decimal('0.015'), 2)"),
            Row(_ensure("sum(result) == sum(xs) and result == sorted(result)"), LIST, module="xs if len(xs) < 2 else [xs[1], *xs[2:], xs[0]]"),
            Row(_ensure("result > x", 'slack = "0.001"\n'), INT, "with slack", module="y"),
            Row(_ensure("places(result) <= 1"), DECIMAL, module="tie"),
            Row(_value("max(x, y)"), INT, module="x"),
            Row(_value("round(tie, 2, half_up)"), DECIMAL, module="tie.quantize(Decimal('0.01'), ROUND_HALF_EVEN)"),
            Row(_value("d / 7", '\nabs_tol = "0.01"'), DECIMAL, "a tolerance", module="(d / 7).quantize(Decimal('0.1'))"),
            Row(_value("d / 7", '\nrel_tol = "0.001"'), DECIMAL, module="(d / 7).quantize(Decimal('0.1'))"),
            Row('[reference]\nwhere = "result * result == x"', INT, "a condition", module="n"),
            Row("[reference]\npython = \"def f(x, y): return max(x, y)\"", INT, "a program", module="x if x > 3 else y"),
            Row('[[require]]\nthat = "x > y"\n' + _value("x"), INT, module="x if x < 100 else 100"),
            Row('[[reject]]\nwhen = "x < 0"\nraises = "ValueError"\n' + _value("x"), INT, module="if x < -100:\n    raise ValueError\nreturn x"),
            Row('[[reject]]\nwhen = "x < 0"\nraises = ["LookupError", "ValueError"]\n' + _value("x"), INT, "and a crash", module="if x < 0:\n    raise KeyError\nif x == 0:\n    raise ValueError\nreturn x"),
            Row("[let]\nlarge = \"x > 100\"\n[data]\nlimits = [3, 5]\n" + _ensure("large or result in limits"), INT, module="n"),
            Row(f"[output]\n{CENTS}", module="d * r"),
            Row(f"[output]\n{DECIMAL}", module="cap"),
            Row(_relation('given = "a.x <= b.x and a.y == b.y"\nthat = "a.result <= b.result"'), INT, module="x if x < 100 else x - 50"),
            Row(_relation('monotone = { x = "up" }'), INT, module="x * y"),
            Row(_relation('monotone = { d = "down" }'), DECIMAL, module="-d if d < 100 else d"),
            Row(_relation('vary = ["n"]\ngiven = "b.n == 2 * a.n"\nthat = "b.result == 2 * a.result"'), INT, module="n + (n > 2)"),
            Row(_relation('order_free = ["xs"]'), INT, module="sum(xs) if y > 0 or not xs else xs[0]"),
            Row(_relation('order_free = ["xs", "ys"]'), INT, module="sum(xs) - (ys[0] if len(ys) > 1 else 0)"),
            Row(_relation('runs = ["a", "b", "c"]\ngiven = "a.n + b.n == c.n"\nthat = "a.result + b.result == c.result"'), INT, "three runs", module="n + (n > 4)"),
        ),
        "Read of a program that keeps the clause on some inputs and breaks it on others.",
        "clause",
    ),
)
