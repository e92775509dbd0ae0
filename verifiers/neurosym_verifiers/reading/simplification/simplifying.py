"""A claim made small before a solver sees it: the same condition, on every assignment within the bounds.

Programs and specs go through a list in their own ways, and an unrolled loop is a tower of choices; to a solver that is
two possibilities for each round. Most of these towers fall to a few rules, each an equivalence:

- A comparison with a choice of which one side is known is one without it: ``(0 if c else x) <= 0`` is ``c or x <= 0``.
- What a choice's condition says is known in its branches, and what one part of a conjunction says in the others.
- Conditions on few values are written by their tables (``finite``); choices of one number under conditions that
  exclude each other are one choice.
- ``e if a or b else 0`` is ``e`` where ``e`` is a sum of what is zero unless ``a`` or ``b``: sums by group, with a
  group that is looked for before it is added to, become plain sums.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterable
from itertools import groupby, permutations

from neurosym_verifiers.reading.data.dates import part_of
from neurosym_verifiers.reading.formulas.bounds import Spans
from neurosym_verifiers.reading.formulas.budget import TooManyTerms, at_most_terms, spend
from neurosym_verifiers.reading.formulas.iterated import Iterated
from neurosym_verifiers.reading.formulas.narrowing import Narrowing, conjuncts
from neurosym_verifiers.reading.formulas.normal_forms import (
    both,
    either,
    floor_div,
    nearest,
    negated,
    not_positive,
    within,
    zero,
)
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
    Term,
    Truth,
    Var,
    Within,
    Zero,
    atom,
    number,
    variable,
    with_atoms,
)
from neurosym_verifiers.reading.simplification.finite import Table, Tables

_MOST_TERMS = 150_000
_MOST_COMPARED = 16
_MOST_FACTS = 40
_MOST_TRIED = 4
_MOST_KEPT = 20_000


class Simplifying:
    """Simplifies one condition after the other; what several of them have in common is simplified once."""

    def __init__(self) -> None:
        self._simplifier = Simplifier({})

    def simplified(self, condition: Condition, bounds: Spans) -> Condition:
        """A condition that the same assignments within the ``bounds`` fulfil; the condition itself where that takes too
        long. ``bounds`` name every variable, and nothing else."""
        if any(low is not None and high is not None and low > high for low, high in bounds.values()):
            return FALSE
        if not self._simplifier.widened(bounds):
            self._simplifier = Simplifier(bounds)
        try:
            with at_most_terms(_MOST_TERMS):
                return self._simplifier.whole(condition)
        except TooManyTerms:
            return condition


class _Rewriting(Narrowing):
    """Rewrites from the inside, equal parts once."""

    def __init__(self, tables: Tables) -> None:
        super().__init__({})
        self._tables = tables
        self._by_key: dict[str, Term] = {}
        self._rewritten_conditions: dict[str, Condition] = {}

    @abstractmethod
    def _united(self, term: Term) -> Term:
        """A sum of which the parts are rewritten."""

    @abstractmethod
    def _choice(self, condition: Condition, then: Term, other: Term) -> Term:
        """A choice under a condition that is rewritten, of branches that are not."""

    def term(self, term: Term) -> Term:
        if term.constant is not None:
            return term
        return self._united(with_atoms(term, self._atom))

    def _atom(self, atom: Atom) -> Term:
        if atom.key not in self._by_key:
            self._by_key[atom.key] = self._rewritten(atom)
        return self._by_key[atom.key]

    def _rewritten(self, atom: Atom) -> Term:
        match atom:
            case Ite(condition=condition, then=then, other=other):
                return self._choice(self.condition(condition), then, other)
            case Div(num=num, den=den):
                return _quotient(self.term(num), self.term(den))
            case Nearest(num=num, den=den, scale=scale):
                return _nearest(self.term(num), self.term(den), scale)
            case DatePart(part=part, ordinal=ordinal):
                return part_of(part, self.term(ordinal))
            case Iterated():  # what a round does speaks of variables that have no bounds
                return Term([((atom,), 1)])
            case _:
                return super()._rewritten(atom)

    def condition(self, condition: Condition) -> Condition:
        if condition.key not in self._rewritten_conditions:
            spend(1)
            self._rewritten_conditions[condition.key] = self._rewritten_condition(condition)
        return self._rewritten_conditions[condition.key]

    def _rewritten_condition(self, condition: Condition) -> Condition:
        match condition:
            case NotPositive(term=term):
                compared = self._compared(self.term(term), not_positive)
                return self._written(compared) if len(compared.names) == 1 else compared
            case Zero(term=term):
                return self._written(self._compared(self.term(term), zero))
            case Within(term=term, ranges=ranges):
                return self._written(within(self.term(term), ranges))
            case Not(of=of):
                return self._written(negated(self.condition(of)))
            case And(parts=parts):
                return self._all_of(map(self.condition, parts))
            case Or(parts=parts):
                return self._any_of(map(self.condition, parts))
            case _:
                return condition

    # What follows speaks of what is rewritten.

    def _written(self, condition: Condition) -> Condition:
        """A condition on few values by its table; any other as it is."""
        table = None if isinstance(condition, Flag) else self._tables.of(condition)
        return condition if table is None else self._tables.written(table)

    def _compared(self, term: Term, compare: Callable[[Term], Condition]) -> Condition:
        """A comparison of a term with zero. A choice of which the comparison decides one side is no choice any more:
        the other side's comparison stays, and the choice's condition."""
        whole = compare(term)
        if isinstance(whole, Truth):
            return whole
        choices = [
            (factor, coefficient)
            for monomial, coefficient in term.parts
            for factor in monomial
            if len(monomial) == 1 and isinstance(factor, Ite)
        ]
        choices.sort(key=lambda each: (-len(each[0].names), each[0].key))
        for choice, coefficient in choices[:_MOST_TRIED]:
            without = term - number(coefficient) * atom(choice)
            then, other = (without + number(coefficient) * side for side in (choice.then, choice.other))
            here, there = compare(then), compare(other)
            if isinstance(here, Truth):
                rest = self._compared(other, compare)
                where = choice.condition
            elif isinstance(there, Truth):
                rest, here = self._compared(then, compare), there
                where = negated(choice.condition)
            else:
                continue
            return self._any_of([where, rest]) if here == TRUE else self._all_of([negated(where), rest])
        return whole

    def _all_of(self, conditions: Iterable[Condition]) -> Condition:
        """A conjunction."""
        return negated(self._any_of(map(negated, conditions)))

    def _any_of(self, conditions: Iterable[Condition]) -> Condition:
        """A disjunction: none says what another says, nor what another has excluded."""
        found: list[Condition] = []
        for names, same in groupby(sorted(_disjuncts(either(*conditions)), key=_by_names), key=_names):
            parts = list(same)
            small = len(parts) > 1 and self._tables.small(frozenset(names))
            found += _disjuncts(self._written(either(*parts))) if small else parts
        others = frozenset(found)
        whole = either(*self._widest([_without(part, others) for part in found]))
        return whole if isinstance(whole, NotPositive) else self._written(whole)

    def _widest(self, parts: list[Condition]) -> list[Condition]:
        """Some conditions without those that say less than another; all that is left is True if two leave nothing."""
        literals = [part for part in dict.fromkeys(parts) if isinstance(part, (NotPositive, Zero))]
        if not 1 < len(literals) <= _MOST_COMPARED:
            return parts
        gone: set[Condition] = set()
        for one, other in permutations(literals, 2):
            if one in gone or other in gone or isinstance(other, Zero):
                continue
            if _by_order(one, other) is True:
                gone.add(one)
            elif _by_order(negated(one), other) is True:
                return [TRUE]
        return [part for part in parts if part not in gone]


class Simplifier(_Rewriting):
    """Rewrites terms and conditions for all assignments within the ``bounds``. What they know of their variables is
    forgotten first, since that may be of one path only."""

    def __init__(self, bounds: Spans) -> None:
        self._universe = dict(bounds)
        super().__init__(Tables(self._universe))
        self._assuming: dict[frozenset[Condition], _Assuming] = {}

    def widened(self, bounds: Spans) -> bool:
        """Whether it simplifies within these bounds as well: it knows no others of the same variables."""
        if len(self._by_key) > _MOST_KEPT or any(
            self._universe.get(name, span) != span for name, span in bounds.items()
        ):
            return False
        self._universe.update(bounds)
        return True

    def whole(self, condition: Condition) -> Condition:
        """A condition with each of its conjuncts simplified by the others."""
        condition = self.condition(condition)
        if not isinstance(condition, And) or len(condition.parts) > _MOST_FACTS:
            return condition
        parts = sorted(condition.parts, key=lambda part: (isinstance(part, Or), len(part.names), part.key))
        for at, part in enumerate(parts):
            parts[at] = self.assuming([*parts[:at], *parts[at + 1 :]]).condition(part)
        return self._all_of(parts)

    def assuming(self, facts: Iterable[Condition]) -> _Assuming:
        """What rewrites further where some conditions hold."""
        said = frozenset(filter(self._tells, facts))
        if said not in self._assuming:
            self._assuming[said] = _Assuming(self, self._tables, sorted(said, key=lambda fact: fact.key))
        return self._assuming[said]

    def _tells(self, fact: Condition) -> bool:
        return not isinstance(fact, (And, Or, Truth)) or self._tables.small(fact.names)

    def _rewritten(self, atom: Atom) -> Term:
        if isinstance(atom, Var):
            return variable(atom.name, *self._universe[atom.name])
        return super()._rewritten(atom)

    def _choice(self, condition: Condition, then: Term, other: Term) -> Term:
        if condition == TRUE:
            return self.term(then)
        if condition == FALSE:
            return self.term(other)
        here, there = (self.assuming({*conjuncts(side), side}) for side in (condition, negated(condition)))
        return self.chosen(condition, here.term(self.term(then)), there.term(self.term(other)))

    def chosen(self, condition: Condition, then: Term, other: Term) -> Term:
        """``then if condition else other``, all of it simplified: what both sides share stands outside."""
        if condition in (TRUE, FALSE) or then == other:
            return other if condition == FALSE else then
        if _vanishes(then - other, condition):
            return then
        if _vanishes(other - then, negated(condition)):
            return other
        theirs = dict(other.parts)
        common = Term((monomial, c) for monomial, c in then.parts if theirs.get(monomial) == c)
        then, other = then - common, other - common
        edge = _edge(condition, then - other)
        if edge is not None:  # where it is zero the sides are equal, so that its sign may be chosen
            if edge.parts[-1][1] < 0:
                edge, then, other = -edge, other, then
            condition = not_positive(edge)
            if isinstance(condition, Truth):
                return common + (then if condition == TRUE else other)
            return common + atom(Ite(condition, then, other))
        turned = negated(condition)
        if then.constant == 0 or (other.constant != 0 and turned.key < condition.key):
            condition, then, other = turned, other, then
        return common + atom(Ite(condition, then, other))

    def _united(self, term: Term) -> Term:
        return self.united(term)

    def united(self, term: Term) -> Term:
        """Choices between one number and nothing, under conditions of which no two hold at once, as one choice."""
        groups: dict[tuple[str, int, frozenset[str]], list[tuple[Ite, Table]]] = {}
        for monomial, coefficient in term.parts:
            one = monomial[0] if len(monomial) == 1 else None
            if isinstance(one, Ite) and one.other.constant == 0:
                table = self._tables.of(one.condition)
                if table is not None:
                    groups.setdefault((one.then.key, coefficient, one.condition.names), []).append((one, table))
        for (_, coefficient, _), group in groups.items():
            rows = list(zip(*(table.truths for _, table in group), strict=True))
            # What was made of another group may have been added to a choice of this one.
            there = all(((one,), coefficient) in term.parts for one, _ in group)
            if len(group) > 1 and there and all(sum(row) <= 1 for row in rows):
                where = self._tables.written(Table(group[0][1].names, tuple(map(any, rows))))
                gone = {(one,) for one, _ in group}
                rest = Term(part for part in term.parts if part[0] not in gone)
                term = rest + number(coefficient) * self.chosen(where, group[0][0].then, number(0))
        return term


class _Assuming(_Rewriting):
    """Rewrites what a ``Simplifier`` has made where some facts hold."""

    def __init__(self, simplifier: Simplifier, tables: Tables, facts: list[Condition]) -> None:
        super().__init__(tables)
        self._simplifier = simplifier
        self._said = facts
        self._about = frozenset().union(*(fact.names for fact in facts))

    def term(self, term: Term) -> Term:
        return term if self._about.isdisjoint(term.names) else super().term(term)

    def condition(self, condition: Condition) -> Condition:
        return condition if self._about.isdisjoint(condition.names) else super().condition(condition)

    def _rewritten(self, atom: Atom) -> Term:
        return Term([((atom,), 1)]) if isinstance(atom, Var) else super()._rewritten(atom)

    def _choice(self, condition: Condition, then: Term, other: Term) -> Term:
        if condition == TRUE:
            return self.term(then)
        if condition == FALSE:
            return self.term(other)
        return self._simplifier.chosen(condition, self.term(then), self.term(other))

    def _united(self, term: Term) -> Term:
        return self._simplifier.united(term)

    def _rewritten_condition(self, condition: Condition) -> Condition:
        for fact in self._said:
            told = self._told(fact, condition)
            if told is not None:
                return TRUE if told else FALSE
        return super()._rewritten_condition(condition)

    def _told(self, fact: Condition, condition: Condition) -> bool | None:
        """Whether a fact says that a condition holds, or that it does not; None if neither."""
        if fact == condition:
            return True
        if negated(fact) == condition:
            return False
        if fact.names.isdisjoint(condition.names):
            return None
        if isinstance(condition, (NotPositive, Zero)) and not self._tables.small(fact.names | condition.names):
            return _by_order(fact, condition)
        if isinstance(condition, (And, Or)):  # what of it speaks of the same names may decide it
            about = [part for part in condition.parts if part.names <= fact.names]
            told = self._by_table(fact, both(*about) if isinstance(condition, And) else either(*about))
            return told if told is isinstance(condition, Or) else None
        return self._by_table(fact, condition)

    def _by_table(self, fact: Condition, condition: Condition) -> bool | None:
        names = fact.names | condition.names
        mine, theirs = self._tables.of(condition, names), self._tables.of(fact, names)
        if mine is None or theirs is None:
            return None
        told = {truth for truth, there in zip(mine.truths, theirs.truths, strict=True) if there}
        return told.pop() if len(told) == 1 else None


def _quotient(num: Term, den: Term) -> Term:
    """``num // den`` for a divisor that is at least 1 where the quotient is used; where that is not everywhere, nothing
    is known of it elsewhere."""
    if den.constant is not None:
        return floor_div(num, den) if den.constant >= 1 else number(0)
    if den.low is not None and den.low >= 1:
        return floor_div(num, den)
    made = Div(num, den)
    made.low = made.high = None
    return atom(made)


def _nearest(num: Term, den: Term, scale: int) -> Term:
    """The same of a rounded quotient."""
    if den.constant is not None:
        return nearest(num, den, scale) if den.constant >= 1 else number(0)
    if den.low is not None and den.low >= 1:
        return nearest(num, den, scale)
    made = Nearest(num, den, scale)
    made.low = made.high = None
    return atom(made)


def _by_order(fact: Condition, condition: Condition) -> bool | None:
    """Whether a comparison follows from another, or its opposite does: by the bounds of what lies between them."""
    if not isinstance(fact, (NotPositive, Zero)) or not isinstance(condition, (NotPositive, Zero)):
        return None
    if not {monomial for monomial, _ in fact.term.parts if monomial} & {m for m, _ in condition.term.parts}:
        return None
    known = [fact.term] if isinstance(fact, NotPositive) else [fact.term, -fact.term]
    for below in known:  # is not positive
        match condition:
            case NotPositive(term=term):
                if _never_above(term, below):
                    return True
                if _never_above(number(1) - term, below):
                    return False
            case Zero(term=term):
                if _never_above(number(1) - term, below) or _never_above(term + number(1), below):
                    return False
    return None


def _never_above(one: Term, other: Term) -> bool:
    high = (one - other).high
    return high is not None and high <= 0


def _vanishes(term: Term, unless: Condition) -> bool:
    """Whether each summand is zero wherever the condition does not hold, as their own conditions say."""
    ways = [conjuncts(way) for way in _disjuncts(unless)]

    def inside(factor: Atom) -> bool:
        if not isinstance(factor, Ite):
            return False
        sides = (factor.other, factor.condition), (factor.then, negated(factor.condition))
        return any(side.constant == 0 and _within(where, ways) for side, where in sides)

    return all(any(map(inside, monomial)) for monomial, _ in term.parts)


def _within(where: Condition, ways: list[frozenset[Condition]]) -> bool:
    """Whether each way to fulfil a condition is one of some ways, given by their conjuncts, or more."""
    return all(any(way <= conjuncts(each) for way in ways) for each in _disjuncts(where))


def _edge(condition: Condition, apart: Term) -> Term | None:
    """For a choice whose sides are so far ``apart``: the term that is not positive on one side and not negative on the
    other, if the sides are equal where it is zero. ``x if x < y else y`` is ``x if x <= y else y``."""
    if isinstance(condition, NotPositive):
        for edge in (condition.term, condition.term - number(1)):
            if edge.parts and apart.parts and apart.parts[-1][0] == edge.parts[-1][0]:
                if number(edge.parts[-1][1]) * apart == number(apart.parts[-1][1]) * edge:
                    return edge
    return None


def _without(part: Condition, others: frozenset[Condition]) -> Condition:
    """A part of a disjunction beside the others: what they exclude need not be said, and what they say is said."""
    if not isinstance(part, And):
        return part
    if any(each in others for each in part.parts):
        return FALSE
    return both(*(each for each in part.parts if negated(each) not in others))


def _disjuncts(condition: Condition) -> tuple[Condition, ...]:
    return condition.parts if isinstance(condition, Or) else (condition,)


def _names(condition: Condition) -> tuple[str, ...]:
    return tuple(sorted(condition.names))


def _by_names(condition: Condition) -> tuple[tuple[str, ...], str]:
    return _names(condition), condition.key
