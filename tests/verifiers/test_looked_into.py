"""Lists of which a program and its spec only ask what is in them: read as answers to such questions, and as no more."""

# ruff: noqa: E501
from __future__ import annotations

import random
from collections.abc import Iterator
from datetime import date
from typing import Any

import pytest
from neurosym_specs.loader import spec_from_toml
from neurosym_specs.model import Spec
from neurosym_verifiers.proof.claims import Reader
from neurosym_verifiers.proof.holding import known
from neurosym_verifiers.proof.runs import Asks
from neurosym_verifiers.proof.solver import Solver
from neurosym_verifiers.reading.data.values import NotRead
from neurosym_verifiers.reading.execution.state import Raised, Returned
from neurosym_verifiers.reading.formulas.bounds import Spans
from neurosym_verifiers.reading.formulas.evaluating import Evaluation
from neurosym_verifiers.reading.formulas.normal_forms import both
from neurosym_verifiers.reading.formulas.terms import Condition
from neurosym_verifiers.reading.inputs.assignments import assigned
from neurosym_verifiers.reading.inputs.looked_into import looked_into
from neurosym_verifiers.reading.simplification.memberships import facts_about

SPEC = """
spec = 1
name = "f"
[types.Code]
type = "int"
min = 0
max = 50
[types.Closed]
type = "date"
min = 2024-01-01
max = 2024-12-31
[inputs]
n = { type = "int", min = 0, max = 30 }
m = { type = "int", min = 0, max = 30 }
day = { type = "date", min = 2024-02-01, max = 2024-03-31 }
codes = { type = "list[Code]", max_len = 4 }
closed = { type = "list[Closed]", max_len = 3 }
[output]
type = "int"
"""


def spec_of(clauses: str) -> Spec:
    return spec_from_toml(SPEC + clauses)


def program(body: str) -> str:
    lines = "".join(f"    {line}\n" for line in body.splitlines())
    return f"from datetime import date, timedelta\n\n\ndef f(n, m, day, codes, closed):\n{lines}"


@pytest.fixture(scope="module")
def may_be() -> Iterator[Asks]:
    """Whether anything may fulfil a condition on a list's answers."""
    with Solver() as solver:

        def ask(condition: Condition, bounds: Spans) -> bool:
            told = both(condition, facts_about(condition, bounds))
            return solver.ask(told, bounds, seconds=20).verdict != "unsat"

        yield ask


def proved(clauses: str, body: str, may_be: Asks) -> dict[str, bool]:
    """By obligation, whether it is proved through the answers alone."""
    source = program(body)
    through = looked_into(spec_of(clauses), source)
    assert through is not None
    claims = Reader(through).claims(source, may_be)
    assert not claims.unread
    found: dict[str, bool] = {}
    for each in claims.claims:
        found[each.obligation] = found.get(each.obligation, True) and not may_be(each.against, each.bounds)
    return found


NEXT_FREE = "while n in codes:\n    n += 1\nreturn n"
SOON = "[[ensure]]\nid = 'soon'\nthat = 'result - n <= {}'\n"


@pytest.mark.parametrize(
    ("clauses", "body", "expected"),
    [
        # Of four codes no five are passed over
        (SOON.format(4), NEXT_FREE, True),
        (SOON.format(3), NEXT_FREE, False),
        ("[[ensure]]\nid = 'free'\nthat = 'result not in codes'\n", NEXT_FREE, True),
        ("[[ensure]]\nid = 'free'\nthat = 'result not in codes'\n", "return n + 1 if n in codes else n", False),
        # Of equals the answers are the same, and only of equals
        ("[reference]\nvalue = '0'\n", "return 1 if n == m and (n in codes) != (m in codes) else 0", True),
        ("[reference]\nvalue = '0'\n", "return 1 if n <= m and (n in codes) != (m in codes) else 0", False),
        ("[reference]\nvalue = '0'\n", "return 1 if n in codes and n + 1 - 1 not in codes else 0", True),
        ("[reference]\nvalue = '0'\n", "k = set(codes)\nreturn 1 if n in k and n not in codes else 0", True),
        # Dates, whose parts are other terms than their days
        (
            "[reference]\nvalue = '1 if day in closed else 0'\n",
            "return sum(date(2024, month, day.day) in closed for month in (2, 3) if day.month == month)",
            True,
        ),
        (
            "[reference]\nvalue = '1 if day in closed else 0'\n",
            "return sum(date(2024, month, day.day) in closed for month in (2, 3))",
            False,
        ),
        (
            "[reference]\nvalue = '1 if day in closed else 0'\n",
            "return 1 if day - timedelta(days=1) in closed else 0",
            False,
        ),
        # Two runs
        (
            "[[relation]]\nid = 'in order'\ngiven = 'a.codes == b.codes and a.n <= b.n'\nthat = 'a.result <= b.result'\n",
            NEXT_FREE,
            True,
        ),
        (
            "[[relation]]\nid = 'in order'\ngiven = 'a.n <= b.n'\nthat = 'a.result <= b.result'\n",
            NEXT_FREE,
            False,
        ),
        (
            "[[relation]]\nid = 'in order'\ngiven = 'a.codes != b.codes and a.n == b.n'\nthat = 'a.result == b.result'\n",
            NEXT_FREE,
            False,
        ),
    ],
)
def test_only_what_holds_for_all_lists_is_proved(clauses: str, body: str, expected: bool, may_be: Asks) -> None:
    found = proved(clauses, body, may_be)
    asked = next(name for name in found if name.partition(":")[0] in ("ensure", "reference", "relation"))
    assert found[asked] is expected


BODIES = [
    NEXT_FREE,
    "k = frozenset(codes)\nreturn sum(i for i in range(6) if n + i in k)",
    "def shut(d):\n    return d.weekday() > 4 or d in closed\nwhile shut(day):\n    day += timedelta(days=1)\nreturn day.day",
    "if n in codes and m in codes:\n    return n // (n - m)\nreturn 0 if day not in closed else 1",
    "free = [i for i in range(n, n + 6) if i not in codes]\nreturn free[0] if free else -1",
    "last = n\nfor i in range(4):\n    if last in codes:\n        last = last + m\nreturn last",
]


@pytest.mark.parametrize("body", BODIES)
def test_what_is_read_is_what_python_computes(body: str, may_be: Asks) -> None:
    spec, source = spec_of("[[ensure]]\nthat = 'n in codes or n not in codes'\n"), program(body)
    through = looked_into(spec, source)
    assert through is not None
    rng, namespace = random.Random(0), dict[str, Any]()
    exec(compile(source, "program", "exec"), namespace)
    run = Reader(through).candidate(source, may_be).run({})
    for _ in range(120):
        given = {
            "n": rng.randint(0, 8),
            "m": rng.randint(0, 8),
            "day": date(2024, rng.choice((2, 3)), rng.randint(1, 29)),
            "codes": [rng.randint(0, 9) for _ in range(rng.randint(0, 4))],
            "closed": [date(2024, rng.choice((2, 3)), rng.randint(1, 29)) for _ in range(rng.randint(0, 3))],
        }
        evaluation = Evaluation(assigned(through, given))
        (end,) = (end for end in run.exits if evaluation.condition(end.condition))
        try:
            expected: Any = namespace["f"](**given)
        except ZeroDivisionError:
            assert isinstance(end.outcome, Raised)
            assert end.outcome.names[0] == "ZeroDivisionError"
            continue
        assert isinstance(end.outcome, Returned)
        assert known(end.outcome.value, evaluation) == expected
        assert evaluation.condition(facts_about(end.condition, run.bounds))


@pytest.mark.parametrize(
    "body",
    [
        "return len(codes)",
        "return sum(codes)",
        "for c in codes:\n    n += c\nreturn n",
        "return codes[0]",
        "return codes.count(n)",
    ],
)
def test_lists_of_which_more_is_asked_are_read_as_they_are(body: str) -> None:
    through = looked_into(spec_of("[reference]\nvalue = 'n'\n"), program(body))
    assert through is None or through.inputs["codes"] == spec_of("").inputs["codes"]


@pytest.mark.parametrize(
    "body",
    [
        "k = set(codes)\nk.add(n)\nreturn 1 if n in k else 0",
        "k = set(codes)\nreturn len(k)",
        "k = codes\nreturn 1 if k else 0",
        "k = codes\nk += [n]\nreturn 1 if n in k else 0",
        "k = set(codes)\nreturn 1 if k == set(closed) else 0",
        "return 1 if day in codes else 0",
        "k = codes\nreturn 1 if k is codes else 0",
    ],
)
def test_what_else_is_asked_of_such_a_list_is_not_read(body: str) -> None:
    source = program(body)
    through = looked_into(spec_of("[reference]\nvalue = 'n'\n"), source)
    if through is not None:
        with pytest.raises(NotRead):
            Reader(through).run(source)


def test_the_order_of_what_is_only_looked_into_is_not_read() -> None:
    source = program("return 1 if n in codes else 0")
    through = looked_into(
        spec_of('[reference]\nvalue = "1 if n in codes else 0"\n[[relation]]\norder_free = ["codes"]\n'), source
    )
    assert through is not None
    reader = Reader(through)
    with pytest.raises(NotRead):
        list(reader.relation(reader.candidate(source), "relation 1"))
