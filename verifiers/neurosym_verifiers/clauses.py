"""What a run owes to a spec: each promise that one outcome breaks.

The rules of ``returns``, ``no crash``, ``terminates``, ``pure``, ``reject``, ``reference`` and ``ensure`` for one
call, and of a ``relation`` for several. Nothing is run here.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from neurosym_sandbox import (
    BadValue,
    Crashed,
    ExceptionInfo,
    Exited,
    MemoryExceeded,
    Outcome,
    OutputExceeded,
    Raised,
    ResultExceeded,
    Returned,
    Tampered,
    TimedOut,
)
from neurosym_specs.expr.evaluate import Evaluator, Undefined
from neurosym_specs.membership import member_fault
from neurosym_specs.model import Ensure, Example, Relation, Spec
from neurosym_specs.obligations import obligation_id
from neurosym_specs.semantics import same_value, within_tolerance
from neurosym_specs.tolerances import result_type
from neurosym_specs.verdicts import FailureClass

from neurosym_verifiers.calls import OutsideType, WrongType, read_result
from neurosym_verifiers.cases import UNSTATED, Case
from neurosym_verifiers.wording import say_difference, say_outcome, say_value


@dataclass(frozen=True, slots=True)
class Breach:
    """A broken promise: the obligation's id, what was right, what came out."""

    obligation: str
    failure: FailureClass
    expected: str
    actual: str
    difference: str = ""
    line: int | None = None


class SpecUndefined(Exception):
    """A clause of the spec has no value on this input and result."""

    def __init__(self, clause: str, reason: str) -> None:
        self.clause = clause
        self.reason = reason
        super().__init__(f"{clause}: {reason}")


class Clauses:
    """Judges outcomes by the clauses of one spec."""

    def __init__(self, spec: Spec, evaluator: Evaluator) -> None:
        self._spec = spec
        self._evaluator = evaluator
        self._results = result_type(spec)

    def result_of(self, outcome: Outcome) -> Any:
        """The returned value, read by the output's type; ``UNSTATED`` if there is none of that type."""
        if not isinstance(outcome, Returned):
            return UNSTATED
        value = self._read(outcome)
        return UNSTATED if isinstance(value, (WrongType, OutsideType)) else value

    def _read(self, outcome: Returned) -> Any | WrongType | OutsideType:
        """The spec value of a result. It may lie beside the output's range where the right value has a tolerance."""
        value = read_result(self._spec.output, outcome.value)
        if isinstance(value, OutsideType) and member_fault(self._results, value.value, result=True) is None:
            return value.value
        return value

    def alike(self, first: Outcome, second: Outcome) -> bool:
        """Whether two calls came to the same result (the order of a dict or set aside) or the same exception."""
        if isinstance(first, Returned) and isinstance(second, Returned):
            one, two = self.result_of(first), self.result_of(second)
            if one is UNSTATED or two is UNSTATED:
                return repr(first.value) == repr(second.value)
            return same_value(one, two)
        if isinstance(first, Raised) and isinstance(second, Raised):
            return first.exception.name == second.exception.name
        return type(first) is type(second)

    def breaches(self, case: Case, outcome: Outcome, *, settled: bool) -> Iterator[Breach]:
        """The promises that this outcome breaks, the plainest first.

        ``settled``: the ensures are known to hold of the right value here, so they need not be evaluated again if
        exactly that came out.
        """
        if isinstance(outcome, (Returned, Raised)) and outcome.arguments_after is not None:
            yield Breach("pure", FailureClass.STATE, "the arguments unchanged", "the call changed its arguments")
        if isinstance(outcome, TimedOut):
            due = f"raises {' or '.join(case.raises)}" if case.raises else "a result"
            yield Breach("terminates", FailureClass.TIMEOUT, due, say_outcome(self._spec.output, outcome))
        elif case.raises:
            yield from self._rejected(case, outcome)
        elif isinstance(outcome, Returned):
            yield from self._returned(case, outcome, settled)
        else:
            yield self._not_returned(case, outcome)

    def _rejected(self, case: Case, outcome: Outcome) -> Iterator[Breach]:
        if isinstance(outcome, Raised) and is_one_of(outcome.exception, case.raises):
            return
        expected = f"raises {' or '.join(case.raises)}"
        if isinstance(outcome, Returned):
            read = self._read(outcome)
            plain = say_outcome(self._spec.output, outcome)
            value = read.value if isinstance(read, OutsideType) else read
            actual = plain if isinstance(read, WrongType) else f"returned {say_value(self._spec.output, value)}"
            yield Breach(case.decided_by, FailureClass.WRONG_VALUE, expected, actual)
        else:
            actual = say_outcome(self._spec.output, outcome)
            yield Breach(case.decided_by, failure_class(outcome), expected, actual, line=_line_of(outcome))

    def _returned(self, case: Case, outcome: Returned, settled: bool) -> Iterator[Breach]:
        output = self._spec.output
        value = self._read(outcome)
        right = (
            f"{say_value(output, case.expected)}" if case.expected is not UNSTATED else "a value of the output's type"
        )
        if isinstance(value, WrongType):
            yield Breach("returns", FailureClass.TYPE, right, value.reason)
            return
        if isinstance(value, OutsideType):
            yield Breach("returns", FailureClass.FORMAT, right, f"{say_value(output, value.value)}: {value.reason}")
            value = value.value
        if settled and self.is_right(case, value):
            return
        yield from self._promises(case, value)

    def is_right(self, case: Case, value: Any) -> bool:
        """Whether a result is exactly the right value. One that only real arithmetic could tell is not."""
        try:
            return case.expected is not UNSTATED and same_value(value, case.expected)
        except Undefined:
            return False

    def _promises(self, case: Case, value: Any) -> Iterator[Breach]:
        output, reference = self._spec.output, self._spec.reference
        actual = say_value(output, value)
        if reference is not None and case.expected is not UNSTATED:
            try:
                right = within_tolerance(reference, case.expected, value)
            except Undefined as undefined:
                raise SpecUndefined("reference", str(undefined)) from undefined
            if not right:
                difference = say_difference(output, case.expected, value)
                yield Breach(
                    "reference",
                    FailureClass.WRONG_VALUE,
                    say_value(output, case.expected),
                    actual,
                    difference,
                )
        if reference is not None and reference.where is not None:
            if not self._holds(case, value, "reference", reference.where):
                yield Breach("reference", FailureClass.WRONG_VALUE, reference.where.text.strip(), actual)
        for ensure in self._spec.ensures:
            if not self.ensured(ensure, case, value):
                yield Breach(
                    obligation_id("ensure", ensure), FailureClass.WRONG_VALUE, ensure.that.text.strip(), actual
                )

    def condition_broken(self, case: Case, value: Any) -> str | None:
        """The clause that does not hold of a result, where no right value is stated. Raises ``SpecUndefined``.

        A tolerance says that the value is near a right one only, so that ensures, which may be exact, are not asked.
        """
        reference = self._spec.reference
        if reference is not None and reference.where is not None:
            if not self._holds(case, value, "reference", reference.where):
                return "the reference's condition"
            if reference.abs_tol or reference.rel_tol:
                return None
        ensures = (each for each in self._spec.ensures if not self.ensured(each, case, value))
        return next((obligation_id("ensure", each) for each in ensures), None)

    def applies(self, ensure: Ensure, case: Case) -> bool:
        """Whether the ensure's ``when`` holds; one that uses the result is taken to apply."""
        if ensure.when is None:
            return True
        try:
            return case.scope.holds(ensure.when)
        except Undefined as undefined:
            if "result" in ensure.when.text:
                return True
            raise SpecUndefined(obligation_id("ensure", ensure), str(undefined)) from undefined

    def ensured(self, ensure: Ensure, case: Case, value: Any) -> bool:
        """Whether the ensure holds of a result."""
        scope = case.scope.with_result(value)
        try:
            if ensure.when is not None and not scope.holds(ensure.when, slack=ensure.slack):
                return True
            return scope.holds(ensure.that, slack=ensure.slack)
        except Undefined as undefined:
            raise SpecUndefined(obligation_id("ensure", ensure), str(undefined)) from undefined

    def _holds(self, case: Case, value: Any, clause: str, expression: Any) -> bool:
        try:
            return case.scope.with_result(value).holds(expression)
        except Undefined as undefined:
            raise SpecUndefined(clause, str(undefined)) from undefined

    def related(self, relation: Relation, cases: Mapping[str, Case], values: Mapping[str, Any]) -> bool | None:
        """Whether a relation holds of several runs' results; None where its ``given`` does not hold."""
        try:
            runs = self._evaluator.bind_runs({run: case.scope.with_result(values[run]) for run, case in cases.items()})
            if relation.given is not None and not runs.holds(relation.given):
                return None
            return runs.holds(relation.that, slack=relation.slack)
        except Undefined as undefined:
            raise SpecUndefined(obligation_id("relation", relation), str(undefined)) from undefined

    def relation_breach(self, relation: Relation, values: Sequence[Any]) -> Breach:
        """The breach of a relation by runs with these results."""
        results = ", ".join(
            f"{run} gives {say_value(self._spec.output, value)}"
            for run, value in zip(relation.runs, values, strict=True)
        )
        id_, promised = obligation_id("relation", relation), relation.that.text.strip()
        return Breach(id_, FailureClass.WRONG_VALUE, promised, results)

    def example_breach(self, example: Example, case: Case, outcome: Outcome) -> Breach | None:
        """How an outcome differs from a worked example; None if it does not."""
        id_, output = obligation_id("example", example), self._spec.output
        said = say_outcome(output, outcome)
        line = _line_of(outcome)
        if example.raises:
            if isinstance(outcome, Raised) and is_one_of(outcome.exception, example.raises):
                return None
            return Breach(id_, failure_class(outcome), f"raises {' or '.join(example.raises)}", said, line=line)
        right = say_value(output, example.out)
        read = self._read(outcome) if isinstance(outcome, Returned) else UNSTATED
        if isinstance(read, OutsideType):
            return Breach(id_, FailureClass.FORMAT, right, f"{say_value(output, read.value)}: {read.reason}")
        value = self.result_of(outcome)
        if value is UNSTATED:
            return Breach(id_, failure_class(outcome), right, said, line=line)
        if same_value(value, example.out):
            return None
        reference = self._spec.reference
        if reference is not None and (reference.abs_tol or reference.rel_tol):
            if within_tolerance(reference, example.out, value):
                return None
        difference = say_difference(output, example.out, value)
        return Breach(id_, FailureClass.WRONG_VALUE, right, say_value(output, value), difference)

    def _not_returned(self, case: Case, outcome: Outcome) -> Breach:
        output = self._spec.output
        expected = f"raises {' or '.join(case.raises)}" if case.raises else "a result"
        if case.expected is not UNSTATED:
            expected = say_value(output, case.expected)
        obligation = "returns" if isinstance(outcome, (BadValue, ResultExceeded, Tampered)) else "no crash"
        said = say_outcome(output, outcome)
        return Breach(obligation, failure_class(outcome), expected, said, line=_line_of(outcome))


def _line_of(outcome: Outcome) -> int | None:
    """Where in the candidate's own source it raised."""
    return outcome.exception.line if isinstance(outcome, Raised) else None


def is_one_of(exception: ExceptionInfo, names: Sequence[str]) -> bool:
    """Whether an exception is one of those named, or a subclass of one."""
    return any(name in names for name in (exception.name, *exception.bases))


def failure_class(outcome: Outcome) -> FailureClass:
    """The class of what went wrong in a call that did not return."""
    match outcome:
        case Raised(exception=exception):
            if is_one_of(exception, ("NameError",)):
                return FailureClass.NAME
            if is_one_of(exception, ("ImportError",)):
                return FailureClass.IMPORT
            return FailureClass.RUNTIME
        case TimedOut():
            return FailureClass.TIMEOUT
        case MemoryExceeded():
            return FailureClass.MEMORY
        case Crashed() | Exited():
            return FailureClass.RUNTIME
        case BadValue():
            return FailureClass.TYPE
        case OutputExceeded() | ResultExceeded():
            return FailureClass.OUTPUT
        case Tampered():
            return FailureClass.TAMPERING
        case Returned():
            return FailureClass.WRONG_VALUE
