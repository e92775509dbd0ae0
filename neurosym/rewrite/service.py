"""The service that rewrites: codemods on libcst, in a process of its own (``neurosym.workers``)."""

from __future__ import annotations

import base64
import pickle
import sys
import threading
import time
from collections.abc import Callable, Sequence
from importlib import import_module
from typing import Any

import libcst.metadata
from neurosym_specs.model import Spec

from neurosym.rewrite.codemod import HOME
from neurosym.rewrite.draft import Draft, Unreadable, parsed
from neurosym.rewrite.edits import Edit, Edited

_STACK_BYTES = 256 * 2**20
_MODULES = {name: module for group in HOME.values() for name, module in group.items()}


class Rewriter:
    """Uses codemods one after the other, each on what the one before it left."""

    name = "the rewriting"

    def __init__(self) -> None:
        self._find: dict[str, Callable[[Draft], Sequence[Edit]]]
        self._find = {name: import_module(module).find for name, module in _MODULES.items()}
        libcst.metadata.MetadataWrapper(libcst.parse_module("x = 1\n"))  # what is loaded on first use is loaded now

    def greet(self, ask: Callable[[dict[str, Any]], dict[str, Any]]) -> dict[str, Any]:
        """Nothing has to be known before the first text."""
        return {}

    def answer(self, request: dict[str, Any]) -> dict[str, Any]:
        """For each codemod of the request its edits and its time, and what failed of it."""
        # The spec is the host's own object: nothing that a candidate or a model wrote is ever unpickled.
        spec: Spec = pickle.loads(base64.b64decode(request["spec"]))
        found: list[dict[str, Any]] = []
        sys.setrecursionlimit(50_000)
        threading.stack_size(_STACK_BYTES)
        work = threading.Thread(target=self._rewrite, args=(request, spec, found))
        work.start()
        work.join()
        if len(found) != len(request["codemods"]):
            raise RuntimeError("the codemods came to no end")
        return {"passes": found}

    def _rewrite(self, request: dict[str, Any], spec: Spec, found: list[dict[str, Any]]) -> None:
        text: str = request["text"]
        for name in request["codemods"]:
            begun = time.perf_counter()
            passed: dict[str, Any] = {"codemod": name, "edits": [], "failed": ""}
            try:
                edits = self._find[name](Draft(text, spec, request["options"]))
                after = Edited(text, edits).text
                if edits and after != text:
                    if parsed(text) is not None and parsed(after) is None:
                        raise ValueError("what it makes of the text is no Python")
                    passed["edits"] = [[edit.start, edit.stop, edit.text] for edit in edits]
                    text = after
            except Unreadable:
                pass
            except Exception as error:
                passed["failed"] = f"{type(error).__name__}: {error}"
            passed["seconds"] = time.perf_counter() - begun
            found.append(passed)


def prepare(argument: str) -> Rewriter:
    """Takes no argument."""
    return Rewriter()
