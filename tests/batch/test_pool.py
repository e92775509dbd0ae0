"""The executor: calls in processes that are equipped once, replaced when they have done enough, and lost one by one."""

from __future__ import annotations

import os
import signal
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import CancelledError, Future

import pytest

from neurosym.batch.memory import memory_of_tree
from neurosym.batch.pool import Recycling, WorkerLost, WorkerPool

_equipment: list[str] = []


def equip(word: str) -> None:
    _equipment.append(word)


def cannot_be_equipped(word: str) -> None:
    raise OSError(word)


def equipped() -> tuple[int, list[str]]:
    return os.getpid(), _equipment


def echo(value: object, *, noise: str = "") -> object:
    print(noise)  # which must not come between the pool and its worker
    return value


def fail(message: str) -> None:
    raise ValueError(message)


class Unpicklable(Exception):
    def __init__(self, one: int, two: int) -> None:
        super().__init__("it has two arguments and keeps one")


def fail_oddly() -> None:
    raise Unpicklable(1, 2)


def die(how: int) -> None:
    os.kill(os.getpid(), how)


def leave() -> None:
    sys.stderr.write("a last word\n")
    sys.stderr.flush()
    os._exit(3)


def grow() -> int:
    _equipment.append("x" * 80_000_000)
    return os.getpid()


def have_a_child(seconds: float) -> int:
    return os.spawnlp(os.P_NOWAIT, "sleep", "sleep", str(seconds))


def wait_for(seconds: float) -> None:
    time.sleep(seconds)


@pytest.fixture
def pool() -> Iterator[WorkerPool]:
    with WorkerPool(1, equip, ("kit",)) as pool:
        yield pool


def _until(condition: Callable[[], bool], seconds: float = 20) -> None:
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.01)


def _is_alive(pid: int) -> bool:
    try:
        with open(f"/proc/{pid}/stat") as file:
            return file.read().rpartition(")")[2].split()[0] not in ("Z", "X")
    except (FileNotFoundError, ProcessLookupError):
        return False


def test_a_process_is_equipped_once_and_answers_again_and_again(pool: WorkerPool) -> None:
    first, second = pool.submit(equipped).result(), pool.submit(equipped).result()
    assert first == second == (pool.pids[0], ["kit"])
    assert first[0] != os.getpid()
    assert pool.submit(echo, {"a": b"x" * 1_000_000}, noise="!").result() == {"a": b"x" * 1_000_000}


def test_what_a_call_raises_its_future_raises(pool: WorkerPool) -> None:
    with pytest.raises(ValueError, match="a message") as caught:
        pool.submit(fail, "a message").result()
    assert "in fail" in caught.value.__notes__[0]
    with pytest.raises(RuntimeError, match="Unpicklable: it has two arguments"):
        pool.submit(fail_oddly).result()
    assert pool.submit(equipped).result()[1] == ["kit"]


def test_a_lost_process_fails_one_call_and_no_other(pool: WorkerPool) -> None:
    futures: list[Future[object]] = [pool.submit(echo, 1), pool.submit(die, signal.SIGKILL), pool.submit(echo, 2)]
    with pytest.raises(WorkerLost, match="the worker was ended by SIGKILL"):
        futures[1].result()
    assert (futures[0].result(), futures[2].result()) == (1, 2)
    with pytest.raises(WorkerLost, match="ended with exit code 3: a last word"):
        pool.submit(leave).result()
    assert pool.submit(equipped).result()[1] == ["kit"]


def test_processes_are_replaced_when_they_have_done_enough_or_grown_too_large() -> None:
    with WorkerPool(1, equip, ("kit",), Recycling(calls=2)) as pool:
        pids = [pool.submit(equipped).result()[0] for _ in range(3)]
    assert (pids[0] == pids[1], pids[1] == pids[2]) == (True, False)
    with WorkerPool(1, equip, ("kit",), Recycling(memory_bytes=80_000_000)) as pool:
        assert pool.submit(grow).result() != pool.submit(equipped).result()[0]


def test_a_worker_that_cannot_be_equipped_says_why() -> None:
    with WorkerPool(1, cannot_be_equipped, ("no jail here",)) as pool:
        for _ in range(2):
            with pytest.raises(OSError, match="no jail here"):
                pool.submit(equipped).result()


def test_shutting_down_finishes_what_was_submitted_and_takes_no_more() -> None:
    with WorkerPool(1, equip, ("kit",)) as pool:
        futures = [pool.submit(echo, number) for number in range(6)]
    assert [future.result() for future in futures] == [*range(6)]
    assert pool.pids == []
    with pytest.raises(RuntimeError, match="shut down"):
        pool.submit(echo, 1)


def test_what_waits_can_be_cancelled(pool: WorkerPool) -> None:
    running, waiting = pool.submit(wait_for, 0.5), pool.submit(echo, 1)
    _until(running.running)
    assert not running.cancel()
    assert waiting.cancel()
    pool.shutdown(cancel_futures=True)
    assert running.result() is None
    with pytest.raises(CancelledError):
        waiting.result()


def test_killing_a_pool_ends_workers_and_their_children_at_once() -> None:
    pool = WorkerPool(1, equip, ("kit",))
    child = pool.submit(have_a_child, 60).result()
    running = pool.submit(wait_for, 60)
    _until(running.running)
    assert memory_of_tree(pool.pids[0]) > memory_of_tree(child) > 0
    pool.kill()
    with pytest.raises(WorkerLost):
        running.result(timeout=20)
    _until(lambda: not _is_alive(child))
