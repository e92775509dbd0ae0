"""Induction over the rounds of long loops (``Iterated``), one loop or several side by side.

What is claimed of the variables after the loops is claimed of them before the first round (base) and kept by every
round (step); then it holds after the last (use). The loops take their rounds together, and one that has had all of its
own waits for the others. What the step lacks are facts about the variables that every round keeps, *invariants*: they
are guessed from templates (a sign, not below the start, not above it, one loop's not above another's), and each is
shown by base and step itself before it is used. Guesses that are not kept are dropped until all that are left are
(Houdini: C. Flanagan and K. R. M. Leino, 2001).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from collections.abc import Sequence as Many
from dataclasses import dataclass, replace
from itertools import combinations, product
from typing import TypeAlias

from neurosym_verifiers.proof.early_ends import EarlyEnds, Sample
from neurosym_verifiers.proof.messages import Answer, Ask
from neurosym_verifiers.reading.formulas.bounds import ANY, Spans
from neurosym_verifiers.reading.formulas.exchanging import Exchange
from neurosym_verifiers.reading.formulas.iterated import ROUND, Iterated, place
from neurosym_verifiers.reading.formulas.narrowing import Narrowing, tightened
from neurosym_verifiers.reading.formulas.normal_forms import at_most, below, both, negated
from neurosym_verifiers.reading.formulas.terms import FALSE, TRUE, And, Atom, Condition, Term, atom, number, variable
from neurosym_verifiers.reading.formulas.walking import parts_of
from neurosym_verifiers.reading.loop_lists.ghosts import after_rounds
from neurosym_verifiers.reading.simplification.substituting import Substitution, loop_everywhere, solved

_MOST_LOOPS = 3
_MOST_AHEAD = 3
_STEP_UNITS = 10_000_000
_ROUND = "now!round"

Values: TypeAlias = Mapping[str, Term]
"""What the variables of all loops are at some moment, by the names that stand for them."""


@dataclass(frozen=True, slots=True)
class Invariant:
    """A condition on the variables of the loops, and in words."""

    holds: Condition
    words: str


@dataclass(frozen=True, slots=True)
class Induction:
    """``answer`` is ``unsat``: nothing fulfils what was asked. ``invariants``: in words."""

    answer: Answer
    invariants: tuple[str, ...]


def long_loops(condition: Condition) -> list[Iterated]:
    """The loops in a condition."""
    return [each for each in parts_of(condition) if isinstance(each, Iterated)]


def ask_by_induction(
    against: Condition,
    bounds: Spans,
    ask: Ask,
    prefixes: tuple[str, ...] = ("",),
    samples: Callable[[], Many[Sample]] = list,
) -> Induction | None:
    """That nothing fulfils a condition on what loops leave, by induction; None where that is not shown.

    ``samples``: inputs to guess invariants from.
    """
    condition = solved(against, bounds)
    bounds = tightened(bounds, condition)
    apart = _apart(Narrowing(bounds).condition(condition), bounds)
    if apart is None:
        return None
    condition = _unfolded(apart)
    loops = long_loops(condition)
    if any(isinstance(p, Iterated) for p in _inner_parts(loops)):
        return None
    if any(loop.leaving for loop in loops):
        found = EarlyEnds(condition, bounds, loops, ask, samples(), prefixes).prove()
        return None if found is None else Induction(*found)
    if not 0 < len(loops) <= _MOST_LOOPS:
        return None
    return _Attempt(condition, bounds, loops, ask, prefixes).prove()


def _apart(condition: Condition, bounds: Spans) -> Condition | None:
    """The condition with loops that know of their variables what holds everywhere: one that stands on several paths is
    asked about once for all of them. None where that cannot be."""
    terms: dict[str, Term] = {}
    for loop in long_loops(condition):
        wide = loop_everywhere(loop, bounds)
        if wide is None:
            return None
        terms[loop.key] = atom(wide)
    return Exchange(terms).condition(condition)


def _inner_parts(loops: list[Iterated]) -> Iterator[Condition | Term | Atom]:
    for loop in loops:
        for part in (*loop.inside, *loop.start, loop.rounds):
            yield from parts_of(part)


def _unfolded(condition: Condition) -> Condition:
    """Of two loops that are alike but for the number of their rounds, the longer as the shorter one and the rest."""
    loops = long_loops(condition)
    terms: dict[str, Term] = {}
    for longer, shorter in product(loops, repeat=2):
        ahead = (longer.rounds - shorter.rounds).constant
        alike = longer.step == shorter.step and longer.start == shorter.start
        if alike and ahead is not None and 0 < ahead <= _MOST_AHEAD and _at_least_zero(shorter.rounds):
            terms[longer.key] = _going_on(shorter, ahead)
    return Exchange(terms).condition(condition) if terms else condition


def _at_least_zero(term: Term) -> bool:
    return term.low is not None and term.low >= 0


def _going_on(loop: Iterated, ahead: int) -> Term:
    now = [after_rounds(i, loop) for i in range(len(loop.step))]
    for i in range(ahead):
        values = dict(zip(loop.places, now, strict=True)) | {ROUND: loop.rounds + number(i)}
        now = [Substitution(values, {}).term(term) for term in loop.step]
    return now[0]


class _Attempt:
    """One question. ``_known`` is what of it speaks of no loop, ``_rest`` what does, of the variables as they are."""

    def __init__(
        self, condition: Condition, bounds: Spans, loops: list[Iterated], ask: Ask, prefixes: tuple[str, ...]
    ) -> None:
        self._ask = ask
        self._loops = loops
        self._prefixes = prefixes
        self._shown: list[Answer] = []
        names = [_now(j, i) for j, loop in enumerate(loops) for i in range(len(loop.step))]
        self._bounds: Spans = {**bounds, **dict.fromkeys(names, ANY), _ROUND: (0, None)}
        finals = {loop.key: variable(_now(j, 0), *ANY) for j, loop in enumerate(loops)}
        exchanged = Exchange(finals).condition(condition)
        parts = exchanged.parts if isinstance(exchanged, And) else (exchanged,)
        self._known = both(*(part for part in parts if part.names.isdisjoint(names)))
        self._rest = both(*(part for part in parts if not part.names.isdisjoint(names)))
        self._start: Values = {_now(j, i): loop.start[i] for j, loop in enumerate(loops) for i in range(len(loop.step))}
        self._rounds = list(self._ways_of_a_round())

    def prove(self) -> Induction | None:
        """The claim alone first; where a round does not keep it, with the invariants that are found."""
        claimed = Invariant(negated(self._rest), "what is claimed holds")
        if not self._at_start(claimed):
            return None
        if self._kept(claimed, [claimed]):
            return Induction(self._answer(), (claimed.words,))
        found = self._invariants()
        words = tuple(invariant.words for invariant in found)
        if self._unsat(both(self._known, *(each.holds for each in found), self._rest)):
            return Induction(self._answer(), words)
        if found and self._kept(claimed, [*found, claimed]):
            return Induction(self._answer(), (*words, claimed.words))
        return None

    def _answer(self) -> Answer:
        """The last question, with those before it as lemmas."""
        *lemmas, last = self._shown
        before = (text for each in lemmas for text in (*each.lemmas, each.text) if text)
        return replace(last, strategy="induction", lemmas=(*before, *last.lemmas))

    def _unsat(self, condition: Condition) -> bool:
        """Whether nothing fulfils the condition."""
        reply = self._ask(condition, self._bounds, _STEP_UNITS)
        if reply.verdict != "unsat":
            return False
        self._shown.append(reply)
        return True

    def _at_start(self, invariant: Invariant) -> bool:
        first = Substitution(self._start, {}).condition(negated(invariant.holds))
        return self._unsat(both(self._known, first))

    def _kept(self, invariant: Invariant, assumed: list[Invariant]) -> bool:
        """Whether every round keeps an invariant where those hold that are assumed."""
        before = both(self._known, *(each.holds for each in assumed))
        broken = negated(invariant.holds)
        ways = ((here, Substitution(values, {}).condition(broken)) for here, values in self._rounds)
        return all(self._unsat(both(before, here, after)) for here, after in ways)

    def _ways_of_a_round(self) -> Iterator[tuple[Condition, Values]]:
        """Which of the loops take a round and which wait, and what the variables are afterwards."""
        now = variable(_ROUND, 0, None)
        steps: list[Values] = []
        goes_on: list[Condition] = []
        for j, loop in enumerate(self._loops):
            before = {place(i): variable(_now(j, i), *ANY) for i in range(len(loop.step))}
            step = Substitution({**before, ROUND: now}, {})
            steps.append({_now(j, i): step.term(term) for i, term in enumerate(loop.step)})
            goes_on.append(below(now, loop.rounds))
        for moving in product((True, False), repeat=len(self._loops)):
            here = both(*(c if moves else negated(c) for c, moves in zip(goes_on, moving, strict=True)))
            if any(moving) and here != FALSE:
                values = [step for step, moves in zip(steps, moving, strict=True) if moves]
                yield here, {name: term for each in values for name, term in each.items()}

    def _invariants(self) -> list[Invariant]:
        """Of the templates those that hold at the start and are kept together."""
        left = [each for each in self._templates() if each.holds not in (TRUE, FALSE) and self._at_start(each)]
        while True:
            kept = [each for each in left if self._kept(each, left)]
            if len(kept) == len(left):
                return kept
            left = kept

    def _templates(self) -> Iterator[Invariant]:
        at = variable(_ROUND, 0, None)
        for j, loop in enumerate(self._loops):
            now = Substitution({**{place(i): variable(_now(j, i), *ANY) for i in range(len(loop.step))}, ROUND: at}, {})
            yield from (Invariant(now.condition(holds), words) for words, holds in loop.offered)
        numbers = [(j, i) for j, loop in enumerate(self._loops) for i in range(len(loop.step))]
        for j, i in numbers:
            value, start, label = variable(_now(j, i), *ANY), self._loops[j].start[i], self._label(j, i)
            yield Invariant(at_most(number(0), value), f"{label} is not negative")
            if start.constant != 0:
                yield Invariant(at_most(start, value), f"{label} is not below its start")
            yield Invariant(at_most(value, start), f"{label} is not above its start")
        for (j, i), (m, n) in combinations(numbers, 2):
            if j != m:
                one, other = variable(_now(j, i), *ANY), variable(_now(m, n), *ANY)
                label, its = self._label(j, i), self._label(m, n)
                yield Invariant(at_most(one, other), f"{label} is not above {its}")
                yield Invariant(at_most(other, one), f"{its} is not above {label}")

    def _label(self, j: int, i: int) -> str:
        loop = self._loops[j]
        run = next((prefix for prefix in self._prefixes if any(name.startswith(prefix) for name in loop.names)), "")
        alike = [k for k, other in enumerate(self._loops) if other.labels[0] == loop.labels[0]]
        numbered = f" (loop {alike.index(j) + 1})" if len(self._prefixes) == 1 and len(alike) > 1 else ""
        return f"{run}{loop.labels[i]}{numbered}"


def _now(loop: int, number_of_variable: int) -> str:
    """The variable that stands for what a variable of a loop is at the moment."""
    return f"now!{loop}.{number_of_variable}"
