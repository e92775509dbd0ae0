"""Two versions of a function: the regions where they differ, or that they are equal, proved or tested.

Both are run on the same inputs, and both are read. Where both readings are complete, each region of one is crossed
with each of the other; the solver says whether the two ends differ there on any input, and the smallest and the largest
difference are looked for. What is shown is always from calls that were run.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from neurosym_sandbox import Outcome, Returned
from neurosym_specs.notation import call_source, to_plain

from neurosym_verifiers.calls import OutsideType, WrongType, read_result
from neurosym_verifiers.cases import Case
from neurosym_verifiers.proof.membership import same
from neurosym_verifiers.proof.runs import Run
from neurosym_verifiers.reading.data.values import Dec, Int, NotRead
from neurosym_verifiers.reading.depth import deep_recursion
from neurosym_verifiers.reading.execution import state
from neurosym_verifiers.reading.formulas.evaluating import Evaluation
from neurosym_verifiers.reading.formulas.normal_forms import negated
from neurosym_verifiers.reading.formulas.terms import FALSE, TRUE, Condition, Term, number
from neurosym_verifiers.reading.inputs.crossing import in_spec
from neurosym_verifiers.regions.asking import Asking
from neurosym_verifiers.regions.dated import assigned_with_ordinals
from neurosym_verifiers.regions.entries import Entry, entry_of, joined
from neurosym_verifiers.regions.formulas import Writer
from neurosym_verifiers.regions.kinds import same_kind
from neurosym_verifiers.regions.places import names_of, places_of
from neurosym_verifiers.regions.ranges import box_of
from neurosym_verifiers.regions.showing import End, Span, decimals_of, end_of, spans_of, tie_text
from neurosym_verifiers.regions.splitting import Piece, TooMany, pieces
from neurosym_verifiers.regions.workbench import Executed, ReadingFault, Workbench
from neurosym_verifiers.regions.worked import result_in_words
from neurosym_verifiers.runner import Runner
from neurosym_verifiers.search.leaves import Inputs
from neurosym_verifiers.search.smallest import shrink, size_key
from neurosym_verifiers.wording import say_difference

_TRIES = 300
_MOST_CROSSED = 4_000


@dataclass(frozen=True, slots=True)
class Apart:
    """A call on which the versions came to different ends, in words.

    ``difference``: new less old, empty if these are no numbers.
    """

    inputs: Mapping[str, Any]
    call: str
    old: str
    new: str
    difference: str


@dataclass(frozen=True, slots=True)
class Difference:
    """A region where the versions end differently: ``spans`` and ``ties`` say where, on every input of it.

    ``largest`` is the call with the largest difference, ``surely`` if none is larger; None where it makes no sense.
    """

    spans: tuple[Span, ...]
    ties: tuple[str, ...]
    old: End
    new: End
    smallest: Apart
    largest: Apart | None
    surely: bool


@dataclass(frozen=True, slots=True)
class Comparison:
    """What is known of two versions.

    ``unread``: why there may be regions that are not known, empty if these are all. ``seen``: the smallest input beyond
    them on which the executions differ, None if they do on none of the ``runs`` inputs. ``unsteady``: on how many they
    came to different ends, where none of these can be shown again: a version keeps something from call to call.
    """

    differences: tuple[Difference, ...]
    seen: Apart | None
    runs: int
    unread: str = ""
    unsteady: int = 0

    @property
    def equal(self) -> bool:
        """Whether no difference was met."""
        return not self.differences and self.seen is None and not self.unsteady


def compare(bench: Workbench, old: str, new: str) -> Comparison:
    """Compares two versions. Raises what the workbench raises."""
    with deep_recursion(), bench.runner(old) as old_runner, bench.runner(new) as new_runner:
        pair = _Pair(bench, old_runner, new_runner)
        cases = bench.cases(old, new)
        outcomes = [pair.run(case) for case in cases]
        apart = [case for case, both_ in zip(cases, outcomes, strict=True) if not bench.clauses.alike(*both_)]
        try:
            runs = [
                bench.read(source, [Executed(c, both_[place]) for c, both_ in zip(cases, outcomes, strict=True)]).run
                for place, source in enumerate((old, new))
            ]
            pair.readings = runs
            crossing = _Crossing(bench, pair, runs, cases, apart)
            found, unsettled = crossing.differences()
        except (NotRead, TooMany) as problem:
            found, beyond, unread = [], apart, str(problem)
        else:
            beyond, unread = [case for case in apart if not crossing.explains(case)], unsettled
        seen = pair.smallest(beyond)
        return Comparison(tuple(found), seen, len(cases), unread, 0 if seen else len(beyond))


class _Pair:
    """Both versions, loaded. What is shown of them is held against their ``readings``, once there are some."""

    def __init__(self, bench: Workbench, old: Runner, new: Runner) -> None:
        self._bench = bench
        self._spec = bench.spec
        self._runners = (old, new)
        self.readings: Sequence[Run] = ()

    def run(self, case: Case) -> tuple[Outcome, Outcome]:
        old, new = self._runners
        return old.call(case.arguments), new.call(case.arguments)

    def differ(self, inputs: Inputs) -> bool:
        """Whether the real code comes to different ends."""
        case = self._bench.case(inputs)
        return case is not None and not self._bench.clauses.alike(*self.run(case))

    def smallest(self, apart: Sequence[Case], inside: Callable[[Inputs], bool] = lambda inputs: True) -> Apart | None:
        """The smallest input on which they differ, from some that are known; None if there are none.

        None also if they differ on none of these when they are called alone.
        """
        types = self._spec.inputs
        if not apart:
            return None
        start = min((case.inputs for case in apart), key=lambda inputs: size_key(types, inputs))
        found = shrink(types, start, lambda inputs: self.differ(inputs) and inside(inputs), tries=_TRIES)
        return self.shown(found) or next(filter(None, (self.shown(case.inputs) for case in apart)), None)

    def shown(self, inputs: Inputs) -> Apart | None:
        """The call, run once more in fresh processes; None if they do not differ there."""
        case = self._bench.case(inputs)
        if case is None:
            return None
        old, new = (runner.fresh(case.arguments) for runner in self._runners)
        for reading, outcome in zip(self.readings, (old, new), strict=False):
            self._bench.hold(reading, Executed(case, outcome))
        if self._bench.clauses.alike(old, new):
            return None
        return Apart(
            {name: to_plain(type_, case.inputs[name]) for name, type_ in self._spec.inputs.items()},
            call_source(self._spec, case.inputs),
            result_in_words(self._spec, old),
            result_in_words(self._spec, new),
            say_difference(self._spec.output, self._value(old), self._value(new)),
        )

    def _value(self, outcome: Outcome) -> Any:
        if not isinstance(outcome, Returned):
            return None
        value = read_result(self._spec.output, outcome.value)
        return None if isinstance(value, WrongType) else value.value if isinstance(value, OutsideType) else value


class _Crossing:
    """The regions of both versions, crossed."""

    def __init__(
        self, bench: Workbench, pair: _Pair, runs: Sequence[Run], cases: Sequence[Case], apart: Sequence[Case]
    ) -> None:
        self._bench = bench
        self._spec = bench.spec
        self._pair = pair
        self._apart = [(case, Evaluation(assigned_with_ordinals(bench.spec, case.inputs))) for case in apart]
        self._asking: Asking = bench.asking(runs[0], cases)
        self._places = places_of(bench.spec.inputs, runs[0].inputs.values)
        self._names = names_of(self._places)
        self._old, self._new = (list(pieces(r.exits, self._asking, self._names.choices)) for r in runs)
        if len(self._old) * len(self._new) > _MOST_CROSSED:
            raise TooMany
        self._entries = joined(list(self._found()), self._asking)

    def _found(self) -> Iterator[Entry]:
        for a in self._old:
            for b in self._new:
                conditions = (*dict.fromkeys((*a.conditions, *b.conditions)), *_unlike(a, b))
                if self._asking.possible(conditions):
                    yield entry_of(conditions, (a.outcome, b.outcome), (a.line, b.line), self._places, self._asking)

    def explains(self, case: Case) -> bool:
        """Whether a known difference lies in one of the regions."""
        evaluation = Evaluation(assigned_with_ordinals(self._spec, case.inputs))
        return any(evaluation.condition(entry.condition) for entry in self._entries)

    def differences(self) -> tuple[list[Difference], str]:
        """What differs in each region, with its calls; and what the solver did not settle, empty if nothing."""
        whole = box_of(self._places, TRUE, self._asking)
        writer = Writer(self._names, decimals_of(self._spec.output))
        found: list[Difference] = []
        unsettled = ""
        for entry in self._entries:
            smallest = self._smallest(entry)
            if smallest is None:
                unsettled = "the solver does not tell of every region whether they differ in it"
                continue
            largest, surely = self._largest(entry)
            old, new = (end_of(self._spec.output, writer, end) for end in entry.ends)
            ties = tuple(tie_text(writer, tie) for tie in entry.ties)
            found.append(Difference(spans_of(entry.box, whole), ties, old, new, smallest, largest, surely))
        return found, unsettled

    def _smallest(self, entry: Entry) -> Apart | None:
        """None where no input of the region is known."""
        known = [case for case, evaluation in self._apart if evaluation.condition(entry.condition)]
        known += self._at_ends(entry)
        if not known:
            model = self._asking.find(entry.condition)
            if isinstance(model, bool):
                return None
            case = self._bench.case_of(model)
            known = [] if case is None else [case]

        def inside(inputs: Inputs) -> bool:
            return Evaluation(assigned_with_ordinals(self._spec, inputs)).condition(entry.condition)

        found = self._pair.smallest(known, inside)
        if found is None:
            raise ReadingFault(
                "a fault of this tool (NS901): a difference that was read is none when the code is run, "
                f"on {[dict(case.inputs) for case in known]}"
            )
        return found

    def _at_ends(self, entry: Entry) -> list[Case]:
        """Inputs of the region at the ends of its ranges, to begin from."""
        ends = [end.reached for each in entry.box.ranges for end in (each.low, each.high) if end is not None]
        cases = {case.key: case for each in ends if (case := self._bench.case_of(each)) is not None}
        return [
            case
            for case in cases.values()
            if Evaluation(assigned_with_ordinals(self._spec, case.inputs)).condition(entry.condition)
        ]

    def _largest(self, entry: Entry) -> tuple[Apart | None, bool]:
        gap = _gap(entry)
        if gap is None:
            return None, False
        ends = [self._asking.greatest(gap, entry.condition), self._asking.least(gap, entry.condition)]
        found = [end for end in ends if end is not None]
        if not found:
            return None, False
        farthest = max(found, key=lambda end: abs(end[0]))
        surely = all(end is not None and end[2] for end in ends)
        return self._pair.shown(self._bench.inputs_of(farthest[1])), surely


def _unlike(a: Piece, b: Piece) -> tuple[Condition, ...]:
    """Where two ends differ. Raises ``NotRead`` where they cannot be compared."""
    one, other = a.outcome, b.outcome
    if isinstance(one, state.Raised) or isinstance(other, state.Raised):
        alike = isinstance(one, state.Raised) and isinstance(other, state.Raised) and one.names[0] == other.names[0]
        return (FALSE,) if alike else ()
    if not same_kind(one.value, other.value):
        return ()
    return (negated(same(in_spec(one.value), in_spec(other.value))),)


def _gap(entry: Entry) -> Term | None:
    """New less old in a region, as a number of the finer one's steps; None where an end is no number."""
    old, new = entry.ends
    if isinstance(old, state.Raised) or isinstance(new, state.Raised):
        return None
    match old.value, new.value:
        case Int(term=a), Int(term=b):
            return b - a
        case Dec(num=a, places=p), Dec(num=b, places=q):
            finer = max(p, q)
            return b * number(10 ** (finer - q)) - a * number(10 ** (finer - p))
        case _:
            return None
