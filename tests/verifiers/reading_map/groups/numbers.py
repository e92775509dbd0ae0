"""Whole numbers, booleans, fractions, floats."""

# ruff: noqa: E501
# fmt: off
from __future__ import annotations

from tests.verifiers.reading_map.rows import Group, Row, rows

KNOWN_SIGN = "where the sign of the divisor is known"

GROUPS = (
    Group(
        "int",
        (
            *rows("int", "x + y", "x - y", "x * y", "-x", "+x"),
            Row("x // 7", "int", "rounds down, also below zero"),
            Row("x // -7", "int"),
            Row("x // k", "int", where=KNOWN_SIGN, elsewhere="x // y"),
            Row("x % 7", "int", "has the sign of the divisor"),
            Row("x % -7", "int"),
            Row("x % k", "int", where=KNOWN_SIGN, elsewhere="x % y"),
            Row("k // n", "int", "raises `ZeroDivisionError` where n is 0"),
            Row("divmod(x, k)", "tuple[int, int]"),
            Row("x ** 3", "int", where="where the exponent is a small known number", elsewhere="x ** n"),
            Row("2 ** n", "int"),
            Row("pow(x, 3)", "int"),
            Row("pow(x, 3, 7)", "int"),
            Row("x / k", "float", "is a float"),
            *rows("int", "x & 7", "x | 8", "x ^ y", "~x", "x << 2", "x >> 1"),
            *rows("int", "abs(x)", "int(x)", "round(x)", "round(x, 2)", ("round(x, -1)", "to tens, half even")),
            *rows("bool", "x < y", "x <= y", "x == y", "x != y", ("0 <= x < y", "a chain")),
            Row("x is y", "bool", "whether small numbers are one object"),
            *rows("int", "min(x, y)", "max(x, y, 0)", "big * big", ("whole * whole + 1", "without bounds")),
            *rows("int", "x.bit_length()", "x.numerator"),
            Row("str(x)", "str"),
            Row("x + True", "int"),
        ),
        "Whole numbers of any size, as Python has them.",
    ),
    Group(
        "bool",
        (
            *rows("bool", "not on", "on and off", "on or off", "on == off", "on != off", "on is off"),
            *rows("bool", "on & off", "on | off", "on ^ off", "bool(x)", "bool(d)", "bool(cap)", "bool(xs)"),
            *rows("int", "on + off", "on * x", "int(on)", "sum([on, off, x > 0])"),
            Row("on < off", "bool"),
            Row("x and y", "int", "the operand that decides"),
            Row("x or y", "int"),
            Row("x > 0 and k // x > 2", "bool", "the short circuit"),
        ),
    ),
    Group(
        "Fraction",
        (
            *rows("fraction", "share + 1", "share * share"),
            *rows("bool", "Fraction(x, k) < Fraction(1, 3)", "Fraction(x, k) == Fraction(2, 6)", "Fraction(d) > x"),
            *rows("int", "int(Fraction(x, k) * 3)", "math.floor(Fraction(x, k))", "math.ceil(Fraction(x, k))"),
            Row("round(Fraction(x, k))", "int", "half even"),
            Row("round(Fraction(x, k), 2)", "fraction"),
            Row("Fraction(x, k) + Fraction(1, 3)", "fraction"),
            Row("int((Fraction(x, k) + Fraction(1, 3)) * 100)", "int"),
            Row("int((Fraction(x, k) - Fraction(y, 7)) * 100)", "int"),
            Row("int(Fraction(x, k) / Fraction(3, 7))", "int"),
            Row("Fraction(x, k) // 1", "int"),
            Row("int(abs(Fraction(x, k)))", "int"),
            Row("Fraction(x, n) > 1", "bool", "raises `ZeroDivisionError` where n is 0"),
            Row("int(Fraction(x, k) ** 2)", "int"),
            Row("Fraction('1.5') > x", "bool"),
            Row("Fraction(x, k).numerator", "int"),
            Row("Fraction(x, k).limit_denominator(10)", "fraction"),
            Row("Decimal(Fraction(x, 4).numerator)", "decimal"),
        ),
    ),
    Group(
        "float",
        (
            *rows("float", "ratio", "fee", "ratio + fee", "ratio - fee", "ratio * fee", "ratio / 3", "-ratio", "abs(ratio)"),
            *rows("float", "float(x)", "float(d)", "float('0.1')", "x + 0.5", "x * 0.1", "x / 4", "x / 3"),
            *rows("float", "ratio // 2", "ratio % 2", "ratio ** 2", "x ** 0.5", "max(ratio, 0.0)", "round(ratio, 2)", "round(fee * 1.1, 2)"),
            *rows("bool", "ratio < fee", "ratio == fee", "ratio > 0", "fee < 99.5", "ratio != ratio", "math.isnan(ratio)", "math.isclose(ratio, fee)"),
            *rows("int", "round(ratio)", "int(ratio)", "math.floor(ratio)", "math.ceil(ratio)", "math.trunc(ratio)", "x if ratio > 0 else y"),
            *rows("float", "sum([ratio, fee])", "math.fsum([ratio, fee])", "math.sqrt(fee)", "math.exp(y)", "math.log(fee + 1)"),
            Row("float('nan')", "float"),
            Row("float('inf')", "float"),
            Row("Decimal(ratio)", "decimal"),
            Row("Decimal(str(fee))", "decimal"),
            Row("Decimal(0.1)", "decimal", "the exact value of the float"),
            Row("str(fee)", "str"),
        ),
        "A float is never read as a real number.",
    ),
)
