"""Where a pattern's automaton gets to on a text that varies: whether it matches, and what its groups hold."""

from __future__ import annotations

from dataclasses import dataclass

from neurosym_verifiers.reading.data.values import NotRead
from neurosym_verifiers.reading.formulas.normal_forms import both, either, negated, within
from neurosym_verifiers.reading.formulas.terms import FALSE, TRUE, Condition, Term
from neurosym_verifiers.reading.texts.automata import Automaton
from neurosym_verifiers.reading.texts.characters import Cells, all_there, narrowed
from neurosym_verifiers.reading.texts.codepoints import Ranges, union
from neurosym_verifiers.reading.texts.machines import Machine


def matches(machine: Machine, cells: Cells) -> Condition:
    """Whether the whole text is in the language."""
    plain = all_there(cells)
    alive = machine.alive(len(cells))
    here: dict[int, Condition] = {0: TRUE}
    for at, (there, code) in enumerate(cells):
        following: dict[int, list[Condition]] = {}
        left = len(cells) - at - 1
        for state, condition in here.items():
            for ranges, target in machine.moves[state]:
                if target in alive[left] if plain else any(target in some for some in alive[: left + 1]):
                    following.setdefault(target, []).append(both(condition, there, within(code, ranges)))
            if there != TRUE:
                following.setdefault(state, []).append(both(condition, negated(there)))
        here = {state: either(*conditions) for state, conditions in following.items()}
    return either(*(condition for state, condition in here.items() if state in machine.finals))


@dataclass(frozen=True, slots=True)
class Group:
    """What a group holds: nothing, if it took no part; else some of the characters."""

    missing: Condition
    cells: Cells


def groups_of(automaton: Automaton, cells: Cells, wanted: list[int]) -> list[Group]:
    """What groups hold where the whole text matches. Raises ``NotRead`` where that depends on how it is matched."""
    if not automaton.unambiguous or automaton.repeated & set(wanted):
        raise NotRead("the groups of a pattern that may match in several ways")
    forward, backward = _forward(automaton, cells), _backward(automaton, cells)
    found: list[Group] = []
    for group in wanted:
        held: list[tuple[Condition, Term]] = []
        for at, (there, code) in enumerate(cells):
            inside: list[Condition] = []
            accepted: Ranges = ()
            for edge in automaton.edges:
                if group not in edge.groups:
                    continue
                before, after = forward[at].get(edge.source, FALSE), backward[at + 1].get(edge.target, FALSE)
                step = both(before, after, there, within(code, edge.ranges))
                if step != FALSE:
                    inside.append(step)
                    accepted = union(accepted, edge.ranges)
            is_there = either(*inside)
            if is_there != FALSE:
                held.append((is_there, narrowed(code, accepted)))
        opened = [
            both(forward[at].get(step.source, FALSE), backward[at].get(step.target, FALSE))
            for step in automaton.steps
            if step.opens == group
            for at in range(len(cells) + 1)
        ]
        found.append(Group(negated(either(*opened)), tuple(held)))
    return found


def _forward(automaton: Automaton, cells: Cells) -> list[dict[int, Condition]]:
    """Before each character, and behind the last: where the automaton may be."""
    here = dict.fromkeys(automaton.closure[0] & automaton.useful, TRUE)
    found: list[dict[int, Condition]] = [dict[int, Condition](here)]
    for there, code in cells:
        reached: dict[int, list[Condition]] = {}
        for edge in automaton.edges:
            if edge.source in found[-1] and edge.target in automaton.useful:
                step = both(found[-1][edge.source], there, within(code, edge.ranges))
                for state in automaton.closure[edge.target] & automaton.useful if step != FALSE else ():
                    reached.setdefault(state, []).append(step)
        if there != TRUE:
            for state, condition in found[-1].items():
                reached.setdefault(state, []).append(both(condition, negated(there)))
        found.append({state: either(*conditions) for state, conditions in reached.items()})
    return found


def _backward(automaton: Automaton, cells: Cells) -> list[dict[int, Condition]]:
    """Before each character, and behind the last: whether the rest leads from a state to the end."""
    last: dict[int, Condition] = {
        state: TRUE for state in range(automaton.count) if automaton.final in automaton.closure[state]
    }
    found = [last]
    for there, code in reversed(cells):
        after = found[-1]
        leading: dict[int, list[Condition]] = {}
        for edge in automaton.edges:
            step = both(after.get(edge.target, FALSE), there, within(code, edge.ranges))
            if step != FALSE:
                leading.setdefault(edge.source, []).append(step)
        here: dict[int, list[Condition]] = {}
        for state in range(automaton.count):
            for reached in automaton.closure[state]:
                if reached in leading:
                    here.setdefault(state, []).extend(leading[reached])
            if there != TRUE and state in after:
                here.setdefault(state, []).append(both(after[state], negated(there)))
        found.append({state: either(*conditions) for state, conditions in here.items()})
    return found[::-1]
