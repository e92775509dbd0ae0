"""The run: which job is handed out when, and what is booked when its answer comes, or none.

Jobs go out spec by spec, so that a bench that is prepared serves all of its candidates. A job that a worker was lost
over, or for which a worker could not get a sandbox, waits until all others are done and is tried once more, alone: what
killed the worker may have been its neighbour. The second time it has a result: an ERROR that says how the worker ended.

A job with the same code as another in another layout goes out when that one is done, with its result as the sibling.
"""

from __future__ import annotations

import time
from array import array
from collections.abc import Callable, Sequence
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, CancelledError, Executor, Future, wait
from dataclasses import dataclass

from neurosym_specs.errors import NeurosymError
from neurosym_verifiers.environment import EnvironmentFault

from neurosym.batch.events import BatchListener, Began, Ended, Gated, JobDone, Stopping, Waiting, WorkerWasLost
from neurosym.batch.jobs import Job
from neurosym.batch.serving import Answer, Kit, Order, PassedGate, WorkersUnfit, fault_answer, perform
from neurosym.batch.store import RunStore
from neurosym.batch.tally import End, tally_of
from neurosym.source import Source

_TICK_S = 0.5
_TRIES = 2


@dataclass(frozen=True, slots=True)
class Crew:
    """An executor, and what a run must know of it.

    ``places``: how many orders may be out just now. ``lost``: what it raises where a worker was lost. ``kill`` ends all
    of it at once. ``takes_back``: whether what is cancelled there does surely not run yet.
    """

    executor: Executor
    places: Callable[[], int]
    lost: tuple[type[Exception], ...]
    kill: Callable[[], None]
    takes_back: bool = True


@dataclass(frozen=True, slots=True)
class Policy:
    """``job_limit_s``: wall time for one job, then its worker ends. ``budget_s``: wall time for the run, then no more
    jobs are handed out. ``gates_first``: all candidates pass the gate before any is run. ``fail_fast``: the run ends
    with the first job that is not accepted."""

    job_limit_s: float
    budget_s: float | None = None
    gates_first: bool = False
    fail_fast: bool = False


class Stop:
    """Somebody outside wants the run to end when what is running is finished."""

    def __init__(self) -> None:
        self.asked = False

    def ask(self) -> None:
        """From a signal's handler: the run looks now and then."""
        self.asked = True


class Run:
    """One run over a store. Used once."""

    def __init__(
        self, store: RunStore, kit: Kit, crew: Crew, policy: Policy, emit: BatchListener, stop: Stop | None = None
    ) -> None:
        self._store, self._kit, self._crew, self._policy, self._emit = store, kit, crew, policy, emit
        self._stop = stop or Stop()
        self._ending: End | None = None
        self._deadline = time.monotonic() + policy.budget_s if policy.budget_s is not None else float("inf")
        self._out: dict[Future[Answer | PassedGate], Job] = {}
        self._later = array("q")

    def run(self) -> End:
        """Hands out all jobs that have no result, until they have one or the run is to end.

        Raises ``EnvironmentFault`` where there is no executor any more, or one of its workers has other tools.
        """
        self._emit(Began(tally_of(self._store.connection)))
        try:
            if self._policy.gates_first:
                self._hand_out(self._store.pending(), gate_only=True)
            self._hand_out(self._store.pending())
            self._hand_out(self._later)
            self._hand_out(self._store.pending(suspects=True), at_once=1)
        except BaseException:
            self._crew.kill()
            raise
        end = self._ending or End.DONE
        self._emit(Ended(end))
        return end

    def _hand_out(self, numbers: Sequence[int], *, gate_only: bool = False, at_once: int | None = None) -> None:
        left = iter(numbers)
        taken = 0
        while True:
            self._look()
            places = at_once or self._crew.places()
            while self._ending is None and len(self._out) < places and (number := next(left, None)) is not None:
                job = self._store.job(number)
                if job.kin is not None and not gate_only and any(each.number == job.kin for each in self._out.values()):
                    self._later.append(number)  # the first of the same code is at work, and may be the answer
                    continue
                self._out[self._crew.executor.submit(perform, self._order(job, gate_only))] = job
            if not self._out:
                if self._ending is None and places < 1:
                    time.sleep(_TICK_S)  # there are no workers just now
                    self._emit(Waiting(workers=False))
                    continue
                return
            done, _ = wait(self._out, timeout=_TICK_S, return_when=FIRST_COMPLETED)
            for future in done:
                self._take(self._out.pop(future), future)
                taken += 1
            self._emit(Gated(taken, len(numbers)) if gate_only else Waiting(out=len(self._out)))

    def _look(self) -> None:
        """Whether the run is to end; what waits in the executor and does not run yet is taken back then."""
        if self._ending is None and self._stop.asked:
            self._end(End.INTERRUPTED)
        if self._ending is None and time.monotonic() > self._deadline:
            self._end(End.OVER_BUDGET)

    def _end(self, why: End) -> None:
        self._ending = why
        for future in [each for each in self._out if self._crew.takes_back and each.cancel()]:
            del self._out[future]
        self._emit(Stopping(why, len(self._out)))

    def _order(self, job: Job, gate_only: bool) -> Order:
        source = Source(job.text, job.name, job.is_reply)
        options = job.asked.options(is_reply=job.is_reply)
        sibling = self._store.document_of(job.kin) if job.kin is not None and not gate_only else None
        limit_s = self._policy.job_limit_s
        return Order(self._kit.name, job.spec, source, job.asked.effort, options, limit_s, gate_only, sibling)

    def _take(self, job: Job, future: Future[Answer | PassedGate]) -> None:
        try:
            answer = future.result()
        except WorkersUnfit:
            raise  # it would be so for every job that this worker gets
        except CancelledError as error:
            raise EnvironmentFault(
                "the workers are gone; what is known so far is kept, and --resume goes on"
            ) from error
        except Exception as error:
            lost = isinstance(error, self._crew.lost)
            if not lost and not isinstance(error, BrokenExecutor | NeurosymError):
                raise
            self._lose(job, str(error) or type(error).__name__)
        else:
            if isinstance(answer, Answer):
                self._book(job, answer)

    def _lose(self, job: Job, why: str) -> None:
        losses = self._store.lose(job.number)
        again = losses < _TRIES
        self._emit(WorkerWasLost(job.id, why, again))
        if not again:
            said = f"no verdict in {losses} tries, the last of them alone: {why}"
            self._book(job, fault_answer(self._kit, self._order(job, gate_only=False), said))

    def _book(self, job: Job, answer: Answer) -> None:
        count = self._store.record(job.number, answer.outline, answer.document, is_shared=answer.is_shared)
        self._emit(JobDone(answer.outline, count, answer.document, answer.is_shared))
        if self._policy.fail_fast and self._ending is None and answer.outline.exit_code != 0:
            self._end(End.FAILED_FAST)
