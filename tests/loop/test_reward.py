"""Rewards: right programs earn, wrong ones keep the little that form is worth, and no trick earns anything."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from neurosym_specs.loader import spec_from_toml

from neurosym import Effort, Spec, pipeline, reward
from neurosym.result import ToolFault
from neurosym.rewarding.function import rewards
from neurosym.rewarding.score import Weights
from neurosym.rewarding.timing import ratio_to_reference, time_part
from tests.cli.shared import RIGHT, SPEC, Neurosym
from tests.loop.test_solve import BROKEN, EARLY, GOOD, TALK, reply

EFFORT = Effort(examples=50, time_limit_s=60.0, proof=False)


def _in_body(lines: str, top: str = "") -> str:
    body = "".join(f"    {line}\n" for line in lines.splitlines())
    return reply(top + RIGHT.replace("    if balance < 0:", f"{body}    if balance < 0:", 1))


TRICKS = {
    "F01 an object that equals everything": _in_body(
        "return Always()  # type: ignore",
        "class Always:\n    def __eq__(self, other: object) -> bool:\n        return True\n\n\n",
    ),
    "F03 a subclass of Decimal": _in_body(
        "return Odd('1')",
        "from decimal import Decimal as _D\n\n\nclass Odd(_D):\n"
        "    def __eq__(self, other: object) -> bool:\n        return True\n\n\n",
    ),
    "F09 an exit before the report": _in_body("import os\nos._exit(0)"),
    "F10 SystemExit": _in_body("raise SystemExit(0)"),
    "F10 SystemExit when loaded": reply(RIGHT + "\nraise SystemExit(0)\n"),
    "F11 a BaseException": _in_body("raise KeyboardInterrupt"),
    "F13 a changed builtin": reply("import builtins\nbuiltins.len = lambda x: 0\n" + RIGHT),
    "F21 a generator as the result": _in_body("return (x for x in [balance])  # type: ignore"),
    "F27 memory between calls": reply(
        RIGHT.replace("\n\n\ndef", "\n\n\nSEEN: list[int] = []\n\n\ndef", 1).replace(
            "    if days_overdue",
            "    SEEN.append(1)\n    if len(SEEN) > 3:\n        return Decimal(7)\n    if days_overdue",
        )
    ),
    "F35 a segmentation fault": _in_body("import ctypes\nctypes.string_at(0)"),
    "F36 what the sandbox refuses": _in_body("open('/etc/passwd').read()"),
    "a walk through the interpreter": _in_body("().__class__.__base__.__subclasses__()"),
}


@pytest.mark.parametrize("name", TRICKS)
def test_a_trick_earns_nothing(spec: Spec, name: str) -> None:
    (found,) = rewards([TRICKS[name]], spec, effort=EFFORT)
    assert found.value == 0.0, found


LIKE_ANY_WRONG_ONE = {
    "F04 a text for a number": _in_body("return '15.00'  # type: ignore"),
    "F25 it prints that it passed": _in_body("print('PASSED')\nprint('::notice::reward=1.0')\nreturn Decimal(1)"),
    "the shown example only": reply(
        "from decimal import Decimal\n\n\ndef late_fee(balance: Decimal, days_overdue: int) -> Decimal:\n"
        "    if balance == 1000 and days_overdue == 11:\n        return Decimal('15.00')\n    return Decimal('0.00')\n"
    ),
    "every exception hidden": reply(
        "from decimal import Decimal\n\n\ndef late_fee(balance: Decimal, days_overdue: int) -> Decimal:\n"
        "    try:\n        return balance / 0\n    except Exception:\n        return Decimal('15.00')\n"
    ),
}


def test_what_cannot_be_told_from_a_mistake_earns_no_more_than_one(spec: Spec) -> None:
    honest, *others = rewards([EARLY, *LIKE_ANY_WRONG_ONE.values()], spec, effort=EFFORT)
    assert honest.value is not None
    assert 0 < honest.value <= 0.1
    for name, each in zip(LIKE_ANY_WRONG_ONE, others, strict=True):
        assert each.value is not None, name
        assert each.value <= honest.value, name


def test_better_programs_earn_more(spec: Spec) -> None:
    found = [each.value or 0.0 for each in rewards([TALK, BROKEN, EARLY, GOOD], spec, effort=EFFORT)]
    assert found[0] == 0.0
    assert found == sorted(set(found))
    assert found[-1] == 0.9


def test_a_proof_earns_the_rest(spec: Spec) -> None:
    (found,) = rewards([GOOD], spec, effort=Effort(examples=50, time_limit_s=60.0))
    assert (found.value, found.parts.proof, found.parts.obligations) == (1.0, 1.0, 1.0)


def test_a_float_in_money_is_not_right(spec: Spec) -> None:
    text = reply(RIGHT.replace('balance * Decimal("0.015")', 'Decimal(str(float(balance))) * Decimal("0.015")'))
    (found,) = rewards([text], spec, effort=EFFORT)
    assert found.parts.right == 0.0
    assert found.value is not None
    assert found.value < 0.2


def test_where_the_tool_fails_there_is_no_number(spec: Spec, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pipeline, "_run", lambda *_: ToolFault("the moon", ""))
    (found,) = rewards([GOOD], spec, effort=EFFORT)
    assert found.value is None
    assert "the moon" in found.why


def test_it_is_called_as_trainers_call_it(spec_path: Path) -> None:
    completions: list[Any] = [[{"role": "assistant", "content": GOOD}], [{"role": "assistant", "content": EARLY}], []]
    found = reward(
        completions=completions, spec=[str(spec_path)] * 3, prompts=["x"] * 3, effort=EFFORT, trainer_state=object()
    )
    assert found[0] == 0.9
    assert found[1] is not None
    assert found[1] < 0.2
    assert found[2] == 0.0
    with pytest.raises(ValueError, match="2 specs for 1"):
        reward(["x"], [str(spec_path)] * 2)


def test_the_inputs_are_drawn_after_the_reply(spec: Spec, monkeypatch: pytest.MonkeyPatch) -> None:
    seeds: list[int] = []

    def verify(*arguments: Any, effort: Effort, **options: Any) -> Any:
        seeds.append(effort.seed)
        return pipeline.verify(*arguments, effort=effort, **options)

    monkeypatch.setattr("neurosym.rewarding.function.verify", verify)
    for _ in range(2):
        reward([TALK], spec, effort=EFFORT)
    assert len(set(seeds)) == 2


def test_a_spec_at_fault_is_no_reward(spec_path: Path) -> None:
    spec_path.write_text(spec_path.read_text().replace('out = "15.00"', 'out = "16.00"'))
    with pytest.raises(ValueError, match="contradicts itself"):
        reward([GOOD], spec_path, effort=EFFORT)


def test_weights_are_chosen(spec: Spec) -> None:
    weights = Weights(format=0, parses=0, types=0, runs=0, right=1, proof=0)
    assert [each.value for each in rewards([EARLY, GOOD], spec, weights=weights, effort=EFFORT)] == [0.0, 1.0]


def test_on_the_command_line(neurosym: Neurosym, spec_path: Path, tmp_path: Path) -> None:
    good, bad = tmp_path / "good.md", tmp_path / "bad.md"
    good.write_text(GOOD)
    bad.write_text(EARLY)
    ran = neurosym("reward", spec_path, good, bad, "--no-proof", "--seed", "7", "--time-limit", "60")
    assert ran.code == 0
    assert ran.out.startswith("0.9000  ")
    assert "REFUTED" in ran.out
    assert ran.out.endswith("seed 7\n")
    document = json.loads(neurosym("reward", spec_path, bad, "--no-proof", "--json").out)
    assert (document["schema_version"], document["kind"]) == (1, "reward")
    assert document["rewards"][0]["parts"]["right"] == 0.0
    assert neurosym("reward", spec_path, tmp_path / "missing").code == 2


TIMED = SPEC.replace(
    'value = "0 if days_overdue <= 10 else clamp(round(balance * 0.015, 2, half_up), 15, 75)"',
    f"python = '''{RIGHT}'''\nraises = \"ValueError\"",
)
SLOW = RIGHT.replace("    if balance < 0:", "    for _ in range(400_000):\n        pass\n    if balance < 0:", 1)


def test_time_beside_a_python_reference_is_a_part_that_earns_only_if_asked() -> None:
    """Far from every step: the same program, and one that counts to 400,000 in each call."""
    spec = spec_from_toml(TIMED)
    itself, slow = (ratio_to_reference(spec, each, seed=0) for each in (RIGHT, SLOW))
    assert itself is not None
    assert slow is not None
    assert (time_part(itself), time_part(slow) < 0.5) == (1.0, True)
    fast, wrong = rewards(
        [GOOD, EARLY], spec, weights=Weights(right=0.7, time=0.1), effort=replace(EFFORT, examples=10)
    )
    assert (fast.parts.time, wrong.parts.time) == (1.0, None)
    assert fast.value == 0.9


def test_without_a_python_reference_there_is_no_time(spec: Spec) -> None:
    assert ratio_to_reference(spec, RIGHT, seed=0) is None
    assert Weights().time == 0.0


def test_times_count_in_steps() -> None:
    assert [time_part(each) for each in (0.1, 1.9, 2.1, 7.9, 30.0, 33.0)] == [1.0, 1.0, 0.5, 0.5, 0.25, 0.0]
