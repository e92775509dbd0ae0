"""The spec's language of expressions."""

# ruff: noqa: E501
# fmt: off
from __future__ import annotations

from tests.verifiers.reading_map.rows import Group, Row, rows

MODES = ("half_up", "half_down", "half_even", "up", "down", "ceiling", "floor", "05up")


def _lines(*codes: str | tuple[str, str]) -> tuple[Row, ...]:
    return rows("", *codes)


GROUPS = (
    Group(
        "The spec's language: operators",
        (
            *_lines("x + y", "d - e", "d * r", "-d", ("d / r", "exact"), "x / k", ("k / n", "undefined where n is 0")),
            Row("d // r", where="where the sign of the divisor is known", elsewhere="d // e"),
            Row("x % k", where="where the sign of the divisor is known", elsewhere="x % y"),
            Row("d ** 2", where="where the exponent is a small known number", elsewhere="d ** n"),
            *_lines("2 ** -1 * x", "x < y", "x < d <= 3", "x == d", "d != e", "day < due", "word < 'b'", "grade == 'LOW'"),
            *_lines("xs == ys", "xs < ys", "(x, y) < (y, x)", "on and off", "on or x > 0", "not on", "x if on else y"),
            *_lines("y in xs", "y not in [1, 2]", "word in ['ab', 'no']", "word in {'ab'}", "'b' in text"),
            *_lines("cap is None", "cap is not None and cap > 1", "xs[0]", "xs[-1]", "xs[n]", "xs[1:]", "xs[n:k]", "xs[::-1]"),
            *_lines("xs + ys", "word + '!'", "text + 'a'", "[x, y]", "(x, y)", "{'ab': x, 'b': y}[word]", "{x, y} <= {1, 2}"),
            *_lines("line.qty * line.price", "point.a", "order.qty", "pair.p", "both[1]", "Point(1, 2) == point"),
            *_lines("text == 'a'", "ratio + 1", "share + 1", "ratio < fee"),
        ),
        "Exact rationals; read also is where an expression is undefined.",
        "spec",
    ),
    Group(
        "The spec's language: numbers",
        (
            *(Row(f"round(tie, 2, {mode})") for mode in MODES),
            *_lines("round(d / r, 2, half_up)", "round(d, half_even)", "round(d, -1, half_up)", "round(d, n, half_up)"),
            *_lines("round_to(e, 0.05, half_up)", "round_to(e, r, half_up)", "floor(d)", "ceil(d / 3)", "trunc(d)", "abs(d)"),
            *_lines("sign(d)", "min(d, e)", "max(x, y, 0)", "min(xs)", "max(xs, default=0)", "clamp(d, -1, 5)", "clamp(x, y, n)"),
            *_lines("gcd(k, n)", "places(mixed)", "places(d * e)", "sqrt(4)", "exp(x)", "log(k)", "is_nan(ratio)", "is_finite(ratio)"),
        ),
        "",
        "spec",
    ),
    Group(
        "The spec's language: lists and loops",
        (
            *_lines("sum(xs)", "len(xs)", "any(i > y for i in xs)", "all(i > y for i in xs)", "sum(i for i in xs if i > 0)"),
            *_lines("sorted(xs)", "sorted(xs, reverse=True)", "sorted(xs, key=twice)", "reversed(xs)", "sum(range(n))"),
            *_lines("[i * 2 for i in xs]", "[i + j for i in xs for j in ys]", "[a * b for a, b in enumerate(xs)]"),
            *_lines("[a - b for a, b in zip(xs, ys)]", "len({i for i in xs})", "{w: 1 for w in words}.get('ab', 0)"),
            *_lines("fold(step, xs, 1)", "scan(step, xs, 1)", "same_items(xs, ys)", "twice(x)", "sum(twice(i) for i in xs)"),
            *_lines("sum(r['rate'] * x for r in rates if x > r['from'])", "levels[1] * x", "levels[n] * x", "levels.get(n, 0)"),
            *_lines("sum(i.qty * i.price for i in lines)", "max(i.qty for i in lines)", "sum(b for b in {'ab': x}.values())"),
            *_lines("table['ab']", "y in tags", "sum(many)", "len(table)", "table[word]", "table.get(word, y)", "word in table"),
            *_lines("sum(b for a, b in table.items() if a != word)", "[a for a in table]", "{a: b * x for a, b in table.items()}"),
            *_lines("sorted(table)", "sorted(words)", "max(words)"),
            *_lines("table == {'ab': x}", "sum(sum(a) for a in parts.values())", "sum(b for a, b in by_day.items() if a <= day)"),
        ),
        "",
        "spec",
    ),
    Group(
        "The spec's language: dates and texts",
        (
            *_lines("date(2024, n, k)", "day.year", "day.month", "day.day", "day.weekday", "days(due - day)", "day + x"),
            *_lines("day - 30", "add_months(day, x)", "add_months(day, 1)", "month_end(day)", "leap(day.year)", "max(day, due)"),
            *_lines("len(word)", "word.upper()", "text.lower()", "text.strip()", "text.split('-')", "'-'.join(words)"),
            *_lines("text.count('a')", "text.find('1')", "text.isdigit()", "text.startswith('a')", "text.endswith('1')"),
            *_lines("text.replace('1', '2')", "matches(code, '[A-Z][0-9]')", "int(code[1])", "ord(code[0])", "chr(65)", "str(x)"),
        ),
        "",
        "spec",
    ),
)
