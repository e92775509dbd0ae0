"""The static checks: every slip has its message, and nothing that may work is refused."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from neurosym_specs.errors import SpecError
from neurosym_specs.expr.check import check_spec
from neurosym_specs.expr.infer import Inference
from neurosym_specs.expr.names import Reach
from neurosym_specs.expr.shapes import (
    BOOLEAN,
    DAY,
    NUMBER,
    SPAN,
    TEXT,
    UNKNOWN,
    WHOLE,
    ListShape,
    Maybe,
    Shape,
    TupleShape,
    join,
)
from neurosym_specs.model import Reference
from neurosym_specs.types import BoolType, DateType, IntType, ListType, RecordType

from tests.specs.expr.expr_support import check, check_condition, expression, make_spec

PARTS: dict[str, Any] = {
    "lets": {"half": "n / 2", "ten": "10"},
    "define": {
        "twice": ("v", "2 * v"),
        "scaled": ("v", "v * n"),
        "step": ("state, item", "state + item"),
        "year_of": ("d", "d.year"),
        "or_zero": ("v", "0 if v is None else v"),
    },
    "data": {
        "rates": {"low": Fraction(1, 100), "high": Fraction(2, 100)},
        "codes": ["A", "B"],
        "pattern": "[A-Z]+",
        "limit": "12.50",
        "table": [{"upper": 1, "rate": "0.5"}, {"upper": 2, "rate": "1"}],
    },
}

WRONG = [
    # names
    ("balnce + 1", "there is no `balnce`"),
    ("wrod + 'a'", "did you mean `word`?"),
    ("hlaf + 1", "did you mean `half`?"),
    ("[q for p in xs]", "there is no `q`"),
    ("[i for i in xs] + [i]", "there is no `i`"),
    ("true", "write True"),
    ("none", "write None"),
    ("twice + 1", "write twice(...)"),
    ("floor + 1", "write floor(...)"),
    ("half_up", "rounding mode"),
    ("Lot", "write Lot(...)"),
    ("result + 1", "[[ensure]]"),
    ("raised is None", "[[ensure]]"),
    ("tested + 1", "comes later or is this one"),
    # calls
    ("twce(1)", "did you mean `twice`?"),
    ("summ(xs)", "did you mean `sum`?"),
    ("Decimal('1')", "numbers are exact"),
    ("float(n)", "numbers are exact"),
    ("map(twice, xs)", "[f(x) for x in xs]"),
    ("pow(n, 2)", "x ** n"),
    ("list(xs)", "[x for x in xs]"),
    ("n(1)", "a value, not a function"),
    ("rates('low')", "rates[...]"),
    ("twice()", "no arguments where `twice` takes 1"),
    ("twice(1, 2)", "write twice(v)"),
    ("twice(v=1)", "no keywords"),
    ("len()", "no arguments where 1 is needed"),
    ("clamp(n, 1)", "2 arguments where 3 are needed"),
    ("len(xs, ys=1)", "no argument `ys`"),
    ("sum(xs, 0, 1)", "1 to 2 are needed"),
    ("sorted(xs, by=twice)", "no argument `by`"),
    ("sorted(xs, key=n)", "name of a function of [define]"),
    ("sorted(xs, key=len)", "name of a function of [define]"),
    ("sorted(xs, key=step)", "called as step(item)"),
    ("fold(twice, xs, 0)", "called as twice(state, item)"),
    ("fold(stp, xs, 0)", "did you mean `step`?"),
    ("fold(step, xs)", "write fold(f, items, start)"),
    ("scan(2, xs, 0)", "name of a function of [define]"),
    ("Lot()", "`quantity` is missing"),
    ("Lot(1, 2, 3)", "3 values for 2 fields"),
    ("Lot(quantity=1, price=2)", "no field `price`"),
    ("Lot(1, quantity=2)", "given twice"),
    ("word.uper()", "did you mean `upper`?"),
    ("word.round()", "write round(x, places, mode)"),
    ("day.weekday()", "write .weekday without brackets"),
    ("word.upper(1)", "one argument where 0"),
    ("word.split(seperator=',')", "no argument `seperator`"),
    # modes
    ("round(x)", "there is no default"),
    ("round(x, 2)", "there is no default"),
    ("round_to(x, 5)", "there is no default"),
    ("round(x, 2, halfup)", "did you mean `half_up`?"),
    ("round(x, 2, 'halfup')", "modes: half_up, half_down"),
    ("round(x, 2, ROUND_HALF_EVEN)", "write half_even"),
    ("round(x, 2, ROUND_05UP)", "write 05up"),
    ("round(x, 2, 3)", "there is no default"),
    ("matches(word, '(a)\\\\1')", "back-reference"),
    ("matches(word, '(')", "not a regular expression"),
    # kinds
    ("not n", "a condition is a boolean, not a number"),
    ("n and ok", "not a number"),
    ("1 if word else 2", "not a text"),
    ("[i for i in xs if i]", "not a number"),
    ("any(i for i in xs)", "not a number"),
    ("all(xs)", "not a number"),
    ("n == word", "a number is never equal to a text"),
    ("n == '3'", "int(s)"),
    ("ok == 1", "a boolean stands for itself"),
    ("day < n", "no order"),
    ("day - day > 3", "days(b - a)"),
    ("day - day + 1", "days(b - a)"),
    ("days(n)", "difference of two dates"),
    ("n in word", "never equal"),
    ("word in xs", "a text is never equal to a number"),
    ("n in 3", "`in` needs"),
    ("[i for i in n]", "`for` needs"),
    ("xs == (1, 2)", "lists in [ ] and tuples in ( )"),
    ("word + n", "str(n)"),
    ("xs + n", "needs a number, not a list"),
    ("-word", "needs a number"),
    ("day * 2", "needs a number, not a date"),
    ("word - 'a'", "needs a number, not a text"),
    ("lots[0] < lots[1]", "no order"),
    ("sorted(lots)", "sorted(xs, key=f)"),
    ("lots[0].quantty", "did you mean `quantity`?"),
    ("[l.costs for l in lots]", "did you mean `cost`?"),
    ("lots[0][1]", "read by its fields"),
    ("[q for (q, c) in lots]", "not taken apart"),
    ("[a for (a, b) in [(1, 2, 3)]]", "3 values for 2 names"),
    ("[a for (a, b) in xs]", "a number cannot be taken apart"),
    ("day.years", "did you mean `year`?"),
    ("n.year", "a number has no `year`"),
    ("rates.lo", "did you mean `low`?"),
    ("table[0].limit", "this table has no `limit`"),
    ("xs['a']", "needs a number"),
    ("n[0]", "has no items"),
    ("n[1:]", "has no slices"),
    ("word.items()", "a method of a dict"),
    ("xs.upper()", "a method of a text"),
    ("len(n)", "`len` needs a list"),
    ("sum(word)", "`sum` adds numbers"),
    ("sum(lots)", "`sum` adds numbers"),
    ("floor(word)", "`floor` needs a number"),
    ("month_end(n)", "needs a date"),
    ("add_months(n, 1)", "needs a date"),
    ("leap(day)", "needs a number"),
    ("matches(n, 'a')", "needs a text"),
    ("year_of(n)", "a number has no `year`"),
    ("fold(step, xs, word)", "`+`"),
    ("band == 'MEDIUM'", "none of the choices"),
    ("'hgh' != band", "none of the choices"),
]


@pytest.mark.parametrize(("text", "said"), WRONG, ids=[text for text, _ in WRONG])
def test_slips_are_told(text: str, said: str) -> None:
    with pytest.raises(SpecError) as caught:
        check(text, **PARTS)
    message = str(caught.value)
    assert said in message
    assert message.startswith("case.spec.toml, [let], x: `")
    assert "column" in message


FINE = [
    "round(x, 2, 05up) + round(x, floor) + round_to(x, 0.05, half_even)",
    "round(x, 2, word)",
    "[round(x, 2, m) for m in ['up', 'down']]",
    "[n for n in xs] + [x for x in xs]",
    "[sum(sum) for sum in [xs]]",
    "sorted(lots, key=year_of) if ok else []",
    "sorted(xs, key=twice, reverse=True)",
    "fold(step, xs, 0) + fold(step, ['a'], '').count('a')",
    "scan(step, xs, 0)[-1]",
    "Lot(1, 2).quantity + Lot(quantity=1).quantity",
    "lots[0].cost + 1",
    "lots[0].cost == None",
    "0 if maybe is None else maybe + 1",
    "or_zero(None) + or_zero(maybe) + or_zero(n)",
    "maybe in xs",
    "n in [1, None]",
    "limit * 2 > x and limit in [12.5]",
    "'x' + limit",
    "rates['low'] + rates.high",
    "table[0].upper + sum(t.rate for t in table)",
    "2024 in rates",
    "max(table[0]['rate'], 0.5)",
    "codes[0] == word",
    "xs == [] or xs == [i for i in range(3)]",
    "{} == {'a': 1} or {1} == {i for i in xs}",
    "(1, 'a') < (2, 'b')",
    "[(i, c) for (i, c) in enumerate(word)] == []",
    "[a + b for (a, (b, c)) in zip(xs, [(1, 'x')])]",
    "date(n, 1, 1) + n - 1 == day and days(day - date(2000, 1, 1)) > 0",
    "min(day, month_end(day)).year + max(xs) + max(1, 2, x)",
    "min([i for i in xs if i > 1] + [len(xs)])",
    "matches(word, pattern) and matches(word, '[a-z]' + pattern)",
    "''.join(sorted(word)) + word * 2 + str(n)",
    "word.split(',')[0].strip(' ').upper().replace('a', 'b')",
    "ok == (n > 3) and ok != (word == '')",
    "band == 'LOW' or band in ['LOW', 'NONE'] or band < 'HIGH'",
    "{k: v for (k, v) in {'a': 1}.items()}['a'] + 1",
    "{'a': 1}.get('b', 0) + 1",
    "sum(ok for i in xs)",
    "abs(n) + gcd(n, 4) + sign(x) + places(x)",
    "same_items(xs, [1])",
    "half + ten + scaled(twice(1))",
    "sqrt(x) < exp(1) + log(2)",
    "ok and not ok",
    "1 if (2 if ok else 3) == 2 else 'b'",
]


@pytest.mark.parametrize("text", FINE)
def test_what_may_work_is_not_refused(text: str) -> None:
    check(text, **PARTS)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("result > 0", None),
        ("result == half and raised is None", None),
        ("result", "a condition is a boolean, not a number"),
        ("result == 'x'", "never equal"),
        ("rezult > 0", "did you mean `result`?"),
        ("any(result > x for x in xs)", None),
        ("uses_result(1) > 0", "make it a parameter"),
    ],
)
def test_results_are_known_in_ensures(text: str, said: str | None) -> None:
    parts = dict(PARTS)
    if text.startswith("uses"):
        parts["define"] = {"uses_result": ("v", "v + result")}
    if said is None:
        check_condition(text, **parts)
        return
    with pytest.raises(SpecError) as caught:
        check_condition(text, **parts)
    assert said in str(caught.value)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("a.n <= b.n and a.result <= b.result", None),
        ("a.half == b.half and a.ten == ten and a.raised is None", None),
        ("a.scaled(b.n) == twice(a.n)", None),
        ("fold(a.scaled_sum, b.xs, 0) == fold(step, a.xs, 0)", None),
        ("all(a == 1 for a in b.xs)", None),
        ("rates['low'] < 1 and a.rates['low'] < 1", None),
        ("a.n <= b.m", "it has: band, "),
        ("a == b", "a run, not a value"),
        ("n > 0", "of which run is the input `n`?"),
        ("half > 0", "of which run is the let `half`?"),
        ("scaled(1) > 0", "of which run? (write a.scaled(...))"),
        ("fold(scaled_sum, b.xs, 0) > 0", "of which run?"),
        ("result > 0", "write a.result"),
        ("a.reslt > 0", "did you mean `result`?"),
        ("a.twice > 0", "write a.twice(...)"),
        ("a.len(a.xs) > 0", "write len(xs)"),
        ("a.twce(1) > 0", "did you mean `twice`?"),
        ("a.scaled() > 0", "write scaled(v)"),
        ("a.result == b.word", "never equal"),
        ("a.result", "a condition is a boolean"),
        ("c.n > 0", "there is no `c`"),
    ],
)
def test_relations_read_inputs_through_runs(text: str, said: str | None) -> None:
    parts = {**PARTS, "define": {**PARTS["define"], "scaled_sum": ("s, v", "s + v * n")}}
    spec = make_spec(relations=(text,), **parts)
    if said is None:
        check_spec(spec)
        return
    with pytest.raises(SpecError) as caught:
        check_spec(spec)
    assert said in str(caught.value)


@pytest.mark.parametrize(
    ("parts", "said"),
    [
        ({"lets": {"one": "two + 1", "two": "1"}}, "comes later"),
        ({"lets": {"one": "one + 1"}}, "comes later or is this one"),
        ({"define": {"f": ("v", "g(v)"), "g": ("v", "f(v)")}}, "f() -> g() -> f()"),
        ({"define": {"f": ("v", "f(v - 1)")}}, "no recursion"),
        ({"define": {"f": ("v", "one + v")}, "lets": {"one": "f(1)"}}, "needed for itself"),
        ({"define": {"f": ("s, i", "fold(f, [i], s)")}}, "needed for itself"),
        ({"lets": {"n": "1"}}, "a let and a input"),
        ({"lets": {"one": "1"}, "data": {"one": 1}}, "a data and a let"),
        ({"lets": {"result": "1"}}, "name of the language"),
        ({"define": {"sum": ("v", "v")}}, "name of the language"),
        ({"define": {"Lot": ("v", "v")}}, "name of the language"),
        ({"inputs": {"days": IntType()}}, "name of the language"),
        ({"inputs": {"half_up": IntType()}}, "name of the language"),
        ({"inputs": {"lambda": IntType()}}, "cannot be a name"),
    ],
)
def test_names_and_rings(parts: dict[str, Any], said: str) -> None:
    with pytest.raises(SpecError) as caught:
        check_spec(make_spec(**parts))
    assert said in str(caught.value)


def test_lets_may_bear_the_names_of_functions() -> None:
    check_spec(make_spec(lets={"days": "days(day - day)", "up": "days + 1", "late": "round(x, up, up)"}))


def test_where_of_a_reference_knows_the_result() -> None:
    reference = Reference(id="reference", where=expression("result * result == n"))
    check_spec(make_spec(reference=reference))
    with pytest.raises(SpecError, match="known in"):
        check_spec(make_spec(reference=Reference(id="reference", value=expression("result"))))


def test_definitions_are_inferred_for_each_call() -> None:
    define = {"later": ("u, v", "max(u, v)"), "same": ("u, v", "u == v")}
    check("later(day, day).year + later(n, 3)", define=define)
    check("same(n, 1) and same(word, 'a')", define=define)
    with pytest.raises(SpecError, match="never equal"):
        check("same(n, word)", define=define)


@pytest.mark.parametrize(
    ("text", "shape"),
    [
        ("n", WHOLE),
        ("n + 1", WHOLE),
        ("n / 2", NUMBER),
        ("round(x, half_up)", WHOLE),
        ("round(x, 0, half_up) + len(xs)", WHOLE),
        ("round(x, 2, half_up)", NUMBER),
        ("n > 1 and ok", BOOLEAN),
        ("word[0].upper()", TEXT),
        ("day + 1", DAY),
        ("day - day", SPAN),
        ("days(day - day)", WHOLE),
        ("[(i, c) for (i, c) in enumerate(word)]", ListShape(TupleShape((WHOLE, TEXT)))),
        ("lots[0].cost", Maybe(NUMBER)),
        ("n if ok else None", Maybe(WHOLE)),
        ("n if ok else 'a'", UNKNOWN),
        ("min(xs)", WHOLE),
        ("sum(l.quantity for l in lots)", WHOLE),
        ("fold(step, xs, 0)", WHOLE),
        ("scan(step, xs, 0.5)", ListShape(NUMBER)),
        ("twice(n)", WHOLE),
        ("{1: 'a'}[1]", TEXT),
        ("rates['low']", NUMBER),
    ],
)
def test_shapes(text: str, shape: Shape) -> None:
    spec = make_spec(**PARTS)
    assert Inference(spec).check(expression(text), Reach(frozenset(spec.lets)), False) == shape


def test_joins() -> None:
    shapes: list[Shape] = [
        WHOLE,
        NUMBER,
        BOOLEAN,
        TEXT,
        DAY,
        UNKNOWN,
        Maybe(WHOLE),
        ListShape(WHOLE),
        TupleShape((WHOLE,)),
    ]
    for one in shapes:
        assert join(one, one) == one
        for other in shapes:
            assert join(one, other) == join(other, one)
            assert join(join(one, other), other) == join(one, other)


def test_records_of_inputs_are_constructors() -> None:
    row = RecordType(name="Row", fields=(("day", DateType()), ("paid", BoolType())))
    spec = make_spec(inputs={"rows": ListType(item=row)}, lets={"first": "Row(date(2024, 1, 1), True).day.year"})
    check_spec(spec)
