"""Texts that a program and its spec look at through one method: read as what the method gives, and as nothing else."""

from __future__ import annotations

import random
from typing import Any

import pytest
from neurosym_specs.loader import spec_from_toml
from neurosym_specs.model import Spec
from neurosym_verifiers.proof.claims import Reader
from neurosym_verifiers.proof.holding import known
from neurosym_verifiers.proof.solver import Solver
from neurosym_verifiers.reading.data.values import NotRead
from neurosym_verifiers.reading.execution.state import Returned
from neurosym_verifiers.reading.formulas.evaluating import Evaluation
from neurosym_verifiers.reading.formulas.terms import TRUE
from neurosym_verifiers.reading.inputs.assignments import assigned, concrete
from neurosym_verifiers.reading.inputs.seen_texts import seen_through
from neurosym_verifiers.reading.inputs.shapes import shape_of

SPEC = """
spec = 1
name = "f"
[inputs]
s = {{ type = "str", max_len = 6 }}
[output]
type = "int"
[let]
t = "s.{method}"
[reference]
value = "{value}"
"""
OTHER_TEXT = """
o = { type = "str", max_len = 6 }
n = { type = "int", min = 0, max = 9 }
[output]"""
DASHES, SPACES = "replace('-', '')", "strip(' ')"


def seen(method: str, body: str, value: str = "len(t)", clauses: str = "[reference]") -> tuple[Spec, str]:
    spec = spec_from_toml(SPEC.format(method=method, value=value).replace("[reference]", clauses))
    source = "def f(s):\n" + "".join(f"    {line}\n" for line in body.splitlines())
    through = seen_through(spec, source)
    assert through is not None
    return through, source


def verdicts(spec: Spec, source: str) -> set[str]:
    claims = Reader(spec).claims(source)
    if claims.unread:
        return {"unread"}
    with Solver() as solver:
        return {solver.ask(claim.against, claim.bounds, seconds=20).verdict for claim in claims.claims}


@pytest.mark.parametrize(
    ("method", "body", "value", "proved"),
    [
        (DASHES, "t = s.replace('-', '')\nreturn len(t)", "len(t)", True),
        (DASHES, "t = s.replace('-', '')\nreturn len([c for c in t if c != '-'])", "len(t)", True),
        (DASHES, "t = s.replace('-', '')\nreturn len([c for c in t if c != ' '])", "len(t)", False),
        (SPACES, "t = s.strip(' ')\nreturn len(t) if t else 0", "len(t)", True),
        (SPACES, "t = s.strip(' ')\nreturn 0 if t.startswith(' ') else 1", "1", True),
        (SPACES, "t = s.strip(' ')\nreturn 0 if ' ' in t else 1", "1", False),
        (SPACES, "t = s.strip(' ')\nreturn 0 if len(t) > 5 else 1", "1", False),
        (SPACES, "t = s.strip(' ')\nreturn len(s)", "len(t)", False),
        (SPACES, "t = s.strip(' ')\nreturn len(t) + (s == '')", "len(t)", False),
        (SPACES, "t = s.strip(' ')\nreturn len(t) if s else 0", "len(t)", False),
        (SPACES, "t = s.strip(' ')\nreturn len(t) + sum(1 for c in s if c == 'a')", "len(t)", False),
    ],
)
def test_only_what_holds_of_all_that_the_method_gives_is_proved(
    method: str, body: str, value: str, proved: bool
) -> None:
    found = verdicts(*seen(method, body, value))
    assert (found == {"unsat"}) == proved, found


ENSURE = '[[ensure]]\nid = "e"\nthat = "{}"\n[reference]'
OF_THE_WHOLE = [
    (DASHES, "len(t) == 0 or any(c != '-' for c in s)", True),
    (DASHES, "all(c != '-' for c in s)", False),
    (DASHES, "any(c == '-' for c in s)", False),
    (DASHES, "not all(c == 'a' for c in s) or all(c == 'a' for c in t)", True),
    (DASHES, "all(c == 'a' for c in s) or not all(c == 'a' for c in t)", False),
    (DASHES, "all(c in 'a-' for c in s) or not all(c == 'a' for c in t)", True),
    (DASHES, "all(c in 'a-' for c in s) == all(c in 'a' for c in t)", True),
    (DASHES, "all(c == '-' or any(c == d for d in t) for c in s)", True),
    (DASHES, "all(any(c == d or c == '-' for d in t) for c in s)", False),
    (DASHES, "all(any(c == d for d in t) for c in s)", False),
    (SPACES, "all(c in 'a ' for c in s) == all(c in 'a ' for c in t)", True),
    (SPACES, "all(c in 'a' for c in s) == all(c in 'a' for c in t)", False),
    (SPACES, "any(c == ' ' for c in s) == any(c == ' ' for c in t)", False),
    (DASHES, "sum(1 for c in s if c == 'a') == sum(1 for c in t if c == 'a')", False),
    (DASHES, "len([c for c in s]) >= len(t)", False),
    (DASHES, "any(i > 2 for (i, c) in enumerate(s)) or len(t) < 9", False),
    (DASHES, "all(int(c) >= 0 for c in s) or len(t) < 9", False),
    ("strip()", "all(c in 'a ' for c in s) or not all(c in 'a ' for c in t)", False),
]


@pytest.mark.parametrize(("method", "that", "proved"), OF_THE_WHOLE)
def test_of_the_whole_text_only_what_holds_however_often_a_character_was_taken_away_is_proved(
    method: str, that: str, proved: bool
) -> None:
    spec, source = seen(method, f"t = s.{method}\nreturn len(t)", clauses=ENSURE.format(that))
    assert (verdicts(spec, source) == {"unsat"}) == proved


@pytest.mark.parametrize("method", [DASHES, SPACES])
@pytest.mark.parametrize(
    "which",
    [
        "all(c != '-' for c in s)",
        "any(c == ' ' for c in s)",
        "all(c in 'a -' for c in s)",
        "all(any(c == d for d in t) for c in s)",
        "any(all(c != d for d in t) for c in s)",
        "any(ord(c) > 196607 for c in s)",
    ],
)
def test_what_is_read_of_the_whole_text_is_what_python_computes(method: str, which: str) -> None:
    spec, source = seen(method, f"t = s.{method}\nreturn len(t)", clauses=ENSURE.format(which))
    reader, rng, found = Reader(spec), random.Random(5), set[bool]()
    for _ in range(200):
        text = "".join(rng.choice("aa -\U00030000\u0663") for _ in range(rng.randrange(7)))
        meaning = reader.run(source, shape_of(spec, {"s": text})).meaning
        holds, defined = reader.expressions.condition(spec.ensures[0].that, meaning)
        names = {"s": text, "t": eval(f"s.{method}", {"s": text})}
        evaluation = Evaluation(assigned(spec, {"s": text}))
        assert defined == TRUE
        assert evaluation.condition(holds) == eval(which, names)
        found.add(evaluation.condition(holds))
    assert found == {True, False}


@pytest.mark.parametrize(
    "body", ["return len(s)", "return len(s.strip())", "return len(s.strip(' ')) + len(s.strip())"]
)
def test_other_programs_are_not_read_through_the_method(body: str) -> None:
    spec = spec_from_toml(SPEC.format(method=SPACES, value="len(t)"))
    assert seen_through(spec, f"def f(s):\n    {body}\n") is None


@pytest.mark.parametrize("method", [DASHES, SPACES])
def test_what_is_read_is_what_python_computes(method: str) -> None:
    body = f"t = s.{method}\nn = 0\nfor c in t[::-1]:\n    n = (n * 7 + ord(c)) % 1000\nreturn n if 'a' in t else -n"
    spec, source = seen(method, body)
    reader, rng, namespace = Reader(spec), random.Random(3), dict[str, Any]()
    exec(source, namespace)
    for _ in range(300):
        text = "".join(rng.choice(" -a\xa0\t\u0663") for _ in range(rng.randrange(7)))
        run = reader.run(source, shape_of(spec, {"s": text}))
        values = assigned(spec, {"s": text})
        evaluation = Evaluation(values)
        taken = [end.outcome for end in run.exits if evaluation.condition(end.condition)]
        assert len(taken) == 1
        assert isinstance(taken[0], Returned)
        assert known(taken[0].value, evaluation) == namespace["f"](text)
        again = concrete(spec, run.shape, values)["s"]
        assert namespace["f"](again) == namespace["f"](text)


def test_a_text_beside_its_method_is_not_read() -> None:
    spec, source = seen(SPACES, "t = s.strip(' ')\nreturn s[0]")
    with pytest.raises(NotRead):
        Reader(spec).run(source, {"s": 1})


def test_two_texts_of_which_the_same_is_seen_are_not_taken_for_one() -> None:
    text = SPEC.format(method=SPACES, value="len(t) + len(u)").replace("[output]", OTHER_TEXT)
    spec = spec_from_toml(text.replace("[reference]", "u = \"o.strip(' ')\"\n[reference]"))
    kept = "[x for x in ({},) if n > 3]"
    body = f"if s.strip(' ') == o.strip(' '):\n    if {kept.format('s')} != {kept.format('o')}:\n        return 99\n"
    source = "def f(s, o, n):\n" + "".join(f"    {line}\n" for line in body.splitlines()) + "    return 1\n"
    through = seen_through(spec, source)
    assert through is not None
    with pytest.raises(NotRead):
        Reader(through).run(source, {"s": 0, "o": 0})
