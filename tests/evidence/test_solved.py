"""The pack of ``solve`` holds every round; the best candidate is judged again from it, without a model."""

from __future__ import annotations

import contextlib
import io
import json
from collections.abc import Callable
from pathlib import Path

import pytest

from neurosym import Effort, solve
from neurosym.chain import Chain
from neurosym.cli import run
from neurosym.evidence.container import packed, unpacked
from neurosym.evidence.manifest import MANIFEST, manifest_of
from neurosym.evidence.pack import read_pack
from neurosym.evidence.replies import SolveEvidence
from neurosym.generators.scripted import Scripted
from tests.cli.shared import RIGHT, SPEC, WRONG, Neurosym

QUICK = ("--no-proof", "--examples", "20", "--time-limit", "60")
REPLY = f"Here it is:\n\n```python\n{RIGHT}```\n"


@pytest.fixture(scope="module")
def solved(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The pack of a run of two rounds, two samples in the first: prose and a wrong one, then a right one; alone."""
    folder = tmp_path_factory.mktemp("solved")
    (folder / "late_fee.spec.toml").write_text(SPEC)
    (folder / "replies").mkdir()
    for number, reply in enumerate(("I cannot.", WRONG, REPLY), start=1):
        (folder / "replies" / f"{number}.txt").write_text(reply)
    words = ["solve", "late_fee.spec.toml", "--generator", "scripted", "--option", "replies=replies", "--samples", "2"]
    words += [*QUICK, "--owner", "A. Maker", "--write", "fee.py", "--evidence", "pack.zip"]
    out, err = io.StringIO(), io.StringIO()
    with contextlib.chdir(folder), contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        assert run(words) == 0, out.getvalue()
    assert "the evidence is written to pack.zip, sha256 " in err.getvalue()
    assert "# evidence  sha256 " in (folder / "fee.py").read_text()
    kept = tmp_path_factory.mktemp("kept") / "pack.zip"
    (folder / "pack.zip").rename(kept)
    return kept


def test_every_round_is_in_it(solved: Path) -> None:
    members = unpacked(solved.read_bytes())
    replies = {name: data.decode() for name, data in members.items() if name.endswith("/reply.txt")}
    first = {"rounds/1/1/reply.txt": "I cannot.", "rounds/1/2/reply.txt": WRONG}
    assert replies == {**first, "rounds/2/1/reply.txt": REPLY}
    assert b"=== system\n" in members["rounds/1/1/prompt.txt"]
    assert b"15.0" in members["rounds/2/1/prompt.txt"]  # what is told of the wrong one
    assert members["rounds/1/2/judged.py"].decode().strip() == WRONG.strip()
    assert members["candidates/1/original.py"].decode() == REPLY
    assert members["candidates/1/judged.py"] == members["rounds/2/1/judged.py"]
    (candidate,) = json.loads(members["result.json"])["candidates"]
    assert (candidate["name"], candidate["verdict"]) == ("round 2", "TESTED")
    kinds = [json.loads(line)["kind"] for line in members["events.jsonl"].splitlines()]
    assert kinds.count("answer") == 3
    assert (kinds[0], kinds[-1]) == ("run", "end")


def test_it_is_judged_again_without_a_model(neurosym: Neurosym, solved: Path, tmp_path: Path) -> None:
    ran = neurosym("recheck", solved)
    assert ran.code == 0, ran.out
    assert "  replies  3 recorded; no model is asked\n" in ran.out
    assert "TESTED   round 2  as there\n" in ran.out
    members = unpacked(solved.read_bytes())
    tape, spec = tmp_path / "recording.jsonl", tmp_path / "late_fee.spec.toml"
    tape.write_bytes(members["recording.jsonl"])
    spec.write_bytes(members["spec/late_fee.spec.toml"])
    same = ("--model", json.loads(members["events.jsonl"].splitlines()[0])["models"][0], "--samples", "2")
    again = neurosym("solve", spec, "--generator", "cassette", "--cassette", tape, *same, *QUICK, "--json")
    assert (again.code, len(json.loads(again.out)["rounds"])) == (0, 2)


@pytest.mark.parametrize(
    ("name", "change", "said"),
    [
        ("rounds/1/2/reply.txt", lambda raw: raw + b"\n", "rounds/1/2/reply.txt is not what events.jsonl speaks of"),
        ("rounds/2/1/prompt.txt", lambda raw: b"be right", "rounds/2/1/prompt.txt is not what events.jsonl"),
        ("rounds/1/2/judged.py", lambda raw: RIGHT.encode(), "rounds/1/2/judged.py is not what events.jsonl"),
        ("rounds/1/1/reply.txt", lambda raw: None, "rounds/1/1/reply.txt is not what events.jsonl speaks of"),
        ("candidates/1/original.py", lambda raw: RIGHT.encode(), "original.py is not what result.json speaks of"),
        ("asked.json", lambda raw: raw.replace(b'"round 2"', b'"round 3"'), "events.jsonl has no answer"),
        ("recording.jsonl", lambda raw: raw.replace(b"I cannot.", b"I can."), "recording.jsonl is not what events"),
        ("recording.jsonl", lambda raw: None, "recording.jsonl is not what events"),
    ],
)  # fmt: skip
def test_what_was_put_together_by_hand_is_named(
    neurosym: Neurosym, solved: Path, tmp_path: Path, name: str, change: Callable[[bytes], bytes | None], said: str
) -> None:
    members = unpacked(solved.read_bytes())
    changed = {**members, name: change(members[name])}
    kept = {each: data for each, data in changed.items() if data is not None and each != MANIFEST}
    path = tmp_path / "changed.zip"
    path.write_bytes(packed({**kept, MANIFEST: manifest_of(kept)}))
    ran = neurosym("recheck", path)
    assert (ran.code, said in ran.err) == (2, True), ran.err


@pytest.mark.parametrize("lost", ["messages", "answer", "request_sha256", "candidate"])
def test_a_record_that_lacks_what_it_needs_is_no_fault_of_ours(
    neurosym: Neurosym, solved: Path, tmp_path: Path, lost: str
) -> None:
    members = unpacked(solved.read_bytes())
    chain, lines = Chain(), []
    for line in members["events.jsonl"].splitlines():
        record = {key: value for key, value in json.loads(line).items() if key not in ("sha256", "previous", "number")}
        if record["kind"] == "answer":
            del record[lost]
        lines.append(chain.record(record.pop("kind"), {**record}))
    kept = {**members, "events.jsonl": b"".join(lines)}
    del kept[MANIFEST]
    path = tmp_path / "changed.zip"
    path.write_bytes(packed({**kept, MANIFEST: manifest_of(kept)}))
    ran = neurosym("recheck", path)
    assert (ran.code, "lacks what the record of a run has (NS741)" in ran.err) == (2, True), ran.err


@pytest.mark.slow
def test_a_reply_that_no_file_can_hold_is_recorded_as_it_came(tmp_path: Path) -> None:
    path = tmp_path / "late_fee.spec.toml"
    path.write_text(SPEC)
    effort = Effort(examples=1, time_limit_s=60, proof=False)
    evidence = SolveEvidence(tmp_path / "pack.zip")
    solve(path, Scripted(["\ud800\x1b no", REPLY]), "m", effort=effort, types="off", listener=evidence)
    pack = read_pack(str(tmp_path / "pack.zip"))
    assert pack.members["rounds/1/1/reply.txt"] == b"\\ud800\x1b no"
    assert [each.name for each in pack.asked.replies or ()] == ["round 1", "round 2"]


def test_no_candidate_is_no_evidence(neurosym: Neurosym, tmp_path: Path) -> None:
    (tmp_path / "late_fee.spec.toml").write_text(SPEC)
    (tmp_path / "replies").mkdir()
    pack, words = tmp_path / "pack.zip", ("--generator", "scripted", "--option", f"replies={tmp_path / 'replies'}")
    pack.write_bytes(b"of an earlier run")
    ran = neurosym("solve", tmp_path / "late_fee.spec.toml", *words, *QUICK, "--evidence", pack)
    assert (ran.code, "no candidate came" in ran.err, pack.exists()) == (4, True, False)
    ran = neurosym("solve", tmp_path / "late_fee.spec.toml", *words, "--owner", "A. Maker")
    assert (ran.code, "--owner is for what --evidence writes" in ran.err) == (2, True)
    ran = neurosym("solve", tmp_path / "late_fee.spec.toml", *words, "--evidence", tmp_path / "late_fee.spec.toml")
    assert (ran.code, "that file is read" in ran.err) == (2, True)
