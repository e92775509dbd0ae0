"""What is asked for beside the spec: how a candidate is read, rewritten, explained."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from neurosym.gate import Types
from neurosym.rewrite import Group, names_of

_READY = ("fences", "prose", "main-block", "prints")


@dataclass(frozen=True, slots=True)
class Options:
    """What the pipeline does with one candidate.

    ``rewrites`` are the codemods that are used before it is judged. ``script`` is the name of the result of a program
    that is no function, empty where the candidate defines one. ``fix``: a float in a calculation with decimals is
    answered with an exact version and the verdict on it. ``explain``: a refutation with what happened on the way;
    ``slices``: and with the results around it, for a plot.
    """

    types: Types = Types.SURE
    rewrites: tuple[str, ...] = ()
    script: str = ""
    fix: bool = False
    explain: bool = True
    slices: bool = False


def codemods(
    *, mend: bool, skip: Collection[str] = (), script: bool = False, deliver: bool = False, contract: bool = False
) -> tuple[str, ...]:
    """The codemods that are asked for, in the order in which they are used.

    A script becomes a function when its fences and prints are gone, and before its function's name is asked for.
    """
    menders = [name for name in names_of(Group.MEND) if mend and name not in skip]
    early = [name for name in menders if name in _READY]
    late = [name for name in menders if name not in _READY]
    delivered = (["contract"] if contract else []) + (["declared", "tidy"] if deliver else [])
    return (*early, *(names_of(Group.SCRIPT) if script else ()), *late, *delivered)
