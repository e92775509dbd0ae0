"""Reading the loops of the spec's language: comprehensions, ``any`` and ``all``, ``fold``."""

from __future__ import annotations

import ast
from abc import ABC, abstractmethod
from collections.abc import Sequence as Many
from dataclasses import replace

from neurosym_verifiers.reading.containers import put
from neurosym_verifiers.reading.exact import chosen, exact
from neurosym_verifiers.reading.expression_functions import either_of, walked
from neurosym_verifiers.reading.expression_scope import Scope
from neurosym_verifiers.reading.normal_forms import both, either, negated
from neurosym_verifiers.reading.sets import set_of
from neurosym_verifiers.reading.terms import FALSE, TRUE, Condition
from neurosym_verifiers.reading.values import Bool, NotRead, Sequence, Table, Value


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

    def _dict(self, pairs: Many[tuple[Condition, Value]], scope: Scope) -> Value:
        ref = scope.state.new(Table({}))
        for there, pair in pairs:
            assert isinstance(pair, Sequence)
            put(ref, pair.items[0], pair.items[1], scope.state, 0, where=there, choice=either_of)
        content = scope.state.top(ref)
        assert isinstance(content, Table)
        return Table(content.entries, content.present, in_order=False)

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

    def _any_or_all(self, every: bool, argument: ast.expr, scope: Scope) -> Value:
        """Goes on only while nothing has decided; what stands behind that need not be defined."""
        if not isinstance(argument, ast.GeneratorExp) or len(argument.generators) != 1:
            items = walked(self._read(argument, scope))
            parts = [(there, self._as_truth(item)) for there, item in items]
            if every:
                return Bool(both(*(either(negated(there), holds) for there, holds in parts)))
            return Bool(either(*(both(there, holds) for there, holds in parts)))
        generator = argument.generators[0]
        decided: Condition = FALSE
        exits_before = len(scope.state.exits)
        for there, item in walked(self._read(generator.iter, scope)):
            inner = self._bound(generator.target, item, scope.assuming(there))
            found: list[tuple[Condition, Value]] = []
            self._filtered([argument.elt], argument.generators[:1], list(generator.ifs), there, inner, found, True)
            if len(scope.state.exits) > exits_before:
                raise NotRead("any or all over what may be undefined")
            scope.after(inner, there)
            for where, value in found:
                holds = self._as_truth(value)
                decided = either(decided, both(where, negated(holds) if every else holds))
        return Bool(negated(decided) if every else decided)

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
