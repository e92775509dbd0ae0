"""The service that holds mypy warm: it has read the stubs of the standard library, and extends that build by a module.

Runs on the standard library and mypy alone, in a process of its own (``neurosym.workers``).

A request does what a cold build does with the module that is new: the graph is extended by it and by what it imports,
and each strongly connected component that is not done yet is processed from its source.
"""

from __future__ import annotations

from collections.abc import Callable
from resource import RLIM_INFINITY
from typing import Any

NAME = "candidate"
FILE = f"{NAME}.py"
WARM = """\
import abc, bisect, builtins, calendar, collections, collections.abc, copy, dataclasses, datetime, decimal, enum
import fractions, functools, graphlib, heapq, itertools, json, math, numbers, operator, random, re, statistics, string
import sys, time, typing, typing_extensions
"""
MOST_PLACES = 2_000
CANARY = "from decimal import Decimal\n\nx: Decimal = Decimal(1) * 2\nx.quantise(y)\n'é' + z\n"
CANARY_SAYS = [
    f'{FILE}:4:1: error: "Decimal" has no attribute "quantise"; maybe "quantize"?  [attr-defined]',
    f'{FILE}:4:12: error: Name "y" is not defined  [name-defined]',
]
BEHIND_AN_ACCENT = f'{FILE}:5:{{}}: error: Name "z" is not defined  [name-defined]'


class Warm:
    """A finished build of the stubs, to be extended once: in a child."""

    name = "mypy"

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

    def greet(self, ask: Callable[[dict[str, Any]], dict[str, Any]]) -> dict[str, Any]:
        """Whether the extended build says what is known to be right; and how this mypy counts columns."""
        request = {"name": NAME, "text": CANARY, "wall_s": 30.0, "cpu_s": 30.0, "memory_bytes": RLIM_INFINITY}
        said = ask(request).get("messages", [])
        self.is_warm = said[:2] == CANARY_SAYS
        # mypy 2.4 counts a character of n bytes as 2 - n columns: the host puts that right if it is so.
        return {"is_short": BEHIND_AN_ACCENT.format(6) in said}

    def answer(self, request: dict[str, Any]) -> dict[str, Any]:
        """What mypy says of the module, and where a value may be anything (None if that is not known)."""
        source = self._source_class(f"{request['name']}.py", request["name"], request["text"])
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
            for new in set(graph) - done:  # as a cold build does behind its graph: which submodules are seen
                manager.import_map[new] = graph[new].dependencies_set
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


def prepare(config: str) -> Warm:
    """Reads the stubs, with the configuration file ``config``."""
    return Warm(config)
