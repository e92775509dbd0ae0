"""Loops of many rounds over Decimals, and ``while`` loops that count: held against CPython, proved, not proved."""

from __future__ import annotations

import random
from collections.abc import Mapping
from functools import partial
from typing import Any

import pytest
from neurosym_specs.loader import spec_from_toml
from neurosym_specs.model import Spec
from neurosym_specs.verdicts import Standing, combine
from neurosym_verifiers.bench import Bench, Effort
from neurosym_verifiers.judgement import Judgement
from neurosym_verifiers.proof.answering import answered
from neurosym_verifiers.proof.claims import Reader
from neurosym_verifiers.proof.holding import known
from neurosym_verifiers.proof.messages import Answer
from neurosym_verifiers.proof.runs import Run
from neurosym_verifiers.proof.solver import Solver
from neurosym_verifiers.reading.data.values import NotRead
from neurosym_verifiers.reading.depth import deep_recursion
from neurosym_verifiers.reading.execution.state import Raised
from neurosym_verifiers.reading.formulas.bounds import Spans
from neurosym_verifiers.reading.formulas.evaluating import Evaluation
from neurosym_verifiers.reading.formulas.terms import Condition
from neurosym_verifiers.reading.inputs.assignments import assigned
from neurosym_verifiers.reading.inputs.crossing import in_spec

from tests.verifiers.comparing import compared
from tests.verifiers.decimal_loop_programs import SPEC, DecimalLoopWriter, clauses, drawn

MOST = 450
"""More rounds than are gone through one by one."""


def by_python(namespace: dict[str, Any], inputs: Mapping[str, Any]) -> Any:
    try:
        return "value", namespace["grown"](**inputs)
    except ValueError as error:
        return "raises", type(error).__name__


def by_reading(run: Run, spec: Spec, inputs: Mapping[str, Any]) -> Any:
    evaluation = Evaluation(assigned(spec, inputs))
    (end,) = [end.outcome for end in run.exits if evaluation.condition(end.condition)]
    return ("raises", end.names[0]) if isinstance(end, Raised) else ("value", known(in_spec(end.value), evaluation))


def compare(seed: int, programs: int, inputs_each: int) -> tuple[int, int]:
    rng = random.Random(seed)
    writer = DecimalLoopWriter(rng)

    def write() -> tuple[str, str]:
        kind = rng.choice(("int", "decimal"))
        return writer.program(kind), kind

    specs = {kind: spec_from_toml(SPEC.format(most=MOST, output=kind)) for kind in ("int", "decimal")}
    with deep_recursion():
        return compared(
            write, specs, partial(drawn, rng, MOST), by_python, by_reading, programs=programs, inputs_each=inputs_each
        )


def test_random_loops_over_decimals_are_read_as_they_run() -> None:
    pairs, read = compare(1, programs=40, inputs_each=8)
    assert read >= 30
    assert pairs >= 240


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(2, 22))
def test_many_random_loops_over_decimals_are_read_as_they_run(seed: int) -> None:
    _, read = compare(seed, programs=150, inputs_each=12)
    assert read >= 110


def shown_are_so(seed: int, programs: int) -> tuple[int, int]:
    """How many claims that may hold were asked, and how many were shown; fails where one that was shown is not so."""
    rng = random.Random(seed)
    writer, asked, shown = DecimalLoopWriter(rng), 0, 0
    with Solver() as solver, deep_recursion():

        def ask(condition: Condition, bounds: Spans, units: int | None) -> Answer:
            return solver.ask(condition, bounds, seconds=10, units=min(units or 300_000, 300_000))

        for _ in range(programs):
            kind = rng.choice(("int", "decimal"))
            source, that = writer.program(kind), clauses(rng, kind, 5)
            ensures = "".join(f'[[ensure]]\nid = "{i}"\nthat = "{each}"\n' for i, each in enumerate(that))
            spec = spec_from_toml(SPEC.format(most=MOST, output=kind) + ensures)
            try:
                claims = Reader(spec).claims(source)
            except NotRead:
                continue
            if "*" in claims.unread:
                continue
            namespace: dict[str, Any] = {}
            exec(source, namespace)  # a program of this test
            some = [drawn(rng, MOST) for _ in range(8)]
            samples = [assigned(spec, each) for each in some]
            for claim in claims.claims:
                number = claim.obligation.removeprefix("ensure: ")
                if not number.isdigit() or not _holds(namespace, that[int(number)], some):
                    continue
                asked += 1
                answer, _ = answered(claim.against, claim.bounds, claim.prefixes, ask, partial(list, samples))
                if answer.verdict == "unsat":
                    shown += 1
                    others = [drawn(rng, MOST) for _ in range(120)]
                    assert _holds(namespace, that[int(number)], others), f"{that[int(number)]}\n{source}"
    return asked, shown


def _holds(namespace: dict[str, Any], clause: str, inputs: list[dict[str, Any]]) -> bool:
    for each in inputs:
        kind, result = by_python(namespace, each)
        if kind == "value" and not eval(clause, {**each, "result": result}):
            return False
    return True


def test_what_is_shown_of_random_loops_over_decimals_is_so() -> None:
    asked, shown = shown_are_so(1, programs=4)
    assert asked >= 6
    assert shown >= 2


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(2, 12))
def test_what_is_shown_of_many_random_loops_over_decimals_is_so(seed: int) -> None:
    _, shown = shown_are_so(seed, programs=60)
    assert shown >= 20


GROWN = """
spec = 1
name = "grown"
[inputs]
start = { type = "decimal", places = 2, min = "-10.00", max = "100000.00" }
rate = { type = "decimal", places = 4, min = "0.0000", max = "0.5000" }
rounds = { type = "int", min = -2, max = 600 }
[output]
type = "decimal"
places = 2
[[reject]]
id = "negative"
when = "start < 0 or rounds < 0"
raises = "ValueError"
[reference]
python = '''
from decimal import ROUND_HALF_UP, Decimal
def grown(start, rate, rounds):
    balance = start
    for _ in range(rounds):
        balance += (balance * rate / 12).quantize(Decimal("0.01"), ROUND_HALF_UP)
    return balance
'''
[[ensure]]
id = "never less"
that = "result >= start"
"""

BY_FOR = """
from decimal import ROUND_DOWN, ROUND_HALF_EVEN, ROUND_HALF_UP, Decimal

def grown(start: Decimal, rate: Decimal, rounds: int) -> Decimal:
    if start < 0 or rounds < 0:
        raise ValueError("negative")
    total = start
    for _ in range(rounds):
        interest = (rate * total / Decimal("12")).quantize(Decimal("0.01"), rounding=ROUND_HALF_UP)
        total = total + interest
    return total
"""

_FOR = "    for _ in range(rounds):\n"
BY_WHILE = BY_FOR.replace(_FOR, "    month = 0\n    while month < rounds:\n        month += 1\n")
BY_BREAK = BY_FOR.replace(
    _FOR, "    month = 0\n    while True:\n        if month == rounds:\n            break\n        month += 1\n"
)


@pytest.mark.parametrize("source", [pytest.param(BY_FOR, marks=pytest.mark.slow), BY_WHILE, BY_BREAK])
def test_the_same_rounds_of_decimals_are_proved(source: str) -> None:
    with Bench(spec_from_toml(GROWN), Effort(examples=20, time_limit_s=60)) as bench:
        found = bench.judge(source)
    assert isinstance(found, Judgement)
    assert combine(found.verdicts.values()) is Standing.PROVED


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("ROUND_HALF_UP)\n", "ROUND_HALF_EVEN)\n"),
        ("ROUND_HALF_UP)\n", "ROUND_DOWN)\n"),
        ('"0.01"', '"0.001"'),
        ('"12"', '"12.00001"'),
        ("month < rounds", "month <= rounds"),
        ("month = 0", "month = 1"),
        ("month += 1", "month += 2"),
        ("month < rounds", "month < min(rounds, 599)"),
        ("month < rounds", "month < rounds and total < 99999999"),
        ("return total", 'return total if rounds < 600 else total + Decimal("0.01")'),
        ("+ interest", '+ interest + (Decimal("0.01") if total > 100000000 else 0)'),
    ],
)
def test_other_rounds_of_decimals_are_not_shown(old: str, new: str) -> None:
    """Some are wrong only where few inputs get: nothing but the proof is asked here."""
    source = BY_WHILE.replace(old, new)
    assert source != BY_WHILE
    spec = spec_from_toml(GROWN)
    with Solver() as solver, deep_recursion():

        def ask(condition: Condition, bounds: Spans, units: int | None) -> Answer:
            return solver.ask(condition, bounds, seconds=10, units=min(units or 300_000, 300_000))

        try:
            claims = Reader(spec).claims(source)
        except NotRead:
            return
        verdicts = [
            answered(each.against, each.bounds, each.prefixes, ask)[0].verdict
            for each in claims.claims
            if each.obligation == "reference"
        ]
    assert "*" in claims.unread or "reference" in claims.unread or verdicts.count("unsat") < len(verdicts)
