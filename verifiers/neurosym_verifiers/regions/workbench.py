"""What regions and differences are found with: inputs of a spec, programs read and held against their executions.

Nothing is said of a program whose reading differs from an execution on any of these inputs.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from types import TracebackType
from typing import Any

from neurosym_sandbox import Limits, LoadFailed, Outcome, Program
from neurosym_specs.errors import NeurosymError
from neurosym_specs.model import Spec
from neurosym_specs.signature import declarations

from neurosym_verifiers.bench import Bench, Effort
from neurosym_verifiers.cases import Case, CaseMaker
from neurosym_verifiers.clauses import Clauses
from neurosym_verifiers.environment import Confinement
from neurosym_verifiers.noticed import Noticed
from neurosym_verifiers.preparation import Preparation, prepare
from neurosym_verifiers.proof.claims import Reader
from neurosym_verifiers.proof.holding import end_differs
from neurosym_verifiers.proof.runs import Run
from neurosym_verifiers.proof.solver import Solver
from neurosym_verifiers.reading.formulas.bounds import Spans
from neurosym_verifiers.reading.formulas.evaluating import Evaluation
from neurosym_verifiers.reading.formulas.normal_forms import either
from neurosym_verifiers.reading.formulas.terms import FALSE, Condition
from neurosym_verifiers.reading.inputs.assignments import concrete
from neurosym_verifiers.reading.inputs.inputs import symbolic_inputs
from neurosym_verifiers.reading.inputs.shapes import Shape
from neurosym_verifiers.regions.asking import Asking, Assignment
from neurosym_verifiers.regions.dated import assigned_with_ordinals, ordinal_bounds, with_ordinals
from neurosym_verifiers.regions.kinds import check_inputs, check_results
from neurosym_verifiers.runner import Runner
from neurosym_verifiers.search.constants import source_constants
from neurosym_verifiers.search.leaves import Inputs

_HELD_AGAINST = 400
_QUICK_S = 0.5
_SINGLE_VALUES: Shape = {}
"""The shape of inputs without lists."""


class NotLoadable(NeurosymError):
    """The program did not become a function that can be called."""

    exit_code = 1
    code = "NS501"


class ReadingFault(NeurosymError):
    """The reading of a program differs from its execution: a fault of this tool."""

    exit_code = 70


@dataclass(frozen=True, slots=True)
class Reading:
    """The reading of a program, and how many executions it was held against."""

    run: Run
    held_against: int


@dataclass(frozen=True, slots=True)
class Executed:
    """A case, and what the real code came to."""

    case: Case
    outcome: Outcome


class Workbench:
    """Everything about one spec that several programs share. A context manager: it owns processes.

    Raises ``EnvironmentFault`` where no jail can be had.
    """

    def __init__(
        self,
        spec: Spec,
        effort: Effort,
        confinement: Confinement = Confinement(),  # noqa: B008  # frozen
    ) -> None:
        self.spec = spec
        self.solver = Solver()
        self._bench = Bench(spec, effort, confinement)
        self._prepared = _inputs_only(spec, effort)
        self._maker = CaseMaker(replace(spec, reference=None), None)
        self.clauses = Clauses(spec, self._maker.evaluator)

    def __enter__(self) -> Workbench:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.solver.close()
        self._bench.close()

    def cases(self, *sources: str) -> list[Case]:
        """The inputs on which programs are run: those of the spec, and those for the programs' own constants."""
        own = [case for source in sources for case in self._prepared.pool.for_constants(source_constants(source))]
        return list({case.key: case for case in (*self._prepared.cases, *own)}.values())

    def case(self, inputs: Inputs) -> Case | None:
        """The case of some inputs; None where they are none of the spec's."""
        return self._maker.case(inputs) if self._maker.belongs(inputs) else None

    def inputs_of(self, assignment: Assignment) -> dict[str, Any]:
        """The inputs that an assignment of their variables stands for."""
        return concrete(self.spec, _SINGLE_VALUES, assignment)

    def case_of(self, assignment: Assignment) -> Case | None:
        """Their case."""
        return self.case(self.inputs_of(assignment))

    def examples(self) -> Sequence[Case]:
        """The cases of the spec's examples."""
        return [worked.case for worked in self._prepared.examples]

    @contextmanager
    def runner(self, source: str) -> Iterator[Runner]:
        """A loaded program. Raises ``NotLoadable``."""
        program = Program(source, self.spec.name, declarations(self.spec), self.spec.policy.imports)
        limits = Limits(time_s=self.spec.policy.time_limit_s, memory_bytes=self.spec.policy.memory_limit_bytes)
        runner = Runner(self._bench.jail, program, limits, Noticed())
        loaded = runner.load()
        if isinstance(loaded, LoadFailed):
            runner.close()
            raise NotLoadable(f"the program does not load: {loaded.reason}")
        try:
            yield runner
        finally:
            runner.close()

    def read(self, source: str, executed: Sequence[Executed]) -> Reading:
        """The program's reading. Raises ``NotRead`` and ``ReadingFault``."""
        check_inputs(self.spec.inputs)
        inputs = with_ordinals(symbolic_inputs(self.spec, _SINGLE_VALUES))
        more = ordinal_bounds(inputs)

        def may_be(condition: Condition, bounds: Spans) -> bool:
            """Whether a loop may go on."""
            if condition == FALSE:
                return False
            return self.solver.ask(condition, {**bounds, **more}, seconds=_QUICK_S).verdict != "unsat"

        run = Reader(self.spec).candidate(source, may_be, many_rounds=None).run_on(inputs, _SINGLE_VALUES)
        check_results(run.exits)
        some = executed[:: max(1, len(executed) // _HELD_AGAINST)]
        for each in some:
            self.hold(run, each)
        return Reading(run, len(some))

    def hold(self, run: Run, executed: Executed) -> None:
        """Holds a reading against one execution. Raises ``ReadingFault`` where they differ."""
        evaluation = Evaluation(assigned_with_ordinals(self.spec, executed.case.inputs))
        try:
            problem = end_differs(run.exits, evaluation, executed.outcome, self.clauses)
        except (ZeroDivisionError, OverflowError, ValueError, KeyError) as error:
            problem = f"{type(error).__name__} while evaluating the reading"
        if problem:
            raise ReadingFault(f"a fault of this tool (NS901): {problem} on {dict(executed.case.inputs)}")

    def asking(self, run: Run, cases: Sequence[Case]) -> Asking:
        """Questions about the inputs that the spec speaks of."""
        samples = [assigned_with_ordinals(self.spec, case.inputs) for case in cases]
        bounds = {**run.bounds, **ordinal_bounds(run.inputs)}
        universe = either(run.admitted.accepted, *run.admitted.rejected)
        return Asking(universe, bounds, samples, self.solver)


def _inputs_only(spec: Spec, effort: Effort) -> Preparation:
    """Inputs for a spec; what it promises beyond them is nobody's concern here, and may be wrong."""
    reference = spec.reference if spec.reference is not None and spec.reference.python is None else None
    asked = replace(spec, relations=(), reference=reference)
    prepared = prepare(asked, None, None, seed=effort.seed, examples=effort.examples)
    if prepared.fault is not None:
        asked = replace(asked, reference=None, ensures=(), examples=())
        prepared = prepare(asked, None, None, seed=effort.seed, examples=effort.examples)
    return prepared
