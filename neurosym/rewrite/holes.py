"""Fills the holes of a sketch: ``hole("rate")`` is replaced by a value."""

from __future__ import annotations

import ast
from collections.abc import Sequence

import libcst as cst

from neurosym.rewrite.draft import Draft
from neurosym.rewrite.edits import Edit


def find(draft: Draft) -> Sequence[Edit]:
    """Replaces each hole whose name is in ``options["values"]`` by the Python that stands there for it."""
    values = draft.options.get("values")
    if not draft.is_code or not isinstance(values, dict) or draft.names.is_bound("hole"):
        return ()
    edits = []
    for call in draft.all_of(cst.Call):
        if isinstance(call.func, cst.Name) and call.func.value == "hole" and call.args:
            name = draft.abstract(call.args[0].value)
            if isinstance(name, ast.Constant) and name.value in values:
                edits.append(Edit(*draft.span(call), str(values[name.value])))
    return edits
