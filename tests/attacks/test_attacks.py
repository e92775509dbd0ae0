"""No attack reaches its aim, and each ends as its kind must, whoever runs the jail, whatever layer is gone."""

import json
import os
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest
from neurosym_sandbox import Jail, Level, Program, Returned

from tests.attacks.catalogue import ATTACKS
from tests.attacks.judge import (
    ONLY_SECCOMP,
    WITHOUT,
    WITHOUT_SECCOMP,
    Judged,
    attacks_for,
    jail_without,
    resident_bytes,
    run_all,
)
from tests.attacks.kinds import KINDS

ROOT = Path(__file__).resolve().parents[2]
KERNEL = [attack for attack in ATTACKS if attack.section in "ABCD"]
"""Those that layers of the kernel stop; the others meet the host's limits and its decoder, which cannot be left out."""


def trouble(judged: list[Judged]) -> list[Judged]:
    """Those that reached their aim, or ended in a way that their kind must not."""
    may = {attack.name: attack.may for attack in ATTACKS}
    return [each for each in judged if each.reached or each.word not in may[each.name]]


def test_there_are_several_programs_to_each_kind() -> None:
    counts = Counter(attack.kind for attack in ATTACKS)
    assert set(counts) >= set(KINDS) - {"D17"}
    assert all(count >= 2 for count in counts.values())
    assert len(ATTACKS) >= 450
    again = Counter(attack.source for attack in ATTACKS)
    assert max(again.values()) <= 2  # a program may belong to two kinds


@pytest.mark.parametrize("section", sorted({attack.section for attack in ATTACKS}))
def test_a_full_jail_stops_all(section: str) -> None:
    attacks = [attack for attack in ATTACKS if attack.section == section]
    with jail_without("all") as jail:
        assert jail.level is not Level.WEAK
        run_all(jail, attacks[:4])
        before = resident_bytes()
        judged = run_all(jail, attacks)
        assert trouble(judged) == []
        assert resident_bytes() - before < 64 * 2**20
        assert all(each.why for each in judged)


@pytest.mark.parametrize("name", sorted(set(WITHOUT) - {"all", *WITHOUT_SECCOMP}))
def test_each_layer_can_be_missing(name: str) -> None:
    with jail_without(name) as jail:
        assert trouble(run_all(jail, [attack for attack in KERNEL if attack.number == 1])) == []


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(set(WITHOUT) - {"all", *WITHOUT_SECCOMP}))
def test_each_layer_can_be_missing_in_full(name: str) -> None:
    with jail_without(name) as jail:
        judged = run_all(jail, ATTACKS)
        if name == "-rlimits":  # address space and descriptors are theirs alone
            judged = [each for each in judged if each.name[:3] not in ("E01", "E02", "E09", "E11", "F19")]
        assert trouble(judged) == []


@pytest.mark.parametrize("name", WITHOUT_SECCOMP)
def test_without_seccomp_the_other_layers_stop_what_is_theirs(name: str) -> None:
    with jail_without(name) as jail:
        judged = run_all(jail, attacks_for(name, KERNEL))
        assert [each for each in judged if each.reached and each.name[:3] not in ONLY_SECCOMP] == []


def test_the_attacks_are_real() -> None:
    """Where there is no jail they get out: it is the layers that stop them, not a mistake in the attack."""
    with jail_without("nothing") as jail:
        judged = run_all(jail, attacks_for("nothing"), threads=1)
        assert len(judged) > 50
        assert [each for each in judged if not each.reached] == []


@pytest.mark.parametrize("name", ["all", pytest.param("mandatory", marks=pytest.mark.slow)])
def test_an_ordinary_user_is_as_safe(name: str) -> None:
    """Again, started by a user without rights (as root the other tests do not show that)."""
    if os.geteuid() != 0:
        pytest.skip("the other tests are run by an ordinary user already")
    arguments = ["-m", "tests.attacks", "--json", "--jail", name, "A", "B", "C", "D"]
    for python in (sys.executable, "/usr/bin/python3"):
        try:
            result = subprocess.run(
                [python, *arguments], user=12345, group=12345, extra_groups=[], cwd=ROOT,
                capture_output=True, text=True, check=False,
            )  # fmt: skip
        except (PermissionError, FileNotFoundError):
            continue
        if "ModuleNotFoundError" in result.stderr or "SyntaxError" in result.stderr:
            continue
        assert result.returncode == 0, result.stderr + result.stdout[-2000:]
        seen = json.loads(result.stdout)[name]
        assert len(seen) == len(KERNEL)
        assert trouble([Judged(**each) for each in seen]) == []
        return
    pytest.skip("an ordinary user cannot run this Python or read this folder")


def test_a_stateful_or_seeded_program_starts_anew(jail: Jail) -> None:
    """F27, F28: what a replay in a fresh child rests on."""
    source = (
        "import random\ncalls = []\ndef f(x):\n    calls.append(x)\n    return len(calls), random.random(), hash('a')"
    )
    program = Program(source, "f", imports=frozenset({"random"}))
    seen = []
    for _ in range(2):
        with jail.open(program) as session:
            seen.append([session.call((1,)) for _ in range(2)])
    values = [[each.value for each in outcomes if isinstance(each, Returned)] for outcomes in seen]
    assert values[0] == values[1]
    assert values[0][0] != values[0][1]


@pytest.fixture(scope="module")
def jail() -> Iterator[Jail]:
    with Jail() as jail:
        yield jail
