"""The catalogue's attacks on whoever judges (section F), as replies of a model that is trained: none of them pays."""

from __future__ import annotations

import pytest
from neurosym_specs.loader import spec_from_toml

from neurosym import Effort
from neurosym.rewarding.function import rewards
from neurosym.rewarding.score import Reward
from tests.attacks.catalogue import ATTACKS
from tests.loop.test_solve import reply

SPEC = """
spec = 1
name = "f"
[inputs]
x = { type = "int", min = 0, max = 1000 }
[output]
type = "int"
[reference]
value = "2 * x"
[policy]
time_limit = "100ms"
"""
WRONG = "def f(x: int) -> int:\n    return 41\n"
RIGHT = "def f(x: int) -> int:\n    return x * 2\n"
EFFORT = Effort(examples=20, time_limit_s=60.0, proof=False)

F = [each for each in ATTACKS if each.section == "F"]
SOME = [each for each in F if each.number == 1][::3]


def rewarded(sources: list[str]) -> list[Reward]:
    return rewards([reply(each) for each in sources], spec_from_toml(SPEC), effort=EFFORT)


def _none_pays(names: list[str], sources: list[str]) -> None:
    """A trick that tries the judge earns nothing; one that looks like a mistake no more than a mistake does."""
    mistake, right, *found = rewarded([WRONG, RIGHT, *sources])
    assert mistake.value is not None
    assert right.value == 0.9
    for name, each in zip(names, found, strict=True):
        assert each.value is not None, name
        assert each.parts.right == each.parts.proof == 0.0, name
        assert each.value <= mistake.value <= 0.1, name


def test_some_attacks() -> None:
    assert len(SOME) > 8
    _none_pays([each.name for each in SOME], [each.source for each in SOME])


@pytest.mark.slow
def test_all_attacks() -> None:
    assert len({each.kind for each in F}) > 25
    _none_pays([each.name for each in F], [each.source for each in F])
