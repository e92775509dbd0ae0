"""Who does the work: the workers of a Dask cluster, which may come and go during the run.

The specs and settings go to each worker once, by a plugin that those which come later get as well. Whether workers have
the tools of this machine is asked before, and by each worker again when it is equipped.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any

import distributed
from neurosym_verifiers.environment import EnvironmentFault

from neurosym.batch.preflight import preflight
from neurosym.batch.running import Crew
from neurosym.batch.serving import Kit, WorkersUnfit, check_tools, dismiss, equip, kit_of
from neurosym.identity import tools

_CONNECT_S = 15.0
_WORKERS_S = 30.0
_COUNT_S = 2.0


class Equipped(distributed.WorkerPlugin):
    """Equips each worker with a kit, and takes it back at the end of the run."""

    def __init__(self, kit: Kit) -> None:
        self.kit = kit
        self.name = f"neurosym-{kit.name}"

    def setup(self, worker: distributed.Worker) -> None:
        """Called by Dask when a worker starts, or on those that are there."""
        with suppress(WorkersUnfit):  # Dask would only log it; the first job that it gets says so
            equip(self.kit)

    def teardown(self, worker: distributed.Worker) -> None:
        """Called by Dask when the plugin is taken back."""
        dismiss(self.kit.name)


@contextmanager
def cluster_crew(kit: Kit, address: str) -> Iterator[Crew]:
    """The workers of the scheduler at ``address``.

    Raises ``WorkersUnfit`` where nobody answers there, where there are no workers, or where one has other tools than
    this machine, and ``EnvironmentFault`` where one cannot run candidates.
    """
    with _connected(address) as client:
        _check_tools(client, kit)
        plugin = Equipped(kit)
        client.register_plugin(plugin)
        executor = client.get_executor(pure=False)
        try:
            client.run(try_out, kit.name)
            yield Crew(
                executor,
                _places(client, address),
                (distributed.KilledWorker,),
                lambda: executor.shutdown(wait=False),
                takes_back=False,  # whether a job runs already, only the scheduler knows
            )
        finally:
            with suppress(OSError, TimeoutError):
                client.unregister_worker_plugin(plugin.name)


def try_out(name: str) -> None:
    """Run on a worker: whether it can run candidates. Raises ``EnvironmentFault``."""
    preflight(kit_of(name))


@contextmanager
def _connected(address: str) -> Iterator[Any]:  # most of a client's methods have no types
    try:
        connect: Any = distributed.Client
        client = connect(address, timeout=_CONNECT_S, set_as_default=False)
    except (OSError, TimeoutError, ValueError) as error:
        raise WorkersUnfit(f"no Dask scheduler answers at {address}: {error}") from error
    try:
        yield client
    finally:
        client.close(timeout=_COUNT_S)


def _check_tools(client: Any, kit: Kit) -> None:
    """Asks each worker what it has, by functions that need nothing of the run."""
    try:
        client.wait_for_workers(1, timeout=_WORKERS_S)
    except TimeoutError as error:
        raise WorkersUnfit(f"the scheduler has no workers; none came in {_WORKERS_S:.0f} s") from error
    try:
        for place, found in client.run(tools).items():
            check_tools(kit.tools, found, place)
    except ImportError as error:
        raise WorkersUnfit(f"a worker has no neurosym: {error}; install the same as here") from error


def _places(client: Any, address: str) -> Callable[[], int]:
    """Two for each worker that is there: one that it is at, and one that it need not wait for."""
    seen: tuple[float, int] | None = None

    def places() -> int:
        nonlocal seen
        if seen is None or time.monotonic() - seen[0] > _COUNT_S:
            try:
                seen = time.monotonic(), 2 * len(client.nthreads())
            except (OSError, TimeoutError) as error:
                raise EnvironmentFault(
                    f"the scheduler at {address} is gone; what is known so far is kept, and --resume goes on"
                ) from error
        return seen[1]

    return places
