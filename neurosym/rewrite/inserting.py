"""Statements put before, behind and between those of a text, in a way that no line begins elsewhere than it did."""

from __future__ import annotations

import libcst as cst

from neurosym.rewrite.draft import Draft
from neurosym.rewrite.edits import Edit


def at_start(draft: Draft, body: cst.BaseSuite, call: str) -> Edit:
    """Puts a call at the start of a block, behind its docstring's place being of no matter to a copy."""
    if isinstance(body, cst.SimpleStatementSuite):
        start = draft.span(body.body[0])[0]
        return Edit(start, start, f"{call}; ")
    first = body.body[0]
    start = draft.span(first)[0]
    if isinstance(first, cst.FunctionDef | cst.ClassDef) and first.decorators:
        start = draft.span(first.decorators[0])[0]
    if isinstance(first, cst.SimpleStatementLine):
        return Edit(start, start, f"{call}; ")
    return Edit(start, start, f"{call}{draft.newline}{draft.indent_at(start)}")


def behind(draft: Draft, statement: cst.BaseSmallStatement, call: str) -> Edit:
    """Puts a call behind a statement, on its line."""
    stop = draft.span(statement)[1]
    return Edit(stop, stop, f"; {call}")
