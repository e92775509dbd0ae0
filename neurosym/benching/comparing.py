"""Two runs over the same tasks: what got better, what got worse, and whether that is more than chance."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from neurosym_specs.verdicts import Standing

from neurosym.batch.outline import SPEC_FAULT
from neurosym.batch.planning import differing
from neurosym.benching.cases import MEASURES, BenchError, Case, Measure
from neurosym.benching.exams import WRONG
from neurosym.benching.history import BenchRun
from neurosym.figures.paired import Difference, Pair, difference_of
from neurosym.figures.wilson import Share

_RISING = (Standing.UNKNOWN.value, Standing.TESTED.value, Standing.PROVED.value)
_FOR_WRONG = (Standing.PROVED.value, Standing.TESTED.value, Standing.UNKNOWN.value)


@dataclass(frozen=True, slots=True)
class Compared:
    """One measure over the tasks that both runs have."""

    measure: Measure
    before: Share
    after: Share
    difference: Difference


@dataclass(frozen=True, slots=True)
class Changed:
    """A candidate with another verdict than before. ``is_worse`` is None where nobody can say."""

    before: Case
    after: Case

    @property
    def is_worse(self) -> bool | None:
        """Whether less is known, or it is not so."""
        ranks = _rank(self.before), _rank(self.after)
        if ranks[0] is None or ranks[1] is None or ranks[0] == ranks[1]:
            return None
        return ranks[1] < ranks[0]


@dataclass(frozen=True, slots=True)
class Comparison:
    """``before``: the earlier run. ``tasks``: how many specs both have; ``only_before``, ``only_after``: how many only
    one has, which do not count. ``seconds``: the logarithm of how many times as long the same candidates took, None
    where there are none. ``differs``: what was asked or answered otherwise."""

    before: BenchRun
    tasks: int
    only_before: int
    only_after: int
    measures: tuple[Compared, ...]
    seconds: Difference | None
    changed: tuple[Changed, ...]
    differs: tuple[str, ...]

    def is_regression(self, slower: float | None = None) -> bool:
        """Whether a share fell by more than chance; with ``slower``, also whether the time of the same candidates
        surely grew by more than that factor."""
        too_slow = slower is not None and self.seconds is not None and self.seconds.low > math.log(slower)
        return too_slow or any(each.difference.is_below for each in self.measures)


def compared(before: BenchRun, after: BenchRun) -> Comparison:
    """Compares by the specs that both have. Raises ``BenchError`` where there are none."""
    old, new = _by_task(before.cases), _by_task(after.cases)
    common = [task for task in new if task in old]
    if not common:
        raise BenchError(
            f"nothing can be compared: no spec of {before.name} ({before.id[:8]}) is one of {after.subject}, byte for "
            "byte"
        )
    answered = differing(dict(before.tools), dict(after.tools))
    return Comparison(
        before=before,
        tasks=len(common),
        only_before=len(old) - len(common),
        only_after=len(new) - len(common),
        measures=tuple(_measures([(old[task], new[task]) for task in common])),
        seconds=_seconds([(old[task], new[task]) for task in common]),
        changed=tuple(_changed([(old[task], new[task]) for task in common])),
        differs=(*differing(dict(before.settings), dict(after.settings)), *answered),
    )


Both = Sequence[tuple[Sequence[Case], Sequence[Case]]]


def _measures(tasks: Both) -> list[Compared]:
    found = []
    for measure in MEASURES:
        shares = [(measure.share(old), measure.share(new)) for old, new in tasks]
        shares = [(old, new) for old, new in shares if old.total and new.total]
        if shares:
            pairs = [Pair((new.rate or 0.0) - (old.rate or 0.0), (old.total + new.total) / 2) for old, new in shares]
            before, after = (_sum(each) for each in zip(*shares, strict=True))
            found.append(Compared(measure, before, after, difference_of(pairs)))
    return found


def _sum(shares: Sequence[Share]) -> Share:
    return Share(sum(each.hits for each in shares), sum(each.total for each in shares))


def _same(old: Sequence[Case], new: Sequence[Case]) -> list[tuple[Case, Case]]:
    """The candidates of a task that both runs were asked about, with the same label."""
    earlier = {(each.question, each.label): each for each in old}
    return [(earlier[each.question, each.label], each) for each in new if (each.question, each.label) in earlier]


def _seconds(tasks: Both) -> Difference | None:
    """Of the logarithms of the ratios of the times, so that twice as long and half as long cancel."""
    pairs = []
    for old, new in tasks:
        ratios = [math.log(b.seconds / a.seconds) for a, b in _same(old, new) if a.seconds > 0 and b.seconds > 0]
        if ratios:
            pairs.append(Pair(sum(ratios) / len(ratios), len(ratios)))
    return difference_of(pairs) if pairs else None


def _changed(tasks: Both) -> list[Changed]:
    pairs = [Changed(a, b) for old, new in tasks for a, b in _same(old, new) if a.verdict != b.verdict]
    return sorted(pairs, key=lambda each: (each.is_worse is not True, each.after.name))


def _by_task(cases: Sequence[Case]) -> Mapping[str, list[Case]]:
    found: dict[str, list[Case]] = {}
    for case in cases:
        found.setdefault(case.task_sha256, []).append(case)
    return found


def _rank(case: Case) -> int | None:
    """How good a verdict is, by what the candidate is; None where only its author knows that."""
    if case.is_wrong_verdict or case.verdict == SPEC_FAULT:
        return -1
    order = _FOR_WRONG if case.label == WRONG else _RISING
    if case.verdict in order:
        return order.index(case.verdict)
    return len(order) if case.label == WRONG else None
