"""Reading what raises, and what is done about it: ``raise``, ``try``, and the messages of exceptions."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from dataclasses import replace

from neurosym_verifiers.reading.data.exceptions import IMPORTED, Names, builtin_names, refuses
from neurosym_verifiers.reading.data.items import items_of
from neurosym_verifiers.reading.data.operations import check_printable
from neurosym_verifiers.reading.data.values import (
    Hidden,
    Int,
    NotRead,
    Thing,
    Value,
)
from neurosym_verifiers.reading.execution.flow import Flow
from neurosym_verifiers.reading.execution.state import Exit, Raised, State, joined
from neurosym_verifiers.reading.execution.unread import UNREAD, is_unread
from neurosym_verifiers.reading.formulas.terms import FALSE
from neurosym_verifiers.reading.python.loops import PythonLoops
from neurosym_verifiers.reading.texts.characters import is_text


class PythonExceptions(PythonLoops):
    """Reads the exceptions of one program."""

    def _raise(self, statement: ast.Raise, state: State) -> None:
        given = 0
        match statement.exc:
            case None if state.handling:
                self._end(state, state.handling, statement.lineno)
                return
            case ast.Name(id=name):
                pass
            case ast.Call(func=ast.Name(id=name), args=arguments, keywords=[]):
                given = len(arguments)
                for argument in arguments:
                    self._message(argument, state)
            case _:
                raise NotRead("this raise", statement.lineno)
        match statement.cause:
            case None | ast.Constant(value=None):
                pass
            case ast.Name(id=cause) if state.names.get(cause) == Thing("exception"):
                pass
            case _:
                raise NotRead("the cause of this raise", statement.lineno)
        names = self._exception(name, state)
        if names is None or refuses(names, given):
            raise NotRead(f"raise {name}", statement.lineno)
        self._end(state, names, statement.lineno)

    def _end(self, state: State, names: tuple[str, ...], line: int) -> None:
        if state.live != FALSE:
            state.exits.append(Exit(state.live, Raised(names), line, dict(state.names), state.heap))

    def _exception(self, name: str, state: State) -> Names | None:
        """An exception class with its bases; None if the name surely or perhaps means something else."""
        program = self._program
        if any(name in around for around in (state.names, state.locals, state.enclosing, state.hidden)):
            return None
        imported = program.names.get(name)
        if isinstance(imported, Thing) and imported.of is None:
            return IMPORTED.get(imported.name)
        if name in program.exceptions:
            return program.exceptions[name]
        return None if program.binds(name) else builtin_names(name)

    def _message(self, argument: ast.expr, state: State) -> None:
        """A message's value does not matter; that making it may fail does: literals, names, f-strings."""
        parts = argument.values if isinstance(argument, ast.JoinedStr) else [argument]
        for part in parts:
            match part:
                case ast.Constant():
                    pass
                case ast.Name(id=name):
                    self._name(name, state, argument.lineno)
                case ast.FormattedValue(value=ast.Call() as call, format_spec=None) if _joins(call):
                    self._check_texts(call.args[0], state)
                case ast.FormattedValue(value=shown, format_spec=None):
                    value = self._value(shown, state)
                    if state.live != FALSE:
                        check_printable(state.seen(value), argument.lineno)
                case ast.BinOp(left=left, op=ast.Add(), right=right) if self._texts(left, state) and self._texts(
                    right, state
                ):
                    pass
                case _:
                    self._message_text(argument, state)

    def _message_text(self, argument: ast.expr, state: State) -> None:
        """A message that is computed: a text or a number, like any other."""
        value = self._value(argument, state)
        if state.live != FALSE and not is_text(value) and not isinstance(value, Int):
            raise NotRead("the message of an exception", argument.lineno)

    def _check_texts(self, node: ast.expr, state: State) -> None:
        """What ``", ".join(...)`` puts together: it fails where something is no text."""
        found = state.top(self._value(node, state))
        if state.live != FALSE:
            for _, item in items_of(found, node.lineno):
                if not is_text(item):
                    raise NotRead("the message of an exception", node.lineno)

    def _texts(self, part: ast.expr, state: State) -> bool:
        match part:
            case ast.Constant(value=str()):
                return True
            case ast.Name(id=name):
                value = self._name(name, state, part.lineno)
                return is_text(value) or isinstance(value, Hidden)
            case ast.BinOp(left=left, op=ast.Add(), right=right):
                return self._texts(left, state) and self._texts(right, state)
            case _:
                return False

    def _try(self, statement: ast.Try, state: State) -> Flow:
        """Runs the statement, and on each way out of it what stands behind ``finally``, which may go another way."""
        if not statement.finalbody:
            return self._handled(statement, state)
        before, ends = state.copy(), list[Exit]()
        flow = self._handled(statement, replace(state.copy(), exits=ends))
        result = Flow([])
        for there, ways in (
            (result.going, flow.going),
            (result.broken, flow.broken),
            (result.continued, flow.continued),
        ):
            last = self._block(statement.finalbody, [replace(each, exits=state.exits) for each in ways])
            there += last.going
            result.leaves_with(last)
        for end in ends:
            if is_unread(end):
                state.exits.append(end)
                continue
            handling = end.outcome.names if isinstance(end.outcome, Raised) else state.handling
            here = replace(state, names=dict(end.names), heap=end.heap.copy(), live=end.condition, handling=handling)
            last = self._block(statement.finalbody, [here])
            state.exits += [Exit(each.live, end.outcome, end.line, each.names, each.heap) for each in last.going]
            for each in (*last.broken, *last.continued):
                each.handling = state.handling
            result.leaves_with(last)
        result.going = joined(before, result.going)
        return result

    def _handled(self, statement: ast.Try, state: State) -> Flow:
        """Runs the body; an exception that a handler names goes on there, in what was reached when it was raised."""
        before = state.copy()
        ends: list[Exit] = []
        flow = self._block(statement.body, [replace(state.copy(), exits=ends)])
        for each in (*flow.going, *flow.broken, *flow.continued):
            each.exits = state.exits
        result = self._block(statement.orelse, flow.going) if statement.orelse else Flow(flow.going)
        result.leaves_with(flow)
        handlers = [(handler, self._caught(handler, state)) for handler in statement.handlers]
        for end in ends:
            raised = end.outcome
            taken = next((h for h, names in handlers if isinstance(raised, Raised) and _catches(names, raised)), None)
            if taken is None or not isinstance(raised, Raised):
                state.exits.append(end)
                continue
            names = dict(end.names) | ({taken.name: Thing("exception")} if taken.name else {})
            here = replace(state, names=names, heap=end.heap.copy(), live=end.condition, handling=raised.names)
            exits_before = len(state.exits)
            handled = self._block(taken.body, [here])
            for each in (*handled.going, *handled.broken, *handled.continued):
                each.handling = state.handling
                each.names = _without(taken.name, each.names)
            state.exits[exits_before:] = [
                replace(each, names=_without(taken.name, each.names)) for each in state.exits[exits_before:]
            ]
            result.going += handled.going
            result.leaves_with(handled)
        result.going = joined(before, result.going)
        return result

    def _caught(self, handler: ast.ExceptHandler, state: State) -> frozenset[str] | None:
        """The names of the exceptions that a handler is for; None: all."""
        if handler.type is None:
            return None
        kinds = handler.type.elts if isinstance(handler.type, ast.Tuple) else [handler.type]
        found: set[str] = set()
        for kind in kinds:
            dotted = kind.id if isinstance(kind, ast.Name) else ""
            names = self._exception(dotted, state) if dotted else None
            if names is None:
                raise NotRead(f"except {ast.unparse(handler.type)}", handler.lineno)
            found.add(names[0])
        return frozenset(found)


def _without(name: str | None, names: Mapping[str, Value]) -> dict[str, Value]:
    """What names stand for where one is unbound: that of a caught exception, behind its handler."""
    return {each: value for each, value in names.items() if each != name}


def _joins(call: ast.Call) -> bool:
    """Whether a call puts texts together."""
    match call:
        case ast.Call(func=ast.Attribute(value=ast.Constant(value=str()), attr="join"), args=[_], keywords=[]):
            return True
        case _:
            return False


def _catches(names: frozenset[str] | None, raised: Raised) -> bool:
    if raised.names[0] == UNREAD:
        return False
    return names is None or bool(names & {*raised.names, "BaseException"})
