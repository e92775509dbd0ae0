"""Results that are roots of an equation: right within the tolerance is right, and nothing else is."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from pathlib import Path

import pytest
from neurosym_specs.errors import Place
from neurosym_specs.loader import load_spec, spec_from_toml
from neurosym_specs.notation import from_plain
from neurosym_specs.verdicts import Proved, Refuted, Tested, Undecided, Unknown, Verdict
from neurosym_verifiers.bench import Bench, Effort
from neurosym_verifiers.cases import Case
from neurosym_verifiers.clauses import SpecUndefined
from neurosym_verifiers.judgement import Judgement

EXAMPLES = Path(__file__).parents[2] / "examples"
IRR, XIRR = EXAMPLES / "irr", EXAMPLES / "xirr"
RIGHT = (IRR / "right.py").read_text()
XRIGHT = (XIRR / "right.py").read_text()
RESULT = "return (low + high) / 2"
EFFORT = Effort(proof=False, examples=10)


@pytest.fixture(scope="module")
def irr() -> Iterator[Bench]:
    with Bench(load_spec(IRR / "irr.spec.toml"), EFFORT) as bench:
        yield bench


@pytest.fixture(scope="module")
def xirr() -> Iterator[Bench]:
    with Bench(load_spec(XIRR / "xirr.spec.toml"), EFFORT) as bench:
        yield bench


def _verdicts(bench: Bench, source: str) -> dict[str, Verdict]:
    assert bench.spec_fault() is None
    judged = bench.judge(source)
    assert isinstance(judged, Judgement)
    return {obligation.id: verdict for obligation, verdict in judged.verdicts.items()}


NEWTON = """
def irr(flows):
    amounts = [float(flow) for flow in flows]
    growth = 1.0
    for _ in range(200):
        value = slope = 0.0
        for year, amount in enumerate(amounts):
            value += amount * growth ** -year
            slope -= year * amount * growth ** (-year - 1)
        growth = max(growth - value / slope, growth / 2) if slope else growth * 2
    return growth - 1
"""

GUARDED = RIGHT.replace(
    "middle = (low + high) / 2",
    """slope = (npv(low + 1e-6) - npv(low)) / 1e-6
        middle = low - npv(low) / slope if slope else low
        middle = middle if low < middle < high and _ % 2 else (low + high) / 2""",
).replace("range(60)", "range(120)")


@pytest.mark.parametrize(
    "source",
    [RIGHT, RIGHT.replace(RESULT, RESULT + " + 9e-8"), RIGHT.replace(RESULT, RESULT + " - 9e-8"), GUARDED],
    ids=["halving", "above", "below", "Newton"],
)
def test_what_is_within_the_tolerance_is_right(irr: Bench, source: str) -> None:
    verdicts = _verdicts(irr, source)
    assert all(isinstance(each, (Tested, Proved)) for each in verdicts.values()), verdicts
    assert isinstance(verdicts["reference"], Tested)


def test_dated_flows_within_the_tolerance_are_right(xirr: Bench) -> None:
    verdicts = _verdicts(xirr, XRIGHT.replace(RESULT, RESULT + " - 9e-8"))
    assert isinstance(verdicts["reference"], Tested)


WRONG = {
    "steps of Newton that leave the range for good": NEWTON,
    "off by more than the tolerance": RIGHT.replace(RESULT, RESULT + " + 1.1e-7"),
    "an end that comes too early": RIGHT.replace("range(60)", "range(24)"),
    "years from the second flow": (IRR / "wrong.py").read_text(),
    "simple discounting": RIGHT.replace("(1 + rate) ** year", "(1 + rate * year)"),
    "in percent": RIGHT.replace(RESULT, RESULT + " * 100"),
    "another root of the equation, below -100 %": RIGHT.replace("low, high = -0.9, 10.0", "low, high = -50.0, -1.1"),
    "the growth and not the rate": RIGHT.replace(RESULT, "return 1 + (low + high) / 2"),
}


@pytest.mark.parametrize("source", WRONG.values(), ids=WRONG)
def test_what_is_no_root_is_refuted(irr: Bench, source: str) -> None:
    verdicts = _verdicts(irr, source)
    assert any(isinstance(each, Refuted) for each in verdicts.values())


def test_dated_flows_of_another_day_count_are_refuted(xirr: Bench) -> None:
    verdicts = _verdicts(xirr, XRIGHT.replace("/ 365", "// 365"))
    assert any(isinstance(each, Refuted) for each in verdicts.values())


def _case(bench: Bench, flows: Sequence[str | Sequence[str]]) -> Case | None:
    return bench.case({"flows": from_plain(bench.spec.inputs["flows"], flows, Place())})


TWO_ROOTS = ["-1000.00", "2300.00", "-1320.00"]  # 10 % and 20 %


def test_flows_with_two_rates_are_outside_of_the_conditions(irr: Bench) -> None:
    assert _case(irr, TWO_ROOTS) is None
    assert _case(irr, ["-100.00", "50.00"]) is not None
    assert _case(irr, ["100.00", "50.00"]) is None
    assert _case(irr, ["-100.00", "0.01"]) is None, "-99.99 % is below the range"


def test_without_the_conditions_each_of_two_rates_would_be_right() -> None:
    text = (IRR / "irr.spec.toml").read_text()
    start, end = text.index("[[require]]"), text.index("[reference]")
    with Bench(spec_from_toml(text[:start] + text[end:]), EFFORT) as bench:
        case = _case(bench, TWO_ROOTS)
        assert case is not None
        assert bench.clauses.condition_broken(case, Fraction("0.1")) is None
        assert bench.clauses.condition_broken(case, Fraction("0.2")) is None
        assert bench.clauses.condition_broken(case, Fraction("0.15")) == "the reference's condition"
        assert bench.clauses.condition_broken(case, Fraction("0.1000002")) == "the reference's condition"


def test_a_value_that_may_be_zero_is_undecided_and_nothing_is_guessed() -> None:
    """exp(-log(1 + rate)) at a rate of 50 % is 2/3, which no enclosure shows: the present value's sign stays open."""
    flows = [["2023-01-01", "-100.00"], ["2024-01-01", "150.00"]]
    text = (XIRR / "xirr.spec.toml").read_text().replace('tolerance = "0.0000001"', 'tolerance = "0.0009765625"')
    root_at_an_end = XRIGHT.replace(RESULT, "return 0.5 + 0.0009765625 if abs(low - 0.5) < 1e-9 else low")
    text = text[: text.index("[[example]]")] + f"[[sample]]\nin = {{ flows = {flows} }}\n"
    with Bench(spec_from_toml(text), EFFORT) as bench:
        case = _case(bench, flows)
        assert case is not None
        with pytest.raises(SpecUndefined, match="bits do not decide"):
            bench.clauses.condition_broken(case, Fraction(1, 2) + Fraction("0.0009765625"))
        assert bench.clauses.condition_broken(case, Fraction(1, 2)) is None
        reference = _verdicts(bench, root_at_an_end)["reference"]
        assert isinstance(reference, Unknown)
        assert reference.reason is Undecided.UNDEFINED
        assert "needs a tolerance or slack" in reference.detail


def test_an_end_of_a_require_that_flows_can_hit_is_a_fault_of_the_spec_and_no_guess() -> None:
    flows = [["2023-01-01", "-100.00"], ["2024-01-01", "10.00"]]
    text = (XIRR / "xirr.spec.toml").read_text().replace("npv(-0.8999999999)", "npv(-0.9)")
    with Bench(spec_from_toml(f"{text}[[sample]]\nin = {{ flows = {flows} }}\n"), EFFORT) as bench:
        fault = bench.spec_fault()
        assert fault is not None
        assert "a comparison of reals that 4096 bits do not decide" in fault.message


def test_an_example_that_contradicts_the_condition_is_a_fault_of_the_spec() -> None:
    text = (IRR / "irr.spec.toml").read_text()
    for wrong in ("0.3", "0.1000002"):
        with Bench(spec_from_toml(text.replace("out = 0.1\n", f"out = {wrong}\n")), EFFORT) as bench:
            fault = bench.spec_fault()
            assert fault is not None
            assert fault.clause == "example 1"
            assert fault.message == f"it gives {wrong}, of which the reference's condition does not hold"
    only_ensure = (
        text[: text.index("[reference]")] + '[[ensure]]\nthat = "result > 0.2"\n' + text[text.index("[policy]") :]
    )
    with Bench(spec_from_toml(only_ensure), EFFORT) as bench:
        fault = bench.spec_fault()
        assert fault is not None
        assert "ensure 1 does not hold" in fault.message
