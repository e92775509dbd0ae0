"""``decimal.Decimal`` and its context."""

# ruff: noqa: E501
# fmt: off
from __future__ import annotations

from tests.verifiers.reading_map.rows import Group, Row, rows

MODES = ("HALF_UP", "HALF_DOWN", "HALF_EVEN", "UP", "DOWN", "CEILING", "FLOOR", "05UP")
FITS = "where 28 digits surely suffice"

GROUPS = (
    Group(
        "Decimal: construction",
        (
            *rows("decimal", "Decimal('1.50') + d", "Decimal(x)", "Decimal(d)", "Decimal(on)", "Decimal() + d"),
            Row("Decimal('1E-3') + d", "decimal", where="where the exponent is not above zero", elsewhere="Decimal('1E+3') + d"),
            *rows("decimal", ("Decimal(' 1_000.5 ') + d", "as `Decimal` strips and groups"), "Decimal((0, (1, 5), -1)) + d"),
            Row("Decimal((1, (1, 5), -1)) + d", "decimal"),
            *rows("decimal", "Decimal(0.1) + d", "Decimal(str(x))", "Decimal(f'{x}.5')", "Decimal(text)"),
            Row("Decimal('abc')", "decimal", "raises `InvalidOperation`"),
            Row("Decimal.from_float(0.5) + d", "decimal"),
            Row("Decimal('-0.00') + d", "decimal"),
            Row("-Decimal(0) * d", "decimal"),
            Row("zero + 1", "decimal"),
            Row("Decimal('NaN')", "decimal"),
            Row("Decimal('Infinity') > d", "bool"),
        ),
    ),
    Group(
        "Decimal: arithmetic",
        (
            *rows("decimal", "d + e", "d - e", "-d", "+d", "abs(d)", "d + x", "x - d", "d * x"),
            Row("d * e", "decimal", where=FITS, elsewhere="d * r * d * r * d * r * d * r * d * r"),
            Row("d / 4", "decimal", where="where the quotient ends", elsewhere="d / r + 1"),
            Row(
                "d / 3 > 7",
                "bool",
                "a quotient that does not end",
                where="where it is compared with a constant of few digits",
                elsewhere="d / 3 > e",
            ),
            Row("d / r > 2", "bool"),
            Row("d / e > 1", "bool", "raises `DivisionByZero` and `InvalidOperation`"),
            Row("(d / r).quantize(Decimal('0.01'))", "decimal", "the rounding to 28 digits cannot be seen"),
            Row("(d / r).quantize(Decimal('0.01'), ROUND_HALF_UP)", "decimal"),
            Row("(d / 3 * 3).quantize(Decimal('0.01'))", "decimal"),
            Row("(d / 3 + d / 7).quantize(Decimal('0.01'))", "decimal"),
            Row("(Decimal(1) / 3 * 3) == 1", "bool", "false, for 28 digits"),
            *rows("decimal", "d // 3", "d % 3", "d // 1", "d % 1", ("d % -3", "the sign of the dividend")),
            Row("divmod(d, 3)", "tuple[decimal, decimal]"),
            *rows("decimal", "d ** 2", "Decimal('1.01') ** 12 * d", "Decimal('1.01') ** n", "r ** -1"),
            *rows("decimal", "sum([d, e], Decimal(0))", "sum([d, e])", "max(d, e)", "min(d, 0)"),
            *rows("decimal", "e.sqrt()", "r.ln()", "e.exp()", "r.log10()"),
            *rows("decimal", "d.fma(2, e)", "d.remainder_near(3)"),
            Row("d + Fraction(1, 2)", "decimal", "raises `TypeError`"),
            Row("d + 0.5", "decimal", "raises `TypeError`"),
        ),
        "The default context: 28 digits, half even.",
    ),
    Group(
        "Decimal: rounding",
        (
            *(Row(f"tie.quantize(Decimal('0.01'), rounding=ROUND_{mode})", "decimal") for mode in MODES),
            *rows("decimal", "tie.quantize(Decimal('0.01'))", "tie.quantize(Decimal('0.01'), ROUND_HALF_UP)"),
            *rows("decimal", "d.quantize(Decimal(1))", "d.quantize(Decimal('1.'))", "d.quantize(Decimal('0.0001'))"),
            Row("d.quantize(Decimal('1E+1'))", "decimal", "to tens"),
            Row("tie.quantize(Decimal('0.01'), decimal.ROUND_UP)", "decimal"),
            Row("tie.quantize(Decimal('0.01'), 'ROUND_HALF_UP')", "decimal"),
            Row(
                "tie.quantize(CENT)",
                "decimal",
                where="where the unit's number of decimals is written",
                elsewhere="tie.quantize(Decimal(10) ** -2)",
                module="CENT = Decimal('0.01')",
            ),
            Row("tie.quantize(Decimal('0.01') if on else Decimal('0.1'))", "decimal"),
            Row(
                "tie.quantize(Decimal('0.01'), MODE)",
                "decimal",
                where="where the mode is known",
                elsewhere="tie.quantize(Decimal('0.01'), ROUND_UP if on else ROUND_DOWN)",
                module="MODE = ROUND_HALF_UP",
            ),
            Row(
                "d.quantize(Decimal('0.01'))",
                "decimal",
                where=FITS,
                elsewhere="(d * 10**30).quantize(Decimal('0.01'))",
            ),
            *rows("decimal", "tie.to_integral_value()", "d.to_integral_value(ROUND_HALF_UP)", "d.to_integral()"),
            *rows("decimal", "d.to_integral_exact()", "d.normalize()", "round(tie, 2)", "round(d, 0)", "round(d, -1)"),
            *rows("decimal", "round(d, n)"),
            *rows("int", "round(d)", "int(d)", "math.floor(d)", "math.ceil(d)", "math.trunc(d)"),
            *rows("int", "int(d / 3)", "round(d / 3)", "math.floor(d / r)"),
        ),
        "`tie` is every thousandth from -0.030 to 0.030.",
    ),
    Group(
        "Decimal: comparison and parts",
        (
            *rows("bool", "d < e", "d == e", "d >= x", "d == x", "d != Decimal('1.5')", "d == mixed", "not d"),
            *rows("bool", "d < Fraction(1, 3)", "d == Fraction(1, 2)", "d < 0.5", "d == 0.5", "d in (e, 1)"),
            *rows("bool", "d.is_nan()", "d.is_finite()", "d.is_zero()", "d.is_signed()", "zero.is_signed()"),
            *rows("decimal", "d.copy_abs()", "d.copy_negate()", "d.copy_sign(e)", "d.compare(e)", "d.max(e)", "d.min(e)"),
            *rows("int", "d.as_tuple().exponent", "mixed.as_tuple().exponent", "d.adjusted()"),
            Row("len(d.as_tuple().digits)", "int"),
            Row("d.scaleb(2)", "decimal"),
            Row("d.as_integer_ratio()", "tuple[int, int]"),
            *rows("str", "str(d)", "str(d + x)", "str(d * 2)", ("str(mixed)", "the places that it was written with"), "str(tie)", "str(e / 4)"),
            *rows("str", ("str(d * 0)", "a negative zero shows"), "str(-e)", "str(tie.quantize(Decimal('0.01')))", "str(round(d, 1))"),
            *rows("str", "f'{d}'", "f'{d:.2f}'", ("f'{tie:.2f}'", "half even, and a negative zero"), "f'{d:.1f}'", "f'{d:,.2f}'", "format(d, '.1f')"),
            Row("hash(d) == hash(e)", "bool"),
            *rows("decimal", "mixed + 0", "loose + 0"),
        ),
    ),
    Group(
        "Decimal: the context",
        (
            Row(
                "with localcontext() as c:\n    c.prec = 50\n    a = d * r * r * r * r\nreturn a > 100",
                "bool",
                where="where the precision is at least 28",
                elsewhere="with localcontext() as c:\n    c.prec = 6\n    a = d * r * r * r * r\nreturn a > 100",
            ),
            Row(
                "with localcontext() as c:\n    c.prec = 60\n    a = big * big * Decimal('0.001')\nreturn a + 0",
                "decimal",
                "rounded to 28 digits behind it",
            ),
            Row("with localcontext() as c:\n    c.prec = 40\n    a = d / 3\nreturn (a * 3).quantize(Decimal('0.01'))", "decimal"),
            Row("with localcontext() as c:\n    c.prec = 40\n    return (d / r).quantize(Decimal('0.01'))", "decimal"),
            Row("with localcontext() as c:\n    c.prec = 40\n    a = d / r\nreturn a > 2", "bool"),
            Row("with localcontext() as c:\n    c.rounding = ROUND_DOWN\n    a = round(tie, 2)\nreturn a", "decimal"),
            Row("getcontext().prec = 6\nreturn d / 3", "decimal"),
            Row("getcontext().divide(d, 4)", "decimal"),
            Row("tie.quantize(Decimal('0.01'), context=decimal.Context(rounding=ROUND_UP))", "decimal"),
            Row(
                "C.quantize(C.divide(d, r), Decimal('0.01'))",
                "decimal",
                module="C = decimal.Context(prec=50, rounding=ROUND_HALF_UP)",
                where="where it has 28 digits or more",
                elsewhere="decimal.Context(prec=6).divide(d, r).quantize(Decimal('0.01'))",
            ),
            Row("d + 1", "decimal", "set for the whole module", module="decimal.getcontext().prec = 6"),
        ),
    ),
)
