"""A tolerance of the right value widens the output's range by just as much, to the judge and to the prover."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from neurosym_specs.loader import spec_from_toml
from neurosym_specs.membership import member_fault
from neurosym_specs.semantics import within_tolerance
from neurosym_specs.tolerances import result_type
from neurosym_specs.verdicts import Proved, Refuted
from neurosym_verifiers.bench import Bench, Effort
from neurosym_verifiers.judgement import Judgement

SPEC = """
spec = 1
name = "half"
[inputs]
x = {{ type = "int", min = -4, max = 10 }}
[output]
type = "{type}"
min = {low}
max = {high}
[reference]
value = "x / 2"
{tolerance}
[policy]
float = "allow"
"""


def spec_text(type: str = "decimal", low: str = '"-2"', high: str = '"5"', tolerance: str = 'abs_tol = "0.01"') -> str:
    return SPEC.format(type=type, low=low, high=high, tolerance=tolerance)


@pytest.mark.parametrize(
    ("low", "high"), [("-2", "5"), ("0", "5"), ("-2", "0"), ("3", "5"), ("-5", "-3"), (None, "5"), ("-2", None)]
)
@pytest.mark.parametrize(
    "tolerance", ['abs_tol = "0.5"', 'rel_tol = "0.25"', 'abs_tol = "0.5"\nrel_tol = "0.5"', 'rel_tol = "3"']
)
def test_a_result_is_in_range_exactly_if_it_is_near_something_in_range(
    low: str | None, high: str | None, tolerance: str
) -> None:
    text = spec_text(low=f'"{low}"', high=f'"{high}"', tolerance=tolerance)
    text = text.replace('min = "None"\n', "").replace('max = "None"\n', "")
    spec = spec_from_toml(text)
    assert spec.reference is not None
    far = 40  # stands for what has no end
    first, last = (Fraction(end if end is not None else other) for end, other in ((low, -far), (high, far)))
    steps = [first + Fraction(i, 4) for i in range(int((last - first) * 4) + 1)]
    for value in (Fraction(i, 4) for i in range(-40, 41)):
        near = any(within_tolerance(spec.reference, right, value) for right in steps)
        assert (member_fault(result_type(spec), value, result=True) is None) is near, value


def test_only_numbers_are_near() -> None:
    text = spec_text().replace('min = "-2"\n', "").replace('max = "5"\n', "")
    for type_ in ("str", "date", "bool", "set[int]"):
        spec = spec_from_toml(text.replace('type = "decimal"', f'type = "{type_}"'))
        assert result_type(spec) == spec.output


def test_a_range_beside_a_condition_is_as_it_is_written() -> None:
    spec = spec_from_toml(spec_text().replace('value = "x / 2"', 'where = "2 * result == x"'))
    assert result_type(spec) is spec.output


def verdicts(text: str, *expressions: str) -> list[dict[str, Any]]:
    """The verdicts by obligation on a program for each expression."""
    kind = "float" if 'type = "float"' in text else "Decimal"
    head = f"from decimal import Decimal\n\n\ndef half(x: int) -> {kind}:\n    return "
    with Bench(spec_from_toml(text), Effort(examples=20, time_limit_s=60)) as bench:
        judged = [bench.judge(f"{head}{expression}\n") for expression in expressions]
    assert all(isinstance(each, Judgement) for each in judged)
    return [{o.id: v for o, v in each.verdicts.items()} for each in judged if isinstance(each, Judgement)]


@pytest.mark.parametrize(
    ("text", "near", "far"),
    [
        (spec_text(), "Decimal(x) / 2 - Decimal('0.01')", "Decimal(x) / 2 - Decimal('0.011')"),
        (spec_text("float", "-2", "5"), "x / 2 + 0.0078125", "x / 2 + 0.0625"),
    ],
)
def test_what_is_near_enough_is_proved_and_what_is_not_is_refuted(text: str, near: str, far: str) -> None:
    good, bad = verdicts(text, near, far)
    assert isinstance(good["returns"], Proved)
    assert isinstance(good["reference"], Proved)
    assert any(isinstance(verdict, Refuted) for verdict in bad.values())
