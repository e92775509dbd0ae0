"""A batch for Prometheus: what it has done and what its processes hold, at a port of this machine, while it runs.

A listener, like the progress line. It takes the extra ``metrics`` (prometheus-client), whose own registry of this whole
process is not used. No name, text or path of a job is in it, so that the number of series does not grow with the jobs.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from neurosym_verifiers.environment import EnvironmentFault
from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, start_http_server

from neurosym.batch.events import BatchEvent, Began, Ended, Gated, JobDone, Stopping, Waiting, WorkerWasLost
from neurosym.batch.faults import unpacked
from neurosym.batch.memory import memory_of_tree

_SECONDS = (0.01, 0.03, 0.1, 0.3, 1.0, 3.0, 10.0, 30.0, 100.0)
_SOLVERS = "neurosym_verifiers.proof."


class BatchMetrics:
    """Listens, and counts. ``registry``: where it stands."""

    def __init__(self) -> None:
        self.registry = registry = CollectorRegistry()

        def named(name: str) -> str:
            return f"neurosym_batch_{name}"

        self._jobs = Gauge(named("jobs"), "Jobs of the run, also those done before it began.", registry=registry)
        self._left = Gauge(named("jobs_left"), "Jobs without a result.", registry=registry)
        self._out = Gauge(named("jobs_out"), "Jobs that are handed out.", registry=registry)
        self._gated = Gauge(named("jobs_gated"), "Jobs that passed the gate before any is run.", registry=registry)
        self._done = Counter(
            named("jobs_done"), "Jobs with a result, by verdict and class.", ["verdict", "failure"], registry=registry
        )
        self._same = Counter(named("duplicates"), "Jobs answered by another one's result.", ["same"], registry=registry)
        self._lost = Counter(named("lost_workers"), "Workers lost at work.", registry=registry)
        self._stage = Histogram(
            named("stage_seconds"), "Wall time of a job, by stage.", ["stage"], buckets=_SECONDS, registry=registry
        )
        self._level = Counter(named("sandbox"), "Jobs that ran, by the sandbox they had.", ["level"], registry=registry)
        self._queries = Counter(
            named("solver_queries"), "What solvers were asked.", ["strategy", "answer"], registry=registry
        )
        self._units = Counter(
            named("solver_units"), "What Z3 spent on its answers, in its own resource units.", registry=registry
        )
        memory = Gauge(named("memory_bytes"), "Resident memory of processes here.", ["of"], registry=registry)
        memory.labels("all").set_function(memory_of_tree)
        memory.labels("solvers").set_function(lambda: memory_of_tree(running=_SOLVERS))

    def __call__(self, event: BatchEvent) -> None:
        match event:
            case Began(tally):
                self._jobs.set(tally.jobs)
                self._left.set(tally.left)
            case JobDone(outline, count, document, is_shared):
                self._left.dec(count)
                self._done.labels(outline.verdict, outline.failure).inc(count)
                self._same.labels("bytes").inc(count - 1)
                self._same.labels("code").inc(is_shared)
                if not is_shared and document:
                    for candidate in unpacked(document)["candidates"]:
                        self._count(candidate)
            case WorkerWasLost():
                self._lost.inc()
            case Gated(done):
                self._gated.set(done)
            case Waiting(out=out) | Stopping(running=out):
                self._out.set(out)
            case Ended():
                self._out.set(0)

    def _count(self, candidate: Mapping[str, Any]) -> None:
        gate = sum(each["seconds"] for each in candidate["gate"])
        self._stage.labels("gate").observe(gate)
        if candidate.get("jail"):
            self._stage.labels("behind the gate").observe(max(0.0, candidate["seconds"] - gate))
            self._level.labels(candidate["jail"]).inc()
        self._units.inc(candidate.get("solver_units", 0))
        for obligation in candidate["obligations"]:
            for query in obligation["queries"]:
                self._queries.labels(query["strategy"], query["answer"]).inc()


@contextmanager
def metrics_at(host: str, port: int) -> Iterator[BatchMetrics]:
    """Serves the metrics at ``/metrics`` until the block ends. Raises ``EnvironmentFault`` where that port cannot be
    had."""
    metrics = BatchMetrics()
    try:
        server, thread = start_http_server(port, host, metrics.registry)
    except (OSError, OverflowError, UnicodeError) as error:
        said = getattr(error, "strerror", None) or str(error)
        raise EnvironmentFault(f"--metrics: port {port} of {host} cannot be had: {said}") from error
    try:
        yield metrics
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
