"""What a caller asks for: the program to run and what it may use."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["DATA_IMPORTS", "DEFAULT_IMPORTS", "MAX_SOURCE_BYTES", "Limits", "Module", "Package", "Program"]

_DEFAULT_IMPORT_NAMES = """
    abc bisect calendar collections dataclasses datetime decimal enum fractions functools graphlib heapq itertools
    json math numbers operator re statistics string typing
"""
DEFAULT_IMPORTS = frozenset(_DEFAULT_IMPORT_NAMES.split())
"""Pure modules of the standard library that a calculation may need; `__future__` may always be imported."""

DATA_IMPORTS = DEFAULT_IMPORTS | {"numpy", "pandas"}
"""The same for a jail of the profile "data"."""

MAX_SOURCE_BYTES = 2**20
"""A longer program is refused by the host before any process sees it (the parser needs 50 to 100 times the text)."""

CPU_BACKSTOP_S = 3600
"""Processor time after which the kernel ends a session that the host lost sight of; its deadlines are far below."""


@dataclass(frozen=True, slots=True)
class Module:
    """A module that a program may import: its dotted name, its text, and whether it is a package."""

    name: str
    source: str
    is_package: bool = False


@dataclass(frozen=True, slots=True)
class Package:
    """What is around a program that is the module `name` of a package, or with `is_package` a package itself.

    `modules` are all that it may import of its own, each with the packages around it. None is called like a module that
    the jail has: that one would be imported.
    """

    name: str
    modules: tuple[Module, ...]
    is_package: bool = False


@dataclass(frozen=True, slots=True)
class Program:
    """A candidate exactly as delivered, the function of it to call, and what it may import.

    `prelude` is the caller's own text, executed first in the same namespace with all preloaded modules at hand; names
    that the candidate defines again are the candidate's. `package` is what it may import of its own; without one, the
    program stands alone.
    """

    source: str
    function: str
    prelude: str = ""
    imports: frozenset[str] = DEFAULT_IMPORTS
    package: Package | None = None

    @property
    def texts(self) -> tuple[str, ...]:
        """The program's, and those of its package."""
        return self.source, *(each.source for each in (self.package.modules if self.package else ()))


@dataclass(frozen=True, slots=True)
class Limits:
    """What one session may use.

    `time_s` is processor time of one call, read by the host from the clock of the child's process, so a busy machine
    changes no outcome; `wall_s` is the backstop for programs that sleep. `memory_bytes` is address space beyond what
    the interpreter itself maps. `output_bytes` is what is kept of each of stdout and stderr.
    """

    time_s: float = 1.0
    load_time_s: float = 2.0
    memory_bytes: int = 256 * 2**20
    result_bytes: int = 4 * 2**20
    output_bytes: int = 64 * 1024

    def __post_init__(self) -> None:
        for name in ("time_s", "load_time_s", "memory_bytes", "result_bytes"):
            if not getattr(self, name) > 0:
                raise ValueError(f"Limits.{name} must be positive, not {getattr(self, name)!r}")
        if self.output_bytes < 0:
            raise ValueError(f"Limits.output_bytes must not be negative, not {self.output_bytes!r}")

    @property
    def flood_bytes(self) -> int:
        """Output beyond this ends the call; between `output_bytes` and this it is read and dropped."""
        return max(16 * self.output_bytes, 2**20)


def wall_limit_s(cpu_limit_s: float) -> float:
    """The wall-clock backstop that belongs to a limit on processor time."""
    return max(5 * cpu_limit_s, cpu_limit_s + 1)
