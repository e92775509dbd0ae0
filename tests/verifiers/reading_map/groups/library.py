"""Builtins over several kinds of values, and modules of the standard library."""

# ruff: noqa: E501
# fmt: off
from __future__ import annotations

from tests.verifiers.reading_map.rows import Group, Row, rows

GROUPS = (
    Group(
        "Builtins",
        (
            *rows("int", "min([x, y, 0])", "min(xs, key=abs)", "max(xs, default=y)", "max(x, y, key=lambda a: -a)"),
            *rows("int", "sum([x, y])", "sum(xs, y)", "sum(xs, start=1)", "len(range(n))", "sum(range(x, x + 4))"),
            *rows("bool", "any([on, off])", "all([])", "y in range(n, k)"),
            Row("y in range(5)", "bool", where="where the step is 1", elsewhere="y in range(0, 10, 2)"),
            Row("max(e, d)", "decimal", where="where all are of one type", elsewhere="max(x, d)"),
            Row("sorted([(x, 1), (y, 2)])", "list[tuple[int, int]]"),
            Row("sorted(xs, key=lambda a: (a > 0, -a))", "list[int]"),
            Row("list(zip(xs, ys))", "list[tuple[int, int]]"),
            Row("list(zip(*[(x, 1), (y, 2)]))[0]", "tuple[int, int]"),
            Row("list(enumerate(xs))", "list[tuple[int, int]]"),
            Row("callable(x)", "bool"),
            Row("hash(x)", "int"),
            Row("id(x)", "int"),
            *rows("str", "repr(x)", "bin(n)", "hex(k)", "chr(65)", "format(x, '05d')"),
            Row("eval('1') + x", "int"),
            Row("getattr(day, 'year')", "int"),
            Row("slice(0, 2).stop + x", "int"),
        ),
    ),
    Group(
        "math",
        (
            *rows("int", "math.gcd(k, n)", "math.lcm(k, 4)", "math.prod(xs)"),
            *rows("int", "math.comb(n, 2)", "math.perm(n, 2)", "math.factorial(n)", "math.isqrt(k)", "math.floor(x / 3)"),
            *rows("float", "math.pi * x", "math.pow(x, 2)", "math.fabs(x)", "math.hypot(x, y)", "math.copysign(1, x)"),
            *rows("bool", "math.isclose(x, y)", "math.isfinite(x)"),
        ),
    ),
    Group(
        "functools, itertools, operator",
        (
            *rows("int", "functools.reduce(lambda a, b: a + b, [x, y])"),
            Row(
                "functools.reduce(lambda a, b: a * 2 - b, xs, y)",
                "int",
                where="where there is a start",
                elsewhere="functools.reduce(lambda a, b: a * 2 - b, xs)",
            ),
            Row("functools.reduce(operator.add, xs, 0)", "int"),
            Row("functools.reduce(operator.mul, xs, 1)", "int"),
            Row("functools.partial(max, 0)(x)", "int"),
            Row("max(lines, key=operator.attrgetter('qty')).price", "decimal"),
            Row("sorted([(x, 1), (y, 2)], key=operator.itemgetter(1))[0][0]", "int"),
            *rows("int", "bisect.bisect([0, 10, 100], x)", "bisect.bisect_left([0, 10, 100], x)", "bisect.bisect(xs, y)"),
            Row("list(itertools.starmap(max, zip(xs, ys)))", "list[int]"),
            Row("list(itertools.accumulate(xs, lambda a, b: a * 2 + b, initial=1))", "list[int]"),
            *rows("list[int]", "list(itertools.accumulate(xs))", "list(itertools.accumulate(xs, max))", "list(itertools.chain(xs, ys))"),
            *rows("list[int]", "list(itertools.repeat(y, 3))", "list(itertools.takewhile(lambda i: i > 0, xs))"),
            *rows("list[int]", "list(itertools.islice(xs, 2))", "list(itertools.chain.from_iterable([xs, ys]))"),
            *rows("int", "sum(a - b for a, b in itertools.pairwise(xs))", "len(list(itertools.product(xs, ys)))"),
            *rows("int", "len(list(itertools.combinations(xs, 2)))", "len([a for a, b in itertools.groupby(sorted(xs))])"),
            Row("sum(a for a, b in itertools.zip_longest(xs, ys, fillvalue=0))", "int"),
            Row("sorted(lines, key=operator.attrgetter('qty'))", "list[Line]"),
            Row("statistics.median([x, y, 3])", "int"),
        ),
    ),
)
