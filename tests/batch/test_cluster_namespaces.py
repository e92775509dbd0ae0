"""A Dask cluster whose workers each have a network of their own, of which one is cut off in the middle of a run."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import closing, suppress
from pathlib import Path

import pytest

from neurosym.batch.faults import StoreError
from neurosym.batch.store import reading
from neurosym.batch.tally import rows_of, tally_of
from tests.batch.conftest import QUICK, Manifest, job
from tests.batch.networks import MIDDLE, Networks, NotPossible
from tests.cli.shared import RIGHT, WRONG

pytest.importorskip("distributed")
pytestmark = pytest.mark.slow

JOBS = 24
PORT = 8786
SILENCE = "12s"
"""After so long without an answer Dask gives a connection up; it takes no less than 11 s."""


@pytest.fixture
def networks(monkeypatch: pytest.MonkeyPatch) -> Iterator[Networks]:
    monkeypatch.setenv("DASK_DISTRIBUTED__COMM__TIMEOUTS__TCP", SILENCE)
    monkeypatch.setenv("DASK_DISTRIBUTED__COMM__TIMEOUTS__CONNECT", SILENCE)
    try:
        networks = Networks()
    except NotPossible as error:
        pytest.skip(f"no network namespaces here: {error}")
    with closing(networks):
        yield networks


class Cluster:
    """A scheduler in the middle, and workers around it."""

    def __init__(self, networks: Networks, folder: Path) -> None:
        self._networks, self._folder = networks, folder
        self._run("scheduler", 0, "--host", MIDDLE, "--port", str(PORT), "--no-dashboard")

    def add(self) -> tuple[int, subprocess.Popen[bytes]]:
        """A worker in a network of its own."""
        number = self._networks.add()
        place = ["--host", self._networks.address(number), "--local-directory", str(self._folder / str(number))]
        options = ["--nthreads", "1", "--no-nanny", "--no-dashboard", *place]
        return number, self._run("worker", number, f"tcp://{MIDDLE}:{PORT}", *options)

    def _run(self, kind: str, number: int, *options: str) -> subprocess.Popen[bytes]:
        words = [sys.executable, "-m", f"distributed.cli.dask_{kind}", *options]
        return self._networks.run(words, self._folder / f"{kind}{number}.log", number)


def _until(condition: Callable[[], bool], seconds: float = 300) -> None:
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.05)


def _done(path: Path) -> int:
    with suppress(StoreError), reading(Path(f"{path}.run.sqlite")) as connection:
        return tally_of(connection).done
    return 0


def test_a_worker_killed_one_cut_off_and_one_added_cost_no_job(
    networks: Networks, manifest: Manifest, tmp_path: Path
) -> None:
    path = manifest(*(job(f"j{number}", WRONG if number % 3 == 0 else RIGHT) for number in range(JOBS)))
    folder = tmp_path / "cluster"
    folder.mkdir()
    cluster = Cluster(networks, folder)
    _, killed = cluster.add()
    cut_off, _ = cluster.add()
    cluster.add()
    _until(lambda: (folder / "scheduler0.log").read_text().count("Register worker") >= 3)
    words = [
        sys.executable,
        "-m",
        "neurosym",
        "batch",
        str(path),
        *QUICK,
        "--cluster",
        f"tcp://{MIDDLE}:{PORT}",
        "--json",
    ]
    process = subprocess.Popen(networks.command(words), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    try:
        _until(lambda: _done(path) >= 2 or process.poll() is not None)
        killed.kill()
        _until(lambda: _done(path) >= 4 or process.poll() is not None)
        networks.cut(cut_off)
        cluster.add()
        before = _done(path)
        out, err = process.communicate(timeout=300)
    finally:
        process.kill()
        process.wait()
    assert process.returncode == 1, err
    assert before < JOBS  # it was in the middle
    assert (folder / "scheduler0.log").read_text().count("Remove worker") >= 2  # both were missed
    document = json.loads(out)
    assert {each["verdict"]: each["jobs"] for each in document["verdicts"]} == {"TESTED": 16, "REFUTED": 8}
    with reading(Path(f"{path}.run.sqlite")) as connection:
        assert [row.id for row in rows_of(connection) if row.outline] == [f"j{number}" for number in range(JOBS)]
