"""The page of ``solve``: the best candidate, each round with what was told and what changed, and why it ended."""

from __future__ import annotations

from html import unescape
from pathlib import Path

import pytest

from tests.cli.shared import RIGHT, WRONG, Neurosym
from tests.reports.changed import HOSTILE
from tests.reports.pages import check_whole

_QUICK = ("--no-proof", "--examples", "20", "--time-limit", "60")
_MARKUP = "</pre></span><script>alert(1)</script><img src=x onerror=alert(1)>{{7*7}}"


@pytest.fixture
def replies(tmp_path: Path) -> Path:
    """A reply that is wrong, with markup in it, and one that is right."""
    folder = tmp_path / "replies"
    folder.mkdir()
    for name, code in (("1.md", WRONG), ("2.md", RIGHT)):
        (folder / name).write_text(f"{_MARKUP}\n```python\n# {_MARKUP}\n{code}```\n{HOSTILE.replace(chr(0), '')}\n")
    return folder


def test_the_rounds_and_what_changed_between_them(
    neurosym: Neurosym, spec: Path, replies: Path, tmp_path: Path
) -> None:
    target = tmp_path / "solve.html"
    scripted = ("--generator", "scripted", "--option", f"replies={replies}")
    ran = neurosym("solve", spec, *scripted, *_QUICK, "--html", target)
    assert ran.code == 0, ran
    text = target.read_text(encoding="utf-8")
    page = check_whole(text)
    assert "It ended: accepted at the level tested. 2 rounds, about" in page.text
    assert "What is shown is the candidate of round 2." in page.text
    for heading in ("How it came about", "Round 1: scripted asked (temperature 0.2)", "What it was told about round 1",
                    "What changed since round 1", "What was asked first", "What it does where"):  # fmt: skip
        assert page.headings.count(heading) == 1, heading
    assert "[NS510 wrong value] The function gives a wrong result." in page.text
    gone, added = (_lines(text, kind) for kind in ("gone", "add"))
    assert [line for line in WRONG.splitlines() if line not in RIGHT] == [line[1:] for line in gone]
    assert [line for line in RIGHT.splitlines() if line not in WRONG] == [line[1:] for line in added]
    assert _MARKUP in page.text


def test_where_no_candidate_came_the_page_says_so(neurosym: Neurosym, spec: Path, tmp_path: Path) -> None:
    target = tmp_path / "solve.html"
    target.write_text("of an earlier run")
    ran = neurosym("solve", spec, "--generator", "command", "--command", "false", *_QUICK, "--html", target)
    assert ran.code == 4
    page = check_whole(target.read_text(encoding="utf-8"))
    assert "NO CANDIDATE" in page.text
    assert "It ended: no model gave a reply" in page.text


def test_a_page_that_cannot_be_is_refused_before_anybody_is_asked(
    neurosym: Neurosym, spec: Path, replies: Path, tmp_path: Path
) -> None:
    scripted = ("--generator", "scripted", "--option", f"replies={replies}")
    for options, said in (
        (["--html", spec], "that file is read"),
        (["--html", tmp_path / "no" / "x.html"], "there is no such folder"),
        (["--html", tmp_path / "x", "--write", tmp_path / "x"], "--write has the same file"),
        (["--html", tmp_path / "x", "--log", tmp_path / "x"], "--log has the same file"),
    ):
        ran = neurosym("solve", spec, *scripted, *options)
        assert (ran.code, ran.out) == (2, "")
        assert said in ran.err
    assert spec.read_text()


def _lines(text: str, kind: str) -> list[str]:
    parts = text.split(f'<span class="{kind}">')[1:]
    return [unescape(part.split("</span>")[0]).rstrip("\n") for part in parts]
