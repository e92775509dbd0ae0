"""Reading the spec's expressions: exact rationals, dates and names, each with the condition under which it is defined.

An expression that fails on an input (a division by zero, a missing key) has no value there. The reading keeps where
that is: a proof that uses the value has to show that it is defined.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping
from collections.abc import Sequence as Many
from fractions import Fraction
from typing import Any

from neurosym_specs.expr.syntax import Expression
from neurosym_specs.model import Spec
from neurosym_specs.types import EnumType

from neurosym_verifiers.reading.data import numbers
from neurosym_verifiers.reading.data.comparing import compare, numeric
from neurosym_verifiers.reading.data.containers import slice_of
from neurosym_verifiers.reading.data.dates import known_day, weekday
from neurosym_verifiers.reading.data.dicts import entry, values_of, view
from neurosym_verifiers.reading.data.exact import chosen, exact, needs_order, simplest
from neurosym_verifiers.reading.data.items import item_at
from neurosym_verifiers.reading.data.operations import binary, listed, shifted
from neurosym_verifiers.reading.data.values import (
    Bool,
    Day,
    Guarded,
    Hidden,
    Int,
    Lookup,
    LoopList,
    NoneValue,
    NotRead,
    Ratio,
    Real,
    Record,
    Sequence,
    Stream,
    Table,
    Text,
    Value,
)
from neurosym_verifiers.reading.execution.merging import guards_of
from neurosym_verifiers.reading.execution.state import State
from neurosym_verifiers.reading.expressions.functions import FUNCTIONS, UNDEFINED, by_key, defined, either_of
from neurosym_verifiers.reading.expressions.loops import ExpressionLoops
from neurosym_verifiers.reading.expressions.scope import Meaning, Scope
from neurosym_verifiers.reading.expressions.texts import text_method_of
from neurosym_verifiers.reading.floats import reals, rounded_reals
from neurosym_verifiers.reading.formulas.narrowing import narrowing_by
from neurosym_verifiers.reading.formulas.normal_forms import both, either, negated
from neurosym_verifiers.reading.formulas.powers import power_of
from neurosym_verifiers.reading.formulas.rounding import rounded
from neurosym_verifiers.reading.formulas.terms import FALSE, TRUE, Condition, number
from neurosym_verifiers.reading.inputs.seen_texts import asked
from neurosym_verifiers.reading.inputs.shapes import used_types
from neurosym_verifiers.reading.texts.characters import as_items, cells_of, is_text, single

_MODES = ("half_up", "half_down", "half_even", "up", "down", "ceiling", "floor", "05up")
_DEEPEST = 30


class ExpressionReading(ExpressionLoops):
    """Reads expressions of one spec. ``assumed``: what is known to hold of the inputs (used for bounds only)."""

    def __init__(self, spec: Spec) -> None:
        self._spec = spec
        self._texts = not any(isinstance(type_, EnumType) for type_ in used_types(spec))

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
        narrowing = narrowing_by(assumed) if runs else None
        known = {name: run.narrowed(narrowing) for name, run in (runs or {}).items()}
        scope = Scope({}, state, meaning, 0, known).assuming(assumed)
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

    def _read(self, node: ast.expr, scope: Scope) -> Value:
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
                number_ = defined(exact(self._read(operand, scope)), scope.state)
                return reals.made("", "neg", number_) if reals.is_real(number_) else numbers.negative(number_)
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
            case ast.Set(elts=items):
                return self._set([(TRUE, self._read(item, scope)) for item in items])
            case ast.ListComp(elt=element, generators=generators):
                made = self._made_of_each(element, generators, scope)
                if made is not None:
                    return made
                return listed(self._comprehension([element], generators, scope, any_order=False), True)
            case ast.SetComp(elt=element, generators=generators):
                return self._set(self._comprehension([element], generators, scope, any_order=True))
            case ast.Dict(keys=keys, values=values):
                return self._display(keys, values, scope)
            case ast.DictComp(key=key, value=value, generators=generators):
                return self._dict(key, value, generators, scope)
            case ast.Attribute(value=ast.Name(id=run), attr=name) if run in scope.runs:
                return self._of_run(scope.runs[run], name, scope)
            case ast.Attribute(value=of, attr=name):
                return self._attribute(self._read(of, scope), name)
            case ast.Subscript(value=of, slice=ast.Slice(lower=lower, upper=upper, step=step)):
                content = self._read(of, scope)
                bounds = [None if part is None else self._read(part, scope) for part in (lower, upper, step)]
                return scope.state.top(slice_of(content, bounds, scope.state, 0))
            case ast.Subscript(value=of, slice=index):
                return self._item(self._read(of, scope), self._read(index, scope), scope)
            case ast.Call(func=ast.Attribute(value=of, attr=name), args=arguments, keywords=[]) if not (
                isinstance(of, ast.Name) and of.id in scope.runs
            ):
                return self._method(self._read(of, scope), name, [self._read(a, scope) for a in arguments], scope)
            case ast.Call(func=ast.Name(id=name), args=arguments, keywords=keywords):
                return self._call(name, arguments, keywords, scope)
            case ast.Call(func=ast.Attribute(value=ast.Name(id=run), attr=name), args=arguments) if run in scope.runs:
                inner = Scope(scope.local, scope.state, scope.runs[run], scope.depth, {})
                return self._defined(name, [self._read(a, scope) for a in arguments], inner)
            case _:
                raise NotRead(type(node).__name__)

    def _name(self, name: str, scope: Scope) -> Value:
        if name in scope.local:
            return scope.local[name]
        if name in scope.meaning.names:
            value = scope.meaning.names[name]
            return value if name == "result" else exact(value)
        if name in self._spec.lets:
            return self._let(name, scope)
        if name in self._spec.data:
            return _data(self._spec.data[name])
        raise NotRead(name)

    def _let(self, name: str, scope: Scope) -> Value:
        if scope.depth > _DEEPEST:
            raise NotRead("lets that use each other too deep")
        inner = Scope({}, scope.state, scope.meaning, scope.depth + 1, {})
        return scope.once(name, (), lambda: self._read(self._spec.lets[name].tree, inner))

    def _of_run(self, meaning: Meaning, name: str, scope: Scope) -> Value:
        inner = Scope({}, scope.state, meaning, scope.depth, {})
        return self._name(name, inner)

    def _binary(self, op: ast.operator, a: Value, b: Value, scope: Scope) -> Value:
        a, b = defined(exact(a), scope.state), defined(exact(b), scope.state)
        if isinstance(a, Day) and isinstance(b, Int) and isinstance(op, (ast.Add, ast.Sub)):
            return shifted(a, b.term if isinstance(op, ast.Add) else -b.term, scope.state, 0)
        if isinstance(op, ast.Div) and isinstance(a, (Int, Bool)) and isinstance(b, (Int, Bool)):
            a = numbers.ratio(*numbers.as_ratio(a))
        if isinstance(op, ast.Pow) and (power := _whole_power(a, b)) is not None:
            return power
        if reals.is_real(a, b) or (isinstance(op, ast.Pow) and reals.is_varying(b)):
            return reals.exact_binary(op, a, b, scope.state)
        try:
            return exact(binary(op, a, b, scope.state, 0))
        except NotRead:
            if not isinstance(op, ast.Div) or not (numeric(a) and numeric(b)):
                raise
            return reals.exact_binary(op, a, b, scope.state)  # by what is not zero, of either sign

    def _boolean(self, conjunction: bool, operands: Many[ast.expr], scope: Scope) -> Value:
        answer: Condition = TRUE if conjunction else FALSE
        here, live = scope, scope.state.live
        open_: list[Condition] = []
        for operand in operands:
            truth = self._truth(operand, here)
            answer = both(answer, truth) if conjunction else either(answer, truth)
            undecided = answer if conjunction else negated(answer)
            open_.append(both(here.state.live, negated(undecided)))
            if undecided == FALSE:  # nothing goes on to what stands behind
                break
            here = here.assuming(undecided)
        else:
            open_.append(here.state.live)
        whole = either(*open_)
        scope.state.live = live if whole == live or not scope.state.exits else both(live, whole)
        return Bool(answer)

    def _comparison(self, left: ast.expr, ops: Many[ast.cmpop], rights: Many[ast.expr], scope: Scope) -> Value:
        """A chain stops where it fails; what stands behind that need not be defined."""
        a = self._read(left, scope)
        answer: Condition = TRUE
        here, live = scope, scope.state.live
        open_: list[Condition] = []
        for op, right in zip(ops, rights, strict=True):
            b = self._read(right, here)
            if isinstance(op, (ast.Lt, ast.LtE, ast.Gt, ast.GtE)):
                needs_order(a, texts=self._texts)
                needs_order(b, texts=self._texts)
            answer = both(answer, compare(op, exact(a), exact(b), 0))
            open_.append(both(here.state.live, negated(answer)))
            live = scope.state.live if here is scope else live
            here = here.assuming(answer)
            a = b
        if len(ops) > 1 and scope.state.exits:
            scope.state.live = both(live, either(*open_, here.state.live))
        return Bool(answer)

    def _choice(self, condition: Condition, body: ast.expr, orelse: ast.expr, scope: Scope) -> Value:
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
        if isinstance(value, Record) and (part := value.field(name)) is not None:
            return exact(part)
        match value, name:
            case Day(), "year" | "month" | "day":
                return Int(getattr(value, name))
            case Day(), "weekday":
                return Int(weekday(value))
            case _:
                raise NotRead(f".{name}")

    def _item(self, value: Value, index: Value, scope: Scope) -> Value:
        if is_text(value) and isinstance(index := exact(index), Int):
            found, there = item_at(as_items(cells_of(value)), index.term, 0)
            scope.state.raise_if(negated(there), UNDEFINED, 0)
            return single(found.term) if isinstance(found, Int) else Text("")
        match value:
            case LoopList() if isinstance(index := exact(index), Int):
                found, there = self._item_of_loop(value, index.term, scope)
            case Sequence() | Guarded() if isinstance(index := exact(index), Int):
                found, there = item_at(guards_of(value), index.term, 0, either_of)
            case Table() | Lookup():
                found, there = entry(value, index, 0, either_of)
            case _:
                raise NotRead("an index")
        scope.state.raise_if(negated(there), UNDEFINED, 0)
        return Int(number(0)) if found is None else found

    def _method(self, value: Value, name: str, arguments: list[Value], scope: Scope) -> Value:
        if isinstance(value, Hidden):
            return asked(value, name, arguments)
        if is_text(value):
            return text_method_of(value, name, arguments, scope.state, UNDEFINED)
        if not isinstance(value, (Table, Lookup)):
            raise NotRead(f".{name}()")
        match name, arguments:
            case "get", [key] | [key, _]:
                default = arguments[1] if len(arguments) == 2 else NoneValue()
                found, there = entry(value, key, 0, either_of)
                return default if found is None else chosen(there, found, default)
            case "keys", []:
                return view(value, 0, lambda key, entry: key)
            case "values", []:
                return values_of(value)
            case "items", []:
                return view(value, 0, lambda key, entry: Sequence((key, entry), False))
            case _:
                raise NotRead(f".{name}()")

    # Calls

    def _call(self, name: str, arguments: Many[ast.expr], keywords: Many[ast.keyword], scope: Scope) -> Value:
        if name in self._spec.definitions:
            return self._defined(name, [self._read(a, scope) for a in arguments], scope)
        if name in ("any", "all") and not keywords:
            return self._any_or_all(name == "all", arguments[0], scope)
        if name in ("round", "round_to"):
            return self._round(name, arguments, scope)
        if name == "fold" and isinstance(arguments[0], ast.Name):
            return self._fold(arguments[0].id, arguments[1], arguments[2], scope)
        if name == "sorted" and len(arguments) == 1:
            return self._sorted(arguments[0], {str(k.arg): k.value for k in keywords}, scope)
        if keywords:
            raise NotRead(f"{name}() with a keyword")
        values = [self._argument(a, scope) for a in arguments]
        function = FUNCTIONS.get(name)
        if function is None:
            raise NotRead(f"{name}()")
        return function(values, scope.state)

    def _argument(self, node: ast.expr, scope: Scope) -> Value:
        """An argument; a generator goes through its items in any order, as all functions but ``zip`` and such do."""
        if isinstance(node, ast.GeneratorExp):
            made = self._made_of_each(node.elt, node.generators, scope)
            if made is not None:
                return made
            items = self._comprehension([node.elt], node.generators, scope, any_order=True)
            return Stream(tuple(items), in_order=False)
        return self._read(node, scope)

    def _sorted(self, argument: ast.expr, keywords: Mapping[str, ast.expr], scope: Scope) -> Value:
        turned = self._truth(keywords["reverse"], scope) if "reverse" in keywords else FALSE
        if turned not in (TRUE, FALSE):
            raise NotRead("a reverse that varies")
        name = keywords.get("key")
        if name is None or not isinstance(name, ast.Name):
            key: Callable[[Value], Value] | None = None
        else:
            function = name.id
            key = lambda item: self._defined(function, [item], scope)  # noqa: E731
        return by_key(self._argument(argument, scope), key, reverse=turned == TRUE, texts=self._texts)

    def _defined(self, name: str, values: list[Value], scope: Scope) -> Value:
        if scope.depth > _DEEPEST:
            raise NotRead("definitions that use each other too deep")
        definition = self._spec.definitions[name]
        local = dict(zip(definition.parameters, map(exact, values), strict=True))
        inner = Scope(local, scope.state, scope.meaning, scope.depth + 1, {})
        return scope.once(f"{name}()", tuple(local.values()), lambda: self._read(definition.body.tree, inner))

    def _round(self, name: str, arguments: Many[ast.expr], scope: Scope) -> Value:
        mode = arguments[-1]
        if not isinstance(mode, ast.Name) or mode.id not in _MODES:
            raise NotRead("a rounding mode that varies")
        value = defined(exact(self._read(arguments[0], scope)), scope.state)
        if isinstance(value, Real):
            return self._round_real(value, name, arguments, mode.id, scope)
        num, den = numbers.as_ratio(value)
        if name == "round_to":
            step_num, step_den = numbers.as_ratio(exact(self._read(arguments[1], scope)))
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
        return simplest(numbers.multiply(Int(whole), scale))

    def _round_real(self, value: Real, name: str, arguments: Many[ast.expr], mode: str, scope: Scope) -> Value:
        """To so many decimals, or to a step that is known."""
        if name == "round":
            places = self._read(arguments[1], scope) if len(arguments) == 3 else Int(number(0))
            known = places.term.constant if isinstance(places, Int) else None
            if known is None:
                raise NotRead("rounding to a varying number of decimals")
            return rounded_reals.exactly(value, mode, known)
        step = exact(self._read(arguments[1], scope))
        if numbers.as_ratio(step)[0].constant is None or numbers.compare("<=", step, Int(number(0))) != FALSE:
            raise NotRead("rounding to a step that may not be positive")
        steps = reals.made("", "/", value, step)
        return reals.made("", "*", rounded_reals.exactly(steps, mode), step)


def _whole_power(a: Value, b: Value) -> Int | None:
    """A power of a known whole number whose exponent is one of few."""
    if not isinstance(a, Int) or not isinstance(b, Int) or b.term.constant is not None or (a.term.constant or 0) < 1:
        return None
    try:
        return Int(power_of(a.term.constant or 1, b.term))
    except NotRead:
        return None


def _data(data: Any) -> Value:
    match data:
        case bool():
            return Bool(TRUE if data else FALSE)
        case int():
            return Int(number(data))
        case Fraction():
            return simplest(Ratio(number(data.numerator), number(data.denominator)))
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
