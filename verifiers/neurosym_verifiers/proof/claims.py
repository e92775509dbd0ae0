"""The obligations of a spec as claims about a reading: each is proved when nothing fulfils its ``against``.

``against`` describes the counterexamples: an input of the universe, inside the requires, on which the program, as read,
breaks the obligation, or on which a clause has no value. What cannot be read leaves its obligation without a claim.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial

from neurosym_specs.expr.syntax import Expression
from neurosym_specs.model import Ensure, Relation, Spec
from neurosym_specs.obligations import obligation_id
from neurosym_specs.signature import declarations
from neurosym_specs.types import (
    BoolType,
    DateType,
    DecimalType,
    EnumType,
    IntType,
    StrType,
    Type,
)

from neurosym_verifiers.reading import numbers
from neurosym_verifiers.reading.expressions import ExpressionReading, Meaning, chosen
from neurosym_verifiers.reading.inputs import SymbolicInputs, symbolic_inputs
from neurosym_verifiers.reading.narrowing import Narrowing, bounds_from
from neurosym_verifiers.reading.operations import compare
from neurosym_verifiers.reading.program import program_of
from neurosym_verifiers.reading.python import PythonReading
from neurosym_verifiers.reading.state import Exit, Raised, Returned
from neurosym_verifiers.reading.terms import (
    FALSE,
    TRUE,
    Condition,
    Term,
    at_most,
    both,
    either,
    equal,
    modulo,
    negated,
    number,
)
from neurosym_verifiers.reading.values import Bool, Day, Dec, Int, Member, NotRead, Ratio, Text, Value


@dataclass(frozen=True, slots=True)
class Claim:
    """``obligation`` holds if no assignment fulfils ``against``."""

    obligation: str
    against: Condition


@dataclass(slots=True)
class Claims:
    """What was read. ``unread``: for each obligation without a claim, what the reading does not know."""

    claims: list[Claim] = field(default_factory=list)
    unread: dict[str, str] = field(default_factory=dict)
    by_reading: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Run:
    """One run of the program on symbolic inputs."""

    inputs: SymbolicInputs
    meaning: Meaning
    admitted: Admitted
    exits: tuple[Exit, ...]


@dataclass(frozen=True, slots=True)
class Admitted:
    """``required``: inside the requires; ``rejected``: where each reject decides; ``accepted``: a result is due."""

    required: Condition
    rejected: tuple[Condition, ...]
    accepted: Condition


class Reader:
    """Reads a spec once, and candidates against it."""

    def __init__(self, spec: Spec) -> None:
        self._spec = spec
        self._expressions = ExpressionReading(spec)
        self._declarations = declarations(spec)
        self._enums = {
            type_.class_name: tuple(name for name, _ in type_.members)
            for type_ in (*spec.types.values(), *spec.inputs.values(), spec.output)
            if isinstance(type_, EnumType) and type_.class_name
        }

    def run(self, source: str, prefix: str = "", inputs: SymbolicInputs | None = None) -> Run:
        """One run of a program, on inputs as they come or on these. Raises ``NotRead``."""
        inputs = inputs or symbolic_inputs(self._spec, prefix)
        meaning = Meaning({name: in_spec(value) for name, value in inputs.values.items()})
        admitted = self._admitted(inputs, meaning)
        reading = PythonReading(program_of(self._declarations, source), self._enums)
        exits = reading.exits(self._spec.name, list(inputs.values.values()))
        return Run(inputs, meaning, admitted, tuple(exits))

    def _admitted(self, inputs: SymbolicInputs, meaning: Meaning) -> Admitted:
        required = inputs.universe
        for require in self._spec.requires:
            if not require.accepted_only:
                required = both(required, self._certain(require.that, meaning, required))
        earlier: Condition = TRUE
        rejected: list[Condition] = []
        for reject in self._spec.rejects:
            here = both(required, earlier)
            when = self._certain(reject.when, meaning, here)
            rejected.append(both(here, when))
            earlier = both(earlier, negated(when))
        accepted = both(required, earlier)
        for require in self._spec.requires:
            if require.accepted_only:
                accepted = both(accepted, self._certain(require.that, meaning, accepted))
        return Admitted(required, tuple(rejected), accepted)

    def _certain(self, expression: Expression, meaning: Meaning, assumed: Condition) -> Condition:
        """A condition of the spec that is surely defined."""
        holds, defined = self._expressions.condition(expression, meaning, assumed=assumed)
        if defined != TRUE:
            raise NotRead(f"the spec's `{expression.text.strip()[:60]}`, which may be undefined")
        return holds

    def claims(self, source: str) -> tuple[Claims, Run | None]:
        """All claims about a program that can be made, and the run that they speak of."""
        found = Claims()
        try:
            run = self.run(source)
        except NotRead as not_read:
            found.unread["*"] = missing(not_read)
            return found, None
        found.by_reading = ("terminates", "deterministic", "pure")
        self._outcomes(found, run)
        self._results(found, run)
        for relation in self._spec.relations:
            self._try(found, obligation_id("relation", relation), partial(self._related, relation, source))
        return found, run

    def _try(self, found: Claims, obligation: str, make: Callable[[], Condition]) -> None:
        try:
            found.claims.append(Claim(obligation, make()))
        except NotRead as not_read:
            found.unread[obligation] = missing(not_read)

    def _outcomes(self, found: Claims, run: Run) -> None:
        returns = either(*(e.condition for e in run.exits if isinstance(e.outcome, Returned)))
        found.claims.append(Claim("no crash", both(run.admitted.accepted, negated(returns))))
        for reject, where in zip(self._spec.rejects, run.admitted.rejected, strict=True):
            right = [
                e.condition
                for e in run.exits
                if isinstance(e.outcome, Raised) and set(e.outcome.names) & set(reject.raises)
            ]
            found.claims.append(Claim(obligation_id("reject", reject), both(where, negated(either(*right)))))

    def _results(self, found: Claims, run: Run) -> None:
        accepted, reference = run.admitted.accepted, self._spec.reference
        results = [(e.condition, e.outcome.value) for e in run.exits if isinstance(e.outcome, Returned)]
        self._try(
            found,
            "returns",
            lambda: both(accepted, either(*(both(c, negated(belongs(self._spec.output, v))) for c, v in results))),
        )
        if reference is not None:
            self._try(found, "reference", lambda: self._against_reference(run, results))
        for ensure in self._spec.ensures:
            self._try(found, obligation_id("ensure", ensure), partial(self._against_ensure, run, results, ensure))

    def _against_reference(self, run: Run, results: list[tuple[Condition, Value]]) -> Condition:
        reference = self._spec.reference
        assert reference is not None
        if reference.value is None or reference.abs_tol or reference.rel_tol:
            raise NotRead("a reference that is no exact expression")
        right, defined = self._expressions.value(reference.value, run.meaning, assumed=run.admitted.accepted)
        wrong = [both(c, negated(same(in_spec(v), right))) for c, v in results]
        return both(run.admitted.accepted, either(negated(defined), *wrong))

    def _against_ensure(self, run: Run, results: list[tuple[Condition, Value]], ensure: Ensure) -> Condition:
        if ensure.slack:
            raise NotRead("a clause with slack")
        parts: list[Condition] = []
        for condition, value in results:
            path = both(run.admitted.accepted, condition)
            narrowing = Narrowing(bounds_from(condition))
            meaning = Meaning(run.meaning.names, narrowing.value(in_spec(value)))
            when: Condition = TRUE
            if ensure.when is not None:
                when, when_defined = self._expressions.condition(ensure.when, meaning, assumed=path)
                parts.append(both(path, negated(when_defined)))
            holds, defined = self._expressions.condition(ensure.that, meaning, assumed=both(path, when))
            parts.append(both(path, when, either(negated(defined), negated(holds))))
        return either(*parts)

    def _related(self, relation: Relation, source: str) -> Condition:
        if relation.slack:
            raise NotRead("a clause with slack")
        runs: dict[str, Meaning] = {}
        inside: list[Condition] = []
        for name in relation.runs:
            run = self.run(source, f"{name}.")
            results = [(e.condition, in_spec(e.outcome.value)) for e in run.exits if isinstance(e.outcome, Returned)]
            if not results:
                raise NotRead("a program that never returns")
            value = results[-1][1]
            for condition, other in results[-2::-1]:
                value = chosen(condition, other, value)
            runs[name] = Meaning({**run.meaning.names, "result": value}, value)
            inside += [run.admitted.accepted, either(*(condition for condition, _ in results))]
        empty = Meaning({})
        path = both(*inside)
        given: Condition = TRUE
        if relation.given is not None:
            given, given_defined = self._expressions.condition(relation.given, empty, runs=runs)
            given = either(given, negated(given_defined))
        holds, defined = self._expressions.condition(relation.that, empty, runs=runs)
        return both(path, given, either(negated(defined), negated(holds)))


def in_spec(value: Value) -> Value:
    """A Python value as the spec's language sees it: a Decimal is its number, an enum's member its name."""
    if isinstance(value, Dec):
        exact = numbers.ratio(*numbers.as_ratio(value))
        return Int(exact.num) if exact.den.constant == 1 else exact
    if isinstance(value, Member):
        return Member("", value.names, value.index)
    return value


def same(value: Value, right: Value) -> Condition:
    """Whether a result is the right value (both as the spec's language sees them)."""
    if isinstance(value, Bool) != isinstance(right, Bool):
        return FALSE
    if isinstance(value, Bool) and isinstance(right, Bool):
        p, q = value.condition, right.condition
        return either(both(p, q), both(negated(p), negated(q)))
    return compare(ast.Eq(), value, right, 0)


def belongs(type_: Type, value: Value) -> Condition:
    """Whether a returned value is of the output's type; raises ``NotRead`` where the reading cannot tell."""
    match type_, value:
        case BoolType(choices=None), Bool():
            return TRUE
        case IntType(), Int(term=term):
            return _in_range(type_, term, 0)
        case DecimalType(), Dec(num=num, places=have):
            if type_.exact_exponent:
                raise NotRead("a result whose number of decimals counts")
            return both(_in_range(type_, num, have), _few_places(type_, num, have))
        case DateType(min=first, max=last), Day(ordinal=ordinal):
            low, high = number(first.toordinal()), number(last.toordinal())
            return both(at_most(low, ordinal), at_most(ordinal, high))
        case EnumType(class_name=kind), Member(kind=of) if kind == of:
            return TRUE
        case EnumType(class_name=""), Text(value=text):
            return TRUE if text in (type_.choices or ()) else FALSE
        case StrType(choices=choices), Text(value=text) if choices is not None:
            return TRUE if text in choices else FALSE
        case ((BoolType() | IntType() | DecimalType() | DateType() | EnumType() | StrType()), _):
            if isinstance(value, (Int, Bool, Dec, Ratio, Day, Text)) and not isinstance(type_, (EnumType, StrType)):
                return FALSE
            raise NotRead(f"a result of this kind ({type(value).__name__})")
        case _:
            raise NotRead("an output of this type")


def _in_range(type_: IntType | DecimalType, num: Term, places: int) -> Condition:
    if type_.choices is not None or type_.also:
        raise NotRead("an output with choices")
    parts: list[Condition] = []
    for bound, below in ((type_.min, True), (type_.max, False)):
        if bound is not None:
            scaled, edge = num * number(bound.denominator), number(bound.numerator * 10**places)
            parts.append(at_most(edge, scaled) if below else at_most(scaled, edge))
    return both(*parts)


def _few_places(type_: DecimalType, num: Term, have: int) -> Condition:
    allowed = type_.places[1] if type_.places is not None else None
    if allowed is None or have <= allowed:
        return TRUE
    return equal(modulo(num, number(10 ** (have - allowed))), number(0))


def missing(not_read: NotRead) -> str:
    """What a proof lacks, as the end of a sentence."""
    return str(not_read).replace("not read: ", "a reading of ", 1)


def unread_of(claims: Claims, obligation: str) -> str:
    """Why there is no claim about an obligation."""
    return claims.unread.get(obligation) or claims.unread.get("*", "")
