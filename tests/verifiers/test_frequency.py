"""How often, where and first at which value: what is claimed where, held against a judge that is known."""

from __future__ import annotations

from fractions import Fraction

import pytest
from neurosym_specs.loader import spec_from_toml
from neurosym_specs.model import Spec
from neurosym_verifiers.frequency import Frequency, OutOfTime, Seen, counted, first_wrong
from neurosym_verifiers.search.leaves import Inputs

WRONG_FROM = Fraction("3.10")


def _spec(*inputs: str) -> Spec:
    lines = "\n".join(inputs)
    return spec_from_toml(
        f'spec = 1\nname = "f"\n[inputs]\n{lines}\n[output]\ntype = "int"\n[[ensure]]\nthat = "result == 0"\n'
    )


def _judge(inputs: Inputs) -> Seen:
    return Seen.WRONG if inputs["x"] >= WRONG_FROM else Seen.RIGHT


CENTS = 'x = { type = "decimal", places = 2, min = "%s", max = "%s" }'


def test_the_walk_starts_at_the_minimum_or_at_zero_and_says_which() -> None:
    near = first_wrong(_spec(CENTS % ("-1.00", "9.00")), {"x": Fraction(5)}, _judge)
    far = first_wrong(_spec(CENTS % ("-1000.00", "9.00")), {"x": Fraction(5)}, _judge)
    assert near is not None
    assert far is not None
    assert (near.start, near.from_minimum, near.value, near.right) == ("-1.00", True, "3.10", 410)
    assert (far.start, far.from_minimum, far.value, far.right) == ("0.00", False, "3.10", 310)


@pytest.mark.parametrize(
    ("written", "at"),
    [
        (CENTS % ("-1000000.00", "-1.00"), Fraction(-2)),  # neither end is near
        ('x = { type = "decimal", min = "0", max = "9" }', Fraction(5)),  # there are values between the steps
        ('x = { type = "float", min = "0", max = "9" }', Fraction(5)),
        ('x = { type = "list[int]", max_len = 3 }', []),
    ],
)
def test_nothing_is_called_first_where_not_every_value_was_tried(written: str, at: object) -> None:
    assert first_wrong(_spec(written), {"x": at}, _judge) is None


def test_nothing_is_called_first_behind_an_undefined_clause_and_what_is_not_valid_is_passed() -> None:
    spec = _spec(CENTS % ("0.00", "9.00"))

    def undefined(inputs: Inputs) -> Seen:
        return Seen.OPEN if inputs["x"] == 1 else _judge(inputs)

    def invalid(inputs: Inputs) -> Seen:
        return Seen.OUTSIDE if inputs["x"] < 3 else _judge(inputs)

    assert first_wrong(spec, {"x": Fraction(5)}, undefined) is None
    found = first_wrong(spec, {"x": Fraction(5)}, invalid)
    assert found is not None
    assert (found.value, found.right) == ("3.10", 10)


def test_amounts_are_walked_before_counts() -> None:
    spec = _spec("n = { type = 'int', min = 0, max = 900 }", CENTS % ("0.00", "4.00"))
    found = first_wrong(spec, {"n": 7, "x": Fraction(4)}, _judge)
    assert found is not None
    assert (found.input, found.call) == ("x", 'f(7, Decimal("3.10"))')


def _count(spec: Spec, limit: int, judge: object = _judge) -> Frequency | None:
    calls = 0

    def judged(inputs: Inputs) -> Seen:
        nonlocal calls
        calls += 1
        if calls > limit:
            raise OutOfTime
        return judge(inputs)  # type: ignore[operator]  # a judge

    return counted(spec, judged)


def test_all_are_counted_only_where_time_was_enough_and_every_clause_defined() -> None:
    spec = _spec(CENTS % ("0.00", "4.99"))
    whole, cut = _count(spec, 500), _count(spec, 200)
    assert whole is not None
    assert cut is not None
    assert (whole.wrong, whole.inputs, whole.all_there_are) == (190, 500, True)
    assert (cut.inputs, cut.all_there_are) == (200, False)
    assert 40 < cut.wrong < 110, "what time was enough for is a draw, not the lower end"
    undefined = counted(spec, lambda inputs: Seen.OPEN if inputs["x"] == 1 else Seen.RIGHT)
    assert undefined is not None
    assert (undefined.inputs, undefined.all_there_are) == (499, False)
    assert _count(spec, 0) is None


def test_a_draw_is_even_over_each_input_and_says_where_it_has_steps() -> None:
    spec = _spec("n = { type = 'int', min = 0, max = 9 }", "x = { type = 'float', min = 0, max = 1000 }")
    seen: list[Inputs] = []
    found = counted(spec, lambda inputs: seen.append(inputs) or Seen.WRONG)
    assert found is not None
    assert (found.inputs, found.population, found.steps) == (400, 10 * 100_001, ("x in steps of 0.01",))
    assert {each["n"] for each in seen} == set(range(10))
    assert found.strip is not None
    assert (found.strip.input, len(found.strip.bands)) == ("x", 40)
    assert all(1 <= band.inputs <= 25 for band in found.strip.bands)
    again: list[Inputs] = []
    counted(spec, lambda inputs: again.append(inputs) or Seen.RIGHT)
    assert seen == again
