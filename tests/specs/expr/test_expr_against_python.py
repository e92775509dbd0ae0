"""Expressions mean what Python means: random ones are evaluated here and by Python, on fractions."""

from __future__ import annotations

import ast
import builtins
import math
import warnings
from datetime import date
from fractions import Fraction
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from hypothesis.strategies import DrawFn
from neurosym_specs.expr.evaluate import BudgetExceeded, Undefined
from neurosym_specs.types import IntType

from tests.specs.expr.expr_support import expression, make_spec, scope


class _ToPython(ast.NodeTransformer):
    """The language's exact `/` and `**` as calls; everything else is Python's own."""

    def visit_BinOp(self, node: ast.BinOp) -> ast.AST:  # the visitor's name
        self.generic_visit(node)
        if isinstance(node.op, ast.Div | ast.Pow):
            name = "_div" if isinstance(node.op, ast.Div) else "_pow"
            return ast.Call(ast.Name(name, ast.Load()), [node.left, node.right], [])
        return node

    def visit_Constant(self, node: ast.Constant) -> ast.AST:
        if isinstance(node.value, Fraction):
            parts: list[ast.expr] = [ast.Constant(node.value.numerator), ast.Constant(node.value.denominator)]
            return ast.Call(ast.Name("_div", ast.Load()), parts, [])
        return node


def _normal(number: Any) -> Any:
    if isinstance(number, Fraction) and number.denominator == 1:
        return number.numerator
    return number


def _div(a: Any, b: Any) -> Any:
    return _normal(Fraction(a) / Fraction(b))


def _pow(a: Any, b: Any) -> Any:
    if _normal(b) != int(b):
        raise ValueError("fractional power")
    return _normal(Fraction(a) ** int(b))


_BUILTINS = "abs min max sum len all any sorted range enumerate zip reversed int str ord chr"
PYTHON: dict[str, Any] = {
    "__builtins__": {name: getattr(builtins, name) for name in _BUILTINS.split()},
    "_div": _div,
    "_pow": _pow,
    "floor": math.floor,
    "ceil": math.ceil,
    "trunc": math.trunc,
    "gcd": math.gcd,
    "date": date,
    "days": lambda delta: delta.days,
    "clamp": lambda x, low, high: _div(1, 0) if low > high else max(low, min(x, high)),
    "sign": lambda x: (x > 0) - (x < 0),
}


def by_python(text: str, names: dict[str, Any]) -> Any:
    tree = ast.Expression(_ToPython().visit(expression(text).tree))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # a set that is indexed, and the like
        code = compile(ast.fix_missing_locations(tree), "<case>", "eval")
    return _plain(eval(code, {**PYTHON, **names}))  # the test's own text


def _plain(value: Any) -> Any:
    """Python's value in the language's kinds."""
    if isinstance(value, Fraction):
        return _normal(value)
    if isinstance(value, list):
        return [_plain(item) for item in value]
    if isinstance(value, tuple):
        return tuple(_plain(item) for item in value)
    if isinstance(value, set | frozenset):
        return frozenset(_plain(item) for item in value)
    if isinstance(value, dict):
        return {_plain(key): _plain(item) for key, item in value.items()}
    if isinstance(value, range | enumerate | zip | reversed):
        return [_plain(item) for item in value]
    return value


NUMBERS = st.sampled_from(["0", "1", "2", "3", "7", "10", "100", "0.5", "1.25", "0.01", "n", "x", "i", "j"])


@st.composite
def number(draw: DrawFn, depth: int) -> str:
    if depth <= 0:
        return draw(NUMBERS)
    sub = number(depth - 1)
    match draw(st.integers(0, 17)):
        case 0 | 1 | 2 | 3:
            operator = draw(st.sampled_from(["+", "-", "*", "/", "//", "%"]))
            return f"({draw(sub)} {operator} {draw(sub)})"
        case 4:
            return f"({draw(sub)} ** {draw(st.sampled_from(['0', '1', '2', '3', '-1', '-2', 'i']))})"
        case 5:
            return f"-{draw(sub)}"
        case 6:
            return f"({draw(sub)} if {draw(boolean(depth - 1))} else {draw(sub)})"
        case 7:
            return f"{draw(st.sampled_from(['abs', 'floor', 'ceil', 'trunc', 'sign']))}({draw(sub)})"
        case 8:
            return f"{draw(st.sampled_from(['min', 'max']))}({draw(sub)}, {draw(sub)})"
        case 9:
            return f"{draw(st.sampled_from(['min', 'max', 'sum', 'len']))}({draw(items(depth - 1))})"
        case 10:
            return f"{draw(items(depth - 1))}[{draw(st.sampled_from(['0', '1', '-1', 'i', '5']))}]"
        case 11:
            variable = draw(st.sampled_from(["i", "j"]))
            test = f" if {draw(boolean(depth - 1))}" if draw(st.booleans()) else ""
            return f"sum({draw(sub)} for {variable} in {draw(items(depth - 1))}{test})"
        case 12:
            return f"len({draw(text(depth - 1))})"
        case 13:
            return f"days({draw(day(depth - 1))} - {draw(day(depth - 1))})"
        case 14:
            return f"{draw(day(depth - 1))}.{draw(st.sampled_from(['year', 'month', 'day']))}"
        case 15:
            return f"{draw(text(depth - 1))}.{draw(st.sampled_from(['find', 'count']))}({draw(text(depth - 1))})"
        case 16:
            return f"clamp({draw(sub)}, {draw(sub)}, {draw(sub)})"
        case _:
            return f"{{{draw(sub)}: {draw(sub)}}}[{draw(sub)}]"


@st.composite
def boolean(draw: DrawFn, depth: int) -> str:
    if depth <= 0:
        return draw(st.sampled_from(["ok", "True", "False", "n < 3", "i == 1"]))
    sub = boolean(depth - 1)
    match draw(st.integers(0, 11)):
        case 0 | 1:
            operator = draw(st.sampled_from(["==", "!=", "<", "<=", ">", ">="]))
            return f"({draw(number(depth - 1))} {operator} {draw(number(depth - 1))})"
        case 2:
            low, high = draw(st.sampled_from(["<", "<="])), draw(st.sampled_from(["<", "<=", "=="]))
            return f"({draw(number(depth - 1))} {low} {draw(number(depth - 1))} {high} {draw(number(depth - 1))})"
        case 3:
            return f"({draw(sub)} {draw(st.sampled_from(['and', 'or']))} {draw(sub)})"
        case 4:
            return f"({draw(sub)} and {draw(sub)} or {draw(sub)} and {draw(sub)})"
        case 5:
            return f"(not {draw(sub)})"
        case 6:
            return f"({draw(number(depth - 1))} {draw(st.sampled_from(['in', 'not in']))} {draw(items(depth - 1))})"
        case 7:
            kind = draw(st.sampled_from(["any", "all"]))
            return f"{kind}({draw(sub)} for i in {draw(items(depth - 1))} for j in {draw(items(depth - 1))})"
        case 8:
            operator = draw(st.sampled_from(["==", "<", ">=", "in"]))
            return f"({draw(text(depth - 1))} {operator} {draw(text(depth - 1))})"
        case 9:
            return f"({draw(items(depth - 1))} {draw(st.sampled_from(['==', '<', '>=']))} {draw(items(depth - 1))})"
        case 10:
            return f"({draw(day(depth - 1))} {draw(st.sampled_from(['==', '<', '>=']))} {draw(day(depth - 1))})"
        case _:
            return (
                f"{draw(text(depth - 1))}.{draw(st.sampled_from(['startswith', 'endswith']))}({draw(text(depth - 1))})"
            )


@st.composite
def items(draw: DrawFn, depth: int) -> str:
    if depth <= 0:
        return draw(st.sampled_from(["xs", "[]", "[1, 2]", "(0, 5)", "[n, x]", "{1, 2, 3}"]))
    sub = items(depth - 1)
    match draw(st.integers(0, 10)):
        case 0:
            return f"[{', '.join(draw(st.lists(number(depth - 1), max_size=3)))}]"
        case 1 | 2:
            test = f" if {draw(boolean(depth - 1))}" if draw(st.booleans()) else ""
            return f"[{draw(number(depth - 1))} for i in {draw(sub)}{test}]"
        case 3:
            return (
                f"[{draw(number(depth - 1))} for i in {draw(sub)} if {draw(boolean(depth - 1))} for j in {draw(sub)}]"
            )
        case 4:
            return f"{{{draw(number(depth - 1))} for i in {draw(sub)}}}"
        case 5:
            bound = draw(st.sampled_from(["", "1", "-1", "i", "n"]))
            return f"{draw(sub)}[{bound}:{draw(st.sampled_from(['', '2', '-1', 'j', '9']))}]"
        case 6:
            return f"sorted({draw(sub)}{draw(st.sampled_from(['', ', reverse=True']))})"
        case 7:
            return (
                f"[{draw(number(depth - 1))} for (i, j) in {draw(st.sampled_from(['zip', 'enumerate']))}({draw(sub)})]"
            )
        case 8:
            return f"[{draw(number(depth - 1))} for (i, j) in zip({draw(sub)}, {draw(sub)})]"
        case 9:
            return f"({draw(sub)} + {draw(sub)})"
        case _:
            return f"[i for i in range({draw(st.sampled_from(['n', '3', '1, 4', '5, 0, -2', '0, 6, i']))})]"


@st.composite
def text(draw: DrawFn, depth: int) -> str:
    if depth <= 0:
        return draw(st.sampled_from(["word", "''", "'a'", "'ab c'", "'A9 '"]))
    sub = text(depth - 1)
    match draw(st.integers(0, 7)):
        case 0:
            return f"({draw(sub)} + {draw(sub)})"
        case 1:
            return f"{draw(sub)}[{draw(st.sampled_from(['0', '-1', '1:', ':2', '::-1', '::i', 'i']))}]"
        case 2:
            return f"{draw(sub)}.{draw(st.sampled_from(['upper', 'lower', 'strip']))}()"
        case 3:
            return f"{draw(sub)}.replace({draw(sub)}, {draw(sub)})"
        case 4:
            return f"{draw(sub)}.join([{draw(sub)}, {draw(sub)}])"
        case 5:
            return f"({draw(sub)} if {draw(boolean(depth - 1))} else {draw(sub)})"
        case 6:
            return f"{draw(sub)}.split({draw(st.sampled_from(['', 'word', chr(39) + ' ' + chr(39)]))})[0]"
        case _:
            return f"({draw(sub)} * {draw(st.sampled_from(['0', '2', 'n', '-1']))})"


@st.composite
def day(draw: DrawFn, depth: int) -> str:
    if depth <= 0:
        return draw(st.sampled_from(["day", "date(2024, 2, 29)", "date(1999, 12, 31)"]))
    sub = day(depth - 1)
    match draw(st.integers(0, 2)):
        case 0:
            return f"date({draw(st.sampled_from(['2023', '2024']))}, {draw(st.sampled_from(['2', '12', '13']))}, 29)"
        case 1:
            return f"max({draw(sub)}, {draw(sub)})"
        case _:
            return f"({draw(sub)} if {draw(boolean(depth - 1))} else {draw(sub)})"


INPUTS = st.fixed_dictionaries(
    {
        "n": st.integers(-5, 30),
        "x": st.fractions(-20, 20, max_denominator=12),
        "ok": st.booleans(),
        "word": st.text(alphabet="abc A9", max_size=5),
        "day": st.dates(date(1995, 1, 1), date(2035, 12, 31)),
        "xs": st.lists(st.integers(-3, 9), max_size=4),
        "i": st.integers(-2, 3),
        "j": st.integers(-2, 3),
    }
)
EXPRESSIONS = st.integers(1, 4).flatmap(lambda d: st.one_of(number(d), boolean(d), items(d), text(d), day(d)))


def _agree(written: str, inputs: dict[str, Any]) -> None:
    spec = make_spec(inputs=dict.fromkeys(inputs, IntType()))  # their types are not looked at here
    try:
        expected = by_python(written, inputs)
        failed = None
    except NameError:  # a variable read before its `for`: here that is still the name outside
        return
    except (ArithmeticError, LookupError, TypeError, ValueError) as error:
        failed = error
        expected = None
    try:
        found = _plain(scope(spec, **inputs).evaluate(expression(written)))
    except BudgetExceeded:
        return
    except Undefined:
        assert failed is not None, f"undefined, where Python gives {expected!r}"
        return
    if failed is not None:
        # what Python refuses and the language has: items of sets in order, and fractions that are whole as indexes
        assert isinstance(failed, TypeError), f"{found!r}, where Python raises {failed!r}"
        return
    if isinstance(expected, list) and "{" in written:
        assert len(found) == len(expected)  # the order of a set's items is the language's own
        return
    assert found == expected
    assert isinstance(found, bool) == isinstance(expected, bool)


@settings(max_examples=500, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
@given(EXPRESSIONS, INPUTS)
def test_random_expressions(written: str, inputs: dict[str, Any]) -> None:
    _agree(written, inputs)
