"""Asks several questions at once, and tells what is heard of them in one voice."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from concurrent.futures import FIRST_EXCEPTION, ThreadPoolExecutor, wait
from dataclasses import dataclass

from neurosym import events
from neurosym.events import Listener, Stage
from neurosym.generators.request import Answer, Request
from neurosym.generators.seam import Generator

_MOST_AT_ONCE = 8


@dataclass(frozen=True, slots=True)
class Asked:
    """One question to a generator. ``name``: what the candidate is called that comes of it."""

    name: str
    request: Request
    timeout_s: float


def ask_all(generator: Generator, questions: Sequence[Asked], emit: Listener) -> tuple[Answer, ...]:
    """The answers in the order of the questions. Listeners are told of one thing at a time, whatever comes when.

    Where one of them raises, or somebody interrupts, the generator is closed: nobody is asked any more.
    """
    speaking = threading.Lock()

    def tell(event: events.Event) -> None:
        with speaking:
            emit(event)

    def ask(asked: Asked) -> Answer:
        tell(events.StageEntered(asked.name, Stage.GENERATE))
        answer = generator.generate(
            asked.request,
            timeout_s=asked.timeout_s,
            on_progress=lambda work, done: tell(events.Progress(asked.name, work, done, 0)),
        )
        tell(events.Answered(asked, answer))
        return answer

    if len(questions) == 1:
        return (ask(questions[0]),)
    pool = ThreadPoolExecutor(min(len(questions), _MOST_AT_ONCE))
    try:
        asked = [pool.submit(ask, each) for each in questions]
        wait(asked, return_when=FIRST_EXCEPTION)
        if failed := next((each for each in asked if each.done() and each.exception() is not None), None):
            failed.result()
        return tuple(each.result() for each in asked)
    except BaseException:
        generator.close()  # who interrupts does not wait for the answers that are still to come
        raise
    finally:
        pool.shutdown(wait=False, cancel_futures=True)
