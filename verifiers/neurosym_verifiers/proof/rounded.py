"""What a solver is told of a float that is the nearest to a quotient: enough for most proofs, more where it matters.

A rounded quotient is an unknown number. It is within half a unit in the last place of the quotient, has its sign, and
is in the order of the other quotients over the same divisor. What then has no solution has none with the true floats.
A solution may be none of floats; ``correction`` then says what the true float is all around the solution's quotient.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fractions import Fraction

from neurosym_verifiers.reading.formulas import binary64
from neurosym_verifiers.reading.formulas.bounds import Spans
from neurosym_verifiers.reading.formulas.evaluating import Evaluation
from neurosym_verifiers.reading.formulas.normal_forms import at_most, both, either, equal, negated
from neurosym_verifiers.reading.formulas.terms import TRUE, Condition, Nearest, Term, Var, atom, number, variable
from neurosym_verifiers.reading.simplification.substituting import with_bounds

_MOST_BESIDE = 12
"""Beside so many of the others a new one is put in order."""


class Rounded:
    """``value`` is the unknown number for a rounded quotient.

    ``universe``: the variables' bounds that hold everywhere."""

    def __init__(self, name: str, of: Nearest, universe: Spans) -> None:
        self.name = name
        self.of = of
        self.value = variable(name, None, None)
        num, den = with_bounds(of.num, universe), with_bounds(of.den, universe)
        self._widest = Nearest(num, den, of.scale)
        self._defined = at_most(number(1), den)

    def facts(self) -> Iterator[Condition]:
        """What holds of it alone, wherever its divisor is positive.

        Nothing where it only says of an input that it is a float: then the two are equal."""
        if self._is_of_input():
            return
        for fact in (*self._near(), *self._sign()):
            yield either(negated(self._defined), fact)

    def _is_of_input(self) -> bool:
        match self.of.num.parts:
            case (((Var(),), 1),):
                return self.of.den.constant == 1 << self.of.scale
            case _:
                return False

    def _near(self) -> Iterator[Condition]:
        """At most half a unit in the last place away: of its own size, and of the largest size that it may have."""
        wide, num, den = self._widest, self._widest.num, self._widest.den
        low, high = wide.least, wide.greatest
        yield both(at_most(number(low), self.value), at_most(self.value, number(high)))
        size = Fraction(max(-low, high, 0), 2**wide.scale)
        if size >= binary64.INFINITE:
            return
        apart = (self.value * den - num * number(2**wide.scale)) * number(2)
        unit = binary64.unit_in_last_place(size) * 2**wide.scale
        yield self._within(apart * number(unit.denominator), den * number(unit.numerator))
        # |apart| / 2 <= |num| 2**scale / 2**53, or half of the smallest float
        relative = apart * number(2 ** (binary64.DIGITS - 1))
        smallest = den * number(2 ** (binary64.DIGITS - 1) if wide.scale == binary64.FINEST else 0)
        share = num * number(2**wide.scale)
        yield either(at_most(num, number(0)), self._within(relative, share + smallest))
        yield either(at_most(number(0), num), self._within(relative, smallest - share))

    @staticmethod
    def _within(apart: Term, most: Term) -> Condition:
        return both(at_most(apart, most), at_most(-apart, most))

    def _sign(self) -> Iterator[Condition]:
        num, nothing = self._widest.num, number(0)
        yield either(negated(at_most(nothing, num)), at_most(nothing, self.value))
        yield either(negated(at_most(num, nothing)), at_most(self.value, nothing))

    def beside(self, others: Iterable[Rounded]) -> Iterator[Condition]:
        """That quotients over the same divisor keep their order, of the same inputs or those of another run."""
        if self._is_of_input():
            return
        alike = [o for o in others if o is not self and o._kind() == self._kind()]
        for other in alike[-_MOST_BESIDE:]:
            for one, two in ((self, other), (other, self)):
                ordered = at_most(one._widest.num, two._widest.num)
                if ordered != TRUE or one._defined != TRUE:
                    yield either(negated(one._defined), negated(ordered), at_most(one.value, two.value))
                else:
                    yield at_most(one.value, two.value)

    def _kind(self) -> tuple[Term, int, frozenset[str]]:
        return self.of.den, self.of.scale, frozenset(name.partition(".")[2] or name for name in self.of.num.names)

    def correction(self, evaluation: Evaluation, solution: Fraction) -> Condition | None:
        """What the true float is for all quotients that round to it, if a solution has another one; else None.

        ``solution``: its number there, in steps."""
        num, den = evaluation.term(self.of.num), evaluation.term(self.of.den)
        if den < 1:
            return None
        true = self.of.of(num, den)
        if solution == true:
            return None
        inside = equal(atom(self._widest), number(true))  # a condition on the quotient
        return either(negated(self._defined), negated(inside), equal(self.value, number(true)))
