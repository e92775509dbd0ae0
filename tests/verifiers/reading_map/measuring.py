"""Measuring a row: what the reader makes of its code is held against the real jail, or the spec's evaluator.

A row is *read exactly* only if the reading came to the same result, of the same type, or the same exception, on
every input that was run.
"""

from __future__ import annotations

import ast
from fractions import Fraction
from types import TracebackType
from typing import Any

from neurosym_sandbox import Jail, LoadFailed, Outcome, Program, Returned
from neurosym_specs.expr.evaluate import Evaluator
from neurosym_specs.expr.undefined import Undefined
from neurosym_specs.model import Spec
from neurosym_specs.signature import declarations, signature
from neurosym_verifiers.cases import UNSTATED, Case, CaseMaker
from neurosym_verifiers.clauses import Clauses
from neurosym_verifiers.oracle import Oracle
from neurosym_verifiers.proof.claims import Reader
from neurosym_verifiers.proof.holding import Holding, known
from neurosym_verifiers.proof.membership import belongs
from neurosym_verifiers.proof.runs import CandidateReading, Run
from neurosym_verifiers.reading.data.values import NotRead
from neurosym_verifiers.reading.depth import deep_recursion
from neurosym_verifiers.reading.execution import state
from neurosym_verifiers.reading.expressions.scope import Meaning
from neurosym_verifiers.reading.formulas.evaluating import Evaluation
from neurosym_verifiers.reading.inputs.assignments import assigned
from neurosym_verifiers.reading.inputs.crossing import in_spec
from neurosym_verifiers.reading.inputs.inputs import symbolic_inputs
from neurosym_verifiers.reading.inputs.shapes import key_of

from tests.verifiers.reading_map.inputs import drawn, imports_of, spec_of, spec_with
from tests.verifiers.reading_map.promises import Promises
from tests.verifiers.reading_map.rows import EXACTLY, NOT_READ, UNDER_A_CONDITION, Cell, Language, Row

INPUTS_EACH = 40
"""Inputs that a row is held against, all of them where there are fewer; five of each shape at the least."""

DEFINITIONS = """
[data]
rates = [{ from = 0, rate = "0.05" }, { from = 100, rate = "0.02" }]
levels = { 1 = "0.5", 2 = "0.25" }
[define]
"step(total, item)" = "2 * total - item"
"twice(item)" = "2 * item - 1"
[let]
"""


class Measurer:
    """A context manager: one jail for all rows."""

    def __enter__(self) -> Measurer:
        self._jail = Jail()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._jail.close()

    def cell(self, row: Row, language: Language) -> Cell:
        """What is measured of a row, and of what its condition leaves out."""
        measure = {"python": self._python, "spec": self._expression, "clause": self._clause}[language]
        with deep_recursion():
            words, difference = measure(row.code, row)
            if words or difference or not row.where:
                return Cell(row, NOT_READ if words else EXACTLY, words, difference)
            words, difference = measure(row.elsewhere, row)
            return Cell(row, UNDER_A_CONDITION if words else EXACTLY, words, difference)

    # Python

    def difference(self, read: str, run: str, result: str) -> str:
        """How what is read of one piece of Python differs from the run of another one with the same inputs."""
        spec = spec_of(read, result)
        candidate = Reader(spec).candidate(source_of(spec, read, ""))
        runs = {key_of(shape): candidate.run(shape) for shape in Reader(spec).shapes()}
        return self._first_difference(spec, source_of(spec, run, ""), candidate, runs)

    def _python(self, code: str, row: Row) -> tuple[str, str]:
        spec = spec_of(code, row.result)
        source = source_of(spec, code, row.module)
        reader = Reader(spec)
        candidate = reader.candidate(source)
        try:
            runs = {key_of(shape): candidate.run(shape) for shape in reader.shapes()}
        except NotRead as not_read:
            self._check_loads(spec, source)
            return not_read.what, ""
        return "", self._first_difference(spec, source, candidate, runs)

    def _check_loads(self, spec: Spec, source: str) -> None:
        """What is not read must still be Python, or the map would speak of nothing."""
        with self._jail.open(Program(source, spec.name, declarations(spec))) as session:
            assert not isinstance(session.loaded, LoadFailed), f"{session.loaded}\n{source}"

    def _first_difference(self, spec: Spec, source: str, candidate: CandidateReading, runs: dict[Any, Run]) -> str:
        maker = CaseMaker(spec, None)
        clauses = Clauses(spec, maker.evaluator)
        inputs = drawn(spec, source, [run.shape for run in runs.values()], INPUTS_EACH)
        with self._jail.open(Program(source, spec.name, declarations(spec))) as session:
            assert not isinstance(session.loaded, LoadFailed), f"{session.loaded}\n{source}"
            for shape, run in runs.items():
                assert inputs[shape], f"no inputs of the shape {shape}\n{source}"
                holding = Holding(spec, clauses, candidate, run)
                for given in inputs[shape]:
                    case = maker.case(given)
                    assert case is not None
                    outcome = session.call(case.arguments)
                    problem = holding.first_difference([(case, outcome)]) or _other_type(
                        spec, clauses, run, case, outcome
                    )
                    if problem:
                        return f"{problem}; really {outcome}\n{source}"
        return ""

    # Clauses of a spec

    def _clause(self, code: str, row: Row) -> tuple[str, str]:
        spec = spec_with(code, row.module, row.result)
        source = source_of(spec, row.module, "")
        reader = Reader(spec)
        claims = reader.claims(source)
        if claims.unread:
            return next(iter(claims.unread.values())).removeprefix("a reading of "), ""
        inputs = drawn(spec, source, reader.shapes(), INPUTS_EACH)
        with self._jail.open(Program(source, spec.name, declarations(spec))) as session:
            assert not isinstance(session.loaded, LoadFailed), f"{session.loaded}\n{source}"
            called: dict[Any, Outcome] = {}

            def call(case: Case) -> Outcome:
                if case.key not in called:
                    called[case.key] = session.call(case.arguments)
                return called[case.key]

            by_python = spec.reference is not None and spec.reference.python is not None
            oracle = Oracle(spec, lambda: self._jail) if by_python else None
            promises = Promises(spec, claims, CaseMaker(spec, oracle), call)
            difference, broken = promises.first_difference([given for each in inputs.values() for given in each])
            if oracle is not None:
                oracle.close()
        assert broken, f"no input breaks it, so that nothing is measured: {code}\n{source}"
        return "", f"{difference}: {code}\n{source}" if difference else ""

    # The spec's language

    def _expression(self, code: str, row: Row) -> tuple[str, str]:
        spec = spec_of(code, "int", f"{DEFINITIONS}asked = '''{code}'''\n")
        reader, asked = Reader(spec), spec.lets["asked"]
        try:
            shapes = reader.shapes()
            made = {key_of(shape): symbolic_inputs(spec, shape) for shape in shapes}
            values = {
                key: reader.expressions.value(
                    asked, Meaning({name: in_spec(value) for name, value in inputs.values.items()})
                )
                for key, inputs in made.items()
            }
        except NotRead as not_read:
            return not_read.what.split(" in the spec's `")[0], ""
        evaluator = Evaluator(spec)
        for shape, inputs in drawn(spec, code, shapes, INPUTS_EACH).items():
            value, defined = values[shape]
            assert inputs, f"no inputs of the shape {shape}: {code}"
            for given in inputs:
                evaluation = Evaluation(assigned(spec, given))
                found = _exactly(known(in_spec(value), evaluation)) if evaluation.condition(defined) else "undefined"
                try:
                    expected = _exactly(evaluator.bind(given).evaluate(asked))
                except Undefined:
                    expected = "undefined"
                if repr(found) != repr(expected):
                    return "", f"read as {found}, evaluated {expected} on {given}: {code}"
        return "", ""


def source_of(spec: Spec, code: str, module: str) -> str:
    """The program that holds the code as the body of the spec's function."""
    tree = ast.parse(code)
    is_expression = len(tree.body) == 1 and isinstance(tree.body[0], ast.Expr)
    body = f"return {code}" if is_expression else code
    indented = "".join(f"    {line}\n" for line in body.splitlines())
    head = signature(spec).split(" -> ")[0]
    lines = [imports_of(f"{module}\n{code}"), module, f"{head}:\n{indented}"]
    return "\n\n".join(line for line in lines if line)


def _other_type(spec: Spec, clauses: Clauses, run: Run, case: Case, outcome: Outcome) -> str:
    """Whether the reading takes the result for one of another type than it is, or has not seen an argument change."""
    if not isinstance(outcome, Returned):
        return ""
    if outcome.arguments_after is not None:
        return "the call changed its arguments"
    evaluation = Evaluation(assigned(spec, case.inputs))
    for end in run.exits:
        if isinstance(end.outcome, state.Returned) and evaluation.condition(end.condition):
            try:
                fits = evaluation.condition(belongs(spec.output, end.outcome.value))
            except NotRead:
                return ""
            if fits != (clauses.result_of(outcome) is not UNSTATED):
                return f"the reading takes the result for {'one' if fits else 'none'} of the type {spec.output}"
    return ""


def _exactly(value: Any) -> Any:
    """A value with every number, and no boolean, as a fraction, and dicts, which have no order, in one."""
    if isinstance(value, (int, Fraction)) and not isinstance(value, bool):
        return Fraction(value)
    if isinstance(value, dict):
        return {key: _exactly(value[key]) for key in sorted(value)}
    return type(value)(map(_exactly, value)) if isinstance(value, (list, tuple)) else value
