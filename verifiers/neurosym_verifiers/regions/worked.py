"""Cases that show a region: one that is easy to follow, and those at the ends of its ranges. Each is really run."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import isqrt
from typing import Any

from neurosym_sandbox import Outcome, Returned
from neurosym_specs.model import Spec
from neurosym_specs.notation import call_source, to_plain

from neurosym_verifiers.calls import OutsideType, WrongType, read_result
from neurosym_verifiers.cases import Case
from neurosym_verifiers.reading.data.values import Day
from neurosym_verifiers.reading.formulas.evaluating import Evaluation
from neurosym_verifiers.reading.formulas.terms import Condition
from neurosym_verifiers.reading.inputs.assignments import assigned
from neurosym_verifiers.regions.asking import Asking, Assignment
from neurosym_verifiers.regions.dated import assigned_with_ordinals
from neurosym_verifiers.regions.ranges import Box, Range
from neurosym_verifiers.regions.workbench import Workbench
from neurosym_verifiers.search.smallest import size_key
from neurosym_verifiers.wording import say_outcome, say_value


@dataclass(frozen=True, slots=True)
class Worked:
    """A call that was run: its ``inputs`` in plain notation, the ``call`` to paste, and what it came to, in words.

    ``place`` and ``end`` say which end of which range it shows, empty for a case in the middle.
    """

    inputs: Mapping[str, Any]
    call: str
    result: str
    place: str = ""
    end: str = ""


def worked(spec: Spec, case: Case, outcome: Outcome, place: str = "", end: str = "") -> Worked:
    """A case and its outcome in words."""
    plain = {name: to_plain(type_, case.inputs[name]) for name, type_ in spec.inputs.items()}
    return Worked(plain, call_source(spec, case.inputs), result_in_words(spec, outcome), place, end)


def result_in_words(spec: Spec, outcome: Outcome) -> str:
    """``15.00 USD``, or ``raised ValueError: …``."""
    if not isinstance(outcome, Returned):
        return say_outcome(spec.output, outcome)
    value = read_result(spec.output, outcome.value)
    if isinstance(value, WrongType):
        return value.reason
    return say_value(spec.output, value.value if isinstance(value, OutsideType) else value)


class Cases:
    """Looks for cases of one program's regions among those that were run, and beside them."""

    def __init__(self, bench: Workbench, cases: Sequence[Case], asking: Asking) -> None:
        self._bench = bench
        self._spec = bench.spec
        self._asking = asking
        self._examples = {case.key for case in bench.examples()}
        self._known = [(case, Evaluation(assigned_with_ordinals(self._spec, case.inputs))) for case in cases]

    def clear(self, condition: Condition, box: Box) -> Case | None:
        """The case that is easiest to follow: away from the ends, an example if there is one, else with few digits."""
        inside = [case for case, evaluation in self._known if evaluation.condition(condition)]
        middle = self._moved({}, condition, *((each, inner) for each in box.ranges if (inner := _inside(each))))
        examples = [case for case in inside if case.key in self._examples]
        found = [*examples, middle] if middle is not None else inside
        if not found:
            model = self._asking.find(condition)
            case = None if isinstance(model, bool) else self._bench.case_of(model)
            found = [] if case is None else [case]
        return min(found, key=lambda case: self._burden(case, box), default=None)

    def _burden(self, case: Case, box: Box) -> tuple[Any, ...]:
        """How hard a case is to follow: values at ends, zeros, not from the spec, digits."""
        evaluation, ends, zeros, digits = Evaluation(assigned_with_ordinals(self._spec, case.inputs)), 0, 0, 0
        for each in box.ranges:
            if each.place.term is not None:
                steps = evaluation.term(each.place.term)
                ends += steps in [end.steps for end in (each.low, each.high) if end is not None]
                if not isinstance(each.place.value, Day):
                    zeros += steps == 0
                    digits += len(str(abs(steps)).rstrip("0"))
        return ends, zeros, case.key not in self._examples, digits, size_key(self._spec.inputs, case.inputs)

    def at_ends(self, condition: Condition, box: Box, whole: Box, middle: Case) -> Iterator[tuple[Case, str, str]]:
        """Cases at the ends of ranges that are not the ends of all inputs, with the place, and ``low`` or ``high``.

        Beside that place they are as near to the ``middle`` case as can be.
        """
        start = assigned(self._spec, middle.inputs)
        for each, all_ in zip(box.ranges, whole.ranges, strict=True):
            for name, end, outer in (("low", each.low, all_.low), ("high", each.high, all_.high)):
                if end is None or outer is None or end.steps == outer.steps:
                    continue
                case = self._moved(start, condition, (each, end.steps))
                case = case or self._bench.case_of(end.reached)
                if case is not None:
                    yield case, each.place.label, name

    def _moved(self, start: Assignment, condition: Condition, *to: tuple[Range, Any]) -> Case | None:
        """The case with some places at some values, if the region has it."""
        assignment = dict(start)
        for range_, value in to:
            assignment |= range_.place.assignment(value)
        if not assignment:
            return None
        case = self._bench.case_of(assignment)
        if case is None or not Evaluation(assigned_with_ordinals(self._spec, case.inputs)).condition(condition):
            return None
        return case


def _inside(range_: Range) -> Any:
    """A value of a range that is easy to follow, away from its ends where there is room; None for no range."""
    if range_.place.term is None:
        return range_.options[0] if range_.options else None
    if range_.low is None or range_.high is None:
        return None
    low, high = range_.low.steps, range_.high.steps
    if high - low < 2:
        return low
    if isinstance(range_.place.value, Day):
        return (low + high) // 2
    if high <= 0:
        return -_round_between(-high, -low)
    return _round_between(max(low, 0), high)


def _round_between(low: int, high: int) -> int:
    """The number with the most zeros strictly between, nearest to the geometric mean."""
    middle = isqrt(max(low, 1) * high)
    for power in range(len(str(high)), -1, -1):
        unit = 10**power
        for candidate in (middle // unit * unit, middle // unit * unit + unit):
            if low < candidate < high:
                return int(candidate)
    return low
