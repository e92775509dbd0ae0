"""What is prepared once per spec: cases, runs for its relations, and the check of the spec against itself.

Where a spec states a reference, every ensure and relation is first checked on the reference's own values. That
finds the spec's faults before any candidate is judged, and settles the clauses: a candidate that returns exactly the
right value there cannot break them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from neurosym_specs.expr.evaluate import Undefined
from neurosym_specs.expr.syntax import Expression
from neurosym_specs.membership import member_fault
from neurosym_specs.model import Example, Spec
from neurosym_specs.obligations import obligation_id
from neurosym_specs.semantics import same_value, within_tolerance

from neurosym_verifiers.cases import UNSTATED, Case, CaseMaker, Fault
from neurosym_verifiers.clauses import Clauses, SpecUndefined
from neurosym_verifiers.oracle import Answered, Oracle
from neurosym_verifiers.pairs import Pairing, Runs
from neurosym_verifiers.pool import Pool
from neurosym_verifiers.search.exhaust import Exhaustion
from neurosym_verifiers.search.hypothesis_draws import hypothesis_inputs
from neurosym_verifiers.search.smallest import size_key
from neurosym_verifiers.wording import say_value

ENOUGH = 100
"""Distinct valid inputs without which an obligation is not TESTED, unless they are all there are."""

_TRIES_PER_CLAUSE = 800
_FEW_RESULTS = 12
_ASKED_AGAIN = 40


@dataclass(frozen=True, slots=True)
class ExampleCase:
    """An example and the case of its inputs."""

    example: Example
    case: Case


@dataclass(frozen=True, slots=True)
class Preparation:
    """All cases of a spec, examples first.

    ``applicable``: for every ensure's id, the keys of the cases to which it applies. ``settled``: the keys of the
    cases on which the ensures are known to hold of the right value. ``exhausted``: the obligations whose cases are all
    that there are.
    """

    maker: CaseMaker
    clauses: Clauses
    pool: Pool
    cases: Sequence[Case]
    examples: Sequence[ExampleCase]
    runs: Sequence[Runs]
    applicable: Mapping[str, frozenset[object]]
    settled: frozenset[object]
    exhausted: frozenset[str]
    fault: Fault | None
    _sorted: list[tuple[Any, Case]] = field(default_factory=list)

    def by_size(self) -> Sequence[tuple[Any, Case]]:
        """All cases with their places in the order on inputs, the smallest first; sorted when first needed."""
        if not self._sorted:
            types = self.maker.spec.inputs
            keyed = [(size_key(types, case.inputs), case) for case in self.cases]
            self._sorted.extend(sorted(keyed, key=lambda entry: entry[0]))
        return self._sorted


def prepare(spec: Spec, oracle: Oracle | None, again: Oracle | None, *, seed: int, examples: int) -> Preparation:
    """Finds the inputs and checks the spec on them. A fault ends it early; then nothing else is to be relied on.

    ``again``: the Python reference in another process with another hash seed, asked once more.
    """
    maker = CaseMaker(spec, oracle)
    clauses = Clauses(spec, maker.evaluator)
    pool = Pool(spec, maker, seed)
    worked = _worked_examples(spec, maker, clauses, pool)
    if maker.fault is None:
        pool.fill()
    if maker.fault is None:
        pool.add_all(hypothesis_inputs(spec, examples, seed))
    exhausted: frozenset[str] = frozenset()
    if maker.fault is None:
        try:
            exhausted = _enough_for_each(spec, maker, clauses, pool)
        except SpecUndefined as undefined:
            maker.note(Fault(undefined.clause, undefined.reason))
    runs: list[Runs] = []
    if maker.fault is None:
        for relation in spec.relations:
            try:
                runs += Pairing(spec, relation, maker, clauses, pool.mover).runs(pool.cases)
            except SpecUndefined as undefined:
                maker.note(Fault(undefined.clause, undefined.reason))
    if again is not None and maker.fault is None:
        _ask_again(maker, again, pool.cases)
    applicable, settled = _settle(spec, maker, clauses, pool.cases)
    _check_relations(maker, clauses, runs)
    return Preparation(maker, clauses, pool, pool.cases, worked, runs, applicable, settled, exhausted, maker.fault)


def _ask_again(maker: CaseMaker, again: Oracle, cases: Sequence[Case]) -> None:
    """A reference that answers otherwise in another process, after other questions, is no reference."""
    accepted = [case for case in cases if case.accepted and case.expected is not UNSTATED]
    for case in [*accepted[:-_ASKED_AGAIN:-1], *accepted[:_ASKED_AGAIN]]:
        answer = again.ask(case.inputs)
        if not isinstance(answer, Answered) or not same_value(answer.value, case.expected):
            problem = "the Python reference answers otherwise when it is asked again in another process"
            maker.note(Fault("reference", problem, (case.inputs,)))
            return


def _enough_for_each(spec: Spec, maker: CaseMaker, clauses: Clauses, pool: Pool) -> frozenset[str]:
    """Adds cases for each clause that applies to few so far; the ids of those for which these are all there are."""
    requires = [require.that for require in spec.requires if not require.accepted_only]
    base = pool.cases[0].inputs if pool.cases else pool.drawer.inputs(spec.inputs)
    exhaustion = Exhaustion(spec, maker.evaluator, base)
    for label in _rare_results(pool.cases):
        pool.add_like(partial(_comes_to, label), None, wanted=ENOUGH, tries=_TRIES_PER_CLAUSE)
    exhausted: set[str] = set()
    if len(pool.cases) < ENOUGH:
        everything = exhaustion.all_inputs(requires)
        if everything is not None:
            pool.add_all(everything)
            exhausted.add("")
    for id_, when, holds in _conditional(spec, clauses):
        if sum(map(holds, pool.cases)) >= ENOUGH:
            continue
        if pool.add_like(holds, when, wanted=ENOUGH, tries=_TRIES_PER_CLAUSE) >= ENOUGH:
            continue
        found = exhaustion.all_inputs([*requires, when])
        if found is not None:
            pool.add_all(found)
            exhausted.add(id_)
    return frozenset(exhausted)


def _rare_results(cases: Sequence[Case]) -> list[bool | str]:
    """The results, of a yes or no or a few names, that few of the cases come to."""
    counts = Counter(c.expected for c in cases if c.accepted and isinstance(c.expected, (bool, str)))
    return [label for label, count in counts.items() if count < ENOUGH] if len(counts) <= _FEW_RESULTS else []


def _comes_to(label: bool | str, case: Case) -> bool:
    return case.accepted and type(case.expected) is type(label) and bool(case.expected == label)


def _conditional(spec: Spec, clauses: Clauses) -> Iterator[tuple[str, Expression, Callable[[Case], bool]]]:
    """The clauses that apply to some inputs only: id, condition, and whether a case is one of them."""
    for reject in spec.rejects:
        rejected_by = obligation_id("reject", reject)
        yield rejected_by, reject.when, lambda case, id_=rejected_by: case.decided_by == id_  # type: ignore[misc]
    for ensure in spec.ensures:
        if ensure.when is not None and "result" not in ensure.when.text:
            yield (
                obligation_id("ensure", ensure),
                ensure.when,
                lambda case, ensure=ensure: case.accepted and clauses.applies(ensure, case),  # type: ignore[misc]
            )


def _worked_examples(spec: Spec, maker: CaseMaker, clauses: Clauses, pool: Pool) -> list[ExampleCase]:
    """The examples' cases; an example that contradicts the other clauses is the spec's fault."""
    worked: list[ExampleCase] = []
    for example in spec.examples:
        case = pool.add(example.inputs)
        problem = _contradiction(spec, clauses, example, case)
        if maker.fault is None and problem is not None:
            maker.note(Fault(obligation_id("example", example), problem, (example.inputs,)))
        if case is not None:
            worked.append(ExampleCase(example, case))
    return worked


def _contradiction(spec: Spec, clauses: Clauses, example: Example, case: Case | None) -> str | None:
    if case is None:
        return "its inputs are outside what the requires allow"
    if case.raises:
        if not example.raises:
            return f"it gives a result, but {case.decided_by} raises {' or '.join(case.raises)} for its inputs"
        if not set(example.raises) & set(case.raises):
            return f"it raises {' or '.join(example.raises)}, but {case.decided_by} raises {' or '.join(case.raises)}"
        return None
    if example.raises:
        return f"it raises {' or '.join(example.raises)}, but no reject refuses its inputs"
    if case.expected is not UNSTATED and spec.reference is not None:
        try:
            if not within_tolerance(spec.reference, case.expected, example.out):
                right = say_value(spec.output, case.expected)
                return f"it gives {say_value(spec.output, example.out)}, but the reference gives {right}"
        except Undefined as undefined:
            return str(undefined)
    if case.expected is UNSTATED:
        try:
            broken = clauses.condition_broken(case, example.out)
        except SpecUndefined as undefined:
            return f"for what it gives, {undefined.clause} is undefined: {undefined.reason}"
        if broken is not None:
            return f"it gives {say_value(spec.output, example.out)}, of which {broken} does not hold"
    return None


def _settle(
    spec: Spec, maker: CaseMaker, clauses: Clauses, cases: Sequence[Case]
) -> tuple[dict[str, frozenset[object]], frozenset[object]]:
    applicable: dict[str, set[object]] = {obligation_id("ensure", e): set() for e in spec.ensures}
    settled: set[object] = set()
    for case in cases:
        if not case.accepted or maker.fault is not None:
            continue
        try:
            for ensure in spec.ensures:
                if clauses.applies(ensure, case):
                    applicable[obligation_id("ensure", ensure)].add(case.key)
                if case.expected is not UNSTATED and not clauses.ensured(ensure, case, case.expected):
                    value = say_value(spec.output, case.expected)
                    problem = f"it does not hold of the reference's value {value}"
                    maker.note(Fault(obligation_id("ensure", ensure), problem, (case.inputs,)))
        except SpecUndefined as undefined:
            maker.note(Fault(undefined.clause, undefined.reason, (case.inputs,)))
        if case.expected is not UNSTATED:
            settled.add(case.key)
            outside = _outside_output(spec, case)
            if outside is not None:
                maker.note(Fault("reference", outside, (case.inputs,)))
    return {id_: frozenset(keys) for id_, keys in applicable.items()}, frozenset(settled)


def _outside_output(spec: Spec, case: Case) -> str | None:
    """Why the reference's value is no value of the output's type; a value within a tolerance may lie beside it."""
    reference = spec.reference
    if reference is None or reference.abs_tol or reference.rel_tol:
        return None
    fault = member_fault(spec.output, case.expected, result=True)
    return None if fault is None else f"its value {say_value(spec.output, case.expected)}: {fault}"


def _check_relations(maker: CaseMaker, clauses: Clauses, runs: Sequence[Runs]) -> None:
    for tuple_of_runs in runs:
        if maker.fault is not None:
            return
        if any(case.expected is UNSTATED for case in tuple_of_runs.cases):
            continue
        relation, named = tuple_of_runs.relation, tuple_of_runs.by_name()
        values = {run: case.expected for run, case in named.items()}
        inputs = tuple(case.inputs for case in tuple_of_runs.cases)
        try:
            if clauses.related(relation, named, values) is False:
                said = clauses.relation_breach(relation, list(values.values())).actual
                problem = f"it does not hold of the reference's values: {said}"
                maker.note(Fault(obligation_id("relation", relation), problem, inputs))
        except SpecUndefined as undefined:
            maker.note(Fault(undefined.clause, undefined.reason, inputs))
