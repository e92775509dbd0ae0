"""The last step of the gate: mypy, strict, against the signature that the spec implies. See ``findings``."""

from __future__ import annotations

import ast
from dataclasses import dataclass

from neurosym_specs.model import Spec

from neurosym.gate._certain import Certain
from neurosym.gate._types.copy import make_copy
from neurosym.gate._types.findings import TypeFindings, Types, sort_out
from neurosym.gate._types.lines import is_closed, read_lines
from neurosym.gate._types.worker import Broken, TypeWorker, shared_worker
from neurosym.source import Delivered

__all__ = ["TypeFault", "TypeFindings", "TypeWorker", "Types", "check_types", "shared_worker"]


@dataclass(frozen=True, slots=True)
class TypeFault:
    """The type checker failed on this candidate: its types were not checked, which is not the same as right."""

    why: str


def check_types(
    tree: ast.Module, certain: Certain, spec: Spec | None, source: Delivered, types: Types, worker: TypeWorker
) -> TypeFindings | TypeFault:
    """What mypy finds. ``spec`` None: a module that nothing is promised of."""
    copy = make_copy(tree, certain.names, spec, source)
    said = worker.check(copy.text)
    if isinstance(said, Broken):
        return TypeFault(said.why)
    lines = read_lines(said, copy)
    found = sort_out(
        lines, tree, certain, spec, source, strict=types is Types.STRICT, closed=is_closed(said, lines, copy)
    )
    return TypeFindings(found.diagnostics, (*copy.notes, *found.notes))
