"""A sketch read with its holes as variables: what must be true of them for a run on known inputs to be right."""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from neurosym_specs.model import Ensure, Example, Relation, Spec
from neurosym_specs.obligations import obligation_id
from neurosym_specs.sketch import COMPARISONS, HOLE, Sketch

from neurosym_verifiers.cases import UNSTATED, Case
from neurosym_verifiers.proof.claims import Claims, Reader
from neurosym_verifiers.proof.membership import same, within
from neurosym_verifiers.proof.relations import broken
from neurosym_verifiers.proof.runs import CandidateReading, Run, bounds_of
from neurosym_verifiers.proof.solver import Solver
from neurosym_verifiers.reading.data.values import Int, Member, Value
from neurosym_verifiers.reading.execution.state import Raised
from neurosym_verifiers.reading.formulas.bounds import Spans
from neurosym_verifiers.reading.formulas.evaluating import Evaluation
from neurosym_verifiers.reading.formulas.normal_forms import both, either, equal, negated
from neurosym_verifiers.reading.formulas.terms import FALSE, Condition, Flag, number, variable
from neurosym_verifiers.reading.inputs.assignments import assigned, concrete
from neurosym_verifiers.reading.inputs.inputs import symbolic_inputs
from neurosym_verifiers.reading.inputs.shapes import Shape, shape_of
from neurosym_verifiers.synthesis.fixed import constant, fixed_inputs

Filling = Mapping[str, Any]
"""Spec values by hole."""

_PREFIX = "hole "
"""Before the variables of holes, which no input can be called like."""

_NO_LISTS: Shape = {}
_QUICK_S = 2.0
_OPERATORS: Mapping[str, ast.cmpop] = dict(
    zip(COMPARISONS, (ast.Lt(), ast.LtE(), ast.Gt(), ast.GtE(), ast.Eq(), ast.NotEq()), strict=True)
)


@dataclass(frozen=True, slots=True)
class Demand:
    """What an input asks of the holes. ``complete``: nothing that the spec says of it is left out."""

    condition: Condition
    complete: bool


class SketchReading:
    """A sketch of a spec. Raises ``NotRead`` for holes whose type is not read."""

    def __init__(self, spec: Spec, sketch: Sketch, solver: Solver) -> None:
        self.spec, self.sketch, self.solver = spec, sketch, solver
        self._holes = replace(spec, inputs=dict(sketch.holes))
        symbolic = symbolic_inputs(self._holes, _NO_LISTS, _PREFIX)
        self.universe = symbolic.universe
        self.values = {name: _read(value, sketch.compares(name)) for name, value in symbolic.values.items()}
        self.bounds: Spans = bounds_of(symbolic.values)
        names = {name: _fresh(name, sketch.text) for name in sketch.holes}
        self.source = ast.unparse(_Named(sketch, names).visit(ast.parse(sketch.text)))
        self.reader = Reader(_without_reference(spec), {names[name]: value for name, value in self.values.items()})

    def candidate(self, source: str | None = None) -> CandidateReading:
        """The sketch, or a program, to be read run by run."""
        return self.reader.candidate(self.source if source is None else source, self._may_be)

    def demand(self, case: Case, example: Example | None = None) -> Demand:
        """What makes the run on one input right; of an ``example`` also its answer. Raises ``NotRead``."""
        candidate = self.candidate()
        run = self._run(candidate, case)
        if case.decided_by == "reference":
            return Demand(_raises(run, case.raises), True)
        found = Claims()
        self.reader.claims_of(candidate, run, found)
        parts = [negated(claim.against) for claim in found.claims]
        if case.accepted and case.expected is not UNSTATED:
            parts.append(self._comes_to(run, case.expected))
        elif case.accepted and example is not None and not example.raises:
            parts.append(self._comes_to(run, example.out))
        return Demand(both(*parts), not found.unread)

    def demand_of(self, relation: Relation, cases: Sequence[Case]) -> Demand:
        """What makes a relation hold of the runs on some inputs. Raises ``NotRead``."""
        candidate = self.candidate()
        runs = [self._run(candidate, case) for case in cases]
        with candidate.within_budget():
            return Demand(negated(broken(relation, candidate, runs)), True)

    def is_filling(self, filling: Filling) -> Condition:
        """That the holes have just these values."""
        return both(*map(self._equals, *zip(*assigned(self._holes, filling, _PREFIX).items(), strict=True)))

    def filling(self, model: Mapping[str, int | bool]) -> dict[str, Any]:
        """The filling that an assignment of the variables stands for."""
        return concrete(self._holes, _NO_LISTS, model, _PREFIX)

    def holds(self, demand: Demand, filling: Filling) -> bool:
        """Whether a filling fulfils a demand."""
        return Evaluation(assigned(self._holes, filling, _PREFIX)).condition(demand.condition)

    def _equals(self, name: str, value: int | bool) -> Condition:
        if isinstance(value, bool):
            return Flag(name) if value else negated(Flag(name))
        return equal(variable(name, *self.bounds.get(name, (None, None))), number(value))

    def _run(self, candidate: CandidateReading, case: Case) -> Run:
        return candidate.run_on(fixed_inputs(self.spec, case.inputs), shape_of(self.spec, case.inputs))

    def _comes_to(self, run: Run, expected: Any) -> Condition:
        right, reference = constant(self.spec.output, expected), self.spec.reference
        if reference is not None and (reference.abs_tol or reference.rel_tol):
            tolerances = reference.abs_tol, reference.rel_tol
            return either(*(both(c, within(value, right, *tolerances)) for c, value in run.results))
        return either(*(both(c, same(value, right)) for c, value in run.results))

    def _may_be(self, condition: Condition, bounds: Spans) -> bool:
        if condition == FALSE:
            return False
        spans = {**bounds, **self.bounds}
        return self.solver.ask(condition, spans, units=1_000_000, seconds=_QUICK_S).verdict != "unsat"


def _read(value: Value, compares: bool) -> Value:
    """A hole's value; of a comparison the number of its choice."""
    return Int(value.index) if compares and isinstance(value, Member) else value


def _raises(run: Run, names: tuple[str, ...]) -> Condition:
    ends = (e for e in run.exits if isinstance(e.outcome, Raised) and set(e.outcome.names) & set(names))
    return either(*(e.condition for e in ends))


def _without_reference(spec: Spec) -> Spec:
    """The right value is known of each input; a reference that is a condition is an ensure like any other."""
    reference = spec.reference
    if reference is None or reference.where is None:
        return replace(spec, reference=None)
    where = Ensure(id="the reference's condition", that=reference.where)
    assert obligation_id("ensure", where)
    return replace(spec, reference=None, ensures=(*spec.ensures, where))


def _fresh(name: str, text: str) -> str:
    """A name that the text does not hold."""
    found = f"{HOLE}_{name}"
    while found in text:
        found += "_"
    return found


class _Named(ast.NodeTransformer):
    """Names in place of holes; a comparison that is open becomes a choice among all that it may be."""

    def __init__(self, sketch: Sketch, names: Mapping[str, str]) -> None:
        self._sketch, self._names = sketch, names

    def visit_Call(self, node: ast.Call) -> ast.expr:
        if not (isinstance(node.func, ast.Name) and node.func.id == HOLE):
            found = self.generic_visit(node)
            assert isinstance(found, ast.expr)
            return found
        assert isinstance(node.args[0], ast.Constant)
        name = str(node.args[0].value)
        index = ast.Name(self._names[name], ast.Load())
        sides = next((word.value for word in node.keywords if word.arg == "between"), None)
        if sides is None:
            return index
        assert isinstance(sides, ast.Tuple)
        left, right = (self.visit(each) for each in sides.elts)
        choices = [_OPERATORS[str(choice)] for choice in self._sketch.holes[name].choices or ()]
        found = ast.Compare(left, [choices[-1]], [right])
        for at in range(len(choices) - 2, -1, -1):
            test = ast.Compare(index, [ast.Eq()], [ast.Constant(at)])
            found = ast.IfExp(test, ast.Compare(left, [choices[at]], [right]), found)
        return found
