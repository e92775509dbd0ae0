"""Several ways to one point as one condition: where two ways part at one condition alone, behind them it is forgotten.

Behind ``if a: ...`` execution is where it was before, whatever ``a`` was. A loop that may be left in each of its rounds
has as many ways out as rounds; together they are the way in, and that must be seen, or every later condition drags the
whole history of the loop along.
"""

from __future__ import annotations

from neurosym_verifiers.reading.formulas.budget import spend
from neurosym_verifiers.reading.formulas.narrowing import conjuncts
from neurosym_verifiers.reading.formulas.normal_forms import both, either, negated, wider
from neurosym_verifiers.reading.formulas.terms import FALSE, TRUE, And, Condition, Or

_MOST_WAYS = 40


def any_way(*conditions: Condition) -> Condition:
    """Any of the conditions, as ``either``; ``a and b`` beside ``a and not b`` is ``a``."""
    ways = [way for condition in conditions for way in (condition.parts if isinstance(condition, Or) else (condition,))]
    if not 1 < len(ways) <= _MOST_WAYS or TRUE in ways:
        return either(*conditions)
    found = _Ways()
    for way in ways:
        if way != FALSE:
            found.add(way)
    return found.condition


def parted(one: Condition, other: Condition) -> tuple[Condition, Condition, Condition]:
    """What two ways have in common, and what each says beside it.

    What both say holds wherever either is taken, so it need not be asked to tell one from the other.
    """
    theirs = {part: part for part in _parts(other)}
    shared = {part: known for part in _parts(one) if part in theirs and (known := wider(part, theirs[part]))}
    here, there = (both(*(part for part in _parts(way) if part not in shared)) for way in (one, other))
    return both(*shared.values()), here, there


class _Ways:
    """The ways so far, each by the set of its conjuncts; no two of them part at one condition alone."""

    def __init__(self) -> None:
        self._ways: dict[frozenset[Condition], Condition] = {}

    def add(self, way: Condition) -> None:
        parts = conjuncts(way)
        spend(len(parts))
        twin = self._twin(parts)
        common = None if twin is None else wider(_shared(self._ways[twin], parts), _shared(way, twin))
        if twin is None or common is None:
            self._ways.setdefault(parts, way)
            return
        del self._ways[twin]
        self.add(common)

    def _twin(self, parts: frozenset[Condition]) -> frozenset[Condition] | None:
        """The way that parts from one with these conjuncts at one condition, perhaps several conjuncts of either."""
        for part in parts:
            if (twin := _turned(parts, part)) in self._ways:
                return twin
        for twin in self._ways:
            if any(isinstance(part, Or) and _turned(twin, part) == parts for part in twin):
                return twin
        return None

    @property
    def condition(self) -> Condition:
        return either(*self._ways.values())


def _turned(parts: frozenset[Condition], at: Condition) -> frozenset[Condition]:
    """The conjuncts of the way that parts from one at a condition."""
    return (parts - {at}) | conjuncts(negated(at))


def _shared(way: Condition, parts: frozenset[Condition]) -> Condition:
    """Those conjuncts of a way that are among some parts, as it knows them, in its order."""
    return both(*(part for part in _parts(way) if part in parts))


def _parts(way: Condition) -> tuple[Condition, ...]:
    """The conjuncts of a way, in its order."""
    return way.parts if isinstance(way, And) else (way,)
