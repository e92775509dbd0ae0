"""Lists that long loops make, one item in each round: what is asked of them are numbers that the loop counts beside.

How long such a list is, what stands at its end, or for how many of its items something holds, is what one more variable
of the loop is after it: a *ghost*, which starts somewhere and which every round makes anew of the item that it appends.
Items that a loop over the list looks at together (one and the next) are remembered for as many rounds as they are
apart; where the last items of a list do not count, each waits until so many others have come after it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from collections.abc import Sequence as Many
from dataclasses import dataclass, field, replace
from itertools import count

from neurosym_verifiers.reading.data.comparing import equality
from neurosym_verifiers.reading.data.values import (
    Bool,
    Dec,
    Int,
    LoopList,
    NoneValue,
    NotRead,
    Ratio,
    Record,
    Sequence,
    Table,
    Text,
    Value,
)
from neurosym_verifiers.reading.formulas.bounds import Bounds, hull
from neurosym_verifiers.reading.formulas.iterated import ROUND, Iterated, place
from neurosym_verifiers.reading.formulas.members import Belongs
from neurosym_verifiers.reading.formulas.normal_forms import at_most, both, choose, either, equal, negated
from neurosym_verifiers.reading.formulas.terms import TRUE, Condition, Term, atom, number, variable
from neurosym_verifiers.reading.formulas.walking import parts_of
from neurosym_verifiers.reading.simplification.substituting import Substitution

ROW = "row!at"
"""The place of an item in its list, counted from 0."""

HOW_LEFT = "how it was left"
"""What the variable of a loop is called that says by which way it ended."""

_PREFIX = "row"
_FARTHEST = 3
"""So many items apart, or before the end, at most."""

_walks = count()


def leaf_of_row(ahead: int, leaf: int) -> str:
    """The variable that stands for a part of the item so many places behind that at ``ROW``."""
    return f"row!{ahead}!{leaf}"


# Parts of a value


def leaves_of(value: Value) -> list[Term]:
    """The numbers that tell a value from others of its form. Raises ``NotRead``."""
    match value:
        case Int(term=term):
            return [term]
        case Bool(condition=condition):
            return [choose(condition, number(1), number(0))]
        case Dec(num=num):
            return [num]
        case Ratio(num=num, den=den) if den.constant is not None:
            return [num]
        case Text() | NoneValue():
            return []
        case Sequence(items=items):
            return [leaf for item in items for leaf in leaves_of(item)]
        case Record(fields=fields):
            return [leaf for _, part in fields for leaf in leaves_of(part)]
        case Table(entries=entries, present=present) if not present:
            return [leaf for entry in entries.values() for leaf in leaves_of(entry)]
        case _:
            raise NotRead(f"a {type(value).__name__} in a list that a loop of many rounds makes")


def with_leaves(form: Value, leaves: Many[Term]) -> Value:
    """The value of this form with these numbers in it."""
    left = list(leaves)
    made = _with_leaves(form, left)
    assert not left
    return made


def _with_leaves(form: Value, left: list[Term]) -> Value:
    match form:
        case Int():
            return Int(left.pop(0))
        case Bool():
            return Bool(equal(left.pop(0), number(1)))
        case Dec():
            return replace(form, num=left.pop(0))
        case Ratio():
            return replace(form, num=left.pop(0))
        case Sequence(items=items):
            return replace(form, items=tuple(_with_leaves(item, left) for item in items))
        case Record(fields=fields):
            return replace(form, fields=tuple((name, _with_leaves(part, left)) for name, part in fields))
        case Table(entries=entries):
            return replace(form, entries={key: _with_leaves(entry, left) for key, entry in entries.items()})
        case _:
            return form


def form_of(value: Value) -> Value:
    """What a value has in common with all others of its form."""
    return with_leaves(value, [number(0)] * len(leaves_of(value)))


def loop_list(loop: Iterated, item: Value, last: Value, there: Condition) -> LoopList:
    """The list of a loop, each item as it is. Raises ``NotRead`` where items have several forms."""
    if form_of(item) != form_of(last):
        raise NotRead("a list of items of several kinds")
    spans = [hull((a.low, a.high), (b.low, b.high)) for a, b in zip(leaves_of(item), leaves_of(last), strict=True)]
    return LoopList(loop, item, last, there, _row(item, spans))


def _row(item: Value, spans: Many[Bounds]) -> Value:
    return with_leaves(item, [variable(leaf_of_row(0, i), *bounds) for i, bounds in enumerate(spans)])


def with_items(of: LoopList, change: Callable[[Value], Value]) -> LoopList:
    """The list with all its items in another form. Raises ``NotRead`` for a part of one."""
    _plain(of)
    if of.less:
        raise NotRead("a part of a list of many rounds as a result")
    return loop_list(of.loop, change(of.item), change(of.last), of.there)


# What a loop leaves


def after_rounds(of: int, loop: Iterated) -> Term:
    """What one variable is after the loop. Only those that it depends on are kept, itself before the others."""
    order = [of]
    deciding = loop.goes_on.names if loop.leaving else frozenset()
    for i in order:  # grows while it is gone through
        names = loop.step[i].names | deciding | (loop.leaving[i].names if loop.leaving else frozenset())
        order += [j for j in range(len(loop.step)) if place(j) in names and j not in order]
    renamed = Substitution({place(j): variable(place(i), None, None) for i, j in enumerate(order)}, {})
    return atom(
        Iterated(
            tuple(renamed.term(loop.step[j]) for j in order),
            tuple(loop.start[j] for j in order),
            loop.rounds,
            tuple(loop.labels[j] for j in order),
            renamed.condition(loop.goes_on) if loop.leaving else TRUE,
            tuple(renamed.term(loop.leaving[j]) for j in order) if loop.leaving else (),
        )
    )


@dataclass(slots=True)
class _Ghosts:
    """Variables beside those of a loop. A new one is made in terms of places; what the round that leaves does is done
    with that round's item, where it appends one."""

    of: LoopList
    start: list[Term] = field(default_factory=list)
    step: list[Term] = field(default_factory=list)
    leaving: list[Term] = field(default_factory=list)
    labels: list[str] = field(default_factory=list)

    def add(self, start: Term, label: str) -> Term:
        """A variable, which nothing changes so far; what it is before a round."""
        before = variable(place(len(self.of.loop.step) + len(self.start)), None, None)
        self.start.append(start)
        self.step.append(before)
        self.leaving.append(before)
        self.labels.append(label)
        return before

    def change(self, ghost: Term, made: Callable[[Value], Term]) -> None:
        """What each item makes of a ghost."""
        at = next(i for i in range(len(self.start)) if ghost == self._before(i))
        self.step[at] = made(self.of.item)
        self.leaving[at] = choose(self.of.there, made(self.of.last), ghost)

    def _before(self, at: int) -> Term:
        return variable(place(len(self.of.loop.step) + at), None, None)

    def after(self, ghost: Term) -> Term:
        """What a ghost is after the loop. Raises ``NotRead`` where it depends on what only another loop tells."""
        loop = self.of.loop
        for part in (p for each in (*self.step, *self.leaving) for p in parts_of(each)):
            if isinstance(part, (Iterated, Belongs)):
                raise NotRead("an item of a list of many rounds beside what another loop makes")
        names = frozenset().union(*(each.names for each in (*self.step, *self.leaving)))
        if any(name.startswith(_PREFIX) and "!" in name for name in names):
            raise NotRead("items of two lists of many rounds at once")
        whole = Iterated(
            (*loop.step, *self.step),
            (*loop.start, *self.start),
            loop.rounds,
            (*loop.labels, *self.labels),
            loop.goes_on,
            (*loop.leaving, *self.leaving) if loop.leaving else (),
        )
        at = next(i for i in range(len(self.start)) if ghost == self._before(i))
        return after_rounds(len(loop.step) + at, whole)


# What is asked of a list


def appended(of: LoopList) -> Term:
    """How many items its loop appends."""
    ghosts = _Ghosts(of)
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
    seen = [(ahead, leaf) for ahead in range(_FARTHEST + 1) for leaf in range(len(leaves_of(of.item)))]
    seen = [each_ for each_ in seen if leaf_of_row(*each_) in each.names]
    farthest = max((ahead for ahead, _ in seen), default=0)
    if farthest > of.less or of.less > _FARTHEST:
        raise NotRead("an item beyond the end of a list of many rounds")
    ghosts = _Ghosts(of)
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
    _plain(of)
    back += of.less
    if back > _FARTHEST:
        raise NotRead("an item far before the end of a list of many rounds")
    ghosts = _Ghosts(of)
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
    _plain(of)
    ghosts = _Ghosts(of)
    now = equal(variable(ROUND, 0, None), number(at))
    found = [ghosts.add(number(0), f"a part of item {at}") for _ in leaves_of(of.item)]
    for leaf, ghost in enumerate(found):
        ghosts.change(ghost, lambda item, leaf=leaf, ghost=ghost: choose(now, leaves_of(item)[leaf], ghost))  # type: ignore[misc]
    leaves = [ghosts.after(ghost) for ghost in found]
    return with_leaves(of.item, leaves), at_most(number(at + 1 + of.less), appended(of))


def _plain(of: LoopList) -> None:
    """Raises ``NotRead`` for a list of what is made of items, of which only the items themselves are at hand."""
    if of.counts != TRUE or of.row != loop_list(of.loop, of.item, of.last, of.there).row:
        raise NotRead("an item of a list that is made of one of many rounds")


def without(of: LoopList, first: int, last: int) -> LoopList:
    """The list without so many of its first and last items."""
    if of.counts != TRUE:
        raise NotRead("a part of a list of some items of one of many rounds")
    return replace(of, row=_ahead(of.row, first), less=of.less + first + last)


def _ahead(row: Value, by: int) -> Value:
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
    if prefix != _PREFIX or len(numbers) != 2:
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


def alike(one: LoopList, other: LoopList) -> bool:
    """Whether two are made of the items of one list."""
    return (one.loop.key, one.item, one.last, one.there) == (other.loop.key, other.item, other.last, other.there)


def equal_lists(one: LoopList, other: LoopList, line: int) -> Condition:
    """Whether two lists are equal: as long as each other, with equal items as long as both loops go on."""
    if alike(one, other) and one.row == other.row and one.less == other.less and one.counts == other.counts:
        return TRUE
    _plain(one)
    _plain(other)
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
    ghosts = _Ghosts(beside)
    differing = ghosts.add(number(0), "the number of differences")
    ghosts.step[0] = differing + choose(going, number(0), number(1))
    ghosts.leaving[0] = differing + choose(leaving, number(0), number(1))
    if not beside.loop.leaving:
        ghosts.leaving[0] = ghosts.step[0]
    return both(equal(ghosts.after(differing), number(0)), equal(appended(one), appended(other)))


def equal_to_known(one: LoopList, items: Many[Value], line: int) -> Condition:
    """Whether a list has just these items."""
    if len(items) > _FARTHEST:
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
    loop = Iterated(step, (*a.start, *b.start), fewer, (*a.labels, *b.labels), goes_on, leaving)
    return replace(one, loop=loop, item=NoneValue(), last=NoneValue(), there=TRUE, row=NoneValue())


# Going through a list


@dataclass(frozen=True, slots=True)
class Walk:
    """One loop over a list: ``row`` with names of its own, since loops may stand in each other."""

    of: LoopList
    row: Value
    number: int

    def generic(self, condition: Condition) -> Condition:
        """A condition on the item, as ``total`` wants it."""
        return Substitution(self._names(condition.names), {}).condition(condition)

    def generic_value(self, value: Value) -> Value:
        names = frozenset().union(*(leaf.names for leaf in leaves_of(value)))
        return Substitution(self._names(names), {}).value(value)

    def _names(self, names: frozenset[str]) -> Mapping[str, Term]:
        own = f"{_PREFIX}{self.number}!"
        return {
            name: variable(f"{_PREFIX}!{name.removeprefix(own)}", None, None) for name in names if name.startswith(own)
        }

    def item(self, of: LoopList, at: Term) -> Value | None:
        """``of[at]``, if that is the item at the place where the walk is, or so many further on."""
        index = variable(f"{_PREFIX}{self.number}!at", 0, None)
        ahead = (at - index).constant
        if ahead is None or not 0 <= ahead <= _FARTHEST or not alike(of, self.of):
            return None
        _plain(of)
        if ahead > self.of.less:
            raise NotRead("an item beyond the end of a list of many rounds")
        if of.less > 0:
            raise NotRead("an item of a part of a list of many rounds")
        return _own(_ahead(of.row, ahead), self.number)


def walk(of: LoopList) -> Walk:
    """A new walk over a list."""
    at = next(_walks)
    return Walk(of, _own(of.row, at), at)


def _own(row: Value, number_of_walk: int) -> Value:
    spans = {name: bounds for leaf in leaves_of(row) for name, bounds in leaf.spans.items()}
    own = {
        name: variable(f"{_PREFIX}{number_of_walk}!{name.removeprefix(_PREFIX + '!')}", *bounds)
        for name, bounds in spans.items()
        if name.startswith(f"{_PREFIX}!")
    }
    return Substitution(own, {}).value(row)


def as_number(value: Value) -> tuple[Term, int]:
    """A number of the spec's language as a numerator over a known denominator. Raises ``NotRead``."""
    match value:
        case Int(term=term):
            return term, 1
        case Ratio(num=num, den=den) if den.constant is not None:
            return num, den.constant
        case _:
            raise NotRead(f"a sum over many rounds of a {type(value).__name__}")


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
