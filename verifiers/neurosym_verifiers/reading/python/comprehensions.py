"""Reading lists, tuples, sets and dicts that are written out, comprehensions, and what is gone through."""

from __future__ import annotations

import ast
from collections.abc import Sequence as Many
from dataclasses import dataclass, field, replace
from itertools import count, pairwise

from neurosym_verifiers.reading.data.containers import new_list, put
from neurosym_verifiers.reading.data.dicts import new_dict, put_all, put_entry
from neurosym_verifiers.reading.data.items import Items, has_order, items_of
from neurosym_verifiers.reading.data.operations import listed
from neurosym_verifiers.reading.data.sets import new_set
from neurosym_verifiers.reading.data.values import (
    NotRead,
    OutOfOrder,
    Sequence,
    Stream,
    Table,
    Text,
    Value,
)
from neurosym_verifiers.reading.execution.on_demand import captured
from neurosym_verifiers.reading.execution.state import Exit, State
from neurosym_verifiers.reading.execution.ways import any_way
from neurosym_verifiers.reading.formulas.normal_forms import both, negated
from neurosym_verifiers.reading.formulas.terms import FALSE, TRUE, Condition
from neurosym_verifiers.reading.python.expressions import PythonValues

_comprehensions = count()


@dataclass(slots=True)
class _Made:
    """What a comprehension makes. ``in_order``: whether the items come in this order. ``marks``: how many exits there
    are before each."""

    items: list[tuple[Condition, Value]] = field(default_factory=list)
    in_order: bool = True
    marks: list[int] = field(default_factory=list)


class PythonComprehensions(PythonValues):
    """Reads displays and comprehensions of one program."""

    def _display(self, node: ast.expr, state: State) -> Value:
        line = node.lineno
        match node:
            case ast.Set(elts=items):
                return new_set(self._items(items, state), state, line)
            case ast.List(elts=items):
                return new_list(self._items(items, state), state)
            case ast.Tuple(elts=items):
                return listed(self._items(items, state), False)
            case ast.Dict(keys=keys, values=values):
                return self._dict(keys, values, state, line)
            case ast.ListComp(elt=element, generators=generators):
                return new_list(self._in_order(self._comprehension([element], generators, state), line), state)
            case ast.SetComp(elt=element, generators=generators):
                return new_set(tuple(self._comprehension([element], generators, state).items), state, line)
            case ast.GeneratorExp():
                return self._at_once(self._stream(node, state), line)
            case ast.DictComp(key=key, value=value, generators=generators):
                return self._dict_comprehension(key, value, generators, state, line)
            case _:
                raise NotRead(f"{type(node).__name__}", line)

    def _items(self, nodes: Many[ast.expr], state: State) -> Items:
        found: list[tuple[Condition, Value]] = []
        for node in nodes:
            if isinstance(node, ast.Starred):
                found += items_of(state.top(self._value(node.value, state)), node.lineno)
            else:
                found.append((TRUE, self._kept(self._value(node, state), node.lineno)))
        return tuple(found)

    def _stream(self, node: ast.GeneratorExp, state: State) -> Value:
        """A generator's items, made at once."""
        exits_before = len(state.exits)
        made = self._comprehension([node.elt], node.generators, state)
        raises = state.raises_on_demand(exits_before, node.lineno)
        seen = captured(node, {**state.enclosing, **state.names}, state.frames, state.heap)
        marks = (*(mark - exits_before for mark in made.marks), len(state.exits) - exits_before)
        return Stream(tuple(made.items), made.in_order, seen.addresses, raises, seen.names, marks)

    def _in_order(self, made: _Made, line: int) -> Items:
        """Items whose order matters."""
        if not made.in_order and len(made.items) > 1:
            raise NotRead("going through what has no known order", line)
        return tuple(made.items)

    def _iterated(self, node: ast.expr, state: State) -> Value:
        """What a loop or comprehension goes through; it may raise on the way."""
        match node:
            case ast.Call() if state.live != FALSE:
                return self._call(node, state)
            case ast.GeneratorExp() if state.live != FALSE:
                return self._stream(node, state)
            case ast.Attribute(value=of, attr=name) if state.live != FALSE:  # perhaps a property that yields
                return self._attribute(of, name, state, node.lineno)
            case _:
                return self._value(node, state)

    def _raised_later(self, iterated: Value, items: int, state: State, line: int) -> list[list[Exit]]:
        """Takes back the exits that come while items are asked for: those before each, and behind the last."""
        if not isinstance(iterated, Stream) or not iterated.raises:
            return [[]] * (items + 1)
        if iterated.marks is None:
            raise OutOfOrder("an iterator that may raise", line)
        first = len(state.exits) - iterated.marks[-1]
        late = state.exits[first:]
        del state.exits[first:]
        state.live = any_way(state.live, *(end.condition for end in late))
        return [late[start:end] for start, end in pairwise((0, *iterated.marks))]

    def _dict(self, keys: Many[ast.expr | None], values: Many[ast.expr], state: State, line: int) -> Value:
        ref = new_dict([], state, line)
        for key, value in zip(keys, values, strict=True):
            name = None if key is None else self._value(key, state)
            found = self._kept(self._value(value, state), line)
            if state.live == FALSE:
                break
            if name is None:
                put_all(ref, state.top(found), state, line)
            else:
                put_entry(ref, name, found, state, line)
        return ref

    def _dict_comprehension(
        self, key: ast.expr, value: ast.expr, generators: Many[ast.comprehension], state: State, line: int
    ) -> Value:
        ref = new_dict([], state, line)
        made = self._comprehension([key, value], generators, state)
        keys: list[Value] = []
        for there, pair in made.items:
            assert isinstance(pair, Sequence)
            put(ref, pair.items[0], pair.items[1], state, line, where=there)
            keys.append(pair.items[0])
        if not made.in_order and len(keys) > 1:  # it does not matter where no key comes twice
            content = state.top(ref)
            known = all(isinstance(key, Text) for key in keys)
            if not isinstance(content, Table) or not known or len(content.entries) < len(keys):
                raise NotRead("a dict of what has no known order", line)
            state.change(ref, replace(content, in_order=False), line)
        return ref

    def _comprehension(self, elements: Many[ast.expr], generators: Many[ast.comprehension], state: State) -> _Made:
        """The items, each with the condition under which it is there; two elements make pairs.

        Where it goes through what has no known order, nothing in it may raise.
        """
        inner, exits_before = state.copy(), len(state.exits)
        own = next(_comprehensions)
        inner.comprehended |= {
            (own, part.id) for each in generators for part in ast.walk(each.target) if isinstance(part, ast.Name)
        }
        found = _Made()
        self._generate(elements, generators, TRUE, inner, found)
        if not found.in_order and len(state.exits) > exits_before:
            raise NotRead("what may raise, for items that have no known order", elements[0].lineno)
        for i in range(exits_before, len(state.exits)):  # its own names are gone outside
            state.exits[i] = replace(state.exits[i], names=dict(state.names))
        state.take_over([inner], elements[0].lineno)
        state.live = inner.live
        return found

    def _generate(
        self,
        elements: Many[ast.expr],
        generators: Many[ast.comprehension],
        where: Condition,
        state: State,
        found: _Made,
    ) -> None:
        """One generator inside of those before it. ``state`` is where evaluation stands; its ``live`` moves on."""
        if not generators:
            made = [self._kept(self._value(element, state), element.lineno) for element in elements]
            found.items.append((where, made[0] if len(made) == 1 else Sequence(tuple(made), False)))
            found.marks.append(len(state.exits))
            return
        generator = generators[0]
        line = generator.iter.lineno
        if generator.is_async:
            raise NotRead("an asynchronous comprehension", line)
        iterated = self._iterated(generator.iter, state)
        later = {part.id for each in generators for part in ast.walk(each.target) if isinstance(part, ast.Name)}
        state.names = {name: value for name, value in state.names.items() if name not in later}  # unbound until then
        content = state.top(iterated)
        found.in_order = found.in_order and has_order(content)
        items = items_of(content, line, any_order=True)
        late = self._raised_later(iterated, len(items), state, line)
        for (there, item), ends in zip(items, late, strict=False):
            state.end_where(ends)
            before, exits_before = state.live, len(state.exits)
            inner = state.assuming(there)
            self._assign(generator.target, item, inner)
            open_, branches = there, [inner]
            left: list[Condition] = [both(before, negated(there))]
            for test in generator.ifs:
                holds = self._truth(test, inner)
                open_ = both(open_, holds)
                left.append(both(inner.live, negated(holds)))
                inner = inner.assuming(holds)
                branches.append(inner)
            if inner.live == FALSE and open_ != TRUE:
                open_ = FALSE
            else:
                self._generate(elements, generators[1:], both(where, open_), inner, found)
            state.take_over([*branches, inner], line)
            if len(state.exits) > exits_before:
                state.live = any_way(*left, inner.live)
        state.end_where(late[-1])
