"""Takes out what runs only when the file is a script."""

from __future__ import annotations

from collections.abc import Sequence

import libcst as cst

from neurosym.gate._security import is_main_test
from neurosym.rewrite.draft import Draft
from neurosym.rewrite.edits import Edit


def find(draft: Draft) -> Sequence[Edit]:
    """Deletes ``if __name__ == "__main__":`` blocks that have no ``else``."""
    if not draft.is_code or "__main__" not in draft.text:
        return ()
    blocks = [
        node
        for node in draft.concrete.body
        if isinstance(node, cst.If)
        and node.orelse is None
        and (test := draft.abstract(node.test)) is not None
        and is_main_test(test)
    ]
    return draft.removals([*blocks])
