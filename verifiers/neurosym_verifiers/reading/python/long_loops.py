"""Loops with too many rounds to go through them one by one: what one round does to the variables, over and over.

The body is read once, with unknown numbers for the variables that it changes. What these are afterwards is an atom
(``Iterated``) that keeps the round, the start and the number of rounds. Two loops that do the same, from the same
start, equally often, are the same atom; all else that is to be known of it takes induction (``proof/induction.py``).

A round may be the last: by ``break``, by ``return``, by an exception. How a loop was left is one more of its variables,
0 where it had all its rounds. To an empty list every round may append one item (``LoopList``).
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from collections.abc import Sequence as Many
from dataclasses import dataclass, replace
from functools import reduce

from neurosym_verifiers.reading.data.items import MOST_ROUNDS
from neurosym_verifiers.reading.data.values import (
    Bool,
    Growing,
    Int,
    LoopList,
    NoneValue,
    NotRead,
    Ref,
    Sequence,
    Text,
    Thing,
    Value,
)
from neurosym_verifiers.reading.execution.flow import Flow
from neurosym_verifiers.reading.execution.heap import still
from neurosym_verifiers.reading.execution.merging import CannotMerge, merged
from neurosym_verifiers.reading.execution.on_demand import captured_by
from neurosym_verifiers.reading.execution.state import Exit, Raised, Returned, State, joined
from neurosym_verifiers.reading.floats.reals import RealTest
from neurosym_verifiers.reading.formulas.growth import bits_of
from neurosym_verifiers.reading.formulas.iterated import ROUND, Iterated, place
from neurosym_verifiers.reading.formulas.members import Belongs
from neurosym_verifiers.reading.formulas.normal_forms import both, choose, either, equal, floor_div, negated
from neurosym_verifiers.reading.formulas.terms import TRUE, Condition, Term, number, variable
from neurosym_verifiers.reading.formulas.walking import parts_of
from neurosym_verifiers.reading.loop_lists.ghosts import HOW_LEFT, after_rounds
from neurosym_verifiers.reading.loop_lists.leaves import leaves_of, with_leaves
from neurosym_verifiers.reading.loop_lists.making import loop_list
from neurosym_verifiers.reading.python.program import stored_names
from neurosym_verifiers.reading.simplification.substituting import Substitution

MANY_ROUNDS = 48
"""A loop of more rounds is read as a long one if it can be, though it might be gone through round by round."""

_MOST_ROUNDS = 100_000
"""Beyond that it is no longer sure that the steps fit the limits of a run."""

_MOST_BITS = 14_000
"""So large may numbers become: an int of more than 4,300 digits is no text any more."""

_MOST_WORK = 50_000_000
"""Bits of the largest number times rounds: more may take longer than a call may."""

_MOST_BYTES = 3_000_000
_BYTES_EACH = 10
"""What a list may take when it is returned, and each item and number in it beside its digits."""

_MOST_WAYS = 12
"""So many ways out of a round at most."""

_BROKEN = 1
"""How a loop was left by ``break``; returns and exceptions have the numbers after it."""

Read = Callable[[Many[ast.stmt], State], Flow]


def is_long(iterated: Value, many: int) -> bool:
    """Whether it is a range that may have more rounds than ``many``, and not too many to be run."""
    most = most_rounds(iterated)
    return most is not None and many < most <= _MOST_ROUNDS


def most_rounds(iterated: Value) -> int | None:
    """How many rounds it has at most, if it is a range of which that is known."""
    rounds = _rounds(iterated)
    return None if rounds is None else rounds.high


def _rounds(iterated: Value) -> Term | None:
    match iterated:
        case Thing(name="range", of=(Int(term=first), Int(term=stop), Int(term=step))) if step.constant:
            by = step.constant
            if by < 0:
                first, stop, by = -first, -stop, -by
            return floor_div(stop - first + number(by - 1), number(by))
        case _:
            return None


@dataclass(frozen=True, slots=True)
class _End:
    """One way out of a round. ``left``: 0 where the next round may follow. ``result``: of a ``return``."""

    state: State
    left: int
    line: int
    outcome: Returned | Raised | None = None


@dataclass(slots=True)
class _Round:
    """What a round makes of the variables and lists.

    ``names``: of those that it changes. ``heads``: what stands for them before it. ``lists``: where those lie to which
    it may append."""

    nesting: int
    names: list[str]
    heads: list[Value]
    lists: list[int]
    going: list[_End]
    leaving: list[_End]

    @property
    def goes_on(self) -> Condition:
        return either(*(end.state.live for end in self.going)) if self.leaving else TRUE


def summary(statement: ast.For, iterated: Value, state: State, read: Read, nesting: int) -> Flow:
    """Where execution is after a long loop (``is_long``): behind its ``else``, or broken out of it; the exits of the
    state have those in it. Raises ``NotRead`` where a round does more than to change numbers and to append to lists.

    ``read``: reads statements from a state on. ``nesting``: how many such loops are being read already.
    """
    line, rounds = statement.lineno, _rounds(iterated)
    assert rounds is not None
    assert isinstance(iterated, Thing)
    if not isinstance(statement.target, ast.Name):
        raise NotRead(f"a loop of more than {MOST_ROUNDS} rounds", line)
    a_round = _read_round(statement, iterated, state, rounds, read, nesting)
    loop, to_own = _loop_of(a_round, state, rounds, line)
    return _after(statement, state, a_round, loop, to_own)


# Reading one round


def _read_round(statement: ast.For, iterated: Thing, state: State, rounds: Term, read: Read, nesting: int) -> _Round:
    assert isinstance(statement.target, ast.Name)
    line, bound, target = statement.lineno, stored_names(statement), statement.target.id
    lists_named = {
        n: v for n, v in state.names.items() if n in bound - {target} and isinstance(v, Ref)
    }  # ``rows += [row]``
    names = [n for n in state.names if n in bound - {target} and n not in lists_named]
    heads = [_head(state.names[name], name, i, nesting, line) for i, name in enumerate(names)]
    first, _, step = iterated.of
    at = variable(_inside(ROUND, nesting), 0, None if rounds.high is None else max(rounds.high - 1, 0))
    known = state.names | dict(zip(names, heads, strict=True)) | {target: Int(first.term + at * step.term)}
    inside = replace(state.copy(), names=known, live=TRUE, exits=[], yielded=None)
    empty = Sequence((), True)
    lists = sorted(
        {v.address for v in known.values() if isinstance(v, Ref) and inside.heap.contents[v.address] == empty}
    )
    for address in lists:
        inside.heap.contents[address] = Growing()
    before = inside.copy()
    flow = read(statement.body, inside)
    going = joined(before, [*flow.going, *flow.continued])
    broken = joined(before, flow.broken)
    found = _Round(nesting, names, heads, lists, [_End(each, 0, line) for each in going], [])
    found.leaving += [_End(each, _BROKEN, line) for each in broken]
    for i, end in enumerate(inside.exits, _BROKEN + 1):
        left = replace(before, names=dict(end.names), live=end.condition, heap=end.heap)
        found.leaving.append(_End(left, i, end.line, end.outcome))
    if len(found.going) + len(found.leaving) > _MOST_WAYS:
        raise NotRead(f"a loop of more than {MOST_ROUNDS} rounds with more than {_MOST_WAYS} ways out of each", line)
    for each in (*found.going, *found.leaving):
        _changes_no_more(found, each, before, bound - lists_named.keys(), line)
    return found


def _changes_no_more(a_round: _Round, end: _End, before: State, bound: frozenset[str], line: int) -> None:
    """Raises ``NotRead`` where a way out of a round changes more than what the loop carries on."""
    names = end.state.names
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


def _head(value: Value, name: str, at: int, nesting: int, line: int) -> Value:
    if not isinstance(value, (Int, Bool)):
        raise NotRead(f"a loop of more than {MOST_ROUNDS} rounds that changes {name}, which is no int", line)
    return with_leaves(value, [variable(_inside(place(at), nesting), None, None)])


# What the rounds come to


def _loop_of(a_round: _Round, state: State, rounds: Term, line: int) -> tuple[Iterated, Substitution]:
    """The loop over the variables, behind them the one that says how it was left; and what puts its own names into
    terms that were read with those of the body."""
    count = len(a_round.names)
    own = {_inside(place(i), a_round.nesting): variable(place(i), None, None) for i in range(count)}
    own[_inside(ROUND, a_round.nesting)] = variable(ROUND, 0, None if rounds.high is None else max(rounds.high - 1, 0))
    to_own = Substitution(own, {})
    start = [
        _number(state.names[name], head, name, line) for name, head in zip(a_round.names, a_round.heads, strict=True)
    ]
    step = [_of_ends(a_round.going, name, head, line) for name, head in zip(a_round.names, a_round.heads, strict=True)]
    leaving: list[Term] = []
    if a_round.leaving:
        pairs = zip(a_round.names, a_round.heads, strict=True)
        leaving = [_of_ends(a_round.leaving, name, head, line) for name, head in pairs]
    goes_on = to_own.condition(a_round.goes_on)
    left = _chosen([(end.state.live, number(end.left)) for end in a_round.leaving]) if a_round.leaving else None
    after_left = variable(place(count), None, None)
    loop = Iterated(
        (*map(to_own.term, step), *([after_left] if left is not None else [])),
        (*start, *([number(0)] if left is not None else [])),
        rounds,
        (*a_round.names, *([HOW_LEFT] if left is not None else [])),
        goes_on,
        (*map(to_own.term, leaving), to_own.term(left)) if left is not None else (),
    )
    for part in (p for each in loop.inside for p in parts_of(each)):
        if isinstance(part, Iterated):
            raise NotRead("a loop of many rounds in another", line)
        if isinstance(part, (RealTest, Belongs)):
            raise NotRead(f"a loop of more than {MOST_ROUNDS} rounds that asks what a real function gives", line)
    bits, most = bits_of(loop), rounds.high or 0
    if bits is None or bits > _MOST_BITS or bits * most > _MOST_WORK:
        raise NotRead("a loop of many rounds whose numbers may grow too large", line)
    return loop, to_own


def _number(value: Value, head: Value, name: str, line: int) -> Term:
    if type(value) is not type(head):
        raise NotRead(f"a loop of more than {MOST_ROUNDS} rounds that changes {name}, which is no int", line)
    (leaf,) = leaves_of(value)
    return leaf


def _of_ends(ends: list[_End], name: str, head: Value, line: int) -> Term:
    """What a variable is at one of several ends of a round."""
    if not ends:
        return leaves_of(head)[0]
    return _chosen([(end.state.live, _number(end.state.names[name], head, name, line)) for end in ends])


def _chosen(ways: list[tuple[Condition, Term]]) -> Term:
    """The term of the way whose condition holds, of which one does."""
    *others, (_, last) = ways
    return reduce(lambda rest, way: choose(way[0], way[1], rest), reversed(others), last)


def _after(statement: ast.For, state: State, a_round: _Round, loop: Iterated, to_own: Substitution) -> Flow:
    assert isinstance(statement.target, ast.Name)
    line, bound, target = statement.lineno, stored_names(statement), statement.target.id
    after = state.copy()
    after.names = {n: v for n, v in state.names.items() if n not in bound or (n != target and isinstance(v, Ref))}
    for i, (name, head) in enumerate(zip(a_round.names, a_round.heads, strict=True)):
        own = variable(place(i), None, None)
        if loop.step[i] == own and (not loop.leaving or loop.leaving[i] == own):
            after.names[name] = state.names[name]
        else:
            after.names[name] = with_leaves(head, [after_rounds(i, loop)])
    for address in a_round.lists:
        made = _list_made(address, a_round, loop, to_own, state, line)
        if made is not None:
            after.change(Ref(address), made, line)
    flow = Flow([])
    if not a_round.leaving:
        flow.going.append(after)
        return flow
    left = after_rounds(len(a_round.names), loop)
    others: Condition = TRUE
    exits: list[Exit] = []
    for end in a_round.leaving:
        if end.outcome is None:
            continue
        here = equal(left, number(end.left))
        others = both(others, negated(here))
        outcome = end.outcome
        if isinstance(outcome, Returned):
            outcome = Returned(_outside(outcome.value, end, a_round, loop, to_own, line))
        exits.append(Exit(both(state.live, here), outcome, end.line, dict(after.names), after.heap.copy()))
    state.exits += exits
    broken = any(end.left == _BROKEN for end in a_round.leaving)
    if not statement.orelse or not broken:
        after.live = both(after.live, others)
        flow.going.append(after)
        return flow
    ran_out = equal(left, number(0))
    flow.going.append(after.assuming(ran_out))
    flow.broken.append(after.assuming(equal(left, number(_BROKEN))))
    return flow


def _list_made(
    address: int, a_round: _Round, loop: Iterated, to_own: Substitution, state: State, line: int
) -> LoopList | None:
    """What a list is after the loop; None if the loop does not touch it."""
    going = [_appended(end, address, state, line) for end in a_round.going]
    leaving = [_appended(end, address, state, line) for end in a_round.leaving]
    if not any(going) and not any(leaving):
        return None
    if any(len(each) != 1 for each in going) or any(len(each) > 1 for each in leaving):
        raise NotRead(f"a loop of more than {MOST_ROUNDS} rounds that appends not one item in each", line)
    ways = [(end.state.live, each[0]) for end, each in zip(a_round.going, going, strict=True)]
    last = [(end.state.live, each[0]) for end, each in zip(a_round.leaving, leaving, strict=True) if each]
    there = either(*(live for live, _ in last))
    ways, last = ways or last, last or ways
    of_going, of_last = (to_own.value(_one(each, line)) for each in (ways, last))
    numbers = [*leaves_of(of_going), *leaves_of(of_last)]
    bits, most = bits_of(loop, numbers), loop.rounds.high or 0
    if bits is None or most * (_BYTES_EACH + len(leaves_of(of_going)) * (_BYTES_EACH + bits / 3)) > _MOST_BYTES:
        raise NotRead("a list of many rounds that may be more data than a call may return", line)
    return loop_list(loop, of_going, of_last, to_own.condition(there))


def _one(ways: list[tuple[Condition, Value]], line: int) -> Value:
    *others, (_, last) = ways
    try:
        return reduce(lambda rest, way: merged(way[0], way[1], rest), reversed(others), last)
    except CannotMerge as problem:
        raise NotRead(f"a list of items that are one of {problem}", line) from None


def _appended(end: _End, address: int, state: State, line: int) -> tuple[Value, ...]:
    """What a round appends, as it is at its end; nobody can change it after that."""
    content = end.state.heap.contents[address]
    if not isinstance(content, Growing):
        raise NotRead(f"a loop of more than {MOST_ROUNDS} rounds that changes lists", line)
    reached = captured_by(content.items, {}, (), end.state.heap).addresses
    if reached is None or not reached.isdisjoint(state.heap.contents):
        raise NotRead("a list that is made before a loop of many rounds, and appended in it", line)
    return tuple(end.state.heap.seen(item) for item in content.items)


def _outside(value: Value, end: _End, a_round: _Round, loop: Iterated, to_own: Substitution, line: int) -> Value:
    """What a round returns, as it is outside of the loop."""
    match value:
        case Ref(address=address) if address in a_round.lists:
            return value
        case NoneValue() | Text():
            return value
        case Int() | Bool():
            (leaf,) = leaves_of(to_own.value(value))
            ghost = variable(place(len(loop.step)), None, None)
            leaving = choose(to_own.condition(end.state.live), leaf, ghost)
            wider = Iterated(
                (*loop.step, ghost),
                (*loop.start, number(0)),
                loop.rounds,
                (*loop.labels, "what is returned"),
                loop.goes_on,
                (*loop.leaving, leaving),
            )
            return with_leaves(value, [after_rounds(len(loop.step), wider)])
        case Sequence(items=items, is_list=False):
            return Sequence(tuple(_outside(item, end, a_round, loop, to_own, line) for item in items), False)
        case _:
            raise NotRead("what a loop of many rounds returns from its middle", line)
