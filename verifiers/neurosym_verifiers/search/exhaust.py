"""All inputs that meet a condition, where they are few.

A clause that applies to fewer inputs than TESTED asks for can still be tested: on all of them. The condition's
top-level conjuncts narrow the search: one that speaks of a single input filters that input's whole domain; one that
equates an input with something known gives its value; ``len(x) == 0`` leaves one list. If then few enough combinations
are left, trying each is complete. Anything else returns None, never a part.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from neurosym_specs.expr.evaluate import Evaluator, Undefined
from neurosym_specs.expr.syntax import Expression
from neurosym_specs.model import Spec
from neurosym_specs.types import (
    BoolType,
    DateType,
    DecimalType,
    Interval,
    IntType,
    ListType,
    OptionalType,
    StrType,
    Type,
)

from neurosym_verifiers.search.assign import conjuncts, equations_in, needs
from neurosym_verifiers.search.draw import in_form
from neurosym_verifiers.search.grid import grid_of
from neurosym_verifiers.search.leaves import Inputs

_LARGEST_DOMAIN = 100_000
_MOST_COMBINATIONS = 20_000


@dataclass(frozen=True, slots=True)
class _Condition:
    """One conjunct, and the inputs it needs."""

    expression: Expression
    needs: frozenset[str]


class Exhaustion:
    """Enumerates the inputs of a spec that meet a condition.

    ``base``: any inputs of the universe; they stand in for those that an expression does not need.
    """

    def __init__(self, spec: Spec, evaluator: Evaluator, base: Inputs) -> None:
        self._spec = spec
        self._evaluator = evaluator
        self._base = base

    def all_inputs(self, conditions: Sequence[Expression]) -> list[Inputs] | None:
        """Every input on which all conditions hold or are undefined; None where that cannot be found out cheaply."""
        parts = [Expression(ast.unparse(t), t, c.place) for c in conditions for t in conjuncts(c.tree)]
        known = [_Condition(part, needs(self._spec, part.tree)) for part in parts]
        equations = [equation for part in parts for equation in equations_in(self._spec, part)]
        partial: list[Inputs] = [{}]
        open_names = set(self._spec.inputs)
        while open_names:
            equation = next((e for e in equations if e.name in open_names and not e.needs & open_names), None)
            if equation is not None:
                name = equation.name
                partial = [
                    {**p, name: v} for p in partial for v in equation.solved(self._evaluator, {**self._base, **p})
                ]
            else:
                chosen = self._smallest_domain(open_names, known)
                if chosen is None or len(partial) * len(chosen[1]) > 10 * _MOST_COMBINATIONS:
                    return None
                name, domain = chosen
                partial = [{**p, name: v} for p in partial for v in domain]
            open_names.discard(name)
            decided = [c for c in known if name in c.needs and not c.needs & open_names]
            partial = [p for p in partial if all(self._may_hold(c, p) for c in decided)]
            if len(partial) > _MOST_COMBINATIONS:
                return None
        return partial

    def _smallest_domain(
        self, open_names: Iterable[str], known: Sequence[_Condition]
    ) -> tuple[str, tuple[Any, ...]] | None:
        filtered: list[tuple[int, str, tuple[Any, ...]]] = []
        for name in sorted(open_names):
            alone = [c for c in known if c.needs == {name}]
            domain = domain_of(self._spec.inputs[name], must_be_empty=any(_empties(c, name) for c in alone))
            if domain is not None:
                kept = tuple(v for v in domain if all(self._may_hold(c, {name: v}) for c in alone))
                filtered.append((len(kept), name, kept))
        if not filtered:
            return None
        _, name, kept = min(filtered, key=lambda entry: entry[:2])
        return name, kept

    def _may_hold(self, condition: _Condition, inputs: Inputs) -> bool:
        try:
            return self._evaluator.bind({**self._base, **inputs}).holds(condition.expression)
        except Undefined:
            return True


def _empties(condition: _Condition, name: str) -> bool:
    """Whether a conjunct says that an input has no elements."""
    match condition.expression.tree:
        case ast.Compare(
            left=ast.Call(func=ast.Name(id="len"), args=[ast.Name(id=named)]),
            ops=[ast.Eq()],
            comparators=[ast.Constant(value=0)],
        ):
            return named == name
        case _:
            return False


def domain_of(type_: Type, *, must_be_empty: bool = False) -> tuple[Any, ...] | None:
    """All values of a type, if they are not too many; of a list or text only where it must be empty."""
    inner, none = (type_.of, (None,)) if isinstance(type_, OptionalType) else (type_, ())
    if any(isinstance(extra, Interval) for extra in inner.also):
        return None
    none = (*inner.also, *none)
    if inner.choices is not None:
        return (*inner.choices, *none)
    match inner:
        case BoolType():
            return (False, True, *none)
        case DateType(min=first, max=last):
            days = (last - first).days + 1
            return (*(first + timedelta(n) for n in range(days)), *none) if days <= _LARGEST_DOMAIN else None
        case ListType() if must_be_empty:
            return (in_form(inner, []),)
        case StrType() if must_be_empty:
            return ("",)
        case IntType(min=low, max=high) if low is not None and high is not None:
            pass
        case DecimalType(min=low, max=high, places=places) if low is not None and high is not None:
            if places is None or places[0] != places[1] or inner.nan or inner.infinity or inner.negative_zero:
                return None
        case _:
            return None
    grid = grid_of(inner)
    if grid is None or grid.last - grid.first >= _LARGEST_DOMAIN:
        return None
    return (*(grid.point(k) for k in range(grid.first, grid.last + 1)), *none)
