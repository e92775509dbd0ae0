"""Claims about random programs and specs: where they say that an obligation is broken is held against the judge."""

# ruff: noqa: E501
from __future__ import annotations

import copy
import random
from collections.abc import Callable
from datetime import date
from fractions import Fraction
from typing import Any

import pytest
from neurosym_sandbox import Outcome, Raised, Returned
from neurosym_sandbox.outcomes import ExceptionInfo
from neurosym_specs.errors import SpecError
from neurosym_specs.loader import spec_from_toml
from neurosym_specs.values import WrittenDecimal
from neurosym_verifiers.cases import Case, CaseMaker
from neurosym_verifiers.proof.claims import Reader
from neurosym_verifiers.reading.data.values import NotRead
from neurosym_verifiers.reading.depth import deep_recursion

from tests.verifiers.reading_map.promises import Promises

_INPUTS = """
spec = 1
name = "f"
[types.Small]
type = "int"
min = 0
max = 9
[inputs]
x = { type = "int", min = -5, max = 30 }
n = { type = "int", min = 1, max = 4 }
d = { type = "decimal", places = 1, min = "-3.0", max = "20.0" }
cap = { type = "Small | none" }
unit = { type = "str", choices = ["day", "month", ""] }
on = { type = "bool" }
day = { type = "date", min = 2023-12-30, max = 2024-03-01 }
xs = { type = "list[Small]", max_len = 2 }
"""
_OUTPUTS = {
    "i": ('type = "int"', 'type = "int"\nmin = -3\nmax = 20', 'type = "int"\nmin = 0', 'type = "Small | none"', 'type = "int"\nchoices = [1, 2, 5]'),
    "d": ('type = "decimal"\nplaces = 1', 'type = "decimal"', 'type = "decimal"\nplaces = 2\nmin = "0.00"\nmax = "15.50"', 'type = "decimal"\nplaces = "0..1"'),
    "s": ('type = "str"\nchoices = ["day", "month"]', 'type = "str"', 'type = "str"\nmax_len = 3'),
    "l": ('type = "list[Small]"', 'type = "list[Small]"\nmax_len = 2', 'type = "list[Small]"\nsorted = true', 'type = "list[Small]"\nunique = true\nmin_len = 1'),
    "b": ('type = "bool"',),
}  # fmt: skip
_CODE = {
    "i": ("x", "n", "x + {i}", "x * n", "{i} - {i}", "x // n", "x % n", "-x // n", "int(d)", "len(xs)", "sum(xs)", "abs({i})", "min({i}, {i})", "max({i}, {c})", "({i} if {b} else {i})", "(cap or 0)", "{c}", "day.day", "(day - date(2024, 1, 1)).days", "round(d)", "xs[0]", "{c} // {i}", "{{'day': 1, 'month': 2}}[unit]"),
    "d": ("d", "-d", "d * n", "d + {i}", "(d / 3).quantize(Decimal('0.1'))", "(d / n).quantize(Decimal('0.01'), ROUND_HALF_UP)", "Decimal({i})", "({d} if {b} else {d})", "d * Decimal('0.35')", "max({d}, Decimal(0))", "d / 4", "abs({d})"),
    "s": ("unit", "'day'", "'month'", "unit or 'day'", "(unit if {b} else 'no')", "unit.upper()", "str({i})", "unit + 's'"),
    "l": ("xs", "sorted(xs)", "xs + [{i}]", "[z for z in xs if z {o} {c}]", "[z + {c} for z in xs]", "xs[::-1]", "[{i}, {i}]", "xs[:1]", "sorted(set(xs))"),
    "b": ("on", "x {o} {c}", "{i} {o} {i}", "d {o} {c}", "not {b}", "({b} and {b})", "({b} or {b})", "cap is None", "unit == 'day'", "bool(xs)", "x in xs", "day {o} date(2024, 1, {n})", "{c} <= x < {c}"),
}  # fmt: skip
_SPEC = {
    "i": ("x", "n", "x + {i}", "x * n", "{i} - {i}", "x // n", "x % n", "floor(d)", "len(xs)", "sum(xs)", "abs({i})", "min({i}, {i})", "({i} if {b} else {i})", "(0 if cap is None else cap)", "{c}", "day.day", "days(day - date(2024, 1, 1))", "round(d, half_even)", "xs[0]", "{i} // x", "clamp({i}, 0, 9)"),
    "d": ("d", "-d", "d * n", "d + {i}", "round(d / 3, 1, half_even)", "d / n", "round(d / n, 2, half_up)", "({d} if {b} else {d})", "d * 0.35", "max({d}, 0)", "d / x", "x / 3"),
    "s": ("unit", "'day'", "(unit if {b} else 'no')", "(unit if unit != '' else 'day')", "str({i})"),
    "l": ("xs", "sorted(xs)", "xs + [{i}]", "[z for z in xs if z {o} {c}]", "[z + {c} for z in xs]", "[{i}, {i}]", "xs[:1]"),
    "b": ("on", "x {o} {c}", "{i} {o} {i}", "d {o} {c}", "not ({b})", "({b} and {b})", "({b} or {b})", "cap is None", "unit == 'day'", "len(xs) > 0", "x in xs", "day {o} date(2024, 1, {n})", "{c} <= x < {c}", "any(z {o} {c} for z in xs)", "all(z {o} x for z in xs)"),
}  # fmt: skip
_OF_RESULT = {
    "i": ("result {o} {i}", "result is not None and result {o} {c}", "result * 2 {o} x", "x // result < 5", "result in xs"),
    "d": ("result {o} {d}", "places(result) <= 1", "result * 3 {o} d", "abs(result - d) <= {c}", "x / result < 5"),
    "s": ("result == unit", "len(result) {o} {c}", "result in unit", "result.startswith('d')", "result != ''"),
    "l": ("sum(result) {o} {i}", "len(result) {o} len(xs)", "result == sorted(result)", "same_items(result, xs)", "all(z {o} {c} for z in result)", "result[0] {o} {c}"),
    "b": ("result == ({b})", "result or ({b})", "not result or ({b})"),
}  # fmt: skip
_RELATIONS = {
    "i": ('given = "a.x <= b.x and a.n == b.n and a.xs == b.xs"\nthat = "a.result <= b.result"', 'monotone = { x = "up" }', 'monotone = { d = "down", x = "up" }', 'order_free = ["xs"]', 'vary = ["on"]\nthat = "a.result == b.result"'),
    "d": ('monotone = { d = "up" }', 'vary = ["unit", "cap"]\nthat = "abs(a.result - b.result) <= 1"', 'order_free = ["xs"]'),
    "s": ('given = "a.unit == b.unit"\nthat = "a.result == b.result"',), "l": ('order_free = ["xs"]', 'vary = ["x"]\nthat = "len(a.result) == len(b.result)"'), "b": ('vary = ["xs"]\nthat = "a.result == b.result"',),
}  # fmt: skip
_RAISED = ('"ValueError"', '["KeyError", "ArithmeticError"]', '"LookupError"')


class _Drawing:
    """Draws specs and programs for them."""

    def __init__(self, rng: random.Random) -> None:
        self._rng = rng

    def pair(self) -> tuple[str, str]:
        """A spec, and a program."""
        rng = self._rng
        kind = rng.choice("iiiddslb")
        tables = _INPUTS + f"[output]\n{rng.choice(_OUTPUTS[kind])}\n"
        if rng.random() < 0.7:
            tables += f'[reference]\nvalue = "{self._of(_SPEC, kind, 1)}"\n'
            if kind in "id" and rng.random() < 0.5:
                tables += (
                    rng.choice(
                        ('abs_tol = "1"', 'abs_tol = "0.25"', 'rel_tol = "0.1"', 'abs_tol = "0.5"\nrel_tol = "0.05"')
                    )
                    + "\n"
                )
        else:
            tables += f'[reference]\nwhere = "{self._text(rng.choice(_OF_RESULT[kind]), _SPEC, 1)}"\n'
        for _ in range(rng.choice((0, 1, 1))):
            tables += f'[[reject]]\nwhen = "{self._of(_SPEC, "b", 1)}"\nraises = {rng.choice(_RAISED)}\n'
        for _ in range(rng.choice((0, 0, 1))):
            tables += f'[[require]]\nthat = "{self._of(_SPEC, "b", 1)}"\n'
        for _ in range(rng.choice((1, 2))):
            when = f'when = "{self._of(_SPEC, "b", 1)}"\n' if rng.random() < 0.4 else ""
            tables += f'[[ensure]]\n{when}that = "{self._text(rng.choice(_OF_RESULT[kind]), _SPEC, 1)}"\n'
        if rng.random() < 0.3:
            tables += f"[[relation]]\n{rng.choice(_RELATIONS[kind])}\n"
        return tables, self._program(kind)

    def _program(self, kind: str) -> str:
        rng, lines = self._rng, list[str]()
        for _ in range(rng.randint(0, 2)):
            end = rng.choice(
                (
                    f"return {self._of(_CODE, kind, 1)}",
                    "raise ValueError",
                    "raise KeyError",
                    "return None" if kind == "i" else "raise IndexError",
                )
            )
            lines.append(f"    if {self._of(_CODE, 'b', 1)}:\n        {end}")
        head = "from datetime import date\nfrom decimal import Decimal, ROUND_HALF_UP\n\n\ndef f(x, n, d, cap, unit, on, day, xs):\n"
        return "\n".join([head, *lines, f"    return {self._of(_CODE, kind, 2)}", ""])

    def _of(self, forms: Any, kind: str, depth: int) -> str:
        return self._text(self._rng.choice(forms[kind][: len(forms[kind]) if depth > 0 else 2]), forms, depth - 1)

    def _text(self, form: str, forms: Any, depth: int) -> str:
        rng, parts = self._rng, form.split("{")
        if "{{" in form:
            return form.replace("{{", "{").replace("}}", "}")
        found = parts[0]
        for part in parts[1:]:
            hole, _, rest = part.partition("}")
            if hole in "idslb":
                found += self._of(forms, hole, depth)
            else:
                found += rng.choice(
                    {
                        "c": ("0", "1", "2", "5", "9", "10"),
                        "o": ("<", "<=", ">", ">=", "==", "!="),
                        "n": ("1", "2", "31"),
                    }[hole]
                )
            found += rest
        return found


def _drawn(rng: random.Random, count: int) -> list[dict[str, Any]]:
    """Inputs as the spec has them."""
    return [
        {
            "x": rng.choice((-5, 0, 1, 30, rng.randint(-5, 30))),
            "n": rng.randint(1, 4),
            "d": WrittenDecimal(Fraction(rng.choice((-30, 0, 200, 5, 15, rng.randint(-30, 200))), 10), 1),
            "cap": rng.choice((None, 0, 9, rng.randint(0, 9))),
            "unit": rng.choice(("day", "month", "")),
            "on": rng.random() < 0.5,
            "day": date.fromordinal(rng.randint(date(2023, 12, 30).toordinal(), date(2024, 3, 1).toordinal())),
            "xs": [rng.randint(0, 9) for _ in range(rng.randint(0, 2))],
        }
        for _ in range(count)
    ]


def _caller(source: str) -> Callable[[Case], Outcome]:
    namespace: dict[str, Any] = {}
    exec(compile(source, "program", "exec"), namespace)

    def call(case: Case) -> Outcome:
        try:
            return Returned(namespace["f"](*copy.deepcopy(case.arguments)))
        except Exception as error:
            bases = tuple(base.__name__ for base in type(error).__mro__[1:])
            return Raised(ExceptionInfo(type(error).__name__, bases, "", None))

    return call


def compare_claims(seed: int, pairs: int, inputs_each: int = 40) -> tuple[int, int]:
    """How many specs and programs were compared, and how many of these have a clause that is broken somewhere."""
    rng = random.Random(seed)
    drawing = _Drawing(rng)
    compared = broken = 0
    for _ in range(pairs):
        text, source = drawing.pair()
        try:
            spec = spec_from_toml(text)
        except SpecError:
            continue
        with deep_recursion():
            try:
                claims = Reader(spec).claims(source)
            except NotRead:
                continue
        if "*" in claims.unread:
            continue
        promises = Promises(spec, claims, CaseMaker(spec, None), _caller(source))
        difference, here = promises.first_difference(_drawn(rng, inputs_each))
        assert not difference, f"{difference}\n{text}\n{source}"
        compared, broken = compared + 1, broken + here
    return compared, broken


def test_claims_about_random_programs_say_what_the_judge_says() -> None:
    compared, broken = compare_claims(seed=1, pairs=8, inputs_each=25)
    assert compared >= 5
    assert broken >= 3


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(2, 8))
def test_many_claims(seed: int) -> None:
    compared, _ = compare_claims(seed, pairs=300)
    assert compared >= 200
