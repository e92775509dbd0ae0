"""Who does the work: processes on this machine. (``cluster`` has those of a Dask cluster.)"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager

from neurosym.batch.pool import Recycling, WorkerLost, WorkerPool
from neurosym.batch.running import Crew
from neurosym.batch.serving import Kit, equip


@contextmanager
def local_crew(kit: Kit, workers: int | None = None, recycling: Recycling | None = None) -> Iterator[Crew]:
    """So many processes, by default as many as there are cores that this one may use. They end with the block."""
    count = workers or len(os.sched_getaffinity(0))
    pool = WorkerPool(count, equip, (kit,), recycling)
    try:
        yield Crew(pool, lambda: 2 * count, (WorkerLost,), pool.kill)
    except BaseException:
        pool.kill()
        raise
    pool.shutdown()
