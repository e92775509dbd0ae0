"""Each way in which a candidate can be wrong, and each way in which a spec can, through the bench."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

import pytest
from neurosym_sandbox import JailLost, LoadFailed
from neurosym_specs.loader import spec_from_toml
from neurosym_specs.verdicts import (
    Counterexample,
    Failed,
    FailureClass,
    Proved,
    Refuted,
    Standing,
    Tested,
    Unknown,
    Vacuous,
    Verdict,
    combine,
)
from neurosym_verifiers.bench import Bench, Effort
from neurosym_verifiers.judgement import Judgement, NotLoaded
from neurosym_verifiers.refute import Refuter
from neurosym_verifiers.runner import LoadChanged

FEE = """
spec = 1
name = "fee"
[inputs]
amount = { type = "decimal", places = 2, min = "-10.00", max = "100000.00", unit = "EUR" }
late = { type = "int", min = 0, max = 400 }
[output]
type = "decimal"
places = 2
unit = "EUR"
[[reject]]
id = "negative"
when = "amount < 0"
raises = "ValueError"
[reference]
value = "0 if late <= 10 else round(amount * 0.015, 2, half_up)"
[[ensure]]
id = "grace"
when = "late <= 10"
that = "result == 0"
[[relation]]
id = "monotone"
monotone = { amount = "up" }
[[example]]
in = { amount = "1000.00", late = 11 }
out = "15.00"
[policy]
time_limit = "0.3s"
memory_limit = "100MB"
"""

RIGHT = """
from decimal import Decimal, ROUND_HALF_UP
def fee(amount: Decimal, late: int) -> Decimal:
    if amount < 0:
        raise ValueError("negative")
    if late <= 10:
        return Decimal("0.00")
    return (amount * Decimal("0.015")).quantize(Decimal("0.01"), rounding=ROUND_HALF_UP)
"""

SMALL = """
spec = 1
name = "f"
[inputs]
x = { type = "int", min = -5, max = 5 }
[output]
type = "int"
"""


@pytest.fixture(scope="module")
def bench() -> Iterator[Bench]:
    with Bench(spec_from_toml(FEE), Effort(examples=30, proof=False)) as prepared:
        assert prepared.spec_fault() is None
        yield prepared


def judged(bench: Bench, source: str) -> dict[str, Verdict]:
    found = bench.judge(source)
    assert isinstance(found, Judgement), found
    return {obligation.id: verdict for obligation, verdict in found.verdicts.items()}


def refuted(verdicts: dict[str, Verdict], obligation: str) -> Counterexample:
    verdict = verdicts[obligation]
    assert isinstance(verdict, Refuted), (obligation, verdicts)
    return verdict.counterexample


def test_a_right_candidate_is_tested_in_everything(bench: Bench) -> None:
    verdicts = judged(bench, RIGHT)
    assert combine(verdicts.values()) is Standing.TESTED
    assert isinstance(verdicts["example 1"], Proved)
    for id_, verdict in verdicts.items():
        assert id_ == "example 1" or (isinstance(verdict, Tested) and verdict.cases >= 100), (id_, verdict)


def test_the_wrong_rounding_is_refuted_with_its_smallest_tie(bench: Bench) -> None:
    found = refuted(judged(bench, RIGHT.replace("ROUND_HALF_UP", "ROUND_HALF_EVEN")), "reference")
    assert found.inputs == ({"amount": "3.00", "late": 11},)
    assert found.calls == ('fee(Decimal("3.00"), 11)',)
    assert (found.expected, found.actual, found.difference) == ("0.05 EUR", "0.04 EUR", "-0.01 EUR")
    assert found.failure is FailureClass.WRONG_VALUE


def test_a_threshold_taken_for_the_wrong_side_is_refuted_on_it(bench: Bench) -> None:
    verdicts = judged(bench, RIGHT.replace("late <= 10", "late < 10"))
    found = refuted(verdicts, "reference")
    assert found.inputs[0]["late"] == 10
    assert isinstance(verdicts["ensure: grace"], Refuted)


@pytest.mark.parametrize(
    ("change", "obligation", "failure"),
    [
        (('return Decimal("0.00")', "return 0"), "returns", FailureClass.TYPE),
        (('return Decimal("0.00")', "return False"), "returns", FailureClass.TYPE),
        (('return Decimal("0.00")', 'return "0.00"'), "returns", FailureClass.TYPE),
        (('return Decimal("0.00")', "return object()"), "returns", FailureClass.TYPE),
        (('return Decimal("0.00")', "return 1 / 0"), "no crash", FailureClass.RUNTIME),
        (('return Decimal("0.00")', "return zero"), "no crash", FailureClass.NAME),
        (('return Decimal("0.00")', "import os"), "no crash", FailureClass.IMPORT),
        (('return Decimal("0.00")', "raise SystemExit"), "no crash", FailureClass.RUNTIME),
        (('return Decimal("0.00")', "return Decimal(len(input()))"), "no crash", FailureClass.RUNTIME),
        (('return Decimal("0.00")', "return Decimal(len([0] * 10**10))"), "no crash", FailureClass.MEMORY),
        (('return Decimal("0.00")', "return fee(amount, late)"), "no crash", FailureClass.RUNTIME),
        (('return Decimal("0.00")', "while True: pass"), "terminates", FailureClass.TIMEOUT),
        (('raise ValueError("negative")', 'raise KeyError("negative")'), "reject: negative", FailureClass.RUNTIME),
        (('raise ValueError("negative")', 'return Decimal("0.00")'), "reject: negative", FailureClass.WRONG_VALUE),
        (("if amount < 0:", "if amount <= 0:"), "no crash", FailureClass.RUNTIME),
    ],
)
def test_each_kind_of_fault_has_its_obligation_and_class(
    bench: Bench, change: tuple[str, str], obligation: str, failure: FailureClass
) -> None:
    assert RIGHT.count(change[0]) == 1
    found = refuted(judged(bench, RIGHT.replace(*change)), obligation)
    assert found.failure is failure


def test_a_result_with_too_many_decimals_is_refuted(bench: Bench) -> None:
    source = RIGHT.replace('return Decimal("0.00")', 'return Decimal("0.001")')
    assert "decimal" in refuted(judged(bench, source), "returns").actual


def test_a_raised_subclass_of_the_promised_exception_is_right(bench: Bench) -> None:
    source = RIGHT.replace("def fee", "class Negative(ValueError): pass\ndef fee").replace(
        'ValueError("negative")', "Negative()"
    )
    assert combine(judged(bench, source).values()) is Standing.TESTED


def test_an_exception_that_only_bears_the_promised_name_is_wrong(bench: Bench) -> None:
    source = RIGHT.replace("def fee", "class ValueError(Exception): pass\ndef fee")
    assert isinstance(judged(bench, source)["reject: negative"], Refuted)


def test_state_between_calls_is_refuted_by_the_shortest_sequence(bench: Bench) -> None:
    source = RIGHT.replace("def fee", "seen = []\ndef fee").replace(
        "    if late <= 10",
        "    seen.append(late)\n    if len(seen) > 40:\n        return Decimal('1.00')\n    if late <= 10",
    )
    found = refuted(judged(bench, source), "pure")
    assert found.failure is FailureClass.STATE
    assert len(found.calls) == 41


def test_a_call_that_is_right_once_is_refuted_by_itself_twice(bench: Bench) -> None:
    memo = "    if (amount, late) in seen:\n        return Decimal('7.00')\n    seen.add((amount, late))\n"
    source = RIGHT.replace("def fee", "seen = set()\ndef fee").replace("    if late <= 10", memo + "    if late <= 10")
    found = refuted(judged(bench, source), "pure")
    assert len(found.calls) == 2
    assert found.calls[0] == found.calls[1]


def test_dependence_on_the_hash_seed_is_refuted(bench: Bench) -> None:
    source = RIGHT.replace(
        'return Decimal("0.00")', 'return Decimal("0.00") if hash("x") % 2 else Decimal("0")'
    ).replace('Decimal("0")', 'Decimal("0.01")')
    verdicts = judged(bench, source)
    assert isinstance(verdicts["deterministic"], Refuted) or isinstance(verdicts["reference"], Refuted)


def test_the_first_fault_ends_the_work_and_the_rest_is_undecided(bench: Bench) -> None:
    verdicts = judged(bench, RIGHT.replace('return Decimal("0.00")', "return 0"))
    assert isinstance(verdicts["relation: monotone"], Unknown)


def test_what_a_candidate_prints_is_noted_and_changes_nothing(bench: Bench) -> None:
    found = bench.judge(RIGHT.replace("    if late", "    print('PASSED')\n    if late"))
    assert isinstance(found, Judgement)
    assert found.run.printed.startswith("PASSED")
    assert combine(found.verdicts.values()) is Standing.TESTED


@pytest.mark.parametrize(
    ("source", "failure"),
    [
        ("def fee(amount): return amount", FailureClass.SIGNATURE),
        ("def fees(amount, late): return amount", FailureClass.SIGNATURE),
        ("def fee(amount, late) return amount", FailureClass.SYNTAX),
        ("import socket\ndef fee(amount, late): return amount", FailureClass.IMPORT),
        ("x = undefined\ndef fee(amount, late): return amount", FailureClass.NAME),
        ("while True: pass\ndef fee(amount, late): return amount", FailureClass.TIMEOUT),
        ("1/0\ndef fee(amount, late): return amount", FailureClass.RUNTIME),
    ],
)
def test_a_program_that_does_not_load_has_its_class(bench: Bench, source: str, failure: FailureClass) -> None:
    found = bench.judge(source)
    assert isinstance(found, NotLoaded), found
    assert found.failure is failure


def test_the_same_seed_gives_the_same_verdicts_and_counterexamples() -> None:
    def once() -> list[object]:
        with Bench(spec_from_toml(FEE), Effort(examples=20, seed=4, proof=False)) as fresh:
            found = fresh.judge(RIGHT.replace("ROUND_HALF_UP", "ROUND_HALF_DOWN"))
            assert isinstance(found, Judgement)
            return list(found.verdicts.values())

    assert once() == once()


@pytest.mark.parametrize(
    ("lost", "verdict"),
    [
        (LoadChanged(LoadFailed("another reason every time")), Unknown),
        (JailLost("the jail was lost twice in a row"), Failed),
    ],
)
def test_a_failed_example_that_cannot_be_run_again_is_not_refuted(
    bench: Bench, monkeypatch: pytest.MonkeyPatch, lost: Exception, verdict: type[Verdict]
) -> None:
    def replay(*_: object) -> None:
        raise lost

    monkeypatch.setattr(Refuter, "example", replay)
    verdicts = judged(bench, RIGHT.replace("0.015", "0.025"))
    assert isinstance(verdicts["example 1"], verdict)
    assert isinstance(verdicts["reference"], Refuted)


def test_an_argument_that_is_changed_is_refuted() -> None:
    spec = spec_from_toml("""
spec = 1
name = "total"
[inputs]
xs = { type = "list[int]", max_len = 5 }
[output]
type = "int"
[reference]
value = "sum(xs)"
""")
    with Bench(spec, Effort(examples=20, proof=False)) as bench:
        found = refuted(judged(bench, "def total(xs):\n    t = sum(xs)\n    xs.clear()\n    return t\n"), "pure")
        assert found.failure is FailureClass.STATE
        assert found.calls == ("total([0])",)


def test_without_a_reference_ensures_and_relations_judge() -> None:
    spec = spec_from_toml("""
spec = 1
name = "clip"
[inputs]
x = { type = "int", min = -1000, max = 1000 }
[output]
type = "int"
[[ensure]]
id = "in range"
that = "0 <= result <= 100"
[[relation]]
id = "rising"
monotone = { x = "up" }
""")
    with Bench(spec, Effort(examples=20, proof=False)) as bench:
        assert combine(judged(bench, "def clip(x): return min(max(x, 0), 100)").values()) is Standing.TESTED
        assert isinstance(judged(bench, "def clip(x): return max(x, 0)")["ensure: in range"], Refuted)
        found = refuted(judged(bench, "def clip(x): return 5 if x < 7 else 4"), "relation: rising")
        assert len(found.calls) == 2


@pytest.mark.parametrize(("rest", "expected"), [(17, Tested), (9973, Unknown)])
def test_runs_that_are_rarely_met_are_looked_for_longer_while_that_comes_to_enough(rest: int, expected: type) -> None:
    spec = spec_from_toml(f"""
spec = 1
name = "f"
[inputs]
n = {{ type = "int", min = 0, max = 100000 }}
[output]
type = "int"
[[relation]]
id = "the same rest"
given = "a.n != b.n and a.n % {rest} == b.n % {rest}"
that = "a.result == b.result"
""")
    with Bench(spec, Effort(examples=20, proof=False)) as bench:
        found = judged(bench, f"def f(n: int) -> int:\n    return n % {rest}\n")["relation: the same rest"]
        assert isinstance(found, expected)


def test_a_clause_for_few_inputs_is_tested_on_all_of_them() -> None:
    spec = spec_from_toml("""
spec = 1
name = "f"
[inputs]
x = { type = "int", min = 0, max = 1000 }
on = { type = "bool" }
[output]
type = "int"
[reference]
value = "0 if x % 100 == 0 else x"
[[ensure]]
id = "hundreds"
when = "x % 100 == 0 and on"
that = "result == 0"
[[ensure]]
id = "never"
when = "x > 2000"
that = "result == 0"
""")
    with Bench(spec, Effort(examples=20, proof=False)) as bench:
        verdicts = judged(bench, "def f(x, on): return 0 if x % 100 == 0 else x")
        hundreds = verdicts["ensure: hundreds"]
        assert isinstance(hundreds, Tested)
        assert (hundreds.cases, hundreds.exhaustive) == (11, True)
        assert isinstance(verdicts["ensure: never"], Vacuous)
        assert combine(verdicts.values()) is Standing.UNKNOWN


@pytest.mark.parametrize(
    ("change", "clause"),
    [
        (('out = "15.00"', 'out = "15.01"'), "example 1"),
        (('amount = "1000.00", late = 11', 'amount = "-1.00", late = 11'), "example 1"),
        (('that = "result == 0"', 'that = "result > 0"'), "ensure: grace"),
        (('{ amount = "up" }', '{ amount = "down" }'), "relation: monotone"),
        (
            ("round(amount * 0.015, 2, half_up)", "round(amount * 0.015 * (late - 20) / (late - 20), 2, half_up)"),
            "reference",
        ),
        (("round(amount * 0.015, 2, half_up)", "amount * 0.015"), "reference"),
    ],
)
def test_a_spec_that_contradicts_itself_is_at_fault(change: tuple[str, str], clause: str) -> None:
    assert FEE.count(change[0]) == 1
    with Bench(spec_from_toml(FEE.replace(*change)), Effort(examples=20, proof=False)) as bench:
        fault = bench.spec_fault()
        assert fault is not None
        assert fault.clause == clause
        assert fault.counterexample is not None
        with pytest.raises(ValueError, match="at fault"):
            bench.judge(RIGHT)


def test_a_python_reference_is_judged_by_in_its_own_jail() -> None:
    spec = spec_from_toml("""
spec = 1
name = "f"
[inputs]
x = { type = "int", min = -5, max = 10000 }
[output]
type = "int"
[reference]
raises = "ValueError"
python = '''
def f(x):
    if x < 0:
        raise ValueError
    return x // 7
'''
""")
    with Bench(spec, Effort(examples=20, proof=False)) as bench:
        assert bench.spec_fault() is None
        right = "def f(x):\n    if x < 0: raise ValueError\n    return x // 7\n"
        verdicts = judged(bench, right)
        assert isinstance(verdicts["reference"], Tested)
        assert isinstance(judged(bench, right.replace("//", "-"))["reference"], Refuted)
        assert isinstance(judged(bench, right.replace("raise ValueError", "return 0"))["reference"], Refuted)


def test_a_broken_python_reference_is_the_specs_fault() -> None:
    text = f'{SMALL}[reference]\npython = "def f(x): return 1 // x"'
    with Bench(spec_from_toml(text), Effort(examples=20, proof=False)) as bench:
        fault = bench.spec_fault()
        assert fault is not None
        assert "ZeroDivisionError" in fault.message


OURS = re.compile(r"\b(TimedOut|MemoryExceeded|OutputExceeded|ResultExceeded|BadValue|Tampered|Exited|NumpyScalar)\b")


@pytest.mark.parametrize(
    "body",
    [
        "while True: pass",
        "return [0] * 10**9",
        "return print('x' * 10**7)",
        pytest.param("return 'x' * 6_000_000", marks=pytest.mark.slow),
        "return object()",
        "raise SystemExit",
        "return (x for x in [])",
    ],
)
def test_messages_name_no_classes_of_ours(body: str) -> None:
    text = f'{SMALL}[policy]\ntime_limit = "200ms"\n[reference]\n'
    candidate = f"def f(x):\n    {body}\n"
    with Bench(spec_from_toml(text + 'value = "x"'), Effort(examples=20, proof=False)) as bench:
        found = bench.judge(candidate)
        assert isinstance(found, Judgement)
        refuted = [verdict for verdict in found.verdicts.values() if isinstance(verdict, Refuted)]
        assert refuted
        assert not any(OURS.search(verdict.counterexample.actual) for verdict in refuted)
        loading = bench.judge(f"{body.removeprefix('return ')}\n{candidate}")
        assert not isinstance(loading, NotLoaded) or not OURS.search(loading.message)
    with Bench(spec_from_toml(text + f"python = {json.dumps(candidate)}"), Effort(examples=20, proof=False)) as bench:
        fault = bench.spec_fault()
        assert fault is not None
        assert not OURS.search(fault.message)
