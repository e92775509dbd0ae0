"""Contexts of decimal arithmetic and methods of Decimals. Each program is read as CPython runs it, or not read."""

# ruff: noqa: E501
from __future__ import annotations

import pytest
from neurosym_verifiers.reading.data.values import NotRead

from tests.verifiers.test_reading_constructs import function, held_against_cpython

WORK = "import decimal\nfrom decimal import Context, getcontext\nWORK = Context(prec=60, rounding=ROUND_HALF_UP)\n"
TIE = "tie = d / 8\n"

READ = [
    # Contexts as objects
    (WORK + function("return WORK.quantize(WORK.divide(d, r), CENT)"), "decimal"),
    (WORK + function("return WORK.quantize(WORK.divide(x, n), CENT)"), "decimal"),
    (WORK + function("a = WORK.add(WORK.multiply(d, r), 3)\nreturn WORK.subtract(a, WORK.minus(n)) + WORK.plus(d)"), "decimal"),
    (WORK + function("return WORK.abs(d) + WORK.to_integral_value(r) + WORK.create_decimal(n)"), "decimal"),
    (WORK + function("return WORK.divide_int(d, n) * 100 + WORK.remainder(d, n)"), "decimal"),
    (WORK + function(TIE + "return tie.quantize(CENT, context=WORK) - tie.quantize(CENT)"), "decimal"),
    (WORK + function(TIE + "return tie.quantize(CENT, None, WORK) - tie.quantize(CENT, ROUND_UP, WORK)"), "decimal"),
    (WORK + function(TIE + "with localcontext(WORK):\n    return tie.quantize(CENT) - round(tie, 2)"), "decimal"),
    (WORK + function(TIE + "with localcontext(WORK) as c:\n    c.rounding = ROUND_DOWN\n    a = tie.quantize(CENT)\nreturn a - tie.quantize(CENT)"), "decimal"),
    (function(TIE + "with localcontext(prec=40, rounding=ROUND_CEILING):\n    return tie.quantize(CENT) + tie.to_integral_value()"), "decimal"),
    (function(TIE + "with localcontext() as a:\n    a.rounding = ROUND_UP\n    with localcontext() as b:\n        b.prec = 40\n        return tie.quantize(CENT)"), "decimal"),
    (function(TIE + "with localcontext(rounding=ROUND_UP):\n    return round(tie) + round(-tie, 1) * 1000"), "decimal"),
    (function(TIE + "def g(y):\n    return y.quantize(CENT)\nwith localcontext(rounding=ROUND_DOWN):\n    a = g(tie)\nreturn a - g(tie)"), "decimal"),
    (function(TIE + "with localcontext(rounding=ROUND_UP):\n    if on:\n        return round(tie, 2)\n    y = tie.quantize(CENT)\nreturn y - tie.quantize(CENT)"), "decimal"),
    ("UNIT = Decimal('0.125').quantize(CENT)\n" + function("with localcontext(rounding=ROUND_UP):\n    return UNIT + d"), "decimal"),
    ("from decimal import Context\n" + function("c = Context(30, ROUND_FLOOR)\nreturn c.quantize(c.divide(d, 7), CENT)"), "decimal"),
    # Sums of quotients that may not end
    *((function(f"return ({code}).quantize(CENT, rounding={mode})"), "decimal")
      for code in ("d / 3 + r / 7", "d / 3 - d / 7 + x", "d / 12 + r / 35 - Decimal(x) / 11", "2 - d / 9", "-(d / 3 + 1)")
      for mode in ("ROUND_HALF_UP", "ROUND_HALF_EVEN", "ROUND_CEILING", "ROUND_DOWN")),
    (function("y = Decimal(x) / 366 + Decimal(n) / 365\nreturn y.quantize(Decimal('1e-10'), rounding=ROUND_HALF_UP)"), "decimal"),
    (function("y = Decimal(183 * x) / 366 + Decimal(73 * n) / 365\nreturn y.quantize(Decimal('0.1'), rounding=ROUND_HALF_UP)"), "decimal"),
    (function("y = d / 3 + r / 7\nreturn (1 if y > 2 else 0) + int(y) * 10"), "int"),
    (function("return sum((d / y for y in (3, 7, 10)), Decimal(0)).quantize(CENT)"), "decimal"),
    (function("y = d / 3 if on else d / 6\nreturn y.quantize(CENT)"), "decimal"),
    # Division that truncates
    *((function(f"return d {op} {by}"), "decimal") for op in ("//", "%") for by in ("3", "-3", "Decimal('0.07')", "r", "x", "n", "-r")),
    (function("a, b = divmod(d, x)\nreturn a * 1000 + b"), "decimal"),
    (function("a, b = divmod(d, Decimal(-7))\nreturn a * 1000 + b"), "decimal"),
    (function("return x % r + n // r - x // Decimal(-3)"), "decimal"),
    # Methods
    (function("return d.to_integral() - d.to_integral_exact(rounding=ROUND_UP) + d.normalize() + d.copy_negate()"), "decimal"),
    (function("return d.compare(r) + d.compare(x) * 10 + (100 if (d - d).is_zero() else 0)"), "decimal"),
    (function("return d ** 2 - r ** 3 + Decimal('1.01') ** 5"), "decimal"),
    (function("try:\n    return Decimal('1,5') + d\nexcept ArithmeticError:\n    return -d"), "decimal"),
]  # fmt: skip


@pytest.mark.parametrize(("source", "output"), READ)
def test_is_read_as_cpython_runs_it(source: str, output: str) -> None:
    held_against_cpython(source, output)


REFUSED = [
    WORK + function("return WORK.quantize(WORK.divide(d, r), CENT, ROUND_UP)"),
    WORK + function("return WORK.sqrt(r)"),
    WORK + function("return WORK.multiply(d, 0.5)"),
    WORK + function("return WORK.prec + d"),
    "from decimal import Context\n" + function("return Context(prec=5).divide(d, 7)"),
    "from decimal import Context\n" + function("return Context(prec=50, traps=[]).divide(d, 7)"),
    "from decimal import Context\n" + function("return Context(prec=n + 30).divide(d, 7)"),
    # A quotient of 28 digits that is always rounded one way may be off by a whole unit of the last
    "from decimal import Context\n" + function("c = Context(28, ROUND_FLOOR)\nreturn c.quantize(c.divide(d, 7), CENT)"),
    WORK + function("getcontext().rounding = ROUND_UP\nreturn d.quantize(CENT)"),
    function("with localcontext() as c:\n    y = d\n    c.rounding = ROUND_UP\n    return y.quantize(CENT)"),
    function("with localcontext() as c:\n    if on:\n        c.rounding = ROUND_UP\n    return d.quantize(CENT)"),
    # None leaves a part of a context as it is only where the context is made
    function("with localcontext() as c:\n    c.rounding = None\n    return d"),
    function("with localcontext() as c:\n    c.prec = None\n    return d"),
    function("return d.to_integral_value(ROUND_UP, None)"),
    # A whole number may have been written with a positive exponent
    function("return d.quantize(Decimal(100).normalize().to_integral_value())"),
    function("return d.quantize(Decimal(1).scaleb(2).to_integral_exact())"),
    WORK + function("return d.quantize(WORK.to_integral_value(Decimal(x * 100).normalize()))"),
    function("return (d / 3) // 1"),
    function("return (d / 3 + d / 3).quantize(CENT)"),
    function("return (d / 3 + d / 6).quantize(CENT)"),
    function("return (d / 3 * 3).quantize(CENT)"),
    function("return (d / 3 + d / n).quantize(CENT)"),
    function("return (d / 3 + d / Decimal('7e-20')).quantize(CENT)"),
    function("return ((d / 3 if on else d / 5) + d / 7).quantize(CENT)"),
    function("with localcontext(rounding=ROUND_UP):\n    return (d / 3 + 1).quantize(CENT)"),
    function("return (d * 10 ** 27) // Decimal('0.01')"),
    function("return d ** 0 + d ** -1"),
    function("return (d * d * d) ** 3"),
]  # fmt: skip


@pytest.mark.parametrize("source", REFUSED)
def test_what_is_not_surely_the_same_is_not_read(source: str) -> None:
    with pytest.raises(NotRead):
        held_against_cpython(source, "decimal")
