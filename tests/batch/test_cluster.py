"""Batches on a real Dask scheduler with real workers, which are killed, added, and have other tools."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from neurosym.batch.faults import StoreError
from neurosym.batch.store import reading
from neurosym.batch.tally import tally_of
from tests.batch.conftest import QUICK, Manifest, job
from tests.cli.shared import RIGHT, WRONG, Neurosym

distributed: Any = pytest.importorskip("distributed")
pytestmark = pytest.mark.slow

JOBS = 16
OTHER_TOOLS = """
import neurosym.identity as identity

found = {**identity.tools(), "z3-solver": "0.0.1"}
identity.tools = lambda: found
"""


class Cluster:
    """A scheduler and workers, each a process with a nanny, which starts it anew when it is killed."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._file = folder / "scheduler.json"
        self._running: list[subprocess.Popen[bytes]] = []

    def start(self, workers: int) -> str:
        """Starts it, and returns its address."""
        self._run("scheduler", "--port", "0", "--no-dashboard")
        _until(self._file.exists)
        for _ in range(workers):
            self.add()
        return str(json.loads(self._file.read_text())["address"])

    def add(self, *options: str) -> None:
        """One more worker."""
        place = self._folder / f"worker{len(self._running)}"
        self._run(
            "worker", "--nthreads", "1", "--nworkers", "1", "--no-dashboard", "--local-directory", str(place), *options
        )

    def stop(self) -> None:
        """Ends all of it."""
        for each in reversed(self._running):
            each.terminate()
        for each in self._running:
            with suppress(subprocess.TimeoutExpired):
                each.wait(20)
            each.kill()
            each.wait()

    def _run(self, kind: str, *options: str) -> None:
        command = [sys.executable, "-m", f"distributed.cli.dask_{kind}", "--host", "127.0.0.1", "--scheduler-file"]
        with (self._folder / f"{kind}{len(self._running)}.log").open("wb") as log:
            self._running.append(subprocess.Popen([*command, str(self._file), *options], stdout=log, stderr=log))


@pytest.fixture
def cluster(tmp_path: Path) -> Iterator[Cluster]:
    folder = tmp_path / "cluster"
    folder.mkdir()
    cluster = Cluster(folder)
    yield cluster
    cluster.stop()


@pytest.fixture
def jobs(manifest: Manifest) -> Path:
    return manifest(*(job(f"j{number}", WRONG if number % 4 == 0 else RIGHT) for number in range(JOBS)))


def _until(condition: Callable[[], bool], seconds: float = 180) -> None:
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.05)


def _done(path: Path) -> int:
    with suppress(StoreError), reading(Path(f"{path}.run.sqlite")) as connection:
        return tally_of(connection).done
    return 0


def _pids(address: str) -> list[int]:
    with distributed.Client(address, set_as_default=False) as client:
        return [*client.run(os.getpid).values()]


def test_a_worker_killed_and_one_added_cost_no_job(cluster: Cluster, jobs: Path) -> None:
    address = cluster.start(workers=2)
    command = [sys.executable, "-m", "neurosym", "batch", str(jobs), *QUICK, "--cluster", address, "--json"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    try:
        _until(lambda: _done(jobs) >= 3 or process.poll() is not None)
        os.kill(_pids(address)[0], signal.SIGKILL)
        cluster.add()
        out, err = process.communicate(timeout=300)
    finally:
        process.kill()
    assert process.returncode == 1, err
    document = json.loads(out)
    assert {each["verdict"]: each["jobs"] for each in document["verdicts"]} == {"TESTED": 12, "REFUTED": 4}
    assert document["done"] == JOBS


def test_workers_with_other_tools_are_named(cluster: Cluster, jobs: Path, neurosym: Neurosym, tmp_path: Path) -> None:
    address = cluster.start(workers=0)
    (tmp_path / "other_tools.py").write_text(OTHER_TOOLS)
    cluster.add("--preload", str(tmp_path / "other_tools.py"))
    ran = neurosym("batch", jobs, *QUICK, "--cluster", address)
    assert (ran.code, ran.out) == (4, "")
    assert "has other tools, whose answers may differ: z3-solver is 0.0.1, here " in ran.err
    assert "install the same (NS820)" in ran.err


def test_nobody_answers(jobs: Path, neurosym: Neurosym) -> None:
    ran = neurosym("batch", jobs, *QUICK, "--cluster", "tcp://127.0.0.1:9")
    assert (ran.code, ran.out) == (4, "")
    assert "no Dask scheduler answers at tcp://127.0.0.1:9" in ran.err
    assert "(NS820)" in ran.err
