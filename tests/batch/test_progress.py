"""What is shown while a batch runs: on a terminal a table in place, elsewhere a line now and then."""

from __future__ import annotations

import io
from dataclasses import replace

import pytest

from neurosym.batch.events import BatchEvent, Began, Ended, Gated, JobDone, Reading, Stopping, Waiting, WorkerWasLost
from neurosym.batch.tally import End, Tally
from neurosym.reports.batch.progress import BatchProgress, Meter, duration, follow
from tests.batch.scripted import RIGHT, WRONG


class Clock:
    """A time that is set."""

    now = 0.0

    def __call__(self) -> float:
        return self.now


class Terminal(io.StringIO):
    """A stream that says it is a terminal."""

    def isatty(self) -> bool:
        return True


def _told(stream: io.StringIO, *events: tuple[float, BatchEvent]) -> str:
    clock = Clock()
    with BatchProgress(stream, clock) as progress:
        for clock.now, event in events:
            progress(event)
    return stream.getvalue()


def test_the_rate_is_that_of_the_last_minute() -> None:
    clock = Clock()
    meter = Meter(clock)
    assert (meter.rate, meter.left(10)) == (0.0, "")
    for clock.now, done in ((0.0, 0), (100.0, 10), (130.0, 40), (160.0, 70)):
        meter.note(done)
    assert meter.rate == 1.0
    assert meter.left(600) == "10 min left"
    assert meter.left(0) == ""


@pytest.mark.parametrize(("seconds", "said"), [(0.4, "0 s"), (89, "89 s"), (90, "2 min"), (5400, "1.5 h")])
def test_times_in_words(seconds: float, said: str) -> None:
    assert duration(seconds) == said


def test_while_the_manifest_is_read_it_is_said_how_far() -> None:
    reading = [(float(second), Reading(second * 100)) for second in range(32)]
    assert _told(io.StringIO(), *reading) == ("neurosym: the manifest is read, 3,000 jobs so far; nothing is run yet\n")
    assert "the manifest is read, 3,100 jobs so far; nothing is run yet" in _told(Terminal(), *reading)
    assert " of " not in _told(Terminal(), *reading)


def test_without_a_terminal_there_is_a_line_every_half_minute_and_what_must_be_known() -> None:
    said = _told(
        io.StringIO(),
        (0.0, Began(Tally(100))),
        (1.0, JobDone(RIGHT, 2)),
        (20.0, JobDone(WRONG, 1)),
        (31.0, Waiting()),
        (32.0, WorkerWasLost("j\x1b[31m", "the worker was ended by SIGKILL", again=True)),
        (33.0, Stopping(End.INTERRUPTED, 2)),
        (34.0, Ended(End.INTERRUPTED)),
    )
    assert said.splitlines() == [
        "neurosym: 3 of 100 jobs, 0.1 a second, 11 min left; TESTED 2, REFUTED 1",
        "neurosym: j\\x1b[31m: the worker was ended by SIGKILL; it is tried once more, alone, at the end",
        "neurosym: interrupted: no more jobs begin, 2 at work are finished first; press Ctrl-C again to end at once",
    ]


def test_a_terminal_has_a_table_of_classes() -> None:
    syntax = replace(WRONG, verdict="REJECTED", failure="syntax")
    said = _told(
        Terminal(),
        (0.0, Began(Tally(1_000))),
        (1.0, Gated(500, 1_000)),
        (2.0, JobDone(syntax, 1)),
        (4.0, JobDone(replace(syntax, failure="import"), 3)),
        (6.0, Waiting(workers=False)),
        (8.0, Waiting()),
    )
    assert "the workers start, and prepare the first spec" in said
    assert "gate: 500 of 1,000 candidates read, nothing is run yet" in said
    assert "4 of 1,000 jobs, 1.0 a second, 17 min left" in said
    assert "REJECTED  4  import 3, syntax 1" in said
    assert "no worker is there just now; waiting for one" in said
    assert not said.rpartition("a second")[2].count("no worker")


def test_a_run_is_followed_until_it_ends() -> None:
    stream = io.StringIO()
    states = iter([(Tally(3), True), (Tally(3), True), (Tally(3), False)])
    waited = list[float]()
    follow(stream, lambda: next(states), waited.append)
    assert stream.getvalue() == "0 of 3 jobs\n" * 3
    assert len(waited) == 2
