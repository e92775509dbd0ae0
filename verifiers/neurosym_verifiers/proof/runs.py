"""Runs of a candidate on symbolic inputs of one shape: what the spec says of them, and how they end."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TypeAlias

from neurosym_specs.expr.syntax import Expression
from neurosym_specs.model import Spec
from neurosym_specs.signature import declarations
from neurosym_specs.types import EnumType, Type

from neurosym_verifiers.proof.offered import Offered
from neurosym_verifiers.reading.data.dates import month_length
from neurosym_verifiers.reading.data.items import whichever
from neurosym_verifiers.reading.data.values import (
    Bool,
    Chars,
    Day,
    Dec,
    Float,
    Hidden,
    Int,
    Lookup,
    Maybe,
    Member,
    Members,
    NotRead,
    Record,
    Sequence,
    Text,
    Value,
)
from neurosym_verifiers.reading.execution.heap import Heap
from neurosym_verifiers.reading.execution.state import Exit, Raised, Returned
from neurosym_verifiers.reading.execution.unread import UNREAD
from neurosym_verifiers.reading.execution.ways import any_way
from neurosym_verifiers.reading.expressions.expressions import ExpressionReading
from neurosym_verifiers.reading.expressions.functions import either_of
from neurosym_verifiers.reading.expressions.scope import Meaning
from neurosym_verifiers.reading.formulas.bounds import Bounds, Spans
from neurosym_verifiers.reading.formulas.budget import TooManyTerms, at_most_terms
from neurosym_verifiers.reading.formulas.normal_forms import both, negated
from neurosym_verifiers.reading.formulas.terms import FALSE, TRUE, Condition, Term
from neurosym_verifiers.reading.inputs.crossing import from_python, in_spec, to_python
from neurosym_verifiers.reading.inputs.inputs import SymbolicInputs, symbolic_inputs
from neurosym_verifiers.reading.inputs.renaming import renamed
from neurosym_verifiers.reading.inputs.shapes import Shape, used_types
from neurosym_verifiers.reading.python.functions import PythonReading
from neurosym_verifiers.reading.python.program import program_of

MOST_TERMS = 600_000
"""What one run, or one claim, may need; a unit, so that a reading does not depend on how busy the machine is."""

Asks: TypeAlias = Callable[[Condition, Spans], bool]
"""Whether anything may fulfil a condition; true where that is not known."""


@dataclass(frozen=True, slots=True)
class Admitted:
    """``required``: inside the requires; ``rejected``: where each reject decides; ``accepted``: a result is due."""

    required: Condition
    rejected: tuple[Condition, ...]
    accepted: Condition


@dataclass(frozen=True)
class Run:
    """One run of the program on symbolic inputs of one shape. ``exits`` give results in the form of the output's type.

    ``bounds``: those of the variables.
    """

    shape: Shape
    inputs: SymbolicInputs
    meaning: Meaning
    admitted: Admitted
    exits: tuple[Exit, ...]
    bounds: Spans

    @cached_property
    def results(self) -> list[tuple[Condition, Value]]:
        """What is returned, as the spec's language sees it, each with its condition."""
        return [(e.condition, in_spec(e.outcome.value)) for e in self.exits if isinstance(e.outcome, Returned)]

    @cached_property
    def returns(self) -> Condition:
        return any_way(*(e.condition for e in self.exits if isinstance(e.outcome, Returned)))

    @cached_property
    def told(self) -> Meaning:
        """What names stand for, the result as one value among them. Raises ``NotRead`` if it never returns."""
        value = whichever(self.results, 0, either_of)
        if value is None:
            raise NotRead("a program that never returns")
        return self.meaning.with_result(value)


class SpecReading:
    """Reads a spec once, and programs against it. ``given``: values that these have by names they do not bind."""

    def __init__(self, spec: Spec, given: Mapping[str, Value] | None = None) -> None:
        self.spec = spec
        self._given = dict(given or {})
        self.expressions = ExpressionReading(spec)
        self._declarations = declarations(spec)
        self._records = program_of(self._declarations).records
        self._enums = {
            type_.class_name: tuple(name for name, _ in type_.members)
            for type_ in (*spec.types.values(), *used_types(spec))
            if isinstance(type_, EnumType) and type_.class_name
        }

    def program(
        self,
        source: str,
        possible: Callable[[Condition], bool],
        many_rounds: int | None,
        inputs: Mapping[str, Value],
    ) -> PythonReading:
        """A program with the classes that the spec declares. Raises ``NotRead``. ``inputs``: as the spec sees them."""
        program = program_of(self._declarations, source)
        for name, declared in self._records.items():
            own = program.records.get(name)
            if own is None or not own.is_alike(declared):  # inputs are of the program's class, read as the spec's
                raise NotRead(f"the class {name}, which is not as the spec declares it")
        program.names |= {name: value for name, value in self._given.items() if not program.binds(name)}
        offers = Offered(self.spec.invariants, self.expressions, source, inputs)
        return PythonReading(program, self._enums, possible, many_rounds=many_rounds, offers=offers)

    def admitted(self, inputs: SymbolicInputs, meaning: Meaning, possible: Callable[[Condition], bool]) -> Admitted:
        """What the spec's requires and rejects say of inputs. Raises ``NotRead`` where they may say nothing.

        ``possible``: whether anything may fulfil a condition; true where that is not known.
        """

        def certain(expression: Expression, assumed: Condition) -> Condition:
            return self._certain(expression, meaning, assumed, possible)

        required = inputs.universe
        for require in self.spec.requires:
            if not require.accepted_only:
                required = both(required, certain(require.that, required))
        earlier: Condition = TRUE
        rejected: list[Condition] = []
        for reject in self.spec.rejects:
            here = both(required, earlier)
            when = certain(reject.when, here)
            rejected.append(both(here, when))
            earlier = both(earlier, negated(when))
        accepted = both(required, earlier)
        for require in self.spec.requires:
            if require.accepted_only:
                accepted = both(accepted, certain(require.that, accepted))
        return Admitted(required, tuple(rejected), accepted)

    def _certain(
        self, expression: Expression, meaning: Meaning, assumed: Condition, possible: Callable[[Condition], bool]
    ) -> Condition:
        """A condition of the spec that is defined wherever it is asked for."""
        if assumed == FALSE:
            return FALSE
        holds, defined = self.expressions.condition(expression, meaning, assumed=assumed)
        if defined != TRUE and possible(both(assumed, negated(defined))):
            raise NotRead(f"the spec's `{expression.text.strip()[:60]}`, which may be undefined")
        return holds


class CandidateReading:
    """Runs of one candidate; the same run is read once. ``asks``: a solver's help with loops whose end is not seen.

    ``many_rounds``: loops that may have more are read as atoms of their own, if they can be; None: none are."""

    def __init__(self, reading: SpecReading, source: str, asks: Asks, *, many_rounds: int | None) -> None:
        self._many_rounds = many_rounds
        self.has_long_loops = self.short_enough = False
        self.reading = reading
        self._source = source
        self._asks = asks
        self._runs: dict[tuple[str, tuple[tuple[str, int], ...]], Run] = {}
        self._rights: dict[object, tuple[list[tuple[Condition, Value]], Condition]] = {}

    def run(self, shape: Shape, prefix: str = "") -> Run:
        """A run on inputs of a shape. Raises ``NotRead``."""
        key = (prefix, tuple(shape.items()))
        if key not in self._runs:
            plain = self.run(shape) if prefix else None
            self._runs[key] = self.run_on(symbolic_inputs(self.reading.spec, shape, prefix), shape, plain, prefix)
        return self._runs[key]

    @staticmethod
    @contextmanager
    def within_budget() -> Iterator[None]:
        """A reading that grows too large is given up. Raises ``NotRead``."""
        try:
            with at_most_terms(MOST_TERMS):
                yield
        except TooManyTerms:
            raise NotRead(f"a program that needs more than {MOST_TERMS:,} parts of terms") from None

    def run_on(self, inputs: SymbolicInputs, shape: Shape, plain: Run | None = None, prefix: str = "") -> Run:
        """A run on given inputs; ``plain`` is one on the same whose names lack the prefix. Raises ``NotRead``."""
        with self.within_budget():
            return self._run_on(inputs, shape, plain, prefix)

    def _run_on(self, inputs: SymbolicInputs, shape: Shape, plain: Run | None, prefix: str) -> Run:
        run = self.without_exits(inputs, shape)
        exits = None if plain is None or self.has_long_loops else renamed(plain.exits, prefix)
        if exits is None:
            exits = self.exits_of(self._source, inputs, run.admitted.required, run.bounds)
        return replace(run, exits=exits)

    def without_exits(self, inputs: SymbolicInputs, shape: Shape) -> Run:
        """A run of which it is not read yet how it ends."""
        meaning = Meaning({name: in_spec(value) for name, value in inputs.values.items()})
        bounds = bounds_of(inputs.values)
        admitted = self.reading.admitted(inputs, meaning, lambda condition: self._asks(condition, bounds))
        return Run(shape, inputs, meaning, admitted, (), bounds)

    def rights(self, run: Run) -> tuple[list[tuple[Condition, Value]], Condition]:
        """The right values of a run by the spec's reference, each with its condition, and where there is one.

        Raises ``NotRead``; also where the spec has no reference.
        """
        key = tuple(run.shape.items())
        if key not in self._rights:
            with self.within_budget():
                self._rights[key] = self._right_values(run)
        return self._rights[key]

    def _right_values(self, run: Run) -> tuple[list[tuple[Condition, Value]], Condition]:
        reference, accepted = self.reading.spec.reference, run.admitted.accepted
        if accepted == FALSE:
            return [], FALSE
        if reference is not None and reference.value is not None:
            right, defined = self.reading.expressions.value(reference.value, run.meaning, assumed=accepted)
            return [(TRUE, right)], defined
        if reference is not None and reference.python is not None and not reference.raises:
            exits = self.exits_of(reference.python, run.inputs, accepted, run.bounds)
            of_reference = replace(run, exits=exits)
            return of_reference.results, of_reference.returns
        raise NotRead("a reference of this kind")

    def exits_of(self, source: str, inputs: SymbolicInputs, within: Condition, bounds: Spans) -> tuple[Exit, ...]:
        """How a program (the candidate, or the spec's reference) ends on inputs inside of a condition."""
        spec = self.reading.spec

        def possible(condition: Condition) -> bool:
            return self._asks(both(within, condition), bounds)

        seen = {name: in_spec(value) for name, value in inputs.values.items()}
        program = self.reading.program(source, possible, self._many_rounds, seen)
        heap = Heap()
        arguments = [to_python(type_, inputs.values[name], heap) for name, type_ in spec.inputs.items()]
        exits = self._read_exits(program.exits(spec.name, arguments, heap), possible)
        self.has_long_loops = self.has_long_loops or program.has_long_loops
        self.short_enough = self.short_enough or program.short_enough
        return tuple(_typed(end, spec.output) for end in exits)

    @staticmethod
    def _read_exits(exits: list[Exit], possible: Callable[[Condition], bool]) -> list[Exit]:
        """The exits without those that are not read, which no input must reach. Raises ``NotRead``."""
        found: list[Exit] = []
        for end in exits:
            if not isinstance(end.outcome, Raised) or end.outcome.names[0] != UNREAD:
                found.append(end)
            elif possible(end.condition):
                raise NotRead(end.outcome.names[1], end.line)
        return found


def _typed(end: Exit, output: Type) -> Exit:
    if isinstance(end.outcome, Returned):
        return Exit(end.condition, Returned(from_python(output, end.outcome.value)), end.line)
    return end


def bounds_of(values: Mapping[str, Value]) -> Spans:
    """The bounds of the variables that inputs are made of."""
    found: dict[str, Bounds] = {}
    for value in values.values():
        for term in _terms(value):
            found |= term.spans
    return found


def _terms(value: Value) -> list[Term]:
    match value:
        case Int(term=term):
            return [term]
        case Dec(num=num) | Float(num=num):
            return [num]
        case Day(year=year, month=month, day=day):
            return [value.ordinal, year, month, day, month_length(year, month)]
        case Member(index=index):
            return [index]
        case Maybe(value=some):
            return _terms(some)
        case Chars(cells=cells):
            return [code for _, code in cells]
        case Hidden(seen=seen):
            return _terms(seen)
        case Text() | Members():
            return []
        case Sequence(items=items):
            return [term for item in items for term in _terms(item)]
        case Record(fields=fields):
            return [term for _, part in fields for term in _terms(part)]
        case Lookup(entries=pairs):
            return [term for _, *both_parts in pairs for part in both_parts for term in _terms(part)]
        case Bool():
            return []
        case _:
            raise AssertionError(f"no input is a {type(value).__name__}")
