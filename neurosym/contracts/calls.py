"""The functions of Python that conditions call, in the expression language: those that say the same there."""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import date
from decimal import Decimal, InvalidOperation
from fractions import Fraction
from typing import Protocol

from neurosym.contracts.arithmetic import added, magnitude, multiplied, number_text, rounded, united
from neurosym.contracts.conditions import NotRead, said
from neurosym.contracts.kinds import BOOL, DATE, ORDERED, Kind, exactly
from neurosym.contracts.program import Program
from neurosym.contracts.scope import Said, Scope, function

_MODES = {f"decimal.ROUND_{name.upper()}": name for name in (
    "half_up", "half_down", "half_even", "up", "down", "ceiling", "floor")}  # fmt: skip
_WHOLE = {"math.floor": "floor", "math.ceil": "ceil", "math.trunc": "trunc"}


class Translates(Protocol):
    """What translates the arguments of a call."""

    def said(self, node: ast.expr, scope: Scope) -> Said:
        """The translation of an expression. Raises ``NotRead``."""
        ...

    def comprehension(
        self,
        elt: ast.expr,
        generators: list[ast.comprehension],
        scope: Scope,
        form: type[ast.ListComp | ast.GeneratorExp],
    ) -> Said:
        """The translation of a loop that makes a list. Raises ``NotRead``."""
        ...


class Calls:
    """Translates calls of functions that are known by what they are, not by their names."""

    def __init__(self, program: Program, translator: Translates) -> None:
        self._program, self._translator = program, translator
        self._calls: Mapping[str, Callable[[ast.Call, Scope], Said]] = {
            "builtins.len": self._len,
            "builtins.abs": self._abs,
            "builtins.min": self._least_or_largest,
            "builtins.max": self._least_or_largest,
            "builtins.sum": self._sum,
            "builtins.all": self._all_or_any,
            "builtins.any": self._all_or_any,
            "builtins.sorted": self._sorted,
            "builtins.round": self._round,
            "builtins.isinstance": self._isinstance,
            "builtins.range": self._range,
            "builtins.list": self._copy,
            "copy.copy": self._copy,
            "copy.deepcopy": self._copy,
            "decimal.Decimal": self._decimal,
            "fractions.Fraction": self._fraction,
            "datetime.date": self._date,
            "math.isnan": self._is_nan,
            "math.isfinite": self._is_nan,
            **dict.fromkeys(_WHOLE, self._whole),
        }

    def function(self, name: str, node: ast.Call, scope: Scope) -> Said | None:
        """A call of the function with that full name; None where it is none of these. Raises ``NotRead``."""
        known = self._calls.get(name)
        return None if known is None else known(node, scope)

    def quantize(self, node: ast.Call, value: Said, scope: Scope) -> Said:
        """``value.quantize(Decimal("0.01"))``, with or without a rounding mode. Raises ``NotRead``."""
        match node:
            case ast.Call(args=[step], keywords=[]):
                mode = "half_even"
            case (
                ast.Call(args=[step], keywords=[ast.keyword(arg="rounding", value=how)])
                | ast.Call(args=[step, how], keywords=[])
            ):
                mode = _MODES.get(self._program.dotted(how), "")
            case _:
                raise NotRead("how quantize rounds here is not read")
        if not mode:
            raise NotRead("how quantize rounds here is not read")
        kind = self._translator.said(step, scope).kind
        written = self._places_of(step, scope)
        if written is None or kind.low is None:
            raise NotRead('quantize is read with a step such as Decimal("0.01")')
        return _rounding(value, written, mode)

    def _places_of(self, step: ast.expr, scope: Scope) -> int | None:
        """The places of ``Decimal("0.01")``, or of a name that the module has for it."""
        if isinstance(step, ast.Name):
            value = None if step.id in (*scope.local, *scope.meanings) else self._program.value(step.id)
            return None if value is None or isinstance(value, ast.Name) else self._places_of(value, Scope({}))
        match step:
            case ast.Call(func=func, args=[ast.Constant(value=str(text))], keywords=[]) if (
                self._program.dotted(func) == "decimal.Decimal"
            ):
                try:
                    exponent = Decimal(text).as_tuple().exponent
                except InvalidOperation:
                    return None
                return -exponent if isinstance(exponent, int) and -20 <= exponent <= 0 else None
            case _:
                return None

    def _arguments(self, node: ast.Call, scope: Scope, least: int, most: int | None = None) -> list[Said]:
        if node.keywords or not least <= len(node.args) <= (least if most is None else most):
            raise NotRead(f"`{said(node)[:40]}` is not read with these arguments")
        return [self._translator.said(each, scope) for each in node.args]

    def _len(self, node: ast.Call, scope: Scope) -> Said:
        (value,) = self._arguments(node, scope, 1)
        if value.kind.optional or value.kind.word not in ("list", "tuple", "str"):
            raise NotRead("len of this is not read")
        most = None if value.kind.max_len is None else Fraction(value.kind.max_len)
        return Said(function("len", value.node), Kind(word="int", low=Fraction(0), high=most))

    def _abs(self, node: ast.Call, scope: Scope) -> Said:
        (value,) = self._arguments(node, scope, 1)
        return Said(function("abs", value.node), magnitude(value.kind))

    def _least_or_largest(self, node: ast.Call, scope: Scope) -> Said:
        values = self._arguments(node, scope, 1, 20)
        if len(values) == 1:
            kind = values[0].kind.item if values[0].kind.is_list and not values[0].kind.optional else None
            kinds = [] if kind is None else [kind]
        else:
            kinds = [each.kind for each in values]
        if not kinds or any(each.word not in ORDERED or each.nan or each.optional for each in kinds):
            raise NotRead("the least or largest of these is not read")
        whole = kinds[0]
        for each in kinds[1:]:
            whole = united(whole, each)
        name = self._program.dotted(node.func).rpartition(".")[2]
        return Said(function(name, *(each.node for each in values)), replace(whole, choices=()))

    def _items(self, node: ast.Call, scope: Scope) -> Said:
        """The one argument of a function of lists: a list, or a generator expression."""
        if node.keywords or len(node.args) != 1:
            raise NotRead(f"`{said(node)[:40]}` is not read with these arguments")
        (argument,) = node.args
        if isinstance(argument, ast.GeneratorExp):
            return self._translator.comprehension(argument.elt, argument.generators, scope, ast.GeneratorExp)
        value = self._translator.said(argument, scope)
        if value.kind.item is None or value.kind.optional or value.kind.word == "set":
            raise NotRead(f"`{said(node)[:40]}` is read of lists only")
        return value

    def _sum(self, node: ast.Call, scope: Scope) -> Said:
        values = self._items(node, scope)
        item, most = values.kind.item, values.kind.max_len
        assert item is not None
        made = function("sum", values.node)
        if item.optional or item.word not in ("int", "decimal", "fraction"):
            raise NotRead("the sum of these may round, and the spec format computes exactly")
        if item.word != "decimal":
            return Said(made, Kind(word=item.word))
        if most is None:
            raise NotRead("the sum of so many Decimals may round")
        total = multiplied(item, exactly(most))
        # It begins with 0, so that every partial sum lies between that and the sum of the longest list.
        if total.low is None or total.high is None:
            raise NotRead("the sum of Decimals of any size may round")
        return Said(
            made,
            added(replace(total, low=min(total.low, Fraction(0)), high=max(total.high, Fraction(0))), exactly(0), 1),
        )

    def _all_or_any(self, node: ast.Call, scope: Scope) -> Said:
        values = self._items(node, scope)
        if values.kind.item is None or values.kind.item.word != "bool" or values.kind.item.optional:
            raise NotRead("whether these count as true is not read: compare them with something")
        return Said(function(self._program.dotted(node.func).rpartition(".")[2], values.node), BOOL)

    def _sorted(self, node: ast.Call, scope: Scope) -> Said:
        values = self._items(node, scope)
        item = values.kind.item
        if item is None or item.word not in ORDERED or item.optional or item.nan:
            raise NotRead("the order of these is not read")
        return Said(function("sorted", values.node), replace(values.kind, word="list"))

    def _round(self, node: ast.Call, scope: Scope) -> Said:
        values = self._arguments(node, scope, 1, 2)
        value = values[0]
        if value.kind.optional or value.kind.nan:
            raise NotRead("rounding of this is not read")
        if len(values) == 1:
            if value.kind.word == "int":
                return value
            if value.kind.is_number:
                return Said(function("round", value.node, ast.Name(id="half_even")), Kind(word="int"))
            raise NotRead("rounding of this is not read")
        places = values[1].kind
        if places.word != "int" or places.low is None or places.low != places.high or not 0 <= places.low <= 20:
            raise NotRead("rounding is read with a number of places from 0 on")
        if value.kind.word == "int":
            return value
        if value.kind.word == "fraction":
            made = function("round", value.node, values[1].node, ast.Name(id="half_even"))
            return Said(made, Kind(word="fraction"))
        if value.kind.word == "decimal":
            return _rounding(value, int(places.low), "half_even")
        raise NotRead("rounding a float gives the nearest float, and the spec format computes exactly")

    def _isinstance(self, node: ast.Call, scope: Scope) -> Said:
        """True, where the annotation says so."""
        if node.keywords or len(node.args) != 2:
            raise NotRead("isinstance is not read with these arguments")
        value = self._translator.said(node.args[0], scope)
        classes = node.args[1].elts if isinstance(node.args[1], ast.Tuple) else [node.args[1]]
        python = {"int": "builtins.int", "float": "builtins.float", "bool": "builtins.bool", "str": "builtins.str",
                  "decimal": "decimal.Decimal", "fraction": "fractions.Fraction", "date": "datetime.date",
                  "list": "builtins.list", "tuple": "builtins.tuple"}.get(value.kind.word)  # fmt: skip
        if not value.kind.optional and python in {self._program.dotted(each) for each in classes}:
            return Said(ast.Constant(value=True), BOOL)
        raise NotRead("isinstance is read where the annotation says the same")

    def _copy(self, node: ast.Call, scope: Scope) -> Said:
        """A copy of a list is equal to it, and nothing in a condition changes either."""
        (value,) = self._arguments(node, scope, 1)
        if value.kind.word != "list" or value.kind.optional:
            raise NotRead(f"`{said(node)[:40]}` is not read")
        return value

    def _range(self, node: ast.Call, scope: Scope) -> Said:
        values = self._arguments(node, scope, 1, 2)
        if any(each.kind.word != "int" or each.kind.optional for each in values):
            raise NotRead("a range is of whole numbers")
        last = values[-1].kind.high
        first = Fraction(0) if len(values) == 1 else values[0].kind.low
        most = None if last is None or first is None else max(0, int(last - first))
        item = Kind(word="int", low=first, high=last)
        return Said(function("range", *(each.node for each in values)), Kind(word="range", item=item, max_len=most))

    def _decimal(self, node: ast.Call, scope: Scope) -> Said:
        match node:
            case ast.Call(args=[ast.Constant(value=str(text))], keywords=[]):
                try:
                    value = Decimal(text)
                except InvalidOperation:
                    raise NotRead(f"{text!r} is no Decimal") from None
                exponent = value.as_tuple().exponent
                if not isinstance(exponent, int) or abs(exponent) > 60 or len(value.as_tuple().digits) > 60:
                    raise NotRead(f"the Decimal {text!r} is not read")
                number = Fraction(value)
                return Said(number_text(number), exactly(number, "decimal", max(0, -exponent)))
            case _:
                (argument,) = self._arguments(node, scope, 1)
        if argument.kind.optional or argument.kind.word not in ("int", "decimal"):
            raise NotRead("a Decimal is read of a text or a whole number")
        places = 0 if argument.kind.word == "int" else argument.kind.places
        return Said(argument.node, replace(argument.kind, word="decimal", places=places, choices=()))

    def _fraction(self, node: ast.Call, scope: Scope) -> Said:
        values = self._arguments(node, scope, 1, 2)
        if any(each.kind.optional or each.kind.word not in ("int", "fraction") for each in values):
            raise NotRead("a Fraction is read of whole numbers")
        if len(values) == 1:
            return Said(values[0].node, replace(values[0].kind, word="fraction", choices=()))
        made = ast.BinOp(left=values[0].node, op=ast.Div(), right=values[1].node)
        return Said(made, Kind(word="fraction"))

    def _date(self, node: ast.Call, scope: Scope) -> Said:
        values = self._arguments(node, scope, 3)
        if any(each.kind.optional or each.kind.word != "int" for each in values):
            raise NotRead("a date is read of whole numbers")
        parts = [each.kind.low for each in values if each.kind.low is not None and each.kind.low == each.kind.high]
        kind = DATE
        if len(parts) == 3:
            try:
                day = date(*map(int, parts)).toordinal()
            except (ValueError, OverflowError):
                raise NotRead("there is no such date") from None
            kind = replace(DATE, low=Fraction(day), high=Fraction(day))
        return Said(function("date", *(each.node for each in values)), kind)

    def _is_nan(self, node: ast.Call, scope: Scope) -> Said:
        (value,) = self._arguments(node, scope, 1)
        if value.kind.optional or not value.kind.is_number:
            raise NotRead("isnan is read of numbers")
        name = "is_nan" if self._program.dotted(node.func) == "math.isnan" else "is_finite"
        return Said(function(name, value.node), BOOL)

    def _whole(self, node: ast.Call, scope: Scope) -> Said:
        (value,) = self._arguments(node, scope, 1)
        if value.kind.optional or value.kind.nan or not value.kind.is_number:
            raise NotRead(f"`{said(node)[:40]}` is not read")
        return Said(function(_WHOLE[self._program.dotted(node.func)], value.node), Kind(word="int"))


def _rounding(value: Said, places: int, mode: str) -> Said:
    kind = rounded(value.kind, places)
    return Said(function("round", value.node, ast.Constant(value=places), ast.Name(id=mode)), kind)
