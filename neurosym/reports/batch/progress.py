"""How far a batch is, as a table on a terminal that changes in place, or now and then as a line where there is none."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable
from types import TracebackType
from typing import TextIO

from rich.console import Console, Group
from rich.live import Live
from rich.table import Table
from rich.text import Text

from neurosym.batch.events import BatchEvent, Began, Ended, Gated, JobDone, Reading, Stopping, Waiting, WorkerWasLost
from neurosym.batch.tally import End, Tally, by_verdict
from neurosym.safe_text import safe_text

_WINDOW_S = 60.0
_QUIET_S = 30.0
_REFRESH_S = 0.5
_NO_WORKERS = "no worker is there just now; waiting for one"
_STARTING = "the workers start, and prepare the first spec"
_WHY = {
    End.INTERRUPTED: "interrupted",
    End.OVER_BUDGET: "the budget of the run is spent",
    End.FAILED_FAST: "a job is not accepted, and --fail-fast ends the run with it",
}


class Meter:
    """How many jobs are done a second, over the last minute, and how long the rest takes at that rate."""

    def __init__(self, now: Callable[[], float] = time.monotonic) -> None:
        self._now = now
        self._seen: deque[tuple[float, int]] = deque()

    def note(self, done: int) -> None:
        """So many are done by now."""
        now = self._now()
        self._seen.append((now, done))
        while len(self._seen) > 2 and self._seen[1][0] <= now - _WINDOW_S:
            self._seen.popleft()

    @property
    def rate(self) -> float:
        """Jobs a second; 0 where that is not known."""
        if not self._seen:
            return 0.0
        (first, before), (last, after) = self._seen[0], self._seen[-1]
        return (after - before) / (last - first) if last > first else 0.0

    def left(self, jobs: int) -> str:
        """How long so many more jobs take, in words; empty where that is not known."""
        return f"{duration(jobs / self.rate)} left" if self.rate > 0 and jobs else ""


def duration(seconds: float) -> str:
    """A time in words, rounded as one would say it."""
    if seconds < 90:
        return f"{seconds:.0f} s"
    if seconds < 5_400:
        return f"{seconds / 60:.0f} min"
    return f"{seconds / 3_600:.1f} h"


def line_of(tally: Tally, meter: Meter) -> str:
    """One line: how far, how fast, and what came out so far."""
    counts = ", ".join(f"{verdict} {count:,}" for verdict, count, _ in by_verdict(tally.classes))
    return f"{_how_far(tally, meter)}" + (f"; {counts}" if counts else "")


def screen_of(tally: Tally, meter: Meter, remark: str) -> Group:
    """The table: each verdict with its classes of failures, the most frequent first."""
    table = Table(box=None, pad_edge=False, show_header=False, padding=(0, 2, 0, 0))
    table.add_column(justify="left")
    table.add_column(justify="right")
    table.add_column(overflow="fold")
    for verdict, count, parts in by_verdict(tally.classes):
        said = ", ".join(f"{failure} {number:,}" for failure, number in parts)
        table.add_row(verdict, f"{count:,}", said)
    return Group(Text(_how_far(tally, meter)), table, *([Text(safe_text(remark, limit=300))] if remark else []))


class BatchProgress:
    """Listens, and shows on ``stream`` how far the run is; a context manager."""

    def __init__(self, stream: TextIO, now: Callable[[], float] = time.monotonic) -> None:
        self._stream, self._now = stream, now
        self._tally, self._meter, self._remark = Tally(0), Meter(now), ""
        self._shown = now()
        self._live = _live(stream, transient=True) if stream.isatty() else None

    def __enter__(self) -> BatchProgress:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._live is not None:
            self._live.stop()

    def __call__(self, event: BatchEvent) -> None:
        match event:
            case Reading(jobs):
                self._remark = f"the manifest is read, {jobs:,} jobs so far; nothing is run yet"
            case Began(tally):
                self._tally, self._remark = tally, _STARTING
                self._meter.note(tally.done)
                self._show(force=True)
            case JobDone(outline, count):
                self._tally.add(outline, count)
                self._meter.note(self._tally.done)
                self._remark = "" if self._remark == _STARTING else self._remark
            case WorkerWasLost(job_id, why, again):
                then = "it is tried once more, alone, at the end" if again else "it is recorded as ERROR"
                self._say(f"{job_id}: {why}; {then}")
            case Gated(done, total):
                self._remark = f"gate: {done:,} of {total:,} candidates read, nothing is run yet"
            case Stopping(why, running):
                more = "; press Ctrl-C again to end at once" if why is End.INTERRUPTED else ""
                self._say(f"{_WHY[why]}: no more jobs begin, {running} at work are finished first{more}")
            case Waiting(workers):
                if not workers:
                    self._remark = _NO_WORKERS
                elif self._remark == _NO_WORKERS:
                    self._remark = ""
            case Ended():
                self._show(force=True)
                return
        self._show()

    def _say(self, text: str) -> None:
        self._remark = text
        if self._live is None:
            print(f"neurosym: {safe_text(text, limit=400)}", file=self._stream, flush=True)
        else:
            self._show(force=True)

    def _show(self, *, force: bool = False) -> None:
        now = self._now()
        if not force and now - self._shown < (_QUIET_S if self._live is None else _REFRESH_S):
            return
        self._shown = now
        if self._live is not None:
            self._live.start()
            is_known = self._tally.jobs > 0
            shown = screen_of(self._tally, self._meter, self._remark) if is_known else Text(self._remark)
            self._live.update(shown, refresh=True)
        elif not force:
            line = line_of(self._tally, self._meter) if self._tally.jobs else self._remark
            print(f"neurosym: {line}", file=self._stream, flush=True)


def follow(stream: TextIO, look: Callable[[], tuple[Tally, bool]], wait: Callable[[float], None] = time.sleep) -> None:
    """Shows what ``look`` sees, a tally and whether a run is writing, until none is."""
    meter = Meter()
    live = _live(stream, transient=False) if stream.isatty() else None
    try:
        while True:
            tally, is_running = look()
            meter.note(tally.done)
            if live is not None:
                live.start()
                live.update(screen_of(tally, meter, "" if is_running else "no run is writing to it"), refresh=True)
            else:
                print(line_of(tally, meter), file=stream, flush=True)
            if not is_running:
                return
            wait(2.0 if live is not None else _QUIET_S / 3)
    finally:
        if live is not None:
            live.stop()


def _live(stream: TextIO, *, transient: bool) -> Live:
    console = Console(file=stream, markup=False, highlight=False)
    return Live(console=console, auto_refresh=False, transient=transient)


def _how_far(tally: Tally, meter: Meter) -> str:
    rate = f"{meter.rate:.1f} a second" if meter.rate else ""
    parts = [f"{tally.done:,} of {tally.jobs:,} jobs", rate, meter.left(tally.left)]
    return ", ".join(part for part in parts if part)
