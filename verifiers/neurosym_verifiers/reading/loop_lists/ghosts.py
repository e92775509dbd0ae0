"""Variables beside those of a loop: what it comes to, counted along.

A *ghost* starts somewhere, and every round makes it anew of the item that it appends.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from neurosym_verifiers.reading.data.values import LoopList, NotRead, Value
from neurosym_verifiers.reading.formulas.iterated import Iterated, place
from neurosym_verifiers.reading.formulas.members import Belongs
from neurosym_verifiers.reading.formulas.normal_forms import choose
from neurosym_verifiers.reading.formulas.terms import TRUE, Term, atom, variable
from neurosym_verifiers.reading.formulas.walking import parts_of
from neurosym_verifiers.reading.loop_lists.making import PREFIX
from neurosym_verifiers.reading.simplification.substituting import Substitution

HOW_LEFT = "how it was left"
"""What the variable of a loop is called that says by which way it ended."""


def after_rounds(of: int, loop: Iterated) -> Term:
    """What one variable is after the loop. Only those that it depends on are kept, itself before the others."""
    order = [of]
    deciding = loop.goes_on.names if loop.leaving else frozenset()
    for i in order:  # grows while it is gone through
        names = loop.step[i].names | deciding | (loop.leaving[i].names if loop.leaving else frozenset())
        order += [j for j in range(len(loop.step)) if place(j) in names and j not in order]
    others = {place(j) for j in range(len(loop.step)) if j not in order}
    renamed = Substitution({place(j): variable(place(i), None, None) for i, j in enumerate(order)}, {})
    return atom(
        Iterated(
            tuple(renamed.term(loop.step[j]) for j in order),
            tuple(loop.start[j] for j in order),
            loop.rounds,
            tuple(loop.labels[j] for j in order),
            renamed.condition(loop.goes_on) if loop.leaving else TRUE,
            tuple(renamed.term(loop.leaving[j]) for j in order) if loop.leaving else (),
            tuple(loop.within[j] for j in order) if loop.within else (),
            tuple((words, renamed.condition(each)) for words, each in loop.offered if others.isdisjoint(each.names)),
        )
    )


@dataclass(slots=True)
class Ghosts:
    """Variables beside those of a loop. A new one is made in terms of places; what the round that leaves does is done
    with that round's item, where it appends one."""

    of: LoopList
    start: list[Term] = field(default_factory=list)
    step: list[Term] = field(default_factory=list)
    leaving: list[Term] = field(default_factory=list)
    labels: list[str] = field(default_factory=list)

    def add(self, start: Term, label: str) -> Term:
        """A variable, which nothing changes so far; what it is before a round."""
        before = variable(place(len(self.of.loop.step) + len(self.start)), None, None)
        self.start.append(start)
        self.step.append(before)
        self.leaving.append(before)
        self.labels.append(label)
        return before

    def change(self, ghost: Term, made: Callable[[Value], Term]) -> None:
        """What each item makes of a ghost."""
        at = next(i for i in range(len(self.start)) if ghost == self._before(i))
        self.step[at] = made(self.of.item)
        self.leaving[at] = choose(self.of.there, made(self.of.last), ghost)

    def _before(self, at: int) -> Term:
        return variable(place(len(self.of.loop.step) + at), None, None)

    def after(self, ghost: Term) -> Term:
        """What a ghost is after the loop. Raises ``NotRead`` where it depends on what only another loop tells."""
        loop = self.of.loop
        for part in (p for each in (*self.step, *self.leaving) for p in parts_of(each)):
            if isinstance(part, (Iterated, Belongs)):
                raise NotRead("an item of a list of many rounds beside what another loop makes")
        names = frozenset().union(*(each.names for each in (*self.step, *self.leaving)))
        if any(name.startswith(PREFIX) and "!" in name for name in names):
            raise NotRead("items of two lists of many rounds at once")
        whole = Iterated(
            (*loop.step, *self.step),
            (*loop.start, *self.start),
            loop.rounds,
            (*loop.labels, *self.labels),
            loop.goes_on,
            (*loop.leaving, *self.leaving) if loop.leaving else (),
            offered=loop.offered,
        )
        at = next(i for i in range(len(self.start)) if ghost == self._before(i))
        return after_rounds(len(loop.step) + at, whole)
