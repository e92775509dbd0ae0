"""Regions of inputs that are made of parts: records, tuples, what may be None, and all of these in each other."""

from __future__ import annotations

import functools
import random
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date, timedelta
from decimal import Decimal
from fractions import Fraction
from typing import Any

from neurosym_specs.errors import Place
from neurosym_specs.expr.evaluate import Evaluator
from neurosym_specs.expr.syntax import parse_expression
from neurosym_specs.loader import spec_from_toml
from neurosym_specs.model import Spec
from neurosym_specs.values import Record, WrittenDecimal
from neurosym_verifiers.bench import Effort
from neurosym_verifiers.regions.difference import compare
from neurosym_verifiers.regions.showing import UNSHOWN
from neurosym_verifiers.regions.table import Region, RegionTable, table_of
from neurosym_verifiers.regions.workbench import Workbench

PAYABLE = """
spec = 1
name = "payable"
[types.Percent]
type = "int"
min = 1
max = 50
[types.Digit]
type = "int"
min = 0
max = 9
[types.Paid]
type = "date"
min = 2024-01-01
max = 2025-12-31
[types.Terms]
type = "record"
as = "dataclass"
fields = { due = { type = "date", min = 2024-01-01, max = 2024-12-31 }, extra = "Percent | none" }
[types.Line]
type = "record"
as = "dataclass"
fields = { qty = { type = "int", min = 0, max = 100 }, price = { type = "decimal", min = 0, max = 500, places = 2 } }
[inputs]
line = "Line"
terms = "Terms | none"
paid_on = "Paid | none"
span = "tuple[Digit, Digit]"
[output]
type = "decimal"
places = 2
[reference]
value = "round(line.qty * line.price, 2, half_even)"
"""
CODE = """
def payable(line, terms, paid_on, span):
    total = line.qty * line.price
    if span[0] > span[1] + 4:
        raise ValueError("span")
    if terms is not None:
        if terms.extra is not None and line.qty >= 10:
            total = (total * (100 - terms.extra) / 100).quantize(Decimal("0.01"))
        if paid_on is not None and (paid_on - terms.due).days > 30:
            total += Decimal("25.00")
    return total
"""


@dataclass(frozen=True)
class Line:
    qty: int
    price: Decimal


@dataclass(frozen=True)
class Terms:
    due: date
    extra: int | None


def drawn(rng: random.Random) -> tuple[tuple[Any, ...], dict[str, Any]]:
    """Arguments, and the same as the spec has them. Often near the ends of ranges, and often None."""
    qty, cents, percent = rng.choice((0, 9, 10, 11, 100)), rng.choice((0, 1, 5000, rng.randint(0, 50_000))), None
    due, paid = date(2024, 1, 1) + timedelta(rng.randint(0, 365)), None
    if rng.random() < 0.7:
        percent = rng.choice((1, 50, rng.randint(1, 50)))
    if rng.random() < 0.7:
        paid = max(due + timedelta(rng.choice((-5, 29, 30, 31, 32, 200))), date(2024, 1, 1))
    span = (rng.randint(0, 9), rng.randint(0, 9))
    given = rng.random() < 0.7
    arguments = (Line(qty, Decimal(cents) / 100), Terms(due, percent) if given else None, paid, span)
    line = Record("Line", {"qty": qty, "price": WrittenDecimal(Fraction(cents, 100), 2)})
    terms = Record("Terms", {"due": due, "extra": percent}) if given else None
    return arguments, {"line": line, "terms": terms, "paid_on": paid, "span": span}


def lies_in(region: Region, scope: Any) -> bool:
    """Whether inputs lie where a region is shown to be: labels and ties are expressions of the spec."""

    def value_of(label: str) -> Any:
        for part in ("terms.extra", "terms.due"):
            if label.startswith(part) and scope.evaluate(parse_expression("terms is None", Place())):
                return None
        return scope.evaluate(parse_expression(label, Place()))

    for span in region.spans:
        value = value_of(span.label)
        if value is None:
            continue  # nothing is said of what is not there
        if span.options and value not in span.options:
            return False
        if (span.low is not None and value < span.low) or (span.high is not None and value > span.high):
            return False
    return all(scope.evaluate(parse_expression(tie, Place())) is True for tie in region.ties)


@functools.cache
def table() -> tuple[Spec, RegionTable]:
    spec = spec_from_toml(PAYABLE)
    with Workbench(spec, Effort(examples=20)) as bench:
        return spec, table_of(bench, CODE)


def ends(function: Callable[..., Any], arguments: tuple[Any, ...]) -> tuple[str, Any]:
    try:
        return "returns", function(*arguments)
    except ValueError:
        return "raises", "ValueError"


def test_every_input_is_in_one_region_which_does_what_cpython_does() -> None:
    spec, found = table()
    assert found.unsettled == 0
    assert not any(UNSHOWN in region.ties for region in found.regions)
    namespace: dict[str, Any] = {"Decimal": Decimal}
    exec(CODE, namespace)
    rng, evaluator, met = random.Random(1), Evaluator(spec), set()
    for _ in range(400):
        arguments, inputs = drawn(rng)
        scope = evaluator.bind(inputs)
        inside = [number for number, region in enumerate(found.regions) if lies_in(region, scope)]
        assert len(inside) == 1, f"{len(inside)} regions have {inputs}"
        met.add(inside[0])
        end, expected = found.regions[inside[0]].end, ends(namespace["payable"], arguments)
        if end.raises:
            assert expected == ("raises", end.raises)
        else:
            assert expected == ("returns", scope.evaluate(parse_expression(end.formula, Place())))
    assert len(met) == len(found.regions)


def test_a_rounding_of_a_sum_with_whole_multiples_in_it_is_one_rounding() -> None:
    _, found = table()
    roundings = {region.end.formula for region in found.regions if "round" in region.end.formula}
    assert roundings == {
        f"round(line.price * line.qty - line.price * line.qty * terms.extra * 0.01, 2, half_even){more}"
        for more in ("", " + 25")
    }


def test_versions_differ_where_a_part_says_so() -> None:
    spec = spec_from_toml(PAYABLE)
    with Workbench(spec, Effort(examples=20)) as bench:
        found = compare(bench, CODE, CODE.replace(".days > 30", ".days >= 30"))
        same = compare(bench, CODE, CODE.replace("terms is not None", "not terms is None"))
    assert (same.equal, same.unread) == (True, "")
    assert found.unread == ""
    assert len(found.differences) >= 1
    for each in found.differences:
        present = {span.label: span.options for span in each.spans if span.label.endswith(" is None")}
        assert present["terms is None"] == present["paid_on is None"] == (False,)
        assert {"paid_on <= terms.due + 30", "terms.due <= paid_on - 30"} <= set(each.ties)
