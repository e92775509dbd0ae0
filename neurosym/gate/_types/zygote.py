"""The process that holds mypy warm: it has read the stubs of the standard library, and forks for each candidate.

Run as a script, on the standard library and mypy alone. It reads requests from its standard input and answers on its
standard output, each a JSON text of a known length. A candidate is checked in a child that starts from the same state
every time, so no candidate can leave anything behind for the next, and the order of candidates does not matter. The
child has limits on memory and time, and is killed at its deadline.

The child does what a cold build does with the module that is new: the graph is extended by it and by what it imports,
and each strongly connected component that is not done yet is processed from its source.
"""

from __future__ import annotations

import gc
import json
import os
import resource
import select
import signal
import sys
import time
from typing import Any

NAME = "candidate"
FILE = f"{NAME}.py"
WARM = """\
import abc, bisect, builtins, calendar, collections, collections.abc, copy, dataclasses, datetime, decimal, enum
import fractions, functools, graphlib, heapq, itertools, json, math, numbers, operator, random, re, statistics, string
import sys, time, typing, typing_extensions
"""
HEADER_BYTES = 4
MOST_PLACES = 2_000
CANARY = "from decimal import Decimal\n\nx: Decimal = Decimal(1) * 2\nx.quantise(y)\n'é' + z\n"
CANARY_SAYS = [
    f'{FILE}:4:1: error: "Decimal" has no attribute "quantise"; maybe "quantize"?  [attr-defined]',
    f'{FILE}:4:12: error: Name "y" is not defined  [name-defined]',
]
BEHIND_AN_ACCENT = f'{FILE}:5:{{}}: error: Name "z" is not defined  [name-defined]'


class Warm:
    """A finished build of the stubs, to be extended once: in a child."""

    def __init__(self, config: str) -> None:
        from mypy import build, main  # deferred: this module is imported for its constants as well
        from mypy.modulefinder import BuildSource

        self._mypy, self._source_class = build, BuildSource
        _, options = main.process_options(["--config-file", config, "-c", ""])
        result = build.build([BuildSource(None, "neurosym_warm", WARM)], options)
        if result.errors:
            raise RuntimeError(f"mypy finds faults in the stubs: {result.errors[:3]}")
        self._manager, self._graph, self._options = result.manager, result.graph, options
        self.is_warm = True
        """Whether candidates extend the finished build; else each is built from nothing, which is slow and right."""

    def check(self, name: str, text: str) -> dict[str, Any]:
        """What mypy says of the module ``name``, and where a value may be anything (None if that is not known).

        May be called once in a process.
        """
        source = self._source_class(f"{name}.py", name, text)
        if not self.is_warm:
            return {"messages": self._build(source), "anything": None}
        self._manager.options.export_types = True
        return {"messages": self._extend(source), "anything": self._anything()}

    def _anything(self) -> list[tuple[int, int, int, int]]:
        """First line and column (from 1), last line and column behind it, of each value whose type holds an Any."""
        from mypy.checkexpr import has_any_type
        from mypy.types import FunctionLike, get_proper_type

        found = []
        for expression, of in self._manager.all_types.items():
            proper = get_proper_type(of)
            if not isinstance(proper, FunctionLike) and has_any_type(proper):
                end_line, end_column = expression.end_line, expression.end_column
                at = (expression.line, expression.column + 1)
                found.append((*at, end_line or at[0], at[1] if end_column is None else end_column + 1))
        return found[:MOST_PLACES]

    def _build(self, source: Any) -> list[str]:
        from mypy.errors import CompileError

        try:
            return list(self._mypy.build([source], self._options).errors)
        except CompileError as error:
            return list(error.messages)

    def _extend(self, source: Any) -> list[str]:
        from mypy.errors import CompileError

        build, manager, graph = self._mypy, self._manager, self._graph
        said: list[str] = []

        def keep(path: str | None, messages: list[str], serious: bool) -> None:
            said.extend(messages)

        manager.flush_errors = keep
        manager.source_set = type(manager.source_set)([source])
        done = set(graph)
        try:
            build.load_graph([source], manager, graph)
            components = build.sorted_components(graph)
            manager.scc_by_id = {each.id: each for each in components}
            manager.top_order = [each.id for each in components]
            for each in components:
                for module in each.mod_ids:
                    manager.scc_by_mod_id[module] = each
            manager.done_sccs = {each.id for each in components if each.mod_ids <= done}
            for each in components:
                if each.id not in manager.done_sccs:
                    manager.all_types.clear()  # the last one is the candidate, which nothing imports
                    build.process_stale_scc(graph, each, manager)
        except CompileError as error:
            said.extend(error.messages)
        return said


def _answer(warm: Warm, request: dict[str, Any]) -> dict[str, Any]:
    """Forks, waits for the child's answer until the deadline, and leaves nothing behind."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        code = 1
        try:
            os.close(reading)
            os.dup2(os.open(os.devnull, os.O_RDWR), 0)
            os.dup2(0, 1)
            _limit(request)
            answer = warm.check(request["name"], request["text"])
            with os.fdopen(writing, "w", encoding="utf-8") as pipe:
                json.dump(answer, pipe)
            code = 0
        except MemoryError:
            code = 3
        except BaseException as error:
            os.write(2, f"{type(error).__name__}: {error}\n"[:1000].encode("utf-8", "replace"))
        finally:
            os._exit(code)
    os.close(writing)
    chunks: list[bytes] = []
    deadline = time.monotonic() + request["wall_s"]
    try:
        while True:
            left = deadline - time.monotonic()
            if left <= 0 or not select.select([reading], [], [], left)[0]:
                return {"fault": f"mypy was stopped after {request['wall_s']:g} s"}
            chunk = os.read(reading, 1 << 16)
            if not chunk:
                break
            chunks.append(chunk)
    finally:
        os.close(reading)
        os.kill(child, signal.SIGKILL)
        _, status, used = os.wait4(child, 0)
    try:
        answer = json.loads(b"".join(chunks))
    except ValueError:
        how = os.waitstatus_to_exitcode(status)
        known = {3: "ran out of memory", -signal.SIGXCPU: f"was stopped after {request['cpu_s']:g} s of work"}
        return {"fault": f"mypy {known.get(how, f'ended with {how} and no answer')}"}
    return {**answer, "cpu_s": used.ru_utime + used.ru_stime}


def _limit(request: dict[str, Any]) -> None:
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


def _write(answer: dict[str, Any]) -> None:
    body = json.dumps(answer).encode()
    rest = memoryview(len(body).to_bytes(HEADER_BYTES, "big") + body)
    while rest:
        rest = rest[os.write(1, rest) :]


def serve(config: str) -> None:
    """Builds once, then answers until the host closes the pipe."""
    warm = Warm(config)
    gc.collect()
    gc.freeze()
    canary = {"name": NAME, "text": CANARY, "wall_s": 30.0, "cpu_s": 30.0, "memory_bytes": resource.RLIM_INFINITY}
    said = _answer(warm, canary).get("messages", [])
    warm.is_warm = said[:2] == CANARY_SAYS
    # mypy 2.4 counts a character of n bytes as 2 - n columns: the host puts that right if it is so.
    _write({"ready": True, "is_short": BEHIND_AN_ACCENT.format(6) in said})
    while True:
        size = int.from_bytes(_read(HEADER_BYTES), "big")
        _write(_answer(warm, json.loads(_read(size))))


if __name__ == "__main__":
    serve(sys.argv[1])
