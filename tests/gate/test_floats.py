"""Floats where the spec forbids them: judged all the same, and not accepted."""

from __future__ import annotations

from dataclasses import replace

import pytest
from neurosym_specs.model import Policy, Spec

from neurosym import Source, gate
from tests.cli.shared import RIGHT

FEE = "def late_fee(balance, days_overdue):\n"


def _objections(line: str, spec: Spec, head: str = "") -> list[tuple[str, int | None]]:
    entry = gate.enter(Source(f"{head}{FEE}    {line}\n"), spec, gate.Types.OFF)
    assert isinstance(entry, gate.Passed), entry
    return [(each.code, each.line) for each in entry.objections]


@pytest.mark.parametrize(
    "line",
    [
        "return balance * 1.5",
        "return Decimal(0.1)",
        "return float(balance)",
        "return days_overdue / 365",
        "n = len(str(balance)); return n / 2",
        "n = 0; n += days_overdue; return n / 3",
        "return int(balance) / int(days_overdue)",
        "return 10 ** -2",
        "return math.sqrt(balance)",
        "return math.pi",
        "return (date(2024, 1, 1) - date(2023, 1, 1)).days / 365",
        "return round(days_overdue / 3, 2)",
        "return sum(k / 2 for k in range(days_overdue))",
    ],
)
def test_a_float_is_an_objection(fee: Spec, line: str) -> None:
    assert _objections(line, fee, "import math\nfrom datetime import date\n") == [("NS440", 4)]


@pytest.mark.parametrize(
    "line",
    [
        "return balance / 3",
        "return days_overdue // 2 * Decimal('0.5')",
        "return Decimal(days_overdue) / Decimal(365)",
        "days_overdue = Decimal(days_overdue); return days_overdue / 365",
        "n = 0\n    for x in [balance]: n += x\n    return n / 2",
        "n = 1\n    n = balance\n    return n / 2",
        "return Fraction(days_overdue) / 3",
        "return math.floor(balance) + math.comb(4, 2) + 10 ** 2",
        "return round(balance, 2)",
        "return unknown(days_overdue) / 2",
        "return isinstance(balance, float)",
        "x: float = balance; return x",
        "def share(n): return n / 2\n    return share(balance)",
        "return '1.5'",
    ],
)
def test_what_is_no_float_is_none(fee: Spec, line: str) -> None:
    assert _objections(line, fee, "import math\nfrom fractions import Fraction\n") == []


def test_what_is_not_run_does_not_count(fee: Spec) -> None:
    entry = gate.enter(Source(RIGHT + "\nif __name__ == '__main__':\n    print(1.5)\n"), fee, gate.Types.OFF)
    assert entry.objections == ()


def test_a_spec_may_allow_floats(fee: Spec) -> None:
    assert _objections("return balance * 1.5", replace(fee, policy=Policy(allow_float=True))) == []


def test_a_function_that_calls_itself_gets_other_values(fee: Spec) -> None:
    """What it gives itself need not be of the type of its input."""
    assert _objections("return late_fee(balance, Decimal(2)) if days_overdue / 2 > 1 else balance", fee) == []
