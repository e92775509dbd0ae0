"""Floats whose comparison may go the other way than the exact one: shown where both branches meet, and only there."""

from __future__ import annotations

import math
import random
from fractions import Fraction

import pytest
from neurosym_specs.loader import spec_from_toml
from neurosym_specs.verdicts import Proved, Refuted, Tested
from neurosym_verifiers.algebra.enclosures import Enclosing, fraction, precision
from neurosym_verifiers.algebra.expressions import Domain, Fact, Op, Range, Sym, num
from neurosym_verifiers.algebra.flips import bands
from neurosym_verifiers.bench import Bench, Effort
from neurosym_verifiers.judgement import Judgement

GROWN = """
spec = 1
name = "fee"
[inputs]
p = { type = "float", min = 1, max = 100000 }
years = { type = "int", min = 0, max = 30 }
[output]
type = "float"
[reference]
value = "max(0, p * 1.05 ** years - 20000) * 0.01"
abs_tol = "TOLERANCE"
"""
BRANCHES = """
def fee(p, years):
    b = p * 1.05 ** years
    if b > 20000.0:
        return ABOVE
    return BELOW
"""
HIGHEST = "def fee(p, years):\n    return max(0.0, p * 1.05 ** years - 20000.0) * 0.01\n"


def _verdict(spec: str, candidate: str) -> object:
    with Bench(spec_from_toml(spec), Effort(time_limit_s=30)) as bench:
        judgement = bench.judge(candidate)
    assert isinstance(judgement, Judgement)
    return next(verdict for obligation, verdict in judgement.verdicts.items() if obligation.id == "reference")


@pytest.mark.parametrize(
    ("above", "below", "tolerance", "kind"),
    [
        ("(b - 20000.0) * 0.01", "0.0", "0.000001", Proved),
        pytest.param("b * 0.01 - 200.0", "0.0", "0.000001", Proved, marks=pytest.mark.slow),
        pytest.param("(b - 20000.0) * 0.01", "0.0", "0.000000000000001", Tested | Refuted, marks=pytest.mark.slow),
        pytest.param("(b - 20000.0) * 0.01 + 0.00001", "0.0", "0.000001", Refuted, marks=pytest.mark.slow),
        ("(b - 20000.0) * 0.01", "0.0001", "0.000001", Refuted),
        ("b * 0.01", "0.0", "0.000001", Refuted),
    ],
)
def test_a_branch_that_may_flip_is_shown_where_both_sides_meet(
    above: str, below: str, tolerance: str, kind: type
) -> None:
    candidate = BRANCHES.replace("ABOVE", above).replace("BELOW", below)
    assert isinstance(_verdict(GROWN.replace("TOLERANCE", tolerance), candidate), kind)


def test_the_larger_of_two_is_a_branch_too() -> None:
    assert isinstance(_verdict(GROWN.replace("TOLERANCE", "0.000001"), HIGHEST), Proved)


JUMPS = GROWN.replace("max(0, p * 1.05 ** years - 20000) * 0.01", "0 if p * 1.05 ** years <= 20000 else 50")


@pytest.mark.slow
def test_what_jumps_is_not_proved_though_it_asks_the_same_question() -> None:
    candidate = BRANCHES.replace("ABOVE", "50.0").replace("BELOW", "0.0")
    assert not isinstance(_verdict(JUMPS.replace("TOLERANCE", "0.000001"), candidate), Proved)


def test_what_is_proved_holds_next_to_the_limit() -> None:
    """Floats next to where the branch turns, against exact numbers; some of them do take the other branch."""
    rng, flipped = random.Random(0), 0
    for years in range(31):
        grown = Fraction(105, 100) ** years
        start = float(20000 / grown)
        for _ in range(200):
            p = start
            for _ in range(rng.randrange(6)):
                p = math.nextafter(p, rng.choice((0.0, math.inf)))
            exact, computed = Fraction(p) * grown, p * 1.05**years
            flipped += (exact > 20000) != (computed > 20000.0)
            right = max(Fraction(0), exact - 20000) / 100
            for found in (
                (computed - 20000.0) * 0.01 if computed > 20000.0 else 0.0,
                max(0.0, computed - 20000.0) * 0.01,
            ):
                assert abs(Fraction(found) - right) <= Fraction(1, 10**6)
    assert flipped


Y = Sym("y")
WITHIN = Domain({"y": Range(Fraction(0), Fraction(10**6))})


@pytest.mark.parametrize("seed", range(40))
def test_bands_hold_every_point_that_fulfils_both_facts(seed: int) -> None:
    """Of random lines and limits, computed with floats: where one asks ``<=`` of the computed and the other of the
    exact numbers, what is said of their distance holds on points next to the limit."""
    rng = random.Random(seed)
    rate, limit = Fraction(rng.randrange(1, 2000), 1000), Fraction(rng.randrange(1, 10**6), 100)
    computed = Op("*", (Op("=", (num(rate),), "float"), Y), "float")
    one = Op("-", (num(limit), computed))
    other = Op("-", (Op("*", (num(rate), Y)), num(limit)))
    domain = Domain(WITHIN.ranges, (Fact(one, "<="), Fact(other, "<=")))
    with precision():
        (band,) = bands(Op("*", (Op("-", (computed, num(limit))), num(3))), num(0), domain, lambda poly: 0)
        for _ in range(50):
            y = float(limit / rate)
            for _ in range(rng.randrange(5)):
                y = math.nextafter(y, rng.choice((0.0, math.inf)))
            if Fraction(float(rate) * y) < limit or rate * Fraction(y) > limit:
                continue
            box = Enclosing({"y": (Fraction(y) * (1 - Fraction(1, 1000)), Fraction(y) * (1 + Fraction(1, 1000)))})
            low, high = map(fraction, band.ends(box))
            exact = limit - rate * Fraction(y)
            assert low <= exact * (1 if band.one == one else -1) <= high
