"""Where a candidate comes from, and the bytes that bind everything which is found out about it."""

from __future__ import annotations

import hashlib
import os
import sys
from dataclasses import dataclass
from typing import TypeAlias

from neurosym_sandbox import Module, Package

NOT_OWN = frozenset(sys.stdlib_module_names) | {"candidate", "numpy", "pandas", "dateutil", "pytz", "tzdata", "six"}
"""Names that the modules of a project cannot have, where they are imported in the sandbox."""


@dataclass(frozen=True, slots=True)
class OwnModule:
    """A module of the candidate's own package: its dotted name, the name of its file for reports, its text."""

    name: str
    file: str
    text: str
    is_package: bool = False


@dataclass(frozen=True, slots=True)
class OwnPackage:
    """What a candidate is a part of: it is the module ``module`` (with ``is_package`` a package itself), and
    ``modules`` are those that it may import, with the packages that these are in.

    Raises ``ValueError`` for a name that a module of Python or of the sandbox has.
    """

    module: str
    modules: tuple[OwnModule, ...]
    is_package: bool = False

    def __post_init__(self) -> None:
        for name in (self.module, *(each.name for each in self.modules)):
            if name.partition(".")[0] in NOT_OWN:
                raise ValueError(f"{name} would stand in the place of a module that is not of the project")


@dataclass(frozen=True, slots=True)
class Source:
    """A candidate held in memory: what a model answered, what came through a pipe. ``name`` is for the reports.

    ``is_reply``: it is a model's reply as it came, which is mended before it is judged. ``package``: what of its own it
    may import; without one, it stands alone. ``path``: how a command line names where it was read from, ``-`` for
    standard input; empty where it came from no such place.
    """

    code: str | bytes
    name: str = "<text>"
    is_reply: bool = False
    package: OwnPackage | None = None
    path: str = ""


Candidate: TypeAlias = "Source | str | os.PathLike[str]"
"""A ``Source``, or the path of a file. A plain string is a path, never code."""


@dataclass(frozen=True, slots=True)
class Delivered:
    """The text that is judged, exactly as it came in but for a byte order mark, and the SHA-256 of its bytes.

    Gate, runs and evidence name the same hash, so nothing can be verified but what is delivered. ``package``: the
    modules of its own that it does import, and runs with; None if there are none.
    """

    name: str
    text: str
    sha256: str
    package: OwnPackage | None = None

    def line(self, number: int | None) -> str:
        """The text of a line, counted from 1 as Python counts; empty if there is none."""
        if number is None or number < 1:
            return ""
        lines = self.text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
        return lines[number - 1] if number <= len(lines) else ""


def name_of(candidate: Candidate) -> str:
    """The name under which reports speak of a candidate."""
    return candidate.name if isinstance(candidate, Source) else os.fspath(candidate)


def path_of(candidate: Candidate) -> str:
    """How a command line names the candidate: its path, ``-`` for standard input; empty where it has no such name."""
    return candidate.path if isinstance(candidate, Source) else os.fspath(candidate)


def sandbox_package(own: OwnPackage | None) -> Package | None:
    """The package as the sandbox takes it."""
    if own is None:
        return None
    modules = tuple(Module(each.name, each.text, each.is_package) for each in own.modules)
    return Package(own.module, modules, own.is_package)


def sha256_of(raw: bytes) -> str:
    """The SHA-256 of ``raw`` in hexadecimal."""
    return hashlib.sha256(raw).hexdigest()
