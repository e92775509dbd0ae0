"""Linear equations that hold in all of some states: what they have in common, to be proved before it is used.

Each state is a vector of numbers with a one at its end; equations are the vectors that are orthogonal to all of them
(M. Karr, 1976, computes them from the program; from executions as in Daikon: M. Ernst and others, 2007).
"""

from __future__ import annotations

from collections.abc import Iterable
from collections.abc import Sequence as Many
from fractions import Fraction
from math import gcd, lcm

_PRIME = 2**61 - 1


def equations(states: Iterable[Many[int]], width: int) -> list[list[int]]:
    """A basis of the equations, each with whole coefficients; the one of its first variable is positive, and no other
    equation has that variable."""
    rows = _independent(states, width)
    kernel = _kernel([[Fraction(each) for each in row] for row in rows], width)
    return [_whole(vector) for vector in _reduced(kernel, width)[0]]


def _independent(states: Iterable[Many[int]], width: int) -> list[Many[int]]:
    """Enough of the states: each is independent of those before it. Seen modulo a prime, which may only lose some."""
    found: list[Many[int]] = []
    basis: list[tuple[int, list[int]]] = []
    for state in states:
        rest = [each % _PRIME for each in state]
        for at, row in basis:
            if rest[at]:
                factor = rest[at]
                rest = [(a - factor * b) % _PRIME for a, b in zip(rest, row, strict=True)]
        pivot = next((i for i, each in enumerate(rest) if each), None)
        if pivot is None:
            continue
        inverse = pow(rest[pivot], -1, _PRIME)
        basis.append((pivot, [each * inverse % _PRIME for each in rest]))
        found.append(state)
        if len(found) == width:
            break
    return found


def _reduced(rows: list[list[Fraction]], width: int) -> tuple[list[list[Fraction]], list[int]]:
    """Reduced echelon form, and its pivots."""
    rows, pivots = [list(row) for row in rows], list[int]()
    for column in range(width):
        at = len(pivots)
        found = next((i for i in range(at, len(rows)) if rows[i][column]), None)
        if found is None:
            continue
        rows[at], rows[found] = rows[found], rows[at]
        lead = rows[at][column]
        rows[at] = [each / lead for each in rows[at]]
        for i, row in enumerate(rows):
            if i != at and row[column]:
                factor = row[column]
                rows[i] = [a - factor * b for a, b in zip(row, rows[at], strict=True)]
        pivots.append(column)
    return rows[: len(pivots)], pivots


def _kernel(rows: list[list[Fraction]], width: int) -> list[list[Fraction]]:
    reduced, pivots = _reduced(rows, width)
    found: list[list[Fraction]] = []
    for free in (i for i in range(width) if i not in pivots):
        vector = [Fraction(0)] * width
        vector[free] = Fraction(1)
        for row, pivot in zip(reduced, pivots, strict=True):
            vector[pivot] = -row[free]
        found.append(vector)
    return found


def _whole(vector: list[Fraction]) -> list[int]:
    scale = lcm(*(each.denominator for each in vector))
    whole = [int(each * scale) for each in vector]
    common = gcd(*whole)
    return [each // common for each in whole]
