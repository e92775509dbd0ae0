"""A claim about what was sorted, with ranks as unknown numbers: what then nothing fulfils, nothing fulfils at all.

Two programs that sort by the same keys ask the same of the same ranks; what they make of these often agrees whatever
the ranks are, and however much there is to share out. So ranks become variables, and so do sums of few values beside
them. What is told of them:

- A sum over all items of one function of their ranks is that function summed over all places, since each place is the
  rank of one item. So as many items stand before a place as it says, and as much is shared out as there is.
- A condition on a few of them, of few values each, is decided by going through all of these.
"""

from __future__ import annotations

from itertools import product
from math import prod

from neurosym_verifiers.reading.formulas.bounds import Bounds, Spans, hull
from neurosym_verifiers.reading.formulas.budget import TooManyTerms, at_most_terms, spend
from neurosym_verifiers.reading.formulas.evaluating import Evaluation
from neurosym_verifiers.reading.formulas.narrowing import Narrowing
from neurosym_verifiers.reading.formulas.normal_forms import not_positive, zero
from neurosym_verifiers.reading.formulas.ranks import Rank
from neurosym_verifiers.reading.formulas.terms import (
    FALSE,
    TRUE,
    Atom,
    Condition,
    Ite,
    NotPositive,
    Term,
    Var,
    Zero,
    number,
    variable,
)
from neurosym_verifiers.reading.formulas.walking import parts_of
from neurosym_verifiers.reading.simplification.substituting import Substitution

_MOST_TERMS = 200_000
_MOST_ROWS = 400
_MOST_VALUES = 64
_RANK, _SUM = "rank!", "sum!"


def has_ranks(condition: Condition) -> bool:
    """Whether a condition speaks of what was sorted."""
    return any(isinstance(part, Rank) for part in parts_of(condition))


def with_ranks_defined(condition: Condition) -> Condition:
    """The same condition, of what ranks are made of."""
    return _Defined({}).condition(condition)


def with_ranks_unknown(condition: Condition, bounds: Spans) -> tuple[Condition, Spans]:
    """A condition that something fulfils if anything fulfils this one, and the bounds of its variables."""
    unknown = _Unknown(condition)
    try:
        with at_most_terms(_MOST_TERMS):
            found = unknown.condition(condition)
    except TooManyTerms:
        return TRUE, bounds
    return found, {**bounds, **unknown.spans}


class _Everywhere(Narrowing):
    """Rewrites all there is."""

    def _touches(self, names: frozenset[str]) -> bool:
        return bool(names)


class _Defined(_Everywhere):
    """Puts what ranks are made of in their place."""

    def _rewritten(self, atom: Atom) -> Term:
        return self.term(atom.of) if isinstance(atom, Rank) else super()._rewritten(atom)


class _Unknown(_Everywhere):
    """Puts variables in the place of ranks, and of what stands beside them and has few values.

    A sum may know tighter bounds on one path than on another. Its variable has the widest: where a value is outside of
    the bounds that a path knows, nothing is on that path, and what is said there does not matter.
    """

    def __init__(self, condition: Condition) -> None:
        super().__init__({})
        self.spans: dict[str, Bounds] = {}
        self._of_ranks: dict[str, str] = {}
        self._of_sums: dict[str, str] = {}
        self._members: dict[str, list[str]] = {}
        self._settled: dict[tuple[str, tuple[Bounds, ...]], Condition | None] = {}
        found = {part.key: part for part in parts_of(condition) if isinstance(part, Rank)}
        for rank in found.values():
            name = self._of_ranks[rank.key] = f"{_RANK}{len(self._of_ranks)}"
            self.spans[name] = (rank.low, rank.high)
            self._members.setdefault(rank.order.key, []).append(name)
        sizes = {rank.order.key: len(rank.order.sums) for rank in found.values()}
        self._whole = [frozenset(names) for key, names in self._members.items() if len(names) == sizes[key]]
        self._plain: dict[str, bool] = {}

    def term(self, term: Term) -> Term:
        if term.key not in self._plain:
            self._plain[term.key] = not any(isinstance(part, (Ite, Rank)) for part in parts_of(term))
        return term if self._plain[term.key] else super().term(term)

    def _rewritten(self, atom: Atom) -> Term:
        if isinstance(atom, Rank):
            name = self._of_ranks[atom.key]
            return variable(name, *self.spans[name])
        return super()._rewritten(atom)

    def _rewritten_condition(self, condition: Condition) -> Condition:
        match condition:
            case NotPositive(term=term):
                return self._by_rows(not_positive(self._in_few_values(self._over_places(self.term(term)))))
            case Zero(term=term):
                return self._by_rows(zero(self._in_few_values(self._over_places(self.term(term)))))
            case _:
                return super()._rewritten_condition(condition)

    def _over_places(self, term: Term) -> Term:
        """A sum, with places instead of the ranks of all items if it has the same function of each of them."""
        for names in self._whole if not self.spans.keys().isdisjoint(term.names) else ():
            told = [_names(monomial) & names for monomial, _ in term.parts]
            if frozenset().union(*told) != names or any(len(each) > 1 for each in told):
                continue
            rest = Term(part for part, of in zip(term.parts, told, strict=True) if not of)
            items = [
                (name, Term(part for part, of in zip(term.parts, told, strict=True) if name in of)) for name in names
            ]
            place = variable(_RANK, *self.spans[items[0][0]])
            if len({Substitution({name: place}, {}).term(part).key for name, part in items}) == 1:
                for at, (name, part) in enumerate(items):
                    rest = rest + Substitution({name: number(at)}, {}).term(part)
                term = rest
        return term

    def _in_few_values(self, term: Term) -> Term:
        """A sum, with a variable for all in it that speaks of no rank, if that has few values."""
        own = [part for part in term.parts if part[0] and self.spans.keys().isdisjoint(_names(part[0]))]
        if not own or (len(own) == 1 and len(own[0][0]) == 1 and isinstance(own[0][0][0], Var)):
            return term
        sign = 1 if own[0][1] > 0 else -1
        whole = Term(own) * number(sign)
        low, high = whole.low, whole.high
        if low is None or high is None or high - low >= _MOST_VALUES:
            return term
        name = self._of_sums.setdefault(whole.key, f"{_SUM}{len(self._of_sums)}")
        self.spans[name] = hull(self.spans.get(name, (low, high)), (low, high))
        return term - Term(own) + variable(name, low, high) * number(sign)

    def _by_rows(self, condition: Condition) -> Condition:
        """A condition, decided if it is the same for all values of the few variables that it speaks of."""
        names = sorted(condition.names)
        if not names or not self.spans.keys() >= set(names):
            return condition
        spans = [self.spans[name] for name in names]
        values = [range(low, high + 1) for low, high in spans if low is not None and high is not None]
        if prod(map(len, values)) > _MOST_ROWS:
            return condition
        told = {name: variable(f"{_RANK}{_SUM}{at}", *self.spans[name]) for at, name in enumerate(names)}
        key = (Substitution(told, {}).condition(condition).key, tuple(spans))
        if key not in self._settled:
            rows = (dict(zip(names, row, strict=True)) for row in product(*values))
            spend(prod(map(len, values)))
            truths = {Evaluation(row).condition(condition) for row in rows}
            self._settled[key] = None if len(truths) > 1 else TRUE if True in truths else FALSE
        return self._settled[key] or condition


def _names(monomial: tuple[Atom, ...]) -> frozenset[str]:
    return frozenset().union(*(factor.names for factor in monomial))
