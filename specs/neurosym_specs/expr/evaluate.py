"""Evaluating a spec's expressions on inputs, exactly."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from neurosym_specs.expr.budget import Budget
from neurosym_specs.expr.compiling import compile_node
from neurosym_specs.expr.datavalues import kind_of
from neurosym_specs.expr.language import RAISED, RESULT
from neurosym_specs.expr.literals import UNSET
from neurosym_specs.expr.observing import Observer
from neurosym_specs.expr.oracle import Oracle
from neurosym_specs.expr.program import Compiled, Local, Program, RunCells, Unit
from neurosym_specs.expr.syntax import Expression
from neurosym_specs.expr.undefined import BudgetExceeded, Undefined
from neurosym_specs.model import Spec

DEFAULT_BUDGET = Budget()

__all__ = ["Budget", "BudgetExceeded", "Evaluator", "Observer", "RunsScope", "Scope", "Undefined"]


class Evaluator:
    """A spec's expressions, compiled when first used.

    With an ``observer`` every comparison, rounding and condition is told to it; without one that costs nothing.
    Each evaluation has the whole ``budget``. Not to be shared between threads.
    """

    def __init__(self, spec: Spec, *, observer: Observer | None = None, budget: Budget = DEFAULT_BUDGET) -> None:
        self.spec = spec
        self.budget = budget
        self.program = Program(spec, compile_node, self.budget, observer)
        self._names = tuple(spec.inputs)
        self._no_lets = (UNSET,) * len(spec.lets)
        self._compiled: dict[Expression, Compiled] = {}
        self._compiled_for_runs: dict[tuple[Expression, tuple[str, ...]], Compiled] = {}
        self._slackened: Evaluator | None = None

    def bind(self, inputs: Mapping[str, Any]) -> Scope:
        """The scope of one call: spec values by input name, all of them."""
        try:
            cells = [inputs[name] for name in self._names]
        except KeyError as error:
            raise KeyError(f"no value for the input {error.args[0]!r}") from None
        for at, convert in self.program.converters:
            cells[at] = convert(cells[at])
        cells.extend(self._no_lets)
        return Scope(self, inputs, cells, UNSET, UNSET)

    def bind_runs(self, runs: Mapping[str, Scope]) -> RunsScope:
        """The scope of a relation: the scopes of its runs (with their results) by name."""
        return RunsScope(self, runs)

    def compiled(self, expression: Expression) -> Compiled:
        found = self._compiled.get(expression)
        if found is None:
            unit = Unit(self.program, expression, {RESULT: Local(1), RAISED: Local(2)})
            found = self._compiled[expression] = unit.compiled(3)
        return found

    def compiled_for_runs(self, expression: Expression, runs: tuple[str, ...]) -> Compiled:
        found = self._compiled_for_runs.get((expression, runs))
        if found is None:
            names: dict[str, Local | RunCells] = {
                name: RunCells(1 + 3 * at, 2 + 3 * at, 3 + 3 * at) for at, name in enumerate(runs)
            }
            unit = Unit(self.program, expression, names, runs=True)
            found = self._compiled_for_runs[expression, runs] = unit.compiled(1 + 3 * len(runs))
        return found

    @property
    def last_steps(self) -> int:
        """How many steps the last evaluation took: what it cost, on any machine."""
        meter = self.program.meter
        return meter.budget.steps - meter.left

    def slackened(self) -> Evaluator:
        """The same spec, compiled so that its close comparisons are put to an oracle."""
        if self._slackened is None:
            self._slackened = Evaluator(self.spec, budget=self.budget)
            self._slackened.program = Program(self.spec, compile_node, self.budget, oracle=Oracle())
        return self._slackened


class Scope:
    """One set of inputs, with a result if there is one. Lets are computed when first needed, and once."""

    __slots__ = ("_cells", "_evaluator", "_raised", "_result", "inputs")
    inputs: Mapping[str, Any]

    def __init__(
        self, evaluator: Evaluator, inputs: Mapping[str, Any], cells: list[Any], result: Any, raised: Any
    ) -> None:
        self._evaluator = evaluator
        self.inputs = inputs
        self._cells = cells
        self._result = result
        self._raised = raised

    def evaluate(self, expression: Expression) -> Any:
        """The value of an expression here; raises ``Undefined`` where it has none."""
        evaluator = self._evaluator
        compiled = evaluator.compiled(expression)
        meter = evaluator.program.meter
        meter.left = meter.budget.steps
        try:
            return compiled.run([self._cells, self._result, self._raised, *compiled.padding])
        except RecursionError:
            raise BudgetExceeded("needs too many steps inside one another", expression) from None

    def holds(self, expression: Expression, *, slack: Fraction = Fraction(0)) -> bool:
        """Whether a condition holds; with ``slack`` also if it does where close comparisons are answered otherwise."""
        if not slack:
            return _boolean(self.evaluate(expression), expression)
        try:
            if _boolean(self.evaluate(expression), expression):
                return True
        except Undefined as error:
            if not error.undecided:
                raise
        slackened = self._evaluator.slackened()
        return _on_some_path(slackened, expression, slack, lambda: self._afresh(slackened).evaluate(expression))

    def let(self, name: str) -> Any:
        """The value of a let."""
        program = self._evaluator.program
        value = self._cells[program.cell_of_let[name]]
        if value is not UNSET:
            return value
        expression = self._evaluator.spec.lets[name]
        program.meter.reset()
        try:
            return program.let(name, Unit(program, expression), expression.tree)([self._cells])
        except RecursionError:
            raise BudgetExceeded("needs too many steps inside one another", expression) from None

    def with_result(self, result: Any, raised: str | None = None) -> Scope:
        """The same inputs and computed lets, after a run with this result (or exception)."""
        convert = self._evaluator.program.convert_result
        if convert is not None and raised is None:
            result = convert(result)
        return Scope(self._evaluator, self.inputs, self._cells, result, raised)

    def _afresh(self, evaluator: Evaluator) -> Scope:
        return Scope(evaluator, self.inputs, _without_lets(evaluator, self._cells), self._result, self._raised)


class RunsScope:
    """Several runs of the function, by name, for a relation."""

    __slots__ = ("_evaluator", "_frame", "_names", "runs")

    def __init__(self, evaluator: Evaluator, runs: Mapping[str, Scope]) -> None:
        self._evaluator = evaluator
        self.runs = runs
        self._names = tuple(runs)
        frame: list[Any] = []
        for scope in runs.values():
            cells = scope._cells
            frame += [cells, scope._result, scope._raised]
        self._frame = [frame[0], *frame]

    def evaluate(self, expression: Expression) -> Any:
        """The value of an expression over the runs; raises ``Undefined`` where it has none."""
        evaluator = self._evaluator
        compiled = evaluator.compiled_for_runs(expression, self._names)
        meter = evaluator.program.meter
        meter.left = meter.budget.steps
        try:
            return compiled.run([*self._frame, *compiled.padding])
        except RecursionError:
            raise BudgetExceeded("needs too many steps inside one another", expression) from None

    def holds(self, expression: Expression, *, slack: Fraction = Fraction(0)) -> bool:
        """Whether a condition holds; with ``slack`` also if it does where close comparisons are answered otherwise."""
        if not slack:
            return _boolean(self.evaluate(expression), expression)
        try:
            if _boolean(self.evaluate(expression), expression):
                return True
        except Undefined as error:
            if not error.undecided:
                raise
        slackened = self._evaluator.slackened()
        return _on_some_path(slackened, expression, slack, lambda: self._afresh(slackened).evaluate(expression))

    def _afresh(self, evaluator: Evaluator) -> RunsScope:
        return RunsScope(evaluator, {name: scope._afresh(evaluator) for name, scope in self.runs.items()})


def _without_lets(evaluator: Evaluator, cells: list[Any]) -> list[Any]:
    inputs = len(evaluator.spec.inputs)
    return [*cells[:inputs], *[UNSET] * (len(cells) - inputs)]


def _boolean(value: Any, expression: Expression) -> bool:
    if value is True or value is False:
        return value
    raise Undefined(
        f"a condition is a boolean, not {kind_of(value)}; there is no truthiness",
        expression,
        expression.fragment(expression.tree),
    )


def _on_some_path(evaluator: Evaluator, expression: Expression, slack: Fraction, evaluate: Any) -> bool:
    """Whether the condition holds for some answers to its close comparisons."""
    oracle = evaluator.program.oracle
    assert oracle is not None
    oracle.start(slack)
    failure: Undefined | None = None
    while True:
        try:
            if _boolean(evaluate(), expression):
                return True
        except BudgetExceeded:
            raise
        except Undefined as error:
            failure = failure or error
        if not oracle.another():
            break
    if failure is not None:
        raise failure
    return False
