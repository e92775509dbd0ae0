"""What a loop of many rounds comes to.

The body is read once, with unknown numbers for the variables that it changes. What these are afterwards is an atom
(``Iterated``) that keeps the round, the start and the number of rounds. Two loops that do the same, from the same
start, equally often, are the same atom; all else that is to be known of it takes induction (``proof/induction.py``).

A round may be the last: by ``break``, by ``return``, by an exception. How a loop was left is one more of its variables,
0 where it had all its rounds. To an empty list every round may append one item (``LoopList``).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from neurosym_verifiers.reading.data.items import MOST_ROUNDS
from neurosym_verifiers.reading.data.values import (
    Bool,
    Dec,
    Int,
    LoopList,
    NoneValue,
    NotRead,
    Ref,
    Sequence,
    Text,
    Value,
)
from neurosym_verifiers.reading.execution.flow import Flow
from neurosym_verifiers.reading.execution.state import Exit, Returned, State
from neurosym_verifiers.reading.floats.reals import RealTest
from neurosym_verifiers.reading.formulas.bounds import ANY, hull, inside
from neurosym_verifiers.reading.formulas.iterated import ROUND, Iterated, place
from neurosym_verifiers.reading.formulas.members import Belongs
from neurosym_verifiers.reading.formulas.normal_forms import at_most, both, choose, either, equal, negated
from neurosym_verifiers.reading.formulas.terms import FALSE, TRUE, Condition, Term, number, variable
from neurosym_verifiers.reading.formulas.walking import parts_of
from neurosym_verifiers.reading.long_loops.counting import counting, rounds_until, waits
from neurosym_verifiers.reading.long_loops.limits import check_list, check_numbers
from neurosym_verifiers.reading.long_loops.looping import Going, Offers, has_many
from neurosym_verifiers.reading.long_loops.one_round import (
    BROKEN,
    End,
    Form,
    Round,
    chosen,
    forms_of,
    read_round,
    rounds_bounds,
)
from neurosym_verifiers.reading.long_loops.reach import guessed, reached
from neurosym_verifiers.reading.loop_lists.ghosts import HOW_LEFT, after_rounds
from neurosym_verifiers.reading.loop_lists.leaves import leaves_of, with_leaves
from neurosym_verifiers.reading.loop_lists.making import loop_list
from neurosym_verifiers.reading.simplification.substituting import Substitution

_MOST_READINGS = 5
"""So often a round is read, with other guesses of what its variables may be."""


class _Own(Substitution):
    """Puts a loop's own names into what was read with those of a round; ``holds``, in these, is so in every round."""

    def __init__(self, names: Mapping[str, Term], holds: Condition = TRUE) -> None:
        super().__init__(names, {})
        self.names = names
        self._holds, self._fails = holds, negated(holds)

    def _rewritten_condition(self, condition: Condition) -> Condition:
        own = super()._rewritten_condition(condition)
        return TRUE if own == self._holds else FALSE if own == self._fails else own


@dataclass(frozen=True, slots=True)
class _Loop:
    """A round that was read, and the loop over its variables, behind them the one that says how it was left.

    ``leaving``: the ways out of a round that is the last. ``counted``: what is known of variables by the number of the
    round. ``to_own``: from the names of the round to the loop's. ``runs_out``: whether it may have all its rounds."""

    a_round: Round
    leaving: tuple[End, ...]
    atom: Iterated
    counted: Mapping[int, Term]
    to_own: _Own
    runs_out: bool

    @property
    def variables(self) -> dict[str, Value]:
        """What stands for the variables before a round."""
        heads = zip(self.a_round.names, self.a_round.heads, strict=True)
        return {name: self.to_own.value(head) for name, head in heads}


@dataclass(frozen=True, slots=True)
class After:
    """Where execution is after a loop, and how many rounds that has at most."""

    flow: Flow
    rounds: int


def summary(going: Going, state: State, nesting: int, many: int, offers: Offers) -> After | None:
    """Where execution is after a long loop: behind its ``else``, or broken out of it; the exits of the state have those
    in it. None for a ``while`` that has no more than so ``many`` rounds. Raises ``NotRead`` where a round does more
    than to change numbers and to append to lists, or where it is not seen that a ``while`` ends.

    ``nesting``: how many such loops are being read already.
    """
    loop = _read(going, state, nesting)
    if going.rounds is None and not has_many(loop.atom.rounds, many):
        return None
    offered = offers(going.line, loop.variables)
    flow = _after(going, state, replace(loop, atom=replace(loop.atom, offered=offered)))
    return After(flow, loop.atom.rounds.high or 0)


# The loop


def _read(going: Going, state: State, nesting: int) -> _Loop:
    """The loop; where it has Decimals, or is not read otherwise, with bounds of its variables."""
    forms = forms_of(going, state)
    if any(form.places is not None for form in forms.values()):
        return _within_bounds(going, state, forms, nesting)
    try:
        return _loop_of(going, read_round(going, state, forms, nesting), state)
    except NotRead:
        try:
            return _within_bounds(going, state, forms, nesting)
        except NotRead:
            pass
        raise


def _within_bounds(going: Going, state: State, forms: Mapping[str, Form], nesting: int) -> _Loop:
    """The loop, read for values of its variables inside of bounds that it never leaves."""
    forms = {name: _guess(name, form.places, state, going.line) for name, form in forms.items()}
    for _ in range(_MOST_READINGS):
        a_round = read_round(going, state, forms, nesting)
        places = dict(zip(forms, a_round.places(), strict=True))
        if any(places[name] != form.places for name, form in forms.items()):
            forms = {name: _guess(name, places[name], state, going.line) for name in forms}
            continue
        loop = _loop_of(going, a_round, state)
        found = reached(loop.atom)
        if found is None:
            break
        if all(inside(each, form.bounds) for each, form in zip(found, forms.values(), strict=False)):
            return replace(loop, atom=replace(loop.atom, within=found))
        forms = {
            name: replace(form, bounds=hull(form.bounds, each))
            for each, (name, form) in zip(found, forms.items(), strict=False)
        }
    raise NotRead(
        f"a loop of more than {MOST_ROUNDS} rounds of which it is not seen how large it lets numbers grow", going.line
    )


def _guess(name: str, places: int | None, state: State, line: int) -> Form:
    value = state.names[name]
    (leaf,) = leaves_of(value)
    more = (places or 0) - value.places if isinstance(value, Dec) else 0
    start = leaf * number(10**more)
    bounds = guessed((start.low, start.high), places)
    if bounds is None:
        raise NotRead(f"a loop of more than {MOST_ROUNDS} rounds that changes {name}, which may be of any size", line)
    return Form(places, bounds)


def _loop_of(going: Going, a_round: Round, state: State) -> _Loop:
    numbers, start = range(len(a_round.names)), a_round.start(state)
    own = frozenset({ROUND, *map(place, numbers)})
    before = _Own(a_round.own_names(rounds_bounds(going.rounds), {}))
    by = counting(tuple(before.term(a_round.made(a_round.going, i)) for i in numbers))
    counted = _by_round(start, by, going.rounds)
    to_own = _Own(a_round.own_names(rounds_bounds(going.rounds), counted))
    rounds, leaving, runs_out = going.rounds, a_round.leaving, True
    if rounds is None:
        goes_on = to_own.condition(a_round.goes_on)
        names = to_own.names
        found = (each for each in waits(goes_on, own) if _only_breaks(a_round, _Own(names, negated(each[0])), state))
        holds, rounds = next(found, (TRUE, None))
        if rounds is None:
            rounds, runs_out = rounds_until(goes_on, own), False
        if rounds is None:
            raise NotRead("a while of which no number of rounds is seen", going.line)
        counted = _by_round(start, by, rounds)
        to_own = _Own(a_round.own_names(rounds_bounds(rounds), counted), holds)
        leaving = tuple(end for end in leaving if to_own.condition(end.state.live) != FALSE)
    step = tuple(to_own.term(a_round.made(a_round.going, i)) for i in numbers)
    atom = Iterated(step, start, rounds, a_round.names)
    if leaving:
        left = chosen([(end.state.live, number(end.left)) for end in leaving])
        atom = Iterated(
            (*step, variable(place(len(numbers)), *ANY)),
            (*start, number(0)),
            rounds,
            (*a_round.names, HOW_LEFT),
            to_own.condition(a_round.goes_on),
            (*(to_own.term(a_round.made(leaving, i)) for i in numbers), to_own.term(left)),
        )
    for part in (p for each in atom.inside for p in parts_of(each)):
        if isinstance(part, Iterated):
            raise NotRead("a loop of many rounds in another", going.line)
        if isinstance(part, (RealTest, Belongs)):
            raise NotRead(f"a loop of more than {MOST_ROUNDS} rounds that asks what a real function gives", going.line)
    check_numbers(atom, going.line)
    return _Loop(a_round, leaving, atom, counted, to_own, runs_out)


def _by_round(start: tuple[Term, ...], by: Mapping[int, int], rounds: Term | None) -> dict[int, Term]:
    """What variables that count are before a round, by its number."""
    now = variable(ROUND, *rounds_bounds(rounds))
    return {i: start[i] + number(each) * now for i, each in by.items()}


def _only_breaks(a_round: Round, where: _Own, state: State) -> bool:
    """Whether all that a round does there is to break: then it may as well not be taken."""
    ends = (*a_round.going, *a_round.leaving)
    return all(where.condition(end.state.live) == FALSE or a_round.changes_nothing(end, state) for end in ends)


# Behind it


def _after(going: Going, state: State, loop: _Loop) -> Flow:
    a_round, atom, target, stored = loop.a_round, loop.atom, going.target, going.stored
    after = state.copy()
    after.names = {n: v for n, v in state.names.items() if n not in stored or (n != target and isinstance(v, Ref))}
    for i, name in enumerate(a_round.names):
        own = variable(place(i), *ANY)
        if atom.step[i] == own and (not atom.leaving or atom.leaving[i] == own):
            after.names[name] = state.names[name]
        else:
            after.names[name] = with_leaves(a_round.heads[i], [_variable_after(i, loop)])
    for address in a_round.lists:
        made = _list_made(address, loop, state)
        if made is not None:
            after.change(Ref(address), made, going.line)
    flow = Flow([])
    if not loop.leaving:
        flow.going.append(after)
        return flow
    left = after_rounds(len(a_round.names), atom)
    ending = [end for end in loop.leaving if end.outcome is not None]
    broken = len(ending) < len(loop.leaving)
    others: Condition = TRUE
    exits: list[Exit] = []
    for end in ending:
        surely = end is ending[-1] and not broken and not loop.runs_out  # where it was left in no other way
        here = others if surely else equal(left, number(end.left))
        others = FALSE if surely else both(others, negated(here))
        outcome = end.outcome
        if isinstance(outcome, Returned):
            outcome = Returned(_outside(outcome.value, end, loop))
        assert outcome is not None
        exits.append(Exit(both(state.live, here), outcome, end.line, dict(after.names), after.heap.copy()))
    state.exits += exits
    if not going.has_else or not broken:
        after.live = both(after.live, others)
        flow.going += [after] if after.live != FALSE else []
        return flow
    flow.going.append(after.assuming(equal(left, number(0))))
    flow.broken.append(after.assuming(equal(left, number(BROKEN))))
    return flow


def _variable_after(at: int, loop: _Loop) -> Term:
    if at in loop.counted and not loop.leaving:
        rounds = choose(at_most(loop.atom.rounds, number(0)), number(0), loop.atom.rounds)
        return Substitution({ROUND: rounds}, {}).term(loop.counted[at])
    return after_rounds(at, loop.atom)


def _list_made(address: int, loop: _Loop, state: State) -> LoopList | None:
    """What a list is after the loop; None if the loop does not touch it."""
    a_round, line = loop.a_round, loop.a_round.line
    going = [a_round.appended(end, address, state) for end in a_round.going]
    leaving = [a_round.appended(end, address, state) for end in loop.leaving]
    if not any(going) and not any(leaving):
        return None
    if any(len(each) != 1 for each in going) or any(len(each) > 1 for each in leaving):
        raise NotRead(f"a loop of more than {MOST_ROUNDS} rounds that appends not one item in each", line)
    ways = [(end.state.live, each[0]) for end, each in zip(a_round.going, going, strict=True)]
    last = [(end.state.live, each[0]) for end, each in zip(loop.leaving, leaving, strict=True) if each]
    there = either(*(live for live, _ in last))
    ways, last = ways or last, last or ways
    of_going, of_last = (loop.to_own.value(a_round.one(each)) for each in (ways, last))
    check_list(loop.atom, of_going, of_last, line)
    return loop_list(loop.atom, of_going, of_last, loop.to_own.condition(there))


def _outside(value: Value, end: End, loop: _Loop) -> Value:
    """What a round returns, as it is outside of the loop."""
    match value:
        case Ref(address=address) if address in loop.a_round.lists:
            return value
        case NoneValue() | Text():
            return value
        case Int() | Bool() | Dec():
            return with_leaves(value, [_returned(leaves_of(loop.to_own.value(value))[0], end, loop)])
        case Sequence(items=items, is_list=False):
            return Sequence(tuple(_outside(item, end, loop) for item in items), False)
        case _:
            raise NotRead("what a loop of many rounds returns from its middle", loop.a_round.line)


def _returned(leaf: Term, end: End, loop: _Loop) -> Term:
    """A number in what a round returns: one more variable, which only that round sets."""
    atom, at = loop.atom, len(loop.atom.step)
    ghost = variable(place(at), *ANY)
    wider = Iterated(
        (*atom.step, ghost),
        (*atom.start, number(0)),
        atom.rounds,
        (*atom.labels, "what is returned"),
        atom.goes_on,
        (*atom.leaving, choose(loop.to_own.condition(end.state.live), leaf, ghost)),
        (*atom.within, hull((0, 0), (leaf.low, leaf.high))) if atom.within else (),
    )
    return after_rounds(at, wider)
