"""The bench on which candidates of one spec are judged: what is prepared once, and the verdict on each."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from types import TracebackType

from neurosym_sandbox import Jail, JailLost, Outcome, Package
from neurosym_specs.model import Spec
from neurosym_specs.notation import call_source, inputs_to_plain
from neurosym_specs.obligations import Obligation
from neurosym_specs.verdicts import Counterexample, FailureClass

from neurosym_verifiers.cases import Case, CaseMaker, Fault
from neurosym_verifiers.clauses import Clauses
from neurosym_verifiers.effort import Effort as Effort
from neurosym_verifiers.environment import (
    Confinement,
    EnvironmentFault,
    NotInstalled,
    check_imports,
    check_versions,
    start_jail,
)
from neurosym_verifiers.judgement import Judgement, NotLoaded
from neurosym_verifiers.kept import prepared_once
from neurosym_verifiers.oracle import Oracle
from neurosym_verifiers.preparation import Preparation, prepare
from neurosym_verifiers.proof.prover import Prover
from neurosym_verifiers.proof.second_opinion import SecondOpinion, installed
from neurosym_verifiers.replay import Replay, Replayer
from neurosym_verifiers.search.leaves import Inputs
from neurosym_verifiers.trial import Trial


@dataclass(frozen=True, slots=True)
class SpecFault:
    """The spec contradicts itself or is undefined on an input: no candidate is judged by it."""

    clause: str
    message: str
    counterexample: Counterexample | None


class Bench:
    """Prepared once per spec and seed; judges any number of candidates. A context manager: it owns the jails.

    Raises ``EnvironmentFault`` where no jail can be had, where the spec is for another machine than this, or where
    there is no second solver that is asked for.
    """

    def __init__(
        self,
        spec: Spec,
        effort: Effort = Effort(),  # noqa: B008  # frozen
        confinement: Confinement = Confinement(),  # noqa: B008  # frozen
    ) -> None:
        check_versions(spec)
        self.spec = spec
        self.effort = effort
        self.confinement = confinement
        self._jails: dict[int, Jail] = {}
        self._oracle: Oracle | None = None
        self._again: Oracle | None = None
        self._prover: Prover | None = None
        self._second = _second_opinion() if effort.second_opinion else None

    def __enter__(self) -> Bench:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Ends all processes of this bench."""
        for oracle in (self._oracle, self._again):
            if oracle is not None:
                oracle.close()
        for solver in (self._prover, self._second):
            if solver is not None:
                solver.close()
        while self._jails:
            self._jails.popitem()[1].close()

    def jail(self, hash_seed: int = 0) -> Jail:
        """The jail whose processes run with this hash seed, started when first needed."""
        if hash_seed not in self._jails:
            self._jails[hash_seed] = start_jail(self.spec, self.confinement, hash_seed)
            check_imports(self.spec, self._jails[hash_seed])
        return self._jails[hash_seed]

    def spec_fault(self) -> SpecFault | None:
        """The spec's own fault, if its examples, ensures, relations and reference do not fit together."""
        fault = self._preparation.fault
        return None if fault is None else self._shown(fault)

    def judge(
        self,
        source: str,
        *,
        package: Package | None = None,
        on_progress: Callable[[str, int, int], None] | None = None,
    ) -> Judgement | NotLoaded:
        """Runs the candidate. ``on_progress(stage, done, total)`` is called now and then.

        One that imports modules of its own ``package`` is run with them, and not read: nothing is proved of it.

        Raises ``ValueError`` if the spec itself is at fault: ask ``spec_fault`` first.
        """
        if self._preparation.fault is not None:
            raise ValueError(f"the spec is at fault: {self._preparation.fault.message}")
        prover = self._own_prover() if self.effort.proof and package is None else None
        return Trial(
            self._prepared_spec, self._preparation, self.jail, prover, self._second, source, package,
            time_limit_s=self.effort.time_limit_s, on_progress=on_progress,
        ).judged()  # fmt: skip

    def replay(
        self, source: str, obligation: Obligation, inputs: Sequence[Inputs], package: Package | None = None
    ) -> Replay:
        """The calls of one counterexample again, in fresh jails. The inputs are of the spec's universe.

        ``package``: what it may import of its own. Nothing is prepared for it. Raises ``EnvironmentFault`` where the
        jail is lost.
        """
        self._ask_reference()
        try:
            maker = CaseMaker(self.spec, self._oracle)
            return Replayer(self.spec, maker, self.jail, source, package).replay(obligation, inputs)
        except JailLost as lost:
            raise EnvironmentFault(f"the sandbox was lost, and nothing is known: {lost}") from lost

    def _own_prover(self) -> Prover:
        if self._prover is None:
            texts = self.effort.queries or self.effort.second_opinion
            self._prover = Prover(self._prepared_spec, self._preparation.clauses, texts=texts)
        return self._prover

    @property
    def _prepared_spec(self) -> Spec:
        """The spec as it was prepared: it says the same as this one, and its parts are those that were compiled."""
        return self._preparation.maker.spec

    def case(self, inputs: Inputs) -> Case | None:
        """What the spec says of some inputs; None where it says nothing, or where they are none of its own."""
        assert self._preparation.fault is None
        maker = CaseMaker(self.spec, self._oracle)
        return maker.case(inputs) if maker.belongs(inputs) else None

    @property
    def cases(self) -> Sequence[Case]:
        """The inputs on which every candidate is run, with what the spec says of them."""
        return self._preparation.cases

    @property
    def clauses(self) -> Clauses:
        """What judges outcomes by the spec."""
        return self._preparation.clauses

    def is_right(self, case: Case, outcome: Outcome) -> bool:
        """Whether one call keeps every promise that is about one call. Raises ``SpecUndefined``."""
        return not any(self._preparation.clauses.breaches(case, outcome, settled=False))

    @cached_property
    def _preparation(self) -> Preparation:
        if not self._ask_reference():
            return prepared_once(self.spec, seed=self.effort.seed, examples=self.effort.examples)
        self._again = Oracle(self.spec, lambda: self.jail(1))
        return prepare(self.spec, self._oracle, self._again, seed=self.effort.seed, examples=self.effort.examples)

    def _ask_reference(self) -> bool:
        """Sees to it that a Python reference can be asked; whether the spec has one."""
        reference = self.spec.reference
        if reference is None or reference.python is None:
            return False
        self._oracle = self._oracle or Oracle(self.spec, self.jail)
        return True

    def _shown(self, fault: Fault) -> SpecFault:
        if not fault.inputs:
            return SpecFault(fault.clause, fault.message, None)
        counterexample = Counterexample(
            inputs=tuple(inputs_to_plain(self.spec.inputs, inputs) for inputs in fault.inputs),
            calls=tuple(call_source(self.spec, i) for i in fault.inputs),
            expected="",
            actual="",
            difference="",
            failure=FailureClass.SPEC,
        )
        return SpecFault(fault.clause, fault.message, counterexample)


def _second_opinion() -> SecondOpinion:
    if not installed():
        raise NotInstalled(
            "no second solver: cvc5 is not installed; pip install 'neurosym-verify[second-opinion]' (or cvc5) brings it"
        )
    return SecondOpinion()
