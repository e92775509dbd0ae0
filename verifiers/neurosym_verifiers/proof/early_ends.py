"""Induction over loops that may end early (``LoopSystem``): invariants at each location, and what they say at the end.

What is claimed of what the loops leave is asked of every step into the location where all have ended, from a state of
which the invariants of its location are known. Invariants are guessed: the linear equations that some executions have
in common, and signs and orders from templates that these executions do not break. Each is shown by base and step
before it is used; what is not kept is dropped until all that are left are (Houdini: C. Flanagan and K. R. M. Leino,
2001). Locations are treated from the larger to the smaller, so that what leads into one is known before it.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from collections.abc import Sequence as Many
from dataclasses import dataclass, field, replace
from itertools import chain, combinations

from neurosym_verifiers.proof.affine import equations
from neurosym_verifiers.proof.loop_system import AT_ROUND, Location, LoopSystem, Transition
from neurosym_verifiers.proof.messages import Answer, Ask
from neurosym_verifiers.reading.formulas.bounds import ANY, Spans
from neurosym_verifiers.reading.formulas.evaluating import Evaluation
from neurosym_verifiers.reading.formulas.iterated import Iterated
from neurosym_verifiers.reading.formulas.normal_forms import at_most, both, either, equal, negated, zero
from neurosym_verifiers.reading.formulas.terms import FALSE, TRUE, And, Condition, Term, number, variable
from neurosym_verifiers.reading.loop_lists.ghosts import HOW_LEFT
from neurosym_verifiers.reading.simplification.substituting import solved

_MOST_CONTROLS = 3
_GUESS_UNITS = 1_500_000
_CLAIM_UNITS = 10_000_000
_MOST_SAMPLES = 40
"""Executions of several rounds that are looked for."""

_MOST_STATES = 250
_MOST_MADE = 400
_MOST_TRIED = 2_000
_MOST_PAIRED = 44
_MOST_ROUNDS = 14
_MOST_COLUMNS = 24

Sample = Mapping[str, int | bool]
"""Values of the inputs."""


@dataclass(frozen=True, slots=True)
class Invariant:
    """A condition on the variables at a location, and in words."""

    holds: Condition
    words: str


@dataclass(slots=True)
class _Place:
    """What is known of a location. ``states``: those in which executions were seen there."""

    states: list[Evaluation] = field(default_factory=list)
    kept: list[Invariant] = field(default_factory=list)
    unreachable: bool = False


class EarlyEnds:
    """One question. ``known``: what of it speaks of no loop; ``rest``: what does, of what the variables are at the end.

    ``samples``: inputs to guess from.
    """

    def __init__(
        self,
        condition: Condition,
        bounds: Spans,
        loops: Many[Iterated],
        ask: Ask,
        samples: Many[Sample],
        prefixes: tuple[str, ...] = ("",),
    ) -> None:
        self._ask = ask
        self._system = LoopSystem(loops, _runs_of(loops, prefixes))
        self._samples = samples
        self._shown: list[Answer] = []
        names = {each.name for each in self._system.variables}
        self._bounds: Spans = {**bounds, **dict.fromkeys(names, ANY), AT_ROUND: (0, None)}
        exchanged = self._system.finals.condition(condition)
        parts = exchanged.parts if isinstance(exchanged, And) else (exchanged,)
        self._known = both(*(part for part in parts if part.names.isdisjoint(names)))
        self._rest = both(*(part for part in parts if not part.names.isdisjoint(names)))
        self._places = {location: _Place() for location in self._system.locations()}

    def prove(self) -> tuple[Answer, tuple[str, ...]] | None:
        """The answer, and the invariants in words; None where it is not shown."""
        if len(self._system.controls) > _MOST_CONTROLS:
            return None
        into: dict[Location, list[Transition]] = {location: [] for location in (*self._places, frozenset())}
        for start in self._system.starts:
            into[start.target].append(start)
        self._observe()
        for location, place in self._places.items():
            entries = into[location]
            place.unreachable = not place.states and all(self._impossible(each) for each in entries)
            if place.unreachable:
                continue
            rounds = self._system.rounds_from(location)
            place.kept = self._invariants(location, entries, [each for each in rounds if each.target == location])
            for each in rounds:
                if each.target != location:
                    into[each.target].append(each)
        if not all(map(self._claimed_after, into[frozenset()])):
            return None
        words = dict.fromkeys(each.words for place in self._places.values() for each in place.kept if each.words)
        return self._answer(), tuple(words)

    # Questions

    def _before(self, transition: Transition) -> Condition:
        """What is known where a transition is taken."""
        if transition.origin is None:
            return both(self._known, transition.where)
        invariants = (each.holds for each in self._places[transition.origin].kept)
        return both(self._known, *invariants, transition.where)

    def _impossible(self, transition: Transition) -> bool:
        return self._unsat(self._before(transition), _GUESS_UNITS)

    def _never(self, transition: Transition, holds: Condition, units: int) -> bool:
        """Whether a condition surely holds after a transition."""
        return self._unsat(both(self._before(transition), transition.after(negated(holds))), units)

    def _claimed_after(self, transition: Transition) -> bool:
        """Whether what is claimed surely holds after a step into the end; also by what only the first round knows."""
        claimed = negated(self._rest)
        if self._never(transition, claimed, _CLAIM_UNITS):
            return True
        before = both(self._before(transition), self._system.at_first)
        return self._unsat(both(before, transition.after(self._rest)), _CLAIM_UNITS)

    def _unsat(self, condition: Condition, units: int) -> bool:
        return self._asked(condition, units).verdict == "unsat"

    def _asked(self, condition: Condition, units: int) -> Answer:
        if condition == FALSE:
            return Answer("unsat", "reading", {})
        reply = self._ask(condition, self._bounds, units)
        if reply.verdict == "unsat":
            self._shown.append(reply)
        return reply

    def _answer(self) -> Answer:
        """The last question, with those before it as lemmas."""
        if not self._shown:
            return Answer("unsat", "induction", {})
        *lemmas, last = self._shown
        before = (text for each in lemmas for text in (*each.lemmas, each.text) if text)
        return replace(last, strategy="induction", lemmas=(*before, *last.lemmas))

    # Executions

    def _observe(self) -> None:
        """Runs the system on samples that fulfil what is known, and on others that are made of their numbers.

        Nothing that is shown depends on them: what they have in common is only guessed.
        """
        runs = sum(self._observed(sample) for sample in self._samples[:_MOST_TRIED])
        rng = random.Random(0)  # the same guesses every time
        for _ in range(_MOST_MADE if self._samples else 0):
            if runs >= _MOST_SAMPLES:
                break
            runs += self._observed(_recombined(self._samples, rng))

    def _observed(self, sample: Sample) -> bool:
        """Whether the system took rounds on a sample."""
        if sum(len(place.states) for place in self._places.values()) >= _MOST_STATES:
            return False
        try:
            if not self._within_bounds(sample) or not Evaluation(sample).condition(self._known):
                return False
            return self._run(sample)
        except (KeyError, ArithmeticError, ValueError):
            return False

    def _within_bounds(self, sample: Sample) -> bool:
        """Whether it lies inside of what is known of each input alone."""
        spans = ((sample[name], bounds) for name, bounds in self._bounds.items() if name in sample)
        return all((low is None or low <= each) and (high is None or each <= high) for each, (low, high) in spans)

    def _run(self, sample: Sample) -> bool:
        now = dict(sample)
        transitions = self._system.starts
        for number_of_round in range(_MOST_ROUNDS):
            here = Evaluation(now)
            taken = next((each for each in transitions if here.condition(each.where)), None)
            if taken is None or not taken.target:
                return number_of_round > 1
            now = {**now, **{name: here.term(value) for name, value in taken.values.items()}}
            self._places[taken.target].states.append(Evaluation(now))
            transitions = self._system.rounds_from(taken.target)
        return True

    # Invariants

    def _invariants(self, location: Location, entries: list[Transition], rounds: list[Transition]) -> list[Invariant]:
        """Of the guesses at a location those that hold on the way in and are kept together.

        Equations that need nothing else come first: what follows from them need not be guessed.
        """
        equations_ = self._true_at_entry(location, entries, self._equations(location))
        first = self._kept(location, rounds, equations_)
        said = both(*(each.holds for each in first))
        others = [each for each in equations_ if each not in first]
        for each in self._true_at_entry(location, entries, chain(self._offered(), self._signs_and_orders())):
            if solved(both(said, negated(each.holds)), self._bounds) != FALSE:
                others.append(each)
        return self._kept(location, rounds, [*first, *others]) if others else first

    def _true_at_entry(
        self, location: Location, entries: list[Transition], guesses: Iterator[Invariant]
    ) -> list[Invariant]:
        """Of some guesses those that no execution breaks, and that hold wherever a location is entered."""
        states = self._places[location].states
        left = [each for each in guesses if each.holds not in (TRUE, FALSE)]
        left = [each for each in left if all(state.condition(each.holds) for state in states)]
        for entry in entries:
            left = self._true_after(entry, left)
        return left

    def _kept(self, location: Location, rounds: list[Transition], left: list[Invariant]) -> list[Invariant]:
        """Of some invariants those that every round keeps together."""
        place = self._places[location]
        place.kept = left
        while True:
            for each in rounds:
                place.kept = self._true_after(each, place.kept)
            if len(place.kept) == len(left):
                return left
            left = place.kept

    def _true_after(self, transition: Transition, left: list[Invariant]) -> list[Invariant]:
        """Of some invariants those that surely hold after a transition. One state that breaks some says of all others
        whether it breaks them."""
        before = self._before(transition)
        while left:
            broken = transition.after(negated(both(*(each.holds for each in left))))
            reply = self._asked(both(before, broken), _GUESS_UNITS)
            if reply.verdict == "unsat":
                return left
            after = [transition.after(each.holds) for each in left]
            kept = [each for each, holds in zip(left, after, strict=True) if _holds(holds, reply)]
            if len(kept) == len(left):
                return [each for each in left if self._never(transition, each.holds, _GUESS_UNITS)]
            left = kept
        return left

    def _offered(self) -> Iterator[Invariant]:
        for words, holds in self._system.offered:
            yield Invariant(holds, words)

    def _signs_and_orders(self) -> Iterator[Invariant]:
        variables = [each for each in self._system.variables if each.label != HOW_LEFT]
        for each in variables:
            yield Invariant(at_most(number(0), each.now), f"{each.called} is not negative")
            yield Invariant(at_most(number(1), each.now), f"{each.called} is positive")
            if each.start.constant is None:
                yield Invariant(at_most(each.start, each.now), f"{each.called} is not below its start")
            yield Invariant(at_most(each.now, each.start), f"{each.called} is not above its start")
        for one, other in combinations(variables, 2):
            if one.control != other.control and (one.label == other.label or one.start == other.start):
                yield Invariant(at_most(one.now, other.now), f"{one.called} is not above {other.called}")
                yield Invariant(at_most(other.now, one.now), f"{other.called} is not above {one.called}")

    def _equations(self, location: Location) -> Iterator[Invariant]:
        """What the states that were seen have in common: in all rounds, in all but the first, and before all but the
        last."""
        states = self._places[location].states
        now = variable(AT_ROUND, 0, None)
        labels: list[tuple[Term, str]] = [(each.now, each.called) for each in reversed(self._system.variables)]
        labels.append((now, "the number of the round"))
        inputs = sorted(name for name in self._speaks_of() if name in self._bounds)
        labels += [(variable(name, *self._bounds[name]), name) for name in inputs]
        labels = labels[:_MOST_COLUMNS]
        found = list(self._common(states, labels))
        yield from found
        goes_on = both(*(self._system.controls[j].goes_on for j in location))
        for where, when in (
            (negated(zero(now)), "after the first round"),
            (goes_on, "before a round that is not the last"),
        ):
            some = [state for state in states if state.condition(where)]
            if some and len(some) < len(states):
                for each in self._common(some, labels):
                    if each not in found:
                        words = f"{when} {each.words}" if each.words else ""
                        yield Invariant(either(negated(where), each.holds), words)

    def _speaks_of(self) -> frozenset[str]:
        """The inputs that the loops and what is asked speak of."""
        found = set(self._rest.names)
        for each in self._system.variables:
            found |= each.start.names | each.step.names
        for control in self._system.controls:
            found |= control.rounds.names
        own = {each.name for each in self._system.variables}
        return frozenset(found - own - {AT_ROUND})

    def _common(self, states: list[Evaluation], labels: list[tuple[Term, str]]) -> Iterator[Invariant]:
        if not states:
            return
        moving = len(self._system.variables) + 1
        rows = ([*(state.term(term) for term, _ in labels), 1] for state in states)
        for vector in equations(rows, len(labels) + 1):
            if not any(vector[:moving]):
                continue
            total = number(vector[-1])
            for coefficient, (term, _) in zip(vector, labels, strict=False):
                total = total + number(coefficient) * term
            called = [label for _, label in labels]
            plain = not any(label.endswith(HOW_LEFT) for c, label in zip(vector, called, strict=False) if c)
            yield Invariant(equal(total, number(0)), _in_words(vector, called) if plain else "")


def of_runs(samples: Many[Sample], prefixes: tuple[str, ...]) -> Many[Sample]:
    """Inputs of several runs from those of single ones: any of these beside any other, and the same ones."""
    if len(prefixes) == 1:
        return samples
    few = samples[:: max(len(samples) // _MOST_PAIRED, 1)]
    found: list[Sample] = []
    for apart in range(len(few)):
        for i, first in enumerate(few):
            named = zip(prefixes, (first, *(few[(i + apart) % len(few)] for _ in prefixes[1:])), strict=True)
            found.append({f"{prefix}{name}": value for prefix, each in named for name, value in each.items()})
    return found


def _recombined(samples: Many[Sample], rng: random.Random) -> Sample:
    """A sample with some numbers of others in it, or parts of them: so that one number is some times another."""
    made = dict(rng.choice(samples))
    for name in rng.sample(sorted(made), min(len(made), rng.choice((1, 2, 3)))):
        other = rng.choice(samples)
        value = other[rng.choice((name, rng.choice(sorted(other))))]
        if not isinstance(made[name], bool) and not isinstance(value, bool):
            made[name] = value // rng.choice((1, 2, 3, 7, 20))
    return made


def _runs_of(loops: Many[Iterated], prefixes: tuple[str, ...]) -> list[str]:
    """The prefix of the run that each loop is of. What an equation says is put in already: a later run speaks of inputs
    of an earlier one that it shares."""
    found: list[str] = []
    for loop in loops:
        runs = (prefix for prefix in reversed(prefixes) if any(name.startswith(prefix) for name in loop.names))
        found.append(next(runs, ""))
    return found


def _holds(condition: Condition, reply: Answer) -> bool:
    """Whether a condition holds in the state that the solver found; so it does where it found none."""
    if reply.verdict != "sat":
        return True
    try:
        return Evaluation(reply.model).condition(condition)
    except (KeyError, ArithmeticError, ValueError):
        return True


def _in_words(vector: Many[int], labels: Many[str]) -> str:
    """``a + 2 * b = c + 5``."""
    sides: tuple[list[str], list[str]] = [], []
    for coefficient, label in zip(vector, labels, strict=False):
        if coefficient:
            part = label if abs(coefficient) == 1 else f"{abs(coefficient)} * {label}"
            sides[coefficient < 0].append(part)
    constant = vector[-1]
    if constant:
        sides[constant < 0].append(str(abs(constant)))
    left, right = (" + ".join(side) or "0" for side in sides)
    return f"{left} = {right}"
