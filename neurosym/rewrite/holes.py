"""Fills the holes of a sketch: ``hole("rate")`` is replaced by a value (``neurosym_specs.sketch`` says how)."""

from __future__ import annotations

from collections.abc import Sequence

from neurosym_specs.sketch import HOLE, openings_in, outermost, replacement

from neurosym.rewrite.draft import Draft
from neurosym.rewrite.edits import Edit


def find(draft: Draft) -> Sequence[Edit]:
    """Replaces each hole whose name is in ``options["values"]`` by the Python that stands there for it."""
    given = draft.options.get("values")
    if not draft.is_code or not isinstance(given, dict) or draft.names.is_bound(HOLE):
        return ()
    values = {str(name): str(value) for name, value in given.items()}
    openings = openings_in(draft.text, draft.module)
    edits = [
        Edit(each.start, each.stop, replacement(draft.text, openings, values, each)) for each in outermost(openings)
    ]
    return [each for each in edits if each.text != draft.text[each.start : each.stop]]
