"""Putting in what an equation says: where ``b.rate == a.rate`` is given, ``b.rate`` is written as ``a.rate``.

Then what is the same in two runs is one term, and much of a relation is decided by normal form.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

from neurosym_verifiers.reading.data.dates import part_of
from neurosym_verifiers.reading.floats.reals import RealTest
from neurosym_verifiers.reading.formulas.bounds import ANY, Spans
from neurosym_verifiers.reading.formulas.iterated import Iterated
from neurosym_verifiers.reading.formulas.members import Belongs
from neurosym_verifiers.reading.formulas.narrowing import Narrowing, conjuncts
from neurosym_verifiers.reading.formulas.normal_forms import both, equal
from neurosym_verifiers.reading.formulas.terms import (
    FALSE,
    TRUE,
    Atom,
    Condition,
    DatePart,
    Div,
    Flag,
    Nearest,
    Not,
    Term,
    Var,
    Zero,
    number,
    variable,
)
from neurosym_verifiers.reading.formulas.walking import parts_of

_MOST_ROUNDS = 60


class Substitution(Narrowing):
    """Replaces variables by terms, and flags by what they are known to be."""

    def __init__(self, terms: Mapping[str, Term], flags: Mapping[str, Condition]) -> None:
        super().__init__({})
        self._names = frozenset((*terms, *flags))
        self._terms = terms
        self._flags = flags

    def _rewritten(self, atom: Atom) -> Term:
        if isinstance(atom, Var):
            return self._terms.get(atom.name) or Term([((atom,), 1)])
        return super()._rewritten(atom)

    def _rewritten_condition(self, condition: Condition) -> Condition:
        if isinstance(condition, RealTest) and condition.name not in self._flags:
            return condition.rewritten(self.value, self.condition)  # a question about another number is another one
        if isinstance(condition, Belongs) and condition.name not in self._flags:
            return Belongs(condition.of, condition.most, self.term(condition.term))
        if isinstance(condition, Flag):
            return self._flags.get(condition.name, condition)
        return super()._rewritten_condition(condition)


def with_bounds(term: Term, bounds: Spans) -> Term:
    """The term with these bounds of its variables, whatever it knew of them."""
    return _Widening(bounds, term.names).term(term)


def everywhere(term: Term, bounds: Spans) -> Term | None:
    """The term with these bounds, to be asked about apart from where it stands; None where it would divide by what need
    not be positive."""
    wide = with_bounds(term, bounds)
    quotients = (part for part in parts_of(wide) if isinstance(part, (Div, Nearest)))
    return wide if all(part.den.low is not None and part.den.low >= 1 for part in quotients) else None


def loop_everywhere(loop: Iterated, bounds: Spans) -> Iterated | None:
    """The same of a loop; of its own variables nothing is known."""
    wide = _Widening(bounds, loop.names.union(*(part.names for part in loop.inside))).loop(loop)
    inside = (part for each in (*wide.inside, *wide.start, wide.rounds) for part in parts_of(each))
    quotients = (part for part in inside if isinstance(part, (Div, Nearest)))
    return wide if all(part.den.low is not None and part.den.low >= 1 for part in quotients) else None


class _Widening(Substitution):
    """Gives variables, and parts of dates, the bounds that they have everywhere."""

    def __init__(self, bounds: Spans, names: Iterable[str]) -> None:
        super().__init__({name: variable(name, *bounds.get(name, ANY)) for name in names}, {})

    def _rewritten(self, atom: Atom) -> Term:
        if isinstance(atom, DatePart):
            return part_of(atom.part, self.term(atom.ordinal))
        return super()._rewritten(atom)

    def loop(self, loop: Iterated) -> Iterated:
        return replace(super().loop(loop), within=())


def solved(condition: Condition, bounds: Spans) -> Condition:
    """A condition with its equations put in, each kept beside it: what fulfils either fulfils both.

    ``bounds``: those of the variables, which hold everywhere.
    """
    kept: list[Condition] = []
    for _ in range(_MOST_ROUNDS):
        found = _equations(condition, bounds)
        if not found.said:
            break
        rest = both(*(part for part in _parts(condition) if part not in found.said))
        condition = Substitution(found.terms, found.flags).condition(rest)
        kept += found.facts
        if condition == FALSE:
            return FALSE
    return both(condition, *kept)


def _parts(condition: Condition) -> list[Condition]:
    return sorted(conjuncts(condition), key=lambda part: part.key)


@dataclass(slots=True)
class _Equations:
    """Conjuncts that say what variables are, none of them in the terms of another one's: they can be put in at once.

    ``facts``: what must be kept of what was ``said``.
    """

    said: set[Condition] = field(default_factory=set)
    facts: list[Condition] = field(default_factory=list)
    terms: dict[str, Term] = field(default_factory=dict)
    flags: dict[str, Condition] = field(default_factory=dict)
    _used: set[str] = field(default_factory=set)

    def take_flag(self, part: Condition, name: str, truth: Condition) -> None:
        self.said.add(part)
        self.facts.append(part)
        self.flags[name] = truth

    def take(self, part: Condition, name: str, value: Term, bounds: Spans) -> None:
        """Takes an equation, if it fits to those before."""
        if name in self.terms or name in self._used or not value.names.isdisjoint(self.terms):
            return
        self.said.add(part)
        self.facts.append(equal(variable(name, *bounds[name]), value))
        self.terms[name] = value
        self._used |= value.names


def _equations(condition: Condition, bounds: Spans) -> _Equations:
    found = _Equations()
    for part in _parts(condition):
        match part:
            case Flag(name=name):
                found.take_flag(part, name, TRUE)
            case Not(of=Flag(name=name)):
                found.take_flag(part, name, FALSE)
            case Zero(term=term):
                solution = _solution(term, bounds)
                if solution is not None:
                    found.take(part, *solution, bounds)
            case _:
                pass
    return found


def _solution(term: Term, bounds: Spans) -> tuple[str, Term] | None:
    """A variable that a linear equation ``term == 0`` gives in terms of the others, with their ``bounds``."""
    names: dict[str, int] = {}
    constant = 0
    for monomial, coefficient in term.parts:
        if not monomial:
            constant = coefficient
        elif len(monomial) == 1 and isinstance(monomial[0], Var) and monomial[0].name in bounds:
            names[monomial[0].name] = coefficient
        else:
            return None
    for name in sorted(names, reverse=True):
        if names[name] in (1, -1):
            value = number(-constant * names[name])
            for other, coefficient in names.items():
                if other != name:
                    low, high = bounds[other]
                    value = value + number(-coefficient * names[name]) * variable(other, low, high)
            return name, value
    return None
