"""Reading generator functions: what they yield is made at once, where that is the same as making it on demand.

A generator runs while something goes through it. Made at once it is the same if it changes nothing outside of itself
and nothing that it reads changes meanwhile, which is so where all of it is gone through before anything else is done
(``sum(parts())``), and in a loop that changes none of it (``on_demand``). That it may raise is noted, and before which
of its items.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping
from collections.abc import Sequence as Many
from itertools import accumulate

from neurosym_verifiers.reading.data.items import items_of
from neurosym_verifiers.reading.data.values import NoneValue, NotRead, Stream, Value
from neurosym_verifiers.reading.execution.heap import Heap
from neurosym_verifiers.reading.execution.on_demand import captured, captured_by
from neurosym_verifiers.reading.execution.state import Exit, Raised, State, Surroundings
from neurosym_verifiers.reading.execution.ways import any_way
from neurosym_verifiers.reading.formulas.narrowing import beyond
from neurosym_verifiers.reading.formulas.normal_forms import both
from neurosym_verifiers.reading.formulas.terms import FALSE, Condition
from neurosym_verifiers.reading.python.calls import PythonCalls
from neurosym_verifiers.reading.python.program import own_nodes


class PythonGenerators(PythonCalls):
    """Reads the generator functions of one program."""

    def _generated(
        self,
        function: ast.FunctionDef,
        arguments: Many[Value],
        keywords: Mapping[str, Value],
        state: State,
        around: Surroundings,
    ) -> Value:
        line = function.lineno
        if any(isinstance(node, ast.With) for node in own_nodes(function)):
            raise NotRead(f"a with in {function.name}, which is a generator", line)
        inner, called_at = self._frame(function, arguments, keywords, state, around), state.live
        inner.yielded = []
        self._body(function, inner)
        raised, exits_before = [e for e in inner.exits if isinstance(e.outcome, Raised)], len(state.exits)
        state.exits += [Exit(e.condition, e.outcome, e.line, dict(state.names), e.heap) for e in raised]
        if any(e.heap.changed_since(state.heap) for e in inner.exits):
            raise NotRead(f"{function.name}, a generator that changes a list", line)
        state.live = any_way(*(e.condition for e in inner.exits if not isinstance(e.outcome, Raised)))
        items = tuple((beyond(there, called_at), item) for there, item, _ in inner.yielded)
        raises = state.raises_on_demand(exits_before, line)
        given = captured_by([*arguments, *keywords.values()], {}, (), state.heap).addresses
        seen = captured(function, around.enclosing, around.frames, state.heap)
        over = None if given is None or seen.addresses is None else given | seen.addresses
        return Stream(items, True, over, raises, seen.names, self._marks(function, inner, len(raised)))

    def _marks(self, function: ast.FunctionDef, inner: State, raised: int) -> tuple[int, ...] | None:
        """How many exits that raise come before each item; None where their order is not that of the execution."""
        if any(isinstance(node, ast.Try) for node in own_nodes(function)):
            return None
        before = [0, *accumulate(isinstance(e.outcome, Raised) for e in inner.exits)]
        return (*(before[mark] for _, _, mark in inner.yielded or ()), raised)

    def _yield(self, node: ast.Yield | ast.YieldFrom, state: State) -> None:
        """A statement that yields. Raises ``NotRead``."""
        if state.yielded is None:
            raise NotRead("a yield here", node.lineno)
        value = NoneValue() if node.value is None else self._value(node.value, state)
        if state.live == FALSE:
            return
        here = state.live
        items: list[tuple[Condition, Value]] = [(here, value)]
        if isinstance(node, ast.YieldFrom):
            items = [(both(here, there), item) for there, item in items_of(state.top(value), node.lineno)]
        for there, item in items:
            if not _plain(self._kept(item, node.lineno)):
                raise NotRead("a list that is yielded", node.lineno)
            state.yielded.append((there, item, len(state.exits)))


def _plain(value: Value) -> bool:
    """Whether nothing in a value lies in the heap."""
    try:
        Heap().seen(value)
    except KeyError:
        return False
    return True
