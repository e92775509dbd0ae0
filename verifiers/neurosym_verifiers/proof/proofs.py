"""What comes of proving: what is proved and how, and what a proof of the rest lacks."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from neurosym_verifiers.proof.queries import Query


@dataclass(slots=True)
class Proofs:
    """``proved``: by obligation, the method. ``lacks``: what a proof of the others lacks. ``models``: inputs on which
    the reading breaks an obligation; not trusted, to be run. ``disagreement``: where reading and execution differ.
    ``queries``: what the solver was asked. ``contradicted``: by obligation, how a second solver contradicts it.
    ``rests_on``: by obligation, what its proof assumes beside what all do. ``fault``: that of a part of the prover,
    which leaves nothing proved. ``cut_short``: the clock, or a failure of the prover, left something open that another
    run may decide. ``units``: what Z3 spent on the answers that it gave, in its own units."""

    proved: dict[str, str] = field(default_factory=dict)
    lacks: dict[str, str] = field(default_factory=dict)
    models: list[dict[str, Any]] = field(default_factory=list)
    disagreement: str = ""
    queries: list[Query] = field(default_factory=list)
    contradicted: dict[str, str] = field(default_factory=dict)
    rests_on: dict[str, str] = field(default_factory=dict)
    fault: str = ""
    cut_short: bool = False
    units: int = 0

    def with_opinions(self, queries: list[Query]) -> None:
        """Takes a second solver's opinions. One that contradicts Z3 leaves nothing proved."""
        self.queries = queries
        for query in queries:
            if query.opinion is not None and query.opinion.contradicts:
                how = f"Z3 says that nothing breaks it, and {query.opinion.solver} that something does"
                self.contradicted[query.obligation] = f"{how}; nothing counts as proved"
        if self.contradicted:
            self.lacks = {}
            self.all_lack("solvers that agree")

    @property
    def is_open(self) -> bool:
        """Whether something is left that another reading may show."""
        return bool(self.lacks) and not self.models and not self.disagreement and not self.fault

    def and_then(self, later: Proofs) -> Proofs:
        """With what another reading of the program shows. One that disagrees with the executions, or itself, is all."""
        if later.disagreement or later.fault:
            return later
        self.queries += later.queries
        self.models += later.models
        self.rests_on |= later.rests_on
        if "*" not in later.lacks or not self.lacks or "*" in self.lacks:
            self.proved = {**later.proved, **self.proved}
            self.lacks = {obligation: what for obligation, what in later.lacks.items() if obligation not in self.proved}
        return self

    def all_lack(self, what: str) -> Proofs:
        """Nothing is proved, for one reason."""
        self.proved = {}
        self.lacks["*"] = what
        return self
