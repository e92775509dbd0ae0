"""Several loops as one system that takes their rounds side by side: where it may be, and how it gets from there on.

What a loop leaves is what its variables are when it ends: after its last round, or in a round that is left early. A
*location* says which of the loops still go on. Each round takes the system from one location to the same or to a
smaller one, in one of the ways in which a loop may stay or end; a loop that has ended keeps its values. Loops that end
together, and variables that start alike and of which every round makes the same, are one: the coarsest partition that
the rounds keep, found by refinement (J. Hopcroft, 1971, for automata).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from collections.abc import Sequence as Many
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from typing import TypeAlias

from neurosym_verifiers.reading.formulas.bounds import ANY
from neurosym_verifiers.reading.formulas.exchanging import Exchange
from neurosym_verifiers.reading.formulas.iterated import ROUND, Iterated, place
from neurosym_verifiers.reading.formulas.normal_forms import below, both, either, equal, negated
from neurosym_verifiers.reading.formulas.terms import FALSE, Condition, Term, number, variable
from neurosym_verifiers.reading.simplification.substituting import Substitution

AT_ROUND = "now!round"
"""The variable that stands for the number of the round, counted from 0."""

Location: TypeAlias = frozenset[int]
"""The controls that still go on."""


@dataclass(frozen=True, slots=True)
class Variable:
    """``name``: what stands for it at some moment. ``control``: that of its loop. ``run``: the prefix of the run that
    it is of. ``label``: what it is called in the program."""

    name: str
    control: int
    run: str
    label: str
    start: Term
    step: Term
    leaving: Term

    @property
    def called(self) -> str:
        return f"{self.run}{self.label}"

    @property
    def now(self) -> Term:
        return variable(self.name, *ANY)


@dataclass(frozen=True, slots=True)
class Control:
    """What loops that end together share."""

    rounds: Term
    goes_on: Condition


@dataclass(frozen=True, slots=True)
class Transition:
    """From a location to another where a condition holds, which makes new values of the variables.

    Without ``origin``: from the start.
    """

    origin: Location | None
    target: Location
    where: Condition
    values: Mapping[str, Term]

    def after(self, condition: Condition) -> Condition:
        """A condition on what the variables are afterwards, as one on what they are before."""
        return Substitution(self.values, {}).condition(condition)


class LoopSystem:
    """The loops that a condition speaks of. ``finals``: what puts the variables in the place of what loops leave.
    ``offered``: what somebody says that every round keeps, in words."""

    def __init__(self, loops: Many[Iterated], runs: Many[str]) -> None:
        classes, controls = _partition(loops)
        self.variables: list[Variable] = []
        self.controls: list[Control] = []
        self.offered: list[tuple[str, Condition]] = []
        self._rounds: dict[Location, tuple[Transition, ...]] = {}
        seen_controls: dict[int, int] = {}
        seen: dict[int, str] = {}
        for j, loop in enumerate(loops):
            for i in range(len(loop.step)):
                seen.setdefault(classes[j, i], f"now!{len(seen)}")
        for j, loop in enumerate(loops):
            own = _own(loop, j, {at: seen[each] for at, each in classes.items()})
            if controls[j] not in seen_controls:
                seen_controls[controls[j]] = len(self.controls)
                self.controls.append(Control(loop.rounds, own.condition(loop.goes_on)))
            control = seen_controls[controls[j]]
            for i in range(len(loop.step)):
                name = seen[classes[j, i]]
                if all(each.name != name for each in self.variables):
                    leaving = loop.leaving[i] if loop.leaving else loop.step[i]
                    made = (loop.start[i], own.term(loop.step[i]), own.term(leaving))
                    self.variables.append(Variable(name, control, runs[j], loop.labels[i], *made))
            self.offered += [(words, own.condition(each)) for words, each in loop.offered]
        self.finals = Exchange({loop.key: variable(seen[classes[j, 0]], *ANY) for j, loop in enumerate(loops)})

    def facts(self, location: Location) -> Condition:
        """What holds wherever the system is at a location: each loop that goes on has a round to go."""
        now = variable(AT_ROUND, 0, None)
        return both(*(below(now, self.controls[j].rounds) for j in location))

    @property
    def at_first(self) -> Condition:
        """What holds wherever a round is due: before the first one all variables are what they start as."""
        starts = both(*(equal(each.now, each.start) for each in self.variables))
        return either(below(number(0), variable(AT_ROUND, 0, None)), starts)

    def locations(self) -> list[Location]:
        """Those with loops that go on, larger ones first: none is reached from one behind it."""
        masks = product((True, False), repeat=len(self.controls))
        found = [frozenset(j for j, on in enumerate(mask) if on) for mask in masks]
        return sorted((each for each in found if each), key=lambda each: (-len(each), sorted(each)))

    @cached_property
    def starts(self) -> tuple[Transition, ...]:
        """How the system begins: a loop without rounds has ended already."""
        return tuple(self._starts())

    def rounds_from(self, location: Location) -> tuple[Transition, ...]:
        """What a round may do at a location."""
        if location not in self._rounds:
            self._rounds[location] = tuple(self._rounds_from(location))
        return self._rounds[location]

    def _starts(self) -> Iterator[Transition]:
        values = {each.name: each.start for each in self.variables} | {AT_ROUND: number(0)}
        for going in product((True, False), repeat=len(self.controls)):
            parts = [below(number(0), each.rounds) for each in self.controls]
            where = both(*(part if on else negated(part) for part, on in zip(parts, going, strict=True)))
            if where != FALSE:
                yield Transition(None, frozenset(j for j, on in enumerate(going) if on), where, values)

    def _rounds_from(self, location: Location) -> Iterator[Transition]:
        now = variable(AT_ROUND, 0, None)
        order = sorted(location)
        for ways in product(("stays", "has had all", "leaves"), repeat=len(order)):
            parts = [self.facts(location)]
            values: dict[str, Term] = {AT_ROUND: now + number(1)}
            for j, way in zip(order, ways, strict=True):
                control = self.controls[j]
                next_one = below(now + number(1), control.rounds)
                if way == "leaves":
                    parts.append(negated(control.goes_on))
                else:
                    parts += [control.goes_on, next_one if way == "stays" else negated(next_one)]
                for each in self.variables:
                    if each.control == j:
                        values[each.name] = each.leaving if way == "leaves" else each.step
            where = both(*parts)
            if where != FALSE:
                target = frozenset(j for j, way in zip(order, ways, strict=True) if way == "stays")
                yield Transition(location, target, where, values)


def _own(loop: Iterated, j: int, names: Mapping[tuple[int, int], str]) -> Substitution:
    terms = {place(i): variable(names[j, i], *ANY) for i in range(len(loop.step))}
    return Substitution({**terms, ROUND: variable(AT_ROUND, 0, None)}, {})


def _partition(loops: Many[Iterated]) -> tuple[dict[tuple[int, int], int], list[int]]:
    """The class of each variable, by the numbers of its loop and its own, and that of each loop's end."""
    places = [(j, i) for j, loop in enumerate(loops) for i in range(len(loop.step))]
    controls = _numbered([(loop.rounds.key,) for loop in loops])
    classes = dict(zip(places, _numbered([(controls[j], loops[j].start[i].key) for j, i in places]), strict=True))
    while True:
        own = [_own(loop, j, {at: f"class!{each}" for at, each in classes.items()}) for j, loop in enumerate(loops)]
        ends = [(controls[j], own[j].condition(loop.goes_on).key) for j, loop in enumerate(loops)]
        new_controls = _numbered(ends)
        signatures = []
        for j, i in places:
            leaving = own[j].term(loops[j].leaving[i]).key if loops[j].leaving else ""
            signatures.append((new_controls[j], classes[j, i], own[j].term(loops[j].step[i]).key, leaving))
        new_classes = dict(zip(places, _numbered(signatures), strict=True))
        if len(set(new_classes.values())) == len(set(classes.values())) and len(set(new_controls)) == len(
            set(controls)
        ):
            return new_classes, new_controls
        classes, controls = new_classes, new_controls


def _numbered(signatures: Many[tuple[object, ...]]) -> list[int]:
    numbers: dict[tuple[object, ...], int] = {}
    return [numbers.setdefault(each, len(numbers)) for each in signatures]
