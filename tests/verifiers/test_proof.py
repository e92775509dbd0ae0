"""No wrong program is proved: known-false programs, and mutants of right ones held against the original."""

from __future__ import annotations

import ast
import copy
import json
import random
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, ClassVar
from unittest.mock import create_autospec

import pytest
from neurosym_sandbox import Outcome, Returned
from neurosym_specs.expr.evaluate import Evaluator
from neurosym_specs.loader import load_spec, spec_from_toml
from neurosym_specs.model import Spec
from neurosym_specs.verdicts import Proved, Refuted, Standing, Tested, Unknown, Vacuous, combine
from neurosym_verifiers.bench import Bench, Effort
from neurosym_verifiers.cases import Case, CaseMaker
from neurosym_verifiers.clauses import Clauses
from neurosym_verifiers.judgement import Judgement
from neurosym_verifiers.oracle import Answered, Oracle
from neurosym_verifiers.proof.claims import Reader
from neurosym_verifiers.proof.holding import known
from neurosym_verifiers.proof.messages import Answer
from neurosym_verifiers.proof.proofs import Proofs
from neurosym_verifiers.proof.prover import Prover
from neurosym_verifiers.proof.runs import CandidateReading
from neurosym_verifiers.proof.solver import Solver
from neurosym_verifiers.reading.execution.state import Raised
from neurosym_verifiers.reading.formulas.bounds import Spans
from neurosym_verifiers.reading.formulas.evaluating import Evaluation
from neurosym_verifiers.reading.formulas.terms import FALSE, Condition
from neurosym_verifiers.reading.inputs.assignments import assigned
from neurosym_verifiers.reading.inputs.crossing import in_spec
from neurosym_verifiers.reading.inputs.shapes import shape_of
from neurosym_verifiers.search.constants import source_constants, spec_constants
from neurosym_verifiers.search.draw import Constants, Drawer

EXAM = Path(__file__).parents[1] / "exam"
READ = (
    "t01_vat_amount",
    "t03_invoice_tax_per_line",
    "t08_to_home_currency",
    "t12_platform_fee",
    "t21_utilisation_band",
    "t25_ageing_bucket",
)

FEE = """
spec = 1
name = "fee"
[inputs]
amount = { type = "decimal", places = 2, min = "-10.00", max = "100000.00" }
late = { type = "int", min = 0, max = 400 }
[output]
type = "decimal"
places = 2
[[reject]]
id = "negative"
when = "amount < 0"
raises = "ValueError"
[reference]
value = "0 if late <= 10 else round(amount * 0.015, 2, half_up)"
[[ensure]]
id = "grace"
when = "late <= 10"
that = "result == 0"
[[relation]]
id = "monotone"
monotone = { amount = "up" }
"""

RIGHT = """
from decimal import Decimal, ROUND_HALF_UP
def fee(amount: Decimal, late: int) -> Decimal:
    if amount < 0:
        raise ValueError("negative")
    if late <= 10:
        return Decimal("0.00")
    return (amount * Decimal("0.015")).quantize(Decimal("0.01"), rounding=ROUND_HALF_UP)
"""


def judged(text: str, source: str) -> dict[str, Any]:
    with Bench(spec_from_toml(text), Effort(examples=20)) as bench:
        assert bench.spec_fault() is None
        found = bench.judge(source)
        assert isinstance(found, Judgement), found
        return {obligation.id: verdict for obligation, verdict in found.verdicts.items()}


def test_a_right_program_is_proved_in_every_obligation() -> None:
    verdicts = judged(FEE, RIGHT)
    assert combine(verdicts.values()) is Standing.PROVED
    for verdict in verdicts.values():
        assert isinstance(verdict, Proved)
        assert verdict.assumptions


def test_a_program_that_is_not_read_is_tested_and_says_why() -> None:
    verdicts = judged(FEE, RIGHT.replace("if amount < 0:", "if amount.is_signed():"))
    assert combine(verdicts.values()) is Standing.TESTED
    reference = verdicts["reference"]
    assert isinstance(reference, Tested)
    assert "is_signed" in reference.lacks
    assert "line 4" in reference.lacks


def test_a_fault_that_no_drawn_input_meets_is_found_by_the_prover_and_run() -> None:
    hidden = RIGHT.replace(
        "    if late <= 10:",
        "    if amount * 7 == late * 1000 + Decimal('191.03'):\n        return amount\n    if late <= 10:",
    )
    verdicts = judged(FEE, hidden)
    assert combine(verdicts.values()) is Standing.REFUTED
    assert any(isinstance(verdict, Refuted) for verdict in verdicts.values())


def test_no_proof_where_there_is_nothing_to_prove() -> None:
    impossible = FEE.replace('when = "amount < 0"', 'when = "amount < 1000000"')
    verdicts = judged(impossible, "def fee(amount, late):\n    raise ValueError\n")
    assert isinstance(verdicts["reference"], (Unknown, Vacuous))
    assert combine(verdicts.values()) is Standing.UNKNOWN


@pytest.mark.parametrize(
    ("clause", "proved"),
    [
        ('that = "result >= 0"', True),
        ('that = "result <= 1500"', True),
        ('that = "result * 1000 <= amount * 15 + 5"', True),
        ('that = "result < 1500"', False),
        ('that = "result * 1000 <= amount * 15 + 4.9"', False),
        ('that = "result != 750.01"', False),
        ('that = "result == 0 or late > 11"', False),
        ('that = "amount / result > 0"', False),
        ('that = "1 / (late - 400) < 1"', False),
    ],
)
def test_a_clause_is_proved_exactly_if_it_holds(clause: str, proved: bool) -> None:
    spec = spec_from_toml(FEE + f'\n[[ensure]]\nid = "extra"\n{clause}\n')
    claims = Reader(spec).claims(RIGHT)
    asked = [claim for claim in claims.claims if claim.obligation == "ensure: extra"]
    with Solver() as solver:
        answers = [solver.ask(claim.against, claim.bounds, seconds=20).verdict for claim in asked]
    assert (answers == ["unsat"]) is proved


@pytest.mark.parametrize(
    ("relation", "proved"),
    [
        ('given = "a.amount <= b.amount and a.late == b.late"\nthat = "a.result <= b.result"', True),
        ('given = "a.amount <= b.amount"\nthat = "a.result <= b.result"', False),
        ('given = "a.amount < b.amount and a.late == b.late and a.late > 10"\nthat = "a.result < b.result"', False),
        ('given = "b.amount == a.amount + 0.01 and a.late == b.late"\nthat = "b.result - a.result <= 0.01"', True),
        ('given = "b.amount == a.amount + 1 and a.late == b.late"\nthat = "b.result - a.result <= 0.01"', False),
        ('given = "b.amount == 2 * a.amount and a.late == b.late"\nthat = "b.result == 2 * a.result"', False),
    ],
)
def test_a_relation_is_proved_exactly_if_it_holds(relation: str, proved: bool) -> None:
    spec = spec_from_toml(FEE + f'\n[[relation]]\nid = "extra"\n{relation}\n')
    claims = Reader(spec).claims(RIGHT)
    asked = [claim for claim in claims.claims if claim.obligation == "relation: extra"]
    with Solver() as solver:
        answers = [solver.ask(claim.against, claim.bounds, seconds=20).verdict for claim in asked]
    assert (answers == ["unsat"]) is proved


class Mutator(ast.NodeTransformer):
    """Changes the n-th place that can be changed."""

    SWAPS: ClassVar[dict[type[ast.AST], type[ast.AST]]] = {
        ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Add: ast.Sub, ast.Sub: ast.Add,
        ast.Mult: ast.Add, ast.And: ast.Or, ast.Or: ast.And, ast.Eq: ast.NotEq, ast.NotEq: ast.Eq,
    }  # fmt: skip
    MODES = ("ROUND_HALF_UP", "ROUND_HALF_EVEN", "ROUND_DOWN", "ROUND_HALF_DOWN", "ROUND_UP")

    def __init__(self, at: int, variant: int) -> None:
        self._left = at
        self._variant = variant
        self.changed = False

    def generic_visit(self, node: ast.AST) -> ast.AST:
        node = super().generic_visit(node)
        swap = self.SWAPS.get(type(node))
        if swap is not None and self._here():
            return swap()
        return node

    def visit_Constant(self, node: ast.Constant) -> ast.AST:
        if type(node.value) is int and self._here():
            return ast.copy_location(ast.Constant(node.value + (1, -1)[self._variant % 2]), node)
        if isinstance(node.value, str) and node.value[:1].isdigit() and self._here():
            return ast.copy_location(ast.Constant(("1", "0.1", "0.001")[self._variant % 3]), node)
        return node

    def visit_Name(self, node: ast.Name) -> ast.AST:
        if node.id in self.MODES and self._here():
            return ast.copy_location(
                ast.Attribute(ast.Name("decimal", ast.Load()), self.MODES[self._variant % 5], ast.Load()), node
            )
        return node

    def _here(self) -> bool:
        self._left -= 1
        if self._left == -1:
            self.changed = True
            return True
        return False


def mutants(source: str) -> Iterator[str]:
    """Programs that differ from the source in one place."""
    tree = ast.parse(source)
    for at in range(200):
        for variant in range(5):
            mutator = Mutator(at, variant)
            changed = ast.fix_missing_locations(mutator.visit(copy.deepcopy(tree)))
            if not mutator.changed:
                return
            text = "import decimal\n" + ast.unparse(changed)
            if text != "import decimal\n" + ast.unparse(tree):
                yield text


def dense_inputs(spec: Spec, *sources: str, count: int) -> list[dict[str, Any]]:
    """Inputs inside the spec's requires, on and around every constant that spec or programs name."""
    rng = random.Random(1)
    found = [spec_constants(spec), *map(source_constants, sources)]
    constants = Constants(tuple({n: None for c in found for n in c.numbers}), (), ())
    drawer, maker = Drawer(rng, constants), CaseMaker(spec, None)
    cases = (maker.case(drawer.inputs(spec.inputs)) for _ in range(4 * count))
    return [dict(case.inputs) for case in cases if case is not None and case.accepted][:count]


def value_of(candidate: CandidateReading, spec: Spec, inputs: dict[str, Any]) -> Any:
    """What the reading of a program comes to."""
    evaluation = Evaluation(assigned(spec, inputs))
    run = candidate.run(shape_of(spec, inputs))
    taken = next(e for e in run.exits if evaluation.condition(e.condition))
    return (
        taken.outcome.names[0] if isinstance(taken.outcome, Raised) else known(in_spec(taken.outcome.value), evaluation)
    )


def check_mutants(task: str, most: int) -> tuple[int, int]:
    """How many mutants were read, and how many of them proved (all of these equal to the original)."""
    spec = load_spec(next((EXAM / task).glob("*.spec.toml")))
    original = (EXAM / task / "correct_1.py").read_text()
    reader = Reader(spec)
    right = reader.candidate(original)
    everything = list(mutants(original))
    random.Random(0).shuffle(everything)
    read = proved = 0
    with Solver() as solver:
        for source in everything[:most]:
            claims = reader.claims(source)
            if not claims.runs or set(claims.unread) & {"*", "reference", "no crash"}:
                continue
            read += 1
            told = [c for c in claims.claims if c.obligation in ("reference", "no crash")]
            assert len(told) == 2 * len(reader.shapes())
            if all(solver.ask(c.against, c.bounds, seconds=10).verdict == "unsat" for c in told):
                proved += 1
                candidate = reader.candidate(source)
                for inputs in dense_inputs(spec, original, source, count=300):
                    found, expected = (value_of(each, spec, inputs) for each in (candidate, right))
                    assert found == expected, f"{inputs}\n{source}"
    return read, proved


@pytest.mark.parametrize("task", READ)
def test_a_mutant_of_a_proved_program_is_proved_only_if_it_is_the_same(task: str) -> None:
    spec = load_spec(next((EXAM / task).glob("*.spec.toml")))
    most = 15 if len(Reader(spec).shapes()) == 1 else 4
    read, proved = check_mutants(task, most=most)
    assert read >= most // 5
    assert proved < read


@pytest.mark.slow
@pytest.mark.parametrize("task", READ)
def test_every_mutant_of_a_proved_program(task: str) -> None:
    read, proved = check_mutants(task, most=1000)
    assert proved < read


@pytest.mark.slow
def test_the_exams_wrong_programs_are_never_proved() -> None:
    asked = 0
    for task in READ:
        spec = load_spec(next((EXAM / task).glob("*.spec.toml")))
        labels = json.loads((EXAM / task / "labels.json").read_text())["candidates"]
        with Solver() as solver:
            for name, label in labels.items():
                if label["label"] == "wrong":
                    claims = Reader(spec).claims((EXAM / task / name).read_text())
                    if claims.claims:
                        asked += 1
                        asks = (solver.ask(c.against, c.bounds, seconds=10) for c in claims.claims)
                        assert claims.unread or any(reply.verdict != "unsat" for reply in asks), name
    assert asked >= 8


def test_what_is_false_for_bounds_reasons_alone_needs_no_solver() -> None:
    spec = spec_from_toml(FEE)
    claims = Reader(spec).claims(RIGHT)
    assert any(claim.against == FALSE for claim in claims.claims)


TOTAL = """
spec = 1
name = "total"
[inputs]
xs = { type = "list[count]", max_len = 3 }
[types.count]
type = "int"
min = 0
max = 50
[output]
type = "int"
[reference]
REFERENCE
"""
BY_EXPRESSION = TOTAL.replace("REFERENCE", 'value = "sum(xs)"')
BY_PYTHON = TOTAL.replace("REFERENCE", "python = '''\ndef total(xs):\n    return sum(xs)\n'''")
SUMS = "def total(xs):\n    t = 0\n    for x in xs:\n        t += x\n    return t\n"


HARD_FIRST = """
spec = 1
name = "area"
[inputs]
a = { type = "int", min = 0, max = 1000 }
b = { type = "int", min = 0, max = 1000 }
[output]
type = "int"
[[ensure]]
id = "hard"
that = "4 * result <= (a + b) ** 2"
[[ensure]]
id = "easy"
that = "result >= a or b == 0"
[[ensure]]
id = "wrong"
that = "4 * result != (a + b) ** 2 or a + b != 1998"
"""


def test_what_takes_long_waits_until_all_others_were_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[tuple[bool, str]] = []
    ask = Solver.ask

    def recorded(self: Solver, condition: Condition, bounds: Spans, **options: Any) -> Answer:
        answer = ask(self, condition, bounds, **options)
        asked.append((options.get("at_once", False), answer.verdict))
        return answer

    monkeypatch.setattr(Solver, "ask", recorded)
    right, wrong = HARD_FIRST.split('[[ensure]]\nid = "wrong"')
    verdicts = judged(right, "def area(a: int, b: int) -> int:\n    return a * b\n")
    assert all(isinstance(verdict, Proved) for verdict in verdicts.values())
    assert (True, "unknown") in asked
    quick = [at_once for at_once, _ in asked]
    assert quick == sorted(quick, reverse=True)
    verdicts = judged(
        right + '[[ensure]]\nid = "wrong"' + wrong, "def area(a: int, b: int) -> int:\n    return a * b\n"
    )
    assert not isinstance(verdicts["ensure: wrong"], Proved)


def prove(text: str, source: str, execute: Callable[[Case], Outcome | None]) -> tuple[Proofs, list[int]]:
    """What the prover says with no runs but those that it asks for; and the lengths of the lists that it asked for."""
    spec = spec_from_toml(text)
    asked: list[int] = []
    oracle = create_autospec(Oracle, instance=True)
    oracle.ask.side_effect = lambda inputs: Answered(sum(inputs["xs"]))

    def executed(inputs: dict[str, Any]) -> tuple[Case, Outcome] | None:
        asked.append(len(inputs["xs"]))
        case = CaseMaker(spec, oracle).case(inputs)
        assert case is not None
        outcome = execute(case)
        return None if outcome is None else (case, outcome)

    prover = Prover(spec, Clauses(spec, Evaluator(spec)))
    try:
        return prover.prove(source, [], executed, seconds=30), asked
    finally:
        prover.close()


def right_outcome(case: Case) -> Outcome:
    return Returned(sum(case.inputs["xs"]))


@pytest.mark.parametrize("text", [BY_EXPRESSION, BY_PYTHON])
def test_a_reading_is_held_against_an_execution_of_every_shape(text: str) -> None:
    proofs, asked = prove(text, SUMS, right_outcome)
    assert "reference" in proofs.proved
    assert asked == [0, 1, 2, 3]


def test_nothing_is_proved_where_a_shape_cannot_be_executed() -> None:
    proofs, _ = prove(BY_EXPRESSION, SUMS, lambda case: right_outcome(case) if len(case.inputs["xs"]) < 2 else None)
    assert not proofs.proved
    assert "every shape" in proofs.lacks["*"]


def test_nothing_is_proved_where_one_shape_comes_out_otherwise() -> None:
    proofs, _ = prove(BY_EXPRESSION, SUMS, lambda case: Returned(len(case.inputs["xs"]) // 3 + sum(case.inputs["xs"])))
    assert not proofs.proved
    assert "another value" in proofs.disagreement


def test_nothing_is_proved_on_a_python_reference_that_is_read_otherwise_than_it_runs() -> None:
    another = BY_PYTHON.replace("return sum(xs)", "return sum(xs) + len(xs) // 3")
    proofs, _ = prove(another, SUMS, right_outcome)
    assert not proofs.proved
    assert "reference is read differently" in proofs.disagreement


def test_a_proof_ends_with_its_units_and_not_with_the_clock() -> None:
    spec = spec_from_toml(FEE)
    claim = next(c for c in Reader(spec).claims(RIGHT).claims if c.obligation == "relation: monotone")
    with Solver() as solver:
        answer = solver.ask(claim.against, claim.bounds, seconds=60, units=10)
        assert answer.verdict == "unknown"
        assert solver.ask(claim.against, claim.bounds, seconds=60).verdict == "unsat"


def test_without_time_or_units_only_what_is_seen_at_once_is_decided() -> None:
    claims = Reader(spec_from_toml(FEE)).claims(RIGHT).claims
    open_ = next(claim for claim in claims if claim.obligation == "reference" and claim.against != FALSE)
    with Solver() as solver:
        for nothing in ({"seconds": 0.0}, {"seconds": 10.0, "units": 0}):
            reply = solver.ask(open_.against, open_.bounds, **nothing)  # type: ignore[arg-type]
            assert (reply.verdict, reply.strategy, reply.spent) == ("unknown", "budget", 0)
            assert solver.ask(FALSE, open_.bounds, **nothing).verdict == "unsat"  # type: ignore[arg-type]


def test_a_part_of_the_prover_that_contradicts_itself_leaves_nothing_proved_by_any_reading() -> None:
    shown = Proofs(proved={"returns": "reading"}, lacks={"reference": "the solver gave up"})
    at_fault = Proofs(fault="an identity that fails").all_lack("an algebra that agrees with itself")
    assert shown.is_open
    assert not at_fault.is_open
    assert shown.and_then(at_fault).proved == {}
