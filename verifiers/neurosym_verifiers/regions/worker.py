"""The process in which one table of regions is made, with jails and a solver of its own: it can be killed."""

from __future__ import annotations

import math
import resource
import sys

from neurosym_specs.errors import NeurosymError

from neurosym_verifiers.proof.messages import receive, send
from neurosym_verifiers.regions.apart import NoRegions, TableWanted
from neurosym_verifiers.regions.table import NoTable, RegionTable, table_of
from neurosym_verifiers.regions.workbench import Workbench

_MEMORY_BYTES = 4 * 2**30


def _limit(seconds: float) -> None:
    """Bounds memory, and processor time too in case nobody is there to end it. Only the soft limits: a jail in which a
    spec grants more sets its own."""
    for what, most in ((resource.RLIMIT_AS, _MEMORY_BYTES), (resource.RLIMIT_CPU, math.ceil(seconds))):
        _, hard = resource.getrlimit(what)
        resource.setrlimit(what, (most if hard == resource.RLIM_INFINITY else min(most, hard), hard))


def _made(wanted: TableWanted) -> RegionTable | NoRegions:
    try:
        with Workbench(wanted.spec, wanted.effort, wanted.confinement) as bench:
            return table_of(bench, wanted.source)
    except (NoTable, NeurosymError) as problem:
        return NoRegions(str(problem))
    except MemoryError:
        return NoRegions(f"it took more than {_MEMORY_BYTES // 2**30} GiB of memory")
    except Exception as error:
        return NoRegions(f"a fault of this tool (NS901): {type(error).__name__}: {error}")


def main() -> None:
    """Makes the one table that is asked for."""
    wanted: TableWanted = receive(sys.stdin.buffer)
    _limit(wanted.seconds)
    send(sys.stdout.buffer, _made(wanted))


if __name__ == "__main__":
    main()
