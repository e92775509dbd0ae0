"""What is done once before candidates of a spec are judged: its bench, its check against itself, warm processes."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass

from neurosym_specs.model import Spec
from neurosym_verifiers.bench import Bench, Effort, SpecFault
from neurosym_verifiers.environment import Confinement

from neurosym import events, gate
from neurosym.events import Listener
from neurosym.gate import Types
from neurosym.rewrite import shared_rewriter


@dataclass(frozen=True, slots=True)
class Ready:
    """Where candidates can be judged; with a ``fault`` of the spec none may be. ``bench`` is None if nothing is run."""

    bench: Bench | None
    fault: SpecFault | None
    seconds: float


@dataclass(frozen=True, slots=True)
class Wanted:
    """What is prepared for: whether ``candidates`` follow, whether they are run, and are rewritten before."""

    candidates: bool
    types: Types
    runs: bool = True
    rewrites: bool = False


@contextmanager
def prepared(
    spec: Spec, effort: Effort, confinement: Confinement, wanted: Wanted, listener: Listener
) -> Iterator[Ready]:
    """Opens a bench for as long as the block lasts.

    Raises ``EnvironmentFault`` where the sandbox that is asked for cannot be had, whatever becomes of the candidates.
    """
    if wanted.candidates:
        gate.warm_up(wanted.types)  # it reads its stubs while the bench is prepared
        if wanted.rewrites:
            shared_rewriter().start()
    begun = time.perf_counter()
    with Bench(spec, effort, confinement) if wanted.runs else nullcontext() as bench:
        if bench and wanted.candidates:
            bench.jail()
        fault = bench.spec_fault() if bench else None
        if wanted.candidates and wanted.types is not Types.OFF and not fault:
            gate.wait_until_warm()
        seconds = time.perf_counter() - begun
        listener(events.SpecChecked(fault, seconds))
        yield Ready(bench, fault, seconds)
