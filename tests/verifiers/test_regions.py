"""Regions: each input in exactly one, formulas that have the value of the code, exact ranges, and differences."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from datetime import date
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from neurosym_specs.errors import Place
from neurosym_specs.expr.evaluate import Evaluator
from neurosym_specs.expr.syntax import parse_expression
from neurosym_specs.loader import load_spec, spec_from_toml
from neurosym_specs.model import Spec
from neurosym_specs.notation import from_plain
from neurosym_verifiers.bench import Effort
from neurosym_verifiers.proof.claims import Reader
from neurosym_verifiers.proof.process import NoReply, WorkerProcess
from neurosym_verifiers.proof.solver import Solver
from neurosym_verifiers.reading.data.values import NotRead
from neurosym_verifiers.reading.execution.state import Raised
from neurosym_verifiers.reading.formulas.evaluating import Evaluation
from neurosym_verifiers.reading.formulas.normal_forms import at_most
from neurosym_verifiers.reading.formulas.terms import TRUE, number, variable
from neurosym_verifiers.reading.inputs.inputs import symbolic_inputs
from neurosym_verifiers.reading.simplification.simplifying import Simplifying
from neurosym_verifiers.regions.asking import Asking
from neurosym_verifiers.regions.dated import assigned_with_ordinals, ordinal_bounds, with_ordinals
from neurosym_verifiers.regions.difference import Comparison, compare
from neurosym_verifiers.regions.formulas import Writer
from neurosym_verifiers.regions.kinds import check_results
from neurosym_verifiers.regions.places import names_of, places_of
from neurosym_verifiers.regions.showing import Span
from neurosym_verifiers.regions.spelling import TooLong
from neurosym_verifiers.regions.splitting import TooMany, pieces
from neurosym_verifiers.regions.table import NoTable, RegionTable, table_of
from neurosym_verifiers.regions.workbench import ReadingFault, Workbench
from neurosym_verifiers.runner import Runner

from tests.verifiers.programs import SPEC, random_inputs
from tests.verifiers.programs import Writer as Programs
from tests.verifiers.test_reading import by_python, spec_inputs

EXAM = Path(__file__).parents[1] / "exam"


# Random programs


def check_pieces(seed: int, programs: int) -> tuple[int, int]:
    """How many formulas and conditions were evaluated; fails where one is not what CPython makes of the input."""
    rng = random.Random(seed)
    formulas = conditions = 0
    with Solver() as solver:
        for _ in range(programs):
            source, kind = Programs(rng).program()
            spec = spec_from_toml(SPEC.format(output=kind))
            inputs = with_ordinals(symbolic_inputs(spec, {}))
            try:
                run = Reader(spec).candidate(source).run_on(inputs, {})
                check_results(run.exits)
            except NotRead:
                continue
            given = [random_inputs(rng) for _ in range(40)]
            samples = [assigned_with_ordinals(spec, spec_inputs(each)) for each in given]
            bounds = run.bounds | ordinal_bounds(inputs)
            asking = Asking(run.admitted.required, bounds, samples, solver)
            names = names_of(places_of(spec.inputs, inputs.values))
            try:
                found = list(pieces(run.exits, asking, names.choices))
            except TooMany:
                continue
            writer, evaluator = Writer(names, 2), Evaluator(spec)
            namespace: dict[str, Any] = {}
            exec(compile(source, "program", "exec"), namespace)
            for each, sample in zip(given, samples, strict=True):
                evaluation, scope = Evaluation(sample), evaluator.bind(spec_inputs(each))
                inside = [piece for piece in found if all(map(evaluation.condition, piece.conditions))]
                assert len(inside) == 1, f"{len(inside)} pieces have {each}\n{source}"
                expected = by_python(namespace, each)
                if isinstance(inside[0].outcome, Raised):
                    assert expected == ("raises", inside[0].outcome.names[0])
                    continue
                for condition in inside[0].conditions:
                    text = written(writer.condition, condition)
                    if text is not None:
                        assert scope.evaluate(parse_expression(text, Place())) is True, f"{text} on {each}\n{source}"
                        conditions += 1
                text = written(writer.value, inside[0].outcome.value)
                if text is not None:
                    value = scope.evaluate(parse_expression(text, Place()))
                    assert ("returns", value) == expected, f"{text} on {each}\n{source}"
                    formulas += 1
    return formulas, conditions


def written(write: Callable[[Any], str], of: Any) -> str | None:
    try:
        return write(of)
    except TooLong:
        return None


def test_formulas_and_conditions_of_random_programs_are_what_cpython_computes() -> None:
    formulas, conditions = check_pieces(seed=1, programs=20)
    assert formulas >= 150
    assert conditions >= 300


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(2, 12))
def test_many_random_programs(seed: int) -> None:
    formulas, _ = check_pieces(seed, programs=300)
    assert formulas >= 2000


# Tables

FEE = """
spec = 1
name = "fee"
[types.Kind]
type = "enum"
class = "Kind"
choices = ["RETAIL", "BUSINESS", "STAFF"]
[inputs]
amount = { type = "decimal", places = 2, min = "-10.00", max = "5000.00", unit = "EUR" }
late = { type = "int", min = 0, max = 400 }
kind = { type = "Kind" }
[output]
type = "decimal"
places = 2
unit = "EUR"
[[ensure]]
that = "result >= 0"
"""
CODE = """
from decimal import Decimal, ROUND_HALF_UP
def fee(amount: Decimal, late: int, kind: Kind) -> Decimal:
    if amount < 0:
        raise ValueError("negative")
    if late <= 10 or kind is Kind.STAFF:
        return Decimal("0.00")
    fee = (amount * Decimal("0.015")).quantize(Decimal("0.01"), rounding=ROUND_HALF_UP)
    return min(max(fee, Decimal("15.00")), Decimal("60.00"))
"""


def tabled(spec: Spec, source: str) -> RegionTable:
    with Workbench(spec, Effort(examples=20)) as bench:
        return table_of(bench, source)


def compared(spec: Spec, old: str, new: str) -> Comparison:
    with Workbench(spec, Effort(examples=20)) as bench:
        return compare(bench, old, new)


def described(spans: tuple[Span, ...]) -> dict[str, Any]:
    return {span.label: span.options or (span.low, span.high) for span in spans}


def test_a_table_has_the_exact_ranges() -> None:
    table = tabled(spec_from_toml(FEE), CODE)
    assert table.unsettled == 0
    found = {
        region.end.raises or region.end.formula: [described(r.spans) for r in table.regions if r.end == region.end]
        for region in table.regions
    }
    cents = lambda text: Fraction(text)  # noqa: E731
    late = {"late": (11, None), "kind": ("RETAIL", "BUSINESS")}
    assert found["ValueError"] == [{"amount": (None, cents("-0.01"))}]
    assert found["15.00 EUR"] == [{"amount": (0, cents("999.66")), **late}]
    assert found["60.00 EUR"] == [{"amount": (cents("4000.34"), None), **late}] or found["60.00 EUR"] == [
        {"amount": (cents("4000.33"), None), **late}
    ]
    assert found["round(amount * 0.015, 2, half_up)"][0]["amount"][0] == cents("999.67")
    assert found["0.00 EUR"] == [
        {"amount": (0, None), "late": (None, 10)},
        {"amount": (0, None), "late": (11, None), "kind": ("STAFF",)},
    ]
    assert all(not region.ties for region in table.regions)


def test_the_cases_of_a_table_were_run_and_lie_in_their_regions() -> None:
    spec = spec_from_toml(FEE)
    for region in tabled(spec, CODE).regions:
        for case in (region.case, *region.ends):
            inputs = {name: from_plain(type_, case.inputs[name], Place()) for name, type_ in spec.inputs.items()}
            assert all(within(span, inputs[span.label]) for span in region.spans)
            if region.end.raises:
                assert case.result.startswith(f"raised {region.end.raises}")
            elif region.end.constant:
                assert case.result == region.end.formula
        for case in region.ends:
            span = next(each for each in region.spans if each.label == case.place)
            value = inputs_of(spec, case.inputs)[case.place]
            assert value == (span.low if case.end == "low" else span.high)


def inputs_of(spec: Spec, plain: Mapping[str, Any]) -> dict[str, Any]:
    return {name: from_plain(type_, plain[name], Place()) for name, type_ in spec.inputs.items()}


def within(span: Span, value: Any) -> bool:
    if span.options:
        return value in span.options
    return (span.low is None or span.low <= value) and (span.high is None or value <= span.high)


READ = ("t01_vat_amount", "t06_cash_round", "t08_to_home_currency", "t12_platform_fee", "t21_utilisation_band")


def exam(task: str) -> Iterator[tuple[Spec, Path]]:
    folder = EXAM / task
    spec = load_spec(next(folder.glob("*.spec.toml")))
    return ((spec, path) for path in [folder / "correct_1.py"])


@pytest.mark.parametrize("task", READ)
def test_every_example_of_the_exam_lies_in_one_region_and_has_its_value(task: str) -> None:
    for spec, path in exam(task):
        table = tabled(spec, path.read_text())
        evaluator = Evaluator(spec)
        assert table.regions
        for example in spec.examples:
            scope = evaluator.bind(example.inputs)
            inside = [
                region
                for region in table.regions
                if all(within(span, example.inputs[span.label]) for span in region.spans)
                and all(scope.evaluate(parse_expression(tie, Place())) for tie in region.ties)
            ]
            assert len(inside) == 1
            end = inside[0].end
            if example.raises:
                assert end.raises in example.raises
            elif not end.constant:
                assert scope.evaluate(parse_expression(end.formula, Place())) == example.out


def test_dates_are_ranges_of_the_calendar() -> None:
    spec = spec_from_toml("""
spec = 1
name = "late"
[inputs]
due = { type = "date", min = 2020-01-01, max = 2024-12-31 }
[output]
type = "int"
[[ensure]]
that = "result >= 0"
""")
    code = """
from datetime import date
def late(due: date) -> int:
    return 1 if due > date(2024, 2, 28) else 0
"""
    spans = [described(region.spans) for region in tabled(spec, code).regions]
    assert {"due": (date(2024, 2, 29), None)} in spans
    assert {"due": (None, date(2024, 2, 28))} in spans


def test_a_program_that_is_not_read_has_no_table() -> None:
    with pytest.raises(NoTable, match="float"):
        tabled(spec_from_toml(FEE), CODE.replace("amount < 0", "float(amount) ** 3 < 0"))


LISTED = """
spec = 1
name = "total"
[inputs]
lines = { type = "list", of = { type = "int", min = 0, max = 9 }, max_len = 2 }
[output]
type = "int"
[[ensure]]
that = "result >= 0"
"""


def test_inputs_that_are_no_single_values_have_no_table_and_are_compared_by_running() -> None:
    spec, code = spec_from_toml(LISTED), "def total(lines: list[int]) -> int:\n    return sum(lines)\n"
    with pytest.raises(NoTable, match="not read: the input lines, which is a list"):
        tabled(spec, code)
    found = compared(spec, code, code.replace("sum(lines)", "lines[0] if len(lines) == 1 else sum(lines)"))
    assert found.equal
    assert "the input lines, which is a list" in found.unread
    found = compared(spec, code, code.replace("sum(lines)", "sum(lines[:1])"))
    assert found.seen is not None
    assert (found.seen.old, found.seen.new) == ("1", "0")


MAYBE = """
spec = 1
name = "part"
[inputs]
amount = { type = "int", min = 0, max = 100 }
[output]
type = "int | None"
[[ensure]]
that = "result == None or result >= 0"
"""


def test_a_result_that_may_be_none_is_taken_apart() -> None:
    spec = spec_from_toml(MAYBE)
    code = "def part(amount):\n    found = None\n    if amount > 10:\n        found = amount - 10\n    return found\n"
    table = tabled(spec, code)
    assert {region.end.formula: described(region.spans) for region in table.regions} == {
        "None": {"amount": (None, 10)},
        "amount - 10": {"amount": (11, None)},
    }
    found = compared(spec, code, "def part(amount):\n    return 0 if amount <= 10 else amount - 10\n")
    assert [(described(each.spans), each.new.formula) for each in found.differences] == [({"amount": (None, 10)}, "0")]
    assert found.unread == ""


RECORDED = """
spec = 1
name = "halves"
[types.Pair]
type = "record"
as = "dataclass"
fields = { low = "int", high = "int" }
[inputs]
amount = { type = "int", min = 0, max = 100 }
[output]
type = "Pair"
[[ensure]]
that = "result.low >= 0"
"""


def test_a_result_that_is_a_record_has_no_table() -> None:
    code = "def halves(amount):\n    return Pair(amount // 2, amount - amount // 2)\n"
    with pytest.raises(NoTable, match="a result that is a record"):
        tabled(spec_from_toml(RECORDED), code)


def test_a_factor_of_a_square_counts_once() -> None:
    spec = spec_from_toml(MAYBE.replace("int | None", "int"))
    code = "def part(amount):\n    third = amount // 3\n    return third * third * 10\n"
    (region,) = tabled(spec, code).regions
    scope = Evaluator(spec).bind({"amount": 50})
    assert scope.evaluate(parse_expression(region.end.formula, Place())) == 16 * 16 * 10, region.end.formula


def test_a_remainder_of_a_fraction_keeps_its_brackets() -> None:
    spec = spec_from_toml(MAYBE.replace("int | None", "int"))
    (region,) = tabled(spec, "def part(amount):\n    return (amount % -4) // -3\n").regions
    scope = Evaluator(spec).bind({"amount": 2})
    assert scope.evaluate(parse_expression(region.end.formula, Place())) == (2 % -4) // -3, region.end.formula


LOOP = """
def fee(amount: Decimal, late: int, kind: Kind) -> Decimal:
    steps, left = 0, late
    while left > 100:
        left, steps = left - 100, steps + 1
    return Decimal(steps)
"""


def test_a_loop_whose_end_only_the_solver_sees_is_read() -> None:
    table = tabled(spec_from_toml(FEE), "from decimal import Decimal\n" + LOOP)
    assert {region.end.formula: described(region.spans)["late"] for region in table.regions} == {
        "0.00 EUR": (None, 100),
        "1.00 EUR": (101, 200),
        "2.00 EUR": (201, 300),
        "3.00 EUR": (301, None),
    }


def test_a_program_with_very_many_regions_has_no_table() -> None:
    many = "\n".join(f"    if late == {3 * k}:\n        return Decimal({k})" for k in range(130))
    with pytest.raises(NoTable, match="more than 120 regions"):
        tabled(spec_from_toml(FEE), CODE.replace("    fee =", f"{many}\n    fee ="))


def test_a_result_of_the_wrong_type_is_shown_as_it_is() -> None:
    table = tabled(spec_from_toml(FEE), "def fee(amount, late, kind):\n    if late:\n        return 0\n")
    results = {region.case.result for region in table.regions}
    assert results == {"int 0 instead of a Decimal", "None instead of a Decimal"}


# Differences


def test_a_version_is_equal_to_itself_and_to_another_way_of_writing_it() -> None:
    other = CODE.replace("late <= 10 or kind is Kind.STAFF", "not (late > 10 and kind != Kind.STAFF)")
    found = compared(spec_from_toml(FEE), CODE, other)
    assert (found.equal, found.unread) == (True, "")
    assert found.runs > 100


def test_a_changed_boundary_is_the_region_of_the_difference() -> None:
    found = compared(spec_from_toml(FEE), CODE, CODE.replace("late <= 10", "late < 10"))
    assert found.unread == ""
    assert all(described(each.spans)["late"] == (10, 10) for each in found.differences)
    assert all(described(each.spans)["kind"] == ("RETAIL", "BUSINESS") for each in found.differences)
    smallest = min(found.differences, key=lambda each: each.smallest.inputs["amount"]).smallest
    assert (smallest.old, smallest.new, smallest.difference) == ("0.00 EUR", "15.00 EUR", "+15.00 EUR")
    assert any(each.largest is not None and each.largest.difference == "+60.00 EUR" for each in found.differences)


def test_a_coincidence_that_no_drawn_input_meets_is_found() -> None:
    hidden = "    if amount * 7 == late * 1000 + Decimal('191.03'):\n        return Decimal(1)\n    fee ="
    found = compared(spec_from_toml(FEE), CODE, CODE.replace("    fee =", hidden))
    assert found.differences
    assert found.unread == ""
    for each in found.differences:
        inputs = inputs_of(spec_from_toml(FEE), each.smallest.inputs)
        assert inputs["amount"] * 7 == inputs["late"] * 1000 + Fraction("191.03")
        assert each.smallest.new == "1.00 EUR"


def test_exceptions_and_types_count() -> None:
    other = CODE.replace('ValueError("negative")', 'ArithmeticError("negative")')
    found = compared(spec_from_toml(FEE), CODE, other)
    assert [(each.old.raises, each.new.raises) for each in found.differences] == [("ValueError", "ArithmeticError")]
    found = compared(spec_from_toml(FEE), CODE, CODE.replace('return Decimal("0.00")', "return 0"))
    assert {each.smallest.new for each in found.differences} == {"int 0 instead of a Decimal"}


def test_what_is_not_read_is_compared_by_running_it() -> None:
    unread = CODE.replace("amount < 0", "float(amount) ** 3 < 0")
    found = compared(spec_from_toml(FEE), CODE, unread)
    assert found.equal
    assert "float" in found.unread
    found = compared(spec_from_toml(FEE), CODE, unread.replace("late <= 10", "late < 10"))
    assert not found.equal
    assert found.seen is not None
    assert found.seen.inputs["late"] == 10


@pytest.mark.parametrize("seed", [0, pytest.param(1, marks=pytest.mark.slow), pytest.param(2, marks=pytest.mark.slow)])
def test_a_mutant_is_equal_only_if_it_agrees_on_a_dense_grid(seed: int) -> None:
    spec, rng = spec_from_toml(FEE), random.Random(seed)
    changes = [("< 0", "<= 0"), ("<= 10", "< 11"), ("15.00", "15.01"), ("HALF_UP", "HALF_EVEN"), ("min(max", "max(max")]
    change = changes[rng.randrange(len(changes))]
    mutant = CODE.replace(*change)
    found = compared(spec, CODE, mutant)
    agree = all(
        run_python(CODE, amount, late, kind) == run_python(mutant, amount, late, kind)
        for amount in range(-1000, 500_001, 777)
        for late in (0, 10, 11, 400)
        for kind in ("RETAIL", "STAFF")
    )
    assert agree or not found.equal


def run_python(source: str, amount: int, late: int, kind: str) -> Any:
    from enum import Enum

    Kind = Enum("Kind", ["RETAIL", "BUSINESS", "STAFF"])  # noqa: N806
    namespace: dict[str, Any] = {"Kind": Kind}
    exec(source, namespace)
    try:
        return namespace["fee"](Decimal(amount).scaleb(-2), late, Kind[kind])
    except ValueError:
        return "ValueError"


# What may not be concluded


def test_versions_that_keep_something_between_calls_are_not_decided() -> None:
    spec = spec_from_toml(MAYBE.replace("int | None", "int"))
    keeps = "_seen = []\ndef part(amount):\n    _seen.append(amount)\n    return amount + (len(_seen) > 50)\n"
    found = compared(spec, "def part(amount):\n    return amount\n", keeps)
    assert not found.equal
    assert (found.seen, found.differences) == (None, ())
    assert found.unsteady > 0


LIMITED = MAYBE.replace("int | None", "int").replace("max = 100 ", "max = 100000 ")
UNCHANGED = "def part(amount):\n    return amount\n"
AT_ONE = "def part(amount):\n    return amount + (1 if amount * 7 == 544439 else 0)\n"


@pytest.mark.parametrize("on", ["all", "accepted"])
def test_inputs_that_callers_do_not_give_do_not_count(on: str) -> None:
    spec = spec_from_toml(f'{LIMITED}\n[[require]]\nthat = "amount != 77777"\non = "{on}"\n')
    found = compared(spec, UNCHANGED, AT_ONE)
    assert (found.equal, found.unread) == (True, "")


def test_inputs_on_which_the_spec_itself_fails_count() -> None:
    spec = spec_from_toml(f'{LIMITED}\n[reference]\nvalue = "1000 // (amount * 7 - 544439)"\n')
    found = compared(spec, UNCHANGED, AT_ONE)
    assert [each.smallest.call for each in found.differences] == ["part(77777)"]


def test_inputs_that_no_exit_takes_are_not_left_out() -> None:
    spec = spec_from_toml(LIMITED)
    inputs = symbolic_inputs(spec, {})
    run = Reader(spec).candidate("def part(amount):\n    return 1 if amount > 5 else 0\n").run_on(inputs, {})
    some = [replace(each, condition=at_most(number(7), variable("amount", 0, 100_000))) for each in run.exits[:1]]
    with Solver() as solver, pytest.raises(NotRead, match="no exit is known"):
        list(pieces(some, Asking(run.admitted.required, run.bounds, [], solver), {}))


def test_the_greatest_value_is_not_that_of_the_path_on_which_a_term_was_made() -> None:
    """Regions that are joined keep the terms of one of them."""
    with Solver() as solver:
        asking = Asking(TRUE, {"x": (0, 1_000), "y": (0, 9)}, [], solver)
        gap = variable("x", 0, 10) * variable("y", 0, 9)
        assert asking.greatest(gap, TRUE) == (9_000, {"x": 1_000, "y": 9}, True)


@pytest.mark.parametrize("breaks", ["dies", "says nothing"])
def test_without_a_solver_nothing_is_proved_equal(monkeypatch: pytest.MonkeyPatch, breaks: str) -> None:
    def ask(process: WorkerProcess, message: object, *, seconds: float) -> Any:
        raise NoReply("timeout" if breaks == "says nothing" else "the solver ended")

    monkeypatch.setattr(WorkerProcess, "ask", ask)
    monkeypatch.setattr(Simplifying, "simplified", lambda self, condition, bounds: condition)  # it needs no solver
    turned = 'min(max(fee, Decimal("15.00")), Decimal("60.00"))', 'max(min(fee, Decimal("60.00")), Decimal("15.00"))'
    found = compared(spec_from_toml(FEE), CODE, CODE.replace(*turned))
    assert found.equal
    assert "the solver does not tell" in found.unread


@pytest.mark.parametrize("command", [tabled, lambda spec, code: compared(spec, code, code.replace("<= 10", "< 10"))])
def test_a_call_that_is_shown_has_the_result_that_was_read(
    monkeypatch: pytest.MonkeyPatch, command: Callable[[Spec, str], object]
) -> None:
    fresh = Runner.fresh

    def another(runner: Runner, arguments: tuple[Any, ...]) -> Any:
        return fresh(runner, (Decimal("4999.00"), 400, arguments[2]))

    monkeypatch.setattr(Runner, "fresh", another)
    with pytest.raises(ReadingFault, match="NS901"):
        command(spec_from_toml(FEE), CODE)


CREDIT = """
spec = 1
name = "used"
[inputs]
balance = { type = "int", min = 0, max = 100000 }
limit = { type = "int", min = 0, max = 100000 }
[output]
type = "int"
[[require]]
that = "limit >= 10"
[[ensure]]
that = "result >= 0"
"""


def test_the_smallest_difference_is_looked_for_from_the_ends_of_the_region() -> None:
    code = "def used(balance, limit):\n    return 1 if balance * 100 > limit * 30 else 0\n"
    found = compared(spec_from_toml(CREDIT), code, code.replace("30", "31"))
    (difference,) = found.differences
    low = difference.spans[0].low
    assert low is not None
    assert difference.smallest.inputs["balance"] == low
