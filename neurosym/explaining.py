"""What happened on the way to a refutation: copies of the program that record its values, or count its rounds.

A copy only explains. The verdict is about the program itself, and stands before any copy runs.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from neurosym_sandbox import LoadFailed, Program, Returned
from neurosym_sandbox.limits import Limits
from neurosym_specs.errors import Place
from neurosym_specs.expr.evaluate import Evaluator, Scope
from neurosym_specs.model import Spec
from neurosym_specs.notation import from_plain
from neurosym_specs.semantics import Accepted, admission
from neurosym_specs.signature import declarations
from neurosym_specs.verdicts import Counterexample, FailureClass
from neurosym_verifiers.bench import Bench
from neurosym_verifiers.calls import arguments

from neurosym import departures
from neurosym.departures import Departure, Recorded
from neurosym.rewrite import Group, Rewriting, copies, names_of, rewrite
from neurosym.source import Delivered, sha256_of

ROUNDS = 20_000
_ENDLESS = frozenset({FailureClass.TIMEOUT})
_SLOWER = 10  # the reference may be slower than a candidate


@dataclass(frozen=True, slots=True)
class TraceStep:
    """An assignment that was made: the line, the name, and the value in Python's notation; ``return`` is a name too."""

    line: int
    name: str
    value: str


@dataclass(frozen=True, slots=True)
class Explanation:
    """What a refuted call did. ``endless_line``: the loop or function that went on for more than ``ROUNDS`` rounds."""

    steps: tuple[TraceStep, ...] = ()
    departure: Departure | None = None
    endless_line: int | None = None


def explain(
    spec: Spec,
    bench: Bench,
    source: Delivered,
    found: Counterexample,
    rewriting: Rewriting | None,
    right: Delivered | None = None,
) -> Explanation | None:
    """What happened on one call that broke a promise, in the lines of the original; None where it cannot be told.

    ``source`` is what was judged. ``right``: a version of it that was found right, line by line, to compare with.
    """
    if len(found.inputs) != 1:
        return None
    inputs = {name: from_plain(type_, found.inputs[0][name], Place()) for name, type_ in spec.inputs.items()}
    if found.failure in _ENDLESS:
        line = _spent(_run(spec, bench, source, Group.FUEL, inputs))
        return Explanation(endless_line=_back(line, rewriting)) if line else None
    recorded = _recorded(_run(spec, bench, source, Group.TRACE, inputs))
    if not recorded:
        return None
    scope = Evaluator(spec).bind(inputs)
    departure = departures.from_lets(spec, scope, recorded)
    if departure is None and spec.reference is not None and spec.reference.python is not None:
        departure = departures.from_reference(recorded, _reference(spec, bench, inputs, scope))
    if departure is None and right is not None:
        departure = departures.from_run(recorded, _recorded(_run(spec, bench, right, Group.TRACE, inputs)))
    steps = tuple(TraceStep(_back(each.line, rewriting), each.name, _text(each)) for each in recorded)
    if departure is not None:
        departure = replace(departure, line=_back(departure.line, rewriting))
    return Explanation(steps, departure)


def trace_of(
    spec: Spec, bench: Bench, source: Delivered, inputs: dict[str, Any], returned: object
) -> tuple[TraceStep, ...]:
    """The assignments of a call that returned, in the lines of ``source``; nothing where the copy that records them
    does not come to the same result. What is beyond the longest trace is left out."""
    recorded = _recorded(_run(spec, bench, source, Group.TRACE, inputs))
    if not recorded:
        return ()
    last = recorded[-1]
    is_cut = len(recorded) >= copies.MOST_STEPS
    is_same = last.name == departures.RETURNED and (not last.exact or last.value == returned)
    if not is_cut and not is_same:
        return ()
    return tuple(TraceStep(each.line, each.name, _text(each)) for each in recorded)


def _reference(spec: Spec, bench: Bench, inputs: dict[str, Any], scope: Scope) -> list[Recorded]:
    """The steps of the spec's Python reference, if it has an answer for these inputs."""
    assert spec.reference is not None
    assert spec.reference.python is not None
    if not isinstance(admission(spec, scope), Accepted):
        return []
    text = spec.reference.python
    source = Delivered("the reference", text, sha256_of(text.encode()))
    recorded = _recorded(_run(spec, bench, source, Group.TRACE, inputs, slower=_SLOWER))
    is_whole = len(recorded) >= copies.MOST_STEPS or (recorded and recorded[-1].name == departures.RETURNED)
    return recorded if is_whole else []


def _back(line: int, rewriting: Rewriting | None) -> int:
    return rewriting.back.place(line)[0] if rewriting else line


def _run(spec: Spec, bench: Bench, source: Delivered, group: Group, inputs: dict[str, Any], *, slower: int = 1) -> Any:
    """What a copy tells, None where it does not come to that. ``slower``: how much more time it may take."""
    copy = rewrite(source, spec, names_of(group))
    if not isinstance(copy, Rewriting) or not copy.rewrites:
        return None
    prelude = f"{declarations(spec)}\n{copies.prelude(group, spec.name, ROUNDS)}"
    program = Program(copy.source.text, copies.ENTRY[group], prelude, spec.policy.imports)
    time_s, memory_bytes = 2 * slower * spec.policy.time_limit_s, 4 * spec.policy.memory_limit_bytes
    limits = Limits(time_s=time_s, memory_bytes=memory_bytes)
    with bench.jail(0).open(program, limits) as session:
        if isinstance(session.loaded, LoadFailed):
            return None
        outcome = session.call(arguments(spec, inputs))
    return outcome.value if isinstance(outcome, Returned) else None


def _spent(told: Any) -> int:
    match told:
        case (int(line), int(rounds)) if rounds > ROUNDS:
            return line
        case _:
            return 0


def _recorded(told: Any) -> list[Recorded]:
    """The steps, as far as what came from the jail looks like some."""
    found: list[Recorded] = []
    for step in told if isinstance(told, list) else ():
        match step:
            case (int(line), str(name), bool(exact), value):
                found.append(Recorded(line, name, exact, value))
            case _:
                return []
    return found


def _text(step: Recorded) -> str:
    return repr(step.value) if step.exact else str(step.value)
