"""Variables that count the rounds of a loop, and how many rounds a ``while`` has by them.

What grows by the same number in each round is known by the number of the round: ``start + step * round``. A ``while``
that waits for such a variable to reach something has no more rounds than that takes; nothing else bounds one here.
"""

from __future__ import annotations

from collections.abc import Iterator

from neurosym_verifiers.reading.formulas.bounds import ANY
from neurosym_verifiers.reading.formulas.iterated import ROUND, place
from neurosym_verifiers.reading.formulas.normal_forms import floor_div, negated
from neurosym_verifiers.reading.formulas.terms import FALSE, Condition, NotPositive, Term, Zero, number, variable
from neurosym_verifiers.reading.formulas.walking import parts_of
from neurosym_verifiers.reading.simplification.substituting import Substitution

_MOST_LATER = 2
"""So many rounds behind the one in which a comparison turns, which may be before the first, a loop is looked at."""


def counting(step: tuple[Term, ...]) -> dict[int, int]:
    """The variables that every round which goes on makes larger, or smaller, by one number, and by which.
    ``step``: in a loop's own names."""
    found: dict[int, int] = {}
    for i, after in enumerate(step):
        by = (after - variable(place(i), *ANY)).constant
        if by:
            found[i] = by
    return found


def waits(goes_on: Condition, own: frozenset[str]) -> Iterator[tuple[Condition, Term]]:
    """Conditions that hold in so many first rounds and not in the next one; and how many these are, none where that is
    less than one. ``goes_on``: on what another round follows. ``own``: what changes while the loop runs."""
    for part, (by, rest) in _comparisons(goes_on, own):
        if isinstance(part, NotPositive) and by > 0:
            yield part, floor_div(-rest, number(by)) + number(1)
        elif isinstance(part, Zero) and abs(by) == 1:
            rounds = -rest if by == 1 else rest
            if rounds.low is not None and rounds.low >= 0:
                yield negated(part), rounds


def rounds_until(goes_on: Condition, own: frozenset[str]) -> Term | None:
    """So many rounds, of which surely none is behind the last; None where no such number is seen.

    ``goes_on``: on what another round follows.
    """
    for at in _turns(goes_on, own):
        last = Substitution({ROUND: at}, {}).condition(goes_on)
        if last == FALSE and at.low is not None and at.low >= 0:
            return at + number(1)
    return None


def _turns(goes_on: Condition, own: frozenset[str]) -> Iterator[Term]:
    """The rounds in which comparisons of their number turn, and some behind."""
    for _, (by, rest) in _comparisons(goes_on, own):
        turn = floor_div(-rest, number(by)) if by > 0 else floor_div(rest, number(-by))
        yield from (turn + number(later) for later in range(_MOST_LATER + 1))


def _comparisons(goes_on: Condition, own: frozenset[str]) -> Iterator[tuple[NotPositive | Zero, tuple[int, Term]]]:
    """Comparisons of the number of the round with what does not change, as ``by * round + rest``."""
    comparisons = (part for part in parts_of(goes_on) if isinstance(part, (NotPositive, Zero)))
    for each in sorted(comparisons, key=lambda part: part.key):
        parted = _by_round(each.term, own)
        if parted is not None:
            yield each, parted


def _by_round(term: Term, own: frozenset[str]) -> tuple[int, Term] | None:
    """``by * round + rest``, where ``rest`` does not change from round to round; None where it is not of that form."""
    now = variable(ROUND, *ANY)
    (at,) = now.parts[0][0]
    by = next((c for monomial, c in term.parts if monomial == (at,)), 0)
    rest = term - number(by) * now
    return (by, rest) if by and rest.names.isdisjoint(own) else None
