"""Measures batches: candidates a second, memory, and what becomes of the jobs when workers are killed all the time.

    python benchmarks/batch.py FOLDER [--times K | --jobs N] [--sample N | --tasks a,b] [--workers 1,2] [--cluster N]
        [--kill-every S] [--a-day N] [--json] [-- OPTION...]

FOLDER is that of an exam (``benchmarks/exam.py`` says how it looks). Each candidate is a job, K times over, or as often
as it takes for N jobs, each time with another remark at its end; nothing is answered by another one's result
(``--duplicates none``; batches have no cache). ``--sample`` takes so many tasks, evenly from the whole exam. Every run
starts cold, and its first job of each spec pays for the preparation; ``warm`` is the rate from the first result on.
What stands behind ``--`` goes to ``neurosym batch`` as it is.

``--workers`` are compared with the first of them; ``--cluster N`` adds a run on a Dask scheduler with N workers, which
are started here. ``--kill-every S`` adds a run whose workers are killed in turn, one every S seconds.

Memory is that of the run and all its processes together, as Linux counts resident pages, after the first
tenth of the jobs and just before the last of them is done: what they share counts for each.

From the first run with one worker, and one with several, follows what N candidates a day would take (``--a-day``);
the time for reading is told from a thousand jobs on.

Exits with 1 where a job has no result, or another verdict than in the first run.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass
from pathlib import Path

from neurosym.batch.faults import StoreError
from neurosym.batch.memory import memory_of_tree
from neurosym.batch.store import reading
from neurosym.batch.tally import rows_of
from neurosym.benching.exams import Task, chosen_of, tasks_in
from neurosym.reports.json import dump

_LOOK_S = 0.5


@dataclass(frozen=True, slots=True)
class Measured:
    """One run. Rates in jobs a second, memory in MiB. ``planned``: seconds in which the jobs were read; ``bytes_each``:
    of the store for each job that was done; ``load``: how many processes wanted a core when it began."""

    name: str
    jobs: int
    done: int
    seconds: float
    rate: float
    warm: float
    early_mib: int
    late_mib: int
    killed: int
    errors: int
    exit_code: int
    planned: float
    bytes_each: int
    load: float


def main(arguments: Sequence[str] | None = None) -> int:
    given = [*(sys.argv[1:] if arguments is None else arguments)]
    split = given.index("--") if "--" in given else len(given)
    options, passed_on = _parser().parse_args(given[:split]), given[split + 1 :]
    tasks = _sample(chosen_of([*tasks_in(options.folder)], options.tasks), options.sample)
    counts = [int(each) for each in options.workers.split(",") if each]
    with tempfile.TemporaryDirectory(prefix="neurosym-batch-") as folder:
        place = Path(folder)
        manifest = _manifest(place / "jobs.jsonl", tasks, options.times, options.jobs)
        runs = [(f"{count} workers", ["--workers", str(count)], 0.0) for count in counts]
        if options.kill_every:
            runs.append(("killed", ["--workers", str(counts[-1])], options.kill_every))
        measured: list[Measured] = []
        verdicts: list[dict[str, str]] = []
        for name, more, kill_every in runs:
            _measure(name, manifest, place, [*more, *passed_on], kill_every, measured, verdicts, options.json)
        if options.cluster:
            with _cluster(place, options.cluster) as address:
                more = ["--cluster", address, *passed_on]
                _measure(f"dask {options.cluster}", manifest, place, more, 0.0, measured, verdicts, options.json)
    differing = [each for each in verdicts[1:] if _differing(verdicts[0], each)]
    if options.json:
        print(dump({"schema_version": 1, "runs": [asdict(each) for each in measured], "differing": len(differing)}))
    else:
        first = measured[0]
        for each in measured[1:]:
            print(f"{each.name}: {each.warm / first.warm if first.warm else 0:.2f} times the warm rate of {first.name}")
        for line in _plan(measured[: len(counts)], counts, options.a_day):
            print(line)
        for found in differing:
            print(f"OTHER VERDICTS: {_differing(verdicts[0], found)}")
    return 1 if differing or any(each.done < each.jobs for each in measured) else 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description="Measure batches of an exam.", allow_abbrev=False)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--times", type=int, default=1, help="how often each candidate is a job")
    parser.add_argument("--jobs", type=int, default=0, metavar="N", help="instead of --times: so many jobs")
    parser.add_argument("--sample", type=int, default=0, metavar="N", help="so many tasks, evenly from all")
    parser.add_argument("--a-day", type=int, default=10_000_000, metavar="N", help="candidates a day to plan for")
    parser.add_argument("--tasks", default="", help="names of tasks, or beginnings of them, separated by commas")
    parser.add_argument("--workers", default="1,2", help="numbers of workers, separated by commas")
    parser.add_argument("--cluster", type=int, default=0, metavar="N", help="also on Dask with N workers")
    parser.add_argument("--kill-every", type=float, default=0.0, metavar="S", help="also with workers killed")
    parser.add_argument("--json", action="store_true", help="one JSON object on stdout")
    return parser


def _sample(tasks: Sequence[Task], count: int) -> Sequence[Task]:
    """So many tasks, as far from each other as can be; all for 0."""
    return [tasks[place * len(tasks) // count] for place in range(count)] if 0 < count < len(tasks) else tasks


def _manifest(path: Path, tasks: Sequence[Task], times: int, jobs: int) -> Path:
    """Writes the jobs, spec by spec; with ``jobs`` so many, of each candidate as many as of any other, or one less."""
    candidates = [(task, candidate) for task in tasks for candidate in task.candidates]
    more, rest = divmod(jobs, len(candidates)) if jobs else (times, 0)
    with path.open("w") as file:
        for place, (task, candidate) in enumerate(candidates):
            for time_ in range(more + (place < rest)):
                text = f"{candidate.read_text(encoding='utf-8').rstrip()}\n# {time_}\n"
                name = f"{task.name}/{candidate.name}/{time_}"
                file.write(json.dumps({"id": name, "spec": str(task.spec.absolute()), "text": text}) + "\n")
    return path


def _plan(measured: Sequence[Measured], counts: Sequence[int], a_day: int) -> Iterator[str]:
    """What so many candidates a day take, by the rates of these runs; nothing where they do not tell it."""
    rates = {count: run for count, run in zip(counts, measured, strict=True) if run.warm and run.done}
    if 1 not in rates or len(rates) < 2:
        return
    one, several = rates[1], max(count for count in rates)
    share = rates[several].warm / (several * one.warm)
    needed = a_day / 86_400
    workers = math.ceil(needed / (one.warm * share))
    memory, disk = workers * one.late_mib / 1024, a_day * one.bytes_each / 1e9
    reading_h = a_day * one.planned / one.jobs / 3600
    yield f"each of {several} workers does {100 * share:.0f} % of what one alone does"
    yield f"{a_day:,} a day are {needed:,.1f} a second: {workers:,} workers, {memory:,.1f} GiB of memory,"
    said = f", {reading_h:,.1f} hours of reading before (of all shards together)" if one.jobs >= 1_000 else ""
    yield f"{disk:,.1f} GB of results{said}"


def _measure(
    name: str, manifest: Path, place: Path, more: Sequence[str], kill_every: float,
    measured: list[Measured], verdicts: list[dict[str, str]], quiet: bool,
) -> None:  # fmt: skip
    store = place / f"{len(measured)}.sqlite"
    batch = [sys.executable, "-m", "neurosym", "batch"]
    command = [*batch, str(manifest), "--store", str(store), "--duplicates", "none", "--json", *more]
    jobs = sum(1 for _ in manifest.open())
    begun, opened, planned, load = time.monotonic(), 0.0, 0.0, os.getloadavg()[0]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    seen: list[tuple[float, int, int]] = []
    killed, last_kill = 0, begun
    while process.poll() is None:
        now = time.monotonic()
        done = _done(store)
        opened = opened or (now if store.exists() else 0.0)
        planned = planned or (now - opened if done is not None else 0.0)
        if done and (not seen or done > seen[-1][1]):
            seen.append((now, done, memory_of_tree(process.pid)))
        if kill_every and now - last_kill > kill_every:
            last_kill, killed = now, killed + _kill_one(process.pid, killed)
        time.sleep(_LOOK_S)
    seconds = time.monotonic() - begun
    with reading(store) as connection:
        found = {row.id: row.outline.verdict for row in rows_of(connection) if row.outline}
    early = next((memory for _, done, memory in seen if done >= jobs / 10), 0)
    late = next((memory for _, done, memory in reversed(seen) if done < jobs), 0)  # at the end the workers are gone
    first, last = (seen[0], seen[-1]) if seen else ((begun, 0, 0), (begun, 0, 0))
    warm = (last[1] - first[1]) / (last[0] - first[0]) if last[0] > first[0] else 0.0
    errors = sum(verdict == "ERROR" for verdict in found.values())
    run = Measured(name, jobs, len(found), round(seconds, 1), round(len(found) / seconds, 2), round(warm, 2),
                   early >> 20, late >> 20, killed, errors, process.returncode, round(planned, 1),
                   store.stat().st_size // max(1, len(found)), round(load, 1))  # fmt: skip
    measured.append(run)
    verdicts.append(found)
    if not quiet:
        print(f"{run.name:<12} {run.done:,} of {run.jobs:,} jobs in {run.seconds:,.1f} s: {run.rate:.2f} a second, "
              f"{run.warm:.2f} warm; {run.early_mib:,} MiB, later {run.late_mib:,}; {run.killed} workers killed, "
              f"{run.errors} ERROR (exit {run.exit_code}); read in {run.planned:.1f} s, {run.bytes_each:,} bytes each; "
              f"load {run.load:.1f}", flush=True)  # fmt: skip


def _done(store: Path) -> int | None:
    """How many jobs are done; None while they are read."""
    with suppress(StoreError), reading(store) as connection:
        return int(connection.execute("SELECT count(*) FROM results").fetchone()[0])
    return None


def _kill_one(pid: int, turn: int) -> int:
    """Kills one of a run's workers, and says how many were."""
    workers = []
    for task in Path(f"/proc/{pid}/task").iterdir():
        with suppress(OSError):
            for child in (task / "children").read_text().split():
                if b"pool_worker" in Path(f"/proc/{child}/cmdline").read_bytes():
                    workers.append(int(child))
    with suppress(ProcessLookupError, IndexError):
        os.kill(sorted(workers)[turn % max(1, len(workers))], signal.SIGKILL)
        return 1
    return 0


def _differing(first: dict[str, str], other: dict[str, str]) -> list[str]:
    """The jobs with two verdicts; an ERROR says nothing of a candidate, and is none."""
    known = {name: verdict for name, verdict in first.items() if verdict != "ERROR"}
    return [name for name, verdict in known.items() if other.get(name, "ERROR") not in (verdict, "ERROR")]


@contextmanager
def _cluster(place: Path, workers: int) -> Iterator[str]:
    file = place / "scheduler.json"
    common = ["--host", "127.0.0.1", "--no-dashboard", "--scheduler-file", str(file)]
    worker = ["--nthreads", "1", "--nworkers", "1", "--local-directory", str(place)]
    kinds = [("scheduler", ["--port", "0"]), *[("worker", worker)] * workers]
    running = []
    try:
        for kind, more in kinds:
            command = [sys.executable, "-m", f"distributed.cli.dask_{kind}", *common, *more]
            running.append(subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL))
            while not file.exists():
                time.sleep(_LOOK_S)
        yield json.loads(file.read_text())["address"]
    finally:
        for process in reversed(running):
            process.terminate()
            with suppress(subprocess.TimeoutExpired):
                process.wait(20)
            process.kill()
            process.wait()


if __name__ == "__main__":
    sys.exit(main())
