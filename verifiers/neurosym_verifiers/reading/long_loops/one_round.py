"""One round of a long loop, read once with unknown numbers for the variables that it changes."""

from __future__ import annotations

from collections.abc import Mapping
from collections.abc import Sequence as Many
from dataclasses import dataclass, replace
from functools import reduce

from neurosym_verifiers.reading.data.items import MOST_ROUNDS
from neurosym_verifiers.reading.data.numbers import scaled
from neurosym_verifiers.reading.data.values import Bool, Dec, Growing, Int, NotRead, Ref, Sequence, Value
from neurosym_verifiers.reading.execution.heap import still
from neurosym_verifiers.reading.execution.merging import CannotMerge, merged
from neurosym_verifiers.reading.execution.on_demand import captured_by
from neurosym_verifiers.reading.execution.state import Raised, Returned, State, joined
from neurosym_verifiers.reading.formulas.bounds import ANY, Bounds
from neurosym_verifiers.reading.formulas.iterated import ROUND, place
from neurosym_verifiers.reading.formulas.normal_forms import choose, either
from neurosym_verifiers.reading.formulas.terms import TRUE, Condition, Term, variable
from neurosym_verifiers.reading.long_loops.looping import Going
from neurosym_verifiers.reading.loop_lists.leaves import leaves_of, with_leaves

BROKEN = 1
"""How a loop was left by ``break``; returns and exceptions have the numbers after it."""

_MOST_WAYS = 12
"""So many ways out of a round at most."""


@dataclass(frozen=True, slots=True)
class Form:
    """What is known of a variable before every round: how many decimals it has, if it is a Decimal, and its bounds."""

    places: int | None
    bounds: Bounds = ANY


@dataclass(frozen=True, slots=True)
class End:
    """One way out of a round. ``left``: 0 where the next round may follow. ``outcome``: of a ``return`` or a
    ``raise``."""

    state: State
    left: int
    line: int
    outcome: Returned | Raised | None = None


@dataclass(frozen=True, slots=True)
class Round:
    """What a round makes of the variables and lists.

    ``names``: of those that it changes. ``heads``: what stands for them before it. ``lists``: where those lie to which
    it may append."""

    line: int
    nesting: int
    names: tuple[str, ...]
    heads: tuple[Value, ...]
    lists: tuple[int, ...]
    going: tuple[End, ...]
    leaving: tuple[End, ...]

    @property
    def goes_on(self) -> Condition:
        return either(*(end.state.live for end in self.going)) if self.leaving else TRUE

    def made(self, ends: Many[End], at: int) -> Term:
        """What a variable is at one of several ends."""
        if not ends:
            return leaves_of(self.heads[at])[0]
        return chosen([(end.state.live, self._number(end.state.names[self.names[at]], at)) for end in ends])

    def changes_nothing(self, end: End, before: State) -> bool:
        """Whether a round that ends so only breaks."""
        if end.outcome is not None or any(self.appended(end, address, before) for address in self.lists):
            return False
        return all(self.made([end], i) == leaves_of(head)[0] for i, head in enumerate(self.heads))

    def start(self, state: State) -> tuple[Term, ...]:
        """What the variables are before the first round."""
        return tuple(self._number(state.names[name], i) for i, name in enumerate(self.names))

    def places(self) -> tuple[int | None, ...]:
        """How many decimals each variable has after it, at most: of its own, and of what it was before."""
        found: list[int | None] = []
        for name, head in zip(self.names, self.heads, strict=True):
            after = [end.state.names[name] for end in (*self.going, *self.leaving)]
            of = [each.places for each in (head, *after) if isinstance(each, Dec)]
            found.append(max(of) if isinstance(head, Dec) else None)
        return tuple(found)

    def _number(self, value: Value, at: int) -> Term:
        head = self.heads[at]
        if type(value) is not type(head):
            raise NotRead(
                f"a loop of more than {MOST_ROUNDS} rounds that makes {self.names[at]} another type", self.line
            )
        if isinstance(value, Dec) and isinstance(head, Dec):
            return scaled(value, head.places)
        return leaves_of(value)[0]

    # Lists

    def appended(self, end: End, address: int, before: State) -> tuple[Value, ...]:
        """What it appends to a list, as it is at its end; nobody can change it after that."""
        content = end.state.heap.contents[address]
        if not isinstance(content, Growing):
            raise NotRead(f"a loop of more than {MOST_ROUNDS} rounds that changes lists", self.line)
        reached = captured_by(content.items, {}, (), end.state.heap).addresses
        if reached is None or not reached.isdisjoint(before.heap.contents):
            raise NotRead("a list that is made before a loop of many rounds, and appended in it", self.line)
        return tuple(end.state.heap.seen(item) for item in content.items)

    def one(self, ways: list[tuple[Condition, Value]]) -> Value:
        """The value of the way whose condition holds, of which one does."""
        *others, (_, last) = ways
        try:
            return reduce(lambda rest, way: merged(way[0], way[1], rest), reversed(others), last)
        except CannotMerge as problem:
            raise NotRead(f"a list of items that are one of {problem}", self.line) from None

    def own_names(self, rounds: Bounds, counting: Mapping[int, Term]) -> dict[str, Term]:
        """What stands in a loop for the names of a round. ``rounds``: the bounds of its number. ``counting``: the
        variables that are known by that number."""
        names = {_inside(place(i), self.nesting): _own(i, head) for i, head in enumerate(self.heads)}
        names |= {_inside(place(i), self.nesting): term for i, term in counting.items()}
        return {**names, _inside(ROUND, self.nesting): variable(ROUND, *rounds)}


def chosen(ways: list[tuple[Condition, Term]]) -> Term:
    """The term of the way whose condition holds, of which one does."""
    *others, (_, last) = ways
    return reduce(lambda rest, way: choose(way[0], way[1], rest), reversed(others), last)


def forms_of(going: Going, state: State) -> dict[str, Form]:
    """The variables that a loop changes, none of which is bounded. Raises ``NotRead`` for what is no number."""
    found: dict[str, Form] = {}
    for name in _carried(going, state):
        value = state.names[name]
        if not isinstance(value, (Int, Bool, Dec)):
            what = f"a loop of more than {MOST_ROUNDS} rounds that changes {name}, which is no int and no Decimal"
            raise NotRead(what, going.line)
        found[name] = Form(value.places if isinstance(value, Dec) else None)
    return found


def read_round(going: Going, state: State, forms: Mapping[str, Form], nesting: int) -> Round:
    """Reads a round with these forms of the variables. Raises ``NotRead`` where it does more than to change numbers and
    to append to lists."""
    line, stored = going.line, going.stored
    heads = tuple(_head(state.names[name], form, i, nesting) for i, (name, form) in enumerate(forms.items()))
    known = state.names | dict(zip(forms, heads, strict=True))
    if going.counted is not None:
        at = variable(_inside(ROUND, nesting), *rounds_bounds(going.rounds))
        known[going.counted.name] = Int(going.counted.first + at * going.counted.step)
    inside = replace(state.copy(), names=known, live=TRUE, exits=[], yielded=None)
    empty = Sequence((), True)
    addresses = (v.address for v in known.values() if isinstance(v, Ref) and inside.heap.contents[v.address] == empty)
    lists = tuple(sorted(set(addresses)))
    for address in lists:
        inside.heap.contents[address] = Growing()
    before = inside.copy()
    flow = going.read(inside)
    on = [End(each, 0, line) for each in joined(before, [*flow.going, *flow.continued])]
    off = [End(each, BROKEN, line) for each in joined(before, flow.broken)]
    for i, end in enumerate(inside.exits, BROKEN + 1):
        left = replace(before, names=dict(end.names), live=end.condition, heap=end.heap)
        off.append(End(left, i, end.line, end.outcome))
    if len(on) + len(off) > _MOST_WAYS:
        raise NotRead(f"a loop of more than {MOST_ROUNDS} rounds with more than {_MOST_WAYS} ways out of each", line)
    found = Round(line, nesting, tuple(forms), heads, lists, tuple(on), tuple(off))
    lists_named = {n for n in stored if n != going.target and isinstance(state.names.get(n), Ref)}
    for each in (*found.going, *found.leaving):
        _changes_no_more(found, each, before, stored - lists_named)
    return found


def _carried(going: Going, state: State) -> list[str]:
    """The names that a round finds and leaves changed; a list that is named (``rows += [row]``) is not one of them."""
    others = {n for n, v in state.names.items() if n == going.target or isinstance(v, Ref)}
    return [n for n in state.names if n in going.stored and n not in others]


def _head(value: Value, form: Form, at: int, nesting: int) -> Value:
    before = variable(_inside(place(at), nesting), *form.bounds)
    if form.places is not None:
        return Dec(before, form.places)
    return with_leaves(value, [before])


def _own(at: int, head: Value) -> Term:
    (leaf,) = leaves_of(head)
    return variable(place(at), leaf.low, leaf.high)


def rounds_bounds(rounds: Term | None) -> Bounds:
    """The bounds of the number of a round, counted from 0."""
    return 0, None if rounds is None or rounds.high is None else max(rounds.high - 1, 0)


def _changes_no_more(a_round: Round, end: End, before: State, bound: frozenset[str]) -> None:
    """Raises ``NotRead`` where a way out of a round changes more than what the loop carries on."""
    names, line = end.state.names, a_round.line
    if any(name not in names for name in a_round.names):
        raise NotRead(f"a loop of more than {MOST_ROUNDS} rounds that deletes a name", line)
    if any(n not in names or not still(v, names[n], end.state.live) for n, v in before.names.items() if n not in bound):
        raise NotRead(f"a loop of more than {MOST_ROUNDS} rounds that changes more than its names", line)
    versions, old = end.state.heap.versions, before.heap.versions
    if any(versions.get(a) != old.get(a) for a in before.heap.contents if a not in a_round.lists):
        raise NotRead(f"a loop of more than {MOST_ROUNDS} rounds that changes lists", line)


def _inside(name: str, nesting: int) -> str:
    """What stands for one of a loop's variables while its body is read: a name that no atom has inside of it."""
    return f"{name}!in{nesting}"
