"""Worked examples of one's own: which are taken, and that none is shown which is not right."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from neurosym.generators.local_server import LocalServer
from tests.cli.shared import RIGHT, SPEC, WRONG, Neurosym
from tests.loop.test_solve import GOOD

OWN = SPEC.replace('"late_fee"', '"early_fee"').replace("Late fee", "Early fee")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = tmp_path / "rules" / "fees"
    folder.mkdir(parents=True)
    (folder / "early_fee.spec.toml").write_text(OWN)
    (folder / "early_fee.py").write_text(RIGHT.replace("late_fee", "early_fee"))
    (folder / "without_code.spec.toml").write_text(OWN.replace("early_fee", "without_code"))
    return tmp_path / "rules"


@pytest.mark.slow
def test_the_nearest_of_ones_own_come_before_the_librarys(
    neurosym: Neurosym, spec_path: Path, folder: Path, tmp_path: Path
) -> None:
    ran = neurosym("prompt", spec_path, "--shots", "2", "--shots-from", folder, "--json")
    messages = json.loads(ran.out)["messages"]
    assert [each["role"] for each in messages] == ["system", "user", "assistant", "user", "assistant", "user"]
    assert "def early_fee" in messages[4]["text"]
    assert "def early_fee" not in messages[2]["text"]

    log = tmp_path / "log"
    with LocalServer([GOOD]) as server:
        ran = neurosym("solve", spec_path, "--model", "m", "--base-url", server.base_url, "--shots-from", folder,
                       "--no-proof", "--examples", "20", "--time-limit", "60", "--log", log)  # fmt: skip
        assert "def early_fee" in server.requests[0]["messages"][2]["content"]
    assert ran.code == 0
    assert len(json.loads(log.read_text().splitlines()[0])["own_shots"]) == 1


def test_the_spec_itself_is_no_example_of_itself(neurosym: Neurosym, spec_path: Path) -> None:
    spec_path.with_name("late_fee.py").write_text(RIGHT)
    ran = neurosym("prompt", spec_path, "--shots-from", spec_path.parent)
    assert ran.code == 0
    assert "max(fee, Decimal" not in ran.out


def test_an_example_that_is_not_right_is_not_shown(neurosym: Neurosym, spec_path: Path, folder: Path) -> None:
    (folder / "fees" / "early_fee.py").write_text(WRONG.replace("late_fee", "early_fee"))
    ran = neurosym("prompt", spec_path, "--shots-from", folder)
    assert (ran.code, ran.out) == (2, "")
    assert "early_fee.py is not right by its own spec: it is REFUTED; neurosym verify" in ran.err
    assert "NS708" in ran.err


def test_a_folder_without_examples(neurosym: Neurosym, spec_path: Path, tmp_path: Path) -> None:
    empty = tmp_path / "empty"
    empty.mkdir()
    assert "has no worked example" in neurosym("prompt", spec_path, "--shots-from", empty).err
    ran = neurosym("prompt", spec_path, "--shots-from", tmp_path / "missing")
    assert (ran.code, "there is no folder" in ran.err) == (2, True)
