"""Reading loops: unrolled over what is known, or over items that may be there; a ``while`` until it cannot go on; one
of many rounds by what each does (``long_loops``)."""

from __future__ import annotations

import ast
from abc import abstractmethod
from collections.abc import Callable, Mapping
from collections.abc import Sequence as Many
from dataclasses import replace
from typing import TypeAlias

from neurosym_verifiers.reading.data.items import MOST_ROUNDS, items_of
from neurosym_verifiers.reading.data.values import NotRead, Stream, Value
from neurosym_verifiers.reading.execution.flow import Flow
from neurosym_verifiers.reading.execution.state import State, joined
from neurosym_verifiers.reading.formulas.narrowing import beyond
from neurosym_verifiers.reading.formulas.normal_forms import negated
from neurosym_verifiers.reading.formulas.terms import FALSE, TRUE, Condition
from neurosym_verifiers.reading.long_loops.looping import Going, Offers, is_long, through
from neurosym_verifiers.reading.long_loops.summary import summary
from neurosym_verifiers.reading.python.enums import EnumClass
from neurosym_verifiers.reading.python.generators import PythonGenerators
from neurosym_verifiers.reading.python.library import lies_over
from neurosym_verifiers.reading.python.program import Program, stored_names

MOST_STATES = 64
_MOST_ROUNDS = 80
"""Rounds of a ``while``."""

Possible: TypeAlias = Callable[[Condition], bool]


_TOTAL, _FUNCTION, _EACH = "total!", "function!", "each!"
"""Names that no program has."""


def _name(name: str) -> ast.Name:
    return ast.Name(name, ast.Load())


class PythonLoops(PythonGenerators):
    """Reads the loops of one program.

    ``possible``: whether an input may fulfil a condition; it ends loops whose end the terms do not show.
    ``many_rounds``: loops that may have more are read as what one round does, over and over, if they can be; None: none
    are. Those which cannot are gone through round by round. ``has_long_loops`` says whether there are any,
    ``short_enough`` whether one of them might have been gone through. ``offers``: what somebody says of their rounds.
    """

    def __init__(
        self,
        program: Program,
        enums: Mapping[str, EnumClass],
        possible: Possible,
        many_rounds: int | None,
        offers: Offers,
    ) -> None:
        super().__init__(program, enums)
        self._possible = possible
        self._many_rounds = many_rounds
        self._offers = offers
        self._nesting = 0
        self.has_long_loops = self.short_enough = False

    def _may_be(self, condition: Condition) -> bool:
        return self._possible(condition)

    @abstractmethod
    def _block(self, statements: Many[ast.stmt], states: list[State]) -> Flow:
        """Executes statements one after the other."""

    def _for(self, statement: ast.For, state: State) -> Flow:
        line = statement.lineno
        iterated = self._iterated(statement.iter, state)
        if self._many_rounds is not None and is_long(iterated, self._many_rounds):
            after = self._after_long_for(statement, iterated, state)
            if after is not None:
                return self._loop_end(statement.orelse, state, after.going, after.broken)
        over = iterated.over if isinstance(iterated, Stream) else lies_over(iterated)
        if over is None or (isinstance(iterated, Stream) and iterated.reads & stored_names(statement)):
            raise NotRead("a loop over something that is computed meanwhile", line)
        items = items_of(state.top(iterated), line)
        late = self._raised_later(iterated, len(items), state, line)
        fixed = state.fixed
        going, broken = [state], list[State]()
        for (there, item), ends in zip(items, late, strict=False):
            following: list[State] = []
            for one in going:
                one.fixed = fixed | over
                one.end_where(ends)
                following += self._round(statement, there, item, one, broken)
            if len(following) + len(broken) > MOST_STATES:
                raise NotRead(f"more than {MOST_STATES} paths", line)
            going = joined(state, following) if len(following) > 1 else following
        for one in going:
            one.end_where(late[-1])
        for one in (*going, *broken):
            one.fixed = fixed
        return self._loop_end(statement.orelse, state, going, broken)

    def _after_long_for(self, statement: ast.For, iterated: Value, state: State) -> Flow | None:
        """Where execution is after a loop of many rounds; None where it has to be gone through round by round."""

        def read(inside: State) -> Flow:
            return self._block(statement.body, [inside])

        needed = is_long(iterated, MOST_ROUNDS)
        try:
            going = through(statement, iterated, read)
            if going is None:
                raise NotRead(f"a loop of more than {MOST_ROUNDS} rounds", statement.lineno)
            after = self._long(going, state)
        except NotRead:
            if needed:
                raise
            return None
        self.short_enough = self.short_enough or not needed
        return after

    def _after_long_while(self, statement: ast.While, state: State) -> Flow | None:
        """The same of a ``while``."""
        if self._many_rounds is None or statement.orelse:
            return None

        def read(inside: State) -> Flow:
            test = self._truth(statement.test, inside)
            out, on = inside.assuming(negated(test)), inside.assuming(test)
            flow = self._block(statement.body, [on] if on.live != FALSE else [])
            flow.broken += [out] if out.live != FALSE else []
            return flow

        try:
            after = self._long(Going(statement.lineno, read, stored_names(statement)), state)
        except NotRead:
            return None
        self.short_enough = True
        return after

    def _long(self, going: Going, state: State) -> Flow | None:
        assert self._many_rounds is not None
        before = self._steps.taken

        def once(inside: State) -> Flow:
            self._steps.taken = before  # however often it is read
            return going.read(inside)

        self._nesting += 1
        try:
            after = summary(replace(going, read=once), state, self._nesting, self._many_rounds, self._offers)
            if after is None:
                self._steps.taken = before
                return None
            self._steps.repeat(before, after.rounds, going.line)
        except NotRead:
            self._steps.taken = before
            raise
        finally:
            self._nesting -= 1
        self.has_long_loops = True
        return after.flow

    def folded(self, function: Value, start: Value, iterated: Value, state: State, line: int) -> Value | None:
        """``total = start`` and ``for each in iterated: total = function(total, each)``, if it is of many rounds.

        The state goes on behind it: the function may have raised, and appended to lists."""
        if self._many_rounds is None or not is_long(iterated, self._many_rounds):
            return None
        inner = state.copy()
        inner.names |= {_TOTAL: start, _FUNCTION: function}
        called = ast.Call(_name(_FUNCTION), [_name(_TOTAL), _name(_EACH)], [])
        body: list[ast.stmt] = [ast.Assign([ast.Name(_TOTAL, ast.Store())], called)]
        loop = ast.For(ast.Name(_EACH, ast.Store()), _name(_EACH), body, [])
        for node in ast.walk(loop):
            if isinstance(node, (ast.expr, ast.stmt)):
                node.lineno = line
        after = self._after_long_for(loop, iterated, inner)
        if after is None:
            return None
        if not after.going:
            state.live = FALSE
            return start
        (going,) = after.going
        state.live, state.heap = going.live, going.heap
        return going.names[_TOTAL]

    def _round(
        self, statement: ast.For, there: Condition, item: Value, state: State, broken: list[State]
    ) -> list[State]:
        """One round, if its item is there; the states that go on to the next."""
        before, there = state.copy(), beyond(there, state.live)
        inside = state if there == TRUE else state.assuming(there)
        skipped = [] if there == TRUE else [state.assuming(negated(there))]
        if inside.live == FALSE:
            return skipped
        self._assign(statement.target, item, inside)
        step = self._block(statement.body, [inside])
        broken += step.broken
        return joined(before, [*step.going, *step.continued, *skipped])

    def _while(self, statement: ast.While, state: State) -> Flow:
        after = self._after_long_while(statement, state)
        if after is not None:
            return after
        going, left, broken = [state], list[State](), list[State]()
        before = state.copy()
        for number_of_rounds in range(_MOST_ROUNDS + 1):
            following: list[State] = []
            for one in going:
                test = self._truth(statement.test, one)
                out, inside = one.assuming(negated(test)), one.assuming(test)
                if test != TRUE and out.live != FALSE:
                    left.append(out)
                if test == FALSE or inside.live == FALSE:
                    continue
                if number_of_rounds and not self._possible(inside.live):
                    continue
                if number_of_rounds == _MOST_ROUNDS:
                    raise NotRead(f"a loop of more than {_MOST_ROUNDS} rounds", statement.lineno)
                step = self._block(statement.body, [inside])
                following += [*step.going, *step.continued]
                broken += step.broken
            if len(following) + len(broken) > MOST_STATES:
                raise NotRead(f"more than {MOST_STATES} paths", statement.lineno)
            going = joined(before, following)
            left = joined(before, left)
            if not going:
                break
        return self._loop_end(statement.orelse, before, left, broken)

    def _loop_end(self, orelse: Many[ast.stmt], before: State, ended: list[State], broken: list[State]) -> Flow:
        flow = self._block(orelse, ended) if orelse else Flow(ended)
        flow.going = joined(before, [*flow.going, *broken])
        return flow
