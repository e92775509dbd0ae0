"""Invariants that a spec offers: what induction rests on once it has shown them, and nothing else."""

from __future__ import annotations

import pytest
from neurosym_specs.loader import spec_from_toml
from neurosym_specs.verdicts import Proved, Verdict
from neurosym_verifiers.bench import Bench, Effort
from neurosym_verifiers.judgement import Judgement

SPEC = """
spec = 1
name = "drained"
[inputs]
start = { type = "TYPE", min = 0, max = 1000000 }
rate = { type = "int", min = 0, max = 100 }
rounds = { type = "int", min = 0, max = 600 }
[output]
type = "TYPE"
[[ensure]]
id = "never more than three times"
that = "result <= 3 * start + 7"
"""

DRAINED = """
def drained(start: int, rate: int, rounds: int) -> int:
    x, y = start, start
    for i in range(rounds):
        part = y * rate // 100
        y -= part
        x += part
        if part % 2 == 1:
            x -= 1
    return x
"""

DECIMALS = """
from decimal import ROUND_DOWN, Decimal

def drained(start: Decimal, rate: int, rounds: int) -> Decimal:
    total, left = start, start
    for i in range(rounds):
        part = (left * rate / 100).quantize(Decimal("0.01"), ROUND_DOWN)
        left -= part
        total += part
        if part > Decimal("0.07"):
            total -= Decimal("0.07")
    return total
"""

BREAKS = DRAINED.replace("        y -= part", "        if part == 0:\n            break\n        y -= part")


def of_ensure(source: str, invariant: str, of_type: str = "int") -> Verdict:
    text = SPEC.replace('type = "TYPE"', f'type = "{of_type}"' + (", places = 2" if of_type == "decimal" else ""), 1)
    text = text.replace('type = "TYPE"', f'type = "{of_type}"' + ("\nplaces = 2" if of_type == "decimal" else ""), 1)
    with Bench(spec_from_toml(text + invariant), Effort(examples=20, time_limit_s=20)) as bench:
        found = bench.judge(source)
    assert isinstance(found, Judgement)
    return next(verdict for obligation, verdict in found.verdicts.items() if obligation.kind == "ensure")


@pytest.mark.parametrize(
    ("source", "that", "loop", "of_type", "helps"),
    [
        (DRAINED, "x + 2 * y <= 3 * start", '"y"', "int", True),
        pytest.param(DRAINED, "x + 2 * y <= 3 * start", "1", "int", True, marks=pytest.mark.slow),
        pytest.param(
            DRAINED, "x + 2 * y <= 3 * start", "2", "int", False, marks=pytest.mark.slow
        ),  # there is no second loop
        (DRAINED, "x + 2 * y <= 2 * start", "1", "int", False),  # not so before the first round
        pytest.param(
            DRAINED, "x <= 3 * start + 7", "1", "int", False, marks=pytest.mark.slow
        ),  # so, but not kept by what is known of a round
        pytest.param(
            DRAINED, "x + 2 * other <= 3 * start", "1", "int", False, marks=pytest.mark.slow
        ),  # no such variable
        pytest.param(
            DRAINED, "x // y >= 0 and x + 2 * y <= 3 * start", "1", "int", False, marks=pytest.mark.slow
        ),  # not always defined
        (BREAKS, "x + 2 * y <= 3 * start", "1", "int", True),
        (DECIMALS, "total + 2 * left <= 3 * start", "1", "decimal", True),
        pytest.param(DECIMALS, "total + 2 * left < 3 * start", "1", "decimal", False, marks=pytest.mark.slow),
    ],
)
def test_an_invariant_helps_where_it_is_one(source: str, that: str, loop: str, of_type: str, helps: bool) -> None:
    found = of_ensure(source, f"[[invariant]]\nthat = {that!r}\nloop = {loop}\n", of_type)
    assert isinstance(found, Proved) is helps
    if isinstance(found, Proved):
        assert that in found.method


@pytest.mark.parametrize(
    ("source", "of_type"), [(BREAKS, "int"), pytest.param(DECIMALS, "decimal", marks=pytest.mark.slow)]
)
def test_without_one_it_is_not_shown(source: str, of_type: str) -> None:
    assert not isinstance(of_ensure(source, "", of_type), Proved)
