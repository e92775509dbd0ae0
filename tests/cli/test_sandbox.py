"""What a verdict says of the sandbox that it was reached in, and of what the sandbox saw."""

from __future__ import annotations

import json
import re
from functools import partial
from pathlib import Path

import pytest
from neurosym_sandbox import LAYER_NAMES, Jail, Limits, RefusedCall, Returned
from neurosym_verifiers import environment
from neurosym_verifiers.noticed import Noticed
from neurosym_verifiers.wording import say_refused

from tests.cli.shared import RIGHT, Neurosym

BODY = "def late_fee(balance: Decimal, days_overdue: int) -> Decimal:\n"


def weakened(monkeypatch: pytest.MonkeyPatch, *without: str) -> None:
    """Makes this a machine that lacks some layers."""
    monkeypatch.setattr(environment, "Jail", lambda **settings: Jail(**{**settings, "without": without}))


def judged(neurosym: Neurosym, spec: Path, source: str) -> dict[str, object]:
    candidate = spec.parent / "candidate.py"
    candidate.write_text("from decimal import Decimal\n" + source)
    document = json.loads(neurosym("verify", "--json", "--no-proof", spec, candidate).out)
    found: dict[str, object] = document["candidates"][0]
    return found


def test_each_verdict_records_the_jail(neurosym: Neurosym, spec: Path, right: Path, wrong: Path) -> None:
    document = json.loads(neurosym("verify", "--json", spec, right, wrong).out)
    assert document["require_sandbox"] == {"level": "standard", "layers": []}
    with Jail() as jail:
        record = jail.record
    for candidate in document["candidates"]:
        sandbox = candidate["sandbox"]
        assert sandbox["level"] == candidate["jail"] == record.level.value
        assert sandbox["profile"] == "stdlib"
        assert sandbox["layers"] == [layer.name for layer in record.layers if layer.active]
        assert {*sandbox["layers"], *(each["name"] for each in sandbox["missing"])} == LAYER_NAMES
        assert sandbox["kernel"] == record.kernel
        assert sandbox["landlock_abi"] == record.landlock_abi
        assert ("landlock" in sandbox["layers"]) == (sandbox["landlock_abi"] > 0)
        assert sandbox["limits"]["time_seconds"] == 1
        assert sandbox["limits"]["memory_bytes"] == 256_000_000
        assert sandbox["peak_memory_bytes"] > 1_000_000
        assert sandbox["refused_calls"] == []


def test_a_jail_that_lacks_a_layer_is_said_in_one_line(
    neurosym: Neurosym, spec: Path, right: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    weakened(monkeypatch, "landlock")
    ran = neurosym("verify", spec, right)
    assert ran.code == 0
    assert "sandbox standard; not active: landlock" in " ".join(ran.out.split())
    sandbox = json.loads(neurosym("verify", "--json", spec, right).out)["candidates"][0]["sandbox"]
    assert sandbox["landlock_abi"] == 0
    assert {"name": "landlock", "detail": "left out on request"} in sandbox["missing"]


def test_a_level_or_layer_that_is_missing_is_4_with_the_reason(
    neurosym: Neurosym, spec: Path, right: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    weakened(monkeypatch, "landlock")
    python = f"python = {json.dumps(RIGHT)}\nraises = 'ValueError'\n"
    spec.write_text(re.sub("value = .*", lambda found: python, spec.read_text(), count=1))
    for command in (["verify", "--json", spec, right], ["spec", "check", "--json", spec]):
        ran = neurosym(*command, "--sandbox", "strong")
        assert (ran.code, ran.out) == (4, "")
        assert "would be standard here, and strong is required; missing: landlock: " in ran.err
        assert "remedy: Linux 5.13 or newer" in ran.err
        assert "(NS801)" in ran.err
        ran = neurosym(*command, "--sandbox-layer", "seccomp", "--sandbox-layer", "landlock")
        assert ran.code == 4
        assert "lacks what is required of it; missing: landlock" in ran.err


def test_a_weak_jail_has_to_be_asked_for_and_is_stamped_on_the_verdict(
    neurosym: Neurosym, spec: Path, right: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    weakened(monkeypatch, "seccomp")
    ran = neurosym("verify", spec, right)
    assert ran.code == 4
    assert "would be weak here, and standard is required; missing: seccomp" in ran.err
    ran = neurosym("verify", spec, right, "--sandbox", "weak")
    assert ran.code == 0
    assert "sandbox WEAK, as asked for; a hostile candidate could have got out of it" in " ".join(ran.out.split())
    document = json.loads(neurosym("verify", "--json", spec, right, "--sandbox", "weak").out)
    assert document["candidates"][0]["jail"] == "weak"
    assert document["require_sandbox"]["level"] == "weak"


def test_an_unknown_level_or_layer_is_2(neurosym: Neurosym, spec: Path, right: Path) -> None:
    for option, word, meant in (("--sandbox", "stong", "strong"), ("--sandbox-layer", "secomp", "seccomp")):
        ran = neurosym("verify", spec, right, option, word)
        assert ran.code == 2
        assert f"did you mean {meant}?" in ran.err


def test_refused_calls_are_evidence(neurosym: Neurosym, spec: Path) -> None:
    source = BODY + "    print('looking')\n    return Decimal(len(open('/etc/passwd').read()))\n"
    found = judged(neurosym, spec, source)
    assert found["verdict"] == "REFUTED"
    (note,) = [each for each in found["notes"] if each["code"] == "NS551"]  # type: ignore[attr-defined]
    assert "openat (system call " in note["message"]
    assert " to read" in note["message"]
    refuted = next(each for each in found["obligations"] if each["verdict"] == "REFUTED")  # type: ignore[attr-defined]
    run = refuted["run"]
    assert (run["ended"], run["stdout"], run["output_cut"]) == ("raised", "looking\n", False)
    assert (run["exception"]["name"], run["exception"]["line"]) == ("PermissionError", 4)
    assert refuted["counterexample"]["line"] == 4
    (call,) = run["refused_calls"]
    assert (call["name"], call["arguments"], call["count"]) == ("openat", "to read", 1)
    assert type(call["number"]) is int
    assert run["cpu_seconds"] > 0
    assert run["wall_seconds"] > 0
    assert run["peak_memory_bytes"] > 1_000_000


def test_what_was_refused_while_loading_is_evidence_too(neurosym: Neurosym, spec: Path) -> None:
    found = judged(neurosym, spec, "class Table:\n    rows = [each('/etc/passwd') for each in [open]]\n" + RIGHT)
    assert (found["verdict"], found["run"]["ended"]) == ("REJECTED", "raised")  # type: ignore[index]
    assert found["sandbox"]["refused_calls"][0]["name"] == "openat"  # type: ignore[index]
    assert any(each["code"] == "NS551" for each in found["notes"])  # type: ignore[attr-defined]


def test_output_is_cut_and_marked(neurosym: Neurosym, spec: Path) -> None:
    source = BODY + (
        "    for number in range(100):\n"
        "        try:\n"
        "            open(str(number))\n"
        "        except OSError:\n"
        "            print('x' * 1000)\n"
        "    raise KeyError\n"
    )
    found = judged(neurosym, spec, source)
    run = next(each["run"] for each in found["obligations"] if each["verdict"] == "REFUTED")  # type: ignore[attr-defined]
    assert ("openat", 100) in [(each["name"], each["count"]) for each in run["refused_calls"]]
    assert len(run["stdout"]) == 4_000
    assert run["output_cut"] is True


def test_an_honest_candidate_is_refused_nothing(neurosym: Neurosym, spec: Path, right: Path) -> None:
    assert "NS551" not in neurosym("verify", spec, right).out


def test_the_library_takes_the_same(spec: Path, right: Path) -> None:
    import neurosym

    check = partial(neurosym.verify, spec, right)
    with pytest.raises(ValueError, match="moat"):
        check(layers=["moat"])
    with pytest.raises(ValueError, match="moat"):
        check(sandbox="moat")
    assert check(sandbox="weak", layers=["seccomp"]).exit_code == 0


def test_kinds_of_refused_calls_are_capped_over_all_runs() -> None:
    noticed = Noticed()
    for number in range(100):
        call = RefusedCall(number % 50, "openat", f"{number}", 1)
        noticed.take(Returned(None, refused=(call, call)))
    with Jail() as jail:
        record = noticed.record(jail.record, Limits())
    assert len(record.refused) == 16
    assert record.refused[0].count == 2
    assert record.refused_cut
    assert "; and more" in say_refused(record.refused, record.refused_cut)
