"""A run over the jobs of a store, with what a terminal sees of it and what ends it."""

from __future__ import annotations

import signal
import sys
import time
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass
from types import FrameType

from neurosym_verifiers.environment import EnvironmentFault

from neurosym.batch.crews import local_crew
from neurosym.batch.events import BatchEvent, BatchListener, nobody_listens
from neurosym.batch.preflight import preflight
from neurosym.batch.running import Crew, Policy, Run, Stop
from neurosym.batch.serving import Kit, WorkersUnfit
from neurosym.batch.store import RunStore
from neurosym.batch.tally import End, tally_of
from neurosym.reports.batch.progress import BatchProgress
from neurosym.reports.batch.summary import Summary, summary_of


@dataclass(frozen=True, slots=True)
class Address:
    """A port of a host."""

    host: str
    port: int


def ran(
    store: RunStore,
    kit: Kit,
    policy: Policy,
    cluster: str | None,
    workers: int | None,
    listener: BatchListener = nobody_listens,
) -> Summary:
    """Judges the jobs that have no result, on this machine or on the ``cluster`` at an address. ``listener``: who hears
    of all that happens beside the progress line."""
    before = tally_of(store.connection)
    begun = time.monotonic()
    if not before.left:
        return summary_of(store.connection, store.path, End.DONE, before=before.done)
    stop = Stop()
    with (
        BatchProgress(sys.stderr) as progress,
        interruptions(stop),
        _crew(kit, cluster, workers) as crew,
    ):

        def emit(event: BatchEvent) -> None:
            progress(event)
            listener(event)

        end = Run(store, kit, crew, policy, emit, stop).run()
    seconds = time.monotonic() - begun
    return summary_of(store.connection, store.path, end, seconds=seconds, before=before.done)


def metrics_of(address: Address | None) -> AbstractContextManager[BatchListener]:
    """Who counts for Prometheus, serving at the address while the block lasts; nobody without one. Raises
    ``EnvironmentFault``."""
    if address is None:
        return nullcontext(nobody_listens)
    try:
        from neurosym.reports.batch.metrics import metrics_at  # deferred: an extra
    except ImportError as error:
        raise EnvironmentFault(
            "no metrics without prometheus-client; pip install 'neurosym-verify[metrics]' (or prometheus-client) "
            "brings it"
        ) from error
    return metrics_at(address.host, address.port)


def _crew(kit: Kit, cluster: str | None, workers: int | None) -> AbstractContextManager[Crew]:
    if cluster is not None:
        try:
            from neurosym.batch.cluster import cluster_crew  # deferred: heavy, and an extra
        except ImportError as error:
            raise WorkersUnfit(
                "no cluster without dask.distributed; pip install 'neurosym-verify[cluster]' (or distributed) brings it"
            ) from error
        return cluster_crew(kit, cluster)
    preflight(kit)
    return local_crew(kit, workers)


@contextmanager
def interruptions(stop: Stop) -> Iterator[None]:
    """The first Ctrl-C, or a request to terminate, asks the run to end; the second ends it at once.

    A signal that whoever started this has it ignore stays ignored, as a shell has Ctrl-C for what runs behind it.
    """

    def handle(number: int, frame: FrameType | None) -> None:
        if stop.asked:
            raise KeyboardInterrupt
        stop.ask()

    heard = [each for each in (signal.SIGINT, signal.SIGTERM) if signal.getsignal(each) is not signal.SIG_IGN]
    before = {each: signal.signal(each, handle) for each in heard}
    try:
        yield
    finally:
        for each, handler in before.items():
            signal.signal(each, handler)
