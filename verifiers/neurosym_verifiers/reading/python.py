"""Reading a Python function: every path with its condition, until it returns or raises.

Execution is on symbolic values. At an ``if`` it goes both ways; where both come out again the two states become one
whose values are choices, as long as their types fit. What may raise ends the path there, under its condition. Loops
are unrolled: over what is known, over items that may be there, and ``while`` until the condition cannot hold. The
result is a list of exits whose conditions exclude each other and, on the universe, leave nothing out.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping
from collections.abc import Sequence as Many
from dataclasses import replace
from functools import partial
from typing import TypeGuard

from neurosym_verifiers.reading.characters import is_text
from neurosym_verifiers.reading.containers import new_list, put, subscript
from neurosym_verifiers.reading.exceptions import ASSERTION_ERROR, IMPORTED, Names, builtin_names
from neurosym_verifiers.reading.flow import Flow
from neurosym_verifiers.reading.heap import Heap
from neurosym_verifiers.reading.normal_forms import negated
from neurosym_verifiers.reading.numbers import PRECISION, context_of
from neurosym_verifiers.reading.operations import check_printable
from neurosym_verifiers.reading.patterns import matched
from neurosym_verifiers.reading.program import EnumClass, Program, is_generator
from neurosym_verifiers.reading.python_loops import MOST_STATES, Possible, PythonLoops
from neurosym_verifiers.reading.python_values import as_tuple
from neurosym_verifiers.reading.state import MODULE, Exit, Raised, Returned, State, joined
from neurosym_verifiers.reading.terms import FALSE, TRUE, Condition
from neurosym_verifiers.reading.unread import UNREAD
from neurosym_verifiers.reading.values import (
    Guarded,
    Hidden,
    Int,
    NoneValue,
    NotRead,
    OutOfOrder,
    Ref,
    Sequence,
    Table,
    Thing,
    Value,
)

_MOST_PRECISION = 1_000


def _maybe(condition: Condition) -> bool:
    return condition != FALSE


class PythonReading(PythonLoops):
    """Reads functions of one program.

    ``enums``: the enum classes that the spec names, whose members are counted in the spec's order. ``possible``, and
    ``many_rounds``: as for its loops.
    """

    def __init__(
        self,
        program: Program,
        enums: Mapping[str, tuple[str, ...]],
        possible: Possible = _maybe,
        *,
        many_rounds: int | None = None,
    ) -> None:
        ordered = {name: _in_order(kind, enums.get(name)) for name, kind in program.enums.items()}
        super().__init__(program, ordered, possible, many_rounds)

    def exits(self, name: str, arguments: Many[Value], heap: Heap | None = None) -> list[Exit]:
        """How a call ends, by condition; results are given by their contents. Raises ``NotRead``.

        ``heap``: where the lists among the arguments lie. They must not be changed.
        """
        function = self._program.functions.get(name)
        if function is None or is_generator(function):
            raise NotRead(f"the function {name}")
        caller = State({}, heap=heap or Heap())
        caller.heap.freeze()
        inner = self._frame(function, arguments, {}, caller, MODULE)
        self._body(function, inner)
        return [_with_contents(end) for end in inner.exits]

    def _body(self, function: ast.FunctionDef, state: State) -> None:
        flow = self._block(function.body, [state])
        end = function.body[-1].end_lineno or function.lineno
        for going in flow.going:
            if going.live != FALSE:
                state.exits.append(Exit(going.live, Returned(NoneValue()), end, {}, going.heap))

    # Statements

    def _block(self, statements: Many[ast.stmt], states: list[State]) -> Flow:
        flow = Flow(states)
        for statement in statements:
            following: list[State] = []
            for state in flow.going:
                if state.live == FALSE:
                    continue
                step = self._step(statement, state)
                following += step.going
                flow.leaves_with(step)
            if len(following) > MOST_STATES:
                raise NotRead(f"more than {MOST_STATES} paths", statement.lineno)
            flow.going = following
        return flow

    def _step(self, statement: ast.stmt, state: State) -> Flow:
        """A statement; where nothing gets any further, it does not matter what is not read."""
        try:
            return self._statement(statement, state)
        except OutOfOrder:
            raise
        except NotRead:
            if state.live == FALSE:
                return Flow([])
            raise

    def _statement(self, statement: ast.stmt, state: State) -> Flow:
        line = statement.lineno
        match statement:
            case ast.Return(value=value):
                result: Value = NoneValue() if value is None else self._kept(self._value(value, state), line)
                if state.live != FALSE:
                    state.exits.append(Exit(state.live, Returned(result), line, {}, state.heap))
                return Flow([])
            case ast.Raise():
                self._raise(statement, state)
                return Flow([])
            case ast.Assign(targets=[target], value=value):
                self._assign(target, self._value(value, state), state)
            case ast.AnnAssign(target=target, value=value):
                if value is not None:
                    self._assign(target, self._value(value, state), state)
            case ast.AugAssign():
                self._augment(statement, state)
            case ast.If():
                return self._if(statement, state)
            case ast.For():
                return self._for(statement, state)
            case ast.While():
                return self._while(statement, state)
            case ast.Match():
                return self._match(statement, state)
            case ast.Try():
                return self._try(statement, state)
            case ast.With():
                return self._with(statement, state)
            case ast.FunctionDef(name=name, decorator_list=[]):
                state.names[name] = Thing("nested", (statement, state.frames, state.comprehended))
            case ast.Pass() | ast.Expr(value=ast.Constant()):
                pass
            case ast.Expr(value=ast.Call() as call):
                self._value(call, state)
            case ast.Expr(value=(ast.Yield() | ast.YieldFrom()) as node):
                self._yield(node, state)
            case ast.Assert(test=test):
                holds = self._truth(test, state)
                state.raise_if(negated(holds), ASSERTION_ERROR, line)
            case ast.Break():
                flow = Flow([])
                flow.broken.append(state)
                return flow
            case ast.Continue():
                flow = Flow([])
                flow.continued.append(state)
                return flow
            case _:
                raise NotRead(f"the statement {type(statement).__name__}", line)
        return Flow([state])

    def _assign(self, target: ast.expr, value: Value, state: State) -> None:
        self._kept(value, target.lineno)
        match target:
            case ast.Name(id=name):
                state.names[name] = value
            case ast.Tuple(elts=targets) | ast.List(elts=targets):
                self._unpack(targets, as_tuple(state.top(value)), state, target.lineno)
            case ast.Subscript(value=of, slice=index) if not isinstance(index, ast.Slice):
                ref = self._value(of, state)
                if not isinstance(ref, Ref):
                    raise NotRead(f"an assignment to {ast.unparse(target)}", target.lineno)
                put(ref, self._value(index, state), value, state, target.lineno)
            case _:
                raise NotRead(f"an assignment to {ast.unparse(target)}", target.lineno)

    def _unpack(self, targets: Many[ast.expr], value: Value, state: State, line: int) -> None:
        if not isinstance(value, Sequence):
            raise NotRead("unpacking something whose length is not known", line)
        items = list(value.items)
        starred = [i for i, target in enumerate(targets) if isinstance(target, ast.Starred)]
        if starred and len(items) >= len(targets) - 1:
            at, more = starred[0], len(items) - len(targets) + 1
            middle = new_list(tuple((TRUE, item) for item in items[at : at + more]), state)
            items = [*items[:at], middle, *items[at + more :]]
            targets = [target.value if isinstance(target, ast.Starred) else target for target in targets]
        if len(targets) != len(items):
            raise NotRead("unpacking into another number of names", line)
        for target, item in zip(targets, items, strict=True):
            self._assign(target, item, state)

    def _augment(self, statement: ast.AugAssign, state: State) -> None:
        line = statement.lineno
        match statement.target:
            case ast.Name(id=name):
                old = state.names[name] if name in state.names else self._name(name, state, line)
                new = self._value(statement.value, state)
                if not isinstance(old, Ref):
                    state.names[name] = self._binary(statement.op, old, new, state, line)
                elif isinstance(statement.op, ast.Add) and isinstance(state.top(old), (Sequence, Guarded)):
                    self._method(old, "extend", [new], {}, state, line)
                else:
                    raise NotRead("a dict or set that is changed in place", line)
            case ast.Subscript(value=of, slice=index) if not isinstance(index, ast.Slice):
                ref, at = self._value(of, state), self._value(index, state)
                if isinstance(ref, Ref) and not isinstance(state.top(ref), Table):
                    at = self._certain(at, state, line)
                if not isinstance(ref, Ref):
                    raise NotRead(f"an assignment to {ast.unparse(statement.target)}", line)
                old = subscript(state.top(ref), at, state, line)
                if isinstance(old, Ref):
                    raise NotRead("a list in a list that is changed in place", line)
                put(
                    ref,
                    at,
                    self._binary(statement.op, old, self._value(statement.value, state), state, line),
                    state,
                    line,
                )
            case _:
                raise NotRead(f"an assignment to {ast.unparse(statement.target)}", line)

    # Exceptions

    def _raise(self, statement: ast.Raise, state: State) -> None:
        match statement.exc:
            case None if state.handling:
                self._end(state, state.handling, statement.lineno)
                return
            case ast.Name(id=name):
                pass
            case ast.Call(func=ast.Name(id=name), args=arguments, keywords=[]):
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
        if names is None:
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
        """Runs the body; an exception that a handler names goes on there, in what was reached when it was raised."""
        if statement.finalbody:
            raise NotRead("finally", statement.lineno)
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
            handled = self._block(taken.body, [here])
            for each in (*handled.going, *handled.broken, *handled.continued):
                each.handling = state.handling
                each.names = {name: value for name, value in each.names.items() if name != taken.name}
            result.going += handled.going
            result.leaves_with(handled)
        result.going = joined(before, result.going)
        return result

    def _with(self, statement: ast.With, state: State) -> Flow:
        """``with localcontext() as context:``, whose precision is set before anything else is done."""
        line = statement.lineno
        match statement.items:
            case [ast.withitem(context_expr=ast.Call(func=callee, args=[], keywords=keywords), optional_vars=target)]:
                known = self._value(callee, state)
            case _:
                raise NotRead("this with", line)
        if known != Thing("decimal.localcontext") or any(keyword.arg != "prec" for keyword in keywords):
            raise NotRead("this with", line)
        name = target.id if isinstance(target, ast.Name) else ""
        if target is not None and not name:
            raise NotRead("this with", line)
        digits, body = PRECISION, list(statement.body)
        for keyword in keywords:
            digits = self._precision(keyword.value, state)
        while name and body and _sets_precision(body[0], name):
            digits = self._precision(body[0].value, state)
            del body[0]
        if name:
            state.names[name] = Thing("a decimal context")
        with context_of(digits):
            return self._block(body, [state])

    def _precision(self, node: ast.expr, state: State) -> int:
        value = self._value(node, state)
        digits = value.term.constant if isinstance(value, Int) else None
        if digits is None or not PRECISION <= digits <= _MOST_PRECISION:
            raise NotRead("a decimal context of this precision", node.lineno)
        return digits

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

    # Branches

    def _if(self, statement: ast.If, state: State) -> Flow:
        test = self._truth(statement.test, state)
        flow = Flow([])
        ways: list[State] = []
        for condition, body in ((test, statement.body), (negated(test), statement.orelse)):
            branch = state.assuming(condition)
            if condition == FALSE or branch.live == FALSE:
                continue
            taken = self._block(body, [branch])
            ways += taken.going
            flow.leaves_with(taken)
        flow.going = joined(state, ways)
        return flow

    def _match(self, statement: ast.Match, state: State) -> Flow:
        value = self._value(statement.subject, state)
        flow = Flow([])
        ways: list[State] = []
        rest = state
        for case in statement.cases:
            if rest.live == FALSE:
                break
            content = rest.top(value)
            hit, bound = matched(case.pattern, content, partial(self._value, state=rest), rest.top)
            inside, outside = rest.assuming(hit), rest.assuming(negated(hit))
            for name, part in bound.items():
                inside.names[name] = self._kept(value if part is content else part, case.pattern.lineno)
            if case.guard is not None and hit != FALSE:
                holds = self._truth(case.guard, inside)
                passed = inside.assuming(holds)
                others = [outside, inside.assuming(negated(holds))]
                merged = joined(rest, [each for each in others if each.live != FALSE])
                if len(merged) > 1:
                    raise NotRead("this case", case.pattern.lineno)
                inside, outside = passed, (merged or [outside])[0]
            if hit != FALSE and inside.live != FALSE:
                taken = self._block(case.body, [inside])
                ways += taken.going
                flow.leaves_with(taken)
            rest = outside
        if rest.live != FALSE:
            ways.append(rest)
        flow.going = joined(state, ways)
        return flow


def _sets_precision(statement: ast.stmt, context: str) -> TypeGuard[ast.Assign]:
    match statement:
        case ast.Assign(targets=[ast.Attribute(value=ast.Name(id=name), attr="prec")]):
            return name == context
        case _:
            return False


def _catches(names: frozenset[str] | None, raised: Raised) -> bool:
    if raised.names[0] == UNREAD:
        return False
    return names is None or bool(names & {*raised.names, "BaseException"})


def _with_contents(end: Exit) -> Exit:
    """An exit whose result needs no heap."""
    if isinstance(end.outcome, Returned):
        return replace(end, outcome=Returned(end.heap.seen(end.outcome.value)), names={}, heap=Heap())
    return replace(end, names={}, heap=Heap())


def _in_order(kind: EnumClass, names: tuple[str, ...] | None) -> EnumClass:
    """The class with its members in the spec's order."""
    if names is None or names == kind.members:
        return kind
    if set(names) != set(kind.members):
        raise NotRead(f"the class {kind.name}, whose members are not the spec's")
    order = [kind.members.index(name) for name in names]
    return EnumClass(kind.name, names, tuple(kind.values[i] for i in order))
