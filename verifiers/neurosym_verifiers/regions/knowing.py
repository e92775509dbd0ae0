"""What follows from elementary conditions that hold: which others do, and what terms and values are then.

Conditions and terms are shared graphs, so what is known is asked of each node once.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from neurosym_verifiers.reading.data.dates import day_of
from neurosym_verifiers.reading.formulas.bounds import Bounds
from neurosym_verifiers.reading.formulas.narrowing import Narrowing, tightened
from neurosym_verifiers.reading.formulas.normal_forms import (
    both,
    negated,
)
from neurosym_verifiers.reading.formulas.terms import (
    FALSE,
    TRUE,
    And,
    Atom,
    Condition,
    DatePart,
    Ite,
    Not,
    Or,
    Term,
    Truth,
    Var,
    variable,
)


class Known(Narrowing):
    """What follows, node by node, from elementary conditions that hold.

    Terms of different exits know bounds of their variables that hold on their own path only, so what is put together
    from several has those that follow from the conditions and from ``bounds``, which hold everywhere.
    """

    def __init__(self, conditions: Sequence[Condition], bounds: Mapping[str, Bounds]) -> None:
        super().__init__(tightened(bounds, both(*conditions)))
        self._truths: dict[str, bool | None] = {}
        self._by_key: dict[str, Term] = {}
        self._simpler: dict[str, Condition] = {}
        for condition in conditions:
            self._truths[condition.key] = True
            self._truths[negated(condition).key] = False

    def truth(self, condition: Condition) -> bool | None:
        """Whether the condition holds; None if that is open."""
        if condition.key not in self._truths:
            self._truths[condition.key] = self._follows(condition)
        return self._truths[condition.key]

    def _follows(self, condition: Condition) -> bool | None:
        match condition:
            case Truth(value=value):
                return value
            case Not(of=of):
                truth = self.truth(of)
                return None if truth is None else not truth
            case And(parts=parts):
                truths = [self.truth(part) for part in parts]
                return False if False in truths else None if None in truths else True
            case Or(parts=parts):
                truths = [self.truth(part) for part in parts]
                return True if True in truths else None if None in truths else False
            case _:
                simpler = self._rewritten_condition(condition)
                if isinstance(simpler, Truth):
                    return simpler.value
                return self._truths.get(simpler.key)

    def open(self, condition: Condition) -> Condition:
        """The first elementary condition on which an open condition depends."""
        while True:
            match condition:
                case Not(of=of):
                    condition = of
                case And(parts=parts) | Or(parts=parts):
                    condition = next(part for part in parts if self.truth(part) is None)
                case _:
                    return condition

    def _touches(self, names: frozenset[str]) -> bool:
        return True

    def _atom(self, atom: Atom) -> Term:
        if atom.key not in self._by_key:
            self._by_key[atom.key] = self._rewritten(atom)
        return self._by_key[atom.key]

    def _rewritten(self, atom: Atom) -> Term:
        match atom:
            case Ite(condition=condition, then=then, other=other) if (truth := self.truth(condition)) is not None:
                return self.term(then if truth else other)
            case DatePart(part=part, ordinal=count):
                day = day_of(self.term(count))
                return {"year": day.year, "month": day.month, "day": day.day}[part]
            case Var(name=name):
                return variable(name, *self._bounds.get(name, (None, None)))
            case _:
                return super()._rewritten(atom)

    def condition(self, condition: Condition) -> Condition:
        """The condition with what is decided left out."""
        truth = self.truth(condition)
        if truth is not None:
            return TRUE if truth else FALSE
        if condition.key not in self._simpler:
            simpler = self._rewritten_condition(condition)
            truth = self.truth(simpler)
            self._simpler[condition.key] = simpler if truth is None else TRUE if truth else FALSE
        return self._simpler[condition.key]
