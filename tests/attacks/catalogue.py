"""The attacks: several programs to each kind. A kind's title says what the programs are after.

Each program defines `f(x)` and is called with 21; an honest one would return 42. What may come of a kind is a set of
words of `judge.word`. The tables hold one expression a line: it has reached its aim if it raises nothing.
"""

from __future__ import annotations

import platform
from collections.abc import Iterator
from dataclasses import dataclass

from neurosym_sandbox._call_table import NUMBERS

from tests.attacks import files, kernel, network, processes, resources, verdicts
from tests.attacks.kinds import KINDS


@dataclass(frozen=True, slots=True)
class Attack:
    """One program. `open` ones get out where there is no jail at all; `seccomp` ones must not run without seccomp."""

    kind: str
    number: int
    source: str
    may: frozenset[str]
    open: bool = False
    seccomp: bool = False
    imports: frozenset[str] = frozenset()

    @property
    def name(self) -> str:
        return f"{self.kind}.{self.number}"

    @property
    def section(self) -> str:
        return self.kind[0]


def _rows() -> Iterator[tuple[str, str, str]]:
    """Yields kind, mark and program."""
    for table in (files.TABLE, network.TABLE, processes.TABLE, kernel.TABLE):
        for line in table.strip().splitlines():
            kind, mark, expression = line.split(None, 2)
            yield kind, mark, f"def f(x): return attempt(lambda: {expression})\n"
    for programs in (files.PROGRAMS, network.PROGRAMS, processes.PROGRAMS, resources.PROGRAMS, verdicts.PROGRAMS):
        for kind, sources in programs.items():
            for source in sources:
                yield kind, "~", source


def _attacks() -> Iterator[Attack]:
    seen: dict[str, int] = {}
    numbers = NUMBERS[platform.machine()]
    for kind, mark, source in _rows():
        if kind == "D17" and platform.machine() != "x86_64":
            continue
        seen[kind] = seen.get(kind, 0) + 1
        imports = frozenset(name for name in ("time", "random", "gc", "atexit", "ast") if f"import {name}\n" in source)
        yield Attack(
            kind,
            seen[kind],
            source.replace("NUMBERS", repr(numbers)),
            frozenset(KINDS[kind].may.split()),
            mark == "!",
            mark == "~",
            imports - {"atexit"},
        )


ATTACKS = tuple(_attacks())
