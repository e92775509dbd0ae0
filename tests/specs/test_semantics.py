"""What a spec says about one input, and when a result is right."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest
from neurosym_specs.expr.evaluate import Evaluator, Undefined
from neurosym_specs.expr.reals import function
from neurosym_specs.model import Reference, Reject, Require
from neurosym_specs.semantics import (
    Accepted,
    Outside,
    Rejected,
    admission,
    expected_value,
    same_value,
    within_tolerance,
)
from neurosym_specs.types import (
    DecimalType,
    DictType,
    IntType,
    ListType,
    OptionalType,
    RecordType,
    StrType,
    TupleType,
    Type,
)
from neurosym_specs.values import Record, WrittenDecimal

from tests.specs.expr.expr_support import DEFAULTS, expression, make_spec

NAN, INFINITY = float("nan"), float("inf")

SPEC = replace(
    make_spec(inputs={"n": IntType(), "d": IntType()}, lets={"share": "n / d"}),
    requires=(
        Require(id="small", that=expression("n < 100")),
        Require(id="whole", that=expression("share == floor(share)"), accepted_only=True),
    ),
    rejects=(
        Reject(id="zero", when=expression("d == 0"), raises=("ZeroDivisionError",)),
        Reject(id="negative", when=expression("share < 0"), raises=("ValueError",)),
    ),
    reference=Reference(id="reference", value=expression("share * 2")),
)


def admitted(n: int, d: int) -> Any:
    return admission(SPEC, Evaluator(SPEC).bind({"n": n, "d": d}))


def test_admission_asks_in_order() -> None:
    assert admitted(6, 3) == Accepted()
    assert admitted(100, 0) == Outside(SPEC.requires[0])
    assert admitted(6, 0) == Rejected(SPEC.rejects[0])
    assert admitted(-6, 4) == Rejected(SPEC.rejects[1])
    assert admitted(6, 4) == Outside(SPEC.requires[1])


def test_expected_value() -> None:
    assert expected_value(SPEC, Evaluator(SPEC).bind({"n": 6, "d": 3})) == 4
    with pytest.raises(Undefined, match="division by zero"):
        expected_value(SPEC, Evaluator(SPEC).bind({"n": 6, "d": 0}))
    with pytest.raises(ValueError, match="no reference value"):
        expected_value(make_spec(), Evaluator(SPEC).bind({"n": 6, "d": 0}))


def test_expected_texts_of_data_are_numbers_where_the_output_is() -> None:
    row = RecordType(name="Row", fields=(("rate", DecimalType()), ("code", StrType())))
    data = {"rates": {"A": "0.05"}, "code": "007"}
    cases: list[tuple[str, Type, Any]] = [
        ("rates['A']", DecimalType(), Fraction(5, 100)),
        ("rates['A']", StrType(), "0.05"),
        ("[rates['A']]", ListType(item=DecimalType()), [Fraction(5, 100)]),
        ("Row(rates['A'], code)", row, Record("Row", {"rate": Fraction(5, 100), "code": "007"})),
        (
            "{code: rates['A']}",
            DictType(key=StrType(), value=OptionalType(of=DecimalType())),
            {"007": Fraction(5, 100)},
        ),
        ("(code, code)", TupleType(items=(IntType(), StrType())), (7, "007")),
    ]
    for text, output, expected in cases:
        spec = make_spec(data=data, output=output, reference=Reference(id="reference", value=expression(text)))
        found = expected_value(spec, Evaluator(spec).bind(DEFAULTS))
        assert same_value(found, expected), text


LOT = Record("Lot", {"quantity": 1, "cost": Fraction(1, 2)})


@pytest.mark.parametrize(
    ("a", "b", "same"),
    [
        (2, Fraction(2), True),
        (WrittenDecimal(Fraction(5, 2), 2), Fraction(5, 2), True),
        (1, True, False),
        (False, 0, False),
        (True, True, True),
        (NAN, NAN, True),
        (INFINITY, INFINITY, True),
        (INFINITY, -INFINITY, False),
        (NAN, 1, False),
        (None, None, True),
        (None, 0, False),
        ("1", 1, False),
        ("a", "a", True),
        ([1, 2], [1, 2], True),
        ([1, 2], (1, 2), False),
        ([1, 2], [2, 1], False),
        ([1], [1, 1], False),
        ([NAN], [NAN], True),
        ([1], [True], False),
        ({"a": 1, "b": 2}, {"b": 2, "a": 1}, True),
        ({"a": 1}, {"a": True}, False),
        (frozenset({1, 2}), frozenset({2, 1}), True),
        (LOT, Record("Lot", {"cost": Fraction(1, 2), "quantity": 1}), True),
        (LOT, Record("Row", dict(LOT.fields)), False),
        (LOT, Record("Lot", {"quantity": True, "cost": Fraction(1, 2)}), False),
    ],
)
def test_same_value(a: Any, b: Any, same: bool) -> None:
    assert same_value(a, b) is same
    assert same_value(b, a) is same
    assert within_tolerance(Reference(id="reference"), a, b) is same


def test_tolerance() -> None:
    reference = Reference(id="reference", abs_tol=Fraction(1, 10), rel_tol=Fraction(1, 100))
    assert within_tolerance(reference, 1000, Fraction("1010.1"))
    assert not within_tolerance(reference, 1000, Fraction("1010.11"))
    assert within_tolerance(reference, -1000, Fraction("-1010.1"))
    assert within_tolerance(reference, [0, (1, {"a": 2})], [Fraction(1, 10), (1, {"a": 2})])
    assert not within_tolerance(reference, [0, 1], [0, 2])
    assert not within_tolerance(reference, {"a": 1}, {"b": 1})
    assert within_tolerance(reference, LOT, Record("Lot", {"quantity": 1, "cost": Fraction(6, 10)}))
    assert within_tolerance(reference, NAN, NAN)
    assert within_tolerance(reference, INFINITY, INFINITY)
    assert not within_tolerance(reference, INFINITY, 10**400)
    assert not within_tolerance(reference, 1, NAN)
    assert not within_tolerance(reference, 1, True)
    assert not within_tolerance(reference, "a", "b")


def test_real_values_have_a_tolerance() -> None:
    root = function("sqrt", 2, 4096)
    near = Reference(id="reference", abs_tol=Fraction(1, 10**10))
    assert within_tolerance(near, root, Fraction("1.41421356237"))
    assert not within_tolerance(near, root, Fraction("1.4142135625"))
    assert within_tolerance(near, [root], [Fraction("1.41421356237")])
    assert not within_tolerance(Reference(id="reference"), root, Fraction("1.41421356237"))
    assert not within_tolerance(near, root, NAN)
    with pytest.raises(Undefined):
        within_tolerance(Reference(id="reference"), function("log", 2, 4096) * 0 + root * root, 2)
