"""The process that holds a service warm, and forks for each request.

Run as a script, with the folders of this project's packages and the file of the service; it reads requests from its
standard input and answers on its standard output, each a JSON text of a known length. A request is answered in a child
that starts from the same state every time, so nothing can leave anything behind for the next. The child has limits on
memory and time, and is killed at its deadline.

The file of a service defines ``prepare(argument)``, which returns a ``Service``.
"""

from __future__ import annotations

import gc
import json
import os
import resource
import runpy
import select
import signal
import sys
import time
from collections.abc import Callable
from typing import Any, Protocol

HEADER_BYTES = 4
_OUT_OF_MEMORY = 3

Document = dict[str, Any]  # what json takes and gives


class Service(Protocol):
    """What a worker does."""

    name: str
    """What messages about its failures call it."""

    def greet(self, ask: Callable[[Document], Document]) -> Document:
        """Called once, before the first request; ``ask`` puts a request to itself. What is returned, the host keeps."""
        ...

    def answer(self, request: Document) -> Document:
        """The answer. Called once in a process."""
        ...


def _ask(service: Service, request: Document) -> Document:
    """Forks, waits for the child's answer until the deadline, and leaves nothing behind."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            os.close(reading)
            os.dup2(os.open(os.devnull, os.O_RDWR), 0)
            os.dup2(0, 1)
            _limit(request)
            _write(writing, _answered(service, request))
            os._exit(0)
        except MemoryError:
            os._exit(_OUT_OF_MEMORY)
        finally:
            os._exit(1)
    os.close(writing)
    chunks: list[bytes] = []
    deadline = time.monotonic() + request["wall_s"]
    try:
        while True:
            left = deadline - time.monotonic()
            if left <= 0 or not select.select([reading], [], [], left)[0]:
                return {"fault": f"{service.name} was stopped after {request['wall_s']:g} s"}
            chunk = os.read(reading, 1 << 16)
            if not chunk:
                break
            chunks.append(chunk)
    finally:
        os.close(reading)
        os.kill(child, signal.SIGKILL)
        _, status, used = os.wait4(child, 0)
    try:
        answer: Document = json.loads(b"".join(chunks))
    except ValueError:
        how = os.waitstatus_to_exitcode(status)
        known = {
            _OUT_OF_MEMORY: "ran out of memory",
            -signal.SIGXCPU: f"was stopped after {request['cpu_s']:g} s of work",
        }
        return {"fault": f"{service.name} {known.get(how, f'ended with {how} and no answer')}"}
    return {**answer, "cpu_s": used.ru_utime + used.ru_stime}


def _answered(service: Service, request: Document) -> bytes:
    """The answer, or what kept the service from one, as JSON. Raises ``MemoryError``."""
    try:
        return json.dumps(service.answer(request)).encode()
    except MemoryError:
        raise
    except BaseException as error:  # mypy, for one, ends itself when it meets a fault of its own
        return json.dumps({"fault": f"{service.name} failed: {_said(error)}"}).encode()


def _said(error: BaseException) -> str:
    return f"{type(error).__name__}: {error}"[:1000]


def _limit(request: Document) -> None:
    resource.setrlimit(resource.RLIMIT_AS, (request["memory_bytes"], request["memory_bytes"]))
    seconds = int(request["cpu_s"]) + 1
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 1))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def _read(count: int) -> bytes:
    data = b""
    while len(data) < count:
        more = os.read(0, count - len(data))
        if not more:
            os._exit(0)  # the host is gone
        data += more
    return data


def _tell(answer: Document) -> None:
    body = json.dumps(answer).encode()
    _write(1, len(body).to_bytes(HEADER_BYTES, "big") + body)


def _write(handle: int, data: bytes) -> None:
    rest = memoryview(data)
    while rest:
        rest = rest[os.write(handle, rest) :]


def serve(file: str, argument: str) -> None:
    """Prepares once, then answers until the host closes the pipe. Where that fails, the greeting says why."""
    try:
        service: Service = runpy.run_path(file)["prepare"](argument)
        gc.collect()
        gc.freeze()
        greeting = service.greet(lambda request: _ask(service, request))
    except Exception as error:
        _tell({"fault": _said(error)})
        return
    _tell(greeting)
    while True:
        size = int.from_bytes(_read(HEADER_BYTES), "big")
        _tell(_ask(service, json.loads(_read(size))))


if __name__ == "__main__":
    sys.path += [each for each in sys.argv[3:] if each not in sys.path]
    serve(sys.argv[1], sys.argv[2])
