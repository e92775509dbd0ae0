"""Takes decorators away that are contracts of icontract or deal, with their imports: the spec says what they said."""

from __future__ import annotations

from collections.abc import Sequence

import libcst as cst

from neurosym.contracts.program import LIBRARIES, Program, taken_away
from neurosym.rewrite.draft import Draft
from neurosym.rewrite.edits import Edit


def find(draft: Draft) -> Sequence[Edit]:
    """Deletes the decorators, wherever they stand, and then the imports at the top level."""
    if not draft.is_code or not any(library in draft.text for library in LIBRARIES):
        return ()
    program = Program(draft.module)
    known = {id(each) for _, found in program.decorated for each in found}
    edits = [
        draft.removal(each)
        for each in draft.all_of(cst.Decorator)
        if (abstract := draft.abstract(each.decorator)) is not None and id(abstract) in known
    ]
    lines = {node.lineno for node in draft.module.body if taken_away(node)}
    imports = [
        each for each in draft.concrete.body if isinstance(each, cst.SimpleStatementLine) and draft.line(each) in lines
    ]
    return [*edits, *(draft.removal(each) for each in imports if len(each.body) == 1)]
