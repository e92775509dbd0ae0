"""Reading the spec's expressions: exact rationals, dates and names, each with the condition under which it is defined.

An expression that fails on an input (a division by zero, a missing key) has no value there. The reading keeps where
that is: a proof that uses the value has to show that it is defined.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping
from collections.abc import Sequence as Many
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from neurosym_specs.expr.syntax import Expression
from neurosym_specs.model import Spec

from neurosym_verifiers.reading import numbers
from neurosym_verifiers.reading.dates import is_date, known_day, leap, month_length, ordinal, weekday
from neurosym_verifiers.reading.merging import CannotMerge, merged
from neurosym_verifiers.reading.narrowing import Narrowing, bounds_from
from neurosym_verifiers.reading.operations import binary, compare, shifted
from neurosym_verifiers.reading.rounding import rounded
from neurosym_verifiers.reading.state import State
from neurosym_verifiers.reading.terms import (
    FALSE,
    TRUE,
    Condition,
    both,
    choose,
    either,
    equal,
    negated,
    number,
)
from neurosym_verifiers.reading.values import (
    Bool,
    Day,
    Days,
    Dec,
    Int,
    Member,
    NoneValue,
    NotRead,
    Ratio,
    Sequence,
    Table,
    Text,
    Value,
)

_MODES = ("half_up", "half_down", "half_even", "up", "down", "ceiling", "floor", "05up")
_DEEPEST = 30


@dataclass(slots=True)
class Meaning:
    """The inputs of one run, its result if it has one, and what else names stand for."""

    names: Mapping[str, Value]
    result: Value | None = None


@dataclass(slots=True)
class _Scope:
    """Where an expression is read: local names, and the state that collects where it is undefined (as exits)."""

    local: Mapping[str, Value]
    state: State
    meaning: Meaning
    depth: int = 0
    runs: Mapping[str, Meaning] = field(default_factory=dict)

    def assuming(self, condition: Condition) -> _Scope:
        bounds = bounds_from(condition)
        if not bounds:
            local, meaning = self.local, self.meaning
        else:
            narrowing = Narrowing(bounds)
            local = {name: narrowing.value(value) for name, value in self.local.items()}
            names = {name: narrowing.value(value) for name, value in self.meaning.names.items()}
            result = None if self.meaning.result is None else narrowing.value(self.meaning.result)
            meaning = Meaning(names, result)
        return _Scope(local, self.state.assuming(condition), meaning, self.depth, self.runs)


class ExpressionReading:
    """Reads expressions of one spec. ``assumed``: what is known to hold of the inputs (used for bounds only)."""

    def __init__(self, spec: Spec) -> None:
        self._spec = spec

    def value(
        self,
        expression: Expression,
        meaning: Meaning,
        *,
        assumed: Condition = TRUE,
        runs: Mapping[str, Meaning] | None = None,
    ) -> tuple[Value, Condition]:
        """The value, and the condition under which it is defined. Raises ``NotRead``."""
        state = State({})
        scope = _Scope({}, state, meaning, 0, runs or {}).assuming(assumed)
        scope.state.live = TRUE
        try:
            value = self._read(expression.tree, scope)
        except NotRead as not_read:
            raise NotRead(f"{not_read.what} in the spec's `{expression.text.strip()[:60]}`") from None
        return value, scope.state.live

    def condition(
        self,
        expression: Expression,
        meaning: Meaning,
        *,
        assumed: Condition = TRUE,
        runs: Mapping[str, Meaning] | None = None,
    ) -> tuple[Condition, Condition]:
        """A condition's truth, and where it is defined."""
        value, defined = self.value(expression, meaning, assumed=assumed, runs=runs)
        if not isinstance(value, Bool):
            raise NotRead("a condition that is no boolean")
        return value.condition, defined

    def _read(self, node: ast.expr, scope: _Scope) -> Value:
        match node:
            case ast.Constant(value=bool() as value):
                return Bool(TRUE if value else FALSE)
            case ast.Constant(value=int() as value):
                return Int(number(value))
            case ast.Constant(value=Fraction() as value):
                return Ratio(number(value.numerator), number(value.denominator))
            case ast.Constant(value=str() as value):
                return Text(value)
            case ast.Constant(value=None):
                return NoneValue()
            case ast.Name(id=name):
                return self._name(name, scope)
            case ast.BinOp(left=left, op=op, right=right):
                return self._binary(op, self._read(left, scope), self._read(right, scope), scope)
            case ast.UnaryOp(op=ast.Not(), operand=operand):
                return Bool(negated(self._truth(operand, scope)))
            case ast.UnaryOp(op=ast.USub(), operand=operand):
                return numbers.negative(_exact(self._read(operand, scope)))
            case ast.UnaryOp(op=ast.UAdd(), operand=operand):
                return self._read(operand, scope)
            case ast.BoolOp(op=op, values=values):
                return self._boolean(isinstance(op, ast.And), values, scope)
            case ast.Compare(left=left, ops=ops, comparators=comparators):
                return self._comparison(left, ops, comparators, scope)
            case ast.IfExp(test=test, body=body, orelse=orelse):
                return self._choice(self._truth(test, scope), body, orelse, scope)
            case ast.Tuple(elts=items) | ast.List(elts=items):
                return Sequence(tuple(self._read(item, scope) for item in items), isinstance(node, ast.List))
            case ast.Attribute(value=ast.Name(id=run), attr=name) if run in scope.runs:
                return self._of_run(scope.runs[run], name, scope)
            case ast.Attribute(value=of, attr=name):
                return self._attribute(self._read(of, scope), name)
            case ast.Subscript(value=of, slice=index) if not isinstance(index, ast.Slice):
                return self._item(self._read(of, scope), self._read(index, scope), scope)
            case ast.Call(func=ast.Name(id=name), args=arguments, keywords=keywords):
                return self._call(name, arguments, keywords, scope)
            case ast.Call(func=ast.Attribute(value=ast.Name(id=run), attr=name), args=arguments) if run in scope.runs:
                inner = _Scope(scope.local, scope.state, scope.runs[run], scope.depth, {})
                return self._defined(name, [self._read(a, scope) for a in arguments], inner)
            case _:
                raise NotRead(type(node).__name__)

    def _name(self, name: str, scope: _Scope) -> Value:
        if name in scope.local:
            return scope.local[name]
        if name == "result" and scope.meaning.result is not None:
            return scope.meaning.result
        if name in scope.meaning.names:
            return _exact(scope.meaning.names[name])
        if name in self._spec.lets:
            return self._let(name, scope)
        if name in self._spec.data:
            return _data(self._spec.data[name])
        raise NotRead(name)

    def _let(self, name: str, scope: _Scope) -> Value:
        if scope.depth > _DEEPEST:
            raise NotRead("lets that use each other too deep")
        inner = _Scope({}, scope.state, scope.meaning, scope.depth + 1, {})
        return self._read(self._spec.lets[name].tree, inner)

    def _of_run(self, meaning: Meaning, name: str, scope: _Scope) -> Value:
        inner = _Scope({}, scope.state, meaning, scope.depth, {})
        return self._name(name, inner)

    def _binary(self, op: ast.operator, a: Value, b: Value, scope: _Scope) -> Value:
        if isinstance(a, Day) and isinstance(b, Int) and isinstance(op, (ast.Add, ast.Sub)):
            return shifted(a, b.term if isinstance(op, ast.Add) else -b.term, scope.state, 0)
        if isinstance(op, ast.Div) and isinstance(a, (Int, Bool)) and isinstance(b, (Int, Bool)):
            a = numbers.ratio(*numbers.as_ratio(a))
        return _exact(binary(op, a, b, scope.state, 0))

    def _truth(self, node: ast.expr, scope: _Scope) -> Condition:
        value = self._read(node, scope)
        if not isinstance(value, Bool):
            raise NotRead("a condition that is no boolean")
        return value.condition

    def _boolean(self, conjunction: bool, operands: Many[ast.expr], scope: _Scope) -> Value:
        answer: Condition = TRUE if conjunction else FALSE
        here, live = scope, scope.state.live
        open_: list[Condition] = []
        for operand in operands:
            truth = self._truth(operand, here)
            answer = both(answer, truth) if conjunction else either(answer, truth)
            undecided = answer if conjunction else negated(answer)
            open_.append(both(here.state.live, negated(undecided)))
            here = here.assuming(undecided)
        whole = either(*open_, here.state.live)
        scope.state.live = live if whole == live or not scope.state.exits else both(live, whole)
        return Bool(answer)

    def _comparison(self, left: ast.expr, ops: Many[ast.cmpop], rights: Many[ast.expr], scope: _Scope) -> Value:
        """A chain stops where it fails; what stands behind that need not be defined."""
        a = self._read(left, scope)
        answer: Condition = TRUE
        here, live = scope, scope.state.live
        open_: list[Condition] = []
        for op, right in zip(ops, rights, strict=True):
            b = self._read(right, here)
            answer = both(answer, compare(op, _exact(a), _exact(b), 0))
            open_.append(both(here.state.live, negated(answer)))
            live = scope.state.live if here is scope else live
            here = here.assuming(answer)
            a = b
        if len(ops) > 1 and scope.state.exits:
            scope.state.live = both(live, either(*open_, here.state.live))
        return Bool(answer)

    def _choice(self, condition: Condition, body: ast.expr, orelse: ast.expr, scope: _Scope) -> Value:
        if condition == TRUE:
            return self._read(body, scope)
        if condition == FALSE:
            return self._read(orelse, scope)
        then, other = scope.assuming(condition), scope.assuming(negated(condition))
        a, b = self._read(body, then), self._read(orelse, other)
        if scope.state.exits:
            scope.state.live = either(then.state.live, other.state.live)
        return chosen(condition, a, b)

    def _attribute(self, value: Value, name: str) -> Value:
        match value, name:
            case Day(), "year" | "month" | "day":
                return Int(getattr(value, name))
            case Day(), "weekday":
                return Int(weekday(value))
            case _:
                raise NotRead(f".{name}")

    def _item(self, value: Value, index: Value, scope: _Scope) -> Value:
        match value, index:
            case Table(entries=entries), Text(value=key) if key in entries:
                return entries[key]
            case Table(entries=entries), Member(names=names, index=at):
                known = [(equal(at, number(i)), entries[n]) for i, n in enumerate(names) if n in entries]
                if len(known) != len(names):
                    raise NotRead("a key that may be missing")
                found = known[-1][1]
                for hit, entry in known[-2::-1]:
                    found = chosen(hit, entry, found)
                return found
            case _:
                raise NotRead("an index")

    def _call(self, name: str, arguments: Many[ast.expr], keywords: Many[ast.keyword], scope: _Scope) -> Value:
        if name in self._spec.definitions:
            return self._defined(name, [self._read(a, scope) for a in arguments], scope)
        if keywords:
            raise NotRead(f"{name}() with a keyword")
        if name in ("round", "round_to"):
            return self._round(name, arguments, scope)
        values = [self._read(a, scope) for a in arguments]
        function: Function | None = _FUNCTIONS.get(name)
        if function is None:
            raise NotRead(f"{name}()")
        return function(values, scope.state)

    def _defined(self, name: str, values: list[Value], scope: _Scope) -> Value:
        if scope.depth > _DEEPEST:
            raise NotRead("definitions that use each other too deep")
        definition = self._spec.definitions[name]
        local = dict(zip(definition.parameters, map(_exact, values), strict=True))
        inner = _Scope(local, scope.state, scope.meaning, scope.depth + 1, {})
        return self._read(definition.body.tree, inner)

    def _round(self, name: str, arguments: Many[ast.expr], scope: _Scope) -> Value:
        mode = arguments[-1]
        if not isinstance(mode, ast.Name) or mode.id not in _MODES:
            raise NotRead("a rounding mode that varies")
        num, den = numbers.as_ratio(_exact(self._read(arguments[0], scope)))
        if name == "round_to":
            step_num, step_den = numbers.as_ratio(_exact(self._read(arguments[1], scope)))
            if step_num.low is None or step_num.low < 1:
                raise NotRead("rounding to a step that may not be positive")
            whole = rounded(num * step_den, den * step_num, mode.id)
            scale = numbers.ratio(step_num, step_den)
        else:
            places = self._read(arguments[1], scope) if len(arguments) == 3 else Int(number(0))
            known = places.term.constant if isinstance(places, Int) else None
            if known is None or not 0 <= known <= 40:
                raise NotRead("rounding to a varying number of decimals")
            whole = rounded(num * number(10**known), den, mode.id)
            scale = Ratio(number(1), number(10**known))
        if whole is None:
            raise NotRead(f"the rounding mode {mode.id}")
        return _simplest(numbers.multiply(Int(whole), scale))


def _exact(value: Value) -> Value:
    """A Decimal as the exact rational that the spec's language computes with."""
    if isinstance(value, Dec):
        return _simplest(numbers.ratio(*numbers.as_ratio(value)))
    return _simplest(value)


def _simplest(value: Value) -> Value:
    if isinstance(value, Ratio) and value.den.constant == 1:
        return Int(value.num)
    return value


def chosen(condition: Condition, then: Value, other: Value) -> Value:
    """``then`` where the condition holds, ``other`` elsewhere; in the spec's language a whole number is a number."""
    if isinstance(then, (Int, Ratio)) and isinstance(other, (Int, Ratio)) and type(then) is not type(other):
        then, other = Ratio(*numbers.as_ratio(then)), Ratio(*numbers.as_ratio(other))
    if (isinstance(then, Text) and isinstance(other, (Text, Member))) or (
        isinstance(other, Text) and isinstance(then, Member)
    ):
        names = tuple(dict.fromkeys((*_names(then), *_names(other))))
        then, other = _as_member(then, names), _as_member(other, names)
    try:
        return merged(condition, then, other)
    except CannotMerge as problem:
        raise NotRead(f"a value that is one of {problem}") from None


def _names(value: Value) -> tuple[str, ...]:
    if isinstance(value, Text):
        return (value.value,)
    return value.names if isinstance(value, Member) else ()


def _as_member(value: Value, names: tuple[str, ...]) -> Member:
    """A text among some texts; the kind is left open, since in the spec's language an enum is its choice."""
    if isinstance(value, Text):
        return Member("", names, number(names.index(value.value)))
    assert isinstance(value, Member)
    index = number(names.index(value.names[-1]))
    for i, name in reversed(list(enumerate(value.names[:-1]))):
        index = choose(equal(value.index, number(i)), number(names.index(name)), index)
    return Member("", names, index)


def _data(data: Any) -> Value:
    match data:
        case bool():
            return Bool(TRUE if data else FALSE)
        case int():
            return Int(number(data))
        case Fraction():
            return _simplest(Ratio(number(data.numerator), number(data.denominator)))
        case str():
            raise NotRead("a text of [data]")
        case dict():
            return Table({key: _data(entry) for key, entry in data.items()})
        case list() | tuple():
            return Sequence(tuple(_data(entry) for entry in data), True)
        case _:
            return known_day(data) if type(data).__name__ == "date" else _refuse(data)


def _refuse(data: Any) -> Value:
    raise NotRead(f"data of type {type(data).__name__}")


Function = Callable[[list[Value], State], Value]


def _whole(mode: str) -> Function:
    def make(values: list[Value], state: State) -> Value:
        num, den = numbers.as_ratio(_exact(values[0]))
        whole = rounded(num, den, mode)
        assert whole is not None
        return Int(whole)

    return make


def _abs(values: list[Value], state: State) -> Value:
    value = _exact(values[0])
    return chosen(numbers.compare(">=", value, Int(number(0))), value, numbers.negative(value))


def _sign(values: list[Value], state: State) -> Value:
    value, nothing = _exact(values[0]), Int(number(0))
    above = chosen(numbers.compare(">", value, nothing), Int(number(1)), nothing)
    return chosen(numbers.compare("<", value, nothing), Int(number(-1)), above)


def _extreme(op: str) -> Function:
    def make(values: list[Value], state: State) -> Value:
        items = list(values[0].items) if len(values) == 1 and isinstance(values[0], Sequence) else values
        if not items:
            raise NotRead("the least of nothing")
        best = _exact(items[0])
        for item in map(_exact, items[1:]):
            if isinstance(item, Day) and isinstance(best, Day):
                best = chosen(numbers.ordered(op, item.ordinal, best.ordinal), item, best)
            else:
                best = chosen(numbers.compare(op, item, best), item, best)
        return best

    return make


def _clamp(values: list[Value], state: State) -> Value:
    value, low, high = map(_exact, values)
    state.raise_if(numbers.compare(">", low, high), ("undefined",), 0)
    return _extreme("<")([_extreme(">")([value, low], state), high], state)


def _sum(values: list[Value], state: State) -> Value:
    if len(values) != 1 or not isinstance(values[0], Sequence):
        raise NotRead("this sum")
    total: Value = Int(number(0))
    for item in values[0].items:
        total = _simplest(numbers.add(total, _exact(item)))
    return total


def _days(values: list[Value], state: State) -> Value:
    if not isinstance(values[0], Days):
        raise NotRead("days() of this")
    return Int(values[0].count)


def _date(values: list[Value], state: State) -> Value:
    year, month, day = (numbers.as_int(_exact(v)) for v in values)
    state.raise_if(negated(is_date(year, month, day)), ("undefined",), 0)
    return Day(ordinal(year, month, day), year, month, day)


def _month_end(values: list[Value], state: State) -> Value:
    if not isinstance(values[0], Day):
        raise NotRead("month_end() of this")
    of = values[0]
    last = month_length(of.year, of.month)
    return Day(ordinal(of.year, of.month, last), of.year, of.month, last)


def _leap(values: list[Value], state: State) -> Value:
    return Bool(leap(numbers.as_int(_exact(values[0]))))


_FUNCTIONS: dict[str, Function] = {
    "floor": _whole("floor"),
    "ceil": _whole("ceiling"),
    "trunc": _whole("down"),
    "abs": _abs,
    "sign": _sign,
    "min": _extreme("<"),
    "max": _extreme(">"),
    "clamp": _clamp,
    "sum": _sum,
    "days": _days,
    "date": _date,
    "month_end": _month_end,
    "leap": _leap,
}
