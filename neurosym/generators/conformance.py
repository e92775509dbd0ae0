"""The contract of a generator as a check that anybody can run against theirs.

from neurosym.generators.conformance import breaches

assert breaches(lambda: MyGenerator(...)) == ()
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor

from neurosym.generators.request import Answer, Message, NoReply, NoReplyKind, Reply, Request
from neurosym.generators.seam import Generator, silent

REQUEST = Request(
    model="conformance",
    messages=(Message("system", "You write Python."), Message("user", "Write a function f() that returns 1.")),
    temperature=0.0,
    max_tokens=200,
)


def breaches(make: Callable[[], Generator], request: Request = REQUEST, *, threads: int = 2) -> tuple[str, ...]:
    """What a generator does that the contract of ``Generator`` does not allow, in words; nothing where it keeps it.

    ``make`` gives a fresh generator that can answer ``request``, with a reply or a ``NoReply``.
    """
    return tuple(_breaches(make, request, threads))


def _breaches(make: Callable[[], Generator], request: Request, threads: int) -> Iterator[str]:
    generator = make()
    if not generator.name or not generator.name.isprintable():
        yield "its name is no word"
    heard: list[tuple[str, int]] = []
    try:
        answer = generator.generate(request, timeout_s=60.0, on_progress=lambda work, done: heard.append((work, done)))
        yield from _about(answer)
        if any(not work or done < 0 for work, done in heard):
            yield "its progress counts nothing, or less than nothing"
    finally:
        generator.close()
        generator.close()
    generator = make()
    try:
        with ThreadPoolExecutor(threads) as pool:
            asked = [
                pool.submit(generator.generate, request, timeout_s=60.0, on_progress=silent) for _ in range(threads)
            ]
            for each in asked:
                yield from _about(each.result())
    finally:
        generator.close()


def _about(answer: Answer) -> Iterator[str]:
    usage = answer.usage
    if usage.prompt_tokens < 0 or usage.completion_tokens < 0:
        yield "it counts less than no tokens"
    if usage.cost_usd is not None and not (usage.cost_usd.is_finite() and usage.cost_usd >= 0):
        yield "it costs what is no amount of money"
    if answer.seconds < 0 or answer.attempts < 1:
        yield "its time or its attempts cannot be"
    match answer:
        case Reply():
            if not answer.text.strip():
                yield "it gives an empty reply, where NoReply(EMPTY) is due"
            if not answer.model:
                yield "it does not say which model answered"
        case NoReply():
            if not answer.message:
                yield "it gives no reply and does not say why"
            if not isinstance(answer.kind, NoReplyKind):
                yield "it gives a reason that is not on the closed list"
