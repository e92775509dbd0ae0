"""The project's own files: locks, wheel, documents, and the first commands of a newcomer."""

from __future__ import annotations

import re
import runpy
import shutil
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path

import pytest

from neurosym.codes import all_codes
from tests.project.documents import DOCUMENTS, ROOT, SCHEMA, TAKE_LONG, refreshed, without_numbers

LOCKS = ["requirements.lock", "requirements-dev.lock", "requirements-node.lock", "requirements-py313.lock"]


@pytest.mark.parametrize("name", LOCKS)
def test_a_lock_holds_names_versions_and_hashes_only(name: str) -> None:
    lines = (ROOT / name).read_text().splitlines()
    assert lines[0].startswith("# Names, versions and hashes")
    for line in lines[1:]:
        assert re.fullmatch(r"[a-z0-9.-]+==[A-Za-z0-9.+!]+ \\|    --hash=sha256:[0-9a-f]{64}( \\)?", line), line


def test_the_locks_cover_what_the_project_needs() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    for name, wanted in (
        ("requirements.lock", project["dependencies"]),
        ("requirements-dev.lock", project["dependencies"] + project["optional-dependencies"]["dev"]),
    ):
        locked = set(re.findall(r"^([a-z0-9.-]+)==", (ROOT / name).read_text(), re.MULTILINE))
        assert {re.split(r"[<>=\[]", each)[0].lower() for each in wanted} | {"hatchling", "editables"} <= locked


def test_the_wheel_holds_all_floors_and_the_pages(tmp_path: Path) -> None:
    build = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(tmp_path)]
    subprocess.run(build, cwd=ROOT, check=True, capture_output=True)
    (wheel,) = tmp_path.glob("*.whl")
    names = set(zipfile.ZipFile(wheel).namelist())
    assert {f"neurosym/_codes/{code}.md" for code in all_codes()} <= names
    assert f"neurosym/_schema/{SCHEMA.name}" in names
    for package in ("neurosym", "neurosym_verifiers", "neurosym_specs", "neurosym_sandbox"):
        assert {f"{package}/__init__.py", f"{package}/py.typed"} <= names
    assert {f"neurosym/prompts/templates/plain-1/{part}" for part in ("system.md", "task.md", "repair.md")} <= names
    assert {"neurosym/prompts/questions/direct-1/task.md", "neurosym/prompts/inputs/inputs-1.md"} <= names
    assert not any(name.startswith(("tests/", "benchmarks/", "docs/")) for name in names)


def test_set_up_already_says_nothing() -> None:
    stamps = [ROOT / ".venv" / f".neurosym-{kind}" for kind in ("run", "dev")]
    if not any(stamp.exists() for stamp in stamps):
        pytest.skip("this environment was not set up by make")
    done = subprocess.run([ROOT / ".ci" / "setup", "run"], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def _blocks(text: str, language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", text, re.DOTALL)


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=pytest.mark.slow if name in TAKE_LONG else ()) for name in DOCUMENTS]
)
def test_the_outputs_in_a_document_are_real(name: str) -> None:
    text = (ROOT / name).read_text(encoding="utf-8")
    assert without_numbers(text) == without_numbers(refreshed(text)), "run `make outputs` and read the difference"


def test_the_python_in_the_readme_runs(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.chdir(ROOT)
    blocks = _blocks((ROOT / "README.md").read_text(encoding="utf-8"), "python")
    assert blocks
    for block in blocks:
        exec(compile(block, "README.md", "exec"), {})
        expected = re.findall(r"# (.*)$", block, re.MULTILINE)
        assert capsys.readouterr().out.splitlines() == expected


def test_links_in_the_documents_lead_somewhere() -> None:
    for document in [*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md"), *(ROOT / "docs/finance").glob("*.md")]:
        for target in re.findall(r"\]\(([^)#:]+)\)", document.read_text(encoding="utf-8")):
            assert (document.parent / target).exists(), f"{document.name}: {target}"


def test_the_documents_are_built_and_broken_ones_are_not(tmp_path: Path) -> None:
    build = runpy.run_path(str(ROOT / "docs" / "site" / "build.py"))
    target = tmp_path / "site"
    assert build["main"]([str(target)]) == 0
    home = (target / "index.html").read_text(encoding="utf-8")
    assert 'href="docs/finance/verdicts.html"' in home
    codes = (target / "docs/codes/index.html").read_text(encoding="utf-8")
    assert all(f'href="{code}.html"' in codes for code in all_codes())
    for page in target.rglob("*.html"):
        text = page.read_text(encoding="utf-8")
        assert not re.search(r'<(?:script|link|img)[^>]*(?:src|href)="(?:https?:)?//', text), page
        for place in re.findall(r'href="([^"#:]+)["#]', text):
            assert (page.parent / place).exists(), f"{page}: {place}"

    pages = {path: build["_read"](path, text) for path, text in build["_documents"]()}
    said = "[a](gone.md) [b](verdicts.md#gone) [c](../../../etc/passwd) [d](#gone) [e](https://example.com) <b>bold</b>"
    wrong = pages["docs/finance/wrong.md"] = build["_read"]("docs/finance/wrong.md", f"# Wrong\n\n{said}\n")
    site = build["Site"](pages)
    assert "&lt;b&gt;" in site.rendered(wrong)
    assert [line.removeprefix("docs/finance/wrong.md: ") for line in site.broken] == [
        "in no part of the contents (docs/site/build.py)",
        "gone.md: there is no docs/finance/gone.md",
        "verdicts.md#gone: docs/finance/verdicts.md has no such heading",
        "../../../etc/passwd: there is no ../etc/passwd",
        "#gone: docs/finance/wrong.md has no such heading",
    ]
    assert build["main"]([str(tmp_path)]) == 2  # a folder with something else in it


def test_where_there_is_no_python_the_setup_says_what_to_install(tmp_path: Path) -> None:
    (tmp_path / ".ci").mkdir()
    shutil.copy(ROOT / ".ci" / "setup", tmp_path / ".ci" / "setup")
    for name in (*LOCKS, "pyproject.toml"):
        shutil.copy(ROOT / name, tmp_path / name)
    tools = tmp_path / "bin"
    tools.mkdir()
    for name in ("sh", "cat", "cksum", "dirname", "pwd"):
        (tools / name).symlink_to(shutil.which(name) or "")
    setup = [str(tools / "sh"), str(tmp_path / ".ci" / "setup"), "run"]
    done = subprocess.run(setup, env={"PATH": str(tools)}, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (2, "")
    assert "neurosym needs Python 3.11 or newer, and here is no python3." in done.stderr
    assert "apt install python3 python3-venv" in done.stderr

    # A Python that is new enough and has no venv, as Debian's is without its package.
    python = tools / "python3"
    python.write_text('#!/bin/sh\ncase "$2" in *ensurepip*) exit 1;; *print*) echo 3.11;; esac\nexit 0\n')
    python.chmod(0o755)
    done = subprocess.run(setup, env={"PATH": str(tools)}, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert "apt install python3.11-venv" in done.stderr
