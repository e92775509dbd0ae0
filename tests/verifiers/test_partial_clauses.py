"""Clauses of a spec that some inputs leave undefined: used for proofs only where none of its inputs gets there."""

from __future__ import annotations

import pytest
from neurosym_specs.loader import spec_from_toml
from neurosym_verifiers.proof.claims import Reader
from neurosym_verifiers.proof.solver import Solver
from neurosym_verifiers.reading.formulas.bounds import Spans
from neurosym_verifiers.reading.formulas.terms import Condition

SPEC = """
spec = 1
name = "f"
[inputs]
s = {{ type = "str", max_len = 3 }}
n = {{ type = "int", min = 0, max = 3 }}
[output]
type = "int"
{clauses}
[reference]
value = "n"
"""
REJECT = '[[reject]]\nwhen = "{}"\nraises = "ValueError"\n'
DIGITS = "len(s) > 0 and all(c in '0123456789' for c in s)"


def verdicts(clauses: str, body: str, *, solver: Solver | None = None) -> set[str]:
    """The verdicts of all claims; ``unread`` where what the clauses say is not known for every input."""

    def possible(condition: Condition, bounds: Spans) -> bool:
        return solver is None or solver.ask(condition, bounds, seconds=20).verdict != "unsat"

    source = "def f(s, n):\n" + "".join(f"    {line}\n" for line in body.splitlines())
    claims = Reader(spec_from_toml(SPEC.format(clauses=clauses))).claims(source, possible)
    if claims.unread:
        assert all("may be undefined" in why for why in claims.unread.values()), claims.unread
        return {"unread"}
    with Solver() as another:
        return {another.ask(claim.against, claim.bounds, seconds=20).verdict for claim in claims.claims}


RAISES = "if {}:\n    raise ValueError\nreturn n"
RIGHT = [  # with what a program may ask, and what it may not
    ("n < len(s) and s[n] == '-'", "n < len(s) and s[n] == '-'", "n < len(s) and s[n - 1] == '-'"),
    ("s[n:] != '' and s[n] == '-'", "s[n:n + 1] == '-'", "s[n:] == '-'"),
    ("any(s[i] == '-' for i in range(len(s)))", "'-' in s", "'-' in s[:2]"),
    ("s.strip(' ') != '' and s.strip(' ')[0] == '-'", "s.strip(' ')[:1] == '-'", "s.strip()[:1] == '-'"),
    (f"{DIGITS} and int(s) > 5", "s.isascii() and s.isdigit() and int(s) > 5", "s.isdecimal() and int(s) > 5"),
    ("s.count('-') > 0 and n / s.count('-') > 1", "0 < s.count('-') < n", "0 < s.count('-') <= n"),
    ("min([i for i in range(len(s)) if s[i] == '-'] + [len(s)]) < len(s)", "'-' in s", "s.find('-') > 0"),
]
UNDEFINED = [
    "n <= len(s) and s[n] == '-'",
    "any(s[i] == '-' for i in range(len(s) + 1))",
    "s.strip(' ')[0] == '-'",
    "len(s) > 0 and s.strip(' ')[0] == '-'",
    "s.isdigit() and int(s) > 5",
    "all(c in '0123456789' for c in s) and int(s) > 5",
    "n / s.count('-') > 1",
    "min([i for i in range(len(s)) if s[i] == '-']) < len(s)",
    "s[-1] == '-'",
    "len(s) > 1 and s[-3] == '-'",
]


@pytest.mark.parametrize(("when", "right", "wrong"), RIGHT)
def test_a_clause_that_is_defined_wherever_it_is_asked_for_is_used(when: str, right: str, wrong: str) -> None:
    with Solver() as solver:
        assert verdicts(REJECT.format(when), RAISES.format(right), solver=solver) == {"unsat"}
        assert "sat" in verdicts(REJECT.format(when), RAISES.format(wrong), solver=solver)


@pytest.mark.parametrize("when", UNDEFINED)
def test_a_clause_that_is_undefined_for_one_input_is_not_used(when: str) -> None:
    with Solver() as solver:
        assert verdicts(REJECT.format(when), "return n", solver=solver) == {"unread"}


def test_what_was_rejected_or_is_not_required_need_not_be_defined() -> None:
    first, second = REJECT.format("s == ''"), REJECT.format("s[0] == '-'")
    body, another = RAISES.format("s[:1] in ('', '-')"), RAISES.format("s[:1] == '-'")
    required = '[[require]]\nthat = "len(s) > 0"\n'
    with Solver() as solver:
        assert verdicts(first + second, body, solver=solver) == {"unsat"}
        assert verdicts(second + first, body, solver=solver) == {"unread"}
        assert verdicts(required + second, another, solver=solver) == {"unsat"}
        assert verdicts(second, body, solver=solver) == {"unread"}


def test_without_a_solver_only_what_is_read_counts() -> None:
    known = "any(s[i] == '-' for i in range(len(s)))"
    assert verdicts(REJECT.format(known), RAISES.format("'-' in s")) == {"unsat"}
    assert verdicts(REJECT.format("n <= len(s) and s[n] == '-'"), "return n") == {"unread"}
