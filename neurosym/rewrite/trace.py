"""Records the value of each assignment, in a copy that explains and is never judged.

What the copy calls is defined before it (``copies``).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import libcst as cst

from neurosym.rewrite.draft import Draft, walk
from neurosym.rewrite.edits import Edit
from neurosym.rewrite.inserting import at_start, behind


def find(draft: Draft) -> Sequence[Edit]:
    """Calls ``neurosym_note(line, name, value)`` behind each assignment to a name, and around what is returned."""
    if not draft.is_code:
        return ()
    return [edit for node in walk(draft.concrete) for edit in _edits(draft, node)]


def _edits(draft: Draft, node: cst.CSTNode) -> Iterator[Edit]:
    match node:
        case cst.Assign(targets=targets):
            names = [name for target in targets for name in _names(target.target)]
            yield from _notes(draft, node, names)
        case cst.AugAssign(target=target) | cst.AnnAssign(target=target, value=cst.BaseExpression()):
            yield from _notes(draft, node, list(_names(target)))
        case cst.For(target=target, body=body):
            names = list(_names(target))
            if names:
                yield at_start(draft, body, "; ".join(_note(draft, node, name) for name in names))
        case cst.Return(value=cst.BaseExpression() as value):
            start, stop = draft.full_span(value)
            opening = f"neurosym_note({draft.line(node)}, 'return', "
            spaced = " " if draft.text[start - 1 : start].isalpha() else ""
            bare = isinstance(value, cst.Tuple) and not value.lpar
            yield Edit(start, start, f"{spaced}{opening}{'(' if bare else ''}")
            yield Edit(stop, stop, "))" if bare else ")")
        case _:
            pass


def _notes(draft: Draft, node: cst.BaseSmallStatement, names: Sequence[str]) -> Iterator[Edit]:
    if names and not isinstance(_holder(draft, node), cst.ClassDef):
        yield behind(draft, node, "; ".join(_note(draft, node, name) for name in names))


def _holder(draft: Draft, node: cst.CSTNode) -> cst.CSTNode:
    """The function, class or module that a statement belongs to."""
    while not isinstance(node, cst.FunctionDef | cst.ClassDef | cst.Module):
        node = draft.parent(node)
    return node


def _note(draft: Draft, node: cst.CSTNode, name: str) -> str:
    return f"neurosym_note({draft.line(node)}, {name!r}, {name})"


def _names(target: cst.CSTNode) -> Iterator[str]:
    match target:
        case cst.Name(value=name):
            yield name
        case cst.Tuple(elements=elements) | cst.List(elements=elements):
            for element in elements:
                yield from _names(element.value)
        case _:
            pass
