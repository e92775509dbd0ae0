"""Numbers in texts whose decimal mark is an input: right programs are proved, and their mutants never."""

from __future__ import annotations

import random
from itertools import product
from typing import Any

import pytest
from neurosym_specs.loader import spec_from_toml
from neurosym_verifiers.proof.claims import Reader
from neurosym_verifiers.proof.solver import Solver
from neurosym_verifiers.reading.formulas.bounds import Spans
from neurosym_verifiers.reading.formulas.terms import FALSE, Condition
from neurosym_verifiers.reading.inputs.shapes import shape_of

from tests.verifiers.test_reading_texts import by_python, by_reading, same

SPEC = """
spec = 1
name = "f"
[inputs]
text = {{ type = "str", max_len = {longest} }}
mark = {{ type = "str", choices = [".", ",", "x"] }}
[output]
type = "decimal"
places = 1
[policy]
imports = ["re", "decimal"]
[let]
minus = "text.startswith('-')"
number = "text[1:] if minus else text"
mark_at = "min([i for i in range(len(number)) if number[i] == mark] + [len(number)])"
whole = "number[:mark_at]"
decimals = "number[mark_at + 1:]"
whole_good = "len(whole) > 0 and all({digit} for c in whole)"
decimals_good = "len(decimals) == {decimals} and all({digit} for c in decimals)"
good = "whole_good and (decimals_good or mark_at == len(number))"
[[reject]]
id = "mark"
when = "mark not in ['.', ',']"
raises = "ValueError"
[[reject]]
id = "number"
when = "not good"
raises = "ValueError"
[reference]
value = "(-1 if minus else 1) * (int(whole) + (int(decimals) / 10 if mark_at < len(number) else 0))"
"""
RIGHT_SPEC = {"longest": 3, "digit": "c in '0123456789'", "decimals": 1}
CUT = """\
from decimal import Decimal


def f(text, mark):
    if mark not in (".", ","):
        raise ValueError(mark)
    minus = text.startswith("-")
    if minus:
        text = text[1:]
    whole, found, decimals = text.partition(mark)
    if not all(c in "0123456789" for c in whole + decimals) or not whole or (found and len(decimals) != 1):
        raise ValueError(text)
    value = Decimal(whole + "." + (decimals or "0"))
    return -value if minus else value
"""
MATCHED = """\
import re
from decimal import Decimal


def f(text, mark):
    if mark == "x":
        raise ValueError(mark)
    found = re.fullmatch(r"(-?)([0-9]+)(?:%s([0-9]))?" % re.escape(mark), text)
    if found is None:
        raise ValueError(text)
    return Decimal(found.group(1) + found.group(2) + "." + (found.group(3) or "").ljust(1, "0"))
"""
WRONG = [
    (CUT, "text.partition(mark)", 'text.partition(".")'),
    (CUT, "text[1:]", "text[1:] or '0'"),
    (CUT, 'all(c in "0123456789" for c in whole + decimals)', "(whole + decimals).isdigit()"),
    (CUT, 'all(c in "0123456789" for c in whole + decimals)', "(whole + decimals).isdecimal()"),
    (CUT, "len(decimals) != 1", "len(decimals) > 1"),
    (CUT, "not whole or ", ""),
    (CUT, "-value if minus else value", "value"),
    (CUT, '("." , ",")'.replace(" ", "", 1), '(".", ",", "x")'),
    (
        CUT,
        'whole + "." + (decimals or "0")',
        'decimals + "." + (whole or "0") if decimals == whole[::-1] else whole + ".0"',
    ),
    (MATCHED, "re.escape(mark)", "mark"),
    (MATCHED, "(-?)", "([-+]?)"),
    (MATCHED, "([0-9]+)", "([0-9]*)"),
    (MATCHED, "([0-9]+)", r"(\d+)"),
    (MATCHED, "([0-9]))?", "([0-9]?))?"),
    (MATCHED, "fullmatch", "match"),
    (MATCHED, 'ljust(1, "0")', 'ljust(1, "1")'),
]
FALSE_SPECS = [
    {"decimals": 2},
    {"digit": "c.isdigit()"},
    {"digit": "c in '0123456789 '"},
    {"digit": "c in '012345678'"},
]


def some(cases: list[Any]) -> list[Any]:
    """A fifth of the cases in every run, the others in the long one."""
    return [pytest.param(*case, marks=[pytest.mark.slow] if i % 5 else []) for i, case in enumerate(cases)]


def verdicts(source: str, **changes: Any) -> set[str]:
    """The verdicts of all claims; ``unread`` where something is not read."""
    spec = spec_from_toml(SPEC.format(**(RIGHT_SPEC | changes)))
    with Solver() as solver:

        def possible(condition: Condition, bounds: Spans) -> bool:
            return condition != FALSE and solver.ask(condition, bounds, seconds=20).verdict != "unsat"

        claims = Reader(spec).claims(source, possible)
        if claims.unread:
            return {"unread"}
        return {solver.ask(claim.against, claim.bounds, seconds=20).verdict for claim in claims.claims}


@pytest.mark.parametrize("source", [CUT, MATCHED], ids=["cut", "matched"])
def test_right_programs_are_proved(source: str) -> None:
    assert verdicts(source) == {"unsat"}


@pytest.mark.parametrize(("source", "old", "new"), some(WRONG))
def test_mutants_are_not_proved(source: str, old: str, new: str) -> None:
    assert source.count(old) == 1
    assert verdicts(source.replace(old, new)) != {"unsat"}


@pytest.mark.parametrize(("changes", "source"), some(list(product(FALSE_SPECS, (CUT, MATCHED)))))
def test_right_programs_are_not_proved_of_other_specs(changes: dict[str, Any], source: str) -> None:
    assert verdicts(source, **changes) != {"unsat"}


@pytest.mark.parametrize("source", [CUT, MATCHED], ids=["cut", "matched"])
def test_they_are_read_as_cpython_runs_them(source: str) -> None:
    spec, rng, namespace = (
        spec_from_toml(SPEC.format(**(RIGHT_SPEC | {"longest": 6}))),
        random.Random(7),
        dict[str, Any](),
    )
    exec(source, namespace)
    reader, runs, returned = Reader(spec), dict[int, Any](), 0
    for _ in range(400):
        text = "".join(
            rng.choice("0123456789-.,\u0663\u00b2\U0001d7d8\U00030000 "[: rng.choice((13, 13, 18))])
            for _ in range(rng.randrange(7))
        )
        inputs = {"text": text, "mark": rng.choice(".,x")}
        if len(text) not in runs:
            runs[len(text)] = reader.candidate(source, lambda condition, bounds: False).run(shape_of(spec, inputs))
        expected, found = by_python(namespace["f"], inputs), by_reading(runs[len(text)], spec, inputs)
        assert same(found, expected), (inputs, expected, found)
        returned += expected[0] == "returns"
    assert returned > 30
