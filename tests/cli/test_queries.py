"""The queries behind a verdict: written as files that other solvers decide alike, and put to a second solver."""

from __future__ import annotations

import json
import re
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import cvc5  # type: ignore[import-untyped]
import pytest
import z3  # type: ignore[import-untyped]
from neurosym_verifiers import bench
from neurosym_verifiers.proof import second_opinion
from neurosym_verifiers.proof.cvc5_worker import answer
from neurosym_verifiers.proof.messages import Question, Script
from neurosym_verifiers.proof.process import NoReply, WorkerProcess
from neurosym_verifiers.proof.proofs import Proofs
from neurosym_verifiers.proof.queries import Query
from neurosym_verifiers.proof.second_opinion import SecondOpinion
from neurosym_verifiers.proof.worker import answer as decide
from neurosym_verifiers.reading.formulas.normal_forms import at_most, below, both, equal
from neurosym_verifiers.reading.formulas.terms import variable

from tests.cli.shared import RIGHT, Neurosym

PRODUCT = """
spec = 1
name = "interest"
[inputs]
balance = { type = "decimal", places = 2, min = "0.00", max = "1000.00" }
rate = { type = "decimal", places = 3, min = "0.000", max = "0.250" }
[output]
type = "decimal"
places = 2
[reference]
value = "round(balance * rate, 2, half_up)"
[[ensure]]
that = "result <= balance"
[[ensure]]
that = "balance * balance + rate * rate >= 2 * balance * rate"
"""
INTEREST = """
from decimal import ROUND_HALF_UP, Decimal


def interest(balance: Decimal, rate: Decimal) -> Decimal:
    return (balance * rate).quantize(Decimal("0.01"), rounding=ROUND_HALF_UP)
"""

PAY = """
spec = 1
name = "pay"
[inputs]
rate = { type = "decimal", places = 2, min = "0.00", max = "100.00" }
hours = { type = "list", of = { type = "int", min = 0, max = 24 }, min_len = 1, max_len = 2 }
[output]
type = "decimal"
places = 2
[reference]
value = "sum(hours) * rate"
[[relation]]
runs = ["a", "b"]
given = "a.hours == b.hours and a.rate <= b.rate"
that = "a.result <= b.result"
"""
PAID = """
from decimal import Decimal


def pay(rate: Decimal, hours: list[int]) -> Decimal:
    total = Decimal("0.00")
    for each in hours:
        total += rate * each
    return total
"""


class Replying:
    """In place of the second solver's process: one that says the same of everything."""

    def __init__(self, said: str) -> None:
        self._said = said

    def __call__(self, module: str) -> Replying:
        return self

    def ask(self, message: object, *, seconds: float) -> str:
        if self._said == "timeout":
            raise NoReply("timeout")
        return self._said

    def close(self) -> None:
        pass


@pytest.fixture
def product(tmp_path: Path) -> tuple[Path, Path]:
    spec, candidate = tmp_path / "interest.spec.toml", tmp_path / "interest.py"
    spec.write_text(PRODUCT)
    candidate.write_text(INTEREST)
    return spec, candidate


@pytest.fixture
def confirmed(tmp_path: Path) -> tuple[Path, Path]:
    """A spec and a candidate with one promise that takes a solver, and that both solvers decide."""
    folder = tmp_path / "confirmed"
    folder.mkdir()
    spec, candidate = folder / "interest.spec.toml", folder / "interest.py"
    spec.write_text(PRODUCT.rpartition("[[ensure]]")[0])
    candidate.write_text(INTEREST)
    return spec, candidate


@pytest.fixture
def pay(tmp_path: Path) -> tuple[Path, Path]:
    spec, candidate = tmp_path / "pay.spec.toml", tmp_path / "pay.py"
    spec.write_text(PAY)
    candidate.write_text(PAID)
    return spec, candidate


GROWN = """
spec = 1
name = "grown"
[inputs]
principal = { type = "float", min = 1.0, max = 1000000.0, places = 2 }
rate = { type = "float", min = 0.01, max = 0.2, places = 4 }
years = { type = "int", min = 1, max = 40 }
[output]
type = "float"
[reference]
value = "principal * (1 + rate) ** years"
abs_tol = "0.01"
"""


def test_a_query_that_the_algebra_left_says_so(neurosym: Neurosym, tmp_path: Path) -> None:
    spec, candidate = tmp_path / "grown.spec.toml", tmp_path / "grown.py"
    spec.write_text(GROWN)
    candidate.write_text("def grown(principal, rate, years):\n    return principal * (1 + rate) ** years\n")
    document = json.loads(neurosym("verify", "--json", "--emit-smt2", tmp_path / "q", spec, candidate).out)
    (query,) = queries_of(document, "reference")
    assert (query["answer"], query["algebra"], query["second_opinion"]) == ("unsat", True, None)
    text = (tmp_path / "q" / "grown.grown.reference.smt2").read_text()
    assert "; decided by the reading alone, after the algebra\n" in text
    assert "and the algebra is right, no input breaks the obligation" in text


def decided_by_z3(text: str) -> str:
    solver = z3.Solver()
    solver.from_string(text)
    return str(solver.check())


def test_every_query_is_a_file_on_which_both_solvers_agree(
    neurosym: Neurosym, spec: Path, right: Path, product: tuple[Path, Path], pay: tuple[Path, Path], tmp_path: Path
) -> None:
    files: list[Path] = []
    for each, candidate in ((spec, right), product, pay):
        found = tmp_path / f"queries of {candidate.stem}"
        assert neurosym("verify", "--emit-smt2", found, each, candidate).code == 0
        files += sorted(found.iterdir())
    assert {path.name for path in files} >= {"late_fee.right.reference.smt2", "interest.interest.ensure-1.smt2"}
    for path in files:
        text = path.read_text()
        (expected,) = re.findall(r"^\(set-info :status (\w+)\)$", text, re.MULTILINE)
        assert f"; expected   {expected}\n" in text
        assert decided_by_z3(text) == expected, path
        assert answer(Script(text, 5_000)).split()[0] in (expected, "unknown"), path
    assert any("QF_NIA" in path.read_text() for path in files)


def test_a_query_names_what_it_is_about(neurosym: Neurosym, spec: Path, right: Path, tmp_path: Path) -> None:
    document = json.loads(neurosym("verify", "--json", "--emit-smt2", tmp_path / "q", spec, right).out)
    text = (tmp_path / "q" / "late_fee.right.reference.smt2").read_text()
    assert f"; spec       late_fee  sha256 {document['spec']['sha256']}\n" in text
    assert f"sha256 {document['candidates'][0]['sha256']}\n" in text
    assert "; obligation reference\n" in text


def test_a_query_names_the_shape_of_the_inputs(neurosym: Neurosym, pay: tuple[Path, Path], tmp_path: Path) -> None:
    document = json.loads(neurosym("verify", "--json", "--emit-smt2", tmp_path / "q", *pay).out)
    shapes = [(query["shape"], query["lemma"]) for query in queries_of(document, "reference")]
    assert shapes == [("hours: 1", None), ("hours: 2", None)]
    asked = {query["shape"]: query["strategy"] for query in queries_of(document, "relation 1")}
    assert asked["a.hours: 2, b.hours: 2"] == "ordered"
    text = (tmp_path / "q" / "pay.pay.relation-1.a-hours-2-b-hours-2.smt2").read_text()
    assert "; shape      a.hours: 2, b.hours: 2\n" in text
    assert "; decided by Z3, linear integer arithmetic and the order of products\n" in text


def test_what_is_asserted_beside_the_question_is_a_query_of_its_own() -> None:
    names = ("a", "more", "b", "rate", "limit")
    a, more, b, rate, limit = (variable(name, 0, 1_000) for name in names)
    condition = both(equal(a + more, b), at_most((a + more) * rate, limit), below(limit, b * rate))
    reply = decide(Question(condition, dict.fromkeys(names, (0, 1_000)), 1_000_000, text=True))
    assert (reply.verdict, reply.strategy) == ("unsat", "factored")
    assert reply.lemmas
    for text in (*reply.lemmas, reply.text):
        assert decided_by_z3(text) == answer(Script(text, 20_000)) == "unsat"


def test_what_decided_a_question_is_tried_early_for_the_next() -> None:
    names = ("a", "more", "b", "rate", "limit")
    a, more, b, rate, limit = (variable(name, 0, 1_000) for name in names)
    condition = both(equal(a + more, b), at_most((a + more) * rate, limit), below(limit, b * rate))
    question = Question(condition, dict.fromkeys(names, (0, 1_000)), 1_000_000)
    assert [decide(replace(question, lead=lead)).strategy for lead in ("", "nonlinear")] == ["factored", "nonlinear"]


def test_two_candidates_of_one_name_do_not_share_files(
    neurosym: Neurosym, spec: Path, right: Path, tmp_path: Path
) -> None:
    other = tmp_path / "other" / right.name
    other.parent.mkdir()
    other.write_text(RIGHT)
    neurosym("verify", "--emit-smt2", tmp_path / "q", spec, right, other)
    assert (tmp_path / "q" / "late_fee.right.reference.2.smt2").exists()


def test_cvc5_confirms(neurosym: Neurosym, confirmed: tuple[Path, Path]) -> None:
    ran = neurosym("verify", "--second-opinion", *confirmed)
    assert ran.code == 0
    assert re.search(rf"cvc5 {cvc5.__version__} confirms (\d+) of \1 queries that Z3 decided", ran.out)
    document = json.loads(neurosym("verify", "--json", "--second-opinion", *confirmed).out)
    opinions = [query["second_opinion"] for query in queries_of(document) if query["strategy"] != "reading"]
    assert opinions
    assert all(opinion["confirmed"] and opinion["answer"] == "unsat" for opinion in opinions)


@pytest.mark.parametrize("strategy", ["linear", "nonlinear"])
def test_cvc5_itself_contradicts(strategy: str) -> None:
    """What cvc5 finds satisfiable is a contradiction, whatever answer Z3 gave before."""
    x, y = (variable(name, 0, 9) for name in "xy")
    condition = both(below(x, y), *((at_most(x * y, x * x + y),) if strategy == "nonlinear" else ()))
    reply = decide(Question(condition, {"x": (0, 9), "y": (0, 9)}, 1_000_000, text=True))
    assert reply.verdict == "sat"
    second = SecondOpinion()
    try:
        (query,) = second.on([Query("reference", "", "unsat", strategy, reply.text)])
    finally:
        second.close()
    proofs = Proofs(proved={"reference": "Z3", "pure": "reading"})
    proofs.with_opinions([query])
    assert query.opinion is not None
    assert (query.opinion.answer, query.opinion.contradicts) == ("sat", True)
    assert proofs.proved == {}
    assert "reference" in proofs.contradicted


@pytest.mark.parametrize(
    "text",
    [
        "",
        "(check-sat",
        "(set-logic QF_LIA)\n(assert (foo))\n(check-sat)\n",
        "(set-logic QF_LIA)\n(assert false)\n(check-sat)\n(check-sat)\n",
        "(set-logic QF_LIA)\n(assert false)\n",
    ],
)
def test_what_is_no_single_answer_is_no_opinion(text: str) -> None:
    second = SecondOpinion()
    try:
        (query,) = second.on([Query("reference", "", "unsat", "linear", text)])
    finally:
        second.close()
    assert query.opinion is not None
    assert not query.opinion.confirms
    assert not query.opinion.contradicts


def test_a_second_solver_that_cannot_be_loaded_confirms_nothing(
    neurosym: Neurosym, confirmed: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(second_opinion, "WorkerProcess", lambda module: WorkerProcess("no_such_worker"))
    ran = neurosym("verify", "--second-opinion", *confirmed)
    assert "confirms 0 of" in ran.out
    assert "not confirmed: the solver ended" in ran.out


HIDDEN = RIGHT.replace(
    "    fee =", "    if balance * 7 == days_overdue * 100 + Decimal('191.03'):\n        return Decimal(16)\n    fee ="
)


def test_a_slow_second_solver_costs_no_counterexample(
    neurosym: Neurosym, spec: Path, right: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What Z3 found is run before anybody else is asked, so that the candidate's time is still there for it."""
    right.write_text(HIDDEN)
    assert neurosym("verify", spec, right).code == 1
    now, real = [0.0], time.monotonic
    monkeypatch.setattr("neurosym_verifiers.trial.time.monotonic", lambda: real() + now[0])

    class Slow(Replying):
        def ask(self, message: object, *, seconds: float) -> str:
            now[0] += 100.0
            return "unsat"

    monkeypatch.setattr(second_opinion, "WorkerProcess", Slow("unsat"))
    assert neurosym("verify", "--second-opinion", spec, right).code == 1


def queries_of(document: dict[str, Any], obligation: str = "") -> list[dict[str, Any]]:
    return [
        query
        for each in document["candidates"][0]["obligations"]
        if obligation in ("", each["id"])
        for query in each["queries"]
    ]


def test_a_contradiction_is_our_fault_and_drops_every_proof(
    neurosym: Neurosym, confirmed: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(second_opinion, "WorkerProcess", Replying("sat"))
    ran = neurosym("verify", "--second-opinion", *confirmed)
    assert ran.code == 70
    assert "Z3 says that nothing breaks it" in " ".join(ran.out.split())
    document = json.loads(neurosym("verify", "--json", "--second-opinion", *confirmed).out)
    verdicts = {each["id"]: each["verdict"] for each in document["candidates"][0]["obligations"]}
    assert document["exit_code"] == 70
    assert verdicts["ensure 1"] == "ERROR"
    assert "PROVED" not in [verdict for id_, verdict in verdicts.items() if not id_.startswith("example")]


@pytest.mark.parametrize("said", ["unknown", "timeout"])
def test_what_the_second_solver_does_not_decide_is_not_confirmed(
    neurosym: Neurosym, confirmed: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch, said: str
) -> None:
    monkeypatch.setattr(second_opinion, "WorkerProcess", Replying(said))
    ran = neurosym("verify", "--require", "proved", "--second-opinion", *confirmed)
    assert ran.code == 0
    assert f"not confirmed: {said}" in ran.out
    document = json.loads(neurosym("verify", "--json", "--second-opinion", *confirmed).out)
    asked = [query for query in queries_of(document) if query["second_opinion"]]
    assert asked
    assert not any(query["second_opinion"]["confirmed"] for query in asked)


def test_without_the_package_it_is_the_environment(
    neurosym: Neurosym, spec: Path, right: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bench, "installed", lambda: "")
    ran = neurosym("verify", "--second-opinion", spec, right)
    assert ran.code == 4
    assert "pip install 'neurosym-verify[second-opinion]'" in ran.err


@pytest.mark.parametrize("option", [["--second-opinion"], ["--emit-smt2", "queries"]])
def test_nothing_to_export_or_confirm_without_a_proof(
    neurosym: Neurosym, spec: Path, right: Path, option: list[str]
) -> None:
    ran = neurosym("verify", "--no-proof", *option, spec, right)
    assert ran.code == 2
    assert "--no-proof" in ran.err


def test_a_directory_that_cannot_be_made_is_a_usage_error(neurosym: Neurosym, spec: Path, right: Path) -> None:
    assert neurosym("verify", "--emit-smt2", right / "queries", spec, right).code == 2


def test_a_solver_that_does_not_come_to_an_end_is_killed() -> None:
    digits = "9" * 40
    hard = (
        "(set-logic QF_NIA)(declare-const x Int)(declare-const y Int)(declare-const z Int)"
        f"(assert (and (> x {digits}) (> y x) (> z y) (= (+ (* x x x) (* y y y)) (* z z z))))(check-sat)"
    )
    with WorkerProcess("neurosym_verifiers.proof.cvc5_worker") as process:
        with pytest.raises(NoReply, match="timeout"):
            process.ask(Script(hard, 600_000), seconds=1)
        assert process.ask(Script("(set-logic QF_LIA)(assert false)(check-sat)", 1000), seconds=30) == "unsat"
