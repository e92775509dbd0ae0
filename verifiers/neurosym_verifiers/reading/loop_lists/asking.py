"""What is asked of lists that long loops make: how long one is, its sum, its items, for how many something holds.

Each is what a ghost is after the loop. Items that are looked at together (one and the next) are remembered for as many
rounds as they are apart; where the last items of a list do not count, each waits until so many others have come.
"""

from __future__ import annotations

from neurosym_verifiers.reading.data.values import Int, LoopList, NotRead, Ratio, Value
from neurosym_verifiers.reading.formulas.iterated import ROUND
from neurosym_verifiers.reading.formulas.normal_forms import at_most, choose, equal
from neurosym_verifiers.reading.formulas.terms import TRUE, Condition, Term, number, variable
from neurosym_verifiers.reading.loop_lists.ghosts import Ghosts
from neurosym_verifiers.reading.loop_lists.leaves import as_number, leaves_of, with_leaves
from neurosym_verifiers.reading.loop_lists.making import FARTHEST, ROW, check_plain, leaf_of_row
from neurosym_verifiers.reading.simplification.substituting import Substitution


def appended(of: LoopList) -> Term:
    """How many items its loop appends."""
    ghosts = Ghosts(of)
    n = ghosts.add(number(0), "its length")
    ghosts.change(n, lambda item: n + number(1))
    return ghosts.after(n)


def length_of(of: LoopList) -> Term:
    """How many items it has."""
    if of.counts != TRUE:
        return total(of, number(1), "its length")
    n = appended(of)
    return n if of.less == 0 else choose(at_most(number(of.less), n), n - number(of.less), number(0))


def total(of: LoopList, each: Term, label: str) -> Term:
    """The sum of what a term is for each item of a list. The term speaks of ``leaf_of_row`` and ``ROW``."""
    each = choose(of.counts, each, number(0))
    seen = [(ahead, leaf) for ahead in range(FARTHEST + 1) for leaf in range(len(leaves_of(of.item)))]
    seen = [each_ for each_ in seen if leaf_of_row(*each_) in each.names]
    farthest = max((ahead for ahead, _ in seen), default=0)
    if farthest > of.less or of.less > FARTHEST:
        raise NotRead("an item beyond the end of a list of many rounds")
    ghosts = Ghosts(of)
    sum_ = ghosts.add(number(0), label)
    earlier: dict[tuple[int, int], Term] = {}  # a part of the item so many rounds ago
    for leaf in sorted({leaf for _, leaf in seen}):
        for ago in range(1, farthest + 1):
            earlier[ago, leaf] = ghosts.add(number(0), f"a part of the item {ago} before")
    for (ago, leaf), ghost in earlier.items():
        before = earlier.get((ago - 1, leaf))
        ghosts.change(ghost, lambda item, leaf=leaf, before=before: leaves_of(item)[leaf] if before is None else before)  # type: ignore[misc]

    def of_item(item: Value) -> Term:
        parts = leaves_of(item)
        known = {
            leaf_of_row(ahead, leaf): parts[leaf] if ahead == farthest else earlier[farthest - ahead, leaf]
            for ahead, leaf in seen
        }
        known[ROW] = variable(ROUND, 0, None) - number(farthest)
        value = Substitution(known, {}).term(each)
        return value if farthest == 0 else choose(at_most(number(farthest), variable(ROUND, 0, None)), value, number(0))

    waiting = [ghosts.add(number(0), f"{label}, to come") for _ in range(of.less - farthest)]
    for i, ghost in enumerate(waiting):
        ghosts.change(ghost, of_item if i == 0 else lambda item, i=i: waiting[i - 1])  # type: ignore[misc]
    ghosts.change(sum_, (lambda item: sum_ + of_item(item)) if not waiting else lambda item: sum_ + waiting[-1])
    return ghosts.after(sum_)


def sum_of(of: LoopList) -> Value:
    """``sum`` of a list of numbers of the spec's language."""
    num, den = as_number(of.row)
    of_all = total(of, num, "the sum so far")
    return Int(of_all) if den == 1 else Ratio(of_all, number(den))


def holds_for_all(of: LoopList, each: Condition) -> Condition:
    """Whether a condition on the item holds for each of a list."""
    return equal(total(of, choose(each, number(0), number(1)), "the number of exceptions"), number(0))


def item_from_end(of: LoopList, back: int) -> tuple[Value, Condition]:
    """The item so many places before the last one, and whether there is one."""
    check_plain(of)
    back += of.less
    if back > FARTHEST:
        raise NotRead("an item far before the end of a list of many rounds")
    ghosts = Ghosts(of)
    last: dict[tuple[int, int], Term] = {}
    for leaf in range(len(leaves_of(of.item))):
        for ago in range(back + 1):
            label = "a part of the last item" if ago == 0 else f"a part of the item {ago} before the last"
            last[ago, leaf] = ghosts.add(number(0), label)
    for (ago, leaf), ghost in last.items():
        before = last.get((ago - 1, leaf))
        ghosts.change(ghost, lambda item, leaf=leaf, before=before: leaves_of(item)[leaf] if before is None else before)  # type: ignore[misc]
    leaves = [ghosts.after(last[back, leaf]) for leaf in range(len(leaves_of(of.item)))]
    return with_leaves(of.item, leaves), at_most(number(back + 1), appended(of))


def item_from_start(of: LoopList, at: int) -> tuple[Value, Condition]:
    """The item at a place, and whether there is one."""
    check_plain(of)
    ghosts = Ghosts(of)
    now = equal(variable(ROUND, 0, None), number(at))
    found = [ghosts.add(number(0), f"a part of item {at}") for _ in leaves_of(of.item)]
    for leaf, ghost in enumerate(found):
        ghosts.change(ghost, lambda item, leaf=leaf, ghost=ghost: choose(now, leaves_of(item)[leaf], ghost))  # type: ignore[misc]
    leaves = [ghosts.after(ghost) for ghost in found]
    return with_leaves(of.item, leaves), at_most(number(at + 1 + of.less), appended(of))
