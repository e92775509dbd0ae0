"""The obligations of a spec as claims about a reading: each is proved when nothing fulfils its ``against``.

``against`` describes the counterexamples: an input of the universe, inside the requires, on which the program, as read,
breaks the obligation, or on which a clause has no value. A program is read for each shape of its inputs, and an
obligation is proved only if all its claims are. What cannot be read leaves its obligation without a claim.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import partial

from neurosym_specs.model import Ensure, Spec
from neurosym_specs.obligations import obligation_id
from neurosym_specs.tolerances import result_type
from neurosym_specs.types import FloatType

from neurosym_verifiers.proof.membership import belongs, same, within
from neurosym_verifiers.proof.relations import relation_claims
from neurosym_verifiers.proof.runs import Asks, CandidateReading, Run, SpecReading
from neurosym_verifiers.reading.data.values import Float, Int, NotRead, Ratio, Value
from neurosym_verifiers.reading.execution.state import Raised, Returned
from neurosym_verifiers.reading.execution.ways import any_way
from neurosym_verifiers.reading.expressions.expressions import ExpressionReading
from neurosym_verifiers.reading.floats import reals
from neurosym_verifiers.reading.formulas.bounds import Spans
from neurosym_verifiers.reading.formulas.narrowing import narrowing_by
from neurosym_verifiers.reading.formulas.normal_forms import both, either, negated
from neurosym_verifiers.reading.formulas.terms import FALSE, TRUE, Condition, Nearest
from neurosym_verifiers.reading.formulas.walking import parts_of
from neurosym_verifiers.reading.inputs.shapes import Shape, shapes_of
from neurosym_verifiers.reading.long_loops.looping import MANY_ROUNDS

BY_READING = ("terminates", "deterministic", "pure")
"""What a program promises that is read whole: it ends, depends on its arguments alone, and changes none of them."""


@dataclass(frozen=True, slots=True)
class Claim:
    """``obligation`` holds for the ``shapes`` of the runs if no assignment fulfils ``against``.

    ``prefixes``: those of the variables of each run. ``inputs``: those of all runs, by prefix and name.
    ``as_reals``: ``against``, with the question whether floats are near the right value left to the algebra.
    """

    obligation: str
    against: Condition
    bounds: Spans
    shapes: tuple[Shape, ...]
    prefixes: tuple[str, ...] = ("",)
    inputs: Mapping[str, Value] = field(default_factory=dict)
    as_reals: Condition | None = None


@dataclass(slots=True)
class Claims:
    """What was read. ``unread``: for each obligation without a claim, what the reading does not know."""

    claims: list[Claim] = field(default_factory=list)
    unread: dict[str, str] = field(default_factory=dict)
    runs: list[Run] = field(default_factory=list)


class Reader:
    """Reads a spec once, and candidates against it. ``given``: values that these have by name (``SpecReading``)."""

    def __init__(self, spec: Spec, given: Mapping[str, Value] | None = None) -> None:
        self._spec = spec
        self._results = result_type(spec)
        self._reading = SpecReading(spec, given)
        self._shapes: list[Shape] | None = None

    @property
    def expressions(self) -> ExpressionReading:
        return self._reading.expressions

    @property
    def reading(self) -> SpecReading:
        return self._reading

    def shapes(self) -> list[Shape]:
        """The shapes of the spec's inputs. Raises ``NotRead``."""
        if self._shapes is None:
            self._shapes = shapes_of(self._spec)
        return self._shapes

    def candidate(
        self, source: str, asks: Asks | None = None, *, many_rounds: int | None = MANY_ROUNDS
    ) -> CandidateReading:
        """A candidate, to be read run by run."""
        asks = asks or (lambda condition, bounds: condition != FALSE)
        return CandidateReading(self._reading, source, asks, many_rounds=many_rounds)

    def run(self, source: str, shape: Shape | None = None) -> Run:
        """One run of a program, of the smallest shape if none is named. Raises ``NotRead``."""
        return self.candidate(source).run(self.shapes()[0] if shape is None else shape)

    def claims(self, source: str, asks: Asks | None = None) -> Claims:
        """All claims about a program, for all shapes at once."""
        found = Claims()
        candidate = self.candidate(source, asks)
        try:
            for shape in self.shapes():
                found.runs.append(candidate.run(shape))
        except NotRead as not_read:
            found.unread["*"] = missing(not_read)
            return found
        for run in found.runs:
            self.claims_of(candidate, run, found)
        self.claims_of_relations(candidate, found)
        return found

    def claims_of(
        self, candidate: CandidateReading, run: Run, found: Claims, *, of: Callable[[str], bool] = lambda _: True
    ) -> None:
        """The claims that speak of one run, ``of`` some obligations."""
        for obligation, make in self._of_run(candidate, run):
            if obligation not in found.unread and of(obligation):
                try:
                    with candidate.within_budget():
                        claim = Claim(obligation, make(), run.bounds, (run.shape,), inputs=run.inputs.values)
                        if obligation == "reference" and self._may_round(run):
                            claim = replace(claim, as_reals=self._against_reference(candidate, run, as_reals=True))
                        found.claims.append(claim)
                except NotRead as not_read:
                    found.unread[obligation] = missing(not_read)

    def claims_of_relations(self, candidate: CandidateReading, found: Claims) -> None:
        """The claims of all relations."""
        for relation in self._spec.relations:
            obligation = obligation_id("relation", relation)
            try:
                found.claims += self.relation(candidate, obligation)
            except NotRead as not_read:
                found.unread[obligation] = missing(not_read)

    def relation(self, candidate: CandidateReading, obligation: str) -> Iterator[Claim]:
        """The claims of a relation, one after the other. Raises ``NotRead`` on the way."""
        relation = next(r for r in self._spec.relations if obligation_id("relation", r) == obligation)
        for runs, against in relation_claims(relation, candidate, self.shapes()):
            bounds = {name: pair for run in runs for name, pair in run.bounds.items()}
            prefixes = tuple(f"{name}." for name in relation.runs) if len(runs) > 1 else ("",)
            shapes = tuple(run.shape for run in runs)
            named = zip(prefixes, runs, strict=False)
            inputs = {f"{prefix}{name}": value for prefix, run in named for name, value in run.inputs.values.items()}
            yield Claim(obligation, against, bounds, shapes, prefixes, inputs)

    def _of_run(self, candidate: CandidateReading, run: Run) -> Iterator[tuple[str, Callable[[], Condition]]]:
        accepted = run.admitted.accepted
        yield "no crash", lambda: both(accepted, negated(run.returns))
        for reject, where in zip(self._spec.rejects, run.admitted.rejected, strict=True):
            yield obligation_id("reject", reject), partial(_not_raised, run, where, frozenset(reject.raises))
        yield "returns", lambda: self._outside(run)
        if self._spec.reference is not None:
            yield "reference", lambda: self._against_reference(candidate, run)
        for ensure in self._spec.ensures:
            yield obligation_id("ensure", ensure), partial(self._against_ensure, run, ensure)

    def _outside(self, run: Run) -> Condition:
        wrong = [
            both(e.condition, negated(belongs(self._results, e.outcome.value)))
            for e in run.exits
            if isinstance(e.outcome, Returned)
        ]
        return both(run.admitted.accepted, either(*wrong))

    def _may_round(self, run: Run) -> bool:
        """Whether a float that is rounded is compared within a tolerance."""
        reference = self._spec.reference
        near = reference is not None and bool(reference.abs_tol or reference.rel_tol)
        return near and isinstance(self._spec.output, FloatType) and any(_rounds(value) for _, value in run.results)

    def _against_reference(self, candidate: CandidateReading, run: Run, *, as_reals: bool = False) -> Condition:
        accepted = run.admitted.accepted
        if accepted == FALSE:
            return FALSE
        rights, defined = candidate.rights(run)
        wrong = [
            both(there, here, negated(self._right(value, right, as_reals)))
            for here, value in run.results
            for there, right in rights
            if both(here, there) != FALSE
        ]
        return both(accepted, either(negated(defined), *wrong))

    def _right(self, value: Value, right: Value, as_reals: bool) -> Condition:
        reference = self._spec.reference
        assert reference is not None
        if as_reals:
            return reals.within(value, right, reference.abs_tol, reference.rel_tol)
        if reference.abs_tol or reference.rel_tol:
            return within(value, right, reference.abs_tol, reference.rel_tol)
        return same(value, right)

    def _against_ensure(self, run: Run, ensure: Ensure) -> Condition:
        if ensure.slack:
            raise NotRead("a clause with slack")
        parts: list[Condition] = []
        for condition, value in run.results:
            path = both(run.admitted.accepted, condition)
            if path == FALSE:
                continue
            narrowing = narrowing_by(condition)
            meaning = run.meaning.with_result(narrowing.value(value) if narrowing else value)
            when: Condition = TRUE
            if ensure.when is not None:
                when, when_defined = self.expressions.condition(ensure.when, meaning, assumed=path)
                parts.append(both(path, negated(when_defined)))
            if both(path, when) == FALSE:
                continue
            holds, defined = self.expressions.condition(ensure.that, meaning, assumed=both(path, when))
            parts.append(both(path, when, either(negated(defined), negated(holds))))
        return either(*parts)


def _not_raised(run: Run, where: Condition, names: frozenset[str]) -> Condition:
    """Where a reject decides, and none of its exceptions is raised."""
    right = [e.condition for e in run.exits if isinstance(e.outcome, Raised) and set(e.outcome.names) & names]
    return both(where, negated(any_way(*right)))


def _rounds(value: Value) -> bool:
    """Whether a number, as the spec's language sees it, has quotients in it that were rounded to floats."""
    term = value.num if isinstance(value, (Float, Ratio)) else value.term if isinstance(value, Int) else None
    return term is not None and any(isinstance(part, Nearest) for part in parts_of(term))


def missing(not_read: NotRead) -> str:
    """What a proof lacks, as the end of a sentence."""
    return str(not_read).replace("not read: ", "a reading of ", 1)
