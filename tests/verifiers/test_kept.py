"""A spec that was prepared is not prepared again by the same thread, and nothing that is judged comes out otherwise."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest
from neurosym_specs.loader import spec_from_toml
from neurosym_specs.verdicts import Verdict
from neurosym_verifiers import kept
from neurosym_verifiers.bench import Bench, Effort
from neurosym_verifiers.judgement import Judgement
from neurosym_verifiers.kept import MOST, prepared_once
from neurosym_verifiers.preparation import Preparation

DOUBLE = """
spec = 1
name = "f"
[inputs]
x = { type = "int", min = 0, max = 1000 }
[output]
type = "int"
[[reject]]
id = "seven"
when = "x == 7"
raises = "ValueError"
[reference]
value = "2 * x"
"""
RIGHT = "def f(x):\n    if x == 7:\n        raise ValueError\n    return 2 * x\n"
WRONG = RIGHT.replace("2 * x", "2 * x + (x == 613)")


def prepared(text: str = DOUBLE, **changes: object) -> Preparation:
    asked = {"seed": 0, "examples": 5} | changes
    return prepared_once(spec_from_toml(text), **asked)  # type: ignore[arg-type]


def test_what_says_the_same_is_prepared_once_and_what_differs_is_not() -> None:
    first = prepared()
    assert prepared() is first
    assert prepared_once(replace(spec_from_toml(DOUBLE), path="elsewhere.spec.toml"), seed=0, examples=5) is first
    others = [prepared(seed=1), prepared(examples=6), prepared(DOUBLE.replace("1000", "1001"))]
    same_bytes = spec_from_toml(DOUBLE)  # the hash of its file stays, whatever is put into it later
    others.append(prepared_once(replace(same_bytes, rejects=()), seed=0, examples=5))
    assert len({id(each) for each in [first, *others]}) == 5


def test_of_many_those_used_last_are_kept() -> None:
    first = prepared(seed=100)
    for seed in range(101, 100 + MOST):
        prepared(seed=seed)
        assert prepared(seed=100) is first
    prepared(seed=200)
    prepared(seed=201)
    assert len(kept._kept.by_key) == MOST
    assert prepared(seed=100) is first


def test_each_thread_prepares_for_itself() -> None:
    first = prepared()
    with ThreadPoolExecutor(1) as pool:
        assert pool.submit(prepared).result() is not first
    assert prepared() is first


@pytest.mark.parametrize("order", [(RIGHT, WRONG), (WRONG, RIGHT)])
def test_verdicts_do_not_depend_on_what_was_judged_before(order: tuple[str, ...]) -> None:
    def judged(source: str) -> list[Verdict]:
        with Bench(spec_from_toml(DOUBLE), Effort(examples=20, proof=False)) as bench:
            assert bench.spec_fault() is None
            found = bench.judge(source)
        assert isinstance(found, Judgement)
        return list(found.verdicts.values())

    kept._kept.by_key.clear()
    alone = []
    for source in order:
        alone.append(judged(source))
        kept._kept.by_key.clear()
    assert [judged(source) for source in order] == alone
    assert [judged(source) for source in order] == alone
