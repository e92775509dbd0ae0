"""Loops of many rounds: the reading held against CPython, and induction that shows what is so and nothing else."""

from __future__ import annotations

import random
from typing import Any

import pytest
from neurosym_specs.loader import spec_from_toml
from neurosym_specs.model import Spec
from neurosym_specs.verdicts import Proved, Refuted, Standing, Tested, combine
from neurosym_verifiers.bench import Bench, Effort
from neurosym_verifiers.judgement import Judgement
from neurosym_verifiers.proof.claims import Reader
from neurosym_verifiers.proof.holding import known
from neurosym_verifiers.proof.induction import ask_by_induction
from neurosym_verifiers.proof.messages import Answer
from neurosym_verifiers.proof.runs import CandidateReading
from neurosym_verifiers.proof.solver import Solver
from neurosym_verifiers.reading.data.values import NotRead
from neurosym_verifiers.reading.depth import deep_recursion
from neurosym_verifiers.reading.execution.state import Raised
from neurosym_verifiers.reading.formulas.bounds import Spans
from neurosym_verifiers.reading.formulas.evaluating import Evaluation
from neurosym_verifiers.reading.formulas.iterated import Iterated, place
from neurosym_verifiers.reading.formulas.normal_forms import at_most, below, both, either, equal, negated
from neurosym_verifiers.reading.formulas.terms import FALSE, Condition, atom, number, variable
from neurosym_verifiers.reading.inputs.assignments import assigned
from neurosym_verifiers.reading.inputs.crossing import in_spec

SPEC = """
spec = 1
name = "grown"
[inputs]
start = { type = "int", min = -50, max = 1000000 }
rate = { type = "int", min = -3, max = 40 }
rounds = { type = "int", min = -3, max = 700 }
[output]
type = "int"
[[reject]]
id = "negative"
when = "start < 0 or rate < 0 or rounds < 0"
raises = "ValueError"
[reference]
python = '''
def grown(start, rate, rounds):
    balance = start
    for _ in range(rounds):
        balance += (balance * rate + 50) // 100
    return balance
'''
"""

RIGHT = """
def grown(start: int, rate: int, rounds: int) -> int:
    if start < 0 or rate < 0 or rounds < 0:
        raise ValueError("negative")
    total = start
    for _ in range(rounds):
        interest = (2 * total * rate + 100) // 200
        total = total + interest
    return total
"""


def at_once(program: CandidateReading, spec: Spec, inputs: dict[str, int]) -> Any:
    """What the reading of a program comes to."""
    evaluation = Evaluation(assigned(spec, inputs))
    taken = [end for end in program.run({}).exits if evaluation.condition(end.condition)]
    assert len(taken) == 1
    end = taken[0].outcome
    return end.names[0] if isinstance(end, Raised) else known(in_spec(end.value), evaluation)


def by_python(source: str, inputs: dict[str, int]) -> Any:
    names: dict[str, Any] = {}
    exec(source, names)  # a program of this test
    try:
        return names["grown"](**inputs)
    except (ValueError, ArithmeticError) as error:
        return type(error).__name__


class Writer:
    """Random loops over a few numbers."""

    def __init__(self, seed: int) -> None:
        self._rng = random.Random(seed)

    def program(self) -> str:
        first = self._rng.choice(["rounds", "rounds + 2", "0, rounds", "1, rounds + 1", "2, rounds", "-1, rounds"])
        body = [self._statement(0) for _ in range(self._rng.randint(1, 4))]
        lines = [line for statement in body for line in statement]
        after = self._rng.choice(["x", "y", "x - y", "x if y > 3 else z", "(x + z) // 3", "max(x, y, z)"])
        end = ["    else:", "        z = z + 1"] if self._rng.random() < 0.2 else []
        loop = [f"    for k in range({first}):", *(f"        {line}" for line in lines), *end]
        return "\n".join(
            ["def grown(start, rate, rounds):", "    x, y, z = start, 1, rate", *loop, f"    return {after}", ""]
        )

    def _statement(self, depth: int) -> list[str]:
        choice = self._rng.random()
        if choice < 0.25 and depth < 2:
            inner = [f"    {line}" for _ in range(self._rng.randint(1, 2)) for line in self._statement(depth + 1)]
            other = [f"    {line}" for line in self._statement(depth + 1)] if self._rng.random() < 0.5 else ["    pass"]
            return [f"if {self._test()}:", *inner, "else:", *other]
        if choice < 0.35:
            return [f"if {self._test()}:", "    continue"]
        if choice < 0.5:
            return [f"t = {self._value()}", f"x = {self._small('t')}"]
        return [f"{self._rng.choice('xyz')} = {self._small(self._value())}"]

    def _test(self) -> str:
        left, op = self._rng.choice("xyzk"), self._rng.choice(["<", "<=", "==", ">", "!="])
        return f"{left} {op} {self._rng.choice(['x', 'y', 'k', '0', '7', 'rate'])}"

    def _value(self) -> str:
        a, b = (self._rng.choice(["x", "y", "z", "k", "rate", "3", "-2"]) for _ in range(2))
        return self._rng.choice(
            [
                f"{a} + {b}",
                f"{a} - {b}",
                f"{a} * 2 + {b}",
                f"({a} * rate + {b}) // 7",
                f"min({a}, {b})",
                f"{a} % 5 + {b}",
            ]
        )

    def _small(self, value: str) -> str:
        """Kept from growing without end."""
        return f"({value}) % 1009" if self._rng.random() < 0.8 else f"({value}) // 2"


def drawn(rng: random.Random) -> dict[str, int]:
    return {
        "start": rng.choice([0, 1, rng.randint(0, 1000)]),
        "rate": rng.choice([0, 1, 40, rng.randint(0, 40)]),
        "rounds": rng.choice([-3, -1, 0, 1, 2, 3, rng.randint(0, 40), 410]),
    }


def held(seeds: range) -> int:
    """How many of the programs were read; all of these did what CPython does."""
    spec = spec_from_toml(SPEC)
    reader = Reader(spec)
    read = 0
    for seed in seeds:
        source = Writer(seed).program()
        candidate, rng = reader.candidate(source), random.Random(seed)
        with deep_recursion():
            try:
                candidate.run({})
            except NotRead:
                continue
            read += 1
            assert candidate.has_long_loops
            for _ in range(12):
                inputs = drawn(rng)
                assert at_once(candidate, spec, inputs) == by_python(source, inputs), f"{inputs}\n{source}"
    return read


def test_random_loops_are_read_as_they_run() -> None:
    assert held(range(120)) >= 80


@pytest.mark.slow
def test_many_random_loops() -> None:
    assert held(range(1000, 6000)) >= 3500


LOOP = """
def grown(start: int, rate: int, rounds: int) -> int:
    x = start
    rows = []
    k = 0
    for _ in range(rounds):
{}
    return {}
"""


@pytest.mark.parametrize(
    ("body", "result"),
    [
        ("        rows.insert(0, x)", "len(rows)"),
        ("        x += len(rows)\n        rows.append(x)", "x"),
        ("        if rows:\n            x += 1\n        rows.append(x)", "x"),
        ("        if x > 9:\n            rows.append(x)", "len(rows)"),
        ("        rows.append(x)\n        rows.append(x)", "len(rows)"),
        ("        rows.append(rows)", "len(rows)"),
        ("        rows = [*rows, x]", "len(rows)"),
        ("        step = x\n        x += 2", "step"),
        ("        x += 1", "_"),
        ("        x = x / 2", "x"),
        ("        for j in range(rounds):\n            x += x % 3", "x"),
    ],
)
def test_rounds_that_do_more_than_to_change_numbers_are_not_read(body: str, result: str) -> None:
    candidate = Reader(spec_from_toml(SPEC)).candidate(LOOP.format(body, result))
    with pytest.raises(NotRead):
        candidate.run({})


YIELDS = """
def grown(start: int, rate: int, rounds: int) -> int:
    def steps():
        x = start
        for _ in range(rounds):
            yield x
            x += rate
    return sum(steps()) + start
"""

SHADOWED = """
def grown(start: int, rate: int, rounds: int) -> int:
    x = start
    def more():
        return x + 1
    for _ in range(rounds):
        x = more() % 100
        x = sum(x for x in (x, rate)) % 1000
    return x
"""


def test_what_a_round_does_beside_its_names_is_not_lost() -> None:
    spec = spec_from_toml(SPEC)
    with pytest.raises(NotRead):
        Reader(spec).candidate(YIELDS).run({})
    candidate = Reader(spec).candidate(SHADOWED)
    try:
        candidate.run({})
    except NotRead:
        return
    for inputs in ({"start": 5, "rate": 7, "rounds": n} for n in (0, 1, 2, 50)):
        assert at_once(candidate, spec, inputs) == by_python(SHADOWED, inputs)


REDUCED = """
from functools import reduce
def grown(start, rate, rounds):
    rows = []
    def more(total, k):
        rows.append(k)
        if total > 300:
            raise ValueError("too many")
        return total + rate + 12 // (k - 30)
    try:
        total = reduce(more, range(rounds), start)
    except ValueError:
        return -len(rows)
    return 1000 * total + len(rows)
"""


def test_what_a_function_does_in_each_round_of_reduce_is_not_lost() -> None:
    spec = spec_from_toml(SPEC)
    candidate = Reader(spec).candidate(REDUCED)
    candidate.run({})
    assert candidate.has_long_loops
    for inputs in ({"start": s, "rate": r, "rounds": n} for s in (0, 299, 301) for r in (0, 40) for n in (0, 1, 9, 50)):
        assert at_once(candidate, spec, inputs) == by_python(REDUCED, inputs)


def shown(source: str, *clauses: str, spec: str = SPEC) -> dict[str, bool]:
    """Which of the claims that induction is needed for it shows; those that need none are as the solver has them."""
    found: dict[str, bool] = {}
    read = spec_from_toml(spec + "\n".join(clauses))
    with Solver() as solver:

        def ask(condition: Condition, bounds: Spans, units: int | None) -> Answer:
            return solver.ask(condition, bounds, seconds=20, units=units or 10_000_000)

        for claim in Reader(read).claims(source).claims:
            induction = ask_by_induction(claim.against, claim.bounds, ask, claim.prefixes)
            plain = claim.against == FALSE or ask(claim.against, claim.bounds, None).verdict == "unsat"
            found[claim.obligation] = plain or (induction is not None and induction.answer.verdict == "unsat")
    return found


@pytest.mark.parametrize(
    ("clause", "proved"),
    [
        ('that = "result >= start"', True),
        ('that = "result >= 0"', True),
        ('when = "rate == 0"\nthat = "result == start"', True),
        ('when = "rounds == 0"\nthat = "result == start"', True),
        ('when = "start == 0"\nthat = "result == 0"', True),
        ('that = "result > start"', False),
        ('that = "result <= start"', False),
        ('when = "rounds <= 1"\nthat = "result == start"', False),
        ('that = "result <= 2 * start + 1"', False),
        ('that = "result != 12345678"', False),
        ('when = "rate >= 1 and start >= 50 and rounds >= 1"\nthat = "result == start + 1"', False),
    ],
)
def test_a_clause_about_a_long_loop_is_proved_only_if_it_holds(clause: str, proved: bool) -> None:
    assert shown(RIGHT, f'[[ensure]]\nid = "extra"\n{clause}\n')["ensure: extra"] is proved


SAME = "a.rate == b.rate and a.rounds == b.rounds"


@pytest.mark.parametrize(
    ("given", "that", "proved"),
    [
        (f"{SAME} and a.start <= b.start", "a.result <= b.result", True),
        ("a.start <= b.start and a.rate <= b.rate and a.rounds <= b.rounds", "a.result <= b.result", True),
        ("a.start == b.start and a.rate == b.rate and b.rounds == a.rounds + 1", "b.result >= a.result", True),
        (
            "a.start == b.start and a.rate == b.rate and b.rounds == a.rounds + 2",
            "b.result >= a.result + (a.result * a.rate) // 100 - 1",
            True,
        ),
        (f"{SAME} and a.start <= b.start", "a.result < b.result", False),
        (f"{SAME} and a.start <= b.start", "a.result >= b.result", False),
        ("a.start <= b.start and a.rate <= b.rate", "a.result <= b.result", False),
        ("a.rounds <= b.rounds and a.rate <= b.rate", "a.result <= b.result", False),
        (f"{SAME} and b.start == a.start + 1", "b.result == a.result + 1", False),
        ("a.start == b.start and a.rate == b.rate and b.rounds == a.rounds + 1", "b.result > a.result", False),
    ],
)
def test_a_relation_of_two_long_loops_is_proved_only_if_it_holds(given: str, that: str, proved: bool) -> None:
    relation = f'[[relation]]\nid = "extra"\ngiven = "{given}"\nthat = "{that}"\n'
    assert shown(RIGHT, relation)["relation: extra"] is proved


@pytest.mark.parametrize(
    ("old", "new", "same"),
    [
        ("        total = total + interest", "        pass", False),
        ("(2 * total * rate + 100) // 200", "(total * rate + 50) // 100", True),
        ("(2 * total * rate + 100) // 200", "-((-total * rate - 50) // 100) - 1", False),
        ("(2 * total * rate + 100) // 200", "(total * rate + 49) // 100", False),
        ("(2 * total * rate + 100) // 200", "(total * rate) // 100", False),
        (
            "(2 * total * rate + 100) // 200",
            "(total * rate) // 100\n        if total * rate % 100 >= 50:\n            interest += 1",
            True,
        ),
        ("(2 * total * rate + 100) // 200", "(start * rate + 50) // 100", False),
        ("range(rounds)", "range(1, rounds + 1)", True),
        ("range(rounds)", "range(1, rounds)", False),
        ("range(rounds)", "range(rounds + 1)", False),
        ("total = start\n", "total = start + 1\n", False),
        ("total = total + interest", "total = total + interest + (1 if _ == 500 else 0)", False),
        ("total = total + interest", "total = total + interest + (1 if _ > 800 else 0)", True),
    ],
)
def test_two_loops_are_the_same_only_if_their_rounds_are(old: str, new: str, same: bool) -> None:
    assert old in RIGHT
    assert shown(RIGHT.replace(old, new))["reference"] is same


STAMPS = """
spec = 1
name = "stamps"
[inputs]
cards = { type = "int", min = 0, max = 60 }
[output]
type = "int"
[[ensure]]
id = "at most"
that = "result <= MOST"
[[ensure]]
id = "none"
that = "result >= 0"
"""

STAMPED = """
def stamps(cards: int) -> int:
    total = 0
    for _ in range(cards):
        total += 6 + (total >= 0)
    return total
"""


@pytest.mark.parametrize(("most", "expected"), [(420, Proved), (419, Refuted)])
def test_what_no_round_keeps_is_shown_by_going_through_all_of_them(most: int, expected: type) -> None:
    """That the sum stays below a number is kept by no round; 60 rounds can be gone through."""
    with Bench(spec_from_toml(STAMPS.replace("MOST", str(most))), Effort(examples=20, time_limit_s=60)) as bench:
        found = bench.judge(STAMPED)
    assert isinstance(found, Judgement)
    verdicts = {obligation.id: verdict for obligation, verdict in found.verdicts.items()}
    assert isinstance(verdicts["ensure: at most"], expected)
    if expected is Proved:
        none = verdicts["ensure: none"]
        assert isinstance(none, Proved)
        assert "induction" in none.method
        assert combine(verdicts.values()) is Standing.PROVED


ONE_LOOP_ON_TWO_PATHS = """
def grown(start: int, rate: int, rounds: int) -> int:
    if start < 0:
        if rate * start == -11:
            total = start
            for _ in range(rounds):
                total = total + total % 7
            return total
        return 0
    total = start
    for _ in range(rounds):
        total = total + total % 7
    return total
"""


def test_what_one_path_knows_of_a_loop_is_not_known_on_another() -> None:
    spec = SPEC.partition("[[reject]]")[0]
    never_negative = "[[ensure]]\nid = 'sign'\nthat = 'result >= 0'"
    cut = ONE_LOOP_ON_TWO_PATHS.replace("            return total", "            return max(total, 0)")
    assert not shown(ONE_LOOP_ON_TWO_PATHS, never_negative, spec=spec)["ensure: sign"]
    assert shown(cut, never_negative, spec=spec)["ensure: sign"]


def test_a_loop_is_the_shorter_one_and_a_round_only_where_the_shorter_one_has_none_to_spare() -> None:
    many, some, first = variable("n", -20, 700), variable("n", 0, 700), variable("x", 0, 9)
    step = (variable(place(0), None, None) + number(1),)
    shorter, longer = (atom(Iterated(step, (first,), n, ("t",))) for n in (some, many + number(1)))
    inside = both(at_most(number(0), many), negated(equal(longer, shorter + number(1))))
    outside = both(below(many, number(0)), negated(equal(longer, first + number(1))))
    against = either(inside, outside)
    assert Evaluation({"n": -1, "x": 0}).condition(against)
    with Solver() as solver:

        def ask(condition: Condition, bounds: Spans, units: int | None) -> Answer:
            return solver.ask(condition, bounds, seconds=20, units=units or 10_000_000)

        assert ask_by_induction(against, {"n": (-20, 700), "x": (0, 9)}, ask) is None


RELATIONS = """
[[ensure]]
id = "grows"
that = "result >= start"
[[relation]]
id = "more"
given = "a.start <= b.start and a.rate <= b.rate and a.rounds <= b.rounds"
that = "a.result <= b.result"
"""


def test_a_program_with_a_long_loop_is_proved_and_the_verdict_names_the_invariants() -> None:
    with Bench(spec_from_toml(SPEC + RELATIONS), Effort(examples=20, time_limit_s=60)) as bench:
        found = bench.judge(RIGHT)
        late = bench.judge(RIGHT.replace("total = total + interest", "total = total + interest + (_ == 650)"))
        left_out = bench.judge(RIGHT.replace("range(rounds)", "range(1, rounds)"))
    assert isinstance(found, Judgement)
    verdicts = {obligation.id: verdict for obligation, verdict in found.verdicts.items()}
    assert combine(verdicts.values()) is Standing.PROVED
    more, reference, grows = (verdicts[name] for name in ("relation: more", "reference", "ensure: grows"))
    assert isinstance(more, Proved)
    assert "that a.total is not negative" in more.method
    assert "that a.total is not above b.total" in more.method
    assert isinstance(reference, Proved)
    assert "induction over the rounds" in reference.method
    assert isinstance(grows, Proved)
    assert "induction over the rounds of a loop" in grows.method
    assert isinstance(late, Judgement)
    assert isinstance(next(v for o, v in late.verdicts.items() if o.id == "reference"), (Refuted, Tested))
    assert isinstance(left_out, Judgement)
    assert any(isinstance(verdict, Refuted) for verdict in left_out.verdicts.values())
