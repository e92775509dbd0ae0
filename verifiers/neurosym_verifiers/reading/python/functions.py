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

from neurosym_verifiers.reading.data.containers import new_list, put
from neurosym_verifiers.reading.data.decimal_contexts import DecimalContext, changed, current, in_force
from neurosym_verifiers.reading.data.dicts import DICTS, entry, remove
from neurosym_verifiers.reading.data.exceptions import ASSERTION_ERROR, KEY_ERROR
from neurosym_verifiers.reading.data.operations import pick
from neurosym_verifiers.reading.data.sets import SETS, set_operation
from neurosym_verifiers.reading.data.values import (
    COUNTER,
    Growing,
    Guarded,
    Int,
    Maybe,
    NoneValue,
    NotRead,
    OneOf,
    OutOfOrder,
    Ref,
    Sequence,
    Thing,
    Value,
)
from neurosym_verifiers.reading.execution.flow import Flow
from neurosym_verifiers.reading.execution.heap import Heap
from neurosym_verifiers.reading.execution.state import MODULE, Exit, Returned, State, joined
from neurosym_verifiers.reading.formulas.narrowing import narrowing_by
from neurosym_verifiers.reading.formulas.normal_forms import both, negated
from neurosym_verifiers.reading.formulas.terms import FALSE, TRUE, Condition, number
from neurosym_verifiers.reading.long_loops.looping import Offers
from neurosym_verifiers.reading.python.annotations import annotations_of, only_names_types
from neurosym_verifiers.reading.python.enums import EnumClass
from neurosym_verifiers.reading.python.expressions import as_tuple
from neurosym_verifiers.reading.python.loops import MOST_STATES, Possible
from neurosym_verifiers.reading.python.patterns import matched
from neurosym_verifiers.reading.python.program import Program, is_generator
from neurosym_verifiers.reading.python.raising import PythonExceptions


def _nothing(line: int, variables: Mapping[str, Value]) -> tuple[tuple[str, Condition], ...]:
    return ()


def _maybe(condition: Condition) -> bool:
    return condition != FALSE


class PythonReading(PythonExceptions):
    """Reads functions of one program.

    ``enums``: the enum classes that the spec names, whose members are counted in the spec's order. ``possible``, and
    ``many_rounds`` and ``offers``: as for its loops.
    """

    def __init__(
        self,
        program: Program,
        enums: Mapping[str, tuple[str, ...]],
        possible: Possible = _maybe,
        *,
        many_rounds: int | None = None,
        offers: Offers = _nothing,
    ) -> None:
        ordered = {name: _in_order(kind, enums.get(name)) for name, kind in program.enums.items()}
        super().__init__(program, ordered, possible, many_rounds, offers)

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
        self._steps.take(statement.lineno)
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
                    state.exits.append(Exit(state.live, Returned(result), line, dict(state.names), state.heap))
                return Flow([])
            case ast.Raise():
                self._raise(statement, state)
                return Flow([])
            case ast.Assign(targets=targets, value=value):
                made = self._value(value, state)
                for each in targets:
                    self._assign(each, made, state)
            case ast.AnnAssign(target=target, value=ast.expr() as value):
                self._assign(target, self._value(value, state), state)
            case ast.AnnAssign(target=ast.Name()):
                pass
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
            case ast.FunctionDef(name=name, args=parameters, decorator_list=[]):
                self._defaults(parameters, state)
                shadowed = frozenset({*state.locals, *state.hidden, *state.enclosing})
                if not all(only_names_types(each, self._program, shadowed) for each in annotations_of(statement)):
                    raise NotRead(f"the annotations of {name}", line)
                state.names[name] = Thing("nested", (statement, state.frames, state.comprehended))
            case ast.Pass() | ast.Expr(value=ast.Constant()):
                pass
            case ast.Expr(value=(ast.Yield() | ast.YieldFrom()) as node):
                self._yield(node, state)
            case ast.Expr(value=value):
                self._value(value, state)
            case ast.Delete(targets=targets):
                for each in targets:
                    self._delete(each, state)
            case ast.Assert():
                return self._assert(statement, state)
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
                ref, at = self._value(of, state), self._value(index, state)
                if not isinstance(ref, (Ref, OneOf)):
                    raise NotRead(f"an assignment to {ast.unparse(target)}", target.lineno)
                self._each_way(ref, partial(self._put, at, value, target.lineno), state, target.lineno)
            case _:
                raise NotRead(f"an assignment to {ast.unparse(target)}", target.lineno)

    def _put(self, at: Value, value: Value, line: int, ref: Ref, state: State) -> Value:
        put(ref, at, value, state, line)
        return NoneValue()

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
                state.names[name] = self._augmented(statement.op, old, new, state, line)
            case ast.Subscript(value=of, slice=index) if not isinstance(index, ast.Slice):
                ref, at = self._value(of, state), self._value(index, state)
                if isinstance(ref, Ref) and not isinstance(state.top(ref), DICTS):
                    at = self._certain(at, state, line)
                if not isinstance(ref, Ref):
                    raise NotRead(f"an assignment to {ast.unparse(statement.target)}", line)
                self._change_item(ref, at, statement, state)
            case _:
                raise NotRead(f"an assignment to {ast.unparse(statement.target)}", line)

    def _augmented(self, op: ast.operator, old: Value, new: Value, state: State, line: int) -> Value:
        """``old op= new``: what can be changed is changed, and stays what it is; of all else a new value is made."""
        old = self._certain(old, state, line)
        if not isinstance(old, (Ref, OneOf)):
            return self._binary(op, old, new, state, line)
        self._each_way(old, partial(self._change_in_place, op, new, line), state, line)
        return old

    def _change_in_place(self, op: ast.operator, new: Value, line: int, ref: Ref, state: State) -> Value:
        """``+=`` of a list, ``|=`` of a dict, any of sets."""
        content, other = state.top(ref), state.top(new)
        if isinstance(op, ast.Add) and isinstance(content, (Sequence, Guarded, Growing)):
            self._method(ref, "extend", [new], {}, state, line)
        elif isinstance(content, SETS) and isinstance(other, SETS):
            state.change(ref, set_operation(op, content, other, line), line)
        elif isinstance(op, ast.BitOr) and isinstance(content, DICTS) and content.default != COUNTER:
            self._method(ref, "update", [new], {}, state, line)
        else:
            raise NotRead("this in place", line)
        return NoneValue()

    def _change_item(self, ref: Ref, at: Value, statement: ast.AugAssign, state: State) -> None:
        """``ref[at] += ...``."""
        op, line, content = statement.op, statement.lineno, state.top(ref)
        if isinstance(content, DICTS) and content.default == COUNTER:
            before, there = entry(content, at, line)
            more = self._value(statement.value, state)
            new = self._binary(op, Int(number(0)), more, state, line)
            if before is not None:
                new = pick(there, self._binary(op, before, more, state, line), new, line)
        else:
            plain = isinstance(statement.value, (ast.Name, ast.Constant))  # nothing sees a default that it changes
            old = self._before_change(ref, at, state, line) if plain else self._item(ref, at, state, line)
            if any(isinstance(each, (Ref, OneOf)) for each in (old, old.value if isinstance(old, Maybe) else old)):
                raise NotRead("a list in a list that is changed in place", line)
            more, exits_before = self._value(statement.value, state), len(state.exits)
            new = self._binary(op, old, more, state, line)
            if plain and isinstance(content, DICTS) and content.default is not None and len(state.exits) > exits_before:
                raise NotRead("a default that is put in before something raises", line)
        put(ref, at, new, state, line)

    def _delete(self, target: ast.expr, state: State) -> None:
        line = target.lineno
        match target:
            case ast.Name(id=name) if name in state.names:
                del state.names[name]
            case ast.Subscript(value=of, slice=index) if not isinstance(index, ast.Slice):
                ref, at = self._value(of, state), self._value(index, state)
                if state.live == FALSE:
                    return
                if isinstance(ref, Ref) and isinstance(content := state.top(ref), DICTS):
                    remove(ref, at, state, line, missing=None if content.default == COUNTER else KEY_ERROR)
                elif isinstance(ref, Ref) and isinstance(at, Int):
                    self._method(ref, "pop", [at], {}, state, line)
                else:
                    raise NotRead(f"del {ast.unparse(target)}", line)
            case _:
                raise NotRead(f"del {ast.unparse(target)}", line)

    def _with(self, statement: ast.With, state: State) -> Flow:
        """``with localcontext() as context:``, whose parts are set before anything else is done."""
        line = statement.lineno
        match statement.items:
            case [
                ast.withitem(context_expr=ast.Call(func=callee, args=arguments, keywords=keywords), optional_vars=to)
            ]:
                known = self._value(callee, state)
            case _:
                raise NotRead("this with", line)
        if known != Thing("decimal.localcontext") or len(arguments) > 1 or not isinstance(to, ast.Name | None):
            raise NotRead("this with", line)
        context = self._context(arguments[0], state) if arguments else current()
        for keyword in keywords:
            context = changed(context, keyword.arg, self._value(keyword.value, state), line)
        name, body = to.id if to else "", list(statement.body)
        while name and body and (setting := _sets(body[0], name)):
            value = self._value(setting[1], state)
            if isinstance(value, NoneValue):  # which is a default for ``localcontext`` only
                raise NotRead("a part of a decimal context that is set to None", body[0].lineno)
            context = changed(context, setting[0], value, body[0].lineno)
            del body[0]
        if name:
            state.names[name] = Thing("decimal context", context)
        with in_force(context):
            return self._block(body, [state])

    def _context(self, node: ast.expr, state: State) -> DecimalContext:
        """A decimal context that is known."""
        match self._value(node, state):
            case Thing(of=DecimalContext() as context):
                return context
            case _:
                raise NotRead("this with", node.lineno)

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

    def _assert(self, statement: ast.Assert, state: State) -> Flow:
        holds = self._truth(statement.test, state)
        if statement.msg is not None and holds != TRUE:
            broken = state.assuming(negated(holds))
            if broken.live != FALSE:
                self._message(statement.msg, broken)
            self._end(broken, ASSERTION_ERROR, statement.lineno)
            state = state.assuming(holds)
        else:
            state.raise_if(negated(holds), ASSERTION_ERROR, statement.lineno)
        return Flow([state])

    def _match(self, statement: ast.Match, state: State) -> Flow:
        value = self._value(statement.subject, state)
        flow = Flow([])
        ways: list[State] = []
        rest = state
        for case in statement.cases:
            if rest.live == FALSE:
                break
            content = rest.top(value)
            hit, bound = matched(case.pattern, content, partial(self._value, state=rest), rest)
            inside, outside = rest.assuming(hit), rest.assuming(negated(hit))
            for name, part in bound.items():
                inside.names[name] = self._kept(_known(value if part is content else part, hit), case.pattern.lineno)
            if case.guard is not None and hit != FALSE:
                holds = self._truth(case.guard, inside)
                passed = inside.assuming(holds)
                others = [outside, inside.assuming(negated(holds))]
                merged = joined(rest, [each for each in others if each.live != FALSE])
                if len(merged) > 1:
                    raise NotRead("this case", case.pattern.lineno)
                inside, outside = passed, (merged or [outside])[0]
                hit = both(hit, holds)
            if hit != FALSE and inside.live != FALSE:
                taken = self._block(case.body, [inside])
                ways += taken.going
                flow.leaves_with(taken)
            rest, value = outside, _known(value, negated(hit))
        if rest.live != FALSE:
            ways.append(rest)
        flow.going = joined(state, ways)
        return flow


def _known(value: Value, where: Condition) -> Value:
    """A value with what is known of it where a condition holds."""
    narrowing = narrowing_by(where)
    return narrowing.value(value) if narrowing else value


def _sets(statement: ast.stmt, context: str) -> tuple[str, ast.expr] | None:
    """The part of a context that a statement sets, and to what; None for any other statement."""
    match statement:
        case ast.Assign(targets=[ast.Attribute(value=ast.Name(id=name), attr=part)], value=value) if name == context:
            return part, value
        case _:
            return None


def _with_contents(end: Exit) -> Exit:
    """An exit whose result needs no heap."""
    if isinstance(end.outcome, Returned):
        return replace(end, outcome=Returned(end.heap.seen(end.outcome.value)), names={}, heap=Heap())
    return replace(end, names={}, heap=Heap())


def _in_order(kind: EnumClass, names: tuple[str, ...] | None) -> EnumClass:
    """The class with its members in the spec's order; one of the spec's is no number or text as well."""
    if names is None:
        return kind
    if kind.data:
        raise NotRead(f"the class {kind.name}, whose members are more than the spec's")
    return kind if names == kind.members else kind.in_order(names)
