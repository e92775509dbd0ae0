"""What a run does: in which order, with what is lost, when it is to end; and what its store holds afterwards."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from neurosym_verifiers.environment import EnvironmentFault

from neurosym.batch.events import Stopping, WorkerWasLost
from neurosym.batch.jobs import Asked, Settings, Shard, place_of
from neurosym.batch.pool import WorkerLost
from neurosym.batch.running import Policy, Stop
from neurosym.batch.serving import Order, WorkersUnfit
from neurosym.batch.store import RunStore
from neurosym.batch.tally import End, rows_of, tally_of
from tests.batch.conftest import Manifest, job
from tests.batch.scripted import POLICY, RIGHT, WRONG, Ran, Script, planned, run_over


@pytest.fixture
def store(manifest: Manifest, folder: Path) -> Iterator[RunStore]:
    """Five jobs, of which ``c`` asks what ``a`` asks."""
    twin = {**job("a"), "id": "c"}
    with planned(folder / "store", manifest(job("a"), job("b"), twin, job("d"), job("e"))) as store:
        yield store


def _verdicts(store: RunStore) -> dict[str, str]:
    return {row.id: row.outline.verdict if row.outline else "" for row in rows_of(store.connection)}


def test_every_job_gets_a_result_and_duplicates_are_asked_once(store: RunStore) -> None:
    ran = run_over(store, lambda order: WRONG if order.source.name == "a" else RIGHT)
    assert ran.end is End.DONE
    assert ran.executor.names == ["a", "b", "d", "e"]
    assert _verdicts(store) == {"a": "REFUTED", "b": "TESTED", "c": "REFUTED", "d": "TESTED", "e": "TESTED"}
    assert {row.id: row.twin for row in rows_of(store.connection) if row.twin} == {"c": "a"}
    assert tally_of(store.connection).exit_code(ran.end, skipped=0) == 1


def test_jobs_go_out_spec_by_spec(manifest: Manifest, folder: Path) -> None:
    text = (folder / "late_fee.spec.toml").read_text()
    (folder / "b").mkdir()
    (folder / "b" / "late_fee.spec.toml").write_text(text + "# another\n")
    jobs = [job(f"{place}{number}", spec=f"{place}late_fee.spec.toml") for number in range(3) for place in ("", "b/")]
    with planned(folder / "store", manifest(*jobs)) as store:
        assert run_over(store, lambda order: RIGHT).executor.names == ["0", "1", "2", "b/0", "b/1", "b/2"]


def test_what_has_a_result_is_not_asked_again(store: RunStore) -> None:
    stop = Stop()

    def until_b(order: Order) -> object:
        if order.source.name == "b":
            stop.ask()
        return RIGHT

    assert run_over(store, until_b, places=1, stop=stop).end is End.INTERRUPTED
    assert tally_of(store.connection).exit_code(End.INTERRUPTED, skipped=0) == 130
    assert _verdicts(store) == {"a": "TESTED", "b": "TESTED", "c": "TESTED", "d": "", "e": ""}
    assert run_over(store, lambda order: WRONG).executor.names == ["d", "e"]
    assert _verdicts(store)["a"] == "TESTED"


def test_a_result_is_never_written_twice(store: RunStore) -> None:
    store.record(1, RIGHT, b"")
    with pytest.raises(Exception, match="UNIQUE"):
        store.record(1, WRONG, b"")
    assert _verdicts(store)["a"] == "TESTED"


def _poison(name: str) -> Script:
    return lambda order: WorkerLost("the worker was ended by SIGKILL") if order.source.name == name else RIGHT


def test_a_job_that_kills_its_worker_is_tried_once_more_alone_and_then_recorded(store: RunStore) -> None:
    ran = run_over(store, _poison("a"))
    assert ran.end is End.DONE
    assert ran.executor.names == ["a", "b", "d", "e", "a"]
    assert _verdicts(store) == {"a": "ERROR", "b": "TESTED", "c": "ERROR", "d": "TESTED", "e": "TESTED"}
    (row,) = rows_of(store.connection, "jobs.id = 'a'")
    assert row.outline is not None
    assert (row.outline.failure, row.outline.code, row.outline.exit_code, row.losses) == ("tool", "NS901", 70, 2)
    assert row.outline.says == "no verdict in 2 tries, the last of them alone: the worker was ended by SIGKILL"
    assert [(each.job_id, each.again) for each in ran.events if isinstance(each, WorkerWasLost)] == [
        ("a", True),
        ("a", False),
    ]


def test_errors_are_put_aside_and_judged_anew(store: RunStore) -> None:
    run_over(store, _poison("a"))
    assert store.put_errors_aside() == 2
    assert store.pending().tolist() == [1]
    assert _verdicts(store) == {"a": "", "b": "TESTED", "c": "", "d": "TESTED", "e": "TESTED"}
    assert run_over(store, lambda order: WRONG).executor.names == ["a"]
    assert (_verdicts(store)["a"], _verdicts(store)["c"], _verdicts(store)["b"]) == ("REFUTED", "REFUTED", "TESTED")
    assert store.connection.execute("SELECT job, code FROM superseded").fetchall() == [(1, "NS901"), (3, "NS901")]
    assert store.put_errors_aside() == 0


def test_a_job_that_is_lost_once_is_judged_the_second_time(store: RunStore) -> None:
    asked = list[str]()

    def script(order: Order) -> object:
        asked.append(order.source.name)
        return WorkerLost("gone") if asked.count("b") == 1 and order.source.name == "b" else RIGHT

    run_over(store, script)
    assert set(_verdicts(store).values()) == {"TESTED"}


def test_a_loss_is_remembered_by_the_store(store: RunStore) -> None:
    """A job that takes the whole run with it is the last one of the next run, and no more than twice."""
    store.lose(1)
    ran = run_over(store, _poison("a"))
    assert ran.executor.names == ["b", "d", "e", "a"]
    assert _verdicts(store)["a"] == "ERROR"


def test_a_sandbox_that_cannot_be_had_for_a_job_is_no_verdict(store: RunStore) -> None:
    ran = run_over(store, lambda order: EnvironmentFault("no jail") if order.source.name == "b" else RIGHT)
    assert (ran.end, _verdicts(store)["b"]) == (End.DONE, "ERROR")


def test_workers_with_other_tools_end_the_run(store: RunStore) -> None:
    with pytest.raises(WorkersUnfit, match="other tools"):
        run_over(store, lambda order: WorkersUnfit("other tools"))


def test_a_fault_of_ours_in_the_executor_is_not_taken_for_a_lost_worker(store: RunStore) -> None:
    with pytest.raises(ZeroDivisionError):
        run_over(store, lambda order: ZeroDivisionError())


def test_fail_fast_ends_with_the_first_that_is_not_accepted(store: RunStore) -> None:
    policy = Policy(job_limit_s=60, fail_fast=True)
    ran = run_over(store, lambda order: WRONG if order.source.name == "b" else RIGHT, policy, places=1)
    assert (ran.end, ran.executor.names) == (End.FAILED_FAST, ["a", "b"])
    assert tally_of(store.connection).exit_code(ran.end, skipped=0) == 1


def test_gates_go_first_where_that_is_asked_for(store: RunStore) -> None:
    rejected = replace(WRONG, verdict="REJECTED", failure="syntax")
    policy = Policy(job_limit_s=60, gates_first=True)
    ran = run_over(store, lambda order: rejected if order.source.name == "d" else RIGHT, policy)
    assert [(each.source.name, each.gate_only) for each in ran.executor.asked] == [
        ("a", True), ("b", True), ("d", True), ("e", True), ("a", False), ("b", False), ("e", False),
    ]  # fmt: skip
    assert _verdicts(store)["d"] == "REJECTED"


def test_a_budget_that_is_spent_hands_out_nothing_more(store: RunStore) -> None:
    ran = run_over(store, lambda order: RIGHT, Policy(job_limit_s=60, budget_s=-1.0))
    assert (ran.end, ran.executor.asked) == (End.OVER_BUDGET, [])
    tally = tally_of(store.connection)
    assert (tally.left, tally.exit_code(ran.end, skipped=0)) == (5, 3)


def test_what_waits_is_taken_back_and_what_runs_is_waited_for(store: RunStore) -> None:
    stop = Stop()

    def script(order: Order) -> object:
        if order.source.name == "b":
            stop.ask()
        return None if order.source.name == "a" else RIGHT

    ran: Ran = run_over(store, script, stop=stop)
    assert all(future.cancelled() for future in ran.executor.open)
    assert [each.running for each in ran.events if isinstance(each, Stopping)] == [0]
    assert _verdicts(store)["b"] == "TESTED"


def test_a_run_that_reads_meanwhile_sees_what_is_committed(store: RunStore) -> None:
    other = sqlite3.connect(f"file:{store.path}?mode=ro", uri=True)
    assert tally_of(other).done == 0
    run_over(store, lambda order: RIGHT, POLICY)
    assert tally_of(other).done == 5
    other.close()


def test_seeds_come_from_ids_and_shards_from_content() -> None:
    settings = Settings(seeds=4)
    seeds = {name: settings.asked_for(name, {}).effort.seed for name in map(str, range(40))}
    assert set(seeds.values()) == {0, 1, 2, 3}
    assert seeds == {name: place_of(name, 4) for name in seeds}
    assert settings.asked_for("7", {"seed": 99, "examples": 3}).effort.seed == 99
    assert settings.asked_for("7", {"mend": True, "types": "off"}).options(is_reply=False).rewrites
    assert Settings().asked_for("any", {}) == Asked()
    for name in map(str, range(40)):
        assert [Shard(index, 3).holds("spec", name) for index in (1, 2, 3)].count(True) == 1
