"""Asking again where the other side is busy: exponential backoff with full jitter.

The waits are drawn between nothing and a bound that doubles (M. Brooker, "Exponential Backoff And Jitter", 2015), so
that many who were turned away at once do not all come back at once. A wait that the other side asks for is kept.
"""

from __future__ import annotations

import math
import random
import time
from collections.abc import Callable
from dataclasses import dataclass, replace

from neurosym.generators.request import Answer, NoReply, NoReplyKind, OnProgress

FIRST_S = 0.5
LONGEST_S = 30.0


@dataclass(frozen=True, slots=True)
class Again:
    """An attempt that failed and may succeed if repeated, after ``wait_s`` at the least."""

    failed: NoReply
    wait_s: float = 0.0


@dataclass(frozen=True, slots=True)
class Clock:
    """Time and chance, passed in so that tests need neither wait nor guess."""

    now: Callable[[], float] = time.monotonic
    sleep: Callable[[float], None] = time.sleep
    draw: Callable[[float, float], float] = random.uniform


def with_retries(
    attempt: Callable[[float], Answer | Again],
    *,
    tries: int,
    timeout_s: float,
    on_progress: OnProgress,
    clock: Clock,
) -> Answer:
    """The first answer that needs no repetition; after ``tries`` attempts, or when time is up, the last failure.

    ``attempt`` is given the seconds that are left. ``seconds`` and ``attempts`` of the answer count all of them.
    """
    begun = clock.now()
    found: Answer | Again = NoReply(kind=NoReplyKind.TIMEOUT, message="no time was left to ask")
    number = 0
    while number < tries:
        number += 1
        found = attempt(begun + timeout_s - clock.now())
        if not isinstance(found, Again):
            break
        wait_s = max(found.wait_s, clock.draw(0.0, min(LONGEST_S, FIRST_S * 2 ** (number - 1))))
        if number == tries or clock.now() - begun + wait_s >= timeout_s:
            break
        on_progress(f"{found.failed.message}; waiting for attempt", number + 1)
        clock.sleep(wait_s)
    answer = found.failed if isinstance(found, Again) else found
    return replace(answer, seconds=clock.now() - begun, attempts=number)


def seconds_of(text: str | None) -> float:
    """A ``Retry-After`` in seconds, at most a minute; one that names a date is as good as none."""
    try:
        seconds = float(text or 0)
        return 0.0 if math.isnan(seconds) else min(max(seconds, 0.0), 60.0)
    except ValueError:
        return 0.0
