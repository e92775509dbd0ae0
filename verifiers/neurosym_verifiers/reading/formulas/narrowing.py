"""What a condition that holds says about the bounds of single variables, and terms that know it.

On the path behind ``if rate <= 0: raise`` a rate is at least one unit, so it may be divided by. A narrowed term has the
same key, and so is the same value, as before; only its bounds are those of the path, and it must stay on it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import lru_cache, reduce
from typing import Any

from neurosym_verifiers.reading.data.values import (
    Bool,
    Chars,
    DataMember,
    Day,
    Days,
    Dec,
    Extended,
    Float,
    Guarded,
    Hidden,
    Int,
    ItemSet,
    KeySet,
    Lookup,
    LoopList,
    Maybe,
    Member,
    NoneValue,
    OneOf,
    Queue,
    Quotient,
    Ratio,
    Record,
    Sequence,
    Stream,
    Table,
    Thing,
    Value,
    one_of,
)
from neurosym_verifiers.reading.formulas.bounds import ANY, Bounds, hull, meet
from neurosym_verifiers.reading.formulas.iterated import Iterated
from neurosym_verifiers.reading.formulas.normal_forms import (
    both,
    choose,
    either,
    floor_div,
    nearest,
    negated,
    not_positive,
    within,
    zero,
)
from neurosym_verifiers.reading.formulas.ranks import Order, Rank, Switch, switch
from neurosym_verifiers.reading.formulas.terms import (
    FALSE,
    TRUE,
    And,
    Atom,
    Condition,
    DatePart,
    Div,
    Flag,
    Ite,
    Nearest,
    Not,
    NotPositive,
    Or,
    Reduced,
    Term,
    Truth,
    Var,
    Within,
    Zero,
    number,
    variable,
    with_atoms,
)
from neurosym_verifiers.reading.formulas.terms import atom as atom_of

_DATA = (
    *(Int, Bool, Dec, Float, Quotient, Ratio, Day, Days, Member, Chars, Hidden),
    *(Sequence, Guarded, Record, Maybe, Table, KeySet, OneOf),
)


def bounds_from(condition: Condition) -> dict[str, Bounds]:
    """Bounds of variables that follow from a condition, those of its conjuncts that speak of one variable each."""
    found: dict[str, Bounds] = {}
    for part in condition.parts if isinstance(condition, And) else (condition,):
        for name, bounds in _single(part):
            found[name] = meet(found.get(name, ANY), bounds)
    return found


def may_hold(condition: Condition) -> bool:
    """Whether anything may fulfil a condition, as far as the bounds of single variables show it."""
    if condition == FALSE:
        return False
    return all(low is None or high is None or low <= high for low, high in bounds_from(condition).values())


def tightened(bounds: Mapping[str, Bounds], condition: Condition) -> dict[str, Bounds]:
    """The bounds that the variables have wherever the condition holds."""
    said = bounds_from(condition)
    return {name: meet(known, said.get(name, ANY)) for name, known in bounds.items()}


def _single(part: Condition) -> list[tuple[str, Bounds]]:
    if isinstance(part, NotPositive):
        linear = _linear(part.term)
        if linear is not None:
            name, coefficient, constant = linear
            if coefficient > 0:
                return [(name, (None, -constant // coefficient))]
            return [(name, (-(constant // coefficient), None))]
    if isinstance(part, Zero):
        linear = _linear(part.term)
        if linear is not None and linear[2] % linear[1] == 0:
            value = -linear[2] // linear[1]
            return [(linear[0], (value, value))]
    if isinstance(part, Within):
        first, last = part.ranges[0][0], part.ranges[-1][1]
        return list(
            bounds_from(both(not_positive(number(first) - part.term), not_positive(part.term - number(last)))).items()
        )
    if len(part.names) == 1:
        if isinstance(part, And):
            return list(bounds_from(part).items())
        if isinstance(part, Or):
            return _hull(part)
    return []


@lru_cache(maxsize=4096)
def _hull(part: Or) -> list[tuple[str, Bounds]]:
    """``x == 5 or x == 10``: bounds of the one variable that every alternative speaks of."""
    found = [_single(alternative) for alternative in part.parts]
    if not all(found):
        return []
    return [(next(iter(part.names)), reduce(hull, (each for bounds in found for _, each in bounds)))]


def _linear(term: Term) -> tuple[str, int, int] | None:
    """``coefficient * variable + constant``, if the term is that."""
    name, coefficient, constant = "", 0, 0
    for monomial, factor in term.parts:
        if not monomial:
            constant = factor
        elif len(monomial) == 1 and isinstance(monomial[0], Var) and not name:
            name, coefficient = monomial[0].name, factor
        else:
            return None
    return (name, coefficient, constant) if name else None


def conjuncts(condition: Condition) -> frozenset[Condition]:
    """The conditions that surely hold where this one does."""
    return frozenset(condition.parts if isinstance(condition, And) else (condition,))


def beyond(condition: Condition, known: Condition) -> Condition:
    """What a condition says where another holds: its conjuncts without those of that one, in its order."""
    facts = conjuncts(known)
    return both(
        *(part for part in (condition.parts if isinstance(condition, And) else (condition,)) if part not in facts)
    )


def narrowing_by(condition: Condition) -> Narrowing | None:
    """What is known where the condition holds; None if that narrows nothing."""
    bounds = bounds_from(condition)
    facts = conjuncts(condition)
    return Narrowing(bounds, facts, into_ranks=False) if bounds or facts - {TRUE} else None


class Narrowing:
    """Rewrites values so that their variables know tighter bounds, and so that what is surely there, or surely
    missing, is no longer a ``Maybe``. ``facts``: conditions that hold. ``into_ranks``: whether also what ranks are made
    of is rewritten, of which nothing is seen from outside but its names."""

    def __init__(
        self, bounds: Mapping[str, Bounds], facts: frozenset[Condition] = frozenset(), *, into_ranks: bool = True
    ) -> None:
        self._into_ranks = into_ranks
        self._bounds = bounds
        self._facts = facts
        self._names = frozenset(bounds)
        self._atoms: dict[int, tuple[Atom, Term]] = {}
        self._conditions: dict[int, tuple[Condition, Condition]] = {}
        self._orders: dict[int, tuple[Order, Order]] = {}
        self._by_facts: dict[int, tuple[Condition, Condition]] = {}

    def value(self, value: Value) -> Value:
        match value:
            case Int(term=term):
                return Int(self.term(term))
            case Bool(condition=condition):
                return Bool(self.condition(condition))
            case Dec(num=num):
                return replace(value, num=self.term(num))
            case Extended(value=some):
                known, low, high = self.value(some), self._decided(value.low), self._decided(value.high)
                return known if low == high == FALSE or not isinstance(known, Dec) else Extended(known, low, high)
            case Float(num=num, nan=nan):
                return replace(value, num=self.term(num), nan=self._decided(nan))
            case Quotient(num=num, den=den):
                return replace(value, num=self.term(num), den=self.term(den))
            case Ratio(num=num, den=den):
                return Ratio(self.term(num), self.term(den))
            case Day():
                return Day(*(self.term(t) for t in (value.ordinal, value.year, value.month, value.day)))
            case Days(count=count):
                return Days(self.term(count))
            case Member(index=index):
                return replace(value, index=self.term(index))
            case DataMember(member=member, data=data):
                return DataMember(replace(member, index=self.term(member.index)), self.value(data))
            case Chars(cells=cells):
                return Chars(tuple((self._decided(there), self.term(code)) for there, code in cells))
            case Hidden(seen=seen):
                text: Any = self.value(seen)
                return replace(value, seen=text)
            case Sequence(items=items):
                return replace(value, items=tuple(map(self.value, items)))
            case Guarded() | Queue() | Stream() | ItemSet():
                return replace(value, items=tuple(self._guarded(guard, item) for guard, item in value.items))
            case Record(fields=fields):
                return replace(value, fields=tuple((name, self.value(part)) for name, part in fields))
            case Maybe(missing=missing, value=of):
                missing = self._decided(missing)
                if missing == FALSE:
                    return self.value(of)
                return NoneValue() if missing == TRUE else Maybe(missing, self.value(of))
            case Table(entries=entries, present=present):
                found = {key: self.value(entry) for key, entry in entries.items()}
                return replace(value, entries=found, present={k: self._decided(c) for k, c in present.items()})
            case Lookup(entries=pairs):
                kept = tuple((self._decided(there), self.value(key), self.value(each)) for there, key, each in pairs)
                return replace(value, entries=kept)
            case OneOf(choices=choices):
                return one_of((self._decided(where), ref) for where, ref in choices)
            case KeySet(present=present):
                return KeySet({key: self._decided(condition) for key, condition in present.items()})
            case LoopList():
                return replace(
                    value,
                    loop=self.loop(value.loop),
                    item=self.value(value.item),
                    last=self.value(value.last),
                    there=self.condition(value.there),
                    row=self.value(value.row),
                    counts=self.condition(value.counts),
                )
            case Thing(of=of) if isinstance(of, _DATA):
                bound: Any = self.value(of)
                return replace(value, of=bound)
            case _:
                return value

    def _guarded(self, guard: Condition, item: Value) -> tuple[Condition, Value]:
        return self._decided(guard), self.value(item)

    def _decided(self, condition: Condition) -> Condition:
        """The condition, where a fact decides it."""
        if not self._facts:
            return self.condition(condition)
        known = self._by_facts.get(id(condition))
        if known is None:
            known = self._by_facts[id(condition)] = (condition, self._decided_by_facts(condition))
        return known[1]

    def _decided_by_facts(self, condition: Condition) -> Condition:
        if condition in self._facts:
            return TRUE
        if negated(condition) in self._facts:
            return FALSE
        match condition:
            case And(parts=parts) | Or(parts=parts):
                decided = tuple(map(self._decided, parts))
                if all(now is before for now, before in zip(decided, parts, strict=True)):
                    return condition
                return both(*decided) if isinstance(condition, And) else either(*decided)
            case _:
                return self.condition(condition)

    def _touches(self, names: frozenset[str]) -> bool:
        """Whether what speaks of these variables may be rewritten."""
        return not self._names.isdisjoint(names)

    def term(self, term: Term) -> Term:
        if not self._touches(term.names):
            return term
        return with_atoms(term, self._atom)

    def _atom(self, atom: Atom) -> Term:
        known = self._atoms.get(id(atom))
        if known is None:
            known = self._atoms[id(atom)] = (atom, self._rewritten(atom))
        return known[1]

    def _rewritten(self, atom: Atom) -> Term:
        match atom:
            case Var(name=name, low=low, high=high):
                low, high = meet((low, high), self._bounds.get(name, ANY))
                if low is not None and high is not None and low > high:
                    low = high  # a path on which nothing lies: any bounds are true there
                return variable(name, low, high)
            case Reduced(num=num, den=den) if (common := self.term(den)).constant is None:
                return Term([((Reduced(self.term(num), common),), 1)])
            case Div(num=num, den=den):
                divisor = self.term(den)
                if divisor.constant is not None and divisor.constant < 1:
                    return number(0)  # a path on which the quotient is not used
                return floor_div(self.term(num), divisor)
            case Nearest(num=num, den=den, scale=scale):
                divisor = self.term(den)
                if divisor.constant is not None and divisor.constant < 1:
                    return number(0)
                return nearest(self.term(num), divisor, scale)
            case Switch(cases=cases):
                return self._switched(cases)
            case Rank() if not self._into_ranks:
                return atom_of(atom)
            case Rank(at=at):
                return atom_of(Rank(self._ordered(atom.order), at))
            case Ite(condition=condition, then=then, other=other):
                return choose(self.condition(condition), self.term(then), self.term(other))
            case DatePart(part=part, ordinal=ordinal, low=low, high=high):
                return Term([((DatePart(part, self.term(ordinal), low, high),), 1)])
            case Iterated():
                return Term([((self.loop(atom),), 1)])
            case _:
                raise AssertionError(f"unknown atom {atom!r}")

    def _switched(self, cases: tuple[tuple[Condition, Term], ...]) -> Term:
        """A switch between the cases that are left; on a path that is none anything is true."""
        left = [(self.condition(where), case) for where, case in cases]
        kept = tuple((where, self.term(case)) for where, case in left if where != FALSE)
        certain = [case for where, case in kept if where == TRUE]
        return certain[0] if certain else switch(kept) if kept else number(0)

    def _ordered(self, order: Order) -> Order:
        known = self._orders.get(id(order))
        if known is None:
            known = self._orders[id(order)] = (order, Order(tuple(map(self.term, order.sums))))
        return known[1]

    def loop(self, loop: Iterated) -> Iterated:
        """A loop, whatever it is that is asked of it. Its own variables keep the bounds that they have."""
        return Iterated(
            tuple(map(self.term, loop.step)),
            tuple(map(self.term, loop.start)),
            self.term(loop.rounds),
            loop.labels,
            self.condition(loop.goes_on),
            tuple(map(self.term, loop.leaving)),
            loop.within,
            tuple((words, self.condition(each)) for words, each in loop.offered),
        )

    def condition(self, condition: Condition) -> Condition:
        if not self._touches(condition.names):
            return condition
        known = self._conditions.get(id(condition))
        if known is None:
            known = self._conditions[id(condition)] = (condition, self._rewritten_condition(condition))
        return known[1]

    def _rewritten_condition(self, condition: Condition) -> Condition:
        match condition:
            case Truth() | Flag():
                return condition
            case NotPositive(term=term):
                return not_positive(self.term(term))
            case Zero(term=term):
                return zero(self.term(term))
            case Within(term=term, ranges=ranges):
                return within(self.term(term), ranges)
            case Not(of=of):
                return negated(self.condition(of))
            case And(parts=parts):
                return both(*map(self.condition, parts))
            case Or(parts=parts):
                return either(*map(self.condition, parts))
            case _:
                raise AssertionError(f"unknown condition {condition!r}")
