"""Reading a Python function: every path with its condition, until it returns or raises.

Execution is on symbolic values. At an ``if`` it goes both ways; where both come out again the two states become one
whose values are choices, as long as their types fit. What may raise ends the path there, under its condition. Loops
over what is known are unrolled. The result is a list of exits whose conditions exclude each other and, on the universe,
leave nothing out.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping
from collections.abc import Sequence as Many

from neurosym_verifiers.reading.library import FUNCTIONS, attribute, items_of, member_of, method
from neurosym_verifiers.reading.merging import CannotMerge, merged
from neurosym_verifiers.reading.operations import binary, compare, constant, pick, truth
from neurosym_verifiers.reading.program import EnumClass, Program, exception_names
from neurosym_verifiers.reading.state import Exit, Raised, Returned, State, joined
from neurosym_verifiers.reading.terms import FALSE, TRUE, Condition, both, either, negated, number
from neurosym_verifiers.reading.values import (
    Bool,
    Int,
    Member,
    NoneValue,
    NotRead,
    Sequence,
    Text,
    Thing,
    Value,
)

_MOST_STATES = 64
_DEEPEST = 12


class _Flow:
    """Where execution is after a statement: going on, or on its way out of a loop."""

    __slots__ = ("broken", "continued", "going")

    def __init__(self, going: list[State]) -> None:
        self.going = going
        self.broken: list[State] = []
        self.continued: list[State] = []


class PythonReading:
    """Reads functions of one program.

    ``enums``: the enum classes that the spec names, whose members are counted in the spec's order.
    """

    def __init__(self, program: Program, enums: Mapping[str, tuple[str, ...]]) -> None:
        self._program = program
        self._enums = {name: _in_order(kind, enums.get(name)) for name, kind in program.enums.items()}
        self._constants: dict[str, Value] = {}

    def exits(self, name: str, arguments: Many[Value]) -> list[Exit]:
        """How a call ends, by condition. Raises ``NotRead``."""
        function = self._program.functions.get(name)
        if function is None:
            raise NotRead(f"the function {name}")
        state = State({})
        return self._run(function, list(arguments), {}, state)

    def _run(
        self, function: ast.FunctionDef, arguments: list[Value], keywords: Mapping[str, Value], caller: State
    ) -> list[Exit]:
        """All exits of one call; its paths start under the caller's condition."""
        if caller.depth >= _DEEPEST:
            raise NotRead(f"{function.name}, which calls itself too deep", function.lineno)
        stored = {n.id for n in ast.walk(function) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
        bound = self._bound(function, arguments, keywords)
        state = State(bound, caller.live, caller.depth + 1, [], frozenset(stored))
        flow = self._block(function.body, [state])
        end = function.body[-1].end_lineno or function.lineno
        for going in flow.going:
            if going.live != FALSE:
                state.exits.append(Exit(going.live, Returned(NoneValue()), end))
        return state.exits

    def _bound(
        self, function: ast.FunctionDef, arguments: list[Value], keywords: Mapping[str, Value]
    ) -> dict[str, Value]:
        spec = function.args
        if spec.vararg or spec.kwarg or spec.kwonlyargs:
            raise NotRead(f"the parameters of {function.name}", function.lineno)
        names = [parameter.arg for parameter in (*spec.posonlyargs, *spec.args)]
        bound = dict(zip(names, arguments, strict=False))
        if len(arguments) > len(names) or set(keywords) - set(names) or set(keywords) & set(bound):
            raise NotRead(f"a call of {function.name} with these arguments", function.lineno)
        bound |= keywords
        defaults = dict(zip(names[len(names) - len(spec.defaults) :], spec.defaults, strict=True))
        for name in names:
            if name not in bound:
                default = defaults.get(name)
                if not isinstance(default, ast.Constant):
                    raise NotRead(f"the default of {name}", function.lineno)
                bound[name] = constant(default.value, function.lineno)
        return bound

    # Statements

    def _block(self, statements: Many[ast.stmt], states: list[State]) -> _Flow:
        flow = _Flow(states)
        for statement in statements:
            following: list[State] = []
            for state in flow.going:
                if state.live == FALSE:
                    continue
                step = self._statement(statement, state)
                following += step.going
                flow.broken += step.broken
                flow.continued += step.continued
            if len(following) > _MOST_STATES:
                raise NotRead(f"more than {_MOST_STATES} paths", statement.lineno)
            flow.going = following
        return flow

    def _statement(self, statement: ast.stmt, state: State) -> _Flow:
        match statement:
            case ast.Return(value=value):
                result: Value = NoneValue() if value is None else self._value(value, state)
                if state.live != FALSE:
                    state.exits.append(Exit(state.live, Returned(result), statement.lineno))
                return _Flow([])
            case ast.Raise():
                self._raise(statement, state)
                return _Flow([])
            case ast.Assign(targets=[target], value=value):
                self._assign(target, self._value(value, state), state)
            case ast.AnnAssign(target=target, value=value):
                if value is not None:
                    self._assign(target, self._value(value, state), state)
            case ast.AugAssign(target=ast.Name(id=name), op=op, value=value):
                old = self._name(name, state, statement.lineno)
                if isinstance(old, Sequence) and old.is_list:
                    raise NotRead("a list changed in place", statement.lineno)
                state.names[name] = binary(op, old, self._value(value, state), state, statement.lineno)
            case ast.If():
                return self._if(statement, state)
            case ast.For():
                return self._for(statement, state)
            case ast.Pass() | ast.Expr(value=ast.Constant()):
                pass
            case ast.Assert(test=test):
                holds = truth(self._value(test, state), statement.lineno)
                state.raise_if(negated(holds), ("AssertionError", "Exception"), statement.lineno)
            case ast.Break():
                flow = _Flow([])
                flow.broken.append(state)
                return flow
            case ast.Continue():
                flow = _Flow([])
                flow.continued.append(state)
                return flow
            case _:
                raise NotRead(f"the statement {type(statement).__name__}", statement.lineno)
        return _Flow([state])

    def _assign(self, target: ast.expr, value: Value, state: State) -> None:
        match target:
            case ast.Name(id=name):
                state.names[name] = value
            case ast.Tuple(elts=targets) | ast.List(elts=targets) if isinstance(value, Sequence):
                if any(isinstance(t, ast.Starred) for t in targets) or len(targets) != len(value.items):
                    raise NotRead("unpacking into another number of names", target.lineno)
                for part, item in zip(targets, value.items, strict=True):
                    self._assign(part, item, state)
            case _:
                raise NotRead(f"an assignment to {ast.unparse(target)}", target.lineno)

    def _raise(self, statement: ast.Raise, state: State) -> None:
        match statement.exc:
            case ast.Name(id=name):
                pass
            case ast.Call(func=ast.Name(id=name), args=arguments, keywords=[]):
                for argument in arguments:
                    self._message(argument, state)
            case _:
                raise NotRead("this raise", statement.lineno)
        if name in state.names or name in self._program.names or name in self._program.functions:
            raise NotRead(f"raise {name}", statement.lineno)
        names = exception_names(name, self._program.exceptions)
        if names is None or name in self._program.constants or name in self._program.enums:
            raise NotRead(f"raise {name}", statement.lineno)
        if state.live != FALSE:
            state.exits.append(Exit(state.live, Raised(names), statement.lineno))

    def _message(self, argument: ast.expr, state: State) -> None:
        """A message's value does not matter, as long as making it cannot fail: literals, names, f-strings of names."""
        parts = argument.values if isinstance(argument, ast.JoinedStr) else [argument]
        for part in parts:
            match part:
                case ast.Constant():
                    pass
                case ast.Name(id=name):
                    self._name(name, state, argument.lineno)
                case ast.FormattedValue(value=ast.Name(id=name), format_spec=None):
                    self._name(name, state, argument.lineno)
                case _:
                    raise NotRead("the message of an exception", argument.lineno)

    def _if(self, statement: ast.If, state: State) -> _Flow:
        test = truth(self._value(statement.test, state), statement.lineno)
        flow = _Flow([])
        ways: list[State] = []
        for condition, body in ((test, statement.body), (negated(test), statement.orelse)):
            branch = state.assuming(condition)
            if condition == FALSE or branch.live == FALSE:
                continue
            taken = self._block(body, [branch])
            ways += taken.going
            flow.broken += taken.broken
            flow.continued += taken.continued
        flow.going = joined(state, ways)
        return flow

    def _for(self, statement: ast.For, state: State) -> _Flow:
        items = items_of(self._value(statement.iter, state), statement.lineno)
        going, broken = [state], []
        for item in items:
            following: list[State] = []
            for one in going:
                before = State(dict(one.names), one.live, one.depth, one.exits, one.locals)
                self._assign(statement.target, item, one)
                step = self._block(statement.body, [one])
                following += joined(before, [*step.going, *step.continued])
                broken += step.broken
            if len(following) + len(broken) > _MOST_STATES:
                raise NotRead(f"more than {_MOST_STATES} paths", statement.lineno)
            going = following
        flow = self._block(statement.orelse, going) if statement.orelse else _Flow(going)
        flow.going = joined(state, [*flow.going, *broken])
        return flow

    # Expressions

    def _value(self, node: ast.expr, state: State) -> Value:
        line = node.lineno
        match node:
            case ast.Constant(value=value):
                return constant(value, line)
            case ast.Name(id=name):
                return self._name(name, state, line)
            case ast.BinOp(left=left, op=op, right=right):
                a = self._value(left, state)
                return binary(op, a, self._value(right, state), state, line)
            case ast.UnaryOp(op=op, operand=operand):
                return self._unary(op, self._value(operand, state), state, line)
            case ast.BoolOp(op=op, values=values):
                return self._boolean(isinstance(op, ast.And), values, state, line)
            case ast.Compare():
                return self._comparison(node, state)
            case ast.IfExp(test=test, body=body, orelse=orelse):
                return self._choice(test, body, orelse, state, line)
            case ast.Set(elts=items):
                raise NotRead("a set, but after `in`", line)
            case ast.Tuple(elts=items) | ast.List(elts=items):
                if any(isinstance(item, ast.Starred) for item in items):
                    raise NotRead("a starred item", line)
                return Sequence(tuple(self._value(item, state) for item in items), isinstance(node, ast.List))
            case ast.Attribute(value=of, attr=name):
                return self._attribute(of, name, state, line)
            case ast.Call():
                return self._call(node, state)
            case ast.Subscript(value=of, slice=index):
                return self._item(self._value(of, state), index, state, line)
            case (
                ast.ListComp(elt=element, generators=[generator])
                | ast.GeneratorExp(elt=element, generators=[generator])
            ):
                return self._comprehension(element, generator, state, line)
            case _:
                raise NotRead(f"{type(node).__name__}", line)

    def _name(self, name: str, state: State, line: int) -> Value:
        """A local, then a module-level name, then a builtin. A local that some path leaves unbound is not read."""
        if name in state.names:
            return state.names[name]
        if name in state.locals:
            raise NotRead(f"{name}, which may be unbound", line)
        program = self._program
        if name in program.functions:
            return Thing(f"function {name}")
        if name in self._enums:
            return Thing(f"enum {name}", self._enums[name])
        if name in program.constants:
            return self._module_constant(name, line)
        if name in program.names:
            return program.names[name]
        if name in FUNCTIONS:
            return Thing(name)
        raise NotRead(f"the name {name}", line)

    def _module_constant(self, name: str, line: int) -> Value:
        if name not in self._constants:
            state = State({})
            value = self._value(self._program.constants[name], state)
            if state.exits or (isinstance(value, Sequence) and value.is_list):
                raise NotRead(f"the constant {name}", line)
            self._constants[name] = value
        return self._constants[name]

    def _unary(self, op: ast.unaryop, value: Value, state: State, line: int) -> Value:
        match op:
            case ast.Not():
                return Bool(negated(truth(value, line)))
            case ast.USub():
                return binary(ast.Sub(), Int(number(0)), value, state, line)
            case ast.UAdd():
                return binary(ast.Add(), Int(number(0)), value, state, line)
            case _:
                raise NotRead(f"the operator {type(op).__name__}", line)

    def _boolean(self, conjunction: bool, operands: Many[ast.expr], state: State, line: int) -> Value:
        """``and`` or ``or`` of booleans; an operand is evaluated only where those before it leave the answer open."""
        answer: Condition = TRUE if conjunction else FALSE
        here = state
        skipped: list[Condition] = []
        exits_before, live_before = len(state.exits), state.live
        for operand in operands:
            value = self._value(operand, here)
            if not isinstance(value, Bool):
                raise NotRead("`and` or `or` of values that are not booleans", line)
            answer = both(answer, value.condition) if conjunction else either(answer, value.condition)
            open_ = answer if conjunction else negated(answer)
            skipped.append(both(here.live, negated(open_)))
            here = here.assuming(open_)
        state.live = live_before if len(state.exits) == exits_before else either(*skipped, here.live)
        return Bool(answer)

    def _choice(self, test: ast.expr, body: ast.expr, orelse: ast.expr, state: State, line: int) -> Value:
        condition = truth(self._value(test, state), line)
        if condition == TRUE:
            return self._value(body, state)
        if condition == FALSE:
            return self._value(orelse, state)
        then, other = state.assuming(condition), state.assuming(negated(condition))
        a, b = self._value(body, then), self._value(orelse, other)
        state.live = either(then.live, other.live)
        if then.live == FALSE:
            return b
        return a if other.live == FALSE else pick(condition, a, b, line)

    def _comparison(self, node: ast.Compare, state: State) -> Value:
        """A chain is evaluated from the left, each operand once, and only while it holds."""
        left = self._value(node.left, state)
        answer: Condition = TRUE
        here = state
        exits_before, live_before = len(state.exits), state.live
        skipped: list[Condition] = []
        for op, operand in zip(node.ops, node.comparators, strict=True):
            right = self._members(operand, here) if isinstance(op, (ast.In, ast.NotIn)) else self._value(operand, here)
            answer = both(answer, compare(op, left, right, node.lineno))
            skipped.append(both(here.live, negated(answer)))
            here = here.assuming(answer)
            left = right
        if len(node.ops) > 1:
            state.live = live_before if len(state.exits) == exits_before else either(*skipped, here.live)
        return Bool(answer)

    def _members(self, node: ast.expr, state: State) -> Value:
        """What ``in`` looks through: a set of literals has the same members as a tuple of them."""
        if isinstance(node, ast.Set) and all(isinstance(item, ast.Constant) for item in node.elts):
            return Sequence(tuple(self._value(item, state) for item in node.elts), False)
        return self._value(node, state)

    def _attribute(self, of: ast.expr, name: str, state: State, line: int) -> Value:
        value = self._value(of, state)
        if isinstance(value, Thing):
            if isinstance(value.of, EnumClass) and value.name == f"enum {value.of.name}":
                if name not in value.of.members:
                    raise NotRead(f"{value.of.name}.{name}", line)
                return Member(value.of.name, value.of.members, number(value.of.members.index(name)))
            if value.of is None and not value.name.startswith("function "):
                dotted = f"{value.name}.{name}"
                return Text(name) if value.name == "decimal" and name.startswith("ROUND_") else Thing(dotted)
            raise NotRead(f"the attribute {name}", line)
        return attribute(value, name, line)

    def _call(self, node: ast.Call, state: State) -> Value:
        line = node.lineno
        callee = self._value(node.func, state)
        if any(isinstance(a, ast.Starred) for a in node.args) or any(k.arg is None for k in node.keywords):
            raise NotRead("a call with starred arguments", line)
        exits_before = len(state.exits)
        lazy = isinstance(callee, Thing) and callee.name in ("any", "all")
        arguments = [self._value(a, state) for a in node.args]
        if lazy and len(state.exits) != exits_before:
            raise NotRead("any or all over something that may raise", line)
        keywords = {str(k.arg): self._value(k.value, state) for k in node.keywords}
        if not isinstance(callee, Thing):
            raise NotRead("a call of this", line)
        try:
            return self._called(callee, arguments, keywords, state, line)
        except NotRead as not_read:
            raise NotRead(f"{not_read.what}" + (f" in {ast.unparse(node.func)}()" if not not_read.line else ""),
                          not_read.line or line) from None  # fmt: skip

    def _called(
        self, callee: Thing, arguments: list[Value], keywords: dict[str, Value], state: State, line: int
    ) -> Value:
        if callee.name.startswith("function "):
            return self._inlined(
                self._program.functions[callee.name.removeprefix("function ")], arguments, keywords, state
            )
        if callee.name.startswith("method "):
            return method(callee.of, callee.name.removeprefix("method "), arguments, keywords, state, line)
        if isinstance(callee.of, EnumClass):
            if len(arguments) != 1 or keywords:
                raise NotRead(f"{callee.of.name}() with these arguments", line)
            return member_of(callee.of.name, callee.of.members, callee.of.values, arguments[0], state, line)
        known = FUNCTIONS.get(callee.name)
        if known is None or callee.of is not None:
            raise NotRead(f"{callee.name}()", line)
        return known(arguments, keywords, state, line)

    def _inlined(
        self, function: ast.FunctionDef, arguments: list[Value], keywords: Mapping[str, Value], state: State
    ) -> Value:
        """A call of one of the program's own functions: its raises end the caller too, its results become one value."""
        exits = self._run(function, arguments, keywords, state)
        state.exits += [e for e in exits if isinstance(e.outcome, Raised)]
        results = [(e.condition, e.outcome.value) for e in exits if isinstance(e.outcome, Returned)]
        state.live = either(*(condition for condition, _ in results))
        if not results:
            return NoneValue()
        value = results[-1][1]
        for condition, other in results[-2::-1]:
            try:
                value = merged(condition, other, value)
            except CannotMerge as problem:
                raise NotRead(f"{function.name}, which returns {problem}", function.lineno) from None
        return value

    def _item(self, value: Value, index: ast.expr, state: State, line: int) -> Value:
        if isinstance(index, ast.Slice):
            raise NotRead("a slice", line)
        at = self._value(index, state)
        if not isinstance(value, Sequence) or not isinstance(at, Int):
            raise NotRead("an index", line)
        known, size = at.term.constant, len(value.items)
        if known is None or not -size <= known < size:
            raise NotRead("an index that varies or lies outside", line)
        return value.items[known]

    def _comprehension(self, element: ast.expr, generator: ast.comprehension, state: State, line: int) -> Value:
        if generator.ifs or generator.is_async:
            raise NotRead("a comprehension with a condition", line)
        found: list[Value] = []
        for item in items_of(self._value(generator.iter, state), line):
            inner = State(dict(state.names), state.live, state.depth, state.exits, state.locals)
            self._assign(generator.target, item, inner)
            found.append(self._value(element, inner))
            state.live = inner.live
        return Sequence(tuple(found), True)


def _in_order(kind: EnumClass, names: tuple[str, ...] | None) -> EnumClass:
    """The class with its members in the spec's order."""
    if names is None or names == kind.members:
        return kind
    if set(names) != set(kind.members):
        raise NotRead(f"the class {kind.name}, whose members are not the spec's")
    order = [kind.members.index(name) for name in names]
    return EnumClass(kind.name, names, tuple(kind.values[i] for i in order))
