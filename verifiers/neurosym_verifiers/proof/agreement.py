"""A reading held against executions: whether on one input it comes to what the real code came to."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from decimal import Decimal
from fractions import Fraction
from typing import Any

from neurosym_sandbox import EnumMember, Outcome, Returned
from neurosym_sandbox import Raised as RaisedInJail
from neurosym_specs.semantics import same_value

from neurosym_verifiers.cases import UNSTATED
from neurosym_verifiers.clauses import Clauses
from neurosym_verifiers.proof.claims import in_spec
from neurosym_verifiers.reading.evaluating import Evaluation
from neurosym_verifiers.reading.state import Exit, Raised
from neurosym_verifiers.reading.values import Bool, Day, Dec, Int, Member, NoneValue, Ratio, Text, Value
from neurosym_verifiers.reading.values import Sequence as Items


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


def as_read(value: Any) -> Any:
    """A Python value as far as the reading tells values apart: a Decimal is its number, a member its name."""
    match value:
        case Decimal() if value.is_finite():
            return _number(Fraction(value))
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


def known(value: Value, evaluation: Evaluation) -> Any:
    """A symbolic value as a spec value, on concrete inputs."""
    match value:
        case Int(term=term):
            return evaluation.term(term)
        case Bool(condition=condition):
            return evaluation.condition(condition)
        case Dec(num=num, places=places):
            return Fraction(evaluation.term(num), 10**places)
        case Ratio(num=num, den=den):
            return Fraction(evaluation.term(num), evaluation.term(den))
        case Day(ordinal=ordinal, year=year, month=month, day=day):
            found = date(*(evaluation.term(part) for part in (year, month, day)))
            return found if found.toordinal() == evaluation.term(ordinal) else None
        case Member(names=names, index=index):
            return names[evaluation.term(index)]
        case Text(value=text):
            return text
        case NoneValue():
            return None
        case Items(items=items, is_list=is_list):
            whole = [known(item, evaluation) for item in items]
            return whole if is_list else tuple(whole)
        case _:
            raise ValueError(f"no value: {type(value).__name__}")
