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

import ast
import random
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from fractions import Fraction
from itertools import zip_longest
from math import gcd, lcm
from typing import Any, TypeAlias

from neurosym_specs.expr.evaluate import Evaluator, Scope, Undefined
from neurosym_specs.expr.syntax import Expression
from neurosym_specs.model import Spec
from neurosym_specs.types import ListType, Type

from neurosym_verifiers.search.draw import in_form
from neurosym_verifiers.search.grid import Grid, grid_of
from neurosym_verifiers.search.leaves import Inputs, Node, leaves, nodes, replaced
from neurosym_verifiers.search.moves import Mover

_OCCURRENCES = 4
"""How often one place in the spec is followed on one input (it may run once per list element)."""

_MEMBERS = 40
"""How many searches in lists are followed on one input."""

_WORK_OF_A_LOOK = 25
_RECENT = 12
_LEAVES = 10
"""How many places of one input are moved."""

SiteKey: TypeAlias = tuple[int, int]
"""A place in the spec (by its node) and how often it had run before."""

Mark: TypeAlias = tuple[str, int, int]
"""Kind, place, and size class or count."""

_ENOUGH = 3
_COUNTABLE = 32


@dataclass(slots=True)
class Sighting:
    """What the spec did on one input.

    ``distances``: left minus right of each comparison (dates in days). ``positions``: each amount before its
    rounding, in steps. ``scales``: about how large the amounts of a comparison are. ``members``: what was looked for in
    which list. ``operands``: how the operands of each ``and`` and ``or`` stand.
    """

    distances: dict[SiteKey, int | Fraction] = field(default_factory=dict)
    positions: dict[SiteKey, int | Fraction] = field(default_factory=dict)
    scales: dict[SiteKey, int] = field(default_factory=dict)
    comparisons: int = 0
    members: list[tuple[Any, Sequence[Any]]] = field(default_factory=list)
    operands: dict[int, tuple[bool | None, ...]] = field(default_factory=dict)
    _seen: Counter[int] = field(default_factory=Counter)

    def comparison(self, node: ast.AST, op: str, left: Any, right: Any) -> None:
        self.comparisons += 1
        if isinstance(right, (list, tuple)):
            if op in ("in", "not in") and len(self.members) < _MEMBERS:
                self.members.append((left, right))
            return
        key = self._key(node)
        if key is None:
            return
        if isinstance(left, date) and isinstance(right, date):
            left, right = left.toordinal(), right.toordinal()
        if not isinstance(left, (int, Fraction)) or not isinstance(right, (int, Fraction)):
            return
        if isinstance(left, bool) or isinstance(right, bool):
            return
        self.distances[key] = left - right
        self.scales[key] = _scale(left)

    def rounding(self, node: ast.AST, exact: Fraction, step: Fraction, mode: str) -> None:
        key = self._key(node)
        if key is not None and step:
            self.positions[key] = exact if step == 1 else Fraction(exact) / step

    def boolean(self, node: ast.AST, values: list[bool | None]) -> None:
        self.operands.setdefault(id(node), tuple(values))

    def marks(self) -> Iterator[tuple[Mark, int]]:
        """What is remarkable about the input, each with how often that is wanted.

        A comparison on or one unit beside its tipping point; a rounding on a tie; how near a comparison of small
        whole numbers is to tipping; how often a place in the spec ran; how the operands of a boolean stand together.
        """
        for (site, number), distance in self.distances.items():
            if -1 <= distance <= 1:
                kind = "tip" if distance == 0 else "above" if distance > 0 else "below"
                yield (kind, site, self.scales[site, number]), _ENOUGH
            elif -_COUNTABLE < distance < _COUNTABLE and isinstance(distance, int):
                yield ("near", site, distance), 1
        for (site, _), position in self.positions.items():
            half = position * 2
            if half.denominator == 1 and half.numerator % 2:
                kind = ("negative " if half < 0 else "") + ("tie" if half.numerator % 4 == 1 else "odd tie")
                yield (kind, site, _scale(position)), _ENOUGH
        for site, times in self._seen.items():
            yield ("times", site, times.bit_length()), 1
        for site, operands in self.operands.items():
            yield ("operands", site, int("".join("012"[(o is not None) + bool(o)] for o in operands), 3)), 1

    def _key(self, node: ast.AST) -> SiteKey | None:
        count = self._seen[id(node)]
        self._seen[id(node)] = count + 1
        return (id(node), count) if count < _OCCURRENCES else None


class _Forwarder:
    """The evaluator's one observer, which hands on to the sighting of the input at hand."""

    def __init__(self) -> None:
        self.sighting = Sighting()

    def comparison(self, node: ast.AST, op: str, left: Any, right: Any) -> None:
        self.sighting.comparison(node, op, left, right)

    def rounding(self, node: ast.AST, exact: Fraction, step: Fraction, mode: str) -> None:
        self.sighting.rounding(node, exact, step, mode)

    def boolean(self, node: ast.AST, values: list[bool | None]) -> None:
        self.sighting.boolean(node, values)


class Lookout:
    """Looks at what a whole spec does on an input: requires, rejects, reference, and the ensures of its value."""

    def __init__(self, spec: Spec) -> None:
        self._spec = spec
        self._forwarder = _Forwarder()
        self._evaluator = Evaluator(spec, observer=self._forwarder)
        self.work = 0

    def look(self, inputs: Inputs, expected: Any = None) -> Sighting:
        """``expected``: the right result where it is known, for what the ensures say of it.

        ``work`` grows by about the microseconds that a look takes, as counted in steps and comparisons: the unit of all
        budgets, the same on every machine.
        """
        sighting = self._forwarder.sighting = Sighting()
        spec, scope = self._spec, self._evaluator.bind(inputs)
        expressions = [clause.that for clause in spec.requires] + [clause.when for clause in spec.rejects]
        for expression in expressions:
            self._evaluate(scope, expression)
        if spec.reference is not None and spec.reference.value is not None:
            expected = self._evaluate(scope, spec.reference.value)
        for ensure in spec.ensures:
            if ensure.when is not None:
                self._evaluate(scope, ensure.when)
        if expected is not None:
            scope = scope.with_result(expected)
            for ensure in spec.ensures:
                self._evaluate(scope, ensure.that)
        self.work += _WORK_OF_A_LOOK + sighting.comparisons
        return sighting

    def _evaluate(self, scope: Scope, expression: Expression) -> Any:
        """The value, or None where there is none."""
        try:
            return scope.evaluate(expression)
        except Undefined:
            return None
        finally:
            self.work += self._evaluator.last_steps // 4


@dataclass(slots=True)
class Aim:
    """Proposes inputs that hit boundaries and ties.

    A mark is a kind of hit at one site at one scale: small amounts do not stand for large ones, where a float or a
    decimal context gives out. Each mark is wanted a few times; the search ends when the work is spent.
    """

    types: Mapping[str, Type]
    lookout: Lookout
    rng: random.Random
    hits: Counter[Mark] = field(default_factory=Counter)

    def explore(
        self, corpus: list[Inputs], mover: Mover, valid: Callable[[Inputs], bool], *, work: int
    ) -> Iterator[Inputs]:
        """Small changes of what is known, kept and changed again where they show something new.

        Greybox fuzzing, with the spec's own comparisons in the place of a program's branches.
        """
        limit = self.lookout.work + work
        while corpus and self.lookout.work < limit:
            self.lookout.work += _WORK_OF_A_LOOK
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
            for leaf in self._some_leaves(seed):
                if self.lookout.work >= limit:
                    return
                grid = grid_of(leaf.type) if leaf.type.choices is None else None
                at = grid.position(leaf.value) if grid is not None else None
                if grid is not None and at is not None:
                    yield from self._from_leaf(seed, base, leaf, grid, round(at))

    def _some_leaves(self, seed: Inputs) -> list[Node]:
        """A few leaves in random order, one of each input before a second of any: a long list hides no other input."""
        queues: dict[object, list[Node]] = {}
        for leaf in leaves(self.types, seed):
            queues.setdefault(leaf.path[0], []).append(leaf)
        for queue in queues.values():
            self.rng.shuffle(queue)
        rounds = zip_longest(*queues.values())
        return [leaf for turn in rounds for leaf in turn if leaf is not None][:_LEAVES]

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

    def _from_leaf(self, seed: Inputs, base: Sighting, leaf: Node, grid: Grid, at: int) -> Iterator[Inputs]:
        if at != grid.position(leaf.value):
            seed = replaced(seed, leaf.path, grid.point(at))
            base = self.lookout.look(seed)
        step = 1 if at < grid.last else -1
        moved = self.lookout.look(replaced(seed, leaf.path, grid.point(at + step)))
        wanted: dict[int, None] = {}
        for key, distance in base.distances.items():
            if key in moved.distances and self.hits["tip", key[0], base.scales[key]] < _ENOUGH:
                slope = Fraction(moved.distances[key] - distance, step)
                if slope:
                    tip = at - distance / slope
                    low, high = int(tip // 1), -int(-tip // 1)
                    wanted.update(dict.fromkeys((low, high, low - 1, high + 1)))
        for key, position in base.positions.items():
            if key in moved.positions and self.hits["tie", key[0], _scale(position)] < _ENOUGH:
                slope = Fraction(moved.positions[key] - position, step)
                for offset in ties(Fraction(position), slope, at, grid):
                    wanted.update(dict.fromkeys((at + offset, at + offset + 1, at + offset - 1)))
        for k in wanted:
            if grid.first <= k <= grid.last and k != at:
                shot = replaced(seed, leaf.path, grid.point(k))
                if self.count(self.lookout.look(shot)):
                    yield shot

    def count(self, sighting: Sighting) -> bool:
        """Notes what an input hits or narrowly misses; whether any of it was still wanted."""
        wanted = False
        for mark, enough in sighting.marks():
            self.hits[mark] += 1
            wanted = wanted or self.hits[mark] <= enough
        return wanted


def _scale(amount: int | Fraction) -> int:
    """The size class of an amount: every two decimal digits count one, and so do two of its denominator's."""
    return int(abs(amount)).bit_length() // 7 + 100 * (amount.denominator.bit_length() // 7)


def ties(position: Fraction, slope: Fraction, at: int, grid: Grid) -> list[int]:
    """Offsets m of a leaf at which ``position + slope * m`` lies half way between two whole numbers.

    The one nearest to the leaf's value, the one nearest to the simplest value, one on the other side of zero, and one
    far out; none if there are none.
    """
    q = lcm(position.denominator, slope.denominator)
    if slope == 0 or q % 2:
        return []
    p, r = int(position * q), int(slope * q)
    g = gcd(r, q)
    if (q // 2 - p) % g:
        return []
    period = q // g
    first = (q // 2 - p) // g * pow(r // g, -1, period) % period if period > 1 else 0
    found: dict[int, None] = {}
    for centre in (at, grid.origin, -at, (grid.last * 3 + at) // 4):
        nearest = first + round(Fraction(centre - at - first, period)) * period
        for offset in (nearest, nearest + period):
            if grid.first <= at + offset <= grid.last:
                found[offset] = None
    return list(found)
