"""Programs over lists that are wrong in one small thing are never proved, and the right ones beside them are."""

# ruff: noqa: E501
from __future__ import annotations

from collections.abc import Iterator

import pytest
from neurosym_specs.loader import spec_from_toml
from neurosym_verifiers.proof.claims import Reader
from neurosym_verifiers.proof.solver import Solver

from tests.verifiers.test_proof import check_mutants

HEAD = """
spec = 1
name = "f"
[types.Row]
type = "record"
as = "tuple"
fields = {{ tag = {{ type = "str", choices = ["a", "b"] }}, qty = {{ type = "int", min = -5, max = 5 }} }}
[types.tag]
type = "str"
choices = ["a", "b", "c"]
[types.limit]
type = "int"
min = -9
max = 9
[inputs]
{inputs}
[output]
{output}
{rest}
"""
XS = 'xs = { type = "list", of = { type = "int", min = -9, max = 9 }, max_len = 3 }\n'
ROWS = 'rows = { type = "list[Row]", max_len = 3 }\n'
K = 'k = { type = "int", min = -4, max = 4 }\n'
BY = 'per = { type = "dict[tag, limit]", max_len = 2 }\n'
CAP = 'cap = { type = "limit | none" }\n'
INT, LIST, MAYBE, SUMS = 'type = "int"', 'type = "list[int]"', 'type = "int | none"', 'type = "dict[str, int]"'

# For each spec: its inputs, output and reference, a right body, and wrong ones.
FALSE: dict[str, tuple[str, str, str, str, list[str]]] = {
    "the items before a place": (
        XS + K, INT, "sum(xs[:k])", "return sum(xs[:k])",
        ["return sum(xs[:k + 1])", "return sum(xs[:max(k, 0)])", "return sum(xs[:-1])", "return sum(xs[1:k])",
         "return sum(xs[i] for i in range(len(xs)) if i < k)", "return sum(xs[:k]) if k < 3 else sum(xs[1:])"],
    ),
    "the largest, the first of them": (
        ROWS, INT, "0 if len(rows) == 0 else sorted(rows, key=by)[0].qty + (1 if sorted(rows, key=by)[0].tag == 'a' else 0)",
        "best = None\nfor t, q in rows:\n    if best is None or q > best[1]:\n        best = (t, q)\n"
        "return 0 if best is None else best[1] + (best[0] == 'a')",
        ["best = None\nfor t, q in rows:\n    if best is None or q >= best[1]:\n        best = (t, q)\n"
         "return 0 if best is None else best[1] + (best[0] == 'a')",
         "r = sorted(rows, key=lambda r: r[1])\nreturn 0 if not r else r[-1][1] + (r[-1][0] == 'a')",
         "return 0 if not rows else max(rows)[1] + (max(rows)[0] == 'a')",
         "best = None\nfor t, q in rows:\n    if not best or q > best[1]:\n        best = (t, q)\n    else:\n        break\n"
         "return 0 if best is None else best[1] + (best[0] == 'a')"],
    ),
    "kept in order": (
        XS, LIST, "[v for v in xs if v > 0]", "out = []\nfor v in xs:\n    if v > 0:\n        out.append(v)\nreturn out",
        ["return [v for v in xs if v >= 0]", "return sorted(v for v in xs if v > 0)", "return [v for v in xs[1:] if v > 0]",
         "return [v for v in xs[::-1] if v > 0]", "out = []\nfor v in xs:\n    if v <= 0:\n        break\n    out.append(v)\nreturn out",
         "out = []\nfor v in xs:\n    if v > 0 and v not in out:\n        out.append(v)\nreturn out"],
    ),
    "none is not zero": (
        XS + CAP, INT, "sum(xs) if cap is None else min(sum(xs), cap)",
        "total = sum(xs)\nif cap is not None and total > cap:\n    total = cap\nreturn total",
        ["return min(sum(xs), cap or 99)", "return sum(xs) if not cap else min(sum(xs), cap)",
         "return sum(xs) if cap is None else cap", "return min(sum(xs), 9 if cap is None else cap)"],
    ),
    "none where there is nothing": (
        XS, MAYBE, "None if len(xs) == 0 else min(xs)", "return min(xs, default=None)",
        ["return min(xs, default=0)", "return min(xs) if any(xs) else None", "return max(xs, default=None)",
         "return min(xs[:2], default=None)", "return xs[0] if xs else None"],
    ),
    "each tag once": (
        ROWS, INT, "len({r.tag for r in rows})", "return len({t for t, _ in rows})",
        ["return len(rows)", "return min(len(rows), 2)", "return len({q for _, q in rows})",
         "n = 0\nlast = None\nfor t, _ in rows:\n    if t != last:\n        n += 1\n    last = t\nreturn n"],
    ),
    "by tag": (
        ROWS, INT, "sum(r.qty for r in rows if r.tag == 'a') * 2 + sum(r.qty for r in rows if r.tag == 'b')",
        "e = {'a': 0, 'b': 0}\nfor t, q in rows:\n    e[t] += q\nreturn e['a'] * 2 + e['b']",
        ["e = {}\nfor t, q in rows:\n    e[t] = q\nreturn e.get('a', 0) * 2 + e.get('b', 0)",
         "e = {}\nfor t, q in rows:\n    e.setdefault(t, q)\nreturn e.get('a', 0) * 2 + e.get('b', 0)",
         "e = {'a': 0}\nfor t, q in rows:\n    e[t] = e['a'] + q\nreturn e['a'] * 2 + e.get('b', 0)",
         "e = {t: q for t, q in rows}\nreturn e['a'] * 2 + e.get('b', 0)"],
    ),
    "sums by tag": (
        ROWS, SUMS, "{t: sum(r.qty for r in rows if r.tag == t) for t in {r.tag for r in rows}}",
        "e = {}\nfor t, q in rows:\n    e[t] = e.get(t, 0) + q\nreturn e",
        ["e = {}\nfor t, q in rows:\n    if q:\n        e[t] = e.get(t, 0) + q\nreturn e",
         "e = {}\nfor t, q in rows:\n    e[t] = e.get(t, q) + q\nreturn e",
         "e = {}\nfor t, q in rows:\n    e[t] = e.get('a', 0) + q\nreturn e",
         "e = {}\nfor t, q in rows:\n    e[t] = max(e.get(t, 0) + q, -14)\nreturn e",
         "e = {}\nfor t, q in rows[1:]:\n    e[t] = e.get(t, 0) + q\nreturn e",
         "e = {'a': 0}\nfor t, q in rows:\n    e[t] = e.get(t, 0) + q\nreturn e",
         "e = {}\nfor t, q in rows:\n    e['b' if q == 5 else t] = e.get(t, 0) + q\nreturn e"],
    ),
    "of a dict, by key": (
        BY + K, INT, "per.get('a', 0) + 2 * sum(v for (t, v) in per.items() if t != 'a' and v > k)",
        "n = per.get('a', 0)\nfor t, v in per.items():\n    if t != 'a' and v > k:\n        n += 2 * v\nreturn n",
        ["n = per.get('a', 0)\nfor t, v in per.items():\n    if t != 'a' and v >= k:\n        n += 2 * v\nreturn n",
         "n = per.get('a') or 0\nfor t in ('b', 'c'):\n    if per.get(t, 1) > k:\n        n += 2 * per.get(t, 1)\nreturn n",
         "n = per['a'] if 'a' in per else 0\nfor v in list(per.values())[1:]:\n    if v > k:\n        n += 2 * v\nreturn n",
         "n = per.get('a', 0)\nfor t in ('b', 'c'):\n    if per[t] > k:\n        n += 2 * per[t]\nreturn n"],
    ),
    "a dict again": (
        BY, 'type = "dict[tag, int]"', "{t: v * v for (t, v) in per.items() if v > 0}", "return {t: v * v for t, v in per.items() if v > 0}",
        ["return {t: v * v for t, v in per.items() if v >= 0}", "return {t: v * per['a'] for t, v in per.items() if v > 0}",
         "return {t: per[min(per)] ** 2 for t, v in per.items() if v > 0}", "return {min(per): v * v for t, v in per.items() if v > 0}",
         "return per"],
    ),
}  # fmt: skip


@pytest.fixture(scope="module")
def solver() -> Iterator[Solver]:
    with Solver() as asked:
        yield asked


def answers(solver: Solver, inputs: str, output: str, rest: str, body: str) -> dict[str, set[str]]:
    """What the solver says of the claims of each obligation; that something was not read is an answer too."""
    spec = spec_from_toml(HEAD.format(inputs=inputs, output=output, rest=rest))
    names = ", ".join(spec.inputs)
    source = f"def f({names}):\n" + "".join(f"    {line}\n" for line in body.splitlines())
    claims = Reader(spec).claims(source)
    found: dict[str, set[str]] = {obligation: {"unread"} for obligation in claims.unread}
    for claim in claims.claims:
        verdict = solver.ask(claim.against, claim.bounds, seconds=10).verdict
        found.setdefault(claim.obligation, set()).add(verdict)
    return found


@pytest.mark.parametrize("name", FALSE)
def test_only_the_right_one_of_some_programs_is_proved(solver: Solver, name: str) -> None:
    inputs, output, value, right, wrong = FALSE[name]
    rest = f'[define]\n"by(r)" = "0 - r.qty"\n[reference]\nvalue = "{value}"\n'
    found = answers(solver, inputs, output, rest, right)
    assert found["reference"] == found["no crash"] == found["returns"] == {"unsat"}
    for body in wrong:
        found = answers(solver, inputs, output, rest, body)
        told = found.get("*", set()) | set().union(*(found.get(o, set()) for o in ("reference", "no crash", "returns")))
        assert told != {"unsat"}, body


@pytest.mark.parametrize(
    ("body", "proved"),
    [
        ("return sum(per.values())", True),
        ("return max(per.values(), default=0)", True),
        ("t = 0\nfor w in sorted(per):\n    t = 2 * t + per[w]\nreturn t", True),
        ("t = 0\nfor v in per.values():\n    t = 2 * t + v\nreturn t", False),
        ("return per[next(iter(per))] if per else 0", False),
        ("return per.get(min(per, key=per.get), 0) if len(per) > 1 else per.get(max(per, default='a'), 0)", True),
        ("return len(min(per, key=per.get)) + 'abc'.index(min(per, key=per.get)) if per else 0", False),
    ],
)
def test_that_the_order_of_keys_does_not_matter_is_proved_exactly_where_it_does_not(
    solver: Solver, body: str, proved: bool
) -> None:
    rest = '[[relation]]\nid = "order"\ngiven = "a.per == b.per"\nthat = "a.result == b.result"\n'
    found = answers(solver, BY, INT, rest, body)
    told = found.get("*", set()) | found.get("relation: order", set())
    assert (told == {"unsat"}) == proved


@pytest.mark.parametrize(
    ("body", "proved"),
    [
        ("return sum(xs)", True),
        ("return max(xs, default=0) - min(xs, default=0)", True),
        ("return sorted(xs)[len(xs) // 2] if xs else 0", True),
        ("return xs[0] if xs else 0", False),
        ("return sum(v * i for i, v in enumerate(xs))", False),
        ("return max(xs, key=lambda v: v * v, default=0)", False),
        ("t = 0\nfor v in xs:\n    t = max(t + v, 0)\nreturn t", False),
        ("t = 0\nfor v in xs:\n    if t > 5:\n        break\n    t += v\nreturn t", False),
        ("return 10 // xs[0] if xs and xs[0] else 0", False),
    ],
)
def test_that_order_does_not_matter_is_proved_exactly_where_it_does_not(
    solver: Solver, body: str, proved: bool
) -> None:
    rest = '[[relation]]\nid = "order"\norder_free = ["xs"]\n'
    found = answers(solver, XS, INT, rest, body)
    assert (found["relation: order"] == {"unsat"}) is proved


def test_a_program_that_changes_its_argument_is_not_read() -> None:
    rest = '[reference]\nvalue = "sum(xs)"\n'
    for body in (
        "xs.sort()\nreturn sum(xs)",
        "ys = xs\nys += [0]\nreturn sum(ys)",
        "t = sum(xs)\nxs.clear()\nreturn t",
    ):
        assert answers(solver, XS, INT, rest, body)["*"] == {"unread"}


@pytest.mark.slow
@pytest.mark.parametrize(
    "task",
    [
        "t03_invoice_tax_per_line",
        "t28_weekly_pay",
        "t31_fifo_gain",
        "t34_days_30_360_us",
        "t36_act_act_isda",
        "t54_totals_by_region",
    ],
)
def test_mutants_of_programs_over_lists_and_dates(task: str) -> None:
    read, proved = check_mutants(task, most=40)
    assert proved < read
