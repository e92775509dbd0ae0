"""A list to which each round of a loop appends an item, and what stands for any of its items."""

from __future__ import annotations

from collections.abc import Callable
from collections.abc import Sequence as Many

from neurosym_verifiers.reading.data.values import LoopList, NotRead, Value
from neurosym_verifiers.reading.execution.merging import CannotMerge, merged
from neurosym_verifiers.reading.formulas.bounds import Bounds, hull
from neurosym_verifiers.reading.formulas.iterated import Iterated
from neurosym_verifiers.reading.formulas.terms import FALSE, TRUE, Condition, Flag, variable
from neurosym_verifiers.reading.loop_lists.leaves import exact_like, form_of, leaves_of, with_leaves
from neurosym_verifiers.reading.simplification.substituting import Substitution

ROW = "row!at"
"""The place of an item in its list, counted from 0."""

PREFIX = "row"

_IS_LAST = "row!last"

FARTHEST = 3
"""So many items apart, or before the end, at most."""


def leaf_of_row(ahead: int, leaf: int) -> str:
    """The variable that stands for a part of the item so many places behind that at ``ROW``."""
    return f"row!{ahead}!{leaf}"


def loop_list(loop: Iterated, item: Value, last: Value, there: Condition) -> LoopList:
    """The list of a loop, each item as it is. Raises ``NotRead`` where items have several forms."""
    item, last = _of_one_form(item, last)
    spans = [hull((a.low, a.high), (b.low, b.high)) for a, b in zip(leaves_of(item), leaves_of(last), strict=True)]
    return LoopList(loop, item, last, there, _row(item, spans))


def _of_one_form(item: Value, last: Value) -> tuple[Value, Value]:
    """Both with as many decimals as the one that has more."""
    if form_of(item) == form_of(last):
        return item, last
    try:
        either_one = merged(Flag(_IS_LAST), last, item)
    except CannotMerge as problem:
        raise NotRead(f"a list of items that are one of {problem}") from None
    item, last = (Substitution({}, {_IS_LAST: each}).value(either_one) for each in (FALSE, TRUE))
    if form_of(item) != form_of(last):
        raise NotRead("a list of items of several kinds")
    return item, last


def _row(item: Value, spans: Many[Bounds]) -> Value:
    return with_leaves(item, [variable(leaf_of_row(0, i), *bounds) for i, bounds in enumerate(spans)])


def with_items(of: LoopList, change: Callable[[Value], Value]) -> LoopList:
    """The list with all its items in another form. Raises ``NotRead`` for a part of one."""
    check_plain(of)
    if of.less:
        raise NotRead("a part of a list of many rounds as a result")
    item, last = change(of.item), change(of.last)
    return loop_list(of.loop, exact_like(item, last), exact_like(last, item), of.there)


def check_plain(of: LoopList) -> None:
    """Raises ``NotRead`` for a list of what is made of items, of which only the items themselves are at hand."""
    if of.counts != TRUE or of.row != loop_list(of.loop, of.item, of.last, of.there).row:
        raise NotRead("an item of a list that is made of one of many rounds")


def alike(one: LoopList, other: LoopList) -> bool:
    """Whether two are made of the items of one list."""
    return (one.loop.key, one.item, one.last, one.there) == (other.loop.key, other.item, other.last, other.there)
