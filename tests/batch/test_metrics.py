"""Metrics of a batch, as Prometheus scrapes them from the port."""

from __future__ import annotations

import json
import socket
import sys
import threading
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest
from neurosym_verifiers.environment import EnvironmentFault

from neurosym.batch.events import BatchEvent, Began, Ended, JobDone, Waiting, WorkerWasLost
from neurosym.batch.faults import packed
from neurosym.batch.tally import End, Tally
from neurosym.reports.batch.metrics import BatchMetrics, metrics_at
from tests.batch.conftest import QUICK, Manifest, job
from tests.batch.scripted import RIGHT, WRONG
from tests.cli.shared import Neurosym

QUERY = {"strategy": "whole", "answer": "unsat"}
GATE = [{"step": "read", "seconds": 0.25}, {"step": "types", "seconds": 0.5}]
JUDGED = {
    "gate": GATE, "seconds": 2.0, "jail": "strong", "obligations": [{"queries": [QUERY, QUERY]}], "solver_units": 4_321,
}  # fmt: skip
DOCUMENT = packed(json.dumps({"candidates": [JUDGED]}))
EVENTS: list[BatchEvent] = [
    Began(Tally(9)), JobDone(RIGHT, 2, DOCUMENT), JobDone(WRONG, 1, DOCUMENT, is_shared=True), Waiting(out=3),
    WorkerWasLost("a", "gone", again=True),
]  # fmt: skip


def _free() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return int(found.getsockname()[1])


@pytest.fixture
def served() -> Iterator[tuple[BatchMetrics, int]]:
    port = _free()
    with metrics_at("127.0.0.1", port) as metrics:
        yield metrics, port


def _scraped(port: int) -> dict[str, float]:
    with urllib.request.urlopen(f"http://127.0.0.1:{port}/metrics", timeout=10) as answer:
        lines = answer.read().decode().splitlines()
    return {name: float(value) for name, _, value in (line.rpartition(" ") for line in lines if line[0] != "#")}


def test_a_scrape_shows_what_was_done(served: tuple[BatchMetrics, int]) -> None:
    metrics, port = served
    for event in EVENTS:
        metrics(event)
    found = _scraped(port)
    assert {name.removeprefix("neurosym_batch_"): value for name, value in found.items() if "created" not in name
            and "bucket" not in name and "memory" not in name} == {
        "jobs": 9, "jobs_left": 6, "jobs_out": 3, "jobs_gated": 0, "lost_workers_total": 1,
        'jobs_done_total{failure="",verdict="TESTED"}': 2,
        'jobs_done_total{failure="wrong value",verdict="REFUTED"}': 1,
        'duplicates_total{same="bytes"}': 1, 'duplicates_total{same="code"}': 1,
        'stage_seconds_count{stage="gate"}': 1, 'stage_seconds_sum{stage="gate"}': 0.75,
        'stage_seconds_count{stage="behind the gate"}': 1, 'stage_seconds_sum{stage="behind the gate"}': 1.25,
        'sandbox_total{level="strong"}': 1, 'solver_queries_total{answer="unsat",strategy="whole"}': 2,
        "solver_units_total": 4_321,
    }  # fmt: skip
    assert found['neurosym_batch_memory_bytes{of="all"}'] > 2**20
    assert found['neurosym_batch_stage_seconds_bucket{le="1.0",stage="gate"}'] == 1
    metrics(Ended(End.DONE))
    assert _scraped(port)["neurosym_batch_jobs_out"] == 0


def test_the_port_is_given_back_and_belongs_to_one(served: tuple[BatchMetrics, int]) -> None:
    _, port = served
    with pytest.raises(EnvironmentFault, match=f"port {port} of 127.0.0.1 cannot be had: Address already in use"):
        metrics_at("127.0.0.1", port).__enter__()
    again = _free()
    for _ in range(2):
        with metrics_at("127.0.0.1", again):
            assert _scraped(again)["neurosym_batch_jobs"] == 0


def test_what_is_asked_wrongly_and_what_is_missing(
    neurosym: Neurosym, manifest: Manifest, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = manifest(job("a"))
    for port in ("x", "0", "65536", "host:", ":"):
        ran = neurosym("batch", path, "--metrics", port)
        assert (ran.code, ran.out) == (2, "")
        assert f"{port} is no port: 9100, or HOST:9100" in " ".join(ran.err.split())
    assert not Path(f"{path}.run.sqlite").exists()
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        ran = neurosym("batch", path, *QUICK, "--metrics", taken.getsockname()[1])
        assert (ran.code, ran.out, "cannot be had: Address already in use" in ran.err) == (4, "", True)
    assert not Path(f"{path}.run.sqlite").exists()
    monkeypatch.delitem(sys.modules, "neurosym.reports.batch.metrics")
    monkeypatch.setitem(sys.modules, "prometheus_client", None)
    ran = neurosym("batch", path, *QUICK, "--metrics", "9100")
    assert (ran.code, ran.out) == (4, "")
    assert "pip install 'neurosym-verify[metrics]'" in " ".join(ran.err.split())


@pytest.mark.slow
def test_a_batch_is_scraped_while_it_runs(neurosym: Neurosym, manifest: Manifest) -> None:
    port, found = _free(), list[dict[str, float]]()
    ended = threading.Event()

    def scrape() -> None:
        while not ended.wait(0.1):
            try:
                found.append(_scraped(port))
            except OSError:
                continue

    scraper = threading.Thread(target=scrape)
    scraper.start()
    try:
        ran = neurosym("batch", manifest(*(job(f"j{n}") for n in range(8))), *QUICK, "--metrics", port)
    finally:
        ended.set()
        scraper.join()
    assert ran.code == 0
    left = [each["neurosym_batch_jobs_left"] for each in found if each["neurosym_batch_jobs"]]
    assert left == sorted(left, reverse=True) != []
    assert any(each.get('neurosym_batch_jobs_done_total{failure="",verdict="TESTED"}', 0) > 0 for each in found)
