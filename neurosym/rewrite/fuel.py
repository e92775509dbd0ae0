"""Counts the rounds of each loop and the calls of each function, in a copy that explains and is never judged.

Where the budget is spent, the copy ends at once and names what spent it: the loop, or the function that calls itself.
"""

from __future__ import annotations

from collections.abc import Sequence

import libcst as cst

from neurosym.rewrite.copies import CALLS_PER_ROUND
from neurosym.rewrite.draft import Draft, walk
from neurosym.rewrite.edits import Edit
from neurosym.rewrite.inserting import at_start


def find(draft: Draft) -> Sequence[Edit]:
    """Calls ``neurosym_burn(line, weight, inner)`` at the start of each loop's round and of each function."""
    if not draft.is_code:
        return ()
    return [
        at_start(draft, node.body, f"neurosym_burn({draft.line(node)}, {_weight(node)}, {_inner(draft, node)})")
        for node in walk(draft.concrete)
        if isinstance(node, cst.For | cst.While | cst.FunctionDef)
    ]


def _weight(node: cst.CSTNode) -> str:
    """How much of the budget a round takes."""
    return f"1 / {CALLS_PER_ROUND}" if isinstance(node, cst.FunctionDef) else "1"


def _inner(draft: Draft, node: cst.For | cst.While | cst.FunctionDef) -> tuple[int, ...]:
    """The lines of the loops inside: a new round of this one is a new start for them, and it is this that goes on."""
    if isinstance(node, cst.FunctionDef):
        return ()
    return tuple(draft.line(each) for each in walk(node.body) if isinstance(each, cst.For | cst.While))
