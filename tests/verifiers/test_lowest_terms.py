"""Numerators and denominators in lowest terms: read as CPython has them, and seen through where it does not matter."""

# ruff: noqa: E501
from __future__ import annotations

import pytest
from neurosym_verifiers.reading.data.fractions import lowest_terms
from neurosym_verifiers.reading.data.values import NotRead
from neurosym_verifiers.reading.formulas.bounds import Bound
from neurosym_verifiers.reading.formulas.lowest_terms import unreduced
from neurosym_verifiers.reading.formulas.normal_forms import at_most, below, floor_div, zero
from neurosym_verifiers.reading.formulas.terms import Term, number, variable

from tests.verifiers.test_reading_constructs import function, held_against_cpython

Y = "y = Fraction(x, 12) + Fraction(n, 8)\na, b = y.numerator, y.denominator\n"
Z = "a, b = d.as_integer_ratio()\np, q = r.as_integer_ratio()\n"

READ = [
    *((function(Y + f"return {code}"), "int") for code in (
        "a * 1000 + b",
        "(2 * a + b) // (2 * b)",
        "a // b * 100 + a % b",
        "(2 * abs(a) + b) // (2 * b) * (1 if a >= 0 else -1)",
        "(a + 1) // b",
        "(a * a + b) // (b * b)",
        "(a * b + b * b) // (a * a + 1)",
        "(7 if a > 0 else 0) + (5 if a < 1 else 0) + (3 if a == 0 else 0) + (1 if 2 * a < b else 0)",
        "(9 if a > 1 else 0) + (5 if a < -1 else 0) + (3 if a == b else 0) + (2 if b == 1 else 0)",
        "max(a, -a) // b + min(3 * a, b) // b",
        "(a if on else b) // b + (b if x > 0 else a) % b",
    )),
    *((function(Z + f"return {code}"), "int") for code in (
        "(200 * abs(a) * q + b * p) // (2 * b * p)",
        "(a * p) // (b * q) + (a * q) // (b * p)",
        "(1 if a * q < b * p else 0) + (2 if a * q == b * p else 0) + b * q",
        "(a + p) // (b + q)",
    )),
    (function("y = Fraction(x, 133590)\nreturn (2 * y.numerator * 10 ** 10 + y.denominator) // (2 * y.denominator)"), "int"),
    (function("y = Fraction(6 * x, 12)\nreturn y.numerator * 10 + y.denominator"), "int"),
    (function("y = Fraction(12 * x + 6, 4)\nif x > 0:\n    return y.numerator\nreturn y.denominator * 10"), "int"),
    (function("y = Fraction(n if on else 3, 10 ** 12)\nreturn y.numerator + (5 if y.denominator < 10 ** 12 else 0)"), "int"),
]  # fmt: skip


@pytest.mark.parametrize(("source", "output"), READ)
def test_is_read_as_cpython_runs_it(source: str, output: str) -> None:
    held_against_cpython(source, output)


def test_a_denominator_that_varies_is_not_read() -> None:
    with pytest.raises(NotRead):
        held_against_cpython(function("return Fraction(x, n).numerator"), "int")


def fraction(name: str, den: int, low: Bound = -1000, high: Bound = 1000) -> tuple[Term, Term, Term]:
    """A variable, and numerator and denominator of the fraction that it and a number make."""
    num = variable(name, low, high)
    top, bottom = lowest_terms(num, number(den), 0)
    return num, top.term, bottom.term


def test_a_quotient_does_not_see_that_it_is_of_lowest_terms() -> None:
    num, top, bottom = fraction("x", 120)
    two, den = number(2), number(120)
    assert floor_div(two * top + bottom, two * bottom) == floor_div(two * num + den, two * den)
    assert floor_div(top * top, bottom * bottom) == floor_div(num * num, den * den)
    assert floor_div(top + number(1), bottom) != floor_div(num + number(1), den)
    assert floor_div(top, bottom * bottom) != floor_div(num, den * den)


def test_a_sign_does_not_see_it_either() -> None:
    num, top, bottom = fraction("x", 120)
    assert below(top, number(0)) == below(num, number(0))
    assert at_most(top, bottom) == at_most(num, number(120))
    assert zero(top - bottom) == zero(num - number(120))
    assert at_most(top, number(3)) != at_most(num, number(3))
    assert zero(top - number(1)) != zero(num - number(1))


def test_each_fraction_counts_for_itself() -> None:
    num, top, bottom = fraction("x", 100)
    other, p, q = fraction("y", 100)
    assert floor_div(top * q, bottom * p) == floor_div(num * number(100), number(100) * other)
    assert unreduced(top * q + bottom * p) is not None
    assert unreduced(top + p) is None
    assert unreduced(top * q + bottom * bottom) is None
