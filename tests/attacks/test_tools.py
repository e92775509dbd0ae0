"""Sections G and H: the tools around the jail, which eat untrusted text, and the processes that they are made of."""

from __future__ import annotations

import contextlib
import itertools
import json
import os
import signal
import subprocess
import sys
import sysconfig
import tempfile
import threading
import unicodedata
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from neurosym_sandbox import JailLost, Outcome, Session
from neurosym_specs.loader import spec_from_toml
from neurosym_specs.verdicts import Failed, Proved, Refuted, Standing, combine
from neurosym_verifiers.bench import Bench, Effort
from neurosym_verifiers.environment import Confinement
from neurosym_verifiers.judgement import Judgement
from neurosym_verifiers.proof.process import WorkerProcess
from neurosym_verifiers.runner import Runner

from tests.attacks.around import lacking, stopped
from tests.attacks.judge import WITHOUT
from tests.attacks.tools import NEIGHBOURS, OWN, SETTINGS, SPEC, programs

ROOT = Path(__file__).resolve().parents[2]
RIGHT = "def f(x: int) -> int:\n    return 2 * x\n"
MOST_BYTES = 1_500 * 2**20
KINDS = sorted(programs(""))


@dataclass(frozen=True, slots=True)
class Ran:
    code: int
    out: str
    err: str
    peak_bytes: int


def neurosym(folder: Path, *arguments: object) -> Ran:
    """Runs the command in a folder, as a person would who got a candidate from somewhere."""
    command = [sys.executable, "-P", "-m", "neurosym", *map(str, arguments)]
    with (folder / "out").open("w+b") as out, (folder / "err").open("w+b") as err:
        process = subprocess.Popen(command, cwd=folder, stdout=out, stderr=err)
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        texts = []
        for stream in (out, err):
            stream.seek(0)
            texts.append(stream.read().decode())
    return Ran(process.returncode, *texts, usage.ru_maxrss * 1024)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "f.spec.toml").write_text(SPEC)
    return tmp_path


SOME_OF_ALL = [KINDS[::2], KINDS[1::2]]
"""Together, since a command takes longer to start than to see through most programs."""


@pytest.mark.parametrize(
    ("kinds", "most"),
    [(kinds, 4) for kinds in SOME_OF_ALL] + [pytest.param([kind], None, marks=pytest.mark.slow) for kind in KINDS],
    ids=lambda value: "-".join(value) if isinstance(value, list) else f"most {value}",
)
def test_no_program_gets_past_the_tools_or_breaks_them(folder: Path, kinds: list[str], most: int | None) -> None:
    canary = folder / "CANARY"
    names = []
    for kind in kinds:
        for number, text in enumerate(programs(str(canary))[kind][:most]):
            names.append(f"{kind}_{number}.py")
            (folder / names[-1]).write_bytes(text if isinstance(text, bytes) else text.encode())
    ran = neurosym(folder, "verify", "--json", "--time-limit", "2", "--examples", "20", "f.spec.toml", *names)
    assert ran.code in (1, 3), ran.err
    assert "Traceback" not in ran.err
    assert not canary.exists()
    assert ran.peak_bytes < MOST_BYTES
    candidates = json.loads(ran.out)["candidates"]
    assert [each["name"] for each in candidates] == names
    wrong = {
        each["name"]: each["admission"] for each in candidates if each["admission"] not in ("refused", "undecided")
    }
    assert wrong == {}
    _is_harmless(ran.out)
    assert len(ran.out) < 3_000_000


def test_the_console_of_a_hostile_candidate_is_harmless(folder: Path) -> None:
    names = []
    for number, text in enumerate(programs("")["G11"]):
        names.append(f"G11_{number}.py")
        (folder / names[-1]).write_bytes(text if isinstance(text, bytes) else text.encode())
    ran = neurosym(folder, "verify", "--no-proof", "--examples", "20", "f.spec.toml", *names)
    assert ran.code == 1
    _is_harmless(ran.out)


def _is_harmless(out: str) -> None:
    assert not any(unicodedata.category(char) in ("Cf", "Cs", "Co") for char in out)
    assert not any(unicodedata.category(char) == "Cc" for char in out.replace("\n", ""))
    assert "::error" not in out
    assert "::set-output" not in out
    assert "##vso[" not in out


def test_nothing_beside_a_candidate_is_run_or_obeyed(folder: Path) -> None:
    canary = folder / "CANARY"
    own = OWN.format(str(canary))
    for name in NEIGHBOURS:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(f"import sys\n{own}\n")
    (folder / "plugin.py").write_text(own)
    for name, text in SETTINGS.items():
        (folder / name).write_text(text)
    (folder / "right.py").write_text(RIGHT)
    (folder / "wrong.py").write_text(RIGHT.replace("2 * x", "x + 3"))
    (folder / "untyped.py").write_text(RIGHT.replace("2 * x", "str(x)"))
    ran = neurosym(folder, "verify", "--json", "f.spec.toml", "right.py", "wrong.py", "untyped.py")
    assert not canary.exists()
    assert ran.code == 1, ran.err
    verdicts = [each["verdict"] for each in json.loads(ran.out)["candidates"]]
    assert verdicts == ["PROVED", "REFUTED", "REJECTED"]
    assert neurosym(folder, "spec", "check", "f.spec.toml").code == 0
    assert neurosym(folder, "doctor").code == 0
    assert not canary.exists()


EVERY_JAIL = sorted(set(WITHOUT) - {"all"} | {"nothing"})
SOME_JAILS = [
    "all", *(each if each == "mandatory" else pytest.param(each, marks=pytest.mark.slow) for each in EVERY_JAIL)
]  # fmt: skip


@pytest.mark.parametrize("jail", ["mandatory", "-seccomp"])
def test_no_layer_is_needed_to_see_through_the_first_program_of_each_kind(jail: str) -> None:
    assert [each for each in stopped(jail, KINDS, most=1) if each.reached or not each.by] == []


@pytest.mark.slow
@pytest.mark.parametrize("jail", EVERY_JAIL)
def test_no_layer_is_needed_to_see_through_any_program(jail: str) -> None:
    assert [each for each in stopped(jail, KINDS) if each.reached or not each.by] == []


def _python_of_an_ordinary_user(folder: Path) -> Path | None:
    """A Python that user 12345 can run and that has what this one has, None if there is none."""
    packages = sysconfig.get_path("purelib")
    for base in dict.fromkeys((sys._base_executable, "/usr/bin/python3")):  # type: ignore[attr-defined]  # CPython's
        place = folder / f"venv{len(list(folder.iterdir()))}"
        made = subprocess.run([base, "-m", "venv", "--without-pip", place], capture_output=True, check=False)
        python = place / "bin" / "python"
        if made.returncode != 0:
            continue
        for libraries in place.glob("lib/python*/site-packages"):
            (libraries / "others.pth").write_text("\n".join([packages, *(str(each) for each in OWN_ROOTS)]))
        asked = "import sys, z3, libcst, pytest, mypy; print(sys.version_info[:2])"
        with contextlib.suppress(OSError):
            ran = subprocess.run(
                [python, "-c", asked], **ORDINARY, cwd=ROOT, capture_output=True, text=True, check=False
            )
            if ran.stdout.strip() == str(sys.version_info[:2]):
                return python
    return None


ORDINARY: dict[str, Any] = {"user": 12345, "group": 12345, "extra_groups": []}
OWN_ROOTS = [ROOT, ROOT / "verifiers", ROOT / "specs", ROOT / "sandbox"]
SAMPLE = "jail_that"


@pytest.mark.parametrize("chosen", [SAMPLE, pytest.param("not ordinary", marks=pytest.mark.slow)])
def test_an_ordinary_user_is_as_safe(chosen: str) -> None:
    """All of this again, started by a user without rights (as root the other tests do not show that)."""
    if os.geteuid() != 0:
        pytest.skip("the other tests are run by an ordinary user already")
    with tempfile.TemporaryDirectory(prefix="ordinary-") as name:  # pytest's own folders are closed to others
        folder = Path(name)
        folder.chmod(0o755)
        python = _python_of_an_ordinary_user(folder)
        if python is None:
            pytest.skip("an ordinary user cannot run this Python, or read this folder")
        home = folder / "home"
        home.mkdir()
        os.chown(home, 12345, 12345)
        command = [python, "-m", "pytest", "tests/attacks/test_tools.py", "-k", f"({chosen}) and not ordinary"]
        environment = {
            "PATH": os.environ["PATH"],
            "HOME": str(home),
            "TMPDIR": str(home),
            "PYTHONDONTWRITEBYTECODE": "1",
        }
        ran = subprocess.run(
            [*command, "--basetemp", home / "temp"], **ORDINARY, cwd=ROOT, env=environment,
            capture_output=True, text=True, check=False,
        )  # fmt: skip
        assert ran.returncode == 0, ran.stdout[-3000:] + ran.stderr[-1000:]


def judged(source: str, jail: str = "all") -> Judgement:
    confinement = Confinement() if jail == "all" else lacking(jail)
    with Bench(spec_from_toml(SPEC), Effort(examples=100, time_limit_s=60.0), confinement) as bench:
        assert bench.spec_fault() is None
        found = bench.judge(source)
    assert isinstance(found, Judgement)
    return found


@pytest.mark.parametrize("jail", SOME_JAILS)
@pytest.mark.parametrize("times", [1, 3])
@pytest.mark.parametrize("right", [True, False])
def test_a_zygote_that_is_lost_while_it_judges_changes_no_verdict(
    monkeypatch: pytest.MonkeyPatch, right: bool, times: int, jail: str
) -> None:
    """H08: restarted, the call made once more; and a fault of ours is never the candidate's."""
    called, calls = Runner._called, itertools.count(1)

    def fragile(runner: Runner, session: Session, arguments: tuple[object, ...]) -> Outcome:
        if next(calls) % 20 == 5 and next(left, None) is not None:
            zygote = runner._jail()._zygote
            assert zygote is not None
            zygote._launcher.kill()
            zygote._launcher.wait()
        return called(runner, session, arguments)

    left = iter(range(times))
    monkeypatch.setattr(Runner, "_called", fragile)
    standing = combine(judged(RIGHT if right else RIGHT.replace("2 * x", "2 * x + (x == 777)"), jail).verdicts.values())
    assert standing in ((Standing.PROVED, Standing.TESTED) if right else (Standing.REFUTED,))
    assert next(left, None) is None


@pytest.mark.parametrize("jail", SOME_JAILS)
def test_a_jail_that_cannot_be_had_any_more_is_no_verdict(monkeypatch: pytest.MonkeyPatch, jail: str) -> None:
    def lost(*details: object) -> None:
        raise JailLost("the jail was lost twice in a row")

    monkeypatch.setattr(Runner, "_called", lost)
    found = judged(RIGHT, jail)
    assert combine(found.verdicts.values()) is Standing.ERROR
    assert any(isinstance(each, Failed) for each in found.verdicts.values())
    assert not any(isinstance(each, Refuted) for each in found.verdicts.values())


def test_a_solver_that_dies_proves_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """H, for the solver's process: what it would have decided is tested, and says what it lacks."""
    started = WorkerProcess._started

    def dying(solver: WorkerProcess) -> subprocess.Popen[bytes]:
        process = started(solver)
        process.kill()
        process.wait()
        return process

    monkeypatch.setattr(WorkerProcess, "_started", dying)
    found = judged(RIGHT.replace("2 * x", "x + x if x * x > 4 else 2 * x"))
    assert not any(isinstance(each, Proved) and "Z3" in each.method for each in found.verdicts.values())
    assert combine(found.verdicts.values()) in (Standing.TESTED, Standing.PROVED)


@pytest.mark.parametrize("sent", [signal.SIGKILL, signal.SIGTERM, signal.SIGINT])
def test_a_command_that_is_killed_leaves_no_process(folder: Path, sent: signal.Signals) -> None:
    """H06: everything below the command dies with it, whatever it was at."""
    (folder / "slow.py").write_text("def f(x: int) -> int:\n    while True: pass\n")
    command = [sys.executable, "-P", "-m", "neurosym", "verify", "f.spec.toml", *["slow.py"] * 40]
    process = subprocess.Popen(command, cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    below: set[str] = set()
    while len(below) < 4:  # the type checker, and of the jail the launcher, the zygote, a child
        assert process.poll() is None
        below = _below(process.pid)
        threading.Event().wait(0.02)
    process.send_signal(sent)
    process.wait()
    for _ in range(200):
        if not below & _alive().keys():
            return
        threading.Event().wait(0.05)
    assert below & _alive().keys() == set()


def _alive() -> dict[str, str]:
    """The processes of this machine, each by number and time of start, with the number of its parent."""
    found = {}
    for each in Path("/proc").iterdir():
        if each.name.isdigit():
            with contextlib.suppress(OSError):
                fields = (each / "stat").read_text().rpartition(")")[2].split()
                if fields[0] not in "ZX":
                    found[f"{each.name} {fields[19]}"] = fields[1]
    return found


def _below(pid: int) -> set[str]:
    """The processes below this one."""
    alive = _alive()
    found: set[str] = set()
    numbers = {str(pid)}
    while more := {name for name, parent in alive.items() if parent in numbers and name not in found}:
        found |= more
        numbers |= {name.split()[0] for name in more}
    return found


@pytest.mark.parametrize(
    ("text", "codes"),
    [
        (SPEC + '[[require]]\nthat = "x < 0"\n', (3, 5)),  # no valid input
        (
            SPEC + '[[require]]\nthat = "x == 7"\n[[ensure]]\nid = "never"\nwhen = "x == 8"\nthat = "result == 1"\n',
            (3, 5),
        ),
        (SPEC.replace('[reference]\nvalue = "2 * x"', ""), (0, 3, 5)),  # nothing is promised but a type
        (SPEC.replace('"2 * x"', '"x + OWN"'), (2,)),
        (SPEC.replace('"2 * x"', '"OWN"'), (2,)),
        (SPEC.replace('"2 * x"', '"9**9**9"'), (2,)),
        (SPEC.replace('"2 * x"', f'"{"(" * 5_000}x{")" * 5_000}"'), (2,)),
        (SPEC.replace('"2 * x"', f'"{"-" * 19_000}x"'), (2,)),
        (SPEC.replace('value = "2 * x"', 'python = "OWN\\ndef f(x): return 2 * x"'), (2,)),
        (SPEC.replace('value = "2 * x"', 'file = "/etc/passwd"'), (2,)),
        (SPEC.replace('value = "2 * x"', 'file = "../../etc/passwd"'), (2,)),
        (SPEC.replace("max = 1000", f"max = {'9' * 5_000}"), (2,)),
        (SPEC.replace("[inputs]", "[" * 5_000), (2,)),
    ],
)
def test_a_spec_is_text_too(folder: Path, text: str, codes: tuple[int, ...]) -> None:
    """G01 to G04 and G15 for the spec: nothing of it is run, and one that asks for nothing accepts nothing more."""
    canary = folder / "CANARY"
    (folder / "f.spec.toml").write_text(text.replace("OWN", OWN.format(str(canary))))
    (folder / "right.py").write_text(RIGHT)
    ran = neurosym(folder, "verify", "--time-limit", "3", "f.spec.toml", "right.py")
    assert ran.code in codes, ran.out + ran.err
    assert "Traceback" not in ran.err
    assert not canary.exists()
    assert ran.peak_bytes < MOST_BYTES
