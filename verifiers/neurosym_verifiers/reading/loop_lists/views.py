"""What is made of a list of many rounds, item by item: parts of it, it beside itself, its places."""

from __future__ import annotations

from collections.abc import Sequence as Many
from dataclasses import replace

from neurosym_verifiers.reading.data.values import Int, LoopList, NoneValue, NotRead, Sequence, Value
from neurosym_verifiers.reading.formulas.bounds import Bounds
from neurosym_verifiers.reading.formulas.terms import TRUE, Term, number, variable
from neurosym_verifiers.reading.loop_lists.asking import appended
from neurosym_verifiers.reading.loop_lists.leaves import leaves_of
from neurosym_verifiers.reading.loop_lists.making import PREFIX, ROW, alike, leaf_of_row
from neurosym_verifiers.reading.simplification.substituting import Substitution


def without(of: LoopList, first: int, last: int) -> LoopList:
    """The list without so many of its first and last items."""
    if of.counts != TRUE:
        raise NotRead("a part of a list of some items of one of many rounds")
    return replace(of, row=further_on(of.row, first), less=of.less + first + last)


def further_on(row: Value, by: int) -> Value:
    """What is made of the items so many places further on."""
    if by == 0:
        return row
    moved = {name: _moved(name, bounds, by) for leaf in leaves_of(row) for name, bounds in leaf.spans.items()}
    terms = {name: term for name, term in moved.items() if term is not None}
    return Substitution(terms, {}).value(row)


def _moved(name: str, bounds: Bounds, by: int) -> Term | None:
    if name == ROW:
        return variable(ROW, 0, None) + number(by)
    prefix, *numbers = name.split("!")
    if prefix != PREFIX or len(numbers) != 2:
        return None
    return variable(leaf_of_row(int(numbers[0]) + by, int(numbers[1])), *bounds)


def side_by_side(lists: Many[LoopList]) -> LoopList:
    """``zip`` of parts of one list. Raises ``NotRead`` for several."""
    first, *others = lists
    if any(each.counts != TRUE for each in lists):
        raise NotRead("zip of some items of a list of many rounds")
    if not all(alike(first, other) for other in others):
        raise NotRead("zip of several lists of many rounds")
    rows = tuple(each.row for each in lists)
    return replace(first, row=Sequence(rows, False), less=max(each.less for each in lists))


def numbered(of: LoopList, start: Term) -> LoopList:
    """``enumerate``."""
    if of.counts != TRUE:
        raise NotRead("the places of some items of a list of many rounds")
    return replace(of, row=Sequence((Int(start + variable(ROW, 0, None)), of.row), False))


def places_of(of: LoopList, first: Term, stop: Term) -> LoopList | None:
    """``range(first, stop)`` as something made of the items of a list, if its end follows from the list's length."""
    begin, end = first.constant, (stop - appended(of)).constant
    if begin is None or end is None or begin < 0 or begin < end:
        return None
    return replace(of, row=Int(variable(ROW, 0, None) + first), less=begin - end)


def slice_of_loop_list(of: LoopList, bounds: Many[Value | None], line: int) -> LoopList:
    """``of[first:stop]``, where what is left out at either end is known."""
    known: list[int | None] = []
    for bound in bounds:
        if bound is None or isinstance(bound, NoneValue):
            known.append(None)
        elif isinstance(bound, Int) and bound.term.constant is not None:
            known.append(bound.term.constant)
        else:
            raise NotRead("a slice of a list of many rounds with ends that vary", line)
    first, stop, step = known
    if step not in (None, 1) or (first or 0) < 0 or (stop is not None and stop >= 0):
        raise NotRead("such a slice of a list of many rounds", line)
    return without(of, first or 0, -(stop or 0))
