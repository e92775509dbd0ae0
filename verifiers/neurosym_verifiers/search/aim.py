"""Directed search: inputs on the boundaries that a spec draws, and on the ties of its roundings.

An observing evaluator reports each comparison and each rounding that the spec carries out on an input. Moving one
leaf by one unit shows how the two sides of a comparison, or the exact amount before a rounding, depend on it; where
that is linear, the leaf's value at which the comparison tips is one division, and the values at which the
amount lies exactly half way between two steps are the solutions of a linear congruence:

    position(m) = (p + r*m) / q steps,   tie  <=>  p + r*m = q/2  (mod q),   solvable only for even q

For example 12.5 % of an amount of m cents is m/8 cents: p = 0, r = 1, q = 8, so m = 4 (mod 8). Nothing
here is trusted: every proposed input is looked at again, and only what reached its aim is kept.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import islice, product

from neurosym_specs.types import ListType, Type

from neurosym_verifiers.search.cancelling import cancelling, standing
from neurosym_verifiers.search.dials import Dial, dials
from neurosym_verifiers.search.draw import in_form
from neurosym_verifiers.search.leaves import Inputs, Step, nodes, replaced
from neurosym_verifiers.search.moves import WORK_OF_A_MOVE, Mover
from neurosym_verifiers.search.observe import ENOUGH, Lookout, Mark, Sighting, residues, scale
from neurosym_verifiers.search.ties import congruent, ties

_RECENT = 12
_DIALS_FOR_REMAINDERS = 3
_ENDLESS = 24
_FROM_ONE_BASE = 6
"""How many ties are wanted of each kind of quotients of which others have no end, and of these from one input."""

_DIALS = 10
"""How many places of one input are moved."""


@dataclass(slots=True)
class Aim:
    """Proposes inputs that hit boundaries and ties.

    A mark is a kind of hit at one site at one scale: small amounts do not stand for large ones, where a float or a
    decimal context gives out. Each mark is wanted a few times, ``patience`` times as often where floats are about,
    which go wrong on some boundaries and not on others; the search ends when the work is spent. Remainders are aimed at
    anew wherever the conditions of the spec stand otherwise: a right check digit counts in each format.
    """

    types: Mapping[str, Type]
    lookout: Lookout
    rng: random.Random
    patience: int = 1
    hits: Counter[Mark] = field(default_factory=Counter)
    _residues: Counter[tuple[int, int, int]] = field(default_factory=Counter)
    _endless: Counter[tuple[str, int, Step, int]] = field(default_factory=Counter)

    def explore(
        self, corpus: list[Inputs], mover: Mover, valid: Callable[[Inputs], bool], *, work: int
    ) -> Iterator[Inputs]:
        """Small changes of what is known, kept and changed again where they show something new.

        Greybox fuzzing, with the spec's own comparisons in the place of a program's branches.
        """
        limit = self.lookout.work + work
        while corpus and self.lookout.work < limit:
            self.lookout.work += WORK_OF_A_MOVE
            start = self.rng.choice(corpus[-_RECENT:] if self.rng.random() < 0.5 else corpus)
            tried = mover.changed(start)
            if not valid(tried):
                continue
            sighting = self.lookout.look(tried)
            new = self.count(sighting)
            mover.reward(new)
            kept = [(tried, sighting)] if new else []
            while kept:
                inputs, sighting = kept.pop()
                corpus.append(inputs)
                yield inputs
                if sighting.adds_shares:
                    for dial in dials(self.types, inputs, self.rng)[:_DIALS]:
                        yield from self._turned(sighting, dial)
                for shot in self._members(inputs, sighting):
                    seen = self.lookout.look(shot) if valid(shot) else None
                    if seen is not None and self.count(seen):
                        kept.append((shot, seen))

    def shots(self, seeds: Sequence[Inputs], *, work: int) -> Iterator[Inputs]:
        """Inputs near the seeds that hit something not yet hit often enough."""
        limit = self.lookout.work + work
        for seed in seeds:
            base = self.lookout.look(seed)
            self.count(base)
            yield from self._members(seed, base)
            for dial in dials(self.types, seed, self.rng)[:_DIALS]:
                if self.lookout.work >= limit:
                    return
                yield from self._turned(base, dial)

    def endless(self, seeds: Sequence[Inputs], *, work: int) -> Iterator[Inputs]:
        """Ties near the seeds among quotients of which others have no end, a few of each kind (``cancelling.py``)."""
        limit = self.lookout.work + work
        for seed in self.rng.sample(seeds, len(seeds)):
            base = self.lookout.look(seed)
            one_each = {dial.place[0][0]: dial for dial in reversed(dials(self.types, seed, self.rng))}
            for root, dial in one_each.items() if base.divisor > 1 and not base.refused else ():
                for key, find in product(base.positions, (standing, cancelling)):
                    if self.lookout.work >= limit:
                        return
                    aimed = (find.__name__, key[0], root, base.divisor)
                    if self._endless[aimed] < _ENDLESS:
                        shots = find(self.types, self.lookout, base, key, dial, self.rng)
                        found = (shot for shot in shots if self.lookout.look(shot).is_tie(key))
                        for shot in islice(found, _FROM_ONE_BASE):
                            self._endless[aimed] += 1
                            yield shot

    def _members(self, seed: Inputs, base: Sighting) -> Iterator[Inputs]:
        """What the spec looks for in a list put in, or taken out."""
        lists = {id(node.value): node for node in nodes(self.types, seed) if isinstance(node.type, ListType)}
        for left, right in self.rng.sample(base.members, min(len(base.members), 4)):
            node = lists.get(id(right))
            if node is None or not isinstance(node.type, ListType):
                continue
            longest = node.type.check_len if node.type.check_len is not None else node.type.max_len
            if left in right:
                items = [item for item in right if item != left]
            elif longest is None or len(right) < longest:
                items = sorted([*right, left]) if node.type.sorted else [*right, left]
            else:
                continue
            yield replaced(seed, node.path, in_form(node.type, items))

    def _turned(self, base: Sighting, dial: Dial) -> Iterator[Inputs]:
        at = dial.at
        if dial.snapped is not None:
            base = self.lookout.look(dial.snapped)
        step = 1 if at < dial.last else -1
        moved = self.lookout.look(dial.put(at + step))
        wanted: dict[int, None] = {}
        beside: dict[int, None] = {}
        for key, distance in base.distances.items():
            if key in moved.distances and self.hits["tip", key[0], base.scales[key]] < ENOUGH * self.patience:
                slope = Fraction(moved.distances[key] - distance, step)
                if slope:
                    tip = at - distance / slope
                    low, high = int(tip // 1), -int(-tip // 1)
                    wanted.update(dict.fromkeys((low, high, low - 1, high + 1)))
        for key, position in base.positions.items():
            if key in moved.positions and self.hits[base.tie, key[0], scale(position)] < ENOUGH:
                slope = Fraction(moved.positions[key] - position, step)
                for offset in ties(Fraction(position), slope, dial):
                    wanted[at + offset] = None
                    beside.update(dict.fromkeys((at + offset + 1, at + offset - 1)))
        wanted.update(dict.fromkeys(self._residue_positions(base, moved, dial, step)))
        for k in beside:
            if dial.first <= k <= dial.last:
                yield dial.put(k)
        for k in wanted:
            if dial.first <= k <= dial.last and k != at:
                shot = dial.put(k)
                seen = self.lookout.look(shot)
                if self.count(seen):
                    yield shot
                    yield from self._remainders(shot, seen)

    def _remainders(self, seed: Inputs, base: Sighting) -> Iterator[Inputs]:
        """Inputs on which the remainders that the spec takes come out as one that matters."""
        if not base.remainders:
            return
        for dial in dials(self.types, seed, self.rng)[:_DIALS_FOR_REMAINDERS]:
            step = 1 if dial.at < dial.last else -1
            moved = self.lookout.look(dial.put(dial.at + step))
            for k in self._residue_positions(base, moved, dial, step):
                shot = dial.put(k)
                self.count(self.lookout.look(shot))
                yield shot

    def _residue_positions(self, base: Sighting, moved: Sighting, dial: Dial, step: int) -> Iterator[int]:
        for key, (left, modulus) in base.remainders.items():
            if key in moved.remainders and moved.remainders[key][1] == modulus:
                slope = (moved.remainders[key][0] - left) * step
                for residue in residues(modulus):
                    aimed = (key[0], residue, base.standing)
                    if self._residues[aimed] < ENOUGH:
                        offsets = congruent(left, slope, residue, modulus, dial)
                        self._residues[aimed] += bool(offsets)
                        yield from (dial.at + offset for offset in offsets)

    def count(self, sighting: Sighting) -> bool:
        """Notes what an input hits or narrowly misses; whether any of it was still wanted."""
        wanted = False
        for mark, enough in sighting.marks():
            self.hits[mark] += 1
            wanted = wanted or self.hits[mark] <= enough * self.patience
        return wanted
