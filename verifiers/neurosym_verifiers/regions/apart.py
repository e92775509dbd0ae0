"""A table of regions from a process of its own, which is ended with all that it started when its time is over."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

from neurosym_specs.model import Spec

from neurosym_verifiers.effort import Effort
from neurosym_verifiers.environment import Confinement
from neurosym_verifiers.proof.process import NoReply, WorkerProcess

if TYPE_CHECKING:
    from neurosym_verifiers.regions.table import RegionTable

_WORKER = "neurosym_verifiers.regions.worker"


@dataclass(frozen=True, slots=True)
class TableWanted:
    """Of which program, and in how many ``seconds`` of wall time."""

    spec: Spec
    source: str
    effort: Effort
    confinement: Confinement
    seconds: float


@dataclass(frozen=True, slots=True)
class NoRegions:
    """There is no table, and ``why`` in words."""

    why: str


def table_apart(wanted: TableWanted) -> RegionTable | NoRegions:
    """The table, or why there is none. Whatever goes wrong there, nothing is raised here."""
    end = time.monotonic() + wanted.seconds
    with WorkerProcess(_WORKER, starts_others=True) as process:
        try:
            made: RegionTable | NoRegions = process.ask(wanted, seconds=wanted.seconds)
        except NoReply:
            late = time.monotonic() >= end
            return NoRegions(f"it took longer than {wanted.seconds:g} s" if late else "the process that made it ended")
    return made
