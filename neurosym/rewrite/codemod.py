"""The codemods by name. Each is a module with one function ``find``, which finds its edits in a draft."""

from __future__ import annotations

from enum import StrEnum


class Group(StrEnum):
    """What codemods are for."""

    MEND = "mend"
    EXACT = "exact"
    TRACE = "trace"
    FUEL = "fuel"
    HOLES = "holes"
    SCRIPT = "script"
    DELIVER = "deliver"
    CONTRACTS = "contracts"


HOME = {
    Group.SCRIPT: {"script": "neurosym.rewrite.script"},
    Group.HOLES: {"holes": "neurosym.rewrite.holes"},
    Group.MEND: {
        "fences": "neurosym.rewrite.mend.fences",
        "prose": "neurosym.rewrite.mend.prose",
        "main-block": "neurosym.rewrite.mend.main_block",
        "prints": "neurosym.rewrite.mend.prints",
        "name": "neurosym.rewrite.mend.name",
        "imports": "neurosym.rewrite.mend.imports",
        "annotations": "neurosym.rewrite.mend.annotations",
    },
    Group.EXACT: {
        "exact": "neurosym.rewrite.exact",
        "exact-imports": "neurosym.rewrite.mend.imports",
    },
    Group.DELIVER: {
        "contract": "neurosym.rewrite.contract",
        "declared": "neurosym.rewrite.declared",
        "tidy": "neurosym.rewrite.tidy",
    },
    Group.CONTRACTS: {"contracts": "neurosym.rewrite.contracts"},
    Group.TRACE: {"trace": "neurosym.rewrite.trace"},
    Group.FUEL: {"fuel": "neurosym.rewrite.fuel"},
}
"""Where each codemod lives (its module's ``find``), in the order in which those of a group are used."""

SAYS = {
    "script": "makes the top level of a script the body of the function",
    "holes": "fills the holes with values",
    "fences": "takes the code out of its markdown fences",
    "prose": "takes out the sentences beside the code",
    "main-block": "takes out what runs only when the file is a script",
    "prints": "takes out prints, and input at the top level",
    "name": "gives the function the name that the spec gives it",
    "imports": "adds imports that are missing",
    "annotations": "adds the annotations that the spec gives",
    "exact": "computes with Decimals instead of floats",
    "exact-imports": "adds the imports for that",
    "declared": "writes out what the spec's declarations give",
    "tidy": "puts white space and line ends in order",
    "contract": "checks what is promised when the function is called",
    "contracts": "takes the contracts away that the spec was read from",
    "trace": "records the value of each assignment",
    "fuel": "counts the rounds of each loop and the calls of each function",
}
"""What each codemod does, as a clause."""


def names_of(group: Group) -> tuple[str, ...]:
    """The codemods of a group, in their order."""
    return tuple(HOME[group])
