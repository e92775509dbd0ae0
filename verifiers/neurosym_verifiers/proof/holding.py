"""A reading held against reality: on the inputs that were run it must come to the same as the jail and the evaluator.

That is: the same result or exception as the execution, the same admission and right value as the spec's evaluator.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from datetime import date
from decimal import Decimal
from fractions import Fraction
from typing import Any, Final

from neurosym_sandbox import EnumMember, Outcome, Returned
from neurosym_sandbox import Raised as RaisedInJail
from neurosym_specs.model import Spec
from neurosym_specs.semantics import same_value
from neurosym_specs.values import Record as SpecRecord

from neurosym_verifiers.cases import UNSTATED, Case
from neurosym_verifiers.clauses import Clauses
from neurosym_verifiers.proof.runs import CandidateReading, Run
from neurosym_verifiers.reading.data.values import (
    Bool,
    Chars,
    Day,
    Dec,
    Float,
    Guarded,
    Int,
    Lookup,
    LoopList,
    Maybe,
    Member,
    NoneValue,
    NotRead,
    Ratio,
    Real,
    Record,
    Table,
    Text,
    Value,
)
from neurosym_verifiers.reading.data.values import (
    Sequence as Items,
)
from neurosym_verifiers.reading.execution.merging import presence
from neurosym_verifiers.reading.execution.state import Exit, Raised
from neurosym_verifiers.reading.floats.real_evaluating import alike, computed, exactly
from neurosym_verifiers.reading.formulas.evaluating import Evaluation
from neurosym_verifiers.reading.formulas.terms import Condition
from neurosym_verifiers.reading.inputs.assignments import assigned
from neurosym_verifiers.reading.inputs.crossing import in_spec


class Holding:
    """One run of the reading, and the executions of its shape."""

    def __init__(self, spec: Spec, clauses: Clauses, candidate: CandidateReading, run: Run) -> None:
        self._spec = spec
        self._clauses = clauses
        self._candidate = candidate
        self._run = run

    def first_difference(self, executions: Sequence[tuple[Case, Outcome]]) -> str:
        """The first input on which the reading differs from the execution or the evaluator; empty if none."""
        rights = self._rights() if executions else None
        for case, outcome in executions:
            evaluation = Evaluation(assigned(self._spec, case.inputs))
            try:
                problem = self._differs(evaluation, rights, case, outcome)
            except (ZeroDivisionError, OverflowError, ValueError, KeyError) as error:
                problem = f"{type(error).__name__} while evaluating the reading"
            if problem:
                return f"{problem} on {dict(case.inputs)}"
        return ""

    def _differs(
        self, evaluation: Evaluation, rights: list[tuple[Condition, Value]] | None, case: Case, outcome: Outcome
    ) -> str:
        if evaluation.condition(self._run.admitted.accepted) != case.accepted:
            return "the spec's admission is read differently"
        if rights is not None and case.expected is not UNSTATED and case.accepted:
            right = [value for there, value in rights if evaluation.condition(there)]
            if len(right) != 1 or not alike(known(in_spec(right[0]), evaluation), case.expected):
                return "the reference is read differently"
        return end_differs(self._run.exits, evaluation, outcome, self._clauses)

    def _rights(self) -> list[tuple[Condition, Value]] | None:
        """The right values as they are read; None where they are not, so that no claim speaks of them."""
        try:
            return self._candidate.rights(self._run)[0]
        except NotRead:
            return None


def end_differs(exits: Sequence[Exit], evaluation: Evaluation, outcome: Outcome, clauses: Clauses) -> str:
    """How the exit that is read differs from the outcome of the real call; empty if it does not."""
    taken = [e for e in exits if evaluation.condition(e.condition)]
    if len(taken) != 1:
        return f"{len(taken)} exits at once"
    end = taken[0].outcome
    if isinstance(end, Raised):
        if isinstance(outcome, RaisedInJail) and outcome.exception.name == end.names[0]:
            return ""
        return f"the reading raises {end.names[0]}"
    if not isinstance(outcome, Returned):
        return "the reading returns"
    value, found = clauses.result_of(outcome), known(in_spec(end.value), evaluation)
    if value is UNSTATED:  # of another type than the spec's: compared as Python has it
        value, found = as_read(outcome.value), as_read(found)
        return "" if value == found and type(value) is type(found) else "the reading returns another value"
    return "" if same_value(found, value) else "the reading returns another value"


_NAN: Final = object()
"""NaN, which equals nothing, as a value that equals itself: a reading that says NaN is right where it came out."""


def as_read(value: Any) -> Any:
    """A Python value as far as the reading tells values apart: a Decimal is its number, a member its name."""
    match value:
        case Decimal() if value.is_finite():
            return _number(Fraction(value))
        case float() if math.isfinite(value):
            return _number(Fraction(value))
        case float() if math.isnan(value):
            return _NAN
        case Fraction():
            return _number(value)
        case EnumMember(name=name):
            return name
        case list() | tuple():
            return type(value)(map(as_read, value))
        case _:
            return value


def _number(value: Fraction) -> Fraction | int:
    return value.numerator if value.denominator == 1 else value


def _known_float(value: Float, nan: bool, num: int, steps: int) -> Any:
    if nan:
        return math.nan
    if value.low is not None and num < value.low:
        return -math.inf
    return math.inf if value.high is not None and num > value.high else Fraction(num, steps)


def known(value: Value, evaluation: Evaluation) -> Any:
    """A symbolic value as a spec value, on concrete inputs."""
    match value:
        case Int(term=term):
            return evaluation.term(term)
        case Bool(condition=condition):
            return evaluation.condition(condition)
        case Dec(num=num, places=places):
            return Fraction(evaluation.term(num), 10**places)
        case Float(num=num, scale=scale):
            return _known_float(value, evaluation.condition(value.nan), evaluation.term(num), 2**scale)
        case Ratio(num=num, den=den):
            return Fraction(evaluation.term(num), evaluation.term(den))
        case Real():
            return exactly(computed(value, evaluation))
        case Day(ordinal=ordinal, year=year, month=month, day=day):
            found = date(*(evaluation.term(part) for part in (year, month, day)))
            return found if found.toordinal() == evaluation.term(ordinal) else None
        case Member(names=names, index=index):
            return names[evaluation.term(index)]
        case Text(value=text):
            return text
        case Chars(cells=cells):
            return "".join(chr(evaluation.term(code)) for there, code in cells if evaluation.condition(there))
        case NoneValue():
            return None
        case Maybe(missing=missing, value=some):
            return None if evaluation.condition(missing) else known(some, evaluation)
        case Guarded(items=guarded, is_list=is_list):
            kept = [known(item, evaluation) for there, item in guarded if evaluation.condition(there)]
            return kept if is_list else tuple(kept)
        case LoopList(less=0, loop=loop):
            return [
                known(value.item if goes_on else value.last, a_round)
                for a_round, goes_on in evaluation.rounds_of(loop)
                if goes_on or a_round.condition(value.there)
            ]
        case Record(kind=kind, fields=fields):
            return SpecRecord(kind, {name: known(part, evaluation) for name, part in fields})
        case Table(entries=entries):
            keys = [key for key in entries if evaluation.condition(presence(value, key))]
            return {key: known(entries[key], evaluation) for key in keys}
        case Lookup(entries=pairs):
            here = [(key, each) for there, key, each in pairs if evaluation.condition(there)]
            return {known(key, evaluation): known(each, evaluation) for key, each in here}
        case Items(items=items, is_list=is_list):
            whole = [known(item, evaluation) for item in items]
            return whole if is_list else tuple(whole)
        case _:
            raise ValueError(f"no value: {type(value).__name__}")
