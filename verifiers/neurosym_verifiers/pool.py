"""The inputs on which every candidate of a spec is run, found once per spec and seed.

In the order in which they are tried: the spec's examples and samples; range ends, constants and other values that
matter by themselves, one at a time; inputs aimed at the boundaries and ties of the spec; combinations on which one
condition alone decides; small changes of what is known to be valid; inputs drawn at random and by Hypothesis.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from itertools import islice
from typing import Any

from neurosym_specs.expr.syntax import Expression
from neurosym_specs.model import Spec
from neurosym_specs.types import FloatType, StrType, inner_types

from neurosym_verifiers.cases import UNSTATED, Case, CaseMaker
from neurosym_verifiers.reading.inputs.shapes import has_lists
from neurosym_verifiers.search.aim import Aim
from neurosym_verifiers.search.assign import equations_in
from neurosym_verifiers.search.climb import AnyGoal, climb, goals
from neurosym_verifiers.search.constants import spec_constants
from neurosym_verifiers.search.draw import Constants, Drawer, constant_values
from neurosym_verifiers.search.leaves import Inputs, key_of, leaves, replaced
from neurosym_verifiers.search.memberships import nearly_full
from neurosym_verifiers.search.moves import Mover
from neurosym_verifiers.search.observe import Lookout
from neurosym_verifiers.search.strata import Strata
from neurosym_verifiers.search.text import spoiled

_FEW_PARTS = 16
_BASES_FOR_CONSTANTS = 5
_TOGETHER = 12
_FULL_LISTS = 8
"""Of so many cases and half as many more the lists are filled."""

_PATIENCE = 8
_BARREN = 150
"""After so many changes without a new case, more are not expected."""


@dataclass(frozen=True, slots=True)
class Breadth:
    """How many inputs each part of the search may propose, and how much work (of a ``Lookout``) it may spend."""

    drawn: int = 150
    moved: int = 250
    special: int = 250
    aimed: int = 80_000
    endless: int = 30_000
    climbed: int = 180_000
    per_climb: int = 15_000
    explored: int = 100_000
    for_constants: int = 300
    nearly_full: int = 300


class Pool:
    """Collects distinct cases, outside the requires or not of the universe left out."""

    def __init__(self, spec: Spec, maker: CaseMaker, seed: int, breadth: Breadth = Breadth()) -> None:
        self._spec = spec
        self._maker = maker
        self._breadth = breadth
        self.rng = random.Random(f"{seed} {spec.name}")
        self.constants = spec_constants(spec)
        self.drawer = Drawer(self.rng, self.constants)
        self.mover = Mover(spec.inputs, self.drawer)
        self.cases: list[Case] = []
        self.by_key: dict[Any, Case] = {}
        self._rare: list[Case] = []
        self._tried: set[Any] = set()

    def fill(self) -> None:
        """Runs the whole search."""
        self.add_all(example.inputs for example in self._spec.examples)
        self.add_all(self._samples())
        self.add_all(self._drawn(30))
        self.add_all(self._one_special_at_a_time(self.drawer, self._bases(4), self._breadth.special))
        lookout = Lookout(self._spec)
        aim = Aim(self._spec.inputs, lookout, self.rng, _PATIENCE if self._has_floats() else 1)
        self._add_rare(aim.shots(self._aim_seeds(), work=self._breadth.aimed))
        self._add_rare(aim.endless(self._aim_seeds(), work=self._breadth.endless))
        self._climb(lookout, aim)
        self._explore(aim)
        self.add_all(self._spoiled())
        self.add_all(self._moved())
        self._add_rare(aim.shots(self._aim_seeds(), work=self._breadth.aimed // 2))
        self.add_all(self._moved())
        self.add_all(self._drawn(self._breadth.drawn))
        self.add_all(self._nearly_full(lookout))

    def _has_floats(self) -> bool:
        """Whether floats are among the inputs."""
        queue = list(self._spec.inputs.values())
        while queue:
            type_ = queue.pop()
            if isinstance(type_, FloatType):
                return True
            queue += inner_types(type_)
        return False

    def add(self, inputs: Inputs) -> Case | None:
        """The case of the inputs, new or known; None where the spec promises nothing or they are outside."""
        inputs = self._maker.in_order(inputs)
        key = key_of(inputs)
        known = self.by_key.get(key)
        if known is not None or key in self._tried:
            return known
        self._tried.add(key)
        if not self._maker.belongs(inputs):
            return None
        case = self._maker.case(inputs)
        if case is not None:
            self.by_key[key] = case
            self.cases.append(case)
        return case

    def add_like(self, holds: Callable[[Case], bool], condition: Expression | None, *, wanted: int, tries: int) -> int:
        """Adds more cases like those on which ``holds``, by small changes; how many there are now.

        ``condition``: its equations are restored after each change, if there is one.
        """
        known = [case for case in self.cases if holds(case)]
        equations = [] if condition is None else equations_in(self._spec, condition)
        mover = self.mover.alike()
        barren = 0
        while known and len(known) < wanted and tries > 0 and barren < _BARREN:
            tries -= 1
            barren += 1
            inputs = mover.changed(self.rng.choice(known).inputs)
            for equation in equations:
                for value in equation.solved(self._maker.evaluator, inputs):
                    inputs = {**inputs, equation.name: value}
            before = len(self.cases)
            case = self.add(inputs)
            useful = case is not None and len(self.cases) > before and holds(case)
            mover.reward(useful)
            if case is not None and useful:
                known.append(case)
                barren = 0
        return len(known)

    def for_constants(self, constants: Constants) -> list[Case]:
        """Further cases for the constants that a candidate names; not kept for other candidates.

        Each leaf at each constant and one unit beside it, on a few bases; then several leaves at constants together.
        """
        rng = random.Random(f"{self._spec.name} constants")
        bases = self._bases(_BASES_FOR_CONSTANTS)
        at_constants: list[Inputs] = []
        for base in bases:
            standing = [(leaf, constant_values(leaf.type, constants)) for leaf in leaves(self._spec.inputs, base)]
            standing = [(leaf, values) for leaf, values in standing if values]
            at_constants += [replaced(base, leaf.path, value) for leaf, values in standing[:12] for value in values]
            for _ in range(_TOGETHER if len(standing) > 1 else 0):
                inputs = base
                for leaf, values in standing:
                    if rng.random() < 0.6:
                        inputs = replaced(inputs, leaf.path, rng.choice(values))
                at_constants.append(inputs)
        rng.shuffle(at_constants)
        found: dict[Any, Case] = {}
        for inputs in at_constants[: self._breadth.for_constants]:
            key = key_of(self._maker.in_order(inputs))
            if key in self.by_key or key in found or not self._maker.belongs(inputs):
                continue
            case = self._maker.case(inputs)
            if case is not None:
                found[key] = case
        return list(found.values())

    def add_all(self, many: Iterable[Inputs]) -> None:
        for inputs in many:
            if self._maker.fault is not None:
                return
            self.add(inputs)

    def _samples(self) -> Iterator[Inputs]:
        for sample in self._spec.samples:
            for _ in range(1 if len(sample.inputs) == len(self._spec.inputs) else 4):
                yield {**self.drawer.inputs(self._spec.inputs), **sample.inputs}

    def _drawn(self, count: int) -> Iterator[Inputs]:
        return (self.drawer.inputs(self._spec.inputs) for _ in range(count))

    def _bases(self, count: int) -> list[Inputs]:
        """Accepted inputs to start from: the examples', then others, small ones preferred."""
        accepted = [case.inputs for case in self.cases if case.accepted]
        first = accepted[: len(self._spec.examples)]
        rest = [inputs for inputs in accepted[len(first) :] if any(True for _ in leaves(self._spec.inputs, inputs))]
        return [*first, *rest][:count] or [case.inputs for case in self.cases[:count]]

    def _aim_seeds(self) -> list[Inputs]:
        """Known cases in random order, those with few parts only: looking at a long list costs, and shows no more."""
        seeds = [case.inputs for case in self.cases if case.accepted]
        refused = [case.inputs for case in self.cases if not case.accepted]
        self.rng.shuffle(seeds)
        seeds = [inputs for inputs in seeds if sum(1 for _ in leaves(self._spec.inputs, inputs)) <= _FEW_PARTS] or seeds
        rare = [case.inputs for case in self._rare if case.accepted]
        rare = self.rng.sample(rare, min(len(rare), 20))
        return [*self._bases(4), *rare, *seeds[: 40 - len(rare)], *refused[:10]]

    def _one_special_at_a_time(self, drawer: Drawer, bases: list[Inputs], most: int) -> Iterator[Inputs]:
        """Each base with one leaf at a value that matters by itself; round robin, so that no leaf starves."""
        queues: list[Iterator[Inputs]] = []
        for base in bases:
            for leaf in list(leaves(self._spec.inputs, base))[:12]:
                values = [None, *drawer.special(leaf.type)] if leaf.optional else drawer.special(leaf.type)
                queues.append(map(partial(replaced, base, leaf.path), list(values)))
        while queues and most > 0:
            for queue in list(queues):
                inputs = next(queue, None)
                if inputs is None:
                    queues.remove(queue)
                    continue
                most -= 1
                yield inputs

    def _nearly_full(self, lookout: Lookout) -> Iterator[Inputs]:
        """Lists that the spec only looks into, full but for one; of some cases, those of every kind of result."""
        accepted = [case for case in self.cases if case.accepted]
        if not accepted or not any(map(has_lists, self._spec.inputs.values())):
            return
        strata = Strata(accepted, self.rng)
        seeds = [*self._bases(_FULL_LISTS // 2), *(strata.choice().inputs for _ in range(_FULL_LISTS))]
        shots = (shot for seed in seeds for shot in nearly_full(self._spec.inputs, seed, lookout))
        yield from islice(shots, self._breadth.nearly_full)

    def _spoiled(self) -> Iterator[Inputs]:
        """Texts of accepted cases, those of every kind of result, with one thing wrong at a time."""
        accepted = [case for case in self.cases if case.accepted]
        if not accepted:
            return
        strata = Strata(accepted, self.rng)
        bases = [*self._bases(4), *(strata.choice().inputs for _ in range(8))]
        for base in bases:
            for leaf in leaves(self._spec.inputs, base):
                if isinstance(leaf.type, StrType) and leaf.type.choices is None and isinstance(leaf.value, str):
                    yield from map(partial(replaced, base, leaf.path), spoiled(leaf.value))

    def _climb(self, lookout: Lookout, aim: Aim) -> None:
        """Tries each goal in turn, again and again from another start, until the work is spent. What is near an input
        that reaches one is aimed at from there."""
        accepted = [case for case in self.cases if case.accepted]
        starts = [(c.inputs, lookout.look(c.inputs, _known(c))) for c in [*accepted[:60], *self.cases[:20]]]
        limit, missing = lookout.work + self._breadth.climbed, goals([seen for _, seen in starts])
        movers = {goal: self.mover.alike() for goal in missing}
        reached: Counter[AnyGoal] = Counter()
        while missing:
            for goal in list(missing):
                work = min(self._breadth.per_climb, limit - lookout.work)
                if work <= 0:
                    return
                found = list(climb(goal, starts, movers[goal], lookout, self._maker.belongs, work=work))
                self._add_rare(found)
                if found:
                    reached[goal] += 1
                    if reached[goal] == goal.wanted:
                        missing.remove(goal)
                    self._add_rare(aim.shots(found, work=self._breadth.per_climb))

    def _explore(self, aim: Aim) -> None:
        corpus = [*self._bases(len(self._spec.examples) or 1), *self._aim_seeds()[:20]]
        for inputs in corpus:
            aim.count(aim.lookout.look(inputs))
        self._add_rare(aim.explore(corpus, self.mover.alike(), self._maker.belongs, work=self._breadth.explored))

    def _add_rare(self, many: Iterable[Inputs]) -> None:
        """Adds inputs that took a search to find, and remembers them: what is near them is rare too."""
        for inputs in many:
            case = self.add(inputs)
            if case is not None:
                self._rare.append(case)

    def _moved(self) -> Iterator[Inputs]:
        """Small changes: of examples, of what was hard to reach, of any other case."""
        examples = self._bases(max(1, len(self._spec.examples)))
        if not self.cases:
            return
        strata = Strata(self.cases, self.rng)
        for turn in range(self._breadth.moved):
            if turn % 50 == 0:
                accepted = [case for case in self.cases if case.accepted]
                strata = Strata(accepted or self.cases, self.rng)
            kind = self.rng.random()
            if kind < 0.3 and examples:
                start = self.rng.choice(examples)
            elif kind < 0.5 and self._rare:
                start = self.rng.choice(self._rare).inputs
            else:
                start = (strata.choice() if kind < 0.9 else self.rng.choice(self.cases)).inputs
            before = len(self.cases)
            yield self.mover.changed(start)
            self.mover.reward(len(self.cases) > before and self.cases[-1].accepted)


def _known(case: Case) -> Any:
    return None if case.expected is UNSTATED else case.expected
