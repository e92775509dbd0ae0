"""Fillings that are tried one after the other, on real runs: for sketches that are not read."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from typing import Any

from neurosym_sandbox import Limits, LoadFailed, Program
from neurosym_specs.model import Example, Spec
from neurosym_specs.signature import declarations
from neurosym_specs.sketch import Sketch

from neurosym_verifiers.bench import Bench
from neurosym_verifiers.cases import Case
from neurosym_verifiers.clauses import SpecUndefined
from neurosym_verifiers.synthesis.likely import by_rank, likely_values
from neurosym_verifiers.synthesis.proposing import GaveUp, NoneFits, Proposal, Proposed
from neurosym_verifiers.synthesis.sketch_reading import Filling

_MOST_TRIED = 20_000


class Trying:
    """Goes on where it stopped: what was tried once is not tried again, since demands only grow."""

    def __init__(self, spec: Spec, bench: Bench, sketch: Sketch) -> None:
        self._spec, self._bench, self._sketch = spec, bench, sketch
        found = {name: likely_values(spec, type_) for name, type_ in sketch.holes.items()}
        self._all = all(whole for _, whole in found.values())
        self._values = {name: values for name, (values, _) in found.items()}
        self._left = self._fillings()
        self.tried = 0

    def propose(self, cases: Sequence[tuple[Case, Example | None]], *, seconds: float) -> Proposal:
        """The next filling that is right on all cases."""
        deadline = time.monotonic() + seconds
        for filling in self._left:
            if self.tried >= _MOST_TRIED:
                return GaveUp(f"{self.tried:,} fillings were tried, and there are more")
            self.tried += 1
            if self.fits(filling, cases):
                return Proposed(filling)
            if time.monotonic() > deadline:
                return GaveUp(f"the time is spent after {self.tried:,} fillings")
        if self._all:
            return NoneFits()
        return GaveUp(f"none of the {self.tried:,} likely fillings fits, and there are others")

    def fits(self, filling: Filling, cases: Sequence[tuple[Case, Example | None]]) -> bool:
        """Whether a filling is right on all cases, run in a fresh session."""
        program = Program(
            self._sketch.filled(filling), self._spec.name, declarations(self._spec), self._spec.policy.imports
        )
        limits = Limits(time_s=self._spec.policy.time_limit_s, memory_bytes=self._spec.policy.memory_limit_bytes)
        with self._bench.jail().open(program, limits) as session:
            if isinstance(session.loaded, LoadFailed):
                return False
            for case, example in cases:
                if not session.alive:
                    return False
                outcome = session.call(case.arguments)
                try:
                    if not self._bench.is_right(case, outcome):
                        return False
                except SpecUndefined:
                    return False
                if example is not None and self._bench.clauses.example_breach(example, case, outcome) is not None:
                    return False
        return True

    def _fillings(self) -> Iterator[dict[str, Any]]:
        names = [*self._sketch.holes]
        for places in by_rank([len(self._values[name]) for name in names]):
            yield {name: self._values[name][at] for name, at in zip(names, places, strict=True)}
