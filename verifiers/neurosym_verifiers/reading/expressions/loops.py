"""Reading the loops of the spec's language: comprehensions, ``any`` and ``all``, ``fold``."""

from __future__ import annotations

import ast
from abc import ABC, abstractmethod
from collections.abc import Sequence as Many
from dataclasses import replace

from neurosym_verifiers.reading.data.containers import put
from neurosym_verifiers.reading.data.exact import chosen, exact
from neurosym_verifiers.reading.data.sets import set_of
from neurosym_verifiers.reading.data.values import (
    Bool,
    Hidden,
    Lookup,
    LoopList,
    NotRead,
    Sequence,
    Table,
    Text,
    Thing,
    Value,
)
from neurosym_verifiers.reading.expressions.functions import either_of, walked
from neurosym_verifiers.reading.expressions.scope import Scope
from neurosym_verifiers.reading.formulas.normal_forms import both, either, negated
from neurosym_verifiers.reading.formulas.terms import FALSE, TRUE, Condition, Term
from neurosym_verifiers.reading.inputs.seen_texts import each_of
from neurosym_verifiers.reading.loop_lists.asking import holds_for_all, item_from_end, item_from_start
from neurosym_verifiers.reading.loop_lists.views import places_of
from neurosym_verifiers.reading.loop_lists.walks import Walk, walk


def _dict_of(pairs: Many[tuple[Condition, Value]], scope: Scope) -> Value:
    """A dict of keys with their values, each there under its condition; a later one replaces an earlier one."""
    ref = scope.state.new(Table({}))
    for there, pair in pairs:
        assert isinstance(pair, Sequence)
        key, value = (exact(part) for part in pair.items)
        if isinstance(key, Bool):
            raise NotRead("a boolean as a key")
        put(ref, key, value, scope.state, 0, where=there, choice=either_of)
    content = scope.state.top(ref)
    assert isinstance(content, (Table, Lookup))
    return replace(content, in_order=False)


class ExpressionLoops(ABC):
    """Reads what goes through items, each under the condition that it is there."""

    @abstractmethod
    def _read(self, node: ast.expr, scope: Scope) -> Value:
        """Any expression."""

    @abstractmethod
    def _defined(self, name: str, values: list[Value], scope: Scope) -> Value:
        """A call of a definition."""

    def _truth(self, node: ast.expr, scope: Scope) -> Condition:
        return self._as_truth(self._read(node, scope))

    def _set(self, items: Many[tuple[Condition, Value]]) -> Value:
        return set_of(tuple((there, exact(item)) for there, item in items), 0)

    def _dict(self, key: ast.expr, value: ast.expr, generators: Many[ast.comprehension], scope: Scope) -> Value:
        """Of two values for one key the later one counts, so that the order matters unless no key comes twice."""
        trial = replace(scope, state=replace(scope.state.copy(), exits=[]))
        keys = [item for _, item in self._comprehension([key], generators, trial, any_order=True)]
        once = all(isinstance(each, Text) for each in keys) and len(set(keys)) == len(keys)
        return _dict_of(self._comprehension([key, value], generators, scope, any_order=once), scope)

    def _display(self, keys: Many[ast.expr | None], values: Many[ast.expr], scope: Scope) -> Value:
        if any(key is None for key in keys):
            raise NotRead("a dict with another one in it")
        named = [key for key in keys if key is not None]
        pairs = ((self._read(key, scope), self._read(value, scope)) for key, value in zip(named, values, strict=True))
        return _dict_of([(TRUE, Sequence(pair, False)) for pair in pairs], scope)

    def _comprehension(
        self, elements: Many[ast.expr], generators: Many[ast.comprehension], scope: Scope, *, any_order: bool
    ) -> list[tuple[Condition, Value]]:
        """The items, each with the condition under which it is there; two elements make pairs."""
        found: list[tuple[Condition, Value]] = []
        self._generate(elements, generators, TRUE, scope, found, any_order)
        return found

    def _generate(
        self,
        elements: Many[ast.expr],
        generators: Many[ast.comprehension],
        where: Condition,
        scope: Scope,
        found: list[tuple[Condition, Value]],
        any_order: bool,
    ) -> None:
        if not generators:
            made = [self._read(element, scope) for element in elements]
            found.append((where, made[0] if len(made) == 1 else Sequence(tuple(made), False)))
            return
        generator = generators[0]
        for there, item in walked(self._read(generator.iter, scope), any_order=any_order):
            inner = self._bound(generator.target, item, scope.assuming(there))
            self._filtered(elements, generators, list(generator.ifs), both(where, there), inner, found, any_order)
            scope.after(inner, there)

    def _filtered(
        self,
        elements: Many[ast.expr],
        generators: Many[ast.comprehension],
        tests: list[ast.expr],
        where: Condition,
        scope: Scope,
        found: list[tuple[Condition, Value]],
        any_order: bool,
    ) -> None:
        """The rest of a comprehension, behind the conditions of its first generator."""
        if not tests:
            self._generate(elements, generators[1:], where, scope, found, any_order)
            return
        holds = self._truth(tests[0], scope)
        inner = scope.assuming(holds)
        if holds == FALSE:
            return
        self._filtered(elements, generators, tests[1:], both(where, holds), inner, found, any_order)
        scope.after(inner, holds)

    def _bound(self, target: ast.expr, item: Value, scope: Scope) -> Scope:
        """The scope in which a loop's names stand for an item."""
        local = dict(scope.local)
        self._bind(target, item, local)
        return replace(scope, local=local)

    def _bind(self, target: ast.expr, item: Value, local: dict[str, Value]) -> None:
        match target:
            case ast.Name(id=name):
                local[name] = exact(item)
            case ast.Tuple(elts=targets) if isinstance(item, Sequence) and len(item.items) == len(targets):
                for part, value in zip(targets, item.items, strict=True):
                    self._bind(part, value, local)
            case _:
                raise NotRead("what a loop binds")

    # Lists that long loops make

    def _walked_loop(self, generators: Many[ast.comprehension], scope: Scope) -> LoopList | None:
        """The list of many rounds that a comprehension goes through; None if it goes through something else."""
        lists = scope.loop_lists()
        if not lists or len(generators) != 1:
            return None
        trial = replace(scope, state=replace(scope.state.copy(), exits=[]))
        of = self._read(generators[0].iter, trial)
        if isinstance(of, Thing) and of.name == "range":
            first, stop, step = of.of
            found = (places_of(each, first.term, stop.term) for each in lists)
            of = next((each for each in found if each is not None), of) if step.term.constant == 1 else of
        if not isinstance(of, LoopList):
            return None
        if trial.state.exits:
            raise NotRead("going through a list of many rounds that may be undefined")
        return of

    def _each_item(
        self, generator: ast.comprehension, of: LoopList, scope: Scope, element: ast.expr
    ) -> tuple[Walk, Condition, Value]:
        """What is read for any item of a list of many rounds, and whether the item is one of those that count."""
        going = walk(of)
        inner = self._bound(generator.target, going.row, replace(scope, state=replace(scope.state.copy(), exits=[])))
        inner = replace(inner, walks=(*scope.walks, going))
        counts: Condition = TRUE
        for test in generator.ifs:
            holds = self._truth(test, inner)
            counts = both(counts, holds)
            inner = inner.assuming(holds)
        value = self._read(element, inner)
        if inner.state.exits:
            raise NotRead("what may be undefined for an item of a list of many rounds")
        return going, counts, value

    def _made_of_each(self, element: ast.expr, generators: Many[ast.comprehension], scope: Scope) -> LoopList | None:
        """What a comprehension makes of a list of many rounds, item by item; None if it goes through something else."""
        of = self._walked_loop(generators, scope)
        if of is None:
            return None
        going, counts, value = self._each_item(generators[0], of, scope, element)
        return replace(of, row=going.generic_value(value), counts=both(of.counts, going.generic(counts)))

    def _item_of_loop(self, of: LoopList, at: Term, scope: Scope) -> tuple[Value, Condition]:
        """An item of a list of many rounds, and whether there is one."""
        for going in scope.walks:
            found = going.item(of, at)
            if found is not None:
                return found, TRUE
        place = at.constant
        if place is None:
            raise NotRead("an item of a list of many rounds at a place that varies")
        return item_from_start(of, place) if place >= 0 else item_from_end(of, -1 - place)

    def _decided_by_each(
        self, every: bool, element: ast.expr, generators: Many[ast.comprehension], scope: Scope
    ) -> Condition | None:
        """``any`` and ``all`` over a list of many rounds; None if it is something else."""
        of = self._walked_loop(generators, scope)
        if of is None:
            return None
        going, counts, value = self._each_item(generators[0], of, scope, element)
        holds = going.generic(
            both(counts, self._as_truth(value)) if not every else either(negated(counts), self._as_truth(value))
        )
        return holds_for_all(of, holds) if every else negated(holds_for_all(of, negated(holds)))

    def _any_or_all(self, every: bool, argument: ast.expr, scope: Scope) -> Value:
        """Goes on only while nothing has decided; what stands behind that need not be defined."""
        if isinstance(argument, ast.GeneratorExp):
            by_each = self._decided_by_each(every, argument.elt, argument.generators, scope)
            if by_each is not None:
                return Bool(by_each)
        if not isinstance(argument, ast.GeneratorExp):
            items = walked(self._read(argument, scope))
            parts = [(there, self._as_truth(item)) for there, item in items]
            if every:
                return Bool(both(*(either(negated(there), holds) for there, holds in parts)))
            return Bool(either(*(both(there, holds) for there, holds in parts)))
        trial = replace(scope, state=replace(scope.state.copy(), exits=[]))
        decided = self._decided(every, argument.elt, argument.generators, trial, in_turn=False)
        if trial.state.exits:
            decided = self._decided(every, argument.elt, argument.generators, scope, in_turn=True)
        else:
            scope.state.heap.add_new(trial.state.heap)
        return Bool(negated(decided) if every else decided)

    def _decided(
        self, every: bool, element: ast.expr, generators: Many[ast.comprehension], scope: Scope, *, in_turn: bool
    ) -> Condition:
        """Where some element decides: one that fails for ``all``, one that holds for ``any``.

        ``in_turn``: an element is read where none before it has decided, since it may be undefined elsewhere; then
        the items of a set, whose order is not known, are not gone through.
        """
        generator, here = generators[0], scope
        decided: Condition = FALSE
        ended: list[Condition] = []
        of = self._read(generator.iter, scope)
        for there, item in each_of(of) if isinstance(of, Hidden) and not in_turn else walked(of, any_order=not in_turn):
            inner = self._bound(generator.target, item, here.assuming(there))
            now = self._deciding(every, element, list(generator.ifs), generators[1:], inner, in_turn)
            here.after(inner, there)
            now = both(there, now)
            decided = either(decided, now)
            if in_turn:
                ended.append(both(here.state.live, now))
                here = here.assuming(negated(now))
        if in_turn:
            scope.state.live = either(*ended, here.state.live)
            scope.state.heap.add_new(here.state.heap)
        return decided

    def _deciding(
        self,
        every: bool,
        element: ast.expr,
        tests: list[ast.expr],
        generators: Many[ast.comprehension],
        scope: Scope,
        in_turn: bool,
    ) -> Condition:
        """Where one item of a generator decides, behind the conditions of that generator."""
        if tests:
            holds = self._truth(tests[0], scope)
            if holds == FALSE:
                return FALSE
            inner = scope.assuming(holds)
            decided = both(holds, self._deciding(every, element, tests[1:], generators, inner, in_turn))
            scope.after(inner, holds)
            return decided
        if generators:
            return self._decided(every, element, generators, scope, in_turn=in_turn)
        holds = self._truth(element, scope)
        return negated(holds) if every else holds

    def _as_truth(self, value: Value) -> Condition:
        if not isinstance(value, Bool):
            raise NotRead("a condition that is no boolean")
        return value.condition

    def _fold(self, name: str, items: ast.expr, start: ast.expr, scope: Scope) -> Value:
        values = walked(self._read(items, scope), any_order=False)
        state = self._read(start, scope)
        for there, item in values:
            inner = scope.assuming(there)
            following = self._defined(name, [state, item], inner)
            scope.after(inner, there)
            state = chosen(there, following, state)
        return state
