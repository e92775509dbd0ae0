"""Whether lists that long loops make are equal: with each other, or with a few items."""

from __future__ import annotations

from collections.abc import Sequence as Many
from dataclasses import replace

from neurosym_verifiers.reading.data.comparing import equality
from neurosym_verifiers.reading.data.values import LoopList, NoneValue, NotRead, Value
from neurosym_verifiers.reading.formulas.iterated import Iterated, place
from neurosym_verifiers.reading.formulas.normal_forms import at_most, both, choose, either, equal, negated
from neurosym_verifiers.reading.formulas.terms import TRUE, Condition, Term, number, variable
from neurosym_verifiers.reading.loop_lists.asking import appended, item_from_start, length_of
from neurosym_verifiers.reading.loop_lists.ghosts import Ghosts
from neurosym_verifiers.reading.loop_lists.leaves import leaves_of, with_leaves
from neurosym_verifiers.reading.loop_lists.making import FARTHEST, alike, check_plain
from neurosym_verifiers.reading.simplification.substituting import Substitution


def equal_lists(one: LoopList, other: LoopList, line: int) -> Condition:
    """Whether two lists are equal: as long as each other, with equal items as long as both loops go on."""
    if alike(one, other) and one.row == other.row and one.less == other.less and one.counts == other.counts:
        return TRUE
    check_plain(one)
    check_plain(other)
    if one.less or other.less:
        raise NotRead("a comparison of parts of lists of many rounds", line)
    beside = _beside(one, other)
    offset = len(one.loop.step)
    moved = Substitution({place(i): variable(place(i + offset), None, None) for i in range(len(other.loop.step))}, {})
    a_last = _going_or_last(one, one.item, one.last)
    b_last = _going_or_last(other, other.item, other.last)
    going = equality(one.item, moved.value(other.item), line)
    a_there, b_there = either(one.loop.goes_on, one.there), moved.condition(either(other.loop.goes_on, other.there))
    # Behind a round that is the last of one of them, their lengths tell them apart.
    leaving = either(negated(a_there), negated(b_there), equality(a_last, moved.value(b_last), line))
    ghosts = Ghosts(beside)
    differing = ghosts.add(number(0), "the number of differences")
    ghosts.step[0] = differing + choose(going, number(0), number(1))
    ghosts.leaving[0] = differing + choose(leaving, number(0), number(1))
    if not beside.loop.leaving:
        ghosts.leaving[0] = ghosts.step[0]
    return both(equal(ghosts.after(differing), number(0)), equal(appended(one), appended(other)))


def equal_to_known(one: LoopList, items: Many[Value], line: int) -> Condition:
    """Whether a list has just these items."""
    if len(items) > FARTHEST:
        raise NotRead("a comparison of a list of many rounds with one of many items", line)
    parts = [equal(length_of(one), number(len(items)))]
    parts += [equality(item_from_start(one, i)[0], item, line) for i, item in enumerate(items)]
    return both(*parts)


def _going_or_last(of: LoopList, item: Value, last: Value) -> Value:
    goes_on = of.loop.goes_on
    pairs = zip(leaves_of(item), leaves_of(last), strict=True)
    return with_leaves(item, [choose(goes_on, a, b) for a, b in pairs])


def _beside(one: LoopList, other: LoopList) -> LoopList:
    """Two loops as one, whose rounds are rounds of both, and which ends with the first that does."""
    a, b = one.loop, other.loop
    moved = Substitution({place(i): variable(place(i + len(a.step)), None, None) for i in range(len(b.step))}, {})
    goes_on = both(a.goes_on, moved.condition(b.goes_on))
    leaving: tuple[Term, ...] = ()
    if a.leaving or b.leaving:
        a_last = [choose(a.goes_on, s, e) for s, e in zip(a.step, a.leaving or a.step, strict=True)]
        b_last = [choose(b.goes_on, s, e) for s, e in zip(b.step, b.leaving or b.step, strict=True)]
        leaving = (*a_last, *map(moved.term, b_last))
    fewer = choose(at_most(a.rounds, b.rounds), a.rounds, b.rounds)
    step = (*a.step, *map(moved.term, b.step))
    offered = (*a.offered, *((words, moved.condition(each)) for words, each in b.offered))
    labels = (*a.labels, *b.labels)
    loop = Iterated(step, (*a.start, *b.start), fewer, labels, goes_on, leaving, offered=offered)
    return replace(one, loop=loop, item=NoneValue(), last=NoneValue(), there=TRUE, row=NoneValue())
