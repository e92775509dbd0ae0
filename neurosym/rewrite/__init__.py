"""Rewriting: named codemods on libcst, each listed with its diff, and a map back to the original lines.

``rewrite`` uses some of them on a text, in a killable process. Nothing to do gives the text back byte for byte. What
comes out is a new text with a hash of its own: whoever wants to run it leads it through the gate again.
"""

from __future__ import annotations

import base64
import difflib
import pickle
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

from neurosym_specs.model import Spec

from neurosym.rewrite.codemod import SAYS, Group, names_of
from neurosym.rewrite.edits import Edit, Edited, SourceMap
from neurosym.source import Delivered, sha256_of
from neurosym.workers import Broken, Limits, Worker

__all__ = ["Group", "Rewrite", "RewriteFault", "Rewriting", "names_of", "rewrite", "shared_rewriter"]

LIMITS = Limits(wall_s=30.0, cpu_s=10.0, memory_bytes=2 * 2**30)


@dataclass(frozen=True, slots=True)
class Rewrite:
    """One codemod that had something to do: what it ``says`` it does, and its unified ``diff``."""

    name: str
    says: str
    diff: str
    seconds: float


@dataclass(frozen=True, slots=True)
class Rewriting:
    """What became of ``original``: ``source``, by ``rewrites``, in their order. ``failed``: codemods that could not."""

    original: Delivered
    source: Delivered
    rewrites: tuple[Rewrite, ...]
    back: SourceMap
    failed: tuple[str, ...] = ()
    seconds: float = 0.0

    def then(self, later: Rewriting) -> Rewriting:
        """Both, one after the other, with the way back through both."""
        return Rewriting(
            self.original,
            later.source,
            self.rewrites + later.rewrites,
            SourceMap(self.original.text, (*self.back.edited, *later.back.edited)),
            self.failed + later.failed,
            self.seconds + later.seconds,
        )


@dataclass(frozen=True, slots=True)
class RewriteFault:
    """The rewriting failed, and ``why``: the text is as it was."""

    why: str


@cache
def shared_rewriter() -> Worker:
    """The one process that rewrites for this one; started when it is first wanted."""
    return Worker(Path(__file__).with_name("service.py"), called="the rewriting", limits=LIMITS)


def rewrite(
    source: Delivered,
    spec: Spec,
    codemods: Sequence[str],
    *,
    options: Mapping[str, Any] | None = None,
    worker: Worker | None = None,
) -> Rewriting | RewriteFault:
    """Uses the codemods on a text, in their order. ``options``: plain JSON values, for the codemods that take any."""
    said = (worker or shared_rewriter()).ask(
        {
            "text": source.text,
            "spec": base64.b64encode(pickle.dumps(spec)).decode(),
            "codemods": list(codemods),
            "options": dict(options or {}),
        }
    )
    if isinstance(said, Broken):
        return RewriteFault(said.why)
    text, seconds = source.text, 0.0
    edited: list[Edited] = []
    rewrites: list[Rewrite] = []
    failed: list[str] = []
    for each in said["passes"]:
        name, seconds = str(each["codemod"]), seconds + float(each["seconds"])
        if each["failed"]:
            failed.append(f"{name}: {each['failed']}")
        if each["edits"]:
            after = Edited(text, [Edit(int(start), int(stop), str(new)) for start, stop, new in each["edits"]])
            edited.append(after)
            rewrites.append(Rewrite(name, SAYS[name], diff(text, after.text), float(each["seconds"])))
            text = after.text
    changed = replace(source, text=text, sha256=sha256_of(text.encode())) if edited else source
    return Rewriting(source, changed, tuple(rewrites), SourceMap(source.text, edited), tuple(failed), seconds)


def diff(before: str, after: str) -> str:
    """The difference of two texts as a unified diff with one line around each change."""
    lines = difflib.unified_diff(_lines(before), _lines(after), "before", "after", lineterm="", n=1)
    return "\n".join(line.rstrip("\r\n") for line in lines)


def _lines(text: str) -> list[str]:
    return text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
