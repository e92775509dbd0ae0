"""Loops as atoms: what a variable is once a loop has taken its rounds."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from neurosym_verifiers.reading.formulas.bounds import ANY, Bounds, Spans, all_meet
from neurosym_verifiers.reading.formulas.terms import TRUE, Atom, Condition, Term, digest


@dataclass(eq=False)
class Iterated(Atom):
    """What the first of some variables is after a loop: all start somewhere, and each round makes new ones of them.

    ``step``: the new ones, in terms of the variables ``places`` (and of ``ROUND``, which counts from 0) that stand for
    the old ones. ``rounds``: how many at most; less than none is none. ``labels``: what the variables are called.
    A round in which ``goes_on`` does not hold is the last: it makes ``leaving`` of them. Where every round goes on,
    there is none. ``within``: what each of them surely lies in before and after every round, where that is known; what
    the rounds are is told without it. ``offered``: conditions on the variables before a round, in words, of which
    somebody says that every round keeps them; nothing rests on that.
    """

    step: tuple[Term, ...]
    start: tuple[Term, ...]
    rounds: Term
    labels: tuple[str, ...]
    goes_on: Condition = TRUE
    leaving: tuple[Term, ...] = ()
    within: tuple[Bounds, ...] = ()
    offered: tuple[tuple[str, Condition], ...] = ()

    def __post_init__(self) -> None:
        parts = [term.key for term in (*self.step, *self.start, self.rounds)]
        if self.leaving:
            parts += [self.goes_on.key, *(term.key for term in self.leaving)]
        self.key = f"l:{len(self.step)}:" + digest(*parts)
        self.low, self.high = self.within[0] if self.within else ANY

    @property
    def children(self) -> tuple[Term | Condition, ...]:
        return (*self.inside, *self.start, self.rounds)

    @cached_property
    def names(self) -> frozenset[str]:
        """Without its own variables, which stand for nothing outside of it."""
        inside = frozenset().union(*(part.names for part in self.inside)) - {ROUND, *self.places}
        return inside.union(self.rounds.names, *(term.names for term in self.start))

    @cached_property
    def spans(self) -> Spans:
        found = all_meet(each.spans for each in self.children)
        return {name: bounds for name, bounds in found.items() if name in self.names}

    @property
    def places(self) -> tuple[str, ...]:
        return tuple(place(i) for i in range(len(self.step)))

    @property
    def inside(self) -> tuple[Term | Condition, ...]:
        """What speaks of the variables."""
        return (*self.step, self.goes_on, *self.leaving)


ROUND = "loop!round"


def place(number_of_variable: int) -> str:
    """The variable that stands for what a loop's variable is before a round."""
    return f"loop!{number_of_variable}"
