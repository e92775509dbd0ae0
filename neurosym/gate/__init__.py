"""The gate: what can be said of a candidate before anything of it has run.

One step for each idea, each returning a value: its result, or the ``Diagnostic`` that ends the way. Nothing here
imports or executes a candidate, and everything is bounded before a parser sees it.
"""

from __future__ import annotations

from dataclasses import dataclass

from neurosym_specs.model import Spec

from neurosym.diagnostics import Diagnostic, Note
from neurosym.gate._caps import measure_text, measure_tree
from neurosym.gate._decoding import decode
from neurosym.gate._function import find_function
from neurosym.gate._imports import check_imports
from neurosym.gate._parsing import parse
from neurosym.gate._reading import LIMIT_BYTES, read
from neurosym.source import Candidate, Delivered, name_of

__all__ = ["LIMIT_BYTES", "Passed", "Stopped", "enter"]


@dataclass(frozen=True, slots=True)
class Passed:
    """The candidate may run. ``objections`` offend a policy that is not about security: judged, but not admitted."""

    source: Delivered
    notes: tuple[Note, ...] = ()
    objections: tuple[Diagnostic, ...] = ()


@dataclass(frozen=True, slots=True)
class Stopped:
    """The candidate may not run; the first of the ``diagnostics`` leads. ``source`` is None where no text was read."""

    diagnostics: tuple[Diagnostic, ...]
    source: Delivered | None = None
    notes: tuple[Note, ...] = ()
    objections: tuple[Diagnostic, ...] = ()


def enter(candidate: Candidate, spec: Spec) -> Passed | Stopped:
    """Leads a candidate through the steps of the gate; stops at the first that it does not pass."""
    raw = read(candidate)
    if isinstance(raw, Diagnostic):
        return Stopped((raw,))
    decoded = decode(raw, name_of(candidate))
    if isinstance(decoded, Diagnostic):
        return Stopped((decoded,))
    source, notes = decoded.source, decoded.notes
    if too_deep := measure_text(source):
        return Stopped((too_deep,), source, notes)
    tree = parse(source)
    if isinstance(tree, Diagnostic):
        return Stopped((tree,), source, notes)
    if too_large := measure_tree(tree, source):
        return Stopped((too_large,), source, notes)
    # The function and the imports are independent of each other: who has both wrong hears of both.
    found = find_function(tree, spec, source)
    imports = check_imports(tree, spec, source)
    if isinstance(found, Diagnostic):
        return Stopped((found, *imports), source, notes)
    if imports:
        return Stopped(imports, source, notes + found.notes)
    return Passed(source, notes + found.notes)
