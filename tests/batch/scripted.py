"""An executor that answers as a script says, and stores to run over: what a run does with what workers do."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Executor, Future
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from neurosym_verifiers.bench import Effort

from neurosym.batch.events import BatchEvent
from neurosym.batch.faults import packed
from neurosym.batch.jobs import Asked, Settings, Shard
from neurosym.batch.outline import Outline
from neurosym.batch.planning import plan, specs_of
from neurosym.batch.pool import WorkerLost
from neurosym.batch.running import Crew, Policy, Run, Stop
from neurosym.batch.serving import Answer, Kit, Order, PassedGate
from neurosym.batch.store import RunStore
from neurosym.batch.tally import End
from neurosym.gate import Types
from neurosym.identity import tools

RIGHT = Outline(verdict="TESTED", failure="", code="", admission="admitted", exit_code=0, seconds=0.1, says="")
WRONG = replace(RIGHT, verdict="REFUTED", failure="wrong value", admission="refused", exit_code=1, says="f(1)")
POLICY = Policy(job_limit_s=60)
WHOLE = Shard()
QUICK_SETTINGS = Settings(Asked(Effort(examples=5, time_limit_s=60, proof=False), Types.OFF, explain=False))
"""What the options ``QUICK`` come to."""

Script = Callable[[Order], object]
"""What comes of an order: an ``Outline`` or an exception; None leaves it running for ever."""


@dataclass
class Scripted(Executor):
    """Answers at once, and keeps what it was asked and how many orders were out beside each."""

    script: Script
    asked: list[Order] = field(default_factory=list)
    open: set[Future[Any]] = field(default_factory=set)

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        """The future of an order."""
        (order,) = args
        self.asked.append(order)
        future: Future[Any] = Future()
        answer = self.script(order)
        match answer:
            case None:
                self.open.add(future)
            case BaseException():
                future.set_exception(answer)
            case Outline(verdict=verdict) if order.gate_only and verdict != "REJECTED":
                future.set_result(PassedGate())
            case Outline():
                future.set_result(Answer(answer, packed('{"spec": {}, "candidates": []}')))
            case _:
                raise TypeError(answer)
        return future

    @property
    def names(self) -> list[str]:
        """Which candidates were asked for, in order."""
        return [order.source.name for order in self.asked]


@dataclass
class Ran:
    """A run that ended, with what it said."""

    end: End
    executor: Scripted
    events: list[BatchEvent]


def planned(path: Path, manifest: Path, settings: Settings | None = None, shard: Shard = WHOLE) -> RunStore:
    """The store of a manifest, with all its jobs."""
    store = RunStore(path)
    plan(store, manifest, settings or Settings(), shard, skip_bad=False)
    return store


def run_over(
    store: RunStore, script: Script, policy: Policy = POLICY, *, places: int = 2, stop: Stop | None = None
) -> Ran:
    """Runs it with an executor that follows the script."""
    settings = Settings()
    kit = Kit(specs_of(store), settings.confinement, settings.require, tools())
    executor, events = Scripted(script), list[BatchEvent]()
    crew = Crew(executor, lambda: places, (WorkerLost,), lambda: None)
    return Ran(Run(store, kit, crew, policy, events.append, stop).run(), executor, events)
