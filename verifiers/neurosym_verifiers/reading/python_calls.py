"""Reading Python's calls: the program's own functions, nested ones and lambdas, records, and Python's own functions."""

from __future__ import annotations

import ast
from abc import abstractmethod
from collections.abc import Callable, Mapping
from collections.abc import Sequence as Many
from itertools import count
from typing import TypeAlias

from neurosym_verifiers.reading.containers import dict_method, list_method, new_dict, new_list, set_method
from neurosym_verifiers.reading.exceptions import VALUE_ERROR
from neurosym_verifiers.reading.items import Items, best, in_order, items_of, plain
from neurosym_verifiers.reading.library import FUNCTIONS, member_of, method
from neurosym_verifiers.reading.merging import CannotMerge, merged
from neurosym_verifiers.reading.operations import pick, truth
from neurosym_verifiers.reading.program import EnumClass, RecordClass, check_scopes, stored_names
from neurosym_verifiers.reading.python_values import PythonValues
from neurosym_verifiers.reading.state import Exit, Raised, Returned, State
from neurosym_verifiers.reading.terms import FALSE, TRUE, Condition, both, negated
from neurosym_verifiers.reading.values import (
    Guarded,
    NoneValue,
    NotRead,
    OutOfOrder,
    Record,
    Ref,
    Sequence,
    Stream,
    Table,
    Text,
    Thing,
    Value,
)
from neurosym_verifiers.reading.ways import any_way

HigherOrder: TypeAlias = "Callable[[PythonCalls, Many[Value], Mapping[str, Value], State, int], Value]"

_DEEPEST = 24
_WHOLE = frozenset({"list", "tuple", "set", "frozenset", "sum", "sorted", "min", "max"})
"""Functions that go through all of their first argument before they do anything that can be seen."""

_frames = count()


class PythonCalls(PythonValues):
    """Reads calls of one program."""

    @abstractmethod
    def _body(self, function: ast.FunctionDef, state: State) -> None:
        """Executes a function's statements; all its ends are among the state's exits then."""

    def _call(self, node: ast.Call, state: State) -> Value:
        line = node.lineno
        callee = self._value(node.func, state)
        if any(keyword.arg is None for keyword in node.keywords):
            raise NotRead("a call with a starred dict", line)
        before, exits_before = state.heap.copy(), len(state.exits)
        name = callee.name if isinstance(callee, Thing) and callee.of is None else ""
        whole = name in _WHOLE and not (name in ("min", "max") and node.keywords)
        whole = whole and all(_harmless(each) for each in (*node.args[1:], *(k.value for k in node.keywords)))
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
            case Thing(of=EnumClass() as enum):
                if len(arguments) != 1 or keywords:
                    raise NotRead(f"{enum.name}() with these arguments", line)
                return member_of(enum.name, enum.members, enum.values, arguments[0], state, line)
        if callee.name.startswith("function "):
            function = self._program.functions[callee.name.removeprefix("function ")]
            return self._inlined(function, arguments, keywords, state, {}, frozenset(), ())
        if callee.name.startswith("method "):
            return self._method(callee.of, callee.name.removeprefix("method "), arguments, keywords, state, line)
        higher = _HIGHER.get(callee.name)
        if higher is not None and callee.of is None:
            return higher(self, arguments, keywords, state, line)
        known = FUNCTIONS.get(callee.name)
        if known is None or callee.of is not None:
            raise NotRead(f"{callee.name}()", line)
        return known(arguments, keywords, state, line)

    def _method(
        self, of: Value, name: str, arguments: Many[Value], keywords: Mapping[str, Value], state: State, line: int
    ) -> Value:
        if not isinstance(of, Ref):
            return method(of, name, arguments, keywords, state, line)
        if any(isinstance(argument, Stream) for argument in arguments) and name != "extend":
            raise NotRead("an iterator that is kept", line)
        content = state.top(of)
        if isinstance(content, (Sequence, Guarded)):
            if name == "sort" and not arguments:
                return self._sort(of, keywords, state, line)
            return list_method(of, name, arguments, keywords, state, line)
        if isinstance(content, Table):
            return dict_method(of, name, arguments, keywords, state, line)
        return set_method(of, name, arguments, keywords, state, line)

    def _sort(self, ref: Ref, keywords: Mapping[str, Value], state: State, line: int) -> Value:
        """``list.sort``; while it is at work, the list must not be looked at (CPython has it empty then)."""
        content, exits_before = state.top(ref), len(state.exits)
        copy = state.new(content)
        state.heap.contents[ref.address] = Thing("a list that is being sorted")
        made = _sorted(self, [copy], keywords, state, line)
        for end in state.exits[exits_before:]:
            end.heap.contents[ref.address] = content
        state.heap.contents[ref.address] = content
        state.change(ref, state.top(made), line)
        return NoneValue()

    def _instance(
        self, record: RecordClass, arguments: Many[Value], keywords: Mapping[str, Value], state: State, line: int
    ) -> Value:
        given = dict(zip(record.fields, arguments, strict=False)) | dict(keywords)
        if len(arguments) > len(record.fields) or set(given) - set(record.fields):
            raise NotRead(f"{record.name}() with these arguments", line)
        if set(record.fields[: len(arguments)]) & set(keywords):
            raise NotRead(f"{record.name}() with these arguments", line)
        for name, default in record.defaults.items():
            if name not in given:
                given[name] = self._default(default, line)
        if set(given) != set(record.fields):
            raise NotRead(f"{record.name}() without all its fields", line)
        for value in given.values():
            self._kept(value, line)
        if record.form == "dict":
            return new_dict([(Text(name), given[name]) for name in given], state, line)
        return Record(record.name, tuple((name, given[name]) for name in record.fields), record.form == "namedtuple")

    def _default(self, default: ast.expr, line: int) -> Value:
        """A field's default, made once for all instances: what is in no heap."""
        own = State({})
        value = self._value(default, own)
        if own.exits or own.heap.contents:
            raise NotRead("the default of a field", line)
        return value

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
            around = {name: value for name, value in state.enclosing.items() if name not in state.locals}
            enclosing = {**around, **state.names}
            hidden = state.hidden | state.locals
        elif frames == state.frames[:-1] and frames:
            enclosing, hidden = dict(state.enclosing), state.hidden
        else:
            raise NotRead("a function that is called outside of the one that made it", line)
        others = frozenset(name for _, name in seen ^ state.comprehended)
        enclosing = {name: value for name, value in enclosing.items() if name not in others}
        return self._inlined(function, arguments, keywords, state, enclosing, hidden | others, frames, seen)

    def _inlined(
        self,
        function: ast.FunctionDef | ast.Lambda,
        arguments: Many[Value],
        keywords: Mapping[str, Value],
        state: State,
        enclosing: Mapping[str, Value],
        hidden: frozenset[str],
        frames: tuple[int, ...],
        seen: frozenset[tuple[int, str]] = frozenset(),
    ) -> Value:
        """A call inside an expression: its raises are ours, and its results become one value."""
        inner = self._frame(function, arguments, keywords, state, enclosing, hidden, frames)
        inner.comprehended = seen
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
        enclosing: Mapping[str, Value],
        hidden: frozenset[str],
        frames: tuple[int, ...],
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
            enclosing,
            hidden,
            (*frames, next(_frames)),
            fixed=caller.fixed,
        )

    def _bound(
        self, function: ast.FunctionDef | ast.Lambda, arguments: Many[Value], keywords: Mapping[str, Value]
    ) -> dict[str, Value]:
        spec, name = function.args, getattr(function, "name", "a lambda")
        if spec.vararg or spec.kwarg:
            raise NotRead(f"the parameters of {name}", function.lineno)
        positional = [parameter.arg for parameter in (*spec.posonlyargs, *spec.args)]
        named = [parameter.arg for parameter in (*spec.args, *spec.kwonlyargs)]
        bound = dict(zip(positional, arguments, strict=False))
        if len(arguments) > len(positional) or set(keywords) - set(named) or set(keywords) & set(bound):
            raise NotRead(f"a call of {name} with these arguments", function.lineno)
        for value in (*arguments, *keywords.values()):
            self._kept(value, function.lineno)
        bound |= keywords
        defaults: dict[str, ast.expr | None] = dict(
            zip(positional[len(positional) - len(spec.defaults) :], spec.defaults, strict=True)
        )
        defaults |= {p.arg: default for p, default in zip(spec.kwonlyargs, spec.kw_defaults, strict=True)}
        for parameter in dict.fromkeys((*positional, *named)):
            if parameter not in bound:
                default = defaults.get(parameter)
                if not isinstance(default, ast.Constant):
                    raise NotRead(f"the default of {parameter}", function.lineno)
                bound[parameter] = self._value(default, State({}))
        return bound

    # Python's functions that call others

    def applied(self, function: Value, items: Items, state: State, line: int) -> list[Value]:
        """What a function makes of each item."""
        found: list[Value] = []
        for there, item in items:
            inner, exits_before = state.assuming(there), len(state.exits)
            found.append(self._called(function, [item], {}, inner, line))
            state.after(inner, there, exits_before, line)
        return found

    def keys(self, items: Items, key: Value | None, state: State, line: int) -> list[Value]:
        """What items are compared by; the item itself where there is no ``key`` function."""
        if key is None or isinstance(key, NoneValue):
            return [state.seen(item) for _, item in items]
        return [state.seen(value) for value in self.applied(key, items, state, line)]


def _harmless(node: ast.expr) -> bool:
    """Whether evaluating it surely raises nothing, so that it does not matter whether something else does first."""
    match node:
        case ast.Call(func=ast.Name(), args=arguments, keywords=[]):
            return all(isinstance(each, ast.Constant) for each in arguments)
        case _:
            return isinstance(node, (ast.Constant, ast.Name, ast.Lambda))


def _sorted(
    reading: PythonCalls, arguments: Many[Value], keywords: Mapping[str, Value], state: State, line: int
) -> Value:
    if len(arguments) != 1 or set(keywords) - {"key", "reverse"}:
        raise NotRead("sorted with these arguments", line)
    content = state.top(arguments[0])
    items = items_of(content, line, any_order="key" not in keywords and _distinct(content))
    turned = _known(keywords.get("reverse"), line)
    keys = reading.keys(items, keywords.get("key"), state, line)
    return new_list(in_order(items, keys, reverse=turned, line=line), state)


def _distinct(content: Value) -> bool:
    """Whether nothing in it equals anything else in it, so that sorting gives one order: a dict's keys or items."""
    return not isinstance(content, Stream) or all(
        isinstance(item, Sequence) and item.items and isinstance(item.items[0], Text) for _, item in content.items
    )


def _known(value: Value | None, line: int) -> bool:
    if value is None:
        return False
    condition = truth(value, line)
    if condition not in (TRUE, negated(TRUE)):
        raise NotRead("a reverse that varies", line)
    return condition == TRUE


def _extreme(op: ast.cmpop) -> HigherOrder:
    def extreme(
        reading: PythonCalls, arguments: Many[Value], keywords: Mapping[str, Value], state: State, line: int
    ) -> Value:
        if set(keywords) - {"key", "default"} or not arguments:
            raise NotRead("min or max with these arguments", line)
        if len(arguments) > 1 and "default" in keywords:
            raise NotRead("min or max with these arguments", line)
        items = items_of(state.top(arguments[0]), line) if len(arguments) == 1 else plain(arguments)
        keys = reading.keys(items, keywords.get("key"), state, line)
        found, some = best(items, keys, op, line)
        if "default" in keywords and len(arguments) == 1:
            default = keywords["default"]
            return default if found is None else pick(some, found, default, line)
        state.raise_if(negated(some), VALUE_ERROR, line)
        return NoneValue() if found is None else found

    return extreme


def _map(reading: PythonCalls, arguments: Many[Value], keywords: Mapping[str, Value], state: State, line: int) -> Value:
    if len(arguments) != 2 or keywords:
        raise NotRead("map with these arguments", line)
    items, exits_before = items_of(state.top(arguments[1]), line), len(state.exits)
    made = reading.applied(arguments[0], items, state, line)
    pairs = tuple((there, value) for (there, _), value in zip(items, made, strict=True))
    return Stream(pairs, True, None, len(state.exits) > exits_before)


def _filter(
    reading: PythonCalls, arguments: Many[Value], keywords: Mapping[str, Value], state: State, line: int
) -> Value:
    if len(arguments) != 2 or keywords:
        raise NotRead("filter with these arguments", line)
    items, exits_before = items_of(state.top(arguments[1]), line), len(state.exits)
    tests = reading.applied(arguments[0], items, state, line)
    kept: list[tuple[Condition, Value]] = [
        (both(there, truth(state.top(test), line)), item) for (there, item), test in zip(items, tests, strict=True)
    ]
    return Stream(tuple(kept), True, None, len(state.exits) > exits_before)


def _reduce(
    reading: PythonCalls, arguments: Many[Value], keywords: Mapping[str, Value], state: State, line: int
) -> Value:
    if not 2 <= len(arguments) <= 3 or keywords:
        raise NotRead("reduce with these arguments", line)
    items = items_of(state.top(arguments[1]), line)
    if len(arguments) == 2:
        if not items or items[0][0] != TRUE:
            raise NotRead("reduce without a start", line)
        result, items = items[0][1], items[1:]
    else:
        result = arguments[2]
    for there, item in items:
        inner, exits_before = state.assuming(there), len(state.exits)
        value = reading._called(arguments[0], [result, item], {}, inner, line)
        state.after(inner, there, exits_before, line)
        result = pick(there, value, result, line)
    return result


_HIGHER: dict[str, HigherOrder] = {
    "sorted": _sorted,
    "min": _extreme(ast.Lt()),
    "max": _extreme(ast.Gt()),
    "map": _map,
    "filter": _filter,
    "functools.reduce": _reduce,
}
