"""A pack is run again where nothing but the pack is; what was altered is named, and what differs is told apart."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from neurosym_sandbox import Level
from neurosym_verifiers.environment import Confinement, EnvironmentFault

from neurosym.chain import GENESIS, Chain
from neurosym.evidence.comparing import Agreement, compared
from neurosym.evidence.container import DamagedPack
from neurosym.evidence.pack import read_pack
from neurosym.reports.document import Result
from neurosym.reports.page import html
from neurosym.reports.reading import result_of
from tests.cli.shared import RIGHT, WRONG, Neurosym
from tests.evidence.conftest import BY_FILE, Remade, loaded

ROOT = Path(__file__).parents[2]


def test_the_same_verdicts_come_out_where_nothing_else_is(
    neurosym: Neurosym, made: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    ran = neurosym("recheck", made)
    assert ran.code == 0, ran.out
    assert "every byte as it was written" in ran.out
    assert "owner   A. Maker" in ran.out
    assert "The same tools, in the same versions, are here." in ran.out
    assert "REFUTED  reply.py  as there\n" in ran.out
    assert "records come out the same (exit 0)\n" in ran.out
    assert "integrity, not authenticity" in ran.out
    assert [*tmp_path.iterdir()] == []
    assert _without_run(ran.out) in _without_run((ROOT / "docs" / "evidence.md").read_text())
    for line in ran.out.splitlines():
        assert len(line) <= 80


def _without_run(text: str) -> str:
    """Without what is another in each run: the time, the hash, how many queries there were."""
    text = re.sub(r"evidence of \S+ \d+ members|All \d+ records", "", text)
    return re.sub(r"[0-9a-f]{64}", "", text)


def test_everything_is_in_it(members: dict[str, bytes]) -> None:
    assert members["spec/late_fee.spec.toml"].decode() == BY_FILE
    assert members["spec/rules/fee.py"].decode() == RIGHT
    assert members["candidates/1/original.py"].decode() == f"```python\n{WRONG}```\n"
    assert members["candidates/1/judged.py"].decode().strip() == WRONG.strip()
    assert "candidates/1/rewrites/01-fences.diff" in members
    assert members["candidates/2/original.py"].decode() == RIGHT
    assert any(name.startswith("queries/2/") and b"(check-sat)" in text for name, text in members.items())
    asked = loaded(members, "asked.json")
    assert (asked["effort"]["seed"], asked["owner"]) == (0, "A. Maker")
    assert loaded(members, "environment.json")["tools"]["z3-solver"]
    result = loaded(members, "result.json")
    assert result["candidates"][0]["verdict"] == "REFUTED"
    assert result["candidates"][1]["sandbox"]["layers"]
    assert result["candidates"][1]["calls"] > 100
    kinds = [json.loads(line)["kind"] for line in members["events.jsonl"].splitlines()]
    assert kinds == ["verify", "spec", "verdict", "verdict", "end"]
    assert b"<html" in members["report.html"]


def test_one_altered_byte_is_named_and_nothing_is_run(neurosym: Neurosym, made: Path, tmp_path: Path) -> None:
    raw, path = made.read_bytes(), tmp_path / "altered.zip"
    for place in range(0, len(raw), len(raw) // 60):
        altered = bytearray(raw)
        altered[place] ^= 0x20
        path.write_bytes(altered)
        with pytest.raises(DamagedPack, match=r"member|byte \d|manifest"):
            read_pack(str(path))
    ran = neurosym("recheck", path)
    assert (ran.code, ran.out) == (2, "")
    assert "(NS741)" in ran.err


@pytest.mark.slow
def test_no_altered_byte_is_overlooked(made: Path, tmp_path: Path) -> None:
    raw, path = made.read_bytes(), tmp_path / "altered.zip"
    for place in range(len(raw)):
        altered = bytearray(raw)
        altered[place] ^= 0x20
        path.write_bytes(altered)
        with pytest.raises(DamagedPack):
            read_pack(str(path))


@pytest.mark.parametrize(
    ("name", "change", "said"),
    [
        ("candidates/2/original.py", lambda raw: raw + b"\n", "original.py is not what result.json speaks of"),
        ("candidates/1/judged.py", lambda raw: raw + b"\n", "judged.py is not what result.json speaks of"),
        ("candidates/2/original.py", lambda raw: None, "candidates/2/original.py is missing"),
        ("spec/late_fee.spec.toml", lambda raw: raw + b"\n", "late_fee.spec.toml is not what result.json speaks of"),
        ("spec/rules/fee.py", lambda raw: None, ""),
        ("result.json", lambda raw: raw.replace(b'"PROVED"', b'"PASSED"'), "result.json"),
        ("result.json", lambda raw: raw.replace(b'"verdict": "REFUTED"', b'"verdict": "TESTED"', 1), "another verdict"),
        ("result.json", lambda raw: None, "result.json is missing"),
        ("result.json", lambda raw: raw.replace(b'"refused"', b'"admitted"'), "another admission"),
        ("result.json", lambda raw: raw.replace(b'"exit_code": 1', b'"exit_code": 0'), "an exit code that is not"),
        ("result.json", lambda raw: raw.replace(b'"examples": 50', b'"examples": 5000'), "speak of different effort"),
        ("result.json", lambda raw: raw.replace(b'"title": "Late', b'"title": "late'), "report.html is not what"),
        ("report.html", lambda raw: b"<h1>PROVED</h1>", "report.html is not what result.json speaks of"),
        ("asked.json", lambda raw: raw.replace(b'"seed": 0', b'"seed": "0"'), "asked.json is not as the format says"),
        ("asked.json", lambda raw: raw.replace(b'"schema_version": 1', b'"schema_version": 2'), "version 2"),
        ("asked.json", lambda raw: raw.replace(b'"examples": 50', b'"examples": 5000000000'), "more effort than"),
        ("asked.json", lambda raw: raw.replace(b'"spec/late', b'"../late'), "../late_fee.spec.toml is missing"),
        ("environment.json", lambda raw: b"{}", "environment.json is not as the format says"),
        ("events.jsonl", lambda raw: raw.replace(b'"REFUTED"', b'"PROVED"'), "record 2 (line 3) was changed"),
        ("events.jsonl", lambda raw: raw[: raw.rindex(b"{")], "does not go on to the end"),
    ],
)  # fmt: skip
def test_parts_that_do_not_fit_together_are_named(
    neurosym: Neurosym, members: dict[str, bytes], remade: Remade, name: str, change: Callable[[bytes], Any], said: str
) -> None:
    ran = neurosym("recheck", remade({name: change(members[name])}))
    assert ran.code == 2, ran.out
    assert said in ran.err


def test_the_end_of_the_log_has_the_exit_code_of_the_result(
    neurosym: Neurosym, members: dict[str, bytes], remade: Remade
) -> None:
    chain, lines = Chain(), []
    for line in members["events.jsonl"].splitlines():
        record = {key: value for key, value in json.loads(line).items() if key not in ("sha256", "previous", "number")}
        lines.append(chain.record(record.pop("kind"), record | ({"exit_code": 0} if "exit_code" in record else {})))
    ran = neurosym("recheck", remade({"events.jsonl": b"".join(lines)}))
    assert (ran.code, "ends with another exit code" in ran.err) == (2, True)


def test_a_verdict_that_differs_is_named_after_the_versions_that_differ(
    neurosym: Neurosym, members: dict[str, bytes], remade: Remade
) -> None:
    result, environment = loaded(members, "result.json"), loaded(members, "environment.json")
    broken = next(each for each in result["candidates"][0]["obligations"] if each["verdict"] == "REFUTED")
    for key in ("code", "counterexample", "run", "replay"):
        broken.pop(key, None)
    broken |= {"verdict": "PROVED", "assumptions": []}
    result["candidates"][0]["verdict"] = "PROVED"
    environment["tools"]["z3-solver"] = "4.0"
    chain, events = Chain(), [json.loads(line) for line in members["events.jsonl"].splitlines()]
    events[2]["verdict"] = "PROVED"
    plain = [{k: v for k, v in e.items() if k not in ("sha256", "previous", "number", "at", "kind")} for e in events]
    path = remade(
        {
            "result.json": json.dumps(result).encode(),
            "report.html": html(result_of(json.dumps(result))).encode(),
            "asked.json": members["asked.json"].replace(b'"proof": true', b'"proof": false'),
            "environment.json": json.dumps(environment).encode(),
            "events.jsonl": b"".join(chain.record(e["kind"], p) for e, p in zip(events, plain, strict=True)),
        }
    )
    ran = neurosym("recheck", path)
    assert ran.code == 1, ran.out
    first, found = ran.out.split("DIFFERS", 1)
    assert "Other tools than there" in first
    assert "z3-solver       4.0 there, " in first
    assert f"reply.py: {broken['id']}\n    there   PROVED by {broken['method']}, assuming nothing\n" in found
    assert "\n    here    REFUTED by late_fee(" in found
    assert events[0]["previous"] == GENESIS


@pytest.mark.parametrize(("there", "here"), [(True, False), (False, True)])
def test_what_the_clock_ended_is_told_apart_from_what_differs(
    members: dict[str, bytes], there: bool, here: bool
) -> None:
    one, other = (_weaker(members, cut_short=out) for out in (there, here))
    whole = result_of(members["result.json"])
    assert _worst(one, whole) == (Agreement.CUT_THERE if there else Agreement.DIFFERS)
    assert _worst(whole, other) == (Agreement.CUT_HERE if here else Agreement.DIFFERS)


def test_a_call_that_takes_too_long_on_one_side_only_is_about_time(members: dict[str, bytes]) -> None:
    document = loaded(members, "result.json")
    candidate = document["candidates"][0]
    document["candidates"] = [candidate]
    for refuted in (each for each in candidate["obligations"] if each["verdict"] == "REFUTED"):
        refuted["counterexample"]["class"] = "timeout"
    slow = result_of(json.dumps(document))
    right = {"method": "z3", "assumptions": [], "verdict": "PROVED"}
    same = ("id", "kind", "text", "formal", "source")
    kept = [{key: each[key] for key in same} | right for each in candidate["obligations"]]
    candidate |= {"obligations": kept, "verdict": "PROVED", "class": None}
    fast = result_of(json.dumps(document))
    assert _worst(slow, fast) == Agreement.CUT_THERE
    assert _worst(fast, slow) == Agreement.CUT_HERE


def test_another_case_of_the_same_fault_is_the_same_verdict(members: dict[str, bytes]) -> None:
    document = loaded(members, "result.json")
    refuted = next(e for e in document["candidates"][0]["obligations"] if e["verdict"] == "REFUTED")
    refuted["counterexample"]["inputs"][0]["balance"] = "7777.00"
    assert _worst(result_of(json.dumps(document)), result_of(members["result.json"])) == Agreement.OTHER_CASE


def _forged(members: dict[str, bytes], change: Callable[[Any], object]) -> dict[str, tuple[str, str]]:
    """What differs of a result in which somebody changed something, as the tool says it."""
    document = loaded(members, "result.json")
    change(document)
    found = compared(result_of(json.dumps(document)), result_of(members["result.json"]), same_code=True)
    return {each.clause: (each.there, each.here) for each in found if each.agreement is not Agreement.SAME}


def test_what_a_result_leaves_out_or_says_otherwise_is_a_record(members: dict[str, bytes]) -> None:
    assert _forged(members, lambda document: None) == {}
    assert _forged(members, lambda document: document["spec"].update(owner="X"))["the spec's owner"][0] == "X"
    inputs = _forged(members, lambda document: document["spec"]["inputs"][0].update(values="all numbers"))
    assert "all numbers" in inputs["the spec's inputs"][0]
    lost = _forged(members, lambda document: document["candidates"][1]["obligations"].pop())
    assert [*lost.values()] == [("not mentioned", next(iter(lost.values()))[1])]
    assert len(_forged(members, lambda document: document["candidates"][1].update(obligations=[]))) > 5
    assert "the text that is judged" in _forged(members, lambda document: document["candidates"][1].update(text="pass"))
    admitted = _forged(members, lambda document: document["candidates"][0].update(admission="admitted"))
    assert admitted == {"whether it may be used": ("admitted", "refused")}
    objection = {"code": "NS440", "class": "policy", "message": "a float", "line": 1, "column": 1, "source_line": "",
                 "hint": ""}  # fmt: skip
    assert _forged(members, lambda document: document["candidates"][1].update(objections=[objection])) == {
        "the policy": ("NS440", "kept")
    }
    proved = next(
        e["id"] for e in loaded(members, "result.json")["candidates"][1]["obligations"] if e["verdict"] == "PROVED"
    )

    def assume_nothing(document: Any) -> None:
        next(e for e in document["candidates"][1]["obligations"] if e["id"] == proved)["assumptions"] = []

    assert _forged(members, assume_nothing)[proved][0].endswith("assuming nothing")


def test_a_pack_lowers_the_sandbox_of_the_machine_that_rechecks_by_no_means(
    neurosym: Neurosym, members: dict[str, bytes], remade: Remade, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[Level] = []

    def judge_all(
        spec: object, given: object, effort: object, require: object, confinement: Confinement, **_: Any
    ) -> None:
        asked.append(confinement.level)
        raise EnvironmentFault("no jail today")

    monkeypatch.setattr("neurosym.evidence.rechecking.judge_all", judge_all)
    result = loaded(members, "result.json")
    result["require_sandbox"]["level"] = "weak"
    changed = {
        "result.json": json.dumps(result).encode(),
        "report.html": html(result_of(json.dumps(result))).encode(),
        "asked.json": members["asked.json"].replace(b'"sandbox": "standard"', b'"sandbox": "weak"'),
    }
    path = remade(changed)
    assert neurosym("recheck", path).code == 4
    assert neurosym("recheck", "--sandbox", "weak", path).code == 4
    assert neurosym("recheck", "--sandbox", "strong", path).code == 4
    assert asked == [Level.STANDARD, Level.WEAK, Level.STRONG]


def _weaker(members: dict[str, bytes], *, cut_short: bool) -> Result:
    """The result, with less known of one clause of the right candidate."""
    document = loaded(members, "result.json")
    candidate = document["candidates"][1]
    candidate["cut_short"] = cut_short
    last = candidate["obligations"][-1]
    for key in ("assumptions", "cases", "exhaustive", "lacks"):
        last.pop(key, None)
    last |= {"verdict": "UNKNOWN", "reason": "timeout", "detail": "", "cases": 0}
    candidate["verdict"] = "UNKNOWN"
    return result_of(json.dumps(document))


def _worst(there: Result, here: Result) -> Agreement:
    return min((each.agreement for each in compared(there, here)), key=list(Agreement).index)


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--stop-after", "gate"], "were judged"),
        (["--evidence", "gone/pack.zip"], "there is no such folder"),
        (["gone.py"], "there is no such file"),
    ],
)
def test_what_there_can_be_no_evidence_of(
    neurosym: Neurosym, spec: Path, right: Path, tmp_path: Path, options: list[str], said: str
) -> None:
    ran = neurosym("verify", "--evidence", tmp_path / "pack.zip", spec, right, *options)
    assert (ran.code, said in ran.err, (tmp_path / "pack.zip").exists()) == (2, True, False)


@pytest.mark.slow
def test_names_that_no_text_can_hold_are_no_obstacle(neurosym: Neurosym, spec: Path, tmp_path: Path) -> None:
    candidate = tmp_path / "\udcff\x1b[2J{0}.py"
    candidate.write_text(RIGHT)
    pack = tmp_path / "pack.zip"
    assert neurosym("verify", "--no-proof", "--owner", "\udcff", "--evidence", pack, spec, candidate).code == 0
    assert b"\x1b" not in read_pack(str(pack)).members["README.txt"]
    ran = neurosym("recheck", pack)
    assert (ran.code, "\x1b" in ran.out) == (0, False)


def test_evidence_replaces_nothing_that_is_read(neurosym: Neurosym, spec: Path, right: Path) -> None:
    ran = neurosym("verify", "--evidence", right, spec, right)
    assert (ran.code, right.read_text()) == (2, RIGHT)


@pytest.mark.parametrize("content", [b"", b"PK", b"not a zip", None])
def test_what_is_no_pack(neurosym: Neurosym, tmp_path: Path, content: bytes | None) -> None:
    path = tmp_path / "pack.zip"
    if content is not None:
        path.write_bytes(content)
    ran = neurosym("recheck", path)
    assert (ran.code, "(NS741)" in ran.err) == (2, True)
