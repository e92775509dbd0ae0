"""Reading Python's calls: the program's own functions, nested ones and lambdas, records, and Python's own functions."""

from __future__ import annotations

import ast
from abc import abstractmethod
from collections.abc import Callable, Iterable, Mapping
from collections.abc import Sequence as Many
from dataclasses import replace
from itertools import count

from neurosym_verifiers.reading.data.containers import append, list_method
from neurosym_verifiers.reading.data.dicts import DICTS, dict_method
from neurosym_verifiers.reading.data.items import Items, items_of, whichever
from neurosym_verifiers.reading.data.queues import queue_method
from neurosym_verifiers.reading.data.sets import SETS, set_method
from neurosym_verifiers.reading.data.values import (
    Growing,
    Guarded,
    ItemSet,
    KeySet,
    NoneValue,
    NotRead,
    OneOf,
    OutOfOrder,
    Queue,
    Ref,
    Sequence,
    Stream,
    Text,
    Thing,
    Value,
    as_data,
)
from neurosym_verifiers.reading.execution.merging import CannotMerge, merged
from neurosym_verifiers.reading.execution.state import MODULE, Exit, Raised, Returned, State, Surroundings, joined
from neurosym_verifiers.reading.execution.ways import any_way
from neurosym_verifiers.reading.formulas.terms import FALSE, TRUE, Condition
from neurosym_verifiers.reading.python.classes import RecordClass
from neurosym_verifiers.reading.python.enums import EnumClass, member_of
from neurosym_verifiers.reading.python.higher_order import HIGHER_ORDER, sorted_items
from neurosym_verifiers.reading.python.library import FUNCTIONS
from neurosym_verifiers.reading.python.methods import method
from neurosym_verifiers.reading.python.objects import PythonClasses
from neurosym_verifiers.reading.python.program import check_scopes, is_generator, stored_names

_DEEPEST = 24
_ASKED_FROM = 2
"""A function that is in itself so often is read further only where an input may get there: recursion has an end."""

_WHOLE = frozenset({"list", "tuple", "set", "frozenset", "sum", "sorted", "min", "max"})
"""Functions that go through all of their first argument before they do anything that can be seen.

``reduce`` with an operator, which goes through its second one, is another."""

_OF_DATA = frozenset({"abs", "int", "float", "round", "divmod", "range", "decimal.Decimal", "fractions.Fraction"})
"""Functions that look at a number only, also where it is a member of an enum."""

_frames = count()


class PythonCalls(PythonClasses):
    """Reads calls of one program."""

    @abstractmethod
    def _body(self, function: ast.FunctionDef, state: State) -> None:
        """Executes a function's statements; all its ends are among the state's exits then."""

    @abstractmethod
    def _may_be(self, condition: Condition) -> bool:
        """Whether an input may fulfil a condition."""

    def _reached(self, function: ast.FunctionDef | ast.Lambda, state: State) -> bool:
        """Whether a function that is in itself some times already may be called once more."""
        return state.calls.count(function) < _ASKED_FROM or self._may_be(state.live)

    @abstractmethod
    def _generated(
        self,
        function: ast.FunctionDef,
        arguments: Many[Value],
        keywords: Mapping[str, Value],
        state: State,
        around: Surroundings,
    ) -> Value:
        """A call of a generator function: what it yields."""

    def _call(self, node: ast.Call, state: State) -> Value:
        line = node.lineno
        callee = self._value(node.func, state)
        if any(keyword.arg is None for keyword in node.keywords):
            raise NotRead("a call with a starred dict", line)
        before, exits_before = state.heap.copy(), len(state.exits)
        name = callee.name if isinstance(callee, Thing) and callee.of is None else ""
        whole = name in _WHOLE and not (name in ("min", "max") and node.keywords)
        whole = whole or (name == "functools.reduce" and self._is_operator(node.args, state))
        others = [each for i, each in enumerate(node.args) if i != (name == "functools.reduce")]
        whole = whole and self._harmless((*others, *(k.value for k in node.keywords)), state)
        arguments = self._arguments(node.args, state, whole=whole)
        keywords = {str(k.arg): self._value(k.value, state) for k in node.keywords}
        if any(isinstance(each, Stream) for each in (*arguments, *keywords.values())):
            if state.heap.changed_since(before):
                raise OutOfOrder("an iterator beside a change of lists", line)
        if not isinstance(callee, Thing):
            raise NotRead("a call of this", line)
        lazy = callee.name in ("any", "all", "next")
        if lazy and (len(state.exits) > exits_before or state.heap.changed_since(before)):
            raise OutOfOrder(f"{callee.name} over something that may raise", line)
        try:
            return self._called(callee, arguments, keywords, state, line)
        except NotRead as not_read:
            where = f" in {ast.unparse(node.func)}()" if not not_read.line else ""
            raise type(not_read)(f"{not_read.what}{where}", not_read.line or line) from None

    def _harmless(self, nodes: Iterable[ast.expr], state: State) -> bool:
        """Whether evaluating them raises nothing and changes nothing, so that something else may be done before."""
        trial = replace(state.copy(), exits=[])
        for node in nodes:
            self._value(node, trial)
        return (
            not trial.exits
            and not trial.heap.changed_since(state.heap)
            and all(trial.names.get(name) is value for name, value in state.names.items())
            and len(trial.names) == len(state.names)
        )

    def _is_operator(self, nodes: Many[ast.expr], state: State) -> bool:
        """Whether the first argument is one of the operators, which raise nothing for what is read."""
        if not nodes or not isinstance(nodes[0], (ast.Name, ast.Attribute)):
            return False
        first = self._value(nodes[0], state)
        return isinstance(first, Thing) and first.of is None and first.name in ("operator.add", "operator.mul")

    def _arguments(self, nodes: Many[ast.expr], state: State, *, whole: bool) -> list[Value]:
        """Positional arguments. ``whole``: an iterator is gone through to its end before anything else is done."""
        found: list[Value] = []
        for node in nodes:
            if not isinstance(node, ast.Starred):
                if whole and isinstance(node, ast.GeneratorExp):
                    found.append(self._stream(node, state))
                elif whole and isinstance(node, ast.Call):
                    found.append(NoneValue() if state.live == FALSE else self._call(node, state))
                else:
                    found.append(self._value(node, state))
                continue
            items = items_of(state.top(self._value(node.value, state)), node.lineno)
            if any(there != TRUE for there, _ in items):
                raise NotRead("a starred argument whose length varies", node.lineno)
            found += [item for _, item in items]
        return found

    def _called(
        self, callee: Value, arguments: Many[Value], keywords: Mapping[str, Value], state: State, line: int
    ) -> Value:
        if not isinstance(callee, Thing):
            raise NotRead("a call of this", line)
        match callee:
            case Thing(name="lambda", of=(ast.Lambda() as function, frames, seen)):
                return self._nested(function, frames, seen, arguments, keywords, state, line)
            case Thing(name="nested", of=(ast.FunctionDef() as function, frames, seen)):
                return self._nested(function, frames, seen, arguments, keywords, state, line)
            case Thing(name="record", of=RecordClass() as record):
                return self._instance(record, arguments, keywords, state, line)
            case Thing(name="function of a class", of=(ast.FunctionDef() as function, tuple() as first)):
                return self._inlined(function, [*first, *arguments], keywords, state, MODULE)
            case Thing(name="partial", of=(function, tuple() as given, tuple() as named)):
                return self._called(function, [*given, *arguments], {**dict(named), **keywords}, state, line)
            case Thing(name="itemgetter" | "attrgetter", of=tuple() as wanted):
                return self._got(callee.name, wanted, arguments, keywords, state, line)
            case Thing(of=EnumClass() as enum):
                if len(arguments) != 1 or keywords:
                    raise NotRead(f"{enum.name}() with these arguments", line)
                return member_of(enum, arguments[0], state, line)
        if callee.name.startswith("function "):
            function = self._program.functions[callee.name.removeprefix("function ")]
            return self._inlined(function, arguments, keywords, state, MODULE)
        if callee.name.startswith("method "):
            return self._method(callee.of, callee.name.removeprefix("method "), arguments, keywords, state, line)
        higher = HIGHER_ORDER.get(callee.name)
        if higher is not None and callee.of is None:
            return higher(self, arguments, keywords, state, line)
        known = FUNCTIONS.get(callee.name)
        if callee.name in _OF_DATA:
            arguments = [as_data(argument) for argument in arguments]
        if known is None or callee.of is not None:
            raise NotRead(f"{callee.name}()", line)
        return known(arguments, keywords, state, line)

    def _method(
        self, of: Value, name: str, arguments: Many[Value], keywords: Mapping[str, Value], state: State, line: int
    ) -> Value:
        if isinstance(of, OneOf):
            return self._each_way(
                of, lambda ref, way: self._method(ref, name, arguments, keywords, way, line), state, line
            )
        if isinstance(of, (KeySet, ItemSet)):
            return set_method(of, name, arguments, keywords, state, line)
        if not isinstance(of, Ref):
            return method(of, name, arguments, keywords, state, line)
        if any(isinstance(argument, Stream) for argument in arguments) and name != "extend":
            raise NotRead("an iterator that is kept", line)
        content = state.top(of)
        if isinstance(content, (Sequence, Guarded)):
            if name == "sort" and not arguments:
                return self._sort(of, keywords, state, line)
            return list_method(of, name, arguments, keywords, state, line)
        if isinstance(content, Growing):
            return append(of, content, name, arguments, keywords, state, line)
        if isinstance(content, DICTS):
            return dict_method(of, name, arguments, keywords, state, line)
        if isinstance(content, Queue):
            return queue_method(of, name, arguments, keywords, state, line)
        if isinstance(content, SETS):
            return set_method(of, name, arguments, keywords, state, line)
        raise NotRead(f"the method {name} of this", line)

    def _each_way(self, of: Ref | OneOf, do: Callable[[Ref, State], Value], state: State, line: int) -> Value:
        """Does something with one of several lists, dicts or sets: on a path of its own with each."""
        if isinstance(of, Ref):
            return do(of, state)
        ways: list[State] = []
        found: list[tuple[Condition, Value]] = []
        for where, ref in of.choices:
            way = state.assuming(where)
            if way.live != FALSE:
                found.append((where, do(ref, way)))
                ways.append(way)
        together = joined(state, ways)
        if len(together) != 1:
            raise NotRead("a change of one of several", line)
        state.names, state.heap, state.live = together[0].names, together[0].heap, together[0].live
        value = whichever(found, line)
        return NoneValue() if value is None else value

    def _sort(self, ref: Ref, keywords: Mapping[str, Value], state: State, line: int) -> Value:
        """``list.sort``; while it is at work, the list must not be looked at (CPython has it empty then)."""
        content, exits_before = state.top(ref), len(state.exits)
        copy = state.new(content)
        state.heap.contents[ref.address] = Thing("a list that is being sorted")
        made = sorted_items(self, [copy], keywords, state, line)
        for end in state.exits[exits_before:]:
            end.heap.contents[ref.address] = content
        state.heap.contents[ref.address] = content
        state.change(ref, state.top(made), line)
        return NoneValue()

    # Functions of the program

    def _nested(
        self,
        function: ast.FunctionDef | ast.Lambda,
        frames: tuple[int, ...],
        seen: frozenset[tuple[int, str]],
        arguments: Many[Value],
        keywords: Mapping[str, Value],
        state: State,
        line: int,
    ) -> Value:
        """A nested function sees the names around it as they are when it is called.

        ``seen``: the names of comprehensions that it sees, since it was made inside of them.
        """
        if frames == state.frames:
            outer = {name: value for name, value in state.enclosing.items() if name not in state.locals}
            enclosing = {**outer, **state.names}
            hidden = state.hidden | state.locals
        elif frames == state.frames[:-1] and frames:
            enclosing, hidden = dict(state.enclosing), state.hidden
        else:
            raise NotRead("a function that is called outside of the one that made it", line)
        others = frozenset(name for _, name in seen ^ state.comprehended)
        enclosing = {name: value for name, value in enclosing.items() if name not in others}
        around = Surroundings(enclosing, hidden | others, frames, seen)
        return self._inlined(function, arguments, keywords, state, around)

    def _inlined(
        self,
        function: ast.FunctionDef | ast.Lambda,
        arguments: Many[Value],
        keywords: Mapping[str, Value],
        state: State,
        around: Surroundings,
    ) -> Value:
        """A call inside an expression: its raises are ours, and its results become one value."""
        if is_generator(function):
            if isinstance(function, ast.Lambda):
                raise NotRead("a lambda that is a generator", function.lineno)
            return self._generated(function, arguments, keywords, state, around)
        inner = self._frame(function, arguments, keywords, state, around)
        if function in state.calls and not self._reached(function, state):
            state.live = FALSE
            return NoneValue()
        if isinstance(function, ast.Lambda):
            value = self._value(function.body, inner)
            inner.exits.append(Exit(inner.live, Returned(value), function.lineno, {}, inner.heap))
        else:
            self._body(function, inner)
        raised = [e for e in inner.exits if isinstance(e.outcome, Raised)]
        state.exits += [Exit(e.condition, e.outcome, e.line, dict(state.names), e.heap) for e in raised]
        results = [(e, e.outcome.value) for e in inner.exits if isinstance(e.outcome, Returned)]
        state.live = any_way(*(e.condition for e, _ in results))
        if not results:
            return NoneValue()
        last, value = results[-1]
        heap, so_far = last.heap, last.condition
        try:
            for end, other in results[-2::-1]:
                value = merged(end.condition, other, value)
                heap = end.heap.joined(heap, state.heap, end.condition, so_far)
                so_far = any_way(end.condition, so_far)
        except CannotMerge as problem:
            what = f"{getattr(function, 'name', 'a lambda')}, which returns {problem}"
            raise NotRead(what, function.lineno) from None
        state.heap = heap.copy()
        return value

    def _frame(
        self,
        function: ast.FunctionDef | ast.Lambda,
        arguments: Many[Value],
        keywords: Mapping[str, Value],
        caller: State,
        around: Surroundings,
    ) -> State:
        """Where the execution of a call begins: under the caller's condition, with its heap."""
        name = getattr(function, "name", "a lambda")
        if caller.depth >= _DEEPEST:
            raise NotRead(f"{name}, which calls itself too deep", function.lineno)
        check_scopes(function, name)
        return State(
            self._bound(function, arguments, keywords),
            caller.live,
            caller.depth + 1,
            [],
            stored_names(function),
            caller.heap.copy(),
            around.enclosing,
            around.hidden,
            (*around.frames, next(_frames)),
            fixed=caller.fixed,
            calls=(*caller.calls, function),
            comprehended=around.comprehended,
        )

    def _bound(
        self, function: ast.FunctionDef | ast.Lambda, arguments: Many[Value], keywords: Mapping[str, Value]
    ) -> dict[str, Value]:
        spec, name = function.args, getattr(function, "name", "a lambda")
        if spec.kwarg:
            raise NotRead(f"the parameters of {name}", function.lineno)
        more = tuple(arguments[len(spec.posonlyargs) + len(spec.args) :]) if spec.vararg else ()
        arguments = arguments[: len(arguments) - len(more)]
        positional = [parameter.arg for parameter in (*spec.posonlyargs, *spec.args)]
        named = [parameter.arg for parameter in (*spec.args, *spec.kwonlyargs)]
        bound = dict(zip(positional, arguments, strict=False))
        if len(arguments) > len(positional) or set(keywords) - set(named) or set(keywords) & set(bound):
            raise NotRead(f"a call of {name} with these arguments", function.lineno)
        for value in (*arguments, *more, *keywords.values()):
            self._kept(value, function.lineno)
        bound |= keywords
        if spec.vararg:
            bound[spec.vararg.arg] = Sequence(more, False)
        defaults: dict[str, ast.expr | None] = dict(
            zip(positional[len(positional) - len(spec.defaults) :], spec.defaults, strict=True)
        )
        defaults |= {p.arg: default for p, default in zip(spec.kwonlyargs, spec.kw_defaults, strict=True)}
        for parameter in dict.fromkeys((*positional, *named)):
            if parameter not in bound:
                default = defaults.get(parameter)
                of_module = isinstance(function, ast.FunctionDef) and self._program.functions.get(name) is function
                if default is None or not (of_module or isinstance(default, ast.Constant)):
                    raise NotRead(f"the default of {parameter}", function.lineno)
                bound[parameter] = self._at_module(default, f"the default of {parameter}", function.lineno)
        return bound

    # Python's functions that call others

    @abstractmethod
    def folded(self, function: Value, start: Value, iterated: Value, state: State, line: int) -> Value | None:
        """What ``reduce`` gives over many rounds; None where it is gone through round by round."""

    def called(self, function: Value, arguments: Many[Value], state: State, line: int) -> Value:
        """What a function gives, called by one of Python's own; a generator is not gone through by the call."""
        return self._kept(self._called(function, arguments, {}, state, line), line)

    def operated(self, op: ast.operator, a: Value, b: Value, state: State, line: int) -> Value:
        """What an operator gives."""
        return self._binary(op, a, b, state, line)

    def _got(
        self,
        kind: str,
        wanted: Many[Value],
        arguments: Many[Value],
        keywords: Mapping[str, Value],
        state: State,
        line: int,
    ) -> Value:
        """What an ``itemgetter`` or ``attrgetter`` gives: one part, or a tuple of them."""
        if len(arguments) != 1 or keywords:
            raise NotRead(f"an {kind} with these arguments", line)
        parts = tuple(
            self._item(arguments[0], each, state, line)
            if kind == "itemgetter"
            else self._part(arguments[0], each.value if isinstance(each, Text) else "", state, line)
            for each in wanted
        )
        return parts[0] if len(parts) == 1 else Sequence(parts, False)

    def applied(self, function: Value, items: Items, state: State, line: int) -> tuple[list[Value], list[int]]:
        """What a function makes of each item, and how many exits there are behind each."""
        found: list[Value] = []
        marks: list[int] = []
        for there, item in items:
            inner, exits_before = state.assuming(there), len(state.exits)
            found.append(self.called(function, [item], inner, line))
            state.after(inner, there, exits_before, line)
            marks.append(len(state.exits))
        return found, marks

    def keys(self, items: Items, key: Value | None, state: State, line: int) -> list[Value]:
        """What items are compared by; the item itself where there is no ``key`` function."""
        if key is None or isinstance(key, NoneValue):
            return [state.seen(item) for _, item in items]
        return [state.seen(value) for value in self.applied(key, items, state, line)[0]]
