"""Whatever a request does to its process, the host has an answer or a reason, and the next request is answered."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

from neurosym.workers import Broken, Limits, Worker

SERVICE = """
import os
import signal


class Doing:
    name = "the service"
    seen = 0

    def greet(self, ask):
        return {}

    def answer(self, request):
        self.seen += 1
        match request["do"]:
            case "count":
                return {"seen": self.seen, "folder": os.listdir(), "secret": os.environ.get("SECRET")}
            case "fill":
                bytearray(2**30)
            case "loop":
                while True:
                    pass
            case "crash":
                os.kill(os.getpid(), signal.SIGSEGV)
            case "fail":
                raise ValueError("no")
            case "exit":
                raise SystemExit(2)
            case "object":
                return {"no json": object()}
        return {}


def prepare(argument):
    return Doing()
"""


@pytest.fixture(scope="module")
def worker(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Worker]:
    file = tmp_path_factory.mktemp("service") / "service.py"
    file.write_text(SERVICE)
    worker = Worker(file, called="the worker")
    yield worker
    worker.close()


@pytest.mark.parametrize(
    ("do", "limits", "why"),
    [
        ("fill", Limits(memory_bytes=2**28), "the service ran out of memory"),
        ("loop", Limits(wall_s=0.2), "the service was stopped after 0.2 s"),
        ("loop", Limits(cpu_s=0.1), "the service was stopped after 0.1 s of work"),
        ("crash", Limits(), "the service ended with -11 and no answer"),
        ("fail", Limits(), "the service failed: ValueError: no"),
        ("exit", Limits(), "the service failed: SystemExit: 2"),
        ("object", Limits(), "the service failed: TypeError: Object of type object is not JSON serializable"),
    ],
)
def test_a_request_that_ends_its_process_is_no_answer(worker: Worker, do: str, limits: Limits, why: str) -> None:
    worker.limits = limits
    assert worker.ask({"do": do}) == Broken(why)
    worker.limits = Limits()
    answer = worker.ask({"do": "count"})
    assert not isinstance(answer, Broken)
    assert answer["seen"] == 1, "a request has left something behind"


def test_a_process_that_is_killed_is_replaced(worker: Worker) -> None:
    assert not isinstance(worker.ask({"do": "count"}), Broken)
    first = worker.pid
    assert first is not None
    os.kill(first, signal.SIGKILL)
    os.waitid(os.P_PID, first, os.WEXITED | os.WNOWAIT)
    assert not isinstance(worker.ask({"do": "count"}), Broken)
    assert worker.pid != first


def test_a_process_has_an_empty_folder_and_no_secrets(worker: Worker, monkeypatch: pytest.MonkeyPatch) -> None:
    worker.close()
    monkeypatch.setenv("SECRET", "token")
    answer = worker.ask({"do": "count"})
    assert not isinstance(answer, Broken)
    assert (answer["folder"], answer["secret"]) == ([], None)


def test_a_service_that_cannot_be_prepared_is_no_answer(tmp_path: Path) -> None:
    file = tmp_path / "service.py"
    file.write_text("import no_such_module")
    broken = Worker(file, called="the worker")
    why = "it cannot start: ModuleNotFoundError: No module named 'no_such_module'"
    assert broken.ask({}) == Broken(f"the worker's process failed: {why}")
    broken.close()
