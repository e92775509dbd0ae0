"""Rules that pick what is not in a list, tried where only one thing is left to pick."""

from __future__ import annotations

import pytest
from neurosym_specs.loader import spec_from_toml
from neurosym_specs.verdicts import Refuted, Standing, combine
from neurosym_verifiers.bench import Bench, Effort
from neurosym_verifiers.judgement import Judgement
from neurosym_verifiers.search.memberships import nearly_full
from neurosym_verifiers.search.observe import Lookout

SPEC = """
spec = 1
name = "free_seat"
[types.Seat]
type = "int"
min = 1
max = 500
[inputs]
wish = { type = "int", min = 1, max = 14 }
taken = { type = "list[Seat]", max_len = MOST }
[output]
type = "int"
[let]
odd_free = "[n for n in range(1, 29) if n % 2 == 1 and n not in taken]"
from_wish = "[n for n in odd_free if n >= 2 * wish]"
[[require]]
id = "one is free"
that = "len(odd_free) > 0"
[reference]
value = "from_wish[0] if len(from_wish) > 0 else odd_free[-1]"
"""

RIGHT = """
def free_seat(wish: int, taken: list[int]) -> int:
    free = [n for n in range(1, 29, 2) if n not in taken]
    later = [n for n in free if n >= 2 * wish]
    return later[0] if later else free[-1]
"""
FORGETS_THE_FIRST = RIGHT.replace("free[-1]", "(free[-1] if free[-1] > 1 else 3)")


def test_every_one_of_what_is_asked_for_is_left_alone_once() -> None:
    spec = spec_from_toml(SPEC.replace("MOST", "14"))
    seed = {"wish": 3, "taken": [400, 7]}
    shots = list(nearly_full(spec.inputs, seed, Lookout(spec)))
    odd = set(range(1, 29, 2))
    assert set(shots[0]["taken"]) == odd  # that even numbers are asked for makes no difference
    assert [odd - set(shot["taken"]) for shot in shots[1:]] == [{n} for n in sorted(odd)]
    assert all(shot["wish"] == 3 for shot in shots)
    assert seed == {"wish": 3, "taken": [400, 7]}


def test_lists_are_no_longer_than_their_type_allows() -> None:
    spec = spec_from_toml(SPEC.replace("MOST", "13"))
    shots = list(nearly_full(spec.inputs, {"wish": 3, "taken": []}, Lookout(spec)))
    assert {len(shot["taken"]) for shot in shots} == {13}
    short = spec_from_toml(SPEC.replace("MOST", "12"))
    assert not list(nearly_full(short.inputs, {"wish": 3, "taken": []}, Lookout(short)))


@pytest.mark.parametrize("seed", range(3))
def test_a_fault_that_shows_only_where_one_thing_is_left_is_found(seed: int) -> None:
    effort = Effort(examples=20, seed=seed, proof=False)
    with Bench(spec_from_toml(SPEC.replace("MOST", "14")), effort) as bench:
        wrong, right = bench.judge(FORGETS_THE_FIRST), bench.judge(RIGHT)
    assert isinstance(wrong, Judgement)
    assert isinstance(right, Judgement)
    refuted = [verdict for verdict in wrong.verdicts.values() if isinstance(verdict, Refuted)]
    assert refuted
    assert combine(right.verdicts.values()) is Standing.TESTED
