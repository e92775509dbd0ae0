"""Takes the code out of its markdown fences, where only one reading is possible.

The block that defines the function is meant, with the blocks before it that define what it uses. Where two different
blocks define the function, nobody but the writer knows which is meant, and nothing is done.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Sequence

from neurosym.fences import Block, code_blocks
from neurosym.gate._names import Names
from neurosym.rewrite.draft import Draft, parsed
from neurosym.rewrite.edits import Edit

_DEFINES = (ast.FunctionDef, ast.ClassDef, ast.Import, ast.ImportFrom, ast.Assign, ast.AnnAssign)


def find(draft: Draft) -> Sequence[Edit]:
    """Deletes everything around the blocks that are meant."""
    if draft.is_code and any(isinstance(each, ast.FunctionDef) for each in draft.module.body):
        return ()
    blocks = code_blocks(draft.text, lambda text: parsed(text) is not None)
    edits: list[Edit] = []
    at = 0
    for block in _meant(draft, blocks):
        separator = "\n" if edits else ""
        for start, stop in block.pieces:
            edits.append(Edit(at, start, separator))
            at, separator = stop, ""
    return [*edits, Edit(at, len(draft.text), "")] if edits else ()


def _meant(draft: Draft, blocks: Sequence[Block]) -> list[Block]:
    texts = [block.of(draft.text) for block in blocks]
    head = re.compile(rf"^(?:async )?def {re.escape(draft.spec.name)}\b", re.MULTILINE)
    defining = [at for at, text in enumerate(texts) if head.search(text)]
    defining = defining or [at for at, text in enumerate(texts) if re.search(r"^def \w", text, re.MULTILINE)]
    if len(blocks) == 1:
        defining = [0]
    if not defining or len({texts[at].strip() for at in defining}) > 1:
        return []
    main = defining[-1]
    chosen, needed = [blocks[main]], _needs(texts[main])
    for at in range(main - 1, -1, -1):
        tree = parsed(texts[at])
        if tree is None or at in defining or not all(isinstance(each, _DEFINES) for each in tree.body):
            continue
        if needed & _binds(tree):
            chosen.insert(0, blocks[at])
            needed |= _needs(texts[at])
    return chosen


def _needs(text: str) -> set[str]:
    """The names that a text reads and does not bind."""
    tree = parsed(text)
    if tree is None:
        return set()
    names = Names(tree)
    read = {n.id for n in ast.walk(tree) if isinstance(n, ast.Name)}
    return {name for name in read if not names.is_bound(name) and not names.is_imported(name)}


def _binds(tree: ast.Module) -> set[str]:
    """The names that a module of definitions binds."""
    found: set[str] = set()
    for statement in tree.body:
        match statement:
            case ast.FunctionDef(name=name) | ast.ClassDef(name=name):
                found.add(name)
            case ast.Import(names=names) | ast.ImportFrom(names=names):
                found |= {(each.asname or each.name).split(".")[0] for each in names}
            case _:
                found |= {n.id for n in ast.walk(statement) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
    return found
