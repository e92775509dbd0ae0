"""``neurosym bench`` as somebody runs it: exams, manifests and stores, the history, and what counts as worse."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from neurosym_specs import load_spec

from neurosym.benching.cases import Case
from neurosym.benching.comparing import Comparison, compared
from neurosym.benching.history import BenchRun, History
from neurosym.chain import BrokenLog
from neurosym.figures.paired import Pair, difference_of
from neurosym.identity import spec_sha256
from neurosym.source import sha256_of
from tests.batch.conftest import QUICK, Manifest, job
from tests.batch.scripted import RIGHT as RIGHT_RESULT
from tests.batch.scripted import WRONG as WRONG_RESULT
from tests.batch.scripted import planned, run_over
from tests.cli.shared import RIGHT, SPEC, WRONG, Neurosym

OPTIONS = tuple(each for each in QUICK if each != "--no-explain")


def _case(task: int, verdict: str, label: str = "correct", name: str = "c", seconds: float = 1.0) -> Case:
    accepted = verdict in ("PROVED", "TESTED")
    return Case(task=f"t{task}", task_sha256=f"sha{task}", name=f"t{task}/{name}", candidate_sha256=f"{task}{name}",
                label=label, verdict=verdict, failure="", is_accepted=accepted, seconds=seconds)  # fmt: skip


def _run(cases: Sequence[Case], name: str = "run") -> BenchRun:
    return BenchRun(name=name, subject="exam", settings={"seeds": 1}, tools={"neurosym": "1"}, cases=tuple(cases))


def _both(before: Callable[[int], str], after: Callable[[int], str], tasks: int = 12) -> Comparison:
    return compared(_run([_case(n, before(n)) for n in range(tasks)]), _run([_case(n, after(n)) for n in range(tasks)]))


@pytest.mark.parametrize("count", [5, 6, 10])
def test_with_one_candidate_for_each_task_the_sign_flip_test_is_the_exact_test_of_mcnemar(count: int) -> None:
    found = difference_of([*[Pair(-1.0, 1.0)] * count, *[Pair(0.0, 1.0)] * 20])
    assert found.p == pytest.approx(2 * 0.5**count)
    assert found.mean == pytest.approx(-count / (count + 20))
    assert found.low < found.mean < found.high <= 0
    assert found.is_below == (count >= 6)
    other = difference_of([Pair(1.0, 1.0)] * (count + 1) + [Pair(-1.0, 1.0)] * count)
    assert (other.p, other.is_above, other.is_below) == (1.0, False, False)


def test_many_tasks_are_drawn_and_give_the_same_figures_each_time() -> None:
    pairs = [Pair(-0.5 if n % 3 else 0.25, 2.0) for n in range(60)]
    assert difference_of(pairs) == difference_of(pairs)
    assert difference_of(pairs).is_below
    assert difference_of([Pair(-each.difference, each.weight) for each in pairs]).is_above
    with pytest.raises(ValueError, match="nothing to compare"):
        difference_of([])


def test_candidates_of_one_task_are_no_more_than_one_witness() -> None:
    """Thirty candidates of three tasks that all got worse: chance may do that to three tasks."""
    before = [_case(n, "PROVED", name=str(k)) for n in range(3) for k in range(10)]
    after = [replace(case, verdict="TESTED") for case in before]
    assert not compared(_run(before), _run(after)).is_regression()


def test_a_share_that_fell_by_more_than_chance_is_a_regression() -> None:
    worse = _both(lambda n: "PROVED", lambda n: "TESTED" if n < 7 else "PROVED")
    assert worse.is_regression()
    assert [each.difference.is_below for each in worse.measures] == [True, False]  # proved, accepted
    assert [each.is_worse for each in worse.changed] == [True] * 7
    assert not _both(lambda n: "PROVED", lambda n: "TESTED" if n < 2 else "PROVED").is_regression()
    assert not _both(lambda n: "TESTED" if n < 7 else "PROVED", lambda n: "PROVED").is_regression()


def test_only_what_both_have_is_compared() -> None:
    before, after = [_case(n, "PROVED") for n in range(4)], [_case(n, "TESTED", name="other") for n in range(2, 9)]
    found = compared(_run(before), _run(after))
    assert (found.tasks, found.only_before, found.only_after) == (2, 2, 5)
    assert (found.changed, found.seconds) == ((), None)  # other candidates, as of two models
    assert [(each.before.total, each.after.total) for each in found.measures] == [(2, 2), (2, 2)]


def test_time_counts_where_that_is_asked_for() -> None:
    before = [_case(n, "PROVED", seconds=1.0 + n) for n in range(10)]
    after = [replace(case, seconds=3 * case.seconds) for case in before]
    found = compared(_run(before), _run(after))
    assert found.seconds is not None
    assert math.exp(found.seconds.mean) == pytest.approx(3.0)
    assert [found.is_regression(slower) for slower in (None, 2.0, 4.0)] == [False, True, False]


@pytest.mark.parametrize(
    ("label", "verdict", "wrong"),
    [
        ("correct", "PROVED", False), ("correct", "UNKNOWN", False), ("correct", "REFUTED", True),
        ("correct", "REJECTED", True), ("wrong", "PROVED", True), ("wrong", "TESTED", False),
        ("wrong", "REFUTED", False), ("", "REFUTED", False), ("", "ERROR", True), ("wrong", "ERROR", True),
        ("wrong", "SPEC FAULT", True),
    ],
)  # fmt: skip
def test_what_a_wrong_verdict_is(label: str, verdict: str, wrong: bool) -> None:
    assert _case(1, verdict, label).is_wrong_verdict == wrong


@pytest.fixture
def exam(tmp_path: Path) -> Path:
    """Two tasks, one of them with a right candidate that is labelled wrong and one that is labelled right and wrong."""
    for name, files in {"t01": {"correct_1.py": RIGHT, "wrong_1.py": WRONG}, "t02": {"correct_1.py": WRONG}}.items():
        place = tmp_path / "exam" / name
        place.mkdir(parents=True)
        (place / "late_fee.spec.toml").write_text(SPEC if name == "t01" else SPEC + "# another\n")
        for file, text in files.items():
            (place / file).write_text(text)
    return tmp_path / "exam"


def test_an_exam_is_judged_kept_and_compared(neurosym: Neurosym, exam: Path) -> None:
    history = exam.with_name("history.jsonl")
    spec = spec_sha256(load_spec(exam / "t01" / "late_fee.spec.toml"))
    proved = replace(_case(1, "PROVED"), task_sha256=spec, candidate_sha256=sha256_of(RIGHT.encode()))
    History(history).append(_run([proved], "first"))
    kept = ["--history", history, *OPTIONS, "--workers", "1", "--against", "first", "--name", "second"]
    ran = neurosym("bench", exam, *kept)
    assert ran.code == 1, ran.err
    for said in (
        "exam: 3 candidates of 2 specs\nsecond (run ",
        "right candidates proved           0 of 2         0.0 %  0.0 to 65.8 %\n",
        "wrong candidates caught           1 of 1       100.0 %  20.7 to 100.0 %\n",
        "WRONG VERDICTS                    1\n  t02/correct_1.py  REFUTED, is correct\n",
        "TESTED            1\nREFUTED           2  wrong value 2\n",
        "1 spec in both; left out: 1 only here\n",
        "right candidates proved      100.0 %   0.0 %   -100.0  -100.0 to -100.0\n",  # of one task: chance, perhaps
        "1 candidate with another verdict\n  worse    t01/correct_1.py  PROVED -> TESTED\n",
        "\nexit 1\n",
    ):
        assert said in ran.out
    assert "WORSE\n" not in ran.out
    runs = History(history).runs()
    assert [(run.name, len(run.cases)) for run in runs] == [("first", 1), ("second", 3)]
    ran = neurosym("bench", "--list", "--history", history)
    assert [line.split()[-1] for line in ran.out.splitlines()] == ["name", "first", "second"]
    assert f"{runs[1].id[:8]}  " in ran.out
    assert all(len(line) <= 80 for line in ran.out.splitlines())


def _store(folder: Path, path: Path, name: str, wrong: int) -> Path:
    place = folder / name
    with planned(place, path) as store:
        run_over(store, lambda order: WRONG_RESULT if int(order.source.name[1:]) < wrong else RIGHT_RESULT)
    return place


def test_two_models_are_compared_by_the_stores_of_their_batches(
    neurosym: Neurosym, manifest: Manifest, folder: Path
) -> None:
    for number in range(8):
        (folder / str(number)).mkdir()
        (folder / str(number) / "late_fee.spec.toml").write_text(f"{SPEC}# {number}\n")
    one, other = (
        manifest(*(job(f"{model}{n}", spec=f"{n}/late_fee.spec.toml") for n in range(8)), name=f"{model}.jsonl")
        for model in "ab"
    )
    kept = ["--history", folder / "history.jsonl"]
    assert neurosym("bench", _store(folder, one, "a", 0), "--name", "a", *kept).code == 0
    ran = neurosym("bench", _store(folder, other, "b", 7), "--name", "b", *kept, "--against", "a")
    assert ran.code == 1
    assert "\n8 specs in both\n" in ran.out
    assert "\ncandidates accepted          100.0 %  12.5 %    -87.5  " in ran.out
    assert "  WORSE\n" in ran.out
    assert "wrong verdicts                    0\n" in ran.out
    assert "of the same candidates" not in ran.out
    assert all(len(line) <= 80 or str(folder) in line for line in ran.out.splitlines())
    ran = neurosym("bench", folder / "b", *kept, "--no-keep", "--against", "b", "--json")
    document = json.loads(ran.out)
    assert (ran.code, document["exit_code"], document["run"]["id"], document["wrong_verdicts"]) == (0, 0, None, [])
    against = document["against"]
    assert (against["tasks"], against["regression"], against["changed"], against["differs"]) == (8, False, [], [])
    assert len(History(folder / "history.jsonl").runs()) == 2
    ran = neurosym("bench", folder / "b", "--examples", "5", *kept)
    assert (ran.code, "is a store, which has its results" in ran.err.replace("\n", " ")) == (2, True)


def test_bad_input_is_named_before_anything_runs(
    neurosym: Neurosym, exam: Path, manifest: Manifest, folder: Path
) -> None:
    history, broken = folder / "history.jsonl", folder / "broken.jsonl"
    History(history).append(_run([_case(1, "PROVED")], "first"))
    History(broken).append(_run([_case(1, "PROVED")], "first"))
    broken.write_bytes(broken.read_bytes().replace(b"PROVED", b"TESTED"))
    unfinished = folder / "unfinished"
    planned(unfinished, manifest(job("a"))).close()
    (folder / "empty").mkdir()
    (folder / "labels" / "t").mkdir(parents=True)
    (folder / "labels" / "t" / "s.spec.toml").write_text(SPEC)
    (folder / "labels" / "t" / "labels.json").write_text("{")
    for arguments, said in (
        ([], "name an exam, a manifest or a store; --list shows the runs there are"),
        ([folder / "no"], "there is no "),
        ([folder / "empty"], "is no exam that can be used: no folder in it holds a spec (NS722)"),
        ([folder / "labels"], "labels.json cannot be read: Expecting property name"),
        ([exam, "--tasks", "t09"], "there is no task t09; did you mean t02? (NS722)"),
        ([exam, "--slower", "2"], "--slower compares: --against says with what"),
        ([exam, "--against", "frist"], "is called frist, nor begins its id so; did you mean first? (NS722)"),
        ([exam, "--against", "x", "--history", folder / "new"], "has no runs yet (NS722)"),
        ([exam, "--against", "first", "--history", broken], "was changed after it was written"),
        ([exam, "--against", "first", "--history", folder / "late_fee.spec.toml"], "is no record of a run"),
        ([unfinished], "the job a has no result: finish the batch first (neurosym batch --resume) (NS722)"),
        ([manifest("{"), "--workers", "1"], "line 1: no JSON"),
        ([exam, "--workers", "2", "--cluster", "tcp://x:1"], "--workers are on this machine"),
    ):
        ran = neurosym("bench", *(["--history", history] if "--history" not in arguments else []), *arguments)
        assert (ran.code, ran.out) == (2, ""), arguments
        assert said in ran.err.replace("\n", " "), ran.err
    assert not (folder / "new").exists()


@pytest.mark.parametrize("text", [b"a line of somebody else's, without an end", b"\xff\xfe", b"[1, 2]"])
def test_a_file_that_is_no_history_is_left_as_it_is(tmp_path: Path, text: bytes) -> None:
    (tmp_path / "file").write_bytes(text)
    history = History(tmp_path / "file")
    with pytest.raises(BrokenLog, match="is no log of this tool"):
        history.append(_run([_case(1, "PROVED")], "first"))
    with pytest.raises(BrokenLog, match="is no log of this tool"):
        history.runs()
    assert (tmp_path / "file").read_bytes() == text


def test_a_record_that_was_broken_off_is_replaced_by_the_next(tmp_path: Path) -> None:
    history = History(tmp_path / "history")
    first = history.append(_run([_case(1, "PROVED")], "first"))
    with (tmp_path / "history").open("ab") as file:
        file.write(b'{"kind":"bench","na')
    assert [run.name for run in history.runs()] == ["first"]
    second = history.append(_run([_case(1, "PROVED")], "second"))
    assert [run.name for run in history.runs()] == ["first", "second"]
    assert history.find("first") == history.find(first.id[:8]) == first != second
