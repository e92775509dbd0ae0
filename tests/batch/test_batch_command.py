"""``neurosym batch`` and ``neurosym merge`` as somebody runs them, with real workers, also when they are killed."""

from __future__ import annotations

import contextlib
import csv
import io
import json
import os
import re
import shlex
import shutil
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NoReturn
from xml.etree import ElementTree

import pytest

from neurosym.batch.faults import StoreError
from neurosym.batch.jobs import Shard
from neurosym.batch.running import Stop
from neurosym.batch.store import RunStore, facts_of, reading, write_facts
from neurosym.batch.tally import tally_of
from neurosym.cli import run
from neurosym.commands._batch_running import interruptions
from neurosym.reports.reading import result_of
from tests.batch.conftest import QUICK, Manifest, job
from tests.batch.scripted import QUICK_SETTINGS, planned, run_over
from tests.batch.scripted import RIGHT as RIGHT_RESULT
from tests.batch.scripted import WRONG as WRONG_RESULT
from tests.cli.shared import RIGHT, SPEC, WRONG, Neurosym, Ran
from tests.reports.pages import check_whole
from tests.reports.schemas import check_documents

FAULTY = SPEC.replace('out = "15.00"', 'out = "15.01"')
JOBS = [
    job("right"),
    {"id": "file", "spec": "late_fee.spec.toml", "candidate": "wrong.py"},
    {**job("right"), "id": "same as right"},
    job("broken", "def late_fee(:"),
    {"id": "reply", "spec": "late_fee.spec.toml", "reply": f"Here it is:\n```python\n{RIGHT}\n```\n"},
    {"id": "spec", "spec": "faulty/late_fee.spec.toml", "candidate": "right.py"},
    {"id": "two", "spec": "late_fee.spec.toml", "candidates": ["right.py", {"text": WRONG + "# two", "name": "other"}]},
]
JOBS_OF_MANY = 8
VERDICTS = {
    "right": "TESTED", "file": "REFUTED", "same as right": "TESTED", "broken": "REJECTED", "reply": "TESTED",
    "spec": "SPEC FAULT", "two/1": "TESTED", "two/other": "REFUTED",
}  # fmt: skip


def _write(folder: Path) -> Path:
    (folder / "faulty").mkdir()
    for path, text in (("late_fee.spec.toml", SPEC), ("right.py", RIGHT), ("wrong.py", WRONG)):
        (folder / path).write_text(text)
    (folder / "faulty" / "late_fee.spec.toml").write_text(FAULTY)
    (folder / "jobs.jsonl").write_text("".join(f"{json.dumps(each)}\n" for each in JOBS) + "{\n")
    return folder / "jobs.jsonl"


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Ran]:
    """A run of all kinds of jobs, with all files; and what it printed."""
    manifest = _write(tmp_path_factory.mktemp("finished"))
    files = [
        part for form in ("jsonl", "csv", "junit", "html") for part in (f"--{form}", str(manifest.with_name(form)))
    ]
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        code = run(["batch", str(manifest), *QUICK, "--workers", "1", "--skip-bad", *files])
    return manifest, Ran(code, out.getvalue(), err.getvalue())


def test_the_summary_says_what_came_out(finished: tuple[Path, Ran]) -> None:
    _, ran = finished
    assert ran.code == 1
    for said in (
        "jobs.jsonl: 8 jobs, 4 accepted\n",
        "  TESTED             4\n",
        "  REFUTED            2  wrong value 2\n",
        "  REJECTED           1  syntax 1\n",
        "  SPEC FAULT         1  spec 1\n",
        "1 duplicate (same spec, same bytes, same options), not verified again\n",
        "1 job of the same code as another in another layout, read and not run again\n",
        "1 bad line of the manifest left out (--skip-bad)\n",
        "\nnot accepted:\n  file  REFUTED wrong value [NS510]\n    ",
        "  broken  REJECTED syntax [NS210]\n    line 1: ",
        "  spec  SPEC FAULT spec [NS701]\n",
        "jobs.jsonl.run.sqlite (exit 1)\n",
    ):
        assert said in ran.out
    assert all(len(line) <= 80 or "jobs.jsonl" in line or "neurosym replay" in line for line in ran.out.splitlines())


def test_a_result_is_what_verify_would_have_stored(finished: tuple[Path, Ran]) -> None:
    manifest, _ = finished
    lines = [json.loads(line) for line in manifest.with_name("jsonl").read_text().splitlines()]
    assert {line["id"]: line["verdict"] for line in lines} == VERDICTS
    for line in lines:
        text = json.dumps(line["result"])
        check_documents(text)
        result = result_of(text)
        assert result.effort.examples == 5
        if line["verdict"] == "SPEC FAULT":
            assert result.spec_fault is not None
        else:
            assert (result.candidates[0].verdict, result.candidates[0].name) == (line["verdict"], line["candidate"])
    by_id = {line["id"]: line for line in lines}
    assert by_id["same as right"]["same_as"] == "right"
    assert by_id["same as right"]["candidate"] == "same as right"
    assert (by_id["two/other"]["same_as"], by_id["two/other"]["same_code_as"]) == (None, "file")
    assert by_id["reply"]["result"]["candidates"][0]["rewrites"]


def test_each_refutation_is_run_again_by_its_command(finished: tuple[Path, Ran], neurosym: Callable[..., Ran]) -> None:
    manifest, ran = finished
    rows = [json.loads(line) for line in manifest.with_name("jsonl").read_text().splitlines()]
    refuted = {row["id"]: row["replay"] for row in rows if row["verdict"] == "REFUTED"}
    assert {row["id"] for row in rows if row["replay"]} == {*refuted} == {"file", "two/other"}
    table = csv.DictReader(manifest.with_name("csv").read_text().splitlines())
    assert {row["id"]: row["replay"] for row in table if row["replay"]} == refuted
    suites = ElementTree.parse(manifest.with_name("junit")).getroot()
    for name, command in refuted.items():
        failure = suites.find(f"testsuite/testcase[@name='{name}']/failure")
        assert failure is not None
        assert failure.text == f"run it again: {command}"
        assert f"    {command}\n" in ran.out
        again = neurosym(*shlex.split(command)[1:])
        assert (again.code, "It still fails." in again.out) == (1, True)
    assert "--store" in refuted["two/other"]
    assert "--store" not in refuted["file"]
    gone = neurosym(*shlex.split(refuted["two/other"].replace("two/other", "two/none"))[1:])
    assert (gone.code, "there is no job two/none in" in gone.err) == (2, True)


def test_waivers_count_for_every_job_of_their_spec(neurosym: Neurosym, manifest: Manifest, folder: Path) -> None:
    spec = folder / "late_fee.spec.toml"
    spec.write_text(spec.read_text() + '\n[[ensure]]\nid = "rare"\nwhen = "balance > 10000"\nthat = "result == 0"\n')
    table = '[[waiver]]\nspec = "late_fee"\nclause = "{}"\nowner = "R. Risk"\nreason = "why"\nexpires = {}\n'
    file = folder / "waivers.toml"
    file.write_text(table.format("ensure: rare", "2999-12-31") + table.format("reference", "2001-01-31"))
    path = manifest(job("right"), {"id": "wrong", "spec": "late_fee.spec.toml", "candidate": "wrong.py"})
    forms = [part for form in ("jsonl", "csv", "junit") for part in (f"--{form}", folder / form)]
    ran = neurosym("batch", path, *QUICK, "--workers", "1", "--waivers", file, *forms)
    assert ran.code == 1
    said = " ".join(ran.out.split())
    assert "2 jobs, 1 accepted, 1 of them by waiver UNKNOWN 1 REFUTED 1" in said
    assert "the waiver of reference of late_fee by R. Risk does nothing: its last day was 2001-01-31 (NS744)" in said
    row = json.loads((folder / "jsonl").read_text().splitlines()[0])
    assert (row["id"], row["verdict"], row["admission"], row["exit_code"]) == ("right", "UNKNOWN", "admitted", 0)
    assert row["waivers"].startswith("Waived, ensure: rare: R. Risk, until 2999-12-31: why")
    assert "Waived, ensure: rare: R. Risk" in (folder / "csv").read_text()
    case = ElementTree.parse(folder / "junit").getroot().find("testsuite/testcase[@name='right']/skipped")
    assert case is not None
    assert "UNKNOWN Waived, ensure: rare: R. Risk" in case.get("message", "")
    summary = json.loads(neurosym("batch", path, *QUICK, "--waivers", file, "--resume", "--json").out)
    assert (summary["accepted_by_waiver"], [each["clause"] for each in summary["idle_waivers"]]) == (1, ["reference"])

    # A run is of one set of waivers, and one that names no clause leaves no store behind.
    refused = neurosym("batch", path, *QUICK, "--resume")
    assert (refused.code, "was begun with other options: waivers." in refused.err) == (2, True)
    file.write_text(table.format("ensure: rares", "2999-12-31"))
    refused = neurosym("batch", path, *QUICK, "--store", folder / "new", "--waivers", file)
    assert (refused.code, 'did you mean "ensure: rare"?' in refused.err) == (2, True)
    assert not (folder / "new").exists()


def test_the_table_and_the_suites(finished: tuple[Path, Ran]) -> None:
    manifest, _ = finished
    rows = list(csv.DictReader(manifest.with_name("csv").read_text().splitlines()))
    assert {row["id"]: row["verdict"] for row in rows} == VERDICTS
    assert {row["id"] for row in rows if row["exit code"] == "0"} == {"right", "same as right", "reply", "two/1"}
    top = ElementTree.parse(manifest.with_name("junit")).getroot()
    assert dict(top.attrib) | {"name": ""} == {"name": "", "tests": "8", "failures": "3", "errors": "1"}
    assert [suite.get("tests") for suite in top] == ["7", "1"]
    assert top.find("testsuite/testcase[@name='file']/failure") is not None


def test_the_page(finished: tuple[Path, Ran]) -> None:
    manifest, _ = finished
    page = check_whole(manifest.with_name("html").read_text(encoding="utf-8"))
    for said in ("4 of 8 jobs accepted (50 %)", "left out (--skip-bad): 1.", "REJECTED syntax",
                 "late_fee.spec.toml 7 4 (57.1 %) 2 0", "REFUTED wrong value"):  # fmt: skip
        assert said in page.text, said
    refused = [job for job, verdict in VERDICTS.items() if verdict != "TESTED"]
    _, _, listed = page.text.partition("Jobs that are not accepted")
    assert all(job in listed for job in refused)
    assert listed.index("two/other") < listed.index("broken")
    assert "more are left out" not in page.text


def test_a_finished_run_is_followed_and_resumed_at_no_cost(finished: tuple[Path, Ran], neurosym: Neurosym) -> None:
    manifest, _ = finished
    ran = neurosym("batch", manifest, "--follow")
    assert (ran.code, ran.out) == (0, "8 of 8 jobs; TESTED 4, REFUTED 2, REJECTED 1, SPEC FAULT 1\n")
    ran = neurosym("batch", manifest, *QUICK, "--retry-errors")
    assert (ran.code, "--retry-errors is for a run that goes on: --resume" in ran.err) == (2, True)
    ran = neurosym("batch", manifest, *QUICK, "--resume", "--retry-errors", "--json")
    document = json.loads(ran.out)
    assert (ran.code, document["exit_code"], document["judged_in_this_run"]) == (1, 1, 0)
    assert {each["verdict"]: each["jobs"] for each in document["verdicts"]}["REFUTED"] == 2
    assert (document["twins"], document["skipped_lines"], document["ended"]) == (1, 1, "done")


def test_a_store_of_another_run_is_refused(finished: tuple[Path, Ran], neurosym: Neurosym, tmp_path: Path) -> None:
    manifest, _ = finished
    other, text, database = tmp_path / "other.jsonl", tmp_path / "text", tmp_path / "database"
    other.write_text(json.dumps({**JOBS[1], "id": "new"}) + "\n")
    text.write_text("a text that is longer than the head of a database, and none, so that sqlite reads it" * 3)
    with contextlib.closing(sqlite3.connect(database)) as connection:
        connection.execute("CREATE TABLE t (a)")
    store = f"{manifest}.run.sqlite"
    for arguments, said in (
        ([manifest], "already: --resume goes on with it, --store names another"),
        ([manifest, "--resume", "--store", tmp_path / "no"], "to go on with"),
        (
            [manifest, "--resume", *QUICK, "--seed", "3"],
            "was begun with other options: asked.effort.seed was 0 and is 3",
        ),
        ([manifest, "--resume", *QUICK, "--shard", "1/2"], "holds the shard 1/1, and not 1/2"),
        ([other, "--resume", *QUICK, "--store", store], "is the store of another manifest"),
        ([manifest, "--resume", *QUICK, "--store", text], "is no run store: file is not a database"),
        ([manifest, "--resume", *QUICK, "--store", database], "is a database, and no run store of neurosym"),
        ([manifest, "--follow", "--store", text], "is no run store"),
        ([manifest, "--follow", "--store", tmp_path / "no"], "there is no run store"),
    ):
        ran = neurosym("batch", *arguments)
        assert (ran.code, ran.out) == (2, "")
        assert re.sub(r"\s+", " ", said) in ran.err
        assert "(NS721)" in ran.err
    assert text.read_text().startswith("a text")


@pytest.mark.parametrize(
    ("damage", "said"),
    [
        ("DELETE FROM facts WHERE name = 'jobs'", "it has jobs, and nothing of what they were begun with"),
        ("DELETE FROM facts WHERE name = 'tools'", "it has lost its tools"),
        ("UPDATE facts SET value = '{' WHERE name = 'settings'", "its settings in it cannot be read"),
        ("UPDATE facts SET name = CAST(x'ff' AS TEXT) WHERE name = 'tools'", "Could not decode to UTF-8"),
        ("UPDATE results SET document = x'00' WHERE document IS NOT NULL", "a result in it cannot be unpacked"),
        ("DROP TABLE results", "no such table: results"),
    ],
)
def test_a_damaged_store_is_said_to_be_and_kept(
    finished: tuple[Path, Ran], neurosym: Neurosym, tmp_path: Path, damage: str, said: str
) -> None:
    manifest, _ = finished
    store = Path(shutil.copy(f"{manifest}.run.sqlite", tmp_path))
    with contextlib.closing(sqlite3.connect(store)) as connection, connection:
        connection.execute(damage)
    ran = neurosym("batch", manifest, *QUICK, "--resume", "--store", store, "--csv", tmp_path / "out.csv")
    assert (ran.code, ran.out) == (2, "")
    assert said in re.sub(r"\s+", " ", ran.err)
    assert " is damaged: " in ran.err
    with contextlib.closing(sqlite3.connect(store)) as connection:
        assert connection.execute("SELECT count(*) FROM jobs").fetchone() == (8,)


def test_a_store_that_somebody_reads_holds_all_in_its_one_file(
    finished: tuple[Path, Ran], neurosym: Neurosym, tmp_path: Path
) -> None:
    """Whoever copies the file after the run has the run, also where it was followed to the end."""
    manifest, _ = finished
    store, copy = tmp_path / "store", tmp_path / "copy"
    shutil.copy(f"{manifest}.run.sqlite", store)
    with RunStore(store) as opened:
        with reading(store) as connection:
            assert facts_of(connection)["jobs"] == 8
            with opened.writing() as writer:
                write_facts(writer, {"more": 1})
            opened.close()
        shutil.copy(store, copy)
    with reading(copy) as connection:
        assert facts_of(connection)["more"] == 1


def test_two_runs_on_one_store_refuse_each_other(neurosym: Neurosym, manifest: Manifest) -> None:
    path = manifest(job("a"))
    with RunStore(Path(f"{path}.run.sqlite")):
        ran = neurosym("batch", path, "--resume")
        assert (ran.code, ran.out) == (2, "")
        assert "another run is writing to" in ran.err


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--shard", "3/2"], "3/2 is no shard: 1/4 is the first of four"),
        (["--workers", "2", "--cluster", "tcp://x:1"], "--workers are on this machine"),
        (["--csv", "no/such/folder.csv"], "--csv no/such/folder.csv: there is no such folder"),
        (["--csv", "same", "--jsonl", "same"], "two forms cannot be written into one file"),
        (["--types", "shure"], "'shure' is unknown; did you mean sure?"),
    ],
)
def test_bad_options(neurosym: Neurosym, manifest: Manifest, options: list[str], said: str) -> None:
    path = manifest(job("a"))
    ran = neurosym("batch", path, *options)
    assert (ran.code, ran.out) == (2, "")
    assert said in ran.err
    assert not list(path.parent.glob("*.sqlite*"))


def test_no_file_that_is_read_is_replaced(neurosym: Neurosym, manifest: Manifest) -> None:
    path = manifest(job("a"))
    for option in ("--store", "--csv"):
        ran = neurosym("batch", path, option, path)
        assert (ran.code, ran.out) == (2, "")
        assert "would be replaced" in ran.err
    assert path.read_text()


def test_a_spec_that_was_changed_since_is_refused(neurosym: Neurosym, manifest: Manifest, folder: Path) -> None:
    path = manifest(job("a"))
    planned(Path(f"{path}.run.sqlite"), path, QUICK_SETTINGS).close()
    with (folder / "late_fee.spec.toml").open("a") as file:
        file.write("# changed\n")
    ran = neurosym("batch", path, *QUICK, "--resume")
    assert (ran.code, "was changed since" in ran.err) == (2, True)


def test_shards_are_put_together(neurosym: Neurosym, manifest: Manifest, folder: Path) -> None:
    path = manifest(*(job(f"j{number}") for number in range(9)), {**job("j3"), "id": "twin"})
    stores = [folder / f"{index}.sqlite" for index in (1, 2, 3)]
    for index, place in enumerate(stores, 1):
        with planned(place, path, shard=Shard(index, 3)) as store:
            run_over(store, lambda order: WRONG_RESULT if order.source.name == "j3" else RIGHT_RESULT)
    ran = neurosym("merge", *stores, "--into", folder / "all", "--csv", folder / "all.csv")
    assert ran.code == 1
    assert "10 jobs, 8 accepted\n  TESTED             8\n  REFUTED            2  wrong value 2\n" in ran.out
    assert "1 duplicate " in ran.out
    assert "missing" not in ran.out
    rows = list(csv.DictReader((folder / "all.csv").read_text().splitlines()))
    assert [row["id"] for row in rows] == [*(f"j{number}" for number in range(9)), "twin"]
    assert [row["id"] for row in rows if row["verdict"] == "REFUTED"] == ["j3", "twin"]
    ran = neurosym("merge", stores[0], stores[2], "--into", folder / "two", "--json")
    assert ran.code in (1, 3)
    assert json.loads(ran.out)["missing_shards"] == ["2/3"]
    for arguments, said in (
        ([stores[0], stores[0]], "shard 1/3 is there twice"),
        ([stores[0], folder / "late_fee.spec.toml"], "is no run store"),
        ([stores[0], folder / "no"], "there is no run store"),
    ):
        ran = neurosym("merge", *arguments, "--into", folder / "new")
        assert (ran.code, ran.out) == (2, "")
        assert said in ran.err
    assert "would be replaced" in neurosym("merge", *stores, "--into", folder / "all").err
    assert not (folder / "new").exists()


@pytest.fixture
def hears_ctrl_c() -> Iterator[None]:
    """As in a terminal: a shell has what it runs behind itself ignore Ctrl-C."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.usefixtures("hears_ctrl_c")
def test_the_first_signal_asks_and_the_second_ends() -> None:
    stop = Stop()
    with interruptions(stop):
        os.kill(os.getpid(), signal.SIGTERM)
        assert stop.asked
        with pytest.raises(KeyboardInterrupt):
            os.kill(os.getpid(), signal.SIGINT)
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


@pytest.mark.usefixtures("hears_ctrl_c")
def test_a_signal_that_is_ignored_stays_ignored() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    stop = Stop()
    with interruptions(stop):
        os.kill(os.getpid(), signal.SIGINT)
        assert not stop.asked
        os.kill(os.getpid(), signal.SIGTERM)
        assert stop.asked


def test_whoever_ends_a_run_at_once_is_told_what_is_kept(
    neurosym: Neurosym, manifest: Manifest, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(*given: object) -> NoReturn:
        raise KeyboardInterrupt

    monkeypatch.setattr("neurosym.commands.batch.ran", interrupted)
    path = manifest(job("a"))
    ran = neurosym("batch", path, *QUICK)
    assert (ran.code, ran.out) == (130, "")
    said = f"what is finished is kept in {path}.run.sqlite, and --resume goes on with the rest"
    assert said in ran.err
    with reading(Path(f"{path}.run.sqlite")) as connection:
        assert tally_of(connection).left == 1


def _begun(path: Path, workers: int = 2) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "neurosym", "batch", str(path), *QUICK, "--workers", str(workers)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def _done(path: Path) -> int:
    with contextlib.suppress(StoreError), reading(Path(f"{path}.run.sqlite")) as connection:
        return tally_of(connection).done
    return 0


def _until(condition: Callable[[], bool], seconds: float = 120) -> None:
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.02)


def _workers_of(pid: int) -> list[int]:
    found = []
    for task in Path(f"/proc/{pid}/task").iterdir():
        for child in (task / "children").read_text().split():
            with contextlib.suppress(OSError):
                if b"pool_worker" in Path(f"/proc/{child}/cmdline").read_bytes():
                    found.append(int(child))
    return found


@pytest.fixture
def many(manifest: Manifest) -> Path:
    return manifest(*(job(f"j{number}", WRONG if number % 4 == 0 else RIGHT) for number in range(JOBS_OF_MANY)))


@pytest.fixture
def ended() -> Iterator[list[subprocess.Popen[str]]]:
    """Processes that are killed at the end of a test, however it ends."""
    running: list[subprocess.Popen[str]] = []
    yield running
    for process in running:
        process.kill()
        process.communicate()


@pytest.mark.slow
def test_a_run_that_is_killed_loses_no_finished_job(
    many: Path, ended: list[subprocess.Popen[str]], neurosym: Neurosym
) -> None:
    process = _begun(many, workers=1)
    ended.append(process)
    _until(lambda: _done(many) >= 2)
    workers = _workers_of(process.pid)
    assert len(workers) == 1
    process.kill()
    process.wait()
    done = _done(many)
    assert 2 <= done < JOBS_OF_MANY
    _until(lambda: not any(Path(f"/proc/{pid}").exists() for pid in workers))  # they end with it
    ran = neurosym("batch", many, *QUICK, "--resume", "--json", "--workers", "1")
    document = json.loads(ran.out)
    assert (ran.code, document["done"], document["judged_in_this_run"]) == (1, JOBS_OF_MANY, JOBS_OF_MANY - done)
    assert {each["verdict"]: each["jobs"] for each in document["verdicts"]} == {"TESTED": 6, "REFUTED": 2}
    assert not many.with_name(f"{many.name}.run.sqlite-wal").exists()


@pytest.mark.slow
@pytest.mark.usefixtures("hears_ctrl_c")
def test_a_run_that_is_interrupted_finishes_what_runs(many: Path, ended: list[subprocess.Popen[str]]) -> None:
    process = _begun(many)
    ended.append(process)
    _until(lambda: _done(many) >= 2)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=120)
    assert process.returncode == 130
    assert "interrupted: " in err
    assert "no more jobs begin, " in err
    assert f"not judged{JOBS_OF_MANY - _done(many):>10}  interrupted: --resume goes on" in out


@pytest.mark.slow
def test_workers_that_are_killed_cost_no_job(many: Path, ended: list[subprocess.Popen[str]]) -> None:
    process = _begun(many)
    ended.append(process)
    for count in (1, 3, 5):
        _until(lambda count=count: _done(many) >= count or process.poll() is not None)  # type: ignore[misc]
        for pid in _workers_of(process.pid)[:1]:
            os.kill(pid, signal.SIGKILL)
    out, err = process.communicate(timeout=300)
    assert process.returncode == 1
    assert "was ended by SIGKILL; it is tried once more, alone, at the end" in err
    assert re.search(r"\d workers? lost at work", out)
    assert "  TESTED             6\n  REFUTED            2  wrong value 2\n" in out


@pytest.mark.slow
def test_a_job_that_takes_too_long_ends_its_worker_and_is_recorded(neurosym: Neurosym, manifest: Manifest) -> None:
    path = manifest(job("a"), job("b"))
    ran = neurosym("batch", path, *QUICK, "--job-limit", "1", "--examples", "200000", "--workers", "1", "--jsonl",
                   path.with_name("out"))  # fmt: skip
    assert ran.code == 70
    for line in path.with_name("out").read_text().splitlines():
        document = json.loads(line)
        assert (document["verdict"], document["class"], document["lost_workers"]) == ("ERROR", "tool", 2)
        assert document["why"].endswith("the last of them alone: it took longer than a job may")


@pytest.mark.slow
def test_parquet(neurosym: Neurosym, manifest: Manifest, folder: Path) -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    path = manifest(job("a"), job("b", WRONG))
    assert neurosym("batch", path, *QUICK, "--parquet", folder / "out.parquet").code == 1
    table = parquet.read_table(folder / "out.parquet").to_pylist()
    assert [(row["id"], row["verdict"], row["line"]) for row in table] == [("a", "TESTED", 1), ("b", "REFUTED", 2)]
    check_documents(table[0]["result"])
