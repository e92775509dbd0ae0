"""Loops of many rounds that end early and make lists: held against CPython and the judge, and what induction shows."""

# ruff: noqa: E501

from __future__ import annotations

import copy
import random
from collections.abc import Callable
from functools import partial
from typing import Any

import pytest
from _pytest.mark import ParameterSet
from neurosym_sandbox import Outcome, Raised, Returned
from neurosym_sandbox.outcomes import ExceptionInfo
from neurosym_specs.loader import spec_from_toml
from neurosym_verifiers.cases import Case, CaseMaker
from neurosym_verifiers.proof.claims import Reader
from neurosym_verifiers.proof.early_ends import of_runs
from neurosym_verifiers.proof.holding import known
from neurosym_verifiers.proof.induction import ask_by_induction
from neurosym_verifiers.proof.messages import Answer
from neurosym_verifiers.proof.solver import Solver
from neurosym_verifiers.reading.data.values import NotRead
from neurosym_verifiers.reading.depth import deep_recursion
from neurosym_verifiers.reading.execution.state import Raised as ReadRaised
from neurosym_verifiers.reading.formulas.bounds import Spans
from neurosym_verifiers.reading.formulas.evaluating import Evaluation
from neurosym_verifiers.reading.formulas.terms import FALSE, Condition
from neurosym_verifiers.reading.inputs.assignments import assigned
from neurosym_verifiers.reading.inputs.crossing import in_spec

from tests.verifiers.reading_map.promises import Promises
from tests.verifiers.table_programs import INPUTS, Writer


def called(source: str) -> Callable[[Case], Outcome]:
    names: dict[str, Any] = {}
    exec(source, names)  # a program of this test

    def call(case: Case) -> Outcome:
        try:
            return Returned(names["made"](*copy.deepcopy(case.arguments)))
        except Exception as error:
            bases = tuple(base.__name__ for base in type(error).__mro__[1:])
            return Raised(ExceptionInfo(type(error).__name__, bases, "", None))

    return call


def by_python(source: str, inputs: dict[str, Any]) -> Any:
    names: dict[str, Any] = {}
    exec(source, names)  # a program of this test
    try:
        return names["made"](**inputs)
    except ValueError as error:
        return type(error).__name__


def held(seeds: range, inputs_each: int) -> int:
    """How many programs were read; all of these did what CPython does, and what is claimed of them is what is so."""
    read = 0
    for seed in seeds:
        writer = Writer(seed)
        source = writer.program()
        clauses = [writer.clause() for _ in range(3)]
        spec = spec_from_toml(
            INPUTS + "".join(f'[[ensure]]\nid = "{i}"\nthat = "{c}"\n' for i, c in enumerate(clauses))
        )
        with deep_recursion():
            try:
                run = Reader(spec).run(source)
            except NotRead:
                continue
            claims = Reader(spec).claims(source)
            read += 1
            drawn = [writer.drawn() for _ in range(inputs_each)]
            for inputs in drawn:
                evaluation = Evaluation(assigned(spec, inputs))
                (taken,) = [end.outcome for end in run.exits if evaluation.condition(end.condition)]
                if isinstance(taken, ReadRaised):
                    found = taken.names[0]
                else:
                    found = [tuple(row.fields.values()) for row in known(in_spec(taken.value), evaluation)]
                assert found == by_python(source, inputs), f"{inputs}\n{source}"
            promises = Promises(spec, claims, CaseMaker(spec, None), called(source))
            difference, _ = promises.first_difference(drawn)
            assert not difference, f"{difference}\n{clauses}\n{source}"
    return read


def test_random_loops_that_make_lists_are_read_as_they_run() -> None:
    assert held(range(16), 5) >= 6


@pytest.mark.slow
@pytest.mark.parametrize("first", range(1000, 5000, 500))
def test_many_random_loops_that_make_lists(first: int) -> None:
    assert held(range(first, first + 500), 12) >= 250


PAID_OFF = """
spec = 1
name = "paid_off"
[types.Row]
type = "record"
as = "tuple"
[types.Row.fields]
interest = { type = "int", min = 0 }
paid = { type = "int", min = 1 }
balance = { type = "int", min = 0 }
[inputs]
debt = { type = "int", min = -2, max = 1000000 }
rate = { type = "int", min = 0, max = 400 }
rounds = { type = "int", min = -1, max = 600 }
payment = { type = "int", min = 1, max = 1000000 }
[output]
type = "list[Row]"
max_len = 600
[[reject]]
id = "no debt"
when = "debt < 1"
raises = "ValueError"
[[reject]]
id = "too little"
when = "rounds > 1 and payment <= debt * rate // 10000"
raises = "ValueError"
[reference]
python = '''
def paid_off(debt, rate, rounds, payment):
    rows = []
    for i in range(rounds):
        interest = debt * rate // 10000
        if i == rounds - 1 or payment >= debt + interest:
            rows.append((interest, debt, 0))
            break
        debt -= payment - interest
        rows.append((interest, payment - interest, debt))
    return rows
'''
"""

RIGHT = """
def paid_off(debt: int, rate: int, rounds: int, payment: int) -> list[tuple[int, int, int]]:
    if debt < 1:
        raise ValueError("no debt")
    table = []
    left = debt
    for k in range(rounds, 0, -1):
        interest = left * rate // 10000
        paid = left if k == 1 else min(left, payment - interest)
        if paid <= 0:
            raise ValueError("too little")
        left -= paid
        table.append((interest, paid, left))
        if left == 0:
            return table
    return table
"""


def shown(source: str, *clauses: str, only: str = "") -> dict[str, bool]:
    """Which claims are shown; guesses come from runs at random. ``only``: one of them."""
    spec, rng, found = spec_from_toml(PAID_OFF + "".join(clauses)), random.Random(1), dict[str, bool]()
    inputs = [{"debt": -1, "rate": 3, "rounds": 2, "payment": 1}]
    for _ in range(120):
        debt = rng.choice([1, 2, rng.randint(1, 2000)])
        rounds = rng.choice([-1, 0, 1, 2, rng.randint(0, 40)])
        payment = rng.choice([1, debt, debt // 2 + 1, rng.randint(1, 600)])
        inputs.append(
            {"debt": debt, "rate": rng.choice([0, 400, rng.randint(0, 400)]), "rounds": rounds, "payment": payment}
        )
    samples = [assigned(spec, each) for each in inputs]
    with Solver() as solver, deep_recursion():

        def ask(condition: Condition, bounds: Spans, units: int | None) -> Answer:
            return solver.ask(condition, bounds, seconds=20, units=units or 4_000_000)

        claims = Reader(spec).claims(source)
        if "*" in claims.unread:
            raise NotRead(claims.unread["*"])
        for claim in claims.claims:
            if only not in claim.obligation:
                continue
            induction = ask_by_induction(
                claim.against, claim.bounds, ask, claim.prefixes, partial(of_runs, samples, claim.prefixes)
            )
            plain = claim.against == FALSE or (
                induction is None and ask(claim.against, claim.bounds, 300_000).verdict == "unsat"
            )
            found[claim.obligation] = plain or (induction is not None and induction.answer.verdict == "unsat")
    return found


def few_at_once(*cases: tuple[object, ...]) -> list[ParameterSet]:
    """Cases of which every fourth is tried in each run, and all in the slow one."""
    return [pytest.param(*case, marks=[pytest.mark.slow] if i % 4 else []) for i, case in enumerate(cases)]


def test_what_holds_of_a_table_that_ends_early_is_shown() -> None:
    found = shown(RIGHT)
    assert found == dict.fromkeys(found, True)


@pytest.mark.parametrize(
    ("clause", "holds"),
    few_at_once(
        ("len(result) <= rounds or rounds < 1", True),
        ("rounds < 1 or result[-1].balance == 0", True),
        ("all(row.balance > 0 for row in result[:-1])", True),
        ("all(p.balance > q.balance for p, q in zip(result, result[1:]))", True),
        ("all(result[i].balance == result[i + 1].balance + result[i + 1].paid for i in range(len(result) - 1))", True),
        ("rounds < 1 or sum(row.paid for row in result) == debt", True),
        ("all(row.interest + row.paid == payment for row in result[:-1])", True),
        ("all(row.balance < debt for row in result)", True),
        ("rounds < 1 or len(result) >= 1", True),
        ("rounds != 0 or len(result) == 0", True),
        ("rounds != 1 or len(result) == 1", True),
        ("rounds > 0 or len(result) == 0", True),
        # What does not hold: in no round, in the first one, in the last one, in one far away.
        ("len(result) >= 1", False),
        ("sum(row.paid for row in result) == debt", False),
        ("rounds < 1 or len(result) >= 2", False),
        ("rounds < 2 or len(result) >= 2", False),
        ("rounds < 1 or result[0].balance > 0", False),
        ("len(result) < rounds or rounds < 1", False),
        ("len(result) < 600", False),
        ("len(result) != 137", False),
        ("all(row.balance > 0 for row in result)", False),
        ("all(row.interest + row.paid == payment for row in result)", False),
        ("all(row.interest + row.paid <= payment for row in result)", False),
        ("all(row.balance != 777 for row in result)", False),
        ("all(p.balance > q.balance + 1 for p, q in zip(result, result[1:]))", False),
        ("all(p.paid < q.paid for p, q in zip(result, result[1:]))", False),
        ("all(p.interest > q.interest for p, q in zip(result, result[1:]))", False),
        ("sum(row.paid for row in result[:-1]) < debt - 1", False),
        ("any(row.balance == 0 for row in result)", False),
        ("all(i < 500 for i, row in enumerate(result))", False),
        ("rounds < 1 or result[-1].paid <= payment", False),
        ("len([row for row in result if row.interest > 0]) == len(result)", False),
    ),
)
def test_a_clause_about_a_table_is_shown_only_if_it_holds(clause: str, holds: bool) -> None:
    found = shown(RIGHT, f'[[ensure]]\nid = "extra"\nthat = "{clause}"\n', only="extra")["ensure: extra"]
    assert found is holds


@pytest.mark.slow
@pytest.mark.parametrize(
    ("given", "that", "holds"),
    [
        ("a.debt == b.debt and a.rate == b.rate and a.rounds == b.rounds and a.payment <= b.payment", "len(a.result) >= len(b.result)", True),
        ("a.debt == b.debt and a.rate == b.rate and a.rounds == b.rounds and a.payment <= b.payment", "len(a.result) > len(b.result)", False),
        ("a.debt == b.debt and a.rate == b.rate and a.rounds == b.rounds and a.payment >= b.payment", "len(a.result) >= len(b.result)", False),
        ("a.debt == b.debt and a.rate == b.rate and a.payment == b.payment and a.rounds <= b.rounds", "len(a.result) <= len(b.result)", True),
        ("a.debt == b.debt and a.rate == b.rate and a.payment == b.payment and a.rounds <= b.rounds", "len(a.result) >= len(b.result)", False),
        ("a.debt == b.debt and a.rate == b.rate and a.payment == b.payment", "len(a.result) == len(b.result)", False),
    ],
)  # fmt: skip
def test_a_relation_of_two_tables_is_shown_only_if_it_holds(given: str, that: str, holds: bool) -> None:
    relation = f'[[relation]]\nid = "extra"\ngiven = "{given}"\nthat = "{that}"\n'
    assert shown(RIGHT, relation, only="extra")["relation: extra"] is holds


@pytest.mark.parametrize(
    ("old", "new", "same"),
    few_at_once(
        ("k == 1", "k <= 1", True),
        ("        if left == 0:\n            return table", "        if left < 1:\n            break", True),
        ("table.append((interest, paid, left))", "row = (interest, paid, left)\n        table += [row]", True),
        ("k == 1", "k == 2", False),
        ("k == 1", "k == 0", False),
        ("range(rounds, 0, -1)", "range(rounds, 1, -1)", False),
        ("range(rounds, 0, -1)", "range(rounds + 1, 0, -1)", False),
        ("min(left, payment - interest)", "min(left, payment)", False),
        ("left * rate // 10000", "debt * rate // 10000", False),
        ("left * rate // 10000", "(left * rate + 5000) // 10000", False),
        ("            return table\n", "            return []\n", False),
        ("            return table\n", "            return table[:-1]\n", False),
        (
            "        if left == 0:\n            return table\n",
            "        if left <= 1:\n            return table\n",
            False,
        ),
        ("    return table\n", "    return []\n", True),  # it is not left there but where it has no round
        ("table = []", "table = []\n    other = table", True),
        ("(interest, paid, left)", "(interest, paid, left + (1 if k == 300 else 0))", False),
    ),
)
def test_two_tables_are_the_same_only_if_their_rounds_are(old: str, new: str, same: bool) -> None:
    assert old in RIGHT
    head, _, tail = RIGHT.rpartition(old)
    try:
        assert shown(head + new + tail, only="reference")["reference"] is same
    except NotRead:
        assert not same


@pytest.mark.parametrize("part", ["1:", ":-1"])
def test_a_part_of_a_table_is_not_taken_for_the_table(part: str) -> None:
    source = f"""
def paid_off(debt: int, rate: int, rounds: int, payment: int) -> list[tuple[int, int, int]]:
    table = []
    for k in range(rounds):
        table.append((k, 1, 1))
        if k == debt:
            break
    return table[{part}]
"""
    with pytest.raises(NotRead, match=r"a list of many rounds as a result|a list that is made of one of many rounds"):
        shown(source, '[[ensure]]\nid = "extra"\nthat = "len(result) != 2"\n', only="extra")
