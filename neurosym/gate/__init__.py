"""The gate: what can be said of a candidate before anything of it has run.

One step for each idea, each returning a value: its result, or the ``Diagnostic`` that ends the way. Nothing here
imports or executes a candidate, and everything is bounded before a parser sees it. ``enter`` is the order of the steps.
"""

from __future__ import annotations

import ast
import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import ParamSpec, TypeAlias, TypeVar

from neurosym_specs.model import Spec
from neurosym_specs.signature import declarations

from neurosym.diagnostics import Diagnostic, Note, Step
from neurosym.gate._caps import measure_text, measure_tree
from neurosym.gate._certain import Certain
from neurosym.gate._classes import check_classes
from neurosym.gate._constants import measure_constants
from neurosym.gate._decoding import decode
from neurosym.gate._floats import find_floats
from neurosym.gate._function import find_function
from neurosym.gate._hallucinations import find_hallucinations
from neurosym.gate._imports import OwnNames, check_imports
from neurosym.gate._impure import find_impure
from neurosym.gate._names import Names, given_names
from neurosym.gate._own_modules import follow
from neurosym.gate._parsing import ParserFault, parse, shared_parser
from neurosym.gate._place import at_most
from neurosym.gate._reading import LIMIT_BYTES, read
from neurosym.gate._security import check_security
from neurosym.gate._types import TypeFault, Types, TypeWorker, check_types, shared_worker
from neurosym.gate._ways_out import find_ways_out
from neurosym.source import Candidate, Delivered, OwnPackage, Source, name_of

__all__ = [
    "LIMIT_BYTES",
    "Entry",
    "Faulted",
    "Passed",
    "Step",
    "Stopped",
    "TypeWorker",
    "Types",
    "enter",
    "parsed",
    "read",
    "wait_until_warm",
    "warm_up",
]

_P = ParamSpec("_P")
_R = TypeVar("_R")


@dataclass(frozen=True, slots=True)
class Passed:
    """The candidate may run. ``objections`` offend a policy that is not about security: judged, but not admitted."""

    source: Delivered
    notes: tuple[Note, ...] = ()
    objections: tuple[Diagnostic, ...] = ()
    steps: tuple[Step, ...] = ()


@dataclass(frozen=True, slots=True)
class Stopped:
    """The candidate may not run; the first of the ``diagnostics`` leads. ``source`` is None where no text was read."""

    diagnostics: tuple[Diagnostic, ...]
    source: Delivered | None = None
    notes: tuple[Note, ...] = ()
    objections: tuple[Diagnostic, ...] = ()
    steps: tuple[Step, ...] = ()


@dataclass(frozen=True, slots=True)
class Faulted:
    """The gate itself failed: a step has no answer, which is not the same as passed."""

    why: str
    source: Delivered | None = None
    notes: tuple[Note, ...] = ()
    objections: tuple[Diagnostic, ...] = ()
    steps: tuple[Step, ...] = ()
    trace: str = ""


Entry: TypeAlias = Passed | Stopped | Faulted


def parsed(candidate: Candidate) -> Delivered | Diagnostic | Faulted:
    """The text of what Python can parse, behind the caps that stand before every parser; what stops it else.

    The first steps of ``enter``, for what is no candidate yet.
    """
    raw = read(candidate)
    decoded = raw if isinstance(raw, Diagnostic) else decode(raw, name_of(candidate))
    if isinstance(decoded, Diagnostic):
        return decoded
    source = decoded.source
    tree = measure_text(source) or parse(source)
    if isinstance(tree, ParserFault):
        return Faulted(tree.why, source)
    if isinstance(tree, Diagnostic):
        return tree
    return measure_tree(tree, source) or measure_constants(tree, source) or source


def enter(candidate: Candidate, spec: Spec, types: Types = Types.SURE, worker: TypeWorker | None = None) -> Entry:
    """Leads a candidate through the steps of the gate; stops at the first that it does not pass.

    ``worker`` is the type checker's; by default the one that this process shares.
    """
    clock = _Clock()
    raw = clock.time("read", read, candidate)
    if isinstance(raw, Diagnostic):
        return Stopped((raw,), steps=clock.steps)
    decoded = clock.time("encoding", decode, raw, name_of(candidate))
    if isinstance(decoded, Diagnostic):
        return Stopped((decoded,), steps=clock.steps)
    source, notes = decoded.source, decoded.notes
    if too_deep := clock.time("nesting", measure_text, source):
        return Stopped((too_deep,), source, notes, steps=clock.steps)
    tree = clock.time("syntax", parse, source)
    if isinstance(tree, ParserFault):
        return Faulted(tree.why, source, notes, steps=clock.steps)
    if isinstance(tree, Diagnostic):
        return Stopped((tree,), source, notes, steps=clock.steps)
    if too_large := clock.time("size", measure_tree, tree, source):
        return Stopped((too_large,), source, notes, steps=clock.steps)
    if endless := clock.time("constants", measure_constants, tree, source):
        return Stopped((endless,), source, notes, steps=clock.steps)
    package = candidate.package if isinstance(candidate, Source) else None
    own: OwnNames | None = None
    objections: tuple[Diagnostic, ...] = ()
    if package is not None:
        followed = clock.time("own modules", follow, tree, source, package, spec)
        if isinstance(followed, ParserFault):
            return Faulted(followed.why, source, notes, steps=clock.steps)
        if followed.wrong:
            return Stopped(followed.wrong, source, notes, followed.objections, clock.steps)
        objections = followed.objections
        own = OwnNames(package.module, package.is_package, frozenset(each.name for each in package.modules))
        if followed.package is not None:
            source, types = replace(source, package=followed.package), Types.OFF
            notes = (*notes, _judged_with(followed.package))
    return _read_tree(tree, spec, source, notes, types, worker, clock, own, objections)


def _judged_with(package: OwnPackage) -> Note:
    names = ", ".join(each.name for each in package.modules)
    said = f"it is run with modules of its own package ({names}): it can be tested so, and not proved"
    return Note("NS404", f"{said}, and its types are left to the project's own checks")


def warm_up(types: Types = Types.SURE) -> None:
    """Starts the gate's processes and waits for none: they are ready when the first candidate comes to them."""
    shared_parser().start()
    if types is not Types.OFF:
        shared_worker().start()


def wait_until_warm() -> None:
    """Waits for the type checker, so that its start is not counted as a candidate's time."""
    shared_worker().wait()


def _read_tree(
    tree: ast.Module,
    spec: Spec,
    source: Delivered,
    notes: tuple[Note, ...],
    types: Types,
    worker: TypeWorker | None,
    clock: _Clock,
    own: OwnNames | None,
    objections: tuple[Diagnostic, ...],
) -> Entry:
    """The steps that read the tree. They are independent of each other: who has several wrong hears of all."""
    names = clock.time("names", Names, tree, given_names(declarations(spec)))
    found = clock.time("function", find_function, tree, spec, source)
    classes = clock.time("classes", check_classes, tree, spec, source)
    imports = clock.time("imports", check_imports, tree, spec, source, own)
    ways_out = clock.time("ways out", find_ways_out, tree, names, spec, source)
    security = clock.time("security", check_security, tree, names, source)
    impure = clock.time("purity", find_impure, tree, names)
    certain = Certain(tree, names, spec)
    its_own = own.known if own is not None else frozenset()
    missing = clock.time("existence", find_hallucinations, tree, names, certain, source, its_own)
    floats = clock.time("floats", find_floats, tree, names, certain, spec, source)
    floats = objections + floats
    wrong = (found, *imports) if isinstance(found, Diagnostic) else imports
    missing = tuple(each for each in missing if each.line not in {other.line for other in imports})
    wrong += classes + ways_out + security.diagnostics + missing
    notes += (() if isinstance(found, Diagnostic) else found.notes) + security.notes + impure
    notes = at_most(notes)
    if wrong:
        return Stopped(wrong, source, notes, floats, clock.steps)
    if types is Types.OFF:
        return Passed(source, notes, floats, clock.steps)
    checked = clock.time("types", check_types, tree, certain, spec, source, types, worker or shared_worker())
    if isinstance(checked, TypeFault):
        return Faulted(checked.why, source, notes, floats, clock.steps)
    notes += at_most(checked.notes)
    if checked.diagnostics:
        return Stopped(checked.diagnostics, source, notes, floats, clock.steps)
    return Passed(source, notes, floats, clock.steps)


@dataclass(slots=True)
class _Clock:
    """Keeps how long each step took."""

    _steps: list[Step] = field(default_factory=list)

    @property
    def steps(self) -> tuple[Step, ...]:
        return tuple(self._steps)

    def time(self, name: str, step: Callable[_P, _R], *args: _P.args, **kwargs: _P.kwargs) -> _R:
        begun = time.perf_counter()
        try:
            return step(*args, **kwargs)
        finally:
            self._steps.append(Step(name, time.perf_counter() - begun))
